"""Commands about rows: explain, count, predict, verify, report."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Annotated, Any, TypeVar, cast

import numpy as np
import typer

import symcf
from symcf.cli import options as o
from symcf.cli.answers import Answer, Answers, Found, report_end
from symcf.cli.exits import BUG, INPUT, LIMIT, InputError, contradicted, say
from symcf.cli.models import open_compiled, taking_codes
from symcf.cli.output import Record, dumps, open_writer, plain, printable, to_terminal
from symcf.cli.progress import progress
from symcf.cli.tables import Data, bad_rows

__all__ = ["count", "explain", "predict", "report", "verify"]

T = TypeVar("T")

#: Counterfactuals of a row that a table shows; the other formats have them all.
SHOWN = 20

IDS = (("id", "text"),)


# --- explain ----------------------------------------------------------------------------------------------------------

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

    def __init__(self, number: int, id: str | None, answer: Answer, target: Hashable, two_classes: bool) -> None:
        self.head = (number,) if id is None else (number, id)
        self._answer, self._target = answer, target
        self._two_classes = two_classes

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
        """All but the head."""
        answer = self._answer
        facts = {
            "prediction": plain(answer.label),
            "probability": answer.probability,
            "status": answer.status,
            "count": answer.count,
        }
        yield dumps(facts)[1:-1] + ', "counterfactuals": ['
        for i, found in enumerate(answer.found()):
            yield (", " if i else "") + dumps(_as_dict(found))
        blocking = [{"kind": c.kind, "name": c.name, "text": str(c)} for c in answer.blocking]
        yield f'], "blocking": {dumps(blocking)}}}'

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """One line a change; a row without counterfactuals has one line, too."""
        answer = self._answer
        row = ("" if answer.label is None else plain(answer.label), answer.status)
        if not answer.count:
            yield (*row, None, None, None, None, None, None, None)
        for i, found in enumerate(answer.found(), 1):
            for _, name, old, new in found.changes:
                yield (*row, i, name, plain(old), plain(new), found.cost, plain(found.label), found.probability)

    def rendered(self, render: Callable[[tuple[Any, ...]], T]) -> Iterable[T]:
        """What a writer makes of the lines; the same for all rows that are alike."""
        answer = self._answer
        if not answer.kept:
            return map(render, self.lines())
        if answer.rendered is None:
            answer.rendered = list(map(render, self.lines()))
        return cast(list[T], answer.rendered)

    def text(self, columns: int) -> Iterator[str]:
        """A paragraph."""
        answer = self._answer
        name = f"row {self.head[0]}" if len(self.head) == 1 else f"row {self.head[0]} ({printable(self.head[1])})"
        if answer.status == "invalid":
            yield f"{name}: could not be read"
            return
        sure = "" if answer.probability is None else f" ({answer.probability:.1%})"
        wanted = "another class" if self._target is None else printable(self._target)
        ending = {
            "at_target": "as wanted",
            "complete": f"it would be {wanted} with" if answer.count else f"nothing that may change makes it {wanted}",
        }.get(answer.status, f"it would be {wanted} with")
        yield from wrap(f"{name}: {printable(answer.label)}{sure}; {ending}{':' * bool(answer.count)}", columns)
        for i, found in enumerate(answer.found()):
            if i == SHOWN:
                yield f"    ... and {answer.count - SHOWN:,} more"
                break
            yield from wrap(self._line(found), columns, initial_indent="    ", subsequent_indent="      ")
        for constraint in answer.blocking:
            yield from wrap(printable(f"in the way: {constraint}"), columns, initial_indent="    ")
        if answer.status in ("time_limit", "max_results"):
            yield f"    stopped by --{answer.status.replace('_', '-')}: more may exist"

    def _line(self, found: Found) -> str:
        changes = ", ".join(
            f"{printable(name)}: {printable(old)} -> {printable(new)}" for _, name, old, new in found.changes
        )
        more = [] if found.cost == len(found.changes) else [f"cost {found.cost:g}"]
        if not self._two_classes:
            more.append(printable(found.label))
        if found.probability is not None:
            more.append(f"{found.probability:.1%}")
        return f"{changes or 'no change'}  ({', '.join(more)})" if more else changes or "no change"


def _as_dict(found: Found) -> dict[str, Any]:
    return {
        "changes": [
            {"feature": j, "name": name, "old": plain(old), "new": plain(new)} for j, name, old, new in found.changes
        ],
        "cost": found.cost,
        "class": plain(found.label),
        "probability": found.probability,
    }


def explain(
    model: o.ModelFile,
    data: o.DataFile,
    k: o.K = None,
    target: o.Target = None,
    immutable: o.Immutable = None,
    allowed: o.Allowed = None,
    cost: o.Cost = None,
    max_changes: o.MaxChanges = None,
    constraint: o.Constraints = None,
    max_results: o.MaxResults = None,
    time_limit: o.TimeLimit = None,
    engine: o.EngineOption = o.EngineName.auto,
    jobs: o.Jobs = 1,
    format: o.FormatOption = o.Format.table,
    output: o.Output = None,
    input_format: o.InputOption = o.InputFormat.auto,
    delimiter: o.Delimiter = ",",
    encoding: o.Encoding = "utf-8",
    no_header: o.NoHeader = False,
    cells: o.Cells = o.CellsOption.auto,
    id: o.Id = None,
    extra: o.Extra = False,
    mark_bad_rows: o.MarkBad = False,
    trust: o.Trust = False,
) -> int:
    """What would have to change for each row to be decided differently: all minimal counterfactuals, or the cheapest.

    Example: symcf explain loans.symcf applicants.csv --id name --immutable age -k 3
    """
    start = time.monotonic()
    compiled = open_compiled(model, trust=trust, time_limit=time_limit)
    asked = o.question(
        compiled,
        target=target,
        immutable=immutable,
        allowed=allowed,
        cost=cost,
        max_changes=max_changes,
        constraints=constraint,
    )
    limits = {"k": k, "max_results": max_results, "engine": str(engine)}
    left = None if time_limit is None else max(0.0, time_limit - (time.monotonic() - start))
    answers = Answers(compiled, {**asked, **limits}, left, jobs)
    given = o.reading(input_format, delimiter, encoding, no_header, cells, id, extra, mark_bad_rows)
    columns = (("row", "integer"), *(IDS if id is not None else ()), *EXPLAIN)
    two, wanted = compiled.n_classes == 2, asked.get("target")
    with (
        Data(data, compiled, given) as rows,
        open_writer(output, format, columns, blocks=True) as writer,
        progress(rows, to_terminal(output)) as tell,
    ):
        for number, name, answer in answers.of(rows):
            other = wanted
            if two and wanted is None and answer.label is not None:
                other = compiled.classes[1 - compiled.classes.index(answer.label)]
            writer.write(Explained(number, name, answer, other, two))
            tell(number)
    return LIMIT if report_end(answers.status) else 0


# --- predict and count ------------------------------------------------------------------------------------------------


class Line(Record):
    """One line of a table with named columns."""

    def __init__(self, columns: Sequence[tuple[str, str]], cells: Sequence[Any]) -> None:
        self._columns, self._cells = columns, cells

    def nested(self) -> Iterable[str]:
        """As a JSON object."""
        return [dumps({name: plain(cell) for (name, _), cell in zip(self._columns, self._cells, strict=True)})]

    def lines(self) -> Iterable[tuple[Any, ...]]:
        """As it is."""
        return [tuple(self._cells)]


def predict(
    model: o.ModelFile,
    data: o.DataFile,
    proba: Annotated[bool, typer.Option("--proba", help="The probability of every class.")] = False,
    format: o.FormatOption = o.Format.table,
    output: o.Output = None,
    input_format: o.InputOption = o.InputFormat.auto,
    delimiter: o.Delimiter = ",",
    encoding: o.Encoding = "utf-8",
    no_header: o.NoHeader = False,
    cells: o.Cells = o.CellsOption.auto,
    id: o.Id = None,
    extra: o.Extra = False,
    mark_bad_rows: o.MarkBad = False,
    trust: o.Trust = False,
) -> int:
    """The class of each row, and how probable it is.

    Example: symcf predict loans.symcf applicants.csv --format csv -o decisions.csv
    """
    compiled = open_compiled(model, trust=trust)
    given = o.reading(input_format, delimiter, encoding, no_header, cells, id, extra, mark_bad_rows)
    if proba and not compiled.has_probabilities:
        raise InputError(f"--proba: {model} knows no probabilities, only the decision")
    columns = (("row", "integer"), *(IDS if id is not None else ()), ("prediction", "text"))
    if proba:
        columns += tuple((f"P({plain(label)})", "number") for label in compiled.classes)
    elif compiled.has_probabilities:
        columns += (("probability", "number"),)
    unread = 0
    with (
        Data(data, compiled, given) as rows,
        open_writer(output, format, columns) as writer,
        progress(rows, to_terminal(output)) as tell,
    ):
        for chunk in rows.chunks():
            bad = bad_rows(chunk.codes)
            unread += int(bad.sum())
            codes = np.where(bad[:, None], 0, chunk.codes)
            found = _predicted(compiled, codes, proba)
            for i, (invalid, cells_of_row) in enumerate(zip(bad.tolist(), found, strict=True)):
                line = [None] * len(cells_of_row) if invalid else cells_of_row
                name = [] if chunk.ids is None else [chunk.ids[i]]
                writer.write(Line(columns, [chunk.first + i, *name, *line]))
            tell(chunk.first + len(chunk))
    if unread:
        say(f"note: {unread:,} rows could not be read; they have no prediction")
    return 0


def _predicted(compiled: symcf.Compiled, codes: Any, proba: bool) -> list[list[Any]]:
    """By row: its class, and probabilities."""
    decided = compiled.decide(codes)
    labels = [plain(compiled.classes[code]) for code in decided.tolist()]
    probabilities = compiled.probabilities(codes)
    if probabilities is None:
        return [[label] for label in labels]
    if proba:
        return [[label, *row] for label, row in zip(labels, probabilities.tolist(), strict=True)]
    sure = probabilities[np.arange(len(codes)), decided].tolist()
    return [list(pair) for pair in zip(labels, sure, strict=True)]


def count(
    model: o.ModelFile,
    data: o.DataFile,
    target: o.Target = None,
    immutable: o.Immutable = None,
    allowed: o.Allowed = None,
    max_changes: o.MaxChanges = None,
    constraint: o.Constraints = None,
    time_limit: o.TimeLimit = None,
    engine: o.EngineOption = o.EngineName.auto,
    format: o.FormatOption = o.Format.table,
    output: o.Output = None,
    input_format: o.InputOption = o.InputFormat.auto,
    delimiter: o.Delimiter = ",",
    encoding: o.Encoding = "utf-8",
    no_header: o.NoHeader = False,
    cells: o.Cells = o.CellsOption.auto,
    id: o.Id = None,
    extra: o.Extra = False,
    trust: o.Trust = False,
) -> int:
    """How many minimal sets of changes each row has, exactly, without listing them.

    Example: symcf count loans.symcf applicants.csv --max-changes 3
    """
    clock = Clock(time_limit)
    compiled = open_compiled(model, trust=trust, time_limit=time_limit)
    coded = taking_codes(compiled)
    asked = o.question(
        coded, target=target, immutable=immutable, allowed=allowed, max_changes=max_changes, constraints=constraint
    )
    given = o.reading(input_format, delimiter, encoding, no_header, cells, id, extra)
    # an exact count can have any number of digits, which no column of integers holds
    columns = (("row", "integer"), *(IDS if id is not None else ()), ("prediction", "text"), ("count", "text"))
    known: dict[bytes, tuple[Any, int]] = {}
    with (
        Data(data, compiled, given) as rows,
        open_writer(output, format, columns) as writer,
        progress(rows, to_terminal(output)) as tell,
    ):
        for chunk in rows.chunks():
            for i, row in enumerate(chunk.codes):
                key = row.tobytes()
                if key not in known:
                    known[key] = _counted(coded, row, {**asked, "engine": str(engine)}, clock)
                name = [] if chunk.ids is None else [chunk.ids[i]]
                writer.write(Line(columns, [chunk.first + i, *name, *known[key]]))
                tell(chunk.first + i)
            if len(known) > 100_000:
                known.clear()
    return 0


class Clock:
    """What is left of a time limit."""

    def __init__(self, seconds: float | None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds, or None for no limit."""
        return None if self._end == math.inf else max(0.0, self._end - time.monotonic())


