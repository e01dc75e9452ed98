"""The search by sums against all sets of features."""

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from symcf.proof.verification.sums import Gain, Offer, Sums, TooManySets

N = 6


def gains():
    return st.builds(Gain, st.lists(st.integers(0, 6), min_size=N, max_size=N), st.integers(1, 12))


def flips(sums, chosen):
    return any(sum(by_feature[j] for j in chosen) >= missing for by_feature, missing in sums)


def offers(sums, units):
    """One for each feature; none where it costs 0."""
    return [[Offer(u, tuple(g.by_feature[j] for g in sums))] if u else [] for j, u in enumerate(units)]


def all_sets():
    return [s for size in range(N + 1) for s in combinations(range(N), size)]


@example([Gain([0, 1, 0, 0, 0, 1], 2)], [0, 1, 0, 0, 0, 1], {0, 1, 2, 3, 4, 5}, 2)  # the last one is not allowed itself
@given(
    st.lists(gains(), min_size=1, max_size=3),
    st.lists(st.integers(0, 4), min_size=N, max_size=N),
    st.sets(st.integers(0, N - 1), min_size=1),
    st.integers(0, N),
)
def test_every_set_that_flips_before_the_last_contains_one_that_is_found(sums, units, last, most):
    last = tuple(sorted(last))

    def key(s):
        return sum(units[j] for j in s), len(s), s

    found = list(Sums(sums).sets_before(last, key(last)[0], offers(sums, units), most, 1 << 16))
    for s in found:
        assert flips(sums, s)
        assert key(s) < key(last)
        assert len(s) <= most
    for s in all_sets():
        useful = all(units[j] for j in s) and len(s) <= most and key(s) < key(last)
        if useful and flips(sums, s):
            assert any(set(part) <= set(s) for part in found)


@given(st.lists(gains(), min_size=1, max_size=3), st.sets(st.integers(0, N - 1)))
def test_parts_that_flip(sums, chosen):
    chosen = tuple(sorted(chosen))
    expected = any(flips(sums, set(chosen) - {j}) for j in chosen)
    assert Sums(sums).has_flipping_part(chosen) == expected


def test_too_many_steps_are_given_up():
    sums = Sums([Gain([1] * 20, 10)])
    with pytest.raises(TooManySets):
        list(sums.sets_before(tuple(range(10, 20)), 10, offers(sums.gains, [1] * 20), 20, steps=1000))
