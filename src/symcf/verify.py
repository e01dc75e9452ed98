"""Is an explanation right? Checked independently of the engines, slowly and obviously.

Four questions, each answered from the definition of a counterfactual (paper, Definition 5) with nothing but the
classifier's own `predict`, brute force while that is feasible, and a fresh SAT solver beyond:

- valid     does each counterfactual get the target class, within the constraints?
- minimal   does no smaller set of changes do?
- complete  is no minimal change set missing (for k: no cheaper one)?
- honest    are order, costs and probabilities what they claim to be?
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.compiled import Compiled
from symcf.constraints import Constraint
from symcf.errors import LimitError
from symcf.explanation import Counterfactual, Explanation
from symcf.naive_bayes import NaiveBayes

__all__ = ["Report", "verify"]

#: Instances that brute force may look at; beyond, a SAT solver answers.
BRUTE_FORCE = 1 << 16

#: The same for the parts of all change sets together; beyond, only sets with few parts are left to brute force.
BRUTE_FORCE_ALL = 1 << 20
FEW_PARTS = 1 << 7

#: A solver that no engine uses by default.
SOLVER = "glucose4"


@dataclass
class Report:
    """What was checked and what was found. True in a condition iff nothing is wrong and everything was checked."""

    #: None: could not be checked; `notes` says why.
    valid: bool | None = True
    minimal: bool | None = True
    complete: bool | None = True
    honest: bool | None = True
    #: How completeness was checked: "brute force", "SAT", or "" if it was not.
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


def verify(compiled: Compiled, x: Any, explanation: Explanation) -> Report:
    """Checks an explanation of instance x against the definition.

    >>> import symcf
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    >>> bool(symcf.verify(c, [0, 0], c.explain([0, 0])))
    True
    """
    report = Report()
    case = _Case(compiled, x, explanation)
    _check_instance(case, report)
    counterfactuals = list(explanation)
    flips = case.flips([cf.instance.tolist() for cf in counterfactuals])
    for cf, flipped in zip(counterfactuals, flips, strict=True):
        _check_valid(case, cf, bool(flipped), report)
        _check_honest(case, cf, report)
    _check_order(case, report)
    _check_minimal(case, report)
    _check_complete(case, report)
    return report


class _Case:
    """The instance and what may become of it, from the user's constraints and not from the engines' masks."""

    def __init__(self, compiled: Compiled, x: Any, explanation: Explanation) -> None:
        self.compiled = compiled
        self.explanation = explanation
        values = [x[name] for name in compiled.features] if isinstance(x, dict) else list(x)
        self.x = [int(value) for value in values]
        self.choices = [self._choices(j) for j in range(len(self.x))]
        limits = [int(c.value) for c in explanation.constraints if c.kind == "max_changes"]
        self.most = min([len(self.x), *limits])

    def _choices(self, j: int) -> list[int]:
        """The values that feature j may have afterwards, its own first."""
        others = [v for v in range(len(self.compiled.values[j])) if v != self.x[j]]
        for constraint in self.explanation.constraints:
            if constraint.feature == j:
                others = [v for v in others if _allows(constraint, self.x[j], v)]
        return [self.x[j], *others]

    def flips(self, rows: Sequence[Sequence[int]]) -> npt.NDArray[np.bool_]:
        """Which rows get the target class?"""
        if not rows:
            return np.zeros(0, dtype=bool)
        array = np.array(rows, dtype=np.int64).reshape(len(rows), len(self.x))
        return np.asarray(self.compiled.predict(array) == self.explanation.target)

    def changed(self, row: Sequence[int]) -> tuple[int, ...]:
        """The features in which a row differs from x."""
        return tuple(j for j in range(len(row)) if row[j] != self.x[j])


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
    if case.compiled.predict([case.x])[0] != explanation.prediction or explanation.target == explanation.prediction:
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
    costs = case.explanation.cost
    if abs(cf.cost - sum(costs[j] for j in cf.features)) > 1e-9 * max(1.0, cf.cost):
        report.fail("honest", f"{cf.features} does not cost {cf.cost}")
    model = case.compiled.model
    if isinstance(model, NaiveBayes) and cf.probability is not None:
        exact = _posterior(model, cf.instance.tolist(), case.explanation.target)
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


def _check_order(case: _Case, report: Report) -> None:
    sets, costs = case.explanation.sets, [Fraction(repr(c)) for c in case.explanation.cost]
    if len(set(sets)) != len(sets):
        report.fail("honest", "a change set appears twice")
    keys = [(sum(costs[j] for j in s), len(s), s) for s in sets]
    if keys != sorted(keys):
        report.fail("honest", "the change sets are not ordered by cost, size, features")


# --- minimal ----------------------------------------------------------------------------------------------------------


def _check_minimal(case: _Case, report: Report) -> None:
    parts = [prod(len(case.choices[j]) for j in change_set) for change_set in case.explanation.sets]
    by_solver = sum(parts) > BRUTE_FORCE_ALL and all(len(values) == 2 for values in case.compiled.values)
    most = FEW_PARTS if by_solver else BRUTE_FORCE
    large = []
    for change_set, count in zip(case.explanation.sets, parts, strict=True):
        if count > most:
            large.append(change_set)
        elif (smaller := _flipping_part(case, change_set)) is not None:
            report.fail("minimal", f"{change_set} is not minimal: {smaller} would do")
    if large and report.minimal:
        _check_large_minimal(case, report, large)


def _flipping_part(case: _Case, change_set: tuple[int, ...]) -> tuple[int, ...] | None:
    """A proper subset that flips the decision: looks at every instance that changes nothing else."""
    choices = [case.choices[j] if j in change_set else [case.x[j]] for j in range(len(case.x))]
    rows = [list(row) for row in itertools.product(*choices)]
    for row in itertools.compress(rows, case.flips(rows)):
        part = case.changed(row)
        if part != change_set:
            return part
    return None


def _check_large_minimal(case: _Case, report: Report, large: Sequence[tuple[int, ...]]) -> None:
    """A set is minimal iff, its features free and all others fixed, no model keeps one of its features."""
    solver = _fresh_solver(case, report, "minimal", f"{len(large)} sets are too large for brute force")
    if solver is None:
        return
    with solver:
        for change_set in large:
            kept = [_keep(case, j) for j in range(len(case.x)) if j not in change_set]
            for j in change_set:
                if solver.solve(assumptions=[*kept, _keep(case, j)]):
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
        _check_cheapest_by_sat(case, report)
    else:
        _check_complete_by_sat(case, report)


def _check_complete_by_force(case: _Case, report: Report) -> None:
    rows = [list(row) for row in itertools.product(*case.choices)]
    flipping = itertools.compress(rows, case.flips(rows))
    families = {case.changed(row) for row in flipping}
    wanted: list[tuple[int, ...]] = []
    for family in sorted(families, key=len):
        if not any(set(smaller) <= set(family) for smaller in wanted):
            wanted.append(family)
    wanted = [s for s in wanted if len(s) <= case.most]
    costs = [Fraction(repr(c)) for c in case.explanation.cost]
    wanted.sort(key=lambda s: (sum(costs[j] for j in s), len(s), s))
    if case.explanation.k is not None:
        wanted = wanted[: case.explanation.k]
    for change_set in wanted:
        if change_set not in set(case.explanation.sets):
            report.fail("complete", f"{change_set} is missing")


def _check_complete_by_sat(case: _Case, report: Report) -> None:
    """Forbids what was found and everything that contains it: nothing may be left."""
    solver = _fresh_solver(case, report, "complete", "too many instances for brute force")
    if solver is None:
        return
    report.method = "SAT"
    with solver:
        for change_set in case.explanation.sets:
            solver.add_clause([_keep(case, j) for j in change_set])
        if case.most < len(case.x):
            from pysat.card import CardEnc, EncType

            changed = [-_keep(case, j) for j in range(len(case.x))]
            top = case.compiled.cnf("node-cut").n_vars
            for clause in CardEnc.atmost(changed, case.most, top_id=top, encoding=EncType.seqcounter).clauses:
                solver.add_clause(clause)
        if solver.solve():
            model = set(solver.get_model())
            missed = tuple(j for j in range(len(case.x)) if -_keep(case, j) in model)
            report.fail("complete", f"a change set within {missed} is missing")


def _check_cheapest_by_sat(case: _Case, report: Report) -> None:
    """The optimum of what is left must not be cheaper than the last of what was found."""
    from pysat.examples.rc2 import RC2

    problem = _problem(case, report, "complete", "too many instances for brute force")
    if problem is None:
        return
    report.method = "SAT"
    costs = [Fraction(repr(c)) for c in case.explanation.cost]
    unit = lcm(*(c.denominator for c in costs))
    for change_set in case.explanation.sets:
        problem.append([_keep(case, j) for j in change_set])
    for j in range(len(case.x)):
        if len(case.choices[j]) > 1:
            problem.append([_keep(case, j)], weight=int(costs[j] * unit))
    with RC2(problem) as optimizer:
        found = optimizer.compute()
    last = sum(costs[j] for j in case.explanation.sets[-1])
    if found is not None and Fraction(optimizer.cost, unit) < last:
        report.fail("complete", "there is a cheaper change set than the last one given")


def _problem(case: _Case, report: Report, question: str, why: str) -> Any:
    """The clauses of the target class and of the features that must stay, or None where there are none to be had."""
    from pysat.formula import WCNF

    if any(len(values) != 2 for values in case.compiled.values):
        report.skip(question, f"{why}, and features have more than two values")
        return None
    try:
        cnf = case.compiled.cnf("node-cut", negate=case.explanation.target == 0)
    except LimitError as error:
        report.skip(question, f"{why}, and the diagram does not fit its budget: {error}")
        return None
    problem = WCNF()
    for clause in cnf.clauses():
        problem.append(list(clause))
    for j in range(len(case.x)):
        if len(case.choices[j]) == 1:
            problem.append([_keep(case, j)])
    return problem


def _fresh_solver(case: _Case, report: Report, question: str, why: str) -> Any:
    from pysat.solvers import Solver

    problem = _problem(case, report, question, why)
    return None if problem is None else Solver(name=SOLVER, bootstrap_with=problem.hard)


def _keep(case: _Case, j: int) -> int:
    """The literal that says: feature j is as it was."""
    return j + 1 if case.x[j] else -(j + 1)
