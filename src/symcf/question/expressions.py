"""Expressions: what a user says about features and their values, as text or as objects.

    married = yes -> age != '0 .. 17'
    not (job = student and income >= high)
    town in {Oslo, Bergen} or not (age < 30)

Comparisons are = (or ==), !=, in {...}, not in {...} and, by the order of the values, <, <=, > and >=. "not" binds
tighter than "and", "and" than "or", "or" than "->" (which groups to the right). Names and values with spaces or
signs, and the words above, are put in quotes: '...', "..." or `...`. A number in place of a feature
is its index.

    late_30d <= late_12m                    two columns of numbers
    loan + 100 <= 4 * income                sums; signs have spaces around them, but for 4*income
    debt / income <= 0.4                    a quotient, which is multiplied out
    income <= 1.2 * old.income              what the row has now
    change.age == change.tenure             by how much a number changes
    at_most(1, job, home)                   so many of these features change
    step(12, tenure)                        a number changes by multiples of a step
    job: employed -> unemployed             a change that is forbidden
    old.job = employed -> home != rent      a condition on the row as it is

The same as objects:

    symcf.implies({"married": "yes"}, {"age": ["18 .. 24", "25 .. 34"]})
    symcf.forbid({"job": "student", "income": "high"})
    lambda f: (f.married == "yes") >> (f.age != "0 .. 17")
    lambda f: f.loan + 100 <= 4 * f.income
    lambda f: f.income <= 1.2 * f.old.income

Nothing is evaluated: text is read by the parser below, functions build the same objects by operators. Features and
values are looked up in `relations`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from symcf.errors import InternalError, OptionError
from symcf.question.amounts import Amount, amount_of

__all__ = [
    "Algebra",
    "All",
    "Any_",
    "AtMost",
    "Atom",
    "Comparison",
    "Expression",
    "Implies",
    "Names",
    "Not",
    "Stepped",
    "Test",
    "forbid",
    "implies",
    "parse",
    "require",
]

T = TypeVar("T")

Value = str | int | float | bool | None

#: Deeper expressions are refused, so that recursion cannot run out of stack.
MAX_DEPTH = 32
#: Nested parentheses and words that the parser follows: enough for every expression that MAX_DEPTH allows.
MAX_NESTING = 3 * MAX_DEPTH
#: The most digits of a number.
MAX_DIGITS = 400

EQUALITIES = ("in", "not in")
ORDERS = ("<", "<=", ">", ">=")


class Algebra(NamedTuple, Generic[T]):
    """What atoms mean, and how to combine that: by conjunction, disjunction and negation."""

    test: Callable[[Any], T]
    all: Callable[[list[T]], T]
    any: Callable[[list[T]], T]
    opposite: Callable[[T], T]


class Expression:
    """A condition on a row. Combine with ``&``, ``|``, ``~`` and ``>>`` (implies)."""

    depth: int

    def meaning(self, algebra: Algebra[T]) -> T:
        """What the expression means in an algebra."""
        raise InternalError(f"{self!r} has no meaning")

    def atoms(self) -> list[Atom]:
        """All comparisons in it."""
        return self.meaning(Algebra(lambda atom: [atom], _concatenated, _concatenated, lambda atoms: atoms))

    def tests(self) -> list[Test]:
        """Those of a feature with values."""
        return [atom for atom in self.atoms() if isinstance(atom, Test)]

    def __and__(self, other: Expression) -> Expression:
        return All((self, _operand(other)))

    def __or__(self, other: Expression) -> Expression:
        return Any_((self, _operand(other)))

    def __invert__(self) -> Expression:
        return Not(self)

    def __rshift__(self, other: Expression) -> Expression:
        return Implies(self, _operand(other))

    def __bool__(self) -> bool:
        raise OptionError("a condition has no truth value: combine conditions with & | ~ >>, not with and, or, not")


def _concatenated(lists: list[list[Atom]]) -> list[Atom]:
    return list(chain.from_iterable(lists))


def _operand(other: Any) -> Expression:
    if isinstance(other, Expression):
        return other
    raise OptionError(f"a condition can be combined with conditions only, not with {other!r}")


def _nest(node: Expression, parts: Iterable[Expression]) -> None:
    depth = 1 + max((part.depth for part in parts), default=0)
    if depth > MAX_DEPTH:
        raise OptionError(f"constraints: an expression is nested more than {MAX_DEPTH} deep")
    object.__setattr__(node, "depth", depth)


class _Atomic(Expression):
    """An expression that is not made of others."""

    depth = 1

    def meaning(self, algebra: Algebra[T]) -> T:
        return algebra.test(self)


@dataclass(frozen=True)
class Test(_Atomic):
    """A feature compared with values."""

    __test__ = False  # tells pytest that this is not a test

    #: A name, or an index.
    feature: str | int
    #: "in", "not in", "<", "<=", ">" or ">=".
    operator: str
    #: One value for the last four operators, one or more for the first two.
    values: tuple[Value, ...]
    #: Positions of the feature and of each value in the text that it was read from.
    places: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        given: Any = self.feature
        name = given.item() if isinstance(given, np.integer) else given
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            raise OptionError(f"constraints: a feature must be a name or an index, not {name!r}")
        if self.operator not in EQUALITIES + ORDERS:
            raise OptionError(f"constraints: unknown comparison {self.operator!r}")
        values = tuple(dict.fromkeys(map(_plain, self.values)))
        if not values or (self.operator in ORDERS and len(values) != 1):
            wanted = "one value" if values else "at least one value"
            raise OptionError(f"constraints: {name!r} {self.operator} {list(values)!r}: {wanted} is needed")
        object.__setattr__(self, "feature", name if isinstance(name, int) else str(name))
        object.__setattr__(self, "values", values)

    def __str__(self) -> str:
        name = _name(self.feature)
        values = [_written(value) for value in self.values]
        if self.operator in EQUALITIES and len(values) > 1:
            return f"{name} {self.operator} {{{', '.join(values)}}}"
        sign = {"in": "=", "not in": "!="}.get(self.operator, self.operator)
        return f"{name} {sign} {values[0]}"


@dataclass(frozen=True)
class Comparison(_Atomic):
    """Two amounts, compared."""

    left: Amount
    #: "=", "!=", "<", "<=", ">" or ">=".
    operator: str
    right: Amount

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True)
class AtMost(_Atomic):
    """At most so many of some features change."""

    count: int
    features: tuple[str | int, ...]
    #: Positions of the count and of each feature in the text.
    places: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"at_most({', '.join([str(self.count), *map(_name, self.features)])})"


@dataclass(frozen=True)
class Stepped(_Atomic):
    """A number changes by multiples of a step."""

    step: Fraction
    feature: str | int
    #: The positions of the step and of the feature in the text.
    places: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"step({Amount(self.step)}, {_name(self.feature)})"


#: What expressions are made of.
Atom = Test | Comparison | AtMost | Stepped


@dataclass(frozen=True)
class Not(Expression):
    """The opposite."""

    part: Expression
    depth: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _nest(self, [self.part])

    def meaning(self, algebra: Algebra[T]) -> T:
        return algebra.opposite(self.part.meaning(algebra))

    def __str__(self) -> str:
        return f"not ({self.part})"


@dataclass(frozen=True)
class _Several(Expression):
    """Two or more conditions. Nested ones of the same kind are flattened."""

    parts: tuple[Expression, ...]
    depth: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        flat = [inner for part in self.parts for inner in (part.parts if isinstance(part, type(self)) else (part,))]
        assert len(flat) >= 2
        object.__setattr__(self, "parts", tuple(flat))
        _nest(self, flat)


class All(_Several):
    """Conditions that all hold."""

    def meaning(self, algebra: Algebra[T]) -> T:
        return algebra.all([part.meaning(algebra) for part in self.parts])

    def __str__(self) -> str:
        return " and ".join(_within(part, Any_, Implies) for part in self.parts)


class Any_(_Several):
    """Conditions of which at least one holds."""

    def meaning(self, algebra: Algebra[T]) -> T:
        return algebra.any([part.meaning(algebra) for part in self.parts])

    def __str__(self) -> str:
        return " or ".join(_within(part, Implies) for part in self.parts)


@dataclass(frozen=True)
class Implies(Expression):
    """Where the first holds, so does the second."""

    condition: Expression
    consequence: Expression
    depth: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _nest(self, [self.condition, self.consequence])

    def meaning(self, algebra: Algebra[T]) -> T:
        return algebra.any([algebra.opposite(self.condition.meaning(algebra)), self.consequence.meaning(algebra)])

    def __str__(self) -> str:
        return f"{_within(self.condition, Implies)} -> {_within(self.consequence, Implies)}"


def _within(part: Expression, *weaker: type) -> str:
    return f"({part})" if isinstance(part, weaker) else str(part)


def _plain(value: Any) -> Value:
    """A label as it is written in text; labels that are neither text nor numbers are converted to text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int) and value.bit_length() > 3 * MAX_DIGITS:
        raise OptionError("constraints: a number is too long")
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return str(value)


