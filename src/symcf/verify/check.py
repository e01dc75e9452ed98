"""Is an explanation right? Checked independently of the engines, slowly and obviously.

Four questions, each answered from the definition of a counterfactual (paper, Definition 5) with nothing but the
classifier's own `predict`, brute force while that is feasible, sums of weights and a fresh SAT solver beyond:

- valid     does each counterfactual get the target class, within the constraints?
- minimal   does no smaller set of changes do?
- complete  is no minimal change set missing (for k: no cheaper one)?
- honest    are order, costs, values and probabilities what they claim to be?
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.diagrams.classifier import Classifier
from symcf.errors import InternalError, LimitError
from symcf.models.naive_bayes import NaiveBayes
from symcf.questions.constraints import Constraint
from symcf.questions.relations import Relations
from symcf.results.explanation import Explanation
from symcf.results.facts import Counterfactual
from symcf.verify.sat import Problem, make_problem
from symcf.verify.sums import TooManySets, sums_of

__all__ = ["Report", "verify"]

#: Instances that brute force may look at; beyond, a SAT solver answers.
BRUTE_FORCE = 1 << 16

#: The same for the parts of all change sets together; beyond, only sets with few parts are left to brute force.
BRUTE_FORCE_ALL = 1 << 20
FEW_PARTS = 1 << 7


@dataclass
class Report:
    """What was checked and what was found. True in a condition iff nothing is wrong and everything was checked."""

    #: None: could not be checked; `notes` says why.
    valid: bool | None = True
    minimal: bool | None = True
    complete: bool | None = True
    honest: bool | None = True
    #: How completeness was checked: "brute force", "sums" (of weights), "SAT", or "" if it was not.
    method: str = ""
    #: One line for each thing that is wrong.
    problems: list[str] = field(default_factory=list)
    #: What was not checked, and why.
    notes: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return self.valid is True and self.minimal is True and self.complete is True and self.honest is True

    def fail(self, question: str, problem: str) -> None:
        """Records that the answer to a question is no."""
        setattr(self, question, False)
        self.problems.append(f"{question}: {problem}")

    def skip(self, question: str, reason: str) -> None:
        """Records that a question was not answered."""
        setattr(self, question, None)
        self.notes.append(f"{question} not checked: {reason}")

    def __str__(self) -> str:
        marks = {True: "yes", False: "NO", None: "not checked"}
        lines = [f"{name:9} {marks[getattr(self, name)]}" for name in ("valid", "minimal", "complete", "honest")]
        return "\n".join(lines + self.problems + self.notes)


def verify(compiled: Classifier, x: Any, explanation: Explanation) -> Report:
    """Checks an explanation of instance x against the definition.

    >>> import symcf
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    >>> bool(symcf.verify(c, [0, 0], c.explain([0, 0])))
    True
    """
    report = Report()
    case = _Case(compiled, x, explanation)
    _check_instance(case, report)
    counterfactuals = _listed(case, report)
    flips = case.flips([cf.instance.tolist() for cf in counterfactuals])
    for cf, flipped in zip(counterfactuals, flips, strict=True):
        _check_valid(case, cf, bool(flipped), report)
        _check_honest(case, cf, report)
    _check_sets(case, counterfactuals, report)
    _check_order(case, counterfactuals, report)
    _check_minimal(case, report)
    _check_complete(case, report)
    return report


def _listed(case: _Case, report: Report) -> list[Counterfactual]:
    """The counterfactuals; a set that has none is reported."""
    found = []
    for change_set in case.explanation.sets:
        try:
            found += case.explanation.of_set(change_set)
        except InternalError as error:
            report.fail("valid", str(error.args[0]))
    return found


class _Case:
    """The instance and what may become of it, from the user's constraints and not from the engines' masks."""

    def __init__(self, compiled: Classifier, x: Any, explanation: Explanation) -> None:
        self.compiled = compiled
        self.explanation = explanation
        self.x: list[int] = compiled.instance(x)[0].tolist()
        self.choices = [self._choices(j) for j in range(len(self.x))]
        limits = [int(c.value) for c in explanation.constraints if c.kind == "max_changes"]
        self.most = min([len(self.x), *limits])
        given = [c.value for c in explanation.constraints if c.kind == "relation"]
        self.relations = Relations(given, compiled.features, compiled.values, compiled.ordered) if given else None
        e = explanation
        self.sums = None if given else sums_of(compiled, self.x, e.prediction, e.target, self.choices)

    def _choices(self, j: int) -> list[int]:
        """The values that feature j may have afterwards, its own first."""
        others = [v for v in range(len(self.compiled.values[j])) if v != self.x[j]]
        for constraint in self.explanation.constraints:
            if constraint.feature == j:
                others = [v for v in others if _allows(constraint, self.x[j], v)]
        return [self.x[j], *others]

    def flips(self, rows: Sequence[Sequence[int]]) -> npt.NDArray[np.bool_]:
        """Which rows get the target class, or any other where none is named, within the relations?"""
        if not rows:
            return np.zeros(0, dtype=bool)
        array = np.array(rows, dtype=np.int64).reshape(len(rows), len(self.x))
        decided = self.compiled.decide(array)
        wanted = self.explanation.target
        flipped = decided != self.explanation.prediction if wanted is None else decided == wanted
        return np.asarray(flipped if self.relations is None else flipped & self.relations.holds(array))

    def changed(self, row: Sequence[int]) -> tuple[int, ...]:
        """The features in which a row differs from x."""
        return tuple(j for j in range(len(row)) if row[j] != self.x[j])

    def cost(self, row: Sequence[int]) -> int:
        """What becoming this row costs, in exact units."""
        return sum(self.explanation.costs.unit_of(j, self.x[j], row[j]) for j in self.changed(row))

    def rows_within(self, change_set: Sequence[int]) -> Iterator[list[int]]:
        """All rows that change nothing else."""
        inside = set(change_set)
        choices = [self.choices[j] if j in inside else [self.x[j]] for j in range(len(self.x))]
        return map(list, itertools.product(*choices))

    def n_within(self, change_set: Sequence[int]) -> int:
        """How many they are."""
        return prod(len(self.choices[j]) for j in change_set)


def _allows(constraint: Constraint, old: int, new: int) -> bool:
    if constraint.kind == "immutable":
        return False
    if constraint.value == "increase":
        return new > old
    if constraint.value == "decrease":
        return new < old
    return new in constraint.value


# --- valid and honest -------------------------------------------------------------------------------------------------


def _check_instance(case: _Case, report: Report) -> None:
    explanation = case.explanation
    if case.x != explanation.instance.tolist():
        report.fail("valid", f"the explanation is of {explanation.instance.tolist()}, not of {case.x}")
    decided = case.compiled.decide(np.array([case.x], dtype=np.int64))[0]
    if decided != explanation.prediction or explanation.target == explanation.prediction:
        report.fail("valid", "the prediction or the target is wrong")


def _check_valid(case: _Case, cf: Counterfactual, flipped: bool, report: Report) -> None:
    new = cf.instance.tolist()
    changed = case.changed(new)
    if changed != cf.features:
        report.fail("valid", f"{cf.features} is announced, {changed} changes")
    if len(changed) > case.most:
        report.fail("valid", f"{changed} has more than {case.most} changes")
    for j in changed:
        if new[j] not in case.choices[j][1:]:
            report.fail("valid", f"feature {case.compiled.features[j]!r} may not become {new[j]}")
    if not flipped:
        report.fail("valid", f"changing {changed} does not give the target class")


def _check_honest(case: _Case, cf: Counterfactual, report: Report) -> None:
    costs = case.explanation.costs
    new = cf.instance.tolist()
    if abs(cf.cost - sum(costs.cost_of(j, case.x[j], new[j]) for j in cf.features)) > 1e-9 * max(1.0, cf.cost):
        report.fail("honest", f"{cf.features} does not cost {cf.cost}")
    if cf.target != case.compiled.decide(np.array([new], dtype=np.int64))[0]:
        report.fail("honest", f"changing {cf.features} does not give class {cf.target}")
    model = case.compiled.model
    if isinstance(model, NaiveBayes) and cf.probability is not None:
        exact = _posterior(model, new, cf.target)
        if abs(cf.probability - exact) > 1e-9:
            report.fail("honest", f"{cf.features} has probability {float(exact):.12f}, not {cf.probability:.12f}")


def _posterior(model: NaiveBayes, row: Sequence[int], wanted: int) -> Fraction:
    """P(class | row), in exact fractions of the model's own numbers."""
    joint = []
    for k, prior in enumerate(model.class_prior):
        factors = [float(prior), *(float(table[k, value]) for table, value in zip(model.tables, row, strict=True))]
        ratios = [factor.as_integer_ratio() for factor in factors]
        joint.append(Fraction(prod(top for top, _ in ratios), prod(bottom for _, bottom in ratios)))
    return joint[wanted] / sum(joint, Fraction(0))


