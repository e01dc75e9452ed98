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
        return symcf.compile(self.model(), order)

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
