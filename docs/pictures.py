"""Makes the pictures of the documentation: ``python docs/pictures.py`` rewrites docs/images/*.png.

From the paper's admission example and from the packaged credit data. The diagram needs graphviz's program ``dot``;
without it that picture is left as it is.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import symcf
from symcf import drawing, plots
from symcf.demo import admission

IMAGES = Path(__file__).resolve().parent / "images"
DPI = 110

COST = {"income": 3, "job": 5, "housing": 4, "savings": 2, "loan": 1.5}


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
    credit = symcf.datasets.credit()
    loan = symcf.compile(credit.model("scorecard"))
    asked: dict[str, Any] = {"target": "approved", "immutable": credit.immutable, "cost": COST}
    declined = credit.data[loan.predict(credit.data) == "declined"]
    farthest = declined.iloc[loan.decision_function(declined).argmax()]
    one = loan.explain(farthest, **asked)
    save(plots.waterfall(loan, one, max(range(len(one)), key=lambda i: len(one[i].changes))), "waterfall_loan")
    save(plots.attribution(loan.attribute(farthest, "changes", immutable=credit.immutable)), "attribution")
    batch = symcf.fast.explain_batch(loan, declined, **asked)
    save(plots.frequency(batch), "frequency")
    save(plots.sizes(batch), "sizes")
    save(plots.costs(batch), "costs")
    save(plots.heatmap(batch, most_rows=40, names=declined.index), "heatmap")


if __name__ == "__main__":
    main()
