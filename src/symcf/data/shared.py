"""Shared columns: rows that several classifiers read, each in its own way, as rows of one kind.

A column that one classifier cuts at 2 and another at 3 is cut at both, so that each range of the result lies in one
range of either. Categories are those of all. What one of the classifiers cannot read, the result cannot read either.

    columns, readings = shared([first, second])
    readings[1].codes[j][v]        # what the second classifier reads, for its feature j, ...
    readings[1].feature[j]         # ... where this feature of the result has the value v
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.columns import Categories, OneHot, Ranges, RawColumns, Reader
from symcf.data.encoder import UNREADABLE, Encoder, FeatureReader, ValueCodes, is_missing
from symcf.data.labels import MISSING, OTHER, free_name
from symcf.data.numbers import LEAST, NumberLine, Numbers
from symcf.data.reader import ColumnLayout
from symcf.data.regions import LineCells, Region, checked_resolutions, nearest, number_text, own_resolution
from symcf.data.types import ColumnType
from symcf.errors import ModelError, OptionError

__all__ = ["Columns", "Reading", "Use", "range_text", "row_of_codes", "shared", "shared_lines"]


# --- values -----------------------------------------------------------------------------------------------------------
# The values of one feature that several classifiers read.


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
    labels: Sequence[Hashable]
    ordered: bool
    reader: Reader | Numbers | None
    #: Where it is a line of numbers: its cells, by which ``codes`` are listed.
    cells: LineCells | None = None


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
    if any(isinstance(use.labels, NumberLine) for use in part):
        return _line(part, sources, names)
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


def _line(part: Sequence[Use], sources: set[int], names: Sequence[str]) -> Shared:
    """A line of numbers, cut where those that read ranges tell numbers apart. What is read in place of missing numbers
    is read if all agree about it.
    """
    if len(sources) > 1:
        raise ModelError(
            f"the column {names[min(sources)]!r} is a number to one classifier and one of several to another"
        )
    readers = [use.reader for use in part if isinstance(use.reader, Numbers)]
    lines = [use.labels for use in part if isinstance(use.labels, NumberLine)]
    low, high = max(line.low for line in lines), min(line.high for line in lines)
    if low > high:
        raise ModelError(f"{part[0].name!r}: the ranges of the classifiers have no number in common; give ranges=")
    same = len(readers) == len(part) and all(replace(r, column=0) == replace(readers[0], column=0) for r in readers)
    (column,) = sources
    reader = replace(readers[0], column=column) if same else Numbers(column)
    cuts = {cut for use in part for cut in _cuts(use.reader)}
    for use in part:
        marks = [*_marked(use.reader)] if use.reader.regions is not None else []
        cuts.update(mark for number in marks for mark in (number, math.nextafter(number, math.inf)))
    cells = LineCells(tuple(sorted(set(map(_readable, cuts)))), reader.missing is not None)
    codes = []
    for region in cells.regions.values():
        tick()
        number = 0.0 if 0.0 in region else region.first if math.isfinite(region.first) else region.last
        read = tuple(
            0 if isinstance(use.labels, NumberLine) else int(use.reader.read([np.array([number], dtype=object)])[0])
            for use in part
        )
        if any(code < 0 for code in read):
            raise ModelError(f"{part[0].name!r}: {number:g} is a number to one classifier and unknown to another")
        codes.append(read)
    codes += [(0,) * len(part)] * cells.has_missing
    return Shared(tuple(part), tuple(codes), replace(lines[0], low=low, high=high), True, reader, cells)


def _readable(cut: float) -> float:
    """The first number of a line from a cut on: those close to 0 have no codes."""
    return cut if abs(cut) >= LEAST else LEAST if cut > 0 else 0.0


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


# --- the columns of several classifiers -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Columns:
    """How rows are read: features, the names of their values, which of these are ordered, and the encoder."""

    features: tuple[str, ...]
    values: tuple[Sequence[Hashable], ...]
    ordered: tuple[bool, ...]
    #: None: rows are value codes.
    encoder: Encoder | None = None

    @classmethod
    def of_codes(cls, features: Sequence[str], n_values: Sequence[int]) -> Columns:
        """Features whose values have no names."""
        return cls(tuple(features), tuple(tuple(range(d)) for d in n_values), (True,) * len(features))

    @property
    def n_values(self) -> tuple[int, ...]:
        """By feature, the number of its values."""
        return tuple(map(len, self.values))

    @property
    def n_cells(self) -> int:
        """How many rows there are in all, where numbers of one range, and categories of one value, count as one."""
        return math.prod(self.n_values)

    @cached_property
    def reader(self) -> Encoder:
        """What reads rows."""
        return ValueCodes(self.features, self.n_values, self.values) if self.encoder is None else self.encoder

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns):
            return NotImplemented
        names = ("features", "values", "ordered", "encoder")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash((self.features, self.ordered))


@dataclass(frozen=True)
class Reading:
    """How one classifier sees rows of the shared columns."""

    #: By feature of the classifier, the feature of the shared columns that it is read from.
    feature: tuple[int, ...]
    #: By feature of the classifier and value of that feature, the value code that the classifier reads.
    codes: tuple[tuple[int, ...], ...]


def shared(given: Sequence[Columns], resolution: Any = None) -> tuple[Columns, list[Reading]]:
    """The columns that all of them read; `ModelError` names what cannot be read together.

    ``resolution``: by column, what its numbers are multiples of; ranges without a multiple cannot be read.
    """
    for columns in given:
        for name, values in zip(columns.features, columns.values, strict=True):
            if isinstance(values, NumberLine) and any(columns != other for other in given):
                raise ModelError(
                    f"column {name!r} is read as numbers, of which there are too many to combine: bin it "
                    "(KBinsDiscretizer)"
                )
    columns, readings, _ = shared_lines(given, resolution)
    return columns, readings


def shared_lines(
    given: Sequence[Columns], resolution: Any = None
) -> tuple[Columns, list[Reading], tuple[LineCells | None, ...]]:
    """The same where columns may be lines of numbers. By feature that is one, its cells: what those classifiers tell
    apart that read it as ranges. Readings have the codes of these cells.
    """
    first = given[0]
    if resolution is None and all(columns is first or columns == first for columns in given):
        lines = [isinstance(values, NumberLine) for values in first.values]
        cells = tuple(
            LineCells((), reader.missing is not None) if line else None
            for line, reader in zip(lines, first.reader.readers, strict=True)
        )
        counts = [len(v) if c is None else c.n_cells for v, c in zip(first.values, cells, strict=True)]
        same = Reading(tuple(range(len(first.features))), tuple(tuple(range(d)) for d in counts))
        return first, [same] * len(given), cells
    by_code = all(columns.encoder is None for columns in given)
    names, places = _names([columns.reader.layout for columns in given])
    parts = _parts(given, places)
    steps = {} if resolution is None else checked_resolutions(resolution, names)
    features = [by_labels(part) if by_code else of_part(part, names, steps) for part in parts]
    for place in steps:
        if not any(
            f.reader is not None and isinstance(f.reader, Ranges) and f.reader.column == place for f in features
        ):
            raise OptionError(f"resolution: {names[place]!r} is not a column of ranges of numbers")
    encoder = None
    if not by_code:
        readers = [f.reader for f in features if f.reader is not None]
        doubles = {c.reader.layout.names[place] for c in given for place in c.reader.doubles}
        encoder = RawColumns(
            names,
            readers,
            named=places.named,
            doubles=[i for i, name in enumerate(names) if name in doubles],
            types=_types([columns.reader.layout for columns in given], names, places),
        )
    result = Columns(
        _feature_names(features, names),
        tuple(feature.labels for feature in features),
        tuple(feature.ordered for feature in features),
        encoder,
    )
    readings = [_reading(i, len(columns.features), features) for i, columns in enumerate(given)]
    return result, readings, tuple(feature.cells for feature in features)


def _types(layouts: Sequence[ColumnLayout], names: Sequence[str], places: _Places) -> list[ColumnType | None]:
    """By column, its type in the first classifier that has one."""
    found: list[ColumnType | None] = [None] * len(names)
    for layout, where in zip(reversed(layouts), reversed(places.of), strict=True):
        for i, place in enumerate(where):
            found[place] = layout.type_of(i) or found[place]
    return found


def _reading(which: int, n_features: int, features: Sequence[Shared]) -> Reading:
    found = {
        use.feature: (j, tuple(codes[place] for codes in feature.codes))
        for j, feature in enumerate(features)
        for place, use in enumerate(feature.uses)
        if use.which == which
    }
    return Reading(tuple(found[j][0] for j in range(n_features)), tuple(found[j][1] for j in range(n_features)))


# --- columns ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Places:
    #: By classifier, where each of its columns is among all.
    of: tuple[tuple[int, ...], ...]
    named: bool


def _names(layouts: Sequence[ColumnLayout]) -> tuple[tuple[str, ...], _Places]:
    """All columns, those of the first classifier first, and where each classifier's are."""
    first = layouts[0].names
    if all(layout.names == first for layout in layouts):
        same = tuple(range(len(first)))
        return first, _Places((same,) * len(layouts), any(layout.named for layout in layouts))
    if not all(layout.named for layout in layouts):
        shown = next(layout.names for layout in layouts if not layout.named)
        raise ModelError(
            f"one of the classifiers knows its {len(shown)} columns by their order only, so they cannot be matched by "
            "name with those of the other: fit it on a table whose columns have names, or give it feature_names"
        )
    names = tuple(dict.fromkeys(name for layout in layouts for name in layout.names))
    place = {name: i for i, name in enumerate(names)}
    return names, _Places(tuple(tuple(place[name] for name in layout.names) for layout in layouts), True)


