"""Clauses: Σf as a buffer of literals, and Σf with an instance as a partial MaxSAT problem.

Variable ``j + 1`` is feature j if features have two values; `symcf.system.variables` has the general case. Auxiliary
variables of the node-cut and aux-cut encodings come after those of the features.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.options import checked_count
from symcf.errors import OptionError
from symcf.system.diagram import Diagram, split_clauses
from symcf.system.variables import Extra, Variables, at_most_one, zero_indicators

__all__ = ["ENCODINGS", "Cnf", "Wcnf", "encode", "wcnf"]

ENCODINGS = ("no-cut", "node-cut", "aux-cut", "prime")

#: Where the aux-cut encoding puts its variables, unless told otherwise: nodes with more incoming edges than this, and
#: wherever a clause would grow longer than this many literals.
MAX_IN = 2
MAX_LENGTH = 6

#: The most clauses that `Compiled.cnf` makes by default.
MAX_CLAUSES = 50_000_000

#: Larger cuts have no effect, since no diagram has as many edges or levels; chunks beyond 1 GiB are split.
MOST_CUT = (1 << 32) - 1
MOST_ENTRIES = 1 << 28

#: Literals turned into text at a time.
TEXT_CHUNK = 1 << 18


class Cnf:
    """A CNF in one int32 buffer, clauses ended by zeros."""

    def __init__(self, literals: npt.NDArray[np.int32], n_vars: int, n_clauses: int, variables: Variables) -> None:
        #: All clauses, each ended by a 0; read-only, without a copy of the core's buffer where nothing was added to it.
        self.literals = literals
        #: Variables, auxiliary ones included.
        self.n_vars = n_vars
        self.n_clauses = n_clauses
        #: The meaning of the features' variables.
        self.variables = variables

    @property
    def n_features(self) -> int:
        """Variables 1 .. n_features are the features'; one per feature if all have two values."""
        return self.variables.count

    def extended(self, extra: Extra, variables: Variables | None = None) -> Cnf:
        """The same with more clauses at the end."""
        literals = np.concatenate([self.literals, extra.literals])
        literals.flags.writeable = False
        return Cnf(literals, extra.n_vars, self.n_clauses + extra.n_clauses, variables or self.variables)

    def with_zeros(self) -> Cnf:
        """The same with a literal for value 0 of every feature, so that ``variables.literals`` has no gaps.

        Adds a variable and its clauses for each feature whose number of values is not two.
        """
        return self if self.variables.binary else self.extended(*zero_indicators(self.variables, self.n_vars))

    def clauses(self) -> Iterator[tuple[int, ...]]:
        """The clauses as tuples of literals."""
        return split_clauses(self.literals)

    def to_dimacs(self, path: str | PathLike[str] | None = None) -> str | None:
        """Writes the CNF in DIMACS format, or returns it as text without a path.

        Comments say what the variables are, unless they are just the features.
        """
        return _write(path, self.dimacs())

    def dimacs(self) -> Iterator[str]:
        """The same text in pieces, for problems larger than memory."""
        lines = [*_comments(self.variables), f"p cnf {self.n_vars} {self.n_clauses}\n"]
        return chain(lines, _clause_text(self.literals))

    def to_pysat(self) -> Any:
        """The same as a ``pysat.formula.CNF``."""
        from pysat.formula import CNF

        formula = CNF()
        formula.clauses = [list(clause) for clause in self.clauses()]
        formula.nv = self.n_vars
        return formula

    def __repr__(self) -> str:
        return f"Cnf({self.n_vars} variables, {self.n_clauses} clauses)"


