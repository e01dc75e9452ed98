"""What all models have in common: named features with named values, named classes, and a rule that decides.

A model holds what the user states, nothing compiled. Mistakes in it are caught here, with an error that
names the feature, the class and the value.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from symcf.common.files import written_whole
from symcf.data.encoder import Encoder, encoder_from_dict
from symcf.data.labels import checked_names
from symcf.data.numbers import NumberLine
from symcf.data.reader import Codes, Table, read_rows
from symcf.errors import ModelError, OptionError
from symcf.models.quantities import Quantity
from symcf.models.rules import Rule

__all__ = ["PROBABILITIES", "TIES", "Model", "Wrapper", "probabilities_of"]

#: Which class wins a tie: the last of those with the largest sum, or the first.
TIES = ("positive", "negative")
#: What `predict_proba` makes of sums, see `probabilities_of`.
PROBABILITIES = ("logistic", "ovr")


class Model(ABC):
    """A classifier over discrete features, as the user states it."""

    #: The name in JSON; every concrete model has one.
    kind: ClassVar[str]

    features: tuple[str, ...]
    #: By feature, the names of its values; the code of a value is its place here.
    values: tuple[Sequence[Hashable], ...]
    #: By feature: do its values come in a meaningful order?
    ordered: tuple[bool, ...]
    classes: tuple[Hashable, ...]
    #: Reads the user's raw rows; None if instances are value codes.
    encoder: Encoder | None = None
    #: By feature and value: is it one that all rows may have, or one row's own? None: all rows may have all.
    tried: Sequence[Sequence[bool]] | None = None
    #: Can it only be called? Then rows may have values of their own (`including`).
    is_black_box: ClassVar[bool] = False
    #: The attributes that, with the names, make two models equal; None: a model equals only itself.
    facts: ClassVar[tuple[str, ...] | None] = None

    @abstractmethod
    def rule(self) -> Rule:
        """How it decides, in exact integers."""

    @property
    def uncut(self) -> Model:
        """The model without the cuts that a question made in its columns of numbers."""
        return self

    def uncut_tables(self, tables: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        """Tables by feature and value, over the values of `uncut`. requires: parts of one value have one number."""
        return tables

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The probability of each class for rows of value codes; None where the model has none."""
        return None

    def decision_values(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """How sure the decision is, see `Compiled.decision_function`; None where the model has no margin."""
        return None

    # --- numbers that a target can be about

    #: The score that divides two classes.
    cut: float = 0.0

    def total(self) -> Quantity:
        """Two classes: the sum that decides, the lead of the second one; `OptionError` if there is none."""
        raise OptionError(f"{type(self).__name__} decides by no single sum, which a number could be the target of")

    def lead(self, margin: float) -> int:
        """More than two classes: by how many units of its rule a class leads when its score leads by ``margin``."""
        raise OptionError(
            f"margin: {type(self).__name__} with {len(self.classes)} classes has no decision function with a score per "
            "class, whose lead could be asked for: leave it out, or use min_probability="
        )

    def totals(self, codes: Codes) -> npt.NDArray[np.float64]:
        """That sum for rows of value codes."""
        values = self.decision_values(codes)
        assert values is not None
        return values

    def quantity(self, of: str, k: int | None) -> Quantity:
        """The "score", or the "probability" of class ``k``, as a sum; `OptionError` if it is none."""
        if len(self.classes) != 2:
            what = "min_probability" if of == "probability" else 'of="score"'
            raise OptionError(
                f"{what} is not supported for {type(self).__name__} with {len(self.classes)} classes, whose "
                f"probabilities and scores depend on several sums at once: ask for the class by a margin (target=..., "
                f"margin=...), or explain the estimator as a black box: symcf.compile(symcf.from_predict(estimator, X))"
            )
        if of == "score":
            if self.decision_values(np.zeros((0, len(self.features)), dtype=np.int64)) is None:
                raise OptionError(
                    f"{type(self).__name__} has no decision function, whose score or margin could be asked for; use "
                    f"target=, min_probability="
                )
            return self.total().alone()
        steps = self.logistic()
        if steps is None:
            raise OptionError(
                f"min_probability: {type(self).__name__} gives no probabilities that are known to rise with its sum; "
                f'ask for the class (target=...), or for the score (target=symcf.at_least(v), of="score")'
            )
        of_second = self.total()
        if k == 0:
            of_second = of_second.negative()
        return of_second.through(*steps)

    def logistic(self) -> tuple[tuple[Any, ...], ...] | None:
        """The steps of a `Link` from the lead of a class to its probability; None where there are none."""
        return None

    def number(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The "score", or the "probability" of class ``k``, for rows of value codes; None where the model has none."""
        if of == "score":
            return self.decision_values(codes)
        table = self.predict_proba(codes)
        return None if table is None else table[:, k or 0]

    def measured(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The number that a goal is about, where that has a score though the model has no decision function."""
        return self.number(of, k, codes)

    def predicted(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The numbers that a regressor predicts; None for classifiers."""
        return None

    def underlying(self, codes: Codes) -> tuple[Model, Codes]:
        """The model without a numeric target, and the rows in its value codes."""
        return self, codes

    #: Where it is several models: these.
    members: tuple[Model, ...] = ()

    #: The numeric target that the classes are about (`symcf.models.goals`), if they are.
    goal: Any = None

    def towards(self, goal: Any) -> Model | None:
        """The model with a goal, where that is of a kind of its own; None: its sums with another bias will do."""
        return None

    def reached(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The number that the goal is about, for rows of value codes; None without a goal."""
        return None

    def including(self, table: Table) -> Model:
        """The same model with the values of these rows among its own."""
        return self

    def with_cells(self, cells: Sequence[Sequence[Any]]) -> Model:
        """The same model with these entries of its columns among its values."""
        return self

    def around(self, rows: Any) -> Model:
        """The same for rows in the user's form."""
        if not self.is_black_box or self.encoder is None:
            return self
        return self.including(read_rows(rows, self.encoder.layout))

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.features)

    @property
    def n_values(self) -> tuple[int, ...]:
        """The number of values of each feature."""
        return tuple(len(labels) for labels in self.values)

    # --- JSON

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The whole model, as lists, numbers and strings; ``model`` names the kind."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""

    def names_to_dict(self) -> dict[str, Any]:
        """The part of `to_dict` that all models share."""
        names = {
            "features": list(self.features),
            "values": [
                None if isinstance(labels, NumberLine) else [_plain(label) for label in labels]
                for labels in self.values
            ],
            "ordered": list(self.ordered),
            "classes": [_plain(label) for label in self.classes],
        }
        return names if self.encoder is None else {**names, "encoder": self.encoder.to_dict()}

    def to_json(self, path: str | PathLike[str] | None = None) -> str | None:
        """Writes the model as JSON, or returns it as text without a path. An error leaves an existing file as it is."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)
        if path is None:
            return text
        with written_whole(path) as name, open(name, "wb") as file:
            file.write(f"{text}\n".encode())
        return None

    def __eq__(self, other: object) -> bool:
        if self.facts is None or type(other) is not type(self):
            return NotImplemented
        names = ("features", "values", "ordered", "classes", "encoder", *self.facts)
        return all(same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return object.__hash__(self) if self.facts is None else hash((self.kind, self.features, self.classes))

    def __repr__(self) -> str:
        n, k = self.n_features, len(self.classes)
        return f"{type(self).__name__}({n} feature{'s' * (n != 1)}, {k} class{'es' * (k != 1)})"


class Wrapper(Model):
    """A model around another one: what is not overridden is that of the base."""

    def __init__(self, base: Model) -> None:
        self.base = base
        self.features, self.values, self.ordered = base.features, base.values, base.ordered
        self.classes, self.encoder, self.cut = base.classes, base.encoder, base.cut

    def base_codes(self, codes: Codes) -> Codes:
        """Rows in the codes of the base."""
        return codes

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.base.predict_proba(self.base_codes(codes))

    def decision_values(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.base.decision_values(self.base_codes(codes))

    def number(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.base.number(of, k, self.base_codes(codes))

    def measured(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.base.measured(of, k, self.base_codes(codes))

    def reached(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.base.reached(self.base_codes(codes))

    def underlying(self, codes: Codes) -> tuple[Model, Codes]:
        return self.base.underlying(self.base_codes(codes))

    def predicted(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.base.predicted(self.base_codes(codes))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base!r})"


def same(a: Any, b: Any) -> bool:
    """Are they equal, arrays and sequences of arrays included?"""
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and np.array_equal(a, b, equal_nan=a.dtype.kind == b.dtype.kind == "f")
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return a is b or bool(a == b)


def _plain(label: Hashable) -> Any:
    """A label as a JSON value."""
    plain = label.item() if isinstance(label, np.generic) else label
    if plain is None or isinstance(plain, (str, bool, int, float)):
        return plain
    raise ModelError(f"the label {label!r} cannot be written as JSON: use strings, numbers or None")


def names_from_dict(data: Mapping[str, Any], *options: str) -> dict[str, Any]:
    """The keywords that `Model.names_to_dict` wrote, and those of these options that the data has."""
    names = {key: data[key] for key in ("features", "values", "ordered", "classes", *options) if key in data}
    if data.get("encoder") is not None:
        names["encoder"] = encoder_from_dict(data["encoder"])
    return names


# --- checks that models share -----------------------------------------------------------------------------------------


def checked_values(
    values: Sequence[Sequence[Hashable] | None] | None, features: Sequence[str], n_values: Sequence[int]
) -> tuple[tuple[Hashable, ...], ...]:
    """The names of the values of each feature; by default their codes."""
    if values is not None and len(values) != len(features):
        raise ModelError(f"values names the values of {len(values)} features, the model has {len(features)}")
    return tuple(
        checked_names(None if values is None else values[j], d, f"values of {name!r}", list(range(d)))
        for j, (name, d) in enumerate(zip(features, n_values, strict=True))
    )


def checked_classes(classes: Sequence[Hashable] | None, n_sums: int, *, one_sum: bool) -> tuple[Hashable, ...]:
    """The names of the classes: of two if there is one sum, else of as many as there are sums."""
    if not one_sum and n_sums < 2:
        raise ModelError(f"bias lists {n_sums} classes: list two or more, or give one number for two classes")
    return checked_names(classes, max(n_sums, 2), "classes", list(range(max(n_sums, 2))))


def checked_ordered(ordered: Sequence[bool] | bool | None, n: int) -> tuple[bool, ...]:
    """Whether the values of each feature are ordered; by default they are, by their codes."""
    if ordered is None or isinstance(ordered, bool):
        return (ordered is not False,) * n
    result = tuple(map(bool, ordered))
    if len(result) != n:
        raise ModelError(f"ordered has {len(result)} entries for {n} features")
    return result


def checked_choice(given: Any, choices: Sequence[str], what: str, *, optional: bool = False) -> Any:
    """One of the choices, or None where it is optional."""
    if given in choices or (optional and given is None):
        return given
    raise ModelError(f"unknown {what} {given!r}: choose from {', '.join(map(repr, choices))}{', or None' * optional}")


def checked_flag(given: Any, what: str) -> bool:
    """True or False."""
    if not isinstance(given, bool):
        raise ModelError(f"{what} must be True or False, not {given!r}")
    return given


def vector(numbers: Any, what: str) -> npt.NDArray[np.float64]:
    """A one-dimensional array of numbers."""
    try:
        array = np.array(numbers, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what} must be numbers: {error}") from None
    if array.ndim != 1:
        raise ModelError(f"{what} must be one-dimensional, not {array.ndim}-dimensional")
    return array


def probabilities_of(sums: npt.NDArray[np.float64], kind: str) -> npt.NDArray[np.float64]:
    """By row and class. ``sums`` has one number per row, the log-odds of the second of two classes, or one per class:
    "logistic" makes shares of their exponentials, any other kind of the logistic function of each.

    >>> probabilities_of(np.array([0.0]), "logistic").tolist()
    [[0.5, 0.5]]
    """
    if sums.ndim == 1:
        logs = -np.logaddexp(0, np.stack([sums, -sums], axis=1))
    else:
        logs = sums if kind == "logistic" else -np.logaddexp(0, -sums)
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
