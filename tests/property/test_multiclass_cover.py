"""Many classes: engine rivals, batches of K classes, and values that are one to the core, against brute force."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf import _core

COMPLETE, MAX_RESULTS, INVALID, AT_TARGET = 0, 1, 3, 4


# --- classifiers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scores:
    """Score k of x is bias[k] + the sum of weights[k][offset[j] + x[j]]; the largest wins, ties go to the first class
    or the last. Values of features may be one to the core: `groups` tells by feature which code each value has there.
    """

    n_values: tuple[int, ...]
    weights: np.ndarray
    bias: np.ndarray
    later_wins: bool
    groups: tuple[tuple[int, ...], ...]

    @property
    def n(self) -> int:
        return len(self.n_values)

    @property
    def n_classes(self) -> int:
        return len(self.bias)

    @property
    def n_raw(self) -> list[int]:
        return [len(codes) for codes in self.groups]

    @property
    def value_offset(self) -> np.ndarray:
        return offsets(self.n_values)

    @property
    def group_arrays(self) -> tuple[np.ndarray, np.ndarray]:
        return offsets(self.n_raw), np.array([code for codes in self.groups for code in codes], dtype=np.uint32)

    def decide(self, x: oracle.Input) -> int:
        """By the definition, in Python's integers; x in codes of the core."""
        scores = [
            int(self.bias[k]) + sum(int(self.weights[k][at + v]) for at, v in zip(self.value_offset, x, strict=False))
            for k in range(self.n_classes)
        ]
        best = [k for k, score in enumerate(scores) if score == max(scores)]
        return best[-1] if self.later_wins else best[0]

    def decide_raw(self, x: oracle.Input) -> int:
        return self.decide(tuple(codes[v] for codes, v in zip(self.groups, x, strict=True)))

    def beats(self, p: int, r: int) -> _core.Threshold:
        """Is r preferred to p?"""
        loses_ties = (r < p) if self.later_wins else (r > p)
        weights = self.weights[r] - self.weights[p]
        return _core.Threshold.from_weights(self.value_offset, weights, int(self.bias[r] - self.bias[p]) - loses_ties)

    def rivals(self, p: int) -> list[_core.Threshold | None]:
        return [self.beats(p, r) if r != p else None for r in range(self.n_classes)]

    @property
    def functions(self) -> list[list[_core.Threshold | None]]:
        return [self.rivals(p) for p in range(self.n_classes)]

    @property
    def diagrams(self) -> list[_core.Diagram]:
        table = {x: self.decide(x) for x in oracle.inputs(self.n_values)}
        return [diagram_of(lambda x, k=k: table[x] == k, self.n_values) for k in range(self.n_classes)]


def offsets(counts) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)


def diagram_of(f: Callable[[oracle.Input], bool], n_values: tuple[int, ...]) -> _core.Diagram:
    """The reduced diagram of any function, from its table, level by level from the bottom."""
    n = len(n_values)
    level, child = [n, n], []
    below = {x: int(f(x)) for x in oracle.inputs(n_values)}
    for k in reversed(range(n)):
        known: dict[tuple[int, ...], int] = {}
        here = {}
        for x in oracle.inputs(n_values[:k]):
            children = tuple(below[*x, v] for v in range(n_values[k]))
            if len(set(children)) == 1:
                here[x] = children[0]
                continue
            if children not in known:
                known[children] = len(level)
                level.append(k)
                child.extend(children)
            here[x] = known[children]
        below = here
    arrays = [np.array(a, dtype=np.uint32) for a in (range(n), n_values, level, child)]
    return _core.Diagram.from_arrays(*arrays, below[()])


@st.composite
def scores(draw, grouped=False, most=6):
    n_classes = draw(st.integers(3, 4))
    n_values = tuple(draw(st.lists(st.integers(1, 3 if grouped else 4), max_size=4 if grouped else most)))
    reach = draw(st.sampled_from([1, 3, 50, 2**40]))  # small weights make ties, large ones none
    numbers = np.random.default_rng(draw(st.integers(0, 2**32))).integers
    weights = numbers(-reach, reach + 1, (n_classes, sum(n_values)))
    groups = tuple(
        tuple(draw(st.permutations([*range(d), *draw(st.lists(st.integers(0, d - 1), max_size=2))])))
        if grouped
        else tuple(range(d))
        for d in n_values
    )
    bias = numbers(-2 * reach, 2 * reach + 1, n_classes)
    return Scores(n_values, weights, bias, draw(st.booleans()), groups)


