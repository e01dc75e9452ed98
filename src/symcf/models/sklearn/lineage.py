"""What raw columns become on their way through a fitted pipeline.

A lineage is one column of the matrix that a step gives: which raw column it comes from, and what happened to it so far.
Following all steps shows which raw values the model can distinguish (the `Domain` of a raw column): categories, or
ranges of numbers. What the steps turn them into is not computed here but by scikit-learn's own `transform`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from symcf.data.encoder import is_missing
from symcf.errors import ModelError
from symcf.models.sklearn.cut_points import Chain, Cut, Function, cuts, distinct, edges, is_total, rounded_32
from symcf.models.sklearn.functions import Affine, fitted_function, named_function

__all__ = ["Domain", "Fill", "Lineage", "check_followed", "follow", "is_marker"]

STEPS = (
    "Pipeline, ColumnTransformer, FeatureUnion, OneHotEncoder, OrdinalEncoder, TargetEncoder, KBinsDiscretizer, "
    "Binarizer, SimpleImputer, KNNImputer and IterativeImputer (rows without gaps), MissingIndicator, StandardScaler, "
    "MinMaxScaler, MaxAbsScaler, RobustScaler, PowerTransformer, QuantileTransformer, FunctionTransformer with a known "
    "function, feature selection, 'passthrough' and 'drop'; before linear models PCA and TruncatedSVD"
)

#: What to do instead, by step that cannot be read.
INSTEAD = {
    **dict.fromkeys(("KernelPCA", "SparsePCA", "FastICA", "NMF",
                     "FactorAnalysis", "LinearDiscriminantAnalysis", "PLSRegression", "GaussianRandomProjection",
                     "SparseRandomProjection", "Nystroem", "RBFSampler"),
                    "it mixes columns; leave it out, or select columns instead (SelectKBest)"),
    **dict.fromkeys(("PCA", "TruncatedSVD", "IncrementalPCA"),
                    "it mixes columns; a linear model may follow it at once, or behind scalers"),
    "PolynomialFeatures": "it multiplies columns; give data, so that it is read with bounds, or use trees without it",
    "SplineTransformer": "it rises and falls; give data, so that it is read with bounds, or bin the column instead "
    "(KBinsDiscretizer)",
    "Normalizer": "it divides by the length of the row, so that columns depend on each other; use StandardScaler",
    "CountVectorizer": "it reads words; make columns of them before fit",
    "TfidfVectorizer": "it reads words, and each column depends on all; make columns of them before fit",
    "TfidfTransformer": "every column depends on all; use MaxAbsScaler instead",
    "FeatureHasher": "it mixes columns; use OneHotEncoder instead",
}  # fmt: skip


@dataclass(frozen=True)
class Fill:
    """What an imputer replaces a marker of missing values by."""

    marker: Any
    #: What happened to the number before imputation; the imputed value is on that scale.
    chain: Chain
    value: Any


@dataclass
class Domain:
    """A raw column: which of its values the model can distinguish, as far as is known."""

    name: str
    cuts: list[Cut] = field(default_factory=list)
    #: The categories, with the type that they had in the encoder.
    categories: Any = None
    #: Whether the user gave them in an order.
    given_order: bool = False
    #: Whether they are in the order of the user's data, missing ones last.
    in_order: bool = False
    #: Whether values outside the categories can be encoded.
    other: bool = False
    #: The text of a category, where values with the same text are the same to the estimator.
    text_of: Callable[[Any], str] | None = None
    fills: list[Fill] = field(default_factory=list)
    #: Whether a missing category was replaced by an imputer after encoding.
    filled_later: bool = False
    #: What happens to the numbers, where that is not possible for all of them.
    functions: list[Chain] = field(default_factory=list)
    #: Markers of missing values that the model can tell from all other values, so that they are a value of their own.
    missing: list[Any] = field(default_factory=list)
    #: What the estimator sees of each category, where it encodes them itself.
    places: Mapping[Any, float] | None = None
    #: The possible raw numbers, where the model uses them directly and the user or the model lists them.
    numbers: tuple[float, ...] | None = None
    #: Names of the two ranges around the only cut, where "<= 0" and "> 0" mean 0 and 1.
    number_labels: tuple[int, int] | None = None
    #: Whether numbers are computed with, or compared with more than 32 bits, before they are cut: then numbers of 32
    #: bits would be computed and compared in 32 bits.
    computed: bool = False
    #: Functions of numpy that are called with the column's own cells, one after the other.
    native: list[np.ufunc] = field(default_factory=list)
    #: Why the column cannot be 0 or 1 only, if a step knows it; empty if a step saw what 0s and 1s would give.
    not_binary: str | None = None

    @property
    def listed(self) -> bool:
        """Are all numbers that the column can hold known, as numbers or as the categories of an encoder that refuses
        others?
        """
        known = self.categories is not None and not self.other and self.categories.dtype.kind in "biuf"
        return self.numbers is not None or known

    def add_categories(self, categories: Any, *, other: bool, given_order: bool) -> None:
        """Adds the categories of an encoder, to those of others that read the column, too."""
        if self.categories is None:
            self.other, self.given_order, self.categories = other, given_order, categories
            return
        # a value is refused if one encoder refuses it
        self.other = other and self.other
        self.given_order = (self.given_order or given_order) and _same(self.categories, categories)
        known = self.categories.tolist()
        alike, has_missing = set(known), any(map(is_missing, known))
        more = [one for one in categories.tolist() if one not in alike and not (has_missing and is_missing(one))]
        if more:
            kind = object if "O" in (self.categories.dtype.kind, categories.dtype.kind) else None
            self.categories = np.array([*known, *more], dtype=kind)

    def set_order(self, order: Sequence[Any]) -> None:
        """Puts the categories in this order if it has all of them; missing ones come last."""
        place = {category: i for i, category in enumerate(order)}
        known = [None if one is None or is_missing(one) else place.get(one, -1) for one in self.categories.tolist()]
        if -1 not in known:
            ranks = [len(place) if rank is None else rank for rank in known]
            self.categories, self.in_order = self.categories[np.argsort(ranks, kind="stable")], True

    def add_cuts(self, chain: Chain, bounds: Iterable[float], *, strict: bool) -> None:
        """Adds bounds that numbers are compared with."""
        self.cuts = distinct([*self.cuts, *cuts(chain, bounds, strict=strict)])
        self.computed |= any(isinstance(step, (Affine, Function)) for step in chain)
        if not is_total(chain):
            self.add_edges(chain)

    def add_edges(self, chain: Chain) -> None:
        """Keeps apart the numbers that the chain is undefined or infinite for."""
        self.functions.append(chain)
        self.cuts = distinct([*self.cuts, *edges(chain)])

    def add_missing(self, marker: Any) -> None:
        """Makes missing values a value of their own."""
        if not any(is_marker(marker, known) for known in self.missing):
            self.missing.append(marker)


def _same(one: Any, other: Any) -> bool:
    return len(one) == len(other) and all(map(is_marker, one.tolist(), other.tolist()))


def is_marker(one: Any, other: Any) -> bool:
    """Are they equal, or do both mark missing values?"""
    return bool(one == other) or (is_missing(one) and is_missing(other))


@dataclass(frozen=True)
class Lineage:
    """A column somewhere in the pipeline."""

    domain: Domain
    #: What happened to the number.
    chain: Chain = ()
    #: Whether it takes finitely many values that the domain already distinguishes.
    finite: bool = False
    #: Whether an imputer was applied.
    filled: bool = False
    #: The step that makes it rise and fall, if one does: it is not known where.
    bent: str | None = None


Lineages = list[Lineage]


def follow(step: Any, lineages: Lineages, where: str = "") -> Lineages:
    """The columns that a fitted step makes from these."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return lineages
    if isinstance(step, str) and step == "drop":
        return []
    name = type(step).__name__
    if name == "FunctionTransformer" and (step.func is None or _only_checks(step.func)):
        # 'passthrough' in a fitted ColumnTransformer, or the numbers of HistGradientBoostingClassifier
        return lineages
    known = _steps_of(type(step).__module__.partition(".")[0]).get(name)
    if known is None:
        if _is_selector(step):
            return [lineage for lineage, kept in zip(lineages, step.get_support(), strict=True) if kept]
        advice = f": {INSTEAD[name]}" if name in INSTEAD else ""
        raise ModelError(f"{where}{name} is not supported as a step{advice}. Supported are {STEPS}")
    if name not in ("Pipeline", "ColumnTransformer", "FeatureUnion") and step.n_features_in_ != len(lineages):
        raise ModelError(f"{where}{name} was fitted on {step.n_features_in_} columns but gets {len(lineages)}")
    return known(step, lineages, f"{where}{name}")


