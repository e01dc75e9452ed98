"""Several labels, explained together.

Each class of each label is a function of the row. What is wanted of some labels is the conjunction of such functions, a
classifier of two classes that is asked like any other.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core, fast
from symcf.analysis.algebra.functions import class_part, model_of
from symcf.analysis.multilabel.chain import models_of, without_labels
from symcf.analysis.properties.falls import clock_for, is_large
from symcf.answers.batch import BatchExplanation
from symcf.answers.explanation import Explanation
from symcf.common.cache import Cache
from symcf.common.clock import NO_LIMIT, Clock, timed
from symcf.common.extras import load_extra
from symcf.common.lazy import cached_property
from symcf.common.memory import within
from symcf.common.options import checked_choice, checked_count, checked_seconds
from symcf.common.text import one_line, plain
from symcf.common.threads import Progress, reporter
from symcf.compiled import Compiled, compile
from symcf.data.given import GivenRows, ReadRows
from symcf.data.labels import code_of, label_array
from symcf.data.shared import Columns
from symcf.data.value_codes import ValueCodes
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.kinds import model_from_dict
from symcf.models.sklearn.any_library import from_model
from symcf.system.combine import ALL, Aligned, Part, aligned, how

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
        self.names: tuple[str, ...] = tuple(self.models if names is None else listed(names, "names"))
        if sorted(map(str, self.names)) != sorted(self.models):
            raise OptionError(f"names must list each label once: {', '.join(map(repr, self.models))}")
        self._goals = Cache[Compiled](KEPT)
        self._made = Cache[tuple[dict[tuple[str, int], _core.Diagram], Aligned]](1)

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
        if isinstance(name, str) and name in self.models:
            return name
        raise OptionError(f"{option}: there is no label {name!r}: choose from {', '.join(map(repr, self.models))}")

    def _within(self, clock: Clock) -> tuple[dict[tuple[str, int], _core.Diagram], Aligned]:
        """By label and class, its diagram over the columns that all labels share; `LimitError` if time is up before."""
        return self._made.get((), lambda: self._make(self._patient(clock)), clock)

    def _patient(self, clock: Clock) -> Clock:
        """Many trees get some seconds, if nothing else is said."""
        large = next(filter(is_large, self._compiled.values()), self._any)
        return clock_for(large, None) if clock.seconds is None else clock

    def _make(self, clock: Clock) -> tuple[dict[tuple[str, int], _core.Diagram], Aligned]:
        parts: dict[tuple[str, int], Part] = {}
        before: dict[str, dict[Any, Part]] = {}
        budget = self._any.budget(clock)
        for name, compiled in self._compiled.items():
            own = [class_part(compiled, k, clock) for k in range(compiled.n_classes)]
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
    def _compiled(self) -> dict[str, Compiled]:
        """By label its classifier, if it has one."""
        return {name: compile(model) for name, model in self.models.items() if not isinstance(model, tuple)}

    @property
    def _any(self) -> Compiled:
        """A classifier whose limits hold for all."""
        return next(iter(self._compiled.values()))

    @property
    def columns(self) -> Columns:
        """The columns that all labels read."""
        return self._columns(NO_LIMIT)

    def _columns(self, clock: Clock) -> Columns:
        return self._within(clock)[1].columns

    def predict(self, rows: Any, *, codes: bool = False) -> npt.NDArray[Any]:
        """By row and label, its class. With ``codes``: the place of the class in `classes`."""
        decided = self._decided(self.columns.reader.encode(rows))
        if codes:
            return decided
        every = label_array([label for name in self.names for label in self.classes(name)])
        first = np.cumsum([0, *(len(self.classes(name)) for name in self.names[:-1])], dtype=np.int64)
        labels: npt.NDArray[Any] = every[decided + first]
        return labels

    def _decided(self, codes: Any) -> npt.NDArray[np.int64]:
        functions, together = self._within(NO_LIMIT)
        if isinstance(together.columns.reader, ValueCodes):
            together.columns.reader.check(codes)
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

    @timed
    def goal(self, target: Mapping[str, Hashable], *, time_limit: float | None = None) -> Compiled:
        """A classifier of two classes: has the row these labels? It is asked like any other (explain, why, verify,
        report, save). `LimitError` if it is not made within ``time_limit`` seconds; many trees get 10 by default.

        >>> import symcf
        >>> rich = symcf.from_function(lambda row: row[0], 2, features=["savings", "married"])
        >>> alone = symcf.from_function(lambda row: not row[1], 2, features=["savings", "married"])
        >>> symcf.MultiLabel({"rich": rich, "alone": alone}).goal({"rich": 1, "alone": 1}).classes
        ('not (rich = 1, alone = 1)', 'rich = 1, alone = 1')
        """
        return self._goal(self._wanted(target), Clock(checked_seconds(time_limit)))

    def _wanted(self, target: Any) -> dict[str, int]:
        """By label, the code of the class that it should have."""
        if not isinstance(target, Mapping) or not target:
            raise OptionError(f"target must map labels to the classes that they should have, not {target!r}")
        given = {self._label(name, "target"): label for name, label in target.items()}
        return {name: code_of(label, self.classes(name), f"target[{name!r}]") for name, label in given.items()}

    def _kept(self, wanted: Mapping[str, int], keep: Any) -> list[str]:
        """The labels that have to stay as they are."""
        if keep == "all" and keep not in self.models:
            return [name for name in self.names if name not in wanted]
        kept = [self._label(name, "keep") for name in ([keep] if isinstance(keep, str) else listed(keep, "keep"))]
        for name in kept:
            if name in wanted:
                raise OptionError(f"keep: {name!r} is in the target, too; give it once")
        return kept

    def _goal(self, wanted: Mapping[str, int], clock: Clock) -> Compiled:
        codes = {name: wanted[name] for name in self.names if name in wanted}
        return self._goals.get(tuple(codes.items()), lambda: self._make_goal(codes, clock), clock)

    def _make_goal(self, codes: Mapping[str, int], clock: Clock) -> Compiled:
        functions, together = self._within(clock)
        inner = [functions[item] for item in codes.items()]
        text = ", ".join(f"{one_line(name)} = {one_line(self.classes(name)[k])}" for name, k in codes.items())
        core = together.composed(how(len(inner), ALL), inner, self._any.budget(clock))
        return compile(model_of(core, together.columns, (f"not ({text})", text)))

    @timed
    def goal_of(
        self,
        x: Any,
        target: Mapping[str, Hashable],
        keep: Iterable[str] | str = (),
        *,
        time_limit: float | None = None,
    ) -> Compiled:
        """The same for a row: labels in ``keep`` have to stay as they are; "all" is all that are not in the target."""
        return self._goal_of(x, target, keep, Clock(checked_seconds(time_limit)))

    def _goal_of(self, x: Any, target: Any, keep: Any, clock: Clock) -> Compiled:
        wanted = self._wanted(target)
        kept = self._kept(wanted, keep)
        decided = self._decided(self._columns(clock).reader.encode_one(x))[0].tolist()
        return self._goal({**wanted, **{name: decided[self.names.index(name)] for name in kept}}, clock)

    @timed
    def explain(
        self,
        x: Any,
        *,
        target: Mapping[str, Hashable],
        keep: Iterable[str] | str = (),
        time_limit: float | None = None,
        **options: Any,
    ) -> Explanation:
        """All minimal changes after which a row has the wanted labels.

        Parameters
        ----------
        target:
            By label, the class that it should have.
        keep:
            Labels that have to stay as they are; "all" is all that are not in the target. The others are free.
        time_limit:
            Seconds for the whole call; `LimitError` if they do not suffice to combine the labels.
        options:
            Those of `Compiled.explain`: k, cost, immutable, allowed, constraints and so on.
        """
        clock = Clock(checked_seconds(time_limit))
        most = checked_count(options.get("max_memory"), "max_memory", least=1) or 0
        goal = within(most, self._goal_of, x, target, keep, clock)
        if goal.decide(goal.instance(x))[0]:
            raise OptionError(f"target: the row already has {goal.classes[1]}")
        return goal.explain(x, time_limit=clock.seconds, **options)

    @timed
    def explain_batch(
        self,
        rows: Any,
        *,
        target: Mapping[str, Hashable],
        keep: Iterable[str] | str = (),
        time_limit: float | None = None,
        progress: Progress = None,
        errors: str = "raise",
        **options: Any,
    ) -> LabelBatch:
        """The same for many rows, by `symcf.fast.explain_batch`, whose keywords it takes. Rows that keep the same
        labels are one batch; rows that have the wanted labels have no sets.
        """
        clock = Clock(checked_seconds(time_limit))
        checked_choice(errors, "errors", ("raise", "mark"))
        most = checked_count(options.get("max_memory"), "max_memory", least=1) or 0
        wanted = self._wanted(target)
        kept = self._kept(wanted, keep)
        reader = within(most, self._columns, clock).reader
        given = GivenRows.of(rows, reader.layout)
        codes = reader.encode(given.given, mark=errors == "mark")
        done, parts = 0, []
        with reporter(progress, len(codes)) as report:

            def tell(more: int, _: int) -> None:
                if report is not None:
                    report(done + more)

            for stays, chosen in self._parts(codes, kept, errors):
                goal = within(most, self._goal, {**wanted, **stays}, clock)
                read = ReadRows(given.chosen(chosen), np.ascontiguousarray(codes[chosen]))
                asked = {"target": goal.classes[1], "time_limit": clock.seconds, "errors": errors, **options}
                parts.append((chosen, fast.explain_batch(goal, read, progress=tell, **asked)))
                done += len(chosen)
        return LabelBatch(parts)

    def _parts(
        self, codes: Any, kept: Sequence[str], errors: str
    ) -> Iterator[tuple[dict[str, int], npt.NDArray[np.int64]]]:
        """Rows in which the labels that are kept are the same; those that cannot be read keep none. One at least."""
        readable = np.arange(len(codes))
        if errors == "mark":
            readable = np.flatnonzero(((codes >= 0) & (codes < np.array(self.columns.n_values))).all(axis=1))
        places = [self.names.index(name) for name in kept]
        labels, part = np.unique(self._decided(codes[readable])[:, places], axis=0, return_inverse=True)
        for i, line in enumerate(labels.tolist()):
            yield dict(zip(kept, line, strict=True)), readable[part.ravel() == i]
        if len(readable) < len(codes) or not len(codes):
            yield {}, np.setdiff1d(np.arange(len(codes)), readable)

    # --- files

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        models = [[plain(m[0])] if isinstance(m, tuple) else m.to_dict() for m in self.models.values()]
        shown = {} if self.names == tuple(self.models) else {"names": list(self.names)}
        return {"model": "multilabel", "labels": list(self.models), "models": models, "chain": self.chain, **shown}

    @classmethod
    def from_dict(cls, data: Any) -> MultiLabel:
        """The inverse of `to_dict`."""
        if not isinstance(data, Mapping) or data.get("model") != "multilabel":
            raise ModelError('not a model of several labels: it must be an object with "model": "multilabel"')
        try:
            labels, models, chain = data["labels"], data["models"], data["chain"]
        except KeyError as error:
            raise ModelError(f"a model of several labels: {error} is missing") from None
        if not isinstance(labels, list) or not isinstance(models, list) or len(labels) != len(models):
            raise ModelError("labels and models must be lists of the same length")
        if not all(isinstance(name, str) for name in labels) or len(set(labels)) < len(labels):
            raise ModelError(f"labels must be different names, not {labels!r}")
        if not isinstance(chain, bool):
            raise ModelError(f"chain must be true or false, not {chain!r}")
        read = [tuple(m) if isinstance(m, list) else model_from_dict(m) for m in models]
        return cls(dict(zip(labels, read, strict=True)), chain=chain, names=data.get("names"))

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
                raise ModelError(f"not JSON: {error}") from None
        return cls.from_dict(data)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (self.models, self.chain, self.names)

    def __repr__(self) -> str:
        return f"MultiLabel({', '.join(map(repr, self.names))}{', chain=True' * self.chain})"


def _made_again(models: Any, chain: bool, names: Any) -> MultiLabel:
    return MultiLabel(models, chain=chain, names=names)


def listed(given: Any, option: str) -> list[Any]:
    """The items of a list of labels."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise OptionError(f"{option} must list labels, not {given!r}")
    return list(given)