@dataclass(frozen=True)
class Constraints:
    mask: list[int] | None  # by value
    direction: list[int] | None  # by feature: any, up, down
    cost: list[int] | None
    max_changes: int | None

    def values_of(self, x, n_values):
        """What the oracle calls allowed."""
        at = offsets(n_values)
        result = {}
        for j, d in enumerate(n_values):
            turn = self.direction[j] if self.direction else 0
            result[j] = [
                v
                for v in range(d)
                if (self.mask is None or self.mask[at[j] + v])
                and not (turn == 1 and v < x[j])
                and not (turn == 2 and v > x[j])
            ]
        return result


@st.composite
def constraints(draw, n_values, directions=True):
    def maybe(strategy, count):
        return draw(st.none() | st.lists(strategy, min_size=count, max_size=count))

    return Constraints(
        mask=maybe(st.integers(0, 4).map(bool).map(int), sum(n_values)),
        direction=maybe(st.integers(0, 2), len(n_values)) if directions else None,
        cost=maybe(st.integers(1, 3), len(n_values)),
        max_changes=draw(st.none() | st.integers(0, len(n_values))),
    )


def as_array(values, dtype):
    return None if values is None else np.array(values, dtype=dtype)


def instances(n_values, **size):
    return st.lists(st.tuples(*[st.integers(0, d - 1) for d in n_values]), **size)


# --- the engine -------------------------------------------------------------------------------------------------------


@given(data=st.data())
def test_rivals_agree_with_the_oracle(data):
    model = data.draw(scores())
    (x,) = data.draw(instances(model.n_values, min_size=1, max_size=1))
    given_ = data.draw(constraints(model.n_values, directions=False))
    wanted = oracle.change_sets(
        model.decide, x, model.n_values, given_.values_of(x, model.n_values), given_.max_changes
    )
    wanted = oracle.cheapest(wanted, given_.cost)
    query = _core.Query(
        np.array(x, dtype=np.uint32),
        as_array(given_.mask, np.uint8),
        as_array(given_.cost, np.int64),
        given_.max_changes,
    )
    rivals = model.rivals(model.decide(x))
    engine = _core.MulticlassCover(rivals, query)
    sets, outcome = engine.next(2**63)
    assert (sorted(sets.to_list()), outcome) == (sorted(wanted), "complete")
    assert engine.tally() == len(wanted)
    found = []
    while True:
        sets, outcome = engine.next(1)
        found += sets.to_list()
        if outcome == "complete":
            break
        assert (len(sets), outcome) == (1, "more")
    assert sorted(found) == sorted(wanted)
    for k in (0, 1, 3, len(wanted), 2**63):
        sets, outcome = _core.MulticlassCover.best(filter(None, rivals), query, k)
        assert (sets.to_list(), outcome) == (wanted[:k], "complete")


