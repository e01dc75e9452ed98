"""What a certificate states: a model, a row, a question and its answer, in the user's terms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from symcf.proof.checker.domains import (
    MISSING,
    Domain,
    Interval,
    is_number,
    label_of,
    label_text,
    meet,
    number,
    on_grid,
)
from symcf.proof.checker.form import (
    FORMAT,
    VERSION,
    Effort,
    Rejected,
    bits,
    canonical,
    fingerprint_of,
    indices,
    integer,
    items,
    record,
    words,
)
from symcf.proof.checker.relations import Formula, Old, Step, formula_of
from symcf.proof.checker.rules import Diagrams, Numbers, Rule, Sums
from symcf.proof.checker.trees import Trees

__all__ = ["Statement"]

KINDS: dict[str, Callable[[Any, Sequence[int | None], int, Effort], Rule]] = {
    "sums": Sums,
    "numbers": Numbers,
    "trees": Trees,
    "diagrams": Diagrams,
}

#: What is claimed of the list: it is whole, whole up to a number of changes, the beginning, all that costs less than a
#: number, or just true as it stands.
CLAIMS = {
    "all": ("kind",),
    "up to": ("kind", "changes"),
    "first": ("kind",),
    "cheapest": ("kind", "least"),
    "listed": ("kind",),
}

#: The parts of each kind of constraint, beside its kind.
CONSTRAINTS = {
    "immutable": ("feature",),
    "increase": ("feature",),
    "decrease": ("feature",),
    "allowed": ("feature", "values"),
    "excluded": ("feature", "values"),
    "whole": ("feature",),
    "relation": ("text",),
    "plausible": ("cells", "parents", "terms", "least"),
}

#: What changing a feature costs: always the same, by new code, or for each 1 that a number moves, and for a label.
Price = int | list[int] | tuple[Fraction, int]

#: Features, and values of a feature, that a certificate may have: masks of them stay short.
MOST_NAMES = 1 << 16

#: Grids of one feature: more are of no use, and each one takes time wherever numbers are looked at.
MOST_GRIDS = 8


class Statement:
    """The parts of a certificate, each in the form that it must have. Nothing is proved yet."""

    def __init__(self, data: dict[str, Any], effort: Effort | None = None) -> None:
        #: Is it about the rows of a region, not about one?
        self.is_region = "region" in data
        about = ("region",) if self.is_region else ("row", "decision")
        keys = ("format", "version", "number", "model", "question", "answer", "proof", *about)
        if data.get("format") != FORMAT:
            raise Rejected("version", f"format is not {FORMAT!r}")
        version = data.get("version")
        if type(version) is not int or version != VERSION:
            raise Rejected(
                "version", f"it has version {version!r}, and this checker reads version {VERSION}: make it again"
            )
        _, _, self.number, model, question, answer, self.proof, row, *rest = record(data, "a certificate", keys)
        #: What is still to be looked at.
        self.effort = effort or Effort()
        self._read_model(model)
        #: By feature, the labels and numbers of a region, and then what its rows may become; None where it is a row.
        self.regions: list[tuple[int, tuple[Interval, ...]]] | None = None
        if self.is_region:
            self._read_region(row, question)
        else:
            self._read_row(row)
            self.decision = self._class(rest[0], "decision")
        self._read_question(question)
        self._read_answer(answer)

    def _read_row(self, row: Any) -> None:
        values = _of(row, "row", self.n)
        self.row = [domain.code_of(value, "row") for domain, value in zip(self.domains, values, strict=True)]
        #: By feature, the row's own number; None if it has none.
        self.numbers = [domain.number_of(value) for domain, value in zip(self.domains, values, strict=True)]
        for j, code in enumerate(self.row):
            if code == MISSING and not (isinstance(self.rule, Numbers) and j in self.rule.missing):
                raise Rejected("form", f"{self.features[j]!r} cannot be missing")

    def _read_region(self, data: Any, question: Any) -> None:
        """By feature, labels and ranges of numbers. No row of a region needs the decision: none has the target."""
        self.regions = []
        for j, values in enumerate(_of(data, "region", self.n)):
            domain, listed = self.domains[j], items(values, "region", lambda value, _: value)
            labels, ranges = self._listed(j, listed)
            if domain.line is not None and not all(is_number(one) or isinstance(one, list) for one in listed):
                raise Rejected("form", "on a line, a region has numbers and nothing else")
            if any(math.isinf(end) for ends in ranges for end in ends) and domain.line is not None:
                raise Rejected("form", "on a line, a region has two ends")
            if any(low > high for low, high in ranges):
                raise Rejected("form", "a range of a region ends before it begins")
            if not labels and not ranges:
                raise Rejected("form", f"the region has no value of {self.features[j]!r}")
            self.regions.append((labels, tuple(ranges)))
        self.row, self.numbers = [0] * self.n, [None] * self.n
        if self.n_classes < 2 or not isinstance(question, dict) or question.get("target") is None:
            raise Rejected("form", "a region needs a target")
        target = self._class(*_only(question["target"], "target"))
        self.decision = next(k for k in range(self.n_classes) if k != target)

    @property
    def n(self) -> int:
        """The number of features."""
        return len(self.features)

    @cached_property
    def doubt(self) -> int:
        """By how much another class has to win."""
        return self.rule.doubt(self.row) if isinstance(self.rule, Numbers) and not self.is_region else 0

    # --- the model

    def _read_model(self, data: Any) -> None:
        keys = ("fingerprint", "features", "values", "classes", "rule")
        self.fingerprint, features, values, classes, rule = record(data, "model", keys)
        self.features = items(features, "features", _text)
        if len(set(self.features)) < len(self.features):
            raise Rejected("form", "a feature comes twice")
        self.classes = items(classes, "classes", label_of)
        self.n_classes = integer(len(self.classes), "the number of classes", 1)
        self._class_of = {canonical(label): k for k, label in enumerate(self.classes)}
        if len(self._class_of) < self.n_classes:
            raise Rejected("form", "a class comes twice")
        self._values = _of(values, "values", self.n)
        self.domains = [Domain(part) for part in self._values]
        self.n_values = [domain.size for domain in self.domains]
        if max(self.n, *(size or 0 for size in self.n_values), 0) > MOST_NAMES:
            raise Rejected("effort", f"a certificate has at most {MOST_NAMES:,} features, and as many values of one")
        kind = rule.get("kind") if isinstance(rule, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise Rejected("form", f"the rule must be of kind {', '.join(KINDS)}")
        if kind != "numbers" and None in self.n_values:
            raise Rejected("form", "only a rule of kind numbers has features that are lines")
        if self.fingerprint != fingerprint_of(data):
            raise Rejected("fingerprint", "the fingerprint is not that of the names and the rule")
        self.rule = KINDS[kind](rule, self.n_values, self.n_classes, self.effort)

    def _class(self, label: Any, where: str) -> int:
        code = self._class_of.get(canonical(label))
        if code is None:
            raise Rejected("form", f"{where} is not one of the classes")
        return code

    # --- the question

    def _read_question(self, data: Any) -> None:
        keys = ("target", "constraints", "costs", "max_changes", "k")
        has_moves = isinstance(data, dict) and "moves" in data
        target, constraints, costs, most, k, *moves = record(data, "question", (*keys, *["moves"] * has_moves))
        self.target = None if target is None else self._class(*_only(target, "target"))
        #: By feature, a mask of the codes that it may become; None for lines.
        self._masks: list[int | None] = [None if size is None else (1 << size) - 1 for size in self.n_values]
        #: By feature with numbers, those that it may become.
        self.spans: list[list[Interval]] = [[domain.line or (-math.inf, math.inf)] for domain in self.domains]
        #: By feature, of what its new numbers are multiples, and from where they count: of each of these.
        self.grids: list[list[tuple[Fraction, Fraction]]] = [[] for _ in range(self.n)]
        self.relations: list[Formula] = []
        #: The constraints, each as a phrase; the first are the ends of lines.
        self.phrases = [
            f"{name} lies between {_said(data['low'])} and {_said(data['high'])} if it changes"
            for name, data in zip(self.features, self._values, strict=True)
            if isinstance(data, dict) and "low" in data
        ]
        old = Old(self.features, self.domains, self.row, self.numbers)
        for constraint in items(constraints, "constraints", lambda c, _: c):
            self._constrain(constraint, old)
        self._settle()
        #: Has the proof used the listed sets? Known once it is checked.
        self.uses_sets = False
        self.max_changes = None if most is None else integer(most, "max_changes", 0)
        self.k = None if k is None else integer(k, "k", 1)
        self._read_costs(costs)
        #: Where no move may be shorter: the features whose values come in an order. None: only sets count.
        self.moves: set[int] | None = None
        for names in moves:
            listed = items(names, "moves", _text)
            if any(name not in self.features for name in listed):
                raise Rejected("form", "moves lists features")
            self.moves = {self.features.index(name) for name in listed}
        if self.is_region:
            self._settle_region(most, k, costs, has_moves)

    def _constrain(self, data: Any, old: Old) -> None:
        kind = data.get("kind") if isinstance(data, dict) else None
        if not isinstance(kind, str) or kind not in CONSTRAINTS:
            raise Rejected("form", f"a constraint must be of kind {', '.join(CONSTRAINTS)}")
        _, first, *rest = record(data, "a constraint", ("kind", *CONSTRAINTS[kind]))
        if kind == "plausible":
            self._plausible(first, *rest)
            return
        text = _text(first, "a constraint")
        self.effort.spend(100 + len(text))
        if kind == "relation":
            if self.regions is not None:
                raise Rejected("form", "a relation is about one row, not about a region")
            self.phrases.append(text)
            found = formula_of(text, old)
            if isinstance(found, Step):
                self._grid(found.feature, Fraction(self.numbers[found.feature] or 0), found.step)
            else:
                self.relations.append(found)
            return
        if text not in self.features:
            raise Rejected("form", f"a constraint is about {text!r}, which is not a feature")
        j = self.features.index(text)
        values = items(rest[0], "values", lambda value, _: value) if rest else []
        self.phrases.append(_phrase(kind, text, values))
        match kind:
            case "immutable":
                self._mask(j, 0)
                self.spans[j] = []
            case "increase" | "decrease":
                self._direct(j, kind == "increase")
            case "whole":
                self._grid(j, Fraction(0), Fraction(1))
            case _:
                self._list(j, values, kind == "allowed")

    def _plausible(self, cells: Any, parents: Any, terms: Any, least: Any) -> None:
        """The terms of plausibility: by feature and line, which is the cell of its parent, one by cell."""
        if None in self.n_values:
            raise Rejected("form", "terms of plausibility are by cell, and lines have none")
        self.effort.spend(100 + sum(size or 0 for size in self.n_values))
        by_code = [
            tuple(items(some, "cells", lambda cell, at: integer(cell, at, 0, MOST_NAMES), size))
            for some, size in zip(_of(cells, "cells", self.n), self.n_values, strict=True)
        ]
        counts = [max(some, default=0) + 1 for some in by_code]
        before = [None if p is None else integer(p, "parents", 0, self.n) for p in _of(parents, "parents", self.n)]
        found = []
        for lines, p, count in zip(_of(terms, "terms", self.n), before, counts, strict=True):
            n_lines = 1 if p is None else counts[p]
            self.effort.spend(n_lines * count)
            found.append(tuple(tuple(items(line, "terms", integer, count)) for line in _of(lines, "terms", n_lines)))
        bound = integer(least, "least")
        self.phrases.append(f"the terms of plausibility add up to at least {bound}")
        self.relations.append(("likely", tuple(by_code), tuple(before), tuple(found), bound))

    def _mask(self, j: int, mask: int) -> None:
        before = self._masks[j]
        self._masks[j] = None if before is None else before & mask

    def _direct(self, j: int, up: bool) -> None:
        """A number becomes larger, or smaller; a label one that comes later, or earlier."""
        domain, own, codes = self.domains[j], self.numbers[j], [self.row[j]]
        if self.regions is not None:
            labels, spans = self.regions[j]
            ends = [end for span in spans for end in span]
            own, codes = (min(ends) if up else max(ends)) if ends else None, list(bits(labels))
        if domain.has_numbers:
            beyond = [] if own is None else [(math.nextafter(own, math.inf), math.inf)]
            beyond = beyond if up or own is None else [(-math.inf, math.nextafter(own, -math.inf))]
            self.spans[j] = meet(self.spans[j], beyond)
            self._mask(j, (1 << domain.n_cells) - 1)
            return
        size, apart = domain.size or 0, domain.apart
        self.effort.spend((1 + len(apart)) * words(size))
        placed = [code for code in codes if code not in apart]
        if not placed:  # a label without a place has none before it or after it
            self._mask(j, 0)
            return
        beyond_all = (1 << size) - (2 << min(placed)) if up else (1 << max(placed)) - 1
        self._mask(j, beyond_all & ~sum(1 << code for code in apart))

    def _grid(self, j: int, origin: Fraction, step: Fraction) -> None:
        """New numbers are multiples of a step away from the origin."""
        if not self.domains[j].has_numbers:
            raise Rejected("form", f"{self.features[j]!r} has no numbers that could be multiples")
        if (origin, step) not in self.grids[j]:
            self.grids[j].append((origin, step))
        if len(self.grids[j]) > MOST_GRIDS:
            raise Rejected("effort", f"new numbers of a feature are multiples of at most {MOST_GRIDS} numbers")

    def _list(self, j: int, values: Sequence[Any], inside: bool) -> None:
        """A feature may become only these labels and numbers; or none of these labels."""
        domain = self.domains[j]
        codes, ranges = self._listed(j, values)
        if not inside:
            if ranges:
                raise Rejected("form", "only labels can be excluded")
            self._mask(j, ~codes)
            return
        if domain.has_numbers:
            codes |= (1 << domain.n_cells) - 1
            self.effort.spend(128 * len(self.spans[j]) * len(ranges))
            self.spans[j] = _disjoint(meet(self.spans[j], ranges))
        self._mask(j, codes)

    def _listed(self, j: int, values: Sequence[Any]) -> tuple[int, list[Interval]]:
        """Labels as a mask of codes, and ranges of numbers."""
        domain = self.domains[j]
        labels = [
            value for value in values if not (domain.has_numbers and (is_number(value) or isinstance(value, list)))
        ]
        ranges = [
            _range(value) for value in values if domain.has_numbers and (is_number(value) or isinstance(value, list))
        ]
        codes = 0
        self.effort.spend((1 + len(values)) * words(domain.size or 0))
        for label in labels:
            codes |= 1 << domain.code_of(label, "a constraint") if domain.line is None else 0
        return codes, ranges if any(low > high for low, high in ranges) else _disjoint(ranges)

    def _settle_region(self, *unused: Any) -> None:
        """What the rows of a region may become: what they are, and what the constraints allow."""
        assert self.regions is not None
        if any(part is not None and part is not False for part in unused) or self.relations:
            raise Rejected("form", "about a region nothing is asked but a target, and no terms are known")
        found = []
        for j, ((labels, spans), domain) in enumerate(zip(self.regions, self.domains, strict=True)):
            more = (self._masks[j] or 0) & ~((1 << domain.n_cells) - 1)
            pieces = self.pieces(j, (-math.inf, math.inf)) if domain.has_numbers else []
            found.append((labels | more, (*spans, *pieces)))
        self.regions = found

    def _settle(self) -> None:
        """Which codes are left where numbers are restricted; the row's own is always one of them."""
        #: By feature, a mask of the values that it may have afterwards, its own included; None for lines.
        self.choices: list[int | None] = []
        for j, (mask, domain) in enumerate(zip(self._masks, self.domains, strict=True)):
            if mask is None:
                self.choices.append(None)
                self.spans[j] = self.pieces(j, (-math.inf, math.inf))
                continue
            for code in range(domain.n_cells):
                cell = domain.interval(code)
                assert cell is not None
                self.effort.spend(2 + 128 * len(self.spans[j]))
                if not self.pieces(j, cell):
                    mask &= ~(1 << code)
            self.choices.append(mask | 1 << self.row[j])

    def pieces(self, j: int, interval: Interval) -> list[Interval]:
        """The numbers of an interval that feature j may become. Of two grids, each one narrows it by itself."""
        found = meet([interval], self.spans[j])
        for grid in self.grids[j]:
            found = [inside for piece in found if (inside := on_grid(piece, *grid))]
        return found

    def may_become(self, j: int, value: Any) -> bool:
        """May feature j become this, by the constraints on it alone?"""
        domain = self.domains[j]
        code, new = domain.code_of(value, "values"), domain.number_of(value)
        if new is None or not domain.has_numbers:
            mask = self._masks[j]
            return mask is not None and bool(mask >> code & 1) and code != self.row[j]
        fits = all(((Fraction(new) - origin) / step).denominator == 1 for origin, step in self.grids[j])
        return fits and new != self.numbers[j] and any(low <= new <= high for low, high in self.spans[j])

    def _read_costs(self, data: Any) -> None:
        #: What a unit of costs is in the user's numbers.
        self.unit = Fraction(1)
        #: What changing each feature costs, in units.
        self.costs: list[Price] = [1] * self.n
        if data is None:
            return
        unit, by_feature = record(data, "costs", ("unit", "by_feature"))
        self.unit = Fraction(*items(unit, "unit", lambda part, at: integer(part, at, 1), 2))
        for j, part in enumerate(_of(by_feature, "costs", self.n)):
            if isinstance(part, list) and self.n_values[j] is not None:
                by_value = items(part, "costs by value", integer, self.n_values[j])
                if any(cost < 1 for code, cost in enumerate(by_value) if code != self.row[j]):
                    raise Rejected("form", "costs must be positive")
                self.costs[j] = by_value
            elif isinstance(part, dict):
                each, other = record(part, "a distance", ("each", "other"))
                over, under = items(each, "a distance", lambda p, at: integer(p, at, 1), 2)
                if not self.domains[j].has_numbers:
                    raise Rejected("form", "distances are between numbers of cells or of a line")
                self.costs[j] = Fraction(over, under), integer(other, "a distance", 1)
            else:
                self.costs[j] = integer(part, "costs", 1)

    @property
    def flat_costs(self) -> list[int] | None:
        """By feature, what changing it costs; None where that depends on the value."""
        flat = [cost for cost in self.costs if isinstance(cost, int)]
        return flat if len(flat) == self.n else None

    def cost_of(self, at: int) -> int | Fraction:
        """What the changes of a listed set cost together."""
        total: int | Fraction = 0
        for j, value, code in zip(self.sets[at], self.values[at], self.codes[at], strict=True):
            cost = self.costs[j]
            if isinstance(cost, tuple):
                old, new = self.numbers[j], self.domains[j].number_of(value)
                total += cost[1] if old is None or new is None else abs(Fraction(new) - Fraction(old)) * cost[0]
            else:
                total += cost if isinstance(cost, int) else cost[code]
        return total

    def is_between(self, j: int, code: int, far: int) -> bool:
        """Is a label the same as another one, or between the row's own label and that?"""
        own, domain = self.row[j], self.domains[j]
        if code == far or self.moves is None or j not in self.moves or domain.has_numbers:
            return code == far
        if {own, code, far} & domain.apart:
            return False
        return own < code < far or far < code < own

    def is_nearer(self, one: int, two: int) -> bool:
        """Does a listed set move at most as far as another one?"""
        new = dict(zip(self.sets[two], zip(self.values[two], self.codes[two], strict=True), strict=True))
        for j, value, code in zip(self.sets[one], self.values[one], self.codes[one], strict=True):
            if j not in new:
                return False
            old, near = self.numbers[j], self.domains[j].number_of(value)
            far = self.domains[j].number_of(new[j][0])
            if self.moves is not None and self.domains[j].has_numbers and near is not None and far is not None:
                if near != far and (j not in self.moves or old is None or not (old < near < far or far < near < old)):
                    return False
            elif not self.is_between(j, code, new[j][1]):
                return False
        return True

    # --- the answer

    def _read_answer(self, data: Any) -> None:
        #: The reasons, where it is these that are stated: then the sets are rows of the proof. None: change sets are.
        self.reasons: list[tuple[int, ...]] | None = None
        if isinstance(data, dict) and "reasons" in data:
            reasons, claim = record(data, "answer", ("reasons", "claim"))
            self.reasons = items(reasons, "reasons", lambda part, where: indices(part, where, self.n))
            _, sets, values = record(self.proof, "proof", ("kind", "sets", "values"))
        else:
            sets, values, claim = record(data, "answer", ("sets", "values", "claim"))
        self.sets = items(sets, "sets", lambda part, where: indices(part, where, self.n))
        #: By set, the new values of its features: as they are stated, and as codes.
        self.values = items(
            values, "values", lambda part, where: items(part, where, lambda value, _: value), len(self.sets)
        )
        self.codes: list[list[int]] = []
        for change_set, new in zip(self.sets, self.values, strict=True):
            if len(new) != len(change_set):
                raise Rejected("values", f"{change_set} must have one new value per feature")
            self.codes.append([self.domains[j].code_of(v, "values") for j, v in zip(change_set, new, strict=True)])
        kind = claim.get("kind") if isinstance(claim, dict) else None
        if not isinstance(kind, str) or kind not in CLAIMS:
            raise Rejected("form", f"the claim must be {', '.join(CLAIMS)}")
        rest = record(claim, "claim", CLAIMS[kind])[1:]
        self.claim = kind
        #: The claim is about sets of at most so many changes.
        self.most = self.n if self.max_changes is None else self.max_changes
        #: And about rows that cost less than this; None: any.
        self.least: Fraction | None = None
        if kind == "up to":
            self.most = integer(rest[0], "changes", 0)
        elif kind == "cheapest":
            self.least = Fraction(*items(rest[0], "least", lambda part, at: integer(part, at, 1), 2))


