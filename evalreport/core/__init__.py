"""The project's own layer: exact numbers, declarations, formulas, tallies, intervals. Knows no suite."""
