"""Bayesian networks against the definition: the joint probability, summed over everything that is not observed."""

from __future__ import annotations

import itertools
import json
import pickle
from fractions import Fraction

import numpy as np
import oracle
import pytest

import symcf
from symcf import BayesNet
from symcf.errors import CompileLimitError, FileError, ModelError
from symcf.models.networks.bayes import from_pyagrum
from symcf.models.networks.logarithms import Logarithms, coprime_base
from symcf.models.rules import StateRule, TreeRule

# --- the definition ---------------------------------------------------------------------------------------------------


def joint(net, target, row):
    """By value of the target, its joint probability with a row {node: value}; everything from the definition."""
    nodes, parents, tables = net
    names = list(nodes)
    totals = [Fraction(0)] * len(nodes[target])
    free = [name for name in names if name not in row]
    for values in itertools.product(*(range(len(nodes[name])) for name in free)):
        at = {**row, **dict(zip(free, values, strict=True))}
        p = Fraction(1)
        for name in names:
            entry = tables[name]
            for parent in parents.get(name, ()):
                entry = entry[at[parent]]
            p *= Fraction(str(entry[at[name]]))
            if not p:
                break
        totals[at[target]] += p
    return totals


def decide(totals, class_of, n_classes, threshold, tie):
    by_class = [Fraction(0)] * n_classes
    for p, k in zip(totals, class_of, strict=True):
        by_class[k] += p
    if n_classes == 2:
        ahead = by_class[1] * (1 - threshold) - by_class[0] * threshold
        return int(ahead > 0 or (ahead == 0 and tie == "positive"))
    winners = [k for k, p in enumerate(by_class) if p == max(by_class)]
    return winners[-1] if tie == "positive" else winners[0]


def all_rows(nodes, features):
    for values in itertools.product(*(range(len(nodes[f])) for f in features)):
        yield dict(zip(features, values, strict=True))


# --- networks ---------------------------------------------------------------------------------------------------------


def random_table(rng, shape, zeros):
    """Rows of tenths, some of them 0; often equal, so that ties happen."""
    if len(shape) > 1:
        return [random_table(rng, shape[1:], zeros) for _ in range(shape[0])]
    while True:
        cuts = np.sort(rng.integers(0, 11, size=shape[0] - 1))
        parts = np.diff([0, *cuts.tolist(), 10]).tolist()
        if zeros or all(parts):
            return [f"{part}/10" for part in parts]


def random_net(rng, n_nodes, zeros=True, most_values=3, most_parents=2):
    names = [f"n{i}" for i in range(n_nodes)]
    nodes = {name: [f"{name}={v}" for v in range(rng.integers(2, most_values + 1))] for name in names}
    parents = {}
    for i, name in enumerate(names):
        count = int(rng.integers(0, min(i, most_parents) + 1))
        parents[name] = [names[p] for p in rng.choice(i, size=count, replace=False)]
    tables = {
        name: random_table(rng, [*(len(nodes[p]) for p in parents[name]), len(nodes[name])], zeros) for name in names
    }
    order = rng.permutation(n_nodes)
    return {names[i]: nodes[names[i]] for i in order}, parents, tables


RANDOM = range(40)


@pytest.mark.parametrize("seed", RANDOM)
def test_every_row_is_decided_by_the_joint_probability(seed):
    rng = np.random.default_rng(seed)
    net = random_net(rng, int(rng.integers(2, 7)), zeros=bool(seed % 2))
    nodes = net[0]
    target = str(rng.choice(list(nodes)))
    others = [name for name in nodes if name != target]
    features = [str(f) for f in rng.permutation(others)[: rng.integers(1, len(others) + 1)]]
    labels = nodes[target]
    positive = None if len(labels) == 2 and seed % 3 else [labels[0]] if seed % 3 == 1 else None
    n_classes = 2 if positive is not None else len(labels)
    class_of = [int(label in positive) for label in labels] if positive else list(range(len(labels)))
    threshold = Fraction(int(rng.integers(1, 10)), 10) if n_classes == 2 else Fraction(1, 2)
    tie = ("positive", "negative")[seed % 2]
    model = BayesNet(*net, target=target, features=features, positive=positive, threshold=threshold, tie=tie)
    rows = list(all_rows(nodes, features))
    expected = [decide(joint(net, target, row), class_of, n_classes, threshold, tie) for row in rows]
    codes = np.array([[row[f] for f in features] for row in rows])
    posterior = model.predict_proba(codes)
    for row, found in zip(rows, posterior, strict=True):
        totals = joint(net, target, row)
        if sum(totals):
            parts = [sum(p for p, k in zip(totals, class_of, strict=True) if k == j) for j in range(n_classes)]
            assert found == pytest.approx([float(p / sum(totals)) for p in parts], abs=1e-12)
    c = symcf.compile(model, order=("influence", "natural")[seed % 2])
    assert c.predict(codes, codes=True).tolist() == expected
    for k in [1] if n_classes == 2 else range(n_classes):
        found = c.diagram_of(model.classes[k]).core.evaluate(codes)
        assert found.tolist() == [int(e == k) for e in expected]


