"""Audits: who is locked out, what groups need, which features help, what depends on protected ones.

groups.py      which group a row is in
responsive.py  values that lead to the goal, counted in C
tally.py       what is counted, by group; tallies of parts of a table add up
audit.py       the audit of a table
limits.py      what an audit must not exceed, for use in CI
result.py      the audit as an object, as text, as tables
"""
