"""What a search over covers of its own is worth: the same question by the search of its kind and by a more general one.

    python bench/covers.py          seconds; prints processor time of listing all sets, and ratios, turn by turn

One sum between two classes is what `cover.c` finds covers of. `multiclass_cover.c` does the same for several sums, and
`moves_cover.c` for steps, of which a feature of two values has one. One relation of a few features is what
`cover_within.c` takes; `related.c` takes several, or none, and several sums. All list the same sets, which is checked.
"""

from __future__ import annotations

from collections.abc import Iterator

import common
import numpy as np

import symcf
from symcf import _core
from symcf.common.clock import NO_LIMIT
from symcf.question.case import Case, case_of
from symcf.question.question import Question
from symcf.question.steps import Steps
from symcf.search.cover import CoverMoves, CoverSearch, MulticlassCover, RelatedCover, WithinCover, tables_of
from symcf.search.protocol import AUTO
from symcf.system.targets import Goal

TURNS = 7


class OneOfMany(MulticlassCover):
    """The search for several sums, with one."""

    def _thresholds(self, goal: Goal) -> list[_core.Threshold]:
        return [t for t in self._beats[0] if t is not None]


def cases(n: int, count: int, constraints: list[str]) -> Iterator[Case]:
    """Rows of class 0 of random sums of small weights, so that many covers are alike."""
    for seed in range(count):
        random = np.random.default_rng([n, seed])
        weights = random.integers(-9, 10, n).tolist()
        x = [int(weight < 0) for weight in weights]  # the least sum of all: nothing gains by staying
        for j in random.permutation(n)[: n // 4].tolist():
            x[j] = 1 - x[j]
        names = [f"f{j}" for j in range(n)]
        own = sum(w * v for w, v in zip(weights, x, strict=True))
        model = symcf.LinearClassifier(weights, -own - sum(map(abs, weights)) // 4 - 1, features=names, tie="positive")
        c = symcf.compile(model)
        yield case_of(Question.checked(c, constraints=constraints), c.encoder.read_one(x))


def listed(search: CoverSearch, case: Case) -> list[tuple[int, ...]]:
    """All sets, by size."""
    return sorted(one for answer in search.steps(case.query, None, NO_LIMIT) for one in answer.sets)


def compared(own: CoverSearch, general: CoverSearch, case: Case) -> tuple[int, float, float]:
    """How many sets there are, the milliseconds of the search of this kind, and how many times as long the other is."""
    sets = listed(own, case)
    assert sets == listed(general, case), "both list the same sets"
    work = {
        "own": lambda: sum(len(answer.sets) for answer in own.steps(case.query, None, NO_LIMIT)),
        "general": lambda: sum(len(answer.sets) for answer in general.steps(case.query, None, NO_LIMIT)),
    }
    timings = common.in_turns(work, turns=TURNS)
    return len(sets), 1e3 * timings["own"].median, timings["general"].over(timings["own"]).median


def one_sum(case: Case) -> Iterator[tuple[str, CoverSearch, CoverSearch]]:
    """Searches for one sum."""
    question = case.question
    threshold = question.classifier.decision.threshold
    assert threshold is not None
    assert case.prediction == 0, "the sum has to rise"
    own = CoverSearch.for_case(case, AUTO)
    yield "multiclass_cover.c for cover.c", own, OneOfMany([[threshold]])
    yield "moves_cover.c for cover.c", own, CoverMoves(case, Steps(case))


def one_relation(case: Case) -> Iterator[tuple[str, CoverSearch, CoverSearch]]:
    """Searches for one sum within one relation."""
    question = case.question
    threshold, tables = question.classifier.decision.threshold, tables_of(question)
    assert threshold is not None
    assert tables is not None
    own = WithinCover(threshold, tables[0], question)
    yield "related.c for cover_within.c", own, RelatedCover(tables, question)


def of_classes(n: int, count: int) -> Iterator[Case]:
    """Rows of the first of three classes, each with a random sum of small weights."""
    for seed in range(count):
        random = np.random.default_rng([n, seed])
        weights, x = random.integers(-9, 10, (3, n)), random.integers(0, 2, n)
        sums = (weights @ x).tolist()
        c = symcf.compile(symcf.LinearClassifier(weights.tolist(), [max(sums[1:]) - sums[0] + 2 * n, 0, 0]))
        yield case_of(Question.checked(c), c.encoder.read_one(x.tolist()))


def several_sums(case: Case) -> Iterator[tuple[str, CoverSearch, CoverSearch]]:
    """Searches for one sum per other class."""
    yield "related.c for multiclass_cover.c", CoverSearch.for_case(case, AUTO), RelatedCover([], case.question)


def main() -> None:
    found: dict[tuple[str, int], list[tuple[int, float, float]]] = {}
    for n in (16, 20, 24):
        related = cases(n, 5, ["f0 = 1 and f1 = 1 -> f2 = 1"])
        pairs = ((cases(n, 5, []), one_sum), (related, one_relation), (of_classes(n + 8, 5), several_sums))
        for some, searches in pairs:
            for case in some:
                for name, own, general in searches(case):
                    found.setdefault((name, len(case.x)), []).append(compared(own, general, case))
    for (name, n), rows in sorted(found.items()):
        sets, milliseconds, ratios = zip(*rows, strict=True)
        print(
            f"{name}, {n} features: {sum(sets):,} sets in {sum(milliseconds):.2f} ms; "
            f"{np.median(ratios):.1f} times as long ({min(ratios):.1f} to {max(ratios):.1f})"
        )


if __name__ == "__main__":
    main()
