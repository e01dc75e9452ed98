"""Several models, margins and widths on the command line."""

import io
import json

import joblib
import numpy as np
import pytest
from command_line import error, output
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import symcf

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def lenders(tmp_path_factory):
    """Two trees and a regression in files, the models themselves, and declined rows."""
    rng = np.random.default_rng(1)
    table = pandas.DataFrame({"income": rng.integers(10, 60, 200), "debts": rng.integers(0, 6, 200)})
    labels = np.where(table.income - 5 * table.debts > 20, "approved", "declined")
    models = {
        "old": DecisionTreeClassifier(max_depth=3, random_state=0).fit(table, labels),
        "new": DecisionTreeClassifier(max_depth=4, random_state=3).fit(table[:100], labels[:100]),
        "line": LogisticRegression().fit(table.astype(float), labels),
    }
    folder = tmp_path_factory.mktemp("lenders")
    for name, model in models.items():
        symcf.from_model(model, data=table).to_json(folder / f"{name}.json")
    declined = table[[all(m.predict(table.iloc[[i]])[0] == "declined" for m in models.values()) for i in range(200)]]
    declined[:3].to_csv(folder / "rows.csv", index=False)
    return folder, models


def changed(*arguments):
    """The changed rows that a command writes."""
    told = pandas.read_csv(
        io.StringIO(output("explain", *arguments, "--target", "approved", "--format", "csv", "--rows"))
    )
    assert len(told) >= 3
    return told[["income", "debts"]]


def test_all_models_decide_for_the_suggested_rows(lenders):
    folder, models = lenders
    rows = changed(
        *(folder / "old.json", folder / "rows.csv"),
        *("--with-model", folder / "new.json", "--with-model", folder / "line.json"),
    )
    for model in models.values():
        assert set(model.predict(rows)) == {"approved"}


def test_rows_within_the_width_are_decided_likewise(lenders):
    folder, models = lenders
    rows = changed(folder / "old.json", folder / "rows.csv", "--width", "income=2")
    for near in (-2, -1, 0, 1, 2):
        assert set(models["old"].predict(rows.assign(income=rows.income + near))) == {"approved"}


def test_the_score_passes_the_cut_by_the_margin(lenders):
    folder, models = lenders
    rows = changed(folder / "line.json", folder / "rows.csv", "--margin", "0.5")
    assert (models["line"].decision_function(rows.astype(float)) <= -0.5).all()  # "approved" is the first class


def test_mistakes(lenders):
    folder, _ = lenders
    explain = ("explain", folder / "old.json", folder / "rows.csv")
    assert "--target" in error(*explain, "--with-model", folder / "new.json")
    assert "margin" in error(*explain, "--target", "approved", "--margin", "-1")
    assert "income" in error(*explain, "--target", "approved", "--width", "incom=2")


def test_further_models_may_be_pickles(lenders, tmp_path):
    folder, models = lenders
    joblib.dump(models["new"], tmp_path / "new.joblib")
    rows = changed(folder / "old.json", folder / "rows.csv", "--with-model", tmp_path / "new.joblib", "--trust")
    assert set(models["new"].predict(rows)) == {"approved"}


def test_actions_for_groups_of_people_reach_what_is_asked(lenders):
    """By hand: the action is applied to the rows in the file, and the model itself decides."""
    folder, models = lenders
    question = (folder / "line.json", folder / "rows.csv", "--target", "approved", "--actions", "1", "-f", "json")
    found = json.loads(output("recourse", *question, "--min-probability", "0.9"))
    (action,) = found["actions"]
    rows = pandas.read_csv(folder / "rows.csv")
    for step in action["steps"]:
        rows[step["name"]] = step["value"] if "value" in step else rows[step["name"]] + step["add"]
    probability = models["line"].predict_proba(rows.astype(float))[:, 0]  # "approved" is the first class
    assert action["helps"] == (probability >= 0.9).sum() > 0
