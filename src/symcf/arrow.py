"""Arrow in and out: the form that engines for large data use. Needs pyarrow (extra ``arrow``).

`explain_batches` turns an iterator of record batches into an iterator of record batches of `output_schema`: what
Spark's ``mapInArrow`` asks for, and Ray's ``map_batches`` after ``pa.Table.from_batches``. docs/scaling.md has recipes.
"""

from symcf.fast import explain_batches
from symcf.results.arrow import output_schema, to_table

__all__ = ["explain_batches", "output_schema", "to_table"]
