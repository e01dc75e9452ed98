"""A classifier at a glance, in a notebook: what it decides, and from which values."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from html import escape

from symcf.answers.render import HEAD, NAME, SAME, TABLE, shortened
from symcf.common.text import one_line
from symcf.data.numbers import NumberLine
from symcf.data.phrases import value_text
from symcf.data.regions import number_text
from symcf.system.classifier import Classifier

__all__ = ["classifier_to_html"]

#: Features, and values of each, that are listed, and letters of a value.
FEATURES, VALUES, LETTERS = 30, 8, 24


def classifier_to_html(c: Classifier) -> str:
    """A fragment: the classes, and a table of the features with their values."""
    classes = ", ".join(escape(shortened(one_line(label), LETTERS)) for label in c.classes[:VALUES])
    more = _more(len(c.classes) - VALUES)
    rows = "".join(_row(c, j) for j in range(min(c.n_features, FEATURES)))
    if c.n_features > FEATURES:
        left = c.n_features - FEATURES
        rows += f'<tr><td colspan="2" style="{SAME};opacity:.8">{left:,} more feature{"s" * (left != 1)}</td></tr>'
    head = f'<th scope="col" style="{HEAD}">Feature</th><th scope="col" style="{HEAD}">Values</th>'
    return (
        f'<div class="symcf-classifier"><p><strong>{escape(repr(c.model))}</strong>, which decides between {classes}'
        f'{more}{_built(c)}</p><div style="overflow-x:auto"><table style="{TABLE}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></div>"
    )


def _built(c: Classifier) -> str:
    nodes = sum(diagram.size for diagram in c.built_diagrams().values())
    return f'. <span style="opacity:.8">Its diagrams have {nodes:,} nodes.</span>' if nodes else "."


def _row(c: Classifier, j: int) -> str:
    name = escape(one_line(c.features[j]))
    values = f"{_values(c.values[j])}{_columns(c, j)}"
    return f'<tr><th scope="row" style="{NAME}">{name}</th><td style="{SAME}">{values}</td></tr>'


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
