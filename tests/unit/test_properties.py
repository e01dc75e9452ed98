"""Dependence, monotonicity, bias and robustness: what is known, by hand and against trying all rows."""

import itertools
import math
import re

import numpy as np
import pandas as pd
import properties_random
import pytest
from sklearn.tree import DecisionTreeClassifier

import symcf
from symcf.analysis.properties.falls import Window, row_within
from symcf.demo import admission

INCOMES, AGES = list(range(10)), list(range(8))


@pytest.fixture(scope="module")
def c():
    return symcf.compile(admission())


def test_random_models_agree_with_trying_all_rows():
    done, failures = properties_random.round_of(1, 10)
    assert not failures, failures[:3]
    assert done > 250


def test_a_planted_fault_is_noticed(monkeypatch):
    from symcf.analysis.properties import lasting

    right = lasting.last
    monkeypatch.setattr(lasting, "last", lambda *given: right(*given, any_number=True))
    _, failures = properties_random.round_of(1, 10, [properties_random.check_robustness])
    assert failures


# --- windows ----------------------------------------------------------------------------------------------------------


def test_windows_are_searched_completely():
    rng = np.random.default_rng(3)
    for _ in range(300):
        n = int(rng.integers(0, 5))
        tables = [[rng.integers(-9, 10, rng.integers(1, 4)) for _ in range(n)] for _ in range(2)]
        tables[1] = [rng.integers(-9, 10, len(table)) for table in tables[0]]
        ends = [sorted(rng.integers(-12, 13, 2).tolist()) for _ in range(2)]
        windows = [Window(table, *pair) for table, pair in zip(tables, ends, strict=True)]
        fitting = [
            row
            for row in itertools.product(*(range(len(table)) for table in tables[0]))
            if all(
                low <= sum(int(t[v]) for t, v in zip(table, row, strict=True)) <= high
                for table, (low, high) in zip(tables, ends, strict=True)
            )
        ]
        known, row = row_within(windows)
        assert known
        assert (tuple(row) in fitting) if fitting else row is None


def test_a_search_that_ends_early_says_so():
    tables = [np.array([0, 2**i * 3]) for i in range(30)]
    assert row_within([Window(tables, 10**6, 10**6)], branches=5) == (False, None)


def test_sums_that_no_row_window_settles_ask_the_diagram(monkeypatch, c):
    monkeypatch.setattr("symcf.analysis.properties.falls.row_within", lambda windows, clock: (False, None))
    assert c.depends_on("GPA")
    assert c.is_monotone("GPA", "increasing")
    assert not c.is_monotone("GPA", "decreasing")


def test_all_functions_of_three_features():
    for table in range(256):
        values = [table >> i & 1 for i in range(8)]
        d = symcf.Diagram.from_table(values)
        for j in range(3):
            pairs = [(values[i], values[i | 1 << j]) for i in range(8) if not i >> j & 1]
            assert d.depends_on(j) == any(a != b for a, b in pairs)
            assert d.is_monotone(j) == (all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs))


# --- names and labels -------------------------------------------------------------------------------------------------


def banded(labels=("declined", "approved")):
    """Approved for incomes in a band: not monotone."""
    tree = {
        "feature": "income", "at_most": 2.5, "yes": {"class": labels[0]},
        "no": {"feature": "income", "at_most": 6.5, "yes": {"class": labels[1]}, "no": {"class": labels[0]}},
    }  # fmt: skip
    return symcf.DecisionTree(tree, features=["income", "age"], values=[None, AGES], classes=list(labels))


@pytest.mark.parametrize("labels", [("declined", "approved"), (False, True), (1, 0), (7, 3)])
def test_a_counterexample_is_two_rows(labels):
    c = symcf.compile(banded(labels))
    found = c.is_monotone("income")
    assert not found
    assert not found.increasing
    assert not found.decreasing
    pair = found.counterexample
    assert (pair.decided, pair.other_decided) == (labels[1], labels[0])
    assert pair.row["income"] < pair.other["income"]
    assert pair.row["age"] == pair.other["age"]
    assert c.predict([pair.row, pair.other]).tolist() == [labels[1], labels[0]]
    assert bool(c.depends_on("income"))
    assert not c.depends_on("age")
    assert "not monotone in income" in str(found)


