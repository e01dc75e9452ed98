"""Real classifiers, where they lie beside the project: every row explained and verified."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

import symcf
import symcf.fast

DATA = Path(__file__).parents[3] / "shared" / "data" / "nbc"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not part of the project")


def instances(name):
    """The distinct rows, without the column of true classes."""
    with gzip.open(DATA / f"{name}.instances.csv.gz", "rt") as file:
        rows = [row for row in csv.reader(file) if row]
    start = 0 if rows[0][0].strip().isdigit() else 1
    return sorted({tuple(int(code) for code in row[:-1]) for row in rows[start:]})


def classifier(name):
    return symcf.compile(symcf.NaiveBayes.from_cnbc(DATA / f"{name}.cnbc.txt", tie="negative"))


#: All change sets of every row can be listed and verified.
SMALL = {"corral": 1, "titanic": 1, "car": 7, "votes": 110, "spect": 200}
#: Only the cheapest: there are up to 10**12 of them.
LARGE = {"hepatitis": 40, "german": 120, "promoters": 50}


@pytest.mark.parametrize("name", ["corral", "titanic", "car", "spect"])
def test_engines_agree_on_every_row(name):
    c, rows = classifier(name), instances(name)
    assert len(rows) > 10
    for x in rows:
        assert c.explain(x, engine="diagram") == c.explain(x, engine="sat") == c.explain(x)


@pytest.mark.parametrize("name", SMALL)
def test_some_rows_are_verified(name):
    c = classifier(name)
    for x in instances(name)[:: SMALL[name]]:
        report = symcf.verify(c, x, c.explain(x))
        assert report, f"{x}: {report}"


def check_large(name, step):
    """The 20 cheapest of every row, and how many there are in all: exactly, or between certified bounds."""
    c, rows = classifier(name), instances(name)
    batch = symcf.fast.explain_batch(c, np.array(rows), k=20)
    exact = 0
    for x, e in list(zip(rows, batch, strict=True))[::step]:
        low, high = c.count_bounds(x)
        assert len(e.sets) == min(20, low) if low < 20 else len(e.sets) == 20
        try:
            count = c.count(x, time_limit=2)
            exact += 1
            assert low <= count <= high
        except symcf.LimitError:
            assert low < high
        report = symcf.verify(c, x, c.explain(x, k=20))
        assert report, f"{x}: {report}"
        assert e.sets == c.explain(x, k=20).sets
    return exact


@pytest.mark.parametrize("name", LARGE)
def test_the_cheapest_of_some_rows_are_verified(name):
    assert check_large(name, LARGE[name])


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SMALL)
def test_every_row_is_verified(name):
    c = classifier(name)
    for x in instances(name):
        report = symcf.verify(c, x, c.explain(x))
        assert report, f"{x}: {report}"


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", LARGE)
def test_the_cheapest_of_every_row_are_verified(name):
    exact = check_large(name, 1)
    print(f"{name}: counted exactly {exact} of {len(instances(name))} rows")
