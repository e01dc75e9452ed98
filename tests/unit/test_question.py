"""One question: every keyword means the same to whatever answers questions."""

import numpy as np
import pandas as pd
import pytest

import symcf
import symcf.fast
from symcf.question.case import case_of
from symcf.question.question import Keywords, Question
from symcf.system.classifier import KEPT_QUESTIONS

N = 5


@pytest.fixture(scope="module")
def c():
    """Three classes and three values each, so that every keyword has something to say."""
    rng = np.random.default_rng(8)
    names = [f"x{j}" for j in range(N)]
    tables = list(rng.dirichlet(np.ones(3), (N, 3)))
    classes = ["low", "middle", "high"]
    model = symcf.NaiveBayes(np.full(3, 1 / 3), tables, features=names, classes=classes, ordered=True)
    return symcf.compile(model, plausibility=rng.integers(0, 3, (40, N)))


@pytest.fixture(scope="module")
def x(c):
    """An instance with counterfactuals of several sizes, and many, on which all keywords below make a difference."""
    rows = np.random.default_rng(9).integers(0, 3, (60, N)).tolist()
    return max(rows, key=lambda row: (len(set(map(len, c.explain(row).sets))), c.count(row)))


def present(c, x):
    return c.predict([x])[0]


def keyword(name, c, x):
    return {
        "target": next(k for k in c.classes if k != present(c, x)),
        "immutable": [c.explain(x).sets[0][0]],
        "allowed": {f"x{j}": [] for j in c.explain(x).sets[0]},
        "cost": {f"x{j}": 9 for j in c.explain(x).sets[0]},
        "max_changes": min(map(len, c.explain(x).sets)),
        "constraints": [f"x{j} = {x[j]}" for j in c.explain(x).sets[0]],
        "min_plausibility": 0.6,
        "minimality": "moves",
        "scale": {f"x{j}": 0.1 if j in c.explain(x).sets[0] else 3 for j in range(N)},
        "data": [[0] * N, [1 if j in c.explain(x).sets[0] else 2 for j in range(N)]],
    }[name]


def asked(name, c, x):
    """The keyword, and what it needs."""
    needs = {"scale": {"cost": "distance"}, "data": {"cost": "distance", "scale": "range"}}
    return {name: keyword(name, c, x), **needs.get(name, {})}


#: The change sets that a call speaks of, as far as it tells.
CALLS = {
    "explain": lambda c, x, **q: set(c.explain(x, **q).sets),
    "explain sat": lambda c, x, **q: set(c.explain(x, engine="sat", **q).sets),
    "iter_counterfactuals": lambda c, x, **q: {cf.features for cf in c.iter_counterfactuals(x, **q)},
    "sample": lambda c, x, **q: {cf.features for cf in c.sample(x, 600, random_state=1, **q)},
    "explain_batch": lambda c, x, **q: set(symcf.fast.explain_batch(c, np.array([x]), **q)[0].sets),
}
COUNTS = {
    "count": lambda c, x, **q: c.count(x, **q),
    "count_bounds": lambda c, x, **q: c.count_bounds(x, **q)[0],
    "count_bounds above": lambda c, x, **q: c.count_bounds(x, **q)[1],
}


#: Those that change the answer; `resolution` rounds its numbers, see test_raw_rows.py. Probabilities and scores of more
#: than two classes are not supported: see test_goals.py and test_joint.py.
CHANGING = sorted(set(Keywords.__annotations__) - {"resolution", "min_probability", "of", "margin", "width"})


def test_every_keyword_is_tested(c, x):
    for name in CHANGING:
        assert keyword(name, c, x) is not None


@pytest.mark.parametrize("name", CHANGING)
def test_a_keyword_reaches_whoever_answers(c, x, name):
    given = asked(name, c, x)
    e = c.explain(x, **given)
    assert symcf.verify(c, x, e)
    assert e.sets, "there is something to compare"
    assert e.sets != c.explain(x).sets, "the keyword makes a difference"
    for call in CALLS.values():
        assert call(c, x, **given) == set(e.sets)
    for call in COUNTS.values():
        assert call(c, x, **given) == len(e.sets)
    batch = symcf.fast.explain_batch(c, np.array([x]), **given)[0]
    assert (batch.sets, [cf.cost for cf in batch]) == (e.sets, [cf.cost for cf in e])


@pytest.mark.parametrize("name", sorted(set(CHANGING) - {"scale", "data", "minimality"}))
def test_a_keyword_reaches_the_clauses(c, x, name):
    given = asked(name, c, x)
    problem = c.wcnf(x, **given)
    cost = c.explain(x, k=1, **given)[0].cost
    assert least_cost(problem) == pytest.approx(cost)


@pytest.mark.parametrize("most", range(5))
def test_a_maxsat_problem_knows_the_most_changes(c, x, most):
    """Its correction subsets are the change sets of at most so many features."""
    from pysat.examples.lbx import LBX

    with LBX(c.wcnf(x, max_changes=most).to_pysat(), use_cld=True) as enumerator:
        found = 0
        while subset := enumerator.compute():
            enumerator.block(subset)
            found += 1
    assert found == len(c.explain(x, max_changes=most).sets)


def least_cost(problem):
    from pysat.examples.rc2 import RC2

    with RC2(problem.to_pysat()) as optimizer:
        optimizer.compute()
        return optimizer.cost


