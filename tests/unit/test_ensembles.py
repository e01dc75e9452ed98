"""The engine `boxes`: trees that vote, without a diagram."""

from __future__ import annotations

import itertools
import random
import sys

import cases
import deciding
import ensembles_sat
import numpy as np
import oracle
import pytest
import questions
from strategies import LONGER

import symcf
import symcf.fast
from symcf import _core
from symcf.errors import LimitError, OptionError
from symcf.proof.verification.ensembles import Leaves
from symcf.search.box_moves import BoxMoves
from symcf.search.boxes import BoxSearch

datasets = pytest.importorskip("sklearn.datasets")
ensemble = pytest.importorskip("sklearn.ensemble")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["decision tree", "random forest", "boosted trees"])
def test_random_trees_against_the_reference(kind):
    tally = questions.Tally()
    questions.run(0, 40, tally, [kind], engine="boxes")
    assert not tally.failures, "\n".join(tally.failures)
    assert tally.total(tally.refused) < 14


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_all_sets_are_those_of_a_sat_solver(first):
    """Up to twelve columns of eight values: 7 * 10^10 rows."""
    assert sum(ensembles_sat.check(seed) for seed in range(first, first + 10)) > 50


@pytest.mark.slow
def test_what_stands_in_the_way_does_not_depend_on_rows_before():
    """A row found for one question may do for the next, if that allows it."""
    blocked = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 6, (200, 8))
        estimator = ensemble.RandomForestClassifier(20, random_state=seed)
        model = symcf.from_model(estimator.fit(x, x[:, 0] * x[:, 1] > x[:, 2] + 4))
        c = symcf.compile(model)
        for row in x[:12]:
            held = rng.choice(8, rng.integers(0, 8), replace=False).tolist()
            asked = {"max_changes": int(rng.integers(0, 3)), "immutable": held}
            found, fresh = c.explain(row, **asked), symcf.compile(model).explain(row, **asked)
            assert (found.engine, found) == ("boxes", fresh)
            if found.sets:
                continue
            blocked += 1
            if c.explain(row, immutable=held, k=1).sets:
                assert [one.kind for one in found.blocking] == ["max_changes"]
            else:
                assert any(one.kind == "immutable" for one in found.blocking)
    assert blocked > 20


@pytest.fixture(scope="module")
def forest():
    """A hundred trees, a row per class, and the table."""
    x, y = datasets.load_breast_cancer(return_X_y=True, as_frame=True)
    estimator = ensemble.RandomForestClassifier(100, random_state=0).fit(x, y)
    return symcf.compile(symcf.from_sklearn(estimator)), estimator, x


@pytest.mark.slow
def test_a_hundred_trees_answer(forest):
    compiled, _, x = forest
    e = compiled.explain(x.iloc[3], max_changes=2)
    assert (e.engine, e.status, e.complete_up_to) == ("boxes", "complete", 2)
    assert len(e.sets)
    assert symcf.verify(compiled, x.iloc[3], compiled.explain(x.iloc[3], k=2))
    assert symcf.verify(compiled, x.iloc[3], e)
    pairs = {s for s in e.sets if len(s) == 2}
    assert not any(set(single) < set(pair) for single in e.sets for pair in pairs if len(single) == 1)


def test_none_up_to_so_many_changes_is_proved(forest):
    compiled, _, x = forest
    e = compiled.explain(x.iloc[0], max_changes=2)
    assert (len(e.sets), e.status, e.complete_up_to) == (0, "complete", 2)
    assert [c.kind for c in e.blocking] == ["max_changes"]
    assert compiled.count(x.iloc[0], max_changes=3) == 0


def test_a_call_without_limits_ends_and_says_how_far_it_got(forest, monkeypatch):
    compiled, _, x = forest
    for seconds in LONGER:
        monkeypatch.setattr(BoxSearch, "patience", seconds)
        e = compiled.explain(x.iloc[3])
        assert e.status == "time_limit"
        if e.complete_up_to >= 2:
            break
    assert e.complete_up_to >= 2
    sizes = [len(s) for s in e.sets]
    assert sizes == sorted(sizes)
    known = compiled.explain(x.iloc[3], max_changes=e.complete_up_to)
    assert [s for s in e.sets if len(s) <= e.complete_up_to] == list(known.sets)


def test_moves_of_many_trees_end_and_say_so(forest, monkeypatch):
    compiled, _, x = forest
    monkeypatch.setattr(BoxMoves, "patience", 0.3)
    assert compiled.explain(x.iloc[3], minimality="moves").status == "time_limit"
    assert compiled.explain(x.iloc[3], minimality="moves", max_changes=1).status == "complete"
    assert symcf.fast.explain_batch(compiled, x[:2], minimality="moves")[1].status == "time_limit"


