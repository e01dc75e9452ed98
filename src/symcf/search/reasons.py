"""Which engine finds sufficient reasons, and which features are in some reason.

A sufficient reason is a minimal set of features that, as they are, force the decision whatever the others become. Those
of a sum of weights are minimal covers, and those of a diagram a family of sets, so that the engines of change sets find
them when ``query.reasons`` says so:

``cover``    minimal covers of the mirrored threshold function: two classes
``diagram``  family algebra over any diagram
``boxes``    the edges of the map over the leaves of trees that vote
``sat``      MARCO on Σf: the independent third
``auto``     cover where one sum of weights decides, trees for more trees than a diagram is fast for, minimal otherwise:
             against several classes at once, a reason is a conjunction of covers, which has no such engine
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.common.options import checked_choice
from symcf.errors import LimitError, OptionError
from symcf.question.case import Case, NumberCase, Query
from symcf.question.question import Question
from symcf.search.choice import auto_engine, engine_of, sat_clauses
from symcf.search.contract import Engine
from symcf.search.minimal import MinimalEngine
from symcf.search.sat.marco import MarcoEngine
from symcf.search.trees import PATIENCE

__all__ = [
    "REASON_ENGINES",
    "check_reasons",
    "family_of",
    "feature_counts",
    "necessary_features",
    "reason_engine_for",
    "reason_engine_of",
    "reason_query",
    "relevant_features",
]

REASON_ENGINES = ("auto", "cover", "diagram", "boxes", "sat")

#: Different sums that are looked at, at most, to see whether a feature matters.
MOST_SUMS = 1 << 22


def reason_engine_of(
    question: Question, name: str = "auto", encoding: str = "auto", solver: str | None = None
) -> Engine:
    """The engine of this name for sufficient reasons; asked with ``query.reasons``."""
    checked_choice(name, "engine", REASON_ENGINES)
    if name == "sat":
        key = ("reasons", encoding, solver, question.any_other, question.relations)
        make_cnf = sat_clauses(question, encoding)
        engine: Engine = question.classifier.kept.get(key, lambda: MarcoEngine(make_cnf, solver or "cadical195"))
        return engine
    one_sum = question.classifier.threshold is not None and question.relations is None
    if name == "auto":
        name = "cover" if one_sum else "boxes" if auto_engine(question) == "boxes" else "diagram"
    if name == "cover" and not one_sum:
        raise OptionError(
            "engine 'cover' finds reasons where one sum of weights decides between two classes, without constraints; "
            "use engine='diagram' or 'auto'"
        )
    return engine_of(question, name, encoding, solver)


def reason_engine_for(case: Case, name: str = "auto", encoding: str = "auto", solver: str | None = None) -> Engine:
    """The engine for the reasons of one case; where columns hold numbers, sums are another matter for each row."""
    return reason_engine_of(asked_of(case), name, encoding, solver)


def asked_of(case: Case) -> Question:
    """The question that ``case.query`` is about: of rows of numbers, one of features that change or do not."""
    return case.asked if isinstance(case, NumberCase) else case.question


def reason_query(case: Case) -> Query:
    """What engines are asked for the reasons of a case."""
    check_reasons(case.question)
    return replace(case.query, reasons=True)


def check_reasons(question: Question) -> None:
    """`OptionError` if the question is about changes only."""
    if question.constraints.max_changes is not None:
        raise OptionError("max_changes: reasons hold for any number of changes; leave it out, or ask for k of them")
    if question.minimality != "features":
        raise OptionError("minimality: a reason keeps features as they are, so nothing is moved; leave it out")
    if question.costs.per_value is not None:
        raise OptionError(
            "cost: a reason keeps the values as they are, so its cost cannot depend on new ones; give one number per "
            "feature"
        )


def family_of(case: Case, reasons: bool, clock: Clock) -> _core.Minimal:
    """All change sets, or all sufficient reasons, as one family that can be counted without listing it."""
    engine = engine_of(asked_of(case), "diagram")
    assert isinstance(engine, MinimalEngine)
    return engine.family(reason_query(case) if reasons else case.query, clock)


def feature_counts(case: Case, reasons: bool, clock: Clock) -> tuple[list[int], int]:
    """By feature, how many reasons (or change sets) it is in, and how many there are.

    Counted in a diagram, without listing them; for more trees than a diagram is built of, from the list.
    """
    question = asked_of(case)
    if auto_engine(question) != "boxes":
        family = family_of(case, reasons, clock)
        return family.count_features(clock.left), family.count(clock.left)
    counts, total = [0] * len(case.x), 0
    within = clock if clock.seconds is not None else clock.earlier(PATIENCE)
    for answer in engine_of(question).steps(reason_query(case) if reasons else case.query, None, within):
        if answer.status == "time":
            raise LimitError(f"time limit reached while listing: more than {total:,} so far; raise time_limit")
        total += len(answer.sets)
        for j, count in zip(*np.unique(answer.sets.features, return_counts=True), strict=True):
            counts[int(j)] += int(count)
    return counts, total


def necessary_features(case: Case, clock: Clock) -> tuple[int, ...]:
    """The features in every reason: those whose change alone would do."""
    found: list[int] = []
    for answer in engine_of(asked_of(case)).steps(replace(case.query, max_changes=1), None, clock):
        found += (change_set[0] for change_set in answer.sets)
        if answer.status == "time":
            raise LimitError("time limit reached while looking for the necessary features; raise time_limit")
    return tuple(sorted(found))


def relevant_features(case: Case, clock: Clock) -> tuple[int, ...]:
    """The features in some reason, which are those in some change set. Without listing either.

    `LimitError` if that takes more time, or more different sums, than allowed.
    """
    question = asked_of(case)
    threshold = question.classifier.threshold
    if threshold is None or question.relations is not None:
        counts, _ = feature_counts(case, True, clock)
        return tuple(j for j, count in enumerate(counts) if count)
    gains, deficit = _gains(threshold, case.query)
    order = sorted((j for j, gain in enumerate(gains) if gain > 0), key=lambda j: (-gains[j], j))
    # If a feature is in a minimal cover, so is every feature that gains more, in its place or beside it: bisect.
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        others = [gains[j] for place, j in enumerate(order) if place != middle]
        if _reaches(others, deficit - gains[order[middle]], deficit - 1, clock):
            low = middle + 1
        else:
            high = middle
    return tuple(sorted(order[:low]))


def _gains(threshold: _core.Threshold, query: Query) -> tuple[list[int], int]:
    """The most that a change of each feature moves the score to the other side, and what has to be gained."""
    start, weight = threshold.value_offset.tolist(), threshold.weight.tolist()
    x = query.x.tolist()
    score = threshold.bias + sum(weight[start[j] + code] for j, code in enumerate(x))
    sign = 1 if score < 0 else -1
    gains = []
    for j, code in enumerate(x):
        offers = range(start[j], start[j + 1])
        allowed = (i for i in offers if query.mask is None or query.mask[i])
        gains.append(max([0, *(sign * (weight[i] - weight[start[j] + code]) for i in allowed)]))
    return gains, -score if score < 0 else score + 1


def _reaches(gains: list[int], low: int, high: int, clock: Clock) -> bool:
    """Is there a subset of the gains, which come by falling size, with a sum from low to high?"""
    greedy = 0
    for gain in gains:
        greedy += gain if greedy + gain <= high else 0
    if greedy >= low:
        return True
    rest, sums = sum(gains), np.zeros(1, dtype=np.int64)
    for gain in gains:  # all different sums that may still get there
        rest -= gain
        sums = _unique(sums, sums + gain)
        sums = sums[(sums <= high) & (sums >= low - rest)]
        if not len(sums):
            return False
        if sums[-1] >= low:
            return True
        if clock.expired or len(sums) > MOST_SUMS:
            limit = "time limit" if clock.expired else f"limit of {MOST_SUMS:,} different sums"
            raise LimitError(f"{limit} reached while looking for the relevant features")
    return False


def _unique(one: npt.NDArray[np.int64], two: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The different numbers of both, ascending."""
    return np.union1d(one, two)