def _counted(compiled: symcf.Compiled, row: Any, asked: dict[str, Any], clock: Clock) -> tuple[Any, int]:
    label = compiled.classes[int(compiled.decide(row.reshape(1, -1))[0])]
    if asked.get("target") == label and "target" in asked:
        return plain(label), 0
    return plain(label), compiled.count(row, time_limit=clock.left(), **asked)


# --- verify -----------------------------------------------------------------------------------------------------------

VERIFIED = ("valid", "minimal", "complete", "honest")
MARKS = {True: "yes", False: "NO", None: "not checked"}


def verify(
    model: o.ModelFile,
    data: o.DataFile,
    k: o.K = None,
    target: o.Target = None,
    immutable: o.Immutable = None,
    allowed: o.Allowed = None,
    cost: o.Cost = None,
    max_changes: o.MaxChanges = None,
    constraint: o.Constraints = None,
    engine: o.EngineOption = o.EngineName.auto,
    format: o.FormatOption = o.Format.table,
    output: o.Output = None,
    input_format: o.InputOption = o.InputFormat.auto,
    delimiter: o.Delimiter = ",",
    encoding: o.Encoding = "utf-8",
    no_header: o.NoHeader = False,
    cells: o.Cells = o.CellsOption.auto,
    id: o.Id = None,
    extra: o.Extra = False,
    trust: o.Trust = False,
) -> int:
    """Explains each row and checks the answer against the definition, by brute force or a fresh SAT solver.

    Exit code 3 if a row is too large to be checked in full, 1 if an explanation is wrong.

    Example: symcf verify loans.symcf applicants.csv --immutable age
    """
    compiled = open_compiled(model, trust=trust)
    coded = taking_codes(compiled)
    asked = o.question(
        coded,
        target=target,
        immutable=immutable,
        allowed=allowed,
        cost=cost,
        max_changes=max_changes,
        constraints=constraint,
    )
    given = o.reading(input_format, delimiter, encoding, no_header, cells, id, extra)
    columns = (("row", "integer"), *(IDS if id is not None else ()), *((name, "text") for name in VERIFIED))
    columns += (("method", "text"), ("problems", "text"))
    wrong = unchecked = 0
    with (
        Data(data, compiled, given) as rows,
        open_writer(output, format, columns) as writer,
        progress(rows, to_terminal(output)) as tell,
    ):
        for chunk in rows.chunks():
            for i, row in enumerate(chunk.codes):
                name = [] if chunk.ids is None else [chunk.ids[i]]
                checked = _verified(coded, row, {**asked, "k": k, "engine": str(engine)})
                if checked is None:
                    line = ["yes"] * 4 + ["at target", ""]
                else:
                    line = [MARKS[getattr(checked, question)] for question in VERIFIED]
                    line += [checked.method, "; ".join([*checked.problems, *checked.notes])]
                    wrong += "NO" in line[:4]
                    unchecked += "not checked" in line[:4]
                writer.write(Line(columns, [chunk.first + i, *name, *line]))
                tell(chunk.first + i)
    if wrong and contradicted(f"{wrong:,} explanations are wrong"):
        return INPUT
    if wrong:
        say(f"this is a bug of symcf, please report it: {wrong:,} explanations are wrong")
        return BUG
    if unchecked:
        say(f"error: {unchecked:,} rows are too large to be checked in full")
        return LIMIT
    return 0


