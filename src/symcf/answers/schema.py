"""Explanations for programs: dicts, JSON, pandas.

The schema, version 3. Wherever a value or class is named, its code stands beside it; features are numbered as in
``features``. Labels that JSON cannot hold are written as text.

    format            "symcf.explanation"
    version           3; a reader refuses versions that it does not know
    features          names, by number
    classes           names, by code
    instance          {"values", "codes", "cells"} by feature: names of values, their codes, and what was given;
                      {"row"}: the whole row as it was given, an object by the names of columns, or a list by "columns";
                      {"types"}: by column its type in data, {"dtype", "kind"} or {"categories", "ordered"}, or null
    prediction        the class of the instance; prediction_code; probability (of this class, or null); plausibility,
                      where data were given: the share of it that is at most as likely
    goal              only where the target is a number: {"of", "low", "high", "label"}: of "probability" (of the class
                      "label"), "score" or "prediction"; low and high: the ends, null for none. The classes are then
                      "not reached" and "reached" in words; reached: the number that the instance has
    target            the wanted class, null for any other; target_code
    at_target         did the instance have the wanted class already?
    status            "complete", "max_results" or "time_limit"; complete: true or false
    count             the number of change sets
    counterfactuals   by (cost, size, features), each:
        changes           [{"feature": number, "name", "old", "new", "old_code", "new_code", "range", "said"}, ...]
                          old and new as in the row; range: the values that are as good, as a list, or as numbers
                          {"first", "last", "without"} from the first to the last, null for no bound; said: the same
                          with rounded ends
        cost              of all changes
        class             the class of the changed instance; class_code; probability; plausibility,
                          as above; with a goal: reached, the number; score and prediction of the model
        codes             the changed instance; row: the same in the form of the given row
    blocking          where there is no counterfactual: constraints that would have to be given up together
    constraints       each {"kind", "feature", "name", "value", "labels", "text"}; the kinds are those of
                      `symcf.question.constraint_kinds`. The value of "plausibility" is the share of the data, as a
                      fraction; "range" has {"limits"}, its ends, null for none; "numbers" has {"points"}
    cost              null where every change costs 1; else by feature a number, or a matrix by old and new code, or
                      {"distance": scale} for a column of numbers
    diversity         only where sets were chosen because they differ: how much they do, {"distance", "exact", "of"}
    k, select, engine what else was asked: "nearest", "surest", "likeliest" or "all" values; the engine that answered
    minimality        "moves" where no feature can be moved less far; left out where it is "features"
    value_labels      by feature, the names of its values (for a column of numbers, whose codes are places among the
                      doubles, an object: low, high, resolution); ordered: do they come in an order?
"""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from symcf.answers.diversity import Diversity
from symcf.answers.facts import Counterfactual, Facts, Given, Sets, Source
from symcf.common.clock import Clock
from symcf.common.extras import load_extra
from symcf.common.renamed import with_new_fields
from symcf.common.text import plain, plain_cell
from symcf.data.given import frame_of, row_to_json
from symcf.data.numbers import NumberLine
from symcf.data.reader import ColumnLayout
from symcf.data.types import types_from_json, types_to_json
from symcf.errors import FileError, OptionError
from symcf.models.joint import goal_from_dict
from symcf.proof.certificates.certificate import Certificate
from symcf.question.constraint_kinds import constraint_from_dict
from symcf.question.costs import Costs
from symcf.search.change_sets import ChangeSet
from symcf.search.moves import Moved

if TYPE_CHECKING:
    import pandas


__all__ = [
    "FORMAT",
    "VERSION",
    "decision_to_dict",
    "facts_from_dict",
    "names_to_dict",
    "readable",
    "sets_from_dict",
    "status_to_dict",
    "to_dict",
    "to_frame",
    "to_json",
    "to_pandas",
]

FORMAT, VERSION = "symcf.explanation", 3

