"""The log of decisions: whatever is altered, left out or moved is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import symcf
from symcf.cli.app import run as cli_run
from symcf.demo import admission
from symcf.proof.checker.log import check_log


@pytest.fixture
def log(tmp_path):
    """A log of four decisions."""
    c = symcf.compile(admission())
    for i, row in enumerate(([0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 1, 1])):
        c.explain(row).certificate().save(tmp_path / f"{i}.json")
        assert cli_run(["log", str(tmp_path / "log.jsonl"), str(tmp_path / f"{i}.json")]) == 0
    return tmp_path / "log.jsonl"


def test_a_log_is_as_it_was_written(log, capsys):
    lines = log.read_text().splitlines()
    verdict = check_log(lines)
    assert verdict
    assert (verdict.lines, verdict.last) == (4, json.loads(lines[-1])["hash"])
    assert cli_run(["check", str(log)]) == 0
    assert json.loads(lines[0])["number"] == symcf.check(log.parent / "0.json").number


@pytest.mark.parametrize(
    ("change", "first"),
    [
        (lambda lines: [*lines[:2], lines[2].replace("rejected", "admitted"), lines[3]], 3),
        (lambda lines: [lines[0], *lines[2:]], 2),
        (lambda lines: lines[1:], 1),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], 2),
        (lambda lines: [*lines, lines[3]], 5),
        (lambda lines: [*lines[:3], lines[3][:-5]], 4),
        (lambda lines: [*lines[:3], "{}"], 4),
    ],
    ids=["altered", "left out", "first left out", "moved", "twice", "cut", "another line"],
)
def test_the_first_altered_line_is_found(log, change, first, capsys):
    lines = log.read_text().splitlines()
    assert check_log(change(lines)).line == first
    log.write_text("\n".join(change(lines)) + "\n")
    assert cli_run(["check", str(log)]) == 1
    assert f"line {first}:" in capsys.readouterr().out
    assert cli_run(["log", str(log), str(log.parent / "0.json")]) == 2


def test_a_rejected_certificate_is_not_added(log):
    before = log.read_text()
    text = (log.parent / "0.json").read_text().replace('"decision":"rejected"', '"decision":"admitted"')
    (log.parent / "forged.json").write_text(text)
    assert cli_run(["log", str(log), str(log.parent / "forged.json")]) == 1
    assert log.read_text() == before


def test_a_certificate_of_a_region_is_added_without_a_decision(log):
    vector = Path(__file__).parent.parent / "vectors" / "good-region-cells.json"
    (log.parent / "region.json").write_text(json.loads(vector.read_text())["text"])
    assert cli_run(["log", str(log), str(log.parent / "region.json")]) == 0
    lines = log.read_text().splitlines()
    assert json.loads(lines[-1])["decision"] is None
    assert check_log(lines)
