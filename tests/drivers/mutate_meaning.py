"""Plants mistakes in what a question means, one at a time: does `verify` or the checker of certificates notice?

    python tests/drivers/mutate_meaning.py [--only N]

Each mistake replaces a few characters of src/symcf in a copy. A few questions are then answered by the copy, and each
answer goes through `symcf.verify` and, as a certificate, through the checker. A mistake is *noticed* if one of them
rejects an answer, if no proof is found for it, if the verdict names other constraints than were asked for, or if the
call ends with an error of its own. A mistake that changes no answer to these questions is counted as idle.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"

KINDS, ROWS = "question/constraint_kinds.py", "question/row_relations.py"

#: What is wrong, the file, the text and what replaces it (once).
MISTAKES: list[tuple[str, str, str, str]] = [
    ("an immutable feature may change", KINDS, "        self.direction = FIXED\n", "        pass\n"),
    ("increase means decrease", KINDS, '"increase": UP, "decrease": DOWN', '"increase": DOWN, "decrease": UP'),
    ("a direction is ignored", KINDS, "        permitted.move(DIRECTIONS[self.value])", "        pass"),
    ("an increase skips a value", KINDS, "mask[: own + 1] = False", "mask[: own + 2] = False"),
    ("a decrease may stay above", KINDS, "mask[own:] = False", "mask[own + 2 :] = False"),
    ("listed values are ignored", KINDS, "        self.mask = self.mask & listed", "        pass"),
    ("listed values are those that are forbidden", KINDS, "listed[list(codes)] = True", "listed[:] = True; listed[list(codes)] = False"),
    ("the lower end of a range is ignored", KINDS, "self.low, self.high = max(self.low, low), min(self.high, high)", "self.high = min(self.high, high)"),
    ("the upper end of a range is off by one", KINDS, "self.low, self.high = max(self.low, low), min(self.high, high)", "self.low, self.high = max(self.low, low), min(self.high, high + 1)"),
    ("a range of cells takes the next cell, too", KINDS, "if not region.within(here).empty)", "if not region.within(Region(here.first - 1, here.last + 1)).empty)"),
    ("limits within a cell are forgotten", "question/case.py", "limits, compared = constraints.limits_without(left_out), related_by(self.orders)", "limits, compared = {}, related_by(self.orders)"),
    ("all constraints on single features are ignored", "question/case.py", "        self.mask = question.constraints.mask(self.x)\n", "        self.mask = None\n"),
    ("one change more than allowed", "question/case.py", "max_changes=question.constraints.max_changes,", "max_changes=None if question.constraints.max_changes is None else question.constraints.max_changes + 1,"),
    ("one change fewer than allowed", "question/case.py", "max_changes=question.constraints.max_changes,", "max_changes=None if question.constraints.max_changes is None else question.constraints.max_changes - 1,"),
    ("an order is read as strict", "question/relations.py", 'Order(text, low, high, test.operator in ("<", ">"), steps)', "Order(text, low, high, True, steps)"),
    ("a strict order is read as weak", "question/relations.py", 'Order(text, low, high, test.operator in ("<", ">"), steps)', "Order(text, low, high, False, steps)"),
    ("an order is read the other way round", "question/relations.py", '(j, partner) if test.operator in ("<", "<=") else (partner, j)', '(partner, j) if test.operator in ("<", "<=") else (j, partner)'),
    ("an implication is read as both", "question/expressions.py", "return algebra.any([algebra.opposite(self.condition.meaning(algebra)), self.consequence.meaning(algebra)])", "return algebra.all([self.condition.meaning(algebra), self.consequence.meaning(algebra)])"),
    ("an implication is read backwards", "question/expressions.py", "return algebra.any([algebra.opposite(self.condition.meaning(algebra)), self.consequence.meaning(algebra)])", "return algebra.any([self.condition.meaning(algebra), algebra.opposite(self.consequence.meaning(algebra))])"),
    ("not is ignored", "question/expressions.py", "return algebra.opposite(self.part.meaning(algebra))", "return self.part.meaning(algebra)"),
    ("or is read as and", "question/expressions.py", "return algebra.any([part.meaning(algebra) for part in self.parts])", "return algebra.all([part.meaning(algebra) for part in self.parts])"),
    ("<= is read as <", "question/expressions.py", '*zip(ORDERS, ORDERS, strict=True)):', '("<", "<"), ("<=", "<"), (">", ">"), (">=", ">")):'),
    ("= is read as !=", "question/expressions.py", '(("=", "in"), ("==", "in"), ("!=", "not in"),', '(("=", "not in"), ("==", "in"), ("!=", "in"),'),
    ("a number at a cut is on the wrong side", "question/comparisons.py", "return first >= numbers[0]", "return first > numbers[0]"),
    ("a comparison with a number makes no cut", "question/comparisons.py", "            cuts.add(_least(number))\n", "            pass\n"),
    ("two of the listed numbers are one range", "question/comparisons.py", "for cut in (point, math.nextafter(point, math.inf))", "for cut in (point,)"),
    ("a linear relation is read as strict", ROWS, 'return _row(form, Fraction(0), strict=sign == "<")', "return _row(form, Fraction(0), strict=True)"),
    ("the right side is off by one", ROWS, "row = Linear(form.coefficients, most - form.constant, strict)", "row = Linear(form.coefficients, most - form.constant + 1, strict)"),
    ("a mirrored sign is not mirrored", ROWS, "return _compared(form.times(Fraction(-1)), MIRRORED[sign], old)", "return _compared(form, MIRRORED[sign], old)"),
    ("change.x is the new number", ROWS, 'Form.new(j) + Form.of(-number(j)) if prefix == "change." else Form.new(j)', "Form.new(j)"),
    ("old.x is the new number", ROWS, "return Quotient(Form.of(number(j)))", "return Quotient(Form.new(j))"),
    ("equal numbers may differ by much", ROWS, "EQUAL = Fraction(1, 1 << 40)", "EQUAL = Fraction(1, 2)"),
    ("a relation says nothing", ROWS, "        except Undefined:\n            return NEVER\n", "        except Undefined:\n            return NEVER\n        return ALWAYS\n"),
    ("one more feature of a group may change", ROWS, "groups = list(combinations(self.features, self.most + 1))", "groups = list(combinations(self.features, self.most + 2))"),
    ("at_most of a group is ignored", ROWS, "            return [Alternative(simplified(Both, parts))]\n", "            return ALWAYS\n"),
    ("steps are ignored", ROWS, "return {atom.feature: atom.step for atom in self.resolved if isinstance(atom, Steps)}", "return {}"),
    ("steps are half as long", ROWS, "return {atom.feature: atom.step for atom in self.resolved if isinstance(atom, Steps)}", "return {atom.feature: atom.step / 2 for atom in self.resolved if isinstance(atom, Steps)}"),
    ("the label before is taken", "data/labels.py", "        return labels.index(label)\n", "        return max(0, labels.index(label) - 1)\n"),
    ("a cell of an order is a point", "question/orders.py", "found = domain.next(end, up=True, strict=strict)", "found = domain.region.last"),
    ("the second of several relations is ignored", "question/relations.py", "            *map(self._read, as_list(given)),", "            *map(self._read, as_list(given)[:1]),"),
    ("a target is any other class", "system/decision.py", "return (prediction, 0) if target is None else (target, 1)", "return (prediction, 0)"),
    ("whole numbers are not", "data/encoder.py", "    def barren(self", "    def barren(self, *a):\n        return []\n\n    def _barren(self"),
]  # fmt: skip

#: Answers questions with the copy that comes first on the path, as JSON.
ASK = r"""
import json, sys, warnings
warnings.simplefilter("ignore")
import numpy as np, pandas as pd, symcf
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(0)
X = pd.DataFrame({"a": rng.integers(0, 20, 200), "b": rng.normal(0, 5, 200).round(2), "c": rng.integers(0, 20, 200) * 1.0})
total = X.a + X.b - X.c
two = np.where(total > 0, "yes", "no")
three = np.where(total > 5, "hi", np.where(total > -5, "mid", "lo"))
forest = symcf.compile(RandomForestClassifier(3, max_depth=3, random_state=0).fit(X, two), data=X)
classes = symcf.compile(DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, three), data=X)
linear = symcf.compile(LogisticRegression().fit(X, two), data=X)
bayes = symcf.compile(symcf.NaiveBayes(
    [0.6, 0.4],
    [[[0.5, 0.3, 0.15, 0.05], [0.1, 0.2, 0.3, 0.4]], [[0.7, 0.2, 0.1], [0.2, 0.3, 0.5]], [[0.6, 0.4], [0.3, 0.7]]],
    features=["size", "job", "own"], values=[["s", "m", "l", "xl"], ["none", "part", "full"], ["no", "yes"]],
    classes=["declined", "approved"]))
