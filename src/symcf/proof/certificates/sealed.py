"""The certificates of a batch under one root, so that each row can be checked by itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any

from symcf.common.files import written_whole
from symcf.errors import OptionError
from symcf.proof.certificates.certificate import Certificate
from symcf.proof.checker.batch import FORMAT, VERSION, leaf_of, levels_of, path_of, root_of

__all__ = ["SealedBatch"]


class SealedBatch:
    """The certificates of the rows of a batch, and the root of a hash tree over them. Made by
    `BatchExplanation.sealed`.

    Publish or deposit `root`, and give each person their row: `symcf.check` tells whether the certificate is true, and
    whether it is that of this row of the batch. Nothing about other rows is in it but hashes.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> sealed = symcf.fast.explain_batch(symcf.compile(admission()), [[0, 0, 1, 0], [1, 0, 1, 0]]).sealed()
    >>> bool(symcf.check(sealed[1], root=sealed.root))
    True
    >>> print(symcf.check({**sealed[1], "row": 0}, root=sealed.root))
    rejected (batch): the certificate does not lead to the root: it is not that of this row
    """

    def __init__(self, certificates: Iterable[Certificate | None]) -> None:
        """``certificates`` are by row, None for rows that have none."""
        #: By row, its certificate; None where it has none.
        self.certificates = list(certificates)
        if not self.certificates:
            raise OptionError("sealed: the batch has no rows")
        self._levels = levels_of([leaf_of(None if c is None else c.data) for c in self.certificates])
        #: What stands for the whole batch.
        self.root = root_of(len(self.certificates), self._levels[-1][0])

    def __len__(self) -> int:
        return len(self.certificates)

    def __getitem__(self, row: int) -> dict[str, Any]:
        """A row: its certificate, and its way to the root."""
        place = range(len(self))[row]
        certificate = self.certificates[place]
        if certificate is None:
            raise OptionError(f"row {place} has no certificate: it is at the target already, or could not be read")
        return {
            "format": FORMAT,
            "version": VERSION,
            "root": self.root,
            "count": len(self),
            "row": place,
            "path": path_of(self._levels, place),
            "certificate": certificate.data,
        }

    def __iter__(self) -> Iterator[dict[str, Any] | None]:
        return (None if c is None else self[row] for row, c in enumerate(self.certificates))

    def __repr__(self) -> str:
        return f"SealedBatch({len(self):,} rows, {self.root})"

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the rows that have certificates to a file, one per line; `symcf check` checks them."""
        with written_whole(path) as name, open(name, "w", encoding="ascii") as file:
            for row in self:
                if row is not None:
                    file.write(json.dumps(row, allow_nan=False, separators=(",", ":")) + "\n")
