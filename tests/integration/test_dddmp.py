"""Files of the format DDDMP-2.0: written and read, against `dd`, and against CUDD's dddmp where that was built.

`make test-dddmp` builds the program tests/dddmp and runs the tests that need it. No other build has code of dddmp.
"""

from __future__ import annotations

import os
import re
import subprocess

import dd.dddmp
import numpy as np
import oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import all_rows, classifiers, random_classifier, truth_tables

import symcf
from symcf import Diagram, _core
from symcf.system.cnf import encode

#: The program, if there is one.
DDDMP = os.environ.get("DDDMP_CHECK")
needs_dddmp = pytest.mark.skipif(DDDMP is None, reason="dddmp is not built (make test-dddmp)")


# --- writing ----------------------------------------------------------------------------------------------------------


def written(diagram, tmp_path):
    path = tmp_path / "f.dddmp"
    diagram.save_dddmp(path)
    return path


@pytest.mark.parametrize("order", ["natural", "influence", "sift", (3, 1, 0, 2)], ids=str)
def test_a_dddmp_file_holds_the_same_function(admission, tmp_path, order):
    diagram = admission.compiled(order).diagram
    bdd = dd.dddmp.load(str(written(diagram, tmp_path)))
    (root,) = bdd.roots
    for x, value in zip(all_rows(4), diagram.evaluate(all_rows(4)), strict=True):
        cofactor = bdd.let({f"x{j}": bool(v) for j, v in enumerate(x)}, root)
        assert cofactor == (1 if value else -1)


@pytest.mark.parametrize("seed", range(5))
def test_cudd_of_dd_loads_a_dddmp_file(tmp_path, seed):
    cudd = pytest.importorskip("dd.cudd")
    diagram = random_classifier(8, seed).compiled().diagram
    bdd = cudd.BDD()
    bdd.declare(*(f"x{j}" for j in diagram.order))
    (function,) = bdd.load(str(written(diagram, tmp_path)))
    for x, value in zip(all_rows(8).tolist(), diagram.evaluate(all_rows(8)), strict=True):
        assert bdd.let({f"x{j}": bool(v) for j, v in enumerate(x)}, function) == (bdd.true if value else bdd.false)


def test_the_names_of_the_features_are_in_the_file(tmp_path):
    model = symcf.NaiveBayes.binary(0.3, [0.4, 0.9], [0.1, 0.2], features=["Erfahrung", "Größe"])
    text = written(symcf.compile(model).diagram, tmp_path).read_text(encoding="utf-8")
    assert "Erfahrung" in text
    assert "Größe" in text


@pytest.mark.parametrize("name", ["two words", "tab\there", "line\nbreak", "\N{NO-BREAK SPACE}"])
def test_names_that_would_break_the_file_are_refused(tmp_path, name):
    model = symcf.NaiveBayes.binary(0.3, [0.4], [0.1], features=[name])
    with pytest.raises(ValueError, match=re.escape(repr(name))):
        symcf.compile(model).diagram.save_dddmp(tmp_path / "f.dddmp")


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("n", [0, 3])
def test_constants_are_written_too(tmp_path, n, value):
    assert ".end" in written(Diagram.from_table([value] * 2**n), tmp_path).read_text()


def test_a_file_that_cannot_be_written_is_named(admission, tmp_path):
    path = tmp_path / "nowhere" / "f.dddmp"
    with pytest.raises(OSError, match="nowhere"):
        admission.compiled().diagram.save_dddmp(path)


# --- reading ----------------------------------------------------------------------------------------------------------


def check_again(diagram, path):
    """What was written is read: the same function of the same variables, from the root down."""
    diagram.save_dddmp(path)
    again = Diagram.load_dddmp(path)
    again.validate()
    assert again.features == tuple(diagram.features[j] for j in diagram.order)
    assert again.size == diagram.size
    rows = all_rows(diagram.n_features)
    assert again.evaluate(rows[:, list(diagram.order)]).tolist() == diagram.evaluate(rows).tolist()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("dddmp") / "f.dddmp"


@given(truth_tables(5))
def test_any_function_is_read_again(path, table):
    check_again(Diagram.from_table(table), path)


@given(classifiers(1, 7, certain=False))
def test_classifiers_are_read_again(path, classifier):
    check_again(classifier.compiled().diagram, path)