QUESTIONS = [
    (bayes, ["m", "none", "no"], [
        {}, {"immutable": ["job"]}, {"allowed": {"size": "increase"}}, {"allowed": {"size": "decrease"}},
        {"allowed": {"size": ["xl", "s"]}}, {"max_changes": 1}, {"max_changes": 2}, {"constraints": ["size = xl -> own = yes"]},
        {"constraints": ["not (job = full)"]}, {"constraints": ["size <= l", "job != full"]},
        {"constraints": ["own = yes or job = full"]}, {"constraints": ["at_most(1, size, job)"]}, {"allowed": {"job": ["part"]}},
        {"constraints": ["size < xl"]}, {"constraints": ["job: none -> full"]}]),
    (bayes, ["l", "part", "yes"], [{"allowed": {"size": "decrease"}}, {"constraints": ["old.job = part -> size >= m"]}]),
]
for model in (forest, linear):
    for i in (0, 5) if model is forest else (0,):
        QUESTIONS.append((model, X.iloc[i], [
            {}, {"immutable": ["b"]}, {"allowed": {"a": "increase"}}, {"allowed": {"b": [-2, 3]}}, {"allowed": {"a": [3, 9]}},
            {"constraints": ["a <= c"]}, {"constraints": ["a < c"]}, {"constraints": ["a + b <= c", "b >= -1"]},
            {"constraints": ["change.a == change.c"]}, {"constraints": ["a >= 12"]}, {"constraints": ["a <= 1.2 * old.a"]},
            {"constraints": ["at_most(1, a, c)"]}, {"constraints": ["step(4, a)"]}, {"constraints": ["a = 7 or c > 11"]},
            {"constraints": ["2 * a - c >= 3"]}, {"max_changes": 1}]))
