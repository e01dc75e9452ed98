"""The table of capabilities: which option is supported for which kind of model, and how.

Nothing is written down twice: for each kind of model there is a small example, each option is asked of it as a call
would, and what `Question.checked` and `Search.supports` answer is the cell. Calls around `explain` are tried.

>>> cells = {(cell.option, cell.model): cell.answer for cell in table()}
>>> cells["explain", "sums of weights, two classes"], cells["why", "black box"]
('exact', 'by queries')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from symcf.analysis.recourse import group_recourse
from symcf.compiled import Compiled, compile
from symcf.data.plausibility import Plausibility
from symcf.errors import ModelError, OptionError
from symcf.fast import explain_batch
from symcf.models.additive import AdditiveClassifier, NumberTerm
from symcf.models.base import Model
from symcf.models.black_box import BlackBoxModel
from symcf.models.bounded.bounds import Bounds, Inner, Matrix
from symcf.models.bounded.forms import Activation, Affine
from symcf.models.bounded.model import BoundedModel
from symcf.models.from_predict import from_predict
from symcf.models.functions import from_function
from symcf.models.goals import at_least, between
from symcf.models.linear import LinearClassifier
from symcf.models.trees.classifiers import DecisionTree, RandomForest
from symcf.question.case import asked_case
from symcf.question.grids import on_grid
from symcf.search.plan import Plan, plan
from symcf.search.protocol import Options, Search
from symcf.search.reasons import check_reasons, shares_of
from symcf.system.classifier import Classifier, Limits

__all__ = ["EXAMPLES", "OPTIONS", "Cell", "Example", "Option", "table"]


@dataclass(frozen=True)
class Cell:
    """What an option does for a kind of model."""

    option: str
    model: str
    #: "exact", "up to r changes" (complete for sets of up to r features, r grows with time), "by queries" (the same
    #: over the values that are tried), "among candidates" (the best choice among those) or "no".
    answer: str
    #: Why not, in one sentence; None if it is supported.
    reason: str | None = None


# --- kinds of models --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    """A small model of a kind, and what questions about it can say."""

    make: Callable[[], Model]
    #: A row, as users give it.
    row: list[Any]
    #: Relations between features; of numbers, one between two columns.
    relation: str = "x0 = 1 -> x1 = 1"
    order: str | None = None
    #: A class that is not that of the row, where there are more than two.
    target: Any = None
    #: Does it compute a number for a row, and does it read columns of numbers?
    scores: bool = True
    numbers: bool = True
    #: Rows of data, which say what is plausible.
    data: list[list[Any]] = field(default_factory=lambda: [[0, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]])

    @property
    def classifier(self) -> Classifier:
        """The model, prepared."""
        model = self.make()
        return Classifier(model, "influence", Limits(), plausibility=Plausibility.fit(self.data, model))


def _tree(feature: str, at_most: float) -> dict[str, Any]:
    """A tree of three tests."""
    low, high = ({"class": 0}, {"class": 1}), ({"class": 1}, {"class": 0})
    below = [{"feature": "x1", "at_most": 0.5 + i, "yes": pair[0], "no": pair[1]} for i, pair in enumerate((low, high))]
    return {"feature": feature, "at_most": at_most, "yes": below[0], "no": below[1]}


class _Estimator:
    """A fitted estimator, of which nothing is known but what it says."""

    classes_ = np.array([0, 1])

    def decision_function(self, rows: Any) -> Any:
        return np.asarray(rows).sum(axis=1) - 2.0

    def predict(self, rows: Any) -> Any:
        return (self.decision_function(rows) > 0).astype(int)

    def predict_proba(self, rows: Any) -> Any:
        second = 1 / (1 + np.exp(-self.decision_function(rows)))
        return np.column_stack([1 - second, second])


def _black_box() -> Model:
    data = np.array(list(product(range(3), repeat=3)), dtype=float)
    return from_predict(_Estimator(), data, max_inputs=1)


class _Network(_Estimator):
    """Two neurons, and their sum."""

    def decision_function(self, rows: Any) -> Any:
        return np.maximum(np.asarray(rows) @ _WEIGHTS - 1.0, 0.0).sum(axis=1) - 1.5


_WEIGHTS = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def _layers() -> Model:
    data = np.array(list(product(range(3), repeat=3)), dtype=float)
    box = from_predict(_Network(), data, max_inputs=0)
    assert isinstance(box, BlackBoxModel)
    functions = Affine(_WEIGHTS, [-1.0, -1.0]), Activation("relu"), Affine([[1.0], [1.0]], [-1.5])
    bounds = Bounds((Matrix(((0,), (1,), (2,)), np.asarray),), Inner(functions, 0))
    return BoundedModel(box, bounds, lambda function: function, (Activation("logistic"),))


_NAMES = ["x0", "x1", "x2"]
_NUMBERS = [[0, 0, 0], [5, 1, 2], [9, 9, 9], [3, 8, 4]]


def _number_terms(slopes: list[float]) -> list[NumberTerm]:
    return [NumberTerm(slope, range=(0, 10), resolution=1) for slope in slopes]


#: By kind of model, an example. A new kind is a line here.
EXAMPLES: dict[str, Example] = {
    "sums of weights, two classes": Example(
        lambda: LinearClassifier([2, 3, -1], -2, features=_NAMES, probability="logistic"), [0, 0, 0], numbers=False
    ),
    "sums of weights, several classes": Example(
        lambda: LinearClassifier([[1, 0, 0], [0, 2, 0], [0, 0, 3]], [1, 0, -1], features=_NAMES),
        [0, 0, 0],
        target=1,
        numbers=False,
    ),
    "sums of numbers, two classes": Example(
        lambda: AdditiveClassifier(_number_terms([1, 2, -1]), -5, features=_NAMES, probability="logistic"),
        [0, 0, 0],
        "x0 <= 5",
        "x0 <= x1",
        data=_NUMBERS,
    ),
    "sums of numbers, several classes": Example(
        lambda: AdditiveClassifier(
            [NumberTerm(slopes, range=(0, 10), resolution=1) for slopes in ([1, 0, 0], [0, 2, 0], [0, 0, 3])],
            [1, 0, -1],
            features=_NAMES,
        ),
        [0, 0, 0],
        "x0 <= 5",
        "x0 <= x1",
        target=1,
        data=_NUMBERS,
    ),
    "decision tree": Example(
        lambda: DecisionTree(_tree("x0", 0.5), features=_NAMES), [0, 0, 0], "x0 <= 0 -> x1 <= 1", "x0 <= x1"
    ),
    "large ensemble of trees": Example(
        lambda: RandomForest([_tree(_NAMES[i % 2 * 2], i / 10 + 0.5) for i in range(31)], features=_NAMES),
        [0, 0, 0],
        "x0 <= 0 -> x1 <= 1",
        "x0 <= x1",
    ),
    "function": Example(
        lambda: from_function(lambda row: int(sum(row) == 1), 3, features=_NAMES),
        [0, 0, 0],
        scores=False,
        numbers=False,
    ),
    "network of layers": Example(_layers, [0, 0, 0]),
    "black box": Example(_black_box, [0, 0, 0]),
}


# --- options ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """Something that can be asked."""

    #: The keywords of the question; None: the kind of model has no such question.
    keywords: Callable[[Example], dict[str, Any] | None] = lambda example: {}
    #: What is answered: checks the question and gives the search.
    answered: Callable[[Plan], type[Search] | None] = lambda planned: planned.kind
    #: Which values counterfactuals get.
    select: str = "nearest"
    #: A call around `explain`, which is made.
    called: Callable[[Compiled, Example], object] | None = None
    #: The classifier, if it is not that of the model alone.
    prepared: Callable[[Example], Compiled] | None = None
    #: What this call gives, where the answers of `explain` do not say it.
    gives: str | None = None


def _reasons(planned: Plan) -> type[Search]:
    check_reasons(planned.question)
    return planned.reason_kind


def _by_diagram(planned: Plan) -> None:
    on_grid(planned.question.classifier, "cnf").decision.check_diagram()


def _shapley(planned: Plan) -> None:
    known = on_grid(planned.question.classifier, "method='shapley'")
    shares_of(known)
    known.decision.check_diagram()


def _shared(planned: Plan) -> None:
    check_reasons(planned.question)
    on_grid(planned.question.classifier, "precision").decision.check_diagram()


def _sampled(planned: Plan) -> type[Search]:
    return planned.kind if planned.kind.by_sums else planned.counting_kind


def _counted(planned: Plan) -> type[Search]:
    check_reasons(planned.question)
    return planned.default if planned.default.avoids_diagram else planned.counting_kind


def _other_class(example: Example) -> Any:
    """A class that is not that of the row."""
    if example.target is not None:
        return example.target
    classifier = example.classifier.around([example.row])
    decided = int(classifier.decide(classifier.codes([example.row]))[0])
    return classifier.classes[1 - decided]


def _several(example: Example) -> Compiled:
    return compile([example.make(), example.make()])


def _of_scores(example: Example, **asked: Any) -> dict[str, Any] | None:
    """A question about a number that the model computes."""
    return {"target": _other_class(example), **asked} if example.scores else None


#: By name, what can be asked. A new option is a line here.
OPTIONS: dict[str, Option] = {
    "explain": Option(),
    "target": Option(lambda example: None if example.target is None else {"target": example.target}),
    "min_probability": Option(lambda example: _of_scores(example, min_probability=0.6)),
    "target=at_least": Option(lambda example: _of_scores(example, target=at_least(0.5), of="score")),
    "target=between": Option(lambda example: _of_scores(example, target=between(0.5, 2.5), of="score")),
    "margin": Option(lambda example: _of_scores(example, margin=0.5)),
    "width": Option(
        lambda example: {"target": _other_class(example), "width": {"x0": 0.25}} if example.numbers else None
    ),
    "immutable": Option(lambda example: {"immutable": ["x2"]}),
    "allowed": Option(lambda example: {"allowed": {"x2": "increase"}}),
    "max_changes": Option(lambda example: {"max_changes": 2}),
    "constraints": Option(lambda example: {"constraints": [example.relation]}),
    "constraints, two columns": Option(
        lambda example: None if example.order is None else {"constraints": [example.order]}
    ),
    "constraints over sums and changes": Option(
        lambda example: {"constraints": ["x0 + x1 <= 2 * x2 + 3", "at_most(2, x0, x1, x2)", "x0 >= old.x0"]}
    ),
    "min_plausibility": Option(lambda example: {"min_plausibility": 0.1}),
    "cost per feature": Option(lambda example: {"cost": [1, 2, 3]}),
    "cost='distance'": Option(lambda example: {"cost": "distance", "data": example.data}),
    "minimality='moves'": Option(lambda example: {"minimality": "moves"}),
    "select='surest'": Option(select="surest"),
    "select='likeliest'": Option(select="likeliest"),
    "select='all'": Option(select="all"),
    "count": Option(),
    "sample": Option(answered=_sampled),
    "why": Option(answered=_reasons),
    "why, constraints": Option(lambda example: {"constraints": [example.relation]}, _reasons),
    "why, general": Option(answered=_reasons),
    "why, precision": Option(answered=_shared),
    "locked_out_regions": Option(lambda example: {"immutable": ["x2"]}, lambda planned: planned.default),
    "attribute": Option(answered=_counted),
    "attribute, 'shapley'": Option(answered=_shapley),
    "cnf": Option(answered=_by_diagram),
    "batches": Option(called=lambda c, example: explain_batch(c, [example.row] * 2)),
    "keywords per row": Option(called=lambda c, example: explain_batch(c, [example.row] * 2, immutable=[["x0"], []])),
    "several models": Option(lambda example: {"target": _other_class(example)}, prepared=_several),
    "pareto": Option(
        lambda example: {"cost": [1, 2, 3]},
        called=lambda c, example: c.explain(example.row, cost=[1, 2, 3]).pareto("changes", "cost"),
    ),
    "certificate": Option(called=lambda c, example: c.explain(example.row).certificate()),
    "group_recourse": Option(
        called=lambda c, example: group_recourse(c, [example.row] * 2, actions=1, target=_target(c, example)),
        gives="among candidates",
    ),
}


def _target(c: Compiled, example: Example) -> Any:
    """A class that is not that of the row."""
    before = c.predict([example.row])[0]
    return next(label for label in c.classes if label != before)


@cache
def _classifiers() -> dict[str, Classifier]:
    return {name: example.classifier for name, example in EXAMPLES.items()}


def table() -> list[Cell]:
    """All cells, option by option; those that make no sense for a kind of model are left out."""
    return list(_cells())


def _cells() -> Iterator[Cell]:
    for (option, asked), (kind, example) in product(OPTIONS.items(), EXAMPLES.items()):
        keywords = asked.keywords(example)
        if keywords is None:
            continue
        try:
            classifier = _classifiers()[kind] if asked.prepared is None else asked.prepared(example)
            yield Cell(option, kind, _answer(asked, classifier, example, keywords))
        except (ModelError, OptionError) as error:
            yield Cell(option, kind, "no", str(error))


def _answer(asked: Option, classifier: Classifier, example: Example, keywords: Any) -> str:
    row = classifier.encoder.read_one(example.row)
    question = asked_case(classifier, row, keywords, asked.select).question
    question.check_select(asked.select)
    planned = plan(question, Options())
    found = asked.answered(planned)
    if asked.called is not None:
        asked.called(compile(example.make(), plausibility=example.data), example)
    if asked.gives is not None:
        return asked.gives
    if classifier.is_black_box and (found is None or not found.by_bounds):
        return "by queries"
    if found is None:
        return "exact"
    limited = found.patience is not None and question.constraints.max_changes is None
    return "up to r changes" if limited else "exact"
