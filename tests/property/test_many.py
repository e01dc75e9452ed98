"""Many values, many classes: the oracle, every engine, batches and verify agree."""

from fractions import Fraction
from itertools import product

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
import symcf.fast

ENGINES = ["auto", "cover", "diagram", "sat", "sat-portable"]

# Few different numbers: values that weigh the same, classes that tie.
WEIGHTS = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.0, 0.5, 1.0, 2.0])
COUNTS = st.integers(1, 4)


@st.composite
def shapes(draw, most=6):
    return draw(st.lists(st.integers(1, 4), min_size=0, max_size=most))


@st.composite
def bayes(draw):
    n_values, k = draw(shapes()), draw(st.integers(2, 4))

    def distribution(size):
        counts = draw(st.lists(COUNTS, min_size=size, max_size=size))
        return [count / sum(counts) for count in counts]

    tables = [[distribution(d) for _ in range(k)] for d in n_values]
    return symcf.NaiveBayes(distribution(k), tables, tie=draw(st.sampled_from(["positive", "negative"])))


@st.composite
def linear(draw):
    n_values, k = draw(shapes()), draw(st.integers(2, 4))
    tie = draw(st.sampled_from(["positive", "negative"]))

    def weights():
        return [draw(st.lists(WEIGHTS, min_size=d, max_size=d)) for d in n_values]

    if k == 2:
        return symcf.LinearClassifier(weights(), draw(WEIGHTS), tie=tie)
    biases = draw(st.lists(WEIGHTS, min_size=k, max_size=k))
    return symcf.LinearClassifier([weights() for _ in range(k)], biases, tie=tie)


@st.composite
def functions(draw):
    n_values, k = draw(shapes(most=4)), draw(st.integers(2, 3))
    inputs = oracle.inputs(n_values)
    answers = draw(st.lists(st.integers(0, k - 1), min_size=len(inputs), max_size=len(inputs)))
    table = dict(zip(inputs, answers, strict=True))
    return symcf.from_function(lambda x: table[tuple(x)], n_values, classes=range(k))


@st.composite
def trees(draw, n, k, depth):
    """Thresholds between few numbers, counts at the leaves."""
    if depth == 0 or draw(st.booleans()):
        return {"scores": draw(st.lists(st.integers(0, 3), min_size=k, max_size=k))}
    below, above = draw(trees(n, k, depth - 1)), draw(trees(n, k, depth - 1))
    feature = f"x{draw(st.integers(0, n - 1))}"
    return {"feature": feature, "at_most": draw(st.sampled_from([0.5, 1.5, 2.5])), "yes": below, "no": above}


@st.composite
def forests(draw):
    n, k = draw(st.integers(1, 4)), draw(st.integers(2, 3))
    names, classes = [f"x{j}" for j in range(n)], list(range(k))
    grown = draw(st.lists(trees(n, k, 3), min_size=1, max_size=3))
    model = symcf.RandomForest(grown, features=names, classes=classes)
    model.encoder = None  # codes in, as for the others
    return model


MODELS = st.one_of(bayes(), linear(), functions(), forests())


