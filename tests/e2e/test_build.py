"""The build: the extension beside other packages, its stub, and its errors across processes."""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import re
import shutil
import signal
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest

import symcf
from symcf import _core

ROOT = Path(__file__).resolve().parents[2]

BOTH = """
import {first}
import {second}
import dd.cudd, symcf
for round in range(3):
    c = symcf.compile(symcf.NaiveBayes.binary(0.3, [.40, .96, .97, .70], [.15, .10, .11, .20]), order="sift")
    bdd = dd.cudd.BDD()
    bdd.declare("x", "y")
    xor = bdd.add_expr("x ^ y")
    assert c.diagram.size == 7
    assert bdd.count(xor, nvars=2) == 2
    assert c.cnf("prime").n_clauses == 5
    dd.cudd.reorder(bdd)
    c.diagram.close()
    del xor, bdd
print("fine")
"""


@pytest.mark.parametrize(("first", "second"), [("dd.cudd", "symcf"), ("symcf", "dd.cudd")])
def test_two_cudds_live_in_one_process(first, second):
    pytest.importorskip("dd.cudd")
    code = BOTH.format(first=first, second=second)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=500)
    assert (run.stdout, run.stderr, run.returncode) == ("fine\n", "", 0)


def test_no_symbol_of_cudd_is_exported():
    import ctypes

    library = ctypes.CDLL(_core.__file__)
    for name in ("Cudd_Init", "Cudd_bddIte", "symcf_compile"):
        assert not hasattr(library, name)


def test_no_code_of_dddmp_is_inside():
    """Its licence permits academic use only (THIRD_PARTY.md). Its messages would be in the file."""
    content = Path(_core.__file__).read_bytes()
    assert b"udd" in content  # where CUDD itself is
    for trace in (b"Dddmp_", b"Politecnico", b"dddmp"):
        assert trace not in content


def test_the_demo_runs():
    run = subprocess.run([sys.executable, "-m", "symcf.demo"], capture_output=True, text=True, timeout=500)
    assert run.returncode == 0, run.stderr
    assert re.search(r"97[.,]32?", run.stdout)


def test_the_version_is_the_one_installed():
    assert symcf.__version__ == metadata.version("symcf")


def test_everything_exported_exists():
    assert [name for name in symcf.__all__ if not hasattr(symcf, name)] == []


def test_the_package_is_typed_and_has_a_stub_for_the_extension():
    files = {path.name for path in resources.files("symcf").iterdir()}
    assert {"py.typed", "_core.pyi"} <= files


def public(names):
    return {name for name in names if not name.startswith("_")}


def stub_classes():
    """Class -> public names, read from the stub's text."""
    text = (resources.files("symcf") / "_core.pyi").read_text()
    classes, current = {}, None
    for line in text.splitlines():
        if match := re.match(r"class (\w+)", line):
            current = classes.setdefault(match[1], set())
        elif current is not None and (match := re.match(r"    (?:def (\w+)|(\w+)\s*:)", line)):
            current.add(match[1] or match[2])
        elif re.match(r"\w", line):  # a function of the module
            current = None
    return classes


def test_the_stub_lists_what_the_extension_has():
    stub = stub_classes()
    classes = {
        name: cls for name, cls in vars(_core).items() if isinstance(cls, type) and cls.__module__ == "symcf._core"
    }
    assert {name: public(names) for name, names in stub.items()} == {
        name: public(vars(cls)) for name, cls in classes.items() if name in stub
    }
    users = {"Threshold", "Diagram", "Bdd", "Clauses", "Paths"}
    assert users <= set(stub)


