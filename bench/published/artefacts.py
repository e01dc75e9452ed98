"""The files of published artefacts: read, and written for stand-ins. Nothing here knows symcf, but for `boosted_trees`.

trees = dump("booster[0]:\\n0:[f2<0.5] yes=1,no=2,missing=1 ...")     XGBoost's text dump, as nested dicts
rows, labels, names = table(path)                                    a CSV file whose last column is the class
explanations = ffa_log(text)                                         by row: contrastive and abductive explanations
sizes = xreason_log(text)                                            rows with the size of an explanation
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import symcf

Sets = set[frozenset[int]]

NODE = re.compile(
    r"\s*(\d+):(?:leaf=(\S+?)(?:,.*)?|\[(\w+)(?:<([^\]]+))?\] yes=(\d+),no=(\d+)(?:,missing=(\d+))?.*)\s*$"
)


# --- models -----------------------------------------------------------------------------------------------------------


def dump(text: str) -> list[dict[str, Any]]:
    """The trees of a text dump: tests ``less_than`` and leaves ``score``, with features by their index."""
    trees: list[dict[int, Any]] = []
    for line in text.splitlines():
        if line.startswith("booster["):
            trees.append({})
        elif line.strip():
            found = NODE.match(line)
            if found is None or not trees:
                raise ValueError(f"not a line of a text dump: {line!r}")
            trees[-1][int(found[1])] = found
    return [_node(nodes, 0) for nodes in trees]


def _node(nodes: dict[int, Any], at: int) -> dict[str, Any]:
    _, leaf, feature, cut, yes, no, _ = nodes[at].groups()
    if leaf is not None:
        return {"score": float(leaf)}
    # An indicator is written without a number: yes where it is 1.
    children = {"yes": _node(nodes, int(yes)), "no": _node(nodes, int(no))}
    if cut is None:
        children = {"yes": children["no"], "no": children["yes"]}
    return {"feature": int(feature[1:]), "less_than": 0.5 if cut is None else float(np.float32(cut)), **children}


@dataclass(frozen=True)
class Columns:
    """The columns of a table, some of which are categorical and stand for an indicator per value in the model."""

    names: list[str]
    #: By column that is categorical, its values.
    values: dict[int, list[float]] = field(default_factory=dict)

    def indicators(self) -> list[tuple[int, float | None]]:
        """What each feature of the model is: a column, and for an indicator its value."""
        found: list[tuple[int, float | None]] = []
        for j in range(len(self.names)):
            found += [(j, value) for value in self.values[j]] if j in self.values else [(j, None)]
        return found


def boosted_trees(trees: list[dict[str, Any]], columns: Columns, classes: Sequence[str]) -> symcf.Compiled:
    """Trees over the columns of the table; of several classes, the trees take turns. Numbers are 32-bit floats."""
    meaning = columns.indicators()

    def over_columns(node: dict[str, Any], label: str | None) -> dict[str, Any]:
        if "score" in node:
            return {"score": node["score"]} if label is None else {"score": node["score"], "class": label}
        j, value = meaning[node["feature"]]
        test: dict[str, Any]
        if value is None:
            test = {"less_than": node["less_than"]}
        else:  # an indicator is less than the cut for all other values
            test = {"in": [other for other in columns.values[j] if other != value]}
        below = {side: over_columns(node[side], label) for side in ("yes", "no")}
        return {"feature": columns.names[j], **test, **below}

    several = len(classes) > 2
    model = symcf.BoostedTrees(
        [over_columns(tree, classes[i % len(classes)] if several else None) for i, tree in enumerate(trees)],
        features=columns.names,
        values={columns.names[j]: values for j, values in columns.values.items()},
        classes=list(classes),
        float32=True,
        rounded=True,
    )
    return symcf.compile(model)


# --- tables -----------------------------------------------------------------------------------------------------------


def table(path: Path) -> tuple[np.ndarray, list[str], list[str]]:
    """Rows, classes, and the names of the columns; the class is the last column."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *lines = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    rows = np.array([[float(cell) for cell in line[:-1]] for line in lines])
    return rows, [line[-1] for line in lines], head[:-1]


