"""Small tables of whole numbers with fitted estimators. The estimator's own `predict` decides every row."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from reference import MISSING, Domain, Row
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf

NAMES = ("income", "age of car", "debt", "rooms")
LABELS = (("no", "yes"), ("yes", "no"), (0, 1), (1, 2), (-1, 1), (False, True), ("a", "b", "c"), (3, 7, 5))
SIZE = 4  # numbers of a column

NUMBERS = {
    "logistic": lambda seed: LogisticRegression(),
    "scaled": lambda seed: make_pipeline(StandardScaler(), LogisticRegression()),
    "Gaussian": lambda seed: GaussianNB(),
}
TREES = {
    "tree": lambda seed: DecisionTreeClassifier(max_depth=4, random_state=seed),
    "forest": lambda seed: RandomForestClassifier(4, max_depth=3, random_state=seed),
    "boosted": lambda seed: GradientBoostingClassifier(n_estimators=4, max_depth=2, random_state=seed),
    "histograms": lambda seed: HistGradientBoostingClassifier(max_iter=4, min_samples_leaf=2, random_state=seed),
}
CATEGORIES = {"categories": lambda seed: CategoricalNB()}
#: Those that read ranges of numbers, also beyond the data.
RANGES = {**TREES, "Bernoulli": lambda seed: BernoulliNB()}
#: Those that take rows with missing numbers.
GAPS = ("tree", "forest", "histograms")
KINDS = {**NUMBERS, **RANGES, **CATEGORIES}
#: No difference between two classes may be as small as this, unless they are equal in one tree.
CLOSE = 1e-9


class SmallTable:
    """A fitted estimator, its classifier, and the label of every row that it can get."""

    def __init__(self, rng: random.Random, *, gaps: bool = False, steps: Sequence[int] = (1,)) -> None:
        """``gaps``: may numbers be missing, and may they be decimals? ``steps``: the numbers of a column are multiples
        of one of these. With other steps than 1, numbers may be suggested that `domains` lacks.
        """
        self.kind = rng.choice(list(KINDS))
        self.labels = rng.choice(LABELS)
        n = rng.choice((2, 3, 3, 4))
        self.names = rng.sample(NAMES, n)
        sizes = [rng.randint(2, SIZE if n < 4 else 3) for _ in self.names]
        holes = [gaps and self.kind in GAPS and rng.random() < 0.5 for _ in self.names]
        units = [1 if self.kind in CATEGORIES else rng.choice(steps) for _ in self.names]
        self.seen = [
            [*range(0, unit * size, unit), *[MISSING] * hole]
            for unit, size, hole in zip(units, sizes, holes, strict=True)
        ]
        decimals = ("float64",) if gaps and self.kind in RANGES else ()
        self.types = {
            name: "float64" if hole else rng.choice(("int64", "int16" if self.kind in RANGES else "int64", *decimals))
            for name, hole in zip(self.names, holes, strict=True)
        }
        self.data = self.frame(product(*self.seen))
        self._fit(rng)
        while self._is_close():
            self._fit(rng)
        #: Numbers that may be suggested: those of the data, and for ranges any others.
        self.domains = [
            Domain((-unit, *values[:size], unit * size, *values[size:]) if self.kind in RANGES else tuple(values), True)
            for values, unit, size in zip(self.seen, units, sizes, strict=True)
        ]
        rows = list(product(*(domain.values for domain in self.domains)))
        self.decided = dict(zip(rows, self.model.predict(self.frame(rows)).tolist(), strict=True))
        self.compiled = symcf.compile(self.model, data=self.data)

    def _fit(self, rng: random.Random) -> None:
        noise = np.random.default_rng(rng.getrandbits(32))
        n = len(self.labels)
        score = self.data.fillna(noise.integers(-3, 6)).to_numpy(float) @ noise.normal(size=len(self.names))
        score = score + noise.normal(size=len(score)) * 0.8
        places = np.searchsorted(np.quantile(score, np.arange(1, n) / n), score)
        places[:n] = np.arange(n)
        labels = [self.labels[i] for i in places]
        self.model = KINDS[self.kind](rng.randrange(1000)).fit(self.data, labels)

    def _is_close(self) -> bool:
        chances = np.sort(self.model.predict_proba(self.data), axis=1)
        return self.kind != "tree" and bool((chances[:, -1] - chances[:, -2]).min() < CLOSE)

    def frame(self, rows: Iterable[Row]) -> pd.DataFrame:
        """Rows of the reference as the estimator takes them."""
        cells = [[np.nan if cell is MISSING else cell for cell in row] for row in rows]
        return pd.DataFrame(cells, columns=self.names).astype(self.types)

    def read(self, frame: pd.DataFrame) -> list[Row]:
        """The same back; numbers of any kind."""
        cells = frame[self.names].to_numpy(dtype=float).tolist()
        return [tuple(MISSING if cell != cell else cell for cell in row) for row in cells]

    def row(self, rng: random.Random) -> Row:
        """A row of the data, or another one with numbers of the data."""
        return tuple(rng.choice(values) for values in self.seen)

    def in_form(self, row: Row, form: str) -> Any:
        """A row as users hold it."""
        frame = self.frame([row])
        if form == "frame":
            return frame
        cells = {name: frame[name].iloc[0].item() for name in self.names}
        return {"dict": cells, "list": list(cells.values()), "series": pd.Series(cells, dtype=object)}[form]
