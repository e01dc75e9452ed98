"""Orders between columns, against brute force on raw numbers: ``python tests/drivers/orders_random.py``.

The brute force reads numbers and class labels only, and shares no code with the package. It tries, for every column,
each number at which something can turn: the cuts of the model, the numbers of the row, the ends of allowed ranges,
those of the columns that it is compared with, and numbers next to all of these. Whole numbers are tried one by one.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from functools import lru_cache
from itertools import product

import random_runs

# isort: split
import numpy as np
import pandas as pd
import reference
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

import symcf
import symcf.fast

LEAST, GREATEST = -2, 9
SIGNS = {"<=": np.less_equal, "<": np.less, ">=": np.greater_equal, ">": np.greater}
CLASSES = [("no", "yes"), (1, 0), (True, False), (-1, 1), ("a", "b", "c")]
EPS = 2.0**-24
#: Suggested real numbers have at least four digits, which is what they may be away from the nearest.
ROUNDED = 0.0021


# --- models, each with a table of its decisions -----------------------------------------------------------------------


def scores_of(node, row):
    """The leaf that a row reaches; a missing number goes where the node says."""
    while "feature" in node:
        number = row[node["feature"]]
        side = node["missing"] if math.isnan(number) else "yes" if number <= node["at_most"] else "no"
        node = node[side]
    return node["scores"]


def tree_of(rng, features, cuts, depth, n_classes, missing):
    """Nested dicts."""
    if not depth or rng.random() < 0.1:
        return {"scores": [rng.randint(-5, 5) for _ in range(n_classes)]}
    j = rng.randrange(len(features))
    if not cuts[j]:
        return tree_of(rng, features, cuts, depth - 1, n_classes, missing)
    below = {side: tree_of(rng, features, cuts, depth - 1, n_classes, missing) for side in ("yes", "no")}
    way = {"missing": rng.choice(["yes", "no"])} if missing else {}
    return {"feature": features[j], "at_most": rng.choice(cuts[j]), **below, **way}


def used_cuts(trees, features):
    """By feature, the numbers that the trees compare with, and whether they have a test for it."""
    found = [set() for _ in features]
    stack = list(trees)
    while stack:
        node = stack.pop()
        if "feature" in node:
            found[features.index(node["feature"])].add(node["at_most"])
            stack += [node["yes"], node["no"]]
    return [sorted(cuts) for cuts in found]


class Trees:
    """Trees that vote, written as dicts."""

    right = False  # a cut belongs to the range on its left

    def __init__(self, rng, features):
        self.features, self.classes = features, rng.choice(CLASSES)
        some = [0, 1, 2.5, 4, 5, 6]  # between any two lies a whole number
        cuts = [rng.sample(some, rng.choice([0, 1, 1, 2, 2, 3])) for _ in features]
        self.missing = rng.random() < 0.3
        n_trees = rng.choice([1, 1, 2, 3])
        self.trees = [
            tree_of(rng, features, cuts, rng.randint(1, 3), len(self.classes), self.missing) for _ in range(n_trees)
        ]
        self.cuts = used_cuts(self.trees, features)
        if self.missing:
            kind = symcf.BoostedTrees
        elif n_trees == 1 and rng.random() < 0.5:
            kind = symcf.DecisionTree
        else:
            kind = symcf.RandomForest
        given = self.trees[0] if kind is symcf.DecisionTree else self.trees
        self.model = kind(given, features=features, classes=self.classes)  # of equal sums, the first class wins

    def decide(self, row):
        sums = np.sum([scores_of(tree, row) for tree in self.trees], axis=0)
        return int(np.argmax(sums))

    def can_miss(self, j):
        return self.missing and bool(self.cuts[j])


class Binned:
    """A pipeline of scikit-learn over columns in ranges; its own `predict` decides."""

    right = True  # a cut belongs to the range on its right
    missing = False

    def __init__(self, rng, features):
        self.features, labels = features, rng.choice(CLASSES[:4])
        self._fit(rng, labels)
        while self._has_ties():  # which scikit-learn decides by how it rounds
            self._fit(rng, labels)
        self.model = symcf.from_sklearn(self.pipeline)
        self.classes = tuple(self.model.classes)
        self._known = {}

    def _fit(self, rng, labels):
        data = np.array([[rng.randint(0, 8) for _ in self.features] for _ in range(40)], dtype=float)
        sign = np.array([1, -1, 1, 1][: len(self.features)])
        score = np.array([rng.random() * 4 + row @ sign for row in data])
        target = np.array([labels[int(v > np.median(score))] for v in score])
        bayes = rng.random() < 0.5
        bins = KBinsDiscretizer(3, encode="ordinal" if bayes else "onehot", strategy="uniform")
        last = CategoricalNB(min_categories=3) if bayes else LogisticRegression()
        self.pipeline = make_pipeline(bins, last).fit(pd.DataFrame(data, columns=self.features), target)
        self.cuts = [edges[1:-1].tolist() for edges in bins.bin_edges_]

    def _has_ties(self):
        inside = [[cuts[0] - 1, sum(cuts) / 2, cuts[1] + 1] for cuts in self.cuts]
        frame = pd.DataFrame(list(product(*inside)), columns=self.features)
        return bool((np.abs(self.pipeline.predict_proba(frame)[:, 0] - 0.5) < 1e-9).any())

    def decide(self, row):
        cells = tuple(sum(row[f] >= cut for cut in cuts) for f, cuts in zip(self.features, self.cuts, strict=True))
        if cells not in self._known:
            frame = pd.DataFrame([row])[self.features].astype(float)
            self._known[cells] = self.classes.index(self.pipeline.predict(frame)[0])
        return self._known[cells]

    def can_miss(self, j):
        return False


# --- one question -----------------------------------------------------------------------------------------------------


#: Questions that are asked about one model.
PER_MODEL = 8


@lru_cache(maxsize=2)
def model_of(number):
    """A model, and the same compiled."""
    rng = random.Random(f"model {number}")
    features = rng.sample(["late 30d", "b", "max", "0x"], rng.choice([2, 2, 3, 3, 3, 4]))
    m = (Binned if rng.random() < 0.12 else Trees)(rng, features)
    return m, symcf.compile(m.model)


class Asked:
    """A model, a row and a question."""

    def __init__(self, seed):
        rng = random.Random(f"orders {seed}")
        self.m, self.compiled = model_of(seed // PER_MODEL)
        self.features = features = self.m.features
        n = len(features)
        style = rng.choice(["whole", "real", "mixed"])
        self.whole = [style == "whole" or (style == "mixed" and rng.random() < 0.5) for _ in features]
        self.row = [self.number(rng, j) for j in range(n)]
        # a missing number is a float, whatever the others are
        self.whole = [whole and not math.isnan(v) for whole, v in zip(self.whole, self.row, strict=True)]
        self.n, self.keywords = n, {}
        self.least, self.greatest = [-math.inf] * n, [math.inf] * n
        self.fixed = [False] * n
        for j in range(n):
            chance = rng.random()
            if chance < 0.1:
                self.fixed[j] = True
                self.keywords.setdefault("immutable", []).append(features[j])
            elif chance < 0.25:
                low, high = sorted((rng.randint(0, 8), rng.randint(0, 8)))
                self.least[j], self.greatest[j] = low, high
                self.keywords.setdefault("allowed", {})[features[j]] = [low, high]
            elif chance < 0.33 and not math.isnan(self.row[j]):
                up = rng.random() < 0.5
                after = math.nextafter(self.row[j], math.inf if up else -math.inf)
                self.least[j], self.greatest[j] = (after, math.inf) if up else (-math.inf, after)
                self.keywords.setdefault("allowed", {})[features[j]] = "increase" if up else "decrease"
        self.orders = self.some_orders(rng)
        self.keywords["constraints"] = [f"`{features[a]}` {sign} `{features[b]}`" for a, b, sign in self.orders]
        if rng.random() < 0.15:
            self.keywords["max_changes"] = rng.randint(1, n)
        self.k = rng.randint(1, 3) if rng.random() < 0.15 else None
        self.cost = [1] * n
        if rng.random() < 0.15:
            self.cost = [rng.randint(1, 4) for _ in features]
            self.keywords["cost"] = dict(zip(features, self.cost, strict=True))
        self.now = self.m.decide(self.as_dict(self.row))
        self.wanted = None
        if len(self.m.classes) > 2 and rng.random() < 0.4:
            self.wanted = rng.choice([c for c in range(3) if c != self.now])
            self.keywords["target"] = self.m.classes[self.wanted]

    def number(self, rng, j):
        if self.m.can_miss(j) and rng.random() < 0.25:
            return math.nan
        if self.whole[j]:
            return rng.randint(0, 8)
        return rng.choice([float(rng.randint(0, 8)), rng.randint(0, 80) / 10])

    def some_orders(self, rng):
        """One to three, in chains or stars, strict or not; never a cycle with a strict one of two columns twice."""
        count = rng.choice([1, 1, 1, 2, 2, 3]) if self.n > 2 else rng.choice([1, 1, 1, 2])
        return [(*rng.sample(range(self.n), 2), rng.choice(list(SIGNS))) for _ in range(count)]

    def as_dict(self, row):
        return dict(zip(self.features, row, strict=True))

    # --- brute force

    def marks(self, j):
        ends = [v for v in (self.least[j], self.greatest[j]) if math.isfinite(v)]
        own = [] if math.isnan(self.row[j]) else [self.row[j]]
        return {*self.m.cuts[j], *own, *ends}

    def candidates(self):
        """By column, the numbers that are tried, the row's own first."""
        related = sorted({j for a, b, _ in self.orders for j in (a, b)})
        together = set().union(*(self.marks(j) for j in related))
        strict = sum(len(sign) == 1 for *_, sign in self.orders)
        # numbers between two marks are told apart by as many levels as strict orders can make
        near = range(-1 - strict, 2 + strict)
        found = []
        for j in range(self.n):
            own = self.row[j]
            if self.fixed[j]:
                found.append([own])
                continue
            if self.whole[j]:
                some = {float(v) for v in range(LEAST - 3, GREATEST + 4)}
            else:
                marks = together if j in related else self.marks(j)
                marks = {*marks, *(range(LEAST - 3, GREATEST + 4) if any(self.whole) and j in related else ())}
                some = {m + k * EPS for m in marks for k in (near if j in related else (-1, 0, 1))}
                some |= {min(marks, default=0) - 1.0, max(marks, default=0) + 1.0}
            here = sorted(v for v in some if self.least[j] <= v <= self.greatest[j] and v != own)
            found.append([own, *here])
        return found

    def ways(self):
        """By set of changed columns, the rows that are as wanted: all numbers, and how far they are."""
        options = [np.array(c, dtype=float) for c in self.candidates()]
        total = math.prod(map(len, options))
        if total > 3_000_000:
            return None
        grids = np.meshgrid(*(np.arange(len(o)) for o in options), indexing="ij")
        places = [g.ravel() for g in grids]
        values = [o[p] for o, p in zip(options, places, strict=True)]
        fine = np.ones(total, dtype=bool)
        with np.errstate(invalid="ignore"):
            for a, b, sign in self.orders:
                fine &= SIGNS[sign](values[a], values[b]) | np.isnan(values[a]) | np.isnan(values[b])
        cells = [np.array([self.cell(j, v) for v in o]) for j, o in enumerate(options)]
        sizes = [len(cuts) + 2 for cuts in self.m.cuts]
        table = np.full(sizes, -1)
        for combination in product(*(sorted(set(c.tolist())) for c in cells)):
            row = [self.inside(j, cell) for j, cell in enumerate(combination)]
            table[combination] = self.m.decide(self.as_dict(row))
        decided = table[tuple(c[p] for c, p in zip(cells, places, strict=True))]
        fine &= decided != self.now if self.wanted is None else decided == self.wanted
        keys = sum((p != 0).astype(np.int64) << j for j, p in enumerate(places))
        far = np.zeros(total) + sum(
            np.abs(v - v[0]) / self.span(j) if not math.isnan(v[0]) else 0 for j, v in enumerate(values)
        )
        found = {}
        for key in np.unique(keys[fine]).tolist():
            mine = fine & (keys == key)
            found[tuple(j for j in range(self.n) if key >> j & 1)] = float(far[mine].min())
        return found

    def cell(self, j, number):
        if math.isnan(number):
            return len(self.m.cuts[j]) + 1
        return sum(number >= cut if self.m.right else number > cut for cut in self.m.cuts[j])

    def inside(self, j, cell):
        """A number of a cell."""
        cuts = self.m.cuts[j]
        if cell == len(cuts) + 1:
            return math.nan
        if not cuts:
            return 0.0
        if cell == 0:
            return cuts[0] - 1
        return cuts[-1] + 1 if cell == len(cuts) else (cuts[cell - 1] + cuts[cell]) / 2

    def span(self, j):
        cuts = self.m.cuts[j]
        return cuts[-1] - cuts[0] if len(cuts) > 1 else 1.0

    def expected(self, ways):
        most = self.keywords.get("max_changes", self.n)
        minimal = [s for s in reference.minimal(ways) if len(s) <= most]
        minimal.sort(key=lambda s: (sum(self.cost[j] for j in s), len(s), s))
        return minimal[: self.k]

    def range_problem(self, cf):
        """Every choice from the suggested ranges has to do; their corners are tried."""
        ends = [(c.feature, {max(c.range.first, -99.0), min(c.range.last, 99.0)}) for c in cf.changes]
        for corner in product(*(some for _, some in ends)):
            new = list(self.row)
            for (j, _), number in zip(ends, corner, strict=True):
                new[j] = number
            for a, b, sign in self.orders:
                if not (math.isnan(new[a]) or math.isnan(new[b]) or SIGNS[sign](new[a], new[b])):
                    return f"range: {new} does not obey"
            decided = self.m.decide(self.as_dict(new))
            if (decided == self.now) if self.wanted is None else (decided != self.wanted):
                return f"range: {new} is not decided as it should be"
        return None

    def row_problem(self, s, new, ways):
        """What is wrong with a suggested row; None if nothing is."""
        new = [float(v) for v in new]
        same = [a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(new, self.row, strict=True)]
        changed = tuple(j for j in range(self.n) if not same[j])
        if changed != s:
            return f"row: {new} changes {changed}, not {s}"
        for j in s:
            if not self.least[j] <= new[j] <= self.greatest[j] or (self.whole[j] and not new[j].is_integer()):
                return f"row: {new[j]} is not allowed"
        for a, b, sign in self.orders:
            if not (math.isnan(new[a]) or math.isnan(new[b]) or SIGNS[sign](new[a], new[b])):
                return f"row: {new} does not obey"
        decided = self.m.decide(self.as_dict(new))
        if (decided == self.now) if self.wanted is None else (decided != self.wanted):
            return f"row: {new} is not decided as it should be"
        if any(math.isnan(self.row[j]) for j in s):
            return None
        far = sum(abs(new[j] - self.row[j]) / self.span(j) for j in s)
        slack = 1e-9 + sum(0 if self.whole[j] else (1 + len(self.orders)) * ROUNDED / self.span(j) for j in s)
        if any(self.whole[j] for j in s) and not all(self.whole[j] for j in s):
            slack += 1e-4
        return f"nearest: {new} is {far:.6f} away, not {ways[s]:.6f}" if far > ways[s] + slack else None


