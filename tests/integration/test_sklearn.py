"""Estimators of scikit-learn: the same decisions, in named values, or a refusal that says why."""

from __future__ import annotations

import numpy as np
import pytest
from deciding import assert_agrees, decide
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import (
    LogisticRegression,
    Perceptron,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import symcf
from symcf.models.sklearn.dummies import dummy_groups

BINARY = {
    "BernoulliNB": BernoulliNB(),
    "BernoulliNB, binary already": BernoulliNB(binarize=None),
    "BernoulliNB, no prior": BernoulliNB(fit_prior=False),
    "CategoricalNB": CategoricalNB(min_categories=2),
    "MultinomialNB": MultinomialNB(),
    "MultinomialNB, no prior": MultinomialNB(fit_prior=False),
    "ComplementNB": ComplementNB(),
    "ComplementNB, norm": ComplementNB(norm=True),
    "LogisticRegression": LogisticRegression(tol=0.01),
    "LinearSVC": LinearSVC(random_state=0, max_iter=20_000),
    "SGDClassifier": SGDClassifier(random_state=0),
    "SGDClassifier, log_loss": SGDClassifier(loss="log_loss", random_state=0),
    "Perceptron": Perceptron(random_state=0),
    "RidgeClassifier": RidgeClassifier(),
    "DecisionTree": DecisionTreeClassifier(random_state=0),
    "ExtraTree": ExtraTreeClassifier(random_state=0),
    "RandomForest": RandomForestClassifier(9, random_state=0),
    "ExtraTrees": ExtraTreesClassifier(5, random_state=0, max_depth=6),
}


@pytest.fixture(scope="module")
def digits():
    rows, classes = load_digits(return_X_y=True)
    return (rows > 7.5).astype(np.int64), classes


@pytest.mark.parametrize("classes", [2, 10])
@pytest.mark.parametrize("name", BINARY)
def test_digits(digits, name, classes):
    wanted = digits[1] < classes
    rows, labels = digits[0][wanted], digits[1][wanted]
    estimator = clone(BINARY[name]).fit(rows, labels)
    model = symcf.from_sklearn(estimator)
    assert_agrees(estimator, model, rows[:300])
    assert_agrees(estimator, model, np.random.default_rng(0).integers(2, size=(300, 64)))


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_iris])
@pytest.mark.parametrize("name", ["DecisionTree", "ExtraTree", "RandomForest"])
def test_trees_on_numbers(load, name):
    rows, classes = load(return_X_y=True)
    estimator = clone(BINARY[name]).fit(rows, classes)
    model = symcf.from_sklearn(estimator)
    assert_agrees(estimator, model, rows)
    thresholds = np.concatenate([one.tree_.threshold for one in getattr(estimator, "estimators_", [estimator])])
    rng = np.random.default_rng(0)
    # the thresholds themselves and their neighbours, which 32 bits do not tell apart
    near = rng.choice(thresholds, size=(400, rows.shape[1])) * (
        1 + rng.integers(-2, 3, size=(400, rows.shape[1])) * 1e-8
    )
    assert_agrees(estimator, model, near)


def test_a_tree_compares_32_bits():
    """0.1 as a 32-bit float is above the double 0.1, and a tree sees only the former."""
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    model = symcf.from_sklearn(tree)
    step = np.float64(np.spacing(np.float32(0.5)))
    rows = (
        0.5 + np.array([[-1.0], [-0.5], [-1e-17], [0], [1e-17], [0.25], [0.4999], [0.5], [0.5001], [0.75], [1]]) * step
    )
    np.testing.assert_array_equal(decide(model, rows), tree.predict(rows))
    assert set(decide(model, rows)) == {0, 1}


# --- ties, which `assert_agrees` leaves out ---------------------------------------------------------------------------

CUBE = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])


@pytest.mark.parametrize(
    "estimator", [Perceptron(), LogisticRegression(), LinearSVC(), SGDClassifier(), RidgeClassifier()]
)
@pytest.mark.parametrize("classes", [2, 3])
def test_ties_of_sums(estimator, classes):
    """Coefficients that floats add up exactly, so that scikit-learn's ties are ties."""
    fitted = clone(estimator).fit(np.tile(CUBE, (3, 1)), np.arange(24) % classes)
    fitted.coef_ = np.array([[1.0, -1, 0], [-1, 1, 0], [0, 1, -1]])[: 1 if classes == 2 else 3]
    fitted.intercept_ = np.zeros(len(fitted.coef_))
    values = fitted.decision_function(CUBE)
    assert ((values == 0) if classes == 2 else np.diff(np.sort(values, axis=1))[:, -1] == 0).sum() >= 3
    np.testing.assert_array_equal(decide(symcf.from_sklearn(fitted), CUBE), fitted.predict(CUBE))