def _check_sets(case: _Case, counterfactuals: Sequence[Counterfactual], report: Report) -> None:
    """Do the counterfactuals belong to the change sets, and are their values the cheapest, or all there are?"""
    explanation = case.explanation
    by_set: dict[tuple[int, ...], list[list[int]]] = {s: [] for s in explanation.sets}
    for cf in counterfactuals:
        if cf.features not in by_set:
            report.fail("valid", f"{cf.features} is not one of the change sets")
        else:
            by_set[cf.features].append(cf.instance.tolist())
    for change_set, given in by_set.items():
        if len(given) != 1 and not explanation.all_values:
            report.fail("honest", f"{change_set} has {len(given)} counterfactuals")
        plain = explanation.costs.per_value is None and not explanation.all_values
        if plain or case.n_within(change_set) > FEW_PARTS:
            continue
        rows = [row for row in case.rows_within(change_set) if case.changed(row) == change_set]
        flipping = list(itertools.compress(rows, case.flips(rows)))
        if explanation.all_values and sorted(given) != sorted(flipping):
            report.fail("complete", f"{change_set} has {len(flipping)} assignments, not {len(given)}")
        if not explanation.all_values and given and case.cost(given[0]) > min(map(case.cost, flipping)):
            report.fail("honest", f"there are cheaper values for {change_set}")


