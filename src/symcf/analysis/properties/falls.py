"""Falls: a row of a class that is no longer of it when one feature has another value.

A decision depends on a feature if there is a fall between some two values, and is monotone in it if there is none in
one direction. Sums of weights are asked by their weights (`row_within`), anything else by its diagrams (falls.c).

Falls where columns hold numbers: rows are found by trying, and that there is none is proved by bounds.

Between two neighbouring *stops* (the ends of a column's range, and the apexes of parabolas) what a number adds to the
margin of two classes rises or falls throughout. So with two classes a fall between any two numbers is also one between
neighbouring stops. What can neither be found nor ruled out is refused: no row is claimed that was not decided.

Rows whose sums lie in windows: what sums of weights can be asked without a diagram.

Branch and bound, the features that can do most first: a branch ends where what is left cannot lead into every window.
Where windows are wide, a row is found at once; where none can be reached, the bounds say so at the root. In between it
may take long, so the search ends after a number of branches and says that it does not know.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.options import checked_seconds
from symcf.data.numbers import NumberLine, codes_of_numbers
from symcf.errors import LimitError, OptionError
from symcf.question.gains import Freedom, rivals_of
from symcf.system.classifier import Classifier
from symcf.system.decision import Decision, NumberSums

__all__ = [
    "FEW_BRANCHES",
    "Fall",
    "Step",
    "Window",
    "can_fit",
    "clock_for",
    "fall_of_numbers",
    "find_fall",
    "is_large",
    "row_within",
    "stops_of",
]

#: An old and a new value code.
Step = tuple[int, int]

#: By feature and value, the weights of the function "this rival beats the class" (at least 0), and its bias.
Rival = tuple[list[npt.NDArray[np.int64]], int]

#: Seconds for a diagram of trees that are too many for one, if no time limit is given.
PATIENCE = 10.0
#: Leaves of all trees together that a diagram is rarely too large for.
FEW_LEAVES = 300


class Fall(NamedTuple):
    """Value codes of a row of the class, and the new value that takes it away."""

    row: list[int]
    new: int


def clock_for(classifier: Classifier, time_limit: float | None) -> Clock:
    """A clock for questions about all rows: many trees get some seconds, if nothing else is said."""
    seconds = checked_seconds(time_limit)
    return Clock(PATIENCE if seconds is None and is_large(classifier) else seconds)


def is_large(classifier: Classifier) -> bool:
    """Are there more trees than a diagram is likely to be built of?"""
    return classifier.decision.n_leaves > FEW_LEAVES


def find_fall(classifier: Classifier, k: int, feature: int, steps: Sequence[Step], clock: Clock) -> Fall | None:
    """A fall from class k in one of these steps; None if there is none. `LimitError` if a diagram is needed and takes
    too long.
    """
    decision = classifier.decision
    if decision.numbers is not None:
        found = fall_of_numbers(classifier, k, feature, steps, clock)
        return None if found is None else Fall(*found)
    groups = decision.groups.group_of[feature]
    steps = [(old, new) for old, new in steps if groups[old] != groups[new]]
    if not steps or (decision.trees is not None and not decision.trees.tests(feature)):
        return None
    if decision.is_additive:
        known, fall = _fall_of_sums(decision, k, feature, steps, clock)
        if known:
            return fall
    return _fall_of_diagram(classifier, k, feature, steps, clock)


def _fall_of_diagram(classifier: Classifier, k: int, feature: int, steps: Sequence[Step], clock: Clock) -> Fall | None:
    groups = classifier.decision.groups
    two, of = classifier.n_classes == 2, groups.group_of[feature]
    # a row falls from class 0 where the row with the new value falls from class 1 back
    turned = two and k == 0
    diagram = classifier.class_diagram(1 if two else k, clock).core
    old = np.array([of[new if turned else old] for old, new in steps], dtype=np.uint32)
    new = np.array([of[old if turned else new] for old, new in steps], dtype=np.uint32)
    found = diagram.fall(feature, old, new, clock.left)
    if found is None:
        return None
    core, which = found
    row = groups.first[groups.core_offset[:-1].astype(np.int64) + core].astype(np.int64).tolist()
    row[feature] = steps[which][0]
    return Fall(row, steps[which][1])


# --- sums -------------------------------------------------------------------------------------------------------------


def _fall_of_sums(
    decision: Decision, k: int, feature: int, steps: Sequence[Step], clock: Clock
) -> tuple[bool, Fall | None]:
    """Whether it is known, and the fall. A class is left where another one beats it with the new value, and no other
    one does with the old.
    """
    groups = decision.groups
    rivals = _rivals(decision, k)
    for old, new in _widest_first(rivals, feature, steps, groups.group_of[feature]):
        a, b = groups.group_of[feature][old], groups.group_of[feature][new]
        for rival in range(len(rivals)):
            windows = _windows(rivals, rival, feature, a, b)
            if windows is None:
                continue
            certain, row = row_within(windows, clock=clock)
            if row is not None:
                row[feature] = a
                core = np.array(row, dtype=np.int64)
                codes = groups.first[groups.core_offset[:-1].astype(np.int64) + core].astype(np.int64).tolist()
                codes[feature] = old
                return True, Fall(codes, new)
            if not certain:
                return False, None
    return True, None


def _rivals(decision: Decision, k: int) -> list[Rival]:
    """The rivals of class k."""
    offset = decision.groups.core_offset.astype(np.int64)
    return [(np.split(np.asarray(weights), offset[1:-1]), bias) for weights, bias in decision.rivals(k)]


def _windows(rivals: Sequence[Rival], rival: int, feature: int, a: int, b: int) -> list[Window] | None:
    """A row where this rival beats the class with value b, and none does with a; None if b does not help the rival."""
    found = []
    for r, (tables, bias) in enumerate(rivals):
        before, after = int(tables[feature][a]), int(tables[feature][b])
        others = [np.zeros(1, dtype=np.int64) if j == feature else table for j, table in enumerate(tables)]
        if r != rival:
            found.append(Window(others, high=-1 - bias - before))
        elif after <= before:
            return None
        else:
            found.insert(0, Window(others, low=-bias - after, high=-1 - bias - before))
    return found


def _widest_first(rivals: Sequence[Rival], feature: int, steps: Sequence[Step], of: Sequence[int]) -> list[Step]:
    def most(step: Step) -> int:
        return max(int(tables[feature][of[step[1]]]) - int(tables[feature][of[step[0]]]) for tables, _ in rivals)

    return sorted(steps, key=most, reverse=True)


#: Numbers of a column that are tried, and walks from the least to the largest sum.
TRIED, WALKS = 17, 200

#: By how much the term of an apex, which is rounded to a double, may be off.
SLACK = 4


def stops_of(classifier: Classifier, k: int, feature: int) -> list[int]:
    """The codes of a column's stops between class k and any other, ascending; all codes where it holds values."""
    if not isinstance(classifier.values[feature], NumberLine):
        return list(range(len(classifier.values[feature])))
    return sorted(set(_freedom(classifier).stops(k).codes[:, :, feature].ravel().tolist()))


