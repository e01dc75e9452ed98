"""Bar charts: what the template needs to draw them in SVG, with a table of the same numbers beside each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Bar", "Chart", "bars"]

#: Letters of a name that fit above its bar beside the number.
LETTERS = 28


@dataclass(frozen=True)
class Bar:
    """A name and a number."""

    name: str
    count: int
    #: The share of the whole.
    share: float
    #: How it is coloured: as something good or bad, or as neither.
    tone: str = "bar"

    @property
    def short(self) -> str:
        """The name, shortened to fit."""
        return self.name if len(self.name) <= LETTERS else self.name[: LETTERS - 1] + "…"

    @property
    def percent(self) -> str:
        """The share as people read it."""
        if 0 < self.share < 0.005:
            return "under 1%"
        return f"{self.share:.0%}" if self.share <= 0.995 or self.share == 1 else "over 99%"


@dataclass(frozen=True)
class Chart:
    """Bars with a heading."""

    heading: str
    bars: tuple[Bar, ...]
    #: Bars that were left out of the picture; the table has them.
    hidden: tuple[Bar, ...]

    @property
    def described(self) -> str:
        """The picture in words, for those who do not see it."""
        return "; ".join(f"{bar.name}: {bar.count:,} ({bar.percent})" for bar in self.bars)


def bars(heading: str, counts: Sequence[tuple[str, int]], whole: int, most: int, good: int | None = None) -> Chart:
    """A chart of counts that are parts of a whole, of which up to ``most`` are drawn. ``good``: the place of the only
    one that is good; None where none is better than another.
    """
    tones = ["bar" if good is None else "good" if i == good else "bad" for i in range(len(counts))]
    drawn = [Bar(name, n, n / whole if whole else 0.0, tone) for (name, n), tone in zip(counts, tones, strict=True)]
    return Chart(heading, tuple(drawn[:most]), tuple(drawn[most:]))