def test_time_limits_and_memory_are_kept(forest):
    compiled, _, x = forest
    assert compiled.explain(x.iloc[3], time_limit=0).status == "time_limit"
    with pytest.raises(LimitError, match="all of up to"):
        compiled.count(x.iloc[3], time_limit=0.3)


def test_batches_give_what_single_rows_give(forest):
    compiled, _, x = forest
    rows = x[:12]
    for options in ({"max_changes": 2}, {"k": 2, "max_changes": 3}, {"max_changes": 3, "max_results": 4}):
        batch = symcf.fast.explain_batch(compiled, rows, n_jobs=2, **options)
        for i in range(len(rows)):
            one = compiled.explain(rows.iloc[i], **options)
            assert (batch[i].sets, batch[i].status) == (one.sets, one.status)


def test_batches_of_several_classes_with_a_target_and_directions():
    x, y = datasets.load_wine(return_X_y=True, as_frame=True)
    compiled = symcf.compile(symcf.from_sklearn(ensemble.RandomForestClassifier(40, random_state=0).fit(x, y)))
    options = {"target": 2, "allowed": {"alcohol": "increase"}, "immutable": ["ash"], "max_changes": 2}
    batch = symcf.fast.explain_batch(compiled, x[::12], **options)
    seen = 0
    for i, (_, row) in enumerate(x[::12].iterrows()):
        if batch[i].at_target:
            continue
        one = compiled.explain(row, **options)
        assert batch[i].sets == one.sets
        seen += len(one.sets)
    assert seen


def test_a_row_of_a_batch_has_patience_of_its_own(forest, monkeypatch):
    compiled, _, x = forest
    for seconds in LONGER:
        monkeypatch.setattr("symcf.answers.kernel.PATIENCE", seconds)
        batch = symcf.fast.explain_batch(compiled, x[3:5])
        assert {batch[i].status for i in range(2)} == {"time_limit"}
        if all(len(batch[i].sets) for i in range(2)):
            break
    assert all(len(batch[i].sets) for i in range(2))


def test_the_diagram_gives_the_same():
    x, y = datasets.load_iris(return_X_y=True, as_frame=True)
    compiled = symcf.compile(
        symcf.from_sklearn(ensemble.RandomForestClassifier(12, max_depth=4, random_state=1).fit(x, y))
    )
    for i in range(0, 150, 15):
        for options in (
            {},
            {"target": (y[i] + 1) % 3} if compiled.predict(x.iloc[[i]], codes=True)[0] != (y[i] + 1) % 3 else {},
        ):
            by_trees = compiled.explain(x.iloc[i], engine="boxes", **options)
            by_diagram = compiled.explain(x.iloc[i], engine="diagram", **options)
            assert by_trees.sets == by_diagram.sets
            assert [cf.instance.tolist() for cf in by_trees] == [cf.instance.tolist() for cf in by_diagram]
            reasons = [compiled.why(x.iloc[i], engine=name, **options).sets for name in ("boxes", "diagram")]
            assert reasons[0] == reasons[1]


@pytest.mark.slow
def test_verify_sees_what_is_wrong(forest):
    compiled, _, x = forest
    row = x.iloc[3]
    e = compiled.explain(row, max_changes=2)
    sets = list(e.sets)
    e.sets = sets[1:]
    assert not symcf.verify(compiled, row, e).complete
    other = next(j for j in range(30) if all(j not in s for s in sets))
    e.sets = [*sets, tuple(sorted((*sets[-1], other)))]
    assert not symcf.verify(compiled, row, e)


def test_the_verifier_agrees_with_brute_force():
    rng = np.random.default_rng(0)
    for _ in range(5):
        model = cases.draw(random.Random(int(rng.integers(1 << 30))), "random forest").model
        rule = model.rule()
        decide = lambda row, rule=rule: deciding.decide_codes(rule, row)  # noqa: E731
        n_values = [len(labels) for labels in model.values]
        x = [int(rng.integers(d)) for d in n_values]
        now = decide(tuple(x))
        flips = lambda rows, now=now, decide=decide: np.array([decide(tuple(r)) != now for r in rows.tolist()])  # noqa: E731
        leaves = Leaves(rule, x, now, None, [list(range(d)) for d in n_values], flips)
        minimal = oracle.change_sets(decide, x, n_values)
        for size in range(len(x) + 1):
            for free in itertools.combinations(range(len(x)), size):
                assert leaves.can_flip(free) == any(set(s) <= set(free) for s in minimal)


