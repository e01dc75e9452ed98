"""All change sets of trees that vote by a SAT solver, where trying all rows is out of the question: twelve columns of
eight values are 7 * 10^10 rows.

    python tests/drivers/ensembles_sat.py --count 200 --seed 0

The formula is made from the nested dicts that the model is made from, and shares nothing with symcf: a value is a row
of steps "at least v"; a leaf implies the tests on its way, and every tree has one; the sum of the leaves of the first
trees is a chain of states, one variable each, that the next leaf moves on; states that end too low are forbidden. A
variable per feature keeps it as it is. Minimal sets of features that cannot be kept are found one by one: a model,
shrunk by asking again with one more feature kept, and then blocked, until no model is left.
"""

from __future__ import annotations

import argparse
import random
import sys
from itertools import pairwise

from pysat.solvers import Cadical153

import symcf

LABELS = [("no", "yes"), (7, -3), ("a", "b", "c")]


def tree_of(rng, n, d, classes, depth):
    """A nested dict over numbers 0 .. d - 1."""
    if not depth or rng.random() < 0.1:
        return {"scores": [rng.randint(-6, 6) for _ in classes]}
    below = {side: tree_of(rng, n, d, classes, depth - 1) for side in ("yes", "no")}
    return {"feature": f"x{rng.randrange(n)}", "less_than": rng.randrange(1, d), **below}


def leaves_of(node, way=()):
    """The scores of each leaf, and the tests on its way: (feature, cut, is the value below it?)."""
    if "scores" in node:
        return [(node["scores"], way)]
    test = (int(node["feature"][1:]), node["less_than"])
    return [*leaves_of(node["yes"], (*way, (*test, True))), *leaves_of(node["no"], (*way, (*test, False)))]


def scores_at(trees, x):
    """By class, the sums of a row."""
    total = None
    for node in trees:
        while "scores" not in node:
            node = node["yes" if x[int(node["feature"][1:])] < node["less_than"] else "no"]
        total = node["scores"] if total is None else [a + b for a, b in zip(total, node["scores"], strict=True)]
    return total


def decide(trees, x, last_wins):
    total = scores_at(trees, x)
    best = [k for k, score in enumerate(total) if score == max(total)]
    return best[-1] if last_wins else best[0]


class Formula:
    """Rows that are decided as wanted, with a variable for each feature that is kept."""

    def __init__(self, trees, d, x, leads, all_of_them):
        """`leads` are (class, class that it must lead, by at least): all of them, or any."""
        self.solver = Cadical153()
        self.n_variables = 0
        cuts = [[self.new() for _ in range(1, d)] for _ in x]  # cuts[j][v - 1]: is the value at least v?
        for row in cuts:
            for lower, upper in pairwise(row):
                self.solver.add_clause([-upper, lower])
        self.keep = [self.new() for _ in x]
        for j, value in enumerate(x):
            for v, literal in enumerate(cuts[j], 1):
                self.solver.add_clause([-self.keep[j], literal if value >= v else -literal])
        leaves = [self.leaves(leaves_of(tree), cuts) for tree in trees]
        wins = []
        for winner, loser, least in leads:
            wins.append(self.new())
            parts = [[(literal, scores[winner] - scores[loser]) for literal, scores in tree] for tree in leaves]
            self.at_least(parts, least, wins[-1])
        for clause in [[win] for win in wins] if all_of_them else [wins]:
            self.solver.add_clause(clause)

    def new(self):
        self.n_variables += 1
        return self.n_variables

    def leaves(self, leaves, cuts):
        found = []
        for scores, way in leaves:
            literal = self.new()
            for j, v, below in way:
                self.solver.add_clause([-literal, -cuts[j][v - 1] if below else cuts[j][v - 1]])
            found.append((literal, scores))
        self.solver.add_clause([literal for literal, _ in found])
        return found

    def at_least(self, parts, least, if_so):
        """If the last literal holds, the chosen parts sum up to at least so much."""
        states = {0: if_so}
        for tree in parts:
            following = {}
            for total, state in states.items():
                for leaf, score in tree:
                    after = following.setdefault(total + score, self.new())
                    self.solver.add_clause([-state, -leaf, after])
            states = following
        for total, state in states.items():
            if total < least:
                self.solver.add_clause([-state])

    def minimal_sets(self):
        """All minimal sets of features that have to change."""
        found = []
        while self.solver.solve():
            model = set(self.solver.get_model())
            kept = [k for k in self.keep if k in model]
            for k in self.keep:
                if k not in kept and self.solver.solve(assumptions=[*kept, k]):
                    kept.append(k)
            changed = [k for k in self.keep if k not in kept]
            found.append(tuple(self.keep.index(k) for k in changed))
            if not changed:
                break
            self.solver.add_clause(changed)
        return sorted(found)


def check(seed, columns=(9, 12), n_trees=(4, 9)):
    """One random ensemble, one row; how many change sets it has."""
    rng = random.Random(seed)
    n, d, depth = rng.randint(*columns), 8, rng.randint(2, 3)
    classes = rng.choice(LABELS)
    trees = [tree_of(rng, n, d, classes, depth) for _ in range(rng.randint(*n_trees))]
    last_wins = rng.random() < 0.5
    names = [f"x{j}" for j in range(n)]
    tie = "positive" if last_wins else "negative"
    model = symcf.BoostedTrees(trees, features=names, classes=classes, tie=tie)
    x = [rng.randrange(d) for _ in names]
    now = decide(trees, x, last_wins)
    target = rng.choice([None, *(k for k in range(len(classes)) if k != now)])
    if target is None:
        pairs = [(k, now) for k in range(len(classes)) if k != now]
    else:
        pairs = [(target, k) for k in range(len(classes)) if k != target]
    leads = [(a, b, 0 if (a > b) == last_wins else 1) for a, b in pairs]
    expected = Formula(trees, d, x, leads, target is not None).minimal_sets()
    wanted = {} if target is None else {"target": classes[target]}
    e = symcf.compile(model).explain(dict(zip(names, x, strict=True)), engine="boxes", time_limit=600, **wanted)
    assert e.status == "complete", (seed, e.status)
    assert sorted(e.sets) == expected, (seed, sorted(set(e.sets) ^ set(expected)))
    return len(expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    sets = [check(seed, (9, 16), (4, 14)) for seed in range(given.seed, given.seed + given.count)]
    print(f"{len(sets)} ensembles, {sum(sets)} change sets, at most {max(sets)} of one row: all equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
