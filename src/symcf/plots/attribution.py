"""What each feature contributed, by one method or by several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from symcf.answers.attribution import METHODS, Attribution
from symcf.common.text import one_line
from symcf.data.phrases import value_text
from symcf.errors import OptionError
from symcf.plots.canvas import (
    AWAY,
    BAR,
    NEUTRAL,
    TOWARDS,
    expect,
    hide_spines,
    ink,
    line,
    name_rows,
    new_axes,
    say_nothing,
    set_title,
    set_xlabel,
    short_name,
    short_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["attribution"]

#: One colour per method, and no more methods than can be told apart.
COLOURS = (TOWARDS, AWAY, NEUTRAL, "#009e73")

Floats = npt.NDArray[np.float64]


def attribution(
    found: Attribution,
    ax: Axes | None = None,
    *,
    beside: Mapping[str, Attribution | npt.ArrayLike] | None = None,
    top: int = 15,
) -> Axes:
    """The values of an attribution as bars, the largest first; the ``top`` ones, and a note about the others.

    ``beside`` has other values for the same features, by the name that they get in the legend: another attribution, or
    one number per feature, such as shap's. The order is that of ``found``.
    """
    expect(found, (Attribution,), "attribution", "ask for one with c.attribute(x)")
    series = {found.method: found.values, **{name: _numbers(name, of, found) for name, of in (beside or {}).items()}}
    if len(series) > len(COLOURS):
        raise OptionError(f"beside has {len(series) - 1} methods; at most {len(COLOURS) - 1} can be told apart")
    order = [j for j in found.ranked if any(values[j] for values in series.values())]
    shown = order[:top]
    labels = short_names([found.features[j] for j in shown])
    names = [f"{label} = {short_name(value_text(found.row[j]), 16)}" for label, j in zip(labels, shown, strict=True)]
    ax = new_axes(ax, 7.2, 1.5 + 0.32 * max(2, len(shown)) * (1 + 0.4 * (len(series) - 1)), names)
    if not shown:
        return say_nothing(ax, "No feature contributed anything.")
    height = BAR / len(series)
    for i, (name, values) in enumerate(series.items()):
        places = np.arange(len(shown)) + (i - (len(series) - 1) / 2) * height
        colour: str | list[str] = COLOURS[i]
        if len(series) == 1:  # then colour is free for the sign
            colour = [TOWARDS if values[j] >= 0 else AWAY for j in shown]
        bars = ax.barh(places, values[shown], height=height, color=colour, label=name)
        ax.bar_label(bars, [f"{values[j]:+.3f}" for j in shown], padding=4, fontsize=9, color=ink(ax))
    ax.axvline(0, color=line(ax), linewidth=0.8)
    name_rows(ax, names)
    ax.margins(x=0.18)
    if len(series) > 1:
        ax.legend(frameon=False, fontsize=9)
    set_xlabel(ax, METHODS[found.method] + _rest(order[top:], len(found) - len(order)))
    hide_spines(ax, "top", "right", "left")
    set_title(ax, f"What contributed to “{one_line(found.label)}”")
    return ax


def _numbers(name: str, of: Attribution | npt.ArrayLike, found: Attribution) -> Floats:
    values = of.values if isinstance(of, Attribution) else np.asarray(of, dtype=np.float64)
    if values.shape != (len(found),):
        raise OptionError(f"beside[{name!r}] must have one number for each of the {len(found)} features")
    return values


def _rest(rest: Sequence[int], idle: int) -> str:
    notes = [f"{len(rest):,} more contributed less"] * bool(rest)
    notes += [f"{idle:,} feature{'s' * (idle != 1)} contributed nothing"] * bool(idle)
    return "\n" + "; ".join(notes) if notes else ""
