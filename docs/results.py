"""Tables of performance.md, reliability.md and the README, made from bench/results: no figure is typed.

    python docs/results.py           prints every table
    python docs/results.py --write   writes the README's table into it, between its two marks

The page asks for a table by name, with the directive `results` (docs/_ext/measured.py).
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / "bench" / "results"
README = HERE.parent / "README.md"
MARKS = re.compile(r"(<!-- figures: .*? -->\n).*?(<!-- end of figures -->)", re.DOTALL)


@cache
def load(name: str) -> Any:
    """Results of a benchmark."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


# --- writing numbers --------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """Two digits, or all of them in front of the point."""
    if value == 0:
        return "0"
    if value >= 9.95:
        return f"{value:,.0f}"
    if value >= 0.995:
        return f"{value:.1f}"
    return f"{value:.2g}"


def time(seconds: float) -> str:
    """In the unit that people say."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.995 * size:
            return f"{number(seconds / size)} {unit}"
    return f"{number(seconds / 1e-9)} ns"


def spread(figure: dict[str, float], scale: float = 1.0) -> str:
    """A median with least and most in brackets."""
    return f"{number(scale * figure['median'])} ({number(scale * figure['least'])} .. {number(scale * figure['most'])})"


def percent(share: float | None) -> str:
    """A share in percent."""
    return "-" if share is None else "100 %" if share >= 1 else f"{100 * share:.1f} %"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; numbers to the right."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


# --- tables -----------------------------------------------------------------------------------------------------------


def load_of(data: Any) -> str:
    """How busy the machine was: one number, or from when the benchmark began to when it ended."""
    load = data.get("load", "-")
    return " to ".join(map(number, load)) if isinstance(load, list) else load if load == "-" else number(load)


def machine() -> str:
    """What it was measured on."""
    rows = []
    for path in sorted(RESULTS.glob("*.json")):
        data = load(path.stem)
        where = data["machine"]
        about = f"{where['cpu']}, {where['cores']} cores, {where['system']}, Python {where['python']}"
        about += f", {where['compiler']}" if where.get("compiler") else ""
        rows.append([f"`{path.name}`", about, load_of(data)])
    return table(["file", "machine", "load at the start"], rows)


def paper() -> str:
    """The paper's table beside ours."""
    heads = ["features", "nodes", "paper", "clauses", "paper", "compile and encode, ms", "paper, encoding ms"]
    return table(
        heads,
        (
            [
                str(row["n"]),
                f"{row['ours']['nodes']:,.0f}", f"{row['paper']['nodes']:,}",
                f"{row['ours']['clauses']:,.0f}", f"{row['paper']['clauses']:,}",
                number(row["ours"]["encoding_ms"]), f"{row['paper']['encoding_ms']:,}",
            ]
            for row in load("paper")["table"]
        ),
    )  # fmt: skip


def explaining() -> str:
    """All change sets of an instance, by size and engine, in milliseconds."""
    data = load("paper")
    keys = ("sat_ms", "minimal_ms", "explain()_ms", "cover_ms")
    rows = []
    for row in data["table"]:
        ours = row["ours"]
        times = [number(ours[key]) if key in ours else "-" for key in keys]
        rows.append([str(row["n"]), number(ours["sets"]), f"{row['paper']['enumeration_ms']:,}", *times])
    for row in data["larger"]:
        rows.append([str(row["n"]), number(row["sets"]), "-", *(number(row[k]) if k in row else "-" for k in keys)])
    heads = ["features", "change sets", "paper", "`sat`", "`minimal`", "`explain()`", "`cover`"]
    return table(heads, rows)


def wide() -> str:
    """Many features."""
    heads = ["features", "the cheapest one", "all of few changes", "how many these are"]
    return table(
        heads,
        (
            [
                f"{row['n']:,}", time(1e-3 * row["cheapest_ms"]), time(1e-3 * row["few_changes_ms"]),
                number(row["few_changes_sets"]),
            ]
            for row in load("paper")["wide"]
        ),
    )  # fmt: skip


