"""Any classifier, by asking it: tables of every form, answers of every kind, and what cannot be answered."""

from __future__ import annotations

import importlib.util
import itertools
import math
import pickle
import time
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import from_predict_random
import numpy as np
import pandas as pd
import pytest
import reference
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_wine
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

import symcf
from symcf.cli.app import run
from symcf.search.change_sets import ChangeSets
from symcf.search.protocol import Answer
from symcf.search.query import QuerySearch


def people(n: int = 120) -> tuple[pd.DataFrame, np.ndarray]:
    """A table with a column of each sort, and labels."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "income": rng.normal(3000, 900, n).round(2),
            "job": rng.choice(["baker", "clerk", "cook"], n),
            "member": rng.random(n) < 0.5,
        }
    )
    return table, np.where(table.income / 50 + table.age + 12 * (table.job == "cook") > 110, "yes", "no")


def kernel_machine(table: pd.DataFrame, labels: np.ndarray) -> object:
    columns = make_column_transformer(
        (StandardScaler(), ["age", "income"]), (OneHotEncoder(), ["job"]), remainder="passthrough"
    )
    return make_pipeline(columns, SVC(C=10)).fit(table, labels)


def brute_force(predict, row, choices):
    """All minimal sets of columns, by the reference: ``choices`` has the values of each column to try."""
    rows = list(itertools.product(*([own, *some] for own, some in zip(row, choices, strict=True))))
    known = dict(zip(rows, predict(rows), strict=True))
    domains = [reference.Domain(tuple(some)) for some in choices]
    return reference.Question(domains, known.__getitem__, row).change_sets()


# --- against brute force ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2, 9))
def test_random_classifiers_are_answered_as_their_own_predict_says(seed):
    from_predict_random.check(seed, questions=1)


@pytest.mark.parametrize(
    "estimator",
    [
        SVC(kernel="rbf"),
        MLPClassifier((6,), solver="lbfgs", max_iter=2000, random_state=0),
        KNeighborsClassifier(3),
        GaussianProcessClassifier(random_state=0),
    ],
    ids=lambda e: type(e).__name__,
)
def test_estimators_that_cannot_be_read(estimator):
    X, y = load_wine(return_X_y=True)
    X, names = X[:, [0, 6, 9, 12]], np.array(["red", "white", "rosé"])
    pipeline = make_pipeline(StandardScaler(), estimator).fit(X, names[y])
    c = symcf.compile(symcf.from_predict(pipeline, X, max_values=5))
    row = X[60] + 0.01
    e = c.explain(row)
    assert (e.status, e.complete_up_to, e.engine) == ("complete", 4, "query")
    choices = [sorted({sorted(column)[round(i * (len(column) - 1) / 4)] for i in range(5)}) for column in X.T.tolist()]
    assert e.sets == brute_force(lambda rows: pipeline.predict(np.array(rows)).tolist(), row.tolist(), choices)
    assert [pipeline.predict([cf.row])[0] for cf in e] == [c.classes[cf.target] for cf in e]
    assert symcf.verify(c, row, e)
    with pytest.raises(symcf.ModelError, match=r"symcf\.compile\(symcf\.from_predict\(estimator, X\)\)"):
        symcf.compile(pipeline)


def test_a_row_keeps_its_own_numbers():
    """The decision that is asked about is that of the row itself, not of one with values of the list."""
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    c = symcf.compile(
        symcf.from_predict(lambda table: np.abs(table[:, 0] - 1.3) < 0.1, X, classes=[False, True], max_inputs=0)
    )
    assert c.predict([[1.3], [1.0]], codes=True).tolist() == [1, 0]
    e = c.explain([1.3])
    assert (e.prediction, e.sets, e[0].row) == (1, [(0,)], [1.0])
    assert c.explain([1.0]).sets == []  # 1.3 is none of the values that are tried
    batch = symcf.fast.explain_batch(c, [[1.3], [1.0], [1.3]])
    assert [list(e.sets) for e in batch] == [[(0,)], [], [(0,)]]  # nor is it because another row has it
    assert "No change to values that were tried would have made it True." in batch[1].sentences()


# --- tables -----------------------------------------------------------------------------------------------------------


def test_it_is_asked_with_tables_of_the_same_form():
    table, _labels = people()
    table = table.astype({"age": "int8", "income": "float32", "job": "category"})
    table["title"], table["score"] = (
        pd.Series(["Dr", None] * 60, dtype=object),
        pd.Series([1, None, 3] * 40, dtype="Int64"),
    )
    seen = []

    def decide(asked):
        seen.append(asked)
        return np.where(asked["income"] > 3000, "yes", "no")

    c = symcf.compile(symcf.from_predict(decide, table))
    x = table.iloc[[0]][["job", "score", "income", "age", "member", "title"]]
    e = c.explain(x, max_changes=1)
    assert e.sets == [(1,)]
    assert list(e[0].row.columns) == list(x.columns)
    assert (e[0].row.dtypes == x.dtypes).all()
    for asked in seen:
        assert list(asked.columns) == list(table.columns)
        assert asked.dtypes.tolist() == table.dtypes.tolist()
    assert symcf.verify(c, x, e)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint16", "bool", object, "<U3"])
def test_arrays_keep_their_dtype(dtype):
    data = (
        np.array([["0", "1"], ["1", "0"], ["1", "1"]])
        if dtype == "<U3"
        else np.array([[0, 1], [1, 0], [1, 1]], dtype=dtype)
    )
    seen = []

    def decide(asked):
        seen.append(asked.dtype)
        return [bool(a) if isinstance(a := row[0], (int, float)) else a == "1" for row in asked.tolist()]

    c = symcf.compile(symcf.from_predict(decide, data, classes=[True, False], max_inputs=0))
    e = c.explain(data[0])
    assert e.sets == [(0,)]
    assert set(seen) == {data.dtype}


def test_rows_of_other_dtypes_are_held_as_data_is_or_refused():
    data = np.array([[0.0, 1.0], [2.5, 0.0], [1.0, 1.0]])
    c = symcf.compile(symcf.from_predict(lambda t: t[:, 0] > 2, data, max_inputs=0))
    assert c.explain(np.array([1, 1])).sets == [(0,)]
    assert c.explain(np.array([1, 1]))[0].row.tolist() == [2.5, 1]
    with pytest.raises(symcf.InstanceError, match="fewer than 64 bits"):
        c.explain(np.array([1, 1], dtype=np.float32))
    short = symcf.compile(symcf.from_predict(lambda t: t[:, 0] > 2, data.astype(np.float32), max_inputs=0))
    assert short.explain({"x0": 0.25, "x1": 0.5}).sets == [(0,)]
    assert short.explain({"x0": 0.3, "x1": 0.5}).row == {"x0": 0.3, "x1": 0.5}
    assert short.explain({"x0": 0.3, "x1": 0.5}).to_frame().dtypes.tolist() == [np.float32, np.float32]


def test_missing_values_stay_and_are_not_suggested(monkeypatch):
    monkeypatch.setattr("symcf.search.query.BRIEFLY", 600.0)
    data = pd.DataFrame({"a": [1.0, math.nan, 3.0], "b": ["x", None, "y"]})
    c = symcf.compile(
        symcf.from_predict(
            lambda t: (t["a"].isna() | t["b"].isna()).to_numpy(), data, classes=[False, True], max_inputs=0
        )
    )
    assert c.explain({"a": math.nan, "b": "x"}).sets == [(0,)]
    assert c.explain({"a": math.nan, "b": None}).sets == [(0, 1)]
    assert c.explain({"a": 1.0, "b": "x"}).sets == []
    assert c.explain({"a": 1.0, "b": "x"}, allowed={"a": ["(missing)"]}).sets == [(0,)]
    assert [str(item) for item in c.explain({"a": 1.0, "b": "x"}).blocking] in (
        ["a must not become missing"],
        ["b must not become missing"],
    )


def test_few_rows_are_asked_once_and_then_everything_works():
    table, labels = people()
    few = table[["job", "member"]].assign(old=table.age > 50)
    model = KNeighborsClassifier(5)
    pipeline = make_pipeline(OneHotEncoder(), model).fit(few, labels)
    calls = []
    m = symcf.from_predict(lambda t: (calls.append(len(t)), pipeline.predict(t))[1], few, classes=["no", "yes"])
    assert isinstance(m, symcf.FunctionModel)
    before = len(calls)
    c = symcf.compile(m)
    assert c.predict(few).tolist() == pipeline.predict(few).tolist()
    x = few.iloc[0]
    assert c.why(x).complete
    assert symcf.check(c.explain(x).certificate())
    assert len(calls) == before
    assert symcf.equivalent(c, symcf.compile(symcf.model_from_json(m.to_json())))
    asked = symcf.compile(symcf.from_predict(pipeline, few, max_inputs=0))
    assert [list(e.sets) for e in symcf.fast.explain_batch(asked, few[:20])] == [
        list(c.explain(few.iloc[i]).sets) for i in range(20)
    ]


def test_many_numbers_are_tried_at_quantiles():
    data = np.array([[v] for v in (*range(100), 1000)], dtype=float)
    model = symcf.from_predict(lambda t: t[:, 0] > 5, data, max_values=5)
    assert model.values == ((0.0, 25.0, 50.0, 75.0, 1000.0),)
    assert model.ordered == (True,)
    assert symcf.from_predict(lambda t: t[:, 0] > 5, data, values={0: [7, 3]}).values == ((3.0, 7.0),)
    assert symcf.from_predict(lambda t: t[:, 0] > 5, data, max_values=200).values[0] == tuple(sorted(set(data[:, 0])))


# --- questions --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def loans():
    table, labels = people()
    estimator = kernel_machine(table, labels)
    return symcf.compile(symcf.from_predict(estimator, table, max_values=6)), table, estimator


def test_ranges_and_comparisons_take_any_number(loans):
    c, table, _ = loans
    x = table.iloc[1]
    for cf in c.explain(x, allowed={"age": [30, 60.5], "income": [None, 3333]}, select="all", max_changes=2):
        assert all(30 <= change.new <= 60.5 for change in cf.changes if change.name == "age")
        assert all(change.new <= 3333 for change in cf.changes if change.name == "income")
    bound = c.explain(x, constraints=["age >= 40.5"])
    assert bound
    assert all(cf.row["age"] >= 40.5 for cf in bound)


@pytest.mark.parametrize("ends", [[0, 4], (0, 4.0), np.array([0, 4]), [-0.5, 4.5], [None, 4]])
def test_two_numbers_are_a_range_also_where_both_are_tried(ends):
    """As for any other model; a set, or more numbers than two, lists values."""
    data = np.arange(6.0).reshape(-1, 1)
    c = symcf.compile(symcf.from_predict(lambda rows: np.abs(rows[:, 0] - 2) < 0.5, data))
    assert [cf.row for cf in c.explain([5.0], allowed={0: ends})] == [[2.0]]
    assert c.explain([5.0], allowed={0: {0, 4}}).sets == c.explain([5.0], allowed={0: [0, 1, 4]}).sets == []
    with pytest.raises(symcf.OptionError, match=r"a range is \[least, greatest\]"):
        c.explain([5.0], allowed={0: [4, 0]})


def test_distances_are_measured_in_the_real_numbers(loans):
    c, table, _ = loans
    x = table.iloc[1]
    e = c.explain(x, cost="distance", scale="range", data=table[["age", "income", "job", "member"]], k=2)
    spans = {name: table[name].max() - table[name].min() for name in ("age", "income")}
    for cf in e:
        assert cf.cost == pytest.approx(
            sum(
                abs(change.new - change.old) / spans[change.name] if change.name in spans else 1
                for change in cf.changes
            ),
            abs=1e-5,
        )
    assert [cf.cost for cf in e] == sorted(cf.cost for cf in e)
    assert symcf.verify(c, x, e)


def test_a_batch_is_its_rows(loans):
    c, table, estimator = loans
    batch = symcf.fast.explain_batch(c, table[:8], max_changes=2)
    for i in range(8):
        assert batch[i].sets == c.explain(table.iloc[i], max_changes=2).sets
    frame = batch.to_frame()
    rows = frame.index.get_level_values("row")
    assert len(frame)
    assert (estimator.predict(frame) != estimator.predict(table)[rows]).all()
    marked = symcf.fast.explain_batch(c, [{**table.iloc[0], "age": 30.5}, dict(table.iloc[0])], errors="mark")
    assert marked.status.tolist() == [3, 0]
    assert len(symcf.fast.explain_batch(c, table[:0])) == 0
    audit = symcf.audit(c, table[:10], groups="age", max_changes=1)
    assert audit.total.rows == 10
    assert "whether other values than those that are tried would help" in str(audit)
    assert set(audit.groups) == set(table.age[:10])


def test_copies_letters_and_pages(loans, tmp_path):
    c, table, _ = loans
    x = table.iloc[1]
    e = c.explain(x)
    assert pickle.loads(pickle.dumps(c)).explain(x).sets == e.sets
    assert e.diverse(1).count == 1
    assert e.groups()
    page = e.letter(["age", "income", "job"], reasons=["income"]).html
    assert "income" in page
    found = c.why(x)
    first = max(range(4), key=lambda j: sum(j in reason.features for reason in found))
    assert c.features[first] in e.letter(["age"]).html
    symcf.report.write(tmp_path / "page.html", c, table[:3])
    assert (tmp_path / "page.html").stat().st_size > 10_000


# --- limits -----------------------------------------------------------------------------------------------------------


def many_columns(decide=lambda t: t.sum(axis=1) > 17.5, n=20):
    return symcf.compile(
        symcf.from_predict(decide, np.array([[0.0] * n, [1.0] * n]), classes=[False, True], max_inputs=0)
    )


def test_complete_up_to_what_was_asked(monkeypatch):
    monkeypatch.setattr("symcf.search.query.BRIEFLY", 600.0)
    c = many_columns(lambda t: (t[:, :3].sum(axis=1) > 2.5) | (t.sum(axis=1) > 15.5))
    e = c.explain(np.zeros(20), max_changes=3)
    assert e.complete
    assert e.complete_up_to == 3
    assert e.sets == [(0, 1, 2)]
    none = c.explain(np.zeros(20), max_changes=2)
    assert none.complete
    assert none.complete_up_to == 2
    assert not none.sets
    assert [str(item) for item in none.blocking] == ["max_changes=2"]
    assert symcf.verify(c, np.zeros(20), e).complete is True


@pytest.mark.clock
def test_time_limits_hold_for_a_slow_predict():
    asked = []

    def slow(table):
        asked.append(len(table))
        time.sleep(0.0005 * len(table))
        return table.sum(axis=1) > 17.5

    c = many_columns(slow)
    asked.clear()
    e = c.explain(np.zeros(20), time_limit=0.4)
    assert e.status == "time_limit"
    assert not e.sets
    assert 0 <= e.complete_up_to < 18
    assert max(asked) <= 200  # a table of a twentieth of a second
    priced = c.explain(np.zeros(20), k=1, cost={"x0": {1.0: 2}}, time_limit=0.2)
    assert priced.status == "time_limit"
    with pytest.raises(symcf.LimitError, match="time limit reached"):
        c.count(np.zeros(20), time_limit=0.05)
    batch = symcf.fast.explain_batch(c, np.zeros((3, 20)), time_limit=0.2)
    assert (batch.status == 2).all()


class Service:
    """Decides as `many_columns` does, on a clock of its own: a call takes a latency and a time for each row."""

    def __init__(self, monkeypatch, latency: float, per_row: float) -> None:
        self.now, self.calls = 0.0, list[int]()
        self.latency, self.per_row = latency, per_row
        for module in ("symcf.common.clock", "symcf.search.query"):
            monkeypatch.setattr(f"{module}.time", SimpleNamespace(monotonic=lambda: self.now))

    def __call__(self, table: np.ndarray) -> np.ndarray:
        self.calls.append(len(table))
        self.now += self.latency + self.per_row * len(table)
        return table.sum(axis=1) > table.shape[1] - 2.5

    def explained(self, n: int, time_limit: float | None) -> symcf.Explanation:
        c = many_columns(self, n)
        self.now, self.calls = 0.0, []
        return c.explain(np.zeros(n), time_limit=time_limit, max_changes=n)


def test_a_time_limit_asks_a_distant_service_as_seldom_as_none_does(monkeypatch):
    service = Service(monkeypatch, 0.06, 0.0)
    assert service.explained(13, None).complete
    at_leisure = service.calls.copy()
    assert sum(at_leisure) >= 2**13 - 13 - 1  # all sets but the largest
    assert len(at_leisure) <= 8
    assert service.explained(13, 20.0).complete
    assert service.calls == at_leisure


@pytest.mark.parametrize("time_limit", [0.3, 3.0])
@pytest.mark.parametrize("per_row", [1e-4, 1e-3, 2e-2])
@pytest.mark.parametrize("latency", [0.0, 0.001, 0.06, 0.25])
def test_calls_are_late_by_a_latency_at_most_and_make_use_of_the_time(monkeypatch, latency, per_row, time_limit):
    service = Service(monkeypatch, latency, per_row)
    e = service.explained(20, time_limit)
    assert e.status == "time_limit"
    # the last call has two rows if there is no time for more, and the first two have one row and five
    assert service.now <= time_limit + latency + (2 if len(service.calls) > 2 else 5) * per_row + 1e-9
    assert service.now >= time_limit - 1e-9
    later = service.calls[6:-2]  # the first tables are small, and the last two have what there is time for
    assert len(later) * latency <= 1.1 * sum(later) * per_row


def test_costs_by_value_end_with_the_time_limit(monkeypatch):
    service = Service(monkeypatch, 0.07, 1e-4)
    c = many_columns(service, 20)
    service.now = 0.0
    assert c.explain(np.zeros(20), k=1, cost={"x0": {1.0: 2}}, time_limit=0.3).status == "time_limit"
    assert service.now <= 0.3 + 0.07 + 2e-4


def test_a_search_that_ends_a_little_before_its_time_is_up_is_not_complete(monkeypatch):
    """No call is begun that would end too late. That nothing was found by then once was "nothing helps"."""
    c = many_columns()
    monkeypatch.setattr(QuerySearch, "ranked", lambda *_: lambda k, clock: Answer(ChangeSets.of([]), "time", 0))
    e = c.explain(np.zeros(20), k=1, cost={"x0": {1.0: 2}}, time_limit=60)
    assert e.status == "time_limit"
    assert not e.complete


def test_a_service_that_becomes_slower_is_late_by_no_more_than_one_table(monkeypatch):
    service = Service(monkeypatch, 0.01, 1e-4)
    c = many_columns(service, 20)
    service.now, service.calls = 0.0, []
    decide, took = Service.__call__, []

    def slower(self, table):
        self.per_row = 1e-4 if self.now < 1 else 1e-2
        took.append(self.latency + self.per_row * len(table))
        return decide(self, table)

    monkeypatch.setattr(Service, "__call__", slower)
    assert c.explain(np.zeros(20), time_limit=8.0).status == "time_limit"
    assert service.now <= 8.05
    slow = [seconds for seconds in took if seconds > 0.5]
    assert len(slow) <= 2, slow  # the first one, and one before the change shows in the line through all tables


def test_the_cheapest_come_first_and_end_the_search():
    asked = []
    c = many_columns(lambda t: (asked.append(len(t)), t[:, 4] > 0.5)[1])
    asked.clear()
    e = c.explain(np.zeros(20), k=1, cost={4: 0.25})
    assert e.sets == [(4,)]
    assert sum(asked) < 200


# --- what is refused --------------------------------------------------------------------------------------------------

TABLE = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])


class Alternating:
    """Says something else every time."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, table):
        self.calls += 1
        return np.full(len(table), self.calls % 2)


