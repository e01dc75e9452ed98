"""Checks a certificate, in the order in which a reader would.

text         it is JSON, and can be read in one way only
batch        a row of a batch leads to the root of the batch, and to the one that was expected
number       its number is that of its content, and the one that was expected
version      it is of a version that this checker knows
form         every part is there, nothing else is, and everything has the type that it must have
fingerprint  the fingerprint is that of the names and the rule, and the one that was expected
decision     the rule decides the row as stated, and not as wanted
values       the new values of each set are allowed and lead to the wanted decision, by the rule
minimal      no set could do with fewer features
order        sets come by cost, size and features, each once
reasons      each reason of the proof forces the decision
complete     the proof shows that nothing that is claimed to be listed is missing
effort       what the certificate asks to be looked at does not exceed the limits of this checker
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

from symcf.proof.checker.batch import certificate_in, is_row
from symcf.proof.checker.boxes import reach_of
from symcf.proof.checker.domains import label_text, label_words
from symcf.proof.checker.form import (
    MOST_UNITS,
    Effort,
    Rejected,
    bits,
    indices,
    integer,
    items,
    number_of,
    parse,
    record,
    words,
)
from symcf.proof.checker.hitting import Contained, flipping_sets, hitting_sets
from symcf.proof.checker.partition import check_partition
from symcf.proof.checker.proof import check_proof, clauses_of
from symcf.proof.checker.reach import TOGETHER, Gains, Reach
from symcf.proof.checker.relations import obeys
from symcf.proof.checker.rules import Diagrams, Numbers
from symcf.proof.checker.statement import Statement

__all__ = ["Verdict", "check_text"]

PROOFS = {
    "duality": ("kind", "reasons"),
    "sums": ("kind",),
    "clauses": ("kind", "steps"),
    "boxes": ("kind", "steps"),
    "none": ("kind",),
}


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate is true, and what it proves then."""

    #: The test that it failed, one of those that `symcf.proof.checker.check` lists; None if it passed all.
    failed: str | None
    #: What is wrong.
    problem: str | None
    #: Of a certificate that passed: its number, and the fingerprint of the model that it is about.
    number: str | None = None
    fingerprint: str | None = None
    #: What is proved, in words.
    proved: str = ""

    def __bool__(self) -> bool:
        return self.failed is None

    def __str__(self) -> str:
        if self.failed is None:
            return f"true: {self.proved}"
        return f"rejected ({self.failed}): {self.problem}"


def check_text(
    text: str,
    *,
    number: str | None = None,
    fingerprint: str | None = None,
    root: str | None = None,
    steps: int = MOST_UNITS,
    look: Callable[[], None] = lambda: None,
) -> Verdict:
    """Checks the text of a certificate, or of a row of a batch; ``number``, ``fingerprint`` and the ``root`` of the
    batch are what is expected, None: anything.

    ``look`` is called again and again; it may raise.
    """
    try:
        data, place = parse(text, look), ""
        if is_row(data):
            row, data = data, certificate_in(data, root)
            place = f"row {row['row']} of {row['count']} (from 0) of the batch {row['root']}: "
        elif root is not None:
            raise Rejected("batch", "it is a certificate by itself, not a row of a batch")
        stated = data.get("number")
        if not isinstance(stated, str) or stated != number_of(data):
            raise Rejected("number", "the number is not that of the content: something was changed")
        if number is not None and stated != number:
            raise Rejected("number", f"it is certificate {stated}, not {number}")
        statement = Statement(data, Effort(steps, look))
        if fingerprint is not None and statement.fingerprint != fingerprint:
            raise Rejected("fingerprint", f"it is about the model {statement.fingerprint}, not {fingerprint}")
        _check(statement)
    except Rejected as error:
        return Verdict(error.check, error.problem)
    return Verdict(None, None, stated, statement.fingerprint, place + _words(statement))


def _check(statement: Statement) -> None:
    if statement.is_region:
        _check_region(statement)
        return
    _check_decision(statement)
    for at in range(len(statement.sets)):
        _check_values(statement, at)
    if statement.moves is not None:
        _check_moves(statement)
        return
    reach = reach_of(statement)
    if statement.reasons is not None:
        _check_reasons(statement, statement.reasons, reach)
        return
    _check_minimal(statement, reach)
    _check_order(statement, statement.sets, _keys(statement))
    _check_complete(statement, reach)


def _check_decision(statement: Statement) -> None:
    if statement.rule.class_of(statement.row) != statement.decision:
        raise Rejected("decision", "the rule decides the row differently")
    if statement.target == statement.decision:
        raise Rejected("decision", "the wanted decision is the one that was made")


