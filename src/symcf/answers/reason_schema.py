"""Reasons for programs: dicts and JSON.

The schema, version 1. Features are numbered as in ``features``; labels that JSON cannot hold are written as text.

    format            "symcf.reasons"
    version           1; a reader refuses versions that it does not know
    features          names, by number
    classes           names, by code
    instance          {"values": [...], "codes": [...]}, by feature
    prediction        the class of the instance; prediction_code; probability (of this class, or null)
    target            the class that is ruled out, null for every other; target_code
    status            "complete", "max_results" or "time_limit"; complete: true or false
    count             the number of reasons
    reasons           by (cost, size, features), each:
        features          numbers
        conditions        [{"feature": number, "name", "value"}, ...]
        cost              of the features
    necessary, relevant, irrelevant    numbers of features; null where that is not known
    constraints       what was asked, each {"kind", "feature", "name", "value", "labels", "text"}
    cost              null where every feature costs 1; else a number by feature
    k, engine         what else was asked; the engine that answered
    value_labels      by feature, the names of its values
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from symcf.answers.reason_facts import ReasonFacts
from symcf.answers.schema import labels_from_json, labels_to_json
from symcf.common.text import plain
from symcf.errors import FileError, LimitError, OptionError
from symcf.models.joint import goal_from_dict
from symcf.question.constraint_kinds import constraint_from_dict
from symcf.question.costs import Costs

__all__ = ["FORMAT", "VERSION", "from_dict", "to_dict"]

FORMAT, VERSION = "symcf.reasons", 1


def to_dict(r: ReasonFacts) -> dict[str, Any]:
    """Everything, as lists, numbers and strings."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "features": list(r.features),
        "classes": [plain(label) for label in r.classes],
        "instance": {"values": [plain(label) for label in r.row], "codes": r.instance.tolist()},
        "prediction": plain(r.classes[r.prediction]),
        "prediction_code": r.prediction,
        "probability": r.probability,
        **({} if r.goal is None else {"goal": r.goal.to_dict(), "reached": r.reached}),
        "target": None if r.target is None else plain(r.classes[r.target]),
        "target_code": r.target,
        "status": r.status,
        "complete": r.complete,
        "count": r.count,
        "reasons": [reason.to_dict() for reason in r],
        "necessary": _known(lambda: r.necessary),
        "relevant": _known(lambda: r.relevant),
        "irrelevant": _known(lambda: r.irrelevant),
        "constraints": [constraint.to_dict() for constraint in r.constraints],
        "cost": None if r.costs.units is None else list(r.costs.given),
        "k": r.k,
        "engine": r.engine,
        "value_labels": [labels_to_json(labels) for labels in r.values],
    }


def _known(ask: Callable[[], tuple[int, ...]]) -> list[int] | None:
    """What can be found out; the list of reasons itself does not depend on it."""
    try:
        return list(ask())
    except (LimitError, OptionError):
        return None


def from_dict(data: Any) -> dict[str, Any]:
    """The keywords of `Reasons` that `to_dict` described."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise FileError(f"not a list of reasons: it must be an object with the format {FORMAT!r}")
    if data.get("version") != VERSION:
        raise FileError(f"the reasons have version {data.get('version')!r}; this symcf reads version {VERSION}")
    try:
        return _fields(data)
    except KeyError as error:
        raise FileError(f"the reasons lack {error}") from None
    except (TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise FileError(f"the reasons cannot be read: {error}") from None


def _fields(data: Mapping[str, Any]) -> dict[str, Any]:
    features = tuple(data["features"])
    values = tuple(map(labels_from_json, data["value_labels"]))
    return {
        "instance": np.array(data["instance"]["codes"], dtype=np.int64),
        "prediction": int(data["prediction_code"]),
        "target": None if data["target_code"] is None else int(data["target_code"]),
        "classes": tuple(data["classes"]),
        "features": features,
        "values": values,
        "sets": [tuple(map(int, reason["features"])) for reason in data["reasons"]],
        "status": str(data["status"]),
        "engine": str(data["engine"]),
        "constraints": tuple(map(constraint_from_dict, data["constraints"])),
        "costs": Costs(data["cost"], features, values, (False,) * len(features)),
        "k": None if data["k"] is None else int(data["k"]),
        "probability": data["probability"],
        "goal": goal_from_dict(data.get("goal")),
        "reached": data.get("reached"),
    }
