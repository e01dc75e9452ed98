"""Minimum-cardinality explanations (Shih, Choi, Darwiche, "A symbolic approach to explaining Bayesian network
classifiers", IJCAI 2018): the fewest features that have to be as they are if all others are at a baseline.

In their words, of a positive instance the fewest positive features that keep the decision when all others are negative,
and the other way round. Seen from the baseline these are changes, to the values of the instance and to no others, that
reach its decision: the smallest change sets, which the searches for change sets find.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock
from symcf.errors import InternalError, LimitError, OptionError
from symcf.question.case import Query
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSets
from symcf.search.plan import plan
from symcf.search.protocol import Answer
from symcf.system.classifier import Classifier
from symcf.system.decision import goal_of

__all__ = ["fewest_kept"]


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
