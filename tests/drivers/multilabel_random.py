"""Random models of two and three labels against brute force: ``python tests/drivers/multilabel_random.py``.

*Tables*: any functions of named columns, each label reading some of them; in chains also the labels before it.
*Estimators*: scikit-learn's MultiOutputClassifier, OneVsRestClassifier and ClassifierChain on columns of a few whole
numbers; what they predict for all rows is the truth.
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
import reference
from torture import names

import symcf

Row = tuple[Any, ...]


@dataclass
class Specimen:
    """A model of several labels, all rows, and the labels of each."""

    model: symcf.MultiLabel
    columns: list[str]
    rows: list[Row]
    truth: list[dict[str, Any]]
    #: The labels of rows, by what the model was made of.
    predict: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] | None = None

    def given(self, row: Row) -> dict[str, Any]:
        return dict(zip(self.columns, row, strict=True))


# --- tables -----------------------------------------------------------------------------------------------------------


def tables(rng: random.Random) -> Specimen:
    n = rng.randint(1, 4)
    columns = rng.sample([f for f in names.FEATURES if f != "job"], n)
    cells = [rng.sample(names.WORDS, d) if rng.random() < 0.5 else list(range(d)) for d in _sizes(rng, n)]
    labels = rng.sample(["loan", "card", "job", "y0"], rng.choice((2, 2, 3)))
    chain = rng.random() < 0.5
    models: dict[str, Any] = {}
    decide: list[tuple[str, list[Any], Callable[[dict[str, Any]], Any]]] = []
    for i, label in enumerate(labels):
        k = rng.choice((2, 2, 3))
        classes = rng.choice((list(range(k)), ["no", "yes", "maybe"][:k], [True, False, "?"][:k], [k, *range(1, k)]))
        read = [(c, cells[j]) for j, c in enumerate(columns)]
        read = rng.sample(read, rng.randint(1, n))
        if chain and i:
            read += [(name, known) for name, known, _ in rng.sample(decide, rng.randint(0, i))]
        sizes = [len(values) for _, values in read]
        answers = {codes: rng.choice(classes) for codes in itertools.product(*map(range, sizes))}
        options = {"features": [name for name, _ in read], "values": [values for _, values in read]}
        models[label] = symcf.from_function(answers.__getitem__, sizes, classes=classes, **options)

        def rule(row: dict[str, Any], read: Any = read, answers: Any = answers) -> Any:
            return answers[tuple(values.index(row[name]) for name, values in read)]

        decide.append((label, classes, rule))
    model = symcf.MultiLabel(models, chain=chain)
    used = [c for c in columns if c in model.columns.features]
    rows = list(itertools.product(*(cells[columns.index(c)] for c in used)))

    def labels_of(row: dict[str, Any]) -> dict[str, Any]:
        known = dict(row)
        for label, _, rule in decide:
            known[label] = rule(known)
        return {label: known[label] for label in labels}

    rest = {c: cells[j][0] for j, c in enumerate(columns) if c not in used}
    truth = [labels_of({**rest, **dict(zip(used, row, strict=True))}) for row in rows]
    return Specimen(model, used, rows, truth)


def _sizes(rng: random.Random, n: int) -> list[int]:
    while True:
        sizes = [rng.randint(1, 4) for _ in range(n)]
        if math.prod(sizes) <= 64:
            return sizes


# --- estimators -------------------------------------------------------------------------------------------------------


def estimators(rng: random.Random) -> Specimen:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
    from sklearn.naive_bayes import BernoulliNB
    from sklearn.tree import DecisionTreeClassifier

    numbers = np.random.default_rng(rng.randrange(2**32))
    n, count, seed = rng.randint(2, 4), rng.choice((2, 3)), rng.randrange(100)
    tree = rng.random() < 0.5
    most = rng.randint(1, 3) if tree else 1
    X = numbers.integers(0, most + 1, (60, n))
    scores = X @ numbers.normal(0, 1, (n, count)) + numbers.normal(0, 0.7, (60, count))
    Y = (scores > np.median(scores, axis=0)).astype(int)
    columns = [f"c{j}" for j in range(n)]
    table = pd.DataFrame(X, columns=columns).astype(rng.choice(("int64", "float64", "int8")))
    leaf: Any = rng.choice((LogisticRegression(), BernoulliNB()))
    leaf = DecisionTreeClassifier(max_depth=3, random_state=seed) if tree else leaf
    kind: Any = rng.choice((MultiOutputClassifier, OneVsRestClassifier, ClassifierChain))
    options = {"order": rng.sample(range(count), count)} if kind is ClassifierChain else {}
    labels = ["loan", "card", "job"][:count]
    named = rng.random() < 0.7
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = kind(leaf, **options).fit(table if named else table.to_numpy(), Y)
        model = symcf.MultiLabel.of(fitted, labels, **({} if named else {"feature_names": columns}))
    used = [c for c in columns if c in model.columns.reader.layout.names]
    rows = list(itertools.product(*(_points(model, c, most) for c in used)))

    def predict(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        frame = pd.DataFrame(given).reindex(columns=columns, fill_value=0)
        found = fitted.predict(frame if named else frame.to_numpy())
        return [dict(zip(labels, map(int, row), strict=True)) for row in found]

    truth = predict([dict(zip(used, row, strict=True)) for row in rows])
    if tree is False and _too_close(fitted, rows):
        return estimators(rng)
    return Specimen(model, used, rows, truth, predict)


def _too_close(fitted: Any, rows: list[Row]) -> bool:
    """Are there sums so close to 0 that scikit-learn's rounding decides?"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for member in fitted.estimators_:
            more = member.n_features_in_ - len(rows[0])
            X = np.array([(*row, *labels) for row in rows for labels in itertools.product((0, 1), repeat=more)])
            odds = member.predict_log_proba(X)
            if (abs(odds[:, 0] - odds[:, 1]) < 1e-9).any():
                return True
    return False


