"""The table of capabilities: every cell is tried with small models of its kind, against the reference."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import islice, pairwise

import capabilities as page_of_capabilities
import cases
import general_random
import locked_out_random
import numpy as np
import precise_random
import pytest
import questions
import reference
from torture.facts import rows_of_cnf

import symcf
from symcf.capabilities import EXAMPLES, OPTIONS, table
from symcf.data.numbers import NumberLine

CELLS = table()
#: By kind of the table, kinds of `cases`, and the search that the kind is about.
KINDS = {
    "sums of weights, two classes": (("linear", "naive Bayes"), {}),
    "sums of weights, several classes": (("linear, several classes", "naive Bayes, several classes"), {}),
    "sums of numbers, two classes": (("numbers",), {}),
    "sums of numbers, several classes": (("numbers, several classes",), {}),
    "decision tree": (("decision tree",), {}),
    "large ensemble of trees": (("random forest", "boosted trees"), {"engine": "boxes"}),
    "function": (("function", "Bayesian network"), {}),
    "network of layers": (("layers",), {}),
    "black box": (("black box",), {}),
}
#: Questions that are asked for one cell.
COUNT = 3


# --- what an option is ------------------------------------------------------------------------------------------------


def explained(*options):
    """`explain` with these options."""
    return options, lambda asked: questions.check_explain(asked) or None


def also(what, *options):
    """Another call about a question with these options."""
    return options, lambda asked: questions.check_more(asked, what)


def check_select(how):
    def check(asked):
        asked.keywords["select"] = how
        questions.check_explain(asked)

    return check


def check_sample(asked):
    sets = asked.reference.change_sets()
    if sets:
        drawn = [cf.features for cf in asked.compiled.sample(asked.x, 20, 1, **asked.keywords)]
        assert len(drawn) == 20
        assert set(drawn) <= set(sets)


def check_general(asked):
    found = asked.compiled.why(asked.x, general=True)
    assert sorted(found.sets) == sorted(asked.reference.reasons())
    for reason in found:
        general_random.check_reason(asked, reason)


def check_precision(asked):
    precise_random.check_case(random.Random(str(asked)), asked.case, Counter(), 1)


def check_locked_out(asked):
    locked_out_random.check_case(random.Random(str(asked)), asked.case, Counter(), 1)


def check_attribute(asked):
    for method, sets in (("reasons", asked.reference.reasons()), ("changes", asked.reference.change_sets())):
        found = asked.compiled.attribute(asked.x, method, **asked.keywords)
        counts = Counter(j for features in sets for j in features)
        assert list(found.exact) == [Fraction(counts[j], max(len(sets), 1)) for j in range(asked.case.n)]


def check_shapley(asked):
    """All values of a feature are equally likely; of numbers, all ranges that the model tells apart, or all multiples
    of the resolution.
    """
    case, c = asked.case, asked.compiled
    values = [list({case.alike(j, v): v for v in domain.values}.values()) for j, domain in enumerate(case.domains)]
    lines = [isinstance(some, NumberLine) for some in c.values]
    if any(len(a) != len(b) for a, b, line in zip(values, c.values, lines, strict=True) if not line):
        return  # labels may be missing, which no row of the case is
    shares = [{v: Fraction(1, len(some)) for v in some} for some in values]
    row = tuple(
        next(v for v in some if case.alike(j, v) == case.alike(j, asked.row[j])) for j, some in enumerate(values)
    )
    expected = reference.shapley(case.decide, row, shares, asked.reference.before)
    assert c.attribute(asked.x, "shapley").values.tolist() == pytest.approx(list(map(float, expected)), abs=1e-12)


def check_number(of, between=False):
    """A number that is to be reached, half-way between two that rows have. The numbers of all rows are the model's own
    probabilities and scores; what is enough for them is enumerated.
    """

    def numbers_of(c, case, given):
        """Trees that vote have no decision function: their score is the probability of the second of two classes."""
        if of == "score" and (c.decision.trees is None or c.model.cut == 0 or len(case.classes) > 2):
            return c.decision_function(given)
        c.reaching(case.classes[0], min_probability=0.5)
        return c.predict_proba(given)[:, 1]

    def check(asked):
        case, c = asked.case, asked.compiled
        rows = list(case.rows())
        given = [case.given(row, "list") for row in rows]
        try:
            numbers = numbers_of(c, case, given)
        except (symcf.OptionError, NotImplementedError):
            return  # this model of the kind has no probabilities, or no score
        if numbers.ndim > 1:
            return  # it has one score per class
        values = sorted(set(numbers.round(9).tolist()))
        middles = [(a + b) / 2 for a, b in pairwise(values) if b - a > 1e-6]
        if len(middles) < 1 + between:
            return
        low, high = middles[len(middles) // 2 - between], middles[-1] if between else float("inf")
        number = dict(zip(rows, numbers.tolist(), strict=True))
        if of == "probability":
            keywords = {"target": case.classes[1], "min_probability": low}
            label = {row: low <= number[row] and case.decide(row) == case.classes[1] for row in rows}
        else:
            keywords = {"target": symcf.between(low, high) if between else symcf.at_least(low), "of": "score"}
            label = {row: low <= number[row] <= high for row in rows}
        if label[asked.row]:
            assert c.explain(asked.x, **keywords).at_target
            return
        question = reference.Question(case.domains, label.__getitem__, asked.row, target=True)
        e = c.explain(asked.x, **keywords, **asked.by)
        assert e.sets == question.change_sets()
        assert all(low - 1e-9 <= cf.reached <= high + 1e-9 for cf in e)

    return (), check


def check_margin(asked):
    """The score passes the cut, or leads the others, by so much. The scores of all rows are the model's own."""
    case, c = asked.case, asked.compiled
    rows = list(case.rows())
    try:
        numbers = c.decision_function([case.given(row, "list") for row in rows])
        c.reaching(case.classes[1], margin=1e-3)
    except (symcf.OptionError, NotImplementedError):
        return  # this model of the kind has no score, or does not reach the second class
    if numbers.ndim > 1:  # one score per class: the least lead
        numbers = numbers[:, 1] - np.delete(numbers, 1, axis=1).max(axis=1)
    values = sorted({0.0, *(number for number in numbers.round(9).tolist() if number > 0)})
    middles = [(a + b) / 2 for a, b in pairwise(values) if b - a > 1e-6]
    if not middles:
        return
    least = middles[len(middles) // 2]
    label = {row: number >= least for row, number in zip(rows, numbers.tolist(), strict=True)}
    if not label[asked.row]:
        e = c.explain(asked.x, target=case.classes[1], margin=least, **asked.by)
        assert e.sets == reference.Question(case.domains, label.__getitem__, asked.row, target=True).change_sets()


def check_width(asked):
    """Every number within the width of a suggested one is as good, in each range that the model tells apart."""
    case, c = asked.case, asked.compiled
    numbers = [j for j, labels in enumerate(case.labels) if labels is None]
    target = next(label for label in case.classes if label != asked.reference.before)
    if not numbers:
        return
    far, j = Fraction(1, 4), numbers[0]
    try:
        e = c.explain(case.given(asked.row, "list"), target=target, width={c.features[j]: 0.25}, **asked.by)
    except symcf.OptionError as error:
        assert "squared" in str(error) or "more than" in str(error)  # noqa: PT017
        return
    for cf in e:
        assert c.predict([cf.row])[0] == target
        if cf.row[j] is None or cf.row[j] != cf.row[j]:
            continue
        own = Fraction(cf.row[j])
        cuts = [cut for cut in (case.cuts[j] if case.cuts else []) if own - far <= cut <= own + far]
        for near in (own - far, own + far, *cuts):
            assert c.predict([[float(near) if i == j else cell for i, cell in enumerate(cf.row)]])[0] == target


def check_cnf(asked):
    """The models of the clauses are the rows of the second class."""
    case, c = asked.case, asked.compiled
    if len(case.classes) == 2:
        lines = [isinstance(some, NumberLine) for some in c.values]
        places = [list(domain.values) for domain in case.domains]
        decided = {}
        for row in case.rows():
            codes = c.codes([case.given(row, "list")])[0].tolist()
            code = [places[j].index(row[j]) if line else codes[j] for j, line in enumerate(lines)]
            decided[tuple(code)] = case.decide(row)
        sizes = [len(places[j]) if line else len(c.values[j]) for j, line in enumerate(lines)]
        models = rows_of_cnf(c.cnf(), tuple(sizes))
        if models is not None:  # else the clauses do not tell all values apart
            assert {row for row in models if row in decided} == {r for r, k in decided.items() if k == case.classes[1]}


def check_several(asked):
    """A model with itself decides as it does alone; so do two that are given in another order of their columns."""
    case = asked.case
    target = next(label for label in case.classes if label != asked.reference.before)
    both = symcf.compile([case.model, case.model])
    e = both.explain(case.given(asked.row, "list"), target=target)
    expected = reference.Question(case.domains, case.decide, asked.row, target=target).change_sets()
    assert e.sets == expected


def check_front(asked):
    """Of what `explain` lists, that no other one changes fewer features for as little, or as few for less."""
    e = asked.compiled.explain(asked.x, **asked.keywords)
    points = [(len(cf.features), cf.cost) for cf in e]
    fine = [p for p in points if not any(q[0] <= p[0] and q[1] <= p[1] and q != p for q in points)]
    assert [(len(cf.features), cf.cost) for cf in e.pareto("changes", "cost")] == fine


def check_certificate(asked):
    """It is accepted, and has the sets of the reference."""
    e = asked.compiled.explain(asked.x)
    verdict = symcf.check(e.certificate())
    assert verdict, str(verdict)
    assert e.sets == asked.reference.change_sets()


def check_group(asked):
    """Whoever is helped has the target after the action."""
    case, c = asked.case, asked.compiled
    rows = [asked.row, asked.row]
    target = next(label for label in case.classes if label != asked.reference.before)
    found = symcf.group_recourse(c, [case.given(row, "list") for row in rows], actions=1, target=target)
    reachable = reference.Question(case.domains, case.decide, asked.row, target=target).change_sets()
    few = [features for features in reachable if len(features) <= 2]
    # no cut lies between the numbers of a counterfactual and those rounded away from 0, but where the grid ends
    assert found.n_helped in (0, 2)
    assert found.n_helped == 0 or few
    if found.n_helped:
        for _, row in found.to_frame().iterrows():
            assert c.predict([row.tolist()])[0] == target


#: By option of the table, the options of a question, and the check.
CHECKS = {
    "explain": explained(),
    "target": explained("target"),
    "min_probability": check_number("probability"),
    "target=at_least": check_number("score"),
    "target=between": check_number("score", between=True),
    "margin": ((), check_margin),
    "width": ((), check_width),
    "immutable": explained("immutable"),
    "allowed": explained("allowed"),
    "max_changes": explained("max_changes"),
    "constraints": explained("constraints"),
    "constraints, two columns": explained("orders"),
    "constraints over sums and changes": explained("sums"),
    "min_plausibility": explained("plausibility"),
    "cost per feature": explained("cost"),
    "cost='distance'": explained("distance"),
    "minimality='moves'": explained("moves"),
    "select='surest'": ((), check_select("surest")),
    "select='likeliest'": (("plausibility",), check_select("likeliest")),
    "select='all'": also("all values"),
    "count": also("count"),
    "sample": ((), check_sample),
    "why": also("reasons"),
    "why, constraints": also("reasons", "constraints"),
    "why, general": ((), check_general),
    "why, precision": ((), check_precision),
    "locked_out_regions": ((), check_locked_out),
    "attribute": ((), check_attribute),
    "attribute, 'shapley'": ((), check_shapley),
    "cnf": ((), check_cnf),
    "batches": also("batch"),
    "keywords per row": also("by row"),
    "several models": ((), check_several),
    "pareto": (("cost",), check_front),
    "certificate": ((), check_certificate),
    "group_recourse": ((), check_group),
}


# --- the cells --------------------------------------------------------------------------------------------------------


def test_every_option_and_kind_is_tried():
    assert {cell.option for cell in CELLS} == set(CHECKS) == set(OPTIONS)
    assert {cell.model for cell in CELLS} == set(KINDS) == set(EXAMPLES)


@pytest.mark.parametrize("cell", [c for c in CELLS if c.answer != "no"], ids=lambda c: f"{c.option} of {c.model}")
def test_what_is_supported_agrees_with_the_reference(cell):
    options, check = CHECKS[cell.option]
    kinds, search = KINDS[cell.model]
    tried = 0
    for kind in kinds:
        rng = random.Random(f"{cell.option} {kind}")
        drawn = (cases.ask(rng, cases.draw(rng, kind), options) for _ in range(20 * COUNT))
        asked = list(islice((a for a in drawn if a is not None), COUNT))
        for one in asked:
            one.by = search
            check(one)
        tried += len(asked)
    assert tried, f"no question with {options} about {kinds}"


@pytest.mark.parametrize("cell", [c for c in CELLS if c.answer == "no"], ids=lambda c: f"{c.option} of {c.model}")
def test_what_is_not_supported_says_why(cell):
    example = EXAMPLES[cell.model]
    keywords = OPTIONS[cell.option].keywords(example)
    with pytest.raises((symcf.ModelError, symcf.OptionError)) as caught:
        call(cell.option, example, keywords)
    assert cell.reason in str(caught.value)
    assert len(cell.reason) > 20


def call(option, example, keywords):
    """The public call that an option is about."""
    model = example.make()
    c, x = symcf.compile(model, plausibility=example.data), example.row
    if OPTIONS[option].prepared is not None:
        c = OPTIONS[option].prepared(example)
    if OPTIONS[option].called is not None:
        return OPTIONS[option].called(c, example)
    if option == "count":
        return c.count(x, **keywords)
    if option == "sample":
        return c.sample(x, 1, 1, **keywords)
    if option.startswith("why"):
        return c.why(x, **keywords)
    if option.startswith("attribute"):
        return c.attribute(x, "shapley" if "shapley" in option else "reasons", **keywords)
    if option == "cnf":
        return c.cnf()
    how = option.removeprefix("select='").removesuffix("'") if option.startswith("select") else "nearest"
    return c.explain(x, select=how, **keywords)


def test_the_page_is_what_the_code_answers():
    text = page_of_capabilities.PAGE.read_text(encoding="utf-8")
    assert text == page_of_capabilities.page(CELLS), "run: python docs/capabilities.py --write"
