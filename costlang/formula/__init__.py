"""Exact symbolic expressions: the graph, how it is made, and how it is worked out."""