def test_a_feature_that_makes_no_difference_is_monotone_both_ways():
    found = symcf.compile(banded()).is_monotone("age")
    assert found.increasing
    assert found.decreasing
    assert found
    assert str(found) == "approved does not depend on age"


def test_errors_say_what_to_do(c):
    with pytest.raises(symcf.OptionError, match="no feature 'gpa'"):
        c.depends_on("gpa")
    with pytest.raises(symcf.OptionError, match="direction"):
        c.is_monotone("GPA", "up")
    with pytest.raises(symcf.OptionError, match="at least one feature"):
        c.bias([])
    with pytest.raises(symcf.OptionError, match="counts changes"):
        c.robustness([0, 0, 0, 0], cost={"GPA": 2})
    three = symcf.compile(symcf.from_function(lambda row: row[0], [3], classes=[0, 1, 2]))
    with pytest.raises(symcf.OptionError, match="of which one, of=0 for one"):
        three.is_monotone(0)
    assert three.is_monotone(0, of=2).increasing
    assert not three.is_monotone(0, of=1)
    one_hot = symcf.compile(
        symcf.DecisionTree(
            {"feature": "job", "in": ["a"], "yes": {"class": 0}, "no": {"class": 1}},
            features=["job"],
            values=[["a", "b"]],
            classes=[0, 1],
        )
    )
    if not one_hot.ordered[0]:
        with pytest.raises(symcf.OptionError, match="no order"):
            one_hot.is_monotone("job")


# --- constants, one feature, no rows ----------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, 1])
def test_a_constant_depends_on_nothing(value):
    c = symcf.compile(symcf.from_function(lambda row: value, [2, 3]))
    assert not c.depends_on(0)
    assert not c.depends_on(1)
    assert c.bias([0, 1]).possible == 0
    assert c.robustness([0, 0]).changes is None
    assert c.robustness([0, 0]).exact
    found = c.robustness_distribution()
    assert (found.counts, found.never, found.total) == ({}, 6, 6)
    assert found.least_robust is None
    assert "no change is enough" in str(found)
    assert "no change is enough" in found._repr_html_()


def test_no_rows(c):
    assert c.bias("GPA", data=[]).in_data == 0
    found = c.robustness_distribution([])
    assert (found.counts, found.total, found.mean) == ({}, 0, None)
    assert "0 rows" in str(found)


# --- forms of rows ----------------------------------------------------------------------------------------------------


def test_rows_in_any_form_give_the_same(c):
    rows = np.array(list(itertools.product((0, 1), repeat=4)), dtype=np.int8)
    frame = pd.DataFrame(rows, columns=list(c.features))
    forms = [
        rows, rows.astype(bool), rows.tolist(), frame, frame.iloc[:, ::-1], frame.astype("Int64"),
        frame.astype(object), frame.to_dict("records"), frame.to_dict("list"),
    ]  # fmt: skip
    distributions = {str(sorted(c.robustness_distribution(form).counts.items())) for form in forms}
    assert distributions == {"[(1, 12), (2, 4)]"}
    assert {tuple(c.bias("GPA", form).rows.tolist()) for form in forms} == {tuple(c.bias("GPA", rows).rows.tolist())}


def test_a_pair_of_the_data_is_the_users_row():
    frame = pd.DataFrame({"age": [3, 3], "income": [1, 5]})
    found = symcf.compile(banded()).bias("income", frame)
    assert found.rows.tolist() == [0, 1]
    assert found.pairs[0].row == {"age": 3, "income": 1}
    assert found.pairs[0].other["age"] == 3
    assert 3 <= found.pairs[0].other["income"] <= 6
    assert "income: 1 -> 3: declined -> approved, with age = 3" in str(found)
    assert list(found.to_pandas()["decided"][:2]) == ["declined", "approved"]
    assert "<li>" in found._repr_html_()


