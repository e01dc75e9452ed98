"""Batches that are watched, interrupted or limited: progress, Ctrl-C, time, memory."""

import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from batches import ENGINES, mostly_zeros, random_classifier, random_rows
from interrupts import interrupted

import symcf
from symcf.batch import STATUS
from symcf.common.clock import Clock
from symcf.demo import admission
from symcf.fast import explain_batch
from symcf.question.case import asked_case
from symcf.search.cover import RelatedCover
from symcf.search.plan import plan
from symcf.search.protocol import Options


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def c():
    return symcf.compile(admission())


@pytest.fixture(scope="module")
def slow():
    """A classifier and rows that take some seconds and give a small result."""
    return random_classifier(300), random_rows(40_000, 300)


@pytest.fixture(scope="module")
def huge():
    """A row has more change sets than fit any memory; the diagram is small."""
    strengths = np.random.default_rng(1).choice([0.6, 0.7], 60)
    return symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=strengths, p0=1 - strengths)), mostly_zeros(200)


# --- progress ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_told(engine, n_jobs):
    c, rows = random_classifier(10), random_rows(300, 10)
    told = []
    batch = explain_batch(c, rows, engine=engine, n_jobs=n_jobs, progress=lambda *now: told.append(now))
    assert batch == explain_batch(c, rows)
    assert {total for _, total in told} == {300}
    done = [now for now, _ in told]
    assert done == sorted(done)
    assert done[-1] == 300


def test_progress_goes_on_while_threads_work(slow):
    c, rows = slow
    told = []
    explain_batch(c, rows[:30_000], k=10, n_jobs=2, progress=lambda now, _: told.append(now))
    assert len(set(told)) > 2
    assert told == sorted(told)
    assert told[0] >= 0


def test_a_bar_can_be_shown(c, capsys):
    explain_batch(c, random_rows(300, 4), progress=True)
    assert "300/300" in capsys.readouterr().err


@pytest.mark.parametrize("progress", [None, False])
def test_no_bar_is_shown_unasked(c, capsys, progress):
    explain_batch(c, random_rows(300, 4), progress=progress)
    assert capsys.readouterr() == ("", "")


def threads_of_ours():
    return [thread.name for thread in threading.enumerate() if thread.name == "symcf"]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failing_progress_function_stops_everything(slow, n_jobs):
    c, rows = slow
    told = []

    def fail(done, total):
        told.append(done)
        raise RuntimeError("out of paper")

    with pytest.raises(RuntimeError, match="out of paper"):
        explain_batch(c, rows, k=10, n_jobs=n_jobs, progress=fail)
    assert len(told) == 1
    assert told[0] < len(rows), "most was left undone"
    assert not threads_of_ours()


def test_threads_that_cannot_be_started_are_done_without(slow, monkeypatch):
    c, rows = slow
    start = threading.Thread.start

    def start_one(thread):
        if threads_of_ours():
            raise RuntimeError("can't start new thread")
        start(thread)

    alone = explain_batch(c, rows[:200], k=10)
    monkeypatch.setattr(threading.Thread, "start", start_one)
    assert explain_batch(c, rows[:200], k=10, n_jobs=3) == alone
    assert not threads_of_ours()


SMAPS = Path("/proc/self/smaps_rollup")


def resident():
    """Bytes that the process holds, and how many of them the system may take."""
    fields = dict(line.split(":") for line in SMAPS.read_text().splitlines()[1:])
    return [int(fields[name].split()[0]) << 10 for name in ("Rss", "LazyFree")]


@pytest.mark.slow
@pytest.mark.skipif(not SMAPS.exists(), reason="only Linux tells what a process holds")
def test_memory_of_results_serves_again_and_can_be_released(huge):
    c, rows = huge
    symcf.fast.release_memory()
    before = resident()[0]
    first = explain_batch(c, rows, max_results=20_000)
    size = first.nbytes
    assert size > 64 << 20
    kept_copy = first.features[:1000].copy()
    del first
    free = resident()[1]
    assert 0.9 * size < free < size + (8 << 20)
    second = explain_batch(c, rows, max_results=20_000)
    assert (second.features[:1000] == kept_copy).all()
    assert resident()[0] - before < 1.1 * size + (16 << 20), "no new memory"
    del second
    symcf.fast.release_memory()
    assert resident()[0] - before < 0.1 * size + (16 << 20)
    assert resident()[1] < 16 << 20


