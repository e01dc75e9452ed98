"""A prepared classifier: how rows are read, how they are decided, and the diagrams of its classes.

    model -> rule -> decision -> diagrams

All later packages use it. `symcf.compiled.Compiled` adds the methods that answer questions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.cache import Cache, new_lock
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.lazy import cached_property
from symcf.common.memory import within
from symcf.data.encoder import Encoder, ValueCodes
from symcf.data.given import GivenRow
from symcf.data.labels import code_of, feature_index, label_array
from symcf.data.plausibility import Plausibility
from symcf.data.raw_row import RawRow
from symcf.data.reader import Codes, ColumnLayout, read_row, read_rows
from symcf.data.regions import Region
from symcf.errors import CompileLimitError, ModelError, OptionError
from symcf.models.base import Model
from symcf.models.goals import NumberGoal, reaching
from symcf.models.grid import FinerModel, GridModel
from symcf.models.joint import Agreed, JointGoal
from symcf.system.decision import Budget, Decision
from symcf.system.diagram import Diagram
from symcf.system.make import Setting, make_decision
from symcf.system.proved import proved_diagrams
from symcf.system.targets import Targets

__all__ = ["MAX_MEMORY", "Classifier", "Limits"]

T = TypeVar("T")

ORDERS = ("influence", "natural", "sift")

#: Working memory of a compilation, by default: a diagram that needs more is rarely useful.
MAX_MEMORY = 4 << 30

#: How many engines, and classifiers that distinguish more values, are kept for later questions.
KEPT_ENGINES, KEPT_CLASSIFIERS = 32, 8

#: How many questions are.
KEPT_QUESTIONS = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of everything that may grow without bound. 0 means no limit."""

    max_nodes: int = 0
    max_memory: int = MAX_MEMORY
    time_limit: float | None = None
    #: Where the diagrams of sums of weights are built: "arrays" or "cudd".
    backend: str = "arrays"


