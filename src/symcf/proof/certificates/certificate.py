"""A certificate: what it states, its number, and how it is written."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from os import PathLike
from typing import Any

from symcf.common.clock import Clock
from symcf.common.files import written_whole
from symcf.data.numbers import MISSING, NumberLine
from symcf.errors import OptionError
from symcf.proof.certificates.arguments import TimedEffort, argument_for, boxes_for, check_time, rows_for
from symcf.proof.certificates.model import label_to_json, model_to_dict, number_to_json
from symcf.proof.checker.domains import is_number
from symcf.proof.checker.form import FORMAT, VERSION, Rejected, number_of
from symcf.proof.checker.statement import Statement
from symcf.question.case import Case, case_of
from symcf.question.constraints import Constraint
from symcf.question.question import Question
from symcf.search.plan import Plan
from symcf.system.classifier import Classifier

__all__ = ["Certificate", "certificate_of", "certificate_of_reasons", "certificate_of_region", "stated_row"]


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

    def states(self, cells: Sequence[Any], decision: Any, sets: Iterable[Sequence[int]]) -> bool:
        """Is it about this row, given by feature, this decision and these change sets?"""
        data = self.data
        answer = label_to_json(decision), sorted(list(map(int, s)) for s in sets)
        row = data.get("row", [])
        same = all(map(_is_cell, row, cells)) and len(cells) == len(row)
        return same and (data.get("decision"), sorted(data["answer"].get("sets", ()))) == answer

    def to_json(self) -> str:
        """One line of JSON. Any other formatting of it is the same certificate."""
        return json.dumps(self.data, allow_nan=False, separators=(",", ":"))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes it to a file."""
        with written_whole(path) as name, open(name, "w", encoding="ascii") as file:
            file.write(self.to_json() + "\n")

    def __repr__(self) -> str:
        answer = self.data["answer"]
        if "region" in self.data:
            return f"Certificate({self.number}, a region)"
        listed = f"{len(answer['sets']):,} change sets" if "sets" in answer else f"{len(answer['reasons']):,} reasons"
        return f"Certificate({self.number}, {listed}, {self.claim!r})"


def _is_cell(stated: Any, cell: Any) -> bool:
    """Does a row's cell say what a certificate states? A missing number has a label of its own there."""
    given = label_to_json(cell)
    is_missing = given is None or (isinstance(given, dict) and given["text"].lower() in ("nan", "nat", "<na>"))
    return bool(stated == given or is_missing)


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
    model = _model_of(case, clock) if model is None else model
    terms = _Terms(case)
    claim = _claim(case, sets, complete, complete_up_to, k)
    answer = {
        "sets": [list(map(int, numbers)) for numbers in _in_time(sets, clock)],
        "values": [terms.values(s, new) for s, new in zip(sets, _in_time(codes, clock), strict=True)],
        "claim": claim,
    }
    data, statement = _stated(terms, case, k, answer, {"kind": "none"}, clock, model)
    by_boxes = statement.moves is not None or statement.claim == "cheapest"
    if by_boxes or any(isinstance(cost, tuple) for cost in statement.costs):
        statement = _by_cost(data, statement, clock)
    if by_boxes:
        data["proof"] = boxes_for(statement)
        if statement.least is not None:
            claim["least"] = list(statement.least.as_integer_ratio())
    else:
        data["proof"] = argument_for(statement, case, plan, clock)
    data["number"] = number_of(data)
    return Certificate(data)