def _check_values(statement: Statement, at: int) -> None:
    change_set, values, codes = statement.sets[at], statement.values[at], statement.codes[at]
    wide = sum(words(statement.n_values[j] or 0) for j in change_set)
    statement.effort.spend(statement.n + statement.rule.steps + wide)
    row, numbers = list(statement.row), list(statement.numbers)
    for j, value, code in zip(change_set, values, codes, strict=True):
        if not statement.may_become(j, value):
            raise Rejected("values", f"{statement.features[j]!r} must not become {label_text(value)!r}")
        row[j], numbers[j] = code, statement.domains[j].number_of(value)
    decided = statement.rule.class_of(row)
    if decided == statement.decision or statement.target not in (None, decided):
        raise Rejected("values", f"changing {change_set} as stated does not lead to the wanted decision")
    rule = statement.rule
    if isinstance(rule, Numbers) and not any(
        all(rule.reached(row, condition) >= max(condition.bound, statement.doubt) for condition in conditions)
        for conditions in rule.alternatives(statement.decision, statement.target)
    ):
        raise Rejected("values", f"changing {change_set} as stated wins by less than the rule is in doubt")
    for relation in statement.relations:
        statement.effort.spend(100)
        if not obeys(relation, row, numbers, set(change_set)):
            raise Rejected("values", f"changing {change_set} as stated breaks a relation")


def _check_region(statement: Statement) -> None:
    """No row of a region has the target, or can reach it."""
    if statement.reasons is not None or statement.sets or statement.claim != "all":
        raise Rejected("form", "of a region it is claimed that no row can reach the target, and nothing else")
    steps, *_ = _proof(statement, ("boxes",))
    check_partition(statement, steps)


def _check_moves(statement: Statement) -> None:
    """By cost; none of the listed ones moves as far as another one, and all others do, or cost more."""
    costs = [statement.cost_of(at) for at in range(len(statement.sets))]
    if statement.reasons is not None or statement.claim == "first":
        raise Rejected("form", "moves are claimed to be all, all up to a number or a cost, or just listed")
    if any(a > b for a, b in pairwise(costs)):
        raise Rejected("order", "sets must come by cost")
    if statement.max_changes is not None and any(len(s) > statement.max_changes for s in statement.sets):
        raise Rejected("order", "a set has more changes than were asked for")
    if statement.k is not None and len(statement.sets) > statement.k:
        raise Rejected("order", "there are more sets than were asked for")
    for one in range(len(statement.sets)):
        statement.effort.spend(4 * (1 + len(statement.sets[one])) * len(statement.sets))
        if not statement.sets[one] or any(
            one != two and statement.is_nearer(one, two) for two in range(len(statement.sets))
        ):
            raise Rejected("minimal", "a set moves as far as another one, which is listed, too")
    _check_complete(statement, None)


def _masks(statement: Statement, sets: Iterable[Sequence[int]]) -> Iterator[int]:
    for features in sets:
        statement.effort.spend(1 + len(features) * words(statement.n))
        yield sum(1 << j for j in features)


def _check_minimal(statement: Statement, reach: Reach) -> None:
    if () in statement.sets or any(map(reach.shrinks, _some(_masks(statement, statement.sets)))):
        raise Rejected("minimal", "a set could do with fewer features")


def _some(masks: Iterator[int]) -> Iterator[list[int]]:
    while some := list(islice(masks, TOGETHER)):
        yield some


def _keys(statement: Statement) -> list[Key]:
    return [(statement.cost_of(at), len(s), s) for at, s in enumerate(statement.sets)]


#: The cost, size and features of a set, by which sets are in order.
Key = tuple[int | Fraction, int, tuple[int, ...]]


def _check_order(statement: Statement, sets: Sequence[tuple[int, ...]], keys: Sequence[Key]) -> None:
    if any(a >= b for a, b in pairwise(keys)):
        raise Rejected("order", "sets must come by cost, size and features, each once")
    if len(set(sets)) < len(sets):
        raise Rejected("order", "a set comes twice")
    if statement.max_changes is not None and any(len(s) > statement.max_changes for s in sets):
        raise Rejected("order", "a set has more changes than were asked for")
    if statement.k is not None and len(sets) > statement.k:
        raise Rejected("order", "there are more sets than were asked for")


# --- reasons ----------------------------------------------------------------------------------------------------------


