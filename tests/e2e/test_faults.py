"""When memory or threads end: an error that says so, no crash, no leak, and the classifier works afterwards."""

from __future__ import annotations

import subprocess
import sys
import threading

import faults
import pytest

import symcf
import symcf.fast

needs_library = pytest.mark.skipif(not faults.LIBRARY.exists(), reason="needs libfaults.so, which `make test-c` builds")


@needs_library
@pytest.mark.parametrize(
    "only", ["diagram, sift", "cnf, sifted", "explain, sat", "explain, diagram", "2 threads", "dddmp"]
)
def test_every_allocation_may_fail(only):
    """A short round; `make faults` is the long one."""
    outcome = faults.run(40, seed=3, only=only)
    assert outcome.findings == []
    assert outcome.faults == 40


# How far the address space may grow, in KiB: nothing; less than a thread's stack; just enough for the stack, where a
# thread starts and dies (Python waited for ever) or the C library ended the process; more.
SCARCE = """
import os, resource, sys
import pysat.card, pysat.examples.rc2, pysat.solvers
import symcf, symcf.fast
engine, jobs = sys.argv[1], int(sys.argv[2])
for extra in map(int, sys.argv[3:]):  # each in a child, which has taken no memory yet
    if (child := os.fork()) == 0:
        break
    assert os.waitpid(child, 0)[1] == 0, extra
else:
    os._exit(0)
c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20]))
c.diagram
rows = [[1, 0, 1, 0], [0, 0, 1, 0]] * 50

def ask():
    if jobs:
        return symcf.fast.explain_batch(c, rows, engine=engine, n_jobs=jobs, max_memory=1 << 20).n_sets
    return c.explain(rows[0], engine=engine).sets + c.explain(rows[0], engine=engine, k=1).sets

with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (extra << 10), -1))
try:
    first = ask()
except (MemoryError, symcf.LimitError):
    first = None
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
right = ask()
assert first in (None, right), first
print(right)
"""
EXTRA = (0, 4096, 8192, 8224, 8400, 17000, 70_000)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(("engine", "jobs"), [("sat-portable", 0), ("sat", 0), ("diagram", 4)])
def test_scarce_addresses_are_an_error_and_no_crash(engine, jobs):
    command = [sys.executable, "-c", SCARCE, engine, str(jobs), *map(str, EXTRA)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    expected = "200\n" if jobs else "[(1,), (3,), (1,)]\n"
    assert (run.stdout, run.stderr, run.returncode) == (expected * len(EXTRA), "", 0)


@pytest.fixture
def few_threads(monkeypatch):
    """Call it with the number of threads that the system will start from now on."""
    start = threading.Thread.start

    def allow(number):
        left = [number]

        def limited(thread):
            if not left[0]:
                raise RuntimeError("can't start new thread")
            left[0] -= 1
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", limited)

    return allow


@pytest.mark.parametrize("progress", [None, lambda *_: None])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_batch_goes_on_with_the_threads_that_there_are(admission, few_threads, number, progress):
    c = symcf.compile(symcf.NaiveBayes.binary(admission.prior, admission.p1, admission.p0))
    rows = [[i >> j & 1 for j in range(4)] for i in range(16)] * 20
    right = [e.sets for e in symcf.fast.explain_batch(c, rows)]
    few_threads(number)
    assert [e.sets for e in symcf.fast.explain_batch(c, rows, n_jobs=4, progress=progress)] == right


@pytest.mark.parametrize("options", [{}, {"k": 1}])
def test_a_solver_without_a_thread_says_what_is_missing(admission, few_threads, monkeypatch, options):
    c = symcf.compile(symcf.NaiveBayes.binary(admission.prior, admission.p1, admission.p0))
    with monkeypatch.context():
        few_threads(0)
        with pytest.raises(symcf.LimitError, match="its own thread"):
            c.explain([1, 0, 1, 0], engine="sat-portable", **options)
    monkeypatch.undo()
    assert c.explain([1, 0, 1, 0], engine="sat-portable", **options).sets == [(1,), (3,)][: options.get("k")]