def certificate_of_reasons(
    case: Case,
    plan: Plan,
    reasons: Iterable[Sequence[int]],
    new_codes: Callable[[tuple[int, ...]], Sequence[int]],
    *,
    complete: bool,
    k: int | None,
    clock: Clock,
    model: dict[str, Any] | None = None,
) -> Certificate:
    """The certificate of the reasons of a case; ``new_codes`` gives new codes for a set of changes that flips."""
    model = _model_of(case, clock) if model is None else model
    terms, listed = _Terms(case), [list(map(int, reason)) for reason in _in_time(reasons, clock)]
    kind = "listed" if not complete else "all" if k is None or len(listed) < k else "first"
    proof: dict[str, Any] = {"kind": "rows", "sets": [], "values": []}
    data, statement = _stated(terms, case, k, {"reasons": listed, "claim": {"kind": kind}}, proof, clock, model)
    rows = rows_for(statement, case, plan, new_codes, clock)
    data["proof"]["sets"] = [list(features) for features, _ in rows]
    data["proof"]["values"] = [terms.values(features, codes) for features, codes in rows]
    data["number"] = number_of(data)
    return Certificate(data)


def certificate_of_region(case: Case, box: Mapping[int, Sequence[int]], clock: Clock) -> Certificate:
    """The certificate that no row of a box can reach the target. ``case`` is a row of it; by feature the box has codes,
    or the codes at the ends of a range, and features that it lacks may be anything.
    """
    classifier, terms = case.question.classifier, _Terms(case)
    target = case.target
    if target is None and classifier.n_classes == 2:
        target = 1 - case.prediction
    if target is None:
        raise OptionError("certificate: of three and more classes, a region needs target=")
    data = {
        "format": FORMAT,
        "version": VERSION,
        "number": "",
        "model": _model_of(case, clock),
        "region": terms.region(box),
        "question": {
            **terms.question(None),
            "target": [label_to_json(classifier.classes[target])],
            "costs": None,
        },
        "answer": {"sets": [], "values": [], "claim": {"kind": "all"}},
        "proof": {"kind": "boxes", "steps": []},
    }
    data["proof"] = boxes_for(_read(data, clock))
    data["number"] = number_of(data)
    return Certificate(data)


def _model_of(case: Case, clock: Clock) -> dict[str, Any]:
    """The model as it was before the question cut its columns."""
    classifier = case.question.classifier
    uncut = classifier.model.uncut
    stated = classifier if uncut is classifier.model else Classifier(uncut, classifier.order, classifier.limits)
    return model_to_dict(stated, clock)


def _stated(
    terms: _Terms,
    case: Case,
    k: int | None,
    answer: dict[str, Any],
    proof: dict[str, Any],
    clock: Clock,
    model: dict[str, Any],
) -> tuple[dict[str, Any], Statement]:
    """A certificate as data, without its argument and its number; and as the checker reads it."""
    classifier = case.question.classifier
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "number": "",
        "model": model,
        "row": terms.row(),
        "decision": label_to_json(classifier.classes[case.prediction]),
        "question": terms.question(k),
        "answer": answer,
        "proof": proof,
    }
    return data, _read(data, clock)


def _read(data: dict[str, Any], clock: Clock) -> Statement:
    """As the checker reads it; `OptionError` if it cannot."""
    try:
        return Statement(data, TimedEffort(clock))
    except Rejected as error:
        raise OptionError(
            f"certificate: this question cannot be stated ({error}); check the answer with symcf.verify"
        ) from None


def _in_time(lines: Iterable[Sequence[int]], clock: Clock) -> Iterator[Sequence[int]]:
    for numbers in lines:
        check_time(clock)
        yield numbers


def _claim(
    case: Case, sets: Sequence[tuple[int, ...]], complete: bool, complete_up_to: int | None, k: int | None
) -> dict[str, Any]:
    most, moves = case.question.constraints.max_changes, case.question.minimality == "moves"
    if complete and (k is None or len(sets) < k):
        return {"kind": "all"} if most is None else {"kind": "up to", "changes": min(most, len(case.x))}
    if complete and case.costs.per_value is None and not moves:
        return {"kind": "first"}
    if complete and len(sets) == k:
        return {"kind": "cheapest", "least": [1, 1]}  # the proof finds how much
    if complete_up_to and not moves:
        return {"kind": "up to", "changes": complete_up_to}
    return {"kind": "listed"}


