"""Random questions about related columns of numbers, against brute force: ``python tests/drivers/numbers_random.py``.

Relations, orders between columns, comparisons with numbers, a least plausibility and one class of several, for models
that add up functions of numbers: made by hand with exact coefficients, and fitted with scikit-learn. The brute force
reads raw numbers and labels only, and shares no code with the package: it decides every row of small grids of whole
numbers. Over real numbers, where one straight sum decides, the best row of every combination of conditions lies at a
corner, so it tries the numbers at which something can turn, and those next to them.
"""

from __future__ import annotations

import math
import operator
import random
import struct
import sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd
import random_runs
import reference
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import symcf
import symcf.fast
from symcf import AdditiveClassifier, NumberTerm

SIGNS = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}
LABELS = [("a", "b", "c"), ("x", "y"), (-2, -1, 5), (True, False), ("no", "1", "2 or more")]
CLASSES = [("no", "yes"), (1, 0), (True, False), (-1, 1)]
MOST_ROWS = 40_000
PER_MODEL = 12


class Column:
    """A column: its name, and what may be suggested."""

    def __init__(self, name, labels=None, low=None, high=None, real=False, missing=False):
        self.name, self.labels, self.low, self.high, self.real, self.missing = name, labels, low, high, real, missing

    @property
    def is_number(self):
        return self.labels is None


# --- models -----------------------------------------------------------------------------------------------------------


class Additive:
    """Made by hand: coefficients are quarters, so that everything is exact in integers."""

    def __init__(self, rng):
        n, n_classes = rng.randint(3, 6), rng.choice([2, 2, 3, 4])
        self.real = rng.random() < 0.3
        if self.real:
            n_classes, n = 2, rng.randint(2, 4)
        self.sums = 1 if n_classes == 2 else n_classes
        self.classes = rng.choice(CLASSES) if n_classes == 2 else tuple(rng.sample(["p", "q", "r", "s"], n_classes))
        self.tie = rng.choice(["positive", "negative"])
        self.columns, self.slope, self.curve, self.tables, self.missing = [], {}, {}, {}, {}
        terms, values = [], []
        for j in range(n):
            if rng.random() < 0.3 or (self.real and j >= 2):
                labels = rng.choice(LABELS)
                self.tables[j] = [[rng.randint(-6, 6) for _ in labels] for _ in range(self.sums)]
                self.columns.append(Column(f"c{j}", labels=labels))
                quarters = [[w / 4 for w in line] for line in self.tables[j]]
                terms.append(quarters[0] if self.sums == 1 else quarters)
                values.append(list(labels))
                continue
            low = rng.randint(-3, 2)
            high = low + rng.choice([0, 1, 2, 3, 3, 4, 5])
            self.slope[j] = [rng.randint(-4, 4) for _ in range(self.sums)]
            self.curve[j] = [rng.choice([0, 0, 1, -1, 2]) for _ in range(self.sums)]
            if self.real or rng.random() < 0.5:
                self.curve[j] = [0] * self.sums
            missing = None
            if rng.random() < 0.2:
                self.missing[j] = [rng.randint(-8, 8) for _ in range(self.sums)]
                missing = [w / 4 for w in self.missing[j]]
            self.columns.append(Column(f"c{j}", low=low, high=high, real=self.real, missing=missing is not None))

            def many(numbers):
                quarters = [number / 4 for number in numbers]
                return quarters[0] if self.sums == 1 else quarters

            terms.append(
                NumberTerm(
                    many(self.slope[j]),
                    (low, high),
                    many(self.curve[j]),
                    None if self.real else 1,
                    None if missing is None else missing[0] if self.sums == 1 else missing,
                )
            )
            values.append(None)
        # no sum of real numbers that are tried is 0: there, the rounding of the model would decide
        self.bias = [rng.randint(-14, 14) + 0.25 * self.real for _ in range(self.sums)]
        bias = [b / 4 for b in self.bias]
        ordered = [column.is_number for column in self.columns]
        self.model = AdditiveClassifier(
            terms,
            bias[0] if self.sums == 1 else bias,
            features=[column.name for column in self.columns],
            values=values,
            classes=self.classes,
            ordered=ordered,
            tie=self.tie,
        )
        self.data = self.table(rng, 60)
        self.compiled = symcf.compile(self.model, plausibility=self.data)

    def table(self, rng, rows):
        """Rows of data."""
        return [self.row(rng) for _ in range(rows)]

    def row(self, rng):
        """Numbers, some a little outside of the range."""
        found = {}
        for column in self.columns:
            if not column.is_number:
                found[column.name] = rng.choice(column.labels)
            elif column.missing and rng.random() < 0.25:
                found[column.name] = math.nan
            else:
                number = rng.randint(column.low - 1, column.high + 1)
                found[column.name] = number + rng.choice([0.0, 0.0, 0.5, 0.3]) if column.real else number
        return found

    def decide(self, rows):
        """The labels of rows, by lists of cells."""
        exact = not self.real
        totals = [[(int(b) if exact else Fraction(b)) for _ in range(len(rows))] for b in self.bias]
        sums = np.array(totals, dtype=np.int64 if exact else object)
        for j in range(len(self.columns)):
            cells = [row[j] for row in rows]
            for k in range(self.sums):
                if j in self.tables:
                    labels = list(self.columns[j].labels)
                    part = [self.tables[j][k][labels.index(cell)] for cell in cells]
                else:
                    part = [self.term(j, k, cell) for cell in cells]
                sums[k] = sums[k] + np.array(part, dtype=sums.dtype)
        if self.sums == 1:
            up = sums[0] >= 0 if self.tie == "positive" else sums[0] > 0
            return [self.classes[int(bool(one))] for one in up]
        order = range(self.sums) if self.tie == "negative" else range(self.sums - 1, -1, -1)
        return [self.classes[max(order, key=lambda k, i=i: sums[k][i])] for i in range(len(rows))]

    def exact(self, cells):
        """The only sum, in quarters."""
        parts = (
            self.tables[j][0][list(self.columns[j].labels).index(cell)] if j in self.tables else self.term(j, 0, cell)
            for j, cell in enumerate(cells)
        )
        return Fraction(self.bias[0]) + sum(parts)

    def term(self, j, k, cell):
        """What a number adds, in quarters."""
        if isinstance(cell, float) and math.isnan(cell):
            return self.missing[j][k]
        if self.real:
            return self.slope[j][k] * Fraction(cell)
        return self.slope[j][k] * int(cell) + self.curve[j][k] * int(cell) ** 2


