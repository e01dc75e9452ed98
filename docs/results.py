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
    return table([head, ""], rows) + "\n" + stream() + "\n" + envelope()


def envelope() -> str:
    """How far answers are complete, and what that takes."""
    larger, wide = load("paper")["larger"][-1], load("paper")["wide"][-1]
    ensembles = load("ensembles")
    rows = [
        [
            "naive Bayes, linear models",
            f"all sets, {larger['n']} features",
            f"{time(1e-3 * larger['cover_ms'])}, {larger['sets']:,.0f} sets",
        ],
        ["", f"the 10 cheapest, {wide['n']:,} features", time(1e-3 * wide["cheapest_ms"])],
    ]
    for name, found in ensembles["models"].items():
        if not name.startswith("20 columns"):
            continue
        few = {most: found[f"up_to_{most}"]["ms"]["median"] for most in (2, 3)}
        label = f"{name.split(', ')[1]}, 20 columns, {found['leaves']:,} leaves"
        rows += [[label, f"all sets of up to {most} changes", time(1e-3 * ms)] for most, ms in few.items()]
        if "all" in found:
            end = found["all"]
            done = f"{end['finished']} of {end['rows']} rows within {ensembles['limit']:.0f} s"
            rows.append(["", "all sets of any size", done])
    for one in load("growth")["series"]:
        if one["name"] in ("bounds", "query"):
            what = "networks, over a grid of values" if one["name"] == "bounds" else "black boxes, over 10 values each"
            size, ms = one["points"][-1]
            rows.append([what, f"all sets of up to 2 changes, {size} columns", time(1e-3 * ms)])
    seen: list[list[str]] = []
    for row in rows:  # a model is named once
        seen.append(["" if any(row[0] == other[0] for other in seen) else row[0], *row[1:]])
    return table(["answers are complete for", "question", "a row"], seen)


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
