"""Batches on Dask: the same rows as on one machine, whoever dies on the way."""

import contextlib
import os
import pathlib
import pickle
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dask.callbacks import Callback

import symcf
import symcf.cluster
from symcf.arrow import explain_batches, output_schema
from symcf.cluster import job_directory, work
from symcf.demo import admission

distributed = pytest.importorskip("distributed")

# Dask's reader of Parquet does what pandas 3.1 no longer likes.
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame:DeprecationWarning")

N_FILES, FILE_ROWS, GROUP = 4, 900, 200


@pytest.fixture(scope="module")
def c():
    return symcf.compile(admission())


def random_table(c, rows, seed):
    codes = np.random.default_rng(seed).integers(0, 2, (rows, c.n_features), dtype=np.int8)
    ids = [f"id{seed}-{i}" for i in range(rows)]
    return pa.table({"id": ids, **{name: codes[:, j] for j, name in enumerate(c.features)}, "noise": ids})


@pytest.fixture(scope="module")
def tables(c):
    return [random_table(c, FILE_ROWS, i) for i in range(N_FILES)]


@pytest.fixture(scope="module")
def files(tables, tmp_path_factory):
    directory = tmp_path_factory.mktemp("input")
    for i, table in enumerate(tables):
        pq.write_table(table, directory / f"rows{i}.parquet", row_group_size=GROUP)
    return directory


@pytest.fixture(scope="module")
def csv_files(tables, tmp_path_factory):
    directory = tmp_path_factory.mktemp("csv")
    for i, table in enumerate(tables):
        table.to_pandas().to_csv(directory / f"rows{i}.csv", index=False)
    return directory


def on_one_machine(c, tables, keep=(), **options):
    """The whole result, from a single batch."""
    whole = pa.concat_tables(tables).select([*c.features, *keep]).combine_chunks()
    return pa.Table.from_batches(explain_batches(c, [whole], keep=keep, **options))


@pytest.fixture(scope="module")
def wanted(c, tables):
    return on_one_machine(c, tables, keep=["id"])


def written(directory):
    """What any reader of Parquet finds in the directory."""
    return pq.read_table(directory).replace_schema_metadata(None)


def as_arrow(frame):
    columns = pa.Table.from_pandas(frame, preserve_index=False)
    return columns.replace_schema_metadata(None).cast(output_schema([pa.field("id", pa.string())]))


#: Processes start slowly on a busy machine. Workers get this configuration, too.
PATIENT = {
    "distributed.comm.timeouts.connect": "500s",
    "distributed.comm.timeouts.tcp": "500s",
    "distributed.deploy.lost-worker-timeout": "500s",
    "distributed.scheduler.worker-ttl": None,
}


class Clusters:
    """Two workers. If a test has killed one, the next test gets two others: distributed starts a dead worker again,
    but at times never ends doing so.
    """

    def __init__(self):
        self.stack, self.client, self.pids = contextlib.ExitStack(), None, set()

    def with_two_workers(self):
        if not self.pids or not all(map(_is_alive, self.pids)):
            self.stack.close()
            cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
            self.stack.enter_context(cluster)
            self.client = self.stack.enter_context(distributed.Client(cluster, set_as_default=False))
            self.pids = set(self.client.run(os.getpid).values())
        return self.client


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module")
def clusters():
    made = Clusters()
    with dask.config.set(PATIENT), contextlib.closing(made.stack):
        yield made


@pytest.fixture
def cluster(clusters):
    return clusters.with_two_workers()


# --- DataFrames -------------------------------------------------------------------------------------------------------


def test_a_cluster_says_what_one_machine_says(c, files, wanted, cluster):
    lazy = symcf.cluster.explain(c, files, keep=["id"], part_rows=450)
    assert lazy.npartitions == N_FILES * 3
    assert len(cluster.nthreads()) == 2
    found = cluster.compute(lazy).result()
    assert as_arrow(found).equals(wanted)
    assert found.index.tolist() == found["row"].tolist() == list(range(N_FILES * FILE_ROWS))
    who = cluster.run(os.getpid)
    assert len(set(who.values())) == 2


