"""Arrow in and out: the columns as tables without a copy, and batches as a stream."""

import gc
import itertools
import subprocess
import sys
import textwrap

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.answers import arrow_tables as arrow
from symcf.answers.summary import STATUS
from symcf.demo import admission
from symcf.fast import explain_batch, explain_batches, output_schema


@pytest.fixture
def c():
    return symcf.compile(admission())


def random_rows(m, n=4, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (m, n), dtype=np.uint8)


def record_batches(c, rows, size):
    table = pa.table({name: rows[:, j] for j, name in enumerate(c.features)})
    return table.to_batches(max_chunksize=size)


def as_lists(batch):
    """What the table must say, from the columns."""
    return [
        {
            "row": i,
            "prediction": int(batch.prediction[i]),
            "status": STATUS[batch.status[i]],
            "sets": [list(s) for s in batch.sets(i)],
        }
        for i in range(len(batch))
    ]


# --- one table --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [0, 1, 200])
def test_a_table_has_the_rows_of_the_batch(c, m):
    rows = random_rows(m).astype(np.int64)
    rows[5::50] = 9
    batch = explain_batch(c, rows, errors="mark", target=1)
    table = batch.to_arrow()
    table.validate(full=True)
    assert table.to_pylist() == as_lists(batch)
    assert batch[3:150:7].to_arrow().to_pylist() == as_lists(batch[3:150:7])


def test_the_types_are_nested_lists_of_integers(c):
    schema = explain_batch(c, random_rows(10)).to_arrow().schema
    assert schema.names == output_schema().names == ["row", "prediction", "status", "sets"]
    assert schema.types == [pa.int64(), pa.uint8(), pa.string(), pa.large_list(pa.large_list(pa.int32()))]


def address(array):
    return array.__array_interface__["data"][0]


def test_the_columns_are_not_copied(c):
    batch = explain_batch(c, random_rows(200))
    table = batch.to_arrow()
    lists = table.column("sets").chunk(0)
    sets = lists.values
    assert lists.buffers()[1].address == address(batch.row_offsets)
    assert sets.buffers()[1].address == address(batch.set_offsets)
    assert sets.values.buffers()[1].address == address(batch.features)
    assert table.column("prediction").chunk(0).buffers()[1].address == address(batch.prediction)


def test_a_table_outlives_its_batch(c):
    rows = random_rows(20_000)
    wanted = as_lists(explain_batch(c, rows))
    table = explain_batch(c, rows).to_arrow()
    sets = table.column("sets").combine_chunks()
    gc.collect()
    for _ in range(5):
        explain_batch(c, rows)  # would take the memory if it were free
    assert table.to_pylist() == wanted
    del table
    gc.collect()
    assert sets.to_pylist() == [row["sets"] for row in wanted]


# --- a stream ---------------------------------------------------------------------------------------------------------


@given(
    sizes=st.lists(st.integers(0, 70), max_size=6),
    first_row=st.integers(0, 10**12),
    options=st.sampled_from([{}, {"k": 1}, {"max_results": 1}, {"sort": False}, {"n_jobs": 2}, {"engine": "diagram"}]),
)
def test_a_stream_says_what_one_batch_says(sizes, first_row, options):
    c = symcf.compile(admission())
    rows = random_rows(sum(sizes))
    parts = np.split(rows, np.cumsum(sizes)[:-1]) if sizes else []
    stream = list(explain_batches(c, iter(parts), first_row=first_row, **options))
    assert [len(batch) for batch in stream] == sizes
    for batch in stream:
        batch.validate(full=True)
        assert batch.schema.equals(output_schema())
    wanted = as_lists(explain_batch(c, rows, **options))
    for row in wanted:
        row["row"] += first_row
    assert [row for batch in stream for row in batch.to_pylist()] == wanted


def test_record_batches_go_in_and_come_out(c):
    rows = random_rows(100)
    wanted = as_lists(explain_batch(c, rows))
    batches = record_batches(c, rows, 30)
    reader = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    for given_ in (batches, (batch for batch in batches), reader, [rows[:60], pa.table(batches[2]), batches[3]]):
        out = pa.RecordBatchReader.from_batches(output_schema(), explain_batches(c, given_))
        assert out.read_all().to_pylist() == wanted


def test_a_stream_is_lazy(c):
    asked = []

    def batches():
        for i in itertools.count():
            asked.append(i)
            yield random_rows(10, seed=i)

    stream = explain_batches(c, batches())
    assert asked == []
    assert next(stream).column("row").to_pylist() == list(range(10))
    assert next(stream).column("row").to_pylist() == list(range(10, 20))
    assert asked == [0, 1]


