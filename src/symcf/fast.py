"""Explains tables of millions of rows in C: columns in, columns out.

`explain_batch` gives for every row what `Compiled.explain` gives for one, in arrays instead of objects.
`explain_batches` does the same chunk by chunk, for results larger than memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.answers import kernel, moved_rows, number_rows
from symcf.answers.attribution import checked_method
from symcf.answers.batch import BatchExplanation
from symcf.answers.batch_reasons import BatchReasons
from symcf.answers.explainer import OF_SETS, SELECT, Explainer
from symcf.answers.kernel import Kernel, checked_memory
from symcf.answers.set_columns import Request, Work
from symcf.answers.summary import COMPLETE
from symcf.common.clock import NO_LIMIT, Clock, timed
from symcf.common.memory import bounded, bounded_batch
from symcf.common.options import checked_choice, checked_count, checked_diverse, checked_seconds
from symcf.common.threads import Progress, checked_jobs, reporter
from symcf.data.given import GivenRows, ReadRows
from symcf.data.reader import Codes
from symcf.errors import InstanceError, LimitError, OptionError
from symcf.question.aims import aimed
from symcf.question.case import coded_case
from symcf.question.per_row import BY_ROW, from_cells, told_apart, without
from symcf.question.per_row import by_row as keywords_by_row
from symcf.question.question import Keywords, Question, kept_question
from symcf.question.relations import cut_for
from symcf.search.plan import engines, plan, reason_engines
from symcf.search.protocol import Options
from symcf.search.reasons import REFERENCES, check_reasons, point_values, shapley_values, shares_of
from symcf.system.classifier import Classifier

if TYPE_CHECKING:
    import pyarrow

__all__ = ["attribute_batch", "explain_batch", "explain_batches", "output_schema", "release_memory", "why_batch"]

#: How batches are answered in the core, the fastest first; each gives None for what it does not take. A new one is a
#: line here. What none of them takes is answered row by row.
WAYS = (moved_rows.answered, number_rows.answered, kernel.answered)


@timed
@bounded_batch
def explain_batch(
    compiled: Classifier,
    rows: Any,
    *,
    k: int | None = None,
    max_results: int | None = None,
    time_limit: float | None = None,
    engine: str = "auto",
    select: str = "nearest",
    diverse: int | None = None,
    encoding: str = "auto",
    solver: str | None = None,
    assisted: bool = True,
    n_jobs: int | None = None,
    progress: Progress = None,
    errors: str = "raise",
    sort: bool = True,
    max_memory: int | None = None,
    **question: Unpack[Keywords],
) -> BatchExplanation:
    """The minimal counterfactuals of every row.

    Takes the keywords of `Compiled.explain` (limits are per row, except ``time_limit``, which is for the whole batch),
    and these:

    Parameters
    ----------
    rows:
        A two-dimensional array of integers or booleans (used as it is if it is C-contiguous), a list of rows or of
        mappings, a mapping of columns, a DataFrame, or anything that exports Arrow data.
    immutable, allowed, target, cost, max_changes:
        As in `explain`; or for each row its own: ``immutable`` a table of truth values with one column per feature, or
        a list of names for each row; ``cost`` a table of numbers, or a mapping for each row; ``allowed``, ``target``
        and ``max_changes`` one entry for each row, None where there is none. Tables are arrays or DataFrames. Such rows
        are answered one by one.
    n_jobs:
        Threads; None is 1, -1 one per processor. The result is the same for any number, so if the system can only
        start fewer (ulimit -u, ulimit -v), those do the work. (The SAT engines hold one solver, which one thread
        uses.)
    progress:
        True for a progress bar on stderr, or a function that is called with (rows done, rows in all).
    errors:
        "raise" raises an error that names the first row with an invalid value; "mark" gives such rows the status
        "invalid" and continues.
    sort:
        Whether to sort the sets of a row by (cost, size, features), as in `explain`. False saves the sorting and leaves
        them in the order in which the engine finds them, which is also the same on every machine. The sets of a row
        that ``time_limit`` cut short are never sorted in the columns; ``batch[i]`` has them in order.
    max_memory:
        Bytes that the result may take, and as much again while it is made; by default three quarters of the memory of
        the machine or container. Beyond that, `LimitError` is raised. (Memory of freed results is reused for the next
        ones; see `release_memory`.)

    A row that already has the target class has the status "at_target" and no sets.

    >>> import symcf, symcf.fast
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20]))
    >>> batch = symcf.fast.explain_batch(c, [[1, 0, 1, 0], [0, 0, 1, 0]])
    >>> [e.sets for e in batch]
    [[(1,), (3,)], [(1,), (0, 3)]]
    """
    clock = Clock(checked_seconds(time_limit))
    checked_choice(errors, "errors", ("raise", "mark"))
    checked_choice(select, "select", SELECT)
    checked_choice(engine, "engine", engines())
    compiled, keywords = aimed(compiled, question, lambda: _decided(compiled, rows))
    given = rows.given if isinstance(rows, ReadRows) else GivenRows.of(rows, compiled.encoder.layout)
    compiled, each = compiled.around(given.given), keywords_by_row(keywords, given.__len__, compiled.features)
    if each is not None and isinstance(rows, ReadRows):
        raise OptionError("keywords that differ from row to row are for tables that are in memory; use explain_batch")
    for of_row in (keywords,) if each is None else each:
        compiled = cut_for(compiled, of_row.get("constraints"), of_row.get("allowed"))
    ranked = k is not None and select not in OF_SETS
    request = Request(
        question=kept_question(compiled, cast(Keywords, without(keywords, each)), ranked=ranked),
        k=checked_count(k, "k", least=1),
        max_results=checked_count(max_results, "max_results", least=1),
        sorted=bool(sort) or k is not None or diverse is not None,
        select=select,
        diverse=checked_diverse(diverse),
        options=Options(engine, encoding, solver, assisted),
    )
    request.question.check_select(select)
    jobs = checked_jobs(n_jobs)
    memory = checked_memory(max_memory)
    codes = rows.codes if isinstance(rows, ReadRows) else compiled.codes(given.given, mark=errors == "mark")
    request = _about(request, request.question, given)
    if each is not None:
        made: dict[str, Request] = {}
        keys = told_apart(each)
        for key, of_row in zip(keys, each, strict=True):
            if key not in made:
                made[key] = _about(request, Question.checked(compiled, ranked=ranked, **of_row), given)
        request = replace(request, own=[made[key] for key in keys])
    with reporter(progress, len(codes)) as report:
        batch = _explained(Work(compiled, codes, request, clock, memory, errors, jobs, report))
    batch.given = given
    return batch if request.diverse is None else batch.diverse_within(request.diverse, jobs, clock)


def _decided(compiled: Classifier, rows: Any) -> Codes:
    """The classes of rows that can be read."""
    codes = rows.codes if isinstance(rows, ReadRows) else compiled.codes(rows, mark=True)
    return compiled.decide(codes[(codes >= 0).all(axis=1)])


def _about(request: Request, question: Question, given: GivenRows) -> Request:
    """A request with another question, about rows whose columns have types."""
    asked = question.given_as(given)
    places = asked.costs.places(given.given)
    cells = given if asked.depends_on_cells else None
    return replace(
        request, question=asked, places=None if places is None else given.picked(places), given=cells, own=None
    )


def _explained(work: Work) -> BatchExplanation:
    """The answers to rows of value codes, by the first way that takes the question."""
    for way in WAYS:
        found = way(work)
        if found is not None:
            return found
    return BatchExplanation.one_by_one(work)


@timed
@bounded_batch
def why_batch(
    compiled: Classifier,
    rows: Any,
    *,
    k: int | None = None,
    max_results: int | None = None,
    time_limit: float | None = None,
    engine: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = None,
    errors: str = "raise",
    sort: bool = True,
    max_memory: int | None = None,
    **question: Unpack[Keywords],
) -> BatchReasons:
    """The sufficient reasons of every row: what `Compiled.why` gives for one, in arrays instead of objects.

    Takes the keywords of `Compiled.why`, and those of `explain_batch` that are about batches.

    >>> import symcf, symcf.fast
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20]))
    >>> [r.sets for r in symcf.fast.why_batch(c, [[1, 0, 1, 0], [0, 0, 1, 0]])]
    [[(1, 3)], [(0, 1), (1, 3)]]
    """
    clock = Clock(checked_seconds(time_limit))
    checked_choice(errors, "errors", ("raise", "mark"))
    compiled, keywords = aimed(compiled, question, lambda: _decided(compiled, rows), reasons=True)
    compiled = cut_for(compiled, question.get("constraints"), question.get("allowed"))
    request = Request(
        question=kept_question(compiled, cast(Keywords, keywords), ranked=False),
        k=checked_count(k, "k", least=1),
        max_results=checked_count(max_results, "max_results", least=1),
        sorted=bool(sort) or k is not None,
        options=Options(engine),
    )
    check_reasons(request.question)
    checked_choice(engine, "engine", reason_engines())
    jobs = checked_jobs(n_jobs)
    memory = checked_memory(max_memory)
    given = GivenRows.of(rows, compiled.encoder.layout)
    codes = compiled.codes(given.given, mark=errors == "mark")
    request = replace(request, question=request.question.given_as(given))
    if request.question.depends_on_cells:
        request = replace(request, given=given)
    with reporter(progress, len(codes)) as report:
        batch = _why(Work(compiled, codes, request, clock, memory, errors, jobs, report))
    batch.given = given
    return batch


def why_codes(question: Question, codes: Codes, k: int, time_limit: float) -> BatchReasons:
    """The k smallest reasons of rows of value codes, for a question that was checked before; bad rows are marked."""
    request = Request(question=question, k=k, max_results=None, sorted=True)
    return _why(Work(question.classifier, codes, request, Clock(time_limit), checked_memory(None), "mark"))


def reason_counts(compiled: Classifier, codes: Codes, most: int) -> list[list[int] | None]:
    """By row and feature, how many of the reasons for the decision it is in if nothing is held fixed.

    None for a row with more than ``most`` reasons: `Explainer.reason_counts` counts them without listing.
    """
    request = Request(question=Question.checked(compiled), k=None, max_results=most, sorted=False)
    found = _why(Work(compiled, codes, request, NO_LIMIT, checked_memory(None), "mark"))
    n, sizes = compiled.n_features, np.diff(found.row_offsets)
    rows = np.repeat(np.repeat(np.arange(len(found)), sizes), np.diff(found.set_offsets))
    counts = np.bincount(rows * n + found.features, minlength=len(found) * n).reshape(len(found), n)
    return [line if done else None for line, done in zip(counts.tolist(), found.status == COMPLETE, strict=True)]


def _why(work: Work) -> BatchReasons:
    question = work.request.question
    special = question.relations is not None or question.classifier.decision.numbers is not None
    if special or not work.request.plan.reason_kind.batches_reasons:
        return BatchReasons.one_by_one(work)
    try:
        core = Kernel(work, reasons=True)
    except LimitError as error:
        if not work.clock.ended(error):  # it was the classifier's limit
            raise
        return BatchReasons.one_by_one(replace(work, report=None))
    return BatchReasons(work.compiled, work.rows, work.request, **core.columns())


@timed
@bounded
def attribute_batch(
    compiled: Classifier,
    rows: Any,
    method: str = "reasons",
    *,
    reference: str = "average",
    time_limit: float | None = None,
    max_memory: int | None = None,
    **question: Unpack[Keywords],
) -> npt.NDArray[np.float64]:
    """What each feature contributed to the decision of each row: one line per row, one column per feature.

    Takes the keywords of `Compiled.attribute`.

    >>> import symcf, symcf.fast
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20]))
    >>> symcf.fast.attribute_batch(c, [[1, 0, 1, 0], [0, 0, 1, 0]]).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.5, 1.0, 0.0, 0.5]]
    """
    clock = Clock(checked_seconds(time_limit))
    checked_count(max_memory, "max_memory", least=1)
    compiled, keywords = aimed(compiled, question, lambda: _decided(compiled, rows), reasons=method == "reasons")
    compiled = cut_for(compiled, question.get("constraints"), question.get("allowed"))
    given = GivenRows.of(rows, compiled.encoder.layout)
    codes = compiled.codes(given.given)
    data = checked_method(method, question)
    checked_choice(reference, "reference", REFERENCES)
    if method == "points":
        return point_values(compiled, codes, data, reference)
    if method == "shapley":
        return shapley_values(compiled, codes, shares_of(compiled, data), clock)[0]
    asked = kept_question(compiled, cast(Keywords, keywords), ranked=False).given_as(given)
    values, planned = np.zeros(codes.shape), plan(asked)
    for i, row in enumerate(codes):
        case = coded_case(asked, compiled.checked(row.reshape(1, -1)))
        if case.prediction != asked.target:
            counts, total = Explainer(case, planned).counts(clock, reasons=method == "reasons")
            values[i] = [count / total if total else 0.0 for count in counts]
    return values


def option_defaults() -> dict[str, Any]:
    """The keywords of `explain_batch` that have a default, with their defaults."""
    parameters = [*signature(explain_batch).parameters.values(), *signature(Question.checked).parameters.values()]
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def explain_batches(
    compiled: Classifier,
    batches: Iterable[Any],
    *,
    first_row: int = 0,
    keep: Sequence[str] = (),
    by_row: Mapping[str, str] | None = None,
    **options: Any,
) -> Iterator[pyarrow.RecordBatch]:
    """Explains batch after batch, and holds one at a time.

    Takes record batches (or anything that `explain_batch` takes) and gives record batches of `output_schema`; ``row``
    counts through all batches, from ``first_row`` on. ``keep`` names columns of Arrow batches that are not features:
    they are copied to the result, so that it can be joined with other tables. ``by_row`` names, of these, the columns
    that hold a keyword of each row: ``{"target": "wanted", "immutable": "fixed"}``, also for ``allowed``, ``cost`` and
    ``max_changes``. Cells are written as in `symcf.question.per_row`: names with commas between them, a class, a
    number, a JSON object; an empty one says nothing.

    Takes the keywords of `explain_batch`; limits apply to each batch. Needs pyarrow.
    """
    from symcf.answers import arrow_tables as arrow

    row = first_row
    columns = checked_columns(by_row, keep, options)
    for batch in batches:
        rows, kept = arrow.split(batch, keep)
        try:
            each: dict[str, Any] = {}
            for name, column in columns.items():
                cells = kept.column(column).to_pylist() if kept is not None else []
                each[name] = from_cells(name, cells, compiled.features, compiled.classes, row)
            explained = explain_batch(compiled, rows, **options, **each)
        except (InstanceError, OptionError) as error:
            error.add_note(f"in the batch that begins with row {row}")
            raise
        n_rows = len(explained)
        yield from arrow.record_batches(explained, row, kept)
        row += n_rows
        del explained, rows, batch  # before the next batch is made


def checked_columns(by_row: Any, keep: Sequence[str], options: Mapping[str, Any]) -> Mapping[str, str]:
    """By keyword, the column that holds it for each row."""
    if by_row is None:
        return {}
    if not isinstance(by_row, Mapping) or not set(by_row) <= set(BY_ROW):
        raise OptionError(f"by_row must map keywords to columns, of {', '.join(BY_ROW)}, not {by_row!r}")
    for name, column in by_row.items():
        if column not in keep:
            raise OptionError(f"by_row: {name!r} is in the column {column!r}, which keep has to list, too")
        if options.get(name) is not None:
            raise OptionError(f"{name} is given for all rows and in the column {column!r}: give one of them")
    return by_row


def output_schema(keep: Iterable[pyarrow.Field] = ()) -> pyarrow.Schema:
    """What `explain_batches` gives: row, prediction, status, and the change sets as lists of feature indices."""
    from symcf.answers import arrow_tables as arrow

    return arrow.output_schema(keep)


def release_memory() -> None:
    """Returns memory to the system that finished batches have left for the next ones.

    New memory is slow, so up to 1 GiB of it is kept when results are freed. It is marked as free: the system takes it
    when memory is short, and until then it counts as memory of the process. Rarely needed.
    """
    _core.release_memory()
