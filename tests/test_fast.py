"""Batches: every row as `explain` has it, whatever the form of the input, the threads and the limits."""

import gc
import itertools
import math
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import WRITTEN

import symcf
from symcf.batch import STATUS, BatchExplanation
from symcf.demo import admission
from symcf.fast import explain_batch
from symcf.results import explainer

COLUMNS = ("row_offsets", "set_offsets", "features", "status", "prediction")
ENGINES = ["cover", "minimal", "sat", "sat-portable"]
THREADS = [1, 2, 3, 7]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def c():
    return symcf.compile(admission())


def random_classifier(n, seed=0):
    rng = np.random.default_rng(seed)
    return symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(n), p0=rng.random(n)))


def random_rows(m, n, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (m, n), dtype=np.uint8)


@pytest.fixture(scope="module")
def slow():
    """A classifier and rows that take some seconds and give a small result."""
    return random_classifier(300), random_rows(40_000, 300)


@pytest.fixture(scope="module")
def huge():
    """A row has more change sets than fit any memory; the diagram is small."""
    strengths = np.random.default_rng(1).choice([0.6, 0.7], 60)
    return symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=strengths, p0=1 - strengths)), mostly_zeros(200)


def mostly_zeros(m, n=60):
    return (np.random.default_rng(m).random((m, n)) < 0.1).astype(np.uint8)


@pytest.fixture(scope="module")
def weather():
    """Features of two to four values, with names for everything."""
    return symcf.compile(
        symcf.NaiveBayes(
            [0.4, 0.6],
            [
                [[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]],
                [[0.7, 0.3], [0.2, 0.8]],
                [[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]],
                [[1.0], [1.0]],
            ],
            features=["sky", "wind", "month", "planet"],
            values=[["clear", "grey", "black"], [False, True], ["Jan", "Apr", "Jul", "Oct"], ["Earth"]],
            classes=["dry", "rain"],
        )
    )


def columns(batch):
    return {name: getattr(batch, name).tobytes() for name in COLUMNS}


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
            known[key] = explanation_of(c, row, engine, keywords)
        wanted = known[key]
        status, got = STATUS[batch.status[i]], batch.sets(i)
        if wanted is None:
            assert (status, got) == ("at_target", [])
            continue
        assert (status, len(got), batch.prediction[i]) == (wanted.status, wanted.count, wanted.prediction)
        if some:
            assert set(got) <= set(c.explain(row, **{**keywords, "max_results": None}).sets)
            continue
        assert sorted(got) == sorted(wanted.sets)
        assert not sort or got == wanted.sets
        if list(known).index(key) == len(known) - 1:  # objects are slow: one for each different row
            assert batch[i] == wanted


def explanation_of(c, row, engine, keywords):
    """What `explain` says; None if it refuses to, because the row is at the target."""
    try:
        return c.explain(row, engine=engine, **keywords)
    except symcf.OptionError:
        return None


@settings(max_examples=60)
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
@pytest.mark.parametrize("engine", ["cover", "minimal"])
def test_the_columns_are_the_same_for_any_number_of_threads(engine, repeated, keywords, sort):
    c, rows = random_classifier(16), random_rows(1000, 16)
    if repeated:
        rows = rows[np.random.default_rng(5).integers(0, 200, 1000)]
    answers = [explain_batch(c, rows, engine=engine, sort=sort, n_jobs=n, **keywords) for n in THREADS]
    for answer in answers[1:]:
        assert columns(answer) == columns(answers[0])
    if sort:
        other = {"cover": "minimal", "minimal": "cover"}[engine]
        assert "max_results" in keywords or columns(explain_batch(c, rows, engine=other, **keywords)) == columns(
            answers[0]
        )


@pytest.mark.parametrize("n_jobs", [-1, 1000, np.int32(2)])
def test_any_number_of_threads_will_do(c, n_jobs):
    rows = random_rows(100, 4)
    assert explain_batch(c, rows, n_jobs=n_jobs) == explain_batch(c, rows)


