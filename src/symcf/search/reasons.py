"""Sufficient reasons: what is asked for them, and which features are in some, in every, or in how many reasons.

A sufficient reason is a minimal set of features that, as they are, force the decision whatever the others become. Those
of a sum of weights are minimal covers, and those of a diagram a family of sets, so that the searches for change sets
find them when ``query.reasons`` says so:

``cover``    minimal covers of the mirrored threshold function: two classes
``diagram``  family algebra over any diagram
``boxes``    the edges of the map over the leaves of trees that vote
``sat``      MARCO on Σf: the independent third
``auto``     cover where one sum of weights decides, trees for more trees than a diagram is fast for, minimal otherwise

Minimum-cardinality explanations (Shih, Choi, Darwiche, "A symbolic approach to explaining Bayesian network
classifiers", IJCAI 2018): the fewest features that have to be as they are if all others are at a baseline.

In their words, of a positive instance the fewest positive features that keep the decision when all others are negative,
and the other way round. Seen from the baseline these are changes, to the values of the instance and to no others, that
reach its decision: the smallest change sets, which the searches for change sets find.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.data.reader import Codes
from symcf.errors import InstanceError, InternalError, LimitError, OptionError
from symcf.question.case import Case, Query
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSets
from symcf.search.plan import Plan, plan
from symcf.search.protocol import Answer
from symcf.system.classifier import Classifier
from symcf.system.decision import goal_of

__all__ = [
    "REFERENCES",
    "check_reasons",
    "feature_counts",
    "fewest_kept",
    "necessary_features",
    "point_values",
    "reason_query",
    "relevant_features",
    "shapley_values",
    "shares_of",
]

#: What points of a score are counted from.
REFERENCES = ("average", "maximum")

#: Different sums that are looked at, at most, to see whether a feature matters.
MOST_SUMS = 1 << 22


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


def feature_counts(plan: Plan, case: Case, reasons: bool, clock: Clock) -> tuple[list[int], int]:
    """By feature, how many reasons (or change sets) it is in, and how many there are.

    Counted in a diagram, without listing them; for more trees than a diagram is built of, from the list.
    """
    search = plan.default_for(case) if plan.default.avoids_diagram else plan.by_diagram(case)
    return search.count_features(reason_query(case) if reasons else case.query, clock)


def necessary_features(plan: Plan, case: Case, clock: Clock) -> tuple[int, ...]:
    """The features in every reason: those whose change alone would do."""
    found: list[int] = []
    for answer in plan.default_for(case).steps(replace(case.query, max_changes=1), None, clock):
        found += (change_set[0] for change_set in answer.sets)
        if answer.status == "time":
            raise LimitError("time limit reached while looking for the necessary features; raise time_limit")
    return tuple(sorted(found))


def relevant_features(plan: Plan, case: Case, clock: Clock) -> tuple[int, ...]:
    """The features in some reason, which are those in some change set. Without listing either.

    `LimitError` if that takes more time, or more different sums, than allowed.
    """
    question = case.lowered
    threshold = question.classifier.threshold
    if threshold is None or question.relations is not None or case.question.is_coupled:
        counts, _ = feature_counts(plan, case, True, clock)
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


Shares = npt.NDArray[np.float64]


def shares_of(classifier: Classifier, data: Any = None) -> Shares:
    """By ``value_offset[j] + code``, how probable a value is: as often as in the data, or all values alike that rows
    may be given.
    """
    if classifier.decision.numbers is not None:
        raise OptionError(
            "Shapley values of columns of numbers have a grid of their own for each row; ask about one row at a time "
            "(attribute)"
        )
    n_values = np.diff(classifier.value_offset).astype(np.int64)
    if data is None:
        tried = [np.ones(d) for d in n_values]
        if classifier.tried is not None:
            tried = [np.array(of, dtype=float) for of in classifier.tried]
        return np.concatenate([of / of.sum() for of in tried] or [np.zeros(0)])
    codes = classifier.codes(data)
    if not len(codes):
        raise InstanceError("data has no rows to take the frequencies of values from")
    counts = [np.bincount(_checked(classifier, codes, j), minlength=d) for j, d in enumerate(n_values.tolist())]
    return np.concatenate([*counts, np.zeros(0)]) / len(codes)


def _checked(classifier: Classifier, codes: Codes, j: int) -> npt.NDArray[np.int64]:
    column = np.asarray(codes[:, j], dtype=np.int64)
    bad = np.flatnonzero((column < 0) | (column >= len(classifier.values[j])))
    if len(bad):
        row = int(bad[0])
        classifier.checked(codes[row : row + 1])  # names the value
    return column


def shapley_values(
    classifier: Classifier, codes: Codes, shares: Shares, clock: Clock
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]:
    """By row of value codes and feature, what the feature adds to the probability of the row's class; and the class."""
    groups, prediction = classifier.decision.groups, classifier.decide(codes)
    by_group = shares
    if not groups.trivial:
        by_group = np.zeros(int(groups.core_offset[-1]))
        owner = np.repeat(groups.core_offset[:-1], np.diff(groups.value_offset)).astype(np.int64)
        np.add.at(by_group, owner + groups.table, shares)
    rows = np.ascontiguousarray(groups.core_codes(codes))
    values = np.zeros(rows.shape)
    for k in np.unique(prediction).tolist():
        of_class = np.flatnonzero(prediction == k)
        asked, sink = (1, k) if classifier.n_classes == 2 else (k, 1)
        engine = _core.Shapley(classifier.class_diagram(asked, clock).core, groups.core_offset, by_group)
        sinks = np.full(len(of_class), sink, dtype=np.uint8)
        values[of_class] = engine.values(np.ascontiguousarray(rows[of_class]), sinks, clock.left)
    return values, prediction


