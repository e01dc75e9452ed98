"""Models with another threshold: the same sums, compared with another number."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

from symcf.errors import ModelError
from symcf.models.additive import AdditiveClassifier
from symcf.models.base import Model
from symcf.models.linear import LinearClassifier
from symcf.models.naive_bayes import NaiveBayes
from symcf.models.rules import value_offsets
from symcf.models.scaling import dyadic
from symcf.models.trees.boosted import BoostedTrees

__all__ = ["above", "cut"]


def cut(model: Model, method: str, at: float, estimator: Any) -> Model:
    """Class 1 iff its score is at least this: its probability (``predict_proba``), or the sum (``decision_function``).

    It has no probabilities then, except naive Bayes: they would be those of the estimator, not of its decision.
    """
    of_probability = method == "predict_proba"
    if of_probability and not 0 < at < 1:
        raise ModelError(f"the threshold is a probability of {at:.6g}, so that there is only one answer")
    if isinstance(model, NaiveBayes):
        names = {name: getattr(model, name) for name in ("features", "values", "ordered", "classes", "encoder")}
        return NaiveBayes(model.class_prior, model.tables, threshold=at, tie="positive", **names)
    bound = math.log(at) - math.log1p(-at) if of_probability else at
    if isinstance(model, AdditiveClassifier):
        (constant,) = model.bias
        moved = AdditiveClassifier.from_dict({**model.to_dict(), "tie": "positive", "probability": None})
        moved.bias = (dyadic(constant.fraction - Fraction(bound), "the threshold"),)
        return moved
    if isinstance(model, BoostedTrees):
        # what AdaBoost calls its decision function is scaled as its probabilities are
        scaled = of_probability or type(estimator).__name__ == "AdaBoostClassifier"
        first, second = (float(number) for number in model.bias)
        bias = [first + (bound / model.slope if scaled else bound), second]
        return BoostedTrees.from_dict({**model.to_dict(), "bias": bias, "tie": "positive", "probability": None})
    if isinstance(model, LinearClassifier):
        return _linear(model, bound)
    raise ModelError(f"a threshold is not supported for {type(estimator).__name__}: explain it without one")


def above(model: Model, at: float, estimator: Any) -> Model:
    """Class 1 iff its decision function is above this number; where it is equal, the answer is class 0."""
    moved = cut(model, "decision_function", at, estimator) if at else model
    written = moved.to_dict()
    return moved if written["tie"] == "negative" else type(moved).from_dict({**written, "tie": "negative"})


def _linear(model: LinearClassifier, bound: float) -> LinearClassifier:
    bounds = list(itertools.pairwise(value_offsets(model.n_values).tolist()))
    rows = [[row[i:j].tolist() for i, j in bounds] for row in model.weights]
    bias = model.bias.tolist()
    if len(bias) == 1:
        # two sums, the threshold and the score, because their difference might be rounded
        rows, bias = [[[0.0] * (j - i) for i, j in bounds], *rows], [bound, *bias]
    else:
        bias[0] += bound
    names = {name: getattr(model, name) for name in ("features", "values", "ordered", "classes", "encoder")}
    return LinearClassifier(rows, bias, tie="positive", rounded=True, **names)
