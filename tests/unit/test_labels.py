"""Labels are names: whatever classes, features and values are called, the answer is the same up to renaming.

Every public call is made with plain names (the codes themselves) and again with names that invite mistakes: integers
that are the codes of *other* classes, negative numbers, booleans, text that looks like a number, mixtures. Both
answers, as codes, must be equal.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from command_line import output

import symcf
import symcf.fast
from symcf.data.labels import code_of, feature_index, feature_indices
from symcf.drawing import draw

ENGINES = ["auto", "diagram", "sat", "sat-portable"]

#: Names of two and of three classes. The first of each are what the library takes when nothing is said.
TWO: dict[str, Sequence[Hashable]] = {
    "codes": (0, 1),
    "permuted": (1, 0),
    "offset": (1, 2),
    "far": (10, 7),
    "negative": (0, -1),
    "signs": (-1, 1),
    "booleans": (False, True),
    "swapped booleans": (True, False),
    "text": ("declined", "approved"),
    "digits": ("1", "0"),
    "floats": (1.0, 0.0),
    "numpy": (np.int64(1), np.int64(2)),
    "mixed": ("1", 0),
}
THREE: dict[str, Sequence[Hashable]] = {
    "codes": (0, 1, 2),
    "permuted": (2, 0, 1),
    "offset": (1, 2, 3),
    "negative": (1, 0, -1),
    "text": ("c", "a", "b"),
    "digits": ("2", "1", "0"),
    "mixed": (True, "0", 2),
    "numpy": tuple(np.array([5, 0, 1], dtype=np.uint8)),
}


def bayes(classes: Sequence[Hashable], **names: Any) -> symcf.Model:
    if len(classes) == 2:
        p1, p0 = [0.4, 0.96, 0.97, 0.7], [0.15, 0.1, 0.11, 0.2]
        return symcf.NaiveBayes.binary(0.3, p1, p0, classes=classes, **names)
    tables = [[[0.1, 0.2, 0.7], [0.3, 0.5, 0.2], [0.6, 0.2, 0.2]], [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]] * 2
    return symcf.NaiveBayes([0.5, 0.3, 0.2], tables, classes=classes, **names)


def linear(classes: Sequence[Hashable], **names: Any) -> symcf.Model:
    rows = [[0.0, 1.5], [0.0, -2.0], [1.0, 0.0, 0.5], [0.25, 0.0]]
    if len(classes) == 2:
        return symcf.LinearClassifier(rows, -0.3, classes=classes, **names)
    turned = [[[s * w for w in row] for row in rows] for s in (1, -1, 0.2)]
    return symcf.LinearClassifier(turned, [0.1, 0.3, 0.2], classes=classes, **names)


def function(classes: Sequence[Hashable], **names: Any) -> symcf.Model:
    k = len(classes)
    return symcf.from_function(lambda x: classes[(x[0] * x[1] + x[2]) % k], [2, 3, 2], classes=classes, **names)


def forest(classes: Sequence[Hashable], **names: Any) -> symcf.Model:
    k = len(classes)

    def leaf(i: int) -> dict[str, Any]:
        return {"scores": [3.0 if c == i % k else 1.0 for c in range(k)]}

    def split(feature: str, yes: Any, no: Any) -> dict[str, Any]:
        return {"feature": feature, "at_most": 0.5, "yes": yes, "no": no}

    a, b, c = features = names.pop("features", ["a", "b", "c"])
    trees = [
        split(a, split(b, leaf(0), leaf(1)), leaf(2)),
        split(c, leaf(1), split(a, leaf(2), leaf(0))),
        split(b, leaf(0), leaf(1)),
    ]
    return symcf.RandomForest(trees, features=features, classes=classes, **names)


def sklearn_tree(classes: Sequence[Hashable]) -> symcf.Model:
    """Fitted to labels: scikit-learn sorts these, so the codes follow the sorted order."""
    trees = pytest.importorskip("sklearn.tree")
    rows = np.array(list(product(range(2), range(2), range(2), range(3))))
    codes = (rows[:, 0] * rows[:, 3] + rows[:, 1] + rows[:, 2]) % len(classes)
    ordered = sorted(classes)  # type: ignore[type-var]
    tree = trees.DecisionTreeClassifier(random_state=0, max_depth=4).fit(rows, [ordered[code] for code in codes])
    return symcf.from_sklearn(tree)


MODELS: dict[str, Callable[..., symcf.Model]] = {
    "bayes": bayes, "linear": linear, "function": function, "forest": forest, "sklearn_tree": sklearn_tree
}  # fmt: skip


def all_rows(c: symcf.Compiled) -> np.ndarray:
    return np.array(list(product(*map(range, map(len, c.values)))), dtype=np.int64)


def taking_codes(model: symcf.Model) -> symcf.Compiled:
    """Rows are codes here, also for models that would read raw values: how rows are read is tested elsewhere."""
    model.encoder = None
    return symcf.compile(model)


def as_codes(e: symcf.Explanation) -> Any:
    found = [([(c.feature, e.values[c.feature].index(c.new)) for c in cf.changes], cf.target, cf.cost) for cf in e]
    return e.sets, e.prediction, e.target, e.status, found


def answers(c: symcf.Compiled, allowed: Any, relation: Any) -> dict[str, Any]:
    """What every public call says, in codes."""
    rows = all_rows(c)
    decided = c.predict(rows, codes=True)
    result: dict[str, Any] = {"predict": decided.tolist()}
    for k, label in enumerate(c.classes):
        result[f"diagram_of {k}"] = c.diagram_of(label).evaluate(rows).tolist()
        result[f"cnf {k}"] = list(c.cnf(of=label).clauses())
        assert result[f"diagram_of {k}"] == (decided == k).tolist()
    if c.n_classes == 2:
        assert c.diagram.evaluate(rows).tolist() == decided.tolist()
    for i in range(0, len(rows), 11):
        row, now = rows[i], int(decided[i])
        for target in [None, *(k for k in range(c.n_classes) if k != now)]:
            wanted = {} if target is None else {"target": c.classes[target]}
            key = f"row {i} target {target}"
            listed = {name: as_codes(c.explain(row, engine=name, **wanted)) for name in ENGINES}
            assert all(answer == listed["auto"] for answer in listed.values()), key
            result[key] = listed["auto"]
            result[f"{key} allowed"] = as_codes(c.explain(row, allowed=allowed, **wanted))
            result[f"{key} relation"] = as_codes(c.explain(row, constraints=[relation], **wanted))
            result[f"{key} count"] = c.count(row, **wanted), c.count_bounds(row, **wanted)
            found = c.iter_counterfactuals(row, **wanted)
            result[f"{key} iter"] = sorted((cf.instance.tolist(), cf.target) for cf in found)
            if result[f"{key} count"][0]:
                drawn = c.sample(row, 3, random_state=1, **wanted)
                result[f"{key} sample"] = [(cf.instance.tolist(), cf.target) for cf in drawn]
            result[f"{key} wcnf"] = c.wcnf(row, **wanted).to_file()
            assert symcf.verify(c, row, c.explain(row, **wanted)), key
    for engine, k in product(["auto", "diagram", "sat"], [None, *range(c.n_classes)]):
        wanted = {} if k is None else {"target": c.classes[k]}
        batch = symcf.fast.explain_batch(c, rows, engine=engine, **wanted)
        result[f"batch {engine} {k}"] = [(e.sets, e.prediction, e.target, e.status) for e in batch]
    return result


def named(c: symcf.Compiled) -> tuple[dict[str, Any], Any]:
    """One value allowed, and one relation, in the model's own names."""
    (a, b), (of_a, of_b) = c.features[:2], c.values[:2]
    return {a: [of_a[1]]}, symcf.implies({b: of_b[0]}, {a: of_a[0]})


