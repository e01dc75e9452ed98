"""Explanations as letters: only what the owner of the model allows is handed to the page."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from typing import Any

from symcf.answers.attribution import Attribution
from symcf.answers.facts import Change, Facts
from symcf.answers.sentences import fixed_features
from symcf.common.options import checked_choice, checked_count
from symcf.common.text import one_line, plain_cell
from symcf.data.labels import by_feature, feature_index, feature_indices
from symcf.data.regions import Region
from symcf.errors import OptionError
from symcf.letters.page import MOST_REASONS, PAPERS, Letter, LetterFacts, Move, Wording, wording_of
from symcf.proof.certificates.certificate import Certificate

__all__ = ["letter_of"]


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
        if cell in self.values.get(j, {}):
            return self.values[j][cell]
        if cell is None:
            return self.words.say("missing")
        if isinstance(cell, bool):
            return self.words.say("yes" if cell else "no")
        if isinstance(cell, (int, float)):
            return self._with_unit(j, self.words.number(cell))
        return one_line(cell)

    def new(self, change: Change) -> str:
        """What a feature has to become."""
        j, said = change.feature, change.said
        if not isinstance(said, Region):
            return self.words.say("one_of", value=self.value(j, change.new))
        low, high = (None if math.isinf(end) else self.words.number(end) for end in (said.first, said.last))
        if low is None and high is None:
            return self.words.say("any_number")
        if low is None or high is None:
            key, end = ("at_most", high) if low is None else ("at_least", low)
            return self.words.say(key, value=self._with_unit(j, str(end)))
        if low == high:
            return self.words.say("one_of", value=self._with_unit(j, low))
        return self.words.say("between", low=low, high=self._with_unit(j, high))

    def _with_unit(self, j: int, number: str) -> str:
        return f"{number} {self.units[j]}" if j in self.units else number


def letter_of(
    e: Facts,
    counts: Sequence[int],
    allow: Any,
    *,
    reasons: Attribution | Iterable[Any] | None,
    protected: Any,
    ways: int,
    certificate: Certificate | None,
    probability: bool,
    language: str,
    wording: Mapping[str, str] | str | PathLike[str] | None,
    names: Mapping[Any, str] | None,
    units: Mapping[Any, str] | None,
    values: Mapping[Any, Mapping[Hashable, str]] | None,
    decisions: Mapping[Hashable, str] | None,
    person: str,
    sender: str,
    date: str,
    paper: str,
) -> Letter:
    """See `Explanation.letter`; ``counts`` says by feature in how many reasons it is."""
    _check_kinds(names=names, units=units, values=values, decisions=decisions)
    words = wording_of(language, wording)
    named = allowed_features(allow, e.features)
    shown = dict(enumerate(map(one_line, e.features))) | _texts(names, e, "names")
    called = Names(
        words,
        [shown[j] for j in range(len(shown))],
        _texts(units, e, "units"),
        _decisions(decisions, e),
        by_feature(values or {}, e.features, "values"),
    )
    order = _principal(e, counts, reasons, protected)
    few = [j for j in order if j in named]
    chosen = [s for s in e.sets if named.issuperset(s)][: checked_count(ways, "ways", least=1)]
    if certificate is not None:
        _check_certificate(certificate, e)
    facts = LetterFacts(
        decision=called.decision(e.classes[e.prediction]),
        wanted=None if e.target is None else called.decision(e.classes[e.target]),
        percent=_percent(e, words) if probability else None,
        reasons=tuple((called.features[j], called.value(j, e.cells[j])) for j in few),
        reasons_hidden=any(j not in named for j in order),
        reasons_given=reasons is not None and not isinstance(reasons, Attribution),
        ways=tuple(tuple(_move(change, called) for change in e.of_set(s)[0].changes) for s in chosen),
        ways_hidden=any(not named.issuperset(s) for s in e.sets),
        ways_count=e.count if _are_all(e) else None,
        ways_stopped=None if e.complete else words.number(e.count),
        ways_tried=any(c.tries for c in e.constraints),
        limits=tuple(_limits(e, called, named)),
        number=None if certificate is None else certificate.number,
        person="" if person is None else str(person),
        sender="" if sender is None else str(sender),
        date="" if date is None else str(date),
    )
    return Letter(facts, words, checked_choice(paper, "paper", tuple(PAPERS)))


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


def _texts(given: Mapping[Any, str] | None, e: Facts, option: str) -> dict[int, str]:
    return {j: str(text) for j, text in by_feature(given or {}, e.features, option).items()}


def _decisions(given: Mapping[Hashable, str] | None, e: Facts) -> dict[Hashable, str]:
    for label in given or {}:
        if label not in e.classes:
            raise OptionError(f"decisions: {label!r} is not a class: there are {', '.join(map(repr, e.classes))}")
    return {label: str(text) for label, text in (given or {}).items()}


def _are_all(e: Facts) -> bool:
    """Are there no other ways, with other values neither?"""
    tried = any(c.tries for c in e.constraints)
    return e.complete and not tried and e.diversity is None and (e.k is None or e.count < e.k)


def _principal(
    e: Facts, counts: Sequence[int], reasons: Attribution | Iterable[Any] | None, protected: Any
) -> list[int]:
    """At most four features, the one that weighed most first; those that did not weigh are left out.

    They are chosen among all features. `OptionError` if a protected one is among them, or weighs as much as one.
    """
    order, weights = _by_weight(e, counts, reasons)
    principal = order[:MOST_REASONS]
    tied = [j for j in order[MOST_REASONS:] if weights[j] == weights[principal[-1]]]
    if protected is None:
        guarded = set(fixed_features(e.constraints))
    else:
        guarded = set(feature_indices(protected, e.features, "protected"))
    if found := [e.features[j] for j in [*principal, *tied] if j in guarded]:
        names = " and ".join(map(repr, found))
        raise OptionError(
            f"protected: {names} {'is' if len(found) == 1 else 'are'} among the principal reasons for this decision, "
            f"so no letter is written: it could not give the reasons without naming what must not decide. Have the "
            f"decision reviewed. By default all immutable features are protected; give protected to list others instead"
        )
    return principal


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
    order = sorted(range(len(weights)), key=lambda j: (-weights[j], j))
    return [j for j in order if weights[j] > 0], dict(enumerate(weights))


def _check_certificate(certificate: Certificate, e: Facts) -> None:
    if not isinstance(certificate, Certificate):
        raise OptionError(f"certificate must be what e.certificate() gives, not {certificate!r}")
    stated = certificate.data["row"], certificate.data["decision"], certificate.data["answer"]["sets"]
    if stated != (e.instance.tolist(), e.prediction, [list(map(int, s)) for s in e.sets]):
        raise OptionError(f"certificate: {certificate.number} states another answer; use that of this explanation")


def _percent(e: Facts, words: Wording) -> str | None:
    if e.probability is None:
        raise OptionError("probability: the model has none; leave it out")
    # never rounded up to certainty
    tenths = min(max(round(Fraction(e.probability) * 1000), 1), 999)
    return words.number(tenths / 10)


def _move(change: Change, called: Names) -> Move:
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
    if any(c.relation is not None for c in e.constraints):
        yield say("relations")
    for c in e.constraints:
        if c.max_changes is not None:
            yield say("most_changes", count=called.words.number(c.max_changes))
