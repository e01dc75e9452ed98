"""The command why: what the library says, in every format."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from command_line import error, here, output

import symcf
import symcf.cli.why
from symcf.search.plan import reason_engines


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
    held = output("why", model, data, "--principal", 2, "--immutable", "GPA")
    assert "principal reasons, with GPA as it is:" in held
    assert "is enough with GPA as it is, whatever the rest is:" in output("why", model, data, "--immutable", "GPA")


def test_conditions_are_wide_where_that_is_asked_for(files):
    model, data = files["tree"]
    records = [json.loads(line) for line in output("why", model, data, "--general", "-f", "jsonl").splitlines()]
    conditions = [c for record in records for reason in record["reasons"] for c in reason["conditions"]]
    assert conditions
    assert all("range" in condition for condition in conditions)
    lines = list(csv.DictReader(io.StringIO(output("why", model, data, "--general", "-f", "csv"))))
    assert [line["feature"] in line["condition"] for line in lines if line["feature"]] == [True] * len(conditions)
    assert lines[0]["condition"] in output("why", model, data, "--general")
    assert "--principal" in error("why", model, data, "--general", "--principal", 2)


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


def test_it_takes_every_engine_that_finds_reasons(files):
    shown = " ".join(output("why", "--help").split())
    assert "|".join(reason_engines()) in shown
    found = {engine: here("why", *files["tree"], "--engine", engine) for engine in reason_engines()}
    assert not [engine for engine, done in found.items() if b"is not one of" in done.stderr]
    assert "'fastest' is not one of auto" in error("why", *files["tree"], "--engine", "fastest")


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A classifier and rows with 64, 52 and 19 reasons."""
    rng = np.random.default_rng(0)
    chances = rng.uniform(0.2, 0.8, (2, 24))
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.4, p1=chances[0], p0=chances[1]))
    folder, rows = tmp_path_factory.mktemp("many"), rng.integers(0, 2, (3, 24))
    c.save(folder / "many.symcf")
    np.savetxt(folder / "rows.csv", rows, "%d", ",", header=",".join(c.features), comments="")
    return c, rows, folder / "many.symcf", folder / "rows.csv"


def test_a_table_shows_the_first_reasons_and_how_many_more_there_are(many, monkeypatch):
    c, rows, *files = many
    counts = [c.count_why(row) for row in rows]
    assert counts == [64, 52, 19]
    asked = []
    listed = symcf.cli.why.why_batch
    monkeypatch.setattr("symcf.cli.why.why_batch", lambda *a, **o: asked.append(o["k"]) or listed(*a, **o))
    blocks = output("why", *files).split("row ")[1:]
    assert asked == [21]  # not all of them
    for block, row, count in zip(blocks, rows, counts, strict=True):
        assert f"these {count} reasons" in block
        first = [f"    {reason}" for reason in list(c.why(row))[:20]]
        assert block.splitlines()[1 : 1 + len(first)] == first
        assert f"... and {count - 20} more" in block or count < 20
    assert "... and 10 more" in output("why", *files, "-k", 30)
    assert "more" not in output("why", *files, "-k", 20)
    assert all(
        count == len(json.loads(line)["reasons"])
        for count, line in zip(counts, output("why", *files, "-f", "jsonl").splitlines(), strict=True)
    )
    monkeypatch.setattr("symcf.cli.why.PATIENCE", 0)
    assert output("why", *files).count("... and more") == 2


def test_verify_has_a_time_limit(many):
    _, rows, *files = many
    assert output("verify", *files, "--time-limit", 600).count("yes") == 4 * len(rows)
    done = here("verify", *files, "--time-limit", 0)
    assert done.returncode == 3
    assert b"time limit was reached" in done.stderr


def output_with_note(*arguments, stdin=b""):
    done = here(*arguments, stdin=stdin)
    assert done.returncode == 0
    assert b"could not be read" in done.stderr
    return done.stdout.decode()


@pytest.mark.parametrize("command", ["why", "explain"])
def test_one_row_of_a_file(files, tmp_path, command):
    model, data = files["admission"]
    every = [json.loads(line) for line in output(command, model, data, "-f", "jsonl").splitlines()]
    assert len(every) > 2
    for record in every:
        (only,) = output(command, model, data, "--row", record["row"], "-f", "jsonl").splitlines()
        assert json.loads(only) == record
    assert f"there is no row 9, only {len(every)}" in error(command, model, data, "--row", 9)
    header, *lines = data.read_text(encoding="utf-8").splitlines()
    (tmp_path / "bad.csv").write_text("\n".join([header, "what,is,this,row", *lines]), encoding="utf-8")
    (only,) = output(command, model, tmp_path / "bad.csv", "--row", 3, "-f", "jsonl").splitlines()
    assert json.loads(only) == {**every[1], "row": 3}  # what is wrong with other rows does not matter
    assert "row 1 (line 2)" in error(command, model, tmp_path / "bad.csv", "--row", 1)


def test_one_row_of_changed_rows(files):
    model, data = files["admission"]
    every = output("explain", model, data, "--rows", "-f", "csv").splitlines()
    second = output("explain", model, data, "--rows", "--row", 2, "-f", "csv").splitlines()
    assert second[0] == every[0]
    assert second[1:] == [line for line in every[1:] if line.startswith("2,")]
    assert len(second) > 1
