"""Time limits, Ctrl-C and memory budgets: every public call that can take long, on eleven large models.

    python bench/limits_sweep.py [--only REGEX] [--models REGEX] [--modes 0.01,0.3,interrupt,memory] [--jobs 2]
                                 [--write FILE]
                                    an hour; prints a table, writes results/limits_sweep.json
    python bench/limits_sweep.py --merge FILE ...       makes results/limits_sweep.json of files written by --write;
                                    what was measured again counts as in the last of them

Each call runs in a process of its own, forked from one that has prepared it, and is killed after `PATIENCE` seconds.

0.01, 0.3    The call has a time limit of so many seconds, as its keyword `time_limit` or, where it has none, inside
             `symcf.time_limit`. "late" is its time beyond the limit.
interrupt    SIGINT is sent after 0.3 s. "late" is the time until KeyboardInterrupt has been raised.
memory       The call has `max_memory` of 16 MB, as its keyword or that of `compile`, and a time limit of five seconds.
             "grown" is the growth of the peak resident memory.

"late" is the time since the limit or the signal, less the time in which the call could have run but had no processor,
as the kernel counts it (/proc/PID/schedstat): that is the fault of other work on the machine. "wall" includes it. A
call that is late is tried twice more, and the earliest counts.
What the process held before the call is frozen for Python's garbage collector: a full run takes a tenth of a second
there, and may come with any allocation.
The goals: 0.1 s for limits, 0.2 s for Ctrl-C, twice the budget and 64 MB for memory.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import inspect
import json
import os
import pickle
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cached_property, partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads of libraries do not survive a fork, and calls wait for them

import common
import numpy as np

import symcf
import symcf.fast
import symcf.report

LIMIT_GOAL, INTERRUPT_GOAL = 0.1, 0.2
BUDGET = 16 << 20
MEMORY_GOAL = 2 * BUDGET + (64 << 20)
MODES = ("0.01", "0.3", "interrupt", "memory")

#: Seconds after which a call is killed; after which SIGINT is sent; that a call with a memory budget may take.
PATIENCE, BEFORE_INTERRUPT, FOR_MEMORY = 6.0, 0.3, 5.0

#: Seconds in which a call must have been prepared and measured with one limit.
PREPARING = 120.0

#: Rows of a batch.
ROWS = 300

#: Where the processes keep what they have fitted.
FITTED = Path(tempfile.gettempdir()) / f"symcf_limits_sweep_{os.getuid()}"


# --- models -----------------------------------------------------------------------------------------------------------


def table(n: int) -> tuple[Any, Any]:
    import pandas as pd
    from sklearn.datasets import make_classification

    rows, labels = make_classification(2000, n, n_informative=n - 4, random_state=0)
    return pd.DataFrame(rows, columns=[f"c{j}" for j in range(n)]), labels


def whole_table(n: int) -> tuple[Any, Any]:
    """The same in whole numbers."""
    rows, labels = table(n)
    return (10 * rows).round().astype(int), labels


def price_table(n: int) -> tuple[Any, Any]:
    """The same with a number instead of a class."""
    rows, _ = table(n)
    return rows, 1000 + 100 * rows.to_numpy()[:, ::2].sum(axis=1)


def fitted(
    name: str, n: int, make: Callable[[], Any], read: Callable[[int], tuple[Any, Any]] = table
) -> tuple[Any, Any]:
    """An estimator and its rows; fitted once, since libraries start threads for it, which do not survive a fork."""
    path = FITTED / f"{name}-{read.__name__}-{n}.pickle"
    rows, labels = read(n)
    if not path.exists():
        FITTED.mkdir(exist_ok=True)
        if os.fork() == 0:
            path.write_bytes(pickle.dumps(make().fit(rows, labels)))
            os._exit(0)
        os.wait()
    return pickle.loads(path.read_bytes()), rows


def forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(100, random_state=0)


def xgboost() -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=100, max_depth=6, n_jobs=1)


def lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=300, verbose=-1, n_jobs=1)


def catboost() -> Any:
    from catboost import CatBoostClassifier

    return CatBoostClassifier(iterations=200, depth=6, verbose=0, thread_count=1, allow_writing_files=False)


def scaled() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression())


def regressor() -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(100, max_depth=10, random_state=0)


def linear(n: int = 60) -> symcf.Model:
    rng = np.random.default_rng(1)
    weights = rng.integers(-(10**6), 10**6, n).tolist()
    return symcf.LinearClassifier(weights, bias=-sum(weights) // 2, probability="logistic")


def network(n: int = 200, window: int = 5, most: int = 2, seed: int = 2) -> symcf.Model:
    """Of two values each, with up to `most` parents among the last few nodes; the leaves are observed."""
    rng = np.random.default_rng(seed)
    parents: dict[str, list[str]] = {}
    tables: dict[str, Any] = {}
    for i in range(n):
        count, first = int(rng.integers(0 if i % 10 == 0 else 1, most + 1)), max(0, i - window)
        chosen = rng.choice(np.arange(first, i), min(count, i - first), replace=False).tolist() if i else []
        parents[f"n{i}"] = [f"n{p}" for p in sorted(chosen)]
        p = np.round(rng.uniform(0.01, 0.99, (2,) * len(chosen)), 2)
        tables[f"n{i}"] = np.stack([np.round(1 - p, 2), p], -1).tolist()
    return symcf.BayesNet({name: ["no", "yes"] for name in tables}, parents, tables, target="n0")


def slow_predict() -> tuple[Callable[[Any], Any], Any]:
    rows, _ = table(12)

    def predict(given: Any) -> Any:
        time.sleep(0.05 + 1e-6 * len(given))
        return np.where(np.asarray(given, dtype=float)[:, ::2].sum(axis=1) > 0, "good", "bad")

    return predict, rows


class Scene:
    """A model, rows that it reads, and what calls are about. `fresh` forgets what was built."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.budget: dict[str, Any] = {}
        self.data: Any = None
        if name == "naive Bayes, 40":
            self.given: Any = next(common.random_classifiers(40, 1, seed=1))
        elif name == "linear, 60":
            self.given = linear()
        elif name == "Bayesian network, 200":
            self.given = network()
        elif name == "from_predict, 50 ms":
            self.predict, self.data = slow_predict()
            self.given = symcf.from_predict(self.predict, self.data)
        else:
            make, n, *read = {
                "forest, 100": (forest, 20),
                "XGBoost, 100 x 6": (xgboost, 20),
                "LightGBM, 300": (lightgbm, 20),
                "CatBoost, 200": (catboost, 20),
                "scaled logistic regression, 60": (scaled, 60),
                "whole numbers, 12": (scaled, 12, whole_table),
                "forest of numbers, 100": (regressor, 20, price_table),
            }[name]
            self.given, self.data = fitted(make.__name__, n, make, *read)
        self.model = self.given if isinstance(self.given, symcf.Model) else symcf.from_model(self.given, self.data)
        if self.data is None:
            sizes = [len(values) for values in self.model.values]
            self.rows: Any = np.random.default_rng(6).integers(0, sizes, (ROWS, len(sizes)))
        else:
            self.rows = self.data.iloc[:ROWS]

    @cached_property
    def c(self) -> symcf.Compiled:
        return symcf.compile(self.model, **self.budget)

    @property
    def x(self) -> Any:
        return self.rows[0].tolist() if self.data is None else self.rows.iloc[0].to_dict()

    @property
    def good(self) -> Any:
        return self.c.classes[1]

    @cached_property
    def aim(self) -> dict[str, Any]:
        """A target that is a number: of a regressor what it predicts, of a classifier its score."""
        given = [self.x] if self.data is None else self.rows.iloc[:1]
        if self.is_regressor:
            return {"target": symcf.at_least(float(self.c.predict(given)[0]) + 150)}
        score = float(self.c.decision_function(given)[0])
        return {"target": symcf.at_least(score + 1.5), "of": "score"}

    @cached_property
    def likely(self) -> dict[str, Any]:
        """A probability of the class that the row does not have."""
        given = [self.x] if self.data is None else self.rows.iloc[:1]
        decided = self.c.predict(given)[0]
        return {"target": next(label for label in self.c.classes if label != decided), "min_probability": 0.9}

    @property
    def is_regressor(self) -> bool:
        return isinstance(self.model, symcf.Regressor)

    @property
    def wish(self) -> dict[str, Any]:
        """What a question about many rows needs: a class, or of a regressor a number."""
        return self.aim if self.is_regressor else {"target": self.good}

    @cached_property
    def sums(self) -> list[str]:
        """Constraints over sums, changes and numbers of columns."""
        names = [str(name) for name in self.c.features[:6]]
        if self.data is None:
            return [f"at_most(2, {', '.join(names)})"]
        a, b, c, d, e, f = names
        return [
            f"{a} + {b} <= {c} + 3",
            f"{d} <= old.{d} + 2",
            f"change.{e} == change.{f}",
            f"at_most(2, {a}, {b}, {c})",
        ]

    @cached_property
    def priced(self) -> dict[str, Any]:
        """Costs that are distances."""
        return {"cost": "ordinal"} if self.data is None else {"cost": "distance", "scale": "range", "data": self.data}

    @cached_property
    def plausible(self) -> symcf.Compiled:
        return symcf.compile(self.model, plausibility=self.rows, **self.budget)

    @cached_property
    def few(self) -> symcf.Explanation:
        """A list that was cut short."""
        return self.c.explain(self.x, max_results=2000, time_limit=2, **self.aim if self.is_regressor else {})

    @cached_property
    def reasons(self) -> symcf.Reasons:
        return self.c.why(self.x, max_results=2000, time_limit=2, **self.aim if self.is_regressor else {})

    def explained(self, memory: bool) -> Scene:
        """The same with the two lists, which many calls are about; they are made once."""
        other = copy(self)
        other.budget = {"max_memory": BUDGET} if memory else {}
        with contextlib.suppress(symcf.SymcfError):
            _ = other.few
        with contextlib.suppress(symcf.SymcfError):
            _ = other.reasons
        return other


