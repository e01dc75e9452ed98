"""A checksum of a compiled classifier: the same in every process, on every machine, for the same decisions.

It covers the names and the rule, the integers that decide. It uses neither Python's hashes, which change from process
to process, nor pickles, which change from version to version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from symcf import _core
from symcf.common.later import Later
from symcf.errors import ModelError
from symcf.system.classifier import Classifier

__all__ = ["fingerprint"]

#: Hashed first. Raise it when a change of the code gives the same classifier another checksum, or other answers: jobs
#: that were begun before must not go on.
VERSION = b"symcf 2"


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
    digest = hashlib.sha256(VERSION)
    parts: tuple[Any, ...] = (compiled.features, compiled.values, compiled.classes, raw, rule)
    if compiled.plausibility is not None:
        parts = (*parts, compiled.plausibility)
    for piece in _pieces(parts):
        digest.update(piece)
    return f"sha256:{digest.hexdigest()}"


def _pieces(value: Any) -> Iterable[bytes]:
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
            yield from _pieces(member)
    elif isinstance(value, _core.Threshold):
        yield from _pieces(("threshold", value.value_offset, value.weight, value.bias))
    elif isinstance(value, _core.Diagram):
        yield from _pieces(("diagram", value.order, value.arity, value.level, value.child, value.root))
    elif isinstance(value, Later):
        yield from _pieces(value.value)
    elif is_dataclass(value) and not isinstance(value, type):  # a rule, or a part of one
        told = ((f.name, getattr(value, f.name)) for f in fields(value) if f.compare)
        yield from _pieces((type(value).__name__, *told))
    else:
        yield from _label(value)


def _label(value: Any) -> Iterable[bytes]:
    """The name of a value or class, or another plain object."""
    if getattr(type(value), "__repr__", None) is object.__repr__ or callable(value):
        raise ModelError(f"no checksum: {value!r} is written differently in every process; use a string or a number")
    text = repr(value).encode()
    yield f"{type(value).__name__} {len(text)};".encode()
    yield text
