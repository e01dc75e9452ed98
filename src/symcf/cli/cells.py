"""Cells of a table -> values: what is written in a column, and which value it stands for.

A classifier without an encoder takes value codes. Each cell may hold the label of a value ("high") or its code
(1); but if a text is the label of one value and the code of another, the column is refused until the user says which is
meant. A classifier with an encoder takes raw values: numbers and categories.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import symcf
from symcf.cli.exits import InputError
from symcf.common.renamed import did_you_mean
from symcf.common.text import number_in
from symcf.data.encoder import Encoder
from symcf.data.labels import codes_are_clear
from symcf.data.reader import Codes, ColumnLayout, Table, as_column
from symcf.errors import InstanceError

__all__ = ["CodeCells", "RawCells", "label_code", "make_cells", "plain_column", "spelled"]

#: The most other spellings of numbers (1, 1.0, 1e0) that are remembered per column.
MOST_SPELLINGS = 10_000

#: Longer numbers are not read as whole ones.
MOST_DIGITS = 18

#: Texts for a missing number; in a column of categories only an empty cell is one.
MISSING = frozenset(["", "NA", "N/A", "nan", "NaN", "NAN", "null", "None"])

#: Texts for truth values, as Python, pandas and spreadsheets write them.
TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")
TRUTHS = dict.fromkeys(TRUE, True) | dict.fromkeys(FALSE, False)

Cell = Any
Column = Sequence[Cell]


# --- labels and codes -------------------------------------------------------------------------------------------------


def spelled(label: Hashable) -> str:
    """A label or a cell as text. Whole numbers are written without a fraction, whatever their type."""
    plain = label.item() if isinstance(label, np.generic) else label
    if plain is None:
        return ""
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, float) and plain.is_integer() and abs(plain) < 2**53:
        return str(int(plain))
    return str(plain)


def spellings(labels: Sequence[Hashable], what: str) -> dict[str, int]:
    """Text -> code by the labels; an error if two labels have the same text."""
    table: dict[str, int] = {}
    for code, label in enumerate(labels):
        texts = TRUE if label is True else FALSE if label is False else ()
        for text in texts or (spelled(label),):
            if table.setdefault(text, code) != code:
                raise InputError(f"{what}: two of its values are written {text!r}; a file cannot distinguish them")
    return table


def readings(labels: Sequence[Hashable], cells: str, what: str) -> dict[str, int]:
    """Text -> code, by labels, codes, or both if no text has two meanings."""
    by_code = {str(code): code for code in range(len(labels))}
    if cells == "codes":
        return by_code
    by_label = spellings(labels, what)
    if cells == "labels":
        return by_label
    for text, code in by_label.items():
        if by_code.get(text, code) != code:
            raise InputError(
                f"{what}: {text} could be the value labelled {text} (code {code}) or the value of code {text} "
                f"(labelled {spelled(labels[by_code[text]])}): choose --cells labels or --cells codes"
            )
    return by_code | by_label


def label_code(text: str, labels: Sequence[Hashable], what: str, also: Sequence[str] = ()) -> int:
    """The code of a value or class that is named on the command line: by the rule of `symcf.data.labels.code_of`.

    ``also`` has other words that the option takes, for the error.
    """
    table = spellings(labels, what)
    if codes_are_clear(labels):
        table = {str(code): code for code in range(len(labels))} | table
    code = table.get(text, _as_number(text, table))
    if code < 0:
        near = did_you_mean(text, [*also, *map(spelled, labels)])
        raise InputError(f"{what}: {text!r} is not one of {listed(labels)}{near}")
    return code


def _as_number(text: str, table: Mapping[str, int]) -> int:
    """The code of a number in another spelling; -1 if there is none."""
    try:
        number = number_in(text)
    except ValueError:
        return -1
    return table.get(spelled(number), -1) if math.isfinite(number) else -1


def listed(labels: Iterable[Hashable], most: int = 8) -> str:
    """Labels for an error message."""
    texts = [spelled(label) for label in labels]
    return ", ".join(map(repr, texts[:most])) + (f" and {len(texts) - most} more" if len(texts) > most else "")


class CodeCells:
    """Reads the cells of a classifier that takes value codes."""

    def __init__(self, compiled: symcf.Compiled, cells: str) -> None:
        self.layout = ColumnLayout.of(compiled.features)
        self._labels, self._as_codes = compiled.values, cells == "codes"
        self._tables = [
            readings(labels, cells, f"column {name!r}")
            for name, labels in zip(compiled.features, compiled.values, strict=True)
        ]

    def codes(self, table: Mapping[int, Column], count: int, mark: bool) -> Codes:
        """The value codes of a chunk; with `mark`, unreadable cells are -1."""
        codes = np.empty((count, len(self._tables)), dtype=np.int32)
        for j, readings in enumerate(self._tables):
            column = table[j]
            if not all(isinstance(cell, str) for cell in column):
                column = [spelled(cell) for cell in column]
            get = readings.get
            codes[:, j] = [get(cell, -1) for cell in column]
            for i in np.flatnonzero(codes[:, j] < 0).tolist():
                codes[i, j] = self._other_spelling(j, column[i])
                if codes[i, j] < 0 and not mark:
                    raise self._unreadable(i, j, table[j][i])
        return codes

    def replaced(self, j: int, cell: Cell, new: Hashable) -> Any:
        """A new value in the way in which the old one is written in a cell: as a label or as a code."""
        labels, text = self._labels[j], spelled(cell)
        if not self._as_codes:
            table = spellings(labels, f"column {self.layout.names[j]!r}")
            if text in table or _as_number(text, table) >= 0:
                return spelled(new) if isinstance(cell, str) else new
        code = labels.index(new)
        return str(code) if isinstance(cell, str) else code

    def _other_spelling(self, j: int, cell: Any) -> int:
        table = self._tables[j]
        code = _as_number(cell, table) if isinstance(cell, str) else -1
        if code >= 0 and len(table) < MOST_SPELLINGS:
            table[cell] = code
        return code

    def _unreadable(self, row: int, j: int, cell: Cell) -> InstanceError:
        if cell is None or cell == "":
            problem = f"the value is missing; it must be one of {listed(self._labels[j])}"
        else:
            problem = f"{_short(cell)} is not one of {listed(self._labels[j])}"
        return InstanceError(problem, row=row, columns=(self.layout.names[j],), feature=j, value=cell)


# --- raw values -------------------------------------------------------------------------------------------------------


class RawCells:
    """Reads the cells of a classifier with an encoder: each column as its encoder expects it."""

    def __init__(self, model: symcf.Model, encoder: Encoder) -> None:
        from symcf.models.black_box import BlackBoxModel  # not before there are rows: `symcf check` needs no model

        self._encoder = encoder
        #: Where a classifier is asked, rows have values of their own.
        self._asked = model if isinstance(model, BlackBoxModel) else None
        self.layout = encoder.layout
        self._parsers: dict[int, Callable[[Cell], Any]] = {j: self._parser(j) for j in self.layout.needed}
        for reader in encoder.readers:
            if reader.keys is not None:
                (column,) = reader.sources
                others = self._asked is not None and self._asked.columns[column].numbers
                self._parsers[column] = _category(self.layout.names[column], reader.keys, reader.blank, others)

    def _parser(self, j: int) -> Callable[[Cell], Any]:
        """How numbers are read: in a column of booleans, and where no type is known, "True" and "false" are numbers."""
        kind = self.layout.type_of(j)
        return _truth if kind is None or kind.kind == "b" else _number

    def columns(self, table: Mapping[int, Column]) -> dict[int, npt.NDArray[Any]]:
        """The raw values of a chunk, by place."""
        return {j: as_column(map(parse, table[j])) for j, parse in self._parsers.items()}

    def codes(self, columns: Mapping[int, npt.NDArray[Any]], count: int, mark: bool) -> Codes:
        """The value codes of raw values; with `mark`, unreadable cells are -1."""
        table = Table(count, columns)
        encoder = self._encoder if self._asked is None else self._asked.including(table).encoder
        return encoder.encode_table(table, mark=mark)


def _number(cell: Cell) -> Any:
    if not isinstance(cell, str):
        return math.nan if cell is None else cell
    try:
        number = number_in(cell)
        return int(cell) if cell.lstrip("+-").isdecimal() and len(cell) < MOST_DIGITS else number
    except ValueError:
        return math.nan if cell in MISSING else cell


def _truth(cell: Cell) -> Any:
    return TRUTHS[cell] if isinstance(cell, str) and cell in TRUTHS else _number(cell)


def _category(name: str, keys: Sequence[Hashable], empty: float | None, others: bool) -> Callable[[Cell], Any]:
    """Text -> the category with this text; other text stays text, unless `others` are numbers."""
    table = spellings(keys, f"column {name!r}")

    def parse(cell: Cell) -> Any:
        text = spelled(cell)
        code = table.get(text, -1)
        if code < 0:
            code = _as_number(text, table)
        if code >= 0:
            return keys[code]
        return empty if text == "" else _number(cell) if others else cell

    return parse


def plain_column(cells: Column) -> npt.NDArray[Any]:
    """A column that no classifier reads yet: numbers where every cell is one or missing, else the cells as they are."""
    numbers = [_number(cell) for cell in cells]
    return as_column(cells if any(isinstance(number, str) for number in numbers) else numbers)


def _short(cell: Cell, most: int = 60) -> str:
    text = repr(cell)
    return text if len(text) <= most else f"{text[:most]}..."


def make_cells(compiled: symcf.Compiled, cells: str) -> CodeCells | RawCells:
    """The reader of a classifier's cells; ``cells`` says how codes may be written: "auto", "labels" or "codes"."""
    model = compiled.model
    if isinstance(model, symcf.Model) and model.encoder is not None:
        if cells != "auto":
            raise InputError(f"--cells {cells}: this classifier reads raw values, not labels or codes")
        return RawCells(model, model.encoder)
    return CodeCells(compiled, cells)
