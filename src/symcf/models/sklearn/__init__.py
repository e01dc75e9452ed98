"""scikit-learn models and whole pipelines -> models of symcf, in terms of the raw columns.

    lineage         which raw column each column of the matrix comes from, and what the steps do to it
    cut_points      where numbers change sides, exactly
    functions       steps that apply a function which rises or falls
    feature_values  the values of a feature: categories or ranges, with a raw value for each
    design          what the estimator sees for each value, found by scikit-learn's own `transform`
    linear_maps     PCA before a linear model, one linear model per class: their coefficients, multiplied out
    scores          naive Bayes and linear models: sums over what they see
    boosters        ensembles of any library over the values of features; gradient boosting and AdaBoost
    trees           trees and forests: what they see goes left or right
    libraries       XGBoost, LightGBM and CatBoost
    interpret       explainable boosting machines: sums of tables over one column or several
    wrappers        searches, thresholds, calibration, votes: what they add up, and one comparison
    thresholds      a model with another threshold
    additive        the same over columns of numbers, which need no bins
    dummies         one-hot columns that are one feature
    regressors      regressors: one sum, and a function from it to the prediction
    convert         `from_sklearn`
    statsmodels     results of statsmodels: linear, logistic, generalised linear models
    any_library     `from_model`, for estimators of any library

scikit-learn is needed only when something is converted.
"""

from symcf.models.sklearn.any_library import from_model
from symcf.models.sklearn.convert import from_sklearn

__all__ = ["from_model", "from_sklearn"]
