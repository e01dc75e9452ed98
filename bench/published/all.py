"""All comparisons with published artefacts: on stand-ins, and on the artefacts themselves where they are.

    python bench/published/all.py [--artefacts DIR] [--only ffa,xreason]
                                    three minutes without artefacts; prints a table each, writes results/published.json

A stand-in is a model of our own in the files of the artefact, with answers by brute force: it tries the code that
compares. A contradiction ends the program. See README.md for the files.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import common  # noqa: E402
import ffa  # noqa: E402
import nbc  # noqa: E402
import nearest  # noqa: E402
import reachml  # noqa: E402
import retraining  # noqa: E402
import rfxpl  # noqa: E402
import xreason  # noqa: E402

COMPARISONS: dict[str, ModuleType] = {
    module.__name__: module for module in (ffa, xreason, rfxpl, reachml, nearest, nbc, retraining)
}


def shown(found: list[dict[str, Any]]) -> None:
    heads = list(found[0])
    common.print_table(
        heads, [[f"{one[h]:.2f}" if isinstance(one[h], float) else one[h] for h in heads] for one in found]
    )


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--artefacts", type=Path, help="a folder with a folder for each comparison")
    parser.add_argument("--only", help="comparisons, separated by commas; writes nothing")
    given = parser.parse_args()
    chosen = given.only.split(",") if given.only else list(COMPARISONS)
    if unknown := set(chosen) - set(COMPARISONS):
        parser.error(f"there is no comparison {', '.join(sorted(unknown))}; there are {', '.join(COMPARISONS)}")
    if given.artefacts and not given.artefacts.is_dir():
        parser.error(f"{given.artefacts} is not a folder")
    results: dict[str, Any] = {"stand-ins": {}, "artefacts": {}}
    for name in chosen:
        module = COMPARISONS[name]
        print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            module.stand_in(Path(folder))
            results["stand-ins"][name] = found = module.run(Path(folder))
        if not found:
            raise SystemExit(f"{name}: the stand-in was not compared")
        shown(found)
        if given.artefacts is None:
            continue
        place = given.artefacts / name
        found = module.run(place) if place.is_dir() else []
        results["artefacts"][name] = found
        print(f"{place}: " + ("nothing to compare" if not found else ""))
        if found:
            shown(found)
    if not given.only:
        common.write("published", {"machine": common.machine(), **results})


if __name__ == "__main__":
    main()
