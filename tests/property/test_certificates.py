"""Certificates: true ones pass, changed ones do not, and the checker needs nothing but Python.

More of the same: ``python tests/drivers/certificates_random.py`` and ``python tests/drivers/certificates_mutate.py``.
"""

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import islice, product
from pathlib import Path

import certificate_oracle
import certificates_mutate
import numpy as np
import pytest
from certificates_random import (
    certified,
    classes_of_numbers,
    contradictions,
    explanations,
    moved_explanations,
    number_explanations,
)
from torture import plans

import symcf
from symcf.cli.app import run as cli_run
from symcf.demo import admission
from symcf.proof.certificates import arguments
from symcf.proof.checker.check import check_text
from symcf.proof.checker.domains import code_of_number, number_of_code
from symcf.proof.checker.form import Rejected, canonical, fingerprint_of, number_of
from symcf.proof.checker.hitting import Contained, flipping_sets, hitting_sets
from symcf.proof.checker.proof import check_proof, clauses_of
from symcf.proof.checker.statement import Statement

SOURCE = Path(symcf.__file__).parent.parent


def sealed(data):
    """The text of a certificate with the right number and fingerprint."""
    data["model"]["fingerprint"] = fingerprint_of(data["model"])
    data["number"] = number_of(data)
    return canonical(data)


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    return plans.namespace(str(tmp_path_factory.mktemp("certificates")))


def test_no_certificate_contradicts_another_one_where_several_classes_depend_on_numbers():
    rng, total = random.Random(1), 0
    for c, row in islice(classes_of_numbers(1), 8):
        for j in range(len(row)):
            asked, found = contradictions(c, row, j, rng)
            total += asked
            assert not found
    assert total > 20


# --- true ones --------------------------------------------------------------------------------------------------------


def test_random_questions(names):
    rng = random.Random(1)
    kinds = set()
    for source, c, e in islice(explanations(1, names), 70):
        certificate = certified(e, rng)
        if certificate is not None:
            assert symcf.check(certificate, c), source
            assert certificate_oracle.is_true(certificate.data), source
            kinds |= {certificate.data["model"]["rule"]["kind"], certificate.claim, certificate.data["proof"]["kind"]}
    assert kinds >= {"sums", "trees", "diagrams", "all", "up to", "first", "duality", "clauses", "boxes"}


def test_random_questions_about_numbers():
    for source, c, e in islice(number_explanations(2), 8):
        certificate = e.certificate()
        assert symcf.check(certificate, c), source
        assert certificate_oracle.is_true(certificate.data), source


def numbers_model(n_classes):
    line = symcf.NumberTerm
    if n_classes == 2:
        terms = [line(0.7, (0, 10)), line(-0.3, (0, 5), curve=0.11), [0.5, -0.25, 1.0], line(1 / 3, (-2, 2))]
        return symcf.AdditiveClassifier(terms, -5.1, classes=["no", "yes"], doubt=1e-9)
    terms = [line([0.7, -0.2, 0.1], (0, 10)), line([0.3, 0.4, -0.9], (0, 5), curve=[0.1, -0.2, 0.05])]
    return symcf.AdditiveClassifier([*terms, [[0.5, -0.25], [0, 1], [1, 0]]], [0.1, 0.2, -0.3])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_numbers(n_classes):
    c = symcf.compile(numbers_model(n_classes))
    rng = np.random.default_rng(n_classes)
    for _ in range(10):
        row = [float(rng.uniform(-1, 11)), float(rng.uniform(0, 5)), int(rng.integers(2)), float(rng.uniform(-2, 2))]
        row = row[: c.n_features]
        for options in (
            {},
            {"immutable": [1]},
            {"allowed": {0: "increase", 1: [1, 2.5]}},
            {"k": 1},
            {"max_changes": 1},
        ):
            e = c.explain(row, **options)
            assert symcf.check(e.certificate(), c, row=row), (row, options)


def test_terms_of_numbers_are_those_of_the_core():
    model = numbers_model(2)
    c = symcf.compile(model)
    rule = Statement(c.explain([1.0, 2.0, 0, 0.5]).certificate().data).rule
    numbers = [0.0, 1.0, -1.0, 0.1, 1e-9, 45.678, -3.3, 2.0**-300, 17.25]
    for number in numbers:
        codes = np.array([[code_of_number(number)] * 2 + [1] + [code_of_number(-number)]])
        wanted = c.decision.numbers.terms(codes)[0]
        assert [rule.term(j, int(code))[0] for j, code in enumerate(codes[0])] == wanted[0].tolist()
        assert number_of_code(code_of_number(number)) == number


