"""JSON: every model comes back as it was, and no text does anything worse than a ModelError."""

from __future__ import annotations

import contextlib
import copy
import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import symcf
from symcf.data.encoder import encoder_from_dict
from symcf.data.intervals import Intervals

TREE = {
    "feature": "age",
    "at_most": 25.5,
    "yes": {"counts": [3, 1, 0]},
    "no": {"feature": "colour", "in": ["red", "blue"], "yes": {"counts": [0, 2, 2]}, "no": {"class": 2}},
}
COLOURS = {"colour": ["red", "green", "blue"]}
READER = Intervals(["a", "b"], [[0.5], None], values=[None, [0, 1, 2]], float32=True)

MODELS = {
    "naive Bayes": symcf.NaiveBayes(
        [0.2, 0.3, 0.5],
        [[[0.1, 0.2, 0.7]] * 3, [[0.5, 0.5]] * 3],
        features=["ä", "b"],
        values=[["x", None, True], [1.5, "y"]],
        ordered=[False, True],
        tie="negative",
    ),
    "linear": symcf.LinearClassifier(
        [0.1, [1, 2.5, -3]],
        -0.3,
        features=["a", "b"],
        classes=["no", "yes"],
        tie="positive",
        probability="logistic",
        encoder=READER,
    ),
    "integers": symcf.LinearClassifier([[2**59, [1, 2, 3]], [1, [0, 0, 0]], [1, [2, 2, 2]]], [0, 1, 2**59 + 1]),
    "tree": symcf.DecisionTree(TREE, values=COLOURS, tie="positive"),
    "tree of codes": symcf.DecisionTree(
        {"feature": "colour", "in": ["red"], "yes": {"scores": [0.5, 0.25]}, "no": {"class": 1}},
        values=COLOURS,
        ordered=False,
    ),
    "tree with another reader": symcf.DecisionTree(
        TREE, values=COLOURS, encoder=Intervals(["u", "v"], [[1], None], values=[None, ["r", "g", "b"]])
    ),
    "float32": symcf.DecisionTree(
        {"feature": 1, "at_most": 0.1, "yes": {"class": 0}, "no": {"class": 1}}, float32=True
    ),
    "forest": symcf.RandomForest([TREE, {"counts": [1, 0, 0]}], values=COLOURS, vote="hard"),
    "function": symcf.from_function(lambda row: (row[0] + row[1]) % 2, [2, 3], features=["a", "b"]),
    "classes": symcf.from_function(lambda row: max(row), [3, 4, 1], classes=["p", "q", "r", "s"]),
}
EVERY = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


@EVERY
def test_round_trip(model, tmp_path):
    again = symcf.model_from_json(model.to_json())
    assert again == model
    assert type(again) is type(model)
    assert again.to_dict() == model.to_dict()
    assert (again.values, again.ordered, again.classes) == (model.values, model.ordered, model.classes)
    assert again.encoder == model.encoder
    model.to_json(tmp_path / "model.json")
    assert symcf.model_from_json(tmp_path / "model.json") == model
    assert symcf.model_from_dict(json.loads(model.to_json())) == model


@EVERY
def test_rules_come_back(model):
    """Byte by byte, so that what was explained once is explained the same again."""

    def arrays(rule):
        found = []
        for name, value in sorted(vars(rule).items()):
            if name == "threshold":
                found += [value.weight.tolist(), value.bias, value.value_offset.tolist()]
            elif name == "diagrams":
                found += [[d.order.tolist(), d.level.tolist(), d.child.tolist(), d.root] for d in value.value]
            elif name == "trees":
                found += [{key: array.tolist() for key, array in vars(tree).items()} for tree in value]
            else:
                found.append(value.tolist() if isinstance(value, np.ndarray) else value)
        return found

    assert arrays(symcf.model_from_json(model.to_json()).rule()) == arrays(model.rule())


def test_the_encoder_comes_back():
    again = encoder_from_dict(json.loads(json.dumps(READER.to_dict())))
    assert again == READER
    assert hash(again) == hash(READER)
    assert again.encode([[0.7, 2]]).tolist() == READER.encode([[0.7, 2]]).tolist() == [[1, 2]]
    assert again != Intervals(["a", "b"], [[0.5], None], values=[None, [0, 1, 2]])
    assert again != 3


