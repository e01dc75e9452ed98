"""Commands about symcf: info and bench."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import time
from collections.abc import Hashable, Sequence
from statistics import fmean
from textwrap import wrap
from typing import Any

import numpy as np

import symcf
from symcf.cli import options as o
from symcf.cli.cells import spelled
from symcf.cli.models import open_compiled
from symcf.cli.output import dumps, plain, printable, text_format, width, write_text
from symcf.data.numbers import NumberLine
from symcf.data.reader import ColumnLayout
from symcf.fast import explain_batch
from symcf.search.plan import engines
from symcf.system.archive import VERSION

__all__ = ["info", "paper"]

EXTRAS = {
    "arrow": "pyarrow",
    "pandas": "pandas",
    "plot": "matplotlib",
    "report": "jinja2",
    "sklearn": "sklearn",
}


# --- info -------------------------------------------------------------------------------------------------------------


def info(
    model: str | None = None,
    format: o.TextFormat | None = None,
    output: str | None = None,
    trust: bool = False,
) -> int:
    """The installed symcf, or what is in a model: its classes, features and their values, and the columns it reads.

    Example: symcf info loans.symcf
    """
    facts = _installation() if model is None else _facts(model, open_compiled(model, trust=trust))
    as_json = text_format(output, format) == "json"
    write_text(output, f"{dumps(facts)}\n" if as_json else _listed(facts, width()))
    return 0


def _installation() -> dict[str, Any]:
    installed = {extra: importlib.util.find_spec(module) is not None for extra, module in EXTRAS.items()}
    return {
        "symcf": symcf.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "python-sat": importlib.metadata.version("python-sat"),
        "format of saved files": VERSION,
        "engines": list(engines()),
        "extras installed": [extra for extra, there in installed.items() if there],
        "extras missing": [extra for extra, there in installed.items() if not there],
    }


def _facts(path: str, compiled: symcf.Compiled) -> dict[str, Any]:
    model = compiled.model
    encoder = model.encoder if isinstance(model, symcf.Model) else None
    layout = ColumnLayout.of(compiled.features) if encoder is None else encoder.layout
    return {
        "file": path,
        "model": type(model).__name__,
        "reads": "value codes or labels" if encoder is None else "raw values",
        "columns": [layout.names[j] for j in layout.needed],
        "classes": [plain(label) for label in compiled.classes],
        "probabilities": compiled.has_probabilities,
        "diagrams": {
            spelled(compiled.classes[k]): {"nodes": d.size, "bytes": d.nbytes}
            for k, d in sorted(compiled.built_diagrams().items())
        },
        "features": {
            name: {"values": _values(labels), "ordered": ordered}
            for name, labels, ordered in zip(compiled.features, compiled.values, compiled.ordered, strict=True)
        },
    }


def _listed(facts: dict[str, Any], columns: int) -> str:
    """Facts as lines; lists are shortened."""
    lines = []
    for name, fact in facts.items():
        if name == "features":
            lines.append(f"features: {len(fact)}")
            for feature, about in fact.items():
                order = " (ordered)" if about["ordered"] and len(about["values"]) > 2 else ""
                lines += _folded(f"  {printable(feature)}: {_joined(about['values'])}{order}", columns)
        elif name == "diagrams":
            lines += [f"diagram of {printable(k)}: {d['nodes']:,} nodes, {d['bytes']:,} bytes" for k, d in fact.items()]
            lines += ["diagrams: none built yet"] * (not fact)
        else:
            lines += _folded(f"{name}: {_joined(fact) if isinstance(fact, list) else _word(fact)}", columns)
    return "\n".join(lines) + "\n"


def _joined(items: Sequence[Any]) -> str:
    return ", ".join(map(_word, items)) or "none"


def _word(item: Any) -> str:
    return {True: "yes", False: "no"}[item] if isinstance(item, bool) else printable(item)


def _values(labels: Sequence[Hashable]) -> list[Any]:
    """The names of values; of a column of numbers, the ends of its range."""
    if isinstance(labels, NumberLine):
        return [f"{labels.low:g} to {labels.high:g}"]
    return [plain(label) for label in labels]


def _folded(line: str, columns: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    return wrap(line.lstrip(), columns, initial_indent=indent, subsequent_indent=f"{indent}    ") or [line]


# --- bench ------------------------------------------------------------------------------------------------------------

#: The paper's table, by features: OBDD nodes, no-cut clauses, encoding in ms, MCSs per instance, enumeration in ms.
PAPER = {
    5: (9, 3, 1.4, 3, 1.9),
    10: (42, 64, 32.3, 23, 2.3),
    16: (370, 2_598, 2_725, 101, 17.8),
    20: (1_020, 27_122, 241_806, 305, 1_762),
    22: (2_546, 123_878, 430_471, 272, 9_299),
    25: (8_626, 684_847, 327_888_500, 364, 109_149),
}

ROWS = ("OBDD nodes", "no-cut clauses", "encoding, ms", "change sets per instance", "finding them, ms")


def paper(
    largest: int = 20,
    classifiers: int = 5,
    instances: int = 20,
    seed: int = 0,
    output: str | None = None,
) -> int:
    """The table of the paper behind symcf, measured here: random naive Bayes classifiers of 5 to 25 features.

    A small version that takes seconds. The benchmarks in the source code (make bench) are larger and also compare
    engines.

    Example: symcf bench paper --largest 16
    """
    sizes = [n for n in PAPER if n <= largest]
    _measured(5, 1, 1, seed)  # work that is done only once
    ours = {n: _measured(n, classifiers, instances, seed) for n in sizes}
    lines = ["averages, processor time; in brackets the paper's, on its authors' machine", ""]
    lines += [_line("features", [str(n) for n in sizes])]
    for j, name in enumerate(ROWS):
        digits = 3 if name.endswith("ms") else 0
        lines.append(_line(name, [f"{ours[n][j]:,.{digits}f}" for n in sizes]))
        lines.append(_line("", [f"({PAPER[n][j]:,})" for n in sizes]))
    write_text(output, "\n".join(lines) + "\n")
    return 0


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name:24}" + "".join(f"{cell:>15}" for cell in cells)


def _measured(n: int, classifiers: int, instances: int, seed: int) -> list[float]:
    """The averages for one size, in the order of ROWS."""
    parts = []
    for i in range(classifiers):
        random = np.random.default_rng([seed, n, i])
        model = symcf.NaiveBayes.binary(prior=float(random.random()), p1=random.random(n), p0=random.random(n))
        start = time.thread_time()
        compiled = symcf.compile(model)
        clauses = compiled.cnf().n_clauses
        encoded = time.thread_time()
        batch = explain_batch(compiled, random.integers(0, 2, size=(instances, n), dtype=np.uint8))
        found = time.thread_time()
        sets, seconds = batch.n_sets / instances, (found - encoded) / instances
        parts.append([compiled.diagram.size, clauses, 1e3 * (encoded - start), sets, 1e3 * seconds])
    return [fmean(column) for column in zip(*parts, strict=True)]