def test_the_frame_is_what_it_says_it_is(c, files, wanted):
    lazy = symcf.cluster.explain(c, files, keep=["id"])
    assert list(lazy.columns) == [*output_schema().names, "id"]
    assert lazy.divisions == (0, 900, 1800, 2700, 3599)
    found = lazy.compute(scheduler="threads")
    pd.testing.assert_series_equal(found.dtypes, lazy.dtypes)
    assert found.dtypes["sets"] == pd.ArrowDtype(pa.list_(pa.list_(pa.int32())))
    assert as_arrow(lazy.loc[1000:1001].compute(scheduler="threads")).equals(wanted.slice(1000, 2))
    assert symcf.cluster.explain(c, files, keep=["id"])._name == lazy._name
    assert symcf.cluster.explain(c, files, keep=["id"], k=1)._name != lazy._name


def test_the_frame_can_be_written(c, files, wanted, tmp_path):
    lazy = symcf.cluster.explain(c, files, keep=["id"])
    with dask.config.set(scheduler="threads"):
        lazy.to_parquet(tmp_path, write_index=False)
    assert written(tmp_path).cast(wanted.schema).equals(wanted)


@pytest.mark.parametrize("part_bytes", [None, 5_000])
def test_csv_files(c, csv_files, wanted, part_bytes):
    lazy = symcf.cluster.explain(c, f"{csv_files}/*.csv", keep=["id"], part_bytes=part_bytes)
    assert (lazy.npartitions == N_FILES) == (part_bytes is None)
    assert as_arrow(lazy.compute(scheduler="threads")).equals(wanted)


def test_a_dask_frame_keeps_its_index(c, files, tables, wanted):
    whole = pa.concat_tables(tables).to_pandas()
    whole.index = pd.Index([f"r{i:05d}" for i in range(len(whole))], name="key")
    lazy = symcf.cluster.explain(c, dd.from_pandas(whole, npartitions=5), keep=["id"])
    found = lazy.compute(scheduler="threads")
    assert found.index.tolist() == whole.index.tolist()
    assert found.index.name == lazy.index.name == "key"
    assert as_arrow(found).equals(wanted)
    assert lazy.known_divisions
    joined = dd.from_pandas(whole, npartitions=5).join(lazy[["prediction"]]).compute(scheduler="threads")
    assert joined["prediction"].tolist() == found["prediction"].tolist()


def test_a_dask_frame_of_files(c, files, wanted):
    source = dd.read_parquet(files)
    lazy = symcf.cluster.explain(c, source, keep=["id"], lengths=True, batch_rows=100)
    assert as_arrow(lazy.compute(scheduler="threads")).equals(wanted)
    part = symcf.cluster.explain(c, source, lengths=False).compute(scheduler="threads")
    assert part["row"].max() < len(wanted)
    assert sorted(map(str, part["sets"])) == sorted(map(str, found_sets(wanted)))
    lengths = symcf.cluster.explain(c, dd.from_pandas(wide(c, 10), npartitions=2), lengths=[100, 5])
    assert lengths.compute(scheduler="threads")["row"].tolist() == [*range(5), *range(100, 105)]


def found_sets(table):
    return pd.Series(table.column("sets"), dtype=pd.ArrowDtype(table.schema.field("sets").type))


def wide(c, rows):
    return random_table(c, rows, 1).to_pandas()


def test_keywords_reach_the_engine(c, files, tables):
    for options in ({"k": 1}, {"target": "admitted"}, {"immutable": ["GPA"], "n_jobs": 2}, {"engine": "diagram"}):
        lazy = symcf.cluster.explain(c, files, keep=["id"], **options)
        assert as_arrow(lazy.compute(scheduler="threads")).equals(on_one_machine(c, tables, ["id"], **options))


def test_keywords_of_each_row_are_columns(c, tables, tmp_path):
    fixed = [[c.features[i % 4]] if i % 3 else None for i in range(FILE_ROWS)]
    most = [None if i % 5 else 1 for i in range(FILE_ROWS)]
    table = tables[0].append_column("fixed", pa.array(fixed)).append_column("most", pa.array(most))
    pq.write_table(table, tmp_path / "rows.parquet", row_group_size=GROUP)
    by_row = {"immutable": "fixed", "max_changes": "most"}
    found = symcf.cluster.explain(c, tmp_path, by_row=by_row, keep=["id"]).compute(scheduler="synchronous")
    codes = np.array([table[name].to_pylist() for name in c.features]).T
    wanted = symcf.fast.explain_batch(c, codes, immutable=fixed, max_changes=most)
    assert [[tuple(s) for s in sets] for sets in found["sets"]] == [list(e.sets) for e in wanted]
    report = symcf.cluster.explain_to_parquet(c, tmp_path / "rows.parquet", tmp_path / "out", by_row=by_row)
    assert report.rows == FILE_ROWS
    with pytest.raises(symcf.JobError):
        symcf.cluster.explain_to_parquet(c, tmp_path / "rows.parquet", tmp_path / "out")


