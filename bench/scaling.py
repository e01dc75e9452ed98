"""What a row costs on its way from Parquet to Parquet: reading, explaining, writing, in one thread.

    python bench/scaling.py [--sample 50000]
                                    a minute; prints a table, writes results/scaling.json; --quick

Processor time, for several questions. On several machines each part of the input costs this much.
"""

from __future__ import annotations

import argparse
import os
import pickle
import tempfile
import time
from pathlib import Path
from typing import Any

import common
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import symcf
from symcf.arrow import explain_batches, output_schema
from symcf.cluster import job_directory, splits
from symcf.cluster.work import BATCH_ROWS

#: Features and keywords of the questions whose stages are measured.
QUESTIONS = {
    "18 features, all": (18, {}),
    "18 features, k=3": (18, {"k": 3}),
    "25 features, all": (25, {}),
    "25 features, k=3": (25, {"k": 3}),
    "100 features, k=3": (100, {"k": 3}),
}


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__)
    parser.add_argument("--sample", type=int, default=common.sized(50_000, 400), help="rows")
    return parser.parse_args()


def classifier(n: int) -> symcf.Compiled:
    (model,) = common.random_classifiers(n, 1)
    return symcf.compile(model)


def write_rows(path: Path, rows: int, features: tuple[str, ...], seed: int) -> None:
    codes = np.random.default_rng(seed).integers(0, 2, (len(features), rows), dtype=np.int8)
    pq.write_table(pa.table(dict(zip(features, codes, strict=True))), path)


# --- stages --------------------------------------------------------------------------------------------------------


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
        turns=common.sized(3, 1),
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


def main() -> None:
    sample = arguments().sample
    with tempfile.TemporaryDirectory(prefix="symcf-scaling-") as directory:
        table = {name: stages(Path(directory), n, sample, given) for name, (n, given) in QUESTIONS.items()}
    print_stages(table)
    common.write("scaling", {"machine": common.machine(), "load": os.getloadavg()[0], "stages": table})


STAGES = ("read", "explain", "write")


def print_stages(table: dict[str, dict[str, float]]) -> None:
    head = ["a row, µs of processor time", *STAGES, "sum", "sets", "bytes in", "bytes out", "core hours for 10^9"]
    rows = []
    for name, row in table.items():
        total = sum(row[stage] for stage in STAGES)
        figures = [f"{row[stage]:.2f}" for stage in STAGES]
        sizes_ = [f"{row['sets']:.1f}", f"{row['bytes_in']:.1f}", f"{row['bytes_out']:.0f}"]
        rows.append([name, *figures, f"{total:.2f}", *sizes_, f"{total * 1e3 / 3600:.1f}"])
    common.print_table(head, rows)


if __name__ == "__main__":
    main()
