"""Jobs without Dask: checksums of classifiers, files in parts, manifests, locks, files that are whole or not there."""

import dataclasses
import errno
import fractions
import json
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import symcf
from symcf.arrow import output_schema
from symcf.cluster import job_directory, splits
from symcf.common import files
from symcf.demo import admission
from symcf.fast import option_defaults
from symcf.models import rules
from symcf.system.archive import _bytes_of, fingerprint

# --- checksums --------------------------------------------------------------------------------------------------------


def bayes(**changes):
    model = {"prior": 0.3, "p1": [0.4, 0.96], "p0": [0.15, 0.1], "features": ["a", "b"], "classes": ["no", "yes"]}
    return symcf.compile(symcf.NaiveBayes.binary(**{**model, **changes}))


def test_a_checksum_is_the_same_in_every_process():
    code = "import symcf; from symcf.demo import admission; from symcf.system.archive import fingerprint;"
    code += "print(fingerprint(symcf.compile(admission())))"
    seen = {fingerprint(symcf.compile(admission()))}
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        seen.add(done.stdout.strip())
    assert len(seen) == 1
    assert seen.pop().startswith("sha256:")


def rain(wet=(99, 100), **options):
    """A Bayesian network that is read feature by feature, since it has a zero."""
    share = fractions.Fraction(*wet)
    tables = {
        "rain": ["0.8", "0.2"],
        "sprinkler": [["0.6", "0.4"], ["0.99", "0.01"]],
        "grass": [[[1, 0], ["0.1", "0.9"]], [["0.2", "0.8"], [1 - share, share]]],
    }
    nodes = {"rain": ["no", "yes"], "sprinkler": ["off", "on"], "grass": ["dry", "wet"]}
    parents = {"sprinkler": ["rain"], "grass": ["rain", "sprinkler"]}
    return symcf.BayesNet(nodes, parents, tables, target="rain", features=["sprinkler", "grass"], **options)


def test_a_checksum_covers_the_numbers_of_a_bayesian_network():
    assert isinstance(rain().rule(), rules.StateRule)
    different = [rain(), rain((1, 3)), rain(threshold=0.4), rain(tie="negative"), rain(positive="no")]
    assert len({fingerprint(symcf.compile(net)) for net in different}) == len(different)
    assert fingerprint(symcf.compile(rain())) == fingerprint(symcf.compile(rain((990, 1000))))


def test_objects_in_arrays_are_told_by_what_they_are():
    big, same = (np.array([[10**30, fractions.Fraction(1, 3)]], dtype=object) for _ in range(2))
    assert list(_bytes_of(big)) == list(_bytes_of(same))
    assert list(_bytes_of(big)) != list(_bytes_of(big + 1))


def test_functions_have_no_checksum():
    with pytest.raises(symcf.ModelError, match="no checksum"):
        list(_bytes_of(len))


def test_what_does_not_decide_does_not_count():
    c = bayes()
    before = fingerprint(c)
    c.diagram  # noqa: B018  # builds it
    assert fingerprint(c) == before == fingerprint(symcf.compile(c.model, order="natural", max_nodes=100))


def test_whatever_decides_or_names_changes_the_checksum():
    others = [
        bayes(),
        bayes(prior=0.31),
        bayes(p1=[0.4, 0.95]),
        bayes(features=["a", "c"]),
        bayes(classes=["no", "Yes"]),
        bayes(classes=[0, 1]),
        bayes(classes=["0", "1"]),
        bayes(tie="negative"),
        symcf.compile(symcf.Diagram.from_table([0, 1, 1, 0])),
        symcf.compile(symcf.Diagram.from_table([0, 1, 1, 1])),
    ]
    assert len({fingerprint(c) for c in others}) == len(others)


def test_every_kind_of_rule_has_a_checksum():
    offset = np.array([0, 2], dtype=np.uint32)
    zeros = np.zeros((3, 2), dtype=np.int64)
    score = rules.ScoreRule(offset, zeros, zeros[:, 0], 44, False)
    tree = rules.Tree(
        *(np.array([-1], dtype=np.int32) for _ in range(3)), np.zeros(2, np.int64), np.zeros(0, np.uint8), zeros[:1]
    )
    kinds = [score, dataclasses.replace(score, later_wins=True), rules.TreeRule(offset, (tree,), False)]
    kinds += [rules.TreeRule(offset, (tree, tree), False)]
    assert len({b"".join(_bytes_of(rule)) for rule in kinds}) == len(kinds)


