"""Forests and boosted trees against all rows: sets, moves, and answers that the estimator itself can read."""

from __future__ import annotations

import pandas as pd
import pytest
import votes_random
import xgboost

import symcf


@pytest.mark.parametrize("seed", [6, 24, 71])
def test_a_few_of_the_random_runs(seed):
    assert votes_random.check(seed)


def test_a_missing_category_is_suggested_in_a_column_of_categories():
    table = pd.DataFrame({"town": pd.Series(["u", "v", "w", None] * 10, dtype="category"), "age": [1.0, 2.0] * 20})
    model = xgboost.XGBClassifier(n_estimators=3, max_depth=2, enable_categorical=True, n_jobs=1)
    model.fit(table, table["town"].isna().astype(int))
    c = symcf.compile(model)
    e = c.explain(table[:1], allowed={"town": ["(missing)"]})
    assert e.to_frame().dtypes.tolist() == table.dtypes.tolist()
    assert e[0].row.dtypes.tolist() == table.dtypes.tolist()
    assert model.predict(e.to_frame()).tolist() == [1]
    batch = symcf.fast.explain_batch(c, table[:1], allowed={"town": ["(missing)"]})
    assert batch.to_frame().dtypes.tolist() == table.dtypes.tolist()
