"""Explanations: the facts, and every way to read them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from symcf.answers import render, schema, sentences
from symcf.answers.attribution import Attribution
from symcf.answers.diversity import EFFORT, diverse_sets
from symcf.answers.facts import Counterfactual, Facts
from symcf.answers.groups import Group, groups_of
from symcf.answers.letters import Form, given_reasons, letter_of
from symcf.answers.reasons import Reasons
from symcf.answers.sentences import fixed_features
from symcf.common.clock import Clock, tick, timed
from symcf.common.options import checked_choice, checked_count, checked_seconds, checked_some
from symcf.data.labels import feature_indices
from symcf.errors import OptionError
from symcf.letters.page import Letter
from symcf.proof.certificates.certificate import Certificate
from symcf.search.change_sets import ChangeSets

if TYPE_CHECKING:
    import pandas

__all__ = ["MEASURES", "Explanation", "front_of"]


class Explanation(Facts):
    """All minimal counterfactuals of an instance, or the cheapest, by (cost, size, features).

    Behaves as a sequence of `Counterfactual`; they are made when they are read, so that a million sets cost no more
    than their indices. With ``select="all"`` a change set has one counterfactual per combination of values that flips
    the decision.
    """

    def __str__(self) -> str:
        return render.to_text(self)

    def _repr_html_(self) -> str:
        return render.to_html(self)

    def sentences(self, most: int | None = 10) -> list[str]:
        """In plain language: the decision, up to ``most`` counterfactuals (None: all), and how complete they are.

        >>> import symcf
        >>> model = symcf.NaiveBayes.binary(0.3, [0.9], [0.1], features=["GPA"], values=[["low", "high"]],
        ...                                 classes=["declined", "approved"])
        >>> symcf.compile(model).explain([0]).sentences()[:2]
        ['Declined.', 'It would be approved if GPA were high.']
        """
        return sentences.sentences(self, most)

    @timed
    def diverse(self, k: int, *, effort: int = EFFORT, time_limit: float | None = None) -> Explanation:
        """The k counterfactuals that differ most: the smallest distance of two of their change sets is largest.

        The distance is the share of features that only one of the two has: 1 if they have none in common. Of choices
        that are equally far apart it is the first, so that cheap ones are preferred. `diversity` says how far apart
        they are, and whether it is proved that no other choice is farther: always for a few hundred sets, where the
        search ends within its ``effort`` (words of 64 sets that it looks at; the default takes about a tenth of a
        second), and for any number where they have nothing in common.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> e = symcf.compile(admission()).explain([0, 0, 1, 0])
        >>> e.diverse(2).sets, e.diverse(2).diversity
        ([(1,), (0, 3)], Diversity(distance=1.0, exact=True, of=2))
        """
        wanted, clock = checked_some(k), Clock(checked_seconds(time_limit))
        work = checked_count(effort, "effort", least=0)
        if not len(self.sets):
            return self
        sets = self.sets if isinstance(self.sets, ChangeSets) else ChangeSets.of(self.sets)
        ends, row = np.concatenate([[0], sets.sizes.cumsum(dtype=np.int64)]), np.array([0, len(sets)])
        chosen, _, [diversity] = diverse_sets(
            sets.features, ends, row, len(self.features), wanted, clock, EFFORT if work is None else work
        )
        few = copy.copy(self)
        few.sets, few.diversity, few.complete_up_to = [self.sets[i] for i in chosen.tolist()], diversity, None
        few.__dict__.pop("_listed", None)
        return few

    def pareto(self, *measures: str) -> list[Counterfactual]:
        """The counterfactuals of the list that no other one of the list beats: none is at least as good in every
        measure and better in one. In the order of the list; of equally good ones all are given.

        Measures are "changes" (how many features change), "cost", "distance" (the same, where costs are distances),
        "plausibility" and "probability" (of the new class); small changes, costs and distances are good, and large
        plausibilities and probabilities. Probabilities that agree to 12 digits are equal. At least two measures are
        needed. The front is exact for the counterfactuals of the list, so ask for a complete one; with
        ``minimality="moves"`` the list has the cheapest rows of all, whatever they change.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> e = symcf.compile(admission()).explain([0, 0, 1, 0], cost={"work experience": 5})
        >>> [(cf.features, cf.cost) for cf in e.pareto("changes", "cost")]
        [((0, 3), 2.0), ((1,), 5.0)]
        """
        places, listed = front_of(self, measures), list(self)
        return [listed[place] for place in places]

    def groups(self, first: int | None = None) -> list[Group]:
        """All change sets, or the first of them, in few lines: those that differ in one feature stand together.

        Every change set is in exactly one group, and reading the groups as sequences gives all of them back.

        >>> import symcf
        >>> c = symcf.compile(symcf.NaiveBayes.binary(0.3, [0.9, 0.8, 0.8], [0.2, 0.3, 0.3], features=["a", "b", "c"]))
        >>> for group in c.explain([0, 0, 0]).groups():
        ...     print(group, list(group))
        a, plus any one of (b, c) [(0, 1), (0, 2)]
        """
        return groups_of(self.sets[: checked_count(first, "first", least=0)], self.features)

    @property
    def reasons(self) -> Reasons:
        """The other side: what was enough for the decision; `Compiled.why` with the same question.

        Sufficient reasons and change sets are each other's minimal hitting sets.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> e = symcf.compile(admission()).explain([0, 0, 1, 0])
        >>> e.sets, e.reasons.sets
        ([(1,), (0, 3)], [(0, 1), (1, 3)])
        """
        reasons = self.source.why_all()
        assert isinstance(reasons, Reasons)
        return reasons

    def likeliest(self, k: int = 1) -> list[Counterfactual]:
        """The k likeliest counterfactuals, the likeliest first: one for each change set, with its likeliest values.

        They are the likeliest of all if the explanation is complete. Needs ``symcf.compile(model, plausibility=data)``.

        >>> import symcf
        >>> data = [[0, 0], [0, 0], [0, 1], [1, 1]]
        >>> c = symcf.compile(symcf.LinearClassifier([2, 2], -1), plausibility=data)
        >>> [(cf.features, cf.plausibility) for cf in c.explain([0, 0]).likeliest(2)]
        [((1,), 0.5), ((0,), 0.0)]
        """
        return self.source.likeliest(self.sets, checked_count(k, "k", least=1) or 1)

    @timed
    def certificate(self, *, time_limit: float | None = None) -> Certificate:
        """The answer with its proof, for `symcf.check` to check without the engines, and with a number to quote.

        It has the model's rule in integers, so whoever gets it sees how the model decides. `LimitError` if no proof is
        found in time; `OptionError` for questions that certificates cannot state.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> certificate = symcf.compile(admission()).explain([0, 0, 1, 0]).certificate()
        >>> certificate.number
        'OPC2-QAPY-EJ5J-CJKX'
        """
        if self.at_target:
            raise OptionError("certificate: the row has the target class already; nothing has to change")
        return self.source.certificate(self, Clock(checked_seconds(time_limit)))

    @timed
    def letter(
        self,
        allow: Iterable[int | str] | str | None = None,
        *,
        ways: int = 3,
        reasons: Attribution | Iterable[int | str] | None = None,
        protected: Iterable[int | str] | None = None,
        certificate: Certificate | None = None,
        probability: bool = False,
        language: str = "en",
        wording: Mapping[str, str] | str | PathLike[str] | None = None,
        names: Mapping[Any, str] | None = None,
        units: Mapping[Any, str] | None = None,
        values: Mapping[Any, Mapping[Hashable, str]] | None = None,
        decisions: Mapping[Hashable, str] | None = None,
        person: str = "",
        sender: str = "",
        date: str = "",
        paper: str = "a4",
        time_limit: float | None = None,
    ) -> Letter | None:
        """One page for the person whom the decision is about: the decision, at most four principal reasons, the nearest
        ways to the other decision, what was held fixed. HTML, laid out for paper. None for a row that has the target
        class already: no letter is written to such people, as in `symcf.letters.letters`.

        Parameters
        ----------
        allow:
            The features that may be named, or "all". By default all but the protected ones. Reasons, ways and limits
            that involve others are left out, and the letter says so.
        ways:
            How many ways to the other decision are shown.
        reasons:
            What the principal reasons are: an `Attribution`, or features in their order. By default those that are in
            most sufficient reasons (`Compiled.attribute` with "reasons", nothing held fixed). They are found among
            all features: one that may not be named is left out, and none takes its place.
        protected:
            Features that must not be a principal reason: if one is, or weighs as much as one that is, no letter is
            written. By default the immutable features.
        certificate:
            The certificate of this explanation, whose number the letter quotes.
        probability:
            Is the probability of the decision shown?
        language, wording:
            "en", "de", "fr", "es", "it" or "pl"; and other sentences for some of those in ``symcf/letters/en.toml``, as
            a mapping or a file.
        names, units, values, decisions:
            What features, the numbers in them, their other values, and classes are called in the letter.
        person, sender, date:
            For the head of the letter.
        paper:
            "a4" or "letter".
        time_limit:
            Seconds for finding the principal reasons; `LimitError` beyond.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> e = symcf.compile(admission()).explain([0, 0, 1, 0])
        >>> e.letter("all", certificate=e.certificate())
        Letter('rejected', 2 ways, 'en')
        """
        if self.at_target:
            return None
        counts = [] if reasons is not None else self.source.reason_counts(Clock(checked_seconds(time_limit)))
        if allow is None:
            guarded: Sequence[int] = fixed_features(self.constraints)
            if protected is not None:
                guarded = feature_indices(protected, self.features, "protected")
            allow = [j for j in range(len(self.features)) if j not in guarded]
        form = Form.checked(
            self.features,
            self.classes,
            allow,
            protected=protected,
            ways=ways,
            probability=probability,
            language=language,
            wording=wording,
            names=names,
            units=units,
            values=values,
            decisions=decisions,
            paper=paper,
        )
        order = given_reasons(self, form, counts, reasons)
        return letter_of(self, form, order, certificate=certificate, person=person, sender=sender, date=date)

    def to_dict(self) -> dict[str, Any]:
        """The whole explanation, as lists, numbers and strings; the schema is in `symcf.answers.schema`."""
        return schema.to_dict(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """The same as JSON text, in one line without ``indent``."""
        return schema.to_json(self, indent)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Explanation:
        """The inverse of `to_dict`, without the classifier; `symcf.verify` checks it against one."""
        return cls(**schema.facts_from_dict(data))

    def to_pandas(self) -> pandas.DataFrame:
        """Tidy: one row per change. Needs pandas."""
        return schema.to_pandas(self)

    def to_frame(self, k: int | None = None) -> pandas.DataFrame:
        """The changed rows, one per counterfactual (the first ``k``), in the columns, types and order of the given row:
        what the classifier's own `predict` takes. Needs pandas.

        >>> import symcf
        >>> tree = symcf.DecisionTree({"feature": "age", "at_most": 25.5, "yes": {"class": "no"},
        ...                            "no": {"class": "yes"}}, features=["age"], classes=["no", "yes"])
        >>> symcf.compile(tree).explain({"age": 19}).to_frame()
                        age
        counterfactual
        0                26
        """
        return schema.to_frame(self, checked_count(k, "k", least=0))


#: Probabilities that agree to so many digits are equal: sums of floats end in other digits in another order.
DIGITS = 12

#: What is to be small, for each measure; None where it is not known.
MEASURES: dict[str, Callable[[Counterfactual], float | None]] = {
    "changes": lambda cf: float(len(cf.changes)),
    "cost": lambda cf: cf.cost,
    "distance": lambda cf: cf.cost,
    "plausibility": lambda cf: None if cf.plausibility is None else -cf.plausibility,
    "probability": lambda cf: None if cf.probability is None else -round(cf.probability, DIGITS),
}

#: What to do where a measure is not known.
UNKNOWN = {
    "plausibility": "give data with symcf.compile(model, plausibility=data)",
    "probability": "the model has no probabilities",
}


def front_of(facts: Facts, measures: Sequence[str]) -> list[int]:
    """The places of the counterfactuals that no other one beats; `OptionError` for measures that are not known."""
    names = [checked_choice(name, "measure", tuple(MEASURES)) for name in measures]
    if len(set(names)) < 2:
        raise OptionError(f"pareto: give at least two different measures of {', '.join(MEASURES)}")
    if "distance" in names and not facts.scales:
        raise OptionError("pareto: the costs of this explanation are no distances; ask with cost='distance'")
    listed = list(facts)
    values = np.zeros((len(listed), len(names)))
    for i, cf in enumerate(listed):
        for k, name in enumerate(names):
            value = MEASURES[name](cf)
            if value is None:
                raise OptionError(f"pareto: {name} is not known: {UNKNOWN[name]}")
            values[i, k] = value
    # Whoever beats a line comes before it in this order.
    order, front = np.lexsort(values.T[::-1]), list[int]()
    for i in order.tolist():
        tick()
        known = values[front]
        beaten = (known <= values[i]).all(axis=1) & (known < values[i]).any(axis=1)
        if not beaten.any():
            front.append(i)
    return sorted(front)
