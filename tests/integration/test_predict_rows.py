"""`predict` of many raw rows: the estimator's own labels, whatever the form of the rows and the types of columns."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import symcf

LABELS = {"0, 1": [0, 1], "-1, 1": [-1, 1], "text": ["no", "yes"], "three": [1, 2, 3]}
TYPES = {"float64": "float64", "int64": "int64", "int8": "int8", "nullable": "Int64", "boolean": "bool"}


def fitted(rng, labels, types):
    """A scaled regression over columns of these types."""
    raw = rng.integers(-5, 20, (300, len(types)))
    columns = {f"c{j}": pd.Series(raw[:, j] % 2 if kind == "bool" else raw[:, j]) for j, kind in enumerate(types)}
    X = pd.DataFrame({name: column.astype(kind) for (name, column), kind in zip(columns.items(), types, strict=True)})
    score = raw @ rng.normal(size=len(types))
    y = np.array(labels)[np.searchsorted(np.quantile(score, np.arange(1, len(labels)) / len(labels)), score)]
    return X, make_pipeline(StandardScaler(), LogisticRegression()).fit(X.astype("float64"), y)


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize("seed", range(3))
def test_rows_of_all_forms(labels, seed):
    rng = np.random.default_rng(seed)
    types = [str(kind) for kind in rng.choice(list(TYPES.values()), 5)] if seed else ["float64"] * 5
    X, estimator = fitted(rng, labels, types)
    c = symcf.compile(estimator, data=X.astype("float64"))
    wanted = estimator.predict(X.astype("float64")).tolist()
    forms = {
        "frame": X,
        "floats": X.astype("float64"),
        "columns first": pd.DataFrame(np.asfortranarray(X.astype("float64")), columns=X.columns),
        "array": X.astype("float64").to_numpy(),
        "lists": X.astype("float64").to_numpy().tolist(),
        "other order": X.astype("float64")[X.columns[::-1]],
        "numbered": X.astype("float64").set_axis(range(X.shape[1]), axis=1),
        "mixed": X.astype("float64").assign(c1=X["c1"].astype("int64")),
    }
    for name, rows in forms.items():
        assert c.predict(rows).tolist() == wanted, name
    for i in range(5):
        row = X.astype("float64").iloc[i]
        sets = c.explain(row.tolist(), k=3).sets
        ways = (row, row[::-1], row.to_dict(), X.iloc[[i]], row.to_frame().T, row.to_frame().T[X.columns[::-1]])
        assert all(c.explain(way, k=3).sets == sets for way in ways)
        assert c.predict(X.iloc[[i]])[0] == wanted[i]


def test_a_number_that_cannot_be_decided_is_named():
    X, estimator = fitted(np.random.default_rng(0), [0, 1], ["float64"] * 3)
    c = symcf.compile(estimator, data=X)
    for wrong in (np.nan, np.inf, 1e300):
        rows = X.copy()
        rows.loc[7, "c1"] = wrong
        with pytest.raises(symcf.InstanceError, match=r"row 7.*c1"):
            c.predict(rows)


def test_columns_that_are_given_twice_or_are_not_known_are_named():
    X, estimator = fitted(np.random.default_rng(0), [0, 1], ["float64"] * 3)
    c = symcf.compile(estimator, data=X)
    for wrong in (X[["c0", "c1", "c1"]], X[["c0", "c1", "c2", "c1"]], X.rename(columns={"c1": "other"})):
        with pytest.raises(symcf.InstanceError, match="c1"):
            c.predict(wrong)
        with pytest.raises(symcf.InstanceError, match="c1"):
            c.explain(wrong.iloc[[0]])
