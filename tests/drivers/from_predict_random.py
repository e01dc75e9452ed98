"""Random black-box models, against their own `predict`: ``python tests/drivers/from_predict_random.py``.

Networks, kernel machines, neighbours, pipelines and functions of one's own, over columns of every dtype; questions with
every option. The oracle makes a table of all rows within reach and knows nothing of symcf.
"""

from __future__ import annotations

import itertools
import random
import sys
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import random_runs

# isort: split
import numpy as np
import pandas as pd
import reference
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC

import symcf

CLASSES = (("no", "yes"), (False, True), (1, 2), (5, 7, 10), ("a", "b", "c"), (-1, 1), (0, 1), tuple("pqrst"))
NAMES = ("age", "income (EUR)", "0", "x y", "Ä", "job")


@dataclass
class Specimen:
    """A classifier, the data that it was made of, and the values that are tried."""

    data: Any
    predict: Callable[[Any], Any]
    model: Any
    classes: Sequence[Any]
    #: By column, its name, its dtype, its kind and the values that are tried.
    names: list[str]
    dtypes: list[Any]
    kinds: list[str]
    tried: list[list[Any]]
    options: dict[str, Any] = field(default_factory=dict)

    def table(self, rows: Sequence[Sequence[Any]]) -> Any:
        """Rows in the form of the data."""
        if isinstance(self.data, np.ndarray):
            return np.array(rows, dtype=self.data.dtype).reshape(len(rows), len(self.names))
        frame = pd.DataFrame([list(row) for row in rows], columns=list(self.data.columns), dtype=object)
        return frame.astype(dict(zip(self.data.columns, self.data.dtypes, strict=True)))

    def decide(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """What the classifier itself says."""
        return np.asarray(self.predict(self.table(rows))).tolist()


# --- columns ----------------------------------------------------------------------------------------------------------


def column(rng: random.Random, kind: str, n: int) -> tuple[list[Any], Any]:
    """Cells and a dtype."""
    d = rng.randint(1, 4)
    if kind == "float":
        pool: list[Any] = [round(rng.uniform(-9, 9), rng.randint(0, 3)) for _ in range(d)]
        return [rng.choice(pool) for _ in range(n)], rng.choice(("float64", "float64", object))
    if kind == "float32":
        return [float(np.float32(v)) for v in rng.choices([rng.gauss(0, 3) for _ in range(d)], k=n)], "float32"
    if kind == "int":
        pool = rng.sample(range(-20, 90), d)
        return [rng.choice(pool) for _ in range(n)], rng.choice(
            ("int64", "int8", "Int64", "uint8" if min(pool) >= 0 else "int16")
        )
    if kind == "bool":
        return [rng.random() < 0.5 for _ in range(n)], rng.choice(("bool", "boolean"))
    pool = rng.sample(["red", "green", "blue", "", "a,b", "Ø"], d)
    dtype = rng.choice(
        (object, "category", "str", pd.CategoricalDtype(rng.sample([*pool, "more"], d + 1), ordered=True))
    )
    return [rng.choice(pool) for _ in range(n)], dtype


def draw(rng: random.Random) -> Specimen:
    """A classifier over a few columns."""
    n_rows, n = rng.randint(12, 40), rng.randint(1, 5)
    classes = rng.choice(CLASSES)
    array = rng.random() < 0.3
    kinds = [rng.choice(("float", "int") if array else ("float", "float32", "int", "bool", "text")) for _ in range(n)]
    cells = [column(rng, kind, n_rows) for kind in kinds]
    if array:
        dtype = rng.choice(("float64", "float32", object))
        data: Any = np.array([list(row) for row in zip(*(some for some, _ in cells), strict=True)], dtype=dtype)
        names, kinds = [f"x{j}" for j in range(n)], ["float32" if dtype == "float32" else "float"] * n
        dtypes: list[Any] = [data.dtype] * n
    else:
        names = rng.sample(NAMES, n)
        data = pd.DataFrame(
            {name: pd.Series(some, dtype=dtype) for name, (some, dtype) in zip(names, cells, strict=True)}
        )
        dtypes = data.dtypes.tolist()
    columns = list(data.T) if array else [np.asarray(data[name]) for name in names]
    tried = [sorted(set(some.tolist())) for some in columns]
    options: dict[str, Any] = {"max_values": 4}
    if rng.random() < 0.4:
        j = rng.randrange(n)
        tried[j] = other_values(rng, kinds[j], tried[j])
        options["values"] = {names[j] if rng.random() < 0.5 else j: rng.sample(tried[j], len(tried[j]))}
    if rng.random() < 0.7:
        options["max_inputs"] = 0
    labels = [classes[i % len(classes)] for i in range(n_rows)]
    rng.shuffle(labels)
    model = estimator(rng, data, labels, names, kinds) if rng.random() < 0.6 else own_function(rng, classes)
    if not hasattr(model, "predict"):
        options["classes"] = rng.sample(classes, len(classes))
    predict = model.predict if hasattr(model, "predict") else model
    return Specimen(data, predict, model, classes, names, dtypes, kinds, tried, options)


def other_values(rng: random.Random, kind: str, known: list[Any]) -> list[Any]:
    """Values to try that the data may not have."""
    if kind in ("float", "float32"):
        return sorted({*rng.sample(known, 1), *(float(rng.randint(-40, 40)) / 4 for _ in range(2))})
    if kind == "int":
        return sorted({*rng.sample(known, 1), rng.randint(0, 90)})
    return rng.sample(known, rng.randint(1, len(known)))


def estimator(rng: random.Random, data: Any, labels: Sequence[Any], names: Sequence[str], kinds: Sequence[str]) -> Any:
    """A fitted pipeline of scikit-learn."""
    seed = rng.randrange(10**6)
    last = rng.choice(
        (
            KNeighborsClassifier(rng.choice((1, 3))),
            SVC(kernel=rng.choice(("rbf", "poly", "sigmoid")), C=rng.choice((1, 30)), gamma=rng.choice(("scale", 2.0))),
            MLPClassifier((rng.choice((2, 5)),), solver="lbfgs", max_iter=40, random_state=seed),
        )
    )
    numbers = [j for j, kind in enumerate(kinds) if kind not in ("text", "bool")]
    others = [j for j in range(len(kinds)) if j not in numbers]
    plain = FunctionTransformer(lambda table: np.asarray(table, dtype=np.float64))
    words = FunctionTransformer(lambda table: np.asarray(table).astype(object))
    parts = [
        ("numbers", make_pipeline(plain, SimpleImputer(keep_empty_features=True), StandardScaler()), numbers),
        ("others", make_pipeline(words, OneHotEncoder(handle_unknown="ignore")), others),
    ]
    pipeline = make_pipeline(ColumnTransformer([part for part in parts if part[2]]), last)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pipeline.fit(data, np.array(labels))


def own_function(rng: random.Random, classes: Sequence[Any]) -> Callable[[Any], Any]:
    """Decides by a checksum of the row: as wild as a function can be; one label is rare."""
    salt, rare = rng.randrange(10**6), rng.choice((2, 5, 20))
    form = rng.choice(
        (list, lambda labels: np.array(labels, dtype=object), lambda labels: pd.Series(labels, dtype=object))
    )

    def decide(table: Any) -> Any:
        rows = table.tolist() if isinstance(table, np.ndarray) else table.astype(object).to_numpy().tolist()
        if isinstance(table, np.ndarray):
            table[...] = table[::-1]  # it does with its table as it likes
        result = []
        for row in rows:
            said = [str(float(cell)) if isinstance(cell, (int, float)) else str(cell) for cell in row]
            number = zlib.crc32(f"{salt} {said}".encode())
            result.append(classes[0] if number % rare else classes[(number // rare) % len(classes)])
        return form(result)

    return decide


# --- questions --------------------------------------------------------------------------------------------------------


def row_of(rng: random.Random, one: Specimen) -> list[Any]:
    """A row of the data, with some numbers of its own if the classifier is asked."""
    i = rng.randrange(len(one.data))
    row = (
        list(one.data[i]) if isinstance(one.data, np.ndarray) else [one.data.iloc[i, j] for j in range(len(one.names))]
    )
    row = [cell.item() if isinstance(cell, np.generic) else cell for cell in row]
    if one.options.get("max_inputs") == 0:
        for j, kind in enumerate(one.kinds):
            if rng.random() < 0.3 and kind in ("float", "float32", "int"):
                row[j] = rng.randint(0, 60) if kind == "int" else rng.randint(-60, 60) / 8
    return row


def question_of(rng: random.Random, one: Specimen, row: list[Any]) -> tuple[dict[str, Any], list[list[Any]], Any, Any]:
    """Keywords; by column the values that it may take; what rows must obey; and the target."""
    n = len(one.names)
    choices = [[v for v in tried if v != own] for tried, own in zip(one.tried, row, strict=True)]
    keywords: dict[str, Any] = {}
    fixed = [j for j in range(n) if rng.random() < 0.15]
    if fixed:
        keywords["immutable"] = [one.names[j] for j in fixed]
        choices = [[] if j in fixed else some for j, some in enumerate(choices)]
    if rng.random() < 0.4:
        j = rng.randrange(n)
        if one.kinds[j] in ("float", "float32", "int"):
            low, high = sorted(rng.sample(range(-20, 60), 2))
            what, fits = rng.choice(
                [
                    ("increase", lambda v: v > row[j]),
                    ("decrease", lambda v: v < row[j]),
                    ([low + 0.5, high + 0.5], lambda v: low + 0.5 <= v <= high + 0.5),
                    ([one.tried[j][0]], lambda v: v == one.tried[j][0]),
                ]
            )
        else:
            some = rng.sample(one.tried[j], 1)
            what, fits = some, lambda v: v in some
        keywords["allowed"] = {one.names[j]: what}
        choices[j] = [v for v in choices[j] if fits(v)]
    if rng.random() < 0.3:
        keywords["max_changes"] = rng.randint(0, n)
    obeys = lambda new: True  # noqa: E731
    if n > 1 and rng.random() < 0.3:
        a, b = rng.sample(range(n), 2)
        va, vb = rng.choice(one.tried[a]), rng.choice(one.tried[b])
        keywords["constraints"] = [symcf.forbid({one.names[a]: va, one.names[b]: vb})]
        obeys = lambda new: not (new[a] == va and new[b] == vb)  # noqa: E731
    cost = rng.choice(("none", "none", "features", "values"))
    if cost == "features":
        keywords["cost"] = {name: rng.choice((0.1, 0.2, 0.3, 1, 2.5)) for name in one.names}
    if cost == "values":
        j = rng.randrange(n)
        keywords["cost"] = {one.names[j]: {v: rng.randint(1, 9) for v in one.tried[j] if v != row[j]}}
    (now,) = one.decide([row])
    others = [label for label in one.classes if label != now]
    target = rng.choice(others) if rng.random() < 0.4 else None
    if target is not None:
        keywords["target"] = target
    return keywords, choices, obeys, target


def expected(
    one: Specimen, row: list[Any], choices: list[list[Any]], obeys: Any, target: Any, keywords: dict[str, Any]
) -> list[tuple[float, tuple[int, ...]]]:
    """The minimal change sets with their costs, in order: looks at every row."""
    rows = list(itertools.product(*([own, *some] for own, some in zip(row, choices, strict=True))))
    known = dict(zip(rows, one.decide([list(new) for new in rows]), strict=True))
    price = keywords.get("cost", {})
    found = reference.Question(
        [reference.Domain(tuple(some)) for some in choices], known.__getitem__, row, target=target,
        constraints=[lambda old, new: obeys(new)], max_changes=keywords.get("max_changes"),
        price=lambda j, old, new: reference.number(_price(price.get(one.names[j], 1), new)),
    ).counterfactuals()  # fmt: skip
    return [(float(priced[0][0]), features) for features, priced in found.items()]


def _price(said: Any, new: Any) -> float:
    return said[new] if isinstance(said, dict) else said


# --- checks -----------------------------------------------------------------------------------------------------------


def given(rng: random.Random, one: Specimen, row: list[Any]) -> Any:
    """The row in one of the forms that users have."""
    form = rng.choice(("list", "dict", "frame", "array"))
    if isinstance(one.data, np.ndarray) or form == "array":
        table = one.table([row])
        if isinstance(table, np.ndarray):
            return table[0]
        form = "frame"
    if form == "frame":
        return one.table([row])
    if form == "dict":
        pairs = list(zip(one.names, row, strict=True))
        return dict(rng.sample(pairs, len(pairs)))
    return list(row)


def cells_of(one: Specimen, row: Any) -> list[Any]:
    """A row in any of these forms as a list."""
    if isinstance(row, dict):
        return [row[name] for name in one.names]
    return list(row.iloc[0]) if isinstance(row, pd.DataFrame) else list(row)


def check(seed: int, questions: int = 3) -> None:
    """One classifier, and questions about it."""
    rng = random.Random(f"from_predict {seed}")
    one = draw(rng)
    c = symcf.compile(symcf.from_predict(one.model, one.data, **one.options))
    where = f"seed {seed}: {type(c.model).__name__}"
    for number in range(questions):
        row = row_of(rng, one)
        keywords, choices, obeys, target = question_of(rng, one, row)
        want = expected(one, row, choices, obeys, target, keywords)
        told = f"{where} {row} {keywords}"
        x = given(rng, one, row)
        assert c.predict(one.table([row]), codes=True).tolist() == [list(c.classes).index(one.decide([row])[0])], told
        e = c.explain(x, **keywords)
        assert e.complete, told
        assert e.sets == [s for _, s in want], f"{told}: {e.sets} instead of {want}"
        for (cost, change_set), cf in zip(want, e, strict=True):
            new = cells_of(one, cf.row)
            assert abs(cf.cost - cost) < 1e-6, f"{told}: {change_set} costs {cf.cost}, not {cost}"
            assert all(_same(new[j], row[j]) != (j in change_set) for j in range(len(row))), f"{told}: {cf.row}"
            (label,) = one.decide([new])
            assert label == e.classes[cf.target], f"{told}: {cf.row} is {label}"
            assert label == target if target is not None else label != one.decide([row])[0], told
        if want:
            k = rng.randint(1, len(want))
            assert c.explain(x, k=k, **keywords).sets == [s for _, s in want[:k]], f"{told}: k={k}"
        assert c.count(x, **keywords) == len(want), told
        if number == 0:
            report = symcf.verify(c, x, e)
            assert report, f"{told}: {report}"
        others = [row, row_of(rng, one), row]
        if target is None or all(label != target for label in one.decide(others)):
            batch = symcf.fast.explain_batch(c, one.table(others), **keywords)
            assert batch[0].sets == e.sets == batch[2].sets, f"{told}: batch"
            assert batch[1].sets == c.explain(others[1], **keywords).sets, f"{told}: batch"
            assert number or symcf.verify(c, x, batch[0]), f"{told}: verify of a batch"


def _same(a: Any, b: Any) -> bool:
    return bool(a == b)


if __name__ == "__main__":
    sys.exit(random_runs.run(check, "classifiers", __doc__, 1000))
