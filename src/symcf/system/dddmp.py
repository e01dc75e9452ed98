"""Diagrams from text files of the format DDDMP-2.0, which CUDD and other BDD tools write.

A header of lines that begin with a dot, then a line per node: number, variable, place, then, else. Edges to a negative
number are complemented; frozen diagrams have no such edges, so a node of the file becomes up to two nodes here. Files
hold functions of variables with two values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath

from symcf import _core
from symcf.errors import FileError
from symcf.system.builder import NodeLimit, Nodes

__all__ = ["read_dddmp"]

#: More nodes are refused: they are put together one by one, in Python.
MAX_NODES = 1 << 24
#: So are more variables: a short file may state any number of them.
MAX_VARIABLES = 1 << 20


@dataclass(frozen=True)
class _Node:
    place: int
    then: int
    other: int


def read_dddmp(path: str | PathLike[str]) -> tuple[_core.Diagram, list[str]]:
    """The diagram of the file's only root, and the names of its variables, from the root down."""
    file = fspath(path)
    try:
        with open(file, encoding="utf-8") as text:
            return _File(iter(text)).diagram()
    except _Wrong as wrong:
        raise FileError(f"{file}: not a BDD in text of DDDMP-2.0: {wrong}") from None
    except UnicodeDecodeError:
        raise FileError(f"{file}: not a BDD in text of DDDMP-2.0: it is not text") from None
    except NodeLimit:
        raise FileError(f"{file}: the BDD has more than {MAX_NODES:,} nodes") from None


class _Wrong(Exception):
    """What is wrong with the file."""


class _File:
    def __init__(self, lines: Iterator[str]) -> None:
        self._header = dict(self._read_header(lines))
        self._nodes = dict(self._read_nodes(lines))

    # --- reading

    @staticmethod
    def _read_header(lines: Iterator[str]) -> Iterator[tuple[str, list[str]]]:
        for line in lines:
            word, *rest = line.split() or [""]
            if word == ".nodes":
                return
            if word and not word.startswith("."):
                raise _Wrong(f"{word[:40]!r} where the header should be")
            if word:
                yield word, rest
        raise _Wrong("there is no line .nodes")

    def _read_nodes(self, lines: Iterator[str]) -> Iterator[tuple[int, _Node | None]]:
        seen: set[int] = set()
        for line in lines:
            words = line.split()
            if words == [".end"]:
                if len(seen) != self._number(".nnodes"):
                    raise _Wrong(f".nnodes is {self._number('.nnodes')}, but there are {len(seen)} nodes")
                return
            if not words:
                continue
            try:
                number, place, then, other = (int(words[i]) for i in (0, -3, -2, -1))
            except (ValueError, IndexError):
                raise _Wrong(f"the line {line.strip()[:60]!r} is not a node") from None
            if number < 1 or number in seen or len(words) not in (4, 5):
                raise _Wrong(f"the line {line.strip()[:60]!r} is not a node, or one that was there before")
            seen.add(number)
            if then == 0:  # the sink
                if words[-3] != "1":
                    raise _Wrong(f"the sink {words[-3]}: only diagrams of truth values are read")
                yield number, None
            else:
                yield number, _Node(place, then, other)
        raise _Wrong("it ends before the line .end")

    def _number(self, word: str) -> int:
        try:
            (text,) = self._header[word]
            return int(text)
        except (KeyError, ValueError):
            raise _Wrong(f"the line {word} is missing, or does not hold one number") from None

    def _numbers(self, word: str) -> list[int]:
        try:
            return [int(text) for text in self._header.get(word, [])]
        except ValueError:
            raise _Wrong(f"the line {word} must hold numbers") from None

    # --- meaning

    def diagram(self) -> tuple[_core.Diagram, list[str]]:
        if self._header.get(".mode") != ["A"]:
            raise _Wrong("only files of mode A, which are text, are read")
        if self._number(".nroots") != 1:
            raise _Wrong("it must have one root")
        n, levels = self._number(".nvars"), sorted(self._numbers(".permids"))
        if n > MAX_VARIABLES:
            raise _Wrong(f"it has {n:,} variables, and at most {MAX_VARIABLES:,} are read")
        names = self._header.get(".orderedvarnames") or self._names(n)
        if len(names) != n or len(set(names)) != n:
            raise _Wrong(f"{len(names)} names for {n} variables, or a name that occurs twice")
        if len(levels) != self._number(".nsuppvars") or any(not 0 <= level < n for level in levels):
            raise _Wrong("the line .permids does not fit .nsuppvars and .nvars")
        nodes = Nodes(range(n), [2] * n, MAX_NODES)
        made: dict[int, tuple[int, int]] = {}  # by number: the node, and its negation
        for number, node in self._children_first():
            if node is None:
                made[number] = 1, 0
                continue
            level = levels[node.place]
            then, other = (_signed(made, edge) for edge in (node.then, node.other))
            one, opposite = (nodes.node(level, (other[i], then[i])) for i in (0, 1))
            made[number] = one, opposite
        root = self._number(".rootids")
        if abs(root) not in made:
            raise _Wrong(f"there is no node {abs(root)}, the root")
        return nodes.freeze(_signed(made, root)[0]), list(names)

    def _names(self, n: int) -> list[str]:
        """Without names of all: those that are tested by name, or else by number, and the others by level."""
        names = [f"level{level}" for level in range(n)]
        given = self._header.get(".suppvarnames") or [f"x{number}" for number in self._numbers(".ids")]
        for level, name in zip(self._numbers(".permids"), given, strict=False):
            if 0 <= level < n:
                names[level] = name
        return names

    def _children_first(self) -> Iterator[tuple[int, _Node | None]]:
        """The nodes by falling place: an edge that does not lead down is an error."""
        tested = self._number(".nsuppvars")

        def place(number: int) -> int:
            node = self._nodes.get(abs(number))
            if number == 0 or abs(number) not in self._nodes:
                raise _Wrong(f"there is no node {abs(number)}")
            return tested if node is None else node.place

        for number, node in self._nodes.items():
            if node is not None and not 0 <= node.place < min(place(node.then), place(node.other)):
                raise _Wrong(f"node {number} does not lead to variables below its own")
        yield from sorted(self._nodes.items(), key=lambda item: -place(item[0]))


def _signed(made: Mapping[int, tuple[int, int]], edge: int) -> tuple[int, int]:
    one, opposite = made[abs(edge)]
    return (one, opposite) if edge > 0 else (opposite, one)
