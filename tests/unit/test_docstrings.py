"""The examples in docstrings print what they show, and every public method has a docstring: its own, or that of the
method it overrides, which `help` shows, too.
"""

import doctest
import importlib
import inspect
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


def undocumented(cls):
    """The public methods and properties that a class defines, and that neither it nor a base class explains."""
    for name, member in vars(cls).items():
        is_method = inspect.isroutine(member) or isinstance(member, property) or hasattr(member, "__set_name__")
        is_field = name in vars(cls).get("__annotations__", {})
        if name.startswith("_") or is_field or not is_method:
            continue
        same = [vars(base)[name] for base in cls.__mro__ if name in vars(base)]
        if not any(getattr(getattr(one, "__func__", one), "__doc__", None) for one in same):
            yield name


@pytest.mark.parametrize("package", PACKAGES)
def test_methods_have_docstrings(package):
    found = [
        f"{module.__name__}.{cls.__name__}.{method}"
        for module in modules_of(package)
        for cls in vars(module).values()
        if inspect.isclass(cls) and cls.__module__ == module.__name__ and not cls.__name__.startswith("_")
        for method in undocumented(cls)
    ]
    assert not found


def test_a_method_without_a_docstring_is_noticed():
    class Base:
        def inherits(self):
            """Says what it does."""

    class Derived(Base):
        def inherits(self):
            pass

        def lacks(self):
            pass

        @property
        def is_lacking(self):
            return True

    assert list(undocumented(Derived)) == ["lacks", "is_lacking"]
