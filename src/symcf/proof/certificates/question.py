"""A question about one row, as certificates have it."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from symcf.errors import OptionError
from symcf.question.case import Case

__all__ = ["question_to_dict"]


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
    stated = [constraint.certificate() for constraint in question.constraints.items if not constraint.apart]
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
