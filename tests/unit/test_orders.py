"""Orders between columns of numbers: ``constraints=["a <= c"]``. More: ``python tests/drivers/orders_random.py``."""

import itertools

import numpy as np
import orders_random
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast
from symcf.search.change_sets import ChangeSets


def leaf(label):
    return {"class": label}


def tree(feature, cut, yes, no):
    return {"feature": feature, "at_most": cut, "yes": yes, "no": no}


def compiled(root, features):
    return symcf.compile(symcf.DecisionTree(root, features=features, classes=["no", "yes"]))


#: A column that the model does not use has a single range, in which it has to move.
SIMPLE = compiled(tree("A", 5, leaf("no"), leaf("yes")), ["A", "C"])


@pytest.mark.parametrize(
    ("row", "order", "new"),
    [
        ({"A": 1, "C": 2}, "A <= C", {"A": 6, "C": 6}),
        ({"A": 1, "C": 2}, "A < C", {"A": 6, "C": 7}),
        ({"A": 1, "C": 2}, "C >= A", {"A": 6, "C": 6}),
        ({"A": 1.0, "C": 2.0}, "A <= C", {"A": 5.001, "C": 5.001}),
        ({"A": 1.0, "C": 2.0}, "A < C", {"A": 5.00001, "C": 5.001}),
        ({"A": 1.5, "C": 2}, "A <= C", {"A": 5.001, "C": 6}),
        ({"A": 1, "C": 8}, "A <= C", {"A": 6, "C": 8}),
    ],
)
def test_a_column_moves_within_its_own_range(row, order, new):
    e = SIMPLE.explain(row, constraints=[order])
    assert [cf.row for cf in e] == [new]
    assert e[0].cost == sum(new[name] != row[name] for name in row)
    assert e.complete
    assert symcf.verify(SIMPLE, row, e)
    assert SIMPLE.count(row, constraints=[order]) == 1
    assert SIMPLE.predict([list(cf.row.values()) for cf in e], codes=True).tolist() == [1]


@pytest.mark.parametrize("engine", ["auto", "diagram", "boxes", "sat", "sat-portable"])
def test_every_engine_moves_it(engine):
    assert SIMPLE.explain({"A": 1, "C": 2}, constraints=["A <= C"], engine=engine).sets == [(0, 1)]


def test_reasons_know_it():
    why = SIMPLE.why({"A": 1, "C": 2}, constraints=["A <= C"])
    assert why.sets == [(0,), (1,)]
    assert symcf.verify(SIMPLE, {"A": 1, "C": 2}, why)


def test_batches_move_it_too():
    frame = pd.DataFrame({"A": [1, 1, 3], "C": [2, 9, 3]})
    batch = symcf.fast.explain_batch(SIMPLE, frame, constraints=["A <= C"])
    assert [list(e.sets) for e in batch] == [[(0, 1)], [(0,)], [(0, 1)]]
    assert batch.to_frame().to_numpy().tolist() == [[6, 6], [6, 9], [6, 6]]
    assert batch.to_pandas()["new"].tolist() == [6, 6, 6, 6, 6]
    assert batch.cost.tolist() == [2, 1, 2]


def test_verify_rejects_an_answer_that_leaves_it_out():
    """What version 0.2.0 answered: nothing helps."""
    row = {"A": 1, "C": 2}
    e = SIMPLE.explain(row, constraints=["A <= C"])
    e.sets = ChangeSets.of([])
    report = symcf.verify(SIMPLE, row, e)
    assert not report.complete
    assert "(0, 1) is missing" in str(report)


def test_verify_reads_the_suggested_numbers():
    row = {"A": 1, "C": 2}
    e = SIMPLE.explain(row, constraints=["A <= C"])
    wrong = SIMPLE.explain(row)  # which moves A alone
    e.of_set = lambda change_set: list(wrong)
    assert not symcf.verify(SIMPLE, row, e).valid


def test_verify_of_many_features():
    """Too many rows for brute force; nothing is missing, and a set that is left out is."""
    names = [f"f{j}" for j in range(10)]
    root = leaf("no")
    for j in range(10):
        root = tree(names[j], 2, root, tree(names[(j + 3) % 10], 7, leaf("yes"), leaf("no")))
    c, row = compiled(root, names), dict.fromkeys(names, 1)
    orders = ["f0 <= f1", "f1 < f2"]
    e = c.explain(row, constraints=orders)
    report = symcf.verify(c, row, e)
    assert report
    assert report.method == "numbers"
    e.sets = ChangeSets.of(list(e.sets)[1:])
    assert not symcf.verify(c, row, e).complete


