"""What a certificate states: a model, a row, a question and its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from symcf.proof.checker.form import (
    FORMAT,
    VERSION,
    Effort,
    Rejected,
    fingerprint_of,
    indices,
    integer,
    items,
    record,
    words,
)
from symcf.proof.checker.rules import MISSING, Diagrams, Numbers, Rule, Sums, code_of_number, number_of_code
from symcf.proof.checker.trees import Trees

__all__ = ["Formula", "Span", "Statement"]

KINDS: dict[str, Callable[[Any, Sequence[int | None], int, Effort], Rule]] = {
    "sums": Sums,
    "numbers": Numbers,
    "trees": Trees,
    "diagrams": Diagrams,
}

#: What is claimed of the list: it is whole, whole up to a number of changes, the beginning, or just true as it stands.
CLAIMS = {"all": ("kind",), "up to": ("kind", "changes"), "first": ("kind",), "listed": ("kind",)}

#: Features, and values of a feature, that a certificate may have: masks of them stay short.
MOST_NAMES = 1 << 16

#: ("is", feature, mask of values), ("and", parts) or ("or", parts).
Formula = tuple[Any, ...]


class Span(NamedTuple):
    """Numbers that a feature may become, by code; none if low is above high."""

    low: int
    high: int


class Statement:
    """The parts of a certificate, each in the form that it must have. Nothing is proved yet."""

    def __init__(self, data: dict[str, Any], effort: Effort | None = None) -> None:
        keys = ("format", "version", "number", "model", "row", "decision", "question", "answer", "proof")
        for key, known in (("format", FORMAT), ("version", VERSION)):
            if data.get(key) != known or type(data.get(key)) is not type(known):
                raise Rejected("version", f"{key} is not {known!r}: this checker knows no other")
        _, _, self.number, model, row, decision, question, answer, self.proof = record(data, "a certificate", keys)
        #: What is still to be looked at.
        self.effort = effort or Effort()
        self._read_model(model)
        self.row = [
            integer(code, "row", 0, size) for code, size in zip(_of(row, "row", self.n), self.n_values, strict=True)
        ]
        for j, code in enumerate(self.row):
            may_be_missing = isinstance(self.rule, Numbers) and j in self.rule.missing
            if self.n_values[j] is None and not (may_be_missing and code == MISSING):
                number_of_code(code)
        self.decision = integer(decision, "decision", 0, self.n_classes)
        self._read_question(question)
        self._read_answer(answer)

    @property
    def n(self) -> int:
        """The number of features."""
        return len(self.features)

    @cached_property
    def doubt(self) -> int:
        """By how much another class has to win."""
        return self.rule.doubt(self.row) if isinstance(self.rule, Numbers) else 0

    # --- the model

    def _read_model(self, data: Any) -> None:
        keys = ("fingerprint", "features", "values", "classes", "rule")
        self.fingerprint, features, values, classes, rule = record(data, "model", keys)
        self.features = items(features, "features", _text)
        self.classes = items(classes, "classes", _label)
        self.n_classes = integer(len(self.classes), "the number of classes", 1)
        #: By feature, the labels of its values; None: it is a number, between the ends in `spans`.
        self.labels: list[list[Any] | None] = []
        self.spans: list[Span | None] = []
        for part in _of(values, "values", self.n):
            if isinstance(part, dict):
                low, high = (_number(end) for end in record(part, "numbers", ("low", "high")))
                self.labels.append(None)
                self.spans.append(Span(code_of_number(low), code_of_number(high)))
            else:
                self.labels.append(items(part, "values", _label))
                self.spans.append(None)
        self.n_values = [None if labels is None else len(labels) for labels in self.labels]
        if max(self.n, *(size or 0 for size in self.n_values), 0) > MOST_NAMES:
            raise Rejected("effort", f"a certificate has at most {MOST_NAMES:,} features, and as many values of one")
        kind = rule.get("kind") if isinstance(rule, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise Rejected("form", f"the rule must be of kind {', '.join(KINDS)}")
        if kind != "numbers" and None in self.n_values:
            raise Rejected("form", "only a rule of kind numbers has features that are numbers")
        if self.fingerprint != fingerprint_of(data):
            raise Rejected("fingerprint", "the fingerprint is not that of the names and the rule")
        self.rule = KINDS[kind](rule, self.n_values, self.n_classes, self.effort)

    # --- the question

    def _read_question(self, data: Any) -> None:
        keys = ("target", "constraints", "relations", "costs", "max_changes", "k")
        target, constraints, relations, costs, most, k = record(data, "question", keys)
        self.target = None if target is None else integer(target, "target", 0, self.n_classes)
        #: By feature, a mask of the values that it may have afterwards, its own included; None for numbers.
        self.choices: list[int | None] = [None if size is None else (1 << size) - 1 for size in self.n_values]
        for constraint in items(constraints, "constraints", lambda c, _: c):
            self._constrain(constraint)
        for j, mask in enumerate(self.choices):
            self.choices[j] = None if mask is None else mask | 1 << self.row[j]
        self.relations = items(relations, "relations", self._formula)
        self.max_changes = None if most is None else integer(most, "max_changes", 0)
        self.k = None if k is None else integer(k, "k", 1)
        self._read_costs(costs)
        if isinstance(self.rule, Numbers) and (self.relations or (self.target is not None and self.n_classes > 2)):
            raise Rejected("form", "with features that are numbers there are no relations, and no target among many")

    def _constrain(self, data: Any) -> None:
        kind = data.get("kind") if isinstance(data, dict) else None
        extra = {"immutable": (), "increase": (), "decrease": (), "allowed": ("codes",), "range": ("low", "high")}
        if not isinstance(kind, str) or kind not in extra:
            raise Rejected("form", f"a constraint must be of kind {', '.join(extra)}")
        _, feature, *rest = record(data, "a constraint", ("kind", "feature", *extra[kind]))
        j = integer(feature, "the feature of a constraint", 0, self.n)
        span, size, own = self.spans[j], self.n_values[j], self.row[j]
        if span is not None:
            if kind == "allowed":
                raise Rejected("form", "values cannot be listed for a number")
            low, high = (code_of_number(_number(end)) for end in rest) if rest else (0, 1 << 63)
            steps = {"immutable": (1, 0), "increase": (own + 1, 1 << 63), "decrease": (0, own - 1)}
            if own == MISSING:  # there is no direction from it
                steps |= {"increase": (1, 0), "decrease": (1, 0)}
            low, high = steps.get(kind, (low, high))
            self.spans[j] = Span(max(span.low, low), min(span.high, high))
            return
        assert size is not None
        if kind == "range":
            raise Rejected("form", "a range is for a number")
        self.effort.spend(words(size))
        above, below = (1 << size) - (2 << own), (1 << own) - 1
        masks = {"immutable": 0, "increase": above, "decrease": below}
        mask = masks[kind] if kind in masks else self._mask(rest[0], "allowed values", size)
        before = self.choices[j]
        assert before is not None
        self.choices[j] = before & mask

    def _mask(self, codes: Any, where: str, size: int) -> int:
        """Codes of values, as a mask."""
        listed = indices(codes, where, size)
        self.effort.spend((1 + len(listed)) * words(size))
        return sum(1 << code for code in listed)

    def _formula(self, data: Any, where: str) -> Formula:
        parts = items(data, "a relation", lambda part, _: part)
        match parts:
            case ["is", feature, codes]:
                j = integer(feature, where, 0, self.n)
                size = self.n_values[j]
                if size is None:
                    raise Rejected("form", "a relation is about features with values")
                return "is", j, self._mask(codes, where, size)
            case [("and" | "or") as kind, inner]:
                return kind, tuple(items(inner, where, self._formula))
        raise Rejected("form", "a relation must be made of is, and, or")

    def _read_costs(self, data: Any) -> None:
        #: What changing each feature costs, in integers; by code where that depends on the new value.
        self.costs: list[int | list[int]] = [1] * self.n
        if data is None:
            return
        unit, by_feature = record(data, "costs", ("unit", "by_feature"))
        if any(integer(part, "unit", 1) < 1 for part in items(unit, "unit", integer, 2)):
            raise Rejected("form", "the unit of costs must be positive")
        for j, part in enumerate(_of(by_feature, "costs", self.n)):
            if isinstance(part, list) and self.n_values[j] is not None:
                self.costs[j] = items(part, "costs by value", integer, self.n_values[j])
                if any(cost < 1 for code, cost in enumerate(self.costs[j]) if code != self.row[j]):  # type: ignore[arg-type]
                    raise Rejected("form", "costs must be positive")
            else:
                self.costs[j] = integer(part, "costs", 1)

    @property
    def flat_costs(self) -> list[int] | None:
        """By feature, what changing it costs; None where that depends on the value."""
        flat = [cost for cost in self.costs if isinstance(cost, int)]
        return flat if len(flat) == self.n else None

    def cost_of(self, change_set: Sequence[int], codes: Sequence[int]) -> int:
        """What these changes cost together."""
        total = 0
        for j, code in zip(change_set, codes, strict=True):
            cost = self.costs[j]
            total += cost if isinstance(cost, int) else cost[code]
        return total

    # --- the answer

    def _read_answer(self, data: Any) -> None:
        sets, values, claim = record(data, "answer", ("sets", "values", "claim"))
        self.sets = items(sets, "sets", lambda part, where: indices(part, where, self.n))
        #: By set, the new values of its features.
        self.values = items(values, "values", lambda part, where: items(part, where, integer), len(self.sets))
        kind = claim.get("kind") if isinstance(claim, dict) else None
        if not isinstance(kind, str) or kind not in CLAIMS:
            raise Rejected("form", f"the claim must be {', '.join(CLAIMS)}")
        rest = record(claim, "claim", CLAIMS[kind])[1:]
        self.claim = kind
        #: The claim is about sets of at most so many changes.
        self.most = integer(rest[0], "changes", 0) if rest else self.n if self.max_changes is None else self.max_changes


def _of(data: Any, where: str, count: int) -> list[Any]:
    return items(data, where, lambda value, _: value, count)


def _text(data: Any, where: str) -> str:
    if not isinstance(data, str):
        raise Rejected("form", f"{where} must be text")
    return data


def _label(data: Any, where: str) -> Any:
    """A name: text, a number, true, false or null; anything else as its type and text."""
    if isinstance(data, dict):
        return " ".join(_text(part, where) for part in record(data, where, ("type", "text")))
    if isinstance(data, list):
        raise Rejected("form", f"{where}: a list is no label")
    return data


def _number(data: Any) -> float:
    """A double, written in hexadecimal digits."""
    try:
        number = float.fromhex(_text(data, "a number"))
    except (ValueError, OverflowError):
        raise Rejected("form", f"{data!r} is not a number in hexadecimal digits") from None
    if number.hex() != data or number - number != 0:
        raise Rejected("form", f"{data!r} is not a finite number in hexadecimal digits")
    return number
