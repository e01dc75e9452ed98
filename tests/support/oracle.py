"""The oracle: what symcf must answer, found the slow and obvious way.

It never imports symcf. Numbers are fractions, questions are answered by trying everything: good for a dozen features.

    decisions(prior, tables, threshold, tie)        what a naive Bayes classifier says, for every input
    satisfies(clauses, assignment), models(...)     what clauses say
    change_sets(decide, x, n_values, ...)           all minimal ways to change a decision
    cheapest(sets, cost)                            their one true order
    counterfactuals(decide, x, choices, ...)        the rows behind them, with relations and costs of values
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import reference
from pysat.solvers import Solver

Input = tuple[int, ...]

# --- numbers ----------------------------------------------------------------------------------------------------------


def exactly(number: float) -> Fraction:
    """The number that the float is, all its binary digits at their word."""
    return Fraction(number)


def as_written(number: float) -> Fraction:
    """The decimal that the float prints as: one tenth for 0.1."""
    return Fraction(repr(float(number)))


# --- naive Bayes ------------------------------------------------------------------------------------------------------

Table = tuple[Sequence[Fraction], Sequence[Fraction]]


def binary_tables(p1: Iterable[Fraction], p0: Iterable[Fraction]) -> list[Table]:
    """tables[j][k][v] = P(X_j = v | Y = k), from the probabilities of X_j = 1."""
    return [((1 - zero, zero), (1 - one, one)) for one, zero in zip(p1, p0, strict=True)]


def inputs(n_values: Sequence[int]) -> list[Input]:
    """Every input, the last feature changing fastest."""
    return list(product(*map(range, n_values)))


def joint(prior: Fraction, tables: Sequence[Table]) -> dict[Input, tuple[Fraction, Fraction]]:
    """For every input x, P(Y=1, x) and P(Y=0, x)."""
    result: dict[Input, tuple[Fraction, Fraction]] = {(): (prior, 1 - prior)}
    for zero, one in tables:
        result = {
            (*x, v): (yes * p, no * q)
            for x, (yes, no) in result.items()
            for v, (p, q) in enumerate(zip(one, zero, strict=True))
        }
    return result


def odds(prior: Fraction, tables: Sequence[Table], threshold: Fraction) -> dict[Input, Fraction | float | None]:
    """For every input the odds of Y=1 divided by the threshold's: above 1 is yes, 1 is a tie, below 1 is no.

    Infinite where Y=0 is impossible; None where both classes are, so that there is no decision.
    """
    result: dict[Input, Fraction | float | None] = {}
    for x, (yes, no) in joint(prior, tables).items():
        yes, no = yes * (1 - threshold), no * threshold
        result[x] = yes / no if no else float("inf") if yes else None
    return result


def decisions(prior: Fraction, tables: Sequence[Table], threshold: Fraction, tie: str) -> dict[Input, int | None]:
    """For every input 1, 0, or None where the input is impossible."""
    on_tie = {"positive": 1, "negative": 0}[tie]
    return {
        x: None if ratio is None else on_tie if ratio == 1 else int(ratio > 1)
        for x, ratio in odds(prior, tables, threshold).items()
    }


# --- clauses ----------------------------------------------------------------------------------------------------------

Clause = Collection[int]


def satisfies(clauses: Iterable[Clause], assignment: Mapping[int, bool]) -> bool:
    """Is there a true literal in every clause? `assignment` maps variables, numbered from 1, to truth values."""
    return all(any(assignment[abs(literal)] == (literal > 0) for literal in clause) for clause in clauses)


def assignment_of(x: Sequence[int]) -> dict[int, bool]:
    """Feature j is variable j + 1."""
    return {j + 1: bool(value) for j, value in enumerate(x)}


def models(clauses: Iterable[Clause], n: int) -> int:
    """The inputs that satisfy clauses over features only, as a bit set: bit i is for inputs([2] * n)[i].

    The same as asking `satisfies` for each input, all of them at once.
    """
    result = bit_set([True] * (1 << n))
    for clause in clauses:
        satisfied = 0
        for literal in clause:
            satisfied |= literal_models(literal, n)
        result &= satisfied
    return result


@cache
def literal_models(literal: int, n: int) -> int:
    """The inputs that make a literal true, as a bit set."""
    return bit_set(bool(x[abs(literal) - 1]) == (literal > 0) for x in inputs([2] * n))


def bit_set(truth_values: Iterable[Any]) -> int:
    """Bit i is the truth of the i-th value."""
    return int("0" + "".join("1" if value else "0" for value in truth_values)[::-1], base=2)


def projected_models(clauses: Iterable[Clause], n: int) -> int:
    """The inputs that can be extended to satisfy clauses with auxiliary variables, as a bit set. A SAT solver is asked
    for each input.
    """
    listed = [list(clause) for clause in clauses]
    if [] in listed:  # solvers differ in what they make of an empty clause
        return 0
    with Solver(name="minisat22", bootstrap_with=listed) as solver:
        return bit_set(map(solver.solve, all_assumptions(n)))


@cache
def all_assumptions(n: int) -> list[list[int]]:
    """For every input, its literals."""
    return [[v if true else -v for v, true in assignment_of(x).items()] for x in inputs([2] * n)]


def functions(definitions: Iterable[Clause], n: int) -> dict[int, int]:
    """What clauses that define auxiliary variables define them as: for every variable, features included, the inputs
    that make it true, as a bit set.
    """
    listed = [list(clause) for clause in definitions]
    with Solver(name="minisat22", bootstrap_with=listed) as solver:
        worlds = []
        for assumptions in all_assumptions(n):
            assert solver.solve(assumptions)
            worlds.append(set(solver.get_model()))
    used = {abs(literal) for clause in listed for literal in clause}
    return {v: bit_set(v in world for world in worlds) for v in used | set(range(1, n + 1))}


def implies(left: int, right: int) -> bool:
    """Is each input of one bit set in the other?"""
    return not left & ~right


def is_prime(clause: Sequence[int], function: int, n: int) -> bool:
    """Does the function imply the clause, and none of its parts?"""
    parts = (clause[:i] + clause[i + 1 :] for i in range(len(clause)))
    return implies(function, models([clause], n)) and not any(implies(function, models([p], n)) for p in parts)


def is_irredundant(clauses: Sequence[Clause], n: int) -> bool:
    """Does every clause matter?"""
    whole = models(clauses, n)
    return all(models([*clauses[:i], *clauses[i + 1 :]], n) != whole for i in range(len(clauses)))


# --- questions about codes: `reference` answers them ------------------------------------------------------------------


def change_sets(
    decide: Callable[[Input], Hashable],
    x: Sequence[int],
    n_values: Sequence[int],
    allowed: Mapping[int, Collection[int]] | None = None,
    max_changes: int | None = None,
    target: Hashable = None,
) -> list[tuple[int, ...]]:
    """All minimal change sets of x, smaller sets first; ``allowed``: codes that some features may be changed to."""
    may = reference.permits({j: list(of) for j, of in (allowed or {}).items()})
    domains = reference.codes(n_values)
    return reference.Question(domains, decide, x, target=target, may=may, max_changes=max_changes).change_sets()


def cheapest(sets: Iterable[Sequence[int]], cost: Sequence[float] | None = None) -> list[tuple[int, ...]]:
    """The sets in the order of results: by cost, then size, then features. Each feature costs 1 unless `cost` says.

    Costs are summed as the decimals they are written as, so that 0.1 + 0.2 is 0.3.
    """
    price = (lambda j: Fraction(1)) if cost is None else (lambda j: as_written(cost[j]))
    return sorted((tuple(s) for s in sets), key=lambda s: (sum(map(price, s)), len(s), s))


def counterfactuals(
    wanted: Callable[[Input], bool],
    x: Sequence[int],
    choices: Sequence[Collection[int]],
    price: Callable[[int, int, int], Fraction],
) -> dict[tuple[int, ...], list[tuple[Fraction, Input]]]:
    """All minimal change sets of x in the order of results, each with the rows that it leads to and what they cost.

    `wanted` says which rows will do, relations included; feature j may be changed to one of ``choices[j]``.
    """
    domains = [reference.Domain(tuple(values)) for values in choices]
    return reference.Question(domains, lambda row: bool(wanted(row)), x, target=True, price=price).counterfactuals()


def reasons(
    decide: Callable[[Input], Hashable],
    x: Sequence[int],
    n_values: Sequence[int],
    allowed: Mapping[int, Collection[int]] | None = None,
    target: Hashable = None,
    obeys: Callable[[Input], bool] = lambda row: True,
) -> list[tuple[int, ...]]:
    """All sufficient reasons of x for its decision, or for not being decided as `target`."""
    may = reference.permits({j: list(of) for j, of in (allowed or {}).items()})
    constraints = [lambda old, new: obeys(new)]
    domains = reference.codes(n_values)
    return reference.Question(domains, decide, x, target=target, may=may, constraints=constraints).reasons()
