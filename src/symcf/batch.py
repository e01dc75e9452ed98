"""What `symcf.fast.explain_batch` returns."""

from symcf.results.batch import STATUS, BatchExplanation, Summary

__all__ = ["STATUS", "BatchExplanation", "Summary"]
