"""The form of a certificate: JSON in any formatting, read in one way only.

White space, escapes, the order of keys and the way in which a number is written make no difference. A repeated key, and
a number that is no finite double and no integer, are errors. The number of a certificate is made of its canonical form.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from os import PathLike, fspath
from typing import IO, Any, NoReturn, TypeVar

from symcf.errors import FileError

__all__ = [
    "FORMAT",
    "MOST_UNITS",
    "VERSION",
    "Effort",
    "Rejected",
    "bits",
    "canonical",
    "certificates_in",
    "fingerprint_of",
    "indices",
    "integer",
    "items",
    "number_of",
    "parse",
    "plain_number",
    "read_certificate",
    "record",
    "words",
]


FORMAT, VERSION = "symcf certificate", 2

#: Deeper nesting, and integers of more bits, are in no certificate.
DEEPEST, MOST_BITS = 64, 512

T = TypeVar("T")


class Rejected(Exception):
    """A certificate that is not true, or not a certificate; ``check`` names the test that it failed."""

    def __init__(self, check: str, problem: str) -> None:
        super().__init__(problem)
        self.check, self.problem = check, problem


def canonical(data: Any) -> str:
    """What numbers and fingerprints are made of: ASCII, keys in order, no spaces, numbers as `plain_number` gives."""
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True)


def plain_number(number: float) -> int | float:
    """A double as certificates have it: an integer where it is one. `OverflowError` if it is infinite."""
    return int(number) if number.is_integer() or number - number != 0 else number


def number_of(data: dict[str, Any]) -> str:
    """The number of a certificate: 80 bits of SHA-256 of everything but the number, to be quoted in a letter."""
    rest = {key: value for key, value in data.items() if key != "number"}
    letters = base64.b32encode(hashlib.sha256(canonical(rest).encode()).digest()[:10]).decode()
    return "-".join(letters[i : i + 4] for i in range(0, 16, 4))


def fingerprint_of(model: dict[str, Any]) -> str:
    """The fingerprint of a model: SHA-256 of its names and its rule, as a certificate has them."""
    rest = {key: value for key, value in model.items() if key != "fingerprint"}
    return f"sha256:{hashlib.sha256(canonical(rest).encode()).hexdigest()}"


def parse(text: str, look: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """The object that the text holds; `Rejected` if it could be read in more than one way. ``look`` may raise."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise Rejected("text", "a key comes twice in one object")
        return found

    def refuse(constant: str) -> NoReturn:
        raise Rejected("text", f"{constant} is not a number")

    try:
        data = json.loads(
            text, object_pairs_hook=once, parse_constant=refuse, parse_float=lambda word: plain_number(float(word))
        )  # a number that is too large for a double raises OverflowError
    except (ValueError, RecursionError, OverflowError) as error:  # ValueError: also for integers of thousands of digits
        raise Rejected("text", f"it is not JSON: {str(error)[:200]}") from None
    look()
    _check_size(data)
    look()
    if not isinstance(data, dict):
        raise Rejected("text", "it is not an object")
    return data


def _check_size(data: Any) -> None:
    waiting, depth = [data], 0
    while waiting:
        depth += 1
        if depth > DEEPEST:
            raise Rejected("text", f"it is nested more than {DEEPEST} deep")
        inside: list[Any] = []
        for value in waiting:
            if type(value) is int and value.bit_length() > MOST_BITS:
                raise Rejected("text", f"it has an integer of more than {MOST_BITS} bits")
            if isinstance(value, dict):
                inside += value.values()
            elif isinstance(value, list):
                inside += value
        waiting = [value for value in inside if not isinstance(value, str)]


# --- what is expected where -------------------------------------------------------------------------------------------


def record(data: Any, where: str, keys: Sequence[str]) -> list[Any]:
    """The values of an object that has these keys and no others."""
    if not isinstance(data, dict) or data.keys() != set(keys):
        raise Rejected("form", f"{where} must be an object with the keys {', '.join(keys)}")
    return [data[key] for key in keys]


def integer(data: Any, where: str, least: int | None = None, end: int | None = None) -> int:
    """An integer from ``least`` to before ``end``."""
    if type(data) is not int or (least is not None and data < least) or (end is not None and data >= end):
        raise Rejected("form", f"{where} is not an integer that may stand there")
    return data


def items(data: Any, where: str, each: Callable[[Any, str], T], count: int | None = None) -> list[T]:
    """A list whose members are read by ``each``, as many as ``count``."""
    if not isinstance(data, list) or (count is not None and len(data) != count):
        raise Rejected("form", f"{where} must be a list" + ("" if count is None else f" of {count}"))
    return [each(member, where) for member in data]


def indices(data: Any, where: str, end: int) -> tuple[int, ...]:
    """Ascending integers from 0 to before ``end``, each once."""
    if not isinstance(data, list):
        raise Rejected("form", f"{where} must be a list")
    last = -1
    for member in data:
        if type(member) is not int or not last < member < end:
            raise Rejected("form", f"{where} must list integers below {end} in ascending order, each once")
        last = member
    return tuple(data)


# --- effort -----------------------------------------------------------------------------------------------------------
# How much one check may look at: a small file must not keep a reader busy for hours.


#: What a check may spend; a unit is a simple step of Python, so this is some minutes.
MOST_UNITS = 1 << 31


class Effort:
    """Counts what is looked at, in the same units on every machine.

    >>> Effort(3).spend(4)
    Traceback (most recent call last):
        ...
    symcf.proof.checker.form.Rejected: checking it takes more than 3 steps; allow more with steps=
    """

    def __init__(self, most: int = MOST_UNITS, look: Callable[[], None] = lambda: None) -> None:
        """``look`` is called again and again; it may raise."""
        self._most = self._left = most
        self._look = look

    def spend(self, units: int) -> None:
        """Takes note of some steps before they are made; `Rejected` if they are too many."""
        self._look()
        self._left -= units
        if self._left < 0:
            raise Rejected("effort", f"checking it takes more than {self._most:,} steps; allow more with steps=")


def words(bits: int) -> int:
    """The steps that an operation with integers of so many bits takes."""
    return 1 + (bits >> 12)


def bits(mask: int) -> Iterator[int]:
    """The places of the ones in a mask, ascending. It takes as many steps as the mask has bits, at most."""
    digits = format(mask, "b")[::-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


# --- files ------------------------------------------------------------------------------------------------------------
# Certificates in files.


#: Bytes of the largest file that is read.
MOST_BYTES = 1 << 28


def read_certificate(path: str | PathLike[str]) -> str:
    """The text of a file; `FileError` if it is not one."""
    with open(path, "rb") as file:
        return _text(file, fspath(path))


def _text(file: IO[bytes], name: str) -> str:
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FileError(
            f"{name}: too large to check: certificates are read from files of at most {MOST_BYTES >> 20} MiB; split "
            "the file by its lines"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{name}: not a certificate: it is not text in UTF-8") from None


def certificates_in(path: str | PathLike[str]) -> list[str]:
    """The texts of a file with one certificate, in any formatting, or one per line (- is stdin); `FileError` if there
    is none.
    """
    piped = path == "-" and sys.stdin is not None
    text = _text(sys.stdin.buffer, "stdin") if piped else read_certificate(path)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines:
        raise FileError(f"{fspath(path)}: there is no certificate in it")
    return lines if len(lines) > 1 and lines[0].endswith("}") else [text]
