"""Completeness and minimality read off the diagram: as by brute force, which is switched off here."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.proof.verification import check
from symcf.proof.verification.sat import largest_without


def function(seed, n_values, n_classes=2, **names):
    answers = np.random.default_rng(seed).integers(0, n_classes, n_values)
    return symcf.compile(
        symcf.from_function(lambda x: int(answers[tuple(x)]), n_values, classes=range(n_classes), **names)
    )


@pytest.fixture
def no_force(monkeypatch):
    """As if nothing were small enough for brute force or a solver."""
    monkeypatch.setattr(check, "BRUTE_FORCE", 0)
    monkeypatch.setattr(check, "FEW_PARTS", 0)
    monkeypatch.setattr(check, "make_problem", lambda *_: pytest.fail("a solver was asked"))


OPTIONS = [
    {},
    {"immutable": [0]},
    {"max_changes": 1},
    {"max_changes": 2},
    {"allowed": {1: [0, 1]}},
    {"allowed": {2: "increase"}},
    {"constraints": ["x0 = 1 -> x1 != 0"]},
    {"cost": "ordinal"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(("n_values", "n_classes"), [((2, 3, 2, 3), 2), ((3, 2, 3), 3)])
def test_a_right_answer_passes_and_a_missing_or_larger_set_does_not(no_force, options, n_values, n_classes):
    seen = 0
    for seed in range(6):
        c = function(seed, n_values, n_classes)
        x = np.random.default_rng(seed).integers(0, n_values).tolist()
        e = c.explain(x, **options)
        report = symcf.verify(c, x, e)
        assert report, str(report)
        assert report.method == "diagram"
        for missing in range(len(e.sets)):
            less = c.explain(x, **options)
            less.sets = [*e.sets[:missing], *e.sets[missing + 1 :]]
            assert symcf.verify(c, x, less).complete is False
            seen += 1
    assert seen


def test_a_set_that_is_too_large_is_noticed(no_force):
    c = function(1, (2, 3, 2, 3))
    x = [0, 0, 0, 0]
    e = c.explain(x)
    small = next(s for s in e.sets if len(s) < 4)
    larger = tuple(sorted({*small, next(j for j in range(4) if j not in small)}))
    e.sets = [larger if s == small else s for s in e.sets]
    report = symcf.verify(c, x, e)
    assert report.minimal is False


@given(data=st.data())
def test_the_largest_sets_are_those_of_the_definition(data):
    n = data.draw(st.integers(0, 6))
    features = list(range(1, n + 1))
    subsets = [set(s) for size in range(n + 1) for s in combinations(features, size)]
    listed = data.draw(st.lists(st.sampled_from([s for s in subsets if s]), max_size=5)) if n else []
    most = data.draw(st.integers(0, n))
    allowed = [s for s in subsets if len(s) <= most and not any(t <= s for t in listed)]
    wanted = {tuple(sorted(s)) for s in allowed if not any(s < t for t in allowed)}
    assert set(largest_without([sorted(s) for s in listed], features, most)) == wanted


def test_work_is_counted_in_passes(monkeypatch):
    """A forest-like function of 14 features is not handed to a solver: each pass looks at every node once."""
    c = function(3, (2,) * 14)
    x = [0] * 14
    e = c.explain(x)
    monkeypatch.setattr(check, "BRUTE_FORCE", 0)
    monkeypatch.setattr(check, "make_problem", lambda *_: pytest.fail("a solver was asked"))
    report = symcf.verify(c, x, e)
    assert report, str(report)
    assert report.method == "diagram"
