"""Data files of each format -> pieces: some rows as columns of cells. Errors name the file and the line.

    CSV, TSV        text in any encoding, cells are text
    JSON lines      one object or list per line; a JSON file with one list of them is read as a whole
    Parquet, Arrow  columns with types (pyarrow); Feather is Arrow's format for files

Each of them may be compressed by gzip, which its first bytes tell.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from symcf.cli.exits import InputError
from symcf.cli.pieces import CHUNK, Piece, Source

__all__ = ["ENDINGS", "TextForm", "format_of", "open_source"]

#: What a file in Unicode may begin with.
BOM = "\ufeff"

#: A longer line, in bytes, is not a line of a table.
LONGEST_LINE = 1 << 24

#: Formats by the endings of names.
ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


@dataclass(frozen=True)
class TextForm:
    """How text is read."""

    delimiter: str = ","
    encoding: str = "utf-8"
    header: bool = True
    #: What stands before the decimals of numbers in CSV.
    decimal: str = "."


#: A number with a comma before its decimals.
WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")


def format_of(path: str) -> str | None:
    """The format by the ending of a name, before ``.gz``."""
    return ENDINGS.get(os.path.splitext(path.removesuffix(".gz"))[1].lower())


def open_source(file: BinaryIO, name: str, format: str, form: TextForm, stack: ExitStack) -> Source:
    """The source in a file; ``auto`` goes by the name, and CSV is what has no known ending."""
    kind = (format_of(name) or "csv") if format == "auto" else format
    buffered: Any = file if hasattr(file, "peek") else io.BufferedReader(cast(io.RawIOBase, file))
    if buffered.peek(2)[:2] == b"\x1f\x8b":
        buffered = stack.enter_context(gzip.GzipFile(fileobj=buffered))
    if kind in ("parquet", "arrow"):
        from symcf.cli.columnar import open_columns  # needs pyarrow

        return open_columns(buffered, name, kind, stack)
    lines = Lines(buffered, name, form.encoding)
    if kind in ("json", "jsonl"):
        return JsonSource(lines, name, whole=kind == "json")
    return CsvSource(lines, name, form, "tab" if kind == "tsv" and form.delimiter == "," else form.delimiter)


# --- text -------------------------------------------------------------------------------------------------------------


class Lines:
    """The lines of a file as text."""

    def __init__(self, file: BinaryIO, name: str, encoding: str) -> None:
        self._file, self._name, self._encoding = file, name, encoding

    def __iter__(self) -> Iterator[str]:
        try:
            known = codecs.lookup(self._encoding).name
            "".encode(self._encoding)  # some codecs turn bytes into bytes
        except (LookupError, ValueError, TypeError):
            raise InputError(f"--encoding {self._encoding}: no such encoding") from None
        try:
            yield from self._utf8() if known == "utf-8" else self._other()
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(f"{self._name}: damaged gzip data: {error}") from None

    def _utf8(self) -> Iterator[str]:
        for number in itertools.count(1):
            line = self._file.readline(LONGEST_LINE)
            if not line:
                return
            if len(line) == LONGEST_LINE and line[-1:] != b"\n":
                raise InputError(f"{self._name}: line {number} has more than {LONGEST_LINE:,} bytes: not a text table")
            if number == 1:
                line = self._checked_start(line)
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{self._name}: line {number} is not UTF-8 (byte {error.object[error.start]:#04x} at place "
                    f"{error.start + 1}): save the file as UTF-8, or name its encoding, such as --encoding latin-1"
                ) from None

    def _checked_start(self, line: bytes) -> bytes:
        if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise InputError(f"{self._name}: this is UTF-16, not UTF-8: use --encoding utf-16")
        for magic, what, option in (
            (b"PAR1", "Parquet", "parquet"),
            (b"ARROW1", "Arrow", "arrow"),
            (b"PK\x03\x04", "a spreadsheet or a zip file", None),
            (b"\xd0\xcf\x11\xe0", "a spreadsheet", None),
        ):
            if line.startswith(magic):
                advice = f"use --input-format {option}" if option else "save it as CSV"
                raise InputError(f"{self._name}: this is {what}, not text: {advice}")
        return line.removeprefix(codecs.BOM_UTF8)

    def _other(self) -> Iterator[str]:
        """By a decoder of our own: a TextIOWrapper would close the file, which others opened."""
        decoder = codecs.getincrementaldecoder(self._encoding)()
        number, rest = 0, ""
        try:
            while True:
                block = self._file.read(1 << 16)
                rest += decoder.decode(block, final=not block)
                *whole, rest = rest.split("\n")
                for line in whole:
                    number += 1
                    yield f"{line}\n" if number > 1 else f"{line.removeprefix(BOM)}\n"
                if not block:
                    if rest:
                        yield rest if number else rest.removeprefix(BOM)
                    return
                if len(rest) > LONGEST_LINE:
                    raise InputError(f"{self._name}: line {number + 1} is too long: not a text table")
        except UnicodeError as error:
            raise InputError(f"{self._name}: after line {number}: not {self._encoding}: {error}") from None


class CsvSource(Source):
    """Text with a character between its cells."""

    delimited = True

    def __init__(self, lines: Iterable[str], name: str, form: TextForm, delimiter: str) -> None:
        delimiter = {"tab": "\t", "\\t": "\t"}.get(delimiter, delimiter)
        if len(delimiter) != 1 or delimiter in '\r\n"' or ord(delimiter) > 0x10000:
            raise InputError(f"--delimiter {delimiter!r}: give one character or the word tab")
        self._name = name
        self._comma = form.decimal == ","
        self._rows = self._read(csv.reader(lines, delimiter=delimiter, strict=True))
        first = next(self._rows, None)
        if form.header and first is None:
            raise InputError(f"{name}: the file is empty; it needs a header with the names of the columns")
        self.header = first[1] if form.header and first is not None else None
        self.width = None if first is None else len(first[1])
        if not form.header and first is not None:
            self._rows = itertools.chain([first], self._rows)

    def _read(self, reader: Any) -> Iterator[tuple[int, list[str]]]:
        """Line number and cells of each row; empty lines are skipped."""
        try:
            for row in reader:
                if row:
                    yield reader.line_num, list(map(_with_point, row)) if self._comma else row
        except csv.Error as error:
            problem = str(error)
            if problem.startswith("new-line character"):  # the csv module's advice is for programmers
                problem = "a carriage return within the line; lines must end with a line feed, or with both"
            raise InputError(f"{self._name}: line {reader.line_num}: not CSV: {problem}") from None

    def pieces(self, places: Sequence[int] | None) -> Iterator[Piece]:
        first = 1
        while chunk := list(itertools.islice(self._rows, CHUNK)):
            lines = [line for line, _ in chunk]
            table = [row for _, row in chunk]
            for i, row in enumerate(table):
                if len(row) != self.width:
                    number = f"{self._name}: row {first + i} (line {lines[i]})"
                    raise InputError(f"{number}: {len(row)} cells in a table of {self.width} columns")
            yield Piece(first, len(table), dict(enumerate(zip(*table, strict=True))), lines)
            first += len(table)


def _with_point(cell: str) -> str:
    """A cell; a number with a decimal point where it has a comma."""
    return cell.replace(",", ".") if "," in cell and WITH_COMMA.fullmatch(cell) else cell


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, which must not have two values of the same name: the last would win, and nobody would know."""
    made = dict(pairs)
    if len(made) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"two values are called {twice!r}")
    return made


