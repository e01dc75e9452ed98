"""Tables of performance.md, reliability.md and the README, made from bench/results: no figure is typed.

    python docs/results.py           prints every table
    python docs/results.py --write   writes the README's table into it, between its two marks

The page asks for a table by name, with the directive `results` (docs/_ext/measured.py).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

from results_reasons import (
    bayes_published,
    bayes_tan,
    binary_networks,
    reasons,
    reasons_peers,
    reasons_speed,
)
from results_reliability import (
    agreement,
    boosted,
    faults,
    limits,
    published,
    readers,
    tampering,
    torture,
    zoo,
    zoo_refused,
)
from results_speed import (
    asked,
    audit,
    batch,
    certificates,
    cheapest,
    counting,
    diverse,
    explaining,
    growth,
    machine,
    nodes,
    numbers,
    options,
    paper,
    peers,
    pipeline,
    plausible,
    robust,
    stages,
    startup,
    stream,
    wide,
)
from results_text import HERE, RESULTS, load, table, time
from results_trees import ensembles, ensembles_finished, tree_cheapest, tree_menus, tree_samples

__all__ = ["RESULTS", "TABLES", "load", "readme_with_figures"]

README = HERE.parent / "README.md"
MARKS = re.compile(r"(<!-- figures: .*? -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def readme() -> str:
    """The few figures that the README shows."""
    last = load("paper")["table"][-1]
    ours, theirs, n = last["ours"], last["paper"], last["n"]
    lbx = load("engines")["all_sets"]["ms_an_instance"]["LBX, loading and search"]["median"]
    encode = load("foundation")["against_python"]
    rows = [
        ["compile and write the CNF: the paper", time(1e-3 * theirs["encoding_ms"])],
        ["the same pipeline in Python on `dd.cudd`", time(encode["seconds"]["dd.cudd"]["median"])],
        ["symcf", time(encode["seconds"]["symcf"]["median"])],
        ["all change sets of an instance: the paper", time(1e-3 * theirs["enumeration_ms"])],
        ["PySAT's LBX on the no-cut CNF, loading counted", time(1e-3 * lbx)],
        ['`engine="sat"`, Σf loaded once', time(1e-3 * ours["sat_ms"])],
        ["`explain()`", time(1e-3 * ours["explain()_ms"])],
        ["`diagram`, a row of a table", time(1e-3 * ours["diagram_ms"])],
        ["`cover`, a row of a table", time(1e-3 * ours["cover_ms"])],
    ]
    head = f"{n} features, {ours['sets']:.0f} change sets per instance on average"
    return table([head, ""], rows) + "\n" + stream()


TABLES: dict[str, Callable[[], str]] = {
    f.__name__: f
    for f in (
        machine,
        paper,
        explaining,
        wide,
        peers,
        pipeline,
        nodes,
        batch,
        options,
        cheapest,
        stream,
        audit,
        limits,
        growth,
        stages,
        certificates,
        startup,
        counting,
        agreement,
        zoo,
        zoo_refused,
        boosted,
        published,
        torture,
        readers,
        faults,
        tampering,
        reasons,
        reasons_speed,
        asked,
        diverse,
        reasons_peers,
        numbers,
        plausible,
        robust,
        binary_networks,
        bayes_published,
        bayes_tan,
        ensembles,
        ensembles_finished,
        tree_menus,
        tree_cheapest,
        tree_samples,
        readme,
    )
}


def readme_with_figures() -> str:
    """The README as it should be."""
    text = README.read_text(encoding="utf-8")
    return MARKS.sub(lambda found: f"{found[1]}{readme()}{found[2]}", text)


def main() -> None:
    """Prints, or writes into the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the README's figures into it")
    if parser.parse_args().write:
        README.write_text(readme_with_figures(), encoding="utf-8")
    else:
        for name, make in TABLES.items():
            print(f"{name}\n\n{make()}")


if __name__ == "__main__":
    main()
