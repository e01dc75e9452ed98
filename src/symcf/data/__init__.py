"""Rows as users hold them -> value codes.

`reader` turns lists, arrays, mappings, DataFrames and Arrow data into columns; an `encoder` turns columns into codes:
`encoder`, `intervals` or `columns`. Names that users give are looked up in `labels`. An `InstanceError` carries
row, column, value and problem.
"""
