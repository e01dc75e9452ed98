"""Data flows one way, and the folder listing shows it.

Reads the imports of every module, those inside functions and those for type checkers included. No package may import a
later one, and no two modules may import each other.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "symcf"

#: The packages in the order of the data flow. A package whose parts belong to different stages is listed by part;
#: modules of the top folder are listed by themselves. The longest name that fits a module is its place.
ORDER = (
    "errors",
    "proof.checker",
    "_core",
    "common",
    "data",
    "models",
    "models.files",
    "models.sklearn",
    "system",
    "question",
    "analysis.algebra",
    "search",
    "values",
    "proof.certificates",
    "letters.page",
    "letters.policy",
    "letters.starter",
    "answers",
    "proof.verification",
    "fast",
    "analysis.properties",
    "compiled",
    "analysis.audit",
    "analysis.compare",
    "analysis.multilabel",
    "arrow",
    "batch",
    "cnf",
    "drawing",
    "plots",
    "datasets",
    "report",
    "letters",
    "cluster",
    "serve",
    "mlflow",
    "proof",  # these two hold a docstring and nothing else
    "analysis",
    "capabilities",
    "",  # the façade, symcf/__init__.py: all public names, each loaded at its first use
    "demo",
    "cli",
    "__main__",
)


def modules() -> dict[str, Path]:
    """By dotted name within the package."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = list(path.relative_to(SOURCE).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        found[".".join(parts)] = path
    return found


def imports(name: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of the package that this one imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            named = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for full in named:
            if full.split(".")[0] != "symcf":
                continue
            inside = full.split(".")[1:]
            while inside and ".".join(inside) not in known and inside != ["_core"]:
                inside.pop()  # a name of that module
            yield ".".join(inside)


@functools.cache
def _graph() -> dict[str, frozenset[str]]:
    known = modules()
    return {name: frozenset(imports(name, path, known)) - {name} for name, path in known.items()}


def graph() -> dict[str, set[str]]:
    """By module, those that it knows; a copy to plant something in."""
    return {name: set(others) for name, others in _graph().items()}


def place(name: str) -> str:
    """The entry of `ORDER` that a module belongs to."""
    parts = name.split(".")
    return next((found for n in range(len(parts), 0, -1) if (found := ".".join(parts[:n])) in ORDER), "")


def later_packages(edges: dict[str, set[str]]) -> list[str]:
    rank = {name: i for i, name in enumerate(ORDER)}
    return [
        f"{name} knows {other}"
        for name, others in sorted(edges.items())
        for other in sorted(others)
        if rank[place(other)] > rank[place(name)]
    ]


def cycle(edges: dict[str, set[str]]) -> list[str]:
    """Modules that know each other, one after the other; empty if there are none."""
    state: dict[str, int] = {}
    way: list[str] = []

    def visit(name: str) -> list[str]:
        state[name] = 1
        way.append(name)
        for other in sorted(edges.get(name, ())):
            if state.get(other) == 1:
                return [*way[way.index(other) :], other]
            if other not in state and (found := visit(other)):
                return found
        way.pop()
        state[name] = 2
        return []

    for name in sorted(edges):
        if name not in state and (found := visit(name)):
            return found
    return []


def test_every_module_has_a_place():
    assert [name for name in modules() if name and not place(name)] == []


def test_no_package_imports_a_later_one():
    assert later_packages(graph()) == []


def test_no_modules_know_each_other():
    # a package's __init__ may re-export its own modules, which do not know it
    assert cycle(graph()) == []


@pytest.mark.parametrize(
    ("name", "other"),
    [("models.base", "system.diagram"), ("data.labels", "compiled"), ("search.cover", "answers.facts")],
)
def test_a_planted_import_is_noticed(name, other):
    edges = graph()
    edges[name].add(other)
    assert f"{name} knows {other}" in later_packages(edges)


def test_a_planted_cycle_is_noticed():
    edges = graph()
    edges["question.constraints"].add("question.question")
    assert {"question.constraints", "question.question"} <= set(cycle(edges))


def test_the_top_folder_is_short():
    listed = [path.stem for path in SOURCE.iterdir() if path.suffix in (".py", ".pyi")]
    assert len(listed) <= 13, listed


def test_each_package_says_what_lives_there():
    for path in SOURCE.rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert text, path