QUESTIONS.append((forest, X.iloc[0], [{"allowed": {"a": [3, 8, 12]}}, {"constraints": ["a in {4, 10, 15}"]}]))
QUESTIONS.append((classes, X.iloc[0], [{}, {"target": "lo"}, {"target": "hi"}, {"target": "lo", "constraints": ["a <= c"]}]))

def rows(e):
    return [[list(map(int, cf.features)), [str(change.new) for change in cf.changes]] for cf in e]

for model, row, asked in QUESTIONS:
    for options in asked:
        found = {"answer": None, "noticed": [], "stated": None}
        try:
            e = model.explain(row, **options)
        except symcf.OptionError as error:
            found["answer"] = f"OptionError: {error}"
        except Exception as error:
            found["noticed"].append(f"{type(error).__name__} in explain")
        else:
            try:
                found["answer"] = [list(map(list, e.sets)), rows(e)]
            except Exception as error:
                found["noticed"].append(f"{type(error).__name__} in the counterfactuals")
            try:
                report = symcf.verify(model, row, e)
                found["noticed"] += [f"verify: {p}" for p in report.problems][:1]
            except Exception as error:
                found["noticed"].append(f"verify: {type(error).__name__}")
            try:
                if not e.at_target:
                    certificate = e.certificate()
                    found["stated"] = certificate.data["question"]
                    verdict = symcf.check(certificate, model, row=row)
                    found["noticed"] += [] if verdict else [f"check: {verdict}"]
            except Exception as error:
                found["noticed"].append(f"certificate: {type(error).__name__}")
        print(json.dumps(found, default=int), flush=True)
"""


def answers(source: Path) -> list[dict[str, object]]:
    """What a copy of the source answers."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    ran = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True)
    if ran.returncode:
        raise SystemExit(ran.stderr[-2000:])
    return [json.loads(line) for line in ran.stdout.splitlines()]


def main() -> int:
    """The command line; 1 if more than two mistakes go unnoticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=int, help="the number of one mistake")
    given = parser.parse_args()
    right = answers(SOURCE)
    alarms = [one["noticed"] for one in right if one["noticed"]]
    print(f"{len(right)} questions, {len(alarms)} false alarms {alarms[:3]}")
    missed, idle = [], []
    for number, (what, file, old, new) in enumerate(MISTAKES):
        if given.only is not None and number != given.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "src"
            shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
            path = copy / "symcf" / file
            text = path.read_text(encoding="utf-8")
            if old not in text:
                print(f"{number:2} {what}: THE TEXT IS GONE from {file}")
                return 2
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
            found = answers(copy)
        changed = [i for i, (a, b) in enumerate(zip(right, found, strict=True)) if a["answer"] != b["answer"]]
        signs = [sign for i, one in enumerate(found) for sign in one["noticed"] if sign not in right[i]["noticed"]]  # type: ignore[attr-defined,operator]
        stated = [i for i, (a, b) in enumerate(zip(right, found, strict=True)) if b["stated"] and a["stated"] != b["stated"]]
        verdict = signs[0][:90] if signs else "other constraints in the verdict" if stated else "NOT NOTICED" if changed else "idle"
        print(f"{number:2} {what}: {verdict} ({len(changed)} answers differ, {len(signs)} alarms)", flush=True)
        missed += [what] if verdict == "NOT NOTICED" else []
        idle += [what] if verdict == "idle" else []
    print(f"{len(MISTAKES)} mistakes, {len(missed)} not noticed: {missed}, {len(idle)} idle: {idle}")
    return 1 if len(missed) > 2 else 0


if __name__ == "__main__":
    sys.exit(main())
