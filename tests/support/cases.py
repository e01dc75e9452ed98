"""Small models of every kind, each with its decision as a plain function of raw rows, and questions about them.

`draw(rng, kind)` gives a `Case`; `ask(rng, case)` draws options and writes each twice: as keywords of symcf, and for
the reference. What decides here are whole numbers and fractions; nothing is read from symcf.
"""

from __future__ import annotations

import math
import random
import re
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import reference
import reference_expressions
from reference import MISSING, Domain, Row

import symcf

NAMES = ("late 30d", "b", "max", "0x", "c")
CLASSES = (("no", "yes"), (1, 0), (True, False), (-1, 1), (0, 1), (2, 7))
SEVERAL = (("a", "b", "c"), (3, 1, 2), (-1, 0, 1), ("1", "0", "2"))


@dataclass
class Case:
    """A model, and what it decides."""

    kind: str
    #: The model as symcf takes it.
    model: Any
    features: list[str]
    domains: list[Domain]
    #: A row -> its label.
    decide: Callable[[Row], Hashable]
    classes: Sequence[Hashable]
    #: By feature, the labels of its codes; None for numbers.
    labels: list[Sequence[Any] | None]
    #: By feature, the numbers that the model compares with.
    cuts: list[list[Fraction]] = field(default_factory=list)
    #: (feature, value) -> the same for all values that the model does not tell apart.
    alike: Callable[[int, Any], Any] = lambda j, value: value
    #: A row -> its decision function; None where there is none, or none that is exact.
    score: Callable[[Row], Fraction] | None = None
    #: A row -> the probabilities of the classes; the same.
    shares: Callable[[Row], Sequence[Fraction]] | None = None
    #: May a rounding decide a row?
    is_close: Callable[[Row], bool] = lambda row: False
    compiled: Any = None

    def __post_init__(self) -> None:
        self.compiled = symcf.compile(self.model)
        decide, known = self.decide, dict[Row, Hashable]()

        def remembered(row: Row) -> Hashable:
            if row not in known:
                known[row] = decide(row)
            return known[row]

        self.decide = remembered

    @property
    def n(self) -> int:
        return len(self.features)

    def is_number(self, j: int) -> bool:
        """Does column j hold numbers?"""
        return self.labels[j] is None

    def label(self, j: int, value: Any) -> Any:
        """What an option calls a value."""
        known = self.labels[j]
        return _plain(value) if known is None else known[value]

    @property
    def reads_labels(self) -> bool:
        """Do rows hold labels? Where there are no columns of numbers, they hold codes, but for boosted trees."""
        return None in self.labels or self.kind == "boosted trees"

    def cell(self, j: int, value: Any) -> Any:
        """What a row holds."""
        return self.label(j, value) if self.reads_labels else value

    def value(self, j: int, cell: Any) -> Any:
        """The value that a cell of a row stands for."""
        known = self.labels[j]
        if known is None:
            return MISSING if cell != cell else reference.number(cell)
        return list(known).index(cell) if self.reads_labels else int(cell)

    def group(self, row: Row) -> Row:
        """The same for all rows that the model does not tell apart."""
        return tuple(self.alike(j, value) for j, value in enumerate(row))

    def rows(self) -> Iterator[Row]:
        """Every row."""
        return product(*(domain.values for domain in self.domains))

    def draw_row(self, rng: random.Random) -> Row:
        """Any row."""
        return tuple(rng.choice(self.inner(j)) for j in range(self.n))

    def inner(self, j: int) -> tuple[Any, ...]:
        """The values that rows and questions have; where the grid has no end of its own, not the two at each end."""
        values = self.domains[j].values
        return values[2:-3] if self.cuts and self.is_number(j) else values

    def given(self, row: Row, form: str) -> Any:
        """A row in one of the forms that are accepted."""
        cells = [self.cell(j, value) for j, value in enumerate(row)]
        if form == "dict":
            return dict(reversed(list(zip(self.features, cells, strict=True))))
        if form == "frame":
            import pandas

            return pandas.DataFrame({name: [cell] for name, cell in zip(self.features, cells, strict=True)})
        # of whole numbers alone: with others, they would become floats or text
        kind = None if all(isinstance(cell, int) for cell in cells) else object
        if form == "array":
            return np.array(cells, dtype=kind)
        if form == "series":
            import pandas

            return pandas.Series(cells, index=self.features, dtype=kind)
        return tuple(cells) if form == "tuple" else cells


def _plain(value: Any) -> Any:
    """A fraction as an int or a float, a missing value as NaN."""
    if value is MISSING:
        return math.nan
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value


# --- models -----------------------------------------------------------------------------------------------------------


def _names(rng: random.Random, least: int = 2, most: int = 4) -> list[str]:
    return rng.sample(NAMES, rng.randint(least, most))


def _labelled(rng: random.Random, n: int, most: int = 4) -> tuple[list[Domain], list[Sequence[Any] | None]]:
    """Features of a few values, with labels of their own or none."""
    sizes = [rng.choice((2, 2, 3, most)) for _ in range(n)]
    ordered = [rng.random() < 0.5 for _ in sizes]
    labels: list[Sequence[Any] | None] = []
    for size in sizes:
        some = [list(range(size)), [f"v{v}" for v in range(size)], [10 * v - 10 for v in range(size)]]
        labels.append(rng.choice(some))
    return reference.codes(sizes, ordered), labels


