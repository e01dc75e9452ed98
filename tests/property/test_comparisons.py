"""Columns compared with numbers that the model does not compare them with, against all raw rows within reach."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast

Row = dict[str, Any]

#: Constraints as text, and what they mean.
CONSTRAINTS: list[tuple[str, Callable[[Row], bool]]] = [
    ("tenure >= 12", lambda r: r["tenure"] >= 12),
    ("tenure < 12", lambda r: r["tenure"] < 12),
    ("tenure != 7", lambda r: r["tenure"] != 7),
    ("tenure in {3, 7, 9}", lambda r: r["tenure"] in (3, 7, 9)),
    ("income > 2.25", lambda r: r["income"] > 2.25),
    ("income <= 3.125", lambda r: r["income"] <= 3.125),
    ("tenure >= 6 -> income >= 2.75", lambda r: r["tenure"] < 6 or r["income"] >= 2.75),
    ("not (tenure > 10 and income < 3)", lambda r: not (r["tenure"] > 10 and r["income"] < 3)),
    ("partner = True -> tenure >= 4", lambda r: r["partner"] == 0 or r["tenure"] >= 4),
    ("partner = 0 or income > 1.5", lambda r: r["partner"] == 0 or r["income"] > 1.5),
]

MODELS = {
    "tree": lambda: DecisionTreeClassifier(max_depth=4, random_state=0),
    "forest": lambda: RandomForestClassifier(5, max_depth=3, random_state=0),
    "boosted": lambda: HistGradientBoostingClassifier(max_iter=4, max_depth=2, min_samples_leaf=5),
    "bins": lambda: make_pipeline(
        KBinsDiscretizer(4, encode="onehot", strategy="uniform"), LogisticRegression(max_iter=500)
    ),
}


def table(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    random = np.random.default_rng(seed)
    data = pd.DataFrame(
        {
            "tenure": random.integers(0, 15, 120),
            "income": random.integers(0, 17, 120) / 4,
            "partner": random.integers(0, 2, 120),
        }
    )
    score = data["tenure"] / 5 + data["income"] + data["partner"] + random.normal(0, 0.6, 120)
    return data, np.where(score > 4, "granted", "refused")


def flipping_sets(estimator: Any, row: Row, rules: list[Callable[[Row], bool]]) -> list[tuple[int, ...]]:
    """Minimal sets of columns, by predicting every raw row. Sixteenths are fine enough for all numbers here."""
    lines = {"tenure": range(-1, 17), "income": np.arange(-8, 80) / 16, "partner": (0, 1)}
    rows = pd.DataFrame(itertools.product(*(sorted({*lines[name], row[name]}) for name in row)), columns=list(row))
    decided = estimator.predict(rows)
    own = estimator.predict(pd.DataFrame([row]))[0]
    found = set()
    for values, label in zip(rows.itertuples(index=False, name=None), decided, strict=True):
        new = dict(zip(row, values, strict=True))
        if label != own and all(rule(new) for rule in rules):
            found.add(frozenset(j for j, name in enumerate(row) if new[name] != row[name]))
    return sorted(tuple(sorted(s)) for s in found if not any(other < s for other in found))


@pytest.mark.parametrize("kind", MODELS)
def test_sets_are_those_of_all_raw_rows(kind: str) -> None:
    data, y = table(3)
    estimator = MODELS[kind]().fit(data, y)
    compiled = symcf.compile(estimator, data=data)
    random = np.random.default_rng(5)
    for i in range(12):
        chosen = [CONSTRAINTS[k] for k in random.choice(len(CONSTRAINTS), 1 + i % 3, replace=False)]
        texts = [text for text, _ in chosen]
        row = data.iloc[int(random.integers(len(data)))].to_dict()
        row = {"tenure": int(row["tenure"]), "income": float(row["income"]), "partner": int(row["partner"])}
        frame = pd.DataFrame([row])
        expected = flipping_sets(estimator, row, [rule for _, rule in chosen])
        explained = compiled.explain(frame, constraints=texts)
        assert sorted(explained.sets) == expected, (texts, row)
        for cf in explained:
            new = dict(zip(row, np.asarray(cf.row).ravel().tolist(), strict=True))
            assert estimator.predict(pd.DataFrame([new]))[0] != estimator.predict(frame)[0], (texts, row, new)
            assert all(rule(new) for _, rule in chosen), (texts, row, new)
            assert tuple(j for j, name in enumerate(row) if new[name] != row[name]) == cf.features
        assert bool(symcf.verify(compiled, frame, explained)), (texts, row)
        (batch,) = symcf.fast.explain_batch(compiled, frame, constraints=texts)
        assert batch.sets == explained.sets
        assert compiled.count(frame, constraints=texts) == len(expected)


def test_a_list_of_numbers_allows_these_numbers() -> None:
    """Not the values with these codes."""
    data, y = table(4)
    compiled = symcf.compile(DecisionTreeClassifier(max_depth=4, random_state=0).fit(data, y), data=data)
    row = pd.DataFrame([{"tenure": 1, "income": 1.0, "partner": 0}])
    for allowed in ([13], [3, 9, 13], [1.0, 9.0, 13.0], np.array([9, 13, 14])):
        found = compiled.explain(row, allowed={"tenure": allowed}, immutable=["income", "partner"])
        assert [cf.row["tenure"].iloc[0] for cf in found] == [
            min(
                n
                for n in allowed
                if n in (13, 14) or compiled.predict([[n, 1.0, 0]], codes=True)[0] != found.prediction
            )
        ]
        assert bool(symcf.verify(compiled, row, found))
        again = symcf.Explanation.from_dict(found.to_dict())
        assert str(again.constraints[0]) == str(found.constraints[0])
        assert again.sets == found.sets


def test_booleans_are_values_of_a_column_of_booleans() -> None:
    random = np.random.default_rng(0)
    data = pd.DataFrame({"partner": random.random(60) < 0.5, "debt": random.integers(0, 9, 60)})
    y = data["partner"] & (data["debt"] < 5)
    compiled = symcf.compile(DecisionTreeClassifier(random_state=0).fit(data, y), data=data)
    row = pd.DataFrame({"partner": [False], "debt": [2]})
    assert compiled.explain(row, allowed={"partner": [True]}).sets == [(0,)]
    assert compiled.explain(row, allowed={"partner": [False]}).sets == []
    assert compiled.explain(row, constraints=["partner = False"]).sets == []
    assert compiled.explain(row, constraints=["partner = True -> debt < 2"]).sets == [(0, 1)]


def test_a_cost_function_that_fails_is_named() -> None:
    data, y = table(4)
    compiled = symcf.compile(DecisionTreeClassifier(max_depth=3, random_state=0).fit(data, y), data=data)
    with pytest.raises(symcf.OptionError, match=r"cost.*'tenure'.*TypeError.*'distance'"):
        compiled.explain(data.iloc[[0]], cost={"tenure": lambda old, new: abs(new - old)})


def test_suggested_relations_are_accepted() -> None:
    random = np.random.default_rng(1)
    data = pd.DataFrame({"partner": random.random(200) < 0.5, "kids": random.integers(0, 4, 200)})
    data.loc[~data["partner"], "kids"] = 0
    data["job"] = random.integers(0, 9, 200)
    compiled = symcf.compile(
        DecisionTreeClassifier(random_state=0).fit(data, data["job"] + data["kids"] > 5), data=data
    )
    known = symcf.suggest_relations(data)
    assert any("kids" in rule and "partner" in rule for rule in known), known
    for rule in [*known, *symcf.suggest_relations(data, compiled)]:
        compiled.explain(data.iloc[[0]], constraints=[rule])


def test_numbers_in_questions_do_not_change_distances() -> None:
    """Two columns have to change; the nearest row is that of the model's own cut points."""
    data = pd.DataFrame({"a": [0, 1, 2, 3] * 5, "b": [True, False] * 10, "c": [0, 0, 0, 0, 5, 5, 5, 5, 9, 9] * 2})
    compiled = symcf.compile(DecisionTreeClassifier(random_state=0).fit(data, data["a"] > 1), data=data)
    row = {"a": 1, "b": True, "c": 5}
    (cf,) = compiled.explain(row, constraints=["b = False"])
    assert cf.row == {"a": 2, "b": False, "c": 5}
    (cf,) = compiled.explain(row, constraints=["b = False", "a <= c"])
    assert cf.row == {"a": 2, "b": False, "c": 5}
    # from (1, 5), the row (5, 1) is 8 away and (3, 4) is 3
    rule = "(c = 1 and a = 5) or (c = 4 and a = 3)"
    for rules in ([rule], [rule, "a != 9", "c != 0"]):
        (cf,) = compiled.explain(row, constraints=rules)
        assert cf.row == {"a": 3, "b": True, "c": 4}
        assert bool(symcf.verify(compiled, row, compiled.explain(row, constraints=rules)))


