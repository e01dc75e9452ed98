"""What two classifiers decide differently: boxes of rows, feature by feature."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from symcf.analysis.compare.cubes import Cube
from symcf.analysis.compare.differences import Change, Difference
from symcf.common.options import checked_count
from symcf.plots.canvas import (
    AWAY,
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

#: Features that fit beside each other.
MOST_FEATURES = 8
#: How wide a feature is, where features are 1 apart, and how thick its band.
WIDTH, BAND = 0.9, 0.3


def difference(found: Difference, ax: Axes | None = None, *, top: int = 5) -> Axes:
    """Where two classifiers differ: for each change of class, up to ``top`` boxes, one line each.

    A feature is a band from its first value to its last; what is coloured is what the box holds, and written above. At
    the end of the line is the share of the rows with this change of class that are in the box. Boxes may overlap.
    """
    expect(found, (Difference,), "plots.difference", "ask for one with symcf.difference(v1, v2)")
    most = checked_count(top, "top", least=1) or 1
    lines = [(change, i, cube) for i, change in enumerate(found.changes) for cube in change.cubes(most)[0]]
    shown = _features(cube for _, _, cube in lines)
    names = [f"{short_name(change.first, 14)} → {short_name(change.second, 14)}" for change, _, _ in lines]
    ax = new_axes(ax, max(5, 1.9 * (len(shown) + 1)), 1.6 + 0.5 * max(1, len(lines)), names)
    if not lines:
        return say_nothing(ax, f"All {found.total:,} possible rows are decided alike.")
    for place, (change, i, cube) in enumerate(lines):
        _draw(ax, place, change, cube, shown, (TOWARDS, AWAY, NEUTRAL)[min(i, 2)])
    name_rows(ax, names)
    ax.set_xlim(-0.05, len(shown) + 0.6)
    features = short_names([found.columns.features[j] for j in shown], 20)
    ax.set_xticks([k + WIDTH / 2 for k in range(len(shown))], features)
    for label in ax.get_xticklabels():
        label.set_parse_math(False)
    ax.tick_params(axis="x", length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    hide_spines(ax, "top", "right", "bottom", "left")
    set_title(ax, str(found).split("\n")[0].capitalize())
    return ax


def _features(cubes: Iterable[Cube]) -> list[int]:
    """Those that most boxes restrict."""
    counts = Counter(j for cube in cubes for j in cube.codes)
    return sorted(j for j, _ in counts.most_common(MOST_FEATURES))


def _draw(ax: Axes, place: int, change: Change, cube: Cube, shown: list[int], colour: str) -> None:
    conditions = cube.conditions()
    for k, j in enumerate(shown):
        d, name = cube.columns.n_values[j], cube.columns.features[j]
        ax.barh(place, WIDTH, BAND, left=k, color=NEUTRAL, alpha=0.25)
        free = j not in cube.codes
        for start, end in _runs(sorted(cube.codes.get(j, range(d)))):
            width, left = WIDTH * (end - start) / d, k + WIDTH * start / d
            ax.barh(place, width, BAND, left=left, color=colour, alpha=0.35 if free else 1)
        text = "any" if free else short_name(conditions[name], 22)
        ax.text(k, place - 0.2, text, va="bottom", fontsize=8, color=ink(ax), parse_math=False)
    share = f"{100 * cube.cells / change.count:.3g} %"
    ax.text(len(shown) + 0.05, place, share, va="center", fontsize=9, color=ink(ax))


def _runs(codes: list[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring codes together: the first, and the one after the last."""
    for _, group in itertools.groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]):
        run = [code for _, code in group]
        yield run[0], run[-1] + 1
