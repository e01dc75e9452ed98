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
from itertools import combinations, product
from typing import Any

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


# --- change sets ------------------------------------------------------------------------------------------------------


def change_sets(
    decide: Callable[[Input], Hashable],
    x: Sequence[int],
    n_values: Sequence[int],
    allowed: Mapping[int, Collection[int]] | None = None,
    max_changes: int | None = None,
    target: Hashable = None,
) -> list[tuple[int, ...]]:
    """All minimal change sets of x: sets S of features such that changing exactly those can flip the decision, while
    changing exactly those of a proper subset cannot.

    Parameters
    ----------
    decide:
        The classifier: a tuple of value codes -> its decision.
    x:
        The instance, one value code a feature.
    n_values:
        The number of values of each feature; codes run from 0.
    allowed:
        For some features j, the values that it may be changed to (no value: it must stay). Features not mentioned
        may take any value. Whether x's own value is listed makes no difference: a change changes.
    max_changes:
        The most features in a set; None for any number.
    target:
        The decision wanted; None for any other than that of x.

    Returns
    -------
    The sets as ascending tuples of feature indices, smaller sets first, then in lexicographic order.
    """
    x, before = tuple(x), decide(tuple(x))
    allowed = allowed or {}
    choices = [[v for v in allowed.get(j, range(d)) if v != x[j]] for j, d in enumerate(n_values)]

    def flips(features: tuple[int, ...]) -> bool:
        for values in product(*(choices[j] for j in features)):
            changed = list(x)
            for j, value in zip(features, values, strict=True):
                changed[j] = value
            after = decide(tuple(changed))
            if after == target if target is not None else after != before:
                return True
        return False

    found: list[tuple[int, ...]] = []
    for size in range(min(len(x), len(x) if max_changes is None else max_changes) + 1):
        # Subsets come before their supersets, so what contains no set found so far is minimal if it flips.
        candidates = [s for s in combinations(range(len(x)), size) if not any(set(f) < set(s) for f in found)]
        found += [s for s in candidates if flips(s)]
    return found


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

    `wanted` says which rows will do, relations included; ``choices[j]`` are the values that feature j may be changed
    to; ``price(j, old, new)`` is what that costs. Looks at every row.
    """
    x = tuple(x)
    rows: dict[tuple[int, ...], list[Input]] = {}
    for row in product(*([x[j], *(v for v in values if v != x[j])] for j, values in enumerate(choices))):
        if wanted(row):
            rows.setdefault(tuple(j for j in range(len(x)) if row[j] != x[j]), []).append(row)
    minimal = [s for s in rows if not any(set(other) < set(s) for other in rows)]
    priced = {s: sorted((sum((price(j, x[j], r[j]) for j in s), Fraction(0)), r) for r in rows[s]) for s in minimal}
    return {s: priced[s] for s in sorted(priced, key=lambda s: (priced[s][0][0], len(s), s))}


# --- sufficient reasons -----------------------------------------------------------------------------------------------


def reasons(
    decide: Callable[[Input], Hashable],
    x: Sequence[int],
    n_values: Sequence[int],
    allowed: Mapping[int, Collection[int]] | None = None,
    target: Hashable = None,
    obeys: Callable[[Input], bool] = lambda row: True,
) -> list[tuple[int, ...]]:
    """All sufficient reasons of x: minimal sets of features such that every row that agrees with x on them is decided
    as x is (or: is not decided as `target`).

    Only rows count whose other features are as in x or `allowed`, and that obey. Every row is looked at for every set.
    """
    x, before = tuple(x), decide(tuple(x))
    allowed = allowed or {}
    choices = [{x[j], *allowed.get(j, range(d))} for j, d in enumerate(n_values)]
    rows = [row for row in product(*choices) if obeys(row)]
    bad = [row for row in rows if (decide(row) == target if target is not None else decide(row) != before)]
    found: list[tuple[int, ...]] = []
    for size in range(len(x) + 1):
        for chosen in combinations(range(len(x)), size):
            if any(set(smaller) <= set(chosen) for smaller in found):
                continue
            if not any(all(row[j] == x[j] for j in chosen) for row in bad):
                found.append(chosen)
    return found


def hitting_sets(sets: Collection[Sequence[int]], n: int) -> list[tuple[int, ...]]:
    """All minimal sets of features, of n, that have one in common with each of the sets; by size, then features."""
    found: list[tuple[int, ...]] = []
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            if any(set(smaller) <= set(chosen) for smaller in found):
                continue
            if all(set(chosen) & set(other) for other in sets):
                found.append(chosen)
    return found


def fewest_kept(
    decide: Callable[[Input], Hashable], x: Sequence[int], baseline: Sequence[int]
) -> list[tuple[int, ...]]:
    """Shih, Choi, Darwiche 2018, MC-explanations: the smallest sets of features that are enough to keep the decision of
    x if every other feature is as in the baseline.
    """
    differing = [j for j in range(len(x)) if x[j] != baseline[j]]
    for size in range(len(differing) + 1):
        found = [
            kept
            for kept in combinations(differing, size)
            if decide(tuple(x[j] if j in kept else baseline[j] for j in range(len(x)))) == decide(tuple(x))
        ]
        if found:
            return found
    raise AssertionError("keeping everything keeps the decision")


def shapley(
    decide: Callable[[Input], Hashable], x: Sequence[int], shares: Sequence[Sequence[Fraction]], label: Hashable
) -> list[Fraction]:
    """Shapley values of "the decision is `label`" by the definition: what a feature adds to the probability, averaged
    over all sets of features that may be known before. The others are independent, ``shares[j][v]`` is P(X_j = v).
    """
    n = len(x)
    factorial = [1]
    for i in range(1, n + 1):
        factorial.append(factorial[-1] * i)

    @cache
    def worth(known: frozenset[int]) -> Fraction:
        total = Fraction(0)
        for row in product(*([x[j]] if j in known else range(len(shares[j])) for j in range(n))):
            if decide(row) == label:
                weight = Fraction(1)
                for j in range(n):
                    weight *= 1 if j in known else shares[j][row[j]]
                total += weight
        return total

    values = []
    for j in range(n):
        others = [i for i in range(n) if i != j]
        value = Fraction(0)
        for size in range(n):
            weight = Fraction(factorial[size] * factorial[n - size - 1], factorial[n])
            for known in combinations(others, size):
                value += weight * (worth(frozenset(known) | {j}) - worth(frozenset(known)))
        values.append(value)
    return values
