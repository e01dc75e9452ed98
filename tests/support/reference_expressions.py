"""Constraints over sums, old values and changes, evaluated on raw rows: a parser of its own, which imports nothing.

    holds = reading("old.job = a -> 2 * x <= y + 1", names, number, label)
    holds(old, new)

``number(j, value)`` is the number of a value of feature j as a fraction, None where it has none; ``label(j, value)`` is
its text. A comparison of numbers of which one is missing says nothing, nor does its negation; one that divides by 0
never holds, nor does its negation. Sums are equal if they differ by less than a millionth of a millionth of the row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

TOKENS = re.compile(r"\s*(->|<=|>=|==|!=|[-+*/(){},:<>=]|'[^']*'|`[^`]*`|[\w.]+)")
COMPARE = {
    "<": lambda d, e: d < 0, "<=": lambda d, e: d <= 0, ">": lambda d, e: d > 0, ">=": lambda d, e: d >= 0,
    "=": lambda d, e: abs(d) <= e, "==": lambda d, e: abs(d) <= e, "!=": lambda d, e: abs(d) > e,
}  # fmt: skip

Tree = tuple[Any, ...]


def reading(
    text: str, names: Sequence[str], number: Callable[[int, Any], Any], label: Callable[[int, Any], str]
) -> Callable[[Sequence[Any], Sequence[Any]], bool]:
    """(old row, new row) -> does the new row obey?"""
    tree, rest = _implied(TOKENS.findall(text), set(names))
    assert not rest, rest

    def value_of(leaf: str, old: Sequence[Any], new: Sequence[Any]) -> Any:
        """A number; None where it is missing. Text for a label."""
        if leaf in names:
            j = names.index(leaf)
            return number(j, new[j])
        for prefix in ("old.", "change."):
            if leaf.startswith(prefix):
                j = names.index(leaf.removeprefix(prefix))
                before, after = number(j, old[j]), number(j, new[j])
                if None in (before, after):
                    return None if prefix == "change." or before is None else before
                return before if prefix == "old." else after - before
        return Fraction(leaf)

    def sum_of(part: Tree, old: Sequence[Any], new: Sequence[Any]) -> Any:
        if part[0] == "leaf":
            return value_of(part[1], old, new)
        left, right = (sum_of(side, old, new) for side in part[1:])
        if left is None or right is None:
            return None
        if part[0] == "/":
            return left / right  # ZeroDivisionError
        return left + right if part[0] == "+" else left - right if part[0] == "-" else left * right

    def size(part: Tree, old: Sequence[Any]) -> Fraction:
        """What the row's own numbers add up to, and more."""
        if part[0] == "leaf":
            name = part[1] if part[1] in names else part[1].removeprefix("old.").removeprefix("change.")
            return abs(number(names.index(name), old[names.index(name)]) or 0) if name in names else abs(Fraction(name))
        return (size(part[1], old) + 1) * (size(part[2], old) + 1)

    def atom(part: Tree, old: Sequence[Any], new: Sequence[Any], wanted: bool) -> bool:
        if part[0] == "count":
            changed = sum(old[names.index(name)] != new[names.index(name)] for name in part[2])
            return (changed <= part[1]) == wanted
        if part[0] == "step":
            j = names.index(part[2])
            before, after = number(j, old[j]), number(j, new[j])
            return None in (before, after) or (((after - before) / part[1]).denominator == 1) == wanted
        if part[0] == "label":
            _, name, sign, words = part
            row, bare = (old, name.removeprefix("old.")) if name not in names else (new, name)
            j = names.index(bare)
            return ((label(j, row[j]) in words) == (sign != "!=")) == wanted
        _, left, sign, right = part
        try:
            one, two = sum_of(left, old, new), sum_of(right, old, new)
        except ZeroDivisionError:
            return False
        if one is None or two is None:
            return True
        near = (size(left, old) + size(right, old) + 1) / 10**12
        return COMPARE[sign](one - two, near) == wanted

    def truth(part: Tree, old: Sequence[Any], new: Sequence[Any], wanted: bool = True) -> bool:
        if part[0] == "not":
            return truth(part[1], old, new, not wanted)
        if part[0] == "->":
            sides = truth(part[1], old, new, not wanted), truth(part[2], old, new, wanted)
            return any(sides) if wanted else all(sides)
        if part[0] in ("and", "or"):
            sides = [truth(side, old, new, wanted) for side in part[1:]]
            return all(sides) if (part[0] == "and") == wanted else any(sides)
        return atom(part, old, new, wanted)

    return lambda old, new: truth(tree, old, new)