def fails_at_one(table):
    if (table[:, 0] == 1).any():
        raise ZeroDivisionError("by nothing")
    return np.zeros(len(table))


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (lambda t: np.zeros(len(t) + 1), {"classes": [0, 1]}, r"returned shape \(5,\) for 4 rows"),
        (lambda t: 0, {"classes": [0, 1]}, r"returned shape \(\) for 4 rows"),
        (
            lambda t: np.eye(2)[[0] * len(t)],
            {"classes": [0, 1]},
            r"shape \(4, 2\): probabilities, or a column per class",
        ),
        (
            lambda t: ["c"] * len(t),
            {"classes": ["a", "b"]},
            r"returned 'c' for x0=0.0, x1=1.0, which is not one of the cl",
        ),
        (lambda t: t[:, 0] / 3 + 0.2, {}, r"numbers such as 0.2, which are no labels: .* threshold"),
        (lambda t: t[:, 0] / 3 + 0.2, {"classes": [0, 1]}, r"returned 0.2 for x0=0.0, .* not one of the classes"),
        (lambda t: np.zeros(len(t)), {}, r"all rows of data are decided \[0.0\]: name the labels with classes="),
        (lambda t: np.zeros(len(t)), {"classes": [0]}, r"needs at least two classes"),
        (fails_at_one, {"classes": [0, 1]}, r"predict failed for x0=1.0, x1=0.0: ZeroDivisionError: by nothing"),
        (Alternating(), {"classes": [0, 1]}, r"decided row 0 of data as .* and then as .*: it must give the same row"),
        (lambda t: t[:, 0] > t[:, 0].mean(), {}, r"row . of data as .* and then as .*, whatever other rows are in the"),
        (
            lambda t: pd.array([None] * len(t), dtype="boolean"),
            {},
            r"returned <NA> for x0=0.0, x1=1.0, which is no label",
        ),
        (lambda t: np.where(t[:, 0] > 0, 1, np.nan), {}, r"returned nan for x0=0.0, x1=1.0, which is no label"),
        (lambda t: [math.nan] * len(t), {"classes": [math.nan, 1]}, r"returned nan for .*, which is no label"),
        (lambda t: [[0], *([0, 1] for _ in t[1:])], {"classes": [0, 1]}, r"returned list, .* one label per row"),
        (lambda t: pd.Series([{0}] * len(t)), {}, r"returned \{0\} for x0=0.0, x1=1.0, which is no label"),
        (SVC, {}, r"a fitted estimator or a function, not the class SVC"),
        (SVC(), {"classes": [0, 1]}, r"predict failed for .*: NotFittedError"),
        ("SVC", {}, r"an estimator with predict, or a function, not str"),
        (lambda t: t[:, 0], {"values": {"x0": [None]}}, r"values\['x0'\]: None does not fit the column"),
        (lambda t: t[:, 0], {"values": {"x0": 3}}, r"values\['x0'\] must list values, not 3"),
        (lambda t: t[:, 0], {"values": [3]}, r"values must map columns"),
        (lambda t: t[:, 0], {"values": {"y": [3]}}, r"values: the classifier has no feature 'y'"),
        (lambda t: t[:, 0], {"max_values": 0}, r"max_values must be an integer of at least 1"),
    ],
)
def test_hostile_functions(function, options, message):
    with pytest.raises((symcf.ModelError, symcf.OptionError), match=message):
        symcf.from_predict(function, TABLE, **options)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (np.zeros((0, 2)), "data has no rows"),
        (np.zeros((2, 0)), "data has no columns"),
        (np.zeros(3), "this has 1 dimensions"),
        (
            pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}),
            "column 'a' holds datetime64.*: make numbers or text of it",
        ),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "some columns have the same name"),
        (pd.DataFrame([[1, 2]], columns=[3, "a"]), "must have names that are text, or 0 to 1"),
        (pd.DataFrame({"a": [math.nan]}), "column 'a' has no value"),
        (pd.DataFrame({"a": [2**60]}), r"whole ones below 2\*\*53"),
        (np.array([[math.inf]]), "numbers must be finite"),
        (pd.DataFrame({"a": [[1]]}), "not a single value"),
        ({"a": [1]}, "dimensions"),
    ],
)
def test_tables_that_cannot_be_read(data, message):
    with pytest.raises(symcf.ModelError, match=message):
        symcf.from_predict(lambda t: np.zeros(len(t)), data, classes=[0, 1])


