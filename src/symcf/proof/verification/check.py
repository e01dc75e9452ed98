"""Is an explanation right? Checked independently of the engines, slowly and obviously.

Four questions, each answered from the definition of a counterfactual (paper, Definition 5) with nothing but the
classifier's own `predict`, brute force while that is feasible, sums of weights and a fresh SAT solver beyond:

- valid     does each counterfactual get the target class, within the constraints?
- minimal   does no smaller set of changes do?
- complete  is no minimal change set missing (for k: no cheaper one)?
- honest    are order, costs, names, values, ranges and probabilities what they claim to be?
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.answers.explanation import Explanation
from symcf.answers.facts import Counterfactual
from symcf.answers.reasons import Reasons
from symcf.common.clock import Clock, timed
from symcf.common.options import checked_seconds
from symcf.errors import InternalError, LimitError, OptionError
from symcf.models.goals import NumberGoal
from symcf.models.joint import JointGoal
from symcf.models.naive_bayes import NaiveBayes
from symcf.proof.verification.case import Case, asked_model, with_values
from symcf.proof.verification.completeness import (
    MOST_DUAL,
    TooMany,
    check_complete_by_asking,
    check_complete_by_leaves,
    check_minimal_by_leaves,
    flips_by_numbers,
    hitting_sets,
    missing_by_sat,
    missing_by_sums,
)
from symcf.proof.verification.members import check_members, check_sums_of_members
from symcf.proof.verification.moves import check_moves
from symcf.proof.verification.numbers import verify_numbers
from symcf.proof.verification.reasons import verify_reasons
from symcf.proof.verification.report import Report, look_at, unless_late
from symcf.proof.verification.sat import MOST_FREE, Problem, Reach, largest_without, make_problem
from symcf.proof.verification.shown import check_shown
from symcf.proof.verification.sums import TooManySets
from symcf.question.grids import listed_values
from symcf.question.relations import cut_for
from symcf.system.classifier import Classifier

__all__ = ["Report", "verify"]

#: Instances that brute force may look at; beyond, a SAT solver answers.
BRUTE_FORCE = 1 << 16

#: Nodes that all passes over a diagram may look at together; beyond, a SAT solver answers.
PASSES = 1 << 29

#: Instances that brute force may look at for the parts of all change sets together; beyond, only for sets with few.
BRUTE_FORCE_ALL = 1 << 20
FEW_PARTS = 1 << 7


@timed
def verify(
    compiled: Classifier, x: Any, explanation: Explanation | Reasons, *, time_limit: float | None = None
) -> Report:
    """Checks an explanation of instance x, or the reasons for its decision, against the definition.

    What takes too many steps, or more than ``time_limit`` seconds, is reported as not checked.

    >>> import symcf
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    >>> bool(symcf.verify(c, [0, 0], c.explain([0, 0])))
    True
    """
    if not isinstance(explanation, (Explanation, Reasons)):
        raise OptionError(f"verify checks what explain or why gave, not {type(explanation).__name__}")
    clock = Clock(checked_seconds(time_limit))
    goal = explanation.goal
    if goal is not None:
        compiled = compiled.towards(goal)
    if isinstance(explanation, Explanation):
        report = Report()
        _check_places(compiled, explanation, report)
        if not report:
            return report
        target = explanation.target if compiled.n_classes > 2 else None
        compiled = listed_values(compiled, explanation.values, x, target)
    points = {c.feature: c.points for c in explanation.constraints if c.points}
    compiled = cut_for(compiled, [c.value for c in explanation.constraints if c.is_rule], points)
    if isinstance(explanation, Explanation) and explanation.at_target:
        return _check_at_target(compiled, x, explanation, clock)
    numbers = compiled.decision.numbers is not None
    joint = isinstance(goal, JointGoal)
    if numbers and joint and isinstance(explanation, Explanation):
        report, look = Report(), look_at(clock)
        unless_late(report, "valid", look, lambda: check_members(compiled, explanation, report, look))
        unless_late(report, "valid", look, lambda: check_sums_of_members(compiled, x, explanation, report, look))
        return report
    if numbers and isinstance(explanation, Explanation):
        report = verify_numbers(compiled, x, explanation, clock)
        _check_numbers(compiled, explanation, report)
        unless_late(
            report, "honest", look_at(clock), lambda: check_shown(compiled, x, explanation, report, look_at(clock))
        )
        return report
    if isinstance(explanation, Reasons):
        return verify_reasons(compiled, x, explanation, clock)
    report = Report()
    if joint:
        unless_late(
            report, "valid", look_at(clock), lambda: check_members(compiled, explanation, report, look_at(clock))
        )
    else:
        _check_numbers(compiled, explanation, report)
    case = Case(with_values(compiled, explanation.values), x, explanation, clock)
    unless_late(report, "valid", case.look, lambda: _check_codes(case, report))
    if report.valid is False:
        return report
    _check_instance(case, report)
    unless_late(report, "honest", case.look, lambda: check_shown(case.compiled, x, explanation, report, case.look))
    if explanation.minimality == "moves":
        every = "valid minimal complete honest"
        unless_late(report, every, case.look, lambda: check_moves(case, _check_listed(case, report), report))
        return report
    unless_late(report, "valid honest", case.look, lambda: _check_all_listed(case, report))
    if case.compared is not None and not case.compared.is_known:
        for question in ("minimal", "complete"):
            report.skip(question, "relations over sums leave too many numbers to try")
        return report
    unless_late(report, "minimal", case.look, lambda: _check_minimal(case, report))
    unless_late(report, "complete", case.look, lambda: _check_complete(case, report))
    return report


def _check_at_target(compiled: Classifier, x: Any, explanation: Explanation, clock: Clock) -> Report:
    """Of a row that was as wanted: is it so decided, and is nothing listed that would have to change?"""
    if compiled.decision.numbers is None:
        compiled = with_values(compiled, explanation.values)
    report, own = Report(), np.asarray(compiled.instance(x), dtype=np.int64)[0]
    if own.tolist() != explanation.instance.tolist():
        report.fail("valid", f"the explanation is of {explanation.instance.tolist()}, not of {own.tolist()}")
    if compiled.decide(own.reshape(1, -1))[0] != explanation.prediction:
        report.fail("valid", "the prediction or the target is wrong")
    if explanation.sets or explanation.blocking or not explanation.complete:
        report.fail("complete", "the row is as wanted: nothing has to change, and nothing stands in the way")
    look = look_at(clock)
    unless_late(report, "honest", look, lambda: check_shown(compiled, x, explanation, report, look))
    return report


def _check_numbers(compiled: Classifier, explanation: Explanation, report: Report) -> None:
    """Where the target is a number: does the model's own number, in floats, reach it in each changed row?"""
    if not isinstance(explanation.goal, NumberGoal):
        return
    rows = [cf.row for cf in explanation]
    if not rows or any(row is None for row in rows):
        return
    codes = np.concatenate([compiled.encoder.encode_one(row).reshape(1, -1) for row in rows])
    numbers = compiled.model.reached(codes)
    assert numbers is not None
    for cf, number, holds in zip(explanation, numbers.tolist(), explanation.goal.holds(numbers).tolist(), strict=True):
        if not holds:
            report.fail("valid", f"{cf.features} gives {number!r}, which is not {explanation.goal.reached}")
        if cf.reached is not None and abs(cf.reached - number) > 1e-9 * max(1.0, abs(number)):
            report.fail("honest", f"{cf.features} gives {number!r}, not {cf.reached!r}")