#: What can be read. Version 1 had no rows, cells and ranges.
READABLE = (1, 2, VERSION)

#: The words that some fields have.
WORDS = {
    "status": ("complete", "max_results", "time_limit"),
    "select": ("nearest", "surest", "likeliest", "all"),
    "minimality": ("features", "moves"),
}


def _with_names(e: Facts, cf: Counterfactual) -> dict[str, Any]:
    data = cf.to_dict()
    for change in data["changes"]:
        change["old_code"] = int(e.instance[change["feature"]])
    data["class"] = plain(e.classes[cf.target])
    return data


def _cost_to_list(e: Facts) -> list[Any] | None:
    """One number per feature; a matrix where the cost depends on the values; None where none was given."""
    if e.costs.units is None:
        return None
    result: list[Any] = []
    for j, labels in enumerate(e.values):
        if e.costs.per_value is None or not e.costs.per_value[j]:
            result.append(e.costs.given[j])
        else:
            price = e.costs.prices[j]
            if price.scale is not None:
                result.append({"distance": str(price.scale)})
                continue
            codes = range(len(labels))
            result.append([[e.costs.cost_of(j, old, new) for new in codes] for old in codes])
    return result


def to_dict(e: Facts) -> dict[str, Any]:
    """The whole explanation, as lists, numbers and strings."""
    return {
        **names_to_dict(e, FORMAT, VERSION),
        "instance": {
            "values": [plain(label) for label in e.labels],
            "codes": e.instance.tolist(),
            "cells": [plain_cell(cell) for cell in e.cells],
            "row": None if e.row is None else row_to_json(e.row),
            "columns": list(e.columns),
            **({"types": types_to_json(e.types)} if e.types else {}),
        },
        **({} if not e.column_groups else {"column_groups": _column_groups(e)}),
        **decision_to_dict(e, e.probability, e.reached),
        **({} if e.plausibility is None else {"plausibility": e.plausibility}),
        "at_target": e.at_target,
        **status_to_dict(e),
        "counterfactuals": [_with_names(e, cf) for cf in e],
        "blocking": [constraint.to_dict() for constraint in e.blocking],
        "cost": _cost_to_list(e),
        "select": e.select,
        **({} if e.minimality == "features" else {"minimality": e.minimality}),
        **({} if e.diversity is None else {"diversity": asdict(e.diversity)}),
        "ordered": list(e.ordered),
    }


# --- what explanations and reasons have in common


def names_to_dict(found: Sets, format: str, version: int) -> dict[str, Any]:
    """What it is, and the names of features, values and classes."""
    return {
        "format": format,
        "version": version,
        "features": list(found.features),
        "classes": [plain(label) for label in found.classes],
        "value_labels": [labels_to_json(labels) for labels in found.values],
    }


def decision_to_dict(found: Sets, probability: float | None, reached: float | None) -> dict[str, Any]:
    """What was decided, and what is wanted."""
    return {
        "prediction": plain(found.classes[found.prediction]),
        "prediction_code": found.prediction,
        "probability": probability,
        **({} if found.goal is None else {"goal": found.goal.to_dict(), "reached": reached}),
        "target": None if found.target is None else plain(found.classes[found.target]),
        "target_code": found.target,
    }


def status_to_dict(found: Sets) -> dict[str, Any]:
    """What was asked, and how complete the answer is."""
    return {
        "status": found.status,
        "complete": found.complete,
        "count": found.count,
        "constraints": [constraint.to_dict() for constraint in found.constraints],
        "k": found.k,
        "engine": found.engine,
    }


