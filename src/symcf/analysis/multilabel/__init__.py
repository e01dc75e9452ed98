"""Several labels of one row: each has its own classifier, and a question can be about some of them together."""

from symcf.analysis.multilabel.labels import LabelBatch, MultiLabel

__all__ = ["LabelBatch", "MultiLabel"]
