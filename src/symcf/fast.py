"""Explains tables of millions of rows in C: columns in, columns out.

`explain_batch` gives for every row what `Compiled.explain` gives for one, in arrays instead of objects.
`explain_batches` does the same chunk by chunk, for results larger than memory.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common import machine
from symcf.common.clock import Clock
from symcf.common.options import checked_choice, checked_count, checked_seconds
from symcf.decision.additive import AdditiveDecision
from symcf.decision.decision import TreeDecision
from symcf.diagrams.classifier import Classifier
from symcf.diagrams.targets import goal_of
from symcf.engines.choice import ENGINES, auto_engine, engine_for, engine_of, relation_of
from symcf.engines.contract import Engine
from symcf.engines.reasons import check_reasons, reason_engine_of
from symcf.engines.shapley import shapley_values, shares_of
from symcf.engines.trees import PATIENCE
from symcf.errors import InstanceError, LimitError, OptionError
from symcf.questions.case import Case
from symcf.questions.prices import ForCore
from symcf.questions.question import Keywords, Question
from symcf.results.attribution import checked_method
from symcf.results.batch import BatchExplanation, Request, unanswered_rows
from symcf.results.batch_reasons import BatchReasons
from symcf.results.explainer import VALUES, Explainer
from symcf.results.number_batch import number_batch
from symcf.rows.given import GivenRows
from symcf.rows.reader import Codes
from symcf.values.assignments import aim_of
from symcf.values.of_case import flip_of

if TYPE_CHECKING:
    import pyarrow

__all__ = ["attribute_batch", "explain_batch", "explain_batches", "output_schema", "release_memory", "why_batch"]

Progress = bool | Callable[[int, int], object] | None

#: Seconds between two checks of the threads' progress and of Ctrl-C.
TICK = 0.05

#: Bytes that must be free for a thread to be started: twice the usual stack.
ROOM_OF_A_THREAD = 16 << 20

#: More bytes than any machine has, and a number that the core can reserve addresses for.
MOST_BYTES = 1 << 45

#: More threads than any batch is faster with.
MOST_THREADS = 256

#: The largest count that the core takes.
MOST = 2**64 - 1


def explain_batch(
    compiled: Classifier,
    rows: Any,
    *,
    k: int | None = None,
    max_results: int | None = None,
    time_limit: float | None = None,
    engine: str = "auto",
    values: str = "nearest",
    encoding: str = "auto",
    solver: str | None = None,
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
        Bytes that the result may take; by default three quarters of the memory of the machine or container. A
        larger result raises `LimitError`. (Memory of freed results is reused for the next ones; see `release_memory`.)

    A row that already has the target class has the status "at_target" and no sets.

    >>> import symcf, symcf.fast
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20]))
    >>> batch = symcf.fast.explain_batch(c, [[1, 0, 1, 0], [0, 0, 1, 0]])
    >>> [e.sets for e in batch]
    [[(1,), (3,)], [(1,), (0, 3)]]
    """
    clock = Clock(checked_seconds(time_limit))
    checked_choice(errors, "errors", ("raise", "mark"))
    checked_choice(values, "values", VALUES)
    checked_choice(engine, "engine", ENGINES)
    request = Request(
        question=Question.checked(compiled, **question),
        k=checked_count(k, "k", least=1),
        max_results=checked_count(max_results, "max_results", least=1),
        sorted=bool(sort) or k is not None,
        values=values,
    )
    request.question.check_values(values)
    jobs = _checked_jobs(n_jobs)
    memory = min(checked_count(max_memory, "max_memory", least=1) or machine.memory_of_a_result(), _most_addresses())
    given = GivenRows.of(rows, compiled.encoder.layout)
    codes = compiled.codes(given.given, mark=errors == "mark")
    request = replace(request, places=request.question.costs.places(given.given))
    batch = _explained(compiled, codes, request, engine, encoding, solver, clock, memory, errors, progress, jobs)
    batch.given = given
    return batch