def _verified(compiled: symcf.Compiled, row: Any, asked: dict[str, Any]) -> symcf.Report | None:
    label = compiled.classes[int(compiled.decide(row.reshape(1, -1))[0])]
    if "target" in asked and asked["target"] == label:
        return None
    return symcf.verify(compiled, row, compiled.explain(row, **asked))


# --- report -----------------------------------------------------------------------------------------------------------


def report(
    model: o.ModelFile,
    data: o.DataFile,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="The HTML file to write.")],
    title: Annotated[str | None, typer.Option("--title", help="Of the page.")] = None,
    max_rows: Annotated[
        int, typer.Option("--max-rows", metavar="N", min=1, help="List the first N; the figures count all.")
    ] = 5000,
    k: o.K = None,
    target: o.Target = None,
    immutable: o.Immutable = None,
    allowed: o.Allowed = None,
    cost: o.Cost = None,
    max_changes: o.MaxChanges = None,
    constraint: o.Constraints = None,
    input_format: o.InputOption = o.InputFormat.auto,
    delimiter: o.Delimiter = ",",
    encoding: o.Encoding = "utf-8",
    no_header: o.NoHeader = False,
    cells: o.Cells = o.CellsOption.auto,
    id: o.Id = None,
    extra: o.Extra = False,
    trust: o.Trust = False,
) -> int:
    """One HTML file that explains the rows and lets people try changes, in any browser, without a network.

    Example: symcf report loans.symcf applicants.csv --id name -k 10 -o report.html
    """
    compiled = open_compiled(model, trust=trust)
    asked = o.question(
        compiled,
        target=target,
        immutable=immutable,
        allowed=allowed,
        cost=cost,
        max_changes=max_changes,
        constraints=constraint,
    )
    if k is not None:
        asked["k"] = k
    given = o.reading(input_format, delimiter, encoding, no_header, cells, id, extra)
    rows, names = _all_rows(Data(data, compiled, given))
    try:
        from symcf.report import write  # when asked for: it needs jinja2
    except ImportError as error:
        raise InputError(f"symcf report needs {error.name}: pip install 'symcf[report]'") from None
    write(output, compiled, rows, names=names, title=title, max_rows=max_rows, **asked)
    return 0


def _all_rows(data: Data) -> tuple[Any, list[str] | None]:
    """All rows as the library takes them, and their names."""
    with data:
        chunks = list(data.chunks(raw=True))
    if not chunks:
        raise InputError(f"{data.name}: no rows")
    names = [name for chunk in chunks for name in chunk.ids or []]
    return np.concatenate([chunk.raw for chunk in chunks]), names or None
