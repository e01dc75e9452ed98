"""Several labels: what is refused, files, the command line. Answers: tests/drivers/multilabel_random.py."""

from __future__ import annotations

import json
import pickle
from itertools import product

import multilabel_random
import numpy as np
import pandas as pd
import pyarrow as pa
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
        ({"target": {"loan": "yes"}, "keep": None}, "keep must list labels, not None"),
        ({"target": {"loan": "yes"}, "keep": [["card"]]}, r"keep: there is no label \['card'\]"),
        ({"target": {1: "yes"}}, "target: there is no label 1"),
        ({"target": {"loan": ["yes"]}}, r"target\['loan'\]: \['yes'\] is not one of"),
    ):
        with pytest.raises(OptionError, match=match):
            m.explain(x, **options)
        if "already" not in match:
            for rows in ([x], []):
                with pytest.raises(OptionError, match=match):
                    m.explain_batch(rows, **options)
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
    for names in (["a", "a"], "ab", [1, 2]):
        with pytest.raises(OptionError, match="names must be 2 different names"):
            MultiLabel.of(fitted, names)
    assert MultiLabel.of(fitted).names == ("y0", "y1")


def test_a_label_that_never_changes():
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.tree import DecisionTreeClassifier

    X, Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([[0, 1], [0, 1], [1, 1], [1, 1]])
    with pytest.warns(UserWarning, match="present in all training examples"):
        fitted = OneVsRestClassifier(DecisionTreeClassifier()).fit(X, Y)
    m = MultiLabel.of(fitted)
    assert m.classes("y1") == (1,)
    assert m.predict(X, codes=True).tolist() == [[0, 0], [0, 0], [1, 0], [1, 0]]
    assert m.labels_of([0, 1]) == {"y0": 0, "y1": 1}
    assert m.explain([0, 1], target={"y0": 1}, keep="all").sets == [(0,)]
    assert MultiLabel.from_dict(m.to_dict()).labels_of([1, 1]) == {"y0": 1, "y1": 1}
    for labels in (["y0", "y0"], ["y0", "y0", "y1"], ["y0"], "y0", [["y0"], "y1"]):
        with pytest.raises(ModelError):
            MultiLabel.from_dict(m.to_dict() | {"labels": labels})


def _small():
    X = np.array(list(product((0.0, 1.0), repeat=3)))
    return X, np.stack([X[:, 0], X[:, 1] * X[:, 2]], axis=1).astype(int)


def test_one_vs_rest_gives_no_label_to_a_score_of_zero():
    from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    X, Y = _small()
    alike = np.stack([X[:, 0] == X[:, 1], X[:, 1] == X[:, 2]], axis=1).astype(int)  # no single column tells
    stump = GradientBoostingClassifier(init="zero", n_estimators=1, max_depth=1)
    others = [HistGradientBoostingClassifier(), AdaBoostClassifier(n_estimators=2), LogisticRegression()]
    ties = 0
    for member, labels in [(stump, alike), (LogisticRegression(), alike), *((other, Y) for other in others)]:
        fitted = OneVsRestClassifier(member).fit(X, labels)
        scores = np.stack([np.ravel(one.decision_function(X)) for one in fitted.estimators_], axis=1)
        ties += int((scores == 0).sum())
        far = (scores == 0) | (np.abs(scores) > 1e-9)
        multi = symcf.MultiLabel.of(fitted, data=X)
        assert ((multi.predict(X) == fitted.predict(X)) | ~far).all(), type(member).__name__
    assert ties > 0


@pytest.mark.parametrize("constant", [0, 1])
def test_one_vs_rest_takes_its_threshold_from_the_first_label(constant):
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    X, Y = _small()
    X, Y = np.repeat(X, 3, axis=0), np.repeat(Y, 3, axis=0)
    Y[:, 0], Y[::3, 1] = constant, 1 - Y[::3, 1]
    for member in (LogisticRegression(), GradientBoostingClassifier(n_estimators=3), RandomForestClassifier(5)):
        with pytest.warns(UserWarning, match="Label (not )?0 is present in all training examples"):
            fitted = OneVsRestClassifier(member).fit(X, Y)
        multi = symcf.MultiLabel.of(fitted, data=X)
        assert (multi.predict(X) == fitted.predict(X)).all(), type(member).__name__


def test_one_vs_rest_does_not_apply_the_thresholds_of_its_members():
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import FixedThresholdClassifier
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    X, Y = _small()
    member = FixedThresholdClassifier(LogisticRegression(), threshold=0.9)
    for each in (member, make_pipeline(FunctionTransformer(), member)):
        fitted = OneVsRestClassifier(each).fit(X, Y)
        assert (fitted.estimators_[0].predict(X) != fitted.predict(X)[:, 0]).any()
        assert (symcf.MultiLabel.of(fitted, data=X).predict(X) == fitted.predict(X)).all()


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


