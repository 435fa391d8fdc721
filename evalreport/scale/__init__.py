"""Executors: the same three steps (tally, union, aggregate) in one process, several, or a cluster."""
