"""Data files, read in chunks for a classifier. Errors name file, row and column.

Rows are counted from 1, without the header; lines are those of the file, for an editor.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

import symcf
from symcf.cli.cells import CodeCells, RawCells, make_cells, plain_column
from symcf.cli.exits import InputError
from symcf.cli.pieces import Cells, Piece
from symcf.cli.sources import WITH_COMMA, TextForm, open_source
from symcf.common.renamed import did_you_mean
from symcf.data.reader import Codes
from symcf.errors import InstanceError

__all__ = ["Chunk", "Data", "Reading", "all_rows", "bad_rows", "plain_rows"]


#: Options that name a column which the classifier does not read, and what that column is.
ID_OPTIONS = {"--id": "name", "--group": "group"}


@dataclass(frozen=True)
class Reading:
    """How a data file is to be read."""

    format: str = "auto"
    delimiter: str = ","
    encoding: str = "utf-8"
    header: bool = True
    cells: str = "auto"
    id: str | None = None
    #: The option that names this column.
    id_option: str = "--id"
    #: Other columns whose cells are wanted.
    beside: tuple[str, ...] = ()
    #: May there be columns that the classifier does not know?
    extra: bool = False
    #: Give unreadable rows the status "invalid" instead of stopping there?
    mark: bool = False
    #: Are all cells of the rows wanted, as they stand in the file?
    whole: bool = False
    #: The number of the only row to read, from 1; None reads them all.
    row: int | None = None
    #: What stands before the decimals of numbers in CSV: "." or ",".
    decimal: str = "."


@dataclass(frozen=True)
class Chunk:
    """Some rows."""

    #: The number of the first.
    first: int
    #: Value codes; rows that could not be read have a -1.
    codes: Codes
    ids: list[str] | None
    #: The raw values by the names of their columns; None where the classifier reads codes.
    raw: dict[str, npt.NDArray[Any]] | None = None
    #: If they are wanted, all cells by their places in the file.
    cells: Cells | None = None
    #: By name, the cells of other columns that are wanted.
    beside: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    #: By place among these rows, what is wrong with those that could not be read.
    problems: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.codes)


class Data:
    """A data file, and the classifier that its rows are for. Use it in a with statement; it can be read once."""

    def __init__(self, path: str, compiled: symcf.Compiled, reading: Reading) -> None:
        self.path = path
        self.name = "stdin" if path == "-" else path
        self._compiled = compiled
        self._cells: CodeCells | RawCells = make_cells(compiled, reading.cells)
        self._reading = reading
        self._stack = ExitStack()
        #: The names of the columns in the file, once it is read; those of the classifier if the file has none.
        self.header: list[str] = []
        self._file: BinaryIO | None = None
        #: Bytes in all; 0 if unknown.
        self.size = os.path.getsize(path) if os.path.isfile(path) else 0

    def __enter__(self) -> Data:
        if self.path == "-":
            if sys.stdin is None:
                raise InputError("DATA is -, but stdin is closed: name a file")
            self._file = sys.stdin.buffer
        else:
            self._file = self._stack.enter_context(open(self.path, "rb"))
        return self

    def __exit__(self, *what: object) -> None:
        self._stack.close()

    def read_bytes(self) -> int:
        """Bytes read so far, for a progress bar."""
        try:
            return self._file.tell() if self.size and self._file is not None else 0
        except (OSError, ValueError):
            return 0

    def chunks(self, row: int | None = None) -> Iterator[Chunk]:
        """The rows, chunk by chunk; or the row of this number alone."""
        assert self._file is not None, "use Data in a with statement"
        reading = self._reading
        form = TextForm(reading.delimiter, reading.encoding, reading.header, reading.decimal)
        self._source = open_source(self._file, self.name, reading.format, form, self._stack)
        if self._source.width is None:
            return
        self._bind(self._source.header, self._source.width)
        own = [] if self._id_at is None else [self._id_at]
        needed = sorted({*self._columns_at.values(), *own, *self._beside_at.values()})
        pieces = self._source.pieces(None if reading.whole else needed)
        number = row or reading.row
        for piece in pieces if number is None else self._only(pieces, number):
            yield self._read(piece)

    def _only(self, pieces: Iterator[Piece], number: int) -> Iterator[Piece]:
        seen = 0
        for piece in pieces:
            seen = piece.first + piece.count - 1
            if number <= seen:
                yield piece.row(number)
                return
        raise InputError(f"{self.name}: there is no row {number}, only {seen}")

    def place_of(self, column: int) -> int:
        """The place in the file of a column of the classifier. requires: a chunk was read."""
        return self._columns_at[column]

    def replaced(self, feature: int, cell: Any, new: Hashable) -> Any:
        """What stands for a new value of a feature, as it stands in a cell. requires: the classifier reads codes."""
        assert isinstance(self._cells, CodeCells)
        return self._cells.replaced(feature, cell, new)

    def row(self, number: int | None) -> Chunk:
        """One row: the one of this number, or the only one."""
        found: Chunk | None = None
        for chunk in self.chunks(number):
            if found is not None or len(chunk) != 1:
                raise InputError(f"{self.name}: the file has several rows; choose one with --row N")
            found = chunk
        if found is None:
            raise InputError(f"{self.name}: the file has no rows")
        return found

    def _read(self, piece: Piece) -> Chunk:
        needed = {j: piece.cells[place] for j, place in self._columns_at.items()}
        try:
            codes, raw = self._coded(needed, piece.count, self._reading.mark)
        except InstanceError as error:
            comma = isinstance(error.value, str) and self._source.delimited and WITH_COMMA.fullmatch(error.value)
            hint = "; if decimals stand after commas, use --decimal ," if comma and self._reading.decimal == "." else ""
            raise InputError(f"{self._where(piece, error.row or 0)}, {error.place}: {error.problem}{hint}") from None
        ids = None if self._id_at is None else [_text(cell) for cell in piece.cells[self._id_at]]
        problems = {i: self._problem(needed, i) for i in np.flatnonzero(bad_rows(codes)).tolist()}
        beside = {name: piece.cells[place] for name, place in self._beside_at.items()}
        return Chunk(piece.first, codes, ids, raw, piece.cells if self._reading.whole else None, beside, problems)

    def _coded(self, needed: Cells, count: int, mark: bool) -> tuple[Codes, dict[str, npt.NDArray[Any]] | None]:
        """The value codes of cells, and the raw values where the classifier reads those."""
        if not isinstance(self._cells, RawCells):
            return self._cells.codes(needed, count, mark), None
        columns = self._cells.columns(needed)
        raw = {self._cells.layout.names[j]: column for j, column in columns.items()}
        codes, decision = self._cells.codes(columns, count, mark), self._compiled.decision
        if mark:
            return decision.marked(codes), raw
        decision.check_rows(codes)
        return codes, raw

    def _problem(self, needed: Cells, i: int) -> str:
        """Why a row cannot be read: what reading it alone says."""
        try:
            self._coded({j: column[i : i + 1] for j, column in needed.items()}, 1, mark=False)
        except InstanceError as error:
            return f"{error.place}: {error.problem}"
        return "it cannot be read"

    def _where(self, piece: Piece, row: int) -> str:
        line = "" if piece.lines is None else f" (line {piece.lines[row]})"
        return f"{self.name}: row {piece.first + row}{line}"

    # --- columns

    def _bind(self, header: Sequence[str] | None, width: int) -> None:
        """Finds the needed columns: `_columns_at` maps their places in the classifier to those in the file."""
        layout, id_name = self._cells.layout, self._reading.id
        self._id_at: int | None = None
        self._beside_at: dict[str, int] = {}
        self.header = list(layout.names if header is None else header)
        if header is None:
            if id_name is not None:
                raise InputError(f"{self._reading.id_option} {id_name}: without a header columns have no names")
            if self._reading.beside:
                raise InputError(f"column {self._reading.beside[0]!r}: without a header columns have no names")
            if width != len(layout.names):
                raise InputError(
                    f"{self.name}: {width} columns, the classifier reads {len(layout.names)}{self._hint(None, width)}"
                )
            self._columns_at = {j: j for j in layout.needed}
            return
        if id_name is not None:
            self._id_at = self._place(header, id_name, self._reading.id_option)
        self._beside_at = {name: self._place(header, name, "column") for name in self._reading.beside}
        aside = {self._id_at, *(self._beside_at[name] for name in self._beside_at if name not in layout.names)}
        others = [name for i, name in enumerate(header) if i not in aside]
        if not layout.named and set(others).isdisjoint(layout.names) and len(others) == len(layout.names):
            places = [i for i in range(len(header)) if i not in aside]
            self._columns_at = {j: places[j] for j in layout.needed}
            return
        self._check_names(header, others)
        place_of = {name: i for i, name in enumerate(header)}
        if len(place_of) < len(header):  # the names that matter may still occur once
            place_of = {layout.names[j]: self._place(header, layout.names[j], "column") for j in layout.needed}
        self._columns_at = {j: place_of[layout.names[j]] for j in layout.needed}

    def _check_names(self, header: Sequence[str], others: Sequence[str]) -> None:
        layout = self._cells.layout
        given, known = set(header), set(layout.names)
        missing = [layout.names[j] for j in layout.needed if layout.names[j] not in given]
        if missing:
            hint = self._hint(header, len(header)) or did_you_mean(missing[0], given - known)
            raise InputError(f"{self.name}: missing {_columns(missing)}{hint}")
        extra = [name for name in others if name not in known]
        if extra and not self._reading.extra:
            raise InputError(
                f"{self.name}: the classifier does not know {_columns(extra)}; --extra ignores such columns, "
                f"{self._reading.id_option} NAME uses one as the {ID_OPTIONS[self._reading.id_option]} of the row"
            )

    def _place(self, header: Sequence[str], name: str, what: str) -> int:
        places = [i for i, other in enumerate(header) if other == name]
        if len(places) != 1:
            missing = f"there is no such column{did_you_mean(name, header)}"
            problem = missing if not places else f"{len(places)} columns have this name"
            raise InputError(f"{self.name}: {what} {name!r}: {problem}{self._hint(header, len(header))}")
        return places[0]

    def _hint(self, header: Sequence[str] | None, width: int) -> str:
        """A guess at the reason if no column fits."""
        if header is not None and width == 1 and self._source.delimited:
            for sign, option in ((";", "';'"), ("\t", "tab"), ("|", "'|'")):
                if sign in header[0]:
                    return f"; if its columns are separated by {option}, use --delimiter {option}"
        if (
            header is not None
            and width == len(self._cells.layout.names)
            and not set(header) & set(self._cells.layout.names)
        ):
            return "; if the first line is a row and not the names of the columns, use --no-header"
        return ""


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _columns(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(map(repr, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")
    return f"the column{'s' * (len(names) != 1)} {shown}"


def bad_rows(codes: Codes) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The rows that could not be read."""
    return np.asarray((codes < 0).any(axis=1))


