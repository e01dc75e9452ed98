"""A short round of tests/drivers/fuzz.py, and whether it would notice."""

import fuzz
import pytest

import symcf


@pytest.mark.long
def test_a_short_round():
    found = fuzz.fuzz(seed=0, count=600)
    assert sum(tally.inputs for tally in found.values()) == 600
    for name, tally in found.items():
        assert tally.failures == [], name
        if name in ("cbm", "skops"):  # few are drawn: a process for each file, or always refused
            continue
        assert tally.refused > 0, name
        assert tally.lines > 0, name
    assert sum(tally.accepted for tally in found.values()) > 15


@pytest.mark.parametrize("end", ["KeyError", "signal 9"])
def test_what_goes_wrong_is_told(monkeypatch, end):
    import os
    import signal

    def wrong(text):
        if end == "KeyError":
            raise KeyError("planted")
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(symcf, "model_from_json", wrong)
    found = fuzz.fuzz(seed=0, count=20, only="json")
    assert found["json"].failures
    assert all(failure.startswith(end) for failure in found["json"].failures)


def test_coverage_sees_new_lines_once():
    seen = fuzz.Coverage()
    symcf.question.expressions.parse.cache_clear()  # what another test has parsed is not parsed again
    for data, new in [(b"x0 = 1", True), (b"x0 = 1", False), (b"x0 in {0, 1} and not (x0 > 0)", True)]:
        tally, corpus = fuzz.Tally(), []
        fuzz._one(lambda data: symcf.question.expressions.parse(data.decode()), data, seen, tally, corpus)
        assert (corpus == [data]) == new
        assert tally.accepted == 1
