"""Answers to a case: change sets with their values, and sufficient reasons, from a search, in the user's terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, islice
from typing import Any

import numpy as np

from symcf import _core
from symcf.answers.explanation import Explanation
from symcf.answers.facts import Change, Counterfactual, Given, Good, Numbers, Source
from symcf.answers.reason_facts import Accepted, Detail, ReasonFacts, Witness
from symcf.answers.reasons import Reasons
from symcf.common.clock import NO_LIMIT, Clock, tick
from symcf.common.lazy import Later, cached_property
from symcf.common.memory import watched
from symcf.data.numbers import MISSING, NumberLine
from symcf.data.regions import ANYWHERE, Region
from symcf.errors import InternalError, LimitError
from symcf.proof.certificates.certificate import Certificate, certificate_of, certificate_of_reasons
from symcf.question.case import Case, coded_case
from symcf.question.constraints import Constraint, minimal_relaxation
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.general import Widening
from symcf.search.moves import Moved
from symcf.search.plan import Answered, Plan, plan
from symcf.search.protocol import AUTO, Answer, Search, first_of
from symcf.search.reasons import feature_counts, necessary_features, reason_query, relevant_features
from symcf.values.likeliest import Likeliest, drawn_rows
from symcf.values.lines import LikeliestNumbers
from symcf.values.of_case import NearestSettled, assignments_of
from symcf.values.protocol import Values
from symcf.values.ranking import MOST_BYTES, TIME_IS_UP, Ranking, check_time

__all__ = ["SELECT", "STATUS", "Explainer"]

STATUS = {"complete": "complete", "more": "max_results", "time": "time_limit"}

#: Counterfactuals that `stream` holds at a time.
STREAM_STEP = 256

#: Plausible rows that are looked at before an engine searches for one.
DRAWN = 2000

#: Which new values a change set comes with.
SELECT = ("nearest", "surest", "likeliest", "all")

#: Those of them that belong to sets of features.
OF_SETS = ("likeliest", "all")


class Explainer(Source, Witness):
    """Answers one case. Without a plan, one is made when it is needed."""

    def __init__(self, case: Case, planned: Plan | None = None, select: str = "nearest") -> None:
        self.case = case
        self._planned = planned
        #: Which values counterfactuals get: one of `SELECT`.
        self.select = select

    def __getstate__(self) -> dict[str, Any]:
        # what it keeps for the next counterfactual is made again
        return {"case": self.case, "select": self.select, "_planned": None}

    @cached_property
    def plan(self) -> Plan:
        """How the question is answered."""
        return plan(self.case.question) if self._planned is None else self._planned.of(self.case)

    def unnamed(self) -> Explainer:
        """The same, by the searches that are fastest as a rule."""
        return self if self.plan.options == AUTO else Explainer(self.case, None, self.select)

    def explain(self, k: int | None, max_results: int | None, clock: Clock, max_memory: int) -> Explanation:
        """The whole answer, in order, as far as time allows."""
        return self.presented(
            self.plan.answer(self.case, k, max_results, clock, max_memory, lambda: self.ranking), k, clock
        )

    def as_wanted(self, k: int | None) -> Explanation:
        """The answer for a row that has the target class already."""
        return self.explanation(ChangeSets.of([]), "complete", self.plan.kind.name, k, at_target=True)

    def presented(self, answered: Answered, k: int | None, clock: Clock) -> Explanation:
        """What a search has answered."""
        answer = answered.answer
        return self.explanation(
            answer.sets,
            STATUS[answer.status],
            answered.search.name,
            k,
            clock=answered.clock,
            complete_up_to=answer.complete_up_to,
            bound=answer.least if answer.bound is None else self._least(answer.bound),
        )

    @cached_property
    def ranking(self) -> Ranking:
        """The order of the exact costs."""
        return Ranking(self.case, self.plan)

    def _least(self, change_set: ChangeSet) -> float:
        """The least that a set could cost, whether it flips the decision or not."""
        case = self.case
        if case.costs.per_value is None or case.numbers is not None:
            return case.costs.total(change_set)
        sizes = [len(labels) for labels in case.question.classifier.values]
        start = [0, *accumulate(sizes)]
        total = Fraction(0)
        for j in change_set:
            others = [v for v in range(sizes[j]) if v != case.x[j] and (case.mask is None or case.mask[start[j] + v])]
            total += min((case.costs.number_of(j, case.x[j], v) for v in others), default=Fraction(0))
        return float(total)

    def explanation(
        self,
        sets: ChangeSets,
        status: str,
        engine: str,
        k: int | None,
        at_target: bool = False,
        clock: Clock = NO_LIMIT,
        complete_up_to: int | None = None,
        bound: float | None = None,
    ) -> Explanation:
        """Change sets as an explanation. A row that is already `at_target` needs none."""
        blocking: tuple[Constraint, ...] = ()
        if not sets and status == "complete" and not at_target:
            try:
                blocking = self._blocking(clock)
            except LimitError as error:
                if not clock.ended(error):
                    raise
                status = "time_limit"  # there was no time to find the reason
        if status == "complete" and (k is None or len(sets) < k):
            most = self.case.query.max_changes
            complete_up_to = len(self.case.x) if most is None else min(most, len(self.case.x))
        return Explanation(
            **self._found(sets, status, engine, k, bound),
            target=self.case.prediction if at_target else self.case.target,
            ordered=self.case.question.classifier.ordered,
            blocking=blocking,
            select=self.select,
            column_groups=self.case.question.classifier.encoder.groups,
            source=self,
            minimality=self.case.question.minimality,
            complete_up_to=complete_up_to,
        )

    def _found(self, sets: ChangeSets, status: str, engine: str, k: int | None, bound: float | None) -> dict[str, Any]:
        """What explanations and reasons have in common."""
        classifier = self.case.question.classifier
        return {
            "instance": np.array(self.case.x, dtype=np.int64),
            "prediction": self.case.prediction,
            "classes": classifier.classes,
            "features": classifier.features,
            "values": classifier.values,
            "goal": classifier.model.goal,
            "constraints": tuple(self.case.question.constraints.items),
            "costs": self.case.costs,
            "k": k,
            "sets": sets,
            "status": status,
            "engine": engine,
            "bound": bound,
        }

    def certificate(self, e: Explanation, clock: Clock, model: dict[str, Any] | None = None) -> Certificate:
        """The certificate of an explanation of this case; ``model`` is what `model_to_dict` gave, if that is known."""
        return certificate_of(
            self.case,
            self.unnamed().plan,
            e.sets,
            map(self.best_codes, e.sets),
            complete=e.limited_by is None,
            complete_up_to=e.complete_up_to,
            k=e.k,
            clock=clock,
            model=model,
        )

    def reason_counts(self, clock: Clock) -> list[int]:
        """By feature, how many of the reasons for the decision it is in if nothing is held fixed."""
        question = Question.checked(self.case.question.classifier)
        case = coded_case(question, np.array([self.case.x], dtype=np.int64))
        return feature_counts(plan(question), case, True, clock)[0]

    def given(self) -> Given:
        raw, x = self.case.raw, self.case.x
        probability = self._probability(x, self.case.prediction)
        return Given(raw.row, raw.columns, raw.types, probability, self._plausibility(x), self._reached(x))

    def cells(self) -> list[Any]:
        return [self.case.raw.old(j) for j in range(len(self.case.x))]

    def contradiction(self, e: Any) -> None:
        """See `Source`: nothing is said twice here."""

    def changes(self) -> Explanation:
        """All minimal counterfactuals of the same question."""
        asked = self.unnamed()
        return asked.as_wanted(None) if self.case.at_target else asked.explain(None, None, NO_LIMIT, MOST_BYTES)

    def stream(self, max_results: int | None, clock: Clock) -> Iterator[Counterfactual]:
        """Counterfactuals as they are found. Options that do not fit raise now, not at the first of them."""
        return self._streamed(self.plan.search_for(self.case), max_results, clock)

    def _streamed(self, search: Search, max_results: int | None, clock: Clock) -> Iterator[Counterfactual]:
        for answer in search.steps(self.case.query, max_results, clock, step=STREAM_STEP):
            for change_set in answer.sets:
                yield self.counterfactual(change_set)
                check_time(clock)
            if answer.status == "time":
                raise LimitError(TIME_IS_UP)

    def _blocking(self, clock: Clock) -> tuple[Constraint, ...]:
        """Which constraints stand in the way of every counterfactual; `LimitError` when time is up."""

        def solvable(left_out: Sequence[Constraint]) -> bool:
            case = self.case.relaxed(left_out)
            if case.query.max_changes is None and self._is_drawn(case):
                return True
            found = plan(case.question).default_for(case).exists(case.query, clock)
            check_time(clock)
            return found

        items = self.case.question.constraints.items
        return minimal_relaxation([item for item in items if item.removable], solvable)

    def _is_drawn(self, case: Case) -> bool:
        """Where rows have to be plausible: is one of a few plausible rows as wanted? False means nothing."""
        relations, classifier, mask = case.question.relations, case.question.classifier, case.mask
        if relations is None or relations.likely is None or case.numbers is not None:
            return False
        offset = classifier.value_offset.tolist()
        allowed = [
            [v for v in range(len(labels)) if v == case.x[j] or mask is None or mask[offset[j] + v]]
            for j, labels in enumerate(classifier.values)
        ]
        rows = drawn_rows(relations.likely.plausibility, allowed, DRAWN)
        decided = classifier.decide(rows)
        wanted = decided != case.prediction if case.target is None else decided == case.target
        return bool((wanted & relations.holds(rows)).any())

    # --- reasons

    def why(self, k: int | None, max_results: int | None, clock: Clock, max_memory: int) -> Reasons:
        """The reasons, in order, as far as time allows. A row that has the target class already has none."""
        if self.case.at_target:
            return self.reasons(ChangeSets.of([]), "complete", self.plan.kind.name, k)
        search = self.plan.reasons_for(self.case)
        answer = self.find_reasons(search, k, max_results, search.patient(self.case, clock), max_memory)
        bound = None if answer.bound is None else self.case.costs.total(answer.bound)
        return self.reasons(answer.sets, STATUS[answer.status], search.name, k, bound)

    def find_reasons(
        self, search: Search, k: int | None, max_results: int | None, clock: Clock, max_memory: int
    ) -> Answer:
        """The same as sets of features."""
        query = reason_query(self.case)
        if self.case.costs.fit:
            return search.run(query, k, max_results, clock, max_memory)
        # searches know such costs only rounded: the order is made of what they find
        whole = search.run(query, None, None if k else max_results, clock, max_memory, self._exact_costs)
        return whole if k is None else first_of(whole, k, max_results)

    def _exact_costs(self, sets: _core.Sets, clock: Clock) -> list[int]:
        units = [self.case.costs.unit_of(j, old, -1) for j, old in enumerate(self.case.x)]
        return [sum(units[j] for j in reason) for reason in sets.to_list()]

    def why_all(self) -> Reasons:
        """All reasons, by the search that is fastest as a rule."""
        return self.unnamed().why(None, None, NO_LIMIT, MOST_BYTES)

    def reasons(self, sets: ChangeSets, status: str, engine: str, k: int | None, bound: float | None = None) -> Reasons:
        """Sets of features as reasons."""
        question = self.case.question
        return Reasons(
            **self._found(sets, status, engine, k, bound),
            target=question.target if question.classifier.n_classes > 2 else None,
            probability=self._probability(self.case.x, self.case.prediction),
            reached=self._reached(self.case.x),
            witness=self,
        )

    def certificate_of_reasons(self, r: ReasonFacts, clock: Clock, model: dict[str, Any] | None = None) -> Certificate:
        plan, answer = self.unnamed().plan, (r.sets, self.best_codes)
        return certificate_of_reasons(self.case, plan, *answer, complete=r.complete, k=r.k, clock=clock, model=model)

    def details(self, sets: Iterable[ChangeSet], clock: Clock) -> list[Detail]:
        widening, found = Widening(self.case, self.unnamed().plan, clock), []
        for reason in sets:
            among, maximal = widening.of(reason)
            found.append(Detail({j: self.accepted(j, codes) for j, codes in among.items()}, maximal))
        return found

    def accepted(self, j: int, codes: Sequence[int]) -> Accepted:
        """The own value of a feature and those of some codes, in the user's terms."""
        question, own = self.case.question, self.case.x[j]
        labels, regions = question.classifier.values[j], question.classifier.encoder.readers[j].regions
        if isinstance(labels, NumberLine) and own != MISSING:
            every = [own, *codes]
            region = Region(labels[min(every)], labels[max(every)])
            step = question.resolutions.get(j, labels.resolution)
            return Accepted(region, region.around(labels[own], step, (labels.low, labels.high)))
        if regions is None or not any(v in regions for v in (own, *codes)):
            values = tuple(labels[v] for v in (own, *sorted(set(codes))))
            return Accepted(values, values)
        limits = question.constraints.limits.get(j, ANYWHERE)
        inside = [regions[v] if v == own else regions[v].within(limits) for v in (own, *codes) if v in regions]
        holes = tuple(sorted({hole for region in inside for hole in region.holes}))
        region = Region(min(r.first for r in inside), max(r.last for r in inside), holes)
        said = region.short(question.classifier.encoder.scales[j].whole)
        return Accepted(region, said, tuple(labels[v] for v in sorted({own, *codes}) if v not in regions))

    # --- what lists of reasons that are cut short do not say; see `Witness`

    def necessary(self) -> tuple[int, ...]:
        """The features in every reason."""
        return necessary_features(self.plan, self.case, NO_LIMIT)

    def relevant(self) -> tuple[int, ...]:
        """The features in some reason."""
        return relevant_features(self.plan, self.case, NO_LIMIT)

    def counts(self, clock: Clock = NO_LIMIT, *, reasons: bool = True) -> tuple[list[int], int]:
        """By feature, how many reasons (or change sets) it is in, and how many there are. Without listing them."""
        return feature_counts(self.plan, self.case, reasons, clock)

    # --- counterfactuals

    def counterfactuals_of(self, sets: ChangeSets, clock: Clock) -> list[Counterfactual]:
        """One for each set; `LimitError` when time is up."""
        found = []
        for change_set in watched(sets):
            check_time(clock)
            found.append(self.counterfactual(change_set))
        return found

    def built(self, change_set: ChangeSet) -> Iterable[Counterfactual]:
        return self.counterfactuals(change_set) if self.select == "all" else [self.counterfactual(change_set)]

    def counterfactual(self, change_set: ChangeSet) -> Counterfactual:
        """A change set with the best values that flip the decision, in the user's terms."""
        tick()
        return self._described(change_set, self.best_codes(change_set))

    def best_codes(self, change_set: ChangeSet) -> Sequence[int]:
        """The cheapest values that flip the decision, as value codes; of these the nearest, the surest or the
        likeliest, as asked.
        """
        if isinstance(change_set, Moved):  # it has its own
            return change_set.codes
        if self.select == "likeliest":
            found = self._likely.best(change_set)
            if found is None:
                raise InternalError(f"changing {change_set} does not change the decision")
            return found.codes
        if self.case.orders and self.select != "surest":
            return self._settled.best(change_set)
        codes = self.assignments.surest(change_set) if self.select == "surest" else self._by_move.best(change_set)
        if codes is None:
            raise InternalError(f"changing {change_set} does not change the decision")
        return codes

    def likeliest(self, sets: Iterable[ChangeSet], k: int) -> list[Counterfactual]:
        """The k likeliest, one for each set, the likeliest first."""
        self.case.question.check_select("likeliest")
        ranked = islice(self._likely.ranked(sets), k)
        return [self._described(change_set, found.codes) for change_set, found in ranked]

    @cached_property
    def _likely(self) -> Likeliest | LikeliestNumbers:
        if self.case.numbers is not None:
            return LikeliestNumbers(self.case.numbers)
        plausibility = self.case.question.classifier.plausibility
        assert plausibility is not None
        return Likeliest(plausibility, self.case.x, self._by_move)

    @cached_property
    def _settled(self) -> NearestSettled:
        return NearestSettled(self.case, self._by_move)

    def _reached(self, row: Sequence[int]) -> float | None:
        """What a row has of the number that is the target; None where that is a class."""
        numbers = self.case.question.classifier.model.reached(np.array([row], dtype=np.int64))
        return None if numbers is None else float(numbers[0])

    def _probability(self, row: Sequence[int], class_code: int) -> float | None:
        classifier = self.case.question.classifier
        if not classifier.has_probabilities:
            return None
        probabilities = classifier.probabilities(np.array([row], dtype=np.int64))
        assert probabilities is not None
        return float(probabilities[0, class_code])

    def _plausibility(self, row: Sequence[int]) -> float | None:
        """The share of the data that is at most as likely."""
        plausibility = self.case.question.classifier.plausibility
        return None if plausibility is None else float(plausibility.percentiles([row])[0])

    def counterfactuals(self, change_set: ChangeSet) -> Iterator[Counterfactual]:
        """A change set with all values that flip the decision."""
        for codes in self.assignments.all(change_set):
            yield self._described(change_set, codes)

    def ways(self, sets: Iterable[ChangeSet]) -> Iterator[dict[int, int]]:
        """The counterfactuals of these sets, as new codes by feature."""
        for change_set in sets:
            every = self.assignments.all(change_set) if self.select == "all" else [self.best_codes(change_set)]
            for codes in every:
                yield dict(zip(change_set, codes, strict=True))

    def _described(self, change_set: ChangeSet, codes: Sequence[int]) -> Counterfactual:
        classifier, x = self.case.question.classifier, self.case.x
        new = dict(zip(change_set, codes, strict=True))
        raw = self.case.raw_with(new)
        good = Later(lambda: self._good(change_set, codes))
        row = x.copy()
        for j, code in new.items():
            row[j] = code
        target = self.case.target if self.case.target is not None else int(classifier.decide(np.array([row]))[0])
        return Counterfactual(
            changes=tuple(
                Change(j, classifier.features[j], raw.old(j), raw.new(j, v), Later(partial(_part, good, i)))
                for i, (j, v) in enumerate(new.items())
            ),
            cost=self.case.costs.total_of(x, new),
            instance=np.array(row, dtype=np.int64),
            target=target,
            probability=self._probability(row, target),
            plausibility=self._plausibility(row),
            reached=self._reached(row),
            _row=Later(lambda: raw.changed(new)),
            _numbers=Later(lambda: self._numbers(row)),
        )

    def _numbers(self, row: Sequence[int]) -> Numbers:
        """What the model says about a row."""
        (prediction,), scores = self.case.question.classifier.said(np.array([row], dtype=np.int64))
        return Numbers(None if scores is None else float(scores[0]), prediction)

    def _good(self, change_set: ChangeSet, codes: Sequence[int]) -> list[Good]:
        """By feature of the set, the values that are as good as these."""
        raw = self.case.raw_with(dict(zip(change_set, codes, strict=True)))
        return [Good(*pair) for pair in self.assignments.ranges(change_set, codes, raw)]

    @property
    def assignments(self) -> Values:
        """Which values flip the decision, by their cost."""
        return self.ranking.assignments

    @cached_property
    def _by_move(self) -> Values:
        """The same, by their cost and then by how far they are."""
        return assignments_of(self.case, self.plan, shortest=True)


def _part(good: Later[list[Good]], i: int) -> Good:
    return good.value[i]
