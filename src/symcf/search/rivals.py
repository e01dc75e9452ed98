"""Change sets towards any of several classes, where each has a search of its own.

A set that is minimal for one rival may contain a smaller one of another, so the lists are joined and sets with a part
that is listed, too, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import LimitError, OptionError
from symcf.question.case import Query
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.protocol import PATIENCE, STEP, Answer, Search
from symcf.system.targets import Goal

__all__ = ["RivalsSearch"]


class RivalsSearch(Search):
    """One search over trees for each rival. `BoxSearch.make` makes it."""

    name = "boxes"
    patience = PATIENCE
    avoids_diagram = True

    def __init__(self, parts_of: Callable[[Goal], Sequence[Search]]) -> None:
        self._parts_of = parts_of

    def ensembles(self, goal: Goal) -> list[tuple[_core.Ensemble, Goal]]:
        """See `Search`."""
        return [one for part in self._parts_of(goal) for one in part.ensembles(goal)]

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Search`. All sets at once; when time is up, those that no shorter one can be missing for."""
        if query.reasons:
            raise OptionError(
                "min_plausibility: reasons against several classes at once are not supported; name one with target="
            )
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
        """See `Search`."""
        return any(part.exists(query, clock) for part in self._parts_of(query.goal))

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Search`. A part of a set costs less, so what comes before the last of each list is known."""
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
