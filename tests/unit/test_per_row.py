"""Keywords that differ from row to row: each row of a batch is answered as `explain` answers it. More:
``python tests/drivers/per_row_random.py``.
"""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pandas as pd
import per_row_random
import pyarrow as pa
import pytest
from command_line import here
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast
from symcf.demo import admission
from symcf.question.per_row import from_cells

COLUMNS = ["income", "loan", "months"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", [0, 5, 10, 15])
def test_a_few_of_the_random_tables(first):
    tally = Counter()
    for seed in range(first, first + 3):  # of one estimator
        per_row_random.check(seed, tally)
    assert tally["questions"] == 18


@pytest.fixture(scope="module", params=["tree", "numbers", "labels"])
def asked(request):
    """A compiled model, and rows that are declined."""
    rng = np.random.default_rng(1)
    if request.param == "labels":
        weights = [[0, 1, 2, 3], [0, 2, 3, 5], [0, 1, 1, 2]]
        values = [[0, 1, 2, 3]] * 3
        c = symcf.compile(symcf.LinearClassifier(weights, -6, features=COLUMNS, values=values, classes=["no", "yes"]))
        table = rng.integers(0, 3, (8, 3))
        return c, table[np.array(c.predict(table)) == "no"]
    table = pd.DataFrame(rng.integers([10, 10, 0], [60, 100, 40], (200, 3)), columns=COLUMNS)
    label = np.where(2 * table.income - table.loan + table.months > 10, "yes", "no")
    model = DecisionTreeClassifier(max_depth=4, random_state=0) if request.param == "tree" else LogisticRegression()
    model.fit(table, label)
    return symcf.compile(model, data=table), table[model.predict(table) == "no"].iloc[:6]


def one(rows, i):
    return rows.iloc[[i]] if hasattr(rows, "iloc") else rows[i].tolist()


def same(batch, c, rows, each):
    """Is each row as `explain` answers it?"""
    for i, (e, keywords) in enumerate(zip(batch, each, strict=True)):
        single = c.explain(one(rows, i), **keywords)
        assert e.sets == single.sets
        assert [cf.instance.tolist() for cf in e] == [cf.instance.tolist() for cf in single]
        assert [float(cf.cost) for cf in e] == pytest.approx([float(cf.cost) for cf in single])
    assert batch.cost.tolist() == pytest.approx([float(cf.cost) for e in batch for cf in e])


def test_immutable_features_as_a_mask_or_lists(asked):
    c, rows = asked
    rng = np.random.default_rng(5)
    mask = rng.random((len(rows), 3)) < 0.4
    lists = [[name for name, stays in zip(COLUMNS, line, strict=True) if stays] for line in mask.tolist()]
    each = [{"immutable": names} for names in lists]
    for given in (mask, pd.DataFrame(mask, columns=COLUMNS), pd.DataFrame(mask, columns=COLUMNS)[COLUMNS[::-1]], lists,
                  pd.Series(lists)):  # fmt: skip
        same(symcf.fast.explain_batch(c, rows, immutable=given), c, rows, each)


def test_allowed_costs_and_limits(asked):
    c, rows = asked
    rng = np.random.default_rng(6)
    n = len(rows)
    allowed = [{"income": "increase"} if i % 2 else None for i in range(n)]
    cost = rng.integers(1, 9, (n, 3)).astype(float)
    most = [1 + i % 3 for i in range(n)]
    each = [
        {"allowed": some, "cost": dict(zip(COLUMNS, line, strict=True)), "max_changes": k}
        for some, line, k in zip(allowed, cost.tolist(), most, strict=True)
    ]
    batch = symcf.fast.explain_batch(c, rows, allowed=allowed, cost=cost, max_changes=most)
    same(batch, c, rows, each)
    same(batch[1:], c, rows[1:], each[1:])


def test_constraints_beside_them(asked):
    c, rows = asked
    rule = ["loan <= 2 * income + 3"]
    mask = np.zeros((len(rows), 3), dtype=bool)
    mask[::2, 0] = True
    each = [{"immutable": ["income"] if i % 2 == 0 else [], "constraints": rule} for i in range(len(rows))]
    same(symcf.fast.explain_batch(c, rows, immutable=mask, constraints=rule), c, rows, each)


def test_targets():
    weights = [[[0, 3, 1], [2, 0, 1]], [[1, 0, 3], [0, 2, 1]], [[2, 1, 0], [1, 1, 3]]]
    c = symcf.compile(symcf.LinearClassifier(weights, [0, 0, 0], classes=["a", "b", "c"]))
    rows = np.array([[0, 0], [1, 0], [2, 2], [0, 1]])
    now = list(c.predict(rows))
    targets = [next(k for k in "abc" if k != label) for label in now]
    batch = symcf.fast.explain_batch(c, rows, target=pd.Series(targets))
    for i, e in enumerate(batch):
        assert e.sets == c.explain(rows[i].tolist(), target=targets[i]).sets
    at = symcf.fast.explain_batch(c, rows, target=now)
    assert all(e.sets == [] for e in at)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"immutable": np.zeros((2, 3), dtype=bool)}, "2 entries, but there are"),
        ({"immutable": np.full((3, 3), 0.5)}, "truth values"),
        ({"immutable": np.zeros((3, 2), dtype=bool)}, "one column per feature"),
        ({"cost": pd.DataFrame({"incme": [1.0] * 3})}, "incme"),
        ({"allowed": [None]}, "1 entries, but there are"),
        ({"target": ["yes", "maybe", "yes"]}, "maybe"),
    ],
)
def test_mistakes_are_named(keywords, message):
    c = symcf.compile(symcf.LinearClassifier([[0, 1]] * 3, -2, features=COLUMNS, classes=["no", "yes"]))
    with pytest.raises((symcf.OptionError, ValueError), match=message):
        symcf.fast.explain_batch(c, [[0, 0, 0]] * 3, **keywords)


