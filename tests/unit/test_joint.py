"""Several models at once, margins and widths: each suggested row is given to each model. More:
``python tests/drivers/joint_random.py``.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import joint_random
import numpy as np
import pandas as pd
import pytest
import reference
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer, FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import symcf
import symcf.fast
from symcf.models.joint import DISAGREE

GRID = pd.DataFrame(list(product(range(4), repeat=2)), columns=["income", "debt"])
LINE = 2 * GRID["income"] - GRID["debt"]


@pytest.mark.filterwarnings("ignore")
def test_a_few_of_the_random_lists():
    tally = Counter()
    for seed in range(30):
        joint_random.check(seed, tally)
    assert tally["questions"] == 20


def fitted(labels=("no", "yes")):
    """A linear model, trees and a pipeline; the trees have their columns the other way round."""
    y = np.where(LINE > 2, labels[1], labels[0])
    other = np.where(GRID["income"] > 1, labels[1], labels[0])
    linear = LogisticRegression(C=10).fit(GRID, y)
    trees = GradientBoostingClassifier(n_estimators=3, random_state=0).fit(GRID[["debt", "income"]], other)
    scaled = make_pipeline(StandardScaler(), LogisticRegression()).fit(GRID, other)
    return linear, trees, scaled


def predicted(model, rows):
    return model.predict(rows[list(model.feature_names_in_)])


@pytest.mark.parametrize("labels", [("no", "yes"), (0, 1), (-1, 1), (False, True), (7, 2)])
@pytest.mark.parametrize("which", [(0, 1), (1,), (0, 2), (1, 2, 0)])
def test_all_models_decide_for_the_target(labels, which):
    models = [fitted(labels)[i] for i in which]
    c = symcf.compile(models, data=GRID if which[0] != 1 else GRID[["debt", "income"]])
    decided = np.array([predicted(model, GRID) for model in models])
    same = (decided == decided[0]).all(axis=0)
    assert c.predict(GRID).tolist() == [a if s else DISAGREE for a, s in zip(decided[0].tolist(), same, strict=True)]
    wanted = max(decided[0].tolist())
    good = {tuple(row): bool((of == wanted).all()) for row, of in zip(GRID.to_numpy().tolist(), decided.T, strict=True)}
    for x in GRID.to_dict("records")[::3]:
        old = tuple(x.values())
        if good[old]:
            assert c.explain(pd.DataFrame([x]), target=wanted).at_target
            continue
        e = c.explain(pd.DataFrame([x]), target=wanted)
        domains = [reference.grid(0, 3)] * 2
        expected = reference.Question(
            domains, lambda row: good[tuple(map(int, row))], list(map(Fraction, old)), target=True
        ).change_sets()
        names = [{e.features[j] for j in one} for one in e.sets]
        assert sorted(map(sorted, names)) == sorted(sorted(GRID.columns[j] for j in one) for one in expected)
        for cf in e:
            assert all(predicted(model, pd.DataFrame(cf.row))[0] == wanted for model in models)
            assert cf.prediction == wanted
        assert not symcf.verify(c, pd.DataFrame([x]), e).problems


def test_batches_counts_and_files_agree_with_explain(tmp_path):
    linear, trees, _ = fitted()
    c = symcf.compile([linear, trees], data=GRID)
    c.save(tmp_path / "both.symcf")
    again = symcf.load(tmp_path / "both.symcf")
    rows = GRID[(predicted(linear, GRID) == "no") & (predicted(trees, GRID) == "no")]
    batch = symcf.fast.explain_batch(c, rows)  # the other class of two
    for i, e in enumerate(batch):
        x = rows.iloc[[i]]
        assert e.sets == c.explain(x).sets == again.explain(x, target="yes").sets
        assert c.count(x, target="yes") == len(e.sets)
    e = c.explain(rows.iloc[[0]])
    assert symcf.Explanation.from_dict(e.to_dict()).goal == e.goal


def test_why_is_about_all_models():
    trees = [DecisionTreeClassifier(max_depth=1).fit(GRID, GRID[name] > 1) for name in ("income", "debt")]
    c = symcf.compile(trees, data=GRID)
    assert c.why({"income": 3, "debt": 3}).sets == [(0, 1)]  # both are needed for both to say True
    assert c.why({"income": 0, "debt": 3}, target=True).sets == [(0,)]
    assert sorted(c.why({"income": 0, "debt": 0}, target=True).sets) == [(0,), (1,)]


def test_a_margin_is_one_of_the_score():
    linear, trees, _ = fitted()
    x = GRID.iloc[[0]]
    c = symcf.compile(linear, data=GRID)
    assert c.explain(x, target="yes", margin=2).sets == c.explain(x, target=symcf.at_least(2), of="score").sets
    for cf in symcf.compile([linear, trees], data=GRID).explain(x, target="yes", margin=0.3):
        row = pd.DataFrame(cf.row)
        assert linear.decision_function(row)[0] >= 0.3
        assert trees.decision_function(row[["debt", "income"]])[0] >= 0.3
    down = c.explain(GRID.iloc[[12]], margin=1.5)  # towards the first class
    assert all(linear.decision_function(pd.DataFrame(cf.row))[0] <= -1.5 for cf in down)


def test_every_row_within_the_width_reaches_the_target():
    rng = random.Random(0)
    table = pd.DataFrame(
        {"income": [rng.uniform(0, 10) for _ in range(200)], "debt": [rng.uniform(0, 5) for _ in range(200)]}
    )
    y = (table["income"] - table["debt"] > 4).to_numpy()
    for model in (DecisionTreeClassifier(max_depth=4, random_state=0), LogisticRegression()):
        c = symcf.compile(model.fit(table, y), data=table)
        e = c.explain({"income": 1.0, "debt": 1.0}, target=True, width={"income": 0.7, "debt": 0.2})
        assert e.sets
        for cf in e:
            around = [
                {"income": cf.row["income"] + a, "debt": cf.row["debt"] + b}
                for a in np.linspace(-0.7, 0.7, 29)
                for b in np.linspace(-0.2, 0.2, 9)
            ]
            assert model.predict(pd.DataFrame(around)).all()
        assert not symcf.verify(c, {"income": 1.0, "debt": 1.0}, e).problems


def test_regressors_reach_a_number_together():
    linear = LinearRegression().fit(GRID, LINE)
    tree = DecisionTreeRegressor(max_depth=3).fit(GRID, LINE)
    c = symcf.compile([linear, tree], data=GRID)
    e = c.explain(GRID.iloc[[0]], target=symcf.at_least(3.5))
    assert e.sets
    for cf in e:
        assert min(model.predict(pd.DataFrame(cf.row))[0] for model in (linear, tree)) >= 3.5


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"margin": 0}, "margin must be a number above 0"),
        ({"margin": "much"}, "margin must be a number above 0"),
        ({"target": "yes", "margin": 1, "min_probability": 0.8}, "margin is for a target that is a class"),
        ({"target": "yes", "width": {"incme": 1}}, "incme"),
        ({"target": "yes", "width": {"income": -1}}, "width\\['income'\\] must be a number of at least 0"),
        ({"target": DISAGREE}, "all models should decide for a class"),
        ({}, "the 2 models disagree about this row"),
    ],
)
def test_what_is_wrong_is_said(given, words):
    linear, trees, _ = fitted()
    c = symcf.compile([linear, trees], data=GRID)
    decided = c.predict(GRID)
    row = GRID[decided == DISAGREE].iloc[[0]]
    with pytest.raises(symcf.OptionError, match=words):
        c.explain(row, **given)


def test_lists_that_do_not_fit_are_refused():
    linear, _, _ = fitted()
    other = LogisticRegression().fit(GRID, np.where(LINE > 2, "a", "b"))
    with pytest.raises(symcf.ModelError, match="all models must have the same"):
        symcf.compile([linear, other], data=GRID)
    with pytest.raises(symcf.ModelError, match="at least one"):
        symcf.compile([], data=GRID)
    box = symcf.from_predict(lambda rows: np.where(np.asarray(rows)[:, 0] > 1, "yes", "no"), GRID, max_inputs=1)
    with pytest.raises(symcf.ModelError, match="black box"):
        symcf.compile([symcf.from_model(linear, GRID), box])


@pytest.mark.parametrize(
    ("labels", "estimator"),
    [
        (("low", "mid", "high"), LogisticRegression(C=5)),
        ((3, 1, 2), RidgeClassifier()),
        ((-1, 0, 1), GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0)),
    ],
)
def test_of_more_than_two_classes_a_margin_is_the_lead_over_every_other_score(labels, estimator):
    """All minimal sets, against every row; a list of two models has to lead under both."""
    rows = pd.DataFrame(list(product(range(3), repeat=3)), columns=["a", "b", "c"])
    y = np.array(labels)[(rows.a + rows.b > 1).astype(int) + (rows.b + rows.c > 2)]
    other = clone(estimator).fit(rows, np.array(labels)[(rows.a + rows.c > 1).astype(int) + (rows.b > 1)])
    models = [estimator.fit(rows, y), other]
    for used in (models[:1], models):
        c = symcf.compile(used, data=rows)
        for k, label in enumerate(estimator.classes_.tolist()):
            fine = np.ones(len(rows), dtype=bool)
            for model in used:
                scores = model.decision_function(rows)
                fine &= (scores[:, [k]] - np.delete(scores, k, axis=1) >= 0.6).all(axis=1)
            for i in np.flatnonzero(~fine)[::9]:
                changes = {tuple(np.flatnonzero(row != rows.iloc[i]).tolist()) for row in rows[fine].to_numpy()}
                minimal = [s for s in changes if not any(set(t) < set(s) for t in changes)]
                e = c.explain(rows.iloc[i].to_dict(), target=label, margin=0.6)
                assert e.sets == sorted(minimal, key=lambda s: (len(s), s)), (label, i)
                assert all(fine[(rows == list(cf.row.values())).all(axis=1)].all() for cf in e)
                assert not symcf.verify(c, rows.iloc[i].to_dict(), e).problems


def test_what_has_no_scores_per_class_has_no_margin_of_several_classes():
    y = np.digitize(LINE, [0, 3])
    forest = symcf.compile(RandomForestClassifier(3, max_depth=2, random_state=0).fit(GRID, y), data=GRID)
    with pytest.raises(symcf.OptionError, match="RandomForest with 3 classes has no decision function"):
        forest.explain(GRID.iloc[0], target=2, margin=0.1)
    box = symcf.compile(symcf.from_predict(LogisticRegression().fit(GRID, y), GRID, max_inputs=0))
    with pytest.raises(symcf.OptionError, match="margin is not supported for black-box models of more than two"):
        box.explain(GRID.iloc[0], target=2, margin=0.1)


def test_functions_before_a_sum_are_not_forgotten():
    """The logarithm of a column is not the column: lists and widths once took one for the other."""
    table = pd.DataFrame({"a": np.linspace(0.5, 7, 60), "b": np.tile(np.linspace(0, 2, 10), 6)})
    y = np.where(table["a"] - table["b"] > 3, "high", "low")
    logs = make_pipeline(FunctionTransformer(np.log1p), LogisticRegression(C=100)).fit(table, y)
    x = {"a": 1.0, "b": 1.0}
    for c, question in (
        (symcf.compile([logs, LogisticRegression().fit(table, y)], data=table), {}),
        (symcf.compile(logs, data=table), {"width": {"a": 0.25}}),
    ):
        with pytest.raises(symcf.OptionError, match=r"not supported where steps such as log1p.*'a', 'b'"):
            c.explain(x, target="high", **question)
    for cf in symcf.compile(logs, data=table).explain(x, target="high", margin=1.5):
        assert logs.decision_function(pd.DataFrame([cf.row]))[0] <= -1.5


def test_a_tree_that_cuts_at_0_beside_a_line_of_numbers():
    X = pd.DataFrame({"a": [0, 0, 1, 2, 3, 4] * 5})
    y = (X["a"] > 0).astype(int)
    tree = make_pipeline(Binarizer(threshold=0), DecisionTreeClassifier()).fit(X, y)
    linear = LogisticRegression().fit(X, y)
    for models in ([tree, linear], [linear, tree]):
        decided = symcf.compile(models, data=X).predict(X)
        both = np.where(tree.predict(X) == linear.predict(X), tree.predict(X), -1)
        assert [-1 if one == "models disagree" else one for one in decided] == both.tolist()


@pytest.mark.parametrize("option", [{"minimality": "moves"}, {"select": "all"}])
def test_moves_and_all_values_with_a_width_over_lines_are_refused(option):
    X = pd.DataFrame(list(product(range(5), repeat=2)), columns=["a", "b"])
    c = symcf.compile(LinearRegression().fit(X, X["a"] - X["b"]), data=X)
    with pytest.raises(symcf.OptionError, match="a width over columns of numbers"):
        c.explain({"a": 0, "b": 1}, target=symcf.at_most(-3.4), width={"b": 0.5}, **option)
