"""What two classifiers decide differently: boxes of rows, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symcf.common.options import checked_count
from symcf.compare.differences import Difference
from symcf.plots.canvas import (
    AWAY,
    BAR,
    NEUTRAL,
    TOWARDS,
    expect,
    hide_spines,
    ink,
    name_rows,
    new_axes,
    say_nothing,
    set_title,
    short_name,
    short_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["difference"]

#: Letters of a box that fit beside its bar.
LETTERS = 64


def difference(found: Difference, ax: Axes | None = None, *, top: int = 5) -> Axes:
    """Where two classifiers differ: for each change of class, up to ``top`` boxes, as long as their share of the rows
    that change so. Boxes may overlap.
    """
    expect(found, (Difference,), "plots.difference", "ask for one with symcf.difference(v1, v2)")
    most = checked_count(top, "top", least=1) or 1
    rows: list[tuple[str, float, str]] = []
    for i, change in enumerate(found.changes):
        colour = (TOWARDS, AWAY, NEUTRAL)[min(i, 2)]
        said = f"{short_name(change.first, 16)} → {short_name(change.second, 16)}: "
        for cube in change.cubes(most)[0]:
            rows.append((said + str(cube), cube.cells / change.count, colour))
    names = short_names([text for text, _, _ in rows], LETTERS)
    ax = new_axes(ax, 5, 1.4 + 0.38 * max(1, len(rows)), names)
    if not rows:
        return say_nothing(ax, f"All {found.total:,} possible rows are decided alike.")
    for place, (_, share, colour) in enumerate(rows):
        ax.barh(place, share, BAR, color=colour)
        ax.text(share + 0.01, place, f"{100 * share:.3g} %", va="center", color=ink(ax), fontsize=9)
    name_rows(ax, names)
    ax.set_xlim(0, 1.15)
    ax.set_xticks([])
    hide_spines(ax, "top", "right", "bottom")
    set_title(ax, str(found).split("\n")[0].capitalize())
    return ax
