"""How rows of integer keys are counted: in a dense table where their ranges allow one, else by codes to sort by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from operator import mul
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalreport.core.resample import IntArray

Code: TypeAlias = np.uint8 | np.uint16 | np.uint32

# Rows are packed in blocks: short enough for the cache, long enough that packing rarely waits for the interpreter lock,
# which counting holds. A dense count table may have so many entries.
BLOCK = 1 << 19
DENSE = 1 << 22
LARGEST_CODE = 1 << 62


def dense_counts(arrays: Mapping[str, npt.NDArray[np.integer]]) -> tuple[dict[str, IntArray], IntArray] | None:
    """The distinct combinations of keys in order, one array a key, and how often each occurs: counted in a table.

    Arrays of equal length, one a key. None when there is no row, or the ranges of the keys are too wide for a table.

    >>> keys, counts = dense_counts({"x": np.array([1, 0, 1])})
    >>> keys["x"].tolist(), counts.tolist()
    ([0, 1], [1, 2])
    """
    rows = len(next(iter(arrays.values()), np.zeros(0)))
    if not rows:
        return None
    lows = {k: int(array.min()) for k, array in arrays.items()}
    sizes = {k: int(array.max()) - lows[k] + 1 for k, array in arrays.items()}
    entries = 1
    for size in sizes.values():
        entries *= size
    if entries > min(DENSE, 64 + 4 * rows):
        return None
    counts = np.zeros(entries, dtype=np.int64)
    # A span is a few times the table, so that adding the counts of the span costs little beside counting it.
    span = min(rows, max(BLOCK, 2 * entries))
    spans = [slice(start, min(start + span, rows)) for start in range(0, rows, span)]
    buffers = [np.empty(span, dtype=np.int64) for _ in spans[:2]]

    def packed(i: int) -> IntArray:
        codes = buffers[i % 2][: spans[i].stop - spans[i].start]
        _pack([array[spans[i]] for array in arrays.values()], list(sizes.values()), list(lows.values()), codes)
        return codes

    # Packing lets go of the interpreter lock and counting does not: the next span is packed while this one is counted.
    codes = packed(0)
    with ThreadPoolExecutor(1) as ahead:
        for i in range(1, len(spans)):
            pending = ahead.submit(packed, i)
            counts += np.bincount(codes, minlength=entries)
            codes = pending.result()
    counts += np.bincount(codes, minlength=entries)
    present = np.flatnonzero(counts)
    return _unpack(present, tuple(arrays), sizes, lows), counts[present]


def _pack(
    arrays: Sequence[npt.NDArray[np.integer]], sizes: Sequence[int], lows: Sequence[int], codes: IntArray
) -> None:
    """Write one code a row, the first key most significant: the place of the row in a table with these sizes."""
    kinds = [_smallest(entries) for entries in accumulate(sizes, mul)]
    scratch = {kind: np.empty(min(BLOCK, len(arrays[0])), dtype=kind) for kind in kinds}
    for start in range(0, len(arrays[0]), BLOCK):
        here = slice(start, min(start + BLOCK, len(arrays[0])))
        block: npt.NDArray[np.unsignedinteger] = np.zeros(1, dtype=np.uint8)
        for i, (array, size, low, kind) in enumerate(zip(arrays, sizes, lows, kinds, strict=True)):
            # What overflows on the way wraps around and comes back, for the code itself fits its type.
            wider = scratch[kind][: here.stop - start]
            if i == 0:
                np.copyto(wider, array[here], casting="unsafe")
            else:
                np.multiply(block, _wrapped(size, kind), out=wider, dtype=kind)
                np.add(wider, array[here], out=wider, casting="unsafe")
            if low:
                np.subtract(wider, _wrapped(low, kind), out=wider)
            block = wider
        codes[here] = block


def _wrapped(value: int, kind: type[Code]) -> Code:
    return kind(value % (1 << 8 * np.dtype(kind).itemsize))


def _smallest(entries: int) -> type[Code]:
    """The type that holds the codes of a dense table: the narrower, the less memory is moved."""
    return np.uint8 if entries <= 1 << 8 else np.uint16 if entries <= 1 << 16 else np.uint32


def _unpack(
    codes: IntArray, keys: Sequence[str], sizes: Mapping[str, int], lows: Mapping[str, int]
) -> dict[str, IntArray]:
    """The keys of each code: the way back from `_pack`."""
    found: dict[str, IntArray] = {}
    rest = codes.astype(np.int32)
    for key in reversed(keys):
        above = rest // sizes[key]
        found[key] = (rest - above * sizes[key]).astype(np.int64) + lows[key]
        rest = above
    return {key: found[key] for key in keys}


def row_codes(columns: Sequence[IntArray]) -> IntArray:
    """A code for each row whose order is the order of the rows, for any range of keys; columns of equal length.

    >>> codes = row_codes([np.array([7, 7, -1]), np.array([0, 2**62, 5])])
    >>> np.argsort(codes).tolist()
    [2, 0, 1]
    """
    codes = np.zeros(len(columns[0]) if columns else 0, dtype=np.int64)
    span = 1
    for column in columns:
        low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
        values: IntArray = column
        if (high - low + 1) * span > LARGEST_CODE:
            values = np.unique(column, return_inverse=True)[1].astype(np.int64)
            codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
            low, high = 0, int(values.max())
            span = int(codes.max()) + 1
        codes = codes * (high - low + 1) + (values - low)
        span *= high - low + 1
    return codes