#: Calls of, or about, one of the two lists.
ABOUT_LISTS = ("Explanation.", "Reasons.", "verify", "certificate")

MODELS = (
    "naive Bayes, 40", "linear, 60", "forest, 100", "XGBoost, 100 x 6", "LightGBM, 300", "CatBoost, 200",
    "scaled logistic regression, 60", "Bayesian network, 200", "from_predict, 50 ms", "whole numbers, 12",
    "forest of numbers, 100",
)  # fmt: skip


# --- calls ------------------------------------------------------------------------------------------------------------

Call = Callable[..., object]

#: By name, how a call is prepared; the call itself takes the limits.
CALLS: dict[str, Callable[[Scene], Call]] = {}


def call(name: str) -> Callable[[Callable[[Scene], Call]], Callable[[Scene], Call]]:
    def register(prepare: Callable[[Scene], Call]) -> Callable[[Scene], Call]:
        CALLS[name] = prepare
        return prepare

    return register


def method(name: str, *arguments: str | int, called: str = "", **options: Any) -> None:
    """A method of the classifier; "x", "rows" and "good" stand for what the scene has."""

    def prepare(s: Scene) -> Call:
        given = [getattr(s, a) if a in ("x", "rows", "good") else a for a in arguments]
        return with_options(getattr(s.c, name), given, options)

    CALLS[called or name] = prepare


