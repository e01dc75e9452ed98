"""Does every suggested row flip the decision of the library that trained the ensemble?

    python bench/boosted_rows.py           three minutes; prints a table, writes results/boosted_rows.json; --quick

The ensembles of `tests/support/boosted_zoo.py`, with fewer trees. Per row, all counterfactuals of up to two changes and
at most 20 of up to three; each, as a raw row, goes through the library's own `predict`. One that does not flip ends
it all.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import common
import numpy as np

import symcf

sys.path.append(str(Path(__file__).parent.parent / "tests" / "support"))
import boosted_zoo

ROWS, TREES, TRAINING, SECONDS = common.sized(8, 1), common.sized(30, 5), common.sized(1000, 300), 2.0


def flips(one: boosted_zoo.Trained, count: int) -> dict[str, Any]:
    compiled = symcf.compile(one.estimator, data=one.given)
    every = np.random.default_rng(0).permutation(len(one.table))[:count]
    before = np.asarray(one.estimator.predict(one.table.iloc[every])).ravel()
    suggested = explained = stayed = 0
    for i, old in zip(every.tolist(), before.tolist(), strict=True):
        row = one.table.iloc[[i]]
        for limits in ({"max_changes": 2}, {"max_changes": 3, "max_results": 20}):
            e = compiled.explain(row, time_limit=SECONDS, **limits)
            explained += 1
            if not len(e.sets):
                continue
            frame = e.to_frame()[list(one.table.columns)].astype(one.table.dtypes)
            new = np.asarray(one.estimator.predict(frame)).ravel()
            suggested += len(new)
            stayed += int((new == old).sum())
    return {"library": one.library, "model": one.name, "data": one.data, "trees": len(compiled.model.nodes),
            "explained": explained, "suggested": suggested, "stayed": stayed}  # fmt: skip


def main() -> None:
    common.parser(__doc__).parse_args()
    results = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for one in boosted_zoo.trained(TREES, TRAINING):
            results.append(flips(one, ROWS))
            print(*results[-1].values(), flush=True)
            if results[-1]["stayed"]:
                raise SystemExit(f"{one.name} on {one.data}: {results[-1]['stayed']} suggested rows do not flip")
    total = sum(result["suggested"] for result in results)
    print(f"\n{len(results)} ensembles, {total:,} suggested rows: all flip under the library's own predict")
    machine = common.machine()
    machine["packages"] |= boosted_zoo.versions()
    common.write("boosted_rows", {"machine": machine, "models": results})


if __name__ == "__main__":
    main()
