"""The command that gives reasons: why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from textwrap import wrap
from typing import Annotated, Any

import symcf
from symcf.answers.reason_text import to_text
from symcf.answers.render import LISTED
from symcf.answers.sentences import fixed_phrase, given_phrase
from symcf.answers.summary import STATUS
from symcf.cli import options as o
from symcf.cli.answers import PATIENCE, report_end
from symcf.cli.exits import LIMIT
from symcf.cli.option_table import writing
from symcf.cli.output import PROBLEM, Record, dumps, format_for, plain, printable, row_columns
from symcf.cli.progress import row_writer
from symcf.cli.tables import Data, all_rows
from symcf.common.clock import Clock
from symcf.errors import CompileLimitError, LimitError, OptionError
from symcf.fast import why_batch
from symcf.search.plan import reason_engines

__all__ = ["why"]

#: Rows that are answered at a time, and the bytes that their reasons may take.
AT_ONCE, MOST_BYTES = 64, 1 << 27


Engine = Annotated[str, writing("", "They differ in speed, not in the answer.", choices=reason_engines())]


WHY = (
    ("prediction", "text"),
    ("status", "text"),
    ("reason", "integer"),
    ("feature", "text"),
    ("value", "text"),
    ("cost", "number"),
)
#: The condition in words, where it may be wider than the value.
CONDITION = (("condition", "text"),)


PRECISE = (*WHY[:5], ("precision", "number"), ("alike", "integer"), ("rows", "integer"))


class Precise(Record):
    """A row and the fewest facts that a share of rows is decided alike with."""

    def __init__(self, number: int, id: str | None, found: symcf.PreciseReasons) -> None:
        self.head = (number,) if id is None else (number, id)
        self._found = found

    def nested(self) -> Iterator[str]:
        """As a JSON object."""
        facts = dict(zip(("row", "id"), self.head, strict=False)) | self._found.to_dict()
        yield dumps({name: facts[name] for name in facts if name not in ("format", "version", "features")})

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """One line per fact; a row or a set without any also has one line."""
        row = (plain(self._found.label), self._found.status)
        if not len(self._found):
            yield (*row, *(None,) * 6)
        for i, reason in enumerate(self._found, 1):
            for one in reason.conditions or (None,):
                fact = (None, None) if one is None else (one.name, plain(one.value))
                yield (*row, i, *fact, reason.precision, reason.alike, reason.rows)

    def text(self, columns: int) -> Iterator[str]:
        """A paragraph."""
        return _paragraph(self.name, str(self._found), columns)


class Reasoned(Record):
    """A row and its reasons; without them where it could not be read or already has the target class."""

    def __init__(
        self,
        number: int,
        id: str | None,
        status: str,
        label: Any,
        reasons: symcf.Reasons | None,
        most: int | None,
        problem: tuple[str | None, ...],
        general: bool,
    ) -> None:
        """``problem`` is empty if rows that cannot be read are no part of the output. ``general``: is there a column
        for conditions?
        """
        self.head = (number,) if id is None else (number, id)
        self._status, self._label, self._reasons = status, label, reasons
        self._problem = problem
        self._general = general
        #: How many reasons there are, as `to_text` takes it.
        self.total: Callable[[], int | None] = lambda: 0
        #: How many principal reasons to give instead.
        self._most = most

    def nested(self) -> Iterator[str]:
        """As a JSON object."""
        r = self._reasons
        facts: dict[str, Any] = dict(zip(("row", "id"), self.head, strict=False))
        facts |= {"prediction": plain(self._label), "status": self._status}
        if any(self._problem):
            facts["problem"] = self._problem[0]
        if r is not None and self._most is not None:
            facts["principal"] = r.principal(self._most)
        elif r is not None:
            data = r.to_dict()
            facts |= {name: data[name] for name in ("probability", "count", "reasons")}
            for name in ("necessary", "relevant", "irrelevant"):
                facts[name] = None if data[name] is None else [r.features[j] for j in data[name]]
        yield dumps(facts)

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """One line per condition; a row or a reason without any also has one line."""
        r = self._reasons
        row = ("" if self._label is None else plain(self._label), self._status)
        none = (None,) * self._general
        if r is None or not r.count:
            yield (*row, None, None, None, None, *none, *self._problem)
        elif self._most is not None:
            shares = sorted(((-share, j) for j, share in enumerate(r.shares) if share))[: self._most]
            for i, (_, j) in enumerate(shares, 1):
                yield (*row, i, r.features[j], plain(r.row[j]), None, *none, *self._problem)
        else:
            for i, reason in enumerate(r, 1):
                if not reason.conditions:
                    yield (*row, i, None, None, reason.cost, *none, *self._problem)
                for one in reason.conditions:
                    told = (str(one),) * self._general
                    yield (*row, i, one.name, plain(one.value), reason.cost, *told, *self._problem)

    def text(self, columns: int) -> Iterator[str]:
        """A paragraph."""
        r = self._reasons
        name = self.name
        if r is None:
            unread = f"could not be read: {printable(''.join(filter(None, self._problem)))}"
            said = unread if self._label is None else f"{printable(self._label)}, as wanted"
            yield from wrap(f"{name}: {said}", columns, subsequent_indent="    ")
            return
        if self._most is not None:
            fixed, given = fixed_phrase(r.constraints), given_phrase(r.constraints)
            held = "".join([f", with {fixed}" if fixed else "", f", {given}" if given else ""])
            yield from wrap(f"{name}: {printable(self._label)}; principal reasons{printable(held)}:", columns)
            for i, line in enumerate(r.principal(self._most), 1):
                yield from wrap(f"{i}. {printable(line)}", columns, initial_indent="    ", subsequent_indent="       ")
            return
        yield from _paragraph(name, to_text(r, self.total()), columns)


def _paragraph(name: str, text: str, columns: int) -> Iterator[str]:
    """What is said about a row, below its name."""
    first, *rest = text.splitlines()
    yield from wrap(f"{name}: {printable(first.removeprefix('decided '))}", columns)
    for line in rest:
        yield from wrap(printable(line.strip()), columns, initial_indent="    ", subsequent_indent="      ")


def why(
    model: str,
    data: str,
    *,
    row: int | None = None,
    k: int | None = None,
    asking: o.Asking,
    costs: o.Costs,
    principal: int | None = None,
    general: bool = False,
    precision: float | None = None,
    precision_data: str | None = None,
    max_results: int | None = None,
    time_limit: float | None = None,
    engine: Engine = "auto",
    jobs: int = 1,
    format: o.Format | None = None,
    output: str | None = None,
    reading: o.Input,
    id: str | None = None,
    mark_bad_rows: bool = False,
    trust: bool = False,
) -> int:
    """Why each row was decided as it was: all sufficient reasons, or the smallest. A reason is a minimal set of values
    that force the decision whatever the others are.

    With several classes, --target asks why it is not that one.

    Example: symcf why loans.symcf applicants.csv --id name --principal 4
    """
    if general and principal is not None:
        raise OptionError("--general and --principal: the principal reasons are features; give one of them")
    if precision_data is not None and precision is None:
        raise OptionError("--precision-data needs --precision, the share of rows")
    clock = Clock(time_limit)
    compiled = asking.opened(model, trust, time_limit)
    if precision is not None:
        if general or principal is not None or max_results is not None or engine != "auto" or mark_bad_rows:
            raise OptionError("--precision goes with -k, --time-limit, --precision-data and what may change")
        counted = None if precision_data is None else all_rows(Data(precision_data, compiled, reading.reading()))[0]
        asked = asking.of(compiled) | costs.of(compiled) | {"precision": precision, "data": counted, "k": k}
        table = Data(data, compiled, reading.reading(id, False, row))
        with row_writer(table, output, format, (*row_columns(id), *PRECISE), blocks=True) as write:
            return _precise(compiled, table, asked, clock, write)
    coded = compiled.of_codes()
    question = asking.of(coded) | costs.of(coded)
    # a table shows the first; the others are counted
    short = format_for(output, format) == "table" and principal is None and max_results is None
    first = LISTED + 1 if short and (k is None or k > LISTED) else k
    limits = {"k": first, "max_results": max_results, "engine": engine}
    status = dict.fromkeys(STATUS, 0)
    columns = (*row_columns(id), *WHY, *CONDITION[: int(general)], *PROBLEM[: int(mark_bad_rows)])
    rows = Data(data, compiled, reading.reading(id, mark_bad_rows, row))
    with row_writer(rows, output, format, columns, blocks=True) as write:
        for number, name, code, label, found, problem in _answers(
            coded, rows, question | limits | {"k": first}, clock, jobs
        ):
            ended = STATUS[code]
            if general and found is not None:
                found = found.general(time_limit=clock.seconds)
                ended = "time_limit" if found.status == "time_limit" else ended
            status[ended] += 1
            last = (problem,) if mark_bad_rows else ()
            record = Reasoned(number, name, ended, label, found, principal, last, general)
            if short and found is not None and found.count > LISTED:
                record.total = partial(_counted, coded, found, question, k, clock)
            write(number, record)
            if ended == "time_limit":
                break
    return LIMIT if report_end(status, "reasons") else 0


def _precise(
    compiled: symcf.Compiled, rows: Data, asked: dict[str, Any], clock: Clock, write: Callable[[int, Record], None]
) -> int:
    """Writes the fewest facts of every row; the exit code."""
    complete = True
    for chunk in rows.chunks():
        for i in range(len(chunk)):
            coded = chunk.raw is None
            x = chunk.codes[i].tolist() if coded else {name: column[i] for name, column in (chunk.raw or {}).items()}
            known = compiled.of_codes() if coded else compiled
            found = known.why(x, time_limit=clock.seconds, **asked)
            complete &= found.complete
            number = chunk.first + i
            write(number, Precise(number, None if chunk.ids is None else chunk.ids[i], found))
    return 0 if complete else LIMIT


def _counted(
    compiled: symcf.Compiled, reasons: symcf.Reasons, question: dict[str, Any], k: int | None, clock: Clock
) -> int | None:
    """How many reasons a row has, at most k; None if that takes too long."""
    seconds = PATIENCE if clock.seconds is None else min(clock.seconds, PATIENCE)
    try:
        count = compiled.count_why(reasons.instance.tolist(), time_limit=seconds, **question)
    except LimitError:
        return None
    return count if k is None else min(count, k)


def _answers(
    compiled: symcf.Compiled, rows: Data, asked: dict[str, Any], clock: Clock, jobs: int
) -> Iterator[tuple[int, str | None, int, Any, symcf.Reasons | None, str | None]]:
    """Number, id, status, class, reasons and problem of every row."""
    for chunk in rows.chunks():
        for start in range(0, len(chunk), AT_ONCE):
            codes = chunk.codes[start : start + AT_ONCE]
            limits: dict[str, Any] = {"time_limit": clock.seconds, "n_jobs": jobs, "max_memory": MOST_BYTES}
            try:
                batch = why_batch(compiled, codes, errors="mark", **limits, **asked)
            except CompileLimitError:
                raise
            except LimitError as error:
                raise LimitError(f"near row {chunk.first + start}: {error}; set -k or --max-results") from None
            for i in range(len(batch)):
                code, name = int(batch.status[i]), None if chunk.ids is None else chunk.ids[start + i]
                invalid, at_target = STATUS[code] == "invalid", STATUS[code] == "at_target"
                label = None if invalid else compiled.classes[int(batch.prediction[i])]
                found = None if invalid or at_target else batch[i]
                yield chunk.first + start + i, name, code, label, found, chunk.problems.get(start + i)
