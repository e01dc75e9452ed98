"""Policies: what letters, reports and audits about a model may say, in one file that people write (YAML or JSON).

Reading is strict: a key that is not known is an error that names its place and the nearest key. All scalars are read as
they are written, so that ``no`` is a word where a word is expected and a flag where a flag is.
"""

# ruff: noqa: RUF009 -- the fields are declared by `_of`, which makes what `dataclasses.field` makes

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from symcf.common.extras import load_extra
from symcf.common.options import checked_confidence, limit_of
from symcf.common.renamed import did_you_mean
from symcf.common.text import number_in, plain_cell
from symcf.data.numbers import NumberLine
from symcf.data.regions import number_text
from symcf.errors import FileError, OptionError
from symcf.letters.page import LANGUAGES, MOST_REASONS, PAPERS, TEMPLATES

__all__ = ["AuditRules", "FeaturePolicy", "Policy", "ReasonCode", "spelled"]

#: The largest policy file, in bytes.
MOST_BYTES = 4_000_000

#: What may change a feature, in a word.
CHANGES = ("any", "increase", "decrease", "never")


def spelled(cell: Any) -> str:
    """A value of a feature, or a class, as policies write it."""
    plain = plain_cell(cell)
    if plain is None:
        return "missing"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    return number_text(plain) if isinstance(plain, (int, float)) else str(plain)


# --- reading ----------------------------------------------------------------------------------------------------------


class PolicyError(OptionError):
    """Something in a policy is wrong; the message begins with the place."""


@dataclass(frozen=True)
class Node:
    """A part of a file: text, a list or a mapping of nodes; and where it is."""

    value: str | list[Node] | dict[str, Node]
    place: str
    line: int | None = None

    def wrong(self, problem: str) -> PolicyError:
        """The error that this part is wrong."""
        line = "" if self.line is None else f" (line {self.line})"
        return PolicyError(f"policy: {self.place or 'the file'}{line}: {problem}")

    @property
    def text(self) -> str:
        """The text of a scalar."""
        if not isinstance(self.value, str):
            raise self.wrong("write one text here, not a list or a mapping")
        return self.value

    @property
    def members(self) -> dict[str, Node]:
        """The parts of a mapping."""
        if not isinstance(self.value, dict):
            raise self.wrong("write a mapping here, lines of KEY: VALUE")
        return self.value


def _from_yaml(text: str) -> Node:
    yaml = load_extra("yaml", "a policy in YAML")
    seen: set[int] = set()

    def converted(node: Any, place: str) -> Node:
        line = node.start_mark.line + 1
        if id(node) in seen:
            raise Node("", place, line).wrong("anchors and aliases are not supported; write the value again")
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            return Node(node.value, place, line)
        if isinstance(node, yaml.SequenceNode):
            return Node([converted(part, f"{place}[{i}]") for i, part in enumerate(node.value)], place, line)
        members: dict[str, Node] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise Node("", place, key.start_mark.line + 1).wrong("keys must be words")
            _put(members, key.value, converted(value, _inside(place, key.value)), key.start_mark.line + 1)
        return Node(members, place, line)

    try:
        found = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise PolicyError(f"policy: not YAML: {' '.join(str(error).split())}") from None
    return Node({}, "") if found is None else converted(found, "")


def _from_json(text: str) -> Node:
    def converted(value: Any, place: str) -> Node:
        if isinstance(value, _Pairs):
            members: dict[str, Node] = {}
            for key, part in value:
                _put(members, key, converted(part, _inside(place, key)), None)
            return Node(members, place)
        if isinstance(value, list):
            return Node([converted(part, f"{place}[{i}]") for i, part in enumerate(value)], place)
        return Node(value if isinstance(value, str) else json.dumps(value), place)

    try:
        found = json.loads(text, object_pairs_hook=_Pairs, parse_int=str, parse_float=str, parse_constant=str)
    except ValueError as error:
        raise PolicyError(f"policy: not JSON: {error}") from None
    return converted(found, "")


class _Pairs(list[Any]):
    """The members of a JSON object, also those with equal keys."""


def _put(members: dict[str, Node], key: str, part: Node, line: int | None) -> None:
    if key in members:
        raise dataclasses.replace(part, line=line).wrong("this key is given twice")
    members[key] = part


