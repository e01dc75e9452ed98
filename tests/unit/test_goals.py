"""Targets that are numbers: probabilities, scores, predictions of regressors."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from command_line import error, output
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import symcf
import symcf.fast
from symcf.demo import admission
from symcf.models.goals import NumberGoal

X = [0, 0, 1, 0]


@pytest.fixture(scope="module")
def c():
    return symcf.compile(admission())


@pytest.fixture(scope="module")
def houses():
    rng = np.random.default_rng(3)
    n = 120
    table = pd.DataFrame(
        {"area": rng.integers(30, 200, n), "rooms": rng.integers(1, 7, n), "age": rng.normal(40, 15, n).round(1)}
    )
    price = 1500.0 * table["area"] + 9000 * table["rooms"] - 800 * table["age"] + rng.normal(0, 5000, n)
    return table, price


@pytest.mark.parametrize(
    "regressor",
    [
        RandomForestRegressor(4, max_depth=3, random_state=0),
        GradientBoostingRegressor(n_estimators=5, max_depth=2, random_state=0),
        HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=5),
        LinearRegression(),
    ],
    ids=lambda regressor: type(regressor).__name__,
)
def test_a_bound_beyond_what_the_model_predicts_excludes_no_row(houses, regressor):
    """The rows with the largest and the smallest prediction are within wider bounds, too."""
    table, price = houses
    regressor.fit(table, price)
    c = symcf.compile(regressor, data=table)
    predicted = regressor.predict(table)
    width = float(np.ptp(predicted))
    middle = float(np.median(predicted)) + width / 1000
    assert np.abs(predicted - middle).min() > width / 10_000  # no row is as close to it as the rounding
    low, high = float(predicted.min()) - 9 * width, float(predicted.max()) + 9 * width
    for target in (symcf.between(middle, high), symcf.between(low, middle), symcf.at_most(high), symcf.at_least(low)):
        reached = c.reaching(target).predict(table) == str(target)
        expected = (predicted >= (target.low or low)) & (predicted <= (target.high or high))
        assert reached.tolist() == expected.tolist()


# --- probabilities ----------------------------------------------------------------------------------------------------


def test_a_probability_asks_for_more_than_the_class(c):
    """The paper's running example: {2} leads to 90.57 %, {1, 2} to 97.32 %, features from 1."""
    assert c.explain(X, target="admitted").sets == [(1,), (0, 3)]
    assert c.explain(X, target="admitted", min_probability=0.9).sets == [(1,)]
    more = c.explain(X, target="admitted", min_probability=0.95)
    assert more.sets == [(0, 1), (1, 3)]
    assert [round(cf.probability, 4) for cf in more] == [0.9732, 0.989]
    assert {cf.prediction for cf in more} == {"admitted"}
    assert all(cf.reached == cf.probability for cf in more)
    assert more.reached == more.probability == pytest.approx(0.0426, abs=1e-4)
    assert str(more).startswith("decided less than 95% admitted (4.26%); it would be at least 95% admitted with:")


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5])
def test_a_low_probability_still_asks_for_the_class(c, share):
    assert c.explain(X, target="admitted", min_probability=share).sets == c.explain(X).sets


