"""Makes the pictures of the documentation: ``python docs/pictures.py`` rewrites docs/images/*.png.

From the paper's admission example and from a scikit-learn pipeline on made-up loan applications. The diagram needs
graphviz's program ``dot``; without it that picture is left as it is.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np

import symcf
import symcf.fast
from symcf import drawing, plots
from symcf.demo import admission

IMAGES = Path(__file__).resolve().parent / "images"
DPI = 110


def loans(rows: int = 600) -> tuple[Any, Any]:
    """Made-up applications as a DataFrame, and what became of them."""
    import pandas

    rng = np.random.default_rng(7)
    table = pandas.DataFrame(
        {
            "income": rng.gamma(4.0, 11_000, rows).round(-2),
            "debt": rng.gamma(2.0, 6_000, rows).round(-2),
            "years employed": rng.integers(0, 25, rows),
            "late payments": rng.poisson(0.8, rows).clip(0, 4),
            "housing": rng.choice(["rents", "owns", "with family"], rows, p=[0.5, 0.35, 0.15]),
            "purpose": rng.choice(["car", "education", "business", "home"], rows),
        }
    )
    score = (
        table["income"] / 20_000
        - table["debt"] / 9_000
        + table["years employed"] / 10
        - 0.9 * table["late payments"]
        + 0.7 * (table["housing"] == "owns")
        - 0.4 * (table["purpose"] == "business")
        + rng.normal(0, 0.6, rows)
    )
    return table, np.where(score > 0.9, "approved", "declined")


def loan_classifier() -> tuple[symcf.Compiled, Any]:
    """A pipeline fitted on them, compiled, and the applications."""
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

    table, outcome = loans()
    bins = KBinsDiscretizer(4, encode="onehot", strategy="quantile", quantile_method="averaged_inverted_cdf")
    columns = make_column_transformer(
        (bins, ["income", "debt", "years employed"]),
        (OneHotEncoder(handle_unknown="error"), ["late payments", "housing", "purpose"]),
    )
    pipeline = make_pipeline(columns, LogisticRegression(max_iter=1000)).fit(table, outcome)
    return symcf.compile(symcf.from_sklearn(pipeline)), table


def save(ax: Any, name: str) -> None:
    """Writes a picture."""
    ax.figure.savefig(IMAGES / f"{name}.png", dpi=DPI)


def main() -> None:
    """Makes all of them."""
    IMAGES.mkdir(exist_ok=True)
    c = symcf.compile(admission())
    applicant = [0, 0, 1, 0]
    e = c.explain(applicant)
    save(plots.waterfall(c, e, 1), "waterfall")
    if shutil.which("dot"):
        drawing.draw(c, applicant, e[1], IMAGES / "diagram.png")
    else:
        print("docs/images/diagram.png stays as it is: graphviz's program 'dot' is not installed")
    loan, table = loan_classifier()
    cost = {"income": 3, "years employed": 5, "housing": 4, "debt": 2.5}
    declined = table[loan.predict(table) == loan.classes.index("declined")]
    hopeless = declined.iloc[loan.decision_function(declined).argmax()]
    one = loan.explain(hopeless, cost=cost)
    save(plots.waterfall(loan, one, max(range(len(one)), key=lambda i: len(one[i].changes))), "waterfall_loan")
    batch = symcf.fast.explain_batch(loan, table, cost=cost)
    save(plots.frequency(batch), "frequency")
    save(plots.sizes(batch), "sizes")
    save(plots.costs(batch), "costs")
    save(plots.heatmap(batch, most_rows=40), "heatmap")


if __name__ == "__main__":
    main()
