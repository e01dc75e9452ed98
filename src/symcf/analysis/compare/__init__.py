"""What two classifiers decide differently: how much, where, and on which rows."""

from symcf.analysis.compare.cubes import Cube
from symcf.analysis.compare.data_boxes import DataBox
from symcf.analysis.compare.differences import Change, Difference, difference, equivalent

__all__ = ["Change", "Cube", "DataBox", "Difference", "difference", "equivalent"]