def problems(seed):
    """What is wrong with the answers to one question; None if it is too large for brute force."""
    asked = Asked(seed)
    ways = asked.ways()
    if ways is None:
        return None
    sets, c = asked.expected(ways), asked.compiled
    row = asked.as_dict(asked.row)
    e = c.explain(row, k=asked.k, **asked.keywords)
    told = []
    if list(e.sets) != sets:
        return [f"sets: {list(e.sets)}, not {sets}"]
    suggested = [[cf.row[f] for f in asked.features] for cf in e]
    told += [asked.row_problem(s, new, ways) for s, new in zip(sets, suggested, strict=True)]
    if not e.complete and asked.k is None:
        told.append(f"status: {e.status}")
    told += [asked.range_problem(cf) for cf in e]
    if seed % PER_MODEL < 2:
        told += other_problems(seed, asked, ways, sets, e)
    return [t for t in told if t is not None]


def other_problems(seed, asked, ways, sets, e):
    """The same by other engines and calls."""
    c, row, told = asked.compiled, asked.as_dict(asked.row), []
    frame = pd.DataFrame([row, row])
    engines = ["diagram", "boxes" if isinstance(asked.m, Trees) else "cover"]
    for engine in [*engines, *(["sat"] if seed % 160 == 0 else [])]:
        other = list(c.explain(row, k=asked.k, engine=engine, **asked.keywords).sets)
        told.append(f"sets: {engine} gives {other}, not {sets}" if other != sets else None)
    batch = symcf.fast.explain_batch(c, frame, k=asked.k, **asked.keywords)
    if [list(part.sets) for part in batch] != [sets, sets]:
        told.append(f"sets: the batch gives {[list(part.sets) for part in batch]}, not {sets}")
    elif sets:
        first = batch.to_frame().iloc[0]
        told.append(asked.row_problem(sets[0], [first[f] for f in asked.features], ways))
    if "max_changes" not in asked.keywords and asked.k is None:
        count = c.count(row, **asked.keywords)
        told.append(f"sets: count gives {count}, not {len(sets)}" if count != len(sets) else None)
        why = c.why(row, **asked.keywords)
        reasons = sorted(why.sets)
        told.append(f"why: {reasons}" if reasons != sorted(reference.hitting_sets(sets, asked.n)) else None)
        told.append(None if symcf.verify(c, row, why) else f"verify: {symcf.verify(c, row, why)}")
    report = symcf.verify(c, row, e)
    told.append(None if report else f"verify: {report}")
    return told


