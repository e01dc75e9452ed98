"""Tables of rows in figures: `symcf.fast.explain_batch` against a memcpy of its result, against counting, in memory.

    python bench/batch.py           a minute; prints tables a and b, writes results/batch.json; --quick
    python bench/batch.py --all     five minutes; the other tables, too

a  25 features, all change sets, one thread, against a memcpy of the result          wanted: at most 5 times as long
b  the same in C, against the kernel that only counts (core/bench_batch.c)           wanted: at least half as fast
c  two threads against one                                                           wanted: at least 1.8 times as fast
d  1,000 and 10,000 features, the ten cheapest sets a row                            wanted: under 1 ms a row at 1,000
e  memory at its peak against result and input                                       wanted: at most 1.5 times
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import common
import numpy as np
from common import Spread

import symcf
from symcf.fast import explain_batch

N = 25
ROWS = common.sized(20_000, 500)
CLASSIFIERS = common.sized(5, 2)
TURNS = common.sized(5, 1)

COLUMNS = ("row_offsets", "set_offsets", "features", "status", "prediction")


def random_rows(count: int, n: int, seed: int = 0, dtype: type = np.int8) -> np.ndarray:
    return np.random.default_rng([seed, count, n]).integers(0, 2, (count, n), dtype=dtype)


def columns(batch: symcf.fast.BatchExplanation) -> list[np.ndarray]:
    return [getattr(batch, name) for name in COLUMNS]


# --- a: against memcpy ------------------------------------------------------------------------------------------------


def against_memcpy() -> dict[str, Any]:
    runs = [memcpy_run(model) for model in common.random_classifiers(N, CLASSIFIERS)]
    ways = ("as found", "sorted", "memcpy, warm memory", "memcpy, fresh memory")
    a_set = {way: Spread.of(run["ns_a_set"][way] for run in runs) for way in ways}
    best = {way: Spread.of(run["least_ns_a_set"][way] for run in runs) for way in ways}
    pairs = [f"{way} to {copy}" for way in ways[:2] for copy in ways[2:]]
    ratios = {pair: Spread.of(run["ratios"][pair].median for run in runs) for pair in pairs}
    of_least = {pair: Spread.of(run["ratios_of_least"][pair] for run in runs) for pair in pairs}
    print(f"\na. {N} features, {ROWS:,} rows, all change sets, one thread, {CLASSIFIERS} classifiers")
    print("   medians, and the same for the shortest times: what new memory costs varies thirtyfold on some machines")
    head = ("", "ns a set", "times memcpy, warm", "times memcpy, fresh")
    for name, figures, quotients in (("medians", a_set, ratios), ("shortest", best, of_least)):
        common.print_table(
            (name, *head[1:]),
            [(way, f"{figures[way]:.1f}", *(f"{quotients[f'{way} to {copy}']:.2f}" for copy in ways[2:]))
             for way in ways[:2]] + [(copy, f"{figures[copy]:.1f}", "", "") for copy in ways[2:]],
        )  # fmt: skip
    return {"n": N, "rows": ROWS, "ns_a_set": a_set, "least_ns_a_set": best, "ratios": ratios,
            "ratios_of_least": of_least, "runs": runs}  # fmt: skip


def memcpy_run(model: symcf.NaiveBayes) -> dict[str, Any]:
    """The result is new memory, so a memcpy into new memory is its like; the one into old memory is the stricter."""
    compiled, rows = symcf.compile(model), random_rows(ROWS, N)
    answer = columns(explain_batch(compiled, rows))
    used = [column.copy() for column in answer]
    timings = common.in_turns(
        {
            "as found": lambda: explain_batch(compiled, rows, sort=False),
            "sorted": lambda: explain_batch(compiled, rows),
            "memcpy, warm memory": lambda: [np.copyto(to, column) for to, column in zip(used, answer, strict=True)],
            "memcpy, fresh memory": lambda: [column.copy() for column in answer],
        },
        TURNS,
    )
    n_sets = len(answer[1]) - 1
    pairs = [(w, c) for w in ("as found", "sorted") for c in ("memcpy, warm memory", "memcpy, fresh memory")]
    return {
        "sets": n_sets,
        "sets_a_row": n_sets / ROWS,
        "features_a_set": len(answer[2]) / n_sets,
        "megabytes": sum(column.nbytes for column in answer) / 1e6,
        "seconds": timings,
        "ns_a_set": {way: 1e9 * timing.median / n_sets for way, timing in timings.items()},
        "least_ns_a_set": {way: 1e9 * timing.spread.least / n_sets for way, timing in timings.items()},
        "ratios": {f"{way} to {copy}": timings[way].over(timings[copy]) for way, copy in pairs},
        "ratios_of_least": {
            f"{way} to {copy}": timings[way].spread.least / timings[copy].spread.least for way, copy in pairs
        },
    }


# --- b: against counting ----------------------------------------------------------------------------------------------


def against_counting(lines: list[dict[str, Any]]) -> dict[str, Any]:
    cases = ("count", "found", "sorted", "warm", "fresh")
    a_set = {case: Spread.of(1e9 * line[case]["median"] / line["sets"] for line in lines) for case in cases}
    speed = {case: Spread.of(line[f"count_to_{case}"] for line in lines) for case in ("found", "sorted")}
    best = {case: Spread.of(line["count"]["least"] / line[case]["least"] for line in lines) for case in speed}
    to_copy = {
        f"{case}_to_{copy}": Spread.of(line[f"{case}_to_{copy}"] for line in lines)
        for case in ("found", "sorted")
        for copy in ("warm", "fresh")
    }
    print(f"\nb. in C: {lines[0]['n']} features, {lines[0]['rows']:,} rows, one thread, {len(lines)} classifiers")
    rows = [("only counted", f"{a_set['count']:.1f}", "1", "1", "", "")]
    for case, name in (("found", "columns, as found"), ("sorted", "columns, sorted")):
        copies = [f"{to_copy[f'{case}_to_{copy}']:.2f}" for copy in ("warm", "fresh")]
        rows.append((name, f"{a_set[case]:.1f}", f"{speed[case]:.2f}", f"{best[case]:.2f}", *copies))
    rows += [(f"memcpy, {copy} memory", f"{a_set[copy]:.1f}", "", "", "", "") for copy in ("warm", "fresh")]
    head = ("", "ns a set", "of the speed", "by shortest times", "times memcpy, warm", "times memcpy, fresh")
    common.print_table(head, rows)
    return {"ns_a_set": a_set, "speed": speed, "speed_of_least": best, "to_memcpy": to_copy, "runs": lines}


# --- c: threads -------------------------------------------------------------------------------------------------------

THREAD_CLASSIFIERS = 3
THREAD_TURNS = 25


def threads() -> dict[str, Any]:
    """By the clock on the wall, which on a busy machine says more about the others. Hence three further figures: what
    two threads of plain arithmetic gain in the same turns, which no batch can pass; the shortest times, when the
    machine was least busy; and what the gain would be if both threads had a processor to themselves: twice the user
    time of one thread over that of two, which is less than 2 as far as threads get in each other's way.
    """
    runs = [thread_run(model) for model in common.random_classifiers(N, THREAD_CLASSIFIERS)]
    gains = {key: Spread.of(run[key] for run in runs) for key in runs[0] if key != "seconds"}
    print(f"\nc. two threads against one, {N} features, {ROWS:,} rows, {THREAD_CLASSIFIERS} classifiers")
    common.print_table(("", "times as fast"), [(key, f"{gains[key]:.2f}") for key in gains])
    return {"gains": gains, "runs": runs}


def thread_run(model: symcf.NaiveBayes) -> dict[str, Any]:
    compiled, rows = symcf.compile(model), random_rows(ROWS, N)
    block = memoryview(bytes(128 << 20))
    hashlib.sha256(block)  # touches it
    pool = ThreadPoolExecutor(2)

    def arithmetic(jobs: int) -> None:
        size = len(block) // jobs
        list(pool.map(hashlib.sha256, [block[i * size : (i + 1) * size] for i in range(jobs)]))

    works: dict[str, Callable[[], object]] = {
        f"{what}, {jobs}": work
        for jobs in (1, 2)
        for what, work in (
            ("as found", lambda jobs=jobs: explain_batch(compiled, rows, sort=False, n_jobs=jobs)),
            ("sorted", lambda jobs=jobs: explain_batch(compiled, rows, n_jobs=jobs)),
            ("plain arithmetic", lambda jobs=jobs: arithmetic(jobs)),
        )
    }
    wall = common.in_turns(works, THREAD_TURNS, time.perf_counter)
    busy = common.in_turns(works, 3, lambda: resource.getrusage(resource.RUSAGE_SELF).ru_utime)
    pool.shutdown()
    result: dict[str, Any] = {"seconds": wall}
    for what in ("as found", "sorted", "plain arithmetic"):
        one, two = wall[f"{what}, 1"], wall[f"{what}, 2"]
        result[f"{what}: median turn"] = one.over(two).median
        result[f"{what}: shortest times"] = one.spread.least / two.spread.least
        result[f"{what}: by user time"] = 2 * busy[f"{what}, 1"].median / busy[f"{what}, 2"].median
    return result


# --- d: many features -------------------------------------------------------------------------------------------------

#: features: rows
WIDE = {1_000: 10_000, 10_000: 200}
CHEAPEST = 10


def many_features() -> list[dict[str, Any]]:
    results = []
    for n, count in WIDE.items():
        (model,) = common.random_classifiers(n, 1)
        compiled, rows = symcf.compile(model), random_rows(count, n)
        price = 1 + np.random.default_rng(n).integers(0, 1_000, n)
        for what, cost in (("cost 1 each", None), ("random costs", price.tolist())):
            start = time.thread_time()
            batch = explain_batch(compiled, rows, k=CHEAPEST, cost=cost)
            seconds = time.thread_time() - start
            per_set = len(batch.features) / max(1, batch.n_sets)
            results.append(
                {"n": n, "rows": count, "costs": what, "ms_a_row": 1e3 * seconds / count,
                 "sets_a_row": batch.n_sets / count, "features_a_set": per_set}
            )  # fmt: skip
    print(f"\nd. many features, the {CHEAPEST} cheapest sets a row, one thread")
    common.print_table(
        ("features", "rows", "costs", "ms a row", "sets a row", "features a set"),
        [
            (f"{r['n']:,}", f"{r['rows']:,}", r["costs"], f"{r['ms_a_row']:.3f}", f"{r['sets_a_row']:.1f}",
             f"{r['features_a_set']:.1f}")
            for r in results
        ],
    )  # fmt: skip
    return results


# --- e: memory --------------------------------------------------------------------------------------------------------

#: name: rows, features, type of the codes, keywords
MEMORY: dict[str, tuple[int, int, str, dict[str, Any]]] = {
    "as found, int8 codes": (ROWS, N, "int8", {"sort": False}),
    "sorted, int8 codes": (ROWS, N, "int8", {}),
    "sorted, int64 codes": (ROWS, N, "int64", {}),
    "sorted, two threads": (ROWS, N, "int8", {"n_jobs": 2}),
    "million rows of 10 features": (1_000_000, 10, "int8", {"n_jobs": 2}),
    "10 cheapest of 1,000 features": (10_000, 1_000, "int8", {"k": 10}),
    "engine diagram": (5_000, N, "int8", {"engine": "diagram"}),
}


def memory() -> list[dict[str, Any]]:
    """Each in a process of its own: what it holds at its peak beyond what it held after its imports."""
    results = []
    for name in MEMORY:
        output = subprocess.run(
            [sys.executable, __file__, "--memory", name], check=True, capture_output=True, text=True
        ).stdout
        results.append(json.loads(output))
    print("\ne. memory at its peak, beyond the imports, against result plus input")
    common.print_table(
        ("", "input MB", "result MB", "peak MB", "times"),
        [
            (r["name"], f"{r['input'] / 1e6:,.1f}", f"{r['result'] / 1e6:,.1f}", f"{r['peak'] / 1e6:,.1f}",
             f"{r['ratio']:.2f}")
            for r in results
        ],
    )  # fmt: skip
    return results


def memory_run(name: str) -> None:
    """Prints one line of JSON. The rows are made in place, so that the peak is the batch's."""
    count, n, dtype, options = MEMORY[name]
    (model,) = common.random_classifiers(n, 1)
    compiled = symcf.compile(model)
    explain_batch(compiled, np.zeros((1, n), dtype), **options)
    before = peak_memory()
    rows = random_rows(count, n, dtype=np.dtype(dtype).type)
    batch = explain_batch(compiled, rows, **options)
    peak = peak_memory() - before
    result = {"name": name, "input": rows.nbytes, "result": batch.nbytes, "peak": peak, "sets": batch.n_sets}
    print(json.dumps({**result, "ratio": peak / (rows.nbytes + batch.nbytes)}))


