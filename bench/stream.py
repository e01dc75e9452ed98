"""Ten million rows through `symcf.fast.explain_batches` at constant memory.

    python bench/stream.py [--rows 10000000] [--features 18] [--chunk 50000] [--jobs 2]
                                    half a minute; prints a line every tenth, writes results/stream.json; --quick

Rows are made chunk by chunk, answers are counted and dropped: what the process holds is one chunk of each. Memory is
wanted to be no more at the end than after the first tenth.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import common
import numpy as np
import pyarrow as pa

import symcf
from symcf.fast import explain_batches, output_schema

TENTHS = 10


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__)
    parser.add_argument("--rows", type=int, default=common.sized(10_000_000, 500_000))
    parser.add_argument("--features", type=int, default=18)
    parser.add_argument("--chunk", type=int, default=50_000, help="rows a batch")
    parser.add_argument("--jobs", type=int, default=2, help="threads")
    return parser.parse_args()


def chunks(rows: int, chunk: int, features: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    """Random rows as record batches, made when they are asked for."""
    rng = np.random.default_rng(0)
    for start in range(0, rows, chunk):
        codes = rng.integers(0, 2, (len(features), min(chunk, rows - start)), dtype=np.int8)
        yield pa.RecordBatch.from_arrays([pa.array(column) for column in codes], names=features)


def resident() -> int:
    """Bytes that the process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def stream(rows: int, n: int, chunk: int, jobs: int) -> dict[str, Any]:
    (model,) = common.random_classifiers(n, 1)
    compiled = symcf.compile(model)
    schema = output_schema()
    done = sets = changes = size = 0
    marks: list[dict[str, float]] = []
    start, busy = time.perf_counter(), time.process_time()
    print(f"{'rows':>12} {'seconds':>8} {'rows/s':>10} {'change sets':>15} {'GB so far':>10} {'MB held':>8}")
    for batch in explain_batches(compiled, chunks(rows, chunk, compiled.features), n_jobs=jobs):
        if batch.schema != schema or batch.column("row")[0].as_py() != done:
            raise SystemExit("the stream does not continue where it stopped")
        done += batch.num_rows
        lists = batch.column("sets")
        sets += len(lists.values)
        changes += len(lists.values.values)
        size += batch.nbytes
        if done * TENTHS // rows > len(marks):
            seconds = time.perf_counter() - start
            marks.append({"rows": done, "seconds": seconds, "sets": sets, "bytes": size, "resident": resident()})
            rate, gigabytes, held = done / seconds, size / 1e9, resident() / 1e6
            print(f"{done:12,} {seconds:8.1f} {rate:10,.0f} {sets:15,} {gigabytes:10.1f} {held:8.0f}", flush=True)
    return {
        "n": n,
        "rows": done,
        "chunk": chunk,
        "jobs": jobs,
        "seconds": time.perf_counter() - start,
        "processor_seconds": time.process_time() - busy,
        "sets": sets,
        "changes": changes,
        "result_bytes": size,
        "marks": marks,
        "held_at_the_end_to_after_a_tenth": marks[-1]["resident"] / marks[0]["resident"],
        "most_held": max(mark["resident"] for mark in marks),
    }


def main() -> None:
    options = arguments()
    result = stream(options.rows, options.features, options.chunk, options.jobs)
    print(
        f"\n{1e6 * result['seconds'] / result['rows']:.2f} µs a row by the clock, "
        f"{1e9 * result['processor_seconds'] / result['sets']:.1f} ns of processor time a change set; "
        f"memory at the end {result['held_at_the_end_to_after_a_tenth']:.2f} times what it was after a tenth"
    )
    common.write("stream", {"machine": common.machine(), "load": os.getloadavg()[0], **result})


if __name__ == "__main__":
    main()
