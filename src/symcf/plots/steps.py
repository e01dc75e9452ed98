"""How the changes of a counterfactual move the score, one after the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.answers.attribution import METHODS, Attribution
from symcf.answers.explanation import Explanation
from symcf.answers.facts import Change, Counterfactual
from symcf.common.text import one_line
from symcf.data.phrases import fact_text, value_text
from symcf.errors import OptionError
from symcf.models.base import Model
from symcf.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from symcf.system.classifier import Classifier

__all__ = ["attribution", "waterfall"]

#: Inches that a number beside a bar takes.
NUMBER = 0.65

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Steps:
    """How the score of the new class against the old one moves, change by change."""

    #: Before any change, and after each; infinite where naive Bayes is certain.
    totals: Floats
    names: tuple[str, ...]
    #: What is added up.
    what: str


def waterfall(c: Classifier, e: Explanation, cf_index: int = 0, ax: Axes | None = None) -> Axes:
    """How each change of a counterfactual moves the score across the threshold.

    For models that decide by sums, where changes add up (naive Bayes, linear and additive models): the log-odds or the
    sum in favour of the counterfactual's class. With more than two classes, this class against the present one.
    """
    canvas.expect(e, (Explanation,), "waterfall", "ask for one with c.explain(x), or take a row of a batch")
    cf = _counterfactual(e, cf_index)
    steps = _steps(c, e, cf)
    old, new = canvas.short_name(e.classes[e.prediction]), canvas.short_name(e.classes[cf.target])
    sure = [f" ({p:.1%})" if p is not None else "" for p in (e.probability, cf.probability)]
    names = [f"now: {old}{sure[0]}", *steps.names, f"then: {new}{sure[1]}"]
    ax = canvas.new_axes(ax, 7.2, 1.9 + 0.42 * len(steps.names), names)
    drawn = _drawable(steps.totals)
    _bars(ax, steps, drawn)
    canvas.name_rows(ax, names)
    ax.axvline(0, color=canvas.line(ax), linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
    ax.annotate(
        "threshold", (0, 1), xycoords=("data", "axes fraction"), xytext=(3, -3), textcoords="offset points",
        va="top", fontsize=8, color=canvas.line(ax),
    )  # fmt: skip
    canvas.set_xlabel(ax, steps.what)
    canvas.hide_spines(ax, "top", "right", "left")
    low, high = min(0.0, drawn.min()), max(0.0, drawn.max())
    margin = min(0.35, NUMBER / canvas.inches_of(ax))
    room = margin / (1 - 2 * margin) * (high - low)
    ax.set_xlim(low - room, high + room)
    canvas.set_title(ax, f"From {old} to {new}")
    return ax


def _counterfactual(e: Explanation, index: int) -> Counterfactual:
    if not -len(e) <= index < len(e):
        raise OptionError(f"waterfall: there is no counterfactual {index}, the explanation has {len(e):,}")
    found: Counterfactual = e[index]
    return found


def _steps(c: Classifier, e: Explanation, cf: Counterfactual) -> Steps:
    if not (c.decision.is_additive or c.decision.numbers is not None):
        raise OptionError(
            f"waterfall: {type(c.model).__name__} decides by no sum; changes add up in naive Bayes, linear and "
            f"additive models"
        )
    rows = np.tile(e.instance, (len(cf.changes) + 1, 1))
    order = _by_effect(c.model, e, cf)
    for i, change in enumerate(order):
        rows[i + 1 :, change.feature] = cf.instance[change.feature]
    short = canvas.short_names([change.name for change in order])
    names = tuple(
        f"{name}: {canvas.short_name(value_text(change.old), 14)} → {canvas.short_name(value_text(change.new), 14)}"
        for name, change in zip(short, order, strict=True)
    )
    return Steps(_favour(c.model, rows, e.prediction, cf.target), names, _score_name(c, e, cf))


def _by_effect(model: Model, e: Explanation, cf: Counterfactual) -> list[Change]:
    """The changes, the one that moves the score most first."""
    rows = np.tile(e.instance, (len(cf.changes), 1))
    for i, change in enumerate(cf.changes):
        rows[i, change.feature] = cf.instance[change.feature]
    reached = _favour(model, rows, e.prediction, cf.target)
    return [cf.changes[i] for i in np.argsort(-reached, kind="stable")]


def _favour(model: Model, rows: npt.NDArray[Any], old: int, new: int) -> Floats:
    """The score in favour of the new class, which is chosen where this is above 0."""
    values = model.decision_values(rows)
    assert values is not None
    if values.ndim == 1:
        return values if new == 1 else -values
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(values[:, new] - values[:, old], nan=0.0, posinf=np.inf, neginf=-np.inf)


def _score_name(c: Classifier, e: Explanation, cf: Counterfactual) -> str:
    odds = c.has_probabilities and getattr(c.model, "probability", "logistic") == "logistic"
    new, old = canvas.short_name(e.classes[cf.target], 24), canvas.short_name(e.classes[e.prediction], 24)
    above = ", above the threshold" if getattr(c.model, "threshold", 0.5) != 0.5 else ""
    return f"{'log-odds' if odds else 'score'} of {new} against {old}{above}"


def _drawable(totals: Floats) -> Floats:
    """Infinite scores are drawn a little beyond the finite ones."""
    finite = np.abs(totals[np.isfinite(totals)])
    beyond = 1.5 * float(finite.max(initial=1.0))
    return np.clip(totals, -beyond, beyond)


def _bars(ax: Axes, steps: Steps, drawn: Floats) -> None:
    last = len(steps.names) + 1
    for y, value in ((0, 0), (last, len(steps.names))):
        ax.plot([0, drawn[value]], [y, y], color=canvas.NEUTRAL, linewidth=1.5, zorder=2)
        ax.plot([drawn[value]], [y], "o", color=canvas.line(ax), markersize=6, zorder=3)
        _beside(ax, drawn[value], y, _number(steps.totals[value]), right=drawn[value] >= 0)
    for i, (before, after) in enumerate(itertools.pairwise(drawn)):
        up = after >= before
        ax.barh(
            i + 1, after - before, left=before, height=canvas.BAR, color=canvas.TOWARDS if up else canvas.AWAY, zorder=2
        )
        change = steps.totals[i + 1] - steps.totals[i] if np.isfinite(steps.totals[i : i + 2]).all() else math.inf
        _beside(ax, after, i + 1, _number(change if up or math.isfinite(change) else -change, sign=True), right=up)
    for i, x in enumerate(drawn):  # each row begins where the one before ends
        top, bottom = (0 if i == 0 else i + canvas.BAR / 2), (last if i + 1 == last else i + 1 - canvas.BAR / 2)
        ax.plot([x, x], [top, bottom], color=canvas.NEUTRAL, linewidth=0.8, zorder=1)


def _beside(ax: Axes, x: float, y: float, text: str, *, right: bool) -> None:
    ax.annotate(
        text, (x, y), xytext=(7 if right else -7, 0), textcoords="offset points", va="center",
        ha="left" if right else "right", fontsize=9, color=canvas.ink(ax), zorder=4,
        bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.8},
    )  # fmt: skip


def _number(value: float, *, sign: bool = False) -> str:
    if math.isinf(value):
        return "certain"
    text = f"{value:+.3g}" if sign else f"{value:.3g}"
    return text.replace("-", "\N{MINUS SIGN}")


#: One colour per method, and no more methods than can be told apart.
COLOURS = (canvas.TOWARDS, canvas.AWAY, canvas.NEUTRAL, "#009e73")


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
    canvas.expect(found, (Attribution,), "attribution", "ask for one with c.attribute(x)")
    series = {found.method: found.values, **{name: _numbers(name, of, found) for name, of in (beside or {}).items()}}
    if len(series) > len(COLOURS):
        raise OptionError(f"beside has {len(series) - 1} methods; at most {len(COLOURS) - 1} can be told apart")
    order = [j for j in found.ranked if any(values[j] for values in series.values())]
    shown = order[:top]
    labels = canvas.short_names([found.features[j] for j in shown])
    names = [
        canvas.short_name(fact_text(label, found.row[j]), len(label) + 19)
        for label, j in zip(labels, shown, strict=True)
    ]
    ax = canvas.new_axes(ax, 7.2, 1.5 + 0.32 * max(2, len(shown)) * (1 + 0.4 * (len(series) - 1)), names)
    if not shown:
        return canvas.say_nothing(ax, "No feature contributed anything.")
    height = canvas.BAR / len(series)
    for i, (name, values) in enumerate(series.items()):
        places = np.arange(len(shown)) + (i - (len(series) - 1) / 2) * height
        colour: str | list[str] = COLOURS[i]
        if len(series) == 1:  # then colour is free for the sign
            colour = [canvas.TOWARDS if values[j] >= 0 else canvas.AWAY for j in shown]
        bars = ax.barh(places, values[shown], height=height, color=colour, label=name)
        ax.bar_label(bars, [f"{values[j]:+.3f}" for j in shown], padding=4, fontsize=9, color=canvas.ink(ax))
    ax.axvline(0, color=canvas.line(ax), linewidth=0.8)
    canvas.name_rows(ax, names)
    ax.margins(x=0.18)
    if len(series) > 1:
        ax.legend(frameon=False, fontsize=9)
    canvas.set_xlabel(ax, METHODS[found.method] + _rest(order[top:], len(found) - len(order)))
    canvas.hide_spines(ax, "top", "right", "left")
    canvas.set_title(ax, f"What contributed to “{one_line(found.label)}”")
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