def write_table(path: Path, rows: np.ndarray, labels: Iterable[Any], names: Sequence[str]) -> None:
    """The same file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "class"])
        writer.writerows([*map(_plain, row.tolist()), label] for row, label in zip(rows, labels, strict=True))


def _plain(value: float) -> int | float:
    return int(value) if value == int(value) else value


def columns_of(path: Path, rows: np.ndarray, names: list[str]) -> Columns:
    """With the categorical columns that `path` (NAME.csv.catcol) lists, if it exists."""
    chosen = [int(word) for word in path.read_text().split()] if path.exists() else []
    return Columns(names, {j: sorted(set(rows[:, j].tolist())) for j in chosen})


def model_of(folder: Path, name: str) -> tuple[symcf.Compiled, np.ndarray]:
    """The boosted trees NAME.mod.txt over the columns of NAME.csv, and its rows."""
    rows, labels, names = table(folder / f"{name}.csv")
    listed = folder / f"{name}.classes"
    classes = listed.read_text().split() if listed.exists() else sorted(set(labels), key=_numeric)
    trees = dump((folder / f"{name}.mod.txt").read_text())
    return boosted_trees(trees, columns_of(folder / f"{name}.csv.catcol", rows, names), classes), rows


def _numeric(label: str) -> tuple[int, float, str]:
    try:
        return 0, float(label), label
    except ValueError:
        return 1, 0.0, label


# --- logs -------------------------------------------------------------------------------------------------------------


@dataclass
class Explained:
    """What a log says about a row."""

    row: tuple[float, ...]
    contrastive: Sets = field(default_factory=set)
    abductive: Sets = field(default_factory=set)
    seconds: float | None = None


CONDITION = re.compile(r"(\S+) (?:==|!=) (\S+)")


def _features(text: str, names: Sequence[str]) -> frozenset[int]:
    """Features by their index (``[1, 4]``) or as conditions (``IF a == 1 AND b == 2 THEN ...``)."""
    if "==" in text or "!=" in text:
        return frozenset(names.index(name) for name, _ in CONDITION.findall(text.split(" THEN ")[0]))
    return frozenset(abs(int(word)) for word in re.findall(r"-?\d+", text))


def ffa_log(text: str, names: Sequence[str], contrastive_first: bool = True) -> list[Explained]:
    """By row, all explanations of both kinds. ``expl:`` are of the kind that was asked for, ``coex:`` of the other;
    ``cxp:`` and ``axp:`` name their kind. A row is ``explaining:`` followed by its conditions or its numbers.
    """
    found: list[Explained] = []
    first, second = ("contrastive", "abductive") if contrastive_first else ("abductive", "contrastive")
    kinds = {"expl": first, "coex": second, "cxp": "contrastive", "axp": "abductive"}
    for line in text.splitlines():
        word, _, rest = line.strip().partition(":")
        if word == "explaining":
            cells = [value for _, value in CONDITION.findall(rest.split(" THEN ")[0])] or re.findall(
                r"[-+.\deE]+", rest
            )
            found.append(Explained(tuple(float(cell.strip("',\"")) for cell in cells)))
        elif word in kinds and found:
            getattr(found[-1], kinds[word]).add(_features(rest, names))
        elif word == "rtime" and found:
            found[-1].seconds = float(rest)
    return found


def write_ffa_log(path: Path, explained: Iterable[Explained], names: Sequence[str]) -> None:
    """The same file, asked for contrastive explanations."""
    lines = []
    for i, one in enumerate(explained):
        conditions = " AND ".join(f"{name} == {value:g}" for name, value in zip(names, one.row, strict=True))
        lines += [f"inst: {i}", f'  explaining: "IF {conditions} THEN class"']
        lines += [f"  expl: {sorted(s)}" for s in one.contrastive] + [f"  coex: {sorted(s)}" for s in one.abductive]
        lines.append(f"  rtime: {one.seconds or 0:.2f}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def xreason_log(text: str) -> list[tuple[tuple[float, ...], int, float]]:
    """Rows with the size of the explanation that was found, and seconds."""
    blocks = [dict(re.findall(r"(?m)^(\w): (.*)$", block)) for block in text.split("\n\n")]
    found = (one for one in blocks if {"i", "s", "t"} <= set(one))
    return [(tuple(map(float, one["i"].split(","))), int(one["s"]), float(one["t"])) for one in found]


def write_xreason_log(path: Path, lines: Iterable[tuple[Sequence[float], int, float]]) -> None:
    """The same file."""
    blocks = [f"i: {','.join(f'{v:g}' for v in row)}\ns: {size}\nt: {seconds:.3f}" for row, size, seconds in lines]
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


# --- brute force for stand-ins ----------------------------------------------------------------------------------------


def cuts_of(trees: list[dict[str, Any]], n: int) -> list[list[float]]:
    """By feature, the numbers at which the trees cut."""
    cuts: list[set[float]] = [set() for _ in range(n)]
    stack = list(trees)
    while stack:
        node = stack.pop()
        if "feature" in node:
            cuts[node["feature"]].add(node["less_than"])
            stack += [node["yes"], node["no"]]
    return [sorted(values) for values in cuts]


def representatives(cuts: list[float]) -> np.ndarray:
    """A number of each interval."""
    if not cuts:
        return np.zeros(1)
    middles = [(a + b) / 2 for a, b in itertools.pairwise(cuts)]
    return np.array([cuts[0] - 1, *middles, cuts[-1] + 1])


def by_trying_all(
    predict: Callable[[np.ndarray], np.ndarray], cuts: list[list[float]], row: np.ndarray
) -> tuple[Sets, Sets]:
    """All contrastive and all abductive explanations of a row, from `predict` on every combination of intervals."""
    n, values = len(row), [representatives(some) for some in cuts]
    grid = np.stack(np.meshgrid(*values, indexing="ij"), axis=-1).reshape(-1, n)
    places = [np.searchsorted(some, row[j], side="right") for j, some in enumerate(cuts)]
    same = np.stack([grid[:, j] == column[places[j]] for j, column in enumerate(values)], axis=1)
    other = predict(grid) != predict(row[None, :])[0]
    masks = np.unique((~same[other]) @ (1 << np.arange(n)))
    contrastive = minimal({frozenset(j for j in range(n) if mask >> j & 1) for mask in masks.tolist()})
    subsets = (frozenset(s) for size in range(n + 1) for s in itertools.combinations(range(n), size))
    return contrastive, minimal({s for s in subsets if all(s & c for c in contrastive)})


def minimal(sets: Sets) -> Sets:
    """Those that contain no other."""
    found: list[frozenset[int]] = []
    for s in sorted(sets, key=len):
        if not any(other <= s for other in found):
            found.append(s)
    return set(found)


def names_in(folder: Path, ending: str) -> list[str]:
    """The models of a folder: files with this ending."""
    return sorted(path.name.removesuffix(ending) for path in folder.glob(f"*{ending}"))
