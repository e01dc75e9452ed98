"""Random models of every kind that is read: their decisions, and suggested rows given back to them.

    python tests/drivers/readers_random.py                       5 suggested rows of every kind
    python tests/drivers/readers_random.py --count 5000          at least so many rows of each kind are given back
    python tests/drivers/readers_random.py --kind calibrated     kinds whose name contains the text
    python tests/drivers/readers_random.py --list                their names

A table and a model are drawn, the model is fitted and compiled, and its decisions are compared with the library's own
on rows beside the numbers of the table and between them (where trees cut), one unit of rounding away, with missing
numbers and unknown categories where the library takes them. Then some rows are explained, and what is suggested goes
back to the library. One line per kind: models, rows compared, rows decided otherwise, and of these the ones where the
library's own sums are too close to call; rows that symcf refuses though the library takes them; rows given back, and
those not decided as they should be. Kinds of libraries that are not installed are left out and named.
"""

from __future__ import annotations

import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import random_runs

import symcf
import symcf.fast

warnings.simplefilter("ignore")

Made = tuple[Any, Callable[[pd.DataFrame], Any], Callable[[pd.DataFrame], Any] | None]

#: Rows that are compared, of each model, and explained; seconds for these.
COMPARED, EXPLAINED, SECONDS = 400, 12, 20.0
#: Kinds of which a class is no whole table: what `predict` of them gives is a number.
LABELS = ([0, 1, 2], [-1, 1, 2], ["no", "yes", "maybe"], [1, 2, 3])


@dataclass(frozen=True)
class Drawn:
    """A table, and what there is to predict."""

    rng: np.random.Generator
    rows: pd.DataFrame
    classes: Any
    numbers: Any

    @property
    def seed(self) -> int:
        """For an estimator."""
        return int(self.rng.integers(1000))


@dataclass(frozen=True)
class Kind:
    """What is fitted to a table, of which columns, for classes or numbers."""

    make: Callable[[Drawn], Made]
    table: str = "mixed"
    regressor: bool = False
    most_classes: int = 3
    #: Margins below this are too close to call.
    close: float = 1e-9
    library: str = ""
    options: dict[str, Any] = field(default_factory=dict)


# --- tables -----------------------------------------------------------------------------------------------------------