def test_every_call_takes_it(c):
    asked = {"target": "admitted", "min_probability": 0.95}
    e = c.explain(X, **asked)
    assert c.count(X, **asked) == len(e) == c.count_bounds(X, **asked)[0]
    assert {cf.features for cf in c.iter_counterfactuals(X, **asked)} == set(e.sets)
    assert {cf.features for cf in c.sample(X, 50, random_state=1, **asked)} == set(e.sets)
    assert [b.sets for b in symcf.fast.explain_batch(c, [X, [1, 1, 1, 1]], **asked)] == [e.sets, []]
    assert symcf.fast.explain_batch(c, [X, [1, 1, 1, 1]], **asked)[1].at_target
    why = c.why(X, **asked)
    assert why.sets == symcf.fast.why_batch(c, [X], **asked)[0].sets
    assert c.count_why(X, **asked) == len(why)
    assert symcf.verify(c, X, e)
    assert symcf.verify(c, X, why)
    assert c.robustness(X, **asked).changes == 2
    assert c.attribute(X, **asked).label == "less than 95% admitted"
    again = symcf.Explanation.from_dict(e.to_dict())
    assert (again.goal, again.reached) == (NumberGoal("probability", 0.95, None, "admitted"), e.reached)
    assert [(cf.score, cf.prediction, cf.reached) for cf in again] == [
        (cf.score, cf.prediction, cf.reached) for cf in e
    ]
    assert symcf.verify(c, X, again)
    reasons = symcf.Reasons.from_dict(why.to_dict())
    assert reasons.goal == why.goal
    proof = e.certificate()
    assert symcf.check(proof, c.reaching(**asked), row=X)
    assert not symcf.check(proof, c)


def test_a_row_that_is_there_is_told(c):
    asked = {"target": "admitted", "min_probability": 0.9}
    assert c.explain([1, 1, 1, 1], **asked).at_target
    assert c.why([1, 1, 1, 1], **asked).at_target
    with pytest.raises(symcf.OptionError, match="the instance already is 'at least 90% admitted'"):
        c.wcnf([1, 1, 1, 1], **asked)


def test_verify_notices_a_row_that_falls_short(c):
    """What leads to 90.57 % is no answer to 95 %."""
    less, more = (c.explain(X, target="admitted", min_probability=p).to_dict() for p in (0.9, 0.95))
    assert not symcf.verify(c, X, symcf.Explanation.from_dict({**less, "goal": more["goal"]}))


def test_forests_of_several_classes(houses):
    table, price = houses
    labels = pd.cut(price, 3, labels=["low", "middle", "high"]).astype(str)
    forest = RandomForestClassifier(5, max_depth=4, random_state=0).fit(table, labels)
    tree = DecisionTreeClassifier(max_depth=3, min_samples_leaf=9, random_state=0).fit(table, labels)
    for model in (forest, tree):
        c = symcf.compile(model, table)
        place = list(model.classes_).index("high")
        for share in (0.35, 0.5, 0.8):
            found = 0
            for i in range(10):
                row = table.iloc[[i]]
                probability, decided = model.predict_proba(row)[0][place], model.predict(row)[0]
                if decided == "high" and probability >= share:
                    continue
                for cf in c.explain(row.iloc[0], target="high", min_probability=share):
                    new = pd.DataFrame([cf.row])[table.columns]
                    assert model.predict(new)[0] == "high" == cf.prediction
                    assert model.predict_proba(new)[0][place] >= share
                    assert cf.probability == pytest.approx(model.predict_proba(new)[0][place])
                    found += 1
            assert found


# --- numbers ----------------------------------------------------------------------------------------------------------

REGRESSORS = {
    "linear": LinearRegression(),
    "ridge": make_pipeline(StandardScaler(), Ridge()),
    "lasso": Lasso(alpha=5.0),
    "elastic net": ElasticNet(alpha=0.01),
    "bins": make_pipeline(KBinsDiscretizer(4, quantile_method="averaged_inverted_cdf"), LinearRegression()),
    "tree": DecisionTreeRegressor(max_depth=4, random_state=0),
    "forest": RandomForestRegressor(5, max_depth=4, random_state=0),
    "extra trees": ExtraTreesRegressor(5, max_depth=4, random_state=0),
    "boosting": GradientBoostingRegressor(n_estimators=8, random_state=0),
    "histograms": HistGradientBoostingRegressor(max_iter=8),
    "log": TransformedTargetRegressor(
        make_pipeline(StandardScaler(), Ridge()), func=np.log1p, inverse_func=np.expm1, check_inverse=False
    ),
    "scaled target": TransformedTargetRegressor(
        RandomForestRegressor(3, max_depth=3, random_state=0), transformer=StandardScaler()
    ),
    "search": GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=3),
}


