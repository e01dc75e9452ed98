"""Audits: who is locked out, what groups need, which features help, what depends on protected ones.

tally.py       which group a row is in, and what is counted, by group; tallies of parts of a table add up
drift.py       whether suggestions of an earlier version still hold
proxies.py     features from which a protected one can be read off
confidence.py  intervals, where the rows are a sample
audit.py       the audit of a table, and values that lead to the goal, counted in C
result.py      the audit as an object with rules for use in CI, as text, as tables
"""

from symcf.analysis.audit.drift import DriftTally
from symcf.analysis.audit.proxies import Proxy

__all__ = ["DriftTally", "Proxy"]
