"""docs/capabilities.md, made from the code: ``python docs/capabilities.py --write``.

Each cell is what `symcf.capabilities` finds; a test tries every cell (tests/property/test_capabilities.py).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from symcf.capabilities import Cell, table

PAGE = Path(__file__).resolve().parent / "capabilities.md"
HEAD = """# What is supported

Options and kinds of models. {doc}`what_is_read` lists the models that are read.

- "exact": the answer is complete and proved
- "up to r changes": complete for sets of up to r features; r grows with the time limit
- "by queries": the same over the values that are tried ({doc}`howto/any_classifier`)
- "among candidates": the best choice among the candidate actions is proved ({doc}`howto/audit`)
- "no": `OptionError` is raised with the reason below the table
- an empty cell: the option does not apply to this kind of model

Sums of numbers with `target`, `constraints` or `min_plausibility`: columns of whole numbers are decided exactly. Over
real numbers a set may be missed whose best row wins by less than 2<sup>-40</sup> of the size of the sums. Sums with
curved terms (GaussianNB) over columns of whole numbers: every "exact" is "up to r changes", without a certificate.

Sums of numbers with `minimality='moves'`, `select='all'`, Shapley values without `data=` and `cnf`: numbers are the
multiples of the column's resolution within its range, of which there may be 65,536. A column without a resolution, or
with a finer one, raises `OptionError`, and so do batches with the first two.

Sums of numbers behind `log1p`, `PowerTransformer`, `QuantileTransformer` and the like: `constraints`, `target` among
several classes, `between`, `min_plausibility`, `cost='distance'` with `k` and certificates raise `OptionError`.

Numeric targets (`symcf.at_least`, `at_most`, `between`) of classifiers refer to the decision function or, for trees
and forests, to the probability of the second class, with the threshold 0.5. A black-box estimator needs
`predict_proba` for `min_probability`, and `decision_function` for numeric targets. Regressors take numeric targets,
with the same options as classifiers of the same kind ({doc}`howto/targets`).

Networks of layers and other models that are read with bounds ({doc}`howto/bounded`): over the values of each column
that are tried. What needs the decision of all rows asks about them, as for black boxes.

This page is written by `python docs/capabilities.py --write` from what the code answers, and a test tries every cell.
"""


def page(cells: list[Cell]) -> str:
    """The text of the page."""
    answers = {(cell.option, cell.model): cell for cell in cells}
    models = list(dict.fromkeys(cell.model for cell in cells))
    reasons = list(dict.fromkeys(cell.reason for cell in cells if cell.answer == "no"))
    lines = [HEAD, f"| | {' | '.join(models)} |", "|---" * (len(models) + 1) + "|"]
    for option in dict.fromkeys(cell.option for cell in cells):
        row = [_written(answers.get((option, model)), reasons) for model in models]
        lines.append(f"| {_code(option)} | {' | '.join(row)} |")
    count = sum(cell.answer == "no" for cell in cells)
    lines += ["", f"{len(cells)} cells, of which {count} say no."]
    if reasons:
        lines += ["Why:", "", *(f"{i}. {' '.join(str(reason).split())}" for i, reason in enumerate(reasons, start=1))]
    return "\n".join(lines) + "\n"


def _written(cell: Cell | None, reasons: list[str | None]) -> str:
    if cell is None:
        return ""
    return f"no ({reasons.index(cell.reason) + 1})" if cell.answer == "no" else cell.answer


def _code(option: str) -> str:
    """Names of options as code, other words as they are."""
    name, comma, rest = option.partition(",")
    return f"`{name}`{comma}{rest}" if " " not in name else option


def main() -> None:
    """Prints or writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the page")
    text = page(table())
    if parser.parse_args().write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