def _steps_of(library: str) -> Mapping[str, Callable[[Any, Lineages, str], Lineages]]:
    if library == "category_encoders":
        return dict.fromkeys(CATEGORY_ENCODERS, _category_encoder)
    return _STEPS if library == "sklearn" else {}


def check_followed(lineages: Lineages) -> None:
    """`ModelError` for a column of which it is not known where it rises and falls."""
    bent = next((lineage.bent for lineage in lineages if lineage.bent is not None), None)
    if bent is not None:
        raise ModelError(f"{bent} is not supported before this estimator: {INSTEAD['SplineTransformer']}")


def _only_checks(function: Any) -> bool:
    return isinstance(function, partial) and getattr(function.func, "__name__", "") == "check_array"


def _is_selector(step: Any) -> bool:
    from sklearn.feature_selection import SelectorMixin

    return isinstance(step, SelectorMixin)


# --- steps of steps ---------------------------------------------------------------------------------------------------


def _pipeline(step: Any, lineages: Lineages, where: str) -> Lineages:
    for name, part in step.steps:
        lineages = follow(part, lineages, f"{where} step {name!r}: ")
    return lineages


def _column_transformer(step: Any, lineages: Lineages, where: str) -> Lineages:
    result = []
    for name, part, _ in step.transformers_:
        indices = step._transformer_to_input_indices[name]
        if len(indices):
            result += follow(part, [lineages[i] for i in indices], f"{where} part {name!r}: ")
    return result