def _check_order(case: _Case, counterfactuals: Sequence[Counterfactual], report: Report) -> None:
    sets = case.explanation.sets
    if len(set(sets)) != len(sets):
        report.fail("honest", "a change set appears twice")
    cheapest: dict[tuple[int, ...], int] = {}
    for cf in counterfactuals:
        cost = case.cost(cf.instance.tolist())
        cheapest[cf.features] = min(cost, cheapest.get(cf.features, cost))
    keys = [(cheapest.get(s, 0), len(s), s) for s in sets]
    if keys != sorted(keys):
        report.fail("honest", "the change sets are not ordered by cost, size, features")


# --- minimal ----------------------------------------------------------------------------------------------------------


def _check_minimal(case: _Case, report: Report) -> None:
    parts = [case.n_within(change_set) for change_set in case.explanation.sets]
    most = FEW_PARTS if sum(parts) > BRUTE_FORCE_ALL else BRUTE_FORCE
    large = []
    for change_set, count in zip(case.explanation.sets, parts, strict=True):
        if count > most:
            large.append(change_set)
        elif (smaller := _flipping_part(case, change_set)) is not None:
            report.fail("minimal", f"{change_set} is not minimal: {smaller} would do")
    if large and case.sums is not None:
        for change_set in filter(case.sums.has_flipping_part, large):
            report.fail("minimal", f"{change_set} is not minimal: one of its features may keep its value")
    elif large and report.minimal:
        _check_large_minimal(case, report, large)


def _flipping_part(case: _Case, change_set: tuple[int, ...]) -> tuple[int, ...] | None:
    """A proper subset that flips the decision: looks at every instance that changes nothing else."""
    rows = list(case.rows_within(change_set))
    for row in itertools.compress(rows, case.flips(rows)):
        part = case.changed(row)
        if part != change_set:
            return part
    return None


def _check_large_minimal(case: _Case, report: Report, large: Sequence[tuple[int, ...]]) -> None:
    """A set is minimal iff, its features free and all others fixed, no model keeps one of its features."""
    problem = _problem(case, report, "minimal", f"{len(large)} sets are too large for brute force")
    if problem is None:
        return
    with problem.solver() as solver:
        for change_set in large:
            kept = [problem.keep[j] for j in range(len(case.x)) if j not in change_set]
            for j in change_set:
                if solver.solve(assumptions=[*kept, problem.keep[j]]):
                    report.fail("minimal", f"{change_set} is not minimal: {j} may keep its value")


# --- complete ---------------------------------------------------------------------------------------------------------


