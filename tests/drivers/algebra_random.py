"""Random pairs of classifiers against brute force: ``python tests/drivers/algebra_random.py --count 2000``.

Two kinds of pairs. *Coded*: models of every kind of `tests/torture`, whose decisions are known from tables, over
columns of which each model reads some, in its own order and with its own order of values. *Raw*: fitted scikit-learn
estimators
and pipelines, which cut the same columns at different places; what they predict is the truth, on a grid that has a row
on either side of every cut.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import random_runs

# isort: split
import numpy as np
import pandas as pd
import pytest
from torture import models, names

import symcf

Row = tuple[Any, ...]


@dataclass
class Side:
    """One of the two classifiers, and its class for every row of the pair."""

    compiled: symcf.Compiled
    columns: list[str]
    labels: list[Any]

    def true(self, label: Any) -> list[bool]:
        return [own == label for own in self.labels]


@dataclass
class Pair:
    """Two classifiers and all rows: at least one of each cell."""

    columns: list[str]
    rows: list[Row]
    first: Side
    second: Side

    def frame(self, rows: Sequence[Row] | None = None) -> pd.DataFrame:
        chosen = self.rows if rows is None else rows
        return pd.DataFrame({c: [row[i] for row in chosen] for i, c in enumerate(self.columns)})

    @property
    def both(self) -> tuple[Side, Side]:
        return self.first, self.second


# --- coded pairs ------------------------------------------------------------------------------------------------------


def coded_pair(rng: random.Random) -> Pair:
    while True:
        n = rng.randint(1, 5)
        columns = rng.sample([*names.FEATURES, "x0", "x2", "c"], n)
        sizes = [rng.randint(1, 3) for _ in columns]
        if math.prod(sizes) > 100:
            continue
        cells = [rng.sample(names.WORDS, d) if rng.random() < 0.5 else list(range(d)) for d in sizes]
        drawn = [_coded_model(rng, columns, cells) for _ in range(2)]
        if any(model is None for model in drawn):
            continue
        a, b = drawn
        if rng.random() < 0.7:
            _same_classes(rng, a, b)
        used = [j for j, c in enumerate(columns) if c in a.features or c in b.features]
        order = [*a.features, *(c for c in b.features if c not in a.features)]
        rows = list(itertools.product(*(cells[columns.index(c)] for c in order)))
        assert len(order) == len(used)
        return Pair(order, rows, _coded_side(a, order, rows), _coded_side(b, order, rows))


def _coded_model(rng: random.Random, columns: list[str], cells: list[list[Any]]) -> models.Model | None:
    places = rng.sample(range(len(columns)), rng.randint(1, len(columns)))
    sizes = tuple(len(cells[j]) for j in places)
    kept = models.sizes
    models.sizes = lambda rng, most_values=4: sizes
    try:
        model = models.draw(rng, use_sklearn=False)
    finally:
        models.sizes = kept
    if model.n_values != sizes or model.kind == "table":
        return None
    numbers = [isinstance(cells[j][0], int) for j in places]
    if model.raw is not None and model.facts["numeric"] != numbers:
        return None
    values = [
        cells[j] if number else rng.sample(cells[j], len(cells[j])) for j, number in zip(places, numbers, strict=False)
    ]
    raw = None if model.raw is None else values
    return model.renamed(features=[columns[j] for j in places], values=values, raw=raw)


def _same_classes(rng: random.Random, a: models.Model, b: models.Model) -> None:
    if a.n_classes == b.n_classes:
        labels = a.class_labels
        a.classes = labels
        b.classes = list(labels) if rng.random() < 0.6 else rng.sample(labels, len(labels))


def _coded_side(model: models.Model, order: list[str], rows: list[Row]) -> Side:
    scope: dict[str, Any] = {"symcf": symcf, "itertools": itertools, "np": np}
    exec(model.write(model), scope)
    places = [order.index(c) for c in model.features]
    code = [{cell: v for v, cell in enumerate(labels)} for labels in model.values]
    table = [model.table[tuple(code[i][row[j]] for i, j in enumerate(places))] for row in rows]
    return Side(symcf.compile(scope["model"]), model.features, [model.class_labels[k] for k in table])


# --- raw pairs --------------------------------------------------------------------------------------------------------


def raw_pair(rng: random.Random) -> Pair:
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pair = _raw_pair(rng)
        if pair is not None:
            return pair


def _raw_pair(rng: random.Random) -> Pair | None:
    random_numbers = np.random.default_rng(rng.randrange(2**32))
    m = 40
    table = pd.DataFrame(
        {
            "age": random_numbers.integers(18, 30, m),
            "income": random_numbers.normal(3, 1.5, m).round(rng.choice((0, 1, 3))).astype(rng.choice(("f4", "f8"))),
            "job": random_numbers.choice(["clerk", "baker", "none"], m),
            "own": random_numbers.random(m) < 0.5,
        }
    )
    table = table[rng.sample(list(table), len(table.columns))]
    score = (
        0.3 * table["age"] + table["income"] + (table["job"] == "clerk") + table["own"] + random_numbers.normal(0, 1, m)
    )
    classes = rng.choice((["no", "yes"], [False, True], [0, 1], [2, 7], ["a", "b", "c"], ["a", "b", "c"]))
    cut = np.quantile(score, np.linspace(0, 1, len(classes) + 1)[1:-1])
    y = np.array(classes)[np.searchsorted(cut, score)]
    fitted = []
    for _ in range(2):
        columns = rng.sample(list(table), rng.randint(1, 3))
        rows = random_numbers.choice(m, 30)
        if len(set(y[rows].tolist())) < 2:
            return None
        fitted.append((columns, _estimator(rng, columns, table).fit(table[columns].iloc[rows], y[rows])))
    compiled = [symcf.compile(estimator) for _, estimator in fitted]
    order = list(dict.fromkeys(c for columns, _ in fitted for c in columns))
    cells = [_grid(c, [k for k, (columns, _) in zip(compiled, fitted, strict=True) if c in columns]) for c in order]
    if not 1 <= math.prod(map(len, cells)) <= 6000:
        return None
    rows = list(itertools.product(*cells))
    frame = pd.DataFrame({c: [row[i] for row in rows] for i, c in enumerate(order)})
    sides = [
        Side(k, columns, estimator.predict(frame[columns]).tolist())
        for k, (columns, estimator) in zip(compiled, fitted, strict=True)
    ]
    for side in sides:  # where scikit-learn's own sums are too close to call, exact ones decide
        if side.compiled.predict(frame[side.columns]).tolist() != side.labels:
            return None
    return Pair(order, rows, *sides)


def _estimator(rng: random.Random, columns: list[str], table: pd.DataFrame) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import BernoulliNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    seed = rng.randrange(1000)
    text = [c for c in columns if c == "job"]
    numbers = [c for c in columns if c != "job"]
    trees: list[Callable[[], Any]] = [
        lambda: DecisionTreeClassifier(max_depth=rng.randint(1, 4), random_state=seed),
        lambda: RandomForestClassifier(3, max_depth=2, random_state=seed),
        lambda: GradientBoostingClassifier(n_estimators=2, max_depth=2, random_state=seed),
        lambda: HistGradientBoostingClassifier(max_iter=2, max_depth=2, min_samples_leaf=3, random_state=seed),
    ]
    unknown = rng.choice(("ignore", "error"))
    if rng.random() < 0.5:
        coder = OneHotEncoder(categories=[["baker", "clerk", "none"]] * len(text), handle_unknown=unknown)
        coder = coder.set_params(sparse_output=False)
        ordinal = OrdinalEncoder(categories=[["none", "baker", "clerk"]] * len(text))
        steps = make_column_transformer((rng.choice((coder, ordinal)), text), remainder="passthrough")
        return rng.choice(trees)() if not text else make_pipeline(steps, rng.choice(trees)())
    strategy = rng.choice(("uniform", "quantile"))
    bins = KBinsDiscretizer(rng.randint(2, 4), strategy=strategy, encode="onehot-dense", quantile_method="linear")
    coder = OneHotEncoder(categories=[["baker", "clerk", "none"]] * len(text), handle_unknown=unknown)
    flags = [c for c in numbers if c == "own"]
    rest = [c for c in numbers if c != "own"]
    parts = [(bins, rest)] * bool(rest) + [(coder, text)] * bool(text) + [("passthrough", flags)] * bool(flags)
    last = rng.choice((LogisticRegression(C=10), BernoulliNB(), DecisionTreeClassifier(max_depth=3, random_state=seed)))
    return make_pipeline(make_column_transformer(*parts, sparse_threshold=0), last)


def _grid(column: str, readers: list[symcf.Compiled]) -> list[Any]:
    """A row on either side of every cut; unknown and missing entries if all can read them."""
    own = [compiled.encoder.readers[compiled.features.index(column)] for compiled in readers]

    def readable(cell: Any) -> bool:
        return all(reader.read([np.array([cell], dtype=object)])[0] >= 0 for reader in own)

    if column == "job":
        return ["baker", "clerk", "none", *(["sailor"] if readable("sailor") else [])]
    points = {-1000.0, 1000.0}
    for reader in own:
        for region in (reader.regions or {}).values():
            points |= {0.0, 1.0, *(end for end in (region.first, region.last) if math.isfinite(end))}
    return [*filter(readable, sorted(points)), *([math.nan] if readable(math.nan) else [])]


# --- the checks -------------------------------------------------------------------------------------------------------


def check(pair: Pair, rng: random.Random) -> int:
    """All questions about a pair; the number of checks."""
    functions = []
    for side in pair.both:
        label = rng.choice(side.compiled.classes)
        functions.append((side.compiled.is_class(label), side.true(label)))
    (f, truth_f), (g, truth_g) = functions
    every = g | ~g  # all rows that both can read
    done = 0
    for made, wanted in (
        (f & g, [a and b for a, b in zip(truth_f, truth_g, strict=True)]),
        (f | g, [a or b for a, b in zip(truth_f, truth_g, strict=True)]),
        (f ^ g, [a != b for a, b in zip(truth_f, truth_g, strict=True)]),
        (~f & every, [not a for a in truth_f]),
    ):
        _check_function(pair, made, wanted, rng)
        done += 1
    assert (f & every).implies(g) == all(b for a, b in zip(truth_f, truth_g, strict=True) if a)
    assert (f ^ f).count_models() == 0
    assert not (f ^ f).is_consistent()
    assert (f | ~f).is_valid()
    done += _check_condition(pair, f & every, truth_f, rng)
    done += _check_labels(pair)
    done += _check_difference(pair, rng)
    return done + 3


def _check_function(pair: Pair, made: symcf.Compiled, wanted: list[bool], rng: random.Random) -> None:
    assert made.classes == (False, True)
    names = [c for c in pair.columns if c in made.encoder.layout.names]
    frame = pair.frame()[names]
    assert made.predict(frame, codes=True).tolist() == [int(value) for value in wanted]
    cells: dict[Row, bool] = {}
    for code, value in zip(made.codes(frame).tolist(), wanted, strict=True):
        assert cells.setdefault(tuple(code), value) == value  # a cell has one value
    assert len(cells) == math.prod(map(len, made.values))  # no cell without a row
    count = sum(cells.values())
    assert made.count_models() == count
    assert made.share_of_models() * len(cells) == count
    assert made.is_consistent() == (count > 0)
    assert made.is_valid() == (count == len(cells))
    rows = made.models()
    listed = [tuple(code) for code in rows.codes().tolist()]
    assert sorted(listed) == sorted(code for code, value in cells.items() if value)
    by_level = [[code[j] for j in made.diagram.order] for code in listed]
    assert by_level == sorted(by_level)
    if count:
        drawn = [*rows.sample(5, rng.randrange(100)), rows[0], rows[-1]]
        table = pd.DataFrame(drawn)
        assert made.predict(table, codes=True).all()
        assert {tuple(code) for code in made.codes(table).tolist()} <= set(listed)


def _check_condition(pair: Pair, f: symcf.Compiled, truth: list[bool], rng: random.Random) -> int:
    """A clause of comparisons: what it entails, and how often both hold."""
    columns = pair.columns
    tests, truths = [], []
    for c in rng.sample(columns, rng.randint(1, len(columns))):
        j = pair.columns.index(c)
        values = sorted({row[j] for row in pair.rows if row[j] == row[j] and row[j] != "sailor"}, key=str)
        chosen = rng.sample(values, rng.randint(1, len(values)))
        reader = f.encoder.readers[f.features.index(c)]
        if reader.regions is not None and rng.random() < 0.8:
            value = rng.choice(values) if rng.random() < 0.5 else round(float(rng.choice(values)), 1)
            sign = rng.choice(("<", "<=", ">", ">="))
            compare: Any = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}[sign]
            tests.append(symcf.require(lambda_text(c, sign, value)))
            truths.append([bool(compare(row[j], value)) for row in pair.rows])
        elif reader.regions is None:
            tests.append(symcf.require({c: chosen}))
            truths.append([row[j] in chosen for row in pair.rows])
    if not tests:
        return 0
    either, holds = tests[0], truths[0]
    for test, more in zip(tests[1:], truths[1:], strict=True):
        either, holds = either | test, [a or b for a, b in zip(holds, more, strict=True)]
    # rows on one side of every cut of the classifier, but not of those of the condition: only what the grid decides
    condition = f.condition(either)
    assert condition.predict(
        pair.frame()[[c for c in pair.columns if c in condition.encoder.layout.names]], codes=True
    ).tolist() == [int(value) for value in holds]
    if all(isinstance(test, object) and not _cuts_more(condition, f) for test in tests):
        assert f.entails(either) == all(b for a, b in zip(truth, holds, strict=True) if a)
        assert (f & condition).is_consistent() == any(a and b for a, b in zip(truth, holds, strict=True))
    return 3


def lambda_text(column: str, sign: str, value: Any) -> str:
    return f"`{column}` {sign} {float(value)!r}"


def _cuts_more(condition: symcf.Compiled, f: symcf.Compiled) -> bool:
    return math.prod(map(len, condition.values)) != math.prod(map(len, f.values))


def _check_labels(pair: Pair) -> int:
    """Without saying which class is true: the second of both, or refused."""
    a, b = pair.first.compiled, pair.second.compiled
    if a.n_classes == b.n_classes == 2 and a.classes == b.classes:
        made = a & b
        wanted = [
            x == a.classes[1] and y == a.classes[1] for x, y in zip(pair.first.labels, pair.second.labels, strict=True)
        ]
        assert made.classes == a.classes
        assert made.count_models() == made.models(of=a.classes[1]).count
        frame = pair.frame()[[c for c in pair.columns if c in made.encoder.layout.names]]
        assert made.predict(frame, codes=True).tolist() == [int(value) for value in wanted]
    else:
        with pytest.raises(symcf.OptionError, match=r"which one counts as true|neither true nor false"):
            a & b
    return 1


def _check_difference(pair: Pair, rng: random.Random) -> int:
    a, b = pair.first.compiled, pair.second.compiled
    if not set(a.classes) & set(b.classes):
        with pytest.raises(symcf.OptionError, match="no class in common"):
            symcf.difference(a, b)
        return 1
    different = [x != y for x, y in zip(pair.first.labels, pair.second.labels, strict=True)]
    found = symcf.difference(a, b)
    frame = pair.frame()
    reader = found.columns.reader
    names = [c for c in pair.columns if c in reader.layout.names]
    codes = [tuple(code) for code in reader.encode(frame[names]).tolist()]
    cells = dict(zip(codes, different, strict=True))
    assert found.total == len(cells)
    assert found.count == sum(cells.values())
    assert found.equal == (not any(different)) == symcf.equivalent(a, b)
    assert sum(change.count for change in found.changes) == found.count
    for change in found.changes:
        inside = {
            code: x == change.first and y == change.second
            for code, x, y in zip(codes, pair.first.labels, pair.second.labels, strict=True)
        }
        assert change.count == sum(inside.values())
        _check_cubes(change, inside, rng)
    assert str(found).count("\n") >= len(found.changes)
    if names == list(pair.columns) and pair.columns:
        _check_nearest(found, cells, codes, frame[names], rng)
    if rng.random() < 0.1:
        with tempfile.TemporaryDirectory() as here:
            a.save(f"{here}/a.symcf")
            assert symcf.difference(a, symcf.load(f"{here}/a.symcf")).count == 0
    return 6


def _check_cubes(change: Any, inside: dict[Row, bool], rng: random.Random) -> None:
    cubes, left = change.cubes(rng.choice((1, 3, 50)))

    def held(codes: dict[int, Any]) -> set[Row]:
        return {code for code in inside if all(code[j] in some for j, some in codes.items())}

    sets = [held(cube.codes) for cube in cubes]
    assert [len(rows) for rows in sets] == [cube.cells for cube in cubes]
    assert left == change.count - len(set().union(*sets))
    for i, (cube, rows) in enumerate(zip(cubes, sets, strict=True)):
        assert all(inside[row] for row in rows)
        assert rows - set().union(*(other for k, other in enumerate(sets) if k != i))  # none can be left out
        for j, some in cube.codes.items():
            d = cube.columns.n_values[j]
            next_to = {min(some) - 1, max(some) + 1} if cube.columns.ordered[j] else set(range(d))
            for code in (next_to & set(range(d))) - set(some):
                assert not all(inside[row] for row in held({**cube.codes, j: some | {code}}))


def _check_nearest(
    found: Any, cells: dict[Row, bool], codes: list[Row], frame: pd.DataFrame, rng: random.Random
) -> None:
    i = rng.randrange(len(codes))
    row = frame.iloc[[i]].to_dict("records")[0]
    near = found.nearest(row)
    differing = [code for code, value in cells.items() if value]
    if not differing:
        assert near is None
        return
    fewest = min(sum(x != y for x, y in zip(code, codes[i], strict=True)) for code in differing)
    got = tuple(found.columns.reader.encode(pd.DataFrame([near])).tolist()[0])
    assert cells[got]
    assert sum(x != y for x, y in zip(got, codes[i], strict=True)) == fewest


def round_of(seed: int, count: int, raw: float = 0.5) -> tuple[int, list[str]]:
    """`count` pairs; the number of checks, and the failures."""
    done, failures = 0, []
    for number in range(count):
        rng = random.Random(f"algebra {seed} {number}")
        kind = raw_pair if rng.random() < raw else coded_pair
        try:
            done += check(kind(rng), rng)
        except Exception:
            failures.append(f"seed {seed}, pair {number} ({kind.__name__})\n{traceback.format_exc()}")
    return done, failures


if __name__ == "__main__":
    sys.exit(random_runs.rounds(round_of, "pairs", "checks", __doc__, 2000))
