"""Derived columns of models that are read: a sum of columns is folded into the slopes of its sources.

A classifier that adds up slopes times numbers, one of them for ``total = a + b``, is a classifier over a and b alone.
So the derived column is no feature of the folded model, and everything that is known about such models holds for it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from symcf.data.columns import RawColumns
from symcf.data.derived import Derived, checked_derived
from symcf.data.numbers import NumberLine, Numbers
from symcf.errors import OptionError
from symcf.models.additive import AdditiveClassifier, NumberTerm
from symcf.models.base import Model

__all__ = ["without_derived"]

#: How far sums and products of doubles are off, relative to the sum of their magnitudes, for each operation.
ROUNDING = Fraction(1, 2**52)


def without_derived(model: Model, given: Any) -> Model:
    """The model over the columns that are not derived. `OptionError` where that is no such model."""
    encoder = getattr(model, "encoder", None)
    if not isinstance(encoder, RawColumns):
        raise OptionError("derived: the model reads value codes, and not columns of a table")
    for one in checked_derived(given, encoder.columns):
        model = _folded(model, one)
    return model


def _refused(one: Derived, why: str) -> OptionError:
    return OptionError(
        f"derived[{one.name!r}]: {one.text!r}: {why}. Explain the estimator as a black box: "
        f"symcf.compile(symcf.from_predict(estimator, data, derived={{{one.name!r}: {one.text!r}}}))"
    )


def _folded(model: Model, one: Derived) -> Model:
    if not isinstance(model, AdditiveClassifier):
        raise _refused(one, "derived columns are folded into sums of numbers only, and this model has others")
    encoder = model.encoder
    assert isinstance(encoder, RawColumns)
    if one.linear is None:
        raise _refused(one, "it is no sum of columns times numbers")
    feature_of = {encoder.columns[r.sources[0]]: j for j, r in enumerate(encoder.readers) if isinstance(r, Numbers)}
    if one.name not in feature_of:
        if one.name in encoder.columns and encoder.columns.index(one.name) not in encoder.layout.needed:
            raise OptionError(f"derived: the model does not read the column {one.name!r}; leave it out")
        raise _refused(one, f"{one.name!r} is not read as a number")
    own = feature_of[one.name]
    terms = _terms(model)
    slopes, curve = model.slope[own], model.curve[own]
    assert slopes is not None
    assert curve is not None
    made = encoder.readers[own]
    plain = isinstance(made, Numbers) and made.is_plain
    if any(c.fraction for c in curve) or own in model.links or not plain:
        raise _refused(
            one, f"the model does not take {one.name!r} as it is: it has a curve, or replaces missing values"
        )
    doubt = Fraction(model.doubt)
    for source, coefficient in one.linear.coefficients.items():
        if source not in feature_of or source == one.name:
            raise _refused(one, f"the model does not read {source!r} as a number")
        j = feature_of[source]
        reader, term = encoder.readers[j], terms[j]
        if j in model.links or not (isinstance(reader, Numbers) and reader.is_plain):
            raise _refused(
                one, f"the model does not take {source!r} as it is: it has a function, or replaces missing values"
            )
        old = model.slope[j]
        assert old is not None
        new = [a.fraction + coefficient * b.fraction for a, b in zip(old, slopes, strict=True)]
        terms[j] = replace(term, slope=new if len(new) > 1 else new[0])
        line = model.values[j]
        assert isinstance(line, NumberLine)
        far = abs(coefficient) * max(abs(Fraction(line.low)), abs(Fraction(line.high)))
        doubt += 4 * ROUNDING * far * max(abs(b.fraction) for b in slopes)
    bias = [a.fraction + one.linear.constant * b.fraction for a, b in zip(model.bias, slopes, strict=True)]
    kept = [j for j in range(len(terms)) if j != own]
    place = encoder.columns.index(one.name)
    return AdditiveClassifier(
        [terms[j] for j in kept],
        bias if len(bias) > 1 else bias[0],
        features=[model.features[j] for j in kept],
        values=[None if isinstance(model.values[j], NumberLine) else list(model.values[j]) for j in kept],
        classes=model.classes,
        ordered=[model.ordered[j] for j in kept],
        tie=model.tie,
        probability=model.probability,
        encoder=RawColumns(
            encoder.columns,
            [encoder.readers[j] for j in kept],
            named=encoder.named,
            doubles=[other for other in encoder.doubles if other != place],
            types=encoder.layout.types,
            derived=(*encoder.layout.derived, one),
        ),
        doubt=float(doubt),
    )


def _terms(model: AdditiveClassifier) -> list[Any]:
    """What the model was made of."""
    terms: list[Any] = []
    for j, line in enumerate(model.values):
        slope, curve, missing, table = model.slope[j], model.curve[j], model.missing[j], model.tables[j]
        if isinstance(line, NumberLine) and slope is not None and curve is not None:
            apart = None if missing is None else [weight.fraction for weight in missing]
            several = len(slope) > 1
            pairs = [[c.fraction for c in slope], [c.fraction for c in curve]]
            own = [pair if several else pair[0] for pair in pairs]
            known = apart if apart is None or several else apart[0]
            terms.append(NumberTerm(own[0], line, own[1], missing=known, through=model.links.get(j)))
        else:
            rows = [[weight.fraction for weight in row] for row in table or ()]
            terms.append(rows if len(model.bias) > 1 else rows[0])
    return terms