def test_equal_rows_of_a_sat_engine_are_solved_once(c, monkeypatch):
    calls = []
    run = explainer.run
    monkeypatch.setattr(explainer, "run", lambda *arguments: calls.append(1) or run(*arguments))
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
        ({"values": "some"}, "unknown values 'some'"),
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
        ({"encoding": "no-cut"}, "encoding and solver apply to the engines 'sat' and 'sat-portable'"),
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
    assert explain_batch(c, [[0, 0, 1, 0]], values="all").n_sets == 2
    batch = explain_batch(weather, [[0, 0, 0, 0]], values="all")
    assert list(batch[0]) == list(weather.explain([0, 0, 0, 0], values="all"))
    assert len(batch[0]) > batch.n_sets


def test_the_target_and_rows_that_are_there(c, engine):
    rows = random_rows(100, 4)
    batch = explain_batch(c, rows, target="admitted", engine=engine)
    assert (batch.prediction == c.predict(rows)).all()
    assert ((batch.status == STATUS.index("at_target")) == (batch.prediction == 1)).all()
    there = int(np.flatnonzero(batch.prediction)[0])
    e = batch[there]
    assert (e.sets, e.status, e.target, e.blocking) == ([], "complete", 1, ())


# --- progress ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_told(engine, n_jobs):
    c, rows = random_classifier(10), random_rows(300, 10)
    told = []
    batch = explain_batch(c, rows, engine=engine, n_jobs=n_jobs, progress=lambda *now: told.append(now))
    assert batch == explain_batch(c, rows)
    assert {total for _, total in told} == {300}
    done = [now for now, _ in told]
    assert done == sorted(done)
    assert done[-1] == 300


def test_progress_goes_on_while_threads_work(slow):
    c, rows = slow
    told = []
    explain_batch(c, rows[:4000], k=10, n_jobs=2, progress=lambda now, _: told.append(now))
    assert len(set(told)) > 2
    assert told == sorted(told)
    assert told[0] >= 0


def test_a_bar_can_be_shown(c, capsys):
    explain_batch(c, random_rows(300, 4), progress=True)
    assert "300/300" in capsys.readouterr().err


@pytest.mark.parametrize("progress", [None, False])
def test_no_bar_is_shown_unasked(c, capsys, progress):
    explain_batch(c, random_rows(300, 4), progress=progress)
    assert capsys.readouterr() == ("", "")


def threads_of_ours():
    return [thread.name for thread in threading.enumerate() if thread.name == "symcf"]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failing_progress_function_stops_everything(slow, n_jobs):
    c, rows = slow
    told = []

    def fail(done, total):
        told.append(done)
        raise RuntimeError("out of paper")

    with pytest.raises(RuntimeError, match="out of paper"):
        explain_batch(c, rows, k=10, n_jobs=n_jobs, progress=fail)
    assert len(told) == 1
    assert told[0] < len(rows), "most was left undone"
    assert not threads_of_ours()


def test_threads_that_cannot_be_started_are_done_without(slow, monkeypatch):
    c, rows = slow
    start = threading.Thread.start

    def start_one(thread):
        if threads_of_ours():
            raise RuntimeError("can't start new thread")
        start(thread)

    alone = explain_batch(c, rows[:200], k=10)
    monkeypatch.setattr(threading.Thread, "start", start_one)
    assert explain_batch(c, rows[:200], k=10, n_jobs=3) == alone
    assert not threads_of_ours()


SMAPS = Path("/proc/self/smaps_rollup")


def resident():
    """Bytes that the process holds, and how many of them the system may take."""
    fields = dict(line.split(":") for line in SMAPS.read_text().splitlines()[1:])
    return [int(fields[name].split()[0]) << 10 for name in ("Rss", "LazyFree")]


