"""The files around the code: workflows, templates, citation, recipe, examples, and the check before a release."""

from __future__ import annotations

import importlib.util
import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
yaml = pytest.importorskip("yaml")
YAML = [
    *sorted(ROOT.glob(".github/**/*.yml")),
    *sorted(ROOT.glob("conda/*.yaml")),
    ROOT / ".pre-commit-config.yaml",
    ROOT / "CITATION.cff",
]
WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", YAML, ids=name_of)
def test_a_file_of_yaml_can_be_read(path):
    assert yaml.safe_load(path.read_text(encoding="utf-8"))


def test_yaml_is_all_there():
    assert len(WORKFLOWS) == 3
    assert len(YAML) > 8


@pytest.mark.parametrize("path", WORKFLOWS, ids=name_of)
def test_a_workflow_has_jobs_that_can_run(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(workflow) >= {"name", "on", "permissions", "jobs"}
    for job in workflow["jobs"].values():
        assert job["runs-on"]
        assert set(job.get("needs", [])) <= set(workflow["jobs"])
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            assert "@" in step.get("uses", "@")


def test_workflows_and_container_call_targets_that_exist():
    targets = set(re.findall(r"(?m)^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    called = set()
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        for job in workflow["jobs"].values():
            commands = [step["run"] for step in job["steps"] if "run" in step]
            for words in (command.split() for command in commands if command.startswith("make ")):
                called |= {word for word in words[1:] if "=" not in word}
            called |= set(job.get("strategy", {}).get("matrix", {}).get("target", []))
    called = {word for word in called if not word.startswith(("$", "{", "}", "matrix")) and "/" not in word}
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    called.add(container["postCreateCommand"].split()[1])
    assert {"test", "sanitize", "sanitize-threads", "docs", "wheel", "test-platforms", "demo"} <= called
    assert called <= targets


def test_no_address_is_invented():
    """The repository has no public address yet, and the files name none."""
    paths = [
        *YAML,
        *ROOT.glob(".github/*.md"),
        *ROOT.glob(".devcontainer/*"),
        ROOT / "CODE_OF_CONDUCT.md",
        *ROOT.glob("examples/*"),
    ]
    assert [name_of(path) for path in paths if path.is_file() and "://" in path.read_text(encoding="utf-8")] == []


def test_the_recipe_needs_what_the_project_needs():
    recipe = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    needed = {re.match(r"[\w-]+", text)[0] for text in PROJECT["dependencies"]}
    assert {text.split()[0] for text in recipe["requirements"]["run"]} == needed | {"python"}


# --- the check before a release ---------------------------------------------------------------------------------------


@pytest.fixture
def release():
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path, release):
    """A repository that is ready to be released, with the files that have the version."""
    for name in release.PLACES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "9.8.7"\n')
    (tmp_path / "CMakeLists.txt").write_text("project(symcf VERSION 9.8.7 LANGUAGES C)\n")
    (tmp_path / "src" / "core" / "symcf.h").write_text('#define SYMCF_VERSION "9.8.7"\n')
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 9.8.7\n")
    (tmp_path / "conda" / "recipe.yaml").write_text('context:\n  version: "9.8.7"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 9.8.7 (2031-02-03)\n")
    identity = ["-c", "user.name=nobody", "-c", "user.email=nobody"]
    for words in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "all"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_a_tree_that_is_ready_has_no_problems(release, tree):
    assert release.problems(tree) == []


@pytest.mark.parametrize("name", ["CMakeLists.txt", "src/core/symcf.h", "CITATION.cff", "conda/recipe.yaml"])
def test_another_version_is_found(release, tree, name):
    path = tree / name
    path.write_text(path.read_text().replace("9.8.7", "9.8.6"))
    found = release.problems(tree)
    assert f"{name} has 9.8.6, pyproject.toml has 9.8.7" in found
    assert found[-1].startswith("1 files are not committed")


def test_a_changelog_without_a_date_is_found(release, tree):
    (tree / "CHANGELOG.md").write_text("# Changelog\n\n## 9.8.7 (unreleased)\n")
    assert "CHANGELOG.md begins with '9.8.7 (unreleased)', not with '9.8.7 (date)'" in release.problems(tree)


def test_the_places_of_the_version_are_there(release):
    assert all(re.search(pattern, (ROOT / name).read_text()) for name, pattern in release.PLACES.items())
    assert f"version: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text()


# --- examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=name_of)
def test_an_example_runs(path, capsys):
    pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_every_example_is_listed():
    listed = re.findall(r"^\| `(\w+\.py)`", (ROOT / "examples" / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in (ROOT / "examples").glob("*.py"))


def test_the_advice_to_install_an_extra_works_in_a_checkout():
    """pip takes the installed symcf, editable or not, and adds the packages of the extra: no index needs symcf."""
    pytest.importorskip("jinja2")
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "symcf[report]"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False, cwd=ROOT.anchor)
    assert run.returncode == 0, run.stderr
    assert "Would install" not in run.stdout