def test_distances_are_common_to_rows_that_differ_in_something_else():
    model = symcf.LinearClassifier([[0, 2, 4, 9], [0, 3, 6]], -5, values=[[0, 10, 20, 30], [1, 2, 3]], ordered=True)
    c = symcf.compile(model)
    asked = {"cost": "distance", "scale": {"x0": 5, "x1": 1}}
    batch = symcf.fast.explain_batch(c, [[0, 0], [0, 0]], immutable=[["x1"], []], **asked)
    assert [e.sets for e in batch] == [[(0,)], [(1,), (0,)]]
    assert [cf.cost for cf in batch[1]] == [2, 6]


def test_arrays_that_differ_in_the_last_digit_are_told_apart():
    """Equal keywords of rows are checked once; arrays that print alike need not be equal."""
    c = symcf.compile(symcf.AdditiveClassifier([symcf.NumberTerm(1, range=(0, 1000))], -500.5))
    ranges = [{"x0": np.array([0, most])} for most in (500.500000001, 500.499999999)]
    assert [e.sets for e in symcf.fast.explain_batch(c, [[1.0], [1.0]], allowed=ranges)] == [[(0,)], []]
    labels = list(range(3000))
    model = symcf.LinearClassifier([[2 * (v == 1500) for v in labels]], -1, values=[labels])
    lists = [{"x0": np.array(labels)}, {"x0": np.array([v for v in labels if v != 1500])}]
    batch = symcf.fast.explain_batch(symcf.compile(model), [[0], [0]], allowed=lists)
    assert [e.sets for e in batch] == [[(0,)], []]


# --- columns of tables ------------------------------------------------------------------------------------------------

ROWS = [[1, 0, 1, 0], [0, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]]
CELLS = {
    "want": ["admitted", None, "rejected", ""],
    "fix": ["work experience", "GPA, first application", None, '["entrance exam"]'],
    "most": [2, None, 2, 3],
    "ok": [None, '{"entrance exam": [1]}', "", None],
    "price": [None, '{"work experience": 5}', None, '{"GPA": 2.5}'],
}
BY_ROW = {"target": "want", "immutable": "fix", "max_changes": "most", "allowed": "ok", "cost": "price"}
WANTED = [
    {"target": "admitted", "immutable": ["work experience"], "max_changes": 2},
    {"immutable": ["GPA", "first application"], "allowed": {"entrance exam": [1]}, "cost": {"work experience": 5}},
    {"target": "rejected", "max_changes": 2},
    {"immutable": ["entrance exam"], "max_changes": 3, "cost": {"GPA": 2.5}},
]


