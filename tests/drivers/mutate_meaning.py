"""Plants mistakes in what a question means, one at a time: does `verify` or the checker of certificates notice?

    python tests/drivers/mutate_meaning.py [--only N]

Each mistake replaces a few characters of src/symcf in a copy. A few questions are then answered by the copy, and each
answer goes through `symcf.verify` and, as a certificate, through the checker. A mistake is *noticed* if one of them
rejects an answer, if no proof is found for it, if the verdict names other constraints than were asked for, or if the
call ends with an error where the original gives an answer. A mistake that changes no answer is counted as idle.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[2] / "src"

#: What is wrong, the file, the text and what replaces it, once.
MISTAKES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

#: Questions about columns of numbers, and about labels.
NUMBERS: list[dict[str, Any]] = [
    {}, {"immutable": ["b"]}, {"allowed": {"a": "increase"}}, {"allowed": {"b": [-2, 3]}}, {"allowed": {"a": [3, 9]}},
    {"constraints": ["a <= c"]}, {"constraints": ["a < c"]}, {"constraints": ["a + b <= c", "b >= -1"]},
    {"constraints": ["change.a == change.c"]}, {"constraints": ["a >= 12"]}, {"constraints": ["a <= 1.2 * old.a"]},
    {"constraints": ["at_most(1, a, c)"]}, {"constraints": ["step(4, a)"]}, {"constraints": ["a = 7 or c > 11"]},
    {"constraints": ["2 * a - c >= 3"]}, {"max_changes": 1},
]  # fmt: skip
LABELS: list[dict[str, Any]] = [
    {}, {"immutable": ["job"]}, {"allowed": {"size": "increase"}}, {"allowed": {"size": "decrease"}},
    {"allowed": {"size": ["xl", "s"]}}, {"max_changes": 1}, {"max_changes": 2},
    {"constraints": ["size = xl -> own = yes"]}, {"constraints": ["not (job = full)"]},
    {"constraints": ["size <= l", "job != full"]},
    {"constraints": ["own = yes or job = full"]}, {"constraints": ["at_most(1, size, job)"]},
    {"allowed": {"job": ["part"]}}, {"constraints": ["size < xl"]}, {"constraints": ["job: none -> full"]},
]  # fmt: skip
#: Questions in which a number just inside, or just outside, makes the difference.
TIGHT: list[dict[str, Any]] = [
    {"allowed": {"a": [3, 8, 12]}}, {"constraints": ["a in {4, 10, 15}"]}, {"allowed": {"b": [-4, 1, 4.5]}},
    {"constraints": ["a in {2, 6, 13}", "b in {-1, 3}"], "immutable": ["c"]},
    {"constraints": ["a <= c"], "allowed": {"a": [9, 20], "c": [0, 9]}, "immutable": ["b"]},
    {"constraints": ["a >= c"], "allowed": {"a": [0, 9], "c": [9, 20]}, "immutable": ["b"]},
    {"constraints": ["a < c"], "allowed": {"a": [9, 20], "c": [0, 10]}},
    {"constraints": ["a > c"], "allowed": {"a": [0, 9], "c": [8, 20]}},
    {"constraints": ["a + b <= c", "c <= 12 -> a <= 8"]}, {"constraints": ["b < 0 -> a < c"]},
    {"constraints": ["old.a > 9 -> a >= 10", "change.b <= 3"]}, {"allowed": {"b": [-3, 0]}, "immutable": ["a"]},
    {"constraints": ["a == c"]}, {"constraints": ["a != c"], "immutable": ["b"]},
    {"constraints": ["12 >= a", "3 <= c"]},
    {"constraints": ["step(3, a)", "step(2, c)"]}, {"constraints": ["at_most(2, a, b, c)"]},
    {"constraints": ["not (a <= 8 and c >= 5)"]}, {"constraints": ["10 / a <= 2"]},
    {"constraints": ["a < c"], "allowed": {"a": [9, 20], "c": [0, 9]}},
    {"constraints": ["a > c"], "allowed": {"a": [0, 9], "c": [9, 20]}},
    {"constraints": ["a < b", "b < c"]}, {"constraints": ["a > b", "b > c"]}, {"constraints": ["a <= b", "b <= c"]},
    {"allowed": {"a": [4.2, 4.8]}, "immutable": ["b"]}, {"constraints": ["a > 4.2", "a < 4.8"]},
    {"constraints": ["a < 9.7 -> a > 9.2"]},
    {"constraints": ["at_most(1, a, c)"], "allowed": {"a": [6, 13], "c": [6, 13]}, "immutable": ["b"]},
    {"constraints": ["at_most(1, a, b)", "a <= c + 8"], "immutable": ["c"]},
    {"constraints": ["at_most(1, a, b, c)", "a + b <= c + 20"]},
]  # fmt: skip


class Estimators:
    """Fitted once, by the process that all copies are forked from."""

    def __init__(self) -> None:
        import numpy as np
        import pandas as pd
        from sklearn.linear_model import LogisticRegression
        from sklearn.tree import DecisionTreeClassifier

        rng = np.random.default_rng(0)
        self.rows = pd.DataFrame(
            {"a": rng.integers(0, 20, 200), "b": rng.normal(0, 5, 200).round(2), "c": rng.integers(0, 20, 200) * 1.0}
        )
        total = self.rows.a + self.rows.b - self.rows.c
        two = np.where(total > 0, "yes", "no")
        three = np.where(total > 5, "hi", np.where(total > -5, "mid", "lo"))
        tree = DecisionTreeClassifier(max_depth=4, random_state=0)
        self.tree = tree.fit(self.rows, two)
        self.linear = LogisticRegression().fit(self.rows, two)
        self.classes = DecisionTreeClassifier(max_depth=4, random_state=0).fit(self.rows, three)

    def questions(self) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
        """Classifiers of the copy, rows and options."""
        import symcf

        tree, linear, classes = (symcf.compile(m, data=self.rows) for m in (self.tree, self.linear, self.classes))
        size = [[0.5, 0.3, 0.15, 0.05], [0.1, 0.2, 0.3, 0.4]]
        job, own = [[0.7, 0.2, 0.1], [0.2, 0.3, 0.5]], [[0.6, 0.4], [0.3, 0.7]]
        bayes = symcf.compile(
            symcf.NaiveBayes(
                [0.6, 0.4], [size, job, own], features=["size", "job", "own"], classes=["declined", "approved"],
                values=[["s", "m", "l", "xl"], ["none", "part", "full"], ["no", "yes"]],
            )
        )  # fmt: skip
        yield from ((bayes, ["m", "none", "no"], options) for options in LABELS)
        for row in (["l", "none", "no"], ["s", "part", "no"], ["l", "full", "yes"], ["m", "part", "yes"]):
            for way in ("increase", "decrease"):
                yield bayes, row, {"allowed": {"size": way}}
                yield bayes, row, {"allowed": {"size": way}, "immutable": ["job"]}
            yield bayes, row, {"constraints": ["at_most(1, size, own)"]}
        yield bayes, ["l", "part", "yes"], {"constraints": ["old.job = part -> size >= m"]}
        for at in (0, 5):
            yield from ((tree, self.rows.iloc[at], options) for options in NUMBERS)
        yield from ((linear, self.rows.iloc[0], options) for options in NUMBERS)
        for model, at in ((tree, 5), (tree, 1), (linear, 1)):
            yield from ((model, self.rows.iloc[at], options) for options in TIGHT)
        short = self.rows[(self.rows.a < 8) & (self.rows.a + self.rows.b - self.rows.c).between(-9, -2)].iloc[0]
        for most in range(int(short.a) + 1, 20):
            yield linear, short, {"allowed": {"a": [0, most]}, "immutable": ["b", "c"]}
        yield from ((classes, self.rows.iloc[0], {"target": target}) for target in (None, "lo", "hi"))


def answered(model: Any, row: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question, what noticed that something is wrong, and which question a certificate states."""
    import symcf

    found: dict[str, Any] = {"answer": None, "noticed": [], "stated": None}
    signs = found["noticed"]
    try:
        e = model.explain(row, **options)
        rows = [[list(map(int, cf.features)), [str(change.new) for change in cf.changes]] for cf in e]
        found["answer"] = [[list(map(int, s)) for s in e.sets], rows]
    except symcf.OptionError as error:
        found["answer"] = f"OptionError: {error}"
        return found
    except Exception as error:
        signs.append(f"{type(error).__name__} in explain")
        return found
    try:
        signs += [f"verify: {problem}" for problem in symcf.verify(model, row, e).problems][:1]
    except Exception as error:
        signs.append(f"verify: {type(error).__name__}")
    try:
        if not e.at_target:
            certificate = e.certificate()
            found["stated"] = certificate.data["question"]
            verdict = symcf.check(certificate, model, row=row)
            signs += [] if verdict else [f"check: {verdict}"]
    except Exception as error:
        signs.append(f"certificate: {type(error).__name__}")
    return found


