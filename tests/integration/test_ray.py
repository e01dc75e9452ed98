"""The recipe for Ray Data in docs/scaling.md, as it stands there. In a process of its own, which ends with it."""

import importlib.util

import pytest
from test_spark import answers_by, recipe, wanted_answers

BEFORE = """
import json
import pyarrow as pa
import ray
import symcf, symcf.arrow
from symcf.demo import admission

c = symcf.compile(admission())
ray.init(num_cpus=2, include_dashboard=False)
rows = [(i, *(i >> j & 1 for j in range(4))) for i in range(40)]
table = pa.table(dict(zip(["id", *c.features], zip(*rows))))
ds = ray.data.from_arrow([table.slice(0, 15), table.slice(15)])
"""

AFTER = """
found = sorted(answers.take_all(), key=lambda row: row["id"])
print()
print(json.dumps([[row[name] for name in ("id", "prediction", "status", "sets")] for row in found], default=list))
"""


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs ray[data]")
@pytest.mark.timeout(600)  # a cluster starts in its own time
def test_the_recipe_for_ray():
    assert answers_by(BEFORE + recipe("Ray Data, with") + AFTER) == wanted_answers()
