"""Decision trees, forests and boosted trees: nested dicts (`boosted_dicts`) become arrays of nodes (`nodes`)."""

from symcf.models.trees.boosted import BoostedTrees
from symcf.models.trees.classifiers import DecisionTree, RandomForest

__all__ = ["BoostedTrees", "DecisionTree", "RandomForest"]
