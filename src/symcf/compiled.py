"""A compiled classifier: the stages of the paper, in order.

    model -> rule -> decision -> diagram -> clauses -> change sets -> explanation

`compile` only does the first steps; a diagram is built when someone asks for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.clauses.cnf import MAX_CLAUSES, MAX_IN, MAX_LENGTH, Cnf, Wcnf, encode, no_cut_chunks
from symcf.common.clock import Clock
from symcf.common.options import checked_choice, checked_count, checked_seconds
from symcf.decision.decision import Budget, Decision, make_decision
from symcf.diagrams.diagram import Diagram
from symcf.engines import engines
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.rules import DiagramRule, Rule
from symcf.questions.question import Question
from symcf.questions.relations import Relations
from symcf.results.explanation import Counterfactual, Explanation
from symcf.rows.encoder import Encoder
from symcf.rows.labels import code_of, feature_index
from symcf.rows.reader import Codes
from symcf.rows.value_codes import ValueCodes

__all__ = ["Compiled", "Limits", "compile"]

T = TypeVar("T")

ORDERS = ("influence", "natural", "sift")

#: Working memory of a compilation, unless told otherwise: a diagram that needs more is rarely wanted.
MAX_MEMORY = 4 << 30

#: Random rows by which a diagram that was saved is compared with the model.
SAMPLE = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of everything that may grow beyond bounds. 0 means none."""

    max_nodes: int = 0
    max_memory: int = MAX_MEMORY
    time_limit: float | None = None


def compile(
    model: Model | Diagram,
    order: str | Sequence[int | str] = "influence",
    *,
    max_nodes: int | None = None,
    max_memory: int | None = MAX_MEMORY,
    time_limit: float | None = None,
) -> Compiled:
    """Prepares a classifier for explaining. Cheap: the diagram is built at its first use.

    Parameters
    ----------
    model:
        A `NaiveBayes`, `LinearClassifier`, `DecisionTree`, `RandomForest`, whatever `from_sklearn`, `from_function` and
        `from_dd` give, or the `Diagram` of a Boolean function.
    order:
        The order in which the diagram tests the features: "influence" (the spread of their weights, largest first:
        almost always close to the best), "natural", "sift" (CUDD's reordering, starting from influence), or a list of
        all features by name or index.
    max_nodes, max_memory, time_limit:
        Nodes, bytes and seconds that building the diagram may take; beyond it, `CompileLimitError` says how far it
        got. None is no limit.

    >>> import symcf
    >>> model = symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20])
    >>> c = symcf.compile(model)
    >>> c.explain([1, 0, 1, 0]).sets
    [(1,), (3,)]
    """
    limits = Limits(
        checked_count(max_nodes, "max_nodes", least=1) or 0,
        checked_count(max_memory, "max_memory", least=1) or 0,
        checked_seconds(time_limit),
    )
    return Compiled(model, order, limits)


