"""Values for a change set where columns hold numbers: the nearest that are enough.

A change set is minimal, so every feature of it is needed: all others at their best would not do. All numbers start
where they gain most. Then those that gain least per distance are pulled back first, each as far as the decision allows.

Where gains are straight lines this is a fractional knapsack, and what is left is the nearest row: a number that is
pulled back all the way would not be needed, so only one stops on the way, the one with the worst exchange. Where they
are parabolas the result is one in which no number could have been moved less far with the others as they are.

Features with values choose among these; partial choices that cost no less and gain no more than others are dropped, as
in `symcf.values.scores`. Numbers are rounded outwards to their column's resolution, and gains are those of the rule in
integers, so that every row wins by the doubt (`symcf.models.additive`).

The k nearest change sets where costs are distances of numbers.

The cost of a set is that of its nearest values, so a feature has no cost of its own, and a list of all sets may be too
long to price. But what a feature gains costs at least a certain rate: that of its line, or of the best of its values. A
set that has to gain D then costs at least

    the full gain of its features at their rates, but for the one with the worst, which gains the rest

because all of a minimal set are needed. Sets come by this bound, from a heap: a node is a prefix of a set, by rising
rate, and the feature that it takes next; what is still lacking costs at least the rate of that feature. A set is given
when no bound is below its true cost. Rates are integers, rounded down, so nothing is lost.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.data.numbers import MISSING, NumberLine, numbers_of_codes
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.errors import LimitError, OptionError
from symcf.models.links import Link
from symcf.models.sums import AdditiveRule, Margin
from symcf.question.case import NumberCase, Rival
from symcf.question.gains import ANY, DOWN, FIXED, UP
from symcf.question.prices import Span
from symcf.values.protocol import ChangeSet, Codes, NumberValues, Priced, Range
from symcf.values.slides import Choice, LinkedSlide, Slide

__all__ = ["NumberAssignments", "nearest_sets"]

#: Cost, distance, gain and codes of some features.
State = tuple[int, Fraction, int, Codes]


class Way(NamedTuple):
    """New values for a set, by cost and distance."""

    unit: int
    move: Fraction
    codes: Codes


class NumberAssignments(NumberValues):
    """The values that the features of a change set may take, where columns hold numbers."""

    def __init__(self, case: NumberCase) -> None:
        decision = case.question.classifier.decision.numbers
        assert decision is not None
        self._case = case
        self._rule: AdditiveRule = decision.rule
        self._place = {j: place for place, j in enumerate(self._rule.numbers)}
        own = numbers_of_codes(np.array(case.x, dtype=np.int64)[list(self._rule.numbers)]).reshape(1, -1)
        #: What the polynomials take.
        self._seen = self._rule.seen(np.where(np.isnan(own), 0.0, own))
        self._slides: dict[tuple[int, int], Slide] = {}
        self._last: tuple[ChangeSet, tuple[Way, Rival] | None] | None = None

    # --- the nearest

    def priced(self, change_set: ChangeSet) -> Priced | None:
        """See `Values`. The cheapest values that are enough and, of these, the nearest."""
        best = self._best(change_set)
        return None if best is None else Priced(best[0].unit, best[0].codes)

    def surest(self, change_set: ChangeSet) -> Codes | None:
        """See `Values`. Numbers go all the way."""
        if any(isinstance(self._case.costs.prices[j], Span) for j in change_set):
            return self.best(change_set)  # what is cheapest leaves no choice
        ways = []
        for rival in self._case.rivals:
            room = sum(int(rival.gain[j]) for j in change_set if j in self._place)
            discrete = [j for j in change_set if j not in self._place]
            for unit, _, gain, chosen in self._states(rival, discrete, rival.deficit - room):
                new = dict(zip(discrete, chosen, strict=True))
                new |= {j: (s := self.slide(rival, j)).line.code(s.stop) for j in change_set if j in self._place}
                ways.append((unit, rival.deficit - room - gain, tuple(new[j] for j in change_set)))
        return min((way for way in ways if way[1] <= 0), default=(0, 0, None))[2]

    def _best(self, change_set: ChangeSet) -> tuple[Way, Rival] | None:
        """The best values. Those of the last set are kept: first they are asked for, then how wide they are."""
        if self._last is None or self._last[0] != change_set:
            ways = [(way, rival) for rival in self._case.rivals if (way := self._way(rival, change_set)) is not None]
            self._last = change_set, min(ways, key=lambda pair: pair[0], default=None)
        return self._last[1]

    def cheapest(
        self, k: int, max_changes: int | None, clock: Clock, *, by_sums: bool = True
    ) -> tuple[_core.Sets, str]:
        """See `Values`. `LimitError` when time is up."""
        return _core.Sets.from_list(nearest_sets(self._case, self, k, max_changes, clock)), "complete"

    def ranges(self, change_set: ChangeSet, codes: Sequence[int], raw: RawRow) -> list[tuple[Range, Range]]:
        """See `Values`. What gains as much as these values."""
        best = self._best(change_set)
        assert best is not None
        _, rival = best
        found: list[tuple[Range, Range]] = []
        for j, code in zip(change_set, codes, strict=True):
            if j in self._place:
                slide = self.slide(rival, j)
                region = Region(*slide.region(slide.line[code]))
                found.append((region, slide.said(region, slide.line[code])))
                continue
            labels, choices = self._case.question.classifier.values[j], self.choices(j, rival)
            own = next(choice for choice in choices if choice.code == code)
            others = [labels[c.code] for c in choices if c.gain >= own.gain and c.code != code]
            found.append(((labels[code], *others),) * 2)
        return found

    def _way(self, rival: Rival, change_set: Sequence[int]) -> Way | None:
        """The best values with which this rival wins; None if it does not."""
        if int(rival.gain[list(change_set)].sum()) < rival.deficit:
            return None
        slides = sorted((self.slide(rival, j) for j in change_set if j in self._place), key=self._exchange)
        room = sum(slide.most for slide in slides)
        discrete = [j for j in change_set if j not in self._place]
        ways = []
        for unit, move, gain, chosen in self._states(rival, discrete, rival.deficit - room):
            new = dict(zip(discrete, chosen, strict=True))
            for slide, number in self._pulled_back(slides, room + gain - rival.deficit):
                code = slide.line.code(number)
                new[slide.feature] = code
                unit += self._case.costs.unit_of(slide.feature, self._case.x[slide.feature], code)
                move += slide.distance(number) / (slide.line.span or 1)
            ways.append(Way(unit, move, tuple(new[j] for j in change_set)))
        return min(ways, default=None)

    def _exchange(self, slide: Slide) -> tuple[Fraction, Fraction]:
        """How much cost and distance a number takes for what it gains; the worst come first."""
        distance = slide.distance(slide.stop)
        price = self._case.costs.prices[slide.feature]
        cost = distance / price.scale if isinstance(price, Span) else Fraction(0)
        return -cost / slide.most, -distance / (slide.line.span or 1) / slide.most

    @staticmethod
    def _pulled_back(slides: Sequence[Slide], surplus: int) -> Iterator[tuple[Slide, float]]:
        for slide in slides:
            number = slide.nearest(slide.most - surplus) if surplus or slide.resolution is not None else slide.stop
            surplus -= slide.most - slide.gain(number)
            yield slide, number

    # --- features with values

    def _states(self, rival: Rival, features: Sequence[int], least: int) -> list[State]:
        """Choices of all features with values that gain at least this: those that no other beats."""
        options = [self.choices(j, rival) for j in features]
        most = [0]
        for choices in reversed(options):
            most.append(most[-1] + max((choice.gain for choice in choices), default=0))
        states: list[State] = [(0, Fraction(0), 0, ())]
        for i, choices in enumerate(options):
            after = most[len(options) - 1 - i]
            grown = [
                (unit + choice.unit, move + choice.move, gain + choice.gain, (*codes, choice.code))
                for unit, move, gain, codes in states
                for choice in choices
                if gain + choice.gain + after >= least
            ]
            grown.sort(key=lambda state: (state[0], state[1], -state[2], state[3]))
            states = []
            for state in grown:
                if not states or state[2] > states[-1][2]:
                    states.append(state)
        return states

    def choices(self, j: int, rival: Rival) -> list[Choice]:
        """The values that feature j may take."""
        freedom, own, table = self._case.freedom, self._case.x[j], self._rule.tables[j]
        mask, way = freedom.masks[j], freedom.direction[j]
        assert table is not None
        assert mask is not None
        weights = (rival.sign @ table).tolist()
        ordered, steps = self._case.question.classifier.ordered[j], max(1, len(mask) - 1)
        return [
            Choice(
                self._case.costs.unit_of(j, own, v),
                Fraction(abs(v - own), steps) if ordered else Fraction(1),
                weights[v] - weights[own],
                v,
            )
            for v in np.flatnonzero(mask).tolist()
            if v != own and way != FIXED and (way != UP or v > own) and (way != DOWN or v < own)
        ]

    # --- numbers

    def slide(self, rival: Rival, j: int) -> Slide:
        """The number of feature j, on its way to the rival."""
        key = (rival.code, j)
        if key not in self._slides:
            self._slides[key] = self._slide(rival, j)
        return self._slides[key]

    def _slide(self, rival: Rival, j: int) -> Slide:
        freedom, own, place = self._case.freedom, self._case.x[j], self._place[j]
        line = self._case.question.classifier.values[j]
        assert isinstance(line, NumberLine)
        way = freedom.direction[j]
        margin = self._rule.margin(rival.code, self._case.prediction)
        unit = margin.sign * Fraction(2) ** self._rule.scale
        curve, slope = (unit * part[place].fraction for part in (margin.curve, margin.slope))
        rivals = [each.code for each in self._case.rivals]
        stops = [
            stop
            for stop in freedom.stops(self._case.prediction).codes[:, rivals.index(rival.code), j].tolist()
            if way == ANY or (way == UP and stop > own) or (way == DOWN and stop < own)
        ]
        missing = int(rival.sign @ self._rule.missing[j]) if own == MISSING else None
        gain = _Gain(margin, place, self._seen, missing, self._rule.links.get(j))
        stop = max((line[stop] for stop in stops), key=gain)
        kind = LinkedSlide if j in self._rule.links else Slide
        return kind(
            feature=j,
            line=line,
            own=line.number(own),
            start=gain(line.number(own)),
            moved=own == MISSING,
            low=float(freedom.low[j]),
            high=float(freedom.high[j]),
            up=way in (ANY, UP),
            down=way in (ANY, DOWN),
            curve=curve,
            slope=slope,
            gain=gain,
            stop=stop,
            most=gain(stop),
            resolution=self._case.question.resolutions.get(j, line.resolution),
            stored=old.dtype if isinstance(old := self._case.raw.old(j), (np.float32, np.float16)) else None,
        )


class _Gain:
    """What a margin gains when one number becomes another, by the rule in integers."""

    def __init__(
        self, margin: Margin, place: int, seen: npt.NDArray[np.float64], missing: int | None, link: Link | None
    ) -> None:
        self._margin, self._place, self._link = margin, place, link
        self._row = np.array(seen)
        #: What the margin has of it now; ``missing`` is that of a missing number.
        self._own = self._at_place() if missing is None else missing

    def __call__(self, number: float) -> int:
        """The gain at a number."""
        self._row[0, self._place] = number if self._link is None else self._link.at(number)
        return self._at_place() - self._own

    def _at_place(self) -> int:
        return int(self._margin.terms_seen(self._row)[0, self._place])


#: Rates are multiples of 2 to the power of minus this.
PLACES = 100

#: Cost, size and features.
Key = tuple[int, int, ChangeSet]


def nearest_sets(
    case: NumberCase, assignments: NumberAssignments, k: int, most: int | None, clock: Clock
) -> list[ChangeSet]:
    """The k first change sets of at most so many features, by (cost, size, features); `LimitError` when time is up."""

    def look() -> None:
        if clock.expired:
            raise LimitError("time limit reached: more counterfactuals may exist")

    found: list[ChangeSet] = []
    waiting: list[Key] = []
    seen: set[ChangeSet] = set()
    # Distances are rounded to steps: that of the last number, and that at its stop, from which its rate is.
    spans = [j for j, price in enumerate(case.costs.prices) if isinstance(price, Span)]
    slack = 2 * max((case.costs.unit_of(j, case.x[j], case.x[j] + 1) for j in spans), default=0) << PLACES

    def give(below: int | None) -> None:
        while waiting and len(found) < k and (below is None or waiting[0][0] << PLACES < below):
            found.append(heapq.heappop(waiting)[2])

    for bound, change_set in heapq.merge(*(_by_bound(case, assignments, rival, look) for rival in case.rivals)):
        give(bound - slack)
        if len(found) == k:
            return found
        if change_set in seen or (most is not None and len(change_set) > most) or not _is_minimal(case, change_set):
            continue
        seen.add(change_set)
        priced = assignments.priced(change_set)
        assert priced is not None
        heapq.heappush(waiting, (priced.unit, len(change_set), change_set))
    give(None)
    return found


def _is_minimal(case: NumberCase, change_set: ChangeSet) -> bool:
    """Is no smaller set enough, for any rival?"""
    for rival in case.rivals:
        gains = [int(rival.gain[j]) for j in change_set]
        if sum(gains) - min(gains) >= rival.deficit:
            return False
    return True


def _by_bound(
    case: NumberCase, assignments: NumberAssignments, rival: Rival, look: Callable[[], None]
) -> Iterator[tuple[int, ChangeSet]]:
    """Sets that are enough for a rival and have no smaller one that is, by a bound of their cost; as (bound, set)."""
    features = [j for j, gain in enumerate(rival.gain.tolist()) if gain > 0]
    rated = sorted((_rate(case, assignments, rival, j), j) for j in features)
    rates, order = [rate for rate, _ in rated], [j for _, j in rated]
    gains = [int(rival.gain[j]) for j in order]
    rest = [0]
    for gain in reversed(gains):
        rest.append(rest[-1] + gain)
    rest.reverse()  # what all features from a place on can gain
    if rest[0] < rival.deficit:
        return
    # bound, place of the next feature, and the prefix: places, their cost, what it lacks, its smallest gain
    heap: list[tuple[int, int, tuple[int, ...], int, int, int]] = [
        (rival.deficit * rates[0], 0, (), 0, rival.deficit, max(gains))
    ]
    while heap:
        look()
        bound, i, prefix, cost, lacking, least = heapq.heappop(heap)
        if i + 1 < len(order) and rest[i + 1] >= lacking:
            heapq.heappush(heap, (cost + lacking * rates[i + 1], i + 1, prefix, cost, lacking, least))
        smallest, left = min(least, gains[i]), lacking - gains[i]
        if left <= 0:
            if -left < smallest:  # without its smallest member it is not enough
                yield bound, tuple(sorted(order[place] for place in (*prefix, i)))
        elif i + 1 < len(order) and rest[i + 1] >= left:
            spent = cost + gains[i] * rates[i]
            entry = (spent + left * rates[i + 1], i + 1, (*prefix, i), spent, left, smallest)
            heapq.heappush(heap, entry)


def _rate(case: NumberCase, assignments: NumberAssignments, rival: Rival, j: int) -> int:
    """The least that a unit of gain costs, rounded down."""
    price = case.costs.prices[j]
    line = case.question.classifier.values[j]
    if not isinstance(line, NumberLine):
        choices = [choice for choice in assignments.choices(j, rival) if choice.gain > 0]
        return min((choice.unit << PLACES) // choice.gain for choice in choices)
    slide = assignments.slide(rival, j)
    if not slide.is_straight and isinstance(price, Span):
        name = case.question.classifier.features[j]
        raise OptionError(
            f"cost: 'distance' needs numbers whose terms are straight lines; that of {name!r} is "
            f"{'a parabola' if slide.curve else 'a curve'}: give a cost per feature"
        )
    return (case.costs.unit_of(j, case.x[j], line.code(slide.stop)) << PLACES) // slide.most