def test_a_classifier_that_changes_its_mind_is_noticed():
    state = {"label": 0}
    c = symcf.compile(
        symcf.from_predict(lambda t: np.full(len(t), state["label"]), TABLE, classes=[0, 1], max_inputs=0)
    )
    assert not c.explain(TABLE[0]).sets
    calls = iter(range(1000))
    state_of = lambda t: np.full(len(t), int(next(calls) > 5))  # noqa: E731
    c = symcf.compile(symcf.from_predict(state_of, TABLE, classes=[0, 1], max_inputs=0))
    next(calls)
    with pytest.raises(symcf.ModelError, match="decided the row that is explained as not 1 and then as 1"):
        c.explain(TABLE[0])


def test_what_needs_all_rows_asks_about_all_of_them():
    """A black box of few rows answers as the function of all its rows does."""
    rng = np.random.default_rng(3)
    tried = np.array(list(product(range(4), range(3), range(3))), dtype=float)
    table = {
        tuple(row): ("a", "b", "c")[k] for row, k in zip(tried.tolist(), rng.integers(3, size=len(tried)), strict=True)
    }
    predict = lambda rows: [table[tuple(row)] for row in rows.tolist()]  # noqa: E731
    models = [symcf.from_predict(predict, tried, classes=["a", "b", "c"], max_inputs=most) for most in (0, 100)]
    asked, known = (symcf.compile(model, plausibility=tried[:20]) for model in models)
    assert asked.is_black_box
    assert not known.is_black_box
    questions = ({}, {"target": "b"}, {"constraints": ["x0 <= 1 or x1 >= 1"]}, {"immutable": ["x2"]})
    for x in tried[::5]:
        assert np.array_equal(asked.plausibility_of([x]), known.plausibility_of([x]))
        assert asked.attribute(x, "shapley").values.tolist() == known.attribute(x, "shapley").values.tolist()
        for keywords in questions:
            if keywords.get("target") == asked.predict([x])[0]:
                continue
            assert asked.why(x, **keywords).features == known.why(x, **keywords).features
            assert asked.count_why(x, **keywords) == known.count_why(x, **keywords)
            assert asked.attribute(x, **keywords).exact == known.attribute(x, **keywords).exact
            for more in ({"minimality": "moves"}, {"min_plausibility": 0.3}):
                both = [c.explain(x, **keywords, **more) for c in (asked, known)]
                assert sorted(map(str, both[0])) == sorted(map(str, both[1]))
            likely = [c.explain(x, select="likeliest", **keywords) for c in (asked, known)]
            assert [cf.plausibility for cf in likely[0]] == [cf.plausibility for cf in likely[1]]
            for engine in ("diagram", "sat"):
                assert asked.explain(x, engine=engine, **keywords).sets == asked.explain(x, **keywords).sets
    drawn = {cf.features for cf in asked.sample(tried[0], 50, 1)}
    assert drawn <= set(asked.explain(tried[0]).sets)
    assert asked.count_models(of="a") == known.count_models(of="a")
    assert symcf.equivalent(asked, known)


