"""The kinds of models, and models from JSON. Only the module of the kind that is read is imported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from os import PathLike
from typing import Any

from symcf.common.clock import READING, tick
from symcf.errors import ModelError
from symcf.models.base import Model

__all__ = ["KINDS", "model_from_dict", "model_from_json"]

#: By what `Model.to_dict` calls the kind: the module and the class. A new kind is a line here.
KINDS = {
    "agreed": ("symcf.models.joint", "Agreed"),
    "additive": ("symcf.models.additive", "AdditiveClassifier"),
    "bayes_net": ("symcf.models.networks", "BayesNet"),
    "binary_network": ("symcf.models.networks", "BinaryNetwork"),
    "boosted_trees": ("symcf.models.trees", "BoostedTrees"),
    "calibrated": ("symcf.models.regressor", "Calibrated"),
    "decision_tree": ("symcf.models.trees", "DecisionTree"),
    "function": ("symcf.models.functions", "FunctionModel"),
    "joint": ("symcf.models.joint", "Joint"),
    "linear": ("symcf.models.linear", "LinearClassifier"),
    "naive_bayes": ("symcf.models.naive_bayes", "NaiveBayes"),
    "random_forest": ("symcf.models.trees", "RandomForest"),
    "reaching": ("symcf.models.goals", "Reaching"),
    "regressor": ("symcf.models.regressor", "Regressor"),
}


def model_from_dict(data: Any) -> Model:
    """The model that `Model.to_dict` described."""
    if not isinstance(data, Mapping) or "model" not in data:
        raise ModelError("not a model: it must be an object with the key 'model'")
    kind = data["model"]
    if not isinstance(kind, str) or kind not in KINDS:
        if kind == "multilabel":
            raise ModelError("a model of several labels: say what they should be with symcf goal, or MultiLabel.goal")
        raise ModelError(f"unknown kind of model {kind!r}: known are {', '.join(sorted(map(repr, KINDS)))}")
    home, name = KINDS[kind]
    read: type[Model] = getattr(import_module(home), name)
    try:
        return read.from_dict(data)
    except ModelError:
        raise
    except KeyError as error:
        raise ModelError(f"model {kind!r}: the key {error} is missing") from None
    except (TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise ModelError(f"model {kind!r}: {error}") from None


def model_from_json(source: str | PathLike[str]) -> Model:
    """Reads a model from a JSON file, or from JSON text (which starts with a brace)."""
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return model_from_dict(_parsed(source, "the text"))
    with open(source, encoding="utf-8") as file:
        try:
            text = file.read()
        except UnicodeDecodeError as error:
            raise ModelError(f"{source}: not UTF-8: {error}") from None
    return model_from_dict(_parsed(text, str(source)))


def _parsed(text: str, where: str) -> Any:
    tick(READING * len(text))
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also raised for integers of thousands of digits
        raise ModelError(f"{where} is not JSON: {error}") from None
