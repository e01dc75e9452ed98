"""Writes the test vectors of the certificate format: ``python tests/drivers/certificate_vectors.py``.

Each file of tests/vectors holds the text of one certificate, true or forged, and what a checker must say of it:

    {"about": "...", "text": "...", "failed": null or the name of the test that it fails}

They are checked in, so that checkers in other languages can be tried without symcf. Forged ones have the right number
and fingerprint unless it is these that are tried.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import random_runs  # noqa: F401  (the path)

# isort: split
import pandas
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import symcf
from symcf.demo import admission
from symcf.proof.certificates.sealed import SealedBatch
from symcf.proof.checker.form import fingerprint_of, number_of

VECTORS = Path(__file__).parent.parent / "vectors"

Data = dict[str, Any]


def sealed(data: Data) -> str:
    """The text, with the right fingerprint and number."""
    data["model"]["fingerprint"] = fingerprint_of(data["model"])
    data["number"] = number_of(data)
    return json.dumps(data)


def forged(data: Data, change: Callable[[Data], Any]) -> str:
    """The text of a changed certificate."""
    new = copy.deepcopy(data)
    change(new)
    return sealed(new)


def people() -> tuple[pandas.DataFrame, list[str]]:
    """A small table of numbers."""
    rows = [(20 + 3 * i % 40, 10 + 7 * i % 23, 5 + 11 * i % 19) for i in range(60)]
    frame = pandas.DataFrame(rows, columns=["age", "income", "debt"])
    return frame, ["yes" if 2 * r.income > 3 * r.debt + (r.age < 30) * 6 else "no" for r in frame.itertuples()]


def one_feature(domain: Any, own: Any, new: Any, *constraints: Data) -> Data:
    """A certificate by hand: the second of two values leads to yes."""
    rule = {"kind": "trees", "trees": [[[0, [0, 0], 1, 2], [[1, 0]], [[0, 1]]]], "ties": "last"}
    return {
        "format": "symcf certificate",
        "version": 2,
        "model": {"features": ["x"], "values": [domain], "classes": ["no", "yes"], "rule": rule},
        "row": [own],
        "decision": "no",
        "question": {
            "target": None,
            "constraints": list(constraints),
            "costs": None,
            "max_changes": None,
            "k": None,
        },
        "answer": {"sets": [[0]], "values": [[new]], "claim": {"kind": "listed"}},
        "proof": {"kind": "none"},
    }


def good() -> Iterator[tuple[str, str, Any]]:
    """Names, what they are about, and explanations or reasons."""
    c = symcf.compile(admission())
    row = [0, 0, 1, 0]
    yield "sums-all", "all sets, by duality", c.explain(row)
    yield "sums-immutable", "a feature that does not change", c.explain(row, immutable=["GPA"])
    yield "sums-none", "no allowed change helps", c.explain(row, immutable=["entrance exam", "work experience"])
    yield "sums-first", "the cheapest set", c.explain(row, k=1)
    yield "sums-costs", "costs by feature", c.explain(row, cost={"GPA": 2, "work experience": 2.5})
    yield "sums-up-to", "sets of one change", c.explain(row, max_changes=1)
    yield "sums-listed", "nothing is claimed of others", c.explain([1, 0, 1, 0], max_results=1)
    yield "sums-relation", "a relation between labels", c.explain(row, constraints=["'work experience' = 1 -> GPA = 0"])
    three = symcf.NaiveBayes(
        [0.5, 0.3, 0.2], [[[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]], [[0.6, 0.4], [0.3, 0.7], [0.5, 0.5]]],
        features=["colour", "size"], values=[["red", "green", "blue"], ["small", "large"]], classes=["a", "b", "c"],
    )  # fmt: skip
    several = symcf.compile(three)
    yield "classes-any", "any other of three classes", several.explain(["red", "small"])
    yield "classes-target", "one class of three", several.explain(["red", "small"], target="b")
    yield "labels-allowed", "some labels only", several.explain(["red", "small"], allowed={"colour": ["green"]})
    yield "labels-increase", "labels in order", several.explain(["green", "small"], allowed={"colour": "increase"})
    yield "reasons-all", "all reasons", c.why(row)
    yield "reasons-first", "the cheapest reason", c.why(row, k=1, cost={"first application": 3})
    yield "reasons-listed", "nothing is claimed of other reasons", c.why(row, max_results=1)
    yield "reasons-immutable", "reasons where a feature cannot be otherwise", c.why(row, immutable=["GPA"])
    relation = "'work experience' = 1 -> GPA = 0"
    yield "reasons-relation", "reasons within a relation", c.why(row, constraints=[relation])
    yield "reasons-any", "reasons against any other of three classes", several.why(["red", "small"])
    yield "reasons-target", "reasons against one class of three", several.why(["red", "small"], target="b")
    data = [[a, a ^ (i % 5 == 0), b, i % 2] for i in range(20) for a in (0, 1) for b in (0, 1)]
    likely = symcf.compile(admission(), plausibility=data)
    yield "sums-plausible", "new rows must be plausible", likely.explain(row, min_plausibility=0.3)
    yield "reasons-plausible", "reasons among plausible rows", likely.why(row, min_plausibility=0.3)
    d = symcf.compile(symcf.Diagram.from_table([0, 0, 0, 1, 0, 1, 1, 1]))
    yield "diagram", "two of three, as a diagram", d.explain([0, 0, 0])
    many = symcf.compile(symcf.from_function(sum, [2, 2], classes=["x", "y", "z"]))
    yield "diagrams", "three classes, each with a diagram", many.explain([0, 0])
    yield "diagrams-relation", "relations within diagrams", many.explain([0, 0], constraints=["0 = 1 -> 1 = 1"])
    line = symcf.NumberTerm
    curve = symcf.AdditiveClassifier(
        [line(0.75, (0, 10)), line(-0.25, (0, 5), curve=0.125), [0.5, -0.25, 1.0]], -5.0, classes=["no", "yes"]
    )
    numbers = symcf.compile(curve)
    yield "lines", "lines of numbers, one of them curved", numbers.explain([1.5, 2.0, 0])
    yield "lines-range", "a range of a line", numbers.explain([1.5, 2.0, 0], allowed={0: [1, 6.5]})
    frame, labels = people()
    tree = symcf.compile(DecisionTreeClassifier(max_depth=3, random_state=0).fit(frame, labels), data=frame)
    linear = symcf.compile(LogisticRegression().fit(frame, labels), data=frame)
    person = frame.iloc[labels.index("no")]
    for name, model in (("cells", tree), ("lines", linear)):
        yield f"{name}-whole", "columns of whole numbers", model.explain(person)
        yield f"reasons-{name}", "reasons over columns of numbers", model.why(person)
        yield f"reasons-{name}-order", "reasons within an order", model.why(person, constraints=["debt <= income"])
        yield f"{name}-order", "an order between columns", model.explain(person, constraints=["debt <= income"])
        yield f"{name}-sum", "a linear relation", model.explain(person, constraints=["debt + 2 <= 0.5 * income"])
        yield f"{name}-ratio", "a quotient", model.explain(person, constraints=["debt / income <= 0.4"])
        yield f"{name}-change", "changes", model.explain(person, constraints=["change.income <= 4", "step(2, debt)"])
        yield (
            f"{name}-count",
            "so many changes of some",
            model.explain(person, constraints=["at_most(1, income, debt)"]),
        )
        yield (
            f"{name}-number",
            "a number that the model does not know",
            model.explain(person, constraints=["debt >= 7.5"]),
        )
        yield f"{name}-direction", "a direction", model.explain(person, allowed={"income": "increase"})

    ordered = symcf.compile(symcf.from_function(_steps, [3, 4, 2], classes=["no", "yes"]))
    nearest = [0, 0, 0]
    yield "moves-labels", "no move can be shorter", several.explain(["red", "small"], minimality="moves")
    yield "moves-diagram", "moves along an order", ordered.explain(nearest, minimality="moves")
    yield "moves-up-to", "moves of one feature", ordered.explain(nearest, minimality="moves", max_changes=1)
    yield "moves-first", "the cheapest move", ordered.explain(nearest, minimality="moves", k=1)
    yield "moves-cells", "moves over columns of numbers", tree.explain(person, minimality="moves")
    by_value = {"colour": [[0, 3, 1], [1, 0, 1], [1, 1, 0]]}
    yield "cheapest-values", "costs by value", several.explain(["red", "small"], cost=by_value, k=1)
    yield "cheapest-cells", "the nearest row of a tree", tree.explain(person, cost="distance", k=1)
    yield "cheapest-two", "the two cheapest moves", ordered.explain(nearest, minimality="moves", k=2)
    yield "cheapest-lines", "the nearest row of a linear model", linear.explain(person, cost="distance", k=1)
    yield "cheapest-some", "the nearest two sets", linear.explain(person, cost="distance", k=2)
    locked = symcf.compile(admission()).locked_out_regions(
        target="admitted", immutable=["work experience", "entrance exam"]
    )
    yield "region-sums", "a region of labels", locked[0]
    yield (
        "region-cells",
        "a region of ranges",
        tree.locked_out_regions(frame, target="yes", immutable=["income"], allowed={"debt": "increase"})[0],
    )
    yield (
        "region-lines",
        "a region of lines",
        linear.locked_out_regions(frame, target="yes", immutable=["income"], allowed={"debt": "increase"})[0],
    )


def _steps(row: Sequence[int]) -> int:
    return int(row[0] + row[1] >= 3 or (row[1] >= 2 and row[2] == 1))


def _drop_set(data: Data) -> None:
    del data["answer"]["sets"][-1], data["answer"]["values"][-1]


def _without_proof(data: Data) -> None:
    data["answer"]["claim"], data["proof"] = {"kind": "all"}, {"kind": "none"}


def _put(*path: Any) -> Callable[[Data], None]:
    """Puts the last of these at the place that the others lead to."""
    *keys, last, value = path

    def put(data: Data) -> None:
        part: Any = data
        for key in keys:
            part = part[key]
        part[last] = value

    return put


def _add(constraint: Data) -> Callable[[Data], None]:
    return lambda data: data["question"]["constraints"].append(constraint)


def bad(made: dict[str, Data]) -> Iterator[tuple[str, str, str, str]]:
    """Names, what was changed, the text, and the test that it must fail."""
    sums, cells, lines, why = made["sums-all"], made["cells-order"], made["lines"], made["reasons-all"]
    moves, cheap = made["moves-diagram"], made["cheapest-cells"]
    text = json.dumps(sums)
    yield "text-cut", "the end is missing", text[:-2], "text"
    yield "text-twice", "a key comes twice", text.replace('"decision":', '"decision": "x", "decision":'), "text"
    yield "text-nan", "NaN is not JSON", text.replace('"k": null', '"k": NaN'), "text"
    yield "text-huge", "a number is too large", text.replace('"k": null', '"k": 1e999'), "text"
    yield "text-comment", "JSON has no comments", text + " // fine", "text"
    yield (
        "number-old",
        "the content was changed, the number was not",
        text.replace('"sets": [[1]', '"sets": [[2]'),
        "number",
    )
    yield "number-other", "another number", text.replace(sums["number"], "AAAA-AAAA-AAAA-AAAA"), "number"
    changes: list[tuple[str, str, Data, Callable[[Data], Any], str]] = [
        ("version-1", "a version that is not read any more", sums, _put("version", 1), "version"),
        ("version-3", "a version that is not known", sums, _put("version", 3), "version"),
        ("format", "another format", sums, _put("format", "another certificate"), "version"),
        ("form-key", "a key that is not known", sums, _put("note", "true"), "form"),
        ("form-question", "a key is missing", sums, lambda d: d["question"].pop("costs"), "form"),
        ("form-kind", "a constraint of no known kind", sums, _add({"kind": "free", "feature": "GPA"}), "form"),
        ("form-feature", "a constraint on no feature", sums, _add({"kind": "immutable", "feature": "gpa"}), "form"),
        ("form-relation", "a relation that cannot be read", sums, _add({"kind": "relation", "text": "GPA ="}), "form"),
        ("form-name", "a relation on no feature", sums, _add({"kind": "relation", "text": "gpa = 1"}), "form"),
        ("form-label", "a label that does not exist", sums, _put("row", 0, 2), "form"),
        ("form-true", "true is not the label 1", sums, _put("row", 2, True), "form"),
        ("form-index", "a feature that does not exist", sums, _put("answer", "sets", 0, [9]), "form"),
        ("form-claim", "a claim without a proof", sums, _without_proof, "form"),
        ("form-cuts", "cuts that do not ascend", cells, lambda d: d["model"]["values"][1]["cuts"].reverse(), "form"),
        ("form-target", "the target is not a list", sums, _put("question", "target", "admitted"), "form"),
        ("decision", "the other decision", sums, _put("decision", "admitted"), "decision"),
        ("decision-alone", "any other decision than one that is wrong", sums,
         lambda d: d.update(decision="admitted", question={**d["question"], "target": None}), "decision"),
        ("row", "another row, which is decided differently", sums, _put("row", [0, 1, 1, 1]), "decision"),
        ("values-own", "a new value that is the old one", sums, _put("answer", "values", 0, [0]), "values"),
        ("values-count", "a value too many", sums, _put("answer", "values", 0, [1, 1]), "values"),
        ("values-short", "values that do not flip", sums,
         lambda d: d["answer"].update(sets=[[0]], values=[[1]]), "values"),
        ("values-immutable", "a change of what does not change", sums,
         _add({"kind": "immutable", "feature": "work experience"}), "values"),
        ("values-decrease", "a change in the wrong direction", sums,
         _add({"kind": "decrease", "feature": "work experience"}), "values"),
        ("values-excluded", "a value that is excluded", sums,
         _add({"kind": "excluded", "feature": "work experience", "values": [1]}), "values"),
        ("values-relation", "a relation that an answer breaks", sums,
         _add({"kind": "relation", "text": "`work experience` = 0"}), "values"),
        ("values-strict", "an order read as strict: an answer has both sides equal", made["cells-order"],
         lambda d: [one.update(text=one["text"].replace("<=", "<")) for one in d["question"]["constraints"]
                    if one["kind"] == "relation"], "values"),
        ("values-range", "a range that an answer leaves", made["lines-range"],
         lambda d: [one.update(values=[[1, 2]]) for one in d["question"]["constraints"]], "values"),
        ("values-whole", "a number that is not whole", made["cells-whole"],
         lambda d: d["answer"]["values"][0].__setitem__(0, d["answer"]["values"][0][0] + 0.5), "values"),
        ("values-line", "a number beyond the line", lines, _put("answer", "values", 0, [11]), "values"),
        ("minimal", "a set that could do with less", sums,
         lambda d: d["answer"].update(sets=[[0, 1], [0, 3]], values=[[1, 1], [1, 1]]), "minimal"),
        ("minimal-empty", "no change at all", sums,
         lambda d: d["answer"].update(sets=[[], [1]], values=[[], [1]]), "values"),
        ("order", "sets in the wrong order", sums,
         lambda d: (d["answer"]["sets"].reverse(), d["answer"]["values"].reverse()), "order"),
        ("order-k", "more sets than were asked for", sums, _put("question", "k", 1), "order"),
        ("reasons-weak", "a reason that does not force the decision", sums,
         _put("proof", "reasons", [[0], [1, 3]]), "reasons"),
        ("reasons-order", "reasons in the wrong order", sums, lambda d: d["proof"]["reasons"].reverse(), "reasons"),
        ("complete-set", "a set is missing", sums, _drop_set, "complete"),
        ("complete-reason", "a reason is missing", sums, lambda d: d["proof"]["reasons"].pop(), "complete"),
        ("complete-cells", "a set is missing from a question with an order", cells, _drop_set, "complete"),
        ("complete-lines", "a set is missing from a question about lines", lines, _drop_set, "complete"),
        ("complete-immutable", "immutable features were dropped from the question", made["sums-none"],
         lambda d: d["question"]["constraints"].clear(), "reasons"),
        ("complete-order", "an order was dropped from the question", made["cells-sum"],
         lambda d: d["question"]["constraints"].pop(),
         "reasons"),
        ("complete-up-to", "more is claimed than was asked for", made["sums-up-to"],
         _put("answer", "claim", "changes", 2), "form"),
        ("plausible-least", "rows must be more plausible than an answer is", made["sums-plausible"],
         _put("question", "constraints", 0, "least", 100), "values"),
        ("plausible-dropped", "plausibility was dropped from the question", made["sums-plausible"],
         lambda d: d["question"]["constraints"].clear(), "minimal"),
        ("plausible-cells", "a value without a cell", made["sums-plausible"],
         lambda d: d["question"]["constraints"][0]["cells"][1].pop(), "form"),
        ("plausible-terms", "terms without a line for each cell", made["sums-plausible"],
         lambda d: [lines.pop() for lines in d["question"]["constraints"][0]["terms"] if len(lines) > 1], "form"),
        ("plausible-parent", "a parent that does not exist", made["sums-plausible"],
         _put("question", "constraints", 0, "parents", 0, 9), "form"),
        ("facts-force", "a set of facts that does not force the decision", why,
         lambda d: d["answer"].update(reasons=[[1], [3]], claim={"kind": "listed"}), "reasons"),
        ("facts-minimal", "a reason that could do with less", why, _put("answer", "reasons", [[0, 1, 3]]), "minimal"),
        ("facts-missing", "a reason is missing", why, lambda d: d["answer"]["reasons"].pop(), "complete"),
        ("facts-none", "no reason is listed", why, _put("answer", "reasons", []), "complete"),
        ("facts-order", "reasons of the answer in the wrong order", why,
         lambda d: d["answer"]["reasons"].reverse(), "order"),
        ("facts-row", "a row of the proof that is not decided otherwise", why,
         _put("proof", "values", 0, [0, 1]), "values"),
        ("facts-rows", "a row of the proof is missing", why,
         lambda d: [d["proof"][key].pop() for key in ("sets", "values")], "minimal"),
        ("facts-first", "not the cheapest reason", made["reasons-first"],
         lambda d: d["answer"].update(reasons=[[1, 3]]), "complete"),
        ("facts-k", "the first reasons, but not so many", why, _put("answer", "claim", "kind", "first"), "form"),
        ("facts-up-to", "reasons up to a number of changes", why,
         _put("answer", "claim", {"kind": "up to", "changes": 2}), "form"),
        ("facts-changes", "reasons with max_changes", why, _put("question", "max_changes", 4), "form"),
        ("facts-proof", "reasons with the proof of change sets", why,
         _put("proof", {"kind": "duality", "reasons": [[0, 1], [1, 3]]}), "form"),
        ("facts-sets", "change sets with the proof of reasons", sums,
         _put("proof", {"kind": "rows", "sets": [], "values": []}), "form"),
        ("facts-relation", "a relation of reasons was dropped", made["reasons-relation"],
         lambda d: d["question"]["constraints"].clear(), "reasons"),
        ("form-twice", "at most one of a feature and itself", sums,
         _add({"kind": "relation", "text": "at_most(1, 1, 1)"}), "form"),
        ("moves-missing", "a row is missing that no other one is nearer than", moves, _drop_first, "complete"),
        ("moves-first", "moves do not come first by features", moves,
         _put("answer", "claim", {"kind": "first"}), "form"),
        ("moves-sums", "moves with the proof of sets", moves, _put("proof", {"kind": "sums"}), "form"),
        ("moves-far", "a row that moves farther than another one", moves,
         lambda d: (d["answer"]["sets"].append([0, 1]), d["answer"]["values"].append([2, 3])), "minimal"),
        ("moves-twice", "a row comes twice", moves,
         lambda d: [d["answer"][key].append(d["answer"][key][-1]) for key in ("sets", "values")], "minimal"),
        ("moves-none", "no change at all", moves,
         lambda d: [d["answer"][key].insert(0, []) for key in ("sets", "values")], "values"),
        ("moves-unordered", "values that come in an order are said to have none", moves,
         _put("question", "moves", []), "complete"),
        ("moves-name", "an order of no feature", moves, _put("question", "moves", ["x9"]), "form"),
        ("moves-order", "rows that do not come by cost", moves,
         lambda d: d["question"].update(costs={"unit": [1, 1], "by_feature": [9, 1, 1]}), "order"),
        ("moves-cut", "the steps end before all boxes are closed", moves,
         lambda d: d["proof"]["steps"].pop(), "complete"),
        ("moves-more", "a step when no box is left", moves, lambda d: d["proof"]["steps"].append(None), "complete"),
        ("moves-goal", "a box in which rows have the target", moves, _put("proof", "steps", [0]), "complete"),
        ("moves-cover", "a box that a row is not nearer than", moves, _put("proof", "steps", [[0]]), "complete"),
        ("moves-dear", "a box closed by a cost that nobody claims", moves, _put("proof", "steps", [None]), "complete"),
        ("moves-multiplier", "a multiplier without a bound", moves, _put("proof", "steps", [5]), "form"),
        ("moves-index", "a set that does not exist", moves, _put("proof", "steps", [[99]]), "form"),
        ("moves-split", "a split of a feature that does not exist", moves,
         _put("proof", "steps", [[9, "own"]]), "form"),
        ("moves-split-word", "a split by a word", moves, _put("proof", "steps", [[0, "other"]]), "form"),
        ("moves-split-label", "a split by a label that does not exist", moves,
         _put("proof", "steps", [[0, [7]]]), "form"),
        ("moves-more-changes", "more is claimed than was asked for", made["moves-up-to"],
         _put("answer", "claim", "changes", 2), "form"),
        ("moves-all", "all are claimed of those of one feature", made["moves-up-to"],
         lambda d: (d["question"].update(max_changes=None), d["answer"].update(claim={"kind": "all"})), "complete"),
        ("cheapest-least", "a bound that is too high", cheap,
         lambda d: d["answer"]["claim"]["least"].__setitem__(0, 2 * d["answer"]["claim"]["least"][0]),
         "complete"),
        ("cheapest-dearer", "a set that is not the nearest", made["cheapest-some"],
         lambda d: (d["question"].update(k=1), _drop_first(d)), "complete"),
        ("cheapest-k", "two of three", made["cheapest-some"], _put("question", "k", 3), "form"),
        ("cheapest-none", "the cheapest without a proof", cheap, _put("proof", {"kind": "none"}), "form"),
        ("cheapest-zero", "a bound that divides by 0", cheap, _put("answer", "claim", "least", [1, 0]), "form"),
        ("cheapest-one", "one multiplier for everything", cheap, _put("proof", "steps", [1]), "complete"),
        ("cheapest-negative", "a multiplier below 0", cheap, _put("proof", "steps", [-1]), "form"),
        ("cheapest-costs", "costs that are not those of the proof", made["cheapest-lines"],
         lambda d: d["question"]["costs"]["by_feature"][1].update(each=[1, 1000]), "complete"),
        ("cheapest-labels", "a distance between labels", made["cheapest-values"],
         lambda d: d["question"]["costs"]["by_feature"].__setitem__(0, {"each": [1, 1], "other": 1}), "form"),
        ("cheapest-free", "a change that costs less than nothing", made["cheapest-cells"],
         lambda d: _cheapen(d), "form"),
        ("region-wide", "a region with rows that have a way", made["region-sums"],
         _put("region", [[0, 1]] * 4), "complete"),
        ("region-free", "a feature that may change was said not to", made["region-sums"],
         lambda d: d["question"]["constraints"].pop(), "complete"),
        ("region-target", "a region without a target", made["region-sums"], _put("question", "target", None), "form"),
        ("region-listed", "a region with a set of changes", made["region-sums"],
         lambda d: d["answer"].update(sets=[[1]], values=[[1]]), "form"),
        ("region-missing", "a region with missing numbers on a line", made["region-lines"],
         _put("region", 2, [None, [16, 23]]), "form"),
        ("region-step", "a region and a step, which counts from the number of one row", made["region-lines"],
         _put("question", "constraints", [{"kind": "relation", "text": "step(15, income)"}]), "form"),
        ("whole-step", "a new number that is a multiple, but not whole",
         one_feature({"cuts": [5], "labels": []}, 1, 6.5,
          {"kind": "whole", "feature": "x"}, {"kind": "relation", "text": "step(0.5, x)"}), sealed, "values"),
        ("step-whole", "a new number that is whole, but no multiple", one_feature({"cuts": [5], "labels": []}, 1, 6,
         {"kind": "relation", "text": "step(3, x)"}, {"kind": "whole", "feature": "x"}), sealed, "values"),
        ("increase-apart", "an increase to a label that has no place in the order",
         one_feature({"labels": ["a", "b"], "apart": ["b"]}, "a", "b", {"kind": "increase", "feature": "x"}),
         sealed, "values"),
        ("region-empty", "a region without a value of a feature", made["region-sums"], _put("region", 0, []), "form"),
        ("region-row", "a region and a row", made["region-sums"], _put("row", [0, 0, 1, 0]), "form"),
        ("region-relation", "a region with a relation", made["region-sums"],
         _add({"kind": "relation", "text": "GPA = 1"}), "form"),
        ("region-cost", "a region with a multiplier", made["region-sums"], _put("proof", "steps", [1]), "form"),
        ("region-open", "a line without an end", made["region-lines"], _put("region", 0, [[None, 5]]), "form"),
        ("region-reversed", "a range that ends before it begins", made["region-cells"],
         _put("region", 0, [[9, 1]]), "form"),
        ("region-cells-wide", "a wider range", made["region-cells"],
         _put("region", [[[None, None]]] * 3), "complete"),
        ("region-lines-wide", "the whole line", made["region-lines"],
         lambda d: d.update(region=[[[line["low"], line["high"]]] for line in d["model"]["values"]]),
         "complete"),
        ("rule-class", "a row without a class", made["diagrams"],
         _put("model", "rule", "diagrams", 2, "root", 0), "rule"),
    ]  # fmt: skip
    for name, about, data, change, failed in changes:
        yield name, about, forged(data, change), failed
    other = {**copy.deepcopy(sums)}
    other["model"]["features"][0] = "exam"
    other["number"] = number_of(other)
    yield "fingerprint", "a name was changed, the fingerprint was not", json.dumps(other), "fingerprint"


def _drop_first(data: Data) -> None:
    """Drops the first set, and closes its boxes by the one that is first then."""
    del data["answer"]["sets"][0], data["answer"]["values"][0]
    steps = data["proof"]["steps"]
    for i, step in enumerate(steps):
        if isinstance(step, list) and len(step) == 1:
            steps[i] = [max(0, step[0] - 1)]


def _cheapen(data: Data) -> None:
    """A cost by code below 0, of the row's own cell."""
    costs = data["question"]["costs"]["by_feature"]
    j = next(j for j, cost in enumerate(costs) if isinstance(cost, list) and 0 in cost)
    costs[j][costs[j].index(0)] = -1


