"""Results of benchmarks carry their origin, and figures without one are found."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def module(name):
    """A module of bench/, which is not a package."""
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        spec = importlib.util.spec_from_file_location(f"bench_{name}", ROOT / "bench" / f"{name}.py")
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = loaded  # dataclasses look there
        spec.loader.exec_module(loaded)
    finally:
        sys.path.remove(str(ROOT / "bench"))
    return loaded


@pytest.fixture(scope="module")
def provenance():
    pytest.importorskip("dd")
    return module("check_provenance")


@pytest.fixture
def common(provenance):
    return provenance.common


def git(place, *words):
    identity = ["-c", "user.name=nobody", "-c", "user.email=nobody"]
    run = subprocess.run(["git", *identity, *words], cwd=place, check=True, capture_output=True, text=True)
    return run.stdout.strip()


@pytest.fixture
def tree(tmp_path):
    """A repository with one file and one commit."""
    (tmp_path / "code.py").write_text("1\n")
    (tmp_path / ".gitignore").write_text("/build/\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "one")
    return tmp_path


def test_a_result_has_its_commit_and_its_command(common, tree, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/somewhere/bench/batch.py", "--rows", "7"])
    monkeypatch.setattr(common, "LOAD", 1.25)
    monkeypatch.setattr(common, "others", lambda: 0.1)
    common.write("batch", {"rows": 7}, tree)
    written = json.loads((tree / "bench" / "results" / "batch.json").read_text())
    assert written["rows"] == 7
    origin = written["origin"]
    assert origin["commit"] == git(tree, "rev-parse", "HEAD")
    assert (origin["command"], origin["dirty"], origin["load"], origin["busy"]) == (
        "python bench/batch.py --rows 7",
        False,
        1.25,
        False,
    )
    assert origin["compiler"]


@pytest.mark.parametrize(
    ("load", "others", "busy"), [(1.75, 0.0, True), (0.2, 0.75, True), (1.5, 0.5, False), (0.0, 0.0, False)]
)
def test_a_busy_machine_is_marked(common, tree, monkeypatch, capsys, load, others, busy):
    monkeypatch.setattr(common, "LOAD", load)
    monkeypatch.setattr(common, "others", lambda: others)
    common.write("batch", {}, tree)
    assert json.loads((tree / "bench" / "results" / "batch.json").read_text())["origin"]["busy"] is busy
    assert (f"busy: load {load:.1f}" in capsys.readouterr().out) is busy


def test_small_sizes_are_no_result(common, tree, monkeypatch):
    monkeypatch.setattr(common, "QUICK", True)
    (tree / "code.py").write_text("2\n")
    common.write("batch", {"rows": common.sized(70, 7)}, tree)
    assert not (tree / "bench" / "results").exists()
    assert json.loads((tree / "build" / "bench" / "quick" / "batch.json").read_text())["rows"] == 7


@pytest.mark.parametrize("name", ["code.py", "new.py"])
def test_a_changed_tree_writes_no_result(common, tree, name):
    (tree / name).write_text("2\n")
    with pytest.raises(SystemExit, match="not written to bench/results"):
        common.write("batch", {}, tree)
    assert not (tree / "bench" / "results" / "batch.json").exists()
    assert json.loads((tree / "build" / "bench" / "batch.json").read_text())["origin"]["dirty"] is True


def test_results_of_other_benchmarks_are_no_change(common, tree):
    common.write("one", {}, tree)
    common.write("two", {}, tree)
    assert json.loads((tree / "bench" / "results" / "two.json").read_text())["origin"]["dirty"] is False


@pytest.mark.parametrize(
    "value", [{}, [], {"a": [1.5, None, "é"]}, {"x" * 90: {"y" * 90: [{"z": 1}, 2]}}, [list(range(99))]]
)
def test_compact_json_is_the_same_json(common, value):
    assert json.loads(common.compact(value)) == value


def test_what_is_wrong_with_an_origin(provenance):
    good = {"origin": {"commit": "a" * 40, "dirty": False}}
    assert provenance.problem(good, lambda commit: commit == "a" * 40) is None
    assert provenance.problem(good, lambda commit: False) == "unknown commit aaaaaaaaaaaa"
    dirty = {"origin": {"commit": "a" * 40, "dirty": True}}
    assert provenance.problem(dirty, lambda commit: True) == "measured in a changed tree on aaaaaaaaaaaa"
    assert provenance.problem({"machine": {"packages": {"symcf": "0.1.0"}}}) == "no commit (symcf 0.1.0)"
    assert provenance.problem([1, 2]) == "no commit"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes 12 ms on this machine.", ["p.md:1: 12 ms"]),
        ("It is fast,\nabout 7.5 times as fast.", ["p.md:2: 7.5 times as"]),
        ("Without `time_limit` it ends after 10 seconds.", []),
        ("```text\n12 ms\n```", []),
        ("<!-- figures: x -->\n| a | 12 ms |\n<!-- end of figures -->", []),
        ("# Costs\nBy `bench/a.py`:\n\n| a | 1.5 | 2 | 30 |\n", ["p.md:4: a table"]),
        ("# Sizes\n\n| a | 1.5 | 2 | 30 |\n", []),
    ],
)
def test_typed_figures_are_found(provenance, text, found):
    assert list(provenance.typed_in("p.md", text)) == found


def test_what_nothing_reads_is_dropped(provenance):
    data = provenance.watched({"a": 1, "b": {"c": 2, "d": 3}, "e": [{"f": 4, "g": 5}, {"f": 6, "g": 7}], "h": {"i": 8}})
    assert data["a"] + data["b"]["c"] == 3
    assert [one.get("f") for one in data["e"]] == [4, 6]
    assert "h" in data
    assert provenance.reduced(data) == {"a": 1, "b": {"c": 2}, "e": [{"f": 4}, {"f": 6}], "h": {}}


def test_every_table_and_picture_reads_results_that_are_stored(provenance):
    files, sources = provenance.reading()
    assert {"paper", "engines", "foundation", "stream"} <= set(sources["readme"])
    assert all(sources.values())
    assert all((ROOT / "bench" / "results" / f"{name}.json").exists() for name in files)


# --- bench/all.py -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def everything():
    return module("all")


def test_one_command_measures_all_that_is_shown(everything, provenance):
    files, _ = provenance.reading()
    assert {step.result for step in everything.STEPS} == set(files)
    for step in everything.STEPS:
        assert (ROOT / "bench" / step.words[0]).exists()
    assert sum(step.minutes / (1 if step.timed else 2) for step in everything.STEPS if not step.long) <= 26


def test_a_result_of_other_code_is_measured_again(everything, tree, monkeypatch):
    monkeypatch.setattr(everything, "ROOT", tree)
    monkeypatch.setattr(everything, "CODE", ("code.py",))
    step = everything.Step("batch", 1.0)
    result = tree / "bench" / "results" / "batch.json"
    assert everything.reason(step) == "no result"
    result.parent.mkdir(parents=True)
    result.write_text("[]")
    assert everything.reason(step) == "no commit"
    commit = git(tree, "rev-parse", "HEAD")
    result.write_text(json.dumps({"origin": {"commit": commit, "dirty": True}}))
    assert everything.reason(step) == "measured in a changed tree"
    result.write_text(json.dumps({"origin": {"commit": commit, "dirty": False}}))
    assert everything.reason(step) is None
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "the result")
    assert everything.reason(step) is None
    (tree / "code.py").write_text("2\n")
    git(tree, "commit", "-q", "-a", "-m", "two")
    assert everything.reason(step).startswith("measured on other code")


def test_a_changed_tree_is_refused(everything, tree, monkeypatch, capsys):
    monkeypatch.setattr(everything, "ROOT", tree)
    monkeypatch.setattr(sys, "argv", ["all.py", "--only", "batch"])
    (tree / "code.py").write_text("2\n")
    assert everything.main() == 1
    assert "Commit first" in capsys.readouterr().out
