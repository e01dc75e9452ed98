"""What `symcf.fast.explain_batch` and `why_batch` return."""

from symcf.results.batch import BatchExplanation
from symcf.results.batch_reasons import BatchReasons
from symcf.results.summary import STATUS, Summary

__all__ = ["STATUS", "BatchExplanation", "BatchReasons", "Summary"]
