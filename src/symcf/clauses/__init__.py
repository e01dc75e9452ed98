"""Diagrams as clauses: Σf in four encodings, and which variable stands for which value."""
