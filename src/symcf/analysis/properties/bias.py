"""Bias: rows that would be decided differently if only protected features were different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.analysis.properties.examples import Pair, example_row, model_of
from symcf.analysis.properties.falls import Window, clock_for, is_large, row_within
from symcf.analysis.properties.lasting import between, count_all, count_rows, last, parts_of, rings
from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import COMPLETE, INVALID
from symcf.common.clock import Clock
from symcf.common.extras import load_extra
from symcf.common.text import one_line
from symcf.common.threads import Progress
from symcf.data.given import named_cells
from symcf.data.labels import feature_indices
from symcf.errors import LimitError, OptionError
from symcf.fast import explain_batch
from symcf.question.question import Question
from symcf.system.classifier import Classifier

if TYPE_CHECKING:
    import pandas

__all__ = ["Bias", "bias"]

#: Pairs that are shown.
SHOWN = 5


@dataclass(frozen=True)
class Bias:
    """How many decisions depend on protected features. Made by `Compiled.bias`."""

    protected: tuple[str, ...]
    #: Of all possible rows (combinations of values), how many would be decided differently if only protected features
    #: were different, and how many there are; None where that cannot be counted, and ``limit`` says why.
    possible: int | None
    total: int | None
    limit: str | None
    #: The same for the rows of the data, with the numbers of the rows; None without data.
    rows: npt.NDArray[np.int64] | None = field(default=None, repr=False, compare=False)
    n_rows: int | None = None
    #: Rows of the data of which it is not known, because limits ended the search or they cannot be read.
    undecided: int = 0
    #: Pairs of rows that show it, from the data if there are some.
    pairs: tuple[Pair, ...] = field(default=(), compare=False)

    @property
    def share(self) -> float | None:
        """The share of all possible rows."""
        return None if self.possible is None or not self.total else self.possible / self.total

    @property
    def in_data(self) -> int | None:
        """How many rows of the data would be decided differently; None without data."""
        return None if self.rows is None else len(self.rows)

    @property
    def share_in_data(self) -> float | None:
        """Their share of the data."""
        return None if self.rows is None or not self.n_rows else len(self.rows) / self.n_rows

    def __bool__(self) -> bool:
        return bool(self.possible or self.in_data or self.pairs)

    def _lines(self) -> list[str]:
        lines = []
        if self.possible is not None and self.total is not None:
            lines.append(f"{self.possible:,} of {self.total:,} possible rows ({self.share or 0.0:.2%})")
        elif self.limit is not None:
            lines.append(f"possible rows were not counted: {self.limit}")
        if self.rows is not None:
            unknown = f", {self.undecided:,} not known" if self.undecided else ""
            lines.append(
                f"{len(self.rows):,} of {self.n_rows:,} rows of the data ({self.share_in_data or 0:.2%}){unknown}"
            )
        return lines

    @property
    def _title(self) -> str:
        return f"decided differently if only {', '.join(map(one_line, self.protected))} were different"

    def __str__(self) -> str:
        shown = [f"  {pair}" for pair in self.pairs[:SHOWN]]
        return "\n".join([self._title + ":", *(f"  {line}" for line in self._lines()), *shown])

    def _repr_html_(self) -> str:
        items = "".join(
            f"<li>{escape(one_line(text))}</li>" for text in (*self._lines(), *map(str, self.pairs[:SHOWN]))
        )
        return f'<div class="symcf-bias"><p>{escape(self._title.capitalize())}:</p><ul>{items}</ul></div>'

    def to_pandas(self) -> pandas.DataFrame:
        """The pairs, two lines each, with the number of the pair and the decision. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        lines = [
            {"pair": i, "decided": decided, **(row if isinstance(row, dict) else {"row": row})}
            for i, pair in enumerate(self.pairs)
            for row, decided in ((pair.row, pair.decided), (pair.other, pair.other_decided))
        ]
        return pandas.DataFrame(lines)


