"""The façade: a classifier that answers questions. The stages of the paper, in order:

    model -> rule -> decision -> diagram -> clauses -> change sets -> explanation

`compile` does the first steps only. A diagram is built when it is first needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Self, Unpack, cast, overload

import numpy as np
import numpy.typing as npt

from symcf.analysis.algebra.functions import (
    COMBINING,
    ModelRows,
    class_part,
    columns_of,
    combined,
    condition_part,
    model_of,
    refuse_other_classes,
)
from symcf.analysis.properties.bias import Bias, bias
from symcf.analysis.properties.dependence import Dependence, Monotonicity, dependence, monotonicity
from symcf.analysis.properties.falls import clock_for
from symcf.analysis.properties.locked_out import LockedOut, locked_out
from symcf.analysis.properties.robustness import (
    Robustness,
    RobustnessDistribution,
    check_question,
    distribution_of_all,
    distribution_of_rows,
    of_explanation,
)
from symcf.answers.attribution import Attribution, checked_method
from symcf.answers.explainer import OF_SETS, SELECT, STATUS, Explainer
from symcf.answers.explanation import Explanation
from symcf.answers.facts import Counterfactual
from symcf.answers.precise import PreciseReasons, precise_reasons
from symcf.answers.reason_facts import Reason
from symcf.answers.reasons import McExplanations, Reasons
from symcf.answers.render import classifier_to_html
from symcf.common.clock import Clock, timed
from symcf.common.memory import bounded, memory_of_a_result, stepwise, watched
from symcf.common.options import (
    checked_choice,
    checked_count,
    checked_diverse,
    checked_draws,
    checked_random,
    checked_seconds,
)
from symcf.common.threads import Progress
from symcf.data.labels import code_of
from symcf.data.plausibility import Plausibility, checked_share
from symcf.errors import OptionError
from symcf.fast import explain_batch
from symcf.models.base import Model
from symcf.models.derived import without_derived
from symcf.models.functions import FunctionModel
from symcf.models.joint import Joint
from symcf.question.aims import aimed, goal_of_question
from symcf.question.case import Case, asked_case
from symcf.question.grids import on_grid, on_same_grids, with_data
from symcf.question.question import Keywords, Question
from symcf.search.plan import plan
from symcf.search.protocol import PATIENCE, Options
from symcf.search.reasons import (
    REFERENCES,
    check_reasons,
    fewest_kept,
    point_values,
    reason_query,
    shapley_values,
    shares_of,
)
from symcf.system import archive
from symcf.system.classifier import MAX_MEMORY, Classifier, Limits
from symcf.system.cnf import MAX_CLAUSES, MAX_IN, MAX_LENGTH, Cnf, Wcnf, encode, no_cut_chunks
from symcf.system.combine import ALL, ANY, COMBINED_MEMORY, ODD, How, Part, but_not, combine, how
from symcf.system.diagram import Diagram
from symcf.system.models import Models
from symcf.values.ranking import Ranking

if TYPE_CHECKING:
    from symcf.answers.batch import BatchExplanation
    from symcf.answers.batch_reasons import BatchReasons
    from symcf.proof.verification.agreement import Agreement

__all__ = ["Compiled", "Limits", "compile", "load"]


@timed
def compile(
    model: Model | Diagram | Any,
    data: Any = None,
    *,
    groups: Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]] | str | None = "auto",
    other: bool = True,
    ranges: Mapping[Any, Sequence[float]] | None = None,
    feature_names: Sequence[str] | None = None,
    values: Mapping[Any, Sequence[float]] | None = None,
    classes: Sequence[Hashable] | None = None,
    iterations: int | None = None,
    derived: Mapping[str, str] | None = None,
    order: str | Sequence[int | str] = "influence",
    plausibility: Any = None,
    backend: str = "arrays",
    max_nodes: int | None = None,
    max_memory: int | None = MAX_MEMORY,
    time_limit: float | None = None,
) -> Compiled:
    """Prepares a classifier for explaining. Cheap: the diagram is built at its first use.

    Parameters
    ----------
    model:
        A `NaiveBayes`, `LinearClassifier`, `DecisionTree`, `RandomForest`, whatever `from_sklearn`, `from_function` and
        `from_dd` give, or the `Diagram` of a Boolean function. A fitted estimator, or the file of one, is taken through
        `from_model`. A list of any of these: counterfactuals are then rows that all of them decide for the target, and
        `predict` gives the class that all decide for, or 'models disagree'.
    data:
        For a fitted estimator: rows like those that it was fitted on, see `from_model`. The types of their columns hold
        for rows in every form, and suggested rows come back in them; distances take their scales from these rows.
    groups, other:
        For a fitted estimator: columns of which one is 1 and the others 0, to be one feature each. "auto": those of
        ``pandas.get_dummies`` are found in ``data``. None: columns are features of their own. Without ``other``, one of
        the columns of a group is always 1. See `from_sklearn`.
    ranges:
        For a fitted estimator: by column, the least and the greatest number that may be suggested, see `from_sklearn`.
    feature_names, values, classes, iterations:
        For a fitted estimator: what else `from_model` takes.
    derived:
        For a fitted estimator that adds up numbers, such as logistic regression: by column that is a sum of others, the
        expression, such as ``{"total": "loan + 2 * debt"}``. The column moves with its sources. It is no feature, and
        is computed anew in suggested rows. For other models and expressions see ``derived`` of `from_predict`.
    order:
        The order in which the diagram tests the features: "influence" (the spread of their weights, largest first:
        almost always close to the best), "natural", "sift" (CUDD's reordering, starting from influence), or a list of
        all features by name or index.
    plausibility:
        Rows that are plausible, such as those that the classifier was fitted on, or a `Plausibility`: then
        counterfactuals say how plausible they are, and ``min_plausibility`` and ``select="likeliest"`` can be asked.
    backend:
        Where the diagram of a classifier that adds up weights is built: "arrays", or "cudd" for the way of the paper:
        node by node in CUDD, whose nodes the no-cut clauses are then read from. The diagram is the same; "arrays" is
        faster.
    max_nodes, max_memory, time_limit:
        Nodes, bytes and seconds that building the diagram may take. Beyond that, `CompileLimitError` says how far
        it got. None means no limit. This call itself, which reads the model, ends with `LimitError` after as many
        seconds.

    >>> import symcf
    >>> model = symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20])
    >>> c = symcf.compile(model)
    >>> c.explain([1, 0, 1, 0]).sets
    [(1,), (3,)]
    """
    limits = Limits(
        checked_count(max_nodes, "max_nodes", least=1) or 0,
        checked_count(max_memory, "max_memory", least=1) or 0,
        checked_seconds(time_limit),
        checked_choice(backend, "backend", ("arrays", "cudd")),
    )
    given = {"data": data, "ranges": ranges, "feature_names": feature_names, "values": values, "classes": classes}
    given |= {"iterations": iterations, "other": None if other is True else other}
    reading = {name: value for name, value in given.items() if value is not None}
    reading |= {} if isinstance(groups, str) and groups == "auto" else {"groups": groups}
    if isinstance(model, Diagram):
        if reading:
            raise OptionError(f"{', '.join(reading)}: for fitted estimators only; a Diagram has no columns")
        known: Model = FunctionModel(model)
    elif isinstance(model, (list, tuple)):
        known = Joint([_known(one, reading) for one in model])
    else:
        known = _known(model, reading)
    if derived is not None:
        known = without_derived(known, derived)
    compiled = Compiled(known, order, limits, plausibility=_plausibility(plausibility, known))
    if isinstance(model, Diagram):
        compiled.adopt_diagram(1, model)
    compiled.decision.prepare()
    if hasattr(model, "predict") and not isinstance(model, (Model, Classifier)):
        compiled.estimator = model
    return compiled


def _known(model: Any, reading: dict[str, Any]) -> Model:
    if isinstance(model, Classifier):
        model = model.model
    if isinstance(model, Model) and not reading:
        return model
    from symcf.models.sklearn.any_library import from_model  # only here: models of our own need nothing of that package

    return model if isinstance(model, Model) and set(reading) == {"data"} else from_model(model, **reading)


def _plausibility(given: Any, model: Model) -> Plausibility | None:
    return given if given is None or isinstance(given, Plausibility) else Plausibility.fit(given, model)


def load(path: str | PathLike[str], *, trust: bool = False) -> Compiled:
    """Reads what `Compiled.save` wrote. Nothing in the file is executed; `FileError` says what is wrong with it.

    The diagrams in the file are compared with the model, exactly, where that takes one pass over their nodes: where
    sums of weights decide between two classes, or between several and the diagrams of all of them are there. Others,
    of trees and functions, are built again when they are wanted, unless you ``trust`` that the file was not altered
    since `Compiled.save` wrote it.
    """
    return archive.load(path, Compiled, trust=trust)


class Compiled(Classifier):
    """A classifier, ready to be asked. Made by `symcf.compile`; safe to share between threads."""

    #: The fitted estimator that it was read from, where that is at hand; it is not saved.
    estimator: Any = None

    def agreement(self, X: Any, estimator: Any = None) -> Agreement:
        """How closely the rule was compared with the estimator that it was read from.

        The rows of ``X`` are decided by both, and so are rows of it in which one number is at a cut of the rule or
        beside it. ``estimator`` is needed where the classifier was loaded from a file.

        >>> import symcf
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> X, y = [[1.0], [2.0], [4.0]], [0, 0, 1]
        >>> print(symcf.compile(DecisionTreeClassifier().fit(X, y)).agreement(X))
        3 rows and 9 rows at and beside cuts were compared: 0 are decided differently
        """
        from symcf.proof.verification.agreement import agreement_of  # only here: answers need none of it

        return agreement_of(self, self.estimator if estimator is None else estimator, X)

    def reaching(
        self,
        target: Any = None,
        *,
        min_probability: float | None = None,
        of: str | None = None,
        margin: float | None = None,
        width: Any = None,
    ) -> Compiled:
        """The classifier "is this number reached?", with two classes (three for `symcf.between`): what questions with a
        numeric target are about. For calls that take no target, such as `symcf.check`, `symcf.audit` and diagrams.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> c = symcf.compile(admission()).reaching("admitted", min_probability=0.9)
        >>> c.classes
        ('less than 90% admitted', 'at least 90% admitted')
        """
        goal = goal_of_question(self, target, min_probability, of, margin, width)
        if goal is None:
            raise OptionError(
                "reaching takes a target that is a number: symcf.at_least(v), at_most(v) or between(a, b), or a class "
                "with min_probability=, margin= or width=, or of several models"
            )
        return self.towards(goal)

    # --- clauses

    @timed
    @bounded
    def cnf(
        self,
        encoding: str = "no-cut",
        negate: bool = False,
        *,
        of: Hashable | None = None,
        max_clauses: int | None = MAX_CLAUSES,
        max_in: int = MAX_IN,
        max_length: int = MAX_LENGTH,
        time_limit: float | None = None,
    ) -> Cnf:
        """Σf, the clauses of "class 1" (with ``negate``: of "class 0"); of any class with ``of``.

        ``encoding`` is "no-cut" (the paper's: one clause per off-set path), "node-cut" (one variable per node),
        "aux-cut" (variables where more than ``max_in`` edges meet and every ``max_length`` literals) or "prime" (an
        irredundant set of prime implicates). All have the same models over the features. More than ``max_clauses``
        clauses are refused before any memory is taken. `LimitError` after ``time_limit`` seconds.
        """
        clock = Clock(checked_seconds(time_limit))
        known = on_grid(self, "cnf")
        diagram = known.diagram if of is None else known.diagram_of(of)
        return encode(
            diagram,
            encoding,
            negate=negate,
            max_clauses=max_clauses,
            max_in=max_in,
            max_length=max_length,
            clock=clock,
        )

    def cnf_chunks(
        self, negate: bool = False, *, of: Hashable | None = None, chunk_size: int = 1 << 20
    ) -> Iterator[npt.NDArray[np.int32]]:
        """The no-cut clauses in buffers of about ``chunk_size`` entries, never all at once."""
        known = on_grid(self, "cnf_chunks")
        diagram = known.diagram if of is None else known.diagram_of(of)
        return no_cut_chunks(diagram, negate=negate, chunk_size=chunk_size)

    @timed
    @bounded
    def wcnf(
        self, x: Any, *, encoding: str = "no-cut", time_limit: float | None = None, **question: Unpack[Keywords]
    ) -> Wcnf:
        """The clauses of the goal hard, the instance soft, one group per feature: its MCSs are the change sets.

        `LimitError` after ``time_limit`` seconds.
        """
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question, at_target=False)
        if case.question.minimality != "features":
            raise OptionError("minimality: the soft clauses are features; leave it out")
        return case.wcnf(encoding, clock)

    # --- change sets and explanations

    def _case(
        self,
        x: Any,
        question: Keywords,
        select: str = "nearest",
        *,
        ranked: bool = False,
        reasons: bool = False,
        at_target: bool = True,
    ) -> Case:
        """What is asked about a row, which is read here, once. ``at_target``: may it have the wanted class already?"""
        known, row = self, self.encoder.read_one(x, mark=self.model.is_black_box)
        if any(row.others):
            known = self.with_model(self.model.with_cells(row.others))
        if (row.codes < 0).any():
            row = known.encoder.of_table(x, row.table)
        return asked_case(known, row, question, select, ranked=ranked, reasons=reasons, at_target=at_target)

    @timed
    @bounded
    def explain(
        self,
        x: Any,
        *,
        k: int | None = None,
        max_results: int | None = None,
        time_limit: float | None = None,
        engine: str = "auto",
        select: str = "nearest",
        diverse: int | None = None,
        encoding: str = "auto",
        solver: str | None = None,
        assisted: bool = True,
        max_memory: int | None = None,
        **question: Unpack[Keywords],
    ) -> Explanation:
        """All minimal counterfactuals of an instance, or the cheapest ones.

        Parameters
        ----------
        x:
            The instance: value codes, as a sequence or a mapping from feature names; a raw row where the model reads
            those.
        target:
            The wanted class; by default any other than the present one. A row that has it already needs no change
            (`Explanation.at_target`): it has no change sets, no reasons against it, and nothing to draw or attribute.
        margin, width:
            By how much the score has to pass the cut or, with more than two classes, to lead the other scores; and by
            column of numbers, how far its number may be off: every row within the width reaches the target, too.
        immutable:
            Features that must stay.
        allowed:
            For some features, the values they may take, a range of numbers ``[least, greatest]`` where the column
            holds numbers (None for no bound), or "increase" or "decrease".
        cost:
            What changing a feature costs: a mapping (others cost 1) or one positive number per feature. Instead of a
            number: a matrix by old and new value, a mapping from new values or from (old, new) pairs, "ordinal" (one
            for each step), or "distance" (how far a number moves).
        scale, data:
            For distances: "mad", "std", "range", or by feature one of these or a number; and the rows to measure.
        max_changes:
            The most features a counterfactual may change.
        k:
            Only the k cheapest.
        max_results, time_limit:
            Stop after this many change sets or seconds; ``status`` says so. The seconds are for the whole call,
            including a diagram that it has to build and the ordering. With ``k``, the cheapest that were found by then
            are given, and ``bound`` is a number that no other costs less than, where one is known. `LimitError` if the
            seconds are up before the row has been read and decided.
        engine:
            "auto", "cover", "diagram", "boxes", "query", "sat" or "sat-portable"; they differ in speed, not in the
            answer. With "boxes", which "auto" chooses for large forests and boosted trees, and "query", which it
            chooses for black-box models (`from_predict`), a call without ``time_limit`` and ``max_changes``
            ends after 10 seconds: sets come by rising size, each is minimal, and ``complete_up_to`` says up to how many
            changes they are all.
        select:
            Which new values to give for a change set: "nearest" (the cheapest that flip the decision, of these the
            shortest move, of these the surest), "surest" (the cheapest, of these the surest), "likeliest" (the
            cheapest, of these the likeliest, of these the shortest move) or "all" that flip it.
            A move is ``|new - old|`` by the span of the feature's cut points, or steps by all steps there are.
        diverse:
            Of all change sets found (of the k cheapest, with ``k``), so many that differ most; see
            `Explanation.diverse`.
        resolution:
            For some features, what new numbers are to be multiples of, such as ``{"age": 1}``. By default integers stay
            integers, and other numbers have as many digits as the old one. Rounding is always away from the old number,
            so that the new one is enough. A column of an integer type is never moved to a range that holds no integer.
        constraints:
            Relations between features that the counterfactual must obey, such as ``"married = yes -> age != child"``;
            see `symcf.implies` and `symcf.forbid`. The instance itself need not obey them.
        min_plausibility:
            Only rows that are at least as likely as this share of the data count, such as 0.05; see `Plausibility`.
        minimality:
            "features": no feature of a counterfactual can keep its old value. "moves": none can be moved less far, that
            is, to a value between the old and the new one, or not at all (values without an order: not at all). Then
            values are part of the answer: a set of features may come several times, with different ones. Among these
            are the cheapest changes of all, for every cost that does not fall when a move grows longer. By default
            "features"; "moves" where ``k`` is given and costs are distances, so that the nearest rows of all come first
            (except over columns of numbers and where columns are compared; `Explanation.minimality` says which).
        encoding, solver:
            For the SAT engines: how Σf is written (see `cnf`), and the name of a PySAT solver.
        assisted:
            For engine "sat": where sums of weights decide, a diagram finds most sets and the solver proves that none is
            left. With False, the solver alone finds all of them, as in the paper.
        max_memory:
            Bytes that the call may take for diagrams, clauses, tables and change sets; by default three quarters of the
            memory of the machine or container. Beyond that, `LimitError` is raised. The goal is that the process grows
            by at most twice that and 64 MB; SECURITY.md says what was measured.
        """
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question, select, ranked=k is not None and select not in OF_SETS)
        case.question.check_select(select)
        few = checked_diverse(diverse)
        planned = plan(case.question, Options(engine, encoding, solver, assisted))
        select, wanted = checked_choice(select, "select", SELECT), checked_count(k, "k", least=1)
        most = checked_count(max_results, "max_results", least=1)
        memory = checked_count(max_memory, "max_memory", least=1) or memory_of_a_result()
        if case.at_target:
            return Explainer(case, planned, select).as_wanted(wanted)
        answered = planned.answer(case, wanted, most, clock, memory, partial(Ranking, case, planned))
        found = Explainer(case, planned, select).presented(answered, wanted, clock)
        return found if few is None else found.diverse(few, time_limit=clock.seconds)

    def explain_batch(self, rows: Any, **options: Any) -> BatchExplanation:
        """The minimal counterfactuals of every row: `symcf.fast.explain_batch` of this classifier, with its keywords.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> c = symcf.compile(admission())
        >>> [e.sets for e in c.explain_batch([[1, 0, 1, 0], [0, 0, 1, 0]])]
        [[(1,), (3,)], [(1,), (0, 3)]]
        """
        from symcf.fast import explain_batch  # only here: one row at a time needs none of it

        return explain_batch(self, rows, **options)

    def why_batch(self, rows: Any, **options: Any) -> BatchReasons:
        """The sufficient reasons of every row: `symcf.fast.why_batch` of this classifier, with its keywords."""
        from symcf.fast import why_batch  # as above

        return why_batch(self, rows, **options)

    def iter_counterfactuals(
        self,
        x: Any,
        *,
        max_results: int | None = None,
        time_limit: float | None = None,
        engine: str = "auto",
        **question: Unpack[Keywords],
    ) -> Iterator[Counterfactual]:
        """Yields minimal counterfactuals as they are found, holding only a few at a time.

        They come in no particular order; `explain` sorts them, and its status says whether a time limit cut it short.
        Here, a time limit raises `LimitError` after the last result.
        """
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question)
        most = checked_count(max_results, "max_results", least=1)
        if case.at_target:
            return iter(())
        stream = partial(Explainer(case, plan(case.question, Options(engine))).stream, most, clock)
        return stepwise(self.limits.max_memory, clock, stream)

    @timed
    @bounded
    def count(
        self, x: Any, *, time_limit: float | None = None, engine: str = "auto", **question: Unpack[Keywords]
    ) -> int:
        """The exact number of change sets, without listing them; `LimitError` when time is up."""
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question)
        search = plan(case.question, Options(engine)).search_for(case)
        return 0 if case.at_target else search.count(case.query, clock)

    @timed
    @bounded
    def count_bounds(self, x: Any, *, time_limit: float | None = None, **question: Unpack[Keywords]) -> tuple[int, int]:
        """Certified lower and upper bounds of `count`, for cases where exact counting exceeds its budget."""
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question)
        return (0, 0) if case.at_target else plan(case.question).search_for(case).count_bounds(case.query, clock)

    @timed
    @bounded
    def sample(
        self,
        x: Any,
        size: int,
        random_state: int | np.random.Generator | None = None,
        *,
        time_limit: float | None = None,
        **question: Unpack[Keywords],
    ) -> list[Counterfactual]:
        """Minimal counterfactuals drawn uniformly from all of them, with replacement; `LimitError` when time is up.

        Where sums of weights decide between two classes, neither a list nor a diagram is made. With more classes, up to
        a million change sets are listed first, and a diagram is built if there are more. The same ``random_state``
        gives the same result on every machine.
        """
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question)
        wanted = checked_draws(size)
        random = checked_random(random_state)
        planned = plan(case.question)
        if case.at_target:
            return []
        drawn, _ = planned.sample(case, case.query, wanted, random, clock)
        if wanted and not drawn:
            raise ValueError("there is no counterfactual to draw")
        return Explainer(case, planned).counterfactuals_of(drawn, clock)

    # --- reasons

    @overload
    def why(
        self,
        x: Any,
        *,
        k: int | None = None,
        max_results: int | None = None,
        time_limit: float | None = None,
        engine: str = "auto",
        encoding: str = "auto",
        solver: str | None = None,
        max_memory: int | None = None,
        general: bool = False,
        precision: None = None,
        **question: Unpack[Keywords],
    ) -> Reasons: ...

    @overload
    def why(
        self,
        x: Any,
        *,
        k: int | None = None,
        time_limit: float | None = None,
        max_memory: int | None = None,
        precision: float,
        **question: Unpack[Keywords],
    ) -> PreciseReasons: ...

    @timed
    @bounded
    def why(
        self,
        x: Any,
        *,
        k: int | None = None,
        max_results: int | None = None,
        time_limit: float | None = None,
        engine: str = "auto",
        encoding: str = "auto",
        solver: str | None = None,
        max_memory: int | None = None,
        general: bool = False,
        precision: float | None = None,
        **question: Unpack[Keywords],
    ) -> Reasons | PreciseReasons:
        """All sufficient reasons for a decision (PI-explanations), or the cheapest: minimal sets of features that, as
        they are, force it whatever the others are.

        Takes the keywords of `explain`, with these meanings:

        Parameters
        ----------
        target:
            With more than two classes: why not this one? By default: why the class that it is, and no other?
        immutable, allowed:
            What the other features could have been: reasons need not exclude what cannot be.
        constraints:
            What is known to hold in any case: a reason need only force the decision of rows that obey.
        cost:
            One number per feature: which features make a reason dear. By default 1 each, so that the smallest reasons
            come first.
        engine:
            "auto", "cover" (two classes, sums of weights), "diagram" (diagrams) or "sat".
        general:
            With True, each condition of a reason is as wide as it can be: an interval of numbers or of values in order,
            or a set of values, around the present one. Features are widened in the order of the columns, upwards first;
            no condition can be wider while the others are as they are (`Reason.maximal`).
        precision, data:
            A share such as 0.95: instead of reasons that hold in any case, the fewest facts with which at least this
            share of rows is decided alike, as `PreciseReasons`. The rows are those of ``data``, or all possible ones,
            counted on a diagram: combinations of the values that the question allows. With ``k``, the k most precise.
            A call without ``time_limit`` ends after 10 seconds with the best set so far.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> c = symcf.compile(admission())
        >>> print(c.why([0, 0, 1, 0]))
        decided rejected (95.74%); each of these 2 reasons is enough, whatever the rest is:
          entrance exam = 0, work experience = 0
          work experience = 0, first application = 0
        in every reason: work experience
        in no reason: GPA
        >>> print(c.why([0, 0, 1, 0], precision=0.85))
        decided rejected; facts with which at least 85% of 16 possible rows are decided so:
          work experience = 0: 87.5% (7 of 8 rows)
        no set of fewer facts is enough
        """
        if precision is not None:
            chosen = (engine, encoding, solver, max_results, general)
            if chosen != ("auto", "auto", None, None, False):
                raise OptionError("precision goes with k, time_limit, data and the question; leave out the rest")
            return self._precise(x, checked_share(precision, "precision"), k, time_limit, question)
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question, reasons=True)
        found = Explainer(case, plan(case.question, Options(engine, encoding, solver))).why(
            checked_count(k, "k", least=1),
            checked_count(max_results, "max_results", least=1),
            clock,
            checked_count(max_memory, "max_memory", least=1) or memory_of_a_result(),
        )
        return found.general() if general else found

    def _precise(
        self, x: Any, share: Fraction, k: int | None, time_limit: float | None, question: Keywords
    ) -> PreciseReasons:
        """The fewest facts with which a share of rows is decided alike."""
        seconds = checked_seconds(time_limit)
        keywords = dict(question)
        data = keywords.pop("data", None)
        if keywords.get("cost") is not None:
            raise OptionError("cost: with precision, the fewest facts are given; leave it out")
        known = self.around(x, one=True)
        known = on_grid(known, "precision without data=", x) if data is None else known.around(data)
        case = known._case(x, cast(Keywords, keywords), reasons=True)
        check_reasons(case.question)
        codes = None if data is None else case.question.classifier.codes(data)
        row = case.question.classifier.labels_of([case.x])
        few = checked_count(k, "k", least=1)
        return precise_reasons(case, share, codes, few, Clock(PATIENCE if seconds is None else seconds), row)

    @timed
    @bounded
    def count_why(
        self, x: Any, *, time_limit: float | None = None, engine: str = "auto", **question: Unpack[Keywords]
    ) -> int:
        """The exact number of sufficient reasons, without listing them; `LimitError` when time is up."""
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question, reasons=True)
        search = plan(case.question, Options(engine)).reasons_for(case)
        return 0 if case.at_target else search.count(reason_query(case), clock)

    @timed
    @bounded
    def sample_why(
        self,
        x: Any,
        size: int,
        random_state: int | np.random.Generator | None = None,
        *,
        time_limit: float | None = None,
        **question: Unpack[Keywords],
    ) -> list[Reason]:
        """Sufficient reasons drawn uniformly from all of them, with replacement; `LimitError` when time is up."""
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question, reasons=True)
        wanted, random = checked_draws(size), checked_random(random_state)
        planned = plan(case.question)
        if case.at_target:
            return []
        drawn, name = planned.sample(case, reason_query(case), wanted, random, clock)
        return list(watched(Explainer(case, planned).reasons(drawn, "complete", name, None)))

    @timed
    @bounded
    def mc_explanations(
        self, x: Any, *, baseline: Any = None, max_results: int | None = None, time_limit: float | None = None
    ) -> McExplanations:
        """Minimum-cardinality explanations (Shih, Choi, Darwiche 2018): the fewest features that keep the decision if
        all others are as in the ``baseline``, all such sets.

        Where two classes are decided by features of two values, the baseline is all 0 for class 1 and all 1 for class
        0, as in the paper; elsewhere it is a row to be given.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> print(symcf.compile(admission()).mc_explanations([1, 1, 1, 0]))
        decided admitted; 2 features keep it, all others as in the baseline:
          work experience = 1, GPA = 1
        """
        clock = Clock(checked_seconds(time_limit))
        row = self.instance(x)
        if baseline is None:
            binary = self.n_classes == 2 and all(len(labels) == 2 for labels in self.values)
            if not binary:
                raise OptionError(
                    "baseline: give the row of values that features have if they are not kept; it may be left out only "
                    "where there are two classes and every feature has two values"
                )
            other = np.full_like(row, 1 - int(self.decide(row)[0]))
        else:
            other = self.instance(baseline)
        most = checked_count(max_results, "max_results", least=1)
        answer, count = fewest_kept(self, row, other, most, clock, memory_of_a_result())
        return McExplanations(
            label=self.classes[int(self.decide(row)[0])],
            features=self.features,
            row=tuple(self.labels_of(row)),
            baseline=tuple(self.labels_of(other)),
            sets=answer.sets,
            count=count,
            status=STATUS[answer.status],
        )

    @timed
    @bounded
    def attribute(
        self,
        x: Any,
        method: str = "reasons",
        *,
        reference: str = "average",
        time_limit: float | None = None,
        max_memory: int | None = None,
        **question: Unpack[Keywords],
    ) -> Attribution:
        """What each feature contributed to the decision, exactly.

        Parameters
        ----------
        method:
            "reasons": the share of all sufficient reasons that the feature is in (formal feature attribution).
            "changes": the same of all change sets. Both are counted in a diagram, without listing the sets.
            "shapley": Shapley values of "the decision is what it is", 0 or 1, over all orders in which the features
            become known, the others being independent.
            "points": Shapley values of the score, where it is a sum over features of two classes, as in a scorecard:
            the points that the feature adds in favour of the decision.
        reference:
            For "points": compared with the "average" of the data, or with the "maximum", their best value for the other
            decision.
        max_memory:
            Bytes that the call may take, as in `explain`. Beyond that, `LimitError` is raised: the diagrams of large
            ensembles do not fit.
        data:
            For "shapley": rows from which the frequencies of values are taken; by default all values of a feature are
            equally likely. For "points": the rows to compare with.

        The question is that of `why` and `explain`; Shapley values take none.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> a = symcf.compile(admission()).attribute([0, 0, 1, 0], "shapley")
        >>> a.values.round(3).tolist(), round(a.base, 3)
        ([0.073, 0.365, -0.135, 0.073], 0.625)
        """
        clock = Clock(checked_seconds(time_limit))
        checked_count(max_memory, "max_memory", least=1)
        data = checked_method(method, question)
        checked_choice(reference, "reference", REFERENCES)
        if method == "points":
            codes = self.instance(x)
            points = point_values(self, codes, data, reference)
            label = self.classes[int(self.decide(codes)[0])]
            row = self.labels_of(codes)
            return Attribution(method=method, label=label, features=self.features, row=row, values=points[0])
        if method != "shapley":
            case = self._case(x, question, reasons=method == "reasons")
            counts, total = [0] * len(case.x), 0
            if not case.at_target:
                counts, total = Explainer(case).counts(clock, reasons=method == "reasons")
            known = case.question.classifier
            row, label = known.labels_of([case.x]), known.classes[case.prediction]
            return Attribution(method=method, label=label, features=self.features, row=row, counts=counts, total=total)
        base = self.around(x, one=True)
        if data is None:
            known = on_grid(base, "method='shapley' without data=", x)
        else:
            known = with_data(base.around(data), data, x)
        values, prediction = shapley_values(known, known.instance(x), shares_of(known, data), clock)
        row, label = base.labels_of(base.instance(x)), self.classes[int(prediction[0])]
        return Attribution(method=method, label=label, features=self.features, row=row, values=values[0])

    # --- all rows

    @timed
    def depends_on(self, feature: int | str, *, time_limit: float | None = None) -> Dependence:
        """Does any decision depend on a feature? True or false where a truth value is wanted, with two rows to show it.

        Sums of weights are asked by their weights; other classifiers by their diagrams, and `LimitError` is raised if
        one takes too long. Large forests and boosted trees get 10 seconds unless ``time_limit`` says otherwise.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> found = symcf.compile(admission()).depends_on("GPA")
        >>> bool(found), found.pair.decided, found.pair.other_decided
        (True, 'admitted', 'rejected')
        """
        return dependence(self, feature, time_limit)

    @timed
    def is_monotone(
        self,
        feature: int | str,
        direction: str | None = None,
        *,
        of: Hashable | None = None,
        time_limit: float | None = None,
    ) -> Monotonicity:
        """Does raising a feature only lead to a class, or only away from it? True or false where a truth value is
        wanted, with two rows as a counterexample if not.

        ``direction`` is "increasing" (raising the feature never takes the class away), "decreasing" (it never leads
        to the class) or None for either. ``of`` is the class: by default class 1 of two. Missing values are left out.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> print(symcf.compile(admission()).is_monotone("GPA"))
        admitted is increasing in GPA
        """
        return monotonicity(self, feature, direction, of, time_limit)

    @timed
    def bias(
        self,
        protected: Any,
        data: Any = None,
        *,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = None,
        errors: str = "raise",
    ) -> Bias:
        """Which decisions would be different if only protected features were: how many of all possible rows, how many
        of the rows in ``data``, and pairs to show.

        Possible rows are all combinations of values. They are counted on diagrams; where that is not possible
        (columns of numbers, large ensembles), rows of ``data`` still are, and ``limit`` says why. ``n_jobs``,
        ``progress`` and ``errors`` are those of `symcf.fast.explain_batch`.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> b = symcf.compile(admission()).bias("first application", data=[[1, 0, 1, 0], [0, 0, 0, 0]])
        >>> b.possible, b.total, b.in_data
        (4, 16, 1)
        """
        return bias(self, protected, data, n_jobs=n_jobs, time_limit=time_limit, progress=progress, errors=errors)

    @timed
    @bounded
    def locked_out_regions(
        self, rows: Any = None, *, time_limit: float | None = 60.0, **question: Unpack[Keywords]
    ) -> LockedOut:
        """Who is locked out: regions of rows for which nothing that is allowed helps, the largest first.

        A region is a box, as large as it can be: no condition can be wider, the others as they are. Rows in it have no
        counterfactual, however many features change.

        Parameters
        ----------
        rows:
            Those to look at, in any form that `symcf.fast.explain_batch` takes: each that is locked out is in a region,
            and regions are measured by their share of these rows. Without any: all possible rows (combinations of
            values), on diagrams; not for columns of numbers.
        target:
            The class to reach; by default any other than the row's own.
        immutable, allowed, constraints, ...:
            What may change, as in `explain`. Constraints that depend on the row's own numbers are not supported.
        time_limit:
            Seconds for the whole call; None for no limit. The regions found by then are given, and the status says so.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> c = symcf.compile(admission())
        >>> print(c.locked_out_regions(target="admitted", immutable=["work experience", "entrance exam"]))
        4 of 16 possible rows (25.0%) cannot reach admitted, with entrance exam and work experience as they are:
          entrance exam = 0, work experience = 0: 4 rows (25.0%)
        """
        aim, keywords = aimed(self, dict(question))
        return locked_out(aim, rows, keywords, Clock(checked_seconds(time_limit)))

    @timed
    def robustness(self, x: Any, *, time_limit: float | None = None, **question: Unpack[Keywords]) -> Robustness:
        """The fewest features that have to change for the decision to be another: the size of the smallest change set.

        Takes what may change from the question (``immutable``, ``allowed``, ``constraints``, ``target``). With
        ``max_changes`` no more than so many are tried; then, and where time is up, ``at_least`` is what is proved.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> print(symcf.compile(admission()).robustness([0, 0, 1, 0]))
        1 change: work experience: 0 -> 1  (90.57%)
        """
        check_question(question)
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question, at_target=False)
        explained = Explainer(case).explain(1, None, clock, memory_of_a_result())
        return of_explanation(explained, case.question)

    @timed
    def robustness_distribution(
        self,
        rows: Any = None,
        *,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = None,
        errors: str = "raise",
        **question: Unpack[Keywords],
    ) -> RobustnessDistribution:
        """How many rows have which robustness: of all possible rows (combinations of values), counted on diagrams, or
        of ``rows``. With the least and the most robust row.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> symcf.compile(admission()).robustness_distribution().counts
        {1: 12, 2: 4}
        """
        check_question(question)
        if rows is None:
            asked = Question.checked(self, **question)
            return distribution_of_all(asked, clock_for(self, time_limit))
        batch = explain_batch(
            self, rows, k=1, n_jobs=n_jobs, time_limit=time_limit, progress=progress, errors=errors, **question
        )
        return distribution_of_rows(batch)

    # --- functions of all rows: two classes, true where the decision is the second; more: one for each class

    @bounded
    def is_class(self, label: Hashable) -> Self:
        """The function "the decision is this class", with the classes False and True.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> c = symcf.compile(admission())
        >>> (c.is_class("admitted") & c.condition("GPA = 0")).count_models()
        1
        """
        return self._made(combined([(self, code_of(label, self.classes, "is_class"))], ALL, self.limits))

    @bounded
    def condition(self, given: Any) -> Self:
        """The rows for which a condition holds, as a function with the classes False and True.

        Conditions are those of ``constraints=`` (text, `symcf.require`, a mapping, a function), and may compare columns
        of ranges with any numbers: ``c.condition("income > 52000 and job != student")``.
        """
        part = condition_part(columns_of(on_grid(self, COMBINING)), given)
        return self._made(model_of(part.core, part.columns))

    def _made(self, model: FunctionModel, limits: Limits | None = None) -> Self:
        return type(self)(model, "influence", limits or self.limits)

    @bounded
    def __invert__(self) -> Self:
        refuse_other_classes(self, self)
        opposite = combined([(self, 1)], lambda nodes, inputs: nodes.negate(inputs[0]), self.limits, self.classes)
        return self._made(opposite)

    def __and__(self, other: Classifier) -> Self:
        return self._combined(other, ALL)

    def __or__(self, other: Classifier) -> Self:
        return self._combined(other, ANY)

    def __xor__(self, other: Classifier) -> Self:
        return self._combined(other, ODD)

    @bounded
    def _combined(self, other: Classifier, combining: How) -> Self:
        if not isinstance(other, Classifier):
            return NotImplemented
        refuse_other_classes(self, other)
        limits = self._limits_with(other)
        return self._made(combined([(self, 1), (other, 1)], combining, limits, self.classes), limits)

    def _limits_with(self, other: Classifier) -> Limits:
        """Those of both. Where neither was compiled with a ``max_memory``, that of combined functions."""
        own = {limits.max_memory for limits in (self.limits, other.limits)} - {MAX_MEMORY}
        most = min(own - {0}, default=0) if own else COMBINED_MEMORY
        return replace(self.limits, max_memory=most)

    @timed
    @bounded
    def implies(self, other: Classifier, *, time_limit: float | None = None) -> bool:
        """Is the other one true wherever this one is? `LimitError` when time is up."""
        refuse_other_classes(self, other)
        mine, others = on_same_grids([self, other], COMBINING)
        return not self._but_not(class_part(mine, 1), class_part(others, 1))

    @timed
    @bounded
    def entails(self, condition: Any, *, time_limit: float | None = None) -> bool:
        """Does a condition hold wherever the function is true? See `condition`.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> symcf.compile(admission()).entails("`work experience` = 1 or GPA = 1")
        True
        """
        refuse_other_classes(self, self)
        known = on_grid(self, COMBINING)
        return not self._but_not(class_part(known, 1), condition_part(columns_of(known), condition))

    def _but_not(self, one: Part, other: Part) -> bool:
        """Is there a row for which one is true and the other is not?"""
        return combine([one, other], how(2, but_not), self.budget())[0].root != 0

    @timed
    @bounded
    def is_consistent(self, *, time_limit: float | None = None) -> bool:
        """Is it true for some row?"""
        refuse_other_classes(self, self)
        return class_part(self, 1).core.root != 0

    @timed
    @bounded
    def is_valid(self, *, time_limit: float | None = None) -> bool:
        """Is it true for every row?"""
        refuse_other_classes(self, self)
        return class_part(self, 1).core.root == 1

    @timed
    @bounded
    def models(self, *, of: Hashable | None = None, time_limit: float | None = None) -> ModelRows:
        """All rows for which it is true, or that are of a class; counted, in order, by their place, or at random.

        Numbers of one range count as one row, and so do categories that the classifier reads as one.
        """
        if of is None:
            refuse_other_classes(self, self)
        clock = Clock(checked_seconds(time_limit))
        part = class_part(self, 1 if of is None else code_of(of, self.classes, "of"), clock)
        return ModelRows(Models(part.core, part.groups, 1, clock), part.columns)

    @timed
    def count_models(self, *, of: Hashable | None = None, time_limit: float | None = None) -> int:
        """How many rows it is true for, or are of a class, exactly. What counts as a row: see `models`.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> c = symcf.compile(admission())
        >>> c.count_models(), c.share_of_models(of="rejected")
        (6, Fraction(5, 8))
        """
        return self.models(of=of, time_limit=time_limit).count

    @timed
    def share_of_models(self, *, of: Hashable | None = None, time_limit: float | None = None) -> Fraction:
        """The same as a share of all rows, exactly."""
        return self.models(of=of, time_limit=time_limit).share

    # --- other

    def plausibility_of(self, rows: Any) -> npt.NDArray[np.float64]:
        """By row, the share of the data that is at most as likely: 0 for rows unlike any, 1 for the most common kind.

        >>> import symcf
        >>> data = [[0, 0], [0, 0], [0, 1], [1, 1], [1, 1], [1, 1]]
        >>> c = symcf.compile(symcf.LinearClassifier([2, 2], -1), plausibility=data)
        >>> c.plausibility_of([[1, 1], [1, 0]]).tolist()
        [1.0, 0.0]
        """
        if self.plausibility is None:
            raise OptionError("plausibility_of: give data with symcf.compile(model, plausibility=data)")
        known = self.around(rows)
        codes = known.codes(rows)
        known._value_codes.check(codes)
        assert known.plausibility is not None
        return known.plausibility.percentiles(codes)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the classifier and the diagrams built so far to one file; `symcf.load` reads it back."""
        archive.save(self, path)

    def _repr_html_(self) -> str:
        return classifier_to_html(self)
