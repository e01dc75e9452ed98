"""Raw columns: categories, ranges and one-hot columns become codes; what cannot be read is named with all it takes."""

from __future__ import annotations

import json
import math
import pickle
import random

import numpy as np
import pytest

import symcf
from symcf.data.columns import Categories, OneHot, Ranges, RawColumns
from symcf.data.encoder import encoder_from_dict

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

#: Age in three ranges, -1 for unknown; a job; a colour that was encoded by hand; and a column that nobody reads.
ENCODER = RawColumns(
    ["age", "id", "job", "red", "green"],
    [
        Ranges(0, (18.0, 65.0), (0, 1, 2), nan=3, markers=((-1.0, 3),)),
        Categories(2, ("clerk", "nurse", 7), (0, 1, 2), none=3),
        OneHot((3, 4), (1, 2), none=0),
    ],
)
ROWS = [
    [17, "a", "clerk", 1, 0],
    [18, "b", "nurse", 0, 1],
    [64.5, "c", 7, 0, 0],
    [65, "d", None, 1, 0],
    [-1, "e", 7.0, 0, 1],
    [None, "f", "clerk", 0, 0],
]
CODES = [[0, 0, 1], [1, 1, 2], [1, 2, 0], [2, 3, 1], [3, 2, 2], [3, 0, 0]]


def frame(names=("age", "id", "job", "red", "green")):
    return pd.DataFrame(ROWS, columns=["age", "id", "job", "red", "green"])[list(names)]


def test_what_every_reader_makes_of_its_columns():
    assert ENCODER.encode(ROWS).tolist() == CODES
    assert [ENCODER.encode_one(row).tolist() for row in ROWS] == [[codes] for codes in CODES]


@pytest.mark.parametrize("seed", range(6))
def test_orders_of_columns_and_rows_only_permute_the_codes(seed):
    rng = random.Random(seed)
    columns = rng.sample(["age", "job", "red", "green"] + ["id"] * (seed % 2), 4 + seed % 2)
    order = rng.sample(range(len(ROWS)), len(ROWS))
    given = frame(columns).iloc[order]
    wanted = [CODES[i] for i in order]
    forms = {
        "frame": given,
        "records": given.to_dict("records"),
        "lists": given.to_dict("list"),
        "arrow": pa.table({name: pa.array(given[name].map(str) if name == "job" else given[name]) for name in columns}),
    }
    as_text = Categories(2, ("clerk", "nurse", "7", "7.0", "None"), (0, 1, 2, 2, 3))
    numbered = RawColumns(ENCODER.columns, [ENCODER.readers[0], as_text, ENCODER.readers[2]])
    for name, rows in forms.items():
        assert (numbered if name == "arrow" else ENCODER).encode(rows).tolist() == wanted, name


@pytest.mark.parametrize(
    "dtype", ["int8", "int64", "uint8", "uint64", "float32", "float64", "object", "bool", "boolean", "Int64"]
)
def test_types_of_one_hot_columns(dtype):
    given = frame().astype({"red": dtype, "green": dtype})
    assert ENCODER.encode(given).tolist() == CODES


@pytest.mark.parametrize("dtype", ["float32", "float64", "Float64", "Int64", "object", "category"])
def test_types_of_numbers(dtype):
    ages = pd.Series([17, 18, 64, 65, -1, None]).astype(dtype)
    assert ENCODER.encode(frame().assign(age=ages))[:, 0].tolist() == [row[0] for row in CODES]


def test_types_of_categories():
    jobs = pd.Series(["clerk", "nurse", "nurse", "clerk", "nurse", "clerk"])
    wanted = [0, 1, 1, 0, 1, 0]
    for dtype in ("object", "category", "string", "string[pyarrow]"):
        assert ENCODER.encode(frame().assign(job=jobs.astype(dtype)))[:, 1].tolist() == wanted, dtype
    dictionary = pa.table(frame().assign(job=jobs)).set_column(2, "job", pa.array(jobs).dictionary_encode())
    assert ENCODER.encode(dictionary)[:, 1].tolist() == wanted


ONE_FEATURE = ": these columns are read as one feature (groups=None reads each by itself)"

BAD = [
    (0, "old", ("age",), 0, "old", "row 4, column 'age': 'old' is not a finite number"),
    (0, float("inf"), ("age",), 0, float("inf"), "row 4, column 'age': inf is not a finite number"),
    (2, "pilot", ("job",), 1, "pilot", "row 4, column 'job': 'pilot' is not one of 'clerk', 'nurse', 7"),
    (2, float("nan"), ("job",), 1, None,
     "row 4, column 'job': the value is missing; it must be one of 'clerk', 'nurse', 7"),
    (2, ["clerk"], ("job",), 1, ["clerk"], "row 4, column 'job': ['clerk'] is not one of 'clerk', 'nurse', 7"),
    (3, 1, ("red", "green"), 2, (1, 1),
     f"row 4, columns 'red', 'green': 1, 1 are not one 1 among 0s, or only 0s{ONE_FEATURE}"),
    (4, 0.5, ("red", "green"), 2, (0, 0.5),
     f"row 4, columns 'red', 'green': 0, 0.5 are not one 1 among 0s, or only 0s{ONE_FEATURE}"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "value", "columns", "feature", "found", "message"), BAD, ids=range(len(BAD)))
