"""Clauses: the paper's, prime ones, limits, chunks, files; and the partial MaxSAT problem."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import oracle
import pysat.formula
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.examples.lbx import LBX
from pysat.solvers import Solver
from strategies import Classifier, classifiers, many_valued, parity, random_classifier, truth_tables

import symcf
from symcf import Diagram, _core
from symcf.system.cnf import ENCODINGS, Cnf, encode, no_cut_chunks, wcnf
from symcf.system.variables import Variables


def clauses_of(cnf):
    return list(cnf.clauses())


def as_sets(clauses):
    return sorted(sorted(clause) for clause in clauses)


def negation_of(diagram):
    """The diagram of the negated function, made independently of `negate`."""
    core = diagram.core
    child = core.child.copy()
    child[core.child == 0], child[core.child == 1] = 1, 0
    root = 1 - core.root if core.root < 2 else core.root
    return Diagram(_core.Diagram.from_arrays(core.order, core.arity, core.level, child, root))


# --- the paper's clauses ----------------------------------------------------------------------------------------------


def test_golden_clauses(admission):
    c = admission.compiled("natural")
    assert clauses_of(c.cnf()) == [(-1, -2, 3, 4), (-1, 2, -3, 4), (-1, 2, 3), (1, -2, 3), (1, 2)]
    assert clauses_of(c.cnf(negate=True)) == [(-1, -2, -3), (-1, -2, 3, -4), (-1, 2, -3, -4), (1, -2, -3)]


def test_golden_clauses_of_the_figure(figure):
    cnf = figure.compiled("natural").cnf()
    assert oracle.models(cnf.clauses(), 4).bit_count() == 9


@given(classifiers(0, 7, certain=False), st.booleans())
def test_no_cut_negates_each_path(classifier, negate):
    diagram = classifier.compiled().diagram
    wanted = [tuple(-literal for literal in path) for path in diagram.paths(int(negate))]
    assert clauses_of(encode(diagram, negate=negate)) == wanted


@given(st.lists(st.lists(st.integers(1, 4).flatmap(lambda v: st.sampled_from([v, -v])), max_size=4), max_size=5))
def test_the_oracle_reads_clauses_the_same_in_all_its_ways(clauses):
    one_by_one = oracle.bit_set(oracle.satisfies(clauses, oracle.assignment_of(x)) for x in oracle.inputs([2] * 4))
    assert oracle.models(clauses, 4) == oracle.projected_models(clauses, 4) == one_by_one


@given(truth_tables(5), st.sampled_from(ENCODINGS))
def test_negating_is_encoding_the_negation(table, encoding):
    diagram = Diagram.from_table(table)
    direct, negated = encode(diagram, encoding, negate=True), encode(negation_of(diagram), encoding)
    if encoding == "node-cut":  # the same definitions, read upside down
        n = diagram.n_features
        assert oracle.projected_models(direct.clauses(), n) == oracle.projected_models(negated.clauses(), n)
    else:
        assert clauses_of(direct) == clauses_of(negated)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("n", [0, 3])
def test_constants_have_no_clause_or_the_empty_one(encoding, n):
    for value, negate in product([0, 1], [False, True]):
        cnf = encode(Diagram.from_table([value] * 2**n), encoding, negate=negate)
        assert clauses_of(cnf) == ([] if value != negate else [()])
        assert (cnf.n_vars, cnf.n_clauses) == (n, int(value == negate))


@given(truth_tables(5), st.sampled_from(ENCODINGS), st.booleans(), st.integers(1, 4), st.integers(1, 5))
def test_every_encoding_of_any_function_has_its_models(table, encoding, negate, max_in, max_length):
    diagram = Diagram.from_table(table)
    n = diagram.n_features
    cnf = encode(diagram, encoding, negate=negate, max_in=max_in, max_length=max_length)
    function = oracle.bit_set(diagram.evaluate(np.array(oracle.inputs([2] * n)).reshape(2**n, n)) != negate)
    assert oracle.projected_models(cnf.clauses(), n) == function
    assert len(clauses_of(cnf)) == cnf.n_clauses
    assert cnf.n_features == n
    assert max((abs(literal) for literal in cnf.literals.tolist()), default=0) <= cnf.n_vars


# --- prime, node-cut, aux-cut -----------------------------------------------------------------------------------------


def prime_functions():
    drawn = classifiers(0, 6, certain=False).map(lambda c: c.compiled().diagram)
    return drawn | truth_tables(5).map(Diagram.from_table)


@given(prime_functions(), st.booleans())
def test_prime_clauses_are_prime_and_irredundant(diagram, negate):
    n = diagram.n_features
    clauses = clauses_of(encode(diagram, "prime", negate=negate))
    function = oracle.models(clauses, n)
    assert [clause for clause in clauses if not oracle.is_prime(clause, function, n)] == []
    assert oracle.is_irredundant(clauses, n)


def test_prime_is_the_smallest_encoding_of_the_example(admission):
    c = admission.compiled()
    assert as_sets(clauses_of(c.cnf("prime"))) == as_sets([(1, 2), (1, 3), (2, 3), (2, 4), (3, 4)])


@given(classifiers(1, 7, certain=False))
def test_node_cut_has_a_variable_a_node_that_is_no_literal(classifier):
    diagram = classifier.compiled().diagram
    children = diagram.core.child.reshape(-1, 2)
    cnf = encode(diagram, "node-cut")
    assert cnf.n_vars - cnf.n_features == int((children > 1).any(axis=1).sum())
    assert all(len(clause) <= 3 for clause in cnf.clauses())


@given(classifiers(1, 8, certain=False), st.integers(1, 4), st.integers(1, 6), st.booleans())
def test_aux_cut_keeps_its_bounds(classifier, max_in, max_length, negate):
    diagram = classifier.compiled().diagram
    cnf = encode(diagram, "aux-cut", max_in=max_in, max_length=max_length, negate=negate)
    assert all(len(clause) <= max_length + 2 for clause in cnf.clauses())
    cuts = cnf.n_vars - cnf.n_features
    entered = np.bincount(diagram.core.child, minlength=diagram.size)[2:]
    assert cuts >= int((entered > max_in).sum())
    assert cuts <= max(0, diagram.size - 3)  # neither the sinks nor the root


@given(classifiers(0, 7, certain=False), st.booleans())
def test_aux_cut_without_bounds_is_no_cut(classifier, negate):
    diagram = classifier.compiled().diagram
    uncut = encode(diagram, "aux-cut", max_in=2**32 - 1, max_length=2**32 - 1, negate=negate)
    assert uncut.literals.tolist() == encode(diagram, negate=negate).literals.tolist()


def test_aux_cut_trades_clauses_for_variables():
    diagram = random_classifier(18, seed=0).compiled().diagram
    no_cut, few, many = encode(diagram), encode(diagram, "aux-cut", max_in=8), encode(diagram, "aux-cut", max_in=1)
    assert no_cut.n_vars < few.n_vars < many.n_vars
    assert no_cut.n_clauses > few.n_clauses > many.n_clauses


@pytest.mark.parametrize("bounds", [{"max_in": 0}, {"max_length": 0}, {"max_in": -3}])
def test_bounds_of_aux_cut_are_checked(admission, bounds):
    with pytest.raises(symcf.OptionError, match="must be an integer of at least 1"):
        admission.compiled().cnf("aux-cut", **bounds)


def test_an_unknown_encoding_is_named(admission):
    with pytest.raises(symcf.OptionError, match=r"'tseitin'.*'no-cut', 'node-cut', 'aux-cut', 'prime'"):
        admission.compiled().cnf("tseitin")


# --- features of many values ------------------------------------------------------------------------------------------

MANY = ("no-cut", "node-cut", "aux-cut", "prime")


def indicators_of(n_values, x):
    """Which indicator variables are true of an input: for each feature, values 1, 2, ... in turn."""
    return tuple(int(value == v) for d, value in zip(n_values, x, strict=True) for v in range(1, d))


def wanted_models(function, negate):
    """The assignments to indicator variables that stand for an input where the function is true, as a bit set."""
    count = sum(d - 1 for d in function.n_values)
    accepted = {indicators_of(function.n_values, x) for x, value in function.table.items() if value != negate}
    return oracle.bit_set(assignment in accepted for assignment in oracle.inputs([2] * count)), count


@given(many_valued(), st.sampled_from(MANY), st.booleans(), st.integers(1, 4), st.integers(1, 5), st.integers(1, 8))
def test_every_encoding_of_many_values_has_its_models(function, encoding, negate, max_in, max_length, pairwise):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symcf.system.variables.PAIRWISE", pairwise)
        cnf = encode(function.diagram, encoding, negate=negate, max_in=max_in, max_length=max_length)
    models, count = wanted_models(function, negate)
    assert cnf.n_features == cnf.variables.count == count
    assert oracle.projected_models(cnf.clauses(), count) == models
    assert len(clauses_of(cnf)) == cnf.n_clauses
    assert max((abs(literal) for literal in cnf.literals.tolist()), default=0) <= cnf.n_vars


@given(many_valued(), st.booleans(), st.sampled_from(MANY))
def test_zeros_give_every_value_a_literal(function, negate, encoding):
    cnf = encode(function.diagram, encoding, negate=negate)
    complete = cnf.with_zeros()
    models, count = wanted_models(function, negate)
    assert oracle.projected_models(complete.clauses(), count) == models
    assert (complete is cnf) == all(d == 2 for d in function.n_values)
    literal = complete.variables.literal
    with Solver(name="minisat22", bootstrap_with=[list(c) for c in complete.clauses() if c]) as solver:
        for x, value in function.table.items():
            chosen = [literal(j, v) for j, v in enumerate(x)]
            others = [-literal(j, w) for j, v in enumerate(x) for w in range(function.n_values[j]) if w != v]
            if () not in complete.clauses():
                assert solver.solve(chosen) == solver.solve(others) == (value != negate)
            if value != negate:
                assert complete.variables.codes(solver.get_model()).tolist() == list(x)


@given(many_valued(), st.booleans())
def test_paths_of_many_values_are_counted_and_negated(function, negate):
    paths = list(function.diagram.paths(int(negate)))
    assert len(paths) == function.diagram.count_paths(int(negate))
    clauses = clauses_of(encode(function.diagram, negate=negate))
    assert clauses[: len(paths)] == [tuple(-literal for literal in path) for path in paths]


@given(many_valued(), st.integers(1, 4), st.integers(1, 6), st.booleans())
def test_aux_cut_of_many_values_keeps_its_bounds(function, max_in, max_length, negate):
    cnf = encode(function.diagram, "aux-cut", max_in=max_in, max_length=max_length, negate=negate)
    widest = max(function.n_values, default=1) - 1  # literals of the last branch of a node
    assert all(len(clause) <= max_length - 1 + max(widest, 1) + 2 for clause in cnf.clauses())


@given(many_valued(), st.integers(1, 40), st.booleans())
def test_chunks_of_many_values(function, chunk_size, negate):
    chunks = list(no_cut_chunks(function.diagram, negate=negate, chunk_size=chunk_size))
    whole = encode(function.diagram, negate=negate).literals.tolist()
    assert [lit for chunk in chunks for lit in chunk.tolist()] == whole


@given(many_valued(max_n=3), st.sampled_from(MANY), st.data())
def test_the_mcses_of_many_values_are_the_change_sets(function, encoding, data):
    n, n_values = function.n, function.n_values
    x = data.draw(st.tuples(*(st.integers(0, d - 1) for d in n_values)))
    fixed = data.draw(st.sets(st.integers(0, n - 1), max_size=1)) if n else set()
    pairs = [(j, v) for j, d in enumerate(n_values) for v in range(d)]
    forbidden = data.draw(st.sets(st.sampled_from(pairs), max_size=4)) if pairs else set()
    allowed = {j: [v for v in range(d) if (j, v) not in forbidden] for j, d in enumerate(n_values)}
    wanted = oracle.change_sets(function.table.__getitem__, x, n_values, allowed | dict.fromkeys(fixed, ()))
    cnf = encode(function.diagram, encoding, negate=bool(function.table[x]))
    problem = wcnf(cnf, x, fixed, sorted(forbidden), list(range(1, n + 1)))
    free = [j for j in range(n) if j not in fixed]
    assert problem.weights == [j + 1 for j in free]
    if not wanted:  # the hard clauses contradict each other, which LBX is not made for
        assert oracle.projected_models(problem.hard.clauses(), cnf.n_features) == 0
    else:
        found = [tuple(free[i] for i in mcs) for mcs in mcses(problem.to_pysat())]
        assert oracle.cheapest(found) == oracle.cheapest(wanted)


def test_dimacs_says_what_indicators_are():
    arrays = [np.array(a, dtype=np.uint32) for a in ([0, 1], [3, 2], [2, 2, 0], [0, 0, 1])]
    diagram = Diagram(_core.Diagram.from_arrays(*arrays, 2), ["größe\n", "owner"])
    cnf = encode(diagram, labels=[["S", "M", "L"], [0, 1]])
    assert cnf.to_dimacs().splitlines() == [
        "c 1 gr\\xf6\\xdfe\\n=M",
        "c 2 gr\\xf6\\xdfe\\n=L",
        "c 3 owner=1",
        "p cnf 3 2",
        "2 0",
        "-1 -2 0",
    ]


# --- limits and memory ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_one_clause_too_many_is_refused_with_the_exact_number(encoding):
    diagram = random_classifier(12, seed=0).compiled().diagram
    n_clauses = encode(diagram, encoding, max_clauses=None).n_clauses
    assert encode(diagram, encoding, max_clauses=n_clauses).n_clauses == n_clauses
    with pytest.raises(symcf.ClauseLimitError, match=f"{n_clauses:,}") as caught:
        encode(diagram, encoding, max_clauses=n_clauses - 1)
    assert (caught.value.n_clauses, caught.value.max_clauses) == (n_clauses, n_clauses - 1)


@pytest.mark.parametrize("encoding", ["no-cut", "prime"])
@pytest.mark.parametrize("n", [40, 64, 65, 100, 1000])
def test_absurd_numbers_of_clauses_are_refused_before_allocating(encoding, n):
    with pytest.raises(symcf.ClauseLimitError) as caught:
        encode(parity(n), encoding, max_clauses=1000)
    assert caught.value.n_clauses >= min(2 ** (n - 1), 2**63 - 1)
    assert "raise max_clauses" in str(caught.value)


def test_what_fits_no_machine_is_a_memory_error():
    with pytest.raises(MemoryError):
        encode(parity(80), max_clauses=None)


def test_cuts_make_the_absurd_small():
    assert encode(parity(1000), "node-cut").n_clauses == 4 * 1997 + 1
    assert encode(parity(1000), "aux-cut", max_in=1, max_length=1).n_clauses < 10_000


@pytest.mark.parametrize("max_clauses", [0, -1])
def test_max_clauses_makes_sense(admission, max_clauses):
    with pytest.raises(symcf.OptionError, match="max_clauses"):
        admission.compiled().cnf(max_clauses=max_clauses)


def test_the_buffer_is_a_read_only_view(admission):
    cnf = admission.compiled("natural").cnf()
    assert cnf.literals.dtype == np.int32
    assert cnf.literals.tolist() == [-1, -2, 3, 4, 0, -1, 2, -3, 4, 0, -1, 2, 3, 0, 1, -2, 3, 0, 1, 2, 0]
    assert not cnf.literals.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        cnf.literals[0] = 1


def test_repr(admission):
    c = admission.compiled("natural")
    assert repr(c.cnf()) == "Cnf(4 variables, 5 clauses)"
    assert repr(c.wcnf([1, 0, 1, 0], immutable=[0])) == "Wcnf(4 variables, 6 hard, 3 soft clauses)"


# --- chunks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize("chunk_size", [1, 16, 100, 4096, 1 << 20])
def test_chunks_are_the_whole_in_pieces(chunk_size, negate):
    c = random_classifier(15, seed=2).compiled()
    chunks = list(c.cnf_chunks(negate=negate, chunk_size=chunk_size))
    whole = c.cnf(negate=negate).literals
    assert np.concatenate(chunks).tolist() == whole.tolist()
    assert all(chunk[-1] == 0 and len(chunk) <= max(chunk_size, 16) for chunk in chunks)
    # A chunk ends early only for a clause that would not fit.
    assert len(chunks) <= 1 + len(whole) // max(1, max(chunk_size, 16) - 15)


@given(truth_tables(5), st.integers(1, 20), st.booleans())
def test_chunks_of_any_function(table, chunk_size, negate):
    diagram = Diagram.from_table(table)
    chunks = list(no_cut_chunks(diagram, negate=negate, chunk_size=chunk_size))
    assert [lit for chunk in chunks for lit in chunk.tolist()] == encode(diagram, negate=negate).literals.tolist()


def test_chunks_come_one_by_one_from_what_has_no_end():
    chunks = no_cut_chunks(parity(200), chunk_size=1000)
    assert [len(next(chunks)) for _ in range(3)] == [4 * 201] * 3


def test_chunk_size_makes_sense(admission):
    with pytest.raises(symcf.OptionError, match="chunk_size"):
        next(admission.compiled().cnf_chunks(chunk_size=0))


# --- DIMACS and PySAT -------------------------------------------------------------------------------------------------


def parse_dimacs(text):
    head, *lines = text.splitlines()
    return head, [tuple(map(int, line.split()[:-1])) for line in lines]


@given(truth_tables(4), st.sampled_from(ENCODINGS))
def test_dimacs_text_holds_the_clauses(table, encoding):
    cnf = encode(Diagram.from_table(table), encoding)
    head, clauses = parse_dimacs(cnf.to_dimacs())
    assert head == f"p cnf {cnf.n_vars} {cnf.n_clauses}"
    assert clauses == clauses_of(cnf)


@pytest.mark.parametrize("clauses", [[()], [(1,), ()], [(), (), (-2, 10)], [(1, 2), (), (), (20,), ()]], ids=str)
def test_empty_clauses_have_lines_of_their_own(clauses):
    literals = np.array([literal for clause in clauses for literal in (*clause, 0)], dtype=np.int32)
    cnf = Cnf(literals, 20, len(clauses), Variables([2] * 20))
    assert clauses_of(cnf) == clauses
    assert parse_dimacs(cnf.to_dimacs()) == (f"p cnf 20 {len(clauses)}", clauses)


@pytest.mark.parametrize("text_chunk", [1, 2, 5, 16])
def test_long_texts_are_made_in_pieces(admission, monkeypatch, text_chunk):
    cnf = admission.compiled().cnf("node-cut")
    whole = cnf.to_dimacs()
    monkeypatch.setattr("symcf.system.cnf.TEXT_CHUNK", text_chunk)
    assert cnf.to_dimacs() == whole


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_pysat_reads_the_dimacs_file(tmp_path, encoding):
    cnf = random_classifier(10, seed=5).compiled().cnf(encoding)
    assert cnf.to_dimacs(tmp_path / "f.cnf") is None
    read = pysat.formula.CNF(from_file=str(tmp_path / "f.cnf"))
    assert read.nv == cnf.n_vars
    assert [tuple(clause) for clause in read.clauses] == clauses_of(cnf)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_to_pysat(encoding):
    cnf = random_classifier(10, seed=5).compiled().cnf(encoding)
    formula = cnf.to_pysat()
    assert isinstance(formula, pysat.formula.CNF)
    assert formula.nv == cnf.n_vars
    assert [tuple(clause) for clause in formula.clauses] == clauses_of(cnf)
    assert all(type(literal) is int for clause in formula.clauses for literal in clause)


# --- partial MaxSAT ---------------------------------------------------------------------------------------------------


def test_golden_wcnf(admission):
    wcnf = admission.compiled("natural").wcnf([1, 0, 1, 0])
    assert clauses_of(wcnf.hard) == [(-1, -2, 3, 4), (-1, 2, -3, 4), (-1, 2, 3), (1, -2, 3), (1, 2)]
    assert wcnf.soft.tolist() == [1, -2, 3, -4]
    assert wcnf.weights == [1, 1, 1, 1]


def test_a_positive_instance_takes_the_negation(admission):
    c = admission.compiled("natural")
    assert clauses_of(c.wcnf([1, 1, 1, 1]).hard) == clauses_of(c.cnf(negate=True))


def test_immutable_features_are_hard_and_costs_are_weights(admission):
    wcnf = admission.compiled("natural").wcnf([1, 0, 1, 0], immutable=["x1", 0], cost={"x2": 2.5})
    assert clauses_of(wcnf.hard)[-2:] == [(1,), (-2,)]
    assert wcnf.hard.n_clauses == 7
    assert wcnf.soft.tolist() == [3, -4]
    assert wcnf.weights == [5, 2]


def mcses(formula):
    """All MCSs by PySAT's LBX, as tuples of indices of soft clauses."""
    with LBX(formula, solver_name="minisat22") as lbx:
        found = []
        for mcs in lbx.enumerate():
            found.append(tuple(i - 1 for i in sorted(mcs)))
            lbx.block(mcs)
    return found


