"""Boosted trees from dicts: decisions, JSON and errors, against a walk through the dicts themselves."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import reference

import symcf

NAN = math.nan
JOBS = ("clerk", "nurse", -1, True)
CLASSES = {2: ("no", "yes"), 3: (-1, 0, 5), 4: ("a", "b", "c", "d")}


def random_tree(rng, depth, *, classes, missing, leaf="score"):
    if depth == 0 or rng.random() < 0.15:
        if leaf == "scores":
            return {"scores": [float(s) for s in rng.integers(-8, 9, len(classes)) / 8]}
        score = {"score": float(rng.integers(-8, 9)) / 8}
        return (
            score
            if len(classes) == 2 and rng.random() < 0.5
            else {**score, "class": classes[int(rng.integers(len(classes)))]}
        )
    below = {side: random_tree(rng, depth - 1, classes=classes, missing=missing, leaf=leaf) for side in ("yes", "no")}
    j = int(rng.integers(4))
    node = {"feature": ("age", "income", "job", "flag")[j], **below}
    if j == 2:
        node["in"] = [JOBS[i] for i in rng.permutation(len(JOBS))[: rng.integers(1, 4)]]
    else:
        node[("less_than", "at_most")[int(rng.integers(2))]] = float(rng.choice([0.1, 0.5, 0.3, 2.0]))
    if missing and j != 3:
        node["missing"] = ("yes", "no")[int(rng.integers(2))]
    return node


def walk(node, row, *, float32):
    """The leaf that a row reaches, as people would find it."""
    while "feature" in node:
        x = row[node["feature"]]
        if x is None or (isinstance(x, float) and math.isnan(x)):
            node = node[node["missing"]]
            continue
        if "in" in node:
            passes = x in node["in"]
        else:
            x = float(np.float32(x)) if float32 else x
            passes = x < node["less_than"] if "less_than" in node else x <= node["at_most"]
        node = node["yes" if passes else "no"]
    return node


def decided(trees, row, classes, bias, tie, *, float32):
    sums = [Fraction(b) for b in ((0, bias) if np.ndim(bias) == 0 else bias)]
    for tree in trees:
        leaf = walk(tree, row, float32=float32)
        if "scores" in leaf:
            sums = [s + Fraction(x) for s, x in zip(sums, leaf["scores"], strict=True)]
        else:
            sums[classes.index(leaf.get("class", classes[1]))] += Fraction(leaf["score"])
    best = [k for k, s in enumerate(sums) if s == max(sums)]
    return best[-1] if tie == "positive" else best[0]


def rows(rng, *, missing):
    edges = [0.1, 0.3, 0.5, 2.0]
    numbers = [*edges, *(math.nextafter(e, 9) for e in edges), *(math.nextafter(e, -9) for e in edges), -1.0, 0.2, 7]
    numbers += [float(np.float32(e)) for e in edges] + [
        float(np.nextafter(np.float32(e), np.float32(9))) for e in edges
    ]
    table = []
    for _ in range(60):
        age, income, flag = (numbers[int(i)] for i in rng.integers(len(numbers), size=3))
        job = JOBS[int(rng.integers(len(JOBS)))]
        if missing:
            age, income = (NAN if rng.random() < 0.2 else v for v in (age, income))
            job = None if rng.random() < 0.2 else job
        table.append({"age": age, "income": income, "job": job, "flag": flag})
    return table


def random_model(seed):
    rng = np.random.default_rng(seed)
    n, missing, float32 = int(rng.integers(2, 5)), bool(rng.integers(2)), bool(rng.integers(2))
    classes, tie = CLASSES[n], ("negative", "positive")[int(rng.integers(2))]
    leaf = ("score", "scores")[int(rng.integers(2))]
    trees = [random_tree(rng, 3, classes=classes, missing=missing, leaf=leaf) for _ in range(4)]
    # every feature is tested once, so that all of them have missing values or none
    trees.append({"feature": "flag", "less_than": 0.5, "yes": {"score": 0, "class": classes[0]}, "no": trees[0]})
    bias = float(rng.integers(-4, 5)) / 4 if n == 2 and rng.random() < 0.5 else (rng.integers(-4, 5, n) / 4).tolist()
    model = symcf.BoostedTrees(
        trees,
        bias=bias,
        features=["job", "age", "flag", "income"],
        values={"job": JOBS},
        classes=classes,
        tie=tie,
        float32=float32,
    )
    tested = set(
        filter(
            None,
            (
                reader.missing is not None and name
                for reader, name in zip(model.encoder.readers, model.features, strict=True)
            ),
        )
    )
    table = [
        {k: (v if k in tested or not (v is None or v != v) else {"job": "clerk"}.get(k, 0.2)) for k, v in row.items()}
        for row in rows(rng, missing=missing)
    ]
    return model, table, lambda row: decided(trees, row, classes, bias, tie, float32=float32)


@pytest.mark.parametrize("seed", range(40))
def test_decisions_are_those_of_the_dicts(seed):
    model, table, decide = random_model(seed)
    c = symcf.compile(model)
    assert c.predict(table, codes=True).tolist() == [decide(row) for row in table]
    again = symcf.model_from_json(model.to_json())
    assert again == model
    assert pickle.loads(pickle.dumps(model)) == model
    assert symcf.compile(again).predict(table, codes=True).tolist() == c.predict(table, codes=True).tolist()


def test_change_sets_are_those_of_brute_force():
    for seed in range(12):
        model, table, _ = random_model(seed)
        c = symcf.compile(model)
        codes = np.array(list(itertools.product(*map(range, model.n_values))))
        decisions = c.decide(codes)
        missing = model.encoder.missing
        for row in table[:3]:
            x = c.codes([row])[0]
            fine = np.all([(codes[:, j] == x[j]) | (codes[:, j] != code) for j, code in enumerate(missing)], axis=0)
            flipped = codes[fine & (decisions != c.predict([row], codes=True)[0])]
            sets = {tuple(np.flatnonzero(y != x).tolist()) for y in flipped}
            e = c.explain(row)
            assert e.sets == reference.minimal(sets)
            assert symcf.verify(c, row, e)


def test_missing_is_suggested_only_where_it_is_allowed():
    # no number is both at least 40 and less than 30
    inner = {"feature": "age", "less_than": 40, "missing": "no", "yes": {"score": -1}, "no": {"score": 2}}
    outer = {"feature": "age", "less_than": 30, "missing": "yes", "yes": inner, "no": {"score": -1}}
    trees = [outer, {"feature": "job", "in": ["a"], "yes": {"score": 0}, "no": {"score": 0.25}}]
    c = symcf.compile(symcf.BoostedTrees(trees, values={"job": ["a", "b"]}))
    row = {"age": 20, "job": "a"}
    assert c.predict([{"age": None, "job": "a"}, row], codes=True).tolist() == [1, 0]
    e = c.explain(row)
    assert e.sets == []
    assert [str(b) for b in e.blocking] == ["age must not become missing"]
    assert c.explain(row, allowed={"age": ["(missing)"]}).sets == [(0,)]
    assert c.explain({"age": NAN, "job": "a"}).sets == [(0,)]


def test_probabilities_are_those_of_the_link():
    stump = {"feature": "x", "at_most": 0, "yes": {"score": -0.5}, "no": {"score": 0.75}}
    model = symcf.BoostedTrees([stump], bias=0.25, slope=2.0)
    margins = np.array([-0.25, 1.0])
    expected = 1 / (1 + np.exp(-2 * margins))
    assert model.decision_values(np.array([[0], [1]])).tolist() == margins.tolist()
    np.testing.assert_allclose(symcf.compile(model).predict_proba([[-1], [1]])[:, 1], expected, rtol=1e-12)
    three = symcf.BoostedTrees([{"scores": [0, 1, 2]}, {"feature": "x", "at_most": 0, "yes": {"scores": [3, 0, 0]},
                                                         "no": {"scores": [0, 0, 0]}}])  # fmt: skip
    odds = np.exp([3.0, 1, 2])
    np.testing.assert_allclose(three.predict_proba(np.array([[0]]))[0], odds / odds.sum(), rtol=1e-12)
    assert symcf.BoostedTrees([stump], probability=None).predict_proba(np.array([[0]])) is None


def test_facts_are_kept():
    stump = {"feature": "x", "at_most": 0, "yes": {"score": -0.5}, "no": {"score": 0.75}}
    model = symcf.BoostedTrees([stump], monotone=[1])
    assert symcf.model_from_json(model.to_json()).monotone == (1,)
    assert model.rounding_error == 0
    assert repr(model) == "BoostedTrees(1 feature, 2 classes, 1 tree)"


def test_scores_that_do_not_fit_are_refused_or_rounded():
    big = [
        {"feature": j, "at_most": 0, "yes": {"score": 2.0**40 * (j + 1)}, "no": {"score": 2.0**-40 / (j + 3)}}
        for j in range(60)
    ]
    with pytest.raises(symcf.ModelError, match="the scores at the leaves span"):
        symcf.BoostedTrees(big)
    assert symcf.BoostedTrees(big, rounded=True).rounding_error > 0


LEAVES = {"yes": {"score": 1}, "no": {"score": -1}}


@pytest.mark.parametrize(
    ("trees", "options", "message"),
    [
        ([], {}, "at least one tree"),
        ([{"feature": "x", **LEAVES}], {}, r"tree 0 has the keys .*'less_than'"),
        ([{"score": 1, "extra": 2}], {}, "tree 0 has the keys"),
        ([{"feature": "x", "less_than": NAN, **LEAVES}], {}, "tree 0: 'less_than' must be a finite number"),
        ([{"feature": "x", "less_than": 1, "missing": "left", **LEAVES}], {}, "'missing' must be 'yes' or 'no'"),
        ([{"feature": "x", "in": ["a"], **LEAVES}], {}, "'in' needs the values of 'x'"),
        ([{"feature": "x", "at_most": 2, **LEAVES}], {"values": {"x": ["a"]}}, "has named values: use 'in'"),
        ([{"score": [1]}], {}, "'score' must be a number"),
        ([{"score": 1}], {"classes": "abc"}, "classes must be a list of names"),
        ([{"score": 1}], {"classes": list("abc")}, "there are 3 classes: add 'class'"),
        ([{"score": 1, "class": "z"}], {"classes": list("abc")}, "there is no class 'z'"),
        ([{"scores": [1, 2, 3]}], {"classes": list("ab")}, "'scores' must list 2 numbers"),
        ([{"score": math.inf}], {}, "a score is inf"),
        ([{"score": 1}], {"bias": [1, 2, 3]}, "bias must be 2 finite numbers"),
        ([{"score": 1}], {"bias": NAN}, "bias must be 2 finite numbers"),
        ([{"scores": [1, 2, 3]}], {"bias": 1}, "bias must list 3 numbers"),
        ([{"score": 1}], {"slope": 0}, "slope must be a positive number"),
        ([{"score": 1}], {"probability": "loud"}, "unknown probability 'loud'"),
        ([{"score": 1}], {"tie": "coin"}, "unknown tie rule"),
        ([{"feature": "x", "at_most": 2, **LEAVES}], {"monotone": [2]}, "monotone must be 1, -1 or 0"),
        ([{"score": 1}], {"rounded": 1}, "rounded must be True or False"),
        ([{"score": 1}], {"float32": 1}, "float32 must be True or False"),
        ([{"feature": "x", "at_most": 2, "missing": "yes", **LEAVES}, {"feature": "x", "at_most": 2, **LEAVES}], {},
         "tree 1 needs 'missing'"),
    ],
    ids=str,
)  # fmt: skip
def test_mistakes_are_named(trees, options, message):
    with pytest.raises(symcf.ModelError, match=message):
        symcf.BoostedTrees(trees, **options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"feature": [7, -1, -1]}, "node 0 tests feature 7"),
        ({"below": [5, 0, 0]}, "node 0 sends codes below 5"),
        ({"left": [-1, -1, -1]}, "node 0 has one child"),
        ({"left": [0, -1, -1]}, "0 cannot be a child"),
        ({"last": [0, 0, 0]}, "last must be true or false"),
        ({"last": [True]}, "equally long"),
        ({"of": 2}, "of must be the code of a class"),
        ({"score": [None, [1], [2]]}, "score must have one number per node"),
        ({"subset": {"1": [0]}}, "'1' is not a node that tests a feature"),
        ({"subset": {"0": [9]}}, "must list codes between 0 and 1"),
        ({"subset": [1]}, "subset must map nodes to codes"),
    ],
    ids=str,
)
def test_damaged_files_are_named(change, message):
    model = symcf.BoostedTrees([{"feature": "x", "at_most": 0, **LEAVES}])
    data = model.to_dict()
    data["trees"][0].update(change)
    with pytest.raises(symcf.ModelError, match=message):
        symcf.model_from_dict(data)
    data["trees"] = 3
    with pytest.raises(symcf.ModelError):
        symcf.model_from_dict(data)
