"""Names, values and numbers as parts of a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from symcf.common.text import one_line
from symcf.data.regions import Region, number_text

__all__ = [
    "BOUND",
    "RANGE",
    "fact_text",
    "joined",
    "quoted",
    "range_words",
    "region_words",
    "spoken",
    "value_phrase",
    "value_text",
]

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\+?"
RANGE = re.compile(rf"({NUMBER}) \.\. ({NUMBER})", re.IGNORECASE)
BOUND = re.compile(rf"(<=|<|>=|>) ?({NUMBER})", re.IGNORECASE)
#: The same where no sentence is around it, with the unit in between.
RANGE_WORDS = {"<=": "{} or less", "<": "below {}", ">": "above {}", ">=": "{} or more"}
BOUND_WORDS = {"<=": "at most", "<": "below", ">": "above", ">=": "at least"}

#: Names that would be taken for a part of the sentence.
MISREAD = re.compile(r"[,;:.!?\"()]|\band\b|\bor\b|\bbeen\b|\bhad\b", re.IGNORECASE)


def range_words(label: object, unit: str = "") -> str | None:
    """The name of a range of numbers as people read it; None for other names.

    >>> range_words(">= 36", "months"), range_words("21 .. 39"), range_words("skilled")
    ('36 months or more', '21 to 39', None)
    """
    if not isinstance(label, str):
        return None
    if between := RANGE.fullmatch(label):
        return f"{between[1]} to {_with_unit(between[2], unit)}"
    if bound := BOUND.fullmatch(label):
        return RANGE_WORDS[bound[1]].format(_with_unit(bound[2], unit))
    return None


def region_words(region: Region, unit: str = "") -> str:
    """A range of numbers as people read it: "36 months or more", "25 to below 40"."""
    (low, from_low), (high, to_high) = region.lower, region.upper
    if math.isinf(low) and math.isinf(high):
        return "any number"
    if low == high:
        return _with_unit(number_text(low), unit)
    if math.isinf(low) or math.isinf(high):
        words = RANGE_WORDS[("<=" if to_high else "<") if math.isinf(low) else (">=" if from_low else ">")]
        return words.format(_with_unit(number_text(high if math.isinf(low) else low), unit))
    low_text, high_text = number_text(low), _with_unit(number_text(high), unit)
    return f"{'' if from_low else 'above '}{low_text} to {'' if to_high else 'below '}{high_text}"


def _with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}" if unit else text


def fact_text(name: object, value: Any, unit: str = "") -> str:
    """A feature and its value: "months 36 or more", "job = skilled"."""
    if words := range_words(value, unit):
        return f"{one_line(name)} {words}"
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.bool_))
    return f"{one_line(name)} = {_with_unit(value_text(value), unit if number and value == value else '')}"


def value_text(value: Any) -> str:
    """A value as people read it: numbers in full, booleans as yes and no, ranges in words."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, np.floating):
        value = float(str(value))
    if isinstance(value, float):
        return "(missing)" if math.isnan(value) else number_text(value) if math.isfinite(value) else str(value)
    return "(missing)" if value is None else range_words(value) or one_line(value)


def quoted(label: object) -> str:
    """A name within a sentence, in quotes where it would be misread."""
    text = one_line(label)
    number = re.fullmatch(NUMBER, text, re.IGNORECASE)
    if not number and (not text.strip() or text != text.strip() or MISREAD.search(text)):
        return '"' + text.replace('"', "'") + '"'
    return text


def value_phrase(label: Hashable) -> str:
    """A value as one says it: "between 25 and 35" for "25 .. 35", "at most 3" for "<= 3"."""
    if isinstance(label, str):
        if between := RANGE.fullmatch(label):
            return f"between {between[1]} and {between[2]}"
        if bound := BOUND.fullmatch(label):
            return f"{BOUND_WORDS[bound[1]]} {bound[2]}"
    return quoted(value_text(label) if isinstance(label, (bool, np.bool_)) else label)


def spoken(number: Any) -> str:
    """A number with commas between thousands, as in 2,480."""
    if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, float, np.integer, np.floating)):
        return value_text(number)
    text = value_text(number)
    return f"{int(text):,}" if text.lstrip("-").isdigit() else text


def joined(parts: Sequence[str]) -> str:
    """a; a and b; a, b and c. With semicolons where a part has commas of its own."""
    if len(parts) < 2:
        return "".join(parts)
    comma = "; " if any("," in part for part in parts) else ", "
    return comma.join(parts[:-1]) + " and " + parts[-1]
