"""Recourse for groups of people: a few actions that help many."""

from symcf.analysis.recourse.actions import Action, Step
from symcf.analysis.recourse.recourse import GroupRecourse, group_recourse

__all__ = ["Action", "GroupRecourse", "Step", "group_recourse"]
