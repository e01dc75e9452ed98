"""Bayesian networks: agreement with pyagrum, sizes and times, and random ones against the definition.

    python bench/bayes_networks.py                        a minute; writes results/bayes_networks.json; --quick
    python bench/bayes_networks.py --all [--random 500]   three minutes; the larger and the random networks, too

pyagrum is in an environment of its own, build/pyagrum, which this program makes.

- Published networks: every node as the class, every set of the other nodes as features, every row. A row counts as
  agreed if the class with pyagrum's largest posterior is decided, and as a tie if its two largest are closer than 1e-9.
- Larger random networks: 100,000 random rows each.
- Random networks with 16 observed leaves below hidden nodes: all 65,536 rows.
- Tree-augmented naive Bayes beside naive Bayes with as many features: nodes and seconds.
- Random small networks: change sets, sufficient reasons and their numbers against brute force over all rows.
"""

from __future__ import annotations

import importlib.util
import itertools
import sys
import time
from fractions import Fraction
from statistics import median
from typing import Any

import common
import numpy as np

import symcf

sys.path.insert(0, str(common.ROOT / "tests" / "support"))

import oracle

ENVIRONMENT, VERSION = common.ROOT / "build" / "pyagrum", "3.3.1"


def set_up() -> None:
    """Makes its environment, and lets this process import from it; numpy stays the one that is loaded."""
    if importlib.util.find_spec("pyagrum"):
        return
    wanted = f"pyagrum=={VERSION}\nnumpy=={np.__version__}\n"
    if problem := common.environment(ENVIRONMENT, wanted, "pyagrum"):
        raise SystemExit(f"pyagrum cannot be installed here: {problem}")
    sys.path.append(str(next(ENVIRONMENT.glob("lib/python*/site-packages"))))


Net = tuple[dict[str, list[str]], dict[str, list[str]], dict[str, Any]]


def yes(p: Any) -> Any:
    """Tables of nodes that are yes or no, from the probabilities of yes."""
    return [yes(part) for part in p] if isinstance(p, list) else [p, round(1 - p, 6)]


BOTH = ["yes", "no"]


def asia() -> Net:
    """Lauritzen and Spiegelhalter, J. Royal Statistical Society B 50 (1988), 157-224."""
    nodes = dict.fromkeys(("asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp"), BOTH)
    parents = {
        "tub": ["asia"], "lung": ["smoke"], "bronc": ["smoke"], "either": ["tub", "lung"],
        "xray": ["either"], "dysp": ["either", "bronc"],
    }  # fmt: skip
    tables = {
        "asia": yes(0.01), "smoke": yes(0.5), "tub": yes([0.05, 0.01]), "lung": yes([0.1, 0.01]),
        "bronc": yes([0.6, 0.3]), "either": yes([[1, 1], [1, 0]]), "xray": yes([0.98, 0.05]),
        "dysp": yes([[0.9, 0.7], [0.8, 0.1]]),
    }  # fmt: skip
    return nodes, parents, tables


def cancer() -> Net:
    """Korb and Nicholson, Bayesian Artificial Intelligence (2004), section 2.2."""
    nodes = dict.fromkeys(("pollution", "smoker", "cancer", "xray", "dyspnoea"), BOTH)
    parents = {"cancer": ["pollution", "smoker"], "xray": ["cancer"], "dyspnoea": ["cancer"]}
    tables = {
        "pollution": yes(0.1), "smoker": yes(0.3), "cancer": yes([[0.05, 0.02], [0.03, 0.001]]),
        "xray": yes([0.9, 0.2]), "dyspnoea": yes([0.65, 0.3]),
    }  # fmt: skip
    return nodes, parents, tables


def earthquake() -> Net:
    """Korb and Nicholson (2004), section 2.5, after Pearl (1988)."""
    nodes = dict.fromkeys(("burglary", "earthquake", "alarm", "john", "mary"), BOTH)
    parents = {"alarm": ["burglary", "earthquake"], "john": ["alarm"], "mary": ["alarm"]}
    tables = {
        "burglary": yes(0.01), "earthquake": yes(0.02), "alarm": yes([[0.95, 0.94], [0.29, 0.001]]),
        "john": yes([0.9, 0.05]), "mary": yes([0.7, 0.01]),
    }  # fmt: skip
    return nodes, parents, tables


