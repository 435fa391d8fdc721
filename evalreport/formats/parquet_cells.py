"""Tables in Parquet as rows of plain values: numbers exact, as their writer saw them; what is damaged is named."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from evalreport.core.exact import parse_decimal
from evalreport.errors import EvalreportError, Problem
from evalreport.formats.inputs import SourceFile

if TYPE_CHECKING:
    import pyarrow as pa

MARK = b"PAR1"  # how every Parquet file begins and ends


def is_whole(data: bytes) -> bool:
    """Whether a file begins and ends as Parquet does.

    >>> is_whole(b"PAR1 is no more than a beginning"), is_whole(b"PAR1 footer PAR1")
    (False, True)
    """
    return data.startswith(MARK) and data.endswith(MARK) and len(data) >= 3 * len(MARK)


def names_of(file: SourceFile) -> frozenset[str] | None:
    """The names of the columns, or None when the file cannot be read as Parquet."""
    try:
        import pyarrow.parquet as pq

        return frozenset(pq.read_schema(f"{file.root}/{file.name}").names)
    except (ImportError, OSError, ValueError):
        return None


def rows(data: bytes, path: str) -> list[dict[str, object]]:
    """Every row. Raises `EvalreportError` for a file that is damaged or names a column twice."""
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(io.BytesIO(data)).read()
    except (OSError, ValueError) as error:
        what = f"is a damaged file: {str(error).splitlines()[0]}"
        raise EvalreportError(Problem(path, what, "a whole Parquet file", "damaged")) from None
    names = table.column_names
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise EvalreportError(
            *(Problem(path, f"has {names.count(n)} columns {n!r}", "one column of a name", "header") for n in twice)
        )
    columns = [_cells(table.column(name)) for name in names]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _cells(column: pa.ChunkedArray) -> list[object]:
    import pyarrow as pa

    values: list[object] = column.to_pylist()
    if not (pa.types.is_float16(column.type) or pa.types.is_float32(column.type)):
        return [_exact(value) for value in values]
    # the shortest text of a short float is what was written; as 64 bits it has eight digits more
    short = column.type.to_pandas_dtype()
    return [None if value is None else _decimal(str(short(value))) for value in values]


def _exact(value: object) -> object:
    """A cell as its writer saw it: a number as a decimal, a point in time as text."""
    if isinstance(value, (float, Decimal)):
        return _decimal(str(value))
    return value.isoformat() if isinstance(value, date) else value


def _decimal(text: str) -> object:
    """The number, or the text itself when it says NaN or Infinity."""
    try:
        return parse_decimal(text)
    except ValueError:
        return text
