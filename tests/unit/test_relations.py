"""Relations: text, objects and functions say the same; rows, clauses and diagrams agree on what they say."""

from __future__ import annotations

import contextlib
import functools
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.question.expressions import All, Any_, Implies, Not, Test, forbid, implies, parse, require
from symcf.question.relations import Relations

FEATURES = ("age", "married", "job", "income per year")
VALUES = (("0 .. 17", "18 .. 24", "25 .. 34"), ("no", "yes"), ("student", "clerk", "baker"), (10, 20, 30.5, "more"))
ORDERED = (True, False, False, True)
ROWS = np.array(list(product(range(3), range(2), range(3), range(4))))


def relations(*what):
    return Relations(list(what), FEATURES, VALUES, ORDERED)


def rows_of(*what):
    """The rows that keep the relations, by labels."""
    kept = ROWS[relations(*what).holds(ROWS)]
    return {tuple(VALUES[j][v] for j, v in enumerate(row)) for row in kept.tolist()}


def rows_with(keep):
    return {row for row in product(*VALUES) if keep(*row)}


# --- what text means --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "keep"),
    [
        ("married = yes", lambda a, m, j, i: m == "yes"),
        ("married == yes", lambda a, m, j, i: m == "yes"),
        ("married='yes'", lambda a, m, j, i: m == "yes"),
        ('"married" != `yes`', lambda a, m, j, i: m != "yes"),
        ("1 = yes", lambda a, m, j, i: m == "yes"),
        ("married = yes -> age != '0 .. 17'", lambda a, m, j, i: m == "no" or a != "0 .. 17"),
        ("not (job = student and `income per year` >= 20)", lambda a, m, j, i: j != "student" or i == 10),
        ("job in {student, clerk}", lambda a, m, j, i: j in ("student", "clerk")),
        ("job not in {student, 'clerk', student}", lambda a, m, j, i: j == "baker"),
        ("age < '25 .. 34'", lambda a, m, j, i: a != "25 .. 34"),
        ("age <= '18 .. 24'", lambda a, m, j, i: a != "25 .. 34"),
        ("age > '18 .. 24'", lambda a, m, j, i: a == "25 .. 34"),
        ("`income per year` > 30.5", lambda a, m, j, i: i == "more"),
        ("`income per year` = 10.0", lambda a, m, j, i: i == 10),
        ("`income per year` = '10'", lambda a, m, j, i: i == 10),
        ("not married = yes", lambda a, m, j, i: m == "no"),
        ("not not married = yes", lambda a, m, j, i: m == "yes"),
        ("not married = no and job = clerk", lambda a, m, j, i: m == "yes" and j == "clerk"),
        (
            "married = no or married = yes and job = clerk",
            lambda a, m, j, i: m == "no" or (m == "yes" and j == "clerk"),
        ),
        ("(married=no or married=yes)and job=clerk", lambda a, m, j, i: j == "clerk"),
        (
            "married = yes -> job = clerk -> age = '0 .. 17'",
            lambda a, m, j, i: not (m == "yes" and j == "clerk") or a == "0 .. 17",
        ),
        ("job=clerk->married=no", lambda a, m, j, i: j != "clerk" or m == "no"),
        ("married = yes or married = no", lambda a, m, j, i: True),
        ("married = yes and married = no", lambda a, m, j, i: False),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_text_means_what_it_says(text, keep):
    assert rows_of(text) == rows_with(keep)


def test_objects_and_functions_say_the_same_as_text():
    text = "married = yes -> age in {'18 .. 24', '25 .. 34'}"
    as_object = implies({"married": "yes"}, {"age": ["18 .. 24", "25 .. 34"]})
    assert parse(text) == as_object
    assert str(as_object) == text
    assert rows_of(as_object) == rows_of(text) == rows_of(lambda f: (f.married == "yes") >> (f.age != "0 .. 17"))
    assert forbid({"job": "student", "married": "yes"}) == parse("not (job = student and married = yes)")
    assert require({"job": {"student", "clerk"}}) == parse("job in {clerk, student}")
    assert require("job = clerk") == parse("job = clerk")
    both = relations(lambda f: ~(f["income per year"] >= 20) & f.job.isin(["clerk", "baker"]) | (f.age < "18 .. 24"))
    assert str(both.items[0]) == "not (`income per year` >= 20) and job in {clerk, baker} or age < '18 .. 24'"


def test_one_relation_needs_no_list_and_none_is_none():
    assert len(Relations(None, FEATURES, VALUES, ORDERED)) == 0
    assert len(Relations("married = yes", FEATURES, VALUES, ORDERED)) == 1
    assert Relations((), FEATURES, VALUES, ORDERED).holds(ROWS).all()


def test_labels_of_any_kind_are_known_by_their_text():
    labels = ((None, True, False), (frozenset({1}), "18", np.float64(2.5)))
    rows = np.array(list(product(range(3), range(3))))

    def kept(what):
        return rows[Relations(what, ("a", "b"), labels, (False, False)).holds(rows)].tolist()

    assert kept("a = None") == [[0, 0], [0, 1], [0, 2]]
    assert kept("a = True") == kept("a = 'True'") == kept({} or require({"a": True})) == [[1, 0], [1, 1], [1, 2]]
    assert kept("b = 18") == kept("b = '18'") == [[0, 1], [1, 1], [2, 1]]
    assert kept("b = 2.5") == kept(require({"b": np.float32(2.5)})) == [[0, 2], [1, 2], [2, 2]]
    assert kept(require({"b": frozenset([frozenset({1})])})) == [[0, 0], [1, 0], [2, 0]]


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("", ["a feature", "the end", "position 0"]),
        ("married", ["comparison", "the end", "position 7"]),
        ("married =", ["a value", "the end"]),
        ("married = and", ["a value", "'and'", "position 10"]),
        ("married = yes age = 1", ["'and'", "'age'", "position 14"]),
        ("(married = yes", ["')'", "the end"]),
        ("married = 'yes", ["' is not closed", "position 10"]),
        ("married ! yes", ["'!'", "position 8"]),
        ("married in yes", ["'{'", "'yes'"]),
        ("married in {}", ["a value", "'}'"]),
        ("married in {yes no}", ["','", "'no'"]),
        ("married not yes", ["'in'", "'yes'"]),
        ("maried = yes", ["no feature 'maried'", "'married'", "position 0"]),
        ("7 = yes", ["index 7"]),
        ("married = yess", ["'yess'", "'yes'", "position 10"]),
        ("job in {clerk, cook}", ["'cook'", "'job'", "student", "position 15"]),
        ("job > clerk", ["'job'", "order"]),
        ("(" * 500 + "a = b" + ")" * 500, ["deep"]),
        ("not " * 500 + "a = b", ["deep"]),
        (forbid({"maried": "yes"}), ["'maried'", "'married'"]),
        ({"married": "yes"}, ["'married'"]),
        ([{"married": "yes"}], ["symcf.forbid"]),
        ([3], ["3", "symcf.implies"]),
        (5, ["5"]),
        (lambda f: True, ["True", "condition"]),
        (lambda f: f.married, ["condition"]),
    ],
    ids=lambda value: "a function" if callable(value) else str(value)[:30],
)
def test_mistakes_are_pointed_at(what, words):
    with pytest.raises(symcf.OptionError) as error:
        Relations(what, FEATURES, VALUES, ORDERED)
    assert [word for word in words if word not in str(error.value)] == []


