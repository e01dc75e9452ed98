"""Branch and bound over the leaves of trees that vote: change sets without a diagram.

Sets come by rising size. Those of up to three changes take milliseconds even for hundreds of trees; all of them may
take long, so that a call without limits ends after `PATIENCE` seconds and says how far it got (``complete_up_to``).

Change sets towards any of several classes, where each has a search of its own.

A set that is minimal for one rival may contain a smaller one of another, so the lists are joined and sets with a part
that is listed, too, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.errors import LimitError, OptionError
from symcf.models.rules import Offsets
from symcf.question.case import Query
from symcf.question.question import Question
from symcf.question.relations import Relations
from symcf.search.box_moves import BoxMoves
from symcf.search.change_sets import ChangeSet, ChangeSets, features_of
from symcf.search.protocol import PATIENCE, STEP, Answer, Options, Search, StepForm, drain
from symcf.search.smallest import SmallestReason
from symcf.system.classifier import Classifier
from symcf.system.guarded import guarded, leads_of
from symcf.system.targets import Goal

__all__ = ["BoxSearch", "RivalsSearch"]

#: The share of the time that the search for all reasons may take; the rest is for finding one.
MOST_OF_IT = 0.8

#: Change sets that are looked for first where time is limited, their size, and how many at a time.
SEEDS, SEED_CHANGES, SEED_STEP = 64, 3, 4

#: The trees for a goal, with those that forbid what relations do not allow, and what these trees have to be asked.
EnsembleOf = Callable[[Goal], tuple[_core.Ensemble, Goal]]


class BoxSearch(Search):
    """Change sets of trees that vote (src/core/ensemble*.c)."""

    name = "boxes"
    needs = ("trees", "is_additive")
    patience = PATIENCE
    avoids_diagram = True
    finds_reasons = True
    batches = True

    def __init__(
        self, ensemble_of: EnsembleOf, core_offset: Offsets, max_memory: int, question: Question | None = None
    ) -> None:
        self._ensemble_of = ensemble_of
        self._question = question
        self._core_offset = core_offset
        self._max_memory = max_memory
        #: By goal, a row that `exists` has found: it may do for other rows, too.
        self._seen: dict[Goal, npt.NDArray[np.uint32]] = {}

    @classmethod
    def supports(cls, question: Question) -> str | None:
        """See `Search`. Where rows have to be plausible, sums of weights are trees, too."""
        decision = question.classifier.decision
        if decision.trees is not None or (_is_likely(question) and decision.adds_up):
            return None
        return "engine 'boxes' needs decision trees that vote; use engine='auto'"

    @classmethod
    def is_preferred(cls, question: Question) -> bool:
        """See `Search`. A diagram answers every other row at once, if it is small."""
        return _is_likely(question) or question.classifier.decision.is_large

    @classmethod
    def make(cls, question: Question, options: Options) -> Search:
        classifier = question.classifier
        offset, memory = classifier.decision.groups.core_offset, classifier.limits.max_memory
        if _is_likely(question) and question.any_other and classifier.n_classes > 2:
            return RivalsSearch(lambda goal: [cls(of, offset, memory) for of in _ensembles_of(question, goal)])
        return cls(lambda goal: _ensembles_of(question, goal)[0](goal), offset, memory, question)

    def ensembles(self, goal: Goal) -> list[tuple[_core.Ensemble, Goal]]:
        return [self._ensemble_of(goal)]

    def over_steps(self, form: StepForm) -> Search:
        return BoxMoves(form.case, form.steps, self)

    def for_batch(self, question: Question, clock: Clock) -> Any:
        """See `Search`. Within relations, sums decide which class a row has."""
        decision = question.classifier.decision
        if decision.trees is None:
            return decision.threshold or decision.beats
        return decision.trees.ensemble

    def reached(self, goal: Goal, clock: Clock) -> tuple[_core.Ensemble, Goal]:
        return self._ensemble_of(goal)

    def likely(self, k: int | None) -> _core.Likely | None:
        """See `Search`: the tables of the plausibility, for one sum of weights without other relations."""
        question = self._question
        if question is None or question.relations is None or question.relations.likely is None:
            return None
        likely, groups = question.relations.likely, question.classifier.decision.groups
        threshold = question.classifier.decision.threshold
        if len(question.relations.items) > 1 or threshold is None or groups.with_second != groups.group_of:
            return None
        if question.minimality == "moves" or (k is not None and question.costs.units is not None):
            return None
        found: _core.Likely | None = question.classifier.kept.get(
            ("likely", likely), lambda: likely.for_core(groups.core_offset, groups.group_of, threshold.weight)
        )
        return found

    def search(self, query: Query) -> _core.TreeSearch:
        """A cursor over the change sets."""
        ensemble, goal = self._ensemble_of(query.goal)
        return _core.TreeSearch(ensemble, query.core(), *goal, self._max_memory)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        if query.reasons and limit == 1:
            yield self._one_reason(query, clock)
            return
        search = self.search(query)
        if query.reasons:
            listed, status = self._reasons(query, search, clock)
            cut = limit is not None and len(listed) > limit
            yield Answer(ChangeSets.of(listed[:limit]), "more" if cut else status)
            return
        for answer in drain(search.next, limit, clock, step):
            known = search.complete_up_to
            yield Answer(answer.sets, answer.status, None if answer.status == "complete" else known)

    def seeds(self, query: Query, clock: Clock) -> Iterator[Answer]:
        """See `Search`: small ones, or one of any size if there are none."""
        most = SEED_CHANGES if query.max_changes is None else min(SEED_CHANGES, query.max_changes)
        shortly = clock.earlier(None if clock.seconds is None else clock.seconds / 4)
        found = False
        for answer in self.steps(replace(query, max_changes=most), SEEDS, shortly, SEED_STEP):
            if answer.sets:
                found = True
                yield answer
        if not found and most == SEED_CHANGES:
            one = self._one_set(query, clock)
            if one is not None and (query.max_changes is None or len(one) <= query.max_changes):
                yield Answer(ChangeSets.of([one]), "more")

    def _one_set(self, query: Query, clock: Clock) -> ChangeSet | None:
        """A minimal change set of any size: features of a row that flips stay as they are, one after another, as long
        as the others are enough.
        """
        feature = np.repeat(np.arange(len(self._core_offset) - 1), np.diff(self._core_offset))
        allowed = np.ones(len(feature), dtype=np.uint8) if query.mask is None else query.mask

        def changed(free: set[int]) -> set[int] | None:
            row = self.find_row(replace(query, mask=allowed & np.isin(feature, list(free)).astype(np.uint8)), clock)
            return None if row is None else set(np.flatnonzero(row != query.x).tolist())

        least = changed(set(feature.tolist()))
        for j in sorted(least or ()):
            if least is not None and j in least:
                least = changed(least - {j}) or least
        return None if least is None else tuple(sorted(least))

    def _reasons(self, query: Query, search: _core.TreeSearch, clock: Clock) -> tuple[list[ChangeSet], str]:
        """All reasons or, if these take most of the time, at least one."""
        sets, status = search.reasons(MOST_OF_IT * clock.left if clock.left > 0 else clock.left)
        return (sets.to_list(), status) if status != "time" else (list(self.smallest_reason(query, clock).sets), status)

    def smallest_reason(self, query: Query, clock: Clock) -> Answer:
        """The first reason by (cost, size, features); when time is up, the best that was found, and a bound."""
        search = self._reason_search(query, clock)
        proved = search.run(self._free_first(query))
        found = [] if search.best is None else [features_of(search.best)]
        bound = None if proved else features_of(search.bound)
        return Answer(ChangeSets.of(found), "complete" if proved else "time", bound=bound)

    def _one_reason(self, query: Query, clock: Clock) -> Answer:
        """Any reason, and whether it is the only one."""
        search = self._reason_search(query, clock)
        more = search.any(self._free_first(query))
        found = [] if search.best is None else [features_of(search.best)]
        return Answer(ChangeSets.of(found), "time" if more is None else "more" if more else "complete")

    def _reason_search(self, query: Query, clock: Clock) -> SmallestReason:
        sizes = np.diff(self._core_offset).astype(np.int64)
        feature = np.repeat(np.arange(len(sizes)), sizes)
        allowed = np.ones(len(feature), dtype=np.uint8) if query.mask is None else query.mask

        def flip(kept: int) -> int | None:
            free = np.array([not kept >> j & 1 for j in range(len(sizes))], dtype=np.uint8)[feature]
            row = self.find_row(replace(query, mask=allowed & free, reasons=False), clock)
            return None if row is None else sum(1 << int(j) for j in np.flatnonzero(row != query.x))

        return SmallestReason(len(sizes), None if query.units is None else query.units.tolist(), flip, clock)

    def _free_first(self, query: Query) -> list[int]:
        """The features in the order in which reasons try to do without them: what costs most, then what the trees cut
        least often.
        """
        sizes, units = np.diff(self._core_offset).tolist(), query.units
        return sorted(range(len(sizes)), key=lambda j: (0 if units is None else -int(units[j]), sizes[j]))

    def exists(self, query: Query, clock: Clock) -> bool:
        """Is there a change set? Without looking for a minimal one, where any number of changes will do."""
        if query.max_changes is not None:
            sets, _ = self.search(query).next(1, clock.left)
            return len(sets) > 0
        seen = self._seen.get(query.goal)
        if seen is not None and self._allows(query, seen):
            return True
        found = self.find_row(query, clock)
        if found is not None:
            self._seen[query.goal] = found
        return found is not None

    def one(self, query: Query, clock: Clock) -> Sequence[int] | None:
        """See `Search`: what a row that is found has changed."""
        if query.max_changes is not None:
            return super().one(query, clock)
        row = self.find_row(query, clock)
        return None if row is None else np.flatnonzero(row != query.x).tolist()

    def _allows(self, query: Query, row: npt.NDArray[np.uint32]) -> bool:
        """May the query's row become this one, by any number of changes?"""
        return query.mask is None or bool(np.all((row == query.x) | (query.mask[self._core_offset[:-1] + row] != 0)))

    def find_row(self, query: Query, clock: Clock) -> npt.NDArray[np.uint32] | None:
        """A row that the query allows, whatever the number of changes, and that is as wanted; None: there is none."""
        ensemble, goal = self._ensemble_of(query.goal)
        return _core.find_row(ensemble, query.core(), *goal, clock.left)

    def nearest_row(
        self, query: Query, cost: npt.NDArray[np.int64], rank: npt.NDArray[np.uint32], clock: Clock
    ) -> tuple[npt.NDArray[np.uint32] | None, int, int, str]:
        """The row that is as wanted and costs least, by core value; of equally cheap ones the first by rank, feature by
        feature. With what it costs, what no such row is below, and how the search ended.
        """
        ensemble, goal = self._ensemble_of(query.goal)
        found = _core.nearest_row(ensemble, query.core(), *goal, cost, rank, clock.left, self._max_memory)
        row, total, bound, status, *_ = found
        return row, total, bound, status

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        if query.reasons:
            reasons, status = _core.Sets(), "time"
            if k > 1:
                reasons, status = self.search(query).reasons(MOST_OF_IT * clock.left if clock.left > 0 else clock.left)
            if status == "time":
                smallest = self.smallest_reason(query, clock)
                return smallest if k == 1 else replace(smallest, status="time")
            reasons.sort(query.units)
            return Answer(ChangeSets.of(reasons.to_list()[:k]), status)
        return self.ranked(query)(k, clock)

    def ranked(self, query: Query) -> Callable[[int, Clock], Answer]:
        """See `Search`. A larger k goes on where a smaller one stopped."""
        search = self.search(query)

        def first(k: int, clock: Clock) -> Answer:
            sets, status = search.best(k, clock.left)
            return Answer(ChangeSets.of(sets), status, search.complete_up_to)

        return first


