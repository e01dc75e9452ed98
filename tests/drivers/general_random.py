"""Reasons with conditions as wide as they can be, of small models of every kind, against the reference:
``python tests/drivers/general_random.py --count 5000``.

Every row that the conditions admit is looked at, with all values of the other features, and so is every value that a
condition does not admit: the decision must be forced with the former, and no longer with the latter. A row whose sums
are equal but for a rounding (`cases.CLOSE`), which only numbers with fractions can be, may be decided either way.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from copy import copy
from fractions import Fraction
from typing import Any

import random_runs

# isort: split
import cases
from reference import MISSING, Domain, Question

import symcf
from symcf.data.regions import Region

#: The reference is asked this far before and beyond the ends of intervals; the rounding of relations is less than both.
NEAR, BEYOND = Fraction(1, 10**9), Fraction(1, 10**6)
OPTIONS = ("target", "immutable", "allowed", "constraints", "orders", "sums")


def accepts(case: cases.Case, condition: symcf.Condition, value: object) -> bool:
    """Does a condition admit a value of the reference?"""
    if value is MISSING:
        return any(one != one for one in condition.accepted.also)
    shown = case.label(condition.feature, value)
    return shown in condition.accepted or (case.is_number(condition.feature) and float(value) in condition.accepted)


def with_ends(asked: cases.Asked, reason: symcf.Reason) -> tuple[list[Domain], list[list[Any]]]:
    """The domains with numbers just before and after the ends of conditions, for columns that may have any number."""
    domains, new = list(asked.reference.domains), list(asked.reference.new)
    for condition in reason.conditions:
        j, ends = condition.feature, condition.accepted.range
        if not isinstance(ends, Region) or not new[j]:
            continue
        near = [
            Fraction(end) + sign * far
            for end, inwards in ((ends.first, 1), (ends.last, -1))
            for sign, far in ((inwards, NEAR if is_related(asked) else 0), (-inwards, BEYOND))
            if far == BEYOND or float(end + sign * far) in ends
        ]
        more = [n for n in near if min(domains[j].values) <= n <= max(domains[j].values)]
        new[j] = sorted({*new[j], *more})
        domains[j] = Domain(tuple(sorted({*domains[j].values, *more})), ordered=True)
    return domains, new


def siding(asked: cases.Asked, of: Question, *, goal: bool) -> Question:
    """The question, where rows that a rounding decides are goals or are none."""
    made = copy(of)
    made.is_goal = lambda row: goal if asked.case.is_close(row) else of.is_goal(row)  # type: ignore[method-assign]
    return made


def is_doubtful(reason: symcf.Reason, wider: dict[int, list[Any]]) -> bool:
    """Is the last value of a condition closer to its end than the reference can tell?"""
    for condition in reason.conditions:
        ends, value = condition.accepted.range, wider[condition.feature][-1]
        if isinstance(ends, Region) and float(value) not in ends:
            return min(abs(value - Fraction(ends.first)), abs(value - Fraction(ends.last))) < BEYOND
    return False


def is_related(asked: cases.Asked) -> bool:
    """May the decisive numbers be others than the ends of ranges and of conditions?"""
    return bool({"constraints", "allowed", "target"} & set(asked.keywords))


def denser(asked: cases.Asked, new: list[list[Any]]) -> list[list[Any]]:
    """More numbers for columns that may have any: halves, and those next to each number."""
    found = list(new)
    for j, values in enumerate(new):
        if asked.case.is_number(j) and values:
            whole = [v for v in values if v.denominator == 1]  # ends of conditions pass or fail by a rounding
            more = {v + far for v in whole for far in (BEYOND, -BEYOND, Fraction(1, 2))}
            may = asked.keywords.get("allowed", {}).get(asked.case.features[j])
            low, high = min(values), max(values)
            if may == "increase":
                low = asked.row[j]
            elif may == "decrease":
                high = asked.row[j]
            found[j] = sorted({*values, *(v for v in more if low <= v <= high)})
    return found


def check_reals(asked: cases.Asked, found: symcf.Reasons, x: Any) -> None:
    """The reasons where columns have any number: none is refuted by a number nearby, and wherever no reason holds a
    counterfactual is found that is one of the raw numbers.
    """
    case, row = asked.case, asked.row
    dense = copy(asked.reference)
    dense.new = denser(asked, dense.new)
    without, along = siding(asked, dense, goal=False), siding(asked, dense, goal=True)
    told = f"{found.sets} of {asked}"
    for reason in found.sets:
        assert without.forces({j: [row[j]] for j in reason}), f"{reason} does not force the decision: {told}"
    kept = [set(s) for s in dense.subsets() if not any(set(reason) <= set(s) for reason in found.sets)]
    said = {key: value for key, value in asked.keywords.items() if key != "immutable"}
    fixed = set(asked.keywords.get("immutable", ()))
    for some in (s for s in kept if not any(s < other for other in kept)):
        e = asked.compiled.explain(x, **said, immutable=sorted(fixed | {case.features[j] for j in some}))
        assert e.sets, f"{some} forces the decision: {told}"
        for cf in e:
            new = asked.read(cf.row)
            assert along.is_goal(new), f"{new} is no counterfactual: {told}"
            assert dense.obeys(new), f"{new} is not allowed: {told}"


def check_reason(asked: cases.Asked, reason: symcf.Reason) -> int:
    """One reason; gives by how many values its conditions are wider than the row."""
    reference, row = copy(asked.reference), asked.row
    if asked.form == "floats":
        reference.domains, reference.new = with_ends(asked, reason)
        if is_related(asked):
            reference.new = denser(asked, reference.new)
    among = {
        c.feature: [row[c.feature], *(v for v in reference.new[c.feature] if accepts(asked.case, c, v))]
        for c in reason.conditions
    }
    told = f"{reason} of {asked}"
    assert all(row[c.feature] is MISSING or accepts(asked.case, c, row[c.feature]) for c in reason.conditions), told
    assert siding(asked, reference, goal=False).forces(among), f"does not force the decision: {told}"
    assert reason.maximal, f"not maximal: {told}"
    for wider in () if asked.form == "floats" and is_related(asked) else reference.wider(among):
        if asked.form == "floats" and is_doubtful(reason, wider):
            continue
        assert not siding(asked, reference, goal=True).forces(wider), f"{wider} would do: {told}"
    return sum(len(values) - 1 for values in among.values())


def check(seed: int, tally: Counter[str]) -> None:
    """A few questions about one model."""
    rng = random.Random(f"general {seed}")
    kind = list(cases.KINDS)[seed % len(cases.KINDS)]
    case = cases.draw(rng, kind)
    for _ in range(5):
        asked = cases.ask(rng, case, [option for option in OPTIONS if rng.random() < 0.15])
        if asked is None:
            continue
        x = asked.x
        if kind.startswith("numbers") and rng.random() < 0.5:
            asked.form, cells = "floats", case.given(asked.row, "list")
            x = [float(cell) if case.is_number(j) else cell for j, cell in enumerate(cells)]
        try:
            found = asked.compiled.why(x, general=True, **asked.keywords)
        except symcf.OptionError as error:
            if "general" not in str(error):
                raise AssertionError(f"{error}: {asked}") from None
            tally["not supported"] += 1
            continue
        if asked.form == "floats" and is_related(asked):
            check_reals(asked, found, x)
        else:
            assert sorted(found.sets) == sorted(asked.reference.reasons()), f"other reasons: {asked}"
        tally["questions"] += 1
        tally["reasons"] += len(found)
        tally["values more"] += sum(check_reason(asked, reason) for reason in found)


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "models", __doc__, 1000))