# --- limits and signals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_jobs", "progress"), [(1, None), (2, None), (1, lambda *_: None)])
def test_control_c_stops_a_batch_and_leaves_the_classifier_usable(slow, n_jobs, progress):
    c, rows = slow
    interrupted(lambda: explain_batch(c, rows, k=10, n_jobs=n_jobs, progress=progress), 0.2)
    assert not threads_of_ours()
    assert explain_batch(c, rows[:3], k=1).n_sets == 3


def test_control_c_is_heard_while_this_thread_waits_for_another(huge, monkeypatch):
    """The first row keeps a thread busy for ever; this one has nothing to do but to wait for a place."""
    c, rows = huge
    start_thread = threading.Thread.start

    def start_first(thread):
        start_thread(thread)
        time.sleep(0.05)  # time to take the first row; if it is too short, this thread is interrupted at that row

    monkeypatch.setattr(threading.Thread, "start", start_first)
    rows = np.concatenate([rows[:1], np.ones((5000, 60), dtype=np.uint8)])
    rows[1:, :13] = np.arange(5000)[:, None] >> np.arange(13) & 1  # different, and of the target class
    assert c.predict(rows, codes=True).tolist() == [0] + [1] * 5000
    interrupted(lambda: explain_batch(c, rows, target=1, sort=False, n_jobs=2, max_memory=24 << 30))
    assert not threads_of_ours()


