"""The reader: whatever rows come in, the same cells come out, by column; names that do not fit are told.

Expected values are Python lists that are written down or permuted here, by no code of the library.
"""

from __future__ import annotations

import random
from decimal import Decimal

import numpy as np
import pytest

import symcf
from symcf.data.encoder import as_floats, is_missing
from symcf.data.reader import ColumnLayout, Table, as_column, read_row, read_rows

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

NAMES = ("age", "job", "member")
AGES, JOBS, MEMBERS = [31, 7, 58], ["clerk", "nurse", "clerk"], [True, False, True]
ROWS = [list(row) for row in zip(AGES, JOBS, MEMBERS, strict=True)]
FRAME = pd.DataFrame({"age": AGES, "job": JOBS, "member": MEMBERS})
LAYOUT = ColumnLayout.of(NAMES)
SOME = ColumnLayout(NAMES, (0, 2), extra=True)
UNNAMED = ColumnLayout(("x0", "x1", "x2"), (0, 1, 2), named=False, extra=True)

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NUMBERS = [*INTEGERS, "float16", "float32", "float64", "object", "Int8", "UInt64", "Float32", "int64[pyarrow]"]


def cells(table: Table, layout: ColumnLayout = LAYOUT) -> list[list[object]]:
    return [table.column(place).tolist() for place in layout.needed]


# --- many rows --------------------------------------------------------------------------------------------------------

SAME = {
    "list of lists": ROWS,
    "list of tuples": [tuple(row) for row in ROWS],
    "array of objects": np.array(ROWS, dtype=object),
    "list of mappings": FRAME.to_dict("records"),
    "mappings in different orders": [FRAME.iloc[0].to_dict(), *FRAME[1:][["member", "job", "age"]].to_dict("records")],
    "mapping of lists": {"member": MEMBERS, "age": AGES, "job": JOBS},
    "mapping of arrays": {"job": np.array(JOBS, dtype=object), "age": np.array(AGES), "member": np.array(MEMBERS)},
    "mapping of Series": dict(FRAME.items()),
    "DataFrame": FRAME,
    "DataFrame in another order": FRAME[["member", "age", "job"]],
    "DataFrame with an index": FRAME.set_index(pd.Index([5, 5, 9])),
    "DataFrame of numbered columns": FRAME.set_axis(range(3), axis=1),
    "categories": FRAME.astype({"job": "category", "age": "category"}),
    "nullable": FRAME.convert_dtypes(),
    "Arrow types in pandas": FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "Arrow table": pa.table(FRAME),
    "Arrow table in chunks": pa.concat_tables([pa.table(FRAME[:1]), pa.table(FRAME[1:])]),
    "Arrow batch": pa.RecordBatch.from_pandas(FRAME[["job", "member", "age"]]),
    "Arrow stream": pa.RecordBatchReader.from_batches(pa.table(FRAME).schema, pa.table(FRAME).to_batches()),
    "Arrow dictionary": pa.table({**FRAME, "job": pa.array(JOBS).dictionary_encode()}),
}  # fmt: skip


@pytest.mark.parametrize("rows", SAME.values(), ids=SAME)
def test_rows_in_any_form_are_the_same_cells(rows):
    table = read_rows(rows, LAYOUT)
    assert table.n_rows == 3
    assert cells(table) == [AGES, JOBS, MEMBERS]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_numbers_of_every_type(dtype):
    frame = FRAME[["age"]].astype(dtype)
    for rows in (frame, {"age": frame["age"]}, frame.to_numpy(), pa.table(frame.convert_dtypes())):
        assert read_rows(rows, ColumnLayout.of(["age"])).column(0).tolist() == AGES


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_named_columns_makes_no_difference(seed):
    order = random.Random(seed).sample(NAMES, 3)
    for rows in (FRAME[order], pa.table(FRAME[order]), FRAME[order].to_dict("records"), FRAME[order].to_dict("list")):
        assert cells(read_rows(rows, LAYOUT)) == [AGES, JOBS, MEMBERS]


def test_other_columns_are_left_out_and_unneeded_ones_may_be_missing():
    frame = FRAME.drop(columns="job").assign(note="x")
    for rows in (frame, pa.table(frame), frame.to_dict("records"), frame.to_dict("list")):
        assert cells(read_rows(rows, SOME), SOME) == [AGES, MEMBERS]
    assert cells(read_rows(ROWS, SOME), SOME) == [AGES, MEMBERS]


def test_missing_values_stay_what_they_are():
    values = {"object": [1, None], "Int64": [1, pd.NA], "float64": [1.0, np.nan]}
    for dtype, given in values.items():
        column = read_rows(pd.DataFrame({"age": pd.Series(given, dtype=dtype)}), ColumnLayout.of(["age"])).column(0)
        assert column[0] == 1
        assert column[1] is None or is_missing(column[1])
    assert read_rows(pa.table({"age": [1, None]}), ColumnLayout.of(["age"])).column(0).tolist() == [1, None]


