"""Group recourse: actions are applied to raw rows by hand, decided by the estimator, and all choices are tried. More:
``python tests/drivers/group_recourse_random.py``.
"""

import itertools
from collections import Counter

import group_recourse_random
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import symcf


def people(n=60, seed=0, whole=True):
    rng = np.random.default_rng(seed)
    income = rng.integers(10, 80, n) if whole else rng.normal(40, 15, n).round(2)
    table = pd.DataFrame({"income": income, "debt": rng.integers(0, 40, n), "years": rng.integers(0, 12, n)})
    score = table.income - table.debt + 3 * table.years + rng.normal(0, 6, n)
    return table, np.where(score > np.median(score), "yes", "no")


def rejected(model, table):
    return table[model.predict(table) == "no"]


MODELS = {
    "tree": lambda: DecisionTreeClassifier(max_depth=4, random_state=0),
    "forest": lambda: RandomForestClassifier(8, max_depth=3, random_state=0),
    "linear": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
}


def fitted(kind, **options):
    table, labels = people(**options)
    model = MODELS[kind]().fit(table, labels)
    return model, table, symcf.compile(model, data=table)


def seen(kind, table):
    """Columns that are added up stay within what the data has; trees suggest any number."""

    def allowed(old, new):
        inside = (new >= table.min()) & (new <= table.max())
        return kind != "linear" or bool((inside | (old == new)).all())

    return allowed


def by_hand(model, rows, action, allowed):
    """Whom an action helps, on raw rows and by the estimator's own predict."""
    after = rows.copy()
    for step in action.steps:
        after[step.name] = after[step.name] + (int(step.add) if rows[step.name].dtype.kind == "i" else step.add)
    permitted = [allowed(old, new) for (_, old), (_, new) in zip(rows.iterrows(), after.iterrows(), strict=True)]
    return (model.predict(after) == "yes") & np.array(permitted, dtype=bool)


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("whole", [True, False])
def test_actions_help_whom_they_are_said_to_help(kind, whole):
    model, table, c = fitted(kind, whole=whole)
    rows = rejected(model, table)
    for options in ({"actions": 1}, {"actions": 2}, {"coverage": 0.8}):
        found = symcf.group_recourse(c, rows, **options)
        assert found.target == "yes"
        for action, helps in zip(found.actions, found.helps, strict=True):
            np.testing.assert_array_equal(helps, by_hand(model, rows, action, seen(kind, table)))
        assert found.n_helped == found.helps.any(axis=0).sum() > 0
        frame = found.to_frame()
        assert list(frame.columns) == list(rows.columns)
        assert (frame.dtypes == rows.dtypes).all()
        assert len(frame) == found.n_helped
        assert set(model.predict(frame)) == {"yes"}


