"""Data files, read in chunks: CSV (also from stdin) and Parquet. Errors name file, row and column.

Rows are counted from 1, without the header; lines are those of the file, for an editor.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

import symcf
from symcf.cli.cells import CodeCells, RawCells, make_cells
from symcf.cli.exits import InputError
from symcf.errors import InstanceError
from symcf.rows.reader import Codes

__all__ = ["Chunk", "Data", "Reading", "all_rows"]

#: Rows read at a time.
CHUNK = 4096

#: A longer line, in bytes, is not a line of a table.
LONGEST_LINE = 1 << 24

Cells = Mapping[int, Sequence[Any]]


@dataclass(frozen=True)
class Reading:
    """How a data file is to be read."""

    format: str = "auto"
    delimiter: str = ","
    encoding: str = "utf-8"
    header: bool = True
    cells: str = "auto"
    id: str | None = None
    #: May there be columns that the classifier does not know?
    extra: bool = False
    #: Give unreadable rows the status "invalid" instead of stopping there?
    mark: bool = False
    #: Are all cells of the rows wanted, as they stand in the file?
    whole: bool = False


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

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True)
class _Piece:
    """Some rows of the file, by the places of the columns."""

    first: int
    count: int
    cells: Cells
    lines: Sequence[int] | None


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
            self._file = sys.stdin.buffer
        else:
            self._file = self._stack.enter_context(open(self.path, "rb"))
        return self

    def __exit__(self, *what: object) -> None:
        self._stack.close()

    @property
    def is_parquet(self) -> bool:
        """Is it Parquet, by the option or by its name?"""
        format = self._reading.format
        return format == "parquet" or (format == "auto" and self.path.endswith((".parquet", ".pq")))

    def read_bytes(self) -> int:
        """Bytes read so far, for a progress bar."""
        try:
            return self._file.tell() if self.size and self._file is not None else 0
        except (OSError, ValueError):
            return 0

    def chunks(self) -> Iterator[Chunk]:
        """The rows, chunk by chunk."""
        assert self._file is not None, "use Data in a with statement"
        pieces = self._parquet(self._file) if self.is_parquet else self._csv(self._file)
        for piece in pieces:
            yield self._read(piece)

    def place_of(self, column: int) -> int:
        """The place in the file of a column of the classifier. requires: a chunk was read."""
        return self._columns_at[column]

    def row(self, number: int | None) -> Chunk:
        """One row: the one of this number, or the only one."""
        seen = 0
        for chunk in self.chunks():
            seen = chunk.first + len(chunk) - 1
            if number is not None and number <= seen:
                return _cut(chunk, number - chunk.first)
            if number is None and (seen > 1 or len(chunk) != 1):
                raise InputError(f"{self.name}: the file has several rows; choose one with --row N")
            if number is None:
                only = chunk
        if number is None and seen:
            return only
        raise InputError(f"{self.name}: there is no row {number or 1}, only {seen}")

    def _read(self, piece: _Piece) -> Chunk:
        needed = {j: piece.cells[place] for j, place in self._columns_at.items()}
        raw = None
        try:
            if isinstance(self._cells, RawCells):
                columns = self._cells.columns(needed)
                raw = {self._cells.layout.names[j]: column for j, column in columns.items()}
                codes = self._cells.codes(columns, piece.count, self._reading.mark)
            else:
                codes = self._cells.codes(needed, piece.count, self._reading.mark)
        except InstanceError as error:
            raise InputError(f"{self._where(piece, error.row or 0)}, {error.place}: {error.problem}") from None
        ids = None if self._id_at is None else [_text(cell) for cell in piece.cells[self._id_at]]
        return Chunk(piece.first, codes, ids, raw, piece.cells if self._reading.whole else None)

    def _where(self, piece: _Piece, row: int) -> str:
        line = "" if piece.lines is None else f" (line {piece.lines[row]})"
        return f"{self.name}: row {piece.first + row}{line}"

    # --- columns

    def _bind(self, header: Sequence[str] | None, width: int) -> None:
        """Finds the needed columns: `_columns_at` maps their places in the classifier to those in the file."""
        layout, id_name = self._cells.layout, self._reading.id
        self._id_at: int | None = None
        self.header = list(layout.names if header is None else header)
        if header is None:
            if id_name is not None:
                raise InputError(f"--id {id_name}: without a header columns have no names")
            if width != len(layout.names):
                raise InputError(
                    f"{self.name}: {width} columns, the classifier reads {len(layout.names)}{self._hint(None, width)}"
                )
            self._columns_at = {j: j for j in layout.needed}
            return
        if id_name is not None:
            self._id_at = self._place(header, id_name, "--id")
        others = [name for i, name in enumerate(header) if i != self._id_at]
        if not layout.named and set(others).isdisjoint(layout.names) and len(others) == len(layout.names):
            places = [i for i in range(len(header)) if i != self._id_at]
            self._columns_at = {j: places[j] for j in layout.needed}
            return
        self._check_names(header, others)
        self._columns_at = {j: self._place(header, layout.names[j], "column") for j in layout.needed}

    def _check_names(self, header: Sequence[str], others: Sequence[str]) -> None:
        layout = self._cells.layout
        missing = [layout.names[j] for j in layout.needed if layout.names[j] not in header]
        if missing:
            raise InputError(f"{self.name}: missing {_columns(missing)}{self._hint(header, len(header))}")
        extra = [name for name in others if name not in layout.names]
        if extra and not self._reading.extra:
            raise InputError(
                f"{self.name}: the classifier does not know {_columns(extra)}; --extra ignores such columns, "
                f"--id NAME uses one as the name of the row"
            )

    def _place(self, header: Sequence[str], name: str, what: str) -> int:
        places = [i for i, other in enumerate(header) if other == name]
        if len(places) != 1:
            problem = "there is no such column" if not places else f"{len(places)} columns have this name"
            raise InputError(f"{self.name}: {what} {name!r}: {problem}{self._hint(header, len(header))}")
        return places[0]

    def _hint(self, header: Sequence[str] | None, width: int) -> str:
        """A guess at the reason if no column fits."""
        if header is not None and width == 1 and not self.is_parquet:
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

    # --- CSV

    def _csv(self, file: BinaryIO) -> Iterator[_Piece]:
        delimiter = {"tab": "\t", "\\t": "\t"}.get(self._reading.delimiter, self._reading.delimiter)
        if len(delimiter) != 1 or delimiter in '\r\n"' or ord(delimiter) > 0x10000:
            raise InputError(f"--delimiter {delimiter!r}: give one character or the word tab")
        reader = csv.reader(self._text_lines(file), delimiter=delimiter, strict=True)
        rows = self._csv_rows(reader)
        header = next(rows, None) if self._reading.header else None
        if self._reading.header and header is None:
            raise InputError(f"{self.name}: the file is empty; it needs a header with the names of the columns")
        if header is not None:
            self._bind(header[1], len(header[1]))
        first, width = 1, None if header is None else len(header[1])
        while chunk := list(itertools.islice(rows, CHUNK)):
            if width is None:
                width = len(chunk[0][1])
                self._bind(None, width)
            lines = [line for line, _ in chunk]
            table = [row for _, row in chunk]
            for i, row in enumerate(table):
                if len(row) != width:
                    number = f"{self.name}: row {first + i} (line {lines[i]})"
                    raise InputError(f"{number}: {len(row)} cells in a table of {width} columns")
            yield _Piece(first, len(table), dict(enumerate(zip(*table, strict=True))), lines)
            first += len(table)

    def _csv_rows(self, reader: Any) -> Iterator[tuple[int, list[str]]]:
        """Line number and cells of each row; empty lines are skipped."""
        try:
            for row in reader:
                if row:
                    yield reader.line_num, row
        except csv.Error as error:
            problem = str(error)
            if problem.startswith("new-line character"):  # the csv module's advice is for programmers
                problem = "a carriage return within the line; lines must end with a line feed, or with both"
            raise InputError(f"{self.name}: line {reader.line_num}: not CSV: {problem}") from None

    def _text_lines(self, file: BinaryIO) -> Iterator[str]:
        encoding = self._reading.encoding
        try:
            known = codecs.lookup(encoding).name
            "".encode(encoding)  # some codecs turn bytes into bytes
        except (LookupError, ValueError, TypeError):
            raise InputError(f"--encoding {encoding}: no such encoding") from None
        if known == "utf-8":
            yield from self._utf8_lines(file)
        else:
            yield from self._other_lines(file, encoding)

    def _utf8_lines(self, file: BinaryIO) -> Iterator[str]:
        for number in itertools.count(1):
            line = file.readline(LONGEST_LINE)
            if not line:
                return
            if len(line) == LONGEST_LINE and line[-1:] != b"\n":
                raise InputError(f"{self.name}: line {number} has more than {LONGEST_LINE:,} bytes: not a CSV file")
            if number == 1:
                line = self._checked_start(line)
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{self.name}: line {number} is not UTF-8 (byte {error.object[error.start]:#04x} at place "
                    f"{error.start + 1}): save the file as UTF-8, or name its encoding, such as --encoding latin-1"
                ) from None

    def _checked_start(self, line: bytes) -> bytes:
        if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise InputError(f"{self.name}: this is UTF-16, not UTF-8: use --encoding utf-16")
        if line.startswith(b"PAR1"):
            raise InputError(f"{self.name}: this is Parquet, not CSV: use --input-format parquet")
        return line.removeprefix(codecs.BOM_UTF8)

    def _other_lines(self, file: BinaryIO, encoding: str) -> Iterator[str]:
        number = 0
        text = io.TextIOWrapper(file, encoding=encoding, newline="")
        try:
            while line := text.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE and line[-1:] != "\n":
                    raise InputError(f"{self.name}: line {number} is too long: not a CSV file")
                yield line
        except UnicodeError as error:
            raise InputError(f"{self.name}: after line {number}: not {encoding}: {error}") from None
        finally:
            text.detach()  # the file is closed where it was opened

    # --- Parquet

    def _parquet(self, file: BinaryIO) -> Iterator[_Piece]:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise InputError("Parquet needs pyarrow: pip install 'symcf[arrow]'") from None
        try:
            table = pq.ParquetFile(file if self.size else self._seekable(file))
            names = table.schema_arrow.names
            self._bind(names, len(names))
            places = sorted({*self._columns_at.values(), *([] if self._id_at is None else [self._id_at])})
            if self._reading.whole:
                places = list(range(len(names)))
            first = 1
            for batch in table.iter_batches(batch_size=CHUNK, columns=[names[i] for i in places]):
                # names may hold dots or occur twice, so columns are found by their order
                cells = dict(zip(places, (column.to_pylist() for column in batch.columns), strict=True))
                yield _Piece(first, batch.num_rows, cells, None)
                first += batch.num_rows
        except (pa.ArrowException, UnicodeError, ValueError, KeyError, OverflowError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{self.name}: cannot be read as Parquet: {error}") from None
        except OSError as error:
            if error.errno is not None:
                raise
            raise InputError(f"{self.name}: cannot be read as Parquet: {error}") from None

    def _seekable(self, file: BinaryIO) -> Any:
        """Parquet is read from its end, so input from a pipe is copied to a file first."""
        copy = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        shutil.copyfileobj(file, copy)
        copy.seek(0)
        return copy


def _cut(chunk: Chunk, i: int) -> Chunk:
    ids = None if chunk.ids is None else [chunk.ids[i]]
    raw = None if chunk.raw is None else {name: column[i : i + 1] for name, column in chunk.raw.items()}
    return Chunk(chunk.first + i, chunk.codes[i : i + 1], ids, raw)


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _columns(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(map(repr, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")
    return f"the column{'s' * (len(names) != 1)} {shown}"


def bad_rows(codes: Codes) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The rows that could not be read."""
    return np.asarray((codes < 0).any(axis=1))


def all_rows(data: Data) -> tuple[Any, list[str] | None]:
    """All rows, as raw columns or as value codes, and their names."""
    with data:
        chunks = list(data.chunks())
    if not chunks:
        raise InputError(f"{data.name}: the file has no rows")
    names = [name for chunk in chunks for name in chunk.ids or []]
    if chunks[0].raw:
        columns = {name: np.concatenate([chunk.raw[name] for chunk in chunks if chunk.raw]) for name in chunks[0].raw}
        return columns, names or None
    return np.concatenate([chunk.codes for chunk in chunks]), names or None
