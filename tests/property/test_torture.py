"""A short round of the random-API driver (tests/torture), and the driver itself: it sees, shrinks and survives."""

import contextlib
import faulthandler
import os
import signal
import subprocess
import sys
import time

import pytest
from torture import plans, run
from torture.shrink import shrink

#: Sequences of the short round; `make torture` does as many as time allows.
SHORT = 120


@pytest.mark.long
def test_a_short_round():
    outcome = run.round_of(seed=0, count=SHORT)
    assert not outcome.failures, outcome
    assert outcome.tally.sequences == SHORT
    assert outcome.tally.calls > 3 * SHORT
    assert outcome.tally.checks > 2 * outcome.tally.calls


@contextlib.contextmanager
def broken(monkeypatch, name, replacement):
    """With another function in place of one that plans use."""
    with monkeypatch.context() as patch, run.directory() as here:
        names = plans.namespace(here)
        patch.setattr(names["symcf"].Compiled, name, replacement)
        yield names


@pytest.mark.long
def test_a_wrong_answer_becomes_a_script_of_a_few_lines(monkeypatch, tmp_path):
    def forgetful(self, *args, **options):
        """Overlooks the last change set if there is a cost."""
        found = right(self, *args, **options)
        if options.get("cost") is not None:
            found.sets = found.sets[:-1]
        return found

    import symcf

    right = symcf.Compiled.explain
    with broken(monkeypatch, "explain", forgetful) as names:
        for number in range(1000):
            plan = plans.draw(1, number)
            kind = run.how_it_fails(plan, names)
            if kind == "e.sets is ":
                break
        small = shrink(plan, lambda candidate: run.how_it_fails(candidate, names) == kind)
    assert [name for name, _ in small.steps] == ["explain"]
    arguments = small.steps[0][1]
    assert "cost" in arguments
    assert not {"target", "immutable", "allowed", "engine", "select"} & set(arguments)
    script = tmp_path / "script.py"
    script.write_text(plans.script(small, "why"), encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr  # the library itself is right
    assert "cost=" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize("end", ["signal 11", "hang"])
def test_a_crash_and_a_hang_are_survived_and_told(monkeypatch, end):
    def worse(self, *args, **options):
        faulthandler.disable()  # the crash is wanted: nobody needs to see where
        os.kill(os.getpid(), signal.SIGSEGV) if end != "hang" else time.sleep(100)

    if end == "hang":
        monkeypatch.setattr(run, "HANG", 2.0)
    with broken(monkeypatch, "count", worse):
        outcome = run.round_of(seed=2, count=60, most_failures=1)
    assert [failed.what for failed in outcome.failures] == [end]


def test_every_call_is_drawn():
    from torture.calls import CALLS

    drawn = {name for number in range(300) for name, _ in plans.draw(0, number, use_sklearn=False).steps}
    assert drawn == set(CALLS)


def test_the_same_seed_is_the_same_plan():
    assert plans.script(plans.draw(3, 7), "") == plans.script(plans.draw(3, 7), "")
    assert plans.script(plans.draw(3, 7), "") != plans.script(plans.draw(4, 7), "")