def test_only_trees_take_the_engine():
    compiled = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    with pytest.raises(OptionError, match="boxes"):
        compiled.explain([0, 0], engine="boxes")


def test_relations_are_conjoined_where_scores_leave_little_room():
    """Which forbid all but equal values, so that all four have to change."""
    tree = {"at_most": 0, "yes": {"scores": [0, 2**55]}, "no": {"scores": [2**55, 0]}}
    compiled = symcf.compile(symcf.RandomForest([{**tree, "feature": name} for name in "abcd"]))
    pairs, triples = (list(itertools.permutations("abcd", size)) for size in (2, 3))
    rules = [symcf.forbid({one: "<= 0", two: "> 0"}) for one, two in pairs]
    rules += [symcf.forbid({one: "<= 0", two: "> 0", three: "<= 0"}) for one, two, three in triples]
    for name in ("boxes", "diagram"):
        assert compiled.explain(dict.fromkeys("abcd", 0), engine=name, constraints=rules).sets == [(0, 1, 2, 3)]


def test_relations_are_conjoined_within_the_time_limit(monkeypatch):
    seconds = []

    class Spy:
        def __getattr__(self, name):
            return getattr(_core, name)

        class Bdd:
            @staticmethod
            def conjoin(diagrams, negate, time_limit=-1, *limits):
                seconds.append(time_limit)
                return _core.Bdd.conjoin(diagrams, negate, time_limit, *limits)

    for name, module in list(sys.modules.items()):
        if name.startswith("symcf.search.") and getattr(module, "_core", None) is _core:
            monkeypatch.setattr(module, "_core", Spy())
    test_relations_are_conjoined_where_scores_leave_little_room()
    assert seconds == [-1.0]
    with symcf.time_limit(1000):
        test_relations_are_conjoined_where_scores_leave_little_room()
    assert 0 < seconds[1] <= 1000


# --- the binding ------------------------------------------------------------------------------------------------------


def arrays(**changed):
    """Two stumps over one feature of three values."""
    parts = {
        "n_values": np.array([3], dtype=np.uint32),
        "start": np.array([0, 3, 6], dtype=np.uint64),
        "feature": np.array([0, -1, -1] * 2, dtype=np.int32),
        "left": np.array([1, -1, -1] * 2, dtype=np.int32),
        "right": np.array([2, -1, -1] * 2, dtype=np.int32),
        "left_start": np.array([0, 0, 0, 0, 0, 0, 3], dtype=np.int64),
        "left_values": np.array([1, 0, 0], dtype=np.uint8),
        "scores": np.array([[0, 0], [0, 1], [1, 0]] * 2, dtype=np.int64),
    }
    return list({**parts, **changed}.values())


def test_nodes_may_share_what_goes_left():
    trees = _core.Ensemble(*arrays(), False)
    assert (trees.n_leaves, trees.n_classes) == (4, 2)
    assert _core.decide(trees, np.array([[0], [1], [2]], dtype=np.int64)).tolist() == [1, 0, 0]
    search = _core.TreeSearch(trees, _core.Query(np.array([0], dtype=np.uint32)), 1, 0)
    assert [part.to_list() if isinstance(part, _core.Sets) else part for part in search.next(9)] == [[(0,)], "complete"]
    assert search.complete_up_to is None


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("left_values", np.array([2, 0, 0], dtype=np.uint8)),
        ("left", np.array([0, -1, -1] * 2, dtype=np.int32)),
        ("feature", np.array([1, -1, -1] * 2, dtype=np.int32)),
        ("left_start", np.array([1, 0, 0, 0, 0, 0, 3], dtype=np.int64)),
        ("scores", np.zeros((5, 2), dtype=np.int64)),
        ("scores", np.zeros((6, 1), dtype=np.int64)),
    ],
)
def test_what_is_not_a_tree_is_refused(part, value):
    with pytest.raises(ValueError, match="tree"):
        _core.Ensemble(*arrays(**{part: value}), False)


def test_scores_that_are_too_large_are_refused():
    with pytest.raises(OverflowError):
        _core.Ensemble(*arrays(scores=np.full((6, 2), [0, 1 << 61], dtype=np.int64)), False)


def test_patience_is_documented():
    assert BoxSearch.patience == 10.0
    assert "10 seconds" in symcf.compiled.Compiled.explain.__doc__
