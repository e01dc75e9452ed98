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

    key: str
    heading: str
    bars: tuple[Bar, ...]
    #: Bars that were left out of the picture; the table has them.
    hidden: tuple[Bar, ...]

    @property
    def described(self) -> str:
        """The picture in words, for those who do not see it."""
        return "; ".join(f"{bar.name}: {bar.count:,} ({bar.percent})" for bar in self.bars)


def bars(key: str, heading: str, counts: Sequence[tuple[str, int]], whole: int, most: int) -> Chart:
    """A chart of counts that are parts of a whole, of which up to ``most`` are drawn."""
    drawn = [Bar(name, count, count / whole if whole else 0.0) for name, count in counts]
    return Chart(key, heading, tuple(drawn[:most]), tuple(drawn[most:]))