@pytest.mark.parametrize("kind", REGRESSORS)
def test_regressors_reach_what_is_asked(houses, kind):
    table, price = houses
    price = price.clip(lower=0) if kind == "log" else price
    model = REGRESSORS[kind].fit(table, price)
    c = symcf.compile(model, table)
    predicted = model.predict(table)
    assert c.predict(table) == pytest.approx(predicted, rel=1e-9)
    assert c.classes == ()
    middle, upper = np.quantile(predicted, [0.5, 0.75]).tolist()
    found = 0
    for target in (symcf.at_least(upper), symcf.at_most(middle), symcf.between(middle, upper)):
        low, high = -np.inf if target.low is None else target.low, np.inf if target.high is None else target.high
        batch = c.explain_batch(table.iloc[:6], target=target, max_changes=2)
        for i, number in enumerate(predicted[:6].tolist()):
            row = table.iloc[i]
            assert batch[i].reached == pytest.approx(number)
            if low <= number <= high:
                assert batch[i].at_target or min(abs(number - low), abs(number - high)) < 1e-6
                continue
            e = c.explain(row, target=target, max_changes=2)
            assert e.sets == batch[i].sets
            report = symcf.verify(c, row, e)
            assert all(answer is not False for answer in (report.valid, report.minimal, report.complete, report.honest))
            for cf in e:
                new = model.predict(pd.DataFrame([cf.row])[table.columns])[0]
                assert low <= new <= high
                assert cf.prediction == cf.score == cf.reached == pytest.approx(new)
                found += 1
    assert found


@pytest.mark.parametrize("kind", ["linear", "bins", "tree", "forest", "boosting", "histograms", "log"])
def test_numbers_below_zero_are_numbers(houses, kind):
    """Zero, which is where a classifier decides, is no bound of a regressor."""
    table, price = houses
    lower = -np.log(price.clip(lower=1) + 10) if kind == "log" else price - 400_000
    model = (REGRESSORS["ridge"] if kind == "log" else REGRESSORS[kind]).fit(table, lower)
    c = symcf.compile(model, table)
    predicted = model.predict(table)
    values = np.unique(predicted)
    low, high = ((values[int(share * len(values))] + values[int(share * len(values)) + 1]) / 2 for share in (0.4, 0.6))
    for target in (symcf.at_least(high), symcf.at_most(low), symcf.between(low, high)):
        held = (predicted >= (target.low or -np.inf)) & (predicted <= (target.high or np.inf))
        batch = c.explain_batch(table, target=target, max_changes=1)
        assert [e.at_target for e in batch] == held.tolist()


def test_exact_numbers_are_reached_exactly():
    """Leaves that are whole numbers, and sums of halves: the bound itself is enough."""
    rows = np.array([[a, b] for a in range(4) for b in range(4)], dtype=float)
    y = rows[:, 0] + 4 * rows[:, 1]
    tree = DecisionTreeRegressor().fit(rows, y)
    c = symcf.compile(tree)
    for value in y.tolist():
        for i, row in enumerate(rows.tolist()):
            if y[i] >= value:
                assert c.explain(row, target=symcf.at_least(value)).at_target
            else:
                assert c.explain(row, target=symcf.between(value, value)).sets
    forest = RandomForestRegressor(4, bootstrap=False, random_state=0).fit(rows, y)
    c = symcf.compile(forest)
    assert all(cf.prediction == 15 for cf in c.explain([0, 0], target=symcf.at_least(15)))
    assert c.explain([0, 0], target=symcf.at_least(15)).sets == [(0, 1)]


