"""All counterfactuals together: which features, how many, at what cost."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from symcf.answers.batch import BatchExplanation
from symcf.answers.explanation import Explanation
from symcf.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["costs", "frequency", "sizes"]

Floats = npt.NDArray[np.float64]


def _features_of(found: Explanation | BatchExplanation) -> tuple[npt.NDArray[np.int64], int, tuple[str, ...]]:
    """How many change sets each feature is in, how many sets there are, and the names."""
    if isinstance(found, BatchExplanation):
        names, features = found.compiled.features, found.features
    else:
        names = found.features
        features = np.fromiter(itertools.chain.from_iterable(found.sets), dtype=np.int32)
    counts = np.bincount(features, minlength=len(names)).astype(np.int64)
    return counts, found.n_sets if isinstance(found, BatchExplanation) else found.count, names


def _expect_sets(found: object, what: str) -> None:
    canvas.expect(
        found, (Explanation, BatchExplanation), what, "ask for one with c.explain(x) or symcf.fast.explain_batch"
    )


def _partly(found: Explanation | BatchExplanation) -> str:
    """A note for the title when a limit cut the answer short."""
    if isinstance(found, Explanation):
        return "" if found.complete else f" (stopped by {found.status}: more may exist)"
    cut = int(np.isin(found.status, (1, 2)).sum())
    return f" ({cut:,} rows stopped by a limit)" if cut else ""


def _of(found: Explanation | BatchExplanation) -> str:
    return f" of {len(found):,} rows" if isinstance(found, BatchExplanation) else ""


def frequency(found: Explanation | BatchExplanation, ax: Axes | None = None, *, top: int = 15) -> Axes:
    """How many change sets each feature is in, most first; the ``top`` ones, and a note about the others."""
    _expect_sets(found, "frequency")
    counts, total, names = _features_of(found)
    order = [j for j in np.argsort(-counts, kind="stable").tolist() if counts[j]]
    shown, rest = order[:top], order[top:]
    shown_names = canvas.short_names([names[j] for j in shown])
    ax = canvas.new_axes(ax, 7.2, 1.5 + 0.32 * max(2, len(shown)), shown_names)
    if not total:
        return canvas.say_nothing(ax, "There is no counterfactual to count features of.")
    bars = ax.barh(range(len(shown)), counts[shown], height=canvas.BAR, color=canvas.TOWARDS)
    ax.bar_label(
        bars, [f"{counts[j]:,} ({counts[j] / total:.0%})" for j in shown], padding=4, fontsize=9, color=canvas.ink(ax)
    )
    canvas.name_rows(ax, shown_names)
    ax.margins(x=0.18)
    canvas.whole_numbers(ax.xaxis)
    plural = "s" * (total != 1)
    canvas.set_xlabel(
        ax, f"change sets with the feature, of {total:,}{_note_of_rest(rest, counts, len(names), len(order))}"
    )
    canvas.hide_spines(ax, "top", "right", "left")
    canvas.set_title(ax, f"What changes in {total:,} change set{plural}{_of(found)}{_partly(found)}")
    return ax


def _note_of_rest(rest: Sequence[int], counts: npt.NDArray[np.int64], n_features: int, used: int) -> str:
    lines = []
    if rest:
        each = f"at most {counts[rest[0]]:,}" if len(rest) > 1 else f"{counts[rest[0]]:,}"
        lines.append(f"{len(rest):,} more feature{'s' * (len(rest) != 1)}, {'each ' * (len(rest) > 1)}in {each}")
    if n_features > used:
        lines.append(f"{n_features - used:,} feature{'s' * (n_features - used != 1)} in none")
    return "\n" + "; ".join(lines) if lines else ""


#: The most sizes, or different costs, that get a labelled bar each; with more, costs are sorted into this many bins.
FEW, BINS = 12, 24


def sizes(found: Explanation | BatchExplanation, ax: Axes | None = None) -> Axes:
    """The number of change sets by their number of features."""
    _expect_sets(found, "sizes")
    ax = canvas.new_axes(ax, 6.0, 3.4)
    if isinstance(found, BatchExplanation):
        by_size = np.bincount(np.diff(found.set_offsets), minlength=1)
    else:
        by_size = np.bincount(np.fromiter(map(len, found.sets), dtype=np.int64), minlength=1)
    total = int(by_size.sum())
    if not total:
        return canvas.say_nothing(ax, "There is no counterfactual to measure.")
    first, last = int(np.flatnonzero(by_size)[0]), len(by_size) - 1
    numbers = np.arange(first, last + 1)
    bars = ax.bar(numbers, by_size[first:], width=0.7, color=canvas.TOWARDS)
    if len(numbers) <= FEW:
        ax.set_xticks(numbers)
        ax.bar_label(
            bars, [f"{n:,}" if n else "" for n in by_size[first:]], padding=2, fontsize=9, color=canvas.ink(ax)
        )
    else:
        canvas.whole_numbers(ax.xaxis)
    ax.set_xlim(first - 0.8, last + 0.8)
    canvas.whole_numbers(ax.yaxis)
    ax.margins(y=0.12)
    ax.set_xlabel("features that change")
    ax.set_ylabel("change sets")
    canvas.hide_spines(ax, "top", "right")
    canvas.set_title(ax, f"Sizes of {total:,} change set{'s' * (total != 1)}{_of(found)}{_partly(found)}")
    return ax


def costs(found: Explanation | BatchExplanation, ax: Axes | None = None) -> Axes:
    """The number of change sets by cost."""
    _expect_sets(found, "costs")
    ax = canvas.new_axes(ax, 6.0, 3.4)
    paid = _costs_of(found)
    if not len(paid):
        return canvas.say_nothing(ax, "There is no counterfactual to pay for.")
    numbers, counts = np.unique(paid.round(9), return_counts=True)
    if len(numbers) <= FEW:
        bars = ax.bar(range(len(numbers)), counts, width=0.7, color=canvas.TOWARDS)
        ax.bar_label(bars, [f"{n:,}" for n in counts], padding=2, fontsize=9, color=canvas.ink(ax))
        ax.set_xticks(range(len(numbers)), [f"{number:g}" for number in numbers])
        ax.set_xlim(-0.8, len(numbers) - 0.2)
    else:
        ax.hist(paid, bins=BINS, color=canvas.TOWARDS, edgecolor=ax.get_facecolor(), linewidth=0.5)
    canvas.whole_numbers(ax.yaxis)
    ax.margins(y=0.12)
    ax.set_xlabel("cost of the changes")
    ax.set_ylabel("change sets")
    canvas.hide_spines(ax, "top", "right")
    cheapest = f"; the cheapest costs {numbers[0]:g}" if isinstance(found, Explanation) else ""
    canvas.set_title(
        ax, f"Costs of {len(paid):,} change set{'s' * (len(paid) != 1)}{_of(found)}{cheapest}{_partly(found)}"
    )
    return ax


def _costs_of(found: Explanation | BatchExplanation) -> Floats:
    """The cost of each change set; where costs depend on the value, that of its best values."""
    if isinstance(found, BatchExplanation):
        return found.cost
    if found.costs.per_value is None:
        return np.fromiter(map(found.costs.total, found.sets), dtype=np.float64, count=found.count)
    return np.array([min(cf.cost for cf in found.of_set(s)) for s in found.sets], dtype=np.float64)