@given(classifiers(1, 6, certain=False), st.sampled_from(ENCODINGS), st.data())
def test_the_mcses_are_the_change_sets(classifier, encoding, data):
    n = classifier.n
    c = classifier.compiled()
    x = data.draw(st.tuples(*[st.integers(0, 1)] * n))
    immutable = data.draw(st.sets(st.integers(0, n - 1)))
    decided = dict(zip(oracle.inputs([2] * n), c.predict(oracle.inputs([2] * n), codes=True).tolist(), strict=True))
    wanted = oracle.change_sets(decided.__getitem__, x, [2] * n, allowed=dict.fromkeys(immutable, ()))
    wcnf = c.wcnf(x, immutable=immutable, encoding=encoding)
    free = [j for j in range(n) if j not in immutable]
    if not wanted:  # the hard clauses contradict each other, which LBX is not made for
        solutions = oracle.projected_models(wcnf.hard.clauses(), n)
        assert solutions == 0
    else:
        found = [tuple(free[i] for i in mcs) for mcs in mcses(wcnf.to_pysat())]
        assert oracle.cheapest(found) == oracle.cheapest(wanted)


def check_same(read, wcnf):
    assert [tuple(clause) for clause in read.hard] == clauses_of(wcnf.hard)
    assert read.soft == [[literal] for literal in wcnf.soft.tolist()]
    assert read.wght == wcnf.weights


