"""A compiled classifier: the stages of the paper, in order.

    model -> threshold function -> diagram -> clauses -> change sets -> explanation

`compile` only does the first step; the diagram is built when someone asks for it.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core, engines
from symcf.cnf import MAX_CLAUSES, MAX_IN, MAX_LENGTH, Cnf, Wcnf, encode, no_cut_chunks
from symcf.costs import Costs
from symcf.diagram import Diagram
from symcf.errors import InstanceError, OptionError
from symcf.explanation import Counterfactual, Explanation
from symcf.instances import as_row, as_rows, feature_index, feature_indices, name_bad_codes
from symcf.naive_bayes import NaiveBayes
from symcf.options import checked_choice, checked_count, checked_seconds
from symcf.question import Question

__all__ = ["Compiled", "Limits", "compile"]

T = TypeVar("T")

ORDERS = ("influence", "natural", "sift")

#: Working memory of a compilation, unless told otherwise: a diagram that needs more is rarely wanted.
MAX_MEMORY = 4 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of everything that may grow beyond bounds. 0 means none."""

    max_nodes: int = 0
    max_memory: int = MAX_MEMORY
    time_limit: float | None = None


def compile(
    model: NaiveBayes | Diagram,
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
        A `NaiveBayes`, or the `Diagram` of any Boolean function.
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

    def __init__(self, model: NaiveBayes | Diagram, order: str | Sequence[int | str], limits: Limits) -> None:
        self.model = model
        self.limits = limits
        self.classes: tuple[Hashable, ...]
        self.values: tuple[tuple[Hashable, ...], ...]
        #: The decision in integers; None for a Boolean function that came as a diagram.
        self.threshold: _core.Threshold | None
        self._diagram: Diagram | None
        if isinstance(model, Diagram):
            self.classes = (0, 1)
            self.values = ((0, 1),) * model.n_features
            self.threshold, self._diagram = None, model
        elif isinstance(model, NaiveBayes):
            self.classes = model.classes
            self.values = model.values
            self.threshold, self._diagram = model.threshold_function(), None
        else:
            raise TypeError(f"compile takes a NaiveBayes or a Diagram, not {type(model).__name__}")
        self.features: tuple[str, ...] = model.features
        self.value_offset = np.concatenate([[0], np.cumsum([len(v) for v in self.values])]).astype(np.uint32)
        self.order = order if isinstance(order, str) else self._checked_order(order)
        if isinstance(self.order, str) and self.order not in ORDERS:
            raise OptionError(
                f"unknown order {order!r}: choose from {', '.join(map(repr, ORDERS))} or list the features"
            )
        self._lock = threading.Lock()
        self._engines: dict[tuple[str, str, str | None], engines.Engine] = {}

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
    def has_probabilities(self) -> bool:
        """Can `predict_proba` be asked?"""
        return isinstance(self.model, NaiveBayes)

    # --- decisions

    def predict(self, rows: Any) -> npt.NDArray[np.uint8]:
        """The class of every row, as a code (`classes` has the names)."""
        array = as_rows(rows, self.features)
        if self.threshold is None:
            return self.with_names(lambda: self.diagram.core.evaluate(array))
        threshold = self.threshold
        return (self.with_names(lambda: threshold.scores(array)) >= 0).astype(np.uint8)

    def decision_function(self, rows: Any) -> npt.NDArray[np.float64]:
        """The log-odds of class 1 above the threshold: positive for class 1, 0 for ties, infinite where certain."""
        if self.threshold is None:
            raise NotImplementedError("a Boolean function has no margin")
        array, threshold = as_rows(rows, self.features), self.threshold
        return self.with_names(lambda: threshold.margins(array))

    def predict_proba(self, rows: Any) -> npt.NDArray[np.float64]:
        """The probability of each class for every row."""
        if not isinstance(self.model, NaiveBayes):
            raise NotImplementedError("a Boolean function has no probabilities")
        cut = math.log(self.model.threshold / (1 - self.model.threshold))
        odds = self.decision_function(rows) + cut
        with np.errstate(over="ignore"):
            return np.column_stack([1 / (1 + np.exp(odds)), 1 / (1 + np.exp(-odds))])

    def with_names(self, call: Callable[[], T]) -> T:
        """Runs `call`; a bad code it meets is reported with the names of feature and values."""
        return name_bad_codes(call, self.features, [len(values) for values in self.values])

    def instance(self, x: Any) -> npt.NDArray[np.uint32]:
        """One instance as a checked row of shape (1, n)."""
        row = as_row(x, self.features)
        limits = np.diff(self.value_offset)
        for j in np.flatnonzero((row[0] < 0) | (row[0] >= limits)):
            error = InstanceError(
                f"feature {self.features[j]!r}: {row[0, j]} is not a value code between 0 and {limits[j] - 1}"
            )
            error.feature, error.value = int(j), int(row[0, j])
            raise error
        return row.astype(np.uint32)

    # --- diagram

    @property
    def diagram(self) -> Diagram:
        """The decision as an OBDD; built at first use, by one thread, while others wait."""
        with self._lock:
            if self._diagram is None:
                self._diagram = self._build_diagram()
            return self._diagram

    def _build_diagram(self) -> Diagram:
        assert self.threshold is not None
        clock = engines.Clock(self.limits.time_limit)
        budget = (self.limits.max_nodes, self.limits.max_memory)
        order = self._level_order(self.threshold)
        core = _core.Diagram.compile(self.threshold, order, clock.left, *budget)
        if any(len(values) != 2 for values in self.values):
            return Diagram(core, self.features)  # CUDD's twin is for two values a feature
        bdd = _core.Bdd.thaw(core, clock.left, *budget)
        if self.order == "sift":
            bdd.sift(clock.left)
            core = bdd.freeze()
        return Diagram(core, self.features, bdd)

    def _level_order(self, threshold: _core.Threshold) -> npt.NDArray[np.uint32]:
        if self.order in ("influence", "sift"):
            return threshold.influence_order()
        return np.array(range(self.n_features) if self.order == "natural" else self.order, dtype=np.uint32)

    # --- clauses

    def cnf(
        self,
        encoding: str = "no-cut",
        negate: bool = False,
        *,
        max_clauses: int | None = MAX_CLAUSES,
        max_in: int = MAX_IN,
        max_length: int = MAX_LENGTH,
    ) -> Cnf:
        """Σf, the clauses of "class 1" (with ``negate``: of "class 0").

        ``encoding`` is "no-cut" (the paper's: one clause an off-set path), "node-cut" (a variable a node), "aux-cut"
        (variables where more than ``max_in`` edges meet and every ``max_length`` literals) or "prime" (an irredundant
        set of prime implicates). All have the same models over the features. More than ``max_clauses`` clauses are
        refused before any memory is taken.
        """
        return encode(
            self.diagram, encoding, negate=negate, max_clauses=max_clauses, max_in=max_in, max_length=max_length
        )

    def cnf_chunks(self, negate: bool = False, *, chunk_size: int = 1 << 20) -> Iterator[npt.NDArray[np.int32]]:
        """The no-cut clauses in buffers of about ``chunk_size`` entries, never all at once."""
        return no_cut_chunks(self.diagram, negate=negate, chunk_size=chunk_size)

    def wcnf(self, x: Any, immutable: Any = (), cost: Any = None, *, encoding: str = "no-cut") -> Wcnf:
        """Σf (Σ¬f for a positive instance) hard, the instance soft: its MCSs are the change sets."""
        row = self.instance(x)
        cnf = self.cnf(encoding, negate=bool(self.predict(row)[0]))
        fixed = feature_indices(immutable, self.features, "immutable")
        free = [j for j in range(self.n_features) if j not in set(fixed)]
        literals = np.array([j + 1 if row[0, j] else -(j + 1) for j in range(self.n_features)], dtype=np.int32)
        weights = Costs(cost, self.features).weights()
        return Wcnf(cnf, literals[free], [weights[j] for j in free], literals[list(fixed)])

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
        encoding: str = "auto",
        solver: str | None = None,
    ) -> Explanation:
        """All minimal counterfactuals of an instance, or the cheapest ones.

        Parameters
        ----------
        x:
            The instance: value codes, as a sequence or a mapping from feature names.
        target:
            The wanted class, by name or code; by default the other one.
        immutable:
            Features that must stay.
        allowed:
            For some features the values they may take, or "increase" or "decrease".
        cost:
            What changing a feature costs: a mapping (others cost 1) or one positive number a feature.
        max_changes:
            The most features a counterfactual may change.
        k:
            Only the k cheapest.
        max_results, time_limit:
            Stop after this many change sets or seconds; ``status`` tells, nothing is cut off silently.
        engine:
            "auto", "cover", "minimal", "sat" or "sat-portable"; they differ in speed, not in the answer.
        values:
            Which new values to give for a change set: "best" (the cheapest that flip the decision).
        encoding, solver:
            For the SAT engines: how Σf is written (see `cnf`), and the name of a PySAT solver.
        """
        question = Question(self, x, target, immutable, allowed, cost, max_changes)
        checked_choice(values, "values", ("best", "all"))
        if values == "all" and any(len(v) > 2 for v in self.values):
            raise NotImplementedError("values='all' for features of more than two values is not supported yet")
        return question.explain(
            self._engine(engine, encoding, solver),
            checked_count(k, "k", least=1),
            checked_count(max_results, "max_results", least=1),
            engines.Clock(checked_seconds(time_limit)),
        )

    def _engine(self, name: str, encoding: str = "auto", solver: str | None = None) -> engines.Engine:
        """The engine of this name; made once, since some are expensive to load."""
        key = (name, encoding, solver)
        if key not in self._engines:
            self._engines[key] = engines.make_engine(self, name, encoding, solver)
        return self._engines[key]

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
    ) -> Iterator[Counterfactual]:
        """Yields minimal counterfactuals as they are found, holding only a few at a time.

        In no particular order; `explain` has an order, and a status that tells whether a time limit cut it short. Here
        a time limit that strikes raises `LimitError` after the last result.
        """
        question = Question(self, x, target, immutable, allowed, cost, max_changes)
        return question.stream(
            self._engine(engine),
            checked_count(max_results, "max_results", least=1),
            engines.Clock(checked_seconds(time_limit)),
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
    ) -> int:
        """The exact number of change sets, without listing them."""
        question = Question(self, x, target, immutable, allowed, None, max_changes)
        clock = engines.Clock(checked_seconds(time_limit))
        return self._engine(engine).count(question.query, clock)

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
        return engine.count_bounds(question.query, engines.Clock(checked_seconds(time_limit)))

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
    ) -> list[Counterfactual]:
        """Minimal counterfactuals drawn uniformly from all of them, with replacement, without listing them."""
        question = Question(self, x, target, immutable, allowed, cost, max_changes)
        engine = engines.MinimalEngine(
            self.diagram.core, self.value_offset, self.limits.max_nodes, self.limits.max_memory
        )
        family = engine.family(question.query, engines.Clock(None))
        wanted = checked_count(size, "size", least=0) or 0
        if wanted and not family.count():
            raise ValueError("there is no counterfactual to draw")
        bits = np.random.default_rng(seed).bit_generator
        return [question.counterfactual(s) for s in family.sample(wanted, bits).to_list()]

    # --- housekeeping

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_lock"], state["_engines"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()
        self._engines = {}

    def __repr__(self) -> str:
        built = f", {self._diagram.size} nodes" if self._diagram is not None else ""
        return f"Compiled({self.n_features} features, order={self.order!r}{built})"