def test_bad_rows_are_named_or_marked(c, tables, tmp_path):
    bad = tables[1].to_pandas()
    bad.loc[500, "GPA"] = 7
    pq.write_table(tables[0], tmp_path / "good.parquet")
    pq.write_table(pa.Table.from_pandas(bad), tmp_path / "later.parquet", row_group_size=GROUP)
    for batch_rows in (10, 50_000):
        lazy = symcf.cluster.explain(c, tmp_path, batch_rows=batch_rows)
        with pytest.raises(symcf.InstanceError, match=r"later\.parquet: row 1400, column 'GPA': 7 is not") as caught:
            lazy.compute(scheduler="threads")
        assert caught.value.row == 1400
    marked = symcf.cluster.explain(c, tmp_path, errors="mark").compute(scheduler="threads")
    assert marked.index[marked["status"] == "invalid"].tolist() == [1400]
    with pytest.raises(symcf.InstanceError, match="partition 0: row 500, column 'GPA': 7 is not"):
        symcf.cluster.explain(c, dd.from_pandas(bad, npartitions=1)).compute(scheduler="threads")


def test_bad_cells_of_csv_files_are_named_or_marked(c, tables, tmp_path):
    bad = tables[1].to_pandas().astype(object)
    bad.loc[500, "GPA"] = "good"
    tables[0].to_pandas().to_csv(tmp_path / "a.csv", index=False)
    bad.to_csv(tmp_path / "b.csv", index=False)
    lazy = symcf.cluster.explain(c, tmp_path, part_bytes=3_000)
    with pytest.raises(symcf.InstanceError, match=r"b\.csv: row 1400, column 'GPA': 'good' is not a value code"):
        lazy.compute(scheduler="threads")
    marked = symcf.cluster.explain(c, tmp_path, part_bytes=3_000, errors="mark").compute(scheduler="threads")
    assert marked.index[marked["status"] == "invalid"].tolist() == [1400]


def test_empty_files_are_empty_parts(c, tables, tmp_path):
    pq.write_table(tables[0].slice(0, 0), tmp_path / "a.parquet")
    lazy = symcf.cluster.explain(c, tmp_path, keep=["id"])
    assert len(lazy.compute(scheduler="threads")) == 0
    pq.write_table(tables[0], tmp_path / "b.parquet")
    report = symcf.cluster.explain_to_parquet(c, tmp_path, tmp_path / "_out", keep=["id"], scheduler="threads")
    assert (report.parts, report.rows) == (2, FILE_ROWS)
    assert written(tmp_path / "_out").equals(on_one_machine(c, tables[:1], ["id"]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k must be"),
        ({"immutable": ["age"]}, "age"),
        ({"batch_rows": 0}, "batch_rows"),
        ({"part_rows": 0}, "part_rows"),
        ({"keep": "id"}, "keep must be a list"),
        ({"keep": ["GPA"]}, "'GPA' is a column that the classifier reads"),
        ({"keep": ["row"]}, "column 'row' of its own"),
        ({"progress": True}, "progress"),
    ],
)
def test_nonsense_is_refused_before_anything_is_done(c, files, options, message):
    with pytest.raises(symcf.OptionError, match=message):
        symcf.cluster.explain(c, files, **options)