def _explained(
    compiled: Classifier,
    codes: Codes,
    request: Request,
    engine: str,
    encoding: str,
    solver: str | None,
    clock: Clock,
    memory: int,
    errors: str,
    progress: Progress,
    jobs: int,
) -> BatchExplanation:
    """The answers to rows of value codes."""
    if _needs_one_by_one(request, engine, encoding, solver):
        return _one_by_one(compiled, codes, request, engine, encoding, solver, clock, memory, errors, progress)
    if isinstance(compiled.decision, AdditiveDecision):
        with _reporter(progress, len(codes)) as report:
            return number_batch(compiled, codes, request, jobs, clock, memory, errors, report)
    # before a diagram is built: when time is up, there is none left to decide the rows
    late = None if clock.seconds is None else unanswered_rows(compiled, codes, request, errors)
    try:
        solver_of_rows = _solver_of_rows(request.question, engine, clock)
        special = _Special.of(request, engine, codes, clock)
    except LimitError as error:
        if not clock.ended(error):  # it was the classifier's limit
            raise
        assert late is not None
        return BatchExplanation.unanswered(compiled, codes, request, late)
    batch = _open(solver_of_rows, codes, request, clock, memory, errors, special=special)
    with _reporter(progress, len(codes)) as report:
        _run(batch, min(jobs, max(1, len(codes))), report)
        columns = compiled.with_names(batch.finish)
    return BatchExplanation(
        compiled,
        codes,
        request,
        row_offsets=columns.row_offsets,
        set_offsets=columns.set_offsets,
        features=columns.features,
        status=columns.status,
        prediction=columns.prediction,
    )


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
    request = Request(
        question=Question.checked(compiled, **question),
        k=checked_count(k, "k", least=1),
        max_results=checked_count(max_results, "max_results", least=1),
        sorted=bool(sort) or k is not None,
    )
    check_reasons(request.question)
    chosen = reason_engine_of(request.question, engine)
    jobs = _checked_jobs(n_jobs)
    memory = min(checked_count(max_memory, "max_memory", least=1) or machine.memory_of_a_result(), _most_addresses())
    codes = compiled.codes(rows, mark=errors == "mark")
    return _why(compiled, codes, request, chosen, clock, memory, errors, jobs, progress)


def why_codes(question: Question, codes: Codes, k: int, time_limit: float) -> BatchReasons:
    """The k smallest reasons of rows of value codes, for a question that was checked before; bad rows are marked."""
    request = Request(question=question, k=k, max_results=None, sorted=True)
    chosen, clock = reason_engine_of(question), Clock(time_limit)
    memory = min(machine.memory_of_a_result(), _most_addresses())
    return _why(question.classifier, codes, request, chosen, clock, memory, "mark", 1, None)


def _why(
    compiled: Classifier,
    codes: Codes,
    request: Request,
    engine: Engine,
    clock: Clock,
    memory: int,
    errors: str,
    jobs: int,
    progress: Progress,
) -> BatchReasons:
    with _reporter(progress, len(codes)) as report:
        numbers = isinstance(compiled.decision, AdditiveDecision)
        if request.question.relations is not None or engine.name in ("sat", "trees") or numbers:
            return BatchReasons.one_by_one(compiled, codes, request, engine, clock, memory, errors, report)
        try:
            solver_of_rows = _solver_of_rows(request.question, engine.name, clock)
        except LimitError as error:
            if not clock.ended(error):  # it was the classifier's limit
                raise
            return BatchReasons.one_by_one(compiled, codes, request, None, clock, memory, errors, None)
        batch = _open(solver_of_rows, codes, request, clock, memory, errors, reasons=True)
        _run(batch, min(jobs, max(1, len(codes))), report)
        columns = compiled.with_names(batch.finish)
    return BatchReasons(
        compiled,
        codes,
        request,
        row_offsets=columns.row_offsets,
        set_offsets=columns.set_offsets,
        features=columns.features,
        status=columns.status,
        prediction=columns.prediction,
    )


