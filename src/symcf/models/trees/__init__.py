"""Decision trees and forests: read from nested dicts (`dicts`), kept as arrays of nodes (`nodes`)."""

from symcf.models.trees.classifiers import DecisionTree, RandomForest

__all__ = ["DecisionTree", "RandomForest"]
