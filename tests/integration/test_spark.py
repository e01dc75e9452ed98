"""The recipe for Spark in docs/scaling.md, as it stands there, on local[2]. In a process of its own: it warns a lot.

`make test-spark-ray` installs Spark and Ray and runs this; elsewhere it is skipped.
"""

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import symcf
from symcf.demo import admission

PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"

BEFORE = """
import json, os, sys
os.environ["PYSPARK_PYTHON"] = sys.executable
import pyarrow as pa
from pyspark.sql import SparkSession
import symcf, symcf.arrow
from symcf.demo import admission

c = symcf.compile(admission())
settings = {"spark.ui.enabled": "false", "spark.sql.execution.arrow.maxRecordsPerBatch": "7"}
builder = SparkSession.builder.master("local[2]")
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
rows = [(i, *(i >> j & 1 for j in range(4))) for i in range(40)]
df = spark.createDataFrame(rows, ["id", *c.features]).repartition(3)
"""

AFTER = """
found = answers.orderBy("id").collect()
print(json.dumps([[row.id, row.prediction, row.status, row.sets] for row in found]))
spark.stop()
"""


def recipe(opening):
    """The code below the line that begins with these words."""
    below = rf"^{opening}[^\n]*\n\n```python\n(.*?)^```$"
    return re.search(below, PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]


def answers_by(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def wanted_answers():
    c = symcf.compile(admission())
    rows = [[i >> j & 1 for j in range(4)] for i in range(40)]
    explained = [c.explain(row) for row in rows]
    return [[i, e.prediction, "complete", [list(s) for s in e.sets]] for i, e in enumerate(explained)]


@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="needs pyspark")
@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
@pytest.mark.timeout(600)  # a cluster starts in its own time
def test_the_recipe_for_spark():
    assert answers_by(BEFORE + recipe("Spark, with") + AFTER) == wanted_answers()


@pytest.mark.parametrize("opening", ["Spark, with", "Ray Data, with"])
def test_the_recipes_are_there(opening):
    """Also where they cannot run: what the tests would run is code that ends in `answers`."""
    *_, last = ast.parse(recipe(opening)).body
    assert [target.id for target in last.targets] == ["answers"]
