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
bounded from the last feature up. With them many states are decided before the last feature.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from symcf.errors import LimitError
from symcf.models.networks.tables import Exact, Factor, Nodes
from symcf.rows.reader import Codes

__all__ = ["Elimination", "State", "elimination_order"]

#: Context (codes of observed features) and message (integers without a common divisor).
State = tuple[tuple[int, ...], tuple[int, ...]]

#: Entries of a message, and of the matrices of one level, beyond which a network is too entangled.
MOST_ENTRIES = 1 << 16

#: Bounds are made where a message has at most this many entries; elsewhere nothing is decided early.
MOST_BOUNDED = 24

#: Bounds are floats; a decision by them needs to be clear by this factor, far more than rounding can do.
CLEAR = 1 + 1e-6

#: Floats decide a row unless two classes are closer than this.
TOO_CLOSE = 1e-9

Floats = npt.NDArray[np.float64]
#: U[s][t]: the most that entry s of a message can still be multiplied by, over what entry t is multiplied by.
Bounds = list[list[float]]
#: Entries that are not 0, with their mass.
Terms = Sequence[tuple[int, float]]


@dataclass
class _Level:
    """Reading one feature: which tables are multiplied, and what is summed out."""

    #: The feature that is read, as a node; None before the first.
    node: int | None
    #: Nodes of the context before and after; after it, the nodes of the message.
    context: list[int] = field(default_factory=list)
    context_after: list[int] = field(default_factory=list)
    scope: list[int] = field(default_factory=list)
    scope_after: list[int] = field(default_factory=list)
    factors: list[Factor] = field(default_factory=list)


