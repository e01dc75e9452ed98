"""The JSON of Treelite: files written by it from models of other libraries, beside its own predictions. Without
Treelite, files that were written by hand are read.
"""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

import symcf
import symcf.fast


def node(u, column, threshold, left, right, operator="<=", default_left=True):
    return {
        "node_id": u,
        "split_feature_id": column,
        "default_left": default_left,
        "node_type": "numerical_test_node",
        "comparison_op": operator,
        "threshold": threshold,
        "left_child": left,
        "right_child": right,
    }


def leaf(u, value):
    return {"node_id": u, "leaf_value": value}


def category(u, column, listed, left, right, *, listed_right):
    return {
        "node_id": u,
        "split_feature_id": column,
        "default_left": False,
        "node_type": "categorical_test_node",
        "category_list_right_child": listed_right,
        "category_list": listed,
        "left_child": left,
        "right_child": right,
    }


def content(**others):
    first = [node(0, 0, 1.5, 1, 2), leaf(1, -1.0), node(2, 1, 0.25, 3, 4, ">", False), leaf(3, 2.0), leaf(4, 0.5)]
    second = [
        category(0, 2, [1, 3], 1, 2, listed_right=True),
        leaf(1, 0.25),
        category(2, 2, [3], 3, 4, listed_right=False),
        leaf(3, -2.0),
        node(4, 0, 1.5, 5, 6, "<"),
        leaf(5, 1.0),
        leaf(6, -0.5),
    ]
    return {
        "threshold_type": "float64",
        "leaf_output_type": "float64",
        "num_feature": 3,
        "task_type": "kBinaryClf",
        "average_tree_output": False,
        "num_target": 1,
        "num_class": [1],
        "class_id": [0, 0],
        "postprocessor": "sigmoid",
        "sigmoid_alpha": 2.0,
        "base_scores": [-0.25],
        "trees": [{"nodes": first}, {"nodes": second}],
        **others,
    }


def slow_sum(model, row):
    """The margin, by the definition of the nodes."""
    total = sum(model["base_scores"])
    for tree in model["trees"]:
        by_id = {one["node_id"]: one for one in tree["nodes"]}
        one = by_id[0]
        while "leaf_value" not in one:
            x = row[one["split_feature_id"]]
            if math.isnan(x):
                left = one["default_left"]
            elif one["node_type"] == "categorical_test_node":
                left = (x in one["category_list"]) != one["category_list_right_child"]
            else:
                t = one["threshold"]
                left = {"<": x < t, "<=": x <= t, ">": x > t, ">=": x >= t}[one["comparison_op"]]
            one = by_id[one["left_child" if left else "right_child"]]
        total += one["leaf_value"]
    return total


@pytest.mark.parametrize("operators", [("<=", ">", "<"), ("<", ">=", "<"), (">", ">", ">="), ("<=", "<=", "<=")])
def test_files_written_by_hand(tmp_path, operators):
    model = content()
    model["trees"][0]["nodes"][0]["comparison_op"] = operators[0]
    model["trees"][0]["nodes"][2]["comparison_op"] = operators[1]
    model["trees"][1]["nodes"][4]["comparison_op"] = operators[2]
    path = tmp_path / "m.json"
    path.write_text(json.dumps(model))
    compiled = symcf.compile(path)
    numbers = [1.0, 1.5, math.nextafter(1.5, 9), math.nextafter(1.5, 0), math.nan]
    others = [0.0, 0.25, math.nextafter(0.25, 9), math.nan]
    rows = list(itertools.product(numbers, others, [0.0, 1.0, 2.0, 3.0, 4.0, math.nan]))
    sums = [slow_sum(model, row) for row in rows]
    assert compiled.decision_function(rows).tolist() == sums
    assert np.allclose(compiled.predict_proba(rows)[:, 1], 1 / (1 + np.exp(-2 * np.array(sums))))
    known = [row for row in rows if not any(map(math.isnan, row))]
    for row in known:
        decided = slow_sum(model, row) > 0
        flips = {
            frozenset(j for j in range(3) if row[j] != other[j])
            for other in known
            if (slow_sum(model, other) > 0) != decided
        }
        least = {one for one in flips if not any(two < one for two in flips)}
        assert {frozenset(cf.features) for cf in compiled.explain(row)} == least


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            lambda m: m.update(task_type="kLearningToRank"),
            "task kLearningToRank with the postprocessor 'sigmoid' is not",
        ),
        (lambda m: m.update(num_target=2), "it has 2 targets|has 2 targets"),
        (lambda m: m.update(num_class=[4]), "has 4 classes"),
        (lambda m: m.update(num_class=[2**40]), "classes, and at most"),
        (lambda m: m.update(num_feature=2**40), "columns, and at most"),
        (lambda m: m.update(num_feature=1), "its trees test column 2"),
        (lambda m: m.update(base_scores=[math.inf]), "base_scores are"),
        (lambda m: m.update(class_id=[0]), "class_id does not fit"),
        (lambda m: m.update(average_tree_output=True), "average their trees"),
        (lambda m: m.update(trees=[]), "class_id does not fit"),
        (lambda m: m["trees"][0]["nodes"][0].update(left_child=77), "77 is missing"),
        (lambda m: m["trees"][0]["nodes"][0].update(left_child=0), "0 cannot be a child"),
        (lambda m: m["trees"][0]["nodes"][0].update(comparison_op="!="), "'!=' is missing"),
        (lambda m: m["trees"][0]["nodes"][0].update(threshold=math.nan), "the threshold of node 0 is nan"),
        (lambda m: m["trees"][0]["nodes"][0].update(node_type="x"), "nodes of type 'x'"),
        (lambda m: m["trees"][0]["nodes"][1].update(leaf_value=[1, 2]), "a leaf has 2 values"),
        (lambda m: m["trees"][1]["nodes"][0].update(category_list=[-1]), "it has -1 categories"),
        (lambda m: m["trees"][0].update(nodes=[]), "not numbered from the root"),
    ],
)
def test_damaged_files(tmp_path, change, problem):
    model = content()
    change(model)
    path = tmp_path / "m.json"
    path.write_text(json.dumps(model))
    with pytest.raises(symcf.ModelError, match=problem):
        symcf.compile(path)


