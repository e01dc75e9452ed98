"""Change sets and reasons where columns of numbers are related: minimal sets that an oracle finds enough.

Minimal sets of a monotone question, and its minimal reasons, from an oracle that answers for one set at a time.

"Can these features be changed so that the goal is reached?" is monotone: more features can do what fewer can. The
minimal sets that can are the minimal hitting sets of the *reasons*: complements of the maximal sets that cannot. So the
two lists are built together (implicit hitting sets: Moreno-Centeno and Karp 2013; MARCO: Liffiton and others 2016). A
hitting set of the reasons known so far either can, and is minimal then, or is grown to a maximal set that cannot, whose
complement is one more reason. Hitting sets are walked depth first with their critical reasons (MMCS: Murakami and Uno
2014). As reasons are added on the way, a walk may have left out sets that became critical later; a walk that adds none
proves both lists complete. Walks come by rising size, so that a list that is cut short is complete up to a size.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from symcf.common.clock import NO_LIMIT, Clock, tick
from symcf.common.lazy import cached_property
from symcf.errors import LimitError
from symcf.question.case import Case, NumberCase, Query
from symcf.question.question import Question
from symcf.question.ties import NONE
from symcf.search.change_sets import ChangeSet, ChangeSets, Mask, features_of, mask_of
from symcf.search.lines import LineOracle
from symcf.search.protocol import PATIENCE, STEP, Answer, Options, Search

__all__ = ["LineSearch", "Transversals"]

#: What floats leave to exact arithmetic.
UNDECIDED: Sequence[int] = (-1,)


class LineSearch(Search):
    """Branch and bound over boxes of one row's system of sums (`symcf.search.lines`)."""

    name = "boxes"
    needs = ("numbers",)
    patience = PATIENCE
    lists = True
    avoids_diagram = True
    finds_reasons = True
    batches_ties = True

    @classmethod
    def supports(cls, question: Question) -> str | None:
        if question.classifier.decision.numbers is not None:
            return None
        return "there are no columns of numbers"

    @classmethod
    def is_preferred(cls, question: Question) -> bool:
        """See `Search`. Where nothing relates the features, sums of gains are faster."""
        return question.is_coupled

    @classmethod
    def for_case(cls, case: Case, options: Options) -> Search:
        """See `Search`. Each row has a system of its own."""
        assert case.numbers is not None
        return cls(case.numbers)

    def __init__(self, case: NumberCase) -> None:
        self._case = case
        self._n = len(case.x)
        self._sets = Transversals(self._n, self._enough)
        self._clock = NO_LIMIT
        self._tied = None if case.tied is None else _Tied(case)

    @cached_property
    def _oracle(self) -> LineOracle:
        return LineOracle(self._case.system.system)

    def _enough(self, features: Sequence[int]) -> Sequence[int] | None:
        """See `Transversals`."""
        if self._tied is not None:
            tick()
            if self._clock.expired:
                raise LimitError("time limit reached while sets of features were tried")
            found = self._tied.enough(features)
            if found is not UNDECIDED:
                return found or None
        row = self._oracle.witness(features, self._clock)
        return None if row is None else sorted(self._oracle.system.changed(row))

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        found = self._listed(query, clock)
        given = 0
        while True:
            most = step if limit is None else min(step, limit - given)
            sets: list[ChangeSet] = []
            try:
                sets.extend(islice(found, most))
                given += len(sets)
                status = "more" if len(sets) == most else "complete"
            except LimitError as error:
                if not clock.ended(error):
                    raise
                status = "time"
            yield Answer(ChangeSets.of(sets), status, None if query.reasons else self._sets.complete_up_to)
            if status != "more" or given == limit:
                return

    def _listed(self, query: Query, clock: Clock) -> Iterator[ChangeSet]:
        """Sets, by size; reasons are known when all sets are."""
        self._clock = clock
        if not query.reasons:
            yield from self._sets.listed(query.max_changes)
            return
        try:
            self._sets.exhaust()
        finally:
            yield from self._reasons(query)

    def _reasons(self, query: Query) -> list[ChangeSet]:
        weights = query.weights()
        found = map(features_of, self._sets.reasons)
        return sorted(found, key=lambda reason: (sum(weights[j] for j in reason), len(reason), reason))

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        self._clock = clock
        sets: list[ChangeSet] = []
        try:
            if query.reasons:
                self._sets.exhaust()
                return Answer(ChangeSets.of(self._reasons(query)[:k]), "complete")
            for change_set in self._sets.cheapest(k, query.weights(), query.max_changes):
                sets.append(change_set)
        except LimitError as error:
            if not clock.ended(error):
                raise
            if query.reasons:
                return Answer(ChangeSets.of(self._reasons(query)[:k]), "time")
            return Answer(ChangeSets.of(sets), "time", bound=self._sets.next_best)
        return Answer(ChangeSets.of(sets), "complete")

    def exists(self, query: Query, clock: Clock) -> bool:
        if query.max_changes is not None:
            return any(answer.sets for answer in self.steps(query, 1, clock))
        self._clock = clock
        return self._sets.can((1 << self._n) - 1)


