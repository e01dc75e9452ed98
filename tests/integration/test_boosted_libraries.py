"""XGBoost, LightGBM, CatBoost and scikit-learn's ensembles: decisions as theirs, files, categories, refusals."""

from __future__ import annotations

import functools
import json
import math
import subprocess
import sys
import warnings

import numpy as np
import pytest
from command_line import output

import symcf
from symcf.models.files import files as ubjson

pytest.importorskip("sklearn")
pd = pytest.importorskip("pandas")
import boosted_zoo as zoo  # noqa: E402

NAN = math.nan


@functools.cache
def fitted(library):
    """Small ensembles of a library, each on all tables; the same for all tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(zoo.trained(4, 300, (library,) if library != "sklearn" else ()))


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost", "sklearn"])
def test_decisions_are_those_of_the_library(library):
    if library != "sklearn":
        pytest.importorskip(library)
    seen = 0
    for one in fitted(library):
        if one.library == library:
            result = zoo.compare(one, 400, seed=seen)
            assert result["outside"] == 0, result
            seen += 1
    assert seen >= 12


def probabilities(library):
    return {"xgboost": 1e-5, "lightgbm": 1e-12, "catboost": 1e-12, "sklearn": 1e-12}[library]


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost", "sklearn"])
def test_probabilities_are_those_of_the_library(library):
    if library != "sklearn":
        pytest.importorskip(library)
    compared = 0
    for one in fitted(library):
        model = symcf.from_model(one.estimator, one.given)
        c = symcf.compile(model)
        if one.library != library or not c.has_probabilities:
            continue
        rows = one.table[:50]
        theirs = one.estimator.predict_proba(rows)
        if "threshold" not in one.name:  # CatBoost's probabilities do not know its threshold
            np.testing.assert_allclose(c.predict_proba(rows), theirs, atol=probabilities(library))
        compared += 1
    assert compared >= 8


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost", "sklearn"])
def test_suggested_rows_flip_under_the_librarys_own_predict(library):
    if library != "sklearn":
        pytest.importorskip(library)
    suggested = 0
    for one in fitted(library):
        if one.library != library or one.data == "digits":
            continue
        c = symcf.compile(one.estimator, data=one.given)
        for i in (3, 11):
            row = one.table.iloc[[i]]
            e = c.explain(row, max_changes=2, max_results=10)
            if len(e.sets):
                rows = e.to_frame()[list(one.table.columns)].astype(one.table.dtypes)
                assert (np.ravel(one.estimator.predict(rows)) != np.ravel(one.estimator.predict(row))[0]).all(), one
                suggested += len(rows)
    assert suggested >= 50


def test_thresholds_on_boosted_trees():
    from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier
    from sklearn.model_selection import FixedThresholdClassifier

    table, classes = small()
    table = table.fillna(0.5)
    boosters = [HistGradientBoostingClassifier(max_iter=5), AdaBoostClassifier(n_estimators=5)]
    boosters += [GradientBoostingClassifier(n_estimators=5, loss=loss) for loss in ("log_loss", "exponential")]
    moved = 0
    for booster in boosters:
        scored = {"threshold": 0.1, "response_method": "decision_function"}
        for options in ({"threshold": 0.3}, {"threshold": 0.8, "pos_label": 0}, scored):
            model = FixedThresholdClassifier(booster, **options).fit(table, classes)
            c = symcf.compile(model)
            assert c.predict(table).tolist() == model.predict(table).tolist()
            moved += int((c.predict(table) != model.estimator_.predict(table)).sum())
    assert moved > 50


def small(seed=0, n=300):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    table.loc[rng.random(n) < 0.2, "a"] = NAN
    return table, (table["a"].fillna(0.7) + table["b"] > 0).astype(int).to_numpy()


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Files, the estimators that wrote them, and the table that these were trained on."""
    return list(_written(tmp_path_factory.mktemp("written")))


