"""The command line through the real executable: pipes, signals, files of every kind, and what is said of wrong ones."""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cli_corpus
import numpy as np
import pytest
import test_cli_fuzz

import symcf
from symcf.cli.app import COMMANDS, run

SYMCF = Path(sys.executable).parent / "symcf"

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

#: What a child may use: the million rows below would take several times as much if they were held.
CONSTANT = 120 << 20


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    return cli_corpus.write(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def admission(files: dict[str, tuple[Path, Path]]) -> tuple[Path, Path]:
    return files["admission"]


def environment(**more: str) -> dict[str, str]:
    plain = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "FORCE_COLOR", "TERM")}
    return {**plain, **more}


def symcf_with(*arguments: Any, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    command = [SYMCF, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=100, env=environment(**more), check=False)


def here(*arguments: Any, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The same within this process, which is faster: for what does not depend on processes."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = run(list(map(str, arguments)))
        out.flush()
        err.flush()
    return subprocess.CompletedProcess(arguments, code, out.buffer.getvalue(), err.buffer.getvalue())


def output(*arguments: Any, stdin: bytes = b"", run: Run = here) -> str:
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def error(*arguments: Any, stdin: bytes = b"", code: int = 2, run: Run = here) -> str:
    """The one error line of a command that must fail."""
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stdout) == (code, b""), done
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("symcf: error: ")
    return lines[0].removeprefix("symcf: error: ")


def table(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# --- what is found ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["admission", "three", "linear", "tree", "tree saved", "numbers"])
def test_explain_is_what_the_library_says(files: dict[str, tuple[Path, Path]], name: str) -> None:
    model, data = files[name]
    compiled = symcf.load(model) if model.suffix == ".symcf" else symcf.compile(_model(model))
    rows = list(csv.reader(data.read_text(encoding="utf-8").splitlines()))
    records = [json.loads(line) for line in output("explain", model, data, "-f", "jsonl", run=symcf_with).splitlines()]
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


def test_narrow_and_colourless(admission: tuple[Path, Path]) -> None:
    done = symcf_with("explain", *admission, COLUMNS="40", NO_COLOR="1")
    assert max(map(len, done.stdout.decode().splitlines())) <= 40
    done = symcf_with("explain", "--help", COLUMNS="50", NO_COLOR="1", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert max(map(len, done.stdout.decode().splitlines())) > 0


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
    for option, word in (("minimal", "moves"), ("values", "all"), ("values", "surest")):
        record = json.loads(output("explain", model, data, "-f", "jsonl", f"--{option}", word).splitlines()[0])
        compiled = symcf.compile(_model(model))
        code = [labels.index(cell) for labels, cell in zip(compiled.values, rows[1], strict=True)]
        found = list(compiled.explain(code, **{option: word}))
        news = [{c.name: c.new for c in one.changes} for one in found]
        assert [{c["name"]: c["new"] for c in one["changes"]} for one in record["counterfactuals"]] == news
    assert "--rows has one row" in error("explain", model, data, "--rows", "--values", "all")
    assert "--scale" in error("explain", model, data, "--cost", "distance", "--scale", "far")


def completed(line: str) -> list[str]:
    more = {"_SYMCF_COMPLETE": "bash", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    return symcf_with(**more).stdout.decode().splitlines()


def test_completion(admission: tuple[Path, Path]) -> None:
    model, data = admission
    assert completed("symcf exp") == ["explain"]
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
    assert symcf_with("explain", model, data, "--target", "adm", **more).stdout == b"admitted\n"
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
    assert "Got an unexpected argument: more" in error("explain", model, data, "more")
    assert "--trust takes no value" in error("explain", model, data, "--trust=yes")
    assert "-k: 'x' is not a whole number" in error("explain", model, data, "-k", "x").replace("--k:", "-k:")
    assert "--k: 0 is less than 1" in error("explain", model, data, "-k", "0")
    assert "--time-limit: 'nan' is not a number" in error("explain", model, data, "--time-limit", "nan")
    assert "--largest: 26 is more than 25" in error("bench", "paper", "--largest", "26")
    assert "--id needs a value: COLUMN" in error("explain", model, data, "--id")
    assert "Missing option --output FILE" in error("compile", model)
    assert "No such command: explian; did you mean 'explain'?" in error("explian")
    assert "did you mean '--immutable'" in error("explain", model, data, "--imutable", "GPA")
    assert "did you mean 'csv'?" in error("explain", model, data, "-f", "cvs")


def test_help_into_a_pipe() -> None:
    for words in ("--help", "explain --help"):
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {SYMCF} {words} | head -c 1"], capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")


def test_as_a_module() -> None:
    for module in ("symcf", "symcf.cli"):
        done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"symcf {symcf.__version__}\n"


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


# --- data that is not as it should be ---------------------------------------------------------------------------------

GOOD = "entrance exam,work experience,GPA,first application\n1,0,1,0\n0,0,1,0\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("GPA", "gpa"), "FILE: missing the column 'GPA'"),
        (GOOD.replace("\n", ",1\n").replace("n,1", "n,age"), "FILE: the classifier does not know the column 'age'"),
        (GOOD.replace("GPA", "work experience"), "FILE: missing the column 'GPA'"),
        (GOOD.replace(",", ";"), "use --delimiter ';'"),
        (GOOD + "1,0,1\n", "FILE: row 3 (line 4): 3 cells in a table of 4 columns"),
        (GOOD + "\n1,0,2,1\n", "FILE: row 3 (line 5), column 'GPA': '2' is not one of '0', '1'"),
        (GOOD + "1,,1,1\n", "FILE: row 3 (line 4), column 'work experience': the value is missing"),
        (GOOD + '1,"0,1,1\n', "FILE: line 4: not CSV: unexpected end of data"),
        (GOOD + "1,0,1,1\r1,1,1,1\r", "FILE: line 4: not CSV: a carriage return"),
        ("", "FILE: the file is empty"),
        (GOOD.split("\n", 1)[1], "use --no-header"),
    ],
)  # fmt: skip
def test_wrong_tables(admission: tuple[Path, Path], tmp_path: Path, text: str, message: str) -> None:
    data = table(tmp_path / "data.csv", text)
    assert message.replace("FILE", str(data)) in error("explain", admission[0], data)
    assert message.replace("FILE", "stdin") in error("explain", admission[0], "-", stdin=text.encode(), run=symcf_with)


def test_encodings(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model, data = files["three"]
    expected = output("predict", model, data)
    for encoding in ("latin-1", "utf-16", "utf-8-sig", "cp1252"):
        other = tmp_path / f"{encoding}.csv"
        other.write_text(data.read_text(encoding="utf-8"), encoding=encoding)
        assert output("predict", model, other, "--encoding", encoding) == expected
    message = error("predict", model, tmp_path / "latin-1.csv", run=symcf_with)
    assert f"{tmp_path / 'latin-1.csv'}: line 1 is not UTF-8 (byte 0xf6 at place 10)" in message
    assert "use --encoding utf-16" in error("predict", model, tmp_path / "utf-16.csv")
    assert output("predict", model, tmp_path / "utf-8-sig.csv") == expected
    assert "no such encoding" in error("predict", model, data, "--encoding", "klingon")
    assert "not utf-16" in error("predict", model, data, "--encoding", "utf-16")


def test_labels_or_codes(tmp_path: Path) -> None:
    model = symcf.NaiveBayes.binary(0.4, [0.9], [0.2], features=["level"], values=[[1, 2]])
    model.to_json(tmp_path / "m.json")
    data = table(tmp_path / "d.csv", "level\n1\n")
    assert "choose --cells labels or --cells codes" in error("predict", tmp_path / "m.json", data)
    by_label = output("predict", tmp_path / "m.json", data, "--cells", "labels", "-f", "csv")
    by_code = output("predict", tmp_path / "m.json", data, "--cells", "codes", "-f", "csv")
    assert (by_label.split(",")[3], by_code.split(",")[3]) == ("0", "1") or by_label != by_code
    # labels and codes side by side, and numbers in other spellings, where nothing is ambiguous
    model = symcf.NaiveBayes.binary(0.4, [0.9], [0.2], features=["size"], values=[["small", "large"]])
    model.to_json(tmp_path / "m.json")
    table(data, "size\nlarge\n1\n1.0\nsmall\n")
    predictions = [r["prediction"] for r in json.loads(output("predict", tmp_path / "m.json", data, "-f", "json"))]
    assert predictions == [1, 1, 1, 0]


def test_raw_columns(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model, _ = files["tree"]
    data = table(tmp_path / "d.csv", "name,income,age,job\nAda,1200.5,25,clerk\n")
    assert "row 1 (Ada): " in output("explain", model, data, "--id", "name")
    table(data, "income,age,job\n1200.5,25,pilot\n")
    assert f"{data}: row 1 (line 2), column 'job': 'pilot' is not one of" in error("explain", model, data)
    table(data, "income,age,job\n,25,clerk\n")
    assert f"{data}: row 1 (line 2), column 'income': " in error("explain", model, data)
    table(data, "income,age,job\nmuch,25,clerk\n2,30,baker\n")
    assert "'much' is not a finite number" in error("explain", model, data)
    done = here("explain", model, data, "--mark-bad-rows", "-f", "jsonl")
    assert (done.returncode, b"1 rows could not be read" in done.stderr) == (0, True)
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["invalid", "complete"]
    assert "reads raw values" in error("explain", model, data, "--cells", "codes")


def test_formats_by_the_name(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    """What is written to a name is what --format writes."""
    import gzip

    import pyarrow.feather
    import pyarrow.parquet

    model, data = files["three"]
    for ending in ("csv", "tsv", "json", "jsonl", "md", "txt"):
        expected = output("explain", model, data, "-f", "table" if ending == "txt" else ending)
        assert output("explain", model, data, "-o", tmp_path / f"out.{ending}") == ""
        assert (tmp_path / f"out.{ending}").read_text(encoding="utf-8") == expected
        output("explain", model, data, "-o", tmp_path / f"out.{ending}.gz")
        assert gzip.decompress((tmp_path / f"out.{ending}.gz").read_bytes()).decode() == expected
    output("explain", model, data, "-o", tmp_path / "out.feather")
    output("explain", model, data, "-o", tmp_path / "out.parquet")
    assert pyarrow.feather.read_table(tmp_path / "out.feather").equals(
        pyarrow.parquet.read_table(tmp_path / "out.parquet")
    )
    assert "symcf report writes pages" in error("explain", model, data, "-o", tmp_path / "out.html")
    assert ".xlsx is not written" in error("explain", model, data, "-o", tmp_path / "out.xlsx")
    assert output("explain", model, data, "-o", tmp_path / "plain.csv", "-f", "json") == ""
    assert (tmp_path / "plain.csv").read_text(encoding="utf-8").startswith("[")


def test_data_in_each_format(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    import gzip

    import pandas
    import pyarrow as pa
    import pyarrow.feather

    for name in ("three", "tree", "numbers"):
        model, data = files[name]
        expected = output("explain", model, data)
        frame = pandas.read_csv(data)
        text = data.read_text(encoding="utf-8")
        (tmp_path / "d.csv.gz").write_bytes(gzip.compress(text.encode()))
        (tmp_path / "named_wrong.csv").write_bytes(gzip.compress(text.encode()))
        frame.to_csv(tmp_path / "d.tsv", sep="\t", index=False)
        frame.to_json(tmp_path / "d.jsonl", orient="records", lines=True, force_ascii=False)
        frame.to_json(tmp_path / "d.json", orient="records", force_ascii=False)
        pyarrow.feather.write_feather(frame, tmp_path / "d.feather")
        with pa.ipc.new_stream(tmp_path / "d.arrow", pa.Table.from_pandas(frame).schema) as sink:
            sink.write(pa.Table.from_pandas(frame))
        frame.to_parquet(tmp_path / "d.parquet")
        (tmp_path / "d.parquet.gz").write_bytes(gzip.compress((tmp_path / "d.parquet").read_bytes()))
        for path in sorted(tmp_path.glob("*.*")):
            assert output("explain", model, path) == expected, path
        content = (tmp_path / "d.jsonl").read_bytes()
        assert output("explain", model, "-", "--input-format", "jsonl", stdin=content) == expected
        content = (tmp_path / "d.csv.gz").read_bytes()
        assert output("explain", model, "-", stdin=content) == expected
    model, data = files["admission"]
    text = data.read_text(encoding="utf-8")
    for name, content, problem in (
        ("a.jsonl", b'{"GPA": 1\n', "line 1 is not JSON"),
        ("b.jsonl", b"7\n", "a row must be an object or a list, not int"),
        ("c.json", b'{"GPA": 1}', "must be a list of objects"),
        ("d.csv.gz", gzip.compress(text.encode())[:-20], "damaged gzip data"),
        ("e.csv", b"PK\x03\x04....", "a spreadsheet or a zip file"),
        ("f.csv", b"ARROW1\0\0....", "use --input-format arrow"),
        ("old.feather", b"FEA1....", "Feather of version 1"),
        ("g.arrow", b"GPA\n1\n", "cannot be read as Arrow"),
        ("h.jsonl", b"[1, 0, 1, 0]\n[1, 0]\n", "row 2 (line 2): 2 cells, others have 4"),
        ("i.jsonl", b'[1, 0, 1, 0]\n{"GPA": 1}\n', "objects and lists do not mix"),
    ):
        (tmp_path / name).write_bytes(content)
        assert problem in error("explain", model, tmp_path / name)
    (tmp_path / "j.jsonl").write_text("[1, 0, 1, 0]\n\n[0, 0, 1, 0]\n")
    assert output("explain", model, tmp_path / "j.jsonl").count("row ") == 2


def test_bad_rows_say_why(admission: tuple[Path, Path], tmp_path: Path) -> None:
    model, data = admission
    lines = data.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace("0", "7", 1)
    bad = tmp_path / "bad.csv"
    bad.write_text("\n".join(lines) + "\n", encoding="utf-8")
    why = "'7' is not one of '0', '1'"
    for command in ("explain", "why", "predict"):
        assert why in error(command, model, bad)
        asked = [command, model, bad, "--mark-bad-rows"]
        assert here(*asked).stdout.decode().count(why) == 1
        lines = here(*asked, "-f", "csv").stdout.decode().splitlines()
        told = [line["problem"] for line in csv.DictReader(lines) if line["row"] == "2"]
        assert len(told) == 1
        assert why in told[0]
        assert {line["problem"] for line in csv.DictReader(lines) if line["row"] != "2"} == {""}
        records = json.loads(here(*asked, "-f", "json").stdout)
        assert [why in (record.get("problem") or "") for record in records] == [
            record["row"] == 2 for record in records
        ]


def test_errors_in_other_encodings(admission: tuple[Path, Path], tmp_path: Path) -> None:
    """One line, also while Python ends."""
    model, data = admission
    text = data.read_text(encoding="utf-8")
    (tmp_path / "d.csv").write_text(text.replace("1", "x", 1), encoding="utf-16")
    for words in (["--encoding", "utf-16"], ["--encoding", "latin-1"], ["--encoding", "rot13"]):
        done = symcf_with("explain", model, tmp_path / "d.csv", *words)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr
        done = symcf_with("explain", model, "-", *words, stdin=(tmp_path / "d.csv").read_bytes())
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr


def test_parquet(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    model, data = files["tree"]
    frame = {"job": ["clerk", "none", "baker"], "age": [25, 60, 40], "income": [1200.5, 2500.0, 0.0]}
    pq.write_table(pa.table(frame), tmp_path / "d.parquet")
    expected = output("explain", model, data)
    assert output("explain", model, tmp_path / "d.parquet") == expected
    content = (tmp_path / "d.parquet").read_bytes()
    assert output("explain", model, "-", "--input-format", "parquet", stdin=content) == expected
    assert "use --input-format parquet" in error("explain", model, "-", stdin=content)
    (tmp_path / "d.parquet").write_bytes(content[:-9])
    assert "cannot be read as Parquet" in error("explain", model, tmp_path / "d.parquet")
    del frame["age"]
    pq.write_table(pa.table({**frame, "extra": [1, 2, 3]}), tmp_path / "d.parquet")
    assert "missing the column 'age'" in error("explain", model, tmp_path / "d.parquet")
    assert "is a directory" in error("explain", model, tmp_path).lower()


def test_wrong_commands(admission: tuple[Path, Path], tmp_path: Path) -> None:
    model, data = admission
    assert "No such command: explian" in error("explian")
    assert output("help", "explain") == output("--help", "explain") == output("explain", "--help")
    assert output("help") == output("--help")
    assert "the model comes first" in error("explain", data, model)
    assert "there is no such column; did you mean 'GPA'?" in error("explain", model, data, "--id", "GPAA")
    assert "use --engine auto" in error("explain", model, data, "--engine", "trees")
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
    docs = Path(__file__).parent.parent / "docs"
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


# --- limits, pipes, signals -------------------------------------------------------------------------------------------


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
    bad = table(tmp_path / "bad.csv", GOOD + "1,0,x,1\n")
    error("explain", admission[0], bad, "-f", "csv", "-o", out)
    assert out.read_text() == "before"
    assert output("explain", *admission, "-f", "csv", "-o", out) == ""
    assert out.read_text().startswith("row,prediction")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.csv", "out.csv"]
    assert output("explain", *admission, "-o", "/dev/null") == ""
    assert Path("/dev/null").is_char_device()


def long_model(folder: Path, n: int) -> Path:
    rng = np.random.default_rng(1)
    path = folder / "long.json"
    symcf.NaiveBayes.binary(0.5, rng.uniform(0.3, 0.7, n), rng.uniform(0.3, 0.7, n)).to_json(path)
    return path


def numbers(n_rows: int, n: int, seed: int = 0) -> bytes:
    rows = np.random.default_rng(seed).integers(0, 2, size=(n_rows, n))
    text = np.full((n_rows, 2 * n), ord(","), dtype=np.uint8)
    text[:, ::2] = rows + ord("0")
    text[:, -1] = ord("\n")
    return ",".join(f"x{j}" for j in range(n)).encode() + b"\n" + text.tobytes()


def test_pipes(admission: tuple[Path, Path]) -> None:
    """symcf predict | symcf explain ..., as a shell would."""
    model, data = admission
    command = f"cat {data} | {SYMCF} explain {model} - -f csv | cut -d, -f1 | uniq | wc -l"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True, env=environment())
    assert (int(done.stdout), done.stderr) == (5, b"")


def test_broken_pipe(tmp_path: Path) -> None:
    """Ends as cat does: by SIGPIPE, without a word."""
    data = tmp_path / "d.csv"
    data.write_bytes(numbers(50_000, 10))
    model = long_model(tmp_path, 10)
    command = f"{SYMCF} explain {model} {data} -f csv | head -n 2; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True, env=environment())
    assert done.stderr == b""
    assert done.stdout.splitlines()[0].startswith(b"row,prediction")
    assert done.stdout.splitlines()[-1] == b"141"


@pytest.mark.parametrize(
    ("engine", "signal_number"),
    [("auto", signal.SIGINT), ("minimal", signal.SIGINT), ("sat", signal.SIGINT), ("auto", signal.SIGTERM)],
)
def test_interrupted(tmp_path: Path, engine: str, signal_number: int) -> None:
    """With one line and no half file, in the middle of its work; bench/latency.py says how soon."""
    model, out = long_model(tmp_path, 30), tmp_path / "out.jsonl"
    command = [SYMCF, "explain", model, "-", "-f", "jsonl", "-o", out, "--engine", engine]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert child.stdin is not None
    assert child.stderr is not None
    child.stdin.write(numbers(3000, 30))
    child.stdin.close()
    while not list(tmp_path.glob("_out.jsonl.*.tmp")):
        assert child.poll() is None
        time.sleep(0.02)
    child.send_signal(signal_number)
    message = child.stderr.read()
    word, code = ("interrupted", 130) if signal_number == signal.SIGINT else ("terminated", 143)
    assert (child.wait(), message) == (code, f"symcf: {word}\n".encode())
    child.stderr.close()
    assert list(tmp_path.iterdir()) == [model]


#: A child's peak memory counts from its parent's, so a small parent starts it.
MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[2:], stdout=open(sys.argv[1], "wb"))
_, status, usage = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)
"""


def peak_of(model: Path, rows: int, n: int, tmp_path: Path, *arguments: str) -> tuple[int, int]:
    """Explains this many rows: the child's peak memory, and the lines that it wrote."""
    data, out = tmp_path / "rows.csv", tmp_path / "out"
    data.write_bytes(numbers(rows, n))
    command = [sys.executable, "-S", "-c", MEASURE, out, SYMCF, "explain", model, data, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment(), check=True)
    code, peak = map(int, done.stdout.split())
    assert code == 0
    with out.open("rb") as file:
        return peak, sum(1 for _ in file)


def test_hundred_thousand_rows(tmp_path: Path) -> None:
    model = long_model(tmp_path, 8)
    peak, lines = peak_of(model, 100_000, 8, tmp_path, "-f", "jsonl", "-k", "3")
    assert lines == 100_000
    print(f"{peak >> 20} MiB")
    assert peak < CONSTANT


@pytest.mark.exhaustive
def test_million_rows(tmp_path: Path) -> None:
    """Ten times the rows take no more memory, also if all are different."""
    model = long_model(tmp_path, 8)
    small, _ = peak_of(model, 100_000, 8, tmp_path, "-f", "jsonl", "-k", "3")
    large, lines = peak_of(model, 1_000_000, 8, tmp_path, "-f", "jsonl", "-k", "3")
    print(f"repeated rows: {small >> 20} MiB for 10^5, {large >> 20} MiB for 10^6")
    assert lines == 1_000_000
    assert large < small + (16 << 20) < CONSTANT
    model = long_model(tmp_path, 24)
    small, _ = peak_of(model, 100_000, 24, tmp_path, "-f", "csv", "-k", "1")
    large, _ = peak_of(model, 1_000_000, 24, tmp_path, "-f", "csv", "-k", "1")
    print(f"different rows: {small >> 20} MiB for 10^5, {large >> 20} MiB for 10^6")
    assert large < small + (16 << 20)


# --- damaged files, through the executable ----------------------------------------------------------------------------


def test_damaged_files(tmp_path: Path) -> None:
    rng = random.Random(7)
    for arguments in test_cli_fuzz.cases(tmp_path, 8, rng.randrange(2**30)):
        done = symcf_with(*arguments)
        assert done.returncode in (0, 2, 3), (arguments, done)
        lines = done.stderr.decode().splitlines()
        assert all(line.startswith("symcf: ") for line in lines), lines
        if done.returncode:
            assert lines[-1].startswith("symcf: error: "), lines
