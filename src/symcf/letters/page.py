"""The page: HTML without scripts and without anything from elsewhere, laid out for paper."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from os import PathLike

from symcf.common.files import written_whole
from symcf.letters.facts import LetterFacts, Move
from symcf.letters.wording import Wording

__all__ = ["MOST_REASONS", "PAPERS", "Letter"]

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
