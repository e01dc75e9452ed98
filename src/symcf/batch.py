"""What `symcf.fast.explain_batch` and `why_batch` return."""

from symcf.answers.batch import BatchExplanation
from symcf.answers.batch_reasons import BatchReasons
from symcf.answers.summary import STATUS, Summary

__all__ = ["STATUS", "BatchExplanation", "BatchReasons", "Summary"]