def _points(model: symcf.MultiLabel, column: str, most: int) -> list[float]:
    """A number of every range."""
    if column not in model.columns.features:
        return [0]
    regions = model.columns.reader.readers[model.columns.features.index(column)].regions
    if regions is None:
        return list(range(most + 1))
    ends = [(max(region.first, -1), min(region.last, most + 1)) for region in regions.values()]
    return [math.ceil(low) if math.ceil(low) <= high else (low + high) / 2 for low, high in ends]


# --- the checks -------------------------------------------------------------------------------------------------------


def minimal_sets(
    specimen: Specimen, x: Row, wanted: dict[str, Any], immutable: Sequence[str], names: Sequence[str]
) -> list[tuple[int, ...]]:
    """By trying every row: the sets of features that have to change, those that hold another one left out."""
    places = [specimen.columns.index(c) for c in names]
    found = set()
    for row, labels in zip(specimen.rows, specimen.truth, strict=True):
        changed = frozenset(i for i, j in enumerate(places) if row[j] != x[j])
        others = any(row[j] != x[j] for j in range(len(row)) if j not in places)
        allowed = not others and not any(names[i] in immutable for i in changed)
        if allowed and all(labels[label] == value for label, value in wanted.items()):
            found.add(changed)
    return reference.minimal(found)


def check(specimen: Specimen, rng: random.Random) -> int:
    """Predictions of all rows, and questions about some; the number of checks."""
    model, rows, truth = specimen.model, specimen.rows, specimen.truth
    frame = pd.DataFrame([specimen.given(row) for row in rows], columns=specimen.columns)
    decided = model.predict(frame, codes=True).tolist()
    named = [{n: model.classes(n)[k] for n, k in zip(model.names, codes, strict=True)} for codes in decided]
    assert named == [{n: labels[n] for n in model.names} for labels in truth]
    done = len(rows)
    for _ in range(3):
        done += _check_question(specimen, rng)
    if rng.random() < 0.2:
        with tempfile.TemporaryDirectory() as here:
            model.save(f"{here}/model.json")
            loaded = symcf.MultiLabel.load(f"{here}/model.json")
        assert loaded.predict(frame, codes=True).tolist() == decided
        assert loaded.names == model.names
    return done


def _check_question(specimen: Specimen, rng: random.Random) -> int:
    model, place = specimen.model, rng.randrange(len(specimen.rows))
    x, present = specimen.rows[place], specimen.truth[place]
    assert model.labels_of(specimen.given(x)) == present
    asked = rng.sample(model.names, rng.randint(1, len(model.names)))
    target = {name: rng.choice(model.classes(name)) for name in asked}
    rest = [name for name in model.names if name not in target]
    keep: Any = rng.choice(((), rest, "all", rest[:1]))
    kept = rest if keep == "all" else list(keep)
    wanted = {**{name: present[name] for name in kept}, **target}
    immutable = rng.sample(specimen.columns, rng.randint(0, len(specimen.columns) // 2))
    features = list(model.columns.features)
    options = {"target": target, "keep": keep, "immutable": immutable}
    if all(present[name] == value for name, value in wanted.items()):
        with pytest.raises(symcf.OptionError, match="the row already has"):
            model.explain(specimen.given(x), **options)
        return 1
    found = model.explain(specimen.given(x), **options)
    sets = minimal_sets(specimen, x, wanted, immutable, features)
    assert found.complete
    assert found.sets == sets
    cost = {name: rng.randint(1, 3) for name in features}
    best = sorted(sets, key=lambda s: (sum(cost[features[j]] for j in s), len(s), s))
    assert model.explain(specimen.given(x), k=2, cost=cost, **options).sets == best[:2]
    for counterfactual in itertools.islice(found, 4):
        row = counterfactual.row
        assert all(model.labels_of(row)[name] == value for name, value in wanted.items())
        if specimen.predict is not None:
            assert all(specimen.predict([row])[0][name] == value for name, value in wanted.items())
    goal = model.goal_of(specimen.given(x), target, keep)
    checked = symcf.verify(goal, specimen.given(x), goal.explain(specimen.given(x), immutable=immutable))
    assert checked
    chosen = rng.sample(range(len(specimen.rows)), min(len(specimen.rows), 6))
    given = [specimen.given(specimen.rows[i]) for i in chosen]
    batch = model.explain_batch(pd.DataFrame(given, columns=specimen.columns), **options)
    for i, one in zip(chosen, batch, strict=True):
        row, labels = specimen.rows[i], specimen.truth[i]
        wants = {**{name: labels[name] for name in kept}, **target}
        there = all(labels[name] == value for name, value in wants.items())
        assert one.sets == ([] if there else minimal_sets(specimen, row, wants, immutable, features)), (i, one.sets)
    return 3 + len(chosen)


def round_of(seed: int, count: int) -> tuple[int, list[str]]:
    """`count` models; the number of checks, and the failures."""
    done, failures = 0, []
    for number in range(count):
        rng = random.Random(f"labels {seed} {number}")
        kind = tables if rng.random() < 0.6 else estimators
        try:
            done += check(kind(rng), rng)
        except Exception:
            failures.append(f"seed {seed}, model {number} ({kind.__name__})\n{traceback.format_exc()}")
    return done, failures


if __name__ == "__main__":
    sys.exit(random_runs.rounds(round_of, "models", "checks", __doc__, 500))
