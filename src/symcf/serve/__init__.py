"""A small HTTP service for one classifier: explanations, reasons, letters, checks, a page. Needs the extra ``serve``.

requests    what may stand in a request
answers     the answer to each, within the limits
app         paths, errors as JSON, OpenAPI; starting and ending
processes   several processes that share one socket
"""

from symcf.serve.answers import Limits
from symcf.serve.app import app, run, running

__all__ = ["Limits", "app", "run", "running"]
