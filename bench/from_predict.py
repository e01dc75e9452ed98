"""Classifiers that can only be asked: all change sets of up to three changes, and what the asking takes.

    python bench/from_predict.py [--rows 1]
                                    a minute; prints what it finds, writes results/from_predict.json; --quick

An MLP and a kernel machine of scikit-learn on three tables, with symcf's own choice of values (up to ten numbers per
column). By row and number of changes: the sets, the rows that were asked, the seconds, and the part of them that passed
inside `predict`. DiCE, its method `random`, is asked for ten counterfactuals of the same rows where it takes the model:
two classes, probabilities, columns of numbers; it lives in the environment of tree_peers.py.
"""

from __future__ import annotations

import copy
import os
import time
from dataclasses import dataclass
from typing import Any

import common
import numpy as np
import pandas as pd
from common import Spread
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.impute import SimpleImputer
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from tree_peers import SAMPLES, ask, set_up

import symcf
import symcf.datasets

#: The most changes that are asked about.
MOST = common.sized(3, 1)


@dataclass(frozen=True)
class Task:
    name: str
    estimator: Any
    table: Any
    #: Can DiCE take it?
    for_dice: bool = False


def tasks() -> list[Task]:
    found = []
    for name, load in (("breast_cancer", load_breast_cancer), ("wine", load_wine)):
        table, labels = load(return_X_y=True)
        for last in (mlp(), SVC()):
            dice = name == "breast_cancer" and isinstance(last, MLPClassifier)
            found.append(
                Task(f"{name}, {kind(last)}", make_pipeline(StandardScaler(), last).fit(table, labels), table, dice)
            )
    credit = symcf.datasets.credit()
    table = credit.data.reset_index(drop=True)
    for last in (mlp(), SVC()):
        columns = make_column_transformer(
            (make_pipeline(SimpleImputer(), StandardScaler()), make_column_selector(dtype_include="number")),
            remainder=OneHotEncoder(handle_unknown="ignore"),
        )
        found.append(Task(f"credit, {kind(last)}", make_pipeline(columns, last).fit(table, credit.target), table))
    return found


def mlp() -> MLPClassifier:
    return MLPClassifier((32,), max_iter=2000, random_state=0)


def kind(estimator: Any) -> str:
    return "network" if isinstance(estimator, MLPClassifier) else "kernel machine"


class Counted:
    """A classifier's `predict`, with its rows counted and its time taken."""

    def __init__(self, estimator: Any) -> None:
        self.classes_, self._predict = estimator.classes_, estimator.predict
        self.rows, self.seconds = 0, 0.0

    def predict(self, table: Any) -> Any:
        start = time.thread_time()
        labels = self._predict(table)
        self.seconds += time.thread_time() - start
        self.rows += len(table)
        return labels


def measured(task: Task, n_rows: int) -> dict[str, Any]:
    counted = Counted(task.estimator)
    c = symcf.compile(symcf.from_predict(counted, task.table))
    places = range(0, len(task.table), max(1, len(task.table) // n_rows))[:n_rows]
    rows = [task.table.iloc[[i]] if isinstance(task.table, pd.DataFrame) else task.table[i] for i in places]
    by_size = []
    for most in range(1, MOST + 1):
        sets, asked, seconds, inside = [], [], [], []
        for row in rows:
            counted.rows, counted.seconds = 0, 0.0
            start = time.thread_time()
            sets.append(c.count(row, max_changes=most))
            seconds.append(time.thread_time() - start)
            asked.append(counted.rows)
            inside.append(counted.seconds / seconds[-1])
            if sets[-1]:
                check(task, row, c.explain(row, k=SAMPLES, max_changes=most))
        line = {"changes": most, "sets": Spread.of(sets), "asked": Spread.of(asked), "seconds": Spread.of(seconds)}
        by_size.append(line | {"inside": Spread.of(inside)})
        print(task.name, by_size[-1], flush=True)
    found = {"features": c.n_features, "values": Spread.of(map(len, c.values)), "rows": len(rows), "by_size": by_size}
    return found | ({"dice": beside_dice(task, c, rows)} if task.for_dice else {})


def check(task: Task, row: Any, e: symcf.Explanation) -> None:
    """The first counterfactuals, asked of the estimator itself."""
    for cf in e:
        table = cf.row if isinstance(cf.row, pd.DataFrame) else [cf.row]
        assert task.estimator.predict(table)[0] == e.classes[cf.target], f"{task.name}: {cf}"


def beside_dice(task: Task, c: symcf.Compiled, rows: list[Any]) -> dict[str, Any]:
    """How many of DiCE's counterfactuals flip the decision, and how many change more than they need to."""
    model = copy.deepcopy(task.estimator)
    del model[-1]._random_state, model[-1]._optimizer  # numpy 1, which DiCE needs, cannot read them
    theirs = ask("dice", "dice", model=model, table=task.table, rows=np.array(rows), count=SAMPLES)
    given = flipping = needless = 0
    changes = []
    for row, answer in zip(rows, theirs["answers"], strict=True):
        now = task.estimator.predict([row])[0]
        for other in map(np.array, answer["rows"]):
            given += 1
            if task.estimator.predict([other])[0] == now:
                continue
            flipping += 1
            changed = np.flatnonzero(other != row)
            changes.append(len(changed))
            fewer = [np.where(np.arange(len(row)) == j, row, other) for j in changed]
            needless += bool((task.estimator.predict(fewer) != now).any())
    seconds = Spread.of(answer["seconds"] for answer in theirs["answers"])
    return {
        "versions": theirs["versions"], "seconds": seconds, "wanted": SAMPLES * len(rows), "given": given,
        "flipping": flipping, "needless": needless, "changes": Spread.of(changes) if changes else None,
    }  # fmt: skip


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--rows", type=int, default=1, help="of each table")
    given = parser.parse_args()
    set_up("dice", "requirements-dice.txt")
    load = os.getloadavg()[0]
    found = {task.name: measured(task, given.rows) for task in tasks()}
    machine = common.machine()
    for one in found.values():
        machine["packages"] |= one["dice"].pop("versions") if "dice" in one else {}
    common.write("from_predict", {"machine": machine, "load": load, "models": found})


if __name__ == "__main__":
    main()