@pytest.mark.parametrize(
    "error",
    [
        symcf.CompileLimitError("nodes", 7, 1 << 20, 3, 9),
        symcf.ClauseLimitError(10, 5),
        symcf.ModelError("m"),
        symcf.InstanceError("i"),
        symcf.OptionError("o"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_cross_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert isinstance(again, symcf.SymcfError)


def test_an_internal_error_survives_pickling_as_it_is():
    error = symcf.InternalError("3 references left")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


BY_HAND = """
from symcf import _core
for read in (
    lambda: _core.Threshold().n, lambda: _core.Diagram().n, lambda: _core.Clauses().n_vars, lambda: _core.Bdd().size
):
    try:
        read()
    except (TypeError, ValueError) as error:
        print(bool(str(error)))
"""


def test_a_handle_made_by_hand_is_an_error_and_no_crash():
    run = subprocess.run([sys.executable, "-c", BY_HAND], capture_output=True, text=True, timeout=500)
    assert (run.stdout, run.stderr, run.returncode) == ("True\n" * 4, "", 0)


def test_no_index_of_the_binding_counts_from_the_end():
    """Its files are compiled without wraparound. What a negative index gives then depends on the container: arrays of
    NumPy before 2.5 took it, later ones raise IndexError.
    """
    sources = sorted(path for path in (ROOT / "src" / "core").iterdir() if path.suffix in (".pyx", ".pxi"))
    assert "wraparound=False" in (ROOT / "src" / "core" / "_core.pyx").read_text()
    negative = re.compile(r"[\w)\]]\[([^\[\]]*[:,])?\s*-")
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sources
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if negative.search(line.split("#")[0])
    ]
    assert found == []


# --- where CUDD comes from --------------------------------------------------------------------------------------------

CUDD = ROOT / "third_party" / "cudd"


def test_the_files_of_cudd_are_those_that_were_copied():
    """None changed, none missing, none added: no dddmp, whose licence permits academic use only (THIRD_PARTY.md)."""
    lines = (ROOT / "third_party" / "cudd.sha256").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    found = {
        path.relative_to(CUDD).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in CUDD.rglob("*")
        if path.is_file()
    }
    assert found == listed


def test_no_build_downloads_anything_itself():
    """What pip installs for the build is all: a clone without a network builds with --no-build-isolation."""
    scripts = [ROOT / "CMakeLists.txt", *(ROOT / "cmake").iterdir(), *ROOT.glob("*/core/CMakeLists.txt")]
    texts = {path: path.read_text() for path in scripts if path.is_file()}
    assert len(texts) > 5
    downloads = re.compile(r"file\(\s*DOWNLOAD|FetchContent|ExternalProject|pip[\s\w-]* download|://")
    assert [path.name for path, text in texts.items() if downloads.search(text)] == []


def configure(folder, root):
    """What CMake says about this CUDD_ROOT: the exit code, and its output on one line."""
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if cmake is None:
        pytest.skip("needs cmake")
    run = subprocess.run(
        [cmake, "-S", ROOT, "-B", folder / "build"],
        env=os.environ | {"CUDD_ROOT": str(root)}, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    return run.returncode, " ".join((run.stdout + run.stderr).split())


def installed(prefix, *, flags):
    """A CUDD_ROOT: the header of CUDD, and a library with one of its functions."""
    compiler, archiver = shutil.which("cc"), shutil.which("ar")
    if compiler is None or archiver is None:
        pytest.skip("needs a C compiler")
    (prefix / "include").mkdir()
    (prefix / "lib").mkdir()
    shutil.copy(CUDD / "cudd" / "cudd.h", prefix / "include")
    state = "static int made; int *Cudd_Init(void) { return &made; }\n"
    (prefix / "one.c").write_text(state)
    subprocess.run([compiler, *flags, "-c", "one.c"], cwd=prefix, check=True)
    subprocess.run([archiver, "rc", "lib/libcudd.a", "one.o"], cwd=prefix, check=True)


def test_an_installed_cudd_is_used(tmp_path):
    installed(tmp_path, flags=["-fPIC"])
    code, said = configure(tmp_path, tmp_path)
    assert code == 0, said
    assert f"CUDD: {tmp_path}/lib/libcudd.a" in said


def test_a_cudd_root_without_cudd_is_an_error(tmp_path):
    code, said = configure(tmp_path, tmp_path)
    assert code != 0
    assert f"CUDD_ROOT={tmp_path} has no include/cudd.h or no lib/libcudd" in said
    assert "compiled from third_party/cudd" in said


def test_a_cudd_of_another_version_is_an_error(tmp_path):
    installed(tmp_path, flags=["-fPIC"])
    header = tmp_path / "include" / "cudd.h"
    header.write_text(header.read_text().replace("Cudd_PrintSummary", "Cudd_PrintOther"))
    code, said = configure(tmp_path, tmp_path)
    assert code != 0
    assert "/cudd.h is not CUDD 3's" in said


@pytest.mark.skipif(sys.platform != "linux", reason="other systems link code of any position")
def test_a_cudd_that_cannot_be_linked_into_an_extension_is_an_error(tmp_path):
    installed(tmp_path, flags=["-fno-pic", "-mcmodel=medium" if platform.machine() == "x86_64" else "-fno-pie"])
    code, said = configure(tmp_path, tmp_path)
    assert code != 0
    assert "configure CUDD with --with-pic" in said


# --- how the tests are run --------------------------------------------------------------------------------------------


def test_what_the_tests_begin_with_does_not_depend_on_the_environment():
    """Property tests try the same examples, also without CI, where Hypothesis would draw them at random. Ctrl-C is
    heard where it is ignored, as in `nohup make test &`: tests that press it would wait for ever.
    """
    code = "import conftest, hypothesis, signal; print(hypothesis.settings().derandomize, flush=True); "
    code += "signal.raise_signal(signal.SIGINT)"
    ignoring = f"import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv({sys.executable!r}, ARGS)"
    ignoring = ignoring.replace("ARGS", repr([sys.executable, "-c", code]))
    inherited = {name: value for name, value in os.environ.items() if name not in ("CI", "TF_BUILD")}
    run = subprocess.run(
        [sys.executable, "-c", ignoring], cwd=ROOT / "tests", capture_output=True, text=True, timeout=500, check=False,
        env=inherited | {"PYTHONPATH": str(ROOT / "tests" / "support")},
    )  # fmt: skip
    assert run.stdout == "True\n", run.stderr
    assert run.stderr.endswith("KeyboardInterrupt\n")
    assert run.returncode == -signal.SIGINT
