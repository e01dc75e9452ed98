"""Counterfactuals in which nothing can be moved less far: all engines against brute force over all rows.

python tests/property/test_moves.py --count 1000 [--seed 0]        more models than the suite tries
"""

from __future__ import annotations

import argparse
import itertools
import json
import pickle
import random

import cases
import numpy as np
import pytest
import questions
import reference
from sklearn.ensemble import RandomForestClassifier
from strategies import LONGER

import symcf
import symcf.fast
from symcf.answers.summary import AT_TARGET
from symcf.search.moves import MovedSets

ENGINES = ("cover", "diagram", "sat", "sat-portable")
LABELS = (["no", "yes"], [-1, 1], [False, True], ["a", "b", "c"], [-7, 0, 3])


def moves(decide, x, sizes, ordered, *, target=None, permits=None, holds=None, most=None):
    """All counterfactuals than which none is less far, by the reference."""
    constraints = [] if holds is None else [lambda old, new: holds(new)]
    question = reference.Question(
        reference.codes(sizes, ordered), decide, x,
        target=target, may=permits, constraints=constraints, max_changes=most,
    )  # fmt: skip
    return [row for _, row in question.moves()]


# --- random models ----------------------------------------------------------------------------------------------------


class Model:
    """A classifier of symcf's, and the same as a Python function of value codes."""

    def __init__(self, rng, engines=ENGINES):
        self.sizes = [rng.choice([2, 2, 3, 4, 5]) for _ in range(rng.choice([2, 3, 3, 4, 4, 5]))]
        self.ordered = [rng.random() < 0.75 for _ in self.sizes]
        self.engines = engines
        self.n_classes = 2

    def rows(self, rng):
        return tuple(rng.randrange(size) for size in self.sizes)


class Sums(Model):
    """Weights that are often equal, so that values form groups and scores tie."""

    def __init__(self, rng):
        super().__init__(rng)
        self.labels = rng.choice(LABELS)
        self.n_classes = len(self.labels)
        k = self.n_classes if self.n_classes > 2 else 1
        weights = [[[rng.randint(-4, 4) for _ in range(size)] for size in self.sizes] for _ in range(k)]
        bias = [rng.randint(-3, 3) for _ in range(k)]
        tie = rng.choice(["negative", "positive"])
        given = (weights[0], bias[0]) if k == 1 else (weights, bias)
        self.model = symcf.LinearClassifier(*given, classes=self.labels, ordered=self.ordered, tie=tie)

        def decide(row):
            sums = [b + sum(w[v] for w, v in zip(of, row, strict=True)) for of, b in zip(weights, bias, strict=True)]
            if k == 1:
                return int(sums[0] > 0 or (sums[0] == 0 and tie == "positive"))
            best = [i for i, s in enumerate(sums) if s == max(sums)]
            return best[-1] if tie == "positive" else best[0]

        self.decide = decide


class Forest(Model):
    """Trees over whole values, which vote."""

    def __init__(self, rng):
        super().__init__(rng, ("boxes", *ENGINES[1:]))
        self.labels = rng.choice(LABELS)
        self.n_classes = len(self.labels)
        names = [f"x{j}" for j in range(len(self.sizes))]
        values = {name: list(range(size)) for name, size in zip(names, self.sizes, strict=True)}
        trees = [self.grown(rng, 3) for _ in range(rng.choice([1, 2, 3]))]
        self.model = symcf.RandomForest(
            [self.as_dict(tree) for tree in trees],
            features=names, values=values, classes=self.labels, ordered=self.ordered, vote="hard",
        )  # fmt: skip

        def decide(row):
            votes = [0] * self.n_classes
            for tree in trees:
                while isinstance(tree, tuple):
                    j, chosen, yes, no = tree
                    tree = yes if row[j] in chosen else no
                votes[tree] += 1
            return votes.index(max(votes))

        self.decide = decide

    def grown(self, rng, depth):
        if not depth or rng.random() < 0.2:
            return rng.randrange(self.n_classes)
        j = rng.randrange(len(self.sizes))
        count = rng.randint(1, self.sizes[j] - 1)
        mixed = not self.ordered[j] or rng.random() < 0.2
        chosen = sorted(rng.sample(range(self.sizes[j]), count)) if mixed else list(range(count))
        return j, chosen, self.grown(rng, depth - 1), self.grown(rng, depth - 1)

    def as_dict(self, tree):
        if not isinstance(tree, tuple):
            return {"counts": [int(c == tree) for c in range(self.n_classes)]}
        j, chosen, yes, no = tree
        return {"feature": f"x{j}", "in": chosen, "yes": self.as_dict(yes), "no": self.as_dict(no)}


