"""Certificates of batches where some rows have none."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import symcf
from symcf.demo import admission

ROWS = [[0, 0, 1, 0], [1, 1, 1, 1], [1, 0, 1, 0]]


def test_a_row_without_a_certificate_says_why():
    batch = symcf.fast.explain_batch(symcf.compile(admission()), ROWS, target="admitted")
    made = list(batch.certificates())
    assert [bool(one) for one in made] == [True, False, True]
    assert "at the target" in made[1].reason
    sealed = batch.sealed()
    assert [symcf.check(row, root=sealed.root).failed for row in sealed if row is not None] == [None, None]
    with pytest.raises(symcf.OptionError, match="at the target"):
        sealed[1]


def test_rows_that_a_certificate_cannot_state_do_not_stop_the_others():
    rows = pandas.DataFrame({"a": [1.0, 2.0, np.nan, 4.0, 7.0, 8.0], "b": [1.0, 5.0, 2.0, 4.0, 3.0, 6.0]})
    model = make_pipeline(SimpleImputer(), DecisionTreeClassifier(random_state=0)).fit(rows, [0, 0, 0, 0, 1, 1])
    made = list(symcf.fast.explain_batch(symcf.compile(model, data=rows), rows).certificates())
    assert [bool(one) for one in made] == [True, True, False, True, True, True]
    assert "missing" in made[2].reason


def test_a_model_without_certificates_says_so_of_each_row():
    rows = pandas.DataFrame({"a": [0.5, 1.5, 2.5, 4.5], "b": [0.25, 1.0, 0.5, 1.75]})
    model = make_pipeline(FunctionTransformer(np.log1p), LogisticRegression()).fit(rows, [0, 1, 0, 1])
    c = symcf.compile(model, data=rows)
    made = list(symcf.fast.explain_batch(c, rows).certificates())
    assert not any(made)
    assert all("logarithms" in one.reason for one in made)


def test_the_time_of_one_row_does_not_stop_the_others():
    batch = symcf.fast.explain_batch(symcf.compile(admission()), ROWS)
    assert all("time limit" in one.reason for one in batch.certificates(time_limit=0))


@pytest.mark.parametrize("k", [None, 1])
def test_reasons_of_batches(k):
    batch = symcf.fast.why_batch(symcf.compile(admission()), ROWS, k=k)
    assert [bool(symcf.check(one)) for one in batch.certificates()] == [True, True, True]
    assert [one.data["row"] for one in batch[1:].certificates()] == ROWS[1:]
    sealed = batch.sealed()
    assert symcf.check(sealed[2], root=sealed.root)


def test_reasons_of_batches_state_the_row_as_it_was_given():
    rows = pandas.DataFrame({"a": [1.25, 2.0, 7.5, 8.0], "b": [1.0, 5.0, 3.0, 6.0]})
    c = symcf.compile(DecisionTreeClassifier(random_state=0).fit(rows, [0, 0, 1, 1]), data=rows)
    made = list(symcf.fast.why_batch(c, rows).certificates())
    assert [one.data["row"] for one in made] == rows.to_numpy().tolist()
    assert all(symcf.check(one, c, row=row) for one, (_, row) in zip(made, rows.iterrows(), strict=True))