def _kinds_of(domains: Sequence[Domain], labels: Sequence[Any], features: Sequence[str]) -> dict[str, Any]:
    """The keywords for names."""
    return {"features": list(features), "values": list(labels), "ordered": [domain.ordered for domain in domains]}


def best(sums: Sequence[Any], tie: str) -> int:
    """The class with the largest sum; of equal ones the first, or with "positive" the last."""
    winners = [k for k, total in enumerate(sums) if total == max(sums)]
    return winners[-1 if tie == "positive" else 0]


def weights(rng: random.Random, several: bool = False) -> Case:
    """Sums of weights: linear classifiers over labels."""
    features = _names(rng, most=5)
    domains, labels = _labelled(rng, len(features))
    classes, tie = rng.choice(SEVERAL if several else CLASSES), rng.choice(("positive", "negative"))
    k = len(classes) if several else 1
    each = [[[rng.randint(-4, 4) for _ in domain.values] for domain in domains] for _ in range(k)]
    bias = [rng.randint(-3, 3) for _ in range(k)]
    written = (each, bias) if several else (each[0], bias[0])
    model = symcf.LinearClassifier(*written, classes=classes, tie=tie, **_kinds_of(domains, labels, features))

    def sums_of(row: Row) -> list[Fraction]:
        each_sum = (b + sum(w[v] for w, v in zip(of, row, strict=True)) for of, b in zip(each, bias, strict=True))
        return [Fraction(total) for total in each_sum]

    kind = "linear, several classes" if several else "linear"
    return Case(kind, model, features, domains, labels=labels, **_of_sums(sums_of, classes, tie))


def _of_sums(sums_of: Callable[[Row], list[Fraction]], classes: Sequence[Hashable], tie: str) -> dict[str, Any]:
    """The decision, the classes and the score of sums: one per class, or one for two classes."""

    def decide(row: Row) -> Hashable:
        sums = sums_of(row)
        if len(sums) > 1:
            return classes[best(sums, tie)]
        return classes[int(sums[0] > 0 or (sums[0] == 0 and tie == "positive"))]

    score = None if len(classes) > 2 else lambda row: sums_of(row)[0]
    return {"decide": decide, "classes": classes, "score": score}


def bayes(rng: random.Random, several: bool = False) -> Case:
    """Naive Bayes over labels; probabilities are sixteenths."""
    features = _names(rng)
    domains, labels = _labelled(rng, len(features), 3)
    classes = rng.choice(SEVERAL if several else CLASSES)
    while True:
        prior = _shares(rng, len(classes))
        tables = [[_shares(rng, len(domain.values)) for _ in classes] for domain in domains]
        joint = {
            row: [p * math.prod(t[c][v] for t, v in zip(tables, row, strict=True)) for c, p in enumerate(prior)]
            for row in product(*(domain.values for domain in domains))
        }
        # of more classes, sums of logarithms decide: exact ties are left out
        if not several or all(sums.count(max(sums)) == 1 for sums in joint.values()):
            break
    tie = rng.choice(("positive", "negative"))
    model = symcf.NaiveBayes(
        [p / 16 for p in prior], [[[p / 16 for p in of] for of in table] for table in tables],
        classes=classes, tie=tie, **_kinds_of(domains, labels, features),
    )  # fmt: skip
    kind = "naive Bayes, several classes" if several else "naive Bayes"
    shares = None if several else lambda row: [Fraction(p, sum(joint[row])) for p in joint[row]]
    decide = lambda row: classes[best(joint[row], tie)]  # noqa: E731
    return Case(kind, model, features, domains, decide, classes, labels, shares=shares)


def _shares(rng: random.Random, count: int) -> list[int]:
    """Whole numbers, none of them 0, that sum to 16."""
    cuts = sorted(rng.sample(range(1, 16), count - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, 16], strict=True)]


#: Sums of numbers that differ by less may be equal for the package, which rounds them.
CLOSE = Fraction(1, 2**44)