def bias(
    classifier: Classifier,
    protected: Any,
    data: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress = None,
    errors: str = "raise",
    of_all: bool = True,
) -> Bias:
    """See `Compiled.bias`. ``of_all``: are all possible rows counted, too?"""
    chosen = feature_indices(protected, classifier.features, "protected")
    if not chosen:
        raise OptionError("protected: name at least one feature")
    clock = clock_for(classifier, time_limit)
    fixed = [j for j in range(classifier.n_features) if j not in chosen]
    question = Question.checked(classifier, immutable=fixed)
    batch = None
    if data is not None:
        batch = explain_batch(
            classifier, data, immutable=fixed, k=1, n_jobs=n_jobs, time_limit=time_limit, progress=progress,
            errors=errors,
        )  # fmt: skip
    possible, example, limit = (
        _of_all(question, chosen, clock, time_limit, batch is not None) if of_all else (None, None, "not asked")
    )
    names = tuple(classifier.features[j] for j in chosen)
    total = None if limit is not None else count_all(classifier)
    shown: tuple[Pair, ...] = ()
    if batch is None:
        shown = () if example is None else (_partner(classifier, fixed, example),)
        return Bias(names, possible, total, limit, pairs=shown)
    rows = np.flatnonzero(np.diff(batch.row_offsets))
    undecided = int(
        (((batch.status != COMPLETE) & (np.diff(batch.row_offsets) == 0)) | (batch.status == INVALID)).sum()
    )
    shown = tuple(_pair(batch, int(row)) for row in rows[:SHOWN])
    if not shown and example is not None:
        shown = (_partner(classifier, fixed, example),)
    return Bias(names, possible, total, limit, rows, len(batch), undecided, shown)


def _of_all(
    question: Question, chosen: Sequence[int], clock: Clock, time_limit: float | None, has_data: bool
) -> tuple[int | None, list[int] | None, str | None]:
    """How many of all rows change, the codes of one that does, and why they were not counted."""
    classifier = question.classifier
    example: list[int] | None = None
    if classifier.decision.numbers is not None:
        if not has_data:
            raise OptionError("data: columns of numbers have no end of possible rows to count; give rows to look at")
        return None, None, "columns hold numbers"
    if has_data and classifier.decision.black_box is not None:
        return None, None, "the classifier is asked row by row"
    threshold = classifier.decision.threshold
    if threshold is not None:
        known, example = _by_weights(classifier, threshold, chosen)
        if known and example is None:
            return 0, None, None
    if has_data and time_limit is None and is_large(classifier):
        return None, None, "the trees are too many for a diagram; a time_limit makes it try"
    try:
        count = 0
        for part in parts_of(question, clock):
            whole = next(rings(question, part, clock, 0))
            stays = last(question, part.goal, part.sink == 1, clock, any_number=True)
            changed = whole.count - count_rows(classifier, stays, clock)
            count += changed
            if changed and example is None:
                example = model_of(between(classifier, stays, whole.diagram, clock), classifier).tolist()
        return count, example, None
    except LimitError as error:
        if not has_data and example is None:
            raise
        return None, example, str(error)


def _by_weights(
    classifier: Classifier, threshold: _core.Threshold, chosen: Sequence[int]
) -> tuple[bool, list[int] | None]:
    """Two classes by sums: whether it is known, and the codes of a row that changes. Its protected features weigh most
    or least, and then the other way round.
    """
    groups, bias_ = classifier.decision.groups, int(threshold.bias)
    tables = np.split(np.asarray(threshold.weight), groups.core_offset.astype(np.int64)[1:-1])
    known = True
    for sign in (1, -1):
        own: dict[int, int] = {}
        before = after = 0
        for j in chosen:
            weights = sign * tables[j]
            never = {by_feature[j] for by_feature in (classifier.missing, classifier.unknown) if by_feature}
            others = sorted({groups.group_of[j][v] for v in range(len(classifier.values[j])) if v not in never})
            own[j] = int(np.argmax(weights))
            before += int(weights.max())
            after += int(weights[others].min()) if others else int(weights.max())
        low, high = (-bias_ - before, -1 - bias_ - after) if sign > 0 else (-bias_ + after, -1 - bias_ + before)
        if low > high:
            continue
        others_of = [np.zeros(1, dtype=np.int64) if j in own else table for j, table in enumerate(tables)]
        certain, row = row_within([Window(others_of, low, high)])
        if row is not None:
            core = np.array([own.get(j, value) for j, value in enumerate(row)], dtype=np.int64)
            return True, groups.first[groups.core_offset[:-1].astype(np.int64) + core].astype(np.int64).tolist()
        known = known and certain
    return known, None


def _pair(batch: BatchExplanation, row: int) -> Pair:
    e = batch[row]
    cf = e[0]
    own, other = (_named(given, e.columns) for given in (e.row, cf.row))
    return Pair(own, other, e.classes[e.prediction], e.classes[cf.target])


def _named(row: Any, columns: Sequence[str]) -> dict[str, Any]:
    cells = named_cells(row)
    return cells if isinstance(cells, dict) else dict(zip(columns, cells, strict=True))


def _partner(classifier: Classifier, fixed: Sequence[int], codes: Sequence[int]) -> Pair:
    """A pair that a row of codes is the first of."""
    batch = explain_batch(classifier, [example_row(classifier, codes)], immutable=fixed, k=1)
    return _pair(batch, 0)
