"""The frozen diagram and its twin in CUDD: counts, paths, canonicity, validation, pictures, files, pickles."""

from __future__ import annotations

import math
import pickle
import re
from itertools import product

import dd.autoref
import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import all_rows, classifiers, parity, random_classifier, truth_tables

import symcf
from symcf import Diagram, _core

EXCLUSIVE_OR = [0, 1, 1, 0]


def values_of(diagram):
    """The function as `from_table` takes it: bit j of an index is feature j."""
    n = diagram.n_features
    rows = np.array([[i >> j & 1 for j in range(n)] for i in range(2**n)], dtype=np.uint8).reshape(2**n, n)
    return diagram.evaluate(rows).astype(bool).tolist()


# --- any Boolean function ---------------------------------------------------------------------------------------------


def check_function(table):
    diagram = Diagram.from_table(table)
    n = diagram.n_features
    table = [bool(value) for value in table]
    assert values_of(diagram) == table
    assert [diagram.count_models(sink) for sink in (0, 1)] == [table.count(False), table.count(True)]
    diagram.validate()
    for sink in (0, 1):
        paths = list(diagram.paths(sink))
        assert len(set(paths)) == len(paths) == diagram.count_paths(sink)
        # Paths are cubes: together they cover each input of their sink exactly once.
        assert sum(2 ** (n - len(path)) for path in paths) == diagram.count_models(sink)
        negated = [[-literal for literal in path] for path in paths]
        reaches = [not oracle.satisfies(negated, {j + 1: bool(i >> j & 1) for j in range(n)}) for i in range(2**n)]
        assert reaches == [value == sink for value in table]
    rows = all_rows(n)
    assert diagram.with_bdd(lambda bdd: bdd.evaluate(rows)).tolist() == diagram.evaluate(rows).tolist()
    assert diagram.with_bdd(lambda bdd: bdd.size) == diagram.size
    diagram.close()


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_every_function_of_up_to_three_features(n):
    for table in product([0, 1], repeat=2**n):
        check_function(table)


@given(truth_tables(6))
def test_larger_functions(table):
    check_function(table)


def test_freezing_and_thawing_is_the_identity():
    for table in product([0, 1], repeat=8):
        frozen = Diagram.from_table(table).core
        again = _core.Bdd.thaw(frozen).freeze()
        for name in ("order", "arity", "level", "child"):
            assert getattr(again, name).tolist() == getattr(frozen, name).tolist()
        assert again.root == frozen.root


@given(classifiers(1, 8, certain=False))
def test_threshold_functions_frozen_from_cudd_have_the_same_size(classifier):
    diagram = classifier.compiled().diagram
    assert diagram.with_bdd(lambda bdd: bdd.freeze()).size == diagram.size


@pytest.mark.parametrize("table", [[], [0, 1, 1], [[0, 1], [1, 0]]], ids=str)
def test_a_table_has_a_power_of_two_of_values(table):
    with pytest.raises(ValueError, match="2\\*\\*n"):
        Diagram.from_table(table)


def test_a_constant_is_one_node():
    for value in (0, 1):
        diagram = Diagram.from_table([value] * 8)
        assert diagram.size == 1
        assert diagram.count_paths(value) == 1
        assert diagram.count_paths(1 - value) == 0
        assert list(diagram.paths(value)) == [()]
        assert list(diagram.paths(1 - value)) == []
        assert diagram.count_models(value) == 8


def test_paths_come_with_value_one_first(admission):
    diagram = admission.compiled("natural").diagram
    assert list(diagram.paths(0)) == [(1, 2, -3, -4), (1, -2, 3, -4), (1, -2, -3), (-1, 2, -3), (-1, -2)]
    assert list(diagram.paths(1)) == [(1, 2, 3), (1, 2, -3, 4), (1, -2, 3, 4), (-1, 2, 3)]


def test_golden_counts(admission):
    diagram = admission.compiled("natural").diagram
    assert (diagram.count_paths(0), diagram.count_paths(1)) == (5, 4)
    assert diagram.count_models(1) == sum(admission.decide(ratio) for ratio in admission.odds.values())


@pytest.mark.parametrize("sink", [2, -1, None, "1"])
def test_there_are_two_sinks(admission, sink):
    diagram = admission.compiled().diagram
    for question in (diagram.count_models, diagram.count_paths, lambda s: next(diagram.paths(s))):
        with pytest.raises(ValueError, match="sink must be 0 or 1"):
            question(sink)


# --- counts beyond machine words --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 62, 63, 64, 65, 127, 128, 129, 1000])
def test_counts_are_exact_at_any_size(n):
    diagram = parity(n)
    assert diagram.count_models(1) == diagram.count_models(0) == 2 ** (n - 1)
    assert diagram.count_paths(1) == diagram.count_paths(0) == 2 ** (n - 1)