@pytest.mark.parametrize("cost", [None, [1, 2, 3, 4], {"x0": 0.1}], ids=str)
@pytest.mark.parametrize("immutable", [(), ["x2"]], ids=str)
@pytest.mark.parametrize("encoding", ENCODINGS)
class TestWcnfFiles:
    @pytest.mark.parametrize("style", ["2022", "old"])
    def test_pysat_reads_both_formats(self, admission, tmp_path, encoding, immutable, cost, style):
        wcnf = admission.compiled().wcnf([1, 0, 1, 0], immutable=immutable, cost=cost, encoding=encoding)
        assert wcnf.to_file(tmp_path / "f.wcnf", format=style) is None
        text = (tmp_path / "f.wcnf").read_text()
        assert text == wcnf.to_file(format=style)
        assert text.startswith("h " if style == "2022" else f"p wcnf {wcnf.cnf.n_vars} ")
        check_same(pysat.formula.WCNF(from_file=str(tmp_path / "f.wcnf")), wcnf)

    def test_to_pysat(self, admission, encoding, immutable, cost):
        wcnf = admission.compiled().wcnf([1, 0, 1, 0], immutable=immutable, cost=cost, encoding=encoding)
        formula = wcnf.to_pysat()
        check_same(formula, wcnf)
        assert formula.nv == wcnf.cnf.n_vars
        assert formula.topw == sum(wcnf.weights) + 1