@pytest.mark.parametrize("name", ["BernoulliNB", "CategoricalNB", "MultinomialNB", "ComplementNB"])
@pytest.mark.parametrize("classes", [2, 3])
def test_ties_of_probabilities(name, classes):
    """Every class saw the same rows: everything is a tie, and the first class wins."""
    estimator = clone(BINARY[name]).fit(np.tile(CUBE, (classes, 1)), np.repeat(np.arange(classes), len(CUBE)))
    np.testing.assert_array_equal(decide(symcf.from_sklearn(estimator), CUBE), estimator.predict(CUBE))
    assert set(estimator.predict(CUBE)) == {0}


@pytest.mark.parametrize("classes", [2, 3])
def test_ties_of_leaves(classes):
    rows, labels = np.tile(CUBE, (classes, 1)), np.repeat(np.arange(classes), len(CUBE))
    labels[0] = classes - 1  # one leaf without a tie
    for name in ("DecisionTree", "RandomForest"):
        estimator = clone(BINARY[name])
        if name == "RandomForest":
            estimator.set_params(bootstrap=False)
        estimator.fit(rows, labels)
        assert (np.ptp(np.sort(estimator.predict_proba(CUBE), axis=1)[:, -2:], axis=1) == 0).sum() >= 3
        np.testing.assert_array_equal(decide(symcf.from_sklearn(estimator), CUBE), estimator.predict(CUBE))


# --- what comes out ---------------------------------------------------------------------------------------------------


def test_probabilities(digits):
    rows, classes = digits[0][:400], digits[1][:400]
    for name in ("BernoulliNB", "CategoricalNB", "MultinomialNB", "ComplementNB", "LogisticRegression",
                 "SGDClassifier, log_loss", "DecisionTree", "RandomForest"):  # fmt: skip
        for labels in (classes, classes % 2):
            estimator = clone(BINARY[name]).fit(rows, labels)
            model = symcf.from_sklearn(estimator)
            given = model.predict_proba(model.encoder.encode(rows))
            np.testing.assert_allclose(given, estimator.predict_proba(rows), atol=1e-7, err_msg=name)
    for name in ("LinearSVC", "Perceptron", "RidgeClassifier"):
        model = symcf.from_sklearn(clone(BINARY[name]).fit(rows, classes % 2))
        assert model.predict_proba(model.encoder.encode(rows)) is None


def test_naive_bayes_where_the_numbers_are_probabilities(digits):
    for name in ("BernoulliNB", "CategoricalNB"):
        assert isinstance(symcf.from_sklearn(clone(BINARY[name]).fit(*digits)), symcf.NaiveBayes)
    for name in ("MultinomialNB", "ComplementNB"):
        assert isinstance(symcf.from_sklearn(clone(BINARY[name]).fit(*digits)), symcf.LinearClassifier)


def test_names():
    rows = [[0, 1], [1, 1], [1, 0], [0, 0]]
    model = symcf.from_sklearn(BernoulliNB().fit(rows, ["no", "yes", "yes", "no"]), feature_names=["a", "b"])
    assert (model.features, model.classes) == (("a", "b"), ("no", "yes"))
    assert model.values == ((0, 1), (0, 1))
    assert model.encoder.encode([{"b": 1, "a": 0}]).tolist() == [[0, 1]]
    model = symcf.from_sklearn(BernoulliNB(binarize=2.5).fit(np.array(rows) * 5, [0, 1, 1, 0]))
    assert (model.features, model.values[0]) == (("x0", "x1"), ("<= 2.5", "> 2.5"))
    assert model.encoder.encode([[2.5, 2.6]]).tolist() == [[0, 1]]


def test_ranges_of_a_tree():
    tree = DecisionTreeClassifier(random_state=0).fit([[20.0, 1], [30, 1], [40, 1]], ["a", "b", "a"])
    model = symcf.from_sklearn(tree, feature_names=["age", "constant"])
    assert model.values == (("<= 25", "25 .. 35", "> 35"), ("any",))
    assert model.ordered == (True, True)


