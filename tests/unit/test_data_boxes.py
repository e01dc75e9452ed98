"""Where two classifiers differ most on a table: counts against predict of the estimators and conditions, row by row."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import symcf
from symcf.cli.app import run


def table(seed, n=240):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, n),
            "savings": np.where(rng.random(n) < 0.1, math.nan, rng.integers(0, 200, n) * 50.0),
            "job": rng.choice(["manager", "skilled", "unskilled", "none"], n),
            "member": rng.random(n) < 0.4,
        }
    )


def in_box(box, row):
    """One row of plain cells, by the parts of the conditions."""
    for name, condition in box.conditions.items():
        cell = row[name]
        if cell is None or cell != cell:
            inside = condition.missing
        elif condition.labels is not None:
            inside = (cell in list(condition.labels)) is not condition.negated
        else:
            inside = (condition.low is None or cell >= condition.low) and (
                condition.high is None or cell <= condition.high
            )
        if not inside:
            return False
    return True


def check(first, second, frame, a, b, purity):
    """``a`` and ``b`` are the labels that the estimators' own predict gives."""
    found = symcf.difference(first, second, data=frame, time_limit=0.5)
    assert found.data_rows.tolist() == [i for i in range(len(a)) if a[i] != b[i]]
    boxes, left = found.data_boxes(4, purity=purity)
    rows, covered = frame.to_dict("records"), set()
    assert [box.different for box in boxes] == sorted((box.different for box in boxes), reverse=True)
    for box in boxes:
        inside = [i for i, row in enumerate(rows) if in_box(box, row)]
        changed = [i for i in inside if (a[i], b[i]) == (box.first, box.second)]
        assert (box.rows, box.different, box.total) == (len(inside), len(changed), len(rows))
        assert box.different >= purity * box.rows
        assert box.holds({name: frame[name] for name in frame}).nonzero()[0].tolist() == inside
        assert f"{len(inside)} of {len(rows)} rows of the data" in str(box)
        covered |= set(changed)
    assert left == sum(x != y for x, y in zip(a, b, strict=True)) - len(covered)
    return boxes


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("purity", [0.5, 0.7, 1])
def test_counts_are_those_of_the_estimators(seed, purity):
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    frame = table(seed).assign(savings=lambda f: f["savings"].fillna(0))
    rng = np.random.default_rng(seed + 10)
    y = np.where(frame["age"] * 100 + frame["savings"] + rng.normal(0, 2000, len(frame)) > 9000, "good", "bad")

    def steps(number):
        return make_column_transformer((number, ["age", "savings"]), (OneHotEncoder(), ["job", "member"]))

    linear = make_pipeline(steps(StandardScaler()), LogisticRegression()).fit(frame[:120], y[:120])
    boosted = make_pipeline(
        steps("passthrough"), HistGradientBoostingClassifier(max_iter=4, max_depth=3, random_state=0)
    ).fit(frame[120:], y[120:])
    boxes = check(linear, boosted, frame, linear.predict(frame), boosted.predict(frame), purity)
    assert boxes


def planted(frame):
    return [
        "bad" if 25 <= row.age <= 40 and row.savings < 5000 else "good"
        for row in frame.itertuples()
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["frame", "rows", "columns"])
def test_a_planted_box_is_found(form):
    frame = table(5, 600)
    black = symcf.from_predict(lambda X: np.array(planted(pd.DataFrame(X))), frame)
    always = symcf.from_predict(lambda X: np.full(len(X), "good"), frame, classes=["bad", "good"])
    data = {"frame": frame, "rows": frame.to_dict("records"), "columns": {name: frame[name] for name in frame}}[form]
    found = symcf.difference(always, black, data=data)
    (box,), left = found.data_boxes()
    count = planted(frame).count("bad")
    assert left == 0
    assert (box.rows, box.different, box.first, box.second) == (count, count, "good", "bad")
    assert set(box.conditions) == {"age", "savings"}
    most = max(
        int(row.savings) for row, label in zip(frame.itertuples(), planted(frame), strict=True) if label == "bad"
    )
    assert str(box) == f"age 25 to 40 and savings {most} or less: {count} of 600 rows of the data, all from good to bad"
    assert f"\n  {box}\n" in str(found)
    told = found.to_dict()["data"]
    assert told["boxes"] == [box.to_dict()]
    assert told["not_in_boxes"] == 0
    assert json.loads(json.dumps(told)) == told


