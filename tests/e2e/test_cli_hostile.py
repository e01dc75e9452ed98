"""The command line where people and files are careless: closed streams, full disks, odd cells, hostile names."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from command_line import SYMCF, environment, error, here, output, table
from sklearn.linear_model import LogisticRegression

import symcf
from symcf.answers.summary import TIME_LIMIT
from symcf.cli import answers
from symcf.common.clock import Clock


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classifier with columns of numbers."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"age": random.integers(18, 80, 200), "income": random.normal(50, 20, 200).round(2)})
    fitted = LogisticRegression(max_iter=1000).fit(frame, frame.income + frame.age / 2 > 70)
    path = tmp_path_factory.mktemp("numbers") / "numbers.symcf"
    symcf.compile(fitted, data=frame).save(path)
    return path


def shell(line: str, *arguments: Any) -> tuple[int, str]:
    """Exit code and stderr of a line in which $0 is symcf."""
    command = ["bash", "-c", line, SYMCF, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, timeout=500, env=environment(), check=False)
    return done.returncode, done.stderr.decode()


# --- streams ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("$0 --help > /dev/full", 2, "symcf: error: No space left on device\n"),
        ("$0 --version | true", 0, ""),
        ("$0 predict $1 $2 > /dev/full", 2, "symcf: error: stdout: No space left on device\n"),
        ("$0 predict $1 $2 >&-", 2, "symcf: error: stdout: Bad file descriptor\n"),
        ("$0 predict $1 $2 >&- 2>&- <&-", 2, ""),
        ("$0 predict $1 $2 -o /dev/null >&-", 0, ""),
        ("$0 predict $1 - <&-", 2, "symcf: error: DATA is -, but stdin is closed: name a file\n"),
        ("$0 certify $1 $2 --row 1 | $0 check - > /dev/null", 0, ""),
    ],
)
def test_streams(files: dict[str, tuple[Path, Path]], line: str, code: int, told: str) -> None:
    assert shell(line, *files["admission"]) == (code, told)


# --- words ------------------------------------------------------------------------------------------------------------


def test_empty_and_odd_words(files: dict[str, tuple[Path, Path]]) -> None:
    model, data = files["admission"]
    assert error("").startswith("No such command: ''")
    assert error("explain", "", data) == "'': No such file or directory"
    for word in ("1_0", "\N{ARABIC-INDIC DIGIT THREE}", "1e1", ""):
        assert error("explain", model, data, "-k", word).startswith(f"--k: {word!r} is not a whole number")
    assert "choose at most 1,024" in error("explain", model, data, "--diverse", 10**30)
    assert f"{10**30:,}" in error("explain", model, data, "--diverse", 10**30)
    for option in (["--min-plausibility", 0.5], ["--select", "likeliest"]):
        said = error("explain", model, data, *option)
        assert said.startswith(option[0])
        assert "symcf compile --plausible DATA" in said


def test_names_are_not_taken_for_keywords(tmp_path: Path) -> None:
    model = symcf.NaiveBayes.binary(0.4, [0.9, 0.3], [0.2, 0.8], features=["time_limit", "max_nodes"])
    model.to_json(tmp_path / "m.json")
    data = table(tmp_path / "d.csv", "time_limit\n1\n")
    assert "missing the column 'max_nodes'" in error("predict", tmp_path / "m.json", data)
    assert "'time_limit'" in error("predict", tmp_path / "m.json", table(data, "time_limit,max_nodes\n7,1\n"))


def test_formats_by_the_name_everywhere(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model, data = files["admission"]
    for words in (["audit", model, data], ["info", model], ["diff", model, model]):
        output(*words, "-o", tmp_path / "out.json")
        assert isinstance(json.loads((tmp_path / "out.json").read_text(encoding="utf-8")), dict)
        output(*words, "-o", tmp_path / "out.txt")
        assert (tmp_path / "out.txt").read_text(encoding="utf-8") == output(*words)
    output("audit", model, data, "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").startswith("group,")
    path = tmp_path / "out.parquet"
    assert error("audit", model, data, "-o", path) == f"-o {path}: an audit is written as table, json or csv"


def test_audits(files: dict[str, tuple[Path, Path]]) -> None:
    model, data = files["admission"]
    assert error("audit", model, data, "--page", "-").startswith("--page -: ")
    assert error("audit", model, data, "--monotone", "GPA=up").startswith("--monotone['GPA'] must be 'increasing'")


def test_letters(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model = symcf.NaiveBayes.binary(0.4, [0.9, 0.3], [0.2, 0.8], features=["a,b", "c=d"])
    model.to_json(tmp_path / "m.json")
    data = table(tmp_path / "d.csv", '"a,b",c=d\n1,0\n')
    page = tmp_path / "page.html"
    words = ["letter", tmp_path / "m.json", data, "-o", page, "--allow", "a,b", "--allow", " c=d", "--unit", "c=d=kg"]
    output(*words, "--person", "\udcff<b>")
    assert "?&lt;b&gt;" in page.read_text(encoding="utf-8")
    assert error(*words, "--allow", "e").startswith("--allow: the classifier has no feature 'e'")
    assert error(*words, "--unit", "e=1").startswith("--unit: the classifier has no feature 'e'")
    for sentence in ("{decision:>999999999}", "{decision!r}", "{decision:d}"):
        table(tmp_path / "words.toml", f'decision = "{sentence}"\n')
        assert error(*words, "--wording", tmp_path / "words.toml").endswith("write {decision} without : and !")
    table(tmp_path / "words.toml", "nothing = 1\n")
    assert error(*words, "--wording", tmp_path / "words.toml").startswith("--wording: there is no sentence 'nothing'")


def test_completion_of_hostile_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["plain", "two\nlines", "\x1b[31mred", "a b;rm *"]
    symcf.NaiveBayes.binary(0.4, [0.9] * 4, [0.2] * 4, features=names).to_json(tmp_path / "m.json")
    monkeypatch.setenv("_SYMCF_COMPLETE", "zsh")
    found = output("explain", tmp_path / "m.json", "d.csv", "--immutable", "")
    assert found.splitlines() == ["plain", "a b;rm *"]
    monkeypatch.setenv("_SYMCF_COMPLETE", "bash")
    line = f"symcf explain {tmp_path}/m.json d.csv --immutable "
    monkeypatch.setenv("COMP_LINE", line)
    monkeypatch.setenv("COMP_POINT", str(len(line)))
    assert output().splitlines() == ["plain", "a\\ b\\;rm\\ \\*"]


# --- tables -----------------------------------------------------------------------------------------------------------


def test_cells_without_a_hash(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model, _ = files["tree"]
    data = tmp_path / "d.jsonl"
    for cell in ("[1]", '{"a": 1}', '["clerk"]'):
        for column in ("age", "job"):
            row = {"age": "40", "job": '"baker"', "income": "1"} | {column: cell}
            text = ", ".join(f'"{name}": {written}' for name, written in row.items())
            table(data, f'{{{text}}}\n{{"age": 40, "job": "baker", "income": 0}}\n')
            assert f"row 1 (line 1), column {column!r}: " in error("explain", model, data)
            lines = output_with_notes("explain", model, data, "--mark-bad-rows", "-f", "jsonl").splitlines()
            assert [json.loads(line)["status"] for line in lines] == ["invalid", "complete"]


def output_with_notes(*arguments: Any) -> str:
    done = here(*arguments)
    assert done.returncode == 0, done
    return done.stdout.decode()


def test_numbers_too_far_away(numbers: Path, tmp_path: Path) -> None:
    data = table(tmp_path / "far.csv", "age,income\n30,20\n1e30,20\n40,-1e25\n50,30\n")
    told = "row 2 (line 3), column 'age': 1e+30 is too far outside the range of the column to be decided exactly"
    for command in ("explain", "predict", "count", "why", "verify", "audit"):
        assert error(command, numbers, data) == f"{data}: {told}"
    for command in ("explain", "predict", "why"):
        text = output_with_notes(command, numbers, data, "--mark-bad-rows", "-f", "jsonl")
        problems = [json.loads(line).get("problem") or "" for line in text.splitlines()]
        assert [problem.partition(":")[0] for problem in problems] == ["", "column 'age'", "column 'income'", ""]
    output_with_notes("report", numbers, data, "--mark-bad-rows", "-o", tmp_path / "page.html")
    # many of them, in the library
    rows = {"age": [30.0, *[1e30] * 3000], "income": [20.0] * 3001}
    batch = symcf.fast.explain_batch(symcf.load(numbers), rows, errors="mark")
    assert [(batch.status == code).sum() for code in np.unique(batch.status)] == [1, 3000]


def test_numbers_are_written_as_other_programs_write_them(numbers: Path, tmp_path: Path) -> None:
    for cell in ("1_000", "\N{ARABIC-INDIC DIGIT THREE}", "0x10", "--5"):
        data = table(tmp_path / "d.csv", f"age,income\n{cell},20\n")
        assert f"row 1 (line 2), column 'age': {cell!r} is not a finite number" in error("predict", numbers, data)
    symcf.NaiveBayes.binary(0.4, [0.9], [0.2], features=["a"], values=[[10, 20]]).to_json(tmp_path / "m.json")
    assert "'1_0' is not one of '10', '20'" in error("predict", tmp_path / "m.json", table(data, "a\n1_0\n"))


def test_json_with_a_name_twice_and_wide_rows(numbers: Path, tmp_path: Path) -> None:
    data = table(tmp_path / "d.jsonl", '{"age": 30, "age": 31, "income": 1}\n')
    assert error("predict", numbers, data) == f"{data}: line 1 is not JSON: two values are called 'age'"
    wide = {"age": 30, "income": 20.0} | {f"c{i}": i for i in range(20_000)}
    table(data, f"{json.dumps(wide)}\n" * 20)  # minutes, if each name is looked for in a list of names
    assert len(output("predict", numbers, data, "--extra", "-f", "csv").splitlines()) == 21


def test_byte_order_marks(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model, data = files["admission"]
    text = data.read_text(encoding="utf-8")
    expected = output("predict", model, data)
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        (tmp_path / "d.csv").write_bytes(f"\ufeff{text}".encode(encoding))
        if encoding in ("utf-8-sig", "utf-16", "utf-32"):
            (tmp_path / "d.csv").write_bytes(text.encode(encoding))
        assert output("predict", model, tmp_path / "d.csv", "--encoding", encoding) == expected


def test_parquet_with_dots_in_names(numbers: Path, tmp_path: Path) -> None:
    columns = {"age": [30], "income": [20.0], "a": [{"b": 1}], "a.b": ["name"]}
    pyarrow.parquet.write_table(pa.table(columns), tmp_path / "d.parquet")
    text = output("predict", numbers, tmp_path / "d.parquet", "--id", "a.b", "--extra", "-f", "csv")
    assert text.splitlines()[1].startswith("1,name,")


@pytest.mark.parametrize(
    ("values", "cells", "old", "new"),
    [
        ([2, 1, 0], "codes", "1", "0"),  # a code, though it is also a label
        ([10, 20, 30], "labels", "20.0", "10"),
        ([10, 20, 30], "auto", "20.0", "10"),
        ([10, 20, 30], "auto", "1", "0"),
        ([False, True], "auto", "True", "false"),
        ([False, True], "auto", "1", "0"),
        (["a", "b", "c"], "auto", "b", "a"),
    ],
)
def test_changed_rows_are_written_like_the_old_ones(
    tmp_path: Path, values: list[Any], cells: str, old: str, new: str
) -> None:
    many = len(values) - 1
    tables = [[[0.9, *[0.1 / many] * many], [0.1, *[0.9 / many] * many]]]  # only the first value has the first class
    model = symcf.NaiveBayes([0.5, 0.5], tables, features=["x"], values=[values])
    model.to_json(tmp_path / "m.json")
    data = table(tmp_path / "d.csv", f"x\n{old}\n")
    text = output("explain", tmp_path / "m.json", data, "--cells", cells, "--rows", "-f", "csv")
    written = [line.split(",")[2] for line in text.splitlines()[1:]]
    assert written == [new]
    # what is written is decided as was promised
    before = output("predict", tmp_path / "m.json", data, "--cells", cells, "-f", "csv").splitlines()[1].split(",")[1]
    table(data, f"x\n{written[0]}\n")
    after = output("predict", tmp_path / "m.json", data, "--cells", cells, "-f", "csv").splitlines()[1].split(",")[1]
    assert before != after


# --- limits -----------------------------------------------------------------------------------------------------------


def test_clauses_have_a_time_limit(files: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    model, data = files["admission"]
    for words in (["cnf", model], ["wcnf", model, data, "--row", 1]):
        assert error(*words, "--time-limit", 0, "-o", tmp_path / "out", code=3).startswith("time limit reached")
        output(*words, "--time-limit", 100, "-o", tmp_path / "out")
        (tmp_path / "out").unlink()
    c = symcf.compile(symcf.model_from_json(model))
    for wrong in (-1, "1"):
        with pytest.raises(symcf.OptionError, match="time_limit"):
            c.cnf(time_limit=wrong)
        with pytest.raises(symcf.OptionError, match="time_limit"):
            c.wcnf([1, 0, 1, 0], time_limit=wrong)


@pytest.mark.parametrize("many", [False, True])
def test_little_is_written_of_a_row_that_ran_out_of_time(monkeypatch: pytest.MonkeyPatch, many: bool) -> None:
    monkeypatch.setattr(answers, "LATE", 5)
    if many:
        monkeypatch.setattr(answers, "CHANGES_AT_ONCE", 10)
    c = symcf.compile(symcf.LinearClassifier([1] * 6, -3))
    options = {"k": None, "max_results": None, "select": "nearest"}
    explainer = answers.RowExplainer(c, options, Clock(None), 1)
    batch = symcf.fast.explain_batch(c, [[0] * 6])
    (complete,) = [answer for answer, _ in explainer._portion(batch)]
    batch.status = np.full(1, TIME_LIMIT, dtype=np.uint8)
    (late,) = [answer for answer, _ in explainer._portion(batch)]
    assert (complete.count, len(list(complete.found()))) == (15, 15)
    assert (late.count, late.status) == (5, "time_limit")
    assert list(late.found()) == list(complete.found())[:5]


# --- what other programs make of it ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def formulas(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A model and a table whose names and values a spreadsheet would run, or a terminal obey."""
    folder = tmp_path_factory.mktemp("formulas")
    names = ["=1+1", "\x1b[31mred\x1b[0m \u202eesrever"]
    values = [["-cmd", "+cmd"], ["@cmd", "\tcmd"]]
    model = symcf.NaiveBayes.binary(
        0.3, [0.9, 0.9], [0.4, 0.4], features=names, values=values, classes=["=no()", "yes"]
    )
    model.to_json(folder / "m.json")
    table(
        folder / "d.csv",
        f'id,{names[0]},{names[1]}\n"=HYPERLINK(""x"")",-cmd,@cmd\n-5,+cmd,"\tcmd"\n+1e3,-cmd,"\tcmd"\n',
    )
    return folder / "m.json", folder / "d.csv"