def test_chains_of_strict_orders():
    c = compiled(tree("a", 5, leaf("no"), leaf("yes")), ["a", "b", "c"])
    orders = ["a < b", "b < c"]
    (cf,) = c.explain({"a": 1, "b": 2, "c": 3}, constraints=orders)
    assert cf.row == {"a": 6, "b": 7, "c": 8}
    (cf,) = c.explain({"a": 1.0, "b": 2.0, "c": 3.0}, constraints=orders)
    assert cf.row == {"a": 5.00001, "b": 5.001, "c": 5.002}
    (cf,) = c.explain({"a": 1, "b": 2.5, "c": 3}, constraints=orders)
    assert cf.row == {"a": 6, "b": 6.001, "c": 7}
    # between 6 and 7 lies no whole number
    assert c.explain({"a": 1, "b": 2, "c": 7}, constraints=orders, immutable=["c"]).sets == []
    assert c.explain({"a": 1, "b": 2.5, "c": 7}, constraints=orders, immutable=["c"]).sets == [(0, 1)]


def test_resolutions():
    c = compiled(tree("a", 5, leaf("no"), leaf("yes")), ["a", "b"])
    (cf,) = c.explain({"a": 1.0, "b": 2.0}, constraints=["a < b"], resolution={"a": 0.5, "b": 0.25})
    assert cf.row == {"a": 5.5, "b": 5.75}
    assert c.explain([1.0, 5.5], constraints=["a < b"], resolution={"a": 0.5}, immutable=["b"]).sets == []


def test_orders_that_nothing_obeys():
    """The row does not obey either, and nothing can."""
    e = SIMPLE.explain({"A": 1, "C": 2}, constraints=["A < C", "C <= A"])
    assert e.sets == []
    assert symcf.verify(SIMPLE, {"A": 1, "C": 2}, e)
    (cf,) = SIMPLE.explain({"A": 1, "C": 2.5}, constraints=["A <= C", "C <= A"])
    assert cf.row == {"A": 6, "C": 6.0}


def test_a_missing_number_between_two_others_says_nothing():
    node = {**tree("a", 5, {"score": -1}, {"score": 1}), "missing": "yes"}
    unused = {**tree("b", 5, {"score": 0}, {"score": 0}), "missing": "yes"}
    c = symcf.compile(symcf.BoostedTrees([node, unused], features=["a", "b", "c"], classes=["no", "yes"]))
    row = {"a": 1.0, "b": float("nan"), "c": 2.0}
    e = c.explain(row, constraints=["a <= b", "b <= c"])
    assert e.sets == [(0,)]
    assert symcf.verify(c, row, e)


def test_directions_and_ranges_hold_within_the_own_range():
    row = {"A": 1, "C": 2}
    ask = {"constraints": ["A <= C"]}
    assert SIMPLE.explain(row, allowed={"C": "increase"}, **ask).sets == [(0, 1)]
    assert SIMPLE.explain(row, allowed={"C": "decrease"}, **ask).sets == []
    assert SIMPLE.explain(row, allowed={"C": [0, 5]}, **ask).sets == []
    (cf,) = SIMPLE.explain(row, allowed={"C": [7, 9]}, **ask)
    assert cf.row == {"A": 6, "C": 7}
    e = SIMPLE.explain(row, immutable=["C"], **ask)
    assert e.sets == []
    assert [str(c) for c in e.blocking] == ["A <= C"]


def test_costs_of_a_move_within_the_own_range():
    root = tree("A", 5, tree("D", 3, leaf("no"), leaf("yes")), leaf("yes"))
    c = compiled(root, ["A", "C", "D"])
    ask = {"constraints": ["A <= C"], "cost": {"A": 1, "C": 2, "D": 4}}
    e = c.explain({"A": 1, "C": 2, "D": 0}, **ask)
    assert [(cf.features, cf.cost) for cf in e] == [((0, 1), 3), ((2,), 4)]
    assert c.explain({"A": 1, "C": 2, "D": 0}, k=1, **ask).sets == [(0, 1)]
    assert c.explain({"A": 1, "C": 2, "D": 0}, max_changes=1, **ask).sets == [(2,)]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"cost": "distance", "scale": {"A": 1, "C": 1}}, r"cost\['A'\]: it is compared with another column"),
        ({"minimality": "moves"}, "infinitely many smallest moves"),
    ],
)
def test_what_has_no_answer(asked, message):
    with pytest.raises(symcf.OptionError, match=message):
        SIMPLE.explain({"A": 1, "C": 2}, constraints=["A <= C"], **asked)


def test_certificate():
    row = {"A": 1, "C": 2}
    verdict = symcf.check(SIMPLE.explain(row, constraints=["A <= C"]).certificate(), SIMPLE, row=row)
    assert verdict
    assert "A <= C" in verdict.proved