def _feature_union(step: Any, lineages: Lineages, where: str) -> Lineages:
    result = []
    weights = step.transformer_weights or {}
    for name, part in step.transformer_list:
        made = follow(part, lineages, f"{where} part {name!r}: ")
        result += made if weights.get(name) is None else _weighted(made, float(weights[name]))
    return result


def _weighted(lineages: Lineages, weight: float) -> Lineages:
    if weight == 0:
        return [replace(lineage, finite=True) for lineage in lineages]
    return [_applied(lineage, Affine(0.0, weight, times=True)) for lineage in lineages]


# --- encoders ---------------------------------------------------------------------------------------------------------


def _encoded(
    step: Any, lineages: Lineages, where: str, widths: Sequence[int], *, other: bool, given_order: bool = False
) -> Lineages:
    result = []
    for lineage, categories, width in zip(lineages, step.categories_, widths, strict=True):
        if not lineage.finite:
            if lineage.chain:
                raise ModelError(
                    f"{where} takes column {lineage.domain.name!r} as categories after scaling it: not supported"
                )
            lineage.domain.add_categories(categories, other=other, given_order=given_order)
        result += [replace(lineage, finite=True)] * width
    return result


def _one_hot(step: Any, lineages: Lineages, where: str) -> Lineages:
    widths = []
    for i, categories in enumerate(step.categories_):
        rare = _infrequent(step, i)
        dropped = step.drop_idx_ is not None and step.drop_idx_[i] is not None
        widths.append(len(categories) - rare + (rare > 0) - dropped)
    return _encoded(step, lineages, where, widths, other=step.handle_unknown != "error")


def _infrequent(step: Any, i: int) -> int:
    """The number of rare categories that share one column."""
    rare = getattr(step, "infrequent_categories_", None)
    return 0 if rare is None or rare[i] is None else len(rare[i])


def _ordinal(step: Any, lineages: Lineages, where: str) -> Lineages:
    given = not isinstance(step.categories, str)
    return _encoded(step, lineages, where, [1] * len(lineages), other=step.handle_unknown != "error", given_order=given)


def _target(step: Any, lineages: Lineages, where: str) -> Lineages:
    width = len(step.classes_) if step.target_type_ == "multiclass" else 1
    given = not isinstance(step.categories, str)
    return _encoded(step, lineages, where, [width] * len(lineages), other=True, given_order=given)


