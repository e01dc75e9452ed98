"""Forms hold what the estimator computes: the numbers of random rows of random boxes lie within the bounds."""

import copy

import bounded_zoo as zoo
import numpy as np
import pytest
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.neural_network._base import ACTIVATIONS
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import symcf
from symcf.models.bounded.forms import Activation, Affine, Form, Monotone, Products
from symcf.models.bounded.functions import Choice, Distances, Shares, Softmax, Total, Tree, Trees, Weighted

NETWORKS = {
    f"network, {name}": lambda name=name: make_pipeline(
        StandardScaler(), MLPClassifier((9, 7), activation=name, max_iter=60, random_state=0)
    )
    for name in ("relu", "tanh", "logistic", "identity")
}


def numbers_of(estimator, rows, n_scores):
    """What `predict` compares, as scikit-learn itself tells it, or counted here from what the members tell; and if it
    is told as leads over the first class.
    """
    *steps, last = [step for _, step in estimator.steps] if hasattr(estimator, "steps") else [estimator]
    counted = COUNTED.get(type(last).__name__)
    if counted is not None:
        for step in steps:
            rows = step.transform(rows)
        return counted(last, rows), False
    if isinstance(last, MLPClassifier):
        logs = np.log(np.maximum(estimator.predict_proba(rows), 1e-300))
        return (logs[:, 1:] - logs[:, :1]), n_scores > 1
    if hasattr(estimator, "decision_function"):
        return estimator.decision_function(rows).reshape(len(rows), -1), False
    return chances_of(estimator, rows), False


def chances_of(estimator, rows):
    """Of two classes, how far the second one's probability is above a half."""
    chances = estimator.predict_proba(rows)
    return chances[:, 1:] - 0.5 if chances.shape[1] == 2 else chances


def first_of_most(votes, *, whole=True):
    """Numbers that order the classes by their votes; of equal ones, whole numbers order them as they come."""
    n = votes.shape[1]
    if n == 2:
        return votes[:, 1:] - votes[:, :1] - (0.5 if whole else 0.0)
    return votes - np.arange(n) / (n + 1) if whole else votes


def votes_of(members, weights, classes, rows):
    """Votes of members, one by one."""
    votes = np.zeros((len(rows), len(classes)))
    for member, weight in zip(members, weights, strict=True):
        for i, label in enumerate(member.predict(rows)):
            votes[i, list(classes).index(label)] += weight
    return votes


def duels(values, n):
    """Votes of pairs of classes, in which positive numbers are for the second one; and the sums of the numbers."""
    votes, sums = np.zeros((2, len(values), n))
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    for p, (i, j) in enumerate(pairs):
        for r, value in enumerate(values[:, p]):
            votes[r, j if value > 0 else i] += 1
            sums[r, i] -= value
            sums[r, j] += value
    return votes, sums / (3 * (np.abs(sums) + 1))


def of_kernels(last, rows):
    if len(last.classes_) == 2:
        return last.decision_function(rows).reshape(-1, 1)
    shown = copy.copy(last)
    shown.decision_function_shape, shown.break_ties = "ovo", False
    votes, sums = duels(-shown.decision_function(rows), len(last.classes_))
    return votes + sums if last.break_ties else first_of_most(votes)


def of_neighbours(last, rows):
    """By the distance to each point; of equal distances, the estimator chooses."""
    votes = last.predict_proba(rows) * last.n_neighbors
    for i, row in enumerate(rows):
        distances = np.sqrt(((last._fit_X - row) ** 2).sum(axis=1))
        order = np.argsort(distances)
        if distances[order[last.n_neighbors]] - distances[order[last.n_neighbors - 1]] > 1e-9:
            votes[i] = np.bincount(last._y[order[: last.n_neighbors]], minlength=len(last.classes_))
    return first_of_most(votes)


def of_voting(last, rows):
    if last.voting == "soft":
        return chances_of(last, rows)
    weights = last._weights_not_none or [1] * len(last.estimators_)
    whole = all(weight == int(weight) for weight in weights)
    return first_of_most(votes_of(last.estimators_, weights, range(len(last.classes_)), rows), whole=whole)


def of_bagging(last, rows):
    if hasattr(last.estimators_[0], "predict_proba"):
        return chances_of(last, rows)
    n = len(last.estimators_)
    return first_of_most(votes_of(last.estimators_, [1] * n, range(len(last.classes_)), rows))


def of_boosting(last, rows):
    weights = last.estimator_weights_ / last.estimator_weights_.sum()
    return first_of_most(votes_of(last.estimators_, weights, last.classes_, rows), whole=False)


