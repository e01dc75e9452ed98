"""Change sets in arrays: they are a list to whoever looks, and their order is the one true one. No test looks at time:
clocks are counted.
"""

import pickle
import random
import threading

import numpy as np
import pytest

import symcf
from symcf import _core
from symcf.common.clock import Clock
from symcf.search.change_sets import CHUNK, ChangeSets, Ordering

TUPLES = [(1,), (), (0, 2), (3, 4, 70000), (2,)]


class CountedClock:
    """A clock whose time is up after so many looks."""

    def __init__(self, looks):
        self.looks = looks

    @property
    def left(self):
        self.looks -= 1
        return 1e9 if self.looks >= 0 else 0.0

    @property
    def expired(self):
        return self.left == 0.0


def random_sets(count, n=12, seed=0):
    draw = random.Random(seed)
    return [tuple(sorted(draw.sample(range(n), draw.randrange(n + 1)))) for _ in range(count)]


def in_order(sets, cost):
    return sorted(sets, key=lambda s: (cost(s), len(s), s))


# --- a list


@pytest.mark.parametrize("tuples", [[], [()], TUPLES, random_sets(2 * CHUNK + 5)])
def test_they_are_the_list_of_their_tuples(tuples):
    sets = ChangeSets.of(tuples)
    assert sets == tuples
    assert tuples == sets
    assert list(sets) == tuples
    assert len(sets) == len(tuples)
    assert (sets != [*tuples, (9,)] and sets != [(9, 10)] * len(tuples)) or not tuples
    assert repr(sets) == repr(tuples)
    assert [sets[i] for i in range(len(tuples))] == tuples
    assert sets[1:4] == tuples[1:4]
    assert sets[::-1] == tuples[::-1]
    assert sets[-3:] == tuples[-3:]
    assert sets + [(1,)] == [*tuples, (1,)]  # noqa: RUF005 - the operators are tested
    assert [(1,)] + sets == [(1,), *tuples]  # noqa: RUF005
    assert bool(sets) is bool(tuples)
    assert sets.sizes.tolist() == [len(s) for s in tuples]
    assert sets.features.tolist() == [j for s in tuples for j in s]


def test_they_equal_other_change_sets_and_nothing_else():
    assert ChangeSets.of(TUPLES) == ChangeSets.of(TUPLES)
    assert ChangeSets.of([(0, 1), (2,)]) != ChangeSets.of([(0,), (1, 2)])  # the same features, cut elsewhere
    assert ChangeSets.of([]) != ()
    assert ChangeSets.of([]) != "[]"
    with pytest.raises(TypeError):
        hash(ChangeSets.of(TUPLES))


def test_indices_end_where_the_list_does():
    sets = ChangeSets.of(TUPLES)
    assert (sets[-1], sets[-5]) == (TUPLES[-1], TUPLES[0])
    for index in (5, -6):
        with pytest.raises(IndexError):
            sets[index]


def test_a_part_of_columns_is_read_where_it_lies():
    features, offsets = np.array([9, 1, 2, 0, 5], dtype=np.int32), np.array([0, 1, 3, 3, 5])
    part = ChangeSets(features, offsets[2:], int(offsets[1]))
    assert part == [(1, 2), (), (0, 5)]
    assert part.features.tolist() == [1, 2, 0, 5]
    assert part.sizes.tolist() == [2, 0, 2]
    assert np.shares_memory(part.features, features)
    copy = pickle.loads(pickle.dumps(part))
    assert copy == part
    assert len(pickle.dumps(part)) < 1000


def test_sets_that_are_looked_at_do_not_change_any_more():
    core = _core.Sets.from_list(TUPLES)
    ChangeSets.of(core)
    for change in (core.sort, lambda: core.append(core), lambda: core.sort_priced(np.zeros(5, dtype=np.int64))):
        with pytest.raises(ValueError, match="in use"):
            change()


def test_what_is_made_when_looked_at_is_made_once():
    calls = []

    def make():
        calls.append(threading.get_ident())
        core = _core.Sets.from_list(TUPLES)
        return core.features, core.end, 0

    sets = ChangeSets.when_looked_at(5, make)
    assert len(sets) == 5
    assert not calls
    threads = [threading.Thread(target=lambda: list(sets)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sets == TUPLES
    assert len(calls) == 1


# --- the core's lists


def test_costs_that_do_not_fit_the_sets_are_refused():
    core = _core.Sets.from_list([(1,), (0, 5)])
    with pytest.raises(ValueError, match="fit"):
        core.sort(np.ones(5, dtype=np.int64))
    with pytest.raises(ValueError, match="fit"):
        core.sort_priced(np.ones(3, dtype=np.int64))
    with pytest.raises(ValueError, match="2 sets"):
        core.sort(first=3)
    assert core.sort(np.ones(6, dtype=np.int64))


# --- order


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_any_parts_come_into_one_order(parts):
    sets = random_sets(3000)
    units = np.array([random.Random(1).randrange(1, 5) for _ in range(12)], dtype=np.int64)
    for given in (None, units):
        ordering = Ordering(given, Clock(None), 1 << 40)
        for i in range(parts):
            assert ordering.add(_core.Sets.from_list(sets[i::parts]))
        cost = len if given is None else lambda s: sum(units[j] for j in s)
        assert ordering.finish() == in_order(sets, cost)


def test_sets_with_prices_come_in_their_order():
    sets = random_sets(500)
    price = {s: hash(s) % 7 for s in sets}
    ordering = Ordering(None, Clock(None), 1 << 40, lambda some, _: [price[s] for s in some.to_list()])
    for i in range(0, 500, 100):
        assert ordering.add(_core.Sets.from_list(sets[i : i + 100]))
    assert ordering.finish() == in_order(sets, price.__getitem__)


@pytest.mark.slow
def test_time_that_ends_while_they_are_ordered_loses_no_set():
    sets = random_sets(50_000)
    for looks in range(4):
        ordering = Ordering(None, CountedClock(looks), 1 << 40)
        wants_more = ordering.add(_core.Sets.from_list(sets))
        assert wants_more is (looks > 1)
        assert ordering.finish() == in_order(sets, len)


def test_sets_that_were_not_priced_in_time_were_not_found():
    sets = random_sets(100)
    ordering = Ordering(None, Clock(0.0), 1 << 40, lambda some, _: [len(s) for s in some.to_list()[:30]])
    assert not ordering.add(_core.Sets.from_list(sets))
    assert ordering.is_cut
    assert ordering.finish() == in_order(sets[:30], len)


def test_more_sets_than_memory_allows_are_refused_by_name():
    ordering = Ordering(None, Clock(None), 2000)
    ordering.add(_core.Sets.from_list([(0, 1)] * 20))
    with pytest.raises(symcf.LimitError, match="max_memory, 2,000 bytes"):
        ordering.add(_core.Sets.from_list([(0, 1)] * 20))