def test_the_index_of_a_feature_that_is_the_name_of_another_is_refused():
    with pytest.raises(symcf.OptionError, match="index"):
        Relations("1 = 0", ("1", "0"), ((0, 1), (0, 1)), (True, True))
    assert len(Relations("'1' = 0", ("1", "0"), ((0, 1), (0, 1)), (True, True))) == 1
    assert len(Relations("0 = 0", ("0", "1"), ((0, 1), (0, 1)), (True, True))) == 1


def test_the_pointer_points():
    with pytest.raises(symcf.OptionError) as error:
        relations("x" * 200 + " = 1 and married = maybe")
    _, line, pointer = str(error.value).split("\n")
    assert line[pointer.index("^")] == "x"
    with pytest.raises(symcf.OptionError) as error:
        relations("age = '0 .. 17' and\n\t" * 20 + "married = maybe")
    _, line, pointer = str(error.value).split("\n")
    assert line[pointer.index("^") :].startswith("maybe")


# --- any text, any expression -----------------------------------------------------------------------------------------

WORDS = "age married yes 'yes' not and or in -> = == != < >= ( ) { } , ' ` \" \\ 1 -5 1e999 1e5 2.5 True - > !"
pieces = st.sampled_from([*WORDS.split(), "9" * 5000, "\n", "'0 .. 17'"])


@given(st.text() | st.lists(pieces).map(" ".join) | st.lists(pieces).map("".join))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(symcf.OptionError):
        relations(text).holds(ROWS)
    try:
        expression = parse(text)
    except symcf.OptionError:
        return
    assert parse(str(expression)) == expression


# --- rows, clauses and diagrams agree ---------------------------------------------------------------------------------


def random_expression(rng, n_values, size):
    """About `size` tests on codes as labels, combined at random."""
    if size <= 1:
        j = rng.randrange(len(n_values))
        operator = rng.choice(["in", "not in", "<", "<=", ">", ">="])
        several = rng.randint(1, 3) if operator in ("in", "not in") else 1
        return Test(f"x{j}", operator, tuple(rng.randrange(n_values[j]) for _ in range(several)))
    kind = rng.choice([Not, Implies, All, Any_])
    if kind is Not:
        return Not(random_expression(rng, n_values, size - 1))
    left = rng.randint(1, size - 1)
    parts = random_expression(rng, n_values, left), random_expression(rng, n_values, size - left)
    return Implies(*parts) if kind is Implies else kind(parts)