def test_a_bad_row_of_a_stream_is_found(c):
    parts = [random_rows(100), np.array([[0, 0, 1, 0], [0, 0, 1, 7]])]
    stream = explain_batches(c, parts)
    next(stream)
    with pytest.raises(symcf.InstanceError, match="row 1, column 'first application': 7") as caught:
        next(stream)
    assert caught.value.__notes__ == ["in the batch that begins with row 100"]
    marked = list(explain_batches(c, parts, errors="mark"))
    assert marked[1].column("status").to_pylist() == ["complete", "invalid"]


def test_bad_options_of_a_stream_are_named(c):
    with pytest.raises(symcf.OptionError, match="n_jobs"):
        next(explain_batches(c, [random_rows(3)], n_jobs=0))


@pytest.mark.parametrize("most", [10, 17, 50])
def test_a_batch_too_large_for_its_offsets_is_split(c, monkeypatch, most):
    rows = random_rows(100)
    wanted = as_lists(explain_batch(c, rows))
    assert max(sum(map(len, row["sets"])) for row in wanted) <= 10
    monkeypatch.setattr(arrow, "MAX_OFFSET", most)
    stream = list(explain_batches(c, [rows[:70], rows[70:]]))
    assert len(stream) > 2
    for batch in stream:
        batch.validate(full=True)
        lists = batch.column("sets")
        assert max(len(lists.values), len(lists.values.values)) <= most
    assert [row for batch in stream for row in batch.to_pylist()] == wanted


def test_a_row_too_large_for_its_offsets_is_refused(c, monkeypatch):
    monkeypatch.setattr(arrow, "MAX_OFFSET", 1)
    with pytest.raises(symcf.LimitError, match=r"row 41 has 2 change sets of 3 features in all.*max_results"):
        list(explain_batches(c, [[[0, 0, 1, 0]]], first_row=41))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_long_stream_takes_no_more_memory_than_a_short_one():
    script = """
        import numpy as np, symcf
        from symcf.fast import explain_batches

        def peak():
            status = dict(line.split(":", 1) for line in open("/proc/self/status"))
            return int(status["VmHWM"].split()[0])

        rng = np.random.default_rng(0)
        c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(20), p0=rng.random(20)))
        rows = rng.integers(0, 2, (300, 20), dtype=np.uint8)
        bytes_ = 0
        for i, batch in enumerate(explain_batches(c, (rows for _ in range(300)), n_jobs=1)):
            bytes_ += batch.nbytes
            if i == 30:
                early = peak()
        print(peak() - early, bytes_ // 1024)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr
    grown, streamed = map(int, done.stdout.split())
    assert streamed > 100_000  # kilobytes
    assert grown < 2000


# --- columns that are handed through ----------------------------------------------------------------------------------


def with_names(c, rows):
    columns = {name: rows[:, j] for j, name in enumerate(c.features)}
    return pa.table({"name": [f"r{i}" for i in range(len(rows))], **columns, "weight": np.arange(len(rows)) / 2})


def test_kept_columns_come_last(c):
    rows = random_rows(100)
    table = with_names(c, rows)
    keep = ["weight", "name"]
    wanted = as_lists(explain_batch(c, rows))
    for row, weight, name in zip(wanted, table["weight"].to_pylist(), table["name"].to_pylist(), strict=True):
        row.update(weight=weight, name=name)
    schema = output_schema([table.schema.field(name) for name in keep])
    assert schema.names == [*output_schema().names, *keep]
    for batches in (table.to_batches(max_chunksize=30), [table.slice(0, 40), table.slice(40)]):
        found = pa.Table.from_batches(explain_batches(c, batches, keep=keep), schema)
        found.validate(full=True)
        assert found.to_pylist() == wanted


def test_kept_columns_are_split_with_their_rows(c, monkeypatch):
    table = with_names(c, random_rows(100)).drop_columns("weight")
    wanted = pa.Table.from_batches(explain_batches(c, [table], keep=["name"]))
    monkeypatch.setattr(arrow, "MAX_OFFSET", 17)
    stream = list(explain_batches(c, [table], keep=["name"]))
    assert len(stream) > 2
    assert pa.Table.from_batches(stream).to_pylist() == wanted.to_pylist()


def test_kept_columns_that_make_no_sense(c):
    rows = random_rows(3)
    table = with_names(c, rows)
    for keep, batch, message in [
        ("name", table, "must be a list"),
        (["age"], table, "no column 'age'"),
        (["name"], rows, "must be Arrow data, not ndarray"),
        (["row"], table.rename_columns(["row", *table.column_names[1:]]).drop_columns("weight"), "of its own"),
    ]:
        with pytest.raises(symcf.OptionError, match=message):
            list(explain_batches(c, [batch], keep=keep))
    with pytest.raises(symcf.InstanceError, match="unknown 'weight'"):
        list(explain_batches(c, [table], keep=["name"]))


def test_all_types_are_known_to_other_engines():
    """Spark has no unsigned integers."""
    assert output_schema().field("prediction").type == pa.int16()
