"""Regions of numbers and resolutions, alone: ends that are open or closed, the nearest number inside."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from symcf.data.regions import Region, nearest, own_resolution

numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 0.1, 2.5, -3.0, 1e-300, 5e-324, 1e300, -1e300])
resolutions = st.sampled_from(
    [Fraction(1), Fraction(1, 10), Fraction(1, 100), Fraction(5), Fraction(1, 8), Fraction(3, 7)]
)


@given(numbers, numbers, numbers, resolutions, st.sampled_from([None, np.dtype("f4"), np.dtype("f2")]))
def test_the_nearest_number_of_a_region(a, b, old, resolution, short):
    region = Region(min(a, b), max(a, b))
    try:
        new, on_grid = nearest(region, old, resolution, short=short)
    except ValueError:
        raise AssertionError("a region with a number has a nearest one") from None
    assert new in region
    assert float(repr(new)) == new
    if old in region:
        assert new == old
        return
    up = old < region.first
    end = region.first if up else region.last
    multiple = math.ceil(Fraction(end) / resolution) if up else math.floor(Fraction(end) / resolution)
    # one tenth is a little less than the double 0.1, but typed in it is that
    before = float((multiple - (1 if up else -1)) * resolution)
    first = before if before == end else float(multiple * resolution)
    if short is None:
        assert on_grid == (first in region)
        assert new == (first if on_grid else end)
    elif on_grid:
        assert float(short.type(new)) in region


@given(st.floats(-1e300, 1e300), st.booleans(), st.booleans())
def test_open_and_closed_ends(bound, inside, lower):
    closed = (inside, inside)
    region = Region.between(bound, None, closed=closed) if lower else Region.between(None, bound, closed=closed)
    assert (bound in region) == inside
    outwards = -math.inf if lower else math.inf
    assert math.nextafter(bound, -outwards) in region
    assert math.nextafter(bound, outwards) not in region
    shown, closed_end = region.lower if lower else region.upper
    assert math.isfinite(shown)
    assert (shown in region) == closed_end


def test_fractions_as_bounds():
    third = Fraction(1, 3)
    region = Region.between(third, 2 * third, closed=(False, False))
    assert Fraction(region.first) > third > Fraction(math.nextafter(region.first, 0))
    assert Fraction(region.last) < 2 * third < Fraction(math.nextafter(region.last, 1))
    assert nearest(region, 0.0, Fraction(1, 10)) == (0.4, True)
    assert nearest(region, 1.0, Fraction(1, 10)) == (0.6, True)
    assert nearest(region, None, Fraction(1)) == (region.first, False)


def test_own_resolutions():
    assert own_resolution(17.99, 16.795) == Fraction(1, 100)
    assert own_resolution(0.1184, 0.09) == Fraction(1, 10000)
    assert own_resolution(0.0, 5e-324) <= Fraction(1, 1000)
    assert own_resolution(1001.5, 880.0) == Fraction(1, 10)
    assert own_resolution(0.12345678901234, 0.5) == Fraction(1, 10**6)
    assert own_resolution(None, 250000.0) == 1