# --- numbers ----------------------------------------------------------------------------------------------------------


def gaussian(seed=0, classes=2):
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, 90)
    x = pd.DataFrame({"a": y + rng.normal(0, 1, 90), "b": rng.normal(0, 1 + y, 90), "c": rng.normal(0, 1, 90)})
    return symcf.compile(GaussianNB().fit(x, y), data=x), x


def test_numbers_are_told_by_rows_that_are_decided():
    c, x = gaussian()
    found = c.depends_on("a")
    assert found
    assert c.predict([found.pair.row, found.pair.other]).tolist() == [
        found.pair.decided, found.pair.other_decided,
    ]  # fmt: skip
    spread = c.is_monotone("b")  # a wider curve: both tails
    for pair in (spread.not_increasing, spread.not_decreasing):
        assert pair is not None
        assert pair.row["b"] < pair.other["b"]
        assert pair.row["a"] == pair.other["a"]
        assert c.predict([pair.row], codes=True)[0] != c.predict([pair.other], codes=True)[0]
    found = c.bias("b", x)
    assert found.possible is None
    assert found.limit == "columns hold numbers"
    assert all(c.predict([pair.row], codes=True)[0] != c.predict([pair.other], codes=True)[0] for pair in found.pairs)
    for call in (lambda: c.bias("b"), c.robustness_distribution):
        with pytest.raises(symcf.OptionError, match=r"columns of numbers have no end of possible rows.* give rows"):
            call()
    of_rows = c.robustness_distribution(x)
    assert sum(of_rows.counts.values()) + of_rows.never == len(x)
    assert "np." not in str(of_rows)
    by_number = symcf.audit(c, x[:9], groups="a")
    assert list(by_number.groups) == sorted(set(x["a"][:9]))


def test_a_classifier_that_is_asked_is_asked_about_the_rows():
    rng = np.random.default_rng(5)
    tried = rng.integers(0, 5, (40, 3)).astype(float)
    c = symcf.compile(symcf.from_predict(lambda t: t.sum(axis=1) > 6, tried, classes=[False, True], max_inputs=0))
    rows = tried[:8] + 0.25  # numbers that were not tried
    found = c.bias(0, rows)
    others = np.unique(tried[:, 0])
    expected = [
        i for i, row in enumerate(rows) if any((row[1:].sum() + v > 6) != (row.sum() > 6) for v in (*others, row[0]))
    ]
    assert found.rows.tolist() == expected
    assert (found.possible, found.limit) == (None, "the classifier is asked row by row")
    of_rows = c.robustness_distribution(rows)
    assert [c.robustness(row).changes for row in rows] == of_rows.changes.tolist()


def test_a_line_is_monotone():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(1)
    x = pd.DataFrame({"a": rng.normal(size=80), "b": rng.normal(size=80)})
    model = LogisticRegression().fit(x, (x["a"] - x["b"] > 0).astype(int))
    c = symcf.compile(model, data=x)
    assert c.is_monotone("a", "increasing")
    assert c.is_monotone("b", "decreasing")
    assert not c.is_monotone("a", "decreasing")
    assert c.robustness(x.iloc[[0]]).changes in (1, 2)


# --- large ensembles --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def forest():
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(0)
    x = pd.DataFrame(rng.integers(0, 9, (300, 5)), columns=list("abcde"))
    y = (x["a"] + x["b"] * x["c"] / 4 + rng.normal(0, 1, 300) > 8).astype(int)
    model = RandomForestClassifier(n_estimators=15, max_depth=5, random_state=0).fit(x[list("abcd")], y)
    return symcf.compile(model), x[list("abcd")], model


