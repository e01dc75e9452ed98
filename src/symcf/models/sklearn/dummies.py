"""Columns that are the one-hot columns of one, as `pandas.get_dummies` makes them.

Taken one by one, a counterfactual would give someone two jobs at once. With rows to look at, such columns are found and
made one feature; without, a warning says what they look like.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from symcf.models.base import Model

__all__ = ["dummy_groups", "warn_of_dummies"]

#: The values of a column of which a classifier knows only whether it is 0 or 1.
BINARY = ({"<= 0.5", "> 0.5"}, {0, 1}, {"any"})

#: Rows that it takes to believe that columns exclude each other.
LEAST_ROWS = 10
#: Rows with two 1s that independent columns would have on average, if there is not one.
LEAST_EXPECTED = 5.0

Flags = npt.NDArray[np.bool_]


def dummy_groups(columns: Mapping[str, Flags]) -> dict[str, list[str | None]]:
    """Groups of columns of which at most one is true in every row, by their common prefix; None in a group: all may be
    false.

    The names have the prefix and an underscore in common (``job_clerk``, ``job_baker``). Each column is true somewhere,
    there are `LEAST_ROWS` rows, and in every row exactly one is true; or none is in some rows (``drop_first=True``),
    and independent columns that are true as often would coincide in `LEAST_EXPECTED` rows. Of groups with a column in
    common, those without None come first, then the larger ones.
    """
    used = {name: flags for name, flags in columns.items() if flags.any() and len(flags) >= LEAST_ROWS}
    by_prefix: defaultdict[str, list[str]] = defaultdict(list)
    for name in used:
        for prefix in _prefixes(name):
            by_prefix[prefix].append(name)
    found = []
    for prefix, names in by_prefix.items():
        flags = np.column_stack([used[name] for name in names])
        ones = flags.sum(axis=1)
        if len(names) > 1 and ones.max() == 1 and (ones.min() == 1 or _expected(flags) >= LEAST_EXPECTED):
            found.append((bool(ones.min() == 0), -len(names), len(prefix), prefix))
    groups: dict[str, list[str | None]] = {}
    taken: set[str | None] = set()
    for may_be_none, _, _, prefix in sorted(found):
        if taken.isdisjoint(by_prefix[prefix]):
            groups[prefix] = [*([None] if may_be_none else []), *by_prefix[prefix]]
            taken.update(by_prefix[prefix])
    return groups


def _prefixes(name: str) -> Iterator[str]:
    """What comes before each underscore that has something on both sides."""
    for place, letter in enumerate(name):
        if letter == "_" and 0 < place < len(name) - 1:
            yield name[:place]


def _expected(flags: Flags) -> float:
    """In how many rows two columns would both be true if they were independent: the sum over all pairs."""
    shares = flags.mean(axis=0)
    return float(len(flags) * (shares.sum() ** 2 - (shares**2).sum()) / 2)


def warn_of_dummies(model: Model, stacklevel: int) -> None:
    """Warns if columns such as job_clerk and job_baker are features of their own, where there are no rows to look at.

    Columns are taken for such if they are 0 or 1 to the classifier and their names differ only behind the last "_".
    Names that end in numbers are left alone.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, values in zip(model.features, model.values, strict=True):
        prefix, _, suffix = name.rpartition("_")
        if prefix and suffix and _is_binary(values):
            found[prefix].append(name)
    tested = {name for name, values in zip(model.features, model.values, strict=True) if len(values) > 1}
    for prefix, names in found.items():
        numbered = all(name.rpartition("_")[2].isdigit() for name in names)
        if len(names) > 1 and tested.intersection(names) and not numbered:
            warnings.warn(
                f"the columns {', '.join(map(repr, names))} look like one column {prefix!r}, one-hot encoded (as by "
                f"pandas.get_dummies); a counterfactual may set two of them. Pass data= (rows like those that it was "
                f"fitted on), or groups={{{prefix!r}: {names!r}}}, to make them one feature; if they are independent, "
                f"groups=None ends this warning",
                stacklevel=stacklevel,
            )


def _is_binary(values: Sequence[object]) -> bool:
    return len(values) <= 2 and set(values) in BINARY