def _category_encoder(step: Any, lineages: Lineages, where: str) -> Lineages:
    """An encoder of category_encoders: each of its columns becomes one or several, in place; others stay."""
    if step.drop_invariant:
        raise ModelError(f"{where} with drop_invariant=True is not supported: fit it without")
    encoded = {str(column) for column in step.cols}
    result: Lineages = []
    for lineage, name in zip(lineages, step.feature_names_in_, strict=True):
        if str(name) not in encoded:
            result.append(lineage)
            continue
        categories, width = _known_categories(step, name)
        known = [one for one in categories if not (one is None or is_missing(one))]
        if not lineage.finite:
            if lineage.chain:
                raise ModelError(
                    f"{where} takes column {lineage.domain.name!r} as categories after scaling it: not supported"
                )
            # missing values have a number of their own
            gaps = [math.nan] if step.handle_missing != "error" else []
            numbers = all(isinstance(one, (int, float, np.number)) for one in known)
            found = np.array([*known, *gaps], dtype=None if numbers else object)
            lineage.domain.add_categories(found, other=step.handle_unknown != "error", given_order=False)
        result += [replace(lineage, finite=True)] * width
    return result


def _known_categories(step: Any, name: Any) -> tuple[list[Any], int]:
    """The categories of a column, and how many columns it becomes."""
    mappings = step.mapping if isinstance(step.mapping, dict) else {one["col"]: one["mapping"] for one in step.mapping}
    width = mappings[name].shape[1] if type(step).__name__ in WIDE else 1
    numbered = getattr(step, "ordinal_encoder", None)
    if numbered is not None:
        mappings = {one["col"]: one["mapping"] for one in numbered.mapping}
    return list(mappings[name].index), width


def _bins(step: Any, lineages: Lineages, where: str) -> Lineages:
    result = []
    for lineage, bounds, count in zip(lineages, step.bin_edges_, step.n_bins_, strict=True):
        if not lineage.finite:
            chain = (*lineage.chain, rounded_32) if step.dtype is np.float32 else lineage.chain
            lineage.domain.add_cuts(chain, bounds[1:-1], strict=False)
        result += [replace(lineage, finite=True)] * (1 if step.encode == "ordinal" else int(count))
    return result


def _binarizer(step: Any, lineages: Lineages, where: str) -> Lineages:
    for lineage in lineages:
        if not lineage.finite:
            lineage.domain.add_cuts(lineage.chain, [step.threshold], strict=True)
            lineage.domain.computed |= float(np.float32(step.threshold)) != step.threshold
    return [replace(lineage, finite=True) for lineage in lineages]


# --- imputing and scaling ---------------------------------------------------------------------------------------------


def _imputer(step: Any, lineages: Lineages, where: str) -> Lineages:
    # before the fills, because a column of its own for missing values is about what came in
    indicators = _indicator(step.indicator_, lineages, where) if step.add_indicator else []
    result = []
    for lineage, value in zip(lineages, step.statistics_, strict=True):
        if is_missing(value) and step.strategy != "constant":
            continue  # a column without any value, which scikit-learn leaves out
        if lineage.finite:
            lineage.domain.filled_later = True
        elif not lineage.filled:
            lineage.domain.fills.append(Fill(step.missing_values, lineage.chain, value))
        else:
            raise ModelError(f"{where}: column {lineage.domain.name!r} was imputed before, which is not supported")
        result.append(replace(lineage, filled=True))
    return [*result, *indicators]


def _indicator(step: Any, lineages: Lineages, where: str) -> Lineages:
    result = []
    for i in step.features_.tolist():
        lineage = lineages[i]
        if not (lineage.finite or lineage.filled):
            if lineage.chain and not is_missing(step.missing_values):
                raise ModelError(
                    f"{where} looks for {step.missing_values!r} in column {lineage.domain.name!r} after scaling it, "
                    f"which is not supported: look for it before"
                )
            lineage.domain.add_missing(step.missing_values)
        result.append(replace(lineage, finite=True))
    return result


def _complete(step: Any, lineages: Lineages, where: str) -> Lineages:
    """KNNImputer, IterativeImputer: rows without missing values, which are given back as they are."""
    if step.add_indicator or len(step.get_feature_names_out()) != len(lineages):
        raise ModelError(
            f"{where} adds or drops columns, which is not supported: use SimpleImputer, or add_indicator=False and "
            f"columns that have values"
        )
    return [replace(lineage, filled=True) for lineage in lineages]


def _function(step: Any, lineages: Lineages, where: str) -> Lineages:
    if all(lineage.finite for lineage in lineages) and isinstance(step.func, np.ufunc):
        return lineages
    function = named_function(step, where)
    for lineage in lineages:
        if not (lineage.filled or lineage.finite) and len(lineage.chain) == len(lineage.domain.native):
            lineage.domain.native.append(step.func)
    return [_applied(lineage, function) for lineage in lineages]


