"""What a letter says, as plain text: whoever makes these has left out what must not be said."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LetterFacts", "Move"]


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
