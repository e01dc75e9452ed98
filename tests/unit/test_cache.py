"""The cache keeps what was used last, makes each result once, and survives failures."""

import threading

import pytest

import symcf
from symcf.common.cache import Cache
from symcf.common.clock import Clock
from symcf.system import classifier, targets


class Maker:
    """Makes a result for each key, and remembers for which."""

    def __init__(self, size: int) -> None:
        self.cache = Cache[str](size)
        self.made: list[str] = []

    def get(self, key: str) -> str:
        def make() -> str:
            self.made.append(key)
            return key.upper()

        return self.cache.get(key, make)


def test_what_is_kept_is_not_made_again():
    maker = Maker(2)
    assert [maker.get(key) for key in "aabab"] == list("AABAB")
    assert maker.made == list("ab")


def test_what_was_used_longest_ago_goes_first():
    maker = Maker(2)
    for key in "abac":  # b goes
        maker.get(key)
    assert len(maker.cache) == 2
    maker.made.clear()
    assert [maker.get(key) for key in "acb"] == list("ACB")
    assert maker.made == ["b"]


def test_none_is_a_result():
    cache = Cache[None](1)
    made = []
    for _ in range(2):
        assert cache.get("key", lambda: made.append(1)) is None
    assert made == [1]


def test_a_failure_leaves_everything_as_it_was():
    maker = Maker(1)
    maker.get("a")

    def fail() -> str:
        raise RuntimeError("out of paper")

    with pytest.raises(RuntimeError, match="paper"):
        maker.cache.get("b", fail)
    assert maker.get("a") == "A"
    assert maker.get("b") == "B", "the lock was given up, and the failure is not kept"
    assert maker.made == ["a", "b"]


def test_making_one_may_ask_for_another():
    maker = Maker(2)
    assert maker.cache.get("outer", lambda: maker.get("inner") + "!") == "INNER!"
    assert len(maker.cache) == 2


def test_threads_share_what_one_of_them_makes():
    cache, made = Cache[int](1), []
    begun, go_on = threading.Event(), threading.Event()

    def make() -> int:
        made.append(1)
        begun.set()
        assert go_on.wait(60)
        return 7

    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(cache.get("key", make))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(60)
    with pytest.raises(symcf.LimitError, match="another thread"):
        cache.get("key", make, Clock(0))
    go_on.set()
    for thread in threads:
        thread.join()
    assert (found, made) == ([7, 7, 7], [1])


def test_a_classifier_keeps_few_engines_however_many_constraints_it_is_asked_with():
    """One engine per distinct constraint stayed alive before: 150 of them took 356 MB."""
    c = symcf.compile(symcf.NaiveBayes.binary(0.5, [0.6, 0.7, 0.8, 0.3, 0.2, 0.4], [0.4, 0.3, 0.2, 0.6, 0.9, 0.5]))
    for a in range(6):
        for b in range(6):
            for value in (0, 1):
                if a != b:
                    c.explain([0, 1, 0, 1, 0, 1], engine="diagram", constraints=[f"x{a} = {value} -> x{b} = 1"])
    assert len(c.kept) == classifier.KEPT_ENGINES
    assert len(c.targets._restricted) == targets.KEPT
