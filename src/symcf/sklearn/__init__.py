"""scikit-learn models and whole pipelines -> models of symcf, in terms of the raw columns.

    lineages      which raw column each column of the matrix comes from, and what the steps do to it
    cuts        where numbers change sides, exactly
    cells       the values of a feature: categories or ranges, and a raw value that stands for each
    design      what the estimator sees of each value; scikit-learn's own `transform` is asked
    scores      naive Bayes and linear models: a sum of what is seen
    trees       trees and forests: what is seen goes left or right

scikit-learn is needed only when something is converted.
"""

from symcf.sklearn.convert import from_sklearn

__all__ = ["from_sklearn"]