def test_the_wrong_things_are_refused(c, files, tmp_path):
    with pytest.raises(TypeError, match="unexpected keyword"):
        symcf.cluster.explain(c, files, speed="fast")
    with pytest.raises(TypeError, match="compiled classifier"):
        symcf.cluster.explain(c.model, files)
    with pytest.raises(TypeError, match="source must be a Dask DataFrame or paths, not DataFrame"):
        symcf.cluster.explain(c, wide(c, 3))
    with pytest.raises(symcf.InstanceError, match="no column 'GPA'"):
        symcf.cluster.explain(c, dd.from_pandas(wide(c, 3).drop(columns="GPA"), npartitions=1))
    out = tmp_path / "out"
    for options, message in [
        ({"compression": "zip"}, "compression"),
        ({"scheduler": "gpu"}, "unknown scheduler"),
        ({"lengths": False}, "lengths"),
        ({"progress": 3}, "progress"),
    ]:
        with pytest.raises(symcf.OptionError, match=message):
            symcf.cluster.explain_to_parquet(c, files, out, **options)
    with pytest.raises(symcf.OptionError, match="not a path of a file system"):
        symcf.cluster.explain_to_parquet(c, files, "s3://bucket/out")
    with pytest.raises(symcf.OptionError, match="2 numbers for 1 partitions"):
        symcf.cluster.explain(c, dd.from_pandas(wide(c, 3), npartitions=1), lengths=[1, 2])


# --- the classifier on its way ----------------------------------------------------------------------------------------


class Traveller(symcf.Compiled):
    """Leaves a note whenever it is unpickled."""

    notes = None

    def __setstate__(self, state):
        super().__setstate__(state)
        descriptor = os.open(state["notes"], os.O_APPEND | os.O_WRONLY | os.O_CREAT)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        os.close(descriptor)


def test_the_classifier_travels_once_to_each_worker(c, files, cluster, tmp_path):
    traveller = Traveller(c.model, c.order, c.limits)
    traveller.notes = str(tmp_path / "notes")
    cluster.run(_known, __file__)
    report = symcf.cluster.explain_to_parquet(traveller, files, tmp_path / "out", part_rows=GROUP, client=cluster)
    assert report.parts == 20
    pids = (tmp_path / "notes").read_text().split()
    assert len(pids) == len(set(pids)) <= 2
    assert set(map(int, pids)) <= set(cluster.run(os.getpid).values())


class Deadly(symcf.Compiled):
    """Ends every process that it is sent to."""

    home = 0

    def __setstate__(self, state):
        super().__setstate__(state)
        if os.getpid() != self.home:
            os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.long
def test_a_task_that_kills_its_workers_ends_the_job(c, files, cluster, tmp_path):
    deadly = Deadly(c.model, c.order, c.limits)
    deadly.home = os.getpid()
    cluster.run(_known, __file__)
    before = cluster.run_on_scheduler(_allow_failures, 0)
    with pytest.raises(symcf.JobError, match=r"the workers that tried it died.*lower batch_rows"):
        symcf.cluster.explain_to_parquet(deadly, files, tmp_path, client=cluster)
    cluster.run_on_scheduler(_allow_failures, before)
    assert job_directory.Job.read_manifest(tmp_path).rows == N_FILES * FILE_ROWS


def _allow_failures(number, dask_scheduler):
    before, dask_scheduler.allowed_failures = dask_scheduler.allowed_failures, number
    return before


def _known(path):
    """Makes this module known to a worker, which did not start where pytest did."""
    import importlib.util
    import pathlib

    sys.path.insert(0, str(pathlib.Path(path).parent))
    name = pathlib.Path(path).stem
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


def test_the_classifier_is_small(monkeypatch):
    rng = np.random.default_rng(0)
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(18), p0=rng.random(18)))
    plain = len(work._pickled(symcf.compile(c.model), {}))
    assert plain < 10_000
    assert len(work._pickled(c, {})) == plain
    c.diagram.with_bdd(lambda bdd: bdd.size)  # CUDD's manager is there
    assert len(work._pickled(c, {})) < 100_000 + c.diagram.nbytes
    monkeypatch.setattr(work, "SMALL", 1000)
    assert len(work._pickled(c, {})) == plain  # without the diagram, which 'cover' does not need
    assert len(work._pickled(c, {"engine": "diagram"})) > plain
    boolean = symcf.compile(symcf.Diagram.from_table([0, 1, 1, 0]))
    assert pickle.loads(work._pickled(boolean, {})).explain([0, 1]).sets == [(0,), (1,)]


