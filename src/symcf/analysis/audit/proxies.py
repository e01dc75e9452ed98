"""Proxies: features from which a protected feature, or the group of a row, can be read off.

Three figures of each other feature. How often the group is guessed from its value alone, in the data. How many rows are
decided differently if only this feature is different. And where a change of the protected feature alone changes the
decision: for how many of these rows a change of this feature alone changes it back, so that it can stand in for the
protected one.

A guess names the group whose rows have the value most often, by its share in each group, from the other rows (each row
is left out of its own guess; ties count in part). The figure is the mean of the shares of right guesses in each group,
so that large groups do not count for more: one half is chance with two groups. Columns of numbers are cut where the
model cuts them, or into ten parts with about as many rows each. One feature at a time: several weak ones may tell the
group together, and that is not measured. Neither do the figures say why a feature and a group go together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import COMPLETE, INVALID
from symcf.compiled import Compiled
from symcf.data.numbers import NumberLine
from symcf.data.reader import Codes, read_rows
from symcf.fast import explain_batch

__all__ = ["Proxies", "Proxy", "guessed", "proxies_of"]

#: Parts that a column of numbers is cut into.
PARTS = 10

Counts = Counter[tuple[Hashable, Hashable]]


@dataclass(frozen=True)
class Proxy:
    """What one feature tells about a protected one."""

    protected: str
    feature: str
    #: The mean over the groups of the share of rows whose group is guessed right; None with fewer than two groups.
    guessed: float | None
    #: The same by chance.
    chance: float | None
    #: Rows that are decided differently if only this feature is.
    decides: int
    #: Rows that are decided differently if only the protected one is, and of these, rows that this feature alone turns
    #: back; None where the classifier does not read the protected one.
    turned: int | None
    restored: int | None
    #: Rows of which that is not known.
    unknown: int


@dataclass
class Proxies:
    """What is counted for proxies; counts of parts of a table add up."""

    #: By protected feature and feature, how often each value occurs in each group.
    counts: dict[tuple[str, str], Counts] = field(default_factory=dict)
    #: The features whose values are numbers.
    numbers: set[str] = field(default_factory=set)
    decides: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    turned: Counter[str] = field(default_factory=Counter)
    restored: Counter[tuple[str, str]] = field(default_factory=Counter)
    features: tuple[str, ...] = ()
    #: By protected feature, whether the classifier reads it.
    protected: dict[str, bool] = field(default_factory=dict)

    def add(self, other: Proxies) -> None:
        """Takes in the counts of another part."""
        for pair, counts in other.counts.items():
            self.counts.setdefault(pair, Counter()).update(counts)
        self.numbers |= other.numbers
        for name in ("decides", "unknown", "turned", "restored"):
            getattr(self, name).update(getattr(other, name))
        self.features = other.features
        self.protected |= other.protected

    def lines(self) -> list[Proxy]:
        """By protected feature, the others, those that tell most about it first."""
        found = []
        for name, is_read in self.protected.items():
            for feature in self.features:
                share, chance = guessed(self.counts.get((name, feature), Counter()), feature in self.numbers)
                turned = self.turned[name] if is_read else None
                restored = self.restored[name, feature] if is_read else None
                found.append(
                    Proxy(name, feature, share, chance, self.decides[feature], turned, restored, self.unknown[feature])
                )
        order = {name: i for i, name in enumerate(self.protected)}
        return sorted(found, key=lambda one: (order[one.protected], -(one.guessed or 0.0), one.feature))


def guessed(counts: Mapping[tuple[Hashable, Hashable], int], numbers: bool) -> tuple[float | None, float | None]:
    """The mean share of right guesses, and what chance gives, from how often each value occurs in each group."""
    groups = sorted({group for _, group in counts}, key=str)
    if len(groups) < 2:
        return None, None
    of_value: dict[Hashable, dict[Hashable, int]] = {}
    for (value, group), count in counts.items():
        by_group = of_value.setdefault(value, dict.fromkeys(groups, 0))
        by_group[group] += count
    table = _in_parts(of_value, groups) if numbers else np.array([list(one.values()) for one in of_value.values()])
    rows = table.sum(axis=0)
    table, rows = table[:, rows > 1], rows[rows > 1]
    if len(rows) < 2:
        return None, None
    right = np.zeros(len(rows))
    for g, total in enumerate(rows.tolist()):
        shares = table / rows
        shares[:, g] = (table[:, g] - 1) / (total - 1)
        best = shares.max(axis=1)
        ties = (shares == best[:, None]).sum(axis=1)
        hits = (shares[:, g] == best) / ties
        right[g] = (hits * table[:, g]).sum() / total
    return float(right.mean()), 1 / len(rows)


def _in_parts(of_value: Mapping[Any, Mapping[Hashable, int]], groups: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    """Numbers in parts with about as many rows each; missing ones are a part."""
    known = sorted(value for value in of_value if value is not None)
    table = np.array([[of_value[value][group] for group in groups] for value in known], dtype=np.int64)
    rows = [[of_value[None][group] for group in groups]] if None in of_value else []
    if len(table):
        seen = np.cumsum(table.sum(axis=1)) - 1
        part = seen * PARTS // (seen[-1] + 1)
        rows += [table[part == number].sum(axis=0).tolist() for number in np.unique(part).tolist()]
    return np.array(rows, dtype=np.int64).reshape(-1, len(groups))


def proxies_of(
    compiled: Compiled,
    protected: Sequence[int],
    rows: Any,
    batch: BatchExplanation,
    labels: Any,
    group: str,
    options: Mapping[str, Any],
) -> Proxies:
    """What one part of a table says. ``labels`` are the groups of the rows where another column tells them."""
    features, found = compiled.features, Proxies()
    others = [j for j in range(len(features)) if j not in protected]
    readable = batch.status != INVALID
    keys = {j: _keys(batch, j) for j in range(len(features))}
    told: dict[str, Sequence[Hashable]] = {}
    for j in protected:
        values = batch.compiled.values[j]
        codes = batch.rows[:, j].tolist()
        told[features[j]] = (
            keys[j] if isinstance(values, NumberLine) else [values[code] if code >= 0 else None for code in codes]
        )
    if labels is not None and not isinstance(labels, str):
        told[group] = list(labels)
    elif isinstance(labels, str) and features.index(labels) not in protected:
        told[labels] = keys[features.index(labels)]
        others = [j for j in others if features[j] != labels]
    found.features = tuple(features[j] for j in others)
    found.protected = {name: name in features for name in told}
    found.numbers = {features[j] for j in others if isinstance(batch.compiled.values[j], NumberLine)}
    for name, cells in told.items():
        for j in others:
            pairs = [(a, b) for a, b, fine in zip(keys[j], cells, readable.tolist(), strict=True) if fine]
            found.counts[name, features[j]] = Counter(pairs)
    for j in others:
        alone = _alone(compiled, j, rows, **options)
        found.decides[features[j]] = int((np.diff(alone.row_offsets) > 0).sum())
        found.unknown[features[j]] = int(_open(alone).sum())
    for name in told:
        if name not in features:
            continue
        turned = _alone(compiled, features.index(name), rows, **options)
        which = np.flatnonzero(np.diff(turned.row_offsets) > 0)
        found.turned[name] = len(which)
        if not len(which):
            continue
        partners = turned.to_frame(1).reset_index(drop=True)
        back = [compiled.classes[code] for code in np.asarray(turned.prediction)[which].tolist()]
        for j in others:
            restoring = _alone(compiled, j, partners, target=back, **options)
            found.restored[name, features[j]] = int((np.diff(restoring.row_offsets) > 0).sum())
            found.unknown[features[j]] += int(_open(restoring).sum())
    return found


def _alone(compiled: Compiled, j: int, rows: Any, **options: Any) -> BatchExplanation:
    """Each row, with changes of one feature only."""
    fixed = [i for i in range(len(compiled.features)) if i != j]
    return explain_batch(compiled, rows, k=1, immutable=fixed, **options)


def _open(batch: BatchExplanation) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = np.diff(batch.row_offsets) == 0
    found &= (batch.status != COMPLETE) & (batch.status != INVALID)
    return found


def _keys(batch: BatchExplanation, j: int) -> list[Hashable]:
    """By row, the value code of a feature, or its number where there are no codes; None if it is missing."""
    codes: Codes = batch.rows
    if not isinstance(batch.compiled.values[j], NumberLine):
        return list(codes[:, j].tolist())
    assert batch.given is not None
    (place,) = batch.compiled.encoder.readers[j].sources
    column = read_rows(batch.given.given, batch.compiled.encoder.layout).column(place)
    numbers = [float(cell) if isinstance(cell, (int, float, np.number)) else None for cell in column.tolist()]
    return [None if number is None or number != number else number for number in numbers]
