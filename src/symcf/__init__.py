"""symcf: the least that would have to change for a decision to be different, completely and provably.

``import symcf`` loads nothing else. Each name is imported from its home when it is first used, and so are the public
modules: ``symcf.fast``, ``symcf.plots``, ``symcf.report`` and the others need no import of their own.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING
from typing import Any as _Any

__version__ = "0.3.0"

#: Where the public names live. For type checkers they are imported below; tests/test_names.py compares the two.
_HOMES = {
    "auditing.audit": ("audit",),
    "auditing.result": ("Audit",),
    "auditing.tally": ("GroupTally",),
    "certificates.certificate": ("Certificate",),
    "certificates.door": ("check",),
    "checker.check": ("Verdict",),
    "common.clock": ("time_limit",),
    "compare": ("Difference", "difference", "equivalent"),
    "compiled": ("Compiled", "compile", "load"),
    "diagrams.diagram": ("Diagram",),
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
    "models.asking": ("from_predict",),
    "models.base": ("Model",),
    "models.functions": ("FunctionModel", "from_dd", "from_function"),
    "models.kinds": ("model_from_dict", "model_from_json"),
    "models.linear": ("LinearClassifier",),
    "models.naive_bayes": ("NaiveBayes",),
    "models.networks": ("BayesNet", "BinaryNetwork"),
    "models.trees": ("BoostedTrees", "DecisionTree", "RandomForest"),
    "plausibility.plausibility": ("Plausibility",),
    "multilabel": ("MultiLabel",),
    "properties.bias": ("Bias",),
    "properties.dependence": ("Dependence", "Monotonicity"),
    "properties.examples": ("Pair",),
    "properties.robustness": ("Robustness", "RobustnessDistribution"),
    "questions.expressions": ("forbid", "implies", "require"),
    "questions.suggestions": ("Suggestion", "suggest_relations"),
    "results.attribution": ("Attribution",),
    "results.diversity": ("Diversity",),
    "results.explanation": ("Explanation",),
    "results.facts": ("Change", "Counterfactual"),
    "results.fewest": ("McExplanations",),
    "results.groups": ("Group",),
    "results.reason_facts": ("Condition", "Reason"),
    "results.reasons": ("Reasons",),
    "rows.intervals": ("Intervals",),
    "rows.regions": ("Region",),
    "sklearn": ("from_model", "from_sklearn"),
    "verification": ("Report", "verify"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

#: Public modules. None of them, and no room, may have the name of a public function.
_MODULES = ("arrow", "batch", "cnf", "dask", "datasets", "drawing", "errors", "fast", "plots", "report")

__all__ = sorted(_HOME_OF)

if TYPE_CHECKING:
    from symcf import arrow as arrow
    from symcf import batch as batch
    from symcf import cnf as cnf
    from symcf import dask as dask
    from symcf import datasets as datasets
    from symcf import drawing as drawing
    from symcf import errors as errors
    from symcf import fast as fast
    from symcf import plots as plots
    from symcf import report as report
    from symcf.auditing.audit import audit as audit
    from symcf.auditing.result import Audit as Audit
    from symcf.auditing.tally import GroupTally as GroupTally
    from symcf.certificates.certificate import Certificate as Certificate
    from symcf.certificates.door import check as check
    from symcf.checker.check import Verdict as Verdict
    from symcf.common.clock import time_limit as time_limit
    from symcf.compare import Difference as Difference
    from symcf.compare import difference as difference
    from symcf.compare import equivalent as equivalent
    from symcf.compiled import Compiled as Compiled
    from symcf.compiled import compile as compile
    from symcf.compiled import load as load
    from symcf.diagrams.diagram import Diagram as Diagram
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
    from symcf.models.asking import from_predict as from_predict
    from symcf.models.base import Model as Model
    from symcf.models.functions import FunctionModel as FunctionModel
    from symcf.models.functions import from_dd as from_dd
    from symcf.models.functions import from_function as from_function
    from symcf.models.kinds import model_from_dict as model_from_dict
    from symcf.models.kinds import model_from_json as model_from_json
    from symcf.models.linear import LinearClassifier as LinearClassifier
    from symcf.models.naive_bayes import NaiveBayes as NaiveBayes
    from symcf.models.networks import BayesNet as BayesNet
    from symcf.models.networks import BinaryNetwork as BinaryNetwork
    from symcf.models.trees import BoostedTrees as BoostedTrees
    from symcf.models.trees import DecisionTree as DecisionTree
    from symcf.models.trees import RandomForest as RandomForest
    from symcf.multilabel import MultiLabel as MultiLabel
    from symcf.plausibility.plausibility import Plausibility as Plausibility
    from symcf.properties.bias import Bias as Bias
    from symcf.properties.dependence import Dependence as Dependence
    from symcf.properties.dependence import Monotonicity as Monotonicity
    from symcf.properties.examples import Pair as Pair
    from symcf.properties.robustness import Robustness as Robustness
    from symcf.properties.robustness import RobustnessDistribution as RobustnessDistribution
    from symcf.questions.expressions import forbid as forbid
    from symcf.questions.expressions import implies as implies
    from symcf.questions.expressions import require as require
    from symcf.questions.suggestions import Suggestion as Suggestion
    from symcf.questions.suggestions import suggest_relations as suggest_relations
    from symcf.results.attribution import Attribution as Attribution
    from symcf.results.diversity import Diversity as Diversity
    from symcf.results.explanation import Explanation as Explanation
    from symcf.results.facts import Change as Change
    from symcf.results.facts import Counterfactual as Counterfactual
    from symcf.results.fewest import McExplanations as McExplanations
    from symcf.results.groups import Group as Group
    from symcf.results.reason_facts import Condition as Condition
    from symcf.results.reason_facts import Reason as Reason
    from symcf.results.reasons import Reasons as Reasons
    from symcf.rows.intervals import Intervals as Intervals
    from symcf.rows.regions import Region as Region
    from symcf.sklearn import from_model as from_model
    from symcf.sklearn import from_sklearn as from_sklearn
    from symcf.verification import Report as Report
    from symcf.verification import verify as verify

else:  # where type checkers cannot see it, so that they still notice a misspelt name

    def __getattr__(name: str) -> _Any:
        if name in _MODULES:
            return _import_module(f"symcf.{name}")  # which makes it an attribute
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f"module 'symcf' has no attribute {name!r}")
        value = globals()[name] = getattr(_import_module(f"symcf.{home}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