class Compiled:
    """A classifier, ready to be asked. Made by `symcf.compile`; safe to share between threads."""

    def __init__(
        self,
        model: Model | Diagram,
        order: str | Sequence[int | str],
        limits: Limits,
        apart: Sequence[Sequence[int]] | None = None,
    ) -> None:
        if not isinstance(model, (Model, Diagram)):
            raise TypeError(f"compile takes a model or a Diagram, not {type(model).__name__}")
        self.model = model
        self.limits = limits
        self.features: tuple[str, ...] = model.features
        rule: Rule
        self.values: tuple[tuple[Hashable, ...], ...]
        self.classes: tuple[Hashable, ...]
        if isinstance(model, Diagram):
            rule, self.classes = DiagramRule((model.core,)), (0, 1)
            self.values = tuple(tuple(range(d)) for d in model.n_values)
            self.ordered: tuple[bool, ...] = (True,) * len(self.features)
        else:
            rule, self.classes, self.values, self.ordered = model.rule(), model.classes, model.values, model.ordered
        #: Who decides, in integers, over groups of values that make a difference.
        self.decision: Decision = make_decision(rule, len(self.classes), apart)
        #: Where the values of each feature start when all are numbered through.
        self.value_offset = self.decision.groups.value_offset
        self.order = order if isinstance(order, str) else self._checked_order(order)
        if isinstance(self.order, str) and self.order not in ORDERS:
            raise OptionError(
                f"unknown order {order!r}: choose from {', '.join(map(repr, ORDERS))} or list the features"
            )
        self._diagrams: dict[int, Diagram] = {1: model} if isinstance(model, Diagram) else {}
        self._set_up()

    def _set_up(self) -> None:
        """What is not part of the state."""
        self._lock = threading.Lock()
        self._engines: dict[Hashable, engines.Engine] = {}
        self._apart: dict[Hashable, Compiled] = {}

    def _checked_order(self, order: Sequence[int | str]) -> tuple[int, ...]:
        indices = [feature_index(feature, self.features, "order") for feature in order]
        if sorted(indices) != list(range(len(self.features))):
            raise OptionError(f"order must list each of the {len(self.features)} features once")
        return tuple(indices)

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.features)

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.classes)

    @property
    def threshold(self) -> _core.Threshold | None:
        """Two classes by sums of weights: the decision in integers, over groups of values. None otherwise."""
        return self.decision.threshold

    @cached_property
    def has_probabilities(self) -> bool:
        """Can `predict_proba` be asked?"""
        return self.probabilities(np.zeros((1, self.n_features), dtype=np.int64)) is not None

    # --- rows

    @cached_property
    def _value_codes(self) -> ValueCodes:
        return ValueCodes(self.features, [len(labels) for labels in self.values])

    @property
    def _encoder(self) -> Encoder:
        """What reads rows: the model's encoder, if it has one."""
        own = self.model.encoder if isinstance(self.model, Model) else None
        return self._value_codes if own is None else own

    def codes(self, rows: Any, *, mark: bool = False) -> Codes:
        """Rows as the user holds them -> value codes. With ``mark``, what is no value becomes -1."""
        return self._encoder.encode(rows, mark=mark)

    def instance(self, x: Any) -> npt.NDArray[np.uint32]:
        """One instance as a checked row of value codes, of shape (1, n)."""
        return self.checked(self._encoder.encode_one(x))

    def checked(self, row: Codes) -> npt.NDArray[np.uint32]:
        """A row of shape (1, n), if all its codes are in range."""
        return self._value_codes.checked(row)

    def with_names(self, call: Callable[[], T]) -> T:
        """Runs `call`; a bad code it meets is reported with the names of feature and values."""
        return self._value_codes.naming(call)

    # --- decisions

    def predict(self, rows: Any) -> npt.NDArray[np.uint8]:
        """The class of every row, as a code (`classes` has the names)."""
        return self.decide(self.codes(rows))

    def decide(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """The same for rows of value codes."""
        return self.with_names(lambda: self.decision.predict(codes))

    def decision_function(self, rows: Any) -> npt.NDArray[np.float64]:
        """How sure the decision is.

        Two classes: positive for class 1; for naive Bayes the log-odds above the threshold, 0 for ties, infinite where
        certain. More classes: a score a class, the largest of which wins.
        """
        codes = self.codes(rows)
        self._value_codes.check(codes)
        values = self.model.decision_values(codes) if isinstance(self.model, Model) else None
        if values is None:
            raise NotImplementedError(f"{type(self.model).__name__}: no margin is known, only the decision")
        return values

    def predict_proba(self, rows: Any) -> npt.NDArray[np.float64]:
        """The probability of each class for every row."""
        codes = self.codes(rows)
        self._value_codes.check(codes)
        probabilities = self.probabilities(codes)
        if probabilities is None:
            raise NotImplementedError(f"{type(self.model).__name__}: no probabilities are known, only the decision")
        return probabilities

    def probabilities(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The same for rows of value codes; None where the model has none."""
        return self.model.predict_proba(codes) if isinstance(self.model, Model) else None

    # --- diagrams

    @property
    def diagram(self) -> Diagram:
        """Two classes: the decision "class 1" as a diagram; built at first use, by one thread, while others wait."""
        if self.n_classes != 2:
            raise OptionError(f"{self.n_classes} classes have a diagram each: ask diagram_of(class)")
        return self.class_diagram(1)

    def diagram_of(self, label: Hashable) -> Diagram:
        """The function "the decision is this class" as a diagram."""
        return self.class_diagram(code_of(label, self.classes, "diagram_of"))

    def class_diagram(self, k: int) -> Diagram:
        """The same for the code of a class, which is what the rest of the library has."""
        with self._lock:
            if k not in self._diagrams:
                self._diagrams[k] = self._build_diagram(k)
            return self._diagrams[k]

    def built_diagrams(self) -> dict[int, Diagram]:
        """The diagrams that have been built so far, by class."""
        with self._lock:
            return dict(self._diagrams)

    def adopt_diagrams(self, diagrams: dict[int, _core.Diagram]) -> None:
        """Takes diagrams that were built before and saved; `ModelError` if they cannot be those of this classifier:
        they have other features, or decide otherwise for one of some random rows.
        """
        groups = self.decision.groups
        n_values = np.diff(groups.core_offset)
        sample = np.random.default_rng(0).integers(0, np.diff(self.value_offset), (SAMPLE, self.n_features))
        decided = self.decide(sample)
        for k, core in diagrams.items():
            if not 0 <= k < self.n_classes or core.n != self.n_features or (core.arity != n_values[core.order]).any():
                raise ModelError(f"the diagram of class {k} does not fit the model")
            diagram = Diagram(core, self.features, None, groups)
            if (diagram.evaluate(sample) != (decided == k)).any():
                raise ModelError(f"the diagram of class {k} is of another model")
            self._diagrams[k] = diagram

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the classifier and the diagrams built so far to one file; `symcf.load` reads it back."""
        from symcf.storage.archive import save

        save(self, path)

    def budget(self) -> Budget:
        """What building a diagram may take, from now on."""
        clock = Clock(self.limits.time_limit)
        return Budget(lambda: clock.left, self.limits.max_nodes, self.limits.max_memory)

    def _build_diagram(self, k: int) -> Diagram:
        budget = self.budget()
        if self.n_classes == 2 and k == 0:  # the complement of class 1
            if 1 not in self._diagrams:
                self._diagrams[1] = self._build_diagram(1)
            bdd: _core.Bdd | None = _core.Bdd.conjoin([self._diagrams[1].core], [True], *budget.now())
            assert bdd is not None
            return Diagram(bdd.freeze(), self.features, bdd, self.decision.groups)
        core, bdd = self.decision.diagram(k, self._level_order(), budget)
        if bdd is None and (self.order == "sift" or bool((core.arity == 2).all())):
            bdd = _core.Bdd.thaw(core, *budget.now())
        if self.order == "sift" and bdd is not None:
            bdd.sift(budget.seconds())
            core = bdd.freeze()
        return Diagram(core, self.features, bdd, self.decision.groups)

    def _level_order(self) -> npt.NDArray[np.uint32]:
        if self.order in ("influence", "sift"):
            return self.decision.influence_order()
        return np.array(range(self.n_features) if self.order == "natural" else self.order, dtype=np.uint32)

    # --- clauses

    def cnf(
        self,
        encoding: str = "no-cut",
        negate: bool = False,
        *,
        of: Hashable | None = None,
        max_clauses: int | None = MAX_CLAUSES,
        max_in: int = MAX_IN,
        max_length: int = MAX_LENGTH,
    ) -> Cnf:
        """Σf, the clauses of "class 1" (with ``negate``: of "class 0"); of any class with ``of``.

        ``encoding`` is "no-cut" (the paper's: one clause an off-set path), "node-cut" (a variable a node), "aux-cut"
        (variables where more than ``max_in`` edges meet and every ``max_length`` literals) or "prime" (an irredundant
        set of prime implicates). All have the same models over the features. More than ``max_clauses`` clauses are
        refused before any memory is taken.
        """
        diagram = self.diagram if of is None else self.diagram_of(of)
        return encode(diagram, encoding, negate=negate, max_clauses=max_clauses, max_in=max_in, max_length=max_length)

    def cnf_chunks(
        self, negate: bool = False, *, of: Hashable | None = None, chunk_size: int = 1 << 20
    ) -> Iterator[npt.NDArray[np.int32]]:
        """The no-cut clauses in buffers of about ``chunk_size`` entries, never all at once."""
        diagram = self.diagram if of is None else self.diagram_of(of)
        return no_cut_chunks(diagram, negate=negate, chunk_size=chunk_size)

    def wcnf(
        self,
        x: Any,
        immutable: Any = (),
        cost: Any = None,
        *,
        target: Hashable | None = None,
        allowed: Any = None,
        constraints: Any = (),
        encoding: str = "no-cut",
    ) -> Wcnf:
        """The clauses of the goal hard, the instance soft, one group a feature: its MCSs are the change sets."""
        question = Question(self, x, target, immutable, allowed, cost, constraints=constraints)
        return question.wcnf(encoding)

    # --- change sets and explanations

    def explain(
        self,
        x: Any,
        target: Hashable | None = None,
        immutable: Any = (),
        allowed: Any = None,
        cost: Any = None,
        max_changes: int | None = None,
        k: int | None = None,
        max_results: int | None = None,
        time_limit: float | None = None,
        engine: str = "auto",
        values: str = "best",
        *,
        constraints: Any = (),
        encoding: str = "auto",
        solver: str | None = None,
    ) -> Explanation:
        """All minimal counterfactuals of an instance, or the cheapest ones.

        Parameters
        ----------
        x:
            The instance: value codes, as a sequence or a mapping from feature names; a raw row where the model reads
            those.
        target:
            The wanted class; by default any other than the present one.
        immutable:
            Features that must stay.
        allowed:
            For some features the values they may take, or "increase" or "decrease".
        cost:
            What changing a feature costs: a mapping (others cost 1) or one positive number a feature. Instead of a
            number: a matrix by old and new value, a mapping from new values or from (old, new) pairs, or "ordinal" (one
            for each step).
        max_changes:
            The most features a counterfactual may change.
        k:
            Only the k cheapest.
        max_results, time_limit:
            Stop after this many change sets or seconds; ``status`` tells, nothing is cut off silently.
        engine:
            "auto", "cover", "minimal", "sat" or "sat-portable"; they differ in speed, not in the answer.
        values:
            Which new values to give for a change set: "best" (the cheapest that flip the decision, of these the
            surest) or "all" that do.
        constraints:
            Relations between features that the counterfactual must obey, such as ``"married = yes -> age != child"``;
            see `symcf.implies` and `symcf.forbid`. The instance itself need not obey them.
        encoding, solver:
            For the SAT engines: how Σf is written (see `cnf`), and the name of a PySAT solver.
        """
        question = Question(self, x, target, immutable, allowed, cost, max_changes, constraints)
        return question.explain(
            question.engine(engine, encoding, solver),
            checked_count(k, "k", least=1),
            checked_count(max_results, "max_results", least=1),
            Clock(checked_seconds(time_limit)),
            checked_choice(values, "values", ("best", "all")),
        )

    def engine(
        self,
        name: str,
        encoding: str = "auto",
        solver: str | None = None,
        *,
        any_other: bool = True,
        relations: Relations | None = None,
    ) -> engines.Engine:
        """The engine of this name, for any other class or for a given one; made once, since some take long to load."""
        key = (name, encoding, solver, any_other or self.n_classes == 2, relations)
        if key not in self._engines:
            self._engines[key] = engines.make_engine(self, *key)
        return self._engines[key]

    def telling_apart(self, partition: Sequence[Sequence[int]]) -> Compiled:
        """The same classifier, or one that also tells apart values that make no difference to the decision."""
        key = tuple(map(tuple, partition))
        if self.decision.groups.trivial or self.decision.groups.refined(key).group_of == self.decision.groups.group_of:
            return self
        if key not in self._apart:
            self._apart[key] = Compiled(self.model, self.order, self.limits, key)
        return self._apart[key]

    def iter_counterfactuals(
        self,
        x: Any,
        target: Hashable | None = None,
        immutable: Any = (),
        allowed: Any = None,
        cost: Any = None,
        max_changes: int | None = None,
        max_results: int | None = None,
        time_limit: float | None = None,
        engine: str = "auto",
        *,
        constraints: Any = (),
    ) -> Iterator[Counterfactual]:
        """Yields minimal counterfactuals as they are found, holding only a few at a time.

        In no particular order; `explain` has an order, and a status that tells whether a time limit cut it short. Here
        a time limit that strikes raises `LimitError` after the last result.
        """
        question = Question(self, x, target, immutable, allowed, cost, max_changes, constraints)
        return question.stream(
            question.engine(engine),
            checked_count(max_results, "max_results", least=1),
            Clock(checked_seconds(time_limit)),
        )

    def count(
        self,
        x: Any,
        target: Hashable | None = None,
        immutable: Any = (),
        allowed: Any = None,
        max_changes: int | None = None,
        time_limit: float | None = None,
        engine: str = "auto",
        *,
        constraints: Any = (),
    ) -> int:
        """The exact number of change sets, without listing them."""
        question = Question(self, x, target, immutable, allowed, None, max_changes, constraints)
        clock = Clock(checked_seconds(time_limit))
        return question.engine(engine).count(question.query, clock)

    def count_bounds(
        self,
        x: Any,
        target: Hashable | None = None,
        immutable: Any = (),
        allowed: Any = None,
        max_changes: int | None = None,
        time_limit: float | None = None,
    ) -> tuple[int, int]:
        """Certified lower and upper bounds of `count`, where exact counting exceeds its budget."""
        if self.threshold is None:
            exact = self.count(x, target, immutable, allowed, max_changes, time_limit)
            return exact, exact
        question = Question(self, x, target, immutable, allowed, None, max_changes)
        engine = engines.CoverEngine(self.threshold, self.limits.max_nodes, self.limits.max_memory)
        return engine.count_bounds(question.query, Clock(checked_seconds(time_limit)))

    def sample(
        self,
        x: Any,
        size: int,
        seed: int | np.random.Generator | None = None,
        target: Hashable | None = None,
        immutable: Any = (),
        allowed: Any = None,
        cost: Any = None,
        max_changes: int | None = None,
        *,
        constraints: Any = (),
    ) -> list[Counterfactual]:
        """Minimal counterfactuals drawn uniformly from all of them, with replacement, without listing them."""
        question = Question(self, x, target, immutable, allowed, cost, max_changes, constraints)
        engine = question.engine("minimal")
        assert isinstance(engine, engines.MinimalEngine)
        family = engine.family(question.query, Clock(None))
        wanted = checked_count(size, "size", least=0) or 0
        if wanted and not family.count():
            raise ValueError("there is no counterfactual to draw")
        bits = np.random.default_rng(seed).bit_generator
        return [question.counterfactual(s) for s in family.sample(wanted, bits).to_list()]

    # --- housekeeping

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_lock"], state["_engines"], state["_apart"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._set_up()

    def __repr__(self) -> str:
        built = f", {sum(d.size for d in self._diagrams.values())} nodes" if self._diagrams else ""
        return f"Compiled({self.n_features} features, order={self.order!r}{built})"
