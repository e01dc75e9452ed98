"""Estimators that are read with bounds. The check asks every row within reach, by the estimator's own predict."""

import pickle
from itertools import combinations, product

import bounded_zoo as zoo
import joblib
import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, PolynomialFeatures, PowerTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import symcf
from symcf.cli.exits import InputError
from symcf.cli.models import open_compiled
from symcf.common.clock import Clock
from symcf.errors import LimitError, ModelError, OptionError
from symcf.question.case import coded_case
from symcf.question.question import Question
from symcf.search.bounds import BoundSearch, Wanted
from symcf.search.protocol import AUTO

SIZES = ((4,), (12, 8), (24, 24))
COLUMNS, TOP = 6, 4


def network(size, activation="relu", **options):
    return MLPClassifier(size, activation=activation, max_iter=options.pop("max_iter", 150), random_state=1, **options)


def check(c, estimator, data, row, values, most, target=None, **options):
    """The change sets of a row are those of brute force, and all suggested rows are reached."""
    cells = list(row)
    truth = zoo.flipping(estimator, data, cells, values, most, target)
    e = c.explain(row, max_changes=most, target=target, **options)
    assert e.status == "complete"
    assert sorted(e.sets, key=lambda one: (len(one), one)) == zoo.minimal(truth)
    for cf in e:
        new = list(cf.row)
        assert new in truth[tuple(j for j in range(len(cells)) if new[j] != cells[j])]
    return len(e.sets)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", zoo.TABLES)
def test_networks_against_all_rows_within_reach(name, size):
    X, y = zoo.coarse(name, COLUMNS, TOP)
    estimator = zoo.fitted(make_pipeline(StandardScaler(), network(size)), X, y)
    c = symcf.compile(estimator, data=X)
    assert (c.predict(X) == estimator.predict(X)).all()
    values = [[float(v) for v in range(TOP + 1)]] * COLUMNS
    assert sum(check(c, estimator, X, X[i].tolist(), values, 3) for i in (0, 40, 90)) > 0


@pytest.mark.parametrize("name", zoo.ESTIMATORS)
def test_averages_products_and_kernels_against_all_rows_within_reach(name):
    found = 0
    for table in ("breast_cancer", "wine"):
        if name.endswith("two" if table == "wine" else "three"):
            continue
        X, y = zoo.coarse(table, 5, TOP, 250)
        estimator = zoo.fitted(zoo.ESTIMATORS[name](), X, y)
        c = symcf.compile(estimator, data=X)
        assert (c.predict(X) == estimator.predict(X)).all()
        assert c.explain(X[0], max_changes=1).engine == "bounds"
        values = [[float(v) for v in range(TOP + 1)]] * 5
        found += sum(check(c, estimator, X, X[i].tolist(), values, 3) for i in (0, 40, 90))
    assert found > 0


@pytest.mark.parametrize("library", ["XGBoost", "LightGBM", "CatBoost"])
@pytest.mark.parametrize("around", ["soft", "hard", "calibrated", "stacking", "products"])
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_boosters_of_other_libraries_as_members(library, around):
    pytest.importorskip(library.lower())
    member = zoo.boosters()[library]
    other = make_pipeline(StandardScaler(), LogisticRegression())
    estimator = {
        "soft": VotingClassifier([("a", member), ("b", other)], voting="soft"),
        "hard": VotingClassifier([("a", member), ("b", other), ("c", DecisionTreeClassifier(max_depth=2))]),
        "calibrated": CalibratedClassifierCV(member, cv=2),
        "stacking": StackingClassifier([("a", member), ("b", other)], LogisticRegression(), cv=2),
        "products": make_pipeline(PolynomialFeatures(2), member),
    }[around]
    found = 0
    # CatBoost gives a column per label of several classes, of which VotingClassifier makes no array
    for table in ("breast_cancer", "wine")[: 1 if (library, around) == ("CatBoost", "hard") else 2]:
        X, y = zoo.coarse(table, 4, TOP, 200)
        zoo.fitted(estimator, X, y)
        c = symcf.compile(estimator, data=X)
        assert (c.predict(X) == np.ravel(estimator.predict(X))).all()
        values = [[float(v) for v in range(TOP + 1)]] * 4
        found += sum(check(c, estimator, X, X[i].tolist(), values, 2) for i in (0, 90))
    assert found > 0