def _parts(given: Sequence[Columns], places: _Places) -> list[list[Use]]:
    """The features of all classifiers, those that read a column in common together; by their first use."""
    uses = [
        Use(
            i,
            j,
            name,
            columns.values[j],
            columns.ordered[j],
            columns.reader.readers[j],
            tuple(places.of[i][source] for source in columns.reader.readers[j].sources),
            columns.encoder is None,
        )
        for i, columns in enumerate(given)
        for j, name in enumerate(columns.features)
    ]
    part_of: dict[int, list[Use]] = {}
    for use in uses:
        met = {id(part_of[source]): part_of[source] for source in use.sources if source in part_of}
        joined = sorted([*itertools.chain(*met.values()), use], key=lambda one: (one.which, one.feature))
        for one in joined:
            for source in one.sources:
                part_of[source] = joined
    distinct = {id(part): part for part in part_of.values()}
    return sorted(distinct.values(), key=lambda part: (part[0].which, part[0].feature))


def _feature_names(features: Sequence[Shared], names: Sequence[str]) -> tuple[str, ...]:
    """Each as its first classifier calls it; as its column where another one is called so."""
    taken: list[str] = []
    for feature in features:
        use = feature.uses[0]
        candidates = [use.name, *(names[source] for source in use.sources)]
        taken.append(free_name(next((name for name in candidates if name not in taken), use.name), taken))
    return tuple(taken)