def test_ranked_by_the_data_and_not_by_the_space():
    ages = [1] * 5 + [2] * 50 + list(range(3, 60))
    frame = pd.DataFrame({"age": ages})
    black = symcf.from_predict(lambda X: np.array([0 if 3 <= x < 30 else 1 for x in X["age"]]), frame)
    other = symcf.from_predict(lambda X: np.array([0 if x == 2 else 1 for x in X["age"]]), frame)
    boxes, left = symcf.difference(black, other, data=frame).data_boxes(1)
    assert [str(box) for box in boxes] == ["age 2: 50 of 112 rows of the data, all from 1 to 0"]
    assert left == 27


@pytest.mark.parametrize(
    ("column", "inside", "text"),
    [
        (["a", "b", "c", "d"] * 5, lambda x: x in ("a", "b"), "a or b"),
        (["a", "b", "c", "d"] * 5, lambda x: x != "c", "not c"),
        ([True, False] * 10, lambda x: x, "yes"),
        ([1.0, math.nan, 3.0, 4.0] * 5, lambda x: x != x, "missing"),
        ([1.0, math.nan, 3.0, 4.0] * 5, lambda x: x == x, "not missing"),
        ([1.0, math.nan, 3.0, 4.0] * 5, lambda x: not x >= 3, "1 or missing"),
        (["a", None, "b", "c"] * 5, lambda x: x is not None and x != "a", "not a and not missing"),
        (["a", None, "b", "c"] * 5, lambda x: x != "a", "not a"),
        ([0.1, 0.25, 0.3, 12345.678] * 5, lambda x: x > 0.27, "0.3 or more"),
    ],
)
def test_words(column, inside, text):
    from symcf.analysis.compare.data_boxes import boxes_of
    from symcf.common.clock import NO_LIMIT

    array = np.array(column, dtype=object if isinstance(column[0], str) else None)
    changed = np.array([inside(cell) for cell in column])
    noise = np.arange(len(column)) * 7 % 5
    boxes, left = boxes_of({"it": array, "noise": noise}, {("x", "y"): changed}, 3, 1.0, NO_LIMIT)
    assert [{name: str(one) for name, one in box.conditions.items()} for box in boxes] == [{"it": text}]
    assert left == 0
    assert boxes[0].holds({"it": array}).tolist() == changed.tolist()


def test_more_rows_than_the_search_looks_at(monkeypatch):
    from symcf.analysis.compare import data_boxes

    monkeypatch.setattr(data_boxes, "SEARCHED", 50)
    frame = table(7, 600)
    black = symcf.from_predict(lambda X: np.array(planted(pd.DataFrame(X))), frame)
    always = symcf.from_predict(lambda X: np.full(len(X), "good"), frame, classes=["bad", "good"])
    boxes = check(always, black, frame, ["good"] * 600, planted(frame), 0.5)
    assert boxes[0].different > 0.8 * planted(frame).count("bad")


def test_errors_and_limits():
    frame = table(1)
    black = symcf.from_predict(lambda X: np.array(planted(pd.DataFrame(X))), frame)
    always = symcf.from_predict(lambda X: np.full(len(X), "good"), frame, classes=["bad", "good"])
    found = symcf.difference(always, black, data=frame)
    for wrong in (0, 1.5, True, "all"):
        with pytest.raises(symcf.OptionError, match="purity must be a share"):
            found.data_boxes(purity=wrong)
    with pytest.raises(symcf.LimitError, match="while describing the rows"):
        found.data_boxes(time_limit=0)
    assert "time limit reached" in found.to_dict(time_limit=0)["data"]["limit"]
    assert "time limit reached" in found.text(time_limit=0)
    alike = symcf.difference(always, always, data=frame)
    assert alike.data_boxes() == ([], 0)


def test_on_the_command_line(tmp_path, capsys):
    credit = symcf.datasets.credit()
    first, second = (symcf.compile(credit.model(kind)) for kind in ("scorecard", "tree"))
    for name, one in (("v1", first), ("v2", second)):
        one.save(tmp_path / f"{name}.symcf")
    credit.data.assign(other=1).to_csv(tmp_path / "rows.csv", index=False)
    call = ["diff", f"{tmp_path}/v1.symcf", f"{tmp_path}/v2.symcf", "--data", f"{tmp_path}/rows.csv", "--boxes", "2"]
    assert run([*call, "-f", "json"]) == 1
    told = json.loads(capsys.readouterr().out)["data"]
    boxes, left = symcf.difference(first, second, data=credit.data).data_boxes(2)
    assert told["boxes"] == [box.to_dict() for box in boxes]
    assert told["not_in_boxes"] == left
    assert run(call) == 1
    assert capsys.readouterr().out.splitlines()[2:4] == [f"  {box}" for box in boxes]