def test_partial_answers_say_what_they_prove():
    c = symcf.compile(symcf.NaiveBayes.binary(0.5, np.linspace(0.3, 0.9, 12), np.linspace(0.6, 0.1, 12)))
    row = [0] * 12
    cut = c.explain(row, max_results=2).certificate()
    assert cut.claim == "listed"
    assert "not claimed" in symcf.check(cut).proved
    assert c.explain(row, k=3).certificate().claim == "first"
    assert c.explain(row, max_changes=4).certificate().data["answer"]["claim"] == {"kind": "up to", "changes": 4}
    by_value = c.explain(row, k=3, cost="ordinal").certificate()
    assert by_value.claim == "cheapest"
    assert symcf.check(by_value)


def test_trees_that_ran_out_of_time():
    rng = np.random.default_rng(0)
    ensemble = pytest.importorskip("sklearn.ensemble")
    rows = rng.normal(size=(200, 8))
    forest = ensemble.GradientBoostingClassifier(n_estimators=40, random_state=0).fit(rows, rows[:, :4].sum(axis=1) > 0)
    c = symcf.compile(forest)
    certificate = c.explain(rows[0], max_changes=2, engine="boxes").certificate()
    assert certificate.claim == "up to"
    assert symcf.check(certificate, c, row=rows[0])


def test_diverse_answers_claim_no_more_than_they_list():
    credit = symcf.datasets.credit()
    c = symcf.compile(credit.model("logistic"))
    few = c.explain(credit.row("A002")).diverse(2)
    certificate = few.certificate()
    assert (len(few.sets), certificate.claim) == (2, "listed")
    assert symcf.check(certificate, c, row=credit.row("A002"))


def test_networks_become_diagrams():
    rng = np.random.default_rng(0)
    layers = [(rng.integers(-2, 3, (4, 6)), rng.integers(-2, 3, 4)), (rng.integers(-2, 3, (3, 4)), [0, 1, -1])]
    nodes = {"y": ["n", "p"], "a": [0, 1], "b": [0, 1], "h": [0, 1]}
    tables = {
        "y": [0.6, 0.4],
        "a": [[0.8, 0.2], [0.3, 0.7]],
        "h": [[0.9, 0.1], [0.2, 0.8]],
        "b": [[0.7, 0.3], [0.1, 0.9]],
    }
    parents = {"a": ["y"], "b": ["h"], "h": ["y"]}
    for model in (symcf.BinaryNetwork(layers), symcf.BayesNet(nodes, parents, tables, target="y", features=["a", "b"])):
        for order in ("influence", "sift"):
            c = symcf.compile(model, order=order)
            row = [0] * c.n_features
            for target in (None, *(label for k, label in enumerate(c.classes) if k != c.explain(row).prediction)):
                certificate = c.explain(row, target=target).certificate()
                assert certificate.data["model"]["rule"]["kind"] == "diagrams"
                assert symcf.check(certificate, c)
                assert certificate_oracle.is_true(certificate.data)


def test_nothing_helps():
    c = symcf.compile(admission())
    certificate = c.explain([0, 0, 1, 0], immutable=[0, 1]).certificate()
    assert certificate.data["answer"]["sets"] == []
    proved = symcf.check(certificate).proved
    assert "(entrance exam does not change; work experience does not change)" in proved
    assert proved.endswith("no set of changes leads to 'admitted'")


def test_labels_of_every_kind():
    import datetime

    labels = [None, float("nan"), datetime.date(2020, 1, 2), "ü\ud800", ("a", 1), np.int8(3), True, 2.5]
    model = symcf.NaiveBayes(
        [0.5, 0.5], [[[0.125] * 8, [0.05] * 4 + [0.2] * 4]], features=["f"], values=[labels], classes=[False, "y"]
    )
    c = symcf.compile(model)
    certificate = c.explain([0]).certificate()
    assert symcf.check(certificate.to_json(), c)


def test_batch():
    c = symcf.compile(admission())
    batch = symcf.fast.explain_batch(c, [[0, 0, 1, 0], [1, 1, 1, 1]], target="admitted")
    first, second = batch.certificates()
    assert not second
    assert first.number == c.explain([0, 0, 1, 0], target="admitted").certificate().number


