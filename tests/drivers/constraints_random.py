"""Random constraints over sums, quotients, old values, changes and counts, for models of every kind, against the
reference: ``tests/drivers/constraints_random.py --count 1000``.
"""

from __future__ import annotations

import random
import sys

import questions  # makes the shared modules known

# isort: split
import cases

import symcf

#: Options beside the constraints.
BESIDE = ("target", "immutable", "allowed", "max_changes", "constraints", "orders", "cost", "k")
KINDS = [kind for kind in cases.KINDS if kind != "Bayesian network"]


def run(seed: int, count: int, tally: questions.Tally, kinds: list[str] | None = None) -> None:
    """Asks so many questions, the kinds in turn."""
    every = kinds or KINDS
    for number in range(-(-count // questions.PER_MODEL)):
        rng = random.Random(f"constraints {seed} {number}")
        case = cases.draw(rng, every[number % len(every)])
        for i in range(min(questions.PER_MODEL, count - number * questions.PER_MODEL)):
            options = [option for option in BESIDE if rng.random() < 0.15]
            ask_one(rng, case, [*options, "sums"], tally, f"seed {seed}, model {number}, question {i}")


def ask_one(rng: random.Random, case: cases.Case, options: list[str], tally: questions.Tally, where: str) -> None:
    """One question, compared with the reference; every row is given back to the model."""
    what, asked = rng.choice(("stream", "reasons", "batch", "verify", "count", "all values")), None
    try:
        asked = cases.ask(rng, case, options)
        if asked is None:
            return
        tally.cut += not questions.check_explain(asked)
        tally.add(tally.asked, case.kind, asked.used)
        e = asked.compiled.explain(asked.x, **asked.keywords)
        labels = [asked.case.decide(asked.read(cf.row)) for cf in e]
        assert asked.reference.before not in labels, f"a row is decided as before: {labels}"
        tally.asked[case.kind, what] += 1
        questions.check_more(asked, what)
    except symcf.OptionError as error:
        tally.add(tally.refused, case.kind, asked.used if asked is not None else ())
        tally.reasons[case.kind, str(error).replace("\n", " ")[:160]] += 1
    except Exception as error:
        import traceback

        tally.add(tally.wrong, case.kind, ())
        told = str(error) if isinstance(error, AssertionError) else "".join(traceback.format_exception(error, limit=-4))
        tally.failures.append(f"{where}: {what} of {asked}\n    {told}")


if __name__ == "__main__":
    sys.exit(questions.main(run, __doc__))
