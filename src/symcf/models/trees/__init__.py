"""Decision trees, forests and boosted trees: read from nested dicts (`boosted_dicts`), kept as arrays of nodes (`nodes`)."""

from symcf.models.trees.boosted import BoostedTrees
from symcf.models.trees.classifiers import DecisionTree, RandomForest

__all__ = ["BoostedTrees", "DecisionTree", "RandomForest"]