def test_reasons_and_moves_of_a_row_with_values_of_its_own():
    """A value that is not tried may be kept, and others are compared with it; plausible is what is near to it."""
    tried = np.array(list(product((0.0, 1.0, 2.0), repeat=3)))
    c = symcf.compile(
        symcf.from_predict(lambda rows: rows @ [1.0, 2.0, -1.0] > 2.2, tried, classes=[False, True], max_inputs=0),
        plausibility=tried,
    )
    for own in product((-0.5, 0.7, 1.5, 2.0), repeat=3):
        x = np.array(own)
        domains = [reference.Domain((*sorted({0.0, 1.0, 2.0, value}),), True, (0.0, 1.0, 2.0)) for value in own]
        wanted = reference.Question(domains, lambda row: row[0] + 2 * row[1] - row[2] > 2.2, own)
        assert sorted(c.explain(x).sets) == sorted(wanted.change_sets())
        assert sorted(reason.features for reason in c.why(x)) == sorted(wanted.reasons())
        moved = [tuple(cf.row) for cf in c.explain(x, minimality="moves")]
        assert sorted(moved) == sorted(row for _, row in wanted.moves())
        shares = [dict.fromkeys((0.0, 1.0, 2.0), Fraction(1, 3)) for _ in own]
        expected = reference.shapley(wanted.decide, own, shares, wanted.before)
        assert c.attribute(x, "shapley").values.tolist() == pytest.approx(list(map(float, expected)))
        below = [max((value for value in (0.0, 1.0, 2.0) if value <= one), default=0.0) for one in own]
        assert c.plausibility_of([x]) == c.plausibility_of([below])


