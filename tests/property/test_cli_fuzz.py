"""Damaged files: whatever is in a model or a table, there is an answer or an error line, and the documented exit code.

Runs in one process, because a new one for each case would take hours; `test_cli` has some through the executable.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cli_corpus
import pytest

from symcf.cli.app import run

#: Seconds after which a case is taken for a hang.
HANG = 30

COMMANDS = (
    ["predict"],
    ["predict", "--proba", "--format", "csv"],
    ["predict", "--mark-bad-rows", "--extra", "--format", "jsonl"],
    ["explain"],
    ["explain", "-k", "2", "--format", "jsonl", "--extra"],
    ["explain", "--max-results", "3", "--format", "csv", "--mark-bad-rows"],
    ["explain", "--engine", "sat", "--format", "json", "--no-header"],
    ["count", "--max-changes", "2"],
    ["verify", "-k", "3"],
    ["wcnf", "--row", "2", "--extra"],
    ["audit", "--format", "json", "--extra"],
    ["audit", "--mark-bad-rows", "--max-changes", "2", "--max-locked-out", "5%"],
)
ALONE = (["info"], ["info", "--format", "json"], ["cnf", "--of", "1"], ["dot", "--of", "0"], ["compile", "-o"])

TOKENS = [
    b"", b"0", b"-1", b"1e308", b"1e999", b"NaN", b"null", b"true", b"[]", b"{}", b'""', b",", b'"',
    b"\n", b"\r", b"\x00",
    b"\xff\xfe", b"\xef\xbb\xbf", b"9" * 400, b"0.5", b"2", b"255", b"4294967296", b"-9223372036854775809", b"[[[[",
    b'"\\ud800"', b"\xe9", b"x" * 200_000, b"model", b"decision_tree", b";", b"\t", b"' '", b"inf", b"1_0",
]  # fmt: skip
VALUES = [None, True, 0, -1, 1, 2**31, 2**63, 10**400, 0.5, float("nan"), float("inf"), "", "x", "\ud800", [], {}, [[]],
          [0], [0, 1], {"a": 1}, [None], [[0, 1]], -0.0, 1e-320, "increase"]  # fmt: skip


# --- damage -----------------------------------------------------------------------------------------------------------


def damaged(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """A few random changes of bytes."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        i = rng.randrange(len(data) + 1)
        j = min(len(data), i + rng.choice((0, 1, 1, 2, 8, 64)))
        kind = rng.randrange(6)
        if kind == 0:
            data = data[:i] + bytes([rng.randrange(256)]) + data[i + 1 :]
        elif kind == 1:
            data = data[:i] + data[j:]
        elif kind == 2:
            data = data[:i] + rng.choice(TOKENS) + data[j:]
        elif kind == 3:
            data = data[:i] + data[i:j] * rng.choice((2, 3, 50)) + data[j:]
        elif kind == 4:
            data = data[:i]
        else:
            start = rng.randrange(len(other) + 1)
            data = data[:i] + other[start : start + rng.choice((1, 10, 1000))] + data[j:]
    return data


def damaged_cell(table: bytes, rng: random.Random) -> bytes:
    """A table with other cells, rows or columns, but a table."""
    rows = [line.split(b",") for line in table.splitlines()]
    for _ in range(rng.choice((1, 2, 5))):
        row = rng.choice(rows)
        kind = rng.randrange(4)
        if kind == 0:
            rows.insert(rng.randrange(1, len(rows) + 1), list(row))
        elif kind == 1:
            i, j = rng.randrange(len(rows[0])), rng.randrange(len(rows[0]))
            for line in rows:
                line[i], line[j] = line[j], line[i]
        else:
            row[rng.randrange(len(row))] = rng.choice([*rng.choice(rows), *TOKENS, b"1.0", b"00", b" 1", b"True"])
    return b"\r\n".join(b",".join(row) for row in rows)


def damaged_json(text: bytes, rng: random.Random) -> bytes:
    """Well-formed JSON with some parts replaced, removed or repeated."""
    document = json.loads(text)
    for _ in range(rng.choice((1, 1, 2, 3))):
        places = list(walk(document))
        parent, key = rng.choice(places)
        kind = rng.randrange(5)
        if kind == 0:
            del parent[key]
        elif kind == 1 and isinstance(parent, list):
            parent.insert(key, parent[key])
        elif kind == 2:
            source, other = rng.choice(places)
            parent[key] = json.loads(json.dumps(source[other]))
        else:
            parent[key] = rng.choice(VALUES)
        if not isinstance(document, dict) or not document:
            break
    return json.dumps(document).encode()


