"""Names and values in plain words, for people who did not train the model: "at most 1699", not "< 1700"."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import INVALID
from symcf.common.clock import tick
from symcf.data.numbers import NumberLine
from symcf.data.regions import Region, fitting_resolution, number_text
from symcf.letters.page import unit_name
from symcf.letters.policy import Policy, spelled
from symcf.question.constraint_kinds import Constraint
from symcf.system.classifier import Classifier

__all__ = ["Called", "Cells", "cells_of", "label_text", "labels_of", "ranges_of", "region_words"]

#: Rows that are looked at to see how many decimals a column has.
MOST_ROWS = 5_000


def label_text(label: Hashable) -> str:
    """A name as people read it. Characters that UTF-8 cannot encode are marked."""
    if isinstance(label, (bool, np.bool_)):
        return "yes" if label else "no"
    return str(label).encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True)
class Called:
    """What a policy calls features, values and decisions; everything else keeps its own name."""

    features: Mapping[str, str] = field(default_factory=dict)
    decisions: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def by(cls, policy: Policy | None, classifier: Classifier) -> Called:
        """The names of a policy: "monthly income (EUR)". In English, the language of pages, or in the policy's own if
        it has none in English.
        """
        if policy is None:
            return cls()
        language = LANGUAGE if LANGUAGE in policy.languages or not policy.languages else policy.language
        policy.checked(classifier.features, classifier.values, classifier.classes)
        features: dict[str, str] = {}
        for name, one in policy.features.items():
            said = name if one.name is None else one.name.of(language)
            features[name] = said if one.unit is None else f"{said} ({unit_name(one.unit.of(language))})"
        values = {
            name: {value: text.of(language) for value, text in (one.values or {}).items()}
            for name, one in policy.features.items()
        }
        return cls(features, {label: text.of(language) for label, text in (policy.decisions or {}).items()}, values)

    def feature(self, name: str) -> str:
        """A feature."""
        return label_text(self.features.get(name, name))

    def decision(self, label: Hashable) -> str:
        """A class."""
        return label_text(self.decisions.get(spelled(label), label) if self.decisions else label)

    def value(self, name: str, cell: Any, plain: Hashable) -> str:
        """A value of a feature; ``plain`` without a name of its own."""
        names = self.values.get(name)
        return label_text(names.get(spelled(cell), plain) if names else plain)

    def constraint(self, one: Constraint) -> Constraint:
        """A constraint as its phrase should name it."""
        if one.name is None:
            return one
        named = self.values.get(one.name, {})
        labels = tuple(named.get(spelled(label), label) for label in one.labels) if named else one.labels
        return replace(one, name=self.feature(one.name), labels=labels)


#: The language of pages.
LANGUAGE = "en"


def region_words(region: Region, resolution: Fraction | None) -> str:
    """A range of numbers in words; by the multiples of the resolution in it, if there is one.

    >>> region_words(Region.between(1700, 2200, closed=(True, False)), Fraction(1))
    '1700 to 2199'
    >>> region_words(Region.between(1700, 2200, closed=(True, False)), None)
    '1700 to under 2200'
    """
    shown = _on_grid(region, resolution)
    (low, from_low), (high, to_high) = shown.lower, shown.upper
    if math.isinf(low) and math.isinf(high):
        return "any number"
    if math.isinf(low):
        return f"{'at most' if to_high else 'under'} {number_text(high)}"
    if math.isinf(high):
        return f"{'at least' if from_low else 'over'} {number_text(low)}"
    if low == high:
        return number_text(low)
    return f"{'' if from_low else 'over '}{number_text(low)} to {'' if to_high else 'under '}{number_text(high)}"


def _on_grid(region: Region, resolution: Fraction | None) -> Region:
    return region if resolution is None else region.rounded(resolution)


class _Column:
    """A feature that is read as a range of numbers: its regions by code, and how fine its numbers are."""

    def __init__(self, regions: Mapping[int, Region], resolution: Fraction | None) -> None:
        self.regions = regions
        self.resolution = resolution

    def entry(self, code: int) -> list[float | None] | None:
        """Least and greatest number of a value, and the least and greatest that are suggested; None: no numbers."""
        if code not in self.regions:
            return None
        region = self.regions[code]
        shown = _on_grid(region, self.resolution)
        ends = (region.first, region.last, shown.first, shown.last)
        return [end if math.isfinite(end) else None for end in ends]


Cells = list[list[Any] | None]


def cells_of(batch: BatchExplanation) -> Cells | None:
    """By row and feature what was given, None for unreadable rows; None in all where the rows were codes."""
    if batch.given is None or batch.compiled.model.encoder is None:
        return None
    cells: Cells = []
    for i, status in enumerate(batch.status.tolist()):
        tick()
        cells.append(batch.cells(i) if status != INVALID else None)
    return cells


def _columns(batch: BatchExplanation, cells: Cells | None) -> dict[int, _Column]:
    """By feature; none where rows were given as codes."""
    c, found = batch.compiled, {}
    for j, reader in enumerate([] if cells is None else c.encoder.readers):
        if reader.regions is None or len(reader.sources) != 1:
            continue
        given = [reader.number(row[j]) for row in (cells or [])[:MOST_ROWS] if row is not None]
        numbers = [number for number in given if number is not None]
        whole = Fraction(1) if c.encoder.scales[j].whole else None
        asked = batch.request.question.resolutions.get(j)
        found[j] = _Column(reader.regions, asked or (fitting_resolution(numbers) if numbers else whole))
    return found


def ranges_of(batch: BatchExplanation, cells: Cells | None) -> list[Any]:
    """By feature, what the page needs to read a number that someone types in; None where values are not numbers."""
    columns = _columns(batch, cells)
    return [
        None
        if j not in columns
        else {
            "codes": [columns[j].entry(code) for code in range(len(batch.compiled.values[j]))],
            "holes": sorted({hole for region in columns[j].regions.values() for hole in region.holes}),
        }
        for j in range(batch.compiled.n_features)
    ]


def labels_of(batch: BatchExplanation, cells: Cells | None, called: Called) -> list[list[str]]:
    """By feature, its values in words. Columns of numbers have too many to list, and an empty list."""
    c, columns = batch.compiled, _columns(batch, cells)
    return [_labels(c, j, columns.get(j), called) for j in range(c.n_features)]


def _labels(c: Classifier, j: int, column: _Column | None, called: Called) -> list[str]:
    values = c.values[j]
    if isinstance(values, NumberLine):
        return []
    regions: Mapping[int, Region] = {}
    if c.model.encoder is not None:
        regions = c.encoder.readers[j].regions or {}
    resolution = None if column is None else column.resolution
    words = [
        region_words(regions[code], resolution) if code in regions else called.value(c.features[j], label, label)
        for code, label in enumerate(values)
    ]
    # words of ranges between which no multiple of the resolution lies may be equal
    return words if len(set(words)) == len(words) else [label_text(label) for label in values]
