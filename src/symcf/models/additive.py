"""Additive classifiers over numbers: what each column adds to the score is a function of its number.

    score(x) = bias + g_1(x_1) + ... + g_n(x_n)

Logistic regression and its relatives (``g = slope * x``), naive Bayes with normal distributions (``g = curve * x**2 +
slope * x``), and tables for columns with few values, in any mixture. Columns of numbers need no bins.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.columns import Categories, RawColumns
from symcf.data.encoder import Encoder
from symcf.data.labels import checked_features, checked_names
from symcf.data.numbers import NumberLine, Numbers, number_line
from symcf.data.reader import Codes
from symcf.errors import ModelError, OptionError
from symcf.models.base import (
    PROBABILITIES,
    TIES,
    Model,
    checked_choice,
    checked_classes,
    checked_ordered,
    names_from_dict,
    probabilities_of,
)
from symcf.models.links import Link
from symcf.models.quantities import Quantity
from symcf.models.rules import Rule
from symcf.models.scaling import Dyadic, dyadic
from symcf.models.sums import AdditiveRule

__all__ = ["AdditiveClassifier", "NumberTerm"]


#: The sum of all magnitudes within the ranges is below 2 to this power. Terms may reach 2**60: so numbers of a row may
#: lie up to 64 times as far out as the ranges reach.
RANGE_BITS = 54


@dataclass(frozen=True)
class NumberTerm:
    """What a number adds to the score, or to each of several scores: ``curve * x**2 + slope * x``.

    Parameters
    ----------
    slope, curve:
        A number, or a list with one number per class where there are more than two. Floats are exact; fractions are
        rounded to 62 bits.
    range:
        The least and the greatest number that is suggested. Rows may have others.
    resolution:
        Suggested numbers are multiples of this, such as 1 or 0.01; None: any.
    missing:
        What a missing number adds to the score, or to each of several scores, where it is a value of its own. It is
        never suggested. None: rows must have a number.
    through:
        A function that rises or falls, such as ``Link((("log1p",),))``: x is what it makes of the number. None: the
        number itself.
    """

    slope: Any
    range: Any
    curve: Any = 0
    resolution: Any = None
    missing: Any = None
    through: Link | None = None


class AdditiveClassifier(Model):
    """A classifier that adds up functions of numbers, and weights of values.

    Two classes: ``bias`` is a number, and the answer is class 1 iff the sum is positive. More classes: ``bias`` lists
    one number per class, and the class with the largest sum wins.

    Parameters
    ----------
    terms:
        For each feature a `NumberTerm`, or a list of the weights of its values (with more classes: one list per class).
    bias:
        What is added to the terms.
    features, classes, values, ordered:
        As for `LinearClassifier`; ``values`` is None for columns of numbers.
    tie:
        The answer when the sum is 0; with more classes: the first or the last of those with the largest sum.
    probability:
        What `predict_proba` makes of the sums, as for `LinearClassifier`.
    encoder:
        Reads the user's own rows; by default rows hold numbers, and value codes where values are listed.
    doubt:
        A counterfactual must win by at least this much. `symcf.from_sklearn` sets it to a bound on the rounding of
        scikit-learn's own sums, so that its `predict` agrees on every suggested row.

    Terms are rounded, once, to integers in units of 2 to the power of minus `scale`; what these decide is the decision.
    With more than two classes, how far one class is ahead of another is the difference of their terms, also rounded
    once. A counterfactual must then win by at least one unit more than there are columns of numbers whose terms are
    rounded. Terms are not rounded if the resolution is a power of two, such as 1, and the coefficients have few digits.

    >>> age = NumberTerm(-0.5, range=(18, 99), resolution=1)
    >>> model = AdditiveClassifier([age, [0, 2.25]], 20, features=["age", "member"])
    >>> model.decision_values(model.encoder.encode([[40, 0], [42, 1]])).tolist()
    [0.0, 1.25]
    """

    kind: ClassVar[str] = "additive"
    facts = ("bias", "slope", "curve", "missing", "links", "tables", "tie", "probability", "doubt")
    encoder: Encoder

    def __init__(
        self,
        terms: Sequence[Any],
        bias: Any,
        *,
        features: Sequence[str] | None = None,
        values: Sequence[Sequence[Hashable] | None] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        probability: str | None = None,
        encoder: Encoder | None = None,
        doubt: float = 0.0,
    ) -> None:
        one = not isinstance(bias, (list, np.ndarray)) or (isinstance(bias, np.ndarray) and bias.ndim == 0)
        given = [bias] if one else list(bias)
        self.classes = checked_classes(classes, len(given), one_sum=one)
        #: By sum: one for two classes, else one per class.
        self.bias = tuple(dyadic(number, "the bias") for number in given)
        self.features = checked_features(features, len(terms))
        self.ordered = checked_ordered(ordered, len(terms))
        #: By feature: the coefficients of a number by sum, or None.
        self.slope: list[tuple[Dyadic, ...] | None] = []
        self.curve: list[tuple[Dyadic, ...] | None] = []
        #: By feature: what a missing number adds to each sum, or None.
        self.missing: list[tuple[Dyadic, ...] | None] = []
        #: By feature that has one: the function of its number that the coefficients are for.
        self.links: dict[int, Link] = {}
        #: By feature: the weights of its values by sum and value, or None.
        self.tables: list[tuple[tuple[Dyadic, ...], ...] | None] = []
        labels: list[Sequence[Hashable]] = []
        for j, term in enumerate(terms):
            labels.append(self._take(term, self.features[j], None if values is None else values[j]))
        self.values = tuple(labels)
        if not (isinstance(doubt, (int, float)) and 0 <= doubt < math.inf):
            raise ModelError(f"doubt must be a number that is not negative, not {doubt!r}")
        self.tie = checked_choice(tie, TIES, "tie rule")
        self.probability = checked_choice(probability, PROBABILITIES, "probability", optional=True)
        self.doubt = float(doubt)
        self.encoder = self._codes_and_numbers() if encoder is None else encoder

    def _take(self, term: Any, name: str, names: Sequence[Hashable] | None) -> Sequence[Hashable]:
        """Adds the coefficients of a feature, and returns its values."""
        if isinstance(term, NumberTerm):
            if term.through is not None:
                self.links[len(self.slope)] = term.through
            self.slope.append(self._by_sum(term.slope, f"the slope of {name!r}"))
            self.curve.append(self._by_sum(term.curve, f"the curve of {name!r}"))
            self.tables.append(None)
            missing = term.missing
            self.missing.append(None if missing is None else self._by_sum(missing, f"a missing {name!r}"))
            line = term.range
            return line if isinstance(line, NumberLine) else number_line(line, term.resolution, name)
        what = f"the weights of feature {name!r}"
        rows = [term] if len(self.bias) == 1 else list(term)
        if len(rows) != len(self.bias):
            raise ModelError(f"{what} are for {len(rows)} classes, there are {len(self.bias)}")
        table = tuple(tuple(dyadic(weight, what) for weight in row) for row in rows)
        if not table[0] or any(len(row) != len(table[0]) for row in table):
            raise ModelError(f"{what}: each class needs the same number of values, at least one")
        self.slope.append(None)
        self.curve.append(None)
        self.missing.append(None)
        self.tables.append(table)
        return checked_names(names, len(table[0]), f"values of {name!r}", list(range(len(table[0]))))

    def _by_sum(self, given: Any, what: str) -> tuple[Dyadic, ...]:
        several = isinstance(given, (list, np.ndarray))
        numbers = list(given) if several else [given] * len(self.bias)
        if len(numbers) != len(self.bias) or (not several and len(self.bias) > 1 and given != 0):
            raise ModelError(f"{what} must be one number per class, not {given!r}")
        return tuple(dyadic(number, what) for number in numbers)

    def _codes_and_numbers(self) -> Encoder:
        readers = [
            Numbers(j, apart=() if self.missing[j] is None else (math.nan,))
            if isinstance(labels, NumberLine)
            else Categories(j, tuple(labels), tuple(range(len(labels))))
            for j, labels in enumerate(self.values)
        ]
        return RawColumns(self.features, readers)

    # --- decisions

    @cached_property
    def magnitudes(self) -> tuple[Fraction, ...]:
        """By sum, the largest sum of magnitudes within the ranges."""
        totals = [abs(number.fraction) for number in self.bias]
        for j, line in enumerate(self.values):
            for k in range(len(totals)):
                slope, curve, table = self.slope[j], self.curve[j], self.tables[j]
                if table is not None:
                    totals[k] += max(abs(weight.fraction) for weight in table[k])
                elif slope is not None and curve is not None and isinstance(line, NumberLine):
                    far = self.far(j, line)
                    missing = self.missing[j]
                    apart = Fraction(0) if missing is None else abs(missing[k].fraction)
                    totals[k] += max(apart, abs(slope[k].fraction) * far + abs(curve[k].fraction) * far * far)
        return tuple(totals)

    def far(self, j: int, line: NumberLine) -> Fraction:
        """How far from 0 the number that a column's coefficients are for may be, within its range."""
        link, ends = self.links.get(j), (line.low, line.high)
        far = [abs(end) for end in (ends if link is None else map(link.at, ends))]
        if not all(map(math.isfinite, far)):
            raise ModelError(f"{self.features[j]!r}: its function is not a number at both ends of its range, {ends!r}")
        return Fraction(max(far))

    @cached_property
    def scale(self) -> int:
        """The rule counts in units of 2 to the power of minus this."""
        total = max(self.magnitudes)
        if total == 0:
            return 0
        size = total.numerator.bit_length() - total.denominator.bit_length() + 1
        if abs(size) > 2000:
            raise ModelError("the numbers of this model are too small or too large: scale the columns")
        return RANGE_BITS - size

    def rule(self) -> Rule:
        """The decision in exact integers."""
        scale, sums = self.scale, range(len(self.bias))
        numbers = [j for j, line in enumerate(self.values) if isinstance(line, NumberLine)]

        def part(coefficients: list[tuple[Dyadic, ...] | None], place: int, dtype: Any) -> npt.NDArray[Any]:
            columns = [coefficients[j] or () for j in numbers]
            rows = [[column[k][place] for column in columns] for k in sums]
            return np.array(rows, dtype=dtype).reshape(len(sums), len(numbers))

        return AdditiveRule(
            numbers=tuple(numbers),
            curve=part(self.curve, 0, np.int64),
            curve_exponent=part(self.curve, 1, np.int32),
            slope=part(self.slope, 0, np.int64),
            slope_exponent=part(self.slope, 1, np.int32),
            tables=tuple(
                None if table is None else np.array([[w.units(scale) for w in row] for row in table], dtype=np.int64)
                for table in self.tables
            ),
            bias=np.array([number.units(scale) for number in self.bias], dtype=np.int64),
            scale=scale,
            later_wins=self.tie == "positive",
            doubt=max(math.ceil(Fraction(self.doubt) * Fraction(2) ** scale), self._slack(len(self.bias))),
            twofold=self._slack(2),
            missing={
                j: np.array([weight.units(scale) for weight in weights], dtype=np.int64)
                for j, weights in enumerate(self.missing)
                if weights is not None
            },
            links=self.links,
        )

    def _slack(self, n_sums: int) -> int:
        """By how many units a class must win so that its own sum shows it. With several sums, a margin rounds the
        difference of two terms once and the sums round both, so each number may make a difference of one unit.
        """
        lines = enumerate(self.values) if n_sums > 1 else ()
        rounded = sum(isinstance(line, NumberLine) and not self._is_exact(j, line) for j, line in lines)
        return rounded + 1 if rounded else 0

    def _is_exact(self, j: int, line: NumberLine) -> bool:
        """Are the terms of all multiples of the resolution, and so of all suggested numbers, whole units?"""
        step, unit, slope, curve = line.resolution, Fraction(2) ** self.scale, self.slope[j], self.curve[j]
        if step is None or step.denominator & (step.denominator - 1) or j in self.links:
            return False
        assert slope is not None
        assert curve is not None
        parts = [number.fraction * unit * step for number in slope]
        parts += [number.fraction * unit * step * step for number in curve]
        parts += [Fraction(end) / step for end in (line.low, line.high)]
        return all(part.denominator == 1 for part in parts)

    @cached_property
    def _rule(self) -> AdditiveRule:
        rule = self.rule()
        assert isinstance(rule, AdditiveRule)
        return rule

    def decision_values(self, codes: Codes | npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The sums of rows of codes, as the rule has them: one per row, or one per row and class."""
        rule = self._rule
        sums = rule.terms_of(np.asarray(codes), self.features).sum(axis=2) + rule.bias
        result: npt.NDArray[np.float64] = np.ldexp(sums.astype(np.float64), -rule.scale)
        return result if len(self.bias) > 1 else result[:, 0]

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The probability of each class for rows of codes; None without ``probability``."""
        return None if self.probability is None else probabilities_of(self.decision_values(codes), self.probability)

    def total(self) -> Quantity:
        """See `Model`. How far float sums can be off is the rule's doubt, by which a counterfactual has to win."""
        if len(self.bias) != 1:
            raise OptionError(
                "this AdditiveClassifier has one sum per class: give it as one sum, with one number as bias"
            )
        return Quantity(self._rule, (1,), self.scale, least=int(self.tie == "negative"))

    def lead(self, margin: float) -> int:
        """See `Model`. How far float sums can be off is the rule's doubt, by which a counterfactual has to win."""
        return math.ceil(Fraction(margin) * Fraction(2) ** self.scale)

    def logistic(self) -> tuple[tuple[Any, ...], ...] | None:
        return None if self.probability is None else (("logistic",),)

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """The whole model; numbers are written exactly, as pairs of digits and an exponent of two."""
        terms: list[Any] = []
        for j, line in enumerate(self.values):
            slope, curve = self.slope[j], self.curve[j]
            if isinstance(line, NumberLine) and slope is not None and curve is not None:
                missing = self.missing[j]
                rest: dict[str, Any] = {} if missing is None else {"missing": _pairs(missing)}
                if j in self.links:
                    rest["through"] = self.links[j].to_list()
                terms.append({"numbers": line.to_dict(), "slope": _pairs(slope), "curve": _pairs(curve), **rest})
            else:
                terms.append({"weights": [_pairs(row) for row in self.tables[j] or ()]})
        options = {"tie": self.tie, "probability": self.probability, "doubt": self.doubt}
        return {"model": self.kind, "bias": _pairs(self.bias), "terms": terms, **options, **self.names_to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AdditiveClassifier:
        """The inverse of `to_dict`."""
        bias = [tuple(pair) for pair in data["bias"]]
        terms: list[Any] = []
        for part in data["terms"]:
            if "numbers" in part:
                slope, curve = ([tuple(pair) for pair in part[name]] for name in ("slope", "curve"))
                missing = [tuple(pair) for pair in part["missing"]] if "missing" in part else None
                link = Link.from_list(part["through"]) if "through" in part else None
                line = NumberLine.from_dict(part["numbers"])
                terms.append(NumberTerm(slope, line, curve, missing=missing, through=link))
            else:
                rows = [[tuple(pair) for pair in row] for row in part["weights"]]
                terms.append(rows[0] if len(bias) == 1 else rows)
        names = names_from_dict(data, "tie", "probability", "doubt")
        return cls(terms, bias[0] if len(bias) == 1 else bias, **names)


def _pairs(numbers: Sequence[Dyadic]) -> list[list[int]]:
    return [[number.digits, number.exponent] for number in numbers]