def survey() -> Net:
    """Scutari and Denis, Bayesian Networks with Examples in R (2014), chapter 1: three-valued nodes."""
    nodes = {
        "age": ["young", "adult", "old"], "sex": ["M", "F"], "education": ["high", "uni"],
        "occupation": ["emp", "self"], "residence": ["small", "big"], "travel": ["car", "train", "other"],
    }  # fmt: skip
    parents = {
        "education": ["age", "sex"], "occupation": ["education"], "residence": ["education"],
        "travel": ["occupation", "residence"],
    }  # fmt: skip
    tables = {
        "age": [0.3, 0.5, 0.2], "sex": [0.6, 0.4],
        "education": [[[0.75, 0.25], [0.64, 0.36]], [[0.72, 0.28], [0.7, 0.3]], [[0.88, 0.12], [0.9, 0.1]]],
        "occupation": [[0.96, 0.04], [0.92, 0.08]], "residence": [[0.25, 0.75], [0.2, 0.8]],
        "travel": [[[0.48, 0.42, 0.1], [0.58, 0.24, 0.18]], [[0.56, 0.36, 0.08], [0.7, 0.21, 0.09]]],
    }  # fmt: skip
    return nodes, parents, tables


PUBLISHED = {"asia": asia, "cancer": cancer, "earthquake": earthquake, "survey": survey}


# --- pyagrum ----------------------------------------------------------------------------------------------------------


def in_pyagrum(net: Net) -> Any:
    import pyagrum as gum

    nodes, parents, tables = net
    bn = gum.BayesNet()
    for name, labels in nodes.items():
        bn.add(gum.LabelizedVariable(name, name, labels))
    for name, above in parents.items():
        for parent in above:
            bn.addArc(parent, name)
    for name in nodes:
        table = np.array(tables[name], dtype=float)
        for place in itertools.product(*(range(len(nodes[p])) for p in parents.get(name, []))):
            bn.cpt(name)[dict(zip(parents.get(name, []), place, strict=True))] = table[place].tolist()
    return bn


def compared(net: Net, target: str, features: list[str], rows: np.ndarray[Any, Any], inference: Any) -> dict[str, int]:
    """How many rows agree with pyagrum's posterior."""
    model = symcf.BayesNet(*net, target=target, features=features)
    c = symcf.compile(model)
    found = c.predict(rows, codes=True)
    through = [c.class_diagram(k).core.evaluate(rows) for k in ([1] if len(c.classes) == 2 else range(len(c.classes)))]
    count = {"rows": 0, "agreed": 0, "ties": 0, "impossible": 0}
    for i, row in enumerate(rows.tolist()):
        for part, k in zip(through, [1] if len(c.classes) == 2 else range(len(c.classes)), strict=True):
            assert bool(part[i]) == (found[i] == k), "the diagram and the model disagree"
        count["rows"] += 1
        inference.setEvidence(dict(zip(features, row, strict=True)))
        try:
            possible = inference.evidenceProbability() > 0
            posterior = inference.posterior(target).toarray()
        except Exception:  # pyagrum refuses some evidence of probability 0 and looks away from other such evidence
            possible = False
        if not possible:
            count["impossible"] += 1
            continue
        ordered = np.sort(posterior)
        if ordered[-1] - ordered[-2] < 1e-9:
            count["ties"] += 1
        else:
            assert int(np.argmax(posterior)) == int(found[i]), (target, features, row, posterior)
            count["agreed"] += 1
    return count


def all_rows(sizes: list[int]) -> np.ndarray[Any, Any]:
    return np.array(list(itertools.product(*map(range, sizes)))).reshape(-1, len(sizes))


def published() -> list[dict[str, Any]]:
    import pyagrum as gum

    results = []
    for name, make in PUBLISHED.items():
        net = make()
        inference = gum.LazyPropagation(in_pyagrum(net))
        total = {"rows": 0, "agreed": 0, "ties": 0, "impossible": 0}
        questions = 0
        for target in net[0]:
            others = [other for other in net[0] if other != target]
            for size in range(1, len(others) + 1):
                for features in itertools.combinations(others, size):
                    rows = all_rows([len(net[0][f]) for f in features])
                    for key, value in compared(net, target, list(features), rows, inference).items():
                        total[key] += value
                    questions += 1
        results.append({"network": name, "questions": questions, **total})
        print(results[-1], flush=True)
    return results


