"""Rows that are decided as wanted already: every call answers, with nothing to change, nothing to draw, no reason."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import symcf
import symcf.fast
from symcf.cli.app import run
from symcf.demo import admission


def three():
    return (
        symcf.compile(
            symcf.from_function(lambda row: sum(row) % 3, 3, features=["a", "b", "c"], classes=("no", "yes", "maybe"))
        ),
        [1, 0, 0],
        "yes",
    )


def two():
    return symcf.compile(admission()), [1, 1, 1, 1], "admitted"


def trees():
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 4, (60, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + X["b"] > 3, "good", "bad")
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, y)
    return symcf.compile(forest), {"a": 3, "b": 3, "c": 1}, "good"


def numbers():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=50), "y": rng.normal(size=50)})
    model = LogisticRegression().fit(X, (X["x"] + X["y"] > 0).astype(int))
    return symcf.compile(model, data=X), {"x": 1.0, "y": 1.0}, 1


def black():
    X = pd.DataFrame({"x": [0, 1, 2, 3], "y": [0, 1, 0, 1]})
    return symcf.compile(symcf.from_predict(lambda f: (f["x"] > 1).astype(int).to_numpy(), X)), {"x": 3, "y": 1}, 1


MODELS = [two, three, trees, numbers, black]


@pytest.mark.parametrize("make", MODELS)
def test_every_call_answers(make):
    c, x, wanted = make()
    assert c.predict([x]).tolist() == [wanted]
    asked = {"target": wanted}
    e = c.explain(x, **asked)
    assert (e.at_target, e.sets, e.complete) == (True, [], True)
    assert c.count(x, **asked) == 0
    assert c.count_bounds(x, **asked) == (0, 0)
    assert c.sample(x, 3, random_state=0, **asked) == []
    assert list(c.iter_counterfactuals(x, **asked)) == []
    assert e.letter() is None
    (row,) = c.explain_batch([x], **asked)
    assert (row.at_target, row.sets) == (True, [])


@pytest.mark.parametrize("make", [two, three, trees])
def test_reasons_against_what_is_decided(make):
    c, x, wanted = make()
    asked = {"target": wanted}
    for r in (c.why(x, **asked), c.why(x, k=1, **asked), c.explain(x, **asked).reasons, c.why_batch([x], **asked)[0]):
        assert (list(r), r.sets, r.complete, r.at_target) == ([], [], True, True)
        assert (r.necessary, r.relevant) == ((), ())
        assert set(r.shares) == {0}
        assert str(r).startswith(f"decided {wanted}")
        assert str(r).endswith(", as wanted: there is no reason against it")
        assert r.sentences()[1] == "This is what was asked for: there is no reason against it."
        assert "there is no reason against it" in r._repr_html_()
        assert r.principal() == []
        again = symcf.Reasons.from_dict(json.loads(r.to_json()))
        assert again.at_target and not len(again)  # noqa: PT018
        assert r.to_pandas().empty
        assert r.general().sets == []
    assert c.why(x, **asked).changes.at_target
    assert c.count_why(x, **asked) == 0
    assert c.sample_why(x, 2, random_state=0, **asked) == []
    for method in ("reasons", "changes"):
        a = c.attribute(x, method, **asked)
        assert (a.values.tolist(), a.total) == ([0.0] * len(c.features), 0)
        assert symcf.fast.attribute_batch(c, [x], method, **asked).tolist() == [[0.0] * len(c.features)]
    few = c.why(x, precision=0.9, **asked)
    assert (list(few), few.complete, few.at_target) == ([], True, True)
    assert str(few) == f"decided {wanted}, as wanted: there is no reason against it"
    other = c.why(x)  # why it is what it is
    assert not other.at_target
    assert other.sets


def test_wrong_options_are_still_named():
    c, x, wanted = two()
    with pytest.raises(symcf.OptionError, match="engine"):
        c.count(x, target=wanted, engine="none")
    with pytest.raises(symcf.OptionError):
        c.sample(x, -1, target=wanted)
    with pytest.raises(symcf.OptionError, match="the instance already is 'admitted'"):
        c.wcnf(x, target=wanted)


def test_letters_without_allow(tmp_path, capsys):
    credit = symcf.datasets.credit()
    c = symcf.compile(credit.model("logistic"))
    e = c.explain(credit.row("A011"), target="approved", immutable=credit.immutable)
    rest = [name for name in c.features if name not in credit.immutable]
    assert e.letter().html == e.letter(rest).html
    last = c.features[c.attribute(credit.row("A011")).ranked[-1]]
    others = [name for name in c.features if name != last]
    assert e.letter(protected=[last]).html == e.letter(others, protected=[last]).html
    c.save(tmp_path / "c.symcf")
    credit.data.to_csv(tmp_path / "rows.csv", index=False)
    place = int(np.flatnonzero(c.predict(credit.data) == "approved")[0]) + 1
    call = ["letter", f"{tmp_path}/c.symcf", f"{tmp_path}/rows.csv", "--target", "approved"]
    assert run([*call, "--row", str(place), "-o", f"{tmp_path}/no.html"]) == 0
    assert "no letter: the row is decided approved already, as wanted" in capsys.readouterr().err
    assert not (tmp_path / "no.html").exists()
    place = int(np.flatnonzero(c.predict(credit.data) == "declined")[0]) + 1
    assert run([*call, "--row", str(place), "-o", f"{tmp_path}/yes.html"]) == 0
    assert "declined" in (tmp_path / "yes.html").read_text()
