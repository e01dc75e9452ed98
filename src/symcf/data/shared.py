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
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from symcf.common.lazy import cached_property
from symcf.data.columns import Ranges, RawColumns
from symcf.data.encoder import Encoder
from symcf.data.numbers import NumberLine
from symcf.data.reader import ColumnLayout
from symcf.data.regions import checked_resolutions
from symcf.data.shared_values import Shared, Use, by_labels, free_name, of_part
from symcf.data.types import ColumnType
from symcf.data.value_codes import ValueCodes
from symcf.errors import ModelError, OptionError

__all__ = ["Columns", "Reading", "shared"]


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
    first = given[0]
    if resolution is None and all(columns is first or columns == first for columns in given):
        same = Reading(tuple(range(len(first.features))), tuple(tuple(range(d)) for d in first.n_values))
        return first, [same] * len(given)
    for columns in given:
        for name, values in zip(columns.features, columns.values, strict=True):
            if isinstance(values, NumberLine):
                raise ModelError(
                    f"column {name!r} is read as numbers, of which there are too many to combine: bin it "
                    "(KBinsDiscretizer)"
                )
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
    return result, [_reading(i, len(columns.features), features) for i, columns in enumerate(given)]


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