@pytest.mark.parametrize("n", [64, 200])
@pytest.mark.parametrize("used", [0, 1, 63])
def test_features_that_no_node_tests_double_the_models(n, used):
    first = [np.array(a, dtype=np.uint32) for a in (range(n), [2] * n, [n, n, used], [0, 1])]
    diagram = Diagram(_core.Diagram.from_arrays(*first, 2))
    assert diagram.count_models(1) == 2 ** (n - 1)
    assert diagram.count_paths(1) == 1


def test_models_add_up_to_all_inputs():
    diagram = random_classifier(30, seed=4).compiled().diagram
    assert diagram.count_models(0) + diagram.count_models(1) == 2**30


# --- canonicity: dd builds the same -----------------------------------------------------------------------------------


def in_reference(diagram, bdd):
    """The same function, built by `dd` from the truth table in the same order of variables."""
    names = [f"x{j}" for j in diagram.order]
    bdd.declare(*names)
    column = [bdd.true if value else bdd.false for value in diagram.evaluate(all_rows(diagram.n_features))]
    for j in range(diagram.n_features - 1, -1, -1):  # the last feature changes fastest
        column = [bdd.ite(bdd.var(f"x{j}"), column[i + 1], column[i]) for i in range(0, len(column), 2)]
    assert bdd.var_levels == {name: level for level, name in enumerate(names)}
    return column[0]


def size_without_complement_edges(function):
    """Nodes of dd's BDD as symcf draws it: pairs of a node and a sign."""
    seen, todo = set(), [function]
    while todo:
        u = todo.pop()
        if u not in seen:
            seen.add(u)
            if u.var is not None:
                todo += [~child if u.negated else child for child in (u.low, u.high)]
    return len(seen)


def check_canonical(diagram, bdd):
    function = in_reference(diagram, bdd)
    assert size_without_complement_edges(function) == diagram.size
    return function


def check_threshold_function(diagram, bdd):
    """It rises or falls with each feature, so no two nodes negate each other: complement edges save one sink."""
    function = check_canonical(diagram, bdd)
    assert diagram.size == 1 or diagram.size == len(function) + 1


@given(classifiers(1, 6, certain=False), st.data())
def test_dd_needs_as_many_nodes_in_the_same_order(classifier, data):
    order = data.draw(st.permutations(range(classifier.n)))
    check_threshold_function(classifier.compiled(order).diagram, dd.autoref.BDD())


@pytest.mark.parametrize("order", ["influence", "natural", "sift"])
@pytest.mark.parametrize("seed", range(3))
def test_cudd_in_dd_needs_as_many_nodes_in_the_same_order(order, seed):
    cudd = pytest.importorskip("dd.cudd")
    check_threshold_function(random_classifier(12, seed).compiled(order).diagram, cudd.BDD())


@given(truth_tables(5))
def test_dd_needs_as_many_nodes_for_any_function(table):
    check_canonical(Diagram.from_table(table), dd.autoref.BDD())


# --- validation -------------------------------------------------------------------------------------------------------

GOOD = {"order": [0, 1], "arity": [2, 2], "level": [2, 2, 1, 1, 0], "child": [0, 1, 1, 0, 2, 3], "root": 4}


def from_arrays(order, arity, level, child, root):
    arrays = [np.array(a, dtype=np.uint32) for a in (order, arity, level, child)]
    return _core.Diagram.from_arrays(*arrays, root)


def test_good_arrays_are_a_diagram():
    diagram = Diagram(from_arrays(**GOOD))
    assert values_of(diagram) == [bool(v) for v in EXCLUSIVE_OR]
    assert diagram.size == 5


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"level": [], "child": [], "root": 0}, "sinks"),
        ({"level": [2], "child": [], "root": 0}, "sinks"),
        ({"level": [0, 2, 1, 1, 0]}, "sinks"),
        ({"level": [2, 1, 1, 1, 0]}, "sinks"),
        ({"order": [0, 0]}, "permutation"),
        ({"order": [0, 2]}, "permutation"),
        ({"order": [0, 2**32 - 1]}, "permutation"),
        ({"order": [0]}, "fit"),
        ({"arity": [2, 0]}, "no value"),
        ({"arity": [2, 3]}, "number of children"),
        ({"arity": [2**32 - 1, 2]}, "number of children"),
        ({"level": [2, 2, 1, 0, 1]}, "sorted by level"),
        ({"level": [2, 2, 2, 1, 0]}, "sorted by level"),
        ({"level": [2, 2, 1, 1, 2**32 - 1]}, "sorted by level"),
        ({"child": [0, 1, 1, 0, 2]}, "number of children"),
        ({"child": [0, 1, 1, 0, 2, 3, 3]}, "number of children"),
        ({"child": [0, 1, 1, 0, 2, 4]}, "below"),
        ({"child": [0, 1, 1, 2, 2, 3]}, "below"),
        ({"child": [0, 1, 1, 0, 2, 2**32 - 1]}, "below"),
        ({"child": [0, 1, 1, 0, 2, 2]}, "redundant"),
        ({"child": [0, 0, 1, 0, 2, 3]}, "redundant"),
        ({"child": [0, 1, 0, 1, 2, 3]}, "the same"),
        ({"root": 5}, "root"),
        ({"root": 2**32 - 1}, "root"),
        ({"root": 3}, "reach"),
        ({"root": 0}, "reach"),
    ],
    ids=str,
)
def test_each_fault_of_the_arrays_is_named(change, reason):
    with pytest.raises(ValueError, match=reason):
        from_arrays(**(GOOD | change))