def digits(rng, shape, sizes):
    """Rows of fractions with long numerators."""
    if len(shape) > 1:
        return [digits(rng, shape[1:], sizes) for _ in range(shape[0])]
    parts = [int(rng.integers(1, 10**9)) ** 4 * 10 ** int(rng.choice(sizes)) for _ in range(shape[0])]
    return [f"{part}/{sum(parts)}" for part in parts]


@pytest.mark.parametrize("sizes", [[0], [0, 40], [0, 400]])
@pytest.mark.parametrize("seed", [1, 6, 9, 10])
def test_numbers_of_any_length(seed, sizes):
    """Entries that no float holds, and matrices beyond a thousand bits: bounds and predictions stay right."""
    rng = np.random.default_rng(seed)
    nodes, parents, tables = random_net(rng, 6, most_parents=3)
    tables = {name: digits(rng, np.array(table).shape, sizes) for name, table in tables.items()}
    net = nodes, parents, tables
    target, *features = (str(name) for name in rng.permutation(list(nodes))[: 4 + seed % 2])
    rows = list(all_rows(nodes, features))
    totals = [joint(net, target, row) for row in rows]
    posterior = [total[0] / sum(total) for total in totals]
    threshold = sorted(posterior)[len(posterior) // 2]  # a tie, with rows close to it
    if not 0 < threshold < 1:
        threshold = Fraction(1, 2)
    model = BayesNet(*net, target=target, features=features, positive=[nodes[target][0]], threshold=threshold)
    c = symcf.compile(model)
    codes = np.array([[row[f] for f in features] for row in rows])
    expected = [int(p >= threshold) for p in posterior]
    assert c.predict(codes, codes=True).tolist() == expected
    assert c.diagram.core.evaluate(codes).tolist() == expected
    assert model.predict_proba(codes)[:, 1] == pytest.approx([float(p) for p in posterior], rel=1e-9, abs=1e-300)


def test_a_class_that_falls_behind_may_win():
    """After half of the features one class has 1e-340 of the other's probability, and it wins in the end."""
    half = 170
    names = [f"x{j}" for j in range(2 * half)]
    tables = {"c": ["1/2", "1/2"]}
    for j, name in enumerate(names):
        tables[name] = [[0.99, 0.01], [0.01, 0.99]] if j < half else [[0.999, 0.001], [0.001, 0.999]]
    tables["x0"] = [["1", "0"], ["1/100", "99/100"]]
    model = BayesNet({"c": 2, **dict.fromkeys(names, 2)}, {name: ["c"] for name in names}, tables, target="c")
    row = [0] * half + [1] * half
    assert model.predict_proba(np.array([row]))[0].tolist() == pytest.approx([0, 1])
    assert symcf.compile(model).predict([row], codes=True).tolist() == [1]


def test_a_long_chain_of_hidden_nodes():
    chain = ["c", *(f"h{i}" for i in range(40)), "x"]
    tables = {name: [["9/10", "1/10"], ["1/10", "9/10"]] for name in chain} | {"c": ["1/2", "1/2"]}
    parents = {b: [a] for a, b in itertools.pairwise(chain)}
    c = symcf.compile(BayesNet(dict.fromkeys(chain, 2), parents, tables, target="c"))
    assert c.predict([[0], [1]], codes=True).tolist() == [0, 1]
    assert c.predict_proba([[1]])[0, 1] == pytest.approx((1 + 0.8**41) / 2, rel=1e-12)


def test_products_closer_than_logarithms():
    """Class 0 is ahead by one part in 10**24: no rounded logarithm tells, and there is no hidden node."""
    n = 10**24
    tables = {"c": [f"{n + 1}/{2 * n + 1}", f"{n}/{2 * n + 1}"], "x": [["1/2", "1/2"], ["1/2", "1/2"]]}
    c = symcf.compile(BayesNet({"c": 2, "x": 2}, {"x": ["c"]}, tables, target="c"))
    assert c.predict([[0], [1]], codes=True).tolist() == [0, 0]
    assert c.explain([0]).sets == []


def test_products_closer_than_logarithms_among_millions_of_rows():
    """As before, with 20 features: where the first and the second of each pair cancel out, the prior decides."""
    n, names = 10**24, [f"x{i}" for i in range(20)]
    up, down = ["2/7", "5/7"], ["5/7", "2/7"]
    tables = {"c": [f"{n + 1}/{2 * n + 1}", f"{n}/{2 * n + 1}"]}
    for i, name in enumerate(names):
        tables[name] = [["1/3", "2/3"] if i < 18 else up, ["1/3", "2/3"] if i < 18 else down]
    parents = {name: ["c"] for name in names}
    model = BayesNet(dict.fromkeys(["c", *names], 2), parents, tables, target="c")
    assert isinstance(model.rule(), StateRule)
    c = symcf.compile(model)
    even, one, two = [0] * 18 + [0, 1], [0] * 20, [0] * 18 + [1, 1]
    assert c.predict([even, one, two], codes=True).tolist() == [0, 1, 0]
    assert c.explain(even).sets == [(19,)]
    assert c.explain(one).sets == [(18,), (19,)]


def test_nodes_that_stay_take_no_zeros():
    """Ten hidden nodes are kept while features are read: a full matrix has a million entries, this one 1024 each."""
    hidden, seen = [f"h{i}" for i in range(9)], [f"x{i}" for i in range(18)]
    chances = [["1/3", "2/3"], ["3/4", "1/4"]]
    parents = {h: ["c"] for h in hidden} | {x: [hidden[i % 9]] for i, x in enumerate(seen)}
    tables = {"c": ["1/2", "1/2"]} | dict.fromkeys([*hidden, *seen], chances)
    model = BayesNet(dict.fromkeys(["c", *hidden, *seen], 2), parents, tables, target="c", features=seen)
    e = model._elimination(range(18))
    assert e.widths[9] == 1024
    row = [0, 1] * 9
    state = e.start()
    for i, value in enumerate(row):
        state = e.after(i, state, value)
    assert e.decided(state) == int(model._decide(np.array([row]))[0])
    assert max(len(m.entry) for level in e._matrices for m in level.values()) <= 1024


def test_many_rows_that_are_proved_to_be_sums():
    rng = np.random.default_rng(1)
    names = [f"x{i}" for i in range(18)]
    chances = rng.integers(1, 99, (18, 2)).tolist()
    tables = {
        "c": [0.4, 0.6],
        **{x: [[f"{p}/99", f"{99 - p}/99"] for p in both] for x, both in zip(names, chances, strict=True)},
    }
    model = BayesNet(dict.fromkeys(["c", *names], 2), {x: ["c"] for x in names}, tables, target="c")
    assert isinstance(model.rule(), TreeRule)


@pytest.mark.parametrize("seed", RANDOM)
def test_change_sets_and_counts(seed):
    rng = np.random.default_rng(1000 + seed)
    net = random_net(rng, int(rng.integers(3, 7)), zeros=bool(seed % 2))
    nodes = net[0]
    target = str(rng.choice(list(nodes)))
    features = [name for name in nodes if name != target]
    model = BayesNet(*net, target=target, features=features)
    c = symcf.compile(model)
    n_values = [len(nodes[f]) for f in features]
    classes = list(range(len(nodes[target])))
    table = {}
    for row in itertools.product(*map(range, n_values)):
        totals = joint(net, target, dict(zip(features, row, strict=True)))
        table[row] = decide(totals, classes, len(classes), Fraction(1, 2), "positive")
    for row in rng.permutation(list(table))[:3].tolist():
        expected = oracle.change_sets(lambda r: table[r], tuple(row), n_values)
        for engine in ("auto", "diagram", "sat"):
            assert c.explain(row, engine=engine).sets == expected
        assert c.count(row) == len(expected)
        assert symcf.verify(c, row, c.explain(row))


def test_networks_without_hidden_nodes_are_sums():
    rng = np.random.default_rng(0)
    net = random_net(rng, 5, zeros=False)
    everything = [name for name in net[0] if name != "n0"]
    assert isinstance(BayesNet(*net, target="n0", features=everything).rule(), TreeRule)
    with_zeros = random_net(rng, 5)
    with_zeros[2]["n0"] = ["0"] * (len(with_zeros[0]["n0"]) - 1) + ["1"]
    assert isinstance(BayesNet(*with_zeros, target="n0", features=everything).rule(), StateRule)


def test_equal_products_are_equal_sums():
    rng = np.random.default_rng(3)
    groups = [[Fraction(int(a), 97) for a in rng.integers(1, 97, size=4)] for _ in range(6)]
    log = Logarithms(groups)
    for chosen in itertools.product(*groups[:3]):
        for other in itertools.product(*groups[:3]):
            products = [a[0] * a[1] * a[2] for a in (chosen, other)]
            sums = [sum(map(log.of, a)) for a in (chosen, other)]
            assert (sums[0] == sums[1]) == (products[0] == products[1])
            assert (sums[0] < sums[1]) == (products[0] < products[1])


def test_a_coprime_base():
    numbers = [2 * 3 * 5, 6 * 7**3, 35, 2**10, 11]
    base = coprime_base(numbers)
    assert all(np.gcd(a, b) == 1 for a, b in itertools.combinations(base, 2))
    for number in numbers:
        for b in base:
            while number % b == 0:
                number //= b
        assert number == 1


# --- a network that people know ---------------------------------------------------------------------------------------


def cancer():
    """Korb and Nicholson, Bayesian Artificial Intelligence (2004), section 2.2."""
    nodes = {
        "Pollution": ["low", "high"],
        "Smoker": ["True", "False"],
        "Cancer": ["True", "False"],
        "Xray": ["positive", "negative"],
        "Dyspnoea": ["True", "False"],
    }
    parents = {"Cancer": ["Pollution", "Smoker"], "Xray": ["Cancer"], "Dyspnoea": ["Cancer"]}
    tables = {
        "Pollution": [0.9, 0.1],
        "Smoker": [0.3, 0.7],
        "Cancer": [[[0.03, 0.97], [0.001, 0.999]], [[0.05, 0.95], [0.02, 0.98]]],
        "Xray": [[0.9, 0.1], [0.2, 0.8]],
        "Dyspnoea": [[0.65, 0.35], [0.3, 0.7]],
    }
    return nodes, parents, tables


def test_posteriors_of_a_published_network():
    model = BayesNet(*cancer(), target="Cancer", positive="True", threshold=0.1)
    assert model.features == ("Xray", "Dyspnoea")
    assert model.classes == ("False", "True")
    # by hand: P(cancer) = 0.01163, times 0.9 and 0.65, over the same and 0.98837 times 0.2 and 0.3
    yes, no = 0.01163 * 0.9 * 0.65, 0.98837 * 0.2 * 0.3
    assert model.predict_proba(np.array([[0, 0]]))[0, 1] == pytest.approx(yes / (yes + no), abs=1e-12)
    assert symcf.compile(model).predict([[0, 0], [0, 1]], codes=True).tolist() == [1, 0]


def test_separated_features_are_irrelevant():
    model = BayesNet(*cancer(), target="Xray", features=["Cancer", "Smoker", "Dyspnoea"])
    assert model.irrelevant == ("Smoker", "Dyspnoea")
    assert all(0 in s for s in symcf.compile(model, time_limit=10).explain([0, 0, 0]).sets)
    assert BayesNet(*cancer(), target="Pollution", features=["Smoker"]).irrelevant == ("Smoker",)
    assert BayesNet(*cancer(), target="Pollution", features=["Smoker", "Xray"]).irrelevant == ()


def test_a_class_that_is_a_leaf_and_a_hidden_node_in_the_middle():
    model = BayesNet(*cancer(), target="Dyspnoea", features=["Smoker", "Pollution"])
    for row in all_rows(cancer()[0], ["Smoker", "Pollution"]):
        expected = decide(joint(cancer(), "Dyspnoea", row), [0, 1], 2, Fraction(1, 2), "positive")
        assert symcf.compile(model).predict([list(row.values())], codes=True).tolist() == [expected]


def test_rows_that_cannot_happen_are_ties():
    net = {"c": [0, 1], "x": [0, 1]}, {"x": ["c"]}, {"c": [0.5, 0.5], "x": [[1, 0], [1, 0]]}
    for tie, expected in (("positive", 1), ("negative", 0)):
        model = BayesNet(*net, target="c", tie=tie)
        assert symcf.compile(model).predict([[1]], codes=True).tolist() == [expected]
        assert symcf.compile(model).diagram.core.evaluate(np.array([[1]])).tolist() == [expected]
        assert model.predict_proba(np.array([[1]])).tolist() == [[0.5, 0.5]]


def test_decimals_are_taken_as_written():
    net = {"c": [0, 1], "x": [0, 1]}, {"x": ["c"]}, {"c": [0.9, 0.1], "x": [[0.9, 0.1], [0.1, 0.9]]}
    # 0.9 * 0.1 against 0.1 * 0.9: a tie, which floats or binary fractions might break
    for tie, expected in (("positive", 1), ("negative", 0)):
        assert symcf.compile(BayesNet(*net, target="c", tie=tie)).predict([[1]], codes=True).tolist() == [expected]


@pytest.mark.parametrize("suffix", ["json", "symcf"])
def test_saving_and_loading(tmp_path, suffix):
    model = BayesNet(*cancer(), target="Cancer", positive=["True"], threshold="1/10", tie="negative")
    again = symcf.model_from_dict(json.loads(model.to_json()))
    assert again == model
    assert pickle.loads(pickle.dumps(model)) == model
    c = symcf.compile(model)
    assert c.diagram.size
    c.save(tmp_path / f"cancer.{suffix}")
    loaded = symcf.load(tmp_path / f"cancer.{suffix}")
    assert loaded.model == model
    assert loaded.explain([1, 1]).sets == c.explain([1, 1]).sets


def test_limits():
    rng = np.random.default_rng(5)
    leaves = 14
    nodes = {"c": 2, "h": 2, **{f"x{j}": 2 for j in range(leaves)}}
    parents = {"h": ["c"], **{f"x{j}": ["h", "c"] for j in range(leaves)}}
    tables = {name: random_table(rng, [2] * (len(parents.get(name, ())) + 1), zeros=False) for name in nodes}
    model = BayesNet(nodes, parents, tables, target="c")
    with pytest.raises(CompileLimitError, match="nodes limit"):
        _ = symcf.compile(model, max_nodes=20).diagram
    with pytest.raises(CompileLimitError, match="time limit"):
        _ = symcf.compile(model, time_limit=0).diagram
    with pytest.raises(CompileLimitError, match="memory limit"):
        _ = symcf.compile(model, max_memory=1).diagram


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": "cancer"}, "target: there is no node 'cancer'"),
        ({"features": ["Xray", "Xray"]}, "listed twice"),
        ({"features": ["Cancer"]}, "is the target"),
        ({"features": "Xray"}, "must be a list"),
        ({"positive": "maybe"}, "positive"),
        ({"positive": ["True", "False"]}, "not none or all"),
        ({"threshold": 0}, "between 0 and 1"),
        ({"threshold": "half"}, "threshold must be a number"),
        ({"tie": "even"}, "unknown tie rule"),
    ],
)
def test_wrong_keywords(change, message):
    with pytest.raises((ModelError, ValueError), match=message):
        BayesNet(*cancer(), **{"target": "Cancer", **change})


