"""Labels and codes: the door between the names that users give and the numbers that the library works with.

Inside the library a class is a code, the place of its label in `classes`, and a value is a code, the place of its label
in `values`. Whatever a user names passes through `code_of` once and is a code from then on.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from symcf.errors import OptionError

__all__ = ["code_of", "codes_are_clear"]


def code_of(label: Any, labels: Sequence[Hashable], option: str, what: str = "the classes") -> int:
    """The code of a class or value that the user names.

    A label always wins. A code is taken only where no label is a number, since otherwise nobody could tell whether 1 is
    meant as the name or as the place.
    """
    if isinstance(label, Hashable) and label in labels:
        return labels.index(label)
    if _is_integer(label) and 0 <= label < len(labels) and codes_are_clear(labels):
        return int(label)
    raise OptionError(f"{option}: {label!r} is not one of {what} {list(labels)!r}")


def codes_are_clear(labels: Sequence[Hashable]) -> bool:
    """May a number be read as a code? Not if a label is a number itself."""
    return not any(isinstance(label, (int, float, np.number, np.bool_)) for label in labels)


def _is_integer(label: Any) -> bool:
    return isinstance(label, (int, np.integer)) and not isinstance(label, bool)
