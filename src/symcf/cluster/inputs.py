"""What is explained: files or a Dask DataFrame, in parts, and the tasks on them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
from dask.base import tokenize
from dask.delayed import Delayed, delayed

from symcf.cluster import job_directory, splits
from symcf.cluster.runs import Run
from symcf.cluster.splits import Part
from symcf.cluster.work import Place, Work, Writing, to_frame
from symcf.common.options import checked_count
from symcf.compiled import Compiled
from symcf.errors import InstanceError, JobError, OptionError

__all__ = ["Cuts", "Files", "Frame", "open_input", "slices"]

Numbered = Sequence[tuple[int, Part]]


@dataclass(frozen=True)
class Cuts:
    """How large parts of files are."""

    rows: int | None
    bytes: int | None


def open_input(
    source: Any,
    work: Work,
    cuts: Cuts,
    file_format: str | None,
    delimiter: str | None,
    csv_types: Mapping[str, Any] | None,
    lengths: bool | Sequence[int],
    *,
    skip: str | None = None,
) -> Files | Frame:
    """The input that the user has given, without files in the directory ``skip``."""
    if isinstance(source, dd.DataFrame):
        return Frame.opened(source, work, lengths)
    if not isinstance(source, (str, os.PathLike, list, tuple)):
        raise TypeError(f"source must be a Dask DataFrame or paths, not {type(source).__name__}")
    checked_count(cuts.rows, "part_rows", least=1)
    checked_count(cuts.bytes, "part_bytes", least=1)
    kind, files = splits.find_files(source, file_format, skip=skip)
    layout = splits.layout_of(
        kind, files, work.columns, work.keep, delimiter=delimiter, types=csv_types, codes=work.codes
    )
    return Files(files, layout, cuts)


# --- files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Files:
    """Parquet or CSV files. Each task reads its own part of one of them."""

    files: Sequence[splits.File]
    layout: splits.Layout
    cuts: Cuts

    @property
    def kept(self) -> tuple[pa.Field, ...]:
        """The columns that are copied to the result."""
        return self.layout.kept

    @property
    def identity(self) -> dict[str, Any]:
        """What a manifest remembers of the input."""
        listed = [[file.path, file.size, file.mtime_ns] for file in self.files]
        types = {name: str(kind) for name, kind in self.layout.types}
        return {"format": self.layout.format, "delimiter": self.layout.delimiter, "types": types, "files": listed}

    @property
    def parameters(self) -> dict[str, Any]:
        """What a manifest remembers of the cuts."""
        return {"part_rows": self.cuts.rows} if self.layout.format == "parquet" else {"part_bytes": self.cuts.bytes}

    def parts(self, run: Run) -> list[Part]:
        """The parts, with their numbers of rows: from footers, or for CSV files counted by the workers."""
        found = splits.cut(self.files, self.layout, self.cuts.rows, self.cuts.bytes)
        if self.layout.format == "parquet":
            return found
        count = delayed(splits.count_rows)
        return splits.numbered(found, run([count(part, self.layout) for part in found], lambda _: None))

    def explain_tasks(self, work: Work, found: Sequence[Part]) -> list[Delayed]:
        """One task per part; each gives a pandas DataFrame."""
        name = f"symcf-explain-{tokenize(self.identity, work.token, self.cuts)}"
        model, told, task = work.model_task(), work.without_model(), delayed(explain_file, pure=True)
        return [task(model, part, self.layout, told, dask_key_name=f"{name}-{i}") for i, part in enumerate(found)]

    def write_tasks(self, writing: Writing, found: Numbered) -> list[Delayed]:
        """One task per part; each gives a `Done`."""
        model, told, task = writing.work.model_task(), writing.without_model(), delayed(write_file)
        return [task(model, i, part, self.layout, told, dask_key_name=writing.key(i)) for i, part in found]

    def with_index(self, meta: pd.DataFrame) -> pd.DataFrame:
        """Rows are indexed by their numbers."""
        return meta

    def divisions(self, found: Sequence[Part]) -> tuple[int | None, ...]:
        """The numbers at which the parts begin, and the last; unknown if a part is empty."""
        if any(part.rows == 0 for part in found):
            return (None,) * (len(found) + 1)
        return (*(part.first_row for part in found), found[-1].first_row + found[-1].rows - 1)


def explain_file(compiled: Compiled, part: Part, layout: splits.Layout, work: Work) -> pd.DataFrame:
    """A task: a part of a file, explained."""
    rows = splits.read(part, layout, work.batch_rows, mark=work.mark)
    frame = to_frame(work.explained(compiled, rows, Place(part.path, part.first_row)), work)
    _check_count(part, len(frame))
    frame.index = pd.RangeIndex(part.first_row, part.first_row + part.rows)
    return frame


def write_file(
    compiled: Compiled, number: int, part: Part, layout: splits.Layout, writing: Writing
) -> job_directory.Done:
    """A task: a part of a file, explained and written."""

    def counted() -> Iterator[pa.RecordBatch]:
        count = 0
        for batch in splits.read(part, layout, writing.work.batch_rows, mark=writing.work.mark):
            count += batch.num_rows
            yield batch
        _check_count(part, count)  # before the result gets its name

    return writing.write(compiled, number, counted(), Place(part.path, part.first_row, writing.run))


def _check_count(part: Part, rows: int) -> None:
    if rows != part.rows:
        raise JobError(f"{part.path}: the file has changed: {part.rows:,} rows were counted, {rows:,} were read")


# --- a DataFrame ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Frame:
    """A Dask DataFrame; its partitions are the parts."""

    frame: Any
    kept: tuple[pa.Field, ...]
    lengths: bool | Sequence[int]

    @classmethod
    def opened(cls, frame: Any, work: Work, lengths: bool | Sequence[int]) -> Frame:
        """Selects the needed columns; Dask then reads only those from the files."""
        missing = [name for name in [*work.columns, *work.keep] if name not in frame.columns]
        if missing:
            raise InstanceError(f"the DataFrame has no column {', '.join(map(repr, missing[:5]))}")
        # Optimised now, because Dask may choose other partitions then, and all steps must use the same ones.
        needed = frame[[*work.columns, *work.keep]].optimize()
        return cls(needed, _kept_fields(needed._meta, work.keep), lengths)

    @property
    def identity(self) -> dict[str, Any]:
        """What a manifest remembers: Dask's name, a checksum of where the data come from."""
        return {"dataframe": self.frame._name, "partitions": self.frame.npartitions}

    @property
    def parameters(self) -> dict[str, Any]:
        """Nothing: Dask has made the cuts."""
        return {}

    def pieces(self) -> list[Delayed]:
        """The partitions."""
        return list(self.frame.to_delayed(optimize_graph=False))

    def parts(self, run: Run) -> list[Part]:
        """The partitions, with their numbers of rows, which are counted unless they are given or not wanted."""
        found = [Part("partition", i, i + 1) for i in range(self.frame.npartitions)]
        if self.lengths is False:
            return [Part("partition", i, i + 1, rows=-1, first_row=0) for i in range(self.frame.npartitions)]
        lengths = self.lengths
        if lengths is True:
            lengths = run([delayed(len)(piece) for piece in self.pieces()], lambda _: None)
        if len(lengths) != len(found):
            raise OptionError(f"lengths: {len(lengths)} numbers for {len(found)} partitions")
        return splits.numbered(found, lengths)

    def explain_tasks(self, work: Work, found: Sequence[Part]) -> list[Delayed]:
        """One task per partition; each gives a pandas DataFrame."""
        starts = [part.first_row for part in found]
        name = f"symcf-explain-{tokenize(self.frame._name, work.token, starts)}"
        model, told, task = work.model_task(), work.without_model(), delayed(explain_frame, pure=True)
        return [
            task(model, piece, part, told, dask_key_name=f"{name}-{i}")
            for i, (piece, part) in enumerate(zip(self.pieces(), found, strict=True))
        ]

    def write_tasks(self, writing: Writing, found: Numbered) -> list[Delayed]:
        """One task per partition; each gives a `Done`."""
        model, told, task = writing.work.model_task(), writing.without_model(), delayed(write_frame)
        pieces = self.pieces()
        return [task(model, i, pieces[i], part, told, dask_key_name=writing.key(i)) for i, part in found]

    def with_index(self, meta: pd.DataFrame) -> pd.DataFrame:
        """Rows keep their index."""
        return meta.set_index(self.frame._meta.index)

    def divisions(self, found: Sequence[Part]) -> tuple[Any, ...]:
        """Those of the input."""
        return tuple(self.frame.divisions)


