"""Writes an action set of reachml as JSON. Runs in an environment that has reachml; imports nothing of ours.

python export_reachml.py german_complex_nD.actionset        writes german_complex_nD.actions.json
"""

import json
import sys
from pathlib import Path

import dill


def exported(action_set):
    """Columns and constraints."""
    columns = [
        {
            "name": a.name,
            "type": a.variable_type.__name__,
            "lb": float(a.lb),
            "ub": float(a.ub),
            "actionable": bool(a.actionable),
            "step_direction": int(a.step_direction),
        }
        for a in action_set
    ]
    constraints = []
    for constraint in action_set.constraints:
        kind = type(constraint).__name__
        if kind == "DirectionalLinkage":
            targets = dict(zip(constraint.targets, map(float, constraint.scales), strict=True))
            constraints.append({"kind": "linkage", "source": constraint.source, "targets": targets})
        elif kind == "ThermometerEncoding":
            constraints.append({"kind": "thermometer", "names": list(constraint.names)})
        else:
            constraints.append({"kind": kind})
    return {"columns": columns, "constraints": constraints}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        with path.open("rb") as file:
            found = exported(dill.load(file))
        path.with_suffix(".actions.json").write_text(json.dumps(found, indent=1) + "\n")
