"""A batch at a glance: rows by features."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import AT_TARGET, STATUS
from symcf.errors import OptionError
from symcf.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["heatmap"]

Floats = npt.NDArray[np.float64]


def heatmap(
    batch: BatchExplanation,
    ax: Axes | None = None,
    *,
    most_rows: int = 60,
    top: int = 20,
    names: Sequence[Hashable] | None = None,
) -> Axes:
    """For each row of a batch and each feature, the share of the row's change sets that the feature is in.

    Rows are grouped by prediction, similar ones together; those without counterfactuals come last and are left blank,
    and those that were decided as wanted are left out. Of more than ``most_rows`` rows, evenly spaced ones are drawn;
    of the features, the ``top`` most frequent. Notes on the picture say so. ``names`` are what rows are called, by
    default their numbers in the batch, from 0.
    """
    canvas.expect(batch, (BatchExplanation,), "heatmap", "make one with symcf.fast.explain_batch, or use frequency")
    if names is not None and len(names) != len(batch):
        raise OptionError(f"names has {len(names):,} names for {len(batch):,} rows")
    open_rows = np.flatnonzero(batch.status != AT_TARGET)
    places = np.linspace(0, len(open_rows) - 1, min(most_rows, len(open_rows))).round().astype(np.int64)
    chosen = open_rows[np.unique(places)]
    shares = _shares(batch, chosen)
    counts = np.bincount(batch.features, minlength=len(batch.compiled.features))
    columns = [j for j in np.argsort(-counts, kind="stable").tolist() if counts[j]][:top]
    ax = canvas.new_axes(ax, 2.8 + 0.42 * max(7, len(columns)), 2.6 + 0.16 * max(7, len(chosen)))
    if not columns:
        return canvas.say_nothing(ax, f"None of the {len(batch):,} rows has a counterfactual.")
    order = _seriated(shares[:, columns], batch.prediction[chosen])
    _draw_shares(ax, shares[order][:, columns])
    _label_heatmap(ax, batch, chosen[order], columns, int((counts > 0).sum()), names)
    return ax


def _shares(batch: BatchExplanation, rows: npt.NDArray[np.int64]) -> Floats:
    """By row and feature; NaN for rows without change sets."""
    result = np.full((len(rows), len(batch.compiled.features)), np.nan)
    for i, row in enumerate(rows.tolist()):
        first, last = batch.row_offsets[row : row + 2].tolist()
        if last > first:
            features = batch.features[batch.set_offsets[first] : batch.set_offsets[last]]
            result[i] = np.bincount(features, minlength=result.shape[1]) / (last - first)
    return result


def _seriated(shares: Floats, prediction: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """An order of the rows: by prediction, then along the direction in which they differ most; empty ones last."""
    empty: npt.NDArray[np.bool_] = np.isnan(shares[:, 0])
    centred: Floats = np.where(empty[:, None], 0.0, shares - shares[~empty].mean(axis=0))
    along: Floats = centred @ np.linalg.svd(centred, full_matrices=False)[2][0]
    # of the two signs, the one that puts the rows with the most frequent feature on top
    if np.dot(along, centred[:, 0]) < 0:
        along = -along
    return np.lexsort((np.arange(len(shares)), -along.round(9), prediction, empty)).astype(np.int64)


def _draw_shares(ax: Axes, shares: Floats) -> None:
    from matplotlib import colormaps
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import PercentFormatter

    dark = canvas.is_dark(ax)
    blues = LinearSegmentedColormap.from_list("symcf", ["#16202c", "#56b4e9"]) if dark else colormaps["Blues"]
    colours = blues.with_extremes(bad="#4a4a4a" if dark else "#d9d9d9")
    image = ax.imshow(np.ma.masked_invalid(shares), cmap=colours, vmin=0, vmax=1, aspect="auto", interpolation="none")
    ax.set_xticks(np.arange(0.5, shares.shape[1] - 1), minor=True)
    ax.set_yticks(np.arange(0.5, shares.shape[0] - 1), minor=True)
    ax.grid(which="minor", color="#2c3a49" if dark else "#e3e3e3", linewidth=0.6)
    bar = ax.figure.colorbar(
        image, ax=ax, format=PercentFormatter(1), fraction=0.05, pad=0.02, shrink=0.6, anchor=(0, 1)
    )
    bar.set_label("share of the row's change sets", fontsize=9)
    bar.outline.set_visible(False)


#: Why a row has no change sets, by its status.
BLANK = {
    "complete": "no counterfactual",
    "max_results": "none found",
    "time_limit": "none found in time",
    "invalid": "unreadable",
}

#: The most rows for which there is room for a number each.
NUMBERED = 40


def _label_heatmap(
    ax: Axes,
    batch: BatchExplanation,
    rows: npt.NDArray[np.int64],
    columns: list[int],
    n_used: int,
    called: Sequence[Hashable] | None,
) -> None:
    names = batch.compiled.features
    ax.set_xticks(
        range(len(columns)),
        canvas.short_names([names[j] for j in columns], 24),
        rotation=45,
        ha="right",
        rotation_mode="anchor",
    )
    for label in ax.get_xticklabels():
        label.set_parse_math(False)
    step = -(-len(rows) // NUMBERED)
    ax.set_yticks(range(0, len(rows), step), _row_names(rows[::step], called), fontsize=8)
    for label in ax.get_yticklabels():
        label.set_parse_math(False)
    ax.tick_params(which="both", length=0)
    ax.set_ylabel("row")
    canvas.hide_spines(ax, "top", "right", "left", "bottom")
    _part_classes(ax, batch, rows)
    notes = []
    wanted = int((batch.status == AT_TARGET).sum())
    if wanted:
        notes.append(f"without {wanted:,} row{'s' * (wanted != 1)} decided as wanted")
    if len(rows) < len(batch) - wanted:
        notes.append(f"{len(rows):,} of {len(batch) - wanted:,} rows, evenly spaced")
    if n_used > len(columns):
        notes.append(f"{len(columns):,} of {n_used:,} features that change, the most frequent")
    blank = batch.status[rows][np.diff(batch.row_offsets)[rows] == 0]
    if len(blank):
        notes.append("grey: " + " or ".join(BLANK[STATUS[code]] for code in np.unique(blank)))
    canvas.set_title(ax, "How often each feature is in a row's change sets" + "".join(f"\n{note}" for note in notes))


def _row_names(rows: npt.NDArray[np.int64], called: Sequence[Hashable] | None) -> list[str]:
    return [f"{row:,}" if called is None else canvas.short_name(called[row], 16) for row in rows.tolist()]


def _part_classes(ax: Axes, batch: BatchExplanation, rows: npt.NDArray[np.int64]) -> None:
    """Lines between rows of different predictions, and the names of the classes."""
    classes = batch.compiled.classes
    found = np.diff(batch.row_offsets)[rows] > 0
    groups = [(bool(some), int(k)) for some, k in zip(found, batch.prediction[rows], strict=True)]
    start = 0
    for (some, k), members in itertools.groupby(groups):
        end = start + len(list(members))
        if start:
            ax.axhline(start - 0.5, color=ax.get_facecolor(), linewidth=4)
            ax.axhline(start - 0.5, color=canvas.line(ax), linewidth=1.2)
        if some:
            ax.text(
                1.015, (start + end - 1) / 2, f"decided {canvas.short_name(classes[k], 16)}", rotation=270,
                transform=ax.get_yaxis_transform(),
                ha="left", va="center", fontsize=9, color=canvas.ink(ax), parse_math=False,
            )  # fmt: skip
        start = end
