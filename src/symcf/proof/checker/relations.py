"""Relations: what a user requires of several features at once, read from its text and evaluated.

This reader shares nothing with the one that questions are read by; docs/certificate-format.md has the grammar. For one
row a relation becomes a formula of four kinds of atoms, which are evaluated on a row or in a box of rows:

    ("is", j, codes)            feature j has one of these codes
    ("row", terms, most, strict)    numbers times coefficients add up to at most a number
    ("count", features, most)   at most so many of these features change
    ("likely", cells, parents, terms, least)    the terms of plausibility add up to at least a number

and of ("and", parts), ("or", parts) and ("not", atom). A comparison says nothing of rows in
which one of its numbers is missing, and nothing obeys a division by 0. Two amounts are equal if they differ by at most
2**-40 of what the numbers of the row add up to, or of 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from symcf.proof.checker.domains import MISSING, Domain, is_number
from symcf.proof.checker.form import Rejected

__all__ = ["Formula", "Old", "Step", "formula_of", "obeys"]

#: See above.
Formula = tuple[Any, ...]

ALWAYS: Formula = ("and", ())
NEVER: Formula = ("or", ())

#: Numbers of features times coefficients, and a constant.
Form = tuple[dict[int, Fraction], Fraction]

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
NEAR = Fraction(1, 1 << 40)

#: Deeper relations, and longer numbers, are not read.
DEEPEST, LONGEST = 100, 400

TOKEN = re.compile(
    r"""\s*(?:(?P<sign>->|==|!=|<=|>=|[=<>(){},])|(?P<of>old\.|change\.)?(?P<quote>['"`])(?P<text>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)
    |(?P<word>\*|(?:(?!->)[^\s(){},'"`=!<>*])+))""",
    re.VERBOSE | re.DOTALL,
)
NUMBER = re.compile(r"[+-]?(?:[0-9]+(\.[0-9]*)?|(\.[0-9]+))([eE][+-]?[0-9]+)?", re.ASCII)
CONSTANTS = {"True": True, "False": False, "None": None}


class Step(NamedTuple):
    """The number of a feature changes by multiples of a step."""

    feature: int
    step: Fraction


class Old(NamedTuple):
    """What relations are about: features, and the row as it is."""

    features: Sequence[str]
    domains: Sequence[Domain]
    codes: Sequence[int]
    #: By feature, its number; None if it has none.
    numbers: Sequence[float | None]


def formula_of(text: str, old: Old) -> Formula | Step:
    """What a relation means for a row."""
    return _Reader(text, old).whole()


def obeys(formula: Formula, codes: Sequence[int], numbers: Sequence[float | None], changed: set[int]) -> bool:
    """Does a row obey? ``changed`` are the features in which it differs from the old one."""
    match formula[0]:
        case "and":
            return all(obeys(part, codes, numbers, changed) for part in formula[1])
        case "or":
            return any(obeys(part, codes, numbers, changed) for part in formula[1])
        case "not":
            return not obeys(formula[1], codes, numbers, changed)
        case "is":
            return codes[formula[1]] in formula[2]
        case "count":
            return len(changed.intersection(formula[1])) <= int(formula[2])
        case "likely":
            return bool(likely_sum(formula, codes) >= formula[4])
    _, terms, most, strict = formula
    total = sum((c * Fraction(numbers[j] or 0) for j, c in terms), Fraction(0))
    return bool(total < most or (total == most and not strict))


def likely_sum(formula: Formula, codes: Sequence[int]) -> int:
    """The sum of the terms of plausibility: per feature one, by its cell and by that of the feature it depends on."""
    _, cells, parents, terms, _ = formula
    own = [cell[code] for cell, code in zip(cells, codes, strict=True)]
    lines = (0 if p is None else own[p] for p in parents)
    return sum(int(term[line][cell]) for term, line, cell in zip(terms, lines, own, strict=True))


class _Token(NamedTuple):
    kind: str  # "sign", "quoted", "word" or "end"
    text: str


def _tokens(text: str) -> list[_Token]:
    found, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = TOKEN.match(text, at)
        if match is None:
            raise Rejected("form", f"the relation {text!r} cannot be read")
        if match["sign"]:
            found.append(_Token("sign", match["sign"]))
        elif match["quote"]:
            inside = re.sub(r"""\\([\\'"`])""", r"\1", match["text"])
            found.append(_Token("quoted", (match["of"] or "") + inside))
        else:
            found.append(_Token("word", match["word"]))
        at = match.end()
    return [*found, _Token("end", "")]


#: Is the opposite meant? Then the formula of that.
Meaning = Callable[[bool], Formula]


class _Reader:
    """Reads by recursive descent. What it reads becomes a function that gives a formula, or that of the opposite."""

    def __init__(self, text: str, old: Old) -> None:
        self._text, self._old = text, old
        self._tokens, self._at, self._depth = _tokens(text), 0, 0

    def whole(self) -> Formula | Step:
        if self._next(0).text == "step" and self._next(1) == _Token("sign", "("):
            return self._step()
        meaning = self._implication()
        if self._next().kind != "end":
            raise self._fault()
        return meaning(True)

    # --- tokens

    def _next(self, ahead: int = 0) -> _Token:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def _skip(self, *texts: str) -> str | None:
        token = self._next()
        if token.kind == "quoted" or token.text not in texts or token.kind == "end":
            return None
        self._at += 1
        return token.text

    def _need(self, text: str) -> None:
        if self._skip(text) is None:
            raise self._fault()

    def _take(self) -> _Token:
        token = self._next()
        if token.kind not in ("word", "quoted"):
            raise self._fault()
        self._at += 1
        return token

    def _fault(self) -> Rejected:
        return Rejected("form", f"the relation {self._text!r} cannot be read at {self._next().text!r}")

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Rejected("form", "a relation is nested too deeply")

    # --- conditions

    def _implication(self) -> Meaning:
        self._deeper()
        left = self._any()
        if self._skip("->"):
            right = self._implication()
            self._depth -= 1
            return lambda holds: _joined("or" if holds else "and", [left(not holds), right(holds)])
        self._depth -= 1
        return left

    def _any(self) -> Meaning:
        return self._several("or", self._all)

    def _all(self) -> Meaning:
        return self._several("and", self._unit)

    def _several(self, word: str, part: Callable[[], Meaning]) -> Meaning:
        parts = [part()]
        while self._skip(word):
            parts.append(part())
        other = "and" if word == "or" else "or"
        return (
            parts[0] if len(parts) == 1 else lambda holds: _joined(word if holds else other, [p(holds) for p in parts])
        )

    def _unit(self) -> Meaning:
        if self._skip("not"):
            self._deeper()
            inner = self._unit()
            self._depth -= 1
            return lambda holds: inner(not holds)
        if self._next() == _Token("word", "at_most") and self._next(1) == _Token("sign", "("):
            return self._at_most()
        if self._next() == _Token("sign", "("):
            at, depth = self._at, self._depth
            try:
                self._need("(")
                inner = self._implication()
                self._need(")")
                if self._next().kind != "quoted" and self._next().text in (*MIRRORED, "==", "+", "-", "*", "/"):
                    raise self._fault()
                return inner
            except Rejected:  # brackets of a sum
                self._at, self._depth = at, depth
        return self._comparison()

    def _at_most(self) -> Meaning:
        self._at += 2
        most = self._number(self._take())
        if most is None or most.denominator != 1 or most < 0:
            raise self._fault()
        features = []
        while self._skip(","):
            features.append(self._feature(self._take()))
        self._need(")")
        if len(set(features)) < len(features):
            raise self._fault()
        atom = ("count", tuple(features), int(most))
        return lambda holds: atom if holds else ("not", atom)

    def _step(self) -> Step:
        self._at += 2
        step = self._number(self._take())
        self._need(",")
        feature = self._feature(self._take())
        self._need(")")
        if step is None or step <= 0 or self._next().kind != "end":
            raise self._fault()
        return Step(feature, step)

    def _comparison(self) -> Meaning:
        start = self._at
        left = self._sum()
        first, alone = self._tokens[start], self._at == start + 1
        if alone and ((first.text.endswith(":") and first.kind == "word") or self._skip(":")):
            return self._transition(
                first._replace(text=first.text.removesuffix(":") if first.kind == "word" else first.text)
            )
        negated = self._skip("not") is not None
        if self._skip("in"):
            if not alone:
                raise self._fault()
            return self._member(first, not negated, self._set())
        sign = None if negated else self._skip(*MIRRORED, "==")
        if sign is None:
            raise self._fault()
        sign = "=" if sign == "==" else sign
        token, after = self._next(), self._next(1)
        signs = ("+", "-", "*", "/")
        is_sum = (token.kind == "word" and token.text in signs) or (after.kind == "word" and after.text in signs)
        if alone and token.kind in ("word", "quoted") and not is_sum:
            return self._test(first, sign, self._take())
        return self._compared(left, sign, self._sum())

    def _set(self) -> list[_Token]:
        self._need("{")
        found = [self._take()]
        while self._skip(","):
            found.append(self._take())
        self._need("}")
        return found

    def _transition(self, name: _Token) -> Meaning:
        """A change from one of some labels to one of others is forbidden."""
        before = self._set() if self._next() == _Token("sign", "{") else [self._take()]
        self._need("->")
        after = self._set() if self._next() == _Token("sign", "{") else [self._take()]
        was = self._member(_Token("quoted", f"old.{name.text}"), True, before)
        becomes = self._member(_Token("quoted", name.text), True, after)
        return lambda holds: _joined("or" if holds else "and", [was(not holds), becomes(not holds)])

    # --- one feature and values

    def _feature(self, token: _Token) -> int:
        index = self._number(token)
        features = self._old.features
        if index is not None and index.denominator == 1 and token.text.isdigit() and 0 <= index < len(features):
            return int(index)
        if token.text not in features:
            raise Rejected("form", f"the relation {self._text!r} has no feature {token.text!r}")
        return features.index(token.text)

    def _named(self, token: _Token) -> tuple[str, int] | None:
        """The prefix and the feature of a name; None if it is none."""
        if token.kind == "word" and self._number(token) is not None:
            return None
        for prefix in ("", "old.", "change."):
            if token.text.startswith(prefix) and token.text[len(prefix) :] in self._old.features:
                return prefix, self._old.features.index(token.text[len(prefix) :])
        return None

    def _number(self, token: _Token) -> Fraction | None:
        match = NUMBER.fullmatch(token.text) if token.kind == "word" and len(token.text) <= LONGEST else None
        if match is None or abs(float(token.text)) == float("inf"):
            return None
        if match[3] and abs(int(match[3][1:])) > LONGEST:
            raise Rejected("form", f"the relation {self._text!r} has a number that is too small")
        return Fraction(token.text)

    def _value(self, token: _Token) -> Any:
        exact = self._number(token)
        if exact is not None:
            return int(exact) if exact.denominator == 1 and token.text.lstrip("+-").isdigit() else float(token.text)
        return CONSTANTS.get(token.text, token.text) if token.kind == "word" else token.text

    def _test(self, name: _Token, sign: str, given: _Token) -> Meaning:
        """A feature, or a feature of the row as it is, compared with a value or another feature."""
        prefix, j = self._named(name) or ("", self._feature(name))
        domain, value = self._old.domains[j], self._value(given)
        known = domain.known_as(value)
        as_sums = prefix == "change." or (self._named(given) is not None and not known)
        numeric = domain.has_numbers or (self._old.numbers[j] is not None)
        if as_sums or (prefix == "old." and is_number(value) and numeric):
            return self._compared(self._amount(name), sign, self._amount(given))
        if sign in ("=", "!="):
            return self._member(name, sign == "=", [given])
        if is_number(value) and (domain.has_numbers or not known):
            return self._ordered(prefix, j, sign, Fraction(value))
        if len(known) != 1:
            raise Rejected("form", f"the relation {self._text!r}: {given.text!r} is not a value of {name.text!r}")
        compare = {
            "<": lambda a, b: a < b,
            "<=": lambda a, b: a <= b,
            ">": lambda a, b: a > b,
            ">=": lambda a, b: a >= b,
        }
        codes = {code for code in range(domain.size or 0) if compare[sign](code, known[0])} - domain.apart
        return self._has(prefix, j, codes)

    def _ordered(self, prefix: str, j: int, sign: str, value: Fraction) -> Meaning:
        """A number compared with a number; one that is missing is neither less nor more."""
        domain = self._old.domains[j]
        if prefix or not domain.has_numbers:
            own = self._old.numbers[j]
            fine = _compare(Fraction(own) if own is not None else None, sign, value)
            if prefix:
                return lambda holds: ALWAYS if fine == holds else NEVER
            labels = [domain.number_of(label) for label in domain.labels]
            codes = {code for code, x in enumerate(labels) if _compare(None if x is None else Fraction(x), sign, value)}
            return self._has("", j, codes)
        yes, no = (self._row(({j: Fraction(1)}, -value), one) for one in (sign, OPPOSITE[sign]))
        missing = self._missing(j)
        known = ("not", missing) if missing != NEVER else ALWAYS
        return lambda holds: _joined("and", [known, yes]) if holds else _joined("or", [missing, no])

    def _member(self, name: _Token, inside: bool, given: Sequence[_Token]) -> Meaning:
        prefix, j = self._named(name) or ("", self._feature(name))
        domain, values = self._old.domains[j], [self._value(token) for token in given]
        if domain.has_numbers and all(isinstance(value, (int, float)) for value in values):
            parts = []
            for value in map(Fraction, values):
                low, high = self._ordered(prefix, j, "<=", value), self._ordered(prefix, j, ">=", value)
                parts.append((low, high))

            def meaning(holds: bool) -> Formula:
                if holds:
                    return _joined("or", [_joined("and", [low(True), high(True)]) for low, high in parts])
                return _joined("and", [_joined("or", [low(False), high(False)]) for low, high in parts])

            return lambda holds: meaning(holds == inside)
        codes: set[int] = set()
        for value, token in zip(values, given, strict=True):
            known = domain.known_as(value)
            if len(known) != 1:
                raise Rejected("form", f"the relation {self._text!r}: {token.text!r} is not a value of {name.text!r}")
            codes.update(known)
        has = self._has(prefix, j, codes)
        return lambda holds: has(holds == inside)

    def _has(self, prefix: str, j: int, codes: set[int]) -> Meaning:
        if prefix:
            was = self._old.codes[j] in codes
            return lambda holds: ALWAYS if was == holds else NEVER
        size = self._old.domains[j].size
        if size is None:
            raise Rejected("form", f"the relation {self._text!r} compares a line of numbers with labels")
        others = set(range(size)) - codes
        return lambda holds: ("is", j, frozenset(codes if holds else others))

    # --- amounts

    def _amount(self, token: _Token) -> Amount:
        exact = self._number(token)
        return Amount("number", exact) if exact is not None else Amount("name", token)

    def _sum(self) -> Amount:
        found = self._product()
        while sign := self._sign("+", "-"):
            found = Amount(sign, (found, self._product()))
        return found

    def _product(self) -> Amount:
        found = self._factor()
        while sign := self._sign("*", "/"):
            found = Amount(sign, (found, self._factor()))
        return found

    def _sign(self, *signs: str) -> str | None:
        return self._skip(*signs) if self._next().kind == "word" else None

    def _factor(self) -> Amount:
        self._deeper()
        if self._sign("-"):
            found = Amount("-", (Amount("number", Fraction(0)), self._factor()))
        elif self._skip("("):
            found = self._sum()
            self._need(")")
        else:
            found = self._amount(self._take())
        self._depth -= 1
        return found

    def _compared(self, left: Amount, sign: str, right: Amount) -> Meaning:
        return lambda holds: self._linear(Amount("-", (left, right)), sign if holds else OPPOSITE[sign])

    def _linear(self, difference: Amount, sign: str) -> Formula:
        """An amount compared with 0."""
        divisors: list[Form] = []
        used: set[int] = set()
        try:
            over, under = self._quotient(difference, divisors, used)
        except LookupError:  # a number of the row is missing
            return ALWAYS
        except ZeroDivisionError:
            return NEVER
        defined = [_joined("or", [self._row(form, "<"), self._row(form, ">")]) for form in divisors]
        if not under[0]:
            core = self._row(over, sign if under[1] > 0 else MIRRORED[sign])
        else:
            above = _joined("and", [self._row(under, ">"), self._row(over, sign)])
            below = _joined("and", [self._row(under, "<"), self._row(over, MIRRORED[sign])])
            core = _joined("or", [above, below])
        return _joined("or", [*map(self._missing, sorted(used)), _joined("and", [*defined, core])])

    def _missing(self, j: int) -> Formula:
        """The feature has no number."""
        domain = self._old.domains[j]
        if domain.line is not None:  # only the row itself may lack it
            return NEVER if self._old.numbers[j] is not None else ("is", j, frozenset([MISSING]))
        codes = frozenset(code for code in range(domain.size or 0) if domain.interval(code) is None)
        return ("is", j, codes) if codes else NEVER

    def _quotient(self, amount: Amount, divisors: list[Form], used: set[int]) -> tuple[Form, Form]:
        one: Form = ({}, Fraction(1))
        if amount.kind == "number":
            return ({}, amount.said), one
        if amount.kind == "name":
            return self._name(amount.said, used), one
        (a, b), (c, d) = (self._quotient(part, divisors, used) for part in amount.said)
        match amount.kind:
            case "+" | "-":
                sign = Fraction(1 if amount.kind == "+" else -1)
                if b == d:
                    return _plus(a, _scaled(c, sign)), b
                return _plus(_times(a, d), _scaled(_times(c, b), sign)), _times(b, d)
            case "*":
                return _times(a, c), _times(b, d)
        if not c[0] and not c[1]:
            raise ZeroDivisionError
        if c[0]:
            divisors.append(c)
        return _times(a, d), _times(b, c)

    def _name(self, token: _Token, used: set[int]) -> Form:
        named = self._named(token)
        if named is None:
            raise Rejected("form", f"the relation {self._text!r} has no feature {token.text!r}")
        prefix, j = named
        old = self._old.numbers[j]
        if prefix and old is None:
            raise LookupError(token.text)
        if prefix == "old.":
            return {}, Fraction(old or 0)
        used.add(j)
        return {j: Fraction(1)}, Fraction(0) if not prefix else -Fraction(old or 0)

    def _row(self, form: Form, sign: str) -> Formula:
        """A form compared with 0."""
        terms, constant = form
        if sign in (">", ">="):
            return self._row(_scaled(form, Fraction(-1)), MIRRORED[sign])
        if sign in ("<", "<="):
            return _atom(terms, -constant, sign == "<")
        size = abs(constant) + sum(
            (abs(c * Fraction(self._old.numbers[j] or 0)) for j, c in terms.items()), Fraction(0)
        )
        near, mirrored = NEAR * max(size, Fraction(1)), _scaled(form, Fraction(-1))
        if sign == "=":
            return _joined("and", [_atom(terms, near - constant, False), _atom(mirrored[0], near + constant, False)])
        return _joined("or", [_atom(terms, -near - constant, True), _atom(mirrored[0], -near + constant, True)])


class Amount(NamedTuple):
    """A number, a name, or two amounts with a sign between them."""

    kind: str
    said: Any


def _compare(number: Fraction | None, sign: str, value: Fraction) -> bool:
    if number is None:
        return False
    return {"<": number < value, "<=": number <= value, ">": number > value, ">=": number >= value}[sign]


def _atom(terms: dict[int, Fraction], most: Fraction, strict: bool) -> Formula:
    if terms:
        return "row", tuple(sorted(terms.items())), most, strict
    return ALWAYS if most > 0 or (most == 0 and not strict) else NEVER


def _joined(kind: str, parts: Sequence[Formula]) -> Formula:
    deciding, idle = (NEVER, ALWAYS) if kind == "and" else (ALWAYS, NEVER)
    if deciding in parts:
        return deciding
    left = tuple(part for part in parts if part != idle)
    return left[0] if len(left) == 1 else (kind, left)


def _plus(one: Form, two: Form) -> Form:
    total = dict(one[0])
    for j, coefficient in two[0].items():
        total[j] = total.get(j, Fraction(0)) + coefficient
    return {j: c for j, c in total.items() if c}, one[1] + two[1]


def _scaled(form: Form, factor: Fraction) -> Form:
    return {j: c * factor for j, c in form[0].items() if factor}, form[1] * factor


def _times(one: Form, two: Form) -> Form:
    if one[0] and two[0]:
        raise Rejected("form", "a relation multiplies two columns")
    return _scaled(one, two[1]) if one[0] else _scaled(two, one[1])
