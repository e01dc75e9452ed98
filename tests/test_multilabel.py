"""Several labels: what is refused, files, the command line. The answers themselves: tests/multilabel_random.py."""

from __future__ import annotations

import multilabel_random
import numpy as np
import pandas as pd
import pytest

import symcf
from symcf import ModelError, MultiLabel, OptionError
from symcf.cli.app import run

FEATURES = ["job", "savings", "married"]


def two_labels() -> MultiLabel:
    loan = symcf.LinearClassifier([2, 1, 1], -2, features=FEATURES, classes=["no", "yes"])
    card = symcf.LinearClassifier([1, -1], 0, features=["job", "married"], classes=["no", "yes"])
    return MultiLabel({"loan": loan, "card": card})


def test_random_models():
    done, failures = multilabel_random.round_of(seed=3, count=12)
    assert not failures, failures[0]
    assert done > 150


def test_what_is_refused_is_named():
    m = two_labels()
    x = [1, 0, 0]
    for options, match in (
        ({"target": {"loan": "perhaps"}}, r"target\['loan'\]: 'perhaps' is not one of"),
        ({"target": {"house": "yes"}}, "target: there is no label 'house': choose from 'loan', 'card'"),
        ({"target": {"loan": "yes"}, "keep": ["house"]}, "keep: there is no label 'house'"),
        ({"target": {"loan": "yes"}, "keep": "loan"}, "keep: 'loan' is in the target, too"),
        ({"target": "yes"}, "target must map labels to the classes"),
        ({"target": {}}, "target must map labels to the classes"),
        ({"target": {"card": "yes"}}, "the row already has card = yes"),
    ):
        with pytest.raises(OptionError, match=match):
            m.explain(x, **options)
    with pytest.raises(OptionError, match="models must map"):
        MultiLabel({})
    with pytest.raises(OptionError, match="at least one label must have a model"):
        MultiLabel({"a": (1,)})


def test_estimators_that_are_not_read_are_named():
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.multioutput import ClassifierChain, MultiOutputClassifier

    X, Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    for estimator, match in (
        (LogisticRegression().fit(X, Y[:, 0]), "LogisticRegression is not a classifier of several labels"),
        (MultiOutputClassifier(LogisticRegression()), "MultiOutputClassifier is not fitted"),
        (OneVsRestClassifier(LogisticRegression()).fit(X, [0, 1, 2, 2]), "one label of several classes"),
        (
            ClassifierChain(LogisticRegression(), chain_method="predict_proba").fit(X, Y),
            "feeds numbers, not classes, into the next classifier",
        ),
    ):
        with pytest.raises(ModelError, match=match):
            MultiLabel.of(estimator)
    fitted = MultiOutputClassifier(LogisticRegression()).fit(X, Y)
    with pytest.raises(ModelError, match=r"it has several labels; use symcf\.MultiLabel\.of"):
        symcf.compile(fitted)
    with pytest.raises(OptionError, match="names must be 2 different names"):
        MultiLabel.of(fitted, ["a", "a"])
    assert MultiLabel.of(fitted).names == ("y0", "y1")


def test_a_label_that_never_changes():
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.tree import DecisionTreeClassifier

    X, Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([[0, 1], [0, 1], [1, 1], [1, 1]])
    with pytest.warns(UserWarning, match="present in all training examples"):
        fitted = OneVsRestClassifier(DecisionTreeClassifier()).fit(X, Y)
    m = MultiLabel.of(fitted)
    assert m.classes("y1") == (1,)
    assert m.predict(X).tolist() == [[0, 0], [0, 0], [1, 0], [1, 0]]
    assert m.labels_of([0, 1]) == {"y0": 0, "y1": 1}
    assert m.explain([0, 1], target={"y0": 1}, keep="all").sets == [(0,)]
    assert MultiLabel.from_dict(m.to_dict()).labels_of([1, 1]) == {"y0": 1, "y1": 1}
    for labels in (["y0", "y0"], ["y0", "y0", "y1"], ["y0"], "y0", [["y0"], "y1"]):
        with pytest.raises(ModelError):
            MultiLabel.from_dict(m.to_dict() | {"labels": labels})