@pytest.mark.parametrize("seed", range(3))
def test_many_values_are_indicators(tmp_path, seed):
    """A feature with v values is read as v - 1 variables, of which the first true one counts."""
    rng = np.random.default_rng(seed)
    cards, table = (3, 2, 4), rng.integers(0, 2, size=24)
    bits = np.packbits(table.astype(bool), bitorder="little")
    bdd = _core.Bdd.from_table(3, bits, np.array(cards, dtype=np.uint32))
    diagram = Diagram(bdd.freeze(), ["a", "b", "c"], bdd)
    again = Diagram.load_dddmp(written(diagram, tmp_path))
    rows = np.array(list(np.ndindex(cards)))
    said = {"a": [f"a={v}" for v in (1, 2)], "b": ["b"], "c": [f"c={v}" for v in (1, 2, 3)]}
    assert set(again.features) == {name for names in said.values() for name in names}
    for row, value in zip(rows.tolist(), diagram.evaluate(rows), strict=True):
        true = {said[name][code - 1] for name, code in zip("abc", row, strict=True) if code}
        assert again.evaluate([[int(name in true) for name in again.features]])[0] == value


def test_files_of_others(tmp_path):
    """Without names, with a variable that is not tested, with a sifted order, and nodes in any order."""
    path = tmp_path / "f.dddmp"
    path.write_text(
        ".ver DDDMP-2.0\n.mode A\n.varinfo 0\n.nnodes 3\n.nvars 4\n.nsuppvars 2\n.ids 0 2\n.permids 3 1\n.nroots 1\n"
        ".rootids -3\n.nodes\n3 2 0 2 -2\n1 T 1 0 0\n2 0 1 1 -1\n.end\n"
    )
    diagram = Diagram.load_dddmp(path)
    assert diagram.features == ("level0", "x2", "level2", "x0")

    values = {(a, b): diagram.evaluate([[1, a, 1, b]])[0] for a in (0, 1) for b in (0, 1)}
    assert values == {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}


GOOD = (
    ".ver DDDMP-2.0\n.mode A\n.varinfo 3\n.nnodes 3\n.nvars 2\n.nsuppvars 2\n.suppvarnames a b\n.orderedvarnames a b\n"
    ".ids 0 1\n.permids 0 1\n.nroots 1\n.rootids 3\n.nodes\n1 T 1 0 0\n2 b 1 1 -1\n3 a 0 1 2\n.end\n"
)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (".mode A", ".mode B", "only files of mode A"),
        (".nnodes 3", ".nnodes 4", ".nnodes is 4, but there are 3 nodes"),
        (".nnodes 3\n", "", "the line .nnodes is missing"),
        (".nroots 1", ".nroots 2", "one root"),
        (".rootids 3", ".rootids 7", "no node 7, the root"),
        (".rootids 3", ".rootids 3 2", "the line .rootids is missing, or does not hold one number"),
        (".nvars 2", ".nvars 4294967296", "4,294,967,296 variables, and at most 1,048,576 are read"),
        (".orderedvarnames a b", ".orderedvarnames a a", "occurs twice"),
        (".permids 0 1", ".permids 0 5", ".permids"),
        (".permids 0 1", ".permids 0 x", "must hold numbers"),
        ("3 a 0 1 2", "3 a 0 1 9", "there is no node 9"),
        ("2 b 1 1 -1", "2 b 1 3 -1", "does not lead to variables below"),
        ("2 b 1 1 -1", "2 b 1 2 -1", "does not lead to variables below"),
        ("2 b 1 1 -1", "1 b 1 1 -1", "there before"),
        ("2 b 1 1 -1", "2 b one 1 -1", "is not a node"),
        ("1 T 1 0 0", "1 T 0.5 0 0", "is not a node"),
        ("1 T 1 0 0", "1 T 7 0 0", "only diagrams of truth values"),
        (".nodes\n", "", "where the header should be"),
        (".end\n", "", "ends before"),
        (GOOD, "", "no line .nodes"),
        (GOOD, "\x7fELF\0", "where the header should be"),
    ],
)
def test_a_damaged_file_says_what_is_wrong(tmp_path, old, new, said):
    path = tmp_path / "f.dddmp"
    path.write_text(GOOD)
    assert Diagram.load_dddmp(path).size == 4
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(symcf.FileError, match=re.escape(said)):
        Diagram.load_dddmp(path)


def test_what_is_not_text_is_named(tmp_path):
    (tmp_path / "f").write_bytes(b"\xff\xfe\0")
    with pytest.raises(symcf.FileError, match="it is not text"):
        Diagram.load_dddmp(tmp_path / "f")


# --- against dddmp, by the authors of the encodings -------------------------------------------------------------------


def clauses_of(cnf):
    return list(cnf.clauses())


def negation_of(diagram):
    core = diagram.core
    child = core.child.copy()
    child[core.child == 0], child[core.child == 1] = 1, 0
    root = 1 - core.root if core.root < 2 else core.root
    return Diagram(_core.Diagram.from_arrays(core.order, core.arity, core.level, child, root))


