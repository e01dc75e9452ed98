"""symcf: the least that would have to change for a decision to be different, completely and provably."""

from symcf.compiled import Compiled, compile
from symcf.diagram import Diagram
from symcf.encoders import Intervals
from symcf.errors import (
    ClauseLimitError,
    CompileLimitError,
    FileError,
    InstanceError,
    InternalError,
    JobError,
    LimitError,
    ModelError,
    OptionError,
    SymcfError,
)
from symcf.explanation import Change, Counterfactual, Explanation
from symcf.expressions import forbid, implies, require
from symcf.functions import FunctionModel, from_dd, from_function
from symcf.linear import LinearClassifier
from symcf.model import Model, model_from_dict, model_from_json
from symcf.naive_bayes import NaiveBayes
from symcf.sklearn import from_sklearn
from symcf.storage import load
from symcf.trees import DecisionTree, RandomForest
from symcf.verify import Report, verify

__version__ = "0.1.0"

__all__ = [
    "Change",
    "ClauseLimitError",
    "CompileLimitError",
    "Compiled",
    "Counterfactual",
    "DecisionTree",
    "Diagram",
    "Explanation",
    "FileError",
    "FunctionModel",
    "InstanceError",
    "InternalError",
    "Intervals",
    "JobError",
    "LimitError",
    "LinearClassifier",
    "Model",
    "ModelError",
    "NaiveBayes",
    "OptionError",
    "RandomForest",
    "Report",
    "SymcfError",
    "compile",
    "forbid",
    "from_dd",
    "from_function",
    "from_sklearn",
    "implies",
    "load",
    "model_from_dict",
    "model_from_json",
    "require",
    "verify",
]
