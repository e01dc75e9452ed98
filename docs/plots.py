"""Draws the measurements: ``python docs/plots.py`` rewrites the pictures of `FIGURES` beside this file from
bench/results/*.json, with the standard library alone. A picture changes only if its figures do.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / "bench" / "results"

INK, PAPER, QUIET, GRID = "#1f2937", "#ffffff", "#6b7280", "#e5e7eb"
OURS, OURS_TOO, OURS_AS_WELL = "#0f766e", "#0891b2", "#6d28d9"
THEIRS, THEIRS_TOO = "#c2410c", "#a16207"

Point = tuple[float, float]


def load(name: str) -> Any:
    """Results of a benchmark."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


# --- drawing ----------------------------------------------------------------------------------------------------------


def text(
    x: float, y: float, words: str, *, anchor: str = "start", colour: str = INK, size: float = 13, bold: bool = False
) -> str:
    """A line of text; y is its middle."""
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-size="{size:g}"{weight}>{escape(words)}</text>'
    )


def rule(x0: float, y0: float, x1: float, y1: float, colour: str = GRID, width: float = 1) -> str:
    """A straight line."""
    return f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def page(width: float, height: float, title: str, subtitle: str, parts: Iterable[str]) -> str:
    """A picture with its heading."""
    return (
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
                f'height="{height:g}" font-family="Helvetica, Arial, sans-serif" role="img">',
                f"<title>{escape(title)}</title>",
                f'<rect width="100%" height="100%" rx="10" fill="{PAPER}"/>',
                text(24, 28, title, size=16, bold=True),
                text(24, 49, subtitle, colour=QUIET),
                *parts,
                "</svg>",
            ]
        )
        + "\n"
    )


def duration(seconds: float) -> str:
    """A power of ten in the unit that people say."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= 0.9999 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:g} s"


def amount(seconds: float) -> str:
    """A measured time, two digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= size:
            value = seconds / size
            return f"{value:.1f} {unit}" if value < 10 else f"{value:,.0f} {unit}"
    return f"{seconds:g} s"


# --- lines: time against size -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Series:
    """A line with its name at its end."""

    name: str
    colour: str
    points: list[Point]
    dashed: bool = False


def line_chart(
    title: str, subtitle: str, x_name: str, series: Sequence[Series], ticks: Sequence[int],
    label: Callable[[float], str] = duration,
) -> str:  # fmt: skip
    """Times, or whatever the label says, on a logarithmic axis."""
    width, height = 760.0, 470.0
    left, right, top, bottom = 74.0, 196.0, 76.0, 56.0
    lowest = math.floor(min(math.log10(y) for s in series for _, y in s.points))
    highest = math.ceil(max(math.log10(y) for s in series for _, y in s.points))
    first, last = min(ticks), max(ticks)

    def at_x(x: float) -> float:
        return left + (x - first) / (last - first) * (width - left - right)

    def at_y(y: float) -> float:
        return height - bottom - (math.log10(y) - lowest) / (highest - lowest) * (height - top - bottom)

    parts = []
    for power in range(lowest, highest + 1):
        y = at_y(10.0**power)
        parts.append(rule(left, y, width - right, y))
        parts.append(text(left - 10, y, label(10.0**power), anchor="end", colour=QUIET))
    for tick in ticks:
        parts.append(rule(at_x(tick), height - bottom, at_x(tick), height - bottom + 5, QUIET))
        parts.append(text(at_x(tick), height - bottom + 17, str(tick), anchor="middle", colour=QUIET))
    parts.append(text(at_x((first + last) / 2), height - 16, x_name, anchor="middle", colour=QUIET))
    labels = spread_labels([(at_y(s.points[-1][1]), s) for s in series], 17)
    for s in series:
        path = "M" + "L".join(f"{at_x(x):.1f} {at_y(y):.1f}" for x, y in s.points)
        dash = ' stroke-dasharray="5 4"' if s.dashed else ""
        parts.append(
            f'<path d="{path}" fill="none" stroke="{s.colour}" stroke-width="2.2" stroke-linejoin="round"{dash}/>'
        )
        parts += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3" fill="{s.colour}"/>' for x, y in s.points]
    for y, s in labels:
        end_x, end_y = at_x(s.points[-1][0]), at_y(s.points[-1][1])
        if abs(end_y - y) > 3:
            parts.append(rule(end_x + 5, end_y, end_x + 11, y, s.colour, 0.8))
        parts.append(text(end_x + 13, y, s.name, colour=s.colour, bold=True))
    return page(width, height, title, subtitle, parts)


