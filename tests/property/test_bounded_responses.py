"""Estimators that take what `decision_function` of another one gives, which is not always what its `predict` compares:
where bounds are sure of a box, the estimator decides so for random rows of it.
"""

from itertools import combinations

import bounded_zoo as zoo
import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.svm import SVC, LinearSVC

import symcf

pytestmark = pytest.mark.long  # a minute


def logistic():
    return LogisticRegression(max_iter=200)


#: By name, estimators whose `decision_function` tells something else than their probabilities or votes, or the same.
INNER = {
    "SVC": SVC,
    "votes": lambda: BaggingClassifier(LinearSVC(), 3, random_state=0),
    "means": lambda: BaggingClassifier(logistic(), 3, random_state=0),
    "boosted": lambda: AdaBoostClassifier(logistic(), n_estimators=3),
    "pairs": lambda: OneVsOneClassifier(LinearSVC()),
    "rest": lambda: OneVsRestClassifier(LinearSVC()),
    "threshold": lambda: FixedThresholdClassifier(logistic(), threshold=0.2),
    "threshold of scores": lambda: FixedThresholdClassifier(LinearSVC(), threshold=0.4),
}
AROUND = {
    "calibrated": lambda inner: CalibratedClassifierCV(inner, cv=2),
    "calibrated, isotonic": lambda inner: CalibratedClassifierCV(inner, cv=2, method="isotonic"),
    "stacked": lambda inner: StackingClassifier(
        [("a", inner), ("b", logistic())], logistic(), cv=2, stack_method="decision_function"
    ),
    "against the rest": OneVsRestClassifier,
    "in pairs": OneVsOneClassifier,
    "cut": lambda inner: FixedThresholdClassifier(inner, threshold=0.3, response_method="decision_function"),
}


@pytest.mark.parametrize("table", ["breast_cancer", "wine"])
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("inner", INNER)
def test_what_bounds_are_sure_of_is_decided_so(inner, around, table):
    of_pairs = around in ("against the rest", "in pairs")
    if table == "wine" and (around == "cut" or (inner.startswith("threshold") and not of_pairs)):
        pytest.skip("for two classes only")
    X, y = zoo.coarse(table, 4, 12, 160)
    estimator = zoo.fitted(AROUND[around](INNER[inner]()), X, y)
    if around == "cut" and inner in ("pairs", "rest"):
        with pytest.raises(symcf.ModelError, match="is not supported inside this estimator"):
            symcf.compile(estimator, data=X)
        return
    c = symcf.compile(estimator, data=X)
    if not hasattr(c.model, "bounds"):
        return
    rng = np.random.default_rng(3)
    options = [np.arange(len(some)) for some in c.values]
    sure = 0
    for _ in range(30):
        codes = np.array([rng.integers(len(some)) for some in options])
        features = np.sort(rng.choice(4, size=rng.integers(1, 3), replace=False))
        low = np.array([rng.integers(len(options[j])) for j in features])
        high = np.array([min(a + rng.integers(0, 4), len(options[j]) - 1) for j, a in zip(features, low, strict=True)])
        rows = np.array([[c.values[j][codes[j]] for j in range(4)]] * 20, dtype=float)
        for j, a, b in zip(features, low, high, strict=True):
            rows[:, j] = np.array(c.values[j])[rng.integers(a, b + 1, 20)]
        decided = estimator.predict(rows).tolist()
        boxes = c.model.bounds.around(codes, options.__getitem__)
        form = c.model.bounds.scores(boxes, features[None], low[None], high[None])
        for k, label in enumerate(c.classes):
            found = c.model.bounds.sure(form, (k, 1))
            sure += int(found.every[0] or found.none[0])
            assert not found.every[0] or set(decided) == {label}
            assert not found.none[0] or label not in decided
    assert sure


@pytest.mark.parametrize("outer", [None, *AROUND])
@pytest.mark.parametrize("inner", INNER)
def test_scores_that_have_to_be_reached(inner, outer):
    """All sets of up to two columns that bring `decision_function` to a number, beside every row within reach."""
    X, y = zoo.coarse("breast_cancer", 3, 5, 160)
    estimator = zoo.fitted(INNER[inner]() if outer is None else AROUND[outer](INNER[inner]()), X, y)
    if not hasattr(estimator, "decision_function") or (outer == "cut" and inner in ("pairs", "rest")):
        return
    c = symcf.compile(estimator, data=X)
    if not hasattr(c.model, "bounds"):
        return
    scores = estimator.decision_function(X)
    values = [list(some) for some in c.values]
    for share in (0.3, 0.8):
        at = float(np.quantile(scores, share)) + 1e-7
        for i in np.flatnonzero(scores < at - 1e-6)[:3]:
            row = X[i].tolist()
            found = []
            for size in (1, 2):
                for some in combinations(range(3), size):
                    rows = np.array(list(zoo.rows_of(row, values, some)))
                    if (estimator.decision_function(rows) >= at).any():
                        found.append(some)
            asked = c.explain(X[i], target=symcf.at_least(at), of="score", max_changes=2)
            assert asked.status == "complete"
            assert sorted(asked.sets, key=lambda one: (len(one), one)) == zoo.minimal(found)