def attribute_batch(
    compiled: Classifier,
    rows: Any,
    method: str = "reasons",
    *,
    time_limit: float | None = None,
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
    codes = compiled.codes(rows)
    data = checked_method(method, question)
    if method == "shapley":
        return shapley_values(compiled, codes, shares_of(compiled, data), clock)[0]
    asked = Question.checked(compiled, **question)
    values = np.zeros(codes.shape)
    for i, row in enumerate(codes):
        case = Case(asked, compiled.checked(row.reshape(1, -1)))
        if case.prediction != asked.target:
            counts, total = Explainer(case).counts(clock, reasons=method == "reasons")
            values[i] = [count / total if total else 0.0 for count in counts]
    return values


def option_defaults() -> dict[str, Any]:
    """The keywords of `explain_batch` that have a default, with their defaults."""
    parameters = [*signature(explain_batch).parameters.values(), *signature(Question.checked).parameters.values()]
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def explain_batches(
    compiled: Classifier, batches: Iterable[Any], *, first_row: int = 0, keep: Sequence[str] = (), **options: Any
) -> Iterator[pyarrow.RecordBatch]:
    """Explains batch after batch, and holds one at a time.

    Takes record batches (or anything that `explain_batch` takes) and gives record batches of `output_schema`; ``row``
    counts through all batches, from ``first_row`` on. ``keep`` names columns of Arrow batches that are not features:
    they are copied to the result, so that it can be joined with other tables.

    Takes the keywords of `explain_batch`; limits apply to each batch. Needs pyarrow.
    """
    from symcf.results import arrow

    row = first_row
    for batch in batches:
        rows, kept = arrow.split(batch, keep)
        try:
            explained = explain_batch(compiled, rows, **options)
        except InstanceError as error:
            error.add_note(f"in the batch that begins with row {row}")
            raise
        n_rows = len(explained)
        yield from arrow.record_batches(explained, row, kept)
        row += n_rows
        del explained, rows, batch  # before the next batch is made


def output_schema(keep: Iterable[pyarrow.Field] = ()) -> pyarrow.Schema:
    """What `explain_batches` gives: row, prediction, status, and the change sets as lists of feature indices."""
    from symcf.results import arrow

    return arrow.output_schema(keep)


def release_memory() -> None:
    """Returns memory to the system that finished batches have left for the next ones.

    New memory is slow, so up to 1 GiB of it is kept when results are freed. It is marked as free: the system takes it
    when memory is short, and until then it counts as memory of the process. Rarely needed.
    """
    _core.release_memory()


# --- the core at work -------------------------------------------------------------------------------------------------


def _needs_one_by_one(request: Request, engine: str, encoding: str, solver: str | None) -> bool:
    """Questions that the core does not answer in batches: solvers, moves, costs of over 61 bits, and costs by value
    or relations where trees vote or columns hold numbers.
    """
    question = request.question
    by_solver = engine in ("sat", "sat-portable") or encoding != "auto" or solver is not None
    by_trees = (auto_engine(question) if engine == "auto" else engine) == "trees"
    if by_solver or question.minimal == "moves" or not question.costs.of_rows(request.places).fit:
        return True
    by_value = question.costs.per_value is not None
    special = question.relations is not None or by_value
    if isinstance(question.classifier.decision, AdditiveDecision):
        return special or engine == "minimal"
    # where trees are the engine of choice they choose the values, too, whatever finds the sets
    return (special and by_trees) or (by_value and auto_engine(question) == "trees")


def _open(
    solver_of_rows: Any,
    codes: Codes,
    request: Request,
    clock: Clock,
    memory: int,
    errors: str,
    reasons: bool = False,
    special: _Special | None = None,
) -> _core.Batch:
    question = request.question
    compiled = question.classifier
    special = special or _Special()
    mask, directions = question.constraints.static_mask()
    return _core.Batch(
        solver_of_rows,
        compiled.decision.groups.core_offset,
        codes,
        groups=compiled.decision.groups.for_core,
        allowed=mask,
        direction=directions,
        cost=question.costs.units,
        max_changes=question.constraints.max_changes,
        k=min(request.k or 0, MOST),
        max_results=min(request.max_results or 0, MOST),
        result_memory=memory,
        target=-1 if question.target is None else question.target,
        sorted=request.sorted,
        mark_bad_rows=errors == "mark",
        time_limit=clock.left,
        max_nodes=compiled.limits.max_nodes,
        max_memory=compiled.limits.max_memory,
        reasons=reasons,
        prices=special.prices,
        places=request.places,
        aims=special.aims,
        goals=special.goals,
        relation=special.relation,
        row_seconds=PATIENCE if clock.seconds is None and question.constraints.max_changes is None else 0.0,
    )


@dataclass(frozen=True)
class _Special:
    """What a batch needs besides its solver: costs that depend on values, and goals within relations. By class."""

    prices: Sequence[ForCore] | None = None
    aims: Sequence[_core.Aim | None] | None = None
    goals: Sequence[tuple[_core.Diagram, int] | None] | None = None
    relation: _core.Relation | None = None

    @classmethod
    def of(cls, request: Request, engine: str, codes: Codes, clock: Clock) -> _Special:
        """`LimitError` if a diagram is needed and takes longer than allowed."""
        question, compiled = request.question, request.question.classifier
        if question.relations is None and question.costs.per_value is None:
            return cls()
        relation = relation_of(question) if engine_of(question, engine).name == "cover" else None
        if question.costs.per_value is None and relation is not None:
            return cls(relation=relation)
        valid = ((codes >= 0) & (codes < np.diff(compiled.value_offset))).all(axis=1)
        present = set(np.unique(compiled.decide(codes[valid])).tolist()) - {question.target}
        to_reach = [
            goal_of(k, question.target, compiled.n_classes) if k in present else None for k in range(compiled.n_classes)
        ]
        prices = aims = goals = None
        if question.costs.per_value is not None:
            prices = question.costs.of_rows(request.places).for_core()
            offset = compiled.decision.groups.core_offset
            aims = [None if goal is None else aim_of(flip_of(question, goal, clock), offset) for goal in to_reach]
        if question.relations is not None and relation is None:
            targets = [
                None if goal is None else compiled.targets.diagram(goal, question.relations, clock) for goal in to_reach
            ]
            goals = [None if target is None else (target[0].core, target[1]) for target in targets]
        return cls(prices, aims, goals, relation)


def _solver_of_rows(question: Question, engine: str, clock: Clock) -> Any:
    """What a batch works with: one threshold function, one for each pair of classes, trees, or diagrams."""
    compiled = question.classifier
    chosen = engine_of(question, engine)  # also refuses engines that do not fit the question
    if chosen.name == "cover" or (question.relations is not None and compiled.decision.is_additive):
        return compiled.decision.threshold or compiled.decision.beats
    if isinstance(compiled.decision, TreeDecision) and chosen.name == "trees":
        return compiled.decision.ensemble
    if compiled.n_classes == 2:
        return compiled.class_diagram(1, clock).core
    return [compiled.class_diagram(k, clock).core for k in range(compiled.n_classes)]


def _run(batch: _core.Batch, jobs: int, report: Callable[[int], None] | None) -> None:
    """Runs the batch on `jobs` threads: this one and others or, if this one has to report progress, only others.
    Ctrl-C stops all of them. If the system cannot start enough threads, the started ones do the work.
    """
    failures: list[BaseException] = []

    def work(done: threading.Event) -> None:
        try:
            batch.work(False)
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    # One event per thread: after Ctrl-C interrupts Thread.join, Python 3.11 takes the thread for finished.
    ends = [threading.Event() for _ in range(jobs - (report is None))]
    threads = [threading.Thread(target=work, args=[end], name="symcf", daemon=True) for end in ends]
    try:
        started = _start(threads)
        del ends[started:], threads[started:]
        if report is None or not threads:
            batch.work(True)
        for end in ends:
            while not end.wait(TICK):
                if report is not None:
                    report(batch.progress)
    except BaseException:
        batch.cancel()
        raise
    finally:
        for thread, end in zip(threads, ends, strict=True):
            if thread.ident is not None:  # it was started
                end.wait()
                thread.join()
    if failures:
        raise failures[0]


def _start(threads: list[threading.Thread]) -> int:
    """Starts threads until the system refuses, and returns how many were started."""
    for number, thread in enumerate(threads):
        try:
            # Room for its stack and more: if a thread starts and then dies because addresses are scarce,
            # Python waits for it forever.
            mmap.mmap(-1, ROOM_OF_A_THREAD, flags=mmap.MAP_PRIVATE).close()
            thread.start()
        except (RuntimeError, MemoryError, OSError):
            return number
    return len(threads)


def _one_by_one(
    compiled: Classifier,
    codes: Codes,
    request: Request,
    engine: str,
    encoding: str,
    solver: str | None,
    clock: Clock,
    memory: int,
    errors: str,
    progress: Progress,
) -> BatchExplanation:
    """For engines that have no batches of their own."""
    if not isinstance(compiled.decision, AdditiveDecision):
        engine_of(request.question, engine, encoding, solver)  # loaded once, and shared with `explain`

    def chosen(case: Case) -> Engine:
        return engine_for(case, engine, encoding, solver)

    with _reporter(progress, len(codes)) as report:
        return BatchExplanation.one_by_one(compiled, codes, request, chosen, clock, memory, errors, report)


@contextlib.contextmanager
def _reporter(progress: Progress, total: int) -> Iterator[Callable[[int], None] | None]:
    """A function that reports how many rows are done, or None without progress."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        tell = progress
        yield lambda done: _ignore(tell(done, total))
        tell(total, total)
    elif progress is not True:
        raise OptionError(f"progress must be True, False or a function, not {progress!r}")
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise OptionError("progress=True needs tqdm: pip install 'symcf[progress]', or pass a function") from None
        with tqdm(total=total, unit="row", unit_scale=True) as bar:
            yield lambda done: _ignore(bar.update(done - bar.n))
            bar.update(total - bar.n)


def _ignore(_: object) -> None:
    return None


def _checked_jobs(n_jobs: int | None) -> int:
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0 or n_jobs < -1:
        raise OptionError(f"n_jobs must be a positive number of threads, or -1 for all processors, not {n_jobs!r}")
    if n_jobs > 0:
        return min(int(n_jobs), MOST_THREADS)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _most_addresses() -> int:
    """The address space that a column may reserve, which ``ulimit -v`` can make scarce; a batch has two columns."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return MOST_BYTES if limit == resource.RLIM_INFINITY else max(1, limit // 8)
