"""Files -> classifiers. The kind of a file is determined by its first bytes, not by its name.

b"symcf..."      saved by `symcf compile` or `Compiled.save`
{                a model as JSON, or as XGBoost or CatBoost write it (JSON, UBJ)
tree             LightGBM's text
a number         CNBC text
anything else    pickle, joblib or skops: only with --trust, since reading these can run code that is in them
"""

from __future__ import annotations

import os
import pickle
import warnings
from dataclasses import replace
from typing import Any

import symcf
from symcf.cli.exits import SAVED, InputError, one_line, say
from symcf.cli.sources import format_of
from symcf.errors import FileError, ModelError, OptionError
from symcf.models.files.files import read_file
from symcf.models.files.onnx import begins_a_file
from symcf.system.archive import MAGIC

__all__ = ["at_rows", "compiled_model", "open_compiled", "open_model", "reader_of"]

#: The largest size of JSON and CNBC files, which are read as a whole.
MOST_BYTES = 1 << 30

TRUSTED_ENDINGS = (".skops", ".joblib", ".pkl", ".pickle")


def open_compiled(path: str, *, trust: bool = False, time_limit: float | None = None) -> symcf.Compiled:
    """The classifier in a file, compiled or not. A time limit also applies to building its diagram."""
    saved = _begins_with(path, MAGIC)
    SAVED.set(path if saved else None)
    compiled = symcf.load(path, trust=trust) if saved else compiled_model(path, open_model(path, trust=trust))
    if time_limit is not None:
        compiled.limits = replace(compiled.limits, time_limit=time_limit)
    return compiled


def compiled_model(path: str, model: symcf.Model, order: str = "influence", **limits: Any) -> symcf.Compiled:
    """A compiled model; errors name its file."""
    try:
        return symcf.compile(model, order=order, **limits)
    except ModelError as error:
        raise InputError(f"{path}: {error}") from None


def at_rows(compiled: symcf.Compiled, raw: Any) -> symcf.Compiled:
    """The classifier whose codes rows have: where it is asked, one that has their values. None: they are codes."""
    return compiled if raw is None else compiled.around(raw)


def reader_of(compiled: symcf.Compiled, rows: Any) -> symcf.Compiled:
    """The classifier for rows that `symcf.cli.tables` read: raw columns by name, or value codes."""
    return compiled if isinstance(rows, dict) else compiled.of_codes()


def open_model(path: str, *, trust: bool = False, data: Any = None) -> symcf.Model:
    """The model in a file, also in that of a saved classifier. ``data``: rows like those that it was fitted on, for
    models of other libraries.
    """
    start = _start(path)
    if start[: len(MAGIC)] == MAGIC:
        saved = symcf.load(path).model
        if isinstance(saved, symcf.Model):
            return _own(path, saved, data)
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if path.endswith(TRUSTED_ENDINGS) or start[:1] == b"\x80" or start[:2] in (b"PK", b"\x1f\x8b"):
        return _from_estimator(path, trust, data)
    try:
        if text[:1] == b"{":
            content = read_file(path)
            if isinstance(content, dict) and "model" in content:  # our own: no other library is needed
                return _own(path, symcf.model_from_dict(content), data)
        if text[:1] == b"{" or text[:4] == b"tree" or begins_a_file(start):
            return symcf.from_model(path, data)
        if text[:1].isdigit() or text[:1] in (b".", b"+"):
            return _own(path, symcf.NaiveBayes.from_cnbc(path), data)
    except ModelError as error:
        message = str(error)
        raise InputError(message if message.startswith(path) else f"{path}: {message}") from None
    raise InputError(
        f"{path}: not a model: neither a classifier saved by symcf, nor JSON (which begins with a brace), nor CNBC "
        f"text (which begins with the number of classes), nor a file of XGBoost, LightGBM or CatBoost, nor ONNX"
        f"{'; the model comes first, then the data' if format_of(path) not in (None, 'json') else ''}"
    )


def _own(path: str, model: symcf.Model, data: Any) -> symcf.Model:
    """A model that says itself which numbers its columns may have."""
    if data is not None:
        raise InputError(f"--data: for models of other libraries; {path} says itself what its columns may be")
    return model


def _start(path: str) -> bytes:
    """The first bytes of a file that can be read as a whole."""
    if path == "-":
        raise InputError("the model must be a file; only the data may come from stdin (-)")
    with open(path, "rb") as file:
        if os.path.isfile(path) and os.path.getsize(path) > MOST_BYTES:
            raise InputError(f"{path}: too large for a model in text form ({os.path.getsize(path):,} bytes)")
        return file.read(4096)


def _begins_with(path: str, magic: bytes) -> bool:
    return _start(path)[: len(magic)] == magic or path.endswith(".symcf")


# --- scikit-learn -----------------------------------------------------------------------------------------------------


def _from_estimator(path: str, trust: bool, data: Any) -> symcf.Model:
    if not trust:
        raise InputError(
            f"{path}: reading a pickle, joblib or skops file can run any program hidden in it; if you trust its "
            f"origin, add --trust"
        )
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        estimator = _unpacked(path)
        model = _converted(path, estimator, data)
    for text in sorted({one_line(str(warning.message), 200) for warning in seen}):
        say(f"warning: {path}: {_advised(text)}")
    return model


def _unpacked(path: str) -> Any:
    try:
        if _start(path)[:2] == b"PK":
            from skops.io import get_untrusted_types
            from skops.io import load as load_skops

            return load_skops(path, trusted=get_untrusted_types(file=path))
        if path.endswith((".pkl", ".pickle")):
            with open(path, "rb") as file:
                return pickle.load(file)
        import joblib

        return joblib.load(path)
    except ImportError as error:
        raise InputError(f"{path}: reading it needs {error.name}: pip install {error.name}") from None
    except (OSError, MemoryError):
        raise
    except Exception as error:  # reading such a file can raise any exception
        raise InputError(f"{path}: cannot be read: {type(error).__name__}: {error}") from None


def _converted(path: str, estimator: Any, data: Any) -> symcf.Model:
    try:
        return symcf.from_model(estimator, data)
    except (ModelError, FileError, OptionError, TypeError, NotImplementedError) as error:
        raise InputError(f"{path}: {_advised(str(error))}") from None


def _advised(message: str) -> str:
    """A message of `from_model`, whose keyword ``data`` is an option of symcf compile."""
    return message.replace("data= (rows", "symcf compile --data FILE (rows").replace("data=", "--data")
