"""`import symcf` loads nothing, and gives everything."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import symcf

SOURCE = Path(symcf.__file__)


def typed() -> tuple[set[str], set[tuple[str, str]]]:
    """What type checkers are told: the modules, and the names with their homes."""
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    modules, names = set(), set()
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            assert alias.name == alias.asname, "without `as`, the name is not exported"
            if node.module == "symcf":
                modules.add(alias.name)
            else:
                names.add((node.module.removeprefix("symcf."), alias.name))
    return modules, names


def in_a_new_process(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_types_and_tables_agree():
    modules, names = typed()
    assert modules == set(symcf._MODULES)
    assert names == {(home, name) for home, listed in symcf._HOMES.items() for name in listed}
    assert sum(map(len, symcf._HOMES.values())) == len(symcf.__all__), "a name with two homes"


def test_each_name_is_there():
    for name in symcf.__all__:
        assert getattr(symcf, name).__name__ == name
    assert set(symcf.__all__) | set(symcf._MODULES) | {"__version__"} <= set(dir(symcf))


def test_the_import_loads_nothing_else():
    loaded = in_a_new_process("import sys, symcf; print(*(m for m in sys.modules if 'symcf.' in m or m == 'numpy'))")
    assert loaded.split() == []


@pytest.mark.slow
@pytest.mark.parametrize("name", symcf._MODULES)
def test_a_public_module_needs_no_import_of_its_own(name):
    assert in_a_new_process(f"import symcf; print(symcf.{name}.__name__)").strip() == f"symcf.{name}"


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="module 'symcf' has no attribute 'explain'"):
        symcf.explain  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'explain'"):
        from symcf import explain  # noqa: F401


def test_a_star_gives_the_public_names():
    given = {}
    exec("from symcf import *", given)
    assert set(given) - {"__builtins__"} == set(symcf.__all__)


def test_no_room_has_the_name_of_a_public_name():
    """Importing the package would put it in place of the function, from then on."""
    packages = {path.stem for path in SOURCE.parent.iterdir()}
    assert packages & set(symcf.__all__) == set()


def test_models_of_all_kinds_are_read_whatever_was_imported():
    """Nothing depends on a module that registers itself."""
    kinds = {c.kind: c for c in map(symcf.__getattr__, symcf.__all__) if isinstance(c, type) and hasattr(c, "kind")}
    kinds = {kind: c for kind, c in kinds.items() if issubclass(c, symcf.Model)}
    from symcf.models.kinds import KINDS

    # by Compiled.reaching, from_sklearn and lists of models
    made = {"reaching": "Reaching", "calibrated": "Calibrated", "joint": "Joint", "agreed": "Agreed"}
    found = {kind: c.__name__ for kind, c in kinds.items()}
    assert found | made == {kind: name for kind, (_, name) in KINDS.items()}
    model = symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]).to_json()
    assert in_a_new_process(f"import symcf; print(symcf.model_from_json({model!r}))").startswith("NaiveBayes")


def test_encoders_of_all_kinds_are_read_whatever_was_imported():
    from symcf.data.encoder import ENCODERS, Encoder

    for path in (SOURCE.parent / "data").glob("*.py"):
        import_module(f"symcf.data.{path.stem}")
    stored = [c for c in Encoder.__subclasses__() if c.__module__.startswith("symcf.") and hasattr(c, "from_dict")]
    concrete = {c.kind: c for c in stored}
    assert {kind: c.__name__ for kind, c in concrete.items()} == {kind: name for kind, (_, name) in ENCODERS.items()}
