"""Rows of a table -> what would have to change for each, in columns where that is possible.

Tables repeat rows: each different row is explained once and remembered while there is room. Results are held as arrays,
and turned into Python objects a few thousand change sets at a time, so that memory does not grow with the file.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import symcf
from symcf.answers.batch import BatchExplanation
from symcf.answers.explanation import front_of
from symcf.answers.summary import STATUS
from symcf.cli.exits import InputError, say
from symcf.cli.tables import Chunk, Data, bad_rows
from symcf.common.clock import Clock
from symcf.data.reader import Codes
from symcf.errors import ClauseLimitError, CompileLimitError, LimitError, OptionError
from symcf.fast import explain_batch
from symcf.question.constraints import Constraint
from symcf.question.per_row import from_cells

__all__ = ["Change", "ExplainedRow", "Found", "RowExplainer"]

#: Bytes that the change sets of a chunk may take; with more, the chunk is halved.
MOST_BYTES = 1 << 27

#: Changes turned into objects at a time.
CHANGES_AT_ONCE = 50_000

#: Change sets that are written of a row that ran out of time: writing all that were found can take far longer.
LATE = 10_000

#: How much is remembered, where a change counts 3 and an answer 10: a few dozen megabytes.
WEIGHT_KEPT = 400_000

#: Seconds for counting what is not shown of a row. Most engines count without listing, in much less.
PATIENCE = 1.0

#: Options that the number of change sets depends on.
COUNTED = ("target", "immutable", "allowed", "constraints", "max_changes", "minimality", "engine")

#: Rows as the classifier takes them: value codes, or raw columns by name.
Rows = Codes | dict[str, npt.NDArray[Any]]

#: By keyword that differs from row to row, what it is for each row.
Each = dict[str, list[Any]]

#: The number of a feature, its name, and its old and new value.
Change = tuple[int, str, Hashable, Hashable]


class Found(NamedTuple):
    """A counterfactual: `Counterfactual` without the objects."""

    changes: tuple[Change, ...]
    cost: float
    #: Its class.
    label: Hashable
    probability: float | None
    #: If rows are wanted: by column of the classifier, the cells that differ.
    cells: dict[int, Any] | None = None
    #: Where the target is a number: what the changed row has of it.
    reached: float | None = None


class ExplainedRow:
    """What is known about a row."""

    __slots__ = (
        "_found", "_total", "blocking", "changes", "count", "kept", "label", "probability", "problem", "reached",
        "rendered", "status", "target",
    )  # fmt: skip

    def __init__(self, label: Hashable, probability: float | None, status: str, count: int, changes: int = 0) -> None:
        #: The class of the row.
        self.label = label
        self.probability = probability
        #: Where the target is a number: what the row has of it.
        self.reached: float | None = None
        self.status = status
        #: Change sets, and the changes in all of them.
        self.count = count
        self.changes = changes
        self.blocking: tuple[Constraint, ...] = ()
        #: Why the row could not be read.
        self.problem: str | None = None
        #: The class that this row is to reach, where each row has its own.
        self.target: Hashable = None
        #: Is it remembered for equal rows? Then writers may also keep what they make of it.
        self.kept = False
        self.rendered: Any = None
        self._found: Callable[[], Iterator[Found]] = lambda: iter(())
        self._total: Callable[[], int | None] = lambda: count

    def total(self) -> int | None:
        """How many there are, listed or not; None where only listing them all would tell."""
        return self._total()

    def found(self) -> Iterator[Found]:
        """The counterfactuals, in order."""
        return self._found()


class RowExplainer:
    """Explains rows as they come."""

    def __init__(
        self,
        compiled: symcf.Compiled,
        options: dict[str, Any],
        clock: Clock,
        jobs: int | None,
        rows: bool = False,
        first: int | None = None,
        by_row: Mapping[str, str] | None = None,
        pareto: Sequence[str] = (),
    ) -> None:
        """With ``rows``, the answers have the cells of changed rows, too. With ``first``, only so many are listed of
        each row, as if ``k`` were asked for, and the others are counted. ``by_row``: by keyword, the column of the file
        that holds it for each row. With ``pareto``, only what no other answer of a row beats in these measures.
        """
        self._by_row = by_row or {}
        self._compiled = compiled
        self._rows = rows
        #: How many of a row are listed, if there may be more of them; and how many are asked for.
        self._first, self._most = first, options["k"]
        self._pareto = pareto
        stopped = options["max_results"] is not None or options.get("diverse") is not None or bool(pareto)
        if first is not None and (self._most is None or self._most > first) and not stopped:
            options = {**options, "k": first + 1}
        else:
            self._first = None
        self._options = options
        self._jobs = jobs
        self._clock = clock
        self._known: dict[Hashable, ExplainedRow] = {}
        self._kept = 0
        #: The number of rows by status.
        self.status = dict.fromkeys(STATUS, 0)

    def of(self, data: Data) -> Iterator[tuple[int, str | None, ExplainedRow]]:
        """Number, id and answer of every row; ends early when time is up."""
        for chunk in data.chunks():
            for i, answer in enumerate(self.of_chunk(chunk)):
                yield chunk.first + i, None if chunk.ids is None else chunk.ids[i], answer
            if self.status["time_limit"]:
                return

    def of_chunk(self, chunk: Chunk) -> Iterator[ExplainedRow]:
        """The answers to the rows of a chunk, in order; they are counted by status."""
        for answer in self._chunk(chunk):
            self.status[answer.status] += 1
            yield answer

    def _chunk(self, chunk: Chunk) -> Iterator[ExplainedRow]:
        """The answers to the rows of a chunk, in order."""
        codes = np.ascontiguousarray(chunk.codes)
        invalid = bad_rows(codes).tolist()
        rows: Rows = codes if chunk.raw is None else chunk.raw
        keys: list[Hashable] = [row.tobytes() for row in codes]
        if chunk.raw is not None and chunk.raw:  # rows of the same codes may need different numbers
            keys = list(zip(*(column.tolist() for column in chunk.raw.values()), strict=True))
        each = self._each(chunk)
        keys = list(zip(keys, *([repr(entry) for entry in column] for column in each.values()), strict=True))
        fresh: dict[Hashable, int] = {}
        for i, key in enumerate(keys):
            if not invalid[i] and key not in self._known:  # cells that cannot be read may have no hash
                fresh.setdefault(key, i)
        chosen = list(fresh.values())
        pending = self._explained(_taken(rows, chosen), len(fresh), chunk.first, _of_rows(each, chosen))
        for i, key in enumerate(keys):
            if invalid[i]:
                answer = ExplainedRow(None, None, "invalid", 0)
                answer.problem = chunk.problems.get(i)
                yield answer
            elif key in self._known:
                yield self._known[key]
            else:  # new, or dropped because there was no room
                again = self._explained(_taken(rows, [i]), 1, chunk.first, _of_rows(each, [i]))
                answer, small = next(pending if fresh.get(key) == i else again)
                answer.target = each["target"][i] if "target" in each else None
                if small:
                    self._keep(key, answer)
                yield answer

    def _keep(self, key: Hashable, answer: ExplainedRow) -> None:
        weight = 10 + 3 * answer.changes
        if weight > WEIGHT_KEPT // 100:
            return
        self._kept += weight
        if self._kept > WEIGHT_KEPT:
            self._known.clear()
            self._kept = weight
        self._known[key] = answer
        answer.kept = True

    def _each(self, chunk: Chunk) -> Each:
        """The keywords of the rows of a chunk."""
        names, classes = self._compiled.features, self._compiled.classes
        try:
            return {
                name: from_cells(name, list(chunk.beside[column]), names, classes, chunk.first)
                for name, column in self._by_row.items()
            }
        except OptionError as error:
            raise InputError(str(error)) from None

    def _explained(self, rows: Rows, count: int, first: int, each: Each) -> Iterator[tuple[ExplainedRow, bool]]:
        """The answers to different rows, and whether they are small enough to be kept."""
        if not count:
            return
        try:
            batch = self._batch(rows, self._clock.seconds, each)
        except (CompileLimitError, ClauseLimitError):
            raise
        except LimitError:
            if count == 1:
                raise LimitError(
                    f"near row {first}: a row has more change sets than fit into {MOST_BYTES >> 20} MiB: set -k or "
                    f"--max-results, or use symcf count for their number"
                ) from None
            middle = count // 2
            head, tail = ({name: column[part] for name, column in each.items()} for part in _halves(middle))
            yield from self._explained(_taken(rows, slice(middle)), middle, first, head)
            yield from self._explained(_taken(rows, slice(middle, None)), count - middle, first + middle, tail)
            return
        for start, end in self._portions(batch):
            yield from self._portion(batch[start:end])

    def _batch(self, rows: Rows, seconds: float | None, each: Each) -> BatchExplanation:
        options = {"time_limit": seconds, "n_jobs": self._jobs, "max_memory": MOST_BYTES, **self._options, **each}
        return explain_batch(self._compiled, rows, **options)

    @staticmethod
    def _portions(batch: BatchExplanation) -> Iterator[tuple[int, int]]:
        """Rows that together do not have too many changes; at least one."""
        changes = batch.set_offsets[batch.row_offsets]
        start = 0
        while start < len(batch):
            end = int(np.searchsorted(changes, changes[start] + CHANGES_AT_ONCE, side="right")) - 1
            end = min(max(end, start + 1), len(batch))
            yield start, end
            start = end

    def _portion(self, batch: BatchExplanation) -> Iterator[tuple[ExplainedRow, bool]]:
        compiled = self._compiled
        probabilities, reached = compiled.probabilities(batch.rows), compiled.model.reached(batch.rows)
        large = len(batch.features) > CHANGES_AT_ONCE
        listed = None if large else list(_found(batch, 0, batch.n_sets, self._rows))
        ends = batch.row_offsets.tolist()
        changes = np.diff(batch.set_offsets[batch.row_offsets]).tolist()
        for i in range(len(batch)):
            code = int(batch.prediction[i])
            probability = None if probabilities is None else float(probabilities[i, code])
            status = STATUS[batch.status[i]]
            count = min(ends[i + 1] - ends[i], LATE if status == "time_limit" else batch.n_sets)
            answer = ExplainedRow(compiled.classes[code], probability, status, count, changes[i])
            answer.reached = None if reached is None or status == "invalid" else float(reached[i])
            if self._first is not None and answer.count > self._first:
                answer._total = self._counted(batch, i)
            if self._pareto and answer.count:
                front = _front(batch, i, self._pareto, self._rows)
                answer.count, answer._found, answer._total = len(front), _listed(front), partial(len, front)
            elif self._options.get("select") == "all":
                answer._found, answer._total = _every(batch, i, LATE if status == "time_limit" else None), lambda: None
            elif listed is None:
                answer._found = _in_steps(batch, self._rows, count)
            elif answer.count:
                answer._found = _listed(listed[ends[i] : ends[i] + count])
            elif answer.status == "complete":
                answer.blocking = batch[i].blocking
            yield answer, not large and answer.status != "time_limit"

    def _counted(self, batch: BatchExplanation, i: int) -> Callable[[], int | None]:
        """How many a row has; counted when it is asked, since that may take a while, too."""
        row, compiled = batch.rows[i].tolist(), batch.compiled
        assert isinstance(compiled, symcf.Compiled)

        def total() -> int | None:
            left = self._clock.seconds
            seconds = PATIENCE if left is None else min(left, PATIENCE)
            try:
                count = compiled.of_codes().count(row, time_limit=seconds, **self._uncosted)
            except LimitError:
                return None
            return count if self._most is None else min(count, self._most)

        return total

    @property
    def _uncosted(self) -> dict[str, Any]:
        """What the number of change sets depends on."""
        return {name: given for name, given in self._options.items() if name in COUNTED}


def _taken(rows: Rows, index: Any) -> Rows:
    """Some of the rows."""
    return {name: column[index] for name, column in rows.items()} if isinstance(rows, dict) else rows[index]


def _of_rows(each: Each, rows: list[int]) -> Each:
    """The keywords of some of the rows."""
    return {name: [column[i] for i in rows] for name, column in each.items()}


def _halves(middle: int) -> tuple[slice, slice]:
    return slice(middle), slice(middle, None)


def _every(batch: BatchExplanation, i: int, most: int | None) -> Callable[[], Iterator[Found]]:
    """All values that do, set by set, up to so many."""
    classes = batch.compiled.classes

    def found() -> Iterator[Found]:
        for one in itertools.islice(batch[i], most):
            changes = tuple((c.feature, c.name, c.old, c.new) for c in one.changes)
            yield Found(changes, one.cost, classes[one.target], one.probability, reached=one.reached)

    return found


def _front(batch: BatchExplanation, i: int, measures: Sequence[str], rows: bool) -> list[Found]:
    """What no other counterfactual of a row beats."""
    first = int(batch.row_offsets[i])
    places = front_of(batch[i], measures)
    return [one for place in places for one in _found(batch, first + place, first + place + 1, rows)]


def _listed(found: list[Found]) -> Callable[[], Iterator[Found]]:
    return lambda: iter(found)


def _in_steps(batch: BatchExplanation, rows: bool, count: int) -> Callable[[], Iterator[Found]]:
    """For one row with very many change sets."""
    step = max(1, CHANGES_AT_ONCE * batch.n_sets // max(1, len(batch.features)))
    starts = range(0, count, step)
    return lambda: itertools.chain.from_iterable(_found(batch, a, min(a + step, count), rows) for a in starts)


def _found(batch: BatchExplanation, first: int, last: int, rows: bool) -> Iterator[Found]:
    """The counterfactuals of sets first .. last - 1."""
    if first == last:
        return
    compiled = batch.compiled
    offsets = batch.set_offsets[first : last + 1]
    here = slice(int(offsets[0]), int(offsets[-1]))
    features, new = batch.features[here], batch._new_codes[here]
    row_of_set = np.repeat(np.arange(len(batch)), np.diff(batch.row_offsets))[first:last]
    changed = batch.rows[row_of_set].astype(np.int64)
    set_of_change = np.repeat(np.arange(last - first), np.diff(offsets))
    changed[set_of_change, features] = new
    decided = compiled.decide(changed)
    probabilities = compiled.probabilities(changed)
    reached = compiled.model.reached(changed)
    sure = None if probabilities is None else probabilities[np.arange(len(changed)), decided].tolist()
    names = compiled.features
    old, becomes = batch.old_and_new(here)
    changes: list[Change] = [(j, names[j], a, b) for j, a, b in zip(features.tolist(), old, becomes, strict=True)]
    ends = (offsets - offsets[0]).tolist()
    for i, (code, cost) in enumerate(zip(decided.tolist(), batch.cost[first:last].tolist(), strict=True)):
        cells = batch.cells_of_set(first + i) if rows else None
        probability = None if sure is None else sure[i]
        number = None if reached is None else float(reached[i])
        yield Found(tuple(changes[ends[i] : ends[i + 1]]), cost, compiled.classes[code], probability, cells, number)


def report_end(status: dict[str, int], what: str = "change sets") -> bool:
    """Prints on stderr what is missing, and returns whether anything is."""
    if unread := status["invalid"]:
        say(f'note: {unread:,} row{"s" * (unread != 1)} could not be read; status "invalid"')
    if status["max_results"]:
        say(f"error: {status['max_results']:,} rows have more {what} than --max-results: the output is incomplete")
    if status["time_limit"]:
        say("error: the time limit was reached: the output is incomplete")
    return bool(status["max_results"] or status["time_limit"])
