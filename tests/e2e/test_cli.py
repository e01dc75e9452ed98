"""The commands: what they answer, what they are asked with, and what is said of wrong words."""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import SYMCF, Run, environment, error, here, output, symcf_with, table

import symcf
from symcf.cli.app import COMMANDS


@pytest.fixture
def admission(files: dict[str, tuple[Path, Path]]) -> tuple[Path, Path]:
    return files["admission"]


# --- what is found ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["admission", "three", "linear", "tree", "tree saved", "numbers"])
def test_explain_is_what_the_library_says(files: dict[str, tuple[Path, Path]], name: str) -> None:
    model, data = files[name]
    compiled = symcf.load(model) if model.suffix == ".symcf" else symcf.compile(_model(model))
    rows = list(csv.reader(data.read_text(encoding="utf-8").splitlines()))
    run = symcf_with if name == "tree saved" else here
    records = [json.loads(line) for line in output("explain", model, data, "-f", "jsonl", run=run).splitlines()]
    assert [record["row"] for record in records] == list(range(1, len(rows)))
    for record, row in zip(records, rows[1:], strict=True):
        explanation = compiled.explain(_instance(compiled, rows[0], row))
        assert record["prediction"] == compiled.classes[explanation.prediction]
        assert record["count"] == explanation.count == len(record["counterfactuals"])
        for found, cf in zip(record["counterfactuals"], explanation, strict=True):
            changes = [(c["feature"], c["name"], c["old"], c["new"]) for c in found["changes"]]
            assert changes == [(c.feature, c.name, c.old, c.new) for c in cf.changes]
            assert (found["cost"], found["class"]) == (cf.cost, compiled.classes[cf.target])
            assert found["probability"] == pytest.approx(cf.probability, nan_ok=True)


def _model(path: Path) -> symcf.Model:
    return symcf.NaiveBayes.from_cnbc(path) if path.suffix == ".cnbc" else symcf.model_from_json(path)


def _instance(compiled: symcf.Compiled, header: list[str], row: list[str]) -> dict[str, Any]:
    """A row as the library takes it, read in the most obvious way."""
    if isinstance(compiled.model, symcf.Model) and compiled.model.encoder is not None:
        return {"age": float(row[0]), "job": row[1], "income": float(row[2])}
    labels = dict(zip(compiled.features, compiled.values, strict=True))
    return {n: labels[n].index(c) if c in labels[n] else int(c) for n, c in zip(header, row, strict=True)}


