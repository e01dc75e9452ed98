"""Commands about the classifier itself: compile, cnf, wcnf, dot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Literal

import symcf
from symcf.cli import options as o
from symcf.cli.asked import class_of
from symcf.cli.exits import InputError
from symcf.cli.models import compiled_model, open_compiled, open_model, reader_of
from symcf.cli.output import open_output, print_line, write_text
from symcf.cli.tables import Data, all_rows, plain_rows
from symcf.common.clock import Clock
from symcf.common.files import written_whole
from symcf.errors import FileError, LimitError
from symcf.question.question import Question
from symcf.search.plan import plan
from symcf.system.classifier import MAX_MEMORY
from symcf.system.cnf import MAX_CLAUSES

__all__ = ["cnf", "compile", "dot", "wcnf"]

#: Endings of pictures that graphviz draws.
PICTURES = (".svg", ".png", ".pdf")


Clauses = Literal["no-cut", "node-cut", "aux-cut", "prime"]


def compile(
    model: str,
    output: str,
    order: Literal["influence", "natural", "sift"] = "influence",
    diagram: bool | None = None,
    max_nodes: int | None = None,
    max_memory: int = MAX_MEMORY >> 20,
    time_limit: float | None = None,
    plausible: str | None = None,
    data: str | None = None,
    trust: bool = False,
    *,
    reading: o.Input,
) -> int:
    """Makes one file of a model and the diagrams that explaining it takes, which the other commands load quickly and
    safely.

    Example: symcf compile loans.json --plausible applicants.csv -o loans.symcf
    """
    memory = min(max_memory << 20, 1 << 45)
    source = open_model(model, trust=trust, data=None if data is None else plain_rows(data, reading.reading()))
    compiled = compiled_model(model, source, order, max_nodes=max_nodes, max_memory=memory, time_limit=time_limit)
    if plausible is not None:
        rows, _, _ = all_rows(Data(plausible, compiled, reading.reading()))
        compiled.plausibility = symcf.Plausibility.fit(rows, reader_of(compiled, rows))
    if output == "-" or (os.path.exists(output) and not os.path.isfile(output)):
        raise InputError(f"-o {output}: not a file; name a file to write to")
    if _wants_diagrams(compiled) if diagram is None else diagram:
        for k in range(compiled.n_classes) if compiled.n_classes > 2 else (1,):
            compiled.class_diagram(k)
    compiled.save(output)
    nodes = sum(d.size for d in compiled.built_diagrams().values())
    without = "no diagram: explanations need none" if diagram is None else "no diagram yet"
    what = f"{nodes:,} nodes" if nodes else without
    print_line(f"{output}: {compiled.n_features} features, {compiled.n_classes} classes, {what}")
    return 0


def _wants_diagrams(compiled: symcf.Compiled) -> bool:
    """Is explaining a matter of diagrams?"""
    return plan(Question.checked(compiled)).default.needs_diagram


def cnf(
    model: str,
    of: str | None = None,
    clauses: Clauses = "no-cut",
    negate: bool = False,
    max_clauses: int = MAX_CLAUSES,
    time_limit: float | None = None,
    output: str | None = None,
    trust: bool = False,
) -> int:
    """The decision as clauses, in DIMACS format: satisfied by the rows that are given the class.

    Example: symcf cnf loans.symcf --clauses node-cut | minisat
    """
    clock = Clock(time_limit)
    compiled = open_compiled(model, trust=trust, time_limit=time_limit)
    label = _class(compiled, of)
    formula = compiled.cnf(clauses, negate, of=label, max_clauses=max_clauses, time_limit=clock.seconds)
    _write_pieces(output, formula.dimacs(), clock)
    return 0


def _write_pieces(output: str | None, pieces: Iterator[str], clock: Clock) -> None:
    with open_output(output) as file:
        for piece in pieces:
            if clock.expired:
                raise LimitError("time limit reached while writing the clauses; raise time_limit")
            file.write(piece.encode("ascii"))


def wcnf(
    model: str,
    data: str,
    *,
    row: int | None = None,
    asking: o.Asking,
    costs: o.Costs,
    clauses: Clauses = "no-cut",
    dialect: Literal["2022", "old"] = "2022",
    time_limit: float | None = None,
    output: str | None = None,
    reading: o.Input,
    trust: bool = False,
) -> int:
    """A row's question as partial MaxSAT: its minimal correction subsets are the sets of changes.

    Example: symcf wcnf loans.symcf applicants.csv --row 2 -o row2.wcnf
    """
    clock = Clock(time_limit)
    compiled = asking.opened(model, trust, time_limit)
    with Data(data, compiled, reading.reading()) as rows:
        x = rows.row(row).codes[0]
    coded = compiled.of_codes()
    asked = asking.of(coded) | costs.of(coded)
    problem = coded.wcnf(x, encoding=clauses, time_limit=clock.seconds, **asked)
    _write_pieces(output, problem.pieces(dialect), clock)
    return 0


def dot(
    model: str,
    data: str | None = None,
    *,
    row: int | None = None,
    of: str | None = None,
    counterfactual: bool = False,
    time_limit: float | None = None,
    output: str | None = None,
    reading: o.Input,
    trust: bool = False,
) -> int:
    """The decision diagram in graphviz's language, or as a picture if FILE ends in .svg, .png or .pdf.

    Example: symcf dot loans.symcf applicants.csv --row 2 --counterfactual | dot -Tsvg > loans.svg
    """
    compiled = open_compiled(model, trust=trust, time_limit=time_limit)
    coded = compiled.of_codes()
    x, other = None, None
    if data is not None:
        with Data(data, compiled, reading.reading()) as rows:
            x = rows.row(row).codes[0].tolist()
        if counterfactual:
            other = next(iter(coded.explain(x, k=1)), None)
    elif row is not None or counterfactual:
        raise InputError("--row and --counterfactual need a row of DATA; name a data file")
    label = _class(compiled, of)
    if output is not None and output.endswith(PICTURES):
        return _drawn(coded, x, other, label, output)
    diagram = coded.diagram if label is None else coded.diagram_of(label)
    ways = [way for way in (x, None if other is None else other.instance.tolist()) if way is not None]
    write_text(output, diagram.to_dot(highlight=ways))
    return 0


def _drawn(compiled: symcf.Compiled, x: Any, other: symcf.Counterfactual | None, label: Any, path: str) -> int:
    """A picture by graphviz, with names and a legend."""
    from symcf.drawing import draw

    drawing = draw(compiled, x, other, of=label)
    with written_whole(path, ending=os.path.splitext(path)[1]) as temporary:
        try:
            drawing.save(temporary)
        except FileError as error:
            raise InputError(str(error).replace(temporary, path)) from None
    return 0


def _class(compiled: symcf.Compiled, of: str | None) -> Any:
    if of is not None:
        return class_of(compiled, of, "--of")
    if compiled.n_classes != 2:
        raise InputError(f"each of the {compiled.n_classes} classes has a diagram: choose one with --of CLASS")
    return None