def test_files(tmp_path):
    certificate = symcf.compile(admission()).explain([0, 0, 1, 0]).certificate()
    certificate.save(tmp_path / "c.json")
    assert symcf.check(tmp_path / "c.json", certificate.fingerprint, number=certificate.number)
    (tmp_path / "d.json").write_text(certificate.to_json().replace("GPA", "ü"), encoding="latin-1")
    with pytest.raises(symcf.FileError, match="UTF-8"):
        symcf.check(tmp_path / "d.json")


def test_any_formatting_is_the_same_certificate(tmp_path):
    c = symcf.compile(numbers_model(2), plausibility=None)
    certificate = c.explain([1.5, 2.0, 0, 0.5], immutable=[3]).certificate()
    swapped = dict(reversed(certificate.data.items()))
    texts = [
        json.dumps(certificate.data, indent=4),
        json.dumps(swapped, sort_keys=False, ensure_ascii=False),
        certificate.to_json().replace("1.5", "15e-1").replace('"k":null', ' "\\u006b" : null'),
        "\n\n" + certificate.to_json() + " \r\n",
    ]
    for text in texts:
        assert symcf.check(text, c, row=[1.5, 2.0, 0, 0.5]).number == certificate.number
        (tmp_path / "c.json").write_text(text, encoding="utf-8")
        assert symcf.check(tmp_path / "c.json").number == certificate.number
        assert cli_run(["check", str(tmp_path / "c.json"), "--number", certificate.number]) == 0
    assert symcf.check(texts[0].replace('"k": null', '"k": null, "k": null')).failed == "text"
    assert symcf.check(texts[0].replace("1.5", "1.5000000000000002")).failed == "number"


def test_certificates_of_earlier_versions_are_named():
    data = symcf.compile(admission()).explain([0, 0, 1, 0]).certificate().data | {"version": 1}
    data["number"] = number_of(data)
    verdict = symcf.check(data)
    assert verdict.failed == "version"
    assert "version 1" in verdict.problem


def test_moves_and_costs_against_brute_force():
    found = Counter()
    for source, c, e in islice(moved_explanations(2), 60):
        certificate = certified(e, random.Random(0))
        if certificate is not None:
            assert symcf.check(certificate, c), source
            assert certificate_oracle.is_true(certificate.data), source
            found[certificate.claim, "moves" in certificate.data["question"]] += 1
    assert set(found) >= {("all", True), ("up to", True), ("cheapest", True), ("cheapest", False)}


def test_the_nearest_number_costs_no_less_than_is_proved():
    c = symcf.compile(numbers_model(2))
    e = c.explain([0.0, 0.0, 1, 0.0], cost={0: "distance"}, scale={0: 2.0}, k=1)
    certificate = e.certificate()
    least = Fraction(*certificate.data["answer"]["claim"]["least"])
    unit = Fraction(*certificate.data["question"]["costs"]["unit"])
    assert e[0].cost * 0.9 <= least * unit <= e[0].cost
    assert "all others cost at least" in symcf.check(certificate).proved


def test_a_feature_that_is_counted_twice_is_an_error():
    data = symcf.compile(admission()).explain([0, 0, 1, 0]).certificate().data
    data["question"]["constraints"] = [{"kind": "relation", "text": "at_most(1, 1, 1)"}]
    data["answer"].update(sets=[], values=[])
    data["proof"] = {"kind": "duality", "reasons": [[]]}
    data["number"] = number_of(data)
    assert symcf.check(data).failed == "form"


def test_regions_of_rows_without_a_way():
    c = symcf.compile(admission())
    question = {"target": "admitted", "immutable": ["work experience"]}
    regions = list(c.locked_out_regions(**question, allowed={"entrance exam": "increase"}))
    regions += c.locked_out_regions(**question | {"immutable": ["work experience", "entrance exam"]})
    assert regions
    for region in regions:
        data = region.certificate().data
        assert symcf.check(data)
        for row in product((0, 1), repeat=4):
            if all(value in values for value, values in zip(row, data["region"], strict=True)):
                changes = {j for constraint in data["question"]["constraints"] for j, name in enumerate(c.features)
                           if constraint["kind"] == "immutable" and constraint["feature"] == name}  # fmt: skip
                asked = data["question"]["constraints"]
                ups = {c.features.index(one["feature"]) for one in asked if one["kind"] == "increase"}
                for new in product((0, 1), repeat=4):
                    fixed = all(new[j] == row[j] for j in changes) and all(new[j] >= row[j] for j in ups)
                    assert not fixed or c.predict([new])[0] != "admitted"