def peak_memory() -> int:
    """Bytes. Not ru_maxrss, which begins with the peak of whoever started the process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) << 10
    raise SystemExit("the memory benchmark reads /proc/self/status, which this system does not have")


# ----------------------------------------------------------------------------------------------------------------------


def main() -> None:
    if sys.argv[1:2] == ["--memory"]:
        memory_run(sys.argv[2])
        return
    parser = common.parser(__doc__)
    parser.add_argument("--all", action="store_true", help="tables c, d and e, too")
    everything = parser.parse_args().all
    lines = common.run_core("bench_batch")
    machine = common.machine(lines[0]["compiler"])
    print(f"{machine['cpu']}, {machine['cores']} cores; Python {machine['python']}, {machine['compiler']}")
    print(f"processor time unless it says otherwise; medians (least .. most); load {os.getloadavg()[0]:.1f}")
    results = {
        "machine": machine,
        "load": os.getloadavg()[0],
        "against_memcpy": against_memcpy(),
        "against_counting": against_counting(lines),
    }
    if everything:
        results |= {"threads": threads(), "many_features": many_features(), "memory": memory()}
    a_row = median(run["seconds"]["as found"].median for run in results["against_memcpy"]["runs"]) / ROWS
    print(f"\n{1e6 * a_row:.1f} µs a row with all its change sets, {N} features")
    common.write("batch", results)


if __name__ == "__main__":
    main()