ARRAYS = ("order", "arity", "level", "child")

any_number = st.integers(0, 12) | st.integers(0, 2**32 - 1)
corruptions = st.lists(
    st.tuples(st.sampled_from([*ARRAYS, "root"]), st.integers(0, 40), any_number), min_size=1, max_size=3
)


def diagram_or_refusal(**arrays):
    """The diagram, or None if the arrays are refused with a reason."""
    try:
        return Diagram(from_arrays(**arrays))
    except ValueError as error:
        if not re.search("not a diagram: .|do not fit", str(error)):
            raise
        return None


@pytest.mark.slow
@given(st.integers(0, 10), corruptions)
def test_corrupted_arrays_are_refused_or_are_another_diagram(seed, corruptions):
    core = random_classifier(4, seed).compiled().diagram.core
    arrays = {name: getattr(core, name).tolist() for name in ARRAYS} | {"root": core.root}
    for name, place, value in corruptions:
        if name == "root":
            arrays["root"] = value
        else:
            arrays[name][place % len(arrays[name])] = value
    diagram = diagram_or_refusal(**arrays)
    if diagram is None:
        return
    diagram.validate()
    n_values = [int(diagram.core.arity[diagram.order.index(j)]) for j in range(4)]
    assert diagram.count_models(0) + diagram.count_models(1) == math.prod(n_values)
    if math.prod(n_values) <= 1000:
        assert diagram.count_models(1) == int(diagram.evaluate(np.array(oracle.inputs(n_values))).sum())


@given(st.tuples(*[st.lists(st.integers(0, 5) | any_number, max_size=8)] * 4), any_number)
def test_random_arrays_are_refused_or_are_a_diagram(arrays, root):
    diagram = diagram_or_refusal(**dict(zip(ARRAYS, arrays, strict=True)), root=root)
    if diagram is not None:
        diagram.validate()


# --- memory -----------------------------------------------------------------------------------------------------------


def test_a_node_takes_at_most_16_bytes():
    diagram = random_classifier(24, seed=1).compiled().diagram
    core = diagram.core
    assert diagram.size > 1000
    assert sum(a.nbytes for a in (core.level, core.child)) + 16 * 24 == diagram.nbytes
    assert diagram.nbytes <= 16 * diagram.size


def test_the_arrays_cannot_be_written_and_outlive_the_diagram(admission):
    level = admission.compiled().diagram.core.level
    assert level[:2].tolist() == [4, 4]
    with pytest.raises(ValueError, match="read-only"):
        level[0] = 0


# --- CUDD's twin ------------------------------------------------------------------------------------------------------


def test_closing_finds_no_reference_left(admission, tmp_path):
    diagram = admission.compiled("sift").diagram
    symcf.system.cnf.encode(diagram, "prime")
    symcf.system.cnf.encode(diagram, "prime", negate=True)
    diagram.save_dddmp(tmp_path / "f.dddmp")
    diagram.with_bdd(lambda bdd: (bdd.freeze(), bdd.size, bdd.sift()))
    diagram.close()  # would raise InternalError
    diagram.close()
    assert diagram.with_bdd(lambda bdd: bdd.size) == diagram.size  # it comes back when wanted


def test_no_reference_is_left_after_a_limit(admission):
    diagram = random_classifier(16, seed=0).compiled().diagram
    with pytest.raises(symcf.ClauseLimitError):
        symcf.system.cnf.encode(diagram, "prime", max_clauses=5)
    with pytest.raises(symcf.LimitError):
        diagram.with_bdd(lambda bdd: bdd.sift(0.0))
    diagram.close()


