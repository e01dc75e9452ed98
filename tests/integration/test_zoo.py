"""A third of the zoo, a few rows each; bench/zoo.py has all of it, and many rows."""

from __future__ import annotations

import numpy as np
import pytest
from zoo_models import around, disagreements, fed_back, nearer, refusals, specimens, table

import symcf
import symcf.fast
from symcf.models.additive import AdditiveClassifier

THIRD = [s for i, s in enumerate(specimens()) if i % 3 == 0 or s.data == "mixed"]


@pytest.mark.long
@pytest.mark.parametrize("specimen", THIRD, ids=lambda s: s.title)
def test_a_specimen(specimen):
    """The same decisions on all rows and others, and every suggested row is decided otherwise by the original."""
    rows, classes = table(specimen.data)
    estimator = specimen.fitted()
    c = symcf.compile(estimator, data=rows)
    assert sorted(set(c.classes)) == sorted(set(np.unique(classes).tolist()))
    for part in (rows, around(specimen.data, 300)):
        wrong, _ = disagreements(estimator, c.predict(part), part)
        assert wrong == 0
    some = rows.iloc[:: len(rows) // 6]
    suggested = symcf.fast.explain_batch(c, some, k=3, max_changes=4).to_frame(k=3)
    assert list(suggested.columns) == list(rows.columns)
    found = fed_back(estimator, some, suggested, rows if isinstance(c.model, AdditiveClassifier) else None)
    assert found.rows > 0
    assert found.unmoved == found.too_far == 0


@pytest.mark.parametrize("specimen", refusals(), ids=lambda s: s.name)
def test_a_refusal(specimen):
    """Named, with what to do instead."""
    rows, _ = table(specimen.data)
    with pytest.raises(symcf.ModelError, match=r"(?s)not supported|averages") as caught:
        symcf.from_model(specimen.fitted(), data=rows)
    assert "symcf.compile(symcf.from_predict(estimator, X))" in str(caught.value)
    assert "data=" not in str(caught.value)  # which was given


def test_nearer_numbers():
    rng = np.random.default_rng(0)
    assert nearer(3.0, 5.0, rng) == [4.0, 2.0]
    assert nearer(1.5, 1.2, rng) == [1.6, 1.4, 1.7, 1.3]
    assert nearer(0.3, 0.2, rng) == []