@pytest.mark.parametrize("classes", [2, 3])
def test_many_constraints_on_boosted_trees(classes: int) -> None:
    random = np.random.default_rng(0)
    data = pd.DataFrame(random.integers(0, 10, (300, 3)), columns=["a", "b", "c"])
    y = np.digitize(data.sum(axis=1) + random.normal(0, 2, 300), [13] if classes == 2 else [10, 16])
    estimator = HistGradientBoostingClassifier(max_iter=10, min_samples_leaf=5).fit(data, y)
    compiled = symcf.compile(estimator, data=data)
    texts = [f"{'abc'[i % 3]} != {i // 3 + 4}" for i in range(18)]
    rows = pd.DataFrame(itertools.product(range(-2, 13), repeat=3), columns=list(data))
    decided = estimator.predict(rows)
    for i in range(5):
        row = data.iloc[i].to_list()
        own = estimator.predict(data.iloc[[i]])[0]
        # numbers from 4 to 9 are ruled out
        found = {
            frozenset(j for j in range(3) if new[j] != row[j])
            for new, label in zip(rows.itertuples(index=False, name=None), decided, strict=True)
            if label != own and not any(4 <= number <= 9 for number in new)
        }
        expected = sorted(tuple(sorted(s)) for s in found if not any(other < s for other in found))
        explained = compiled.explain(row, constraints=texts)
        assert explained.engine == "boxes"
        assert sorted(explained.sets) == expected
