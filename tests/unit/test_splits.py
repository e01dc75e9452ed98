"""Splits: files of rows cut into parts, which together are all rows, each once."""

import gzip
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.cluster import splits


def table(rows, first=0):
    codes = np.random.default_rng(first).integers(0, 2, (rows, 2))
    return pa.table({"a": codes[:, 0], "b": codes[:, 1], "id": np.arange(first, first + rows)})


def planned(path, *, part_rows=None, part_bytes=None, keep=("id",), columns=("a", "b"), **options):
    kind, files = splits.find_files(path, options.pop("format", None))
    layout = splits.layout_of(kind, files, columns, keep, **options)
    found = splits.cut(files, layout, part_rows, part_bytes)
    if kind == "csv":
        found = splits.numbered(found, [splits.count_rows(part, layout) for part in found])
    return layout, found


def rows_of(layout, found, batch_rows=7, mark=False):
    batches = [batch for part in found for batch in splits.read(part, layout, batch_rows, mark=mark)]
    assert all(0 < len(batch) <= batch_rows for batch in batches)
    return [row for batch in batches for row in batch.to_pylist()]


@given(
    sizes=st.lists(st.integers(0, 40), min_size=1, max_size=4),
    group=st.integers(1, 15),
    part_rows=st.none() | st.integers(1, 50),
)
def test_parquet_parts_are_all_rows_once(tmp_path_factory, sizes, group, part_rows):
    directory = tmp_path_factory.mktemp("files")
    first, wanted = 0, []
    for i, size in enumerate(sizes):
        one = table(size, first)
        pq.write_table(one, directory / f"f{i}.parquet", row_group_size=group)
        wanted += one.to_pylist()
        first += size
    layout, found = planned(directory, part_rows=part_rows)
    assert [part.first_row for part in found] == np.cumsum([0, *(part.rows for part in found)])[:-1].tolist()
    if part_rows is None:
        assert len(found) == len(sizes)
    else:
        assert all(part.rows <= part_rows or part.end - part.start == 1 for part in found)
    assert rows_of(layout, found) == wanted