@pytest.mark.parametrize("kind", ["tree", "linear"])
def test_no_choice_among_the_candidates_is_better(kind):
    model, table, c = fitted(kind, n=40, seed=3)
    rows = rejected(model, table)
    everything = symcf.group_recourse(c, rows, actions=1000, per_row=2)
    candidates = [cf for e in c.explain_batch(rows, k=2, max_changes=2, target="yes") for cf in e]
    assert everything.candidates <= len(candidates)
    # every candidate by hand: its own numbers, rounded up to two digits
    actions = set()
    for cf in candidates:
        steps = []
        for change in cf.changes:
            step = abs(change.new - change.old)
            unit = 10 ** max(0, int(np.floor(np.log10(step))) - 1)
            steps.append((change.name, int(np.sign(change.new - change.old) * -(-step // unit) * unit)))
        actions.add(tuple(steps))
    helped = []
    for steps in actions:
        after = rows.copy()
        for name, add in steps:
            after[name] = after[name] + add
        pairs = zip(rows.iterrows(), after.iterrows(), strict=True)
        permitted = np.array([seen(kind, table)(old, new) for (_, old), (_, new) in pairs])
        helped.append(permitted & (model.predict(after) == "yes"))
    helped = [line for line in helped if line.any()]
    assert everything.candidates == len(helped)
    for most in (1, 2):
        best = max(np.logical_or.reduce(choice).sum() for choice in itertools.combinations(helped, most))
        found = symcf.group_recourse(c, rows, actions=most, per_row=2)
        assert found.optimal
        assert found.gap == 0
        assert found.n_helped == found.bound == best
        assert found.greedy[1] <= best
    for share in (0.3, 0.6, 0.9):
        needed = -(-int(share * 1000) * len(rows) // 1000)
        fewest = next(
            (
                size
                for size in range(1, 4)
                if any(np.logical_or.reduce(choice).sum() >= needed for choice in itertools.combinations(helped, size))
            ),
            None,
        )
        found = symcf.group_recourse(c, rows, coverage=share, per_row=2)
        assert found.reached == (np.logical_or.reduce(helped).sum() >= needed)
        if fewest is not None:
            assert found.optimal
            assert len(found.actions) == fewest


def test_what_the_question_forbids_helps_no_one():
    model, table, c = fitted("linear")
    rows = rejected(model, table)
    found = symcf.group_recourse(
        c, rows, actions=2, immutable=["years"], allowed={"income": [0, 70], "debt": "decrease"}
    )
    assert found.actions
    for action, helps in zip(found.actions, found.helps, strict=True):
        assert "years" not in {step.name for step in action.steps}

        def allowed(old, new):
            changed = old.income != new.income
            return seen("linear", table)(old, new) and not (changed and new.income > 70) and new.debt <= old.debt

        np.testing.assert_array_equal(helps, by_hand(model, rows, action, allowed))
    model, table, c = fitted("forest")
    rows = rejected(model, table)
    bounded = symcf.group_recourse(c, rows, actions=2, allowed={"debt": [5, 40]}).to_frame()
    moved = bounded.debt != rows.debt[bounded.index]
    assert (bounded.debt[moved] >= 5).all()


def test_labels_groups_and_rows_at_the_target():
    model = symcf.NaiveBayes.binary(
        0.3, [0.9, 0.8, 0.7], [0.2, 0.3, 0.4], features=["job", "home", "sex"], classes=["declined", "approved"]
    )
    c = symcf.compile(model)
    rows = [list(row) for row in itertools.product([0, 1], repeat=3)]
    with pytest.raises(symcf.OptionError, match="name the target"):
        symcf.group_recourse(c, rows, actions=1)
    found = symcf.group_recourse(c, rows, actions=1, target="approved", immutable=["sex"], groups="sex")
    decided = c.predict(rows) == "approved"
    np.testing.assert_array_equal(found.at_target, decided)
    assert found.n_rows == (~decided).sum()
    assert sum(n for n, _ in found.groups.values()) == found.n_rows
    assert sum(helped for _, helped in found.groups.values()) == found.n_helped
    assert set(found.groups) == {0, 1}
    assert "sex" not in str(found.actions[0])
    assert found.to_pandas().helped.sum() == found.n_helped
    assert found.to_dict()["helped"] == found.n_helped
    (action,) = found.actions
    for i, row in enumerate(rows):
        after = list(row)
        for step in action.steps:
            after[step.feature] = step.value
        assert found.helps[0, i] == (not decided[i] and c.predict([after])[0] == "approved")


@pytest.mark.parametrize("kind", ["linear", "Gaussian"])
def test_three_classes_over_numbers(kind):
    table, _ = people(12)
    labels = np.array(["low", "middle", "high"])[np.digitize(table.income - table.debt, [10, 35])]
    model = (GaussianNB() if kind == "Gaussian" else MODELS[kind]()).fit(table, labels)
    c, rows = symcf.compile(model, data=table), table[model.predict(table) != "high"]
    found = symcf.group_recourse(c, rows, actions=2, target="high")
    assert found.optimal
    assert found.n_helped > 0
    assert set(model.predict(found.to_frame())) == {"high"}


@pytest.mark.filterwarnings("ignore")
def test_a_few_of_the_random_groups():
    tally = Counter()
    for seed in range(16):
        group_recourse_random.check(seed, tally)
    assert tally["questions"] == 16
    assert tally["several actions"]


def test_nobody_to_help_and_nobody_helped():
    c = symcf.compile(symcf.NaiveBayes.binary(0.3, [0.9, 0.8], [0.2, 0.3]))
    one = [[1, 1]]
    assert c.predict(one)[0] == 1
    found = symcf.group_recourse(c, one, actions=1, target=1)
    assert (found.n_rows, found.actions, found.coverage) == (0, (), 1.0)
    locked = symcf.group_recourse(c, [[0, 0]], coverage=0.5, target=1, immutable=[0, 1])
    assert (locked.n_helped, locked.reached, locked.actions) == (0, False, ())
    assert "cannot be reached" in str(locked)


def test_a_time_limit_gives_the_best_so_far():
    model, table, c = fitted("forest", n=200)
    found = symcf.group_recourse(c, rejected(model, table), actions=2, time_limit=0.001)
    assert found.n_helped <= found.bound


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({}, "either actions"),
        ({"actions": 1, "coverage": 0.5}, "either actions"),
        ({"actions": 0}, "actions"),
        ({"coverage": 0}, "coverage"),
        ({"coverage": 90}, "coverage"),
        ({"coverage": "most"}, "coverage"),
        ({"coverage": True}, "coverage"),
        ({"actions": 1, "per_row": 0}, "per_row"),
        ({"actions": 1, "digits": 0}, "digits"),
        ({"actions": 1, "target": "maybe"}, "target"),
        ({"actions": 1, "groups": ["a"]}, "groups"),
        ({"actions": 1, "constraints": ["debt <= income"]}, "compare numbers"),
        ({"actions": 1, "time_limit": -1}, "time_limit"),
    ],
)
def test_bad_input(options, named):
    model, table, c = fitted("tree")
    with pytest.raises(symcf.OptionError, match=named):
        symcf.group_recourse(c, rejected(model, table), **options)
    with pytest.raises(TypeError, match=r"symcf\.compile"):
        symcf.group_recourse(model, table, actions=1)


def test_a_regressor_and_a_probability():
    table, labels = people()
    price = table.income * 2.0 - table.debt + table.years
    model = DecisionTreeRegressor(max_depth=5, random_state=0).fit(table, price)
    found = symcf.group_recourse(symcf.compile(model, data=table), table, actions=2, target=symcf.at_least(100))
    assert found.target == "at least 100"
    np.testing.assert_array_equal(found.at_target, model.predict(table) >= 100)
    assert found.n_helped > 0
    assert (model.predict(found.to_frame()) >= 100).all()
    forest = MODELS["forest"]().fit(table, labels)
    c = symcf.compile(forest, data=table)
    sure = symcf.group_recourse(c, table, actions=2, target="yes", min_probability=0.8)
    assert sure.n_helped > 0
    assert (forest.predict_proba(sure.to_frame())[:, 1] >= 0.8).all()
