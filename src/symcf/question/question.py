"""A checked question: what may change, at what cost, towards which class.

Its keywords are defined here, once; every function that answers questions takes ``**question: Unpack[Keywords]``.

What ``allowed=`` says about the size of a change: ``symcf.relative(0, 0.2)``, ``symcf.step(12)``.

Both depend on the row, so they become relations: ``income / old.income <= 1.2``, ``step(12, tenure)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, TypedDict, runtime_checkable

from symcf.common.lazy import cached_property
from symcf.common.options import checked_choice
from symcf.common.renamed import did_you_mean, new_keyword
from symcf.data.encoder import FeatureReader
from symcf.data.given import GivenRow, GivenRows
from symcf.data.labels import by_feature, code_of
from symcf.data.numbers import NumberLine
from symcf.data.plausibility import checked_share
from symcf.data.reader import as_column
from symcf.data.regions import ANYWHERE, LineCells, Region, checked_resolutions
from symcf.data.types import ColumnType
from symcf.errors import OptionError
from symcf.models.goals import NumberTarget
from symcf.question.aims import aimed
from symcf.question.amounts import Amount
from symcf.question.constraints import Constraint, Constraints
from symcf.question.costs import Costs, mentions_distance, same_costs
from symcf.question.distances import Distances
from symcf.question.expressions import All, Any_, AtMost, Comparison, Expression, Stepped
from symcf.question.gains import Freedom
from symcf.question.likely import Likely
from symcf.question.lines import cells_of_lines
from symcf.question.relations import Relations, as_list, cut_for, expressions_of
from symcf.question.ties import Ties
from symcf.system.classifier import Classifier

__all__ = ["Keywords", "Question", "kept_question", "relations_of", "relative", "step"]


class Keywords(TypedDict, total=False):
    """The keywords of a question. All are optional."""

    #: The class to reach; by default any other than the present one. Or a number: `symcf.at_least` and its like.
    target: Hashable | None
    #: The least probability that the target class is to have.
    min_probability: float | None
    #: "score": a target that is a number is about the classifier's decision function.
    of: str | None
    #: By how much the score has to pass the cut between the classes.
    margin: float | None
    #: By feature, how far its number may be off: every row within the width has to reach the target.
    width: Any
    #: Features that must stay.
    immutable: Any
    #: For some features, the values they may take, or "increase" or "decrease".
    allowed: Any
    #: What changing a feature costs.
    cost: Any
    #: Where that is a distance: in which scale, "mad", "std", "range" or by feature; rows to take it from.
    scale: Any
    data: Any
    #: The most features a counterfactual may change.
    max_changes: int | None
    #: Relations between features that the counterfactual must obey.
    constraints: Any
    #: How plausible a counterfactual must be: at least as likely as this share of the data.
    min_plausibility: float | None
    #: What is to be as small as can be: "features" or "moves".
    minimality: str
    #: For some features, what suggested numbers are to be multiples of.
    resolution: Any


@dataclass(frozen=True)
class Question:
    """A checked question, resolved to codes: the same for every row of a batch."""

    #: The classifier, refined so that it distinguishes the values that the relations distinguish.
    classifier: Classifier
    constraints: Constraints
    costs: Costs
    relations: Relations | None
    #: The code of the target class; None: any other.
    target: int | None
    #: "features": no feature can keep its old value. "moves": no feature can be moved less far.
    minimality: str = "features"
    #: By feature, what suggested numbers are to be multiples of; it decides nothing but their digits.
    resolutions: Mapping[int, Fraction] = field(default_factory=dict)
    #: By feature that is a line of numbers, the intervals that relations tell apart; None for the others.
    cells: tuple[LineCells | None, ...] = ()
    #: The columns of whole numbers whose gain is largest in between.
    whole: frozenset[int] = frozenset()

    @classmethod
    def checked(
        cls,
        classifier: Classifier,
        *,
        target: Hashable | None = None,
        min_probability: float | None = None,
        of: str | None = None,
        margin: float | None = None,
        width: Any = None,
        immutable: Any = (),
        allowed: Any = None,
        cost: Any = None,
        scale: Any = "mad",
        data: Any = None,
        max_changes: int | None = None,
        constraints: Any = (),
        min_plausibility: Any = None,
        minimality: str | None = None,
        resolution: Any = None,
        ranked: bool = False,
        **unknown: object,
    ) -> Question:
        """Checks what the user gave; an error names what is not accepted. ``ranked``: the cheapest are asked for, so
        that with distances `minimality` is "moves" unless it is given or undefined: the nearest row need not be one of
        the fewest features.
        """
        for name in unknown:
            raise TypeError(
                new_keyword(name)
                or f"unexpected keyword {name!r}{did_you_mean(name, Keywords.__annotations__) or '.'} A question takes "
                f"{', '.join(Keywords.__annotations__)}; other keywords must be in the signature of the call"
            )
        aims = (min_probability, of, margin, width)
        if not _is_class(classifier, target) or any(aim is not None for aim in aims):
            classifier, aim = aimed(
                classifier,
                {"target": target, "min_probability": min_probability, "of": of, "margin": margin, "width": width},
            )
            target = aim["target"]
        if minimality == "moves" and classifier.decision.numbers is not None:
            raise OptionError(
                "minimality='moves': columns of numbers move along a grid of their own for each row; ask about one row "
                "at a time (explain, count, sample)"
            )
        asked = classifier.decision.black_box
        changes, allowed = relations_of(allowed, classifier.features)
        if changes:
            constraints = [*as_list(constraints), *changes]
        if _is_given(constraints) or allowed is not None:
            classifier = cut_for(classifier, constraints, allowed)
        names = (classifier.features, classifier.values, classifier.ordered)
        if not (data is None and scale == "mad") and not mentions_distance(cost):
            raise OptionError("scale and data are for cost='distance', which measures how far numbers move")
        likely = _likely(min_plausibility, classifier)
        related = _is_given(constraints) or likely is not None
        readers, resolutions = classifier.encoder.readers, _resolutions(resolution, classifier)
        sums = classifier.decision.numbers
        numbers = sums is not None
        cells: list[LineCells | None] = [None] * len(classifier.features)
        if sums is not None:
            cells = cells_of_lines(expressions_of(constraints), classifier.features, classifier.values, readers)
            if guards := sums.cells:
                cells = [c if c is None or g is None else c.cut_at(g.cuts) for c, g in zip(cells, guards, strict=True)]
        relations = None
        if related:
            labels = [
                line if cell is None else cell.labels for line, cell in zip(classifier.values, cells, strict=True)
            ]
            told = [reader if cell is None else cell for reader, cell in zip(readers, cells, strict=True)]
            relations = Relations(
                constraints, classifier.features, labels, classifier.ordered, likely, told, resolutions
            )
        compared = frozenset[int]() if relations is None or numbers else relations.compared
        limited = Constraints(
            *names,
            immutable=immutable,
            allowed=allowed,
            max_changes=max_changes,
            relations=relations,
            missing=classifier.missing,
            unknown=classifier.unknown,
            regions=partial(_regions_of, readers),
            suggested=None if asked is None else asked.suggested,
        )
        if cost is None:
            distances, costs = None, same_costs(classifier.features)
        else:
            distances = Distances(classifier, scale, data, limited.limits) if mentions_distance(cost) else None
            costs = Costs(cost, *names, distances, None if asked is None else asked.suggested)
        if minimality is None:
            nearest = ranked and distances is not None and not numbers and not compared
            minimality = "moves" if nearest else "features"
        _check_compared(classifier, compared, costs, minimality)
        return cls(
            classifier if relations is None or numbers else classifier.telling_apart(relations.partition(), compared),
            limited,
            costs,
            relations,
            None if target is None else code_of(target, classifier.classes, "target"),
            checked_choice(minimality, "minimality", ("features", "moves")),
            resolutions,
            tuple(cells),
        )

    @cached_property
    def freedom(self) -> Freedom:
        """Where columns hold numbers: what the features may become."""
        return self.freedom_without(())

    def freedom_without(self, left_out: Sequence[Constraint]) -> Freedom:
        """The same without some of the constraints."""
        decision = self.classifier.decision.numbers
        assert decision is not None
        items = tuple(item for item in self.constraints.items if item.feature is not None and item not in left_out)
        freedom: Freedom = self.classifier.kept.get(
            (Freedom, items), lambda: Freedom.of(decision, self.classifier.values, items)
        )
        return freedom

    def given_as(self, rows: GivenRow | GivenRows) -> Question:
        """The same question about rows whose columns have types: values without a number that the column of a feature
        can hold are not taken, and columns of whole numbers stay whole.
        """
        return self._held(rows.type_of) if self.as_known is None else self.as_known

    @cached_property
    def as_known(self) -> Question | None:
        """What `given_as` gives for all rows, where the classifier knows the types of all columns that matter."""
        readers, type_of = self.classifier.encoder.readers, self.classifier.encoder.layout.type_of
        matter = {j for j, reader in enumerate(readers) if reader.regions is not None} | self._fractional
        return None if any(type_of(readers[j].sources[0]) is None for j in matter) else self._held(type_of)

    @property
    def _fractional(self) -> frozenset[int]:
        """The columns of numbers whose gain may be largest at a number that is not whole."""
        return self.freedom.fractional if self.classifier.decision.numbers is not None else frozenset()

    def _held(self, type_of: Callable[[int], ColumnType | None]) -> Question:
        encoder, limits, barren = self.classifier.encoder, self.constraints.limits, {}
        kinds = {j: type_of(encoder.readers[j].sources[0]) for j in self._fractional}
        whole = frozenset(j for j, kind in kinds.items() if kind is not None and kind.is_whole)
        question = replace(self, whole=whole) if whole else self
        for j, reader in enumerate(encoder.readers):
            if reader.regions is None:
                continue
            kind = type_of(reader.sources[0])
            if kind is not None and (codes := encoder.barren(j, kind, limits.get(j, ANYWHERE))):
                barren[j] = (kind, codes)
        return replace(question, constraints=self.constraints.held_by(barren)) if barren else question

    def check_select(self, select: str) -> None:
        """`OptionError` if ``select`` does not fit the question."""
        if self.minimality == "moves" and select in ("all", "likeliest"):
            raise OptionError("select: with minimality='moves' each counterfactual has its own values; leave it out")
        if select == "all" and any(isinstance(labels, NumberLine) for labels in self.classifier.values):
            raise OptionError(
                "select='all': columns of numbers have a grid of their own for each row; use select='nearest', or ask "
                "about one row at a time (Compiled.explain)"
            )
        if select == "likeliest":
            self._check_likeliest()

    def _check_likeliest(self) -> None:
        if self.classifier.plausibility is None:
            raise OptionError(
                "select='likeliest': it is not known which rows are plausible; give data with symcf.compile(model, "
                "plausibility=data)"
            )

    @cached_property
    def is_open(self) -> bool:
        """May every feature become anything?"""
        return self.constraints.is_open

    @property
    def compared(self) -> frozenset[int]:
        """The features that hold ranges of numbers and are compared in relations."""
        return frozenset() if self.relations is None else self.relations.compared

    @property
    def is_coupled(self) -> bool:
        """Are columns of numbers related, has one class to beat several, or do whole numbers gain less than numbers
        between them? Then each row is a system of sums.
        """
        numbers = self.classifier.decision.numbers
        guarded = numbers is not None and bool(numbers.cells)
        return numbers is not None and (guarded or self.relations is not None or not self.any_other or bool(self.whole))

    @cached_property
    def ties(self) -> Ties | None:
        """The linear rows over numbers, if nothing else relates the features of sums; see `symcf.question.ties`."""
        sums = self.classifier.decision.numbers
        if sums is None or self.relations is None or not self.any_other or self.whole:
            return None
        return Ties.of(self.relations, self.classifier.encoder.readers, sums)

    @property
    def depends_on_cells(self) -> bool:
        """Does the answer depend on the cells of a row, and not on its codes alone?"""
        return self.is_coupled or (self.relations is not None and bool(self.relations.by_row))

    @property
    def any_other(self) -> bool:
        """Is every class other than the present one a target?"""
        return self.target is None or self.classifier.n_classes == 2


def kept_question(classifier: Classifier, keywords: Keywords, *, ranked: bool) -> Question:
    """`Question.checked`, once for the same keywords, where the target is a class. Keywords that are more than names,
    numbers, and lists and mappings of these are checked again each time: they may have changed.
    """
    if not keywords:
        plain: Question = classifier.asked.get_soon(None, lambda: Question.checked(classifier))
        return plain
    try:
        key = ranked, _fixed(keywords)
    except TypeError:
        return Question.checked(classifier, ranked=ranked, **keywords)
    kept: Question = classifier.asked.get_soon(key, lambda: Question.checked(classifier, ranked=ranked, **keywords))
    return kept


def _fixed(given: Any) -> Hashable:
    """What a keyword was given as: types count, since True is no number and 1 and 1.0 may be different labels."""
    kind = type(given)
    if kind is dict:
        return kind, tuple((_fixed(name), _fixed(value)) for name, value in given.items())
    if kind is list or kind is tuple:
        return kind, tuple(map(_fixed, given))
    if given is None or kind in (str, int, float, bool):
        return kind, given
    raise TypeError(f"{kind.__name__} may change")


def _check_compared(classifier: Classifier, compared: Iterable[int], costs: Costs, minimality: str) -> None:
    """`OptionError` for options that are undefined where columns are compared with each other."""
    for j in sorted(compared):
        name = classifier.features[j]
        if minimality == "moves":
            raise OptionError(
                f"minimality='moves': {name!r} holds ranges of numbers and is in a relation over numbers; of numbers "
                "that move within their ranges there are infinitely many smallest moves; use minimality='features'"
            )
        if costs.per_value is not None and costs.per_value[j]:
            raise OptionError(
                f"cost[{name!r}]: it is compared with another column, so how far it moves depends on that column; give "
                "one number, or leave the comparison out"
            )


def _regions_of(readers: Sequence[FeatureReader]) -> list[Mapping[int, Region] | None]:
    return list(map(_regions, readers))


def _regions(reader: FeatureReader) -> Mapping[int, Region] | None:
    """By code, the numbers that the value stands for; a single number is a region of one."""
    numbers = [key for key in reader.keys or () if isinstance(key, (int, float)) and not isinstance(key, bool)]
    if not numbers or len(numbers) < len(reader.keys or ()):
        return reader.regions
    codes = reader.read([as_column(numbers)]).tolist()
    return {code: Region(float(number), float(number)) for number, code in zip(numbers, codes, strict=True)}


def _resolutions(given: Any, classifier: Classifier) -> Mapping[int, Fraction]:
    if given is None:
        return {}
    found = checked_resolutions(given, classifier.features)
    for j in found:
        if classifier.encoder.readers[j].regions is None and not isinstance(classifier.values[j], NumberLine):
            raise OptionError(f"resolution: the values of {classifier.features[j]!r} are not ranges of numbers")
    return found


def _is_class(classifier: Classifier, target: Any) -> bool:
    """Is what is wanted a class of one model?"""
    return bool(classifier.classes) and not classifier.model.members and not isinstance(target, NumberTarget)


def _likely(given: Any, classifier: Classifier) -> Likely | None:
    """How plausible a row has to be; None for any."""
    if given is None:
        return None
    share = checked_share(given, "min_plausibility")
    if classifier.plausibility is None:
        raise OptionError(
            "min_plausibility: it is not known which rows are plausible; give data with symcf.compile(model, "
            "plausibility=data)"
        )
    return Likely(share, classifier.plausibility) if share else None


def _is_given(constraints: Any) -> bool:
    return constraints is not None and not (isinstance(constraints, (list, tuple)) and not constraints)


@runtime_checkable
class Change(Protocol):
    """An entry of ``allowed=`` that is about the change, and not about the new value."""

    def expression(self, name: str) -> Expression:
        """As a relation of the feature of this name."""


@dataclass(frozen=True)
class Relative(Change):
    """See `relative`."""

    low: Fraction
    high: Fraction

    def expression(self, name: str) -> Expression:
        ratio = Amount("/", (Amount(name), Amount(f"old.{name}")))
        least, most = Amount(1 + self.low), Amount(1 + self.high)
        within = All((Comparison(ratio, ">=", least), Comparison(ratio, "<=", most)))
        return Any_((AtMost(0, (name,)), within))


@dataclass(frozen=True)
class Step(Change):
    """See `step`."""

    size: Fraction

    def expression(self, name: str) -> Expression:
        return Stepped(self.size, name)


def relative(low: float, high: float) -> Relative:
    """For ``allowed=``: a number may change by these parts of itself. ``relative(0, 0.2)``: rise by up to 20 %;
    ``relative(-0.1, 0.1)``: ten per cent either way. A number that is 0 or missing may not change.
    """
    ends = [_number(end, "relative") for end in (low, high)]
    if ends[0] > ends[1]:
        raise OptionError(f"relative(low, high): low must not be larger than high, not {low!r} and {high!r}")
    return Relative(*ends)


def step(size: float) -> Step:
    """For ``allowed=``: a number changes by multiples of this. ``step(12)``: by whole years, in a column of months."""
    found = _number(size, "step")
    if found <= 0:
        raise OptionError(f"step(size): the size must be larger than 0, not {size!r}")
    return Step(found)


def _number(given: Any, name: str) -> Fraction:
    try:
        fine = not isinstance(given, (bool, str)) and math.isfinite(given)
        return Fraction(str(given)) if fine else Fraction("")
    except (TypeError, ValueError):
        raise OptionError(f"{name} takes numbers, not {given!r}") from None


def relations_of(allowed: Any, features: tuple[str, ...]) -> tuple[list[Expression], Any]:
    """The entries of ``allowed`` that are about changes, as relations; and the others."""
    if not isinstance(allowed, Mapping) or not any(isinstance(given, Change) for given in allowed.values()):
        return [], allowed
    by_index = by_feature(allowed, features, "allowed")
    changes = {j: given for j, given in by_index.items() if isinstance(given, Change)}
    others = {features[j]: given for j, given in by_index.items() if j not in changes}
    return [given.expression(features[j]) for j, given in changes.items()], others or None