def test_labels_that_json_cannot_write():
    model = symcf.LinearClassifier([1], 0, classes=[("a", "b"), "c"])
    with pytest.raises(symcf.ModelError, match=r"\('a', 'b'\)"):
        model.to_json()


# --- malformed --------------------------------------------------------------------------------------------------------


def places(data, path=()):
    """The paths of everything inside."""
    yield path
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from places(value, (*path, key))


PLACES = [(name, path) for name, model in MODELS.items() for path in places(json.loads(model.to_json()))]
NUMBERS = [-1, 0, 1, 2, 3, 10**6, 2**32, 2**63, 2**70, -(2**63), 0.5, 1e300, float("nan"), float("inf")]
OTHERS = [None, True, "", "NaN", "a", "intervals", [], [[]], [0], [None], ["a"], [[0, 1]], [1, [2]], {}, {"a": 1}]
WRONG = st.sampled_from(NUMBERS + OTHERS)


def changed(data, path, change, wrong):
    """Something wrong at a place: another thing, one more, one less, none."""
    data = copy.deepcopy(data)
    if not path:
        return wrong
    box = data
    for key in path[:-1]:
        box = box[key]
    if change == "drop":
        del box[path[-1]]
    elif change == "repeat" and isinstance(box, list):
        box.insert(path[-1], copy.deepcopy(box[path[-1]]))
    elif change == "swap" and isinstance(box, list):
        box.reverse()
    else:
        box[path[-1]] = wrong
    return data


@given(st.sampled_from(PLACES), st.sampled_from(["drop", "repeat", "swap", "replace", "replace"]), WRONG)
@example(("linear", ("model",)), "replace", [])
@example(("linear", ("model",)), "replace", {})
@example(("linear", ("encoder",)), "replace", 3)
@example(("linear", ("encoder", "encoder")), "replace", [])
def test_nothing_worse_than_a_model_error(place, change, wrong):
    name, path = place
    text = json.dumps(changed(json.loads(MODELS[name].to_json()), path, change, wrong))
    with contextlib.suppress(symcf.ModelError):
        model = symcf.model_from_dict(json.loads(text))
        model.rule()
        model.to_dict()
        repr(model)


@pytest.mark.parametrize("name", MODELS)
def test_missing_keys_are_named(name):
    data = json.loads(MODELS[name].to_json())
    optional = {"tie", "vote", "threshold", "probability", "float32", "encoder", "ordered", "values"}
    names = set() if "tree" in data or "trees" in data else {"features", "classes"}
    for key in set(data) - optional - names:
        with pytest.raises(symcf.ModelError, match=f"'{key}'"):
            symcf.model_from_dict({k: v for k, v in data.items() if k != key})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("{}", "'model'"),
        ('{"model": "cat"}', "'cat'"),
        ('{"model": ["linear"]}', "linear"),
        ('{"model": ' + "[" * 100_000, "not JSON"),
        ('{"model": ' + "9" * 5000 + "}", "not JSON"),
        ('{"model": "linear", "weights": [NaN], "bias": 0}', "'x0' = 1 is nan"),
        ('{"model": "linear", "weights": ["NaN"], "bias": 0}', "'x0' must be numbers"),
        ('{"model": "linear", "weights": [1, 2], "bias": 0, "features": ["a"]}', "1 names, 2 are needed"),
        ('{"model": "linear", "weights": [1], "bias": 0, "encoder": {"encoder": "cat"}}', "'cat'"),
        (
            '{"model": "function", "diagrams": [{"order": [0], "arity": [2], "level": [1, 1, 0], "child": [0, 0], '
            '"root": 2}]}',
            "redundant",
        ),
        (
            '{"model": "function", "diagrams": [{"order": [0.5], "arity": [2], "level": [1, 1, 0], "child": [0, 1], '
            '"root": 2}]}',
            "natural numbers",
        ),
    ],
)
def test_errors_name_the_problem(text, words):
    with pytest.raises(symcf.ModelError, match=words):
        symcf.model_from_json(text)