def _fitted(step: Any, lineages: Lineages, where: str) -> Lineages:
    return [_applied(lineage, fitted_function(step, i)) for i, lineage in enumerate(lineages)]


def _splines(step: Any, lineages: Lineages, where: str) -> Lineages:
    width = step.n_features_out_ // step.n_features_in_
    made = [one if one.finite else replace(one, bent=one.bent or where) for one in lineages]
    return [one for one in made for _ in range(width)]


def _applied(lineage: Lineage, function: Function | Affine) -> Lineage:
    if lineage.finite:
        return lineage
    applied = replace(lineage, chain=(*lineage.chain, function))
    if not is_total(applied.chain):
        applied.domain.add_edges(applied.chain)
    return applied


def _scaled(make: Callable[[Any, int], tuple[Callable[[Any], Any], str | None]]) -> Callable[..., Lineages]:
    def scaler(step: Any, lineages: Lineages, where: str) -> Lineages:
        result = []
        for i, lineage in enumerate(lineages):
            if lineage.finite:
                result.append(lineage)
                continue
            function, not_binary = make(step, i)
            if not_binary is not None and not lineage.chain:
                lineage.domain.not_binary = not_binary and f"{where} saw {not_binary}"
            result.append(replace(lineage, chain=(*lineage.chain, function)))
        return result

    return scaler


def _standard(step: Any, i: int) -> tuple[Callable[[Any], Any], str | None]:
    mean = step.mean_[i] if step.with_mean else 0.0
    scale = step.scale_[i] if step.with_std else 1.0
    problem = None
    if step.with_std and step.mean_ is not None:
        mean_seen, variance = float(step.mean_[i]), float(step.var_[i])
        same = abs(variance - mean_seen * (1 - mean_seen)) <= 1e-6
        problem = "" if same else f"a mean of {mean_seen:.6g} and a variance of {variance:.6g}"
    return Affine(mean, scale), problem


def _min_max(step: Any, i: int) -> tuple[Callable[[Any], Any], str | None]:
    scale, least = step.scale_[i], step.min_[i]
    low, high = float(step.data_min_[i]), float(step.data_max_[i])
    problem = None if {low, high} <= {0.0, 1.0} else f"numbers from {low:.6g} to {high:.6g}"
    return Affine(least, scale, times=True, clip=tuple(step.feature_range) if step.clip else None), problem


def _max_abs(step: Any, i: int) -> tuple[Callable[[Any], Any], str | None]:
    scale, most = step.scale_[i], float(step.max_abs_[i])
    return Affine(0.0, scale), None if most in (0.0, 1.0) else f"numbers up to {most:.6g}"


def _robust(step: Any, i: int) -> tuple[Callable[[Any], Any], str | None]:
    center = step.center_[i] if step.with_centering else 0.0
    scale = step.scale_[i] if step.with_scaling else 1.0
    return Affine(center, scale), None


#: Of category_encoders. Those that make several columns of one come first.
WIDE = ("OneHotEncoder", "BinaryEncoder", "BaseNEncoder", "SumEncoder", "HelmertEncoder", "BackwardDifferenceEncoder")
CATEGORY_ENCODERS = (
    *WIDE,
    "WOEEncoder",
    "TargetEncoder",
    "OrdinalEncoder",
    "CountEncoder",
    "LeaveOneOutEncoder",
    "CatBoostEncoder",
    "JamesSteinEncoder",
    "MEstimateEncoder",
)

_STEPS: dict[str, Callable[[Any, Lineages, str], Lineages]] = {
    "Pipeline": _pipeline,
    "ColumnTransformer": _column_transformer,
    "FeatureUnion": _feature_union,
    "OneHotEncoder": _one_hot,
    "OrdinalEncoder": _ordinal,
    "TargetEncoder": _target,
    "KBinsDiscretizer": _bins,
    "Binarizer": _binarizer,
    "SimpleImputer": _imputer,
    "MissingIndicator": _indicator,
    "KNNImputer": _complete,
    "IterativeImputer": _complete,
    "FunctionTransformer": _function,
    "PowerTransformer": _fitted,
    "QuantileTransformer": _fitted,
    "SplineTransformer": _splines,
    "StandardScaler": _scaled(_standard),
    "MinMaxScaler": _scaled(_min_max),
    "MaxAbsScaler": _scaled(_max_abs),
    "RobustScaler": _scaled(_robust),
}