def test_the_old_format_weighs_hard_clauses_above_all_soft_ones(admission):
    text = admission.compiled("natural").wcnf([1, 0, 1, 0], cost=[1, 2, 3, 4]).to_file(format="old")
    assert text.splitlines()[:2] == ["p wcnf 4 9 11", "11 -1 -2 3 4 0"]
    assert text.splitlines()[-1] == "4 -4 0"


@pytest.mark.parametrize("style", ["2022", "old"])
def test_a_constant_is_a_contradiction_in_the_file(style):
    wcnf = Classifier(0.9, (0.5, 0.5), (0.5, 0.5)).compiled().wcnf([0, 1], immutable=[0])
    lines = wcnf.to_file(format=style).splitlines()
    mark = {"2022": "h", "old": "2"}[style]
    assert lines[-3:] == [f"{mark} 0", f"{mark} -1 0", "1 2 0"]


def test_an_unknown_file_format_is_named(admission):
    with pytest.raises(symcf.OptionError, match=r"'1999'.*'2022'.*'old'"):
        admission.compiled().wcnf([1, 0, 1, 0]).to_file(format="1999")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"x": [1, 0, 1]}, "the instance has 3 values, the classifier reads 4"),
        ({"x": [1, 0, 1, 2]}, "'x3'"),
        ({"x": [1, 0, 1, -1]}, "'x3'"),
        ({"x": [1, 0, 1, 0], "immutable": ["age"]}, "'age'"),
        ({"x": [1, 0, 1, 0], "cost": {"x1": -1}}, "'x1'"),
        ({"x": [1, 0, 1, 0], "cost": {"x1": math.inf}}, "'x1'"),
    ],
    ids=str,
)
def test_wrong_arguments_are_named(admission, arguments, word):
    with pytest.raises(ValueError, match=word):
        admission.compiled().wcnf(**arguments)
