"""A certificate: what it states, its number, and how it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from os import PathLike
from typing import Any

from symcf.common.clock import Clock
from symcf.common.files import written_whole
from symcf.errors import OptionError
from symcf.proof.certificates.arguments import TimedEffort, argument_for, check_time
from symcf.proof.certificates.model import model_to_dict
from symcf.proof.checker.form import FORMAT, VERSION, canonical, number_of
from symcf.proof.checker.statement import Statement
from symcf.question.case import Case
from symcf.search.plan import Plan

__all__ = ["Certificate", "certificate_of", "question_to_dict"]


class Certificate:
    """A model's rule, a row, a question, its answer, and why the answer is complete. `symcf.check` checks it.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> certificate = symcf.compile(admission()).explain([0, 0, 1, 0]).certificate()
    >>> certificate.data["answer"]["sets"], certificate.data["proof"]
    ([[1], [0, 3]], {'kind': 'duality', 'reasons': [[0, 1], [1, 3]]})
    >>> bool(symcf.check(certificate))
    True
    """

    def __init__(self, data: dict[str, Any]) -> None:
        #: All of it, as lists, numbers and strings.
        self.data = data

    @property
    def number(self) -> str:
        """A short number to quote; a certificate with other content has another."""
        return str(self.data["number"])

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the model: of its names and its rule."""
        return str(self.data["model"]["fingerprint"])

    @property
    def claim(self) -> str:
        """What is claimed of the list: "all", "up to" a number of changes, the "first" by cost, or just "listed"."""
        return str(self.data["answer"]["claim"]["kind"])

    def to_json(self) -> str:
        """One line of JSON, the only way to write this certificate."""
        return canonical(self.data)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes it to a file."""
        with written_whole(path) as name, open(name, "w", encoding="ascii") as file:
            file.write(self.to_json() + "\n")

    def __repr__(self) -> str:
        return f"Certificate({self.number}, {len(self.data['answer']['sets']):,} change sets, {self.claim!r})"


def certificate_of(
    case: Case,
    plan: Plan,
    sets: Sequence[tuple[int, ...]],
    codes: Iterable[Sequence[int]],
    *,
    complete: bool,
    complete_up_to: int | None,
    k: int | None,
    clock: Clock,
    model: dict[str, Any] | None = None,
) -> Certificate:
    """The certificate of change sets of a case, each with its new codes."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "number": "",
        "model": model_to_dict(case.question.classifier, clock) if model is None else model,
        "row": list(map(int, case.x)),
        "decision": case.prediction,
        "question": question_to_dict(case, k),
        "answer": {
            "sets": list(_in_time(sets, clock)),
            "values": list(_in_time(codes, clock)),
            "claim": _claim(case, len(sets), complete, complete_up_to, k),
        },
        "proof": {"kind": "none"},
    }
    data["proof"] = argument_for(Statement(data, TimedEffort(clock)), case, plan, clock)
    data["number"] = number_of(data)
    return Certificate(data)


def _in_time(lines: Iterable[Sequence[int]], clock: Clock) -> Iterator[list[int]]:
    for numbers in lines:
        check_time(clock)
        yield list(map(int, numbers))


def _claim(case: Case, count: int, complete: bool, complete_up_to: int | None, k: int | None) -> dict[str, Any]:
    most = case.question.constraints.max_changes
    if complete and (k is None or count < k):
        return {"kind": "all"} if most is None else {"kind": "up to", "changes": min(most, len(case.x))}
    if complete and case.costs.per_value is None:
        return {"kind": "first"}
    if complete_up_to:
        return {"kind": "up to", "changes": complete_up_to}
    return {"kind": "listed"}


# --- questions --------------------------------------------------------------------------------------------------------
# A question about one row, as certificates have it.


def question_to_dict(case: Case, k: int | None) -> dict[str, Any]:
    """What was asked about the row; `OptionError` if certificates cannot say it."""
    question = case.question
    if question.minimality != "features":
        raise OptionError("certificate: with minimality='moves' there is none; ask with minimality='features'")
    if case.orders:
        raise OptionError(
            f"certificate: it lists ranges of numbers, so it cannot state {case.orders[0].text!r}, which compares the "
            f"numbers themselves; leave this constraint out, or check the explanation with symcf.verify"
        )
    if question.classifier.cuts:
        names = ", ".join(repr(question.classifier.features[j]) for j in question.classifier.cuts)
        raise OptionError(
            f"certificate: it lists the ranges that the model knows, and this question compares {names} with other "
            f"numbers; leave that out, or check the explanation with symcf.verify"
        )
    if question.is_coupled:
        raise OptionError(
            "certificate: over columns of numbers it states ranges and directions, neither relations, nor one class of "
            "several, nor that a column with a curved term holds whole numbers; check the explanation with symcf.verify"
        )
    permitted = question.constraints.permitted()
    stated = [
        # a missing value has no direction
        {"kind": "immutable", "feature": constraint.feature}
        if constraint.feature is not None and case.x[constraint.feature] in permitted[constraint.feature].astray
        else constraint.certificate()
        for constraint in question.constraints.items
        if not constraint.apart
    ]
    formulas = [] if question.relations is None else question.relations.formulas
    return {
        "target": case.target,
        "constraints": stated,
        "relations": [formula.to_list() for formula in formulas],
        "costs": _costs(case),
        "max_changes": question.constraints.max_changes,
        "k": k,
    }


def _costs(case: Case) -> dict[str, Any] | None:
    """Integers by feature, or by feature and new value, and their unit; None where every change costs 1."""
    costs, values = case.costs, case.question.classifier.values
    if costs.units is None:
        return None
    numbers: list[list[Fraction]] = []
    for j, price in enumerate(costs.prices):
        if price.scale is not None:
            raise OptionError(
                f"certificate: the cost of {case.question.classifier.features[j]!r} is a distance between numbers, of "
                f"which there are too many to list; give one number per feature"
            )
        own = case.x[j]
        by_value = price.by_value
        numbers.append(
            [costs.number_of(j, own, v) for v in range(len(values[j]))] if by_value else [costs.number_of(j, 0, 1)]
        )
    whole = lcm(*(number.denominator for row in numbers for number in row))
    units = [[int(number * whole) for number in row] for row in numbers]
    by_feature = [row if price.by_value else row[0] for row, price in zip(units, costs.prices, strict=True)]
    return {"unit": [1, whole], "by_feature": by_feature}
