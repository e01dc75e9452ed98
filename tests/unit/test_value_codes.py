"""Value codes: every way to give them means the same, and what is wrong with others is named."""

from __future__ import annotations

import array

import numpy as np
import oracle
import pytest
from strategies import Classifier

import symcf
from symcf.data.encoder import ValueCodes, encoder_from_dict

FEATURES = ("E", "WE", "GPA", "FA")
CODES = ValueCodes(FEATURES, [2, 2, 2, 2])
ROWS = [[1, 0, 1, 0], [0, 0, 1, 0], [1, 1, 1, 1]]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "intc", "longlong"]


class Frame:
    """As much of a DataFrame as symcf touches."""

    def __init__(self, columns, rows):
        self.columns, self._rows = columns, np.array(rows)

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, name):
        return self._rows[:, self.columns.index(name)]

    def to_numpy(self):
        return self._rows


class Series:
    """As much of a pandas Series as symcf touches."""

    def __init__(self, index, values):
        self.index, self._values = index, list(values)

    def to_numpy(self):
        return np.array(self._values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype=dtype)


@pytest.fixture
def c():
    model = symcf.NaiveBayes.binary(0.3, [0.40, 0.96, 0.97, 0.70], [0.15, 0.10, 0.11, 0.20], features=FEATURES)
    return symcf.compile(model)


# --- many rows --------------------------------------------------------------------------------------------------------