def with_options(function: Call, given: list[Any], options: dict[str, Any]) -> Call:
    bound = partial(function, *given, **options)
    bound.takes = inspect.signature(function).parameters  # type: ignore[attr-defined]
    return bound


method("explain", "x")
method("explain", "x", called="explain, k = 1", k=1)
method("explain", "x", called="explain, k = 100", k=100)
method("explain", "x", called="explain, diagram", engine="diagram")
method("explain", "x", called="explain, sat", engine="sat")
method("explain", "x", called="explain, sat-portable", engine="sat-portable")
method("explain", "x", called="explain, moves", minimality="moves")
method("explain", "x", called="explain, moves, k = 1", minimality="moves", k=1)
method("explain", "x", called="explain, diverse", diverse=5)
method("explain", "x", called="explain, select='all'", select="all", k=3)
method("count", "x")
method("count_bounds", "x")
method("sample", "x", 100_000, 0)
method("why", "x")
method("why", "x", called="why, k = 1", k=1)
method("why", "x", called="why, diagram", engine="diagram")
method("why", "x", called="why, sat", engine="sat")
method("count_why", "x")
method("sample_why", "x", 100_000, 0)
method("attribute", "x")
method("attribute", "x", "changes", called="attribute, changes")
method("attribute", "x", "shapley", called="attribute, shapley")
for _encoding in ("no-cut", "node-cut", "aux-cut", "prime"):
    method("cnf", _encoding, called=f"cnf, {_encoding}", max_clauses=None)
method("wcnf", "x")
method("predict", "rows")
method("predict_proba", "rows")
method("decision_function", "rows")
method("is_class", "good")
method("is_consistent")
method("is_valid")
method("models")
method("count_models")
method("share_of_models")
method("diagram_of", "good")
method("depends_on", 0)
method("is_monotone", 0)
method("robustness", "x")
method("robustness_distribution", "rows")


def question(name: str, called: str, ask: Callable[[Scene], dict[str, Any]], *given: Any) -> None:
    """A call about one row, with options that depend on the model."""
    CALLS[called] = lambda s: with_options(getattr(s.c, name), [s.x, *given], ask(s))


question("explain", "explain, cost='distance', k = 1", lambda s: {"k": 1, **s.priced})
question("explain", "explain, cost='distance', k = 10", lambda s: {"k": 10, **s.priced})
question(
    "explain", "explain, cost='distance', k = 1, features", lambda s: {"k": 1, "minimality": "features", **s.priced}
)
for _name in ("explain", "why", "count", "attribute"):
    question(_name, f"{_name}, min_probability", lambda s: s.likely)
    question(_name, f"{_name}, target=at_least", lambda s: s.aim)
question("explain", "explain, min_probability, k = 1", lambda s: {"k": 1, **s.likely})
question("explain", "explain, target=at_least, distance, k = 1", lambda s: {"k": 1, **s.aim, **s.priced})
for _name in ("explain", "why", "count", "sample"):
    _count = (1000, 0) if _name == "sample" else ()
    question(_name, f"{_name}, constraints over sums", lambda s: {"constraints": s.sums}, *_count)
