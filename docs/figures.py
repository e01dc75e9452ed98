"""Draws the pictures of the documentation: ``python docs/figures.py`` rewrites docs/admission.svg.

Small decision diagrams, laid out in layers with the standard library alone (Sugiyama et al. 1981, in short). Every
level is a row, an edge that skips levels passes each of them through an invisible point, rows are permuted until no
exchange of two neighbours saves a crossing, and then everything moves towards the middle of what it is connected with.
The result depends on the diagram only, so that a picture changes only if its diagram does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from pathlib import Path

import symcf
from symcf.demo import admission

ROW, GAP, MARGIN = 92, 30, 28
NODE_HEIGHT, POINT_WIDTH, LETTER = 36, 14, 7.6
INK, PAPER, QUIET = "#1f2937", "#ffffff", "#9ca3af"


@dataclass(eq=False)
class Item:
    """A node, a sink, or the point where a long edge passes a level."""

    row: int
    label: str = ""
    sink: bool = False
    x: float = 0.0
    above: list[Item] = field(default_factory=list)
    below: list[Item] = field(default_factory=list)

    @property
    def width(self) -> float:
        """Room for the label."""
        return max(54.0, LETTER * len(self.label) + 26) if self.label else POINT_WIDTH

    @property
    def y(self) -> float:
        """The middle of the row."""
        return MARGIN + NODE_HEIGHT / 2 + ROW * self.row


@dataclass(frozen=True)
class Edge:
    """From a node to its child for a value, through the points on its way."""

    node: int
    value: int
    stops: tuple[Item, ...]


@dataclass(frozen=True)
class Trail:
    """An instance whose way through the diagram is drawn thick, and what the legend says about it."""

    row: Sequence[int]
    colour: str
    text: str


# --- layout -----------------------------------------------------------------------------------------------------------


def children(diagram: symcf.Diagram, node: int) -> list[int]:
    """By value. Two values per feature."""
    return diagram.core.child[2 * (node - 2) : 2 * (node - 1)].tolist()


def layers(diagram: symcf.Diagram, sinks: Sequence[str]) -> tuple[list[list[Item]], list[Edge]]:
    """The rows, in the order in which a walk from the root, value 0 first, comes across the items."""
    core = diagram.core
    rows: list[list[Item]] = [[] for _ in range(core.n + 1)]
    items: dict[int, Item] = {}
    edges: list[Edge] = []

    def visit(node: int) -> Item:
        if node not in items:
            level = int(core.level[node])
            label = sinks[node] if node < 2 else diagram.features[diagram.order[level]]
            items[node] = Item(level, label, sink=node < 2)
            rows[level].append(items[node])
            for value, child in enumerate(children(diagram, node) if node > 1 else []):
                points = [Item(row) for row in range(level + 1, int(core.level[child]))]
                for point in points:
                    rows[point.row].append(point)
                edges.append(Edge(node, value, (items[node], *points, visit(child))))
        return items[node]

    visit(core.root)
    for edge in edges:
        for upper, lower in pairwise(edge.stops):
            upper.below.append(lower)
            lower.above.append(upper)
    return rows, edges


def crossings(upper: list[Item], lower: list[Item]) -> int:
    """How many pairs of edges between two rows cross."""
    place = {item: i for i, item in enumerate(lower)}
    ends = [(i, place[end]) for i, item in enumerate(upper) for end in item.below]
    return sum((a - c) * (b - d) < 0 for k, (a, b) in enumerate(ends) for c, d in ends[:k])


def untangle(rows: list[list[Item]]) -> None:
    """Exchanges neighbours as long as that saves a crossing."""

    def total() -> int:
        return sum(crossings(upper, lower) for upper, lower in pairwise(rows))

    best, better = total(), True
    while better:
        better = False
        for row in rows:
            for i in range(len(row) - 1):
                row[i], row[i + 1] = row[i + 1], row[i]
                now = total()
                if now < best:
                    best, better = now, True
                else:
                    row[i], row[i + 1] = row[i + 1], row[i]


def spread(row: list[Item], wish: dict[Item, float]) -> None:
    """As near to their wishes as room allows: the mean of packing from the left and from the right."""

    def pack(items: list[Item], side: int) -> list[float]:
        xs = [wish[items[0]]]
        for previous, item in pairwise(items):
            room = xs[-1] + side * ((previous.width + item.width) / 2 + GAP)
            xs.append(max(wish[item], room) if side > 0 else min(wish[item], room))
        return xs

    left, right = pack(row, 1), pack(row[::-1], -1)[::-1]
    for item, a, b in zip(row, left, right, strict=True):
        item.x = (a + b) / 2


def place(rows: list[list[Item]]) -> tuple[float, float]:
    """Gives every item its x. Returns width and height of the picture."""
    for row in rows:
        spread(row, dict.fromkeys(row, 0.0))
    for sweep in range(40):
        for row in rows if sweep % 2 else reversed(rows):
            near = {item: item.above + item.below for item in row}
            spread(row, {item: sum(o.x for o in others) / len(others) for item, others in near.items()})
    everything = [item for row in rows for item in row]
    shift = MARGIN - min(item.x - item.width / 2 for item in everything)
    for item in everything:
        item.x = round(item.x + shift, 1)
    return max(item.x + item.width / 2 for item in everything) + MARGIN, everything[-1].y + NODE_HEIGHT / 2 + MARGIN


# --- drawing ----------------------------------------------------------------------------------------------------------


def curve(stops: Sequence[Item], aside: float) -> str:
    """Smooth from item to item, leaving and arriving upright; `aside` keeps two edges of one node apart."""
    start, *middle, end = stops
    points = [(start.x + aside, start.y + NODE_HEIGHT / 2), *((p.x, p.y) for p in middle)]
    points.append((end.x + landing(stops), end.y - NODE_HEIGHT / 2 - 5))
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(points):
        bend = (y1 - y0) * 0.5
        path += f" C{x0:.1f} {y0 + bend:.1f} {x1:.1f} {y1 - bend:.1f} {x1:.1f} {y1:.1f}"
    return path


def landing(stops: Sequence[Item]) -> float:
    """Edges arrive side by side, in the order in which they come."""
    before, end = stops[-2], stops[-1]
    coming = sorted(end.above, key=lambda item: item.x)
    step = min(16.0, (end.width - 30) / max(1, len(coming) - 1))
    return step * (coming.index(before) - (len(coming) - 1) / 2)


def edge_svg(edge: Edge, colours: Sequence[str]) -> Iterable[str]:
    """An edge, in the colours of the trails that take it."""
    dash = "" if edge.value else ' stroke-dasharray="6 5"'
    path = curve(edge.stops, 11 if edge.value else -11)
    colour, width = (colours[0], 3.2) if colours else (INK, 1.5)
    marker = f"arrow-{colour[1:]}"
    yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash} marker-end="url(#{marker})"/>'
    if len(colours) > 1:  # a second trail shares the edge: dots of its colour on top
        yield (
            f'<path d="{path}" fill="none" stroke="{colours[1]}" stroke-width="{width}" '
            f'stroke-dasharray="10 10" marker-end="url(#{marker})"/>'
        )


def item_svg(item: Item) -> Iterable[str]:
    """A node or a sink; nothing for a point."""
    if not item.label:
        return
    radius = 5 if item.sink else NODE_HEIGHT / 2
    fill, ink = (INK, PAPER) if item.sink else (PAPER, INK)
    yield (
        f'<rect x="{item.x - item.width / 2:.1f}" y="{item.y - NODE_HEIGHT / 2:.1f}" width="{item.width:.1f}" '
        f'height="{NODE_HEIGHT}" rx="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'
    )
    yield (f'<text x="{item.x:.1f}" y="{item.y + 5:.1f}" text-anchor="middle" fill="{ink}">{escape(item.label)}</text>')


def legend(trails: Sequence[Trail], top: float) -> Iterable[str]:
    """The legend of the lines, one per row."""
    entries = [(INK, 1.5, "", "value 1"), (INK, 1.5, ' stroke-dasharray="6 5"', "value 0")]
    entries += [(trail.colour, 3.2, "", trail.text) for trail in trails]
    for i, (colour, width, dash, text) in enumerate(entries):
        y = top + 24 * i
        yield f'<path d="M{MARGIN} {y:.1f}h36" stroke="{colour}" stroke-width="{width}"{dash}/>'
        yield f'<text x="{MARGIN + 48}" y="{y + 5:.1f}" fill="{INK}">{escape(text)}</text>'


def draw(diagram: symcf.Diagram, sinks: Sequence[str], trails: Sequence[Trail] = (), title: str = "") -> str:
    """The diagram as SVG."""
    rows, edges = layers(diagram, sinks)
    untangle(rows)
    width, height = place(rows)
    legend_top = height + 6
    width = max([width, *(MARGIN * 2 + 48 + LETTER * len(trail.text) for trail in trails)])
    height = legend_top + 24 * (1 + len(trails)) + MARGIN
    passed = [set(diagram._trace(trail.row)) for trail in trails]
    colours = {
        (edge.node, edge.value): [
            trail.colour for trail, way in zip(trails, passed, strict=True) if (edge.node, edge.value) in way
        ]
        for edge in edges
    }
    edges.sort(key=lambda edge: len(colours[edge.node, edge.value]))  # trails on top
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="14" role="img">',
        f"<title>{escape(title)}</title>",
        "<defs>",
        *(arrow(colour) for colour in dict.fromkeys([INK, *(trail.colour for trail in trails)])),
        "</defs>",
        f'<rect width="100%" height="100%" rx="10" fill="{PAPER}"/>',
        *(line for edge in edges for line in edge_svg(edge, colours[edge.node, edge.value])),
        *(line for row in rows for item in row for line in item_svg(item)),
        f'<path d="M{MARGIN} {legend_top - 22:.1f}H{width - MARGIN:.1f}" stroke="{QUIET}" stroke-width="0.7"/>',
        *legend(trails, legend_top),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def arrow(colour: str) -> str:
    """The head of edges of this colour."""
    return (
        f'<marker id="arrow-{colour[1:]}" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="11" markerHeight="11" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.8L10 5L0 9.2z" fill="{colour}"/></marker>'
    )


def admission_figure() -> str:
    """The paper's example: the first applicant, and the same with work experience."""
    diagram = symcf.compile(admission(), order="natural").diagram
    trails = [
        Trail([1, 0, 1, 0], "#c2410c", "applicant (1, 0, 1, 0): rejected"),
        Trail([1, 1, 1, 0], "#0f766e", "the same with work experience: admitted"),
    ]
    return draw(diagram, ["rejected", "admitted"], trails, "The admission classifier as a decision diagram")


def main() -> None:
    """Writes every picture beside this file."""
    (Path(__file__).parent / "admission.svg").write_text(admission_figure(), encoding="utf-8")


if __name__ == "__main__":
    main()
