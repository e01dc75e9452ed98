"""Estimators around estimators: the decision of the outermost one, or a refusal that says what to do instead."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from deciding import decide
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import symcf


def table(count=400, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": np.round(rng.uniform(18, 80, size=count), 1),
            "job": np.array(rng.choice(["clerk", "nurse", "smith"], size=count), object),
            "rooms": rng.integers(1, 5, size=count),
        }
    )


def answers(frame, names=("deny", "grant"), seed=1):
    rng = np.random.default_rng(seed)
    score = frame["age"] / 15 + 2 * (frame["job"] == "nurse") + frame["rooms"] + 1.5 * rng.normal(size=len(frame))
    return np.array(names)[np.digitize(score, np.quantile(score, np.arange(1, len(names)) / len(names) + 0.1))]


def steps():
    bins = KBinsDiscretizer(7, strategy="uniform")
    return make_column_transformer((bins, ["age"]), (OneHotEncoder(), ["job", "rooms"]))


FRAME, OTHER = table(), table(1000, seed=7)

CORES = {
    "LogisticRegression": LogisticRegression(),
    "LogisticRegression, liblinear": LogisticRegression(solver="liblinear"),
    "SGDClassifier, log_loss": SGDClassifier(loss="log_loss", random_state=0),
    "SGDClassifier, modified_huber": SGDClassifier(loss="modified_huber", random_state=0),
    "BernoulliNB": BernoulliNB(),
    "MultinomialNB": MultinomialNB(),
    "ComplementNB": ComplementNB(),
    "DecisionTree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "RandomForest": RandomForestClassifier(7, random_state=0),
    "RandomForest, whole leaves": RandomForestClassifier(10, bootstrap=False, max_features=1, random_state=0),
    "Bagging": BaggingClassifier(DecisionTreeClassifier(max_depth=4), 5, max_features=0.7, random_state=0),
    "GradientBoosting": GradientBoostingClassifier(n_estimators=8, learning_rate=0.7, random_state=0),
    "GradientBoosting, exponential": GradientBoostingClassifier(
        loss="exponential", n_estimators=8, learning_rate=0.7, random_state=0
    ),
    "AdaBoost": AdaBoostClassifier(n_estimators=3, random_state=0),
}


def assert_same(estimator, rows=(FRAME, OTHER), **options):
    """The same class for every row, and both classes occur."""
    model = symcf.from_sklearn(estimator, **options)
    for part in rows:
        wanted = estimator.predict(part)
        np.testing.assert_array_equal(decide(model, part), wanted)
    assert len(set(wanted)) > 1
    again = symcf.model_from_json(model.to_json())
    np.testing.assert_array_equal(decide(again, rows[0][:40]), estimator.predict(rows[0][:40]))
    return model


# --- searches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "search", [GridSearchCV, RandomizedSearchCV, HalvingGridSearchCV, HalvingRandomSearchCV], ids=lambda c: c.__name__
)
def test_searches(search):
    options = {
        "RandomizedSearchCV": {"n_iter": 2, "random_state": 0},
        "HalvingRandomSearchCV": {"n_candidates": 2, "min_resources": 150, "random_state": 0},
        "HalvingGridSearchCV": {"min_resources": 150},
    }
    options = options.get(search.__name__, {})
    pipeline = make_pipeline(steps(), LogisticRegression())
    grid = {"logisticregression__C": [0.1, 1.0]}
    assert_same(search(pipeline, grid, cv=3, **options).fit(FRAME, answers(FRAME)))
    inside = make_pipeline(
        steps(), search(DecisionTreeClassifier(random_state=0), {"max_depth": [2, 4]}, cv=3, **options)
    )
    assert_same(inside.fit(FRAME, answers(FRAME, names=(3, 1, 2))))


def test_a_search_that_keeps_nothing():
    search = GridSearchCV(BernoulliNB(), {"alpha": [1, 2]}, cv=2, refit=False)
    with pytest.raises(symcf.ModelError, match="GridSearchCV is not fitted"):
        symcf.from_sklearn(search)
    with pytest.raises(symcf.ModelError, match=r"GridSearchCV with refit=False keeps no fitted .* refit=True"):
        symcf.from_sklearn(search.fit([[0, 1], [1, 0]] * 5, [0, 1] * 5))


# --- thresholds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("threshold", "positive"), [("auto", None), (0.15, "deny"), (0.3, None), (0.3, "deny"), (0.7, None)]
)
@pytest.mark.parametrize("name", CORES)
def test_fixed_thresholds(name, threshold, positive):
    pipeline = make_pipeline(steps(), clone(CORES[name]))
    estimator = FixedThresholdClassifier(pipeline, threshold=threshold, pos_label=positive)
    model = assert_same(estimator.fit(FRAME, answers(FRAME)))
    assert model.features == ("age", "job", "rooms")


@pytest.mark.parametrize("positive", [None, 0])
@pytest.mark.parametrize("threshold", [-1.5, 0.5])
def test_thresholds_of_decision_functions(threshold, positive):
    classes = answers(FRAME, names=(0, 1)).astype(int)
    for core in (LinearSVC(random_state=0), LogisticRegression()):
        estimator = FixedThresholdClassifier(
            core, threshold=threshold, pos_label=positive, response_method="decision_function"
        )
        assert_same(make_pipeline(steps(), estimator).fit(FRAME, classes))


def test_tuned_thresholds():
    moved = 0
    for core in (LogisticRegression(), RandomForestClassifier(7, random_state=0), BernoulliNB()):
        for scoring in ("balanced_accuracy", make_scorer(f1_score, pos_label="deny")):
            estimator = TunedThresholdClassifierCV(make_pipeline(steps(), core), scoring=scoring, cv=3, thresholds=25)
            estimator.fit(FRAME, answers(FRAME))
            assert_same(estimator)
            moved += (estimator.estimator_.predict(OTHER) != estimator.predict(OTHER)).any()
    assert moved > 3


def test_a_threshold_that_is_hit_exactly():
    """Thirty-nine of forty whole leaves: 0.1 is not the tenth of a sum of floats, but of scikit-learn's own."""
    rows = np.array(list(itertools.product((0, 1), repeat=6)))
    forest = RandomForestClassifier(10, random_state=0).fit(rows, np.random.default_rng(0).integers(2, size=64))
    shares = np.unique(forest.predict_proba(rows)[:, 1])
    assert ((shares > 0) & (shares < 1)).sum() > 3
    for share in shares[(shares > 0) & (shares < 1)]:
        fixed = FixedThresholdClassifier(FrozenEstimator(forest), threshold=float(share)).fit(rows, rows[:, 0])
        assert_same(fixed, [rows])


