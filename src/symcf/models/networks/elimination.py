"""A Bayesian network read feature by feature: what matters of the features read so far is a *state*.

With the first i features of an order observed, the joint probability of class and features is a sum over hidden nodes.
Tables whose features are all observed are multiplied into a *message*, a vector over the class and over the hidden
nodes that the remaining tables still mention; a hidden node is summed out when no remaining table with an unobserved
feature mentions it. Features that remaining tables mention are the *context*: their values stay in the state. So a
state is (context, message), and reading a value multiplies the message by a matrix that depends on the context and on
the value only. Only the ratios between the entries of a message matter, so it is divided by its greatest common
divisor: equal states then lead to equal decisions, which is all that a diagram needs (Shih, Choi and Darwiche, AAAI
2019, compile in the same spirit by equivalence of sub-classifiers).

Bounds: before anything is read, the ratios between what any two entries of a message can still be multiplied by are
bounded from the last feature up (`ratios.py`). With them many states are decided before the last feature.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from symcf.models.networks.schedule import Matrix, matrix_of, schedule
from symcf.models.networks.tables import Nodes

__all__ = ["Bounds", "Elimination", "State", "Terms", "elimination_order", "proportional", "ratio", "ratios"]


# --- ratios -----------------------------------------------------------------------------------------------------------
# Bounds on ratios of sums, in floats that are never too small.
#
# The entries of a message are integers of any size. Floats stand for them only where their proportions fit; where they
# do not, there is no bound, and the states below are searched.

#: Bounds are floats; they are larger than what they bound by this factor, far more than rounding can do.
CLEAR = 1 + 1e-6

#: What is left of a mass below this part of it is rounding, which `CLEAR` covers.
ROUNDING = 1e-12

#: A bound is 0 or at least this, so that none becomes 0 by underflow.
LEAST_BOUND = 1e-300

#: Bits of the largest integer as a float, and of the difference between the largest and the smallest.
MOST_BITS = 1000
MOST_SPREAD = 900

#: U[s][t]: the most that entry s of a message can still be multiplied by, over what entry t is multiplied by.
Bounds = list[list[float]]
#: Entries that are not 0, with their mass.
Terms = Sequence[tuple[int, float]]


def proportional(numbers: Sequence[int], spread: int = MOST_SPREAD) -> list[float] | None:
    """Integers from 0 of any size as floats in the same proportions; None if they differ by more than `spread` bits."""
    sizes = [p.bit_length() for p in numbers if p]
    if not sizes:
        return [0.0] * len(numbers)
    if max(sizes) - min(sizes) > spread:
        return None
    shift = max(0, max(sizes) - MOST_BITS)
    return [float(p >> shift) for p in numbers]


def ratios(
    width: int,
    matrix: Sequence[tuple[int, int, int]],
    below: Bounds,
    twin: Sequence[int],
    look: Callable[[], None],
) -> Bounds:
    """Bounds before a step from those after it: entry s has the factor sum of M[a, s] b[a] over a.

    ``matrix`` has triples (a, s, M[a, s]) where that is not 0, a ascending; ``look`` is called for each s.
    """
    entries = proportional([entry for _, _, entry in matrix])
    if entries is None:
        return [[math.inf] * width for _ in range(width)]
    terms: list[list[tuple[int, float]]] = [[] for _ in range(width)]
    for (a, s, _), mass in zip(matrix, entries, strict=True):
        if mass:
            terms[s].append((a, mass))
    found = []
    for part in terms:
        look()
        found.append([ratio(part, other, below, twin) for other in terms])
    return found


def ratio(p: Terms, q: Terms, bounds: Bounds, twin: Sequence[int]) -> float:
    """The most that the sum of p[a] b[a] can be over the sum of q[c] b[c], where b[a] <= bounds[a][c] b[c].

    Pair all mass of p with terms of q, in any way: each term of q then bounds what it is paired with, and the ratio of
    the sums is at most the largest of these bounds, each over the mass of its term. Good pairs agree in all but the
    class (`twin`), because the bounds between these are the smallest. (Loops, because the vectors are short.)
    """
    if not q:
        return math.inf
    if not p:
        return 0.0
    sum_p, sum_q = sum(mass for _, mass in p), sum(mass for _, mass in q)
    share_p = {a: mass / sum_p for a, mass in p}
    left_p = dict(share_p)
    left_q, bounded = {}, {}
    for c, mass in q:
        left, total = mass / sum_q, 0.0
        for a in left_p:
            if twin[a] == twin[c]:
                paired = min(left_p[a], left)
                left_p[a] -= paired
                left -= paired
                total += _bound(paired, bounds[a][c])
        left_q[c], bounded[c] = left if left > ROUNDING * mass / sum_q else 0.0, total
    rest = [(a, left) for a, left in left_p.items() if left > ROUNDING * share_p[a]]
    if rest:
        free = sum(left_q.values())
        for c, mass in q:
            part = left_q[c] / free if free else mass / sum_q
            bounded[c] += sum(_bound(left * part, bounds[a][c]) for a, left in rest)
    largest = max(bounded[c] * sum_q / mass for c, mass in q)
    return largest and max(sum_p / sum_q * largest * CLEAR, LEAST_BOUND)


def _bound(mass: float, bound: float) -> float:
    """A mass times a bound; 0 only if one of them is."""
    return max(mass * bound, LEAST_BOUND) if mass and bound else 0.0


# --- elimination ------------------------------------------------------------------------------------------------------

#: Context (codes of observed features) and message (integers without a common divisor).
State = tuple[tuple[int, ...], tuple[int, ...]]

#: Bounds are made where a message has at most this many entries; elsewhere nothing is decided early.
MOST_BOUNDED = 24


class Elimination:
    """Decides rows of a network whose features are read in a given order.

    ``weights`` multiply the joint probability of each class before they are compared: with a threshold t, class 1
    gets 1 - t and class 0 gets t. ``class_of`` maps the values of the target to classes. ``look`` is called now and
    then in what takes long, and may raise.
    """

    def __init__(
        self,
        nodes: Nodes,
        target: int,
        class_of: Sequence[int],
        weights: Sequence[Fraction],
        features: Sequence[int],
        later_wins: bool,
        look: Callable[[], None] | None = None,
    ) -> None:
        self._look = look or (lambda: None)
        self._size = [len(labels) for labels in nodes.values]
        self._target = target
        self._class_of = list(class_of)
        self.n_classes = len(weights)
        common = math.lcm(*(w.denominator for w in weights))
        self._weights = [int(w * common) for w in weights]
        self.later_wins = later_wins
        self.features = list(features)
        kept = nodes.relevant([target, *features])
        self._levels = schedule([nodes.factor(i) for i in kept], target, list(features), self._size)
        self._matrices: list[dict[tuple[int, ...], Matrix]] = [{} for _ in self._levels]
        self._bounds: list[dict[tuple[int, ...], Bounds]] | None = None
        self._entry: list[tuple[list[int], list[int]] | None] = [None] * len(self._levels)

    @property
    def widths(self) -> list[int]:
        """By level, the entries of the message."""
        return [math.prod(self._size[h] for h in level.scope_after) for level in self._levels]

    # --- exact

    def start(self) -> State:
        """Nothing has been read."""
        return self._multiplied(0, (), (), (1,))

    def after(self, i: int, state: State, value: int) -> State:
        """The state after the i-th feature (from 0) was read."""
        return self._multiplied(i + 1, state[0], (value,), state[1])

    def _multiplied(self, i: int, context: tuple[int, ...], read: tuple[int, ...], message: tuple[int, ...]) -> State:
        level = self._levels[i]
        key = context + read
        product = self._matrix(i, key).times(message)
        divisor = math.gcd(*product)
        if divisor > 1:
            product = [p // divisor for p in product]
        seen = dict(zip(level.seen, key, strict=True))
        return tuple(seen[j] for j in level.context_after), tuple(product)

    def _matrix(self, i: int, key: tuple[int, ...]) -> Matrix:
        """What a message is multiplied by, given the values of the context and of the feature that is read."""
        if key not in self._matrices[i]:
            self._look()
            level = self._levels[i]
            seen = dict(zip(level.seen, key, strict=True))
            self._matrices[i][key] = matrix_of(level, seen, self._size)
        return self._matrices[i][key]

    def decided(self, state: State) -> int:
        """The class, after the last feature."""
        joint = self._joint(state[1])
        best = max(joint)
        winners = [k for k, p in enumerate(joint) if p == best]
        return winners[-1] if self.later_wins else winners[0]

    def _joint(self, message: Sequence[int]) -> list[int]:
        joint = [0] * self.n_classes
        for value, p in enumerate(message):
            joint[self._class_of[value]] += p
        return [p * w for p, w in zip(joint, self._weights, strict=True)]

    # --- bounds

    def decided_early(self, i: int, state: State) -> int | None:
        """The class of all rows that continue a state after i features; None if that is not clear."""
        if i == len(self.features):
            return self.decided(state)
        bounds = self._all_bounds()[i].get(state[0])
        if bounds is None:
            return None
        twin, class_of = self._entries(i)
        message = proportional([p * self._weights[k] for p, k in zip(state[1], class_of, strict=True)])
        if message is None:
            return None
        terms: list[list[tuple[int, float]]] = [[] for _ in range(self.n_classes)]
        for a, mass in enumerate(message):
            if mass:
                terms[class_of[a]].append((a, mass))
        best = max(range(self.n_classes), key=lambda k: sum(mass for _, mass in terms[k]))
        # something of the best class is never multiplied by 0, or there may be rows that no class can have
        if not any(bounds[a][a] < math.inf for a, _ in terms[best]):
            return None
        for r, part in enumerate(terms):
            if r != best and part and not ratio(part, terms[best], bounds, twin) < 1:
                return None
        return best

    def _entries(self, i: int) -> tuple[list[int], list[int]]:
        """By entry of the message after i features, a number for its hidden nodes, and its class."""
        if self._entry[i] is None:
            nodes = self._levels[i].scope_after
            shape = [self._size[h] for h in nodes]
            hidden = [1 if h == self._target else d for h, d in zip(nodes, shape, strict=True)]
            twin = np.broadcast_to(np.arange(math.prod(hidden)).reshape(hidden), shape).reshape(-1)
            value = np.indices(shape)[nodes.index(self._target)].reshape(-1)
            self._entry[i] = twin.tolist(), [self._class_of[v] for v in value.tolist()]
        entry = self._entry[i]
        assert entry is not None
        return entry

    def _all_bounds(self) -> list[dict[tuple[int, ...], Bounds]]:
        """By level and context, U[s][t]: the most that entry s is multiplied by, over what entry t is multiplied by."""
        if self._bounds is not None:
            return self._bounds
        bounds: list[dict[tuple[int, ...], Bounds]] = [{} for _ in self._levels]
        if any(width > MOST_BOUNDED for width in self.widths):
            self._bounds = bounds
            return bounds
        last = len(self._levels) - 1
        bounds[last][()] = [[1.0] * self._size[self._target]] * self._size[self._target]
        for i in reversed(range(last)):
            level, following = self._levels[i], self._levels[i + 1]
            assert following.node is not None
            twin, _ = self._entries(i + 1)
            for context in itertools.product(*(range(self._size[j]) for j in level.context_after)):
                found = []
                for value in range(self._size[following.node]):
                    key = (*context, value)
                    seen = dict(zip(following.seen, key, strict=True))
                    below = bounds[i + 1][tuple(seen[j] for j in following.context_after)]
                    matrix = self._matrix(i + 1, key)
                    triples = list(zip(matrix.row.tolist(), matrix.column.tolist(), matrix.entry, strict=True))
                    found.append(ratios(matrix.shape[1], triples, below, twin, self._look))
                bounds[i][context] = [
                    [max(cells) for cells in zip(*rows, strict=True)] for rows in zip(*found, strict=True)
                ]
        self._bounds = bounds
        return bounds


def elimination_order(nodes: Nodes, target: int, features: Sequence[int]) -> list[int]:
    """Features in an order that keeps messages and contexts small; places in `features`.

    Greedy: the next feature is the one after which the fewest entries stay (values of the context times entries of the
    message), of several the first.
    """
    size = [len(labels) for labels in nodes.values]
    wanted = set(features)
    tables = [{*nodes.parents[i], i} for i in nodes.relevant([target, *features])]
    #: By table, its features that are not read; by node, the tables with such features.
    unread = [len(table & wanted) for table in tables]
    of_node: dict[int, list[int]] = {}
    for t, table in enumerate(tables):
        for j in table:
            of_node.setdefault(j, []).append(t)
    open_tables = {j: sum(unread[t] > 0 for t in listed) for j, listed in of_node.items()}
    context: set[int] = set()
    message: set[int] = set()

    def after(candidate: int) -> tuple[list[int], set[int], set[int]]:
        """Tables that are read to the end, context and hidden nodes of the message."""
        closed = [t for t in of_node[candidate] if unread[t] == 1]
        fewer = Counter(j for t in closed for j in tables[t])
        seen = {j for j in (*context, candidate) if open_tables[j] > fewer[j]}
        hidden = message.union(*(tables[t] - wanted for t in closed))
        return closed, seen, {j for j in hidden if open_tables[j] > fewer[j]}

    def entries(candidate: int) -> int:
        _, seen, hidden = after(candidate)
        return math.prod(size[j] for j in seen) * math.prod(size[j] for j in hidden)

    left = list(features)
    chosen: list[int] = []
    while left:
        best = min(left, key=entries)
        closed, context, message = after(best)
        for t in of_node[best]:
            unread[t] -= 1
        for t in closed:
            for j in tables[t]:
                open_tables[j] -= 1
        left.remove(best)
        chosen.append(features.index(best))
    return chosen
