"""Bar charts: what the template needs to draw them in SVG, with a table of the same numbers beside each.

Classifiers over columns of numbers inside a page, for static/numbers.js: terms in integers, where numbers may go.

    columns     by feature, null or {curve, slope: [[digits, exponent] by sum], low, high, grids, stops}
                grids: [[p, q] ...], the coarsest first: numbers are multiples of p/q if one of these will do
                stops: by pair of sums, where their difference turns between low and high, or the whole numbers beside
                that place where the column has only whole numbers; empty for lines
    tables      by feature, the weights by sum and value; null for numbers
    direction   by feature: may it go anywhere (0), up (1), down (2), nowhere (3)?
    values      by feature, the values that are allowed; null for numbers
    bias, scale, later_wins, doubt      see AdditiveRule in symcf/models/rules.py
    probability "logistic", "ovr" or null

Integers are strings: they have up to 62 bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.answers.batch import BatchExplanation
from symcf.data.numbers import NumberLine, numbers_of_codes
from symcf.models.additive import RANGE_BITS, AdditiveClassifier
from symcf.question.gains import FIXED
from symcf.question.question import Question

__all__ = ["Bar", "Chart", "bars", "numbers_data", "numbers_of_rows"]

#: Letters of a name that fit above its bar beside the number.
LETTERS = 28


@dataclass(frozen=True)
class Bar:
    """A name and a number."""

    name: str
    count: int
    #: The share of the whole.
    share: float
    #: How it is coloured: as something good or bad, or as neither.
    tone: str = "bar"

    @property
    def short(self) -> str:
        """The name, shortened to fit."""
        return self.name if len(self.name) <= LETTERS else self.name[: LETTERS - 1] + "…"

    @property
    def percent(self) -> str:
        """The share as people read it."""
        if 0 < self.share < 0.005:
            return "under 1%"
        return f"{self.share:.0%}" if self.share <= 0.995 or self.share == 1 else "over 99%"


@dataclass(frozen=True)
class Chart:
    """Bars with a heading."""

    heading: str
    bars: tuple[Bar, ...]
    #: Bars that were left out of the picture; the table has them.
    hidden: tuple[Bar, ...]

    @property
    def described(self) -> str:
        """The picture in words, for those who do not see it."""
        return "; ".join(f"{bar.name}: {bar.count:,} ({bar.percent})" for bar in self.bars)


def bars(heading: str, counts: Sequence[tuple[str, int]], whole: int, most: int, good: int | None = None) -> Chart:
    """A chart of counts that are parts of a whole, of which up to ``most`` are drawn. ``good``: the place of the only
    one that is good; None where none is better than another.
    """
    tones = ["bar" if good is None else "good" if i == good else "bad" for i in range(len(counts))]
    drawn = [Bar(name, n, n / whole if whole else 0.0, tone) for (name, n), tone in zip(counts, tones, strict=True)]
    return Chart(heading, tuple(drawn[:most]), tuple(drawn[most:]))


def numbers_data(question: Question) -> dict[str, Any] | None:
    """None for other classifiers, and where costs make some changes dearer than others, which the page cannot weigh."""
    compiled = question.classifier
    decision, model = compiled.decision.numbers, compiled.model
    if decision is None:
        return None
    if question.costs.units is not None or decision.rule.missing or decision.rule.links:
        return None
    rule = decision.rule
    # what is immutable is locked in the page, and may be unlocked there
    freedom = question.freedom_without([item for item in question.constraints.items if item.locks])
    apexes = freedom.apexes()
    columns: list[dict[str, Any] | None] = [None] * compiled.n_features
    direction = freedom.direction.tolist()
    for place, j in enumerate(rule.numbers):
        line = compiled.values[j]
        assert isinstance(line, NumberLine)
        step = question.resolutions.get(j, line.resolution)
        grids = [] if step is None else [step]
        low, high = float(freedom.low[j]), float(freedom.high[j])
        stops = [[pair[place]] for pair in apexes]
        if j in question.whole:
            grids = [*(Fraction(grid.numerator) for grid in grids), Fraction(1)]
            low, high = float(math.ceil(low)), float(math.floor(high))
            stops = [[min(max(float(side(stop)), low), high) for side in (math.floor, math.ceil)] for (stop,) in stops]
            if low > high:
                direction[j] = FIXED
        columns[j] = {
            "curve": _pairs(rule.curve[:, place], rule.curve_exponent[:, place]),
            "slope": _pairs(rule.slope[:, place], rule.slope_exponent[:, place]),
            "low": low,
            "high": high,
            "grids": [[grid.numerator, grid.denominator] for grid in grids],
            "stops": stops,
        }
    return {
        "columns": columns,
        "tables": [None if table is None else [list(map(str, row)) for row in table.tolist()] for table in rule.tables],
        "direction": direction,
        "values": [None if mask is None else np.flatnonzero(mask).tolist() for mask in freedom.masks],
        "bias": list(map(str, rule.bias.tolist())),
        "scale": rule.scale,
        "later_wins": rule.later_wins,
        "doubt": str(rule.doubt),
        "range_bits": RANGE_BITS,
        "probability": model.probability if isinstance(model, AdditiveClassifier) else None,
    }


def _pairs(digits: Any, exponents: Any) -> list[list[Any]]:
    return [[str(d), e] for d, e in zip(digits.tolist(), exponents.tolist(), strict=True)]


def numbers_of_rows(batch: BatchExplanation) -> dict[str, Any] | None:
    """By row, the numbers that the classifier reads, also for cells that are missing; None where it has none."""
    places = [j for j, values in enumerate(batch.compiled.values) if isinstance(values, NumberLine)]
    if not places:
        return None
    numbers = numbers_of_codes(np.asarray(batch.rows, dtype=np.int64)[:, places])
    return {"features": places, "rows": np.where(np.isfinite(numbers), numbers, 0.0).tolist()}
