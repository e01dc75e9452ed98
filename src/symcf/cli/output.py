"""Records -> tables, JSON, CSV, Markdown, Parquet or Arrow, on stdout or in a file that appears when it is complete.

Text is UTF-8 in every format; what Unicode cannot encode is written as an escape.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import gzip
import io
import itertools
import json
import os
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, TypeVar, cast
from unicodedata import category

from symcf.cli.exits import InputError
from symcf.cli.sources import ENDINGS
from symcf.common.files import written_whole
from symcf.common.text import number_in, plain

__all__ = [
    "PROBLEM",
    "Record",
    "Writer",
    "csv_cell",
    "dumps",
    "format_for",
    "open_output",
    "open_writer",
    "plain",
    "print_line",
    "printable",
    "text_format",
    "to_terminal",
    "width",
    "write_text",
]

T = TypeVar("T")

#: With --mark-bad-rows, the last column of a table.
PROBLEM = (("problem", "text"),)

#: Categories of Unicode that a terminal may obey: controls, formats such as the direction of text, ends of lines.
CONTROLS = ("Cc", "Cf", "Cs", "Zl", "Zp")

#: Lines of a record that are written at a time.
AT_ONCE = 10_000

#: Lines gathered before they are written as a row group of Parquet.
ROW_GROUP = 1 << 16


# --- values -----------------------------------------------------------------------------------------------------------


def dumps(data: Any) -> str:
    """JSON in one line."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, default=plain)


def printable(text: Hashable) -> str:
    """A name or value as one line without control characters, which could change the terminal."""
    shown = str(text)
    return shown if shown.isprintable() else "".join(c if c.isprintable() else " " for c in shown)


def width() -> int:
    """The width of the terminal; large if there is none, so that lines in pipes are not broken."""
    if "COLUMNS" in os.environ or sys.stdout.isatty():
        return max(20, shutil.get_terminal_size().columns)
    return 1000


def to_terminal(path: str | None) -> bool:
    """Does the output go to a terminal?"""
    return path in (None, "-") and sys.stdout.isatty()


# --- where to ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def open_output(path: str | None) -> Iterator[BinaryIO]:
    """Stdout, or a file under a temporary name, which gets its own name only when everything is written."""
    if path is None or path == "-":
        with _named("stdout"):
            yield cast(BinaryIO, _Terminal()) if sys.stdout.isatty() else sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with _named(path), written_whole(path) as temporary, open(temporary, "wb") as file:
        if not path.endswith(".gz"):
            yield file
            return
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:  # same text, same bytes
            yield cast(BinaryIO, packed)


