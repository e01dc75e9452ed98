"""The fewest facts with which a share of rows is decided alike: ``why(x, precision=)``. More:
``python tests/drivers/precise_random.py``.
"""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import precise_random
import pytest
from command_line import here

import symcf
from symcf.demo import admission


@pytest.mark.parametrize("seed", range(24))
def test_the_sets_are_those_of_brute_force(seed):
    tally = Counter()
    precise_random.check(seed, tally)
    assert tally["questions"] == 4


@pytest.fixture
def compiled():
    return symcf.compile(admission())


def test_rows_are_counted_exactly_where_there_are_many():
    """2^70 rows: of those with a = 1, all but those with all others 0 are decided alike."""
    c = symcf.compile(symcf.LinearClassifier([100] + [1] * 69, -100))
    (found,) = c.why([1] * 70, precision=1 - 1e-9)
    assert found.features == (0,)
    assert (found.alike, found.rows) == (2**69 - 1, 2**69)
    assert Fraction(found.alike, found.rows) != 1
    assert "99.99%" in str(found)


def test_more_facts_may_lower_the_share():
    """x and y alone decide alike in 3 of 4 rows, together in 1 of 2: no rule about subsets holds."""
    c = symcf.compile(symcf.from_function(lambda row: int(row[0] + row[1] != 2 or row[2]), 3, features=["x", "y", "z"]))
    assert c.why([1, 1, 1], precision=0.8).sets == [()]
    assert c.why([1, 1, 1], precision=0.9).sets == [(2,)]


def test_constraints_exclude_rows(compiled):
    every = [row for row in np.ndindex(2, 2, 2, 2) if not (row[0] and row[2])]
    found = compiled.why([0, 0, 1, 0], precision=0.9, constraints=["`entrance exam` = 1 -> GPA = 0"])
    assert found.rows == len(every)
    labels = dict(zip(every, compiled.predict(every).tolist(), strict=True))
    for reason in found:
        same = [row for row in every if all(row[j] == [0, 0, 1, 0][j] for j in reason.features)]
        assert reason.rows == len(same)
        assert reason.alike == sum(labels[row] == "rejected" for row in same) >= 0.9 * len(same)


def test_time_limits_leave_a_set_and_a_bound():
    c = symcf.compile(symcf.LinearClassifier(list(range(1, 41)), -400))
    data = np.random.default_rng(0).integers(0, 2, (3000, 40))
    found = c.why(data[0], precision=1, data=data, time_limit=0.05)
    assert found.status in ("time_limit", "complete")
    assert found.at_least >= 0
    for reason in found:
        same = data[(data[:, reason.features] == data[0][list(reason.features)]).all(axis=1)]
        assert len(same) == reason.rows
    if not found.complete:
        assert "time_limit" in str(found)


def test_forms(compiled):
    found = compiled.why([0, 0, 1, 0], precision=0.85)
    assert json.loads(json.dumps(found.to_dict()))["reasons"][0] == {
        "features": [1],
        "conditions": [{"feature": 1, "name": "work experience", "value": 0}],
        "precision": 0.875,
        "alike": 7,
        "rows": 8,
    }
    assert found.to_pandas()[["feature", "precision", "rows"]].to_numpy().tolist() == [["work experience", 0.875, 8]]
    assert len(compiled.why([0, 0, 1, 0], precision=0.5, k=1)) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"precision": 1.5},
        {"precision": "much"},
        {"precision": 0.9, "general": True},
        {"precision": 0.9, "cost": [1, 2, 3, 4]},
        {"precision": 0.9, "max_changes": 2},
        {"precision": 0.9, "data": [[0, 0, 1, 0]], "allowed": {"GPA": [1]}},
        {"precision": 0.9, "engine": "sat"},
    ],
)
def test_what_is_not_accepted(compiled, options):
    with pytest.raises(symcf.OptionError):
        compiled.why([0, 0, 1, 0], **options)


def test_columns_of_numbers_without_a_grid_need_data():
    c = symcf.compile(symcf.AdditiveClassifier([symcf.NumberTerm(1, range=(0, 10))], -5))
    with pytest.raises(symcf.OptionError, match="precision"):
        c.why([3.5], precision=0.9)
    assert c.why([3.5], precision=0.9, data=[[3.5], [3.5], [9.0]]).sets == [(0,)]


def test_command_line(compiled, tmp_path):
    model, rows = tmp_path / "m.symcf", tmp_path / "rows.csv"
    compiled.save(model)
    rows.write_text("entrance exam,work experience,GPA,first application\n0,0,1,0\n1,1,1,1\n")
    done = here("why", model, rows, "--precision", "0.85", "--format", "csv")
    assert done.returncode == 0
    assert b"1,rejected,complete,1,work experience,0,0.875,7,8" in done.stdout
    done = here("why", model, rows, "--row", "1", "--precision", "0.85", "--precision-data", rows, "--format", "json")
    assert json.loads(done.stdout)[0]["counted"] == "data"
    assert here("why", model, rows, "--precision", "0.85", "--general").returncode == 2
    assert here("why", model, rows, "--precision-data", rows).returncode == 2