def test_no_rows():
    for rows in ([], np.empty((0, 3)), FRAME[:0], pa.table(FRAME[:0]), {"age": [], "job": [], "member": []}):
        assert read_rows(rows, LAYOUT).n_rows == 0


def test_integers_are_not_copied_and_others_are_no_codes():
    for dtype in [*INTEGERS, "bool"]:
        rows = np.ones((4, 3), dtype=dtype)
        codes = read_rows(rows, LAYOUT).integers((0, 1, 2))
        assert np.shares_memory(codes, rows)
        assert codes.dtype.kind in "iu"
    narrow = read_rows({"age": np.uint8([1]), "job": np.int16([2]), "member": np.array([True])}, LAYOUT)
    assert narrow.integers((0, 1, 2)).dtype == np.int16
    assert narrow.integers((0, 1, 2)).tolist() == [[1, 2, 1]]
    mixed = read_rows({"age": np.uint64([1]), "job": np.int64([2]), "member": [0]}, LAYOUT)
    assert mixed.integers((0, 1, 2)) is None
    assert read_rows(np.ones((4, 3)), LAYOUT).integers((0, 1, 2)) is None


# --- names ------------------------------------------------------------------------------------------------------------

NOT_PLACES = [[3, 1, 2], [2, 1, 0], [1, 2, 3], [0, 1, 1], [0, 1, "member"], [0.5, 1, 2], [False, True, 2]]


@pytest.mark.parametrize("columns", NOT_PLACES, ids=str)
@pytest.mark.parametrize("layout", [LAYOUT, UNNAMED], ids=["named", "unnamed"])
def test_numbers_are_places_only_if_they_count(layout, columns):
    """A DataFrame whose columns 3, 1 and 2 were chosen must not be read as columns 0, 1 and 2."""
    frame = FRAME.set_axis(columns, axis=1)
    with pytest.raises(symcf.InstanceError, match="the columns do not fit the classifier: missing"):
        read_rows(frame, layout)
    if len(set(columns)) == 3:
        with pytest.raises(symcf.InstanceError, match="missing"):
            read_row(frame.iloc[0], layout)
        with pytest.raises(symcf.InstanceError, match="missing"):
            read_row(dict(zip(columns, ROWS[0], strict=True)), layout)


def test_numbers_that_are_no_places_are_named():
    with pytest.raises(
        symcf.InstanceError, match="unknown 3, 1, 2; numbers are places only if they are 0 to 2 in this"
    ):
        read_rows(FRAME.set_axis([3, 1, 2], axis=1), LAYOUT)


def test_columns_without_names_are_read_in_order():
    for rows in (FRAME, FRAME.set_axis(range(3), axis=1), pa.table(FRAME), FRAME.to_dict("records"), ROWS):
        assert cells(read_rows(rows, UNNAMED)) == [AGES, JOBS, MEMBERS]
    with pytest.raises(symcf.InstanceError, match="missing 'x1', 'x2'"):  # one name is known, so names count
        read_rows(FRAME.rename(columns={"age": "x0"}), UNNAMED)
    with pytest.raises(symcf.InstanceError, match="2 columns, the classifier reads 3"):
        read_rows(FRAME[["age", "job"]], UNNAMED)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (FRAME[["age", "job"]], "missing 'member'$"),
        (FRAME.assign(note=1), "unknown 'note'$"),
        (FRAME.rename(columns={"job": "Job"}), "missing 'job', unknown 'Job'$"),
        (pd.concat([FRAME, FRAME[["age"]]], axis=1), "'age' appears more than once$"),
        (pa.table([[1], [2], [3], [4]], names=["age", "job", "member", "job"]), "'job' appears more than once$"),
        (FRAME.set_axis(range(3), axis=1)[[0, 1]], "the rows have 2 columns, the classifier reads 3$"),
        ([FRAME.iloc[0].to_dict(), {"age": 1}], "^row 1: the columns do not fit .*: missing 'job', 'member'$"),
        ({"age": [1, 2], "job": [1], "member": [1, 2]}, "the columns do not all have the same length, but 1, 2 values"),
        ({"age": 31, "job": "clerk", "member": True}, "column 'age' must be a list of values, not 31"),
        ({"age": np.ones((2, 2)), "job": [1, 2], "member": [1, 2]}, "column 'age' must be one-dimensional"),
        ([[1, 2], [1]], "the rows do not all have the same number of values"),
        ([1, 2, 3], "rows must be two-dimensional, not 1-dimensional"),
        (np.ones((2, 4)), "the rows have 4 columns, the classifier reads 3"),
    ],
    ids=range(13),
)
def test_what_does_not_fit_is_told(rows, message):
    with pytest.raises(symcf.InstanceError, match=message):
        read_rows(rows, LAYOUT)


