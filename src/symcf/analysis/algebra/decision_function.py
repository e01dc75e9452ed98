"""A classifier as a function that one can compute with.

`Compiled` inherits from it. All of this takes diagrams: `CompileLimitError` says when one would be too large.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Self

from symcf.analysis.algebra.conditions import condition_part
from symcf.analysis.algebra.functions import (
    class_part,
    columns_of,
    combined,
    model_of,
    refuse_numbers,
    refuse_other_classes,
)
from symcf.analysis.algebra.model_rows import ModelRows
from symcf.common.clock import Clock, timed
from symcf.common.memory import bounded
from symcf.common.options import checked_seconds
from symcf.data.labels import code_of
from symcf.models.functions import FunctionModel
from symcf.system import classifier
from symcf.system.classifier import Classifier, Limits
from symcf.system.combine import ALL, ANY, MAX_MEMORY, ODD, How, Part, but_not, combine, how
from symcf.system.models import Models

__all__ = ["DecisionFunction"]


class DecisionFunction(Classifier):
    """Two classes: a function that is true where the decision is the second class. More: one for each class."""

    # --- functions
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
        refuse_numbers(self)
        part = condition_part(columns_of(self), given)
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
        """Those of both. Where neither was compiled with a ``max_memory``, `combine.MAX_MEMORY`."""
        own = {limits.max_memory for limits in (self.limits, other.limits)} - {classifier.MAX_MEMORY}
        most = min(own - {0}, default=0) if own else MAX_MEMORY
        return replace(self.limits, max_memory=most)

    # --- questions

    @timed
    @bounded
    def implies(self, other: Classifier, *, time_limit: float | None = None) -> bool:
        """Is the other one true wherever this one is? `LimitError` when time is up."""
        refuse_other_classes(self, other)
        return not self._but_not(class_part(other, 1))

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
        refuse_numbers(self)
        return not self._but_not(condition_part(columns_of(self), condition))

    def _but_not(self, other: Part) -> bool:
        """Is there a row for which this is true and the other one is not?"""
        return combine([class_part(self, 1), other], how(2, but_not), self.budget())[0].root != 0

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