@pytest.fixture(scope="module")
def plain() -> Callable[[str, int], dict[str, Any]]:
    known: dict[tuple[str, int], dict[str, Any]] = {}

    def of(name: str, k: int) -> dict[str, Any]:
        if (name, k) not in known:
            c = taking_codes(MODELS[name](range(k)))
            known[name, k] = answers(c, *named(c))
        return known[name, k]

    return of


def cases() -> list[Any]:
    pairs = [(2, classes, spelling) for spelling, classes in TWO.items()]
    pairs += [(3, classes, spelling) for spelling, classes in THREE.items()]
    return [
        pytest.param(name, k, classes, id=f"{name}-{k}-{spelling}")
        for name in MODELS
        for k, classes, spelling in pairs
        if not (name == "sklearn_tree" and spelling == "mixed") and spelling != "codes"
    ]


@pytest.mark.parametrize(("name", "k", "classes"), cases())
def test_classes_are_only_renamed(name, k, classes, plain):
    c = taking_codes(MODELS[name](classes))
    assert set(c.classes) == set(classes)
    assert answers(c, *named(c)) == plain(name, k)


@pytest.mark.parametrize("classes", [(1, 2), (True, False), (2, 0, 1), ("1", "0")], ids=str)
def test_files_keep_what_labels_mean(classes, tmp_path):
    c = taking_codes(bayes(classes))
    expected = answers(c, *named(c))
    c.save(tmp_path / "model.symcf")
    for again in (
        symcf.load(tmp_path / "model.symcf"),
        pickle.loads(pickle.dumps(c)),
        symcf.compile(symcf.model_from_json(c.model.to_json())),
    ):
        assert again.classes == c.classes
        assert answers(again, *named(again)) == expected


