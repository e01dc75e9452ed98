"""Files of rows, cut into parts that can be read on their own.

A part of a Parquet file is a run of row groups; a part of a CSV file is a run of lines, or the whole file. Planning
reads footers and a few bytes near each cut; a worker reads its own part. Needs pyarrow.
"""

from __future__ import annotations

import contextlib
import csv
import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from symcf.errors import InstanceError, JobError, OptionError

__all__ = ["File", "Layout", "Part", "count_rows", "cut", "find_files", "layout_of", "read"]

FORMATS = {"parquet": (".parquet", ".pq", ".parq"), "csv": (".csv", ".tsv", ".csv.gz", ".tsv.gz")}

#: Footers are read by this many threads, which mostly wait for the file system.
READERS = 16

#: A cell of a CSV file that may be a value code.
NUMBER = r"^[+-]?[0-9]+(\.[0-9]*)?$"

#: Bytes that are read at a time to find the end of a line, and the most that a line may have.
WINDOW, LONGEST_LINE = 1 << 16, 1 << 26


@dataclass(frozen=True)
class File:
    """An input file as it was found. A different size or modification time means a different file."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True)
class Part:
    """What one task reads: row groups or bytes from ``start`` to ``end`` of a file; ``end`` -1 is the whole file."""

    path: str
    start: int
    end: int
    #: Rows in it, and before it in all parts; -1 while they have not been counted.
    rows: int = -1
    first_row: int = -1


@dataclass(frozen=True)
class Layout:
    """How the files are read."""

    format: str
    #: The columns that the classifier reads, and those that are handed through.
    columns: tuple[str, ...]
    kept: tuple[pa.Field, ...]
    #: For CSV: the separator, and the types of columns that are not value codes.
    delimiter: str = ","
    types: tuple[tuple[str, Any], ...] = ()
    #: Whether the classifier's columns hold value codes; if not, they have types.
    codes: bool = True


# --- finding ----------------------------------------------------------------------------------------------------------


def find_files(source: Any, file_format: str | None, *, skip: str | None = None) -> tuple[str, list[File]]:
    """The format and the files behind a path, a directory, a pattern, an address (``s3://...``), or a list of them.

    Files in the directory ``skip`` are left out.
    """
    if file_format is not None and file_format not in FORMATS:
        raise OptionError(f"unknown format {file_format!r}: choose from {', '.join(map(repr, FORMATS))}")
    given = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    files = [file for one in given for file in _expand(os.fspath(one), file_format)]
    files = [file for file in files if skip is None or not file.path.startswith(os.path.join(skip, ""))]
    if not files:
        raise JobError(f"no input: no files match {_shown(given)}")
    formats = {file_format or _format_of(file.path) for file in files}
    if len(formats) > 1:
        raise JobError(f"{_shown(given)} has files of several formats ({', '.join(sorted(formats))}): give format=")
    seen: set[str] = set()
    for file in files:
        if file.path in seen:
            raise JobError(f"{file.path} is listed twice")
        seen.add(file.path)
    return formats.pop(), files


def _expand(path: str, file_format: str | None) -> list[File]:
    if "://" not in path:
        path = os.path.abspath(path)
        if not os.path.exists(path) and glob.has_magic(path):
            return [file for match in sorted(glob.glob(path, recursive=True)) for file in _expand(match, file_format)]
    with _naming(path, "found"):
        filesystem, inner = _filesystem(path)
        info = filesystem.get_file_info(inner)
        if info.type == pafs.FileType.NotFound:
            raise JobError(f"{path}: no such file or directory")
        if info.type == pafs.FileType.File:
            return [_file(path, info)]
        found = filesystem.get_file_info(pafs.FileSelector(inner, recursive=True))
    suffixes = FORMATS[file_format] if file_format else sum(FORMATS.values(), ())
    prefix = path[: len(path) - len(inner)] if path.endswith(inner) else ""
    return [
        _file(prefix + one.path, one)
        for one in sorted(found, key=lambda one: one.path)
        if one.type == pafs.FileType.File and one.path.endswith(suffixes) and not _is_hidden(one.path[len(inner) :])
    ]


def _is_hidden(path: str) -> bool:
    """Names that other engines also skip: metadata and unfinished files."""
    return any(name.startswith(("_", ".")) for name in path.split("/"))


def _file(path: str, info: Any) -> File:
    return File(path, info.size or 0, info.mtime_ns or 0)


def _format_of(path: str) -> str:
    for name, suffixes in FORMATS.items():
        if path.endswith(suffixes):
            return name
    raise JobError(f"{path}: the name says neither Parquet nor CSV: give format='parquet' or format='csv'")


def _filesystem(path: str) -> tuple[Any, str]:
    if "://" in path:
        filesystem, inner = pafs.FileSystem.from_uri(path)
        return filesystem, inner
    return pafs.LocalFileSystem(), path


def _shown(given: Sequence[Any]) -> str:
    names = [os.fspath(one) for one in given]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "") if names else "the list"


@contextlib.contextmanager
def _naming(path: str, done: str = "read") -> Iterator[None]:
    """Errors raised inside are reported as errors of this file."""
    try:
        yield
    except (OSError, pa.ArrowException, UnicodeDecodeError, csv.Error) as error:
        raise JobError(f"{path}: cannot be {done}: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]


# --- columns and types ------------------------------------------------------------------------------------------------


def layout_of(
    file_format: str,
    files: Sequence[File],
    columns: Sequence[str],
    keep: Sequence[str],
    *,
    delimiter: str | None = None,
    types: Mapping[str, Any] | None = None,
    codes: bool = True,
) -> Layout:
    """How to read the files, determined from the first. ``codes``: the classifier's columns hold value codes."""
    first = files[0].path
    if file_format == "parquet":
        with _naming(first), _open(first) as handle:
            schema = pq.read_schema(handle)
        _check_columns(first, schema.names, [*columns, *keep])
        return Layout(file_format, tuple(columns), tuple(_plain_field(schema.field(name)) for name in keep))
    delimiter = delimiter or ("\t" if ".tsv" in os.path.basename(first) else ",")
    layout = Layout(file_format, tuple(columns), (), delimiter, codes=codes)
    names, _ = _header(first, layout)
    _check_columns(first, names, [*columns, *keep])
    found = _inferred_types(files, layout, [*keep] if codes else [*columns, *keep], dict(types or {}))
    kept = tuple(pa.field(name, found[name]) for name in keep)
    return replace(layout, kept=kept, types=tuple(found.items()))


def _plain_field(field: pa.Field) -> pa.Field:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    return pa.field(field.name, kind, field.nullable)


def _check_columns(path: str, found: Sequence[str], wanted: Sequence[str]) -> None:
    missing = [name for name in wanted if name not in found]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise JobError(f"{path}: no column {', '.join(map(repr, missing[:5]))}{more}")
    for name in wanted:
        if list(found).count(name) > 1:
            raise JobError(f"{path}: two columns are named {name!r}")


def _inferred_types(
    files: Sequence[File], layout: Layout, wanted: Sequence[str], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Types from the first lines. The classifier's numbers are read as floats, since later lines may have fractions."""
    types = {name: given.get(name, pa.string()) for name in wanted}
    for file in files if wanted else []:
        names, start = _header(file.path, layout)
        _check_columns(file.path, names, wanted)
        if _is_blank(file.path, start):
            continue
        options = pacsv.ConvertOptions(include_columns=list(wanted), column_types=dict(given))
        with _naming(file.path), _open_stream(file.path) as stream:
            schema = _csv_reader(stream, layout, names, options, skip_rows=1, whole=True).schema
        for field in schema:
            if pa.types.is_integer(field.type) and field.name in layout.columns and field.name not in given:
                types[field.name] = pa.float64()
            elif not pa.types.is_null(field.type):
                types[field.name] = field.type
        break
    return types


# --- cutting ----------------------------------------------------------------------------------------------------------


def cut(files: Sequence[File], layout: Layout, part_rows: int | None, part_bytes: int | None) -> list[Part]:
    """The parts of all files, in order. Parquet parts know their rows, CSV parts have to be counted."""
    if layout.format == "parquet":
        names = [*layout.columns, *(field.name for field in layout.kept)]
        with ThreadPoolExecutor(READERS) as pool:
            found = pool.map(lambda file: _row_groups(file.path, names, part_rows), files)
            return numbered([part for parts in found for part in parts])
    return [part for file in files for part in _line_blocks(file, layout, part_bytes)]


def numbered(parts: Sequence[Part], rows: Sequence[int] | None = None) -> list[Part]:
    """The parts with their first rows, once it is known how many rows each has."""
    counts = [part.rows for part in parts] if rows is None else list(rows)
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).tolist()
    return [
        replace(part, rows=count, first_row=start)
        for part, count, start in zip(parts, counts, starts[:-1], strict=True)
    ]


def _row_groups(path: str, columns: Sequence[str], part_rows: int | None) -> list[Part]:
    """Neighbouring row groups go together as long as they have at most `part_rows` rows; None: all of a file."""
    with _naming(path), _open(path) as handle:
        metadata = pq.read_metadata(handle)
        _check_columns(path, metadata.schema.to_arrow_schema().names, columns)
    sizes = [metadata.row_group(g).num_rows for g in range(metadata.num_row_groups)]
    parts: list[Part] = []
    start, rows = 0, 0
    for g, size in enumerate(sizes):
        if part_rows is not None and g > start and rows + size > part_rows:
            parts.append(Part(path, start, g, rows))
            start, rows = g, 0
        rows += size
    return [*parts, Part(path, start, len(sizes), rows)]


def _line_blocks(file: File, layout: Layout, part_bytes: int | None) -> list[Part]:
    """Blocks of about `part_bytes`, cut where a line ends; compressed files, and all with None, stay whole."""
    names, start = _header(file.path, layout)
    _check_columns(file.path, names, [*layout.columns, *(field.name for field in layout.kept)])
    if part_bytes is None or file.path.endswith(".gz"):
        return [Part(file.path, 0, -1)]
    parts: list[Part] = []
    with _naming(file.path), _open(file.path) as handle:
        while file.size - start > part_bytes:
            end = _after_line(handle, start + part_bytes, file.size)
            parts.append(Part(file.path, start, end))
            start = end
    return [*parts, Part(file.path, start, file.size)]


def _after_line(handle: Any, place: int, size: int) -> int:
    """Where the line that holds the byte before `place` ends."""
    place -= 1
    while place < size:
        handle.seek(place)
        window = handle.read(WINDOW)
        end = window.find(b"\n")
        if end >= 0:
            return int(place + end + 1)
        place += WINDOW
    return size


def _header(path: str, layout: Layout) -> tuple[list[str], int]:
    """The names in the first line, and where the second begins."""
    with _naming(path), _open_stream(path) as stream:
        line = b""
        while b"\n" not in line and len(line) < LONGEST_LINE:
            more = stream.read(WINDOW)
            if not more:
                break
            line += more
        line, newline, _ = line.partition(b"\n")
        if not line.strip():
            raise JobError(f"{path}: cannot be read: the first line is empty; it must name the columns")
        return next(csv.reader([line.decode("utf-8-sig").rstrip("\r")], delimiter=layout.delimiter)), len(
            line + newline
        )


# --- reading ----------------------------------------------------------------------------------------------------------


def read(part: Part, layout: Layout, batch_rows: int, *, mark: bool = False) -> Iterator[pa.RecordBatch]:
    """The rows of a part, a batch at a time: the classifier's columns, then the kept ones.

    Text in a CSV file that is not a value code raises `InstanceError`; with ``mark``, it becomes null.
    """
    pieces = _read_parquet(part, layout, batch_rows) if layout.format == "parquet" else _read_csv(part, layout)
    with _naming(part.path):
        for piece in pieces:
            batch = _tidy(piece, layout, mark)
            for start in range(0, batch.num_rows, batch_rows):
                yield batch.slice(start, batch_rows)


def count_rows(part: Part, layout: Layout) -> int:
    """The number of rows in a part of a CSV file, counted by the same reader on one column."""
    with _naming(part.path):
        return sum(batch.num_rows for batch in _read_csv(part, layout, only_first=True))


def _read_parquet(part: Part, layout: Layout, batch_rows: int) -> Iterator[pa.RecordBatch]:
    names = [*layout.columns, *(field.name for field in layout.kept)]
    with _open(part.path) as handle:
        file = pq.ParquetFile(handle)
        if file.metadata.num_row_groups < part.end:
            raise JobError(f"{part.path}: cannot be read: the file has changed; row group {part.end - 1} is missing")
        groups = range(part.start, part.end)
        # One thread per part: the worker's other threads read other parts.
        yield from file.iter_batches(batch_rows, row_groups=groups, columns=names, use_threads=False)


def _read_csv(part: Part, layout: Layout, *, only_first: bool = False) -> Iterator[pa.RecordBatch]:
    names, start = _header(part.path, layout)
    wanted = [*layout.columns, *(field.name for field in layout.kept)] or names
    wanted = wanted[:1] if only_first else wanted
    types = {name: pa.string() for name in wanted} | {name: kind for name, kind in layout.types if name in wanted}
    options = pacsv.ConvertOptions(include_columns=wanted, column_types=types)
    whole = part.end < 0
    with contextlib.ExitStack() as stack:
        if whole:
            empty = _is_blank(part.path, start)  # the CSV reader would raise an error
            stream = stack.enter_context(_open_stream(part.path))
        else:
            handle = stack.enter_context(_open(part.path))
            data = handle.read_at(part.end - part.start, part.start)
            if len(data) < part.end - part.start:
                end = part.start + len(data)
                raise JobError(f"{part.path}: cannot be read: the file has changed; it now ends at byte {end}")
            empty, stream = not data.strip(), pa.BufferReader(data)
        if not empty:
            yield from _csv_reader(stream, layout, names, options, skip_rows=int(whole), whole=whole)


def _is_blank(path: str, start: int) -> bool:
    """Is there nothing from this byte on?"""
    with _open_stream(path) as stream:
        stream.read(start)
        while window := stream.read(WINDOW):
            if window.strip():
                return False
    return True


def _csv_reader(stream: Any, layout: Layout, names: Sequence[str], options: Any, *, skip_rows: int, whole: bool) -> Any:
    return pacsv.open_csv(
        stream,
        pacsv.ReadOptions(use_threads=False, column_names=list(names), skip_rows=skip_rows),
        # only a reader of everything before can tell a line break inside quotes from the end of a line
        pacsv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=whole),
        options,
    )