@pytest.mark.parametrize("command", [["explain"], ["predict"], ["why"], ["count"]])
def test_no_spreadsheet_runs_a_cell(formulas: tuple[Path, Path], command: list[str]) -> None:
    for delimiter, form in ((",", "csv"), ("\t", "tsv")):
        text = output(*command, *formulas, "--id", "id", "--format", form)
        cells = [cell for line in csv.reader(io.StringIO(text), delimiter=delimiter) for cell in line]
        assert '\'=HYPERLINK("x")' in cells
        assert "-5" in cells  # a number stays one
        assert "+1e3" in cells
        for cell in cells:
            assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r") or cell in ("-5", "+1e3"), cell
        raw = output(*command, *formulas, "--id", "id", "--format", f"{form}-raw")
        assert [cell for line in csv.reader(io.StringIO(raw), delimiter=delimiter) for cell in line] == [
            cell[1:] if cell.startswith("'") else cell for cell in cells
        ]


@pytest.mark.parametrize("words", [["explain", "--format", "csv"], ["explain", "--format", "jsonl"], ["dot"]])
def test_a_terminal_is_sent_no_control_characters(formulas: tuple[Path, Path], words: list[str]) -> None:
    def shown_on_a_terminal() -> str:
        ours, theirs = os.openpty()
        model, data = formulas
        given = [words[0], model, *([data, "--id", "id"] if words[0] == "explain" else []), *words[1:]]
        process = subprocess.Popen([SYMCF, *map(str, given)], stdout=theirs, env=environment())
        os.close(theirs)
        parts = []
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(ours, 1 << 16):
                parts.append(part)
        os.close(ours)
        assert process.wait() == 0
        return b"".join(parts).decode().replace("\r\n", "\n")

    text = shown_on_a_terminal()
    assert not [c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t"]
    assert "\\u202e" in text
    model, data = formulas
    piped = output(words[0], model, *([data, "--id", "id"] if words[0] == "explain" else []), *words[1:])
    assert "\u202e" in piped  # programs get what is there