def peers() -> str:
    """Other tools on the same instances, at the largest size."""
    _, tools = max(load("peers")["sizes"].items(), key=lambda pair: int(pair[0]))
    heads = ["", "an instance", "given", "of these minimal", "of all minimal ones found"]
    return table(
        heads,
        (
            [
                name, time(figures["mean_seconds"]), number(figures["given_an_instance"]), percent(figures["minimal"]),
                percent(figures["share_of_all_minimal"]),
            ]
            for name, figures in tools.items()
        ),
    )  # fmt: skip


def pipeline() -> str:
    """Compiling and encoding against Python on dd."""
    data = load("foundation")["against_python"]
    return table(
        [f"compile and no-cut CNF, {data['n']} features", "time", "times symcf"],
        (
            [name, time(figure["median"]), spread(data["times_symcf"][name]) if name in data["times_symcf"] else "1"]
            for name, figure in data["seconds"].items()
        ),
    )


def nodes() -> str:
    """What a node costs, by size."""
    growth = load("foundation")["growth"]["ns_a_node"]
    return table(
        ["features", "compiling, ns a node", "with CUDD's twin"],
        ([n, spread(growth["compile"][n]), spread(growth["compile_and_cudd"][n])] for n in growth["compile"]),
    )


def batch() -> str:
    """What a change set costs in a table of rows."""
    data = load("batch")["against_memcpy"]
    rows = [[name, spread(figure)] for name, figure in data["ns_a_set"].items()]
    return table([f"{data['n']} features, {data['rows']:,} rows", "ns a change set"], rows)


def options() -> str:
    """What options take, in plain batches."""
    rows = []
    for found in load("options")["batches"]:
        size = f"{found['features']} features of {found['values']} ranges, {number(found['sets per row'])} sets a row"
        times = [spread(found["all"][name]["times plain"]) for name in ("ordinal", "distance", "one relation")]
        rows.append([size, spread(found["all"]["plain"]["microseconds per row"]), *times])
    return table(["", "plain, µs a row", "ordinal costs", "distances", "one relation"], rows)


def cheapest() -> str:
    """The cheapest of very many, in one sentence."""
    data = load("options")["cheapest"]
    sets = number(float(data["change sets of the first row, at least"]))
    return (
        f"The {data['k']} cheapest of {sets} change sets and more, {data['features']} features, one per step: "
        f"{spread(data['milliseconds per row'])} ms a row.\n"
    )


def stream() -> str:
    """A long stream in one sentence."""
    data = load("stream")
    return (
        f"{data['rows']:,} rows of {data['n']} features went through `explain_batches` in {number(data['seconds'])} "
        f"seconds on {data['jobs']} threads: {data['sets']:,} change sets, and never more than "
        f"{data['most_held'] / 1e6:.0f} MB held.\n"
    )


def audit() -> str:
    """Audits of many rows, and what was checked."""
    data = load("audit")
    whole, robust, counted = data["audit"], data["robustness"], data["distribution"]
    rows = [
        [name, time(step["seconds"]), f"{number(step['rows_per_second'])}"] for name, step in whole["steps"].items()
    ]
    return (
        f"{whole['rows']:,} rows of a naive Bayes model with {whole['n']} features, {whole['jobs']} threads:\n\n"
        + table(["what is asked", "time", "rows/s"], rows)
        + f"\n{whole['locked_out']:,} rows are locked out; `verify` looked at {whole['verified']:,} of them "
        "and confirmed all. "
        f"The robustness of {robust['rows']:,} rows is the size of their smallest change set in all cases. Of the "
        f"{2 ** counted['n']:,} possible rows of {counted['n']} features it was counted in "
        f"{time(counted['seconds'])}.\n"
    )


def latency() -> str:
    """How late time limits and Ctrl-C strike, the worst case of each call."""
    data = load("latency")

    def late(figure: dict[str, Any] | None) -> str:
        return "-" if figure is None else f"{1e3 * figure['late']:,.0f} ms"

    return table(
        ["call", "cases", "limits tried", "the worst was late by", "Ctrl-C tried", "the worst was heard after"],
        (
            [
                f"`{call['call']}`", str(call["cases"]), str(call["n_limits"]), late(call["limit"]),
                str(call["n_interrupts"]), late(call["interrupt"]),
            ]
            for call in data["calls"]
        ),
    )  # fmt: skip