def test_categorical_codes():
    nb = CategoricalNB().fit([[0, 2], [1, 0], [1, 1]], [0, 1, 1])
    model = symcf.from_sklearn(nb)
    assert model.values == ((0, 1), (0, 1, 2))
    with pytest.raises(symcf.InstanceError, match=r"row 0, column 'x1': 3 is not one of 0, 1, 2"):
        model.encoder.encode([[0, 3]])


@pytest.mark.parametrize("name", BINARY)
def test_json(digits, name):
    estimator = clone(BINARY[name]).fit(digits[0][:300], digits[1][:300])
    model = symcf.from_sklearn(estimator)
    again = symcf.model_from_json(model.to_json())
    assert (again.features, again.values, again.ordered) == (model.features, model.values, model.ordered)
    assert again.encoder == model.encoder
    np.testing.assert_array_equal(decide(again, digits[0][:50]), decide(model, digits[0][:50]))


# --- numbers that are not 0 or 1 --------------------------------------------------------------------------------------


def test_numbers_must_be_0_or_1_unless_told():
    rows = [[0, 1], [1, 2], [1, 0], [0, 2]]
    estimator = LogisticRegression().fit(rows, [0, 1, 1, 0])
    with pytest.raises(symcf.InstanceError, match=r"row 1, column 'x1': 2 is not one of 0, 1"):
        symcf.from_sklearn(estimator).encoder.encode(rows)
    model = symcf.from_sklearn(estimator, values={"x1": [0, 1, 2]})
    assert model.values == ((0, 1), (0, 1, 2))
    assert_agrees(estimator, model, np.array(rows))


def test_values_are_checked():
    estimator = LogisticRegression().fit([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(symcf.ModelError, match=r"values: there is no column 'y'"):
        symcf.from_sklearn(estimator, values={"y": [0, 1]})
    with pytest.raises(symcf.ModelError, match=r"column 'x0' needs a list of numbers, not \['a'\]"):
        symcf.from_sklearn(estimator, values={"x0": ["a"]})
    with pytest.raises(symcf.ModelError, match=r"appears twice"):
        symcf.from_sklearn(estimator, values={"x0": [1, 1]})


# --- groups -----------------------------------------------------------------------------------------------------------

DUMMIES = ("colour_red", "colour_rose", "colour_blue", "old")


@pytest.mark.parametrize("name", ["LogisticRegression", "BernoulliNB", "DecisionTree", "RandomForest", "ComplementNB"])
def test_groups(name):
    rng = np.random.default_rng(0)
    rows = np.concatenate([np.eye(3, dtype=int)[rng.integers(3, size=80)], rng.integers(2, size=(80, 1))], axis=1)
    classes = (rows[:, 0] + rows[:, 3] + rng.integers(2, size=80) > 1).astype(int)
    estimator = clone(BINARY[name]).fit(rows, classes)
    for groups in ([DUMMIES[:3]], {"colour": DUMMIES[:3]}, [(0, 1, 2)]):
        model = symcf.from_sklearn(estimator, feature_names=DUMMIES, groups=groups)
        assert model.features == ("colour", "old")
        assert (model.values[0], model.ordered[0]) == (("red", "rose", "blue"), False)
        assert_agrees(estimator, model, rows)
    assert symcf.model_from_json(model.to_json()).encoder == model.encoder


def test_a_group_that_may_be_all_zeros():
    rows = [[0, 0], [0, 1], [1, 0]]
    estimator = LogisticRegression().fit(rows, [0, 1, 1])
    model = symcf.from_sklearn(estimator, groups={"c": [None, 0, 1]})
    assert model.values == (("(none)", "x0", "x1"),)
    assert model.encoder.encode(rows).tolist() == [[0], [2], [1]]
    strict = symcf.from_sklearn(estimator, groups={"c": [0, 1]})
    for bad in ([0, 0], [1, 1], [1, 2]):
        with pytest.raises(symcf.InstanceError, match=r"row 0, columns 'x0', 'x1': .* are not one 1 among 0s"):
            strict.encoder.encode([bad])
    assert strict.encoder.encode([[1, 1], [0, 1]], mark=True).tolist() == [[-1], [1]]


def test_groups_are_checked():
    estimator = LogisticRegression().fit([[0, 1], [1, 0]], [0, 1])
    for groups, message in (
        ([["x0"]], "at least two columns"),
        ([["x0", "x0"]], "'x0' appears twice"),
        ([["x0", "no"]], "there is no column 'no'"),
        ([[None, None, "x0"]], "None appears twice"),
    ):
        with pytest.raises(symcf.ModelError, match=message):
            symcf.from_sklearn(estimator, groups=groups)


# --- refusals ---------------------------------------------------------------------------------------------------------

X, Y = [[0, 1], [1, 0], [1, 1], [0, 0], [0, 1], [1, 0]], [0, 1, 1, 0, 0, 1]


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (BernoulliNB(), r"BernoulliNB is not fitted: call fit first"),
        (BernoulliNB, r"not BernoulliNB: an object, not the class"),
        (42, r"takes a fitted scikit-learn classifier or Pipeline, not int"),
        (GaussianNB().fit(X, Y), r"GaussianNB takes numbers: say where they lie with data= \(rows\) or ranges="),
        (OneVsRestClassifier(LinearSVC()).fit(X, np.eye(2, dtype=int)[Y]), r"several labels here: use symcf"),
        (
            SVC().fit(X, Y),
            r"SVC is no exact sum\. It is read with bounds of its scores: symcf\.compile\(estimator, X\)",
        ),
        (
            GaussianProcessClassifier().fit(X, Y),
            r"GaussianProcessClassifier is not supported: it .*\. Supported .*from_predict",
        ),
        (StandardScaler().fit(X), r"ends in StandardScaler, which is not a classifier"),
        (BernoulliNB().fit(X, [1] * 6), r"BernoulliNB has only the class 1: at least two are needed"),
        (ComplementNB().fit(X, ["a"] * 6), r"ComplementNB has only the class 'a'"),
        (DecisionTreeClassifier().fit(X, [[0, 1]] * 3 + [[1, 0]] * 3), r"DecisionTreeClassifier has several outputs"),
        (RidgeClassifier().fit(X, [[0, 1]] * 3 + [[1, 0]] * 3), r"RidgeClassifier has several outputs"),
    ],
)
def test_refusals(estimator, message):
    with pytest.raises(symcf.ModelError, match=message):
        symcf.from_sklearn(estimator)