def test_plausibility_of_columns_of_numbers():
    rows = [[x / 10, x % 3, x % 2, -x / 10] for x in range(30)]
    c = symcf.compile(numbers_model(2), plausibility=rows)
    e = c.explain([0.0, 0.0, 1, 0.0], min_plausibility=0.05)
    with pytest.raises(symcf.OptionError, match="not cut into ranges"):
        e.certificate()


def test_an_explanation_from_a_file_has_none():
    e = symcf.compile(admission()).explain([0, 0, 1, 0])
    with pytest.raises(symcf.OptionError, match="read from a file"):
        symcf.Explanation.from_dict(e.to_dict()).certificate()


def test_no_time_for_a_proof(monkeypatch):
    monkeypatch.setattr(arguments, "MOST_REASONS", 0)
    monkeypatch.setattr(arguments, "TIMES_SETS", 0)
    d = symcf.Diagram.from_table([bin(i).count("1") % 2 for i in range(256)])
    with pytest.raises(symcf.LimitError, match="time limit"):
        symcf.compile(d).explain([0] * 8).certificate(time_limit=0)


# --- changed ones -----------------------------------------------------------------------------------------------------


def test_changes_of_every_kind(names):
    tally, false = certificates_mutate.attack(3, 700, names)
    assert false == []
    assert set(tally) == set(certificates_mutate.KINDS)
    rejected = {check for found in tally.values() for check in found}
    assert rejected >= {"text", "number", "version", "form", "fingerprint", "decision", "values", "reasons", "complete"}


def test_the_attack_notices_a_lenient_checker(names, monkeypatch):
    monkeypatch.setattr("symcf.proof.checker.check._check_complete", lambda *_: None)
    assert certificates_mutate.attack(3, 300, names)[1]


def test_another_row_and_another_model():
    c = symcf.compile(admission())
    certificate = c.explain([0, 0, 1, 0]).certificate()
    assert symcf.check(certificate, c, row=[0, 0, 0, 0]).failed == "row"
    other = symcf.compile(symcf.NaiveBayes.binary(0.3, [0.9] * 4, [0.2] * 4))
    assert symcf.check(certificate, other).failed == "fingerprint"
    assert symcf.check(certificate, number="AAAA-AAAA-AAAA-AAAA").failed == "number"
    with pytest.raises(symcf.OptionError, match="give the classifier"):
        symcf.check(certificate, row=[0, 0, 1, 0])


def test_diagrams_that_leave_a_row_without_a_class():
    model = symcf.from_function(sum, [2, 2], classes=["x", "y", "z"])
    data = symcf.compile(model).explain([0, 0]).certificate().data
    assert check_text(canonical(data))
    data = copy.deepcopy(data)
    data["model"]["rule"]["diagrams"][2]["root"] = 0
    assert check_text(sealed(data)).failed == "rule"


# --- the parts of the checker -----------------------------------------------------------------------------------------


def minimal(sets):
    return sorted(a for a in sets if not any(b != a and b & a == b for b in sets))


def test_hitting_sets_and_sums_by_trying_everything():
    rng = random.Random(5)
    for _ in range(300):
        n = rng.randint(1, 6)
        edges, sets = ([rng.getrandbits(n) for _ in range(rng.randint(0, 6))] for _ in range(2))
        gains, costs = [rng.randint(0, 5) for _ in range(n)], [rng.randint(1, 4) for _ in range(n)]
        lacks, most, budget = rng.randint(1, 10), rng.randint(0, n), rng.choice([None, rng.randint(0, 8)])

        def total(numbers, s, n=n):
            return sum(numbers[j] for j in range(n) if s >> j & 1)

        def asked(s, most=most, budget=budget, costs=costs):
            return s.bit_count() <= most and (budget is None or total(costs, s) <= budget)

        hitting = minimal([s for s in range(1 << n) if all(s & edge for edge in edges)])
        assert sorted(hitting_sets(edges, n, most, costs, budget)) == list(filter(asked, hitting))
        flipping = minimal([s for s in range(1 << n) if total(gains, s) >= lacks])
        assert sorted(flipping_sets(gains, lacks, most, costs, budget)) == list(filter(asked, flipping))
        contained = Contained(sets, n)
        assert all(contained.any_in(q) == any(s & q == s for s in sets) for q in range(1 << n))


