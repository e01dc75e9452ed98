"""Rows as users hold them -> value codes.

Lists, arrays, mappings, DataFrames and Arrow tables come in; a checked array of integer codes goes out. Labels of
classes and values are looked up here, too (`labels`). Errors carry row, column, value and problem.
"""