def spread_labels(wanted: list[tuple[float, Series]], gap: float) -> list[tuple[float, Series]]:
    """Labels of lines that end at the same x must not overlap; the others are free."""
    placed: list[tuple[float, Series]] = []
    for y, s in sorted(wanted, key=lambda pair: pair[0]):
        same = [at for at, other in placed if other.points[-1][0] == s.points[-1][0]]
        placed.append((max(y, same[-1] + gap) if same else y, s))
    return placed


def speed_figure() -> str:
    """Time for all change sets of an instance against the number of features."""
    paper, peers = load("paper"), load("peers")
    table = paper["table"]

    def ours(key: str) -> list[Point]:
        return [(r["n"], 1e-3 * r["ours"][key]) for r in table if key in r["ours"]]

    larger = [(r["n"], r) for r in paper["larger"]]
    lbx = [(int(n), tools["LBX, as documented"]["mean_seconds"]) for n, tools in peers["sizes"].items()]
    series = [
        Series("the paper (2020)", THEIRS, [(r["n"], 1e-3 * r["paper"]["enumeration_ms"]) for r in table], dashed=True),
        Series("PySAT LBX", THEIRS_TOO, lbx),
        Series("symcf, sat", OURS_AS_WELL, ours("sat_ms")),
        Series("symcf, diagram", OURS_TOO, ours("diagram_ms") + [(n, 1e-3 * r["diagram_ms"]) for n, r in larger]),
        Series("symcf, cover", OURS, ours("cover_ms") + [(n, 1e-3 * r["cover_ms"]) for n, r in larger]),
    ]
    for s in series:
        s.points[:] = [p for p in s.points if p[0] >= 10]  # at five features all of them are overhead
    return line_chart(
        "All minimal counterfactuals of an instance",
        "processor time, random naive Bayes classifiers, one core; the paper's on their machine",
        "features",
        series,
        ticks=(10, 15, 20, 25, 30, 35, 40),
    )


def reasons_figure() -> str:
    """How many counterfactuals, PI- and MC-explanations an instance has, against the number of features."""
    by_size = load("reasons")["by_size"]
    names = (("changes", "change sets", OURS), ("reasons", "reasons", THEIRS), ("mc", "MC-explanations", OURS_AS_WELL))
    series = []
    for key, name, colour in names:
        series.append(Series(name, colour, [(s["features"], max(1, s["count"][key]["median"])) for s in by_size]))
    return line_chart(
        "How many explanations does a decision have?",
        "medians over random instances of random naive Bayes classifiers, exact counts",
        "features",
        series,
        ticks=[s["features"] for s in by_size],
        label=lambda count: f"{count:,.0f}",
    )


# --- bars -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bar:
    """A row: its name, its figure in seconds, and what else is to be said."""

    name: str
    seconds: float
    colour: str
    notes: tuple[str, ...] = ()


def bar_chart(
    title: str, subtitle: str, bars: Sequence[Bar], *, scale: Callable[[float], float], axis: Sequence[float],
    label: Callable[[float], str], heads: Sequence[str] = (), name_width: float = 190,
) -> str:  # fmt: skip
    """One bar a row, notes in columns to the right; `scale` maps a figure to 0..1."""
    row, top = 30.0, 92.0 if heads else 74.0
    note_width = 92.0
    width = 760.0
    left, right = name_width, 84.0 + note_width * len(heads)
    height = top + row * len(bars) + 48

    def at_x(seconds: float) -> float:
        return left + scale(seconds) * (width - left - right)

    parts = [
        line
        for tick in axis
        for line in (
            rule(at_x(tick), top - 4, at_x(tick), height - 40),
            text(at_x(tick), height - 27, label(tick), anchor="middle", colour=QUIET, size=12),
        )
    ]
    for i, head in enumerate(heads):
        x = width - 24 - note_width * (len(heads) - 1 - i)
        parts += [
            text(x, top - 22 + 14 * j, line, anchor="end", colour=QUIET, size=12)
            for j, line in enumerate(head.split("\n"))
        ]
    for i, bar in enumerate(bars):
        y = top + row * (i + 0.5)
        end = at_x(bar.seconds)
        parts.append(text(left - 10, y, bar.name, anchor="end", bold=bar.colour == OURS))
        parts.append(
            f'<rect x="{left:.1f}" y="{y - 9:.1f}" width="{max(1.0, end - left):.1f}" height="18" rx="2" '
            f'fill="{bar.colour}"/>'
        )
        parts.append(text(end + 7, y, amount(bar.seconds), size=12))
        for j, note in enumerate(bar.notes):
            parts.append(text(width - 24 - note_width * (len(heads) - 1 - j), y, note, anchor="end"))
    return page(width, height, title, subtitle, parts)


