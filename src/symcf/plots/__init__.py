"""Pictures of explanations, with matplotlib (``pip install 'symcf[plot]'``).

Every function draws into the Axes it is given, or into a figure of its own, and returns the Axes:

    ax = symcf.plots.waterfall(c, e)
    ax.figure.savefig("waterfall.png")

Nothing goes through pyplot, so nothing is left open and no screen is needed; in a notebook, pass an Axes of pyplot's.
Colours are from the palette of Okabe and Ito (2008), which colour-blind readers tell apart; numbers stand beside bars.
"""

from symcf.plots.audits import difference, groups, responsiveness, robustness
from symcf.plots.heat import heatmap
from symcf.plots.steps import attribution, waterfall
from symcf.plots.tallies import costs, frequency, sizes

__all__ = [
    "attribution",
    "costs",
    "difference",
    "frequency",
    "groups",
    "heatmap",
    "responsiveness",
    "robustness",
    "sizes",
    "waterfall",
]