def converted(treelite, name):
    from sklearn import ensemble

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)).round(1)
    score = X[:, 0] + X[:, 1] * (X[:, 2] > 0)
    y, several = (score > 0).astype(int), np.digitize(score, [-0.7, 0.7])
    if name == "xgboost":
        xgboost = pytest.importorskip("xgboost")
        fitted = xgboost.XGBClassifier(n_estimators=6, max_depth=3).fit(X, several)
        return treelite.frontend.from_xgboost(fitted.get_booster()), X
    if name == "lightgbm":
        lightgbm = pytest.importorskip("lightgbm")
        X[:, 3] = rng.integers(0, 6, 300)
        y ^= np.isin(X[:, 3], (2, 4))
        options = {"n_estimators": 8, "num_leaves": 6, "verbose": -1, "min_child_samples": 5, "max_cat_to_onehot": 1}
        fitted = lightgbm.LGBMClassifier(**options).fit(X, y, categorical_feature=[3])
        return treelite.frontend.from_lightgbm(fitted.booster_), X
    kinds = {
        "forest": ensemble.RandomForestClassifier(7, max_depth=4, random_state=0),
        "gradient": ensemble.GradientBoostingClassifier(n_estimators=6, random_state=0),
    }
    return treelite.sklearn.import_model(kinds[name].fit(X, several)), X


@pytest.mark.parametrize("name", ["xgboost", "lightgbm", "forest", "gradient"])
def test_files_of_treelite(tmp_path, name):
    treelite = pytest.importorskip("treelite")
    model, X = converted(treelite, name)
    text = model.dump_as_json()
    path = tmp_path / "m.json"
    path.write_text(text)
    compiled = symcf.compile(path)
    kind = np.dtype(json.loads(text)["threshold_type"])
    rng = np.random.default_rng(1)
    beside = np.nextafter(X.astype(kind), rng.choice([-9, 9], X.shape).astype(kind))
    beside[:, 3] = X[:, 3]
    rows = np.concatenate([X.astype(kind), beside]).astype(kind)
    if name != "forest":
        rows[::9, 1] = np.nan

    def decided(table):
        numbers = treelite.gtil.predict(model, np.ascontiguousarray(table, dtype=kind)).reshape(len(table), -1)
        return (numbers[:, 0] > 0.5).astype(int) if numbers.shape[1] == 1 else numbers.argmax(axis=1)

    before = decided(rows)
    assert (compiled.predict(rows) == before).all()
    found = symcf.fast.explain_batch(compiled, rows[:60], k=2).to_frame(k=2)
    assert len(found) > 60
    assert (decided(found.to_numpy(dtype=np.float64)) != before[found.index.get_level_values(0)]).all()
