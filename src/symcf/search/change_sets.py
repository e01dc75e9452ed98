"""Change sets in arrays: a sequence of tuples to its readers, and how the sets are put in order.

Five million change sets are 200 MB in arrays and several gigabytes as tuples, and making those takes seconds during
which no time limit is checked. So sets stay in arrays; a tuple is made when it is read.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.cache import new_lock
from symcf.common.clock import Clock
from symcf.errors import LimitError

__all__ = ["Arrays", "ChangeSet", "ChangeSets", "Mask", "Ordering", "features_of", "mask_of"]

ChangeSet = tuple[int, ...]

#: The features of all sets, one after the other; where each set ends; where the first begins.
Arrays = tuple[npt.NDArray[Any], npt.NDArray[Any], int]

#: A set of features, as bits.
Mask = int

#: Sets that become tuples at a time.
CHUNK = 1 << 12


def features_of(mask: Mask) -> ChangeSet:
    """The features of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def mask_of(features: Iterable[int]) -> Mask:
    """A set of features as bits."""
    return sum(1 << j for j in features)


class ChangeSets(Sequence[ChangeSet]):
    """Change sets, each a tuple of ascending features: behaves as a list of them, and equals one.

    Set i has the features ``features[ends[i - 1]:ends[i]]``, the first one from ``start`` on.

    >>> sets = ChangeSets.of([(1,), (0, 2)])
    >>> sets, sets[-1], sets == [(1,), (0, 2)]
    ([(1,), (0, 2)], (0, 2), True)
    """

    __slots__ = ("_columns", "_core", "_length", "_lock", "_make")

    def __init__(self, features: npt.NDArray[Any], ends: npt.NDArray[Any], start: int = 0) -> None:
        self._columns: Arrays | None = (features, ends, start)
        self._length = len(ends)
        self._lock = new_lock()
        self._make: Callable[[], Arrays] | None = None
        self._core: _core.Sets | None = None

    @classmethod
    def of(cls, sets: Iterable[Sequence[int]] | _core.Sets) -> ChangeSets:
        """From tuples, or from a list of the core that no longer changes."""
        core = sets if isinstance(sets, _core.Sets) else _core.Sets.from_list(sets)
        self = cls(core.features, core.end)
        self._core = core
        return self

    @classmethod
    def when_looked_at(cls, length: int, make: Callable[[], Arrays]) -> Self:
        """As many sets as `length` says; `make` gives them and is called once, when one is first read."""
        self = cls.__new__(cls)
        self._columns, self._length, self._lock, self._make, self._core = None, length, new_lock(), make, None
        return self

    def _arrays(self) -> Arrays:
        with self._lock:  # two threads may read at the same time
            if self._columns is None:
                assert self._make is not None
                self._columns, self._make = self._make(), None
            return self._columns

    @property
    def core(self) -> _core.Sets:
        """The same as a list of the core, which must not be changed."""
        if self._core is None:
            self._core = _core.Sets.from_list(self)
        return self._core

    @property
    def features(self) -> npt.NDArray[Any]:
        """The features of all sets, one after the other."""
        features, ends, start = self._arrays()
        return features[start : int(ends[-1]) if len(ends) else start]

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """The number of features of each set."""
        _, ends, start = self._arrays()
        sizes: npt.NDArray[np.int64] = ends.astype(np.int64)
        sizes[1:] -= sizes[:-1].copy()
        sizes[:1] -= start
        return sizes

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> ChangeSet: ...
    @overload
    def __getitem__(self, index: slice) -> list[ChangeSet]: ...
    def __getitem__(self, index: int | slice) -> ChangeSet | list[ChangeSet]:
        if isinstance(index, slice):
            wanted = range(self._length)[index]
            if wanted.step == 1:
                return list(self._tuples(wanted.start, wanted.stop))
            return [self[i] for i in wanted]
        features, ends, start = self._arrays()
        i = range(self._length)[index]
        return tuple(features[int(ends[i - 1]) if i else start : int(ends[i])].tolist())

    def __iter__(self) -> Iterator[ChangeSet]:
        return self._tuples(0, self._length)

    def _tuples(self, first: int, last: int) -> Iterator[ChangeSet]:
        features, ends, start = self._arrays()
        for begin in range(first, last, CHUNK):
            cuts = ends[begin : min(begin + CHUNK, last)].tolist()
            base = int(ends[begin - 1]) if begin else start
            chunk = features[base : cuts[-1]].tolist()
            for a, b in itertools.pairwise([base, *cuts]):
                yield tuple(chunk[a - base : b - base])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ChangeSets):
            return len(self) == len(other) and (
                np.array_equal(self.sizes, other.sizes) and np.array_equal(self.features, other.features)
            )
        if isinstance(other, list):
            return len(self) == len(other) and all(map(_equal, self, other))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __add__(self, other: Sequence[ChangeSet]) -> list[ChangeSet]:
        return [*self, *other]

    def __radd__(self, other: Sequence[ChangeSet]) -> list[ChangeSet]:
        return [*other, *self]

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> tuple[Any, ...]:
        _, ends, start = self._arrays()
        return ChangeSets, (np.array(self.features), ends - ends.dtype.type(start))