def _inside(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


# What each key takes: functions from a node to a value.

Reader = Callable[[Node], Any]


@dataclass(frozen=True)
class Text:
    """A text, or one per language."""

    by_language: Mapping[str, str]
    place: str

    def of(self, language: str) -> str:
        """The text in a language."""
        if "" in self.by_language:
            return self.by_language[""]
        if language not in self.by_language:
            raise PolicyError(f"policy: {self.place}: there is no text in {language!r}, only in "
                              f"{', '.join(map(repr, self.by_language))}")  # fmt: skip
        return self.by_language[language]


def _text(node: Node) -> Text:
    if isinstance(node.value, str):
        return Text({"": node.value}, node.place)
    for key, part in node.members.items():
        if key not in LANGUAGES:
            raise part.wrong(f"{key!r} is not a language of letters: write a text, or one for each of "
                             f"{', '.join(LANGUAGES)}{did_you_mean(key, LANGUAGES)}")  # fmt: skip
    return Text({key: part.text for key, part in node.members.items()}, node.place)


def _plain(node: Node) -> str:
    return node.text


def _flag(node: Node) -> bool:
    words = {"true": True, "yes": True, "false": False, "no": False}
    if node.text.lower() not in words:
        raise node.wrong(f"{node.text!r} is neither true nor false")
    return words[node.text.lower()]


def _count(node: Node, least: int = 0, most: int | None = None) -> int:
    if not node.text.isascii() or not node.text.isdigit() or int(node.text[:9]) < least:
        raise node.wrong(f"{node.text!r} is not a whole number of at least {least}")
    if most is not None and int(node.text[:9]) > most:
        raise node.wrong(f"{node.text} is more than {most}")
    return int(node.text)


def _choice(*words: str) -> Reader:
    def read(node: Node) -> str:
        if node.text not in words:
            raise node.wrong(f"{node.text!r} is not one of {', '.join(words)}{did_you_mean(node.text, words)}")
        return node.text

    return read


def _listed(read: Reader) -> Reader:
    def read_all(node: Node) -> tuple[Any, ...]:
        if not isinstance(node.value, list):
            raise node.wrong("write a list here")
        return tuple(map(read, node.value))

    return read_all


def _by_key(read: Reader) -> Reader:
    return lambda node: {key: read(part) for key, part in node.members.items()}


def _change(node: Node) -> str | tuple[str, ...]:
    if isinstance(node.value, list):
        return tuple(part.text for part in node.value)
    if node.text not in CHANGES:
        raise node.wrong(f"{node.text!r} is not one of {', '.join(CHANGES)}, nor a list of values that it may take"
                         f"{did_you_mean(node.text, CHANGES)}")  # fmt: skip
    return node.text


def _share(node: Node) -> str:
    try:
        limit_of(node.text, "")
    except OptionError:
        raise node.wrong(f"{node.text!r} is neither a number of rows nor a share such as 5%") from None
    return node.text


def _proper_share(node: Node) -> str:
    if not limit_of(_share(node), "").is_share:
        raise node.wrong(f"{node.text!r} is not a share such as 75%")
    return node.text


def _confidence(node: Node) -> str:
    try:
        checked_confidence(node.text)
    except OptionError:
        raise node.wrong(f"{node.text!r} is not a share between 50% and 100%") from None
    return node.text


def _section(kind: type[Any]) -> Reader:
    known = {f.name: f.metadata["read"] for f in dataclasses.fields(kind) if "read" in f.metadata}
    needed = [f.name for f in dataclasses.fields(kind) if f.metadata.get("needed")]

    def read(node: Node) -> Any:
        for key, part in node.members.items():
            if key not in known:
                near = did_you_mean(key, known) or f"; there are {', '.join(known)}"
                raise part.wrong(f"there is no key {key!r}{near}")
        for key in needed:
            if key not in node.members:
                raise node.wrong(f"{key} is missing")
        return kind(**{key: known[key](part) for key, part in node.members.items()})

    return read


def _of(read: Reader, default: Any = None, needed: bool = False) -> Any:
    metadata = {"read": read, "needed": needed}
    return (
        field(default_factory=dict, metadata=metadata) if default is dict else field(default=default, metadata=metadata)
    )


# --- what a policy holds ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReasonCode:
    """A reason as it is stated: its code, and the statement."""

    code: str = _of(_plain, "", needed=True)
    statement: Text | None = _of(_text, needed=True)


@dataclass(frozen=True)
class ReasonCodes:
    """The reason codes of a feature, by what was wrong with its value."""

    low: ReasonCode | None = _of(_section(ReasonCode))
    high: ReasonCode | None = _of(_section(ReasonCode))
    missing: ReasonCode | None = _of(_section(ReasonCode))
    otherwise: ReasonCode | None = _of(_section(ReasonCode))
    values: Mapping[str, ReasonCode] = _of(_by_key(_section(ReasonCode)), dict)

    def of_value(self, cell: Any) -> ReasonCode | None:
        """The one of a value, whichever direction leads elsewhere."""
        return self.missing if plain_cell(cell) is None and self.missing is not None else self.values.get(spelled(cell))

    def of(self, direction: str | None) -> ReasonCode | None:
        """The one of a direction, "low" or "high"; None: there is neither."""
        return {"low": self.low, "high": self.high}.get(direction or "") or self.otherwise


@dataclass(frozen=True)
class FeaturePolicy:
    """What may be said about a feature, and done with it."""

    name: Text | None = _of(_text)
    unit: Text | None = _of(_text)
    values: Mapping[str, Text] | None = _of(_by_key(_text))
    named: bool = _of(_flag, False)
    protected: bool = _of(_flag, False)
    change: str | tuple[str, ...] = _of(_change, "any")
    correctable: bool = _of(_flag, False)
    source: Text | None = _of(_text)
    reasons: ReasonCodes | None = _of(_section(ReasonCodes))


@dataclass(frozen=True)
class System:
    """What decided, and what for."""

    name: Text | None = _of(_text)
    role: str = _of(_choice("decides", "advises"), "decides")
    purpose: Text | None = _of(_text)
    consequences: Text | None = _of(_text)
    authority: Text | None = _of(_text)


@dataclass(frozen=True)
class Agency:
    """A consumer reporting agency."""

    name: str = _of(_plain, "", needed=True)
    address: str = _of(_plain, "", needed=True)
    telephone: str = _of(_plain, "", needed=True)


@dataclass(frozen=True)
class CreditScore:
    """A credit score that was used: columns of the rows that hold it, its range, and who provided it."""

    column: str = _of(_plain, "", needed=True)
    date_column: str = _of(_plain, "", needed=True)
    factors_column: str = _of(_plain, "", needed=True)
    low: str = _of(_plain, "", needed=True)
    high: str = _of(_plain, "", needed=True)
    provider: str = _of(_plain, "", needed=True)


@dataclass(frozen=True)
class ConsumerReport:
    """The block that FCRA section 615(a) is about."""

    agency: Agency | None = _of(_section(Agency), needed=True)
    score: CreditScore | None = _of(_section(CreditScore))


@dataclass(frozen=True)
class Notice:
    """What a notice in the United States names."""

    federal_agency: str = _of(_plain, "", needed=True)
    reviewed_by_counsel: bool = _of(_flag, False)
    consumer_report: ConsumerReport | None = _of(_section(ConsumerReport))


@dataclass(frozen=True)
class Method:
    """How the principal reasons are found."""

    method: str = _of(_choice("reasons", "points"), "reasons")
    reference: str = _of(_choice("average", "maximum"), "average")
    most: int = _of(lambda node: _count(node, 1, MOST_REASONS), MOST_REASONS)


@dataclass(frozen=True)
class FewChanges:
    """At least a share of the rows has a way of so few changes."""

    changes: int = _of(lambda node: _count(node, 1), 0, needed=True)
    share: str = _of(_share, "", needed=True)


@dataclass(frozen=True)
class AuditRules:
    """What an audit must find for its verdict to be "passed"."""

    max_locked_out: str | None = _of(_share)
    max_bias: str | None = _of(_share)
    max_undecided: str | None = _of(_share)
    max_protected_reasons: str | None = _of(_share)
    monotone: Mapping[str, str] | None = _of(_by_key(_choice("increasing", "decreasing")))
    few_changes: FewChanges | None = _of(_section(FewChanges))
    min_held: str | None = _of(_share)
    max_proxy: str | None = _of(_proper_share)
    confidence: str | None = _of(_confidence)
    group: str | None = _of(_plain)


@dataclass(frozen=True)
class Policy:
    """What letters, reports and audits may say; read from a file with `Policy.read`.

    >>> import symcf
    >>> policy = symcf.letters.Policy.from_text("{target: admitted, features: {GPA: {name: grades, named: true}}}")
    >>> policy.features["GPA"].named
    True
    """

    version: str = _of(_choice("1"), "1")
    target: str | None = _of(_plain)
    decisions: Mapping[str, Text] | None = _of(_by_key(_text))
    language: str = _of(_choice(*LANGUAGES), "en")
    template: str = _of(_choice(*TEMPLATES), "general")
    paper: str = _of(_choice(*PAPERS), "a4")
    title: Text | None = _of(_text)
    sender: Text | None = _of(_text)
    contact: Text | None = _of(_text)
    review: Text | None = _of(_text)
    correction: Text | None = _of(_text)
    closing: Text | None = _of(_text)
    person_column: str | None = _of(_plain)
    system: System = _of(_section(System), System())
    reasons: Method = _of(_section(Method), Method())
    ways: int = _of(lambda node: _count(node, 1), 3)
    max_changes: int | None = _of(lambda node: _count(node, 1))
    probability: bool = _of(_flag, False)
    wording: Mapping[str, str] | None = _of(_by_key(_plain))
    features: Mapping[str, FeaturePolicy] = _of(_by_key(_section(FeaturePolicy)), dict)
    us: Notice | None = _of(_section(Notice))
    audit: AuditRules = _of(_section(AuditRules), AuditRules())
    #: SHA-256 of the text that was read.
    fingerprint: str = ""

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Policy:
        """The policy in a file: JSON if its name ends so, otherwise YAML (needs the extra ``letters``)."""
        file = Path(path)
        with open(file, "rb") as opened:
            content = opened.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise FileError(f"{fspath(path)}: a policy has at most {MOST_BYTES:,} bytes")
        try:
            return cls.from_text(content.decode("utf-8-sig"), json=file.suffix.lower() == ".json")
        except UnicodeDecodeError as error:
            raise FileError(f"{fspath(path)}: not UTF-8: {error}") from None
        except PolicyError as error:
            raise FileError(f"{fspath(path)}: {str(error).removeprefix('policy: ')}") from None

    @classmethod
    def from_text(cls, text: str, *, json: bool = False) -> Policy:
        """The policy that a text holds."""
        try:
            node = (_from_json if json else _from_yaml)(text)
            found: Policy = _section(cls)(node)
        except RecursionError:
            raise PolicyError("policy: it is nested too deeply") from None
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        return dataclasses.replace(found, fingerprint=f"sha256:{digest}")

    def feature(self, name: str) -> FeaturePolicy:
        """What is said about a feature; the defaults where nothing is."""
        return self.features.get(name, FeaturePolicy())

    @property
    def columns(self) -> list[str]:
        """The columns of the rows that letters need beside the features."""
        report = None if self.us is None else self.us.consumer_report
        score = None if report is None else report.score
        of_score = [] if score is None else [score.column, score.date_column, score.factors_column]
        return [name for name in [self.person_column, *of_score] if name is not None]

    @property
    def has_codes(self) -> bool:
        """Are reasons stated by codes?"""
        return any(one.reasons is not None for one in self.features.values())

    def those(self, features: Sequence[str], what: Callable[[FeaturePolicy], bool]) -> list[int]:
        """The features, by index, of which something is said."""
        return [j for j, name in enumerate(features) if what(self.feature(name))]

    def checked(self, features: Sequence[str], values: Sequence[Any], classes: Sequence[Hashable]) -> None:
        """`OptionError` where the policy names what the classifier does not have."""
        place = "features"
        for name, one in self.features.items():
            if name not in features:
                raise _unknown(f"{place}.{name}", "the classifier has no feature", name, features)
            labels = values[list(features).index(name)]
            if not isinstance(labels, NumberLine):
                known = [*map(spelled, labels), "missing"]
                ranges = any(isinstance(label, str) and label[:1] in "<>" for label in labels)
                given = [*(one.values or {}), *((one.reasons and one.reasons.values) or {})]
                for value in () if ranges else given:
                    if value not in known:
                        raise _unknown(f"{place}.{name}.values", f"{name} has no value", value, known)
        for name in self.audit.monotone or ():
            if name not in features:
                raise _unknown(f"audit.monotone.{name}", "the classifier has no feature", name, features)
        for label in [*(self.decisions or {}), *([] if self.target is None else [self.target])]:
            if label not in map(spelled, classes):
                raise _unknown("decisions, target", "there is no class", label, list(map(spelled, classes)))

    @property
    def languages(self) -> list[str]:
        """The languages that texts are given in; none if every text is for all languages."""
        found = {language for text in _texts_in(self) for language in text.by_language}
        return [language for language in LANGUAGES if language in found]

    def untranslated(
        self, features: Sequence[str], values: Sequence[Any], classes: Sequence[Hashable], language: str
    ) -> list[str]:
        """What letters in a language would call as the table does: names, values and decisions without a text.

        Empty if the policy gives all its texts once and ``language`` is its own: then so are the words of the table.

        >>> policy = Policy.from_text("{target: yes, features: {job: {named: true, name: {de: Beruf}}}}")
        >>> policy.untranslated(["job"], [("baker", "smith")], ["no", "yes"], "de")
        ["decisions: 'no', 'yes'", "features.job.values: 'baker', 'smith'"]
        """
        if not self.languages and language == self.language:
            return []
        missing = {"decisions": [spelled(label) for label in classes if spelled(label) not in (self.decisions or {})]}
        for name, labels in zip(features, values, strict=True):
            one = self.feature(name)
            if not one.named:
                continue
            if one.name is None:
                missing[f"features.{name}.name"] = [name]
            plain = isinstance(labels, NumberLine) or list(labels) == ["any"]  # one range of numbers
            words = [] if plain else [label for label in labels if isinstance(label, str)]
            if not any(word[:1] in ("<", ">") for word in words):  # ranges of numbers are said in words
                missing[f"features.{name}.values"] = [word for word in words if word not in (one.values or {})]
        return [f"{place}: {', '.join(map(repr, words))}" for place, words in missing.items() if words]

    def question(self, features: Sequence[str], values: Sequence[Any], classes: Sequence[Hashable]) -> dict[str, Any]:
        """The keywords of `Compiled.explain` for what people can act on."""
        self.checked(features, values, classes)
        asked: dict[str, Any] = {"max_changes": self.max_changes} if self.max_changes is not None else {}
        if self.target is not None:
            asked["target"] = next(label for label in classes if spelled(label) == self.target)
        asked["immutable"] = self.those(features, lambda one: one.protected or one.change == "never")
        allowed: dict[int, Any] = {}
        for j, name in enumerate(features):
            change = self.feature(name).change
            if j not in asked["immutable"] and change != "any":
                allowed[j] = change if isinstance(change, str) else _allowed(name, change, values[j])
        return {**asked, "allowed": allowed} if allowed else asked


def _allowed(name: str, texts: Iterable[str], labels: Any) -> list[Any]:
    """The labels or numbers that a list names."""
    if isinstance(labels, NumberLine):
        try:
            return [number_in(text) for text in texts]
        except ValueError:
            raise PolicyError(f"policy: features.{name}.change: write two numbers, the least and the most") from None
    known = {spelled(label): label for label in labels}
    for text in texts:
        if text not in known:
            raise _unknown(f"features.{name}.change", f"{name} has no value", text, list(known))
    return [known[text] for text in texts]


def _texts_in(part: Any) -> Iterator[Text]:
    """The texts of a policy that are given by language."""
    if isinstance(part, Text):
        if "" not in part.by_language:
            yield part
    elif dataclasses.is_dataclass(part):
        for one in dataclasses.fields(part):
            yield from _texts_in(getattr(part, one.name))
    elif isinstance(part, Mapping):
        for inner in part.values():
            yield from _texts_in(inner)


def _unknown(place: str, what: str, name: str, names: Sequence[str]) -> PolicyError:
    listed = f"; there are {', '.join(map(str, names[:12]))}{', ...' * (len(names) > 12)}"
    return PolicyError(f"policy: {place}: {what} {name!r}{did_you_mean(name, names) or listed}")
