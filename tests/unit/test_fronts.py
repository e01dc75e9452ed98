"""Pareto fronts, against the definition: every pair of counterfactuals is compared. More:
``python tests/drivers/fronts_random.py``.
"""

import itertools
import operator
from collections import Counter

import fronts_random
import numpy as np
import pytest

import symcf

GOOD = {
    "changes": lambda cf: -len(cf.changes),
    "cost": lambda cf: -cf.cost,
    "distance": lambda cf: -cf.cost,
    "plausibility": lambda cf: cf.plausibility,
    "probability": lambda cf: cf.probability,
}


@pytest.fixture(scope="module")
def explained():
    credit = symcf.datasets.credit()
    c = symcf.compile(credit.model("scorecard"), plausibility=credit.data)
    rows = credit.data[c.predict(credit.data) == "declined"]
    return [
        c.explain(rows.iloc[[i]], cost="distance", data=credit.data, minimality=minimality, max_changes=3)
        for i, minimality in itertools.product(range(3), ("features", "moves"))
    ]


@pytest.mark.filterwarnings("ignore")
def test_a_few_of_the_random_questions():
    tally = Counter()
    for table in range(4):
        for i in range(6):
            fronts_random.check(10 * table + i, tally)
    assert tally["questions"] == 24
    assert tally["with someone beaten"]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_nobody_on_the_front_is_beaten_and_everybody_else_is(explained, size):
    for e in explained:
        listed = list(e)
        measured = [{name: good(cf) for name, good in GOOD.items()} for cf in listed]
        for names in itertools.combinations(GOOD, size):
            points = [tuple(of[name] for name in names) for of in measured]
            beaten = [any(other != own and all(map(operator.ge, other, own)) for other in points) for own in points]
            assert e.pareto(*names) == [cf for cf, is_beaten in zip(listed, beaten, strict=True) if not is_beaten]


def test_probabilities_that_differ_by_a_rounding_are_equal():
    """Odds times 6, or times 2 and 3: on paper the same."""
    c = symcf.compile(symcf.NaiveBayes.binary(0.45, [0.6, 0.5, 0.6], [0.2, 1 / 3, 1 / 3]))
    e = c.explain([0, 0, 0])
    assert e.sets == [(0,), (1, 2)]
    assert [cf.features for cf in e.pareto("changes", "probability")] == [(0,)]


def test_an_empty_list_has_an_empty_front():
    c = symcf.compile(symcf.NaiveBayes.binary(0.3, [0.9], [0.2]))
    assert c.explain([0], immutable=[0]).pareto("changes", "cost") == []


@pytest.mark.parametrize(
    ("measures", "named"),
    [
        ((), "at least two"),
        (("changes",), "at least two"),
        (("changes", "changes"), "at least two"),
        (("changes", "beauty"), "beauty"),
        (("changes", "distance"), "no distances"),
        (("changes", "plausibility"), "plausibility=data"),
    ],
)
def test_bad_input(measures, named):
    e = symcf.compile(symcf.NaiveBayes.binary(0.3, [0.9, 0.8], [0.2, 0.1])).explain(np.array([0, 0]))
    with pytest.raises(symcf.OptionError, match=named):
        e.pareto(*measures)