@pytest.mark.parametrize(
    "features",
    [["1", "0", "3", "2"], ["0", "1", "2", "3"], ["x1", "x0", "-1", "0.5"], ["true", "a b", "=", "in"]],
    ids=str,
)
@pytest.mark.parametrize("make", [bayes, linear])
def test_features_are_only_renamed(make, features, plain):
    c = taking_codes(make((0, 1), features=features))
    assert answers(c, *named(c)) == plain(make.__name__, 2)
    row = all_rows(c)[3]
    by_name = dict(zip(features, row.tolist(), strict=True))
    assert c.explain(by_name).sets == c.explain(row).sets
    assert c.explain(row, immutable=[features[1]]).sets == c.explain(row, immutable=[1]).sets
    assert c.explain(row, cost={features[1]: 5}).sets == c.explain(row, cost={1: 5}).sets


@pytest.mark.parametrize("labels", [(1, 0), (1, 2), (-1, 0), ("1", "0"), (True, False), (0.5, 1), ("no", 1)], ids=str)
def test_values_are_only_renamed(labels, plain):
    c = taking_codes(bayes((0, 1), values=[labels] * 4))
    assert answers(c, *named(c)) == plain("bayes", 2)


@pytest.mark.parametrize(("labels", "label", "code"), [
    ((1, 2), 1, 0), ((1, 2), 2, 1), ((1, 0), 0, 1), (("1", "0"), "0", 1), (("a", "b"), 1, 1), ((True, False), True, 0),
    ((True, False), 1, 0), (("a", "b"), np.int8(0), 0), (((1, 2), (0, 1)), (0, 1), 1),
])  # fmt: skip
def test_labels_come_before_codes(labels, label, code):
    assert code_of(label, labels, "target") == code


@pytest.mark.parametrize(("labels", "label"), [
    ((1, 2), 0), ((1, 2), 3), ((1.5, "a"), 0), ((True, "a"), 0), (("a", "b"), 2), (("a", "b"), -1), (("a", "b"), True),
    (("a", "b"), "0"), (("a", "b"), 1.0), (("a", "b"), ["a"]), (("1", "0"), None),
])  # fmt: skip
def test_what_is_neither_is_refused(labels, label):
    with pytest.raises(symcf.OptionError, match=r"target: .* is not one of the classes"):
        code_of(label, labels, "target")


def test_a_drawing_has_the_right_class_at_its_sinks():
    c = symcf.compile(bayes((1, 2)))
    by_label, by_default = draw(c, of=2).dot, draw(c).dot
    assert by_label == by_default
    assert draw(c, of=1).dot != by_default