def test_too_many_rows_are_a_limit():
    c = many_columns(n=40)
    for call in (lambda: c.why([0.0] * 40), lambda: c.cnf(), lambda: c.attribute([0.0] * 40, "shapley")):
        with pytest.raises(symcf.LimitError, match=r"all 1,099,511,627,776 combinations .* more than fit max_memory"):
            call()
    c = many_columns(n=22)
    assert c.why([0.0] * 22, time_limit=0.05).status == "time_limit"
    with pytest.raises(symcf.LimitError, match="time limit"):
        c.cnf(time_limit=0.05)


def test_what_is_not_accepted(loans, tmp_path):
    c, table, _ = loans
    x = table.iloc[0]
    with pytest.raises(symcf.ModelError, match="save the estimator itself"):
        c.save(tmp_path / "c.symcf")
    with pytest.raises(symcf.OptionError, match="certificate: there is none for a question"):
        c.explain(x).certificate()
    with pytest.raises(symcf.OptionError, match="engine 'query' is for black-box models"):
        symcf.compile(symcf.LinearClassifier([1, 1], -1)).explain([0, 0], engine="query")
    with pytest.raises(
        symcf.InstanceError, match=r"column 'age': 30.5 does not fit the column, which holds int64 in data"
    ):
        c.explain({**x, "age": 30.5})
    with pytest.raises(symcf.ModelError, match=r"predict failed for age=.*job='smith'.* unknown categories"):
        c.explain({**x, "job": "smith"})


