"""Names, values and numbers as parts of a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from symcf.common.text import one_line
from symcf.data.regions import number_text

__all__ = ["BOUND", "RANGE", "joined", "quoted", "spoken", "value_phrase", "value_text"]

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\+?"
RANGE = re.compile(rf"({NUMBER}) \.\. ({NUMBER})", re.IGNORECASE)
BOUND = re.compile(rf"(<=|<|>=|>) ?({NUMBER})", re.IGNORECASE)
BOUND_WORDS = {"<=": "at most", "<": "below", ">": "above", ">=": "at least"}

#: Names that would be taken for a part of the sentence.
MISREAD = re.compile(r"[,;:.!?\"()]|\band\b|\bor\b|\bbeen\b|\bhad\b", re.IGNORECASE)


def value_text(value: Any) -> str:
    """A value as people read it: numbers in full, booleans as yes and no."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, np.floating):
        value = float(str(value))
    if isinstance(value, float):
        return "(missing)" if math.isnan(value) else number_text(value) if math.isfinite(value) else str(value)
    return "(missing)" if value is None else one_line(value)


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
