"""The question "is a change set missing?" as clauses, for decisions given as a diagram.

Variable j + 1 says that feature j may change, the next ones belong to the nodes: a way to the goal leads through them.
From a node the way goes on along the row's own value, or along another one if the feature may change. No listed set may
change as a whole. If these clauses cannot hold together, no change set is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symcf.proof.checker.effort import words
from symcf.proof.checker.rules import Diagrams
from symcf.proof.checker.statement import Statement

__all__ = ["clauses_of"]

Clause = tuple[int, ...]

#: Steps that a clause counts for: there must be room for all of them.
KEPT = 1024


def clauses_of(statement: Statement) -> list[Clause]:
    """The clauses. requires: the rule is one of diagrams, and there are no relations."""
    rule = statement.rule
    assert isinstance(rule, Diagrams)
    nodes, root, sink = rule.goal(statement.decision, statement.target)
    n = statement.n
    found: list[Clause] = []
    if root < 2:
        found += [] if root == sink else [()]
    else:
        found.append((n + root - 1,))
        reached = {root}
        for number in range(root, 1, -1):
            if number not in reached:
                continue
            feature, children = nodes[number - 2]
            own, choices = statement.row[feature], statement.choices[feature]
            assert choices is not None
            statement.effort.spend(len(children) * words(len(children)))
            others = {child for code, child in enumerate(children) if code != own and choices >> code & 1}
            reached |= {children[own], *others}
            here, stay = -(n + number - 1), children[own]
            found += _way(here, {stay, *others}, n, sink, ())
            found += _way(here, {stay}, n, sink, (feature + 1,))
    found += [tuple(-(j + 1) for j in change_set) for change_set in statement.sets]
    if statement.most < n:
        statement.effort.spend(KEPT * n * statement.most)
        found += _at_most(range(1, n + 1), statement.most, n + len(nodes) + 1)
    return found


def _way(here: int, to: set[int], n: int, sink: int, unless: Clause) -> Iterator[Clause]:
    """From here the way leads to one of these nodes; nothing is said if one of them is the goal."""
    if sink not in to:
        yield (here, *unless, *(n + number - 1 for number in sorted(to) if number > 1))


def _at_most(variables: Sequence[int], most: int, first: int) -> Iterator[Clause]:
    """At most so many are true (Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", 2005).

    Variable ``first + i * most + k`` says that more than k of the first i + 1 are.
    """
    if most == 0:
        yield from ((-v,) for v in variables)
        return
    for i, v in enumerate(variables):
        row, before = first + i * most, first + (i - 1) * most
        yield -v, row
        for k in range(most if i else 0):
            yield -(before + k), row + k
            if k + 1 < most:
                yield -v, -(before + k), row + k + 1
        if i:
            yield -v, -(before + most - 1)