def _check_all_listed(case: Case[Explanation], report: Report) -> None:
    counterfactuals = _check_listed(case, report)
    _check_sets(case, counterfactuals, report)
    _check_order(case, counterfactuals, report)


def _check_listed(case: Case[Explanation], report: Report) -> list[Counterfactual]:
    """Checks the counterfactuals one by one, and gives them."""
    compiled, counterfactuals = case.compiled, _listed(case, report)
    codes = [case.codes_of(cf) for cf in counterfactuals]
    rows = np.array(codes, dtype=np.int64).reshape(len(counterfactuals), len(case.x))
    classes = compiled.decide(case.values_of(rows)).tolist() if counterfactuals else []
    posterior = _Posterior(compiled.model) if isinstance(compiled.model, NaiveBayes) else None
    for cf, flipped, given in zip(counterfactuals, case.flips(rows).tolist(), classes, strict=True):
        case.look()
        _check_valid(case, cf, flipped, report)
        _check_honest(case, cf, given, posterior, report)
    return counterfactuals


def _listed(case: Case[Explanation], report: Report) -> list[Counterfactual]:
    """The counterfactuals; a set that has none is reported."""
    found = []
    for change_set in case.explanation.sets:
        case.look()
        try:
            found += case.explanation.of_set(change_set)
        except InternalError as error:
            report.fail("valid", str(error.args[0]))
    return found


