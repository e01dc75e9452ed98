"""Tables of ensembles of trees, beside other tools."""

from __future__ import annotations

from results_text import load, number, percent, table, time


def ensembles() -> str:
    """The engine `boxes`: few changes, the cheapest set, all sets."""
    rows = []
    for name, found in load("ensembles")["models"].items():
        few = [number(found[f"up_to_{most}"]["ms"]["median"]) for most in (1, 2, 3)]
        cheapest, whole = found["cheapest"], found.get("all")
        medians = (cheapest[key]["median"] for key in ("three_or_fewer", "more"))
        near, more = (number(median) if median else "-" for median in medians)
        moves = found["moves_up_to_2"]
        moved = f"{number(moves['ms']['median'])}, {moves['finished']} of {moves['rows']}"
        ends = ["-", "-"]
        if whole is not None:
            ends = [number(whole["seconds"]["median"]), f"{whole['finished']} of {whole['rows']}"]
        rows.append([name, f"{found['leaves']:,}", *few, near, more, moved, *ends])
    heads = ["model", "leaves", "≤ 1, ms", "≤ 2, ms", "≤ 3, ms", "cheapest, up to 3, ms", "cheapest, more, ms"]
    return table([*heads, "moves ≤ 2, ms, finished", "all sizes, s", "finished"], rows)


def ensembles_finished() -> str:
    """How many complete lists came to their end, in one sentence."""
    data = load("ensembles")
    ends = [found["all"] for found in data["models"].values() if "all" in found]
    done, rows = sum(end["finished"] for end in ends), sum(end["rows"] for end in ends)
    return (
        f"Complete lists, change sets of any size and with them all sufficient reasons: {done} of {rows} rows "
        f"({percent(done / rows)}) ended within {data['limit']:.0f} CPU seconds. A list that does not "
        "ends with the status `time_limit`, and `complete_up_to` says how far it is complete.\n"
    )


def tree_menus() -> str:
    """All sets of few features: treecf's menus beside ours."""
    data = load("tree_peers")
    rows = []
    for name, model in data["models"].items():
        for most, found in model["menus"]["up_to"].items():
            ended = f"{found['complete']} of {model['rows']}"
            in_table = found["treecf"]["median"] / found["symcf_in_a_table"]
            times = [time(found[key]["median"]) for key in ("treecf", "symcf")]
            rows.append([
                f"{name}, ≤ {most}", ended, times[0], times[1], time(found["symcf_in_a_table"]),
                number(found["times"]["median"]), number(in_table),
            ])  # fmt: skip
    heads = ["model, changes", "menus ended", "treecf", "`explain`", "a row of `explain_batch`", "times `explain`"]
    limit = (
        f"A menu, and a search below, had {data['limit']:.0f} seconds on the clock of a machine that others used, too; "
        "CP-SAT as much work."
    )
    return table([*heads, "times a row of a batch"], rows) + f"\n{limit}\n"


def tree_cheapest() -> str:
    """One set of fewest features: CP-SAT and PyXAI beside ours."""
    rows = []
    for name, model in load("tree_peers")["models"].items():
        tools = model["cheapest"]["tools"]
        rows.append(
            [
                f"{name}: `explain(k=1)`",
                time(tools["symcf"]["seconds"]["median"]),
                f"{model['rows']} of {model['rows']}",
                "1",
            ]
        )
        for tool in ("CP-SAT", "PyXAI"):
            found = tools[tool]
            proved = found["found"] if tool == "CP-SAT" else found["fewest"]
            ours = number(found["times"]["median"])
            rows.append([f"{name}: {tool}", time(found["seconds"]["median"]), f"{proved} of {model['rows']}", ours])
    return table(["", "median", "rows with the fewest features", "times symcf"], rows)


def tree_samples() -> str:
    """Ten counterfactuals each: DiCE's beside our cheapest."""
    rows = []
    for name, model in load("tree_peers")["models"].items():
        found = model["samples"]
        shares = [percent(found[key] / found["given"]) if found["given"] else "-" for key in ("valid", "minimal")]
        rows.append(
            [
                name,
                time(found["seconds"]["median"]),
                time(found["symcf"]["median"]),
                number(found["times"]["median"]),
                *shares,
            ]
        )
    heads = ["model", "DiCE, 10 wanted", "`explain(k=10)`", "times symcf", "of DiCE's valid", "of DiCE's minimal"]
    return table(heads, rows)