question("explain", "explain, constraints over sums, k = 1", lambda s: {"constraints": s.sums, "k": 1})
question(
    "explain", "explain, relative and step",
    lambda s: {"allowed": {s.c.features[0]: symcf.relative(-0.5, 0.5), s.c.features[1]: symcf.step(2)}},
)  # fmt: skip
question("explain", "explain, moves, max_changes = 2", lambda s: {"minimality": "moves", "max_changes": 2})
question("explain", "explain, select='all', max_changes = 2", lambda s: {"select": "all", "max_changes": 2})
question("attribute", "attribute, shapley, data", lambda s: {"data": s.rows}, "shapley")


@call("explain, min_plausibility")
def _(s: Scene) -> Call:
    return with_options(s.plausible.explain, [s.x], {"min_plausibility": 0.05})


@call("explain, likeliest")
def _(s: Scene) -> Call:
    return with_options(s.plausible.explain, [s.x], {"select": "likeliest", "k": 5})


@call("reaching")
def _(s: Scene) -> Call:
    return with_options(s.c.reaching, [], s.wish if s.is_regressor else s.likely)


@call("reaching, count_models")
def _(s: Scene) -> Call:
    return with_options(s.c.reaching(**s.wish if s.is_regressor else s.likely).count_models, [], {})


@call("verify, min_probability")
def _(s: Scene) -> Call:
    e = s.c.explain(s.x, **s.likely, max_results=500, time_limit=2)
    return with_options(symcf.verify, [s.c, s.x, e], {})


@call("certificate, min_probability")
def _(s: Scene) -> Call:
    return with_options(s.c.explain(s.x, **s.likely, max_results=500, time_limit=2).certificate, [], {})


@call("Explanation.pareto")
def _(s: Scene) -> Call:
    e = s.c.explain(s.x, max_results=2000, time_limit=2, **s.priced)
    return with_options(e.pareto, ["changes", "cost"], {})


@call("Explanation.pareto, plausibility")
def _(s: Scene) -> Call:
    e = s.plausible.explain(s.x, max_results=2000, time_limit=2)
    return with_options(e.pareto, ["changes", "plausibility"], {})


@call("group_recourse")
def _(s: Scene) -> Call:
    return with_options(symcf.group_recourse, [s.c, s.rows], {"actions": 3, **s.wish})


@call("group_recourse, coverage")
def _(s: Scene) -> Call:
    options = {"coverage": 0.9, "groups": s.c.features[0], **s.wish}
    return with_options(symcf.group_recourse, [s.c, s.rows], options)


@call("explain, constraint")
def _(s: Scene) -> Call:
    first, second = (str(s.c.features[j]) for j in (0, 1))
    if s.data is not None:
        rule: Any = f"{first} <= {second}"
    else:
        rule = symcf.implies({first: [s.c.values[0][1]]}, {second: [s.c.values[1][0]]})
    return with_options(s.c.explain, [s.x], {"constraints": [rule]})


@call("iter_counterfactuals")
def _(s: Scene) -> Call:
    def run(time_limit: float | None = None) -> int:
        return sum(1 for _ in s.c.iter_counterfactuals(s.x, time_limit=time_limit))

    return with_options(run, [], {})


@call("mc_explanations")
def _(s: Scene) -> Call:
    baseline = s.rows[1].tolist() if s.data is None else s.rows.iloc[1].to_dict()
    return with_options(s.c.mc_explanations, [s.x], {"baseline": baseline})


@call("diagram")
def _(s: Scene) -> Call:
    return with_options(lambda: s.c.diagram, [], {})


@call("cnf_chunks")
def _(s: Scene) -> Call:
    return with_options(lambda: sum(map(len, s.c.cnf_chunks())), [], {})


@call("condition")
def _(s: Scene) -> Call:
    name = s.c.features[0]
    return with_options(s.c.condition, [{name: [s.c.values[0][0]]} if s.data is None else f"{name} <= 0"], {})


@call("operators & | ^ ~")
def _(s: Scene) -> Call:
    def run() -> int:
        is_good = s.c.is_class(s.good)
        return int(((is_good & ~is_good) | (is_good ^ s.c.is_class(s.c.classes[0]))).count_models())

    return with_options(run, [], {})


@call("implies")
def _(s: Scene) -> Call:
    return with_options(s.c.implies, [symcf.compile(s.model)], {})


@call("entails")
def _(s: Scene) -> Call:
    name = s.c.features[0]
    return with_options(s.c.entails, [{name: [s.c.values[0][0]]} if s.data is None else f"{name} <= 0"], {})


@call("bias")
def _(s: Scene) -> Call:
    return with_options(s.c.bias, [[s.c.features[0]]], {})


@call("save")
def _(s: Scene) -> Call:
    return with_options(s.c.save, [Path(tempfile.mkdtemp()) / "classifier.symcf"], {})


@call("load")
def _(s: Scene) -> Call:
    path = Path(tempfile.mkdtemp()) / "classifier.symcf"
    s.c.save(path)
    return with_options(symcf.load, [path], {})


