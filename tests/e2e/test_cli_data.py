"""Tables for the command line: in every format and encoding, and those that are not as they should be."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from command_line import error, here, output, symcf_with, table
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf

GOOD = "entrance exam,work experience,GPA,first application\n1,0,1,0\n0,0,1,0\n"


@pytest.fixture
def admission(files: dict[str, tuple[Path, Path]]) -> tuple[Path, Path]:
    return files["admission"]


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
    assert message.replace("FILE", "stdin") in error("explain", admission[0], "-", stdin=text.encode())


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


@pytest.mark.parametrize("typed", [True, False])
def test_truth_values_are_read_as_pandas_writes_them(tmp_path: Path, typed: bool) -> None:
    frame = pd.DataFrame({"income": [1, 2, 3, 4] * 5, "flag": [True, False] * 10})
    tree = DecisionTreeClassifier(random_state=0).fit(frame, frame.flag & (frame.income > 1))
    symcf.compile(tree, data=frame if typed else None).save(tmp_path / "m.symcf")
    text = frame.head(3).to_csv(index=False)
    expected = [str(label) for label in tree.predict(frame.head(3))]
    for some in (text, text.lower(), text.replace("True", "1").replace("False", "0")):
        found = output("predict", tmp_path / "m.symcf", table(tmp_path / "d.csv", some), "-f", "csv")
        assert [line["prediction"].capitalize() for line in csv.DictReader(io.StringIO(found))] == expected
    wrong = table(tmp_path / "d.csv", "income,flag\n1,yes\n")
    assert "column 'flag': 'yes' is not a finite number" in error("predict", tmp_path / "m.symcf", wrong)
    wrong = table(tmp_path / "d.csv", "income,flag\nTrue,1\n")
    if typed:
        assert "column 'income': 'True' is not a finite number" in error("predict", tmp_path / "m.symcf", wrong)


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
    assert (done.returncode, b"1 row could not be read" in done.stderr) == (0, True)
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


@pytest.mark.parametrize("labels", [("no", "yes"), (-1, 1), (False, True)])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_rows_that_a_model_was_fitted_on(tmp_path: Path, labels: tuple[Any, Any], ending: str) -> None:
    """A scaled logistic regression knows no ranges of its numbers; they come from such rows."""
    rng = np.random.default_rng(3)
    rows = pd.DataFrame({"age": rng.integers(18, 70, 80), "income": rng.normal(40, 12, 80).round(1)})
    rows["job"] = rng.choice(["a", "b", "c,d"], 80)
    steps = make_column_transformer((StandardScaler(), ["age", "income"]), (OneHotEncoder(), ["job"]))
    wanted = rows["age"] / 50 + rows["income"] / 40 + (rows["job"] == "a") > 1.9
    pipeline = make_pipeline(steps, LogisticRegression()).fit(rows, np.array(labels)[wanted.astype(int)])
    joblib.dump(pipeline, tmp_path / "model.joblib")
    write = {"csv": rows.to_csv, "jsonl": partial(rows.to_json, orient="records", lines=True)}
    file, compiled = tmp_path / f"rows.{ending}", tmp_path / "model.symcf"
    write.get(ending, rows.to_parquet)(file, **({} if ending == "jsonl" else {"index": False}))
    assert "symcf compile --data" in error("predict", tmp_path / "model.joblib", file, "--trust")
    output("compile", tmp_path / "model.joblib", "--trust", "--data", file, "-o", compiled)
    said = csv.DictReader(output("predict", compiled, file, "-f", "csv").splitlines())
    assert [line["prediction"] for line in said] == [str(label) for label in pipeline.predict(rows)]
    changed = output("explain", compiled, file, "--target", labels[1], "-k", "2", "--rows", "-f", "csv-raw")
    found = pd.read_csv(io.StringIO(changed), dtype={"age": float})
    assert len(found)
    assert set(pipeline.predict(found[list(rows)])) == {labels[1]}


def test_a_model_of_our_own_needs_no_such_rows(admission: tuple[Path, Path], tmp_path: Path) -> None:
    model, data = admission
    assert "--data: for models of other" in error("compile", model, "--data", data, "-o", tmp_path / "x.symcf")


def test_decimal_commas(tmp_path: Path) -> None:
    """Read as with points, in cells with and without quotes; labels and headers that are no numbers stay."""
    symcf.datasets.credit().save(tmp_path)
    rows = list(csv.reader((tmp_path / "credit.csv").read_text().splitlines()))[:8]
    places = [rows[0].index(name) for name in ("income", "loan")]
    for row in rows[1:]:
        for place in places:
            row[place] = row[place] and f"{row[place]}.25"
    texts = {}
    for name, delimiter in (("point.csv", ","), ("comma.csv", ","), ("semicolon.csv", ";")):
        with open(tmp_path / name, "w", newline="") as file:
            point = name == "point.csv"
            written = rows if point else [[cell.replace(".25", ",25") for cell in row] for row in rows]
            csv.writer(file, delimiter=delimiter).writerows(written)
        options = ["--delimiter", delimiter, *([] if point else ["--decimal", ","])]
        for model in ("scorecard.json", "logistic.json"):
            asked = ["explain", tmp_path / model, tmp_path / name, "--extra", "-k", "2", "-f", "jsonl"]
            texts[name, model] = output(*asked, *options)
    for model in ("scorecard.json", "logistic.json"):
        assert texts["point.csv", model] == texts["comma.csv", model] == texts["semicolon.csv", model]
    assert "is not a finite number" in error("explain", tmp_path / "scorecard.json", tmp_path / "comma.csv", "--extra")