def long_question():
    """Ten classes that differ little: more change sets than anyone would list."""
    numbers = np.random.default_rng(1).integers(1, 10**6, (10, 60))
    functions = [
        _core.Threshold.from_weights(
            np.arange(0, 121, 2, dtype=np.uint32),
            np.stack([np.zeros_like(w), w], 1).ravel(),
            -int(w.sum() // 2),
        )
        for w in numbers
    ]
    return functions, _core.Query(np.zeros(60, dtype=np.uint32))


def test_time_is_kept():
    functions, query = long_question()
    engine = _core.MulticlassCover(functions, query)
    first, outcome = engine.next(2**63, 0.05)
    assert (len(first) > 0, outcome) == (True, "time")
    more, outcome = engine.next(1000)
    assert (len(more), outcome) == (1000, "more")
    assert not set(first.to_list()) & set(more.to_list())
    with pytest.raises(symcf.LimitError, match=r"more than [1-9]"):
        engine.tally(0.05)
    sets, outcome = _core.MulticlassCover.best(functions, query, 2**62, 0.05)
    assert (len(sets), outcome) == (0, "time")


def test_the_best_of_astronomically_many():
    functions, query = long_question()
    sets, outcome = _core.MulticlassCover.best(functions, query, 20)
    assert (len(sets), outcome) == (20, "complete")
    assert len(set(sets.to_list())) == 20


def test_a_rival_that_has_won_is_an_error():
    model = Scores((2,), np.array([[0, 0], [0, 5], [0, 0]]), np.array([0, 1, 0]), False, ((0, 1),))
    query = _core.Query(np.array([1], dtype=np.uint32))
    with pytest.raises(ValueError, match="already true of the instance"):
        _core.MulticlassCover(model.rivals(0), query)
    with pytest.raises(ValueError, match="already true of the instance"):
        _core.MulticlassCover.best(model.rivals(0), query, 3)


def test_what_does_not_fit_is_an_error():
    one, two = (_core.Threshold.from_weights(offsets([2] * n), np.zeros(2 * n, dtype=np.int64), -1) for n in (1, 2))
    with pytest.raises(ValueError, match="does not fit the features"):
        _core.MulticlassCover([one, two], _core.Query(np.zeros(1, dtype=np.uint32)))
    with pytest.raises(ValueError, match="query does not fit"):
        _core.MulticlassCover([one, None], _core.Query(np.zeros(2, dtype=np.uint32)))
    with pytest.raises(TypeError):
        _core.MulticlassCover([1], _core.Query(np.zeros(2, dtype=np.uint32)))
    rows = np.zeros((1, 1), dtype=np.uint8)
    for parts in ([[None, one], [one]], [[None, one, None]] * 3, [[None]], []):
        with pytest.raises(ValueError, match="K lists"):
            _core.decide(parts, rows)
    with pytest.raises(ValueError, match="same features"):
        _core.decide([_core.Diagram.compile(t, np.arange(t.n, dtype=np.uint32)) for t in (one, two, one)], rows)
    with pytest.raises(ValueError, match="value_offset does not fit"):
        _core.Batch([[None, one], [one, None]], two.value_offset, rows, result_memory=1 << 20)
    with pytest.raises(ValueError, match="target"):
        _core.Batch([[None, one], [one, None]], one.value_offset, rows, result_memory=1 << 20, target=2)
    with pytest.raises(NotImplementedError):
        _core.Batch(
            [[one if p != r else None for r in range(3)] for p in range(3)],
            one.value_offset,
            rows,
            result_memory=1 << 20,
            target=2,
        )


# --- decisions --------------------------------------------------------------------------------------------------------


@given(data=st.data())
def test_decisions_and_scores_of_rows_in_groups(data):
    model = data.draw(scores(grouped=True))
    rows = data.draw(instances(model.n_raw, max_size=8))
    codes = np.array(rows, dtype=data.draw(st.sampled_from([np.int8, np.uint16, np.int64]))).reshape(len(rows), model.n)
    groups = model.group_arrays
    core = np.array([[g[v] for g, v in zip(model.groups, row, strict=True)] for row in rows], dtype=np.uint32)
    core = core.reshape(len(rows), model.n)
    wanted = [model.decide_raw(row) for row in rows]
    assert _core.decide(model.functions, codes, groups).tolist() == wanted
    assert _core.decide(model.diagrams, codes, groups).tolist() == wanted
    assert _core.decide(model.functions, core).tolist() == wanted
    assert _core.decide(model.diagrams, core).tolist() == wanted
    f, d = model.beats(0, 1), model.diagrams[1]
    assert f.scores(codes, groups).tolist() == f.scores(core).tolist()
    assert f.margins(codes, groups).tolist() == f.margins(core).tolist()
    assert d.evaluate(codes, groups).tolist() == d.evaluate(core).tolist() == [k == 1 for k in wanted]
    assert _core.decide(f, codes, groups).tolist() == (f.scores(core) >= 0).tolist()
    assert _core.decide(d, core).tolist() == d.evaluate(core).tolist()
    assert _core.decide([model.diagrams[0], d], core).tolist() == d.evaluate(core).tolist()


def test_codes_out_of_range_are_named():
    model = Scores((2, 1), np.zeros((3, 3), dtype=np.int64), np.zeros(3, dtype=np.int64), False, ((0, 1, 0), (0,)))
    codes = np.array([[2, 0], [0, 0], [1, 1]], dtype=np.int8)
    with pytest.raises(symcf.InstanceError, match="row 2"):
        _core.decide(model.functions, codes, model.group_arrays)
    with pytest.raises(symcf.InstanceError, match="row 0"):
        _core.decide(model.functions, codes)
    for value_offset, group in [
        ([0, 3], [0, 1, 0]),
        ([0, 3, 4], [0, 1, 0]),
        ([1, 3, 4], [0] * 4),
        ([0, 5, 4], [0] * 4),
    ]:
        with pytest.raises(ValueError, match="groups do not fit"):
            _core.decide(model.functions, codes, (np.array(value_offset, np.uint32), np.array(group, np.uint32)))
    beyond = np.array([0, 3, 4], np.uint32), np.array([0, 2, 0, 0], np.uint32)  # value 1 has no such code in the core
    with pytest.raises(symcf.InstanceError, match="row 2"):
        _core.decide(model.functions, codes, beyond)
    with pytest.raises(ValueError, match="groups"):
        open_batch(model.functions, model, codes, Constraints([1] * 4, None, None, None), groups=beyond)


# --- batches ----------------------------------------------------------------------------------------------------------


def open_batch(parts, model, codes, given_, **options):
    return _core.Batch(
        parts,
        model.value_offset,
        codes,
        allowed=as_array(given_.mask, np.uint8),
        direction=as_array(given_.direction, np.uint8),
        cost=as_array(given_.cost, np.int64),
        max_changes=given_.max_changes,
        result_memory=1 << 24,
        **options,
    )


def finish(batch, n_jobs):
    threads = [threading.Thread(target=batch.work, args=[False]) for _ in range(n_jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return batch.finish()


def rows_of(columns):
    """By row: prediction, status, sets."""
    ends = columns.set_offsets
    sets = [tuple(columns.features[a:b].tolist()) for a, b in pairwise(ends)]
    starts = columns.row_offsets
    return [
        (int(k), int(s), sets[a:b])
        for k, s, a, b in zip(columns.prediction, columns.status, starts, starts[1:], strict=False)
    ]


def wanted_row(model, x, given_, target, k, max_results):
    if any(not 0 <= v < d for v, d in zip(x, model.n_raw, strict=True)):
        return 0, INVALID, []
    before = model.decide_raw(x)
    if before == target:
        return before, AT_TARGET, []
    allowed = given_.values_of(x, model.n_raw)
    sets = oracle.change_sets(model.decide_raw, x, model.n_raw, allowed, given_.max_changes, target)
    sets = oracle.cheapest(sets, given_.cost)
    sets = sets[: k or None]
    more = len(sets) > max_results if max_results and not k else 0 < max_results < k and len(sets) >= max_results
    return before, MAX_RESULTS if more else COMPLETE, sets[: max_results or None]


@given(data=st.data())
def test_a_batch_is_its_rows(data):
    grouped = data.draw(st.booleans())
    model = data.draw(scores(grouped=grouped, most=5))
    target = data.draw(st.none() | st.integers(0, model.n_classes - 1))
    rows = data.draw(instances([d + 1 for d in model.n_raw], max_size=70 if model.n < 4 else 8))
    codes = np.array(rows, dtype=np.uint8).reshape(len(rows), model.n)
    given_ = data.draw(constraints(model.n_raw))
    k = data.draw(st.sampled_from([0, 0, 1, 4]))
    max_results = data.draw(st.sampled_from([0, 0, 1, 2]))
    wanted = [wanted_row(model, x, given_, target, k, max_results) for x in rows]
    by_class = model.diagrams
    for parts in [by_class] if target is not None else [model.functions, by_class]:
        for n_jobs in (1, 3):
            batch = open_batch(
                parts,
                model,
                codes,
                given_,
                k=k,
                max_results=max_results,
                target=-1 if target is None else target,
                mark_bad_rows=True,
                groups=model.group_arrays if grouped else None,
            )
            found = rows_of(finish(batch, n_jobs))
            if max_results and not k:  # some of them, whichever
                everything = [wanted_row(model, x, given_, target, 0, 0)[2] for x in rows]
                assert [(p, s, len(sets)) for p, s, sets in found] == [(p, s, len(sets)) for p, s, sets in wanted]
                assert all(set(f[2]) <= set(e) for f, e in zip(found, everything, strict=True))
            else:
                assert found == wanted


@given(data=st.data())
def test_two_classes_in_groups(data):
    """A threshold function and its diagram, with values that are one to the core."""
    model = data.draw(scores(grouped=True))
    threshold = model.beats(0, 1)
    diagram = _core.Diagram.compile(threshold, np.arange(model.n, dtype=np.uint32))
    rows = data.draw(instances(model.n_raw, max_size=6))
    codes = np.array(rows, dtype=np.uint8).reshape(len(rows), model.n)
    given_ = data.draw(constraints(model.n_raw))

    def decide(x):
        return int(threshold.scores(np.array([x], dtype=np.uint8).reshape(1, model.n), model.group_arrays)[0] >= 0)

    wanted = [
        oracle.cheapest(
            oracle.change_sets(decide, x, model.n_raw, given_.values_of(x, model.n_raw), given_.max_changes),
            given_.cost,
        )
        for x in rows
    ]
    for parts in (threshold, diagram, [[None, threshold], [complement(threshold), None]]):
        batch = open_batch(parts, model, codes, given_, groups=model.group_arrays)
        assert [sets for _, _, sets in rows_of(finish(batch, 1))] == wanted


def complement(t):
    return _core.Threshold.from_weights(np.array(t.value_offset), -np.array(t.weight), -t.bias - 1)


@pytest.mark.parametrize("n", [57, 58, 64, 65, 80])
@pytest.mark.parametrize("ordered", [True, False])
def test_masks_and_wide_rows(n, ordered):
    """However sets travel inside: as masks, as keys or as lists."""
    rng = np.random.default_rng(n)
    model = Scores((2,) * n, rng.integers(-9, 10, (3, 2 * n)), rng.integers(-9, 10, 3), False, ((0, 1),) * n)
    codes = rng.integers(0, 2, (20, n)).astype(np.uint8)
    for cost in (None, [1 + j % 3 for j in range(n)]):
        batch = open_batch(model.functions, model, codes, Constraints(None, None, cost, 3), sorted=ordered)
        for x, (before, status, sets) in zip(codes, rows_of(finish(batch, 2)), strict=True):
            query = _core.Query(x.astype(np.uint32), None, as_array(cost, np.int64), 3)
            wanted, _ = _core.MulticlassCover(model.rivals(before), query).next(2**63)
            if ordered:
                wanted.sort(as_array(cost, np.int64))
            assert (status, sets) == (COMPLETE, wanted.to_list())


def test_more_classes_than_a_byte_tells():
    one = _core.Threshold.from_weights(offsets([2]), np.zeros(2, dtype=np.int64), -1)
    rows = np.zeros((1, 1), dtype=np.uint8)
    most = [[one] * 256] * 256
    assert _core.decide(most, rows).tolist() == [0]
    more = [[one] * 257] * 257
    with pytest.raises(NotImplementedError):
        _core.decide(more, rows)
    with pytest.raises(NotImplementedError):
        _core.Batch(more, one.value_offset, rows, result_memory=1 << 20)


def test_the_oracle_of_this_file_is_right():
    """By hand: three classes over two features; feature 0 moves class 0 to 1, both together to 2."""
    weights = np.array([[0, 0, 0, 0], [0, 3, 0, 0], [0, 2, 0, 3]])
    model = Scores((2, 2), weights, np.array([2, 0, 0]), False, ((0, 1), (0, 1)))
    assert [model.decide(x) for x in product(range(2), repeat=2)] == [0, 2, 1, 2]
    assert oracle.change_sets(model.decide, (0, 0), (2, 2)) == [(0,), (1,)]
    assert oracle.change_sets(model.decide, (0, 0), (2, 2), target=2) == [(1,)]
    sets, _ = _core.MulticlassCover(model.rivals(0), _core.Query(np.zeros(2, dtype=np.uint32))).next(9)
    assert sorted(sets.to_list()) == [(0,), (1,)]