def _written(tmp_path):
    table, classes = small()
    three = np.digitize(table["b"], [-0.5, 0.5])
    for y, kind in ((classes, "two"), (three, "three")):
        if "xgboost" in zoo.LIBRARIES:
            import xgboost

            model = xgboost.XGBClassifier(n_estimators=5, max_depth=3).fit(table, y)
            for ending in ("json", "ubj"):
                model.save_model(tmp_path / f"{kind}.{ending}")
                yield tmp_path / f"{kind}.{ending}", model, table
        if "lightgbm" in zoo.LIBRARIES:
            import lightgbm

            model = lightgbm.LGBMClassifier(n_estimators=5, verbose=-1).fit(table, y)
            model.booster_.save_model(tmp_path / f"{kind}.txt")
            yield tmp_path / f"{kind}.txt", model, table
        if "catboost" in zoo.LIBRARIES:
            import catboost

            model = catboost.CatBoostClassifier(iterations=5, verbose=0, allow_writing_files=False).fit(table, y)
            model.save_model(tmp_path / f"{kind}.cat.json", format="json")
            yield tmp_path / f"{kind}.cat.json", model, table


def test_files_are_the_objects(written):
    names = []
    for path, estimator, table in written:
        model = symcf.from_model(path)
        assert model == symcf.from_model(estimator)
        assert symcf.compile(model).predict(table).tolist() == np.ravel(estimator.predict(table)).tolist()
        labels = ["no", "yes", "maybe"][: len(model.classes)]
        assert symcf.from_model(str(path), classes=labels).classes == tuple(labels)
        assert symcf.model_from_json(model.to_json()) == model
        names.append(path.name)
    assert len(names) == 2 * len(zoo.LIBRARIES) + 2 * ("xgboost" in zoo.LIBRARIES)


def test_files_are_read_without_the_library(written):
    paths = [str(path) for path, *_ in written]
    code = """
import sys
for name in ("xgboost", "lightgbm", "catboost", "sklearn", "pandas"):
    sys.modules[name] = None
import symcf
for path in sys.argv[1:]:
    c = symcf.compile(path)
    assert len(c.explain([0.3, float("nan")], max_changes=1).sets) <= 2
print(len(sys.argv) - 1)
"""
    done = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, str(len(paths))), done.stderr


def test_the_command_line_reads_them(tmp_path, written):
    (tmp_path / "rows.csv").write_text("a,b\n0.2,0.4\n,-1\n")
    for path, estimator, _ in written[:4]:
        said = output("predict", path, tmp_path / "rows.csv")
        rows = pd.DataFrame({"a": [0.2, NAN], "b": [0.4, -1.0]})
        expected = [str(label) for label in np.ravel(estimator.predict(rows)).tolist()]
        assert [line.split()[1] for line in said.strip().splitlines()[1:]] == expected


def test_damaged_files_raise_model_errors(tmp_path, written):
    rng = np.random.default_rng(0)
    for path, *_ in written:
        content = path.read_bytes()
        for _ in range(40):
            cut = bytearray(content[: int(rng.integers(1, len(content)))] if rng.random() < 0.4 else content)
            for at in rng.integers(len(cut), size=3):
                cut[at] = int(rng.integers(256))
            damaged = tmp_path / path.name
            damaged.write_bytes(bytes(cut))
            try:
                model = symcf.from_model(damaged)
            except symcf.ModelError:
                continue
            symcf.compile(model).predict([[0.1] * len(model.encoder.layout.names)], codes=True)


@pytest.mark.parametrize(
    "content", [b"{", b"{}", b"tree", b"{i\x01aZ}", b"[1]", b"\xff\xfe", b"{i\xff", b"{U\x01a[$d#L" + b"\xff" * 8]
)
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "model"
    path.write_bytes(content)
    with pytest.raises(symcf.ModelError, match="model: "):
        symcf.from_model(path)


def test_ubjson():
    data = b"{i\x01a[$d#U\x02?\x80\0\0\xc0\0\0\0i\x01bSU\x02hii\x01cTi\x01d{$U#i\x01i\x01xU\x07i\x01e[ZFI\xff\xfe]}"
    value = data[:-1].replace(b"U\x07i\x01e", b"\x07i\x01e") + b"}"
    read = ubjson.loads(value)
    assert read["a"].tolist() == [1.0, -2.0]
    assert {k: v for k, v in read.items() if k != "a"} == {"b": "hi", "c": True, "d": {"x": 7}, "e": [None, False, -2]}