class _Tied:
    """Which sets are enough, by bounds of what tied columns gain; see `symcf.question.ties`."""

    def __init__(self, case: NumberCase) -> None:
        assert case.tied is not None
        assert case.question.ties is not None
        self._place = {j: 1 << k for k, j in enumerate(case.question.ties.features)}
        #: By rival: what it lacks, what each feature gains, and what sets of tied features gain at least and at most.
        self._rivals = [
            (rival.deficit, rival.gain.tolist(), least, most)
            for rival, least, most in zip(case.rivals, *(bound.tolist() for bound in case.tied), strict=True)
        ]

    def enough(self, features: Sequence[int]) -> Sequence[int]:
        """Features, of these, that are enough; none if all of them are not; `UNDECIDED`."""
        part = sum(self._place.get(j, 0) for j in features)
        others = [j for j in features if j not in self._place]
        doubt = False
        for deficit, gain, least, most in self._rivals:
            total = sum(gain[j] for j in others)
            if total + least[part] >= deficit:
                return self._smaller(features, deficit, gain, least)
            doubt |= most[part] > NONE and total + most[part] >= deficit
        return UNDECIDED if doubt else ()

    def _smaller(
        self, features: Sequence[int], deficit: int, gain: Sequence[int], least: Sequence[int]
    ) -> Sequence[int]:
        """The same without some that are not needed."""
        part, kept = sum(self._place.get(j, 0) for j in features), []
        spare = sum(gain[j] for j in features if j not in self._place) + least[part] - deficit
        for j in features:
            bit = self._place.get(j, 0)
            loss = least[part] - least[part & ~bit] if bit else gain[j]
            if loss <= spare:
                spare, part = spare - loss, part & ~bit
            else:
                kept.append(j)
        return kept