def walk(node: object) -> Iterator[tuple[object, object]]:
    for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        yield node, key
        yield from walk(node[key])


def damaged_saved(data: bytes, rng: random.Random) -> bytes:
    """Damage that the checksum does not tell: in the header's JSON, or in the arrays."""
    start = 16 + int.from_bytes(data[12:16], "little")
    body = bytearray(data[:-32])
    if rng.random() < 0.5:
        header = damaged_json(data[16:start], rng)
        padded = -(-start // 64) * 64
        head = data[:12] + len(header).to_bytes(4, "little") + header
        body = bytearray(head + bytes(-len(head) % 64) + data[padded:-32])
    else:
        for _ in range(rng.choice((1, 2, 10))):
            body[rng.randrange(len(body))] = rng.choice((0, 1, 2, 255, rng.randrange(256)))
    return bytes(body) + hashlib.sha256(body).digest()


# --- one case ---------------------------------------------------------------------------------------------------------


def end_of(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, bytes, str]:
    """Runs a command in this process: exit code, stdout and stderr."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        signal.alarm(HANG)
        try:
            code = run(arguments)
        finally:
            signal.alarm(0)
        out.flush()
    return code, out.buffer.getvalue(), err.getvalue()


def check(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    code, _, err = end_of(arguments, monkeypatch)
    assert code in (0, 2, 3), (code, err)
    lines = err.splitlines()
    if code:
        assert len(lines) >= 1, code
        assert lines[-1].startswith("symcf: error: "), err
        told = [line for line in lines if line.startswith("symcf: error: ")]
        # audits name each rule that is not known, beside the rows
        assert len(told) == 1 or (arguments[0] == "audit" and code == 3 and len(set(told)) == len(told)), err
    assert "Traceback" not in err
    assert all(line.startswith("symcf: ") for line in lines), err
    return code


def cases(folder: Path, count: int, seed: int) -> Iterator[list[str]]:
    """Command lines about damaged files, which are written just before."""
    rng = random.Random(seed)
    files = cli_corpus.write(folder)
    contents = {path: path.read_bytes() for pair in files.values() for path in pair}
    everything = list(contents.values())
    for _ in range(count):
        model, data = files[rng.choice(list(files))]
        bad_model, bad_data = folder / f"bad{model.suffix}", folder / "bad.csv"
        whole = rng.random() < 0.5  # the model is
        bad_model.write_bytes(contents[model] if whole else damage(model, contents[model], rng.choice(everything), rng))
        table = contents[data]
        if whole:
            mild = rng.random() < 0.4
            table = damaged_cell(table, rng) if mild else damaged(table, rng.choice(everything), rng)
        bad_data.write_bytes(table)
        if not whole and rng.random() < 0.4:
            command = list(rng.choice(ALONE))
            target = [str(folder / "out.symcf")] if command[0] == "compile" else []
            yield [*command, *target, str(bad_model)]
        else:
            name, *options = rng.choice(COMMANDS)
            limit = [] if name in ("predict", "verify") else ["--time-limit", "5"]
            yield [name, str(bad_model), str(bad_data), *options, *limit]


def damage(path: Path, data: bytes, other: bytes, rng: random.Random) -> bytes:
    kind: Callable[[], bytes] = lambda: damaged(data, other, rng)  # noqa: E731
    if path.suffix == ".json" and rng.random() < 0.6:
        kind = lambda: damaged_json(data, rng)  # noqa: E731
    if path.suffix == ".symcf" and rng.random() < 0.8:
        kind = lambda: damaged_saved(data, rng)  # noqa: E731
    return kind()


def fuzz(folder: Path, count: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    def hangs(number: int, frame: object) -> None:
        raise AssertionError(f"no end after {HANG} s")

    signal.signal(signal.SIGALRM, hangs)
    ends = {0: 0, 2: 0, 3: 0}
    for i, arguments in enumerate(cases(folder, count, seed)):
        try:
            ends[check(arguments, monkeypatch)] += 1
        except BaseException:
            print(f"case {i} of seed {seed}: symcf", *arguments)
            raise
    return ends


@pytest.mark.long
def test_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = fuzz(tmp_path, 400, 0, monkeypatch)
    assert ends[0] > 20
    assert ends[2] > 100


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(1, 11))
def test_thousand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    ends = fuzz(tmp_path, 1000, seed, monkeypatch)
    print(f"seed {seed}: exit codes {ends}")
