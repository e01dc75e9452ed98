"""Batches: every row as `explain` has it, whatever the form of the input and the number of threads."""

import json
import math
import pickle
import random
import threading

import cases
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from batches import ENGINES, THREADS, columns, named_weather, random_classifier, random_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import WRITTEN

import symcf
from symcf.batch import STATUS
from symcf.demo import admission
from symcf.fast import explain_batch
from symcf.search.plan import Plan


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def c():
    return symcf.compile(admission())


@pytest.fixture(scope="module")
def weather():
    return named_weather()


# --- a batch is its rows ----------------------------------------------------------------------------------------------


@st.composite
def classifiers(draw, widths, n_values):
    """Two-class models with many equal weights, or with none."""
    n = draw(widths)
    coarse = draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    sizes = [draw(n_values) if n < 12 else 2 for _ in range(n)]
    if coarse and set(sizes) <= {2}:
        p1, p0 = rng.choice(WRITTEN, (2, n))
        return symcf.NaiveBayes.binary(prior=draw(st.sampled_from(WRITTEN)), p1=p1, p0=p0)
    weights = [rng.integers(1, 4 if coarse else 1000, (2, d)) for d in sizes]
    return symcf.NaiveBayes([0.5, 0.5], [w / w.sum(axis=1, keepdims=True) for w in weights])


@st.composite
def tables(draw, model):
    """Some different rows, each perhaps several times, in any order."""
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    count = draw(st.integers(1, 12))
    different = rng.integers([len(v) for v in model.values], size=(count, len(model.values)), dtype=np.uint8)
    m = draw(st.sampled_from([0, 1, 2, 5, 12, 63, 64, 65, 130, 200]))
    return different[:m] if draw(st.booleans()) else different[rng.integers(len(different), size=m)]


@st.composite
def options(draw, model, wide):
    """Keywords of `explain`, any of them."""
    n = len(model.values)
    features = st.integers(0, n - 1) if n else st.nothing()
    some = st.sets(features, max_size=2) if n else st.just(set())
    what = st.sampled_from(["increase", "decrease", (0,), ()])
    count = st.none() | st.integers(1, 6)
    return {
        "target": draw(st.sampled_from([None, None, 0, 1])),
        "immutable": draw(some),
        "allowed": draw(st.none() | st.dictionaries(features, what, max_size=3)) if n > 1 else None,
        "cost": draw(st.none() | st.lists(st.sampled_from([0.1, 0.2, 0.3, 1, 2.5]), min_size=n, max_size=n)),
        "max_changes": 2 if wide else draw(st.none() | st.integers(0, n)),
        "k": draw(count),
        "max_results": draw(count),
    }


def check_rows(c, rows, engine, sort, n_jobs, keywords):
    # Which sets a solver finds first depends on what it was asked before; how many does not.
    some = engine.startswith("sat") and keywords.get("k") is None and keywords.get("max_results") is not None
    batch = explain_batch(c, rows, engine=engine, sort=sort, n_jobs=n_jobs, **keywords)
    assert len(batch) == len(rows)
    known = {}
    for i, row in enumerate(rows):
        key = row.tobytes()
        if key not in known:
            known[key] = c.explain(row, engine=engine, **keywords)
        wanted = known[key]
        status, got = STATUS[batch.status[i]], batch.sets(i)
        if wanted.at_target:
            assert (status, got) == ("at_target", [])
            assert batch[i] == wanted
            continue
        assert (status, len(got), batch.prediction[i]) == (wanted.status, wanted.count, wanted.prediction)
        if some:
            assert set(got) <= set(c.explain(row, **{**keywords, "max_results": None}).sets)
            continue
        assert sorted(got) == sorted(wanted.sets)
        assert not sort or got == wanted.sets
        if list(known).index(key) == len(known) - 1:  # objects are slow: one for each different row
            assert batch[i] == wanted


@given(data=st.data())
def test_a_batch_is_what_explain_says_of_its_rows(engine, data):
    sat = engine.startswith("sat")
    model = data.draw(classifiers(st.integers(0, 10), st.just(2) if sat else st.integers(1, 4)))
    rows, keywords = data.draw(tables(model)), data.draw(options(model, wide=False))
    check_rows(symcf.compile(model), rows, engine, data.draw(st.booleans()), data.draw(st.integers(1, 3)), keywords)


