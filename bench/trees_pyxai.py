"""All contrastive explanations of decision trees: are symcf's those of PyXAI? And how long do both take?

    python bench/trees_pyxai.py [--instances 300] [--quick]
                                    eight minutes; prints a table, writes results/pyxai.json (not with --quick)

scikit-learn trees of several depths over real and random data; rows of the data and rows around them. PyXAI reads the
same fitted tree itself (on_pyxai.py) and lives in an environment of its own, build/pyxai, which this program makes.

What is compared. PyXAI sees a tree as a Boolean function of its conditions "feature > threshold". A contrastive reason
of a row is a subset-minimal set of conditions such that some setting of these, with all others as they are, gives
another class.

conditions  symcf gets the tree with every condition as a two-valued feature of its own: a change set of symcf and a
            reason of PyXAI are then the same thing, and all of them must be equal as sets of sets, row by row.
features    symcf gets the tree by `from_sklearn`, where a feature is one thing to change however many thresholds it
            has. The features that a reason mentions can be changed so that its leaf is reached, since no path of a
            scikit-learn tree contradicts itself; every leaf of another class needs the features of some reason. So
            the change sets must be the subset-minimal ones among the sets of features of PyXAI's reasons. Where every
            feature has one threshold (Boolean data) both comparisons are the same.
theory      PyXAI also with its theory, which links the thresholds of a feature: it drops reasons that contradict it.
            By the above there are none, so the reasons must be the same. Counted, on a part of the rows.

A difference ends the program. Three and more classes: "any other class", for both.

Seconds are processor time of one thread: PyXAI's `set_instance` and `contrastive_reason(n=ALL)` a row, its record of
the session switched off; symcf's `explain(row).sets` a row, and `explain_batch` of the same rows. The ratio is of the
same rows of the same tree, measured one after the other. Setting up (import of the tree; compilation) is apart.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import common
import numpy as np
from common import Spread
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import symcf
from symcf.fast import explain_batch

ENVIRONMENT = common.ROOT / "build" / "pyxai"
REQUIREMENTS = common.ROOT / "bench" / "requirements-pyxai.txt"

DEPTHS = (2, 3, 4, 6, 8, None)
#: Rows a tree that PyXAI explains again with its theory.
WITH_THEORY = 20
#: Times that symcf's shorter works are measured.
TURNS = 3

Sets = set[frozenset[int]]


# --- PyXAI's environment ----------------------------------------------------------------------------------------------


def set_up() -> str | None:
    """Makes its environment. Says why if it cannot. Trees are pickled, so both must have the same scikit-learn."""
    pins = "".join(f"{name}=={version(name)}\n" for name in ("numpy", "scikit-learn"))
    return common.environment(ENVIRONMENT, REQUIREMENTS.read_text() + pins, "PyXAI")


class PyXAI:
    """The program in the other environment."""

    def __init__(self) -> None:
        self.log = ENVIRONMENT / "stderr.txt"
        self.process = subprocess.Popen(
            [ENVIRONMENT / "bin" / "python", common.ROOT / "bench" / "on_pyxai.py"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log.open("w"),
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.tasks, self.answers = self.process.stdin, self.process.stdout
        self.versions: dict[str, str] = self.receive()

    def receive(self) -> Any:
        try:
            return pickle.load(self.answers)
        except EOFError:
            status = self.process.wait()
            raise SystemExit(f"PyXAI ended with status {status}:\n{self.log.read_text()}") from None

    def explain(
        self, tree: DecisionTreeClassifier, rows: np.ndarray, theory: bool = False, sufficient: bool = False
    ) -> dict[str, Any]:
        pickle.dump((tree, rows, theory, sufficient), self.tasks)
        self.tasks.flush()
        return self.receive()

    def close(self) -> None:
        self.tasks.close()
        self.process.wait()


# --- trees ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    data: str
    tree: DecisionTreeClassifier
    rows: np.ndarray


def data_sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    yield "breast_cancer", *load_breast_cancer(return_X_y=True)
    rows, classes = load_wine(return_X_y=True)
    yield "wine, two classes", rows[classes < 2], classes[classes < 2]
    yield "wine, three classes", rows, classes
    yield "iris, three classes", *load_iris(return_X_y=True)
    rows, classes = load_digits(return_X_y=True)
    black = (rows > 7.5).astype(float)
    yield "digits, 0 and 1", black[classes < 2], classes[classes < 2]
    yield "digits, even and odd", black, classes % 2
    for n, seed in ((6, 0), (8, 1), (10, 2), (12, 3), (16, 4), (20, 5)):
        rng = np.random.default_rng([n, seed])
        rows = rng.integers(2, size=(300, n)).astype(float)
        yield f"Boolean, {n}, any labels", rows, rng.integers(2, size=300)
        noise = rng.random(300) < 0.1
        yield f"Boolean, {n}, noisy sum", rows, ((rows @ rng.normal(size=n) > 0) ^ noise).astype(int)
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(200, 5))
    yield "numbers, 5, noisy", rows, ((rows[:, 0] * rows[:, 1] + rows[:, 2] > 0) ^ (rng.random(200) < 0.1)).astype(int)


def cases(instances: int) -> Iterator[Case]:
    """Rows are 32-bit floats, which is what scikit-learn compares: PyXAI compares what it gets."""
    for name, table, classes in data_sets():
        seen = set()
        for depth in DEPTHS:
            tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(table, classes)
            if tree.tree_.node_count in seen or len(classes_of_leaves(tree)) == 1:
                continue  # no deeper than the last one; or nothing to explain, on which PyXAI 2.0.1 raises IndexError
            seen.add(tree.tree_.node_count)
            yield Case(name, tree, rows_around(table, instances).astype(np.float32).astype(np.float64))


def classes_of_leaves(tree: DecisionTreeClassifier) -> set[int]:
    nodes = tree.tree_
    return set(np.argmax(nodes.value[nodes.feature < 0, 0, :], axis=1).tolist())


def rows_around(table: np.ndarray, count: int) -> np.ndarray:
    """Half of them from the table, half with every value from some row of it, all different."""
    rng = np.random.default_rng(len(table))
    known = table[rng.choice(len(table), min(len(table), count // 2), replace=False)]
    mixed = np.take_along_axis(table, rng.integers(len(table), size=(count - len(known), table.shape[1])), axis=0)
    return np.unique(np.concatenate([known, mixed]), axis=0)


# --- symcf's side -----------------------------------------------------------------------------------------------------


def over_conditions(tree: DecisionTreeClassifier, conditions: list[tuple[int, float]]) -> symcf.DecisionTree:
    """The tree with each condition as a feature with the values 0 and 1."""
    nodes = tree.tree_
    index = {condition: i for i, condition in enumerate(conditions)}
    tested = [
        index[int(f), float(t)] if f >= 0 else -1 for f, t in zip(nodes.feature, nodes.threshold, strict=True)
    ]  # a KeyError says that PyXAI has other conditions
    return symcf.DecisionTree.from_arrays(
        tested, np.full(len(tested), 0.5), nodes.children_left, nodes.children_right,
        np.eye(len(tree.classes_), dtype=int)[np.argmax(nodes.value[:, 0, :], axis=1)],
        features=[f"x{f} > {t!r}" for f, t in conditions], values=[(0, 1)] * len(conditions),
    )  # fmt: skip


def minimal(sets: Iterable[frozenset[int]]) -> Sets:
    kept: Sets = set()
    for candidate in sorted(set(sets), key=len):
        if not any(other <= candidate for other in kept):
            kept.add(candidate)
    return kept


def as_sets(sets: Iterable[Iterable[int]]) -> Sets:
    return {frozenset(map(int, one)) for one in sets}


@dataclass(frozen=True)
class Timed:
    """Of all rows: seconds to compile, to explain them one by one, and as a table; and the sets of each row."""

    setup: float
    one_by_one: float
    batch: float
    sets: list[Sets]


def explained(model: symcf.Model, rows: np.ndarray) -> Timed:
    start = time.thread_time()
    compiled = symcf.compile(model)
    setup = time.thread_time() - start
    timings = common.in_turns(
        {
            "one by one": lambda: [compiled.explain(row).sets for row in rows],
            "batch": lambda: explain_batch(compiled, rows),
        },
        TURNS,
    )
    sets = [as_sets(explanation.sets) for explanation in explain_batch(compiled, rows)]
    if sets != [as_sets(compiled.explain(row).sets) for row in rows]:
        raise SystemExit("explain and explain_batch disagree")
    return Timed(setup, timings["one by one"].median, timings["batch"].median, sets)


# --- comparison -------------------------------------------------------------------------------------------------------


def compare(case: Case, pyxai: PyXAI) -> dict[str, Any]:
    theirs = pyxai.explain(case.tree, case.rows)
    conditions: list[tuple[int, float]] = theirs["conditions"]
    reasons = [as_sets(found) for found in theirs["reasons"]]
    if theirs["predictions"] != case.tree.predict(case.rows).tolist():
        raise SystemExit(f"{case.data}: PyXAI decides differently than scikit-learn")
    if [len(found) for found in theirs["reasons"]] != [len(found) for found in reasons]:
        raise SystemExit(f"{case.data}: PyXAI gives a reason twice")
    bits = np.column_stack([case.rows[:, f] > t for f, t in conditions]).astype(np.int8)
    by_condition = explained(over_conditions(case.tree, conditions), bits)
    must_equal(case, "conditions", by_condition.sets, reasons)
    by_feature = explained(symcf.from_sklearn(case.tree), case.rows)
    projected = [minimal(frozenset(conditions[c][0] for c in reason) for reason in found) for found in reasons]
    must_equal(case, "features", by_feature.sets, projected)
    few = case.rows[:WITH_THEORY]
    with_theory = [as_sets(found) for found in pyxai.explain(case.tree, few, theory=True)["reasons"]]
    must_equal(case, "theory", reasons[: len(few)], with_theory)
    n = len(case.rows)
    features = {f for f, _ in conditions}
    return {
        "data": case.data,
        "depth": int(case.tree.get_depth()),
        "leaves": int(case.tree.get_n_leaves()),
        "conditions": len(conditions),
        "features": len(features),
        "one_threshold_a_feature": len(features) == len(conditions),
        "instances": n,
        "with_theory": len(few),
        "sets_of_conditions": sum(map(len, reasons)),
        "sets_of_features": sum(map(len, projected)),
        "most_sets_a_row": max(map(len, reasons)),
        "seconds_a_row": {
            "PyXAI": theirs["seconds"] / n,
            "symcf, conditions": by_condition.one_by_one / n,
            "symcf, conditions, in a table": by_condition.batch / n,
            "symcf, features": by_feature.one_by_one / n,
            "symcf, features, in a table": by_feature.batch / n,
        },
        "setup_seconds": {"PyXAI": theirs["setup"], "conditions": by_condition.setup, "features": by_feature.setup},
    }


def must_equal(case: Case, what: str, ours: list[Sets], theirs: list[Sets]) -> None:
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        if mine != other:
            raise SystemExit(
                f"{case.data}, depth {case.tree.get_depth()}, row {i}, {what}: they differ\n"
                f"only symcf: {sorted(map(sorted, mine - other))}\nonly PyXAI: {sorted(map(sorted, other - mine))}"
            )


# ----------------------------------------------------------------------------------------------------------------------


def ratios(trees: list[dict[str, Any]]) -> dict[str, Spread]:
    """How many times as long PyXAI takes, tree by tree."""
    names = [name for name in trees[0]["seconds_a_row"] if name != "PyXAI"]
    return {name: Spread.of(t["seconds_a_row"]["PyXAI"] / t["seconds_a_row"][name] for t in trees) for name in names}


def print_trees(trees: list[dict[str, Any]]) -> None:
    def microseconds(tree: dict[str, Any], name: str) -> str:
        return f"{1e6 * tree['seconds_a_row'][name]:,.1f}"

    columns = ("PyXAI", "symcf, conditions", "symcf, conditions, in a table", "symcf, features, in a table")
    print("\nmicroseconds a row; every row's sets are equal")
    common.print_table(
        ("", "depth", "leaves", "conditions", "features", "rows", "reasons", "feature sets", *columns),
        [
            (t["data"], t["depth"], t["leaves"], t["conditions"], t["features"], t["instances"],
             f"{t['sets_of_conditions']:,}", f"{t['sets_of_features']:,}", *(microseconds(t, name) for name in columns))
            for t in trees
        ],
    )  # fmt: skip


def totals(trees: list[dict[str, Any]]) -> dict[str, int]:
    keys = ("instances", "with_theory", "sets_of_conditions", "sets_of_features")
    return {
        "trees": len(trees),
        "trees_with_one_threshold_a_feature": sum(t["one_threshold_a_feature"] for t in trees),
        **{key: sum(t[key] for t in trees) for key in keys},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=300, help="of each tree")
    parser.add_argument("--quick", action="store_true", help="every sixth tree; writes nothing")
    options = parser.parse_args()
    problem = set_up()
    if problem:
        raise SystemExit(f"PyXAI cannot be installed here: {problem}")
    load = os.getloadavg()[0]
    pyxai = PyXAI()
    chosen = list(cases(options.instances))[:: 6 if options.quick else 1]
    trees = [compare(case, pyxai) for case in chosen]
    pyxai.close()
    print_trees(trees)
    summary, times = totals(trees), ratios(trees)
    print("\nall equal: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in summary.items()))
    for name, ratio in times.items():
        print(f"PyXAI takes {ratio:,.1f} times as long as {name}")
    if options.quick:
        return
    machine = common.machine()
    machine["packages"] |= pyxai.versions
    common.write(
        "pyxai",
        {"machine": machine, "load": [load, os.getloadavg()[0]], "equal": summary, "times_as_long": times,
         "trees": trees},
    )  # fmt: skip


if __name__ == "__main__":
    main()