def test_columns_of_arrow_tables():
    c = symcf.compile(admission())
    table = pa.table({name: [row[j] for row in ROWS] for j, name in enumerate(c.features)} | CELLS)
    (found,) = symcf.fast.explain_batches(c, [table], keep=list(CELLS), by_row=BY_ROW)
    sets = found.column("sets").to_pylist()
    assert sets == [[list(s) for s in c.explain(x, **wanted).sets] for x, wanted in zip(ROWS, WANTED, strict=True)]
    assert found.column("want").to_pylist() == CELLS["want"]


@pytest.mark.parametrize(
    ("by_row", "cells"),
    [
        ({"target": "want"}, {"want": ["admitted", "neither", None, None]}),
        ({"immutable": "want"}, {"want": ["GPA", "height", None, None]}),
        ({"allowed": "want"}, {"want": ["GPA", None, None, None]}),
        ({"allowed": "want"}, {"want": ["[1]", None, None, None]}),
        ({"max_changes": "want"}, {"want": ["1.5", None, None, None]}),
        ({"max_changes": "want"}, {"want": ["two", None, None, None]}),
        ({"k": "want"}, {"want": [1, 1, 1, 1]}),
        ({"target": "other"}, {"want": ["admitted"] * 4}),
    ],
)
def test_wrong_columns(by_row, cells):
    c = symcf.compile(admission())
    table = pa.table({name: [row[j] for row in ROWS] for j, name in enumerate(c.features)} | cells)
    with pytest.raises(symcf.OptionError):
        list(symcf.fast.explain_batches(c, [table], keep=["want"], by_row=by_row))


def test_a_keyword_is_given_once():
    with pytest.raises(symcf.OptionError, match="target"):
        list(
            symcf.fast.explain_batches(
                symcf.compile(admission()), [], keep=["want"], by_row={"target": "want"}, target="admitted"
            )
        )


def test_labels_that_are_numbers_or_truth_values():
    for classes, cell in (((1, 2), "2"), ((False, True), "True"), ((-1.5, 2.5), "2.5"), ((1, 2), 2)):
        assert from_cells("target", [cell], ["a"], classes) == [classes[1]]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_columns_on_the_command_line(tmp_path, form):
    c = symcf.compile(admission())
    model, data = tmp_path / "m.symcf", tmp_path / f"rows.{form}"
    c.save(model)
    frame = pd.DataFrame(ROWS, columns=c.features).assign(**CELLS)
    frame.to_csv(data, index=False) if form == "csv" else frame.to_json(data, orient="records", lines=True)
    options = [f"--{name.replace('_', '-')}-column={column}" for name, column in BY_ROW.items()]
    done = here("explain", model, data, *options, "--format", "json")
    assert done.returncode == 0, done.stderr
    for answer, x, wanted in zip(json.loads(done.stdout), ROWS, WANTED, strict=True):
        e = c.explain(x, **wanted)
        found = [tuple(change["feature"] for change in cf["changes"]) for cf in answer["counterfactuals"]]
        assert found == list(e.sets)
        assert [cf["cost"] for cf in answer["counterfactuals"]] == [cf.cost for cf in e]
    assert here("explain", model, data, "--target-column", "fix", "--extra").returncode == 2
    assert here("explain", model, data, "--target-column", "height", "--extra").returncode == 2
    assert here("explain", model, data, "--target-column", "want", "--target", "admitted", "--extra").returncode == 2
    changed = here("explain", model, data, *options, "--rows", "--format", "csv")
    assert changed.returncode == 0
    assert b"want,fix,most,ok,price" in changed.stdout