class Elimination:
    """Decides rows of a network whose features are read in a given order.

    ``weights`` multiply the joint probability of each class before they are compared: with a threshold t, class 1
    gets 1 - t and class 0 gets t. ``class_of`` maps the values of the target to classes.
    """

    def __init__(
        self,
        nodes: Nodes,
        target: int,
        class_of: Sequence[int],
        weights: Sequence[Fraction],
        features: Sequence[int],
        later_wins: bool,
    ) -> None:
        self._size = [len(labels) for labels in nodes.values]
        self._target = target
        self._class_of = list(class_of)
        self.n_classes = len(weights)
        common = math.lcm(*(w.denominator for w in weights))
        self._weights = [int(w * common) for w in weights]
        self._shares = [float(w / sum(weights)) for w in weights]
        self.later_wins = later_wins
        self.features = list(features)
        kept = nodes.relevant([target, *features])
        self._levels = _schedule([nodes.factor(i) for i in kept], target, list(features), self._size)
        self._matrices: list[dict[tuple[int, ...], list[list[int]]]] = [{} for _ in self._levels]
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
        matrix = self._matrix(i, key)
        product = [sum(map(int.__mul__, row, message)) for row in matrix]
        divisor = math.gcd(*product)
        if divisor > 1:
            product = [p // divisor for p in product]
        seen = dict(zip(level.context if level.node is None else [*level.context, level.node], key, strict=True))
        return tuple(seen[j] for j in level.context_after), tuple(product)

    def _matrix(self, i: int, key: tuple[int, ...]) -> list[list[int]]:
        """What a message is multiplied by, given the values of the context and of the feature that is read."""
        if key not in self._matrices[i]:
            level = self._levels[i]
            seen = dict(zip(level.context if level.node is None else [*level.context, level.node], key, strict=True))
            rows = _matrix(level, seen, self._size).tolist()
            divisor = math.gcd(*(entry for row in rows for entry in row)) or 1
            self._matrices[i][key] = [[entry // divisor for entry in row] for row in rows]
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

    def posterior(self, state: State) -> list[Fraction] | None:
        """The probability of each class, after the last feature; None for a row of probability 0."""
        joint = [0] * self.n_classes
        for value, p in enumerate(state[1]):
            joint[self._class_of[value]] += p
        total = sum(joint)
        return None if not total else [Fraction(p, total) for p in joint]

    def decide_exactly(self, row: Sequence[int]) -> int:
        """The class of one row of codes, in the order of `features`."""
        state = self.start()
        for i, value in enumerate(row):
            state = self.after(i, state, value)
        return self.decided(state)

    # --- floats, for many rows

    def joint_floats(self, codes: Codes) -> Floats:
        """By row and class, numbers proportional to the joint probability; not weighted. Rows may be 0 throughout."""
        n = len(codes)
        message = np.ones((n, 1))
        for i, level in enumerate(self._levels):
            at = [*level.context, *([] if level.node is None else [level.node])]
            places = [self.features.index(j) for j in at]
            after = np.zeros((n, math.prod(self._size[h] for h in level.scope_after)))
            if places:
                keys, which = np.unique(codes[:, places], axis=0, return_inverse=True)
            else:
                keys, which = np.zeros((1, 0), dtype=np.int64), np.zeros(n, dtype=np.int64)
            for number, key in enumerate(keys.tolist()):
                rows = which.reshape(-1) == number
                after[rows] = message[rows] @ _as_floats(self._matrix(i, tuple(key))).T
            largest = after.max(axis=1, keepdims=True, initial=0)
            message = after / np.where(largest > 0, largest, 1)
        joint = np.zeros((n, self.n_classes))
        for value, k in enumerate(self._class_of):
            joint[:, k] += message[:, value]
        return joint

    def decide(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """The class of every row: by floats, and exactly where two classes are close."""
        if not len(codes):
            return np.zeros(0, dtype=np.uint8)
        joint = self.joint_floats(codes) * np.array(self._shares)
        best = np.argmax(joint, axis=1)
        ordered = np.sort(joint, axis=1)
        close = np.flatnonzero(ordered[:, -1] - ordered[:, -2] <= TOO_CLOSE * ordered[:, -1])
        if len(close):
            rows, which = np.unique(codes[close], axis=0, return_inverse=True)
            exact = np.array([self.decide_exactly(row) for row in rows.tolist()])
            best[close] = exact[which.reshape(-1)]
        return np.asarray(best, dtype=np.uint8)

    # --- bounds

    def decided_early(self, i: int, state: State) -> int | None:
        """The class of all rows that continue a state after i features; None if that is not clear."""
        if i == len(self.features):
            return self.decided(state)
        bounds = self._all_bounds()[i].get(state[0])
        if bounds is None:
            return None
        message = _floats(state[1])
        twin, class_of = self._entries(i)
        terms: list[list[tuple[int, float]]] = [[] for _ in range(self.n_classes)]
        for a, mass in enumerate(message):
            if mass:
                terms[class_of[a]].append((a, mass * self._shares[class_of[a]]))
        best = max(range(self.n_classes), key=lambda k: sum(mass for _, mass in terms[k]))
        # something of the best class is never multiplied by 0, or there may be rows that no class can have
        if not any(bounds[a][a] < math.inf for a, _ in terms[best]):
            return None
        for r, part in enumerate(terms):
            if r != best and part and not _ratio(part, terms[best], bounds, twin) < 1:
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
        self._bounds = bounds
        if any(width > MOST_BOUNDED for width in self.widths):
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
                    seen = dict(zip([*following.context, following.node], key, strict=True))
                    below = bounds[i + 1][tuple(seen[j] for j in following.context_after)]
                    found.append(_ratios(self._matrix(i + 1, key), below, twin))
                bounds[i][context] = [
                    [max(cells) for cells in zip(*rows, strict=True)] for rows in zip(*found, strict=True)
                ]
        return bounds


def _ratios(matrix: Sequence[Sequence[int]], below: Bounds, twin: Sequence[int]) -> Bounds:
    """Bounds before a step from those after it: entry s has the factor sum of M[a, s] b[a] over a."""
    columns = [_floats(column) for column in zip(*matrix, strict=True)]
    terms = [[(a, p) for a, p in enumerate(column) if p] for column in columns]
    return [[_ratio(s, t, below, twin) for t in terms] for s in terms]


def _ratio(p: Terms, q: Terms, bounds: Bounds, twin: Sequence[int]) -> float:
    """The most that the sum of p[a] b[a] can be over the sum of q[c] b[c], where b[a] <= bounds[a][c] b[c].

    Pair the mass of p, scaled to that of q, with the mass of q, in any way: each term of q then bounds what it is
    paired with, and the ratio of the sums is at most the largest of these bounds. Good pairs agree in all but the class
    (`twin`), because the bounds between these are the smallest. (Loops, because the vectors are short.)
    """
    if not q:
        return math.inf
    sum_p, sum_q = sum(mass for _, mass in p), sum(mass for _, mass in q)
    left_p = {a: mass / sum_p for a, mass in p}
    left_q, bounded = {}, {}
    for c, mass in q:
        left, total = mass / sum_q, 0.0
        for a in left_p:
            if twin[a] == twin[c]:
                paired = min(left_p[a], left)
                left_p[a] -= paired
                left -= paired
                total += paired * bounds[a][c] if paired else 0.0
        left_q[c], bounded[c] = left, total
    rest = sum(left_p.values())
    for c, left in left_q.items():
        if left > 0 and rest > 0:
            bounded[c] += left / rest * sum(mass * bounds[a][c] for a, mass in left_p.items() if mass > 0)
    return sum_p / sum_q * max(bounded[c] * sum_q / mass for c, mass in q) * CLEAR


def _floats(message: Sequence[int]) -> list[float]:
    """Integers of any size as floats in the same proportions."""
    shift = max(p.bit_length() for p in message) - 1000
    return [float(p) for p in message] if shift <= 0 else [float(p >> shift) for p in message]


def _as_floats(matrix: Sequence[Sequence[int]]) -> Floats:
    shift = max(0, max((p.bit_length() for row in matrix for p in row), default=0) - 1000)
    return np.array([[float(p >> shift) for p in row] for row in matrix], dtype=np.float64)


# --- the schedule -----------------------------------------------------------------------------------------------------


def _schedule(factors: Sequence[Factor], target: int, features: list[int], size: Sequence[int]) -> list[_Level]:
    """The levels: one before the first feature, and one for each."""
    observed: set[int] = set()
    left = list(factors)
    context: list[int] = []
    scope: list[int] = []
    levels = []
    for node in [None, *features]:
        level = _Level(node, context=list(context), scope=list(scope))
        if node is not None:
            observed.add(node)
        last = len(observed) == len(features)
        wanted = set(features)
        now = [f for f in left if last or (set(f.nodes) & wanted and not (set(f.nodes) & wanted) - observed)]
        alive = set(scope) | {j for f in now for j in f.nodes if j not in wanted}
        rest = [f for f in left if f not in now]
        # a hidden node that only tables without features mention from here on can be summed out now
        while True:
            ready = [
                h for h in sorted(alive - {target}) if not any(h in f.nodes and set(f.nodes) & wanted for f in rest)
            ]
            if not ready:
                break
            gone = min(ready, key=lambda h: (len(alive | {j for f in rest if h in f.nodes for j in f.nodes}), h))
            absorbed = [f for f in rest if gone in f.nodes]
            rest = [f for f in rest if gone not in f.nodes]
            now += absorbed
            alive = (alive | {j for f in absorbed for j in f.nodes}) - {gone}
        level.factors, left = now, rest
        level.scope_after = sorted(alive | {target})  # the class from the start, for the bounds
        context = [j for j in sorted(observed) if any(j in f.nodes for f in rest)]
        level.context_after = list(context)
        scope = list(level.scope_after)
        width = math.prod(size[h] for h in scope)
        if width > MOST_ENTRIES:
            raise LimitError(
                f"after {len(observed)} features the network needs vectors of {width:,} entries, more than "
                f"{MOST_ENTRIES:,}; choose fewer features, or another order"
            )
        levels.append(level)
    return levels


def _matrix(level: _Level, seen: dict[int, int], size: Sequence[int]) -> Exact:
    """The product of the level's tables for the seen values, as (entries after, entries before)."""
    inner = sorted(
        {h for f in level.factors for h in f.nodes if h not in seen} | set(level.scope) | set(level.scope_after)
    )
    axis = {h: a for a, h in enumerate(inner)}
    shape = [size[h] for h in inner]
    if math.prod(shape) > MOST_ENTRIES * 16:
        raise LimitError(f"one step of the network needs {math.prod(shape):,} products; choose another order")
    product = np.ones(shape, dtype=object)
    for f in level.factors:
        table = f.table[tuple(seen.get(h, slice(None)) for h in f.nodes)]
        free = [h for h in f.nodes if h not in seen]
        if free:
            table = np.transpose(table, sorted(range(len(free)), key=lambda a: axis[free[a]]))
        product = product * np.asarray(table, dtype=object).reshape([size[h] if h in free else 1 for h in inner])
    # a node of the message before and after is the same node: the matrix is 0 unless both agree
    gone = [axis[h] for h in inner if h not in level.scope and h not in level.scope_after]
    kept = [h for h in inner if h in level.scope or h in level.scope_after]
    summed = np.asarray(product.sum(axis=tuple(gone)) if gone else product, dtype=object)
    before, after = [size[h] for h in level.scope], [size[h] for h in level.scope_after]
    matrix = np.zeros((math.prod(after), math.prod(before)), dtype=object)
    for place in np.ndindex(*(size[h] for h in kept)):
        at = dict(zip(kept, place, strict=True))
        row = _place([at[h] for h in level.scope_after], after)
        column = _place([at[h] for h in level.scope], before)
        matrix[row, column] += summed[place]
    return matrix


def _place(index: Sequence[int], shape: Sequence[int]) -> int:
    place = 0
    for i, d in zip(index, shape, strict=True):
        place = place * d + i
    return place


def elimination_order(nodes: Nodes, target: int, features: Sequence[int]) -> list[int]:
    """Features in an order that keeps messages and contexts small; places in `features`.

    Greedy: the next feature is the one after which the fewest entries stay (values of the context times entries of the
    message), of several the first.
    """
    size = [len(labels) for labels in nodes.values]
    factors = [nodes.factor(i) for i in nodes.relevant([target, *features])]
    wanted = set(features)
    observed: set[int] = set()
    chosen: list[int] = []

    def entries(candidate: int) -> int:
        seen = observed | {candidate}
        open_factors = [f for f in factors if (set(f.nodes) & wanted) - seen]
        mentioned = {j for f in open_factors for j in f.nodes}
        read = [f for f in factors if set(f.nodes) & wanted and not (set(f.nodes) & wanted) - seen]
        hidden = {j for f in read for j in f.nodes if j not in wanted}
        return math.prod(size[j] for j in (mentioned & seen)) * math.prod(size[j] for j in hidden & mentioned)

    left = list(features)
    while left:
        best = min(left, key=entries)
        left.remove(best)
        observed.add(best)
        chosen.append(features.index(best))
    return chosen