def test_tasks_carry_neither_rows_nor_the_classifier(c, files):
    lazy = symcf.cluster.explain(c, files, part_rows=GROUP)
    graph = dict(lazy.optimize().__dask_graph__())
    models = [key for key in graph if str(key).startswith("symcf-model")]
    assert len(models) == 1
    each = [len(pickle.dumps(task)) for key, task in graph.items() if key not in models]
    assert max(each) < 4_000


# --- jobs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_a_job_writes_every_row_once(c, files, wanted, tmp_path, scheduler):
    seen = []
    report = symcf.cluster.explain_to_parquet(
        c,
        files,
        tmp_path / "new" / "out",
        keep=["id"],
        part_rows=450,
        scheduler=scheduler,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert written(report.directory).equals(wanted)
    assert (report.parts, report.parts_now, report.rows, report.rows_now) == (12, 12, len(wanted), len(wanted))
    assert report.sets_now == sum(map(len, wanted.column("sets").to_pylist()))
    assert report.bytes_now == sum(path.stat().st_size for path in report.directory.glob("*.parquet"))
    assert 0 < report.model_bytes < 10_000
    assert str(report).startswith("3,600 rows in 12 parts in ")
    assert seen == sorted(seen)
    assert seen[0] == (0, len(wanted))
    assert seen[-1] == (len(wanted), len(wanted))
    again = symcf.cluster.explain_to_parquet(c, files, report.directory, keep=["id"], part_rows=450, progress=True)
    assert (again.parts, again.parts_now, again.sets_now) == (12, 0, 0)
    assert "(12 were finished before)" in str(again)


@pytest.mark.long
def test_a_job_on_a_cluster_in_processes_and_from_a_frame(c, files, csv_files, wanted, cluster, tmp_path):
    inputs = {
        "parquet": (files, {"client": cluster}),
        "csv": (csv_files, {"client": cluster, "part_bytes": 20_000}),
        "frame": (dd.read_parquet(files), {"client": cluster}),
        "here": (dd.read_parquet(files), {"scheduler": "threads"}),
    }
    for name, (source, options) in inputs.items():
        report = symcf.cluster.explain_to_parquet(c, source, tmp_path / name, keep=["id"], **options)
        assert written(report.directory).cast(wanted.schema).equals(wanted), name  # pandas has large strings
        again = symcf.cluster.explain_to_parquet(c, source, tmp_path / name, keep=["id"], **options)
        assert again.parts_now == 0, name


def test_the_active_client_is_used(c, files, wanted, cluster, tmp_path):
    with cluster.as_current():
        report = symcf.cluster.explain_to_parquet(c, files, tmp_path, keep=["id"])
        assert as_arrow(symcf.cluster.explain(c, files, keep=["id"]).compute()).equals(wanted)
    assert written(tmp_path).equals(wanted)
    assert report.parts == N_FILES
    with pytest.raises(symcf.OptionError, match="not both"):
        symcf.cluster.explain_to_parquet(c, files, tmp_path, client=cluster, scheduler="threads")


def test_a_second_run_does_what_is_missing(c, files, wanted, tmp_path):
    options = {"keep": ["id"], "part_rows": 450, "scheduler": "threads"}
    symcf.cluster.explain_to_parquet(c, files, tmp_path, **options)
    for number in (0, 5, 11):
        (tmp_path / f"part-{number:06d}.parquet").unlink()
    (tmp_path / "_part-000005.parquet.abc.tmp").write_bytes(b"half")
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("part-*")}
    seen = []
    again = symcf.cluster.explain_to_parquet(c, files, tmp_path, progress=lambda *a: seen.append(a[0]), **options)
    assert again.parts_now == 3
    assert seen[0] == len(wanted) - again.rows_now
    assert all((tmp_path / name).stat().st_mtime_ns == time_ for name, time_ in before.items())
    assert written(tmp_path).equals(wanted)
    assert not list(tmp_path.glob("_*.tmp"))