@pytest.mark.parametrize(
    ("part", "name", "value", "message"),
    [
        (1, "Pollution", ["Cancer"], "a cycle among 'Pollution', 'Cancer'"),
        (1, "Xray", ["Lungs"], "there is no node 'Lungs'"),
        (1, "Xray", "Cancer", "must be a list"),
        (1, "Xray", ["Cancer", "Cancer"], "a parent twice"),
        (2, "Xray", [0.9, 0.1], "must have the shape"),
        (2, "Xray", [[0.9, 0.2], [0.2, 0.8]], "for Cancer=True adds up to 1.1"),
        (2, "Xray", [[1.5, -0.5], [0.2, 0.8]], "not a probability"),
        (2, "Xray", [["a", 0.1], [0.2, 0.8]], "must be a number, not 'a'"),
        (0, "Xray", [], "needs a list of its values"),
        (0, "Xray", 2**31, "has 2,147,483,648 values, more than"),
        (0, "Xray", ["p", "p"], "values of 'Xray'"),
    ],
)
def test_wrong_networks(part, name, value, message):
    net = cancer()
    net[part][name] = value
    with pytest.raises(ModelError, match=message):
        BayesNet(*net, target="Cancer")


def test_a_missing_table():
    net = cancer()
    del net[2]["Xray"]
    with pytest.raises(ModelError, match="the node 'Xray' has none"):
        BayesNet(*net, target="Cancer")