class Wcnf:
    """Partial weighted MaxSAT: hard clauses, and one soft unit clause per feature that may change.

    The minimal correction subsets of the soft clauses are the change sets of the instance.
    """

    def __init__(self, cnf: Cnf, soft: npt.NDArray[np.int32], weights: list[int], fixed: npt.NDArray[np.int32]) -> None:
        #: Σf, or Σ¬f where the instance is positive; without the unit clauses of `fixed`.
        self.cnf = cnf
        #: The literals of the instance that may be given up.
        self.soft = soft
        #: What giving up each of them costs.
        self.weights = weights
        #: The literals of immutable features, and the negated ones of forbidden values: hard unit clauses.
        self.fixed = fixed

    @property
    def hard(self) -> Cnf:
        """The hard clauses, unit clauses at the end."""
        if not len(self.fixed):
            return self.cnf
        units = np.zeros(2 * len(self.fixed), dtype=np.int32)
        units[::2] = self.fixed
        return self.cnf.extended(Extra(units, len(self.fixed), self.cnf.n_vars))

    def at_most(self, changes: int) -> Wcnf:
        """The same with hard clauses that allow no more than this many soft clauses to be given up."""
        if changes >= len(self.soft):
            return self
        from pysat.card import CardEnc, EncType

        given_up = [-int(literal) for literal in self.soft]
        encoded = CardEnc.atmost(given_up, changes, top_id=self.cnf.n_vars, encoding=EncType.seqcounter)
        literals = [literal for clause in encoded.clauses for literal in (*clause, 0)]
        extra = Extra(np.array(literals, dtype=np.int32), len(encoded.clauses), max(encoded.nv, self.cnf.n_vars))
        return Wcnf(self.cnf.extended(extra), self.soft, self.weights, self.fixed)

    def to_file(self, path: str | PathLike[str] | None = None, *, format: str = "2022") -> str | None:
        """Writes the problem as WCNF, or returns it as text without a path.

        ``format`` is "2022" (``h`` marks hard clauses) or "old" (a ``p wcnf`` line; hard clauses weigh more than all
        soft ones together).
        """
        return _write(path, self.pieces(format))

    def pieces(self, format: str = "2022") -> Iterator[str]:
        """The same text in pieces, for problems larger than memory."""
        hard = self.hard
        if format == "2022":
            head, mark = "", "h"
        elif format == "old":
            top = sum(self.weights) + 1
            head, mark = f"p wcnf {hard.n_vars} {hard.n_clauses + len(self.soft)} {top}\n", str(top)
        else:
            raise OptionError(f"unknown WCNF format {format!r}: choose '2022' or 'old'")
        soft = (f"{weight} {literal} 0\n" for weight, literal in zip(self.weights, self.soft, strict=True))
        return chain([head], _clause_text(hard.literals, mark + " "), soft)

    def to_pysat(self) -> Any:
        """The same as a ``pysat.formula.WCNF``."""
        from pysat.formula import WCNF

        formula = WCNF()
        formula.hard = [list(clause) for clause in self.hard.clauses()]
        formula.soft = [[int(literal)] for literal in self.soft]
        formula.wght = list(self.weights)
        formula.nv = self.cnf.n_vars
        formula.topw = sum(self.weights) + 1
        return formula

    def __repr__(self) -> str:
        return f"Wcnf({self.cnf.n_vars} variables, {self.hard.n_clauses} hard, {len(self.soft)} soft clauses)"


def encode(
    diagram: Diagram,
    encoding: str = "no-cut",
    *,
    negate: bool = False,
    max_clauses: int | None = MAX_CLAUSES,
    max_in: int = MAX_IN,
    max_length: int = MAX_LENGTH,
    labels: Sequence[Sequence[Hashable]] | None = None,
    clock: Clock = NO_LIMIT,
) -> Cnf:
    """The CNF of a diagram's function, or of its negation.

    Its models over the features' variables are the inputs where the function is true: where features have more than two
    values, the last clauses say that a feature has only one of them. `max_clauses` does not count these. `labels` are
    names of the values for ``Cnf.variables``. `LimitError` when the time of `clock` is up.
    """
    limit = checked_count(max_clauses, "max_clauses", least=1) or 0
    if encoding == "no-cut":
        clauses = diagram.path_clauses(negate, limit, clock)
    elif encoding == "node-cut":
        clauses = _core.Clauses.nodes(diagram.core, negate, limit, clock.left)
    elif encoding == "aux-cut":
        edges = checked_count(max_in, "max_in", least=1, most=MOST_CUT)
        literals = checked_count(max_length, "max_length", least=1, most=MOST_CUT)
        cuts = (edges or MOST_CUT, literals or MOST_CUT)
        clauses = _core.Clauses.cuts(diagram.core, *cuts, negate, limit, clock.left)
    elif encoding == "prime":
        clauses = diagram.with_bdd(lambda bdd: _core.Clauses.primes(bdd, negate, limit, clock.left), clock)
    else:
        raise OptionError(f"unknown encoding {encoding!r}: choose from {', '.join(map(repr, ENCODINGS))}")
    variables = _variables(diagram, labels)
    cnf = Cnf(clauses.literals, clauses.n_vars, clauses.n_clauses, variables)
    return cnf if variables.binary else cnf.extended(at_most_one(variables, cnf.n_vars))


