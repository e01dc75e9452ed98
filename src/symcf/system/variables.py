"""Variables: what the numbers in clauses stand for.

A feature of d values owns d - 1 *indicators*, variables that say "it has value v" for v = 1 .. d - 1; at most one of
them is true, and none means value 0. They are numbered by feature, then by value, from 1 on, so that with two values
per feature, variable ``j + 1`` is feature j. Auxiliary variables follow.

>>> variables = Variables([2, 3, 2], ["member", "age", "owner"])
>>> [variables.name(i) for i in range(1, 5)]
['[member=1]', '[age=1]', '[age=2]', '[owner=1]']
>>> variables.literal(1, 2), variables.literal(0, 0)
(3, -1)
>>> variables.codes([-1, -2, 3, 4]).tolist()
[0, 2, 1]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Extra", "Variables", "at_most_one", "zero_indicators"]

#: Up to this many indicators, "at most one" is encoded pair by pair. For more, a grid of variables takes fewer clauses:
#: 1,180 instead of 79,800 for 400 indicators. Both make the SAT engines equally fast, from 3 to 100 values per feature.
PAIRWISE = 16


class Variables:
    """Which variables belong to which feature, and what they mean.

    Parameters
    ----------
    n_values:
        How many values each feature has.
    features:
        Their names.
    labels:
        The names of their values, by code; without them, the codes.
    zeros:
        The literal "it has value 0" of each feature whose number of values is not two; see `zero_indicators`.
    """

    def __init__(
        self,
        n_values: Sequence[int] | npt.NDArray[np.integer],
        features: Sequence[str] | None = None,
        labels: Sequence[Sequence[Hashable]] | None = None,
        zeros: npt.NDArray[np.int32] | None = None,
    ) -> None:
        self.n_values = np.asarray(n_values, dtype=np.int64)
        n = len(self.n_values)
        self.features: tuple[str, ...] = tuple(features if features is not None else (f"x{j}" for j in range(n)))
        self.labels = labels
        #: By feature, and one more: where its values begin among all values.
        self.value_offset = np.concatenate([[0], np.cumsum(self.n_values)]).astype(np.int64)
        #: By feature, and one more: its first variable.
        self.first = self.value_offset - np.arange(n + 1) + 1
        #: By value_offset[j] + v: the literal "feature j has value v"; 0 where there is none.
        self.literals = self._literals(zeros)

    def _literals(self, zeros: npt.NDArray[np.int32] | None) -> npt.NDArray[np.int32]:
        features = np.repeat(np.arange(len(self.n_values)), self.n_values)
        literals = np.arange(1, len(features) + 1) - features - 1
        start = self.value_offset[:-1]
        literals[start] = np.where(self.n_values == 2, -self.first[:-1], 0)
        if zeros is not None:
            literals[start[self.n_values != 2]] = zeros
        return literals.astype(np.int32)

    @property
    def count(self) -> int:
        """Variables of features: 1 .. count."""
        return int(self.first[-1]) - 1

    @property
    def binary(self) -> bool:
        """Does every feature have two values, and so exactly one variable?"""
        return bool((self.n_values == 2).all())

    def literal(self, feature: int, value: int) -> int:
        """The literal "this feature has this value"."""
        if not 0 <= value < self.n_values[feature]:
            raise ValueError(f"feature {self.features[feature]!r} has no value {value}")
        literal = int(self.literals[self.value_offset[feature] + value])
        if not literal:
            raise ValueError(f"no literal says that {self.features[feature]!r} has value 0: see Cnf.with_zeros")
        return literal

    def keep(self, x: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """For each feature the literal "it has the value it has in x"."""
        return self.literals[self.value_offset[:-1] + np.asarray(x, dtype=np.int64)]

    def owner(self, variable: int) -> tuple[int, int]:
        """The feature and the value that an indicator is about."""
        if not 1 <= variable <= self.count:
            raise ValueError(f"variable {variable} is not one of the features' variables 1 to {self.count}")
        feature = int(np.searchsorted(self.first, variable, side="right")) - 1
        return feature, variable - int(self.first[feature]) + 1

    def name(self, variable: int) -> str:
        """The meaning of an indicator, such as ``[age=2]``."""
        feature, value = self.owner(variable)
        return f"[{self.features[feature]}={value if self.labels is None else self.labels[feature][value]}]"

    def codes(self, model: Iterable[int]) -> npt.NDArray[np.uint32]:
        """The value codes of a model, given as its literals (false and auxiliary ones may be left out)."""
        codes = np.zeros(len(self.n_values), dtype=np.uint32)
        for literal in model:
            if 1 <= literal <= self.count:
                feature, value = self.owner(literal)
                codes[feature] = value
        return codes


class Extra(NamedTuple):
    """Clauses to be added to others: the buffer, how many they are, and how many variables there are with them."""

    literals: npt.NDArray[np.int32]
    n_clauses: int
    n_vars: int


def _extra(groups: list[npt.NDArray[np.int64]], n_vars: int) -> Extra:
    """Clauses from tables of one clause per row."""
    ended = [np.column_stack([group, np.zeros(len(group), dtype=np.int64)]).ravel() for group in groups]
    literals = np.concatenate(ended).astype(np.int32) if ended else np.zeros(0, dtype=np.int32)
    return Extra(literals, sum(map(len, groups)), n_vars)


def at_most_one(variables: Variables, n_vars: int) -> Extra:
    """Clauses that make the indicators of each feature exclude each other. New variables follow n_vars."""
    groups: list[npt.NDArray[np.int64]] = []
    for j in np.flatnonzero(variables.n_values > 2):
        indicators = np.arange(variables.first[j], variables.first[j + 1])
        if len(indicators) <= PAIRWISE:
            groups.append(_pairs(indicators))
        else:
            grid, n_vars = _grid(indicators, n_vars)
            groups += grid
    return _extra(groups, n_vars)


def _pairs(variables: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    one, other = np.triu_indices(len(variables), 1)
    return -np.column_stack([variables[one], variables[other]])


def _grid(variables: npt.NDArray[np.int64], n_vars: int) -> tuple[list[npt.NDArray[np.int64]], int]:
    """The product encoding (Chen 2010): each variable implies its row and its column, which exclude each other."""
    places = np.arange(len(variables))
    width = int(np.ceil(np.sqrt(len(variables))))
    height = -(-len(variables) // width)
    rows, columns = n_vars + 1 + np.arange(height), n_vars + 1 + height + np.arange(width)
    implied = [np.column_stack([-variables, line]) for line in (rows[places // width], columns[places % width])]
    return [*implied, _pairs(rows), _pairs(columns)], n_vars + height + width


def zero_indicators(variables: Variables, n_vars: int) -> tuple[Extra, Variables]:
    """A variable "it has value 0" for each feature whose number of values is not two, with its clauses.

    Then every value has a literal, so that keeping or forbidding it takes one literal. A feature of one value also has
    a variable, which is true.
    """
    without = np.flatnonzero(variables.n_values != 2)
    zeros = n_vars + 1 + np.arange(len(without))
    groups: list[npt.NDArray[np.int64]] = []
    for j, zero in zip(without.tolist(), zeros.tolist(), strict=True):
        indicators = np.arange(variables.first[j], variables.first[j + 1])
        groups.append(np.concatenate([[zero], indicators])[np.newaxis])
        groups.append(np.column_stack([np.full(len(indicators), -zero), -indicators]))
    with_zeros = Variables(variables.n_values, variables.features, variables.labels, zeros.astype(np.int32))
    return _extra(groups, n_vars + len(zeros)), with_zeros
