"""The real executable: pipes, signals, terminals, memory."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import test_cli_fuzz
from command_line import SYMCF, environment, here, symcf_with

import symcf

#: What a child may use: the million rows below would take several times as much if they were held.
CONSTANT = 120 << 20


@pytest.fixture
def admission(files: dict[str, tuple[Path, Path]]) -> tuple[Path, Path]:
    return files["admission"]


def test_narrow_and_colourless(admission: tuple[Path, Path]) -> None:
    done = symcf_with("explain", *admission, COLUMNS="40", NO_COLOR="1")
    assert max(map(len, done.stdout.decode().splitlines())) <= 40
    done = symcf_with("explain", "--help", COLUMNS="50", NO_COLOR="1", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert max(map(len, done.stdout.decode().splitlines())) > 0


def test_help_into_a_pipe() -> None:
    for words in ("--help", "explain --help"):
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {SYMCF} {words} | head -c 1"], capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")


def test_as_a_module() -> None:
    for module in ("symcf", "symcf.cli"):
        done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"symcf {symcf.__version__}\n"


def test_errors_in_other_encodings(admission: tuple[Path, Path], tmp_path: Path) -> None:
    """One line, also while Python ends."""
    model, data = admission
    text = data.read_text(encoding="utf-8")
    (tmp_path / "d.csv").write_text(text.replace("1", "x", 1), encoding="utf-16")
    content = (tmp_path / "d.csv").read_bytes()
    for encoding in ("utf-16", "latin-1", "rot13"):
        for source, run in ((tmp_path / "d.csv", here), ("-", here if encoding == "latin-1" else symcf_with)):
            done = run("explain", model, source, "--encoding", encoding, stdin=content)
            assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr


def long_model(folder: Path, n: int) -> Path:
    rng = np.random.default_rng(1)
    path = folder / "long.json"
    symcf.NaiveBayes.binary(0.5, rng.uniform(0.3, 0.7, n), rng.uniform(0.3, 0.7, n)).to_json(path)
    return path


def numbers(n_rows: int, n: int, seed: int = 0) -> bytes:
    rows = np.random.default_rng(seed).integers(0, 2, size=(n_rows, n))
    text = np.full((n_rows, 2 * n), ord(","), dtype=np.uint8)
    text[:, ::2] = rows + ord("0")
    text[:, -1] = ord("\n")
    return ",".join(f"x{j}" for j in range(n)).encode() + b"\n" + text.tobytes()


def test_pipes(admission: tuple[Path, Path]) -> None:
    """symcf predict | symcf explain ..., as a shell would."""
    model, data = admission
    command = f"cat {data} | {SYMCF} explain {model} - -f csv | cut -d, -f1 | uniq | wc -l"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True, env=environment())
    assert (int(done.stdout), done.stderr) == (5, b"")


def test_broken_pipe(tmp_path: Path) -> None:
    """Ends as cat does: by SIGPIPE, without a word."""
    data = tmp_path / "d.csv"
    data.write_bytes(numbers(50_000, 10))
    model = long_model(tmp_path, 10)
    command = f"{SYMCF} explain {model} {data} -f csv | head -n 2; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True, env=environment())
    assert done.stderr == b""
    assert done.stdout.splitlines()[0].startswith(b"row,prediction")
    assert done.stdout.splitlines()[-1] == b"141"


@pytest.mark.parametrize(
    ("engine", "signal_number"),
    [("auto", signal.SIGINT), ("diagram", signal.SIGINT), ("sat", signal.SIGINT), ("auto", signal.SIGTERM)],
)
def test_interrupted(tmp_path: Path, engine: str, signal_number: int) -> None:
    """With one line and no half file, in the middle of its work; bench/latency.py says how soon."""
    model, out = long_model(tmp_path, 30), tmp_path / "out.jsonl"
    command = [SYMCF, "explain", model, "-", "-f", "jsonl", "-o", out, "--engine", engine]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert child.stdin is not None
    assert child.stderr is not None
    child.stdin.write(numbers(3000, 30))
    child.stdin.close()
    while not list(tmp_path.glob("_out.jsonl.*.tmp")):
        assert child.poll() is None
        time.sleep(0.02)
    child.send_signal(signal_number)
    message = child.stderr.read()
    word, code = ("interrupted", 130) if signal_number == signal.SIGINT else ("terminated", 143)
    assert (child.wait(), message) == (code, f"symcf: {word}\n".encode())
    child.stderr.close()
    assert list(tmp_path.iterdir()) == [model]


#: A child's peak memory counts from its parent's, so a small parent starts it.
MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[2:], stdout=open(sys.argv[1], "wb"))
_, status, usage = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)
"""


def peak_of(model: Path, rows: int, n: int, tmp_path: Path, *arguments: str) -> tuple[int, int]:
    """Explains this many rows: the child's peak memory, and the lines that it wrote."""
    data, out = tmp_path / "rows.csv", tmp_path / "out"
    data.write_bytes(numbers(rows, n))
    command = [sys.executable, "-S", "-c", MEASURE, out, SYMCF, "explain", model, data, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment(), check=True)
    code, peak = map(int, done.stdout.split())
    assert code == 0
    with out.open("rb") as file:
        return peak, sum(1 for _ in file)


def test_hundred_thousand_rows(tmp_path: Path) -> None:
    model = long_model(tmp_path, 8)
    peak, lines = peak_of(model, 100_000, 8, tmp_path, "-f", "jsonl", "-k", "3")
    assert lines == 100_000
    print(f"{peak >> 20} MiB")
    assert peak < CONSTANT


@pytest.mark.exhaustive
def test_million_rows(tmp_path: Path) -> None:
    """Ten times the rows take no more memory, also if all are different."""
    model = long_model(tmp_path, 8)
    small, _ = peak_of(model, 100_000, 8, tmp_path, "-f", "jsonl", "-k", "3")
    large, lines = peak_of(model, 1_000_000, 8, tmp_path, "-f", "jsonl", "-k", "3")
    print(f"repeated rows: {small >> 20} MiB for 10^5, {large >> 20} MiB for 10^6")
    assert lines == 1_000_000
    assert large < small + (16 << 20) < CONSTANT
    model = long_model(tmp_path, 24)
    small, _ = peak_of(model, 100_000, 24, tmp_path, "-f", "csv", "-k", "1")
    large, _ = peak_of(model, 1_000_000, 24, tmp_path, "-f", "csv", "-k", "1")
    print(f"different rows: {small >> 20} MiB for 10^5, {large >> 20} MiB for 10^6")
    assert large < small + (16 << 20)


def test_damaged_files(tmp_path: Path) -> None:
    """A few; `test_cli_fuzz` has many, within one process."""
    for arguments in test_cli_fuzz.cases(tmp_path, 1, seed=7):
        done = symcf_with(*arguments)
        assert done.returncode in (0, 2, 3), (arguments, done)
        lines = done.stderr.decode().splitlines()
        assert all(line.startswith("symcf: ") for line in lines), lines
        if done.returncode:
            assert lines[-1].startswith("symcf: error: "), lines