def test_large_ensembles_say_their_bound(forest):
    c, x, _ = forest
    found = c.robustness(x.iloc[[0]], max_changes=0)
    assert (found.changes, found.at_least, found.exact) == (None, 1, False)
    assert math.isinf(float(found))
    assert "more than 0 changes" in str(found)
    exact = c.robustness(x.iloc[[0]])
    assert exact.exact
    assert exact.changes == len(c.explain(x.iloc[[0]], k=1).sets[0])


def test_large_ensembles_are_asked_row_by_row(forest):
    c, x, model = forest
    found = c.bias("a", x.iloc[:40])
    right = [
        len(set(model.predict(pd.DataFrame([{**row, "a": v} for v in range(-1, 10)])))) > 1
        for row in x.iloc[:40].to_dict("records")
    ]
    assert found.possible is None
    assert "too many for a diagram" in found.limit
    assert found.rows.tolist() == np.flatnonzero(right).tolist()
    assert c.robustness_distribution(x.iloc[:20], max_changes=1).undecided >= 0


def test_large_ensembles_refuse_what_needs_a_diagram(forest):
    c, _, _ = forest
    with pytest.raises(symcf.LimitError):
        c.robustness_distribution(time_limit=0.0)
    with pytest.raises(symcf.LimitError):
        c.bias("a", time_limit=0.0)
    with pytest.raises(symcf.LimitError):
        c.is_monotone("a", time_limit=0.0)


def test_a_feature_that_no_tree_tests_needs_no_diagram():
    trees = [{"feature": 0, "at_most": i + 0.5, "yes": {"class": 0}, "no": {"class": 1}} for i in range(9)]
    c = symcf.compile(symcf.RandomForest(trees, features=["x", "y"], values=[None, AGES], classes=[0, 1]))
    assert not c.depends_on("y", time_limit=0.0)


# --- many rows --------------------------------------------------------------------------------------------------------


def test_robustness_of_many_rows_is_the_size_of_the_smallest_set():
    rng = np.random.default_rng(5)
    model = symcf.NaiveBayes.binary(0.4, rng.uniform(0.05, 0.95, 12), rng.uniform(0.05, 0.95, 12))
    c = symcf.compile(model)
    rows = rng.integers(0, 2, (3000, 12), dtype=np.uint8)
    found = c.robustness_distribution(rows, n_jobs=2)
    every = symcf.fast.explain_batch(c, rows)
    sizes = np.diff(every.set_offsets)
    smallest = [min(sizes[a:b], default=-1) for a, b in itertools.pairwise(every.row_offsets.tolist())]
    assert found.changes.tolist() == smallest
    assert sum(c.robustness_distribution().counts.values()) == 2**12
    assert found.share(12) == 1.0
    assert 0 < found.share(1) < 1
    assert found.to_pandas()["rows"].sum() == 3000


def test_a_class_that_no_row_has_counts_no_row():
    c = symcf.compile(symcf.from_function(lambda row: "a", 3, classes=["a", "b"]))
    assert (c.robustness_distribution(target="b").counts, c.robustness_distribution(target="b").never) == ({}, 8)
    assert c.robustness_distribution([[0, 0, 0]], target="b").counts == {}
    assert c.robustness_distribution(target="a").counts == {0: 8}


def test_missing_numbers_are_called_missing():
    X = pd.DataFrame({"a": [math.nan, math.nan, 1.0, 2.0] * 5, "b": [0.0, 1.0] * 10})
    c = symcf.compile(DecisionTreeClassifier(random_state=0).fit(X, X["a"].isna() & (X["b"] > 0)), data=X)
    assert "least robust: a = (missing), b = 0" in str(c.robustness_distribution(X[:2]))
    found = symcf.audit(c, X, protected=["b"])
    assert "with a = (missing)" in str(found)
    assert not re.search(r"\bnan\b", f"{found} {found._repr_html_()} {found.to_json()} {c.bias('b', X)}", re.IGNORECASE)
