"""Explanations as plain text and as HTML.

Both say the decision first, then what would have led to another, and show the instance beside the counterfactuals with
the changes marked: by a sign and not by colour alone.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Hashable, Iterator, Sequence
from html import escape

from symcf.answers.facts import Counterfactual, Facts, new_text, sure_text
from symcf.answers.groups import groups_of
from symcf.answers.html_table import CHANGED, Cell, html_table
from symcf.answers.sentences import diversity_note, reach_note, sentences
from symcf.answers.summary import Summary
from symcf.common.text import one_line
from symcf.data.numbers import NumberLine
from symcf.data.phrases import value_text
from symcf.data.regions import number_text
from symcf.system.classifier import Classifier

__all__ = ["classifier_to_html", "cut_line", "shortened", "summary_to_html", "to_html", "to_text"]


#: Counterfactuals that are listed, and those that get a column of their own.
LISTED, BESIDE = 20, 5
#: Of many counterfactuals: those that are listed in full, and the change sets of which groups are made.
FEW, GROUPED = 5, 2_000
#: With more features than this, only those that change are shown.
MANY_FEATURES = 20
WIDTH, CELL = 100, 24


def shortened(text: str, most: int) -> str:
    """At most this many letters; the middle is left out."""
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return text[: most - 1 - tail] + "…" + (text[-tail:] if tail else "")


def _shown_features(e: Facts, shown: Sequence[Counterfactual]) -> list[int]:
    """The rows of the table: all features, or those that change where there are many."""
    if len(e.features) <= MANY_FEATURES:
        return list(range(len(e.features)))
    return sorted({j for cf in shown for j in cf.features})


# --- text -------------------------------------------------------------------------------------------------------------


def to_text(e: Facts) -> str:
    """The decision, the counterfactuals, and the instance beside the first of them."""
    lines = [_headline(e)]
    if e.sets:
        shown = list(itertools.islice(e, LISTED))
        lines += [f"  {_with_class(e, cf)}" for cf in shown] if len(e) <= LISTED else _grouped(e, shown)
        if e.diversity is not None:
            lines.append(f"  {diversity_note(e, e.diversity)}")
    else:
        lines += [f"  in the way: {one_line(constraint)}" for constraint in e.blocking]
        if e.complete and (reach := reach_note(e)) is not None:
            lines.append(f"  that is: no change{reach}")
    if not e.complete:
        lines.append(f"  {cut_line(e.status, e.count, 'set', e.complete_up_to)}")
    if e.sets and len(e.features) > 1:
        lines += ["", *_text_table(e, shown[:BESIDE])]
    lines += [f"  {note}" for note in _group_notes(e)]
    return "\n".join(lines)


def _group_notes(e: Facts) -> list[str]:
    """Which features are several columns of the row."""
    return [
        f"{one_line(e.features[j])} is one feature of {len(columns)} columns that exclude each other: "
        f"{shortened(one_line(', '.join(columns)), WIDTH)}"
        for j, columns in e.column_groups.items()
    ]


def cut_line(status: str, count: int, what: str, complete_up_to: int | None = None) -> str:
    """What ended a search, and how far it got."""
    far = f", with more than {complete_up_to:,} change{'s' * (complete_up_to != 1)}" if complete_up_to else ""
    return f"stopped by {status} after {count:,} {what}{'s' * (count != 1)}: more may exist{far}"


def _grouped(e: Facts, shown: Sequence[Counterfactual]) -> list[str]:
    """Many counterfactuals: the first in full, and then all of them as features, those that differ in one together."""
    if e.minimality == "moves":  # the same features may come again with other values
        return [*(f"  {_with_class(e, cf)}" for cf in shown), f"  ... and {len(e) - LISTED:,} more"]
    groups = groups_of(e.sets[:GROUPED], e.features)
    listed = groups[: LISTED - FEW]
    lines = [f"  {_with_class(e, cf)}" for cf in shown[:FEW]]
    lines += ["", f"  all {len(e.sets):,} change sets, those that differ in one feature together:"]
    for group in listed:
        times = f" ({len(group):,} sets)" if len(group) > 1 else ""
        lines += textwrap.wrap(f"{group}{times}", WIDTH, initial_indent="  ", subsequent_indent="      ")
    if left := len(e.sets) - sum(map(len, listed)):
        lines.append(f"  ... and {left:,} more")
    return lines


def _headline(e: Facts) -> str:
    sure = sure_text(e.probability, e.reached)
    decided = f"decided {one_line(e.classes[e.prediction])}{f' {sure}' if sure else ''}"
    if e.at_target:
        return f"{decided}, as wanted: nothing has to change"
    new = "another class" if e.target is None else one_line(e.classes[e.target])
    if e.sets:
        return f"{decided}; it would be {new} with:"
    return f"{decided}; nothing that may change makes it {new}" if e.complete else f"{decided}; nothing found yet"


def _with_class(e: Facts, cf: Counterfactual) -> str:
    return f"{cf}" if e.target is not None else f"{cf}  -> {one_line(e.classes[cf.target])}"


def _text_table(e: Facts, shown: Sequence[Counterfactual]) -> list[str]:
    """One line per feature, changes marked by a star. As many counterfactuals as fit on a line, at least one."""
    features = _shown_features(e, shown)
    columns = [["* changed", *(shortened(one_line(e.features[j]), WIDTH // 3) for j in features)]]
    columns.append(["now", *(shortened(value_text(e.cells[j]), CELL) for j in features)])
    for i, cf in enumerate(shown):
        changed = {change.feature: shortened(new_text(change), CELL) + " *" for change in cf.changes}
        columns.append([f"{i + 1}.", *(changed.get(j, columns[1][p]) for p, j in enumerate(features, 1))])
    if e.costs.units is not None:
        for column, cost in zip(columns, ["cost", "", *(f"{cf.cost:g}" for cf in shown)], strict=True):
            column.append(cost)
    if e.plausibility is not None:
        for column, share in zip(columns, ["plausibility", *_shares(e, shown)], strict=True):
            column.append(share)
    widths = [max(map(len, column)) for column in columns]
    while len(columns) > 3 and sum(widths) + 2 * len(widths) > WIDTH:
        columns.pop(), widths.pop()
    lines = ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in zip(*columns, strict=True)]
    if left := len(e.features) - len(features):
        lines.append(f"  and {left:,} more features, unchanged")
    return lines


def _shares(e: Facts, shown: Sequence[Counterfactual]) -> list[str]:
    """The plausibility of the instance and of counterfactuals."""
    return ["" if share is None else f"{share:.1%}" for share in (e.plausibility, *(cf.plausibility for cf in shown))]


# --- HTML -------------------------------------------------------------------------------------------------------------


def to_html(e: Facts) -> str:
    """A fragment for a notebook: sentences, and a table of the instance beside the counterfactuals."""
    said = sentences(e, most=0)
    wanted = "another class" if e.target is None else one_line(e.classes[e.target])
    parts = [f"<p><strong>{escape(said[0])}</strong>{_percent(e.probability)} {_lead(e, wanted, said)}</p>"]
    if e.sets:
        parts.append(_html_table(e, list(itertools.islice(e, BESIDE)), wanted))
        rest = len(e) - BESIDE
        more = [] if rest <= 0 else [f"{rest:,} more {'is' if rest == 1 else 'are'} not shown."]
        notes = [*more, said[-1], *(f"{note}." for note in _group_notes(e))]
        parts.append(f'<p style="opacity:.8">{escape(" ".join(notes))}</p>')
    return f'<div class="symcf-explanation">{"".join(parts)}</div>'


def _lead(e: Facts, wanted: str, said: Sequence[str]) -> str:
    if not e.sets:
        return escape(" ".join(said[1:]))
    ways = "one way" if len(e) == 1 else f"{len(e):,} ways"
    return f"{ways} to <em>{escape(wanted)}</em>:"


def _percent(probability: float | None) -> str:
    return "" if probability is None else f' <span style="opacity:.8">({probability:.2%})</span>'


def _html_table(e: Facts, shown: Sequence[Counterfactual], wanted: str) -> str:
    features = _shown_features(e, shown)
    left = len(e.features) - len(features)
    stay = "feature stays as it is" if left == 1 else "features stay as they are"
    return html_table(
        ["Feature", "Now", *(_head(e, i, cf) for i, cf in enumerate(shown, 1))],
        [[one_line(e.features[j]), *_html_cells(e, j, shown)] for j in features],
        caption=f"The instance beside what would have been {wanted}. Changed values say what they were.",
        note=f"{left:,} more {stay}" if left else "",
        foot=_foot(e, shown),
    )


def _head(e: Facts, number: int, cf: Counterfactual) -> str:
    return f"{number}" if e.target is not None else f"{number}: {one_line(e.classes[cf.target])}"


def _html_cells(e: Facts, feature: int, shown: Sequence[Counterfactual]) -> Iterator[str | Cell]:
    old = value_text(e.cells[feature])
    yield old
    for cf in shown:
        change = next((change for change in cf.changes if change.feature == feature), None)
        if change is None:
            yield old
        else:
            was = f'<span style="opacity:.8"> (was {escape(old)})</span>'
            yield Cell(f"<strong>{escape(new_text(change))}</strong>{was}", CHANGED)


def _foot(e: Facts, shown: Sequence[Counterfactual]) -> list[list[str]]:
    """Costs where they differ from the number of changes, probabilities, and how plausible the rows are."""
    rows = []
    if e.costs.units is not None:
        rows.append(["Cost", "", *(f"{cf.cost:g}" for cf in shown)])
    if e.probability is not None:
        sure = ["" if cf.probability is None else f"{cf.probability:.2%}" for cf in shown]
        rows.append(["Probability", f"{e.probability:.2%}", *sure])
    if e.plausibility is not None:
        rows.append(["Plausibility", *_shares(e, shown)])
    return rows


def summary_to_html(summary: Summary) -> str:
    """A batch in a few numbers, and the features that change most."""
    what = summary.what
    status = "; ".join(f"{count:,} {summary.phrase(name)}" for name, count in summary.status.items())
    lead = f"<strong>{summary.rows:,} rows, {summary.sets:,} {what}.</strong> {escape(status)}."
    none = f" {summary.without:,} without any counterfactual." if summary.without else ""
    shown = list(itertools.islice(summary.features.items(), MANY_FEATURES))
    lines = [[one_line(name), f"{count:,}", f"{count / summary.sets:.1%}"] for name, count in shown]
    caption = f"In how many {what} each feature is."
    table = html_table(["Feature", what.capitalize(), "Share"], lines, caption=caption) if shown else ""
    left = len(summary.features) - len(shown)
    more = f'<p style="opacity:.8">{left:,} more features are in fewer of them.</p>' if left else ""
    return f'<div class="symcf-batch"><p>{lead}{none}</p>{table}{more}</div>'


# --- classifiers ------------------------------------------------------------------------------------------------------
# A classifier at a glance, in a notebook: what it decides, and from which values.

#: Features, and values of each, that are listed, and letters of a value.
FEATURES, VALUES, LETTERS = 30, 8, 24


def classifier_to_html(c: Classifier) -> str:
    """A fragment: the classes, and a table of the features with their values."""
    classes = ", ".join(escape(shortened(one_line(label), LETTERS)) for label in c.classes[:VALUES])
    more = _more(len(c.classes) - VALUES)
    names = map(one_line, c.features[:FEATURES])
    left = c.n_features - FEATURES
    table = html_table(
        ["Feature", "Values"],
        [[name, Cell(f"{_values(c.values[j])}{_columns(c, j)}")] for j, name in enumerate(names)],
        note=f"{left:,} more feature{'s' * (left != 1)}" if left > 0 else "",
    )
    return (
        f'<div class="symcf-classifier"><p><strong>{escape(repr(c.model))}</strong>, which decides between {classes}'
        f"{more}{_built(c)}</p>{table}</div>"
    )


def _built(c: Classifier) -> str:
    nodes = sum(diagram.size for diagram in c.built_diagrams().values())
    return f'. <span style="opacity:.8">Its diagrams have {nodes:,} nodes.</span>' if nodes else "."


def _values(values: Sequence[Hashable]) -> str:
    if isinstance(values, NumberLine):
        return f"numbers from {number_text(values.low)} to {number_text(values.high)}"
    shown = [escape(shortened(value_text(values[code]), LETTERS)) for code in range(min(len(values), VALUES))]
    return ' <span style="opacity:.5">|</span> '.join(shown) + _more(len(values) - VALUES)


def _columns(c: Classifier, j: int) -> str:
    columns = c.encoder.groups.get(j)
    return "" if columns is None else f" (columns {escape(one_line(', '.join(columns)))})"


def _more(left: int) -> str:
    return f" and {left:,} more" if left > 0 else ""
