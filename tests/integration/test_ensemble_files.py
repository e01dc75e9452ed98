"""Damaged files of XGBoost, LightGBM and CatBoost are refused in words, at once; see also tests/drivers/fuzz.py."""

from __future__ import annotations

import json

import fuzz_readers
import pytest

import symcf


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """By library, a small ensemble of two classes and one of three, as the library wrote them."""
    return {name: of for name, _, of in fuzz_readers.ensembles(tmp_path_factory.mktemp("trained"))}


def refused(content, path):
    path.write_bytes(content)
    with pytest.raises(symcf.ModelError) as caught:
        symcf.from_model(path)
    return str(caught.value)


def changed(content, place, value):
    """The JSON with another value at a place, given as a path of keys."""
    data = json.loads(content)
    node = data
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    return json.dumps(data).encode()


TREE = ("learner", "gradient_booster", "model", "trees", 0)
PARAM = ("learner", "learner_model_param")


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ((*TREE, "left_children"), [1.5, 3, 5, -1, -1, -1, -1], "whole numbers expected, not [1.5, 3.0, 5.0]"),
        ((*TREE, "split_indices"), [float("nan")] * 7, "whole numbers expected, not [nan, nan, nan]"),
        ((*TREE, "split_indices"), [3] * 7, "it has 3 columns, and its trees test column 3"),
        ((*TREE, "default_left"), [0, 1], "the arrays of a tree have different lengths"),
        ((*TREE, "split_conditions"), [[0.5]] * 7, "not a whole XGBoost model"),
        ((*TREE, "split_conditions"), [1e308] * 7, "finite"),
        ((*PARAM, "num_feature"), "0", "it has 0 columns"),
        ((*PARAM, "num_feature"), "4294967296", "it has 4,294,967,296 columns, and at most 1,048,576 are read"),
        ((*PARAM, "num_class"), "4294967296", "it has 4,294,967,296 classes"),
        ((*PARAM, "num_class"), "-1", "it has -1 classes"),
        ((*PARAM, "base_score"), "[5E-1,5E-1]", "base_score has 2 numbers"),
        ((*PARAM, "base_score"), "[2E0]", "base_score [2E0] leaves only one class"),
        ((*PARAM, "base_score"), "1e300", "base_score 1e300 is not a number of 32 bits"),
    ],
)
def test_xgboost(files, tmp_path, place, value, problem):
    if "xgboost" not in files:
        pytest.skip("needs xgboost")
    assert problem in refused(changed(files["xgboost"][0], place, value), tmp_path / "model.json")


def test_xgboost_of_several_classes_with_a_start_that_is_too_large(files, tmp_path):
    if "xgboost" not in files:
        pytest.skip("needs xgboost")
    several = changed(files["xgboost"][1], (*PARAM, "base_score"), "1e300")
    assert "base_score 1e300 is not a number of 32 bits" in refused(several, tmp_path / "model.json")


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("max_feature_idx=2", "max_feature_idx=4294967296", "it has 4,294,967,296 columns"),
        ("tree_sizes=", "tree_sizes=NaN ", "other tree_sizes"),
        ("num_class=3", "num_class=4294967296", "it has 4,294,967,296 classes"),
        ("split_feature=", "split_feature=7", "not a whole LightGBM model"),
    ],
)
def test_lightgbm(files, tmp_path, before, after, problem):
    if "lightgbm" not in files:
        pytest.skip("needs lightgbm")
    text = files["lightgbm"][1].decode()
    assert before in text
    assert problem in refused(text.replace(before, after, 1).encode(), tmp_path / "model.txt")


def test_a_leaf_beside_which_the_others_are_nothing(files, tmp_path):
    if "xgboost" not in files:
        pytest.skip("needs xgboost")
    content = json.loads(files["xgboost"][0])
    tree = content["learner"]["gradient_booster"]["model"]["trees"][1]
    tree["split_conditions"][tree["left_children"].index(-1)] = 1e30
    problem = refused(json.dumps(content).encode(), tmp_path / "model.json")
    assert "a leaf of the XGBoost model has 1e+30" in problem


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        (("features_info", "float_features", 0, "flat_feature_index"), 2**32, "it has 4,294,967,297 columns"),
        (("model_info", "class_params"), {"class_names": [["a"], "b"]}, "class_names are [['a'], 'b']"),
        (("model_info", "binclass_probability_threshold"), 0, "binclass_probability_threshold is 0"),
        (("model_info", "binclass_probability_threshold"), 1.5, "binclass_probability_threshold is 1.5"),
        (("scale_and_bias",), [1, [0, 1, 2, 3]], "not a whole CatBoost model"),
        # CatBoost goes by the number of a split, not by what it says
        (("oblivious_trees", 0, "splits", 0, "border"), -3.5, "is another one"),
        (("oblivious_trees", 0, "splits", 0, "split_index"), 10**30, "is another one"),
        (("oblivious_trees", 0, "splits", 0, "split_index"), -1, "-1 is no place in a list"),
        (("features_info", "float_features", 1, "flat_feature_index"), True, "True is no place in a list"),
        (("features_info", "float_features", 1, "flat_feature_index"), 0, "the same flat_feature_index"),
        (("features_info", "float_features", 1, "feature_index"), 0, "have the same feature_index"),
        (("oblivious_trees",), [], "the CatBoost model has no trees, so all rows have the same answer"),
    ],
)
def test_catboost(files, tmp_path, place, value, problem):
    if "catboost" not in files:
        pytest.skip("needs catboost")
    assert problem in refused(changed(files["catboost"][0], place, value), tmp_path / "model.json")


def test_whole_files_are_read(files, tmp_path):
    assert files
    for name, contents in files.items():
        for content, n_classes in zip(contents, (2, 3, 2), strict=False):  # of CatBoost there are three
            (tmp_path / name).write_bytes(content)
            assert len(symcf.from_model(tmp_path / name).classes) == n_classes
