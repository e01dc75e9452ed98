"""Columns of integers: no answer moves a row into a range that holds no whole number.

The oracle asks the estimator's own predict about every row of integers.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
import reference
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast
from symcf.data.regions import Region
from symcf.data.types import ColumnType

#: The numbers that the columns have; trees cut within them, so the ends stand for what lies beyond.
NUMBERS = range(7)


def trained(seed, forest):
    rng = np.random.default_rng(seed)
    rows = pd.DataFrame(rng.choice([0, 1, 2, 3, 5, 6], size=(60, 3)), columns=["a", "b", "c"])
    # equal rows have equal labels, so full trees have pure leaves, and votes are exact
    labels = np.where(rows["a"] * rows["b"] + 3 * rows["c"] > 14, "high", "low")
    return forest.set_params(random_state=seed).fit(rows, labels), rows


def brute_force(estimator, row):
    """All minimal sets of columns of which other integers flip the decision, by the reference."""
    rows = list(itertools.product(NUMBERS, repeat=3))
    known = dict(zip(rows, estimator.predict(pd.DataFrame(rows, columns=["a", "b", "c"])), strict=True))
    return reference.Question(reference.codes([len(NUMBERS)] * 3), known.__getitem__, row).change_sets()


FORESTS = [ExtraTreesClassifier(4), RandomForestClassifier(4)]


@pytest.mark.parametrize("forest", FORESTS, ids=lambda f: type(f).__name__)
def test_change_sets_of_integers_equal_brute_force(forest):
    barren = 0
    for seed in range(3):
        estimator, rows = trained(seed, forest)
        c = symcf.compile(estimator)
        whole = ColumnType.of(np.dtype(np.int64))
        barren += sum(map(len, (c.encoder.barren(j, whole) for j in range(3))))
        batch = symcf.fast.explain_batch(c, rows.iloc[:12])
        for i in range(12):
            e = c.explain(rows.iloc[[i]])
            assert sorted(e.sets) == sorted(brute_force(estimator, rows.iloc[i].tolist()))
            assert sorted(batch.sets(i)) == sorted(batch[i].sets) == sorted(e.sets)
            for cf in e:
                assert (cf.row.dtypes == rows.dtypes).all()
                assert estimator.predict(cf.row)[0] != estimator.predict(rows.iloc[[i]])[0]
    assert barren


def test_any_integer_type_counts_and_floats_do_not():
    tree, columns = between()
    c = symcf.compile(tree)
    frame = pd.DataFrame([[3, 0]], columns=columns)
    typed = [
        frame,
        frame.astype("int8"),
        frame.astype("Int64"),
        frame.iloc[0],
        frame.to_numpy()[0],
        frame.astype("u2").iloc[0],
    ]
    typed += [{"a": np.int32(3), "b": np.int32(0)}, arrow(frame)]
    typed += [[3, 0], (3, 0), {"a": 3, "b": 0}, pd.Series({"a": 3, "b": 0}, dtype=object)]
    for row in typed:
        e = c.explain(row)
        assert e.sets == []
        assert [str(constraint) for constraint in e.blocking] == ["a must be a whole number"]
        assert c.why(row).sets == [()]
        assert symcf.verify(c, row, e)
        assert symcf.check(e.certificate())
    for row in (frame.astype(float), frame.astype(float).iloc[0], [3.0, 0.0], {"a": 3.0, "b": 0}):
        assert c.explain(row).sets == [(0,)]
    for rows in (
        frame,
        frame.to_numpy(),
        [frame.to_numpy()[0]],
        {"a": np.array([3]), "b": np.array([0])},
        arrow(frame),
        [[3, 0]],
        [{"a": 3, "b": 0}],
    ):
        assert symcf.fast.explain_batch(c, rows).sets(0) == []
        assert symcf.fast.why_batch(c, rows)[0].sets == [()]
    for rows in (frame.astype(float), [[3.0, 0.0]], [[3, 0], [3.5, 0]], [{"a": 3.0, "b": 0}]):
        assert symcf.fast.explain_batch(c, rows).sets(0) == [(0,)]


def test_a_range_that_is_allowed_has_to_hold_a_whole_number():
    tree = DecisionTreeClassifier().fit([[3.0], [3.4]], [0, 1])  # cut at 3.2
    c = symcf.compile(symcf.from_model(tree, feature_names=["a"]))
    row = np.array([3])
    assert c.explain(row, allowed={"a": [0, 4]}).sets == [(0,)]
    assert c.explain(row, allowed={"a": [0, 3.9]}).sets == []
    assert c.explain([3.0], allowed={"a": [0, 3.9]}).sets == [(0,)]


def test_regions_with_and_without_whole_numbers():
    for region in (Region(3.2, 3.7), Region(3.0, 3.0, (3.0,)), Region(3.5, 5.5, (4.0, 5.0)), Region(4, 3)):
        assert not region.has_whole
    for region in (Region(3.2, 4.0), Region(-0.5, 0.5), Region(3.5, 5.5, (4.0, 4.5)), Region(-math.inf, 3.2)):
        assert region.has_whole


def between():
    """A tree that decides otherwise between 3.2 and 3.7."""
    rows = pd.DataFrame({"a": [3.0, 3.15, 3.25, 3.65, 3.75, 4.0], "b": [0, 1, 0, 1, 0, 1]})
    return DecisionTreeClassifier().fit(rows, ["no", "no", "yes", "yes", "no", "no"]), list(rows)


def arrow(frame):
    pa = pytest.importorskip("pyarrow")
    return pa.Table.from_pandas(frame, preserve_index=False)
