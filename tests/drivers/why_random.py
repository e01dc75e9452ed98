"""Random questions of the kind "why?" against brute force: ``python tests/drivers/why_random.py``.

Models of every kind under awkward names, and questions with every option, are those of `tests/torture`.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import random_runs

# isort: split
from torture import calls, models, plans, run

KINDS = ("why", "why", "why_batch", "fewest", "attribute")


def plan_of(seed: int, number: int) -> plans.Plan:
    """A model, and one question of each kind."""
    rng = random.Random(f"why {seed} {number}")
    model = models.draw(rng)
    return plans.Plan(model, [(kind, calls.CALLS[kind][0](rng, model)) for kind in KINDS])


def round_of(seed: int, count: int, names: dict[str, Any]) -> tuple[plans.Tally, list[str]]:
    """Asks `count` questions; what was done, and a script for each failure."""
    tally, failures = plans.Tally(), []
    for number in range(-(-count // len(KINDS))):
        plan = plan_of(seed, number)
        try:
            plans.run(plan, names, tally)
        except plans.Failure as failure:
            failures.append(plans.script(plan, f"seed {seed}, number {number}: {failure}"))
    return tally, failures


def main() -> int:
    """The command line; 1 if something failed."""
    given = random_runs.asked(__doc__, 3000)
    with run.directory() as here:
        tally, failures = round_of(given.seed, given.count, plans.namespace(here))
    print(f"{tally.calls - tally.sequences:,} questions, {tally.checks:,} checks, {len(failures)} wrong")
    for failure in failures[:3]:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