# --- valid and honest -------------------------------------------------------------------------------------------------


def _check_places(compiled: Classifier, e: Explanation, report: Report) -> None:
    """Are classes and features among those of the classifier?"""
    for k in (e.prediction, *(() if e.target is None else (e.target,))):
        if not 0 <= k < compiled.n_classes:
            report.fail("valid", f"{k} is not the code of a class")
    features = range(compiled.n_features)
    for place in ({j for change_set in e.sets for j in change_set} | {c.feature for c in e.constraints}) - {None}:
        if place not in features:
            report.fail("valid", f"{place} is not the number of a feature")


def _check_codes(case: Case[Explanation], report: Report) -> None:
    """Are all value codes those of values?"""
    sizes = [len(labels) for labels in case.compiled.values]
    listed = _listed(case, Report())
    if any(not 0 <= cf.target < case.compiled.n_classes for cf in listed):
        report.fail("valid", "a counterfactual has the code of no class")
    for row in (case.explanation.instance, *(cf.instance for cf in listed)):
        if len(row) != len(sizes) or not all(0 <= code < size for code, size in zip(row.tolist(), sizes, strict=True)):
            report.fail("valid", f"{row.tolist()} are not codes of values")


def _check_instance(case: Case[Explanation], report: Report) -> None:
    explanation = case.explanation
    if case.x != explanation.instance.tolist():
        report.fail("valid", f"the explanation is of {explanation.instance.tolist()}, not of {case.x}")
    decided = case.compiled.decide(np.array([case.x], dtype=np.int64))[0]
    if decided != explanation.prediction or explanation.target == explanation.prediction:
        report.fail("valid", "the prediction or the target is wrong")


def _check_valid(case: Case[Explanation], cf: Counterfactual, flipped: bool, report: Report) -> None:
    new = case.codes_of(cf)
    changed = case.changed(new)
    for fault in () if case.compared is None else case.compared.faults(cf.features, cf.row):
        report.fail("valid", fault)
    if changed != cf.features:
        report.fail("valid", f"{cf.features} is announced, {changed} changes")
    if len(changed) > case.most:
        report.fail("valid", f"{changed} has more than {case.most} changes")
    for j in changed:
        if new[j] not in case.choices[j][1:]:
            report.fail("valid", f"feature {case.compiled.features[j]!r} may not become {new[j]}")
    if not flipped:
        report.fail("valid", f"changing {changed} does not give the target class")


def _check_honest(
    case: Case[Explanation], cf: Counterfactual, class_given: int, posterior: _Posterior | None, report: Report
) -> None:
    costs = case.explanation.costs
    new = cf.instance.tolist()
    if abs(cf.cost - costs.total_of(case.x, {j: new[j] for j in cf.features})) > 1e-9 * max(1.0, cf.cost):
        report.fail("honest", f"{cf.features} does not cost {cf.cost}")
    if cf.target != class_given:
        report.fail("honest", f"changing {cf.features} does not give class {cf.target}")
    if posterior is not None and cf.probability is not None:
        exact = posterior(new, cf.target)
        if abs(cf.probability - exact) > 1e-9:
            report.fail("honest", f"{cf.features} has probability {exact:.12f}, not {cf.probability:.12f}")