def by_dddmp(mode, diagram, path):
    """What dddmp makes of the file that we write."""
    diagram.save_dddmp(path.with_suffix(".dddmp"))
    literals = ",".join(str(j + 1) for j in diagram.order)
    subprocess.run([DDDMP, mode, literals, path.with_suffix(".dddmp"), path], check=True, capture_output=True)
    return path


@needs_dddmp
@given(truth_tables(5))
def test_dddmp_reads_our_files_and_we_read_its(cnf_path, table):
    diagram = Diagram.from_table(table)
    assume(diagram.n_features)
    again = Diagram.load_dddmp(by_dddmp("store", diagram, cnf_path))
    ours = cnf_path.with_suffix(".dddmp").read_text().splitlines()
    assert len(ours) == len(cnf_path.read_text().splitlines()) + 2  # the two lines with names
    rows = all_rows(diagram.n_features)
    assert again.evaluate(rows[:, list(diagram.order)]).tolist() == diagram.evaluate(rows).tolist()


def dddmp_clauses(diagram, path, *, nodes):
    path = by_dddmp("nodes" if nodes else "paths", diagram, path)
    lines = [line.split() for line in path.read_text().splitlines() if line and line[0] not in "cp"]
    assert all(line[-1] == "0" for line in lines)
    return [tuple(map(int, line[:-1])) for line in lines]


def without_implied_literals(paths):
    """dddmp's one liberty with no-cut clauses: where a path's sibling ends in the same sink at once, its literal is
    implied by the sibling's clause, and dddmp leaves it out: (a)(-a b) becomes (a)(b).
    """
    whole = set(paths)
    return [tuple(lit for i, lit in enumerate(path) if (*path[:i], -lit) not in whole) for path in paths]


def as_sets(clauses):
    return sorted(sorted(clause) for clause in clauses)


def by_meaning(clauses, n):
    """Clauses whose literals are named by the function they stand for, so that no numbering matters."""
    function = oracle.functions([clause for clause in clauses if len(clause) > 1], n)
    everything = oracle.bit_set([1] * 2**n)
    return {frozenset(function[abs(lit)] ^ (0 if lit > 0 else everything) for lit in clause) for clause in clauses}


@pytest.fixture(scope="module")
def cnf_path(tmp_path_factory):
    return tmp_path_factory.mktemp("dddmp") / "f.cnf"


@st.composite
def dddmp_functions(draw):
    """Functions of both kinds that are not constant. Feature 0 comes first in their order: where its literal is a node
    below the root, dddmp takes variable 1 for the number of its own constant and leaves clauses out.
    """
    if draw(st.booleans()):
        diagram = Diagram.from_table(draw(truth_tables(5)))
    else:
        classifier = draw(classifiers(1, 6, certain=False))
        diagram = classifier.compiled([0, *draw(st.permutations(range(1, classifier.n)))]).diagram
    assume(diagram.size > 1)
    return diagram


@needs_dddmp
@given(dddmp_functions())
def test_no_cut_is_what_dddmp_writes(cnf_path, diagram):
    ours = clauses_of(encode(diagram))
    assert as_sets(without_implied_literals(ours)) == as_sets(dddmp_clauses(diagram, cnf_path, nodes=False))


@needs_dddmp
@given(dddmp_functions())
def test_negated_no_cut_is_what_dddmp_writes_for_the_negation(cnf_path, diagram):
    ours = clauses_of(encode(diagram, negate=True))
    theirs = dddmp_clauses(negation_of(diagram), cnf_path, nodes=False)
    assert as_sets(without_implied_literals(ours)) == as_sets(theirs)


@needs_dddmp
@given(dddmp_functions())
def test_node_cut_is_what_dddmp_writes_up_to_names(cnf_path, diagram):
    n = diagram.n_features
    ours = by_meaning(clauses_of(encode(diagram, "node-cut")), n)
    assert ours == by_meaning(dddmp_clauses(diagram, cnf_path, nodes=True), n)


@needs_dddmp
def test_golden_clauses_of_dddmp(admission, tmp_path):
    diagram = admission.compiled("natural").diagram
    theirs = dddmp_clauses(diagram, tmp_path / "f.cnf", nodes=False)
    assert as_sets(theirs) == as_sets([(1, 2), (1, 3), (-1, 2, 3), (-1, 2, 4), (-1, -2, 3, 4)])
    assert len(dddmp_clauses(diagram, tmp_path / "f.cnf", nodes=True)) == encode(diagram, "node-cut").n_clauses == 18