# --- one row ----------------------------------------------------------------------------------------------------------

SAME_ROW = {
    "list": ROWS[0],
    "tuple": tuple(ROWS[0]),
    "array": np.array(ROWS[0], dtype=object),
    "mapping": FRAME.iloc[0].to_dict(),
    "mapping in another order": {"member": True, "age": 31, "job": "clerk"},
    "Series": FRAME.iloc[0],
    "Series in another order": FRAME.iloc[0][["job", "age", "member"]],
    "Series without names": pd.Series(ROWS[0]),
    "DataFrame": FRAME[:1],
    "Arrow": pa.table(FRAME[:1]),
}


@pytest.mark.parametrize("row", SAME_ROW.values(), ids=SAME_ROW)
def test_a_row_in_any_form_is_the_same_row(row):
    assert cells(read_row(row, LAYOUT)) == [[31], ["clerk"], [True]]
    assert cells(read_row(row, SOME), SOME) == [[31], [True]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (FRAME.iloc[0][["age", "job"]], "missing 'member'"),
        (FRAME.iloc[0].rename({"age": "Age"}), "missing 'age', unknown 'Age'"),
        (pd.Series(ROWS[0], index=[2, 0, 1]), "unknown 2, 0, 1"),
        (FRAME, "an instance must be one row; this has 3 rows"),
        ([1, 2], "the instance has 2 values, the classifier reads 3"),
        ("abc", "an instance must be one-dimensional; 'abc' has 0 dimensions"),
        (None, "an instance must be one-dimensional; None has 0 dimensions"),
        ([[1, 2, 3]], "an instance must be one-dimensional; this one has 2 dimensions"),
    ],
    ids=range(8),
)
def test_what_is_no_row_is_told(row, message):
    with pytest.raises(symcf.InstanceError, match=message):
        read_row(row, LAYOUT)


def test_arrays_with_ways_of_their_own():
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    two = ColumnLayout.of(["a", "b"])
    assert [read_rows(masked, two).column(j).tolist() for j in (0, 1)] == [[1, 3], [None, 4]]
    assert read_row(masked[0], two).column(1).tolist() == [None]
    matrix = np.array([[1, 2], [3, 4]]).view(np.matrix)
    assert read_rows(matrix, two).column(1).tolist() == [2, 4]
    for row in (pa.array([1, 2]), pa.chunked_array([[1], [2]])):
        assert [read_row(row, two).column(j).tolist() for j in (0, 1)] == [[1], [2]]


def test_cells_may_hold_anything():
    assert read_row({"age": [1, 2], "job": "x", "member": [3]}, LAYOUT).column(0).tolist() == [[1, 2]]
    for value in ([1, 2], (3,), {"a": 1}, "text", None, Decimal("0.5")):
        row = {"age": value, "job": value, "member": value}
        for column in (read_row(row, LAYOUT).column(1), read_rows([row, row], LAYOUT).column(1)):
            assert column[0] == value
            assert type(column[0]) is type(value)


# --- columns and numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "i"),
        ([1, 0.5], "f"),
        ([True], "b"),
        ([1, None], "O"),
        (["a", 1], "O"),
        ([[1], [2]], "O"),
        ([2**70], "O"),
    ],
)
def test_a_column_of_numbers_or_of_objects(values, kind):
    column = as_column(values)
    assert (column.dtype.kind, column.shape) == (kind, (len(values),))
    assert column.tolist() == values


def test_the_numbers_of_a_column():
    given = [
        1,
        2.5,
        True,
        np.bool_(False),
        Decimal("0.25"),
        np.int8(-3),
        10**400,
        -(10**400),
        None,
        np.nan,
        pd.NA,
        "1",
        [1],
    ]
    floats, readable = as_floats(as_column(given))
    inf, nan = float("inf"), float("nan")
    np.testing.assert_array_equal(floats, [1, 2.5, 1, 0, 0.25, -3, inf, -inf, nan, nan, nan, nan, nan])
    assert readable.tolist() == [True] * 11 + [False, False]
    for others in (np.array(["1"]), np.array([b"1"]), np.array([1j]), np.array([1], dtype="datetime64[ns]")):
        floats, readable = as_floats(others)
        assert np.isnan(floats).all()
        assert not readable.any()


def test_a_series_is_not_many_rows():
    pd = pytest.importorskip("pandas")
    c = symcf.compile(symcf.LinearClassifier([1, 1], -1, features=["a", "b"]))
    with pytest.raises(symcf.InstanceError, match="two-dimensional"):
        c.predict(pd.Series([0, 1], index=["a", "b"]), codes=True)
