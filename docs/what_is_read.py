"""docs/what_is_read.md, made from the code: ``python docs/what_is_read.py --write``.

The lists are the registries that the readers use; the versions are those of pyproject.toml and requirements-ci.txt.
tests/integration/test_what_is_read.py compares the page with both, and fits and reads the estimators that it names.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import symcf
from symcf.models.files import files
from symcf.models.kinds import KINDS
from symcf.models.links import UFUNCS
from symcf.models.sklearn import (
    bounded,
    bounded_regressors,
    bounded_sums,
    convert,
    interpret,
    libraries,
    lineage,
    linear_maps,
    regressors,
    statsmodels,
    wrappers,
)

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "what_is_read.md"
LOCKED = ROOT / "requirements-ci.txt"

HEAD = """# Supported models: what is read

Models, pipelines and files that `symcf.compile` takes as they are. They are read exactly: the classifier decides as
the estimator does, except where the estimator's own floating-point sums are too close to call ({doc}`howto/models`).
Everything else with a `predict` can be explained as a black-box model ({doc}`howto/any_classifier`).
{doc}`capabilities` says which options each kind of model supports.

`python docs/what_is_read.py --write` writes this page from the lists that the readers use. Tests compare it with the
code and fit and read each estimator of scikit-learn that it names.
"""

#: What each reader of classifiers reads, by the name of the function.
CLASSIFIERS = {
    "bernoulli": "Naive Bayes",
    "categorical": "Naive Bayes",
    "counts": "Naive Bayes",
    "gaussian": "Naive Bayes",
    "linear": "Linear models",
    "tree": "Trees",
    "forest": "Forests and bagging",
    "bagging": "Forests and bagging",
    "gradient_boosting": "Boosted trees",
    "hist_gradient_boosting": "Boosted trees",
    "ada_boost": "Boosted trees",
}

#: The same for regressors; `converted` is what the readers of boosted classifiers become.
REGRESSORS = {
    "_linear": "Linear models",
    "_log_linear": "Linear models with the link log or identity",
    "_tree": "Trees",
    "_forest": "Forests and bagging",
    "_bagging": "Forests and bagging",
    "converted": "Boosted trees",
}

#: What is read of each estimator around others.
AROUND = {
    **dict.fromkeys(wrappers.SEARCHES, "the best estimator (`refit=True`)"),
    **dict.fromkeys(wrappers.THRESHOLDS, "with its threshold; with bounds where the estimator in it is read so"),
    "CalibratedClassifierCV": "two classes: with one calibrator (`ensemble=False` or `FrozenEstimator`), or with "
    "several calibrators of single trees; more classes: with `method='temperature'` and one calibrator, or with "
    "calibrators of single trees; with bounds: averages of calibrated members (`method='sigmoid'` or `'isotonic'`)",
    "VotingClassifier": "votes of trees; soft votes of trees and forests; with bounds: votes of all estimators on this "
    "page with `voting='hard'`, of those with known probabilities with `voting='soft'`",
    "StackingClassifier": "with bounds: members as for votes, by probabilities or scores",
    "FrozenEstimator": "the estimator in it",
    "OneVsRestClassifier": "of linear models; with bounds: of others",
    "OneVsOneClassifier": "of linear models, two classes; with bounds: of others, and more classes",
    "TransformedTargetRegressor": f"with {', '.join(f'`np.{one.__name__}`' for one in regressors._INVERSE)} as "
    "`inverse_func`, or `StandardScaler` or `MinMaxScaler` as transformer",
}

#: Conditions on steps.
STEPS = {
    "FunctionTransformer": "without `kw_args`, with one of "
    + ", ".join(f"`np.{name}`" for name in (*UFUNCS, "negative")),
    "KNNImputer": "rows without missing values",
    "IterativeImputer": "rows without missing values",
}

#: Steps that are read with bounds only.
BENT = ("PolynomialFeatures", "SplineTransformer")

#: Names that people know, by the package whose version is stated.
PACKAGES = {
    "scikit-learn": ("sklearn", "scikit-learn"),
    "XGBoost": ("xgboost", "xgboost-cpu"),
    "LightGBM": ("lightgbm", "lightgbm"),
    "CatBoost": ("catboost", "catboost"),
    "pandas": ("pandas", "pandas"),
    "pyarrow": ("arrow", "pyarrow"),
    "Dask": ("dask", "dask"),
}


def page() -> str:
    """The text of the page."""
    classifiers = {name: read for name, read in convert.ESTIMATORS.items() if name not in regressors.ESTIMATORS}
    return "\n".join(
        [
            HEAD,
            *_section("Classifiers of scikit-learn", _table(("kind", "estimators"), _kinds(classifiers, CLASSIFIERS))),
            *_section("Classifiers read with bounds", [
                f"{_codes(bounded_sums.BOUNDED)}, with `data=`. Their scores are no exact sums, so the classifier asks "
                "their own `predict`, over a grid of the numbers of each column, and bounds of the scores rule "
                "out most rows ({doc}`howto/bounded`).",
                "",
                "Also linear models, trees, forests, gradient boosting and Gaussian naive Bayes behind "
                "`PolynomialFeatures`, `SplineTransformer` or `PCA`; `BaggingClassifier` and `AdaBoostClassifier` of "
                "other members than trees. Members of all these may be classifiers of XGBoost, LightGBM and CatBoost "
                "without categories of their own.",
                "",
                f"Regressors with bounds: {_codes((*bounded_regressors.BOUNDED, *bounded.REGRESSORS_AROUND))}, and the "
                "regressors below as their members or behind such steps.",
            ]),
            *_section("Regressors of scikit-learn", [
                "With targets that are numbers ({doc}`howto/targets`).",
                "",
                *_table(("kind", "estimators"), _kinds(regressors.ESTIMATORS, REGRESSORS)),
            ]),
            *_section("Estimators around estimators", [
                "`Pipeline`, pipelines of imbalanced-learn (samplers do nothing when rows are decided), and:",
                "",
                *_table(("estimator", "what is read"), _grouped({name: AROUND[name] for name in convert.WRAPPERS})),
                "",
                "`symcf.MultiLabel.of` reads estimators of several labels: `MultiOutputClassifier`, "
                "`OneVsRestClassifier` fitted on several labels, `ClassifierChain`.",
            ]),
            *_section("Steps of pipelines", [
                f"{_codes(name for name in lineage._STEPS if name not in (*STEPS, *BENT))}; `'passthrough'` and "
                "`'drop'`; all of `sklearn.feature_selection`; with `set_output`. With conditions:",
                "",
                *_table(("step", "condition"), [
                    *_grouped(STEPS),
                    (_codes(lineage.CATEGORY_ENCODERS), "of category_encoders, with `drop_invariant=False`"),
                    (_codes(linear_maps.MAPS), "before a linear model, alone or with scalers on either side; with "
                        "bounds before other estimators"),
                    (_codes(BENT), "with bounds, with `data=`"),
                ]),
            ]),
            *_section("Other libraries", _table(("library", "estimators"), [
                *((_known(library), _codes(names)) for library, (names, _) in libraries.LIBRARIES.items()),
                ("interpret", f"{_codes(interpret.MACHINES)}, with interactions"),
                ("statsmodels", f"results of {_codes(statsmodels.MODELS)}, as regressors; "
                    "`GLM` with the links Identity, Logit and Log"),
                ("pyagrum", "Bayesian networks in files that it reads: BIF, XMLBIF, … (`symcf.BayesNet.read`)"),
                ("dd", "functions of BDDs (`symcf.from_dd`)"),
            ])),
            *_section("Files", [
                f"{files.READABLE}. Apart from CBM, the library that wrote a file need not be installed.",
                "",
                "The command line also takes the text of `NaiveBayes.from_cnbc`, and pickle, joblib and skops files of "
                "estimators with `--trust`.",
            ]),
            *_section("Models of symcf", [
                f"Written by hand or read from JSON (`symcf.model_from_json`): {_codes(_own())}. `symcf.from_function` "
                "makes a model of a function of few inputs.",
            ]),
            *_section("Not read", [
                "These raise `ModelError`. An estimator with `predict`, or a pipeline with such a step, is explained "
                "as a black-box model (`symcf.from_predict`), over the values that are tried.",
                "",
                *_table(("estimator or step", "reason, or what to do instead"), _instead()),
            ]),
            *_section("Versions", [
                "The oldest versions that symcf supports, and those of `requirements-ci.txt`, with which "
                "`make LOCKED=1 test` runs the tests. `make test-matrix` runs them with the oldest versions, and with "
                "the newest ones on each Python.",
                "",
                *_table(("library", "oldest", "tested with"), _versions()),
            ]),
        ]
    )  # fmt: skip


def _section(title: str, lines: Iterable[str]) -> list[str]:
    return [f"## {title}", "", *lines, ""]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _kinds(registry: Mapping[str, object], titles: Mapping[str, str]) -> list[tuple[str, str]]:
    by_kind: dict[str, list[str]] = {}
    for name, read in registry.items():
        by_kind.setdefault(titles[getattr(read, "__name__", "")], []).append(name)
    return [(kind, _codes(names)) for kind, names in by_kind.items()]


def _known(library: str) -> str:
    return next(name for name in PACKAGES if name.lower() == library)


def _own() -> list[str]:
    return sorted({name for _, name in KINDS.values()} & set(symcf.__all__))


def _instead() -> list[tuple[str, str]]:
    # steps that are read before some estimators have their condition above
    reasons, behind = {**convert.INSTEAD, **lineage.INSTEAD}, (*linear_maps.MAPS, *BENT)
    found = _grouped({name: reason for name, reason in reasons.items() if name not in behind})
    # the advice about ONNX and CBM is for files that only have the name
    binary = [
        (f"files {_codes(ends)}", advice) for ends, advice in files.INSTEAD.items() if not {".onnx", ".cbm"} & set(ends)
    ]
    return [*found, *binary]


def _grouped(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Names that have the same text in one row."""
    by_text: dict[str, list[str]] = {}
    for name, text in texts.items():
        by_text.setdefault(text, []).append(name)
    return [(_codes(names), text) for text, names in by_text.items()]


def _versions() -> list[tuple[str, str, str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = dict(re.findall(r"^([\w.-]+)==(\S+)$", LOCKED.read_text(encoding="utf-8"), re.MULTILINE))
    rows = [("Python", project["requires-python"].removeprefix(">="), ", ".join(_pythons(project)))]
    for name, (extra, package) in PACKAGES.items():
        (oldest,) = re.findall(r">=([\w.]+)", project["optional-dependencies"][extra][0])
        rows.append((name, oldest, locked[package]))
    return rows


def _pythons(project: Mapping[str, Sequence[str]]) -> list[str]:
    return [one.rpartition(" ")[2] for one in project["classifiers"] if re.search(r":: 3\.\d+$", one)]


def main() -> None:
    """Prints or writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the page")
    text = page().rstrip("\n") + "\n"
    if parser.parse_args().write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