def test_another_job_is_refused(c, tables, tmp_path):
    source, out = tmp_path / "in.parquet", tmp_path / "out"
    pq.write_table(tables[0], source)
    options = {"k": 2, "scheduler": "threads", "immutable": ["GPA"]}
    symcf.cluster.explain_to_parquet(c, source, out, **options)
    manifest = (out / job_directory.MANIFEST).read_bytes()
    other = symcf.compile(symcf.NaiveBayes.binary(prior=0.31, p1=[0.5] * 4, p0=[0.4] * 4, features=c.features))

    def refused(message, classifier=c, **changes):
        with pytest.raises(symcf.JobError, match=message):
            symcf.cluster.explain_to_parquet(classifier, source, out, **{**options, **changes})
        assert (out / job_directory.MANIFEST).read_bytes() == manifest

    refused("the model has changed", other)
    refused("k was 2 and is 3", k=3)
    refused('immutable was \\["GPA"\\] and is \\["entrance exam"\\]', immutable=["entrance exam"])
    refused("part_rows was 1000000 and is 5", part_rows=5)
    refused("keep was .* and is", keep=["id"])
    refused('compression was "zstd" and is "lz4"', compression="lz4")
    refused('order was "influence" and is "natural"', symcf.compile(c.model, order="natural"))
    symcf.cluster.explain_to_parquet(c, source, out, **options, n_jobs=2, batch_rows=10, max_memory=10**9, part_bytes=3)
    pq.write_table(tables[1], source)
    refused(r"in\.parquet has changed")


def test_unreadable_input_is_one_clear_error(c, tables, wanted, tmp_path):
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for i, table in enumerate(tables):
        pq.write_table(table, source / f"rows{i}.parquet", row_group_size=GROUP)
    data = (source / "rows2.parquet").read_bytes()
    damaged = source / "rows2.parquet"
    damaged.write_bytes(data[:100] + b"\xff" * 2000 + data[2100:])  # the footer is fine, the rows are not
    when = damaged.stat().st_mtime_ns
    for _ in range(2):
        with pytest.raises(symcf.JobError, match=r"rows2\.parquet: cannot be read: "):
            symcf.cluster.explain_to_parquet(c, source, out, keep=["id"], scheduler="synchronous")
        assert job_directory.Job.read_manifest(out).rows == len(wanted)
        assert len(list(out.glob("*.parquet"))) <= 3  # whatever came before the damaged one
        assert not list(out.glob("_*.tmp"))
    damaged.write_bytes(data)
    os.utime(damaged, ns=(when, when))
    report = symcf.cluster.explain_to_parquet(c, source, out, keep=["id"], scheduler="threads")
    assert report.parts_now < N_FILES
    assert written(out).equals(wanted)


def test_an_error_stops_the_other_threads(c, tables, tmp_path):
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for i in range(6):
        table = tables[i % N_FILES].to_pandas()
        if i == 3:
            table["GPA"] = 7
        pq.write_table(pa.Table.from_pandas(table), source / f"rows{i}.parquet")
    with pytest.raises(symcf.InstanceError, match=r"rows3\.parquet: row 2700"), dask.config.set(num_workers=3):
        symcf.cluster.explain_to_parquet(c, source, out, scheduler="threads", batch_rows=50)
    assert not list(out.glob("_*.tmp"))
    assert not any(thread.name.startswith("symcf-dask") for thread in threading.enumerate())
    assert not symcf.cluster.runs._stopped


def test_errors_come_back_from_a_cluster(c, tables, cluster, tmp_path):
    bad = tables[0].to_pandas()
    bad.loc[3, "GPA"] = 7
    pq.write_table(pa.Table.from_pandas(bad), tmp_path / "bad.parquet")
    with pytest.raises(symcf.InstanceError, match=r"bad\.parquet: row 3, column 'GPA': 7") as caught:
        symcf.cluster.explain_to_parquet(c, tmp_path / "bad.parquet", tmp_path / "out", client=cluster)
    assert caught.value.row == 3
    assert (tmp_path / "out" / job_directory.MANIFEST).exists()
    assert not list((tmp_path / "out").glob("*part*"))


def test_two_runs_at_a_time_are_refused(c, files, tmp_path):
    with job_directory.locked(tmp_path), pytest.raises(symcf.JobError, match="another job is running here"):
        symcf.cluster.explain_to_parquet(c, files, tmp_path)


def test_results_are_not_taken_for_input(c, tables, tmp_path):
    pq.write_table(tables[0], tmp_path / "rows.parquet")
    for there in (0, 1):
        report = symcf.cluster.explain_to_parquet(c, tmp_path, tmp_path / "out", scheduler="threads")
        assert (report.parts, report.parts_now) == (1, 1 - there)


