"""Time-limit overshoot and latency of Ctrl-C: every public call that can take long.

    python bench/latency.py [--quick] [--only WORD] [--seed 0]
                                    some minutes; prints a table, writes results/latency.json

Each case lives in a process of its own. A time limit's overshoot is the wall time of the whole call beyond the limit:
the classifier is fresh, so that building its diagram counts, unless the case says "built". For Ctrl-C, another process
sends SIGINT at a random moment of the call, and the delay is the time until the call has raised KeyboardInterrupt.
A call that ends by itself before that is counted as such. `waited` is for how much of the call the thread was ready to
run and the machine was busy with others: where it is large, run again. Imports are done before (PySAT's take 0.2 s).

The goal: 0.1 s for limits, 0.2 s for Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common
import numpy as np

import symcf
import symcf.fast

LIMIT_GOAL, INTERRUPT_GOAL = 0.1, 0.2

#: Seconds after which a call that should have ended long ago is killed.
PATIENCE = 30.0

LIMITS = (0.05, 0.3, 1.0)
QUICK_LIMITS = (0.3,)


# --- classifiers ------------------------------------------------------------------------------------------------------


def naive_bayes(n: int) -> symcf.Compiled:
    return symcf.compile(next(common.random_classifiers(n, 1, seed=1)))


def many_values(n: int = 30, values: int = 12) -> symcf.Compiled:
    rng = np.random.default_rng(2)
    return symcf.compile(symcf.NaiveBayes([0.5, 0.5], [rng.dirichlet(np.ones(values), 2) for _ in range(n)]))


def classes(n: int = 40, count: int = 4) -> symcf.Compiled:
    rng = np.random.default_rng(3)
    weights = [[rng.integers(-1000, 1000, 2).tolist() for _ in range(n)] for _ in range(count)]
    return symcf.compile(symcf.LinearClassifier(weights, bias=[9000] + [0] * (count - 1), probability="logistic"))


def forest(trees: int = 40, n: int = 30) -> symcf.Compiled:
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(4)
    rows = rng.integers(0, 2, (2000, n))
    labels = (rows @ rng.normal(size=n) + rng.normal(size=2000) > 0).astype(int)
    model = RandomForestClassifier(trees, max_depth=8, random_state=0).fit(rows, labels)
    return symcf.compile(symcf.from_sklearn(model))


def function(n: int = 22) -> symcf.Compiled:
    """At least half of the features are 1."""
    ones = np.zeros(1 << n, dtype=np.int8)
    for j in range(n):
        ones[1 << j : 2 << j] = ones[: 1 << j] + 1
    return symcf.compile(symcf.Diagram.from_table(ones >= n // 2))


def built(c: symcf.Compiled) -> symcf.Compiled:
    for k in range(1, c.n_classes if c.n_classes > 2 else 2):
        c.class_diagram(k)
    return c


def far(c: symcf.Compiled) -> list[int]:
    """A row deep inside its class, since those have many change sets: of 1000 random ones the surest, or with sums of
    weights the one that is surest of all.
    """
    weight = None if c.threshold is None else c.threshold.weight
    if c.decision.beats is not None:  # class 0 against all others
        weight = -sum(t.weight for t in c.decision.beats[0] if t is not None)
    if weight is not None:
        ends = c.decision.groups.core_offset.tolist()
        return [int(np.argmax(weight[a:b])) for a, b in itertools.pairwise(ends)]
    table = rows(c, 1000)
    table[0] = 0
    proba = c.probabilities(table)
    return table[0 if proba is None else int(np.argmax(proba.max(axis=1)))].tolist()


def rows(c: symcf.Compiled, count: int) -> Any:
    sizes = [len(values) for values in c.values]
    return np.random.default_rng(6).integers(0, sizes, (count, c.n_features)).astype(np.int8)


# --- cases ------------------------------------------------------------------------------------------------------------

Call = Callable[..., object]


@dataclass(frozen=True)
class Case:
    """A call that takes long. `make` gives the call, freshly prepared; it is told the time limit if it takes one."""

    name: str
    make: Callable[[], Call]
    limited: bool = True

    @property
    def public(self) -> str:
        """The call without its circumstances."""
        return self.name.split(":")[0]


def explaining(make: Callable[[], symcf.Compiled], **options: Any) -> Callable[[], Call]:
    def prepared() -> Call:
        c = make()
        x = far(c)
        return lambda **limit: c.explain(x, **options, **limit)

    return prepared


def asking(method: str, make: Callable[[], symcf.Compiled], *arguments: Any, **options: Any) -> Callable[[], Call]:
    def prepared() -> Call:
        c = make()
        x = far(c)
        return lambda **limit: getattr(c, method)(x, *arguments, **options, **limit)

    return prepared


def streaming(make: Callable[[], symcf.Compiled], **options: Any) -> Callable[[], Call]:
    def prepared() -> Call:
        c = make()
        x = far(c)
        return lambda **limit: sum(1 for _ in c.iter_counterfactuals(x, **options, **limit))

    return prepared


def batch(make: Callable[[], symcf.Compiled], count: int, *, deep: bool = False, **options: Any) -> Callable[[], Call]:
    """Random rows, or rows near the one that has the most change sets."""

    def prepared() -> Call:
        c = make()
        table = rows(c, count)
        if deep:
            table = np.where(np.arange(c.n_features) < 8, table, far(c)).astype(np.int8)
        return lambda **limit: symcf.fast.explain_batch(c, table, **options, **limit)

    return prepared


def compiling(n: int, order: str) -> Callable[[], Call]:
    model = next(common.random_classifiers(n, 1, seed=1))
    return lambda: lambda **limit: symcf.compile(model, order=order, **limit).diagram


def encoding(name: str, n: int) -> Callable[[], Call]:
    def prepared() -> Call:
        c = built(naive_bayes(n))
        return lambda: c.cnf(name, max_clauses=None)

    return prepared


def verifying(make: Callable[[], symcf.Compiled], **options: Any) -> Callable[[], Call]:
    def prepared() -> Call:
        c = make()
        x = far(c)
        found = c.explain(x, **options)
        return lambda: symcf.verify(c, x, found)

    return prepared


def loading(n: int) -> Callable[[], Call]:
    path = Path(tempfile.mkdtemp()) / "classifier.symcf"
    built(naive_bayes(n)).save(path)
    return lambda: lambda: symcf.load(path)


def looking(make: Callable[[], symcf.Compiled], count: int) -> Callable[[], Call]:
    def prepared() -> Call:
        c = make()
        found = c.explain(far(c), max_results=count)
        return lambda: list(found.sets)

    return prepared


def cases() -> Iterator[Case]:
    """Everything that can take long."""
    nb = {n: lambda n=n: naive_bayes(n) for n in (20, 25, 30, 45, 60)}
    nb_built = {n: lambda n=n: built(naive_bayes(n)) for n in (20, 25)}
    relation = {"constraints": ["x0 = 1 -> x1 = 0", "x2 = 1 -> x3 = 1"]}
    by_value = {"cost": {0: [[0, 3], [2, 0]], 1: [[0, 1], [5, 0]]}}
    yield Case("explain: cover, n = 45", explaining(nb[45], engine="cover"))
    yield Case("explain: cover, n = 60, costs", explaining(nb[60], engine="cover", cost=list(range(1, 61))))
    yield Case("explain: cover, n = 45, k = 10^5", explaining(nb[45], engine="cover", k=10**5))
    yield Case("explain: cover, n = 60, k = 10^6, costs", explaining(nb[60], k=10**6, cost=list(range(1, 61))))
    yield Case("explain: cover, n = 60, at most 16", explaining(nb[60], engine="cover", max_changes=16))
    yield Case("explain: cover, n = 45, costs by value", explaining(nb[45], engine="cover", **by_value))
    yield Case("explain: cover, n = 45, k, costs by value", explaining(nb[45], k=10**4, **by_value))
    yield Case("explain: cover, 4 classes", explaining(classes, engine="cover"))
    yield Case("explain: cover, 4 classes, k = 10^5", explaining(classes, engine="cover", k=10**5))
    yield Case("explain: cover, 12 values each, all values", explaining(many_values, engine="cover", select="all"))
    yield Case("explain: diagram, n = 30", explaining(nb[30], engine="diagram"))
    yield Case("explain: diagram, n = 25, built", explaining(nb_built[25], engine="diagram"))
    yield Case("explain: diagram, n = 25, built, k = 10^5", explaining(nb_built[25], engine="diagram", k=10**5))
    yield Case("explain: diagram, n = 30, relations", explaining(nb[30], engine="diagram", **relation))
    yield Case("explain: diagram, n = 25, costs by value", explaining(nb[25], engine="diagram", **by_value))
    yield Case("explain: diagram, 4 classes", explaining(lambda: classes(24), engine="diagram"))
    yield Case("explain: diagram, forest", explaining(forest, engine="diagram"))
    yield Case("explain: diagram, function of 22", explaining(function, engine="diagram"))
    yield Case("explain: nothing to be found", explaining(nb[30], engine="diagram", immutable=list(range(29))))
    for engine in ("sat", "sat-portable"):
        yield Case(f"explain: {engine}, n = 25", explaining(nb[25], engine=engine))
        yield Case(
            f"explain: {engine}, n = 20, built, no-cut", explaining(nb_built[20], engine=engine, encoding="no-cut")
        )
        yield Case(f"explain: {engine}, n = 25, k = 100", explaining(nb[25], engine=engine, k=100))
        yield Case(f"explain: {engine}, forest", explaining(forest, engine=engine))
        yield Case(f"explain_batch: {engine}, n = 25", batch(nb[25], 2000, engine=engine))
    yield Case("explain_batch: cover, n = 30", batch(nb[30], 20_000))
    yield Case("explain_batch: cover, n = 30, 2 threads", batch(nb[30], 20_000, n_jobs=2))
    yield Case("explain_batch: cover, n = 45", batch(nb[45], 200, deep=True))
    yield Case("explain_batch: cover, n = 60, costs", batch(nb[60], 200, deep=True, cost=list(range(1, 61))))
    yield Case("explain_batch: cover, n = 45, k = 1000", batch(nb[45], 20_000, k=1000))
    yield Case("explain_batch: diagram, n = 30", batch(nb[30], 2000, engine="diagram"))
    yield Case("explain_batch: diagram, n = 25, 2 threads", batch(nb_built[25], 2000, engine="diagram", n_jobs=2))
    yield Case("explain_batch: diagram, forest", batch(forest, 100))
    yield Case("explain_batch: relations, n = 25", batch(nb[25], 2000, **relation))
    yield Case("explain_batch: costs by value, n = 25", batch(nb[25], 2000, **by_value))
    yield Case("count: cover, n = 60", asking("count", nb[60]))
    yield Case("count: diagram, n = 30", asking("count", nb[30], engine="diagram"))
    yield Case("count: sat, n = 25", asking("count", nb[25], engine="sat"))
    yield Case("count: forest", asking("count", forest))
    yield Case("count_bounds: n = 60", asking("count_bounds", nb[60]))
    yield Case("sample: n = 30", asking("sample", nb[30], 100_000))
    yield Case("sample: n = 25, built", asking("sample", nb_built[25], 1_000_000))
    yield Case("iter_counterfactuals: cover, n = 45", streaming(nb[45]))
    yield Case("iter_counterfactuals: diagram, n = 30", streaming(nb[30], engine="diagram"))
    yield Case("iter_counterfactuals: sat, n = 25", streaming(nb[25], engine="sat"))
    for order in ("influence", "natural", "sift"):
        yield Case(f"compile: {order}, n = 30", compiling(30, order))
    for name in ("no-cut", "node-cut", "aux-cut", "prime"):
        yield Case(f"cnf: {name}", encoding(name, 25), limited=False)
    yield Case("verify: n = 20", verifying(nb[20]), limited=False)
    yield Case("verify: n = 45, k = 100", verifying(nb[45], k=100), limited=False)
    yield Case("load: n = 30", loading(30), limited=False)
    yield Case("sets: looking at 5 * 10^6", looking(nb[45], 5 * 10**6), limited=False)


# --- the process of a case --------------------------------------------------------------------------------------------


def waited() -> float:
    """Seconds that this thread was ready to run and did not; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) * 1e-9
    except OSError:
        return 0.0