def test_bytes_do_not_depend_on_how_the_machine_writes_numbers():
    numbers = np.array([1, 2, 300], dtype=np.int64)
    assert b"".join(_bytes_of(numbers)) == b"".join(_bytes_of(numbers.astype(">i8")))
    assert b"".join(_bytes_of(np.int64(5))) == b"".join(_bytes_of(5))


def test_labels_without_a_stable_name_are_refused():
    class Label:
        pass

    with pytest.raises(symcf.ModelError, match="no checksum"):
        fingerprint(bayes(classes=[Label(), "yes"]))
    assert fingerprint(bayes(classes=[fractions.Fraction(1, 2), ("a", None)]))


# --- manifests --------------------------------------------------------------------------------------------------------

FILES = {"format": "parquet", "files": [["/in/a", 10, 5], ["/in/b", 10, 6]]}
PARTS = splits.numbered([splits.Part("/in/a", 0, 2, 7), splits.Part("/in/a", 2, 3, 1), splits.Part("/in/b", 0, 1, 0)])


def table(rows, first=0):
    codes = np.random.default_rng(first).integers(0, 2, (rows, 2))
    return pa.table({"a": codes[:, 0], "b": codes[:, 1], "id": np.arange(first, first + rows)})


def begun(directory, model="sha256:00", given=None, source=FILES):
    directory.mkdir(exist_ok=True)
    return job_directory.Job.begun(directory, model, given or {"k": 3}, source, PARTS)


def result(rows, first=0):
    columns = [np.arange(first, first + rows), np.zeros(rows, np.int16), ["complete"] * rows, [[[0]]] * rows]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, output_schema(), strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=output_schema())


def write(job, number, batches):
    return job_directory.write_part(job.directory, job.manifest.job, number, output_schema(), batches, "zstd")


def test_a_manifest_comes_back_as_it_was(tmp_path):
    job = begun(tmp_path)
    assert job_directory.Job.read_manifest(tmp_path) == job.manifest
    assert job_directory.Job.resumed(tmp_path, "sha256:00", {"k": 3}, FILES).manifest == job.manifest
    assert job.manifest.rows == 8
    assert job_directory.Job.resumed(tmp_path / "new", "sha256:00", {}, FILES) is None


def test_what_differs_is_said(tmp_path):
    begun(tmp_path)
    other = {"format": "parquet", "files": [["/in/a", 11, 5], ["/in/c", 10, 6]]}
    with pytest.raises(symcf.JobError) as caught:
        job_directory.Job.resumed(tmp_path, "sha256:11", {"target": "yes"}, other)
    text = str(caught.value)
    for part in (
        str(tmp_path),
        "the model has changed",
        "k was 3 and is not given",
        'target was not given and is "yes"',
        "/in/a has changed",
        "/in/b is gone",
        "1 more",
    ):
        assert part in text
    same = ("sha256:00", {"k": 3})
    for source, message in [
        ({**FILES, "files": FILES["files"][::-1]}, "another order"),
        ({**FILES, "format": "csv"}, 'format was "parquet" and is "csv"'),
        ({"dataframe": "x"}, "another DataFrame"),
    ]:
        with pytest.raises(symcf.JobError, match=message):
            job_directory.Job.resumed(tmp_path, *same, source)


def test_parameters_are_what_changes_the_answer():
    given = {"k": np.int64(3), "n_jobs": 4, "max_memory": 9, "errors": "raise", "immutable": ("a", 1)}
    found = job_directory.parameters(
        {**given, "cost": {"b": 2.0, "a": np.float64(1)}, "allowed": {"a": {1, 0}}}, option_defaults(), part_rows=None
    )
    assert json.loads(json.dumps(found)) == found
    assert found == {
        "k": 3,
        "immutable": ["a", 1],
        "cost": {"mapping": [["a", 1.0], ["b", 2.0]]},
        "allowed": {"mapping": [["a", [0, 1]]]},
    }
    assert job_directory.parameters({"immutable": [], "sort": True}, option_defaults()) == {}
    with pytest.raises(symcf.OptionError, match=r"allowed: .*cannot be written"):
        job_directory.parameters({"allowed": {"a": lambda: 1}}, {})