def _variables(diagram: Diagram, labels: Sequence[Sequence[Hashable]] | None = None) -> Variables:
    return Variables(diagram.core.arity[np.argsort(diagram.core.order)], diagram.features, labels)


def no_cut_chunks(
    diagram: Diagram, *, negate: bool = False, chunk_size: int = 1 << 20
) -> Iterator[npt.NDArray[np.int32]]:
    """The no-cut clauses in buffers of about `chunk_size` entries; never holds the whole CNF."""
    entries = checked_count(chunk_size, "chunk_size", least=1, most=MOST_ENTRIES) or 1
    cursor = _core.Paths(diagram.core, int(negate), True)
    while not cursor.done:
        chunk, _ = cursor.next_chunk(entries)
        if len(chunk):
            yield chunk
    variables = _variables(diagram)
    exclusive = at_most_one(variables, variables.count).literals
    if len(exclusive):
        yield exclusive


def wcnf(
    cnf: Cnf,
    codes: npt.ArrayLike,
    fixed: Collection[int] = (),
    forbidden: Iterable[tuple[int, int]] = (),
    weights: Sequence[int] | None = None,
) -> Wcnf:
    """Clauses of the wanted class and an instance as a partial MaxSAT problem: one soft literal per feature.

    Parameters
    ----------
    cnf:
        What the instance is to become.
    codes:
        The instance.
    fixed:
        Features that must stay; they are hard.
    forbidden:
        Pairs of a feature and a code that it must not be changed to. Its own is never forbidden.
    weights:
        What changing each feature costs; 1 each if not given.
    """
    cnf = cnf.with_zeros()
    row = np.asarray(codes, dtype=np.int64)
    keep = cnf.variables.keep(row)
    free = [j for j in range(len(row)) if j not in fixed]
    units = [int(keep[j]) for j in fixed]
    units += [-cnf.variables.literal(j, v) for j, v in forbidden if v != row[j]]
    costs = [1] * len(row) if weights is None else weights
    return Wcnf(cnf, keep[free], [costs[j] for j in free], np.array(units, dtype=np.int32))


# --- text -------------------------------------------------------------------------------------------------------------


def _clause_text(literals: npt.NDArray[np.int32], mark: str = "") -> Iterator[str]:
    """One clause per line, each line starting with `mark`, in pieces that end with a clause."""
    start = 0
    while start < len(literals):
        end = min(start + TEXT_CHUNK, len(literals))
        while literals[end - 1] != 0:
            end += 1
        words = " ".join(map(str, literals[start:end].tolist()))
        # A 0 between spaces can only be the end of a clause. An empty clause is a 0 right after another.
        lines = f" {words} ".replace(" 0 ", " 0\n ").replace("\n 0 ", "\n 0\n ").split("\n")
        yield "".join(f"{mark}{line.lstrip()}\n" for line in lines if line.strip())
        start = end


def _comments(variables: Variables) -> Iterator[str]:
    """The meaning of each variable, unless variables are just the features. Names are escaped."""
    if variables.binary:
        return
    for variable in range(1, variables.count + 1):
        text = variables.name(variable)[1:-1].encode("unicode_escape").decode("ascii")
        yield f"c {variable} {text}\n"


def _write(path: str | PathLike[str] | None, pieces: Iterable[str]) -> str | None:
    if path is None:
        return "".join(pieces)
    with open(path, "w", encoding="ascii") as file:
        file.writelines(pieces)
    return None