def test_why_is_the_price_below(houses):
    table, price = houses
    c = symcf.compile(RandomForestRegressor(5, max_depth=3, random_state=0).fit(table, price), table)
    row = table.iloc[int(np.argmin(price))]
    r = c.why(row, target=symcf.at_least(200_000))
    assert str(r).startswith(f"decided below 200,000 ({r.reached:,.6g})")
    e = c.explain(row, target=symcf.at_least(200_000))
    assert all(set(reason) & set(change) for reason in r.sets for change in e.sets)
    assert e.sentences()[0] == "Below 200,000."


def test_scores_of_classifiers(houses):
    table, price = houses
    model = LogisticRegression().fit(table[["rooms", "age"]], price > 150_000)
    c = symcf.compile(model, table[["rooms", "age"]])
    row = table[["rooms", "age"]].iloc[int(np.argmin(model.decision_function(table[["rooms", "age"]])))]
    e = c.explain(row, target=symcf.at_least(0.25), of="score")
    assert e.sets
    for cf in e:
        new = pd.DataFrame([cf.row])[["rooms", "age"]]
        assert model.decision_function(new)[0] >= 0.25
        assert cf.score == cf.reached == pytest.approx(model.decision_function(new)[0])
        assert cf.prediction is True
    assert e.classes == ("score below 0.25", "score at least 0.25")


def test_options_work_with_it(houses):
    table, price = houses
    c = symcf.compile(
        RandomForestRegressor(5, max_depth=4, random_state=0).fit(table, price), table, plausibility=table
    )
    row = table.iloc[int(np.argmin(price))]
    target = symcf.at_least(150_000)
    every = c.explain(row, target=target)
    assert set(c.explain(row, target=target, immutable=["age"]).sets) == {s for s in every.sets if 2 not in s}
    for options in (
        {"constraints": ["rooms <= 3"]},
        {"allowed": {"area": "increase"}},
        {"cost": "distance", "data": table, "k": 2},
        {"min_plausibility": 0.05},
        {"minimality": "moves"},
    ):
        e = c.explain(row, target=target, **options)
        assert all(cf.reached >= 150_000 for cf in e)
        assert symcf.verify(c, row, e).valid is not False
    assert all(cf.row["rooms"] <= 3 for cf in c.explain(row, target=target, constraints=["rooms <= 3"]))


def test_files(tmp_path, houses):
    table, price = houses
    model = RandomForestRegressor(3, max_depth=3, random_state=0).fit(table, price)
    c = symcf.compile(model, table)
    c.save(tmp_path / "price.symcf")
    again = symcf.load(tmp_path / "price.symcf")
    assert again.predict(table).tolist() == c.predict(table).tolist()
    row, target = table.iloc[0], symcf.at_least(float(price.max()) * 0.9)
    assert again.explain(row, target=target).sets == c.explain(row, target=target).sets
    c.reaching(target).save(tmp_path / "reached.symcf")
    assert symcf.load(tmp_path / "reached.symcf").explain(row).sets == c.explain(row, target=target).sets
    assert symcf.model_from_dict(c.model.to_dict()) == c.model


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"target": symcf.at_least(3)}, 'at least 3 is a number.*min_probability=.*of="score"'),
        ({"target": "admitted", "min_probability": 0}, "between 0 and 1, without the ends, not 0"),
        ({"target": "admitted", "min_probability": 1}, "between 0 and 1, without the ends, not 1"),
        ({"target": "admitted", "min_probability": float("nan")}, "not nan"),
        ({"target": "admitted", "min_probability": "0.8"}, "must be a number between 0 and 1, not '0.8'"),
        ({"target": "admitted", "min_probability": True}, "must be a number"),
        ({"target": "admitted", "min_probability": 0.9999}, "out of reach: no row gets more than 0.997"),
        ({"min_probability": 0.8}, "needs target=.*'rejected', 'admitted'"),
        ({"target": "accepted", "min_probability": 0.8}, "accepted"),
        ({"target": symcf.at_least(3), "min_probability": 0.8}, "the target is at least 3: leave it out"),
        ({"target": "admitted", "of": "score"}, 'of="score" needs a target that is a number'),
        ({"target": symcf.at_least(3), "of": "odds"}, "of must be \"score\".*not 'odds'"),
        ({"target": symcf.at_least(1e9), "of": "score"}, "1,000,000,000 is out of reach: no row gets more than"),
        ({"target": symcf.at_most(-1e9), "of": "score"}, "out of reach: no row gets less than"),
        ({"target": "admitted", "min_probability": 0.8, "of": "score"}, "exclude each other"),
    ],
)
def test_wrong_targets_of_a_classifier(c, asked, message):
    for call in (c.explain, c.why, c.count, lambda x, **q: c.explain_batch([x], **q)):
        with pytest.raises(symcf.OptionError, match=message):
            call(X, **asked)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, r"target=symcf.at_least\(v\)"),
        ({"target": 200_000}, r"symcf.at_least\(v\).*not 200000"),
        ({"target": "high"}, "not 'high'"),
        ({"target": symcf.at_least(1e12)}, "out of reach: no row gets more than"),
        ({"target": symcf.at_least(5), "min_probability": 0.8}, "a regressor has none: leave it out"),
        ({"target": symcf.at_least(5), "of": "score"}, "a regressor has one number; leave it out"),
    ],
)
def test_wrong_targets_of_a_regressor(houses, asked, message):
    table, price = houses
    c = symcf.compile(DecisionTreeRegressor(max_depth=3).fit(table, price), table)
    with pytest.raises(symcf.OptionError, match=message):
        c.explain(table.iloc[0], **asked)