# --- a parser: functions of a list of tokens give a tree and the rest ---


def _implied(tokens: list[str], names: set[str]) -> tuple[Tree, list[str]]:
    left, rest = _either(tokens, names)
    if rest[:1] != ["->"]:
        return left, rest
    right, rest = _implied(rest[1:], names)
    return ("->", left, right), rest


def _either(tokens: list[str], names: set[str]) -> tuple[Tree, list[str]]:
    left, rest = _both(tokens, names)
    while rest[:1] == ["or"]:
        right, rest = _both(rest[1:], names)
        left = ("or", left, right)
    return left, rest


def _both(tokens: list[str], names: set[str]) -> tuple[Tree, list[str]]:
    left, rest = _unit(tokens, names)
    while rest[:1] == ["and"]:
        right, rest = _unit(rest[1:], names)
        left = ("and", left, right)
    return left, rest


def _unit(tokens: list[str], names: set[str]) -> tuple[Tree, list[str]]:
    if tokens[0] == "not":
        part, rest = _unit(tokens[1:], names)
        return ("not", part), rest
    if tokens[:2] == ["at_most", "("]:
        end = tokens.index(")")
        return ("count", int(tokens[2]), [_bare(t) for t in tokens[4:end:2]]), tokens[end + 1 :]
    if tokens[:2] == ["step", "("]:
        return ("step", Fraction(tokens[2]), _bare(tokens[4])), tokens[6:]
    if tokens[0] == "(":
        try:
            part, rest = _implied(tokens[1:], names)
            if rest[0] == ")" and (len(rest) == 1 or rest[1] in ("and", "or", "->", ")")):
                return part, rest[1:]
        except (IndexError, KeyError):
            pass  # a sum in brackets
    if len(tokens) > 1 and tokens[1] == ":":
        name, (before, rest) = _bare(tokens[0]), _words(tokens[2:])
        after, rest = _words(rest[1:])
        return ("->", ("label", f"old.{name}", "=", before), ("not", ("label", name, "=", after))), rest
    left, rest = _sum(tokens)
    sign = rest[0]
    if sign not in COMPARE:
        raise KeyError(sign)
    if rest[1].startswith("'"):
        return ("label", left[1], sign, [_bare(rest[1])]), rest[2:]
    right, rest = _sum(rest[1:])
    return ("sums", left, sign, right), rest


def _words(tokens: list[str]) -> tuple[list[str], list[str]]:
    if tokens[0] != "{":
        return [_bare(tokens[0])], tokens[1:]
    end = tokens.index("}")
    return [_bare(token) for token in tokens[1:end:2]], tokens[end + 1 :]


def _sum(tokens: list[str]) -> tuple[Tree, list[str]]:
    left, rest = _product(tokens)
    while rest[:1] in (["+"], ["-"]):
        sign = rest[0]
        right, rest = _product(rest[1:])
        left = (sign, left, right)
    return left, rest


def _product(tokens: list[str]) -> tuple[Tree, list[str]]:
    left, rest = _factor(tokens)
    while rest[:1] in (["*"], ["/"]):
        sign = rest[0]
        right, rest = _factor(rest[1:])
        left = (sign, left, right)
    return left, rest


def _factor(tokens: list[str]) -> tuple[Tree, list[str]]:
    if tokens[0] == "-":
        part, rest = _factor(tokens[1:])
        return ("-", ("leaf", "0"), part), rest
    if tokens[0] == "(":
        part, rest = _sum(tokens[1:])
        return part, rest[1:]
    return ("leaf", _bare(tokens[0])), tokens[1:]


def _bare(token: str) -> str:
    return token[1:-1] if token[0] in "'`" else token
