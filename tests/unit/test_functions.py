"""Models from functions, diagrams and dd's BDDs."""

from __future__ import annotations

import itertools
import pickle

import dd.autoref
import dd.bdd
import dd.cudd
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import parity, truth_tables

import symcf

CLASSES = ["a", "b", "c", "d"]


def all_rows(n_values):
    return list(itertools.product(*map(range, n_values)))


def decisions(model):
    """The class of every input, by its label; exactly one diagram of many is true."""
    rows = all_rows(model.n_values)
    array = np.array(rows, dtype=np.uint32).reshape(len(rows), -1)
    answers = [d.evaluate(array).tolist() for d in model.diagrams]
    if len(answers) == 1:
        return [model.classes[a] for a in answers[0]]
    for column in zip(*answers, strict=True):
        assert sum(column) == 1
    return [model.classes[column.index(1)] for column in zip(*answers, strict=True)]


@st.composite
def tables(draw):
    n_values = draw(st.lists(st.integers(1, 4), max_size=4))
    k = draw(st.integers(2, 4))
    rows = all_rows(n_values)
    table = draw(st.lists(st.integers(0, k - 1), min_size=len(rows), max_size=len(rows)))
    return n_values, k, dict(zip(rows, table, strict=True))


@given(tables(), st.booleans(), st.booleans())
def test_any_function_of_any_arity(drawn, vectorized, by_label):
    n_values, k, table = drawn
    answer = {row: CLASSES[c] if by_label else c for row, c in table.items()}

    def function(given):
        return [answer[tuple(row)] for row in given.tolist()] if vectorized else answer[given]

    model = symcf.from_function(function, n_values, classes=CLASSES[:k], vectorized=vectorized)
    assert decisions(model) == [CLASSES[c] for c in table.values()]
    assert model.n_values == tuple(n_values)
    for diagram in model.diagrams:
        assert diagram.validate() is None
        assert diagram.order.tolist() == list(range(len(n_values)))


@given(truth_tables())
def test_binary_functions_have_the_nodes_of_cudd(table):
    n = (len(table) - 1).bit_length()
    model = symcf.from_function(lambda row: table[sum(v << j for j, v in enumerate(row))], n)
    assert model.diagrams[0].size == symcf.Diagram.from_table(table).size


def test_a_large_function():
    model = symcf.from_function(lambda rows: rows.sum(axis=1) % 2, 20, vectorized=True)
    assert model.diagrams[0].size == 2 * 20 + 1


def test_labels_come_before_codes():
    assert decisions(symcf.from_function(lambda row: 0, 0, classes=[1, 0])) == [0]
    assert decisions(symcf.from_function(lambda row: row[0] == 1, 1, classes=["no", "yes"])) == ["no", "yes"]
    assert decisions(symcf.from_function(lambda row: np.bool_(True), 1)) == [1, 1]
    assert decisions(symcf.from_function(lambda row: np.array(1), 1)) == [1, 1]
    assert decisions(symcf.from_function(lambda rows: rows[:, 0] > 0, 1, vectorized=True)) == [0, 1]
    labels = symcf.from_function(lambda rows: np.where(rows[:, 0], "y", "n"), 1, classes=["n", "y"], vectorized=True)
    assert decisions(labels) == ["n", "y"]


def test_names():
    model = symcf.from_function(lambda row: 0, [["low", "high"], 3], features=["a", "b"])
    assert model.values == (("low", "high"), (0, 1, 2))
    model = symcf.from_function(lambda row: 0, [2, 1], values=[["low", "high"], ["only"]])
    assert model.values == (("low", "high"), ("only",))
    assert model.features == ("x0", "x1")


def test_failures_name_the_input():
    def fails(row):
        return 1 // (row[0] + row[1] - 2)

    with pytest.raises(symcf.ModelError, match=r"a='low', b=2: ZeroDivisionError") as error:
        symcf.from_function(fails, [["low", "high"], 3], features=["a", "b"], classes=[0, 1, -1])
    assert isinstance(error.value.__cause__, ZeroDivisionError)
    with pytest.raises(symcf.ModelError, match="x0=0, x1=0 and the rows after it: IndexError"):
        symcf.from_function(lambda rows: rows[:, 5], 2, vectorized=True)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: symcf.from_function(lambda row: 2, 1), ["returned 2", "x0=0"]),
        (lambda: symcf.from_function(lambda row: None, 1), ["returned None", "x0=0"]),
        (lambda: symcf.from_function(lambda row: [1], 1), ["returned [1]", "x0=0"]),
        (lambda: symcf.from_function(lambda rows: [0, 3], 1, vectorized=True), ["returned 3", "x0=1"]),
        (lambda: symcf.from_function(lambda rows: [0], 1, vectorized=True), ["shape (1,)", "2 rows"]),
        (lambda: symcf.from_function(lambda row: 0, -1), ["-1"]),
        (lambda: symcf.from_function(lambda row: 0, "ab"), ["'ab'"]),
        (lambda: symcf.from_function(lambda row: 0, [2, 0]), ["feature 1", "no value"]),
        (lambda: symcf.from_function(lambda row: 0, [2, []]), ["feature 1", "no value"]),
        (lambda: symcf.from_function(lambda row: 0, [2, 1.5]), ["feature 1", "1.5"]),
        (lambda: symcf.from_function(lambda row: 0, 1, classes=[0]), ["two classes"]),
        (lambda: symcf.from_function(lambda row: 0, 1, classes=[0, 0]), ["twice"]),
        (lambda: symcf.from_function(lambda row: 0, 1, features=["a", "b"]), ["2 names, 1 are needed"]),
    ],
)
def test_errors_name_the_thing(call, words):
    with pytest.raises(symcf.ModelError) as error:
        call()
    assert [word for word in words if word not in str(error.value)] == []