@pytest.mark.parametrize("form", [list, np.array, pd.DataFrame, dict, pa.table])
def test_batches_of_any_form(form):
    m = two_labels()
    rows = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    given = {
        list: lambda: rows,
        np.array: lambda: np.array(rows, dtype=np.int8),
        pd.DataFrame: lambda: pd.DataFrame(rows, columns=FEATURES, index=list("abcdefgh")),
        dict: lambda: {name: [row[j] for row in rows] for j, name in enumerate(FEATURES)},
        pa.table: lambda: pa.table({name: [row[j] for row in rows] for j, name in enumerate(FEATURES)}),
    }[form]()
    batch = m.explain_batch(given, target={"loan": "yes"}, keep=(name for name in ["card"]))
    assert len(batch) == 8
    for row, found in zip(rows, batch, strict=True):
        there = m.labels_of(row)["loan"] == "yes"
        assert found.sets == ([] if there else m.explain(row, target={"loan": "yes"}, keep="all").sets)
    frame = batch.to_frame(None)
    assert frame.index.is_monotonic_increasing
    assert len(frame) == sum(len(found) for found in batch)
    for row, changed in frame.iterrows():
        place = list("abcdefgh").index(row[0]) if form is pd.DataFrame else row[0]
        after = m.labels_of(changed.tolist())
        assert after == {"loan": "yes", "card": m.labels_of(rows[place])["card"]}


def test_no_rows_and_rows_that_cannot_be_read():
    m = two_labels()
    none = m.explain_batch(pd.DataFrame([], columns=FEATURES), target={"loan": "yes"}, keep="all")
    assert (len(none), list(none.to_frame().columns)) == (0, FEATURES)
    rows = [[1, 0, 0], [9, 0, 0], [0, 0, 0]]
    with pytest.raises(symcf.InstanceError, match="row 1, column 'job'"):
        m.explain_batch(rows, target={"loan": "yes"})
    with pytest.raises(symcf.InstanceError, match="row 1, column 'job'"):
        m.predict(rows, codes=True)
    batch = m.explain_batch(rows, target={"loan": "yes"}, keep="all", errors="mark")
    assert [batch[i].sets for i in (0, 2)] == [
        m.explain(rows[i], target={"loan": "yes"}, keep="all").sets for i in (0, 2)
    ]
    with pytest.raises(symcf.InstanceError, match="could not be read"):
        batch[1]
    assert sorted(set(batch.to_frame(None).index.get_level_values("row"))) == [0, 2]


def test_a_batch_has_one_limit_and_one_progress(monkeypatch):
    m = two_labels()
    rows = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    told = []
    m.explain_batch(rows, target={"loan": "yes"}, keep="all", progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (8, 8)
    left = []
    explain_batch = symcf.fast.explain_batch

    def timed(*given, **options):
        left.append(options["time_limit"])
        return explain_batch(*given, **options)

    monkeypatch.setattr(symcf.fast, "explain_batch", timed)
    m.explain_batch(rows, target={"loan": "yes"}, keep="all", time_limit=100)
    assert len(left) == 2
    assert 100 > left[0] > left[1]
    for call in (m.goal, lambda target, time_limit: m.explain_batch(rows, target=target, time_limit=time_limit)):
        with pytest.raises(OptionError, match="time_limit must be a number of seconds"):
            call({"loan": "yes"}, time_limit=-1)
    fresh = two_labels()
    for call in (fresh.goal, lambda target, time_limit: fresh.explain(rows[0], target=target, time_limit=time_limit)):
        with pytest.raises(symcf.LimitError):
            call({"loan": "yes"}, time_limit=0)
    assert fresh.explain(rows[0], target={"loan": "yes"}).sets


def test_copies_and_constants_of_numpy(tmp_path):
    m = MultiLabel({**two_labels().models, "kind": (np.int64(3),)})
    m.save(tmp_path / "labels.json")
    for other in (pickle.loads(pickle.dumps(m)), MultiLabel.load(tmp_path / "labels.json")):
        assert other.classes("kind") == (3,)
        assert other.explain([1, 0, 0], target={"loan": "yes", "kind": 3}).sets == [(1,), (2,)]


def test_labels_with_signs_on_the_command_line(tmp_path, capsys):
    first, second = two_labels().models.values()
    MultiLabel({"a": first, "a=b": second}).save(tmp_path / "labels.json")
    goal = ["goal", str(tmp_path / "labels.json"), "-o", str(tmp_path / "goal.symcf")]
    assert run([*goal, "--label", "a=yes", "--label", "a=b=no"]) == 0
    assert symcf.load(tmp_path / "goal.symcf").classes[1] == "a = yes, a=b = no"
    assert run([*goal, "--label", "a=yes", "--label", "a=no"]) == 2
    assert "--label: 'a' is given twice" in capsys.readouterr().err
    assert run(["explain", goal[1], goal[1]]) == 2
    assert "a model of several labels: say what they should be with symcf goal" in capsys.readouterr().err


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
    good = m.to_dict()
    for damage, message in (
        ({"models": []}, "lists of the same length"),
        ({"labels": [["a"], "b"]}, "labels must be different names"),
        ({"labels": ["a", "a"]}, "labels must be different names"),
        ({"chain": "x"}, "chain must be true or false, not 'x'"),
        ({"names": "ab"}, "names must list labels, not 'ab'"),
    ):
        (tmp_path / "bad.json").write_text(json.dumps({**good, **damage}))
        assert run(["goal", str(tmp_path / "bad.json"), "--label", "a=1", "-o", str(tmp_path / "x.symcf")]) == 2
        assert message in capsys.readouterr().err


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
