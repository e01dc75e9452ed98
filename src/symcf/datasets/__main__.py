"""``python -m symcf.datasets [FOLDER]`` writes the credit data and its models into a folder, for the command line."""

from __future__ import annotations

import sys

from symcf.datasets import credit


def main(arguments: list[str]) -> int:
    """Writes the files, and says what to do with them."""
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print("usage: python -m symcf.datasets [FOLDER]", file=sys.stderr)
        return 2
    data = credit()
    folder = data.save(arguments[0] if arguments else "credit")
    models = ", ".join(f"{kind}.json" for kind in data.kinds)
    print(f"{folder}: credit.csv with {len(data.names)} applications, {models}, and policy.yaml")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