def unsatisfiable(rng, n):
    from pysat.solvers import Solver

    while True:
        clauses = [[rng.choice([1, -1]) * v for v in rng.sample(range(1, n + 1), 3)] for _ in range(7 * n)]
        with Solver(name=rng.choice(["glucose4", "cadical195"]), bootstrap_with=clauses, with_proof=True) as solver:
            if not solver.solve():
                return clauses, [arguments._step(line) for line in solver.get_proof()]


def test_proofs_of_solvers():
    from pysat.solvers import Solver

    rng, wrong = random.Random(4), 0
    for _ in range(60):
        clauses, steps = unsatisfiable(rng, rng.randint(4, 20))
        check_proof(clauses, steps)
        with Solver(bootstrap_with=clauses[rng.randint(1, 8) :]) as solver:
            fewer = clauses[-solver.nof_clauses() :] if solver.solve() else None
        if fewer is not None:
            wrong += 1
            with pytest.raises(Rejected):
                check_proof(fewer, steps)
    assert wrong


def test_a_proof_by_resolvents():
    # RAT, not RUP: x3 is new, and defined as (x1 and x2)
    define = [(3, -1, -2), (-3, 1), (-3, 2)]
    check_proof([(1,), (2,), (-1, -2)], [*define, (3,), ()])
    with pytest.raises(Rejected, match="does not follow"):
        check_proof([(1, 2), (-1, 3)], [(1,)])
    with pytest.raises(Rejected, match="contradiction"):
        check_proof([(1, 2)], [])


@pytest.mark.skipif(shutil.which("drat-trim") is None, reason="drat-trim is not installed")
def test_drat_trim_agrees(tmp_path):
    rng = random.Random(8)
    for _ in range(10):
        clauses, steps = unsatisfiable(rng, 15)
        lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
        (tmp_path / "f.cnf").write_text("\n".join([f"p cnf 15 {len(lines)}", *lines, ""]))
        words = [
            ("d " if step[:1] == [0] else "") + " ".join(map(str, [*step[step[:1] == [0] :], 0])) for step in steps
        ]
        (tmp_path / "f.drat").write_text("\n".join([*words, ""]))
        ran = subprocess.run(["drat-trim", "f.cnf", "f.drat"], cwd=tmp_path, capture_output=True, text=True)
        assert "s VERIFIED" in ran.stdout


def test_clauses_say_what_is_missing():
    rng = random.Random(6)
    for _ in range(20):
        n = rng.randint(1, 4)
        d = symcf.Diagram.from_table([rng.random() < 0.5 for _ in range(1 << n)])
        certificate = symcf.compile(d).explain([0] * n).certificate()
        data = copy.deepcopy(certificate.data)
        assert not satisfiable(clauses_of(Statement(data)))
        if data["answer"]["sets"]:
            del data["answer"]["sets"][-1], data["answer"]["values"][-1]
            assert satisfiable(clauses_of(Statement(data)))


def satisfiable(clauses):
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    signs = product((False, True), repeat=top)
    return any(all(any(row[abs(v) - 1] == (v > 0) for v in clause) for clause in clauses) for row in signs)


# --- without the rest of symcf ----------------------------------------------------------------------------------------


def test_the_checker_needs_nothing_but_python(tmp_path):
    e = symcf.compile(admission()).explain([0, 0, 1, 0])
    e.certificate().save(tmp_path / "good.json")
    (tmp_path / "bad.json").write_text(e.certificate().to_json().replace("[0,3]", "[0,2]"))
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
        "from symcf.proof.checker.__main__ import main\n"
        "import symcf; symcf.check(sys.argv[1])\n"
        "code = main(sys.argv[1:])\n"
        "standard = set(sys.stdlib_module_names) | {'symcf', '__main__'}\n"
        "assert not [m for m in sys.modules if m.split('.')[0] not in standard], sys.modules\n"
        "assert not [m for m in sys.modules if m.startswith(('symcf._core', 'symcf.search', 'symcf.models'))]\n"
        "raise SystemExit(code)"
    )

    def ran(*words):
        # -I -S: no packages of the environment, no variables, nothing but the standard library
        return subprocess.run(
            [sys.executable, "-I", "-S", "-c", code, str(SOURCE), *words], capture_output=True, text=True
        )

    good = ran(str(tmp_path / "good.json"))
    assert (good.returncode, good.stderr) == (0, "")
    assert "no others do" in good.stdout
    bad = ran(str(tmp_path / "bad.json"))
    assert bad.returncode == 1
    assert "rejected (number)" in bad.stdout
    assert ran(str(tmp_path / "good.json"), "--number", "X").returncode == 1


