"""Classifiers and functions for property tests: small, and full of what breaks things.

Two kinds of numbers are drawn. *Written* ones are short decimals, taken as the decimals that they are, from a small
pool: equal weights, zero weights and exact ties are common. *Wild* ones are any floats, taken as the binary fractions
that they are: extreme odds and, where wanted, probabilities of 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt
import oracle
from hypothesis import strategies as st

import symcf
from symcf import _core

TIES = ("positive", "negative")

#: Time limits for work that would take hours, where a test needs the first results: it tries them until there are some.
#: The shortest is enough on an idle machine.
LONGER = (0.2, 1.0, 5.0, 20.0)

WRITTEN = (0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95)
EXTREME = (1e-300, 1e-12, 2.0**-53, 1 - 1e-12, 1 - 2.0**-53)
CERTAIN = (0.0, 1.0)


@dataclass(frozen=True)
class Classifier:
    """What `NaiveBayes.binary` is given, and what it must make of it."""

    prior: float
    p1: tuple[float, ...]
    p0: tuple[float, ...]
    threshold: float = 0.5
    tie: str = "positive"
    read: Callable[[float], Fraction] = oracle.as_written

    @property
    def n(self) -> int:
        return len(self.p1)

    def model(self) -> symcf.NaiveBayes:
        return symcf.NaiveBayes.binary(self.prior, self.p1, self.p0, threshold=self.threshold, tie=self.tie)

    def compiled(self, order: str | Sequence[int | str] = "influence") -> symcf.Compiled:
        return symcf.compile(self.model(), order=order)

    @cached_property
    def odds(self) -> dict[oracle.Input, Fraction | float | None]:
        tables = oracle.binary_tables(map(self.read, self.p1), map(self.read, self.p0))
        return oracle.odds(self.read(self.prior), tables, self.read(self.threshold))

    def decide(self, ratio: Fraction | float) -> int:
        return int(ratio > 1 or (ratio == 1 and self.tie == "positive"))


def all_rows(n: int) -> npt.NDArray[np.uint32]:
    """Every input of n binary features, as the oracle orders them."""
    return np.array(oracle.inputs([2] * n), dtype=np.uint32).reshape(2**n, n)


def wild(*, certain: bool = False) -> st.SearchStrategy[float]:
    """Probabilities of every size; with `certain` also 0 and 1."""
    inside = st.floats(0, 1, exclude_min=True, exclude_max=True)
    special = st.sampled_from(EXTREME + WRITTEN + CERTAIN * certain)
    return special | inside


@st.composite
def classifiers(draw: st.DrawFn, min_n: int = 0, max_n: int = 7, *, certain: bool = True) -> Classifier:
    """Binary classifiers of both kinds. With `certain` some have no decision for some input."""
    n = draw(st.integers(min_n, max_n))
    written = draw(st.booleans())
    numbers = st.sampled_from(WRITTEN) if written else wild(certain=certain)
    column = st.lists(numbers, min_size=n, max_size=n).map(tuple)
    return Classifier(
        prior=draw(st.just(0.5) | numbers),
        p1=draw(column),
        p0=draw(column),
        threshold=draw(st.just(0.5) | (numbers if written else wild())),
        tie=draw(st.sampled_from(TIES)),
        read=oracle.as_written if written else oracle.exactly,
    )


def random_classifier(n: int, seed: int) -> Classifier:
    """As in the paper's experiments: all probabilities uniform."""
    numbers = np.random.default_rng(seed).uniform(size=(2, n)).tolist()
    return Classifier(0.5, tuple(numbers[0]), tuple(numbers[1]), read=oracle.exactly)


def truth_tables(max_n: int = 4) -> st.SearchStrategy[list[bool]]:
    """Any Boolean function of up to so many features, as its 2**n values."""
    return st.integers(0, max_n).flatmap(lambda n: st.lists(st.booleans(), min_size=2**n, max_size=2**n))


def parity(n: int) -> symcf.Diagram:
    """The functions with the most paths, 2**(n - 1) to each sink, from 2 n + 1 nodes."""
    level, child = [n, n], []
    even, odd = 0, 1
    for k in range(n - 1, -1, -1):
        level += [k, k] if k else [k]
        child += [even, odd, odd, even] if k else [even, odd]
        even, odd = len(level) - 2, len(level) - 1
    arrays = [np.array(a, dtype=np.uint32) for a in (range(n), [2] * n, level, child)]
    return symcf.Diagram(_core.Diagram.from_arrays(*arrays, len(level) - 1))


# --- features of any number of values ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class ManyValued:
    """A function of features with any number of values: its diagram, what it must be, and perhaps its integers."""

    diagram: symcf.Diagram
    n_values: tuple[int, ...]
    table: dict[oracle.Input, int]
    threshold: _core.Threshold | None = None

    @property
    def n(self) -> int:
        return len(self.n_values)


def diagram_of_table(
    n_values: Sequence[int], table: Callable[[oracle.Input], int], order: Sequence[int]
) -> symcf.Diagram:
    """The reduced diagram of any function, from what is left of it after each choice, level by level."""
    n = len(n_values)
    rows = oracle.inputs([n_values[j] for j in order])  # the last level changes fastest
    values = [table(tuple(row[order.index(j)] for j in range(n))) for row in rows]
    level, child, node_of = [n, n], list[int](), dict[tuple[int, ...], int]()
    for k in range(n - 1, -1, -1):  # a node of each group of neighbours that are not all the same
        groups = [tuple(values[i : i + n_values[order[k]]]) for i in range(0, len(values), n_values[order[k]])]
        node_of.clear()
        for group in groups:
            if len(set(group)) > 1 and group not in node_of:
                node_of[group] = len(level)
                level.append(k)
                child += group
        values = [node_of.get(group, group[0]) for group in groups]
    arity = [n_values[j] for j in order]
    arrays = [np.array(a, dtype=np.uint32) for a in (order, arity, level, child)]
    return symcf.Diagram(_core.Diagram.from_arrays(*arrays, values[0]))


@st.composite
def many_valued(
    draw: st.DrawFn, *, max_n: int = 4, max_values: int = 5, max_indicators: int = 9, threshold: bool | None = None
) -> ManyValued:
    """Threshold functions of small weights, and any functions; `threshold` asks for one kind."""
    n_values: list[int] = []
    for _ in range(draw(st.integers(0, max_n))):
        left = max_indicators - sum(d - 1 for d in n_values)
        n_values.append(draw(st.integers(1, min(max_values, left + 1))))
    order = draw(st.permutations(range(len(n_values))))
    if threshold if threshold is not None else draw(st.booleans()):
        offset = np.concatenate([[0], np.cumsum(n_values)]).astype(np.uint32)
        total = int(offset[-1])
        weight = np.array(draw(st.lists(st.integers(-4, 4), min_size=total, max_size=total)), dtype=np.int64)
        bias = draw(st.integers(-6, 6))
        t = _core.Threshold.from_weights(offset, weight, bias)
        diagram = symcf.Diagram(_core.Diagram.compile(t, np.array(order, dtype=np.uint32)))
        table = {
            x: int(bias + sum(int(weight[offset[j] + v]) for j, v in enumerate(x)) >= 0)
            for x in oracle.inputs(n_values)
        }
        return ManyValued(diagram, tuple(n_values), table, t)
    rows = oracle.inputs(n_values)
    drawn = draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    table = dict(zip(rows, drawn, strict=True))
    return ManyValued(diagram_of_table(n_values, table.__getitem__, list(order)), tuple(n_values), table)
