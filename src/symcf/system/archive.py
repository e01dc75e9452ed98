r"""Saved classifiers: one file, read without executing anything in it.

    8 bytes     b"symcf\r\n\x1a": a file that was sent as text, or cut off, no longer begins or ends correctly
    4 bytes     format version, little-endian
    4 bytes     length of the header
    header      JSON: the model, how it was compiled, and where each array lies
    arrays      each at the next multiple of 64 bytes, as they lie in memory
    32 bytes    SHA-256 of everything before

A reader refuses versions above its own, and ignores unknown entries in a header of its own version.

A checksum of a compiled classifier: the same in every process, on every machine, for the same decisions.

It covers the names and the rule, the integers that decide. It uses neither Python's hashes, which change from process
to process, nor pickles, which change from version to version.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from os import PathLike
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.files import written_whole
from symcf.common.later import Later
from symcf.common.options import checked_choice, checked_count, checked_seconds
from symcf.data.plausibility import Plausibility
from symcf.errors import FileError, ModelError, OptionError
from symcf.models.base import Model
from symcf.models.functions import FunctionModel
from symcf.models.kinds import model_from_dict
from symcf.system.classifier import Classifier, Limits

__all__ = ["fingerprint", "load", "save"]

C = TypeVar("C", bound=Classifier)

MAGIC = b"symcf\r\n\x1a"
VERSION = 1
ALIGNMENT = 64
START = struct.Struct("<8sII")
DIGEST = hashlib.sha256().digest_size

#: The arrays of a frozen diagram; all are 32-bit.
ARRAYS = ("order", "arity", "level", "child")


def save(compiled: Classifier, path: str | PathLike[str]) -> None:
    """Writes a compiled classifier, with the diagrams that have been built, so that `load` need not build them again.

    The file appears under its name only when it is complete.
    """
    arrays: list[npt.NDArray[np.uint32]] = []
    header = json.dumps(_header(compiled, arrays), ensure_ascii=False, allow_nan=False).encode()
    with written_whole(path) as temporary, open(temporary, "wb") as file:
        digest = hashlib.sha256()
        for piece in _pieces(header, arrays):
            digest.update(piece)
            file.write(piece)
        file.write(digest.digest())


def load(path: str | PathLike[str], kind: type[C], *, trust: bool = False) -> C:
    """Reads what `save` wrote, as a classifier of this kind; see `symcf.load`."""
    name = os.fspath(path)
    try:
        data = _read(name)
    except OSError as error:
        raise FileError(f"{name}: {error.strerror or error}") from None
    header = _checked_header(name, data)
    try:
        return _restored(header, data, kind, trust)
    except (ModelError, OptionError, FileError) as error:
        raise FileError(f"{name}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise FileError(f"{name}: the header cannot be understood: {type(error).__name__}: {error}") from None


# --- writing ----------------------------------------------------------------------------------------------------------


def _header(compiled: Classifier, arrays: list[npt.NDArray[np.uint32]]) -> dict[str, Any]:
    """The header. Arrays are collected in `arrays`, and referred to by where they will lie."""
    limits, model = compiled.limits, compiled.model
    whole = compiled.built_diagrams()
    return {
        "writer": "symcf",
        "model": model.to_dict(),
        "order": compiled.order if isinstance(compiled.order, str) else list(compiled.order),
        "limits": {
            "max_nodes": limits.max_nodes,
            "max_memory": limits.max_memory,
            "time_limit": limits.time_limit,
            "backend": limits.backend,
        },
        **({} if compiled.plausibility is None else {"plausibility": compiled.plausibility.to_dict()}),
        "diagrams": {str(k): _placed(diagram.core, arrays) for k, diagram in sorted(whole.items())},
    }


def _placed(core: _core.Diagram, arrays: list[npt.NDArray[np.uint32]]) -> dict[str, Any]:
    place: dict[str, Any] = {"root": core.root}
    for name in ARRAYS:
        start = sum(_padded(array.nbytes) for array in arrays)
        arrays.append(np.ascontiguousarray(getattr(core, name), dtype="<u4"))
        place[name] = [start, arrays[-1].size]
    return place


def _pieces(header: bytes, arrays: Sequence[npt.NDArray[np.uint32]]) -> Iterator[bytes]:
    head = START.pack(MAGIC, VERSION, len(header)) + header
    yield head + bytes(_padded(len(head)) - len(head))
    for array in arrays:
        yield array.tobytes()
        yield bytes(_padded(array.nbytes) - array.nbytes)


def _padded(n_bytes: int) -> int:
    return -(-n_bytes // ALIGNMENT) * ALIGNMENT


# --- reading ----------------------------------------------------------------------------------------------------------


def _read(name: str) -> npt.NDArray[np.uint8]:
    """The bytes of the file. It is not mapped: truncating a mapped file would end the process by SIGBUS."""
    if not stat.S_ISREG(os.stat(name).st_mode):  # opening a pipe would wait for a writer
        raise FileError(f"{name}: not a classifier saved by symcf: not a regular file")
    with open(name, "rb", buffering=0) as file:
        data = np.empty(os.fstat(file.fileno()).st_size, dtype=np.uint8)
        filled = 0
        while filled < len(data) and (count := file.readinto(data[filled:].data)):
            filled += count
    return data[:filled]


def _checked_header(name: str, data: npt.NDArray[np.uint8]) -> Mapping[str, Any]:
    if len(data) < START.size + DIGEST or bytes(data[: len(MAGIC)]) != MAGIC:
        raise FileError(f"{name}: not a classifier saved by symcf")
    _, version, length = START.unpack(bytes(data[: START.size]))
    if version > VERSION:
        raise FileError(f"{name}: format {version} is newer than this symcf reads ({VERSION}): upgrade symcf")
    if hashlib.sha256(data[:-DIGEST].data).digest() != bytes(data[-DIGEST:]):
        raise FileError(f"{name}: cut off or altered: the checksum does not match")
    try:
        header = json.loads(bytes(data[START.size : START.size + length]))
    except (ValueError, RecursionError) as error:
        raise FileError(f"{name}: the header is not JSON: {error}") from None
    if not isinstance(header, dict):
        raise FileError(f"{name}: the header is not an object")
    header["start"] = _padded(START.size + length)
    return header


def _restored(header: Mapping[str, Any], data: npt.NDArray[np.uint8], kind: type[C], trust: bool) -> C:
    diagrams = {int(k): _diagram(place, header["start"], data) for k, place in header["diagrams"].items()}
    given = header["model"]
    if given.get("model") == "diagram":  # version 0.1 wrote functions given as a diagram like this
        model: Model = FunctionModel(diagrams.pop(1), features=[str(feature) for feature in given["features"]])
    else:
        model = model_from_dict(given)
    given_limits = header["limits"]
    limits = Limits(
        checked_count(given_limits["max_nodes"], "max_nodes", least=0) or 0,
        checked_count(given_limits["max_memory"], "max_memory", least=0) or 0,
        checked_seconds(given_limits["time_limit"]),
        checked_choice(given_limits.get("backend", "arrays"), "backend", ("arrays", "cudd")),
    )
    known = header.get("plausibility")
    plausibility = None if known is None else Plausibility.from_dict(known)
    compiled = kind(model, header["order"], limits, plausibility=plausibility)
    compiled.adopt_diagrams(diagrams, trust=trust)
    return compiled


def _diagram(place: Mapping[str, Any], start: int, data: npt.NDArray[np.uint8]) -> _core.Diagram:
    arrays: list[Any] = []
    for name in ARRAYS:
        offset, size = map(int, place[name])
        first = start + offset
        if offset < 0 or size < 0 or first + 4 * size > len(data) - DIGEST or first % 4:
            raise FileError(f"the array {name!r} lies outside the file")
        array = data[first : first + 4 * size].view("<u4")
        arrays.append(array if sys.byteorder == "little" else array.astype(np.uint32))
    order, arity, level, child = arrays
    return _core.Diagram.from_arrays(order, arity, level, child, int(place["root"]))


#: Hashed first. Raise it when a change of the code gives the same classifier another checksum, or other answers: jobs
#: that were begun before must not go on.
CHECKSUM = b"symcf 2"


def fingerprint(compiled: Classifier) -> str:
    """SHA-256 of features, values, classes, encoder, rule and plausibility, as ``sha256:...``.

    The order of the diagram's features and the limits are left out, since they do not change a decision.

    >>> import symcf
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.9], p0=[0.2]))
    >>> fingerprint(c) == fingerprint(symcf.compile(c.model, order="natural"))
    True
    """
    model = compiled.model
    rule, encoder = model.rule(), model.encoder
    raw = None if encoder is None else json.dumps(encoder.to_dict(), sort_keys=True, default=repr)
    digest = hashlib.sha256(CHECKSUM)
    parts: tuple[Any, ...] = (compiled.features, compiled.values, compiled.classes, raw, rule)
    if compiled.plausibility is not None:
        parts = (*parts, compiled.plausibility)
    for piece in _bytes_of(parts):
        digest.update(piece)
    return f"sha256:{digest.hexdigest()}"


def _bytes_of(value: Any) -> Iterable[bytes]:
    """The value as bytes; each begins with its type and length, so that different values give different bytes."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray) and value.dtype.hasobject:  # its bytes are addresses
        value = value.tolist()
    if isinstance(value, np.ndarray):
        array = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
        yield f"array {value.dtype.kind}{value.dtype.itemsize} {value.shape};".encode()
        yield array.tobytes()
    elif isinstance(value, (tuple, list)):
        yield f"list {len(value)};".encode()
        for member in value:
            yield from _bytes_of(member)
    elif isinstance(value, _core.Threshold):
        yield from _bytes_of(("threshold", value.value_offset, value.weight, value.bias))
    elif isinstance(value, _core.Diagram):
        yield from _bytes_of(("diagram", value.order, value.arity, value.level, value.child, value.root))
    elif isinstance(value, Later):
        yield from _bytes_of(value.value)
    elif is_dataclass(value) and not isinstance(value, type):  # a rule, or a part of one
        told = ((f.name, getattr(value, f.name)) for f in fields(value) if f.compare)
        yield from _bytes_of((type(value).__name__, *told))
    else:
        yield from _label(value)


def _label(value: Any) -> Iterable[bytes]:
    """The name of a value or class, or another plain object."""
    if getattr(type(value), "__repr__", None) is object.__repr__ or callable(value):
        raise ModelError(f"no checksum: {value!r} is written differently in every process; use a string or a number")
    text = repr(value).encode()
    yield f"{type(value).__name__} {len(text)};".encode()
    yield text