@pytest.mark.parametrize("n", [57, 58, 63, 64, 65, 70])
@settings(max_examples=10)
@given(data=st.data())
def test_so_it_is_where_masks_and_sort_keys_end(n, data):
    model = data.draw(classifiers(st.just(n), st.just(2)))
    rows, keywords = data.draw(tables(model)), data.draw(options(model, wide=True))
    check_rows(symcf.compile(model), rows, "cover", data.draw(st.booleans()), data.draw(st.integers(1, 3)), keywords)


def test_any_boolean_function_has_batches():
    table = np.random.default_rng(4).random(2**6) < 0.5
    c = symcf.compile(symcf.Diagram.from_table(table.tolist()))
    check_rows(c, random_rows(100, 6), "auto", True, 2, {})
    with pytest.raises(symcf.OptionError, match="adds up weights"):
        explain_batch(c, random_rows(3, 6), engine="cover")


def test_many_sets_a_row_are_sorted_and_complete():
    """More than the few that are sorted one by one, and than the many that are listed in a step."""
    n = 22
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=[0.6] * n, p0=[0.4] * n, tie="negative"))
    row = np.zeros((1, n), dtype=np.uint8)
    batch = explain_batch(c, row, max_memory=1 << 30)
    assert batch.n_sets == math.comb(n, n // 2 + 1) > 600_000
    sets = batch.features.reshape(batch.n_sets, n // 2 + 1)
    assert (np.diff(batch.set_offsets) == n // 2 + 1).all()
    differing = (np.diff(sets, axis=0) != 0).argmax(axis=1)
    assert (np.take_along_axis(np.diff(sets, axis=0), differing[:, None], axis=1) > 0).all(), "rising"
    assert (np.diff(sets, axis=1) > 0).all(), "ascending"


# --- what goes in -----------------------------------------------------------------------------------------------------


class Stream:
    """As much of a table as any library that speaks Arrow has, polars for one."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def arrow_table(rows, names):
    return pa.table({name: rows[:, j] for j, name in enumerate(names)})


INTEGERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i4"]
FORMS = {
    **{dtype: lambda rows, _, dtype=dtype: rows.astype(dtype) for dtype in INTEGERS},
    "Fortran order": lambda rows, _: np.asfortranarray(rows),
    "every other row": lambda rows, _: np.repeat(rows, 2, axis=0)[::2],
    "read-only": lambda rows, _: np.frombuffer(rows.tobytes(), dtype=np.uint8).reshape(rows.shape),
    "float": lambda rows, _: rows.astype(float),
    "object": lambda rows, _: rows.astype(object),
    "lists": lambda rows, _: rows.tolist(),
    "tuples": lambda rows, _: tuple(map(tuple, rows.tolist())),
    "DataFrame": lambda rows, names: pd.DataFrame(rows, columns=names),
    "DataFrame of bools": lambda rows, names: pd.DataFrame(rows.astype(bool), columns=names),
    "DataFrame of mixed types": lambda rows, names: pd.DataFrame(rows, columns=names).astype({names[0]: bool}),
    "DataFrame, reordered": lambda rows, names: pd.DataFrame(rows, columns=names)[names[::-1]],
    "DataFrame without names": lambda rows, _: pd.DataFrame(rows),
    "DataFrame with an index": lambda rows, names: pd.DataFrame(rows, columns=names, index=range(len(rows), 0, -1)),
    "Table": lambda rows, names: arrow_table(rows, names),
    "Table, reordered": lambda rows, names: arrow_table(rows, names).select(names[::-1]),
    "Table in chunks": lambda rows, names: pa.concat_tables(arrow_table(part, names) for part in (rows[:9], rows[9:])),
    "Table of bools": lambda rows, names: arrow_table(rows.astype(bool), names),
    "RecordBatch": lambda rows, names: arrow_table(rows, names).to_batches()[0],
    "RecordBatchReader": lambda rows, names: arrow_table(rows, names).to_reader(max_chunksize=7),
    "Arrow stream": lambda rows, names: Stream(arrow_table(rows, names)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_rows_means_the_same(c, form):
    rows = random_rows(100, 4)
    batch = explain_batch(c, FORMS[form](rows, list(c.features)), n_jobs=2)
    assert batch == explain_batch(c, rows)
    assert [e.sets for e in batch[:20]] == [c.explain(x).sets for x in rows[:20]]


def test_a_fitting_array_is_not_copied(c):
    rows = random_rows(10, 4)
    assert explain_batch(c, rows).rows is rows


@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (64, 4), (0, 0), (1, 0), (65, 0)])
def test_small_and_empty_tables(c, engine, shape):
    if not shape[1]:
        c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[], p0=[]))
    batch = explain_batch(c, np.zeros(shape, dtype=np.int8), engine=engine, n_jobs=3)
    assert len(batch) == len(list(batch)) == shape[0]
    assert batch.row_offsets.tolist()[0] == batch.set_offsets.tolist()[0] == 0
    assert batch.summary().rows == shape[0]
    assert batch.n_sets == (shape[0] * c.explain([0] * 4).count if shape[1] else 0)
    assert len(batch.cost) == batch.n_sets
    assert len(batch.to_pandas()) == len(batch.features)
    assert batch[:] == pickle.loads(pickle.dumps(batch)) == batch


def test_more_rows_than_can_be_numbered_are_refused():
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[], p0=[]))
    with pytest.raises(NotImplementedError):
        explain_batch(c, np.empty((2**32 - 1, 0), dtype=np.uint8))


# --- threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("keywords", [{}, {"k": 5}, {"cost": range(1, 17)}, {"max_results": 7}])
@pytest.mark.parametrize("repeated", [True, False])
@pytest.mark.parametrize("engine", ["cover", "diagram"])
def test_the_columns_are_the_same_for_any_number_of_threads(engine, repeated, keywords, sort):
    c, rows = random_classifier(16), random_rows(1000, 16)
    if repeated:
        rows = rows[np.random.default_rng(5).integers(0, 200, 1000)]
    answers = [explain_batch(c, rows, engine=engine, sort=sort, n_jobs=n, **keywords) for n in THREADS]
    for answer in answers[1:]:
        assert columns(answer) == columns(answers[0])
    if sort:
        other = {"cover": "diagram", "diagram": "cover"}[engine]
        assert "max_results" in keywords or columns(explain_batch(c, rows, engine=other, **keywords)) == columns(
            answers[0]
        )


@pytest.mark.parametrize("n_jobs", [-1, 1000, np.int32(2)])
def test_any_number_of_threads_will_do(c, n_jobs):
    rows = random_rows(100, 4)
    assert explain_batch(c, rows, n_jobs=n_jobs) == explain_batch(c, rows)


def test_equal_rows_of_a_sat_engine_are_solved_once(c, monkeypatch):
    calls = []
    answer = Plan.answer
    monkeypatch.setattr(Plan, "answer", lambda *arguments: calls.append(1) or answer(*arguments))
    rows = np.repeat(random_rows(3, 4, seed=3), 40, axis=0)
    batch = explain_batch(c, rows, engine="sat-portable")
    assert len(calls) == len(np.unique(rows, axis=0)) <= 3
    assert batch == explain_batch(c, rows)


def test_a_hundred_thousand_equal_rows(c):
    """In C, tests/core/test_batch.c counts that they are solved once."""
    batch = explain_batch(c, np.tile(np.array([[0, 0, 1, 0]], dtype=np.int8), (100_000, 1)), n_jobs=2)
    assert batch.n_sets == 200_000
    assert (batch.features.reshape(-1, 3) == [1, 0, 3]).all()
    assert (np.diff(batch.set_offsets).reshape(-1, 2) == [1, 2]).all()


def test_a_batch_may_be_asked_for_by_another_thread(c):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(explain_batch(c, random_rows(500, 4), n_jobs=2)))
    thread.start()
    thread.join()
    assert answers == [explain_batch(c, random_rows(500, 4))]


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_jobs", THREADS)
@pytest.mark.parametrize("bad", [(0,), (499,), (70, 71, 300), (128, 450, 499), (250, 250)])
@pytest.mark.parametrize("repeated", [True, False])
def test_the_first_bad_row_is_named(c, bad, n_jobs, repeated):
    rows = random_rows(500, 4).astype(np.int64) if repeated else np.zeros((500, 4), dtype=np.int64)
    for i, row in enumerate(bad):
        rows[row, 3 - i] = 2 + i
    with pytest.raises(
        symcf.InstanceError, match=f"^row {bad[0]}, column '.*': . is not a value code between 0 and 1$"
    ):
        explain_batch(c, rows, n_jobs=n_jobs)
    with pytest.raises(symcf.InstanceError) as caught:
        explain_batch(c, rows, n_jobs=n_jobs)
    assert caught.value.row == bad[0]
    assert caught.value.feature == (3 if bad != (250, 250) else 2)


def test_a_sat_engine_names_the_bad_row_as_well(c, engine):
    with pytest.raises(
        symcf.InstanceError, match=r"^row 1, column 'GPA': -7 is not a value code between 0 and 1$"
    ) as caught:
        explain_batch(c, [[0, 0, 1, 0], [0, 0, -7, 0], [9, 9, 9, 9]], engine=engine)
    assert (caught.value.row, caught.value.feature, caught.value.value) == (1, 2, -7)


BAD_VALUES = [2, 200, -1, -(2**63), 2**63 - 1, float("nan"), float("inf"), 0.5, None, "yes", pd.NA, 1e300]


@pytest.mark.parametrize("value", BAD_VALUES, ids=repr)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_bad_rows_are_marked_and_others_unaffected(c, engine, value, n_jobs):
    rows = random_rows(200, 4).astype(object)
    good = explain_batch(c, rows, engine=engine)
    rows[[3, 70, 199], [0, 2, 3]] = value
    with pytest.raises(symcf.InstanceError, match=f"row 3, column '{c.features[0]}'"):
        explain_batch(c, rows, engine=engine, n_jobs=n_jobs)
    batch = explain_batch(c, rows, engine=engine, n_jobs=n_jobs, errors="mark")
    assert {i for i in range(200) if STATUS[batch.status[i]] == "invalid"} == {3, 70, 199}
    assert batch.summary().status["invalid"] == 3
    for part in (slice(0, 3), slice(4, 70), slice(71, 199)):
        assert batch[part] == good[part]
    assert batch.sets(70) == []
    with pytest.raises(symcf.InstanceError, match="row 70"):
        batch[70]


def test_equal_bad_rows_are_all_marked(c):
    batch = explain_batch(c, np.full((300, 4), 7), errors="mark", n_jobs=3)
    assert batch.summary().status == {"invalid": 300}
    assert not batch.prediction.any()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 0, 1]], "the rows have 3 columns, the classifier reads 4"),
        ([0, 0, 1, 0], "rows must be two-dimensional"),
        ([["a", "b", "c", "d"]], "row 0, column '.*': 'a' is not a value code"),
        ([[0, 0, 1, 0], [0, 0, 1]], "same number"),
        (pd.DataFrame({"GPA": [1]}), "missing 'entrance exam'"),
        (pa.table({"GPA": [1]}), "missing 'entrance exam'"),
    ],
)
def test_tables_that_do_not_fit_are_refused(c, rows, message):
    with pytest.raises(symcf.InstanceError, match=message):
        explain_batch(c, rows)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"n_jobs": 0}, "n_jobs must be a positive number of threads, or -1 for all processors, not 0"),
        ({"n_jobs": -2}, "n_jobs must be"),
        ({"n_jobs": 1.5}, "n_jobs must be"),
        ({"n_jobs": True}, "n_jobs must be"),
        ({"errors": "ignore"}, "unknown errors 'ignore': choose from 'raise', 'mark'"),
        ({"engine": "magic"}, "unknown engine 'magic'"),
        ({"select": "some"}, "unknown select 'some'"),
        ({"max_memory": 0}, "max_memory must be an integer of at least 1, not 0"),
        ({"progress": "bar"}, "progress must be True, False or a function, not 'bar'"),
        ({"target": "waiting list"}, "target: 'waiting list' is not one of the classes"),
        ({"immutable": ["GAP"]}, "immutable: the classifier has no feature 'GAP'"),
        ({"allowed": {"GPA": "up"}}, r"allowed\['GPA'\]: 'up' is not a direction"),
        ({"cost": [1, 2]}, "cost has 2 numbers"),
        ({"max_changes": -1}, "max_changes must be an integer of at least 0"),
        ({"k": 0}, "k must be an integer of at least 1"),
        ({"max_results": 0}, "max_results must be an integer of at least 1"),
        ({"time_limit": -1}, "time_limit must be a number of seconds"),
        ({"encoding": "no-cut"}, "encoding, solver and assisted apply to the engines 'sat' and 'sat-portable'"),
    ],
)
def test_bad_options_are_named(c, keywords, message):
    with pytest.raises(symcf.OptionError, match=message):
        explain_batch(c, [[0, 0, 1, 0]], **keywords)


def test_an_option_that_is_none_is_refused(c):
    with pytest.raises(TypeError, match="n_job"):
        explain_batch(c, [[0, 0, 1, 0]], n_job=2)


def test_numbers_beyond_64_bits_are_as_good_as_none(c):
    keywords = {"k": 2**70, "max_results": 2**70, "max_changes": 2**70, "max_memory": 2**70}
    assert explain_batch(c, [[0, 0, 1, 0]], **keywords) == explain_batch(c, [[0, 0, 1, 0]])


def test_all_values_are_those_of_explain(c, weather):
    assert explain_batch(c, [[0, 0, 1, 0]], select="all").n_sets == 2
    batch = explain_batch(weather, [[0, 0, 0, 0]], select="all")
    assert list(batch[0]) == list(weather.explain([0, 0, 0, 0], select="all"))
    assert len(batch[0]) > batch.n_sets


def test_the_target_and_rows_that_are_there(c, engine):
    rows = random_rows(100, 4)
    batch = explain_batch(c, rows, target="admitted", engine=engine)
    assert (batch.prediction == c.predict(rows, codes=True)).all()
    assert ((batch.status == STATUS.index("at_target")) == (batch.prediction == 1)).all()
    there = int(np.flatnonzero(batch.prediction)[0])
    e = batch[there]
    assert (e.sets, e.status, e.target, e.blocking) == ([], "complete", 1, ())


def test_the_methods_are_the_functions():
    c, rows = random_classifier(6), random_rows(20, 6, seed=1)
    for options in ({}, {"k": 2, "immutable": ["x1"]}, {"max_changes": 2, "n_jobs": 2, "engine": "diagram"}):
        assert [e.sets for e in c.explain_batch(rows, **options)] == [e.sets for e in explain_batch(c, rows, **options)]
    for options in ({}, {"k": 1, "immutable": ["x1"]}):
        assert [r.sets for r in c.why_batch(rows, **options)] == [
            r.sets for r in symcf.fast.why_batch(c, rows, **options)
        ]
    for call in (c.explain_batch, c.why_batch):
        with pytest.raises(TypeError, match="nonsense"):
            call(rows, nonsense=1)


# --- reading a batch --------------------------------------------------------------------------------------------------


#: "all": columns of numbers have no list of all values.
WRITTEN_KINDS = (
    ("linear", "nearest"),
    ("linear", "all"),
    ("naive Bayes, several classes", "nearest"),
    ("numbers", "nearest"),
    ("random forest", "nearest"),
    ("random forest", "all"),
)


@pytest.mark.parametrize("form", ["list", "dict", "frame"])
@pytest.mark.parametrize(("kind", "select"), WRITTEN_KINDS)
def test_items_of_a_batch_are_written_as_explain_writes_the_row(kind, select, form):
    rng, n_sets, n_lines = random.Random(f"{kind} {form}"), 0, 0
    while n_sets < 4:
        case = cases.draw(rng, kind)
        rows = [case.given(case.draw_row(rng), form) for _ in range(6)]
        together = pd.concat(rows, ignore_index=True) if form == "frame" else rows
        batch = explain_batch(case.compiled, together, select=select)
        n_sets += batch.n_sets
        lines = []
        for i, (e, row) in enumerate(zip(batch, rows, strict=True)):
            alone = case.compiled.explain(row, select=select)
            assert {**e.to_dict(), "engine": ""} == {**alone.to_dict(), "engine": ""}
            assert json.loads(e.to_json()) == e.to_dict()
            assert [str(cf) for cf in e] == [str(cf) for cf in alone]
            assert [cf.changes for cf in e] == [cf.changes for cf in alone]
            if select == "nearest":
                by_set = {cf.features: cf for cf in alone}
                for s, features in enumerate(batch.sets(i)):
                    cf = by_set[features]
                    lines += [[i, s, change.name, change.old, change.new, cf.cost] for change in cf.changes]
        if select == "nearest":
            assert batch.to_pandas().to_numpy().tolist() == lines
            n_lines += len(lines)
    assert n_lines >= 4 or select == "all"
