"""What all pictures share: axes, colours, names that fit."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symcf.common.text import one_line
from symcf.errors import SymcfError
from symcf.results.render import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TOWARDS, AWAY, NEUTRAL, LINE, INK = "#0072b2", "#d55e00", "#8c8c8c", "#333333", "#222222"

#: The thickness of a bar, where rows are 1 apart.
BAR = 0.6

#: Letters of a name that fit beside a picture.
NAME = 32

#: Letters of a title, approximately.
LETTERS_AN_INCH = 12


def new_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """The user's Axes, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise SymcfError("pictures need matplotlib: pip install 'symcf[plot]'") from None
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Axes = figure.subplots()
    return axes


def short_name(label: object, most: int = NAME) -> str:
    """A name or value that fits."""
    return shortened(one_line(label), most)


def short_names(labels: Sequence[str], most: int = NAME) -> list[str]:
    """Short names that can be told apart: without their middle, end or beginning, or with a number."""
    full = [one_line(label) for label in labels]
    cuts = (
        [shortened(name, most) for name in full],
        [name if len(name) <= most else name[: most - 1] + "…" for name in full],
        [name if len(name) <= most else "…" + name[1 - most :] for name in full],
    )
    for names in cuts:
        if len(set(names)) == len(names):
            return names
    return [name if cuts[0].count(name) == 1 else f"{name} ({i + 1})" for i, name in enumerate(cuts[0])]


def hide_spines(ax: Axes, *sides: str) -> None:
    """Removes the lines of the frame that carry no information."""
    for side in sides:
        ax.spines[side].set_visible(False)


def set_title(ax: Axes, text: str) -> None:
    """What the picture shows. Names are shown as text even if they look like formulas."""
    # matplotlib's own wrapping always interprets formulas
    letters = max(30, int(LETTERS_AN_INCH * ax.get_window_extent().width / ax.figure.dpi))
    lines = [part for line in text.split("\n") for part in textwrap.wrap(line, letters)]
    ax.set_title("\n".join(lines), loc="left", fontsize=11, color=INK, parse_math=False)


def name_rows(ax: Axes, names: Sequence[str]) -> None:
    """One row per name, the first on top. Names are shown as text even if they look like formulas."""
    ax.set_yticks(range(len(names)), names)
    for label in ax.get_yticklabels():
        label.set_parse_math(False)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(names) - 0.4, -0.6)


def say_nothing(ax: Axes, text: str) -> Axes:
    """A picture that says why it is empty."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes, color=INK)
    return ax


def whole_numbers(axis: Any) -> None:
    """Ticks for counts."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=6, integer=True, min_n_ticks=1))
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