# --- from mappings ----------------------------------------------------------------------------------------------------

Said = Mapping[Any, Any] | str | Expression


def require(what: Said) -> Expression:
    """What must hold. ``{"age": ["18 .. 24", "25 .. 34"], "married": "yes"}``: both, one of these ages and married."""
    return _expression(what, "require")


def forbid(what: Said) -> Expression:
    """What must not hold: ``forbid({"job": "student", "income": "high"})``."""
    return Not(_expression(what, "forbid"))


def implies(condition: Said, consequence: Said) -> Expression:
    """Where the first holds, the second must: ``implies({"married": "yes"}, {"age": ["18 .. 24", "25 .. 34"]})``."""
    return Implies(_expression(condition, "implies"), _expression(consequence, "implies"))


def _expression(what: Said, name: str) -> Expression:
    if isinstance(what, Expression):
        return what
    if isinstance(what, str):
        return parse(what)
    if not isinstance(what, Mapping) or not what:
        raise OptionError(f"{name} takes a mapping from features to values, not {what!r}")
    tests = tuple(Test(feature, "in", values_of(values)) for feature, values in what.items())
    return tests[0] if len(tests) == 1 else All(tests)


def values_of(values: Any) -> tuple[Any, ...]:
    """One value or several, as a tuple."""
    if isinstance(values, (set, frozenset)):
        return tuple(sorted(values, key=lambda value: (type(value).__name__, repr(value))))
    if isinstance(values, (list, tuple, range, np.ndarray)):
        return tuple(values)
    return (values,)