def explain_frame(compiled: Compiled, frame: pd.DataFrame, part: Part, work: Work) -> pd.DataFrame:
    """A task: a partition, explained."""
    place = Place(f"partition {part.start}", part.first_row)
    result = to_frame(work.explained(compiled, slices(frame, work), place), work)
    result.index = frame.index
    return result


def write_frame(
    compiled: Compiled, number: int, frame: pd.DataFrame, part: Part, writing: Writing
) -> job_directory.Done:
    """A task: a partition, explained and written."""
    if len(frame) != part.rows:
        raise JobError(f"partition {number} has {len(frame):,} rows, not {part.rows:,}: the DataFrame has changed")
    place = Place(f"partition {number}", part.first_row, writing.run)
    return writing.write(compiled, number, slices(frame, writing.work), place)


def slices(frame: pd.DataFrame, work: Work) -> Iterator[Any]:
    """A partition, a batch at a time; as Arrow where columns are copied to the result."""
    for start in range(0, len(frame), work.batch_rows):
        rows = frame.iloc[start : start + work.batch_rows]
        if not work.keep:
            yield rows
            continue
        table = pa.Table.from_pandas(rows[list(work.columns)], preserve_index=False)
        kept = pa.Table.from_pandas(rows[list(work.keep)], pa.schema(work.kept), preserve_index=False)
        for field, column in zip(work.kept, kept.columns, strict=True):
            table = table.append_column(field, column)
        yield table


def _kept_fields(meta: pd.DataFrame, keep: Sequence[str]) -> tuple[pa.Field, ...]:
    if not keep:
        return ()
    schema = pa.Schema.from_pandas(meta[list(keep)], preserve_index=False)
    # An empty column of objects does not show its type; it is nearly always text.
    return tuple(pa.field(field.name, pa.string() if pa.types.is_null(field.type) else field.type) for field in schema)