def status_of(result: object) -> str:
    """How a call ended, if it says so."""
    status = getattr(result, "status", "finished")
    if isinstance(status, np.ndarray):
        return "time_limit" if (status == 2).any() else "complete"
    return str(status)


def warm_up() -> None:
    """Imports what is imported at first use: that is once in a process, and not ours to interrupt."""
    c = naive_bayes(4)
    for engine in ("diagram", "sat", "sat-portable"):
        c.explain([0] * 4, engine=engine)
        c.explain([0] * 4, engine=engine, k=1, max_changes=2)


def serve(case: Case) -> None:
    """Answers commands from stdin: a time limit, or "interrupt"; one line of JSON each."""
    signal.signal(signal.SIGINT, lambda *_: None)
    warm_up()
    for line in sys.stdin:
        command = line.strip()
        call = case.make()
        limit = {} if command == "interrupt" else {"time_limit": float(command)}
        outcome, started_waiting, end = "finished", 0.0, 0.0
        print("go", flush=True)
        start = time.monotonic()
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            started_waiting = waited()
            start = time.monotonic()
            result: object = call(**limit)
            end = time.monotonic()
            outcome = "finished" if command == "interrupt" else status_of(result)
        except symcf.LimitError as error:
            end, outcome = time.monotonic(), type(error).__name__
        except KeyboardInterrupt:
            end, outcome = time.monotonic(), "interrupted"
        with contextlib.suppress(KeyboardInterrupt):
            signal.signal(signal.SIGINT, lambda *_: None)
        lost = waited() - started_waiting
        print(json.dumps({"start": start, "end": end, "outcome": outcome, "waited": lost}), flush=True)
        del call
        result = None  # freed unwatched