# --- the command line -------------------------------------------------------------------------------------------------


def test_the_command_line_takes_a_pickled_one(loans, tmp_path, capsys):
    c, table, estimator = loans
    model, data = str(tmp_path / "loans.pkl"), str(tmp_path / "people.csv")
    with open(model, "wb") as file:
        pickle.dump(c.model, file)
    table[:4].to_csv(data, index=False)
    assert run(["predict", model, data, "--trust", "--format", "csv"]) == 0
    assert capsys.readouterr().out.split() == [
        "row,prediction",
        *(f"{i + 1},{label}" for i, label in enumerate(estimator.predict(table[:4]))),
    ]
    assert run(["count", model, data, "--trust", "--format", "csv"]) == 0
    counts = [line.split(",")[-1] for line in capsys.readouterr().out.split()[1:]]
    assert counts == [str(c.count(table.iloc[i])) for i in range(4)]
    assert run(["verify", model, data, "--trust", "--max-changes", "2"]) == 0
    capsys.readouterr()
    assert run(["explain", model, data, "--trust", "-k", "1"]) == 0
    assert str(c.explain(table.iloc[1], k=1)[0].changes[0]) in capsys.readouterr().out


def test_a_failure_of_a_whole_table_is_not_blamed_on_a_row():
    def decide(table):
        if len(table) > 2:
            raise MemoryError("too much")
        return table[:, 0]

    with pytest.raises(
        symcf.ModelError, match="failed for a table of 4 rows, though not for its rows one by one: MemoryE"
    ):
        symcf.from_predict(decide, TABLE, classes=[0, 1])