def drawn(kind: Kind, seed: int) -> Drawn:
    """A table of a kind's form."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(80, 200))
    columns: dict[str, Any] = {}
    if kind.table == "bits":
        for j in range(int(rng.integers(3, 7))):
            columns[f"x{j}"] = rng.integers(0, 2, n)
    else:
        positive = kind.table == "positive"
        least = 5 if kind.table in ("wide", "positive") else 2
        for j in range(int(rng.integers(least, least + 3))):
            scale, digits = float(rng.choice([1.0, 20.0, 300.0])), int(rng.integers(0, 3))
            column = rng.normal(0, scale, n).round(digits) + 0.0
            columns[f"x{j}"] = np.abs(column) + 0.5 if positive else column
        if kind.table in ("mixed", "names"):
            columns["whole"] = rng.integers(18, 60, n).astype(rng.choice(["int64", "int8", "int32"]))
            columns["job"] = rng.choice(["baker", "clerk", "smith", "wright"], n)
            columns["home"] = rng.choice(["own", "rent"], n)
        if kind.table == "mixed":
            columns["member"] = rng.integers(0, 2, n).astype(bool)
    rows = pd.DataFrame(columns)
    number = np.zeros(n)
    for name in rows.columns:
        column = rows[name]
        codes = column.astype("category").cat.codes if column.dtype.kind not in "iufb" else column
        spread = np.asarray(codes, dtype=float)
        spread = (spread - spread.mean()) / (spread.std() or 1.0)
        number = number + rng.normal(0, 1) * spread + 0.3 * rng.normal(0, 1) * spread**2
    number = number + rng.normal(0, 0.3, n)
    n_classes = int(rng.integers(2, kind.most_classes + 1))
    places = np.digitize(number, np.quantile(number, np.arange(1, n_classes) / n_classes))
    labels = np.array(LABELS[int(rng.integers(len(LABELS)))][:n_classes])
    return Drawn(rng, rows, labels[places], number - number.min() + 0.5)


def beside(drawn: Drawn, count: int) -> pd.DataFrame:
    """Rows with the numbers of the table, those half-way between two of them, and those next to either."""
    rng, columns = drawn.rng, {}
    for name in drawn.rows.columns:
        column = drawn.rows[name].to_numpy()
        if column.dtype.kind != "f":
            columns[name] = rng.choice(column, count)
            continue
        known = np.unique(column)
        between = (known[:-1] + known[1:]) / 2
        some = np.concatenate([known, between, between.astype(np.float32).astype(float)])
        cells = rng.choice(some, count)
        way = rng.integers(-1, 2, count)
        next_to = np.where(way == 0, cells, np.nextafter(cells, np.where(way > 0, np.inf, -np.inf)))
        short = cells.astype(np.float32)
        next_short = np.nextafter(short, np.where(way > 0, np.inf, -np.inf).astype(np.float32)).astype(float)
        columns[name] = np.where(rng.random(count) < 0.5, next_to, next_short)
        # numbers next to 0 are of no ordinary size
        columns[name] = np.where(np.abs(columns[name]) < 1e-300, 0.0, columns[name])
        columns[name] = np.where((np.abs(columns[name]) < 1e-37) & (columns[name] != 0), cells, columns[name])
        if known[0] > 0:
            columns[name] = np.maximum(columns[name], known[0])
    return pd.DataFrame(columns).astype(drawn.rows.dtypes)


def variants(rows: pd.DataFrame, rng: np.random.Generator) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows as they are, with missing numbers, and with unknown categories."""
    yield "plain", rows
    numbers = [name for name in rows.columns if rows[name].dtype.kind == "f"]
    names = [name for name in rows.columns if rows[name].dtype.kind not in "iufb"]
    if numbers:
        yield "missing", rows.assign(**{str(rng.choice(numbers)): np.nan})
    if names:
        yield "unknown", rows.assign(**{str(rng.choice(names)): "unheard-of"})


# --- kinds ------------------------------------------------------------------------------------------------------------


def of_scikit_learn(make: Callable[[Drawn], Any], drawn: Drawn, *, regressor: bool = False) -> Made:
    """Fitted as it is."""
    estimator = make(drawn).fit(drawn.rows, drawn.numbers if regressor else drawn.classes)
    margin = None if regressor else partial(_margin_of, estimator)
    return estimator, lambda rows: np.ravel(estimator.predict(rows)), margin


def _margin_of(estimator: Any, rows: pd.DataFrame) -> Any:
    """How far the best class is ahead; 1 where that is not known: then every difference counts."""
    from zoo_models import margins

    try:
        return margins(estimator, rows)
    except AttributeError:
        return np.ones(len(rows))


def encoded(final: Callable[[Drawn], Any], drawn: Drawn) -> Any:
    """Behind encoders and scalers, some of each."""
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, RobustScaler, StandardScaler

    numbers = [name for name in drawn.rows.columns if drawn.rows[name].dtype.kind in "f"]
    names = [name for name in drawn.rows.columns if drawn.rows[name].dtype.kind not in "iufb"]
    scaler = drawn.rng.choice([StandardScaler(), MinMaxScaler(), RobustScaler()])
    encoder = (
        OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        if drawn.rng.random() < 0.6
        else OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    )
    parts = [(scaler, numbers), (encoder, names)]
    return make_pipeline(make_column_transformer(*parts, remainder="passthrough"), final(drawn))


def made_by_name(name: str, options: dict[str, Any]) -> Callable[[Drawn], Any]:
    """An estimator of scikit-learn by the name of its class, with a seed where it takes one."""

    def make(drawn: Drawn) -> Any:
        import inspect

        from sklearn.utils import all_estimators

        found = dict(all_estimators())[name]
        known = inspect.signature(found).parameters
        return found(**options, **({"random_state": drawn.seed} if "random_state" in known else {}))

    return make


