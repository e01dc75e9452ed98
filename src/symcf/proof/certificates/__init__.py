"""Certificates: a model's rule, a row, a question, its answer and the argument, for `symcf.proof.checker` to check."""
