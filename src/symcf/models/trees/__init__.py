"""Decision trees, forests and boosted trees: all are flat trees (`nodes`), which may be written as dicts (`dicts`)."""

from symcf.models.trees.boosted import BoostedTrees
from symcf.models.trees.classifiers import DecisionTree, RandomForest

__all__ = ["BoostedTrees", "DecisionTree", "RandomForest"]
