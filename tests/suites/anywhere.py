"""Files in which one value somewhere is another one: what a reader must take or refuse, and never break on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*path, key)
        yield from places(item, (*path, key))


def with_anything_anywhere(data: st.DataObject, files: T, nodes: Sequence[object]) -> T:
    """A copy of JSON values in which one of them, somewhere, is one of the nodes."""
    changed = json.loads(json.dumps(files))
    *to, last = data.draw(st.sampled_from(list(places(changed))))
    inside = changed
    for key in to:
        inside = inside[key]
    inside[last] = data.draw(st.sampled_from(nodes))
    return changed  # type: ignore[no-any-return]
