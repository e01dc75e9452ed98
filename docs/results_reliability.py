"""Tables of reliability.md: what was compared, damaged, planted and made to fail."""

from __future__ import annotations

from typing import Any

from results_text import load, table


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


def limits() -> str:
    """Time limits, Ctrl-C and memory budgets: the worst of all models, by call."""

    def cell(one: dict[str, Any] | None, mode: str) -> str:
        if one is None:
            return "-"
        if mode == "memory":
            return "ended from outside" if one["outcome"] == "killed" else f"{one['figure'] / 2**20:,.0f} MB"
        return f"{1e3 * one['figure']:,.0f} ms" if one["outcome"] != "killed" else "ended from outside"

    modes = ("0.01", "0.3", "interrupt", "memory")
    data = load("limits_sweep")
    head = (
        f"Measured: {data['measurements']:,} calls on {data['models']} of 11 models, with {data['modes']} of 4 limits; "
        f"{len(data['beyond'])} of them are beyond the goals. The load of the machine was {min(data['load']):.0f} to "
        f"{max(data['load']):.0f}.\n\n"
    )
    return head + table(
        ["call", "models", "beyond 0.01 s", "beyond 0.3 s", "Ctrl-C answered after", "growth with 16 MB"],
        ([f"`{one['call']}`", str(one["models"]), *(cell(one[mode], mode) for mode in modes)] for one in data["calls"]),
    )


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


def published() -> str:
    """Comparisons in the files of published artefacts, on models of our own."""
    rows = []
    for name, found in load("published")["stand-ins"].items():
        for one in found:
            figures = [
                f"{key} {value:g}"
                for key, value in one.items()
                if key not in ("model", "rows") and "seconds" not in key
            ]
            rows.append([f"`{name}`", one["model"], str(one.get("rows", "-")), ", ".join(figures)])
    return table(["comparison", "model", "rows", "found"], rows)


def torture() -> str:
    """Random sequences of public calls."""
    columns = ("seed", "sequences", "calls", "checks", "failures")
    return table(
        ["seed", "sequences", "calls", "answers compared", "wrong, crashed or hung"],
        ([f"{of[column]:,}" for column in columns] for of in load("reliability/torture")["rounds"]),
    )


def readers() -> str:
    """Damaged inputs, all seeds together."""
    rounds = load("reliability/fuzz")["rounds"]
    columns = ("inputs", "accepted", "refused", "kept", "failures")
    names = dict.fromkeys(name for of in rounds for name in of["readers"])  # later rounds know more of them
    parts = {name: [of["readers"][name] for of in rounds if name in of["readers"]] for name in names}
    sums = {name: [sum(part[column] for part in of) for column in columns] for name, of in parts.items()}
    rows = [[f"`{name}`", *(f"{total:,}" for total in totals)] for name, totals in sums.items()]
    seeds = ", ".join(str(of["seed"]) for of in rounds)
    rows.append([f"in all, seeds {seeds}", *(f"{sum(column):,}" for column in zip(*sums.values(), strict=True))])
    return table(["reader", "damaged inputs", "accepted", "refused", "reached new lines", "failures"], rows)


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