def numbers(rng: random.Random, several: bool = False) -> Case:
    """Sums of numbers, lines and parabolas, beside weights of labels; numbers are whole."""
    features = _names(rng, most=3)
    classes, tie = rng.choice(SEVERAL if several else CLASSES), rng.choice(("positive", "negative"))
    k = len(classes) if several else 1
    domains, labels, terms, adds = [], list[Sequence[Any] | None](), [], []
    for j in range(len(features)):
        if j and rng.random() < 0.25:
            table = [[rng.randint(-6, 6) for _ in range(3)] for _ in range(k)]
            domains.append(Domain((0, 1, 2), ordered=True))
            labels.append(["u", "v", "w"])
            terms.append(table if several else table[0])
            adds.append(lambda c, v, table=table: table[c][v])
            continue
        low = rng.randint(-3, 2)
        high = low + rng.randint(2, 6)
        slopes = [rng.randint(-4, 4) for _ in range(k)]
        curves = [rng.choice((0, 0, 0, 1, -1))] * k
        if curves[0] and not several:  # extremes of a term, and of a difference of terms, are whole numbers
            slopes = [2 * rng.randint(-2, 2)]
        domains.append(reference.grid(low, high))
        labels.append(None)
        given = (slopes, curves) if several else (slopes[0], curves[0])
        terms.append(symcf.NumberTerm(given[0], range=(low, high), curve=given[1], resolution=1))
        adds.append(lambda c, v, slopes=slopes, curves=curves: slopes[c] * v + curves[c] * v * v)
    bias = [rng.randint(-8, 8) for _ in range(k)]
    model = symcf.AdditiveClassifier(
        terms, bias if several else bias[0], features=features, classes=classes, tie=tie,
        values=[None if of is None else list(of) for of in labels],
    )  # fmt: skip

    def sums_of(row: Row) -> list[Fraction]:
        return [b + sum((add(c, v) for add, v in zip(adds, row, strict=True)), Fraction(0)) for c, b in enumerate(bias)]

    def is_close(row: Row) -> bool:
        largest = sorted([Fraction(0)] * (not several) + sums_of(row))[-2:]
        lead = largest[1] - largest[0]
        whole = all(not isinstance(value, Fraction) or value.denominator == 1 for value in row)
        return lead < CLOSE and not (whole and lead == 0)  # sums of whole numbers are exact

    kind = "numbers, several classes" if several else "numbers"
    return Case(kind, model, features, domains, labels=labels, is_close=is_close, **_of_sums(sums_of, classes, tie))


def trees(rng: random.Random, how: str = "forest") -> Case:
    """Trees over whole numbers and labels: one, several that vote, or boosted ones, which know missing numbers.

    Any whole number is in the domain. Rows and constraints lie inside the grid: its ends stand for all beyond.
    """
    features = _names(rng, most=3)
    classes, tie = rng.choice(CLASSES + SEVERAL), rng.choice(("positive", "negative"))
    if how == "boosted":
        tie = "negative"  # of equal sums, the first class wins
    numeric = [rng.random() < 0.7 for _ in features]
    missing = how == "boosted" and rng.random() < 0.5
    cuts = [sorted(rng.sample((0.5, 1.5, 2, 3.5, 5), rng.randint(1, 2))) for _ in features]
    labels = [None if is_number else [f"v{v}" for v in range(3)] for is_number in numeric]

    def grown(depth: int) -> dict[str, Any]:
        if not depth or rng.random() < 0.1:
            if how == "boosted":
                return {"scores": [rng.randint(-5, 5) for _ in classes]}
            return {"counts": [rng.randint(0, 4) for _ in classes[1:]] + [rng.randint(1, 4)]}
        j = rng.randrange(len(features))
        below = {side: grown(depth - 1) for side in ("yes", "no")}
        way = {"missing": rng.choice(("yes", "no"))} if missing else {}
        if numeric[j]:
            return {"feature": features[j], "at_most": rng.choice(cuts[j]), **below, **way}
        return {"feature": features[j], "in": rng.sample(labels[j] or [], rng.randint(1, 2)), **below, **way}

    count = 1 if how == "tree" else rng.randint(2, 4)
    grove = [grown(rng.randint(1, 3)) for _ in range(count)]
    used = [sorted({number for tree in grove for number in _compared(tree, name)}) for name in features]
    domains = []
    for j, is_number in enumerate(numeric):
        special = [MISSING] if missing and used[j] else []
        domains.append(reference.grid(-3, 10, 1, *special) if is_number else Domain((0, 1, 2), ordered=True))
    values = [None if is_number else of for is_number, of in zip(numeric, labels, strict=True)]
    named = {"features": features, "values": values, "classes": classes}
    if how == "boosted":
        model = symcf.BoostedTrees(grove, **named)
    elif how == "tree":
        model = symcf.DecisionTree(grove[0], **named, tie=tie)
    else:
        model = symcf.RandomForest(grove, **named, tie=tie, vote="soft")

    def sums_of(row: Row) -> list[Fraction]:
        sums = [Fraction(0)] * len(classes)
        for tree in grove:
            node = tree
            while "feature" in node:
                j = features.index(node["feature"])
                if row[j] is MISSING:
                    side = node["missing"]
                elif "in" in node:
                    side = "yes" if labels[j][row[j]] in node["in"] else "no"
                else:
                    side = "yes" if row[j] <= number_of(node["at_most"]) else "no"
                node = node[side]
            scores = node.get("scores") or node["counts"]
            whole = 1 if how == "boosted" else sum(scores)
            sums = [total + Fraction(score, whole) for total, score in zip(sums, scores, strict=True)]
        return sums

    def alike(j: int, value: Any) -> Any:
        return sum(cut < value for cut in used[j]) if numeric[j] and value is not MISSING else value

    kind = {"tree": "decision tree", "forest": "random forest", "boosted": "boosted trees"}[how]
    return Case(
        kind, model, features, domains, lambda row: classes[best(sums_of(row), tie)], classes, labels,
        [list(map(number_of, c)) for c in used], alike,
        shares=None if how == "boosted" else lambda row: [total / count for total in sums_of(row)],
    )  # fmt: skip


def number_of(value: float) -> Fraction:
    """The number that a float is."""
    return Fraction(value)


def _compared(node: Mapping[str, Any], name: str) -> Iterator[float]:
    if "feature" in node:
        if node["feature"] == name and "at_most" in node:
            yield node["at_most"]
        for side in ("yes", "no"):
            yield from _compared(node[side], name)


