"""The same person in every form of a row: forms x column types x kinds of models, one table.

    python tests/support/forms_of_rows.py            prints the table; exits with 1 if a cell differs

A cell is one kind of model, fitted on a frame whose column `t` has one type, beside a column of integers and one of
floats. Each person is explained in every form. All forms have to give the same change sets and the same new values, and
every suggested row, as a frame of the types of the data, has to be decided otherwise by the estimator's own `predict`.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
from catboost import CatBoostClassifier
from lightgbm import LGBMClassifier
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits
from xgboost import XGBClassifier

import symcf

ROWS, PEOPLE = 160, 2
NAMES = ["low", "middle", "high", "top"]
#: The names in no useful order, so that one that is read by its place is read wrongly.
SHUFFLED = ["top", "low", "high", "middle"]

#: By name of a type, the column `t` of numbers from 0 to 3 and fractions.
TYPES = {
    "int64": lambda t: np.floor(t * 9).astype("int64"),
    "int8": lambda t: np.floor(t * 9).astype("int8"),
    "uint8": lambda t: np.floor(t * 60).astype("uint8"),
    "Int64": lambda t: pd.array(np.floor(t * 9).astype("int64"), dtype="Int64"),
    "bool": lambda t: t > 1.8,
    "float64": lambda t: np.round(t, 2),
    "whole floats": lambda t: np.floor(t * 9),
    "float32": lambda t: (t / 3).astype("float32"),
    "float16": lambda t: (t / 3).astype("float16"),
    "category": lambda t: pd.Categorical([NAMES[int(x)] for x in t], categories=SHUFFLED),
    "ordered category": lambda t: pd.Categorical([NAMES[int(x)] for x in t], categories=NAMES, ordered=True),
    "object": lambda t: np.array([NAMES[int(x)] for x in t], dtype=object),
}
TEXT = ("category", "ordered category", "object")


def people(kind: str) -> tuple[pd.DataFrame, np.ndarray]:
    """A table with a column `t` of this type, and labels that depend on all columns."""
    rng = np.random.default_rng(11)
    t = rng.uniform(0, 4, size=ROWS) * 0.999
    n = rng.integers(0, 12, size=ROWS)
    f = np.round(rng.normal(size=ROWS) * 10 + 50, 1)
    score = t * 3 + n * 0.5 + (f - 50) * 0.3 + rng.normal(size=ROWS)
    table = pd.DataFrame({"n": n.astype("int64"), "t": TYPES[kind](t), "f": f})
    return table, (score > np.median(score)).astype(int)


def _encoded(final, kind, scale=None):
    """A pipeline over all columns: text is encoded, numbers are scaled, or left alone."""
    text = ["t"] if kind in TEXT else []
    numbers = [name for name in ("n", "t", "f") if name not in text]
    encoder = OneHotEncoder(handle_unknown="ignore")
    return make_pipeline(make_column_transformer((encoder, text), (scale or "passthrough", numbers)), final)


def _plain(final, kind):
    return "it reads numbers only" if kind in TEXT else final


def _boosted(name, kind):
    if name == "XGBoost":
        if kind == "object":
            return "XGBoost reads no columns of text"
        return XGBClassifier(n_estimators=8, max_depth=3, enable_categorical=True, n_jobs=1, random_state=0)
    if name == "LightGBM":
        if kind == "object":
            return "LightGBM reads no columns of text"
        if kind == "float16":
            return "LightGBM reads no columns of float16"
        return LGBMClassifier(
            n_estimators=8, max_depth=3, min_child_samples=5, min_data_per_group=5, n_jobs=1, verbose=-1, random_state=0
        )
    if kind == "float16":
        return "CatBoost reads no columns of float16"
    return CatBoostClassifier(
        iterations=8,
        depth=3,
        verbose=False,
        thread_count=1,
        random_seed=0,
        allow_writing_files=False,
        cat_features=["t"] if kind in TEXT else None,
        one_hot_max_size=10,
    )


def _hist(kind):
    if kind == "object":
        return "HistGradientBoostingClassifier reads no columns of text"
    return HistGradientBoostingClassifier(max_iter=8, max_depth=3, categorical_features="from_dtype", random_state=0)


def _categorical(kind):
    numbers = [name for name in ("n", "t", "f") if kind not in TEXT or name != "t"]
    bins = KBinsDiscretizer(4, encode="ordinal", strategy="uniform")
    encoder = OrdinalEncoder()
    text = ["t"] if kind in TEXT else []
    return make_pipeline(make_column_transformer((encoder, text), (bins, numbers)), CategoricalNB(min_categories=4))


#: By kind of model: the estimator, or why the library itself has none for this type.
MODELS = {
    "tree": lambda kind: _plain(DecisionTreeClassifier(max_depth=5, random_state=0), kind),
    "forest": lambda kind: _plain(RandomForestClassifier(5, max_depth=4, random_state=0), kind),
    "gradient boosting": lambda kind: _plain(
        GradientBoostingClassifier(n_estimators=6, max_depth=3, random_state=0), kind
    ),
    "hist gradient boosting": _hist,
    "XGBoost": lambda kind: _boosted("XGBoost", kind),
    "LightGBM": lambda kind: _boosted("LightGBM", kind),
    "CatBoost": lambda kind: _boosted("CatBoost", kind),
    "scaled regression": lambda kind: _encoded(LogisticRegression(), kind, StandardScaler()),
    "unscaled regression": lambda kind: _encoded(LogisticRegression(max_iter=2000), kind),
    "GaussianNB": lambda kind: _plain(GaussianNB(), kind),
    "CategoricalNB": _categorical,
    "ColumnTransformer": lambda kind: _encoded(DecisionTreeClassifier(max_depth=5, random_state=0), kind),
    "scaled tree": lambda kind: _encoded(DecisionTreeClassifier(max_depth=5, random_state=0), kind, StandardScaler()),
    "from_predict": lambda kind: _encoded(DecisionTreeClassifier(max_depth=4, random_state=1), kind),
}


def _cell(value):
    return value.item() if isinstance(value, np.generic) else value


def forms(table: pd.DataFrame, i: int) -> dict[str, object]:
    """A row of the table in every form."""
    cells = {name: _cell(table[name].iloc[i]) for name in table.columns}
    row = list(cells.values())
    numbers = all(isinstance(cell, (bool, int, float)) for cell in row)
    found = {
        "one-row frame": table.iloc[[i]],
        "dict": cells,
        "dict of numpy numbers": {name: table[name].iloc[i] for name in table.columns},
        "Series (iloc)": table.iloc[i],
        "object Series": pd.Series(cells, dtype=object),
        "list": row,
        "tuple": tuple(row),
        "ndarray": np.array(row) if numbers else np.array(row, dtype=object),
        "frame of a dict": pd.DataFrame([cells]),
    }
    if table["t"].dtype != np.float16:  # which Arrow makes no tables of
        found["Arrow table"] = pa.Table.from_pandas(table.iloc[[i]], preserve_index=False)
    return found


def answer(explanation):
    """What has to be the same in every form."""
    return [(cf.features, tuple(change.new for change in cf.changes)) for cf in explanation]


def problems(model: str, kind: str, *, count: int = PEOPLE) -> list[str] | str:
    """What differs between forms, or does not flip; why the cell is not applicable, as a text."""
    with threadpool_limits(1):  # many small predictions, which threads make slower
        return _problems(model, kind, count)


def _problems(model: str, kind: str, count: int) -> list[str] | str:
    estimator = MODELS[model](kind)
    if isinstance(estimator, str):
        return estimator
    table, labels = people(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator.fit(table, labels)
        decided = np.asarray(estimator.predict(table)).ravel()
        if model == "from_predict":
            c = symcf.compile(symcf.from_predict(estimator, table, max_values=3, max_inputs=0))
        else:
            try:
                c = symcf.compile(estimator, data=table)
            except symcf.ModelError as error:
                if "convert the column to float64" in str(error):
                    return "refused when it is compiled: scikit-learn may compute with fewer than 64 bits"
                raise
    found = []
    for i in range(count):
        expected = None
        for form, row in forms(table, i).items():
            where = f"{model}, {kind}, row {i} as {form}"
            try:
                e = c.explain(row)
                mine = answer(e)
            except symcf.SymcfError as error:
                found.append(f"{where}: {type(error).__name__}: {error}")
                continue
            if not mine:
                found.append(f"{where}: no counterfactual")
                continue
            if e.classes[e.prediction] != decided[i]:
                found.append(f"{where}: decided {e.classes[e.prediction]}, by the estimator {decided[i]}")
            expected = mine if expected is None else expected
            if mine != expected:
                other = next((pair for pair in zip(mine, expected, strict=False) if pair[0] != pair[1]), "more sets")
                found.append(f"{where}: {len(mine)} and {len(expected)} counterfactuals, first difference {other}")
            found += unflipped(estimator, e, table, decided[i], where)
    return found


def unflipped(estimator, e, table, old, where):
    """Suggested rows of which the estimator's own predict says something else."""
    frame = e.to_frame()
    if list(frame.dtypes) != list(table.dtypes):
        return [f"{where}: to_frame has the types {[str(kind) for kind in frame.dtypes]}"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            now = np.asarray(estimator.predict(frame)).ravel()
        except Exception as error:  # whatever a library raises
            return [f"{where}: to_frame is not accepted: {error}"]
    return [f"{where}: {(now == old).sum()} of {len(now)} rows do not flip"] if (now == old).any() else []


def main() -> int:
    """Prints the table."""
    wrong: list[str] = []
    print(f"{'':24}" + "".join(f"{kind[:12]:>13}" for kind in TYPES))
    notes: dict[str, int] = {}
    for model in MODELS:
        line = f"{model:24}"
        for kind in TYPES:
            found = problems(model, kind)
            if isinstance(found, str):
                line += f"{f'n/a {notes.setdefault(found, len(notes) + 1)}':>13}"
                continue
            wrong += found
            line += f"{f'{len(found)} differ' if found else 'same':>13}"
        print(line, flush=True)
    for why, number in notes.items():
        print(f"n/a {number}: {why}")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
