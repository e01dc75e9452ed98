"""Group recourse: a few actions, the same for everyone, that help a share of the rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from symcf.analysis.audit.tally import Grouping, labels_of, split
from symcf.analysis.recourse.actions import Action, People
from symcf.analysis.recourse.choice import Chosen, greedy, most_helped, smallest_number
from symcf.common.clock import Clock, timed
from symcf.common.options import checked_count, checked_seconds
from symcf.common.text import one_line, plain
from symcf.compiled import Compiled
from symcf.data.given import GivenRows, ReadRows
from symcf.data.labels import code_of
from symcf.errors import OptionError
from symcf.fast import explain_batch
from symcf.question.aims import aimed
from symcf.question.question import Keywords, Question
from symcf.question.relations import cut_for

if TYPE_CHECKING:
    import pandas

__all__ = ["GroupRecourse", "group_recourse"]

#: Rows without an action.
NONE = -1


@dataclass(frozen=True, eq=False)
class GroupRecourse:
    """A few actions, the same for everyone, and whom they help. Made by `symcf.group_recourse`."""

    #: The chosen actions, the one that helps most people first.
    actions: tuple[Action, ...]
    #: By action and row, whether it helps.
    helps: npt.NDArray[np.bool_]
    #: By row: the first action that helps, -1 for none.
    action_of_row: npt.NDArray[np.int64]
    #: By row: does it have the target already? Such rows need no action and are not counted.
    at_target: npt.NDArray[np.bool_]
    #: The class that is wanted.
    target: Hashable
    #: How many actions that help someone there were to choose from, and how many rows at least one of them helps.
    candidates: int
    within_reach: int
    #: "actions" if their number was given, "coverage" if the share of people was.
    given: str
    #: Where the number of actions was given: no choice of as many candidates helps more rows than this. Where the
    #: share was: no choice of fewer candidates than this helps that share.
    bound: int
    #: The share of rows that was asked for; None where the number of actions was given.
    coverage_wanted: float | None
    #: What always taking the candidate that helps most of the remaining rows would give: actions, and rows helped.
    greedy: tuple[int, int]
    #: By label of a group: its rows that are not at the target, and how many of them are helped.
    groups: Mapping[Hashable, tuple[int, int]]
    _people: People
    _rows: GivenRows

    @property
    def n_rows(self) -> int:
        """The rows that are not at the target."""
        return int((~self.at_target).sum())

    @property
    def n_helped(self) -> int:
        """How many of them an action helps."""
        return int((self.action_of_row >= 0).sum())

    @property
    def coverage(self) -> float:
        """The share of them that an action helps; 1 if there is no row to help."""
        return self.n_helped / self.n_rows if self.n_rows else 1.0

    @property
    def reached(self) -> bool:
        """Is the share that was asked for helped? True where the number of actions was given."""
        return self.coverage_wanted is None or self.n_helped >= _share_of(self.coverage_wanted, self.n_rows)

    @property
    def optimal(self) -> bool:
        """Is it proved that no choice among the candidates is better?"""
        return self.bound == (self.n_helped if self.given == "actions" else len(self.actions))

    @property
    def gap(self) -> int:
        """By how many rows (or actions, where the share was given) another choice could be better at most."""
        return self.bound - self.n_helped if self.given == "actions" else len(self.actions) - self.bound

    def __str__(self) -> str:
        people = f"{self.n_helped:,} of {self.n_rows:,} rows ({self.coverage:.1%})"
        verb = "action helps" if len(self.actions) == 1 else "actions help"
        lines = [f"{len(self.actions)} {verb} {people} reach {one_line(self.target)}:"]
        new = self._newly()
        for i, action in enumerate(self.actions):
            lines.append(f"  {action}: {int(self.helps[i].sum()):,} rows, {new[i]:,} of them by no action before")
        if len(self.groups) > 1:
            lines.append("by group:")
            for label, (n, helped) in self.groups.items():
                lines.append(f"  {one_line(label)}: {helped:,} of {n:,} rows" + (f" ({helped / n:.1%})" if n else ""))
        lines.append(self._verdict())
        return "\n".join(lines)

    def _verdict(self) -> str:
        among = f"among {self.candidates:,} candidate action{'' if self.candidates == 1 else 's'}"
        if not self.reached:
            share = f"the share asked for ({self.coverage_wanted:.1%}) cannot be reached {among}"
            return f"{share}: all of them together help {self.within_reach:,} rows"
        if self.given == "actions":
            n = f"no choice of {len(self.actions)} {among} helps more"
            return n if self.optimal else f"{n} than {self.bound:,} rows"
        best = f"no choice of fewer {among} helps as many rows as asked for"
        return best if self.optimal else best.replace("fewer", f"fewer than {self.bound}")

    def _newly(self) -> list[int]:
        return [int((self.action_of_row == i).sum()) for i in range(len(self.actions))]

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "target": plain(self.target),
            "actions": [
                {
                    "text": str(action),
                    "steps": [step.to_dict() for step in action.steps],
                    "helps": int(self.helps[i].sum()),
                    "newly": self._newly()[i],
                }
                for i, action in enumerate(self.actions)
            ],
            "rows": self.n_rows,
            "helped": self.n_helped,
            "coverage": self.coverage,
            "given": self.given,
            "coverage_wanted": self.coverage_wanted,
            "reached": self.reached,
            "optimal": self.optimal,
            "bound": self.bound,
            "gap": self.gap,
            "candidates": self.candidates,
            "within_reach": self.within_reach,
            "greedy": {"actions": self.greedy[0], "helped": self.greedy[1]},
            "groups": [
                {"group": plain(label), "rows": n, "helped": helped} for label, (n, helped) in self.groups.items()
            ],
        }

    def to_pandas(self) -> pandas.DataFrame:
        """One line per group: its rows, how many are helped, and their share. Needs pandas."""
        import pandas

        lines = [(label, n, helped, helped / n if n else math.nan) for label, (n, helped) in self.groups.items()]
        return pandas.DataFrame(lines, columns=["group", "rows", "helped", "share"]).set_index("group")

    def to_frame(self) -> pandas.DataFrame:
        """The rows that are helped, after their action: what the classifier's own `predict` takes. In the order of the
        rows, and indexed as they were given. Needs pandas.
        """
        frame = self._rows.frame(np.flatnonzero(self.action_of_row >= 0))
        order = np.flatnonzero(self.action_of_row >= 0)
        place = {int(row): i for i, row in enumerate(order)}
        cells: dict[int, dict[int, Any]] = {}
        for i, action in enumerate(self.actions):
            mine = np.flatnonzero(self.action_of_row == i)
            for source, new in self._people.cells_of(action, mine).items():
                cells.setdefault(source, {}).update(
                    {place[int(row)]: cell for row, cell in zip(mine, new, strict=True)}
                )
        return self._rows.with_cells(frame, cells)


def _share_of(coverage: float, n: int) -> int:
    """The least number of rows that is such a share of all."""
    return math.ceil(Fraction(repr(float(coverage))) * n)


@timed
def group_recourse(
    compiled: Compiled,
    rows: Any,
    /,
    *,
    actions: int | None = None,
    coverage: float | None = None,
    groups: Any = None,
    per_row: int = 10,
    digits: int = 2,
    time_limit: float | None = 60.0,
    n_jobs: int | None = None,
    **question: Unpack[Keywords],
) -> GroupRecourse:
    """A few actions, the same for everyone, that help as many rows as possible: "income +300, guarantor = yes".

    An action adds a number to columns of numbers and sets the others to a value. It helps a row if the question
    permits every step for that row and the row then has the target. The candidates are the changes of each row's
    own cheapest counterfactuals. The choice among the candidates is the best one, proved, or comes with its gap; that
    no action at all would do better is not said.

    Parameters
    ----------
    rows:
        Rows in any form that `symcf.fast.explain_batch` takes. Those that have the target are left out.
    actions:
        The number of actions: as many rows as possible are helped.
    coverage:
        The share of the rows to be helped, such as 0.9: as few actions as possible are chosen. Give one of the two. Of
        equally good choices, one of small actions is taken: a value that is set counts 1, a number the share of the
        column's range in the rows.
    groups:
        A feature, a column of the rows, or a label for each row: whom the actions help is counted by group, too.
    per_row:
        How many counterfactuals of each row become candidates.
    max_changes:
        The most features that an action changes, 2 if it is not given; None for any number.
    digits:
        Numbers that are added are rounded up to so many significant digits, so that people share actions.
    time_limit:
        Seconds for the whole call; None for no limit. When they are up, the choice is made among the candidates that
        are known by then.
    n_jobs:
        Threads that look for counterfactuals; see `symcf.fast.explain_batch`.
    target, immutable, allowed, constraints, ...:
        The other keywords of `Compiled.explain`. The target is needed where rows have different classes, or where there
        are more than two. Constraints that compare numbers are not supported.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> c = symcf.compile(admission())
    >>> print(symcf.group_recourse(c, [[1, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0]], actions=1))
    1 action helps 4 of 4 rows (100.0%) reach admitted:
      work experience = 1, GPA = 1: 4 rows, 4 of them by no action before
    no choice of 1 among 6 candidate actions helps more
    """
    if not isinstance(compiled, Compiled):
        raise TypeError(
            f"group_recourse takes a compiled classifier, not {type(compiled).__name__}: call symcf.compile"
        )
    if (actions is None) == (coverage is None):
        raise OptionError("group_recourse: give either actions (how many) or coverage (the share to be helped)")
    most = checked_count(actions, "actions", least=1)
    wanted = _checked_share(coverage)
    clock = Clock(checked_seconds(time_limit))
    many, figures = checked_count(per_row, "per_row", least=1) or 1, checked_count(digits, "digits", least=1) or 1
    rows, labels = split(compiled, rows, groups)
    aim, keywords = aimed(compiled, {"max_changes": 2, **question})
    compiled = cut_for(aim.around(rows), keywords.get("constraints"), keywords.get("allowed"))
    given = GivenRows.of(rows, compiled.encoder.layout)
    codes = compiled.codes(given.given)
    labels = labels_of(compiled, codes, labels)
    classes = compiled.decide(codes).astype(np.int64)
    code = _target(compiled, classes, keywords.get("target"))
    keywords["target"] = compiled.classes[code]
    asked = Question.checked(compiled, **keywords).given_as(given)
    if asked.depends_on_cells and asked.relations is not None:
        raise OptionError(
            "group_recourse: constraints that compare numbers, or relate columns of numbers, are not supported"
        )
    at_target = classes == code
    who = np.flatnonzero(~at_target)
    people = People(asked, given, who, codes[who])
    found = _candidates(
        people, compiled, ReadRows(given.chosen(who), codes[who]), many, figures, n_jobs, clock, keywords
    )
    helps, sizes, found = _helps(people, found, np.full(len(who), code), clock)
    chosen = _choice(helps, sizes, most, wanted, clock)
    order = sorted(chosen.actions, key=lambda i: -int(helps[i].sum()))
    action_of_row = np.full(len(codes), NONE, dtype=np.int64)
    for place, i in reversed(list(enumerate(order))):
        action_of_row[who[helps[i]]] = place
    full = np.zeros((len(order), len(codes)), dtype=np.bool_)
    full[:, who] = helps[order] if order else np.zeros((0, len(who)), dtype=np.bool_)
    grouping = Grouping(labels, len(codes))
    part, helped = grouping.part, action_of_row >= 0
    reach = helps.any(axis=0) if len(helps) else np.zeros(len(who), dtype=np.bool_)
    simple = greedy(helps, most, None if wanted is None else min(_share_of(wanted, len(who)), int(reach.sum())))
    return GroupRecourse(
        actions=tuple(found[i] for i in order),
        helps=full,
        action_of_row=action_of_row,
        at_target=at_target,
        target=compiled.classes[code],
        candidates=len(found),
        within_reach=int(reach.sum()),
        given="actions" if wanted is None else "coverage",
        bound=chosen.bound,
        coverage_wanted=wanted,
        greedy=(len(simple), int(helps[list(simple)].any(axis=0).sum()) if simple else 0),
        groups={
            label: (int((~at_target & (part == g)).sum()), int((helped & (part == g)).sum()))
            for g, label in enumerate(grouping.labels)
        },
        _people=people,
        _rows=given,
    )


def _checked_share(coverage: float | None) -> float | None:
    if coverage is None:
        return None
    number = isinstance(coverage, (int, float, np.number)) and not isinstance(coverage, bool)
    if not number or not 0 < float(coverage) <= 1:
        raise OptionError(f"coverage must be a share above 0 and at most 1, such as 0.9, not {coverage!r}")
    return float(coverage)


def _target(compiled: Compiled, classes: npt.NDArray[np.int64], target: Any) -> int:
    if target is not None:
        return code_of(target, compiled.classes, "target")
    present = np.unique(classes)
    if compiled.n_classes == 2 and len(present) == 1:
        return 1 - int(present[0])
    raise OptionError(
        f"group_recourse: name the target, one of {', '.join(map(repr, compiled.classes))}; without one, all rows must "
        "have the same of two classes"
    )


def _candidates(
    people: People,
    compiled: Compiled,
    rows: ReadRows,
    many: int,
    digits: int,
    n_jobs: int | None,
    clock: Clock,
    question: dict[str, Any],
) -> list[Action]:
    """The actions of the cheapest counterfactuals of every row, those that most rows have first."""
    found: Counter[Action] = Counter()
    if not len(rows.codes):
        return []
    seconds = clock.seconds
    half = clock.earlier(None if seconds is None else seconds / 2)
    search = None if seconds is None else seconds / 3
    batch = explain_batch(compiled, rows, k=many, n_jobs=n_jobs, time_limit=search, **question)
    with clock.until_ended():
        for i in range(len(batch)):
            if half.expired:
                break
            for cf in batch[i]:
                action = people.action_of(cf.changes, cf.instance.tolist(), digits)
                if action is not None and action.steps:
                    found[action] += 1
    return [action for action, _ in found.most_common()]


def _helps(
    people: People, found: list[Action], wanted: npt.NDArray[np.int64], clock: Clock
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64], list[Action]]:
    """By action and row whether it helps, the sizes of the actions, and the actions that help someone."""
    lines, sizes, kept = [], [], []
    seconds = clock.seconds
    enough = clock.earlier(None if seconds is None else seconds * 0.7)
    with clock.until_ended():
        for action in found:
            if enough.expired:  # those that most rows have were looked at first
                break
            helped = people.helped_by(action, wanted)
            if helped.any():
                lines.append(helped)
                sizes.append(people.size(action))
                kept.append(action)
    helps = np.array(lines, dtype=np.bool_).reshape(len(lines), len(wanted))
    return helps, np.array(sizes), kept


def _choice(
    helps: npt.NDArray[np.bool_], sizes: npt.NDArray[np.float64], most: int | None, wanted: float | None, clock: Clock
) -> Chosen:
    if not len(helps):
        return Chosen((), 0)
    if most is not None:
        return most_helped(helps, sizes, most, clock)
    assert wanted is not None
    needed = min(_share_of(wanted, helps.shape[1]), int(helps.any(axis=0).sum()))
    return smallest_number(helps, sizes, needed, clock)
