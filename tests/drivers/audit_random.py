"""Random audits against brute force over all rows: ``python tests/drivers/audit_random.py``.

Each row is moved everywhere that it may go; what that says is counted by group.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import product

import random_runs

# isort: split
import numpy as np

import symcf

LABELS = ([0, 1, 2], [1, 2, 3], [-5, -3, 4], ["zeta", "b", "alpha"], [True, False, "maybe"], ["1", "0", "2"])


def random_model(rng, n_classes, labels):
    """A naive Bayes classifier, or any function, with values of which some have an order."""
    n = rng.randint(1, 4)
    sizes = [rng.choice([2, 3, 4]) for _ in range(n)]
    features = rng.sample(["age", "a b", "x0", "q", "income"], n)
    values = [[f"v{i}" for i in range(d)] for d in sizes]
    if rng.random() < 0.4:
        table = {row: rng.randrange(n_classes) for row in product(*map(range, sizes))}
        return symcf.from_function(
            lambda row: table[tuple(map(int, row))], sizes, features=features, values=values, classes=labels
        )

    def shares(count):
        parts = [rng.random() + 0.05 for _ in range(count)]
        return [part / sum(parts) for part in parts]

    tables = [[shares(d) for _ in range(n_classes)] for d in sizes]
    ordered = [rng.random() < 0.7 for _ in range(n)]
    return symcf.NaiveBayes(
        shares(n_classes), tables, features=features, values=values, ordered=ordered, classes=labels
    )


class Asked:
    """A random question, and what it lets a row become."""

    def __init__(self, rng, c, labels):
        self.sizes = [len(values) for values in c.values]
        self.n = len(self.sizes)
        self.target = rng.choice([None, rng.randrange(len(labels))])
        self.most = rng.choice([None, None, 1, 2])
        self.free = [set(range(d)) for d in self.sizes]
        self.way = [0] * self.n
        self.forbidden = None
        self.keywords = {} if self.target is None else {"target": labels[self.target]}
        if self.most is not None:
            self.keywords["max_changes"] = self.most
        for j, name in enumerate(c.features):
            what = rng.random()
            if what < 0.2:
                self.keywords.setdefault("immutable", []).append(name)
                self.free[j] = set()
            elif what < 0.4 and c.ordered[j]:
                self.way[j] = rng.choice([1, -1])
                self.keywords.setdefault("allowed", {})[name] = {1: "increase", -1: "decrease"}[self.way[j]]
            elif what < 0.55:
                self.free[j] = set(rng.sample(range(self.sizes[j]), rng.randint(1, self.sizes[j])))
                self.keywords.setdefault("allowed", {})[name] = [f"v{v}" for v in self.free[j]]
        if self.n > 1 and rng.random() < 0.4:
            i, j = rng.sample(range(self.n), 2)
            self.forbidden = (i, rng.randrange(self.sizes[i]), j, rng.randrange(self.sizes[j]))
            i, a, j, b = self.forbidden
            self.keywords["constraints"] = [f"not (`{c.features[i]}` = v{a} and `{c.features[j]}` = v{b})"]

    def may(self, j, old, new):
        """May feature j go there?"""
        return new != old and new in self.free[j] and (not self.way[j] or (new - old) * self.way[j] > 0)

    def moves(self, row):
        """All that a row may become."""
        options = [[v for v in range(d) if v == row[j] or self.may(j, row[j], v)] for j, d in enumerate(self.sizes)]
        for new in product(*options):
            changes = sum(a != b for a, b in zip(row, new, strict=True))
            if changes and (self.most is None or changes <= self.most) and self.obeys(new):
                yield changes, new

    def obeys(self, row):
        """Is the relation kept?"""
        if self.forbidden is None:
            return True
        i, a, j, b = self.forbidden
        return not (row[i] == a and row[j] == b)

    def reached(self, old, new):
        """Is the new class wanted?"""
        return new != old if self.target is None else new == self.target


def check(seed):
    """One model, one question, some rows. ensures: AssertionError with the seed if an answer is wrong."""
    rng = random.Random(f"audits {seed}")
    n_classes = rng.choice([2, 2, 3])
    labels = rng.choice(LABELS)[:n_classes]
    c = symcf.compile(random_model(rng, n_classes, labels))
    asked = Asked(rng, c, labels)
    every = list(product(*map(range, asked.sizes)))
    decided = dict(zip(every, c.predict(np.array(every), codes=True).tolist(), strict=True))
    rows = [rng.choice(every) for _ in range(rng.choice([0, 1, 30]))]
    groups = [rng.choice(["u", "v", None]) for _ in rows]
    cost = {name: rng.choice([1, 2, 0.5, 3]) for name in c.features} if rng.random() < 0.5 else None
    protected = rng.sample(range(asked.n), rng.randint(1, asked.n))
    told = f"seed {seed}: {asked.keywords} {rows} {groups} {cost} {protected}"
    found = symcf.audit(
        c, [list(row) for row in rows], groups=groups, cost=cost, protected=protected, n_jobs=rng.choice([None, 2]),
        **asked.keywords,
    )  # fmt: skip

    locked, biased, there, changes, costs = [], [], 0, Counter(), []
    responsive = {group or "missing": np.zeros((asked.n, 3), dtype=int) for group in groups}
    for i, row in enumerate(rows):
        free = [range(d) if j in protected else [row[j]] for j, d in enumerate(asked.sizes)]
        if any(decided[new] != decided[row] for new in product(*free)):
            biased.append(i)
        if decided[row] == asked.target:
            there += 1
            continue
        ways = [(k, new) for k, new in asked.moves(row) if asked.reached(decided[row], decided[new])]
        if ways:
            changes[min(k for k, _ in ways)] += 1
            prices = [cost[name] if cost else 1 for name in c.features]
            costs.append(min(sum(p for p, a, b in zip(prices, row, new, strict=True) if a != b) for _, new in ways))
        else:
            locked.append(i)
        for j, d in enumerate(asked.sizes):
            for value in (v for v in range(d) if asked.may(j, row[j], v)):
                leads = [k for k, new in ways if new[j] == value]
                responsive[groups[i] or "missing"][j] += (1, 1 in leads, bool(leads))
    assert found.locked_out.tolist() == locked, told
    assert found.biased.tolist() == biased, told
    assert (found.total.at_target, found.total.undecided) == (there, 0), told
    assert found.total.changes == dict(sorted(changes.items())), told
    assert abs(found.total.cost - sum(costs)) < 1e-9, told
    assert {g: tally.responsive.tolist() for g, tally in found.groups.items()} == {
        g: table.tolist() for g, table in responsive.items()
    }, told
    assert list(found.groups) == sorted(responsive), told
    assert found.verify(5) == len(locked[:5]), told
    assert not found.unknown, told


if __name__ == "__main__":
    sys.exit(random_runs.run(check, "audits", __doc__, 1000))