# --- the trees of a question ------------------------------------------------------------------------------------------


def _is_likely(question: Question) -> bool:
    """Do rows have to be plausible?"""
    return question.relations is not None and question.relations.likely is not None


def _ensembles_of(question: Question, goal: Goal) -> list[EnsembleOf]:
    """The trees of a goal, within relations; several where any of several goals will do."""
    classifier, relations = question.classifier, question.relations
    decision = classifier.decision
    if relations is None:
        assert decision.trees is not None
        trees = decision.trees.ensemble
        return [lambda goal: (trees, goal)]
    if relations.likely is None:
        return [lambda goal: (_within(classifier, relations, goal), goal)]
    every = leads_of(goal, classifier.n_classes)
    return [lambda goal, leads=leads: (_guarded(classifier, relations, leads), (0, 1)) for leads in every]  # type: ignore[misc]


def _within(classifier: Classifier, relations: Relations, goal: Goal) -> _core.Ensemble:
    decision = classifier.decision.trees
    assert decision is not None
    n_values, group_of = np.diff(decision.groups.core_offset).tolist(), decision.groups.with_second

    def make() -> _core.Ensemble:
        parts = relations.diagrams(range(len(n_values)), n_values, group_of)
        try:
            return decision.ensemble_within(goal, parts)
        except OverflowError:  # each condition takes room in the scores; one that is all of them takes least
            limits = classifier.limits
            left = NO_LIMIT.left  # that of the call
            bdd = _core.Bdd.conjoin(parts, [False] * len(parts), left, limits.max_nodes, limits.max_memory or 0)
            return _with_room(lambda: decision.ensemble_within(goal, [bdd.freeze(NO_LIMIT.left)]))

    ensemble: _core.Ensemble = classifier.kept.get(("trees", goal, relations), make)
    return ensemble


