"""Old public names raise an error that gives the new one."""

from __future__ import annotations

import pytest
from command_line import error

import symcf
from symcf.common import renamed
from symcf.demo import admission

X = [1, 0, 1, 0]


def compiled():
    return symcf.compile(admission())


def table():
    return [X, [0, 0, 1, 0]]


KEYWORD_CALLS = {
    "explain": lambda **old: compiled().explain(X, **old),
    "iter_counterfactuals": lambda **old: compiled().iter_counterfactuals(X, **old),
    "count": lambda **old: compiled().count(X, **old),
    "sample": lambda **old: compiled().sample(X, 2, **old),
    "sample_why": lambda **old: compiled().sample_why(X, 2, **old),
    "why": lambda **old: compiled().why(X, **old),
    "wcnf": lambda **old: compiled().wcnf(X, **old),
    "explain_batch": lambda **old: symcf.fast.explain_batch(compiled(), table(), **old),
    "why_batch": lambda **old: symcf.fast.why_batch(compiled(), table(), **old),
    "audit": lambda **old: symcf.audit(compiled(), table(), **old),
    "models of a diagram": lambda **old: compiled().diagram.models().sample(2, **old),
    "models of a function": lambda **old: compiled().is_class("admitted").models().sample(2, **old),
}


@pytest.mark.parametrize(("old", "new"), renamed.KEYWORDS.items())
@pytest.mark.parametrize("call", KEYWORD_CALLS)
def test_a_keyword(call, old, new):
    with pytest.raises(TypeError, match=f"keyword '{old}' is called '{new}' now"):
        KEYWORD_CALLS[call](**{old: 1})


@pytest.mark.parametrize(
    ("option", "old", "new"),
    [(option, old, new) for option, names in renamed.CHOICES.items() for old, new in names.items()],
)
def test_a_choice(option, old, new):
    for call in ("explain", "count", "explain_batch", "iter_counterfactuals"):
        with pytest.raises(symcf.OptionError, match=f"{option} '{old}' is called '{new}' now"):
            KEYWORD_CALLS[call](**{option: old})


@pytest.mark.parametrize(("old", "new"), renamed.ATTRIBUTES.items())
def test_an_attribute(old, new):
    e = compiled().explain(X)
    assert hasattr(e, new)
    with pytest.raises(AttributeError, match=f"attribute '{old}' is called '{new}' now"):
        getattr(e, old)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = e.nothing


@pytest.mark.parametrize(("old", "new"), renamed.MODULES.items())
def test_a_module(old, new):
    with pytest.raises(AttributeError, match=f"'symcf.{old}' is called 'symcf.{new}' now"):
        getattr(symcf, old)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = symcf.nothing


@pytest.mark.parametrize(("old", "new"), renamed.OPTIONS.items())
def test_an_option_of_the_command_line(tmp_path, old, new):
    command = "cnf" if old == "--encoding" else "explain"
    assert f"{old} is called {new} now" in error(command, tmp_path / "model", tmp_path / "rows", old, "word")
    assert f"{old} is called {new} now" in error(command, tmp_path / "model", f"{old}=word")


@pytest.mark.parametrize(("old", "new"), renamed.CHOICES["engine"].items())
def test_an_engine_of_the_command_line(tmp_path, old, new):
    said = error("explain", tmp_path / "model", tmp_path / "rows", "--engine", old)
    assert f"engine '{old}' is called '{new}' now" in said


def test_an_option_that_the_command_does_not_have_has_no_new_name_either():
    assert "No such option: --values" in error("predict", "--values", "all")


def test_saved_explanations_of_the_version_before():
    e = compiled().explain(X, minimality="moves")
    data = e.to_dict()
    before = {renamed_back(name): value for name, value in data.items()} | {"version": 2, "engine": "minimal"}
    back = symcf.Explanation.from_dict(before)
    assert (back.select, back.minimality, back.engine) == ("nearest", "moves", "diagram")
    assert back.sets == e.sets


def renamed_back(name):
    return {new: old for old, new in renamed.KEYWORDS.items()}.get(name, name)
