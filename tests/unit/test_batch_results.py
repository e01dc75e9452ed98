"""A batch as an object: rows, slices, columns, files, summaries and tables."""

import gc
import itertools
import pickle
from collections import Counter

import numpy as np
import pytest
from batches import COLUMNS, ENGINES, named_weather, random_classifier, random_rows

import symcf
from symcf.batch import STATUS, BatchExplanation
from symcf.demo import admission
from symcf.fast import explain_batch


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def c():
    return symcf.compile(admission())


@pytest.fixture(scope="module")
def weather():
    return named_weather()


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
        "  1 rows could not be read\n"
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


@pytest.mark.parametrize("engine", ["cover", "diagram"])
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
