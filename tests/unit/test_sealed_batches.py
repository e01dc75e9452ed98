"""Batches of certificates under one root: each row leads to it, and nothing else does."""

from __future__ import annotations

import hashlib
import json

import pytest

import symcf
from symcf.cli.app import run as cli_run
from symcf.demo import admission
from symcf.proof.certificates.sealed import SealedBatch
from symcf.proof.checker.form import canonical, parse

ROWS = [[0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]]


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()


def top(leaves):
    """RFC 6962: split before the largest power of two."""
    if len(leaves) == 1:
        return leaves[0]
    middle = 1
    while 2 * middle < len(leaves):
        middle *= 2
    return hashed(f"node:{top(leaves[:middle])}{top(leaves[middle:])}")


@pytest.fixture(scope="module")
def certificates():
    batch = symcf.fast.explain_batch(symcf.compile(admission()), ROWS)
    return [*batch.certificates(), symcf.NoCertificate("it could not be read"), *batch.certificates()]


def test_every_row_of_batches_of_every_size(certificates):
    for size in range(1, 14):
        some = certificates[:size]
        sealed = SealedBatch(some)
        leaves = [hashed(f"leaf:{canonical(c.data if c else None)}") for c in some]
        assert sealed.root == "sha256:" + hashed(f"root:{size}:{top(leaves)}")
        for row, one in enumerate(sealed):
            if one is None:
                assert not some[row]
                continue
            verdict = symcf.check(one, root=sealed.root)
            assert verdict
            assert str(verdict).startswith(f"true: row {row} of {size} (from 0) of the batch {sealed.root}: ")
            changed = [{"row": other} for other in range(-1, size + 1) if other != row]
            changed += [{"count": size - 1}, {"count": size + 1}, {"count": 0}, {"count": True}, {"row": 0.5}]
            changed += [{"path": one["path"][:-1]}] if one["path"] else [{"path": ["0" * 64]}]
            changed += [{"path": one["path"][::-1]}] if len(one["path"]) > 1 else []
            for change in changed:
                assert not symcf.check({**one, **change}, root=sealed.root), change


def test_another_certificate_in_the_place_of_a_row(certificates):
    sealed = SealedBatch(certificates[:7])
    for row in range(7):
        for other in range(7):
            moved = {**sealed[row], "certificate": sealed[other]["certificate"]}
            assert bool(symcf.check(moved)) == (row == other)


def test_one_certificate_changes_the_root(certificates):
    roots = {SealedBatch([*certificates[:i], None, *certificates[i + 1 : 7]]).root for i in range(7)}
    roots.add(SealedBatch(certificates[:7]).root)
    assert len(roots) == 8


def test_what_is_not_a_row_of_the_batch(certificates):
    sealed = SealedBatch(certificates)
    assert symcf.check(sealed[0], root="sha256:" + "0" * 64).failed == "batch"
    assert symcf.check(certificates[0], root=sealed.root).failed == "batch"
    with pytest.raises(symcf.OptionError, match="row 7 has no certificate"):
        sealed[7]
    with pytest.raises(symcf.OptionError, match="no rows"):
        SealedBatch([])


def test_the_model_and_the_row_are_looked_at():
    c = symcf.compile(admission())
    sealed = symcf.fast.explain_batch(c, ROWS).sealed()
    assert symcf.check(sealed[1], c, row=ROWS[1], root=sealed.root)
    assert symcf.check(sealed[1], c, row=ROWS[0], root=sealed.root).failed == "row"
    other = symcf.compile(symcf.NaiveBayes.binary(0.3, [0.4, 0.9, 0.9, 0.7], [0.1, 0.1, 0.1, 0.2]))
    assert symcf.check(sealed[1], other).failed == "fingerprint"


def test_commands(tmp_path, capsys):
    sealed = symcf.fast.explain_batch(symcf.compile(admission()), ROWS).sealed()
    file = tmp_path / "batch.jsonl"
    sealed.save(file)
    assert len(file.read_text().splitlines()) == len(ROWS)
    assert cli_run(["check", str(file), "--root", sealed.root]) == 0
    assert capsys.readouterr().out.count("true: row") == len(ROWS)
    assert cli_run(["check", str(file), "--root", "sha256:" + "0" * 64]) == 1
    one = tmp_path / "row.json"
    one.write_text(json.dumps(sealed[2], indent=2))
    log = tmp_path / "log.jsonl"
    assert cli_run(["log", str(log), str(one)]) == 0
    assert parse(log.read_text())["number"] == sealed[2]["certificate"]["number"]
    assert cli_run(["check", str(log)]) == 0