def _nothing_helps(data: Data) -> None:
    data["answer"].update(sets=[], values=[], claim={"kind": "all"})
    data["proof"] = {"kind": "duality", "reasons": [[]]}


def wrong() -> Iterator[tuple[str, str, str, str]]:
    """Answers of version 0.2.0, which its checker or `verify` confirmed: names, what is wrong, texts, tests."""
    columns = pandas.DataFrame({"A": [1.0, 4.0, 6.0, 9.0], "C": [2.0, 1.0, 8.0, 7.0]})
    tree = DecisionTreeClassifier(random_state=0).fit(columns[["A", "C"]], ["no", "no", "yes", "yes"])
    c = symcf.compile(tree, data=columns)
    ordered = c.explain({"A": 1.0, "C": 2.0}, constraints=["A <= C"]).certificate().data
    yield (
        "order-nothing-helps",
        "A <= C: nothing helps, although both columns can move",
        forged(ordered, _nothing_helps),
        "reasons",
    )

    def alone(data: Data) -> None:
        data["answer"].update(sets=[[0]], values=[[6]])
        data["proof"] = {"kind": "duality", "reasons": [[0]]}

    yield "order-broken", "A <= C: the suggested row has A above C", forged(ordered, alone), "values"

    frame, labels = people()
    linear = symcf.compile(LogisticRegression().fit(frame, labels), data=frame)
    person = frame.iloc[labels.index("no")]
    read = linear.explain(person).certificate().data

    def as_flags(data: Data) -> None:
        data["model"]["values"][0] = [0, 1, "missing"]
        term = data["model"]["rule"]["terms"][0]
        data["model"]["rule"]["terms"][0] = {"weights": [[0, 1000, 0] for _ in term["numbers"]]}

    yield (
        "column-as-flags",
        "a column of numbers is read as 0, 1 and missing; the row has 20",
        forged(read, as_flags),
        "form",
    )

    def short(data: Data) -> None:
        data["answer"]["values"][0][0] = data["row"][data["answer"]["sets"][0][0]] + 1 / 1024

    yield (
        "float16",
        "the suggested number, rounded to the type of its column, does not flip",
        forged(
            linear.explain(person.astype(float), allowed={"age": [20, 59]}).certificate().data,
            lambda data: (short(data), data["question"]["constraints"].clear()),
        ),
        "values",
    )

    def fraction(data: Data) -> None:
        data["answer"]["values"][0][0] = 0.30000000000000004

    flags = pandas.DataFrame({"m": [False, True, True, False], "n": [1.0, 2.0, 3.0, 4.0]})
    boolean = DecisionTreeClassifier(random_state=0).fit(flags, [0, 1, 1, 0])
    yield (
        "boolean",
        "a column of truth values becomes 0.30000000000000004",
        forged(symcf.compile(boolean, data=flags).explain(flags.iloc[0]).certificate().data, fraction),
        "values",
    )

    three = symcf.NaiveBayes(
        [0.5, 0.5], [[[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]]], features=["town"], values=[["Oslo", "Bergen", "(other)"]],
        classes=["no", "yes"],
    )  # fmt: skip
    town = symcf.compile(three).explain(["Oslo"]).certificate().data
    yield (
        "unseen-category",
        "a category that was never seen is suggested",
        forged(
            town,
            lambda data: (
                _add({"kind": "excluded", "feature": "town", "values": ["(other)"]})(data),
                data["answer"]["values"].__setitem__(0, ["(other)"]),
            ),
        ),
        "values",
    )

    dummies = symcf.LinearClassifier([3, -1], 0.5, features=["sex_female", "sex_male"], classes=["no", "yes"])
    both = (
        symcf.compile(dummies).explain([0, 1], constraints=["not (sex_female = 1 and sex_male = 1)"]).certificate().data
    )

    def female_too(data: Data) -> None:
        data["answer"].update(sets=[[0]], values=[[1]])
        data["proof"] = {"kind": "duality", "reasons": [[0]]}

    yield "dummies", "female and male at once", forged(both, female_too), "values"

    def at_zero(data: Data) -> None:
        rule = data["model"]["rule"]
        total = sum(rule["weights"][0][j][value] for j, value in enumerate(data["row"]))
        rule.update(bias=[-total], ties="first")
        data.update(decision="yes")

    yield "one-versus-rest", "a score of exactly 0, read as >= 0 where > 0 decides", forged(both, at_zero), "decision"

    iris = symcf.AdditiveClassifier(
        [symcf.NumberTerm([0.1, 0.37, -0.41], (2.0, 5.0))], [1.7, 0.6, 2.05], classes=["a", "b", "c"]
    )
    flips = symcf.compile(iris).explain([2.0], allowed={0: [2, 4.7]})
    assert len(flips.sets) == 1
    yield (
        "three-classes",
        "none exists, although a number within the range gives another class",
        forged(flips.certificate().data, _nothing_helps),
        "reasons",
    )