def _only(label: Any, where: str) -> tuple[Any, str]:
    """A target is a list with the one class, since null is a label, too."""
    return items(label, where, label_of, 1)[0], where


def _of(data: Any, where: str, count: int) -> list[Any]:
    return items(data, where, lambda value, _: value, count)


def _text(data: Any, where: str) -> str:
    if not isinstance(data, str):
        raise Rejected("form", f"{where} must be text")
    return data


def _range(value: Any) -> Interval:
    """A number, or the two ends of a range, of which null is none."""
    if is_number(value):
        return number(value), number(value)
    low, high = items(value, "a range", lambda end, _: end, 2)
    return (-math.inf if low is None else number(low)), (math.inf if high is None else number(high))


def _disjoint(ranges: Sequence[Interval]) -> list[Interval]:
    """The same numbers in ranges that have none in common, in their order."""
    found: list[Interval] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found


def _phrase(kind: str, name: str, values: Sequence[Any]) -> str:
    """A constraint in words."""
    match kind:
        case "immutable":
            return f"{name} does not change"
        case "increase" | "decrease":
            return f"{name} may only {kind}"
        case "whole":
            return f"{name} is a whole number"
    listed = " or ".join(_said(value) for value in values) or "nothing else"
    return f"{name} may only become {listed}" if kind == "allowed" else f"{name} does not become {listed}"


def _said(value: Any) -> str:
    if not isinstance(value, list):
        return label_text(value)
    low, high = [*value, None, None][:2]
    if low is None or high is None:
        return f"at most {high}" if low is None else f"at least {low}"
    return f"{low} to {high}"
