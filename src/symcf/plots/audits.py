"""Audits and robustness: groups side by side, features by how much they help, rows by how many changes they need."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from symcf.analysis.audit.result import Audit
from symcf.analysis.compare.cubes import Cube
from symcf.analysis.compare.differences import Change, Difference
from symcf.analysis.properties.robustness import RobustnessDistribution
from symcf.common.options import checked_count
from symcf.data.phrases import value_text
from symcf.errors import OptionError
from symcf.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["difference", "groups", "responsiveness", "robustness"]


def groups(audit: Audit, ax: Axes | None = None) -> Axes:
    """Of each group, the share of rows that are locked out, and of those that need 1, 2 and more changes."""
    shown = [group for group in audit.groups.values() if group.asked]
    ax = canvas.new_axes(ax, 7.2, 1.6 + 0.42 * max(2, len(shown)))
    if not shown:
        return canvas.say_nothing(ax, "No row needs a change.")
    sizes = sorted({number for group in shown for number in group.changes})
    shades = np.linspace(1.0, 0.35, max(1, len(sizes)))
    start = np.zeros(len(shown))
    for number, shade in zip(sizes, shades, strict=True):
        share = np.array([group.changes.get(number, 0) / group.asked for group in shown])
        label = f"{number} change{'s' * (number != 1)}"
        ax.barh(range(len(shown)), share, left=start, height=canvas.BAR, color=canvas.TOWARDS, alpha=shade, label=label)
        start += share
    for label, colour, counts in (
        ("not known", canvas.NEUTRAL, [group.undecided for group in shown]),
        ("locked out", canvas.AWAY, [group.locked_out for group in shown]),
    ):
        share = np.array([count / group.asked for count, group in zip(counts, shown, strict=True)])
        if share.any():
            bars = ax.barh(range(len(shown)), share, left=start, height=canvas.BAR, color=colour, label=label)
            texts = [f"{part:.0%}" if part >= 0.04 else "" for part in share]
            ax.bar_label(bars, texts, label_type="center", fontsize=9, color="white")
        start += share
    canvas.name_rows(ax, [f"{canvas.short_name(value_text(group.label), 22)} ({group.asked:,})" for group in shown])
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
    ax.set_xlabel("share of the rows that do not have the target")
    ax.legend(ncols=4, loc="upper left", bbox_to_anchor=(0, -0.28), frameon=False, fontsize=9)
    canvas.hide_spines(ax, "top", "right", "left")
    canvas.set_title(ax, f"What {audit.total.asked:,} rows need, by group")
    return ax


def responsiveness(audit: Audit, ax: Axes | None = None, *, top: int = 15) -> Axes:
    """The share of each feature's allowed new values that lead to the target, alone and with other changes."""
    counts = audit.total.responsive
    if counts is None:
        raise OptionError("responsiveness: it was not counted; audit.notes says why")
    values, alone, together = counts.astype(np.float64).T
    order = [j for j in np.argsort(-together / np.maximum(values, 1), kind="stable").tolist() if values[j]][:top]
    ax = canvas.new_axes(ax, 7.2, 1.5 + 0.36 * max(2, len(order)))
    if not order:
        return canvas.say_nothing(ax, "No feature may change.")
    shares = together[order] / values[order]
    bars = ax.barh(
        range(len(order)), shares, height=canvas.BAR, color=canvas.TOWARDS, alpha=0.45, label="with other changes"
    )
    ax.barh(range(len(order)), alone[order] / values[order], height=canvas.BAR, color=canvas.TOWARDS, label="alone")
    ax.bar_label(bars, [f"{share:.0%}" for share in shares], padding=4, fontsize=9, color=canvas.ink(ax))
    canvas.name_rows(ax, canvas.short_names([audit.compiled.features[j] for j in order]))
    ax.set_xlim(0, 1.12)
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}" if x <= 1 else "")
    ax.set_xlabel("share of the allowed new values that lead to the target")
    ax.legend(frameon=False, fontsize=9, loc="lower right")
    canvas.hide_spines(ax, "top", "right", "left")
    canvas.set_title(ax, f"How responsive features are, over {audit.total.asked:,} rows")
    return ax