@st.composite
def worlds(draw):
    """Numbers of values and relations over them. From a seed: what Hypothesis draws by itself is too small."""
    rng = Random(draw(st.integers(0, 2**32)))
    n_values = rng.choices([1, 2, 3, 4], [1, 4, 4, 2], k=rng.randint(1, 5))
    return n_values, [random_expression(rng, n_values, rng.randint(1, 9)) for _ in range(rng.randint(0, 3))]


def slow_truth(expression, row):
    """One row at a time, word by word."""
    if isinstance(expression, Test):
        mine, values = row[int(expression.feature[1:])], expression.values
        return {
            "in": mine in values,
            "not in": mine not in values,
            "<": mine < values[0],
            "<=": mine <= values[0],
            ">": mine > values[0],
            ">=": mine >= values[0],
        }[expression.operator]
    if isinstance(expression, Not):
        return not slow_truth(expression.part, row)
    if isinstance(expression, Implies):
        return not slow_truth(expression.condition, row) or slow_truth(expression.consequence, row)
    return (all if isinstance(expression, All) else any)(slow_truth(part, row) for part in expression.parts)


def resolved(n_values, expressions):
    names = [f"x{j}" for j in range(len(n_values))]
    return Relations(expressions, names, [tuple(range(d)) for d in n_values], [True] * len(n_values))


@given(worlds(), st.randoms())
def test_rows_and_diagrams_agree(world, random):
    n_values, expressions = world
    found = resolved(n_values, expressions)
    rows = np.array(list(product(*map(range, n_values))))
    wanted = [all(slow_truth(e, row) for e in expressions) for row in rows.tolist()]
    assert found.holds(rows).tolist() == wanted
    order = list(range(len(n_values)))
    random.shuffle(order)
    diagrams = found.diagrams(order)
    assert len(diagrams) == len(expressions)
    sinks = np.array([d.evaluate(rows) for d in diagrams]).reshape(len(diagrams), len(rows))
    assert sinks.all(axis=0).tolist() == wanted
    assert all(diagram.validate() is None for diagram in diagrams)


@given(worlds())
def test_codes_of_a_class_are_one_to_the_relations(world):
    n_values, expressions = world
    found = resolved(n_values, expressions)
    classes = found.distinctions()
    assert [sorted(code for codes in by_class for code in codes) for by_class in classes] == [
        list(range(d)) for d in n_values
    ]
    group_of = [
        [next(g for g, codes in enumerate(c) if v in codes) for v in range(d)]
        for c, d in zip(classes, n_values, strict=True)
    ]
    diagrams = found.diagrams(range(len(n_values)), [len(c) for c in classes], group_of)
    rows = np.array(list(product(*map(range, n_values))))
    grouped = np.array([[group_of[j][v] for j, v in enumerate(row)] for row in rows.tolist()])
    for diagram, item in zip(diagrams, expressions, strict=True):
        assert diagram.evaluate(grouped).astype(bool).tolist() == [slow_truth(item, row) for row in rows.tolist()]


def test_groups_that_a_relation_tells_apart_are_refused():
    found = resolved([3, 2], [parse("x0 = 1")])
    assert found.distinctions() == [[(0, 2), (1,)], [(0, 1)]]
    with pytest.raises(symcf.InternalError):
        found.diagrams([0, 1], [2, 2], [[0, 1, 1], [0, 1]])


