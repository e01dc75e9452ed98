"""symcf: the least that would have to change for a decision to be different, completely and provably.

``import symcf`` loads nothing else. Each name is imported from its home when it is first used, and so are the public
modules: ``symcf.fast``, ``symcf.plots``, ``symcf.report`` and the others need no import of their own.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING
from typing import Any as _Any

__version__ = "0.3.0"

#: Where the public names live. For type checkers they are imported below; tests/unit/test_names.py compares the two.
_HOMES = {
    "analysis.audit.audit": ("audit",),
    "analysis.audit.result": ("Audit",),
    "analysis.audit.tally": ("GroupTally",),
    "proof.certificates.certificate": ("Certificate",),
    "proof.certificates.sealed": ("NoCertificate", "SealedBatch"),
    "proof.certificates.checking": ("check",),
    "proof.checker.check": ("Verdict",),
    "common.clock": ("time_limit",),
    "analysis.compare": ("Difference", "difference", "equivalent"),
    "compiled": ("Compiled", "compile", "load"),
    "system.diagram": ("Diagram",),
    "errors": (
        "ClauseLimitError",
        "CompileLimitError",
        "FileError",
        "InstanceError",
        "InternalError",
        "JobError",
        "LimitError",
        "MissingExtraError",
        "ModelError",
        "OptionError",
        "SymcfError",
    ),
    "letters.page": ("Letter",),
    "models.additive": ("AdditiveClassifier", "NumberTerm"),
    "models.from_predict": ("from_predict",),
    "models.base": ("Model",),
    "models.goals": ("at_least", "at_most", "between"),
    "models.functions": ("FunctionModel", "from_dd", "from_function"),
    "models.kinds": ("model_from_dict", "model_from_json"),
    "models.linear": ("LinearClassifier",),
    "models.naive_bayes": ("NaiveBayes",),
    "models.networks": ("BayesNet", "BinaryNetwork"),
    "models.regressor": ("Regressor",),
    "models.trees": ("BoostedTrees", "DecisionTree", "RandomForest"),
    "data.plausibility": ("Plausibility",),
    "analysis.multilabel": ("MultiLabel",),
    "analysis.properties.bias": ("Bias",),
    "analysis.properties.dependence": ("Dependence", "Monotonicity"),
    "analysis.properties.examples": ("Pair",),
    "analysis.properties.locked_out": ("LockedOut", "LockedOutRegion"),
    "analysis.properties.robustness": ("Robustness", "RobustnessDistribution"),
    "question.question": ("relative", "step"),
    "question.expressions": ("forbid", "implies", "require"),
    "question.suggestions": ("Suggestion", "suggest_relations"),
    "analysis.recourse": ("Action", "GroupRecourse", "group_recourse"),
    "answers.attribution": ("Attribution",),
    "answers.diversity": ("Diversity",),
    "answers.explanation": ("Explanation",),
    "answers.facts": ("Change", "Counterfactual"),
    "answers.groups": ("Group",),
    "answers.precise": ("PreciseReason", "PreciseReasons"),
    "answers.reason_facts": ("Condition", "Reason"),
    "answers.reasons": ("McExplanations", "Reasons"),
    "data.intervals": ("Intervals",),
    "data.regions": ("Region",),
    "models.sklearn": ("from_model", "from_sklearn"),
    "proof.verification": ("Report", "verify"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

#: Public modules. None of them, and no package, may have the name of a public function.
_MODULES = (
    "arrow",
    "batch",
    "cluster",
    "cnf",
    "datasets",
    "drawing",
    "errors",
    "fast",
    "letters",
    "mlflow",
    "plots",
    "report",
    "serve",
)

__all__ = sorted(_HOME_OF)

if TYPE_CHECKING:
    from symcf import arrow as arrow
    from symcf import batch as batch
    from symcf import cluster as cluster
    from symcf import cnf as cnf
    from symcf import datasets as datasets
    from symcf import drawing as drawing
    from symcf import errors as errors
    from symcf import fast as fast
    from symcf import letters as letters
    from symcf import mlflow as mlflow
    from symcf import plots as plots
    from symcf import report as report
    from symcf import serve as serve
    from symcf.analysis.audit.audit import audit as audit
    from symcf.analysis.audit.result import Audit as Audit
    from symcf.analysis.audit.tally import GroupTally as GroupTally
    from symcf.analysis.compare import Difference as Difference
    from symcf.analysis.compare import difference as difference
    from symcf.analysis.compare import equivalent as equivalent
    from symcf.analysis.multilabel import MultiLabel as MultiLabel
    from symcf.analysis.properties.bias import Bias as Bias
    from symcf.analysis.properties.dependence import Dependence as Dependence
    from symcf.analysis.properties.dependence import Monotonicity as Monotonicity
    from symcf.analysis.properties.examples import Pair as Pair
    from symcf.analysis.properties.locked_out import LockedOut as LockedOut
    from symcf.analysis.properties.locked_out import LockedOutRegion as LockedOutRegion
    from symcf.analysis.properties.robustness import Robustness as Robustness
    from symcf.analysis.properties.robustness import RobustnessDistribution as RobustnessDistribution
    from symcf.analysis.recourse import Action as Action
    from symcf.analysis.recourse import GroupRecourse as GroupRecourse
    from symcf.analysis.recourse import group_recourse as group_recourse
    from symcf.answers.attribution import Attribution as Attribution
    from symcf.answers.diversity import Diversity as Diversity
    from symcf.answers.explanation import Explanation as Explanation
    from symcf.answers.facts import Change as Change
    from symcf.answers.facts import Counterfactual as Counterfactual
    from symcf.answers.groups import Group as Group
    from symcf.answers.precise import PreciseReason as PreciseReason
    from symcf.answers.precise import PreciseReasons as PreciseReasons
    from symcf.answers.reason_facts import Condition as Condition
    from symcf.answers.reason_facts import Reason as Reason
    from symcf.answers.reasons import McExplanations as McExplanations
    from symcf.answers.reasons import Reasons as Reasons
    from symcf.common.clock import time_limit as time_limit
    from symcf.compiled import Compiled as Compiled
    from symcf.compiled import compile as compile
    from symcf.compiled import load as load
    from symcf.data.intervals import Intervals as Intervals
    from symcf.data.plausibility import Plausibility as Plausibility
    from symcf.data.regions import Region as Region
    from symcf.errors import ClauseLimitError as ClauseLimitError
    from symcf.errors import CompileLimitError as CompileLimitError
    from symcf.errors import FileError as FileError
    from symcf.errors import InstanceError as InstanceError
    from symcf.errors import InternalError as InternalError
    from symcf.errors import JobError as JobError
    from symcf.errors import LimitError as LimitError
    from symcf.errors import MissingExtraError as MissingExtraError
    from symcf.errors import ModelError as ModelError
    from symcf.errors import OptionError as OptionError
    from symcf.errors import SymcfError as SymcfError
    from symcf.letters.page import Letter as Letter
    from symcf.models.additive import AdditiveClassifier as AdditiveClassifier
    from symcf.models.additive import NumberTerm as NumberTerm
    from symcf.models.base import Model as Model
    from symcf.models.from_predict import from_predict as from_predict
    from symcf.models.functions import FunctionModel as FunctionModel
    from symcf.models.functions import from_dd as from_dd
    from symcf.models.functions import from_function as from_function
    from symcf.models.goals import at_least as at_least
    from symcf.models.goals import at_most as at_most
    from symcf.models.goals import between as between
    from symcf.models.kinds import model_from_dict as model_from_dict
    from symcf.models.kinds import model_from_json as model_from_json
    from symcf.models.linear import LinearClassifier as LinearClassifier
    from symcf.models.naive_bayes import NaiveBayes as NaiveBayes
    from symcf.models.networks import BayesNet as BayesNet
    from symcf.models.networks import BinaryNetwork as BinaryNetwork
    from symcf.models.regressor import Regressor as Regressor
    from symcf.models.sklearn import from_model as from_model
    from symcf.models.sklearn import from_sklearn as from_sklearn
    from symcf.models.trees import BoostedTrees as BoostedTrees
    from symcf.models.trees import DecisionTree as DecisionTree
    from symcf.models.trees import RandomForest as RandomForest
    from symcf.proof.certificates.certificate import Certificate as Certificate
    from symcf.proof.certificates.checking import check as check
    from symcf.proof.certificates.sealed import NoCertificate as NoCertificate
    from symcf.proof.certificates.sealed import SealedBatch as SealedBatch
    from symcf.proof.checker.check import Verdict as Verdict
    from symcf.proof.verification import Report as Report
    from symcf.proof.verification import verify as verify
    from symcf.question.expressions import forbid as forbid
    from symcf.question.expressions import implies as implies
    from symcf.question.expressions import require as require
    from symcf.question.question import relative as relative
    from symcf.question.question import step as step
    from symcf.question.suggestions import Suggestion as Suggestion
    from symcf.question.suggestions import suggest_relations as suggest_relations
    from symcf.system.diagram import Diagram as Diagram

else:  # where type checkers cannot see it, so that they still notice a misspelt name

    def __getattr__(name: str) -> _Any:
        if name in _MODULES:
            return _import_module(f"symcf.{name}")  # which makes it an attribute
        home = _HOME_OF.get(name)
        if home is None:
            new = _import_module("symcf.common.renamed").MODULES.get(name)
            raise AttributeError(
                f"module 'symcf' has no attribute {name!r}"
                if new is None
                else f"'symcf.{name}' is called 'symcf.{new}' now"
            )
        value = globals()[name] = getattr(_import_module(f"symcf.{home}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
