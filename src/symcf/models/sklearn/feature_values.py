"""The values of a feature: one per category or range that the model can distinguish.

A cell is such a value, with a label and one raw value as an example. A feature is usually one raw column; a group of
columns that were encoded by the user (`groups=`) is one, too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.data.columns import Categories, OneHot, Ranges, Reader
from symcf.data.encoder import is_missing
from symcf.data.labels import MISSING, OTHER, free_name
from symcf.data.types import plain
from symcf.errors import ModelError
from symcf.models.sklearn.cut_points import Cut, labels, starts, through
from symcf.models.sklearn.lineage import Domain, Fill, is_marker

__all__ = ["Feature", "group_feature", "raw_feature", "raw_fill"]

#: The code of each cell; -1 if the estimator does not accept it.
CodeOf = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Feature:
    """A feature and its values, before codes are given."""

    name: str
    #: The raw columns that it is read from.
    sources: tuple[int, ...]
    labels: tuple[Hashable, ...]
    ordered: bool
    #: By raw column, the values that stand for the cells, and perhaps others of the same cells.
    examples: tuple[tuple[npt.NDArray[Any], ...], ...]
    #: Makes the reader when the codes of the cells are known.
    reader: Callable[[CodeOf], Reader]
    #: The cell of missing values that an imputer fills after they were encoded.
    filled_later: int | None = None
    #: Cells of numbers that a function is undefined for, such as the logarithm below 0.
    undefined: tuple[int, ...] = ()

    @property
    def usual(self) -> int:
        """A cell that no step refuses."""
        return next((cell for cell in range(len(self.labels)) if cell not in self.undefined), 0)


def raw_feature(domain: Domain, column: int, *, other: bool) -> Feature:
    """The feature of a raw column."""
    if len(domain.missing) > 1:
        markers = " and ".join(map(repr, domain.missing))
        raise ModelError(f"column {domain.name!r} marks missing values in several ways, {markers}: use one of them")
    if domain.numbers is not None:
        return _number_feature(domain, column)
    if domain.categories is None:
        return _range_feature(domain, column)
    if domain.cuts and not domain.listed:
        raise ModelError(
            f"column {domain.name!r} is used both as categories and as numbers, which is supported only if the encoder "
            f"knows all its numbers (handle_unknown='error')"
        )
    return _category_feature(domain, column, other=other)


# --- categories -------------------------------------------------------------------------------------------------------


def _category_feature(domain: Domain, column: int, *, other: bool) -> Feature:
    examples = np.array(domain.categories, dtype=None if domain.categories.dtype.kind in "biuf" else object)
    keys = [plain(value) for value in domain.categories.tolist()]
    names: list[Hashable] = [_label(key, keys) for key in keys]
    with_other = domain.other and other and examples.dtype.kind != "b"
    numeric = all(isinstance(key, (int, float)) and not is_missing(key) for key in keys)
    if with_other:
        names.append(free_name(OTHER, names))
        examples = np.append(examples, _unknown(examples))
    missing = [i for i, key in enumerate(keys) if is_missing(key)]
    _settle_fills(domain, lambda fill: plain(fill.value))
    own = _own_cell(domain, names, known=bool(missing))
    if own is not None:
        examples = np.append(examples.astype(object if examples.dtype.kind == "O" else np.float64), domain.missing)

    def reader(code_of: CodeOf) -> Categories:
        codes = {key: int(code_of[i]) for i, key in enumerate(keys) if key is not None and not is_missing(key)}
        if domain.text_of is not None:
            for key, code in [*codes.items()]:
                codes.setdefault(domain.text_of(key), code)
        unknown = int(code_of[len(keys)]) if with_other else -1
        nan = int(code_of[missing[0]]) if missing else unknown
        none = int(code_of[keys.index(None)]) if None in keys else unknown
        fills = _filled(domain, lambda fill: _code(plain(fill.value), codes, nan, none, unknown), code_of, own)
        for marker, code in fills:
            if is_missing(marker):
                # an encoder that knows missing values sees them where no imputer is before it
                nan = nan if missing else code
            elif marker is None:
                none = code
            else:
                codes[plain(marker)] = code
        # None means NaN, except to a scikit-learn encoder that knows both
        none = nan if none < 0 else none
        return Categories(column, tuple(codes), tuple(codes.values()), nan, none, unknown)

    return Feature(
        domain.name,
        (column,),
        tuple(names),
        ordered=domain.in_order or ((numeric or domain.given_order) and not with_other and not missing and own is None),
        examples=((examples,),),
        reader=reader,
        filled_later=missing[0] if missing and domain.filled_later else None,
    )


def _code(value: Any, codes: dict[Any, int], nan: int, none: int, unknown: int) -> int:
    if value is None:
        return none
    return nan if is_missing(value) else codes.get(value, unknown)


def _label(key: Any, keys: Sequence[Any]) -> Hashable:
    if is_missing(key) or key is None:
        both = None in keys and any(map(is_missing, keys))
        return free_name(MISSING, keys) if not both or key is not None else "None"
    return key if isinstance(key, Hashable) else str(key)


def _unknown(examples: npt.NDArray[Any]) -> Any:
    """A value outside the categories."""
    if examples.dtype.kind == "O":
        return free_name(OTHER, examples.tolist())
    known = examples[~np.isnan(examples)] if examples.dtype.kind == "f" else examples
    return known.max() + 1 if len(known) else 0


# --- numbers ----------------------------------------------------------------------------------------------------------


def _number_feature(domain: Domain, column: int) -> Feature:
    """A column of few different numbers."""
    assert domain.numbers is not None
    numbers = tuple(_tidy(number) for number in domain.numbers)
    names: list[Hashable] = list(numbers)
    _settle_fills(domain, raw_fill)
    own = _own_cell(domain, names)

    def reader(code_of: CodeOf) -> Categories:
        codes = {number: int(code) for number, code in zip(numbers, code_of, strict=False)}
        known = dict(codes)
        nan = none = -1
        for marker, code in _filled(domain, lambda fill: known.get(raw_fill(fill), -1), code_of, own):
            if is_missing(marker) or marker is None:
                nan = none = code
            else:
                codes[plain(marker)] = code
        return Categories(column, tuple(codes), tuple(codes.values()), nan, none)

    examples = np.array(numbers, dtype=np.float64)
    ascending = bool((np.diff(examples) > 0).all())
    examples = np.append(examples, _marker_numbers(domain)) if own is not None else examples
    return Feature(domain.name, (column,), tuple(names), ascending, ((examples,),), reader)


def _tidy(number: float) -> float:
    """3 for 3.0."""
    return int(number) if float(number).is_integer() else float(number)


def _range_feature(domain: Domain, column: int) -> Feature:
    tick()
    cuts = domain.cuts
    marked = [*(fill.marker for fill in domain.fills), *domain.missing]
    markers = [float(marker) for marker in marked if not is_missing(marker) and marker is not None]
    places = np.array([cut.at for cut in cuts])

    def cell(fill: Fill) -> int:
        return int(np.searchsorted(places, raw_fill(fill), side="right"))

    _settle_fills(domain, cell)
    names: list[Hashable] = list(domain.number_labels or labels(cuts))
    own = _own_cell(domain, names)

    def reader(code_of: CodeOf) -> Ranges:
        nan, others = -1, []
        for marker, filled in _filled(domain, lambda fill: int(code_of[cell(fill)]), code_of, own):
            if is_missing(marker) or marker is None:
                nan = filled
            else:
                others.append((float(marker), filled))
        return Ranges(column, tuple(places.tolist()), tuple(code_of[: len(cuts) + 1].tolist()), nan, tuple(others))

    examples = [np.array(part, dtype=np.float64) for part in zip(*_examples(cuts, markers), strict=True)]
    fine = np.isfinite([np.zeros(len(cuts) + 1), *(through(chain, examples[0]) for chain in domain.functions)]).all(
        axis=0
    )
    if own is not None:
        examples = [np.append(part, _marker_numbers(domain)) for part in examples]
    undefined = tuple(np.flatnonzero(~fine).tolist())
    return Feature(domain.name, (column,), tuple(names), True, (tuple(examples),), reader, undefined=undefined)


def _examples(cuts: Sequence[Cut], markers: Sequence[float]) -> list[list[float]]:
    """For each range a number inside, the first and the last one, without markers of missing values."""
    if not cuts:
        return [[next(number for number in (0.0, 1.0, 2.0) if number not in markers)] * 3]
    first, last = cuts[0].at, cuts[-1].at
    bounds = [first - 1 - abs(first), *(cut.at for cut in cuts), math.nextafter(last + 1 + abs(last), math.inf)]
    result = []
    for low, end in itertools.pairwise(bounds):
        high = math.nextafter(end, -math.inf)
        middle = min(max(low / 2 + high / 2, low), high)
        numbers = [middle, low, high]
        fine = [number for number in numbers if number not in markers] or [middle]
        result.append([number if number not in markers else fine[0] for number in numbers])
    return result


def raw_fill(fill: Fill) -> float:
    """The raw number that an imputed value stands for. After scaling: the first that is scaled to it."""
    if not fill.chain:
        return float(fill.value)
    at = starts(fill.chain, np.array([float(fill.value)]), strict=False)[0]
    return -math.inf if math.isnan(at) else float(at)


# --- missing values ---------------------------------------------------------------------------------------------------


def _settle_fills(domain: Domain, cell: Callable[[Fill], Any]) -> None:
    """Missing values that are imputed in two different ways are a value of their own."""
    for one, other in itertools.combinations(domain.fills, 2):
        if is_marker(one.marker, other.marker) and cell(one) != cell(other):
            domain.add_missing(one.marker)


def _own_cell(domain: Domain, names: list[Hashable], *, known: bool = False) -> int | None:
    """Appends a name for missing values that have a cell of their own, and gives its place. ``known``: there is a
    category of missing values already.
    """
    if not domain.missing or (known and is_missing(domain.missing[0])):
        return None
    names.append(free_name(MISSING, names))
    return len(names) - 1


def _filled(domain: Domain, code: Callable[[Fill], int], code_of: CodeOf, own: int | None) -> list[tuple[Any, int]]:
    """The markers of missing values, and the code that each is read as."""
    result = [(marker, int(code_of[own])) for marker in domain.missing if own is not None]
    for fill in domain.fills:
        if not any(is_marker(fill.marker, marker) for marker, _ in result):
            result.append((fill.marker, code(fill)))
    return result


def _marker_numbers(domain: Domain) -> list[float]:
    return [math.nan if is_missing(marker) or marker is None else float(marker) for marker in domain.missing]


# --- groups -----------------------------------------------------------------------------------------------------------


def group_feature(name: str, sources: Sequence[int], names: Sequence[Hashable], none: int | None) -> Feature:
    """Several columns of which one is 1. ``none`` is the place of the value that is all zeros."""
    count = len(names)
    places = [v for v in range(count) if v != none]
    examples = tuple((np.array([float(v == place) for v in range(count)]),) for place in places)

    def reader(code_of: CodeOf) -> OneHot:
        codes = tuple(int(code_of[place]) for place in places)
        return OneHot(tuple(sources), codes, -1 if none is None else int(code_of[none]))

    return Feature(name, tuple(sources), tuple(names), False, examples, reader)