class Ask:
    """A question as symcf is asked it, and as the oracle is."""

    def __init__(self, draw, model, relations=True):
        self.c = c = symcf.compile(model)
        self.n_values = [len(values) for values in c.values]
        n, rows = len(self.n_values), oracle.inputs(self.n_values)
        codes = np.array(rows, dtype=np.int64).reshape(len(rows), n)
        self.table = dict(zip(rows, c.predict(codes, codes=True).tolist(), strict=True))
        self.x = x = draw(st.sampled_from(rows))
        self.before = self.table[x]
        features = st.integers(0, n - 1) if n else st.nothing()
        immutable = draw(st.sets(features, max_size=1)) if n else set()
        wish = st.sampled_from(["increase", "decrease", (0,), (1, 2), (0, 2, 3)])
        allowed = draw(st.dictionaries(features, wish, max_size=2)) if n else {}
        allowed = {
            j: what if isinstance(what, str) else [v for v in what if v < self.n_values[j]]
            for j, what in allowed.items()
        }
        others = [k for k in range(c.n_classes) if k != self.before]
        self.target = draw(st.none() | st.sampled_from(others))
        self.max_changes = draw(st.none() | st.integers(0, n))
        self.forbidden = draw(st.lists(st.sampled_from(rows), max_size=6)) if relations and n >= 2 else []
        self.allowed = {j: values_of(x[j], what, self.n_values[j]) for j, what in allowed.items()}
        self.allowed |= dict.fromkeys(immutable, ())
        self.options = {"target": self.target, "immutable": immutable, "allowed": allowed}
        self.options["max_changes"] = self.max_changes
        # A pair of values that do not go together, from each of some rows.
        self.pairs = [((0, row[0]), (1, row[1])) for row in self.forbidden]
        if self.pairs:
            self.options["constraints"] = [
                symcf.forbid({f"x{i}": c.values[i][v], f"x{j}": c.values[j][w]}) for (i, v), (j, w) in self.pairs
            ]

    def decide(self, row):
        """What breaks a relation is as good as no change."""
        broken = any(row[i] == v and row[j] == w for (i, v), (j, w) in self.pairs)
        return self.before if broken else self.table[tuple(row)]

    def change_sets(self):
        if self.decide(self.x) != self.before:
            raise AssertionError
        return oracle.change_sets(
            self.decide, self.x, self.n_values, self.allowed, max_changes=self.max_changes, target=self.target
        )

    def assignments(self, change_set):
        """All values that do it, with the features of the set in order."""
        choices = [[v for v in self.allowed.get(j, range(self.n_values[j])) if v != self.x[j]] for j in change_set]
        for values in product(*choices):
            row = list(self.x)
            for j, v in zip(change_set, values, strict=True):
                row[j] = v
            after = self.decide(row)
            if after == self.target if self.target is not None else after != self.before:
                yield values


def values_of(old, what, d):
    if what == "increase":
        return range(old + 1, d)
    return range(old) if what == "decrease" else what


def can(engine, ask):
    """Cover is for sums of weights and any other class, also within relations of a few features."""
    if engine != "cover":
        return True
    any_other = ask.target is None or ask.c.n_classes == 2
    return ask.c.decision.is_additive and any_other


@pytest.mark.parametrize("engine", ENGINES)
@given(data=st.data())
def test_an_engine_agrees_with_the_oracle(engine, data):
    ask = Ask(data.draw, data.draw(MODELS))
    if not can(engine, ask):
        with pytest.raises(symcf.OptionError, match="cover"):
            ask.c.explain(ask.x, engine=engine, **ask.options)
        return
    cost = data.draw(st.none() | st.lists(st.sampled_from([0.5, 1, 2.5]), min_size=len(ask.x), max_size=len(ask.x)))
    wanted = oracle.cheapest(ask.change_sets(), cost)
    e = ask.c.explain(ask.x, engine=engine, cost=cost, **ask.options)
    assert e.sets == wanted
    assert e.prediction == ask.before
    k = data.draw(st.integers(1, 4))
    assert ask.c.explain(ask.x, engine=engine, cost=cost, k=k, **ask.options).sets == wanted[:k]
    assert ask.c.count(ask.x, engine=engine, **ask.options) == len(wanted)
    for cf in e:
        values = tuple(int(cf.instance[j]) for j in cf.features)
        assert values in set(ask.assignments(cf.features))
        assert cf.target == ask.table[tuple(cf.instance.tolist())]


@given(data=st.data())
def test_all_values(data):
    ask = Ask(data.draw, data.draw(MODELS))
    e = ask.c.explain(ask.x, select="all", **ask.options)
    found = {}
    for cf in e:
        found.setdefault(cf.features, []).append(tuple(int(cf.instance[j]) for j in cf.features))
    assert {s: sorted(values) for s, values in found.items()} == {s: sorted(ask.assignments(s)) for s in e.sets}
    assert len(e) == sum(map(len, found.values()))
    assert symcf.verify(ask.c, ask.x, e), str(symcf.verify(ask.c, ask.x, e))


@given(data=st.data())
def test_verify_agrees(data):
    ask = Ask(data.draw, data.draw(MODELS))
    e = ask.c.explain(ask.x, **ask.options)
    report = symcf.verify(ask.c, ask.x, e)
    assert report, str(report)
    if e.sets:
        missing = data.draw(st.integers(0, len(e.sets) - 1))
        e.sets = [*e.sets[:missing], *e.sets[missing + 1 :]]
        assert symcf.verify(ask.c, ask.x, e).complete is False


