"""Several labels, explained together.

Each class of each label is a function of the row. What is wanted of some labels is the conjunction of such functions, a
classifier of two classes that is asked like any other.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core, fast
from symcf.algebra.functions import class_part, model_of
from symcf.common.cache import Cache
from symcf.common.extras import load_extra
from symcf.common.text import one_line
from symcf.compiled import Compiled, compile
from symcf.diagrams.combine import ALL, Aligned, Part, aligned, how
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.kinds import model_from_dict
from symcf.multilabel.chain import without_labels
from symcf.multilabel.estimators import models_of
from symcf.results.batch import BatchExplanation
from symcf.results.explanation import Explanation
from symcf.rows.labels import code_of
from symcf.rows.shared import Columns
from symcf.sklearn.door import from_model

__all__ = ["LabelBatch", "MultiLabel"]

#: Goals that are kept for later rows; each holds a diagram.
KEPT = 32


class MultiLabel:
    """Several labels of one row, each decided by a classifier of its own.

    Parameters
    ----------
    models:
        By label, its model: whatever `symcf.compile` takes, over the same columns or others; or a tuple with the only
        class of a label that never changes.
    chain:
        Do models read labels before them, as columns of their names?
    names:
        The labels in the order in which they are shown; by default as in ``models``. A chain may have another one.

    See `MultiLabel.of` for scikit-learn's classifiers of several labels.

    >>> import symcf
    >>> loan = symcf.LinearClassifier([2, 1, 1], -2, features=["job", "savings", "married"], classes=["no", "yes"])
    >>> card = symcf.LinearClassifier([1, -1], 0, features=["job", "married"], classes=["no", "yes"])
    >>> both = symcf.MultiLabel({"loan": loan, "card": card})
    >>> both.labels_of([1, 0, 0])
    {'loan': 'no', 'card': 'yes'}
    >>> both.explain([1, 0, 0], target={"loan": "yes"}).sets
    [(1,), (2,)]
    >>> both.explain([1, 0, 0], target={"loan": "yes"}, keep=["card"]).sets
    [(1,)]
    """

    def __init__(self, models: Mapping[str, Any], *, chain: bool = False, names: Sequence[str] | None = None) -> None:
        if not isinstance(models, Mapping) or not models:
            raise OptionError("models must map the names of labels to their models")
        #: By label: its model, or its only class.
        self.models: dict[str, Model | tuple[Hashable, ...]] = {}
        for name, given in models.items():
            if not isinstance(name, str) or not name:
                raise OptionError(f"the name of a label must be a non-empty string, not {name!r}")
            constant = isinstance(given, tuple)
            if constant and len(given) != 1:
                raise OptionError(f"{name!r}: a tuple stands for a label that has one class only, not {given!r}")
            self.models[name] = given if constant else given.model if isinstance(given, Compiled) else from_model(given)
        if all(isinstance(model, tuple) for model in self.models.values()):
            raise OptionError("at least one label must have a model")
        self.chain = bool(chain)
        if self.chain and any(isinstance(model, tuple) for model in self.models.values()):
            raise OptionError("chain: a label that never changes tells the models after it nothing; leave it out")
        #: The names of the labels.
        self.names: tuple[str, ...] = tuple(self.models if names is None else names)
        if sorted(map(str, self.names)) != sorted(self.models):
            raise OptionError(f"names must list each label once: {', '.join(map(repr, self.models))}")
        self._goals = Cache[Compiled](KEPT)

    @classmethod
    def of(cls, estimator: Any, names: Sequence[str] | None = None, *, data: Any = None, **options: Any) -> MultiLabel:
        """From a fitted MultiOutputClassifier, OneVsRestClassifier (multi-label) or ClassifierChain.

        ``names`` are those of the labels, in the order of the columns that it was fitted on; by default ``y0, y1,
        ...``. The other keywords are those of `symcf.from_model`.
        """
        models, chain, names = models_of(estimator, names, data, options)
        return cls(models, chain=chain, names=names)

    # --- labels

    def classes(self, name: str) -> tuple[Hashable, ...]:
        """The classes of a label."""
        model = self.models[self._label(name, "label")]
        return model if isinstance(model, tuple) else model.classes

    def _label(self, name: Any, option: str) -> str:
        if name in self.models:
            return str(name)
        raise OptionError(f"{option}: there is no label {name!r}: choose from {', '.join(map(repr, self.models))}")

    @cached_property
    def _functions(self) -> tuple[dict[tuple[str, int], _core.Diagram], Aligned]:
        """By label and class, its diagram over the columns that all labels share."""
        parts: dict[tuple[str, int], Part] = {}
        before: dict[str, dict[Any, Part]] = {}
        budget = self._any.budget()
        for name, model in self.models.items():
            if isinstance(model, tuple):
                continue
            compiled = self._any if model is self._any.model else compile(model)
            own = [class_part(compiled, k) for k in range(compiled.n_classes)]
            if self.chain:
                _refuse_labels_after(name, compiled, tuple(self.models))
                own = [without_labels(part, before, budget) for part in own]
            before[name] = dict(zip(compiled.classes, own, strict=True))
            parts |= {(name, k): part for k, part in enumerate(own)}
        together = aligned(list(parts.values()), budget)
        found = dict(zip(parts, together.inner, strict=True))
        for name, model in self.models.items():
            if isinstance(model, tuple):
                always = how(1, lambda nodes, inputs: 1)
                found[name, 0] = _core.Bdd.compose(always, together.inner[:1]).freeze()
        return found, together

    @cached_property
    def _any(self) -> Compiled:
        """A classifier whose limits hold for all."""
        return next(compile(model) for model in self.models.values() if not isinstance(model, tuple))

    @property
    def columns(self) -> Columns:
        """The columns that all labels read."""
        return self._functions[1].columns

    def predict(self, rows: Any) -> npt.NDArray[np.int64]:
        """By row and label, the code of its class (`classes` has the names)."""
        return self._decided(self.columns.reader.encode(rows))

    def _decided(self, codes: Any) -> npt.NDArray[np.int64]:
        functions, together = self._functions
        result = np.zeros((len(codes), len(self.names)), dtype=np.int64)
        for i, name in enumerate(self.names):
            for k in range(len(self.classes(name))):
                result[functions[name, k].evaluate(codes, together.groups.for_core) == 1, i] = k
        return result

    def labels_of(self, x: Any) -> dict[str, Hashable]:
        """The labels of one row."""
        codes = self._decided(self.columns.reader.encode_one(x))[0].tolist()
        return {name: self.classes(name)[k] for name, k in zip(self.names, codes, strict=True)}

    # --- questions

    def goal(self, target: Mapping[str, Hashable]) -> Compiled:
        """A classifier of two classes: has the row these labels? It is asked like any other (explain, why, verify,
        report, save).

        >>> import symcf
        >>> rich = symcf.from_function(lambda row: row[0], 2, features=["savings", "married"])
        >>> alone = symcf.from_function(lambda row: not row[1], 2, features=["savings", "married"])
        >>> symcf.MultiLabel({"rich": rich, "alone": alone}).goal({"rich": 1, "alone": 1}).classes
        ('not (rich = 1, alone = 1)', 'rich = 1, alone = 1')
        """
        if not isinstance(target, Mapping) or not target:
            raise OptionError(f"target must map labels to the classes that they should have, not {target!r}")
        given = {self._label(name, "target"): label for name, label in target.items()}
        wanted = [name for name in self.names if name in given]
        codes = {name: code_of(given[name], self.classes(name), f"target[{name!r}]") for name in wanted}
        return self._goals.get(tuple(codes.items()), lambda: self._goal(codes))

    def _goal(self, codes: Mapping[str, int]) -> Compiled:
        functions, together = self._functions
        inner = [functions[item] for item in codes.items()]
        text = ", ".join(f"{one_line(name)} = {one_line(self.classes(name)[k])}" for name, k in codes.items())
        core = together.composed(how(len(inner), ALL), inner, self._any.budget())
        return compile(model_of(core, together.columns, (f"not ({text})", text)))

    def goal_of(self, x: Any, target: Mapping[str, Hashable], keep: Iterable[str] | str = ()) -> Compiled:
        """The same for a row: labels in ``keep`` have to stay as they are; "all" is all that are not in the target."""
        return self.goal(self._wanted(self.labels_of(x), target, keep))

    def _wanted(
        self, present: Mapping[str, Hashable], target: Mapping[str, Hashable], keep: Iterable[str] | str
    ) -> dict[str, Hashable]:
        if not isinstance(target, Mapping):
            raise OptionError(f"target must map labels to the classes that they should have, not {target!r}")
        if isinstance(keep, str) and keep not in self.models:
            kept = [name for name in self.names if name not in target] if keep == "all" else [keep]
        else:
            kept = [keep] if isinstance(keep, str) else list(keep)
        for name in kept:
            if self._label(name, "keep") in target:
                raise OptionError(f"keep: {name!r} is in the target, too; give it once")
        return {**{name: present[name] for name in kept}, **target}

    def explain(
        self, x: Any, *, target: Mapping[str, Hashable], keep: Iterable[str] | str = (), **options: Any
    ) -> Explanation:
        """All minimal changes after which a row has the wanted labels.

        Parameters
        ----------
        target:
            By label, the class that it should have.
        keep:
            Labels that have to stay as they are; "all" is all that are not in the target. The others are free.
        options:
            Those of `Compiled.explain`: k, cost, immutable, allowed, constraints and so on.
        """
        goal = self.goal_of(x, target, keep)
        if goal.decide(goal.instance(x))[0]:
            raise OptionError(f"target: the row already has {goal.classes[1]}")
        return goal.explain(x, **options)

    def explain_batch(
        self, rows: Any, *, target: Mapping[str, Hashable], keep: Iterable[str] | str = (), **options: Any
    ) -> LabelBatch:
        """The same for many rows, by `symcf.fast.explain_batch`, whose keywords it takes. Rows that keep the same
        labels are one batch; rows that have the wanted labels have no sets.
        """
        decided = self.predict(rows)
        places: dict[tuple[tuple[str, Hashable], ...], list[int]] = {}
        for i, row in enumerate(decided.tolist()):
            present = {name: self.classes(name)[k] for name, k in zip(self.names, row, strict=True)}
            places.setdefault(tuple(self._wanted(present, target, keep).items()), []).append(i)
        parts = []
        for wanted, chosen in places.items():
            goal = self.goal(dict(wanted))
            batch = fast.explain_batch(goal, _some(rows, chosen), target=goal.classes[1], **options)
            parts.append((chosen, batch))
        return LabelBatch(len(decided), parts, numbered=not hasattr(rows, "iloc"))

    # --- files

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        models = [list(m) if isinstance(m, tuple) else m.to_dict() for m in self.models.values()]
        shown = {} if self.names == tuple(self.models) else {"names": list(self.names)}
        return {"model": "multilabel", "labels": list(self.models), "models": models, "chain": self.chain, **shown}

    @classmethod
    def from_dict(cls, data: Any) -> MultiLabel:
        """The inverse of `to_dict`."""
        if not isinstance(data, Mapping) or data.get("model") != "multilabel":
            raise ModelError('not a model of several labels: it must be an object with "model": "multilabel"')
        try:
            names, models = data["labels"], data["models"]
            if not isinstance(names, list) or len(set(names)) != len(names) or len(names) != len(models):
                raise ModelError("labels and models must be lists of the same length, and no label may come twice")
            read = [tuple(m) if isinstance(m, list) else model_from_dict(m) for m in models]
            return cls(dict(zip(names, read, strict=True)), chain=bool(data["chain"]), names=data.get("names"))
        except (KeyError, TypeError) as error:
            raise ModelError(f"a model of several labels: {error} is missing or wrong") from None

    def save(self, path: str | PathLike[str]) -> None:
        """Writes all models to a file, as JSON; `MultiLabel.load` reads it back."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> MultiLabel:
        """Reads what `save` wrote."""
        with open(path, encoding="utf-8") as file:
            try:
                data = json.load(file)
            except ValueError as error:
                raise ModelError(f"{path} is not JSON: {error}") from None
        return cls.from_dict(data)

    def __repr__(self) -> str:
        return f"MultiLabel({', '.join(map(repr, self.names))}{', chain=True' * self.chain})"