def test_a_class_of_ones_own_is_not_taken_for_its_parent():
    class Mine(BernoulliNB):
        def predict(self, rows):
            return 1 - super().predict(rows)

    with pytest.raises(symcf.ModelError, match="Mine is not supported"):
        symcf.from_sklearn(Mine().fit(X, Y))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", [BernoulliNB, MultinomialNB, ComplementNB])
def test_probabilities_of_0(estimator):
    estimator = estimator(alpha=0, force_alpha=True)
    estimator.fit([[0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0]], [0, 1, 1, 0])
    with pytest.raises(symcf.ModelError, match=r"has probabilities of 0, .* fit it with alpha > 0"):
        symcf.from_sklearn(estimator)


def test_a_tree_trained_with_missing_values():
    rng = np.random.default_rng(0)
    rows = rng.random((200, 2))
    classes = rows[:, 0] > 0.3
    rows[rng.random(200) < 0.4, 0] = np.nan
    for estimator in (
        DecisionTreeClassifier(random_state=0),
        RandomForestClassifier(5, random_state=0),
        ExtraTreesClassifier(5, random_state=0),
    ):
        model = symcf.from_sklearn(estimator.fit(rows, classes))
        assert model.values[0][-1] == "(missing)"
        assert_agrees(estimator, model, rows)
        rows[::3, 1] = np.nan
        assert_agrees(estimator, model, rows)
        again = symcf.model_from_json(model.to_json())
        np.testing.assert_array_equal(decide(again, rows), decide(model, rows))
    tree = DecisionTreeClassifier(random_state=0).fit(np.nan_to_num(rows), classes)
    with pytest.raises(symcf.InstanceError, match=r"row 0, column 'x0': the value is missing"):
        symcf.from_sklearn(tree).encoder.encode([[np.nan, 0.1]])
    # scikit-learn takes them all the same; with data that has them, so do we
    model = symcf.from_sklearn(tree, data=rows)
    assert_agrees(tree, model, rows)


def test_feature_names_are_counted():
    with pytest.raises(symcf.ModelError, match="1 names, 2 are needed"):
        symcf.from_sklearn(BernoulliNB().fit(X, Y), feature_names=["a"])


