"""A classifier that can be asked what holds for all rows; `Compiled` inherits from it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Unpack

from symcf.analysis.algebra.decision_function import DecisionFunction
from symcf.analysis.properties.bias import Bias, bias
from symcf.analysis.properties.dependence import Dependence, Monotonicity, dependence, monotonicity
from symcf.analysis.properties.falls import clock_for
from symcf.analysis.properties.robustness import (
    Robustness,
    RobustnessDistribution,
    check_question,
    distribution_of_all,
    distribution_of_rows,
    of_explanation,
)
from symcf.answers.explainer import Explainer
from symcf.common import machine
from symcf.common.clock import Clock, timed
from symcf.common.options import checked_seconds
from symcf.common.threads import Progress
from symcf.fast import explain_batch
from symcf.question.case import case_of
from symcf.question.question import Keywords, Question

__all__ = ["General"]


class General(DecisionFunction):
    """What holds for all rows: dependence, monotonicity, bias, robustness."""

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
        case = case_of(Question.checked(self.around(x, one=True), **question), x)
        explained = Explainer(case).explain(1, None, clock, machine.memory_of_a_result())
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
