"""A classifier that can be asked why: sufficient reasons, minimum-cardinality explanations, attributions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Unpack

import numpy as np

from symcf.answers.attribution import Attribution, checked_method
from symcf.answers.explainer import Explainer
from symcf.answers.fewest import McExplanations
from symcf.answers.reason_facts import Reason
from symcf.answers.reasoner import STATUS
from symcf.answers.reasons import Reasons
from symcf.common import machine
from symcf.common.clock import Clock, timed
from symcf.common.memory import bounded
from symcf.common.options import checked_count, checked_draws, checked_random, checked_seconds
from symcf.errors import OptionError
from symcf.question.case import Case
from symcf.question.question import Keywords, Question
from symcf.search.cover import CoverEngine
from symcf.search.fewest import fewest_kept
from symcf.search.minimal import MinimalEngine
from symcf.search.reasons import reason_engine_for, reason_query
from symcf.search.shapley import shapley_values, shares_of
from symcf.system.classifier import Classifier

__all__ = ["Why"]


class Why(Classifier):
    """Why a decision is what it is; `Compiled` inherits from it."""

    def _case(self, x: Any, question: Keywords) -> Case:
        return Case.of(Question.checked(self.around(x, one=True), **question), x)

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
        **question: Unpack[Keywords],
    ) -> Reasons:
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

        >>> import symcf
        >>> from symcf.demo import admission
        >>> c = symcf.compile(admission())
        >>> print(c.why([0, 0, 1, 0]))
        decided rejected (95.74%); each of these 2 reasons is enough, whatever the rest is:
          entrance exam = 0, work experience = 0
          work experience = 0, first application = 0
        in every reason: work experience
        in no reason: GPA
        """
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question)
        return Explainer(case).why(
            reason_engine_for(case, engine, encoding, solver),
            checked_count(k, "k", least=1),
            checked_count(max_results, "max_results", least=1),
            clock,
            checked_count(max_memory, "max_memory", least=1) or machine.memory_of_a_result(),
        )

    @timed
    @bounded
    def count_why(
        self, x: Any, *, time_limit: float | None = None, engine: str = "auto", **question: Unpack[Keywords]
    ) -> int:
        """The exact number of sufficient reasons, without listing them; `LimitError` when time is up."""
        clock = Clock(checked_seconds(time_limit))
        case = self._case(x, question)
        return reason_engine_for(case, engine).count(reason_query(case), clock)

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
        case = self._case(x, question)
        wanted, random = checked_draws(size), checked_random(random_state)
        engine = reason_engine_for(case)
        if not isinstance(engine, CoverEngine):
            engine = reason_engine_for(case, "diagram")
        assert isinstance(engine, (CoverEngine, MinimalEngine))
        drawn = engine.sample(reason_query(case), wanted, random, clock)
        return list(Explainer(case).reasons(drawn, "complete", engine.name, None))

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
        answer, count = fewest_kept(self, row, other, most, clock, machine.memory_of_a_result())
        return McExplanations(
            label=self.classes[int(self.decide(row)[0])],
            features=self.features,
            row=self._labels_of(row),
            baseline=self._labels_of(other),
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
        max_memory:
            Bytes that the call may take, as in `explain`. Beyond that, `LimitError` is raised: the diagrams of large
            ensembles do not fit.
        data:
            For "shapley": rows from which the frequencies of values are taken; by default all values of a feature are
            equally likely.

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
        if method != "shapley":
            case = self._case(x, question)
            counts, total = Explainer(case).counts(clock, reasons=method == "reasons")
            row, label = self._labels_of([case.x]), self.classes[case.prediction]
            return Attribution(method=method, label=label, features=self.features, row=row, counts=counts, total=total)
        codes = self.instance(x)
        values, prediction = shapley_values(self, codes, shares_of(self, data), clock)
        row, label = self._labels_of(codes), self.classes[int(prediction[0])]
        return Attribution(method=method, label=label, features=self.features, row=row, values=values[0])

    def _labels_of(self, row: Any) -> list[Hashable]:
        """The names of the values of one row of codes, of shape (1, n)."""
        return [labels[int(code)] for labels, code in zip(self.values, row[0], strict=True)]
