"""Estimators and pipelines of scikit-learn as people have them: are they read, decided alike, and explained rightly?

    python bench/zoo.py              a minute; prints a table, writes results/zoo.json; --quick
    python bench/zoo.py --only TEXT  those whose title contains the text; writes nothing

breast_cancer, wine   numbers as they are; two classes, three classes
mixed                 numbers and strings with gaps, a flag

Each is compiled with ``symcf.compile(estimator, data=rows)``. Its decisions are compared with those of the original
`predict`, on all rows and on perturbed ones. Then rows are explained, and all suggested rows (`to_frame`) go back to
the original: it must decide otherwise ("unmoved" counts those where it does not). Where one number was changed, numbers
that are nearer to the old one are tried ("too far" counts those of which one is enough). The models are in
tests/support/zoo_models.py.
"""

from __future__ import annotations

import sys
import time
from importlib.metadata import version
from typing import Any

import common

import symcf
import symcf.fast
from symcf.models.additive import AdditiveClassifier

sys.path.insert(0, str(common.ROOT / "tests" / "support"))
from zoo_models import Specimen, around, disagreements, fed_back, refusals, specimens, table

PERTURBED, EXPLAINED, K = common.sized(500, 20), common.sized(40, 4), 5


def look_at(specimen: Specimen, perturbed: int, explained: int) -> dict[str, Any]:
    rows, _ = table(specimen.data)
    estimator = specimen.fitted()
    result: dict[str, Any] = {"data": specimen.data, "name": specimen.name}
    try:
        start = time.perf_counter()
        c = symcf.compile(estimator, data=rows)
        result |= {"model": type(c.model).__name__, "seconds": time.perf_counter() - start}
    except symcf.SymcfError as error:
        return {**result, "refused": str(error)}
    parts = [rows, around(specimen.data, perturbed)]
    found = [disagreements(estimator, c.predict(part), part) for part in parts]
    result |= {"rows": sum(map(len, parts)), "different": sum(wrong for wrong, _ in found)}
    result["different_close"] = sum(close for _, close in found)
    some = rows.iloc[:: max(1, len(rows) // explained)]
    start = time.perf_counter()
    batch = symcf.fast.explain_batch(c, some, k=K, max_changes=3)
    suggested = batch.to_frame(k=K)
    result["explained"] = {"rows": len(some), "seconds": time.perf_counter() - start}
    if not len(suggested):
        return {**result, "suggested": 0, "unmoved": 0, "single": 0, "too_far": 0}
    back = fed_back(estimator, some, suggested, rows if isinstance(c.model, AdditiveClassifier) else None)
    return {**result, "suggested": back.rows, "unmoved": back.unmoved, "single": back.single, "too_far": back.too_far}


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    chosen = [s for s in [*specimens(), *refusals()] if options.only in s.title]
    results = []
    for specimen in chosen:
        results.append(look_at(specimen, PERTURBED, EXPLAINED))
        r = results[-1]
        outcome = r.get("refused", "")[:70] or ", ".join(
            f"{key} {r[key]:,}" for key in ("rows", "different", "suggested", "unmoved", "single", "too_far")
        )
        print(f"{specimen.title}: {outcome}", flush=True)
    taken = [r for r in results if "refused" not in r]
    totals = {
        key: sum(r[key] for r in taken)
        for key in ("rows", "different", "different_close", "suggested", "unmoved", "single", "too_far")
    }
    print(f"\n{len(taken)} read, {len(results) - len(taken)} refused; {totals}")
    expected = {(s.data, s.name) for s in specimens()}
    for r in results:
        if ("refused" in r) == ((r["data"], r["name"]) in expected):
            print(f"not as expected: {r['data']}, {r['name']}: {r.get('refused', 'read')}")
    if not options.only:
        machine = common.machine()
        machine["packages"] |= {"scikit-learn": version("scikit-learn")}
        common.write("zoo", {"machine": machine, "totals": totals, "models": results})
    if totals["different"] or totals["unmoved"] or totals["too_far"]:
        raise SystemExit("some decisions differ, some rows are not decided otherwise, or some numbers are too far away")


if __name__ == "__main__":
    main()