@pytest.mark.parametrize("name", zoo.REGRESSORS)
def test_regressors_against_all_rows_within_reach(name):
    X, _ = zoo.coarse("breast_cancer", 4, TOP, 200)
    number = X[:, 0] * X[:, 1] + 3 * np.sin(X[:, 2]) + np.random.default_rng(0).normal(4, 0.3, len(X)) ** 2
    estimator = zoo.fitted(zoo.REGRESSORS[name](), X, number)
    c = symcf.compile(estimator, data=X)
    predicted = estimator.predict(X)
    assert c.predict(X) == pytest.approx(predicted, rel=1e-12)
    # beside predictions, whose last digits depend on the table
    low, high = (np.quantile(predicted, [0.3, 0.7]) + 1e-7).tolist()
    goals = [
        (symcf.at_least(high), lambda numbers: numbers >= high),
        (symcf.at_most(low), lambda numbers: numbers <= low),
        (symcf.between(low, high), lambda numbers: (numbers >= low) & (numbers <= high)),
    ]
    values, found = [[float(v) for v in range(TOP + 1)]] * 4, 0
    for i, (target, reached) in product((0, 40, 90), goals):
        if reached(predicted[i]):
            continue
        sets = [some for size in (1, 2) for some in combinations(range(4), size)]
        truth = [
            some
            for some in sets
            if reached(estimator.predict(np.array(list(zoo.rows_of(X[i].tolist(), values, some))))).any()
        ]
        e = c.explain(X[i], target=target, max_changes=2)
        assert sorted(e.sets, key=lambda one: (len(one), one)) == zoo.minimal(truth)
        assert all(reached(estimator.predict(np.array([cf.row]))[0]) for cf in e)
        found += len(e.sets)
    assert found > 0


def test_a_regressor_with_bounds_needs_a_target():
    X, y = zoo.coarse("wine", 4, TOP)
    estimator = zoo.fitted(make_pipeline(PolynomialFeatures(2), Ridge()), X, y + X[:, 0])
    c = symcf.compile(estimator, data=X)
    with pytest.raises(OptionError, match="the model gives numbers, so say which are wanted"):
        c.explain(X[0])
    assert c.explain(X[0], target=symcf.at_least(4), max_changes=1).engine == "bounds"
    assert pickle.loads(pickle.dumps(c)).predict(X[:3]) == pytest.approx(estimator.predict(X[:3]))


VALUES = [
    list(range(18, 26)), list(range(5)), [k / 10 for k in range(26)],
    ["baker", "clerk", "smith"], ["own", "rent"], [False, True],
]  # fmt: skip


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic", "identity"])
def test_networks_behind_encoders_and_scalers(activation):
    X, y = zoo.mixed(400, 0)
    labels = np.array(["low", "mid", "high"])
    columns = make_column_transformer(
        (OneHotEncoder(), ["job", "home"]), (StandardScaler(), ["age"]), remainder="passthrough"
    )
    last = network((8, 6), activation, max_iter=300)
    estimator = zoo.fitted(make_pipeline(columns, MinMaxScaler(), last), X, labels[y])
    c = symcf.compile(estimator, data=X)
    found = 0
    for i in range(4):
        row = X.iloc[i]
        own = estimator.predict(X.iloc[i : i + 1])[0]
        found += check(c, estimator, X, row, VALUES, 2)
        found += check(c, estimator, X, row, VALUES, 2, target=next(one for one in labels if one != own))
    assert found > 0


def test_a_class_of_truth_values_and_single_precision():
    X, y = zoo.coarse("breast_cancer", 4, 9)
    X = X.astype(np.float32)
    estimator = zoo.fitted(network((10,)), X, y == 1)
    assert estimator.coefs_[0].dtype == np.float32
    c = symcf.compile(estimator, data=X)
    assert c.classes == (False, True)
    values = [[float(v) for v in range(10)]] * 4
    assert sum(check(c, estimator, X, X[i].tolist(), values, 2) for i in range(6)) > 0


def test_predictions_are_those_of_the_estimator():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(20_000, 5)).round(2)
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
    estimator = zoo.fitted(make_pipeline(StandardScaler(), network((16, 16), max_iter=5)), X, y)
    c = symcf.compile(estimator, data=X)
    assert (c.predict(X) == estimator.predict(X)).all()