def test_linear_discriminants_and_sparse_coefficients(digits):
    rows, classes = digits[0][:500], digits[1][:500]
    for estimator in (
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        SGDClassifier(penalty="l1", random_state=0),
    ):
        estimator.fit(rows, classes)
        if hasattr(estimator, "sparsify"):
            estimator.sparsify()
        assert_agrees(estimator, symcf.from_sklearn(estimator), rows)


def test_a_tree_from_arrays_with_sets_of_values():
    arrays = [0, -1, -1], [0, 0, 0], [1, -1, -1], [2, -1, -1], [[0, 0], [1, 0], [0, 1]]
    tree = symcf.DecisionTree.from_arrays(*arrays, subset={0: [0, 2]}, values=[["a", "b", "c"]])
    assert tree.rule().trees[0].left_values.tolist() == [1, 0, 1]
    assert symcf.model_from_json(tree.to_json()) == tree
    with pytest.raises(symcf.ModelError, match="the subset of node 0 must list codes between 0 and 2"):
        symcf.DecisionTree.from_arrays(*arrays, subset={0: [3]}, values=[["a", "b", "c"]])
    with pytest.raises(symcf.ModelError, match="the subset of node 0 needs a feature with named values"):
        symcf.DecisionTree.from_arrays(*arrays, subset={0: [0]})


def test_a_leaf_without_weight_has_no_shares():
    table = np.array([[[0.0, 0.0]], [[1.0, 3.0]], [[0.25, 0.75]]])
    assert symcf.models.sklearn.trees.shares(table).tolist() == [[0, 0], [0.25, 0.75], [0.25, 0.75]]


# --- columns of get_dummies


def dummies(names):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    chosen = rng.integers(0, len(names), 200)
    frame = pandas.DataFrame({name: (chosen == i).astype(int) for i, name in enumerate(names)})
    frame["age"] = rng.integers(18, 80, 200)
    return frame, (frame[names[0]] == 1) & (frame["age"] > 40)


def test_columns_of_get_dummies_without_data_bring_a_warning_that_says_what_to_do():
    names = ["job_clerk", "job_baker", "job_student"]
    frame, labels = dummies(names)
    tree = DecisionTreeClassifier(random_state=0).fit(frame, labels)
    match = r"look like one column 'job', .* data= .* groups=\{'job': \['job_clerk', 'job_baker'"
    with pytest.warns(UserWarning, match=match):
        symcf.from_sklearn(tree)
    c = symcf.compile(symcf.from_sklearn(tree, groups={"job": names}))  # a warning is an error here
    assert "job" in c.features
    row = frame[frame["job_baker"] == 1].iloc[0]
    assert all(sum(change.name == "job" for change in cf.changes) <= 1 for cf in c.explain(row))
    for none in ({}, None):
        assert symcf.from_sklearn(tree, groups=none).features == ("job_clerk", "job_baker", "job_student", "age")


def people(count=200, seed=0):
    rng = np.random.default_rng(seed)
    job = rng.choice(["clerk", "baker", "self_employed", "self_made"], size=count)
    return pytest.importorskip("pandas").DataFrame({
        "age": rng.integers(18, 80, size=count), "sex": rng.choice(["female", "male"], size=count), "job": job,
        "is_rich": (rng.random(count) < 0.02).astype(int), "is_ill": (np.arange(count) % 50 == 0).astype(int),
    })  # fmt: skip


@pytest.mark.parametrize("drop_first", [False, True])
@pytest.mark.parametrize(
    "estimator", [LogisticRegression(max_iter=5000), DecisionTreeClassifier(max_depth=4, random_state=0)],
    ids=lambda e: type(e).__name__)  # fmt: skip
