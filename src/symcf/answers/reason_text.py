"""Reasons as plain text, as HTML, and as sentences that a person can be sent.

Declined because GPA is low: with this fact, the decision is 'declined' regardless of the other values.

A reason holds under the constraints of the question, so every text names them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from html import escape

from symcf.answers.facts import sure_text
from symcf.answers.html_table import CHANGED, QUIET, Cell, html_table
from symcf.answers.reason_facts import Condition, Reason, ReasonFacts
from symcf.answers.render import BESIDE, CELL, LISTED, MANY_FEATURES, cut_line, shortened
from symcf.answers.sentences import decision_phrase, fixed_phrase, given_phrase, stopped
from symcf.common.options import checked_count
from symcf.common.text import one_line
from symcf.data.numbers import NumberLine
from symcf.data.phrases import joined, quoted, value_phrase
from symcf.data.regions import Region, number_text
from symcf.errors import LimitError, OptionError

__all__ = ["principal", "sentences", "to_html", "to_text"]


# --- sentences --------------------------------------------------------------------------------------------------------


def condition_phrase(r: ReasonFacts, feature: int) -> str:
    """A feature as it is, in words: "age is between 25 and 35"."""
    return f"{quoted(r.features[feature])} is {value_phrase(r.row[feature])}"


def _phrase(condition: Condition) -> str:
    """The same of a condition that may be wide: "age is at least 25", "job is student or worker"."""
    said, also = condition.accepted.said, condition.accepted.also
    if isinstance(said, Region):
        (low, from_low), (high, to_high) = said.lower, said.upper
        if not math.isfinite(low) and not math.isfinite(high):
            parts = ["any number"]
        elif low == high or (math.isfinite(low) and math.isfinite(high)):
            parts = [number_text(low) if low == high else f"between {number_text(low)} and {number_text(high)}"]
        elif math.isfinite(low):
            parts = [f"{'at least' if from_low else 'above'} {number_text(low)}"]
        else:
            parts = [f"{'at most' if to_high else 'below'} {number_text(high)}"]
    else:
        parts = [value_phrase(value) for value in said]
    return f"{quoted(condition.name)} is {' or '.join([*parts, *map(value_phrase, also)])}"


def _decided(r: ReasonFacts) -> str:
    """Declined. Or, where a class is ruled out: Not approved."""
    if r.target is None:
        return decision_phrase(r.classes[r.prediction])
    return f"Not {quoted(r.classes[r.target])}"


def _regardless(r: ReasonFacts, others: str) -> str:
    """As in "the decision is 'declined' regardless of the other values, given that income may only increase"."""
    label = r.classes[r.prediction if r.target is None else r.target]
    text = one_line(label)
    shown = (f'"{text}"' if "'" in text else f"'{text}'") if isinstance(label, str) else quoted(label)
    ranges = " within their ranges" if any(isinstance(labels, NumberLine) for labels in r.values) else ""
    given = given_phrase(r.constraints)
    decided = f"the decision is {'' if r.target is None else 'not '}{shown}"
    return f"{decided} regardless of {others}{ranges}{', ' * bool(given)}{given}"


def sentence_of(r: ReasonFacts, reason: Reason) -> str:
    """One reason, and what it means."""
    fixed = fixed_phrase(r.constraints)
    if not reason.conditions:
        said = f"With {fixed}, {_regardless(r, 'the other values')}" if fixed else _regardless(r, "all values")
        return f"{said[0].upper()}{said[1:]}."
    facts = "this fact" if len(reason.conditions) == 1 else "these facts"
    why = joined(list(map(_phrase, reason.conditions)))
    with_these = f"with {facts}, and {fixed}," if fixed else f"with {facts},"
    return f"{_decided(r)} because {why}: {with_these} {_regardless(r, 'the other values')}."


def sentences(r: ReasonFacts, most: int | None = 10) -> list[str]:
    """The decision, each reason, the features that all or none of them need, and notes on completeness."""
    said = [f"{decision_phrase(r.classes[r.prediction])}."]
    if r.at_target:
        return [*said, "This is what was asked for: there is no reason against it."]
    said += [sentence_of(r, reason) for reason in itertools.islice(r, most)]
    left = 0 if most is None else r.count - most
    if left > 0:
        said.append(f"There {'is 1 more reason' if left == 1 else f'are {left:,} more reasons'}.")
    return [*said, *_roles(r), _how_complete(r)]


def _roles(r: ReasonFacts) -> list[str]:
    """Which features matter in any case and which in none; nothing where that cannot be found out."""
    try:
        necessary, irrelevant = r.necessary, r.irrelevant
    except (LimitError, OptionError):
        return []
    said = []
    if necessary and r.count > 1:
        said.append(f"Every reason includes {_names(r, necessary)}.")
    if idle := _idle(r, irrelevant):
        plays = "this plays" if len(idle) == 1 else "these play"
        fixed, given = fixed_phrase(r.constraints), given_phrase(r.constraints)
        under = " and ".join(filter(None, [f"with {fixed}" if fixed else "", given]))
        sentence = f"{under}{', ' * bool(under)}{plays} no part: {_names(r, idle)}."
        said.append(sentence[0].upper() + sentence[1:])
    return said


def _idle(r: ReasonFacts, irrelevant: Sequence[int]) -> list[int]:
    """The features in no reason, without those that are in none because the constraints hold them."""
    held = {constraint.feature for constraint in r.constraints if constraint.stated}
    return [j for j in irrelevant if j not in held]


def _names(r: ReasonFacts, features: Sequence[int]) -> str:
    if len(features) <= MANY_FEATURES:
        return joined([quoted(r.features[j]) for j in features])
    shown = [quoted(r.features[j]) for j in features[: MANY_FEATURES - 1]]
    return joined([*shown, f"{len(features) - len(shown):,} other features"])


def _how_complete(r: ReasonFacts) -> str:
    if not r.complete:
        return stopped(r.status, r.count, "reason") + (": there may be others." if r.count else ".")
    if not r.is_whole:
        return "No other reason costs less." if r.k == 1 else f"No other reason costs less than these {r.k:,}."
    if r.count == 1:
        return "There is no other reason." if r.sets[0] else "There is no other way to see it."
    if r.is_general:
        return "These are all sets of features that are enough; each is alone, and no part of one would be."
    return "These are all reasons; each of them alone is enough, and no part of one would be."


def principal(r: ReasonFacts, most: int) -> list[str]:
    """At most so many features of all reasons, in words, by the share of the reasons that they are in."""
    limit = checked_count(most, "most", least=1)
    shares = r.shares
    relevant = sorted((j for j, share in enumerate(shares) if share), key=lambda j: (-shares[j], j))
    return [condition_phrase(r, j) for j in relevant[:limit]]


# --- text -------------------------------------------------------------------------------------------------------------


def to_text(r: ReasonFacts, total: int | None = 0) -> str:
    """The decision, the reasons, and the features that all or none of them need. ``total`` is how many reasons there
    are where only the first were asked for; None: that is not known.
    """
    count = r.count if total == 0 else total
    if r.at_target:
        return _headline(r, count)
    lines = [_headline(r, count)]
    lines += [f"  {reason}" for reason in itertools.islice(r, LISTED)]
    if r.count > LISTED:
        lines.append("  ... and more" if count is None else f"  ... and {count - LISTED:,} more")
    if not r.complete:
        lines.append(f"  {cut_line(r.status, r.count, 'reason')}")
    try:
        roles = [("in every reason", r.necessary), ("in no reason", _idle(r, r.irrelevant))]
    except (LimitError, OptionError):
        roles = []
    lines += [f"{name}: {_text_names(r, features)}" for name, features in roles if features]
    return "\n".join(lines)


def _text_names(r: ReasonFacts, features: Sequence[int]) -> str:
    names = [one_line(r.features[j]) for j in features[:MANY_FEATURES]]
    left = len(features) - len(names)
    return ", ".join([*names, *([f"{left:,} more"] if left else [])])


def _headline(r: ReasonFacts, count: int | None) -> str:
    sure = sure_text(r.probability, r.reached)
    decided = f"decided {one_line(r.classes[r.prediction])}{f' {sure}' if sure else ''}"
    if r.at_target:
        return f"{decided}, as wanted: there is no reason against it"
    what = "" if r.target is None else f", not {one_line(r.classes[r.target])}"
    if count == 0:
        return f"{decided}{what}; no reason found yet"
    these = "these reasons" if count is None else f"these {count:,} reasons"
    enough = "this is enough" if count == 1 else f"each of {these} is enough"
    return f"{decided}{what}; {enough}{_whatever(r)}:"


def _whatever(r: ReasonFacts) -> str:
    """As in " with age and sex as they are, whatever the rest is, given that income may only increase"."""
    fixed, given = fixed_phrase(r.constraints), given_phrase(r.constraints)
    ranges = " within its range" if any(isinstance(labels, NumberLine) for labels in r.values) else ""
    return f"{f' with {fixed}' if fixed else ''}, whatever the rest is{ranges}{', ' * bool(given)}{given}"


# --- HTML -------------------------------------------------------------------------------------------------------------


def to_html(r: ReasonFacts) -> str:
    """A fragment for a notebook: sentences, and a table of the instance with the parts of each reason marked."""
    said = sentences(r, most=0)
    told = sure_text(r.probability, r.reached)
    sure = f' <span style="opacity:.8">{told}</span>' if told else ""
    enough = "One reason is" if r.count == 1 else f"Each of {r.count:,} reasons is"
    lead = f"{enough} enough{_whatever(r)}:" if r.sets and r.sets[0] else ""
    parts = [f"<p><strong>{escape(said[0])}</strong>{sure} {escape(lead)}</p>"]
    shown = list(itertools.islice(r, BESIDE))
    if r.at_target:
        notes = said[-1:]
    elif any(reason.conditions for reason in shown):
        parts.append(_html_table(r, shown))
        rest = r.count - len(shown)
        more = [] if rest <= 0 else [f"{rest:,} more {'is' if rest == 1 else 'are'} not shown."]
        notes = [*more, *_roles(r), said[-1]]
    else:
        notes = [sentence_of(r, reason) for reason in shown] or [said[-1]]
    parts.append(f'<p style="opacity:.8">{escape(" ".join(notes))}</p>')
    return f'<div class="symcf-reasons">{"".join(parts)}</div>'


def _html_table(r: ReasonFacts, shown: Sequence[Reason]) -> str:
    features = sorted({j for reason in shown for j in reason.features})
    left = len(r.features) - len(features)
    return html_table(
        ["Feature", "Now", *(f"{i + 1}" for i in range(len(shown)))],
        [[one_line(r.features[j]), *_html_cells(r, j, shown)] for j in features],
        caption="The instance, and what of it each reason needs.",
        note=f"{left:,} more {'feature' if left == 1 else 'features'}: any value will do" if left else "",
    )


def _html_cells(r: ReasonFacts, feature: int, shown: Sequence[Reason]) -> Iterator[str | Cell]:
    value = shortened(one_line(r.row[feature]), CELL)
    yield value
    for reason in shown:
        if feature not in reason.features:
            yield Cell("any", QUIET)
            continue
        condition = reason.conditions[reason.features.index(feature)]
        kept = shortened(str(condition), CELL) if r.is_general else value
        yield Cell(f"<strong>{escape(kept)}</strong>", CHANGED)
