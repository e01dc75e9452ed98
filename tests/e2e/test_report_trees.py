"""Ensembles in the report: the page decides by the trees themselves, and finds all ways of up to three changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import browser
import numpy as np
import pandas as pd
import pytest
from browser import By
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier

import symcf
import symcf.report
from symcf.fast import explain_batch

REASON = browser.missing()
pytestmark = pytest.mark.skipif(REASON is not None, reason=f"no browser: {REASON}")

ASK = """
const [rows, target] = arguments;
const locked = symcf.data.features.map((_, j) => symcf.data.locked.includes(j));
return rows.map((x) => {
  const answer = symcf.engine.changes(x, { locked, target, limit: 1e6, steps: 1e9 });
  return {
    prediction: symcf.engine.predict(x), chances: symcf.engine.probabilities(x), complete: answer.complete,
    sets: answer.ways.map((w) => w.features), rows: answer.ways.map((w) => w.row),
    prices: answer.ways.map((w) => w.price),
    decisions: answer.ways.map((w) => w.decision),
  };
});
"""


def table(seed: int = 0) -> pd.DataFrame:
    """Numbers with and without gaps, and a category."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"x{j}": rng.integers(0, 9, size=300) for j in range(5)})
    frame["job"] = pd.Categorical(rng.choice(["baker", "clerk", "none"], size=300))
    frame.loc[::7, "x4"] = np.nan
    return frame


def two_classes() -> tuple[Any, pd.DataFrame, list[str], dict[str, Any]]:
    frame = table()
    paid = np.where(frame["x0"] + frame["x1"] * 2 + 5 * (frame["job"] == "baker") > frame["x2"] + 9, "yes", "no")
    return HistGradientBoostingClassifier(max_iter=25, max_leaf_nodes=6, random_state=0).fit(frame, paid), frame, [], {}


def three_classes() -> tuple[Any, pd.DataFrame, list[str], dict[str, Any]]:
    frame = table(1)[["x0", "x1", "x2", "x3"]]
    kind = pd.cut(frame["x0"] + frame["x1"] - frame["x2"], 3, labels=["a", "b", "c"]).astype(str)
    return GradientBoostingClassifier(n_estimators=8, max_depth=2, random_state=0).fit(frame, kind), frame, [], {}


def wanted_class() -> tuple[Any, pd.DataFrame, list[str], dict[str, Any]]:
    estimator, frame, _, _ = three_classes()
    return estimator, frame, [], {"target": "c"}


def forest() -> tuple[Any, pd.DataFrame, list[str], dict[str, Any]]:
    frame = table(2)[["x0", "x1", "x2", "x3"]]
    grade = (frame["x0"] * frame["x1"] > frame["x2"] + frame["x3"]).astype(int)
    return RandomForestClassifier(15, max_depth=4, random_state=0).fit(frame, grade), frame, ["x2"], {}


def costs() -> tuple[Any, pd.DataFrame, list[str], dict[str, Any]]:
    estimator, frame, _, _ = forest()
    return estimator, frame, [], {"cost": {"x0": 5, "x1": 2, "x2": 1, "x3": 1}, "allowed": {"x1": "increase"}}


@pytest.mark.parametrize("make", [two_classes, three_classes, wanted_class, forest, costs])
def test_answers_are_those_of_symcf(page: Any, tmp_path: Path, make: Any) -> None:
    """Sets, values, prices, decisions and probabilities; with rows as they are and rows of mixed values."""
    estimator, frame, immutable, options = make()
    options = {**options, "immutable": immutable}
    c = symcf.compile(estimator, data=frame)
    rows = frame.iloc[:15]
    symcf.report.write(tmp_path / "r.html", c, rows.iloc[:3], **options)
    driver = page(tmp_path / "r.html")
    assert driver.execute_script("return symcf.data.classifier.by_trees")
    codes = c.codes(rows)
    target = c.classes.index(options["target"]) if "target" in options else None
    answers = driver.execute_script(ASK, codes.tolist(), target)
    batch = explain_batch(c, rows, max_changes=3, **options)
    chances = c.probabilities(codes)
    found = 0
    for i, (e, answer) in enumerate(zip(batch, answers, strict=True)):
        assert answer["prediction"] == e.prediction
        assert answer["chances"] == pytest.approx(chances[i].tolist(), abs=1e-9)
        assert sorted(map(tuple, answer["sets"])) == sorted(e.sets)
        assert set(answer["decisions"]) <= (
            {target} if target is not None else set(range(len(c.classes))) - {e.prediction}
        )
        assert c.decision.predict(np.array(answer["rows"])).tolist() == answer["decisions"] if answer["rows"] else True
        prices = {tuple(features): price for features, price in zip(answer["sets"], answer["prices"], strict=True)}
        assert all(prices[cf.features] == cf.cost for cf in e)
        found += len(e.sets)
    assert found > 10


@pytest.mark.long
def test_a_forest_of_a_hundred_trees(page: Any, tmp_path: Path) -> None:
    """Every row of the page is decided as by scikit-learn; a suggestion that is tried flips the decision."""
    data = load_breast_cancer(as_frame=True)
    kind = np.where(data.target == 1, "benign", "malignant")
    model = RandomForestClassifier(100, random_state=0).fit(data.data, kind)
    c = symcf.compile(model, data=data.data)
    rows = data.data.iloc[[0, 40, 73]]
    symcf.report.write(tmp_path / "r.html", c, rows, max_changes=2)
    driver = page(tmp_path / "r.html")
    codes = c.codes(rows)
    answers = driver.execute_script(ASK, codes.tolist(), None)
    assert [c.classes[answer["prediction"]] for answer in answers] == model.predict(rows).tolist()
    for row, answer in zip(rows.to_dict("records"), answers, strict=True):
        assert sorted(map(tuple, answer["sets"])) == sorted(c.explain(row, max_changes=2).sets)
    first = next(i for i, answer in enumerate(answers) if any(len(features) == 1 for features in answer["sets"]))
    driver.execute_script("whatif.load(rows[arguments[0]])", first)
    before = driver.find_element(By.ID, "verdict").text
    driver.find_element(By.CSS_SELECTOR, "#ways button").click()
    after = driver.find_element(By.ID, "verdict").text
    assert ("benign" in before) != ("benign" in after)


def test_trees_that_are_too_many(page: Any, tmp_path: Path) -> None:
    estimator, frame, _, _ = forest()
    c = symcf.compile(estimator, data=frame)
    symcf.report.write(tmp_path / "r.html", c, frame.iloc[:3], max_nodes=100)
    text = page(tmp_path / "r.html").find_element(By.ID, "whatif-missing").text
    assert "Its trees have more than 100 nodes." in text
