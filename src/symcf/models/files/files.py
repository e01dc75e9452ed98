"""Files of XGBoost, LightGBM and CatBoost. The kind of a file is determined by its content, not by its name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from typing import Any

from symcf.errors import ModelError
from symcf.models.files import catboost, lightgbm, ubjson, xgboost
from symcf.models.files.raw import Ensemble

__all__ = ["ensemble_of", "read_file"]

#: What may come after the opening brace of UBJSON, but not after that of JSON: the type of a length, or of all values.
UBJSON = b"iUIlL$#"


READABLE = (
    "Files that can be read: XGBoost's JSON and UBJ, LightGBM's text, CatBoost's JSON, and JSON of a model of symcf"
)

#: What a file that is not text may be, by the end of its name, and what to do instead.
INSTEAD = {
    (".cbm",): (
        "CatBoost's binary form is not supported: write model.save_model('model.json', format='json') and read that "
        "file, or pass the CatBoostClassifier itself"
    ),
    (".onnx",): (
        "ONNX is not supported: pass the fitted estimator that the file was made from, or explain it as a black box "
        "with symcf.from_predict(function, X), where the function runs the file (onnxruntime)"
    ),
    (".joblib", ".pkl", ".pickle", ".skops"): (
        "loading it may run code that is in the file, so symcf does not: load it yourself (joblib.load, pickle.load) "
        "and pass the estimator"
    ),
    (".bin", ".model", ".deprecated"): (
        "XGBoost's old binary form is not supported: write booster.save_model('model.json') and read that file"
    ),
}


def _what_to_do(path: str) -> str:
    found = (advice for ends, advice in INSTEAD.items() if path.lower().endswith(ends))
    return next(found, "it is not text, and not UBJ")


def read_file(path: str | PathLike[str]) -> Any:
    """What a model file holds: text for LightGBM, the parsed content of JSON and UBJSON."""
    with open(path, "rb") as file:
        content = file.read()
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] == b"{" and start[1:2] in [bytes([mark]) for mark in UBJSON]:
        return ubjson.loads(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelError(f"{path}: {_what_to_do(str(path))}. {READABLE}") from None
    if start[:1] != b"{":
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also raised for integers of thousands of digits
        raise ModelError(f"{path} is not JSON: {error}") from None


def ensemble_of(content: Any, *, iterations: int | None = None, with_data: bool = False) -> Ensemble:
    """The ensemble in what a file holds."""
    if isinstance(content, str) and content.lstrip().startswith("tree"):
        return lightgbm.read(content, iterations=iterations)
    if isinstance(content, Mapping) and "learner" in content:
        return xgboost.read(content, iterations=iterations)
    if isinstance(content, Mapping) and "features_info" in content:
        return catboost.read(content, iterations=iterations, with_data=with_data)
    raise ModelError(f"not a model. {READABLE}")
