"""Tables of performance.md: compiling, explaining, batches, questions."""

from __future__ import annotations

from results_text import RESULTS, load, number, percent, spread, table, time


def machine() -> str:
    """What it was measured on, and from which commits."""
    rows = []
    for path in sorted(RESULTS.rglob("*.json")):
        name = path.relative_to(RESULTS).with_suffix("").as_posix()
        data = load(name)
        where, origin = data.get("machine", {}), data.get("origin")
        about = f"{where['cpu']}, {where['cores']} cores, Python {where['python']}" if where else "-"
        commit = f"`{origin['commit'][:12]}`" if origin else "not stored"
        busy = "-" if origin is None else f"{number(origin['load'])}{', busy' if origin['busy'] else ''}"
        rows.append([f"`{name}.json`", about, commit, origin["compiler"] if origin else "-", busy])
    return table(["file", "machine", "commit", "compiler", "load at the start"], rows)


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
    keys = ("sat_ms", "diagram_ms", "explain()_ms", "cover_ms")
    rows = []
    for row in data["table"]:
        ours = row["ours"]
        times = [number(ours[key]) if key in ours else "-" for key in keys]
        rows.append([str(row["n"]), number(ours["sets"]), f"{row['paper']['enumeration_ms']:,}", *times])
    for row in data["larger"]:
        rows.append([str(row["n"]), number(row["sets"]), "-", *(number(row[k]) if k in row else "-" for k in keys)])
    heads = ["features", "change sets", "paper", "`sat`", "`diagram`", "`explain()`", "`cover`"]
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


def startup() -> str:
    """Small commands from the prompt to the answer."""
    rows = []
    for name, found in load("startup")["commands"].items():
        rows.append([f"`{name}`", *(spread(found["after"][kind], 1e3) for kind in ("processor", "clock"))])
    return table(["command", "processor time, ms", "on the clock, ms"], rows)


def growth() -> str:
    """How time grows with size: every engine and option."""
    rows = []
    for one in load("growth")["series"]:
        (least, first), (most, last) = one["points"][0], one["points"][-1]
        slope = "-" if one["exponent"] is None else number(one["exponent"])
        name = f"`{one['name']}`" if one["group"] == "engines" else one["name"]
        sizes = f"{least:,} to {most:,} {one['size']}"
        rows.append([name, sizes, time(1e-3 * first), time(1e-3 * last), slope])
    return table(["", "sizes", "a row at the first", "at the last", "exponent"], rows)


def stages() -> str:
    """What a row costs from Parquet to Parquet."""
    rows = []
    for name, found in load("scaling")["stages"].items():
        costs = [found[stage] for stage in ("read", "explain", "write")]
        total = sum(costs)
        sizes = (found["sets"], found["bytes_in"], found["bytes_out"])
        rows.append([name, *map(number, costs), number(total), *map(number, sizes), number(total * 1e3 / 3600)])
    heads = ["µs a row", "read", "explain", "write", "sum", "sets a row", "bytes in", "bytes out"]
    return table([*heads, "core hours for 10^9 rows"], rows)


def counting() -> str:
    """Counting without listing."""
    rows = []
    for row in load("engines")["counting"]:
        times = [time(row["seconds"][e]["median"]) if e in row["seconds"] else "-" for e in ("cover", "diagram")]
        rows.append([str(row["n"]), f"{int(row['count']):,}", *times])
    return table(["features", "change sets", "counted by `cover`", "by `diagram`"], rows)


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


def robust() -> str:
    """How many retrained models agree with an answer, by the way in which it was chosen."""
    data = load("robust")
    found = {(one["data"], one["way"]): one for one in data["results"]}
    tables, ways = (list(dict.fromkeys(key[i] for key in found)) for i in (0, 1))
    rows = [
        [
            way,
            *(f"{one['share']:.0%} ({one['rows'] - one['without']})" for one in (found[name, way] for name in tables)),
        ]
        for way in ways
    ]
    speed = data["speed"]
    return (
        f"{table(['', *tables], rows)}\n\nThree models of XGBoost, 100 trees of depth 6, take {speed['ratio']:.1f} "
        f"times as long as one (sets of up to three changes, {speed['rows']} rows together)."
    )


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
    """Black-box models: rows, time, and DiCE on the same rows."""
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


def certificates() -> str:
    """How large certificates are, and how long they take to make and to check."""
    rows = []
    for run in load("certificates")["runs"]:
        extra = run["reasons"] or run["steps"]
        proof = run["proof"] + (f", {number(extra)} {'reasons' if run['reasons'] else 'steps'}" if extra else "")
        size = f"{run['bytes'] / 1000:,.0f} kB"
        keys = ("explaining", "making", "checking", "in_javascript")
        seconds = [time(run[key]) if run.get(key) is not None else "-" for key in keys]
        rows.append([run["rule"], number(run["sets"]), proof, size, *seconds])
    return table(("rule", "change sets", "argument", "size", "explain", "certify", "check", "in JavaScript"), rows)