def peers_figure() -> str:
    """Who finds how much in what time, at the largest size."""
    peers = load("peers")
    n, tools = max(peers["sizes"].items(), key=lambda pair: int(pair[0]))
    names = {
        "symcf, a row of a table": ("symcf, a row of a table", OURS),
        "symcf, one explain() each": ("symcf, one explain()", OURS),
        "NICE sparsity": ("NICE", QUIET),
        "DiCE random, 10 wanted": ("DiCE, 10 wanted", QUIET),
        "DiCE random, 100 wanted": ("DiCE, 100 wanted", QUIET),
        "MCSls, as documented": ("PySAT MCSls", THEIRS_TOO),
        "LBX, as documented": ("PySAT LBX", THEIRS_TOO),
        "symcf `sat`, the same clauses": ("symcf sat, same clauses", OURS_AS_WELL),
    }

    def percent(share: float | None) -> str:
        return "-" if share is None else "100 %" if share >= 1 else f"{100 * share:.1f} %"

    bars = [
        Bar(name, tools[key]["mean_seconds"], colour,
            (f"{tools[key]['given_an_instance']:,.0f}", percent(tools[key]["minimal"]),
             percent(tools[key]["share_of_all_minimal"])))
        for key, (name, colour) in names.items() if key in tools
    ]  # fmt: skip
    low, high = -6, math.ceil(math.log10(max(bar.seconds for bar in bars)))
    return bar_chart(
        f"Counterfactuals at {n} features: how fast, how many, how good",
        "time per instance (logarithmic), the same classifiers and instances, one core",
        bars,
        scale=lambda s: (math.log10(s) - low) / (high - low),
        axis=[10.0**p for p in range(low, high + 1, 2)],
        label=duration,
        heads=("counter-\nfactuals", "of these\nminimal", "of all minimal\nones found"),
        name_width=208,
    )


def batch_figure() -> str:
    """What a change set costs in a table of rows."""
    batch = load("batch")
    n, rows = batch["against_memcpy"]["n"], batch["against_memcpy"]["rows"]
    in_c, in_python = batch["against_counting"]["ns_a_set"], batch["against_memcpy"]["ns_a_set"]
    bars = [
        Bar("found, only counted (C)", 1e-9 * in_c["count"]["median"], QUIET),
        Bar("copied, warm memory", 1e-9 * in_python["memcpy, warm memory"]["median"], QUIET),
        Bar("copied, fresh memory", 1e-9 * in_python["memcpy, fresh memory"]["median"], QUIET),
        Bar("explain_batch, as found", 1e-9 * in_python["as found"]["median"], OURS),
        Bar("explain_batch, sorted", 1e-9 * in_python["sorted"]["median"], OURS),
    ]
    most = 10 * math.ceil(max(bar.seconds for bar in bars) * 1e8)
    return bar_chart(
        "What a change set costs",
        f"{n} features, {rows:,} rows, all change sets, one thread, processor time",
        bars,
        scale=lambda s: s * 1e9 / most,
        axis=[1e-9 * tick for tick in range(0, most + 1, 10)],
        label=lambda s: f"{s * 1e9:.0f} ns" if s else "0",
        name_width=206,
    )


# ----------------------------------------------------------------------------------------------------------------------


# --- digits -----------------------------------------------------------------------------------------------------------