def plain_rows(path: str, reading: Reading) -> Any:
    """All rows of a table that no classifier reads yet: columns by name, or where they have none, in their order."""
    form = TextForm(reading.delimiter, reading.encoding, reading.header, reading.decimal)
    with ExitStack() as stack:
        source = open_source(stack.enter_context(open(path, "rb")), path, reading.format, form, stack)
        pieces = list(source.pieces(None))
    if not pieces:
        raise InputError(f"{path}: the file has no rows")
    cells = [[cell for piece in pieces for cell in piece.cells[place]] for place in range(source.width or 0)]
    columns = list(map(plain_column, cells))
    return np.column_stack(columns) if source.header is None else dict(zip(source.header, columns, strict=True))


def all_rows(data: Data) -> tuple[Any, list[str] | None, dict[int, str]]:
    """All rows that could be read, as raw columns or as value codes; their names; and by number the problems of those
    that could not.
    """
    with data:
        chunks = list(data.chunks())
    if not chunks:
        raise InputError(f"{data.name}: the file has no rows")
    codes = np.concatenate([chunk.codes for chunk in chunks])
    good = ~bad_rows(codes)
    problems = {chunk.first + i: problem for chunk in chunks for i, problem in chunk.problems.items()}
    names = [name for chunk in chunks for name in chunk.ids or []]
    kept = [name for name, fine in zip(names, good.tolist(), strict=bool(names)) if fine] or None
    if chunks[0].raw:
        columns = {name: np.concatenate([chunk.raw[name] for chunk in chunks if chunk.raw]) for name in chunks[0].raw}
        return {name: column[good] for name, column in columns.items()}, kept, problems
    return codes[good], kept, problems