def fall_of_numbers(
    classifier: Classifier, k: int, feature: int, steps: Sequence[tuple[int, int]], clock: Clock
) -> tuple[list[int], int] | None:
    """A row of class k and the new value that takes it away; None if there is none, for steps between neighbouring
    stops. `OptionError` if that cannot be told.
    """
    decision = classifier.decision.numbers
    assert decision is not None
    tried = [_tried(classifier, k, j) for j in range(classifier.n_features)]
    candidates = [sorted({*codes, *(c for step in steps for c in step)}) if j == feature else codes
                  for j, codes in enumerate(tried)]  # fmt: skip
    terms = _terms(decision, candidates)
    signs = [(sign, need) for _, sign, need in rivals_of(decision, k)]
    rivals = [([part @ sign for part in terms], int(decision.rule.bias @ sign) - need) for sign, need in signs]
    certain = True
    for old, new in steps:
        a, b = map(candidates[feature].index, (old, new))
        for rival, (sign, _) in enumerate(signs):
            _look(clock)
            windows = _windows(rivals, rival, feature, a, b)
            if windows is None or not can_fit(windows, SLACK):
                continue
            known, row = row_within(windows, clock=clock)
            if not known:
                _look(clock)
            codes = None if row is None else [candidates[j][v] for j, v in enumerate(row)]
            if codes is None and len(rivals) == 1:
                codes = _walked(decision, sign, candidates, rivals[rival][0], windows[0], feature)
            if codes is not None:
                codes[feature] = old
                return codes, new
            certain = False
    # several classes: a class may lie between two stops, where no bound was asked
    if certain and (len(rivals) == 1 or all(np.ptp(tables[feature]) == 0 for tables, _ in rivals)):
        return None
    raise OptionError(
        f"{classifier.features[feature]}: no row was found that shows it, and sums of numbers this close cannot be "
        "ruled out; bin the columns (KBinsDiscretizer) to have it decided by a diagram"
    )


def _look(clock: Clock) -> None:
    if clock.expired:
        raise LimitError("time limit reached while looking for a row that shows it")


def _freedom(classifier: Classifier) -> Freedom:
    decision = classifier.decision.numbers
    assert decision is not None
    freedom: Freedom = classifier.kept.get((Freedom, ()), lambda: Freedom.of(decision, classifier.values, ()))
    return freedom


def _tried(classifier: Classifier, k: int, feature: int) -> list[int]:
    line = classifier.values[feature]
    if not isinstance(line, NumberLine):
        return list(range(len(line)))
    between = codes_of_numbers(np.linspace(line.low, line.high, TRIED))
    return sorted({*stops_of(classifier, k, feature), *between.tolist()})


