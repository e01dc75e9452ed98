"""What commands import: the reason why they start quickly, which a clock could not test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def imported(*words: str) -> set[str]:
    code = "import sys; from symcf.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, *words]
    return set(subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=True).stderr.split())


def test_the_version_needs_nothing():
    found = imported("--version")
    assert "symcf.cli" in found
    assert found.isdisjoint({"numpy", "argparse", "symcf.cli.app", "symcf.compiled"})


def test_explain_imports_what_it_uses():
    found = imported("explain", "admission.json", "applicants.csv", "--id", "name")
    assert {"numpy", "symcf.fast", "symcf.models.naive_bayes"} <= found
    unused = {
        *(() if np.__version__.startswith("1.") else ("numpy.ma",)),  # numpy 1 always loads it
        "pysat",
        "pandas",
        "sklearn",
        "symcf.models.sklearn",
        "symcf.proof.verification",
        "symcf.report",
        "symcf.cli.about",
    }
    assert found.isdisjoint(unused)


def test_help_loads_no_command():
    found = imported("--help")
    assert "symcf.cli.app" in found
    assert found.isdisjoint(
        {"numpy", "symcf.cli.explain", "symcf.cli.options", "symcf.cli.option_table", "symcf.compiled"}
    )
