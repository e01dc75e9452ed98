"""What a question aims at, where that is a number: the question about a classifier of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.data.labels import by_feature, code_of
from symcf.errors import OptionError
from symcf.models.goals import NumberGoal, NumberTarget
from symcf.models.joint import DISAGREE, JointGoal, margin_goal
from symcf.system.classifier import Classifier

__all__ = ["AIMS", "aimed", "goal_of_question"]

C = TypeVar("C", bound=Classifier)

#: The keywords that may say that a target is a number.
KEYWORDS = ("target", "min_probability", "of", "margin", "width")

#: Those that always say so.
AIMS = frozenset(KEYWORDS[1:])


def aimed(
    classifier: C,
    question: Mapping[str, Any],
    decided: Callable[[], npt.NDArray[Any]] | None = None,
    *,
    reasons: bool = False,
) -> tuple[C, dict[str, Any]]:
    """The classifier that a question is about, and the question with a class of it as its target. Both are as they
    were where the target is a class. ``decided`` gives the classes of the rows, for questions that need a target and
    have none; ``reasons``: it is asked why, not what would have to change.
    """
    if decided is not None:
        classifier, question = _with_default(classifier, question, decided, reasons)
    goal = goal_of_question(classifier, **{name: question[name] for name in KEYWORDS if name in question})
    if goal is None:
        return classifier, {name: value for name, value in question.items() if name not in KEYWORDS[1:]}
    rest = {name: value for name, value in question.items() if name not in KEYWORDS}
    return classifier.towards(goal), {**rest, "target": goal.reached}


def _with_default(
    classifier: C, question: Mapping[str, Any], decided: Callable[[], npt.NDArray[Any]], reasons: bool
) -> tuple[C, Mapping[str, Any]]:
    """Where several models, a margin or a width need a target and none is given: the question with the other one of two
    classes; of several models that agree, where it is asked why they do: the classifier "all decide for it".
    """
    models = len(classifier.model.members)
    if question.get("margin") is not None:
        _check_margin(*(question.get(name) for name in ("margin", "target", "min_probability", "of")))
    if not classifier.classes or question.get("target") is not None or classifier.model.goal is not None:
        return classifier, question
    if not models and question.get("margin") is None and question.get("width") is None:
        return classifier, question
    classes = classifier.classes[:-1] if models else classifier.classes
    codes = np.unique(decided())
    if len(codes) != 1:
        raise OptionError(f"target: the rows have different classes; say what all should get, one of {list(classes)!r}")
    code = int(codes[0])
    if code == len(classes):
        raise OptionError(
            f"target: the {models} models disagree about this row; say what all of them should decide, one of "
            f"{list(classes)!r}"
        )
    if models and reasons and question.get("margin") is None and question.get("width") is None:
        return classifier.towards(JointGoal(classes[code])), question
    if len(classes) > 2:
        raise OptionError(f"target: say which class the row should get, one of {list(classes)!r}")
    return classifier, {**question, "target": classes[1 - code]}


def goal_of_question(
    classifier: Classifier,
    target: Any = None,
    min_probability: Any = None,
    of: Any = None,
    margin: Any = None,
    width: Any = None,
) -> NumberGoal | JointGoal | None:
    """The number to reach, or what several models should; None where the target is a class of one model."""
    models = len(classifier.model.members)
    widths = _widths(classifier, width)
    if margin is not None:
        _check_margin(margin, target, min_probability, of)
    if not models and not widths and margin is None:
        return _number_goal(classifier, target, min_probability, of)
    if classifier.is_black_box and margin is not None and len(classifier.classes) > 2:
        raise OptionError(
            "margin is not supported for black-box models of more than two classes: give symcf.from_predict a function "
            "that says whether the score of the class leads by as much"
        )
    if classifier.is_black_box and widths:
        raise OptionError(
            "width is not supported for black-box models: give symcf.from_predict a function that says whether all "
            "rows near by are decided as wanted"
        )
    if classifier.model.goal is not None:
        if margin is None and not widths:
            return None
        raise OptionError("margin and width: this classifier has its target already; give them to reaching")
    if target is None:
        what = "several models decide" if models else "margin and width are about the class to reach"
        raise OptionError(f"target: {what}, so say which class is wanted: target=, one of {_listed(classifier)}")
    number = target if isinstance(target, NumberTarget) else None
    least = None
    if number is not None or min_probability is not None:
        goal = _number_goal(classifier, target, min_probability, of)
        assert goal is not None
        label, of, least = goal.label, goal.of, goal.low if goal.of == "probability" else None
    else:
        label, of = classifier.classes[code_of(target, classifier.classes, "target")], "class"
        if models and label == DISAGREE:
            raise OptionError(f"target: all models should decide for a class, one of {_listed(classifier)}")
    if margin is not None and not models and not widths and len(classifier.classes) == 2:
        return margin_goal(classifier.model, label, float(margin))
    return JointGoal(label, number, of, least, None if margin is None else float(margin), widths, several=models > 1)


def _check_margin(margin: Any, target: Any, min_probability: Any, of: Any) -> None:
    if isinstance(margin, (bool, np.bool_)) or not isinstance(margin, (int, float, np.integer, np.floating)):
        raise OptionError(f"margin must be a number above 0, not {margin!r}")
    if not (math.isfinite(margin) and margin > 0):
        raise OptionError(f"margin must be a number above 0, not {margin!r}")
    if min_probability is not None or of is not None or isinstance(target, NumberTarget):
        raise OptionError(
            "margin is for a target that is a class; a probability or a number as the target has a margin of its own: "
            "ask for a larger one"
        )


def _widths(classifier: Classifier, width: Any) -> tuple[tuple[str, float], ...]:
    if width is None:
        return ()
    found = []
    for j, far in by_feature(width, classifier.features, "width").items():
        name = classifier.features[j]
        real = isinstance(far, (int, float, np.integer, np.floating)) and not isinstance(far, (bool, np.bool_))
        if not real or not (math.isfinite(far) and far >= 0):
            raise OptionError(f"width[{name!r}] must be a number of at least 0, not {far!r}")
        found.append((name, float(far)))
    return tuple(found)


def _number_goal(classifier: Classifier, target: Any, min_probability: Any, of: Any) -> NumberGoal | None:
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
    label = classifier.classes[code_of(target, classifier.classes, "target")]
    return NumberGoal("probability", float(given), None, label)


def _listed(classifier: Classifier) -> str:
    shown = ", ".join(map(repr, classifier.classes[:6]))
    return f"{shown}, ..." if len(classifier.classes) > 6 else shown
