"""Trees and forests: the rule decides as the dicts that the user wrote, and rows are read as they compare."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.data.intervals import Intervals

AGE = {
    "feature": "age",
    "at_most": 25.5,
    "yes": {"class": "deny"},
    "no": {"feature": "income", "at_most": 40, "yes": {"class": "deny"}, "no": {"class": "approve"}},
}

# --- obvious evaluations ----------------------------------------------------------------------------------------------


def leaf_of(node, row, read=float):
    """The leaf that a raw row (a dict) reaches."""
    while "feature" in node:
        x = row[node["feature"]]
        passes = read(x) <= node["at_most"] if "at_most" in node else x in node["in"]
        node = node["yes"] if passes else node["no"]
    return node


def scores_of(leaf, classes):
    if "class" in leaf:
        return [Fraction(int(c == leaf["class"])) for c in classes]
    return [Fraction(x) for x in leaf.get("counts", leaf.get("scores"))]


def best(scores, tie="negative"):
    winners = [k for k, s in enumerate(scores) if s == max(scores)]
    return winners[0] if tie == "negative" else winners[-1]


def rule_scores(rule, codes):
    """What the arrays of a rule add up to for a row of codes."""
    total = [0] * rule.trees[0].score.shape[1]
    for tree in rule.trees:
        u = 0
        while tree.feature[u] >= 0:
            left = tree.left_values[tree.left_start[u] + codes[tree.feature[u]]]
            child = int(tree.left[u] if left else tree.right[u])
            assert child > u
            u = child
        total = [t + int(s) for t, s in zip(total, tree.score[u], strict=True)]
    return total


def rule_decision(model, codes):
    rule = model.rule()
    return best(rule_scores(rule, codes), "positive" if rule.later_wins else "negative")


def check_shape(model):
    rule = model.rule()
    assert rule.value_offset.dtype == np.uint32
    for tree in rule.trees:
        assert [a.dtype for a in (tree.feature, tree.left, tree.right)] == [np.int32] * 3
        assert (tree.left_start.dtype, tree.left_values.dtype, tree.score.dtype) == (np.int64, np.uint8, np.int64)
        assert tree.left_start[-1] == len(tree.left_values)
        for f, start in zip(tree.feature, tree.left_start, strict=False):
            assert f < 0 or 0 <= start <= len(tree.left_values) - model.n_values[f]


# --- random trees -----------------------------------------------------------------------------------------------------

COLOURS = ["red", "green", "blue"]
SIZES = [1, 2, 10]
CUTS = [-1.5, 0.0, 0.1, 1.0, 2.5]
NUMBERS = [-math.inf, -2, -1.5, -0.0, 0.05, 0.1, np.float32(0.1), 0.5, 1, 2.5, 2.6, 1e300]
FEATURES = ["a", "b", "colour", "size"]


def nodes(leaves, depth=4):
    numeric = st.fixed_dictionaries({"feature": st.sampled_from(["a", "b"]), "at_most": st.sampled_from(CUTS)})
    sized = st.fixed_dictionaries({"feature": st.just("size"), "at_most": st.sampled_from([0, 1, 1.5, 5, 11])})
    some = st.lists(st.sampled_from(COLOURS), max_size=3)
    coloured = st.fixed_dictionaries({"feature": st.just("colour"), "in": some})
    return st.recursive(
        leaves,
        lambda sub: st.tuples(numeric | sized | coloured, sub, sub).map(lambda t: {**t[0], "yes": t[1], "no": t[2]}),
        max_leaves=10,
    )


CLASSES = ["x", "y", "z"]
NAMED = st.sampled_from(CLASSES).map(lambda c: {"class": c})
COUNTS = st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any).map(lambda c: {"counts": c})
SCORES = st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 1, -0.5]), min_size=3, max_size=3).map(lambda s: {"scores": s})
KINDS = [NAMED | COUNTS, NAMED | SCORES]

ROWS = [dict(zip(FEATURES, row, strict=True)) for row in itertools.product(NUMBERS, [-1, 1, 7.5], COLOURS, SIZES)]
OPTIONS = {"features": FEATURES, "values": {"colour": COLOURS, "size": SIZES}, "classes": CLASSES}


@given(st.sampled_from(KINDS).flatmap(nodes), st.sampled_from(["negative", "positive"]))
def test_a_tree_decides_as_its_dicts(root, tie):
    model = symcf.DecisionTree(root, tie=tie, **OPTIONS)
    check_shape(model)
    codes = model.encoder.encode(ROWS)
    assert (codes >= 0).all()
    assert (codes.max(axis=0) < model.n_values).all()
    for row, code in zip(ROWS[::7], codes[::7], strict=True):
        expected = scores_of(leaf_of(root, row), CLASSES)
        assert rule_decision(model, code) == best(expected, tie)


@given(st.lists(st.sampled_from(KINDS).flatmap(nodes), min_size=1, max_size=4), st.sampled_from(["soft", "hard"]))
def test_a_forest_decides_as_its_dicts(roots, vote):
    model = symcf.RandomForest(roots, vote=vote, rounded=True, **OPTIONS)
    check_shape(model)
    same = symcf.RandomForest([symcf.DecisionTree(root, **OPTIONS) for root in roots], vote=vote, rounded=True)
    assert same == model
    codes = model.encoder.encode(ROWS)
    for row, code in zip(ROWS[::31], codes[::31], strict=True):
        total = [Fraction(0)] * 3
        for root in roots:
            leaf = leaf_of(root, row)
            scores = scores_of(leaf, CLASSES)
            if vote == "hard":
                scores = [Fraction(int(k == best(scores))) for k in range(3)]
            elif "counts" in leaf:
                scores = [s / sum(scores) for s in scores]
            total = [t + s for t, s in zip(total, scores, strict=True)]
        exact = sorted(total)
        # Shares that are floats may be off in the last place.
        if exact[-1] - exact[-2] > 1e-12 or all("scores" not in str(root) for root in roots):
            assert rule_decision(model, code) == best(total)
        shares = model.predict_proba(code[None])
        if shares is not None and sum(total):
            assert shares[0].tolist() == pytest.approx([float(t / sum(total)) for t in total])


# --- labels -----------------------------------------------------------------------------------------------------------


def test_intervals_are_named_by_their_thresholds():
    model = symcf.RandomForest(
        [AGE, {"feature": "age", "at_most": 40, "yes": {"class": "deny"}, "no": {"class": "approve"}}],
        features=["age", "income", "shoe size"],
        classes=["deny", "approve"],
    )
    assert model.values == (("<= 25.5", "25.5 .. 40", "> 40"), ("<= 40", "> 40"), ("any",))
    assert model.ordered == (True, True, True)
    assert repr(model) == "RandomForest(3 features, 2 classes, 2 trees)"
    assert model.encoder.encode_one({"age": 40, "income": 41, "shoe size": 9}).tolist() == [[1, 1, 0]]


def test_numbers_are_shown_as_short_as_they_can_be():
    cuts = [-1e-7, 0.1, 1 / 3, 1e20]
    root = {"class": 0}
    for cut in cuts:
        root = {"feature": "x", "at_most": cut, "yes": root, "no": {"class": 1}}
    assert symcf.DecisionTree(root).values[0][:3] == ("<= -1e-07", "-1e-07 .. 0.1", "0.1 .. 0.3333333333333333")
    # the next 32-bit floats below
    assert symcf.DecisionTree(root, float32=True).values[0][2:] == (
        "0.099999994 .. 0.3333333",
        "0.3333333 .. 9.999999e+19",
        "> 9.999999e+19",
    )
    assert len(set(symcf.DecisionTree(root).values[0])) == 5


def test_names_by_default():
    assert symcf.DecisionTree(AGE).features == ("age", "income")
    assert symcf.DecisionTree(AGE).classes == ("approve", "deny")
    by_index = {"feature": 2, "at_most": 1, "yes": {"counts": [1, 2, 3]}, "no": {"counts": [1, 0, 0]}}
    model = symcf.DecisionTree(by_index)
    assert model.features == ("x0", "x1", "x2")
    assert model.classes == (0, 1, 2)
    assert model.values[0] == ("any",)
    constant = symcf.DecisionTree({"counts": [1, 2]})
    assert constant.features == ()
    assert rule_decision(constant, []) == 1
    assert constant.encoder is None


def test_without_numbers_instances_are_codes():
    root = {"feature": "colour", "in": ["red"], "yes": {"class": 0}, "no": {"class": 1}}
    model = symcf.DecisionTree(root, values={"colour": COLOURS}, ordered=False)
    assert model.encoder is None
    assert model.ordered == (False,)
    assert [rule_decision(model, [v]) for v in range(3)] == [0, 1, 1]
    assert symcf.DecisionTree(AGE, ordered=False).ordered == (True, True)


def test_integers_stay_integers():
    model = symcf.DecisionTree({"counts": [2**40 + 1, 7]})
    assert model.rule().trees[0].score.tolist() == [[2**40 + 1, 7]]
    assert model.predict_proba(np.empty((2, 0), dtype=int)) == pytest.approx(np.array([[1, 0], [1, 0]]), abs=1e-10)


def test_probabilities():
    model = symcf.RandomForest([{"counts": [1, 3]}, {"counts": [10, 0]}])
    assert model.predict_proba(np.empty((1, 0), dtype=int)).tolist() == [[0.625, 0.375]]
    assert symcf.DecisionTree({"scores": [-1, 2]}).predict_proba(np.empty((1, 0), dtype=int)) is None
    assert symcf.DecisionTree({"scores": [0, 0]}).predict_proba(np.empty((1, 0), dtype=int)).tolist() == [[0.5, 0.5]]


def test_shares_without_a_common_denominator_are_floats():
    primes = [p for p in range(2, 400) if all(p % q for q in range(2, p))]
    model = symcf.RandomForest([{"counts": [1, p - 1]} for p in primes])
    assert 0 < model.rounding_error < 1e-12
    expected = sum(Fraction(1, p) for p in primes) / len(primes)
    assert model.predict_proba(np.empty((1, 0), dtype=int))[0, 0] == pytest.approx(float(expected))


def close_forest(shares, **options):
    """Stumps that give one of two pairs of scores each."""
    trees = [
        {"feature": j, "at_most": 0, "yes": {"scores": list(a)}, "no": {"scores": list(b)}}
        for j, (a, b) in enumerate(shares)
    ]
    features = [f"x{j}" for j in range(len(shares))]
    return symcf.RandomForest(trees, features=features, values={name: [0, 1] for name in features}, **options)


def test_forests_are_exact_or_refused():
    """Votes that differ by less than a unit of 58 bits decide, or the forest is refused."""
    rng = np.random.default_rng(3)
    refused = exact = wrong = 0
    for _ in range(150):
        n = 5
        numbers = np.ldexp(rng.integers(2**52, 2**53, (n, 2)).astype(float), rng.integers(-62, -48, (n, 2)))
        chosen = rng.integers(0, 2, n)
        tie = float(sum((Fraction(x) for x in numbers[np.arange(n), chosen].tolist()), Fraction(0)))
        shares = [((a, 0.0), (b, 0.0)) for a, b in numbers.tolist()] + [((0.0, tie), (0.0, tie))]
        wanted = []
        rows = list(itertools.product(range(2), repeat=n + 1))
        for row in rows:
            votes = [sum((Fraction(shares[j][v][k]) for j, v in enumerate(row)), Fraction(0)) for k in range(2)]
            wanted.append(int(votes[1] > votes[0]))
        rounded = close_forest(shares, rounded=True)
        wrong += symcf.compile(rounded).decide(np.array(rows)).tolist() != wanted
        try:
            model = close_forest(shares)
        except symcf.ModelError:
            refused += 1
        else:
            exact += 1
            assert symcf.compile(model).decide(np.array(rows)).tolist() == wanted
    assert refused >= wrong > 10
    assert exact > 20


def test_permission_to_round_is_kept():
    shares = [((0.1 * 2.0**-j, 0.3), (0.7, 1 / 3)) for j in range(60)]
    with pytest.raises(symcf.ModelError, match="the scores at the leaves span"):
        close_forest(shares)
    model = close_forest(shares, rounded=True)
    assert symcf.RandomForest.from_dict(model.to_dict()) == model
    assert 0 < model.rounding_error < 1e-12
    with pytest.raises(symcf.ModelError, match="rounded must be True or False"):
        close_forest(shares, rounded="yes")


# --- arrays -----------------------------------------------------------------------------------------------------------


def test_from_arrays_is_the_tree_of_the_dicts():
    classes = ["deny", "approve"]
    arrays = ([0, -2, 1, -2, -2], [25.5, -2, 40, -2, -2], [1, -1, 3, -1, -1], [2, -1, 4, -1, -1])
    score = [[9, 9], [1, 0], [9, 9], [1, 0], [0, 1]]
    model = symcf.DecisionTree.from_arrays(*arrays, score, features=["age", "income"], classes=classes)
    assert model == symcf.DecisionTree(AGE, classes=classes)
    assert symcf.DecisionTree.from_arrays(*map(np.array, arrays), np.array(score)).features == ("x0", "x1")


def test_from_arrays_puts_parents_first():
    # the root's children are 4 and 1, those of 4 are 3 and 2
    model = symcf.DecisionTree.from_arrays(
        [0, -1, -1, -1, 1], [1, 0, 0, 0, 2], [4, -1, -1, -1, 3], [1, -1, -1, -1, 2], [[0, 0, 0], *np.eye(3), [0, 0, 0]]
    )
    check_shape(model)
    assert [rule_decision(model, row) for row in ([0, 0], [0, 1], [1, 0], [1, 1])] == [2, 1, 0, 0]


def test_from_arrays_with_named_values():
    model = symcf.DecisionTree.from_arrays(
        [0, -1, -1], [0.5, 0, 0], [1, -1, -1], [2, -1, -1], [[0, 0], [1, 0], [0, 1]], values=[[0, 1]]
    )
    assert model.encoder is None
    assert [rule_decision(model, [v]) for v in (0, 1)] == [0, 1]


def test_deep_trees():
    root = {"class": 0}
    for cut in range(20_000):
        root = {"feature": "x", "at_most": cut, "yes": {"class": cut % 2}, "no": root}
    model = symcf.DecisionTree(root)
    assert len(model.thresholds[0]) == 20_000
    again = symcf.DecisionTree.from_arrays(
        *(getattr(model.nodes[0], name) for name in ("feature", "threshold", "left", "right", "score")), features=["x"]
    )
    assert again == model
    small = symcf.DecisionTree(leaf_up(root, 3000))
    assert symcf.model_from_json(small.to_json()) == small
    assert [rule_decision(small, [v]) for v in range(5)] == [1, 1, 1, 1, 1]
    assert small.predict_proba(np.array([[0], [3000]])).tolist() == [[0, 1], [1, 0]]


def leaf_up(root, steps):
    """The lower part of the deep tree: its last tests."""
    node = root
    for _ in range(20_000 - steps):
        node = node["no"]
    return node


# --- 32-bit floats ----------------------------------------------------------------------------------------------------


@given(st.floats(-1e30, 1e30), st.lists(st.floats(-1e30, 1e30) | st.floats(allow_nan=False), min_size=1, max_size=10))
def test_float32_compares_as_scikit_learn_does(cut, numbers):
    root = {"feature": "x", "at_most": cut, "yes": {"class": 0}, "no": {"class": 1}}
    model = symcf.DecisionTree(root, float32=True)
    near = [cut, np.nextafter(cut, 1e300), np.nextafter(cut, -1e300), float(np.float32(cut)), *numbers]
    near += [float(np.nextafter(np.float32(cut), np.float32(s * np.inf))) for s in (-1, 1)]
    codes = model.encoder.encode(np.array(near)[:, None])
    with np.errstate(over="ignore"):
        expected = [int(not np.float64(np.float32(x)) <= cut) for x in near]
    assert [rule_decision(model, code) for code in codes] == expected


def test_thresholds_that_no_float32_tells_apart_are_one():
    cut = 0.1
    root = {"feature": "x", "at_most": cut, "yes": {"class": 0}, "no": {"class": 1}}
    model = symcf.DecisionTree({**root, "at_most": np.nextafter(cut, 1), "no": root}, float32=True)
    assert model.n_values == (2,)


# --- rows -------------------------------------------------------------------------------------------------------------

MIXED = Intervals(["age", "colour"], [[25.5, 40], None], values=[None, COLOURS])
EXPECTED = [[0, 2], [1, 0], [2, 1]]
TABLE = {"age": [25.5, 40, 41], "colour": ["blue", "red", "green"]}
NUMERIC = Intervals(["a", "b"], [[0, 1], [0.5]])


@pytest.mark.parametrize(
    "rows",
    [
        pd.DataFrame(TABLE),
        pd.DataFrame(TABLE)[["colour", "age"]],
        pd.DataFrame(TABLE).astype({"colour": "category", "age": "Float64"}),
        pd.DataFrame(np.array(list(zip(*TABLE.values(), strict=True)), dtype=object)),
        pa.table(TABLE),
        pa.table(TABLE).to_batches()[0],
        [[25.5, "blue"], [40, "red"], [41, "green"]],
        [{"age": a, "colour": c} for a, c in zip(*TABLE.values(), strict=True)],
    ],
    ids=["frame", "reordered", "pandas types", "unnamed", "arrow", "batch", "lists", "dicts"],
)
def test_rows_of_all_kinds(rows):
    assert MIXED.encode(rows).tolist() == EXPECTED


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int8, np.uint64, bool, object, ">f8"])
def test_arrays_of_all_types(dtype):
    rows = np.array([[0, 1], [1, 0], [1, 1]]).astype(dtype)
    assert NUMERIC.encode(rows).tolist() == [[0, 1], [1, 0], [1, 1]]


@pytest.mark.parametrize(
    "instance",
    [
        {"colour": "red", "age": 40},
        [40, "red"],
        (np.float32(40), np.str_("red")),
        pd.Series({"colour": "red", "age": 40}),
        pd.Series([40, "red"]),
        np.array([40, "red"], dtype=object),
    ],
)
def test_one_instance_of_all_kinds(instance):
    assert MIXED.encode_one(instance).tolist() == [[1, 0]]


UNREADABLE = [
    ([[30, "red"], [math.nan, "red"]], ["row 1", "'age'", "missing"]),
    ([[30, "red"], [None, "red"]], ["row 1", "'age'", "missing"]),
    ([[30, "red"], ["30", "red"]], ["row 1", "'age'", "'30'", "not a number"]),
    ([[30, "red"], [[], "red"]], ["row 1", "'age'", "not a number"]),
    ([[30, "red"], [30, "pink"]], ["row 1", "'colour'", "'pink'", "'red'", "'blue'"]),
    ([[30, "red"], [30, None]], ["row 1", "'colour'", "missing"]),
    (pd.DataFrame({"age": pd.array([3, None], dtype="Int64"), "colour": "red"}), ["row 1", "'age'", "missing"]),
    (pa.table({"age": [3, None], "colour": ["red", "red"]}), ["row 1", "'age'", "missing"]),
    (pd.DataFrame({"age": pd.to_datetime(["2020-01-01"] * 2), "colour": "red"}), ["row 0", "'age'", "not a number"]),
]


@pytest.mark.parametrize(("rows", "words"), UNREADABLE, ids=[str(i) for i in range(len(UNREADABLE))])
def test_unreadable_cells_are_named_or_marked(rows, words):
    if isinstance(rows, list):
        rows = [dict(zip(TABLE, row, strict=True)) for row in rows]
    with pytest.raises(symcf.InstanceError) as error:
        MIXED.encode(rows)
    assert [word for word in words if word not in str(error.value)] == []
    marked = MIXED.encode(rows, mark=True)
    assert (marked[error.value.row] == -1).sum() == 1
    assert marked[error.value.row, error.value.feature] == -1


BAD_ROWS = [
    (lambda: MIXED.encode([30, "red"]), ["two-dimensional", "1-dim"]),
    (lambda: MIXED.encode([[30]]), ["1 columns", "2"]),
    (lambda: MIXED.encode([[30, "red"], [1]]), ["same number"]),
    (lambda: MIXED.encode([{"age": 3}]), ["missing 'colour'"]),
    (lambda: MIXED.encode(pd.DataFrame({"age": [1], "color": ["red"]})), ["missing 'colour'", "unknown 'color'"]),
    (lambda: MIXED.encode(pd.DataFrame([[1]])), ["1 columns", "2"]),
    (lambda: MIXED.encode_one([30]), ["1 values", "2"]),
    (lambda: MIXED.encode_one("ab"), ["'ab'"]),
    (lambda: MIXED.encode_one(3), ["3"]),
    (lambda: MIXED.encode_one({"age": 3}), ["missing 'colour'"]),
    (lambda: MIXED.encode_one([math.nan, "red"]), ["'age'", "missing"]),
]


@pytest.mark.parametrize(("call", "words"), BAD_ROWS, ids=[str(i) for i in range(len(BAD_ROWS))])
def test_rows_that_do_not_fit(call, words):
    with pytest.raises(symcf.InstanceError) as error:
        call()
    assert [word for word in words if word not in str(error.value)] == []


def test_rows_of_no_features():
    assert Intervals([], []).encode([[], []]).shape == (2, 0)
    assert Intervals([], []).encode_one([]).shape == (1, 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((["a"], [[2, 1]]), ["'a'", "ascend"]),
        ((["a"], [[1, 1]]), ["'a'", "ascend"]),
        ((["a"], [[math.nan]]), ["'a'", "finite"]),
        ((["a"], [["x"]]), ["'a'", "numbers"]),
        ((["a"], [3]), ["'a'", "list"]),
        ((["a"], [None]), ["'a'", "neither"]),
        ((["a", "b"], [[1]]), ["2 names, 1 are needed"]),
    ],
)
def test_bad_intervals(arguments, words):
    with pytest.raises(symcf.ModelError) as error:
        Intervals(*arguments)
    assert [word for word in words if word not in str(error.value)] == []


# --- errors -----------------------------------------------------------------------------------------------------------

LEAF = {"class": "a"}


def test(**changes):
    return {"feature": "x", "at_most": 1, "yes": {"class": "a"}, "no": {"class": "b"}} | changes


test.__test__ = False

BAD = [
    (3, {}, ["the tree", "dict", "3"]),
    ({}, {}, ["the tree", "keys"]),
    ({"class": "a", "counts": [1]}, {}, ["'class', 'counts'"]),
    (test(no=test(yes=7)), {}, ["node no.yes", "dict", "7"]),
    (test(no={"feature": "y"}), {}, ["node no", "'feature'"]),
    (test(at_most="1"), {}, ["'at_most'", "numbers"]),
    (test(at_most=math.nan), {}, ["'at_most'", "nan"]),
    (test(at_most=[1]), {}, ["'at_most'", "[1]"]),
    (test(feature="y"), {"features": ["x"]}, ["'y'"]),
    (test(feature=1), {"features": ["x"]}, ["1"]),
    (test(feature=-1), {}, ["-1"]),
    (test(feature=True), {}, ["True"]),
    (test(feature=["x"]), {}, ["['x']"]),
    (test(no=test(feature=0)), {}, ["index", "features"]),
    ({"feature": "x", "in": ["u"], "yes": LEAF, "no": LEAF}, {"classes": ["a", "b"]}, ["'in'", "'x'", "values"]),
    ({"feature": "x", "in": ["u"], "yes": LEAF, "no": LEAF}, {"classes": "ab", "values": {"x": ["v"]}}, ["classes"]),
    (
        {"feature": "x", "in": ["u"], "yes": LEAF, "no": LEAF},
        {"classes": ["a", "b"], "values": {"x": ["v"]}},
        ["'u'", "'x'"],
    ),
    ({"feature": "x", "in": "u", "yes": LEAF, "no": LEAF}, {"classes": ["a", "b"], "values": {"x": ["u"]}}, ["'u'"]),
    (test(), {"values": {"x": ["u", "v"]}}, ["'x'", "'u'", "1"]),
    (test(), {"values": {"y": ["u", "v"]}}, ["'y'"]),
    (test(), {"values": [[1, 2], [3]]}, ["2 features", "1"]),
    (test(), {"values": [[]]}, ["'x'", "no value"]),
    (test(), {"classes": ["a", "c"]}, ["'b'"]),
    (test(), {"tie": "last"}, ["'last'"]),
    (test(), {"float32": 1}, ["float32", "1"]),
    (LEAF, {}, ["two classes", "'a'"]),
    (test(yes={"class": 1}), {}, ["order", "classes"]),
    (test(yes={"class": [1]}), {}, ["[1]"]),
    (test(yes={"counts": [1, 2, 3]}), {"classes": ["a", "b"]}, ["node yes", "'counts'", "2 numbers"]),
    (test(yes={"counts": [1, -2]}), {"classes": ["a", "b"]}, ["node yes", "counts"]),
    (test(yes={"counts": [0, 0]}), {"classes": ["a", "b"]}, ["node yes", "counts"]),
    (test(yes={"scores": [0, math.inf]}), {"classes": ["a", "b"]}, ["node yes", "inf"]),
    (test(yes={"scores": "ab"}), {"classes": ["a", "b"]}, ["node yes", "'scores'", "numbers"]),
    (test(yes={"scores": [0, 1]}, no={"counts": [0, 1]}), {}, ["'counts'", "'scores'"]),
    ({"scores": [2**58, 0]}, {}, ["2**58"]),
]


@pytest.mark.parametrize(("root", "options", "words"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_errors_name_the_node(root, options, words):
    with pytest.raises(symcf.ModelError) as error:
        symcf.DecisionTree(root, **options)
    assert [word for word in words if word not in str(error.value)] == []


GOOD_ARRAYS = {
    "feature": [0, -1, -1],
    "threshold": [0.5, 0, 0],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "score": [[0, 0], [1, 0], [0, 1]],
}
BAD_ARRAYS = [
    ({"feature": [0.5, -1, -1]}, ["feature", "integers"]),
    ({"feature": [-1, -1, -1]}, ["node 0", "feature -1"]),
    ({"feature": [1, -1, -1], "features": ["a"]}, ["node 0", "feature 1", "1"]),
    ({"threshold": [math.nan, 0, 0]}, ["node 0", "nan"]),
    ({"threshold": [0.5]}, ["equally long"]),
    ({"left": [3, -1, -1]}, ["3 cannot be a child"]),
    ({"left": [2, -1, -1]}, ["node 1", "child of 0"]),
    ({"right": [-1, -1, -1]}, ["node 0", "one child"]),
    ({"right": [2, 2, -1]}, ["node 1", "one child"]),
    ({"right": [0, -1, -1]}, ["0 cannot be a child"]),
    ({"score": [1, 2, 3]}, ["score", "one row per node"]),
    ({"score": [[0], [1], [1]]}, ["two classes"]),
    ({"score": [[0, 0], [1, math.nan], [0, 1]]}, ["node 1", "nan"]),
    ({"score": [[0, 0], [1, "1"], [0, 1]]}, ["score", "numbers"]),
    ({key: [] for key in GOOD_ARRAYS}, ["score"]),
    ({"classes": ["a"]}, ["1 names, 2 are needed"]),
    (
        {
            "feature": [-1, 0, 0, -1, -1],
            "threshold": [0] * 5,
            "left": [-1, 2, 1, -1, -1],
            "right": [-1, 3, 4, -1, -1],
            "score": [[1, 0]] * 5,
        },
        ["4 nodes cannot be reached"],
    ),
]


@pytest.mark.parametrize(("changes", "words"), BAD_ARRAYS, ids=[str(i) for i in range(len(BAD_ARRAYS))])
def test_errors_of_arrays_name_the_node(changes, words):
    with pytest.raises(symcf.ModelError) as error:
        symcf.DecisionTree.from_arrays(**(GOOD_ARRAYS | changes))
    assert [word for word in words if word not in str(error.value)] == []


BAD_FORESTS = [
    (([],), {}, ["at least one tree"]),
    (([AGE], "soft"), {}, None),
    (([AGE],), {"vote": "loud"}, ["'loud'"]),
    (([AGE, symcf.DecisionTree(AGE)],), {}, ["all dicts"]),
    (([symcf.DecisionTree(AGE), AGE],), {}, ["all dicts"]),
    (([symcf.DecisionTree(AGE)],), {"features": ["age", "income"]}, ["have their own"]),
    (([symcf.DecisionTree(AGE), symcf.DecisionTree(test())],), {}, ["tree 1", "features"]),
    (([AGE, test(no=3)],), {}, ["tree 1, node no"]),
]


@pytest.mark.parametrize(("arguments", "options", "words"), BAD_FORESTS, ids=[str(i) for i in range(len(BAD_FORESTS))])
def test_errors_of_forests(arguments, options, words):
    with pytest.raises(TypeError if words is None else symcf.ModelError) as error:
        symcf.RandomForest(*arguments, **options)
    assert [word for word in words or [] if word not in str(error.value)] == []


def test_equality_and_pickle():
    model = symcf.RandomForest([AGE, AGE], vote="hard")
    model.rule()
    copy = pickle.loads(pickle.dumps(model))
    assert copy == model
    assert "_rule" not in copy.__dict__
    assert hash(copy) == hash(model)
    assert model != symcf.RandomForest([AGE, AGE])
    assert model != symcf.RandomForest([AGE], vote="hard")
    assert symcf.DecisionTree(AGE) != symcf.DecisionTree(AGE | {"at_most": 25})
    assert symcf.DecisionTree(AGE) != "a tree"


def test_from_arrays_with_sets_of_values():
    model = symcf.DecisionTree.from_arrays(
        **(GOOD_ARRAYS | {"threshold": [0, 0, 0]}), subset={0: [2, 0]}, values=[COLOURS], features=["colour"]
    )
    assert [rule_decision(model, [v]) for v in range(3)] == [0, 1, 0]
    with pytest.raises(symcf.ModelError, match="node 0 must list codes between 0 and 2"):
        symcf.DecisionTree.from_arrays(**GOOD_ARRAYS, subset={0: [3]}, values=[COLOURS])