def test_what_explodes_is_refused_by_name():
    n = 40
    pairs = " or ".join(f"x{2 * i} = 1 and x{2 * i + 1} = 1" for i in range(n // 2))
    found = resolved([2] * n, [parse(pairs)])
    assert found.diagrams(range(n))[0].size == n + 2
    with pytest.raises(symcf.LimitError, match=r"x0 = 1.*nodes"):
        found.diagrams([*range(0, n, 2), *range(1, n, 2)], max_nodes=1000)


def test_long_relations_are_no_trouble():
    n = 2000
    found = resolved([2] * n, [parse(" or ".join(f"x{j} = 1" for j in range(n)))])
    assert found.diagrams(range(n))[0].size == n + 2


def test_values_within_relations_are_the_cheapest_then_the_surest():
    """By sums, without a diagram; against every row."""
    rng = np.random.default_rng(6)
    for _ in range(20):
        tables = [rng.dirichlet(np.ones(3), 2) for _ in range(4)]
        c = symcf.compile(symcf.NaiveBayes([0.5, 0.5], tables, ordered=True))
        x = rng.integers(0, 3, 4).tolist()
        for cost in (None, "ordinal"):
            e = c.explain(x, constraints=["x0 = 1 -> x1 != 0", "x2 != 1 or x0 = 2"], cost=cost, select="surest")
            for cf in e:
                found = []
                for row in product(range(3), repeat=4):
                    changed = tuple(j for j in range(4) if row[j] != x[j])
                    fine = (row[0] != 1 or row[1] != 0) and (row[2] != 1 or row[0] == 2)
                    if changed == cf.features and fine and c.predict([row], codes=True)[0] != e.prediction:
                        paid = sum(abs(a - b) if cost else 1 for a, b in zip(row, x, strict=True) if a != b)
                        found.append((paid, -abs(float(c.decision_function([row])[0])), row))
                assert tuple(cf.instance.tolist()) == min(found)[2]
            assert symcf.verify(c, x, e)


def test_reasons_within_relations_are_not_covers():
    c = symcf.compile(symcf.NaiveBayes.binary(0.3, [0.4, 0.96, 0.97, 0.7], [0.15, 0.1, 0.11, 0.2]))
    with pytest.raises(symcf.OptionError, match="without constraints"):
        c.why([1, 0, 1, 0], engine="cover", constraints=["x0 = 1 -> x1 = 1"])


# --- several groups of related features -------------------------------------------------------------------------------


def minimal_sets(rows, x, reached):
    """The minimal sets of features in which rows differ that are reached."""
    found = {
        frozenset(j for j, (a, b) in enumerate(zip(x, row, strict=True)) if a != b) for row in rows if reached(row)
    }
    return {some for some in found if not any(other < some for other in found)}


@pytest.mark.parametrize("n_classes", [2, 3])
def test_relations_without_a_common_feature_need_no_diagram(n_classes):
    """Against every row: chains and pairs of implications, rows that do not obey, limits and costs."""
    found = 0
    for seed in range(40):
        rng = Random(f"groups {seed}")
        sizes = [rng.randint(2, 3) for _ in range(7)]
        weights = [[[rng.randint(-6, 6) for _ in range(d)] for d in sizes] for _ in range(n_classes)]
        bias = [rng.randint(-4, 4) for _ in range(n_classes)]
        names = [f"f{j}" for j in range(7)]
        values = [list(range(d)) for d in sizes]
        if n_classes == 2:
            both = [[b - a for a, b in zip(*of, strict=True)] for of in zip(*weights, strict=True)]
            model = symcf.LinearClassifier(both, bias[1] - bias[0], features=names, values=values)
        else:
            model = symcf.LinearClassifier(weights, bias, features=names, values=values)
        c = symcf.compile(model)
        pairs = [(0, 1), (1, 2), (3, 4)] if rng.random() < 0.5 else [(0, 6), (2, 3), (4, 5)]
        rules = [(a, rng.randrange(sizes[a]), b, rng.randrange(sizes[b])) for a, b in pairs]
        constraints = [f"{names[a]} == {v} -> {names[b]} != {w}" for a, v, b, w in rules]
        x = [rng.randrange(d) for d in sizes]
        own = c.predict([x])[0]
        fixed = rng.sample(range(7), rng.randint(0, 2))

        def reached(row, rules=rules, fixed=fixed, x=x, c=c, own=own, classes=None):
            obeys = all(row[a] != v or row[b] != w for a, v, b, w in rules)
            return obeys and all(row[j] == x[j] for j in fixed) and classes[row] != own

        rows = list(product(*map(range, sizes)))
        classes = dict(zip(rows, c.predict(rows), strict=True))
        wanted = minimal_sets(rows, x, functools.partial(reached, classes=classes))
        e = c.explain(x, constraints=constraints, immutable=[names[j] for j in fixed])
        assert e.engine == "cover"
        assert e.complete
        assert set(map(frozenset, e.sets)) == wanted, seed
        assert len(e.sets) == len(wanted)
        assert c.count(x, constraints=constraints, immutable=[names[j] for j in fixed]) == len(wanted)
        cost = {name: rng.randint(1, 4) for name in names}
        nearest = c.explain(x, constraints=constraints, cost=cost, k=3).sets
        by_diagram = c.explain(x, constraints=constraints, cost=cost, k=3, engine="diagram").sets
        assert list(nearest) == list(by_diagram)
        anything = minimal_sets(rows, x, functools.partial(reached, fixed=[], classes=classes))
        few = c.explain(x, constraints=constraints, max_changes=2)
        assert set(map(frozenset, few.sets)) == {some for some in anything if len(some) <= 2}
        batch = symcf.fast.explain_batch(c, [x] * 2, constraints=constraints, immutable=[names[j] for j in fixed])
        assert [set(map(frozenset, one.sets)) for one in batch] == [wanted] * 2
        found += len(wanted)
    assert found > 60