@pytest.mark.parametrize("call", [lambda c, t: c.diagram, lambda c, t: c.cnf(), lambda c, t: symcf.audit(c, t)])
def test_what_needs_classes_says_so(houses, call):
    table, price = houses
    c = symcf.compile(DecisionTreeRegressor(max_depth=3).fit(table, price), table)
    with pytest.raises(symcf.OptionError, match=r"symcf\.at_least\(v\)"):
        call(c, table)
    assert c.reaching(symcf.at_least(150_000)).diagram.size > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: symcf.at_least(float("nan")), "finite number, not nan"),
        (lambda: symcf.at_most(float("inf")), "finite number, not inf"),
        (lambda: symcf.between(3, 2), r"between\(3, 2\): the first number must not be greater"),
        (lambda: symcf.at_least("620"), "takes a number, not '620'"),
        (lambda: symcf.at_least(True), "takes a number, not True"),
        (lambda: symcf.between(None, 2), "takes a number, not None"),
    ],
)
def test_wrong_numbers(make, message):
    with pytest.raises(symcf.OptionError, match=message):
        make()


def test_softmax_has_no_bound(houses):
    table, price = houses
    labels = pd.cut(price, 3, labels=["low", "middle", "high"]).astype(str)
    c = symcf.compile(make_pipeline(StandardScaler(), LogisticRegression()).fit(table, labels), table)
    with pytest.raises(symcf.OptionError, match=r"not supported for AdditiveClassifier with 3 classes.*margin="):
        c.explain(table.iloc[0], target="high", min_probability=0.8)


def test_black_boxes_and_models_without_probabilities(houses):
    table, _ = houses
    box = symcf.compile(symcf.from_predict(lambda rows: np.asarray(rows)[:, 0] > 90, table))
    with pytest.raises(symcf.OptionError, match=r"^target.*predict_proba"):
        box.explain(table.iloc[0], target=True, min_probability=0.8)
    sums = symcf.compile(symcf.LinearClassifier([2, 3], -4))
    with pytest.raises(symcf.OptionError, match="LinearClassifier gives no probabilities"):
        sums.explain([0, 0], target=1, min_probability=0.8)
    assert sums.explain([0, 0], target=symcf.at_least(1), of="score").sets == [(0, 1)]
    assert sums.explain([0, 1], target=symcf.at_least(-1), of="score").at_target