@call("compile")
def _(s: Scene) -> Call:
    own = {} if isinstance(s.given, symcf.Model) else {"data": s.data}

    def run(time_limit: float | None = None, max_memory: int | None = None) -> object:
        return symcf.compile(s.given, **own, time_limit=time_limit, max_memory=max_memory)

    return with_options(run, [], {})


@call("compile, plausibility")
def _(s: Scene) -> Call:
    def run(time_limit: float | None = None, max_memory: int | None = None) -> object:
        return symcf.compile(s.model, plausibility=s.rows, time_limit=time_limit, max_memory=max_memory)

    return with_options(run, [], {})


@call("from_model")
def _(s: Scene) -> Call:
    own = {} if isinstance(s.given, symcf.Model) else {"data": s.data}
    return with_options(symcf.from_model, [s.given], own)


@call("from_predict")
def _(s: Scene) -> Call:
    return with_options(symcf.from_predict, [s.predict, s.data], {})


@call("model.to_json")
def _(s: Scene) -> Call:
    return with_options(s.model.to_json, [], {})


@call("model_from_json")
def _(s: Scene) -> Call:
    return with_options(symcf.model_from_json, [s.model.to_json()], {})


@call("suggest_relations")
def _(s: Scene) -> Call:
    return with_options(symcf.suggest_relations, [s.rows, s.c], {})


@call("verify")
def _(s: Scene) -> Call:
    return with_options(symcf.verify, [s.c, s.x, s.few], {})


@call("verify, k = 10")
def _(s: Scene) -> Call:
    return with_options(symcf.verify, [s.c, s.x, s.c.explain(s.x, k=10, time_limit=3)], {})


@call("verify, reasons")
def _(s: Scene) -> Call:
    return with_options(symcf.verify, [s.c, s.x, s.reasons], {})


@call("certificate")
def _(s: Scene) -> Call:
    return with_options(s.few.certificate, [], {})


@call("certificate, k = 10")
def _(s: Scene) -> Call:
    return with_options(s.c.explain(s.x, k=10, time_limit=3).certificate, [], {})


@call("check")
def _(s: Scene) -> Call:
    certificate = s.c.explain(s.x, k=3, max_changes=2, time_limit=3).certificate(time_limit=5)
    return with_options(symcf.check, [certificate], {})


@call("check, model")
def _(s: Scene) -> Call:
    certificate = s.c.explain(s.x, k=3, max_changes=2, time_limit=3).certificate(time_limit=5)
    return with_options(symcf.check, [certificate, s.c], {"row": s.x})


@call("Explanation.diverse")
def _(s: Scene) -> Call:
    return with_options(s.few.diverse, [20], {})


@call("Explanation.letter")
def _(s: Scene) -> Call:
    return with_options(s.few.letter, [list(s.c.features)], {})


def of_result(result: str, name: str, *given: Any, called: str = "") -> None:
    CALLS[called or f"{result}.{name}"] = lambda s: with_options(
        getattr(s.few if result == "Explanation" else s.reasons, name), list(given), {}
    )


for _name in ("groups", "sentences", "to_frame", "to_pandas", "to_json"):
    of_result("Explanation", _name)
for _name in ("sentences", "to_pandas", "to_json"):
    of_result("Reasons", _name)
of_result("Reasons", "principal", 3)


def attribute(result: str, name: str, use: Callable[[Any], object]) -> None:
    CALLS[f"{result}.{name}"] = lambda s: with_options(
        partial(use, s.few if result == "Explanation" else s.reasons), [], {}
    )


attribute("Explanation", "[...]", list)
attribute("Explanation", "reasons", lambda e: e.reasons)
attribute("Explanation", "print", lambda e: str(e))
attribute("Reasons", "changes", lambda r: r.changes)
attribute("Reasons", "relevant", lambda r: r.relevant)
attribute("Reasons", "necessary", lambda r: r.necessary)
attribute("Reasons", "shares", lambda r: r.shares)
attribute("Reasons", "print", lambda r: str(r))


def of_function(name: str, function: Callable[..., object], **options: Any) -> None:
    CALLS[name] = lambda s: with_options(function, [s.c, s.rows], options)


of_function("audit", symcf.audit)
of_function("audit, by group", lambda c, rows, **o: symcf.audit(c, rows, groups=c.features[0], **o))
of_function("fast.explain_batch", symcf.fast.explain_batch)
of_function("fast.explain_batch, k = 5", symcf.fast.explain_batch, k=5)
of_function("fast.explain_batch, moves", symcf.fast.explain_batch, minimality="moves", k=2)
of_function("fast.explain_batch, diagram", symcf.fast.explain_batch, engine="diagram")
of_function("fast.explain_batch, sat", symcf.fast.explain_batch, engine="sat")
CALLS["fast.explain_batch, cost='distance', k = 1"] = lambda s: with_options(
    symcf.fast.explain_batch, [s.c, s.rows], {"k": 1, **s.priced}
)
CALLS["fast.explain_batch, constraints over sums"] = lambda s: with_options(
    symcf.fast.explain_batch, [s.c, s.rows], {"constraints": s.sums}
)
CALLS["fast.explain_batch, immutable per row"] = lambda s: with_options(
    symcf.fast.explain_batch, [s.c, s.rows], {"immutable": [[s.c.features[i % 5]] for i in range(len(s.rows))]}
)
of_function("fast.why_batch", symcf.fast.why_batch)
of_function("fast.why_batch, k = 1", symcf.fast.why_batch, k=1)
of_function("fast.attribute_batch", symcf.fast.attribute_batch)
of_function("fast.attribute_batch, shapley", lambda c, rows, **o: symcf.fast.attribute_batch(c, rows, "shapley", **o))
of_function("report.show", lambda c, rows, max_memory=None: symcf.report.show(c, rows, max_memory=max_memory))