def _check_complete(case: _Case, report: Report) -> None:
    explanation = case.explanation
    if not explanation.complete:
        report.notes.append(f"the explanation does not claim to be complete ({explanation.status})")
        return
    if prod(len(choices) for choices in case.choices) <= BRUTE_FORCE:
        report.method = "brute force"
        _check_complete_by_force(case, report)
    elif explanation.k is not None and len(explanation.sets) == explanation.k:
        if not _check_cheapest_by_sums(case, report):
            _check_cheapest_by_sat(case, report)
    else:
        _check_complete_by_sat(case, report)


def _check_complete_by_force(case: _Case, report: Report) -> None:
    rows = [list(row) for row in itertools.product(*case.choices)]
    cheapest: dict[tuple[int, ...], int] = {}
    for row in itertools.compress(rows, case.flips(rows)):
        change_set, cost = case.changed(row), case.cost(row)
        cheapest[change_set] = min(cost, cheapest.get(change_set, cost))
    wanted: list[tuple[int, ...]] = []
    masks: list[int] = []  # the wanted sets, bit by bit: comparing these is what takes long
    for family in sorted(cheapest, key=len):
        mask = sum(1 << j for j in family)
        if not any(smaller & mask == smaller for smaller in masks):
            wanted.append(family)
            masks.append(mask)
    wanted = [s for s in wanted if len(s) <= case.most]
    wanted.sort(key=lambda s: (cheapest[s], len(s), s))
    if case.explanation.k is not None:
        wanted = wanted[: case.explanation.k]
    given = set(case.explanation.sets)
    for change_set in wanted:
        if change_set not in given:
            report.fail("complete", f"{change_set} is missing")


def _check_complete_by_sat(case: _Case, report: Report) -> None:
    """Forbids what was found and everything that contains it: nothing may be left."""
    problem = _problem(case, report, "complete", "too many instances for brute force")
    if problem is None:
        return
    report.method = "SAT"
    with problem.solver() as solver:
        for change_set in case.explanation.sets:
            solver.add_clause([problem.keep[j] for j in change_set])
        for clause in problem.at_most(case.most):
            solver.add_clause(clause)
        if solver.solve():
            model = set(solver.get_model())
            missed = tuple(j for j in range(len(case.x)) if problem.keep[j] not in model)
            report.fail("complete", f"a change set within {missed} is missing")


def _check_cheapest_by_sums(case: _Case, report: Report) -> bool:
    """Whatever flips and comes before the last must contain one of those found. False if it cannot be told so."""
    explanation = case.explanation
    if case.sums is None or explanation.costs.per_value is not None:
        return False
    units = [explanation.costs.unit_of(j, *c[:2]) if len(c) > 1 else 0 for j, c in enumerate(case.choices)]
    try:
        for change_set in case.sums.sets_before(explanation.sets[-1], units, case.most, BRUTE_FORCE_ALL):
            if not any(set(given) <= set(change_set) for given in explanation.sets):
                report.fail("complete", f"{change_set} is missing, or a set within it")
                break
    except TooManySets:
        return False
    report.method = "sums"
    return True


def _check_cheapest_by_sat(case: _Case, report: Report) -> None:
    """The optimum of what is left must not be cheaper than the last of what was found."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    problem = _problem(case, report, "complete", "too many instances for brute force")
    if problem is None:
        return
    report.method = "SAT"
    formula = WCNF()
    blocked = [[problem.keep[j] for j in change_set] for change_set in case.explanation.sets]
    for clause in [*problem.clauses, *blocked, *problem.at_most(case.most)]:
        formula.append(clause)
    for literal, cost in problem.soft():
        formula.append([-literal], weight=cost)
    with RC2(formula) as optimizer:
        found = optimizer.compute()
        least = optimizer.cost
    last = min(case.cost(cf.instance.tolist()) for cf in case.explanation if cf.features == case.explanation.sets[-1])
    if found is not None and least < last:
        report.fail("complete", "there is a cheaper change set than the last one given")


def _problem(case: _Case, report: Report, question: str, why: str) -> Problem | None:
    """The goal as clauses; None, with a note, if they are too many."""
    explanation = case.explanation
    try:
        return make_problem(
            case.compiled,
            case.x,
            explanation.prediction,
            explanation.target,
            case.choices,
            explanation.costs,
            case.relations,
        )
    except LimitError as error:
        report.skip(question, f"{why}, and the diagram does not fit its budget: {error}")
        return None
