"""Do boosted trees and forests decide as the libraries do that trained them?

    python bench/boosted_agreement.py           two minutes; prints a table, writes results/boosted.json; --quick

XGBoost, LightGBM, CatBoost and scikit-learn on breast_cancer (2 classes), wine (3), digits (10) and a mixed table with
categories and missing values (2 and 3), in `tests/support/boosted_zoo.py`. Rows take a part of their numbers from the
cuts of the trees themselves and from the numbers next to them. A row may be decided differently only if the library's
own rounding can do that; such rows are counted. Any other ends the program.
"""

from __future__ import annotations

import sys
from pathlib import Path

import common

sys.path.append(str(Path(__file__).parent.parent / "tests" / "support"))
import boosted_zoo

ROWS, TREES, TRAINING = common.sized(5_000, 200), common.sized(40, 5), common.sized(1000, 300)


def main() -> None:
    common.parser(__doc__).parse_args()
    results = []
    for one in boosted_zoo.trained(TREES, TRAINING):
        result = boosted_zoo.compare(one, ROWS)
        results.append(result)
        print(*result.values(), flush=True)
        if result["outside"]:
            raise SystemExit(f"{one.name} on {one.data}: {result['outside']} of {ROWS} rows differ beyond rounding")
    common.print_table(tuple(results[0]), [tuple(result.values()) for result in results])
    total = sum(result["rows"] for result in results)
    inside = sum(result["inside"] for result in results)
    print(f"\n{len(results)} ensembles, {total:,} rows: {inside} differ within the library's rounding, 0 beyond it")
    machine = common.machine()
    machine["packages"] |= boosted_zoo.versions()
    common.write("boosted", {"machine": machine, "models": results})


if __name__ == "__main__":
    main()