@pytest.mark.skipif(not SMAPS.exists(), reason="only Linux tells what a process holds")
def test_memory_of_results_serves_again_and_can_be_released(huge):
    c, rows = huge
    symcf.fast.release_memory()
    before = resident()[0]
    first = explain_batch(c, rows, max_results=20_000)
    size = first.nbytes
    assert size > 64 << 20
    kept_copy = first.features[:1000].copy()
    del first
    free = resident()[1]
    assert 0.9 * size < free < size + (8 << 20)
    second = explain_batch(c, rows, max_results=20_000)
    assert (second.features[:1000] == kept_copy).all()
    assert resident()[0] - before < 1.1 * size + (16 << 20), "no new memory"
    del second
    symcf.fast.release_memory()
    assert resident()[0] - before < 0.1 * size + (16 << 20)
    assert resident()[1] < 16 << 20


# --- limits and signals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_jobs", "progress"), [(1, None), (2, None), (1, lambda *_: None)])
def test_control_c_stops_a_batch_and_leaves_the_classifier_usable(slow, n_jobs, progress):
    c, rows = slow
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):  # bench/latency.py says how soon
        explain_batch(c, rows, k=10, n_jobs=n_jobs, progress=progress)
    timer.join()
    assert not threads_of_ours()
    assert explain_batch(c, rows[:3], k=1).n_sets == 3


def test_control_c_is_heard_while_this_thread_waits_for_another(huge, monkeypatch):
    """The first row keeps a thread busy for ever; this one has nothing to do but to wait for a place."""
    c, rows = huge
    start_thread = threading.Thread.start

    def start_first(thread):
        start_thread(thread)
        time.sleep(0.05)  # time to take the first row; if it is too short, this thread is interrupted at that row

    monkeypatch.setattr(threading.Thread, "start", start_first)
    rows = np.concatenate([rows[:1], np.ones((5000, 60), dtype=np.uint8)])
    rows[1:, :13] = np.arange(5000)[:, None] >> np.arange(13) & 1  # different, and of the target class
    assert c.predict(rows).tolist() == [0] + [1] * 5000
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        explain_batch(c, rows, target=1, sort=False, n_jobs=2, max_memory=24 << 30)
    timer.join()
    assert not threads_of_ours()


