"""Classifiers as MLflow models: what MLflow calls, and, where it is installed, MLflow itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import symcf
from symcf.mlflow import FILE, Explaining, _load_pyfunc

CREDIT = symcf.datasets.credit()
QUESTION = {"target": "approved", "immutable": ["age", "sex"], "k": 2}


@pytest.fixture(scope="module")
def compiled() -> symcf.Compiled:
    return symcf.compile(CREDIT.model("scorecard"))


def expected(c: symcf.Compiled, table: pd.DataFrame, **question: Any) -> list[tuple[Any, list[Any]]]:
    """Decision and sets of each row, asked one by one."""
    found = [c.explain(row, **question) for _, row in table.iterrows()]
    return [(c.classes[e.prediction], [list(s) for s in e.sets]) for e in found]


def told(answer: pd.DataFrame) -> list[tuple[Any, list[Any]]]:
    read = [symcf.Explanation.from_dict(json.loads(text)) for text in answer["explanation"]]
    return [(decision, [list(s) for s in e.sets]) for decision, e in zip(answer["decision"], read, strict=True)]


def test_the_loaded_model_answers_as_the_classifier(compiled, tmp_path):
    compiled.save(tmp_path / FILE)
    table = CREDIT.data.head(20)
    loaded = _load_pyfunc(str(tmp_path), QUESTION)
    answer = loaded.predict(table)
    assert list(answer.columns) == ["decision", "status", "text", "explanation"]
    assert list(answer.index) == list(table.index)
    assert told(answer) == expected(compiled, table, **QUESTION)
    assert {"approved", "declined"} == set(answer["decision"])
    assert all("approved if" in text for text in answer.loc[answer["status"] == "complete", "text"] if text)
    once = loaded.predict(table, {"k": 1})
    assert told(once) == expected(compiled, table, **{**QUESTION, "k": 1})


def test_rows_that_cannot_be_read(compiled):
    table = CREDIT.data.head(3).astype(object)
    table.iloc[1, table.columns.get_loc("job")] = "astronaut"
    with pytest.raises(symcf.InstanceError, match="astronaut"):
        Explaining(compiled, QUESTION).predict(table)
    answer = Explaining(compiled, {**QUESTION, "errors": "mark"}).predict(table)
    assert answer["status"].tolist()[1] == "invalid"
    assert answer["explanation"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("question", "message"),
    [({"imutable": ["age"]}, "did you mean 'immutable'"), ({"progress": True}, "no such keyword")],
)
def test_unknown_keywords(compiled, question, message):
    with pytest.raises(symcf.OptionError, match=message):
        Explaining(compiled, question)
    with pytest.raises(symcf.OptionError, match=message):
        Explaining(compiled).predict(CREDIT.data.head(1), question)


def test_what_cannot_be_kept(compiled, tmp_path):
    pytest.importorskip("mlflow.pyfunc")
    with pytest.raises(symcf.OptionError, match="what JSON can hold"):
        symcf.mlflow.save_model(compiled, tmp_path / "m", cost={"age": abs})
    with pytest.raises(symcf.OptionError, match="plumber"):
        symcf.mlflow.save_model(compiled, tmp_path / "m", target="plumber")
    with pytest.raises(TypeError, match=r"symcf\.compile"):
        symcf.mlflow.save_model(CREDIT.model("scorecard"), tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_with_mlflow(compiled, tmp_path: Path):
    pyfunc = pytest.importorskip("mlflow.pyfunc")
    table = CREDIT.data.head(10)
    symcf.mlflow.save_model(compiled, tmp_path / "m", **QUESTION)
    path = str(tmp_path / "m")
    assert told(pyfunc.load_model(path).predict(table)) == expected(compiled, table, **QUESTION)
    one = pyfunc.load_model(path, model_config={"k": 1}).predict(table)
    assert told(one) == expected(compiled, table, **{**QUESTION, "k": 1})
    assert symcf.mlflow.load_model(path).explain(table.iloc[0]).sets == compiled.explain(table.iloc[0]).sets
    with pytest.raises(symcf.FileError, match="not written by symcf"):
        symcf.mlflow.load_model(str(tmp_path))
