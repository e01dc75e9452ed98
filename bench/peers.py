"""Other ways to counterfactuals beside symcf, on the same instances of the same classifiers, in one run.

    python bench/peers.py [--features 10 16 20 25] [--classifiers 2] [--instances 4]
                                    two minutes; prints a table a size, writes results/peers.json; --quick

PySAT's LBX and MCSls get the paper's formula and enumerate all its MCSs (on_pysat.py); symcf's engine `sat` gets the
same formula and no help of its own (`assisted=False`), so that the same work stands side by side, with loading and
without. What making the clauses costs is not in these rows. DiCE and NICE get the classifier as an estimator of
scikit-learn (tabular_peers.py); they live in an environment of their own, build/peers, which this program makes: they
are no dependencies. Everything runs in one thread; seconds are processor time.

Of each: time an instance; how many counterfactuals it gives; how many of these flip the decision; how many are minimal,
that is, would no longer flip it with any one change taken back; and which share of all minimal ones it found. symcf's
answers count like the others'; their number is checked against LBX's.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import common
import numpy as np
from batch import random_rows
from on_pysat import LBX, MCSls, enumerate_mcses

import symcf
from symcf.common.clock import Clock
from symcf.fast import explain_batch
from symcf.question.case import Query
from symcf.search.sat import engine as sat

ENVIRONMENT = common.ROOT / "build" / "peers"
REQUIREMENTS = common.ROOT / "bench" / "requirements-peers.txt"

#: Rows of the table that symcf explains besides the instances.
TABLE = common.sized(20_000, 500)

Sets = list[tuple[int, ...]]


@dataclass(frozen=True)
class Answer:
    """Of one instance: seconds, and the features that each counterfactual changes."""

    seconds: float
    sets: Sets


# --- their environment ------------------------------------------------------------------------------------------------


def set_up() -> str | None:
    """Makes their environment. Says why if it cannot."""
    return common.environment(ENVIRONMENT, REQUIREMENTS.read_text(), "the peers")


def tabular_peers(model: symcf.NaiveBayes, rows: np.ndarray, **more: int) -> dict[str, Any]:
    prior, tables = model.class_prior, np.array(model.tables)
    odds = np.log(tables[:, 1, :] / tables[:, 0, :])
    task = {
        "weights": (odds[:, 1] - odds[:, 0]).tolist(),
        "bias": math.log(prior[1] / prior[0]) + float(odds[:, 0].sum()),
        "rows": rows.tolist(),
        **more,
    }
    done = subprocess.run(
        [ENVIRONMENT / "bin" / "python", common.ROOT / "bench" / "tabular_peers.py"],
        input=json.dumps(task), capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"the peers failed:\n{done.stderr}")
    return json.loads(done.stdout)


# --- one classifier ---------------------------------------------------------------------------------------------------


def changed(row: np.ndarray, counterfactuals: Iterable[list[int]]) -> Sets:
    return [tuple(np.flatnonzero(row != np.array(other)).tolist()) for other in counterfactuals]


def one_classifier(model: symcf.NaiveBayes, rows: np.ndarray, tabular: bool) -> tuple[dict[str, list[Answer]], dict]:
    compiled = symcf.compile(model)
    answers = in_a_table(compiled, rows)
    answers["symcf, one explain() each"] = [one_by_one(compiled, row) for row in rows]
    for name in (*SAME, "LBX, as documented", "LBX, loaded before", "MCSls, as documented"):
        answers[name] = []
    for row in rows:
        for name, answer in zip(SAME, same_formula(compiled, row), strict=True):
            answers[name].append(answer)
        formula = compiled.wcnf(row).to_pysat()
        timed = enumerate_mcses(LBX, formula)
        answers["LBX, as documented"].append(Answer(timed.seconds, timed.sets))
        answers["LBX, loaded before"].append(Answer(timed.enumerate, timed.sets))
        timed = enumerate_mcses(MCSls, formula)
        answers["MCSls, as documented"].append(Answer(timed.seconds, timed.sets))
    versions = {}
    if tabular:
        theirs = tabular_peers(model, rows)
        versions = theirs["versions"]
        for name, result in theirs["tools"].items():
            answers[name] = [
                Answer(answer["seconds"], changed(row, answer["counterfactuals"]))
                for row, answer in zip(rows, result["answers"], strict=True)
            ]
    return answers, versions


#: The engine `sat` on the formula that LBX gets.
SAME = ("symcf `sat`, the same clauses", "symcf `sat`, loaded before")


def same_formula(compiled: symcf.Compiled, row: np.ndarray) -> tuple[Answer, Answer]:
    """All change sets by the engine `sat`, from no-cut clauses that exist: with loading them, and once they are."""
    goal = (1, 1 - int(compiled.predict(row[np.newaxis], codes=True)[0]))
    clauses = compiled.cnf("no-cut", negate=not goal[1])
    engine = sat.SatSearch(lambda goal, clock: clauses)
    query = Query(row.astype(np.uint32), goal, None, None, None)

    def all_sets() -> Answer:
        start = time.thread_time()
        answers = list(engine.steps(query, None, Clock(None)))
        seconds = time.thread_time() - start
        return Answer(seconds, sorted((s for answer in answers for s in answer.sets), key=lambda s: (len(s), s)))

    return all_sets(), all_sets()


def in_a_table(compiled: symcf.Compiled, rows: np.ndarray) -> dict[str, list[Answer]]:
    """Together with many random rows, which is what explain_batch is for; every row at the same price. All rows differ:
    equal ones would be solved once, and at ten features most of them are equal. As found and sorted: the peers do not
    sort either.
    """
    table = np.unique(np.concatenate([rows, random_rows(TABLE, compiled.n_features, seed=1)]), axis=0)
    timings = common.in_turns(
        {
            "symcf, a row of a table": lambda: explain_batch(compiled, table, sort=False),
            "symcf, the same sorted": lambda: explain_batch(compiled, table),
        },
        5,
    )
    batch = explain_batch(compiled, rows)
    return {
        name: [Answer(timing.median / len(table), explanation.sets) for explanation in batch]
        for name, timing in timings.items()
    }


def one_by_one(compiled: symcf.Compiled, row: np.ndarray) -> Answer:
    (timing,) = common.in_turns({"": lambda: compiled.explain(row).sets}, 3).values()
    return Answer(timing.median, compiled.explain(row).sets)


# --- judgement --------------------------------------------------------------------------------------------------------


def flips(compiled: symcf.Compiled, row: np.ndarray, sets: Sets) -> list[bool]:
    """Does changing these features change the decision?"""
    if not sets:
        return []
    others = np.repeat(row[np.newaxis], len(sets), axis=0)
    for other, features in zip(others, sets, strict=True):
        other[list(features)] ^= 1
    return (compiled.predict(others, codes=True) != compiled.predict(row[np.newaxis], codes=True)[0]).tolist()


def is_minimal(compiled: symcf.Compiled, row: np.ndarray, features: tuple[int, ...]) -> bool:
    """For a function that is monotone in each feature it is enough to take single changes back."""
    smaller = [tuple(f for f in features if f != left_out) for left_out in features]
    return not any(flips(compiled, row, smaller))


def judge(compiled: symcf.Compiled, rows: np.ndarray, answers: list[Answer], truth: list[Sets]) -> dict[str, Any]:
    given = valid = minimal = 0
    shares = []
    for row, answer, everything in zip(rows, answers, truth, strict=True):
        distinct = sorted(set(answer.sets))
        good = [s for s, flipped in zip(distinct, flips(compiled, row, distinct), strict=True) if flipped]
        best = [s for s in good if is_minimal(compiled, row, s)]
        given, valid, minimal = given + len(distinct), valid + len(good), minimal + len(best)
        shares.append(len(best) / len(everything))
    return {
        "seconds": [answer.seconds for answer in answers],
        "given": given,
        "valid": valid,
        "minimal": minimal,
        "share_of_all": shares,
    }


def measure(n: int, classifiers: int, instances: int, tabular: bool) -> tuple[dict[str, Any], dict[str, str]]:
    judged: dict[str, list[dict[str, Any]]] = {}
    versions: dict[str, str] = {}
    for i, model in enumerate(common.random_classifiers(n, classifiers)):
        rows = random_rows(instances, n, seed=i)
        answers, versions = one_classifier(model, rows, tabular)
        truth = [answer.sets for answer in answers["LBX, as documented"]]
        if [answer.sets for answer in answers["symcf, a row of a table"]] != truth:
            raise SystemExit("symcf and LBX disagree on the change sets")
        compiled = symcf.compile(model)
        if any(one.sets != sets for name in SAME for one, sets in zip(answers[name], truth, strict=True)):
            raise SystemExit("the engine sat and LBX disagree on the change sets")
        for name, each in answers.items():
            judged.setdefault(name, []).append(judge(compiled, rows, each, truth))
    return {name: summary(parts) for name, parts in judged.items()}, versions


def summary(parts: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = [s for part in parts for s in part["seconds"]]
    shares = [s for part in parts for s in part["share_of_all"]]
    given, valid, minimal = (sum(part[key] for part in parts) for key in ("given", "valid", "minimal"))
    return {
        "mean_seconds": fmean(seconds),
        "median_seconds": median(seconds),
        "given_an_instance": given / len(seconds),
        "valid": valid / given if given else None,
        "minimal": minimal / given if given else None,
        "share_of_all_minimal": fmean(shares),
    }


# ----------------------------------------------------------------------------------------------------------------------


def print_size(n: int, tools: dict[str, Any]) -> None:
    base = tools["symcf, a row of a table"]["mean_seconds"]

    def percent(value: float | None) -> str:
        return "-" if value is None else f"{100 * value:.1f} %" if value < 1 else "100 %"

    print(f"\n{n} features")
    common.print_table(
        ("", "ms an instance", "times symcf", "counterfactuals", "valid", "minimal", "of all minimal"),
        [
            (name, f"{1e3 * t['mean_seconds']:,.4f}", f"{t['mean_seconds'] / base:,.0f}",
             f"{t['given_an_instance']:,.1f}", percent(t["valid"]), percent(t["minimal"]),
             percent(t["share_of_all_minimal"]))
            for name, t in tools.items()
        ],
    )  # fmt: skip


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--features", type=int, nargs="+", default=common.sized([10, 16, 20, 25], [10, 12]))
    parser.add_argument("--classifiers", type=int, default=common.sized(2, 1))
    parser.add_argument("--instances", type=int, default=common.sized(4, 2), help="of each classifier")
    options = parser.parse_args()
    problem = set_up()
    if problem:
        print(f"DiCE and NICE cannot be installed here, so PySAT only: {problem}")
    sizes, versions = {}, {}
    start = time.perf_counter()
    for n in options.features:
        sizes[n], versions = measure(n, options.classifiers, options.instances, tabular=problem is None)
        print_size(n, sizes[n])
    print(f"\n{time.perf_counter() - start:.0f} seconds in all")
    machine = common.machine()
    machine["packages"] |= versions and {name: versions[name] for name in ("dice-ml", "NICEx", "scikit-learn")}
    common.write(
        "peers",
        {"machine": machine, "load": os.getloadavg()[0], "classifiers": options.classifiers,
         "instances": options.instances, "not_installed": problem, "sizes": sizes},
    )  # fmt: skip


if __name__ == "__main__":
    main()
