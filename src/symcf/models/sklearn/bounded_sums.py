"""What estimators of scikit-learn, XGBoost, LightGBM and CatBoost compute before they decide, as functions that can be
bounded: one reader per estimator, by the names of the tables at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symcf.errors import ModelError
from symcf.models.bounded.forms import DOUBLE, SINGLE, Activation, Affine, Function
from symcf.models.bounded.functions import Distances, Power, SideBySide, Softmax, Total, Tree, Trees, Weighted
from symcf.models.bounded.votes import Counted, Nearest, Pairs, PairSums
from symcf.models.files.raw import ZERO, Ensemble, RawTree
from symcf.models.sklearn.boosters import hist_ensemble, own_columns
from symcf.models.sklearn.bounded_steps import name_of, unit_of
from symcf.models.sklearn.libraries import ensemble, is_of_a_library
from symcf.models.sklearn.trees import FORESTS, TREES, shares

__all__ = [
    "BOUNDED",
    "LINEAR",
    "NEIGHBOURS",
    "SUMS",
    "Functions",
    "alike",
    "chance_functions",
    "ensemble_sums",
    "layers",
    "leaves",
    "nearest",
    "sums",
    "told_sums",
    "tree_of",
    "votes_of_leaves",
]

Functions = tuple[Function, ...]


def sums(final: Any) -> Functions:
    """What an estimator computes before it decides: of two classes one column, positive for the second one."""
    name = name_of(final)
    if name in SUMS:
        return SUMS[name](final)
    if is_of_a_library(final):
        return _of_a_library(final)
    raise ModelError(f"{type(final).__name__} is not supported inside another estimator")


def told_sums(final: Any) -> Functions:
    """What `decision_function` gives: of two classes one column, else one per class."""
    if name_of(final) not in ("SVC", "NuSVC") or len(final.classes_) == 2:
        return sums(final)
    if final.decision_function_shape != "ovr":
        raise ModelError(
            f"{type(final).__name__} with decision_function_shape='ovo' is not supported inside another estimator: "
            "use 'ovr'"
        )
    return (*_kernels_of_pairs(final), *_of_duels(len(final.classes_)))


def chance_functions(final: Any) -> Functions | None:
    """What `predict_proba` makes of the sums; None where that is not known."""
    name, two = name_of(final), len(final.classes_) == 2
    if name == "SGDClassifier":
        return (Activation("logistic"),) if two and final.loss == "log_loss" else None
    if name in CHANCES or is_of_a_library(final):
        return (Activation("logistic") if two else Softmax(),)
    return None


def _network(final: Any) -> Functions:
    """Layers: sums, each followed by a function of one number. The last function does not change the order."""
    if getattr(final, "out_activation_", "") not in ("logistic", "softmax"):
        raise ModelError(f"{type(final).__name__} has the output {final.out_activation_!r}, which is not supported")
    if final.out_activation_ == "logistic" and final.n_outputs_ != 1:
        raise ModelError(f"{type(final).__name__} has several labels: fit one classifier per label")
    functions, (weights, bias) = layers(final), (final.coefs_[-1], final.intercepts_[-1])
    # predict compares what the last function gives, whose floats are equal where sums differ by less than its rounding
    last = Affine(weights, bias, unit_of(weights), np.abs(bias) + 1)
    return (*functions[:-1], last)


def layers(final: Any) -> Functions:
    """The layers of a network of scikit-learn, the last one without its function."""
    functions: list[Function] = []
    for weights, bias in zip(final.coefs_, final.intercepts_, strict=True):
        functions += [Affine(weights, bias, unit_of(weights)), Activation(final.activation)]
    return tuple(functions[:-1])


def _linear(final: Any) -> Functions:
    weights = np.atleast_2d(final.coef_.toarray() if hasattr(final.coef_, "toarray") else final.coef_).T
    bias = np.broadcast_to(np.asarray(final.intercept_, dtype=np.float64), (weights.shape[1],))
    if weights.shape[1] == 2 and len(final.classes_) == 2:
        raise ModelError(f"{type(final).__name__} has two sums for two classes, which is not supported")
    return (Affine(weights, bias, unit_of(weights)),)


def _kernels(final: Any) -> Functions:
    """Weighted sums of kernels: how alike the row is to some rows of the training data."""
    n_classes = len(final.classes_)
    if n_classes == 2:
        _, functions = alike(final)
        return (*functions, Affine(np.asarray(final.dual_coef_).T, final.intercept_))
    if not final.break_ties:
        return (*_kernels_of_pairs(final), Pairs(n_classes), Counted(n_classes))
    if final.decision_function_shape != "ovr":
        name = type(final).__name__
        raise ModelError(f"{name} with break_ties=True and decision_function_shape='ovo' decides nothing")
    return (*_kernels_of_pairs(final), *_of_duels(n_classes))


def _of_duels(n_classes: int) -> Functions:
    """By class, the pairs that it wins, and what their numbers say."""
    return SideBySide([[Pairs(n_classes)], [PairSums(n_classes)]]), Total(2)


def _kernels_of_pairs(final: Any) -> Functions:
    """By pair of classes, a number that is positive for the second one."""
    n_classes = len(final.classes_)
    points, functions = alike(final)
    # points come by class; those of the two classes of a pair have weights for it
    starts = np.cumsum([0, *final.n_support_]).tolist()
    pairs = [(i, j) for i in range(n_classes) for j in range(i + 1, n_classes)]
    weights = np.zeros((len(points), len(pairs)))
    for p, (i, j) in enumerate(pairs):
        weights[starts[i] : starts[i + 1], p] = final.dual_coef_[j - 1, starts[i] : starts[i + 1]]
        weights[starts[j] : starts[j + 1], p] = final.dual_coef_[i, starts[j] : starts[j + 1]]
    return (*functions, Affine(-weights, -np.asarray(final.intercept_)))


def alike(final: Any) -> tuple[np.ndarray[Any, Any], Functions]:
    """Points, and the functions that tell how alike a row is to each."""
    if final.kernel not in KERNELS or final._sparse:
        what = "a sparse matrix" if final._sparse else f"kernel={final.kernel!r}"
        raise ModelError(f"{type(final).__name__} with {what} is not supported: {', '.join(KERNELS)} are")
    points = np.asarray(final.support_vectors_, dtype=np.float64)
    gamma, shift = float(final._gamma), np.full(len(points), float(final.coef0))
    if final.kernel == "linear":
        return points, (Affine(points.T, np.zeros(len(points))),)
    if final.kernel == "rbf":
        return points, (Distances(points, -gamma), Activation("exp"))
    return points, (
        Affine(gamma * points.T, shift),
        Power(int(final.degree)) if final.kernel == "poly" else Activation("tanh"),
    )


#: The kernels that can be bounded.
KERNELS = ("rbf", "linear", "poly", "sigmoid")


def _gaussian(final: Any) -> Functions:
    """GaussianNB: by class, squares of the distances to the means, in units of the deviations."""
    chains = []
    for k in range(len(final.classes_)):
        deviation = np.sqrt(final.var_[k])
        constant = np.log(final.class_prior_[k]) - 0.5 * np.log(2 * np.pi * final.var_[k]).sum()
        chains.append(_squares(np.diag(1 / deviation), final.theta_[k] / deviation, float(constant)))
    return (SideBySide(chains), *_of_two(len(final.classes_)))


def _quadratic(final: Any) -> Functions:
    """QuadraticDiscriminantAnalysis: the same in directions of each class."""
    if not hasattr(final, "rotations_"):
        raise ModelError(
            f"QuadraticDiscriminantAnalysis with solver={final.solver!r} is not supported: use solver='svd'"
        )
    chains = []
    for k, (rotation, scaling) in enumerate(zip(final.rotations_, final.scalings_, strict=True)):
        matrix = rotation / np.sqrt(scaling)
        constant = np.log(final.priors_[k]) - 0.5 * np.log(scaling).sum()
        chains.append(_squares(matrix, final.means_[k] @ matrix, float(constant)))
    return (SideBySide(chains), *_of_two(len(final.classes_)))


def _squares(matrix: Any, centre: Any, constant: float) -> Functions:
    """A constant, less half the square of the distance of a row times a matrix to a point."""
    off = np.abs(centre)
    return (
        Affine(matrix, -centre, summed=off),
        Distances(np.zeros((1, len(centre))), -0.5),
        Affine([[1.0]], [constant]),
    )


def _of_two(n_classes: int) -> Functions:
    """Of two columns their difference."""
    return (Affine([[-1.0], [1.0]], [0.0]),) if n_classes == 2 else ()


def nearest(final: Any) -> Functions:
    """KNeighborsClassifier: how many of the nearest rows are of each class."""
    name = type(final).__name__
    if final.weights != "uniform":
        raise ModelError(f"{name} with weights={final.weights!r} is not supported: 'uniform' is")
    metric = final.effective_metric_
    if metric not in ("euclidean", "sqeuclidean"):
        raise ModelError(f"{name} with the metric {metric!r} is not supported: 'euclidean' is (p=2)")
    if not isinstance(final._fit_X, np.ndarray) or final.outputs_2d_:
        raise ModelError(f"{name} fitted on a sparse matrix or several labels is not supported")
    if len(final._fit_X) > MOST_POINTS:
        raise ModelError(f"{name} has {len(final._fit_X):,} rows, and up to {MOST_POINTS:,} are read with bounds")
    n_classes = len(final.classes_)
    return (Nearest(final._fit_X, np.ravel(final._y), n_classes, int(final.n_neighbors)),)


#: Rows of which the nearest ones are looked for.
MOST_POINTS = 5000


def _neighbours(final: Any) -> Functions:
    return (*nearest(final), Counted(len(final.classes_)))


def _boosted(final: Any) -> Functions:
    """Trees that are added up."""
    if final.init is not None and not (isinstance(final.init, str) and final.init == "zero"):
        raise ModelError("GradientBoostingClassifier that begins with another estimator is not supported")
    if final.loss != "log_loss":
        raise ModelError(f"GradientBoostingClassifier with loss={final.loss!r} is not supported")
    start = final._raw_predict_init(np.zeros((1, final.n_features_in_)))[0]
    trees = [
        tree_of(one.tree_, final.learning_rate * np.eye(len(start))[k] * one.tree_.value[:, 0, :])
        for row in final.estimators_
        for k, one in enumerate(row)
    ]
    return (Trees(trees, start),)


def leaves(final: Any) -> Function:
    """The mean of the shares of classes in the leaves of trees; of two classes the second one's."""
    members = [final] if name_of(final) in TREES else final.estimators_
    found = []
    for one in members:
        table = shares(one.tree_.value) / len(members)
        found.append(tree_of(one.tree_, table[:, 1:] if table.shape[1] == 2 else table))
    return Trees(found)