# --- pyagrum ----------------------------------------------------------------------------------------------------------


def test_files_and_posteriors_of_pyagrum(tmp_path):
    gum = pytest.importorskip("pyagrum")
    for seed in range(4):
        gum.initRandom(seed)
        net = gum.randomBN(n=9, ratio_arc=1.4, domain_size=3)
        names = sorted(net.names())
        target, features = names[0], names[1:6]
        for suffix in ("bif", "net", "bifxml"):
            path = tmp_path / f"net.{suffix}"
            gum.saveBN(net, str(path))
            read = gum.loadBN(str(path))
            model = BayesNet.read(path, target=target, features=features)
            rows = list(itertools.product(*(range(len(labels)) for labels in model.values)))
            found = model.predict_proba(np.array(rows))
            inference = gum.VariableElimination(read)
            for row, posterior in list(zip(rows, found, strict=True))[:: 7 + seed]:
                inference.setEvidence(dict(zip(features, row, strict=True)))
                expected = inference.posterior(target).toarray()
                assert posterior == pytest.approx(expected, abs=1e-6)
        assert from_pyagrum(net)[1].keys() == set(names)


def test_files_that_are_none(tmp_path):
    pytest.importorskip("pyagrum")
    path = tmp_path / "net.bif"
    path.write_text("hello")
    with pytest.raises(FileError, match="not a Bayesian network"):
        BayesNet.read(path, target="c")
    with pytest.raises(FileNotFoundError):
        BayesNet.read(tmp_path / "none.bif", target="c")


