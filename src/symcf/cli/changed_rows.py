"""Changed rows as a table: the columns of the data file, with other values where something has to change."""

from __future__ import annotations

import itertools
from typing import Any

from symcf.cli.answers import Found, RowExplainer
from symcf.cli.cells import spelled
from symcf.cli.exits import InputError
from symcf.cli.output import Line, open_writer, row_columns, to_terminal
from symcf.cli.progress import progress
from symcf.cli.tables import Chunk, Data

__all__ = ["write_changed_rows"]


def write_changed_rows(explainer: RowExplainer, data: Data, output: str | None, format: str, id: str | None) -> None:
    """One line per counterfactual: the number of the row, that of the counterfactual, and the cells. Cells that do not
    change are written as they stand in the file.
    """
    chunks = data.chunks()
    first = next(chunks, None)
    own = (*row_columns(id), ("counterfactual", "integer"))
    for name, _ in own:
        if name in data.header and not (name == "id" and id == "id"):
            raise InputError(f"--rows: the output has a column {name!r} of its own; rename yours")
    kept = [i for i, name in enumerate(data.header) if id is None or name != id]
    columns = (*own, *((data.header[i], "text") for i in kept))
    with open_writer(output, format, columns) as writer, progress(data, to_terminal(output)) as tell:
        for chunk in itertools.chain([] if first is None else [first], chunks):
            for i, answer in enumerate(explainer.of_chunk(chunk)):
                number = chunk.first + i
                head = (number,) if chunk.ids is None else (number, chunk.ids[i])
                for rank, found in enumerate(answer.found(), 1):
                    cells = _cells(chunk, i, data, found)
                    writer.write(Line(columns, (*head, rank, *(cells[place] for place in kept))))
                tell(number)
            if explainer.status["time_limit"]:
                return


def _cells(chunk: Chunk, i: int, data: Data, found: Found) -> list[Any]:
    """The cells of a changed row, by place in the file."""
    assert chunk.cells is not None
    cells = [chunk.cells[place][i] for place in range(len(data.header))]
    if chunk.raw is None:
        for j, _, _, new in found.changes:
            place = data.place_of(j)
            cells[place] = data.replaced(j, cells[place], new)
        return cells
    for column, cell in (found.cells or {}).items():
        place = data.place_of(column)
        # a cell of text is replaced by text, one of a Parquet file by what it is
        cells[place] = spelled(cell) if isinstance(cells[place], str) else cell
    return cells