@call("fast.explain_batches")
def _(s: Scene) -> Call:
    def run(time_limit: float | None = None, max_memory: int | None = None) -> int:
        limits = {"time_limit": time_limit, "max_memory": max_memory}
        return sum(b.num_rows for b in symcf.fast.explain_batches(s.c, [s.rows], **limits))

    return with_options(run, [], {})


@call("equivalent")
def _(s: Scene) -> Call:
    return with_options(symcf.equivalent, [s.c, symcf.compile(s.model)], {})


@call("difference")
def _(s: Scene) -> Call:
    def run(time_limit: float | None = None) -> int:
        other = symcf.compile(s.model, order="natural")
        return symcf.difference(s.c, other, time_limit=time_limit).count

    return with_options(run, [], {})


@call("difference, data")
def _(s: Scene) -> Call:
    def run(time_limit: float | None = None) -> int:
        return symcf.difference(s.c, symcf.compile(s.model), s.rows, time_limit=time_limit).n_data

    return with_options(run, [], {})


@call("MultiLabel.explain")
def _(s: Scene) -> Call:
    labels = symcf.MultiLabel({"a": s.model, "b": s.model})
    return with_options(labels.explain, [s.x], {"target": {"a": s.good, "b": s.good}})


# --- the process of a model, and one for each call --------------------------------------------------------------------


def warm_up() -> None:
    """Imports what is imported at first use: that is once in a process, and not ours to interrupt."""
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401
    import scipy.optimize  # noqa: F401

    c = symcf.compile(next(common.random_classifiers(4, 1)))
    for engine in ("cover", "diagram", "sat", "sat-portable"):
        e = c.explain([0] * 4, engine=engine)
        c.explain([0] * 4, engine=engine, k=1, max_changes=2)
    symcf.verify(c, [0] * 4, e)
    symcf.check(e.certificate(), c)
    e.letter(list(c.features))
    e.to_frame()
    symcf.report.show(c, [[0] * 4])
    symcf.audit(c, [[0] * 4])
    del c, e
    gc.collect()  # solvers of PySAT have a finalizer in Python, which loses a KeyboardInterrupt that arrives in it


def status_of(result: object) -> str:
    status = getattr(result, "status", "finished")
    return "batch" if isinstance(status, np.ndarray) else str(status)


def waited(process: int | str) -> float:
    """Seconds in which the threads of a process could have run and had no processor."""
    total = 0
    for task in Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):
            total += int((task / "schedstat").read_text().split()[1])
    return total / 1e9


def memory(field: str) -> int:
    """Bytes of this process, from /proc/self/status."""
    text = Path("/proc/self/status").read_text()
    return 1024 * int(text.split(f"{field}:")[1].split()[0])


#: Calls that pass ``max_memory`` on, although their signature does not name it.
TAKE_MEMORY = ("fast.", "report.", "MultiLabel.explain")


def run(prepared: Call, name: str, mode: str, write: int) -> None:
    """In a process of its own: one call, and a line of JSON about it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    takes = prepared.takes  # type: ignore[attr-defined]
    out = os.fdopen(write, "w")
    options: dict[str, Any] = {}
    seconds = {"interrupt": None, "memory": FOR_MEMORY}.get(mode) if mode in ("interrupt", "memory") else float(mode)
    around: Any = contextlib.nullcontext()
    many = any(p.kind is p.VAR_KEYWORD for p in takes.values())
    if seconds is not None and ("time_limit" in takes or many):
        options["time_limit"] = seconds
    elif seconds is not None:
        around = symcf.time_limit(seconds)
    if mode == "memory" and ("max_memory" in takes or (many and name.startswith(TAKE_MEMORY))):
        options["max_memory"] = BUDGET
    gc.freeze()
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    detail = ""
    start = end = time.monotonic()
    print(json.dumps(start), file=out, flush=True)
    try:
        if mode == "interrupt":
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with around:
            result = prepared(**options)
        end, outcome = time.monotonic(), status_of(result)
    except (symcf.LimitError, KeyboardInterrupt, MemoryError) as error:
        end, outcome, detail = time.monotonic(), type(error).__name__, str(error)[:100]
    except Exception as error:
        end, outcome, detail = time.monotonic(), "error", f"{type(error).__name__}: {str(error)[:120]}"
    idle = waited("self")
    with contextlib.suppress(KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    found = {"outcome": outcome, "detail": detail, "start": start, "end": end, "waited": idle}
    print(json.dumps({**found, "grown": memory("VmHWM") - before}), file=out, flush=True)


def forked(prepared: Call, name: str, mode: str) -> dict[str, Any]:
    """What became of a call."""
    with process(lambda write: run(prepared, name, mode, write)) as (child, read):
        return watched(child, read, mode)


@contextlib.contextmanager
def process(work: Callable[[int], None]) -> Iterator[tuple[int, int]]:
    """A copy of this process that does some work, and what it writes. It ends with the block."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            work(write)
        finally:
            os._exit(0)
    os.close(write)
    try:
        yield child, read
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(read)