def test_formats_say_the_same(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    import pyarrow.parquet

    model, data = files["three"]
    as_json = json.loads(output("explain", model, data, "-f", "json"))
    assert as_json == [json.loads(line) for line in output("explain", model, data, "-f", "jsonl").splitlines()]
    lines = list(csv.DictReader(io.StringIO(output("explain", model, data, "-f", "csv"))))
    flat = [
        (str(r["row"]), r["prediction"], str(i), c["name"], c["old"], c["new"], str(f["cost"]), f["class"])
        for r in as_json
        for i, f in enumerate(r["counterfactuals"], 1)
        for c in f["changes"]
    ]
    columns = ("row", "prediction", "counterfactual", "feature", "old", "new", "cost", "class")
    assert [tuple(line[c] for c in columns) for line in lines] == flat
    assert output("explain", model, data, "-f", "parquet", "-o", tmp_path / "out.parquet") == ""
    parquet = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [tuple(str(line[c]) for c in columns) for line in parquet] == flat
    text = output("explain", model, data)
    assert "row 1: " in text
    assert all(line["feature"] in text for line in lines)


def test_predict_count_verify(admission: tuple[Path, Path]) -> None:
    lines = list(csv.DictReader(io.StringIO(output("predict", *admission, "--proba", "-f", "csv"))))
    assert [line["prediction"] for line in lines] == ["rejected", "rejected", "admitted", "rejected"]
    assert float(lines[0]["P(rejected)"]) == pytest.approx(0.8562, abs=1e-4)
    assert json.loads(output("count", *admission, "-f", "json"))[1] == {"row": 2, "prediction": "rejected", "count": 2}
    assert "yes" in output("verify", *admission)
    assert {r["complete"] for r in json.loads(output("verify", *admission, "-f", "json"))} == {"yes"}


def test_what_is_asked(files: dict[str, tuple[Path, Path]]) -> None:
    model, data = files["admission"]

    def sets(*options: str) -> list[list[str]]:
        first = json.loads(output("explain", model, data, "-f", "jsonl", *options).splitlines()[0])
        return [[c["name"] for c in f["changes"]] for f in first["counterfactuals"]]

    assert sets() == [["work experience"], ["first application"]]
    assert sets("--immutable", "first application,GPA") == [["work experience"]]
    assert sets("--cost", "work experience=5", "-k", "1") == [["first application"]]
    assert sets("--allowed", "work experience=decrease") == [["first application"]]
    assert sets("--allowed", "work experience=0|1", "--max-changes", "1") == [
        ["work experience"],
        ["first application"],
    ]
    assert sets("--constraint", "'work experience' = 0") == [["first application"]]
    assert sets("--cost", 'work experience={"1": 3}', "-k", "1") == [["first application"]]
    assert sets("--engine", "sat", "--jobs", "2") == sets()
    blocked = json.loads(output("explain", model, data, "-f", "jsonl", "--max-changes", "0").splitlines()[0])
    assert [b["kind"] for b in blocked["blocking"]] == ["max_changes"]
    wanted = json.loads(output("explain", model, data, "-f", "json", "--target", "admitted"))
    assert [r["status"] for r in wanted] == ["complete", "complete", "at_target", "complete"]


def test_clauses_and_diagrams(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model, data = files["admission"]
    compiled = symcf.compile(_model(model))
    assert output("cnf", model) == compiled.cnf().to_dimacs()
    assert output("wcnf", model, data, "--row", "2") == compiled.wcnf([0, 0, 1, 0]).to_file()
    marked = compiled.diagram.to_dot(highlight=[[1, 0, 1, 0], [1, 1, 1, 0]])
    assert output("dot", model, data, "--row", "1", "--counterfactual") == marked
    assert "p cnf" in output("cnf", files["three"][0], "--of", "maybe", "--clauses", "node-cut")
    assert "3 classes" in error("cnf", files["three"][0])
    for words, built in (([], False), (["--diagram"], True), (["--no-diagram"], False)):
        assert "4 features" in output("compile", model, "-o", tmp_path / "a.symcf", *words)
        assert bool(symcf.load(tmp_path / "a.symcf").built_diagrams()) is built
    assert " nodes" in output("compile", files["tree"][0], "-o", tmp_path / "t.symcf")  # explaining it takes diagrams
    assert symcf.load(tmp_path / "t.symcf", trust=True).built_diagrams()
    assert "choose one with --row" in error("wcnf", model, data)
    assert "no row 9, only 4" in error("wcnf", model, data, "--row", "9")


def test_pictures_and_pages(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model, data = files["admission"]
    picture = ["dot", model, data, "--row", "1", "--counterfactual", "-o", tmp_path / "d.svg"]
    if shutil.which("dot"):
        assert output(*picture) == ""
        assert "<svg" in (tmp_path / "d.svg").read_text(encoding="utf-8")
    else:
        assert str(tmp_path / "d.svg") in error(*picture)
    model, data = files["tree"]
    asked = ["report", model, data, "-k", "3", "--title", "Loans"]
    said = output(*asked, "-o", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert said == f"{tmp_path / 'r.html'}: 3 decisions, {len(page.encode()):,} bytes\n"
    assert "<title>Loans" in page
    assert output(*asked, "-o", "-", "--jobs", "2") == page
    each = tmp_path / "each"
    assert output(*asked, "--each", each) == f"{each}: 3 files, one per decision\n"
    assert sorted(file.name for file in each.iterdir()) == ["row-1.html", "row-2.html", "row-3.html"]
    assert "give -o FILE for one page of all rows, or --each DIR" in error(*asked)
    assert "give -o FILE" in error(*asked, "-o", tmp_path / "r.html", "--each", each)
    broken = tmp_path / "broken.csv"
    broken.write_text(data.read_text(encoding="utf-8").replace("2500", "much"), encoding="utf-8")
    assert "row 2" in error("report", model, broken, "-o", tmp_path / "b.html")
    done = here("report", model, broken, "-o", tmp_path / "b.html", "--mark-bad-rows")
    assert (done.returncode, done.stdout.decode().split(": ")[1][:11]) == (0, "2 decisions")
    assert b"note: row 2 is left out: column 'income': 'much'" in done.stderr
    assert not list(tmp_path.glob("*tmp*"))


def test_info_and_help(files: dict[str, tuple[Path, Path]]) -> None:
    assert f"symcf: {symcf.__version__}" in output("info")
    assert output("--version") == f"symcf {symcf.__version__}\n"
    facts = json.loads(output("info", files["three"][0], "-f", "json"))
    assert facts["classes"] == ["no", "maybe", "yes"]
    assert facts["features"]["größe"]["values"] == ["small", "large"]
    for command in COMMANDS:
        assert "Example: " in " ".join(output(*command.split(), "--help").split())
    assert "OBDD nodes" in output("bench", "paper", "--largest", "10", "--classifiers", "1")


def test_a_table_lists_only_what_it_shows(tmp_path: Path) -> None:
    """The twenty cheapest, and the number of the others, which no engine lists."""
    rng = np.random.default_rng(3)
    p1, p0 = rng.random(40), rng.random(40)
    model = symcf.NaiveBayes.binary(prior=0.4, p1=p1, p0=p0)
    model.to_json(tmp_path / "m.json")
    row = [int(a > b) for a, b in zip(p1, p0, strict=True)]  # far from the other class
    (tmp_path / "rows.csv").write_text(f"{','.join(model.features)}\n{','.join(map(str, row))}\n")
    total = symcf.compile(model).count(row)
    assert total > 10**7, "too many to list"
    lines = output("explain", tmp_path / "m.json", tmp_path / "rows.csv").splitlines()
    assert lines[-1] == f"    ... and {total - 20:,} more"
    cheapest = output("explain", tmp_path / "m.json", tmp_path / "rows.csv", "-k", "20").splitlines()
    assert lines[:-1] == cheapest
    assert sum(not line.startswith("      ") for line in lines) == 22, "without what a narrow terminal wraps"
    few = output("explain", tmp_path / "m.json", tmp_path / "rows.csv", "-k", "25").splitlines()
    assert few == [*cheapest, "    ... and 5 more"]


def test_questions_of_the_library(tmp_path: Path, files: dict[str, tuple[Path, Path]]) -> None:
    """Distances, moves, values, diversity and resolution mean what the keywords mean."""
    model, data = files["numbers"]
    compiled = symcf.compile(_model(model))
    first = next(iter(csv.DictReader(data.read_text(encoding="utf-8").splitlines())))
    row = {name: float(cell) for name, cell in first.items()}
    names = list(compiled.features)

    def costs(*words: Any) -> list[float]:
        record = json.loads(output("explain", model, data, "-f", "jsonl", *words).splitlines()[0])
        return [one["cost"] for one in record["counterfactuals"]]

    scale = {name: 0.5 + j for j, name in enumerate(names)}
    words = [word for name, number in scale.items() for word in ("--scale", f"{name}={number}")]
    expected = [one.cost for one in compiled.explain(row, cost="distance", scale=scale)]
    assert costs("--cost", "distance", *words) == expected != []
    front = compiled.explain(row, cost="distance", scale=scale).pareto("changes", "distance")
    assert costs("--cost", "distance", *words, "--pareto", "changes, distance") == [one.cost for one in front]
    assert "at least two different measures" in error("explain", model, data, "--pareto", "changes")
    assert "--pareto compares one answer" in error(
        "explain", model, data, "--pareto", "changes,cost", "--select", "all"
    )
    rows = {name: np.array([float(one[name]) for one in csv.DictReader(data.read_text().splitlines())]) for name in row}
    expected = [one.cost for one in compiled.explain(row, cost="distance", scale="std", data=rows)]
    assert costs("--cost", "distance", "--scale", "std", "--scale-data", data) == expected
    assert "give --scale-data" in error("explain", model, data, "--cost", "distance", "--scale", f"{names[0]}=1")
    assert costs("--diverse", "1") == [one.cost for one in compiled.explain(row, diverse=1)]
    model, data = files["tree"]
    coarse = output("explain", model, data, "-f", "csv", "--resolution", "income=250")
    new = [float(line["new"]) for line in csv.DictReader(coarse.splitlines()) if line["feature"] == "income"]
    assert new != []
    assert all(number % 250 == 0 for number in new)
    model, data = files["three"]
    rows = list(csv.reader(data.read_text(encoding="utf-8").splitlines()))
    for option, word in (("minimality", "moves"), ("select", "all"), ("select", "surest")):
        record = json.loads(output("explain", model, data, "-f", "jsonl", f"--{option}", word).splitlines()[0])
        compiled = symcf.compile(_model(model))
        code = [labels.index(cell) for labels, cell in zip(compiled.values, rows[1], strict=True)]
        found = list(compiled.explain(code, **{option: word}))
        news = [{c.name: c.new for c in one.changes} for one in found]
        assert [{c["name"]: c["new"] for c in one["changes"]} for one in record["counterfactuals"]] == news
    assert "--rows has one row" in error("explain", model, data, "--rows", "--select", "all")
    assert "--scale" in error("explain", model, data, "--cost", "distance", "--scale", "far")


def completed(line: str, run: Run = here) -> list[str]:
    more = {"_SYMCF_COMPLETE": "bash", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    return run(**more).stdout.decode().splitlines()


def test_completion(admission: tuple[Path, Path]) -> None:
    model, data = admission
    assert completed("symcf exp", symcf_with) == completed("symcf exp") == ["explain"]
    assert completed("symcf bench ") == ["paper"]
    assert completed("symcf why --en") == ["--encoding", "--engine"]
    assert completed("symcf explain -f j") == ["json", "jsonl"]
    assert completed("symcf explain ") == []  # files, by the shell
    asked = f"symcf explain {model} {data}"
    assert completed(f"{asked} --target ") == ["rejected", "admitted"]
    assert completed(f"{asked} --immutable work") == ["work\\ experience"]
    assert completed(f"{asked} --immutable 'work") == ["work\\ experience"]
    assert completed(f"{asked} --immutable GPA,w") == ["GPA,work\\ experience"]
    assert completed(f"{asked} --cost G") == ["GPA="]
    assert completed(f"{asked} --allowed GPA=") == ["increase", "decrease", "0", "1"]
    assert completed(f"{asked} --allowed=GPA=i") == ["increase"]
    assert completed(f"{asked} --id GP") == ["GPA"]
    assert completed("symcf explain missing.json rows.csv --target ") == []
    more = {"_SYMCF_COMPLETE": "zsh"}
    assert here("explain", model, data, "--target", "adm", **more).stdout == b"admitted\n"
    script = output("completion", "bash")
    done = subprocess.run(["bash", "-nc", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_words(admission: tuple[Path, Path]) -> None:
    """Each way to write options."""
    model, data = admission
    first = output("explain", model, data, "-k", "1", "-f", "csv")
    for words in (["-k1", "-fcsv"], ["--k=1", "--format=csv"], ["-k=1", "--format", "csv"]):
        assert output("explain", *words, model, data) == first
        assert output("explain", *words, "--", model, data) == first
    assert output("--debug", "explain", model, data, "-k1", "-fcsv") == first
    assert output("explain", model, data, "-k1", "-fcsv", "--debug") == first
    assert output("explain", "--nonsense", "--help") == output("explain", "-h")
    assert "unexpected extra argument (more)" in error("explain", model, data, "more")
    assert "'--trust' does not take a value" in error("explain", model, data, "--trust=yes")
    assert "-k: 'x' is not a whole number" in error("explain", model, data, "-k", "x").replace("--k:", "-k:")
    assert "--k: 0 is less than 1" in error("explain", model, data, "-k", "0")
    assert "--time-limit: 'nan' is not a number" in error("explain", model, data, "--time-limit", "nan")
    assert "--largest: 26 is more than 25" in error("bench", "paper", "--largest", "26")
    assert "'--id' requires an argument" in error("explain", model, data, "--id")
    assert "Missing option --output FILE" in error("compile", model)
    assert "No such command: explian; did you mean 'explain'?" in error("explian")
    assert "did you mean '--immutable'" in error("explain", model, data, "--imutable", "GPA")
    assert "did you mean 'csv'?" in error("explain", model, data, "-f", "cvs")


# --- scikit-learn files -----------------------------------------------------------------------------------------------


def test_trust(tmp_path: Path) -> None:
    import joblib
    from sklearn.naive_bayes import BernoulliNB

    estimator = BernoulliNB().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "no", "yes", "yes"])
    joblib.dump(estimator, tmp_path / "nb.joblib")
    (tmp_path / "nb.pkl").write_bytes(pickle.dumps(estimator))
    data = table(tmp_path / "rows.csv", "x0,x1\n0,1\n1,1\n")
    for name in ("nb.joblib", "nb.pkl"):
        assert "add --trust" in error("predict", tmp_path / name, data)
        assert "yes" in output("predict", tmp_path / name, data, "--trust")
        assert "2 features" in output("compile", tmp_path / name, "--trust", "-o", tmp_path / "nb.symcf")
    # what is not trusted is not run, whatever its name says
    harmless = tmp_path / "model.json"
    harmless.write_bytes(pickle.dumps(Harmful(tmp_path / "was here")))
    assert "add --trust" in error("info", harmless)
    assert not (tmp_path / "was here").exists()
    assert "cannot be read" in error("info", table(tmp_path / "x.pkl", "no pickle"), "--trust")
    assert "list" in error("info", _pickled(tmp_path / "y.pkl", [1, 2]), "--trust")


class Harmful:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def _pickled(path: Path, thing: object) -> Path:
    path.write_bytes(pickle.dumps(thing))
    return path


# --- mistakes, documentation, limits ----------------------------------------------------------------------------------


def test_wrong_commands(admission: tuple[Path, Path], tmp_path: Path) -> None:
    model, data = admission
    assert "No such command: explian" in error("explian")
    assert output("help", "explain") == output("--help", "explain") == output("explain", "--help")
    assert output("help") == output("--help")
    assert "the model comes first" in error("explain", data, model)
    assert "there is no such column; did you mean 'GPA'?" in error("explain", model, data, "--id", "GPAA")
    assert "use --engine auto" in error("explain", model, data, "--engine", "boxes")
    (tmp_path / "renamed.csv").write_text(data.read_text(encoding="utf-8").replace("GPA", "GPS"), encoding="utf-8")
    assert "missing the column 'GPA'; did you mean 'GPS'?" in error("explain", model, tmp_path / "renamed.csv")
    output("compile", model, "-o", tmp_path / "a.symcf")
    assert " 7 nodes" in output("compile", tmp_path / "a.symcf", "--diagram", "-o", tmp_path / "b.symcf")
    assert "Missing argument" in error("explain", model)
    assert "No such option" in error("explain", model, data, "--imutable", "GPA")
    assert "no feature 'age'" in error("explain", model, data, "--immutable", "age")
    assert "'maybe' is not one of 'rejected', 'admitted'" in error("explain", model, data, "--target", "maybe")
    assert "FEATURE=WHAT" in error("explain", model, data, "--cost", "GPA")
    assert "--cost GPA: 'much'" in error("explain", model, data, "--cost", "GPA=much")
    assert "no feature 'age'" in error("explain", model, data, "--allowed", "age=increase")
    assert "did you mean 'increase'" in error("explain", model, data, "--allowed", "GPA=increas")
    assert "No such file" in error("explain", tmp_path / "none.json", data)
    assert "No such file" in error("explain", model, tmp_path / "none.csv")
    assert "No such file" in error("explain", model, data, "-o", tmp_path / "none" / "out.csv")
    assert "not a model" in error("explain", data, data)
    done = here("explain", model, data, "--constraint", "GPA = = 1")
    assert done.stderr.decode().splitlines() == [
        "symcf: error: --constraint: a value expected, not '='",
        "  GPA = = 1",
        "        ^ position 6",
    ]
    assert "--cost: feature 'GPA'" in error("explain", model, data, "--cost", "GPA=-1").replace(
        "the cost of ", "--cost: "
    )
    assert "no feature 'GPB'; did you mean 'GPA'?" in error("explain", model, data, "--immutable", "GPB")
    assert "no feature 'gpa'; did you mean 'GPA'?" in error("explain", model, data, "--cost", "gpa=2")
    assert "did you mean 'admitted'?" in error("explain", model, data, "--target", "admited")
    assert error("explain", model, data, "--jobs", "0").startswith("--jobs must be")


def test_documentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of docs/cli.md, one after the other, with the output that it shows."""
    docs = Path(__file__).parents[2] / "docs"
    for example in (docs / "examples").iterdir():
        shutil.copy(example, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{SYMCF.parent}:{os.environ['PATH']}")
    monkeypatch.delenv("COLUMNS", raising=False)
    for block in re.findall(r"```console\n(.*?)```", (docs / "cli.md").read_text(encoding="utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, expected = part.split("\n", 1)
            if re.search(r"[|;<>]", command):
                done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, env=environment())
            else:
                done = here(*shlex.split(command)[1:])
            shown = (done.stdout + done.stderr if b"error" not in done.stderr else done.stderr + done.stdout).decode()
            assert "".join(f"{line.rstrip()}\n" for line in shown.splitlines()) == expected, command


def test_limits(admission: tuple[Path, Path], tmp_path: Path) -> None:
    done = here("explain", *admission, "--max-results", "1", "-f", "jsonl")
    assert done.returncode == 3
    assert b"the output is incomplete" in done.stderr
    assert {json.loads(line)["status"] for line in done.stdout.splitlines()} == {"max_results"}
    done = here("explain", *admission, "--time-limit", "0", "-o", tmp_path / "out.txt")
    assert (done.returncode, (tmp_path / "out.txt").exists()) == (3, True)
    assert b"time limit" in done.stderr
    assert "--max-clauses" in error("cnf", admission[0], "--max-clauses", "2", code=3)
    assert "--max-nodes" in error(
        "compile", admission[0], "--diagram", "--max-nodes", "1", "-o", tmp_path / "a.symcf", code=3
    )
    assert not (tmp_path / "a.symcf").exists()


def test_files_appear_when_whole(admission: tuple[Path, Path], tmp_path: Path) -> None:
    out = table(tmp_path / "out.csv", "before")
    bad = table(tmp_path / "bad.csv", "entrance exam,work experience,GPA,first application\n1,0,1,0\n1,0,x,1\n")
    error("explain", admission[0], bad, "-f", "csv", "-o", out)
    assert out.read_text() == "before"
    assert output("explain", *admission, "-f", "csv", "-o", out) == ""
    assert out.read_text().startswith("row,prediction")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.csv", "out.csv"]
    assert output("explain", *admission, "-o", "/dev/null") == ""
    assert Path("/dev/null").is_char_device()


def test_advice_names_the_option_not_the_keyword(tmp_path):
    model, data = tmp_path / "model.json", tmp_path / "rows.csv"
    line = symcf.AdditiveClassifier([symcf.NumberTerm(1.0, (0, 10))], -5, features=["x"])
    model.write_text(line.to_json())
    data.write_text("x\n2\n")
    assert "give data with symcf compile --plausible DATA" in error("explain", model, data, "--min-plausibility", "0.5")
    assert "use --select nearest" in error("explain", model, data, "--select", "all")
