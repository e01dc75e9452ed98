"""What a row costs on its way from Parquet to Parquet, and what Dask adds to it.

    python bench/scaling.py [--rows 5000000] [--small 1000000] [--files 16] [--features 18] [--turns 1]
                                    several minutes; prints tables, writes results/scaling.json

1. The stages, one thread: reading, explaining, writing, for several questions. Processor time.
2. The same job three ways: a plain loop in one process; plain loops in two processes, half of the files each; two
   workers of a LocalCluster through `symcf.cluster.explain_to_parquet`. By the clock and by processor time, two sizes.
3. A model, time = fixed + cost a row x rows / cores, beside what was measured. Its numbers come from a job of almost
   no rows, and from one small file in one process without Dask (processor time), taken just before each size.

On a machine that others use, the clock says little; processor time says what the work was. The load is written down.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import pickle
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import common
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster

import symcf
import symcf.cluster
from symcf.arrow import explain_batches, output_schema
from symcf.cluster import job_directory, splits
from symcf.cluster.inputs import Cuts, Files
from symcf.cluster.work import BATCH_ROWS, Work, Writing

WORKERS = 2

#: Features and keywords of the questions whose stages are measured.
QUESTIONS = {
    "18 features, all": (18, {}),
    "18 features, k=3": (18, {"k": 3}),
    "25 features, all": (25, {}),
    "25 features, k=3": (25, {"k": 3}),
    "100 features, k=3": (100, {"k": 3}),
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--small", type=int, default=1_000_000, help="rows at the smaller size")
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--features", type=int, default=18)
    parser.add_argument("--sample", type=int, default=50_000, help="rows for the stages")
    parser.add_argument("--turns", type=int, default=1, help="how often each size is run, ways in turns")
    return parser.parse_args()


def classifier(n: int) -> symcf.Compiled:
    (model,) = common.random_classifiers(n, 1)
    return symcf.compile(model)


def write_rows(path: Path, rows: int, features: tuple[str, ...], seed: int) -> None:
    codes = np.random.default_rng(seed).integers(0, 2, (len(features), rows), dtype=np.int8)
    pq.write_table(pa.table(dict(zip(features, codes, strict=True))), path)


# --- 1: stages --------------------------------------------------------------------------------------------------------


def stages(directory: Path, n: int, rows: int, options: dict[str, Any]) -> dict[str, float]:
    """Microseconds of processor time a row, and bytes a row."""
    c = classifier(n)
    rows = rows if n < 25 or options else rows // 4
    write_rows(directory / "sample.parquet", rows, c.features, 0)
    kind, files = splits.find_files(directory / "sample.parquet", None)
    layout = splits.layout_of(kind, files, c.features, ())
    (part,) = splits.cut(files, layout, None, None)
    batches = list(splits.read(part, layout, BATCH_ROWS))
    explained = list(explain_batches(c, batches, **options))

    def write() -> job_directory.Done:
        return job_directory.write_part(directory, "job", 0, output_schema(), explained, "zstd")

    timings = common.in_turns(
        {
            "read": lambda: list(splits.read(part, layout, BATCH_ROWS)),
            "explain": lambda: list(explain_batches(c, batches, **options)),
            "write": write,
        },
        turns=5,
        clock=time.process_time,
    )
    done = write()
    return {
        **{name: 1e6 * timing.median / rows for name, timing in timings.items()},
        "sets": done.sets / rows,
        "bytes_in": files[0].size / rows,
        "bytes_out": done.bytes / rows,
        "model_bytes": len(pickle.dumps(c)),
    }


# --- 2: the job, three ways -------------------------------------------------------------------------------------------


def plain_loop(source: Path, target: Path, n: int, which: slice) -> float:
    """The job without Dask; returns its processor time."""
    start = time.process_time()
    c = classifier(n)
    kind, files = splits.find_files(source, None)
    layout = splits.layout_of(kind, files, c.features, ())
    found = splits.cut(files, layout, symcf.cluster.PART_ROWS, None)
    for number, part in list(enumerate(found))[which]:
        batches = explain_batches(c, splits.read(part, layout, BATCH_ROWS), first_row=part.first_row)
        job_directory.write_part(target, "job", number, output_schema(), batches, "zstd")
    return time.process_time() - start


class Ways:
    """The same job by one process, by two, and by two workers. Processes are up and warm before the clock starts."""

    def __init__(self, client: Client, pool: Any, n: int) -> None:
        self.client, self.pool, self.n = client, pool, n

    def one_process(self, source: Path, target: Path) -> float:
        return float(self.pool.apply(plain_loop, (source, target, self.n, slice(None))))

    def two_processes(self, source: Path, target: Path) -> float:
        jobs_ = [(source, target, self.n, slice(i, None, WORKERS)) for i in range(WORKERS)]
        return float(sum(self.pool.starmap(plain_loop, jobs_, chunksize=1)))

    def two_workers(self, source: Path, target: Path) -> float:
        """Processor time of workers, scheduler and this process."""
        before = self._used()
        symcf.cluster.explain_to_parquet(classifier(self.n), source, target, client=self.client)
        return self._used() - before

    def cost(self, source: Path, target: Path, turns: int = 5) -> float:
        """Processor time a row, from the first file alone."""
        found = []
        for _ in range(turns):
            target.mkdir()
            processor = self.pool.apply(plain_loop, (source, target, self.n, slice(0, 1)))
            found.append(processor / sum(pq.read_metadata(path).num_rows for path in target.glob("part-*")))
            shutil.rmtree(target)
        return sorted(found)[turns // 2]

    def _used(self) -> float:
        return sum(self.client.run(_used).values()) + _used()

    def idle(self, seconds: float = 5.0) -> float:
        """Processor time that the cluster uses in a second in which it has nothing to do."""
        before = self._used()
        time.sleep(seconds)
        return (self._used() - before) / seconds

    def timed(self, way: Callable[[Path, Path], float], source: Path, target: Path) -> dict[str, float]:
        target.mkdir()
        start = time.perf_counter()
        processor = way(source, target)
        seconds = time.perf_counter() - start
        rows = sum(pq.read_metadata(path).num_rows for path in target.glob("part-*"))
        shutil.rmtree(target)
        return {"seconds": seconds, "processor": processor, "rows": rows}


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


@contextlib.contextmanager
def workers(n: int) -> Iterator[tuple[Ways, float]]:
    start = time.perf_counter()
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(WORKERS)
        up = time.perf_counter() - start
        with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
            yield Ways(client, pool, n), up


def sizes(directory: Path, options: argparse.Namespace) -> dict[str, Any]:
    features = classifier(options.features).features
    results: dict[str, Any] = {}
    with workers(options.features) as (ways, up):
        inputs = {"nothing": 16, "small": options.small, "large": options.rows}
        for name, rows in inputs.items():
            source = directory / name
            source.mkdir()
            for i in range(options.files):
                write_rows(source / f"rows{i:02d}.parquet", rows // options.files, features, i)
        for way in (ways.one_process, ways.two_processes, ways.two_workers):
            ways.timed(way, directory / "nothing", directory / "out")  # imports, first connections
        fixed = [ways.timed(ways.two_workers, directory / "nothing", directory / "out")["seconds"] for _ in range(5)]
        results = {"cluster_up": up, "fixed": sorted(fixed)[2], "idle": ways.idle(), "sizes": {}}
        for name in ("small", "large"):
            results["sizes"][name] = []
            for _ in range(options.turns):
                cost = ways.cost(directory / "small", directory / "out")
                turn = {
                    way.__name__: ways.timed(way, directory / name, directory / "out")
                    for way in (ways.one_process, ways.two_processes, ways.two_workers)
                }
                results["sizes"][name].append({"cost": cost, **compared(turn)})
    return results


def compared(turn: dict[str, dict[str, float]]) -> dict[str, Any]:
    one, two, dask = turn["one_process"], turn["two_processes"], turn["two_workers"]
    return {
        **turn,
        "load": os.getloadavg()[0],
        "throughput_per_core_to_one_process": one["seconds"] / (WORKERS * dask["seconds"]),
        "throughput_per_core_to_two_processes": two["seconds"] / dask["seconds"],
        "processor_time_to_one_process": dask["processor"] / one["processor"],
    }


# --- what the network carries -----------------------------------------------------------------------------------------


def messages(directory: Path, n: int) -> dict[str, float]:
    """Bytes of a task on its way out and back, and of the classifier."""
    c = classifier(n)
    work = Work.checked(c, {}, BATCH_ROWS, ())
    kind, files = splits.find_files(directory / "small", None)
    layout = splits.layout_of(kind, files, c.features, ())
    found = splits.cut(files, layout, symcf.cluster.PART_ROWS, None)
    writing = Writing(directory, "0" * 32, "0" * 65, work, "zstd")
    tasks = Files(files, layout, Cuts(symcf.cluster.PART_ROWS, None)).write_tasks(writing, list(enumerate(found)))
    each = [len(pickle.dumps(dict(task.dask)[task.key])) for task in tasks]
    done = len(pickle.dumps(job_directory.Done(1, 10**6, 10**8, 10**9)))
    return {"task": max(each), "answer": done, "model": len(work.model)}


# --- all of it --------------------------------------------------------------------------------------------------------


def main() -> None:
    options = arguments()
    directory = Path(tempfile.mkdtemp(prefix="symcf-scaling-"))
    try:
        table = {name: stages(directory, n, options.sample, given) for name, (n, given) in QUESTIONS.items()}
        print_stages(table)
        results = sizes(directory, options)
        results["model"] = [modelled(turn, results["fixed"]) for turns in results["sizes"].values() for turn in turns]
        results["messages"] = messages(directory, options.features)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    print_sizes(results)
    settings = {"files": options.files, "features": options.features, "workers": WORKERS}
    common.write(
        "scaling",
        {"machine": common.machine(), "load": os.getloadavg()[0], **settings, "stages": table, **results},
    )


STAGES = ("read", "explain", "write")


def modelled(turn: dict[str, Any], fixed: float) -> dict[str, float]:
    """What the model says of a turn."""
    rows, seconds = turn["two_workers"]["rows"], turn["two_workers"]["seconds"]
    predicted = fixed + turn["cost"] * rows / WORKERS
    return {"rows": rows, "seconds": seconds, "predicted": predicted, "measured_to_predicted": seconds / predicted}


def print_stages(table: dict[str, dict[str, float]]) -> None:
    head = ["a row, µs of processor time", *STAGES, "sum", "sets", "bytes in", "bytes out", "core hours for 10^9"]
    rows = []
    for name, row in table.items():
        total = sum(row[stage] for stage in STAGES)
        figures = [f"{row[stage]:.2f}" for stage in STAGES]
        sizes_ = [f"{row['sets']:.1f}", f"{row['bytes_in']:.1f}", f"{row['bytes_out']:.0f}"]
        rows.append([name, *figures, f"{total:.2f}", *sizes_, f"{total * 1e3 / 3600:.1f}"])
    common.print_table(head, rows)


def print_sizes(results: dict[str, Any]) -> None:
    print(
        f"\na cluster was up after {results['cluster_up']:.1f} s and takes {results['idle']:.2f} cores when idle; "
        f"a job of no rows takes {results['fixed']:.2f} s"
    )
    rows = []
    for name, turns in results["sizes"].items():
        for turn in turns:
            for way in ("one_process", "two_processes", "two_workers"):
                one = turn[way]
                rows.append([f"{name}: {way}", f"{one['rows']:,}", f"{one['seconds']:.1f}", f"{one['processor']:.1f}"])
    common.print_table(["", "rows", "seconds", "processor seconds"], rows)
    for name, turns in results["sizes"].items():
        for turn in turns:
            print(
                f"{name}: throughput per core {turn['throughput_per_core_to_one_process']:.0%} of one process, "
                f"{turn['throughput_per_core_to_two_processes']:.0%} of two; processor time "
                f"{turn['processor_time_to_one_process']:.2f} times; load {turn['load']:.1f}"
            )
    for one in results["model"]:
        print(
            f"model: {one['rows']:,} rows: predicted {one['predicted']:.1f} s, measured {one['seconds']:.1f} s, "
            f"{one['measured_to_predicted']:.2f} times"
        )
    print("bytes: {task} a task, {answer} its answer, {model} the classifier".format(**results["messages"]))


if __name__ == "__main__":
    main()