def test_a_chain_reads_the_labels_before_it():
    first = symcf.from_function(lambda row: row[0], 1, features=["a"], classes=("no", "yes"))
    second = symcf.from_function(
        lambda row: row[0] and row[1], [2, 2], features=["b", "first"], values=[[0, 1], ["yes", "no"]], classes=(0, 1)
    )
    m = MultiLabel({"first": first, "second": second}, chain=True)
    assert m.columns.features == ("a", "b")
    assert m.labels_of([0, 1]) == {"first": "no", "second": 1}  # b, and first is not "yes"
    assert m.explain([1, 1], target={"second": 1}).sets == [(0,)]
    assert not len(m.explain([1, 1], target={"second": 1}, keep="all"))
    turned = MultiLabel({"second": second, "first": first}, chain=True)
    with pytest.raises(ModelError, match="reads the label 'first', which does not come before it"):
        turned.labels_of([0, 1])


@pytest.mark.parametrize("form", [list, np.array, pd.DataFrame, dict])
def test_batches_of_any_form(form):
    m = two_labels()
    rows = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    given = {
        list: lambda: rows,
        np.array: lambda: np.array(rows, dtype=np.int8),
        pd.DataFrame: lambda: pd.DataFrame(rows, columns=FEATURES, index=list("abcdefgh")),
        dict: lambda: {name: [row[j] for row in rows] for j, name in enumerate(FEATURES)},
    }[form]()
    batch = m.explain_batch(given, target={"loan": "yes"}, keep="all")
    assert len(batch) == 8
    for row, found in zip(rows, batch, strict=True):
        there = m.labels_of(row)["loan"] == "yes"
        assert found.sets == ([] if there else m.explain(row, target={"loan": "yes"}, keep="all").sets)
    frame = batch.to_frame()
    for row, changed in frame.iterrows():
        place = list("abcdefgh").index(row[0]) if form is pd.DataFrame else row[0]
        after = m.labels_of(changed.tolist())
        assert after == {"loan": "yes", "card": m.labels_of(rows[place])["card"]}


def test_files_and_the_command_line(tmp_path, capsys):
    m = two_labels()
    m.save(tmp_path / "labels.json")
    assert MultiLabel.load(tmp_path / "labels.json").to_dict() == m.to_dict()
    goal = ["goal", str(tmp_path / "labels.json"), "--label", "loan=yes", "--label", "card=yes"]
    assert run([*goal, "-o", str(tmp_path / "goal.symcf")]) == 0
    pd.DataFrame([[1, 0, 0]], columns=FEATURES).to_csv(tmp_path / "rows.csv", index=False)
    assert run(["explain", str(tmp_path / "goal.symcf"), str(tmp_path / "rows.csv")]) == 0
    assert "savings" in capsys.readouterr().out
    assert run([*goal[:-1], "card=maybe", "-o", str(tmp_path / "x.symcf")]) == 2
    assert run([*goal[:-1], "house=1", "-o", str(tmp_path / "x.symcf")]) == 2
    assert "the labels are loan, card" in capsys.readouterr().err
    (tmp_path / "bad.json").write_text('{"model": "multilabel", "labels": ["a"], "models": []}')
    assert run(["goal", str(tmp_path / "bad.json"), "--label", "a=1", "-o", str(tmp_path / "x.symcf")]) == 2


def test_labels_of_a_chain_come_as_the_estimator_gives_them(tmp_path):
    trees, chains = pytest.importorskip("sklearn.tree"), pytest.importorskip("sklearn.multioutput")
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 5, (80, 2))
    labels = np.column_stack([rows.sum(axis=1) > 4, rows[:, 0] > 2, rows[:, 1] < 2]).astype(int)
    tree = trees.DecisionTreeClassifier(max_depth=3, random_state=0)
    fitted = chains.ClassifierChain(tree, order=[2, 0, 1]).fit(rows, labels)
    made = symcf.MultiLabel.of(fitted, names=["p", "q", "r"])
    made.save(tmp_path / "labels.json")
    for m in (made, symcf.MultiLabel.load(tmp_path / "labels.json")):
        assert m.names == ("p", "q", "r")
        assert m.predict(rows).tolist() == fitted.predict(rows).astype(int).tolist()
        assert list(m.labels_of(rows[0]).items()) == list(
            zip("pqr", fitted.predict(rows[:1])[0].astype(int), strict=True)
        )
    with pytest.raises(symcf.OptionError, match="each label once"):
        symcf.MultiLabel(made.models, chain=True, names=["p", "q", "q"])
