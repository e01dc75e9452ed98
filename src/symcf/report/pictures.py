"""Pictures of symcf.plots inside a page, where matplotlib is installed."""

from __future__ import annotations

import base64
import importlib.util
import io
import warnings

from symcf.errors import OptionError
from symcf.results.batch import BatchExplanation

__all__ = ["heat_map"]

#: Dots per inch; enough to read small letters.
SHARPNESS = 110

#: A heat map of fewer rows shows no more than the rows themselves.
FEWEST_ROWS = 3


def heat_map(batch: BatchExplanation, wanted: bool | None) -> str | None:
    """The heat map of a batch as a data URL; None if there is nothing to show or it is not wanted."""
    if wanted not in (None, True, False):
        raise OptionError(f"pictures must be True, False or None, not {wanted!r}")
    drawable = importlib.util.find_spec("matplotlib") is not None
    if wanted and not drawable:
        raise OptionError("pictures=True needs matplotlib: pip install 'symcf[plot]'")
    if wanted is False or not drawable or len(batch) < FEWEST_ROWS or not batch.n_sets:
        return None
    from matplotlib.figure import Figure

    from symcf import plots

    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that the font lacks are drawn as boxes
        figure = plots.heatmap(batch).figure
        assert isinstance(figure, Figure)
        figure.savefig(content, format="png", dpi=SHARPNESS, metadata={"Software": None})
    return "data:image/png;base64," + base64.b64encode(content.getvalue()).decode("ascii")
