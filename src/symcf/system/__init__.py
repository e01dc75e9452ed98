"""The decision as exact integers: rules over groups of values, their diagrams, and their clauses.

`decision` prepares a rule for use, `diagram` is its decision diagram, `targets` are the diagrams of what a changed row
has to reach, `cnf` is Σf in four encodings, and `classifier` keeps all of them. `archive` writes classifiers to files.
"""
