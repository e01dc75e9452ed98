"""Counterfactuals of ensembles by other tools, in the environments that tree_peers.py makes for them; imports nothing
of ours.

    python bench/on_tree_peers.py < tasks > answers      pickles, one after the other; an answer follows its task

task:    (tool, its arguments by name)
answer:  {"setup": seconds, "versions": {package: version}, "answers": by row what the tool's function gives}

Seconds are processor time of all threads and of processes that a tool starts.
"""

from __future__ import annotations

import math
import os
import pickle
import resource
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what the tools print does not belong to the answers


def processor_time() -> float:
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = processor_time()
    result = work()
    return processor_time() - start, result


# --- treecf -----------------------------------------------------------------------------------------------------------


def treecf(model: Any, table: Any, rows: Any, wanted: list[int], most: int, seconds: float) -> dict[str, Any]:
    """The menu of all sets of up to `most` features. By row: seconds, is it complete, the minimal sets, a row each."""
    from treecf import Counterfactual, Explainer, Target

    def target_of(one: int) -> Target:
        if hasattr(model, "get_booster"):
            return Target.probability(range=(0.5, 1.0) if one else (0.0, 0.5))
        # a forest gives shares of class 1, and half of them are class 0's
        return Target.raw(range=(math.nextafter(0.5, 1.0), 1.0) if one else (0.0, 0.5))

    setup, explainer = timed(lambda: Explainer(model, background=table))
    names = {f"f{j}": j for j in range(table.shape[1])}
    found = []
    for row, one in zip(rows, wanted, strict=True):
        target = target_of(one)
        took, menu = timed(
            lambda x=row, t=target: explainer.recourse_menu(x, t, max_levers=most, seed=0, total_budget_s=seconds)
        )
        sets = [sorted(names[name] for name in key.split("+")) for key in menu.minimal]
        plans = [menu[key] for key in menu.minimal]
        assert all(isinstance(plan, Counterfactual) for plan in plans)
        found.append(
            {
                "seconds": took,
                "complete": bool(menu.complete),
                "sets": sets,
                "rows": [list(map(float, plan.x_cf)) for plan in plans],
            }
        )
    return {"setup": setup, "versions": {"treecf": version("treecf")}, "answers": found}


# --- PyXAI ------------------------------------------------------------------------------------------------------------


def pyxai(model: Any, rows: Any, seconds: int) -> dict[str, Any]:
    """One contrastive reason of fewest features. By row: seconds, its own prediction, and the conditions that it turns
    over, None if time was up; `conditions` are all (feature, operator, threshold).
    """
    from pyxai import Explaining, Learning, Tools

    Tools.set_verbose(0)
    start = processor_time()
    _, own = Learning.ModelIO.import_models(model, instances_type="tabular")
    own.learner_information.feature_names = [f"x{j}" for j in range(rows.shape[1])]
    explainer = Explaining.initialize(own, features_type={"numerical": Learning.DEFAULT})
    explainer._visualisation._do_history = False
    setup = processor_time() - start
    found = []
    for row in rows:

        def ask(x: Any = row) -> Any:
            explainer.set_instance(x)
            return explainer.minimal_contrastive_reason(n=1, time_limit=seconds)

        took, reason = timed(ask)
        late = explainer.elapsed_time == Explaining.TIMEOUT or not reason
        found.append(
            {
                "seconds": took,
                "prediction": int(explainer.target_prediction),
                "reason": None if late else [abs(int(literal)) - 1 for literal in reason],
            }
        )
    keys = own.map_id_binaries_to_features[1:]
    return {
        "setup": setup,
        "versions": {"pyxai": version("pyxai")},
        "conditions": [(int(feature) - 1, operator.value, float(threshold)) for feature, operator, threshold in keys],
        "answers": found,
    }


# --- OR-tools ---------------------------------------------------------------------------------------------------------

#: A leaf: what the wanted class leads by there, and the tests on the way, each (number of the test, its outcome).
Leaf = tuple[int, list[tuple[int, bool]]]


