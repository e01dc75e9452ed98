"""Arrow in and out: the form that engines for large data use. Needs pyarrow (extra ``arrow``).

`explain_batches` turns an iterator of record batches into an iterator of record batches of `output_schema`: what
Spark's ``mapInArrow`` asks for, and Ray's ``map_batches`` after ``pa.Table.from_batches``. docs/scaling.md has recipes.
"""

from symcf.answers.arrow_tables import output_schema, to_table
from symcf.fast import explain_batches

__all__ = ["explain_batches", "output_schema", "to_table"]
