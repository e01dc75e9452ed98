"""Writes the ONNX files that the tests read, as the converters write them, and what onnxruntime says of rows.

    pip install skl2onnx onnxmltools onnxruntime
    python tests/drivers/make_onnx.py            writes tests/data/onnx/*.onnx and *.npz

Rows lie on and beside the cuts of the trees, and some of them have missing numbers where the model takes these. The
tests need none of these libraries.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnxmltools
import onnxruntime
from lightgbm import LGBMClassifier
from onnxmltools.convert.common.data_types import FloatTensorType
from skl2onnx import to_onnx
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

FOLDER = Path(__file__).resolve().parents[1] / "data" / "onnx"
ROWS = 400


def models() -> Iterator[tuple[str, Any, bool]]:
    """By name: what a converter makes of a fitted model, and whether numbers may be missing."""
    flowers, kinds = load_iris(return_X_y=True)
    cells, benign = load_breast_cancer(return_X_y=True)
    flowers, cells = flowers.astype(np.float32), cells[:, :6].astype(np.float32)
    words = np.array(["malignant", "benign"])[benign]
    yield "tree", to_onnx(DecisionTreeClassifier(max_depth=4, random_state=0).fit(flowers, kinds), flowers[:1]), False
    forest = RandomForestClassifier(7, max_depth=4, random_state=0)
    yield "forest", to_onnx(forest.fit(cells, words), cells[:1]), False
    yield "forest of three", to_onnx(forest.fit(flowers, kinds), flowers[:1], options={"zipmap": False}), False
    boosted = GradientBoostingClassifier(n_estimators=8, random_state=0)
    yield "boosted", to_onnx(boosted.fit(cells, words), cells[:1]), False
    yield "boosted of three", to_onnx(boosted.fit(flowers, kinds), flowers[:1]), False
    prices = cells @ np.arange(1, 7) / 100
    regressor = ExtraTreesRegressor(5, max_depth=4, random_state=0)
    yield "forest of numbers", to_onnx(regressor.fit(cells, prices), cells[:1]), False
    numbers = GradientBoostingRegressor(n_estimators=8, random_state=0)
    yield "boosted numbers", to_onnx(numbers.fit(cells, prices), cells[:1]), False
    table = [("X", FloatTensorType([None, 6]))]
    xgboost = XGBClassifier(n_estimators=8, max_depth=4)
    yield "xgboost", onnxmltools.convert_xgboost(xgboost.fit(cells, benign), initial_types=table), True
    lightgbm = LGBMClassifier(n_estimators=8, num_leaves=7, verbose=-1)
    yield "lightgbm", onnxmltools.convert_lightgbm(lightgbm.fit(cells, benign), initial_types=table), True
    scaled = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=3, random_state=0))
    yield "scaled", to_onnx(scaled.fit(cells, words), cells[:1]), False


def rows_of(file: Any, missing: bool) -> np.ndarray:
    """Numbers at cuts, one float beside them, and between."""
    rng = np.random.default_rng(0)
    node = next(node for node in file.graph.node if node.op_type.startswith("TreeEnsemble"))
    given = {attribute.name: attribute for attribute in node.attribute}
    columns, cuts = np.array(given["nodes_featureids"].ints), np.array(given["nodes_values"].floats, dtype=np.float32)
    inner = np.array([mode != b"LEAF" for mode in given["nodes_modes"].strings])
    n_columns = file.graph.input[0].type.tensor_type.shape.dim[1].dim_value
    rows = rng.normal(size=(ROWS, n_columns)).astype(np.float32)
    for j in range(n_columns):
        own = cuts[inner & (columns == j)]
        if len(own):
            near = np.concatenate([own, np.nextafter(own, np.float32(np.inf)), np.nextafter(own, np.float32(-np.inf))])
            rows[:, j] = rng.choice(near, ROWS)
    if missing:
        rows[rng.random(rows.shape) < 0.1] = np.nan
    return rows


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, file, missing in models():
        content = file.SerializeToString()
        (FOLDER / f"{name}.onnx").write_bytes(content)
        session = onnxruntime.InferenceSession(content)
        rows = rows_of(file, missing)
        said = session.run(None, {session.get_inputs()[0].name: rows})
        more = {}
        if len(said) > 1:
            chances = said[1]
            if isinstance(chances, list):  # ZipMap
                chances = np.array([list(chance.values()) for chance in chances])
            more["probabilities"] = np.asarray(chances)
        labels = np.ravel(said[0])
        labels = labels.astype(str) if labels.dtype == object else labels
        np.savez_compressed(FOLDER / f"{name}.npz", rows=rows, said=labels, **more)
        print(f"{name}: {len(content):,} bytes, {len(rows)} rows, {len(set(labels.tolist()))} answers")


if __name__ == "__main__":
    main()
