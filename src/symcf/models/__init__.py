"""Models in the form in which users state them: probabilities, weights, trees, functions.

Each model names its features, values and classes (`base`), checks what it was given, and says how it decides as a
rule in exact integers (`rules`, `scaling`). Nothing is compiled here.
"""
