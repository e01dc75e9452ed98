"""Small scikit-learn estimators and pipelines; what they predict for every row is what must come out."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torture.models import Model

#: Sums of floats that differ by less are too close to call.
CLOSE = 1e-9

KINDS = {
    "bernoulli": "sklearn.naive_bayes.BernoulliNB()",
    "categorical": "sklearn.naive_bayes.CategoricalNB(min_categories=3)",
    "logistic": "sklearn.linear_model.LogisticRegression()",
    "tree": "sklearn.tree.DecisionTreeClassifier(max_depth=3, random_state=0)",
    "forest": "sklearn.ensemble.RandomForestClassifier(n_estimators=3, max_depth=2, random_state=0)",
    "one-hot": "sklearn.pipeline.make_pipeline("
    "sklearn.preprocessing.OneHotEncoder(), sklearn.linear_model.LogisticRegression())",
    "ordinal": "sklearn.pipeline.make_pipeline("
    "sklearn.preprocessing.OrdinalEncoder(), sklearn.naive_bayes.CategoricalNB())",
}
LABELS = ([0, 1, 2], [1, 2, 3], [-1, 1, 5], ["a", "b", "c"], ["0", "1", "2"], [2, 3, 4])
WORDS = ["b", "c", "d"]


def draw(rng: random.Random) -> Model | None:
    """A fitted estimator; None if it is of no use."""
    from torture.models import Model

    kind, n, k = rng.choice(list(KINDS)), rng.randint(1, 4), rng.choice((2, 2, 3))
    classes = rng.choice(LABELS)[:k]
    if k == 2 and rng.random() < 0.2:
        classes = [False, True]
    most = {"bernoulli": 2, "logistic": 2, "categorical": 3}.get(kind, 3)
    cells: list[Any] = WORDS if kind in ("one-hot", "ordinal") else list(range(most))
    rows = [[rng.choice(cells) for _ in range(n)] for _ in range(rng.randint(8, 20))]
    rows += [[cell] * n for cell in cells]  # every column has seen every cell
    answers = [rng.choice(classes) for _ in rows[k:]] + classes
    facts = {"estimator": KINDS[kind], "rows": rows, "answers": answers}
    estimator = _fitted(facts)
    if kind in ("tree", "forest"):
        trees = [estimator] if kind == "tree" else estimator.estimators_
        raw = _ranges(trees, n)
    else:
        raw = [list(cells)] * n
    n_values = tuple(map(len, raw))
    codes = list(product(*map(range, n_values)))
    given = [[raw[j][v] for j, v in enumerate(row)] for row in codes]
    for shares in estimator.predict_proba(given):
        first, second = sorted(shares, reverse=True)[:2]
        if first - second < CLOSE:
            return None
    place = {label: code for code, label in enumerate(estimator.classes_.tolist())}
    table = {row: place[label] for row, label in zip(codes, estimator.predict(given).tolist(), strict=True)}
    return Model(
        f"sklearn {kind}", n_values, k, table, _write, classes=sorted(classes), raw=raw, facts=facts, optional=()
    )


def _fitted(facts: dict[str, Any]) -> Any:
    import sklearn.ensemble
    import sklearn.linear_model
    import sklearn.naive_bayes
    import sklearn.pipeline
    import sklearn.preprocessing
    import sklearn.tree

    return eval(facts["estimator"], {"sklearn": sklearn}).fit(facts["rows"], facts["answers"])


def _ranges(trees: list[Any], n: int) -> list[list[Any]]:
    """By feature, a number from between each two thresholds."""
    cuts: list[set[float]] = [set() for _ in range(n)]
    for tree in trees:
        for feature, threshold in zip(tree.tree_.feature, tree.tree_.threshold, strict=True):
            if feature >= 0:
                cuts[feature].add(float(threshold))
    return [[*sorted(c), max(c, default=0.0) + 1.0] for c in cuts]


def _write(model: Model) -> str:
    facts = model.facts
    modules = ("ensemble", "linear_model", "naive_bayes", "pipeline", "preprocessing", "tree")
    imports = "import " + ", ".join(f"sklearn.{name}" for name in modules if f"sklearn.{name}." in facts["estimator"])
    return (
        f"{imports}\nestimator = {facts['estimator']}.fit({facts['rows']}, {facts['answers']})\n"
        "model = symcf.from_sklearn(estimator)"
    )