SAME_ROWS = {
    "list of lists": ROWS,
    "tuple of tuples": tuple(map(tuple, ROWS)),
    "list of arrays": [np.array(row) for row in ROWS],
    "bools": np.array(ROWS, dtype=bool),
    "list of bools": [[bool(v) for v in row] for row in ROWS],
    "floats": np.array(ROWS, dtype=float),
    "half floats": np.array(ROWS, dtype=np.float16),
    "objects": np.array(ROWS, dtype=object),
    "objects of several types": np.array([[1, 0.0, True, np.int8(0)], *ROWS[1:]], dtype=object),
    "Fortran order": np.asfortranarray(np.array(ROWS)),
    "a strided view": np.repeat(np.repeat(ROWS, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": np.array([row[::-1] for row in ROWS[::-1]])[::-1, ::-1],
    "other byte order": np.array(ROWS, dtype=np.dtype(np.int32).newbyteorder()),
    "read-only": np.frombuffer(np.array(ROWS, dtype=np.int16).tobytes(), dtype=np.int16).reshape(3, 4),
    "a frame": Frame(list(FEATURES), ROWS),
    "a frame with other columns first": Frame(["FA", "GPA", "WE", "E"], [row[::-1] for row in ROWS]),
    "a frame with numbered columns": Frame([0, 1, 2, 3], ROWS),
} | {name: np.array(ROWS, dtype=name) for name in INTEGERS}


@pytest.mark.parametrize("rows", SAME_ROWS.values(), ids=SAME_ROWS)
def test_rows_in_any_form_are_the_same_rows(c, rows):
    assert CODES.encode(rows).tolist() == ROWS
    assert c.predict(rows, codes=True).tolist() == [0, 0, 1]
    assert c.diagram.evaluate(rows).tolist() == [0, 0, 1]


def test_a_pandas_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=FEATURES)[list(FEATURES[::-1])]
    assert CODES.encode(frame).tolist() == ROWS
    assert CODES.encode_one(frame.iloc[0]).tolist() == ROWS[:1]


def test_what_the_core_can_read_is_not_copied():
    for dtype in ("bool", "int8", "uint64"):
        rows = np.array(ROWS, dtype=dtype)
        assert np.shares_memory(CODES.encode(rows), rows)


@pytest.mark.parametrize(
    "rows", [np.empty((0, 4)), np.empty((0, 4), dtype=int), Frame(list(FEATURES), np.empty((0, 4)))]
)
def test_no_rows_have_no_answers(c, rows):
    assert c.predict(rows, codes=True).shape == (0,)
    assert c.decision_function(rows).shape == (0,)
    assert c.predict_proba(rows).shape == (0, 2)


def test_no_features():
    c = Classifier(0.7, (), ()).compiled()
    assert c.predict(np.empty((3, 0)), codes=True).tolist() == [1, 1, 1]
    assert c.predict([[], []], codes=True).tolist() == [1, 1]
    assert ValueCodes([], []).encode_one([]).shape == (1, 0)
    assert ValueCodes([], []).encode_one({}).shape == (1, 0)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([1, 0, 1, 0], ["two-dimensional", "1-dimensional"]),
        ([[[1, 0, 1, 0]]], ["two-dimensional", "3-dimensional"]),
        (7, ["two-dimensional", "0-dimensional"]),
        ([[1, 0, 1]], ["3 columns", "4"]),
        ([[1, 0, 1, 0, 1]], ["5 columns", "4"]),
        ([[]], ["0 columns", "4"]),
        ([ROWS[0], [1, 0, float("nan"), 0]], ["row 1", "'GPA'", "missing"]),
        ([ROWS[0], [1, 0, float("inf"), 0]], ["row 1", "'GPA'", "inf"]),
        ([ROWS[0], [1, 0, 1, 0.5]], ["row 1", "'FA'", "0.5"]),
        ([ROWS[0], [1, 0, 1, 1e300]], ["row 1", "'FA'", "1e+300"]),
        ([ROWS[0], [1, -1, 1, 0]], ["row 1", "'WE'", "-1", "between 0 and 1"]),
        ([ROWS[0], [1, 2, 1, 0]], ["row 1", "'WE'", "2", "between 0 and 1"]),
        ([ROWS[0], [1, 2.0, 1, 0]], ["row 1", "'WE'", "2", "between 0 and 1"]),
        (np.array([[1, 0, 1, 2**32]]), ["row 0", "'FA'", str(2**32)]),
        (np.array([[1, 0, 1, 2**63]], dtype=np.uint64), ["row 0", "'FA'", str(2**63)]),
        (np.array([[1, 0, 1, -(2**63)]]), ["row 0", "'FA'", str(-(2**63))]),
        (np.array([[1, 0, 1, -1]], dtype=np.int8), ["row 0", "'FA'", "-1"]),
        ([["1", "0", "1", "0"]], ["row 0", "'1'"]),
        ([[1, 0, 1, 0], ["yes", 0, 1, 0]], ["row 1", "'yes'"]),
        (np.array([["yes", 0, 1, 0]], dtype=object), ["row 0", "'E'", "'yes'"]),
        (np.array([[1, 0, None, 0]], dtype=object), ["row 0", "'GPA'"]),
        (np.array([[1, 0, 1j, 0]]), ["row 0", "'E'", "(1+0j)"]),
        (np.array([[1, 0, 1, 0]], dtype="datetime64[s]"), ["row 0", "'E'", "not a value code"]),
        (np.array([["1", "0", "1", "0"]], dtype=object), ["row 0", "'E'", "'1'"]),
        ([[1, 0, 1, 0], [1, 0]], ["rows"]),
        (Frame(["E", "WE", "GPA", "age"], ROWS), ["missing 'FA'", "unknown 'age'"]),
        (Frame(["E", "WE", "GPA"], [[1, 0, 1]]), ["missing 'FA'"]),
    ],
    ids=lambda value: None if isinstance(value, list) and value and isinstance(value[0], str) else repr(value)[:40],
)  # fmt: skip
def test_what_is_wrong_with_rows_is_named(c, rows, words):
    with pytest.raises(symcf.InstanceError) as error:
        c.predict(rows, codes=True)
    assert [word for word in words if word not in str(error.value)] == []


def test_the_error_holds_row_feature_and_value(c):
    with pytest.raises(symcf.InstanceError) as caught:
        c.predict([ROWS[0], [1, 0, 7, 0]], codes=True)
    assert (caught.value.row, caught.value.feature, caught.value.value) == (1, 2, 7)


def test_the_first_wrong_code_is_the_one_named(c):
    with pytest.raises(symcf.InstanceError, match="row 1, column 'WE': 5"):
        c.predict([ROWS[0], [1, 5, 6, 0], [9, 9, 9, 9]], codes=True)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_codes_out_of_range_are_caught_in_every_type(c, dtype):
    rows = np.array(ROWS, dtype=dtype)
    for bad in (2, np.iinfo(dtype).max, np.iinfo(dtype).min or 2):
        rows[2, 3] = bad
        with pytest.raises(symcf.InstanceError, match=f"row 2, column 'FA': {bad} "):
            c.predict(rows, codes=True)


