"""Data to try things with, without a download: invented loan applications, and models trained on them.

>>> import symcf.datasets
>>> credit = symcf.datasets.credit()
>>> credit
Credit(600 applications, 12 columns; models: boosted, forest, logistic, naive_bayes, scorecard, tree)
"""

from symcf.datasets.packaged import Credit, credit

__all__ = ["Credit", "credit"]
