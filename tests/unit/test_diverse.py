"""Diverse choices against all choices, and groups of change sets against the sets."""

import itertools
import json
import random
import sys
from fractions import Fraction

import numpy as np
import pytest
from interrupts import interrupted

import symcf
import symcf.fast
from symcf.answers.groups import groups_of
from symcf.demo import admission


def distance(a, b):
    return Fraction(len(set(a) ^ set(b)), len(set(a) | set(b)))


def smallest(sets):
    return min((distance(a, b) for a, b in itertools.combinations(sets, 2)), default=Fraction(1))


def best_choice(sets, k):
    """The first of the choices that are farthest apart."""
    return list(max(itertools.combinations(sets, min(k, len(sets))), key=smallest))


def random_model(rng, n=None, values=2):
    n = n or rng.randint(1, 8)
    tables = [[[rng.uniform(0.05, 1) for _ in range(values)] for _ in range(2)] for _ in range(n)]
    tables = [[[p / sum(row) for p in row] for row in table] for table in tables]
    classes = rng.choice([["no", "yes"], [True, False], [7, 3]])
    return symcf.NaiveBayes([0.5, 0.5], tables, classes=classes)


def check(seed):
    rng = random.Random(seed)
    c = symcf.compile(random_model(rng, values=rng.randint(2, 3)))
    x = [rng.randrange(len(labels)) for labels in c.values]
    e = c.explain(x)
    for k in (1, 2, 3, 5):
        if len(e.sets) > 14:
            return
        few = e.diverse(k)
        if not e.sets:
            assert few is e
            continue
        assert few.sets == best_choice(list(e.sets), k), (seed, k)
        assert few.diversity == symcf.answers.diversity.Diversity(float(smallest(few.sets)), True, len(e.sets))
        assert [cf.features for cf in few] == few.sets
        assert few.complete
        assert few.complete_up_to is None
        assert c.explain(x, diverse=k) == few


@pytest.mark.parametrize("seed", range(60))
def test_no_choice_is_farther_apart(seed):
    check(seed)


def families(n):
    """All families of nonempty sets over so many features in which no set holds another."""
    sets = [s for size in range(1, n + 1) for s in itertools.combinations(range(n), size)]

    def grow(chosen, rest):
        yield list(chosen)
        for i, s in enumerate(rest):
            if not any(set(t) <= set(s) or set(s) <= set(t) for t in chosen):
                yield from grow([*chosen, s], rest[i + 1 :])

    return grow([], sets)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_groups_hold_every_set_once(n):
    names = [f"f{j}" for j in range(n)]
    for family in families(n):
        groups = groups_of(family, names)
        assert sorted(s for group in groups for s in group) == sorted(family)
        assert sum(map(len, groups)) == len(family)
        places = [min(family.index(s) for s in group) for group in groups]
        assert places == sorted(places), "in the order of their first sets"


def test_groups_of_a_product_are_one():
    family = [tuple(sorted((0, a, b))) for a in (1, 2, 3) for b in (4, 5)]
    (group,) = groups_of(family, list("abcdef"))
    assert (group.common, group.choices, len(group)) == ((0,), ((1, 2, 3), (4, 5)), 6)
    assert str(group) == "a, plus any one of (b, c, d), plus any one of (e, f)"


def test_groups_of_random_families():
    rng = random.Random(1)
    for _ in range(40):
        sets = {tuple(sorted(rng.sample(range(12), 4))) for _ in range(rng.randint(1, 120))}
        groups = groups_of(sets, [str(j) for j in range(12)])
        assert sorted(s for group in groups for s in group) == sorted(sets)
        assert len(groups) <= len(sets)


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(3)
    model = symcf.NaiveBayes.binary(0.3, rng.uniform(0.1, 0.9, 14), rng.uniform(0.1, 0.9, 14))
    c = symcf.compile(model)
    rows = rng.integers(0, 2, (30, 14))
    return c, rows[np.argsort([-c.count(row) for row in rows])]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_chooses_as_one_row_does(many, jobs):
    c, rows = many
    target = c.classes[1]
    batch = symcf.fast.explain_batch(c, rows, diverse=3, target=target, n_jobs=jobs)
    for i, e in enumerate(batch):
        if e.at_target:
            assert batch.diversity[i] is None
            assert not e.sets
            continue
        one = c.explain(rows[i], target=target, diverse=3)
        assert e == one
        assert e.diversity == one.diversity
    part = batch[3:7]
    assert [e.diversity for e in part] == batch.diversity[3:7]
    assert [e.sets for e in part] == [batch[i].sets for i in range(3, 7)]
    assert len(batch.to_frame(k=None)) == batch.n_sets
    assert symcf.fast.explain_batch(c, rows[:0], diverse=2).n_sets == 0


def test_of_the_k_cheapest(many):
    c, rows = many
    e = c.explain(rows[0], k=6, diverse=2)
    assert e.diversity.of == 6
    assert set(e.sets) <= set(c.explain(rows[0], k=6).sets)
    assert "the 6 cheapest ways" in e.sentences()[-1]


