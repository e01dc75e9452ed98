"""Values for a change set where sums of weights decide. See `assignments`.

Sums are separable: each feature adds to them by itself, so that partial assignments are bounded from both sides. The
best values come from the core (src/core/choose*.c).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.errors import LimitError
from symcf.values.protocol import Flip, Option, Options, Solver

__all__ = ["ScoreSolver", "SumsFlip"]

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


@dataclass(frozen=True, eq=False)
class SumsFlip(Flip):
    """Sums of weights, all of which have to reach 0 (``every``), or one of them; or the only one has to ``fall`` below
    0.
    """

    thresholds: tuple[_core.Threshold, ...]
    #: By threshold, what was subtracted from the difference of the scores for the tie rule (0 or 1); () for nothing.
    #: Margins are differences of scores, so this is added back.
    shifts: tuple[int, ...] = ()
    every: bool = False
    fall: bool = False
    #: What the row has to obey, in a few features, beside the only sum; and the same by a diagram, for what the core
    #: does not do by sums.
    relation: _core.Relation | None = None
    by_diagram: Callable[[], Flip] | None = None

    @cached_property
    def lines(self) -> list[Line]:
        """The sums."""
        shifts = self.shifts or [0] * len(self.thresholds)
        return [Line(t, -1 if self.fall else 1, s) for t, s in zip(self.thresholds, shifts, strict=True)]

    @property
    def is_ranked(self) -> bool:
        return not self.every and self.relation is None

    def solver(self, x: Sequence[int]) -> Solver:
        return ScoreSolver(self.lines, self.every, x) if self.by_diagram is None else self.by_diagram().solver(x)

    def value_offset(self, n_features: int) -> npt.NDArray[np.uint32] | None:
        return np.array(self.thresholds[0].value_offset) if self.thresholds else None

    def aim(self, value_offset: npt.NDArray[np.uint32]) -> _core.Aim:
        shift = np.array(self.shifts or [0] * len(self.thresholds), dtype=np.int64)
        return _core.Aim(
            self.thresholds, value_offset, shift=shift, every=self.every, fall=self.fall, relation=self.relation
        )


# --- one instance -----------------------------------------------------------------------------------------------------


class ScoreSolver(Solver):
    """Assignments of one instance. requires: `x` in core codes, change sets ascending, options by ascending code."""

    def __init__(self, lines: list[Line], every: bool, x: Sequence[int]) -> None:
        self._x = x
        self._lines = lines
        #: Do all sums have to reach 0, or is one enough?
        self._every = every
        self._totals = [line.total(x) for line in self._lines]

    def _bases(self, change_set: Sequence[int]) -> list[int]:
        """The sums of what stays."""
        x = self._x
        pairs = zip(self._lines, self._totals, strict=True)
        return [total - sum(line.weight[line.start[j] + x[j]] for j in change_set) for line, total in pairs]

    def may_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """See `Solver`. Each sum is bounded by itself."""
        return self._verdicts(change_set, options).of(0, self._bases(change_set)) is not False

    def margin(self, change_set: Sequence[int], options: Sequence[Option]) -> int:
        pairs = list(zip(change_set, options, strict=True))
        margins = [
            base + line.shift + sum(line.weight[line.start[j] + option.core] for j, option in pairs)
            for line, base in zip(self._lines, self._bases(change_set), strict=True)
        ]
        return (min if self._every else max)(margins, default=0)

    def _verdicts(self, change_set: Sequence[int], options: Options) -> _Verdicts:
        added = [
            [tuple(line.weight[line.start[j] + o.core] for line in self._lines) for o in choices]
            for j, choices in zip(change_set, options, strict=True)
        ]
        return _Verdicts(added, len(self._lines), self._every)

    def count(self, change_set: Sequence[int], options: Options) -> int:
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

    def all_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """Whether all assignments flip the decision. Where any of several sums will do, one of them has to do for all:
        what this says is true, but it does not always say so.
        """
        return self._verdicts(change_set, options).of(0, self._bases(change_set)) is True

    def in_code_order(self, change_set: Sequence[int], options: Options) -> Iterator[tuple[int, ...]]:
        """See `Solver`. Where bounds decide, the rest is listed without looking."""
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
