"""What a question aims at, where that is a number: the question about a classifier of its own."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from symcf.data.labels import code_of
from symcf.errors import OptionError
from symcf.models.goals import NumberGoal, NumberTarget
from symcf.system.classifier import Classifier

__all__ = ["aimed", "goal_of_question"]

C = TypeVar("C", bound=Classifier)

#: The keywords that may say that a target is a number.
KEYWORDS = ("target", "min_probability", "of")


def aimed(classifier: C, question: dict[str, Any]) -> tuple[C, dict[str, Any]]:
    """The classifier that a question is about, and the question with a class of it as its target. Both are as they
    were where the target is a class.
    """
    goal = goal_of_question(classifier, **{name: question[name] for name in KEYWORDS if name in question})
    if goal is None:
        return classifier, {name: value for name, value in question.items() if name not in KEYWORDS[1:]}
    rest = {name: value for name, value in question.items() if name not in KEYWORDS}
    return classifier.towards(goal), {**rest, "target": goal.reached}


def goal_of_question(
    classifier: Classifier, target: Any = None, min_probability: Any = None, of: Any = None
) -> NumberGoal | None:
    """The number to reach; None where the target is a class."""
    if of not in (None, "score"):
        raise OptionError(f'of must be "score", for a target that is a number, not {of!r}')
    regressor = not classifier.classes
    if min_probability is not None:
        if regressor or isinstance(target, NumberTarget):
            what = "a regressor has none" if regressor else f"the target is {target}"
            raise OptionError(f"min_probability is for the probability of a class; {what}: leave it out")
        return _of_probability(classifier, target, min_probability, of)
    if isinstance(target, NumberTarget):
        if not regressor and of is None:
            raise OptionError(
                f"target: {target} is a number, and the model has the classes {_listed(classifier)}. For a probability "
                f'use target=class, min_probability=; for the decision function add of="score"'
            )
        if regressor and of is not None:
            raise OptionError("of: a regressor has one number; leave it out")
        return NumberGoal("prediction" if regressor else "score", target.low, target.high)
    if of is not None:
        raise OptionError('of="score" needs a target that is a number: symcf.at_least(v), at_most(v) or between(a, b)')
    if regressor:
        given = "" if target is None else f", not {target!r}"
        raise OptionError(
            f"target: the model gives numbers, so say which are wanted: target=symcf.at_least(v), symcf.at_most(v) or "
            f"symcf.between(a, b){given}"
        )
    return None


def _of_probability(classifier: Classifier, target: Any, given: Any, of: Any) -> NumberGoal:
    if of is not None:
        raise OptionError("min_probability and of= exclude each other: a target is a probability or a score")
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, float, np.integer, np.floating)):
        raise OptionError(f"min_probability must be a number between 0 and 1, not {given!r}")
    if math.isnan(given) or not 0 < given < 1:
        raise OptionError(f"min_probability must be between 0 and 1, without the ends, not {given!r}")
    if target is None:
        raise OptionError(
            f"min_probability needs target=, the class that is to have it; the classes are {_listed(classifier)}"
        )
    if classifier.model.is_black_box:
        raise OptionError(
            "min_probability is not supported for black-box models: give symcf.from_predict a function that says "
            "whether the probability is high enough, such as lambda rows: model.predict_proba(rows)[:, 1] >= 0.8"
        )
    label = classifier.classes[code_of(target, classifier.classes, "target")]
    return NumberGoal("probability", float(given), None, label)


def _listed(classifier: Classifier) -> str:
    shown = ", ".join(map(repr, classifier.classes[:6]))
    return f"{shown}, ..." if len(classifier.classes) > 6 else shown