def _refuse_labels_after(name: str, compiled: Compiled, names: Sequence[str]) -> None:
    later = set(names[names.index(name) :]) & set(compiled.features)
    if later:
        raise ModelError(f"the model of {name!r} reads the label {sorted(later)[0]!r}, which does not come before it")


# --- batches ----------------------------------------------------------------------------------------------------------


class LabelBatch(Sequence[Explanation]):
    """The explanations of many rows. Made by `MultiLabel.explain_batch`."""

    def __init__(self, parts: Sequence[tuple[npt.NDArray[np.int64], BatchExplanation]]) -> None:
        #: Rows with the same goal: their numbers, and their batch.
        self.parts = tuple(parts)
        self._place = {row: (batch, i) for rows, batch in parts for i, row in enumerate(rows.tolist())}

    def __len__(self) -> int:
        return len(self._place)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        batch, i = self._place[range(len(self))[row]]
        return batch[i]

    def __iter__(self) -> Iterator[Explanation]:
        return (self[i] for i in range(len(self)))

    def to_frame(self, k: int | None = 1) -> Any:
        """The changed rows as a DataFrame, in the order of the rows; see `BatchExplanation.to_frame`."""
        pandas = load_extra("pandas", "to_frame")

        frames = [batch.to_frame(k) for _, batch in self.parts]
        numbers = []
        for (rows, batch), frame in zip(self.parts, frames, strict=True):
            changed = rows[np.flatnonzero(np.diff(batch.row_offsets))]
            numbers.append(changed[np.cumsum(frame.index.get_level_values("counterfactual") == 0) - 1])
        return pandas.concat(frames).iloc[np.argsort(np.concatenate(numbers), kind="stable")]

    def __repr__(self) -> str:
        return f"LabelBatch({len(self):,} rows, {len(self.parts)} goals)"