@pytest.mark.parametrize("where", ["threads", "cluster"])
def test_a_job_can_be_interrupted(slow, slow_files, slow_wanted, cluster, tmp_path, where):
    options = {"client": cluster} if where == "cluster" else {"scheduler": "threads"}

    def interrupt(done, total):
        if done:  # as soon as one part is there: on a busy machine the others may be, by the time that this is called
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        symcf.cluster.explain_to_parquet(slow, slow_files, tmp_path, batch_rows=200, progress=interrupt, **options)
    if where == "threads":
        assert not list(tmp_path.glob("_*.tmp"))
    assert len(list(tmp_path.glob("part-*"))) < SLOW_PARTS
    report = symcf.cluster.explain_to_parquet(slow, slow_files, tmp_path, **options)
    assert 0 < report.parts_now < SLOW_PARTS
    assert written(tmp_path).equals(slow_wanted)


def test_the_page_on_scaling_runs(c, files, wanted, tmp_path, monkeypatch):
    page = pathlib.Path(__file__).parents[2] / "docs" / "scaling.md"
    code = page.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    shutil.copytree(files, tmp_path / "rows")
    monkeypatch.chdir(tmp_path)
    names = {"c": c, "symcf": symcf}
    exec(code, names)
    assert list(names["ddf"].columns) == ["row", "prediction", "status", "sets", "id"]
    assert written("answers").equals(wanted)


def test_distributed_need_not_be_there(c, files, wanted, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)  # as if it were not installed
    report = symcf.cluster.explain_to_parquet(c, files, tmp_path, keep=["id"])
    assert written(report.directory).equals(wanted)
    assert as_arrow(symcf.cluster.explain(c, files, keep=["id"]).compute()).equals(wanted)


def ran(script, prefix=(), check=True):
    done = subprocess.run([*prefix, sys.executable, "-c", script], capture_output=True, text=True, timeout=500)
    if check:
        assert done.returncode == 0, done.stderr
        return done.stdout
    return done


# --- deaths and disks -------------------------------------------------------------------------------------------------

#: Enough work that something is always being written: 14 features, 20 parts.
SLOW = """
    import os, signal, sys
    import numpy as np, pyarrow as pa, pyarrow.parquet as pq
    import symcf, symcf.cluster

    def classifier():
        rng = np.random.default_rng(0)
        return symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(14), p0=rng.random(14)))
"""
SLOW_ROWS, SLOW_PARTS = 2_000, 20


def with_slow(script):
    return textwrap.dedent(SLOW) + textwrap.dedent(script)


@pytest.fixture(scope="module")
def slow():
    names = {}
    exec(textwrap.dedent(SLOW), names)
    return names["classifier"]()


@pytest.fixture(scope="module")
def slow_tables(slow):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (SLOW_PARTS, SLOW_ROWS, 14), dtype=np.int8)
    return [pa.table({name: part[:, j] for j, name in enumerate(slow.features)}) for part in codes]


@pytest.fixture(scope="module")
def slow_files(slow_tables, tmp_path_factory):
    directory = tmp_path_factory.mktemp("slow")
    for i, table in enumerate(slow_tables):
        pq.write_table(table, directory / f"rows{i:02d}.parquet")
    return directory


@pytest.fixture(scope="module")
def slow_wanted(slow, slow_tables):
    return on_one_machine(slow, slow_tables)


@pytest.mark.long
def test_a_worker_may_die_in_the_middle(slow, slow_files, slow_wanted, cluster, tmp_path):
    victims = list(cluster.run(os.getpid).values())
    killed = []

    def kill(done, total):
        if done >= total / 5 and not killed:
            killed.append(victims[0])
            os.kill(victims[0], signal.SIGKILL)

    report = symcf.cluster.explain_to_parquet(slow, slow_files, tmp_path, client=cluster, batch_rows=200, progress=kill)
    assert killed
    assert report.parts_now == SLOW_PARTS
    assert written(tmp_path).equals(slow_wanted)
    assert not list(tmp_path.glob("_*.tmp"))
    # whether and when the other worker is started again is the business of distributed, which at times never does it
    assert killed[0] not in cluster.run(os.getpid, on_error="ignore").values()