@pytest.fixture(scope="module")
def fine():
    """A network over columns of real numbers, of which about 1,000 are tried."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(600, 6))
    y = (X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + X[:, 3] > 0).astype(int)
    estimator = zoo.fitted(make_pipeline(StandardScaler(), network((16, 16))), X, y)
    return X, estimator, symcf.compile(estimator, data=X)


def test_single_changes_over_a_fine_grid(fine):
    X, estimator, c = fine
    for x in X[:10]:
        known = c.around([x])
        tried = [
            [v for v, fits in zip(*both, strict=True) if fits] for both in zip(known.values, known.tried, strict=True)
        ]
        assert all(500 < len(some) < 1100 for some in tried)
        check(c, estimator, X, x.tolist(), tried, 1)


def test_pairs_that_do_not_flip_do_not_flip_at_random(fine):
    """What the bounds rule out, random rows do not reach; what is found, predict decides otherwise."""
    X, estimator, c = fine
    rng = np.random.default_rng(5)
    ruled_out = 0
    for x in X[:6]:
        e = c.explain(x, max_changes=2)
        known = c.around([x])
        own = estimator.predict([x])[0]
        assert all(estimator.predict([cf.row])[0] != own for cf in e)
        for pair in ((i, j) for i in range(6) for j in range(i)):
            if any(set(one) <= set(pair) for one in e.sets):
                continue
            ruled_out += 1
            rows = np.repeat(x[np.newaxis], 2000, axis=0)
            for j in pair:
                rows[:, j] = rng.choice([v for v, f in zip(known.values[j], known.tried[j], strict=True) if f], 2000)
            assert (estimator.predict(rows) == own).all()
    assert ruled_out > 5


def test_the_nearest_values_of_a_set_are_the_nearest(fine):
    X, estimator, c = fine
    seen = 0
    for x in X[:8]:
        known, own = c.around([x]), estimator.predict([x])[0]
        for cf in c.explain(x, max_changes=1):
            (j,) = cf.features
            tried = np.array([v for v, fits in zip(known.values[j], known.tried[j], strict=True) if fits])
            rows = np.repeat(x[np.newaxis], len(tried), axis=0)
            rows[:, j] = tried
            flips = tried[estimator.predict(rows) != own]
            assert abs(cf.row[j] - x[j]) == pytest.approx(np.abs(flips - x[j]).min())
            seen += 1
    assert seen > 8


def test_constraints_over_a_fine_grid(fine):
    X, estimator, c = fine
    for x in X[:5]:
        own = estimator.predict([x])[0]
        options = {"max_changes": 1, "immutable": ["x5"], "allowed": {"x3": "increase"}}
        e, plain = c.explain(x, constraints=["x0 <= 1 or x1 >= 0"], **options), c.explain(x, **options)
        assert set(e.sets) <= set(plain.sets)
        for cf in e:
            assert estimator.predict([cf.row])[0] != own
            assert cf.row[0] <= 1 or cf.row[1] >= 0
            assert cf.row[3] >= x[3]


def numbers_reached(c, X, x, values, number, reached, **options):
    """Brute force over all rows that differ in up to two columns."""
    every = [(some, new) for size in (1, 2) for some in combinations(range(5), size)
             for new in zoo.rows_of(x.tolist(), values, some)]  # fmt: skip
    found = reached(number(np.array([new for _, new in every])))
    e = c.explain(x, max_changes=2, **options)
    assert e.engine == "bounds"
    assert sorted(e.sets, key=lambda one: (len(one), one)) == zoo.minimal(
        {some for (some, _), is_reached in zip(every, found.tolist(), strict=True) if is_reached}
    )
    assert all(reached(number(np.array([cf.row])))[0] for cf in e)
    return len(e.sets)


@pytest.mark.parametrize("name", ["calibrated, isotonic", "soft votes", "stacking", "PCA and a network"])
def test_probabilities_that_are_to_be_reached(name):
    X, y = zoo.coarse("breast_cancer", 5, TOP, 250)
    estimator = zoo.fitted(zoo.ESTIMATORS[name](), X, np.where(y == 1, "b", "a"))
    c = symcf.compile(estimator, data=X)
    values, found = [[float(v) for v in range(TOP + 1)]] * 5, 0
    for k, label in enumerate("ab"):
        for x in X[estimator.predict_proba(X)[:, k] < 0.7][:4]:
            found += numbers_reached(
                c, X, x, values, lambda rows, k=k: estimator.predict_proba(rows)[:, k], lambda some: some >= 0.7,
                target=label, min_probability=0.7,
            )  # fmt: skip
    assert found > 0


@pytest.mark.parametrize("name", ["SVC, two", "stacking", "products"])
def test_scores_that_are_to_be_reached(name):
    X, y = zoo.coarse("breast_cancer", 5, TOP, 250)
    estimator = zoo.fitted(zoo.ESTIMATORS[name](), X, y)
    c = symcf.compile(estimator, data=X)
    values, found = [[float(v) for v in range(TOP + 1)]] * 5, 0
    # beside the scores of rows, which may differ in their last digit from table to table
    low, high = (np.quantile(estimator.decision_function(X), [0.3, 0.7]) + 1e-7).tolist()
    for x in X[estimator.decision_function(X) < high - 1e-6][:4]:
        found += numbers_reached(c, X, x, values, estimator.decision_function, lambda some: some >= high,
                                 target=symcf.at_least(high), of="score")  # fmt: skip
    for x in X[estimator.decision_function(X) > low + 1e-6][:4]:
        found += numbers_reached(c, X, x, values, estimator.decision_function, lambda some: some <= low,
                                 target=symcf.at_most(low), of="score")  # fmt: skip
    assert found > 0


def test_a_limit_is_reported(fine):
    """When time is up, what was found is given, and up to which size the list is complete."""
    X, _, c = fine
    known = c.around([X[0]])
    question = Question.checked(known)
    search = BoundSearch.make(question, AUTO)
    query = coded_case(question, known.instance(X[0])).query
    (answer,) = search.steps(query, None, Clock(0.0))
    assert (answer.status, answer.complete_up_to, len(answer.sets)) == ("time", 0, 0)
    first = search.cursor(query, [1] * 6)
    first._fill()
    first._try(Clock(0.0))  # one table of boxes, and then the time is up
    singles = c.explain(X[0], max_changes=1)
    assert set(first._ready) <= set(singles.sets)
    assert first.complete_up_to == 0


class Stopped:
    """Its time is up as soon as something raises `LimitError`."""

    expired, seconds = False, None

    def ended(self, error):
        return True


@pytest.mark.parametrize("calls", range(1, 12))
def test_time_that_is_up_while_boxes_are_bounded_loses_no_set(fine, monkeypatch, calls):
    """Whatever is claimed to be complete is, and nothing is given twice when the search goes on."""
    X, _, c = fine
    known = c.around([X[1]])
    question = Question.checked(known, max_changes=2)
    query = coded_case(question, known.instance(X[1])).query
    every = sorted(c.explain(X[1], max_changes=2).sets, key=len)
    assert every
    bounded, left = Wanted.bounded, [calls]

    def stopping(self, *boxes):
        left[0] -= 1
        if not left[0]:
            raise LimitError("time limit reached")
        return bounded(self, *boxes)

    monkeypatch.setattr(Wanted, "bounded", stopping)
    cursor = BoundSearch.make(question, AUTO).cursor(query, [1] * 6)
    sets, status = cursor.next(10**6, Stopped())
    assert status in ("time", "complete")
    claimed = [one for one in every if status == "complete" or len(one) <= cursor.complete_up_to]
    assert set(claimed) <= set(sets) <= set(every)
    more, status = cursor.next(10**6, Stopped())
    assert status == "complete"
    assert sorted([*sets, *more]) == sorted(every)


def test_data_are_required_and_groups_are_not_read(fine):
    X, estimator, _ = fine
    with pytest.raises(ModelError, match=r"symcf.compile\(estimator, X\)"):
        symcf.compile(estimator)
    with pytest.raises(ModelError, match="groups"):
        symcf.compile(estimator, data=X, groups=[["x0", "x1"]])
    with pytest.raises(ModelError, match="6"):
        symcf.compile(estimator, data=X[:, :4])


def test_a_model_with_bounds_is_not_written_to_a_file(fine, tmp_path):
    X, _, c = fine
    with pytest.raises(ModelError, match=r"call symcf.compile\(estimator, data=X\) again"):
        c.save(tmp_path / "c.symcf")
    again = pickle.loads(pickle.dumps(c))
    assert again.explain(X[0], max_changes=1).sets == c.explain(X[0], max_changes=1).sets


def test_the_command_line_says_how_such_an_estimator_is_read(fine, tmp_path):
    _, estimator, _ = fine
    joblib.dump(estimator, tmp_path / "m.joblib")
    with pytest.raises(InputError, match=r"symcf.compile\(estimator, X\), where X are rows"):
        open_compiled(str(tmp_path / "m.joblib"), trust=True)


def test_values_and_ranges_are_taken(fine):
    X, estimator, _ = fine
    c = symcf.compile(estimator, data=X, values={"x0": [0.0, 1.5]}, ranges={"x1": [-9, 9]})
    assert c.values[0] == (0.0, 1.5)
    assert (c.values[1][0], c.values[1][-1]) == (-9.0, 9.0)
    with pytest.raises(OptionError, match="ranges: 'x0' takes no range"):
        symcf.compile(estimator, data=X, values={"x0": [0.0, 1.5]}, ranges={"x0": [-9, 9]})
    with pytest.raises(OptionError, match="no feature 'z'"):
        symcf.compile(estimator, data=X, ranges={"z": [0, 1]})


@pytest.mark.parametrize("classes", [2, 3])
def test_a_network_whose_sums_are_smaller_than_what_its_last_function_tells_apart(classes):
    """predict compares floats of the logistic function or of softmax: sums of 1e-18 and 2e-18 give the same."""
    X = np.random.default_rng(6).integers(0, 5, (120, 3)).astype(float)
    y = np.digitize(X[:, 0] * X[:, 1], [3, 8][: classes - 1])
    estimator = zoo.fitted(network((5,)), X, y)
    for scale in (1e-17, 1e-15, 1e-13):
        estimator.coefs_[-1] *= scale / np.abs(estimator.coefs_[-1]).max()
        estimator.intercepts_[-1] *= 0
        c = symcf.compile(estimator, data=X)
        for x in X[:6]:
            check(c, estimator, X, x.tolist(), [[float(v) for v in range(5)]] * 3, 2)


def test_a_temperature_changes_probabilities_but_not_their_order():
    X, y = zoo.coarse("breast_cancer", 5, TOP, 250)
    tempered = CalibratedClassifierCV(network((4,), max_iter=500), method="temperature", ensemble=False)
    votes = VotingClassifier([("a", tempered), ("b", DecisionTreeClassifier(max_depth=3))], voting="soft")
    with pytest.raises(ModelError, match="method='temperature' is not supported inside another estimator"):
        symcf.compile(zoo.fitted(votes, X, y), data=X)
    estimator = zoo.fitted(tempered, X, y)
    c, values, found = symcf.compile(estimator, data=X), [[float(v) for v in range(TOP + 1)]] * 5, 0
    for x in X[:4]:
        found += check(c, estimator, X, x.tolist(), values, 2)
    for x in X[estimator.predict_proba(X)[:, 1] < 0.8][:4]:
        e = c.explain(x, target=1, min_probability=0.8, max_changes=1)
        rows = [(j, new) for j in range(5) for new in zoo.rows_of(x.tolist(), values, [j])]
        reached = estimator.predict_proba(np.array([new for _, new in rows]))[:, 1] >= 0.8
        truth = {(j,) for (j, _), is_reached in zip(rows, reached.tolist(), strict=True) if is_reached}
        assert sorted(e.sets) == sorted(truth)
    assert found > 0


def test_what_has_no_bounds_says_so():
    X, y = zoo.coarse("wine", 4, 4)
    kernels = VotingClassifier([("a", SVC(probability=True)), ("b", LogisticRegression())], voting="soft")
    by_features = BaggingClassifier(LogisticRegression(), 3, max_features=0.5, random_state=0)
    cases = [
        (kernels, "the probabilities of SVC are not supported inside another estimator"),
        (KNeighborsClassifier(weights="distance"), "weights='distance'"),
        (KNeighborsClassifier(p=1), "the metric 'manhattan'"),
        (by_features, "whose members have some columns only"),
        (StackingClassifier([("a", LogisticRegression())], stack_method="predict"), "votes are no numbers"),
        (make_pipeline(PolynomialFeatures(), PowerTransformer(), LogisticRegression()), "PowerTransformer"),
    ]
    for estimator, words in cases:
        with pytest.raises(ModelError, match=words) as caught:
            symcf.compile(zoo.fitted(estimator, X, y), data=X)
        assert "symcf.from_predict" in str(caught.value)


def test_the_engine_is_for_models_with_bounds(fine):
    X, _, c = fine
    assert c.explain(X[0], max_changes=1).engine == "bounds"
    tree = symcf.DecisionTree({"feature": "a", "at_most": 0.5, "yes": {"class": 0}, "no": {"class": 1}})
    with pytest.raises(OptionError, match="engine 'bounds' is for models that are read with bounds"):
        symcf.compile(tree).explain([0], engine="bounds")
