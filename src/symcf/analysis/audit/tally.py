"""What an audit counts, by group. Tallies of parts of a table add up to the tally of the table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.analysis.audit.drift import Drift, DriftTally
from symcf.analysis.audit.proxies import Proxies
from symcf.analysis.properties.examples import Pair
from symcf.analysis.properties.robustness import NEVER, UNDECIDED
from symcf.data.encoder import is_missing
from symcf.data.labels import feature_index
from symcf.data.reader import Codes, arrow_table
from symcf.errors import OptionError
from symcf.system.classifier import Classifier

__all__ = ["ALL", "MISSING", "GroupTally", "Grouping", "Tally", "in_order", "split"]


@dataclass
class GroupTally:
    """The rows of one group."""

    label: Hashable
    rows: int = 0
    #: Rows that have the wanted class.
    at_target: int = 0
    #: Rows that no allowed change leads there: proved.
    locked_out: int = 0
    #: Rows of which that is not known: limits ended the search, or they cannot be read.
    undecided: int = 0
    #: By number of changes, the rows that need no fewer.
    changes: dict[int, int] = field(default_factory=dict)
    #: The sum of the costs of the cheapest change sets of the rows that have one, the least and the largest of these.
    cost: float = 0.0
    least_cost: float | None = None
    most_cost: float | None = None
    #: Rows that would be decided differently if only protected features were different; None: not asked.
    biased: int | None = None
    #: By feature: values that rows may take, that lead to the goal alone, and alone or with others; None: not counted.
    responsive: npt.NDArray[np.uint64] | None = None
    #: What became of the suggestions of an earlier version; None: there is none.
    drift: DriftTally | None = None

    @property
    def asked(self) -> int:
        """Rows that do not have the wanted class."""
        return self.rows - self.at_target

    @property
    def movable(self) -> int:
        """Rows that some allowed change leads there."""
        return sum(self.changes.values())

    @property
    def locked_out_share(self) -> float:
        """Of the rows that do not have the wanted class."""
        return self.locked_out / self.asked if self.asked else 0.0

    @property
    def mean_changes(self) -> float | None:
        """The mean of the fewest changes, of the rows that some change leads there."""
        total = sum(number * count for number, count in self.changes.items())
        return total / self.movable if self.movable else None

    @property
    def mean_cost(self) -> float | None:
        """The mean of the least costs, of these rows."""
        return self.cost / self.movable if self.movable else None

    def add(self, other: GroupTally) -> None:
        """Takes in the rows of another tally."""
        self.rows += other.rows
        self.at_target += other.at_target
        self.locked_out += other.locked_out
        self.undecided += other.undecided
        for number, count in other.changes.items():
            self.changes[number] = self.changes.get(number, 0) + count
        self.changes = dict(sorted(self.changes.items()))
        self.cost += other.cost
        ends = [cost for cost in (self.least_cost, other.least_cost) if cost is not None]
        self.least_cost = min(ends, default=None)
        ends = [cost for cost in (self.most_cost, other.most_cost) if cost is not None]
        self.most_cost = max(ends, default=None)
        if other.biased is not None:
            self.biased = (self.biased or 0) + other.biased
        if other.drift is not None:
            self.drift = self.drift or DriftTally()
            self.drift.add(other.drift)
        if self.responsive is None and not self.rows - other.rows:  # the first part
            self.responsive = None if other.responsive is None else other.responsive.copy()
        elif self.responsive is not None:
            self.responsive = None if other.responsive is None else self.responsive + other.responsive


class Tally:
    """All groups of a table, or of a part of it."""

    def __init__(self) -> None:
        self.groups: dict[Hashable, GroupTally] = {}
        #: The numbers of the rows that are locked out, and of those that depend on protected features.
        self.locked_out: list[int] = []
        self.biased: list[int] = []
        #: The numbers of the rows for which the suggestion of the earlier version does not hold.
        self.broken: list[int] = []
        #: What is counted for proxies; None: not asked.
        self.proxies: Proxies | None = None
        #: Rows of which it is not known whether they depend on protected features.
        self.bias_undecided = 0
        #: Some pairs of rows that show it.
        self.pairs: list[Pair] = []
        #: What could not be told, and why.
        self.notes: dict[str, None] = {}
        #: Whether features are monotone, where that could not be told.
        self.open: list[str] = []
        #: The values of the feature that tells groups apart, if one does.
        self.values: Sequence[Hashable] | None = None

    def count(
        self,
        labels: tuple[Hashable, ...],
        part: npt.NDArray[np.uint32],
        changes: npt.NDArray[np.int32],
        at_target: npt.NDArray[np.bool_],
        cost: npt.NDArray[np.float64],
        responsive: npt.NDArray[np.uint64] | None,
        biased: npt.NDArray[np.int64] | None,
        first_row: int,
        drift: Drift | None = None,
    ) -> None:
        """Counts rows. ``cost`` is by row, of use where some change leads to the goal."""
        if drift is not None:
            self.broken += (drift.broken + first_row).tolist()
        depends = np.zeros(len(part), dtype=np.bool_)
        if biased is not None:
            depends[biased] = True
            self.biased += (biased + first_row).tolist()
        self.locked_out += (np.flatnonzero(changes == NEVER) + first_row).tolist()
        for number, label in enumerate(labels):
            here = part == number
            movable = here & (changes > 0) & ~at_target
            sizes, counts = np.unique(changes[movable], return_counts=True)
            paid = cost[movable]
            one = GroupTally(
                label,
                rows=int(here.sum()),
                at_target=int((here & at_target).sum()),
                locked_out=int((here & (changes == NEVER)).sum()),
                undecided=int((here & (changes == UNDECIDED)).sum()),
                changes=dict(zip(sizes.tolist(), counts.tolist(), strict=True)),
                cost=float(paid.sum()),
                least_cost=float(paid.min()) if len(paid) else None,
                most_cost=float(paid.max()) if len(paid) else None,
                biased=None if biased is None else int((here & depends).sum()),
                responsive=None if responsive is None else responsive[number],
                drift=None if drift is None else drift.tally(here),
            )
            self._group(label).add(one)

    def _group(self, label: Hashable) -> GroupTally:
        if label not in self.groups:
            self.groups[label] = GroupTally(label)
        return self.groups[label]

    def add(self, other: Tally) -> None:
        """Takes in the tally of another part."""
        for label, group in other.groups.items():
            self._group(label).add(group)
        self.locked_out += other.locked_out
        self.biased += other.biased
        self.broken += other.broken
        if other.proxies is not None:
            self.proxies = self.proxies or Proxies()
            self.proxies.add(other.proxies)
        self.bias_undecided += other.bias_undecided
        self.pairs = self.pairs or other.pairs
        self.notes |= other.notes
        self.values = other.values if self.values is None else self.values

    def in_order(self) -> dict[Hashable, GroupTally]:
        """The groups, in the order in which they are shown."""
        return {label: self.groups[label] for label in in_order(self.groups, self.values)}

    def total(self) -> GroupTally:
        """All groups together."""
        whole = GroupTally("all")
        for group in self.groups.values():
            whole.add(group)
        return whole


#: The label of the one group that all rows are in where no groups are asked for.
ALL = "all"
#: The labels of rows whose group is not known.
MISSING, NOT_READABLE = "missing", "not readable"


class Grouping:
    """By row, the number of its group; and the labels of the groups."""

    def __init__(self, labels: Any, n_rows: int) -> None:
        if labels is None:
            self.labels: tuple[Hashable, ...] = (ALL,)
            self.part = np.zeros(n_rows, dtype=np.uint32)
            return
        try:
            cells = [_plain(label) for label in (labels.tolist() if isinstance(labels, np.ndarray) else labels)]
        except TypeError:
            raise OptionError(
                f"groups must be a feature, a column of the rows, or a label for each row, not {labels!r}"
            ) from None
        if len(cells) != n_rows:
            raise OptionError(f"groups: {len(cells):,} label{'s' * (len(cells) != 1)} for {n_rows:,} rows")
        self.labels = tuple(dict.fromkeys(cells))
        numbers = {label: i for i, label in enumerate(self.labels)}
        self.part = np.fromiter((numbers[cell] for cell in cells), dtype=np.uint32, count=n_rows)


def split(compiled: Classifier, data: Any, groups: Any) -> tuple[Any, Any]:
    """The rows without a column that only says their group, and the labels: a name of a feature, whose values are
    labels, stays a name.
    """
    if isinstance(groups, (int, np.integer)) and not isinstance(groups, bool):
        return data, compiled.features[feature_index(groups, compiled.features, "groups")]
    if groups is None or not isinstance(groups, str):
        return data, groups
    if groups in compiled.features:
        return data, groups
    if isinstance(data, Mapping) and groups in data:
        return _without(compiled, data, groups, lambda: {n: data[n] for n in data if n != groups}), list(data[groups])
    if isinstance(data, Sequence) and len(data) and all(isinstance(row, Mapping) and groups in row for row in data):
        rows = _without(
            compiled, data, groups, lambda: [{name: row[name] for name in row if name != groups} for row in data]
        )
        return rows, [row[groups] for row in data]
    if hasattr(data, "columns") and hasattr(data, "drop") and groups in list(data.columns):
        labels = list(data[groups])
        return _without(compiled, data, groups, lambda: data[[name for name in data.columns if name != groups]]), labels
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        table = arrow_table(data)
        if groups in table.column_names:
            labels = table.column(groups).to_pylist()
            return _without(compiled, table, groups, lambda: table.drop_columns([groups])), labels
    raise OptionError(
        f"groups: {groups!r} is neither a feature nor a column of the rows; give one of these, or a label for each row"
    )


def labels_of(compiled: Classifier, codes: Codes, groups: Any) -> Any:
    """The labels of rows whose groups are the values of a feature; others as they are."""
    if not isinstance(groups, str):
        return groups
    j = compiled.features.index(groups)
    values = compiled.values[j]
    return [NOT_READABLE if code < 0 else values[code] for code in codes[:, j].tolist()]


def _without(compiled: Classifier, data: Any, name: str, rest: Any) -> Any:
    """The rows as they are if the classifier reads the column, else what is left of them."""
    return data if name in compiled.encoder.layout.known else rest()


def _plain(label: Any) -> Hashable:
    if isinstance(label, np.generic):
        label = label.item()
    if label is None or is_missing(label):
        return MISSING
    if not isinstance(label, Hashable):
        raise OptionError(f"groups: {label!r} cannot be a label")
    return label


def in_order(labels: Iterable[Hashable], values: Sequence[Hashable] | None) -> list[Hashable]:
    """Labels in the order of a feature's values, if they are these; else sorted where they can be."""
    if values is not None:
        place = {value: i for i, value in enumerate(values)}
        return sorted(labels, key=lambda label: place.get(label, len(place)))
    known: list[Any] = list(labels)
    try:
        return sorted(known)
    except TypeError:
        return sorted(known, key=lambda label: (type(label).__name__, str(label)))
