"""The test vectors of the certificate format: both checkers say what they must. The driver `certificate_vectors`
writes them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import certificate_oracle
import pytest
from certificates_agree import compared, in_javascript

from symcf.proof.checker.check import check_text
from symcf.proof.checker.form import number_of, parse

HERE = Path(__file__).parent.parent / "vectors"
VECTORS = {path.stem: json.loads(path.read_text()) for path in HERE.glob("*.json")}

#: Answers that earlier versions gave, as certificates of their questions.
WRONG = {path.stem: json.loads(path.read_text()) for path in (HERE / "wrong").glob("*.json")}

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def test_there_are_good_and_forged_ones():
    failed = [vector["failed"] for vector in VECTORS.values()]
    assert len(failed) >= 60
    checks = {"text", "number", "version", "form", "fingerprint", "rule", "decision", "values", "minimal", "order"}
    assert {*checks, "reasons", "complete", "batch", None} <= set(failed)


def test_wrong_answers_of_earlier_versions_are_rejected():
    assert len(WRONG) >= 8
    for name, vector in WRONG.items():
        assert check_text(vector["text"]).failed == vector["failed"], name
        assert vector["failed"] is not None, name


@pytest.mark.parametrize("name", sorted(VECTORS))
def test_python(name):
    verdict = check_text(VECTORS[name]["text"])
    assert verdict.failed == VECTORS[name]["failed"], verdict


@pytest.mark.parametrize("name", sorted(name for name in VECTORS if VECTORS[name]["failed"] is None))
def test_good_ones_are_true_by_brute_force(name):
    data = parse(VECTORS[name]["text"])
    assert certificate_oracle.is_true(data.get("certificate", data))


def test_the_schema_is_that_of_the_checker():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(__file__).parents[2] / "docs" / "certificate-schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    for name, vector in VECTORS.items():
        if vector["failed"] not in ("text", "form", "version"):
            errors = [error.message for error in validator.iter_errors(json.loads(vector["text"]))]
            assert not errors or vector["failed"] is not None, (name, errors)
    forged = json.loads(VECTORS["forged-form-key"]["text"])
    assert not validator.is_valid(forged)


@needs_node
def test_javascript():
    found = in_javascript(vector["text"] for vector in VECTORS.values())
    assert dict(zip(VECTORS, found, strict=True)) == {name: vector["failed"] for name, vector in VECTORS.items()}


@needs_node
def test_the_checkers_agree_on_damaged_texts():
    text = VECTORS["good-cells-sum"]["text"]
    damaged = [text[:at] + letter + text[at + 1 :] for at in range(0, len(text), 7) for letter in '0"{']
    assert compared([("a character", one) for one in damaged])[1] == []


@needs_node
def test_counts_beyond_exact_doubles_are_read_alike():
    texts = []
    for name, claim in (("good-sums-all", {"kind": "all"}), ("good-lines", {"kind": "all"}), ("good-sums-up-to", None)):
        data = parse(VECTORS[name]["text"])
        for size in (2**50, 2**53 + 1, 2**400):
            for most in (None,) if claim else (size, size + 1, size - 1):
                data["question"]["k"] = size
                data["question"]["max_changes"] = most
                data["answer"]["claim"] = claim or {"kind": "up to", "changes": size}
                texts.append((name, json.dumps({**data, "number": number_of(data)})))
    accepted = [check_text(text).failed is None for _, text in texts]
    assert sum(accepted) >= 6
    assert compared(texts)[1] == []