def test_a_threshold_that_all_reach():
    fixed = FixedThresholdClassifier(make_pipeline(steps(), LogisticRegression()), threshold=0.0)
    with pytest.raises(symcf.ModelError, match="FixedThresholdClassifier always decides 'grant'"):
        symcf.from_sklearn(fixed.fit(FRAME, answers(FRAME)))
    never = fixed.set_params(threshold=1.5).fit(FRAME, answers(FRAME))
    with pytest.raises(symcf.ModelError, match="FixedThresholdClassifier always decides 'deny'"):
        symcf.from_sklearn(never)


# --- calibration ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
@pytest.mark.parametrize("name", CORES)
def test_one_calibrator(name, method):
    estimator = CalibratedClassifierCV(make_pipeline(steps(), clone(CORES[name])), method=method, ensemble=False, cv=3)
    assert_same(estimator.fit(FRAME, answers(FRAME)))


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("names", [("deny", "grant"), ("a", "b", "c")])
def test_calibrated_single_trees(method, names):
    """What a leaf gives is calibrated, in all folds; so several folds and several classes are exact, too."""
    tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    for estimator in (
        CalibratedClassifierCV(make_pipeline(steps(), tree), method=method, cv=4),
        make_pipeline(steps(), CalibratedClassifierCV(tree, method=method, cv=4)),
        CalibratedClassifierCV(make_pipeline(steps(), tree), method=method, cv=4, ensemble=False),
    ):
        model = assert_same(estimator.fit(FRAME, answers(FRAME, names)))
        given = model.predict_proba(model.encoder.encode(FRAME))
        np.testing.assert_allclose(given, estimator.predict_proba(FRAME), atol=1e-9)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("name", CORES)
def test_calibrated_probabilities(name, method):
    estimator = CalibratedClassifierCV(make_pipeline(steps(), clone(CORES[name])), method=method, ensemble=False, cv=3)
    model = symcf.from_sklearn(estimator.fit(FRAME, answers(FRAME)))
    given = model.predict_proba(model.encoder.encode(FRAME))
    if given is None:
        assert "AdaBoost" in type(CORES[name]).__name__
        return
    np.testing.assert_allclose(given, estimator.predict_proba(FRAME), atol=1e-6)
    again = symcf.model_from_dict(model.to_dict())
    np.testing.assert_array_equal(again.predict_proba(model.encoder.encode(FRAME)), given)