class JsonSource(Source):
    """Objects by the names of the columns, or lists in the order of the classifier's."""

    delimited = False

    def __init__(self, lines: Iterable[str], name: str, whole: bool) -> None:
        self._name = name
        self._rows = self._of_list(lines) if whole else self._of_lines(lines)
        first = next(self._rows, None)
        self.header, self.width = None, None
        self._known: frozenset[str] = frozenset()
        if first is not None:
            self.header = list(first[1]) if isinstance(first[1], dict) else None
            self.width = len(first[1])
            self._known = frozenset(self.header or ())
            self._rows = itertools.chain([first], self._rows)

    def _of_lines(self, lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, self._row(line, f"line {number}")

    def _of_list(self, lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
        text = "".join(itertools.takewhile(bool, lines))
        rows = self._parsed(text, "the file")
        if not isinstance(rows, list):
            raise InputError(
                f"{self._name}: a JSON file of rows must be a list of objects; for one per line, use .jsonl"
            )
        for number, row in enumerate(rows, 1):
            yield number, self._checked(row, f"row {number}")

    def _row(self, line: str, where: str) -> Any:
        return self._checked(self._parsed(line, where), where)

    def _parsed(self, text: str, where: str) -> Any:
        try:
            return json.loads(text, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self._name}: {where} is not JSON: {error}") from None

    def _checked(self, row: Any, where: str) -> Any:
        if not isinstance(row, (dict, list)):
            raise InputError(f"{self._name}: {where}: a row must be an object or a list, not {type(row).__name__}")
        return row

    def pieces(self, places: Sequence[int] | None) -> Iterator[Piece]:
        """See `Source`. A key that is missing is a missing value."""
        first = 1
        while chunk := list(itertools.islice(self._rows, CHUNK)):
            table = [self._cells(row, first + i, line) for i, (line, row) in enumerate(chunk)]
            yield Piece(first, len(table), dict(enumerate(zip(*table, strict=True))), [line for line, _ in chunk])
            first += len(table)

    def _cells(self, row: Any, number: int, line: int) -> list[Any]:
        if isinstance(row, dict) == (self.header is None):
            raise InputError(f"{self._name}: row {number} (line {line}): objects and lists do not mix")
        if self.header is None:
            if len(row) != self.width:
                raise InputError(
                    f"{self._name}: row {number} (line {line}): {len(row)} cells, others have {self.width}"
                )
            return list(row)
        more = [key for key in row if key not in self._known]
        if more:
            raise InputError(f"{self._name}: row {number} (line {line}): the first row has no {more[0]!r}")
        return [row.get(key) for key in self.header]