def test_json():
    again = encoder_from_dict(CODES.to_dict())
    assert again.encode_one({"FA": 1, "E": 0, "WE": 1, "GPA": 0}).tolist() == [[0, 1, 0, 1]]
    assert again.to_dict() == CODES.to_dict()


def test_signed_and_unsigned_columns_of_64_bits():
    columns = {"E": np.uint64([1, 2**63]), "WE": np.int64([0, 1]), "GPA": [1, 1], "FA": [0, 0]}
    with pytest.raises(symcf.InstanceError, match=f"row 1, column 'E': {2**63} is not a value code between 0 and 1"):
        CODES.encode(columns)
    assert CODES.encode(columns, mark=True).tolist() == [[1, 0, 1, 0], [-1, 1, 1, 0]]


def test_a_diagram_names_features_too(c):
    with pytest.raises(symcf.InstanceError, match="'GPA'"):
        c.diagram.evaluate([[1, 0, 7, 0]])


def test_codes_of_features_with_many_values():
    table = [[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]]
    c = symcf.compile(symcf.NaiveBayes([0.5, 0.5], [table, [[0.5, 0.5], [0.4, 0.6]]]))
    assert c.predict(oracle.inputs([3, 2]), codes=True).tolist() == [1, 1, 0, 1, 0, 0]
    with pytest.raises(symcf.InstanceError, match="'x0': 3 is not a value code between 0 and 2"):
        c.predict([[3, 0]], codes=True)


# --- one row ----------------------------------------------------------------------------------------------------------

SAME_ROW = {
    "list": [1, 0, 1, 0],
    "tuple": (1, 0, 1, 0),
    "array": np.array([1, 0, 1, 0], dtype=np.uint8),
    "array module": array.array("b", [1, 0, 1, 0]),
    "floats": [1.0, 0.0, 1.0, 0.0],
    "bools": [True, False, True, False],
    "mapping": {"FA": 0, "GPA": 1, "WE": 0, "E": 1},
    "series": Series(["FA", "GPA", "WE", "E"], [0, 1, 0, 1]),
    "series without names": Series([0, 1, 2, 3], [1, 0, 1, 0]),
    "every other": np.array([1, 9, 0, 9, 1, 9, 0, 9])[::2],
}


@pytest.mark.parametrize("x", SAME_ROW.values(), ids=SAME_ROW)
def test_an_instance_in_any_form_is_the_same_instance(c, x):
    assert CODES.encode_one(x).tolist() == [[1, 0, 1, 0]]
    assert c.wcnf(x).soft.tolist() == [1, -2, 3, -4]


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ([1, 0, 1], ["3 values", "4"]),
        ([[1, 0, 1, 0]], ["one-dimensional", "2"]),
        (3, ["one-dimensional", "0"]),
        ({"E": 1, "WE": 0, "GPA": 1}, ["missing 'FA'"]),
        ({"E": 1, "WE": 0, "GPA": 1, "FA": 0, "age": 40}, ["unknown 'age'"]),
        ([1, 0, 1, float("nan")], ["'FA'", "missing"]),
        ([1, 0, 1, 0.25], ["'FA'", "0.25"]),
        ([1, 0, 1, 2], ["'FA'", "2", "between 0 and 1"]),
        ([1, 0, 1, -1], ["'FA'", "-1"]),
        ([1, 0, 1, "yes"], ["'yes'"]),
        ("1010", ["one-dimensional"]),
        ({"E": 1, "WE": 0, "GPA": 1, "FA": "yes"}, ["'yes'"]),
    ],
    ids=str,
)
def test_what_is_wrong_with_an_instance_is_named(c, x, words):
    with pytest.raises(symcf.InstanceError) as error:
        c.wcnf(x)
    assert [word for word in words if word not in str(error.value)] == []


def test_long_lists_of_names_are_cut():
    with pytest.raises(symcf.InstanceError, match="and 95 more"):
        ValueCodes([f"x{j}" for j in range(100)], [2] * 100).encode_one({})