def lines(read: int, patience: Callable[[], float]) -> Iterator[str]:
    text = b""
    while True:
        ready, _, _ = select.select([read], [], [], max(0.0, patience()))
        more = os.read(read, 1 << 16) if ready else b""
        if not more:
            return
        text += more
        while b"\n" in text:
            line, _, text = text.partition(b"\n")
            yield line.decode()


def watched(child: int, read: int, mode: str) -> dict[str, Any]:
    deadline = [time.monotonic() + 60]
    came = lines(read, lambda: deadline[0] - time.monotonic())
    first = next(came, None)
    if first is None:
        return {"outcome": "the process ended before the call"}
    limit = json.loads(first) + {"interrupt": BEFORE_INTERRUPT, "memory": FOR_MEMORY}.get(mode, 0.0)
    if mode not in ("interrupt", "memory"):
        limit += float(mode)
    select.select([read], [], [], max(0.0, limit - time.monotonic()))
    looked, before = time.monotonic(), waited(child)
    if mode == "interrupt":
        limit = looked
        os.kill(child, signal.SIGINT)
    busy = os.getloadavg()[0] > (os.cpu_count() or 1)
    deadline[0] = limit + PATIENCE * (3 if busy else 1)  # waiting is not late
    last = next(came, None)
    if last is None:
        return {"outcome": "killed", "late": PATIENCE, "wall": PATIENCE, "grown": 0}
    found = json.loads(last)
    found["wall"] = max(0.0, found["end"] - limit)
    # how long it waited between the limit and the look is not known: the difference is at most too large
    found["late"] = max(0.0, found["wall"] - (found["waited"] - before if found["end"] > looked else 0.0))
    if mode == "interrupt" and found["outcome"] != "KeyboardInterrupt":
        found |= {"outcome": "finished", "late": 0.0, "wall": 0.0}
    return {key: found[key] for key in ("outcome", "detail", "late", "wall", "grown")}


def measured(prepared: Call, name: str, mode: str) -> dict[str, Any]:
    goal = INTERRUPT_GOAL if mode == "interrupt" else LIMIT_GOAL
    found = forked(prepared, name, mode)
    for _ in range(2):
        if goal < found.get("late", 0) < 2:
            found = min(found, forked(prepared, name, mode), key=lambda one: one.get("late", 0))
    return found


def in_turn(scene: Scene, name: str, modes: Sequence[str], write: int) -> None:
    """In a process of its own: prepares a call once and measures it with some limits, a line of JSON for each."""
    warnings.simplefilter("ignore")
    out = os.fdopen(write, "w")
    scene.budget = {"max_memory": BUDGET} if "memory" in modes else {}
    try:
        with symcf.time_limit(8):
            _ = scene.c
            prepared = CALLS[name](scene)
    except (Exception, SystemExit) as error:
        problem = {"outcome": f"not prepared: {type(error).__name__}: {str(error)[:80]}"}
        for _ in modes:
            print(json.dumps(problem), file=out, flush=True)
        return
    for mode in modes:
        print(json.dumps(measured(prepared, name, mode)), file=out, flush=True)


