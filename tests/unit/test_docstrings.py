"""The examples in docstrings print what they show."""

import doctest
import importlib
import pkgutil

import pytest

import symcf

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PACKAGES = sorted(module.name for module in pkgutil.iter_modules(symcf.__path__) if module.name != "__main__")


def modules_of(package):
    """The package and all that is in it."""
    module = importlib.import_module(f"symcf.{package}")
    yield module
    for inner in pkgutil.walk_packages(getattr(module, "__path__", ()), f"symcf.{package}."):
        if not inner.name.endswith(".__main__"):
            yield importlib.import_module(inner.name)


@pytest.mark.parametrize("package", PACKAGES)
def test_examples_print_what_they_show(package, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    results = [doctest.testmod(module, optionflags=FLAGS) for module in modules_of(package)]
    assert sum(result.failed for result in results) == 0
    assert package != "answers" or sum(result.attempted for result in results) > 20, "examples are found"