# --- rows that nobody gave --------------------------------------------------------------------------------------------
# Value codes -> a row of cells that says the same, where no row was given that it could be like.


def row_of_codes(columns: Columns, codes: Sequence[int]) -> dict[str, Any]:
    """By column, what stands for these values: the number of a range that is nearest to 0, the category, the code.

    Columns that no feature is read from are left out where columns have names, and 0 where they are known by order.
    """
    encoder = columns.reader
    layout = encoder.layout
    cells: dict[int, Any] = {} if layout.named else dict.fromkeys(range(len(layout.names)), 0.0)
    for j, (reader, code) in enumerate(zip(encoder.readers, codes, strict=True)):
        found = _cells(encoder, j, reader, int(code), columns.values[j][int(code)])
        cells.update(zip(reader.sources, found, strict=True))
    return {layout.names[place]: cells[place] for place in sorted(cells)}


def _cells(encoder: Encoder, j: int, reader: FeatureReader, code: int, label: Hashable) -> tuple[Any, ...]:
    regions = reader.regions
    if regions is None or code not in regions:
        number = isinstance(label, (int, float, np.number, np.bool_))
        return reader.cells(code, label, [0 if number or len(reader.sources) > 1 else ""] * len(reader.sources))
    region = regions[code]
    if encoder.scales[j].whole:
        found, whole = nearest(region, None, Fraction(1))
        return (int(found) if whole else found,)
    end = region.first if abs(region.first) <= abs(region.last) else region.last
    return (nearest(region, None, own_resolution(None, end))[0],)
