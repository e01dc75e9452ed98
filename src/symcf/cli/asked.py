"""What is asked on the command line -> keywords of the library. Errors name the option, the feature and the value."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import symcf
from symcf.cli.cells import label_code, spellings
from symcf.cli.exits import InputError
from symcf.common.renamed import did_you_mean
from symcf.data.numbers import NumberLine

__all__ = [
    "allowed_of",
    "class_of",
    "cost_of",
    "features_of",
    "immutable_of",
    "number_of",
    "numbers_of",
    "scale_of",
    "words_of",
]

#: Ways to measure how far numbers move.
SCALES = ("mad", "std", "range")


def class_of(compiled: symcf.Compiled, text: str, option: str) -> Hashable:
    """The label of a class that is named on the command line."""
    return compiled.classes[label_code(text, compiled.classes, option)]


def number_of(at_least: float | None, at_most: float | None, between: str | None) -> Any:
    """The number that is wanted; None if none is."""
    given = {"--at-least": at_least, "--at-most": at_most, "--between": between}
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise InputError(f"{' and '.join(names)} exclude each other; for both ends write --between A..B")
    if at_least is not None:
        return symcf.at_least(at_least)
    if at_most is not None:
        return symcf.at_most(at_most)
    if between is None:
        return None
    low, dots, high = between.partition("..")
    if not dots:
        raise InputError(f"--between {between!r}: write two numbers with dots between them, such as 620..680")
    return symcf.between(_number(low, "--between"), _number(high, "--between"))


def immutable_of(compiled: symcf.Compiled, texts: Sequence[str]) -> list[int]:
    """The features of ``--immutable``."""
    return features_of(compiled, texts, "--immutable")


def features_of(compiled: symcf.Compiled, texts: Sequence[str] | None, option: str) -> list[int]:
    """Features; each text is one of them, or several with commas between them."""
    return [j for text in texts or () for j in _features(compiled, text, option)]


def words_of(compiled: symcf.Compiled, texts: Sequence[str] | None, option: str) -> dict[int, str]:
    """By feature, the word that an option says."""
    return dict(_assigned(compiled, text, option) for text in _once(compiled, texts or (), option))


def allowed_of(compiled: symcf.Compiled, texts: Sequence[str]) -> dict[int, Any]:
    """By feature, what ``--allowed`` says."""
    return dict(_allowed(compiled, text) for text in _once(compiled, texts, "--allowed"))


def cost_of(compiled: symcf.Compiled, texts: Sequence[str]) -> Any:
    """By feature, what ``--cost`` says; one word for all."""
    if list(texts) in (["distance"], ["ordinal"]):
        return texts[0]
    return dict(_cost(compiled, text) for text in _once(compiled, texts, "--cost"))


def scale_of(compiled: symcf.Compiled, texts: Sequence[str]) -> Any:
    """What ``--scale`` says: a word for all features, or by feature a word or a number."""
    if len(texts) == 1 and texts[0] in SCALES:
        return texts[0]
    scales: dict[int, Any] = {}
    for text in _once(compiled, texts, "--scale"):
        j, what = _assigned(compiled, text, "--scale")
        scales[j] = what if what in SCALES else _number(what, f"--scale {compiled.features[j]}", ", ".join(SCALES))
    return _by_name(compiled, scales)


def numbers_of(compiled: symcf.Compiled, texts: Sequence[str], option: str) -> Mapping[str, float]:
    """By feature, the number that an option such as ``--resolution`` gives."""
    given = (_assigned(compiled, text, option) for text in _once(compiled, texts, option))
    return _by_name(compiled, {j: _number(what, f"{option} {compiled.features[j]}") for j, what in given})


def _by_name(compiled: symcf.Compiled, given: Mapping[int, Any]) -> dict[str, Any]:
    return {compiled.features[j]: what for j, what in given.items()}


def _number(text: str, option: str, words: str = "") -> float:
    try:
        number = json.loads(text)
    except ValueError:
        number = None
    if isinstance(number, (int, float)) and not isinstance(number, bool):
        return number
    raise InputError(f"{option}: {text!r} is not a number{f' and none of {words}' if words else ''}")


def _features(compiled: symcf.Compiled, text: str, option: str) -> list[int]:
    """A feature, or several with commas between them."""
    if text in compiled.features:
        return [compiled.features.index(text)]
    names = [name if name in compiled.features else name.strip() for name in text.split(",")]
    for name in names:
        if name not in compiled.features:
            raise _no_feature(compiled, name, option)
    return [compiled.features.index(name) for name in names]


def _assigned(compiled: symcf.Compiled, text: str, option: str) -> tuple[int, str]:
    """FEATURE=WHAT; names may contain "=", so the longest that fits is meant."""
    fitting = [name for name in compiled.features if text.startswith(f"{name}=")]
    if fitting:
        name = max(fitting, key=len)
        return compiled.features.index(name), text[len(name) + 1 :]
    name, sign, _ = text.partition("=")
    if not sign:
        raise InputError(f"{option} {text!r}: write FEATURE=WHAT")
    raise _no_feature(compiled, name, option)


def _no_feature(compiled: symcf.Compiled, name: str, option: str) -> InputError:
    return InputError(f"{option}: the classifier has no feature {name!r}{did_you_mean(name, compiled.features)}")


def _once(compiled: symcf.Compiled, texts: Sequence[str], option: str) -> Sequence[str]:
    """The texts by feature; an error if a feature is given twice."""
    seen = set()
    for text in texts:
        j, _ = _assigned(compiled, text, option)
        if j in seen:
            raise InputError(f"{option}: the feature {compiled.features[j]!r} is given twice")
        seen.add(j)
    return texts


def _allowed(compiled: symcf.Compiled, text: str) -> tuple[int, str | list[Hashable]]:
    j, what = _assigned(compiled, text, "--allowed")
    name, labels = compiled.features[j], compiled.values[j]
    if what in ("increase", "decrease") and what not in labels:
        return j, what
    if isinstance(labels, NumberLine):
        ends = what.split("..")
        try:
            return j, [float(end) for end in ends]
        except ValueError:
            raise InputError(f"--allowed {name}: write increase, decrease or a range such as 15..16.5") from None
    # "a|b" may be the name of one value
    texts = [what] if what in spellings(labels, name) else what.split("|")
    codes = [label_code(value, labels, f"--allowed {name}", also=("increase", "decrease")) for value in texts]
    # the library takes an integer for a label if such a label exists
    return j, [labels[code] for code in codes]


def _cost(compiled: symcf.Compiled, text: str) -> tuple[int, Any]:
    j, what = _assigned(compiled, text, "--cost")
    name, labels = compiled.features[j], compiled.values[j]
    if what in ("ordinal", "distance"):
        return j, what
    try:
        given = json.loads(what)
    except (ValueError, RecursionError):
        given = None
    if isinstance(given, dict):
        return j, {labels[label_code(value, labels, f"--cost {name}")]: each for value, each in given.items()}
    if isinstance(given, (int, float, list)) and not isinstance(given, bool):
        return j, given
    raise InputError(f"--cost {name}: {what!r} is not a number, not ordinal, not distance and not JSON")