class Fitted:
    """Fitted with scikit-learn, on whole numbers."""

    real = False

    def __init__(self, rng):
        kind = rng.choice(["logistic", "logistic", "gaussian", "multinomial"])
        n_classes = 3 if kind == "multinomial" or (kind == "gaussian" and rng.random() < 0.4) else 2
        self.classes = rng.choice(CLASSES) if n_classes == 2 else ("low", "middle", "high")
        n = rng.randint(2, 4)
        self.columns = [Column(f"c{j}", low=0, high=rng.randint(3, 7)) for j in range(n)]
        if kind != "gaussian" and rng.random() < 0.6:
            self.columns.append(Column("job", labels=rng.choice([("a", "b", "c"), ("x", "y")])))
        state = np.random.RandomState(rng.randrange(2**31))
        cells = {}
        for column in self.columns:
            if column.is_number:
                cells[column.name] = np.concatenate([[0, column.high], state.randint(0, column.high + 1, 78)])
            else:
                cells[column.name] = np.array(column.labels, dtype=object)[np.arange(80) % len(column.labels)]
        self.data = pd.DataFrame(cells)
        numbers = [column.name for column in self.columns if column.is_number]
        score = sum(state.normal() * self.data[name] for name in numbers) + state.normal(size=80)
        place = np.minimum((score.rank(pct=True).to_numpy() * n_classes).astype(int), n_classes - 1)
        y = np.array(self.classes, dtype=object)[place]
        if isinstance(self.classes[0], (bool, int)):
            y = y.astype(type(self.classes[0]))
        labels = [column.name for column in self.columns if not column.is_number]
        if kind == "gaussian":
            self.estimator = GaussianNB()
        else:
            scaled = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(), labels))
            self.estimator = make_pipeline(scaled, LogisticRegression(C=rng.choice([0.3, 1.0, 10.0])))
        self.estimator.fit(self.data, y)
        self.compiled = symcf.compile(self.estimator, data=self.data, plausibility=self.data)

    def row(self, rng):
        """A row like those of the data."""
        found = {}
        for column in self.columns:
            found[column.name] = rng.randint(column.low, column.high) if column.is_number else rng.choice(column.labels)
        return found

    def decide(self, rows):
        """The labels of rows, by lists of cells."""
        frame = pd.DataFrame(rows, columns=[column.name for column in self.columns])
        return self.estimator.predict(frame).tolist()