def answers(
    source: Path, estimators: Estimators, result: Path, right: Sequence[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """What a copy of the source answers, in a process of its own: up to the first question in which something is
    noticed that is not in the right answers, if these are known.
    """
    child = os.fork()
    if not child:
        try:
            # an installation for editing finds symcf before any path does
            sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith("_editable")]
            sys.path.insert(0, str(source))
            import symcf

            assert Path(symcf.__file__).is_relative_to(source), f"{symcf.__file__} is not the copy"
            found = []
            for number, question in enumerate(estimators.questions()):
                found.append(answered(*question))
                if right and _is_noticed(right[number], found[-1]):
                    break
            result.write_text(json.dumps(found), encoding="utf-8")
            os._exit(0)
        except BaseException as error:
            result.write_text(json.dumps(f"{type(error).__name__}: {error}"), encoding="utf-8")
            os._exit(1)
    os.waitpid(child, 0)
    read = json.loads(result.read_text(encoding="utf-8"))
    return [{"answer": None, "noticed": [read], "stated": None}] if isinstance(read, str) else read


def _signs(right: dict[str, Any], found: dict[str, Any]) -> list[str]:
    refused = [found["answer"]] if isinstance(found["answer"], str) and found["answer"] != right["answer"] else []
    return refused + [sign for sign in found["noticed"] if sign not in right["noticed"]]


def _is_noticed(right: dict[str, Any], found: dict[str, Any]) -> bool:
    return bool(_signs(right, found)) or bool(found["stated"] and right["stated"] != found["stated"])


def _verdict(right: list[dict[str, Any]], found: list[dict[str, Any]]) -> tuple[str, int]:
    """What noticed a mistake, and how many answers it changed until then."""
    pairs = list(zip(right, found, strict=False))
    changed = sum(a["answer"] != b["answer"] for a, b in pairs)
    signs = [sign for a, b in pairs for sign in _signs(a, b)]
    if signs:
        return f"{signs[0][:100]} (question {len(pairs)})", changed
    if any(map(_is_noticed, right, found)):
        return "the verdict names other constraints", changed
    return ("NOT NOTICED" if changed else "idle"), changed


def main() -> int:
    """The command line; 1 if more than two mistakes go unnoticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=int, nargs="+", help="the numbers of some mistakes")
    given = parser.parse_args()
    estimators = Estimators()
    missed, idle = [], []
    with tempfile.TemporaryDirectory() as folder:
        copy, result = Path(folder) / "src", Path(folder) / "result.json"
        shutil.copytree(SOURCE, copy)
        extension = find_spec("symcf._core")  # it lies elsewhere where symcf is installed for editing
        assert extension is not None
        assert extension.origin is not None
        shutil.copy(extension.origin, copy / "symcf")
        for name in [name for name in sys.modules if name.split(".")[0] == "symcf"]:
            del sys.modules[name]
        right = answers(copy, estimators, result)
        alarms = [one["noticed"] for one in right if one["noticed"]]
        print(f"{len(right)} questions, {len(alarms)} false alarms {alarms[:3]}", flush=True)
        for number, mistake in enumerate(MISTAKES):
            what, file, old, new = (mistake[key] for key in ("what", "file", "text", "becomes"))
            if given.only is not None and number not in given.only:
                continue
            path = copy / "symcf" / file
            text = path.read_text(encoding="utf-8")
            if old not in text:
                print(f"{number:2} {what}: THE TEXT IS GONE from {file}")
                return 2
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
            found = answers(copy, estimators, result, right)
            path.write_text(text, encoding="utf-8")
            verdict, differ = _verdict(right, found)
            print(f"{number:2} {what}: {verdict} ({differ} answers differ)", flush=True)
            missed += [what] if verdict == "NOT NOTICED" else []
            idle += [what] if verdict == "idle" else []
    print(f"{len(MISTAKES)} mistakes, {len(missed)} not noticed: {missed}, {len(idle)} idle: {idle}")
    return 1 if len(missed) > 2 else 0


if __name__ == "__main__":
    sys.exit(main())
