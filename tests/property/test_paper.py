"""The paper, literally: naive Bayes into CUDD's nodes, one clause per off-set path, MCSs by the solver alone."""

from __future__ import annotations

import itertools
import sys
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest
import reference

import symcf
import symcf.fast
from symcf import _core
from symcf.common.clock import NO_LIMIT
from symcf.question.case import case_of
from symcf.question.question import Question
from symcf.search.plan import plan
from symcf.search.protocol import Options

#: The running example: prior, and P(feature = 1) in class 1 and in class 0.
PRIOR, P1, P0 = 0.3, (0.40, 0.96, 0.97, 0.70), (0.15, 0.10, 0.11, 0.20)

LITERALLY: dict[str, Any] = {"engine": "sat", "encoding": "no-cut", "assisted": False}


def probability(row: tuple[int, ...]) -> float:
    """P(admitted | row), in fractions."""
    joint = [
        Fraction(str(p))
        * prod(Fraction(str(q)) if x else 1 - Fraction(str(q)) for x, q in zip(row, chances, strict=True))
        for p, chances in ((PRIOR, P1), (1 - PRIOR, P0))
    ]
    return float(joint[0] / sum(joint))


def random_model(random: np.random.Generator) -> symcf.NaiveBayes:
    """Two classes, up to seven features of two to four values."""
    n = int(random.integers(1, 8))
    sizes = random.integers(2, 5 if random.random() < 0.4 else 3, n)
    tables = [random.dirichlet(np.ones(size) * random.choice([0.3, 1, 5]), 2).clip(1e-6).tolist() for size in sizes]
    tables = [[[v / sum(line) for v in line] for line in table] for table in tables]
    p = float(0.1 + 0.8 * random.random())
    return symcf.NaiveBayes([1 - p, p], tables)


def minimal_sets(compiled: Any, x: list[int], sizes: list[int]) -> list[tuple[int, ...]]:
    """By looking at every row."""
    rows = np.array(list(itertools.product(*map(range, sizes))), dtype=np.int64)
    decided = np.asarray(compiled.predict(rows, codes=True))
    own = decided[(rows == x).all(axis=1)][0]
    return sorted(reference.minimal(np.flatnonzero(row != x).tolist() for row in rows[decided != own]))


def test_the_running_example() -> None:
    """Σf, the sets and the probabilities as the paper has them (features from 1 there)."""
    model = symcf.NaiveBayes.binary(prior=PRIOR, p1=P1, p0=P0)
    compiled = symcf.compile(model, order="natural", backend="cudd")
    clauses = sorted(map(tuple, map(sorted, compiled.cnf().clauses())))
    expected = [(-1, -2, 3, 4), (-1, 2, -3, 4), (-1, 2, 3), (1, -2, 3), (1, 2)]
    assert clauses == sorted(tuple(sorted(clause)) for clause in expected)
    for x, shown, found in (
        ((1, 0, 1, 0), 0.1438, {(1,): 0.9732, (3,): 0.6105}),
        ((0, 0, 1, 0), 0.0426, {(1,): 0.9057, (0, 3): 0.6105}),
    ):
        assert probability(x) == pytest.approx(shown, abs=5e-5)
        explained = compiled.explain(x, **LITERALLY)
        assert explained.complete
        assert {cf.features: round(cf.probability, 4) for cf in explained} == found
        for cf in explained:
            assert cf.probability == pytest.approx(probability(tuple(cf.instance.tolist())), abs=1e-12)


def test_both_backends_build_the_same_diagram_clauses_and_sets() -> None:
    compare_backends(150)


def compare_backends(count: int) -> None:
    random = np.random.default_rng(20)
    for _ in range(count):
        model = random_model(random)
        here = symcf.compile(model, backend="cudd", order="influence" if random.random() < 0.7 else "natural")
        usual = symcf.compile(model, order=here.order)
        a, b = here.diagram.core, usual.diagram.core
        assert a.size == b.size
        for negate in (False, True):
            one, other = here.cnf(negate=negate), usual.cnf(negate=negate)
            assert np.array_equal(one.literals, other.literals)
            assert (one.n_vars, one.n_clauses) == (other.n_vars, other.n_clauses)
        sizes = list(model.n_values)
        x = [int(random.integers(d)) for d in sizes]
        expected = minimal_sets(usual, x, sizes)
        assert sorted(here.explain(x, **LITERALLY).sets) == expected
        assert sorted(usual.explain(x).sets) == expected


