"""Intervals: numbers by the thresholds that they lie between, labels by their places, as trees read them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.columns import Categories
from symcf.data.encoder import UNREADABLE, Encoder, FeatureReader, Span, as_float, as_floats
from symcf.data.labels import checked_features, checked_names
from symcf.data.reader import Column, ColumnLayout
from symcf.data.regions import Region
from symcf.errors import ModelError

__all__ = ["Intervals", "first_right", "range_names"]


@dataclass(frozen=True, eq=False)
class _Thresholds(FeatureReader):
    """A column of numbers: the code is the index of the first threshold that is not below the number."""

    column: int
    thresholds: npt.NDArray[np.float64]
    float32: bool

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        x, _ = as_floats(columns[0])
        if self.float32:
            with np.errstate(over="ignore"):
                x = x.astype(np.float32).astype(np.float64)
        return np.where(np.isnan(x), UNREADABLE, np.searchsorted(self.thresholds, x, side="left"))

    @property
    def spans(self) -> Sequence[Span]:
        cuts = self.thresholds.tolist()
        return list(zip([-math.inf, *cuts], [*cuts, math.inf], range(len(cuts) + 1), strict=True))

    @cached_property
    def regions(self) -> Mapping[int, Region]:
        cuts = [first_right(t, strict=False, float32=self.float32) for t in self.thresholds.tolist()]
        lasts = [*(math.nextafter(cut, -math.inf) for cut in cuts), math.inf]
        found = enumerate(zip([-math.inf, *cuts], lasts, strict=True))
        return {code: Region(first, last) for code, (first, last) in found if first <= last}

    def number(self, cell: Any) -> float | None:
        number = as_float(cell)
        return None if number != number else number

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        raise AssertionError("every value is a range")

    def expected(self) -> str:
        return "a number"


def first_right(number: float, *, strict: bool, float32: bool = False) -> float:
    """The first double that fails the test ``x < number`` (``strict``) or ``x <= number``; with ``float32`` after it
    was rounded to 32 bits.
    """
    if not float32:
        return number if strict else math.nextafter(number, math.inf)
    with np.errstate(over="ignore"):
        first = np.float32(number)
        # the first 32-bit float that fails the test
        if float(first) < number or (float(first) == number and not strict):
            first = np.nextafter(first, np.float32(np.inf))
        before = np.nextafter(first, np.float32(-np.inf))
        # beyond the largest of 32 bits, the rounding turns where the next one would be
        next_one = float(first) if np.isfinite(first) else 2.0 * float(before) - float(np.nextafter(before, before / 2))
        # the doubles that round to it start halfway from the one before, or right after that
        middle = float(before) / 2 + next_one / 2
        return middle if np.float32(middle) == first else math.nextafter(middle, math.inf)


def range_names(cuts: Sequence[tuple[str, bool]]) -> list[str]:
    """The names of the ranges between cuts, each with the number to write and whether that lies on the left.

    >>> range_names([("25", True), ("40", False)])
    ['<= 25', '25 .. 40', '>= 40']
    """
    if not cuts:
        return ["any"]
    (first, closed), (last, last_closed) = cuts[0], cuts[-1]
    # x < 3 and x <= 3 are two cuts around one number
    between = [low if low == high else f"{low} .. {high}" for (low, _), (high, _) in itertools.pairwise(cuts)]
    return [f"{'<=' if closed else '<'} {first}", *between, f"{'>' if last_closed else '>='} {last}"]


class Intervals(Encoder):
    """Numbers -> the codes of the intervals that they lie in; labels -> their codes.

    Parameters
    ----------
    features:
        Names.
    thresholds:
        For each feature its thresholds, ascending: a number x has the code of the first threshold with
        ``x <= threshold``, and the last code if there is no such threshold. None for a feature with labels.
    values:
        For each feature without thresholds its labels, by code.
    float32:
        Rounds numbers to 32-bit floats before comparing, as scikit-learn's trees do.

    >>> Intervals(["age", "colour"], [[25.5, 40], None], values=[None, ["red", "blue"]]).encode([[40, "blue"]])
    array([[1, 1]])
    """

    kind: ClassVar[str] = "intervals"

    def __init__(
        self,
        features: Sequence[str],
        thresholds: Sequence[Sequence[float] | npt.NDArray[np.float64] | None],
        *,
        values: Sequence[Sequence[Hashable] | None] | None = None,
        float32: bool = False,
    ) -> None:
        self.features = checked_features(features, len(thresholds))
        self.thresholds = tuple(map(_checked_thresholds, thresholds, self.features))
        if values is not None and len(values) != len(thresholds):
            raise ModelError(f"values names the values of {len(values)} features, thresholds has {len(thresholds)}")
        self.values = tuple(
            None if t is not None else _checked_labels(None if values is None else values[j], self.features[j])
            for j, t in enumerate(self.thresholds)
        )
        if not isinstance(float32, bool):
            raise ModelError(f"float32 must be True or False, not {float32!r}")
        self.float32 = float32
        self.layout = ColumnLayout.of(self.features)
        self.readers = tuple(map(self._reader, range(len(self.features)), self.thresholds, self.values))

    def _reader(
        self, j: int, thresholds: npt.NDArray[np.float64] | None, labels: tuple[Hashable, ...] | None
    ) -> FeatureReader:
        if thresholds is not None:
            return _Thresholds(j, thresholds, self.float32)
        assert labels is not None
        return Categories(j, labels, tuple(range(len(labels))))

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "encoder": self.kind,
            "features": list(self.features),
            "thresholds": [None if t is None else t.tolist() for t in self.thresholds],
            "values": [None if labels is None else list(labels) for labels in self.values],
            "float32": self.float32,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Intervals:
        """The inverse of `to_dict`."""
        return cls(data["features"], data["thresholds"], values=data.get("values"), float32=data.get("float32", False))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Intervals):
            return NotImplemented
        return (self.features, self.values, self.float32) == (other.features, other.values, other.float32) and all(
            a is b or (a is not None and b is not None and np.array_equal(a, b))
            for a, b in zip(self.thresholds, other.thresholds, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.features, self.float32))

    def __repr__(self) -> str:
        n = len(self.features)
        return f"Intervals({n} feature{'s' * (n != 1)})"


# --- checks -----------------------------------------------------------------------------------------------------------


def _checked_thresholds(given: Any, feature: str) -> npt.NDArray[np.float64] | None:
    if given is None:
        return None
    try:
        array = np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"the thresholds of feature {feature!r} must be numbers") from None
    if array.dtype.kind not in "iuf":
        raise ModelError(f"the thresholds of feature {feature!r} must be numbers")
    if array.ndim != 1:
        raise ModelError(f"the thresholds of feature {feature!r} must be a list")
    thresholds = array.astype(np.float64)
    if not (np.isfinite(thresholds).all() and (np.diff(thresholds) > 0).all()):
        raise ModelError(f"the thresholds of feature {feature!r} must be finite and ascend")
    thresholds.setflags(write=False)
    return thresholds


def _checked_labels(labels: Sequence[Hashable] | None, feature: str) -> tuple[Hashable, ...]:
    if labels is None or len(labels) == 0:
        raise ModelError(f"feature {feature!r} has neither thresholds nor values")
    return checked_names(labels, len(labels), f"values of {feature!r}", [])
