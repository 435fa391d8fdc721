"""A small book with one of everything that the pages can show, built once for the tests of its looks."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from evalreport.core.exact import Undefined
from evalreport.core.table import (
    Badge,
    Cell,
    Code,
    Column,
    Count,
    Heat,
    Limits,
    Link,
    Math,
    Missing,
    Num,
    Rank,
    Row,
    RowGroup,
    Strong,
    Sub,
    Table,
    Text,
)
from evalreport.report.tables import table_fragment
from evalreport.suites import all_suites

ROOT = Path(__file__).resolve().parents[2]
PAGES = Path(__file__).resolve().parent / "look_book"
HOSTILE = (
    "<script>alert('x')</script>",
    '"><img src=x onerror=alert(1)>',
    "a_b $c$ %d {e} \\f `g` | h & *i*",
    "模型 评测 🜂",
    "نموذج ١٢ (beta)",
    "\u202eabc",
    "../../etc/passwd",
    "line\nbreak\x00\x1b[31m",
)
BOOK = {
    "title": "Example results & <more>",
    "authors": ["The Example Benchmark Group", 'O\'Hara & "Co" </script>'],
    "version": "1.2.0",
    "date": "2026-11-29",
    "url": "https://example.org/results/1.2.0/",
    "licence": "https://creativecommons.org/licenses/by/4.0/",
    "data_sha256": "3f9ac7e1" + "0" * 52 + "b04d",
    "code_version": "0.1.0",
    "settings": {
        "benchmark": {"alpha": "0.5", "level": "0.95", "seed": "7"},
        "comparison": {"level": "0.95", "seed": "8"},
    },
    "scope": [["α", "0.50"], ["level", "0.95"], ["seed", "20261129"]],
    "scopes": {"benchmark": [["α", "0.50"], ["seed", "7"]], "comparison": [["level", "0.95"], ["seed", "8"]]},
    "generator": "evalreport 0.1.0",
    "versions": "../versions.json",
}
VERSIONS = [
    {"name": "1.3.0 (latest)", "version": "1.3.0", "url": "../1.3.0/", "preferred": True},
    {"name": "1.2.0", "version": "1.2.0", "url": "../html/"},
]
NUMBERS = {"benchmark.pass_rate/aurora-2/2-1": {"text": "0.8250", "address": "audit/aurora#pass-rate"}}


def _interval(low: int, value: int, high: int, *, hollow: bool = False) -> Limits:
    return Limits(
        Fraction(low, 100), Fraction(high, 100), Fraction(value, 100), Fraction(2, 5), 1,
        f"95 % interval 0.{low} to 0.{high}", hollow=hollow,
    )  # fmt: skip


def leaderboard() -> Table:
    """Ranks, ties, intervals, links to the audit, unranked rows, a row without any value."""
    audit = "audit/aurora#pass-rate"

    def row(name: str, version: str, rank: int | None, passes: int, score: int, *, tied: bool = False) -> Row:
        p, s = Fraction(passes, 40), Fraction(score, 480)
        q = (p + s) / 2
        middle = round(q * 100)
        dq = rank is None
        cells: tuple[Cell, ...] = (
            Rank(rank, tied=tied), Text(name, version, "audit/aurora"), Num(q, href=audit),
            _interval(middle - 8, middle, min(middle + 6, 99), hollow=dq), Num(p, href=audit), Num(s * 12),
            Num(p - s, signed=True), Count(40), Count(1 if dq else 0, alert=dq),
            Badge("alert", "disqualified") if dq else Badge("plain", "eligible"),
        )  # fmt: skip
        return Row(cells, blend=None if dq else (p, s))

    none = Missing("no scored runs")
    empty = Row((Rank(None, reason="no scored runs"), Text("heron-8b", "1.2"), Num(Undefined("no scored runs")), none,
                 none, none, none, Count(0), none, Badge("dashed", "no data")))  # fmt: skip
    return Table(
        id="leaderboard",
        finding="Nine subject versions, six ranked.",
        text=("Q", Sub("final"), " at ", Math(r"\alpha = 0.50"), ". See ", Link("the audit", audit), "."),
        columns=(
            Column("rank", "Rank", align="r"),
            Column("subject", "Subject", "version", sticky=True),
            Column("q_final", ("Q", Sub("final")), "α 0.50", "r", "higher", strong=True),
            Column("interval", "95 % interval"),
            Column("pass_rate", "P", "pass rate", "r", "higher"),
            Column("mean", "Mean", "of 12", "r", "higher"),
            Column("gap", "Gap", "signed", "r"),
            Column("n", "n", "runs", "r"),
            Column("critical", "Critical", "runs", "r", "lower"),
            Column("status", "Status"),
        ),
        groups=(
            RowGroup("", (row("aurora-2", "2.1", 1, 33, 438), row("estuary-1", "1.0", 2, 31, 444),
                          row("aurora-2", "2.0", 3, 28, 424, tied=True),
                          row("cirrus-mini", "0.9", 3, 29, 412, tied=True),
                          row("basalt-chat", "1.3", 5, 24, 421), row(HOSTILE[2], "1.1", 6, 23, 381))),
            RowGroup("Not ranked", (row("fjord-pro", "2026-05", None, 32, 433),
                                    row("dune-large", "3", None, 19, 338), empty),
                     muted=True),
        ),
        note=(Strong("="), " shares its rank. A dash means “no value”, never 0. Every number links to its audit line."),
        downloads=(("CSV", "data/benchmark/leaderboard.csv"),),
        explore="q_final",
        wide=True,
    )  # fmt: skip


def hostile() -> Table:
    """Names that try to be something else, in every kind of cell that takes text."""
    return Table(
        "hostile", "Names stay names.", "Whatever they hold.",
        (Column("name", "Name", sticky=True), Column("code", "Code"), Column("badge", "Badge"), Column("link", "Link"),
         Column("why", "Why", wrap=True)),
        (RowGroup(HOSTILE[0], tuple(
            Row((Text(t, t), Code(t), Badge("quiet", t[:12], t), Link(t, "audit/aurora"), Missing(t)))
            for t in HOSTILE)),),
        note=HOSTILE,
    )  # fmt: skip


def heat() -> Table:
    """Shades, a frame, a hatch, formulas as cells, counts of a total."""

    def row(name: str, *values: Fraction | None) -> Row:
        cells = tuple(
            Heat(v, f"{float(v):.2f}", low=v < Fraction(1, 2)) if v is not None else Heat(None, "N/A", "does not apply")
            for v in values
        )
        return Row((Text(name), *cells, Count(7, 8), Math(r"\frac{1}{N}\sum_{r \in R} c_r")))

    heads = [
        Column(f"d{k}", head, align="c") for k, head in enumerate(("Recall", "Precision", "Calibration", "Verdict"))
    ]
    return Table(
        "heat", "All scores.", "Frame: below 0.5. Hatched: does not apply.",
        (Column("case", "Case", sticky=True), *heads, Column("passes", "Passes", align="r", better="higher"),
         Column("f", "Formula")),
        (RowGroup("", (row("debate-01", Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1)),
                       row("debate-02", Fraction(1, 3), Fraction(1, 4), None, Fraction(0)))),),
        compact=True,
    )  # fmt: skip


def long_table(rows: int = 60) -> Table:
    """Many rows: a count and a filter."""
    columns = (Column("case", "Case", sticky=True), Column("score", "Score", align="r", better="higher", decimals=2))
    made = tuple(
        Row((Text(f"CASE-{k:04d}", "odd" if k % 2 else "even"), Num(Fraction(k * 7 % rows, 3)))) for k in range(rows)
    )
    return Table("long", "Every case.", "", columns, (RowGroup("", made),), compact=True)


def empty_table() -> Table:
    """No rows, and the sentence that says so."""
    return Table(
        "empty", "Nothing left out.", "", (Column("a", "Case"), Column("b", "Why")), (), empty="no case was left out"
    )


def tables() -> tuple[Table, ...]:
    """Every table of the look book."""
    return leaderboard(), hostile(), heat(), long_table(), empty_table()


def _drawing(width: float, height: float, ink: str, words: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" height="{height}pt" width="{width}pt" viewBox="0 0 {width} {height}">'
        f'<g fill="none" stroke="{ink}"><path d="M20 {height - 20}H{width - 20}"/>'
        f'<path d="M20 {height - 30}C{width / 3} {height - 30} {width / 2} 30 {width - 20} 30" stroke-width="2"/></g>'
        f'<text x="20" y="{height - 6}" font-size="8" font-family="sans-serif" fill="{ink}">{words}</text></svg>\n'
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _figures(source: Path) -> None:
    fragments, files = source / "_evalreport" / "fragments", source / "_extra" / "figures"
    rank = {
        "kind": "figure", "id": "rank-alpha", "finding": "Only neighbours trade places.",
        "text": f"Rank for every α. N = 40 runs each. Among them {HOSTILE[0]} and {HOSTILE[4]}.",
        "alt": "Ranks of six versions for alpha from 0 to 1.", "sizes": ["column", "page"],
        "bibtex": "@misc{example-1.2.0-rank-alpha,\n  title = {Only & more}\n}",
        "axes": {"page": [0.235, 0.1, 0.53, 0.7], "column": [0.075, 0.1, 0.525, 0.7]},
    }  # fmt: skip
    panels = [
        {"id": f"panel-{k}", "title": name, "subtitle": "N = 40", "alt": f"panel {k}", "href": "audit/aurora"}
        for k, name in enumerate(("aurora-2 2.1", HOSTILE[2], "基准 1.0"))
    ]
    many = {
        "kind": "figure", "id": "overview", "finding": "One of three is off.", "text": "Small multiples.",
        "alt": "Three panels.", "sizes": ["page"], "panels": panels,
    }  # fmt: skip
    for figure in (rank, many):
        _write(fragments / f"{figure['id']}.json", json.dumps(figure))
        for kind in ("pdf", "png", "csv", "json"):
            _write(files / f"{figure['id']}.{kind}", "x\n")
    _write(files / "rank-alpha-column.pdf", "x\n")
    for stem, width, height in (("rank-alpha", 486, 200), ("rank-alpha-column", 234, 180), ("overview", 486, 200)):
        _write(files / f"{stem}.svg", _drawing(width, height, "#1b2127", "alpha"))
        _write(files / f"{stem}-dark.svg", _drawing(width, height, "#e1e7ec", "alpha"))
    for panel in panels:
        _write(files / f"{panel['id']}.svg", _drawing(144, 120, "#1b2127", "confidence"))
        _write(files / f"{panel['id']}-dark.svg", _drawing(144, 120, "#e1e7ec", "confidence"))


def _clauses() -> str:
    """A page with every clause and the notation of every suite."""
    lines = ["", "A formula in display:", "", "$$", r"\mathrm{ECE} = \sum_{m \in M} \frac{|B_m|}{N}", "$$", ""]
    for name, suite in all_suites().items():
        lines += [f"## Suite {name}", ""]
        for clause in dict.fromkeys(metric.clause for metric in suite.declarations.metrics.values()):
            lines += [f"### {clause.partition('#')[2]} of {name}", "", f":::{{clause}} {clause}", ":::", ""]
        lines += [f":::{{notation}} {name}", ":::", ""]
    return "\n".join(["# Methodology", *lines])


def write_source(source: Path) -> None:
    """The workspace as a build would leave it: pages, settings, fragments, files beside the pages."""
    shutil.copytree(PAGES, source)
    shutil.copy(ROOT / "_config.yml", source / "_config.yml")
    _write(source / "_evalreport" / "book.json", json.dumps(BOOK))
    _write(source / "_evalreport" / "numbers.json", json.dumps(NUMBERS))
    _write(source / "book" / "clauses.md", _clauses())
    for table in tables():
        _write(source / "_evalreport" / "fragments" / f"{table.id}.json", json.dumps(table_fragment(table)))
    _write(source / "_extra" / "data" / "benchmark" / "leaderboard.csv", "subject_id\n")
    _figures(source)


def build(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """The strict build, as the project calls it."""
    command = [str(Path(sys.executable).parent / "jupyter-book"), "build", str(source), "-W", "-n", "--keep-going",
               "--all", "--path-output", str(out)]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
