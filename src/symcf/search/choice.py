"""Which engine answers a question.

``cover``         minimal covers of one threshold function, or of one per other class; no diagram, any number of
                  features
``diagram``       family algebra over any diagram
``boxes``         branch and bound over the leaves of trees that vote; no diagram
``query``         every row within reach is asked; for classifiers that can only be asked, and for no others
``sat``           MCS enumeration on Σf in a CaDiCaL solver that PySAT made, in C
``sat-portable``  the same through PySAT's public interface, for any of its solvers
``auto``          cover where the decision is a comparison of sums and any other class will do; trees for more trees
                  than a diagram is fast for; query for black-box models; diagram otherwise
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symcf import _core
from symcf.common.clock import Clock
from symcf.common.options import checked_choice
from symcf.errors import OptionError
from symcf.question.case import Case, NumberCase
from symcf.question.question import Question
from symcf.question.relations import MAX_RELATED, Relations
from symcf.search.contract import Engine
from symcf.search.cover import CoverEngine, MulticlassCoverEngine, WithinEngine
from symcf.search.minimal import MinimalEngine, TargetOf
from symcf.search.moves import MovesEngine
from symcf.search.rivals import RivalsEngine
from symcf.search.sat import engine as sat
from symcf.search.sat.solvers import check_solver
from symcf.search.trees import EnsembleOf, TreesEngine
from symcf.search.trials import TrialsEngine
from symcf.system.asked import AskedDecision
from symcf.system.classifier import Classifier
from symcf.system.cnf import ENCODINGS, Cnf, encode
from symcf.system.decision import TreeDecision
from symcf.system.guarded import adds_up, guarded, leads_of
from symcf.system.targets import Goal

__all__ = ["ENGINES", "auto_engine", "engine_for", "engine_of", "ensembles_of", "relation_of", "sat_clauses"]

ENGINES = ("auto", "cover", "diagram", "boxes", "query", "sat", "sat-portable")

#: Up to so many leaves of all trees together, a diagram is built, which counts and draws without listing, and answers
#: every other row at once. Forests on breast_cancer, first row: 45 leaves, 4 ms for the diagram and 2 ms for the trees;
#: 93 leaves, 0.9 s and 14 ms; 308 leaves, no end of the diagram in 6 s and 0.4 s.
FEW_LEAVES = 60


def engine_of(
    question: Question, name: str = "auto", encoding: str = "auto", solver: str | None = None, assisted: bool = True
) -> Engine:
    """The engine of this name; kept for similar questions, because some engines take long to load."""
    key = (name, encoding, solver, assisted, question.any_other, question.relations, question.minimality)
    engine: Engine = question.classifier.kept.get(key, lambda: _make(question, name, encoding, solver, assisted))
    return engine


def engine_for(
    case: Case, name: str = "auto", encoding: str = "auto", solver: str | None = None, assisted: bool = True
) -> Engine:
    """The engine for one case. Steps, and sums where columns hold numbers, are another matter for each row."""
    if case.question.minimality == "moves":
        return MovesEngine(case, engine_of(case.question, name, encoding, solver, assisted), name, encoding)
    if not isinstance(case, NumberCase):
        return engine_of(case.question, name, encoding, solver, assisted)
    checked_choice(name, "engine", ENGINES)
    if name not in ("auto", "cover") or encoding != "auto" or solver is not None or not assisted:
        return engine_of(case.asked, name, encoding, solver, assisted)
    limits, functions = case.question.classifier.limits, case.thresholds()
    if len(functions) == 1:
        return CoverEngine(functions[0], limits.max_nodes, limits.max_memory)
    return MulticlassCoverEngine([functions])


def _make(question: Question, name: str, encoding: str, solver: str | None, assisted: bool) -> Engine:
    checked_choice(name, "engine", ENGINES)
    if not isinstance(assisted, bool):
        raise OptionError(f"assisted must be True or False, not {assisted!r}")
    if name in ("sat", "sat-portable"):
        return _sat_engine(question, name, encoding, solver, assisted)
    if encoding != "auto" or solver is not None or not assisted:
        raise OptionError(
            f"encoding, solver and assisted apply to the engines 'sat' and 'sat-portable' only, not to {name!r}"
        )
    limits, decision = question.classifier.limits, question.classifier.decision
    table = relation_of(question)
    if name == "auto":
        name = auto_engine(question)
    if name == "boxes":
        return _trees_engine(question)
    if name == "query":
        return _trials_engine(question)

    def minimal() -> Engine:
        return MinimalEngine(_target_of(question), decision.groups.core_offset, limits.max_nodes, limits.max_memory)

    if name == "diagram":
        return minimal()
    if table is not None:
        assert decision.threshold is not None
        return WithinEngine(decision.threshold, table, minimal)
    if question.relations is not None:
        raise OptionError(
            f"engine 'cover' takes constraints between two classes, where sums of weights decide and at most "
            f"{MAX_RELATED} features are related; use engine='diagram' or 'auto'"
        )
    if decision.threshold is not None:
        return CoverEngine(decision.threshold, limits.max_nodes, limits.max_memory)
    if decision.beats is None:
        raise OptionError("engine 'cover' needs a model that adds up weights; use engine='diagram' or 'auto'")
    if not question.any_other:
        raise OptionError("engine 'cover' takes no target with several classes; use engine='diagram' or 'auto'")
    return MulticlassCoverEngine(decision.beats)


def _trees_engine(question: Question) -> Engine:
    decision, memory = question.classifier.decision, question.classifier.limits.max_memory
    likely = question.relations is not None and question.relations.likely is not None
    if not (adds_up(decision) if likely else isinstance(decision, TreeDecision)):
        raise OptionError("engine 'boxes' needs decision trees that vote; use engine='auto'")

    def of(trees_of: EnsembleOf) -> TreesEngine:
        return TreesEngine(trees_of, decision.groups.core_offset, memory)

    if likely and question.any_other and question.classifier.n_classes > 2:
        return RivalsEngine(lambda goal: [of(trees_of) for trees_of in ensembles_of(question, goal)])
    return of(lambda goal: ensembles_of(question, goal)[0](goal))


def _trials_engine(question: Question) -> Engine:
    decision, relations = question.classifier.decision, question.relations
    if not isinstance(decision, AskedDecision):
        raise OptionError("engine 'query' is for black-box models (symcf.from_predict); use engine='auto'")
    return TrialsEngine(decision.rule, question.classifier.classes, None if relations is None else relations.holds)


def relation_of(question: Question) -> _core.Relation | None:
    """The relations as one table, where that is enough to find change sets without a diagram; None otherwise."""
    decision = question.classifier.decision
    relations = question.relations
    if relations is None or decision.threshold is None or question.minimality == "moves":
        return None
    if relations.orders:  # which have a table for each row
        return None
    table: _core.Relation | None = question.classifier.kept.get(
        ("table", relations), lambda: relations.table(decision.groups.members)
    )
    return table


def auto_engine(question: Question) -> str:
    """The engine that is fastest as a rule."""
    decision = question.classifier.decision
    if isinstance(decision, AskedDecision):
        return "query"
    fine = question.relations is None or relation_of(question) is not None
    if decision.is_additive and question.any_other and fine:
        return "cover"
    if question.relations is not None and question.relations.likely is not None and adds_up(decision):
        return "boxes"
    return "boxes" if isinstance(decision, TreeDecision) and decision.n_leaves > FEW_LEAVES else "diagram"


def ensembles_of(question: Question, goal: Goal) -> list[EnsembleOf]:
    """The trees of a goal, within relations; several where any of several goals will do."""
    classifier, relations = question.classifier, question.relations
    decision = classifier.decision
    if relations is None:
        assert isinstance(decision, TreeDecision)
        trees = decision.ensemble
        return [lambda goal: (trees, goal)]
    if relations.likely is None:
        return [lambda goal: (_within(classifier, relations, goal), goal)]
    every = leads_of(goal, classifier.n_classes)
    return [lambda goal, leads=leads: (_guarded(classifier, relations, leads), (0, 1)) for leads in every]  # type: ignore[misc]


def _within(classifier: Classifier, relations: Relations, goal: Goal) -> _core.Ensemble:
    decision = classifier.decision
    assert isinstance(decision, TreeDecision)
    n_values, group_of = np.diff(decision.groups.core_offset).tolist(), decision.groups.with_second

    def make() -> _core.Ensemble:
        parts = relations.diagrams(range(len(n_values)), n_values, group_of)
        try:
            return decision.ensemble_within(goal, parts)
        except OverflowError:  # each condition takes room in the scores; one that is all of them takes least
            limits = classifier.limits
            bdd = _core.Bdd.conjoin(parts, [False] * len(parts), -1, limits.max_nodes, limits.max_memory or 0)
            return _with_room(lambda: decision.ensemble_within(goal, [bdd.freeze()]))

    ensemble: _core.Ensemble = classifier.kept.get(("trees", goal, relations), make)
    return ensemble


def _guarded(classifier: Classifier, relations: Relations, leads: list[tuple[int, int]]) -> _core.Ensemble:
    decision, likely = classifier.decision, relations.likely
    assert likely is not None
    n_values, group_of = np.diff(decision.groups.core_offset).tolist(), decision.groups.with_second

    def make() -> _core.Ensemble:
        others = relations.keeping([item for item in relations.items if item is not likely])
        parts = () if others is None else others.diagrams(range(len(n_values)), n_values, group_of)
        return _with_room(lambda: guarded(decision, leads, parts, likely.terms(group_of), likely.least))

    ensemble: _core.Ensemble = classifier.kept.get(("guarded", tuple(leads), relations), make)
    return ensemble


def _with_room(make: Callable[[], _core.Ensemble]) -> _core.Ensemble:
    try:
        return make()
    except OverflowError:
        raise OptionError(
            "constraints: the scores of this model leave no room to forbid rows exactly; use engine='diagram'"
        ) from None


def _target_of(question: Question) -> TargetOf:
    targets, relations = question.classifier.targets, question.relations
    return lambda goal, clock: targets.diagram(goal, relations, clock)


def _sat_engine(question: Question, name: str, encoding: str, solver: str | None, assisted: bool) -> Engine:
    classifier = question.classifier
    # With sums of weights, the diagram tells which changes a change set does not need.
    helper = classifier.threshold if assisted and question.relations is None else None
    solver = solver or "cadical195"
    if name == "sat":
        checked_choice(solver, "solver", tuple(sat.CADICAL))
        # With an unknown version of PySAT's library, the portable engine takes over; `Explanation.engine` says so.
        if sat.why_unavailable(solver) is not None:
            name = "sat-portable"

    make_cnf = sat_clauses(question, encoding, helped=helper is not None and name == "sat")
    if name == "sat":
        help_of = None if helper is None else lambda clock: classifier.class_diagram(1, clock).core
        return sat.SatEngine(make_cnf, help_of, helper, solver)
    check_solver(solver)
    return sat.PortableEngine(make_cnf, solver)


def sat_clauses(question: Question, encoding: str, helped: bool = False) -> sat.MakeCnf:
    """Σf of a goal. "auto" chooses the encoding; an engine that a diagram has `helped` wants another one."""
    checked_choice(encoding, "encoding", ("auto", *ENCODINGS))
    target_of = _target_of(question)

    def make_cnf(goal: Goal, clock: Clock) -> Cnf:
        diagram, sink = target_of(goal, clock)
        chosen = encoding
        if encoding == "auto":
            binary = bool((diagram.core.arity == 2).all())
            chosen = sat.choose_encoding(helped, diagram.count_paths(0, clock), binary)
        return encode(diagram, chosen, negate=sink == 0, clock=clock)

    return make_cnf
