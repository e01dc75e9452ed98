"""Rows whose sums lie in windows: what sums of weights can be asked without a diagram.

Branch and bound, the features that can do most first: a branch ends where what is left cannot lead into every window.
Where windows are wide, a row is found at once; where none can be reached, the bounds say so at the root. In between it
may take long, so the search ends after a number of branches and says that it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from symcf.common.clock import NO_LIMIT, Clock

__all__ = ["FEW_BRANCHES", "Window", "can_fit", "row_within"]

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
