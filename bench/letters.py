"""Letters per second: ``python bench/letters.py [--repeat N]`` writes the letters of the credit data, without PDF.

Times `symcf.letters.write` for the declined rows of 600, with a policy that names all features, in a new directory each
time; a first run, which loads modules and templates, is not counted. By wall clock and by CPU time.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time

import symcf


def main() -> None:
    """Prints a line per model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    credit = symcf.datasets.credit()
    for kind in ("scorecard", "logistic", "tree"):
        c = symcf.compile(credit.model(kind))
        text = symcf.letters.policy_text(c.features, c.values, c.classes).replace("named: false", "named: true")
        policy = symcf.letters.Policy.from_text(text.replace("target: declined", "target: approved"))
        rates: list[tuple[float, float]] = []
        for _ in range(repeat + 1):
            with tempfile.TemporaryDirectory() as folder:
                begin = (time.perf_counter(), time.process_time())
                records = symcf.letters.write(folder, c, credit.data, policy, names=credit.names)
                took = (time.perf_counter() - begin[0], time.process_time() - begin[1])
                count = sum(record.status == "written" for record in records)
                rates.append((count / took[0], count / took[1]))
        wall, cpu = (statistics.median(part) for part in zip(*rates[1:], strict=True))
        print(f"{kind}: {wall:.0f} letters per second, {cpu:.0f} per CPU second")


if __name__ == "__main__":
    main()