class Rounded:
    """An estimator of which nothing is known but what it says: classes, probabilities and a score."""

    def __init__(self, classes, classes_=None):
        self.classes_ = np.array(classes if classes_ is None else classes_)

    def _sum(self, rows):
        cells = np.asarray(rows, dtype=float)
        return np.round(cells[:, 0] * cells[:, 1] - 2 * cells[:, 2], 3)

    def predict(self, rows):
        return self.classes_[(self._sum(rows) > 0).astype(int)]

    def predict_proba(self, rows):
        second = 1 / (1 + np.exp(-self._sum(rows)))
        return np.column_stack([1 - second, second])

    def decision_function(self, rows):
        return self._sum(rows)


@pytest.mark.parametrize("classes", [["no", "yes"], [1, 2], [False, True], [-1, 0]])
@pytest.mark.parametrize("given", [False, True])
def test_black_boxes_with_numbers_are_asked_for_them(classes, given):
    """All minimal sets, against every row that is tried; ``given``: the classes in the other order."""
    rows = np.array(list(itertools.product([0.0, 1.0, 2.0], repeat=3)))
    estimator = Rounded(classes)
    order = {"classes": classes[::-1]} if given else {}
    c = symcf.compile(symcf.from_predict(estimator, rows, max_inputs=0, **order))
    first, second = classes
    score, sure = estimator.decision_function(rows), estimator.predict_proba(rows)
    up = -1 if given else 1  # the score leads to the second of the classes as they are given
    questions = [
        ({"target": second, "min_probability": 0.8}, (sure[:, 1] >= 0.8)),
        ({"target": first, "min_probability": 0.9}, (sure[:, 0] >= 0.9)),
        ({"target": symcf.at_least(1), "of": "score"}, up * score >= 1),
        ({"target": symcf.between(-1, 0.5), "of": "score"}, (up * score >= -1) & (up * score <= 0.5)),
        ({"target": second, "margin": 1.5}, score >= 1.5),
    ]
    for question, fine in questions:
        for x in rows[~fine][::4]:
            found = {tuple(np.flatnonzero(row != x).tolist()) for row in rows[fine]}
            minimal = sorted((s for s in found if not any(set(t) < set(s) for t in found)), key=lambda s: (len(s), s))
            e = c.explain(x, **question)
            assert e.sets == minimal, (question, x)
            assert all(fine[(rows == cf.row).all(axis=1)].all() for cf in e)
            assert symcf.verify(c.reaching(**question), x, e)
        batch = symcf.fast.explain_batch(c, rows[~fine], **question)
        assert [e.sets for e in batch] == [c.explain(x, **question).sets for x in rows[~fine]]
    assert c.reaching(second, min_probability=0.8).predict(rows, codes=True).tolist() == [*map(int, sure[:, 1] >= 0.8)]


@pytest.mark.parametrize("classes", [["no", "yes"], [1, 2], [False, True]])
@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(max_depth=4, random_state=0),
        RandomForestClassifier(7, max_depth=3, random_state=0),
        RandomForestClassifier(40, max_depth=4, random_state=0),
    ],
)
def test_the_score_of_trees_that_vote_is_the_probability_of_the_second_class(estimator, classes):
    rows = pd.DataFrame(list(itertools.product(range(3), repeat=4)), columns=list("abcd"))
    decided = rows.a * rows.b + rows.c - rows.d * (rows.b == 1) > 1
    estimator.fit(rows, np.array(classes)[decided.to_numpy().astype(int)])
    c, p = symcf.compile(estimator, data=rows), estimator.predict_proba(rows)[:, 1]
    for question, fine in [
        ({"target": symcf.at_least(0.6), "of": "score"}, p >= 0.6),
        ({"target": symcf.at_most(0.3), "of": "score"}, p <= 0.3),
        ({"target": symcf.between(0.25, 0.75), "of": "score"}, (p >= 0.25) & (p <= 0.75)),
        ({"target": classes[1], "margin": 0.2}, p >= 0.7),
        ({"target": classes[0], "margin": 0.25}, p <= 0.25),
    ]:
        for i in np.flatnonzero(~fine)[::12]:
            found = {tuple(np.flatnonzero(row != rows.iloc[i]).tolist()) for row in rows[fine].to_numpy()}
            minimal = sorted((s for s in found if not any(set(t) < set(s) for t in found)), key=lambda s: (len(s), s))
            e = c.explain(rows.iloc[i], max_changes=4, **question)
            assert e.sets == minimal, (question, rows.iloc[i].to_dict())
            for cf in e:
                assert fine[(rows == cf.row).all(axis=1)].all()


