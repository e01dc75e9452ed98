"""The diagram as a picture, by graphviz, with the paths of an instance and of a counterfactual.

    symcf.drawing.draw(c, x, e[0], path="diagram.svg")

`draw` makes a `Drawing`: text in graphviz's language, which is shown in a notebook and can be saved as SVG, PNG or PDF
where graphviz's program ``dot`` is installed. The text itself (``.dot``) needs no other program.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Hashable, Iterator, Sequence
from html import escape
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from symcf.answers.facts import Counterfactual
from symcf.answers.render import shortened
from symcf.common.text import one_line
from symcf.data.labels import code_of
from symcf.data.phrases import value_text
from symcf.errors import FileError, LimitError, OptionError

if TYPE_CHECKING:
    from symcf.system.classifier import Classifier
    from symcf.system.diagram import Diagram

__all__ = ["Drawing", "draw"]

#: The palette of Okabe and Ito, as in `symcf.plots`. The paths also differ in their line styles.
NOW, THEN, INK, QUIET = "#d55e00", "#0072b2", "#222222", "#8c8c8c"
THICK = "penwidth=3.2 arrowsize=0.9"

#: Letters of a name, and of all values on an edge.
NAME, VALUES = 28, 36

TEXT_SUFFIXES = (".dot", ".gv")
PICTURE_SUFFIXES = (".svg", ".png", ".pdf")
#: Seconds that graphviz may take.
PATIENCE = 60


def draw(
    c: Classifier,
    x: Any = None,
    counterfactual: Counterfactual | None = None,
    path: str | PathLike[str] | None = None,
    *,
    of: Hashable | None = None,
    max_nodes: int = 300,
) -> Drawing:
    """The diagram of a classifier, with the paths of an instance and of a counterfactual through it.

    Parameters
    ----------
    c:
        A compiled classifier. Its diagram is built if that has not been done.
    x:
        The instance, as `explain` takes it.
    counterfactual:
        One of its counterfactuals.
    path:
        Where to save it: ``.dot`` or ``.gv`` for the text; ``.svg``, ``.png`` or ``.pdf`` for a picture, which needs
        graphviz's program ``dot``.
    of:
        With more than two classes, the class whose diagram is drawn; by default that of the counterfactual, else that
        of the instance.
    max_nodes:
        A larger diagram would be unreadable, and raises `LimitError`.
    """
    ways = []
    now = None if x is None else c.instance(x)[0].tolist()
    if now is not None:
        ways.append(Way(now, NOW, "the instance"))
    if counterfactual is not None:
        ways.append(Way(counterfactual.instance.tolist(), THEN, "the counterfactual"))
    k = _class(c, now, counterfactual, of)
    diagram = c.class_diagram(k)
    if diagram.size > max_nodes:
        raise LimitError(
            f"the diagram has {diagram.size:,} nodes, more than max_nodes={max_nodes:,}: too many to be read"
        )
    drawing = Drawing("\n".join(_dot(c, diagram, k, ways)) + "\n")
    if path is not None:
        drawing.save(path)
    return drawing


def _class(c: Classifier, now: Sequence[int] | None, cf: Counterfactual | None, of: Hashable | None) -> int:
    if of is not None:
        return code_of(of, c.classes, "of")
    if c.n_classes == 2:
        return 1
    if cf is not None:
        return cf.target
    if now is not None:
        return int(c.decide(np.array([now]))[0])
    raise OptionError(f"draw: each of {c.n_classes} classes has a diagram: give of=, an instance or a counterfactual")


# --- graphviz's program -----------------------------------------------------------------------------------------------


class Drawing:
    """A picture in graphviz's language."""

    def __init__(self, dot: str) -> None:
        #: The text.
        self.dot = dot

    def save(self, path: str | PathLike[str]) -> None:
        """Writes it to a file; the suffix says in which format: .dot, .gv, .svg, .png or .pdf."""
        file = Path(fspath(path))
        suffix = file.suffix.lower()
        if suffix in TEXT_SUFFIXES:
            file.write_text(self.dot, encoding="utf-8")
        elif suffix in PICTURE_SUFFIXES:
            file.write_bytes(self._rendered(suffix[1:], f"{file}: "))
        else:
            known = ", ".join(TEXT_SUFFIXES + PICTURE_SUFFIXES)
            raise OptionError(
                f"{file}: a drawing is saved as one of {known}, not as {suffix or 'a file without suffix'}"
            )

    def to_svg(self) -> str:
        """As SVG. Needs graphviz."""
        return self._rendered("svg", "").decode("utf-8")

    def _rendered(self, form: str, where: str) -> bytes:
        program = shutil.which("dot")
        if program is None:
            raise FileError(
                f"{where}a picture needs graphviz's program 'dot', which is not installed (on Debian: apt install "
                f"graphviz); or save the text as .dot"
            )
        command = [program, f"-T{form}", *(["-Gdpi=110"] if form == "png" else [])]
        try:
            done = subprocess.run(command, input=self.dot.encode("utf-8"), capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise LimitError(f"{where}graphviz took more than {PATIENCE} seconds") from None
        if done.returncode:
            raise FileError(f"{where}graphviz: {one_line(done.stderr.decode('utf-8', 'replace').strip())}")
        return done.stdout

    def _repr_html_(self) -> str:
        """The picture; without graphviz, the text and a note on what is missing."""
        try:
            svg = self.to_svg()
        except (FileError, LimitError) as error:
            return f"<p>{escape(str(error))}</p><pre>{escape(self.dot)}</pre>"
        return f'<div style="background:white;display:inline-block;max-width:100%">{svg[svg.index("<svg") :]}</div>'

    def __str__(self) -> str:
        return self.dot

    def __repr__(self) -> str:
        return f"Drawing({self.dot.count('shape=')} nodes)"


# --- text -------------------------------------------------------------------------------------------------------------


class Way:
    """An instance whose path through the diagram is marked."""

    def __init__(self, row: Sequence[int], colour: str, text: str) -> None:
        self.row = row
        self.colour = colour
        self.text = text


def _dot(c: Classifier, diagram: Diagram, k: int, ways: Sequence[Way]) -> Iterator[str]:
    yield "digraph diagram {"
    yield f'  graph [fontname="Helvetica" nodesep=0.35 ranksep=0.5 label=<{_legend(c, diagram, ways)}> labelloc=b]'
    yield f'  node [fontname="Helvetica" fontsize=12 color="{INK}" fontcolor="{INK}" shape=ellipse]'
    yield f'  edge [fontname="Helvetica" fontsize=10 color="{QUIET}" fontcolor="{INK}" arrowsize=0.7]'
    trails = [dict(diagram._trace(way.row)) for way in ways]
    ends = [_end(diagram, trail) for trail in trails]
    yield from _sinks(c, diagram, k, ways, ends)
    for node in range(diagram.core.level.size - 1, 1, -1):
        feature = diagram.order[diagram.core.level[node]]
        yield f"  n{node} [label={_text(shortened(one_line(c.features[feature]), NAME))}]"
        yield from _edges(c, diagram, node, feature, ways, trails)
    yield "}"


def _end(diagram: Diagram, trail: dict[int, int]) -> int:
    """The sink that a path leads to."""
    if not trail:
        return diagram.core.root
    node, value = list(trail.items())[-1]
    return diagram._children(node)[value]


def _sinks(c: Classifier, diagram: Diagram, k: int, ways: Sequence[Way], ends: Sequence[int]) -> Iterator[str]:
    other = c.classes[1 - k] if c.n_classes == 2 else f"not {one_line(c.classes[k])}"
    for sink, label in ((0, other), (1, c.classes[k])):
        if sink in diagram._sinks():
            here = [way.colour for way, end in zip(ways, ends, strict=True) if end == sink]
            marked = f' penwidth=2.5 color="{here[0]}"' if here else ""
            yield f"  n{sink} [shape=box style=rounded label={_text(shortened(one_line(label), NAME))}{marked}]"


def _edges(
    c: Classifier, diagram: Diagram, node: int, feature: int, ways: Sequence[Way], trails: Sequence[dict[int, int]]
) -> Iterator[str]:
    """One line to each child, with all values that lead there."""
    by_child: dict[int, list[int]] = {}
    for value, child in enumerate(diagram._children(node)):
        by_child.setdefault(child, []).append(value)
    for child, values in by_child.items():
        on_it = [way for way, trail in zip(ways, trails, strict=True) if trail.get(node) in values]
        yield f"  n{node} -> n{child} [label={_text(f'  {_value_names(c, diagram, feature, values)} ')}{_style(on_it)}]"


def _style(on_it: Sequence[Way]) -> str:
    if not on_it:
        return ""
    if len(on_it) == 2:  # side by side
        return f' color="{NOW}:{THEN}" {THICK}'
    style = "" if on_it[0].colour == NOW else " style=dashed"
    return f' color="{on_it[0].colour}" {THICK}{style}'


def _value_names(c: Classifier, diagram: Diagram, feature: int, groups: Sequence[int]) -> str:
    """The names of all values that go this way."""
    labels = c.values[feature]
    if diagram.groups is None:
        codes = list(groups)
    else:
        codes = sorted(v for g in groups for v in diagram.groups.members[feature][g])
    names = [value_text(labels[code]) for code in codes]
    text = ", ".join(names)
    if len(text) <= VALUES:
        return text
    if len(names) > len(labels) / 2:
        others = ", ".join(value_text(label) for v, label in enumerate(labels) if v not in codes)
        if len(others) <= VALUES:
            return f"all but {others}"
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return shortened(names[0], VALUES) + more


def _legend(c: Classifier, diagram: Diagram, ways: Sequence[Way]) -> str:
    rows = [
        f'<tr><td width="34" height="4" fixedsize="true" bgcolor="{way.colour}"></td>'
        f'<td align="left"><font point-size="11">{escape(_described(c, way))}</font></td></tr>'
        for way in ways
    ]
    if len(ways) == 2:
        differing = [j for j, (a, b) in enumerate(zip(ways[0].row, ways[1].row, strict=True)) if a != b]
        for j in differing[:8]:
            old, new = (shortened(value_text(c.values[j][way.row[j]]), NAME) for way in ways)
            line = f"{shortened(one_line(c.features[j]), NAME)}: {old} → {new}"
            rows.append(f'<tr><td></td><td align="left"><font point-size="10">{escape(line)}</font></td></tr>')
    size = f"{diagram.size:,} nodes; values stand at the edges"
    rows.append(f'<tr><td colspan="2" align="left"><font point-size="10" color="{QUIET}">{size}</font></td></tr>')
    return f'<table border="0" cellborder="0" cellspacing="3">{"".join(rows)}</table>'


def _described(c: Classifier, way: Way) -> str:
    decided = one_line(c.classes[int(c.decide(np.array([way.row]))[0])])
    line = " (dashed where alone)" if way.colour == THEN else ""
    return f"{way.text}: {shortened(decided, NAME)}{line}"


def _text(label: str) -> str:
    return '"' + label.replace("\\", "\\\\").replace('"', '\\"') + '"'