def _by_cost(data: dict[str, Any], statement: Statement, clock: Clock) -> Statement:
    """The sets of an answer by their exact costs, each number moved as little as its cell requires: what is shown may
    lie farther, where numbers come in steps.
    """
    answer = data["answer"]
    if not statement.relations:
        for features, values in zip(statement.sets, answer["values"], strict=True):
            for i, j in enumerate(features):
                domain, own = statement.domains[j], statement.numbers[j]
                if domain.cuts is None or own is None or not is_number(values[i]):
                    continue
                cell = domain.interval(domain.code_of(values[i], "a number"))
                inside = [] if cell is None else statement.pieces(j, cell)
                near = [min(max(own, low), high) for low, high in inside]
                near = [number for number in near if number != own]
                if near:
                    values[i] = number_to_json(min(near, key=lambda number: abs(number - own)))
        statement = Statement(data, TimedEffort(clock))
    keys = [(statement.cost_of(at), len(s), s) for at, s in enumerate(statement.sets)]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    answer["sets"] = [answer["sets"][at] for at in order]
    answer["values"] = [answer["values"][at] for at in order]
    return Statement(data, TimedEffort(clock))


# --- the row and the question -----------------------------------------------------------------------------------------


def stated_row(classifier: Classifier, row: Any) -> list[Any]:
    """A row in the user's form, as certificates state it."""
    return _Terms(case_of(Question.checked(classifier), classifier.encoder.read_one(row))).row()


