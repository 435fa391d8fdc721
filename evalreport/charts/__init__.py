"""Drawing with matplotlib: style, palette, fonts, primitives. Knows shapes and numbers, no suite."""
