"""Results of statsmodels beside their own predictions. statsmodels is not among the requirements of the tests."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import symcf
import symcf.fast

sm = pytest.importorskip("statsmodels.api")
formulas = pytest.importorskip("statsmodels.formula.api")

pytestmark = pytest.mark.filterwarnings("ignore")


def table(n=300):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"income": rng.integers(0, 90, n), "age": rng.normal(40, 9, n).round(1), "own": rng.integers(0, 2, n)}
    )
    score = 0.05 * X["income"] - 0.04 * X["age"] + X["own"] + rng.logistic(size=n)
    return X, score.to_numpy()


def fitted(name):
    X, score = table()
    with_constant = sm.add_constant(X)
    y = (score > 0.5).astype(int)
    if name == "logit":
        return X, sm.Logit(y, with_constant).fit(disp=0), 0.6
    if name == "logit without a constant":
        return X, sm.Logit(y, X).fit(disp=0), 0.6
    if name == "formula":
        return X, formulas.logit("y ~ age + income + own", X.assign(y=y)).fit(disp=0), 0.4
    if name == "glm":
        return X, sm.GLM(y, with_constant, family=sm.families.Binomial()).fit(), 0.6
    if name == "glm of counts":
        return X, sm.GLM(np.round(np.exp(0.3 * score)), with_constant, family=sm.families.Poisson()).fit(), 2.0
    if name == "counts":
        return X, sm.Poisson(np.round(np.exp(0.3 * score)), with_constant).fit(disp=0), 2.0
    return X, sm.OLS(score, with_constant).fit(), 1.0


def predicted(results, rows):
    names = results.model.exog_names
    rows = rows.assign(const=1.0) if "const" in names else rows
    return np.asarray(results.predict(rows if hasattr(results.model, "formula") else rows[names]))


NAMES = ["logit", "logit without a constant", "formula", "glm", "glm of counts", "counts", "ols"]


@pytest.mark.parametrize("name", NAMES)
def test_results_agree(name):
    X, results, least = fitted(name)
    compiled = symcf.compile(results, data=X)
    rows = X.sample(2000, replace=True, random_state=1).reset_index(drop=True)
    rows["income"] = np.random.default_rng(1).permutation(rows["income"])
    assert np.allclose(compiled.predict(rows), predicted(results, rows), rtol=1e-12, atol=0)
    found = symcf.fast.explain_batch(compiled, rows[:100], k=3, target=symcf.at_least(least)).to_frame(k=3)
    assert len(found) > 30
    assert (predicted(results, found[X.columns]) >= least).all()


def test_lists_are_complete():
    X, results, _ = fitted("logit")
    compiled = symcf.compile(results, data=X)
    low, high = X.min(), X.max()
    for _, row in X[::60].iterrows():
        if predicted(results, row.to_frame().T.astype(float))[0] >= 0.7:
            continue
        flips = set()
        for count in (1, 2, 3):
            for some in itertools.combinations(X.columns, count):
                # the sum is linear, so the best value of a column is one of its ends
                ends = [(low[name], high[name]) if name in some else (row[name],) for name in X.columns]
                rows = pd.DataFrame(list(itertools.product(*ends)), columns=X.columns).astype(float)
                if (predicted(results, rows) >= 0.7).any() and not any(set(one) < set(some) for one in flips):
                    flips.add(some)
        found = compiled.explain(row, target=symcf.at_least(0.7))
        assert {tuple(X.columns[j] for j in sorted(cf.features)) for cf in found} == flips


def test_what_is_not_read_is_refused():
    X, score = table()
    y = (score > 0.5).astype(int)
    logarithm = formulas.logit("y ~ np.log1p(income) + age", X.assign(y=y)).fit(disp=0)
    with pytest.raises(symcf.ModelError, match=r"the term 'np.log1p\(income\)' of the formula"):
        symcf.compile(logarithm, data=X)
    with pytest.raises(symcf.ModelError, match="Probit of statsmodels is not supported"):
        symcf.compile(sm.Probit(y, sm.add_constant(X)).fit(disp=0), data=X)
    with pytest.raises(symcf.ModelError, match="call fit, and pass what it returns"):
        symcf.compile(sm.Logit(y, sm.add_constant(X)), data=X)
    family = sm.families.Binomial(sm.families.links.CLogLog())
    with pytest.raises(symcf.ModelError, match="with the link CLogLog is not supported"):
        symcf.compile(sm.GLM(y, sm.add_constant(X), family=family).fit(), data=X)