def of_threshold(last, rows):
    inner, at = last.estimator_, getattr(last, "best_threshold_", None)
    positive = getattr(last, "pos_label", None)
    sign = -1 if positive is not None and list(last.classes_).index(positive) == 0 else 1
    if hasattr(inner, "predict_proba"):
        at = last.threshold if at is None else at
        return sign * (inner.predict_proba(rows)[:, [1 if sign > 0 else 0]] - at)
    return sign * (sign * inner.decision_function(rows) - (last.threshold if at is None else at)).reshape(-1, 1)


def response(member, rows):
    """What a member for two classes says for the second one, and where it changes its mind."""
    if hasattr(member, "decision_function"):
        return member.decision_function(rows), 0.0
    return member.predict_proba(rows)[:, 1], 0.5


def of_pairs(last, rows):
    told = [response(member, rows) for member in last.estimators_]
    votes, _ = duels(np.stack([one - at for one, at in told], axis=1), len(last.classes_))
    scores = votes + duels(np.stack([one for one, _ in told], axis=1), len(last.classes_))[1]
    return scores[:, 1:] - told[0][1] if len(told) == 1 else scores


def of_rest(last, rows):
    told = [response(member, rows) for member in last.estimators_]
    return np.stack([one - (at if len(told) == 1 else 0) for one, at in told], axis=1)


#: By the name of the last estimator, its scores where `decision_function` tells none or others.
COUNTED = {
    "SVC": of_kernels,
    "KNeighborsClassifier": of_neighbours,
    "VotingClassifier": of_voting,
    "BaggingClassifier": of_bagging,
    "AdaBoostClassifier": of_boosting,
    "FixedThresholdClassifier": of_threshold,
    "TunedThresholdClassifierCV": of_threshold,
    "OneVsOneClassifier": of_pairs,
    "OneVsRestClassifier": of_rest,
}


@pytest.mark.parametrize("name", [*NETWORKS, *zoo.ESTIMATORS])
def test_random_rows_of_random_boxes_lie_within_the_bounds(name):
    rng = np.random.default_rng(7)
    for table in ("breast_cancer", "wine"):
        if name.endswith("two" if table == "wine" else "three"):
            continue
        X, y = zoo.coarse(table, 5, 40, 250)
        estimator = zoo.fitted({**NETWORKS, **zoo.ESTIMATORS}[name](), X, y)
        c = symcf.compile(estimator, data=X)
        options = [np.arange(len(some)) for some in c.values]
        for _ in range(25):
            row = rng.integers(len(X))
            codes = c.codes(X[row : row + 1])[0].astype(np.int64)
            features = np.sort(rng.choice(5, size=rng.integers(1, 4), replace=False))
            ends = np.sort([rng.integers(len(options[j]), size=2) for j in features], axis=1)
            low, high = ends[:, 0], np.minimum(ends[:, 1], ends[:, 0] + rng.integers(0, 40))
            boxes = c.model.bounds.around(codes, options.__getitem__)
            form = c.model.bounds.scores(boxes, features[None], low[None], high[None])
            rows = np.repeat(X[row : row + 1], 60, axis=0)
            for j, a, b in zip(features, low, high, strict=True):
                rows[:, j] = np.array(c.values[j])[rng.integers(a, b + 1, 60)]
            numbers, leads = numbers_of(estimator, rows, form.centre.shape[1])
            least, most = form.low[0], form.high[0]
            if leads:  # of a network, softmax tells only by how much one class leads another
                least, most = least[1:] - most[0], most[1:] - least[0]
            inside = np.abs(numbers) < 30  # beyond that, probabilities round to 0 and 1
            # where nothing is known, the bounds are no numbers
            assert not ((numbers < least - 1e-6) & inside).any()
            assert not ((numbers > most + 1e-6) & inside).any()


EXACT = {
    **{name: NETWORKS[name] for name in ("network, relu", "network, tanh", "network, logistic")},
    **{
        name: zoo.ESTIMATORS[name]
        for name in ("products", "interactions", "cubes", "SVC, two", "soft votes of a network")
    },
    "soft votes, linear": lambda: VotingClassifier(
        [("a", LogisticRegression()), ("b", LogisticRegression(C=0.01))], voting="soft", weights=[2, 1]
    ),
}


