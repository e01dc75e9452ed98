"""The values of one feature that several classifiers read: see `symcf.data.shared`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.common.clock import tick
from symcf.data.columns import Categories, OneHot, Ranges, Reader
from symcf.data.encoder import UNREADABLE, FeatureReader, is_missing
from symcf.data.regions import Region, nearest, number_text
from symcf.errors import ModelError

__all__ = ["Shared", "Use", "by_labels", "free_name", "of_part", "range_text"]

OTHER, MISSING = "(other)", "(missing)"


@dataclass(frozen=True)
class Use:
    """A feature of one of the classifiers."""

    #: Which classifier, which of its features.
    which: int
    feature: int
    name: str
    labels: Sequence[Hashable]
    ordered: bool
    reader: FeatureReader
    #: Where the columns that it reads are among all.
    sources: tuple[int, ...]
    #: Are its rows value codes?
    coded: bool


@dataclass(frozen=True)
class Shared:
    """A feature of the shared columns."""

    uses: tuple[Use, ...]
    #: By value, what each use reads.
    codes: tuple[tuple[int, ...], ...]
    labels: tuple[Hashable, ...]
    ordered: bool
    reader: Reader | None


def free_name(name: str, taken: Sequence[Any]) -> str:
    """The name, or a similar one that is not in use."""
    return next(text for text in (f"{name}{'*' * stars}" for stars in itertools.count()) if text not in taken)


def by_labels(part: Sequence[Use]) -> Shared:
    """Where rows are value codes: values are the same if their labels are."""
    first = part[0]
    labels = tuple(first.labels)
    for use in part[1:]:
        if len(use.labels) != len(labels) or set(use.labels) != set(labels):
            raise ModelError(
                f"the values of {first.name!r} are {list(labels)!r} to one classifier and {list(use.labels)!r} to "
                "another: give both the same names (values=)"
            )
    codes = [[list(use.labels).index(label) for use in part] for label in labels]
    same_order = all(tuple(use.labels) == labels for use in part)
    ordered = same_order and all(use.ordered for use in part)
    return Shared(tuple(part), tuple(map(tuple, codes)), labels, ordered, None)


def of_part(part: Sequence[Use], names: Sequence[str], steps: Mapping[int, Fraction]) -> Shared:
    """Where at least one of them reads raw columns. ``steps``: by column, what its numbers are multiples of."""
    for use in part:
        if use.coded and not _reads_as_named(use.labels):
            raise ModelError(
                f"{use.name!r} is given by codes to one classifier, whose values have the names {list(use.labels)!r}, "
                "and as it is to another: name its values 0, 1, ..., or by text"
            )
    sources = {source for use in part for source in use.sources}
    if len(sources) > 1:
        return _one_hot(part, sources, names)
    (column,) = sources
    cuts = sorted({cut for use in part for cut in _cuts(use.reader)})
    if any(use.reader.regions is not None for use in part):
        found = _ranges(part, column, cuts, steps.get(column))
        if found is not None:
            return found
    return _categories(part, column)


def _reads_as_named(labels: Sequence[Hashable]) -> bool:
    """Does a number in a row of codes say what it says in any other row?"""
    numbers = [isinstance(label, (int, float, np.number, np.bool_)) for label in labels]
    return not any(numbers) or all(label == code for code, label in enumerate(labels))


def _read(uses: Sequence[Use], cell: Any) -> tuple[int, ...] | None:
    """What each of them reads in a cell; None if one cannot."""
    column = np.empty(1, dtype=object)
    column[0] = cell
    codes = tuple(int(use.reader.read([column])[0]) for use in uses)
    fit = all(0 <= code < len(use.labels) for code, use in zip(codes, uses, strict=True))
    return codes if fit else None


def _cuts(reader: FeatureReader) -> Iterator[float]:
    """Where its ranges begin."""
    if isinstance(reader, Ranges):
        yield from reader.cuts
    elif reader.regions is not None:
        for region in reader.regions.values():
            if math.isfinite(region.first):
                yield region.first
            if region.first == region.last:  # a single number: what lies behind it is no value
                yield math.nextafter(region.last, math.inf)


def _marked(reader: FeatureReader) -> Iterator[float]:
    """Numbers that it knows one by one."""
    if isinstance(reader, Ranges):
        yield from (number for number, _ in reader.markers)
    for key in _keys(reader):
        if isinstance(key, (bool, int, float)) and math.isfinite(key):
            yield float(key)


def _keys(reader: FeatureReader) -> Sequence[Any]:
    """Entries that it knows one by one."""
    if isinstance(reader, Categories):
        return [key for key in reader.keys if key is not None and not is_missing(key)]
    labels = getattr(reader, "labels", None)  # of codes
    if labels is None:
        return ()
    names = [label for label in labels if not isinstance(label, (int, float, np.number, np.bool_))]
    return names if names else list(range(len(labels)))


class _Values:
    """The values found so far: what each use reads, and the numbers or the entry that stand for it."""

    def __init__(self, uses: Sequence[Use]) -> None:
        self._uses = uses
        self.codes: list[tuple[int, ...]] = []
        self.shown: list[Hashable] = []

    def add(self, read: tuple[int, ...], shown: Hashable) -> int:
        self.codes.append(read)
        self.shown.append(shown)
        return len(self.codes) - 1

    def code(self, cell: Any, shown: Hashable) -> int:
        """The value of a cell, a new one if need be."""
        read = _read(self._uses, cell)
        if read is None:
            return UNREADABLE
        return self.codes.index(read) if read in self.codes else self.add(read, shown)

    def feature(self, reader: Reader, ordered: bool, ranges: int = 0) -> Shared:
        labels = self._labels(ranges)
        return Shared(tuple(self._uses), tuple(self.codes), labels, ordered, reader)

    def _labels(self, ranges: int) -> tuple[Hashable, ...]:
        """Those of the first use that tells all values apart; else what stands for them."""
        for place, use in enumerate(self._uses):
            own = [codes[place] for codes in self.codes]
            named = ranges > 0 or use.reader.regions is None  # the name of a range says little about an entry
            if named and len(set(own)) == len(own):
                return tuple(use.labels[code] for code in own)
        texts = _range_texts([region for region in self.shown[:ranges] if isinstance(region, Region)])
        labels: list[Hashable] = []
        for shown in [*texts, *self.shown[ranges:]]:
            labels.append(free_name(str(shown), labels) if shown in labels else shown)
        return tuple(labels)


def _ranges(part: Sequence[Use], column: int, cuts: Sequence[float], step: Fraction | None) -> Shared | None:
    """Numbers between the cuts of all; None if no range can be read by all, but single numbers perhaps."""
    marks = sorted({mark for use in part for mark in _marked(use.reader)})
    values = _Values(part)
    kept: list[float] = []
    codes: list[int] = []
    last: tuple[int, ...] | None = None
    for first, end in itertools.pairwise([-math.inf, *cuts, math.inf]):
        tick()
        inside = _inside(first, end, marks)
        read = None if inside is None or not _has_multiple(first, end, step) else _read(part, inside)
        if codes and read == last:
            continue
        if math.isfinite(first):
            kept.append(first)
        codes.append(UNREADABLE if read is None else values.add(read, Region(first, math.inf)))
        last = read
    if not values.codes:
        return None
    ends = [*kept, math.inf]
    for first, end, code in zip([-math.inf, *kept], ends, codes, strict=True):
        if code >= 0:
            values.shown[code] = Region(first, end if math.isinf(end) else math.nextafter(end, -math.inf))
    n_ranges = len(values.codes)
    markers = []
    for mark in marks:
        code = values.code(mark, number_text(mark))
        place = int(np.searchsorted(np.array(kept), mark, side="right"))
        if code != codes[place]:
            markers.append((mark, code))
    nan = values.code(math.nan, MISSING)
    # missing ones, if they are a value of their own, come last and are not part of the order
    ordered = len(values.codes) - (nan == n_ranges) == n_ranges and all(use.ordered for use in part)
    return values.feature(Ranges(column, tuple(kept), tuple(codes), nan, tuple(markers)), ordered, n_ranges)


def _has_multiple(first: float, end: float, step: Fraction | None) -> bool:
    """Is there a multiple of the step from `first` on, below `end`?"""
    if step is None or math.isinf(first) or math.isinf(end):
        return True
    number, multiple = nearest(Region(first, math.nextafter(end, -math.inf)), None, step)
    return multiple and first <= number < end


def _inside(first: float, end: float, marks: Sequence[float]) -> float | None:
    """A number from `first` on, below `end`, that is not marked; None if there is none."""
    if math.isinf(first):
        return min([0.0, math.nextafter(end, -math.inf), *(mark - 1 - abs(mark) for mark in marks)])
    number = first
    while number in marks:
        number = math.nextafter(number, math.inf)
    return number if number < end else None


def _range_texts(regions: Sequence[Region]) -> list[str]:
    """Names with as few digits as tell the ranges apart."""
    if len(regions) < 2:
        return ["any"] * len(regions)
    digits = _digits({region.first for region in regions})
    return [range_text(region, digits) for region in regions]


def _digits(numbers: Collection[float]) -> int:
    """As few as tell them apart."""
    return next((few for few in (6, 9, 12) if len({f"{x:.{few}g}" for x in numbers}) == len(numbers)), 17)


def range_text(region: Region, digits: int = 0) -> str:
    """A range in words, its ends with so many digits, or with as few as tell them apart. The signs are those of the
    numbers as they are written.
    """
    if region.first == region.last:
        return number_text(region.first)
    low, high = region.lower[0], region.upper[0]
    shown = [f"{end:.{digits or _digits({low, high})}g}".replace("e+", "e") for end in (low, high)]
    if math.isinf(low):
        return f"{'<=' if float(shown[1]) <= region.last else '<'} {shown[1]}" if math.isfinite(high) else "any number"
    if math.isinf(high):
        return f"{'>=' if float(shown[0]) >= region.first else '>'} {shown[0]}"
    return f"{shown[0]} .. {shown[1]}"


def _categories(part: Sequence[Use], column: int) -> Shared:
    values = _Values(part)
    keys = list(dict.fromkeys(key for use in part for key in _keys(use.reader)))
    numeric = all(isinstance(key, (bool, int, float)) for key in keys)
    codes = [values.code(key, key) for key in (sorted(keys) if numeric else keys)]
    known = [(key, code) for key, code in zip(sorted(keys) if numeric else keys, codes, strict=True) if code >= 0]
    if not known:
        raise ModelError(f"no entry of column {part[0].name!r} can be read by all classifiers")
    n_known = len(values.codes)
    nan = values.code(math.nan, MISSING)
    none = values.code(None, MISSING if nan < 0 else "None")
    other = values.code(_Unknown(), OTHER)
    same_order = all(use.ordered for use in part) and all(_ascends(values.codes, i) for i in range(len(part)))
    ordered = len(values.codes) == n_known and same_order
    reader = Categories(column, tuple(key for key, _ in known), tuple(code for _, code in known), nan, none, other)
    return values.feature(reader, ordered)


def _ascends(codes: Sequence[tuple[int, ...]], place: int) -> bool:
    return all(a[place] <= b[place] for a, b in itertools.pairwise(codes))


class _Unknown:
    """An entry that is unknown to all classifiers."""


def _one_hot(part: Sequence[Use], sources: set[int], names: Sequence[str]) -> Shared:
    """Several columns, of which one classifier knows that at most one is 1."""
    lead = next((use for use in part if set(use.sources) == sources and isinstance(use.reader, OneHot)), None)
    if lead is None:
        shown = ", ".join(repr(names[source]) for source in sorted(sources))
        raise ModelError(
            f"the columns {shown} are one feature to one classifier and several, or others, to another: give both the "
            "same groups of columns"
        )
    assert isinstance(lead.reader, OneHot)
    values = _Values(part)
    codes = [_one_hot_code(values, part, lead.sources, place) for place in range(len(lead.sources))]
    none = _one_hot_code(values, part, lead.sources, None)
    if not values.codes:
        raise ModelError(f"no value of {lead.name!r} can be read by all classifiers")
    return values.feature(OneHot(lead.sources, tuple(codes), none), ordered=False)


def _one_hot_code(values: _Values, part: Sequence[Use], sources: Sequence[int], one: int | None) -> int:
    cells = {source: int(place == one) for place, source in enumerate(sources)}
    read = []
    for use in part:
        code = int(use.reader.read([np.array([cells[source]]) for source in use.sources])[0])
        if not 0 <= code < len(use.labels):
            return UNREADABLE
        read.append(code)
    return (
        values.add(tuple(read), "none" if one is None else str(one))
        if tuple(read) not in values.codes
        else (values.codes.index(tuple(read)))
    )
