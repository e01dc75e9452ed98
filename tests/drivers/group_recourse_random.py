"""Actions for groups of people, against all choices: ``python tests/drivers/group_recourse_random.py --count 5000``.

The candidates are made by hand from the counterfactuals of every row: differences of numbers are rounded away from 0,
other values are set. Every candidate is applied to every raw row, the estimator's own `predict` says whom it helps, and
all choices of candidates are tried. In some questions the solver is stopped early: the bound must hold all the same.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import random_runs

# isort: split
import reference
from sklearn.tree import DecisionTreeClassifier
from small_tables import CATEGORIES, NUMBERS, SmallTable

import symcf
from symcf.analysis.recourse import recourse

#: A change of each column, by place: (True, what is added) or (False, what is set).
Steps = tuple[tuple[int, tuple[bool, float]], ...]
#: After so many looks at the clock the choice is ended early.
EARLY = (0, 1, 5)


class Impatient:
    """A clock that runs out when it has been looked at so often."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    @property
    def expired(self) -> bool:
        """Is the time up?"""
        self.looks -= 1
        return self.looks < 0


class Cover:
    """People who differ in what helps them: a tree knows the list by heart."""

    kind, labels = "list", ("no", "yes")

    def __init__(self, rng: random.Random) -> None:
        n, share = rng.randint(4, 12), rng.choice((0.15, 0.25, 0.35))
        self.people = [(i, *[0] * n) for i in range(rng.randint(5, 30))]
        self.names = ["who", *[f"help {j}" for j in range(n)]]
        self.seen = [list(range(len(self.people))), *[[0, 1]] * n]
        self.types = dict.fromkeys(self.names, "int64")
        helped = [(*row[: 1 + j], 1, *row[2 + j :]) for row in self.people for j in range(n)]
        labels = ["yes", *["no"] * (len(self.people) - 1), *rng.choices(self.labels, (1 - share, share), k=len(helped))]
        data = self.frame([*self.people, *helped])
        self.model = DecisionTreeClassifier(random_state=0).fit(data, labels)
        self.compiled = symcf.compile(self.model, data=data)

    def frame(self, rows: list[reference.Row]) -> pd.DataFrame:
        """The rows as a table."""
        return pd.DataFrame(rows, columns=self.names)


def of_list(rng: random.Random, seed: int) -> tuple[Any, ...]:
    """A list of people, its question, what it permits, and the rows."""
    of = Cover(rng)
    return of, {"target": "yes", "max_changes": 1, "immutable": ["who"]}, lambda old, new: True, of.people