@lru_cache(maxsize=4)
def model_of(number):
    """The model of some questions."""
    rng = random.Random(number)
    return (Additive if rng.random() < 0.7 else Fitted)(rng)


# --- conditions -------------------------------------------------------------------------------------------------------


def is_missing(cell):
    return isinstance(cell, float) and math.isnan(cell)


class Compared:
    """A number compared with a number."""

    def __init__(self, j, name, sign, number):
        self.j, self.sign, self.number = j, sign, number
        self.text = f"{name} {sign} {number!r}"

    def holds(self, row):
        cell = row[self.j]
        if self.sign in ("=", "!="):
            same = not is_missing(cell) and cell == self.number
            return same if self.sign == "=" else not same
        return not is_missing(cell) and SIGNS[self.sign](cell, self.number)


class Labelled:
    """A label compared with labels."""

    def __init__(self, j, name, labels, inside):
        self.j, self.labels, self.inside = j, labels, inside
        shown = ", ".join(f"'{one}'" if isinstance(one, str) else repr(one) for one in labels)
        self.text = f"{name} {'in' if inside else 'not in'} {{{shown}}}"

    def holds(self, row):
        return (row[self.j] in self.labels) == self.inside


class Joined:
    """Conditions that are combined."""

    def __init__(self, word, parts):
        self.word, self.parts = word, parts
        inner = [f"({part.text})" for part in parts]
        self.text = f"not {inner[0]}" if word == "not" else f" {word} ".join(inner)

    def holds(self, row):
        found = [part.holds(row) for part in self.parts]
        if self.word == "not":
            return not found[0]
        if self.word == "->":
            return found[1] or not found[0]
        return all(found) if self.word == "and" else any(found)


class Ordered:
    """Two columns of numbers compared."""

    def __init__(self, a, b, names, sign):
        self.a, self.b, self.sign = a, b, sign
        self.text = f"{names[a]} {sign} {names[b]}"

    def holds(self, row):
        one, two = row[self.a], row[self.b]
        return is_missing(one) or is_missing(two) or SIGNS[self.sign](one, two)


def condition_of(rng, columns, depth):
    """A random one."""
    if depth and rng.random() < 0.6:
        word = rng.choice(["and", "or", "->", "->", "not"])
        return Joined(word, [condition_of(rng, columns, depth - 1) for _ in range(1 if word == "not" else 2)])
    j = rng.randrange(len(columns))
    column = columns[j]
    if column.is_number:
        number = rng.randint(column.low, column.high) + rng.choice([0, 0, 0.5])
        sign = rng.choice(["<", "<=", ">", ">=", "!=", "="])
        return Compared(j, column.name, sign, number)
    return Labelled(
        j, column.name, rng.sample(column.labels, rng.randint(1, len(column.labels) - 1)), rng.random() < 0.7
    )


# --- plausibility, from its JSON --------------------------------------------------------------------------------------


def place_of(number):
    """The place of a double among the doubles, as the format of plausibilities has it."""
    if is_missing(number):
        return 2**63 - 2
    bits = struct.unpack("<q", struct.pack("<d", abs(float(number))))[0]
    steps = bits - ((1023 - 510) << 52) + 1 if bits else 0
    return 2**62 + (steps if number >= 0 else -steps)


