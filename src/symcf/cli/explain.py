"""The command that explains rows: explain."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from textwrap import wrap
from typing import Any, TypeVar, cast

from symcf.answers.groups import groups_of
from symcf.answers.render import cut_line
from symcf.cli import options as o
from symcf.cli.answers import ExplainedRow, Found, RowExplainer, report_end
from symcf.cli.cells import spelled
from symcf.cli.exits import LIMIT, InputError
from symcf.cli.output import (
    PROBLEM,
    Line,
    Record,
    dumps,
    format_for,
    open_writer,
    plain,
    printable,
    row_columns,
    to_terminal,
)
from symcf.cli.progress import progress, row_writer
from symcf.cli.tables import Chunk, Data
from symcf.common.clock import Clock

__all__ = ["explain"]


T = TypeVar("T")

#: Counterfactuals of a row that a table shows; the other formats have them all.
SHOWN = 20

#: Change sets of a row that groups are made of.
GROUPED = 2_000


EXPLAIN = (
    ("prediction", "text"),
    ("status", "text"),
    ("counterfactual", "integer"),
    ("feature", "text"),
    ("old", "text"),
    ("new", "text"),
    ("cost", "number"),
    ("class", "text"),
    ("probability", "number"),
)


class Explained(Record):
    """A row and its counterfactuals."""

    def __init__(
        self,
        number: int,
        id: str | None,
        answer: ExplainedRow,
        target: Hashable,
        two_classes: bool,
        marked: bool = False,
        groups: bool = False,
    ) -> None:
        """With ``marked``, lines end with what is wrong with rows that could not be read."""
        self.head = (number,) if id is None else (number, id)
        self._answer, self._target = answer, target
        self._two_classes, self._groups = two_classes, groups
        self._last: tuple[Any, ...] = (answer.problem,) if marked else ()

    def nested(self) -> Iterator[str]:
        """As a JSON object."""
        answer = self._answer
        yield dumps(dict(zip(("row", "id"), self.head, strict=False)))[:-1] + ", "
        if not answer.kept:
            yield from self._pieces()
            return
        if answer.rendered is None:
            answer.rendered = "".join(self._pieces())
        yield answer.rendered

    def _pieces(self) -> Iterator[str]:
        """The columns without those of `head`."""
        answer = self._answer
        facts = {
            "prediction": plain(answer.label),
            "probability": answer.probability,
            "status": answer.status,
            "count": answer.count,
        }
        if answer.reached is not None:
            facts["reached"] = answer.reached
        if answer.problem is not None:
            facts["problem"] = answer.problem
        yield dumps(facts)[1:-1] + ', "counterfactuals": ['
        for i, found in enumerate(answer.found()):
            yield (", " if i else "") + dumps(_as_dict(found))
        blocking = [{"kind": c.kind, "name": c.name, "text": str(c)} for c in answer.blocking]
        yield f'], "blocking": {dumps(blocking)}}}'

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """One line per change; a row without counterfactuals also has one line."""
        answer = self._answer
        row = ("" if answer.label is None else plain(answer.label), answer.status)
        if not answer.count:
            yield (*row, None, None, None, None, None, None, None, *self._last)
        for i, found in enumerate(answer.found(), 1):
            for _, name, old, new in found.changes:
                change = (i, name, plain(old), plain(new), found.cost, plain(found.label), found.probability)
                yield (*row, *change, *self._last)

    def rendered(self, render: Callable[[tuple[Any, ...]], T]) -> Iterable[T]:
        """The lines as the writer formats them; shared by equal rows."""
        answer = self._answer
        if not answer.kept:
            return map(render, self.lines())
        if answer.rendered is None:
            answer.rendered = list(map(render, self.lines()))
        return cast(list[T], answer.rendered)

    def text(self, columns: int) -> Iterator[str]:
        """A paragraph."""
        answer = self._answer
        name = self.name
        if answer.status == "invalid":
            yield from wrap(
                f"{name}: could not be read: {printable(answer.problem or '')}", columns, subsequent_indent="    "
            )
            return
        told = _told(answer.probability, answer.reached)
        sure = f" ({told})" if told else ""
        wanted = "another class" if self._target is None else printable(self._target)
        nothing = f"nothing that may change makes it {wanted}" if answer.status == "complete" else "nothing found yet"
        ending = "as wanted" if answer.status == "at_target" else nothing
        if answer.count:
            ending = f"it would be {wanted} with"
        yield from wrap(f"{name}: {printable(answer.label)}{sure}; {ending}{':' * bool(answer.count)}", columns)
        for line in self._grouped() if self._groups else self._listed():
            yield from wrap(line, columns, initial_indent="    ", subsequent_indent="      ")
        for constraint in answer.blocking:
            yield from wrap(printable(f"in the way: {constraint}"), columns, initial_indent="    ")
        if answer.status in ("time_limit", "max_results"):
            option = "--" + answer.status.replace("_", "-")
            yield f"    {cut_line(option, answer.count, 'set')}"

    def _listed(self) -> Iterator[str]:
        """The first counterfactuals, and how many more there are."""
        answer = self._answer
        for i, found in enumerate(answer.found()):
            if i == SHOWN:
                total = answer.total()
                yield "... and more" if total is None else f"... and {total - SHOWN:,} more"
                return
            yield self._line(found)

    def _grouped(self) -> Iterator[str]:
        """The first groups of change sets, and how many more sets there are."""
        answer = self._answer
        changes = [found.changes for found in itertools.islice(answer.found(), GROUPED + 1)]
        names = {j: printable(name) for change_set in changes for j, name, _, _ in change_set}
        groups = groups_of([tuple(j for j, *_ in change_set) for change_set in changes[:GROUPED]], names)[:SHOWN]
        for group in groups:
            yield f"{group}  ({len(group):,} sets)" if len(group) > 1 else str(group)
        shown, total = sum(map(len, groups)), len(changes) if len(changes) <= GROUPED else answer.total()
        if total is None or total > shown:
            yield "... and more" if total is None else f"... and {total - shown:,} more sets"

    def _line(self, found: Found) -> str:
        changes = ", ".join(
            f"{printable(name)}: {printable(old)} -> {printable(new)}" for _, name, old, new in found.changes
        )
        more = [] if found.cost == len(found.changes) else [f"cost {found.cost:g}"]
        if not self._two_classes:
            more.append(printable(found.label))
        if told := _told(found.probability, found.reached):
            more.append(told)
        return f"{changes or 'no change'}  ({', '.join(more)})" if more else changes or "no change"


def _told(probability: float | None, reached: float | None) -> str:
    """How sure a decision is, or the number that the target is about."""
    if probability is not None:
        return f"{probability:.1%}"
    return "" if reached is None else f"{reached:,.6g}"


def _as_dict(found: Found) -> dict[str, Any]:
    return {
        "changes": [
            {"feature": j, "name": name, "old": plain(old), "new": plain(new)} for j, name, old, new in found.changes
        ],
        "cost": found.cost,
        "class": plain(found.label),
        "probability": found.probability,
        **({} if found.reached is None else {"reached": found.reached}),
    }


def explain(
    model: str,
    data: str,
    *,
    row: int | None = None,
    k: int | None = None,
    asking: o.Asking,
    costs: o.Distances,
    max_changes: int | None = None,
    each: o.ByRow,
    wanted: o.Values,
    groups: bool = False,
    pareto: str | None = None,
    max_results: int | None = None,
    time_limit: float | None = None,
    engine: o.Engine = "auto",
    jobs: int = 1,
    format: o.Format | None = None,
    output: str | None = None,
    reading: o.Input,
    id: str | None = None,
    mark_bad_rows: bool = False,
    rows: bool = False,
    trust: bool = False,
) -> int:
    """What would have to change for each row to be decided differently: all minimal counterfactuals, or the cheapest.

    Example: symcf explain loans.symcf applicants.csv --id name --immutable age -k 3
    """
    clock = Clock(time_limit)
    compiled = asking.opened(model, trust, time_limit)
    asked = asking.of(compiled) | costs.of(compiled, reading.reading()) | wanted.of(compiled)
    limits = {"k": k, "max_changes": max_changes, "max_results": max_results, "engine": engine}
    as_table = format_for(output, format) == "table"
    if groups and (not as_table or rows or asked.get("minimality") == "moves"):
        raise InputError("--groups is for tables of change sets: leave out --format, --rows and --minimality moves")
    measures = [name.strip() for name in (pareto or "").split(",") if name.strip()]
    if pareto is not None and asked["select"] == "all":
        raise InputError("--pareto compares one answer of each set: choose --select nearest or surest")
    by_row = each.columns({**asked, **limits})
    shown = None if not as_table or rows or by_row else GROUPED + 1 if groups else SHOWN
    explainer = RowExplainer(compiled, {**asked, **limits}, clock, jobs, rows, shown, by_row, measures)
    form = replace(reading.reading(id, mark_bad_rows, row), beside=tuple(dict.fromkeys(by_row.values())))
    columns = (*row_columns(id), *EXPLAIN, *PROBLEM[: int(mark_bad_rows)])
    two, target = compiled.n_classes == 2, asked.get("target")
    if rows:
        if asked["select"] == "all":
            raise InputError("--rows has one row per counterfactual: choose --select nearest or surest")
        with Data(data, compiled, replace(form, whole=True)) as table:
            write_changed_rows(explainer, table, output, format_for(output, format), id)
        return LIMIT if report_end(explainer.status) else 0
    table = Data(data, compiled, form)
    with row_writer(table, output, format, columns, blocks=True) as write:
        for number, name, answer in explainer.of(table):
            other = target if answer.target is None else answer.target
            if two and other is None and answer.label is not None:
                other = compiled.classes[1 - compiled.classes.index(answer.label)]
            write(number, Explained(number, name, answer, other, two, mark_bad_rows, groups))
    return LIMIT if report_end(explainer.status) else 0


# --- changed rows -----------------------------------------------------------------------------------------------------
# Changed rows as a table: the columns of the data file, with other values where something has to change.


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