def robustness(distribution: RobustnessDistribution, ax: Axes | None = None) -> Axes:
    """The number of rows by the fewest changes that flip their decision."""
    ax = canvas.new_axes(ax, 6.0, 3.4)
    if not distribution.total:
        return canvas.say_nothing(ax, "There are no rows.")
    lines = [(str(number), count, canvas.TOWARDS) for number, count in distribution.counts.items()]
    lines += [("never", distribution.never, canvas.AWAY)] if distribution.never else []
    lines += [("not known", distribution.undecided, canvas.NEUTRAL)] if distribution.undecided else []
    shares = [count / distribution.total for _, count, _ in lines]
    bars = ax.bar(range(len(lines)), shares, width=0.7, color=[colour for _, _, colour in lines])
    ax.bar_label(bars, [f"{share:.1%}" for share in shares], padding=2, fontsize=9, color=canvas.ink(ax))
    ax.set_xticks(range(len(lines)), [name for name, _, _ in lines])
    ax.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
    ax.margins(y=0.12)
    ax.set_xlabel("fewest changes that flip the decision")
    ax.set_ylabel("rows")
    canvas.hide_spines(ax, "top", "right")
    which = "possible rows" if distribution.of_all else "rows"
    canvas.set_title(ax, f"Robustness of {distribution.total:,} {which}")
    return ax


#: Features that fit beside each other.
MOST_FEATURES = 8
#: How wide a feature is, where features are 1 apart, and how thick its band.
WIDTH, BAND = 0.9, 0.3


def difference(found: Difference, ax: Axes | None = None, *, top: int = 5) -> Axes:
    """Where two classifiers differ: for each change of class, up to ``top`` boxes, one line each.

    A feature is a band from its first value to its last; what is coloured is what the box holds, and written above. At
    the end of the line is the share of the rows with this change of class that are in the box. Boxes may overlap.
    """
    canvas.expect(found, (Difference,), "plots.difference", "ask for one with symcf.difference(v1, v2)")
    most = checked_count(top, "top", least=1) or 1
    lines = [(change, i, cube) for i, change in enumerate(found.changes) for cube in change.cubes(most)[0]]
    shown = _features(cube for _, _, cube in lines)
    names = [
        f"{canvas.short_name(change.first, 14)} → {canvas.short_name(change.second, 14)}" for change, _, _ in lines
    ]
    ax = canvas.new_axes(ax, max(5, 1.9 * (len(shown) + 1)), 1.6 + 0.5 * max(1, len(lines)), names)
    if not lines:
        return canvas.say_nothing(ax, f"All {found.total:,} possible rows are decided alike.")
    for place, (change, i, cube) in enumerate(lines):
        _draw(ax, place, change, cube, shown, (canvas.TOWARDS, canvas.AWAY, canvas.NEUTRAL)[min(i, 2)])
    canvas.name_rows(ax, names)
    ax.set_xlim(-0.05, len(shown) + 0.6)
    features = canvas.short_names([found.columns.features[j] for j in shown], 20)
    ax.set_xticks([k + WIDTH / 2 for k in range(len(shown))], features)
    for label in ax.get_xticklabels():
        label.set_parse_math(False)
    ax.tick_params(axis="x", length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    canvas.hide_spines(ax, "top", "right", "bottom", "left")
    canvas.set_title(ax, str(found).split("\n")[0].capitalize())
    return ax


def _features(cubes: Iterable[Cube]) -> list[int]:
    """Those that most boxes restrict."""
    counts = Counter(j for cube in cubes for j in cube.codes)
    return sorted(j for j, _ in counts.most_common(MOST_FEATURES))


def _draw(ax: Axes, place: int, change: Change, cube: Cube, shown: list[int], colour: str) -> None:
    conditions = cube.conditions()
    for k, j in enumerate(shown):
        d, name = cube.columns.n_values[j], cube.columns.features[j]
        ax.barh(place, WIDTH, BAND, left=k, color=canvas.NEUTRAL, alpha=0.25)
        free = j not in cube.codes
        for start, end in _runs(sorted(cube.codes.get(j, range(d)))):
            width, left = WIDTH * (end - start) / d, k + WIDTH * start / d
            ax.barh(place, width, BAND, left=left, color=colour, alpha=0.35 if free else 1)
        text = "any" if free else canvas.short_name(conditions[name], 22)
        ax.text(k, place - 0.2, text, va="bottom", fontsize=8, color=canvas.ink(ax), parse_math=False)
    share = f"{100 * cube.cells / change.count:.3g} %"
    ax.text(len(shown) + 0.05, place, share, va="center", fontsize=9, color=canvas.ink(ax))


def _runs(codes: list[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring codes together: the first, and the one after the last."""
    for _, group in itertools.groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]):
        run = [code for _, code in group]
        yield run[0], run[-1] + 1
