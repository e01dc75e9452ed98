"""Values for a change set where sums of weights decide. See `assignments`.

Sums are separable: each feature adds to them by itself. With one sum to raise, a value that costs no less and adds no
more than another can be forgotten, and so can partial assignments (Nemhauser and Ullmann 1969); what is left is bounded
from both sides. With several sums to raise at once, a depth-first search goes by bounds alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.errors import LimitError
from symcf.values.protocol import Flip, Option, Priced, Solver

__all__ = ["AnyOtherFlip", "ScoreSolver", "TargetFlip", "ThresholdFlip"]

#: Partial sums that counting keeps at a time.
MAX_STATES = 1 << 20


# --- what has to become true ------------------------------------------------------------------------------------------


class Line:
    """A sum of weights that has to reach 0."""

    def __init__(self, threshold: _core.Threshold, sign: int = 1, shift: int = 0) -> None:
        self._threshold = threshold
        self._sign = sign
        self.start: list[int] = threshold.value_offset.tolist()
        self.weight: list[int] = (sign * threshold.weight).tolist()
        #: The margin is the sum plus this.
        self.shift = shift

    def total(self, x: Sequence[int]) -> int:
        """The sum for a row of core codes. A sum that has to fall below 0 is turned round: s < 0 iff -s - 1 >= 0."""
        score = int(self._threshold.scores(np.array([x], dtype=np.uint32).reshape(1, -1))[0])
        return score if self._sign > 0 else -score - 1


class SumsFlip(Flip):
    """Sums of weights, all of which have to reach 0 (``every``), or one of them."""

    every: bool = False

    @property
    @abstractmethod
    def lines(self) -> list[Line]:
        """The sums."""

    @property
    def is_ranked(self) -> bool:
        """See `Flip`."""
        return not self.every

    def solver(self, x: Sequence[int]) -> Solver:
        """See `Flip`."""
        return ScoreSolver(self.lines, self.every, x)


@dataclass(frozen=True, eq=False)
class ThresholdFlip(SumsFlip):
    """Two classes: the threshold function has to become `target`, 0 or 1."""

    threshold: _core.Threshold
    target: int

    @cached_property
    def lines(self) -> list[Line]:
        """See `SumsFlip`."""
        return [Line(self.threshold, 1 if self.target else -1)]

    def value_offset(self, n_features: int) -> npt.NDArray[np.uint32]:
        """See `Flip`."""
        return np.array(self.threshold.value_offset)

    def aim(self, value_offset: npt.NDArray[np.uint32]) -> _core.Aim:
        """See `Flip`."""
        return _core.Aim([self.threshold], value_offset, fall=self.target == 0)


@dataclass(frozen=True, eq=False)
class AnyOtherFlip(SumsFlip):
    """Many classes: "r beats the predicted class" has to become true for one r."""

    thresholds: tuple[_core.Threshold, ...]
    #: By threshold, what was subtracted from the difference of the scores for the tie rule (0 or 1); () for nothing.
    #: Margins are differences of scores, so this is added back.
    shifts: tuple[int, ...] = ()

    @cached_property
    def lines(self) -> list[Line]:
        """See `SumsFlip`."""
        shifts = self.shifts or [0] * len(self.thresholds)
        return [Line(t, 1, s) for t, s in zip(self.thresholds, shifts, strict=True)]

    def value_offset(self, n_features: int) -> npt.NDArray[np.uint32] | None:
        """See `Flip`."""
        return np.array(self.thresholds[0].value_offset) if self.thresholds else None

    def aim(self, value_offset: npt.NDArray[np.uint32]) -> _core.Aim:
        """See `Flip`."""
        shift = np.array(self.shifts or [0] * len(self.thresholds), dtype=np.int64)
        return _core.Aim(self.thresholds, value_offset, shift=shift, every=self.every)


class TargetFlip(AnyOtherFlip):
    """Many classes: "the wanted class beats r" has to become true for all r."""

    every = True


# --- one instance -----------------------------------------------------------------------------------------------------


class ScoreSolver:
    """Assignments of one instance. requires: `x` in core codes, change sets ascending, options by ascending code."""

    def __init__(self, lines: list[Line], every: bool, x: Sequence[int]) -> None:
        self._x = x
        self._lines = lines
        #: Do all sums have to reach 0, or is one enough?
        self._every = every
        self._totals = [line.total(x) for line in self._lines]
        self._frontiers: dict[tuple[int, int], list[Gain]] = {}
        self._vectors: dict[int, list[Gains]] = {}

    def _bases(self, change_set: Sequence[int]) -> list[int]:
        """The sums of what stays."""
        x = self._x
        pairs = zip(self._lines, self._totals, strict=True)
        return [total - sum(line.weight[line.start[j] + x[j]] for j in change_set) for line, total in pairs]

    def best(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> Priced | None:
        """The cheapest, then the one with the largest margin, then with the smallest codes."""
        bases = self._bases(change_set)
        if self._every and len(self._lines) != 1:
            vectors = [self._vector(j, choices) for j, choices in zip(change_set, options, strict=True)]
            return _raise_all(bases, [line.shift for line in self._lines], vectors)
        # The largest margin over several classes is that of one of them, so each sum is raised by itself.
        best: tuple[int, int, tuple[int, ...]] | None = None
        for r, (line, base) in enumerate(zip(self._lines, bases, strict=True)):
            frontiers = [self._frontier(r, j, choices) for j, choices in zip(change_set, options, strict=True)]
            found = _raise_one(base, frontiers)
            if found is not None:
                unit, total, codes = found
                key = (unit, -total - line.shift, codes)
                best = key if best is None else min(best, key)
        return None if best is None else Priced(best[0], best[2])

    def _frontier(self, r: int, j: int, options: Sequence[Option]) -> list[Gain]:
        """The values of feature j worth taking, by rising cost: each adds more to sum r than all before it."""
        if (r, j) not in self._frontiers:
            start, weight = self._lines[r].start[j], self._lines[r].weight
            kept: list[Gain] = []
            for option in sorted(options, key=lambda o: (o.unit, -weight[start + o.core], o.code)):
                gain = weight[start + option.core]
                if not kept or gain > kept[-1].gain:
                    kept.append(Gain(option.unit, gain, option.code))
            self._frontiers[r, j] = kept
        return self._frontiers[r, j]

    def _vector(self, j: int, options: Sequence[Option]) -> list[Gains]:
        """The values of feature j worth taking with several sums to raise, by ascending code."""
        if j not in self._vectors:
            given = [
                Gains(o.unit, tuple(line.weight[line.start[j] + o.core] for line in self._lines), o.code)
                for o in options
            ]
            self._vectors[j] = [a for a in given if not any(_beats(b, a) for b in given)]
        return self._vectors[j]

    # --- all

    def _verdicts(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> _Verdicts:
        added = [
            [tuple(line.weight[line.start[j] + o.core] for line in self._lines) for o in choices]
            for j, choices in zip(change_set, options, strict=True)
        ]
        return _Verdicts(added, len(self._lines), self._every)

    def count(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> int:
        """The number of assignments that flip the decision; equal partial sums are counted together."""
        verdicts = self._verdicts(change_set, options)
        states = {tuple(self._bases(change_set)): 1}
        count = 0
        for i in range(len(change_set) + 1):
            following: dict[tuple[int, ...], int] = {}
            for sums, ways in states.items():
                verdict = verdicts.of(i, sums)
                if verdict is not None:
                    count += verdict * ways * verdicts.ways[i]
                    continue
                for added in verdicts.added[i]:
                    after = tuple(map(sum, zip(sums, added, strict=True)))
                    following[after] = following.get(after, 0) + ways
            if len(following) > MAX_STATES:
                raise LimitError(
                    f"counting the assignments of {len(change_set)} features takes more than {MAX_STATES:,} states"
                )
            states = following
        return count

    def all_flip(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> bool:
        """Whether all assignments flip the decision. Where any of several sums will do, one of them has to do for all:
        what this says is true, but it does not always say so.
        """
        return self._verdicts(change_set, options).of(0, self._bases(change_set)) is True

    def in_code_order(
        self, change_set: Sequence[int], options: Sequence[Sequence[Option]]
    ) -> Iterator[tuple[int, ...]]:
        """All assignments that flip the decision."""
        verdicts = self._verdicts(change_set, options)
        stack: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), tuple(self._bases(change_set)))]
        while stack:
            codes, sums = stack.pop()
            i = len(codes)
            verdict = verdicts.of(i, sums)
            if verdict:
                for rest in product(*([o.code for o in choices] for choices in options[i:])):
                    yield codes + rest
            elif verdict is None:
                for option, added in zip(reversed(options[i]), reversed(verdicts.added[i]), strict=True):
                    stack.append(((*codes, option.code), tuple(map(sum, zip(sums, added, strict=True)))))


class _Verdicts:
    """Decides whether a partial assignment flips the decision whatever follows."""

    def __init__(self, added: list[list[tuple[int, ...]]], n_lines: int, every: bool) -> None:
        #: By place in the change set and option, what it adds to each sum.
        self.added = added
        self._every = every
        lowest = [[min((a[r] for a in choices), default=0) for r in range(n_lines)] for choices in added]
        highest = [[max((a[r] for a in choices), default=0) for r in range(n_lines)] for choices in added]
        self._least = _suffix_sums(lowest, n_lines)
        self._most = _suffix_sums(highest, n_lines)
        #: The number of ways to continue from each place.
        self.ways = [*accumulate((len(choices) for choices in reversed(added)), int.__mul__, initial=1)][::-1]

    def of(self, i: int, sums: Sequence[int]) -> bool | None:
        """True, False, or None: it depends."""
        decide = all if self._every else any
        if not self.ways[i] or not decide(s + m >= 0 for s, m in zip(sums, self._most[i], strict=True)):
            return False
        return True if decide(s + m >= 0 for s, m in zip(sums, self._least[i], strict=True)) else None


def _suffix_sums(rows: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    """By place, the sums over this row and those after it; the last is 0."""
    sums = [[0] * width]
    for row in reversed(rows):
        sums.append([a + b for a, b in zip(row, sums[-1], strict=True)])
    return sums[::-1]


# --- one sum to raise -------------------------------------------------------------------------------------------------


class Gain(NamedTuple):
    """A value by its cost and by what it adds to one sum."""

    unit: int
    gain: int
    code: int


def _raise_one(base: int, frontiers: Sequence[Sequence[Gain]]) -> tuple[int, int, tuple[int, ...]] | None:
    """One value per feature so that base + gains >= 0: cost, sum and codes of the best (cost, -sum, codes).

    States are partial assignments (cost, -sum, codes). Of two with the same features decided, one that costs no more
    and adds no less gives, with the same values after it, an assignment that is no worse; equal ones differ in their
    codes only, and those come first. So dominated states can be dropped. So can a state that can no longer reach
    0, and one that must cost more than another that is completed by the largest gains.
    """
    if not all(frontiers):
        return None
    if all(len(frontier) == 1 for frontier in frontiers):
        total = base + sum(frontier[0].gain for frontier in frontiers)
        codes = tuple(frontier[0].code for frontier in frontiers)
        return None if total < 0 else (sum(frontier[0].unit for frontier in frontiers), total, codes)
    ends = [(frontier[0].unit, frontier[-1].unit, frontier[-1].gain) for frontier in frontiers]
    bounds = _suffix_sums(ends, 3)
    if base + bounds[0][2] < 0:
        return None
    states: list[tuple[int, int, tuple[int, ...]]] = [(0, -base, ())]
    for frontier, (cheapest, dearest, most) in zip(frontiers, bounds[1:], strict=True):
        grown = [
            (cost + unit, loss - gain, (*codes, code))
            for cost, loss, codes in states
            for unit, gain, code in frontier
            if loss - gain <= most
        ]
        enough = min(state[0] for state in grown) + dearest
        grown.sort()
        states = []
        for state in grown:
            if state[0] + cheapest > enough:
                break
            if not states or state[1] < states[-1][1]:
                states.append(state)
    cost, loss, codes = states[0]
    return cost, -loss, codes


# --- several sums to raise --------------------------------------------------------------------------------------------


class Gains(NamedTuple):
    """A value by its cost and by what it adds to each sum."""

    unit: int
    gains: tuple[int, ...]
    code: int


def _beats(b: Gains, a: Gains) -> bool:
    """Is an assignment with b always better than the same one with a?

    It costs no more and its sums are no smaller. That alone may be a tie, for the margin is the smallest sum: so it
    must be cheaper, or larger in every sum, or come first by its code.
    """
    if b.unit > a.unit or any(p < q for p, q in zip(b.gains, a.gains, strict=True)):
        return False
    larger = all(p > q for p, q in zip(b.gains, a.gains, strict=True)) and len(a.gains) > 0
    return b.unit < a.unit or b.code < a.code or larger


def _raise_all(bases: Sequence[int], shifts: Sequence[int], features: Sequence[Sequence[Gains]]) -> Priced | None:
    """One value per feature so that all sums reach 0: the cheapest, then largest margin, then smallest codes."""
    if not all(features):
        return None
    choices = [list(options) for options in features]
    best = _search(bases, shifts, choices, None)
    if best is None:
        return None
    # The codes: each feature in turn takes the first value with which the optimum can still be had.
    beaten = (best[0], best[1] + 1)
    for i, options in enumerate(choices):
        for option in options[:-1]:
            choices[i] = [option]
            if _search(bases, shifts, choices, beaten) is not None:
                break
        else:
            choices[i] = options[-1:]
    return Priced(best[0], tuple(options[0].code for options in choices))


def _search(
    bases: Sequence[int],
    shifts: Sequence[int],
    features: Sequence[Sequence[Gains]],
    beat: tuple[int, int] | None,
) -> tuple[int, int] | None:
    """The least (cost, -margin); with `beat`, any that is less than `beat`. None if none exists."""
    width = len(bases)
    single = [options[0] for options in features if len(options) == 1]
    cost = sum(option.unit for option in single)
    sums = [base + sum(option.gains[r] for option in single) for r, base in enumerate(bases)]
    # Features with the widest spread first: they decide soonest.
    several = [sorted(f, key=lambda o: (o.unit, -min(o.gains, default=0))) for f in features if len(f) > 1]
    several.sort(key=lambda f: -max((_spread([o.gains[r] for o in f]) for r in range(width)), default=0))
    most = _suffix_sums([[max(o.gains[r] for o in f) for r in range(width)] for f in several], width)
    least = [units[0] for units in _suffix_sums([[f[0].unit] for f in several], 1)]
    best, first_will_do = beat, beat is not None

    def go(i: int, cost: int, sums: Sequence[int]) -> bool:
        nonlocal best
        top = [s + m for s, m in zip(sums, most[i], strict=True)]
        margin = min((t + shift for t, shift in zip(top, shifts, strict=True)), default=0)
        bound = (cost + least[i], -margin)
        if min(top, default=0) < 0 or (best is not None and bound >= best):
            return False
        if i == len(several):
            best = bound
            return first_will_do
        return any(go(i + 1, cost + o.unit, [s + g for s, g in zip(sums, o.gains, strict=True)]) for o in several[i])

    go(0, cost, sums)
    return None if best == beat else best


def _spread(numbers: Sequence[int]) -> int:
    return max(numbers) - min(numbers)