def _guarded(classifier: Classifier, relations: Relations, leads: list[tuple[int, int]]) -> _core.Ensemble:
    decision, likely = classifier.decision, relations.likely
    assert likely is not None
    n_values, group_of = np.diff(decision.groups.core_offset).tolist(), decision.groups.with_second

    def make() -> _core.Ensemble:
        others = relations.keeping([item for item in relations.items if item is not likely])
        parts = () if others is None else others.diagrams(range(len(n_values)), n_values, group_of)
        return _with_room(lambda: guarded(decision, leads, parts, likely.terms(group_of), likely.least))

    ensemble: _core.Ensemble = classifier.kept.get(("guarded", tuple(leads), relations), make)
    return ensemble


def _with_room(make: Callable[[], _core.Ensemble]) -> _core.Ensemble:
    try:
        return make()
    except OverflowError:
        raise OptionError(
            "constraints: the scores of this model leave no room to forbid rows exactly; use engine='diagram'"
        ) from None


class RivalsSearch(Search):
    """One search over trees for each rival. `BoxSearch.make` makes it."""

    name = "boxes"
    patience = PATIENCE
    avoids_diagram = True

    def __init__(self, parts_of: Callable[[Goal], Sequence[Search]]) -> None:
        self._parts_of = parts_of

    def ensembles(self, goal: Goal) -> list[tuple[_core.Ensemble, Goal]]:
        return [one for part in self._parts_of(goal) for one in part.ensembles(goal)]

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Search`. All sets at once; when time is up, those that no shorter one can be missing for."""
        _check_changes(query)
        found: list[ChangeSet] = []
        status, known = "complete", len(query.x)
        for part in self._parts_of(query.goal):
            for answer in part.steps(query, None, clock):
                found += answer.sets
            if answer.status != "complete":
                status, known = answer.status, min(known, answer.complete_up_to or 0)
        sets = [s for s in _minimal(found) if status == "complete" or len(s) <= known + 1]
        cut = limit is not None and len(sets) > limit
        up_to = None if status == "complete" else known
        yield Answer(ChangeSets.of(sets[:limit]), "more" if cut else status, up_to)

    def exists(self, query: Query, clock: Clock) -> bool:
        return any(part.exists(query, clock) for part in self._parts_of(query.goal))

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Search`. A part of a set costs less, so what comes before the last of each list is known."""
        _check_changes(query)
        weights = query.weights()

        def order(s: ChangeSet) -> tuple[int, int, ChangeSet]:
            return sum(weights[j] for j in s), len(s), s

        wanted = k
        while True:
            answers = [part.best(query, wanted, clock) for part in self._parts_of(query.goal)]
            lists = [list(answer.sets) for answer in answers]
            known = min((order(sets[-1]) for sets in lists if len(sets) == wanted), default=None)
            best = sorted(_minimal(s for sets in lists for s in sets), key=order)
            late = any(answer.status == "time" for answer in answers)
            sure = [s for s in best if known is None or order(s) <= known]
            if late or known is None or len(sure) >= k:
                return Answer(ChangeSets.of([] if late else sure[:k]), "time" if late else "complete", None)
            wanted *= 2

    def count(self, query: Query, clock: Clock) -> int:
        """See `Search`. Lists the sets."""
        (answer,) = self.steps(query, None, clock)
        if answer.status != "complete":
            raise LimitError("time limit reached while counting; raise time_limit, or set max_changes")
        return len(answer.sets)


def _check_changes(query: Query) -> None:
    """A reason must force the decision against all rivals at once, which one search for each does not see."""
    if query.reasons:
        raise OptionError(
            "min_plausibility: reasons against several classes at once are not supported; name one with target="
        )


def _minimal(sets: Iterable[ChangeSet]) -> list[ChangeSet]:
    """Without sets that contain another one; by size and features."""
    kept: list[ChangeSet] = []
    members: list[frozenset[int]] = []
    for s in sorted(set(sets), key=lambda s: (len(s), s)):
        inside = frozenset(s)
        if not any(other <= inside for other in members):
            kept.append(s)
            members.append(inside)
    return kept
