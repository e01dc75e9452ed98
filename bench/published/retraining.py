"""The share of answers that retrained models confirm, on tables of the literature: the ways of `bench/robust.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import artefacts
import numpy as np
import pandas as pd
import robust


def stand_in(folder: Path) -> None:
    """A table of numbers with two classes."""
    from sklearn.datasets import make_classification

    rows, labels = make_classification(400, 6, n_informative=4, random_state=0)
    artefacts.write_table(folder / "standin.csv", rows.round(3), np.where(labels, "yes", "no"), list("abcdef"))


def run(folder: Path) -> list[dict[str, Any]]:
    """All tables of the folder, of whose two classes the last one is wanted."""
    found = []
    for name in artefacts.names_in(folder, ".csv"):
        rows, labels, columns = artefacts.table(folder / f"{name}.csv")
        wanted = sorted(set(labels))[-1]
        y = np.where(np.array(labels) == wanted, "yes", "no")
        lines = robust.survival(name, pd.DataFrame(rows, columns=columns), y)
        found.append({"model": name, **{line["way"]: round(line["share"], 3) for line in lines}})
    return found
