"""Plain language: an explanation as sentences that a person can be sent.

    Declined. It would be approved if GPA were high.

The sentences state only what is known: they follow from the names of features, values and classes, and from the status
of the search. Names are used as they are; those that would be misread within a sentence are put in quotes.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from symcf.answers.diversity import Diversity
from symcf.answers.facts import Change, Counterfactual, Facts, new_text
from symcf.common.text import one_line
from symcf.data.phrases import BOUND, RANGE, joined, quoted, spoken, value_phrase, value_text
from symcf.data.regions import Region
from symcf.question.constraints import Constraint

__all__ = [
    "decision_phrase",
    "diversity_note",
    "fixed_features",
    "fixed_phrase",
    "given_phrase",
    "limit_note",
    "sentence_of",
    "sentences",
    "stopped",
]

#: More features or constraints than this are counted, not named.
MANY = 6


# --- words ------------------------------------------------------------------------------------------------------------


def new_value(e: Facts, change: Change, new: int) -> str:
    """What a feature would be: a number as "at least 2,480 instead of 2,310", a value by its name; "higher" or
    "lower" where the names are numbers or ranges in order.
    """
    if isinstance(change.said, Region):
        return f"{new_text(change, spoken)} instead of {spoken(change.old)}"
    if change.new != e.values[change.feature][new]:
        return quoted(value_text(change.new))
    feature = change.feature
    labels, old = e.values[feature], int(e.instance[feature])
    phrase = value_phrase(labels[new])
    if len(labels) == 2 or not e.ordered[feature] or not all(map(_is_number_or_range, labels)):
        return phrase
    if isinstance(labels[new], str) and BOUND.fullmatch(str(labels[new])):
        return phrase  # "above 45" has its direction in it
    return f"{'higher' if new > old else 'lower'} ({phrase})"


def _is_number_or_range(label: Hashable) -> bool:
    if isinstance(label, str):
        return bool(RANGE.fullmatch(label) or BOUND.fullmatch(label))
    return isinstance(label, (int, float, np.integer, np.floating)) and not isinstance(label, bool)


def decision_phrase(label: Hashable) -> str:
    """Declined. Or, for a class that is not a word: Decided 0."""
    text = one_line(label).strip()
    if isinstance(label, str) and text[:1].isalpha():
        return text[0].upper() + text[1:]
    return f"Decided {quoted(label)}"


def _would_be(label: Hashable) -> str:
    """It would be approved; the decision would be 1."""
    subject = "It" if isinstance(label, str) else "The decision"
    return f"{subject} would be {quoted(label)}"


# --- sentences --------------------------------------------------------------------------------------------------------


def sentence_of(e: Facts, cf: Counterfactual) -> str:
    """One counterfactual: "It would be approved if GPA were high and age were above 25."."""
    changes = [f"{quoted(c.name)} were {new_value(e, c, int(cf.instance[c.feature]))}" for c in cf.changes]
    return f"{_would_be(e.classes[cf.target])} if {joined(changes)}."


def sentences(e: Facts, most: int | None = 10) -> list[str]:
    """The decision, each counterfactual, and notes on completeness."""
    said = [f"{decision_phrase(e.classes[e.prediction])}."]
    if e.at_target:
        return [*said, "This is what was asked for: nothing has to change."]
    if not e.sets:
        return said + _nothing_found(e)
    said += [sentence_of(e, cf) for cf in itertools.islice(e, most)]
    left = 0 if most is None else len(e) - most
    if left > 0:
        said.append(f"There {_are(left, 'more way')}.")
    return [*said, _how_complete(e)]


def _are(count: int, what: str) -> str:
    return f"is 1 {what}" if count == 1 else f"are {count:,} {what}s"


def _how_complete(e: Facts) -> str:
    if not e.complete:
        return limit_note(e)
    if e.diversity is not None:
        return diversity_note(e, e.diversity)
    if e.k is not None and e.count == e.k:
        return "No other way costs less." if e.k == 1 else f"No other way costs less than these {e.k:,}."
    only = "This is the only way" if len(e) == 1 else "These are all ways"
    given = " under the given constraints" if e.constraints else ""
    many = {j for j, labels in enumerate(e.values) if len(labels) > 2}
    choice = bool(many) and not e.all_values and not all(many.isdisjoint(change_set) for change_set in e.sets)
    others = "; other values of the same features may do as well" if choice else ""
    return f"{only} in which no change could be spared{given}{others}."


def diversity_note(e: Facts, diversity: Diversity) -> str:
    """How much the chosen ways differ, and out of how many they were chosen."""
    which = f"{diversity.of:,} ways" if e.k is None or diversity.of < e.k else f"the {diversity.of:,} cheapest ways"
    if len(e.sets) < 2 or len(e.sets) == diversity.of:
        return f"Chosen out of {which}."
    if diversity.distance == 1:
        return f"No two of these have a change in common; they were chosen out of {which}."
    least = f"at least {diversity.distance:.0%} of their changes differ"
    proved = "no other choice differs more" if diversity.exact else "another choice may differ more"
    return f"Chosen to differ out of {which}: of any two, {least}; {proved}."


def limit_note(e: Facts) -> str:
    """Why an explanation that is not complete is not, and how far the search got."""
    up_to = None if not e.complete_up_to else f"{e.complete_up_to:,} change{'s' * (e.complete_up_to != 1)}"
    if not e.sets:
        return f"{stopped(e.status, 0, 'way')}: there may be some{f', with more than {up_to}' if up_to else ''}."
    return f"{stopped(e.status, e.count, 'way')}: there may be others." + (
        f" All ways of up to {up_to} are listed." if up_to else ""
    )


def stopped(status: str, count: int, what: str) -> str:
    """What ended a search, and what it had found by then."""
    if not count:
        return f"The search was stopped by its time limit before it found a {what}"
    found = f"after {count:,} {what}{'s' * (count != 1)}"
    why = f"by its time limit {found}" if status == "time_limit" else f"{found}, the limit {status}"
    return f"The search was stopped {why}"


def _nothing_found(e: Facts) -> list[str]:
    if not e.complete:
        return [limit_note(e)]
    outcome = "changed the decision" if e.target is None else f"made it {quoted(e.classes[e.target])}"
    if (reach := reach_note(e)) is not None:
        return [f"No change{reach}{',' * reach.endswith('constraints')} would have {outcome}."]
    ways = [constraint.phrase() for constraint in e.blocking]
    end = "Without this there would be a way." if len(ways) == 1 else "Without all of these there would be a way."
    return [
        f"Nothing that was allowed to change would have {outcome}.",
        f"In the way: {joined(ways)}.",
        end,
    ]


def reach_note(e: Facts) -> str | None:
    """Which changes were ruled out, if there is no way and no constraint is to blame; None otherwise."""
    if e.sets or e.blocking or e.at_target:
        return None
    if not any(c.tries for c in e.constraints):
        return " to values that the classifier was compiled with"
    limits = [c.max_changes for c in e.constraints if c.max_changes is not None]
    most = [f" of up to {limit:,} feature{'s' * (limit != 1)}" for limit in limits]
    given = any(c.stated and c.max_changes is None for c in e.constraints)
    return f"{''.join(most)} to values that were tried{', under the given constraints' * given}"


def fixed_features(constraints: Iterable[Constraint]) -> tuple[int, ...]:
    """The features that the constraints leave as they are."""
    return tuple(dict.fromkeys(c.feature for c in constraints if c.fixes and c.feature is not None))


def fixed_phrase(constraints: Sequence[Constraint]) -> str:
    """What the constraints leave as it is: "age and sex as they are"; empty if nothing is."""
    fixed = fixed_features(constraints)
    names = {c.feature: quoted(c.name) for c in constraints}
    if len(fixed) > MANY:
        return f"{len(fixed):,} features as they are"
    return f"{joined([names[j] for j in fixed])} as {'it is' if len(fixed) == 1 else 'they are'}" if fixed else ""


def given_phrase(constraints: Sequence[Constraint]) -> str:
    """The other constraints: 'given that income may only increase and the rule "a = b"'; empty if there are none."""
    fixed = fixed_features(constraints)
    others = [c for c in constraints if c.max_changes is None and (c.feature is None or c.feature not in fixed)]
    if len(others) > MANY:
        return f"given the other {len(others):,} constraints"
    clauses = [c.phrase() for c in others if not c.is_rule]
    rules = [c.phrase() for c in others if c.is_rule]
    parts = [f"that {joined(clauses)}", *rules] if clauses else rules
    return f"given {joined(parts)}" if parts else ""
