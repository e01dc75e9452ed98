"""The words of letters: a TOML file per language, and what users say instead."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from symcf.common.options import checked_choice
from symcf.data.regions import number_text
from symcf.errors import FileError, OptionError

__all__ = ["LANGUAGES", "Wording", "wording_of"]

HERE = Path(__file__).parent

LANGUAGES = ("en", "de")


class Wording:
    """Sentences by key, and how numbers are written."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        self._sentences = dict(sentences)

    @property
    def language(self) -> str:
        """The language, as HTML names it."""
        return self._sentences["language"]

    def say(self, key: str, **facts: object) -> str:
        """A sentence with its blanks filled in."""
        return self._sentences[key].format(**facts)

    def number(self, number: float) -> str:
        """A number in full, with the signs of the language: 2,480.5 or 2.480,5."""
        text = number_text(number)
        if "e" in text or "n" in text:  # powers of ten, and what is no number
            return text.replace(".", self._sentences["decimal"])
        sign, digits = text[: text.startswith("-")], text.removeprefix("-")
        whole, _, part = digits.partition(".")
        grouped = f"{int(whole):,}".replace(",", self._sentences["thousands"]) if len(whole) > 4 else whole
        return f"{sign}{grouped}{self._sentences['decimal'] + part if part else ''}"


def wording_of(language: str, instead: Mapping[str, str] | str | PathLike[str] | None = None) -> Wording:
    """The words of a language. ``instead`` has those of some sentences: a mapping, or the name of a TOML file."""
    file = HERE / f"{checked_choice(language, 'language', LANGUAGES)}.toml"
    shipped = tomllib.loads(file.read_text(encoding="utf-8"))
    if instead is None:
        return Wording(shipped)
    if not isinstance(instead, (Mapping, str, PathLike)):
        raise OptionError(f"wording must be a mapping or the name of a TOML file, not {instead!r}")
    given = instead if isinstance(instead, Mapping) else _read(instead)
    for key, sentence in given.items():
        if key not in shipped:
            raise OptionError(f"wording: there is no sentence {key!r}: there are {', '.join(shipped)}")
        if not isinstance(sentence, str):
            raise OptionError(f"wording[{key!r}] must be text, not {sentence!r}")
        _check_blanks(key, sentence, shipped[key])
    return Wording({**shipped, **given})


def _read(path: str | PathLike[str]) -> dict[str, str]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: not a TOML file: {error}") from None


def _check_blanks(key: str, sentence: str, shipped: str) -> None:
    """A sentence must not ask for more than its place knows, nor for parts of it."""
    try:
        parts = list(string.Formatter().parse(sentence))
    except ValueError as error:
        raise OptionError(f"wording[{key!r}]: {error}; write {{{{ for a brace") from None
    known = {name for _, name, _, _ in string.Formatter().parse(shipped) if name is not None}
    for _, name, form, conversion in parts:
        if form or conversion:
            raise OptionError(f"wording[{key!r}]: write {{{name}}} without : and !")
    for name in {name for _, name, _, _ in parts if name is not None} - known:
        listed = ", ".join(f"{{{each}}}" for each in sorted(known)) or "none"
        raise OptionError(f"wording[{key!r}]: {{{name}}} is not filled in there; there are {listed}")
