"""The certificates of a batch under one root, so that each row can be checked by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Any

from symcf.common.files import written_whole
from symcf.errors import LimitError, OptionError
from symcf.proof.certificates.certificate import Certificate
from symcf.proof.certificates.model import model_to_dict
from symcf.proof.checker.batch import FORMAT, VERSION, leaf_of, levels_of, path_of, root_of
from symcf.system.classifier import Classifier

__all__ = ["NoCertificate", "SealedBatch", "certified"]


@dataclass(frozen=True)
class NoCertificate:
    """In place of the certificate of a row of a batch: why it has none. It counts as False.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> batch = symcf.fast.explain_batch(symcf.compile(admission()), [[0, 0, 1, 0], [1, 1, 1, 1]], target="admitted")
    >>> [bool(one) for one in batch.certificates()]
    [True, False]
    >>> list(batch.certificates())[1]
    NoCertificate(reason='it is at the target already')
    """

    reason: str

    def __bool__(self) -> bool:
        return False


def certified(
    classifier: Classifier, make: Callable[[int, dict[str, Any]], Certificate], missing: Sequence[str | None]
) -> Iterator[Certificate | NoCertificate]:
    """By row what a call gives for the row and the model as certificates state it, or why there is none. ``missing``
    says by row why none is to be made; None if one is.
    """
    model: dict[str, Any] = {}
    for row, reason in enumerate(missing):
        yield NoCertificate(reason) if reason is not None else _certificate(classifier, partial(make, row), model)


def _certificate(
    classifier: Classifier, make: Callable[[dict[str, Any]], Certificate], model: dict[str, Any]
) -> Certificate | NoCertificate:
    try:
        if not model:
            model.update(model_to_dict(classifier))
        return make(model)
    except (OptionError, LimitError) as error:
        return NoCertificate(str(error).removeprefix("certificate: "))


class SealedBatch:
    """The certificates of the rows of a batch, and the root of a hash tree over them. Made by
    `BatchExplanation.sealed` and `BatchReasons.sealed`.

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

    def __init__(self, certificates: Iterable[Certificate | NoCertificate]) -> None:
        """``certificates`` are by row."""
        #: By row, its certificate, or why it has none.
        self.certificates = list(certificates)
        if not self.certificates:
            raise OptionError("sealed: the batch has no rows")
        self._levels = levels_of([leaf_of(c.data if isinstance(c, Certificate) else None) for c in self.certificates])
        #: What stands for the whole batch.
        self.root = root_of(len(self.certificates), self._levels[-1][0])

    def __len__(self) -> int:
        return len(self.certificates)

    def __getitem__(self, row: int) -> dict[str, Any]:
        """A row: its certificate, and its way to the root."""
        place = range(len(self))[row]
        certificate = self.certificates[place]
        if isinstance(certificate, NoCertificate):
            raise OptionError(f"row {place} has no certificate: {certificate.reason}")
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
        return (self[row] if isinstance(c, Certificate) else None for row, c in enumerate(self.certificates))

    def __repr__(self) -> str:
        return f"SealedBatch({len(self):,} rows, {self.root})"

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the rows that have certificates to a file, one per line; `symcf check` checks them."""
        with written_whole(path) as name, open(name, "w", encoding="ascii") as file:
            for row in self:
                if row is not None:
                    file.write(json.dumps(row, allow_nan=False, separators=(",", ":")) + "\n")
