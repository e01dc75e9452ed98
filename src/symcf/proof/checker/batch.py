"""Rows of a batch: a certificate, and its way to the root of a hash tree over the certificates of all rows.

Whoever has the root of a batch, 64 digits, can check that a certificate is that of row i of n, and that it was so when
the root was made, without the other rows. The tree is that of RFC 6962 (Certificate Transparency): neighbours are
joined, level by level, and the last of an odd number goes up alone. Leaves, inner nodes and the root are hashed with
different prefixes, and the root with the number of rows, so that none can be taken for another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from symcf.proof.checker.form import Rejected, canonical, integer, items, record

__all__ = ["FORMAT", "KEYS", "VERSION", "certificate_in", "is_row", "leaf_of", "levels_of", "path_of", "root_of"]

FORMAT, VERSION = "symcf batch row", 1

KEYS = ("format", "version", "root", "count", "row", "path", "certificate")

#: Rows of a batch, at most.
MOST_ROWS = 1 << 40


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def leaf_of(certificate: Any) -> str:
    """The hash of a row: of its certificate, or of null where it has none."""
    return _hash(f"leaf:{canonical(certificate)}")


def levels_of(leaves: Sequence[str]) -> list[list[str]]:
    """The hashes of the tree, from the leaves to its top."""
    levels = [list(leaves)]
    while len(levels[-1]) > 1:
        below = levels[-1]
        joined = [_hash(f"node:{a}{b}") for a, b in zip(below[::2], below[1::2], strict=False)]
        levels.append([*joined, *below[len(below) & ~1 :]])
    return levels


def root_of(count: int, top: str) -> str:
    """The root of a tree with so many leaves."""
    return f"sha256:{_hash(f'root:{count}:{top}')}"


def path_of(levels: Sequence[Sequence[str]], row: int) -> list[str]:
    """The hashes beside the way from a leaf to the top."""
    found = []
    for level in levels[:-1]:
        if row ^ 1 < len(level):
            found.append(level[row ^ 1])
        row //= 2
    return found


def is_row(data: dict[str, Any]) -> bool:
    """Is it a row of a batch, and not a certificate by itself?"""
    return data.get("format") == FORMAT


def certificate_in(data: dict[str, Any], root: str | None = None) -> dict[str, Any]:
    """The certificate in a row of a batch; `Rejected` if it does not lead to the root, which should be ``root``."""
    _, version, stated, count, row, path, certificate = record(data, "a row of a batch", KEYS)
    if type(version) is not int or version != VERSION:
        raise Rejected("version", f"the row of a batch has version {version!r}, and this checker reads {VERSION}")
    if not isinstance(certificate, dict):
        raise Rejected("form", "the row has no certificate")
    count = integer(count, "count", 1, MOST_ROWS)
    row = integer(row, "row", 0, count)
    beside = iter(items(path, "path", _digits))
    node, last = leaf_of(certificate), count - 1
    while last:
        if row ^ 1 <= last:
            other = next(beside, None)
            if other is None:
                raise Rejected("batch", "the path is too short")
            node = _hash(f"node:{other}{node}" if row & 1 else f"node:{node}{other}")
        row, last = row // 2, last // 2
    if next(beside, None) is not None:
        raise Rejected("batch", "the path is too long")
    if stated != root_of(count, node):
        raise Rejected("batch", "the certificate does not lead to the root: it is not that of this row")
    if root is not None and stated != root:
        raise Rejected("batch", f"it is a row of the batch {stated}, not {root}")
    return certificate


def _digits(data: Any, where: str) -> str:
    if not isinstance(data, str) or len(data) != 64 or not set(data) <= set("0123456789abcdef"):
        raise Rejected("form", f"{where} must list hashes of 64 digits")
    return data
