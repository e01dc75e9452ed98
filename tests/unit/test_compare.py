"""Two classifiers compared: objects, pictures and the command line. Answers: tests/drivers/algebra_random.py."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import symcf
from symcf.cli.app import run

FEATURES = ["age", "job", "own"]


def linear(weights, bias, classes=("no", "yes")):
    return symcf.LinearClassifier(weights, bias, features=FEATURES, classes=classes)


@pytest.fixture
def pair():
    return linear([2, 1, 1], -2), linear([2, 1, 1], -1)


def test_all_that_a_difference_says(pair):
    rows = [[0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]]
    found = symcf.difference(*pair, data=rows)
    assert (found.count, found.total, float(found.share)) == (2, 8, 0.25)
    assert found.data_rows.tolist() == [1, 2]
    assert (found.n_data, found.equal, found.bound) == (4, False, "")
    (change,) = found.changes
    assert (change.first, change.second, change.count) == ("no", "yes", 2)
    assert repr(change) == "Change('no' -> 'yes', 2 rows)"
    assert sorted(map(str, change.cubes()[0])) == ["age = 0, job = 1, own = 1", "age = 1, job = 0, own = 0"]
    assert change.rows().count == 2
    assert str(found).splitlines()[:5] == [
        "2 of 8 possible rows are decided differently (25 %)",
        "2 of 4 rows of the data are decided differently (50 %)",
        "  age 0 and job 1: 1 of 4 rows of the data, from no to yes",
        "  age 1 and job 0: 1 of 4 rows of the data, from no to yes",
        "no -> yes: 2 possible rows",
    ]
    assert repr(found) == "Difference(2 of 8 rows)"
    assert found.to_frame().to_dict("records")[0].keys() == {"first", "second", "rows", *FEATURES}
    assert found.to_dict()["data"].items() >= {"rows": 4, "different": [1, 2], "not_in_boxes": 0}.items()
    assert json.loads(json.dumps(found.to_dict()))["changes"][0]["count"] == 2
    assert found.nearest([1, 0, 0]) == [1, 0, 0]
    assert found.nearest([0, 0, 0]) == [1, 0, 0]
    assert found.nearest({"age": 1, "job": 1, "own": 1}, immutable=["age"]) == {"age": 1, "job": 0, "own": 0}
    assert found.nearest([1, 1, 1], immutable=["job"]) == [0, 1, 1]
    assert found.model.classes == ("same", "different")


def test_equal_ones(pair):
    found = symcf.difference(pair[0], symcf.compile(pair[0], order="natural"), data=np.zeros((0, 3), dtype=int))
    assert (found.count, found.changes, found.equal, found.n_data) == (0, (), True, 0)
    assert found.nearest([0, 0, 0]) is None
    assert symcf.equivalent(*[pair[0]] * 2)
    assert not symcf.equivalent(*pair)
    no_rows = symcf.difference(*pair)
    with pytest.raises(symcf.OptionError, match="no rows were given"):
        no_rows.data_rows  # noqa: B018


def test_classes_are_matched_by_name(pair):
    turned = linear([-2, -1, -1], 1.5, ("yes", "no"))  # the same decisions
    assert symcf.equivalent(pair[0], linear([2, 1, 1], -2.0))
    assert symcf.equivalent(linear([2, 1, 1], -1.5), turned) is True
    three = symcf.from_function(lambda row: sum(row) % 3, 3, features=FEATURES, classes=("no", "yes", "maybe"))
    found = symcf.difference(pair[0], three)
    assert {(change.first, change.second) for change in found.changes} <= {
        ("no", "yes"), ("no", "maybe"), ("yes", "no"), ("yes", "maybe")
    }  # fmt: skip
    assert sum(change.count for change in found.changes) == found.count


def test_a_forest_too_large_for_a_diagram_is_compared_on_data():
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import RandomForestClassifier

    X, y = load_breast_cancer(return_X_y=True)
    fitted = [RandomForestClassifier(20, random_state=seed).fit(X[:300], y[:300]) for seed in (0, 1)]
    forests = [symcf.compile(forest) for forest in fitted]
    found = symcf.difference(*forests, data=X, time_limit=1)
    different = np.flatnonzero(fitted[0].predict(X) != fitted[1].predict(X))
    assert found.data_rows.tolist() == different.tolist()
    assert "time limit reached" in found.bound
    assert "all possible rows were not compared: time limit" in str(found)
    assert found.to_dict()["bound"] == found.bound
    with pytest.raises(symcf.OptionError, match="only the rows of the data were compared: time limit"):
        found.changes  # noqa: B018
    with pytest.raises(symcf.LimitError):
        symcf.difference(*forests, time_limit=0.05)


def test_ranges_without_a_possible_number_do_not_count():
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.tree import DecisionTreeClassifier

    X = pd.DataFrame({"age": [20, 25, 26, 40] * 10, "size": [1.0, 2.0, 3.0, 4.0] * 10})
    y = ["no", "no", "yes", "yes"] * 10
    tree = DecisionTreeClassifier(max_depth=1).fit(X[["age"]], y)  # rounds to 32 bits
    boosted = HistGradientBoostingClassifier(max_iter=1, max_depth=1, min_samples_leaf=1).fit(X[["age"]], y)
    found = symcf.difference(tree, boosted)
    assert found.count == 1
    assert 25.5 < found.rows()[0]["age"] < 25.51
    assert not symcf.equivalent(tree, boosted)
    assert symcf.equivalent(tree, boosted, resolution={"age": 1})
    assert symcf.difference(tree, boosted, resolution={"age": 0.5}).total == 2
    with pytest.raises(symcf.OptionError, match="resolution: the classifier has no feature 'height'"):
        symcf.equivalent(tree, boosted, resolution={"height": 1})
    coded = linear([1, 1, 1], 0)
    with pytest.raises(symcf.OptionError, match="'age' is not a column of ranges"):
        symcf.equivalent(coded, linear([1, 1, 1], -1), resolution={"age": 1})


def test_time_limits(pair):
    found = symcf.difference(*pair)
    with pytest.raises(symcf.LimitError):
        found.changes[0].cubes(time_limit=0)
    counted, reason = found.text(time_limit=0).splitlines()
    assert counted == str(found).splitlines()[0]
    assert reason.startswith("where else they differ was not found: time limit reached")
    told = found.to_dict(time_limit=0)
    assert told["limit"].startswith("time limit reached")
    assert (told["count"], told["changes"]) == (found.count, [])
    assert "limit" not in found.to_dict()
    for call in (found.text, found.to_dict):
        with pytest.raises(symcf.OptionError, match="most must be an integer"):
            call(0)


@pytest.mark.slow
def test_picture(pair):
    axes = symcf.plots.difference(symcf.difference(*pair))
    assert axes.get_title(loc="left").startswith("2 of 8 possible rows")
    assert len(axes.patches) == 2 * 2 * 3  # two boxes: a band and what is coloured of it for each feature
    assert {label.get_text() for label in axes.get_yticklabels()} == {"no → yes"}
    assert [text.get_text() for text in axes.texts][3] == "50 %"
    alike = symcf.plots.difference(symcf.difference(pair[0], pair[0]))
    with pytest.raises(TypeError, match=r"plots\.difference shows a Difference, not a str"):
        symcf.plots.difference("v1")
    assert alike.texts[0].get_text() == "All 8 possible rows are decided alike."


def test_command_line(pair, tmp_path, capsys):
    files = [tmp_path / "v1.symcf", tmp_path / "v2.json"]
    symcf.compile(pair[0]).save(files[0])
    pair[1].to_json(files[1])
    pd.DataFrame([[1, 0, 0, "x"], [1, 1, 1, "y"]], columns=[*FEATURES, "name"]).to_csv(
        tmp_path / "rows.csv", index=False
    )
    assert run(["diff", *map(str, files), "--data", str(tmp_path / "rows.csv"), "--boxes", "1"]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == [
        "2 of 8 possible rows are decided differently (25 %)",
        "1 of 2 rows of the data is decided differently (50 %)",
    ]
    assert printed[-1] == "  and 1 row that this box does not hold"
    assert run(["diff", str(files[0]), str(files[0]), "-f", "json", "-o", str(tmp_path / "out.json")]) == 0
    assert json.loads((tmp_path / "out.json").read_text())["equal"] is True
    assert run(["diff", str(files[0]), str(tmp_path / "missing.json")]) == 2
    linear([1, 1, 1], 0, (0, 1)).to_json(tmp_path / "other.json")
    assert run(["diff", str(files[0]), str(tmp_path / "other.json")]) == 2
    assert "no class in common" in capsys.readouterr().err
    assert run(["diff", *map(str, files), "--data", "-"]) == 2


def test_many_neighbouring_numbers_are_said_as_a_range():
    """Numbers of a table are single values of a model over numbers: boxes list them exactly, their text does not."""
    from sklearn.linear_model import LogisticRegression

    rows = pd.DataFrame({"size": np.arange(40) / 10, "n": [0, 1] * 20})
    models = [LogisticRegression(C=100.0).fit(rows, rows["size"] > cut) for cut in (1.25, 2.45)]
    old, new = (model.predict(rows) for model in models)
    found = symcf.difference(*(symcf.compile(model, data=rows) for model in models), data=rows)
    (change,) = found.changes
    wide = max(change.cubes()[0], key=lambda cube: len(cube.ranges["size"]))
    numbers = [part.first for part in wide.ranges["size"]]
    assert (old != new)[rows["size"].isin(numbers)].all()
    assert len(numbers) == 12
    assert str(wide) == "size 1.3 to 2.4"
