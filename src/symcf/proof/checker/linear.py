"""Have linear inequalities a common solution? Exactly, in fractions, by elimination (Fourier and Motzkin).

A row says that numbers times coefficients add up to at most a number, or to less. To eliminate a variable, every row
that bounds it from above is added to every row that bounds it from below, with factors that cancel it: what remains has
a solution if and only if the rows do. The sums that end in a contradiction are Farkas' multipliers; nobody has to list
them, since the relations of a question have few variables.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction

from symcf.proof.checker.domains import Interval
from symcf.proof.checker.form import Effort, Rejected

__all__ = ["Row", "is_feasible", "least"]

#: By variable its coefficient; the most that they add up to; is it less than that?
Row = tuple[tuple[tuple[int, Fraction], ...], Fraction, bool]

#: Rows that elimination may lead to.
MOST_ROWS = 20_000


def least(row: Row, intervals: Mapping[int, Interval]) -> Fraction | None:
    """The least that the left side of a row is within intervals; None if it has no bound."""
    total = Fraction(0)
    for j, coefficient in row[0]:
        end = intervals[j][0 if coefficient > 0 else 1]
        if math.isinf(end):
            return None
        total += coefficient * Fraction(end)
    return total


def is_feasible(rows: Iterable[Row], intervals: Mapping[int, Interval], effort: Effort) -> bool:
    """Are there numbers within the intervals, of all variables, for which all rows hold?"""
    left: dict[tuple[tuple[int, Fraction], ...], tuple[Fraction, bool]] = {}
    variables = set()
    for row in rows:
        if not _keep(left, row):
            return False
        variables |= {j for j, _ in row[0]}
    for j in variables:
        low, high = intervals[j]
        if not math.isinf(high):
            _keep(left, (((j, Fraction(1)),), Fraction(high), False))
        if not math.isinf(low):
            _keep(left, (((j, Fraction(-1)),), -Fraction(low), False))
    while variables:
        sides = {j: _sides(left, j) for j in variables}
        j = min(variables, key=lambda j: (len(sides[j][0]) * len(sides[j][1]), j))
        above, below = sides[j]
        variables.remove(j)
        if len(above) * len(below) + len(left) > MOST_ROWS:
            raise Rejected("effort", "relations over numbers have too many variables in common")
        effort.spend(20 * (1 + len(left) + len(above) * len(below)) * (1 + len(variables)))
        for row in (*above, *below):
            del left[row[0]]
        for one in above:
            for two in below:
                if not _keep(left, _without(j, one, two)):
                    return False
    return True


def _sides(
    left: Mapping[tuple[tuple[int, Fraction], ...], tuple[Fraction, bool]], j: int
) -> tuple[list[Row], list[Row]]:
    above: list[Row] = []
    below: list[Row] = []
    for terms, (most, strict) in left.items():
        coefficient = dict(terms).get(j)
        if coefficient is not None:
            (above if coefficient > 0 else below).append((terms, most, strict))
    return above, below


def _without(j: int, above: Row, below: Row) -> Row:
    up, down = dict(above[0]), dict(below[0])
    one, two = -down[j], up[j]
    total = {i: c * one for i, c in up.items()}
    for i, c in down.items():
        total[i] = total.get(i, Fraction(0)) + c * two
    terms = tuple(sorted((i, c) for i, c in total.items() if c))
    return terms, above[1] * one + below[1] * two, above[2] or below[2]


def _keep(left: dict[tuple[tuple[int, Fraction], ...], tuple[Fraction, bool]], row: Row) -> bool:
    """Adds a row, its first coefficient made 1 or -1; of rows with the same left side the tighter one stays. False if
    it is a contradiction.
    """
    terms, most, strict = row
    if not terms:
        return most > 0 or (most == 0 and not strict)
    size = abs(terms[0][1])
    key, bound = tuple((i, c / size) for i, c in terms), (most / size, strict)
    known = left.get(key)
    if known is None or bound[0] < known[0] or (bound[0] == known[0] and strict):
        left[key] = bound
    return True
