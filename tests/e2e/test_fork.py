"""A process that is forked while other threads are at work: the child can do everything, whatever they hold."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest

import symcf
from symcf.common import cache
from symcf.common.cache import Cache
from symcf.search.change_sets import ChangeSets

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]

#: Seconds after which a child hangs; it needs milliseconds.
HANGS = 200.0


def classifier(n=6):
    rng = np.random.default_rng(n)
    return symcf.compile(symcf.NaiveBayes.binary(prior=0.4, p1=rng.random(n), p0=rng.random(n)))


def ends_in_a_child(call):
    """Does the call return in a forked child?"""
    child = os.fork()
    if child == 0:
        try:
            call()
            os._exit(0)
        except BaseException:
            os._exit(1)
    end = time.monotonic() + HANGS
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def ends_while_busy(begin, call):
    """The same while a thread is in the middle of ``begin(wait)``, that is, in ``wait``."""
    inside, leave = threading.Event(), threading.Event()

    def wait(*_args):
        inside.set()
        leave.wait(2 * HANGS)

    thread = threading.Thread(target=begin, args=[wait])
    thread.start()
    try:
        assert inside.wait(HANGS)
        return ends_in_a_child(call)
    finally:
        leave.set()
        thread.join()


def test_an_attribute_that_another_thread_computes(monkeypatch):
    """On Python 3.11 functools.cached_property has one lock for all objects of a class."""
    one, other = classifier(5), classifier(6)

    def begin(wait):
        monkeypatch.setattr(one, "probabilities", wait)
        _ = one.has_probabilities

    assert ends_while_busy(begin, lambda: other.has_probabilities)


def test_no_attribute_has_the_lock_of_functools():
    """The checker is apart: it runs alone, on the standard library."""
    package = Path(symcf.__file__).parent
    files = [path for path in package.rglob("*.py") if "checker" not in path.parts and path.stem != "lazy"]
    guilty = [path.name for path in files if "from functools import cached_property" in path.read_text()]
    assert files
    assert guilty == []


def test_a_diagram_that_another_thread_builds(monkeypatch):
    c = classifier()
    build = c._build_diagram

    def begin(wait):
        monkeypatch.setattr(c, "_build_diagram", lambda k, budget: wait() or build(k, budget))
        _ = c.diagram

    def in_child():
        c._build_diagram = build
        assert c.diagram.size > 2

    assert ends_while_busy(begin, in_child)


def test_a_twin_that_another_thread_changes():
    c = classifier()
    size = c.diagram.with_bdd(lambda bdd: bdd.size)

    def in_child():
        assert c.diagram.with_bdd(lambda bdd: bdd.size) == size
        assert len(c.cnf("prime").literals) > 0

    assert ends_while_busy(lambda wait: c.diagram.with_bdd(wait), in_child)


def test_a_result_that_another_thread_makes_for_a_cache():
    cache = Cache[int](2)
    assert ends_while_busy(lambda wait: cache.get("a", wait), lambda: cache.get("b", lambda: 2))


def test_sets_that_another_thread_sorts():
    waits = []

    def make():
        if waits and threading.current_thread() is not threading.main_thread():
            waits[0]()
        return np.array([0]), np.array([1]), 0

    sets = ChangeSets.when_looked_at(1, make)
    assert ends_while_busy(lambda wait: waits.append(wait) or list(sets), lambda: list(sets))


def test_a_solver_whose_thread_stays_with_the_parent():
    c = classifier()
    first = c.explain([0] * 6, engine="sat-portable").sets
    assert ends_in_a_child(lambda: c.explain([0] * 6, engine="sat-portable").sets == first or os._exit(1))


def test_busy_threads():
    """Threads that compile and explain all the time, and forks in between."""
    models = [classifier(n).model for n in range(4, 12)]
    for model in models:  # imports everything: a fork within an import is Python's affair
        c = symcf.compile(model)
        str(c.explain([0] * c.n_features)), str(c.why([1] * c.n_features))
    stop = threading.Event()

    def work():
        while not stop.is_set():
            for model in models:
                c = symcf.compile(model)
                str(c.explain([0] * c.n_features)), str(c.why([1] * c.n_features))

    def ask():
        c = symcf.compile(models[-1])
        str(c.explain([0] * c.n_features)), str(c.why([1] * c.n_features)), c.diagram

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        assert all(ends_in_a_child(ask) for _ in range(30))
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_locks_are_forgotten_without_a_callback():
    """A KeyboardInterrupt that arrives in the callback of a weak reference is lost: Ctrl-C did not end `sample`."""
    before = len(cache._locks)
    for make in (cache.new_lock, cache.new_reentrant_lock):
        lock = make()
        assert [known.__callback__ for known in weakref.getweakrefs(lock)] == [None]
        for _ in range(20 * cache.FEW):
            make()
    assert len(cache._locks) <= 2 * before + 2 * cache.FEW


def test_locks_are_made_while_others_are_forgotten():
    """Other threads may run while the list is looked through; here the garbage collector makes the locks."""
    made = []

    def make(phase, info):
        made.append(cache.new_lock())

    threshold = gc.get_threshold()
    gc.callbacks.append(make)
    gc.set_threshold(10)
    try:
        made += [cache.new_lock() for _ in range(4 * cache.FEW)]
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(make)
