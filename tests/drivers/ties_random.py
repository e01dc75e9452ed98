"""Linear rows over columns of whole numbers, against all rows: ``python tests/drivers/ties_random.py --count 1000``.

A model of four weights over the numbers from 0 to 4; constraints over sums, changes and quotients, as text and as plain
Python; six rows each, in a batch and one by one, as a frame and as mappings.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pandas as pd
import random_runs

import symcf
from symcf.fast import explain_batch

NAMES = ("a", "b", "c", "d")

#: Constraints as text, and what they say of a row and of what it was.
CONSTRAINTS = {
    "a + b <= 4": lambda new, old: new["a"] + new["b"] <= 4,
    "a < 2 * b": lambda new, old: new["a"] < 2 * new["b"],
    "a == b": lambda new, old: new["a"] == new["b"],
    "a != b": lambda new, old: new["a"] != new["b"],
    "2 * a - 3 * b >= old.c": lambda new, old: 2 * new["a"] - 3 * new["b"] >= old["c"],
    "change.a == change.b": lambda new, old: new["a"] - old["a"] == new["b"] - old["b"],
    "change.a <= 2 * change.b + 1": lambda new, old: new["a"] - old["a"] <= 2 * (new["b"] - old["b"]) + 1,
    "a <= 1.5 * old.a": lambda new, old: 2 * new["a"] <= 3 * old["a"],
    "a / (b + 1) <= 0.5": lambda new, old: 2 * new["a"] <= new["b"] + 1,
    "a / (b - 2) > 1": lambda new, old: new["b"] != 2 and Fraction(new["a"], new["b"] - 2) > 1,
    "a + b < c": lambda new, old: new["a"] + new["b"] < new["c"],
    "a + c <= 5 and b >= a": lambda new, old: new["a"] + new["c"] <= 5 and new["b"] >= new["a"],
    "a > b or b > c": lambda new, old: new["a"] > new["b"] or new["b"] > new["c"],
    "a < b -> c >= a": lambda new, old: new["a"] >= new["b"] or new["c"] >= new["a"],
}


class Drawn:
    """Weights of numbers from 0 to 4, rows, and a question."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"ties {seed}")
        self.weights = [rng.choice((-3, -2, -1, 1, 2, 3)) for _ in NAMES]
        self.bias = rng.randint(-6, 6)
        self.labels = rng.choice([("no", "yes"), (1, 2), (-1, 1), (False, True)])
        self.types = [rng.choice(("int64", "int8", "uint16", "Int64")) for _ in NAMES]
        self.rows = [[rng.randint(0, 4) for _ in NAMES] for _ in range(6)]
        self.texts = rng.sample(sorted(CONSTRAINTS), rng.choice((1, 1, 1, 2)))
        self.immutable = [name for name in NAMES if rng.random() < 0.15]
        self.ways = {name: rng.choice(("increase", "decrease")) for name in NAMES if rng.random() < 0.2}
        self.most = rng.choice((None, None, 1, 2, 3))
        self.k = rng.choice((None, None, 1, 3))
        self.cost = {name: rng.randint(1, 4) for name in NAMES} if rng.random() < 0.5 else None

    @property
    def keywords(self) -> dict:
        """The question."""
        given = {"constraints": self.texts, "immutable": self.immutable, "allowed": self.ways, "k": self.k}
        return given | {"max_changes": self.most, "cost": self.cost}

    def frame(self) -> pd.DataFrame:
        """The rows as a table."""
        frame = pd.DataFrame(self.rows, columns=NAMES)
        return frame.astype(dict(zip(NAMES, self.types, strict=True)))

    def compiled(self) -> symcf.Compiled:
        """The model."""
        terms = [symcf.NumberTerm(weight, range=(0, 4), resolution=1) for weight in self.weights]
        return symcf.compile(symcf.AdditiveClassifier(terms, self.bias, features=NAMES, classes=self.labels))

    def is_second(self, row: tuple[int, ...]) -> bool:
        """The second class?"""
        return sum(w * x for w, x in zip(self.weights, row, strict=True)) + self.bias > 0

    def expected(self, row: list[int]) -> list[tuple[int, ...]]:
        """The minimal sets, by all rows."""
        old, enough = dict(zip(NAMES, row, strict=True)), set()
        for new in product(range(5), repeat=len(NAMES)):
            changed = tuple(j for j, (a, b) in enumerate(zip(row, new, strict=True)) if a != b)
            if self.is_second(new) == self.is_second(tuple(row)) or not self.may(row, new):
                continue
            if all(CONSTRAINTS[text](dict(zip(NAMES, new, strict=True)), old) for text in self.texts):
                enough.add(changed)
        minimal = [
            one for one in enough if not any(part in enough for r in range(len(one)) for part in combinations(one, r))
        ]
        minimal = [one for one in minimal if self.most is None or len(one) <= self.most]
        prices = self.cost or dict.fromkeys(NAMES, 1)
        found = sorted(minimal, key=lambda one: (sum(prices[NAMES[j]] for j in one), len(one), one))
        return found if self.k is None else found[: self.k]

    def may(self, row: list[int], new: tuple[int, ...]) -> bool:
        """Do the changes keep what is immutable, and the directions?"""
        for name, a, b in zip(NAMES, row, new, strict=True):
            if a != b and (name in self.immutable or (self.ways.get(name) == ("decrease" if b > a else "increase"))):
                return False
        return True


def check(seed: int, tally: Counter) -> None:
    """The rows of one model."""
    drawn = Drawn(seed)
    c, frame = drawn.compiled(), drawn.frame()
    batch = explain_batch(c, frame, **drawn.keywords)
    for i, row in enumerate(drawn.rows):
        expected, told = drawn.expected(row), f"seed {seed}, {drawn.keywords}, {row}"
        single = frame.iloc[[i]] if i % 2 else dict(zip(NAMES, row, strict=True))
        found = c.explain(single, **drawn.keywords)
        assert list(batch.sets(i)) == expected, f"{list(batch.sets(i))} in a batch instead of {expected}: {told}"
        assert found.sets == expected, f"{found.sets} instead of {expected}: {told}"
        tally["questions"] += 2
    for cf in found:  # of the last row
        new = dict(zip(NAMES, row, strict=True)) | {change.name: int(change.new) for change in cf.changes}
        assert drawn.is_second(tuple(new.values())) != drawn.is_second(tuple(row)), f"{new} is not enough: {told}"
        obeys = all(CONSTRAINTS[text](new, dict(zip(NAMES, row, strict=True))) for text in drawn.texts)
        obeys &= drawn.may(row, tuple(new.values()))
        assert obeys, f"{new} is not allowed: {told}"
        tally["rows"] += 1


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "models", __doc__, 500))