@given(data=st.data())
def test_costs_by_value(data):
    ask = Ask(data.draw, data.draw(MODELS))
    n = len(ask.x)
    number = st.sampled_from([0.5, 1, 1.5, 3])
    matrices = {
        f"x{j}": data.draw(st.lists(st.lists(number, min_size=d, max_size=d), min_size=d, max_size=d))
        for j, d in enumerate(ask.n_values)
        if d > 1
    }

    def price(change_set, values):
        pairs = zip(change_set, values, strict=True)
        return sum(Fraction(str(matrices[f"x{j}"][ask.x[j]][v])) for j, v in pairs)

    sets = ask.change_sets()
    best = {s: min(price(s, values) for values in ask.assignments(s)) for s in sets}
    wanted = sorted(sets, key=lambda s: (best[s], len(s), s))
    e = ask.c.explain(ask.x, cost=matrices, **ask.options)
    assert e.sets == wanted
    assert [Fraction(str(cf.cost)) for cf in e] == [best[s] for s in wanted]
    k = data.draw(st.integers(1, max(1, n)))
    assert ask.c.explain(ask.x, cost=matrices, k=k, **ask.options).sets == wanted[:k]
    assert symcf.verify(ask.c, ask.x, e)


@given(data=st.data())
def test_a_batch_is_what_explain_gives_row_by_row(data):
    ask = Ask(data.draw, data.draw(MODELS), relations=False)
    rows = oracle.inputs(ask.n_values)[:40]
    array = np.array(rows, dtype=np.int8).reshape(len(rows), len(ask.n_values))
    engine = data.draw(st.sampled_from(["auto", "diagram"]))
    jobs = data.draw(st.sampled_from([1, 2]))
    batch = symcf.fast.explain_batch(ask.c, array, engine=engine, n_jobs=jobs, **ask.options)
    for row, e in zip(rows, batch, strict=True):
        if ask.target == ask.table[row]:
            assert e.sets == []
        else:
            assert e.sets == ask.c.explain(row, **ask.options).sets
    frame = batch.to_pandas()
    assert len(frame) == len(batch.features)
    for i, e in enumerate(batch):
        wanted = [[change.new for change in cf.changes] for cf in e]
        rows_of = frame[frame["row"] == i]
        assert [group["new"].tolist() for _, group in rows_of.groupby("set")] == wanted


def test_a_feature_of_many_equal_values_costs_what_it_distinguishes():
    rng = np.random.default_rng(1)
    wide = np.where(np.arange(900) % 2, 1.0, 3.0)
    tables = [[wide / wide.sum(), wide[::-1] / wide.sum()]]
    tables += [[p, p[::-1]] for p in rng.dirichlet(np.ones(4), size=5)]
    c = symcf.compile(symcf.NaiveBayes([0.5, 0.5], tables))
    assert c.decision.groups.core_offset[1] == 2
    x = [17, 0, 1, 2, 3, 0]
    e = c.explain(x, select="all")
    assert symcf.verify(c, x, c.explain(x))
    assert any(0 in s for s in e.sets)
    alternatives = {cf.instance[0] for cf in e if cf.features == next(s for s in e.sets if 0 in s)}
    assert len(alternatives) == 450
    assert e.sets == c.explain(x, engine="diagram").sets == c.explain(x, engine="sat").sets


@given(model=bayes())
def test_naive_bayes_decides_as_fractions_do(model):
    """The largest joint probability, in exact arithmetic. Ties of more than two classes may fall either way, unless the
    numbers are the same ones in another order.
    """
    c = symcf.compile(model)
    rows = oracle.inputs([len(values) for values in c.values])
    codes = np.array(rows, dtype=np.int64).reshape(len(rows), len(c.values))
    for row, decided in zip(rows, c.predict(codes, codes=True).tolist(), strict=True):
        joint = [
            oracle.exactly(p)
            * np.prod([oracle.exactly(t[k, v]) for t, v in zip(model.tables, row, strict=True)] or [1])
            for k, p in enumerate(model.class_prior.tolist())
        ]
        assert joint[decided] >= max(joint) * (1 - Fraction(1, 10**9))
        close = [k for k, p in enumerate(joint) if p >= max(joint) * (1 - Fraction(1, 10**9))]
        assert decided in close
        if len(joint) == 2 and len(close) == 2:
            assert decided == (1 if model.tie == "positive" else 0)


def test_influence_on_many_classes_is_the_spread_of_the_centred_weights():
    # x0 always weighs much for class 0 and changes little, x1 changes something, x2 most
    weights = [[[900, 901], [0, 50], [0, 0]], [[0, 0], [50, 0], [0, 300]], [[0, 0], [0, 0], [300, 0]]]
    assert symcf.compile(symcf.LinearClassifier(weights, [0, 0, 0])).diagram_of(1).order == (2, 1, 0)