def test_a_manifest_that_cannot_be_read_is_refused(tmp_path):
    job = begun(tmp_path)
    path = tmp_path / job_directory.MANIFEST
    text = path.read_text()
    for damaged in ("", text[:-20], "[]", text.replace('"version": 1', '"version": 99'), text.replace("job", "jab")):
        path.write_text(damaged)
        with pytest.raises(symcf.JobError, match=f"{job_directory.MANIFEST}: cannot be understood"):
            job_directory.Job.read_manifest(tmp_path)
    path.write_text(text)
    assert job_directory.Job.read_manifest(tmp_path) == job.manifest


# --- directories ------------------------------------------------------------------------------------------------------


def test_a_part_is_done_when_it_has_its_name(tmp_path):
    job = begun(tmp_path)
    assert job.missing() == [0, 1, 2]
    done = write(job, 1, [result(1, 7)])
    assert done == job_directory.Done(1, 1, 1, job.path(1).stat().st_size)
    assert job.missing() == [0, 2]
    write(job, 2, [])
    write(job, 0, [result(3), result(4, 3)])
    assert job.missing() == []
    assert pq.read_table(tmp_path).column("row").to_pylist() == list(range(8))
    sealed = [name for i in range(3) for name in (f"_part-00000{i}.sha256", f"part-00000{i}.parquet")]
    assert sorted(os.listdir(tmp_path)) == sorted([job_directory.MANIFEST, *sealed])


def test_damaged_parts_are_done_again_and_strange_ones_refused(tmp_path):
    job = begun(tmp_path)
    write(job, 0, [result(7)])
    write(job, 1, [result(1)])
    data = job.path(0).read_bytes()
    job.path(0).write_bytes(data[:-30])
    assert job.missing() == [0, 2]
    write(job, 0, [result(7)])
    os.replace(job.path(1), job.path(2))
    with pytest.raises(symcf.JobError, match=r"part-000002\.parquet is not a result of this job"):
        job.missing()
    pq.write_table(table(3), job.path(2))
    with pytest.raises(symcf.JobError, match=r"part-000002\.parquet is not a result of this job"):
        job.missing()
    job.path(2).unlink()
    pq.write_table(table(3), tmp_path / "mine.parquet")
    with pytest.raises(symcf.JobError, match=r"mine\.parquet is not a result of this job"):
        job_directory.Job.resumed(tmp_path, "sha256:00", {"k": 3}, FILES)


def test_a_flipped_bit_anywhere_in_a_part_is_noticed(tmp_path):
    """Also where no footer tells: in the middle of a column."""
    job = begun(tmp_path)
    write(job, 0, [result(7)])
    write(job, 1, [result(1)])
    write(job, 2, [])
    data = job.path(0).read_bytes()
    for place in range(0, len(data), 7):
        job.path(0).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert job.missing() == [0], place
    job.path(0).write_bytes(data + b"x")
    assert job.missing() == [0]
    job.path(0).write_bytes(data)
    assert job.missing() == []


@pytest.mark.parametrize("seal", [None, b"", b"[]", b"{}", b'{"job": 1', b"\xff", b'{"sha256": "00"}'])
def test_a_part_without_its_checksum_is_done_again(tmp_path, seal):
    """As in directories of before there were checksums."""
    job = begun(tmp_path)
    write(job, 0, [result(7)])
    path = tmp_path / "_part-000000.sha256"
    if seal is None:
        path.unlink()
    else:
        path.write_bytes(seal)
    assert job.missing() == [0, 1, 2]
    write(job, 0, [result(7)])
    assert job.missing() == [1, 2]


