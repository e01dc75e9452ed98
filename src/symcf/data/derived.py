"""Derived columns: what a table computes from its other columns, such as ``dti = debt / income``.

A derived column moves with its sources. It is no feature: nobody changes it by itself. Rows that are given back have it
computed anew, as ``pandas`` and ``numpy`` would.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.common.renamed import did_you_mean
from symcf.errors import OptionError

__all__ = ["Derived", "Linear", "checked_derived"]

#: Longer expressions are not read, nor larger powers: both could take long.
MOST_SIGNS, MOST_POWER = 1000, 16

#: What an expression may compute.
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "abs": np.abs,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
}


@dataclass(frozen=True)
class Linear:
    """A sum of columns, each times a number, and a number."""

    coefficients: Mapping[str, Fraction]
    constant: Fraction

    def plus(self, other: Linear, sign: int = 1) -> Linear:
        """The sum, or the difference."""
        names = dict.fromkeys([*self.coefficients, *other.coefficients])
        both = {n: self.coefficients.get(n, Fraction(0)) + sign * other.coefficients.get(n, Fraction(0)) for n in names}
        return Linear(both, self.constant + sign * other.constant)

    def times(self, number: Fraction) -> Linear:
        """A multiple."""
        return Linear({name: number * c for name, c in self.coefficients.items()}, number * self.constant)


@dataclass(frozen=True)
class Derived:
    """A column that is computed from others."""

    name: str
    #: Arithmetic over names of columns; names that are no words stand between backticks.
    text: str

    @cached_property
    def _parsed(self) -> tuple[ast.expr, Mapping[str, str]]:
        """The expression, and by word in it, the name of the column."""
        names: dict[str, str] = {}

        def word(found: re.Match[str]) -> str:
            return next((w for w, name in names.items() if name == found[1]), None) or _added(names, found[1])

        if len(self.text) > MOST_SIGNS:
            raise OptionError(f"derived[{self.name!r}]: the expression has more than {MOST_SIGNS:,} characters")
        try:
            tree = ast.parse(re.sub(r"`([^`]*)`", word, self.text).strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise self._fault(f"it is no arithmetic expression ({error.args[0] if error.args else error})") from None
        self._check(tree)
        return tree, names

    def _fault(self, problem: str) -> OptionError:
        return OptionError(f"derived[{self.name!r}]: {self.text!r}: {problem}")

    def _check(self, node: ast.expr) -> None:
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            if isinstance(node.op, ast.Pow) and not _is_power(node.right):
                raise self._fault(f"after ** an expression has a number from -{MOST_POWER} to {MOST_POWER}")
            self._check(node.left)
            self._check(node.right)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            self._check(node.operand)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
            if len(node.args) != 1 or node.keywords:
                raise self._fault(f"{node.func.id} takes one argument")
            self._check(node.args[0])
        elif isinstance(node, ast.Constant) and _is_real(node.value):
            if not _is_finite(node.value):
                raise self._fault("its numbers must be finite")
        elif not isinstance(node, ast.Name):
            known = f"+ - * / ** and {', '.join(_FUNCTIONS)}"
            raise self._fault(f"{ast.unparse(node)!r} is not supported; an expression has columns, numbers, {known}")

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The columns that it is computed from."""
        tree, names = self._parsed
        functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        words = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in functions]
        return tuple(dict.fromkeys(names.get(word, word) for word in words))

    def of(self, columns: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[Any]:
        """The column, from its sources. Division by 0 gives what numpy gives: infinite or not a number."""
        tree, names = self._parsed

        def value(node: ast.expr) -> Any:
            if isinstance(node, ast.BinOp):
                return _OPERATORS[type(node.op)](value(node.left), value(node.right))
            if isinstance(node, ast.UnaryOp):
                return -value(node.operand) if isinstance(node.op, ast.USub) else value(node.operand)
            if isinstance(node, ast.Call):
                assert isinstance(node.func, ast.Name)
                return _FUNCTIONS[node.func.id](value(node.args[0]))
            if isinstance(node, ast.Constant):
                return node.value
            assert isinstance(node, ast.Name)
            return columns[names.get(node.id, node.id)]

        with np.errstate(all="ignore"):
            return np.asarray(value(tree))

    @cached_property
    def linear(self) -> Linear | None:
        """The same as a sum of columns, each times a number; None if it is no such sum."""
        tree, names = self._parsed

        def value(node: ast.expr) -> Linear | None:
            if isinstance(node, ast.Constant):
                assert isinstance(node.value, (int, float))
                return Linear({}, Fraction(node.value))
            if isinstance(node, ast.Name):
                return Linear({names.get(node.id, node.id): Fraction(1)}, Fraction(0))
            if isinstance(node, ast.UnaryOp):
                inner = value(node.operand)
                return inner and inner.times(Fraction(-1 if isinstance(node.op, ast.USub) else 1))
            if not isinstance(node, ast.BinOp):
                return None
            a, b = value(node.left), value(node.right)
            if a is None or b is None:
                return None
            if isinstance(node.op, (ast.Add, ast.Sub)):
                return a.plus(b, 1 if isinstance(node.op, ast.Add) else -1)
            if isinstance(node.op, ast.Mult) and not (a.coefficients and b.coefficients):
                return b.times(a.constant) if not a.coefficients else a.times(b.constant)
            if isinstance(node.op, ast.Div) and not b.coefficients and b.constant:
                return a.times(1 / b.constant)
            return None

        return value(tree)


def _is_real(value: object) -> TypeGuard[float]:
    return type(value) in (int, float)


def _is_finite(number: float) -> bool:
    """Whole numbers of hundreds of digits have no float either."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def _is_power(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and _is_real(node.value) and abs(node.value) <= MOST_POWER


def _added(names: dict[str, str], name: str) -> str:
    word = f"_column_{len(names)}"
    names[word] = name
    return word


def checked_derived(given: Any, columns: Sequence[str]) -> tuple[Derived, ...]:
    """What the user gave: by name of a column, an expression. Its sources are columns, and none of them is derived."""
    if not isinstance(given, Mapping) or not given:
        raise OptionError(
            "derived must map columns to what they are computed from, such as {'dti': 'debt / income'}, not "
            f"{given!r}"
        )
    found = []
    for name, text in given.items():
        if not isinstance(text, str):
            raise OptionError(f"derived[{name!r}] must be an expression, such as 'debt / income', not {text!r}")
        one = Derived(str(name), text)
        if one.name not in columns:
            raise OptionError(f"derived: there is no column {one.name!r}{did_you_mean(one.name, columns)}")
        if not one.sources:
            raise OptionError(f"derived[{one.name!r}]: {text!r} has no column in it")
        for source in one.sources:
            if source not in columns:
                raise OptionError(
                    f"derived[{one.name!r}]: there is no column {source!r}{did_you_mean(source, columns)}"
                )
            if source in given:
                raise OptionError(f"derived[{one.name!r}]: {source!r} is derived itself; write out what it is made of")
        found.append(one)
    return tuple(found)