def test_moves_are_told_apart_by_their_features():
    model = symcf.LinearClassifier([[0, 1, 2, 3]] * 3, -5, ordered=True)
    c = symcf.compile(model)
    e = c.explain([0, 0, 0], minimality="moves")
    few = e.diverse(2)
    assert few.diversity.exact
    assert {s.codes for s in few.sets} <= {s.codes for s in e.sets}
    assert [cf.features for cf in few] == few.sets
    batch = symcf.fast.explain_batch(c, [[0, 0, 0]], minimality="moves", diverse=2)
    assert batch[0] == few


def test_what_is_said(many):
    c, rows = many
    e = c.explain(rows[0])
    few = e.diverse(2)
    assert f"out of {len(e.sets):,} ways" in str(few)
    assert f"out of {len(e.sets):,} ways" in few.sentences()[-1]
    assert symcf.Explanation.from_dict(json.loads(few.to_json())).diversity == few.diversity
    assert "diversity" not in e.to_dict()
    report = symcf.verify(c, rows[0], few)
    assert report
    assert "a choice of 2 that differ" in str(report.notes)
    assert len(e.sets) > 20
    assert "those that differ in one feature together" in str(e)


def test_a_certificate_claims_no_more_than_the_choice(many):
    c, rows = many
    e = c.explain(rows[-1])
    few, all_of_them = e.diverse(2).certificate(), e.diverse(1000).certificate()
    assert symcf.check(few)
    assert "no others do" not in str(symcf.check(few))
    assert symcf.check(all_of_them)
    assert "no others do" in str(symcf.check(all_of_them))


def test_every_value(many):
    c = symcf.compile(random_model(random.Random(5), 4, values=3))
    e = c.explain([0] * 4, select="all", diverse=2)
    assert {cf.features for cf in e} == set(e.sets)
    assert len(e) >= len(e.sets)


@pytest.mark.parametrize(("k", "what"), [(0, "diverse"), (-1, "diverse"), (2.5, "diverse"), (2000, "at most 1,024")])
def test_what_cannot_be_chosen(k, what):
    c = symcf.compile(admission())
    for ask in (c.explain([0, 0, 1, 0]).diverse, lambda k: c.explain([0, 0, 1, 0], diverse=k)):
        with pytest.raises((symcf.OptionError, TypeError, ValueError), match=what):
            ask(k)


@pytest.mark.parametrize(
    ("option", "wrong"), [("time_limit", "1"), ("time_limit", -1), ("time_limit", float("nan")), ("effort", -1)]
)
def test_options_are_checked(option, wrong):
    e = symcf.compile(admission()).explain([0, 0, 1, 0])
    with pytest.raises(symcf.OptionError, match=option):
        e.diverse(2, **{option: wrong})
    assert e.diverse(2, effort=2**70).sets == e.sets
    batch = symcf.fast.explain_batch(symcf.compile(admission()), [[0, 0, 1, 0]])
    with pytest.raises(symcf.OptionError, match="diverse"):
        batch.diverse(0)
    with pytest.raises(symcf.OptionError, match="n_jobs"):
        batch.diverse(1, n_jobs=0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_choice_of_a_batch_can_be_interrupted(jobs):
    c = symcf.compile(symcf.LinearClassifier([1] * 20, -9))  # 167,960 sets: choosing takes seconds
    batch = symcf.fast.explain_batch(c, [[0] * 20] * 2)
    interrupted(lambda: batch.diverse(1000, n_jobs=jobs), 0.2)


def test_the_command_line(many, tmp_path, capsys):
    from symcf.cli.app import run

    c, rows = many
    c.save(tmp_path / "c.symcf")
    np.savetxt(tmp_path / "rows.csv", rows[:1], "%d", delimiter=",", header=",".join(c.features), comments="")
    files = [str(tmp_path / "c.symcf"), str(tmp_path / "rows.csv")]
    e = c.explain(rows[0])
    assert run(["explain", *files, "--groups"]) == 0
    shown = capsys.readouterr().out
    assert all(str(group) in " ".join(shown.split()) for group in e.groups()[:20])
    assert run(["explain", *files, "--diverse", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    for wrong in (["--groups", "--format", "csv"], ["--groups", "--minimality", "moves"], ["--diverse", "0"]):
        assert run(["explain", *files, *wrong]) == 2
        assert wrong[0] in capsys.readouterr().err


def test_without_effort_nothing_is_claimed():
    rng = np.random.default_rng(0)
    model = symcf.NaiveBayes.binary(0.3, rng.uniform(0.05, 0.95, 20), rng.uniform(0.05, 0.95, 20))
    c = symcf.compile(model)
    e = next(e for e in (c.explain(rng.integers(0, 2, 20)) for _ in range(99)) if 200 < len(e.sets) < 4000)
    hasty, sure = e.diverse(4, effort=0), e.diverse(4)
    assert not hasty.diversity.exact
    assert hasty.diversity.distance <= sure.diversity.distance
    assert "another choice may differ more" in hasty.sentences()[-1]


if __name__ == "__main__":  # python tests/unit/test_diverse.py 1000 models
    for number in range(int(sys.argv[1])):
        check(10_000 + number)
    print(f"{int(sys.argv[1]):,} families: every choice is the first of the best")