def _terms(decision: NumberSums, candidates: Sequence[Sequence[int]]) -> list[npt.NDArray[np.int64]]:
    """By feature, what its candidates add: (candidates, sums)."""
    rows = np.zeros((max(map(len, candidates)), len(candidates)), dtype=np.int64)
    for j, codes in enumerate(candidates):
        rows[:, j] = codes[0]
        rows[: len(codes), j] = codes
    terms = decision.terms(rows)
    return [terms[: len(codes), :, j] for j, codes in enumerate(candidates)]


def _walked(
    decision: NumberSums,
    sign: npt.NDArray[np.int64],
    candidates: Sequence[Sequence[int]],
    gains: Sequence[npt.NDArray[np.int64]],
    window: Window,
    feature: int,
) -> list[int] | None:
    """From the least sum to the largest, feature by feature; a number that leads past the window is halved into it."""
    rng = random.Random(0)
    first = [codes[int(np.argmin(gain))] for codes, gain in zip(candidates, gains, strict=True)]
    last = [codes[int(np.argmax(gain))] for codes, gain in zip(candidates, gains, strict=True)]
    numbers = set(decision.rule.numbers)

    def total(row: Sequence[int]) -> int:
        own = decision.terms(np.array([row], dtype=np.int64))[0].T @ sign
        return int(own.sum() - own[feature])

    order = [j for j in range(len(first)) if j != feature]
    for _ in range(WALKS):
        rng.shuffle(order)
        row = list(first)
        for j in order:
            low, row[j] = row[j], last[j]
            after = total(row)
            if window.low <= after <= window.high:
                return row
            if after < window.low:
                continue
            if j not in numbers:
                row[j] = low
                continue
            before, beyond = low, row[j]
            while abs(beyond - before) > 1:
                row[j] = (before + beyond) // 2
                after = total(row)
                if window.low <= after <= window.high:
                    return row
                before, beyond = (row[j], beyond) if after < window.low else (before, row[j])
            row[j] = before
    return None


#: Branches that are tried before a diagram is asked.
FEW_BRANCHES = 20_000

#: Beyond all sums.
FAR = 1 << 62


@dataclass(frozen=True)
class Window:
    """A sum of weights, by feature and value, has to be between two integers, both included."""

    tables: Sequence[npt.NDArray[np.int64]]
    low: int = -FAR
    high: int = FAR


def can_fit(windows: Sequence[Window], slack: int = 0) -> bool:
    """Are the windows within what the sums can be, each by itself? ``slack`` widens what each feature can add."""
    more = slack * len(windows[0].tables)
    for window in windows:
        least = sum(int(table.min()) for table in window.tables)
        most = sum(int(table.max()) for table in window.tables)
        if least - more > window.high or most + more < window.low:
            return False
    return True


def row_within(
    windows: Sequence[Window], branches: int = FEW_BRANCHES, clock: Clock = NO_LIMIT
) -> tuple[bool, list[int] | None]:
    """Whether the answer is known, and by feature the value of a row whose sums lie in all windows; None: no row's do.

    The first window is the narrow one. When time is up, the answer is not known.
    """
    n = len(windows[0].tables)
    spread = [int(table.max()) - int(table.min()) for table in windows[0].tables]
    order = sorted(range(n), key=lambda j: -spread[j])
    # by depth and window: the least and the most that the features from there on add
    least = [[0] * len(windows) for _ in range(n + 1)]
    most = [[0] * len(windows) for _ in range(n + 1)]
    for depth in range(n - 1, -1, -1):
        for i, window in enumerate(windows):
            table = window.tables[order[depth]]
            least[depth][i] = least[depth + 1][i] + int(table.min())
            most[depth][i] = most[depth + 1][i] + int(table.max())
    tables = [[window.tables[j].tolist() for window in windows] for j in order]
    centre = (max(windows[0].low, least[0][0]) + min(windows[0].high, most[0][0])) // 2

    def fits(depth: int, sums: Sequence[int]) -> bool:
        return all(
            s + low <= window.high and s + high >= window.low
            for s, low, high, window in zip(sums, least[depth], most[depth], windows, strict=True)
        )

    def branches_of(depth: int, sums: Sequence[int]) -> list[tuple[int, list[int]]]:
        """The values of the next feature that may lead there, the likeliest last."""
        found = []
        for value in range(len(tables[depth][0])):
            after = [s + table[value] for s, table in zip(sums, tables[depth], strict=True)]
            if fits(depth + 1, after):
                middle = after[0] + (least[depth + 1][0] + most[depth + 1][0]) // 2
                found.append((abs(middle - centre), value, after))
        return [(value, after) for _, value, after in sorted(found, key=lambda item: (-item[0], item[1]))]

    start = [0] * len(windows)
    if not fits(0, start):
        return True, None
    stack, chosen = [branches_of(0, start)] if n else [], [0] * n
    if not n:
        return True, []
    while stack:
        if not stack[-1]:
            stack.pop()
            continue
        value, sums = stack[-1].pop()
        depth = len(stack) - 1
        chosen[order[depth]] = value
        if depth + 1 == n:
            return True, chosen
        branches -= 1
        if branches < 0 or clock.expired:
            return False, None
        stack.append(branches_of(depth + 1, sums))
    return True, None