def test_a_temperature_leaves_no_probabilities_of_the_inner_estimator():
    """They would be those before the temperature."""
    estimator = CalibratedClassifierCV(
        make_pipeline(steps(), LogisticRegression()), method="temperature", ensemble=False
    )
    model = symcf.from_sklearn(estimator.fit(FRAME, answers(FRAME)))
    assert model.predict_proba(model.encoder.encode(FRAME)) is None
    with pytest.raises(symcf.OptionError, match="how this classifier is calibrated is not known"):
        symcf.compile(model).explain(FRAME.iloc[0], target="grant", min_probability=0.8)


def test_one_temperature_for_many_classes():
    for core in (LogisticRegression(), RandomForestClassifier(5, random_state=0)):
        estimator = CalibratedClassifierCV(core, method="temperature", ensemble=False, cv=3)
        assert_same(make_pipeline(steps(), estimator).fit(FRAME, answers(FRAME, ("c", "a", "b"))))


def test_thresholds_on_calibrated_probabilities():
    for core in (LogisticRegression(), RandomForestClassifier(5, random_state=0), BernoulliNB()):
        calibrated = CalibratedClassifierCV(make_pipeline(steps(), core), method="sigmoid", ensemble=False, cv=3)
        for positive in (None, "deny"):
            estimator = FixedThresholdClassifier(calibrated, threshold=0.3, pos_label=positive)
            assert_same(estimator.fit(FRAME, answers(FRAME)))
    trees = CalibratedClassifierCV(make_pipeline(steps(), DecisionTreeClassifier(max_depth=4)), cv=4)
    assert_same(FixedThresholdClassifier(trees, threshold=0.3).fit(FRAME, answers(FRAME)))


def test_calibrations_that_are_no_threshold():
    pipeline = make_pipeline(steps(), LogisticRegression())
    with pytest.raises(symcf.ModelError, match=r"averages 3 calibrated estimators, .* ensemble=False"):
        symcf.from_sklearn(CalibratedClassifierCV(pipeline, cv=3).fit(FRAME, answers(FRAME)))
    with pytest.raises(
        symcf.ModelError, match=r"method='sigmoid' calibrates each of 3 classes .* method='temperature'"
    ):
        symcf.from_sklearn(
            CalibratedClassifierCV(pipeline, cv=3, ensemble=False).fit(FRAME, answers(FRAME, ("a", "b", "c")))
        )
    backwards = CalibratedClassifierCV(FrozenEstimator(pipeline.fit(FRAME, answers(FRAME))))
    backwards.fit(FRAME, np.where(answers(FRAME) == "deny", "grant", "deny"))
    with pytest.raises(symcf.ModelError, match=r"a calibrator that falls as the score rises"):
        symcf.from_sklearn(backwards)


# --- votes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [("deny", "grant"), (True, False), ("a", "b", "c")])
@pytest.mark.parametrize("weights", [None, [2, 1, 1], [0.5, 0.3, 0.2]])
@pytest.mark.parametrize("own", [False, True])
def test_soft_votes(names, weights, own):
    """Trees and forests, each with steps of its own or all behind the same."""
    members = [
        DecisionTreeClassifier(max_depth=4, random_state=0),
        RandomForestClassifier(4, max_depth=5, random_state=0),
        BaggingClassifier(DecisionTreeClassifier(max_depth=5), 3, max_features=2, random_state=0),
    ]
    if own:
        scaled = make_column_transformer((StandardScaler(), ["age", "rooms"]), (OneHotEncoder(), ["job"]))
        logs = make_column_transformer((FunctionTransformer(np.log), ["age"]), (OneHotEncoder(), ["rooms"]))
        members = [make_pipeline(*pair) for pair in zip((steps(), scaled, logs), members, strict=True)]
    voting = VotingClassifier([(f"m{i}", m) for i, m in enumerate(members)], voting="soft", weights=weights)
    voting = voting if own else make_pipeline(steps(), voting)
    voting.fit(FRAME, answers(FRAME, names))
    model = symcf.from_sklearn(voting)
    for rows in (FRAME, OTHER):
        probabilities = np.sort(voting.predict_proba(rows), axis=1)
        clear = probabilities[:, -1] - probabilities[:, -2] > 1e-9
        assert clear.mean() > 0.9
        np.testing.assert_array_equal(decide(model, rows)[clear], voting.predict(rows)[clear])
        given = model.predict_proba(model.encoder.encode(rows))
        np.testing.assert_allclose(given, voting.predict_proba(rows), atol=1e-9)


def test_bagged_trees_of_one_column_each():
    """A leaf tests no column, wherever the column of its tree is."""
    numbers = FRAME[["age", "rooms"]].fillna(0)
    bagging = BaggingClassifier(DecisionTreeClassifier(max_depth=3), 4, max_features=1, random_state=0)
    bagging.fit(numbers, answers(FRAME))
    model = symcf.from_sklearn(bagging)
    np.testing.assert_array_equal(decide(model, numbers), bagging.predict(numbers))