@pytest.mark.parametrize("call", [*CALLS, *COUNTS, "wcnf"])
@pytest.mark.parametrize("name", ["tagret", "imutable", "values_"])
def test_a_keyword_that_is_none_is_named_with_those_there_are(c, x, call, name):
    ask = {**CALLS, **COUNTS, "wcnf": lambda c, x, **q: c.wcnf(x, **q)}[call]
    with pytest.raises(TypeError) as error:
        ask(c, x, **{name: None})
    assert repr(name) in str(error.value)
    for known in Keywords.__annotations__:
        assert known in str(error.value)


# --- questions and cases ----------------------------------------------------------------------------------------------


def test_a_question_is_in_codes(c):
    question = Question.checked(c, target="high", immutable=["x1"], max_changes=2)
    assert (question.target, question.any_other, question.relations) == (2, False, None)
    assert question.constraints.max_changes == 2
    assert question.classifier is c
    assert Question.checked(c).any_other


def test_relations_may_need_values_told_apart(c):
    question = Question.checked(c, constraints="x0 = 1 -> x1 != 2")
    assert question.relations is not None
    assert len(question.relations) == 1
    for nothing in (None, (), []):
        assert Question.checked(c, constraints=nothing).relations is None


def test_a_case_knows_its_row(c, x):
    case = case_of(Question.checked(c), c.encoder.read_one(x))
    assert case.x == x
    assert c.classes[case.prediction] == present(c, x)
    assert case.target is None
    target = keyword("target", c, x)
    assert case_of(Question.checked(c, target=target), c.encoder.read_one(x)).target == c.classes.index(target)


def test_the_target_must_be_another_class(c, x):
    already = present(c, x)
    with pytest.raises(symcf.OptionError, match=f"the instance already is '{already}'"):
        case_of(Question.checked(c, target=already), c.encoder.read_one(x))


def test_two_classes_have_one_target():
    two = symcf.compile(symcf.LinearClassifier([[0, 1], [0, 1]], -1))
    assert case_of(Question.checked(two), two.encoder.read_one([0, 0])).target == 1
    assert Question.checked(two, target=1).any_other


def test_a_question_without_keywords_is_checked_once_per_classifier(monkeypatch):
    two = symcf.compile(symcf.LinearClassifier([[0, 2], [0, 2]], -1))
    checked, seen = Question.checked, []

    def counted(classifier, **keywords):
        seen.append(keywords)
        return checked(classifier, **keywords)

    monkeypatch.setattr(Question, "checked", counted)
    assert two.explain([0, 0]).sets == [(0,), (1,)]
    assert two.explain([1, 0]).sets == [(0,)]
    assert two.explain([0, 1]).sets == [(1,)]
    assert two.explain([0, 0], immutable=[0]).sets == [(1,)]
    assert two.explain([0, 0]).sets == [(0,), (1,)]
    assert seen == [{}, {"ranked": False, "immutable": [0]}]


def test_keywords_are_checked_once(monkeypatch):
    """Until they change: types count, and what may change without notice is read each time."""
    c = symcf.compile(symcf.LinearClassifier([[0, 0, 2], [0, 2, 2]], -1, values=[["a", "b", "c"], [1, 2, 3]]))
    checked, check = [], Question.checked.__func__

    def counting(cls, *arguments, **keywords):
        checked.append(keywords)
        return check(cls, *arguments, **keywords)

    monkeypatch.setattr(Question, "checked", classmethod(counting))

    def sets(**keywords):
        checked.clear()
        return c.explain([0, 0], **keywords).sets, len(checked)

    assert sets() == ([(0,), (1,)], 1)
    assert sets() == ([(0,), (1,)], 0)
    allowed = {"x0": ["b"]}  # not enough
    assert sets(allowed=allowed) == ([(1,)], 1)
    assert sets(allowed=dict(allowed)) == ([(1,)], 0)
    allowed["x0"].append("c")
    assert sets(allowed=allowed) == ([(0,), (1,)], 1)
    assert sets(max_changes=1) == ([(0,), (1,)], 1)
    with pytest.raises(symcf.OptionError, match="max_changes"):
        sets(max_changes=True)
    fixed = np.array([0])
    assert sets(immutable=fixed) == ([(1,)], 1)
    fixed[0] = 1
    assert sets(immutable=fixed) == ([(0,)], 1)
    assert sets(k=1, max_changes=1) == ([(0,)], 1)  # where the cheapest are asked for, minimality may be another


def test_many_questions_are_not_kept():
    c = symcf.compile(symcf.LinearClassifier([1] * 20, -2))
    for most in range(20):
        c.explain([0] * 20, max_changes=most)
    assert len(c.asked) == KEPT_QUESTIONS


def test_rows_of_codes_are_no_rows_of_columns():
    """The twin that takes codes keeps its own questions."""
    data = pd.DataFrame({"a": ["x", "y", "z"] * 4, "b": [0.0, 1.0, 2.0, 3.0] * 3})
    c = symcf.compile(symcf.from_predict(lambda rows: (rows["b"] > 1).to_numpy().astype(int), data))
    twin = c.of_codes()
    assert c.explain(data.iloc[0]).sets == twin.explain(c.codes(data)[0]).sets == c.explain(data.iloc[0]).sets
    assert twin is c.of_codes()
    assert twin is twin.of_codes()
