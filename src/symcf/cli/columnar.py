"""Parquet and Arrow files, read and written by pyarrow (extra ``arrow``)."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO

from symcf.cli.exits import InputError
from symcf.cli.pieces import CHUNK, Piece, Source

try:
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq
except ImportError:
    raise InputError("Parquet and Arrow files need pyarrow: pip install 'symcf[arrow]'") from None

__all__ = ["ColumnSource", "open_columns", "table_of", "table_writer"]

#: What pyarrow calls the formats.
SAID = {"parquet": "Parquet", "arrow": "Arrow"}


def open_columns(file: Any, name: str, kind: str, stack: ExitStack) -> ColumnSource:
    """The source in a file of this format."""
    with _named(name, kind):
        if not file.seekable() or isinstance(file, gzip.GzipFile):  # these formats are read from their end
            copy = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
            shutil.copyfileobj(file, copy)
            copy.seek(0)
            file = copy
        return ColumnSource(file, name, kind)


class ColumnSource(Source):
    """Columns with types."""

    delimited = False

    def __init__(self, file: BinaryIO, name: str, kind: str) -> None:
        self._name, self._kind = name, kind
        self._table: Any
        if kind == "parquet":
            self._table = pq.ParquetFile(file)
            names = self._table.schema_arrow.names
        else:
            start = file.read(6)
            file.seek(0)
            if start[:4] == b"FEA1":
                raise InputError(f"{name}: this is Feather of version 1, which pyarrow gives up: write it as version 2")
            self._table = pa.ipc.open_file(file) if start == b"ARROW1" else pa.ipc.open_stream(file)
            names = self._table.schema.names
        self.header: list[str] | None = list(names)
        self.width: int | None = len(names)

    def pieces(self, places: Sequence[int] | None) -> Iterator[Piece]:
        assert self.header is not None
        wanted = list(range(len(self.header))) if places is None else list(places)
        first = 1
        with _named(self._name, self._kind):
            for batch in self._batches(wanted):
                # names may hold dots or occur twice, so columns are found by their order
                cells = dict(zip(wanted, (column.to_pylist() for column in batch), strict=True))
                count = len(batch[0]) if batch else 0
                yield Piece(first, count, cells, None)
                first += count

    def _batches(self, places: list[int]) -> Iterator[list[Any]]:
        """The columns, CHUNK rows at a time."""
        assert self.header is not None
        if self._kind == "parquet":
            names = [self.header[i] for i in places]
            # pyarrow takes "a.b" for a part of "a", and a name for all columns that have it
            clear = len(set(self.header)) == len(self.header) and not any("." in name for name in self.header)
            for batch in self._table.iter_batches(batch_size=CHUNK, columns=names if clear else None):
                yield batch.columns if clear else [batch.column(i) for i in places]
            return
        of_file = hasattr(self._table, "get_batch")  # a stream gives its batches by itself
        each = map(self._table.get_batch, range(self._table.num_record_batches)) if of_file else self._table
        for batch in each:
            for start in range(0, batch.num_rows, CHUNK):
                yield [batch.column(i).slice(start, CHUNK) for i in places]


@contextmanager
def _named(name: str, kind: str) -> Iterator[None]:
    """Errors of pyarrow as ours, with the name of the file."""
    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, UnicodeError, ValueError, KeyError, OverflowError, EOFError) as error:
        raise InputError(f"{name}: cannot be read as {SAID[kind]}: {error}") from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise InputError(f"{name}: cannot be read as {SAID[kind]}: {error}") from None


def table_writer(file: BinaryIO, kind: str, columns: Sequence[tuple[str, str]]) -> tuple[Any, Any]:
    """A writer of tables in this format, and the schema of the tables."""
    types = {"text": pa.string(), "integer": pa.int64(), "number": pa.float64()}
    schema = pa.schema([(name, types[each]) for name, each in columns])
    return (pq.ParquetWriter if kind == "parquet" else pa.ipc.new_file)(file, schema), schema


def table_of(lines: Sequence[tuple[Any, ...]], schema: Any) -> Any:
    """Lines as a table of the schema."""
    arrays = [pa.array(column, type=each) for column, each in zip(zip(*lines, strict=True), schema.types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
