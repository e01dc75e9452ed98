"""Classifiers -> functions that are true or false -> models again.

"The decision is this class" is a function of rows. Functions of several classifiers combine over the columns that all
of them read (`rows.shared`), so the result is a model like any other.

Conditions on rows -> functions: the expressions of `constraints=`, and comparisons of columns with any numbers.

Where a condition compares a column with a number that no range of the classifier begins at, the column is cut there,
too. A missing number is neither less nor more than any.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import index
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.extras import load_extra
from symcf.common.options import checked_count
from symcf.common.renamed import with_new_keywords
from symcf.data.columns import Ranges, RawColumns
from symcf.data.labels import feature_index
from symcf.data.regions import Region
from symcf.data.shared import Columns, row_of_codes, shared
from symcf.errors import OptionError
from symcf.models.functions import FunctionModel
from symcf.question.comparisons import cuts_of
from symcf.question.expressions import Test, require
from symcf.question.grids import on_grid, on_same_grids
from symcf.question.relations import Relations, as_expression
from symcf.system.classifier import Classifier, Limits
from symcf.system.combine import How, Part, combine, how
from symcf.system.decision import Budget
from symcf.system.models import Models

__all__ = [
    "COMBINING",
    "ModelRows",
    "class_part",
    "columns_of",
    "combined",
    "common_classes",
    "condition_part",
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


#: Rows that are found at a time when all are listed.
CHUNK = 1 << 10


class ModelRows:
    """All rows for which a function is true, one for each cell: numbers of one range, and categories of one value,
    count as one row. In order, by the values of the features in the order of the diagram.

    >>> import symcf, symcf.demo
    >>> rows = symcf.compile(symcf.demo.admission()).models()
    >>> len(rows), rows[0]
    (6, {'entrance exam': 1, 'work experience': 1, 'GPA': 0, 'first application': 1})
    """

    def __init__(self, models: Models, columns: Columns) -> None:
        self._models = models
        self._columns = columns

    @property
    def count(self) -> int:
        """How many there are, exactly."""
        return self._models.count

    @property
    def share(self) -> Fraction:
        """How many of all rows they are, exactly."""
        return Fraction(self.count, self._columns.n_cells)

    def __len__(self) -> int:
        return self.count

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        """The row at this place, found without listing those before it; or those of a slice."""
        if isinstance(place, slice):
            return self._rows(range(self.count)[place])
        rank = index(place) + (self.count if place < 0 else 0)
        if not 0 <= rank < self.count:
            raise IndexError(f"there are {self.count:,} rows")
        return self._rows([rank])[0]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for start in range(0, self.count, CHUNK):
            yield from self._rows(range(start, min(start + CHUNK, self.count)))

    @with_new_keywords
    def sample(self, size: int, random_state: int | np.random.Generator | None = None) -> list[dict[str, Any]]:
        """Rows drawn uniformly from all of them, with replacement."""
        return self._of_codes(self._models.sample(size, random_state))

    def codes(self, start: int = 0, stop: int | None = None) -> npt.NDArray[np.int64]:
        """The rows from `start` to `stop` as value codes, as in a slice."""
        return self._models.at(range(self.count)[start:stop])

    def _rows(self, ranks: Any) -> list[dict[str, Any]]:
        return self._of_codes(self._models.at(ranks))

    def _of_codes(self, rows: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
        return [row_of_codes(self._columns, codes) for codes in rows.tolist()]

    def to_frame(self, n: int | None = None) -> Any:
        """The first n rows, or all, as a pandas DataFrame."""
        pd = load_extra("pandas", "to_frame")

        most = checked_count(n, "n", least=0)
        return pd.DataFrame(self._rows(range(self.count)[:most]), columns=list(row_of_codes_names(self._columns)))

    def __repr__(self) -> str:
        return f"ModelRows({self.count:,} of {self._columns.n_cells:,} rows)"


def row_of_codes_names(columns: Columns) -> list[str]:
    """The columns of such rows."""
    return list(row_of_codes(columns, [0] * len(columns.features)))


def condition_part(columns: Columns, given: Any) -> Part:
    """The rows for which a condition holds, as a function over these columns or finer ones."""
    expression = require(given) if isinstance(given, Mapping) else as_expression(given)
    cuts = cuts_of([expression], columns.features, _regions(columns))
    if cuts:
        columns = _finer(columns, cuts)
    for test in expression.tests():
        if any(value in columns.features for value in test.values) and not _is_value(test, columns):
            raise OptionError(f"condition: {test}: a column is compared with values here, not with another column")
    relations = Relations(
        [expression], columns.features, columns.values, columns.ordered, readers=columns.reader.readers
    )
    (core,) = relations.diagrams(range(len(columns.features)))
    return Part(core, None, columns)


def _regions(columns: Columns) -> list[Mapping[int, Region] | None]:
    return [reader.regions for reader in columns.reader.readers]


def _is_value(test: Test, columns: Columns) -> bool:
    """Is it compared with names of its own values?"""
    labels = columns.values[feature_index(test.feature, columns.features, "condition")]
    return all(str(value) in map(str, labels) for value in test.values)


def _finer(columns: Columns, numbers: Mapping[int, set[float]]) -> Columns:
    layout = columns.reader.layout
    readers = []
    for j, cuts in numbers.items():
        (column,) = columns.reader.readers[j].sources
        codes = tuple(range(len(cuts) + 1))
        markers = tuple((hole, len(codes)) for hole in _holes(columns, j))
        readers.append(Ranges(column, tuple(sorted(cuts)), codes, len(codes), markers))
    extra = Columns(
        tuple(columns.features[j] for j in numbers),
        tuple(tuple(range(len(reader.codes) + 1)) for reader in readers),
        (True,) * len(readers),
        RawColumns(layout.names, readers, named=layout.named),
    )
    return shared([columns, extra])[0]


def _holes(columns: Columns, j: int) -> set[float]:
    """Numbers that stand for something else."""
    regions: Mapping[int, Region] = columns.reader.readers[j].regions or {}
    return {hole for region in regions.values() for hole in region.holes}
