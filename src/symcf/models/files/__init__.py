"""Ensembles of trees as other libraries write them, read without these libraries.

    raw       what all formats have in common: trees that compare the numbers of columns
    ubjson    the binary form of JSON in which XGBoost keeps its models
    xgboost   `save_model` as JSON or UBJ
    lightgbm  `save_model` as text
    catboost  `save_model(format="json")`
    files     which of them a file is

`symcf.models.sklearn.boosters` makes models of them, for bare ensembles and for those at the end of a pipeline.
"""
