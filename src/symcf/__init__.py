"""symcf: the least that would have to change for a decision to be different, completely and provably."""

from symcf.compiled import Compiled, compile
from symcf.diagram import Diagram
from symcf.errors import (
    ClauseLimitError,
    CompileLimitError,
    InstanceError,
    InternalError,
    JobError,
    LimitError,
    ModelError,
    OptionError,
    SymcfError,
)
from symcf.explanation import Change, Counterfactual, Explanation
from symcf.model import Model, model_from_dict, model_from_json
from symcf.naive_bayes import NaiveBayes
from symcf.verify import Report, verify

__version__ = "0.1.0"

__all__ = [
    "Change",
    "ClauseLimitError",
    "CompileLimitError",
    "Compiled",
    "Counterfactual",
    "Diagram",
    "Explanation",
    "InstanceError",
    "InternalError",
    "JobError",
    "LimitError",
    "Model",
    "ModelError",
    "NaiveBayes",
    "OptionError",
    "Report",
    "SymcfError",
    "compile",
    "model_from_dict",
    "model_from_json",
    "verify",
]
