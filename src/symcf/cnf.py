"""Clauses as `Compiled.cnf` and `Compiled.wcnf` return them."""

from symcf.system.cnf import ENCODINGS, Cnf, Wcnf

__all__ = ["ENCODINGS", "Cnf", "Wcnf"]