def _check_reasons(statement: Statement, reasons: Sequence[tuple[int, ...]], reach: Reach) -> None:
    """Each reason forces the decision. Without one of its features, a row of the proof is decided otherwise: it changes
    this feature and none of the others. A reason has a feature in common with each set of changes that flips, so it is
    one of the minimal sets that have one in common with those of the proof.
    """
    costs = statement.flat_costs
    if statement.proof["kind"] != "rows" or statement.max_changes is not None or costs is None:
        raise Rejected("form", "reasons are proved by rows, for any number of changes and costs by feature")
    if statement.claim in ("up to", "cheapest") or (statement.claim == "first" and statement.k != len(reasons)):
        raise Rejected("form", "all reasons may be claimed, or the first k of them, or none but those that are listed")
    rows = list(_masks(statement, statement.sets))
    masks = list(_masks(statement, reasons))
    for mask in masks:
        statement.effort.spend(1 + 4 * len(rows) * words(statement.n))
        alone = 0
        for row in rows:
            common = row & mask
            alone |= common if not common & (common - 1) else 0
        if alone != mask:
            raise Rejected("minimal", "nothing shows that a reason could not do with fewer features")
    keys: list[Key] = [(sum(costs[j] for j in reason), len(reason), reason) for reason in reasons]
    _check_order(statement, reasons, keys)
    everything = (1 << statement.n) - 1
    if any(reach.many([everything & ~mask for mask in masks])):
        raise Rejected("reasons", "a reason does not force the decision")
    if statement.claim == "listed":
        return
    last = keys[-1] if statement.claim == "first" else None
    budget = None if last is None else int(last[0])  # costs by feature are integers
    found = hitting_sets(rows, statement.n, statement.n, costs, budget, statement.effort)
    _check_found(statement, found, masks, costs, last)


# --- complete ---------------------------------------------------------------------------------------------------------


def _proof(statement: Statement, kinds: Iterable[str] = PROOFS) -> list[Any]:
    """The parts of the proof but for its kind, which is one of these."""
    kind = statement.proof.get("kind") if isinstance(statement.proof, dict) else None
    if not isinstance(kind, str) or kind not in kinds:
        raise Rejected("form", f"the proof must be of kind {', '.join(kinds)}")
    return record(statement.proof, "proof", PROOFS[kind])[1:]


def _check_complete(statement: Statement, reach: Reach | None) -> None:
    """``reach`` is None for moves, which have proofs of their own."""
    rest = _proof(statement, PROOFS if reach is not None else ("boxes", "none"))
    kind = statement.proof["kind"]
    _check_claim(statement, kind)
    if kind == "boxes":
        statement.uses_sets = check_partition(statement, rest[0])
    elif reach is None:
        return
    elif kind == "duality":
        reasons = items(rest[0], "reasons", lambda part, where: indices(part, where, statement.n))
        _check_sets(statement, _by_reasons(statement, reach, reasons))
    elif kind == "sums":
        if not isinstance(reach, Gains):
            raise Rejected("form", "a proof of kind sums is for rules that add up, without relations")
        _check_sets(statement, _by_sums(statement, reach))
    elif kind == "clauses":
        if not isinstance(statement.rule, Diagrams) or statement.relations:
            raise Rejected("form", "a proof of kind clauses is for rules of diagrams, without relations")
        steps = items(rest[0], "steps", lambda step, at: items(step, at, integer))
        check_proof(clauses_of(statement), steps, statement.effort)


def _check_claim(statement: Statement, proof: str) -> None:
    if (statement.claim == "listed") != (proof == "none"):
        raise Rejected("form", "a list that is claimed to be complete needs a proof, and no other does")
    if statement.claim == "all" and statement.max_changes is not None:
        raise Rejected("form", "up to max_changes were asked for: all sets cannot be claimed")
    if statement.claim == "up to" and statement.most > (
        statement.n if statement.max_changes is None else statement.max_changes
    ):
        raise Rejected("form", "more is claimed than was asked for")
    if statement.claim == "first" and (
        statement.k != len(statement.sets) or proof in ("clauses", "boxes") or statement.flat_costs is None
    ):
        raise Rejected("form", "the first k sets need k sets, costs by feature, and a proof by reasons or sums")
    if statement.claim == "cheapest" and (statement.k != len(statement.sets) or proof != "boxes"):
        raise Rejected("form", "the cheapest k sets need k sets, and a proof by boxes")


def _costs(statement: Statement) -> tuple[list[int], int | None]:
    """What features cost, and the cost of the last set if the list is only the beginning."""
    if statement.claim != "first":
        return [1] * statement.n, None
    costs = statement.flat_costs
    assert costs is not None
    return costs, int(_keys(statement)[-1][0])