def write_text(path: str | None, text: str) -> None:
    """Writes text to stdout or a file."""
    with open_output(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def print_line(text: str) -> None:
    """Writes a line to stdout, without control characters."""
    write_text(None, f"{printable(text)}\n")


class _Terminal:
    """Text for a terminal: control characters, which could change it or the order of letters, become escapes."""

    def write(self, content: bytes) -> int:
        """Writes UTF-8."""
        text = content.decode("utf-8", "backslashreplace")
        if not text.isascii() or not text.isprintable():
            text = "".join(c if c in "\n\t" or category(c) not in CONTROLS else f"\\u{ord(c):04x}" for c in text)
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        return len(content)

    def flush(self) -> None:
        """Writes what waits."""
        sys.stdout.buffer.flush()


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Errors that only writing can have, with the name of the file."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF):
            raise
        raise OSError(error.errno, error.strerror, path) from None


def format_for(path: str | None, asked: str | None) -> str:
    """The format that was asked for, or else what the name of the file says; a table if it says nothing."""
    if asked is not None:
        return str(asked)
    if path is None or path == "-":
        return "table"
    ending = os.path.splitext(path.removesuffix(".gz"))[1].lower()
    if ending in (".html", ".htm", ".xls", ".xlsx", ".ods", ".sqlite", ".pickle", ".pkl"):
        instead = "symcf report writes pages" if ending.startswith(".htm") else f"choose one of {', '.join(_WRITERS)}"
        raise InputError(f"-o {path}: {ending} is not written by this command; {instead}")
    return {**ENDINGS, ".md": "md", ".markdown": "md"}.get(ending, "table")


def text_format(path: str | None, asked: str | None) -> str:
    """The same for what is no table: json or, whatever other name the file has, text."""
    return "json" if format_for(path, asked) == "json" else "table"


# --- writers ----------------------------------------------------------------------------------------------------------


class Record(ABC):
    """The result of one row, in the form that each format needs."""

    #: The first cells of each of its lines, which differ even between equal rows.
    head: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """What the row is called in a text."""
        return f"row {self.head[0]}" if len(self.head) == 1 else f"row {self.head[0]} ({printable(self.head[1])})"

    @abstractmethod
    def nested(self) -> Iterable[str]:
        """As a JSON object, in pieces."""

    @abstractmethod
    def lines(self) -> Iterable[tuple[Any, ...]]:
        """As lines of a table with the command's columns, without `head`."""

    def rendered(self, render: Callable[[tuple[Any, ...]], T]) -> Iterable[T]:
        """The lines as the writer formats them; may be cached, so a record belongs to one writer."""
        return map(render, self.lines())

    def text(self, columns: int) -> Iterator[str]:
        """For people, in lines of at most this many columns if possible."""
        yield "".join(self.nested())


def row_columns(id: str | None) -> tuple[tuple[str, str], ...]:
    """The first columns of a table with one line per row: its number and, if there is a column of names, its name."""
    return (("row", "integer"),) if id is None else (("row", "integer"), ("id", "text"))


class Line(Record):
    """One line of a table with named columns."""

    def __init__(self, columns: Sequence[tuple[str, str]], cells: Sequence[Any]) -> None:
        self._columns, self._cells = columns, cells

    def nested(self) -> Iterable[str]:
        """As a JSON object."""
        return [dumps({name: plain(cell) for (name, _), cell in zip(self._columns, self._cells, strict=True)})]

    def lines(self) -> Iterable[tuple[Any, ...]]:
        """As it is."""
        return [tuple(self._cells)]


class Writer(ABC):
    """Writes records in a format."""

    def __init__(self, file: BinaryIO, columns: Sequence[tuple[str, str]]) -> None:
        self.file = file
        self.columns = columns

    def put(self, pieces: Iterable[str]) -> None:
        """Text to the file."""
        for piece in pieces:
            self.file.write(piece.encode("utf-8", "backslashreplace"))

    @abstractmethod
    def write(self, record: Record) -> None:
        """One more record."""

    def close(self) -> None:  # noqa: B027  # most writers have nothing left to do
        """After the last one."""


class JsonLines(Writer):
    """One object per line."""

    def write(self, record: Record) -> None:
        """One more record."""
        self.put(itertools.chain(record.nested(), ["\n"]))


class Json(Writer):
    """One list of objects."""

    _before = "[\n"

    def write(self, record: Record) -> None:
        """One more record."""
        self.put(itertools.chain([self._before], record.nested()))
        self._before = ",\n"

    def close(self) -> None:
        """After the last one."""
        self.put(["[]\n" if self._before == "[\n" else "\n]\n"])


def csv_cell(cell: Any) -> Any:
    """The cell, so that no spreadsheet takes it for a formula and runs it: text that begins like one gets a ' before
    it. Numbers stay as they are.
    """
    if not isinstance(cell, str) or not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return cell
    try:
        number_in(cell)
    except ValueError:
        return f"'{cell}"
    return cell


class Csv(Writer):
    """A header and lines."""

    delimiter = ","
    #: Are cells written as they are, also those that a spreadsheet would run?
    raw = False

    def __init__(self, file: BinaryIO, columns: Sequence[tuple[str, str]]) -> None:
        super().__init__(file, columns)
        self._line = io.StringIO()
        self._csv = csv.writer(self._line, delimiter=self.delimiter, lineterminator="\n")
        self.put([self._rendered([name for name, _ in columns])])

    def _rendered(self, cells: Sequence[Any]) -> str:
        self._csv.writerow(cells if self.raw else map(csv_cell, cells))
        text = self._line.getvalue()
        self._line.seek(0)
        self._line.truncate()
        return text

    def write(self, record: Record) -> None:
        """One more record."""
        head = self._rendered([*record.head, ""])[:-1] if record.head else ""  # with a delimiter at the end
        lines = iter(record.rendered(self._rendered))
        while some := list(itertools.islice(lines, AT_ONCE)):
            self.put([head + head.join(some)])


class Tsv(Csv):
    """The same with tabs."""

    delimiter = "\t"


class RawCsv(Csv):
    """For programs: cells as they are."""

    raw = True


class RawTsv(Tsv):
    """The same with tabs."""

    raw = True


class Markdown(Writer):
    """A table for documents."""

    def __init__(self, file: BinaryIO, columns: Sequence[tuple[str, str]]) -> None:
        super().__init__(file, columns)
        marks = ["---" if kind == "text" else "---:" for _, kind in columns]
        self.put([self._rendered([name for name, _ in columns]), self._rendered(marks)])

    @staticmethod
    def _rendered(cells: Sequence[Any]) -> str:
        return f"| {' | '.join(_shown(cell).replace('|', chr(92) + '|') for cell in cells)} |\n"

    def write(self, record: Record) -> None:
        """One more record."""
        self.put(self._rendered((*record.head, *line)) for line in record.lines())


class Columns(Writer):
    """Columns with types, in groups of rows."""

    kind = "parquet"

    def __init__(self, file: BinaryIO, columns: Sequence[tuple[str, str]]) -> None:
        super().__init__(file, columns)
        from symcf.cli.columnar import table_of, table_writer  # needs pyarrow

        self._table_of = table_of
        self._to, self._schema = table_writer(file, self.kind, columns)
        self._lines: list[tuple[Any, ...]] = []

    def write(self, record: Record) -> None:
        """One more record."""
        kinds = [kind for _, kind in self.columns]
        n_head = len(record.head)
        head = tuple(map(_cell, record.head, kinds))
        for tail in record.rendered(lambda line: tuple(map(_cell, line, kinds[n_head:]))):
            self._lines.append(head + tail)
            if len(self._lines) >= ROW_GROUP:
                self._flush()

    def _flush(self) -> None:
        self._to.write_table(self._table_of(self._lines, self._schema))
        self._lines = []

    def close(self) -> None:
        """After the last one."""
        if self._lines:
            self._flush()
        self._to.close()


def _cell(item: Any, kind: str) -> Any:
    if item is None or item == "":
        return None
    if kind == "integer":
        return int(item)
    if kind == "number":
        return float(item)
    return str(item).encode("utf-8", "backslashreplace").decode()


class Arrow(Columns):
    """The same in Arrow's format for files, which is Feather's, too."""

    kind = "arrow"


class Text(Writer):
    """For people: whatever the record makes of itself."""

    def __init__(self, file: BinaryIO, columns: Sequence[tuple[str, str]]) -> None:
        super().__init__(file, columns)
        self._width = width()

    def write(self, record: Record) -> None:
        """One more record."""
        self.put(line + "\n" for line in record.text(self._width))


class Aligned(Writer):
    """For people: columns side by side, as wide as the first lines need."""

    #: Lines looked at before the first is written.
    FIRST = 1000

    def __init__(self, file: BinaryIO, columns: Sequence[tuple[str, str]]) -> None:
        super().__init__(file, columns)
        self._waiting: list[list[str]] = [[name for name, _ in columns]]
        self._widths: list[int] | None = None

    def write(self, record: Record) -> None:
        """One more record."""
        for line in record.lines():
            self._waiting.append([_shown(item) for item in (*record.head, *line)])
        if self._widths is not None or len(self._waiting) > self.FIRST:
            self._flush()

    def _flush(self) -> None:
        if self._widths is None:
            self._widths = [max(map(len, column)) for column in zip(*self._waiting, strict=True)]
        right = [kind != "text" for _, kind in self.columns]
        for line in self._waiting:
            cells = zip(line, self._widths, right, strict=True)
            self.put(["  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in cells).rstrip() + "\n"])
        self._waiting = []

    def close(self) -> None:
        """After the last one."""
        self._flush()


def _shown(item: Any) -> str:
    if item is None:
        return ""
    return f"{item:.4g}" if isinstance(item, float) else printable(item)


_WRITERS: dict[str, Callable[[BinaryIO, Sequence[tuple[str, str]]], Writer]] = {
    "json": Json,
    "jsonl": JsonLines,
    "csv": Csv,
    "tsv": Tsv,
    "csv-raw": RawCsv,
    "tsv-raw": RawTsv,
    "md": Markdown,
    "parquet": Columns,
    "arrow": Arrow,
    "table": Aligned,
}


@contextlib.contextmanager
def open_writer(
    path: str | None, format: str, columns: Sequence[tuple[str, str]], *, blocks: bool = False
) -> Iterator[Writer]:
    """A writer to stdout or a file. With `blocks`, a table is the text of `Record.text`."""
    if format in ("parquet", "arrow") and to_terminal(path):
        raise InputError(f"--format {format} cannot be written to a terminal: name a file with -o")
    with open_output(path) as file:
        writer = Text(file, columns) if blocks and format == "table" else _WRITERS[format](file, columns)
        yield writer
        writer.close()
