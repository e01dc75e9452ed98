"""Certificates: how large they are, how long it takes to make them, and to check them in pure Python.

    python bench/certificates.py     half a minute; prints a table, writes results/certificates.json; --quick

The same decisions twice: random naive Bayes classifiers as in the paper, whose certificates have sums of weights, and
their diagrams, whose certificates know nothing of sums. Rows are chosen by how many change sets they have. Of each
certificate: which argument of completeness it has, and how many reasons or steps of a proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import common
import numpy as np

import symcf

SIZES = common.sized({10: 8, 1_000: 17, 10_000: 23}, {10: 8, 100: 12})
TURNS = common.sized(2, 1)


def row_with(compiled: symcf.Compiled, wanted: int, rng: np.random.Generator) -> list[int]:
    """Of some random rows the one whose number of change sets is closest."""
    rows = rng.integers(0, 2, (300, compiled.n_features)).tolist()
    return min(rows, key=lambda row: abs(np.log(max(compiled.count(row), 1) / wanted)))


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """Of processor time, the least of some turns, and what the call gave."""
    found = []
    for _ in range(TURNS):
        start = time.thread_time()
        result = call()
        found.append(time.thread_time() - start)
    return min(found), result


def cases() -> Iterator[tuple[str, int, symcf.Compiled, list[int], dict[str, Any]]]:
    """The rule, the number of sets that is wanted, a classifier, a row and options."""
    for wanted, n in SIZES.items():
        (model,) = common.random_classifiers(n, 1, seed=19)
        compiled = symcf.compile(model)
        row = row_with(compiled, wanted, np.random.default_rng(n))
        yield "sums", wanted, compiled, row, {}
        yield "sums, the 10 cheapest", wanted, compiled, row, {"k": 10}
        yield "diagram", wanted, symcf.compile(compiled.diagram), row, {}


def main() -> None:
    common.parser(__doc__).parse_args()
    runs = []
    for rule, wanted, compiled, row, options in cases():
        explaining, e = seconds(lambda: compiled.explain(row, **options))  # noqa: B023
        making, certificate = seconds(e.certificate)
        text = certificate.to_json()
        checking, verdict = seconds(lambda: symcf.check(text))  # noqa: B023
        assert verdict, verdict
        proof = certificate.data["proof"]
        runs.append(
            {
                "rule": rule,
                "wanted": wanted,
                "features": compiled.n_features,
                "sets": e.count,
                "proof": proof["kind"],
                "reasons": len(proof.get("reasons", [])),
                "steps": len(proof.get("steps", [])),
                "bytes": len(text),
                "explaining": explaining,
                "making": making,
                "checking": checking,
            }
        )
        print(runs[-1], flush=True)
    keys = ("rule", "features", "sets", "proof", "reasons", "steps", "bytes", "explaining", "making", "checking")
    common.print_table(
        keys, [[f"{run[key]:.3g}" if isinstance(run[key], float) else run[key] for key in keys] for run in runs]
    )
    common.write("certificates", {"machine": common.machine(), "runs": runs})


if __name__ == "__main__":
    main()