#: Options that keep estimators small.
SMALL: dict[str, dict[str, Any]] = {
    name: options
    for names, options in (
        ("RandomForestClassifier ExtraTreesClassifier", {"n_estimators": 6, "max_depth": 5}),
        ("RandomForestRegressor ExtraTreesRegressor", {"n_estimators": 6, "max_depth": 5}),
        ("BaggingClassifier BaggingRegressor AdaBoostClassifier", {"n_estimators": 5}),
        ("GradientBoostingClassifier GradientBoostingRegressor", {"n_estimators": 8}),
        ("HistGradientBoostingClassifier HistGradientBoostingRegressor", {"max_iter": 8}),
        ("DecisionTreeClassifier ExtraTreeClassifier", {"max_depth": 6}),
        ("DecisionTreeRegressor ExtraTreeRegressor", {"max_depth": 6}),
    )
    for name in names.split()
}


def estimators() -> Iterator[tuple[str, Kind]]:
    """Of scikit-learn, exact and with bounds."""
    import bounded_zoo

    from symcf.models.sklearn import convert, regressors

    for name in convert.ESTIMATORS:
        make, regressor = made_by_name(name, SMALL.get(name, {})), name in regressors.ESTIMATORS
        if name in ("BernoulliNB", "CategoricalNB", "MultinomialNB", "ComplementNB"):
            yield name, Kind(partial(of_scikit_learn, make), "bits")
        elif name == "GaussianNB":
            yield name, Kind(partial(of_scikit_learn, make), "numbers")
        elif name == "Lars":  # columns that add up to 1 get coefficients of 1e13
            yield name, Kind(partial(of_scikit_learn, make, regressor=True), "numbers", regressor=True)
        else:
            behind = partial(encoded, make)
            yield name, Kind(partial(of_scikit_learn, behind, regressor=regressor), regressor=regressor)
    for name, zoo in bounded_zoo.ESTIMATORS.items():
        least = 2 if name.endswith("two") else 3
        kind = Kind(partial(_with_numbers_as_classes, lambda _, zoo=zoo: zoo()), "wide", most_classes=least)
        yield f"bounds: {name}", kind
    for name, zoo in bounded_zoo.REGRESSORS.items():
        kind = Kind(partial(of_scikit_learn, lambda _, zoo=zoo: zoo(), regressor=True), "positive", regressor=True)
        yield f"bounds: {name} (numbers)", kind
    for name, size in (("small", (6,)), ("wide", (24,)), ("deep", (8, 8))):
        network = partial(_network, size)
        yield f"bounds: network, {name}", Kind(partial(of_scikit_learn, partial(encoded, network)))


def _network(size: tuple[int, ...], drawn: Drawn) -> Any:
    from sklearn.neural_network import MLPClassifier

    activation = str(drawn.rng.choice(["relu", "tanh", "logistic"]))
    return MLPClassifier(size, activation=activation, max_iter=80, random_state=drawn.seed)


def steps() -> Iterator[tuple[str, Kind]]:
    """Steps before a linear model or a tree."""
    from sklearn.decomposition import PCA, IncrementalPCA, TruncatedSVD
    from sklearn.feature_selection import SelectKBest
    from sklearn.impute import KNNImputer, SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import (
        Binarizer,
        FunctionTransformer,
        KBinsDiscretizer,
        MaxAbsScaler,
        MinMaxScaler,
        PowerTransformer,
        QuantileTransformer,
        RobustScaler,
        StandardScaler,
    )
    from sklearn.tree import DecisionTreeClassifier

    from symcf.models.links import UFUNCS

    def before(step: Callable[[], Any], *, linear: bool) -> Callable[[Drawn], Any]:
        def make(drawn: Drawn) -> Any:
            final = LogisticRegression(max_iter=300) if linear else DecisionTreeClassifier(max_depth=5)
            return make_pipeline(step(), StandardScaler(), final)

        return make

    kinds: dict[str, Callable[[], Any]] = {
        "KBinsDiscretizer": lambda: KBinsDiscretizer(4, encode="onehot-dense", quantile_method="averaged_inverted_cdf"),
        "Binarizer": Binarizer,
        "SimpleImputer": lambda: SimpleImputer(add_indicator=False),
        "KNNImputer": KNNImputer,
        "PowerTransformer": PowerTransformer,
        "QuantileTransformer": lambda: QuantileTransformer(n_quantiles=30),
        "StandardScaler": StandardScaler,
        "MinMaxScaler": lambda: MinMaxScaler(clip=True),
        "MaxAbsScaler": MaxAbsScaler,
        "RobustScaler": RobustScaler,
        "SelectKBest": lambda: SelectKBest(k=2),
    }
    for name, step in kinds.items():
        for linear in (True, False):
            made = before(step, linear=linear)
            after = "linear" if linear else "tree"
            yield f"step: {name}, {after}", Kind(partial(of_scikit_learn, made), "numbers")
    for name, step in {"PCA": PCA, "IncrementalPCA": IncrementalPCA, "TruncatedSVD": TruncatedSVD}.items():
        made = before(partial(step, n_components=2), linear=True)
        yield f"step: {name}, linear", Kind(partial(of_scikit_learn, made), "numbers")
    for name in UFUNCS:
        made = before(lambda name=name: FunctionTransformer(getattr(np, name)), linear=True)
        if name not in ("exp", "exp2", "expm1", "sinh"):  # which overflow here
            yield f"step: {name}, linear", Kind(partial(of_scikit_learn, made), "positive")