def test_several_outputs_are_not_supported(houses):
    table, price = houses
    both = np.column_stack([price, price])
    for model in (LinearRegression(), DecisionTreeRegressor(), RandomForestRegressor(2)):
        with pytest.raises(symcf.ModelError, match="has 2 outputs: fit one regressor per output"):
            symcf.compile(model.fit(table, both), table)
    other = TransformedTargetRegressor(Ridge(), func=np.sqrt, inverse_func=np.square, check_inverse=False)
    with pytest.raises(symcf.ModelError, match=r"inverse_func=square is not supported.*np\.expm1"):
        symcf.compile(other.fit(table, price.clip(lower=0)), table)


# --- the command line -------------------------------------------------------------------------------------------------


def test_the_command_line(tmp_path, houses):
    table, price = houses
    forest = RandomForestRegressor(3, max_depth=3, random_state=0).fit(table, price)
    regressor = symcf.compile(forest, table)
    regressor.save(tmp_path / "price.symcf")
    classes = pd.Series(np.where(price > price.median(), "dear", "cheap"))
    symcf.compile(DecisionTreeClassifier(max_depth=3).fit(table, classes), table).save(tmp_path / "class.symcf")
    rows = table.head(5)
    rows.to_csv(tmp_path / "rows.csv", index=False)
    given = tmp_path / "price.symcf", tmp_path / "rows.csv"

    def answers(*options):
        return json.loads(output("explain", *given, *options, "--format", "json"))

    target = symcf.at_least(200_000)
    found = answers("--at-least", "200000")
    batch = regressor.explain_batch(rows, target=target)
    assert [row["count"] for row in found] == [len(e) for e in batch]
    assert [row["reached"] for row in found] == [e.reached for e in batch] == forest.predict(rows).tolist()
    assert all(cf["reached"] >= 200_000 for row in found for cf in row["counterfactuals"])
    inside = answers("--between", "150000..160000")
    assert all(150_000 <= cf["reached"] <= 160_000 for row in inside for cf in row["counterfactuals"])
    assert "below 200,000 (" in output("explain", *given, "--at-least", "200000")
    assert "below 200,000 (" in output("why", *given, "--at-least", "200000")
    assert "yes    yes      yes       yes" in output("verify", *given, "--at-most", "100000")
    predicted = output("predict", *given, "--format", "csv").splitlines()[1:]
    assert [float(line.split(",")[-1]) for line in predicted] == pytest.approx(forest.predict(rows))
    sure = "explain", tmp_path / "class.symcf", given[1], "--target", "dear", "--min-probability"
    assert "at least 80% dear" in output(*sure, "0.8")
    assert "--at-least, --at-most or --between" in error("explain", *given)
    assert "exclude each other" in error("explain", *given, "--at-least", "1", "--at-most", "2")
    assert "such as 620..680" in error("explain", *given, "--between", "620-680")
    assert "give one of them" in error("explain", *given, "--target", "dear", "--at-least", "1")
    assert "--of-score needs" in error("explain", *given, "--of-score")
    assert "out of reach" in error("explain", *given, "--at-least", "1e12")
    assert "between 0 and 1" in error(*sure, "1.5")
