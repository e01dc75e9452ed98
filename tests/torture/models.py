"""Models of every kind: the decisions that they must make, and the source text that builds them.

All probabilities have the denominator 16, so that whole numbers decide exactly here. Models whose decision is too close
to call for floating-point logarithms (exact ties of three classes or more, and of scikit-learn's sums) are drawn again.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from torture import boosted, names, scikit

Row = tuple[int, ...]


@dataclass
class Model:
    """A classifier as the oracle knows it, and how to build it."""

    kind: str
    n_values: tuple[int, ...]
    n_classes: int
    #: By row of value codes, the code of the class.
    table: dict[Row, int]
    #: Given the model, the source line that defines `model`.
    write: Callable[[Model], str]
    features: list[str] | None = None
    values: list[list[Any]] | None = None
    classes: list[Any] | None = None
    #: By feature and code, what a raw row holds; None where rows hold codes.
    raw: list[list[Any]] | None = None
    #: What `write` needs besides.
    facts: dict[str, Any] = field(default_factory=dict)
    #: Which of features, values and classes may be left to their defaults.
    optional: tuple[str, ...] = ("features", "values", "classes")

    @property
    def n(self) -> int:
        return len(self.n_values)

    @property
    def feature_names(self) -> list[str]:
        return self.features if self.features is not None else [f"x{j}" for j in range(self.n)]

    @property
    def class_labels(self) -> list[Any]:
        return self.classes if self.classes is not None else list(range(self.n_classes))

    def labels(self, j: int) -> list[Any]:
        """The names of the values of feature j."""
        return self.values[j] if self.values is not None else list(range(self.n_values[j]))

    @property
    def knows_labels(self) -> bool:
        """Are the names of the values ours?"""
        return self.raw is None

    @property
    def is_json(self) -> bool:
        return self.kind != "table"

    def names(self) -> str:
        """The keywords for the names that are not the default ones."""
        given = {name: getattr(self, name) for name in ("features", "values", "classes")}
        return "".join(f", {name}={value!r}" for name, value in given.items() if value is not None)

    def renamed(self, **changes: Any) -> Model:
        """The same decisions under other names."""
        return replace(self, **changes)


def draw(rng: random.Random, use_sklearn: bool = True) -> Model:
    """Any model."""
    kinds: list[tuple[Callable[[random.Random], Model | None], int]] = [
        (_bayes, 6), (_linear, 5), (_tree, 4), (_forest, 3), (boosted.draw, 2), (_function, 3),
        (_table, 2),
    ]  # fmt: skip
    if use_sklearn:
        kinds.append((scikit.draw, 1))
    makers, weights = zip(*kinds, strict=True)
    while True:
        model = rng.choices(makers, weights)[0](rng)
        if model is not None:
            return model


def sizes(rng: random.Random, most_values: int = 4) -> tuple[int, ...]:
    """Numbers of values, of which there are not too many combinations."""
    if rng.random() < 0.4:
        return (2,) * rng.randint(1, 6)
    while True:
        chosen = tuple(rng.randint(1, most_values) for _ in range(rng.randint(1, 5)))
        if math.prod(chosen) <= 128:
            return chosen


def _named(rng: random.Random, model: Model) -> Model:
    model.features = names.feature_names(rng, model.n)
    model.classes = names.class_labels(rng, model.n_classes)
    if rng.random() < 0.6:
        model.values = [names.value_labels(rng, d) for d in model.n_values]
    return model


# --- sums -------------------------------------------------------------------------------------------------------------


def _bayes(rng: random.Random) -> Model | None:
    n_values, k = sizes(rng), rng.choice((2, 2, 3, 4))
    least = 0 if rng.random() < 0.1 else 1
    tables = [[_shares(rng, d, least) for _ in range(k)] for d in n_values]
    prior, tie = _shares(rng, k, 1), rng.choice(("positive", "negative"))
    eighths = rng.choice((4, 4, 2, 5)) if k == 2 else 4  # the threshold
    facts = {"prior": prior, "tables": tables, "eighths": eighths, "tie": tie, "short": rng.random() < 0.5}
    table = _decide_bayes(n_values, facts)
    return None if table is None else _named(rng, Model("bayes", n_values, k, table, _write_bayes, facts=facts))


def _decide_bayes(n_values: tuple[int, ...], facts: dict[str, Any]) -> dict[Row, int] | None:
    """What it decides; None if it has no decision for some row, or one too close to call."""
    prior, tables, decisions = facts["prior"], facts["tables"], {}
    for row in product(*map(range, n_values)):
        joint = [p * math.prod(table[c][v] for table, v in zip(tables, row, strict=True)) for c, p in enumerate(prior)]
        most = max(joint)
        if most == 0 or (len(prior) > 2 and joint.count(most) > 1):
            return None
        if len(prior) == 2:
            margin = 8 * joint[1] - facts["eighths"] * sum(joint)
            decisions[row] = int(margin > 0 or (margin == 0 and facts["tie"] == "positive"))
        else:
            decisions[row] = joint.index(most)
    return decisions


def _shares(rng: random.Random, count: int, least: int) -> list[int]:
    """Whole numbers that sum to 16."""
    while True:
        cuts = sorted(rng.randint(0, 16) for _ in range(count - 1))
        shares = [b - a for a, b in zip([0, *cuts], [*cuts, 16], strict=True)]
        if min(shares) >= least:
            return shares


def _write_bayes(model: Model) -> str:
    facts = model.facts
    prior, tables = [p / 16 for p in facts["prior"]], [[[p / 16 for p in row] for row in t] for t in facts["tables"]]
    more = f"{model.names()}, tie={facts['tie']!r}" + (
        f", threshold={facts['eighths'] / 8}" if model.n_classes == 2 else ""
    )
    if facts["short"] and model.n_classes == 2 and set(model.n_values) == {2}:
        ones, zeros = [t[1][1] for t in tables], [t[0][1] for t in tables]
        return f"model = symcf.NaiveBayes.binary(prior={prior[1]}, p1={ones}, p0={zeros}{more})"
    return f"model = symcf.NaiveBayes({prior}, {tables}{more})"


def _linear(rng: random.Random) -> Model | None:
    n_values, sums = sizes(rng), rng.choice((1, 1, 2, 3, 4))
    number: Callable[[], Any] = rng.choice(
        (lambda: rng.randint(-4, 4), lambda: rng.randint(-16, 16) / 8, lambda: rng.randint(-9, 9) * 10**9)
    )
    weights = [[[number() for _ in range(d)] for d in n_values] for _ in range(sums)]
    bias, tie = [number() for _ in range(sums)], rng.choice(("positive", "negative"))
    facts = {"weights": weights, "bias": bias, "tie": tie}
    table = _decide_linear(n_values, facts)
    return _named(rng, Model("linear", n_values, max(sums, 2), table, _write_linear, facts=facts))


def _decide_linear(n_values: tuple[int, ...], facts: dict[str, Any]) -> dict[Row, int]:
    later, decisions = facts["tie"] == "positive", {}
    for row in product(*map(range, n_values)):
        totals = [
            Fraction(b) + sum(Fraction(w[v]) for w, v in zip(weights, row, strict=True))
            for weights, b in zip(facts["weights"], facts["bias"], strict=True)
        ]
        if len(totals) == 1:
            decisions[row] = int(totals[0] > 0 or (totals[0] == 0 and later))
        else:
            winners = [k for k, total in enumerate(totals) if total == max(totals)]
            decisions[row] = winners[-1 if later else 0]
    return decisions


def _write_linear(model: Model) -> str:
    weights, bias = model.facts["weights"], model.facts["bias"]
    if len(bias) == 1:
        weights, bias = weights[0], bias[0]
    return f"model = symcf.LinearClassifier({weights}, {bias}{model.names()}, tie={model.facts['tie']!r})"


# --- trees ------------------------------------------------------------------------------------------------------------
# A node is ("class", k), ("counts", [...]), ("at_most", j, code, yes, no) or ("in", j, codes, yes, no).


def _grown(rng: random.Random, n_values: tuple[int, ...], k: int, depth: int, numeric: list[bool], counts: bool) -> Any:
    splits = [j for j, d in enumerate(n_values) if d > 1]
    if depth == 0 or not splits or rng.random() < 0.15:
        return ("counts", [rng.randint(0, 5) for _ in range(k - 1)] + [rng.randint(1, 5)]) if counts else (
            "class", rng.randrange(k)
        )  # fmt: skip
    j = rng.choice(splits)
    below = [_grown(rng, n_values, k, depth - 1, numeric, counts) for _ in range(2)]
    if numeric[j]:
        return ("at_most", j, rng.randrange(n_values[j] - 1), *below)
    return ("in", j, sorted(rng.sample(range(n_values[j]), rng.randint(1, n_values[j] - 1))), *below)


def _leaf(node: Any, row: Row) -> Any:
    while node[0] in ("at_most", "in"):
        goes = row[node[1]] <= node[2] if node[0] == "at_most" else row[node[1]] in node[2]
        node = node[3] if goes else node[4]
    return node


def _thresholds(node: Any, found: dict[int, set[int]]) -> dict[int, set[int]]:
    if node[0] in ("at_most", "in"):
        if node[0] == "at_most":
            found.setdefault(node[1], set()).add(node[2])
        _thresholds(node[3], found)
        _thresholds(node[4], found)
    return found


def _tree(rng: random.Random) -> Model | None:
    return _trees(rng, 1)


def _forest(rng: random.Random) -> Model | None:
    return _trees(rng, rng.randint(1, 4))


def _trees(rng: random.Random, count: int) -> Model | None:
    """Numbers are compared with code + 0.5, so that code v stands for the number v."""
    n_values, k = sizes(rng, 3), rng.choice((2, 2, 3, 4))
    counts = rng.random() < 0.5
    numeric = [False] * len(n_values) if rng.random() < 0.5 else [rng.random() < 0.7 for _ in n_values]
    trees = [_grown(rng, n_values, k, 3, numeric, counts) for _ in range(count)]
    tie, vote = rng.choice(("positive", "negative")), rng.choice(("soft", "hard"))
    used: dict[int, set[int]] = {}
    for tree in trees:
        _thresholds(tree, used)
    # A number has as many values as the trees have thresholds for it, and one more.
    if any(numeric[j] and len(used.get(j, ())) != d - 1 for j, d in enumerate(n_values)):
        return None
    decisions = {}
    for row in product(*map(range, n_values)):
        totals = [Fraction(0)] * k
        for tree in trees:
            for c, share in enumerate(_votes(_leaf(tree, row), k, "soft" if count == 1 else vote)):
                totals[c] += share
        winners = [c for c, total in enumerate(totals) if total == max(totals)]
        decisions[row] = winners[-1 if tie == "positive" else 0]
    facts = {"trees": trees, "tie": tie, "vote": vote, "numeric": numeric}
    kind = "tree" if count == 1 else "forest"
    model = _named(rng, Model(kind, n_values, k, decisions, _write_trees, facts=facts, optional=("features",)))
    model.classes = model.class_labels
    model.features = model.feature_names
    model.values = [model.labels(j) for j in range(model.n)]
    if any(numeric):
        if any(
            not isinstance(label, str) for j, labels in enumerate(model.values) for label in labels if not numeric[j]
        ):
            return None
        model.raw = [list(range(d)) if numeric[j] else model.values[j] for j, d in enumerate(n_values)]
    return model


def _votes(leaf: Any, k: int, vote: str) -> list[Fraction]:
    scores = [Fraction(int(c == leaf[1])) for c in range(k)] if leaf[0] == "class" else list(map(Fraction, leaf[1]))
    if vote == "hard":
        return [Fraction(int(c == scores.index(max(scores)))) for c in range(k)]
    return [score / sum(scores) for score in scores]


def _node_source(node: Any, model: Model) -> str:
    if node[0] == "class":
        return f"{{'class': {model.class_labels[node[1]]!r}}}"
    if node[0] == "counts":
        return f"{{'counts': {node[1]}}}"
    j = node[1]
    test = f"'at_most': {node[2] + 0.5}" if node[0] == "at_most" else f"'in': {[model.labels(j)[v] for v in node[2]]!r}"
    yes, no = _node_source(node[3], model), _node_source(node[4], model)
    return f"{{'feature': {model.feature_names[j]!r}, {test}, 'yes': {yes}, 'no': {no}}}"


def _write_trees(model: Model) -> str:
    facts = model.facts
    values = [None if facts["numeric"][j] else model.labels(j) for j in range(model.n)]
    given = f"features={model.feature_names!r}, values={values!r}, classes={model.classes!r}, tie={facts['tie']!r}"
    trees = [_node_source(tree, model) for tree in facts["trees"]]
    if model.kind == "tree":
        return f"model = symcf.DecisionTree({trees[0]}, {given})"
    return f"model = symcf.RandomForest([{', '.join(trees)}], {given}, vote={facts['vote']!r})"


# --- any function -----------------------------------------------------------------------------------------------------


def _function(rng: random.Random) -> Model:
    n_values, k = sizes(rng), rng.choice((2, 2, 3, 4))
    decisions = {row: rng.randrange(k) for row in product(*map(range, n_values))}
    return _named(rng, Model("function", n_values, k, decisions, _write_function))


def _write_function(model: Model) -> str:
    classes = model.class_labels
    answers = [classes[k] for k in model.table.values()]
    names_of = "" if model.classes is None and model.n_classes == 2 else f", classes={classes!r}"
    names_of += "" if model.features is None else f", features={model.features!r}"
    names_of += "" if model.values is None else f", values={model.values!r}"
    return (
        f"answers = dict(zip(itertools.product(*map(range, {list(model.n_values)})), {answers!r}))\n"
        f"model = symcf.from_function(answers.__getitem__, {list(model.n_values)}{names_of})"
    )


def _table(rng: random.Random) -> Model:
    n = rng.randint(1, 5)
    decisions = {row: rng.randrange(2) for row in product((0, 1), repeat=n)}
    return Model(
        "table", (2,) * n, 2, decisions, _write_table, features=names.feature_names(rng, n), optional=("features",)
    )


def _write_table(model: Model) -> str:
    rows = [tuple(i >> j & 1 for j in range(model.n)) for i in range(2**model.n)]
    features = "" if model.features is None else f", features={model.features!r}"
    return f"model = symcf.Diagram.from_table({[model.table[row] for row in rows]}{features})"


def as_function(model: Model) -> Model:
    """The same decisions, given by a table."""
    return replace(model, kind="function", write=_write_function, facts={}, optional=("features", "values", "classes"))


def restricted(model: Model, j: int, v: int) -> Model | None:
    """Without feature j: of a function, what is left when it has value v; of a sum, the sum without it."""
    n_values, facts = (*model.n_values[:j], *model.n_values[j + 1 :]), model.facts
    fewer = {
        name: None if given is None else [*given[:j], *given[j + 1 :]]
        for name, given in (("features", model.features), ("values", model.values))
    }
    table: dict[Row, int] | None
    if model.kind == "bayes":
        facts = facts | {"tables": [*facts["tables"][:j], *facts["tables"][j + 1 :]]}
        table = _decide_bayes(n_values, facts)
    elif model.kind == "linear":
        facts = facts | {"weights": [[*w[:j], *w[j + 1 :]] for w in facts["weights"]]}
        table = _decide_linear(n_values, facts)
    else:
        assert model.kind == "function", model.kind
        table = {(*row[:j], *row[j + 1 :]): k for row, k in model.table.items() if row[j] == v}
    return None if table is None else replace(model, n_values=n_values, facts=facts, table=table, **fewer)