@pytest.mark.parametrize("engine", ["cover", "minimal"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_time_limits_mark_rows_and_lose_none(huge, engine, n_jobs):
    c, _ = huge
    rows = mostly_zeros(20_000)
    rows[5000:] = rows[:15000]  # equal ones share their fate
    batch = explain_batch(c, rows, engine=engine, max_results=100, time_limit=0.02, n_jobs=n_jobs)
    assert len(batch) == 20_000
    status = batch.summary().status
    assert status["time_limit"] > 0
    assert set(status) <= {"time_limit", "max_results"}
    assert (batch.prediction == c.predict(rows)).all()
    late = int(np.flatnonzero(batch.status == STATUS.index("time_limit"))[-1])
    assert batch[late].status == "time_limit"
    if "max_results" in status:
        done = int(np.flatnonzero(batch.status == STATUS.index("max_results"))[0])
        assert batch[done] == c.explain(rows[done], engine=engine, max_results=100)


def test_no_time_at_all_is_a_limit_too(c, engine):
    batch = explain_batch(c, random_rows(10_000, 4), time_limit=0, n_jobs=2, target=1, engine=engine)
    status = batch.summary().status
    assert set(status) <= {"time_limit", "at_target", "complete"}
    assert status["at_target"] == (batch.prediction == 1).sum() > 0
    assert sum(status.values()) == 10_000


def test_bad_rows_are_marked_without_time_too(c, engine):
    rows = random_rows(50, 4).astype(object)
    rows[[3, 7], [0, 1]] = -1, 2
    batch = explain_batch(c, rows, time_limit=0, engine=engine, errors="mark")
    assert np.flatnonzero(batch.status == STATUS.index("invalid")).tolist() == [3, 7]


def test_enough_time_is_enough(c):
    rows = random_rows(1000, 4)
    assert explain_batch(c, rows, time_limit=60, n_jobs=2) == explain_batch(c, rows)


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("engine", ["cover", "minimal"])
def test_a_result_too_large_says_what_to_do(huge, engine, n_jobs, sort):
    c, rows = huge
    with pytest.raises(
        symcf.LimitError, match=r"more than max_memory, 10,000,000 bytes .*max_results.*explain_batches"
    ):
        explain_batch(c, rows, engine=engine, n_jobs=n_jobs, sort=sort, max_memory=10_000_000)
    with pytest.raises(symcf.LimitError):
        explain_batch(c, rows, engine=engine, n_jobs=n_jobs, k=10**12, max_memory=100_000)
    small = explain_batch(c, rows, engine=engine, n_jobs=n_jobs, sort=sort, max_memory=10_000_000, max_results=100)
    assert small.n_sets == 100 * len(rows)


def test_a_sat_engine_keeps_to_max_memory(c, engine):
    rows = np.tile([[0, 0, 1, 0]], (100, 1))  # two sets of three features in all, 28 bytes
    assert explain_batch(c, rows, engine=engine, max_memory=2808).n_sets == 200
    with pytest.raises(symcf.LimitError, match="more than max_memory"):
        explain_batch(c, rows, engine=engine, max_memory=2700)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_engine_without_room_says_how_far_it_got(huge, n_jobs):
    c, rows = huge
    tight = symcf.compile(c.diagram, max_nodes=50)
    with pytest.raises(symcf.CompileLimitError, match="nodes limit reached") as caught:
        explain_batch(tight, rows, n_jobs=n_jobs)
    assert caught.value.limit == "nodes"
    rows = rows.copy()
    rows[0, 7] = 2
    with pytest.raises(symcf.InstanceError, match="row 0"):
        explain_batch(tight, rows, n_jobs=n_jobs)


def in_a_process_of_its_own(script):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("n_jobs", "sort"), [(1, True), (1, False), (2, True), (2, False)])
def test_the_peak_of_memory_is_bounded(n_jobs, sort):
    """At most half as much again as the result and the input."""
    out = in_a_process_of_its_own(f"""
        import numpy as np, symcf
        from symcf.fast import explain_batch

        def peak():  # ru_maxrss would count what the parent of this process took
            status = dict(line.split(":", 1) for line in open("/proc/self/status"))
            return int(status["VmHWM"].split()[0]) * 1024

        rng = np.random.default_rng(0)
        c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(25), p0=rng.random(25)))
        explain_batch(c, rng.integers(0, 2, (200, 25), dtype=np.uint8), n_jobs={n_jobs}, sort={sort})
        before = peak()
        rows = rng.integers(0, 2, (8000, 25), dtype=np.uint8)
        batch = explain_batch(c, rows, n_jobs={n_jobs}, sort={sort})
        print(peak() - before, batch.nbytes, rows.nbytes)
    """)
    taken, result, given_ = map(int, out.split())
    assert 60e6 < result < 200e6
    assert taken > result / 2, "the measurement measures"
    assert taken <= 1.5 * (result + given_)


@pytest.mark.skipif(sys.platform != "linux", reason="limits addresses as Linux does")
def test_limited_addresses_are_enough_for_small_results():
    out = in_a_process_of_its_own("""
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        import symcf
        from symcf.demo import admission
        from symcf.fast import explain_batch
        print(explain_batch(symcf.compile(admission()), [[0, 0, 1, 0]] * 1000, n_jobs=2).n_sets)
    """)
    assert out == "2000\n"


# --- the answer as an object ------------------------------------------------------------------------------------------


@pytest.fixture
def batch(c):
    return explain_batch(c, random_rows(150, 4), cost=[1, 2, 1, 4])


def test_rows_are_explanations(c, batch):
    wanted = [c.explain(x, cost=[1, 2, 1, 4]) for x in batch.rows]
    assert list(batch) == wanted
    assert len(batch) == 150
    for index in (0, 7, 149, -1, -150, np.int64(3)):
        assert batch[index] == wanted[index]
        assert batch.sets(index) == wanted[index].sets
        assert [cf.changes for cf in batch[index]] == [cf.changes for cf in wanted[index]]
        assert [cf.cost for cf in batch[index]] == [cf.cost for cf in wanted[index]]
    assert repr(batch) == f"BatchExplanation(150 rows, {batch.n_sets:,} change sets)"


@pytest.mark.parametrize("index", [150, -151, 10**9])
def test_there_are_no_other_rows(batch, index):
    with pytest.raises(IndexError, match="of 150"):
        batch[index]
    with pytest.raises(IndexError, match="of 150"):
        batch.sets(index)


@pytest.mark.parametrize("index", ["0", 1.0, None, (0, 1)])
def test_an_index_is_an_integer(batch, index):
    with pytest.raises(TypeError):
        batch[index]


SLICES = [
    slice(*bounds) for bounds in itertools.product([None, 0, 3, -5, 200], [None, 0, 70, -1, -300], [None, 1, 7, -1])
]


@pytest.mark.parametrize("part", SLICES, ids=str)
def test_a_slice_is_a_batch(c, batch, part):
    piece = batch[part]
    assert isinstance(piece, BatchExplanation)
    assert piece == explain_batch(c, batch.rows[part], cost=[1, 2, 1, 4])
    assert len(piece) == len(range(150)[part])


def test_a_slice_of_a_slice_is_a_slice(batch):
    assert batch[10:100:3][5:20][::-1] == batch[25:70:3][::-1]


def test_unsorted_columns_give_sorted_explanations():
    c, rows = random_classifier(12), random_rows(20, 12)
    unsorted = explain_batch(c, rows, sort=False)
    assert list(unsorted) == list(explain_batch(c, rows))
    assert any(unsorted.sets(i) != unsorted[i].sets for i in range(20))


def test_equality_looks_at_everything(c, batch):
    assert batch == explain_batch(c, batch.rows.astype(bool), cost=[1, 2, 1, 4])
    assert batch != explain_batch(c, batch.rows)  # another order of sets
    assert batch != batch[:-1]
    assert batch != explain_batch(c, batch.rows, cost=[1, 2, 1, 4], max_results=1)
    assert batch != "batch"
    nothing = explain_batch(c, batch.rows, max_changes=0)
    assert nothing != explain_batch(c, batch.rows, max_changes=0, target=1)  # another status
    assert nothing != explain_batch(c, 1 - batch.rows, max_changes=0)
    assert nothing == explain_batch(c, batch.rows, max_changes=0, n_jobs=2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(batch)


@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
@pytest.mark.parametrize("part", [slice(None), slice(5, 60, 3), slice(0, 0)], ids=str)
def test_pickling_keeps_everything(batch, protocol, part):
    piece = batch[part]
    again = pickle.loads(pickle.dumps(piece, protocol))
    assert again == piece
    assert list(again) == list(piece)
    assert again.summary() == piece.summary()
    assert again.to_pandas().equals(piece.to_pandas())


def test_columns_cannot_be_overwritten(batch):
    for name in COLUMNS:
        assert not getattr(batch, name).flags.writeable


def test_columns_have_exactly_their_size(batch):
    assert batch.nbytes == 151 * 8 + (batch.n_sets + 1) * 8 + len(batch.features) * 4 + 2 * 150
    assert [getattr(batch, name).dtype for name in COLUMNS] == [np.int64, np.int64, np.int32, np.uint8, np.uint8]


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_outlives_its_batch(c, name):
    rows = random_rows(5000, 4)
    wanted = getattr(explain_batch(c, rows), name).copy()
    column = getattr(explain_batch(c, rows), name)
    gc.collect()
    for _ in range(5):
        explain_batch(c, rows)  # would take the memory if it were free
    assert (column == wanted).all()


def test_costs_are_those_of_the_sets(batch):
    assert batch.cost.tolist() == [sum((1, 2, 1, 4)[j] for j in s) for i in range(150) for s in batch.sets(i)]


def test_the_core_refuses_to_finish_what_is_not_done(c):
    batch = symcf._core.Batch(c.threshold, c.value_offset, random_rows(10, 4), result_memory=1 << 20)
    with pytest.raises(ValueError, match="not finished"):
        batch.finish()
    batch.work(True)
    batch.finish()
    with pytest.raises(ValueError, match="taken before"):
        batch.finish()


# --- summaries and tables ---------------------------------------------------------------------------------------------


def test_a_summary_counts(weather):
    rows = np.array(list(itertools.product(range(3), range(2), range(4), [0, 5])))
    batch = explain_batch(weather, rows, target="rain", immutable=["wind"], allowed={"sky": [0]}, errors="mark", k=2)
    sets = [s for i in range(len(batch)) for s in batch.sets(i)]
    names = Counter(weather.features[j] for s in sets for j in s)
    summary = batch.summary()
    assert (summary.rows, summary.sets) == (48, len(sets))
    assert summary.status == Counter(STATUS[code] for code in batch.status)
    assert summary.status["invalid"] == 24
    assert summary.sizes == Counter(map(len, sets))
    assert summary.features == names
    assert list(summary.features.values()) == sorted(names.values(), reverse=True)
    assert summary.without == sum(STATUS[batch.status[i]] == "complete" and not batch.sets(i) for i in range(48)) > 0


def test_a_summary_reads_well(c):
    assert str(explain_batch(c, [[0, 0, 1, 0], [1, 0, 1, 0], [9, 0, 0, 0]], errors="mark").summary()) == (
        "3 rows, 4 change sets; 0 rows have no counterfactual\n"
        "  2 rows complete\n"
        "  1 rows invalid\n"
        "  3 sets change 1 feature\n"
        "  1 sets change 2 features\n"
        "  work experience: in 2 sets (50.0%)\n"
        "  first application: in 2 sets (50.0%)\n"
        "  entrance exam: in 1 sets (25.0%)"
    )
    assert str(explain_batch(c, np.empty((0, 4), dtype=int)).summary()).startswith("0 rows, 0 change sets")


def tidy(batch):
    """The same from the objects."""
    return [
        (i, s, change.name, change.old, change.new, cf.cost)
        for i in range(len(batch))
        if STATUS[batch.status[i]] != "invalid"
        for s, cf in enumerate(batch[i])
        for change in cf.changes
    ]


def test_a_table_has_a_row_for_each_change(batch):
    frame = batch.to_pandas()
    assert list(frame.columns) == ["row", "set", "feature", "old", "new", "cost"]
    assert list(frame.itertuples(index=False, name=None)) == tidy(batch)
    assert [frame[name].dtype.kind for name in ("row", "set", "cost")] == ["i", "i", "f"]


@pytest.mark.parametrize("engine", ["cover", "minimal"])
@pytest.mark.parametrize(
    "keywords",
    [{}, {"allowed": {"sky": ["grey"], "month": "decrease"}}, {"allowed": {"month": [0, 2]}, "target": "dry"}],
)
def test_a_table_names_values(weather, engine, keywords):
    rows = np.array(list(itertools.product(range(3), range(2), range(4), [0, 1])), dtype=np.int16)
    batch = explain_batch(weather, rows, errors="mark", engine=engine, cost={"sky": 0.1, "wind": 0.2}, **keywords)
    wanted = tidy(batch)
    frame = batch.to_pandas()
    assert list(frame.itertuples(index=False, name=None)) == wanted
    assert {"clear", "black", "Apr", True} & {change[3] for change in wanted}
    if "allowed" in keywords and "sky" in keywords["allowed"]:
        assert set(frame["new"][frame["feature"] == "sky"]) <= {"grey"}


def test_a_table_of_a_slice_counts_from_its_start(batch):
    whole, part = batch.to_pandas(), batch[50:].to_pandas()
    wanted = whole[whole["row"] >= 50].assign(row=whole["row"] - 50).reset_index(drop=True)
    assert part.equals(wanted)


def test_boolean_rows_with_costs_of_values():
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=[0.75, 0.4], p0=[0.9, 0.1]))
    rows = np.array([[0, 0], [1, 1], [0, 1]], dtype=bool)
    for sort in (True, False):
        batch = symcf.fast.explain_batch(c, rows, cost="ordinal", sort=sort)
        assert [e.sets for e in batch] == [c.explain(row, cost="ordinal").sets for row in rows.tolist()]
        assert batch.cost.tolist() == [cf.cost for e in batch for cf in e]
