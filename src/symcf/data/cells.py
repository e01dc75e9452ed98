"""Value codes -> a row of cells that says the same, where no row was given that it could be like."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.data.encoder import Encoder, FeatureReader
from symcf.data.regions import nearest, own_resolution
from symcf.data.shared import Columns

__all__ = ["row_of_codes"]


def row_of_codes(columns: Columns, codes: Sequence[int]) -> dict[str, Any]:
    """By column, what stands for these values: the number of a range that is nearest to 0, the category, the code.

    Columns that no feature is read from are left out where columns have names, and 0 where they are known by order.
    """
    encoder = columns.reader
    layout = encoder.layout
    cells: dict[int, Any] = {} if layout.named else dict.fromkeys(range(len(layout.names)), 0.0)
    for j, (reader, code) in enumerate(zip(encoder.readers, codes, strict=True)):
        found = _cells(encoder, j, reader, int(code), columns.values[j][int(code)])
        cells.update(zip(reader.sources, found, strict=True))
    return {layout.names[place]: cells[place] for place in sorted(cells)}


def _cells(encoder: Encoder, j: int, reader: FeatureReader, code: int, label: Hashable) -> tuple[Any, ...]:
    regions = reader.regions
    if regions is None or code not in regions:
        number = isinstance(label, (int, float, np.number, np.bool_))
        return reader.cells(code, label, [0 if number or len(reader.sources) > 1 else ""] * len(reader.sources))
    region = regions[code]
    if encoder.scales[j].whole:
        found, whole = nearest(region, None, Fraction(1))
        return (int(found) if whole else found,)
    end = region.first if abs(region.first) <= abs(region.last) else region.last
    return (nearest(region, None, own_resolution(None, end))[0],)
