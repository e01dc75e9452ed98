"""May the decision flip if these features change, where columns are compared with each other?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from symcf.errors import LimitError
from symcf.proof.verification.case import Case
from symcf.proof.verification.ensembles import leaves_of
from symcf.proof.verification.patience import OverBudget
from symcf.proof.verification.reach import Reach

__all__ = ["flips_by_numbers"]

#: Combinations of ranges of the compared columns that are tried, and nodes of diagrams that all passes look at.
MOST_COMBINATIONS, PASSES = 1 << 12, 1 << 27


def flips_by_numbers(case: Case[Any]) -> Callable[[Iterable[int]], bool]:
    """For each combination of ranges of the compared columns that numbers can have, the others are asked. `OverBudget`
    if that takes too many steps.
    """
    assert case.compared is not None
    related = case.compared.features
    ways: list[tuple[set[int], Callable[[Iterable[int]], bool]]] = []
    left = PASSES
    for codes in case.compared.tuples(case.choices):
        case.look()
        if len(ways) == MOST_COMBINATIONS:
            raise OverBudget
        changed = {j for j, code in codes.items() if code != case.x[j]}
        x = [codes.get(j, own) % len(case.compiled.values[j]) for j, own in enumerate(case.x)]
        choices = [[x[j]] if j in codes else list(values) for j, values in enumerate(case.choices)]
        ways.append((changed, _others(case, x, choices)))

    def can_flip(free: Iterable[int]) -> bool:
        nonlocal left
        may = set(free)
        for changed, flips in ways:
            if changed <= may:
                left -= getattr(flips.__self__, "n_nodes", 1)  # type: ignore[attr-defined]
                if left < 0:
                    raise OverBudget
                if flips(may - set(related)):
                    return True
        return False

    return can_flip


def _others(case: Case[Any], x: list[int], choices: list[list[int]]) -> Callable[[Iterable[int]], bool]:
    """The same for a row whose compared columns stay."""
    e = case.explanation
    flips = case.flips_apart
    if (leaves := leaves_of(case.compiled, x, e.prediction, e.target, choices, flips, case.look)) is not None:
        return leaves.can_flip
    try:
        return Reach(case.compiled, x, e.prediction, e.target, choices, case.relations, case.clock).can_flip
    except LimitError:
        case.look()
        raise OverBudget from None