def test_many_classes_and_constants() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        tables = [random.dirichlet(np.ones(3), 3).tolist() for _ in range(4)]
        model = symcf.NaiveBayes([0.3, 0.3, 0.4], tables, classes=["x", "y", "z"])
        here, usual = symcf.compile(model, backend="cudd"), symcf.compile(model)
        x = random.integers(0, 3, 4).tolist()
        for label in model.classes:
            assert here.diagram_of(label).size == usual.diagram_of(label).size
            assert np.array_equal(here.cnf(of=label).literals, usual.cnf(of=label).literals)
        assert here.explain(x, **LITERALLY).sets == usual.explain(x).sets
    always = symcf.compile(symcf.LinearClassifier([1, 1], 5), backend="cudd")
    assert always.diagram.core.root == 1
    assert always.cnf().n_clauses == 0
    assert list(always.cnf(negate=True).clauses()) == [()]
    assert always.explain([0, 1], **LITERALLY).sets == []


def test_batches_and_files_take_it(tmp_path: Any) -> None:
    compiled = symcf.compile(symcf.NaiveBayes.binary(prior=PRIOR, p1=P1, p0=P0), backend="cudd")
    rows = list(itertools.product((0, 1), repeat=4))
    batch = symcf.fast.explain_batch(compiled, rows, **LITERALLY)
    assert [e.sets for e in batch] == [compiled.explain(row).sets for row in rows]
    compiled.save(tmp_path / "admission.symcf")
    assert symcf.load(tmp_path / "admission.symcf").limits.backend == "cudd"


def test_without_help_the_solver_finds_every_set() -> None:
    """The statistics of the C engine: with help most sets come from the diagram, without it none does."""
    random = np.random.default_rng(26)
    model = symcf.NaiveBayes.binary(prior=0.4, p1=random.uniform(0.1, 0.9, 12), p0=random.uniform(0.1, 0.9, 12))
    compiled = symcf.compile(model, backend="cudd")
    found = {}
    for assisted in (True, False):
        case = case_of(Question.checked(compiled), compiled.encoder.read_one([0] * 12))
        engine = plan(case.question, Options("sat", "no-cut", None, assisted)).search_for(case)
        sets = [s for answer in engine.steps(case.query, None, NO_LIMIT) for s in answer.sets]
        found[assisted] = len(sets), engine._idle[case.query.goal][0].statistics
    assert found[True][0] == found[False][0] > 20
    assert found[True][1]["rotated"] > 0
    assert found[False][1]["rotated"] == 0
    assert found[False][1]["models"] == found[False][0]


def test_what_is_not_accepted() -> None:
    tree = symcf.DecisionTree({"feature": "a", "at_most": 1, "yes": {"class": 0}, "no": {"class": 1}})
    with pytest.raises(symcf.OptionError, match="backend='cudd'"):
        symcf.compile(tree, backend="cudd")
    with pytest.raises(symcf.OptionError, match="backend"):
        symcf.compile(tree, backend="sylvan")
    admission = symcf.compile(symcf.NaiveBayes.binary(prior=PRIOR, p1=P1, p0=P0))
    with pytest.raises(symcf.OptionError, match="assisted"):
        admission.explain([0, 0, 0, 0], assisted=False)
    with pytest.raises(symcf.OptionError, match="assisted"):
        admission.explain([0, 0, 0, 0], engine="sat", assisted=1)


def test_limits_of_the_build() -> None:
    random = np.random.default_rng(1)
    n = 40
    threshold = symcf.compile(
        symcf.NaiveBayes.binary(prior=0.5, p1=random.uniform(0.1, 0.9, n), p0=random.uniform(0.1, 0.9, n))
    ).threshold
    order = np.arange(n, dtype=np.uint32)
    with pytest.raises(symcf.CompileLimitError):
        _core.Bdd.compile(threshold, order, 0.05)
    with pytest.raises(symcf.CompileLimitError):
        _core.Bdd.compile(threshold, order, -1, 1000)
    with pytest.raises(symcf.CompileLimitError):
        _core.Bdd.compile(threshold, order, -1, 0, 8 << 20)
    with pytest.raises(ValueError, match="permutation"):
        _core.Bdd.compile(threshold, order[:-1].copy())
    small = symcf.compile(symcf.NaiveBayes.binary(prior=PRIOR, p1=P1, p0=P0), backend="cudd")
    with pytest.raises(symcf.LimitError):
        small.cnf(max_clauses=4)
    assert small.cnf(max_clauses=5).n_clauses == 5


if __name__ == "__main__":  # python tests/property/test_paper.py 2000
    models = int(sys.argv[1])
    compare_backends(models)
    print(f"{models:,} models: the same diagrams, clauses and change sets by both ways and by looking at every row")
