"""The command why: what the library says, in every format."""

from __future__ import annotations

import csv
import io
import json

import pytest
from command_line import error, here, output

import symcf


@pytest.mark.parametrize("name", ["admission", "three saved", "linear", "tree"])
def test_it_is_what_the_library_says(files, name):
    model, data = files[name]
    if model.suffix == ".symcf":
        c = symcf.load(model)
    else:
        c = symcf.compile(symcf.model_from_json(model.read_text(encoding="utf-8")))
    rows = list(csv.DictReader(data.read_text(encoding="utf-8").splitlines()))
    records = [json.loads(line) for line in output("why", model, data, "-f", "jsonl").splitlines()]
    assert len(records) == len(rows)
    if name == "admission":
        wanted = [c.why([int(v) for v in row.values()]) for row in rows]
        assert [[tuple(r["features"]) for r in record["reasons"]] for record in records] == [r.sets for r in wanted]
        assert [record["necessary"] for record in records] == [[c.features[j] for j in r.necessary] for r in wanted]
    lines = list(csv.DictReader(io.StringIO(output("why", model, data, "-f", "csv"))))
    conditions = sum(max(1, len(r["conditions"])) for record in records for r in record["reasons"])
    assert len(lines) == conditions
    assert output("why", model, data).count("row ") == len(rows)


def test_principal_reasons_are_few_relevant_and_in_words(files):
    model, data = files["admission"]
    records = [json.loads(line) for line in output("why", model, data, "--principal", 2, "-f", "jsonl").splitlines()]
    assert all(1 <= len(record["principal"]) <= 2 for record in records)
    assert records[0]["principal"] == ["work experience is 0", "first application is 0"]
    lines = list(csv.DictReader(io.StringIO(output("why", model, data, "--principal", 2, "-f", "csv"))))
    assert [line["feature"] for line in lines[:2]] == ["work experience", "first application"]
    assert "    1. work experience is 0" in output("why", model, data, "--principal", 2).splitlines()


def test_options_limits_and_mistakes(files):
    model, data = files["admission"]
    fixed = output(
        "why", model, data, "--immutable", "work experience,first application,entrance exam,GPA", "-f", "jsonl"
    )
    assert all(json.loads(line)["reasons"][0]["features"] == [] for line in fixed.splitlines())
    assert output("why", model, data, "--target", "admitted").count("as wanted") == 1
    assert json.loads(output("why", model, data, "-k", 1, "-f", "json"))[1]["count"] == 1
    done = here("why", model, data, "--max-results", 1)
    assert done.returncode == 3
    assert b"more reasons than --max-results" in done.stderr
    assert "one number per feature" in error("why", model, data, "--cost", "GPA=ordinal")
    bad = "entrance exam,work experience,GPA,first application\n0,0,7,0\n0,0,1,0\n"
    marked = output_with_note("why", model, "-", "--mark-bad-rows", stdin=bad.encode())
    assert marked.startswith("row 1: could not be read")


def output_with_note(*arguments, stdin=b""):
    done = here(*arguments, stdin=stdin)
    assert done.returncode == 0
    assert b"could not be read" in done.stderr
    return done.stdout.decode()
