"""The packaged credit data: what it holds, that its script makes it, and that its models decide as trained."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symcf
import symcf.datasets
import symcf.fast
from symcf.datasets import make_credit
from symcf.datasets.packaged import FILES

CREDIT = symcf.datasets.credit()


def test_the_script_makes_the_table_to_the_last_byte(tmp_path: Path) -> None:
    make_credit.write_table(tmp_path / "credit.csv", make_credit.people())
    assert (tmp_path / "credit.csv").read_bytes() == (FILES / "credit.csv").read_bytes()


def test_what_users_meet_is_in_it() -> None:
    data = CREDIT.data
    assert {dtype.kind for dtype in data.dtypes} == {"i", "f", "O", "b"}
    assert data.isna().sum().sum() > 50
    assert set(CREDIT.protected) <= set(CREDIT.immutable) <= set(data.columns)
    assert set(CREDIT.target) == set(CREDIT.classes)
    assert (data.index == CREDIT.target.index).all()
    approved = (CREDIT.target == "approved").groupby(data["sex"]).mean()
    assert approved["male"] - approved["female"] > 0.1  # the clerk's bias is there to be found


def test_rows_are_those_of_the_file() -> None:
    for line in csv.DictReader((FILES / "credit.csv").read_text(encoding="utf-8").splitlines()):
        row = CREDIT.row(line.pop("applicant"))
        line.pop("decision")
        assert list(row) == list(line)
        for name, cell in line.items():
            expected = {"": None, "true": True, "false": False}.get(cell, int(cell) if cell.isdecimal() else cell)
            assert (row[name], type(row[name])) == (expected, type(expected))


@pytest.fixture(scope="module")
def trained() -> dict[str, Any]:
    pytest.importorskip("sklearn")
    return make_credit.trained(CREDIT.data, CREDIT.target)


@pytest.mark.parametrize("kind", CREDIT.kinds)
def test_models_decide_as_those_they_came_from(kind: str, trained: dict[str, Any]) -> None:
    c = symcf.compile(CREDIT.model(kind))
    ours = c.predict(CREDIT.data)
    assert (ours == trained[kind].predict(CREDIT.data)).mean() > 0.97  # another version may train a little differently
    assert (ours == CREDIT.target).mean() > 0.7
    assert c.features == CREDIT.features
    declined = np.flatnonzero(ours == "declined")[:3]
    for i in declined.tolist():
        e = c.explain(CREDIT.row(CREDIT.names[i]), target="approved", immutable=CREDIT.immutable, k=2)
        assert len(e)
        assert set(c.predict([cf.row for cf in e]).tolist()) == {"approved"}


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    plain = symcf.datasets.credit()
    assert isinstance(plain.data, dict)
    c = symcf.compile(plain.model("scorecard"))
    np.testing.assert_array_equal(c.predict(plain.data, codes=True), c.predict(CREDIT.data, codes=True))
    assert plain.target.tolist() == CREDIT.target.tolist()


def test_mistakes_are_named() -> None:
    with pytest.raises(symcf.OptionError, match="there is no model 'svm' of the credit data: choose one of boosted, "):
        CREDIT.model("svm")
    with pytest.raises(symcf.OptionError, match="there is no application 'A999': they are called A001 to A600"):
        CREDIT.row("A999")


def test_files_for_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "symcf.datasets", str(tmp_path / "here")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "credit.csv with 600 applications" in done.stdout
    assert symcf.model_from_json(tmp_path / "here" / "tree.json").classes == CREDIT.classes
    assert subprocess.run([*command, "more"], capture_output=True, check=False).returncode == 2