def check_second_run(slow, slow_files, slow_wanted, out, least=1):
    """The job was cut off in `out`: some parts are there, and the second run adds the others."""
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("part-*")}
    assert least <= len(before) < SLOW_PARTS
    manifest = (out / job_directory.MANIFEST).read_bytes()
    report = symcf.cluster.explain_to_parquet(slow, slow_files, out, scheduler="threads", batch_rows=200)
    assert report.parts_now == SLOW_PARTS - len(before)
    assert (out / job_directory.MANIFEST).read_bytes() == manifest
    assert all((out / name).stat().st_mtime_ns == time_ for name, time_ in before.items())
    assert written(out).equals(slow_wanted)
    assert not list(out.glob("_*.tmp"))


@pytest.mark.long
def test_the_process_may_die_in_the_middle(slow, slow_files, slow_wanted, tmp_path):
    script = f"""
        def die(done, total):
            if done >= total / 4:
                os.kill(os.getpid(), signal.SIGKILL)

        symcf.cluster.explain_to_parquet(
            classifier(), {str(slow_files)!r}, {str(tmp_path)!r}, scheduler="threads", batch_rows=200, progress=die
        )
    """
    assert ran(with_slow(script), check=False).returncode == -signal.SIGKILL
    check_second_run(slow, slow_files, slow_wanted, tmp_path)


@pytest.mark.long
def test_process_and_cluster_may_die_in_the_middle(slow, slow_files, slow_wanted, tmp_path):
    script = f"""
        if __name__ == "__main__":
            import distributed

            with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
                client = distributed.Client(cluster)
                symcf.cluster.explain_to_parquet(classifier(), {str(slow_files)!r}, {str(tmp_path)!r}, batch_rows=20)
    """
    path = tmp_path.with_name("job.py")
    path.write_text(with_slow(script))
    patient = {f"DASK_{key.upper().replace('.', '__').replace('-', '_')}": str(PATIENT[key]) for key in PATIENT}
    command = [sys.executable, path]
    with subprocess.Popen(
        command, start_new_session=True, stderr=subprocess.PIPE, text=True, env=os.environ | patient
    ) as process:
        deadline = time.monotonic() + 500
        while not list(tmp_path.glob("part-*")) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.005)
        assert process.poll() is None, process.stderr.read()
        os.killpg(process.pid, signal.SIGKILL)
    check_second_run(slow, slow_files, slow_wanted, tmp_path)


def test_a_limit_on_file_sizes_is_one_clear_error(slow, slow_files, slow_wanted, tmp_path):
    least, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, most))
    try:
        with pytest.raises(symcf.JobError, match=r"part-0000\d\d\.parquet: cannot be written: File too large"):
            symcf.cluster.explain_to_parquet(slow, slow_files, tmp_path, scheduler="threads", batch_rows=200)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (least, most))
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith("_symcf")] == []
    check_second_run(slow, slow_files, slow_wanted, tmp_path, least=0)


NEW_MOUNTS = ["unshare", "--map-root-user", "--mount"]


def can_mount():
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    return subprocess.run([*NEW_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0


@pytest.mark.long
@pytest.mark.skipif(not can_mount(), reason="needs user namespaces, to mount a small disk")
def test_a_full_disk_is_one_clear_error(slow, slow_files, slow_wanted, tmp_path):
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    disk.mkdir()
    script = f"""
        import shutil, subprocess
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", {str(disk)!r}], check=True)
        out = {str(disk / "out")!r}
        try:
            source = {str(slow_files)!r}
            symcf.cluster.explain_to_parquet(classifier(), source, out, scheduler="threads", batch_rows=200)
        except symcf.JobError as error:
            print(error)
        shutil.copytree(out, {str(copy)!r})
    """
    said = ran(with_slow(script), prefix=NEW_MOUNTS)
    assert said.startswith(f"{disk}/out/part-0000")
    assert "parquet: cannot be written: No space left on device" in said
    assert not list(copy.glob("_*.tmp"))
    check_second_run(slow, slow_files, slow_wanted, copy)


@pytest.mark.long
def test_no_task_is_done_twice(slow, slow_files, tmp_path):
    keys = []
    with Callback(pretask=lambda key, *_: keys.append(str(key))):
        symcf.cluster.explain_to_parquet(slow, slow_files, tmp_path, scheduler="synchronous")
    assert len(keys) == len(set(keys)) == SLOW_PARTS + 1