def test_whoever_dies_before_a_part_has_its_name_has_not_done_it(tmp_path, monkeypatch):
    """The checksum is there by then: of a part that is missing, or of one that is about to be replaced."""
    job = begun(tmp_path)
    for before in (None, b"damaged"):
        if before is not None:
            write(job, 0, [result(7)])
            job.path(0).write_bytes(before)
        with monkeypatch.context() as patch:
            real = os.replace

            def dying(source, target, real=real):
                if str(target).endswith(".parquet"):
                    raise KeyboardInterrupt
                real(source, target)

            patch.setattr(os, "replace", dying)
            with pytest.raises(KeyboardInterrupt):
                write(job, 0, [result(7)])
        assert (tmp_path / "_part-000000.sha256").exists()
        assert job.missing() == [0, 1, 2]


def test_the_checksum_of_a_replaced_part_does_not_count(tmp_path):
    job = begun(tmp_path)
    write(job, 0, [result(7)])
    old = (tmp_path / "_part-000000.sha256").read_bytes()
    write(job, 0, [result(7, 1)])
    assert job.missing() == [1, 2]
    (tmp_path / "_part-000000.sha256").write_bytes(old)
    assert job.missing() == [0, 1, 2]


def test_a_job_does_not_begin_among_other_files(tmp_path):
    pq.write_table(table(3), tmp_path / "part-000000.parquet")
    with pytest.raises(symcf.JobError, match=r"part-000000\.parquet is not a result of this job"):
        begun(tmp_path)
    assert os.listdir(tmp_path) == ["part-000000.parquet"]


def test_what_fails_leaves_nothing_behind(tmp_path):
    job = begun(tmp_path)

    def failing():
        yield result(3)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write(job, 0, failing())
    assert os.listdir(tmp_path) == [job_directory.MANIFEST]
    (tmp_path / "_part-000000.parquet.0123.tmp").write_bytes(b"from someone who died")
    assert job.missing() == [0, 1, 2]
    job.clean()
    assert os.listdir(tmp_path) == [job_directory.MANIFEST]


def test_a_full_disk_is_named_and_the_manifest_stays(tmp_path, monkeypatch):
    job = begun(tmp_path)
    before = (tmp_path / job_directory.MANIFEST).read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "_flush", full)
    with pytest.raises(symcf.JobError, match=r"part-000000\.parquet: cannot be written: No space left on device"):
        write(job, 0, [result(7)])
    assert os.listdir(tmp_path) == [job_directory.MANIFEST]
    assert (tmp_path / job_directory.MANIFEST).read_bytes() == before
    with pytest.raises(symcf.JobError, match=rf"{job_directory.MANIFEST}: cannot be written: No space left"):
        begun(tmp_path / "other")
    assert os.listdir(tmp_path / "other") == []


def test_a_directory_that_is_not_there_or_is_a_file(tmp_path):
    job = begun(tmp_path / "job")
    gone = job_directory.Job(tmp_path / "gone", job.manifest)
    with pytest.raises(symcf.JobError, match="gone: a worker cannot see this directory"):
        write(gone, 0, [result(7)])
    (tmp_path / "file").write_text("")
    with pytest.raises(symcf.JobError, match="file: cannot be written"), job_directory.locked(tmp_path / "file"):
        pass


@pytest.mark.long
def test_one_at_a_time(tmp_path):
    target = tmp_path / "new" / "job"
    with job_directory.locked(target):
        message = rf"another job is running here \(process {os.getpid()} on "
        with pytest.raises(symcf.JobError, match=message), job_directory.locked(target):
            pass
        code = "import sys, pathlib, symcf.cluster.job_directory as j\nwith j.locked(pathlib.Path(sys.argv[1])): pass"
        other = subprocess.run([sys.executable, "-c", code, target], capture_output=True, text=True)
        assert other.returncode == 1
        assert "another job is running here" in other.stderr
    with job_directory.locked(target):
        pass


@pytest.mark.long
def test_the_lock_of_the_dead_is_free(tmp_path):
    code = "import os, sys, pathlib, symcf.cluster.job_directory as j\n"
    code += "with j.locked(pathlib.Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", code, tmp_path]).returncode == -9
    with job_directory.locked(tmp_path):
        pass
