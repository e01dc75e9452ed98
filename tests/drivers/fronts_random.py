"""Pareto fronts of random questions, against brute force: ``python tests/drivers/fronts_random.py --count 5000``.

Every row that the estimator's own `predict` decides is looked at. A list must be complete, each of its rows is measured
anew on raw numbers and by `predict_proba`, and the front must have exactly the rows that no other one beats. With
``minimality="moves"``, the front in changes and costs must be that of all rows, on the list or not.
"""

from __future__ import annotations

import operator
import random
import sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Any

import random_runs

# isort: split
import reference
from small_tables import NUMBERS, SmallTable

import symcf
import symcf.fast

MEASURES = ("changes", "cost", "distance", "plausibility", "probability")
#: Probabilities that differ by no more are equal: sums of floats end in other digits in another order.
ROUNDING = 9


@lru_cache(maxsize=1)
def table(seed: int) -> SmallTable:
    """Ten questions in a row are about the same table. Every column has whole numbers, so that distances are exact."""
    rng = random.Random(f"fronts {seed}")
    of = SmallTable(rng)
    of.compiled = symcf.compile(
        of.model, data=of.data, plausibility=of.data.sample(60, replace=True, random_state=seed)
    )
    return of


def keywords(rng: random.Random, of: SmallTable, row: reference.Row) -> dict[str, Any]:
    """What is asked about a row."""
    asked: dict[str, Any] = {"minimality": rng.choice(("features", "moves"))}
    if rng.random() < 0.6:
        asked["cost"] = "distance"
        asked["scale"] = {name: rng.choice((1, 2, 4, 0.5)) for name in of.names}
    elif rng.random() < 0.7:
        asked["cost"] = {name: rng.randint(1, 8) / 4 for name in of.names}
    if rng.random() < 0.5:
        asked["target"] = rng.choice([label for label in of.labels if label != of.decided[row]])
    if rng.random() < 0.2:
        asked["immutable"] = [rng.choice(of.names)]
    if rng.random() < 0.2:
        asked["allowed"] = {rng.choice(of.names): rng.choice(("increase", "decrease"))}
    if rng.random() < 0.2:
        asked["max_changes"] = rng.choice((1, 2))
    return asked


def question_of(of: SmallTable, row: reference.Row, asked: dict[str, Any]) -> reference.Question:
    """The same for the reference."""
    place = of.names.index
    number = reference.number

    def price(j: int, old: int, new: int) -> Fraction:
        if asked.get("cost") == "distance":
            return number(abs(new - old)) / number(asked["scale"][of.names[j]])
        return number(asked.get("cost", {}).get(of.names[j], 1))

    return reference.Question(
        of.domains,
        of.decided.__getitem__,
        row,
        target=asked.get("target"),
        may=reference.permits(
            {place(name): way for name, way in asked.get("allowed", {}).items()},
            [place(name) for name in asked.get("immutable", ())],
        ),
        price=price,
        max_changes=asked.get("max_changes"),
    )


def unbeaten(points: list[tuple[Any, ...]]) -> list[bool]:
    """Which points does no other one beat? Small numbers are good."""
    distinct = set(points)
    beaten = {p for p in distinct if any(q != p and all(map(operator.le, q, p)) for q in distinct)}
    return [p not in beaten for p in points]


def check(seed: int, tally: Counter[str]) -> None:
    """One question, and a few fronts of its answer."""
    of, rng = table(seed // 10), random.Random(f"fronts of {seed}")
    row = of.row(rng)
    asked = keywords(rng, of, row)
    question, given = question_of(of, row, asked), of.frame([row])
    where = f"seed {seed}: {of.kind} {of.labels}, {row}, {asked}"
    e = of.compiled.explain(given, **asked)
    assert e.complete, f"{where}: not complete"
    moves = asked["minimality"] == "moves"
    if moves:
        expected = [(cost, question.changed(new)) for cost, new in question.moves()]
    else:
        expected = [(rows[0][0], features) for features, rows in question.counterfactuals().items()]
    frame = e.to_frame()
    rows = [tuple(map(int, new)) for new in of.read(frame)]
    found = [(question.cost(new), question.changed(new)) for new in rows]
    assert sorted(found) == sorted(expected), f"{where}: the list is {found}, not {expected}"
    assert all(map(question.is_goal, rows)), f"{where}: {rows} do not all reach the goal"
    listed, measured = list(e), []
    if rows:
        chances = of.model.predict_proba(frame[of.names])
        shares = of.compiled.plausibility_of(frame)
        place = list(of.model.classes_).index
        for i, new in enumerate(rows):
            chance = round(float(chances[i, place(of.decided[new])]), ROUNDING)
            cost = question.cost(new)
            measured.append((len(question.changed(new)), cost, cost, -float(shares[i]), -chance))
    known = [name for name in MEASURES if name != "distance" or asked.get("cost") == "distance"]
    one_by_one = moves and of.kind in NUMBERS  # which batches refuse
    of_batch = e if one_by_one else symcf.fast.explain_batch(of.compiled, given, **asked)[0]
    for _ in range(3):
        names = rng.sample(known, rng.randint(2, len(known)))
        points = [tuple(of_row[MEASURES.index(name)] for name in names) for of_row in measured]
        front = [cf for cf, best in zip(listed, unbeaten(points), strict=True) if best]
        told = e.pareto(*names)
        assert told == front, f"{where}: {names}: {told}, not {front}"
        again = [cf.features for cf in of_batch.pareto(*names)]
        assert again == [cf.features for cf in front], f"{where}: {names}: the batch gives {again}"
        tally.update(["fronts", *(["with someone beaten"] if len(front) < len(listed) else [])])
    if moves:
        every = [new for features in question.subsets() for new in question.rows_of(features)]
        points = [(len(question.changed(new)), question.cost(new)) for new in every]
        best = {point for point, is_best in zip(points, unbeaten(points), strict=True) if is_best}
        of_front = {(len(cf.features), Fraction(str(cf.cost))) for cf in e.pareto("changes", "cost")}
        assert of_front == best, f"{where}: {of_front}, and the front of all rows is {best}"
        tally["fronts of all rows"] += 1
    tally.update(["questions", of.kind])


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "questions", __doc__, 5000))
