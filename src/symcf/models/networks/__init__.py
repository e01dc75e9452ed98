"""Networks: Bayesian ones, and neural ones whose neurons are signs."""

from symcf.models.networks.bayes import BayesNet
from symcf.models.networks.binary import BinaryNetwork

__all__ = ["BayesNet", "BinaryNetwork"]
