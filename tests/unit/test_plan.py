"""One plan per call, read by everything that answers."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import numpy as np
import pytest

import symcf
from symcf.data import encoder, reader
from symcf.question.question import Question
from symcf.search.plan import SEARCHES, Plan, plan


@pytest.fixture
def plans(monkeypatch):
    made = []
    make = Plan.__init__

    def counting(self, *arguments, **named):
        made.append(self)
        make(self, *arguments, **named)

    monkeypatch.setattr(Plan, "__init__", counting)
    return made


def number_model():
    return symcf.AdditiveClassifier(
        [symcf.NumberTerm(1, range=(0, 10), resolution=1), symcf.NumberTerm(2, range=(0, 10), resolution=1)], -5
    )


def black_box():
    data = np.array([[a, b] for a in range(3) for b in range(3)], dtype=float)
    return symcf.from_predict(lambda rows: (np.asarray(rows).sum(axis=1) > 2).astype(int), data, max_inputs=1)


MODELS = {
    "two classes": lambda: symcf.LinearClassifier([2, [0, 1, 3]], -2),
    "three classes": lambda: symcf.LinearClassifier([[1, 0], [0, 2], [1, 1]], [1, 0, -1]),
    "tree": lambda: symcf.DecisionTree(
        {
            "feature": 0,
            "at_most": 0.5,
            "yes": {"class": 0},
            "no": {"feature": 1, "at_most": 1, "yes": {"class": 1}, "no": {"class": 0}},
        },
        features=["a", "b"],
    ),
    "numbers": number_model,
    "black box": black_box,
}


@pytest.mark.parametrize("kind", MODELS)
def test_a_call_is_planned_once(kind, plans):
    c = symcf.compile(MODELS[kind]())
    e = c.explain([0, 0])
    assert e.sets
    assert [cf.changes[0].range for cf in e]
    assert str(e)
    assert len(plans) == 1
    c.explain([0, 0], select="surest", k=1)[0]
    assert len(plans) == 2
    c.count([0, 0])
    assert len(plans) == 3
    batch = symcf.fast.explain_batch(c, [[0, 0], [0, 0]])
    assert [cf.changes for e in batch for cf in e]
    assert len(batch.cost)
    assert len(plans) == 4
    if kind == "black box":
        return
    reasons = c.why([0, 0])
    assert reasons.sets
    assert reasons.necessary is not None
    assert reasons.relevant is not None
    assert str(reasons)
    assert len(plans) == 5
    c.sample([0, 0], 2, random_state=0)
    assert len(plans) == 6
    assert symcf.fast.why_batch(c, [[0, 0], [0, 0]])[1].sets
    assert len(plans) == 7
    symcf.fast.attribute_batch(c, [[0, 0], [0, 0]])
    assert len(plans) == 8


def test_what_a_search_refuses_is_what_a_call_says():
    for kind, model in MODELS.items():
        c = symcf.compile(model())
        question = Question.checked(c)
        for name in dict.fromkeys(search.name for search in SEARCHES):
            why_not = [search.supports(question) for search in SEARCHES if search.name == name]
            if None in why_not:
                assert c.explain([0, 0], engine=name).sets == c.explain([0, 0]).sets, (kind, name)
            else:
                with pytest.raises(symcf.OptionError) as raised:
                    c.explain([0, 0], engine=name)
                assert str(raised.value) == why_not[0]


def test_the_default_is_the_first_search_that_is_supported_and_preferred():
    for model in MODELS.values():
        question = Question.checked(symcf.compile(model()))
        fine = [search for search in SEARCHES if search.supports(question) is None]
        assert plan(question).kind is next(search for search in fine if search.is_preferred(question))


def type_tests(source: str) -> list[str]:
    """Classes of kinds of decisions, searches, cases, flips and values that `isinstance` is asked about."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            names = {ast.unparse(part).split(".")[-1] for part in ast.walk(node.args[1]) if isinstance(part, ast.expr)}
            found += [name for name in names if name.endswith(KINDS)]
    return found


KINDS = ("Decision", "Search", "Case", "Flip", "Assignments", "Solver")


def test_no_module_tests_the_type_of_a_kind():
    assert type_tests("isinstance(a, (TreeDecision, search.BoxSearch)) or isinstance(b, list)") != []
    sources = Path(symcf.__file__).parent.rglob("*.py")
    assert {path.name: kinds for path in sources if (kinds := type_tests(path.read_text(encoding="utf-8")))} == {}


#: By kind of model, the most modules that a row may pass through, and how often it may return to a package.
WALKS = {
    "naive Bayes": (14, 0),
    "scaled logistic regression": (15, 0),
    "XGBoost": (15, 0),
    # the values of the row are added to those of the model, which makes a decision and a question over them
    "black box": (21, 0),
}


def test_a_row_walks_straight():
    spec = importlib.util.spec_from_file_location("walk", Path(__file__).parents[2] / "bench" / "walk.py")
    walk = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(walk)
    assert walk.returns(["data.a", "question.a", "question.b", "data.b", "data.c", "search.a"]) == ["data.b"]
    kinds = walk.kinds()
    assert set(WALKS) - {"XGBoost"} <= set(kinds) <= set(WALKS)
    for name, work in kinds.items():
        modules, (most, back) = walk.steps(*work), WALKS[name]
        assert len(modules) <= most, (name, modules)
        assert len(walk.returns(modules)) <= back, (name, walk.returns(modules))


def test_a_row_with_values_of_its_own_is_read_once(monkeypatch):
    c = symcf.compile(symcf.from_predict(lambda rows: rows[:, 0] > 1.5, np.array([[1.0], [2.0]]), max_inputs=0))
    reads = []
    monkeypatch.setattr(encoder, "read_row", lambda *given: reads.append(given) or reader.read_row(*given))
    assert c.explain([1.25]).sets == [(0,)]
    assert len(reads) == 1