def time_limits() -> str:
    """How late time limits strike: by model and engine, the worst of all questions and limits."""
    results = load("time_limits")["results"]
    engines = list(dict.fromkeys(one["engine"] for one in results if one["engine"] != "auto"))
    rows = []
    for model in dict.fromkeys(one["model"] for one in results):
        here = [one for one in results if one["model"] == model]
        worst = [max((one["late"] for one in here if one["engine"] == engine), default=None) for engine in engines]
        rows.append([model, str(len(here)), *("-" if late is None else f"{1e3 * late:,.0f} ms" for late in worst)])
    return table(["model", "calls", *(f"`{engine}`" for engine in engines)], rows)


def startup() -> str:
    """Small commands from the prompt to the answer."""
    rows = []
    for name, found in load("startup")["commands"].items():
        cells = [spread(found[v][k], 1e3) for k in ("processor", "clock") for v in ("before", "after")]
        rows.append([f"`{name}`", *cells])
    heads = ["before, processor, ms", "now, processor, ms", "before, clock, ms", "now, clock, ms"]
    return table(["command", *heads], rows)


def counting() -> str:
    """Counting without listing."""
    rows = []
    for row in load("engines")["counting"]:
        times = [time(row["seconds"][e]["median"]) if e in row["seconds"] else "-" for e in ("cover", "minimal")]
        rows.append([str(row["n"]), f"{int(row['count']):,}", *times])
    return table(["features", "change sets", "counted by `cover`", "by `minimal`"], rows)


def agreement() -> str:
    """Decisions beside those of scikit-learn."""
    data = load("sklearn")
    by_data: dict[str, list[Any]] = {}
    for model in data["models"]:
        by_data.setdefault(model["data"], []).append(model)

    def total(models: list[Any], *keys: str) -> int:
        return sum(model[key] for model in models for key in keys)

    heads = ["data", "estimators", "rows compared", "too close to call", "of these decided differently"]
    return table(
        heads,
        (
            [
                name, str(len(models)), f"{total(models, 'rows', 'random'):,}",
                f"{total(models, 'rows_close', 'random_close'):,}",
                f"{total(models, 'rows_close_different', 'random_close_different'):,}",
            ]
            for name, models in by_data.items()
        ),
    )  # fmt: skip


def zoo() -> str:
    """Pipelines of scikit-learn, and rows given back to them."""
    by_data: dict[str, list[Any]] = {}
    for model in load("zoo")["models"]:
        if "refused" not in model:
            by_data.setdefault(model["data"], []).append(model)
    keys = ("rows", "different", "suggested", "unmoved", "single", "too_far")
    heads = [
        "data", "models", "rows compared", "decided differently", "suggested rows", "not decided otherwise",
        "of one number", "not the nearest",
    ]  # fmt: skip
    rows = [[name, str(len(of)), *(f"{sum(m[key] for m in of):,}" for key in keys)] for name, of in by_data.items()]
    return table(heads, rows)


def zoo_refused() -> str:
    """What is refused, and the first sentence of the message."""
    models = [model for model in load("zoo")["models"] if "refused" in model]
    return table(["refused", "because"], ([model["name"], model["refused"].split(". ")[0]] for model in models))


def boosted() -> str:
    """Decisions beside those of the libraries that trained the trees."""
    compared, suggested = load("boosted")["models"], load("boosted_rows")["models"]

    def total(models: list[Any], library: str, key: str) -> str:
        return f"{sum(model[key] for model in models if model['library'] == library):,}"

    heads = ["library", "ensembles", "trees", "rows compared", "decided differently within its rounding", "beyond it",
             "suggested rows", "that do not flip"]  # fmt: skip
    return table(
        heads,
        (
            [
                library, str(sum(model["library"] == library for model in compared)),
                *(total(compared, library, key) for key in ("trees", "rows", "inside", "outside")),
                *(total(suggested, library, key) for key in ("suggested", "stayed")),
            ]
            for library in dict.fromkeys(model["library"] for model in compared)
        ),
    )  # fmt: skip


def torture() -> str:
    """Random sequences of public calls."""
    columns = ("seed", "sequences", "calls", "checks", "failures")
    return table(
        ["seed", "sequences", "calls", "answers compared", "wrong, crashed or hung"],
        ([f"{of[column]:,}" for column in columns] for of in load("reliability/torture")),
    )