def test_columns_that_have_to_be_equal():
    ask = {"constraints": ["A <= C", "C <= A"]}
    assert SIMPLE.explain([1.0, 1.0], resolution={"A": 0.5, "C": 1}, **ask)[0].row == [6.0, 6.0]
    assert SIMPLE.explain([1.0, 1.0], resolution={"A": 2, "C": 3}, **ask)[0].row == [6.0, 6.0]
    assert SIMPLE.explain([1.0, 1.0], resolution={"A": 4, "C": 6}, **ask)[0].row == [12.0, 12.0]


def test_other_relations_and_plausible_rows():
    """A second number of the own range is the same value to every other relation."""
    rng = np.random.default_rng(3)
    data = rng.integers(0, 9, size=(60, 3))
    root = tree("a", 5, tree("b", 3, leaf("no"), leaf("yes")), leaf("yes"))
    c = symcf.compile(
        symcf.DecisionTree(root, features=["a", "b", "c"], classes=["no", "yes"]), plausibility=data.tolist()
    )
    low, high = c.values[1]
    row = {"a": 1, "b": 2, "c": 2}
    kept = c.explain(row, constraints=["a <= b", f'b = "{low}"'])
    assert [cf.row for cf in kept] == []  # b would have to be more than 3
    assert c.explain(row, constraints=["a <= b", f'b = "{high}"']).sets == [(1,)]
    assert c.explain(row, constraints=["a <= c", f'b = "{low}"']).sets == [(0, 2)]
    for share, engine in itertools.product([0.0, 0.05], ["auto", "boxes", "diagram"]):
        e = c.explain(row, constraints=["a <= c"], min_plausibility=share, engine=engine)
        assert e.sets == [(1,), (0, 2)]


def test_random_questions():
    """Against brute force on raw numbers; 5 models, 8 questions each."""
    assert orders_random.run(0, 5 * orders_random.PER_MODEL) == 0


def test_what_is_in_the_way_may_be_another_relation() -> None:
    """Where nothing helps, relations are left out until something does; those that stay may have no order in them."""
    random = np.random.default_rng(0)
    data = pd.DataFrame(random.integers(0, 8, (100, 3)), columns=["t", "u", "x"])
    bins = KBinsDiscretizer(3, encode="onehot", strategy="uniform")
    pipeline = make_pipeline(bins, LogisticRegression()).fit(data, data.sum(axis=1) > 10)
    compiled = symcf.compile(pipeline, data=data)
    e = compiled.explain({"t": 5, "u": 3, "x": 2}, constraints=["t <= 9", "t < u"], immutable=["t", "u"])
    assert e.sets == []
    assert "t < u" in str(e)
    e = compiled.explain({"t": 7, "u": 3, "x": 7}, constraints=["u = 6", "t >= u", "t < u"])
    assert e.sets == []


@pytest.mark.parametrize("kind", ["uint8", "int8"])
def test_verify_knows_which_numbers_a_column_can_hold(kind: str) -> None:
    """Nothing in a column of unsigned integers is below 0."""
    data = pd.DataFrame({"t": (np.arange(20) % 8).astype(kind), "u": np.arange(20) % 5})
    compiled = symcf.compile(DecisionTreeClassifier(random_state=0).fit(data, data["t"] > 2), data=data)
    for row in ({"t": 3, "u": 0}, data.iloc[[3]].assign(u=0)):
        e = compiled.explain(row, constraints=["t < u"], immutable=["u"])
        assert e.sets == ([] if kind == "uint8" else [(0,)])
        assert bool(symcf.verify(compiled, row, e))


def test_whole_numbers_that_obey_are_the_nearest():
    """The nearest reals are no help where a column is less than another: A = 2 leaves B = 3, and (1, 2) is nearer."""
    rows = pd.DataFrame(list(itertools.product(range(6), repeat=3)), columns=list("ABC"))
    yes = ((rows.A <= 4) & ~((rows.B <= 1) & (rows.A <= 0))) | ((rows.A > 4) & (rows.C > 2))
    c = symcf.compile(DecisionTreeClassifier(random_state=0).fit(rows, yes), data=rows)
    x = {"A": 5, "B": 0, "C": 2}
    assert c.explain(x, constraints=["A < B"])[0].row == {"A": 1, "B": 2, "C": 2}
    assert c.explain(x, constraints=["2 * A + 3 * B <= 10", "B >= 2"])[0].row == {"A": 2, "B": 2, "C": 2}


@pytest.mark.parametrize("seed", [501464, 600696, 603511, 700723, 709952])
def test_questions_that_were_answered_wrongly(seed):
    """A printed range without the suggested number; whole numbers beside reals that were not the nearest."""
    assert orders_random.problems(seed) == []
