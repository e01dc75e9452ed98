"""Certificates: how large they are, how long it takes to make them, and to check them in pure Python.

    python bench/certificates.py     half a minute; prints a table, writes results/certificates.json; --quick

The same decisions twice: random naive Bayes classifiers as in the paper, whose certificates have sums of weights, and
their diagrams, whose certificates know nothing of sums. Rows are chosen by how many change sets they have. Of each
certificate: which argument of completeness it has, and how many reasons or steps of a proof.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
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
    yield from numbers()


def numbers() -> Iterator[tuple[str, int, symcf.Compiled, Any, dict[str, Any]]]:
    """The same for models over numbers, with questions of other kinds."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from xgboost import XGBClassifier

    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    trees = symcf.compile(XGBClassifier(n_estimators=100, max_depth=6, n_jobs=1).fit(X, y), X)
    for i in (0, 5, 20, 100, 200):
        yield f"XGBoost 100 x 6, row {i}, up to 3 changes", 0, trees, X.iloc[i], {"max_changes": 3}
    few = X.iloc[:, :6]
    small = symcf.compile(XGBClassifier(n_estimators=20, max_depth=3, n_jobs=1).fit(few, y), few)
    yield "XGBoost 20 x 3, the nearest row", 0, small, few.iloc[0], {"k": 1, "cost": "distance"}
    yield "XGBoost 20 x 3, moves", 0, small, few.iloc[0], {"k": 3, "minimality": "moves"}
    line = make_pipeline(StandardScaler(), LogisticRegression()).fit(few, y)
    yield "scaled regression", 0, symcf.compile(line, few), few.iloc[0], {}


#: Prints the least milliseconds of some checks of the text on stdin.
NODE = """
const { checkCertificate } = require(process.argv[1]);
const text = require("fs").readFileSync(0, "utf8");
let least = Infinity;
for (let turn = 0; turn < 5; turn++) {
  const start = process.hrtime.bigint();
  if (checkCertificate(text).failed !== null) throw new Error("rejected");
  least = Math.min(least, Number(process.hrtime.bigint() - start) / 1e9);
}
process.stdout.write(String(least));
"""


def in_javascript(text: str) -> float | None:
    """Seconds of the clock that the checker in JavaScript takes, once it is warm; None without node."""
    if shutil.which("node") is None:
        return None
    script = Path(symcf.__file__).parent / "report" / "static" / "checker.js"
    return float(
        subprocess.run(["node", "-e", NODE, script], input=text, capture_output=True, text=True, check=True).stdout
    )


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
                "in_javascript": in_javascript(text),
            }
        )
        print(runs[-1], flush=True)
    keys = (
        "rule",
        "features",
        "sets",
        "proof",
        "reasons",
        "steps",
        "bytes",
        "explaining",
        "making",
        "checking",
        "in_javascript",
    )
    common.print_table(
        keys, [[f"{run[key]:.3g}" if isinstance(run[key], float) else run[key] for key in keys] for run in runs]
    )
    common.write("certificates", {"machine": common.machine(), "runs": runs})


if __name__ == "__main__":
    main()