def test_json_of_a_certificate_is_one_line():
    text = symcf.compile(admission()).explain([0, 0, 1, 0]).certificate().to_json()
    assert "\n" not in text
    assert json.loads(text)["format"] == "symcf certificate"


# --- the command line -------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    """A model, and a table of two rows."""
    admission().to_json(tmp_path / "model.json")
    names = [*admission().features]
    lines = [",".join(names), "0,0,1,0", "1,0,1,0"]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_commands(files, capsys):
    model, rows, certificate = (str(files / name) for name in ("model.json", "rows.csv", "c.json"))
    assert cli_run(["certify", model, rows, "--row", "1", "-o", certificate]) == 0
    assert cli_run(["check", certificate, model]) == 0
    said = capsys.readouterr().out
    number = symcf.check(certificate).number
    assert said.startswith(f"{number}: true: ")
    assert cli_run(["check", certificate, "--number", number]) == 0
    assert cli_run(["check", certificate, "--number", "X"]) == 1
    assert cli_run(["check", certificate, "--fingerprint", "sha256:0"]) == 1
    assert cli_run(["check", certificate, model, "--fingerprint", "sha256:0"]) == 1
    assert cli_run(["certify", model, rows, "--row", "2", "--immutable", "GPA"]) == 0
    (files / "two.json").write_text(Path(certificate).read_text() + Path(certificate).read_text().replace("0", "1"))
    capsys.readouterr()
    assert cli_run(["check", str(files / "two.json")]) == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [f"{number}:", "rejected"]
    (files / "empty.json").write_text("\n")
    assert cli_run(["check", str(files / "empty.json")]) == 2


def test_the_command_letter(files, capsys):
    model, rows, page, certificate = (str(files / name) for name in ("model.json", "rows.csv", "l.html", "c.json"))
    command = ["letter", model, rows, "--row", "1", "--allow", "GPA,work experience", "-o", page]
    assert cli_run([*command, "--certificate", certificate, "--language", "de", "--person", "Frau Ö"]) == 0
    html = Path(page).read_text(encoding="utf-8")
    assert symcf.check(certificate).number in html
    assert "Frau Ö" in html
    assert "first application" not in html
    assert cli_run([*command, "--unit", "GPA"]) == 2
    assert cli_run(["letter", model, rows, "--row", "1", "--allow", "GBA", "-o", page]) == 2
    assert cli_run(["letter", model, rows, "--row", "1", "-o", page]) == 0  # all that is not protected may be named
    assert "first application" in Path(page).read_text(encoding="utf-8")


def test_the_command_check_loads_no_engine(files):
    certificate = files / "c.json"
    symcf.compile(admission()).explain([0, 0, 1, 0]).certificate().save(certificate)
    code = (
        "import sys\n"
        "from symcf.cli.app import run\n"
        f"assert run(['check', {str(certificate)!r}]) == 0\n"
        "loaded = [m for m in sys.modules if m.startswith(('symcf._core', 'symcf.search', 'symcf.models', 'pysat'))]\n"
        "assert not loaded, loaded"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_labels_that_json_does_not_have_are_said_with_their_type():
    halves = [Fraction(1, 2), Fraction(3, 2)]
    c = symcf.compile(symcf.LinearClassifier([2, -1], 0.5, features=["a", "b"], classes=halves))
    verdict = symcf.check(c.explain([0, 1]).certificate(), c, row=[0, 1])
    assert (
        "the decision is 'Fraction 1/2'; without constraints, 2 minimal sets of changes lead to 'Fraction 3/2'"
        in str(verdict)
    )


def test_damaged_text_is_rejected_and_not_taken_for_a_file_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    certificate = symcf.compile(admission()).explain([0, 0, 1, 0]).certificate()
    text = certificate.to_json()
    heads = ["[", "x", "\ufeff", "\0"]
    for damaged in ("", " ", text[1:], text[7:], text[:40], text[-3:], *(head + text for head in heads)):
        assert symcf.check(damaged).failed == "text", damaged[:20]
    with pytest.raises(FileNotFoundError, match=r"missing\.json"):
        symcf.check("missing.json")
    certificate.save("it's {1}.json")
    assert symcf.check("it's {1}.json")