class Likelihood:
    """The log-likelihood of rows, and the least one for a share."""

    def __init__(self, made, columns):
        self.made, self.columns = made.to_dict(), columns

    def cell(self, j, value):
        part, column = self.made["cells"][j], self.columns[j]
        if column.is_number:
            return sum(cut <= place_of(value) for cut in part["cuts"])
        return part["table"][list(column.labels).index(value)]

    def score(self, row):
        cells = [self.cell(j, value) for j, value in enumerate(row)]
        parents = self.made["parents"]
        return sum(
            lines[cells[parents[j]] if parents[j] >= 0 else 0][cells[j]] for j, lines in enumerate(self.made["terms"])
        )

    def least(self, share):
        rows, every = 0, sum(self.made["counts"])
        for total, count in zip(self.made["sums"], self.made["counts"], strict=True):
            rows += count
            if rows >= share * every - 1e-9:
                return total
        raise AssertionError


# --- questions --------------------------------------------------------------------------------------------------------


class Asked:
    """A question, and its answer by brute force."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed * 7919 + 13)
        self.m = model_of(seed // PER_MODEL)
        self.columns = columns = self.m.columns
        self.names = names = [column.name for column in columns]
        self.n = len(columns)
        self.given = self.m.row(rng)
        self.row = [self.given[name] for name in names]
        self.now = self.m.decide([self.row])[0]
        self.keywords = {}
        self.relations = []
        numbers = [j for j, column in enumerate(columns) if column.is_number]
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            if len(numbers) > 1 and rng.random() < 0.45:
                a, b = rng.sample(numbers, 2)
                self.relations.append(Ordered(a, b, names, rng.choice(list(SIGNS))))
            else:
                self.relations.append(condition_of(rng, columns, 2))
        if self.relations:
            self.keywords["constraints"] = [relation.text for relation in self.relations]
        self.wanted = None
        if len(self.m.classes) > 2 and rng.random() < 0.6:
            self.wanted = rng.choice([label for label in self.m.classes if label != self.now])
            self.keywords["target"] = self.wanted
        self.share = None
        if rng.random() < 0.25 or not self.keywords:
            self.share = rng.choice([0.05, 0.25, 0.5, 0.8])
            self.keywords["min_plausibility"] = self.share
        self.fixed = [j for j in range(self.n) if rng.random() < 0.1]
        # an empty cell does not say that its column holds whole numbers
        self.fixed += [j for j in range(self.n) if is_missing(self.row[j]) and not self.m.real and j not in self.fixed]
        if self.fixed:
            self.keywords["immutable"] = [names[j] for j in self.fixed]
        self.ways, self.ends = {}, {}
        allowed = {}
        for j, column in enumerate(columns):
            if not column.is_number or rng.random() > 0.15:
                continue
            if rng.random() < 0.5:
                self.ways[j] = allowed[names[j]] = rng.choice(["increase", "decrease"])
            else:
                low = rng.randint(column.low, column.high)
                self.ends[j] = (low, rng.randint(low, column.high))
                allowed[names[j]] = list(self.ends[j])
        if allowed:
            self.keywords["allowed"] = allowed
        self.most = rng.choice([None, None, None, 1, 2])
        if self.most is not None:
            self.keywords["max_changes"] = self.most
        self.k = rng.choice([None, None, 1, 2])
        self.costs = [1] * self.n
        if rng.random() < 0.3:
            self.costs = [rng.randint(1, 4) for _ in range(self.n)]
            self.keywords["cost"] = dict(zip(names, self.costs, strict=True))

    def domain(self, j):
        """The cells that a feature may have, its own one first."""
        column, own = self.columns[j], self.row[j]
        if j in self.fixed:
            return [own]
        if not column.is_number:
            return [own, *(label for label in column.labels if label != own)]
        low, high = self.ends.get(j, (column.low, column.high))
        way = self.ways.get(j)
        if is_missing(own) and way is not None:
            return [own]
        if not column.real:
            found = list(range(low, high + 1))
        else:
            marks = {float(low), float(high)}
            for relation in self.tests():
                marks.add(float(relation.number))
            for i, other in enumerate(self.columns):
                if other.is_number:
                    ends = self.ends.get(i, (other.low, other.high))
                    marks.update(map(float, [*ends, other.low, other.high]))
                    if not is_missing(self.row[i]):
                        marks.add(float(self.row[i]))
            cuts = self.m.compiled.plausibility.to_dict()["cells"][j]["cuts"] if self.share is not None else ()
            marks.update(number_at(cut) for cut in cuts if cut != 2**63 - 2)
            near = set(marks)
            for _ in range(2):
                near |= {math.nextafter(mark, end) for mark in near for end in (-math.inf, math.inf)}
            coded = {math.copysign(2.0**-510, mark) if 0 < abs(mark) < 2.0**-510 else mark for mark in near}
            found = sorted(mark for mark in coded if low <= mark <= high)
        if way is not None:
            found = [number for number in found if (number > own if way == "increase" else number < own)]
        return [own, *(number for number in found if number != own)]

    def tests(self):
        """The comparisons with numbers in the relations."""
        waiting = list(self.relations)
        while waiting:
            one = waiting.pop()
            waiting += getattr(one, "parts", [])
            if isinstance(one, Compared):
                yield one

    def expected(self):
        """By minimal set, the distance of the nearest row that was tried; None if it is too large."""
        domains = [self.domain(j) for j in range(self.n)]
        if math.prod(map(len, domains)) > MOST_ROWS:
            return None
        rows = [row for row in product(*domains) if all(relation.holds(row) for relation in self.relations)]
        if self.share is not None and rows:
            likely = Likelihood(self.m.compiled.plausibility, self.columns)
            least = likely.least(self.share)
            rows = [row for row in rows if likely.score(row) >= least]
        found = {}
        decided = self.m.decide(rows) if rows else []
        for row, label in zip(rows, decided, strict=True):
            if (label == self.now) if self.wanted is None else (label != self.wanted):
                continue
            s = frozenset(j for j in range(self.n) if not same(row[j], self.row[j]))
            far = sum(self.far(j, row[j]) for j in s)
            found[s] = min(far, found.get(s, math.inf))
        minimal = {s: far for s, far in found.items() if not any(other < s for other in found)}
        if self.most is not None:
            minimal = {s: far for s, far in minimal.items() if len(s) <= self.most}
        return minimal

    def far(self, j, new):
        """How far a feature moves."""
        column, old = self.columns[j], self.row[j]
        if not column.is_number:
            return 0.0 if same(old, new) else 1.0
        return 1.0 if is_missing(old) else abs(new - old) / ((column.high - column.low) or 1)

    def order(self, s):
        return sum(self.costs[j] for j in s), len(s), tuple(sorted(s))


def number_at(place):
    """The inverse of `place_of`."""
    steps = place - 2**62
    if steps == 0:
        return 0.0
    number = struct.unpack("<d", struct.pack("<q", abs(steps) + ((1023 - 510) << 52) - 1))[0]
    return number if steps > 0 else -number


def same(a, b):
    return (is_missing(a) and is_missing(b)) or (not is_missing(a) and not is_missing(b) and a == b)


def row_problem(asked, s, new, ways):
    """What is wrong with a suggested row."""
    cells = [new[name] for name in asked.names]
    changed = {j for j in range(asked.n) if not same(cells[j], asked.row[j])}
    if changed != set(s):
        return f"row: {cells} changes {changed}, not {s}"
    for j in changed:
        column = asked.columns[j]
        low, high = asked.ends.get(j, (column.low, column.high))
        if column.is_number and not (low <= cells[j] <= high and (column.real or float(cells[j]).is_integer())):
            return f"row: {cells[j]!r} is not allowed"
        if not column.is_number and cells[j] not in column.labels:
            return f"row: {cells[j]!r} is not a label"
        way = asked.ways.get(j)
        if way is not None and (cells[j] <= asked.row[j] if way == "increase" else cells[j] >= asked.row[j]):
            return f"row: {cells[j]!r} goes the wrong way"
    broken = [relation.text for relation in asked.relations if not relation.holds(cells)]
    if broken:
        return f"row: {cells} does not obey {broken}"
    decided = asked.m.decide([cells])[0]
    if asked.m.real and abs(asked.m.exact(cells)) < 2**-40:
        decided = asked.m.compiled.predict([new])[0]  # so close that the rounding of the model decides
    if (decided == asked.now) if asked.wanted is None else (decided != asked.wanted):
        return f"row: {cells} is decided as {decided!r}"
    far = sum(asked.far(j, cells[j]) for j in s)
    best = ways[frozenset(s)]
    return f"nearest: {cells} is {far:.6f} away, not {best:.6f}" if far > best * (1 + 1e-5) + 1e-9 else None


def problems(seed):
    """What is wrong with the answers to one question; None if it is too large for brute force."""
    asked = Asked(seed)
    ways = asked.expected()
    if ways is None:
        return None
    c, keywords = asked.m.compiled, asked.keywords
    form = seed % 4
    row = asked.given if form < 2 else pd.DataFrame([asked.given]).iloc[0] if form == 2 else list(asked.row)
    if form == 2 and not all(column.is_number is False or column.real for column in asked.columns):
        row = asked.given  # a Series of numbers would make reals of whole ones
    sets = sorted((tuple(sorted(s)) for s in ways), key=asked.order)
    wanted = sets if asked.k is None else sets[: asked.k]
    e = c.explain(row, k=asked.k, **keywords)
    told = []
    if list(e.sets) != wanted:
        return [f"sets: {list(e.sets)}, not {wanted}"]
    if e.status != "complete":
        told.append(f"status: {e.status}")
    for cf in e:
        new = dict(zip(asked.names, cf.row, strict=True)) if isinstance(cf.row, list) else dict(cf.row)
        told.append(row_problem(asked, cf.features, new, ways))
    if seed % 5 == 0 and asked.most is None:
        count = c.count(row, **keywords)
        told.append(f"count: {count}, not {len(sets)}" if count != len(sets) else None)
        plain = {name: value for name, value in keywords.items() if name != "cost"}
        why = sorted(c.why(row, **plain).sets)
        told.append(f"why: {why}" if why != sorted(reference.hitting_sets(sets, asked.n)) else None)
    if seed % 11 == 0:
        frame = pd.DataFrame([asked.given] * 2)
        if not any(column.missing for column in asked.columns):
            batch = symcf.fast.explain_batch(c, frame, k=asked.k, **keywords)
            got = [list(part.sets) for part in batch]
            told.append(f"batch: {got}, not {wanted}" if got != [wanted, wanted] else None)
            plain = {name: value for name, value in keywords.items() if name not in ("cost", "max_changes")}
            reasons = [sorted(part.sets) for part in symcf.fast.why_batch(c, frame, **plain)]
            if asked.most is None and reasons != [sorted(reference.hitting_sets(sets, asked.n))] * 2:
                told.append(f"why batch: {reasons}")
    return [problem for problem in told if problem is not None]


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
        tally.update(["asked", "real" if model_of(seed // PER_MODEL).real else "whole"])
        tally["wrong"] += bool(found)
        if found:
            asked = Asked(seed)
            print(f"seed {seed}: {asked.row} {asked.keywords} k={asked.k}: {found}"[:2000], flush=True)
    print(
        f"{tally['asked']:,} questions ({tally['whole']:,} over integers, {tally['real']:,} over reals; "
        f"{tally['too large']:,} too large for brute force): {tally['wrong']} with wrong answers",
        flush=True,
    )
    return 1 if tally["wrong"] else 0


if __name__ == "__main__":
    given = random_runs.asked(__doc__, 6_000)
    sys.exit(run(given.seed, given.count))