def with_limits(scenes: Mapping[bool, Scene], name: str, modes: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """By limit, what became of a call. ``scenes``: without a budget of memory, and with one."""
    for memory in (False, True):
        part = [mode for mode in modes if (mode == "memory") == memory]
        if not part:
            continue
        with process(partial(in_turn, scenes[memory], name, part)) as (_, read):
            came = lines(read, lambda: PREPARING)
            for mode in part:
                line = next(came, None)
                yield mode, json.loads(line) if line else {"outcome": "not prepared: too slow, or the process ended"}


# --- the table --------------------------------------------------------------------------------------------------------


def is_bad(one: dict[str, Any]) -> bool:
    late = one.get("late", 0) > (INTERRUPT_GOAL if one["mode"] == "interrupt" else LIMIT_GOAL)
    return bool(late or (one["mode"] == "memory" and one.get("grown", 0) > MEMORY_GOAL))


def by_call(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The worst of each call and mode."""
    summary: dict[str, dict[str, Any]] = {}
    for one in results:
        if "late" not in one or one["outcome"] == "error":
            continue
        worst = summary.setdefault(one["call"], {"call": one["call"], "models": set(), **dict.fromkeys(MODES)})
        worst["models"].add(one["model"])
        figure = "grown" if one["mode"] == "memory" else "late"
        if worst[one["mode"]] is None or one[figure] > worst[one["mode"]]["figure"]:
            worst[one["mode"]] = {"figure": one[figure], "model": one["model"], "outcome": one["outcome"]}
    return [{**worst, "models": len(worst["models"])} for worst in summary.values()]


def cells(worst: dict[str, Any]) -> Iterator[str]:
    for mode in MODES:
        one = worst[mode]
        if one is None:
            yield "-"
        elif mode == "memory":
            yield f"{one['figure'] / 2**20:.0f} MB"
        else:
            yield f"{1e3 * one['figure']:.0f} ms"


def content_of(results: list[dict[str, Any]], load: list[float]) -> dict[str, Any]:
    """What is stored: how much was measured, the worst of each call, and everything beyond the goals."""
    return {
        "machine": common.machine(),
        "load": [min(load), max(load)],
        "goals": {"limit": LIMIT_GOAL, "interrupt": INTERRUPT_GOAL, "memory": MEMORY_GOAL, "budget": BUDGET},
        "measurements": sum("late" in one and one["outcome"] != "error" for one in results),
        "models": len({one["model"] for one in results}),
        "modes": len({one["mode"] for one in results}),
        "beyond": [one for one in results if is_bad(one)],
        "calls": by_call(results),
    }


def of_model(model: str, calls: Sequence[str], modes: Sequence[str]) -> list[dict[str, Any]]:
    """All calls of a model, printed as they are measured."""
    scene, results = Scene(model), []
    about_lists = any(name.startswith(ABOUT_LISTS) for name in calls)
    lists = {memory: scene.explained(memory) for memory in {m == "memory" for m in modes} if about_lists}
    for name in calls:
        about = lists if name.startswith(ABOUT_LISTS) else dict.fromkeys((False, True), scene)
        for mode, found in with_limits(about, name, modes):
            one = {"model": model, "call": name, "mode": mode, **found}
            results.append(one)
            late, grown = one.get("late", 0.0), one.get("grown", 0) / 2**20
            note = f"{one['outcome']} {one.get('detail', '')}"
            flag = "BAD" if is_bad(one) else ""
            print(f"{flag:3} {late:7.3f} s {grown:6.0f} MB  {model} | {name} | {mode}: {note}", flush=True)
    return results


def side_by_side(models: Sequence[str], options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Each model in an interpreter of its own, several at a time: what they have measured."""

    def measure(model: str) -> dict[str, Any]:
        with tempfile.NamedTemporaryFile() as file:
            only = ["--models", f"^{re.escape(model)}$", "--only", options.only, "--modes", options.modes]
            subprocess.run([sys.executable, __file__, *only, "--write", file.name], check=True)
            return dict(json.loads(Path(file.name).read_text()))

    with ThreadPoolExecutor(options.jobs) as pool:
        yield from pool.map(measure, models)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="calls whose names match this expression; writes nothing")
    parser.add_argument("--models", default="", help="models whose names match this expression; writes nothing")
    parser.add_argument("--modes", default=",".join(MODES), help="which limits are tried")
    parser.add_argument("--jobs", type=int, default=1, help="models that are measured at the same time")
    parser.add_argument("--write", help="a file for the figures, instead of bench/results")
    parser.add_argument("--merge", nargs="+", metavar="FILE", help="measures nothing; joins what --write has written")
    options = parser.parse_args()
    if options.merge:
        parts = [json.loads(Path(file).read_text()) for file in options.merge]
        load = [load for part in parts for load in part["load"]]
        latest = {(one["model"], one["call"], one["mode"]): one for part in parts for one in part["results"]}
        common.write("limits_sweep", content_of(list(latest.values()), load))
        return
    modes = [mode for mode in MODES if mode in options.modes.split(",")]
    models = [model for model in MODELS if re.search(options.models, model)]
    calls = [name for name in CALLS if re.search(options.only, name)]
    load, results = [os.getloadavg()[0]], []
    if options.jobs > 1:
        for part in side_by_side(models, options):
            results += part["results"]
            load += part["load"]
    else:
        warm_up()
        for model in models:
            results += of_model(model, calls, modes)
    summary = by_call(results)
    common.print_table(["call", "models", *MODES], [[w["call"], w["models"], *cells(w)] for w in summary])
    bad = sum(map(is_bad, results))
    print(f"\n{len(results)} measurements, {bad} beyond the goals")
    load.append(os.getloadavg()[0])
    whole = not (options.only or options.models) and len(modes) == len(MODES)
    if whole or options.write:
        if options.write:
            Path(options.write).write_text(json.dumps({"load": load, "results": results}))
        else:
            common.write("limits_sweep", content_of(results, load))


if __name__ == "__main__":
    sys.exit(main())