def votes_of_leaves(final: Any) -> Function:
    """By class, 1 in the leaves of a tree that decide for it."""
    table = shares(final.tree_.value)
    return Trees([tree_of(final.tree_, np.eye(table.shape[1])[table.argmax(axis=1)])])


def tree_of(tree: Any, values: Any) -> Tree:
    """A tree of scikit-learn; ``values``: by node, what each column gets."""
    leaf = tree.children_left < 0
    return Tree(
        np.where(leaf, -1, tree.feature).astype(np.int64),
        np.asarray(tree.threshold, dtype=np.float64),
        np.where(leaf, 0, tree.children_left).astype(np.int64),
        np.where(leaf, 0, tree.children_right).astype(np.int64),
        np.asarray(values, dtype=np.float64),
    )


def _half_of_leaves(final: Any) -> Functions:
    chances = leaves(final)
    return (chances, Affine([[1.0]], [-0.5])) if len(final.classes_) == 2 else (chances,)


def _hist(final: Any) -> Functions:
    if own_columns(final) is not None:
        raise ModelError(f"{type(final).__name__} with categories of its own is not supported inside another estimator")
    return ensemble_sums(hist_ensemble(final, len(final.classes_)))


def _of_a_library(final: Any) -> Functions:
    return ensemble_sums(ensemble(final))