# --- what only some libraries have ------------------------------------------------------------------------------------


def test_best_iteration_of_a_booster_and_of_its_file(tmp_path):
    xgboost = pytest.importorskip("xgboost")
    table, classes = small()
    model = xgboost.XGBClassifier(n_estimators=60, early_stopping_rounds=2, learning_rate=0.9)
    model.fit(table[:150], classes[:150], eval_set=[(table[150:], classes[150:])], verbose=0)
    used, built = model.best_iteration + 1, model.get_booster().num_boosted_rounds()
    assert used < built
    model.save_model(tmp_path / "sklearn.json")
    booster = model.get_booster()
    booster.save_model(tmp_path / "booster.json")
    # a Booster uses all trees unless it is told otherwise
    sizes = [
        len(symcf.from_model(m).nodes) for m in (model, tmp_path / "sklearn.json", booster, tmp_path / "booster.json")
    ]
    assert sizes == [used, used, built, built]
    assert len(symcf.from_model(booster, iterations=3).nodes) == 3
    with pytest.raises(symcf.ModelError, match=rf"iterations: this XGBoost model has {built} rounds"):
        symcf.from_model(booster, iterations=built + 1)
    with pytest.raises(symcf.OptionError, match="iterations must be a positive number"):
        symcf.from_model(booster, iterations=0)


def test_monotone_constraints_are_kept():
    table, classes = small()
    if "xgboost" in zoo.LIBRARIES:
        from xgboost import XGBClassifier

        for given in ({"b": 1}, (0, 1), "(0, 1)"):
            assert symcf.from_model(
                XGBClassifier(n_estimators=3, monotone_constraints=given).fit(table, classes)
            ).monotone == (0, 1)
    if "lightgbm" in zoo.LIBRARIES:
        from lightgbm import LGBMClassifier

        model = LGBMClassifier(n_estimators=3, monotone_constraints=[0, -1], verbose=-1).fit(table, classes)
        assert symcf.from_model(model).monotone == (0, -1)
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(max_iter=3, monotonic_cst={"b": 1}).fit(table, classes)
    assert symcf.from_model(model).monotone == (0, 1)
    assert symcf.from_model(HistGradientBoostingClassifier(max_iter=3).fit(table, classes)).monotone is None


def test_columns_that_are_never_missing_in_the_data_have_no_such_value():
    xgboost = pytest.importorskip("xgboost")
    table, classes = small()
    model = xgboost.XGBClassifier(n_estimators=3, max_depth=2).fit(table, classes)
    assert [v[-1] for v in symcf.from_model(model).values] == ["(missing)", "(missing)"]
    known = symcf.from_model(model, table)
    assert known.values[0][-1] == "(missing)"
    assert "(missing)" not in known.values[1]
    with pytest.raises(symcf.InstanceError, match="column 'b': the value is missing"):
        symcf.compile(known).predict([[0.0, NAN]], codes=True)


