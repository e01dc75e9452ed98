"""`from_model`: whatever people have trained -> a model."""

from __future__ import annotations

from typing import Any

from symcf.errors import OptionError
from symcf.models.base import Model
from symcf.sklearn.convert import from_sklearn

__all__ = ["from_model"]


def from_model(estimator: Any, data: Any = None, **options: Any) -> Model:
    """A fitted classifier of another library as a model that decides in the same way.

    Parameters
    ----------
    estimator:
        A fitted scikit-learn classifier, or a whole fitted Pipeline; see `from_sklearn`. A model of symcf is given
        back as it is.
    data:
        Rows like those that it was fitted on, for what a classifier does not know about its columns.
    options:
        The keywords of `from_sklearn`.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier(max_depth=1).fit([[20], [30], [40]], ["deny", "approve", "approve"])
    >>> from_model(tree, feature_names=["age"]).values
    (('<= 25', '> 25'),)
    """
    if not isinstance(estimator, Model):
        return from_sklearn(estimator, data=data, **options)
    given = [*(["data"] if data is not None else []), *options]
    if given:
        raise OptionError(f"{', '.join(given)}: for estimators only; {type(estimator).__name__} is a model already")
    return estimator
