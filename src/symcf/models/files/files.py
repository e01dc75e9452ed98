"""Files of XGBoost, LightGBM, CatBoost and Treelite, and ONNX. The kind of a file is determined by its content, not by
its name.

Universal Binary JSON (ubjson.org, draft 12), as far as XGBoost writes it. All numbers are big-endian.

A value is a marker and its content. A container may state the type of all its elements (``$``) and their number
(``#``); arrays of numbers in that form become numpy arrays.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from symcf.common.clock import tick
from symcf.errors import ModelError
from symcf.models.files import catboost, lightgbm, onnx, treelite, xgboost
from symcf.models.files.raw import Ensemble

__all__ = ["ensemble_of", "loads", "read_file"]

#: What may come after the opening brace of UBJSON, but not after that of JSON: the type of a length, or of all values.
UBJSON = b"iUIlL$#"


READABLE = (
    "Files that can be read: XGBoost's JSON and UBJ, LightGBM's text, CatBoost's JSON, and its CBM where "
    "catboost is installed, Treelite's JSON, ONNX with trees, and JSON of a model of symcf"
)

#: What a file that is not text may be, by the end of its name, and what to do instead.
INSTEAD = {
    (".onnx",): (
        "it does not begin as ONNX files do: write it anew, or pass the fitted estimator that it was made from"
    ),
    (".cbm",): (
        "it does not begin as CatBoost's binary files do: write model.save_model('model.json', format='json') and read "
        "that file, or pass the CatBoostClassifier itself"
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
        return loads(content)
    if catboost.begins_a_file(content):
        return catboost.Binary(content)
    if onnx.begins_a_file(content):
        return onnx.loads(content)
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


def ensemble_of(content: Any, *, iterations: int | None = None, data: Any = None) -> Ensemble:
    """The ensemble in what a file holds. ``data``: rows of the user, which some files need to name categories."""
    if isinstance(content, catboost.Binary):
        content = content.exported(data)
    if isinstance(content, onnx.Graph):
        return onnx.read(content, iterations=iterations)
    if isinstance(content, str) and content.lstrip().startswith("tree"):
        return lightgbm.read(content, iterations=iterations)
    if isinstance(content, Mapping) and "learner" in content:
        return xgboost.read(content, iterations=iterations)
    if isinstance(content, Mapping) and "features_info" in content:
        return catboost.read(content, iterations=iterations, data=data)
    if treelite.is_content(content):
        return treelite.read(content, iterations=iterations)
    raise ModelError(f"not a model. {READABLE}")


INTEGERS = {b"i": ">b", b"U": ">B", b"I": ">h", b"l": ">i", b"L": ">q"}
NUMBERS = {**INTEGERS, b"d": ">f", b"D": ">d"}
TYPES = {b"i": "i1", b"U": "u1", b"I": ">i2", b"l": ">i4", b"L": ">i8", b"d": ">f4", b"D": ">f8"}
CONSTANTS = {b"Z": None, b"T": True, b"F": False}

#: Containers within containers; a model has about ten.
MOST_LEVELS = 100


def loads(data: bytes) -> Any:
    """The value that the bytes hold; ModelError if they are damaged."""
    reader = _Reader(data)
    try:
        value = reader.value(reader.marker(), 0)
    except (struct.error, UnicodeDecodeError, RecursionError) as error:
        raise ModelError(f"damaged UBJSON at byte {reader.at}: {error}") from None
    if reader.at != len(data):
        raise ModelError(f"damaged UBJSON: {len(data) - reader.at} bytes are left over")
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if not 0 <= count <= len(self.data) - self.at:
            raise ModelError(f"damaged UBJSON: {count} bytes are wanted at byte {self.at} of {len(self.data)}")
        self.at += count
        return self.data[self.at - count : self.at]

    def marker(self) -> bytes:
        mark = self.take(1)
        while mark == b"N":  # no operation
            mark = self.take(1)
        return mark

    def number(self, mark: bytes) -> Any:
        form = NUMBERS[mark]
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def length(self) -> int:
        mark = self.marker()
        if mark not in INTEGERS:
            raise ModelError(f"damaged UBJSON: a length begins with {mark!r} at byte {self.at - 1}")
        return int(self.number(mark))

    def text(self) -> str:
        return self.take(self.length()).decode("utf-8")

    def value(self, mark: bytes, level: int) -> Any:
        if level > MOST_LEVELS:
            raise ModelError("damaged UBJSON: too many levels")
        if mark in NUMBERS:
            return self.number(mark)
        if mark in CONSTANTS:
            return CONSTANTS[mark]
        if mark == b"S":
            return self.text()
        if mark == b"C":
            return self.take(1).decode("ascii")
        if mark == b"[":
            return self.array(level)
        if mark == b"{":
            return self.object(level)
        raise ModelError(f"damaged UBJSON: unknown marker {mark!r} at byte {self.at - 1}")

    def stated(self) -> tuple[bytes | None, int | None]:
        """The type and the number of the elements, where they are stated."""
        kind, count = None, None
        if self.data[self.at : self.at + 1] == b"$":
            self.at += 1
            kind = self.take(1)
        if self.data[self.at : self.at + 1] == b"#":
            self.at += 1
            count = self.length()
        if count is not None and not 0 <= count <= len(self.data):
            raise ModelError(f"damaged UBJSON: a container of {count} elements at byte {self.at}")
        if kind is not None and count is None:
            raise ModelError(f"damaged UBJSON: a type without a number of elements at byte {self.at}")
        return kind, count

    def array(self, level: int) -> Any:
        tick()
        kind, count = self.stated()
        if kind is not None and kind in TYPES:
            assert count is not None
            form = np.dtype(TYPES[kind])
            return np.frombuffer(self.take(count * form.itemsize), dtype=form)
        result: list[Any] = []
        while count is None or len(result) < count:
            mark = self.marker() if kind is None else kind
            if count is None and mark == b"]":
                break
            result.append(self.value(mark, level + 1))
        return result

    def object(self, level: int) -> dict[str, Any]:
        kind, count = self.stated()
        result: dict[str, Any] = {}
        read = 0
        while count is None or read < count:
            if count is None and self.data[self.at : self.at + 1] == b"}":
                self.at += 1
                break
            name = self.text()
            result[name] = self.value(self.marker() if kind is None else kind, level + 1)
            read += 1
        return result