def test_a_pipeline_may_end_in_any_of_them():
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

    table = zoo.mixed(300, seed=3)
    table = table.assign(job=table["job"].astype(object), town=table["town"].astype(object))
    gain = zoo.outcome(table, 4)
    classes = np.where(gain > np.median(gain), "grant", "deny")
    codes = (classes == "grant").astype(int)
    finals = [(HistGradientBoostingClassifier(max_iter=5), classes)]
    if "xgboost" in zoo.LIBRARIES:
        from xgboost import XGBClassifier

        finals.append((XGBClassifier(n_estimators=5), codes))
    if "lightgbm" in zoo.LIBRARIES:
        from lightgbm import LGBMClassifier

        finals.append((LGBMClassifier(n_estimators=5, verbose=-1), classes))
    if "catboost" in zoo.LIBRARIES:
        from catboost import CatBoostClassifier

        finals.append((CatBoostClassifier(iterations=5, verbose=0, allow_writing_files=False), classes))
    rows = zoo.mixed(300, seed=5)
    rows = rows.assign(job=rows["job"].astype(object), town=rows["town"].astype(object))
    for final, y in finals:
        steps = make_column_transformer(
            (OneHotEncoder(sparse_output=False), ["job"]),
            (OrdinalEncoder(), ["town"]),
            (StandardScaler(), ["age", "income", "score"]),
            ("passthrough", ["rate"]),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pipeline = make_pipeline(steps, final).fit(table, y)
            expected = np.ravel(pipeline.predict(rows))
            c = symcf.compile(pipeline)
        assert set(c.features) == {"age", "income", "score", "rate", "job", "town"}
        assert c.predict(rows).tolist() == expected.tolist()


def test_labels_and_names_are_the_users():
    table, classes = small()
    from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier

    for labels in (["low", "high"], [-3, 7], [False, True]):
        y = np.array(labels)[classes]
        models = [HistGradientBoostingClassifier(max_iter=3).fit(table, y)]
        models.append(GradientBoostingClassifier(n_estimators=3).fit(table.fillna(0), y))
        if "lightgbm" in zoo.LIBRARIES:
            from lightgbm import LGBMClassifier

            models.append(LGBMClassifier(n_estimators=3, verbose=-1).fit(table, y))
        if "catboost" in zoo.LIBRARIES:
            from catboost import CatBoostClassifier

            models.append(CatBoostClassifier(iterations=3, verbose=0, allow_writing_files=False).fit(table, y))
        for model in models:
            c = symcf.compile(model)
            assert c.classes == tuple(sorted(labels)), type(model)
            expected = np.ravel(model.predict(table.fillna(0)))
            got = c.predict(table.fillna(0)[["b", "a"]]).tolist()
            assert got == [
                label if isinstance(labels[0], str) else type(labels[0])(label) for label in expected.tolist()
            ]


def test_lightgbm_writes_other_names(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    table, classes = small()
    table = table.rename(columns={"a": "mean a"})
    model = lightgbm.LGBMClassifier(n_estimators=3, verbose=-1).fit(table, classes)
    assert symcf.from_model(model).features == ("mean_a", "b")
    assert symcf.from_model(model, table).features == ("mean a", "b")
    assert symcf.from_model(model, feature_names=["x", "y"]).features == ("x", "y")


# --- refusals ---------------------------------------------------------------------------------------------------------


def refused(estimator, match, **options):
    with pytest.raises(symcf.ModelError, match=match):
        symcf.from_model(estimator, **options)


@pytest.mark.filterwarnings("ignore:.*booster=gblinear. is deprecated")
def test_xgboost_refusals():
    xgboost = pytest.importorskip("xgboost")
    table, classes = small()
    ranker = xgboost.XGBRanker(n_estimators=2).fit(table, classes, qid=np.zeros(len(table), dtype=int))
    refused(ranker, "XGBRanker is not supported")
    refused(ranker.get_booster(), "'rank:ndcg' is not supported")
    linear = xgboost.XGBClassifier(n_estimators=2, booster="gblinear").fit(table.fillna(0), classes)
    refused(linear, "'gblinear' has no trees")
    refused(xgboost.XGBClassifier(), "XGBClassifier gave no model")
    refused(xgboost.XGBClassifier(n_estimators=2, missing=-1.0).fit(table, classes), r"missing=-1.0")
    many = xgboost.XGBClassifier(n_estimators=2, multi_strategy="multi_output_tree")
    refused(many.fit(table, np.digitize(table["b"], [-0.5, 0.5])), "multi_output_tree")
    names = pd.DataFrame({"a": pd.Categorical(["é", "ü"] * 150), "b": table["b"]})
    model = xgboost.XGBClassifier(n_estimators=2, enable_categorical=True).fit(names, classes)
    refused(model, "rename them in ASCII")


def test_lightgbm_refusals():
    lightgbm = pytest.importorskip("lightgbm")
    table, classes = small()
    ranker = lightgbm.LGBMRanker(n_estimators=2, verbose=-1).fit(table, classes, group=[len(table)])
    refused(ranker, "LGBMRanker is not supported")
    refused(ranker.booster_, "'lambdarank' is not supported")
    root = lightgbm.LGBMRegressor(n_estimators=2, reg_sqrt=True, verbose=-1).fit(table, classes)
    refused(root, "reg_sqrt=True is not supported")
    linear = lightgbm.LGBMClassifier(n_estimators=2, linear_tree=True, verbose=-1).fit(table, classes)
    refused(linear, "linear_tree=True is not supported")
    refused(lightgbm.LGBMClassifier(), "LGBMClassifier gave no model")


def test_catboost_refusals():
    catboost = pytest.importorskip("catboost")
    table, classes = small()
    table = table.assign(k=np.array(["u", "v", "w"], dtype=object)[np.arange(len(table)) % 3])
    silent = {"verbose": 0, "allow_writing_files": False, "iterations": 3}
    unsure = catboost.CatBoostRegressor(**silent, loss_function="RMSEWithUncertainty").fit(table[["b"]], classes)
    refused(unsure, "'RMSEWithUncertainty' is not supported")
    y = (table["k"] == "u").to_numpy() ^ (table["b"].to_numpy() > 1)
    hot = catboost.CatBoostClassifier(**silent, cat_features=["k"], one_hot_max_size=5).fit(table, y)
    refused(hot, "only hashes of the categories of column 'k': give data=")
    assert set(symcf.from_model(hot, table).values[2]) == {"u", "v", "w", "(other)"}
    statistics = catboost.CatBoostClassifier(**silent, cat_features=["k"], one_hot_max_size=1).fit(table, y)
    refused(statistics, "only hashes of the categories of column 'k': give data=")
    refused(catboost.CatBoostClassifier(), "CatBoostClassifier gave no model")


def test_scikit_learn_refusals():
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, GradientBoostingClassifier, IsolationForest
    from sklearn.linear_model import LogisticRegression

    table, classes = small()
    table = table.fillna(0)
    refused(IsolationForest(n_estimators=3).fit(table), "IsolationForest is not supported: it has no classes")
    refused(
        AdaBoostClassifier(LogisticRegression(), n_estimators=3).fit(table, classes), "AdaBoostClassifier is no exact"
    )
    refused(
        BaggingClassifier(LogisticRegression(), n_estimators=3).fit(table, classes), "BaggingClassifier is no exact"
    )
    guess = GradientBoostingClassifier(n_estimators=3, init=LogisticRegression()).fit(table, classes)
    refused(guess, "starts from a LogisticRegression")


def test_wrong_classes_and_columns_are_named(tmp_path):
    from sklearn.ensemble import HistGradientBoostingClassifier

    table, classes = small()
    model = symcf.from_model(HistGradientBoostingClassifier(max_iter=2).fit(table, classes))
    with pytest.raises(symcf.InstanceError):
        symcf.compile(model).predict([["x", 1]], codes=True)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model.to_dict()))
    assert symcf.from_model(path) == model