def test_ties_of_soft_votes():
    """A tie of whole leaves is a tie, whatever the number of trees: the first class wins."""
    cube = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    up = RandomForestClassifier(7, bootstrap=False, max_features=None, random_state=0)
    down = RandomForestClassifier(3, bootstrap=False, max_features=None, random_state=0)
    voting = VotingClassifier([("up", up), ("down", down)], voting="soft").fit(cube, cube[:, 0])
    voting.estimators_[1].fit(cube, 1 - cube[:, 0])
    assert (voting.predict_proba(cube) == 0.5).all()
    model = symcf.from_sklearn(voting)
    np.testing.assert_array_equal(decide(model, cube), voting.predict(cube))


@pytest.mark.parametrize("weights", [None, [2, 1, 1]])
def test_hard_votes(weights):
    members = [
        ("a", DecisionTreeClassifier(max_depth=3, random_state=0)),
        ("b", ExtraTreeClassifier(max_depth=4, random_state=1)),
        ("c", make_pipeline(StandardScaler(with_mean=False), DecisionTreeClassifier(max_depth=5, random_state=2))),
    ]
    voting = make_pipeline(steps(), VotingClassifier(members, weights=weights))
    assert_same(voting.fit(FRAME, answers(FRAME, (2, 0, 1))))


def test_votes_that_are_no_sum():
    linear, forest = LogisticRegression(), RandomForestClassifier(3)
    for members, voting, message in (
        ([linear, forest], "soft", "voting='soft' and LogisticRegression is not supported: .* explain its members"),
        ([forest, forest], "hard", "voting='hard' and RandomForestClassifier is not supported: .* Use voting='soft'"),
    ):
        named = [(f"m{i}", m) for i, m in enumerate(members)]
        pipeline = make_pipeline(steps(), VotingClassifier(named, voting=voting)).fit(FRAME, answers(FRAME))
        with pytest.raises(symcf.ModelError, match=message):
            symcf.from_sklearn(pipeline)


# --- columns of numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("core", [LogisticRegression(), GaussianNB(), LinearSVC(random_state=0)], ids=str)
def test_numbers_without_bins(core):
    rows, classes = load_breast_cancer(return_X_y=True, as_frame=True)
    rows = rows.iloc[:, :8]
    pipeline = make_pipeline(StandardScaler(), core)
    wrapped = [
        CalibratedClassifierCV(pipeline, method=method, ensemble=False, cv=3) for method in ("sigmoid", "isotonic")
    ]
    threshold = -0.7 if isinstance(core, LinearSVC) else 0.8
    wrapped += [FixedThresholdClassifier(pipeline, threshold=threshold, pos_label=label) for label in (None, 0)]
    wrapped += [make_pipeline(FunctionTransformer(np.negative), GridSearchCV(pipeline, {}, cv=2))]
    near = rows * np.random.default_rng(0).normal(1, 0.05, size=rows.shape)
    for estimator in wrapped:
        estimator.fit(rows, classes)
        c = symcf.compile(symcf.from_sklearn(estimator, data=rows))
        for part in (rows, near):
            np.testing.assert_array_equal(c.predict(part), estimator.predict(part))


# --- to the end -------------------------------------------------------------------------------------------------------


def test_explained():
    """From estimator to explanation: changes that scikit-learn's own wrapper agrees with."""
    estimators = [
        TunedThresholdClassifierCV(make_pipeline(steps(), LogisticRegression()), cv=3),
        CalibratedClassifierCV(make_pipeline(steps(), BernoulliNB()), method="isotonic", ensemble=False, cv=3),
        FixedThresholdClassifier(make_pipeline(steps(), DecisionTreeClassifier(max_depth=4)), threshold=0.8),
    ]
    for estimator in estimators:
        estimator.fit(FRAME, answers(FRAME))
        c = symcf.compile(symcf.from_sklearn(estimator))
        np.testing.assert_array_equal(c.predict(FRAME), estimator.predict(FRAME))
        for i in range(5):
            explanation = c.explain(FRAME.iloc[i])
            assert len(explanation)
            for counterfactual in explanation:
                row = FRAME.iloc[[i]].copy()
                for change in counterfactual.changes:
                    if change.name != "age":
                        row[change.name] = change.new
                if all(change.name != "age" for change in counterfactual.changes):
                    assert estimator.predict(row)[0] != estimator.predict(FRAME.iloc[[i]])[0]
