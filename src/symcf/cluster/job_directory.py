"""Jobs that survive crashes: results in a directory, one part at a time, and a manifest that says what is to be done.

    _symcf.json             the manifest: model, parameters, input files, parts; written once, before any part
    _symcf.lock             held by the process that runs the job; the system releases it when the process dies
    part-000000.parquet     a part of the result, whole; there is one for each part of the input
    _part-000000.sha256     its checksum, written before the part gets its name
    _part-000001...tmp      a part that is being written, or was when a process died

A part is written under another name and flushed to the disk; its checksum is written in the same way; then the part is
renamed. So a file with the name of a part is whole and has its checksum. A part that is missing or damaged is done
again; resuming a job reads every finished part once to check it. Needs pyarrow, but not Dask.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import socket
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from symcf.cluster.splits import Part
from symcf.common.files import TEMPORARY, written_whole
from symcf.errors import JobError, OptionError

__all__ = ["Done", "Job", "Manifest", "locked", "parameters", "write_part"]

MANIFEST, LOCK = "_symcf.json", "_symcf.lock"
FORMAT, VERSION = "symcf job", 1

#: The key in the metadata of a part that names the job it belongs to.
KEY = b"symcf"

#: Keywords of the question that do not change the answer.
WITHOUT_EFFECT = ("n_jobs", "progress", "max_memory")

#: Finished parts are read by this many threads.
READERS = 4

#: The most differences that an error lists; it counts the others.
SHOWN = 5


# --- what the job is --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Manifest:
    """What a directory holds, or will hold when the job is done."""

    #: A random name, chosen when the job begins and stored in each of its parts.
    job: str
    #: `symcf.system.archive.fingerprint` of the classifier.
    model: str
    #: Keywords that change the answer, and how the input is cut.
    parameters: Mapping[str, Any]
    #: Where the rows come from: files with size and time, or the name of a Dask DataFrame.
    input: Mapping[str, Any]
    parts: tuple[Part, ...]

    @property
    def rows(self) -> int:
        """Rows in all."""
        return sum(part.rows for part in self.parts)

    def check(self, model: str, given: Mapping[str, Any], source: Mapping[str, Any], directory: Path) -> None:
        """Raises JobError, which says what differs, unless this is the job that is asked for now."""
        different = [*_other_model(self.model, model), *_other_values(self.parameters, given)]
        different += _other_input(self.input, source)
        if different:
            more = f"; and {len(different) - SHOWN} more" if len(different) > SHOWN else ""
            raise JobError(
                f"{directory} holds the results of another job: {'; '.join(different[:SHOWN])}{more}. Choose another "
                f"directory, or delete this one to start again"
            )

    def to_json(self) -> str:
        """The text of the file."""
        files = {path: i for i, path in enumerate(dict.fromkeys(part.path for part in self.parts))}
        parts = [[files[p.path], p.start, p.end, p.rows] for p in self.parts]
        body = {"job": self.job, "model": self.model, "parameters": self.parameters, "input": self.input}
        whole = {"format": FORMAT, "version": VERSION, **body, "paths": list(files), "parts": parts}
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in whole.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """The inverse of `to_json`."""
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError("not a manifest of symcf")
        if data["version"] > VERSION:
            raise ValueError(f"version {data['version']} is newer than this symcf reads ({VERSION}): upgrade symcf")
        parts, first_row = [], 0
        for file, start, end, rows in data["parts"]:
            parts.append(Part(data["paths"][file], start, end, rows, first_row))
            first_row += rows
        return cls(data["job"], data["model"], data["parameters"], data["input"], tuple(parts))


def parameters(options: Mapping[str, Any], defaults: Mapping[str, Any], **others: Any) -> dict[str, Any]:
    """Keywords that change the answer and differ from their default, and the other parameters, as JSON values."""
    counted = {name: value for name, value in options.items() if name not in WITHOUT_EFFECT}
    plain = {name: _plain(value, name) for name, value in [*counted.items(), *others.items()]}
    return {name: value for name, value in plain.items() if value != _plain(defaults.get(name), name)}


def _plain(value: Any, name: str) -> Any:
    if isinstance(value, (np.generic, np.ndarray)) or hasattr(value, "tolist"):
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {"mapping": sorted(([_plain(k, name), _plain(v, name)] for k, v in value.items()), key=repr)}
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(member, name) for member in value), key=repr)
    if isinstance(value, (list, tuple, range)):
        return [_plain(member, name) for member in value]
    if callable(value) or " at 0x" in repr(value):
        raise OptionError(f"{name}: {value!r} cannot be written to a manifest; use names and numbers")
    return repr(value)


def _other_model(then: str, now: str) -> list[str]:
    return [] if then == now else [f"the model has changed (checksum {then[:20]}... then, {now[:20]}... now)"]


def _other_values(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    def shown(values: Mapping[str, Any], name: str) -> str:
        text = json.dumps(values[name]) if name in values else "not given"
        return text if len(text) <= 60 else text[:57] + "..."

    names = dict.fromkeys([*then, *now])
    return [
        f"{name} was {shown(then, name)} and is {shown(now, name)}"
        for name in names
        if then.get(name) != now.get(name) or (name in then) != (name in now)
    ]


def _other_input(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    old, new = then.get("files"), now.get("files")
    if old is None or new is None:
        return [] if then == now else ["the input is another DataFrame, or one that Dask cannot recognise"]
    before, after = ({path: rest for path, *rest in files} for files in (old, new))
    changed = [f"input file {path} has changed" for path in before if path in after and before[path] != after[path]]
    gone = [f"input file {path} is gone" for path in before if path not in after]
    added = [f"input file {path} is new" for path in after if path not in before]
    order = ["the input files come in another order"] * (list(before) != list(after))
    how = _other_values(*({k: v for k, v in source.items() if k != "files"} for source in (then, now)))
    return (changed + gone + added or order) + how


# --- the directory ----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Makes the directory, and locks it for as long as the context lasts."""
    path = directory / LOCK
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+", encoding="utf-8")  # noqa: SIM115  # closed below, or when the process ends
    except OSError as error:
        raise JobError(f"{directory}: cannot be written: {error.strerror or error}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            who = file.read(200).strip() or "unknown"
            raise JobError(f"{directory}: another job is running here ({who}); wait until it ends") from None
        except OSError as error:
            raise JobError(f"{path}: cannot be locked: {error.strerror or error}") from error
        with contextlib.suppress(OSError):  # a full disk is reported when a part is written
            file.truncate(0)
            file.write(f"process {os.getpid()} on {socket.gethostname()}")
            file.flush()
        yield


class Job:
    """A directory with a manifest. Open it only while it is `locked`."""

    def __init__(self, directory: Path, manifest: Manifest) -> None:
        self.directory = directory
        self.manifest = manifest

    @staticmethod
    def read_manifest(directory: Path) -> Manifest | None:
        """The manifest of a directory, if it has one."""
        path = directory / MANIFEST
        try:
            return Manifest.from_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise JobError(f"{path}: cannot be read: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise JobError(f"{path}: cannot be understood: {error}") from error

    @classmethod
    def resumed(cls, directory: Path, model: str, given: Mapping[str, Any], source: Mapping[str, Any]) -> Job | None:
        """The job that the directory holds, if it holds one. JobError if it is not the one that is asked for."""
        manifest = cls.read_manifest(directory)
        if manifest is None:
            return None
        manifest.check(model, given, source, directory)
        job = cls(directory, manifest)
        job._check_strangers({part_name(number) for number in range(len(manifest.parts))})
        return job

    @classmethod
    def begun(
        cls,
        directory: Path,
        model: str,
        given: Mapping[str, Any],
        source: Mapping[str, Any],
        parts: Sequence[Part],
    ) -> Job:
        """A new job; its manifest is written."""
        manifest = Manifest(uuid.uuid4().hex, model, given, source, tuple(parts))
        job = cls(directory, manifest)
        job._check_strangers(set())
        with _written_whole(directory / MANIFEST) as temporary:
            Path(temporary).write_text(manifest.to_json(), encoding="utf-8")
        return job

    def path(self, number: int) -> Path:
        """Where a part of the result is, or will be."""
        return self.directory / part_name(number)

    def _check_strangers(self, ours: set[str]) -> None:
        """Refuses files of other jobs: readers of the directory would take them for results of this one."""
        for path in sorted(self.directory.glob("*.parquet")):
            if path.name not in ours:
                raise JobError(f"{path} is not a result of this job; choose another directory")

    def clean(self) -> None:
        """Removes unfinished files of processes that died."""
        for path in self.directory.glob(TEMPORARY):
            path.unlink(missing_ok=True)

    def missing(self) -> list[int]:
        """The numbers of the parts that are still to be done. Reads the finished ones to check them."""
        with ThreadPoolExecutor(READERS) as pool:
            done = list(pool.map(self._is_done, range(len(self.manifest.parts)), self.manifest.parts))
        return [number for number, is_done in enumerate(done) if not is_done]

    def _is_done(self, number: int, part: Part) -> bool:
        path = self.path(number)
        if not path.exists():
            return False
        seal = _read_seal(self.directory / seal_name(number))
        if (seal.get("job"), seal.get("part")) == (self.manifest.job, number) and path.stat().st_size == seal["bytes"]:
            return bool(seal["rows"] == part.rows and seal["sha256"] == _checksum(path))
        self._check_owner(path, number)
        return False  # cut off after it was finished, or written by a version without checksums

    def _check_owner(self, path: Path, number: int) -> None:
        """Refuses to replace a part of another job, as far as the part can still be read."""
        with contextlib.suppress(OSError, pa.ArrowException, ValueError):
            said = json.loads((pq.read_metadata(path).metadata or {}).get(KEY, b"{}"))
            if said != {"job": self.manifest.job, "part": number}:
                raise JobError(f"{path} is not a result of this job; choose another directory")


def part_name(number: int) -> str:
    """The name of a part of the result."""
    return f"part-{number:06d}.parquet"


def seal_name(number: int) -> str:
    """The name of the file with its checksum. Readers of directories skip names that begin with an underscore."""
    return f"_part-{number:06d}.sha256"


def _read_seal(path: Path) -> dict[str, Any]:
    """The recorded checksum of a part; empty if it is missing or malformed."""
    try:
        seal = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return seal if isinstance(seal, dict) and seal.keys() >= {"job", "part", "rows", "bytes", "sha256"} else {}


def _checksum(path: str | Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- writing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Done:
    """A part that has been written."""

    number: int
    rows: int
    sets: int
    bytes: int


def write_part(
    directory: Path, job: str, number: int, schema: pa.Schema, batches: Iterable[pa.RecordBatch], compression: str
) -> Done:
    """Writes one part of a job's result, whole or not at all."""
    if not directory.is_dir():
        raise JobError(f"{directory}: a worker cannot see this directory; all workers must share it")
    path = directory / part_name(number)
    mine = schema.with_metadata({KEY: json.dumps({"job": job, "part": number})})
    rows = sets = 0
    with _written_whole(path) as temporary:
        # No reader can skip rows by the least and the largest member of their sets.
        flat = [name for name in schema.names if name != "sets"]
        with pq.ParquetWriter(temporary, mine, compression=compression, write_statistics=flat) as writer:
            for batch in batches:
                writer.write_batch(batch.cast(mine))
                rows += batch.num_rows
                sets += len(batch.column("sets").flatten())
        seal = {"job": job, "part": number, "rows": rows, "bytes": os.path.getsize(temporary)}
        seal["sha256"] = _checksum(temporary)
        with written_whole(directory / seal_name(number)) as sealed:
            Path(sealed).write_text(json.dumps(seal) + "\n", encoding="utf-8")
    return Done(number, rows, sets, path.stat().st_size)


@contextlib.contextmanager
def _written_whole(path: Path) -> Iterator[str]:
    """A temporary name to write to; the finished file is renamed. A failure leaves nothing behind."""
    try:
        with written_whole(path) as temporary:
            yield temporary
    except OSError as error:
        raise JobError(f"{path}: cannot be written: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error).split("\n")[0]
