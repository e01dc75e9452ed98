"""Linear rows over a few columns of numbers: real ones against the exact search, rows in doubt, limits. Whole numbers:
``python tests/drivers/ties_random.py``.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
import ties_random

import symcf
from symcf.answers.tied_rows import TiedRows
from symcf.fast import explain_batch
from symcf.question.ties import Ties

NAMES = ties_random.NAMES


@pytest.mark.parametrize("seed", range(20))
def test_whole_numbers_against_all_rows(seed):
    ties_random.check(seed, Counter())


@pytest.mark.parametrize("digits", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 7))])
def test_real_numbers_against_the_exact_search(digits, monkeypatch):
    numbers = np.random.default_rng(digits)
    weights = (numbers.normal(size=4) if digits > 1 else numbers.integers(-3, 4, 4)).tolist()
    terms = [symcf.NumberTerm(weight, range=(0, 4)) for weight in weights]
    frame = pd.DataFrame((numbers.random((25, 4)) * 4).round(digits), columns=NAMES)
    model = symcf.AdditiveClassifier(terms, -float(np.dot(weights, [2] * 4)), features=NAMES)
    texts = [[text] for text in ties_random.CONSTRAINTS]
    found = [explain_batch(symcf.compile(model), frame, constraints=text) for text in texts]
    single = [
        [symcf.compile(model).explain(row, constraints=text).sets for row in frame.to_dict("records")[:8]]
        for text in texts
    ]
    monkeypatch.setattr(Ties, "of", classmethod(lambda cls, *given: None))
    for text, one, some in zip(texts, found, single, strict=True):
        slow = explain_batch(symcf.compile(model), frame, constraints=text)
        assert [list(one.sets(i)) for i in range(len(frame))] == [list(slow.sets(i)) for i in range(len(frame))], text
        assert some == [list(slow.sets(i)) for i in range(len(some))], text


def test_rows_in_doubt_are_left_to_the_exact_search(monkeypatch):
    """The sum is 0 where ``a + b <= 4`` just allows it: floats cannot tell that."""
    terms = [symcf.NumberTerm(1, range=(0, 4)), symcf.NumberTerm(1, range=(0, 4)), symcf.NumberTerm(1, range=(0, 4))]
    c = symcf.compile(symcf.AdditiveClassifier(terms, -8, features=NAMES[:3], tie="positive"))
    frame = pd.DataFrame([[0.5, 1.5, 4.0], [0.5, 1.5, 3.9], [1.0, 3.0, 4.0]], columns=NAMES[:3])
    doubts, solved = [], TiedRows.solved

    def watched(self, clock, memory):
        found = solved(self, clock, memory)
        doubts.append(found[2].tolist())
        return found

    monkeypatch.setattr(TiedRows, "solved", watched)
    batch = explain_batch(c, frame.iloc[:2], constraints=["a + b <= 4"])
    assert doubts[0] == [True, True]
    assert [list(batch.sets(i)) for i in range(2)] == [[(0,), (1,)], [(0, 2), (1, 2)]]


def test_short_floats_and_lists_of_mappings():
    terms = [symcf.NumberTerm(1, range=(0, 4)), symcf.NumberTerm(-1, range=(0, 4)), symcf.NumberTerm(2, range=(0, 4))]
    c = symcf.compile(symcf.AdditiveClassifier(terms, -5.05, features=NAMES[:3]))
    rows = [{"a": 0.5, "b": 1.5, "c": 1.0}, {"a": 3, "b": 1, "c": 0}]
    for given in (rows, pd.DataFrame(rows).astype("float32"), pd.DataFrame(rows).astype("float16")):
        batch = explain_batch(c, given, constraints=["a + c <= 5"])
        single = [c.explain(row, constraints=["a + c <= 5"]).sets for row in rows]
        assert [list(batch.sets(i)) for i in range(2)] == single


def test_limits_of_a_batch():
    drawn = ties_random.Drawn(1)
    c, frame = drawn.compiled(), pd.concat([drawn.frame()] * 300, ignore_index=True)
    late = explain_batch(c, frame, constraints=["a + b <= 4"], time_limit=0)
    assert set(late.status.tolist()) == {2}
    with pytest.raises(symcf.LimitError):
        explain_batch(c, frame, constraints=["a + b <= 4"], max_memory=100)
    capped = explain_batch(c, frame[:6], constraints=["a + b <= 4"], max_results=1)
    assert all(len(capped.sets(i)) <= 1 for i in range(6))
