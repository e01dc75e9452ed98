"""Packages that are not installed: each error names the extra that brings them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from symcf.common.extras import EXTRAS

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
C = "c = symcf.compile(symcf.NaiveBayes.binary(0.3, [.4, .9], [.1, .2])); b = symcf.fast.explain_batch(c, [[0, 0]]); "


#: Runs each code in a child of its own, in which a package is not installed, and prints its error.
CHILDREN = """
import json, os, sys
import symcf

for without, code in json.loads(sys.argv[1]):
    if os.fork() == 0:
        sys.modules[without] = None
        try:
            exec(code)
        except BaseException as error:
            print(type(error).__name__, *str(error).splitlines()[-1:], flush=True)
        else:
            print("no error", flush=True)
        os._exit(0)
    os.wait()
"""


def messages(cases: list[tuple[str, str]]) -> list[str]:
    """By package that is missing and code that is run without it: the last line of the error, or "no error"."""
    command = [sys.executable, "-c", CHILDREN, json.dumps(cases)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.long
def test_the_extra_is_named() -> None:
    cases = [
        ("pandas", C + "b.to_pandas()", "pandas"),
        ("pandas", C + "c.explain([0, 0]).to_pandas()", "pandas"),
        ("pandas", C + "c.why([0, 0]).to_pandas()", "pandas"),
        ("pyarrow", C + "b.to_arrow()", "arrow"),
        ("pyarrow", "symcf.arrow", "arrow"),
        ("dask", "symcf.cluster", "dask"),
        ("distributed", "symcf.cluster", "dask"),
        ("pyarrow", "symcf.cluster", "arrow"),
        ("matplotlib", C + "symcf.plots.frequency(b)", "plot"),
        ("jinja2", C + "symcf.report.show(c, [[0, 0]])", "report"),
        ("jinja2", C + "c.explain([0, 0]).letter('all').html", "report"),
        ("yaml", "symcf.letters.Policy.from_text('target: a')", "letters"),
        ("tqdm", C + "symcf.fast.explain_batch(c, [[0, 0]], progress=True)", "progress"),
        ("sklearn", "symcf.from_sklearn(3)", "sklearn"),
        ("pyagrum", "symcf.BayesNet.read('x.bif')", "bn"),
    ]
    told = messages([(without, code) for without, code, _ in cases])
    for (without, code, extra), message in zip(cases, told, strict=True):
        # old versions of dask need pyarrow themselves
        extras = (extra, "dask") if (without, extra) == ("pyarrow", "arrow") and "cluster" in code else (extra,)
        assert any(f"pip install 'symcf[{one}]'" in message for one in extras), (without, code, message)


@pytest.mark.long
def test_what_needs_no_extra_works_without_it():
    code = (
        f"import symcf.cli.explain, symcf.cli.why, symcf.cli.audit; {C}"
        "symcf.audit(c, [[0, 0]]); assert b[0].sets == c.explain([0, 0]).sets"
    )
    packages = ["pandas", "pyarrow", "matplotlib", "jinja2", "yaml", "tqdm", "sklearn"]
    assert messages([(without, code) for without in packages]) == ["no error"] * len(packages)


def test_the_demo_and_the_commands_need_no_extra(tmp_path):
    """What a person sees first, with nothing installed but what symcf requires."""
    blocked = f"import sys; sys.modules.update(dict.fromkeys({sorted(EXTRAS)})); "
    (tmp_path / "people.csv").write_text("a,b\n0,0\n1,1\n", encoding="utf-8")
    demo = "import symcf.demo; symcf.demo.main(); "
    model = "import symcf; symcf.NaiveBayes.binary(0.3, [.4, .9], [.1, .2], features=['a', 'b']).to_json('m.json'); "
    commands = [[name, "m.json", "people.csv"] for name in ("explain", "why", "predict", "count", "audit")]
    run = f"from symcf.cli.app import run; assert [run(one) for one in {commands}] == [0] * {len(commands)}"
    subprocess.run([sys.executable, "-c", blocked + demo + model + run], check=True, cwd=tmp_path)


def test_the_table_is_that_of_the_project():
    assert set(EXTRAS.values()) <= set(PROJECT["optional-dependencies"])


def test_all_is_all():
    """All but the tools of those who work on symcf, xgboost (it brings libraries of graphics cards) and mlflow."""
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(everything.removeprefix("symcf[").removesuffix("]").split(","))
    assert named == set(extras) - {"all", "dev", "docs", "mlflow", "test", "xgboost"}
