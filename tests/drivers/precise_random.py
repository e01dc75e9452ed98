"""The fewest facts that a share of rows is decided alike with, of small models of every kind, against brute force:
``python tests/drivers/precise_random.py --count 5000``.

All sets of features are tried, and all rows counted one by one, by the decision of the raw model.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import random_runs

# isort: split
import cases
from reference import MISSING, Row

import symcf

SHARES = ("0.5", "0.6", "0.75", "0.8", "0.9", "0.95", "1")


def fewest(case: cases.Case, x: Row, rows: Sequence[Any], share: Fraction, target: Any) -> dict[tuple[int, ...], Any]:
    """All smallest sets, each with the number of rows that share the facts and of those that are decided alike."""
    mine, own = case.group(x), case.decide(x)
    features = [j for j in range(case.n) if any(row[j] != mine[j] for row, _ in rows)]
    for size in range(case.n + 1):
        found = {}
        for facts in combinations(features, size):
            same = [label for row, label in rows if all(row[j] == mine[j] for j in facts)]
            alike = sum(label == own if target is None else label != target for label in same)
            if same and alike >= share * len(same):
                found[facts] = (alike, len(same))
        if found:
            return found
    return {}


def check(seed: int, tally: Counter[str]) -> None:
    """A few questions about one model."""
    rng = random.Random(f"precise {seed}")
    check_case(rng, cases.draw(rng, list(cases.KINDS)[seed % len(cases.KINDS)]), tally)


def check_case(rng: random.Random, case: cases.Case, tally: Counter[str], count: int = 4) -> None:
    """A few questions about a model."""
    for _ in range(count):
        x = case.draw_row(rng)
        mine = case.group(x)
        immutable = [j for j in range(case.n) if rng.random() < 0.2]
        keywords: dict[str, Any] = {"immutable": [case.features[j] for j in immutable]} if immutable else {}
        target = None
        if len(case.classes) > 2 and rng.random() < 0.5:
            target = keywords["target"] = rng.choice([label for label in case.classes if label != case.decide(x)])
        if rng.random() < 0.5:
            drawn = [case.draw_row(rng) for _ in range(rng.randint(1, 30))]
            keywords["data"] = [case.given(row, "list") for row in drawn]
            rows = [(case.group(row), case.decide(row)) for row in drawn]
        else:
            values = [[v for v in of.values if v is not MISSING or v == x[j]] for j, of in enumerate(case.domains)]
            choices = [list(dict.fromkeys(case.alike(j, v) for v in of)) for j, of in enumerate(values)]
            inner = {case.group(row): case.decide(row) for row in case.rows()}
            rows = [(row, inner[row]) for row in product(*choices)]
        rows = [(row, label) for row, label in rows if all(row[j] == mine[j] for j in immutable)]
        share = rng.choice(SHARES)
        found = case.compiled.why(case.given(x, rng.choice(cases.FORMS)), precision=float(share), **keywords)
        told = f"{found}\n{case.kind}, {case.given(x, 'dict')}, {share}, {keywords}"
        assert isinstance(found, symcf.PreciseReasons)
        wanted = fewest(case, x, rows, Fraction(share), target)
        given = {reason.features: (reason.alike, reason.rows) for reason in found}
        assert found.complete, told
        assert found.rows == len(rows), f"{len(rows)} rows: {told}"
        assert given == wanted, f"{wanted}: {told}"
        shares = [reason.precision for reason in found]
        assert shares == sorted(shares, reverse=True), told
        if given:
            assert {len(facts) for facts in given} == {found.at_least}, told
        tally["questions"] += 1
        tally["sets"] += len(given)


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "models", __doc__, 1300))