def function(rng: random.Random) -> Case:
    """Any function of a few values."""
    features = _names(rng)
    domains, labels = _labelled(rng, len(features), 3)
    classes = rng.choice(CLASSES)
    table = {row: classes[int(rng.random() < 0.4)] for row in product(*(domain.values for domain in domains))}
    sizes = [len(domain.values) for domain in domains]
    domains = reference.codes(sizes, [True] * len(sizes))
    model = symcf.from_function(lambda row: table[tuple(row)], sizes, classes=classes, features=features, values=labels)
    return Case("function", model, features, domains, table.__getitem__, classes, labels)


def black_box(rng: random.Random) -> Case:
    """Any function of a table, which is called with rows."""
    import pandas

    features = _names(rng, most=3)
    classes = rng.choice(CLASSES + SEVERAL)
    domains = [reference.grid(0, rng.randint(1, 3)) for _ in features]
    table = {row: rng.choice(classes) for row in product(*(domain.values for domain in domains))}

    def predict(frame: Any) -> list[Hashable]:
        return [table[tuple(Fraction(int(v)) for v in row)] for row in frame[features].to_numpy().tolist()]

    data = pandas.DataFrame([[int(v) for v in row] for row in table], columns=features)
    model = symcf.from_predict(predict, data, classes=list(classes), max_inputs=0)
    return Case("black box", model, features, domains, table.__getitem__, classes, [None] * len(features))


