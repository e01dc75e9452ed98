"""All contrastive or sufficient reasons of decision trees by PyXAI, in the environment that trees_pyxai.py makes for
it; imports nothing of ours.

    python bench/on_pyxai.py < tasks > answers      pickles, one after the other; an answer follows its task

first answer:  versions of packages
task:          (fitted DecisionTreeClassifier, rows of floats, with theory?, sufficient instead of contrastive?)
answer:        {"setup": seconds, "seconds": in all, "conditions": [(feature, threshold), ...], "predictions": [...],
                "reasons": by row a list of tuples of indices of conditions}

A condition is "feature > threshold"; a reason is a set of them, without their signs, which the row gives.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from importlib.metadata import version
from typing import Any

answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what PyXAI prints does not belong to the answers

from pyxai import Explaining, Learning, Tools  # noqa: E402

Tools.set_verbose(0)


def explain(tree: Any, rows: Any, theory: bool, sufficient: bool = False) -> dict[str, Any]:
    start = time.thread_time()
    _, model = Learning.ModelIO.import_models(tree, instances_type="tabular")
    model.learner_information.feature_names = [f"x{j}" for j in range(tree.n_features_in_)]  # theories need names
    explainer = Explaining.initialize(model, features_type={"numerical": Learning.DEFAULT} if theory else None)
    # By default PyXAI also writes every reason down for its graphical interface, which takes time.
    explainer._visualisation._do_history = False
    setup = time.thread_time() - start
    found, predictions = [], []
    instances = list(rows)
    start = time.thread_time()
    for instance in instances:
        explainer.set_instance(instance)
        ask = explainer.sufficient_reason if sufficient else explainer.contrastive_reason
        found.append(ask(n=Explaining.ALL))
        predictions.append(explainer.target_prediction)
    seconds = time.thread_time() - start
    keys = model.map_id_binaries_to_features[1:]
    if any(operator.value != "GT" for _, operator, _ in keys):
        raise SystemExit("PyXAI reads scikit-learn's tests differently than it did")
    return {
        "setup": setup,
        "seconds": seconds,
        "conditions": [(int(feature) - 1, float(threshold)) for feature, _, threshold in keys],
        "predictions": [int(p) for p in predictions],
        "reasons": [[tuple(abs(literal) - 1 for literal in reason) for reason in reasons] for reasons in found],
    }


def send(answer: Any) -> None:
    pickle.dump(answer, answers)
    answers.flush()


def main() -> None:
    send({name: version(name) for name in ("pyxai", "scikit-learn", "numpy", "pandas")})
    while True:
        try:
            task = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        send(explain(*task))


if __name__ == "__main__":
    main()