@pytest.mark.parametrize("fitted_on", [np.float32, np.float64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", EXACT)
def test_the_floats_of_the_estimator_lie_within_the_bounds_of_single_rows(name, dtype, fitted_on):
    """With all their roundings, whatever the type of the floats: nothing is added for the check."""
    for table in ("breast_cancer", "wine"):
        if table == "wine" and name.endswith("two"):
            continue
        X, y = zoo.coarse(table, 5, 40, 250)
        X = (X / 7).astype(dtype)
        estimator = zoo.fitted(EXACT[name](), X.astype(fitted_on), y)
        c = symcf.compile(estimator, data=X).around(X)
        n = len(X)
        codes, bounds = c.codes(X).astype(np.int64), c.model.bounds
        nothing = np.zeros((1, 0), dtype=np.int64)
        boxes = [bounds.around(row, lambda j: np.zeros(0, dtype=np.int64)) for row in codes]
        forms = [bounds.scores(one, nothing, nothing, nothing) for one in boxes]
        low, high = (np.array([getattr(form, side)[0] for form in forms]) for side in ("low", "high"))
        last = estimator[-1] if hasattr(estimator, "steps") else estimator
        if isinstance(last, MLPClassifier):
            numbers = last_sums(last, estimator[:-1].transform(X))
        else:
            numbers, _ = numbers_of(estimator, X, low.shape[1])
        assert numbers.shape == low.shape == (n, low.shape[1])
        assert (low <= numbers).all()
        assert (numbers <= high).all()


def last_sums(network, rows):
    """What a network computes before its last function, in its own floats."""
    numbers = rows
    for k, (weights, bias) in enumerate(zip(network.coefs_, network.intercepts_, strict=True)):
        numbers = numbers @ weights + bias
        if k + 1 < len(network.coefs_):
            ACTIVATIONS[network.activation](numbers)
    return numbers


#: Of three columns: a row goes left where the first number is at most 0.5, and so on.
TREES = [
    Tree(np.array([0, 1, -1, -1, -1]), np.array([0.5, -1.0, 0, 0, 0]), np.array([1, 2, 0, 0, 0]),
         np.array([4, 3, 0, 0, 0]), np.array([[0, 0], [0, 0], [1.0, -2], [0.25, 1], [-3, 0.5]])),
    Tree(np.array([2, -1, -1]), np.array([0.1, 0, 0]), np.array([1, 0, 0]), np.array([2, 0, 0]),
         np.array([[0, 0], [7.0, 0], [0, -1]])),
]  # fmt: skip


@pytest.mark.parametrize("function", [
    *(Activation(name) for name in ("relu", "tanh", "logistic", "exp", "identity")),
    Monotone(np.cbrt), Softmax(), Distances(np.array([[1.0, 0.0, -2.0], [0.5, 3.0, 0.0]]), -0.7),
    Affine([[1.0, -2.0], [0.5, 0.0], [-3.0, 1.0]], [0.25, -1.0]), Products([[0], [0, 1], [1, 1, 2], []]),
    Total(3), Weighted(-0.7), Choice(1), Trees(TREES, [0.5, -0.5]),
], ids=lambda one: type(one).__name__)  # fmt: skip
def test_points_of_a_form_stay_within_it(function):
    """Points within a form before a function are within the form after it, up to roundings of the check itself."""
    rng = np.random.default_rng(11)
    for size in (1e-9, 1e-3, 0.3, 4.0):
        centre = rng.normal(size=(20, 3)) * 2
        linear, radius = rng.normal(size=(2, 20, 3)) * size, np.abs(rng.normal(size=(20, 3))) * size
        after = function(Form(centre, linear, radius))
        for _ in range(50):
            t, e = rng.uniform(-1, 1, size=(2, 20, 1)), rng.uniform(-1, 1, size=(20, 3)) * radius
            point = Form(centre + (linear * t).sum(axis=0) + e, np.zeros((0, 20, 3)), np.zeros((20, 3)))
            value = function(point).centre
            line = after.centre + (after.linear * t).sum(axis=0)
            assert (np.abs(value - line) <= after.radius + 1e-12 * (1 + np.abs(value))).all()


def test_shares_and_their_bounds():
    rng = np.random.default_rng(12)
    middle, radius = rng.uniform(0, 1, (30, 4)), rng.uniform(0, 0.3, (30, 4))
    form = Shares()(Form(middle, np.zeros((1, 30, 4)), radius))
    for _ in range(50):
        some = np.maximum(middle + rng.uniform(-1, 1, (30, 4)) * radius, 0)
        share = some / some.sum(axis=1, keepdims=True)
        assert (~(share < form.low - 1e-12) & ~(share > form.high + 1e-12)).all()
    assert np.isnan(Shares()(Form(np.zeros((1, 2)), np.zeros((0, 1, 2)), np.zeros((1, 2)))).centre).all()
