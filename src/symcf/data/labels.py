"""Labels and codes: translates the names that users give to the numbers that the library works with.

Inside the library a class is a code, the place of its label in `classes`, and a value is a code, the place of its label
in `values`. Whatever a user names is translated by `code_of` once and is a code from then on. Features have indices and
names in the same way (`feature_index`).
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.common.renamed import did_you_mean
from symcf.errors import ModelError, OptionError

__all__ = [
    "MISSING",
    "OTHER",
    "by_feature",
    "checked_features",
    "checked_names",
    "code_of",
    "codes_are_clear",
    "default_names",
    "feature_index",
    "feature_indices",
    "free_name",
    "label_array",
]

T = TypeVar("T")

#: The names of values that are none of a column's own: entries outside its categories, and missing ones.
OTHER, MISSING = "(other)", "(missing)"


def free_name(name: str, taken: Sequence[Any]) -> str:
    """The name, or a similar one that is not in use."""
    return next(text for text in (f"{name}{'*' * stars}" for stars in itertools.count()) if text not in taken)


def code_of(label: Any, labels: Sequence[Hashable], option: str, what: str = "the classes") -> int:
    """The code of a class or value that the user names.

    A label always wins. A code is taken only where no label is a number, since otherwise 1 could
    mean the name or the place.
    """
    if isinstance(label, Hashable) and label in labels:
        return labels.index(label)
    if _is_integer(label) and 0 <= label < len(labels) and codes_are_clear(labels):
        return int(label)
    for same in labels:  # '1' for 1
        if str(same) == str(label):
            raise OptionError(
                f"{option}: {label!r} is {_type_in_words(label)}, and among {what} there is {same!r}, which is "
                f"{_type_in_words(same)}: give {same!r}"
            )
    near = did_you_mean(label, labels) if isinstance(label, str) else ""
    raise OptionError(f"{option}: {label!r} is not one of {what} {list(labels)!r}{near}")


def label_array(labels: Sequence[Hashable]) -> npt.NDArray[Any]:
    """Labels as an array: of numbers, booleans or text where all of them are of one such type, else of objects.

    >>> label_array(["no", "yes"]), label_array([1, "yes"])
    (array(['no', 'yes'], dtype='<U3'), array([1, 'yes'], dtype=object))
    """
    (kind, *others) = {type(label) for label in labels} or {int}
    text = issubclass(kind, str) and not any(str(label).endswith("\0") for label in labels)  # which numpy would cut off
    if not others and (text or issubclass(kind, (bool, int, float, np.number, np.bool_))):
        return np.array(labels)
    result = np.empty(len(labels), dtype=object)
    result[:] = labels
    return result


def codes_are_clear(labels: Sequence[Hashable]) -> bool:
    """Whether a number may be read as a code: not if a label is a number itself."""
    return not any(isinstance(label, (int, float, np.number, np.bool_)) for label in labels)


def _type_in_words(label: Any) -> str:
    if isinstance(label, str):
        return "text"
    if isinstance(label, (bool, np.bool_)):
        return "a truth value"
    if isinstance(label, (int, np.integer)):
        return "an integer"
    return "a float" if isinstance(label, (float, np.floating)) else f"of type {type(label).__name__}"


def _is_integer(label: Any) -> bool:
    return isinstance(label, (int, np.integer)) and not isinstance(label, bool)


# --- features ---------------------------------------------------------------------------------------------------------


def feature_index(feature: Any, features: Sequence[str], option: str) -> int:
    """The index of a feature given by name or by index."""
    if isinstance(feature, str):
        if feature in features:
            return features.index(feature)
        near = did_you_mean(feature, features)
        raise OptionError(f"{option}: the classifier has no feature {feature!r}{near}")
    if isinstance(feature, (int, np.integer)) and not isinstance(feature, bool):
        if 0 <= feature < len(features):
            return int(feature)
        raise OptionError(f"{option}: {feature} is not the index of one of {len(features)} features")
    raise OptionError(f"{option}: a feature must be a name or an index, not {feature!r}")


def feature_indices(chosen: Any, features: Sequence[str], option: str) -> tuple[int, ...]:
    """The indices of several features, ascending, each once. A mapping says yes or no to some of them."""
    if isinstance(chosen, Mapping):
        for feature, answer in chosen.items():
            if not isinstance(answer, (bool, np.bool_)):
                raise OptionError(f"{option}[{feature!r}] must be True or False, not {answer!r}")
        return tuple(sorted(j for j, answer in by_feature(chosen, features, option).items() if answer))
    if isinstance(chosen, (str, int, np.integer)):
        chosen = (chosen,)
    try:
        items = list(chosen)
    except TypeError:
        raise OptionError(f"{option} must list features, not {chosen!r}") from None
    return tuple(sorted({feature_index(item, features, option) for item in items}))


def by_feature(given: Mapping[Any, T], features: Sequence[str], option: str) -> dict[int, T]:
    """What a mapping says, by the index of the feature; an error if it says two things about one."""
    keys: dict[int, Any] = {}
    for feature in given:
        j = feature_index(feature, features, option)
        if j in keys:
            raise OptionError(
                f"{option}: feature {features[j]!r} is given twice, as {keys[j]!r} and as {feature!r}; give it once"
            )
        keys[j] = feature
    return {j: given[feature] for j, feature in keys.items()}


# --- checks -----------------------------------------------------------------------------------------------------------


def default_names(count: int) -> list[str]:
    """x0, x1, ..."""
    return [f"x{j}" for j in range(count)]


def checked_names(names: Sequence[Any] | None, count: int, what: str, default: list[Any]) -> tuple[Any, ...]:
    """`count` different names, or the default ones."""
    if names is None:
        return tuple(default)
    if isinstance(names, str):
        raise ModelError(f"{what} must be a list of names, not the string {names!r}")
    result = tuple(names)
    if len(result) != count:
        raise ModelError(f"{what} has {len(result)} names, {count} are needed")
    seen = set()
    for name in result:
        if name in seen:
            raise ModelError(f"{what}: {name!r} appears twice")
        seen.add(name)
    return result


def checked_features(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """The names of the features."""
    features = checked_names(names, count, "features", default_names(count))
    for name in features:
        if not isinstance(name, str) or not name:
            raise ModelError(f"feature names must be non-empty strings, not {name!r}")
    return features