@pytest.mark.parametrize("classes", [(1, 2, 3), (2, 1, 0), ("2", "1", "0")], ids=str)
def test_the_command_line_means_the_label(classes, tmp_path):
    c = taking_codes(bayes(classes))
    c.model.to_json(tmp_path / "model.json")
    row = all_rows(c)[7]
    (tmp_path / "rows.csv").write_text(",".join(c.features) + "\n" + ",".join(map(str, row)) + "\n")
    now = int(c.predict([row], codes=True)[0])
    said = output("predict", tmp_path / "model.json", tmp_path / "rows.csv", "--format", "csv").splitlines()
    assert str(classes[now]) in said[1].split(",")
    for k in set(range(3)) - {now}:
        files = (tmp_path / "model.json", tmp_path / "rows.csv", "--target", classes[k], "--format", "jsonl")
        found = output("count", *files)
        assert f'"count": {c.count(row, target=classes[k])}' in found
    assert output("cnf", tmp_path / "model.json", "--of", classes[2]) == c.cnf(of=classes[2]).to_dimacs()


# --- features ---------------------------------------------------------------------------------------------------------

NAMES = ("E", "WE", "GPA", "FA")


@pytest.mark.parametrize(("feature", "index"), [("WE", 1), (1, 1), (np.int8(3), 3)], ids=str)
def test_a_feature_by_name_or_index(feature, index):
    assert feature_index(feature, NAMES, "option") == index
    assert feature_indices(feature, NAMES, "option") == (index,)


def test_several_features_come_sorted_and_once():
    assert feature_indices(["FA", 0, "E", np.uint8(2)], NAMES, "option") == (0, 2, 3)
    assert feature_indices((), NAMES, "option") == ()


@pytest.mark.parametrize("feature", ["age", 4, -1, 1.0, None, True, [1]], ids=repr)
def test_what_is_no_feature_is_named_with_the_option(feature):
    with pytest.raises(symcf.OptionError, match="immutable") as error:
        feature_indices([feature], NAMES, "immutable")
    assert repr(feature) in str(error.value) or str(feature) in str(error.value)


def test_features_must_be_listed():
    with pytest.raises(symcf.OptionError, match=r"immutable.*1\.5"):
        feature_indices(1.5, NAMES, "immutable")


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        (["no", "yes", "maybe"], "U"),
        ([-5, 0, 7], "i"),
        ([1, 2, 3], "i"),
        ([0.5, -1.0, 2.0], "f"),
        ([False, True], "b"),
        ([1, "yes", None], "O"),
        ([("a", 1), ("a", 2)], "O"),
        (["no\0", "no"], "O"),
        ([2**70, 1], "O"),
    ],
)
def test_predict_gives_labels(classes, kind):
    table = [i % len(classes) for i in range(6)]
    c = symcf.compile(symcf.from_function(lambda row: classes[table[3 * row[0] + row[1]]], [2, 3], classes=classes))
    rows = list(product(range(2), range(3)))
    found = c.predict(rows)
    assert (found.dtype.kind, found.tolist()) == (kind, [classes[k] for k in table])
    assert [type(label) for label in found.tolist()] == [type(classes[k]) for k in table]
    codes = c.predict(rows, codes=True)
    assert (codes.dtype, codes.tolist()) == (np.uint8, table)
    assert c.classes_ == c.classes == tuple(classes)
    assert c.predict(np.empty((0, 2), dtype=int)).shape == (0,)


def test_labels_are_those_of_the_estimator():
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    X = np.random.default_rng(0).normal(size=(60, 3))
    for classes in ([1, 2, 3], [-1, 0, 1], ["b", "a", "c"], [True, False, True]):
        y = np.array(classes)[np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5])]
        for estimator in (DecisionTreeClassifier(max_depth=3, random_state=0), LogisticRegression()):
            fitted = estimator.fit(X, y)
            c = symcf.compile(fitted, X)
            assert c.predict(X).tolist() == fitted.predict(X).tolist()
            assert c.predict(X).dtype.kind == fitted.predict(X).dtype.kind
            assert list(c.classes_) == fitted.classes_.tolist()