def test_too_many_inputs():
    with pytest.raises(symcf.LimitError, match=r"1,073,741,824 inputs.*max_inputs=4,194,304"):
        symcf.from_function(lambda row: 0, 30)


# --- diagrams ---------------------------------------------------------------------------------------------------------


def test_diagrams_of_the_classes_are_checked():
    def of(*table):
        return symcf.Diagram.from_table(table)

    first, second, third = of(1, 0, 0, 0), of(0, 1, 1, 0), of(0, 0, 0, 1)
    assert decisions(symcf.FunctionModel([first, second, third])) == [0, 1, 1, 2]
    assert symcf.FunctionModel(first).classes == (0, 1)
    for diagrams, words in [
        ([first, second, of(0, 0, 1, 1)], "two classes"),
        ([first, second, of(0, 0, 0, 0)], "no class"),
        ([of(1, 1, 1, 1), second, third], "two classes"),
        ([first, of(0, 1, 0, 1), of(0, 0, 0, 1)], "class"),
        ([first, second], "diagrams has 2 entries"),
        ([], "diagrams has 0 entries"),
        ([first, second, parity(3)], "same features"),
        ([first, second, 3], "not a diagram"),
    ]:
        with pytest.raises(symcf.ModelError, match=words):
            symcf.FunctionModel(diagrams)


def test_equality_and_pickle():
    model = symcf.from_function(lambda row: sum(row), [2, 3], classes=CLASSES)
    assert pickle.loads(pickle.dumps(model)) == model
    assert hash(pickle.loads(pickle.dumps(model))) == hash(model)
    assert model != symcf.from_function(lambda row: 0, [2, 3], classes=CLASSES)
    assert model != symcf.from_function(lambda row: 0, 2)
    assert model != 3


# --- dd ---------------------------------------------------------------------------------------------------------------

MANAGERS = [dd.autoref.BDD, dd.cudd.BDD]


def from_table(manager, table, names):
    """Disjunction of the true rows; bit j of an index is the value of variable j."""
    function = manager.false
    for i, true in enumerate(table):
        if true:
            function |= manager.cube({name: bool(i >> j & 1) for j, name in enumerate(names)})
    return function


@pytest.mark.parametrize("kind", MANAGERS)
@given(table=truth_tables(), data=st.data())
def test_bdds_of_dd(kind, table, data):
    n = (len(table) - 1).bit_length()
    names = [f"v{j}" for j in range(n)]
    manager = kind()
    manager.declare(*names, "unused")
    function = from_table(manager, table, names)
    order = data.draw(st.permutations([*names, "unused"]))
    levels = {name: k for k, name in enumerate(order)}
    dd.autoref.reorder(manager, levels) if kind is dd.autoref.BDD else dd.cudd.reorder(manager, levels)
    model = symcf.from_dd(function, features=names)
    assert model.features == tuple(names)
    assert decisions(model) == [table[sum(v << j for j, v in enumerate(row))] for row in all_rows([2] * n)]
    core = model.diagrams[0]
    assert [names[j] for j in core.order] == [name for name in order if name != "unused"]
    assert symcf.from_dd(function).features == tuple(order)
    del function


def test_nodes_of_dd_bdd_need_their_manager():
    manager = dd.bdd.BDD()
    manager.declare("x", "y")
    node = manager.add_expr(r"x /\ ~ y")
    assert decisions(symcf.from_dd(node, manager=manager)) == [0, 0, 1, 0]
    assert decisions(symcf.from_dd(-node, manager=manager, classes=["n", "y"])) == ["y", "y", "n", "y"]
    with pytest.raises(symcf.ModelError, match="manager"):
        symcf.from_dd(node)


def test_variables_of_dd_are_checked():
    manager = dd.autoref.BDD()
    manager.declare("x", "y")
    function = manager.add_expr("x")
    assert symcf.from_dd(function, features=["x"]).n_features == 1
    with pytest.raises(symcf.ModelError, match="depends on 'x'"):
        symcf.from_dd(function, features=["y"])
    with pytest.raises(symcf.ModelError, match="'z' is not a variable"):
        symcf.from_dd(function, features=["x", "z"])
    assert decisions(symcf.from_dd(manager.true, features=[])) == [1]


@pytest.mark.slow
def test_deep_bdds():
    manager = dd.cudd.BDD()
    names = [f"v{j}" for j in range(3000)]
    manager.declare(*names)
    function = manager.true
    for name in reversed(names):
        function &= manager.var(name)
    assert symcf.from_dd(function).diagrams[0].size == 3002