def wrappers() -> Iterator[tuple[str, Kind]]:
    """Estimators around others, read exactly."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.ensemble import RandomForestClassifier, VotingClassifier
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV, TunedThresholdClassifierCV
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.tree import DecisionTreeClassifier

    def logistic() -> Any:
        return LogisticRegression(max_iter=300)

    def tree() -> Any:
        return DecisionTreeClassifier(max_depth=4, random_state=0)

    two: dict[str, Callable[[], Any]] = {
        "threshold": lambda: FixedThresholdClassifier(logistic(), threshold=0.37),
        "tuned threshold": lambda: TunedThresholdClassifierCV(logistic(), cv=2, thresholds=8),
        "calibrated, one": lambda: CalibratedClassifierCV(logistic(), ensemble=False, cv=2),
        "calibrated, isotonic": lambda: CalibratedClassifierCV(logistic(), ensemble=False, cv=2, method="isotonic"),
    }
    more: dict[str, Callable[[], Any]] = {
        "calibrated trees": lambda: CalibratedClassifierCV(tree(), cv=2),
        "search": lambda: GridSearchCV(logistic(), {"C": [0.1, 1.0]}, cv=2),
        "against the rest": lambda: OneVsRestClassifier(logistic()),
        "votes of trees": lambda: VotingClassifier([("a", tree()), ("b", tree()), ("c", tree())]),
        "soft votes of forests": lambda: VotingClassifier(
            [("a", tree()), ("b", RandomForestClassifier(4, max_depth=4, random_state=0))], voting="soft"
        ),
    }
    for most, some in ((2, two), (3, more)):
        for name, make in some.items():
            behind = partial(encoded, lambda _, make=make: make())
            yield f"around: {name}", Kind(partial(of_scikit_learn, behind), most_classes=most)
    target = partial(encoded, lambda _: TransformedTargetRegressor(Ridge(), func=np.log1p, inverse_func=np.expm1))
    yield "around: transformed target", Kind(partial(of_scikit_learn, target, regressor=True), regressor=True)


def encoders() -> Iterator[tuple[str, Kind]]:
    """Of category_encoders."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    from symcf.models.sklearn import lineage

    def make(name: str, drawn: Drawn) -> Any:
        import category_encoders

        encoder = getattr(category_encoders, name)(cols=["job", "home"])
        linear = drawn.rng.random() < 0.6
        final = LogisticRegression(max_iter=300) if linear else DecisionTreeClassifier(max_depth=5, random_state=0)
        return make_pipeline(encoder, StandardScaler(), final)

    for name in lineage.CATEGORY_ENCODERS:
        made = partial(_with_numbers_as_classes, partial(make, name))
        yield f"category_encoders: {name}", Kind(made, "names", most_classes=2, library="category_encoders")


