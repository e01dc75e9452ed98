"""Intervals: against inverting the test that Wilson's interval inverts, and against all samples of the binomial."""

from __future__ import annotations

import itertools
import json
import math

import pytest

import symcf
from symcf.analysis.audit.confidence import median_of, wilson
from symcf.cli.app import run
from symcf.demo import admission

Z = 1.959963984540054


@pytest.mark.parametrize(("count", "total"), [(0, 9), (1, 10), (4, 157), (50, 100), (10, 10), (999, 1000)])
def test_wilson_is_where_the_score_test_stops_rejecting(count, total):
    low, high = wilson(count, total, 0.95)
    for end in (low, high):
        if 0 < end < 1:
            assert abs(count / total - end) == pytest.approx(Z * math.sqrt(end * (1 - end) / total))
    assert low <= count / total <= high
    assert (low == 0) == (count == 0)
    assert (high == 1) == (count == total)
    assert wilson(count, total, 0.95, more=total - count) == (low, 1.0)


def covered(total, rank):
    """How often the median lies from the rank-th smallest to the rank-th largest of so many values: rows below it are
    counted in all samples.
    """
    return sum(math.comb(total, k) for k in range(rank, total - rank + 1)) / 2**total


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_order_statistics_cover_the_median(confidence):
    for total in range(1, 60):
        counts = dict.fromkeys(range(total), 1)
        median, ends = median_of(counts, confidence)
        assert median == (total - 1) / 2
        if ends is None:
            assert covered(total, 1) < confidence
            continue
        low, high = ends
        rank = low + 1
        assert high == total - rank
        assert covered(total, rank) >= confidence
        assert covered(total, rank + 1) < confidence or rank + 1 > total - rank


def test_medians_of_repeated_values():
    for counts in itertools.product(range(3), repeat=3):
        values = [value for value, count in enumerate(counts) for _ in range(count)]
        median, _ = median_of(dict(enumerate(counts)), None)
        if values:
            n = len(values)
            assert median == (values[(n - 1) // 2] + values[n // 2]) / 2
        else:
            assert median is None
    assert median_of({1: 10**6, 2: 10**6 - 1}, 0.95) == (1.0, (1, 2))


def test_in_an_audit():
    credit = symcf.datasets.credit()
    c = symcf.compile(credit.model("scorecard"))
    a = symcf.audit(c, credit.data, target="approved", protected=["sex"], groups="sex", confidence="90%")
    assert a.confidence == 0.9
    told = {(group, figure): (value, low, high) for group, figure, value, low, high in a.interval_lines()}
    female = a.groups["female"]
    assert told["female", "at_target"] == (female.at_target / female.rows, *wilson(female.at_target, female.rows, 0.9))
    assert told["female", "locked_out"][1:] == wilson(female.locked_out, female.asked, 0.9)
    assert told["all", "biased"][1:] == wilson(len(a.biased), 600, 0.9)
    assert told["all", "median_changes"][0] == median_of(a.total.changes, 0.9)[0]
    assert "Intervals at 90% confidence, if the rows are a random sample:" in str(a)
    assert len(json.loads(a.to_json())["intervals"]) == len(a.intervals()) == len(told)
    without = symcf.audit(c, credit.data, target="approved")
    assert without.confidence is None
    assert without.interval_lines() == []


def test_rows_that_are_not_known_widen_the_interval():
    a = symcf.audit(symcf.compile(admission()), [[0, 0, 0, 0], [0, 0, 1, 0]], target="admitted", confidence=0.95)
    (low, high), *_ = [line[3:] for line in a.interval_lines() if line[1] == "locked_out"]
    assert (low, high) == wilson(0, 2, 0.95)
    a.groups["all"].undecided = 1
    assert [line[3:] for line in a.interval_lines() if line[1] == "locked_out"][-1] == wilson(0, 2, 0.95, more=1)


@pytest.mark.parametrize("wrong", [True, 0.4, 1, "100%", "many", 95])
def test_errors(wrong):
    with pytest.raises(symcf.OptionError, match="confidence must be a share between 50% and 100%"):
        symcf.audit(symcf.compile(admission()), [[0, 0, 0, 0]], confidence=wrong)


def test_the_policy_and_the_command(tmp_path, capsys):
    credit = symcf.datasets.credit()
    symcf.compile(credit.model("scorecard")).save(tmp_path / "v.symcf")
    credit.data.to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "p.json").write_text(json.dumps({"target": "approved", "audit": {"confidence": "95%"}}))
    call = ["audit", f"{tmp_path}/v.symcf", f"{tmp_path}/rows.csv", "--policy", f"{tmp_path}/p.json", "-f", "json"]
    assert run(call) == 0
    assert json.loads(capsys.readouterr().out)["confidence"] == 0.95
    assert run([*call, "--confidence", "0.8"]) == 0
    assert json.loads(capsys.readouterr().out)["confidence"] == 0.8
    for key, value in (("confidence", "2"), ("max_proxy", "3"), ("min_held", "most")):
        (tmp_path / "p.json").write_text(json.dumps({"audit": {key: value}}))
        assert run(call) == 2
        assert f"audit.{key}" in capsys.readouterr().err