class Child:
    """The process of a case, started again when it had to be killed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._process: subprocess.Popen[bytes] | None = None
        self._read = b""

    def _line(self, patience: float) -> str | None:
        """The next line, or None if none comes for so long. The stream has no buffer: select would not see it."""
        assert self._process is not None
        assert self._process.stdout is not None
        end = time.monotonic() + patience
        while b"\n" not in self._read:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, end - time.monotonic()))
            more = self._process.stdout.read(1 << 16) if ready else b""
            if not more:
                return None
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line.decode()

    def ask(self, command: str, delay: float | None = None) -> dict[str, Any] | None:
        """What became of a call; None if it had to be killed. With a delay, SIGINT is sent so long after its start."""
        if self._process is None:
            arguments = [sys.executable, __file__, "--serve", self._name]
            self._process = subprocess.Popen(
                arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n".encode())
        if self._line(4 * PATIENCE) != "go":
            raise SystemExit(f"{self._name}: the process ended")
        sent = None
        if delay is not None:
            time.sleep(delay)
            sent = time.monotonic()
            self._process.send_signal(signal.SIGINT)
        answer = self._line(PATIENCE)
        if answer is None:
            self.close()
            return None
        return {**json.loads(answer), "sent": sent}

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process, self._read = None, b""


# --- measuring --------------------------------------------------------------------------------------------------------


def measure(case: Case, limits: tuple[float, ...], interrupts: int, rng: np.random.Generator) -> dict[str, Any]:
    """The worst overshoot and the worst delay of a case."""
    child = Child(case.name)
    result: dict[str, Any] = {"name": case.name, "call": case.public, "limits": [], "interrupts": []}
    for limit in limits if case.limited else ():
        answer = child.ask(str(limit))
        if answer is None:
            result["limits"].append({"limit": limit, "late": PATIENCE - limit, "waited": 0.0, "outcome": "killed"})
            continue
        late = max(0.0, answer["end"] - answer["start"] - limit)
        lost = answer["waited"]
        result["limits"].append({"limit": limit, "late": late, "waited": lost, "outcome": answer["outcome"]})
    for _ in range(interrupts):
        answer = child.ask("interrupt", float(rng.uniform(0.02, 1.5)))
        if answer is None:
            result["interrupts"].append({"late": PATIENCE, "waited": 0.0, "outcome": "killed"})
        else:
            heard = answer["outcome"] == "interrupted"
            late = max(0.0, answer["end"] - answer["sent"]) if heard else 0.0
            after = answer["sent"] - answer["start"]
            lost = answer["waited"]
            result["interrupts"].append({"after": after, "late": late, "waited": lost, "outcome": answer["outcome"]})
    child.close()
    return result


def worst(measured: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The one that was late most."""
    return max(measured, key=lambda one: one["late"], default=None)