def of_table(rng: random.Random, seed: int) -> tuple[Any, ...]:
    """The same of a small table."""
    of = table(seed // 5)
    return of, *keywords(rng, of), [of.row(rng) for _ in range(rng.randint(1, 14))]


@lru_cache(maxsize=1)
def table(seed: int) -> SmallTable:
    """Five questions in a row are about the same table."""
    return SmallTable(random.Random(f"groups {seed}"), gaps=True, steps=(1, 1, 37, 250))


def keywords(rng: random.Random, of: SmallTable) -> tuple[dict[str, Any], Callable[..., bool]]:
    """What is asked, and whether the question permits a new row: (its table, the old row, the new one)."""
    asked: dict[str, Any] = {"target": rng.choice(of.labels)}
    if rng.random() < 0.6:
        asked["max_changes"] = rng.choice((1, 2, 3, None))
    if rng.random() < 0.3:
        asked["immutable"] = [rng.choice(of.names)]
    rules: dict[int, Any] = {}
    for j, values in enumerate(of.seen):
        known = [v for v in values if v is not reference.MISSING]
        if rng.random() < 0.3:
            least = None if of.kind == "Bernoulli" else min(known)  # [0, 1] are the names of its two ranges
            rules[j] = rng.choice(("increase", "decrease", (least, max(known)), (rng.choice(known), None)))
    if rules:
        asked["allowed"] = {of.names[j]: rule for j, rule in rules.items()}
    if rng.random() < 0.2:
        asked["cost"] = {rng.choice(of.names): 2.5}
    forbidden: dict[int, Any] = {}
    if of.kind in CATEGORIES and rng.random() < 0.5:
        forbidden = {j: rng.choice(of.seen[j]) for j in rng.sample(range(len(of.names)), 2)}
        asked["constraints"] = [symcf.forbid({of.names[j]: value for j, value in forbidden.items()})]
    may = reference.permits(rules, [of.names.index(name) for name in asked.get("immutable", ())])
    ends = [(min(values), max(values)) if of.kind in NUMBERS else (-math.inf, math.inf) for values in _numbers(of)]

    def permits(old: reference.Row, new: reference.Row) -> bool:
        changed = [j for j in range(len(old)) if old[j] != new[j]]
        inside = all(may(j, old[j], new[j]) and ends[j][0] <= new[j] <= ends[j][1] for j in changed)
        return inside and not (forbidden and all(new[j] == value for j, value in forbidden.items()))

    return asked, permits


def _numbers(of: SmallTable) -> list[list[int]]:
    return [[v for v in values if v is not reference.MISSING] for values in of.seen]


def is_added(of: SmallTable, j: int) -> bool:
    """Do actions add to this column? Without cuts, 0 and 1 are labels."""
    return of.kind not in CATEGORIES and not (of.kind in NUMBERS and of.seen[j] == [0, 1])


def away(number: float, digits: int, whole: bool) -> float:
    """So many significant digits, rounded away from 0; whole where the column is."""
    exact = Fraction(repr(float(abs(number))))
    unit = Fraction(10) ** (math.floor(math.log10(exact)) + 1 - digits)
    size = -(-exact // unit) * unit
    return math.copysign(math.ceil(size) if whole else float(size), number)


def steps_of(of: SmallTable, cf: symcf.Counterfactual, row: reference.Row, digits: int) -> Steps | None:
    """The action of a counterfactual; None if something is added to a missing number."""
    steps = []
    for change in cf.changes:
        j = change.feature
        if not is_added(of, j):
            steps.append((j, (False, float(change.new))))
            continue
        if row[j] is reference.MISSING:
            return None
        whole = of.types[of.names[j]].startswith("int")
        steps.append((j, (True, away(change.new - row[j], digits, whole))))
    return tuple(sorted(steps))


def helped(of: SmallTable, rows: list[reference.Row], steps: Steps, permits: Any, target: Any) -> int:
    """Whom an action helps: a bit for each row."""
    after = []
    for row in rows:
        new = list(row)
        for j, (adds, number) in steps:
            new[j] = reference.MISSING if adds and row[j] is reference.MISSING else row[j] * adds + number
        after.append(tuple(new))
    cells = [[np.nan if cell is reference.MISSING else float(cell) for cell in row] for row in after]
    reached = of.model.predict(pd.DataFrame(cells, columns=of.names)) == target
    lost = [any(row[j] is reference.MISSING for j, (adds, _) in steps if adds) for row in rows]
    return sum(
        1 << i
        for i, (old, new) in enumerate(zip(rows, after, strict=True))
        if reached[i] and not lost[i] and permits(old, new)
    )


def largest(masks: set[int]) -> list[int]:
    """Without those that help only people whom another one helps."""
    return [one for one in masks if not any(one != other and one | other == other for other in masks)]


def most_of(masks: list[int], size: int) -> int:
    """The most people that so many actions help."""
    choices = combinations(masks, min(size, len(masks)))
    return max((_union(choice).bit_count() for choice in choices), default=0)


def _union(masks: Any) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total


def check(seed: int, tally: Counter[str]) -> None:
    """One group and one question."""
    rng = random.Random(f"groups of {seed}")
    of, asked, permits, rows = (of_list, of_table)[seed % 2](rng, seed)
    frame = of.frame(rows)
    target, many, digits = asked["target"], rng.choice((1, *[10] * 5)), rng.choice((1, 2, 3))
    given = {"actions": rng.randint(1, 4)} if rng.random() < 0.5 else {"coverage": rng.choice((0.4, 0.7, 0.8, 0.9, 1))}
    groups = rng.choice((None, rng.choice(of.names), [rng.choice("ab") for _ in rows]))
    early = rng.choice((*[None] * 6, *EARLY))
    where = f"seed {seed}: {of.kind} {of.labels}, {rows}, {asked}, {given}, per_row={many}, digits={digits}, {early}"

    choose = recourse._choice

    def stopped(*choice: Any) -> Any:
        return choose(*(choice if early is None else (*choice[:-1], Impatient(early))))

    with mock.patch.object(recourse, "_choice", stopped):
        found = symcf.group_recourse(of.compiled, frame, groups=groups, per_row=many, digits=digits, **given, **asked)

    at_target = of.model.predict(frame) == target
    assert found.target == target, where
    assert found.at_target.tolist() == at_target.tolist(), where
    left = [row for row, at in zip(rows, at_target, strict=True) if not at]
    batch = of.compiled.explain_batch(frame, k=many, **{"max_changes": 2, **asked})
    actions = {steps_of(of, cf, row, digits) for row, e in zip(rows, batch, strict=True) for cf in e} - {None}
    masks = {steps: helped(of, left, steps, permits, target) for steps in actions}
    masks = {steps: mask for steps, mask in masks.items() if mask}
    assert found.candidates == len(masks), f"{where}: {found.candidates} candidates, not {sorted(masks)}"
    reach = _union(masks.values()).bit_count()
    assert (found.n_rows, found.within_reach) == (len(left), reach), f"{where}: {found}"

    chosen = []
    for action, helps in zip(found.actions, found.helps, strict=True):
        steps = tuple((s.feature, (s.code is None, float(s.add if s.code is None else s.value))) for s in action.steps)
        assert steps in masks, f"{where}: {action} is no candidate: {sorted(masks)}"
        bits = sum(1 << i for i, helps_it in enumerate(helps[~at_target].tolist()) if helps_it)
        assert bits == masks[steps], f"{where}: {action} helps {bits:b}, not {masks[steps]:b}"
        chosen.append(bits)
    assert found.n_helped == _union(chosen).bit_count(), f"{where}: {found}"
    first = [next((a for a, helps in enumerate(found.helps[:, i]) if helps), -1) for i in range(len(rows))]
    assert found.action_of_row.tolist() == first, f"{where}: {found.action_of_row}, not {first}"

    choice = largest(set(masks.values()))
    if "actions" in given:
        best = most_of(choice, given["actions"])
        assert len(found.actions) <= given["actions"], f"{where}: {found}"
        assert found.n_helped <= best <= found.bound, f"{where}: the best is {best}: {found}"
        assert found.optimal == (found.n_helped == found.bound), f"{where}: {found}"
        assert found.greedy[1] <= best, f"{where}: {found.greedy}"
        is_best = found.n_helped == best
        tally["greedy choices beaten"] += found.greedy[1] < best
    else:
        share = math.ceil(Fraction(str(given["coverage"])) * len(left))
        needed = min(share, reach)
        fewest = next(size for size in range(len(choice) + 1) if most_of(choice, size) >= needed)
        assert found.n_helped >= needed, f"{where}: {needed} are to be helped: {found}"
        assert found.reached == (reach >= share), f"{where}: {found}"
        assert found.bound <= fewest <= len(found.actions), f"{where}: {fewest} suffice: {found}"
        assert found.optimal == (len(found.actions) == found.bound), f"{where}: {found}"
        assert found.greedy[0] >= fewest, f"{where}: {found.greedy}"
        is_best = len(found.actions) == fewest
        tally["greedy choices beaten"] += found.greedy[0] > fewest
    assert is_best or not found.optimal, f"{where}: it is not the best: {found}"
    assert found.optimal or early is not None, f"{where}: not proved: {found}"

    changed = found.to_frame()
    assert len(changed) == found.n_helped, f"{where}: {changed}"
    assert not len(changed) or (of.model.predict(changed[of.names]) == target).all(), f"{where}: {changed}"
    if isinstance(groups, list):
        helped_rows = found.action_of_row >= 0
        expected = {
            label: (
                sum(g == label and not at for g, at in zip(groups, at_target, strict=True)),
                sum(g == label and bool(one) for g, one in zip(groups, helped_rows, strict=True)),
            )
            for label in groups
        }
        assert dict(found.groups) == expected, f"{where}: {found.groups}, not {expected}"
    tally.update(["questions", of.kind, "proved" if found.optimal else "with a gap"])
    tally["nobody helped"] += not reach
    tally["candidates"] += found.candidates
    tally["several actions"] += len(found.actions) > 1


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "questions", __doc__, 5000))