class _Terms:
    """A case in the user's terms: numbers and labels, not codes."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._classifier = case.question.classifier
        self._lines = self._classifier.values
        self._regions = [reader.regions for reader in self._classifier.encoder.readers]

    def row(self) -> list[Any]:
        """The row as it is."""
        return [self._value(j, code, self._case.raw.number) for j, code in enumerate(self._case.x)]

    def region(self, box: Mapping[int, Sequence[int]]) -> list[Any]:
        """By feature, the labels and ranges of a box."""
        found: list[Any] = []
        for j, line in enumerate(self._lines):
            if not isinstance(line, NumberLine):
                found.append(self._named(j, sorted(set(box.get(j, range(len(line)))))))
                continue
            codes = box.get(j)
            if codes is not None and MISSING in codes:
                raise OptionError(
                    f"certificate: {self._classifier.features[j]!r} is missing in the region, which cannot be stated"
                )
            low, high = (line.low, line.high) if codes is None else (line[min(codes)], line[max(codes)])
            found.append([[number_to_json(low), number_to_json(high)]])
        return found

    def values(self, change_set: Sequence[int], codes: Sequence[int]) -> list[Any]:
        """The new values of a change set."""
        new = dict(zip(change_set, codes, strict=True))
        raw = self._case.raw_with(new)
        return [self._value(j, code, lambda j: raw.new(j, new[j])) for j, code in new.items()]

    def _value(self, j: int, code: int, number: Callable[[int], Any]) -> Any:
        line, regions = self._lines[j], self._regions[j]
        if isinstance(line, NumberLine):
            return number_to_json(line[code])
        code = code % len(line)
        if regions is None or code not in regions:
            return label_to_json(line[code])
        found = number(j)
        if found is None:
            raise OptionError(
                f"certificate: {self._classifier.features[j]!r} is missing in the row, and the model reads that as a "
                f"number, which certificates cannot state; check the answer with symcf.verify"
            )
        return number_to_json(found)

    def question(self, k: int | None) -> dict[str, Any]:
        """What was asked about the row; `OptionError` if certificates cannot say it."""
        case, question = self._case, self._case.question
        moves = {}
        if question.minimality == "moves":
            names = map(str, self._classifier.features)
            moves = {"moves": [name for name, ordered in zip(names, self._classifier.ordered, strict=True) if ordered]}
        constraints = question.constraints.items
        permitted = question.constraints.permitted()
        astray = {j for j, code in enumerate(case.x) if code in permitted[j].astray}  # a missing value has no direction
        stated = [
            self._constraint({"kind": "immutable", "feature": c.feature} if c.feature in astray else c.certificate())
            for c in constraints
            if not c.apart
        ]
        stated += [{"kind": "relation", "text": str(c.relation.text)} for c in constraints if c.is_rule]
        target = None if case.target is None else [label_to_json(self._classifier.classes[case.target])]
        return {
            "target": target,
            "constraints": [one for one in [*self._types(constraints), *stated] if one],
            "costs": _costs(case),
            "max_changes": question.constraints.max_changes,
            "k": k,
            **moves,
        }

    def _constraint(self, given: dict[str, Any]) -> dict[str, Any]:
        """A constraint, its codes replaced by labels and ranges."""
        if "cells" in given:  # of values that the question may have cut
            return {**given, "cells": self._classifier.model.uncut_tables(given["cells"])}
        if not given:
            return {}
        stated = {"kind": given["kind"], "feature": str(self._classifier.features[given["feature"]])}
        size = len(self._lines[given["feature"]])
        codes = given.get("codes")
        if "all_but" in given:
            codes = sorted(set(range(size)) - set(given["all_but"]))
        if codes is not None:
            stated["values"] = self._named(given["feature"], codes)
        elif "ranges" in given:
            stated["values"] = [list(map(number_to_json, ends)) for ends in given["ranges"]]
        return stated

    def _named(self, j: int, codes: Sequence[int]) -> list[Any]:
        """Labels, and ranges of numbers; those that follow each other become one."""
        regions, found = self._regions[j] or {}, list[Any]()
        last = None
        for code in codes:
            region = regions.get(code)
            if region is None:
                found.append(label_to_json(self._lines[j][code]))
            elif last is not None and math.nextafter(last, math.inf) == region.first:
                found[-1][1] = number_to_json(region.last)
            else:
                found.append([number_to_json(region.first), number_to_json(region.last)])
            last = None if region is None else region.last
        return found

    def _types(self, constraints: Sequence[Constraint]) -> Iterator[dict[str, Any]]:
        """What the types of columns say of new numbers; nothing of features that keep their value."""
        fixed = {c.feature for c in constraints if c.locks}
        for j, (line, regions) in enumerate(zip(self._lines, self._regions, strict=True)):
            if j in fixed or (regions is None and not isinstance(line, NumberLine)):
                continue
            name = str(self._classifier.features[j])
            whole, limits = self._case.raw.limits_of_type(j)
            if whole:
                yield {"kind": "whole", "feature": name}
            ends = [number_to_json(limits.first), number_to_json(limits.last)]
            if regions is not None and any(region.within(limits).empty for region in regions.values()):
                yield {"kind": "allowed", "feature": name, "values": [ends]}


def _costs(case: Case) -> dict[str, Any] | None:
    """Integers by feature, or by feature and new value, and their unit; None where every change costs 1."""
    costs, values = case.costs, case.question.classifier.values
    if costs.units is None:
        return None
    numbers: list[list[Fraction]] = []
    for j, price in enumerate(costs.prices):
        own = case.x[j]
        if price.scale is not None:
            numbers.append([Fraction(1)])
        elif price.by_value:
            numbers.append([costs.number_of(j, own, v) for v in range(len(values[j]))])
        else:
            numbers.append([costs.number_of(j, 0, 1)])
    whole = lcm(*(number.denominator for row in numbers for number in row))
    units = [[int(number * whole) for number in row] for row in numbers]
    by_feature: list[Any] = []
    for row, price in zip(units, costs.prices, strict=True):
        if price.scale is not None:
            by_feature.append({"each": list((whole / price.scale).as_integer_ratio()), "other": whole})
        else:
            by_feature.append(row if price.by_value else row[0])
    return {"unit": [1, whole], "by_feature": by_feature}