class Classifier:
    """A model with its decision and its diagrams. Safe to share between threads."""

    def __init__(
        self,
        model: Model,
        order: str | Sequence[int | str],
        limits: Limits,
        apart: Sequence[Sequence[int]] | None = None,
        plausibility: Plausibility | None = None,
        twice: Collection[int] = (),
    ) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"compile takes a model or a Diagram, not {type(model).__name__}")
        self.model = model
        self.limits = limits
        self.features: tuple[str, ...] = model.features
        #: By feature, the names of its values, and whether these come in an order; the names of the classes.
        self.values, self.ordered, self.classes = model.values, model.ordered, model.classes
        #: What reads rows: the model's encoder, if it has one.
        self.encoder: Encoder = self._value_codes if model.encoder is None else model.encoder
        self.n_features, self.n_classes = len(self.features), len(self.classes)
        #: By feature, the code of missing values where they are a value of their own; else None.
        self.missing: tuple[int | None, ...] = () if model.encoder is None else model.encoder.missing
        #: By feature, the code of entries that are none of the categories; else None.
        self.unknown: tuple[int | None, ...] = () if model.encoder is None else model.encoder.unknown
        #: The decision, in integers, over groups of values that make a difference.
        self.decision: Decision = make_decision(model.rule(), Setting(len(self.classes), self.features, apart, twice))
        if limits.backend == "cudd" and not self.decision.is_additive:
            raise OptionError(
                f"backend='cudd' compiles sums of weights, as naive Bayes and linear models have; {model!r} is compiled"
                " in arrays: leave backend out"
            )
        #: Where the values of each feature start when all are numbered through.
        self.value_offset = self.decision.groups.value_offset
        self.order = order if isinstance(order, str) else self._checked_order(order)
        if isinstance(self.order, str) and self.order not in ORDERS:
            raise OptionError(
                f"unknown order {order!r}: choose from {', '.join(map(repr, ORDERS))} or list the features"
            )
        if plausibility is not None:
            plausibility.check_fits(model)
        #: Which rows are plausible; None where no data were given.
        self.plausibility = plausibility
        self._diagrams: dict[int, Diagram] = {}
        self._set_up()

    def _set_up(self) -> None:
        """Sets the attributes that are not part of the pickled state."""
        self._lock = new_lock()
        self._apart = Cache[Self](KEPT_CLASSIFIERS)
        #: What later packages keep for this classifier, such as engines that take long to load.
        self.kept = Cache[Any](KEPT_ENGINES)
        #: Questions that were checked before.
        self.asked = Cache[Any](KEPT_QUESTIONS)

    def _checked_order(self, order: Sequence[int | str]) -> tuple[int, ...]:
        indices = [feature_index(feature, self.features, "order") for feature in order]
        if sorted(indices) != list(range(len(self.features))):
            raise OptionError(f"order must list each of the {len(self.features)} features once")
        return tuple(indices)

    @cached_property
    def targets(self) -> Targets:
        """The diagrams of what changed rows have to reach."""
        return Targets(self.class_diagram, self.decision.groups, self.budget)

    @property
    def is_black_box(self) -> bool:
        """Can the model only be called? Then rows may have values of their own (`around`)."""
        return self.model.is_black_box

    @property
    def threshold(self) -> _core.Threshold | None:
        """Two classes by sums of weights: the decision in integers, over groups of values. None otherwise."""
        return self.decision.threshold

    @cached_property
    def has_probabilities(self) -> bool:
        """Does `predict_proba` work?"""
        return self.probabilities(np.zeros((0, self.n_features), dtype=np.int64)) is not None

    # --- rows

    @cached_property
    def _value_codes(self) -> ValueCodes:
        return ValueCodes(self.features, [len(labels) for labels in self.values], self.values)

    def codes(self, rows: Any, *, mark: bool = False) -> Codes:
        """Rows in the user's form -> value codes. With ``mark``, an invalid value becomes -1, and so do all of a row
        with a number that is too far away to be decided exactly.
        """
        codes = self.encoder.encode(rows, mark=mark)
        return self.decision.marked(codes) if mark else codes

    def instance(self, x: Any) -> npt.NDArray[Any]:
        """One instance as a checked row of value codes, of shape (1, n)."""
        return self.checked(self.encoder.encode_one(x))

    def around(self, rows: Any, *, one: bool = False) -> Self:
        """The same classifier, or where it is asked one that has the values of these rows (of this `one`) among its
        own.
        """
        if not self.model.is_black_box or self.model.encoder is None:
            return self
        table = (read_row if one else read_rows)(rows, self.encoder.layout)
        model = self.model.including(table)
        return self if model is self.model else self.with_model(model)

    def of_codes(self) -> Self:
        """The same classifier for rows of value codes, whatever it reads otherwise."""
        return self if self.model.encoder is None else self._apart.get("codes", self._without_encoder)

    def _without_encoder(self) -> Self:
        twin = copy(self)
        twin.model, twin.encoder = copy(self.model), self._value_codes
        twin.model.encoder = None
        twin._set_up()
        return twin

    def with_model(self, model: Model) -> Self:
        """The same classifier of a black-box model with other values."""
        likely = None if self.plausibility is None else self.plausibility.over(model.values)
        return type(self)(model, self.order, self.limits, None, likely)

    def said(self, codes: Codes) -> tuple[list[Any], npt.NDArray[np.float64] | None]:
        """What the model itself says about rows of value codes, whatever the numeric target is: labels, or the numbers
        of a regressor; and the score that its decision function has, of this class where there are several.
        """
        model, own = self.model.underlying(codes)
        predicted, scores = model.predicted(own), model.number("score", None, own)
        if predicted is not None:
            return predicted.tolist(), scores
        known = self
        if model is not self.model:
            known = self.kept.get(Model, lambda: type(self)(model, self.order, self.limits))
        decided = known.decide(own)
        if scores is not None and scores.ndim == 2:
            scores = scores[np.arange(len(own)), decided]
        return [model.classes[k] for k in decided.tolist()], scores

    def towards(self, goal: NumberGoal | JointGoal) -> Self:
        """The classifier "is this goal reached?" over the same rows."""
        if self.model.goal == goal:
            return self
        return self._apart.get(goal, lambda: self._prepared(self._reaching(goal)))

    def _reaching(self, goal: NumberGoal | JointGoal) -> Self:
        make = partial(type(self), order=self.order, limits=self.limits)
        if isinstance(goal, NumberGoal):
            return make(reaching(self.model, goal), plausibility=self.plausibility)
        model = Agreed(self.model, goal)
        likely = self.plausibility
        if likely is not None and goal.width:
            likely = likely.spread([c for c, line in zip(model.codes, model.values, strict=True)])
        return make(model, plausibility=likely)

    @staticmethod
    def _prepared(classifier: T) -> T:
        classifier.decision.prepare()  # type: ignore[attr-defined]
        return classifier

    def cut_at(self, cuts: Mapping[int, Iterable[float]]) -> Self:
        """The same classifier with the ranges of some features cut at these numbers as well."""
        regions = {j: (self.encoder.readers[j].regions or {}).values() for j in cuts}
        new = {
            j: tuple(sorted(x for x in set(numbers) if any(r.first < x <= r.last for r in regions[j])))
            for j, numbers in cuts.items()
        }
        key = tuple(sorted((j, numbers) for j, numbers in new.items() if numbers))
        return self._apart.get(key, lambda: self._cut(dict(key))) if key else self

    def _cut(self, cuts: Mapping[int, Iterable[float]]) -> Self:
        model = FinerModel(self.model, self.encoder, cuts)
        likely = None if self.plausibility is None else self.plausibility.spread(model.codes)
        return type(self)(model, self.order, self.limits, None, likely)

    def on_grid(
        self,
        codes: Mapping[int, npt.NDArray[np.int64]],
        own: Mapping[int, int] | None = None,
        ahead: Sequence[int] | None = None,
    ) -> Self:
        """The same classifier over finitely many numbers of each column of numbers; see `GridModel`."""
        likely = None if self.plausibility is None else self.plausibility.on_grid(codes)
        return type(self)(GridModel(self.model, codes, own or {}, ahead), self.order, self.limits, None, likely)

    @property
    def tried(self) -> Sequence[Sequence[bool]] | None:
        """By feature and value: is it one that may be suggested, or a row's own? None where all are suggested."""
        asked = self.decision.black_box
        return self.model.tried if asked is None else asked.suggested

    @property
    def code_layout(self) -> ColumnLayout:
        """The columns of rows of value codes."""
        return self._value_codes.layout

    def raw_row(
        self,
        codes: Sequence[int],
        given: GivenRow | None,
        resolutions: Mapping[int, Fraction],
        limits: Mapping[int, Region],
        compared: Collection[int] = (),
    ) -> RawRow:
        """A row in the user's terms. Without what was given, its codes are."""
        encoder = self._value_codes if given is None else self.encoder
        row = GivenRow(list(codes), encoder.layout) if given is None else given
        return RawRow(encoder, row, codes, self.values, self.ordered, resolutions, limits, compared)

    def checked(self, row: Codes) -> npt.NDArray[Any]:
        """A row of shape (1, n); an error if a code is out of range."""
        return self._value_codes.checked(row)

    def labels_of(self, row: Any) -> list[Hashable]:
        """The names of the values of one row of codes, of shape (1, n)."""
        return [labels[int(code)] for labels, code in zip(self.values, row[0], strict=True)]

    def with_names(self, call: Callable[[], T]) -> T:
        """Runs `call`; a bad code it meets is reported with the names of feature and values."""
        return self._value_codes.naming(call)

    # --- decisions

    @property
    def classes_(self) -> tuple[Hashable, ...]:
        """The same as `classes`, as scikit-learn calls it."""
        return self.classes

    def predict(self, rows: Any, *, codes: bool = False) -> npt.NDArray[Any]:
        """The class of every row, as its label. With ``codes``: as its place in `classes`. Of a regressor: the number
        that it predicts.
        """
        known = self.around(rows)
        given = known.codes(rows)
        if not self.classes:
            self._value_codes.check(given)
            numbers = self.model.predicted(given)
            assert numbers is not None
            return numbers
        decided = known.decide(given)
        return decided if codes else self._class_labels[decided]

    @cached_property
    def _class_labels(self) -> npt.NDArray[Any]:
        return label_array(self.classes)

    def decide(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """The same for rows of value codes."""
        return self.with_names(lambda: self.decision.predict(codes))

    def decision_function(self, rows: Any) -> npt.NDArray[np.float64]:
        """How sure the decision is.

        Two classes: positive for class 1; for naive Bayes the log-odds above the threshold, 0 for ties, infinite where
        certain. More classes: one score per class, the largest of which wins.
        """
        codes = self.codes(rows)
        self._value_codes.check(codes)
        values = self.model.decision_values(codes)
        if values is None:
            raise NotImplementedError(f"{type(self.model).__name__} gives no margin, only the decision")
        return values

    def predict_proba(self, rows: Any) -> npt.NDArray[np.float64]:
        """The probability of each class for every row."""
        codes = self.codes(rows)
        self._value_codes.check(codes)
        probabilities = self.probabilities(codes)
        if probabilities is None:
            raise NotImplementedError(f"{type(self.model).__name__} gives no probabilities, only the decision")
        return probabilities

    def probabilities(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The same for rows of value codes; None where the model has none."""
        return self.model.predict_proba(codes)

    # --- diagrams

    @property
    def diagram(self) -> Diagram:
        """Two classes: the decision "class 1" as a diagram; built at first use, by one thread, while others wait."""
        if self.n_classes != 2:
            self.decision.check_diagram()
            raise OptionError(f"each of the {self.n_classes} classes has a diagram: use diagram_of(class)")
        return self.class_diagram(1)

    def diagram_of(self, label: Hashable) -> Diagram:
        """The function "the decision is this class" as a diagram."""
        return self.class_diagram(code_of(label, self.classes, "diagram_of"))

    def class_diagram(self, k: int, clock: Clock = NO_LIMIT) -> Diagram:
        """The same for the code of a class, which is what the rest of the library has; `LimitError` when the time of
        the call that wants it is up.
        """
        with clock.holding(self._lock):
            if k not in self._diagrams:
                try:
                    budget = self.budget(clock)
                    self._diagrams[k] = within(budget.max_memory, self._build_diagram, k, budget)
                except CompileLimitError as error:
                    additive = self.decision.is_additive
                    raise error.advising("predict, engine='cover'" if additive else "predict") from None
            return self._diagrams[k]

    def built_diagrams(self) -> dict[int, Diagram]:
        """The diagrams that have been built so far, by class."""
        with self._lock:
            return dict(self._diagrams)

    def adopt_diagrams(self, diagrams: dict[int, _core.Diagram], *, trust: bool = False) -> None:
        """Takes diagrams that were built before and saved, if they are proved to be those of this classifier.

        `ModelError` if one belongs to another classifier. Those that cannot be proved either way are taken if they are
        trusted, else left out.
        """
        groups = self.decision.groups
        for k, core in diagrams.items():
            if not 0 <= k < self.n_classes or core.n != self.n_features:
                raise ModelError(f"the diagram of class {k} does not fit the model")
            if (core.arity != np.diff(groups.core_offset)[core.order]).any():
                raise ModelError(f"the diagram of class {k} does not fit the model")
        proved = proved_diagrams(self.decision, diagrams)
        for k, core in diagrams.items():
            if trust or k in proved:
                self._diagrams[k] = Diagram(core, self.features, None, groups)

    def adopt_diagram(self, k: int, diagram: Diagram) -> None:
        """Takes the diagram of a class without a check; the caller knows that it is right."""
        with self._lock:
            self._diagrams[k] = diagram

    def budget(self, clock: Clock = NO_LIMIT) -> Budget:
        """What building a diagram may take from now on, in a call with this clock."""
        clock = clock.earlier(self.limits.time_limit)
        in_cudd = self.limits.backend == "cudd"
        return Budget(lambda: clock.left, self.limits.max_nodes, self.limits.max_memory, in_cudd)

    def _build_diagram(self, k: int, budget: Budget) -> Diagram:
        if self.n_classes == 2 and k == 0:  # the complement of class 1
            if 1 not in self._diagrams:
                self._diagrams[1] = self._build_diagram(1, budget)
            bdd: _core.Bdd | None = _core.Bdd.conjoin([self._diagrams[1].core], [True], *budget.now())
            assert bdd is not None
            return Diagram(bdd.freeze(budget.seconds()), self.features, bdd, self.decision.groups, budget.in_cudd)
        core, bdd = self.decision.diagram(k, self._level_order(), budget)
        if bdd is None and (self.order == "sift" or bool((core.arity == 2).all())):
            bdd = _core.Bdd.thaw(core, *budget.now())
        if self.order == "sift" and bdd is not None:
            bdd.sift(budget.seconds())
            core = bdd.freeze(budget.seconds())
        return Diagram(core, self.features, bdd, self.decision.groups, budget.in_cudd)

    def _level_order(self) -> npt.NDArray[np.uint32]:
        if self.order in ("influence", "sift"):
            return self.decision.influence_order()
        return np.array(range(self.n_features) if self.order == "natural" else self.order, dtype=np.uint32)

    def telling_apart(self, partition: Sequence[Sequence[int]], twice: Collection[int] = ()) -> Self:
        """The same classifier, or one that also distinguishes values that make no difference to the decision. The
        values of features in ``twice`` come a second time (see `Groups`).
        """
        key, groups = tuple(map(tuple, partition)), self.decision.groups
        if not twice and (groups.trivial or groups.refined(key).group_of == groups.group_of):
            return self
        options = (self.order, self.limits, key, self.plausibility, tuple(sorted(twice)))
        return self._apart.get((key, options[-1]), lambda: type(self)(self.model, *options))

    # --- housekeeping

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        for name in ("_lock", "_apart", "kept", "asked", "targets"):
            state.pop(name, None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._set_up()

    def __repr__(self) -> str:
        built = f", {sum(d.size for d in self._diagrams.values())} nodes" if self._diagrams else ""
        groups = [f"{self.features[j]} = {' | '.join(columns)}" for j, columns in self.encoder.groups.items()]
        told = f", columns read as one: {'; '.join(groups)}" if groups else ""
        return f"{type(self).__name__}({self.n_features} features, order={self.order!r}{built}{told})"
