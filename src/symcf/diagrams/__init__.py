"""The decision as ordered decision diagrams.

`diagram` is one such diagram, `builder` makes small ones node by node, `targets` are the diagrams of what a
changed row has to reach.
"""
