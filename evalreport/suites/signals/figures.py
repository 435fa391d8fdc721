"""The figures of the signals: results in, words, data and drawing function out. Loaded by notebooks only.

Blue alone: full where the caption says so, pale for the rest of those that count, hatched for no value. No signal is a
grade, so nothing is drawn in the colour of "look here".
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from evalreport.charts import bars, rows
from evalreport.charts.figure import Figure
from evalreport.core.exact import Undefined, Value, csv_text
from evalreport.core.suite import CsvTable
from evalreport.core.words import decimal, many, printed, rounded_percent
from evalreport.formats.eee import End
from evalreport.suites.signals.results import Divergence, SignalsResults, TripleResult
from evalreport.suites.signals.views.cells import of_all, party_words, short, table_id
from evalreport.suites.signals.views.comparability import compared
from evalreport.suites.signals.views.completeness import bins, field_counts, fields_words, median_words
from evalreport.suites.signals.views.provenance import by_parties, reports_words
from evalreport.suites.signals.views.reproducibility import counts, items_words

MOST_DRAWN = 40  # spreads in one figure; of more the widest ones
Over = Literal["setups", "parties"]
_OVER: dict[Over, Callable[[TripleResult], Divergence]] = {
    "setups": lambda t: t.over_setups,
    "parties": lambda t: t.over_parties,
}
_ITEM_PARTS = (
    bars.Part("undisclosed", "data"),
    bars.Part("disclosed", "wash"),
    bars.Part("left out: not known whether it applies", "hatch", "left out"),
)
_FIELD_PARTS = (
    bars.Part("populated", "data"),
    bars.Part("partly", "wash"),
    bars.Part("placeholder only", "hatch", "placeholder"),
)
_PARTY_PARTS = (bars.Part("several reports", "data"), bars.Part("one report", "wash"))


def items(results: SignalsResults) -> Figure:
    """Tuples in which each setup item is undisclosed, disclosed, or left out; the rest is not asked."""
    found, total = counts(results), len(results.triples)
    bar_rows = [
        bars.BarRow(
            c.found.item.name,
            (c.found.undisclosed, c.disclosed, c.left_out),
            f"{c.found.undisclosed:,} of {c.found.applicable:,}",
            "" if isinstance(where := c.found.share_where_applicable, Undefined) else rounded_percent(where, 0),
            f"{c.not_applicable:,} not applicable" if c.not_applicable else "",
        )
        for c in found
    ]
    return Figure(
        id=table_id("setup"),
        finding=items_words(results),
        text=f"Of {many(total, 'tuple')} of model, benchmark, split and metric; by count. At the right those that leave"
        " the item undisclosed, of those it applies to. Hatched: no record says whether the item applies, so it is left"
        " out. Beyond the bar: it does not apply.",
        alt=f"{items_words(results)} "
        + "; ".join(f"{c.found.item.name} {of_all(c.found.undisclosed, c.found.applicable, 'result')}" for c in found),
        data=CsvTable(
            "items",
            ("item", "undisclosed", "disclosed", "left_out", "not_applicable"),
            tuple((c.found.item.key, str(c.found.undisclosed), str(c.disclosed), str(c.left_out),
                   str(c.not_applicable)) for c in found),
        ),
        names=tuple(row.name for row in bar_rows),
        draw=lambda canvas: bars.stacked_bars(canvas, bar_rows, _ITEM_PARTS, total=total, unit="results"),
    )  # fmt: skip


def completeness(results: SignalsResults) -> Figure:
    """How many benchmarks lie where on the scale of completeness."""
    found = bins(results)
    drawn = [bars.HistogramBin(at / 10, (at + 1) / 10, n) for at, n in enumerate(found)]
    ticks = [(at / 5, f"{at / 5:.1f}") for at in range(6)]
    return Figure(
        id=table_id("distribution"),
        finding=median_words(results),
        text=f"Strict completeness of {many(len(results.benchmarks), 'benchmark')} in tenths of the scale; a bar holds"
        " its lower end, the last one both. It says how much is told about a benchmark, not how good it is.",
        alt=f"{median_words(results)} Counts from 0 to 1 in tenths: {', '.join(map(str, found))}.",
        data=CsvTable(
            "distribution",
            ("benchmark", "completeness", "completeness_literal"),
            tuple((one.benchmark.name, csv_text(one.strict), csv_text(one.literal)) for one in results.benchmarks),
        ),
        draw=lambda canvas: bars.histogram(
            canvas, drawn, label="reporting completeness, strict", unit="benchmarks", ticks=ticks
        ),
    )


def fields(results: SignalsResults) -> Figure:
    """In how many benchmarks each of the 28 fields is populated, in the order of the field table."""
    found, total = field_counts(results), len(results.benchmarks)
    bar_rows = [
        bars.BarRow(short(c.field), (c.populated, c.partly, c.placeholder), f"{c.populated:,} of {total:,}", rest="")
        for c in found
    ]
    return Figure(
        id=table_id("field-bars"),
        finding=fields_words(results),
        text=f"Fields in the order of the field table; of {many(total, 'benchmark')}. Partly: some of the sub-items."
        " Hatched: a placeholder such as “Not specified” stands there. Beyond the bar: nothing.",
        alt=f"{fields_words(results)} " + "; ".join(f"{short(c.field)} {c.populated}" for c in found) + ".",
        data=CsvTable(
            "fields",
            ("field", "populated", "partly", "placeholder_only", "nothing"),
            tuple((c.field.name, str(c.populated), str(c.partly), str(c.placeholder), str(c.nothing)) for c in found),
        ),
        names=tuple(row.name for row in bar_rows),
        draw=lambda canvas: bars.stacked_bars(canvas, bar_rows, _FIELD_PARTS, total=total, unit="benchmarks"),
    )


def parties(results: SignalsResults) -> Figure:
    """Who reports the results: which parties, and with one report or several."""
    found, total = by_parties(results), len(results.triples)
    bar_rows = [
        bars.BarRow(
            party_words(who),
            (several, one),
            f"{one + several:,} of {total:,}",
            rounded_percent(Fraction(one + several, total), 0),
        )
        for who, one, several in found
    ]
    return Figure(
        id=table_id("parties"),
        finding=reports_words(results),
        text=f"Of {many(total, 'result triple')}; by count. A party is how whoever ran the evaluation is related to the"
        " model's developer. Several reports may come from one organisation.",
        alt=f"{reports_words(results)} " + "; ".join(f"{party_words(who)} {one + more}" for who, one, more in found),
        data=CsvTable(
            "parties",
            ("parties", "one_report", "several_reports"),
            tuple((";".join(who), str(one), str(several)) for who, one, several in found),
        ),
        names=tuple(row.name for row in bar_rows),
        draw=lambda canvas: bars.stacked_bars(canvas, bar_rows, _PARTY_PARTS, total=total, unit="results"),
    )


def spreads(results: SignalsResults, over: Over) -> Figure:
    """How far scores lie apart over setups or parties, as shares of each metric's own scale, with the threshold."""
    found = [t for t in compared(results) if _OVER[over](t).groups > 1]
    shown = sorted(sorted(found, key=lambda t: -_size(_OVER[over](t).spread))[:MOST_DRAWN], key=lambda t: t.triple)
    drawn = [
        rows.ForestRow(
            name=t.triple.model,
            value=None if isinstance(x.spread, Undefined) else float(x.spread),
            text=printed(x.spread),
            n=x.groups,
            interval=None if isinstance(x.spread, Undefined) else (0.0, float(x.spread)),
            note=_note(x, t, results),
            tone="data" if x.flag == 1 else "muted",
            group=f"{t.triple.benchmark}, {t.triple.metric}",
        )
        for t in shown
        for x in [_OVER[over](t)]
    ]
    most = max([float(results.theta) * 2, *(row.value for row in drawn if row.value is not None)])
    step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, most) if s * 5 >= most)
    ticks = tuple(step * k for k in range(int(most / step + 0.999) + 1))
    scale = rows.Scale(
        "highest minus lowest score, as a share of the metric's scale",
        0.0, ticks[-1], ticks, float(results.theta), f"threshold {decimal(results.theta)}",
    )  # fmt: skip
    finding = _over_words(found, over)
    cut = f" The {MOST_DRAWN} widest of {len(found)}." if len(found) > len(shown) else ""
    return Figure(
        id=table_id(f"spread-{over}"),
        finding=finding,
        text=f"Results that several {over} report. Full: further apart than the threshold; hollow: not further. A"
        f" threshold of its own stands beside a metric that has one. n: {over}.{cut}",
        alt=f"{finding} " + "; ".join(f"{t.triple.model} {printed(_OVER[over](t).spread)}" for t in shown) + ".",
        data=CsvTable(
            "spreads",
            ("model", "benchmark", "metric", "groups", "spread", "threshold", "range_min", "range_max"),
            tuple((t.triple.model, t.triple.benchmark, t.triple.metric, str(x.groups), csv_text(x.spread),
                   csv_text(t.threshold), _end(t.low), _end(t.high)) for t in found for x in [_OVER[over](t)]),
        ),
        settings={"theta": decimal(results.theta)},
        names=tuple(name for t in shown for name in (t.triple.model, f"{t.triple.benchmark}, {t.triple.metric}")),
        draw=lambda canvas: rows.forest(canvas, drawn, scale, value_title="spread"),
    )  # fmt: skip


def _over_words(found: list[TripleResult], over: Over) -> str:
    if not found:
        return f"No result is reported {'under several setups' if over == 'setups' else 'by several parties'}."
    flags = [_OVER[over](t).flag for t in found]
    computed = [flag for flag in flags if not isinstance(flag, Undefined)]
    diverging = sum(int(flag) for flag in computed)
    words = f"{of_all(diverging, len(computed), 'result', verb='lies/lie')} further apart over {over}"
    none = len(flags) - len(computed)
    return f"{words} than the threshold" + (f"; {none} cannot be computed." if none else ".")


def _note(x: Divergence, t: TripleResult, results: SignalsResults) -> str:
    if isinstance(x.spread, Undefined):
        return x.spread.reason.removeprefix("not computable: ")
    return f"threshold {decimal(t.threshold)}" if t.threshold != results.theta else ""


def _size(value: Value) -> float:
    return -1.0 if isinstance(value, Undefined) else float(value)


def _end(end: End) -> str:
    return "" if end is None else end if isinstance(end, str) else csv_text(end)