def cell(one: dict[str, Any] | None) -> list[str]:
    if one is None:
        return ["-", "-", "-"]
    return [f"{one['late']:.3f}", f"{one['waited']:.3f}", one["outcome"]]


def by_call(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The worst of each public call."""
    calls: dict[str, dict[str, Any]] = {}
    for result in results:
        summary = calls.setdefault(
            result["call"],
            {"call": result["call"], "cases": 0, "n_limits": 0, "n_interrupts": 0, "limit": None, "interrupt": None},
        )
        summary["cases"] += 1
        for kind, key in (("limits", "limit"), ("interrupts", "interrupt")):
            heard = [one for one in result[kind] if key == "limit" or one["outcome"] != "finished"]
            summary[f"n_{kind}"] += len(heard)
            candidates = [{**one, "case": result["name"]} for one in heard]
            summary[key] = worst([*candidates, *([summary[key]] if summary[key] else [])])
    return list(calls.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one limit and one Ctrl-C a case")
    parser.add_argument("--only", default="", metavar="WORD", help="cases whose name has this in it; writes nothing")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--serve", metavar="CASE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve(next(case for case in cases() if case.name == options.serve))
        return
    rng = np.random.default_rng(options.seed)
    results = []
    limits, interrupts = (QUICK_LIMITS, 1) if options.quick else (LIMITS, 3)
    for case in cases():
        if options.only not in case.name:
            continue
        result = measure(case, limits, interrupts, rng)
        results.append(result)
        print(f"{case.name:46}", *cell(worst(result["limits"])), " ", *cell(worst(result["interrupts"])), flush=True)
    summary = by_call(results)
    print()
    common.print_table(
        ["call", "cases", "limit: s late", "waited", "case", "Ctrl-C: s late", "waited", "case"],
        [[s["call"], s["cases"], *_summary_cells(s["limit"]), *_summary_cells(s["interrupt"])] for s in summary],
    )
    if not options.only:
        goals = {"limit": LIMIT_GOAL, "interrupt": INTERRUPT_GOAL}
        common.write(
            "latency",
            {"machine": common.machine(), "goals": goals, "limits": limits, "calls": summary, "results": results},
        )


def _summary_cells(one: dict[str, Any] | None) -> list[str]:
    return ["-", "-", "-"] if one is None else [f"{one['late']:.3f}", f"{one['waited']:.3f}", one["case"]]


if __name__ == "__main__":
    main()