def _equal(a: object, b: object) -> bool:
    return a == b


class Ordering:
    """Gathers change sets as they are found and puts them in order: by (cost, size, features), in exact integers.

    Sets are sorted as they arrive, so that only a merge remains at the end. The time this takes predicts the time of
    the merge; when no more time is left than the merge needs, `add` returns False. If the merge takes longer all the
    same, the first reader of the sets waits for it.

    Parameters
    ----------
    units:
        What changing each feature costs; None: 1 each.
    clock:
        The time limit of the call.
    max_memory:
        Bytes that the sets may take, including what putting them in order takes.
    price:
        What sets cost, where that is not the sum of `units`; fewer, if time is up.
    """

    def __init__(
        self,
        units: npt.NDArray[np.int64] | None,
        clock: Clock,
        max_memory: int,
        price: Callable[[_core.Sets, Clock], list[int]] | None = None,
    ) -> None:
        self._units = units
        self._clock = clock
        self._max_memory = max_memory
        self._price = price
        self._sets = _core.Sets()
        self._prices: list[int] = []
        self._runs = 0
        self._passes = 0.0
        #: Were some sets left out, since there was no time to price them?
        self.is_cut = False

    def add(self, sets: _core.Sets) -> bool:
        """Takes more sets; False if the time that is left is needed to put them in order."""
        if self._price is not None:
            sets = self._priced(sets)
        first = len(self._sets)
        self._check_memory(len(sets) + first, sets.n_features + self._sets.n_features)
        self._sets.append(sets)
        if self._price is None:
            started = time.perf_counter()
            self._sets.sort(self._units, self._clock.left, first)
            self._passes += (time.perf_counter() - started) / (math.log2(len(sets) + 1) + PASSES)
            self._runs += 1
        return not self._is_urgent()

    def _is_urgent(self) -> bool:
        """Is no more time left than the merge takes? Passes over all sets are slower than passes over a few."""
        left = self._clock.left
        return left >= 0 and left <= SLOWER * self._passes * (math.log2(self._runs + 1) + PASSES)

    def _priced(self, sets: _core.Sets) -> _core.Sets:
        """Prices sets as long as there is time; the others were found too late and are dropped."""
        assert self._price is not None
        prices = self._price(sets, self._clock)
        self._prices += prices
        if len(prices) == len(sets):
            return sets
        self.is_cut = True
        return _core.Sets.from_list(sets.to_list()[: len(prices)])

    def _check_memory(self, n_sets: int, n_features: int) -> None:
        if n_sets * SET_BYTES + n_features * FEATURE_BYTES > self._max_memory:
            raise LimitError(
                f"the change sets would take more than max_memory, {self._max_memory:,} bytes, with more than"
                f" {n_sets:,} sets found; set k, max_results or max_changes, raise max_memory, use count, or stream"
                f" them with iter_counterfactuals"
            )

    def finish(self) -> ChangeSets:
        """All of them, in order."""
        if self._sorted(self._clock.left):
            return ChangeSets.of(self._sets)
        return ChangeSets.when_looked_at(len(self._sets), self._sorted_at_leisure)

    def _sorted(self, seconds: float) -> bool:
        if self._price is None:
            return self._sets.sort(self._units, seconds)
        return self._sets.sort_priced(_in_64_bits(self._prices), seconds)

    def _sorted_at_leisure(self) -> Arrays:
        self._sorted(-1.0)
        return self._sets.features, self._sets.end, 0


def _in_64_bits(prices: Sequence[int]) -> npt.NDArray[np.int64]:
    """Numbers in the same order; prices may be of any size."""
    if max(prices, default=0) < 2**62:
        return np.array(prices, dtype=np.int64)
    rank = {price: i for i, price in enumerate(sorted(set(prices)))}
    return np.array([rank[price] for price in prices], dtype=np.int64)


#: Passes over the sets besides those that merge: describing them, and copying them to their places.
PASSES = 3

#: How many times slower a pass over all sets is than one over as many as a step finds, which fit the cache.
SLOWER = 3.0

#: What a set and each of its features take in the arrays and while they are sorted (src/core/sets.c).
SET_BYTES, FEATURE_BYTES = 72, 8