def layers(rng: random.Random) -> Case:
    """A network of scikit-learn with small whole weights, which are put in by hand; by fractions, layer after layer."""
    import pandas
    from sklearn.neural_network import MLPClassifier

    features = _names(rng, most=3)
    classes = rng.choice(CLASSES + SEVERAL)
    domains = [reference.grid(0, rng.randint(1, 3)) for _ in features]
    sizes = [len(features), *(rng.randint(2, 3) for _ in range(rng.randint(1, 2)))]
    sizes.append(1 if len(classes) == 2 else len(classes))
    rows = list(product(*(domain.values for domain in domains)))
    data = pandas.DataFrame([[int(v) for v in row] for row in rows], columns=features)
    estimator = MLPClassifier(sizes[1:-1], solver="lbfgs", max_iter=1)
    several = pandas.concat([data] * len(classes), ignore_index=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it does not converge in one step
        estimator.fit(several, [i % len(classes) for i in range(len(several))])
    while True:
        weights = [[[rng.randint(-3, 3) for _ in range(m)] for _ in range(n)] for n, m in pairwise(sizes)]
        bias = [[Fraction(rng.randint(-8, 8), 4) for _ in range(m)] for m in sizes[1:]]
        bias[-1] = [b + Fraction(k + 1, 64) for k, b in enumerate(bias[-1])]  # which no two sums share
        scores = {row: _forward(row, weights, bias) for row in rows}
        if all(len(set(some)) == len(some) for some in scores.values()):
            break
    estimator._label_binarizer.fit(classes)
    estimator.classes_ = estimator._label_binarizer.classes_
    classes = tuple(estimator.classes_.tolist())
    estimator.coefs_ = [np.array(one, dtype=float) for one in weights]
    estimator.intercepts_ = [np.array([float(b) for b in one]) for one in bias]

    def decide(row: tuple[Any, ...]) -> Hashable:
        some = scores[row]
        return classes[int(some[0] > 0)] if len(some) == 1 else classes[some.index(max(some))]

    values = {name: [int(v) for v in domain.values] for name, domain in zip(features, domains, strict=True)}
    model = symcf.from_sklearn(estimator, data=data, values=values)
    return Case("layers", model, features, domains, decide, classes, [None] * len(features))


def _forward(row: tuple[Any, ...], weights: Any, bias: Any) -> list[Fraction]:
    """The sums of the last layer."""
    given = list(row)
    for matrix, some in zip(weights, bias, strict=True):
        sums = [b + sum(v * of[k] for v, of in zip(given, matrix, strict=True)) for k, b in enumerate(some)]
        given = [max(one, Fraction(0)) for one in sums]
    return sums


def network(rng: random.Random) -> Case:
    """A Bayesian network over 0 and 1, whose class node has a parent and children; by the joint probability."""
    features = _names(rng, 2, 3)
    classes = rng.choice((("no", "yes"), ("a", "b")))
    nodes = {"class": list(classes), **{name: ["u", "v"] for name in features}}
    order = [*features[:1], "class", *features[1:]]
    parents = {order[0]: [], "class": [order[0]], **{name: ["class", order[0]] for name in order[2:]}}
    while True:
        tables = {name: _table(rng, len(parents[name])) for name in order}
        joint = {}
        for row in product(range(2), repeat=len(features)):
            values = dict(zip(features, row, strict=True))
            both = []
            for c in range(2):
                world, weight = {**values, "class": c}, Fraction(1)
                for name in order:
                    cell: Any = tables[name]
                    for parent in parents[name]:
                        cell = cell[world[parent]]
                    weight *= Fraction(cell[world[name]], 16)
                both.append(weight)
            joint[row] = both
        if all(a != b for a, b in joint.values()):
            break
    tables_written = {name: _sixteenths(table) for name, table in tables.items()}
    model = symcf.BayesNet(nodes, parents, tables_written, target="class", features=features)
    return Case(
        "Bayesian network", model, features, reference.codes([2] * len(features)),
        lambda row: classes[best(joint[row], "negative")], classes, [["u", "v"]] * len(features),
    )  # fmt: skip


def _table(rng: random.Random, n_parents: int) -> Any:
    return _shares(rng, 2) if not n_parents else [_table(rng, n_parents - 1) for _ in range(2)]


def _sixteenths(table: Any) -> Any:
    return [_sixteenths(of) for of in table] if isinstance(table[0], list) else [p / 16 for p in table]


#: By kind, what draws a model of it. A new kind is a line here.
KINDS: dict[str, Callable[[random.Random], Case]] = {
    "linear": weights,
    "linear, several classes": lambda rng: weights(rng, several=True),
    "naive Bayes": bayes,
    "naive Bayes, several classes": lambda rng: bayes(rng, several=True),
    "numbers": numbers,
    "numbers, several classes": lambda rng: numbers(rng, several=True),
    "decision tree": lambda rng: trees(rng, "tree"),
    "random forest": trees,
    "boosted trees": lambda rng: trees(rng, "boosted"),
    "function": function,
    "black box": black_box,
    "layers": layers,
    "Bayesian network": network,
}


#: By kind, the searches that can be asked for by name.
ENGINES: dict[str, tuple[str, ...]] = {
    "linear": ("cover", "diagram", "sat", "sat-portable"),
    "linear, several classes": ("cover", "diagram", "sat"),
    "naive Bayes": ("cover", "diagram", "sat", "sat-portable"),
    "naive Bayes, several classes": ("cover", "diagram", "sat"),
    "numbers": ("cover",),
    "numbers, several classes": ("cover",),
    "decision tree": ("boxes", "diagram", "sat"),
    "random forest": ("boxes", "diagram", "sat"),
    "boosted trees": ("boxes", "diagram", "sat"),
    "function": ("diagram", "sat", "sat-portable"),
    "black box": ("query", "diagram", "sat"),
    "layers": ("bounds", "query", "diagram", "sat"),
    "Bayesian network": ("diagram", "sat"),
}


#: Kinds that take lists of values to try.
TRIED = ("black box", "layers")


def draw(rng: random.Random, kind: str) -> Case:
    """A model of a kind."""
    return KINDS[kind](rng)


# --- questions --------------------------------------------------------------------------------------------------------

#: What a question may say besides the row. Each is drawn alone and together with others.
OPTIONS = (
    "target", "immutable", "allowed", "max_changes", "constraints", "orders", "cost", "cost of values", "ordinal",
    "distance", "moves", "k", "plausibility", "sums", "number", "change",
)  # fmt: skip
FORMS = ("list", "tuple", "dict", "frame", "series", "array")
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": lambda a, b: a <= b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b, ">": lambda a, b: a > b,
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip


@dataclass
class Asked:
    """A question about a case: the keywords of a call, and the same for the reference."""

    case: Case
    row: Row
    form: str
    keywords: dict[str, Any]
    used: tuple[str, ...]
    reference: reference.Question
    compiled: Any
    k: int | None = None
    #: Are rows listed in which nothing can be moved less far? Else, sets of features.
    moves: bool = False
    #: The keyword for a search that is asked for by name.
    by: dict[str, str] = field(default_factory=dict)

    @property
    def x(self) -> Any:
        """The row as it is given."""
        return self.case.given(self.row, self.form)

    def read(self, given: Any) -> Row:
        """A row that symcf gives, as the reference knows it."""
        if hasattr(given, "columns"):
            given = given.iloc[0].to_dict()
        cells = [given[name] for name in self.case.features] if isinstance(given, Mapping) else list(given)
        return tuple(self.case.value(j, cell) for j, cell in enumerate(cells))

    def __str__(self) -> str:
        return f"{self.case.kind}: {self.case.given(self.row, 'dict')} as {self.form}, {self.keywords}"


def ask(
    rng: random.Random, case: Case, options: Sequence[str] | None = None, always: Sequence[str] = ()
) -> Asked | None:
    """A question with some of the options, and those in ``always`` if possible; with ``options``, exactly these. None
    if one of them cannot be said here.
    """
    row = case.draw_row(rng)
    exactly = options is not None
    if options is None:
        options = [option for option in OPTIONS if option in always or rng.random() < 0.2]
        costs = [option for option in options if option in ("cost", "cost of values", "ordinal", "distance")]
        options = [option for option in options if option not in costs[1:]]
    draft = _Draft(rng, case, row)
    used = tuple(option for option in options if getattr(draft, "_" + option.replace(" ", "_"))())
    if exactly and len(used) < len(options):
        return None
    question = reference.Question(
        case.domains, draft.decide, row, target=draft.target, may=reference.permits(draft.allowed, draft.immutable),
        constraints=draft.constraints, price=draft.price, max_changes=draft.max_changes,
    )  # fmt: skip
    return Asked(
        case, row, rng.choice(FORMS), draft.keywords, used, question, draft.compiled, draft.k, draft.lists_moves(used)
    )


class _Draft:
    """A question that is being written; each option's method says whether it could be."""

    def __init__(self, rng: random.Random, case: Case, row: Row) -> None:
        self.rng, self.case, self.row = rng, case, row
        self.keywords: dict[str, Any] = {}
        self.target: Hashable = None
        self.decide = case.decide
        self.allowed: dict[int, Any] = {}
        self.immutable: list[int] = []
        self.constraints: list[Callable[[Row, Row], bool]] = []
        self.price: Callable[[int, Any, Any], Fraction] | None = None
        self.max_changes: int | None = None
        self.compared: set[int] = set()
        #: Columns of ranges that are compared with others, or with sums.
        self.related: set[int] = set()
        self.k: int | None = None
        self.compiled = case.compiled

    def lists_moves(self, used: Sequence[str]) -> bool:
        """Is it about moves? The k nearest are, except over sums of numbers, and where ranges are compared."""
        nearest = "distance" in used and "k" in used and not self.case.kind.startswith("numbers")
        return "moves" in used or (nearest and not self.related)

    def _number(self) -> bool:
        """A score or a probability to reach."""
        case, rng = self.case, self.rng
        if self.target is not None or (case.score is None and case.shares is None):
            return False
        score: Callable[[Row], Fraction]
        if case.score is not None:
            score, held = case.score, lambda row: True
            known = sorted(set(map(score, case.rows())))
            marks = known + [(a + b) / 2 for a, b in pairwise(known)]
            low, high = sorted(rng.choice(marks) for _ in range(2))
            low, high, written = rng.choice(
                (
                    (low, high, symcf.between(_plain(low), _plain(high))),
                    (low, known[-1], symcf.at_least(_plain(low))),
                    (known[0], high, symcf.at_most(_plain(high))),
                )
            )
            said = {"target": written, "of": "score"}
        else:
            shares, label = case.shares, rng.choice(case.classes)
            score = lambda row: shares(row)[list(case.classes).index(label)]  # noqa: E731
            held = lambda row: case.decide(row) == label  # noqa: E731
            known = sorted({Fraction(0), *map(score, case.rows()), Fraction(1)})
            a, b = rng.choice(list(pairwise(known)))
            low, high = (a + b) / 2, Fraction(1)
            said = {"target": label, "min_probability": float(low)}
        decide = lambda row: "in" if low <= score(row) <= high and held(row) else "out"  # noqa: E731
        if decide(self.row) == "in":
            return False
        self.decide, self.target = cache(decide), "in"
        self.keywords |= said
        return True

    def _target(self) -> bool:
        self.target = self.rng.choice([label for label in self.case.classes if label != self.case.decide(self.row)])
        self.keywords["target"] = self.target
        return True

    def _immutable(self) -> bool:
        self.immutable = self.rng.sample(range(self.case.n), 1)
        self.keywords["immutable"] = [self.case.features[j] for j in self.immutable]
        return True

    def _allowed(self) -> bool:
        case, rng = self.case, self.rng
        for j in rng.sample(range(case.n), rng.randint(1, case.n)):
            values = [value for value in case.inner(j) if value is not MISSING]
            if case.domains[j].ordered and self.row[j] is not MISSING and rng.random() < 0.4:
                rule = written = rng.choice(("increase", "decrease"))
            elif case.is_number(j) and case.kind not in TRIED:  # which takes a list of values that it tries
                rule = tuple(sorted(rng.choice(values) for _ in range(2)))
                written = list(map(_plain, rule))
            else:
                rule = sorted(rng.sample(values, rng.randint(1, len(values))))
                written = [case.label(j, value) for value in rule]
                if case.is_number(j) and len(rule) == 2:  # the ends of a range
                    rule = tuple(rule)
            self.allowed[j] = rule
            self.compared.add(j)
            self.keywords.setdefault("allowed", {})[case.features[j]] = written
        return True

    def _max_changes(self) -> bool:
        self.max_changes = self.keywords["max_changes"] = self.rng.randint(1, self.case.n)
        return True

    def _k(self) -> bool:
        self.k = self.keywords["k"] = self.rng.randint(1, 3)
        return True

    def _constraints(self) -> bool:
        features = [j for j in range(self.case.n) if MISSING not in self.case.domains[j].values]
        if not features:
            return False
        for _ in range(self.rng.randint(1, 2)):
            text, holds = self._formula(features, 1)
            self.constraints.append(lambda old, new, holds=holds: holds(new))
            self.keywords.setdefault("constraints", []).append(text)
        return True

    def _formula(self, features: list[int], depth: int) -> tuple[str, Callable[[Row], bool]]:
        rng, case = self.rng, self.case
        if depth and rng.random() < 0.6:
            (left, first), (right, second) = (self._formula(features, depth - 1) for _ in range(2))
            sign = rng.choice(("->", "and", "or"))
            if sign == "->":
                return f"({left}) -> ({right})", lambda row: not first(row) or second(row)
            if sign == "and":
                return f"({left}) and ({right})", lambda row: first(row) and second(row)
            return f"({left}) or ({right})", lambda row: first(row) or second(row)
        j = rng.choice(features)
        value = rng.choice([value for value in case.inner(j) if value is not MISSING])
        self.compared.add(j)
        sign = rng.choice(("<=", ">=", "<", ">") if case.is_number(j) else ("=", "!="))
        label = case.label(j, value)
        written = f"'{label}'" if isinstance(label, str) else str(label)
        return f"`{case.features[j]}` {sign} {written}", lambda row: SIGNS[sign](row[j], value)

    def _orders(self) -> bool:
        case, rng = self.case, self.rng
        # a missing number is a float, so the new one need not be whole: such columns are left out
        numbers = [j for j in range(case.n) if case.is_number(j) and self.row[j] is not MISSING]
        if len(numbers) < 2:
            return False
        a, b = rng.sample(numbers, 2)
        self.related |= {a, b} if case.cuts else set()
        sign = rng.choice(("<=", "<", ">=", ">"))
        self.constraints.append(lambda old, new: MISSING in (new[a], new[b]) or SIGNS[sign](new[a], new[b]))
        text = f"`{case.features[a]}` {sign} `{case.features[b]}`"
        self.keywords.setdefault("constraints", []).append(text)
        return True

    def _sums(self) -> bool:
        """Sums, quotients, old values, changes and counts."""
        case, rng = self.case, self.rng
        if "cost of values" in self.keywords or isinstance(self.keywords.get("cost"), str):
            return False
        self.measured = [
            j
            for j in range(case.n)
            if self.row[j] is not MISSING and MISSING not in case.domains[j].values and self._is_measured(j)
        ]
        self.labelled = [j for j in range(case.n) if case.labels[j] and isinstance(case.labels[j][0], str)]
        for _ in range(rng.randint(1, 2)):
            text = self._condition()
            self.keywords.setdefault("constraints", []).append(text)
            if case.cuts and not re.fullmatch(r"at_most\([^()]*\)", text):
                self.related |= {j for j in range(case.n) if case.is_number(j) and self._is_in(text, j)}
            self.constraints.append(reference_expressions.reading(text, case.features, self._number_of, self._label))
        return True

    def _change(self) -> bool:
        """A part of itself that a number changes by, or a step."""
        case, rng = self.case, self.rng
        chosen = [j for j in range(case.n) if MISSING not in case.domains[j].values and j not in self.allowed]
        chosen = [j for j in chosen if self._is_measured(j)]
        if not chosen:
            return False
        j = rng.choice(chosen)
        old = self._number_of(j, self.row[j])
        if rng.random() < 0.5:
            ends = sorted(rng.choice((-1, -0.5, 0, 0.25, 0.5, 2)) for _ in range(2))
            written: Any = symcf.relative(*ends)
            least, most = sorted(old * reference.number(end) for end in ends)
            fits = lambda change: old != 0 and least <= change <= most  # noqa: E731
        else:
            size = rng.choice((1.5, 2, 3))
            written = symcf.step(size)
            fits = lambda change: (change / reference.number(size)).denominator == 1  # noqa: E731
        allowed = self.keywords.setdefault("allowed", {})
        if case.features[j] in allowed:  # one entry per column: its range is a constraint
            low, high = allowed.pop(case.features[j])
            self.keywords.setdefault("constraints", []).append(
                f"`{case.features[j]}` >= {low} and `{case.features[j]}` <= {high}"
            )
        allowed[case.features[j]] = written
        self.related |= {j} if case.cuts and case.is_number(j) else set()
        self.constraints.append(lambda was, new: new[j] == was[j] or fits(self._number_of(j, new[j]) - old))
        return True

    def _is_in(self, text: str, j: int) -> bool:
        """Is the new number of a column in a constraint?"""
        name = self.case.features[j]
        return f"`{name}`" in text or f"`change.{name}`" in text

    def _is_measured(self, j: int) -> bool:
        """Is it a column of numbers, all of which are in the domain of the reference?"""
        labels = self.case.labels[j]
        if labels is not None:
            return all(isinstance(label, int) for label in labels)
        if not self.case.cuts or self.case.kind in TRIED:
            return True
        if j in self.allowed:
            return not isinstance(self.allowed[j], str)
        rule = (Fraction(-3), Fraction(10))
        self.allowed[j] = rule
        self.keywords.setdefault("allowed", {})[self.case.features[j]] = list(map(_plain, rule))
        return True

    def _number_of(self, j: int, value: Any) -> Fraction | None:
        labels = self.case.labels[j]
        if value is MISSING:
            return None
        return value if labels is None else Fraction(labels[value])

    def _label(self, j: int, value: Any) -> str:
        return str(self.case.label(j, value))

    def _condition(self, depth: int = 1) -> str:
        rng, name = self.rng, lambda j: f"`{self.case.features[j]}`"
        kinds = ["count"] + ["sum", "sum", "ratio", "old", "change", "plain"] * (len(self.measured) > 0)
        kinds += ["three"] * (len(self.measured) > 2) + ["transition", "was", "label"] * bool(self.labelled)
        if depth and rng.random() < 0.4:
            left, right = self._condition(0), self._condition(0)
            return rng.choice(
                (f"({left}) -> ({right})", f"({left}) or ({right})", f"not ({left})", f"({left}) and ({right})")
            )
        kind = rng.choice(kinds + ["step"] * (depth and bool(self.measured)))
        if kind == "step":
            return f"step({rng.choice((2, 3, 1.5))}, {name(rng.choice(self.measured))})"
        if kind == "count":
            some = rng.sample(range(self.case.n), rng.randint(1, self.case.n))
            return f"at_most({rng.randint(0, 2)}, {', '.join(map(name, some))})"
        if kind in ("transition", "was", "label"):
            j = rng.choice(self.labelled)
            one, two = (f"'{rng.choice(self.case.labels[j])}'" for _ in range(2))
            bare = self.case.features[j]
            if kind == "transition" and not depth:
                kind = "was"
            if kind == "transition":
                return f"{name(j)} : {one} -> {two}"
            return f"`old.{bare}` = {one}" if kind == "was" else f"{name(j)} != {one}"
        a, b = rng.choice(self.measured), rng.choice(self.measured)
        sign = rng.choice(("<=", "<", ">=", ">", "==", "!="))
        factor, more = rng.choice((1, 2, 3, "0.5", "1.5")), rng.randint(-4, 6)
        old_a, change_a, change_b = (
            f"`{p}{self.case.features[j]}`" for p, j in (("old.", a), ("change.", a), ("change.", b))
        )
        if kind == "sum":
            return f"{factor} * {name(a)} {rng.choice('+-')} {name(b)} {sign} {more}"
        if kind == "ratio":
            return f"{name(a)} / {name(b)} {rng.choice(('<=', '>', '<'))} {factor}"
        if kind == "old":
            return f"{name(a)} {sign} {factor} * {old_a} + {abs(more)}"
        if kind == "change":
            return rng.choice(
                (f"{change_a} == {change_b}", f"{change_a} {sign} {more}", f"{change_a} <= 2 * {change_b} + 1")
            )
        if kind == "plain":
            return rng.choice((f"{old_a} {sign} {more}", f"{name(a)} {sign} {old_a}", f"{name(a)} + 0 {sign} {more}"))
        c = rng.choice(self.measured)
        return f"{name(a)} + {name(b)} {sign} {factor} * {name(c)} + {more}"

    def _cost(self) -> bool:
        each = [self.rng.choice((1, 2, 0.5, 0.1, 0.3)) for _ in range(self.case.n)]
        self.keywords["cost"] = dict(zip(self.case.features, each, strict=True)) if self.rng.random() < 0.5 else each
        self.price = lambda j, old, new: reference.number(each[j])
        return True

    def _cost_of_values(self) -> bool:
        case, rng = self.case, self.rng
        chosen = [j for j in range(case.n) if not case.is_number(j)]
        if not chosen:
            return False
        sizes = {j: len(case.domains[j].values) for j in chosen}
        tables = {
            j: [[rng.randint(1, 5) if a != b else 0 for b in range(size)] for a in range(size)]
            for j, size in sizes.items()
        }
        self.keywords["cost"] = {case.features[j]: table for j, table in tables.items()}
        self.price = lambda j, old, new: Fraction(tables[j][old][new] if j in tables else 1)
        return True

    def _ordinal(self) -> bool:
        case = self.case
        chosen = [j for j in range(case.n) if case.domains[j].ordered and not case.is_number(j)]
        if not chosen:
            return False
        self.keywords["cost"] = {case.features[j]: "ordinal" for j in chosen}
        self.price = lambda j, old, new: Fraction(abs(new - old) if j in chosen else 1)
        return True

    def _distance(self) -> bool:
        case = self.case
        chosen = [j for j in range(case.n) if MISSING not in case.domains[j].values]
        if not chosen or (case.cuts and self.compared):  # a constraint adds cuts
            return False
        scale = {case.features[j]: self.rng.choice((1, 2, 0.5)) if case.is_number(j) else 1 for j in chosen}
        self.keywords |= {"cost": {case.features[j]: "distance" for j in chosen}, "scale": scale}
        self.price = lambda j, old, new: (
            self._distance_of(j, old, new) / reference.number(scale[case.features[j]]) if j in chosen else Fraction(1)
        )
        return True

    def _distance_of(self, j: int, old: Fraction, new: Fraction) -> Fraction:
        """How far a number moves; where the model compares with cuts, how far it is to the range of the new one."""
        labels = self.case.labels[j]
        if labels is not None:  # numbers that have an order are numbers, other labels are categories
            is_number = self.case.domains[j].ordered and all(isinstance(label, int) for label in labels)
            return Fraction(abs(labels[new] - labels[old]) if is_number else 1)
        if not self.case.cuts:
            return abs(new - old)
        cuts = self.case.cuts[j]
        if new > old:
            return max((cut - old for cut in cuts if old <= cut < new), default=Fraction(0))
        return max((old - cut for cut in cuts if new <= cut < old), default=Fraction(0))

    def _moves(self) -> bool:
        self.keywords["minimality"] = "moves"
        return True

    def _plausibility(self) -> bool:
        """Shares of the data come from symcf here; tests/drivers/plausibility_random.py counts them anew."""
        case, rng = self.case, self.rng
        known = [[value for value in domain.values if value is not MISSING] for domain in case.domains]
        data = [tuple(map(rng.choice, known)) for _ in range(rng.randint(4, 12))]
        given = [case.given(row, "list") for row in data]
        self.compiled = symcf.compile(case.model, plausibility=symcf.Plausibility.fit(given, case.model))
        shares = dict[Row, float]()

        def likely(old: Row, new: Row) -> bool:
            if new not in shares:
                shares[new] = float(self.compiled.plausibility_of([case.given(new, "list")])[0])
            return shares[new] >= least

        least = self.keywords["min_plausibility"] = rng.choice((0.1, 0.25, 0.5))
        self.constraints.append(likely)
        return True