def test_a_function_given_to_compile_is_told_where_to_go():
    with pytest.raises(symcf.ModelError, match=r"not function\. .*symcf\.from_predict\(estimator, X\)"):
        symcf.compile(lambda table: table[:, 0])


def test_verify_notices_the_answers_of_another_classifier():
    """The one decides by two columns, the other by one more: sets are missing, not minimal, or do not flip."""
    two = many_columns(lambda t: t[:, :2].sum(axis=1) > 0.5)
    three = many_columns(lambda t: t[:, :3].sum(axis=1) > 0.5)
    both = many_columns(lambda t: t[:, :2].sum(axis=1) > 1.5)
    x = np.zeros(20)
    answers = {name: c.explain(x, max_changes=2) for name, c in (("two", two), ("three", three), ("both", both))}
    assert symcf.verify(three, x, answers["two"]).complete is False
    assert symcf.verify(two, x, answers["three"]).valid is False
    assert symcf.verify(two, x, answers["both"]).minimal is False
    assert all(symcf.verify(c, x, c.explain(x, max_changes=2)) for c in (two, three, both))


def test_steps_do_not_depend_on_other_rows_of_a_batch():
    data = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0] * 5, "b": [0, 1] * 10})
    c = symcf.compile(symcf.from_predict(lambda t: (t["a"] + t["b"] >= 2).to_numpy(), data, max_inputs=0))
    rows = pd.DataFrame({"a": [0.5, 0.6, 0.7, 1.5], "b": [0, 0, 0, 0]})
    cost = {"a": "ordinal", "b": 3}
    batch = symcf.fast.explain_batch(c, rows, cost=cost)
    for i, steps in enumerate([2, 2, 2, 1]):
        alone = c.explain(rows[i : i + 1], cost=cost)
        assert [cf.cost for cf in batch[i]] == [cf.cost for cf in alone]
        assert alone[0].cost == steps
        assert symcf.verify(c, rows[i : i + 1], batch[i])


def test_nothing_found_says_how_far_was_asked():
    def constant(table):
        return np.full(len(table), "no")

    data = np.random.default_rng(0).normal(size=(300, 3))
    c = symcf.compile(symcf.from_predict(constant, data, classes=["no", "yes"], max_inputs=0))
    e = c.explain(data[0], max_changes=1)
    assert (e.complete, e.count, e.blocking) == (True, 0, ())
    assert str(e).endswith("\n  that is: no change of up to 1 feature to values that were tried")
    assert "No change of up to 1 feature to values that were tried would have made it yes." in e.sentences()
    assert str(c.explain(data[0])).endswith("\n  that is: no change to values that were tried")


# --- forms of tables --------------------------------------------------------------------------------------------------


class Series(list):
    """A column of `Frame`."""

    def __array__(self, dtype=None, copy=None):
        return np.array(list(self), dtype=dtype)


