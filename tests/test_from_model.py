"""The door for estimators of any library: `from_model`, and `compile` with a fitted estimator."""

import numpy as np
import pytest

import symcf

sklearn = pytest.importorskip("sklearn")


def fitted_tree():
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    return DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")), X


def test_compile_takes_a_fitted_estimator():
    tree, X = fitted_tree()
    c = symcf.compile(tree, data=X)
    assert c.model == symcf.from_model(tree) == symcf.from_sklearn(tree)
    assert [c.classes[k] for k in c.predict(X)] == tree.predict(X).tolist()


def test_a_model_is_given_back():
    model = symcf.NaiveBayes.binary(0.5, [0.2], [0.7])
    assert symcf.from_model(model) is model
    with pytest.raises(symcf.OptionError, match=r"^data, feature_names: for estimators only"):
        symcf.from_model(model, [[1]], feature_names=["a"])


def test_data_for_a_diagram_is_refused():
    diagram = symcf.compile(symcf.NaiveBayes.binary(0.5, [0.2], [0.7])).diagram
    with pytest.raises(symcf.OptionError, match="data, ranges and groups are for fitted estimators"):
        symcf.compile(diagram, data=[[1]])


@pytest.mark.parametrize("given", [42, None, [1, 2]])
def test_anything_else_is_refused(given):
    with pytest.raises(symcf.ModelError, match="takes a fitted"):
        symcf.compile(given)
