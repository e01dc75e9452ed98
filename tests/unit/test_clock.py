"""The clock, by a time that only the test moves."""

import threading
import time

import pytest

import symcf
from symcf.common.clock import NO_LIMIT, Clock


@pytest.fixture
def now(monkeypatch):
    """What time it is: a list of one number."""
    at = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: at[0])
    return at


def test_time_runs_out(now):
    clock = Clock(5)
    assert (clock.left, clock.expired) == (5.0, False)
    now[0] += 4
    assert (clock.left, clock.expired) == (1.0, False)
    now[0] += 1
    assert (clock.left, clock.expired) == (0.0, True)
    now[0] += 1000
    assert (clock.left, clock.expired) == (0.0, True), "never negative: the core would read that as no limit"


def test_no_limit(now):
    assert (NO_LIMIT.left, NO_LIMIT.expired) == (-1.0, False)
    now[0] += 1e12
    assert (NO_LIMIT.left, NO_LIMIT.expired) == (-1.0, False)
    assert Clock(0).expired


@pytest.mark.parametrize(
    ("mine", "seconds", "left"), [(5, 3, 3.0), (3, 5, 3.0), (None, 3, 3.0), (3, None, 3.0), (None, None, -1.0)]
)
def test_the_earlier_of_two(now, mine, seconds, left):
    clock = Clock(mine)
    assert clock.earlier(seconds).left == left
    assert clock.left == (-1.0 if mine is None else mine), "it stays as it is"


def test_an_earlier_clock_starts_when_it_is_made(now):
    clock = Clock(5)
    now[0] += 3
    assert clock.earlier(1).left == 1.0
    assert clock.earlier(4).left == 2.0


@pytest.mark.parametrize("lock", [threading.Lock(), threading.RLock()])
def test_a_lock_is_held_and_given_up(lock):
    def try_it():
        free.append(lock.acquire(blocking=False))
        if free[-1]:
            lock.release()

    def from_another_thread():
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()

    def fail():
        with Clock(None).holding(lock):
            from_another_thread()
            raise KeyError

    free = []
    with pytest.raises(KeyError):
        fail()
    from_another_thread()
    assert free == [False, True]


def test_a_lock_that_another_thread_holds():
    lock = threading.Lock()
    with lock, pytest.raises(symcf.LimitError, match="another thread"), Clock(0).holding(lock):
        raise AssertionError("it is not to be had")
    assert lock.acquire(blocking=False)


def test_what_it_waits_for_a_lock_is_what_is_left(now):
    waited = []

    class Busy:
        def acquire(self, timeout):
            waited.append(timeout)
            return False

    for seconds in (2.5, 1e300, None):
        with pytest.raises(symcf.LimitError), Clock(seconds).holding(Busy()):
            pass
    assert waited == [2.5, threading.TIMEOUT_MAX, -1.0]


def test_the_core_may_end_early_to_free_what_it_holds(now):
    clock, gigabyte = Clock(0.1), 1 << 30
    late = symcf.CompileLimitError("time", 0, gigabyte, 0, 9)
    assert clock.ended(late)
    assert not clock.ended(symcf.CompileLimitError("time", 0, gigabyte // 4, 0, 9))  # the classifier's limit, then
    assert not clock.ended(symcf.CompileLimitError("nodes", 0, gigabyte, 0, 9))
    assert not clock.ended(symcf.LimitError("another"))
    assert not Clock(None).ended(late)
    assert Clock(0).ended(symcf.LimitError("another"))
