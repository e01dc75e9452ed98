"""Regions of rows that are locked out, of small models of every kind, against the reference:
``python tests/drivers/locked_out_random.py --count 5000``.

Every row of every region is asked whether something that is allowed helps it; each condition, widened by one value,
must admit a row that can be helped. Rows of the data are locked out exactly if the reference says so.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import random_runs

# isort: split
import cases
import reference
from reference import MISSING, Row

import symcf
from symcf.data.numbers import NumberLine


def thinned(case: cases.Case, j: int) -> reference.Domain:
    """Of the values that the model does not tell apart, the first and the last."""
    values = case.domains[j].values
    like: dict[Any, list[Any]] = {}
    for value in values:
        like.setdefault(case.alike(j, value), []).append(value)
    kept = {id(end) for some in like.values() for end in (some[0], some[-1])}
    return replace(case.domains[j], values=tuple(value for value in values if id(value) in kept))


def told_apart(case: cases.Case, j: int) -> set[Any]:
    """The values of a feature that the model tells apart."""
    return {case.alike(j, value) for value in case.domains[j].values}


def knows_all(case: cases.Case) -> bool:
    """Has the case all values of the classifier? Not where labels may be missing, which they are in no row of it."""
    values = case.compiled.values
    return all(isinstance(values[j], NumberLine) or len(told_apart(case, j)) == len(values[j]) for j in range(case.n))


class Asked:
    """A question about all rows of a case, for symcf and for the reference."""

    def __init__(self, rng: random.Random, case: cases.Case) -> None:
        self.case = case
        self.target = rng.choice([None, *case.classes])
        immutable = [j for j in range(case.n) if rng.random() < 0.4]
        ordered = [j for j in range(case.n) if case.domains[j].ordered and j not in immutable]
        ways = {j: rng.choice(("increase", "decrease")) for j in ordered if rng.random() < 0.4}
        others = [j for j in range(case.n) if j not in immutable and j not in ways and not case.is_number(j)]
        values = {j: [v for v in case.domains[j].values if rng.random() < 0.5] for j in others if rng.random() < 0.3}
        allowed = {j: some for j, some in values.items() if some}
        self.keywords: dict[str, Any] = {"immutable": [case.features[j] for j in immutable]}
        said = ways | {j: [case.label(j, v) for v in some] for j, some in allowed.items()}
        if said:
            self.keywords["allowed"] = {case.features[j]: rule for j, rule in said.items()}
        if self.target is not None:
            self.keywords["target"] = self.target
        self.may = reference.permits(ways | allowed, immutable)
        self.is_locked = cache(self._is_locked)

    def _is_locked(self, row: Row) -> bool:
        """Is the row not at the target, and does nothing help it?"""
        question = reference.Question(self.case.domains, self.case.decide, row, target=self.target, may=self.may)
        return not (self.target is not None and question.is_goal(row)) and question.forces({})

    def __str__(self) -> str:
        return f"{self.case.kind}, {self.keywords}"


def accepts(case: cases.Case, condition: symcf.Condition, value: object) -> bool:
    """Does a condition admit a value of the reference?"""
    if value is MISSING:
        ends = condition.accepted.range
        values = (*condition.accepted.also, *(ends if isinstance(ends, tuple) else ()))
        return any(one != one or one == "(missing)" for one in values)
    shown = case.label(condition.feature, value)
    return shown in condition.accepted or (case.is_number(condition.feature) and float(value) in condition.accepted)


def box_of(case: cases.Case, region: symcf.LockedOutRegion) -> list[list[Any]]:
    """By feature, the values of a region."""
    by_feature = {condition.feature: condition for condition in region.conditions}
    return [
        [value for value in domain.values if j not in by_feature or accepts(case, by_feature[j], value)]
        for j, domain in enumerate(case.domains)
    ]


def wider(case: cases.Case, box: list[list[Any]]) -> list[list[list[Any]]]:
    """Boxes with one more value: a neighbour where values are in order, else any."""
    found = []
    for j, values in enumerate(box):
        every = case.domains[j].values
        places = [i for i, value in enumerate(every) if value in values]
        more = [i for i in range(len(every)) if i not in places]
        if case.domains[j].ordered and values != [MISSING]:
            near = {i + step for i in places if every[i] is not MISSING for step in (-1, 1)}
            more = [i for i in more if every[i] is MISSING or i in near]
        found += [[*box[:j], [*values, every[i]], *box[j + 1 :]] for i in more]
    return found


def check_region(asked: Asked, region: symcf.LockedOutRegion, box: list[list[Any]], told: str) -> None:
    """Nothing helps a row of the region, and that is no longer so if a condition is wider."""
    decide = asked.case.decide

    def is_region(values: list[list[Any]]) -> bool:
        alike = region.label is None or {decide(row) for row in product(*values)} == {region.label}
        return alike and all(asked.is_locked(row) for row in product(*values))

    if not all(box):
        return  # a label is missing, which it is in no row of the case
    assert is_region(box), f"{region} holds a row that can be helped: {told}"
    for more in wider(asked.case, box) if knows_all(asked.case) else ():
        assert not is_region(more), f"{region} could be wider, {more}: {told}"


def check(seed: int, tally: Counter[str]) -> None:
    """A few questions about one model."""
    rng = random.Random(f"locked out {seed}")
    check_case(rng, cases.draw(rng, list(cases.KINDS)[seed % len(cases.KINDS)]), tally)


def check_case(rng: random.Random, case: cases.Case, tally: Counter[str], count: int = 3) -> None:
    """A few questions about a model."""
    case.domains = [thinned(case, j) for j in range(case.n)]
    rows = [tuple(rng.choice(domain.values) for domain in case.domains) for _ in range(rng.randint(1, 10))]
    for _ in range(count):
        asked = Asked(rng, case)
        in_data = case.kind.startswith("numbers") or rng.random() < 0.6
        data = [case.given(row, "list") for row in rows] if in_data else None
        try:
            found = case.compiled.locked_out_regions(data, **asked.keywords)
        except symcf.OptionError as error:
            if data is not None or "missing value has no direction" not in str(error):  # all rows have some of these
                raise AssertionError(f"{error}: {asked}") from error
            tally["not supported"] += 1
            continue
        told = f"{found} of {asked}"
        assert found.status == "complete", told
        tally["questions"] += 1
        tally["regions"] += len(found)
        boxes = [box_of(case, region) for region in found]
        for region, box in zip(found, boxes, strict=True):
            check_region(asked, region, box, told)
        every = rows if data is not None else list(case.rows())
        locked = [asked.is_locked(row) for row in every]
        inside = [[all(v in of for v, of in zip(row, box, strict=True)) for row in every] for box in boxes]
        for i, row in enumerate(every):
            assert locked[i] == any(of[i] for of in inside), f"{row}, locked out: {locked[i]}: {told}"
        if data is not None:
            assert found.is_locked.tolist() == locked, told
            assert (found.rows, found.locked) == (len(rows), sum(locked)), told
            assert [region.rows for region in found] == [sum(of) for of in inside], told
        elif knows_all(case):
            size = lambda some: len({case.group(row) for row in some})  # noqa: E731
            assert size(every) == found.rows, f"{size(every)} rows: {told}"
            assert size(row for row, is_locked in zip(every, locked, strict=True) if is_locked) == found.locked, told
            for region, box in zip(found, boxes, strict=True):
                assert size(product(*box)) == region.rows, told
        tally["rows"] += len(every)


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "models", __doc__, 1000))
