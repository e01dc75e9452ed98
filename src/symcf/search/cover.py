"""Minimal covers: change sets where sums of weights decide. No diagram, any number of features."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import LimitError
from symcf.question.case import Case, Query
from symcf.question.question import Question
from symcf.question.relations import MAX_RELATED
from symcf.question.steps import Steps
from symcf.search.change_sets import ChangeSets
from symcf.search.diagram import DiagramSearch
from symcf.search.protocol import LISTED, STEP, Answer, Options, Search, StepForm, drain
from symcf.system.targets import Goal

__all__ = ["CoverSearch", "MulticlassCover", "RelatedCover", "ThresholdCover", "WithinCover", "table_of"]


#: Features up to which one table of relations goes through all parts of them, for each row of a batch as well.
FEW_RELATED = 5


def tables_of(question: Question) -> list[_core.Relation] | None:
    """The relations as tables that share no feature, where these are enough to find change sets without a diagram."""
    decision, relations = question.classifier.decision, question.relations
    if relations is None or not decision.is_additive or question.minimality == "moves":
        return None
    if relations.by_row:  # which have tables for each row
        return None
    tables: list[_core.Relation] | None = question.classifier.kept.get(
        ("tables", relations), lambda: relations.tables(decision.groups.members)
    )
    return tables


def table_of(question: Question) -> _core.Relation | None:
    """The relations as one table of a few features, between two classes; None if they are more."""
    tables = tables_of(question)
    if tables is None or question.classifier.decision.threshold is None or len(tables) != 1:
        return None
    return tables[0] if tables[0].n_features <= FEW_RELATED else None


class CoverSearch(Search):
    """Change sets of sums of weights: of one, of one per other class, or of one within a table of relations."""

    name = "cover"
    needs = ("is_additive", "numbers")
    by_sums = True
    lists = True
    finds_reasons = True
    batches = True
    batches_reasons = True
    batches_moves = True

    @classmethod
    def supports(cls, question: Question) -> str | None:
        decision = question.classifier.decision
        if question.whole:
            return "engine 'cover' does not keep columns with curved terms whole; use engine='boxes' or 'auto'"
        if question.relations is not None:
            if question.any_other and tables_of(question) is not None:
                return None
            return (
                f"engine 'cover' takes constraints where sums of weights decide, any other class is wanted, and up to "
                f"{MAX_RELATED} features are related with each other; use engine='diagram' or 'auto'"
            )
        if decision.numbers is not None and question.any_other:
            return None
        if not decision.is_additive and decision.numbers is None:
            return "engine 'cover' needs a model that adds up weights; use engine='diagram' or 'auto'"
        if not question.any_other:
            return "engine 'cover' takes no target with several classes; use engine='diagram' or 'auto'"
        return None

    @classmethod
    def supports_reasons(cls, question: Question) -> str | None:
        """See `Search`. Against several classes at once, a reason is a conjunction of covers."""
        decision = question.classifier.decision
        one_sum = decision.threshold is not None or (decision.numbers is not None and decision.n_classes == 2)
        if one_sum and question.relations is None and question.any_other and not question.whole:
            return None
        return (
            "engine 'cover' finds reasons where one sum of weights decides between two classes, without constraints; "
            "use engine='diagram' or 'auto'"
        )

    @classmethod
    def make(cls, question: Question, options: Options) -> Search:
        limits, decision = question.classifier.limits, question.classifier.decision
        tables = tables_of(question)
        if tables is not None:
            table = table_of(question)
            if table is None or decision.threshold is None:
                return RelatedCover(tables, question)
            return WithinCover(decision.threshold, table, question)
        if decision.threshold is None:
            assert decision.beats is not None
            return MulticlassCover(decision.beats)
        return ThresholdCover(decision.threshold, limits.max_nodes, limits.max_memory)

    @classmethod
    def for_case(cls, case: Case, options: Options) -> Search:
        """See `Search`. Where columns hold numbers, each row has sums of its own."""
        functions, limits = case.thresholds(), case.question.classifier.limits
        if functions is None:
            return super().for_case(case, options)
        if len(functions) == 1:
            return ThresholdCover(functions[0], limits.max_nodes, limits.max_memory)
        return MulticlassCover([functions])

    @abstractmethod
    def _open(self, query: Query, clock: Clock) -> Any:
        """The core's list of covers."""

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        yield from drain(self._open(query, clock).next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        sets, status = self._open(query, clock).best(k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def over_steps(self, form: StepForm) -> Search | None:
        return CoverMoves(form.case, form.steps)

    def for_batch(self, question: Question, clock: Clock) -> Any:
        return question.classifier.decision.threshold or question.classifier.decision.beats


class ThresholdCover(CoverSearch):
    """Minimal covers of one threshold function (src/core/cover.c)."""

    def __init__(self, threshold: _core.Threshold, max_nodes: int, max_memory: int) -> None:
        self._threshold = threshold
        self._budget = (max_nodes, max_memory)

    def _open(self, query: Query, clock: Clock) -> _core.Cover:
        return _core.Cover(self._threshold, query.core())

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        sets, status = _core.Cover.best(self._threshold, query.core(), k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def count(self, query: Query, clock: Clock) -> int:
        return _core.Cover.count(self._threshold, query.core(), clock.left, *self._budget)

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets:
        """See `Search`. Without listing them."""
        bits = random.bit_generator
        return ChangeSets.of(_core.Cover.sample(self._threshold, query.core(), size, bits, clock.left, *self._budget))

    def count_bounds(self, query: Query, clock: Clock) -> tuple[int, int]:
        return _core.Cover.count_bounds(self._threshold, query.core(), clock.left, *self._budget)


class CoverWithin(CoverSearch):
    """Minimal covers within relations."""

    def __init__(self, question: Question) -> None:
        self._question = question

    @property
    def _diagrams(self) -> DiagramSearch:
        return DiagramSearch.make(self._question, Options())

    def count(self, query: Query, clock: Clock) -> int:
        """See `Search`. Lists the sets, or counts those of a diagram if there are very many."""
        count = 0
        for answer in self.steps(query, LISTED + 1, clock):
            count += len(answer.sets)
            if answer.status == "time":
                raise LimitError(f"time limit reached while counting: more than {count:,} so far; raise time_limit")
        return count if count <= LISTED else self._diagrams.count(query, clock)

    def over_steps(self, form: StepForm) -> None:
        return None


class WithinCover(CoverWithin):
    """Within a relation of a few features (src/core/cover_within.c)."""

    def __init__(self, threshold: _core.Threshold, relation: _core.Relation, question: Question) -> None:
        super().__init__(question)
        self._threshold = threshold
        self._relation = relation

    @property
    def relation(self) -> _core.Relation:
        return self._relation

    def _open(self, query: Query, clock: Clock) -> _core.Within:
        return _core.Within(self._threshold, self._relation, query.core(), clock.left)


class RelatedCover(CoverWithin):
    """Within relations that share no feature (src/core/related.c). Batches are answered by diagrams."""

    by_sums = False

    def __init__(self, tables: Sequence[_core.Relation], question: Question) -> None:
        super().__init__(question)
        self._tables = tables

    def _open(self, query: Query, clock: Clock) -> _core.Related:
        sums, upwards = self._question.classifier.decision.sums_to_flip(query.goal)
        return _core.Related(sums, upwards, self._tables, query.core(), clock.left)

    def for_batch(self, question: Question, clock: Clock) -> Any:
        return self._diagrams.for_batch(question, clock)

    def reached(self, goal: Goal, clock: Clock) -> Any:
        return self._diagrams.reached(goal, clock)


class MulticlassCover(CoverSearch):
    """Minimal covers of one threshold function per other class (src/core/multiclass_cover.c)."""

    def __init__(self, beats: Sequence[Sequence[_core.Threshold | None]]) -> None:
        self._beats = beats

    def _thresholds(self, goal: Goal) -> list[_core.Threshold]:
        assert goal[1] == 0
        return [t for t in self._beats[goal[0]] if t is not None]

    def _open(self, query: Query, clock: Clock) -> _core.MulticlassCover:
        return _core.MulticlassCover(self._thresholds(query.goal), query.core())

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        sets, status = _core.MulticlassCover.best(self._thresholds(query.goal), query.core(), k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Search`. Lists the sets; engine ``diagram`` counts without listing."""
        return self._open(query, clock).tally(clock.left)


class CoverMoves(CoverSearch):
    """Sums of weights over steps: a search over records (src/core/moves_cover.c)."""

    def __init__(self, case: Case, steps: Steps) -> None:
        self._thresholds, self._upwards = case.question.classifier.decision.sums_to_flip(case.query.goal)
        self._steps = steps

    def _open(self, query: Query, clock: Clock) -> _core.MovesCover:
        units = self._steps.query.units
        assert units is not None
        return _core.MovesCover(self._thresholds, self._upwards, self._steps.core, units)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Search`. Lists them; engine ``diagram`` counts without listing."""
        return self._open(query, clock).tally(clock.left)
