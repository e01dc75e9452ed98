"""What the formats have in common: trees that compare the numbers of columns, and scores that are added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError

__all__ = [
    "MOST_CLASSES",
    "MOST_COLUMNS",
    "Categories",
    "Ensemble",
    "RawTree",
    "category_text",
    "checked_rounds",
    "counted",
    "in_a_file",
    "scores_of",
    "tested_categories",
]

#: Numbers up to this size are zeros to LightGBM: its kZeroThreshold.
ZERO = float(np.float32(1e-35))

#: A file that states more is damaged; reading it would take all memory before anything else is noticed.
MOST_COLUMNS, MOST_CLASSES = 1 << 20, 1 << 12


@dataclass(frozen=True, eq=False)
class RawTree:
    """One tree. Node 0 is the root."""

    #: The column that a node tests; -1 at leaves.
    column: npt.NDArray[np.int64]
    left: npt.NDArray[np.int64]
    right: npt.NDArray[np.int64]
    #: What the number is compared with; NaN where the test is a set of categories.
    threshold: npt.NDArray[np.float64]
    #: Whether NaN goes left.
    nan_left: npt.NDArray[np.bool_]
    #: What each class gets at a leaf: (nodes, classes).
    score: npt.NDArray[np.float64]
    #: By node that tests a set of categories: the numbers of those that go left.
    sets: Mapping[int, frozenset[int]] = field(default_factory=dict)
    #: Whether 0 goes where NaN goes.
    zero_is_missing: bool = False

    def __post_init__(self) -> None:
        by_node = (self.column, self.left, self.right, self.threshold, self.nan_left)
        if any(array.shape != (len(self.score),) for array in by_node):
            raise ValueError("the arrays of a tree have different lengths")

    @classmethod
    def leaf(cls, score: npt.NDArray[np.float64]) -> RawTree:
        """A tree without tests; one line of scores."""
        one = np.full(1, -1)
        return cls(one, one, one, np.full(1, np.nan), np.zeros(1, dtype=np.bool_), score)


def scores_of(numbers: npt.NDArray[np.float64], k: int, n_classes: int) -> npt.NDArray[np.float64]:
    """By node, scores of class k and none of the others."""
    score = np.zeros((len(numbers), n_classes))
    score[:, k] = numbers
    return score


def tested_categories(trees: Sequence[RawTree]) -> dict[int, set[int]]:
    """By column, the numbers of categories that tests list."""
    found: dict[int, set[int]] = {}
    for tree in trees:
        for u, numbers in tree.sets.items():
            found.setdefault(int(tree.column[u]), set()).update(numbers)
    return found


@dataclass(frozen=True)
class Categories:
    """What is known of a column of categories."""

    #: By number, the category as it is in raw rows; None: the raw rows hold the numbers.
    names: tuple[Any, ...] | None
    #: The numbers that are known from training.
    numbers: tuple[int, ...]
    #: Whether rows may have other categories.
    other: bool
    #: Whether a missing category is a value of its own.
    missing: bool
    #: Whether raw rows may hold values whose text (`category_text`) is the name.
    as_text: bool = False


def category_text(value: Any) -> str:
    """The text of a category where the library compares texts: that of a truth value is 0 or 1."""
    return str(int(value)) if isinstance(value, (bool, np.bool_)) else str(value)


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Trees whose scores are added up."""

    #: For messages.
    library: str
    trees: Sequence[RawTree]
    n_columns: int
    n_classes: int
    #: By class, what is added to the scores.
    bias: npt.NDArray[np.float64]
    #: Are numbers rounded to 32 bits before they are compared?
    float32: bool
    #: Is the test "less than" (XGBoost), or "at most"?
    strict: bool = False
    #: The names of the columns, if they are the user's own.
    names: tuple[str, ...] | None = None
    #: The labels of the classes, if the file has them.
    classes: tuple[Any, ...] | None = None
    #: Are numbers that are almost 0 taken for 0?
    tiny_is_zero: bool = False
    #: What `predict_proba` makes of the sums, see `BoostedTrees`.
    probability: str | None = "logistic"
    slope: float = 1.0
    categories: Mapping[int, Categories] = field(default_factory=dict)
    #: Which of several classes with the same sum wins, see `BoostedTrees`.
    tie: str = "negative"
    #: Does it accept NaN at all?
    takes_missing: bool = True
    #: By column, the number that NaN is read as; in others it is a value of its own.
    nan_as: Mapping[int, float] = field(default_factory=dict)
    #: By column, the name of its type in the table that it was trained on, where that is known; empty if none is.
    types: tuple[str | None, ...] = ()
    #: By column 1, -1 or 0, if the ensemble was trained to be monotone.
    monotone: tuple[int, ...] | None = None
    #: Of a regressor, which has one sum, that of the second of two classes: the steps of a `Link` from the sum to what
    #: it predicts. None for classifiers.
    link: tuple[tuple[Any, ...], ...] | None = None
    #: The bits of the floats that the library adds up.
    bits: int = 53

    def __post_init__(self) -> None:
        last = max((int(tree.column.max(initial=-1)) for tree in self.trees), default=-1)
        if not last < self.n_columns or self.n_columns < 1:
            raise ValueError(f"it has {self.n_columns} columns, and its trees test column {last}")


def counted(given: Any, what: str, most: int) -> int:
    """A number of columns or classes in a file; ValueError, for `in_a_file`, if it cannot be one."""
    count = int(given)
    if not 0 <= count <= most:
        raise ValueError(f"it has {count:,} {what}, and at most {most:,} are read")
    return count


def checked_rounds(library: str, given: int, n_rounds: int) -> int:
    """How many rounds count."""
    if not 1 <= given <= n_rounds:
        raise ModelError(f"iterations: this {library} model has {n_rounds} rounds, not {given}")
    return given


#: What reading a damaged file runs into.
DAMAGED = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)


@contextmanager
def in_a_file(library: str) -> Iterator[None]:
    """Errors within it say that a file does not hold what it should."""
    try:
        yield
    except DAMAGED as error:
        missing = " is missing" if isinstance(error, KeyError) else ""
        raise ModelError(f"not a whole {library} model: {error}{missing}") from None
