"""What can go wrong, as exceptions that name the thing the user gave."""

from __future__ import annotations

from typing import Any

__all__ = [
    "ClauseLimitError",
    "CompileLimitError",
    "FileError",
    "InstanceError",
    "InternalError",
    "JobError",
    "LimitError",
    "MissingExtraError",
    "ModelError",
    "OptionError",
    "SymcfError",
]


class SymcfError(Exception):
    """Base of all errors of symcf."""


class ModelError(SymcfError, ValueError):
    """A model that is inconsistent, or that has no decision for some row."""

    #: Where zeros make rows undecidable: one or two (feature or None for the prior, value) pairs.
    places: tuple[tuple[int | None, int], ...] = ()

    @classmethod
    def undecidable(cls, first: tuple[int | None, int], other: tuple[int | None, int] | None) -> ModelError:
        """Zero probabilities leave some rows without a decision; the model turns the numbers into names."""
        error = cls("probabilities of zero leave some rows without a decision")
        error.places = (first,) if other is None else (first, other)
        return error


class InstanceError(SymcfError, ValueError):
    """Rows that do not fit the classifier. ``str`` puts the place, as far as it is known, before the problem."""

    def __init__(
        self,
        problem: str,
        *,
        row: int | None = None,
        columns: tuple[str, ...] = (),
        feature: int | None = None,
        value: Any = None,
        where: str | None = None,
    ) -> None:
        super().__init__(problem)
        #: What is wrong, without the place.
        self.problem = problem
        #: The number of the row, from 0.
        self.row = row
        #: The names of the columns that hold the value: one, unless a feature is read from several.
        self.columns = columns
        #: The index of the feature.
        self.feature = feature
        #: What was found there; a tuple if there are several columns.
        self.value = value
        #: The file or part that the row belongs to.
        self.where = where

    @classmethod
    def bad_code(cls, array: Any, row: int, feature: int) -> InstanceError:
        """A value code out of range, as the core sees it; the classifier knows the names."""
        value = int(array[row, feature])
        return cls(f"{value} is not a value of feature {feature}", row=row, feature=feature, value=value)

    @property
    def column(self) -> str | None:
        """The name of the column, if it is one."""
        return self.columns[0] if len(self.columns) == 1 else None

    @property
    def place(self) -> str:
        """The columns, in words."""
        return f"column{'s' * (len(self.columns) != 1)} {', '.join(map(repr, self.columns))}" if self.columns else ""

    def at(self, *, row: int | None, where: str | None = None) -> InstanceError:
        """The same problem, with another number for the row."""
        return InstanceError(
            self.problem, row=row, columns=self.columns, feature=self.feature, value=self.value, where=where
        )

    def __str__(self) -> str:
        row = "" if self.row is None else f"row {self.row}"
        place = ", ".join(part for part in (row, self.place) if part)
        return ": ".join(part for part in (self.where, place, self.problem) if part)


class FileError(SymcfError, ValueError):
    """A file that cannot be used. The message begins with its name."""


class OptionError(SymcfError, ValueError):
    """A keyword argument whose value is not accepted."""

    #: Where text was given: the position of what is wrong in it.
    place: int = 0


class MissingExtraError(SymcfError, ImportError):
    """A package that symcf does not need, but this call does, is not installed; the message names the extra."""


class JobError(SymcfError):
    """A job over many files cannot start or continue. Finished parts are kept."""


class LimitError(SymcfError):
    """A limit was reached before the answer was complete."""

    #: How many seconds before the time limit the work ended: what was next would not have been done in time.
    early = 0.0


#: What to do when the memory of a call is used up.
LESS_MEMORY = "raise max_memory, or set k, max_results or max_changes"

#: What the core does until there is a diagram, and after that.
COMPILING, LISTING = "compiling the diagram", "finding the change sets"


class CompileLimitError(LimitError):
    """The diagram, or the family of change sets made from it, did not fit the budget. Says how far it got."""

    def __init__(
        self, limit: str, nodes: int, memory: int, levels: int, n_levels: int, doing: str = COMPILING, instead: str = ""
    ) -> None:
        #: "nodes", "memory" or "time".
        self.limit = limit
        #: Nodes made so far.
        self.nodes = nodes
        #: The largest number of bytes in use at any time.
        self.memory = memory
        #: Levels finished, of `n_levels`.
        self.levels = levels
        self.n_levels = n_levels
        #: What was being done.
        self.doing = doing
        #: Calls that the classifier answers without a diagram.
        self.instead = instead
        advice = f", or use calls that need no diagram ({instead})" if instead else ""
        merged = f"{levels} of {n_levels} levels merged, " if doing == COMPILING else ""
        super().__init__(
            f"{limit} limit reached while {doing}: {merged}{nodes:,} nodes built, {megabytes(memory)} in use; raise "
            f"max_nodes, max_memory or time_limit{advice}"
        )

    def advising(self, instead: str) -> CompileLimitError:
        """The same, with calls that the classifier answers without a diagram."""
        return CompileLimitError(
            self.limit, self.nodes, self.memory, self.levels, self.n_levels, self.doing, self.instead or instead
        )

    def __reduce__(self) -> tuple[Any, ...]:
        numbers = (self.limit, self.nodes, self.memory, self.levels, self.n_levels)
        return type(self), (*numbers, self.doing, self.instead)


def megabytes(n_bytes: int) -> str:
    """A number of bytes in words."""
    return f"{n_bytes / 2**20:,.0f} MiB" if n_bytes >= 2**20 else f"{n_bytes / 2**10:,.0f} KiB"


class ClauseLimitError(LimitError):
    """The CNF would have more clauses than allowed."""

    def __init__(self, n_clauses: int, max_clauses: int) -> None:
        self.n_clauses = n_clauses
        self.max_clauses = max_clauses
        number = f"{n_clauses:,}" if n_clauses < 2**63 - 1 else "more than 2**63"
        super().__init__(
            f"the CNF would have {number} clauses, more than max_clauses={max_clauses:,}; raise max_clauses, choose "
            f"encoding='node-cut', or read it in chunks (cnf_chunks)"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.n_clauses, self.max_clauses)


class InternalError(SymcfError, RuntimeError):
    """One of symcf's own invariants does not hold: please report it."""

    def __init__(self, message: str = "an invariant of symcf does not hold") -> None:
        super().__init__(message)

    def __str__(self) -> str:
        return f"{self.args[0]}; this is a bug of symcf, please report it"