class _Posterior:
    """P(class | row), from the model's own numbers, which are fractions: in integers and rounded once, at the end."""

    def __init__(self, model: NaiveBayes) -> None:
        self._prior = _integers([float(p) for p in model.class_prior])
        #: By feature the numbers by class and value, as multiples of the same fraction.
        self._tables = []
        for table in model.tables:
            whole = _integers(table.ravel().tolist())
            width = table.shape[1]
            self._tables.append([whole[k * width : (k + 1) * width] for k in range(len(self._prior))])

    def __call__(self, row: Sequence[int], wanted: int) -> float:
        joint = [
            prior * prod(table[k][value] for table, value in zip(self._tables, row, strict=True))
            for k, prior in enumerate(self._prior)
        ]
        return joint[wanted] / sum(joint)


def _integers(numbers: Sequence[float]) -> list[int]:
    """The same numbers, all multiplied by one power of two."""
    ratios = [number.as_integer_ratio() for number in numbers]
    scale = max(bottom for _, bottom in ratios)
    return [top * (scale // bottom) for top, bottom in ratios]


def _check_sets(case: Case[Explanation], counterfactuals: Sequence[Counterfactual], report: Report) -> None:
    """Do the counterfactuals belong to the change sets, and are their values the cheapest, or all there are?"""
    explanation = case.explanation
    by_set: dict[tuple[int, ...], list[list[int]]] = {s: [] for s in explanation.sets}
    for cf in counterfactuals:
        if cf.features not in by_set:
            report.fail("valid", f"{cf.features} is not one of the change sets")
        else:
            by_set[cf.features].append(case.codes_of(cf))
    for change_set, given in by_set.items():
        case.look()
        if len(given) != 1 and not explanation.all_values:
            report.fail("honest", f"{change_set} has {len(given)} counterfactuals")
        plain = explanation.costs.per_value is None and not explanation.all_values
        if plain or case.n_within(change_set) > FEW_PARTS:
            continue
        rows = case.rows_within(change_set)
        rows = rows[(rows != case.x).sum(axis=1) == len(change_set)]
        flipping = rows[case.flips(rows)]
        if explanation.all_values and sorted(given) != sorted(flipping.tolist()):
            report.fail("complete", f"{change_set} has {len(flipping)} assignments, not {len(given)}")
        if not explanation.all_values and given and case.cost(given[0]) > min(case.costs(flipping), default=0):
            report.fail("honest", f"there are cheaper values for {change_set}")


def _check_order(case: Case[Explanation], counterfactuals: Sequence[Counterfactual], report: Report) -> None:
    sets = case.explanation.sets
    if len(set(sets)) != len(sets):
        report.fail("honest", "a change set appears twice")
    cheapest: dict[tuple[int, ...], int] = {}
    for cf in counterfactuals:
        cost = case.cost(case.codes_of(cf))
        cheapest[cf.features] = min(cost, cheapest.get(cf.features, cost))
    keys = [(cheapest.get(s, 0), len(s), s) for s in sets]
    if keys != sorted(keys):
        report.fail("honest", "the change sets are not ordered by cost, size, features")


# --- minimal ----------------------------------------------------------------------------------------------------------


def _check_minimal(case: Case[Explanation], report: Report) -> None:
    parts = [case.n_within(change_set) for change_set in case.explanation.sets]
    most = FEW_PARTS if sum(parts) > BRUTE_FORCE_ALL else BRUTE_FORCE
    large = []
    for change_set, count in zip(case.explanation.sets, parts, strict=True):
        case.look()
        if count > most:
            large.append(change_set)
        elif (smaller := _flipping_part(case, change_set)) is not None:
            report.fail("minimal", f"{change_set} is not minimal: {smaller} would do")
    if large and case.sums is not None:
        for change_set in filter(case.sums.has_flipping_part, large):
            report.fail("minimal", f"{change_set} is not minimal: one of its features may keep its value")
    elif large and case.compared is not None:
        can_flip = flips_by_numbers(case)
        for change_set in large:
            if any(can_flip(set(change_set) - {j}) for j in change_set):
                report.fail("minimal", f"{change_set} is not minimal: one of its features may keep its value")
    elif large and asked_model(case.compiled) is not None:
        report.skip("minimal", f"{len(large)} sets have too many parts to ask about all of them")
    elif large and report.minimal:
        _check_large_minimal(case, report, large)


def _flipping_part(case: Case[Explanation], change_set: tuple[int, ...]) -> tuple[int, ...] | None:
    """A proper subset that flips the decision: looks at every instance that changes nothing else."""
    rows = case.rows_within(change_set)
    rows = rows[(rows != case.x).sum(axis=1) < len(change_set)]
    flipping = rows[case.flips(rows)]
    return case.changed(flipping[0].tolist()) if len(flipping) else None


def _check_large_minimal(case: Case[Explanation], report: Report, large: Sequence[tuple[int, ...]]) -> None:
    """A set is minimal iff, its features free and all others fixed, no model keeps one of its features."""
    if case.leaves is not None:
        check_minimal_by_leaves(case, case.leaves, report, large)
        return
    if len(case.free) <= MOST_FREE and (reach := _reach(case)) is not None:
        for change_set in large:
            for j in change_set:
                if reach.can_flip(set(change_set) - {j}):
                    report.fail("minimal", f"{change_set} is not minimal: {j} may keep its value")
        return
    problem = _problem(case, report, "minimal", f"{len(large)} sets are too large for brute force")
    if problem is None:
        return
    with problem.solver() as solver:
        for change_set in large:
            kept = [problem.keep[j] for j in range(len(case.x)) if j not in change_set]
            for j in change_set:
                if problem.solve(solver, [*kept, problem.keep[j]]):
                    report.fail("minimal", f"{change_set} is not minimal: {j} may keep its value")


# --- complete ---------------------------------------------------------------------------------------------------------


def _check_complete(case: Case[Explanation], report: Report) -> None:
    explanation = case.explanation
    if explanation.limited_by is not None:
        report.notes.append(f"the explanation does not claim to be complete ({explanation.limited_by})")
        return
    if prod(len(choices) for choices in case.choices) <= BRUTE_FORCE:
        report.method = "brute force"
        _check_complete_by_force(case, report)
    elif case.compared is not None:
        _check_complete_by_numbers(case, report)
    elif asked_model(case.compiled) is not None:
        check_complete_by_asking(case, report)
    elif case.leaves is not None:
        check_complete_by_leaves(case, case.leaves, report)
    elif explanation.k is not None and len(explanation.sets) == explanation.k:
        _check_cheapest(case, report)
    elif not _check_complete_by_duality(case, report) and not _check_complete_by_diagram(case, report):
        _check_complete_by_sat(case, report)


def _check_complete_by_force(case: Case[Explanation], report: Report) -> None:
    """Looks at every row. Sets are numbers here, bit by bit over the features that may change."""
    free = case.free
    rows = case.rows_within(free)
    rows = rows[case.flips(rows)]
    numbers = (rows[:, free] != np.array(case.x, dtype=np.int64)[free]) @ (1 << np.arange(len(free)))
    paid = case.costs(rows)
    cheapest = np.full(1 << len(free), paid.max(initial=0), dtype=paid.dtype)
    np.minimum.at(cheapest, numbers, paid)
    flips = np.zeros(1 << len(free), dtype=bool)
    flips[numbers] = True
    minimal = flips & ~_above(flips, len(free))
    wanted = []
    for number in np.flatnonzero(minimal).tolist():
        change_set = tuple(j for i, j in enumerate(free) if number >> i & 1)
        if len(change_set) <= case.most:
            wanted.append((int(cheapest[number]), len(change_set), change_set))
    given = set(case.explanation.sets)
    for _, _, change_set in sorted(wanted)[: case.explanation.k]:
        if change_set not in given:
            report.fail("complete", f"{change_set} is missing")


def _above(marked: npt.NDArray[np.bool_], n: int) -> npt.NDArray[np.bool_]:
    """By number of a set of n elements: is a proper part of it marked?"""
    within = marked.copy()  # a part of it, or the set itself
    proper = np.zeros_like(marked)
    for i in range(n):
        halves, proper_halves = within.reshape(-1, 2, 1 << i), proper.reshape(-1, 2, 1 << i)
        proper_halves[:, 1] |= proper_halves[:, 0] | halves[:, 0]
        halves[:, 1] |= halves[:, 0]
    return proper


def _reach(case: Case[Explanation]) -> Reach | None:
    """The ways through the diagram of the goal; None if that does not fit the classifier's budget."""
    e = case.explanation
    try:
        return Reach(case.compiled, case.x, e.prediction, e.target, case.choices, case.relations, case.clock)
    except LimitError:
        case.look()
        return None


def _check_complete_by_numbers(case: Case[Explanation], report: Report) -> None:
    """Where columns are compared, their ranges are tried in all combinations; no other change may lead to the goal."""
    e = case.explanation
    if e.k is not None and len(e.sets) == e.k:
        report.skip("complete", "columns are compared, and too many instances for brute force come before the last set")
        return
    if len(case.free) > MOST_FREE:
        report.skip("complete", "columns are compared, and too many features may change")
        return
    can_flip = flips_by_numbers(case)
    report.method = "numbers"
    for free in largest_without(e.sets, case.free, case.most):
        if can_flip(free):
            report.fail("complete", f"a change set within {free} is missing")
            break


def _check_complete_by_duality(case: Case[Explanation], report: Report) -> bool:
    """Every minimal set of features that has one in common with each change set must be enough for the decision: then
    whatever flips it contains a listed set. False if there are no sums to tell, or too many such sets.
    """
    if case.sums is None or case.most < len(case.x):
        return False
    try:
        dual = hitting_sets(case.explanation.sets, MOST_DUAL, case.look)
    except TooMany:
        return False
    report.method = "duality"
    for kept in dual:
        free = [j for j in case.free if j not in kept]
        if case.sums.can_flip(free):
            report.fail("complete", f"a change set within {tuple(free)} is missing")
            break
    return True


def _check_complete_by_diagram(case: Case[Explanation], report: Report) -> bool:
    """No way may lead to the goal without a set that was found. False if that would take too long."""
    if case.sums is not None or len(case.free) > MOST_FREE or (reach := _reach(case)) is None:
        return False
    largest = largest_without(case.explanation.sets, case.free, case.most)
    if len(largest) * reach.n_nodes > PASSES:
        return False
    report.method = "diagram"
    for free in largest:
        if reach.can_flip(free):
            report.fail("complete", f"a change set within {free} is missing")
            break
    return True


def _check_complete_by_sat(case: Case[Explanation], report: Report) -> None:
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
        if problem.solve(solver):
            report.fail("complete", f"a change set within {problem.changed(solver.get_model())} is missing")


def _check_cheapest(case: Case[Explanation], report: Report) -> None:
    """Whatever is minimal and comes before the last of the sets must be one of them."""
    last = case.explanation.sets[-1]
    try:
        cost = min(case.cost(cf.instance.tolist()) for cf in case.explanation.of_set(last))
    except InternalError:
        report.skip("complete", f"{last}, the last change set, has no counterfactual")
        return
    try:
        report.method = "sums"
        missing = missing_by_sums(case, cost, BRUTE_FORCE_ALL)
    except TooManySets:
        problem = _problem(case, report, "complete", "too many instances for brute force", priced=True)
        if problem is None:
            report.method = ""
            return
        report.method = "SAT"
        missing = missing_by_sat(case, cost, problem)
    if missing is not None:
        report.fail("complete", f"{missing} is missing: it comes before {last}, the last one given")


def _problem(case: Case[Explanation], report: Report, question: str, why: str, priced: bool = False) -> Problem | None:
    """The goal as clauses, with costs if it is `priced`; None, with a note, if they are too many."""
    explanation = case.explanation
    try:
        return make_problem(
            case.compiled,
            case.x,
            explanation.prediction,
            explanation.target,
            case.choices,
            case.units if priced else None,
            case.relations,
            case.clock,
        )
    except LimitError as error:
        case.look()
        report.skip(question, f"{why}, and the diagram does not fit its budget: {error}")
        return None
