"""Regions of rows for which nothing that is allowed helps. More: ``python tests/drivers/locked_out_random.py``."""

from __future__ import annotations

import json
from collections import Counter

import locked_out_random
import numpy as np
import pandas as pd
import pytest
from command_line import here
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import symcf
from symcf.common.clock import Clock
from symcf.demo import admission
from symcf.search.general import Widening


@pytest.mark.parametrize("seed", range(24))
def test_regions_are_those_of_brute_force(seed):
    tally = Counter()
    locked_out_random.check(seed, tally)
    assert tally["questions"] == 3


def test_wrong_regions_are_noticed(monkeypatch):
    """A region that is too small, and one that is too large."""
    find = symcf.Compiled.locked_out_regions
    for wrong in ({"immutable": []}, {"immutable": ["late 30d", "b", "max", "0x", "c"]}):

        def other(c, data=None, wrong=wrong, **keywords):
            known = {"immutable": [name for name in wrong["immutable"] if name in c.features]}
            return find(c, data, **{**keywords, **known, "allowed": None})

        monkeypatch.setattr(symcf.Compiled, "locked_out_regions", other)
        failures = 0
        for seed in range(12):
            try:
                locked_out_random.check(seed, Counter())
            except AssertionError:
                failures += 1
        assert failures > 3


def table(seed=0, n=160):
    rng = np.random.default_rng(seed)
    data = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "income": rng.integers(5, 60, n) * 100,
            "debt": rng.integers(0, 30, n) * 50,
            "late": rng.integers(0, 4, n).astype(np.int8),
        }
    )
    label = np.where(data.income - 2 * data.debt - 500.0 * data.late + 10 * data.age > 1500, "yes", "no")
    return data, label


@pytest.mark.parametrize("kind", ["boosted", "scaled"])
def test_estimators_agree(kind):
    """Rows of a region are given to the estimator's own predict, with everything that may change tried on a grid."""
    data, label = table()
    model = {
        "boosted": GradientBoostingClassifier(n_estimators=60, max_depth=3, random_state=0),
        "scaled": make_pipeline(StandardScaler(), LogisticRegression()),
    }[kind].fit(data, label)
    c = symcf.compile(model, data)
    found = c.locked_out_regions(data, target="yes", immutable=["age", "income", "late"])
    assert found.status == "complete"
    debts = np.unique(np.concatenate([data.debt, np.linspace(data.debt.min(), data.debt.max(), 400)]))
    locked = []
    for _, row in data.iterrows():
        tried = pd.DataFrame([row] * len(debts)).assign(debt=debts)[list(data.columns)]
        locked.append(not (model.predict(tried) == "yes").any() and model.predict(row.to_frame().T)[0] != "yes")
    assert found.is_locked.tolist() == locked
    assert any(locked)
    for region in found:
        inside = np.ones(len(data), dtype=bool)
        for condition in region.conditions:
            inside &= [value in condition.accepted for value in data[condition.name]]
        assert inside.sum() == region.rows > 0
        assert set(np.flatnonzero(inside)) <= set(np.flatnonzero(found.is_locked))
        assert "debt" not in {condition.name for condition in region.conditions}


def test_directions_and_ranges_of_numbers():
    """Income may only rise, up to 8: a row with 9 stays at 9 or nothing helps; debt is free."""
    term = [symcf.NumberTerm(1, range=(0, 10)), symcf.NumberTerm(-1, range=(0, 10))]
    c = symcf.compile(symcf.AdditiveClassifier(term, -9, features=["income", "age"]))
    rows = [[9.5, 9.0], [3.0, 9.0], [3.0, 0.0], [9.5, 2.0]]
    found = c.locked_out_regions(rows, immutable=["age"], allowed={"income": [0, 8]}, target=1)
    # income - age >= 9 needs age <= 1, and income >= 9 + age, which is beyond 8
    assert found.is_locked.tolist() == [True, True, True, True]
    assert not c.locked_out_regions(rows, immutable=["age"], target=1).is_locked[2]


def test_forms():
    c = symcf.compile(admission())
    found = c.locked_out_regions(immutable=["work experience", "entrance exam"], target="admitted")
    assert (found.rows, found.locked, len(found)) == (16, 4, 1)
    assert json.loads(json.dumps(found.to_dict()))["regions"][0]["rows"] == 4
    assert found.to_pandas()["condition"].tolist() == ["entrance exam = 0", "work experience = 0"]
    nothing = c.locked_out_regions(target="admitted")
    assert not len(nothing)
    assert nothing.locked == 0
    everything = c.locked_out_regions(target="admitted", immutable=list(c.features))
    assert everything.locked == c.count_models(of="rejected")


@pytest.mark.parametrize("data", [[[0, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]], None])
def test_time_limits_say_so(monkeypatch, data):
    """Time is up after one question to a search."""
    left, forced = [1], Widening.forced

    def limited(self, among):
        left[0] -= 1
        if left[0] < 0:
            raise symcf.LimitError("time limit reached")
        return forced(self, among)

    monkeypatch.setattr(Widening, "forced", limited)
    monkeypatch.setattr(Clock, "ended", lambda self, error: True)
    found = symcf.compile(admission()).locked_out_regions(data, target="admitted", immutable=["GPA", "work experience"])
    assert found.status == "time_limit"
    assert "time_limit" in str(found)
    assert not all(region.maximal for region in found) or found.unknown


@pytest.mark.parametrize(
    "options", [{"max_changes": 1}, {"immutable": ["nothing"]}, {"target": "neither"}, {"constraints": ["a <= old.a"]}]
)
def test_what_is_not_accepted(options):
    c = symcf.compile(symcf.DecisionTree({"feature": "a", "at_most": 0.5, "yes": {"class": 0}, "no": {"class": 1}}))
    with pytest.raises(symcf.OptionError):
        c.locked_out_regions([[0]], **options)


def test_numbers_without_data():
    c = symcf.compile(symcf.AdditiveClassifier([symcf.NumberTerm(1, range=(0, 10))], -5))
    with pytest.raises(symcf.OptionError, match="rows"):
        c.locked_out_regions()


def test_command_line(tmp_path):
    model, rows = tmp_path / "m.symcf", tmp_path / "rows.csv"
    symcf.compile(admission()).save(model)
    rows.write_text("entrance exam,work experience,GPA,first application\n0,0,1,0\n1,1,1,1\n")
    options = ("--target", "admitted", "--immutable", "work experience,entrance exam")
    done = here("locked-out", model, *options)
    assert done.returncode == 0
    assert b"4 of 16 possible rows" in done.stdout
    done = here("locked-out", model, rows, *options, "--format", "json")
    assert json.loads(done.stdout)["locked"] == 1
    assert here("locked-out", model, rows, "--target", "neither").returncode == 2
