"""What all pictures share: axes, colours, names that fit."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from symcf.answers.render import shortened
from symcf.common.text import one_line
from symcf.errors import SymcfError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TOWARDS, AWAY, NEUTRAL = "#0072b2", "#d55e00", "#8c8c8c"
#: Text and lines on light and on dark backgrounds.
INKS, LINES = ("#222222", "#eeeeee"), ("#333333", "#cccccc")

#: The thickness of a bar, where rows are 1 apart.
BAR = 0.6

#: Letters of a name that fit beside a picture.
NAME = 32

#: Letters of a title, approximately, and of a name beside a picture.
LETTERS_AN_INCH, NAME_LETTERS_AN_INCH = 12, 12.5

#: Inches beside a picture that names may take before it is made wider.
ROOM_FOR_NAMES = 1.2


def new_axes(ax: Axes | None, width: float, height: float, names: Sequence[str] = ()) -> Axes:
    """The user's Axes, or those of a new figure, which is wider where the names beside it are long."""
    if ax is not None:
        return ax
    beside = max(map(len, names), default=0) / NAME_LETTERS_AN_INCH
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise SymcfError("pictures need matplotlib: pip install 'symcf[plot]'") from None
    figure = Figure(figsize=(width + max(0.0, beside - ROOM_FOR_NAMES), height), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Axes = figure.subplots()
    _WIDTHS[axes] = width - ROOM_FOR_NAMES
    return axes


#: Of our own Axes, which are laid out only when they are drawn, how wide they will be.
_WIDTHS: WeakKeyDictionary[Axes, float] = WeakKeyDictionary()


def inches_of(ax: Axes) -> float:
    """How wide the picture is, without the names beside it."""
    return _WIDTHS.get(ax) or float(ax.get_window_extent().width / ax.figure.dpi)


def is_dark(ax: Axes) -> bool:
    """Is what lies behind titles and names dark?"""
    from matplotlib import rcParams
    from matplotlib.colors import to_rgba

    red, green, blue, alpha = to_rgba(ax.figure.get_facecolor())
    if alpha < 0.5:  # then the page decides, for which only the colour of text speaks
        red, green, blue = (1 - part for part in to_rgba(rcParams["text.color"])[:3])
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.5


def ink(ax: Axes) -> str:
    """The colour of text."""
    return INKS[is_dark(ax)]


def line(ax: Axes) -> str:
    """The colour of thin lines."""
    return LINES[is_dark(ax)]


def expect(found: object, kinds: tuple[type, ...], what: str, advice: str) -> None:
    """`TypeError` if something else was given than what a picture shows."""
    if not isinstance(found, kinds):
        wanted, given = " or ".join(kind.__name__ for kind in kinds), type(found).__name__
        raise TypeError(f"{what} shows {_article(wanted)}, not {_article(given)}: {advice}")


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


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
    ax.set_title(_wrapped(ax, text), loc="left", fontsize=11, color=ink(ax), parse_math=False)


def set_xlabel(ax: Axes, text: str) -> None:
    """What the numbers below the picture are."""
    ax.set_xlabel(_wrapped(ax, text), parse_math=False)


def _wrapped(ax: Axes, text: str) -> str:
    # matplotlib's own wrapping always interprets formulas
    letters = max(30, int(LETTERS_AN_INCH * inches_of(ax)))
    return "\n".join(part for line in text.split("\n") for part in textwrap.wrap(line, letters))


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
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes, color=ink(ax))
    return ax


def whole_numbers(axis: Any) -> None:
    """Ticks for counts."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=6, integer=True, min_n_ticks=1))
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