def _with_numbers_as_classes(make: Callable[[Drawn], Any], drawn: Drawn) -> Made:
    codes = np.unique(drawn.classes, return_inverse=True)[1]
    return of_scikit_learn(make, Drawn(drawn.rng, drawn.rows, codes, drawn.numbers))


def boosters() -> Iterator[tuple[str, Kind]]:
    """XGBoost, LightGBM and CatBoost: estimators, and the files that they write."""

    def xgboost(name: str, drawn: Drawn, *, categories: bool = False, regressor: bool = False) -> Made:
        import xgboost

        rows = _with_categories(drawn.rows) if categories else drawn.rows
        _, codes = np.unique(drawn.classes, return_inverse=True)
        estimator = getattr(xgboost, name)(
            n_estimators=6, max_depth=3, random_state=drawn.seed, enable_categorical=categories
        )
        estimator.fit(rows, drawn.numbers if regressor else codes)
        same = partial(_like, rows)
        if regressor:
            return estimator, lambda given: estimator.predict(same(given)).astype(float), None
        return (
            estimator,
            lambda given: estimator.predict(same(given)),
            lambda given: _margin(estimator.predict_proba(same(given))),
        )

    def lightgbm(name: str, drawn: Drawn, *, categories: bool = False, regressor: bool = False) -> Made:
        import lightgbm

        rows = _with_categories(drawn.rows) if categories else drawn.rows
        estimator = getattr(lightgbm, name)(n_estimators=6, num_leaves=7, min_child_samples=5, verbose=-1)
        estimator.fit(rows, drawn.numbers if regressor else drawn.classes)
        same = partial(_like, rows)
        margin = None if regressor else lambda given: _margin(estimator.predict_proba(same(given)))
        return estimator, lambda given: estimator.predict(same(given)), margin

    def catboost(name: str, drawn: Drawn, *, categories: bool = False, regressor: bool = False) -> Made:
        import catboost

        names = ["job", "home"] if categories else []
        estimator = getattr(catboost, name)(
            iterations=6, depth=3, verbose=0, allow_writing_files=False, random_seed=drawn.seed, cat_features=names
        )
        estimator.fit(drawn.rows, drawn.numbers if regressor else drawn.classes)
        margin = None if regressor else lambda given: _margin(estimator.predict_proba(given))
        return estimator, lambda given: np.ravel(estimator.predict(given)), margin

    kinds = (
        ("xgboost", xgboost, ("XGBClassifier", "XGBRFClassifier"), ("XGBRegressor", "XGBRFRegressor"), 1e-5),
        ("lightgbm", lightgbm, ("LGBMClassifier",), ("LGBMRegressor",), 1e-9),
        ("catboost", catboost, ("CatBoostClassifier",), ("CatBoostRegressor",), 1e-9),
    )
    for library, make, classifiers, regressors, close in kinds:
        for name in (*classifiers, *regressors):
            number = name in regressors
            made = partial(make, name, regressor=number)
            yield name, Kind(made, "numbers", number, close=close, library=library)
            if library != "xgboost" or not name.startswith("XGBRF"):
                made = partial(make, name, categories=True, regressor=number)
                yield f"{name} with categories", Kind(made, "names", number, close=close, library=library)
        for suffix in {"xgboost": ("json", "ubj"), "lightgbm": ("txt",), "catboost": ("json", "cbm")}[library]:
            made = partial(_file_of, partial(make, classifiers[0]), suffix)
            yield f"file: {library}, {suffix}", Kind(made, "numbers", close=close, library=library)
    for library, make in (
        ("xgboost", partial(xgboost, "XGBClassifier")),
        ("lightgbm", partial(lightgbm, "LGBMClassifier")),
    ):
        yield (
            f"file: treelite of {library}",
            Kind(partial(_treelite, library, make), "numbers", close=1e-5, library=f"treelite {library}"),
        )