# --- sizes ------------------------------------------------------------------------------------------------------------


def rows_of(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    p = np.round(rng.uniform(0.05, 0.95, size=shape), 2)
    return np.round(np.stack([p, 1 - p], axis=-1), 2).tolist()


def random_hidden(rng: np.random.Generator, leaves: int, hidden: int) -> Net:
    """A class, a tree of hidden nodes below it, and observed leaves below these."""
    nodes = {"c": BOTH}
    parents: dict[str, list[str]] = {}
    tables: dict[str, Any] = {"c": yes(0.4)}
    for h in range(hidden):
        nodes[f"h{h}"] = BOTH
        parents[f"h{h}"] = ["c"] if h == 0 else [f"h{rng.integers(h)}", "c"][: 1 + h % 2]
        tables[f"h{h}"] = rows_of(rng, (2,) * len(parents[f"h{h}"]))
    for j in range(leaves):
        nodes[f"x{j}"] = BOTH
        parents[f"x{j}"] = [f"h{rng.integers(hidden)}"]
        tables[f"x{j}"] = rows_of(rng, (2,))
    return nodes, parents, tables


def random_tan(rng: np.random.Generator, n: int) -> Net:
    nodes = {"c": BOTH}
    parents: dict[str, list[str]] = {}
    tables: dict[str, Any] = {"c": yes(0.4)}
    for j in range(n):
        nodes[f"x{j}"] = BOTH
        parents[f"x{j}"] = ["c"] if j == 0 else ["c", f"x{rng.integers(j)}"]
        tables[f"x{j}"] = rows_of(rng, (2,) * len(parents[f"x{j}"]))
    return nodes, parents, tables


def timed(model: symcf.Model, limit: float = 60) -> tuple[int | None, float]:
    """Nodes (None: not within the limit) and seconds."""
    start = time.perf_counter()
    try:
        size = symcf.compile(model, time_limit=limit).diagram.size
    except symcf.CompileLimitError:
        size = None
    return size, time.perf_counter() - start


def hidden_leaves(count: int) -> list[dict[str, Any]]:
    import pyagrum as gum

    results = []
    for seed in range(count):
        net = random_hidden(np.random.default_rng(seed), 16, 5)
        features = [f"x{j}" for j in range(16)]
        size, seconds = timed(symcf.BayesNet(*net, target="c", features=features))
        rows = all_rows([2] * 16)
        agreed = compared(net, "c", features, rows, gum.LazyPropagation(in_pyagrum(net)))
        results.append({"seed": seed, "nodes": size, "seconds": seconds, **agreed})
        print(results[-1], flush=True)
    return results


def beyond(count: int) -> list[dict[str, Any]]:
    """Too many rows to try all: random ones of tree-augmented networks, and of networks with hidden nodes."""
    import pyagrum as gum

    results = []
    for name, net in (
        ("25 features, tree-augmented", random_tan(np.random.default_rng(3), 25)),
        ("18 leaves below 5 hidden nodes", random_hidden(np.random.default_rng(4), 18, 5)),
    ):
        features = [node for node in net[0] if node.startswith("x")]
        rows = np.random.default_rng(0).integers(0, 2, size=(count, len(features)))
        agreed = compared(net, "c", features, rows, gum.LazyPropagation(in_pyagrum(net)))
        results.append({"network": name, **agreed})
        print(results[-1], flush=True)
    return results


def tan(count: int) -> list[dict[str, Any]]:
    results = []
    for n in common.sized((10, 15, 20, 25), (10,)):
        lines = []
        for seed in range(count):
            rng = np.random.default_rng([seed, n])
            net = random_tan(rng, n)
            model = symcf.BayesNet(*net, target="c", features=[f"x{j}" for j in range(n)])
            naive = symcf.NaiveBayes.binary(
                0.4, rng.uniform(0.05, 0.95, n).round(2), rng.uniform(0.05, 0.95, n).round(2)
            )
            lines.append((*timed(model), *timed(naive)))
        sizes = [line[0] for line in lines if line[0] is not None]
        results.append(
            {
                "features": n,
                "networks": count,
                "nodes": median(sizes),
                "seconds": median(line[1] for line in lines),
                "naive nodes": median(line[2] for line in lines),
                "naive seconds": median(line[3] for line in lines),
            }
        )
        print(results[-1], flush=True)
    return results


# --- against the definition -------------------------------------------------------------------------------------------


def defined(net: Net, target: str, features: list[str]) -> dict[tuple[int, ...], int]:
    """By row, the class: the joint probability, summed over everything that is not observed; ties to the last."""
    nodes, parents, tables = net
    names = list(nodes)
    totals: dict[tuple[int, ...], list[Fraction]] = {}
    for values in itertools.product(*(range(len(nodes[name])) for name in names)):
        at = dict(zip(names, values, strict=True))
        p = Fraction(1)
        for name in names:
            entry = tables[name]
            for parent in parents.get(name, ()):
                entry = entry[at[parent]]
            p *= Fraction(str(entry[at[name]]))
        sums = totals.setdefault(tuple(at[f] for f in features), [Fraction(0)] * len(nodes[target]))
        sums[at[target]] += p
    return {row: max(range(len(sums)), key=lambda k: (sums[k], k)) for row, sums in totals.items()}


def random_net(rng: np.random.Generator) -> Net:
    names = [f"n{i}" for i in range(int(rng.integers(3, 7)))]
    nodes = {name: [str(v) for v in range(rng.integers(2, 4))] for name in names}
    parents = {name: [names[p] for p in rng.permutation(i)[: rng.integers(0, 3)]] for i, name in enumerate(names)}

    def table(shape: list[int]) -> Any:
        if len(shape) > 1:
            return [table(shape[1:]) for _ in range(shape[0])]
        cuts = np.sort(rng.integers(0, 11, size=shape[0] - 1)).tolist()
        return [f"{b - a}/10" for a, b in itertools.pairwise([0, *cuts, 10])]

    return nodes, parents, {n: table([*(len(nodes[p]) for p in parents[n]), len(nodes[n])]) for n in names}


def sufficient_reasons(decide: Any, x: tuple[int, ...], n_values: list[int]) -> set[tuple[int, ...]]:
    """Minimal sets of features that keep the decision whatever the others are; by trying everything."""
    found: list[set[int]] = []
    for size in range(len(x) + 1):
        for chosen in itertools.combinations(range(len(x)), size):
            if any(other <= set(chosen) for other in found):
                continue
            rows = itertools.product(*([v] if j in chosen else range(n_values[j]) for j, v in enumerate(x)))
            if all(decide[row] == decide[x] for row in rows):
                found.append(set(chosen))
    return {tuple(sorted(s)) for s in found}


def against_definition(count: int) -> dict[str, int]:
    total = {"networks": 0, "questions": 0, "change sets": 0, "reasons": 0}
    for seed in range(count):
        rng = np.random.default_rng([7, seed])
        net = random_net(rng)
        target = str(rng.choice(list(net[0])))
        features = [str(f) for f in rng.permutation([n for n in net[0] if n != target])]
        features = features[: max(1, len(features) - seed % 2)]
        decide = defined(net, target, features)
        c = symcf.compile(symcf.BayesNet(*net, target=target, features=features))
        n_values = [len(net[0][f]) for f in features]
        assert c.predict(np.array(list(decide)), codes=True).tolist() == list(decide.values())
        for row in rng.permutation(np.array(list(decide)))[:3].tolist():
            x = tuple(row)
            sets = oracle.change_sets(lambda r, d=decide: d[r], x, n_values)
            assert c.explain(x).sets == sets
            assert c.count(x) == len(sets)
            reasons = sufficient_reasons(decide, x, n_values)
            assert set(map(tuple, c.why(x).sets)) == reasons
            assert c.count_why(x) == len(reasons)
            total["questions"] += 1
            total["change sets"] += len(sets)
            total["reasons"] += len(reasons)
        total["networks"] += 1
    print(total)
    return total


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--random", type=int, default=500)
    options = parser.parse_args()
    set_up()
    few = common.sized(2, 1)
    results: dict[str, Any] = {"machine": common.machine(), "tan": tan(few), "published": published()}
    if options.all:
        results |= {
            "definition": against_definition(options.random),
            "hidden": hidden_leaves(few),
            "beyond": beyond(100_000),
        }
    common.write("bayes_networks", results)


if __name__ == "__main__":
    main()
