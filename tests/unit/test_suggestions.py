"""Suggested relations beside brute force: every row obeys each of them, and no order is missing."""

from __future__ import annotations

import math
import random
import re

import numpy as np
import pandas as pd
import pytest

import symcf

TEST = re.compile(r"^(\w+) (=|!=|in|not in) (.+)$")


def is_missing(cell):
    return cell is None or cell is pd.NA or cell != cell


def obeys(text, row):
    """Whether a row obeys an implication or an order between columns with plain names."""
    if " -> " in text:
        condition, consequence = text.split(" -> ")
        return not obeys(condition, row) or obeys(consequence, row)
    if " <= " in text:
        a, b = (row[name] for name in text.split(" <= "))
        return is_missing(a) or is_missing(b) or a <= b
    name, sign, values = TEST.match(text).groups()
    inside = not is_missing(row[name]) and str(row[name]) in values.replace("'", "").strip("{}").split(", ")
    return inside == (sign in ("=", "in"))


def random_table(seed):
    rng = random.Random(seed)
    n = rng.choice([40, 120])
    base = [rng.randint(0, 5) for _ in range(n)]
    columns = {
        "a": [float(v) for v in base],
        "b": [v + rng.choice([0, 1, 3]) for v in base],
        "c": [rng.uniform(0, 9) for _ in base],
        "t": ["uvw"[v // 2] for v in base],
        "s": [rng.choice("xy") if v < 3 else "z" for v in base],
        "p": [v > 2 for v in base],
    }
    for name in rng.sample(["a", "c"], rng.randint(0, 2)):
        for i in rng.sample(range(n), 3):
            columns[name][i] = rng.choice([math.nan, math.nan, math.inf, -math.inf])
    for name in rng.sample(["t", "s", "p"], rng.randint(0, 3)):
        for i in rng.sample(range(n), n // 5):
            columns[name][i] = pd.NA
    frame = pd.DataFrame(columns)[rng.sample(list(columns), len(columns))]
    return frame.astype({"p": "boolean"})


@pytest.mark.parametrize("seed", range(12))
def test_no_row_breaks_a_suggestion_and_no_order_is_missing(seed):
    frame = random_table(seed)
    rows = frame.to_dict("records")
    found = symcf.suggest_relations(frame, min_support=0.1)
    assert found
    for s in found:
        if s.kind != "derived":
            assert all(obeys(str(s), row) for row in rows), s
    for s in found:
        if s.kind == "implication":
            condition = str(s).split(" -> ")[0]
            assert s.support == sum(obeys(condition, row) for row in rows), s

    orders = {}
    for low in "abc":
        for high in "abc":
            pairs = [(r[low], r[high]) for r in rows if not is_missing(r[low]) and not is_missing(r[high])]
            if low != high and all(x <= y for x, y in pairs):
                above = sum(x > y for x, _ in pairs for _, y in pairs) / len(pairs)
                if above >= 5:
                    orders[f"{low} <= {high}"] = (len(pairs), pytest.approx(above))
    assert {str(s): (s.support, s.surprise) for s in found if s.kind in ("order", "equal")} == orders


@pytest.mark.parametrize("far", [math.inf, -math.inf])
def test_infinite_numbers_break_an_order(far):
    low, high = list(map(float, range(50))), list(map(float, range(50)))
    assert symcf.suggest_relations({"low": low, "high": high})
    (low if far > 0 else high)[7] = far
    assert "low <= high" not in symcf.suggest_relations({"low": low, "high": high})


def test_truth_values_have_no_order():
    a = np.arange(200) % 20
    plain = symcf.suggest_relations(pd.DataFrame({"p": a > 10, "q": a > 5}))
    assert plain == ["p = True -> q = True", "q = False -> p = False"]
    for kind in (object, "boolean"):
        assert symcf.suggest_relations(pd.DataFrame({"p": a > 10, "q": a > 5}).astype(kind)) == plain


@pytest.mark.parametrize("form", ["arrow", "records", "mapping"])
def test_other_forms_of_tables(form):
    frame = pd.DataFrame({"low": range(50), "high": range(50), "odd": [i % 2 for i in range(50)]})
    if form == "arrow":
        rows = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    else:
        rows = frame.to_dict("records" if form == "records" else "list")
    assert symcf.suggest_relations(rows) == symcf.suggest_relations(frame)


def test_bad_tables_are_named():
    with pytest.raises(symcf.OptionError, match="the column 'a' appears twice"):
        symcf.suggest_relations(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(symcf.OptionError, match="column 'b' holds lists"):
        symcf.suggest_relations(pd.DataFrame({"a": [1], "b": [[2]]}))
    with pytest.raises(symcf.OptionError, match="model must be a compiled classifier or a model, not int"):
        symcf.suggest_relations({"a": [1]}, 5)
