"""The pipeline of the paper in Python on the `dd` package: what symcf's compiler and CNF writer are measured against.

The textbook algorithm, written with care for speed. Compilation remembers for each level which intervals of the
remaining threshold lead to which node (Chan and Darwiche 2003; Abío et al. 2012). The clauses are the off-set paths of
the diagram, value 1 before value 0, so they come out in the same order as symcf's and can be compared one by one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import Any

from symcf import _core

Clauses = list[list[int]]


class Compiler:
    """Threshold function -> OBDD in a manager of `dd` (`dd.cudd.BDD` or `dd.autoref.BDD`), features by influence."""

    def __init__(self, threshold: _core.Threshold, bdd: Any) -> None:
        self.bdd = bdd
        self.order: list[int] = threshold.influence_order().tolist()
        weight = threshold.weight.tolist()
        # Of each level: its variable, what its larger value adds to the sum, and whether that value is 1.
        self.names = [f"x{j}" for j in self.order]
        self.steps = [abs(weight[2 * j + 1] - weight[2 * j]) for j in self.order]
        self.rises = [weight[2 * j + 1] >= weight[2 * j] for j in self.order]
        self.rest = [sum(self.steps[k:]) for k in range(len(self.steps) + 1)]
        self.goal = -threshold.bias - sum(min(weight[2 * j], weight[2 * j + 1]) for j in self.order)
        # The known intervals (start, end] of each level, by ascending end.
        self.ends: list[list[int]] = [[] for _ in self.order]
        self.known: list[list[tuple[float, float, Any]]] = [[] for _ in self.order]
        bdd.configure(reordering=False)  # the order is given
        bdd.declare(*self.names)

    def compile(self) -> Any:
        return self.build(0, self.goal)[2]

    def build(self, level: int, goal: int) -> tuple[float, float, Any]:
        """The node for "do the levels from here sum to the goal or more?" and the goals that it is the answer for."""
        if goal <= 0:
            return -math.inf, 0, self.bdd.true
        if goal > self.rest[level]:
            return self.rest[level], math.inf, self.bdd.false
        ends, known = self.ends[level], self.known[level]
        at = bisect_left(ends, goal)
        if at < len(known) and known[at][0] < goal:
            return known[at]
        step = self.steps[level]
        start, end, less = self.build(level + 1, goal)
        more_start, more_end, more = self.build(level + 1, goal - step)
        low, high = (less, more) if self.rises[level] else (more, less)
        found = (
            max(start, more_start + step),
            min(end, more_end + step),
            low if low == high else self.node(level, low, high),
        )
        at = bisect_left(ends, found[1])
        ends.insert(at, found[1])
        known.insert(at, found)
        return found

    def node(self, level: int, low: Any, high: Any) -> Any:
        # CUDD's nodes have an uncomplemented high child; dd 0.6.0 hands over any, which corrupts CUDD's table.
        if high.negated:
            return ~self.bdd.find_or_add(self.names[level], ~low, ~high)
        return self.bdd.find_or_add(self.names[level], low, high)


def no_cut(bdd: Any, root: Any) -> Clauses:
    """One clause an off-set path, read off the nodes of `dd` as its interface offers them."""
    clauses: Clauses = []
    clause: list[int] = []
    true, false = bdd.true, bdd.false

    def walk(node: Any) -> None:
        variable = int(node.var[1:]) + 1
        low, high = (~node.low, ~node.high) if node.negated else (node.low, node.high)
        for child, literal in ((high, -variable), (low, variable)):
            if child == true:
                continue
            clause.append(literal)
            if child == false:
                clauses.append(clause.copy())
            else:
                walk(child)
            clause.pop()

    if root == false:
        clauses.append([])
    elif root != true:
        walk(root)
    return clauses


def no_cut_from_table(bdd: Any, root: Any) -> Clauses:
    """The same clauses, but every node of `dd` is asked once: its children go into a dictionary of plain numbers."""
    true, false = int(bdd.true), int(bdd.false)
    table: dict[int, tuple[int, int, int]] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        key = int(node)
        if key in table or key in (true, false):
            continue
        low, high = (~node.low, ~node.high) if node.negated else (node.low, node.high)
        table[key] = (int(node.var[1:]) + 1, int(high), int(low))
        pending += (low, high)
    clauses: Clauses = []
    clause: list[int] = []

    def walk(key: int) -> None:
        variable, high, low = table[key]
        clause.append(-variable)
        if high == false:
            clauses.append(clause.copy())
        elif high != true:
            walk(high)
        clause[-1] = variable
        if low == false:
            clauses.append(clause.copy())
        elif low != true:
            walk(low)
        clause.pop()

    if int(root) == false:
        clauses.append([])
    elif int(root) != true:
        walk(int(root))
    return clauses