@pytest.mark.parametrize(
    "use",
    [
        lambda bdd: bdd.freeze(),
        lambda bdd: bdd.sift(),
        lambda bdd: bdd.size,
        lambda bdd: bdd.evaluate(all_rows(2)),
        lambda bdd: bdd.store("f"),
        lambda bdd: _core.Clauses.primes(bdd),
    ],
)
def test_a_closed_bdd_says_so(use):
    bdd = _core.Bdd.from_table(2, np.array([6], dtype=np.uint8))
    bdd.close()
    with pytest.raises(ValueError, match="closed"):
        use(bdd)


# --- pictures ---------------------------------------------------------------------------------------------------------

NODE = re.compile(r'^  n(\d+) \[label="((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)
SINK = re.compile(r"^  n([01]) \[shape=box label=([01])\]$", re.MULTILINE)
EDGE = re.compile(r"^  n(\d+) -> n(\d+) \[style=(solid|dashed)( penwidth=3)?\]$", re.MULTILINE)


def test_the_picture_has_every_node_and_edge(admission):
    diagram = admission.compiled().diagram
    dot = diagram.to_dot()
    assert len(NODE.findall(dot)) == diagram.size - 2
    assert SINK.findall(dot) == [("0", "0"), ("1", "1")]
    edges = {(int(node), style == "solid"): int(child) for node, child, style, _ in EDGE.findall(dot)}
    labels = {int(node): label for node, label in NODE.findall(dot)}
    assert len(edges) == 2 * (diagram.size - 2)
    for x in oracle.inputs([2] * 4):  # walking the picture is evaluating the function
        node = max(labels)
        while node > 1:
            node = edges[node, bool(x[int(labels[node][1:])])]
        assert node == admission.decide(admission.odds[x])


def test_the_picture_of_a_constant_is_its_sink():
    dot = Diagram.from_table([1, 1]).to_dot()
    assert SINK.findall(dot) == [("1", "1")]
    assert NODE.findall(dot) == []


def test_highlighted_paths_are_thick(admission):
    diagram = admission.compiled("natural").diagram
    thick = [edge for edge in EDGE.findall(diagram.to_dot(highlight=[(0, 0, 0, 0)])) if edge[3]]
    assert [edge[2] for edge in thick] == ["dashed", "dashed"]
    assert thick[0][1] == thick[1][0]
    assert thick[1][1] == "0"


@pytest.mark.parametrize("name", ['say "yes"', "back\\slash", "trailing\\", "Größe >= 3", "a -> b [x]"])
def test_odd_names_are_quoted(name):
    dot = Diagram.from_table([0, 1], features=[name]).to_dot()
    ((_, label),) = NODE.findall(dot)
    assert re.sub(r"\\(.)", r"\1", label) == name


def test_a_line_break_in_a_name_stays_inside_its_label():
    dot = Diagram.from_table([0, 1], features=["two\nlines"]).to_dot()
    assert len(NODE.findall(dot)) == 1


def test_values_of_many_valued_features_label_their_edges():
    model = symcf.NaiveBayes([0.5, 0.5], [[[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]]])
    dot = symcf.compile(model).diagram.to_dot()
    assert re.findall(r"label=(\d)\]", dot.replace("shape=box ", "")) == ["0", "1", "0", "1", "2"]


# --- pickles ----------------------------------------------------------------------------------------------------------


@given(classifiers(0, 6, certain=False))
def test_pickle_round_trip(classifier):
    diagram = classifier.compiled().diagram
    again = pickle.loads(pickle.dumps(diagram))
    assert again.features == diagram.features
    assert again.order == diagram.order
    assert again.to_dot() == diagram.to_dot()
    assert repr(again) == repr(diagram)


def test_names_survive_pickling():
    diagram = Diagram.from_table(EXCLUSIVE_OR, features=["a", "b"])
    assert pickle.loads(pickle.dumps(diagram)).features == ("a", "b")


def test_a_tampered_pickle_is_refused(admission):
    restore, (order, arity, level, child, root) = admission.compiled().diagram.core.__reduce__()
    child[-1] = 77
    with pytest.raises(ValueError, match="not a diagram"):
        restore(order, arity, level, child, root)


# --- as a classifier --------------------------------------------------------------------------------------------------


def test_a_diagram_is_a_classifier():
    diagram = Diagram.from_table(EXCLUSIVE_OR, features=["a", "b"])
    c = symcf.compile(diagram)
    assert c.diagram is diagram
    assert c.predict(all_rows(2), codes=True).tolist() == EXCLUSIVE_OR
    with pytest.raises(NotImplementedError):
        c.decision_function(all_rows(2))
    with pytest.raises(NotImplementedError):
        c.predict_proba(all_rows(2))


def test_names_must_fit_the_features():
    with pytest.raises(ValueError, match="3"):
        Diagram.from_table(EXCLUSIVE_OR, features=["a", "b", "c"])
