"""The model: what it accepts, and what its errors say."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import symcf

NAN = float("nan")
FAIR = [[0.5, 0.5], [0.5, 0.5]]


def binary(**changes):
    arguments = {"prior": 0.3, "p1": [0.4, 0.96], "p0": [0.15, 0.1], "features": ["E", "WE"], "classes": ["no", "yes"]}
    return symcf.NaiveBayes.binary(**(arguments | changes))


def general(**changes):
    arguments = {"class_prior": [0.7, 0.3], "tables": [FAIR, FAIR], "features": ["E", "WE"], "classes": ["no", "yes"]}
    return symcf.NaiveBayes(**(arguments | changes))


def test_binary_is_the_general_model_of_two_classes_and_values():
    tables = [[[0.85, 0.15], [0.6, 0.4]], [[0.9, 0.1], [1 - 0.96, 0.96]]]
    assert binary() == general(tables=tables)
    assert binary().n_values == (2, 2)


def test_names_by_default():
    model = symcf.NaiveBayes([0.2, 0.3, 0.5], [[[0.1, 0.2, 0.7]] * 3, [[0.5, 0.5]] * 3])
    assert model.features == ("x0", "x1")
    assert model.classes == (0, 1, 2)
    assert model.values == ((0, 1, 2), (0, 1))
    assert repr(model) == "NaiveBayes(2 features, 3 classes)"


def test_no_features_is_a_model():
    assert symcf.NaiveBayes.binary(0.3, [], []).n_features == 0


def test_the_model_keeps_its_own_numbers():
    prior, table = np.array([0.7, 0.3]), np.array(FAIR)
    model = general(class_prior=prior, tables=[table, FAIR])
    prior[:], table[:] = 0, 0
    assert model.class_prior.tolist() == [0.7, 0.3]
    assert model.tables[0].tolist() == FAIR
    for array in (model.class_prior, model.tables[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_caller_may_still_write_to_the_prior_given():
    prior = np.array([0.7, 0.3])
    general(class_prior=prior)
    prior[0] = 0.5


@pytest.mark.parametrize(
    "change",
    [
        {"prior": 0.4},
        {"p1": [0.4, 0.95]},
        {"features": ["E", "X"]},
        {"classes": ["no", "maybe"]},
        {"values": [["a", "b"], [0, 1]]},
        {"threshold": 0.6},
        {"tie": "negative"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_equality_looks_at_everything(change):
    assert binary() == binary()
    assert hash(binary()) == hash(binary())
    assert binary(**change) != binary()


def test_equality_with_other_things():
    assert binary() != "a model"
    assert symcf.NaiveBayes.binary(0.3, [0.4], [0.2]) != symcf.NaiveBayes.binary(0.3, [0.4] * 2, [0.2] * 2)


def test_pickle_round_trip():
    model = binary(threshold=0.4, tie="negative", values=[["low", "high"], [False, True]])
    assert pickle.loads(pickle.dumps(model)) == model


BAD_BINARY = [
    ({"p1": [0.4]}, ["p1 has 1 features", "p0 has 2"]),
    ({"p1": [0.4, NAN]}, ["'WE'", "'yes'", "NaN"]),
    ({"p0": [0.15, 1.5]}, ["'WE'", "'no'", "1.5"]),
    ({"p0": [-0.25, 0.5]}, ["'E'", "'no'", "-0.25"]),
    ({"p1": [math.inf, 0.5]}, ["'E'", "'yes'", "inf"]),
    ({"p1": "ab"}, ["p1", "numbers"]),
    ({"p1": [0.4, "x"]}, ["p1", "numbers", "x"]),
    ({"p1": [[0.4, 0.5]]}, ["p1", "one-dimensional"]),
    ({"p1": 0.4}, ["p1", "one-dimensional"]),
    ({"p1": [[0.4], [0.1, 0.2]]}, ["p1", "numbers"]),
    ({"prior": NAN}, ["prior", "NaN"]),
    ({"prior": 1.25}, ["prior", "1.25", "'yes'"]),
    ({"prior": -0.25}, ["prior", "-0.25", "'yes'"]),
    ({"prior": "0.3"}, ["prior", "'0.3'"]),
    ({"prior": True}, ["prior", "True"]),
    ({"prior": None}, ["prior", "None"]),
    ({"features": ["E"]}, ["features", "1 names, 2 are needed"]),
    ({"features": ["E", "E"]}, ["features", "'E'", "twice"]),
    ({"features": "EF"}, ["features", "'EF'"]),
    ({"features": ["E", ""]}, ["non-empty", "''"]),
    ({"features": ["E", 7]}, ["strings", "7"]),
    ({"classes": ["yes", "yes"]}, ["classes", "'yes'", "twice"]),
    ({"classes": ["yes"]}, ["classes", "1 names, 2 are needed"]),
    ({"classes": "ny"}, ["classes", "'ny'"]),
    ({"values": [["low", "high"]]}, ["values", "1 features", "2"]),
    ({"values": [["low", "high"], ["low"]]}, ["'WE'", "1 names, 2 are needed"]),
    ({"values": [["low", "low"], [0, 1]]}, ["'E'", "'low'", "twice"]),
    ({"threshold": 0}, ["threshold", "0"]),
    ({"threshold": 1}, ["threshold", "1"]),
    ({"threshold": NAN}, ["threshold", "nan"]),
    ({"threshold": "0.5"}, ["threshold", "'0.5'"]),
    ({"tie": "maybe"}, ["tie", "'maybe'", "'positive'", "'negative'"]),
]


@pytest.mark.parametrize(("change", "words"), BAD_BINARY, ids=[f"{next(iter(c))}={c}" for c, _ in BAD_BINARY])
def test_errors_of_binary_name_the_thing(change, words):
    with pytest.raises(symcf.ModelError) as error:
        binary(**change)
    assert [word for word in words if word not in str(error.value)] == []


BAD_GENERAL = [
    ({"class_prior": [1.0], "classes": None}, ["at least two classes", "1"]),
    ({"class_prior": [0.7, 0.2]}, ["priors", "0.9"]),
    ({"class_prior": [0.7, NAN]}, ["prior", "'yes'", "NaN"]),
    ({"class_prior": [[0.7, 0.3]]}, ["class_prior", "one-dimensional"]),
    ({"tables": [FAIR]}, ["features", "2 names, 1 are needed"]),
    ({"tables": [FAIR, [[0.5, 0.5]]]}, ["'WE'", "(1, 2)", "2 classes"]),
    ({"tables": [FAIR, [0.5, 0.5]]}, ["'WE'", "(2,)"]),
    ({"tables": [FAIR, [[], []]]}, ["'WE'", "(2, 0)"]),
    ({"tables": [[[0.5, 0.5], [1.0]], FAIR]}, ["'E'", "equally long"]),
    ({"tables": [[["a", "b"], ["c", "d"]], FAIR]}, ["'E'", "numbers"]),
    ({"tables": [FAIR, [[0.5, 0.5], [0.5, 0.4]]]}, ["'WE'", "'yes'", "0.9"]),
    ({"tables": [FAIR, [[0.5, NAN], [0.5, 0.5]]]}, ["'WE'", "'no'", "value 1", "NaN"]),
    ({"tables": [FAIR, [[0.5, 0.5], [1.5, -0.5]]]}, ["'WE'", "'yes'", "value 0", "1.5"]),
    ({"class_prior": [0.2, 0.3, 0.5], "classes": "abc"}, ["classes", "'abc'"]),
]


@pytest.mark.parametrize(("change", "words"), BAD_GENERAL, ids=[f"{next(iter(c))}={c}" for c, _ in BAD_GENERAL])
def test_errors_of_tables_name_the_thing(change, words):
    with pytest.raises(symcf.ModelError) as error:
        general(**change)
    assert [word for word in words if word not in str(error.value)] == []


def test_a_threshold_is_for_two_classes():
    with pytest.raises(symcf.ModelError, match="two classes"):
        symcf.NaiveBayes([0.2, 0.3, 0.5], [], threshold=0.4)


def test_rows_typed_with_few_digits_are_accepted():
    general(tables=[FAIR, [[0.3333333, 0.3333333, 0.3333333], [0.2, 0.3, 0.5]]])


def test_a_row_without_a_class_is_found():
    tables = [[[1, 0], [0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [0, 1], [0, 1]]]
    model = symcf.NaiveBayes([0.2, 0.3, 0.5], tables, features=["a", "b"])
    with pytest.raises(symcf.ModelError, match="'a' = 1, 'b' = 0 has probability 0 in every class"):
        symcf.compile(model)
    spared = symcf.NaiveBayes([0.2, 0.3, 0.5], [tables[0], [[0.5, 0.5], [0, 1], [0.5, 0.5]]])
    c = symcf.compile(spared)
    assert c.predict([[0, 0], [0, 1], [1, 0], [1, 1]], codes=True).tolist() == [2, 1, 2, 1]


# --- probabilities of zero --------------------------------------------------------------------------------------------


def test_a_value_impossible_in_both_classes_is_named():
    model = binary(p1=[0.4, 1.0], p0=[0.15, 1.0], values=[[0, 1], ["low", "high"]])
    with pytest.raises(symcf.ModelError, match=r"'WE' = 'low' has probability 0 in both classes"):
        symcf.compile(model)


def test_conflicting_certainties_name_both_features():
    model = binary(p1=[1.0, 0.96], p0=[0.15, 1.0], values=[["no", "yes"], ["low", "high"]])
    with pytest.raises(symcf.ModelError) as error:
        symcf.compile(model)
    assert "'WE' = 'low' has probability 0 in class 'no'" in str(error.value)
    assert "'E' = 'no' has probability 0 in class 'yes'" in str(error.value)


def test_a_certain_prior_against_a_certain_value_names_both():
    with pytest.raises(symcf.ModelError) as error:
        symcf.compile(binary(prior=0.0, p0=[0.0, 0.1]))
    assert "the prior has probability 0 in class 'yes'" in str(error.value)
    assert "'E' = 1 has probability 0 in class 'no'" in str(error.value)


def test_a_cnbc_file_is_read_number_by_number(tmp_path):
    path = tmp_path / "model.cnbc"
    path.write_text("2\n0.75 0.25\n2\n2\n0.5 0.5\n0.25 0.75\n3\n0.5 0.25 0.25\n0.125 0.125 0.75\n", encoding="ascii")
    tables = [[[0.5, 0.5], [0.25, 0.75]], [[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]]]
    assert symcf.NaiveBayes.from_cnbc(path) == symcf.NaiveBayes([0.75, 0.25], tables)


def test_models_that_read_rows_differently_are_not_equal():
    ranges = [symcf.Intervals(["age"], [[cut]]) for cut in (10.0, 20.0)]

    def naive_bayes(encoder):
        return symcf.NaiveBayes([0.5, 0.5], [[[0.2, 0.8], [0.7, 0.3]]], features=["age"], encoder=encoder)

    def linear(encoder):
        return symcf.LinearClassifier([[1, -1]], 0, features=["age"], encoder=encoder)

    for make in (naive_bayes, linear):
        assert make(ranges[0]) != make(ranges[1])
        assert make(ranges[0]) != make(None)
        again = make(symcf.Intervals(["age"], [[10.0]]))
        assert make(ranges[0]) == again
        assert hash(make(ranges[0])) == hash(again)


@pytest.mark.parametrize("label", [object(), "\ud800"])
def test_a_model_that_cannot_be_written_leaves_the_old_file(tmp_path, label):
    path = tmp_path / "model.json"
    path.write_text("precious")
    model = symcf.NaiveBayes([0.5, 0.5], [[[0.2, 0.8], [0.7, 0.3]]], classes=["no", label])
    with pytest.raises((symcf.ModelError, UnicodeEncodeError)):
        model.to_json(path)
    assert path.read_text() == "precious"
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]
