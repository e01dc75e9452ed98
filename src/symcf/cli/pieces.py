"""What the sources of each format give: pieces of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["CHUNK", "Cells", "Piece", "Source"]

#: Rows read at a time.
CHUNK = 4096

Cells = Mapping[int, Sequence[Any]]


@dataclass(frozen=True)
class Piece:
    """Some rows of a file, by the places of the columns."""

    #: The number of the first, from 1.
    first: int
    count: int
    cells: Cells
    #: Of each row the line in the file; None where files have no lines.
    lines: Sequence[int] | None

    def row(self, number: int) -> Piece:
        """The row of this number alone."""
        i = number - self.first
        cells = {place: column[i : i + 1] for place, column in self.cells.items()}
        return Piece(number, 1, cells, None if self.lines is None else self.lines[i : i + 1])


class Source(Protocol):
    """A file that was opened: the names of its columns, if it has any, and its rows."""

    header: list[str] | None
    #: The number of columns; None if there are no rows and no names.
    width: int | None
    #: Is it text with a delimiter?
    delimited: bool

    def pieces(self, places: Sequence[int] | None) -> Iterator[Piece]:
        """The rows; only these columns, or all of them."""