# --- from functions ---------------------------------------------------------------------------------------------------


class Names:
    """The argument of a function that builds a condition: ``f.age`` or ``f["age"]`` is the feature of this name,
    ``f.old.age`` what the row has, ``f.change.age`` by how much it changes.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not self._prefix and f"{name}." in PREFIXES:
            return Names(f"{name}.")
        return self[name]

    def __getitem__(self, name: str | int) -> Column:
        return Column(f"{self._prefix}{name}" if self._prefix else name)

    def at_most(self, count: int, *features: str | int) -> AtMost:
        """At most so many of these features change."""
        return AtMost(count, features)


class Sum:
    """A sum of columns in a function that builds a condition; comparing it gives one."""

    __hash__ = None  # type: ignore[assignment]  # == builds a condition

    def __init__(self, said: Amount) -> None:
        self._said = said

    @property
    def amount(self) -> Amount:
        """As an amount."""
        return self._said

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return self._compared("in", other)

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return self._compared("not in", other)

    def __lt__(self, other: Any) -> Expression:
        return self._compared("<", other)

    def __le__(self, other: Any) -> Expression:
        return self._compared("<=", other)

    def __gt__(self, other: Any) -> Expression:
        return self._compared(">", other)

    def __ge__(self, other: Any) -> Expression:
        return self._compared(">=", other)

    def _compared(self, operator: str, other: Any) -> Expression:
        return Comparison(self.amount, SIGN_OF.get(operator, operator), _amount(other))

    def __add__(self, other: Any) -> Sum:
        return Sum(Amount("+", (self.amount, _amount(other))))

    def __radd__(self, other: Any) -> Sum:
        return Sum(Amount("+", (_amount(other), self.amount)))

    def __sub__(self, other: Any) -> Sum:
        return Sum(Amount("-", (self.amount, _amount(other))))

    def __rsub__(self, other: Any) -> Sum:
        return Sum(Amount("-", (_amount(other), self.amount)))

    def __mul__(self, other: Any) -> Sum:
        return Sum(Amount("*", (self.amount, _amount(other))))

    def __rmul__(self, other: Any) -> Sum:
        return Sum(Amount("*", (_amount(other), self.amount)))

    def __truediv__(self, other: Any) -> Sum:
        return Sum(Amount("/", (self.amount, _amount(other))))

    def __rtruediv__(self, other: Any) -> Sum:
        return Sum(Amount("/", (_amount(other), self.amount)))

    def __bool__(self) -> bool:
        raise OptionError(f"constraints: compare {self} with a value")

    def __str__(self) -> str:
        return str(self.amount)


class Column(Sum):
    """A feature in a function that builds a condition; comparing it gives one."""

    __hash__ = None  # == builds a condition

    def __init__(self, name: str | int) -> None:
        self._name = name

    @property
    def amount(self) -> Amount:
        if isinstance(self._name, int):
            raise OptionError(f"constraints: in a sum, features are known by names, not by the index {self._name}")
        return Amount(self._name)

    def _compared(self, operator: str, other: Any) -> Expression:
        """With a value, with another column, which stands for its name, or with a sum."""
        if isinstance(other, Sum) and not isinstance(other, Column):
            return super()._compared(operator, other)
        return Test(self._name, operator, (other._name if isinstance(other, Column) else other,))

    def isin(self, values: Iterable[Any]) -> Test:
        """Is it one of these?"""
        return Test(self._name, "in", values_of(values))

    def __str__(self) -> str:
        return f"feature {self._name!r}"


def _amount(given: Any) -> Amount:
    return given.amount if isinstance(given, Sum) else amount_of(given)


# --- from text --------------------------------------------------------------------------------------------------------

#: Before the name of a feature: what the row has, and by how much a number changes.
PREFIXES = ("old.", "change.")

#: The sign of the comparisons with values.
SIGN_OF = {"in": "=", "not in": "!="}

#: Words that are signs of arithmetic.
ARITHMETIC = ("+", "-", "*", "/")

KEYWORDS = ("and", "or", "not", "in")
#: Signs of comparisons.
COMPARED = ("=", "==", "!=", *ORDERS)
CONSTANTS: dict[str, Value] = {"True": True, "False": False, "None": None}

TOKEN = re.compile(
    r"""(?P<space>\s+)
    |   (?P<sign>->|==|!=|<=|>=|[=<>(){},])
    |   (?P<prefix>old\.|change\.)?(?P<quote>['"`])(?P<inside>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)
    |   (?P<word>(?:(?!->)[^\s(){},'"`=!<>])+)""",
    re.VERBOSE | re.DOTALL,
)
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?P<part>\.[0-9]*)?|(?P<only>\.[0-9]+))(?P<power>[eE][+-]?[0-9]+)?")
STAR = re.compile(r"(\*)")
ESCAPE = re.compile(r"""\\([\\'"`])""")
#: Text that needs no quotes (unless it is a keyword, constant or number).
BARE = re.compile(r"\w+(?:[-.]\w+)*")


def _number(word: str) -> int | float | None:
    """The number that a word stands for; None for any other word."""
    match = NUMBER.fullmatch(word)
    if match is None or len(word) > MAX_DIGITS:
        return None
    if match["part"] is None and match["only"] is None and match["power"] is None:
        return int(word)
    number = float(word)
    return number if math.isfinite(number) else None


def _name(feature: str | int) -> str:
    """A feature as text has it."""
    return str(feature) if isinstance(feature, int) else _quoted(feature, "`\"'")


def _written(value: Value) -> str:
    return _quoted(value, "'\"`") if isinstance(value, str) else repr(value)


def _quoted(text: str, quotes: str) -> str:
    plain = BARE.fullmatch(text) and text not in KEYWORDS and text not in CONSTANTS and _number(text) is None
    if plain:
        return text
    quote = next((q for q in quotes if q not in text), quotes[0])
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote


def fault(message: str, text: str, place: int) -> OptionError:
    """An error that points into the text."""
    start = max(0, place - 60)
    line = re.sub(r"\s", " ", text[start : place + 60])
    error = OptionError(f"constraints: {message}\n  {line}\n  {' ' * (place - start)}^ position {place}")
    error.place = place
    return error


class _Token(NamedTuple):
    kind: str  # "sign", "quoted", "word", "end"
    text: str
    place: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(self.text)


def _tokens(text: str) -> list[_Token]:
    tokens, place = [], 0
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            unclosed = text[place] in "'\"`"
            raise fault(f"{text[place]} is not closed" if unclosed else f"{text[place]!r} is not allowed", text, place)
        if match["sign"]:
            tokens.append(_Token("sign", match["sign"], place))
        elif match["quote"]:
            tokens.append(_Token("quoted", (match["prefix"] or "") + ESCAPE.sub(r"\1", match["inside"]), place))
        elif match["word"]:
            parts = STAR.split(match["word"])
            starts = [place + sum(map(len, parts[:i])) for i in range(len(parts))]
            tokens += [_Token("word", part, at) for part, at in zip(parts, starts, strict=True) if part]
        place = match.end()
    return [*tokens, _Token("end", "", len(text))]


@lru_cache(1 << 8)
def parse(text: str) -> Expression:
    """Reads an expression; OptionError points at what is wrong."""
    return _Parser(text).whole()


class _Parser:
    """Recursive descent, one function per rule of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._next = 0
        self._nesting = 0

    def whole(self) -> Expression:
        result = self._implication()
        if self._token.kind != "end":
            raise self._expected("'and', 'or', '->' or the end")
        return result

    def _implication(self) -> Expression:
        self._enter()
        left = self._any()
        result = Implies(left, self._implication()) if self._skip("->") else left
        self._nesting -= 1
        return result

    def _any(self) -> Expression:
        parts = [self._all()]
        while self._skip("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else Any_(tuple(parts))

    def _all(self) -> Expression:
        parts = [self._unit()]
        while self._skip("and"):
            parts.append(self._unit())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _unit(self) -> Expression:
        if self._skip("not"):
            self._enter()
            result: Expression = Not(self._unit())
            self._nesting -= 1
            return result
        if (
            self._token.kind == "word"
            and self._tokens[self._next + 1 :][:1]
            and self._tokens[self._next + 1].text == "("
        ):
            if self._token.text == "at_most":
                return self._at_most()
            if self._token.text == "step":
                return self._step()
        if self._is_sign("("):
            return self._bracket()
        return self._test()

    def _bracket(self) -> Expression:
        """What begins with a bracket: a condition, or else a comparison whose first sum has brackets."""
        start, nesting = self._next, self._nesting
        try:
            self._skip("(")
            result = self._implication()
            if not self._skip(")"):
                raise self._expected("')'")
            if self._token.kind != "end" and self._token.text in (*COMPARED, *ARITHMETIC):
                raise self._expected("'and', 'or', '->' or the end")
            return result
        except OptionError as error:
            first = error
        self._next, self._nesting = start, nesting
        try:
            return self._test()
        except OptionError as error:
            raise (error if error.place > first.place else first) from None

    def _test(self) -> Expression:
        start = self._next
        left, first = self._sum("a feature, 'not' or '('"), self._tokens[start]
        alone = self._next == start + 1
        if alone and (transition := self._transition(first)) is not None:
            return transition
        operator, many = self._operator()
        if many and not alone:
            raise fault("'in' takes one feature, not a sum", self._text, left.place)
        if many:
            return self._compared(first, operator, self._set())
        if alone and self._is_value():
            return self._compared(first, operator, [self._value()])
        return Comparison(left, SIGN_OF.get(operator, operator), self._sum("a value"))

    def _compared(self, token: _Token, operator: str, values: list[tuple[Value, int]]) -> Test:
        """A feature with values."""
        places = (token.place, *(place for _, place in values))
        return Test(self._feature(token), operator, tuple(value for value, _ in values), places)

    def _feature(self, token: _Token) -> str | int:
        number = _number(token.text) if token.kind == "word" else None
        return number if isinstance(number, int) else token.text

    def _transition(self, token: _Token) -> Expression | None:
        """``job: employed -> unemployed``; None if there is no colon."""
        name = token.text.removesuffix(":") if token.kind == "word" else token.text
        if name == token.text and not self._skip(":"):
            return None
        if not name:
            raise fault("a feature expected before ':'", self._text, token.place)
        before = self._set() if self._is_sign("{") else [self._value()]
        if not self._skip("->"):
            raise self._expected("'->'")
        after = self._set() if self._is_sign("{") else [self._value()]
        named = token._replace(text=name)
        was = self._compared(token._replace(kind="quoted", text=f"old.{name}"), "in", before)
        return Implies(was, Not(self._compared(named, "in", after)))

    def _at_most(self) -> AtMost:
        """``at_most(1, job, home)``."""
        self._next += 2
        token = self._take("a number of changes")
        count = _number(token.text) if token.kind == "word" else None
        if not isinstance(count, int) or count < 0:
            raise fault(f"a number of changes expected, not {token}", self._text, token.place)
        features: list[tuple[str | int, int]] = []
        while self._skip(","):
            named = self._take("a feature")
            features.append((self._feature(named), named.place))
        if not features:
            raise self._expected("',' and a feature")
        if not self._skip(")"):
            raise self._expected("',' or ')'")
        return AtMost(count, tuple(name for name, _ in features), (token.place, *(place for _, place in features)))

    def _step(self) -> Stepped:
        """``step(12, tenure)``."""
        self._next += 2
        token = self._take("the size of a step")
        size = _number(token.text) if token.kind == "word" else None
        if size is None or size <= 0:
            raise fault(f"the size of a step expected, not {token}", self._text, token.place)
        if not self._skip(","):
            raise self._expected("',' and a feature")
        named = self._take("a feature")
        if not self._skip(")"):
            raise self._expected("')'")
        return Stepped(Fraction(token.text), self._feature(named), (token.place, named.place))

    def _sum(self, wanted: str) -> Amount:
        found = self._product(wanted)
        while (sign := self._sign("+", "-")) is not None:
            found = Amount(sign.text, (found, self._product("a number or a feature")), sign.place)
        return found

    def _product(self, wanted: str) -> Amount:
        found = self._factor(wanted)
        while (sign := self._sign("*", "/")) is not None:
            found = Amount(sign.text, (found, self._factor("a number or a feature")), sign.place)
        return found

    def _factor(self, wanted: str) -> Amount:
        if (sign := self._sign("-")) is not None:
            self._enter()
            part = self._factor("a number or a feature")
            self._nesting -= 1
            return Amount("-", (Amount(Fraction(0)), part), sign.place)
        if self._skip("("):
            self._enter()
            found = self._sum("a number or a feature")
            if not self._skip(")"):
                raise self._expected("')'")
            self._nesting -= 1
            return found
        token = self._take(wanted)
        number = _number(token.text) if token.kind == "word" else None
        return Amount(token.text if number is None else Fraction(token.text), (), token.place)

    def _sign(self, *signs: str) -> _Token | None:
        """The next token if it is one of these signs, consumed."""
        token = self._token
        if token.kind != "word" or token.text not in signs:
            return None
        self._next += 1
        return token

    def _is_value(self) -> bool:
        """Is the next token a value, and not the beginning of a sum?"""
        token, after = self._tokens[self._next : self._next + 2] if self._token.kind != "end" else (self._token,) * 2
        is_sum = token.text in ARITHMETIC or (after.kind == "word" and after.text in ARITHMETIC)
        return (token.kind == "quoted" and not is_sum) or (token.kind in ("word", "end") and not is_sum)

    def _is_sign(self, text: str) -> bool:
        return self._token.kind == "sign" and self._token.text == text

    def _operator(self) -> tuple[str, bool]:
        for sign, operator in (("=", "in"), ("==", "in"), ("!=", "not in"), *zip(ORDERS, ORDERS, strict=True)):
            if self._skip(sign):
                return operator, False
        negated = self._skip("not")
        if self._skip("in"):
            return ("not in" if negated else "in"), True
        raise self._expected("'in'" if negated else "a comparison (= != < <= > >= in, not in)")

    def _set(self) -> list[tuple[Value, int]]:
        if not self._skip("{"):
            raise self._expected("'{'")
        values = [self._value()]
        while self._skip(","):
            values.append(self._value())
        if not self._skip("}"):
            raise self._expected("',' or '}'")
        return list(dict(values).items())

    def _value(self) -> tuple[Value, int]:
        token = self._take("a value")
        if token.kind == "quoted":
            return token.text, token.place
        number = _number(token.text)
        return CONSTANTS.get(token.text, token.text if number is None else number), token.place

    # --- tokens

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _skip(self, text: str) -> bool:
        """Consumes the next token if it is this sign or keyword, and says whether it was."""
        found = self._token.kind in ("sign", "word") and self._token.text == text
        self._next += found
        return found

    def _take(self, wanted: str) -> _Token:
        """A name or a value."""
        token = self._token
        words = (*KEYWORDS, *ARITHMETIC)
        if token.kind not in ("word", "quoted") or (token.kind == "word" and token.text in words):
            raise self._expected(wanted)
        self._next += 1
        return token

    def _enter(self) -> None:
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise fault("nested too deeply", self._text, self._token.place)

    def _expected(self, wanted: str) -> OptionError:
        return fault(f"{wanted} expected, not {self._token}", self._text, self._token.place)
