"""Does every suggested row reach the goal under each of several models, and within the width?

Each model is asked on its own, with the raw row, as if the others did not exist. Within a width, the corners and the
middle of the box around the row are tried; that is a test, not a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from symcf.answers.explanation import Explanation
from symcf.data.given import GivenRow
from symcf.models.joint import JointGoal
from symcf.proof.verification.raw_relations import Facts, raw_relation
from symcf.proof.verification.report import Look, Report
from symcf.system.classifier import Classifier, Limits

__all__ = ["check_members", "check_sums_of_members"]

#: Rows around a suggested one that are tried.
MOST_CORNERS = 243


def check_members(compiled: Classifier, explanation: Explanation, report: Report, look: Look) -> None:
    """Gives each suggested row to each model."""
    goal = explanation.goal
    assert isinstance(goal, JointGoal)
    parts = [goal.part(member) for member in compiled.model.members]
    asked = [(Classifier(model, "influence", Limits()), k) for model, k, _ in parts]
    for cf in explanation:
        look()
        for row in _around(compiled, cf.row, goal):
            for place, (member, k) in enumerate(asked, 1):
                codes = member.encoder.encode_one(row)
                if int(member.decide(member.checked(codes))[0]) != k:
                    report.fail("valid", f"{cf.features} does not reach {goal.reached!r} under model {place}: {row}")


def _around(compiled: Classifier, row: Any, goal: JointGoal) -> Iterator[Any]:
    """The row, and those at the corners of its box, as mappings where columns have names."""
    layout = compiled.encoder.layout
    given = GivenRow(row, layout)
    cells = [given.cell(place) for place in range(len(layout.names))]
    places = [compiled.encoder.readers[compiled.features.index(name)].sources[0] for name, _ in goal.width]
    offsets = product((0.0, -1.0, 1.0), repeat=len(places))
    for count, signs in enumerate(offsets):
        if count == MOST_CORNERS:
            return
        moved = list(cells)
        for place, sign, (_, far) in zip(places, signs, goal.width, strict=True):
            if sign and moved[place] is not None and moved[place] == moved[place]:
                moved[place] = float(np.float64(moved[place])) + sign * far
        yield dict(zip(layout.names, moved, strict=True)) if layout.named else moved


def check_sums_of_members(compiled: Classifier, x: Any, explanation: Explanation, report: Report, look: Look) -> None:
    """Columns of numbers: do suggested rows change what they say, within the constraints? No other rows are tried."""
    old = compiled.instance(x)[0].tolist()
    if old != explanation.instance.tolist():
        report.fail("valid", "the explanation is of another row")
    facts = Facts.of(compiled, x)
    relations = [raw_relation(c.value, compiled, facts) for c in explanation.constraints if c.is_rule]
    locked = {c.feature for c in explanation.constraints if c.feature is not None and c.locks}
    for cf in explanation:
        look()
        new = compiled.instance(cf.row)[0].tolist()
        changed = tuple(j for j, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
        if changed != cf.features:
            report.fail("valid", f"{cf.features} is announced, {changed} changes")
        for j in locked & set(changed):
            report.fail("valid", f"feature {compiled.features[j]!r} may not change")
        told = Facts.of(compiled, cf.row)
        for relation in relations:
            if not relation.holds(told):
                report.fail("valid", f"changing {changed} does not obey {relation.text}")
    for question in ("minimal", "complete"):
        report.skip(question, "several models that add up numbers are not searched again")