def test_two_hundred_nodes_are_decided():
    """Read feature by feature, this network needs vectors of 4 million entries; to decide a row, tables of 64 do."""
    n, window, rng = 200, 8, np.random.default_rng(0)
    parents, percent = {}, {}
    for i in range(n):
        count, first = int(rng.integers(0 if i % 10 == 0 else 1, 3)), max(0, i - window)
        parents[i] = sorted(rng.choice(np.arange(first, i), min(count, i - first), replace=False).tolist() if i else [])
        percent[i] = rng.integers(1, 100, (2,) * len(parents[i]))
    leaves = sorted(set(range(1, n)) - {j for above in parents.values() for j in above})
    model = BayesNet(
        {f"n{i}": 2 for i in range(n)},
        {f"n{i}": [f"n{j}" for j in parents[i]] for i in range(n)},
        {f"n{i}": (np.stack([100 - percent[i], percent[i]], -1) / 100).tolist() for i in range(n)},
        target="n0",
    )
    c = symcf.compile(model)
    rows = rng.integers(0, 2, (3, len(leaves)))
    for row, decided, shares in zip(rows, c.predict(rows, codes=True), c.predict_proba(rows), strict=True):
        seen = dict(zip(leaves, row.tolist(), strict=True))
        weight = {(None, ()): 1}  # by the class and the values of the last few nodes
        for i in range(n):
            following = {}
            for (first, last), mass in weight.items():
                p = int(percent[i][tuple(last[j - i] for j in parents[i])])
                for value in (0, 1) if i not in seen else (seen[i],):
                    key = (value if i == 0 else first, (*last, value)[-window:])
                    following[key] = following.get(key, 0) + mass * (p if value else 100 - p)
            weight = following
        joint = [sum(mass for (first, _), mass in weight.items() if first == k) for k in (0, 1)]
        assert decided == int(joint[1] >= joint[0])
        assert shares == pytest.approx([float(Fraction(p, sum(joint))) for p in joint])