@given(
    size=st.integers(0, 60),
    part_bytes=st.none() | st.integers(1, 300),
    end=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    blank=st.booleans(),
)
def test_csv_parts_are_all_rows_once(tmp_path_factory, size, part_bytes, end, last, blank):
    path = tmp_path_factory.mktemp("files") / "rows.csv"
    one = table(size)
    lines = ["id,a,b", *(f"{row['id']},{row['a']},{row['b']}" for row in one.to_pylist())]
    if blank:
        lines.insert(1 + size // 2, "")
    path.write_text(end.join(lines) + end * last, newline="")
    layout, found = planned(path, part_bytes=part_bytes)
    assert part_bytes is not None or len(found) == 1
    assert sum(part.rows for part in found) == size
    assert rows_of(layout, found) == one.to_pylist()


def test_compressed_csv_files_are_read_whole(tmp_path):
    text = "a;b\n" + "0;1\n1;1\n" * 50
    with gzip.open(tmp_path / "rows.csv.gz", "wt") as file:
        file.write(text)
    layout, found = planned(tmp_path, part_bytes=20, keep=(), delimiter=";")
    assert [(part.start, part.end, part.rows) for part in found] == [(0, -1, 100)]
    assert rows_of(layout, found) == [{"a": 0, "b": 1}, {"a": 1, "b": 1}] * 50


def test_text_in_csv_files_is_read_cell_by_cell(tmp_path):
    path = tmp_path / "rows.tsv"
    path.write_text("a\tb\tname\n1\tTrue\t007\n 0 \tfalse\tNA\n1.0\ttrue\tx y\n")
    layout, found = planned(path, keep=["name"])
    assert rows_of(layout, found) == [
        {"a": 1, "b": True, "name": "007"},
        {"a": 0, "b": False, "name": "NA"},
        {"a": 1, "b": True, "name": "x y"},
    ]
    path.write_text("a\tb\tname\n1\t1\tu\n0\tlow\tv\n\t1\tw\n")
    layout, found = planned(path, keep=["name"])
    with pytest.raises(symcf.InstanceError, match="row 2, column 'a': '' is not a value code"):
        rows_of(layout, found)
    codes = [(row["a"], row["b"]) for row in rows_of(layout, found, mark=True)]
    assert codes == [(1, 1), (0, None), (None, 1)]


def test_types_of_csv_columns_can_be_given(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b,id\n1,0,007\n0,1,08\n")
    layout, found = planned(path, types={"id": pa.string()})
    assert [row["id"] for row in rows_of(layout, found)] == ["007", "08"]
    raw, found = planned(path, keep=(), codes=False)
    assert dict(raw.types) == {"a": pa.float64(), "b": pa.float64()}
    assert rows_of(raw, found) == [{"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0}]


def test_line_breaks_in_cells_need_whole_files(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('a,b,id\n1,0,"x\ny"\n0,1,z\n')
    layout, found = planned(path)
    assert [row["id"] for row in rows_of(layout, found)] == ["x\ny", "z"]
    with pytest.raises(symcf.JobError, match=r"rows\.csv: cannot be read"):
        planned(path, part_bytes=7)


def test_categories_are_decoded(tmp_path):
    one = table(5).append_column("kind", pa.array(list("xyxyx")).dictionary_encode())
    pq.write_table(one, tmp_path / "f.parquet")
    layout, found = planned(tmp_path, keep=["kind"])
    assert [row["kind"] for row in rows_of(layout, found)] == list("xyxyx")


def test_files_are_found_by_directory_pattern_and_list(tmp_path, monkeypatch):
    for name in ("b.parquet", "a.parquet", "_hidden.parquet", "_part.parquet.tmp", "notes.txt", "deep/c.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        pq.write_table(table(1), tmp_path / name)
    monkeypatch.chdir(tmp_path)

    def names(source):
        kind, files = splits.find_files(source, None)
        assert kind == "parquet"
        assert all(os.path.isabs(file.path) and file.size > 0 and file.mtime_ns > 0 for file in files)
        return [os.path.relpath(file.path) for file in files]

    assert names(".") == names(tmp_path) == ["a.parquet", "b.parquet", "deep/c.parquet"]
    assert names("?.parquet") == ["a.parquet", "b.parquet"]
    assert names(["b.parquet", tmp_path / "a.parquet"]) == ["b.parquet", "a.parquet"]
    assert splits.find_files(f"file://{tmp_path}/a.parquet", None)[1][0].path == f"file://{tmp_path}/a.parquet"
    assert splits.find_files(f"file://{tmp_path}", None)[1][0].path == f"file://{tmp_path}/a.parquet"


def test_input_that_makes_no_sense_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "rows.csv").write_text("a,b\n0,1\n")
    (tmp_path / "nothing.csv").write_text("")
    (tmp_path / "twice.csv").write_text("a,a,b\n0,0,1\n")
    (tmp_path / "noise.parquet").write_bytes(os.urandom(100))
    pq.write_table(table(3), tmp_path / "rows.parquet")
    cases = [
        ("absent.csv", {}, r"absent\.csv: no such file"),
        ("*.orc", {}, "no files match"),
        ("empty", {}, "no files match"),
        (".", {}, "several formats"),
        ("rows.csv", {"keep": ["id"]}, r"rows\.csv: no column 'id'"),
        ("rows.parquet", {"columns": ["a", "c"]}, r"rows\.parquet: no column 'c'"),
        ("nothing.csv", {}, r"nothing\.csv: cannot be read: the first line"),
        ("twice.csv", {"keep": ()}, r"twice\.csv: two columns are named 'a'"),
        ("noise.parquet", {}, r"noise\.parquet: cannot be read"),
    ]
    for name, options, message in cases:
        with pytest.raises(symcf.JobError, match=message):
            planned(tmp_path / name, **options)
    with pytest.raises(symcf.JobError, match="listed twice"):
        splits.find_files([tmp_path / "rows.csv"] * 2, None)
    with pytest.raises(symcf.OptionError, match="unknown format"):
        splits.find_files(tmp_path, "orc")


def test_a_file_that_shrinks_after_it_was_looked_at_is_named(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n" + "0,1\n" * 20)
    layout, found = planned(path, keep=(), part_bytes=30)
    path.write_text("a,b\n0,1\n")
    with pytest.raises(symcf.JobError, match=r"rows\.csv: cannot be read: the file has changed"):
        rows_of(layout, found)
    pq.write_table(table(20), tmp_path / "rows.parquet", row_group_size=5)
    layout, found = planned(tmp_path / "rows.parquet", part_rows=5)
    pq.write_table(table(20), tmp_path / "rows.parquet")
    with pytest.raises(symcf.JobError, match=r"rows\.parquet: cannot be read: the file has changed"):
        rows_of(layout, found)


def test_parts_are_numbered_in_order():
    parts = [splits.Part("a", 0, 1), splits.Part("a", 1, 2), splits.Part("b", 0, 1)]
    found = splits.numbered(parts, [5, 0, 7])
    assert [(part.rows, part.first_row) for part in found] == [(5, 0), (0, 5), (7, 5)]
    assert splits.numbered([]) == []


@pytest.mark.parametrize("window", [1, 3, 1 << 16])
def test_lines_longer_than_a_window_stay_whole(tmp_path, monkeypatch, window):
    monkeypatch.setattr(splits, "WINDOW", window)
    path = tmp_path / "rows.csv"
    path.write_text("a,b,id\n" + "".join(f"0,1,{'9' * (1 + 5 * i)}\n" for i in range(6)))
    layout, found = planned(path, part_bytes=4, types={"id": pa.string()})
    assert [part.rows for part in found] == [1] * 6 + [0] * (len(found) - 6)
    assert [row["id"] for row in rows_of(layout, found)] == ["9" * (1 + 5 * i) for i in range(6)]


def test_hidden_files_and_the_output_itself_are_no_input(tmp_path):
    for name in ("a.parquet", "_b.parquet", ".c.parquet", "out/d.parquet", "_tmp/e.parquet", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        pq.write_table(table(2), path)
    found = splits.find_files(tmp_path, None, skip=str(tmp_path / "out"))[1]
    assert [file.path for file in found] == [str(tmp_path / "a.parquet")]


def test_row_groups_go_together_up_to_the_limit(tmp_path):
    pq.write_table(table(20), tmp_path / "rows.parquet", row_group_size=4)
    _, found = planned(tmp_path / "rows.parquet", part_rows=8)
    assert [(part.start, part.end, part.rows) for part in found] == [(0, 2, 8), (2, 4, 8), (4, 5, 4)]
