"""Relations between columns of numbers, plausibility and one class of several, on models that add up functions of
numbers. More: ``python tests/drivers/numbers_random.py``.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
import reference
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import symcf
import symcf.fast
from symcf import AdditiveClassifier, NumberTerm

RNG = np.random.default_rng(5)
TABLE = pd.DataFrame(
    {
        "income": RNG.integers(10, 90, 200),
        "debt": RNG.integers(0, 60, 200),
        "tenure": RNG.integers(0, 40, 200),
        "job": np.array(["clerk", "driver", "teacher"], dtype=object)[RNG.integers(0, 3, 200)],
    }
)
SCORE = TABLE["income"] - TABLE["debt"] + TABLE["tenure"] + 10 * (TABLE["job"] == "teacher") + RNG.normal(size=200)


def scaled(y, estimator=None):
    """A pipeline of scaled numbers and dummies."""
    columns = make_column_transformer((StandardScaler(), ["income", "debt", "tenure"]), (OneHotEncoder(), ["job"]))
    return make_pipeline(columns, estimator or LogisticRegression()).fit(TABLE, y)


@pytest.fixture(scope="module")
def credit():
    """A scaled logistic regression, and its classifier."""
    estimator = scaled(np.where(SCORE > 40, "yes", "no"))
    return estimator, symcf.compile(estimator, data=TABLE, plausibility=TABLE)


def declined(estimator):
    """A row that is declined."""
    rows = TABLE[estimator.predict(TABLE) == "no"]
    return rows.iloc[[3]]


def test_relations_hold_in_every_suggested_row_and_the_estimator_agrees(credit):
    estimator, c = credit
    row = declined(estimator)
    relations = ["debt <= income", "tenure >= 12", "job = teacher -> income < 60"]
    e = c.explain(row, constraints=relations)
    assert e.complete
    assert e.sets
    assert e.engine == "boxes"
    for cf in e:
        new = cf.row.iloc[0] if isinstance(cf.row, pd.DataFrame) else cf.row
        assert new["debt"] <= new["income"]
        assert new["tenure"] >= 12
        assert new["job"] != "teacher" or new["income"] < 60
        frame = cf.row if isinstance(cf.row, pd.DataFrame) else pd.DataFrame([dict(cf.row)])
        assert estimator.predict(frame)[0] == "yes"
        assert all(float(new[name]).is_integer() for name in ("income", "debt", "tenure"))
    report = symcf.verify(c, row, e)
    assert (report.valid, report.honest, report.minimal, report.complete) == (True, True, None, None)


def test_forms_of_a_row_have_the_same_answer(credit):
    estimator, c = credit
    frame = declined(estimator)
    cells = frame.iloc[0]
    relations = ["debt < tenure", "income <= 70"]
    wanted = list(c.explain(frame, constraints=relations).sets)
    forms = [cells, dict(cells), list(cells), tuple(cells)]
    assert [list(c.explain(form, constraints=relations).sets) for form in forms] == [wanted] * 4
    batch = symcf.fast.explain_batch(c, pd.concat([frame, frame]), constraints=relations)
    assert [list(part.sets) for part in batch] == [wanted] * 2


@pytest.mark.slow
def test_a_relation_that_always_holds_changes_nothing(credit):
    estimator, c = credit
    for i in range(5):
        row = TABLE.iloc[[7 * i]]
        plain, related = c.explain(row), c.explain(row, constraints=["income >= 0 or debt < 1000"])
        assert list(plain.sets) == list(related.sets)
        for one, other in zip(plain, related, strict=True):
            assert estimator.predict(pd.DataFrame([dict(other.row.iloc[0])]))[0] != estimator.predict(row)[0]
            far = [
                sum(abs(a.new - a.old) / np.ptp(TABLE[a.name]) if a.name != "job" else 1 for a in cf.changes)
                for cf in (one, other)
            ]
            assert far[1] <= far[0] * (1 + 1e-5) + 1e-9


def test_contradictions_are_the_constraints_in_the_way(credit):
    estimator, c = credit
    e = c.explain(declined(estimator), constraints=["income <= 12", "debt >= 50", "tenure <= 1"], immutable=["job"])
    assert not e.sets
    assert e.complete
    assert {str(item) for item in e.blocking} <= {"income <= 12", "debt >= 50", "tenure <= 1", "job is immutable"}
    assert e.blocking


def test_reasons_are_the_minimal_hitting_sets(credit):
    estimator, c = credit
    row = declined(estimator)
    relations = ["debt <= income", "job != teacher or tenure >= 5"]
    sets = [set(s) for s in c.explain(row, constraints=relations).sets]
    reasons = [set(s) for s in c.why(row, constraints=relations).sets]
    assert all(reason & change for reason in reasons for change in sets)
    assert all(not all((reason - {j}) & change for change in sets) for reason in reasons for j in reason)
    assert c.count(row, constraints=relations) == len(sets)
    drawn = c.sample(row, 5, random_state=1, constraints=relations)
    assert all(set(cf.features) in sets for cf in drawn)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["multinomial", "gaussian"])
def test_one_class_of_several(kind):
    y = np.array(["low", "middle", "high"], dtype=object)[np.digitize(SCORE, [25, 55])]
    numbers = ["income", "debt", "tenure"]
    estimator = scaled(y) if kind == "multinomial" else GaussianNB().fit(TABLE[numbers], y)
    table = TABLE if kind == "multinomial" else TABLE[numbers]
    c = symcf.compile(estimator, data=table)
    for i in range(0, 40, 16):
        row = table.iloc[[i]]
        now = estimator.predict(row)[0]
        anything = [set(s) for s in c.explain(row).sets]
        for target in {"low", "middle", "high"} - {now}:
            e = c.explain(row, target=target, time_limit=20)
            assert e.complete
            assert e.sets
            for cf in e:
                assert estimator.predict(pd.DataFrame([dict(cf.row.iloc[0])]))[0] == target
            # whatever leads to a certain class leads to another one, so a smaller set may do for that
            assert all(any(s <= set(t) for s in anything) for t in e.sets)
        batch = symcf.fast.explain_batch(c, row, target=next(iter({"low", "middle", "high"} - {now})))
        assert len(batch) == 1


def test_a_missing_number_is_neither_less_nor_more():
    table = TABLE[["income", "debt"]].astype(float)
    table.loc[::9, "debt"] = np.nan
    y = np.where(TABLE["income"] - table["debt"].fillna(20) > 20, 1, 0)
    estimator = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()).fit(table, y)
    c = symcf.compile(estimator, data=table)
    row = table.iloc[next(i for i in range(0, 200, 9) if estimator.predict(table.iloc[[i]])[0] == 0)].to_dict()
    assert np.isnan(row["debt"])
    e = c.explain(row, constraints=["income <= debt"])
    assert (0,) in e.sets  # the debt stays missing, and the order says nothing
    for cf in e:
        if "debt" in [change.name for change in cf.changes]:
            assert cf.row["income"] <= cf.row["debt"]
        assert estimator.predict(pd.DataFrame([cf.row]))[0] == 1
    report = symcf.verify(c, row, e)
    assert report.valid
    assert report.honest


def test_wrong_rows_do_not_pass_verify(credit):
    estimator, c = credit
    row = declined(estimator)
    plain = c.explain(row)
    related = c.explain(row, constraints=["tenure >= 39"])
    data = plain.to_dict()
    data["constraints"] = related.to_dict()["constraints"]
    report = symcf.verify(c, row, symcf.Explanation.from_dict(data))
    assert report.valid is False


def test_time_limits_give_what_is_known():
    rng = np.random.default_rng(0)
    terms = [NumberTerm(float(s), (0, 10)) for s in rng.normal(size=40)]
    c = symcf.compile(AdditiveClassifier(terms, -40.0))
    row = [5.0] * 40
    e = c.explain(row, constraints=[f"x{i} <= x{i + 1}" for i in range(0, 40, 2)], time_limit=1.0)
    assert not e.complete
    assert e.status == "time_limit"
    assert e.complete_up_to is not None
    assert all(len(s) > e.complete_up_to or c.explain(row, immutable=[]).sets for s in e.sets)


def test_costs_and_numbers_of_changes():
    terms = [NumberTerm(1.0, (0, 10), resolution=1), NumberTerm(1.0, (0, 10), resolution=1), [0, 6]]
    c = symcf.compile(AdditiveClassifier(terms, -8.5, features=["a", "b", "m"], values=[None, None, ["no", "yes"]]))
    row = {"a": 0, "b": 2, "m": "no"}
    related = {"constraints": ["a <= b"]}
    assert list(c.explain(row, **related).sets) == [(1,), (0, 2)]  # b = 9, or a = 1 and m
    assert list(c.explain(row, cost={"a": 1, "b": 9, "m": 1}, **related).sets) == [(0, 2), (1,)]
    assert list(c.explain(row, k=1, cost={"a": 1, "b": 9, "m": 1}, **related).sets) == [(0, 2)]
    assert list(c.explain(row, max_changes=1, **related).sets) == [(1,)]
    near = c.explain(row, cost="distance", scale={"a": 1, "b": 1}, k=2, **related)
    assert [cf.row for cf in near] == [{"a": 1, "b": 2, "m": "yes"}, {"a": 0, "b": 9, "m": "no"}]
    assert [cf.cost for cf in near] == [2.0, 7.0]
    sure = c.explain(row, select="surest", **related)
    assert [cf.row for cf in sure] == [{"a": 0, "b": 10, "m": "no"}, {"a": 2, "b": 2, "m": "yes"}]


def test_engines_that_do_not_apply_say_so(credit):
    estimator, c = credit
    row = declined(estimator)
    for engine in ("cover", "diagram", "sat", "query"):
        with pytest.raises(symcf.OptionError, match=r"engine|diagram"):
            c.explain(row, constraints=["debt <= income"], engine=engine)
    assert list(c.explain(row, engine="boxes").sets) == list(c.explain(row).sets)
    assert symcf.check(c.explain(row, constraints=["debt <= income"]).certificate(), c, row=row)


def test_mistakes_in_relations_are_named(credit):
    _, c = credit
    row = dict(TABLE.iloc[0])
    for text, message in (
        ("income = low", "is not a value of 'income'"),
        ("income <= job", "'job' is not a column of numbers"),
        ("incom <= 3", "did you mean 'income'"),
        ("income < income", "compared with itself"),
        ("income <= debt and tenure > old.ten", "there is no feature 'old.ten'"),
    ):
        with pytest.raises(symcf.OptionError, match=message):
            c.explain(row, constraints=[text])


def test_the_likeliest_of_plausible_rows():
    """The bound on plausibility and the likelihood that is maximised are two sums over the same pairs of columns."""
    rng = np.random.default_rng(5)
    a = rng.integers(0, 6, 300)
    data = pd.DataFrame({"a": a, "b": (a + rng.integers(0, 2, 300)) % 6, "c": rng.integers(0, 3, 300)})
    line = NumberTerm(1.0, (0, 5), resolution=1)
    c = symcf.compile(AdditiveClassifier([line, line, [0, 1, 3]], -8, features=["a", "b", "c"]), plausibility=data)
    every = pd.DataFrame(list(product(range(6), range(6), range(3))), columns=["a", "b", "c"])
    share = c.plausibility_of(every)
    enough = (every["a"] + every["b"] + np.array([0, 1, 3])[every["c"]] > 8) & (share >= 0.3)
    rows = every[~enough & (every.sum(axis=1) < 8)].sample(12, random_state=0)
    found = 0
    for _, row in rows.iterrows():
        changed = [tuple(j for j, name in enumerate(every) if new[name] != row[name]) for _, new in every.iterrows()]
        for s, cf in zip((e := c.explain(row, min_plausibility=0.3, select="likeliest")).sets, e, strict=True):
            best = max(p for p, ok, where in zip(share, enough, changed, strict=True) if ok and where == s)
            assert cf.plausibility == pytest.approx(best)
            found += 1
    assert found > 5


@pytest.mark.parametrize("seed", range(4))
def test_columns_of_whole_numbers_stay_whole_under_curved_terms(seed):
    """The most that a parabola gains may lie between two whole numbers. By the estimator's own predict on all rows."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 6, 60), "b": rng.integers(0, 6, 60)})
    y = np.where(abs(X["a"] - 2.5) < 1, "yes", "no") if seed % 2 else np.where(X.sum(axis=1) > 5, "yes", "no")
    estimator = GaussianNB().fit(X, y)
    c = symcf.compile(estimator, data=X)
    every = pd.DataFrame(list(product(*(range(X[name].min(), X[name].max() + 1) for name in X))), columns=list(X))
    classes = estimator.predict(every)
    rows = X.iloc[::10]
    batch = symcf.fast.explain_batch(c, rows)
    for (_, row), together in zip(rows.iterrows(), batch, strict=True):
        now = estimator.predict(row.to_frame().T)[0]
        changed = {
            tuple(j for j, name in enumerate(X) if new[name] != row[name])
            for (_, new), k in zip(every.iterrows(), classes, strict=True)
            if k != now
        }
        wanted = set(reference.minimal(changed))
        for given in (row, row.to_dict(), row.to_frame().T):
            e = c.explain(given)
            assert set(e.sets) == wanted
            if wanted:
                frame = e.to_frame()[list(X)]
                assert (frame == frame.astype(int)).all(axis=None)
                assert (estimator.predict(frame.astype(X.dtypes)) != now).all()
        assert set(together.sets) == wanted
        assert symcf.verify(c, row, e).complete is not False
        assert {reason.features for reason in c.why(row)} == set(reference.hitting_sets(wanted, len(X.columns)))


@pytest.mark.parametrize("rule", ["a == b", "a <= b", "a + b == 6", "a >= 2", "change.a == 2 * change.b"])
def test_a_certificate_that_is_given_is_accepted(rule):
    """The checker takes curves for their highest points, and whole numbers for real ones: then there is none."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(0, 5, (80, 2)), columns=["a", "b"])
    c = symcf.compile(GaussianNB().fit(table, table.a + table.b > 4), data=table)
    given = 0
    for i in range(8):
        row = table.iloc[[i]]
        e = c.explain(row, constraints=rule, allowed={"a": [0, 4], "b": [0, 4]})
        try:
            certificate = e.certificate()
        except symcf.LimitError as error:
            problem = str(error)
        else:
            problem = ""
            assert symcf.check(certificate, c, row=row)
            given += 1
        assert not problem or "no proof was found" in problem
    assert given
