"""Ensembles of trees: symcf beside treecf, PyXAI, OR-tools CP-SAT and DiCE, on the same rows, in one run.

    python bench/tree_peers.py [--rows 2] [--seconds 5]
                                    two minutes; prints as it goes, writes results/tree_peers.json; --quick

XGBoost and a random forest, fitted here and handed to each tool as they are. XGBoost starts from `base_score=0.5`:
PyXAI 2.0.1 leaves other first guesses out of the sum, so that it would explain another classifier. The tools are no
dependencies: they live in environments of their own, build/tree_peers and build/dice, which this program makes
(on_tree_peers.py).

menus      treecf's `recourse_menu` says which sets of up to r features can change the decision, with proof: the
           question of `explain(row, max_changes=r)`. Where its menu is complete, its minimal sets must be ours.
cheapest   The fewest features that must change. CP-SAT gets the trees as we add them up, in integers; its optimum must
           be the size of our first set. PyXAI's `minimal_contrastive_reason`, with its theory of numbers, is asked for
           one reason; it decides for itself what the model predicts, so its answers are given back to the model.
samples    DiCE, its method `random`, ten wanted.

Whatever a tool gives is predicted again by the estimator itself. Where it flips the decision, symcf must have a change
set within the features that it changes. A contradiction ends the program. Everything runs in one thread; seconds are
processor time, of symcf those of `explain` with everything that it does, or of a row of a table (`explain_batch`). A
ratio is of one row, both sides measured in this run.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import common
import numpy as np
from common import Spread
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import RandomForestClassifier

import symcf
from symcf.fast import explain_batch
from symcf.models.rules import Tree, TreeRule
from symcf.question.case import Case
from symcf.question.question import Question

#: By name of the environment, the tools in it.
ENVIRONMENTS = {"tree_peers": "requirements-trees.txt", "dice": "requirements-dice.txt"}

#: Counterfactuals that DiCE is asked for.
SAMPLES = 10

#: Rows of the data that symcf explains together.
TABLE = common.sized(300, 10)

#: Times that our side of a row is measured; the median counts.
TURNS = common.sized(5, 1)

Sets = set[frozenset[int]]


@dataclass(frozen=True)
class Model:
    name: str
    estimator: Any
    table: np.ndarray
    #: The largest menu that treecf is asked for.
    menus: int


def models() -> Iterator[Model]:
    from xgboost import XGBClassifier

    def boosted() -> Any:
        return XGBClassifier(max_depth=6, base_score=0.5, random_state=0, n_jobs=1)

    x, y = load_breast_cancer(return_X_y=True)
    x = as_compared(x)
    yield Model("breast_cancer, XGBoost 100 × 6", boosted().fit(x, y), x, 3)
    yield Model("breast_cancer, RandomForest 100", RandomForestClassifier(100, random_state=0).fit(x, y), x, 2)
    x, y = make_classification(20_000, 20, n_informative=10, random_state=0)
    x = as_compared(x)
    yield Model("20 columns, XGBoost 100 × 6", boosted().fit(x, y), x, 3)


def as_compared(table: np.ndarray) -> np.ndarray:
    """Both libraries compare 32-bit floats."""
    return table.astype(np.float32).astype(np.float64)


# --- the other environments -------------------------------------------------------------------------------------------


def set_up(name: str, requirements: str) -> None:
    """Makes an environment if it is not there or its requirements have changed."""
    wanted = (common.ROOT / "bench" / requirements).read_text()
    problem = common.environment(common.ROOT / "build" / name, wanted, requirements)
    if problem is not None:
        raise SystemExit(f"{requirements} cannot be installed here: {problem}")


def ask(environment: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers, in a process of its own."""
    place = common.ROOT / "build" / environment  # PyXAI writes files to where it runs
    command: list[Path | str] = [place / "bin" / "python", common.ROOT / "bench" / "on_tree_peers.py"]
    settings = {**os.environ, "OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    done = subprocess.run(command, input=pickle.dumps((tool, arguments)), capture_output=True, env=settings, cwd=place)
    if done.returncode:
        raise SystemExit(f"{tool} failed:\n{done.stderr.decode()}")
    return pickle.loads(done.stdout)


# --- symcf's side -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ours:
    """By row: seconds, and the sets."""

    seconds: list[float]
    sets: list[Sets]


def as_sets(sets: Iterable[Iterable[int]]) -> Sets:
    return {frozenset(map(int, one)) for one in sets}


def explained(c: symcf.Compiled, rows: np.ndarray, **keywords: Any) -> Ours:
    """One `explain` per row, several times; the first one, which may prepare something, does not count."""

    def timed(row: np.ndarray) -> tuple[float, Sets]:
        found = as_sets(c.explain(row, **keywords).sets)
        figures = []
        for _ in range(TURNS):
            start = time.thread_time()
            c.explain(row, **keywords)
            figures.append(time.thread_time() - start)
        return float(np.median(figures)), found

    pairs = [timed(row) for row in rows]
    return Ours([seconds for seconds, _ in pairs], [sets for _, sets in pairs])


def in_a_table(c: symcf.Compiled, model: Model, **keywords: Any) -> float:
    """Seconds of a row among others, by `explain_batch`."""
    table = model.table[:: max(1, len(model.table) // TABLE)][:TABLE]
    work = {"": lambda: explain_batch(c, table, n_jobs=1, **keywords)}
    return common.in_turns(work, 3, time.process_time)[""].median / len(table)


# --- the trees for CP-SAT ---------------------------------------------------------------------------------------------


def leaves_of(tree: Tree, n_values: list[int], number: Callable[[int, tuple[int, ...]], int]) -> list[Any]:
    """What class 1 leads by at each leaf, and the tests on the way."""
    found, stack = [], [(0, [])]
    while stack:
        u, way = stack.pop()
        j = int(tree.feature[u])
        if j < 0:
            found.append((int(tree.score[u, 1] - tree.score[u, 0]), way))
            continue
        start = int(tree.left_start[u])
        test = number(j, tuple(np.flatnonzero(tree.left_values[start : start + n_values[j]]).tolist()))
        stack.append((int(tree.left[u]), [*way, (test, True)]))
        stack.append((int(tree.right[u]), [*way, (test, False)]))
    return found


def for_cp_sat(c: symcf.Compiled, rows: np.ndarray) -> dict[str, Any]:
    rule = c.decision.rule  # type: ignore[attr-defined]
    assert isinstance(rule, TreeRule)
    offset = rule.value_offset.tolist()
    n_values = np.diff(rule.value_offset).tolist()
    tests: dict[tuple[int, tuple[int, ...]], int] = {}
    trees = [
        leaves_of(tree, n_values, lambda j, codes: tests.setdefault((j, codes), len(tests))) for tree in rule.trees
    ]
    question = Question.checked(c)
    cases = []
    for row in rows:
        codes = c.codes(row[None, :])[0].astype(int).tolist()
        mask = Case(question, np.array([codes], dtype=np.uint32)).query.mask
        allowed = [
            [v for v in range(n) if v == x or mask is None or mask[o + v]]
            for n, o, x in zip(n_values, offset[:-1], codes, strict=True)
        ]
        sign = -1 if c.predict(row[None, :], codes=True)[0] else 1
        enough = 0 if (sign > 0) == rule.later_wins else 1  # a tie is class 1's if later classes win
        cases.append({"x": codes, "allowed": allowed, "sign": sign, "enough": enough})
    return {"tests": [(j, list(codes)) for j, codes in tests], "cases": cases, "trees": trees}


# --- judgement --------------------------------------------------------------------------------------------------------


def flips(model: Model, row: np.ndarray, other: np.ndarray) -> bool:
    before, after = model.estimator.predict(np.stack([row, other]))
    return bool(before != after)


def judged(model: Model, c: symcf.Compiled, row: np.ndarray, others: Iterable[np.ndarray]) -> dict[str, int]:
    """How many of the rows that a tool gives are valid, and how many change no more features than needed."""
    given = valid = minimal = 0
    for other in others:
        changed = np.flatnonzero(other != row).tolist()
        given += 1
        if not flips(model, row, other):
            continue
        valid += 1
        kept = [name for j, name in enumerate(c.features) if j not in changed]
        within = as_sets(c.explain(row, immutable=kept, k=1).sets)
        minimal += within == {frozenset(changed)}
        if not within:
            raise SystemExit(f"{model.name}: a change of {changed} flips, and symcf has no set within these features")
    return {"given": given, "valid": valid, "minimal": minimal}


def in_all(counts: list[dict[str, int]]) -> dict[str, int]:
    return {key: sum(one[key] for one in counts) for key in counts[0]}


def turned_over(row: np.ndarray, conditions: list[tuple[int, str, float]], reason: list[int]) -> np.ndarray | None:
    """A row for which exactly the conditions of a reason are other than they were; None if there is none."""
    other = row.copy()
    for j in {conditions[i][0] for i in reason}:
        low, high = -np.inf, np.inf  # low <= value < high, or low < value <= high, by the operator
        strict = True
        for i, (feature, operator, cut) in enumerate(conditions):
            if feature != j:
                continue
            strict = operator == "GT"
            holds = (row[j] > cut if strict else row[j] >= cut) != (i in reason)
            low, high = (max(low, cut), high) if holds else (low, min(high, cut))
        if low >= high:
            return None
        toward = np.float32(np.inf)
        if np.isfinite(low):
            other[j] = np.nextafter(np.float32(low), toward) if strict else np.float32(low)
        else:
            other[j] = np.float32(high) if strict else np.nextafter(np.float32(high), -toward)
    return other


# --- one model --------------------------------------------------------------------------------------------------------


def menus(model: Model, c: symcf.Compiled, rows: np.ndarray, wanted: list[int], limit: float) -> dict[str, Any]:
    """treecf's menus of up to 1, 2, 3 features."""
    found: dict[str, Any] = {}
    for most in range(1, model.menus + 1):
        ours = explained(c, rows, max_changes=most)
        theirs = ask(
            "tree_peers", "treecf", model=model.estimator, table=model.table, rows=rows, wanted=wanted, most=most,
            seconds=limit,
        )  # fmt: skip
        complete, counts, ratios = 0, [], []
        for row, sets, seconds, one in zip(rows, ours.sets, ours.seconds, theirs["answers"], strict=True):
            if one["complete"]:
                complete += 1
                if as_sets(one["sets"]) != sets:
                    raise SystemExit(
                        f"{model.name}, up to {most}: treecf {one['sets']}, symcf {sorted(map(sorted, sets))}"
                    )
            elif not as_sets(one["sets"]) <= sets:
                raise SystemExit(f"{model.name}, up to {most}: treecf has {one['sets']}, which are not all minimal")
            counts.append(judged(model, c, row, map(np.array, one["rows"])))
            ratios.append(one["seconds"] / seconds)
        found[str(most)] = {
            "symcf": Spread.of(ours.seconds),
            "symcf_in_a_table": in_a_table(c, model, max_changes=most),
            "treecf": Spread.of(one["seconds"] for one in theirs["answers"]),
            "times": Spread.of(ratios),
            "sets": sum(map(len, ours.sets)),
            "complete": complete,
            **in_all(counts),
        }
        print(model.name, "up to", most, found[str(most)], flush=True)
    return {"versions": theirs["versions"], "up_to": found}


def cheapest(model: Model, c: symcf.Compiled, rows: np.ndarray, limit: float) -> dict[str, Any]:
    """One set of fewest features: symcf, CP-SAT, PyXAI."""
    ours = explained(c, rows, k=1)
    sizes = [len(next(iter(sets))) for sets in ours.sets]
    solver = ask("tree_peers", "cp_sat", **for_cp_sat(c, rows), seconds=limit)
    for size, one in zip(sizes, solver["answers"], strict=True):
        if (one["status"] == "OPTIMAL" and one["fewest"] != size) or (one["fewest"] or size) < size:
            raise SystemExit(f"{model.name}: CP-SAT needs {one['fewest']} changes, symcf {size}")
    pyxai = ask("tree_peers", "pyxai", model=model.estimator, rows=rows, seconds=int(limit))
    own = model.estimator.predict(rows).astype(int).tolist()
    counts, disagree, fewest = [], 0, 0
    for row, label, size, one in zip(rows, own, sizes, pyxai["answers"], strict=True):
        disagree += one["prediction"] != label
        if one["reason"] is None:
            continue
        other = turned_over(row, pyxai["conditions"], one["reason"])
        others = [] if other is None else [other]
        verdict = judged(model, c, row, others)
        counts.append({**verdict, "given": 1})
        fewest += bool(verdict["valid"]) and len({pyxai["conditions"][i][0] for i in one["reason"]}) == size
    found = {
        "symcf": {"seconds": Spread.of(ours.seconds), "found": len(sizes), "changes": sizes},
        "CP-SAT": {
            **beside(solver, ours),
            "found": sum(one["status"] == "OPTIMAL" for one in solver["answers"]),
        },
        "PyXAI": {
            **beside(pyxai, ours),
            "found": len(counts),
            "predicts_otherwise": disagree,
            "fewest": fewest,
            **(in_all(counts) if counts else {}),
        },
    }
    print(model.name, "cheapest", found, flush=True)
    return {"versions": solver["versions"] | pyxai["versions"], "tools": found}


def beside(theirs: dict[str, Any], ours: Ours) -> dict[str, Spread]:
    """Seconds, and times ours."""
    seconds = [one["seconds"] for one in theirs["answers"]]
    times = [other / own for other, own in zip(seconds, ours.seconds, strict=True)]
    return {"seconds": Spread.of(seconds), "times": Spread.of(times)}


def samples(model: Model, c: symcf.Compiled, rows: np.ndarray) -> dict[str, Any]:
    """Ten rows each: DiCE's, and our ten cheapest."""
    ours = explained(c, rows, k=SAMPLES)
    theirs = ask("dice", "dice", model=model.estimator, table=model.table, rows=rows, count=SAMPLES)
    counts = [
        judged(model, c, row, map(np.array, one["rows"])) for row, one in zip(rows, theirs["answers"], strict=True)
    ]
    found = {"symcf": Spread.of(ours.seconds), "wanted": SAMPLES, **beside(theirs, ours), **in_all(counts)}
    print(model.name, "samples", found, flush=True)
    return {"versions": theirs["versions"], **found}


def compare(model: Model, n_rows: int, limit: float) -> dict[str, Any]:
    c = symcf.compile(model.estimator, data=model.table)
    rows = model.table[:: max(1, len(model.table) // n_rows)][:n_rows]
    wanted = [1 - int(label) for label in model.estimator.predict(rows)]
    return {
        "rows": len(rows),
        "features": rows.shape[1],
        "leaves": c.decision.ensemble.n_leaves,  # type: ignore[attr-defined]
        "samples": samples(model, c, rows),
        "cheapest": cheapest(model, c, rows, limit),
        "menus": menus(model, c, rows, wanted, limit),
    }


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--rows", type=int, default=common.sized(2, 1), help="of each model")
    parser.add_argument("--seconds", type=float, default=common.sized(5.0, 1.0), help="that a tool may take for a row")
    given = parser.parse_args()
    for name, requirements in ENVIRONMENTS.items():
        set_up(name, requirements)
    load = os.getloadavg()[0]
    found = {model.name: compare(model, given.rows, given.seconds) for model in islice(models(), common.sized(None, 1))}
    machine = common.machine()
    for one in found.values():
        for part in ("samples", "cheapest", "menus"):
            machine["packages"] |= one[part].pop("versions")
    common.write("tree_peers", {"machine": machine, "load": load, "limit": given.seconds, "models": found})


if __name__ == "__main__":
    main()