@pytest.mark.clock
@pytest.mark.parametrize("engine", ["cover", "diagram"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_time_limits_mark_rows_and_lose_none(huge, engine, n_jobs):
    c, _ = huge
    rows = mostly_zeros(20_000)
    rows[5000:] = rows[:15000]  # equal ones share their fate
    batch = explain_batch(c, rows, engine=engine, max_results=100, time_limit=0.02, n_jobs=n_jobs)
    assert len(batch) == 20_000
    status = batch.summary().status
    assert status["time_limit"] > 0
    assert set(status) <= {"time_limit", "max_results"}
    assert (batch.prediction == c.predict(rows, codes=True)).all()
    late = int(np.flatnonzero(batch.status == STATUS.index("time_limit"))[-1])
    assert batch[late].status == "time_limit"
    if "max_results" in status:
        done = int(np.flatnonzero(batch.status == STATUS.index("max_results"))[0])
        assert batch[done] == c.explain(rows[done], engine=engine, max_results=100)


def test_no_time_at_all_is_a_limit_too(c, engine):
    batch = explain_batch(c, random_rows(10_000, 4), time_limit=0, n_jobs=2, target=1, engine=engine)
    status = batch.summary().status
    assert set(status) <= {"time_limit", "at_target", "complete"}
    assert status["at_target"] == (batch.prediction == 1).sum() > 0
    assert sum(status.values()) == 10_000


def test_bad_rows_are_marked_without_time_too(c, engine):
    rows = random_rows(50, 4).astype(object)
    rows[[3, 7], [0, 1]] = -1, 2
    batch = explain_batch(c, rows, time_limit=0, engine=engine, errors="mark")
    assert np.flatnonzero(batch.status == STATUS.index("invalid")).tolist() == [3, 7]


def test_enough_time_is_enough(c):
    rows = random_rows(1000, 4)
    assert explain_batch(c, rows, time_limit=60, n_jobs=2) == explain_batch(c, rows)


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("engine", ["cover", "diagram"])
def test_a_result_too_large_says_what_to_do(huge, engine, n_jobs, sort):
    c, rows = huge
    with pytest.raises(
        symcf.LimitError, match=r"more than max_memory, 10,000,000 bytes .*max_results.*explain_batches"
    ):
        explain_batch(c, rows, engine=engine, n_jobs=n_jobs, sort=sort, max_memory=10_000_000)
    with pytest.raises(symcf.LimitError):
        explain_batch(c, rows, engine=engine, n_jobs=n_jobs, k=10**12, max_memory=100_000)
    small = explain_batch(c, rows, engine=engine, n_jobs=n_jobs, sort=sort, max_memory=10_000_000, max_results=100)
    assert small.n_sets == 100 * len(rows)


def test_a_sat_engine_keeps_to_max_memory(c, engine):
    rows = np.tile([[0, 0, 1, 0]], (100, 1))  # two sets of three features in all, 28 bytes
    assert explain_batch(c, rows, engine=engine, max_memory=2808).n_sets == 200
    with pytest.raises(symcf.LimitError, match="more than max_memory"):
        explain_batch(c, rows, engine=engine, max_memory=2700)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_engine_without_room_says_how_far_it_got(huge, n_jobs):
    c, rows = huge
    tight = symcf.compile(c.diagram, max_nodes=50)
    with pytest.raises(symcf.CompileLimitError, match="nodes limit reached") as caught:
        explain_batch(tight, rows, n_jobs=n_jobs)
    assert caught.value.limit == "nodes"
    rows = rows.copy()
    rows[0, 7] = 2
    with pytest.raises(symcf.InstanceError, match="row 0"):
        explain_batch(tight, rows, n_jobs=n_jobs)


def in_a_process_of_its_own(script):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("n_jobs", "sort"), [(1, True), (1, False), (2, True), (2, False)])
def test_the_peak_of_memory_is_bounded(n_jobs, sort):
    """At most half as much again as the result and the input."""
    out = in_a_process_of_its_own(f"""
        import numpy as np, symcf
        from symcf.fast import explain_batch

        def peak():  # ru_maxrss would count what the parent of this process took
            status = dict(line.split(":", 1) for line in open("/proc/self/status"))
            return int(status["VmHWM"].split()[0]) * 1024

        rng = np.random.default_rng(0)
        c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(25), p0=rng.random(25)))
        explain_batch(c, rng.integers(0, 2, (200, 25), dtype=np.uint8), n_jobs={n_jobs}, sort={sort})
        before = peak()
        rows = rng.integers(0, 2, (8000, 25), dtype=np.uint8)
        batch = explain_batch(c, rows, n_jobs={n_jobs}, sort={sort})
        print(peak() - before, batch.nbytes, rows.nbytes)
    """)
    taken, result, given_ = map(int, out.split())
    assert 60e6 < result < 200e6
    assert taken > result / 2, "the measurement measures"
    assert taken <= 1.5 * (result + given_)


@pytest.mark.skipif(sys.platform != "linux", reason="limits addresses as Linux does")
def test_limited_addresses_are_enough_for_small_results():
    out = in_a_process_of_its_own("""
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        import symcf
        from symcf.demo import admission
        from symcf.fast import explain_batch
        print(explain_batch(symcf.compile(admission()), [[0, 0, 1, 0]] * 1000, n_jobs=2).n_sets)
    """)
    assert out == "2000\n"


def test_a_relation_that_there_is_no_time_to_read_is_not_searched():
    """The search once went on with what it had not opened, and the process crashed."""
    c = symcf.compile(symcf.LinearClassifier(list(range(-20, 20)), -1))
    rows = np.random.default_rng(0).integers(0, 2, (100, 40))
    relation = f"at_most(3, {', '.join(c.features[::7])})"
    case = asked_case(c, c.encoder.read_one(rows[0]), {"constraints": [relation]}, "nearest")
    search = plan(case.question, Options()).search_for(case)
    assert isinstance(search, RelatedCover)
    with pytest.raises(symcf.LimitError):
        list(search.steps(case.query, None, Clock(0)))
    for seconds in (0.0, 1e-4, 1e-3, 1e-2):
        batch = explain_batch(c, rows, constraints=[relation], time_limit=seconds)
        assert {STATUS[k] for k in batch.status} <= {"complete", "time_limit"}
