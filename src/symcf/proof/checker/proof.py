"""Clausal proofs: each step adds a clause that follows, until the empty one does.

A clause follows if making it false leads to a contradiction by unit propagation (RUP), or if it contains a literal, its
first, such that this holds of all resolvents on it (RAT). SAT solvers write such proofs in the format DRAT (Wetzler,
Heule and Hunt, "DRAT-trim: efficient checking and trimming using expressive clausal proofs", 2014). A step that begins
with 0 takes a clause away. As in drat-trim, unit clauses are never taken away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from symcf.proof.checker.form import Effort, Rejected, words
from symcf.proof.checker.rules import Diagrams
from symcf.proof.checker.statement import Statement

__all__ = ["check_proof", "clauses_of"]


def check_proof(clauses: Iterable[Sequence[int]], steps: Iterable[Sequence[int]], effort: Effort | None = None) -> None:
    """`Rejected` unless the steps prove that the clauses cannot hold together.

    >>> check_proof([(1, 2), (1, -2), (-1, 2), (-1, -2)], [(1,), ()])
    """
    prover = _Prover(effort or Effort())
    for clause in clauses:
        prover.add(clause)
    for number, step in enumerate(steps):
        if prover.contradiction:
            return
        if step and step[0] == 0:
            prover.remove(step[1:])
        elif prover.follows(step):
            prover.add(step)
        else:
            raise Rejected("complete", f"step {number} of the proof does not follow")
    if not prover.contradiction:
        raise Rejected("complete", "the proof does not end in a contradiction")


class _Prover:
    """Clauses, each watched at two of its literals, and what they force."""

    def __init__(self, effort: Effort) -> None:
        self.contradiction = False
        self._effort = effort
        self._clauses: list[list[int] | None] = []
        self._numbers: dict[tuple[int, ...], list[int]] = {}
        self._watching: dict[int, list[int]] = {}
        #: By literal, the clauses that it is in; empty until somebody asks.
        self._having: dict[int, list[int]] = {}
        #: Literals that are true, in the order in which they became so; those below `_fixed` are so for good.
        self._true: dict[int, None] = {}
        self._trail: list[int] = []
        self._fixed = 0
        self._done = 0

    def add(self, given: Sequence[int]) -> None:
        self._effort.spend(1 + len(given))
        once = dict.fromkeys(given)
        clause = list(once)
        if any(-literal in once for literal in clause):
            return  # always true
        number = len(self._clauses)
        self._clauses.append(clause)
        self._numbers.setdefault(tuple(sorted(clause)), []).append(number)
        if self._having:
            self._sort(number, clause)
        # those that are not false come first, since what is false now stays so
        clause.sort(key=lambda literal: -literal in self._true)
        for literal in clause[:2] if len(clause) > 1 else ():
            self._watching.setdefault(literal, []).append(number)
        if not clause or -clause[0] in self._true:
            self.contradiction = True
        elif len(clause) == 1 or -clause[1] in self._true:
            self._assume(clause[0])
            self.contradiction = self.contradiction or not self._propagate()
            self._fixed = len(self._trail)

    def remove(self, given: Sequence[int]) -> None:
        self._effort.spend(1 + 2 * len(given))
        numbers = self._numbers.get(tuple(sorted(set(given))), [])
        for number in numbers[-1:]:
            clause = self._clauses[number]
            assert clause is not None
            if len(clause) < 2 or any(
                literal in self._true and all(-other in self._true for other in clause if other != literal)
                for literal in clause
            ):
                return  # it may be why something is true for good
            self._clauses[number] = None
            numbers.pop()

    def follows(self, clause: Sequence[int]) -> bool:
        """By unit propagation, or else with all its resolvents on the first literal."""
        if self._refuted(clause):
            return True
        if not clause:
            return False
        pivot = clause[0]
        for number in self._with(-pivot):
            other = self._clauses[number]
            if other is None:
                continue
            self._effort.spend(len(other))
            if not self._refuted([*clause, *(literal for literal in other if literal != -pivot)]):
                return False
        return True

    def _with(self, literal: int) -> Sequence[int]:
        """The clauses that have a literal; they are sorted when they are first asked for, as most proofs never do."""
        if not self._having:
            for number, clause in enumerate(self._clauses):
                self._sort(number, clause or ())
        found = self._having.get(literal, ())
        self._effort.spend(10 + len(found))
        return found

    def _sort(self, number: int, clause: Iterable[int]) -> None:
        for literal in clause:
            self._having.setdefault(literal, []).append(number)

    def _refuted(self, clause: Sequence[int]) -> bool:
        """Does making the clause false lead to a contradiction?"""
        self._effort.spend(len(clause))
        fine = all(self._assume(-literal) for literal in clause)
        refuted = not fine or not self._propagate()
        for literal in self._trail[self._fixed :]:
            del self._true[literal]
        del self._trail[self._fixed :]
        self._done = self._fixed
        return refuted

    def _assume(self, literal: int) -> bool:
        if literal not in self._true:
            if -literal in self._true:
                return False
            self._true[literal] = None
            self._trail.append(literal)
        return True

    def _propagate(self) -> bool:
        """Everything that follows from units; False if that is contradictory."""
        true, clauses, watching = self._true, self._clauses, self._watching
        while self._done < len(self._trail):
            false = -self._trail[self._done]
            self._done += 1
            watchers = watching.get(false, [])
            self._effort.spend(4 * len(watchers) + 4)
            kept: list[int] = []
            for place, number in enumerate(watchers):
                clause = clauses[number]
                if clause is None:
                    continue
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                if clause[0] in true:
                    kept.append(number)
                    continue
                for i in range(2, len(clause)):
                    if -clause[i] not in true:
                        clause[1], clause[i] = clause[i], false
                        watching.setdefault(clause[1], []).append(number)
                        self._effort.spend(i)
                        break
                else:
                    self._effort.spend(len(clause))
                    kept.append(number)
                    if not self._assume(clause[0]):
                        watching[false] = list(chain(kept, watchers[place + 1 :]))
                        return False
            watching[false] = kept
        return True


# --- clauses of a question --------------------------------------------------------------------------------------------
# The question "is a change set missing?" as clauses, for decisions given as a diagram.
#
# Variable j + 1 says that feature j may change, the next ones belong to the nodes: a way to the goal leads through
# them. From a node the way goes on along the row's own value, or along another one if the feature may change. No listed
# set may change as a whole. If these clauses cannot hold together, no change set is missing.


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