def readers() -> str:
    """Damaged inputs, all seeds together."""
    rounds = load("reliability/fuzz")
    columns = ("inputs", "accepted", "refused", "kept", "failures")
    names = rounds[0]["readers"]
    sums = {name: [sum(of["readers"][name][column] for of in rounds) for column in columns] for name in names}
    rows = [[f"`{name}`", *(f"{total:,}" for total in totals)] for name, totals in sums.items()]
    seeds = ", ".join(str(of["seed"]) for of in rounds)
    rows.append([f"in all, seeds {seeds}", *(f"{sum(column):,}" for column in zip(*sums.values(), strict=True))])
    return table(["reader", "damaged inputs", "accepted", "refused", "reached new lines", "failures"], rows)


def mutants() -> str:
    """Planted faults."""
    rows = [
        [language, *map(str, (of["seed"], of["mutants"], of["killed"], len(of["may_live"]), len(of["survive"])))]
        for language, of in load("reliability/mutate").items()
    ]
    return table(["", "seed", "mutants", "killed", "may live, with a reason", "survive"], rows)


def faults() -> str:
    """Allocation faults through Python."""
    data = load("reliability/faults")
    return table(["seed", "faults", "findings"], [[f"{data[name]:,}" for name in ("seed", "faults", "findings")]])


def tampering() -> str:
    """Changed certificates: by kind of change, how many were rejected, and by which checks."""
    data = load("reliability/certificates")
    rows = []
    for kind, found in data["kinds"].items():
        rejected = {check: count for check, count in found.items() if check != "still true"}
        checks = ", ".join(sorted(rejected, key=lambda check: -rejected[check]))
        rows.append(
            [kind, f"{sum(found.values()):,}", f"{sum(rejected.values()):,}", checks, f"{found.get('still true', 0):,}"]
        )
    true = sum(found.get("still true", 0) for found in data["kinds"].values())
    rows.append(["in all", f"{data['changes']:,}", f"{data['changes'] - true:,}", "", f"{true:,}"])
    return table(["change", "certificates", "rejected", "by the checks", "still true"], rows)


COUNTED = {"changes": "change sets", "reasons": "sufficient reasons", "mc": "MC-explanations"}


def numbers() -> str:
    """Columns of numbers without bins: agreement with scikit-learn, and time."""
    rows = []
    for one in load("additive")["results"]:
        rows.append(
            [
                f"{one['pipeline']}, {one['data']}",
                f"{one['predictions_differ']:,} of {one['rows']:,}",
                f"{one['not_flipped']:,} of {one['suggested']:,}",
                f"{one['too_far']:,} of {one['singles']:,}",
                time(one["seconds"]["explain"]),
                time(one["seconds"]["batch"]),
            ]
        )
    heads = ["", "predictions that differ", "suggested rows that do not flip", "single numbers not the nearest"]
    return table([*heads, "a row, k = 5", "a row of a batch"], rows)


def plausible() -> str:
    """How many counterfactuals are less likely than 5 % of the data, before and after."""
    rows = []
    for one in load("plausibility")["results"]:
        shares = []
        for key in ("nearest", "likeliest", "plausible"):
            found = one[key]
            shares.append(f"{found['unlikely'] / max(1, found['counterfactuals']):.0%} of {found['counterfactuals']:,}")
        asked = one["plausible"]
        times = [time(one[key]["seconds"]) for key in ("nearest", "plausible")]
        rows.append(
            [
                f"{one['model']}, {one['data']}",
                *shares,
                f"{one['nearest']['without']}, {asked['without']} of {asked['rows']}",
                *times,
            ]
        )
    heads = ["", "nearest values", "likeliest values", "`min_plausibility=0.05`", "rows without any: before, after"]
    return table([*heads, "a row", "a plausible row"], rows)


def middle(count: dict[str, float] | None) -> str:
    """A median with the middle half in brackets."""
    if count is None:
        return "-"
    median, low, high = (f"{count[key]:,.0f}" for key in ("median", "quarter", "three_quarters"))
    return f"{median} ({low} .. {high})"


def reasons() -> str:
    """How many counterfactuals, PI- and MC-explanations random classifiers have."""
    rows = [
        [str(size["features"]), *(middle(size["count"][key]) for key in COUNTED)] for size in load("reasons")["by_size"]
    ]
    return table(["features", *COUNTED.values()], rows)


