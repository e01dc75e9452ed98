"""Real classifiers, where they lie beside the project: every row explained and verified."""

import csv
import gzip
from pathlib import Path

import pytest

import symcf

DATA = Path(__file__).parents[2] / "shared" / "data" / "nbc"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not part of the project")


def instances(name):
    """The distinct rows, without the column of true classes."""
    with gzip.open(DATA / f"{name}.instances.csv.gz", "rt") as file:
        rows = [row for row in csv.reader(file) if row]
    start = 0 if rows[0][0].strip().isdigit() else 1
    return sorted({tuple(int(code) for code in row[:-1]) for row in rows[start:]})


def classifier(name):
    return symcf.compile(symcf.NaiveBayes.from_cnbc(DATA / f"{name}.cnbc.txt", tie="negative"))


@pytest.mark.parametrize("name", ["corral", "spect"])
def test_engines_agree_on_every_row(name):
    c, rows = classifier(name), instances(name)
    assert len(rows) > 30
    for x in rows:
        assert c.explain(x, engine="minimal") == c.explain(x, engine="sat") == c.explain(x)


@pytest.mark.parametrize("name", ["corral", "spect"])
def test_some_rows_are_verified(name):
    c = classifier(name)
    for x in instances(name)[::20]:
        report = symcf.verify(c, x, c.explain(x))
        assert report, f"{x}: {report}"


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["corral", "spect"])
def test_every_row_is_verified(name):
    c = classifier(name)
    for x in instances(name):
        report = symcf.verify(c, x, c.explain(x))
        assert report, f"{x}: {report}"
