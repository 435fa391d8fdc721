"""What a misspelt name was probably meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """What was expected instead of an unknown name: the nearest known one first, then all of them.

    >>> nearest("alhpa", ["alpha", "level"])
    "'alpha' (known: alpha, level)"
    >>> nearest("x", ["alpha"])
    'one of: alpha'
    >>> nearest("x", [])
    'nothing: there are none'
    """
    names = sorted(known)
    if not names:
        return "nothing: there are none"
    near = difflib.get_close_matches(name, names, n=1)
    return f"{near[0]!r} (known: {', '.join(names)})" if near else f"one of: {', '.join(names)}"
