"""A new kind of model, a new constraint and a new search: each in one class and one line of a registry."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
import reference

import symcf
import symcf.fast
from symcf.models import kinds
from symcf.models.base import Model
from symcf.question import constraint_kinds, constraints
from symcf.question.constraint_kinds import KINDS, Column, RowConstraint
from symcf.search import plan
from symcf.search.change_sets import ChangeSets
from symcf.search.protocol import STEP, Answer, Search
from symcf.system import make
from symcf.system.builder import Nodes
from symcf.system.decision import Decision
from symcf.system.groups import Groups

# --- a kind of model: class 1 iff exactly so many features are 1 ------------------------------------------------------


@dataclass(frozen=True)
class ExactlyRule:
    """How it decides."""

    n: int
    ones: int


class ExactlyDecision(Decision):
    """The rule, prepared."""

    def __init__(self, rule: ExactlyRule) -> None:
        super().__init__(Groups.single([2] * rule.n), 2)
        self._rule = rule

    def predict(self, codes: Any) -> Any:
        return (np.asarray(codes).sum(axis=1) == self._rule.ones).astype(np.uint8)

    def influence_order(self) -> Any:
        return np.arange(self._rule.n, dtype=np.uint32)

    def diagram(self, k: int, order: Any, budget: Any) -> Any:
        nodes, features = Nodes(order.tolist(), [2] * self._rule.n), order.tolist()
        below = [int(ones == self._rule.ones) for ones in range(self._rule.n + 1)]
        for place, j in reversed(list(enumerate(features))):
            below = [nodes.node(j, (below[ones], below[ones + 1])) for ones in range(place + 1)]
        return nodes.freeze(below[0]), None


class Exactly(Model):
    """The model."""

    kind = "exactly"

    def __init__(self, n: int, ones: int) -> None:
        self.features = tuple(f"f{j}" for j in range(n))
        self.values, self.ordered, self.classes = ((0, 1),) * n, (True,) * n, ("other", "exactly")
        self._rule = ExactlyRule(n, ones)

    def rule(self) -> Any:
        return self._rule

    def to_dict(self) -> dict[str, Any]:
        return {"model": self.kind, "n": self._rule.n, "ones": self._rule.ones}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Exactly:
        return cls(data["n"], data["ones"])


@pytest.fixture(autouse=True)
def exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(make.DECISIONS, ExactlyRule, lambda rule, of: ExactlyDecision(rule))
    monkeypatch.setitem(kinds.KINDS, "exactly", (__name__, "Exactly"))


def slow_sets(n: int, x: tuple[int, ...], decide: Any) -> list[tuple[int, ...]]:
    """All minimal change sets of binary features, by size and features."""
    found: list[tuple[int, ...]] = []
    for size in range(1, n + 1):
        for changed in combinations(range(n), size):
            row = [v ^ (j in changed) for j, v in enumerate(x)]
            if decide(row) != decide(list(x)) and not any(set(s) <= set(changed) for s in found):
                found.append(changed)
    return found


def test_a_kind_of_model_is_explained_like_the_others():
    c = symcf.compile(Exactly(4, 2))
    rows = list(product((0, 1), repeat=4))
    batch = symcf.fast.explain_batch(c, rows)
    for x, found in zip(rows, batch, strict=True):
        wanted = slow_sets(4, x, lambda row: sum(row) == 2)
        assert c.explain(x).sets == found.sets == wanted
        assert c.explain(x, engine="sat").sets == wanted
        assert c.count(x) == len(wanted)
        assert symcf.verify(c, x, c.explain(x))
        assert all(bool(set(reason) & set(s)) for reason in c.why(x).sets for s in wanted)
    assert kinds.model_from_json(c.model.to_json()).rule() == ExactlyRule(4, 2)


def test_a_kind_of_model_is_saved_and_has_reasons_moves_and_certificates(tmp_path):
    symcf.compile(Exactly(4, 2)).save(tmp_path / "exactly.symcf")
    c = symcf.load(tmp_path / "exactly.symcf")
    assert c.model.rule() == ExactlyRule(4, 2)
    rows = list(product((0, 1), repeat=4))
    for x in rows:

        def is_enough(kept, x=x):
            alike = [row for row in rows if all(row[j] == x[j] for j in kept)]
            return all((sum(row) == 2) == (sum(x) == 2) for row in alike)

        every = [kept for size in range(5) for kept in combinations(range(4), size)]
        enough = [kept for kept in every if is_enough(kept)]
        assert sorted(c.why(x).sets) == sorted(reference.minimal(set(enough)))
        # a binary feature moves or stays
        assert c.explain(x, minimality="moves").sets == slow_sets(4, x, lambda row: sum(row) == 2)
        assert symcf.check(c.explain(x).certificate(), c, row=x)


# --- a search: all rows, one after the other --------------------------------------------------------------------------


class Exhaustive(Search):
    """Changes sets of features by rising size, and decides each row."""

    name = "exhaustive"

    def __init__(self, classifier: Any, relations: Any) -> None:
        self._classifier, self._relations = classifier, relations

    @classmethod
    def supports(cls, question: Any) -> str | None:
        if any(len(labels) != 2 for labels in question.classifier.values):
            return "engine 'exhaustive' takes features of two values only; use engine='auto'"
        return None

    @classmethod
    def is_preferred(cls, question: Any) -> bool:
        return False  # by name only

    @classmethod
    def make(cls, question: Any, options: Any) -> Exhaustive:
        return cls(question.classifier, question.relations)

    def _sets(self, query: Any) -> Iterator[tuple[int, ...]]:
        x = query.x.astype(np.int64)
        groups, (k, sink) = self._classifier.decision.groups, query.goal
        found: list[tuple[int, ...]] = []
        for size in range(1, (query.max_changes or len(x)) + 1):
            for changed in combinations(range(len(x)), size):
                row = x.copy()
                row[list(changed)] ^= 1
                places = groups.core_offset[:-1][list(changed)] + row[list(changed)]
                allowed = query.mask is None or query.mask[places].all()
                holds = self._relations is None or self._relations.holds(row.reshape(1, -1))[0]
                flips = (self._classifier.decide(row.reshape(1, -1))[0] == k) == bool(sink)
                if allowed and holds and flips and not any(set(s) <= set(changed) for s in found):
                    found.append(changed)
                    yield changed

    def steps(self, query: Any, limit: int | None, clock: Any, step: int = STEP) -> Iterator[Answer]:
        sets = list(self._sets(query))
        more = limit is not None and len(sets) > limit
        yield Answer(ChangeSets.of(sets[:limit]), "more" if more else "complete")

    def best(self, query: Any, k: int, clock: Any) -> Answer:
        weights = query.weights()
        sets = sorted(self._sets(query), key=lambda s: (sum(weights[j] for j in s), len(s), s))
        return Answer(ChangeSets.of(sets[:k]), "complete")


@pytest.fixture
def exhaustive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "SEARCHES", [*plan.SEARCHES, Exhaustive])


@pytest.mark.usefixtures("exhaustive")
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"immutable": ["f1"]},
        {"allowed": {"f0": "increase"}},
        {"max_changes": 2},
        {"k": 2, "cost": [3, 1, 2, 1]},
        {"constraints": ["f0 = 1 -> f1 = 1"]},
    ],
)
def test_a_search_answers_all_questions(asked):
    """It says how to list sets and which are cheapest; the rest comes with the protocol."""
    names = [f"f{j}" for j in range(4)]
    for model in (symcf.LinearClassifier([2, 3, -1, 1], -2, features=names), Exactly(4, 2)):
        c = symcf.compile(model)
        for x in product((0, 1), repeat=4):
            e = c.explain(x, engine="exhaustive", **asked)
            assert (e.sets, e.status, e.blocking) == ((f := c.explain(x, **asked)).sets, f.status, f.blocking)
            assert e.engine == "exhaustive"
            assert [cf.instance.tolist() for cf in e] == [cf.instance.tolist() for cf in f]
            counted = {name: value for name, value in asked.items() if name != "k"}
            assert c.count(x, engine="exhaustive", **counted) == c.count(x, **counted)
        rows = list(product((0, 1), repeat=4))
        batch = symcf.fast.explain_batch(c, rows, engine="exhaustive", **asked)
        assert [e.sets for e in batch] == [e.sets for e in symcf.fast.explain_batch(c, rows, **asked)]


@pytest.mark.usefixtures("exhaustive")
def test_a_search_says_what_it_does_not_support():
    c = symcf.compile(symcf.LinearClassifier([[0, 1, 2], 1], -1))
    with pytest.raises(symcf.OptionError, match="takes features of two values only"):
        c.explain([0, 0], engine="exhaustive")
    with pytest.raises(symcf.OptionError, match="exhaustive"):
        c.explain([0, 0], engine="exhaustiv")


# --- a constraint: what was done cannot be undone ---------------------------------------------------------------------


class Done(RowConstraint):
    """A feature that is 1 stays 1."""

    kind = "done"
    text = clause = "{name} cannot be undone"

    @classmethod
    def read(cls, column: Any, given: Any) -> Done | None:
        return cls(column.feature, column.name) if given == "done" else None

    def allows(self, old: int, new: int) -> bool:
        return new >= old


@pytest.mark.usefixtures("exhaustive")
def test_a_constraint_holds_for_every_model_and_search(monkeypatch):
    monkeypatch.setattr(constraint_kinds, "KINDS", [Done, *constraint_kinds.KINDS])
    monkeypatch.setattr(constraints, "KINDS", constraint_kinds.KINDS)
    c = symcf.compile(Exactly(4, 2))
    asked = {"allowed": dict.fromkeys(c.features, "done")}
    for x in product((0, 1), repeat=4):
        wanted = [s for s in slow_sets(4, x, lambda row: sum(row) == 2) if not any(x[j] for j in s)]
        for engine in ("auto", "exhaustive", "sat"):
            e = c.explain(x, engine=engine, **asked)
            assert e.sets == wanted
            assert bool(e.blocking) == (not wanted)
        assert symcf.fast.explain_batch(c, [x], **asked)[0].sets == wanted


# --- a constraint: a feature moves by a few steps only ----------------------------------------------------------------


class Near:
    """What a user gives: at most so many steps in the order of the values."""

    def __init__(self, steps):
        self.steps = steps


class Nearby(RowConstraint):
    """The whole of a new kind of constraint."""

    kind = "nearby"

    def __str__(self):
        return f"{self.name} may move by {self.value} at most"

    @classmethod
    def read(cls, column: Column, given):
        return cls(column.feature, column.name, given.steps) if isinstance(given, Near) else None

    def allows(self, old, new):
        return abs(new - old) <= self.value


@pytest.fixture
def nearby():
    KINDS.insert(0, Nearby)
    yield
    KINDS.remove(Nearby)


@pytest.mark.usefixtures("nearby")
@pytest.mark.parametrize("seed", range(8))
def test_a_new_kind_of_constraint_is_a_class_and_a_line(seed):
    rng = np.random.default_rng(seed)
    sizes = [5, 4, 3]
    weights = [rng.integers(-9, 10, size).tolist() for size in sizes]
    bias = int(rng.integers(-5, 6))
    c = symcf.compile(symcf.LinearClassifier(weights, bias, features=["a", "b", "c"], tie="positive"))

    def decided(row):
        return sum(weights[j][v] for j, v in enumerate(row)) + bias >= 0

    rows = list(product(*map(range, sizes)))
    for x in rows[::7]:
        near = [row for row in rows if abs(row[0] - x[0]) <= 1 and decided(row) != decided(x)]
        sets = {tuple(j for j in range(3) if row[j] != x[j]) for row in near}
        e = c.explain(list(x), allowed={"a": Near(1)})
        assert e.sets == reference.minimal(sets)
        assert symcf.verify(c, list(x), e)
        assert symcf.Explanation.from_dict(json.loads(e.to_json())).constraints == e.constraints
        (again,) = symcf.fast.explain_batch(c, [list(x)], allowed={"a": Near(1)})
        assert again.sets == e.sets
        if e.blocking:
            assert [str(one) for one in e.blocking] == ["a may move by 1 at most"]
            assert "a may move by 1 at most" in str(e)
    with pytest.raises(symcf.OptionError, match=r"certificate.*a may move by 1 at most"):
        c.explain(list(x), allowed={"a": Near(1)}).certificate()
