"""Pieces of the tables of signals: names, numbers with their audit lines, words for flags, items and parties."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.declare import Metric
from evalreport.core.exact import Undefined, Value
from evalreport.core.slug import slug
from evalreport.core.suite import Ids
from evalreport.core.table import Cell, Column, Num, Row, Text
from evalreport.core.words import many, printed
from evalreport.formats.eee import End, Relationship, decimal_text
from evalreport.suites.signals.catalogue import Field, setup_items
from evalreport.suites.signals.metrics import d
from evalreport.suites.signals.pages import Signal, benchmark_address, evidence_address, number_address
from evalreport.suites.signals.results import BenchmarkResult, SignalsResults, TripleResult
from evalreport.suites.signals.values import triple_ids

FILES = "data/signals"
MOST_ROWS = 1_000  # rows of a table of result triples; all of them stand in its CSV file
PARTIES: dict[Relationship, str] = {
    "first_party": "first party",
    "third_party": "third party",
    "collaborative": "collaborative",
    "other": "other",
    "unstated": "not stated",
}
NO_GRADE = "None of the signals is a grade."
TRIPLE_COLUMNS = (
    Column("model", "Model", sticky=True),
    Column("benchmark", "Benchmark", "path, split", wrap=True),
    Column("metric", "Metric"),
)


def metric(key: str) -> Metric:
    """The declaration of a number by its key without the suite."""
    return d.metrics[f"signals.{key}"]


def table_id(kind: str, benchmark: str = "") -> str:
    """The address of a table or figure, with the benchmark it is of."""
    return f"signals-{kind}-{slug(benchmark)}" if benchmark else f"signals-{kind}"


def number(results: SignalsResults, key: str, of: Ids, value: Value, decimals: int | None = None) -> Num:
    """A number with its audit line."""
    where = number_address(results, f"signals.{key}", of)
    return Num(value, metric(key).decimals if decimals is None else decimals, where)


def triple_number(results: SignalsResults, found: TripleResult, key: str, value: Value) -> Num:
    """A number of a result triple with its audit line."""
    return number(results, key, triple_ids(found.triple), value)


def benchmark_number(results: SignalsResults, one: BenchmarkResult, key: str, value: Value) -> Num:
    """A number of a benchmark with its audit line."""
    return number(results, key, (("benchmark", one.benchmark.name),), value)


def benchmark_name(results: SignalsResults, name: str) -> Text:
    """A benchmark, leading to where it is shown."""
    return Text(name, href=benchmark_address(results, name))


def triple_cells(results: SignalsResults, found: TripleResult) -> tuple[Cell, ...]:
    """Model, benchmark with split, metric."""
    triple = found.triple
    path = Text(triple.path, triple.split, benchmark_address(results, triple.canonical))
    return Text(triple.model), path, Text(triple.metric)


def flag_link(results: SignalsResults, found: TripleResult, signal: Signal, words: str) -> Text:
    """A flag in words, leading to its evidence."""
    return Text(words, href=evidence_address(results, found, signal))


def listed(found: Sequence[TripleResult]) -> Sequence[TripleResult]:
    """The triples that a table shows: all of them, or the first of very many."""
    return found[:MOST_ROWS]


def cut_words(found: Sequence[TripleResult], file: str) -> str:
    """What a table of triples leaves out."""
    if len(found) <= MOST_ROWS:
        return ""
    return f" The first {MOST_ROWS:,} of {len(found):,}; all of them stand in {file}.csv."


def item_names(keys: Sequence[str]) -> str:
    """Setup items by their names."""
    return ", ".join(setup_items().item(key).name.lower() for key in keys)


def short(field: Field) -> str:
    """A completeness field by the last part of its name.

    >>> from evalreport.suites.signals.catalogue import completeness_fields
    >>> short(completeness_fields().fields[5])
    'similar benchmarks'
    """
    return field.name.rpartition(".")[2].replace("_", " ")


def party_words(parties: Sequence[Relationship]) -> str:
    """Who reports a triple.

    >>> [party_words(p) for p in (("first_party",), ("first_party", "third_party"), ("unstated",))]
    ['first party only', 'first and third party', 'not stated']
    >>> party_words(("collaborative", "first_party", "third_party"))
    'first, third, collaborative'
    """
    names = [name for party, name in PARTIES.items() if party in parties]
    if len(names) == 1:
        return names[0] if parties == ("unstated",) else f"{names[0]} only"
    if set(parties) == {"first_party", "third_party"}:
        return "first and third party"
    return ", ".join(name.removesuffix(" party") for name in names)


def scale_words(found: TripleResult) -> str:
    """The scale of a metric as its reports state it, or why there is none."""
    if isinstance(found.scale, Undefined):
        return found.scale.reason.removeprefix("not computable: ")
    return f"on {end_words(found.low)} to {end_words(found.high)}"


def end_words(end: End) -> str:
    """One end of a scale, as stated.

    >>> end_words(Fraction(1, 2)), end_words("-Infinity"), end_words(None)
    ('0.5', '−∞', 'not stated')
    """
    if end is None:
        return "not stated"
    if isinstance(end, str):
        return "−∞" if end.startswith("-") else "∞"
    return decimal_text(end).replace("-", "−")


def score_words(found: TripleResult) -> str:
    """The scores that report a triple, on the metric's own scale: one, or the lowest and the highest."""
    scores = sorted({report.score for report in found.reports})
    return " to ".join(short_number(score) for score in dict.fromkeys((scores[0], scores[-1])))


def short_number(value: Fraction) -> str:
    """A score as stated, or rounded to four decimals if it has more.

    >>> short_number(Fraction(1, 2)), short_number(Fraction(123456789, 10**8))
    ('0.5', '1.2346')
    """
    text = decimal_text(value).replace("-", "−")
    return text if len(text.partition(".")[2]) <= 4 and "/" not in text else printed(value)


def of_all(n: int, total: int, one: str, *, which: str = "", verb: str = "") -> str:
    """How many of how many; a verb is given for one and for several, words about all before it.

    >>> of_all(41, 62, "result"), of_all(0, 1, "result", which=" read", verb="has/have")
    ('41 of 62 results', '0 of 1 result read has')
    """
    singular, _, plural = verb.partition("/")
    found = singular if 1 in (n, total) else plural
    return f"{n:,} of {many(total, one)}{which}{f' {found}' if found else ''}"


def rows(cells: Sequence[Sequence[Cell]]) -> tuple[Row, ...]:
    """Rows of a table, one for each sequence of cells."""
    return tuple(Row(tuple(row)) for row in cells)
