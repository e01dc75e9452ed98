"""Tables for notebooks.

Styles stand in the elements, because notebook viewers drop style sheets. Colours are the page's own or transparent
ones, so that light and dark pages both work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

__all__ = ["CHANGED", "QUIET", "Cell", "html_table"]

BORDER = "border-bottom:1px solid rgba(128,128,128,.35)"
NAME = f"text-align:left;padding:.25em .8em .25em .3em;font-weight:normal;{BORDER}"
HEAD = f"text-align:left;padding:.25em .8em;font-weight:bold;{BORDER}"
SAME = f"text-align:left;padding:.25em .8em;{BORDER}"
CHANGED = f"{SAME};background:rgba(230,159,0,.28);box-shadow:inset 3px 0 0 #e69f00"
QUIET = f"{SAME};opacity:.8"
TABLE = (
    "border-collapse:collapse;margin:.5em 0;font-size:inherit;font-variant-numeric:tabular-nums;color:inherit;"
    "background:transparent"
)
CAPTION = "text-align:left;caption-side:top;opacity:.8"


class Cell(NamedTuple):
    """A cell that is HTML already, or has a style of its own."""

    html: str
    style: str = SAME


#: The heading of a line, and its cells; text is escaped.
Line = Sequence[str | Cell]


def html_table(
    heads: Sequence[str], lines: Iterable[Line], *, caption: str = "", note: str = "", foot: Sequence[Line] = ()
) -> str:
    """A table that scrolls if it is too wide. ``note`` is a last line across all columns; ``foot`` are lines below."""
    styles = [f"{NAME};font-weight:bold", *[HEAD] * (len(heads) - 1)]
    head = "".join(f'<th scope="col" style="{s}">{escape(text)}</th>' for s, text in zip(styles, heads, strict=True))
    body = _lines(lines)
    if note:
        body += f'<tr><td colspan="{len(heads)}" style="{QUIET}">{escape(note)}</td></tr>'
    above = f'<caption style="{CAPTION}">{escape(caption)}</caption>' if caption else ""
    below = f'<tfoot style="opacity:.8">{_lines(foot)}</tfoot>' if foot else ""
    return (
        f'<div style="overflow-x:auto"><table style="{TABLE}">{above}<thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody>{below}</table></div>"
    )


def _lines(lines: Iterable[Line]) -> str:
    return "".join(f"<tr>{_heading(name)}{''.join(map(_cell, cells))}</tr>" for name, *cells in lines)


def _heading(name: str | Cell) -> str:
    return f'<th scope="row" style="{NAME}">{name.html if isinstance(name, Cell) else escape(name)}</th>'


def _cell(cell: str | Cell) -> str:
    html, style = cell if isinstance(cell, Cell) else (escape(cell), SAME)
    return f'<td style="{style}">{html}</td>'
