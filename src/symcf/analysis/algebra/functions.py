"""Classifiers -> functions that are true or false -> models again.

"The decision is this class" is a function of rows. Functions of several classifiers combine over the columns that all
of them read (`rows.shared`), so the result is a model like any other.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.data.shared import Columns, shared
from symcf.errors import OptionError
from symcf.models.functions import FunctionModel
from symcf.question.grids import on_grid, on_same_grids
from symcf.system.classifier import Classifier, Limits
from symcf.system.combine import How, Part, combine, how
from symcf.system.decision import Budget

__all__ = [
    "COMBINING",
    "class_part",
    "columns_of",
    "combined",
    "common_classes",
    "model_of",
    "refuse_other_classes",
]

#: What columns of numbers need a grid for.
COMBINING = "counting, comparing and combining decisions"

#: The classes of a function that says whether something is so.
TRUTH = (False, True)


def columns_of(classifier: Classifier) -> Columns:
    """How rows of a classifier are read."""
    return Columns(classifier.features, classifier.values, classifier.ordered, classifier.model.encoder)


def class_part(classifier: Classifier, code: int, clock: Clock = NO_LIMIT) -> Part:
    """The function "the decision is this class"."""
    classifier = on_grid(classifier, COMBINING)
    diagram = classifier.class_diagram(code, clock)
    return Part(diagram.core, diagram.groups, columns_of(classifier))


def model_of(core: _core.Diagram, columns: Columns, classes: Sequence[Hashable] = TRUTH) -> FunctionModel:
    """A model that decides by a diagram over all values of these columns."""
    return FunctionModel(
        core,
        features=columns.features,
        values=columns.values,
        ordered=columns.ordered,
        classes=classes,
        encoder=columns.encoder,
    )


def combined(
    inputs: Sequence[tuple[Classifier, int]], combining: How, limits: Limits, classes: Sequence[Hashable] = TRUTH
) -> FunctionModel:
    """A model that decides for the second class where "the decision of this classifier is this class" combine to true.

    The diagrams are built, and combined, when a call needs the result: its limits hold for that.
    """
    known = on_same_grids([classifier for classifier, _ in inputs], COMBINING)
    for classifier in known:
        classifier.decision.check_diagram()
    columns, _ = shared(list(map(columns_of, known)))
    codes = [code for _, code in inputs]

    def make() -> _core.Diagram:
        parts = [class_part(classifier, code) for classifier, code in zip(known, codes, strict=True)]
        clock = NO_LIMIT.earlier(limits.time_limit)
        budget = Budget(lambda: clock.left, limits.max_nodes, limits.max_memory)
        return combine(parts, how(len(parts), combining), budget)[0]

    return FunctionModel.later(
        make,
        features=columns.features,
        values=columns.values,
        classes=classes,
        ordered=columns.ordered,
        encoder=columns.encoder,
    )


def common_classes(a: Classifier, b: Classifier) -> list[Hashable]:
    """The classes that both know; an error if there are none."""
    common = [label for label in a.classes if label in b.classes]
    if not common:
        raise OptionError(
            f"the two have no class in common: {list(a.classes)!r} and {list(b.classes)!r}; name them alike"
        )
    return common


def refuse_other_classes(a: Classifier, b: Classifier) -> None:
    """Raises an error unless it is clear which class counts as true: the second of both, of the same name."""
    for classifier in (a, b):
        if not isinstance(classifier, Classifier):
            raise OptionError(
                f"a compiled classifier is needed, not {type(classifier).__name__}: call symcf.compile first"
            )
        if classifier.n_classes != 2:
            raise OptionError(
                f"a classifier of {classifier.n_classes} classes is neither true nor false: say which class is meant, "
                f"such as is_class({classifier.classes[0]!r})"
            )
    if a.classes != b.classes:
        among = a.classes[1] if a.classes[1] in b.classes else b.classes[1]
        raise OptionError(
            f"the classes are {list(a.classes)!r} and {list(b.classes)!r}: which one counts as true? Say so on both "
            f"sides, such as is_class({among!r})"
        )
