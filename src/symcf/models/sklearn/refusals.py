"""Estimators that cannot be read: every error says how to explain them all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from symcf.errors import ModelError

__all__ = ["BLACK_BOX", "reading"]

#: What can be done about every classifier that cannot be read.
BLACK_BOX = (
    "Any classifier with predict can be explained as a black box: symcf.compile(symcf.from_predict(estimator, X)), "
    "where X are rows like those that it was fitted on"
)


@contextmanager
def reading(estimator: Any) -> Iterator[None]:
    """Errors of the model within it say how to explain the estimator as a black box, if it has `predict` or is a
    function.
    """
    try:
        yield
    except ModelError as error:
        black_box = not isinstance(estimator, type) and callable(getattr(estimator, "predict", estimator))
        if not black_box or BLACK_BOX in str(error):
            raise
        raise ModelError(f"{str(error).rstrip('.')}. {BLACK_BOX}") from error