def told_of(seed):
    """The same; an exception is a problem, too."""
    try:
        return problems(seed)
    except Exception as error:
        return [f"error: {type(error).__name__}: {error}"]


def run(first, count):
    """Asks questions and prints what is wrong. ensures: 1 if something is."""
    tally = Counter()
    for seed in range(first, first + count):
        found = told_of(seed)
        if found is None:
            tally["too large"] += 1
            continue
        asked = Asked(seed)
        kind = "whole" if all(asked.whole) else "real" if not any(asked.whole) else "mixed"
        tally.update(["asked", kind, *{problem.split(":")[0] for problem in found}])
        if found:
            print(f"seed {seed}: {asked.row} {asked.keywords}: {found}"[:2000], flush=True)
    wrong = sum(tally[key] for key in tally if key not in ("asked", "whole", "real", "mixed", "too large"))
    print(
        f"{tally['asked']:,} questions ({tally['whole']:,} over integers, {tally['real']:,} over reals, "
        f"{tally['mixed']:,} over both; {tally['too large']:,} too large for brute force): {tally['sets']} with wrong "
        f"sets, {tally['nearest']} with rows that are not nearest, {wrong - tally['sets'] - tally['nearest']} with "
        f"other faults",
        flush=True,
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    given = random_runs.asked(__doc__, 21_000)
    sys.exit(run(given.seed, given.count))
