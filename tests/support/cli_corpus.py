"""Small models of every kind, with rows for each: what the tests of the command line start from."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

import symcf
from symcf.demo import admission

COLOURS = ["red", "green", "blue"]


def three_classes() -> symcf.NaiveBayes:
    tables = [[[0.2, 0.3, 0.5], [0.6, 0.2, 0.2], [0.1, 0.8, 0.1]], [[0.3, 0.7], [0.5, 0.5], [0.9, 0.1]]]
    return symcf.NaiveBayes(
        [0.3, 0.3, 0.4],
        tables,
        features=["colour", "größe"],
        values=[COLOURS, ["small", "large"]],
        classes=["no", "maybe", "yes"],
    )


def linear() -> symcf.LinearClassifier:
    return symcf.LinearClassifier(
        [[0.0, 1.5], [0.0, -2.0, 0.5], [0.25, 1.0]], -1.0, features=["a", "b", "c"], classes=["reject", "accept"]
    )


def tree() -> symcf.Model:
    """A pipeline that reads raw columns."""
    import pandas
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    pipeline = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough"),
        DecisionTreeClassifier(max_depth=4, random_state=0),
    )
    random = np.random.default_rng(0)
    age, income = random.integers(18, 80, 200), random.uniform(0, 5000, 200).round(1)
    job = random.choice(["clerk", "baker", "none"], 200)
    frame = pandas.DataFrame({"age": age, "job": job, "income": income})
    approved = np.where((income > 2000) & (age > 30) | (job == "baker"), "approved", "declined")
    return symcf.from_sklearn(pipeline.fit(frame, approved))


ROWS: dict[str, tuple[list[str], list[list[object]]]] = {
    "admission": (
        ["entrance exam", "work experience", "GPA", "first application"],
        [[1, 0, 1, 0], [0, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]],
    ),
    "three": (["colour", "größe"], [["red", "small"], ["blue", "large"], ["green", 0]]),
    "linear": (["a", "b", "c"], [[0, 1, 0], [1, 2, 1], [0, 0, 0]]),
    "tree": (["age", "job", "income"], [[25, "clerk", 1200.5], [60, "none", 2500], [40, "baker", 0]]),
}


def write(folder: Path) -> dict[str, tuple[Path, Path]]:
    """The corpus as files: name -> (model, data)."""
    models = {"admission": admission(), "three": three_classes(), "linear": linear(), "tree": tree()}
    files = {}
    for name, model in models.items():
        columns, rows = ROWS[name]
        data = folder / f"{name}.csv"
        with data.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([columns, *rows])
        model.to_json(folder / f"{name}.json")
        compiled = symcf.compile(model)
        for label in compiled.classes[1:]:
            compiled.diagram_of(label)
        compiled.save(folder / f"{name}.symcf")
        files[name] = (folder / f"{name}.json", data)
        files[f"{name} saved"] = (folder / f"{name}.symcf", data)
    cnbc = folder / "numbers.cnbc"
    cnbc.write_text("2\n0.7 0.3\n3\n2\n0.6 0.4\n0.2 0.8\n3\n0.2 0.3 0.5\n0.5 0.25 0.25\n2\n0.9 0.1\n0.3 0.7\n")
    numbers = folder / "numbers.csv"
    numbers.write_text("x0,x1,x2\n0,0,0\n1,2,1\n0,1,1\n")
    files["numbers"] = (cnbc, numbers)
    return files