class Function(Model):
    """Any function at all."""

    def __init__(self, rng):
        super().__init__(rng, ENGINES[1:])
        self.labels = [0, 1]
        table = {row: int(rng.random() < 0.4) for row in itertools.product(*map(range, self.sizes))}
        self.ordered = [True] * len(self.sizes)
        self.model = symcf.from_function(table.__getitem__, self.sizes)
        self.decide = table.__getitem__


def permitted(rng, model):
    """Constraints for symcf, and the same as a function of feature, old and new value."""
    options = {}
    if rng.random() < 0.3:
        options["immutable"] = rng.sample(range(len(model.sizes)), 1)
    if rng.random() < 0.4:
        j = rng.randrange(len(model.sizes))
        listed = sorted(rng.sample(range(model.sizes[j]), rng.randint(1, model.sizes[j])))
        options["allowed"] = {j: rng.choice(["increase", "decrease", listed]) if model.ordered[j] else listed}

    def permits(j, old, new):
        way = options.get("allowed", {}).get(j)
        if j in options.get("immutable", ()):
            return False
        return way is None or (new > old if way == "increase" else new < old if way == "decrease" else new in way)

    return options, permits


def costs(rng, model, x):
    """A cost for symcf, and the same as a function of feature and new value."""
    kind = rng.choice(["none", "features", "ordinal", "values"])
    if kind == "none":
        return None, lambda j, v: 1
    each = [rng.randint(1, 5) for _ in model.sizes]
    if kind == "features":
        return each, lambda j, v: each[j]
    if kind == "ordinal" and all(model.ordered):
        return "ordinal", lambda j, v: abs(v - x[j])
    steep = {j: rng.randint(1, 3) for j in range(len(model.sizes))}
    price = lambda j, a, b: steep[j] * (abs(a - b) // 2 + 1) if model.ordered[j] else steep[j] + (a * 7 + b * 3) % 4  # noqa: E731
    tables = {
        j: [[price(j, a, b) if a != b else 0 for b in range(size)] for a in range(size)]
        for j, size in enumerate(model.sizes)
    }
    return tables, lambda j, v: price(j, x[j], v)


def check(seed):
    """One model, one row, one question: all engines, all ways to ask."""
    rng = random.Random(seed)
    model = rng.choice([Sums, Sums, Forest, Function])(rng)
    x = model.rows(rng)
    options, permits = permitted(rng, model)
    cost, price = costs(rng, model, x)
    target, holds, most = None, None, rng.choice([None, None, 0, 1, 2])
    if most is not None:
        options["max_changes"] = most
    engines = model.engines
    if model.n_classes > 2 and rng.random() < 0.5:
        target = rng.choice([c for c in range(model.n_classes) if c != model.decide(x)])
        options["target"] = model.labels[target]
        engines = [engine for engine in engines if engine != "cover"]
    if rng.random() < 0.25:
        a, b = rng.randrange(model.sizes[0]), rng.randrange(model.sizes[1])
        options["constraints"] = [symcf.forbid({0: [a], 1: [b]})]
        engines = [engine for engine in engines if engine != "cover"]

        def holds(row):
            return not (row[0] == a and row[1] == b)

    wanted = moves(model.decide, x, model.sizes, model.ordered, target=target, permits=permits, holds=holds, most=most)
    paid = {row: sum(price(j, v) for j, v in enumerate(row) if v != x[j]) for row in wanted}
    c = symcf.compile(model.model)
    assert int(c.predict([list(x)], codes=True)[0]) == model.decide(x)
    order = None
    for engine in ("auto", *engines):
        ask = {"minimality": "moves", "engine": engine, "cost": cost, **options}
        e = c.explain(list(x), **ask)
        rows = [tuple(cf.instance.tolist()) for cf in e]
        assert e.complete
        assert sorted(rows) == sorted(wanted), (seed, engine)
        assert [cf.cost for cf in e] == sorted(paid.values()), (seed, engine)
        assert order in (None, rows), (seed, engine)
        order = rows
        assert c.count(list(x), **{**ask, "cost": None}) == len(wanted)
        for k in (1, 3):
            best = c.explain(list(x), k=k, **ask)
            assert [tuple(cf.instance.tolist()) for cf in best] == rows[:k], (seed, engine, k)
    report = symcf.verify(c, list(x), e)
    assert report, (seed, str(report))
    return len(wanted)


@pytest.mark.parametrize("seed", range(100))
def test_random_models(seed):
    check(seed)


# --- the ways to ask


def bank():
    """Feature "town" has no order; ages 2 and 3 make no difference to each other."""
    weights = [[0, 1, 3, 3, 5], [0, 2, 1], [0, 4]]
    return symcf.LinearClassifier(
        weights, bias=-5, features=["age", "town", "job"], ordered=[True, False, True], classes=["no", "yes"]
    )


def answers(e):
    return [{change.name: change.new for change in cf.changes} for cf in e]


EVERYTHING = [
    {"town": 1, "job": 1},
    {"age": 2, "job": 1},
    {"age": 4, "town": 1},
    {"age": 4, "town": 2},
    {"age": 1, "town": 2, "job": 1},
]


@pytest.mark.parametrize("engine", ENGINES)
def test_values_are_part_of_the_answer(engine):
    c = symcf.compile(bank())
    e = c.explain([0, 0, 0], minimality="moves", engine=engine)
    assert answers(e) == EVERYTHING
    assert e.sets == [(1, 2), (0, 2), (0, 1), (0, 1), (0, 1, 2)]
    assert (e.count, len(e), e.engine, e.minimality) == (5, 5, engine, "moves")
    assert c.explain([0, 0, 0], engine=engine).sets == [(0, 1), (0, 2), (1, 2)]  # the default is as ever
    dear = c.explain([0, 0, 0], minimality="moves", engine=engine, cost={"age": "ordinal"}, k=3)
    assert answers(dear) == [EVERYTHING[0], EVERYTHING[1], EVERYTHING[4]]
    assert [cf.cost for cf in dear] == [2.0, 3.0, 3.0]


@pytest.mark.parametrize("engine", ENGINES)
def test_limits_and_streams(engine):
    c = symcf.compile(bank())
    ask = {"minimality": "moves", "engine": engine}
    assert sorted(map(str, answers(c.iter_counterfactuals([0, 0, 0], **ask)))) == sorted(map(str, EVERYTHING))
    few = c.explain([0, 0, 0], max_results=2, **ask)
    assert (few.count, few.status) == (2, "max_results")
    assert all(answer in EVERYTHING for answer in answers(few))
    assert c.explain([0, 0, 0], k=4, max_results=2, **ask).status == "max_results"
    late = c.explain([0, 0, 0], time_limit=0, **ask)
    assert late.status == "time_limit" or (engine == "cover" and late.complete)  # done before it looks at the clock
    none = c.explain([0, 0, 0], immutable=["job", "town"], allowed={"age": [1, 2]}, **ask)
    assert none.complete
    assert not none.sets
    assert none.blocking


def test_draws_are_from_all_of_them():
    c = symcf.compile(bank())
    drawn = c.sample([0, 0, 0], 400, 1, minimality="moves")
    seen = {str(answer): answers(drawn).count(answer) for answer in EVERYTHING}
    assert sum(seen.values()) == 400
    assert min(seen.values()) > 40
    forest = Forest(random.Random(5))
    x = [0] * len(forest.sizes)
    by_diagram = symcf.compile(forest.model)
    wanted = answers(by_diagram.explain(x, minimality="moves"))
    assert all(answer in wanted for answer in answers(by_diagram.sample(x, 20, 1, minimality="moves")))


def test_batches_have_the_values_as_a_column():
    model = bank()
    c = symcf.compile(model)
    rows = np.array(list(itertools.product(range(5), range(3), range(2))))
    for engine in ("auto", "diagram"):
        batch = symcf.fast.explain_batch(c, rows, minimality="moves", cost={"age": "ordinal"}, engine=engine)
        for i, row in enumerate(rows):
            one = c.explain(row.tolist(), minimality="moves", cost={"age": "ordinal"})
            assert batch[i] == one
            assert answers(batch[i]) == answers(one)
            assert list(batch.sets(i)) == list(one.sets)
        assert batch[3:7][1] == batch[4]
        assert pickle.loads(pickle.dumps(batch)) == batch
        frame = batch.to_pandas()
        assert frame["new"].tolist() == [change.new for e in batch for cf in e for change in cf.changes]
        assert batch.cost.tolist() == [cf.cost for e in batch for cf in e]


def options_of(rng, c, sizes, ordered):
    """Keywords for batches over steps: limits, costs, and what may change."""
    names = list(c.features)
    keywords = {"minimality": "moves"}
    if rng.random() < 0.4:
        keywords["k"] = rng.randint(1, 5)
    if rng.random() < 0.3:
        keywords["max_changes"] = rng.randint(1, 2)
    if rng.random() < 0.3:
        keywords["immutable"] = [name for name in names[1:] if rng.random() < 0.3]
    if rng.random() < 0.3:
        keywords["target"] = c.classes[0]
    some = rng.random()
    if some < 0.3 and all(ordered):
        keywords["cost"] = "ordinal"
    elif some < 0.6:
        keywords["cost"] = [rng.randint(1, 4) for _ in names]
    elif some < 0.7:
        keywords["cost"] = {names[0]: lambda old, new: 1 + abs(old - new)}
    if rng.random() < 0.3:
        ways = ["increase", "decrease"] if ordered[0] else []
        ways.append([v for v in range(sizes[0]) if rng.random() < 0.6] or [0])
        keywords["allowed"] = {names[0]: rng.choice(ways)}
    return keywords


def test_batches_say_of_every_row_what_explain_says():
    found = 0
    for seed in range(60):
        rng = random.Random(f"rows {seed}")
        sizes = [rng.randint(1, 5) for _ in range(rng.randint(1, 5))]
        ordered = [rng.random() < 0.6 for _ in sizes]
        span = rng.choice([2, 5, 1000])
        weights = [[rng.randint(-span, span) for _ in range(d)] for d in sizes]
        values = [list(range(d)) for d in sizes]
        if rng.random() < 0.5:
            model = symcf.LinearClassifier(weights, rng.randint(-span, span), ordered=ordered, values=values)
        else:
            classes = range(rng.randint(2, 4))
            counts = [[[rng.randint(1, span) for _ in range(d)] for _ in classes] for d in sizes]
            tables = [[[n / sum(row) for n in row] for row in of_feature] for of_feature in counts]
            model = symcf.NaiveBayes([1 / len(classes)] * len(classes), tables, ordered=ordered, values=values)
        c = symcf.compile(model)
        rows = [[rng.randrange(d) for d in sizes] for _ in range(12)]
        keywords = options_of(rng, c, sizes, ordered)
        batch = symcf.fast.explain_batch(c, rows, **keywords)
        for i, row in enumerate(rows):
            if batch.status[i] == AT_TARGET:
                assert c.predict([row])[0] == keywords["target"]
                assert not len(batch[i])
                continue
            one = c.explain(row, **keywords)
            assert batch[i] == one, (seed, i)
            assert answers(batch[i]) == answers(one), (seed, i)
            assert [cf.cost for cf in batch[i]] == [cf.cost for cf in one], (seed, i)
            found += len(one)
        assert symcf.fast.explain_batch(c, rows, n_jobs=2, **keywords) == batch
        assert symcf.fast.explain_batch(c, rows, max_results=1, **keywords).n_sets <= len(rows)
    assert found > 1000


def test_a_batch_over_steps_marks_bad_rows_and_stops_in_time():
    c = symcf.compile(bank())
    rows = np.array([[0, 0, 0], [9, 0, 0], [1, 1, 1]])
    batch = symcf.fast.explain_batch(c, rows, minimality="moves", errors="mark")
    assert [batch.status[i] == batch.status[1] for i in range(3)] == [False, True, False]
    with pytest.raises(symcf.InstanceError, match="row 1"):
        symcf.fast.explain_batch(c, rows, minimality="moves")
    late = symcf.fast.explain_batch(c, rows[[0, 2]], minimality="moves", time_limit=0)
    assert [e.status for e in late] == ["time_limit"] * 2
    with pytest.raises(symcf.LimitError, match="max_memory"):
        symcf.fast.explain_batch(c, rows[[0, 2] * 2000], minimality="moves", max_memory=10_000)
    with pytest.raises(symcf.OptionError, match="a longer move must not cost less"):
        symcf.fast.explain_batch(c, rows[:1], minimality="moves", cost={"age": lambda old, new: 9 - abs(old - new)})


def test_of_equal_costs_the_one_of_fewer_steps_comes_first_however_many_features():
    """Three steps of a cost as much as one of b and one of c; the values of a make small differences."""
    no, yes = {"counts": [100, 0]}, {"counts": [0, 100]}

    def split(feature, value, then, otherwise):
        return {"feature": feature, "in": [value], "yes": then, "no": otherwise}

    decides = split("a", 3, yes, split("b", 1, split("c", 1, yes, no), no))
    leans = {"counts": [63, 37]}
    for value in range(3):
        leans = split("a", value, {"counts": [60 + value, 40 - value]}, leans)
    model = symcf.RandomForest(
        [decides, leans], features=["a", "b", "c"], values=[range(4), range(2), range(2)], ordered=True, vote="soft"
    )
    c = symcf.compile(model)
    for engine in ("boxes", "diagram", "auto"):
        ask = {"minimality": "moves", "cost": [2, 1, 1], "engine": engine}
        assert answers(c.explain([0, 0, 0], **ask)) == [{"b": 1, "c": 1}, {"a": 3}]
        assert answers(c.explain([0, 0, 0], k=1, **ask)) == [{"b": 1, "c": 1}]


def test_trees_that_are_too_many_for_a_diagram():
    rng = np.random.default_rng(3)
    data = rng.normal(size=(400, 8)).round(1)  # few cuts, so that all pairs can be tried
    forest = RandomForestClassifier(60, max_depth=6, random_state=0).fit(
        data, data[:, 0] * data[:, 1] + data[:, 2] > 0.3
    )
    c, row = symcf.compile(forest), data[7]
    e = c.explain(row, minimality="moves", max_changes=2)
    assert (e.status, e.engine, e.complete_up_to) == ("complete", "boxes", 2)
    assert len(e) > 20
    assert (forest.predict(np.array([cf.row for cf in e])) != forest.predict([row])[0]).all()
    old, nearer = c.codes(row[None])[0], []
    for cf in e:
        for j in cf.features:  # a step less, with the others as they are, does not flip
            nearer.append(cf.instance.copy())
            nearer[-1][j] += 1 if cf.instance[j] < old[j] else -1
            assert 0 <= nearer[-1][j] < len(c.values[j])
    assert (c.decide(np.array(nearer)) == c.decide(old[None])[0]).all()
    assert sorted(map(tuple, (cf.instance.tolist() for cf in e))) == sorted(pairs_that_flip(c, row))
    assert symcf.fast.explain_batch(c, data[6:9], minimality="moves", max_changes=2)[1] == e
    best = c.explain(row, minimality="moves", k=3)
    assert [cf.instance.tolist() for cf in best] == [cf.instance.tolist() for cf in e[:3]]
    for seconds in LONGER:
        some = c.explain(row, minimality="moves", time_limit=seconds)
        assert some.status == "time_limit"
        if some.complete_up_to >= 1:
            break
    assert some.complete_up_to >= 1
    dear = c.explain(row, minimality="moves", k=2, cost=[10**30 + j for j in range(8)], time_limit=0.2)
    assert len(dear) <= 2


def pairs_that_flip(c, row):
    """All rows that differ from this one in one or two columns, are decided differently, and are nearest."""
    x = c.codes(row[None])[0].tolist()
    sizes = [len(values) for values in c.values]
    rows = {tuple(x)}
    for i, j in itertools.combinations(range(len(x)), 2):
        grid = np.repeat([x], sizes[i] * sizes[j], axis=0)
        grid[:, i], grid[:, j] = np.divmod(np.arange(len(grid)), sizes[j])
        rows.update(map(tuple, grid[c.decide(grid) != c.decide(np.array([x]))].tolist()))
    rows.discard(tuple(x))
    grouped = {}
    for other in rows:
        grouped.setdefault(tuple(int(np.sign(a - b)) for a, b in zip(other, x, strict=True)), []).append(other)

    question = reference.Question(reference.codes(sizes, [True] * len(x)), lambda row: None, x)

    def is_nearest(far, ways):
        parts = itertools.product(*({0, way} for way in ways))
        return not any(question.is_less_far(near, far) for part in parts for near in grouped.get(part, ()))

    return [far for ways, some in grouped.items() for far in some if is_nearest(far, ways)]


def test_json_and_pickles_keep_the_values():
    c = symcf.compile(bank())
    e = c.explain([0, 0, 0], minimality="moves")
    back = symcf.Explanation.from_dict(json.loads(e.to_json()))
    assert answers(back) == EVERYTHING
    assert back.minimality == "moves"
    assert symcf.verify(c, [0, 0, 0], back)
    assert "minimality" not in c.explain([0, 0, 0]).to_dict()
    sets = pickle.loads(pickle.dumps(e.sets))
    assert sets == e.sets
    assert sets[1].codes == (2, 1)
    other = MovedSets(np.array(e.sets.features), np.cumsum(e.sets.sizes), np.array(e.sets.codes) + 1)
    assert list(other) == list(e.sets)
    assert other != e.sets


def test_verify_notices_what_is_wrong():
    c = symcf.compile(bank())
    right = c.explain([0, 0, 0], minimality="moves", cost={"age": "ordinal"})
    assert symcf.verify(c, [0, 0, 0], right)

    def report(change):
        data = json.loads(right.to_json())
        change(data["counterfactuals"])
        return symcf.verify(c, [0, 0, 0], symcf.Explanation.from_dict(data))

    assert report(lambda found: found.pop()).complete is False
    assert report(list.reverse).honest is False
    assert report(lambda found: found.append(found[0])).honest is False

    def too_far(found):
        farther = next(item for item in found if item["codes"] == [2, 0, 1])
        farther["codes"], farther["cost"] = [3, 0, 1], 4.0
        farther["changes"][0].update(new=3, new_code=3)

    assert report(too_far).minimal is False

    def not_enough(found):
        found[0]["codes"], found[0]["changes"][1]["new"] = [0, 2, 1], 2

    assert report(not_enough).valid is False


def test_large_sums_are_verified_too():
    weights = [[0, 1, 2, 4, 8, 9] for _ in range(8)]
    c = symcf.compile(symcf.LinearClassifier(weights, bias=-60))
    e = c.explain([0] * 8, minimality="moves", k=5)
    assert e.count == 5
    report = symcf.verify(c, [0] * 8, e)
    assert (report.valid, report.minimal, report.complete, report.honest) == (True, True, None, True)
    far = json.loads(e.to_json())
    item = far["counterfactuals"][0]
    place = item["codes"].index(0) if 0 in item["codes"] else item["codes"].index(4)
    item["codes"][place], item["changes"] = 5, [{**change, "new": 5} for change in item["changes"]]
    assert symcf.verify(c, [0] * 8, symcf.Explanation.from_dict(far)).minimal is False


@pytest.mark.parametrize("most", [0, 1, 2])
def test_few_changes_of_many_values_are_verified_too(most):
    weights = [[0, 1, 2, 4, 8, 9] for _ in range(8)]
    c = symcf.compile(symcf.LinearClassifier(weights, bias=-8))
    e = c.explain([0] * 8, minimality="moves", max_changes=most)
    assert len(e) == [0, 8, 8 + 2 * 28][most]
    assert symcf.verify(c, [0] * 8, e).complete is True
    if most:
        data = json.loads(e.to_json())
        data["counterfactuals"].pop()
        assert symcf.verify(c, [0] * 8, symcf.Explanation.from_dict(data)).complete is False


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("k", [None, 2])
def test_costs_of_any_size_order_exactly(engine, k):
    c = symcf.compile(bank())
    cost = {"age": 10**30 + 1, "town": 10**30, "job": 10**30}
    e = c.explain([0, 0, 0], minimality="moves", engine=engine, cost=cost, k=k)
    assert answers(e) == EVERYTHING[:k]


def test_what_does_not_go_together_is_refused():
    c = symcf.compile(bank())
    falling = {"age": [[9, 3, 2, 4, 5] for _ in range(5)]}
    with pytest.raises(symcf.OptionError, match=r"^cost\['age'\]: .* longer move must not .* 0 -> 2 costs 2"):
        c.explain([0, 0, 0], minimality="moves", cost=falling)
    assert c.explain([0, 0, 0], minimality="moves", cost=falling, allowed={"age": [2, 3]}).complete
    with pytest.raises(symcf.OptionError, match=r"^select"):
        c.explain([0, 0, 0], minimality="moves", select="all")
    with pytest.raises(symcf.OptionError, match=r"^select"):
        symcf.fast.explain_batch(c, [[0, 0, 0]], minimality="moves", select="all")
    with pytest.raises(symcf.OptionError, match=r"unknown minimality 'steps': choose from 'features', 'moves'"):
        c.explain([0, 0, 0], minimality="steps")
    with pytest.raises(symcf.OptionError, match=r"^minimality"):
        c.why([0, 0, 0], minimality="moves")
    with pytest.raises(symcf.OptionError, match=r"^minimality"):
        c.wcnf([0, 0, 0], minimality="moves")
    related = {"constraints": ["age = 1 -> job = 1"], "minimality": "moves"}
    with pytest.raises(symcf.OptionError, match="engine 'cover'"):
        c.explain([0, 0, 0], engine="cover", **related)
    assert c.explain([0, 0, 0], **related).engine == "diagram"


def test_on_two_values_moves_are_features():
    rng = np.random.default_rng(3)
    c = symcf.compile(symcf.NaiveBayes.binary(0.4, rng.random(9), rng.random(9)))
    for x in rng.integers(0, 2, (10, 9)).tolist():
        moves, features = c.explain(x, minimality="moves"), c.explain(x)
        assert moves.sets == list(features.sets)
        assert c.count(x, minimality="moves") == features.count
        assert c.count_bounds(x, minimality="moves") == (features.count, features.count)


def test_nothing_lies_between_a_missing_number_and_others():
    """A row with a missing number may get any number: none of them is nearer than another."""
    tried = 0
    for seed in range(60):
        rng = random.Random(f"missing {seed}")
        case = cases.draw(rng, "boosted trees")
        gaps = [j for j, domain in enumerate(case.domains) if reference.MISSING in domain.values]
        if not gaps:
            continue
        row = list(case.draw_row(rng))
        row[rng.choice(gaps)] = reference.MISSING
        wanted = reference.Question(case.domains, case.decide, row)
        keywords = {"minimality": "moves"}
        asked = cases.Asked(case, tuple(row), "list", keywords, (), wanted, case.compiled, moves=True)
        for engine in ("auto", "boxes", "diagram"):
            asked.by = {} if engine == "auto" else {"engine": engine}
            questions.check_explain(asked)
        assert symcf.verify(case.compiled, asked.x, case.compiled.explain(asked.x, **keywords))
        tried += 1
    assert tried > 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = [check(seed) for seed in range(options.seed, options.seed + options.count)]
    print(f"{len(found)} models, {sum(map(bool, found))} of them with {sum(found)} counterfactuals: all as expected")


if __name__ == "__main__":
    main()
