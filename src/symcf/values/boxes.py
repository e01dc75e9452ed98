"""Boxes: values that are as good as those of an assignment. Every point of a box flips the decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["box_around"]


def box_around(
    all_flip: Callable[[list[list[int]]], bool],
    allowed_of: Callable[[int], Sequence[int]],
    change_set: tuple[int, ...],
    codes: Sequence[int],
    x: Sequence[int],
    ordered: Sequence[bool],
) -> list[list[int]]:
    """By feature of the set, values among which any choice flips the decision (`all_flip` says whether that is known);
    the assignment's own is one of them.

    Values in order are neighbours of each other. The box grows away from the old values first, then towards them, one
    feature after the other, and is as large as that makes it.
    """
    chosen = [[code] for code in codes]

    def flips_with(i: int, more: Sequence[int]) -> bool:
        return all_flip([*chosen[:i], [*chosen[i], *more], *chosen[i + 1 :]])

    for towards in (False, True):
        for i, j in enumerate(change_set):
            step = (1 if codes[i] > x[j] else -1) * (-1 if towards else 1)
            allowed = set(allowed_of(j))
            if ordered[j]:
                run = _run(codes[i] + step, step, allowed)
                chosen[i] += run[: _longest(run, lambda more, i=i: flips_with(i, more))]  # type: ignore[misc]
            elif towards:
                for code in sorted(allowed.difference(chosen[i])):
                    if flips_with(i, [code]):
                        chosen[i].append(code)
    return chosen


def _run(start: int, step: int, allowed: set[int]) -> list[int]:
    """The neighbours from a value on, as far as they are allowed."""
    run = []
    while start in allowed:
        run.append(start)
        start += step
    return run


def _longest(run: Sequence[int], fine: Callable[[Sequence[int]], bool]) -> int:
    """The length of the longest beginning that is fine. requires: every beginning of a fine one is fine."""
    if not run or fine(run):
        return len(run)
    low, high = 0, len(run)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fine(run[:middle]) else (low, middle)
    return low