def test_an_error_has_fields_and_one_wording(place, value, columns, feature, found, message):
    rows = [dict(zip(ENCODER.columns, row, strict=True)) for row in ROWS]
    rows[4][ENCODER.columns[place]] = value
    with pytest.raises(symcf.InstanceError) as caught:
        ENCODER.encode(rows)
    error = caught.value
    assert str(error) == message
    assert (error.row, error.columns, error.feature) == (4, columns, feature)
    assert error.column == (columns[0] if len(columns) == 1 else None)
    assert found is None or error.value == found
    assert message.endswith(error.problem)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (message, vars(error)) or found is None  # nan is not nan
    moved = error.at(row=1004, where="b.csv")
    assert str(moved) == "b.csv: " + message.replace("row 4", "row 1004")
    assert moved.columns == columns
    with pytest.raises(symcf.InstanceError) as one:
        ENCODER.encode_one(rows[4])
    assert str(one.value) == message.removeprefix("row 4, ")
    assert one.value.row is None
    marked = ENCODER.encode(rows, mark=True)
    assert np.argwhere(marked < 0).tolist() == [[4, feature]]


@pytest.mark.parametrize("unit", ["s", "ns"])
def test_times_are_no_numbers(unit):
    given = frame().assign(age=pd.to_datetime(["2020-01-01"] * 6).astype(f"datetime64[{unit}]"))
    with pytest.raises(symcf.InstanceError, match=r"^row 0, column 'age': .*2020-01-01.* is not a finite number"):
        ENCODER.encode(given)


def test_the_first_bad_cell_by_rows_is_named():
    rows = [row.copy() for row in ROWS]
    rows[3][0], rows[1][3] = "old", 5
    with pytest.raises(symcf.InstanceError, match=r"^row 1, columns 'red', 'green'"):
        ENCODER.encode(rows)


def test_json():
    again = encoder_from_dict(json.loads(json.dumps(ENCODER.to_dict())))
    assert again == ENCODER
    assert hash(again) == hash(ENCODER)
    assert again.layout == ENCODER.layout
    assert again.encode(ROWS).tolist() == CODES
    assert again != RawColumns(ENCODER.columns, ENCODER.readers, named=False)
    with pytest.raises(symcf.ModelError, match="cannot be written as JSON"):
        RawColumns(["a"], [Categories(0, (("x", "y"),), (0,))]).to_dict()


@pytest.mark.parametrize(
    ("columns", "readers", "message"),
    [
        ([1], [], "the name of a raw column must be a string, not 1"),
        (["a"], [Ranges(1, (), (0,))], "a reader asks for column 1 of 1"),
        (["a"], [Ranges(0, (1.0,), (0,))], "kind 'ranges' has 1 codes for 2 values"),
        (["a"], [Categories(0, ("x",), (-2,))], "kind 'names' has the code -2"),
        (["a", "b"], [OneHot((0, 1), (0, 2**31))], "kind 'one_hot' has the code 2147483648"),
    ],
    ids=range(5),
)
def test_encoders_that_make_no_sense(columns, readers, message):
    with pytest.raises(symcf.ModelError, match=message):
        RawColumns(columns, readers)


@pytest.mark.parametrize("more", [0, 100])
@pytest.mark.parametrize("text", [(), ("7",)])
def test_categories_that_are_large_integers_are_told_apart(more, text):
    large = 2**53
    keys = (large, large + 1, 7, *range(1000, 1000 + more), *text)
    reader = Categories(0, keys, (0, 1, 2, *range(3, 3 + more), *(2 for _ in text)), nan=-1, none=-1, other=200)
    for kind in (np.int64, np.uint64, object):
        column = np.array([large, large + 1, large + 2, 7], dtype=kind)
        assert reader.read([column]).tolist() == [0, 1, 200, 2]
    assert reader.read([np.array([7.0, np.nan, 7.5, large])]).tolist() == [2, -1, 200, 0]
    assert reader.read([np.array(["7", 7, large + 1], dtype=object)]).tolist() == [2 if text else 200, 2, 1]


@pytest.mark.parametrize("more", [0, 100])
def test_numbers_beside_texts_are_read_as_texts_are(more):
    keys = ("1", 1, 2.5, "x", *range(1000, 1000 + more))
    reader = Categories(0, keys, (0, 0, 1, 2, *range(3, 3 + more)), nan=-1, none=-1, other=200)
    cells = [1, 2, 2.5, 1000, math.nan]
    assert reader.read([np.array(cells)]).tolist() == reader.read([np.array(cells, dtype=object)]).tolist()
    assert reader.read([np.array([True, False])]).tolist() == [0, 200]
