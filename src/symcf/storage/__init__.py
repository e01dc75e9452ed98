"""Compiled classifiers in files (`archive`), and what identifies one (`fingerprint`)."""