def formats(data: Data) -> Iterator[tuple[str, str, str]]:
    """The same certificate in other formattings: names, what differs, texts."""
    yield "format-indented", "indented", json.dumps(data, indent=4)
    yield "format-keys", "keys in another order", json.dumps(data, sort_keys=True)
    yield "format-float", "integers as decimal numbers", json.dumps(data).replace('"version": 2', '"version": 2.0')
    yield "format-escape", "escapes", json.dumps(data).replace('"GPA"', '"\\u0047PA"')


def _write(folder: Path, vectors: Sequence[tuple[str, str, str, str | None]]) -> None:
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    for name, about, text, expected in vectors:
        content = json.dumps({"about": about, "failed": expected, "text": text}, indent=1)
        (folder / f"{name}.json").write_text(content + "\n", encoding="utf-8")
    print(f"{len(vectors)} vectors in {folder.name}")


def rows_of_a_batch() -> Iterator[tuple[str, str, str, str | None]]:
    """Names, what they are about, texts, and the test that they must fail."""
    c = symcf.compile(admission())
    batch = symcf.fast.explain_batch(c, [[0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 0], [0, 0, 0, 1]])
    sealed = batch.sealed()
    for row in (0, 3, 4):
        yield f"good-batch-{row}", f"row {row} of five rows", json.dumps(sealed[row]), None
    alone = SealedBatch(sealed.certificates[:1])
    yield "good-batch-alone", "the only row of a batch", json.dumps(alone[0]), None
    first, other = sealed[0], sealed[1]
    changes: list[tuple[str, str, dict[str, Any], str]] = [
        ("row", "another row", {"row": 1}, "batch"), ("count", "another number of rows", {"count": 6}, "batch"),
        ("beyond", "a row that is not in the batch", {"row": 5}, "form"),
        ("root", "another root", {"root": alone.root}, "batch"),
        ("certificate", "the certificate of another row", {"certificate": other["certificate"]}, "batch"),
        ("short", "a path that is too short", {"path": first["path"][:-1]}, "batch"),
        ("long", "a path that is too long", {"path": [*first["path"], "0" * 64]}, "batch"),
        ("digits", "a hash in capital letters", {"path": [one.upper() for one in first["path"]]}, "form"),
        ("none", "a row without a certificate", {"certificate": None}, "form"),
        ("version", "a version that is not known", {"version": 2}, "version"),
        ("key", "a key that is not known", {"note": "true"}, "form"),
    ]  # fmt: skip
    for name, about, change, failed in changes:
        yield f"forged-batch-{name}", about, json.dumps({**first, **change}), failed
    untrue = copy.deepcopy(sealed.certificates[0])
    assert untrue is not None
    _drop_set(untrue.data)
    untrue.data["number"] = number_of(untrue.data)
    resealed = SealedBatch([untrue, *sealed.certificates[1:]])
    yield "forged-batch-untrue", "a batch with a set missing in a row", json.dumps(resealed[0]), "complete"


def main() -> int:
    """Writes all files."""
    made: dict[str, Data] = {}
    vectors: list[tuple[str, str, str, str | None]] = []
    for name, about, e in good():
        made[name] = e.certificate().data
        vectors.append((f"good-{name}", about, json.dumps(made[name]), None))
    vectors += [(f"good-{name}", about, text, None) for name, about, text in formats(made["sums-all"])]
    vectors += [(f"forged-{name}", about, text, failed) for name, about, text, failed in bad(made)]
    vectors += rows_of_a_batch()
    _write(VECTORS, vectors)
    _write(VECTORS / "wrong", list(wrong()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
