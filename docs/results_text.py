"""Results of benchmarks, and how their figures are written: numbers, times, shares, tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


RESULTS = HERE.parent / "bench" / "results"


@cache
def load(name: str) -> Any:
    """Results of a benchmark."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def number(value: float) -> str:
    """Two digits, or all of them in front of the point."""
    if value == 0:
        return "0"
    if value >= 9.95:
        return f"{value:,.0f}"
    if value >= 0.995:
        return f"{value:.1f}"
    return f"{value:.2g}"


def time(seconds: float) -> str:
    """In the unit that people say."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.995 * size:
            return f"{number(seconds / size)} {unit}"
    return f"{number(seconds / 1e-9)} ns"


def spread(figure: dict[str, float], scale: float = 1.0) -> str:
    """A median with least and most in brackets."""
    return f"{number(scale * figure['median'])} ({number(scale * figure['least'])} .. {number(scale * figure['most'])})"


def percent(share: float | None) -> str:
    """A share in percent."""
    return "-" if share is None else "100 %" if share >= 1 else f"{100 * share:.1f} %"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; numbers to the right."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def load_of(data: Any) -> str:
    """How busy the machine was: one number, or from when the benchmark began to when it ended."""
    load = data.get("load", "-")
    return " to ".join(map(number, load)) if isinstance(load, list) else load if load == "-" else number(load)


def middle(count: dict[str, float] | None) -> str:
    """A median with the middle half in brackets."""
    if count is None:
        return "-"
    median, low, high = (f"{count[key]:,.0f}" for key in ("median", "quarter", "three_quarters"))
    return f"{median} ({low} .. {high})"