def _with_categories(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.astype({"job": "category", "home": "category"})


def _like(rows: pd.DataFrame, given: pd.DataFrame) -> pd.DataFrame:
    """With the types of the rows that the estimator was fitted on."""
    return given.astype(rows.dtypes)


def _margin(chances: Any) -> Any:
    ordered = np.sort(np.asarray(chances), axis=1)
    return ordered[:, -1] - ordered[:, -2]


def _file_of(make: Callable[[Drawn], Made], suffix: str, drawn: Drawn) -> Made:
    """What the library wrote, read without it; classes are codes then."""
    estimator, _, margin = make(drawn)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"m.{suffix}"
        if suffix == "txt":
            estimator.booster_.save_model(str(path))
        elif suffix in ("ubj",) or type(estimator).__module__.startswith("xgboost"):
            estimator.get_booster().save_model(str(path))
        else:
            estimator.save_model(str(path), format=suffix)
        model = symcf.from_model(path)
    labels = np.asarray(model.classes, dtype=object)
    return model, lambda rows: labels[np.argmax(estimator.predict_proba(rows), axis=1)], margin


def _treelite(library: str, make: Callable[[Drawn], Made], drawn: Drawn) -> Made:
    import treelite

    estimator, _, _ = make(drawn)
    booster = estimator.get_booster() if library == "xgboost" else estimator.booster_
    load = treelite.frontend.from_xgboost if library == "xgboost" else treelite.frontend.from_lightgbm
    model = load(booster)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.json"
        path.write_text(model.dump_as_json(pretty_print=False))
        read = symcf.from_model(path)

    def chances(rows: pd.DataFrame) -> Any:
        found = treelite.gtil.predict(model, rows.to_numpy().astype(np.float32 if library == "xgboost" else float))
        found = found.reshape(len(rows), -1)
        return np.column_stack([1 - found, found]) if found.shape[1] == 1 else found

    return read, lambda rows: np.argmax(chances(rows), axis=1), lambda rows: _margin(chances(rows))


def other_libraries() -> Iterator[tuple[str, Kind]]:
    """interpret and statsmodels."""

    def machine(drawn: Drawn, *, regressor: bool) -> Made:
        from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

        found = ExplainableBoostingRegressor if regressor else ExplainableBoostingClassifier
        estimator = found(interactions=2, max_rounds=20, outer_bags=1, n_jobs=1, random_state=drawn.seed)
        estimator.fit(drawn.rows, drawn.numbers if regressor else drawn.classes)
        margin = None if regressor else lambda rows: _margin(estimator.predict_proba(rows))
        return estimator, estimator.predict, margin

    def statistics(name: str, drawn: Drawn) -> Made:
        import statsmodels.api as sm

        rows = sm.add_constant(drawn.rows)
        half = (drawn.numbers > np.median(drawn.numbers)).astype(int)
        if name == "Logit":
            results = sm.GLM(half, rows, family=sm.families.Binomial()).fit()
        elif name == "Poisson":
            results = sm.GLM(np.round(drawn.numbers), rows, family=sm.families.Poisson()).fit()
        else:
            results = getattr(sm, name)(drawn.numbers, rows).fit()
        return results, lambda given: np.asarray(results.predict(sm.add_constant(given, has_constant="add"))), None

    for regressor in (False, True):
        name = f"ExplainableBoosting{'Regressor' if regressor else 'Classifier'}"
        made = partial(machine, regressor=regressor)
        yield name, Kind(made, "names", regressor, most_classes=2, library="interpret")
    for name in ("OLS", "WLS", "GLS", "Logit", "Poisson"):
        yield f"statsmodels: {name}", Kind(partial(statistics, name), "numbers", regressor=True, library="statsmodels")


def kinds() -> Iterator[tuple[str, Kind]]:
    """All of them."""
    for some in (estimators, steps, wrappers, encoders, boosters, other_libraries):
        yield from some()


# --- checks -----------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of the models of a kind."""

    models: int = 0
    compared: int = 0
    different: int = 0
    close: int = 0
    refused: int = 0
    back: int = 0
    unmoved: int = 0
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.models} models, {self.compared:,} rows compared, {self.different} different, {self.close} too "
            f"close to call, {self.refused:,} refused; {self.back:,} given back, {self.unmoved} not reached"
        )