def cp_sat(
    tests: list[tuple[int, list[int]]], cases: list[dict[str, Any]], trees: list[list[Leaf]], seconds: float
) -> dict[str, Any]:
    """The fewest changes, by a model of our own for CP-SAT. A test is a feature and the values that pass it. A case has
    the row's codes `x`, the codes `allowed` by feature, the `sign` of the leads and the least sum `enough`.
    """
    from ortools.sat.python import cp_model

    def solve(case: dict[str, Any]) -> dict[str, Any]:
        m = cp_model.CpModel()
        value = [m.new_int_var_from_domain(cp_model.Domain.from_values(codes), f"x{j}")
                 for j, codes in enumerate(case["allowed"])]  # fmt: skip
        passes = []
        for i, (j, codes) in enumerate(tests):
            domain = cp_model.Domain.from_values(codes)
            literal = m.new_bool_var(f"t{i}")
            m.add_linear_expression_in_domain(value[j], domain).only_enforce_if(literal)
            m.add_linear_expression_in_domain(value[j], domain.complement()).only_enforce_if(~literal)
            passes.append(literal)
        total = []
        for leaves in trees:
            reached = [m.new_bool_var("") for _ in leaves]
            m.add_exactly_one(reached)
            for literal, (lead, way) in zip(reached, leaves, strict=True):
                total.append(case["sign"] * lead * literal)
                for i, outcome in way:
                    m.add_implication(literal, passes[i] if outcome else ~passes[i])
        m.add(sum(total) >= case["enough"])
        changed = []
        for j, code in enumerate(case["x"]):
            literal = m.new_bool_var(f"c{j}")
            m.add(value[j] == code).only_enforce_if(~literal)
            changed.append(literal)
        m.minimize(sum(changed))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_deterministic_time = seconds  # about seconds of a processor of its own
        status = solver.solve(m)
        known = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        return {
            "status": solver.status_name(status),
            "fewest": round(solver.objective_value) if known else None,
            "codes": [solver.value(v) for v in value] if known else None,
        }

    found = []
    for case in cases:
        took, answer = timed(lambda c=case: solve(c))
        found.append({"seconds": took, **answer})
    return {"setup": 0.0, "versions": {"ortools": version("ortools")}, "answers": found}


# --- DiCE -------------------------------------------------------------------------------------------------------------


def dice(model: Any, table: Any, rows: Any, count: int) -> dict[str, Any]:
    """Counterfactuals by its method `random`. By row: seconds and the rows."""
    import dice_ml
    import numpy as np
    import pandas as pd
    from raiutils.exceptions import UserConfigValidationException

    np.random.seed(0)  # noqa: NPY002 - DiCE draws from the global generator
    names = [f"x{j}" for j in range(table.shape[1])]

    class Named:
        """The model, for tables with names."""

        classes_ = model.classes_

        def predict(self, x: Any) -> Any:
            return model.predict(np.asarray(x, dtype=float))

        def predict_proba(self, x: Any) -> Any:
            return model.predict_proba(np.asarray(x, dtype=float))

    def make() -> Any:
        frame = pd.DataFrame(table, columns=names).assign(label=model.predict(table))
        data = dice_ml.Data(dataframe=frame, continuous_features=names, outcome_name="label")
        return dice_ml.Dice(data, dice_ml.Model(model=Named(), backend="sklearn"), method="random")

    setup, explainer = timed(make)

    def ask(row: Any) -> list[list[float]]:
        query = pd.DataFrame([row], columns=names)
        try:
            answer = explainer.generate_counterfactuals(query, total_CFs=count, desired_class="opposite")
        except UserConfigValidationException:  # "No counterfactuals found"
            return []
        return answer.cf_examples_list[0].final_cfs_df[names].astype(float).to_numpy().tolist()

    found = []
    for row in rows:
        took, given = timed(lambda x=row: ask(x))
        found.append({"seconds": took, "rows": given})
    return {"setup": setup, "versions": {"dice-ml": version("dice-ml")}, "answers": found}


# ----------------------------------------------------------------------------------------------------------------------

TOOLS = {"treecf": treecf, "pyxai": pyxai, "cp_sat": cp_sat, "dice": dice}


def main() -> None:
    warnings.filterwarnings("ignore")
    while True:
        try:
            tool, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(TOOLS[tool](**arguments), answers)
        answers.flush()


if __name__ == "__main__":
    main()
