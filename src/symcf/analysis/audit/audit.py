"""The audit of a table: every row asked once, in C, and counted by group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.analysis.audit.drift import Drift, columns_for, drift_of, question_for
from symcf.analysis.audit.proxies import proxies_of
from symcf.analysis.audit.result import Audit
from symcf.analysis.audit.tally import Grouping, Tally, labels_of, split
from symcf.analysis.properties.bias import Bias, bias
from symcf.analysis.properties.dependence import DIRECTIONS, Monotonicity
from symcf.analysis.properties.falls import is_large
from symcf.analysis.properties.robustness import NEVER, UNDECIDED, changes_of
from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import AT_TARGET, COMPLETE, INVALID
from symcf.common.clock import Clock, timed
from symcf.common.options import checked_confidence, checked_seconds
from symcf.common.threads import Progress, checked_jobs, mapped
from symcf.compiled import Compiled
from symcf.data.given import ReadRows
from symcf.data.labels import by_feature, feature_indices
from symcf.data.numbers import NumberLine
from symcf.errors import LimitError, OptionError
from symcf.fast import explain_batch
from symcf.question.costs import mentions_distance
from symcf.question.question import Keywords, Question
from symcf.question.relations import cut_for
from symcf.system.decision import Decision, goal_of

__all__ = ["Plan", "audit", "audit_rows", "counted", "finished"]


@dataclass(frozen=True)
class Plan:
    """What an audit asks, checked."""

    #: The keywords of the question, without costs.
    question: Mapping[str, Any]
    cost: Any
    #: Where it is a distance: in which scale, and the rows to take it from.
    scale: Any
    measured: Any
    protected: tuple[int, ...]
    monotone: Mapping[int, str]
    time_limit: float | None
    errors: str
    #: An earlier version whose suggestions are tried; None: there is none.
    previous: Compiled | None = None
    #: Are features that tell about protected ones looked for?
    proxies: bool = False
    #: The confidence of intervals, where the rows are a sample.
    confidence: float | None = None
    #: What the column that tells groups apart is called.
    group: str = "group"

    @classmethod
    def checked(
        cls,
        compiled: Compiled,
        question: Mapping[str, Any],
        rows: Any,
        *,
        protected: Any,
        monotone: Any,
        time_limit: float | None,
        errors: str,
        previous: Compiled | None = None,
        proxies: bool = False,
        confidence: Any = None,
        group: str = "group",
    ) -> Plan:
        """An error names what is not accepted. Distances are measured in ``rows`` unless the question has others."""
        if not isinstance(compiled, Compiled):
            raise TypeError(
                f"audit takes a compiled classifier, not {type(compiled).__name__}: call symcf.compile first"
            )
        if question.get("minimality", "features") != "features":
            raise OptionError("minimal: an audit counts the features that change; leave it out")
        priced = {name: question.get(name) for name in ("cost", "scale", "data")}
        question = {name: value for name, value in question.items() if value is not None and name not in priced}
        asked = Question.checked(compiled, **question)
        if monotone is not None and not isinstance(monotone, Mapping):
            raise OptionError(f"monotone must map features to 'increasing' or 'decreasing', not {monotone!r}")
        directions = by_feature(monotone or {}, compiled.features, "monotone")
        for j, direction in directions.items():
            name = compiled.features[j]
            if direction not in DIRECTIONS:
                raise OptionError(f"monotone[{name!r}] must be 'increasing' or 'decreasing', not {direction!r}")
            if not compiled.ordered[j]:
                raise OptionError(f"monotone: the values of {name!r} have no order")
        if directions and asked.target is None and compiled.n_classes > 2:
            raise OptionError("monotone: with several classes, name the target that it is about")
        if previous is not None and not isinstance(previous, Compiled):
            raise TypeError(f"previous takes a compiled classifier, not {type(previous).__name__}: symcf.compile it")
        return cls(
            question,
            priced["cost"],
            "mad" if priced["scale"] is None else priced["scale"],
            (rows if priced["data"] is None else priced["data"]) if mentions_distance(priced["cost"]) else None,
            feature_indices(protected, compiled.features, "protected"),
            directions,
            checked_seconds(time_limit),
            errors,
            previous,
            bool(proxies),
            checked_confidence(confidence),
            group,
        )


@timed
def audit(
    compiled: Compiled,
    data: Any,
    /,
    *,
    protected: Any = (),
    groups: Any = None,
    monotone: Mapping[Any, str] | None = None,
    previous: Compiled | None = None,
    proxies: bool = False,
    confidence: Any = None,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress = None,
    errors: str = "raise",
    **question: Unpack[Keywords],
) -> Audit:
    """Who could have had another decision, and at what price: every row of a table asked, and counted by group.

    Parameters
    ----------
    data:
        Rows, in any form that `symcf.fast.explain_batch` takes.
    target:
        The wanted class; rows that have it are not asked. By default any other class than the row's own.
    immutable, allowed, constraints, max_changes, min_plausibility, cost, scale:
        What may change, as in `Compiled.explain`. Distances are measured in the rows themselves. With ``max_changes``,
        rows that need more are locked out; for large ensembles that is what makes an audit fast.
    protected:
        Features that decisions should not depend on.
    groups:
        What tells groups apart: a feature, a column of the table that the classifier does not read, or one label per
        row.
    monotone:
        For some features, "increasing" or "decreasing": how the target (by default class 1 of two) should depend on
        them.
    previous:
        An earlier version of the classifier. Its cheapest suggestion for each row, under the same question, is tried on
        this one: `GroupTally.drift` counts those that hold, and `Audit.broken_suggestions` has the rows of the others.
        Needs pandas.
    proxies:
        Look for features from which a protected feature, or the group, can be read off (`Audit.proxies`). Needs pandas.
    confidence:
        If the rows are a sample of the people that the audit is about: the confidence of intervals for the figures of
        groups, such as 0.95 or "95%" (`Audit.intervals`).
    n_jobs, progress, errors:
        As in `symcf.fast.explain_batch`.
    time_limit:
        Seconds for the whole audit. What is not known then is counted as such, or noted.

    A row is locked out if no allowed change leads to the target. That is proved, not a search that has failed;
    `Audit.verify` has it checked by other means.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> rows = [[0, 0, 0, 0], [0, 0, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1]]
    >>> a = symcf.audit(symcf.compile(admission()), rows, target="admitted", immutable=["work experience"])
    >>> a.locked_out.tolist(), a.total.changes
    ([], {1: 1, 2: 1, 3: 1})
    """
    rows, grouped = split(compiled, data, groups)
    earlier = None
    if isinstance(previous, Compiled):
        earlier, rows = columns_for(data, previous), columns_for(rows, compiled)
        names = (previous.encoder.layout.names, compiled.encoder.layout.names)
        if isinstance(data, (list, np.ndarray)) and earlier is data and names[0] != names[1]:
            raise OptionError("previous: the two versions read other columns; give the rows as a table with names")
    plan = Plan.checked(
        compiled, question, rows, protected=protected, monotone=monotone, time_limit=time_limit, errors=errors,
        previous=previous, proxies=proxies, confidence=confidence, group=groups if isinstance(groups, str) else "group",
    )  # fmt: skip
    clock = Clock(plan.time_limit)
    tally, batch, changes = audit_rows(compiled, plan, rows, grouped, clock, n_jobs, progress, earlier=earlier)
    return finished(compiled, plan, tally, clock, batch, changes)


def audit_rows(
    compiled: Compiled,
    plan: Plan,
    rows: Any,
    groups: Any,
    clock: Clock,
    n_jobs: int | None = None,
    progress: Progress = None,
    first_row: int = 0,
    earlier: Any = None,
) -> tuple[Tally, BatchExplanation, npt.NDArray[np.int32]]:
    """The tally of rows, what was found about them, and the fewest changes of each. ``earlier``: the same rows, as the
    earlier version reads them.
    """
    compiled = cut_for(compiled, plan.question.get("constraints"), plan.question.get("allowed"))
    jobs = checked_jobs(n_jobs)
    options: dict[str, Any] = {"n_jobs": n_jobs, "errors": plan.errors}
    batch = explain_batch(compiled, rows, k=1, progress=progress, time_limit=clock.seconds, **options, **plan.question)
    changes = changes_of(batch)
    # max_changes is part of what is allowed: no change of up to so many leads there, and that is proved
    changes[(changes == UNDECIDED) & (batch.status == COMPLETE)] = NEVER
    at_target = batch.status == AT_TARGET
    readable = batch.status != INVALID
    assert batch.given is not None
    rows = ReadRows(batch.given, batch.rows)  # read once
    grouping = Grouping(labels_of(batch.compiled, batch.rows, groups), len(batch))
    tally = Tally()
    if isinstance(groups, str):
        values = batch.compiled.values[compiled.features.index(groups)]
        tally.values = None if isinstance(values, NumberLine) else values
    asked = np.flatnonzero(~at_target & readable)
    responsive, note = counted(
        batch.request.question,
        np.ascontiguousarray(batch.rows[asked]),
        np.ascontiguousarray(batch.prediction[asked]),
        np.ascontiguousarray(grouping.part[asked]),
        len(grouping.labels),
        jobs,
        clock,
    )
    if note is not None:
        tally.notes[note] = None
    if compiled.decision.black_box is not None:
        tally.notes["whether other values than those that are tried would help"] = None
    biased = None
    if plan.protected:
        found = bias(compiled, list(plan.protected), rows, of_all=False, time_limit=clock.seconds, **options)
        biased, tally.bias_undecided, tally.pairs = found.rows, found.undecided, list(found.pairs)
    cost = _costs(compiled, plan, rows, options, clock, changes, tally)
    if plan.proxies:
        options_now = options | {"time_limit": clock.seconds}
        tally.proxies = proxies_of(compiled, plan.protected, rows, batch, groups, plan.group, options_now)
    drift = None if plan.previous is None else _drift(compiled, plan, batch, changes, earlier, options, clock)
    tally.count(grouping.labels, grouping.part, changes, at_target, cost, responsive, biased, first_row, drift)
    return tally, batch, changes


def _drift(
    compiled: Compiled,
    plan: Plan,
    batch: BatchExplanation,
    changes: npt.NDArray[np.int32],
    rows: Any,
    options: Mapping[str, Any],
    clock: Clock,
) -> Drift:
    """What became of the suggestions of the earlier version."""
    assert plan.previous is not None
    question = dict(plan.question) | ({} if plan.cost is None else {"cost": plan.cost})
    if mentions_distance(plan.cost):
        question |= {"data": plan.measured, "scale": plan.scale}
    asked = question_for(question, compiled, plan.previous)
    if "data" in asked:
        asked["data"] = columns_for(asked["data"], plan.previous)
    previous = plan.previous if compiled.model.encoder is not None else plan.previous.of_codes()
    earlier = explain_batch(previous, rows, k=1, time_limit=clock.seconds, **options, **asked)
    return drift_of(batch, changes, earlier, compiled, plan.question)


def _costs(
    compiled: Compiled,
    plan: Plan,
    rows: Any,
    options: Mapping[str, Any],
    clock: Clock,
    changes: npt.NDArray[np.int32],
    tally: Tally,
) -> npt.NDArray[np.float64]:
    """By row, the least cost of a change; without costs, the number of changes."""
    if plan.cost is None:
        return changes.astype(np.float64)
    more = {"data": plan.measured, "scale": plan.scale} if mentions_distance(plan.cost) else {}
    batch = explain_batch(
        compiled, rows, k=1, cost=plan.cost, time_limit=clock.seconds, **more, **options, **plan.question
    )
    cost = np.full(len(batch), np.nan)
    has = np.diff(batch.row_offsets) > 0
    cost[has] = batch.cost[batch.row_offsets[:-1][has]]
    if bool(np.isnan(cost[changes > 0]).any()):
        tally.notes["costs: time was up before all rows had one; those that have none count as 0"] = None
        cost[np.isnan(cost)] = 0.0
    return cost


def finished(
    compiled: Compiled,
    plan: Plan,
    tally: Tally,
    clock: Clock,
    batch: BatchExplanation | None = None,
    changes: npt.NDArray[np.int32] | None = None,
) -> Audit:
    """The audit, with what does not depend on the rows."""
    whole: Bias | None = None
    if plan.protected:
        try:
            whole = bias(compiled, list(plan.protected), time_limit=clock.seconds)
        except (LimitError, OptionError) as error:
            tally.notes[f"bias of all possible rows: {error}"] = None
    monotone: list[Monotonicity] = []
    for j, direction in plan.monotone.items():
        try:
            of = plan.question.get("target")
            monotone.append(compiled.is_monotone(j, direction, of=of, time_limit=clock.seconds))
        except (LimitError, OptionError) as error:
            note = f"monotone[{compiled.features[j]!r}]: {error}"
            tally.notes[note] = None
            tally.open.append(note)
    return Audit(
        compiled, plan.question, plan.cost, plan.protected, tally, whole, monotone, batch, changes, plan.confidence
    )


# --- responsiveness ---------------------------------------------------------------------------------------------------
# How responsive features are: the share of their allowed new values that lead to the goal, alone or with others.

Counts = npt.NDArray[np.uint64]

#: Rows that a thread counts at a time where sums decide, and nodes that it looks at where diagrams do: some ten
#: milliseconds, so that Ctrl-C is heard soon.
CHUNK, NODES = 1 << 14, 1 << 20

#: More changes than there can be.
ANY_NUMBER = 2**32 - 1


def counted(
    question: Question,
    codes: npt.NDArray[Any],
    classes: npt.NDArray[np.uint8],
    part: npt.NDArray[np.uint32],
    n_parts: int,
    jobs: int,
    clock: Clock,
) -> tuple[Counts | None, str | None]:
    """By part and feature: values that rows may take, that lead to the goal alone, and alone or with others; or why
    they were not counted. The rows do not have the wanted class.
    """
    classifier = question.classifier
    shape = (n_parts, classifier.n_features, 3)
    if not len(codes):
        return np.zeros(shape, dtype=np.uint64), None
    if classifier.decision.numbers is not None:
        return None, "responsiveness: columns hold numbers, which have no values to count"
    if question.relations is not None and question.relations.by_row:
        return None, f"responsiveness: {question.relations.by_row[0].text!r} means something else for each row"
    if classifier.decision.black_box is not None:
        return None, "responsiveness: it takes all rows, and the classifier is asked row by row"
    by_sums = question.relations is None and classifier.decision.is_additive and question.any_other
    if not by_sums and is_large(classifier):
        return None, "responsiveness: the trees are too many for a diagram"
    try:
        kernel, nodes = _kernel(question, np.unique(classes).tolist(), by_sums, clock)
        times = None
        if not by_sums:
            codes, classes, part, times = _once(codes, classes, part)
        return _run(
            kernel, codes, classes, part, times, shape, CHUNK if by_sums else max(1, NODES // nodes), jobs, clock
        ), None
    except LimitError as error:
        return None, f"responsiveness: {error}"


def _kernel(question: Question, present: list[int], by_sums: bool, clock: Clock) -> tuple[_core.Responsive, int]:
    """What counts, and the nodes of its largest diagram."""
    classifier = question.classifier
    groups = classifier.decision.groups
    goals: list[Any] = [None] * classifier.n_classes
    nodes = 1
    for k in present:
        if by_sums:
            goals[k] = _sums(classifier.decision, k)
        else:
            diagram, sink = classifier.targets.diagram(
                goal_of(k, question.target, classifier.n_classes), question.relations, clock
            )
            goals[k] = diagram.core, sink
            nodes = max(nodes, diagram.size)
    mask, directions = question.constraints.static_mask()
    most = question.constraints.max_changes
    kernel = _core.Responsive(
        goals,
        groups.value_offset,
        groups.value_offset if by_sums else groups.core_offset,
        None if by_sums or groups.trivial else groups.table,
        mask,
        directions,
        ANY_NUMBER if most is None else min(most, ANY_NUMBER),
    )
    return kernel, nodes


def _sums(decision: Decision, k: int) -> list[_core.Threshold]:
    """Functions of values, not of groups of them, one of which has to be reached by rows of class k."""
    groups = decision.groups
    places = np.repeat(groups.core_offset[:-1], np.diff(groups.value_offset)).astype(np.int64) + groups.table
    return [
        _core.Threshold.from_weights(groups.value_offset, np.ascontiguousarray(weight[places]), bias)
        for weight, bias in decision.rivals(k)
    ]


def _once(
    codes: npt.NDArray[Any], classes: npt.NDArray[np.uint8], part: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Equal rows of a part, once, and how often they come."""
    whole = np.column_stack([codes.astype(np.int64), part.astype(np.int64)])
    _, first, times = np.unique(whole, axis=0, return_index=True, return_counts=True)
    return np.ascontiguousarray(codes[first]), classes[first], part[first], times.astype(np.uint32)


def _run(
    kernel: _core.Responsive,
    codes: npt.NDArray[Any],
    classes: npt.NDArray[np.uint8],
    part: npt.NDArray[np.uint32],
    times: npt.NDArray[np.uint32] | None,
    shape: tuple[int, int, int],
    chunk: int,
    jobs: int,
    clock: Clock,
) -> Counts:
    def count(start: int) -> Counts:
        here = slice(start, start + chunk)
        often = None if times is None else times[here]
        return kernel.count(codes[here], classes[here], part[here], shape[0], often, clock.left)

    total = np.zeros(shape, dtype=np.uint64)
    for counts in mapped(count, range(0, len(codes), chunk), jobs):
        total += counts
    return total
