"""Numbers that are given as options: what is huge limits nothing, what makes no sense is named, at every door."""

import math

import numpy as np
import pytest

import symcf
from symcf.common import options
from symcf.fast import explain_batch

X = [1, 0, 1, 0]
HUGE = [2**63 - 1, 2**63, 2**64, 10**400]
MODEL = symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20])


def batch(**given):
    return [e.sets for e in explain_batch(symcf.compile(MODEL), [X], **given)]


#: Every public call that takes a count or seconds, as a function of one option.
COUNTS = {
    "compile max_nodes": lambda v: symcf.compile(MODEL, max_nodes=v).diagram.size,
    "compile max_memory": lambda v: symcf.compile(MODEL, max_memory=v).diagram.size,
    **{
        f"explain {option} {engine}": lambda v, o=option, e=engine: (
            symcf.compile(MODEL).explain(X, engine=e, **{o: v}).sets
        )
        for option in ("k", "max_results", "max_changes")
        for engine in ("cover", "diagram", "sat", "sat-portable")
    },
    **{
        f"batch {o}": lambda v, o=o: batch(**{o: v})
        for o in ("k", "max_results", "max_changes", "max_memory", "n_jobs")
    },
    "batch by sat": lambda v: batch(engine="sat", k=v, max_results=v),
    "iterate": lambda v: sorted(cf.features for cf in symcf.compile(MODEL).iter_counterfactuals(X, max_results=v)),
    "count": lambda v: symcf.compile(MODEL).count(X, max_changes=v),
    "count_bounds": lambda v: symcf.compile(MODEL).count_bounds(X, max_changes=v),
    "cnf max_clauses": lambda v: symcf.compile(MODEL).cnf(max_clauses=v).n_clauses,
    "cnf max_in": lambda v: symcf.compile(MODEL).cnf("aux-cut", max_in=v).n_clauses,
    "cnf max_length": lambda v: symcf.compile(MODEL).cnf("aux-cut", max_length=v).n_clauses,
    "cnf_chunks": lambda v: [len(chunk) for chunk in symcf.compile(MODEL).cnf_chunks(chunk_size=v)],
}

SECONDS = {
    "compile": lambda v: symcf.compile(MODEL, time_limit=v).diagram.size,
    **{
        f"explain {engine}": lambda v, e=engine: symcf.compile(MODEL).explain(X, engine=e, time_limit=v).sets
        for engine in ("cover", "diagram", "sat", "sat-portable")
    },
    "batch": lambda v: batch(time_limit=v),
    "batch by sat": lambda v: batch(time_limit=v, engine="sat"),
    "iterate": lambda v: len(list(symcf.compile(MODEL).iter_counterfactuals(X, time_limit=v))),
    "count": lambda v: symcf.compile(MODEL).count(X, time_limit=v),
    "count_bounds": lambda v: symcf.compile(MODEL).count_bounds(X, time_limit=v),
}


@pytest.mark.parametrize("door", COUNTS)
def test_a_huge_count_is_as_good_as_none(door):
    fair = COUNTS[door](2**20)
    for value in [*HUGE, np.uint64(2**64 - 1)]:
        assert COUNTS[door](value) == fair


@pytest.mark.parametrize("door", COUNTS)
def test_a_count_that_is_none_is_named(door):
    for value in (-2, -(10**400), True, 1.5, math.nan, math.inf, "3", [3]):
        if door == "batch max_changes" and isinstance(value, list):
            continue  # one entry for each row
        with pytest.raises(symcf.OptionError, match=r"must be (an integer of at least|a positive number of threads)"):
            COUNTS[door](value)


@pytest.mark.parametrize("door", SECONDS)
def test_any_time_is_as_good_as_none(door):
    fair = SECONDS[door](None)
    for value in [*HUGE, math.inf, 1e308, np.float32(math.inf), np.int64(2**63 - 1)]:
        assert SECONDS[door](value) == fair


@pytest.mark.parametrize("door", SECONDS)
def test_a_time_that_is_none_is_named(door):
    for value in (-1, -(10**400), -math.inf, math.nan, True, "3", 1j, np.complex128(1), [3]):
        with pytest.raises(symcf.OptionError, match="time_limit must be a number of seconds, 0 or more, not"):
            SECONDS[door](value)


def test_a_classifier_without_a_limit_in_practice_is_saved(tmp_path):
    c = symcf.compile(MODEL, max_nodes=10**400, max_memory=2**64, time_limit=math.inf)
    c.save(tmp_path / "c.symcf")
    assert symcf.load(tmp_path / "c.symcf").limits == c.limits


def test_nobody_draws_more_than_memory_holds():
    c = symcf.compile(MODEL)
    for size in (10**9, *HUGE):
        with pytest.raises(symcf.OptionError, match=r"size is .*: draw at most 100,000,000 per call"):
            c.sample(X, size)
    assert len(c.sample(X, np.int8(3), random_state=0)) == 3
    for seed in (-1, "a", 1.5):
        for draw in (c.sample, c.sample_why):
            with pytest.raises(symcf.OptionError, match="random_state must be an integer of at least 0"):
                draw(X, 2, random_state=seed)


def test_what_is_taken_for_no_limit():
    assert options.checked_count(options.MOST + 1, "k", least=1) == options.MOST
    assert options.checked_count(5, "k", least=1, most=3) == 3
    assert options.checked_count(None, "k", least=1) is None
    assert options.checked_seconds(10**400) == options.MOST_SECONDS
    assert options.checked_seconds(0.25) == 0.25