def ensemble_sums(read: Ensemble) -> Functions:
    """Trees that are added up, as boosters keep them."""
    if read.categories or any(tree.sets for tree in read.trees):
        raise ModelError(f"{read.library} with categories of its own is not supported inside another estimator")
    if read.probability != "logistic" or any(tree.zero_is_missing for tree in read.trees):
        raise ModelError(f"this {read.library} model is not supported inside another estimator")
    two = read.n_classes == 2
    trees = Trees(
        [_raw(tree, two=two) for tree in read.trees],
        (read.bias[1:] - read.bias[:1]) if two else read.bias,
        float32=read.float32,
        strict=read.strict,
        zero=ZERO if read.tiny_is_zero else 0.0,
        unit=SINGLE if read.bits < 53 else DOUBLE,
    )
    return (trees,) if read.slope == 1.0 else (trees, Weighted(read.slope))


def _raw(tree: RawTree, *, two: bool) -> Tree:
    score = tree.score[:, 1:] - tree.score[:, :1] if two else tree.score
    leaf = tree.column < 0
    return Tree(tree.column, tree.threshold, np.where(leaf, 0, tree.left), np.where(leaf, 0, tree.right), score)


#: By estimator of scikit-learn that is read with bounds by itself: what it computes before it decides.
BOUNDED: dict[str, Callable[[Any], Functions]] = {
    "MLPClassifier": _network,
    **dict.fromkeys(("SVC", "NuSVC"), _kernels),
    "KNeighborsClassifier": _neighbours,
    "QuadraticDiscriminantAnalysis": _quadratic,
}
NEIGHBOURS = ("KNeighborsClassifier",)
#: Linear models, which are read with bounds behind PolynomialFeatures or as members of others.
LINEAR = (
    *("LogisticRegression", "LogisticRegressionCV", "LinearSVC", "SGDClassifier", "Perceptron", "RidgeClassifier"),
    *("PassiveAggressiveClassifier", "RidgeClassifierCV", "LinearDiscriminantAnalysis"),
)
#: And what else is read with bounds there only.
SUMS: dict[str, Callable[[Any], Functions]] = {
    **BOUNDED,
    **dict.fromkeys(LINEAR, _linear),
    **dict.fromkeys((*TREES, *FORESTS), _half_of_leaves),
    "GaussianNB": _gaussian,
    "GradientBoostingClassifier": _boosted,
    "HistGradientBoostingClassifier": _hist,
}
#: Of these, what `predict_proba` makes of the sums: the logistic function, or softmax.
CHANCES = (
    *("MLPClassifier", "LogisticRegression", "LogisticRegressionCV", "LinearDiscriminantAnalysis", "GaussianNB"),
    *("QuadraticDiscriminantAnalysis", "GradientBoostingClassifier", "HistGradientBoostingClassifier"),
)