def test_columns_of_get_dummies_that_exclude_each_other_in_the_data_are_one_feature(estimator, drop_first):
    """Against the estimator's own predict on the dummies of all people that can be made."""
    pandas = pytest.importorskip("pandas")
    people_ = people()
    people_["is_rich"] *= 1 - people_["is_ill"]  # two rare flags that never coincide, and are no group
    kinds = {"sex": ["female", "male"], "job": ["baker", "clerk", "self_employed", "self_made"]}

    def encoded(frame):
        typed = frame.astype({name: pandas.CategoricalDtype(values) for name, values in kinds.items()})
        return pandas.get_dummies(typed, drop_first=drop_first)

    table = encoded(people_)
    labels = (people_["sex"] == "male") & (people_["job"] != "clerk") | (people_["age"] > 60)
    estimator.fit(table, labels)
    c = symcf.compile(estimator, data=table)
    groups = {name: [f"{name}_{value}" for value in values[drop_first:]] for name, values in kinds.items()}
    if drop_first:
        del groups["sex"]  # one column, 0 or 1
    assert {c.features[j]: list(columns) for j, columns in c.encoder.groups.items()} == groups
    assert set(c.features) - set(groups) == {"age", "is_rich", "is_ill", *(["sex_male"] if drop_first else [])}
    looked = 0
    for i in range(0, 200, 7):
        e = c.explain(table.iloc[[i]])
        old = estimator.predict(table.iloc[[i]])[0]
        for column, values in kinds.items():
            name = "sex_male" if drop_first and column == "sex" else column
            made = encoded(pandas.concat([people_.iloc[[i]].assign(**{column: value}) for value in values]))
            helps = (estimator.predict(made) != old).any()
            assert helps == ((c.features.index(name),) in e.sets)
            looked += helps
        for cf in e:
            row = cf.row
            assert estimator.predict(row)[0] != old
            for columns in groups.values():
                ones = int(row[columns].to_numpy().sum())
                assert ones <= 1 if drop_first else ones == 1
        if e:
            assert "job is one feature of" in str(e)
            assert "job is one feature of" in e._repr_html_()
            assert e.to_dict()["column_groups"] == groups
            assert symcf.Explanation.from_dict(e.to_dict()).column_groups == e.column_groups
    assert looked
    assert "job = job_" in repr(c)
    assert "job_clerk" in c._repr_html_()
    assert not symcf.compile(estimator, data=table, groups=None).encoder.groups
    assert list(symcf.from_model(estimator, table, groups=[groups["job"]]).encoder.groups.values()) == [
        tuple(groups["job"])
    ]


def test_columns_are_grouped_only_if_the_data_is_enough_to_tell():
    pandas = pytest.importorskip("pandas")
    a = np.arange(40) % 4
    flags = {f"x_{i}": a == i for i in range(4)}
    assert dummy_groups(flags) == {"x": list(flags)}
    assert dummy_groups({name: column[:8] for name, column in flags.items()}) == {}  # too few rows
    assert dummy_groups({"x_0": a == 0, "y_1": a != 0}) == {}  # no common prefix
    assert dummy_groups({"x0": a == 0, "x1": a != 0}) == {}
    assert dummy_groups({"x_0": a == 0, "x_1": a >= 0}) == {}  # they coincide
    assert dummy_groups({"x_0": a == 0, "x_1": a == 1}) == {}  # 2.5 expected, none seen
    assert dummy_groups({"x_0": np.tile(a == 0, 2), "x_1": np.tile(a == 1, 2)}) == {"x": [None, "x_0", "x_1"]}
    assert dummy_groups({"x_0": a >= 0, "x_1": a < 0}) == {}  # never 1
    # the prefix of all rather than that of some; two groups below one prefix
    longer = {"a_b_c": a == 0, "a_b_d": a == 1, "a_e": a > 1}
    assert dummy_groups(longer) == {"a": list(longer)}
    two = {"a_b_c": a == 0, "a_b_d": a != 0, "a_e_c": a < 2, "a_e_d": a >= 2}
    assert dummy_groups(two) == {"a_b": ["a_b_c", "a_b_d"], "a_e": ["a_e_c", "a_e_d"]}
    # a column of the same name; other numbers
    frame = pandas.DataFrame({"x": a, **{name: column.astype(float) for name, column in flags.items()}})
    tree = DecisionTreeClassifier(random_state=0).fit(frame, a > 1)
    assert symcf.from_sklearn(tree, data=frame).features == ("x", "x_")
    frame.loc[3, "x_3"] = 2.0
    assert symcf.from_sklearn(tree, data=frame).features == ("x", "x_", "x_3")
    with pytest.raises(symcf.ModelError, match="groups must be 'auto', None or lists of columns, not 'all'"):
        symcf.from_sklearn(tree, data=frame, groups="all")


def test_no_warning_where_rows_or_names_tell_otherwise():
    frame, labels = dummies(["has_car", "has_house"])
    both = frame.copy()
    both.loc[0, ["has_car", "has_house"]] = 1
    symcf.from_sklearn(DecisionTreeClassifier(random_state=0).fit(both, labels), data=both)
    frame, labels = dummies(["pixel_1", "pixel_2"])
    symcf.from_sklearn(DecisionTreeClassifier(random_state=0).fit(frame, labels))
