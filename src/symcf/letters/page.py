"""Letters: what is said, in which words, and the page: HTML without scripts, laid out for paper.

The pages are templates (``templates/``). Everything that is filled in is escaped, and stands by itself (``<bdi>``), so
that a name can neither be markup nor turn the text around it.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symcf.common.extras import load_extra
from symcf.common.files import written_whole
from symcf.common.options import checked_choice
from symcf.data.regions import number_text
from symcf.errors import FileError, OptionError

if TYPE_CHECKING:
    import jinja2

__all__ = [
    "LANGUAGES",
    "MOST_REASONS",
    "NUMBER",
    "PAPERS",
    "TEMPLATES",
    "US_WORDING",
    "Letter",
    "LetterFacts",
    "Move",
    "Wording",
    "checked_unit",
    "unit_name",
    "wording_of",
]


# --- wording ----------------------------------------------------------------------------------------------------------
# The words of letters: a TOML file per language, and what users say instead.

HERE = Path(__file__).parent

LANGUAGES = ("en", "de", "fr", "es", "it", "pl")

#: How the notice in the United States writes dates.
US_WORDING = {"day": "{month} {day}, {year}", "day_first": "{month} {day}, {year}"}


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

    def day(self, day: date) -> str:
        """A date, as letters have it."""
        months = self._sentences["months"].split(",")
        key = "day_first" if day.day == 1 else "day"
        return self.say(key, day=day.day, month=months[day.month - 1], year=day.year)

    def number(self, number: float, *, least: int = 5) -> str:
        """A number in full, with the signs of the language: 12,480.5 or 12.480,5.

        Numbers of fewer digits than ``least`` are not grouped: without a unit, 2019 may be a year.
        """
        text = number_text(number)
        if "e" in text or "n" in text:  # powers of ten, and what is no number
            return text.replace(".", self._sentences["decimal"])
        sign, digits = text[: text.startswith("-")], text.removeprefix("-")
        whole, _, part = digits.partition(".")
        grouped = f"{int(whole):,}".replace(",", self._sentences["thousands"]) if len(whole) >= least else whole
        return f"{sign}{grouped}{self._sentences['decimal'] + part if part else ''}"

    def quantity(self, number: float, unit: str) -> str:
        r"""A number with its unit, in the form that goes with the number; see `checked_unit`.

        >>> wording_of("pl").quantity(22, "miesiąc|miesiące|miesięcy|miesiąca")
        '22\xa0miesiące'
        >>> wording_of("en").quantity(2480, "EUR {number}")
        'EUR\xa02,480'
        """
        forms = unit.split("|")
        form = forms[FORMS[self.language][1](number) if len(forms) > 1 else 0]
        text = self.number(number, least=int(self._sentences["grouped"]))
        whole = form if NUMBER in form else f"{NUMBER} {form}"
        for loose in (f"{NUMBER} ", f" {NUMBER}"):
            whole = whole.replace(loose, loose.replace(" ", "\N{NO-BREAK SPACE}"))
        return whole.replace(NUMBER, text)


#: Where the number goes in a unit.
NUMBER = "{number}"


def _french(number: float) -> int:
    return int(abs(number) >= 2)


def _polish(number: float) -> int:
    """One; a few (2 to 4, 22 to 24, but 12 to 14); many; part of one."""
    if number != int(number):
        return 3
    n = abs(int(number))
    return 0 if n == 1 else 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


def _one_or_other(number: float) -> int:
    return int(abs(number) != 1)


#: By language, how many forms a word that is counted has, and which goes with a number.
FORMS: dict[str, tuple[int, Callable[[float], int]]] = {
    "en": (2, _one_or_other),
    "de": (2, _one_or_other),
    "fr": (2, _french),
    "es": (2, _one_or_other),
    "it": (2, _one_or_other),
    "pl": (4, _polish),
}

#: The forms, as messages show them.
EXAMPLES = {
    "en": "month|months",
    "de": "Monat|Monate",
    "fr": "jour|jours",
    "es": "mes|meses",
    "it": "mese|mesi",
    "pl": "miesiąc|miesiące|miesięcy|miesiąca",
}


def checked_unit(unit: str, language: str, place: str) -> str:
    """A unit as users write it: a word, or all its forms, such as month|months; {number} says where the number goes.

    >>> checked_unit("month|months|monthses", "en", "units: 'duration'")
    Traceback (most recent call last):
    symcf.errors.OptionError: units: 'duration': 'month|months|monthses' has 3 forms; write one, or 2 as in month|months
    """
    forms, needed = unit.split("|"), FORMS[language][0]
    if len(forms) not in (1, needed):
        raise OptionError(
            f"{place}: {unit!r} has {len(forms)} forms; write one, or {needed} as in {EXAMPLES[language]}"
        )
    if not all(form.replace(NUMBER, "").strip() for form in forms):
        raise OptionError(f"{place}: {unit!r} has a form without a word")
    if any(set("{}") & set(form.replace(NUMBER, "")) for form in forms):
        raise OptionError(f"{place}: {unit!r} has braces; only {NUMBER} may stand in them")
    return unit


def unit_name(unit: str) -> str:
    """A unit by itself, as for many: "months" of month|months, "EUR" of EUR {number}."""
    forms = unit.split("|")
    return " ".join(forms[2 if len(forms) == FORMS["pl"][0] else -1].replace(NUMBER, " ").split())


def wording_of(language: str, instead: Mapping[str, str] | str | PathLike[str] | None = None) -> Wording:
    """The words of a language. ``instead`` has those of some sentences: a mapping, or the name of a TOML file."""
    file = HERE / f"{checked_choice(language, 'language', LANGUAGES)}.toml"
    shipped = _shipped(file)
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
    if "day" in given and "day_first" not in given:
        given = {**given, "day_first": given["day"]}
    return Wording({**shipped, **given})


@cache
def _shipped(file: Path) -> dict[str, str]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


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


# --- facts ------------------------------------------------------------------------------------------------------------
# What a letter says, as plain text: whoever makes these has left out what must not be said.


@dataclass(frozen=True)
class Move:
    """One change: the name of a feature, what it is, and what it would have to be."""

    feature: str
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class LetterFacts:
    """The facts of one letter."""

    decision: str
    #: The other decision; None where there are several.
    wanted: str | None
    #: In percent; None: not to be said.
    percent: str | None
    #: As sentences; how they were found, as a sentence; and before them, what they are.
    reasons: tuple[str, ...]
    reasons_how: str
    reasons_intro: str
    reasons_hidden: bool
    ways: tuple[tuple[Move, ...], ...]
    ways_hidden: bool
    #: How many ways there are in all; None: not known.
    ways_count: int | None
    #: Where a limit stopped the search: how many ways it had found. None: it was not stopped.
    ways_stopped: str | None
    #: Were only some values of the facts tried?
    ways_tried: bool
    #: What was held fixed, as sentences.
    limits: tuple[str, ...]
    number: str | None
    #: The letter's head and foot.
    person: str = ""
    sender: str = ""
    date: str = ""
    #: What a policy adds: paragraphs by key, the features that may be named, sentences about recorded facts that may be
    #: wrong, the sources of facts, and what the template of a country or union needs (`Policy`).
    paragraphs: Mapping[str, str] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    features_hidden: bool = False
    corrections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    notice: Mapping[str, Any] | None = None


#: More reasons than this do not help; see docs/howto/letters.md for the source.
MOST_REASONS = 4

PAPERS = {"a4": "A4", "letter": "letter"}

TEMPLATES = ("general", "us", "eu")


class Letter:
    """One page for one person; see `Explanation.letter`."""

    def __init__(self, facts: LetterFacts, wording: Wording, paper: str, template: str = "general") -> None:
        self._facts, self._wording, self._paper, self._template = facts, wording, paper, template

    @property
    def html(self) -> str:
        """The page."""
        words = self._wording
        page = _template(f"{self._template}.html").render(
            facts=self._facts, say=words.say, number=words.number, language=words.language, paper=PAPERS[self._paper]
        )
        return page.encode("utf-8", "replace").decode()  # halves of characters, which no file can hold

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the page to a file."""
        with written_whole(path) as name, open(name, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:60em;border:1px solid #ccc"></iframe>'

    def __repr__(self) -> str:
        return f"Letter({self._facts.decision!r}, {len(self._facts.ways)} ways, {self._wording.language!r})"


@cache
def _template(name: str) -> jinja2.Template:
    loaded = load_extra("jinja2", "a letter")
    environment = loaded.Environment(
        autoescape=True,
        undefined=loaded.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=loaded.FileSystemLoader(HERE / "templates"),
    )
    found: jinja2.Template = environment.get_template(name)
    return found