@pytest.mark.parametrize("since", ["before 3.4", "since 3.4"])
def test_the_weights_of_dart_are_read_wherever_xgboost_writes_them(tmp_path, since):
    xgboost = pytest.importorskip("xgboost")
    rng = np.random.default_rng(0)
    rows, classes = rng.normal(size=(300, 4)), rng.integers(0, 3, 300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # since 3.4 the name dart is deprecated
        model = xgboost.XGBClassifier(n_estimators=4, max_depth=2, booster="dart", rate_drop=0.5, random_state=0)
        model.fit(rows, classes)
    saved = json.loads(bytes(model.get_booster().save_raw("json")))
    booster = saved["learner"]["gradient_booster"]
    trees = dict(booster["gbtree"]["model"] if booster["name"] == "dart" else booster["model"])
    weights = trees.pop("weight_drop", None) or booster["weight_drop"]
    assert min(weights) < 0.9
    saved["learner"]["gradient_booster"] = {
        "before 3.4": {"name": "dart", "gbtree": {"name": "gbtree", "model": trees}, "weight_drop": weights},
        "since 3.4": {"name": "gbtree", "model": {**trees, "weight_drop": weights}},
    }[since]
    (tmp_path / "dart.json").write_text(json.dumps(saved))
    c = symcf.compile(str(tmp_path / "dart.json"))
    assert np.asarray(c.predict(rows)).tolist() == model.predict(rows).tolist()