def fewest_kept(
    classifier: Classifier,
    x: npt.NDArray[np.uint32],
    baseline: npt.NDArray[np.uint32],
    max_results: int | None,
    clock: Clock,
    max_memory: int,
) -> tuple[Answer, int]:
    """All smallest sets, as far as time allows, and how many there are. Rows are value codes of shape (1, n).

    `LimitError` if time is up before their size is known.
    """
    if classifier.decision.numbers is not None:
        raise OptionError(
            "MC-explanations need features with few values; bin the columns of numbers (KBinsDiscretizer)"
        )
    wanted, before = (int(classifier.decide(row)[0]) for row in (x, baseline))
    if wanted == before:
        return Answer(ChangeSets.of([()]), "complete"), 1
    groups = classifier.decision.groups
    mask = np.zeros(int(classifier.value_offset[-1]), dtype=np.uint8)
    mask[classifier.value_offset[:-1] + x[0]] = 1
    query = Query(
        x=np.ascontiguousarray(groups.core_codes(baseline)[0]),
        goal=goal_of(before, wanted, classifier.n_classes),
        mask=groups.core_mask(mask),
        units=None,
        max_changes=None,
    )
    search = plan(replace(Question.checked(classifier), target=wanted)).search()
    smallest = search.best(query, 1, clock)
    if smallest.status == "time":
        raise LimitError("time limit reached while looking for the smallest set; raise time_limit")
    if not smallest.sets:
        raise InternalError("the values of the instance do not lead to its decision")
    query = replace(query, max_changes=len(smallest.sets[0]))
    return search.run(query, None, max_results, clock, max_memory), search.count(query, clock)


def point_values(classifier: Classifier, codes: Codes, data: Any, reference: str) -> npt.NDArray[np.float64]:
    """By row of value codes and feature, the points of the score that the feature adds in favour of the row's decision,
    compared with the average of the data, or with their value that is best for another decision.

    A score that is a sum over features has its Shapley values in these points: every order of the features adds the
    same. `OptionError` for other models.
    """
    decision = classifier.decision
    if not (decision.is_additive or decision.numbers is not None) or classifier.n_classes != 2:
        raise OptionError(
            "method='points' needs a score of two classes that is a sum over features; use method='reasons'"
        )
    known = classifier.codes(data)
    if not len(known):
        raise InstanceError("data has no rows to compare the points with")
    sign = np.where(classifier.decide(codes) == 1, 1.0, -1.0)
    base, values = known[0], np.zeros(codes.shape)
    for j in range(codes.shape[1]):
        both, place = np.unique(np.concatenate([known[:, j], codes[:, j]]), return_inverse=True)
        rows = np.tile(base, (len(both), 1))
        rows[:, j] = both
        score = classifier.model.decision_values(rows)
        if score is None or not np.isfinite(score).all():
            raise OptionError("method='points' needs a finite score; use method='reasons' for this model")
        seen, own = score[place[: len(known)]], score[place[len(known) :]]
        if reference == "average":
            values[:, j] = sign * (own - seen.mean())
        else:
            values[:, j] = sign * own - np.where(sign > 0, seen.min(), -seen.max())
    return values
