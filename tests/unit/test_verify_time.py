"""What a check has no time for is reported as not checked, and what it found wrong stays wrong."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

import symcf
from symcf.common.clock import Clock
from symcf.models.additive import AdditiveClassifier, NumberTerm
from symcf.proof.verification import check, ensembles

QUESTIONS = ("valid", "minimal", "complete", "honest")


class Ticking(Clock):
    """Time is up after some looks."""

    def __init__(self, looks):
        super().__init__(None)
        self.looks = looks

    @property
    def expired(self):
        self.looks -= 1
        return self.looks < 0


def looking(monkeypatch, looks, c, x, answer):
    clock = Ticking(looks)
    monkeypatch.setattr(check, "Clock", lambda seconds: clock)
    return symcf.verify(c, x, answer), looks - clock.looks


def bayes(n):
    p1, p0 = np.linspace(0.55, 0.9, n), np.linspace(0.35, 0.1, n)
    return symcf.compile(symcf.NaiveBayes.binary(0.4, p1.tolist(), p0.tolist()))


def forest():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 12, (300, 6))
    y = (X[:, 0] + X[:, 1] > X[:, 2] + rng.integers(0, 8, 300)).astype(int)
    return symcf.compile(RandomForestClassifier(6, max_depth=4, random_state=1).fit(X, y)), X[0]


def numbers():
    return symcf.compile(AdditiveClassifier([NumberTerm(0.5, (0, 9))] * 4, -3.0))


def cases():
    small, large = bayes(6), bayes(18)
    few, many = [0] * 6, [0] * 18
    yield "brute force", small, few, lambda c, x: c.explain(x)
    heavy = symcf.compile(symcf.LinearClassifier([20] * 3 + [1] * 15, -20))
    yield "duality", heavy, many, lambda c, x: c.explain(x)
    yield "sums", large, many, lambda c, x: c.explain(x, k=5)
    yield "SAT", heavy, many, lambda c, x: c.explain(x, constraints=["x1 = 0 or x2 = 0"])
    yield "MaxSAT", heavy, many, lambda c, x: c.explain(x, k=2, constraints=["x1 = 0 or x2 = 0"])
    yield "moves", small, few, lambda c, x: c.explain(x, minimality="moves")
    yield "reasons", large, many, lambda c, x: c.why(x, k=4)
    yield "leaves", *forest(), lambda c, x: c.explain(x)
    yield "reasons of trees", *forest(), lambda c, x: c.why(x)
    yield "numbers", numbers(), [1.0, 1.0, 1.0, 1.0], lambda c, x: c.explain(x)


CASES = {name: case for name, *case in cases()}


@pytest.mark.parametrize("name", CASES)
def test_what_there_is_no_time_for_is_not_checked(name, monkeypatch):
    c, x, ask = CASES[name]
    answer = ask(c, x)
    assert looking(monkeypatch, 10**9, c, x, answer)[0]
    whole, looks = looking(monkeypatch, 10**9, c, x, answer)  # diagrams are there by now
    assert whole
    assert looks > 2
    late = set() if "SAT" in name else {looks - 2, looks - 1}  # solvers are watched every few milliseconds
    for some in sorted({0, 1, 2, looks // 3, looks // 2, *late}):
        report, _ = looking(monkeypatch, some, c, x, answer)
        assert not report
        assert all(getattr(report, question) in (True, None) for question in QUESTIONS)
        assert any("time limit" in note for note in report.notes)
        assert report.complete or not report.method


def test_a_limit_of_no_time():
    c = bayes(4)
    report = symcf.verify(c, [0] * 4, c.explain([0] * 4), time_limit=0)
    assert [getattr(report, question) for question in QUESTIONS] == [None] * 4
    with pytest.raises(symcf.OptionError, match="time_limit"):
        symcf.verify(c, [0] * 4, c.explain([0] * 4), time_limit=-1)


def test_what_was_found_wrong_stays_wrong(monkeypatch):
    c = bayes(6)
    reasons = c.why([0] * 6)
    reasons.sets = [(0,), *reasons.sets]
    _, looks = looking(monkeypatch, 10**9, c, [0] * 6, reasons)
    verdicts = {looking(monkeypatch, some, c, [0] * 6, reasons)[0].valid for some in range(looks)}
    assert verdicts == {None, False}


def test_steps_over_trees_are_bounded_question_by_question(monkeypatch):
    c, x = forest()
    reasons = c.why(x)
    monkeypatch.setattr(ensembles, "MOST_STEPS", 20)
    report = symcf.verify(c, x, reasons)
    assert [report.valid, report.minimal, report.complete, report.honest] == [None, None, None, True]
