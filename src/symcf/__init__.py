"""symcf: the least that would have to change for a decision to be different, completely and provably."""

from symcf.compiled import Compiled, compile, load
from symcf.diagrams.diagram import Diagram
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
from symcf.models.additive import AdditiveClassifier, NumberTerm
from symcf.models.base import Model, model_from_dict, model_from_json
from symcf.models.functions import FunctionModel, from_dd, from_function
from symcf.models.linear import LinearClassifier
from symcf.models.naive_bayes import NaiveBayes
from symcf.models.networks import BayesNet, BinaryNetwork
from symcf.models.trees import BoostedTrees, DecisionTree, RandomForest
from symcf.plausibility.plausibility import Plausibility
from symcf.questions.expressions import forbid, implies, require
from symcf.results.attribution import Attribution
from symcf.results.explanation import Explanation
from symcf.results.facts import Change, Counterfactual
from symcf.results.fewest import McExplanations
from symcf.results.reason_facts import Condition, Reason
from symcf.results.reasons import Reasons
from symcf.rows.intervals import Intervals
from symcf.rows.regions import Region
from symcf.sklearn import from_model, from_sklearn
from symcf.verify import Report, verify

__version__ = "0.2.0"

__all__ = [
    "AdditiveClassifier",
    "Attribution",
    "BayesNet",
    "BinaryNetwork",
    "BoostedTrees",
    "Change",
    "ClauseLimitError",
    "CompileLimitError",
    "Compiled",
    "Condition",
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
    "McExplanations",
    "Model",
    "ModelError",
    "NaiveBayes",
    "NumberTerm",
    "OptionError",
    "Plausibility",
    "RandomForest",
    "Reason",
    "Reasons",
    "Region",
    "Report",
    "SymcfError",
    "compile",
    "forbid",
    "from_dd",
    "from_function",
    "from_model",
    "from_sklearn",
    "implies",
    "load",
    "model_from_dict",
    "model_from_json",
    "require",
    "verify",
]
