"""Letters: what is said, in which words, and the page: HTML without scripts, laid out for paper."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path

from symcf.common.files import written_whole
from symcf.common.options import checked_choice
from symcf.data.regions import number_text
from symcf.errors import FileError, OptionError

__all__ = ["LANGUAGES", "MOST_REASONS", "PAPERS", "Letter", "LetterFacts", "Move", "Wording", "wording_of"]


# --- wording ----------------------------------------------------------------------------------------------------------
# The words of letters: a TOML file per language, and what users say instead.

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


# --- facts ------------------------------------------------------------------------------------------------------------
# What a letter says, as plain text: whoever makes these has left out what must not be said.


@dataclass(frozen=True)
class Move:
    """One change: the name of a feature, what it is, and what it would have to be."""

    feature: str
    old: str
    new: str


@dataclass(frozen=True)
class LetterFacts:
    """The facts of one letter."""

    decision: str
    #: The other decision; None where there are several.
    wanted: str | None
    #: In percent; None: not to be said.
    percent: str | None
    #: Names and values.
    reasons: tuple[tuple[str, str], ...]
    reasons_hidden: bool
    #: Were the reasons given by the sender, instead of counted?
    reasons_given: bool
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


#: More reasons than this do not help; see docs/howto/letters.md for the source.
MOST_REASONS = 4

PAPERS = {"a4": "A4", "letter": "letter"}

STYLE = """
@page { size: %s; margin: 18mm 20mm; }
body { font: 11pt/1.42 Georgia, "Times New Roman", serif; color: #111; background: #fff; max-width: 17cm;
  margin: 1.5cm auto; padding: 0 1cm; overflow-wrap: anywhere; }
header { display: flex; justify-content: space-between; gap: 1cm; margin-bottom: 1.1cm; white-space: pre-line; }
header p { margin: 0; }
h1 { font-size: 15pt; margin: 0 0 .5cm; }
h2 { font-size: 11.5pt; margin: .55cm 0 .1cm; }
p, ul { margin: .1cm 0; }
ul { padding-left: .6cm; }
table { border-collapse: collapse; margin: .2cm 0; width: 100%%; break-inside: avoid; }
th, td { text-align: left; padding: .06cm .3cm .06cm 0; border-bottom: .5pt solid #bbb; vertical-align: top; }
th { font-weight: normal; font-size: 9pt; color: #555; }
td:nth-child(2), th:nth-child(2) { width: 27%%; }
td:nth-child(3), th:nth-child(3) { width: 37%%; }
tr.way th { padding-top: .22cm; }
tr.way th:first-child { font-weight: bold; color: #111; font-size: 10.5pt; }
.small { font-size: 9pt; color: #444; }
.decision { font-size: 12.5pt; }
@media print { body { margin: 0; padding: 0; max-width: none; } }
"""


class Letter:
    """One page for one person; see `Explanation.letter`."""

    def __init__(self, facts: LetterFacts, wording: Wording, paper: str) -> None:
        self._facts, self._wording, self._paper = facts, wording, paper

    @property
    def html(self) -> str:
        """The page."""
        facts, words = self._facts, self._wording
        parts = [*_head(facts, words), *_decision(facts, words), *_reasons(facts, words), *_ways(facts, words)]
        parts += [*_limits(facts, words), *_certificate(facts, words)]
        parts += _paragraph(words.say("closing"))
        title, style = escape(words.say("title")), STYLE % PAPERS[self._paper]
        page = (
            f'<!DOCTYPE html>\n<html lang="{escape(words.language)}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
            f"<style>{style}</style>\n</head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
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


def _paragraph(text: str, of: str = "") -> list[str]:
    kind = f' class="{of}"' if of else ""
    return [f"<p{kind}>{escape(text)}</p>"] if text else []


def _head(facts: LetterFacts, words: Wording) -> Iterator[str]:
    if facts.sender or facts.person or facts.date:
        to = words.say("to", person=facts.person) if facts.person else ""
        date = words.say("date", date=facts.date) if facts.date else ""
        right = "\n".join(part for part in (facts.sender, date) if part)
        yield f"<header><p>{escape(to)}</p><p>{escape(right)}</p></header>"
    yield f"<h1>{escape(words.say('title'))}</h1>"


def _decision(facts: LetterFacts, words: Wording) -> Iterator[str]:
    yield f"<h2>{escape(words.say('decision_head'))}</h2>"
    yield from _paragraph(words.say("decision", decision=facts.decision), "decision")
    if facts.percent is not None:
        yield from _paragraph(words.say("probability", percent=facts.percent))


def _reasons(facts: LetterFacts, words: Wording) -> Iterator[str]:
    if not facts.reasons and not facts.reasons_hidden:
        return
    yield f"<h2>{escape(words.say('reasons_head'))}</h2>"
    if facts.reasons:
        yield from _paragraph(words.say("reasons_chosen" if facts.reasons_given else "reasons"))
        said = [words.say("reason", feature=name, value=value) for name, value in facts.reasons]
        yield "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in said) + "</ul>"
        how = words.say("reasons_given") if facts.reasons_given else words.say("reasons_how", most=MOST_REASONS)
        hidden = [words.say("reasons_hidden")] if facts.reasons_hidden else []
        yield from _paragraph(" ".join([how, *hidden]), "small")
    else:
        yield from _paragraph(words.say("reasons_none"))


def _ways(facts: LetterFacts, words: Wording) -> Iterator[str]:
    yield f"<h2>{escape(words.say('ways_head'))}</h2>"
    if not facts.ways:
        none = "ways_none_stopped" if facts.ways_stopped else "ways_none_tried" if facts.ways_tried else "ways_none"
        yield from _paragraph(words.say("ways_none_named" if facts.ways_hidden else none))
        return
    key = "ways_other" if facts.wanted is None else "ways_one" if len(facts.ways) == 1 else "ways"
    yield from _paragraph(words.say(key, **({} if facts.wanted is None else {"wanted": facts.wanted})))
    yield "<table>"
    for number, moves in enumerate(facts.ways, start=1):
        way = words.say("way", number=number) if len(facts.ways) > 1 else ""
        heads = (words.say("now"), words.say("needed")) if number == 1 else ("", "")
        columns = "".join(f"<th>{escape(head)}</th>" for head in heads)
        yield f'<tr class="way"><th>{escape(way)}</th>{columns}</tr>'
        yield from map(_row, moves)
    yield "</table>"
    if facts.ways_stopped is not None:
        yield from _paragraph(words.say("ways_stopped", count=facts.ways_stopped), "small")
    elif facts.ways_count is None:
        yield from _paragraph(words.say("ways_cut"), "small")
    elif facts.ways_count > len(facts.ways) and not facts.ways_hidden:
        yield from _paragraph(words.say("ways_most", count=words.number(facts.ways_count)), "small")
    if facts.ways_hidden:
        yield from _paragraph(words.say("ways_hidden"), "small")


def _row(move: Move) -> str:
    return f"<tr><td>{escape(move.feature)}</td><td>{escape(move.old)}</td><td>{escape(move.new)}</td></tr>"


def _limits(facts: LetterFacts, words: Wording) -> Iterator[str]:
    if facts.limits:
        yield f"<h2>{escape(words.say('fixed_head'))}</h2>"
        yield from _paragraph(" ".join(facts.limits))


def _certificate(facts: LetterFacts, words: Wording) -> Iterator[str]:
    if facts.number is not None:
        yield f"<h2>{escape(words.say('certificate_head'))}</h2>"
        yield from _paragraph(words.say("certificate", number=facts.number))