def check(kind: Kind, seed: int, tally: Tally) -> None:
    """One table and one model."""
    given = drawn(kind, seed)
    source, said, margin = kind.make(given)
    c = symcf.compile(source, data=given.rows, **kind.options)
    tally.models += 1
    for name, rows in variants(beside(given, COMPARED), given.rng):
        try:
            wanted = np.asarray(said(rows))
        except Exception:
            if name == "plain":
                raise
            continue  # the library does not take such rows
        try:
            decided = np.asarray(c.predict(rows))
        except symcf.SymcfError:
            tally.refused += len(rows)
            continue
        tally.compared += len(rows)
        different = _differ(decided, wanted, kind)
        close = np.zeros(len(rows), dtype=bool) if margin is None else np.asarray(margin(rows)) < kind.close
        tally.close += int((different & close).sum())
        tally.different += int((different & ~close).sum())
        if (different & ~close).any():
            i = int(np.argmax(different & ~close))
            tally.failures.append(f"seed {seed}, {name}: {rows.iloc[i].to_dict()}: {decided[i]!r}, not {wanted[i]!r}")
    some = given.rows.iloc[given.rng.permutation(len(given.rows))[:EXPLAINED]].reset_index(drop=True)
    asked: dict[str, Any] = {"k": 5, "max_changes": 2, "time_limit": SECONDS}
    own, goals = np.asarray(said(some)), [(asked, None)]
    if kind.regressor:
        low, high = np.quantile(own, [0.3, 0.7]).tolist()
        goals = [({**asked, "target": symcf.at_least(high)}, (high, np.inf)),
                 ({**asked, "target": symcf.at_most(low)}, (-np.inf, low))]  # fmt: skip
    for options, within in goals:
        found = symcf.fast.explain_batch(c, some, **options).to_frame(k=5)
        if not len(found):
            continue
        place = found.index.get_level_values(0).to_numpy()
        new = found[list(given.rows.columns)].reset_index(drop=True)
        answers = np.asarray(said(new))
        if within is None:
            bad = answers == own[place]
        else:
            slack = 1e-6 * max(1.0, float(np.abs(own).max())) if kind.close > 1e-9 else 1e-9
            bad = (answers < within[0] - slack) | (answers > within[1] + slack)
        if margin is not None and bad.any():
            bad &= np.asarray(margin(new)) >= kind.close
        tally.back += len(new)
        tally.unmoved += int(bad.sum())
        if bad.any():
            i = int(np.argmax(bad))
            tally.failures.append(f"seed {seed}: {new.iloc[i].to_dict()} is still {answers[i]!r}")


def _differ(decided: Any, wanted: Any, kind: Kind) -> Any:
    if kind.regressor:
        near = 1e-5 if kind.close > 1e-9 else 1e-9
        return ~np.isclose(decided.astype(float), wanted.astype(float), rtol=near, atol=near, equal_nan=True)
    return decided.astype(str) != wanted.astype(str) if decided.dtype.kind in "OU" else decided != wanted


def main() -> int:
    """One line per kind; 1 if something is wrong."""
    parser = random_runs.parser(__doc__, 5)
    parser.add_argument("--kind", default="", help="only those whose name contains this")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    wrong = 0
    totals = Tally()
    for name, kind in kinds():
        if given.kind not in name:
            continue
        if given.list:
            print(name)
            continue
        absent = [one for one in kind.library.split() if find_spec(one) is None]
        if absent:
            print(f"{name}: {', '.join(absent)} is not installed")
            continue
        tally, started, seed = Tally(), time.monotonic(), given.seed
        while tally.back < given.count and len(tally.failures) < 5 and seed < given.seed + given.count + 20:
            try:
                check(kind, seed, tally)
            except Exception as error:
                what = traceback.format_exc(limit=-3)
                tally.failures.append(f"seed {seed}: {type(error).__name__}: {str(error)[:300]} {what[-700:]}")
            seed += 1
        for one in ("models", "compared", "different", "close", "refused", "back", "unmoved"):
            setattr(totals, one, getattr(totals, one) + getattr(tally, one))
        wrong += len(tally.failures)
        print(f"{name}: {tally}; {time.monotonic() - started:.1f} s", flush=True)
        for failure in tally.failures[:3]:
            print(f"    {failure}", flush=True)
    print(f"all: {totals}; {wrong} failures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