def _tidy(batch: pa.RecordBatch, layout: Layout, mark: bool) -> pa.RecordBatch:
    """The columns in their order, codes as numbers, kept columns in their types."""
    columns = [_decoded(batch.column(name)) for name in layout.columns]
    if layout.format == "csv" and layout.codes:
        columns = [
            _as_codes(column, name, j, mark)
            for j, (name, column) in enumerate(zip(layout.columns, columns, strict=True))
        ]
    kept = [_decoded(batch.column(field.name)).cast(field.type) for field in layout.kept]
    fields = [pa.field(name, column.type) for name, column in zip(layout.columns, columns, strict=True)]
    return pa.RecordBatch.from_arrays([*columns, *kept], schema=pa.schema([*fields, *layout.kept]))


def _decoded(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _as_codes(text: pa.Array, name: str, feature: int, mark: bool) -> pa.Array:
    """Text -> numbers, cell by cell, so that one bad cell does not change how the others are read."""
    for kind in (pa.int64(), pa.float64(), pa.bool_()):
        with contextlib.suppress(pa.ArrowInvalid):
            return pc.cast(text, kind)
    trimmed = pc.utf8_trim_whitespace(text)
    good = pc.match_substring_regex(trimmed, NUMBER)
    if not mark and (bad := pc.index(good, False).as_py()) >= 0:
        value = text[bad].as_py()
        raise InstanceError(f"{value!r} is not a value code", row=bad, columns=(name,), feature=feature, value=value)
    return pc.cast(pc.if_else(good, trimmed, None), pa.float64())


def _open(path: str) -> Any:
    filesystem, inner = _filesystem(path)
    return filesystem.open_input_file(inner)


def _open_stream(path: str) -> Any:
    """From the beginning, decompressed if the name says that it is compressed."""
    filesystem, inner = _filesystem(path)
    return filesystem.open_input_stream(inner)