class Transversals:
    """The minimal sets that can, and the minimal reasons, as far as they are known."""

    def __init__(self, n: int, can: Callable[[tuple[int, ...]], Sequence[int] | None]) -> None:
        """``can(features)`` gives features, of these, that are enough; None if all of them are not."""
        self._n, self._can = n, can
        self._every: Mask = (1 << n) - 1
        #: Minimal sets that can, in the order in which they were found.
        self.found: dict[Mask, None] = {}
        #: Minimal reasons.
        self.reasons: dict[Mask, None] = {}
        #: Sets that can, minimal or not: no two of which one contains the other.
        self._enough: list[Mask] = []
        #: All minimal sets of up to so many features are known; `n` if the list is complete.
        self.complete_up_to = 0
        self._is_complete = False
        #: The set that `cheapest` looked at last: none that it has not given comes before it.
        self.next_best: tuple[int, ...] = ()

    # --- one set

    def can(self, mask: Mask) -> bool:
        """Can these features?"""
        if any(known & mask == known for known in self._enough):
            return True
        if any(not reason & mask for reason in self.reasons):
            return False
        enough = self._can(features_of(mask))
        if enough is None:
            return False
        smaller = mask_of(enough)
        self._enough = [known for known in self._enough if known & smaller != smaller]
        self._enough.append(smaller)
        return True

    def _add_reason(self, mask: Mask) -> None:
        """Grows a set that cannot until no feature can be added; what is left out is a reason."""
        if not self.reasons and not self.can(self._every):
            mask = self._every
        for j in range(self._n):
            if not mask >> j & 1 and not self.can(mask | 1 << j):
                mask |= 1 << j
        self.reasons[self._every & ~mask] = None

    # --- all sets

    def listed(self, most: int | None = None) -> Iterator[tuple[int, ...]]:
        """All minimal sets of up to ``most`` features, by size; those found before come first."""
        most = self._n if most is None else min(most, self._n)
        for mask in sorted(self.found, key=lambda known: (known.bit_count(), features_of(known))):
            if mask.bit_count() <= most:
                yield features_of(mask)
        while not self._is_complete and self.complete_up_to < most:
            size = self.complete_up_to + 1
            while True:
                before, walk = len(self.reasons), _Walk(self, size)
                yield from map(features_of, walk.new())
                if len(self.reasons) == before:
                    break
            self.complete_up_to = size
            if not walk.is_cut:
                self.complete_up_to, self._is_complete = self._n, True

    def exhaust(self) -> None:
        """Completes both lists."""
        for _ in self.listed():
            pass

    def cheapest(self, k: int, weights: Sequence[int], most: int | None = None) -> Iterator[tuple[int, ...]]:
        """The k first minimal sets by (cost, size, features), in this order."""
        heap: list[tuple[int, int, tuple[int, ...], Mask]] = [(0, 0, (), 0)]
        seen = {0}
        given: list[Mask] = []
        while heap and len(given) < k:
            cost, size, features, mask = heapq.heappop(heap)
            self.next_best = features
            if any(known & mask == known for known in given):
                continue
            reason = next((reason for reason in self.reasons if not reason & mask), None)
            if reason is None:
                if self.can(mask):  # everything cheaper was tried: it is minimal
                    given.append(mask)
                    self.found[mask] = None
                    yield features
                    continue
                self._add_reason(mask)
                reason = next(reversed(self.reasons))
            if most is not None and size >= most:
                continue
            for j in features_of(reason):
                more = mask | 1 << j
                if more not in seen:
                    seen.add(more)
                    heapq.heappush(heap, (cost + weights[j], size + 1, features_of(more), more))


class _Walk:
    """Depth first through the hitting sets of up to a size."""

    def __init__(self, sets: Transversals, size: int) -> None:
        self._sets, self._size = sets, size
        #: Was a set left out because of its size?
        self.is_cut = False

    def new(self) -> Iterator[Mask]:
        """Minimal sets that were not known."""
        yield from self._from(0, self._sets._every)

    def _from(self, mask: Mask, candidates: Mask) -> Iterator[Mask]:
        sets = self._sets
        open_reasons = [reason for reason in sets.reasons if not reason & mask]
        if not open_reasons:
            if mask in sets.found:
                return
            if sets.can(mask):
                sets.found[mask] = None
                yield mask
                return
            sets._add_reason(mask)
            open_reasons = [next(reversed(sets.reasons))]
        if mask.bit_count() >= self._size:
            self.is_cut = True
            return
        reason = min(open_reasons, key=lambda one: (one & candidates).bit_count())
        branches = reason & candidates
        candidates &= ~branches
        for j in features_of(branches):
            more = mask | 1 << j
            if self._is_critical(more):
                yield from self._from(more, candidates)
            candidates |= 1 << j

    def _is_critical(self, mask: Mask) -> bool:
        """Is there, for each feature, a reason that only it hits?"""
        left = mask
        for reason in self._sets.reasons:
            hit = reason & mask
            if hit and not hit & (hit - 1):
                left &= ~hit
                if not left:
                    return True
        return not left
