"""Estimators of any library: `from_model`, and `compile` with a fitted estimator."""

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
    assert c.model == symcf.from_model(tree, X) == symcf.from_sklearn(tree, data=X)
    assert c.predict(X).tolist() == tree.predict(X).tolist()


def test_a_model_is_given_back():
    model = symcf.NaiveBayes.binary(0.5, [0.2], [0.7])
    assert symcf.from_model(model) is model
    with pytest.raises(symcf.OptionError, match=r"^data, feature_names: for estimators only"):
        symcf.from_model(model, [[1]], feature_names=["a"])


def test_data_for_a_diagram_is_refused():
    diagram = symcf.compile(symcf.NaiveBayes.binary(0.5, [0.2], [0.7])).diagram
    with pytest.raises(symcf.OptionError, match="for fitted estimators only; a Diagram has no columns"):
        symcf.compile(diagram, data=[[1]])


@pytest.mark.parametrize("given", [42, None])
def test_anything_else_is_refused(given):
    with pytest.raises(symcf.ModelError, match="takes a fitted"):
        symcf.compile(given)


def test_compile_takes_what_from_model_takes():
    X = np.array([[20.0, 1], [30, 0], [40, 1], [50, 0]])
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0).fit(X, ["no", "no", "yes", "yes"])
    c = symcf.compile(tree, X, feature_names=["age", "member"], ranges={"age": [18, 60]}, groups=None)
    model = symcf.from_model(tree, X, feature_names=["age", "member"], ranges={"age": [18, 60]}, groups=None)
    assert (c.features, c.values) == (model.features, model.values)
    compiled, known = symcf.compile(tree, X, values={1: [0, 1]}), symcf.from_model(tree, X, values={1: [0, 1]})
    assert compiled.model.to_dict() == known.to_dict()
    for options in ({"iterations": 3}, {"classes": ["a", "b"]}):
        with pytest.raises(TypeError, match=next(iter(options))):
            symcf.compile(tree, X, **options)


@pytest.mark.parametrize(("several", "what"), [([], "at least one"), ((42,), "not int"), ([42, None], "not int")])
def test_lists_of_anything_but_models_are_errors(several, what):
    with pytest.raises(symcf.ModelError, match=what):
        symcf.compile(several)


# --- errors say what to do --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("m.cbm", r"save_model\('model.json', format='json'\)"),
        ("m.onnx", r"it does not begin as ONNX files do"),
        ("m.joblib", r"load it yourself \(joblib.load"),
        ("m.PKL", r"load it yourself"),
        ("m.model", r"booster.save_model\('model.json'\)"),
        ("m.dat", r"it is not text, and not UBJ"),
    ],
)
def test_files_that_cannot_be_read_say_what_to_do(tmp_path, name, advice):
    path = tmp_path / name
    path.write_bytes(b"\x80\x04\x95\xff\x00model")
    with pytest.raises(symcf.ModelError, match=advice) as error:
        symcf.from_model(path)
    assert str(path) in str(error.value)
    assert "codec" not in str(error.value)
    assert "Files that can be read: XGBoost's JSON and UBJ, LightGBM's text, CatBoost's JSON" in str(error.value)


def test_misspelt_keywords_get_a_suggestion():
    c = symcf.compile(symcf.NaiveBayes.binary(0.5, [0.2], [0.7]))
    for call in (c.explain, c.why, c.count):
        with pytest.raises(TypeError, match=r"unexpected keyword 'imutable'; did you mean 'immutable'\?"):
            call([1], imutable=[0])
    from sklearn.tree import DecisionTreeClassifier

    with pytest.raises(TypeError, match=r"unexpected keyword 'gruops'; did you mean 'groups'\?"):
        symcf.from_model(DecisionTreeClassifier().fit([[0], [1]], [0, 1]), gruops=None)


@pytest.mark.parametrize(
    ("classes", "given", "message"),
    [
        ([0, 1], "1", r"target: '1' is text, and among the classes there is 1, which is an integer: give 1"),
        (["0", "1"], 1.0, r"target: 1.0 is not one of the classes"),
        ([False, True], "True", r"'True' is text, and among the classes there is True, which is a truth value"),
        (["yes", "no"], "Yes", r"did you mean 'yes'\?"),
    ],
)
def test_a_label_of_another_type_is_not_suggested_as_it_is(classes, given, message):
    model = symcf.NaiveBayes.binary(0.5, [0.2], [0.7], classes=classes)
    with pytest.raises(symcf.OptionError, match=message):
        symcf.compile(model).explain([1], target=given)
