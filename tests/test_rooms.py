"""The house: data flows one way, and the folder listing shows it.

Reads the imports of every module, those inside functions and those for type checkers included. No room may know a later
one, and no module may know one that knows it.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "symcf"

#: The rooms in the order of the flow. Modules of the top folder are rooms of their own.
ROOMS = (
    "errors",
    "checker",
    "_core",
    "common",
    "rows",
    "plausibility",
    "models",
    "ensembles",
    "sklearn",
    "decision",
    "diagrams",
    "clauses",
    "questions",
    "algebra",
    "engines",
    "values",
    "certificates",
    "letters",
    "results",
    "verification",
    "storage",
    "jobs",
    "fast",
    "properties",
    "compiled",
    "auditing",
    "compare",
    "multilabel",
    "arrow",
    "batch",
    "cnf",
    "drawing",
    "plots",
    "datasets",
    "report",
    "dask",
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


def room(name: str) -> str:
    return name.split(".")[0]


def later_rooms(edges: dict[str, set[str]]) -> list[str]:
    place = {name: i for i, name in enumerate(ROOMS)}
    return [
        f"{name} knows {other}"
        for name, others in sorted(edges.items())
        for other in sorted(others)
        if place[room(other)] > place[room(name)]
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


def test_every_module_is_in_a_room():
    assert {room(name) for name in modules()} <= set(ROOMS)


def test_no_room_knows_a_later_one():
    assert later_rooms(graph()) == []


def test_no_modules_know_each_other():
    # a package's __init__ may re-export its own modules, which do not know it
    assert cycle(graph()) == []


@pytest.mark.parametrize(
    ("name", "other"),
    [("models.base", "diagrams.diagram"), ("rows.labels", "compiled"), ("engines.cover", "results.facts")],
)
def test_a_planted_import_is_noticed(name, other):
    edges = graph()
    edges[name].add(other)
    assert f"{name} knows {other}" in later_rooms(edges)


def test_a_planted_cycle_is_noticed():
    edges = graph()
    edges["questions.constraints"].add("questions.question")
    assert {"questions.constraints", "questions.question"} <= set(cycle(edges))


def test_the_top_folder_is_short():
    listed = [path.stem for path in SOURCE.iterdir() if path.suffix in (".py", ".pyi")]
    assert len(listed) <= 12, listed


def test_each_package_says_what_lives_there():
    for path in SOURCE.rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert text, path
