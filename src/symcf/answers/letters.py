"""Explanations as letters: only the features that may be named reach the page."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from typing import Any

from symcf.answers.attribution import Attribution
from symcf.answers.facts import Change, Facts
from symcf.answers.sentences import fixed_features
from symcf.common.options import checked_choice, checked_count
from symcf.common.text import number_in, one_line, plain_cell
from symcf.data.labels import by_feature, feature_index, feature_indices
from symcf.data.numbers import NumberLine
from symcf.data.phrases import BOUND, RANGE
from symcf.data.regions import Region
from symcf.errors import OptionError
from symcf.letters.page import (
    MOST_REASONS,
    NUMBER,
    PAPERS,
    US_WORDING,
    Letter,
    LetterFacts,
    Move,
    Wording,
    checked_unit,
    wording_of,
)
from symcf.letters.policy import Policy, Text, spelled
from symcf.proof.certificates.certificate import Certificate

__all__ = [
    "Form",
    "PrincipalReasons",
    "ProtectedReason",
    "by_weight",
    "given_reasons",
    "letter_of",
    "move_of",
    "principal",
]


@dataclass(frozen=True)
class Names:
    """What things are called in a letter, by feature and by class."""

    words: Wording
    features: Sequence[str]
    units: Mapping[int, str] = field(default_factory=dict)
    decisions: Mapping[Hashable, str] = field(default_factory=dict)
    values: Mapping[int, Mapping[Hashable, str]] = field(default_factory=dict)

    def decision(self, label: Hashable) -> str:
        """A class."""
        return self.decisions.get(label, one_line(label))

    def value(self, j: int, value: Any) -> str:
        """A value of a feature, with its unit."""
        cell = plain_cell(value)
        if j in self.values:
            given = self.values[j].get(cell, self.values[j].get(spelled(cell)))  # as it is, or as policies write it
            if given is not None:
                return given
        if cell is None:
            return self.words.say("missing")
        if isinstance(cell, bool):
            return self.words.say("yes" if cell else "no")
        if isinstance(cell, (int, float)):
            return self._number(j, cell)
        return self._range(j, str(cell)) or one_line(cell)

    def _range(self, j: int, label: str) -> str | None:
        """The name of a range of numbers in words; None for other names, and where letters have no words for a bound
        that does not belong to the range.
        """
        try:
            if between := RANGE.fullmatch(label):
                low, high = (number_in(end) for end in between.groups())
                return self.words.say("between", low=self._first(j, low, high), high=self._number(j, high))
            bound = BOUND.fullmatch(label)
            key = {"<=": "at_most", ">=": "at_least"}.get(bound[1]) if bound else None
            if bound is None or key is None:
                return None
            return self.words.say(key, value=self._number(j, number_in(bound[2])))
        except ValueError:  # 18+ is no number
            return None

    def new(self, change: Change) -> str:
        """What a feature has to become."""
        j, said = change.feature, change.said
        if not isinstance(said, Region):
            return self.words.say("one_of", value=self.value(j, change.new))
        low, high = said.first, said.last
        if math.isinf(low) and math.isinf(high):
            return self.words.say("any_number")
        if math.isinf(low) or math.isinf(high):
            key, end = ("at_most", high) if math.isinf(low) else ("at_least", low)
            return self.words.say(key, value=self._number(j, end))
        if low == high:
            return self.words.say("one_of", value=self._number(j, low))
        return self.words.say("between", low=self._first(j, low, high), high=self._number(j, high))

    def _number(self, j: int, number: float) -> str:
        return self.words.quantity(number, self.units[j]) if j in self.units else self.words.number(number)

    def _first(self, j: int, low: float, high: float) -> str:
        """The first of two numbers: its unit is that of the second, unless it stands before the number."""
        unit = self.units.get(j)
        if unit is None or NUMBER in unit:
            return self._number(j, low)
        return self.words.quantity(low, NUMBER)


@dataclass(frozen=True)
class Form:
    """What letters to different people have in common."""

    called: Names
    #: The features that may be named, and those that must not be a principal reason; None: the immutable ones.
    named: frozenset[int]
    guarded: frozenset[int] | None
    ways: int
    probability: bool
    paper: str
    most: int = MOST_REASONS
    policy: Policy | None = None

    @classmethod
    def checked(
        cls,
        features: Sequence[str],
        classes: Sequence[Hashable],
        allow: Any,
        *,
        protected: Any,
        ways: int,
        probability: bool,
        language: str,
        wording: Mapping[str, str] | str | PathLike[str] | None,
        names: Mapping[Any, str] | None,
        units: Mapping[Any, str] | None,
        values: Mapping[Any, Mapping[Hashable, str]] | None,
        decisions: Mapping[Hashable, str] | None,
        paper: str,
    ) -> Form:
        """From the keywords of `Explanation.letter`."""
        _check_kinds(names=names, units=units, values=values, decisions=decisions)
        shown = dict(enumerate(map(one_line, features))) | _texts(names, features, "names")
        words, said = wording_of(language, wording), _texts(units, features, "units")
        called = Names(
            words,
            [shown[j] for j in range(len(shown))],
            {j: checked_unit(u, language, f"units: {features[j]!r}") for j, u in said.items()},
            _decisions(decisions, classes),
            by_feature(values or {}, features, "values"),
        )
        return cls(
            called,
            allowed_features(allow, features),
            None if protected is None else frozenset(feature_indices(protected, features, "protected")),
            checked_count(ways, "ways", least=1) or 1,
            probability,
            checked_choice(paper, "paper", tuple(PAPERS)),
        )

    @classmethod
    def of_policy(cls, policy: Policy, classifier: Any, language: str | None = None) -> Form:
        """From a policy about a classifier."""
        features, classes = classifier.features, classifier.classes
        policy.checked(features, classifier.values, classes)
        language = language or policy.language
        if policy.template == "us" and (language != "en" or policy.us is None):
            raise OptionError("policy: template us: it is in English, and needs the section us")
        if policy.template == "eu" and policy.system.authority is None:
            raise OptionError("policy: template eu: system.authority is missing, the supervisory authority")
        said = {j: policy.feature(name) for j, name in enumerate(features)}
        names = {j: one.name.of(language) for j, one in said.items() if one.name is not None}
        decided = {label: (policy.decisions or {}).get(spelled(label)) for label in classes}
        called = Names(
            wording_of(language, {**(US_WORDING if policy.template == "us" else {}), **(policy.wording or {})}),
            [one_line(names.get(j, name)) for j, name in enumerate(features)],
            {
                j: checked_unit(one.unit.of(language), language, f"policy: {one.unit.place}")
                for j, one in said.items()
                if one.unit is not None
            },
            {label: text.of(language) for label, text in decided.items() if text is not None},
            {j: {value: text.of(language) for value, text in (one.values or {}).items()} for j, one in said.items()},
        )
        return cls(
            called,
            frozenset(policy.those(features, lambda one: one.named)),
            frozenset(policy.those(features, lambda one: one.protected)),
            policy.ways,
            policy.probability,
            policy.paper,
            policy.reasons.most,
            policy,
        )

    def say(self, text: Text | None, default: str = "") -> str:
        """A text of the policy in the language of the letters; the words of the key ``default`` where there is none."""
        if text is not None:
            return text.of(self.called.words.language).strip()
        return self.called.words.say(default) if default else ""


def letter_of(
    e: Facts,
    form: Form,
    order: PrincipalReasons,
    *,
    certificate: Certificate | None = None,
    person: str = "",
    sender: str = "",
    date: str = "",
    **more: Any,
) -> Letter:
    """A letter about an explanation; ``more`` is what a policy adds to `LetterFacts`."""
    called, named, words = form.called, form.named, form.called.words
    chosen = [s for s in e.sets if named.issuperset(s)][: form.ways]
    if certificate is not None:
        _check_certificate(certificate, e)
    facts = LetterFacts(
        decision=called.decision(e.classes[e.prediction]),
        wanted=None if e.target is None else called.decision(e.classes[e.target]),
        percent=_percent(e, words) if form.probability else None,
        reasons=order.stated,
        reasons_intro=words.say(order.intro),
        reasons_how=order.how,
        reasons_hidden=order.hidden,
        ways=tuple(tuple(move_of(change, called) for change in e.of_set(s)[0].changes) for s in chosen),
        ways_hidden=any(not named.issuperset(s) for s in e.sets),
        ways_count=e.count if _are_all(e) else None,
        ways_stopped=None if e.complete else words.number(e.count),
        ways_tried=any(c.tries for c in e.constraints),
        limits=tuple(_limits(e, called, named)),
        number=None if certificate is None else certificate.number,
        person="" if person is None else str(person),
        sender="" if sender is None else str(sender),
        date="" if date is None else str(date),
        **more,
    )
    return Letter(facts, words, form.paper, "general" if form.policy is None else form.policy.template)


@dataclass(frozen=True)
class PrincipalReasons:
    """The principal reasons for a decision: features in the order of their weight, and how they are stated."""

    features: list[int]
    stated: tuple[str, ...]
    hidden: bool
    intro: str
    how: str


def given_reasons(
    e: Facts, form: Form, counts: Sequence[int], reasons: Attribution | Iterable[Any] | None
) -> PrincipalReasons:
    """Those of `Explanation.letter`; ``counts`` says by feature in how many sufficient reasons it is."""
    guarded = set(fixed_features(e.constraints)) if form.guarded is None else form.guarded
    order = principal(e.features, form, guarded, *_by_weight(e, counts, reasons))
    called, few = form.called, [j for j in order if j in form.named]
    chosen = reasons is not None and not isinstance(reasons, Attribution)
    return PrincipalReasons(
        order,
        tuple(called.words.say("reason", feature=called.features[j], value=called.value(j, e.cells[j])) for j in few),
        len(few) < len(order),
        "reasons_chosen" if chosen else "reasons",
        called.words.say("reasons_given") if chosen else called.words.say("reasons_how", most=form.most),
    )


def _check_kinds(**given: Any) -> None:
    for option, texts in given.items():
        inside = texts.items() if isinstance(texts, Mapping) and option == "values" else ()
        for what, part in ((option, texts), *((f"values[{feature!r}]", named) for feature, named in inside)):
            if part is not None and not isinstance(part, Mapping):
                raise OptionError(f"{what} must be a mapping to texts, not {part!r}")


def allowed_features(allow: Any, features: Sequence[str]) -> frozenset[int]:
    """The features that a letter may name."""
    if isinstance(allow, str):
        if allow == "all":
            return frozenset(range(len(features)))
        raise OptionError(f"allow must list the features that the letter may name, or be 'all', not {allow!r}")
    return frozenset(feature_indices(allow, features, "allow"))


def _texts(given: Mapping[Any, str] | None, features: Sequence[str], option: str) -> dict[int, str]:
    return {j: str(text) for j, text in by_feature(given or {}, features, option).items()}


def _decisions(given: Mapping[Hashable, str] | None, classes: Sequence[Hashable]) -> dict[Hashable, str]:
    for label in given or {}:
        if label not in classes:
            raise OptionError(f"decisions: {label!r} is not a class: there are {', '.join(map(repr, classes))}")
    return {label: str(text) for label, text in (given or {}).items()}


def _are_all(e: Facts) -> bool:
    """Are there no other ways, with other values neither?"""
    tried = any(c.tries for c in e.constraints)
    return e.complete and not tried and e.diversity is None and (e.k is None or e.count < e.k)


class ProtectedReason(OptionError):
    """A protected feature is among the principal reasons, so that no letter is written."""


def principal(
    features: Sequence[str], form: Form, guarded: Collection[int], order: Sequence[int], weights: Mapping[int, Any]
) -> list[int]:
    """At most four features, the one that weighed most first; those that did not weigh are left out.

    They are chosen among all features. `ProtectedReason` if a guarded one is among them, or weighs as much as one.
    """
    first = list(order[: form.most])
    tied = [j for j in order[form.most :] if weights[j] == weights[first[-1]]]
    if found := [features[j] for j in [*first, *tied] if j in guarded]:
        names = " and ".join(map(repr, found))
        default = "By default all immutable features are protected; give protected to list others instead"
        raise ProtectedReason(
            f"protected: {names} {'is' if len(found) == 1 else 'are'} among the principal reasons for this decision, "
            f"so no letter is written: it could not give the reasons without naming what must not decide. Have the "
            f"decision reviewed{'' if form.policy is not None else f'. {default}'}"
        )
    return first


def _by_weight(
    e: Facts, counts: Sequence[int], reasons: Attribution | Iterable[Any] | None
) -> tuple[list[int], Mapping[int, Any]]:
    """The features that weighed, the one that weighed most first, and what they weighed."""
    if reasons is None:
        weights: Sequence[Any] = counts
    elif isinstance(reasons, Attribution):
        if reasons.features != e.features:
            raise OptionError("reasons: the attribution is of another classifier")
        weights = reasons.values.tolist() if reasons.exact is None else reasons.exact
    else:
        if isinstance(reasons, str) or not isinstance(reasons, Iterable):
            raise OptionError(f"reasons must be an Attribution or list features, not {reasons!r}")
        given = list(dict.fromkeys(feature_index(feature, e.features, "reasons") for feature in reasons))
        return given, {j: -place for place, j in enumerate(given)}
    return by_weight(weights), dict(enumerate(weights))


def by_weight(weights: Sequence[Any]) -> list[int]:
    """The features that weighed, the one that weighed most first."""
    return [j for j in sorted(range(len(weights)), key=lambda j: (-weights[j], j)) if weights[j] > 0]


def _check_certificate(certificate: Certificate, e: Facts) -> None:
    if not isinstance(certificate, Certificate):
        raise OptionError(f"certificate must be what e.certificate() gives, not {certificate!r}")
    if not certificate.states(e.cells, e.classes[e.prediction], e.sets):
        raise OptionError(f"certificate: {certificate.number} states another answer; use that of this explanation")


def _percent(e: Facts, words: Wording) -> str | None:
    if e.probability is None:
        raise OptionError("probability: the model has none; leave it out")
    # never rounded up to certainty
    tenths = min(max(round(Fraction(e.probability) * 1000), 1), 999)
    return words.number(tenths / 10)


def move_of(change: Change, called: Names) -> Move:
    """A change in the words of letters."""
    j = change.feature
    return Move(called.features[j], called.value(j, change.old), called.new(change))


def _limits(e: Facts, called: Names, named: frozenset[int]) -> Iterable[str]:
    """What was held fixed, as sentences."""
    say = called.words.say
    about = [c for c in e.constraints if c.feature is not None and c.stated]
    fixed = [called.features[c.feature] for c in about if c.locks and c.feature in named]
    if fixed:
        yield say("fixed", features=", ".join(fixed))
    for c in about:
        if not c.locks and c.feature in named:
            yield say(c.letter.format(value=c.value), feature=called.features[c.feature])
    if any(c.feature not in named for c in about):
        yield say("fixed_others")
    locked = {c.feature for c in e.constraints if c.locks}
    if any(isinstance(e.values[j], NumberLine) for j in named - locked):
        yield say("ranges")
    if any(c.relation is not None for c in e.constraints):
        yield say("relations")
    for c in e.constraints:
        if c.max_changes is not None:
            yield say("most_changes", count=called.words.number(c.max_changes))