def reasons_real() -> str:
    """The same for real classifiers, and the time of both lists."""
    rows = []
    for one in load("reasons")["real"]:
        counts = [middle(one["count"].get(key)) for key in COUNTED]
        times = ["-" if ms is None else time(1e-3 * ms) for ms in one["ms_a_row"].values()]
        rows.append([one["name"], str(one["features"]), *counts, *times])
    return table(["", "features", *COUNTED.values(), "all change sets", "all reasons"], rows)


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


def diverse() -> str:
    """Few counterfactuals that differ: ours beside DiCE's."""
    data = load("diverse")
    rows = [
        [
            tool["tool"],
            f"{tool['rows']:,}",
            f"{tool['ours']:.2f} / {tool['theirs']:.2f} / {tool['theirs needed']:.2f}",
            f"{tool['farther than ours']:,} / {tool['farther than ours, needed']:,}",
            f"{tool['changes']:.1f} / {tool['their changes']:.1f}",
        ]
        for tool in data["tools"]
    ]
    head = ["tool", "rows", "distance: symcf / theirs / without needless changes", "rows where theirs is larger"]
    head.append("changes each: symcf / theirs")
    return f"{data['wanted']} counterfactuals a row, {data['features']} features; medians.\n\n{table(head, rows)}"


def asked() -> str:
    """Classifiers that are asked: rows, time, and DiCE on the same rows."""
    data = load("from_predict")
    rows, notes = [], []
    for name, model in data["models"].items():
        for size in model["by_size"]:
            first = size["changes"] == 1
            rows.append(
                [
                    f"{name}, {model['features']} columns" if first else "",
                    str(size["changes"]),
                    number(size["sets"]["median"]),
                    f"{size['asked']['median']:,.0f}",
                    time(size["seconds"]["median"]),
                    f"{100 * size['inside']['median']:.0f} %",
                ]
            )
        if "dice" in model:
            dice = model["dice"]
            notes.append(
                f"DiCE {data['machine']['packages']['dice-ml']} (`random`) on the same {model['rows']} rows of {name}: "
                f"{dice['given']} of the {dice['wanted']} counterfactuals it was asked for; {dice['flipping']} of them "
                f"flip the decision, and {dice['needless']} of these still do with one change taken back; "
                f"{time(dice['seconds']['median'])} per row."
            )
    heads = ["model", "changes, up to", "change sets", "rows asked", "time", "of it in `predict`"]
    return "\n".join([table(heads, rows), *notes])


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


def certificates() -> str:
    """How large certificates are, and how long they take to make and to check."""
    rows = []
    for run in load("certificates")["runs"]:
        extra = run["reasons"] or run["steps"]
        proof = run["proof"] + (f", {number(extra)} {'reasons' if run['reasons'] else 'steps'}" if extra else "")
        size = f"{run['bytes'] / 1000:,.0f} kB"
        seconds = [time(run[key]) for key in ("explaining", "making", "checking")]
        rows.append([run["rule"], number(run["sets"]), proof, size, *seconds])
    return table(("rule", "change sets", "argument", "size", "explain", "certify", "check"), rows)


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
        ["`minimal`, a row of a table", time(1e-3 * ours["minimal_ms"])],
        ["`cover`, a row of a table", time(1e-3 * ours["cover_ms"])],
    ]
    head = f"{n} features, {ours['sets']:.0f} change sets per instance on average"
    return table([head, ""], rows) + "\n" + stream()


# --- ensembles --------------------------------------------------------------------------------------------------------


def ensembles() -> str:
    """The engine `trees`: few changes, the cheapest set, all sets."""
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
        f"({percent(done / rows)}) ended within {data['limit']:.0f} seconds of the processor. The others end with the "
        "status `time_limit`, and `complete_up_to` says how far the list is complete.\n"
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
        latency,
        time_limits,
        certificates,
        startup,
        counting,
        agreement,
        zoo,
        zoo_refused,
        boosted,
        torture,
        readers,
        mutants,
        faults,
        tampering,
        reasons,
        reasons_real,
        reasons_speed,
        asked,
        diverse,
        reasons_peers,
        numbers,
        plausible,
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