class Frame:
    """What symcf uses of a DataFrame of polars, no more: it has no ``iloc``."""

    def __init__(self, columns, schema=None):
        if hasattr(columns, "to_pydict"):
            columns = columns.to_pydict()
        self._columns = {name: Series(column) for name, column in columns.items()}
        self.schema = schema or {name: type(column[0]) for name, column in self._columns.items()}

    @property
    def columns(self):
        return list(self._columns)

    def __getitem__(self, names):
        if isinstance(names, list):
            return Frame({name: self._columns[name] for name in names})
        return self._columns[names]

    def __len__(self):
        return len(next(iter(self._columns.values())))

    def to_numpy(self):
        return np.array(list(self._columns.values()), dtype=object).T

    def with_columns(self, *_):
        raise AssertionError("not needed")

    def __arrow_c_stream__(self, requested_schema=None):
        return pytest.importorskip("pyarrow").table(dict(self._columns)).__arrow_c_stream__(requested_schema)


def polars_frames():
    yield pytest.param(Frame, id="stand-in")
    if importlib.util.find_spec("polars") is not None:
        yield pytest.param(importlib.import_module("polars").DataFrame, id="polars")


@pytest.mark.parametrize("make", list(polars_frames()))
def test_a_frame_of_polars_is_data_and_a_row(make):
    rng = np.random.default_rng(1)
    columns = {"age": rng.integers(18, 70, 60).astype(float).tolist(), "job": rng.choice(["a", "b"], 60).tolist()}
    kinds = set()

    def predict(rows):
        kinds.add(type(rows))
        return [int((age > 40) == (job == "a")) for age, job in zip(rows["age"], rows["job"], strict=True)]

    c = symcf.compile(symcf.from_predict(predict, make(columns), max_inputs=0))
    assert kinds == {make}
    kinds.clear()
    same = symcf.compile(symcf.from_predict(predict, pd.DataFrame(columns), max_inputs=0))
    for i in range(0, 60, 13):
        row = {name: column[i] for name, column in columns.items()}
        one = make({name: [cell] for name, cell in row.items()})
        e = c.explain(one)
        assert e.sets == same.explain(row).sets != []
        for cf in e:
            assert type(cf.row) is make
            assert predict(cf.row)[0] != predict(one)[0]
    assert list(c.predict(make(columns), codes=True)) == predict(make(columns))


def test_columns_that_the_pipeline_drops_are_not_looked_at():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"age": rng.integers(18, 70, 60).astype(float), "rooms": rng.integers(1, 4, 60)})
    X["when"] = pd.Timestamp("2020-02-03") + pd.to_timedelta(np.arange(60), unit="D")
    X["what"] = [[i] for i in range(60)]
    steps = make_column_transformer((StandardScaler(), ["age"]), ("passthrough", ["rooms"]), remainder="drop")
    pipeline = make_pipeline(steps, KNeighborsClassifier(3)).fit(X, X["age"] + 9 * X["rooms"] > 60)
    c = symcf.compile(symcf.from_predict(pipeline, X, max_inputs=0))
    assert c.features == ("age", "rooms")
    pipeline = make_pipeline(steps, LogisticRegression()).fit(X, X["age"] + 9 * X["rooms"] > 60)
    for compiled in (c, symcf.compile(pipeline, data=X)):
        for row in (X.iloc[[7]], X.iloc[7], X.iloc[7].to_dict()):
            e = compiled.explain(row)
            assert len(e)
            for cf in e:
                new = cf.row if isinstance(cf.row, pd.DataFrame) else pd.DataFrame([dict(cf.row)])
                assert new["when"].item() == X["when"][7]
                assert new["what"].item() == [7]
    with pytest.raises(symcf.ModelError, match=r"column 'when' holds datetime64.* leave it out if the model does not"):
        symcf.from_predict(lambda rows: rows["age"] > 30, X[["age", "when"]])


def test_a_table_says_that_only_its_values_are_known():
    """A sum of 5 is enough. The data holds 0 and 1 only, so that no row of the table reaches it; others would."""
    data = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])

    def decide(rows):
        return (rows.sum(axis=1) >= 5).astype(int)

    model = symcf.from_predict(decide, data, classes=[0, 1])
    assert isinstance(model, symcf.FunctionModel)
    assert decide(np.array([[5, 1]])) == [1]
    e = symcf.compile(model).explain([0, 1])
    assert e.complete
    assert e.sentences()[1] == "No change to values that the classifier was compiled with would have made it 1."
    assert "that is: no change to values that the classifier was compiled with" in str(e)


def test_an_empty_answer_of_tried_values_mentions_the_constraints():
    """What would help without the constraints is searched for briefly only, so that no more may be claimed."""
    data = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    model = symcf.from_predict(lambda rows: rows.sum(axis=1) >= 5, data, classes=[False, True], max_inputs=0)
    e = symcf.compile(model).explain([0, 1], immutable=[0])
    assert "No change to values that were tried, under the given constraints, would have made it True." in e.sentences()
    assert str(e).endswith("that is: no change to values that were tried, under the given constraints")
