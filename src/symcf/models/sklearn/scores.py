"""Estimators that add up numbers: naive Bayes and linear models."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.models.linear import LinearClassifier
from symcf.models.naive_bayes import NaiveBayes
from symcf.models.sklearn.additive import Additive, Line, Parabola, additive, fractions, number_lines
from symcf.models.sklearn.design import Design, Source
from symcf.models.sklearn.linear_maps import Combined
from symcf.models.sklearn.seen import Seen

__all__ = ["bernoulli", "categorical", "counts", "gaussian", "linear"]

Scores = npt.NDArray[np.float64]

#: How far the sum of probabilities may be from 1 if they are those of all values.
SUM_TOLERANCE = 1e-9


def _take_as_numbers(
    source: Source,
    estimator: Any,
    choices: Sequence[Sequence[float]] | None = None,
    skip: Iterable[int] = (),
) -> None:
    """Columns that arrive as plain numbers are 0 or 1, unless the user or the estimator lists other numbers. Those in
    ``skip`` are taken as they are. A warning names the columns of which nothing shows that they are 0 or 1.
    """
    name = type(estimator).__name__
    skipped = [id(source.domains[column]) for column in skip]
    advice = "bin it (KBinsDiscretizer), encode it, or list its possible numbers (values=)"
    if source.data is None:
        advice = f"give data= (rows like those that it was fitted on) or ranges= to take it as it is, {advice}"
    assumed = []
    for i, lineage in enumerate(source.lineages):
        domain = lineage.domain
        if id(domain) in skipped or lineage.finite or domain.listed:
            continue
        if (domain.cuts and not domain.functions) or domain.categories is not None:
            raise ModelError(
                f"column {domain.name!r} is binned, but also reaches {name} as a plain number: bin it only, or list "
                f"its possible numbers (values=)"
            )
        if choices is not None and not lineage.chain:
            domain.numbers = tuple(choices[i])
        elif domain.not_binary:
            seen = domain.not_binary + ("" if source.data is None else ", and data= has only 0 and 1 in it")
            raise ModelError(f"column {domain.name!r} reaches {name} as a number: {seen}; {advice}")
        else:
            domain.numbers = (0.0, 1.0)
            if domain.not_binary is None and source.data is None:
                assumed.append(domain.name)
    if assumed:
        warnings.warn(
            f"{name} reads {len(assumed)} column{'s' * (len(assumed) != 1)} as plain numbers, and no data= was given: "
            f"{', '.join(map(repr, assumed[:5]))}{', ...' * (len(assumed) > 5)} can only be 0 or 1 then. If there are "
            f"other numbers, give data= (rows like those that it was fitted on) or ranges=. If there are not, data= or "
            f"values={{{assumed[0]!r}: [0, 1]{', ...' * (len(assumed) > 1)}}} ends this warning",
            stacklevel=5,
        )


def bernoulli(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """BernoulliNB: every column is 0 or 1."""
    cut = estimator.binarize
    if cut is None:
        _take_as_numbers(source, estimator, [(0, 1)] * len(source.lineages))
    else:
        for lineage in source.lineages:
            if not (lineage.finite or lineage.domain.listed):
                fresh = not lineage.domain.cuts and not lineage.chain
                lineage.domain.add_cuts(lineage.chain, [float(cut)], strict=True)
                lineage.domain.computed |= float(np.float32(cut)) != cut
                if fresh and 0 <= cut < 1:
                    lineage.domain.number_labels = (0, 1)
                elif not fresh:
                    lineage.domain.number_labels = None
    design = source.design(other=other)
    yes = np.asarray(estimator.feature_log_prob_, dtype=np.float64)
    with np.errstate(divide="ignore"):
        no = np.log(1 - np.exp(yes))
    _check_logs(estimator, yes, no)

    def score(seen: Seen, columns: list[int]) -> Scores:
        numbers = seen.dense()
        x = numbers if cut is None else (numbers > cut).astype(np.float64)
        return np.asarray(x @ yes[:, columns].T + (1 - x) @ no[:, columns].T)

    return _bayes(design, classes, score, estimator.class_log_prior_)


def categorical(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """CategoricalNB: every column is a code."""
    sizes = [int(size) for size in estimator.n_categories_]
    _take_as_numbers(source, estimator, [range(size) for size in sizes])

    def usable(column: int, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        return np.asarray((numbers >= 0) & (numbers < sizes[column]))

    design = source.design(other=other, usable=usable)
    logs = estimator.feature_log_prob_

    def score(seen: Seen, columns: list[int]) -> Scores:
        parts = [np.asarray(logs[c])[:, seen.column(i).astype(np.int64)].T for i, c in enumerate(columns)]
        return np.asarray(np.sum(parts, axis=0))

    return _bayes(design, classes, score, estimator.class_log_prior_)


def counts(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """MultinomialNB and ComplementNB: every column is a count."""
    logs = np.asarray(estimator.feature_log_prob_, dtype=np.float64)
    _check_logs(estimator, logs)
    complement = type(estimator).__name__ == "ComplementNB"
    prior = np.zeros(len(classes)) if complement else estimator.class_log_prior_
    lines = number_lines(source, source.ranges)
    for column, line in lines.items():
        if line.low < 0:
            raise ModelError(f"column {source.names[column]!r} has numbers down to {line.low:g}; counts start at 0")
    _take_as_numbers(source, estimator, skip=lines)
    if lines:
        return additive(source, lines, _lines(estimator, logs, prior, "logistic"), classes, other)
    design = source.design(other=other, usable=lambda _, numbers: np.asarray(numbers >= 0))
    return _sums(design, classes, lambda seen, columns: seen.times(logs[:, columns].T), prior, "logistic")


def linear(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """Everything with coefficients: the sign of one sum, or the largest of several."""
    lines = number_lines(source, source.ranges)
    _take_as_numbers(source, estimator, skip=lines)
    coefficients = estimator.coef_.toarray() if hasattr(estimator.coef_, "toarray") else estimator.coef_
    coefficients = np.atleast_2d(np.asarray(coefficients, dtype=np.float64))
    constant = np.broadcast_to(np.asarray(estimator.intercept_, dtype=np.float64), (len(coefficients),))
    if len(coefficients) != (1 if len(classes) == 2 else len(classes)):
        raise ModelError(
            f"{type(estimator).__name__} has {len(coefficients)} rows of coefficients for {len(classes)} classes"
        )
    if not (np.isfinite(coefficients).all() and np.isfinite(constant).all()):
        raise ModelError(f"{type(estimator).__name__} has coefficients that are not finite")
    probability = _probability(estimator, len(classes))
    if lines:
        sums = _lines(estimator, coefficients, constant, probability)
        if isinstance(estimator, Combined):
            columns = map(Line, zip(*estimator.coef_, strict=True), zip(*estimator.bounds, strict=True))
            sums = replace(sums, columns=list(columns), constant=estimator.intercept_.tolist())
        return additive(source, lines, sums, classes, other)
    design = source.design(other=other)
    return _sums(design, classes, lambda seen, columns: seen.times(coefficients[:, columns].T), constant, probability)


def gaussian(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """GaussianNB: every column is a number with a normal distribution in each class."""
    lines = number_lines(source, source.ranges)
    listed = all(lineage.finite or lineage.domain.numbers for lineage in source.lineages)
    if not lines and not listed and source.data is None:
        raise ModelError("GaussianNB takes numbers: say where they lie with data= (rows) or ranges=")
    _take_as_numbers(source, estimator, skip=lines)
    mean, variance = fractions(estimator.theta_), fractions(estimator.var_)
    # as scikit-learn computes it: logarithms in 32 bits if it was fitted on such numbers, the sum in those of the row
    parts = [-0.5 * np.sum(np.log(2.0 * np.pi * variances)) for variances in estimator.var_]
    constant = np.log(estimator.class_prior_).astype(np.float64) + np.array(parts, dtype=np.float64)
    if not np.isfinite(constant).all():
        raise ModelError("GaussianNB has a class without prior probability: fit it without that class")
    columns = [
        Parabola(means, variances)
        for means, variances in zip(zip(*mean, strict=True), zip(*variance, strict=True), strict=True)
    ]
    sums = Additive("GaussianNB", columns, fractions(constant)[0], "logistic")
    return additive(source, lines, sums, classes, other)


def _lines(estimator: Any, coefficients: Scores, constant: Any, probability: str | None) -> Additive:
    columns = [Line(slopes) for slopes in zip(*fractions(coefficients), strict=True)]
    return Additive(type(estimator).__name__, columns, fractions(np.atleast_1d(constant))[0], probability)


def _probability(estimator: Any, n_classes: int) -> str | None:
    """What `predict_proba` makes of the sums."""
    estimator = estimator.of if isinstance(estimator, Combined) else estimator
    name = type(estimator).__name__
    if name in ("LogisticRegression", "LogisticRegressionCV"):
        several = n_classes > 2
        one_by_one = getattr(estimator, "multi_class", None) == "ovr" or estimator.solver == "liblinear"
        return "ovr" if several and one_by_one else "logistic"
    if name == "SGDClassifier" and estimator.loss == "log_loss":
        return "ovr" if n_classes > 2 else "logistic"
    return "logistic" if name == "LinearDiscriminantAnalysis" else None


# --- models -----------------------------------------------------------------------------------------------------------


def _bayes(design: Design, classes: tuple[Any, ...], score: Any, prior: Any) -> Model:
    """Naive Bayes, if the numbers are logarithms of the probabilities of all values; else sums of them."""
    tables = [score(seen, list(columns)).T for seen, columns in zip(design.seen, design.columns, strict=True)]
    log_prior = np.asarray(prior, dtype=np.float64)
    proper = all(_proper(table) for table in [log_prior[np.newaxis], *tables])
    if proper:
        # rescaled to sum to 1: at most the last bits change
        probabilities = [np.exp(table) / np.exp(table).sum(axis=1, keepdims=True) for table in tables]
        prior = np.exp(log_prior) / np.exp(log_prior).sum()
        return NaiveBayes(prior, probabilities, classes=classes, tie="negative", **design.names)
    return _sums(design, classes, score, log_prior, "logistic")


def _proper(logs: Scores) -> bool:
    """Are these the probabilities of all values? Not if some are too small for a float."""
    with np.errstate(under="ignore"):
        probabilities = np.exp(logs)
    tiny = (probabilities < 1e-300) & np.isfinite(logs)
    return not tiny.any() and bool((np.abs(probabilities.sum(axis=1) - 1) < SUM_TOLERANCE).all())


def _sums(design: Design, classes: tuple[Any, ...], score: Any, constant: Any, probability: str | None) -> Model:
    tables = [score(seen, list(columns)) for seen, columns in zip(design.seen, design.columns, strict=True)]
    rows = [[table[:, k].tolist() for table in tables] for k in range(len(np.atleast_1d(constant)))]
    bias = [float(b) for b in np.atleast_1d(constant)]
    one = len(bias) == 1
    return LinearClassifier(
        rows[0] if one else rows,
        bias[0] if one else bias,
        classes=classes,
        tie="negative",
        probability=probability,
        rounded=True,
        **design.names,
    )


def _check_logs(estimator: Any, *logs: Scores) -> None:
    if not all(np.isfinite(part).all() for part in logs):
        raise ModelError(
            f"{type(estimator).__name__} has probabilities of 0, so that its own scores are not numbers: "
            f"fit it with alpha > 0"
        )
