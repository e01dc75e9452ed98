"""docs/what_is_read.md is what the code says, and each estimator of scikit-learn that it names is read."""

import importlib
import pkgutil
import warnings

import numpy as np
import pandas as pd
import pytest
import what_is_read

import symcf
from symcf.errors import ModelError
from symcf.models.sklearn import bounded_sums, convert, lineage, linear_maps, regressors

sklearn = pytest.importorskip("sklearn")

CLASSIFIERS = [name for name in convert.ESTIMATORS if name not in regressors.ESTIMATORS]
NOT_READ = [name for name in convert.INSTEAD if name not in ("IsolationForest", "DummyClassifier")]
#: Options without which an estimator does not fit the rows below, or takes long.
OPTIONS = {
    "RandomForestClassifier": {"n_estimators": 3, "max_depth": 3},
    "ExtraTreesClassifier": {"n_estimators": 3, "max_depth": 3},
    "RandomForestRegressor": {"n_estimators": 3, "max_depth": 3},
    "ExtraTreesRegressor": {"n_estimators": 3, "max_depth": 3},
    "BaggingClassifier": {"n_estimators": 3},
    "BaggingRegressor": {"n_estimators": 3},
    "GradientBoostingClassifier": {"n_estimators": 3},
    "GradientBoostingRegressor": {"n_estimators": 3},
    "HistGradientBoostingClassifier": {"max_iter": 3},
    "HistGradientBoostingRegressor": {"max_iter": 3},
    "AdaBoostClassifier": {"n_estimators": 3},
}


def class_of(name):
    """A class of scikit-learn, wherever it lives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        importlib.import_module("sklearn.experimental.enable_halving_search_cv")
        importlib.import_module("sklearn.experimental.enable_iterative_imputer")
        modules = [one.name for one in pkgutil.iter_modules(sklearn.__path__, "sklearn.")]
        for module in ["sklearn.feature_extraction.text", *modules]:
            if not module.rpartition(".")[2].startswith(("_", "externals", "conftest")):
                found = getattr(importlib.import_module(module), name, None)
                if found is not None:
                    return found
    raise AssertionError(f"scikit-learn has no {name}")


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(0, 4, (60, 3)), columns=["a", "b", "c"])
    return table, 2.0 * table["a"] - table["b"] + rng.normal(0, 0.5, 60)


def fitted(name, table, target):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # estimators that do not converge, or will be removed
        return class_of(name)(**OPTIONS.get(name, {})).fit(table, target)


def test_the_page_is_what_the_code_says():
    text = what_is_read.PAGE.read_text(encoding="utf-8")
    assert text == what_is_read.page().rstrip("\n") + "\n", "run: python docs/what_is_read.py --write"


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_are_read(name, rows):
    table, number = rows
    estimator = fitted(name, table, np.where(number > 1, "yes", "no"))
    assert (symcf.compile(estimator, data=table).predict(table) == estimator.predict(table)).all()


@pytest.mark.parametrize("name", bounded_sums.BOUNDED)
def test_classifiers_with_bounds_are_read(name, rows):
    table, number = rows
    estimator = fitted(name, table, np.where(number > 1, "yes", "no"))
    assert (symcf.compile(estimator, data=table).predict(table) == estimator.predict(table)).all()


@pytest.mark.parametrize("name", regressors.ESTIMATORS)
def test_regressors_are_read(name, rows):
    table, number = rows
    estimator = fitted(name, table, number - number.min() + 1)
    assert np.allclose(symcf.compile(estimator, data=table).predict(table), estimator.predict(table))


@pytest.mark.parametrize("name", [*convert.WRAPPERS, *lineage._STEPS, *linear_maps.MAPS, *lineage.INSTEAD])
def test_other_names_are_classes_of_scikit_learn(name):
    class_of(name)


@pytest.mark.parametrize(
    "name", [name for name in convert.INSTEAD if name not in ("IsolationForest", "DummyClassifier")]
)
def test_what_is_not_read_says_so(name, rows):
    table, number = rows
    found = class_of(name)
    several = name in ("MultiOutputClassifier", "ClassifierChain")
    target = np.column_stack([number > 1, number > 2]).astype(int) if several else (number > 1).astype(int)
    tree = class_of("DecisionTreeClassifier")(max_depth=2)
    inner = {"OutputCodeClassifier": (tree,)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = found(*((tree,) if several else inner.get(name, ())))
        estimator.fit(table, target)
    with pytest.raises(ModelError, match=f"{name} is not supported"):
        symcf.compile(estimator, data=table)
