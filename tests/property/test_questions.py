"""Every option, in pairs, asked of models of every kind: a short round of tests/drivers/questions.py."""

from __future__ import annotations

import random

import cases
import pytest
import questions

import symcf


@pytest.mark.parametrize("kind", cases.KINDS)
def test_answers_are_those_of_the_reference(kind):
    tally = questions.Tally()
    questions.run(7, 25, tally, [kind])
    assert not tally.failures, "\n".join(tally.failures)
    asked, refused = tally.total(tally.asked), tally.total(tally.refused)
    assert asked == 25
    assert refused < asked


def test_wrong_answers_are_noticed(monkeypatch):
    """A set too few, a set too many, a wrong cost, a wrong row."""
    rng = random.Random(3)
    case = cases.draw(rng, "linear")
    asked = next(a for a in iter(lambda: cases.ask(rng, case, ("cost",)), None) if len(a.reference.change_sets()) > 1)
    assert questions.check_explain(asked)
    explain = symcf.Compiled.explain
    for keywords, told in (
        ({"k": 1}, "instead of"), ({"cost": None}, "instead of|costs"), ({"immutable": [0, 1]}, "instead of"),
    ):  # fmt: skip
        monkeypatch.setattr(
            symcf.Compiled, "explain", lambda c, x, k=keywords, **given: explain(c, x, **{**given, **k})
        )
        with pytest.raises(AssertionError, match=told):
            questions.check_explain(asked)


def test_whole_numbers_stay_whole():
    """The term 3 x - x**2 is largest at 1.5, which is not whole; at 1 and 2 the sum is 0: not enough."""
    terms = [symcf.NumberTerm(3, range=(0, 6), curve=-1, resolution=1), [6, -5, -6]]
    e = symcf.compile(symcf.AdditiveClassifier(terms, -8)).explain([2, 1])
    assert e.sets == []


def test_moves_on_both_sides_of_what_a_constraint_forbids():
    """The tree does not tell 2 and 6 apart, but from 5 both are moves: the constraint forbids 3 to 5."""
    far = {"feature": "x", "at_most": 1.5, "yes": {"counts": [1, 0]}, "no": {"counts": [0, 1]}}
    tree = {"feature": "y", "at_most": 0.5, "yes": {"counts": [1, 0]}, "no": far}
    c = symcf.compile(symcf.DecisionTree(tree, features=["x", "y"]))
    e = c.explain({"x": 5, "y": 0}, minimality="moves", constraints=["x <= 2 or x >= 6"])
    assert sorted(cf.row["x"] for cf in e) == [2, 6]
    assert {cf.row["y"] for cf in e} == {1}


@pytest.mark.parametrize("option", ["sums", "change"])
def test_moves_and_relations_over_columns_of_numbers(option):
    """On a grid, each value is one number, so nothing moves within a range."""
    tally, kinds = questions.Tally(), ["numbers", "numbers, several classes"]
    questions.run(3, 20, tally, kinds, engine="auto", always=["moves", option])
    assert not tally.failures, "\n".join(tally.failures)
    assert sum(tally.refused[kind, option] for kind in kinds) == 0
    assert sum(tally.asked[kind, option] for kind in kinds) > 10