def _by_reasons(statement: Statement, reach: Reach, reasons: Sequence[tuple[int, ...]]) -> Iterator[int]:
    """Sets one of which is part of any change set that might be missing."""
    if any(a >= b for a, b in pairwise(reasons)):
        raise Rejected("reasons", "reasons must be in order, each once")
    everything = (1 << statement.n) - 1
    masks = list(_masks(statement, reasons))
    if any(reach.many([everything & ~mask for mask in masks])):
        raise Rejected("reasons", "a reason does not force the decision")
    return hitting_sets(masks, statement.n, statement.most, *_costs(statement), statement.effort)


def _by_sums(statement: Statement, reach: Gains) -> Iterator[int]:
    """The same, by the gains of the features."""
    for gains, lacks in reach.alternatives:
        yield from flipping_sets(gains, lacks, statement.most, *_costs(statement), statement.effort)


def _check_sets(statement: Statement, found: Iterable[int]) -> None:
    last = _keys(statement)[-1] if statement.claim == "first" else None
    _check_found(statement, found, list(_masks(statement, statement.sets)), _costs(statement)[0], last)


def _check_found(
    statement: Statement, found: Iterable[int], masks: Sequence[int], costs: Sequence[int], last: Key | None
) -> None:
    """Whatever is found must contain a listed set, unless it comes after the last."""
    listed = Contained(masks, statement.n, statement.effort)
    for mask in found:
        if listed.any_in(mask):
            continue
        statement.effort.spend(statement.n)
        features = tuple(bits(mask))
        if last is None or (sum(costs[j] for j in features), len(features), features) < last:
            raise Rejected("complete", f"nothing shows that {features} is not missing")


def _words(statement: Statement) -> str:
    """What is proved, and under which constraints."""
    if statement.is_region:
        assert statement.target is not None
        wanted = repr(label_words(statement.classes[statement.target]))
        return f"{_within(statement.phrases)}no row of the region can reach {wanted}, and none has it"
    decision, n = label_words(statement.classes[statement.decision]), len(statement.sets)
    wanted = "another decision" if statement.target is None else repr(label_words(statement.classes[statement.target]))
    if statement.n_classes == 2:
        wanted = repr(label_words(statement.classes[1 - statement.decision]))
    if statement.reasons is not None:
        return f"the decision is {decision!r}; {_within(statement.phrases)}{_reason_words(statement, wanted)}"
    sets = f"{n:,} minimal set{'s' * (n != 1)} of changes lead{'s' * (n == 1)} to {wanted}"
    most = "" if statement.most >= statement.n else f" of at most {statement.most} features"
    if statement.moves is not None:
        sets = f"{n:,} way{'s' * (n != 1)} to change it lead{'s' * (n == 1)} to {wanted}"
    as_far = "change the same features" if statement.moves is None else "move at least as far"
    others = f"all others{most} cost at least {_number(statement)}"
    claims = {
        "all": f"{sets}, and no others do" if statement.moves is None else f"{sets}, and all others {as_far}",
        "up to": f"{sets}; of those{most or ' of any size'} there are no others",
        "first": f"{sets}, and none{most} comes before the last of them by cost, size and features",
        "cheapest": f"{sets}; {others}" + f", or {as_far} as one of them" * statement.uses_sets,
        "listed": f"{sets}; whether there are others is not claimed",
    }
    if statement.moves is not None:
        claims["up to"] = f"{sets}, and all others{most} {as_far} as one of them"
        claims["all"] += " as one of them"
    none = f"no set of changes{most} leads to {wanted}"
    claim = none if not n and statement.claim != "listed" else claims[statement.claim]
    return f"the decision is {decision!r}; {_within(statement.phrases)}{claim}"


def _number(statement: Statement) -> str:
    """The least cost of what is not listed, in the user's numbers."""
    if statement.least is None:
        return ""
    cost = statement.least * statement.unit
    return str(cost) if cost.denominator == 1 else str(float(cost))


def _reason_words(statement: Statement, wanted: str) -> str:
    n, rest = len(statement.reasons or ()), statement.n_classes > 2 and statement.target is not None
    sets = f"{n:,} minimal set{'s' * (n != 1)} of facts force{'s' * (n == 1)} it"
    if rest:
        sets = f"{n:,} minimal set{'s' * (n != 1)} of facts rule{'s' * (n == 1)} out {wanted}"
    claims = {
        "all": f"{sets}, and no others do",
        "first": f"{sets}, and none comes before the last of them by cost, size and features",
        "listed": f"{sets}; whether there are others is not claimed",
    }
    return claims[statement.claim]


def _within(phrases: Sequence[str]) -> str:
    """The constraints under which a verdict holds."""
    return f"within the constraints ({'; '.join(phrases)}), " if phrases else "without constraints, "
