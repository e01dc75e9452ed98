"""The reference, on examples small enough to be answered by hand."""

from __future__ import annotations

from fractions import Fraction

import reference
from reference import MISSING, Domain, Question


def admitted(row):
    """The paper's example by its change sets: features E, WE, GPA, FA."""
    p1, p0 = (0.40, 0.96, 0.97, 0.70), (0.15, 0.10, 0.11, 0.20)
    yes, no = Fraction(3, 10), Fraction(7, 10)
    for v, one, zero in zip(row, p1, p0, strict=True):
        one, zero = reference.number(one), reference.number(zero)
        yes, no = yes * (one if v else 1 - one), no * (zero if v else 1 - zero)
    return "yes" if yes >= no else "no"


def test_golden_values_of_the_paper():
    domains = reference.codes([2] * 4)
    assert Question(domains, admitted, (1, 0, 1, 0)).change_sets() == [(1,), (3,)]
    assert Question(domains, admitted, (0, 0, 1, 0)).change_sets() == [(1,), (0, 3)]
    assert Question(domains, admitted, (0, 0, 1, 0)).reasons() == [(0, 1), (1, 3)]
    assert Question(domains, admitted, (0, 0, 1, 0), max_changes=1).change_sets() == [(1,)]
    assert Question(domains, admitted, (0, 0, 1, 0), may=reference.permits(immutable=[1])).change_sets() == [(0, 3)]
    assert Question(domains, admitted, (0, 0, 1, 0), target="no").change_sets() == [()]


def test_numbers_constraints_and_costs():
    domains = [reference.grid(0, 4), reference.grid(0, 1, 0.25), Domain(("a", "b"))]
    assert domains[1].values == tuple(Fraction(i, 4) for i in range(5))
    decide = lambda row: row[0] + row[1] >= 3  # noqa: E731
    price = lambda j, old, new: abs(new - old) if j < 2 else Fraction(1)  # noqa: E731
    row = (Fraction(1), Fraction(1, 2), "a")
    question = Question(domains, decide, row, price=price)
    assert question.change_sets() == [(0,)]
    assert question.counterfactuals()[0,] == [(2, (3, Fraction(1, 2), "a")), (3, (4, Fraction(1, 2), "a"))]
    # none of them can be moved less far: 3, or 2 and all of the way to 1
    assert question.moves() == [(Fraction(3, 2), (2, 1, "a")), (2, (3, Fraction(1, 2), "a"))]
    linked = Question(
        domains, decide, row, price=price, constraints=[lambda old, new: new[0] == old[0] or new[2] == "b"]
    )
    assert linked.change_sets() == [(0, 2)]
    assert linked.reasons() == [(0,), (2,)]


def test_directions_ranges_and_missing_values():
    line = Domain((*reference.grid(0, 3).values, MISSING), ordered=True)
    decide = lambda row: row[0] is MISSING or row[0] >= 2  # noqa: E731
    assert Question([line], decide, (MISSING,)).counterfactuals() == {(0,): [(1, (0,)), (1, (1,))]}
    assert Question([line], decide, (1,)).new == [[0, 2, 3]]
    assert Question([line], decide, (1,), may=reference.permits({0: "decrease"})).change_sets() == []
    assert Question([line], decide, (1,), may=reference.permits({0: (3, None)})).moves() == [(1, (3,))]
    assert Question([line], decide, (1,), may=reference.permits({0: [0, 2]})).moves() == [(1, (2,))]
    assert not Question([line], decide, (MISSING,)).is_less_far((1,), (0,))


def test_shapley_values_of_a_conjunction():
    half = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert reference.shapley(lambda row: row[0] & row[1], (1, 1), [half, half], 1) == [Fraction(3, 8)] * 2
    assert reference.fewest_kept(lambda row: row[0] | row[1], (1, 1), (0, 0)) == [(0,), (1,)]


def test_minimal_and_hitting_sets():
    assert reference.minimal([(2, 1), {3}, (0, 1, 2), [1, 2], (3, 0)]) == [(3,), (1, 2)]
    assert reference.minimal([(0,), ()]) == reference.hitting_sets([], 3) == [()]
    assert reference.hitting_sets([(3,), (1, 2)], 4) == [(1, 3), (2, 3)]
    assert reference.hitting_sets([()], 2) == []
