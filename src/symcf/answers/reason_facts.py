"""What is known about the reasons for a decision, in the user's terms. Other modules turn it into text and JSON."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np

from symcf.answers.facts import Range, Sets, range_from_json, range_to_json
from symcf.common.clock import Clock, tick
from symcf.common.lazy import cached_property
from symcf.common.text import one_line, plain
from symcf.data.phrases import range_words, region_words, value_text
from symcf.data.regions import Region
from symcf.errors import OptionError
from symcf.proof.certificates.certificate import Certificate

__all__ = ["Accepted", "Condition", "Detail", "Reason", "ReasonFacts", "Witness"]


class Accepted(NamedTuple):
    """What a feature may be for a reason to hold."""

    #: Numbers, or values one by one, that of the instance first; and the same with rounded ends, for people.
    range: Range
    said: Range
    #: Beside a range of numbers: values in no order, such as missing ones.
    also: tuple[Hashable, ...] = ()

    def __contains__(self, value: object) -> bool:
        if isinstance(self.range, Region) and isinstance(value, (int, float, np.integer, np.floating)):
            return value in self.range
        return value in self.also or (isinstance(self.range, tuple) and value in self.range)

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        also = {"also": [plain(value) for value in self.also]} if self.also else {}
        return {"range": range_to_json(self.range), "said": range_to_json(self.said), **also}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Accepted:
        """The inverse of `to_dict`."""
        return cls(range_from_json(data["range"]), range_from_json(data["said"]), tuple(data.get("also", ())))


class Detail(NamedTuple):
    """What is known about one reason beside its features."""

    #: By feature, what it may be; empty where it is to be as it is.
    accepted: Mapping[int, Accepted] = {}
    #: Is it proved that no condition can be wider?
    maximal: bool | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """One feature is as it is, or one of several values (``general=True``)."""

    feature: int
    name: str
    value: Hashable
    _accepted: Accepted | None = field(default=None, repr=False)

    @property
    def accepted(self) -> Accepted:
        """What the feature may be: ``accepted.range`` is a `Region` of numbers, or a tuple of values."""
        return Accepted((self.value,), (self.value,)) if self._accepted is None else self._accepted

    def __str__(self) -> str:
        if self._accepted is not None:
            return self._general()
        words = range_words(self.value)
        return f"{one_line(self.name)} {words or f'= {one_line(self.value)}'}"

    def _general(self) -> str:
        name, said, also = one_line(self.name), self.accepted.said, self.accepted.also
        if not isinstance(said, Region):
            return f"{name} = {' or '.join(map(value_text, said))}"
        sign = "= " if said.first == said.last else ""
        return " or ".join([f"{name} {sign}{region_words(said)}", *map(value_text, also)])


@dataclass(frozen=True, slots=True)
class Reason:
    """A sufficient reason: these values force the decision whatever the others are, and no subset of them does."""

    #: By ascending feature.
    conditions: tuple[Condition, ...]
    #: The sum of the costs of the features; their number by default.
    cost: float
    #: With ``general=True``: is it proved that no condition can be wider, the others as they are? Otherwise None.
    maximal: bool | None = None

    @property
    def features(self) -> tuple[int, ...]:
        """The features in it."""
        return tuple(condition.feature for condition in self.conditions)

    def __str__(self) -> str:
        return ", ".join(map(str, self.conditions)) or "nothing in particular"

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "features": list(self.features),
            "conditions": [
                {
                    "feature": c.feature,
                    "name": c.name,
                    "value": plain(c.value),
                    **({} if self.maximal is None else c.accepted.to_dict()),
                }
                for c in self.conditions
            ],
            "cost": self.cost,
            **({} if self.maximal is None else {"maximal": self.maximal}),
        }

    @staticmethod
    def detail_from_dict(data: Mapping[str, Any]) -> Detail:
        """What `to_dict` says beside features and cost."""
        if "maximal" not in data:
            return Detail()
        found = {int(c["feature"]): Accepted.from_dict(c) for c in data["conditions"]}
        return Detail(found, bool(data["maximal"]))


class Witness(Protocol):
    """Who can be asked about an instance what a list of reasons that was cut short does not say."""

    def necessary(self) -> tuple[int, ...]:
        """The features in every reason."""

    def relevant(self) -> tuple[int, ...]:
        """The features in some reason."""

    def counts(self) -> tuple[list[int], int]:
        """By feature, how many reasons it is in, and how many there are."""

    def changes(self) -> Any:
        """All minimal counterfactuals of the same question, as an `Explanation`."""

    def certificate_of_reasons(self, r: ReasonFacts, clock: Clock) -> Certificate:
        """The certificate of these reasons."""

    def details(self, sets: Sequence[tuple[int, ...]], clock: Clock) -> list[Detail]:
        """Of reasons, their conditions as wide as they can be, as far as time allows."""


@dataclass(kw_only=True, eq=False, repr=False)
class ReasonFacts(Sets):
    """What is known: the question, the reasons, and whom to ask for more."""

    COMPARED = (*Sets.COMPARED, "details")
    WHAT = "reasons"

    #: The probability of the predicted class; None where the model has no probabilities.
    probability: float | None = None
    #: Where the question was about a number: what the instance has of it; else None.
    reached: float | None = None
    #: Whom to ask; None: nobody, since the reasons were read from a file.
    witness: Witness | None = None
    #: By reason, what is known beside its features; None: nothing.
    details: Sequence[Detail] | None = None

    @property
    def is_whole(self) -> bool:
        """Are these all reasons that there are?"""
        return self.complete and (self.k is None or self.count < self.k)

    @property
    def at_target(self) -> bool:
        """Was it asked why the class is not the one that it is? Such a row has no reasons; every other has some."""
        return self.complete and not self.count

    @property
    def is_general(self) -> bool:
        """Were conditions widened (``general=True``)?"""
        return self.details is not None and any(detail.maximal is not None for detail in self.details)

    @property
    def row(self) -> tuple[Hashable, ...]:
        """The instance, as the names of its values."""
        return self.labels

    def _asked(self, what: str) -> Witness:
        if self.witness is None:
            raise OptionError(f"{what}: these reasons were read from a file and are not all; ask Compiled.why again")
        return self.witness

    @cached_property
    def necessary(self) -> tuple[int, ...]:
        """The features that are in every reason: changing one of them alone could have changed the decision."""
        if self.is_whole:
            counts, total = self._counts
            return tuple(j for j, count in enumerate(counts) if total and count == total)
        return self._asked("necessary").necessary()

    @cached_property
    def relevant(self) -> tuple[int, ...]:
        """The features that are in some reason, which are those in some minimal counterfactual."""
        if self.is_whole:
            return tuple(j for j, count in enumerate(self._counts[0]) if count)
        return self._asked("relevant").relevant()

    @property
    def irrelevant(self) -> tuple[int, ...]:
        """The features that are in no reason: they play no part in this decision, or may not change."""
        return tuple(sorted(set(range(len(self.features))) - set(self.relevant)))

    @cached_property
    def _counts(self) -> tuple[list[int], int]:
        """By feature, how many reasons it is in, and how many there are."""
        if not self.is_whole:
            return self._asked("shares").counts()
        counts = [0] * len(self.features)
        for reason in self.sets:
            for j in reason:
                counts[j] += 1
        return counts, self.count

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """By feature, the share of all reasons that it is in: formal feature attribution."""
        counts, total = self._counts
        return tuple(Fraction(count, total or 1) for count in counts)

    @property
    def changes(self) -> Any:
        """The other side, an `Explanation`: all minimal counterfactuals of the same question. They are the minimal sets
        of features that have one in common with every reason, and the other way round.
        """
        return self._asked("changes").changes()

    # --- as a sequence

    def _reason(self, place: int) -> Reason:
        tick()
        row, features = self.row, self.sets[place]
        detail = Detail() if self.details is None else self.details[place]
        conditions = (Condition(j, self.features[j], row[j], detail.accepted.get(j)) for j in features)
        return Reason(tuple(conditions), self.costs.total(features), detail.maximal)

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._reason(i) for i in range(len(self))[index]]
        return self._reason(range(len(self))[index])

    def __iter__(self) -> Iterator[Reason]:
        return map(self._reason, range(len(self)))
