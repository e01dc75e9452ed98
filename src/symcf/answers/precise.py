"""The fewest facts with which a share of rows is decided alike: ``Compiled.why(x, precision=0.95)``."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from symcf.answers.reason_facts import Condition
from symcf.answers.render import LISTED
from symcf.answers.sentences import fixed_phrase, given_phrase
from symcf.common.clock import Clock
from symcf.common.extras import load_extra
from symcf.common.text import one_line, plain
from symcf.data.reader import Codes
from symcf.question.case import Case
from symcf.question.constraints import Constraint
from symcf.search.precise import Counting, Fewest, OfAllRows, OfData, fewest_facts

if TYPE_CHECKING:
    import pandas

__all__ = ["PreciseReason", "PreciseReasons", "precise_reasons"]


@dataclass(frozen=True)
class PreciseReason:
    """Facts, and how many of the rows with these facts are decided alike."""

    #: By ascending feature.
    conditions: tuple[Condition, ...]
    #: The rows with these facts, and those of them that are decided alike.
    rows: int
    alike: int

    @property
    def features(self) -> tuple[int, ...]:
        """The features in it."""
        return tuple(condition.feature for condition in self.conditions)

    @property
    def precision(self) -> float:
        """The share that is decided alike."""
        return self.alike / self.rows

    def __str__(self) -> str:
        facts = ", ".join(map(str, self.conditions)) or "nothing in particular"
        counted = f"{self.alike:,} of {self.rows:,} row{'s' * (self.rows != 1)}"
        return f"{facts}: {_percent(Fraction(self.alike, self.rows))} ({counted})"

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "features": list(self.features),
            "conditions": [{"feature": c.feature, "name": c.name, "value": plain(c.value)} for c in self.conditions],
            "precision": self.precision,
            "alike": self.alike,
            "rows": self.rows,
        }


@dataclass(frozen=True, eq=False)
class PreciseReasons:
    """All sets of the fewest facts with which a share of rows is decided alike, the most precise first.

    Made by ``Compiled.why(x, precision=0.95)``; behaves as a sequence of `PreciseReason`.
    """

    #: The decision; and where it is asked why the class is not another, that class.
    label: Hashable
    target: Hashable | None
    features: tuple[str, ...]
    #: The instance, as the names of values.
    row: tuple[Hashable, ...]
    #: The share that was asked for.
    share: Fraction
    #: Were rows of data counted, or all possible ones? And how many there are.
    of_data: bool
    rows: int
    #: What else was asked.
    constraints: tuple[Constraint, ...]
    k: int | None
    _found: Fewest
    #: Was it asked why the class is not the one that it is? Then there are no reasons.
    at_target: bool = False

    @property
    def sets(self) -> list[tuple[int, ...]]:
        """The sets, as tuples of feature indices."""
        return list(self._found.sets[: self.k])

    @property
    def status(self) -> str:
        """Either "complete" or "time_limit": then there may be others, and sets of as few as `at_least` facts."""
        return "complete" if self._found.status == "complete" else "time_limit"

    @property
    def complete(self) -> bool:
        """Is it proved that these are the fewest, and are all of them present?"""
        return self.status == "complete"

    @property
    def at_least(self) -> int:
        """It is proved that fewer facts than this do not reach the share."""
        return self._found.at_least

    def _reason(self, place: int) -> PreciseReason:
        facts, count = self._found.sets[place], self._found.counts[place]
        conditions = tuple(Condition(j, self.features[j], self.row[j]) for j in facts)
        return PreciseReason(conditions, count.rows, count.alike)

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, index: int) -> PreciseReason:
        return self._reason(range(len(self))[index])

    def __iter__(self) -> Iterator[PreciseReason]:
        return map(self._reason, range(len(self)))

    def __repr__(self) -> str:
        return f"PreciseReasons({len(self)} sets of facts, {self.status})"

    def __str__(self) -> str:
        if self.at_target:
            return self._headline()
        lines = [self._headline(), *(f"  {reason}" for reason in islice(self, LISTED))]
        if len(self) > LISTED:
            lines.append(f"  ... and {len(self) - LISTED:,} more")
        return "\n".join([*lines, self._verdict()])

    def _headline(self) -> str:
        decided = f"decided {one_line(self.label)}"
        if self.at_target:
            return f"{decided}, as wanted: there is no reason against it"
        decided += "" if self.target is None else f", not {one_line(self.target)}"
        among = f"{self.rows:,} {'rows of the data' if self.of_data else 'possible rows'}"
        fixed, given = fixed_phrase(self.constraints), given_phrase(self.constraints)
        under = "".join([f" with {fixed}" if fixed else "", f", {given}" if given else ""])
        like = "decided so" if self.target is None else f"not decided {one_line(self.target)}"
        return f"{decided}; facts with which at least {_percent(self.share)} of {among}{under} are {like}:"

    def _verdict(self) -> str:
        fewer = f"it is proved that fewer than {self.at_least} facts are not enough" if self.at_least else ""
        if not self.complete:
            return f"stopped by time_limit: fewer facts may be enough{'; ' * bool(fewer)}{fewer}"
        if not len(self):
            return "there are no such facts: too few rows of the data share them; leave out data, or precision"
        return "nothing has to be known" if not self.at_least else "no set of fewer facts is enough"

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "format": "symcf.precise_reasons",
            "version": 1,
            "features": list(self.features),
            "instance": [plain(label) for label in self.row],
            "prediction": plain(self.label),
            "target": plain(self.target),
            "share": float(self.share),
            "counted": "data" if self.of_data else "all rows",
            "rows": self.rows,
            "status": self.status,
            "at_least": self.at_least,
            "constraints": [constraint.to_dict() for constraint in self.constraints],
            "reasons": [reason.to_dict() for reason in self],
        }

    def to_pandas(self) -> pandas.DataFrame:
        """One line per fact, with the precision and the rows of its set. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        lines = [
            (i, c.name, c.value, reason.precision, reason.alike, reason.rows)
            for i, reason in enumerate(self)
            for c in reason.conditions
        ]
        return pandas.DataFrame(lines, columns=["reason", "feature", "value", "precision", "alike", "rows"])


def _percent(share: Fraction) -> str:
    """With two digits, and never rounded up to a share that is not reached."""
    hundredths = int(share * 10_000)
    return f"{hundredths / 100:g}%"


def precise_reasons(
    case: Case, share: Fraction, codes: Codes | None, k: int | None, clock: Clock, row: Sequence[Hashable]
) -> PreciseReasons:
    """The fewest facts of a case, counted in rows of value codes, or in all rows without any."""
    counting: Counting = OfAllRows(case, clock) if codes is None else OfData(case, codes)
    question = case.question
    ruled_out = None if question.any_other or question.target is None else question.classifier.classes[question.target]
    return PreciseReasons(
        label=question.classifier.classes[case.prediction],
        target=ruled_out,
        features=tuple(question.classifier.features),
        row=tuple(row),
        share=share,
        of_data=codes is not None,
        rows=counting.rows,
        constraints=tuple(c for c in question.constraints.items if c.stated),
        k=k,
        _found=Fewest((), (), 0, "complete") if case.at_target else fewest_facts(counting, share, clock),
        at_target=case.at_target,
    )
