"""What `symcf.fast.explain_batch` returns."""

from symcf.results.batch import BatchExplanation
from symcf.results.summary import STATUS, Summary

__all__ = ["STATUS", "BatchExplanation", "Summary"]
