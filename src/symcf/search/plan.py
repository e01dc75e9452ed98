"""Which search answers a question: chosen once per call, from one registry.

``cover``         minimal covers of one threshold function, or of one per other class; no diagram, any number of
                  features
``boxes``         branch and bound over the leaves of trees that vote, or over columns of numbers that are related; no
                  diagram
``bounds``        branch and bound over boxes of rows; for black-box models whose scores can be bounded, as networks
``query``         every row within reach is tried; for black-box models, and for no others
``diagram``       family algebra over any diagram; that of a black-box model is made of all its rows
``sat``           MCS enumeration on Σf in a CaDiCaL solver that PySAT made, in C; reasons by MARCO
``sat-portable``  the same through PySAT's public interface, for any of its solvers
``auto``          the first of the registry that supports the question and is preferred for it
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from symcf.common.clock import Clock
from symcf.common.lazy import cached_property
from symcf.common.options import checked_choice
from symcf.errors import OptionError
from symcf.question.case import Case, Query
from symcf.question.question import Question
from symcf.search.bounds import BoundSearch
from symcf.search.boxes import BoxSearch
from symcf.search.change_sets import ChangeSets
from symcf.search.cover import CoverSearch
from symcf.search.diagram import DiagramSearch
from symcf.search.line_sets import LineSearch
from symcf.search.moves import MovesSearch
from symcf.search.protocol import AUTO, Answer, Options, Search, kept_search
from symcf.search.query import QuerySearch
from symcf.search.sat.engine import PortableSearch, SatSearch
from symcf.search.sat.marco import MarcoSearch

__all__ = ["SEARCHES", "Answered", "Plan", "engines", "plan", "reason_engines"]

#: All searches, the fastest first: a new one is a line here.
SEARCHES: list[type[Search]] = [
    CoverSearch,  # type: ignore[type-abstract]  # `make` gives one of its subclasses
    BoxSearch,
    LineSearch,
    BoundSearch,
    QuerySearch,
    DiagramSearch,
    SatSearch,
    PortableSearch,
    MarcoSearch,
]


def engines() -> tuple[str, ...]:
    """The names that ``engine=`` takes for change sets."""
    return ("auto", *dict.fromkeys(search.name for search in SEARCHES))


def reason_engines() -> tuple[str, ...]:
    """The same for sufficient reasons."""
    return ("auto", *dict.fromkeys(search.name for search in SEARCHES if search.finds_reasons))


class Answered(NamedTuple):
    """What a search has found for a case, by this clock."""

    search: Search
    clock: Clock
    answer: Answer


class Ranked(Protocol):
    """Prices what a search finds; `symcf.values.ranking` does."""

    def run(self, search: Search, k: int | None, max_results: int | None, clock: Clock, max_memory: int) -> Answer:
        """The change sets that a search finds, in the order of their exact costs."""


@dataclass(eq=False)
class Plan:
    """How a question is answered. `plan` makes it, once per call."""

    question: Question
    options: Options

    @cached_property
    def default(self) -> type[Search]:
        """The search for change sets that suits the question best, whatever the user named."""
        return _best(self.question, reasons=False)

    @cached_property
    def kind(self) -> type[Search]:
        """The search for change sets."""
        return self._named(reasons=False)

    @cached_property
    def reason_kind(self) -> type[Search]:
        """The search for sufficient reasons."""
        return self._named(reasons=True)

    def _named(self, reasons: bool) -> type[Search]:
        if self.options.engine == "auto":
            return _best(self.question, reasons=True) if reasons else self.default
        name = checked_choice(self.options.engine, "engine", reason_engines() if reasons else engines())
        refusal = ""
        for search in SEARCHES:
            if search.name == name:
                why_not = search.supports_reasons(self.question) if reasons else search.supports(self.question)
                if why_not is None:
                    return search
                refusal = refusal or why_not
        raise OptionError(refusal)

    def default_for(self, case: Case) -> Search:
        """The search that suits the question best, for one case."""
        return self.default.for_case(case, AUTO)

    def default_search(self) -> Search:
        """The search that suits the question best, for all rows."""
        return kept_search(self.default, self.question, AUTO)

    def search(self) -> Search:
        """The search for change sets, for all rows."""
        return kept_search(self.kind, self.question, self.options)

    def reason_search(self) -> Search:
        """The search for sufficient reasons, for all rows."""
        return kept_search(self.reason_kind, self.question, self.options)

    def search_for(self, case: Case) -> Search:
        """The search for the change sets of one case."""
        found = self.kind.for_case(case, self.options)
        return MovesSearch(case, found, self.options) if case.question.minimality == "moves" else found

    def answer(
        self,
        case: Case,
        k: int | None,
        max_results: int | None,
        clock: Clock,
        max_memory: int,
        ranking: Callable[[], Ranked],
    ) -> Answered:
        """The change sets of a case, in order, as far as time allows. ``ranking`` prices them where sums of what
        searches know are not their costs.
        """
        search = self.search_for(case)
        clock = search.patient(case, clock)
        if case.is_priced and not search.finds_values:
            return Answered(search, clock, ranking().run(search, k, max_results, clock, max_memory))
        return Answered(search, clock, search.run(case.query, k, max_results, clock, max_memory))

    def reasons_for(self, case: Case) -> Search:
        """The search for the reasons of one case."""
        return self.reason_kind.for_case(case, self.options)

    @property
    def counting_kind(self) -> type[Search]:
        """A search that counts and draws without listing; `OptionError` if there is no diagram."""
        why_not = DiagramSearch.supports(self.question)
        if why_not is not None:
            raise OptionError(why_not)
        return DiagramSearch

    def by_diagram(self, case: Case) -> Search:
        """The same for one case."""
        return self.counting_kind.for_case(case, AUTO)

    def sample(
        self, case: Case, query: Query, size: int, random: np.random.Generator, clock: Clock
    ) -> tuple[ChangeSets, str]:
        """Change sets of a case, or reasons, drawn uniformly with replacement; and the name of the search."""
        search = self.reasons_for(case) if query.reasons else self.search_for(case)
        drawn = search.sample(query, size, random, clock)
        if drawn is None:
            search = self.by_diagram(case)
            drawn = search.sample(query, size, random, clock)
        assert drawn is not None, "a diagram draws without listing"
        return drawn, search.name

    def of(self, case: Case) -> Plan:
        """The plan for one case: relations between numbers make it a question of its own."""
        return self if case.question is self.question else plan(case.question, self.options)


def plan(question: Question, options: Options = AUTO) -> Plan:
    """Plans a call; `OptionError` for options that do not fit each other."""
    if not isinstance(options.assisted, bool):
        raise OptionError(f"assisted must be True or False, not {options.assisted!r}")
    by_solver = options.encoding != "auto" or options.solver is not None or not options.assisted
    if by_solver and options.engine not in _BY_SOLVER:
        raise OptionError(
            f"encoding, solver and assisted apply to the engines {' and '.join(map(repr, _BY_SOLVER))} only, not to "
            f"{options.engine!r}"
        )
    return Plan(question, options)


#: The searches that take the options of solvers.
_BY_SOLVER = (SatSearch.name, PortableSearch.name)


def _best(question: Question, reasons: bool) -> type[Search]:
    """The first search that supports a question and is preferred for it."""
    refusal = ""
    decision = question.classifier.decision
    for search in SEARCHES:
        if search.needs and not any(getattr(decision, need) for need in search.needs):
            continue
        why_not = search.supports_reasons(question) if reasons else search.supports(question)
        if why_not is None and search.is_preferred(question):
            return search
        refusal = why_not or refusal
    raise OptionError(question.classifier.decision.no_diagram or refusal)