def sets_from_dict(data: Mapping[str, Any], ordered: Sequence[bool]) -> dict[str, Any]:
    """The keywords of `Sets` that these three described."""
    features = tuple(data["features"])
    values: tuple[Sequence[Hashable], ...] = tuple(map(labels_from_json, data["value_labels"]))
    return {
        "instance": np.array(data["instance"]["codes"], dtype=np.int64),
        "prediction": int(data["prediction_code"]),
        "target": None if data["target_code"] is None else int(data["target_code"]),
        "classes": tuple(data["classes"]),
        "features": features,
        "values": values,
        "status": str(data["status"]),
        "engine": str(data["engine"]),
        "constraints": tuple(map(constraint_from_dict, data["constraints"])),
        "costs": Costs(data["cost"], features, values, ordered),
        "k": None if data["k"] is None else int(data["k"]),
        "goal": goal_from_dict(data.get("goal")),
    }


@contextlib.contextmanager
def readable(what: str, lack: str) -> Iterator[None]:
    """Whatever is wrong with a file is a `FileError`."""
    try:
        yield
    except KeyError as error:
        raise FileError(f"{what} {lack} {error}") from None
    except (TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise FileError(f"{what} cannot be read: {error}") from None


def _column_groups(e: Facts) -> dict[str, list[str]]:
    """By name of a feature that is read from several columns, their names."""
    return {e.features[j]: list(columns) for j, columns in e.column_groups.items()}


def labels_to_json(labels: Sequence[Hashable]) -> Any:
    """The names of a feature's values; of a column of numbers, what its codes mean."""
    return labels.to_dict() if isinstance(labels, NumberLine) else [plain(label) for label in labels]


def labels_from_json(given: Any) -> Sequence[Hashable]:
    """The inverse of `labels_to_json`."""
    return NumberLine.from_dict(given) if isinstance(given, Mapping) else tuple(given)


def to_json(e: Facts, indent: int | None = None) -> str:
    """The same as JSON text, in one line unless an indent is given."""
    return json.dumps(to_dict(e), ensure_ascii=False, allow_nan=False, indent=indent)


def to_pandas(e: Facts) -> pandas.DataFrame:
    """Tidy: one row per change."""
    pandas = load_extra("pandas", "to_pandas")

    rows = [
        (i, change.name, change.old, change.new, cf.cost, e.classes[cf.target], cf.probability)
        for i, cf in enumerate(e)
        for change in cf.changes
    ]
    columns = ["counterfactual", "feature", "old", "new", "cost", "class", "probability"]
    frame = pandas.DataFrame(rows, columns=columns)
    return frame.astype({"counterfactual": "int64", "cost": "float64", "probability": "float64"})


def to_frame(e: Facts, k: int | None) -> pandas.DataFrame:
    """One row per counterfactual, in the columns of the given row."""
    if e.row is None:
        raise FileError("an explanation of version 1 has no rows: explain the instance again")
    rows = [cf.row for cf in itertools.islice(e, k)]
    layout = ColumnLayout(e.columns, tuple(range(len(e.columns))), types=e.types)
    frame = frame_of(rows or [e.row], layout)
    frame.index = frame.index.set_names("counterfactual")
    return frame if rows else frame.iloc[:0]


# --- in ---------------------------------------------------------------------------------------------------------------


def facts_from_dict(data: Any) -> dict[str, Any]:
    """The keywords of `Explanation` that `to_dict` described."""
    _check_version(data)
    with readable("the explanation", "lacks"):
        return _facts(data if data["version"] == VERSION else with_new_fields(data))


def _difference(own: Any, given: Any, place: str = "") -> str | None:
    """Where the first entry is that both have and that differs; None if there is none."""
    if isinstance(own, Mapping) and isinstance(given, Mapping):
        pairs = [(f"{place}.{key}" if place else str(key), own[key], given[key]) for key in own if key in given]
    elif isinstance(own, list) and isinstance(given, (list, tuple)) and len(own) == len(given):
        pairs = [(f"{place}[{i}]", *pair) for i, pair in enumerate(zip(own, given, strict=True))]
    else:
        return None if own == given else place
    return next((found for key, a, b in pairs if (found := _difference(a, b, key)) is not None), None)


def _check_version(data: Any) -> None:
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise FileError(f"not an explanation: it must be an object with the format {FORMAT!r}")
    version = data.get("version")
    if isinstance(version, bool) or version not in READABLE:
        raise FileError(f"the explanation has version {version!r}; this symcf reads versions 1 to {VERSION}")


def _facts(data: Mapping[str, Any]) -> dict[str, Any]:
    for name, words in WORDS.items():
        if name in data and data[name] not in words and data["version"] == VERSION:
            raise FileError(f"the explanation has the {name} {data[name]!r}, which is not one of {list(words)}")
    ordered = tuple(map(bool, data["ordered"]))
    found = sets_from_dict(data, ordered)
    features: tuple[str, ...] = found["features"]
    listed = [Counterfactual.from_dict(item) for item in data["counterfactuals"]]
    minimality = str(data.get("minimality", "features"))
    by_set: dict[tuple[int, ...], list[Counterfactual]] = {}
    for cf in listed:
        by_set.setdefault(cf.features, []).append(cf)
    select = "surest" if data["select"] == "best" else str(data["select"])  # its name in version 1
    sets: Any = list(by_set)
    if minimality == "moves":
        sets = [Moved(cf.features, cf.instance[list(cf.features)].tolist()) for cf in listed]
    given = Given(
        data["instance"].get("row"),
        tuple(data["instance"].get("columns", features)),
        types_from_json(data["instance"].get("types", ())),
        data["probability"],
        data.get("plausibility"),
        data.get("reached"),
    )
    return {
        **found,
        "ordered": ordered,
        "sets": sets,
        "blocking": tuple(map(constraint_from_dict, data["blocking"])),
        "source": Stored(data, by_set, given, select),
        "select": select,
        "column_groups": {
            features.index(name): tuple(columns) for name, columns in data.get("column_groups", {}).items()
        },
        "minimality": minimality,
        "diversity": None if data.get("diversity") is None else _diversity_from_dict(data["diversity"]),
    }


class Stored(Source):
    """What a file says, as the source of an explanation."""

    def __init__(
        self,
        data: Mapping[str, Any],
        by_set: Mapping[ChangeSet, list[Counterfactual]],
        given: Given,
        select: str,
    ) -> None:
        self._data, self._by_set, self._given, self._select = data, by_set, given, select

    def given(self) -> Given:
        return self._given

    def built(self, change_set: ChangeSet) -> Iterable[Counterfactual]:
        if isinstance(change_set, Moved):  # of several with the same features, the one with its values
            places = list(change_set)
            return [cf for cf in self._by_set[tuple(change_set)] if tuple(cf.instance[places]) == change_set.codes]
        return self._by_set[change_set] if self._select == "all" else self._by_set[change_set][:1]

    def cells(self) -> Sequence[Any] | None:
        return cast("Sequence[Any] | None", self._data["instance"].get("cells"))

    def contradiction(self, e: Any) -> str | None:
        """See `Source`. Types of columns are left out: they are read into other words than were written."""
        if self._data["version"] != VERSION:
            return None
        try:
            written = to_dict(e)
        except (IndexError, KeyError):
            return "a code"
        written["instance"].pop("types", None)
        return _difference(written, self._data)

    def why_all(self) -> Any:
        raise OptionError("reasons: ask Compiled.why; this explanation was read from a file")

    def likeliest(self, sets: Sequence[ChangeSet], k: int) -> list[Counterfactual]:
        raise OptionError("likeliest: ask Compiled.explain; this explanation was read from a file")

    def certificate(self, e: Any, clock: Clock) -> Certificate:
        raise OptionError("certificate: explain the row; this explanation was read from a file")

    def reason_counts(self, clock: Clock) -> Sequence[int]:
        raise OptionError("letter: explain the row; this explanation was read from a file")


def _diversity_from_dict(data: Mapping[str, Any]) -> Diversity:
    return Diversity(float(data["distance"]), bool(data["exact"]), int(data["of"]))