CELL, GAP = 16, 40


def image_panel(x: float, y: float, image: Sequence[int], changed: Sequence[int]) -> list[str]:
    """Eight by eight pixels, black or white; those that change in colour: filled where they become black."""
    parts = [f'<rect x="{x:g}" y="{y:g}" width="{8 * CELL}" height="{8 * CELL}" fill="none" stroke="{QUIET}"/>']
    for i, black in enumerate(image):
        left, top = x + CELL * (i % 8), y + CELL * (i // 8)
        box = f'x="{left:g}" y="{top:g}" width="{CELL}" height="{CELL}"'
        if i in changed:
            inner = f'x="{left + 2:g}" y="{top + 2:g}" width="{CELL - 4}" height="{CELL - 4}"'
            parts.append(f'<rect {inner} fill="{PAPER if black else THEIRS}" stroke="{THEIRS}" stroke-width="3"/>')
        elif black:
            parts.append(f'<rect {box} fill="{INK}"/>')
    return parts


def digits_figure() -> str:
    """An image, and the smallest changes with which a compiled network says the other digit."""
    networks = [one for one in load("binary_networks")["networks"] if one.get("example")]
    network = max(networks, key=lambda one: (one["neurons"], -one["window"]))
    example = network["example"]
    now, then = example["decided"]
    title = f"Decided {now}; with these pixels changed, {then}"
    subtitle = (
        f"A binary network of {network['neurons']} neurons: the first of the smallest change sets, all proved minimal"
    )
    parts: list[str] = []
    for place, changed in enumerate([[], *example["changed"]]):
        x = 24 + place * (8 * CELL + GAP)
        parts += image_panel(x, 76, example["image"], changed)
        words = "the image" if not changed else f"{len(changed)} pixel{'s' * (len(changed) != 1)}"
        parts.append(text(x + 4 * CELL, 76 + 8 * CELL + 18, words, anchor="middle", colour=QUIET))
    count = 1 + len(example["changed"])
    return page(48 + count * 8 * CELL + (count - 1) * GAP, 76 + 8 * CELL + 40, title, subtitle, parts)


# --- growth of ensembles ----------------------------------------------------------------------------------------------


def growth_panel(x: float, y: float, name: str, values: Sequence[str], lines: dict[str, list[float]]) -> list[str]:
    """A small chart: milliseconds, logarithmic, against one size; values at equal distances."""
    width, height, low, high = 290.0, 150.0, -5, 0
    colours = dict(zip(lines, (OURS, OURS_TOO, OURS_AS_WELL), strict=False))

    def at_x(i: int) -> float:
        return x + 46 + i * (width - 76) / (len(values) - 1)

    def at_y(seconds: float) -> float:
        return y + height - (math.log10(seconds) - low) / (high - low) * height

    parts = [text(x + 46, y - 14, name, bold=True)]
    for power in range(low, high + 1):
        parts.append(rule(x + 46, at_y(10.0**power), x + width - 30, at_y(10.0**power)))
        parts.append(text(x + 38, at_y(10.0**power), duration(10.0**power), anchor="end", colour=QUIET, size=11))
    parts += [
        text(at_x(i), y + height + 15, value, anchor="middle", colour=QUIET, size=12) for i, value in enumerate(values)
    ]
    for label, points in lines.items():
        path = "M" + "L".join(f"{at_x(i):.1f} {at_y(value):.1f}" for i, value in enumerate(points))
        parts.append(f'<path d="{path}" fill="none" stroke="{colours[label]}" stroke-width="2.2"/>')
        parts.append(
            text(at_x(len(points) - 1) + 8, at_y(points[-1]), label, colour=colours[label], size=12, bold=True)
        )
    return parts


def growth_figure() -> str:
    """Time for all sets of few changes against trees, depth, columns and changes."""
    by = load("growth")["by"]
    names = {"trees": "trees", "depth": "depth", "columns": "columns", "changes": "changes allowed"}
    parts = []
    for place, (key, name) in enumerate(names.items()):
        sizes = by[key]
        if key == "changes":
            lines = {"": [1e-3 * one[value]["ms"]["median"] for value, one in sizes.items()]}
        else:
            lines = {f"≤ {m}": [1e-3 * one[m]["ms"]["median"] for one in sizes.values()] for m in ("1", "2", "3")}
        parts += growth_panel(24 + 362 * (place % 2), 100 + 226 * (place // 2), name, list(sizes), lines)
    return page(
        760,
        540,
        "How the engine boxes grows",
        "all sets of up to 1, 2, 3 changes of a row; XGBoost, 100 trees of depth 6, 20 columns, one of them varied",
        parts,
    )


def loglog_panel(x: float, y: float, width: float, series: Sequence[tuple[str, list[Point]]]) -> list[str]:
    """Milliseconds against a size, both logarithmic; each line has its name at its end."""
    height, labels = 330.0, 262.0
    sizes = [size for _, points in series for size, _ in points]
    times = [value for _, points in series for _, value in points]
    left, right = math.log10(min(sizes)), math.log10(max(sizes))
    low, high = math.floor(math.log10(1e-3 * min(times))), math.ceil(math.log10(1e-3 * max(times)))

    def at_x(size: float) -> float:
        return x + 50 + (math.log10(size) - left) / (right - left) * (width - 60 - labels)

    def at_y(ms: float) -> float:
        return y + height - (math.log10(1e-3 * ms) - low) / (high - low) * height

    parts = []
    for power in range(low, high + 1):
        line = at_y(10.0 ** (power + 3))
        parts.append(rule(x + 50, line, x + width - labels, line))
        parts.append(text(x + 42, line, duration(10.0**power), anchor="end", colour=QUIET, size=11))
    for tick in (5, 10, 20, 40, 80, 100, 1_000):
        if 10**left <= tick <= 10**right:
            parts.append(text(at_x(tick), y + height + 15, f"{tick:,}", anchor="middle", colour=QUIET, size=11))
    palette = (OURS, OURS_TOO, OURS_AS_WELL, THEIRS, THEIRS_TOO, QUIET, INK)
    ranked = sorted(series, key=lambda one: at_y(one[1][-1][1]))
    ends = [at_y(points[-1][1]) for _, points in ranked]
    for i in range(1, len(ends)):  # labels must not overlap, nor leave the panel
        ends[i] = max(ends[i], ends[i - 1] + 14)
    ends[-1] = min(ends[-1], y + height)
    for i in reversed(range(len(ends) - 1)):
        ends[i] = min(ends[i], ends[i + 1] - 14)
    for place, (name, points) in enumerate(ranked):
        colour = palette[place % len(palette)]
        path = "M" + "L".join(f"{at_x(size):.1f} {at_y(value):.1f}" for size, value in points)
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-linejoin="round"/>')
        end_x, end_y = at_x(points[-1][0]), at_y(points[-1][1])
        parts.append(rule(end_x + 2, end_y, x + width - labels + 8, ends[place], colour, 0.6))
        parts.append(text(x + width - labels + 12, ends[place], name, colour=colour, size=11))
    return parts


def engines_figure() -> str:
    """Time against size for all engines and options, with exponents."""
    parts = []
    for place, (group, title) in enumerate((("engines", "Engines"), ("options", "Options"))):
        y = 92.0 + 400 * place
        found = [one for one in load("growth")["series"] if one["group"] == group]
        lines = []
        for one in found:
            grows = "" if one["exponent"] is None else f" ({one['exponent']:.1f})"
            lines.append((one["name"] + grows, [(float(size), ms) for size, ms in one["points"]]))
        parts += [text(24, y - 14, title, bold=True), *loglog_panel(24, y, 760, lines)]
    return page(
        800,
        880,
        "Time per row against size",
        "features or columns, processor time, both logarithmic; in brackets the exponent of the size",
        parts,
    )


FIGURES: dict[str, Callable[[], str]] = {
    "growth": growth_figure,
    "engines": engines_figure,
    "speed": speed_figure,
    "peers": peers_figure,
    "batch": batch_figure,
    "reasons": reasons_figure,
    "digits": digits_figure,
}


def main() -> None:
    """Writes every picture beside this file."""
    for name, figure in FIGURES.items():
        (HERE / f"{name}.svg").write_text(figure(), encoding="utf-8")


if __name__ == "__main__":
    main()
