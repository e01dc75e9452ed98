"""Tables of sufficient reasons, and of networks, which the papers about reasons measure."""

from __future__ import annotations

from statistics import median

from results_text import load, load_of, middle, number, percent, table, time

COUNTED = {"changes": "change sets", "reasons": "sufficient reasons", "mc": "MC-explanations"}


def reasons() -> str:
    """How many counterfactuals, PI- and MC-explanations random classifiers have."""
    rows = [
        [str(size["features"]), *(middle(size["count"][key]) for key in COUNTED)] for size in load("reasons")["by_size"]
    ]
    return table(["features", *COUNTED.values()], rows)


def reasons_speed() -> str:
    """What a reason costs in tables, and a row of Shapley values."""
    data = load("reasons")
    rows = [
        [f"a {what}, {how}", time(1e-9 * median(batch["ns_a_set"][key] for batch in data["batch"]))]
        for what, how, key in (
            ("reason", "as found", "reasons"),
            ("change set", "as found", "changes"),
            ("reason", "sorted", "reasons, sorted"),
            ("change set", "sorted", "changes, sorted"),
        )
    ]
    rows.append(["Shapley values of a row", time(1e-3 * median(one["ms_a_row"] for one in data["shapley"]))])
    return table([f"25 features; load of the machine {load_of(data)}", "median"], rows)


def reasons_peers() -> str:
    """Other tools on the same questions."""
    data = load("reasons_peers")
    trees, hitman, shap = data["pyxai"], data["hitman"][-1], data["shap"][-1]

    def ratio(of: dict[str, float], theirs: str, ours: str = "symcf") -> str:
        return number(of[theirs] / of[ours])

    def times(ours: str) -> str:
        ratios = sorted(tree["us_a_row"]["PyXAI"] / tree["us_a_row"][ours] for tree in trees)
        return f"{number(median(ratios))} ({number(ratios[0])} .. {number(ratios[-1])})"

    count = sum(tree["reasons"] for tree in trees)
    rows = [
        [
            f"PyXAI, all sufficient reasons of {len(trees)} decision trees ({count:,} reasons), row by row",
            times("symcf"),
        ],
        ["the same beside a table of rows", times("table")],
        [
            f"PySAT's Hitman, given all change sets, {hitman['features']} features",
            ratio(hitman["ms"], "Hitman"),
        ],
        [
            f"shap's exact explainer, {shap['features']} features (differs by {shap['largest_difference']:.0e})",
            ratio(shap["ms_a_row"], "shap"),
        ],
    ]
    return table(["", "times as long as symcf"], rows)


def binary_networks() -> str:
    """Networks of signs on pairs of digits: how large, how long, and what their images have."""
    rows = []
    for one in load("binary_networks")["networks"]:
        head = [
            f"{one['digits'][0]} or {one['digits'][1]}",
            str(one["neurons"]),
            f"{one['window']} × {one['window']}",
            percent(one["accuracy"]),
        ]
        if one["limit"]:
            rows.append(
                [*head, f"more than {number(one['nodes'])}", f"stopped after {time(one['seconds'])}", "-", "-", "-"]
            )
            continue
        built = [number(one["nodes"]), time(one["seconds"])]
        if not one["answered"]:
            rows.append([*head, *built, "-", "-", f"none of {one['images']} in time"])
            continue
        low, middle_one, high = one["fewest"]
        sets = [number(one["sets"]), f"{low} .. {high}, median {middle_one:g}"]
        per_image = f"{time(one['ms'] / 1000)} ({one['answered']} of {one['images']})"
        rows.append([*head, *built, *sets, per_image])
    heads = ["digits", "neurons", "window", "right", "nodes", "compiled in", "change sets", "fewest changes"]
    return table([*heads, "count and 3 smallest of an image"], rows)


def bayes_published() -> str:
    """Published networks, every question and every row, beside pyagrum's posterior."""
    rows = [
        [one["network"], *(number(one[key]) for key in ("questions", "rows", "agreed", "ties", "impossible"))]
        for one in load("bayes_networks")["published"]
    ]
    return table(["network", "questions", "rows", "agree", "ties", "cannot happen"], rows)


def bayes_tan() -> str:
    """Tree-augmented naive Bayes beside naive Bayes."""
    rows = [
        [
            str(one["features"]),
            number(one["nodes"]),
            time(one["seconds"]),
            number(one["naive nodes"]),
            time(one["naive seconds"]),
        ]
        for one in load("bayes_networks")["tan"]
    ]
    return table(["features", "nodes", "compiled in", "naive Bayes: nodes", "compiled in"], rows)