def _refuse_labels_after(name: str, compiled: Compiled, names: Sequence[str]) -> None:
    later = set(names[names.index(name) :]) & set(compiled.features)
    if later:
        raise ModelError(f"the model of {name!r} reads the label {sorted(later)[0]!r}, which does not come before it")


def _some(rows: Any, chosen: list[int]) -> Any:
    """Some of the rows, in the form in which they were given."""
    if hasattr(rows, "iloc"):
        return rows.iloc[chosen]
    if isinstance(rows, np.ndarray):
        return rows[chosen]
    if isinstance(rows, Mapping):
        return {name: np.asarray(column)[chosen] for name, column in rows.items()}
    return [rows[i] for i in chosen]


class LabelBatch(Sequence[Explanation]):
    """The explanations of many rows. Made by `MultiLabel.explain_batch`."""

    def __init__(
        self, n_rows: int, parts: Sequence[tuple[list[int], BatchExplanation]], *, numbered: bool = True
    ) -> None:
        #: Rows with the same goal: their numbers, and their batch.
        self.parts = tuple(parts)
        self._place = {row: (batch, i) for rows, batch in parts for i, row in enumerate(rows)}
        self._n_rows = n_rows
        self._numbered = numbered

    def __len__(self) -> int:
        return self._n_rows

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        number = range(len(self))[row]
        batch, i = self._place[number]
        return batch[i]

    def __iter__(self) -> Iterator[Explanation]:
        return (self[i] for i in range(len(self)))

    def to_frame(self, k: int | None = 1) -> Any:
        """The changed rows as a DataFrame, see `BatchExplanation.to_frame`."""
        pandas = load_extra("pandas", "to_frame")

        frames = []
        for rows, batch in self.parts:
            frame = batch.to_frame(k)
            if self._numbered:
                numbers = [rows[i] for i in frame.index.get_level_values("row")]
                ranks = frame.index.get_level_values("counterfactual")
                frame.index = pandas.MultiIndex.from_arrays([numbers, ranks], names=["row", "counterfactual"])
            frames.append(frame)
        return pandas.concat(frames) if frames else pandas.DataFrame()
