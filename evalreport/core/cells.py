"""The narrow waist: a table of distinct integer keys, how many records have each, and sums that add up.

Everything between the records and the metrics is counts. Counts of parts add up to the counts of the whole, so
the records may be tallied in any pieces, in any order, on any machines, and the result has the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalreport.core.counting import dense_counts, row_codes
from evalreport.core.resample import IntArray
from evalreport.errors import Problems

Key: TypeAlias = int | str


@dataclass(frozen=True)
class Coded:
    """A column of texts as positions in a list of texts: what a reader of millions of rows has at hand.

    >>> Coded(np.array([1, 0, 1]), ("b", "a")).texts
    ('b', 'a')
    """

    codes: npt.NDArray[np.integer]
    texts: tuple[str, ...]


Column: TypeAlias = npt.NDArray[np.integer] | Sequence[int] | Sequence[str] | Coded


@dataclass(frozen=True, eq=False)
class Cells:
    """How many records have each combination of keys: rows sorted by the keys in declared order, all distinct.

    `columns` holds int64 arrays of equal length; for a key in `texts` they are positions in its sorted list of
    texts. `n` counts records (1 or more). `sums` are integer totals over the records of a row. `parts` names the
    partitions that went in; it is no part of the content (`content()`, `digest()`).
    """

    keys: tuple[str, ...]
    columns: Mapping[str, IntArray]
    n: IntArray
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sums: Mapping[str, IntArray] = field(default_factory=dict)
    parts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.n)

    def __getitem__(self, name: str) -> IntArray:
        """The values of an integer key, or one of the sums, row by row."""
        found = self.sums.get(name)
        return self.columns[name] if found is None else found

    @property
    def total(self) -> int:
        """How many records there are."""
        return int(self.n.sum())

    def labels(self, key: str) -> tuple[Key, ...]:
        """The values of a key as they were read (texts decoded), row by row."""
        codes = self.columns[key].tolist()
        return tuple(self.texts[key][c] for c in codes) if key in self.texts else tuple(codes)

    def rows(self) -> Iterator[tuple[tuple[Key, ...], int]]:
        """Each distinct combination of keys with its count.

        >>> list(tally({"hue": ["b", "a", "b"]}).rows())
        [(('a',), 1), (('b',), 2)]
        """
        return zip(zip(*(self.labels(k) for k in self.keys), strict=True), self.n.tolist(), strict=True)

    def by(self, *keys: str) -> Cells:
        """The same records by fewer keys.

        >>> list(tally({"x": [1, 1, 2], "y": [5, 6, 6]}).by("y").rows())
        [((5,), 1), ((6,), 2)]
        """
        columns = {k: self.columns[k] for k in keys}
        return _grouped(keys, columns, self.n, self.texts, self.sums, self.parts)

    def split(self, *keys: str) -> Iterator[tuple[tuple[Key, ...], Cells]]:
        """The records of each combination of the leading keys, as cells over the other keys.

        `keys` must be the first keys in their order: the rows of a combination then stand together.
        """
        if self.keys[: len(keys)] != keys:
            raise ValueError(f"split by {keys}; expected the leading keys of {self.keys}")
        if not len(self):
            return
        change = np.zeros(len(self) - 1, dtype=bool)
        for k in keys:
            change |= np.diff(self.columns[k]) != 0
        edges = [0, *(np.flatnonzero(change) + 1).tolist(), len(self)]
        rest = self.keys[len(keys) :]
        for start, stop in pairwise(edges):
            label = tuple(
                self.texts[k][int(self.columns[k][start])] if k in self.texts else int(self.columns[k][start])
                for k in keys
            )
            here = slice(start, stop)
            yield (
                label,
                Cells(
                    rest,
                    {k: self.columns[k][here] for k in rest},
                    self.n[here],
                    {k: t for k, t in self.texts.items() if k in rest},
                    {s: v[here] for s, v in self.sums.items()},
                    self.parts,
                ),
            )

    def content(self) -> bytes:
        """The table as bytes: equal for every way to cut and order the same records."""
        used = _only_used(self)
        head = repr((self.keys, sorted(used.sums), len(self), {k: used.texts[k] for k in self.keys if k in used.texts}))
        arrays = [*(used.columns[k] for k in self.keys), used.n, *(used.sums[s] for s in sorted(used.sums))]
        return head.encode() + b"\0" + b"".join(np.ascontiguousarray(a, dtype="<i8").tobytes() for a in arrays)

    def digest(self) -> str:
        """The sha256 of `content()`."""
        return sha256(self.content()).hexdigest()


def tally(columns: Mapping[str, Column], sums: Mapping[str, Sequence[int]] | None = None, *, part: str = "") -> Cells:
    """How many records have each combination of the keys, one column a key, one row a record.

    Integer columns may have any integer type; text columns are sequences of `str` or `Coded`. `part` is the name of
    this partition of the records, by which `union` knows it again. Raises `ValueError` for columns of unequal length.

    >>> cells = tally({"pass": [1, 0, 1, 1]}, {"score": [10, 4, 12, 11]})
    >>> list(cells.rows()), cells["score"].tolist()
    ([((0,), 1), ((1,), 3)], [4, 33])
    """
    texts: dict[str, tuple[str, ...]] = {}
    arrays: dict[str, npt.NDArray[np.integer]] = {}
    for key, column in columns.items():
        if isinstance(column, Coded):
            order = {t: i for i, t in enumerate(sorted(set(column.texts)))}
            texts[key] = tuple(order)
            new = np.array([order[t] for t in column.texts], dtype=np.int64)
            same = np.array_equal(new, np.arange(len(new)))
            arrays[key] = column.codes if same else new[column.codes]
        elif not isinstance(column, np.ndarray) and len(column) and isinstance(column[0], str):
            order = {str(t): i for i, t in enumerate(sorted({str(t) for t in column}))}
            texts[key] = tuple(order)
            arrays[key] = np.fromiter((order[str(t)] for t in column), dtype=np.int64, count=len(column))
        else:
            array = np.asarray(column)
            if array.size and not np.issubdtype(array.dtype, np.integer):
                raise ValueError(f"{key} holds {array.dtype}; expected integers or texts")
            if array.dtype == np.uint64 and array.size and int(array.max()) >= 1 << 63:
                raise ValueError(f"{key} holds {int(array.max())}; expected less than 2**63")
            arrays[key] = array.astype(np.int64) if array.dtype == np.uint64 or not array.size else array
    totals = {s: np.asarray(v, dtype=np.int64) for s, v in (sums or {}).items()}
    if len({len(a) for a in (*arrays.values(), *totals.values())}) > 1:
        raise ValueError(f"columns of unequal length: { {k: len(a) for k, a in {**arrays, **totals}.items()} }")
    parts = (part,) if part else ()
    if not totals:
        counted = dense_counts(arrays)
        if counted is not None:
            return _only_used(Cells(tuple(columns), *counted, texts, {}, parts))
    rows = len(next(iter(arrays.values()), np.zeros(0)))
    wide = {k: a.astype(np.int64) for k, a in arrays.items()}
    return _only_used(_grouped(tuple(columns), wide, np.ones(rows, dtype=np.int64), texts, totals, parts))


def union(tallies: Iterable[Cells], expected: Iterable[str] | None = None) -> Cells:
    """The tally of all records of these parts. Exact; the order and the cut make no difference.

    Raises `EvalreportError` naming every part that is there twice and, when `expected` names all parts, every one
    that is missing or not asked for. Raises `ValueError` when the tallies do not have the same keys, or for none.

    >>> a, b = tally({"x": [1, 2]}, part="a"), tally({"x": [2]}, part="b")
    >>> list(union([a, b]).rows()), union([b, a]).digest() == tally({"x": [2, 1, 2]}).digest()
    ([((1,), 1), ((2,), 2)], True)
    """
    tables = list(tallies)
    if not tables:
        raise ValueError("no tallies to unite")
    if len({(t.keys, frozenset(t.sums)) for t in tables}) > 1:
        raise ValueError(f"tallies with different keys: {sorted({(t.keys, *sorted(t.sums)) for t in tables})}")
    parts = sorted(p for t in tables for p in t.parts)
    _check_parts(parts, expected)
    keys = tables[0].keys
    texts = {
        k: tuple(sorted({t for table in tables for t in table.texts.get(k, ())}))
        for k in keys
        if any(k in table.texts for table in tables)
    }
    columns = {}
    for k in keys:
        if k in texts:
            place = {t: i for i, t in enumerate(texts[k])}
            maps = [np.array([place[t] for t in table.texts.get(k, ())], dtype=np.int64) for table in tables]
            columns[k] = np.concatenate([m[t.columns[k]] for m, t in zip(maps, tables, strict=True)])
        else:
            columns[k] = np.concatenate([t.columns[k] for t in tables])
    n = np.concatenate([t.n for t in tables])
    sums = {s: np.concatenate([t.sums[s] for t in tables]) for s in tables[0].sums}
    return _only_used(_grouped(keys, columns, n, texts, sums, tuple(parts)))


def _check_parts(parts: Sequence[str], expected: Iterable[str] | None) -> None:
    problems = Problems()
    for part in sorted({p for p in parts if parts.count(p) > 1} if len(set(parts)) < len(parts) else ()):
        problems.add(part, "this part of the records is there twice", "each part once", kind="duplicate_part")
    if expected is not None:
        wanted = set(expected)
        for part in sorted(wanted - set(parts)):
            problems.add(part, "this part of the records is missing", "every part", kind="missing_part")
        for part in sorted(set(parts) - wanted):
            problems.add(part, "this part of the records was not asked for", "only known parts", kind="unknown_part")
    problems.check()


def _grouped(
    keys: tuple[str, ...],
    columns: Mapping[str, IntArray],
    n: IntArray,
    texts: Mapping[str, tuple[str, ...]],
    sums: Mapping[str, IntArray],
    parts: tuple[str, ...],
) -> Cells:
    kept = {k: t for k, t in texts.items() if k in keys}
    if not len(n):
        return Cells(keys, {k: c.astype(np.int64) for k, c in columns.items()}, n, kept, sums, parts)
    codes = row_codes([columns[k] for k in keys]) if keys else np.zeros(len(n), dtype=np.int64)
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    first = order[starts]
    return Cells(
        keys,
        {k: columns[k][first] for k in keys},
        np.add.reduceat(n[order], starts),
        kept,
        {s: np.add.reduceat(v[order], starts) for s, v in sums.items()},
        parts,
    )


def _only_used(cells: Cells) -> Cells:
    """Lists of texts without the ones that no row has, so that equal content has equal bytes."""
    texts, columns = dict(cells.texts), dict(cells.columns)
    for key, known in cells.texts.items():
        used = np.unique(columns[key])
        if len(used) < len(known):
            columns[key] = np.searchsorted(used, columns[key])
            texts[key] = tuple(known[i] for i in used.tolist())
    return Cells(cells.keys, columns, cells.n, texts, cells.sums, cells.parts)
