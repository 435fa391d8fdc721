"""An audit line as a reader meets it: what is printed, what is linked, what is escaped, what is not claimed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from lxml import html as lxml_html

from evalreport.core.exact import Undefined
from evalreport.core.suite import AuditEntry, Interval, RecordTable
from evalreport.core.table import Badge, Column, Missing, Text
from evalreport.report.audit import audit_line
from evalreport.report.ledger import (
    AuditContext,
    Audited,
    compared,
    interval_text,
    ledger_parts,
    series_formulas,
    series_table,
)
from evalreport.report.parts import filled
from evalreport.suites.benchmark.calibration import ece_null
from evalreport.suites.benchmark.compute import compute
from evalreport.suites.benchmark.evidence import subject_evaluation
from evalreport.suites.benchmark.notation import bench
from tests.suites.benchmark.made import a_run, records, settings

HOSTILE = '<script>alert("x")</script>'
CONTEXT = AuditContext("benchmark", {"alpha": "0.5", "level": "0.95"}, "ab" * 32)
RUNS = [a_run(f"RO-FOUL-{i:03d}", score=12 if i % 3 else 4) for i in range(1, 10)]
ROWS = RecordTable(("Case", "Class"), tuple((HOSTILE if i == 0 else f"case {i}", "Pass") for i in range(9)), 9)


def entry(key: str = "pass_rate", rows: RecordTable | None = ROWS) -> AuditEntry:
    (subject,) = compute(records(RUNS), settings()).subjects
    of = (("subject_id", HOSTILE), ("subject_version", "1"))
    over = subject_evaluation(subject, Fraction(1, 2))
    return AuditEntry(bench.metrics[f"benchmark.{key}"], of, subject.values[key], over, (), rows, ("alpha",))


def audited(rows: RecordTable | None = ROWS, **changed: object) -> Audited:
    line = audit_line(entry(rows=rows))
    words: dict[str, object] = {
        "metric": line.metric, "of": line.of, "value": line.value, "anchor": "number-pass-rate", "n": 9, "line": line,
        "label": "Reasonable", "records": "data/audit/x.csv", "settings": ("alpha",), **changed,
    }  # fmt: skip
    return Audited(**words)  # type: ignore[arg-type]


def page(number: Audited) -> lxml_html.HtmlElement:
    html = filled(ledger_parts(number, CONTEXT), formula=lambda latex: f"<i>{len(latex)}</i>", address=str)
    return lxml_html.fromstring(f"<section>{html}</section>")


def rows_of(ledger: lxml_html.HtmlElement) -> dict[str, str]:
    heads = [head.text_content() for head in ledger.xpath("div/dl/dt")]
    return dict(zip(heads, (body.text_content() for body in ledger.xpath("div/dl/dd")), strict=True))


def test_a_ledger_has_all_its_lines_in_order() -> None:
    assert list(rows_of(page(audited()))) == [
        *("Clause", "Formula", "Numbers put in", "Two values", "Records", "Settings", "Hashes", "Recompute"),
    ]


def test_the_number_is_printed_with_its_declared_decimals_and_both_values_unrounded() -> None:
    ledger = page(audited())
    # runs 3, 6 and 9 of nine fail: six pass
    assert ledger.xpath("string(.//*[@class='er-big-n'])") == "0.6667"
    assert ledger.xpath(".//div[@class='er-check']//b/text()") == ["2/3", "2/3"]
    assert "agree exactly" in rows_of(ledger)["Two values"]


def test_the_first_records_are_shown_and_the_file_has_all() -> None:
    ledger = page(audited())
    assert len(ledger.xpath(".//tbody/tr")) == 6
    assert "6 of 9 records" in rows_of(ledger)["Records"]
    assert ledger.xpath(".//a[@href='data/audit/x.csv']/text()") == ["All 9 as CSV"]


def test_records_that_were_cut_still_tell_how_many_there_are() -> None:
    cut = RecordTable(ROWS.columns, ROWS.rows[:7], 120_000)
    assert "6 of 120,000 records" in rows_of(page(audited(rows=cut)))["Records"]


def test_names_of_strangers_are_text() -> None:
    ledger = page(audited())
    assert ledger.xpath(".//script") == []
    assert HOSTILE in rows_of(ledger)["Records"]
    assert HOSTILE in rows_of(ledger)["Recompute"]


def test_the_command_names_only_the_settings_the_number_depends_on() -> None:
    assert rows_of(page(audited()))["Recompute"].startswith(
        "evalreport compute benchmark DATA --out OUT --alpha 0.5then benchmark.pass_rate of"
    )
    bare = rows_of(page(audited(settings=())))
    assert bare["Settings"] == "none: this number depends on no setting"
    assert "--" not in bare["Recompute"].replace("--out OUT", "")


def test_the_exact_value_in_the_file_is_named() -> None:
    assert rows_of(page(audited()))["Recompute"].endswith("in results.json is 2/3")


def test_the_command_gives_switches_without_a_value_leaves_out_what_is_not_set_and_quotes_the_rest() -> None:
    given = {"weights": "false", "partial": "true", "cluster": "", "column": "map sheet"}
    parts = ledger_parts(audited(settings=tuple(given)), AuditContext("benchmark", given, "ab" * 32))
    html = filled(parts, formula=lambda latex: f"<i>{len(latex)}</i>", address=str)
    text = lxml_html.fromstring(f"<section>{html}</section>").text_content()
    assert "--out OUT --no-weights --partial --column 'map sheet'" in text
    assert "--cluster" not in text


def test_a_root_is_shown_with_the_decimals_it_was_compared_by() -> None:
    line = audited().line
    assert line is not None
    third = replace(line, value=Fraction(1, 3), formula_value=Fraction(10**40, 3 * 10**40 + 1), exact=False)
    assert compared(third, third.formula_value) == "0.333333333333…"
    assert compared(replace(third, exact=True), third.value) == "1/3"


def test_no_value_is_a_dash_with_its_reason() -> None:
    nothing = page(audited(value=Undefined("no scored runs"), label=""))
    assert nothing.xpath("string(p[@class='er-big'])").strip() == "– no value: no scored runs"
    assert rows_of(nothing)["Recompute"].endswith("is null")


def test_a_number_without_a_formula_says_what_it_is_checked_by() -> None:
    metric = bench.metrics["benchmark.ece_null"]
    assert metric.function is ece_null
    lines = rows_of(page(audited(metric=metric, line=None, value=Fraction(1, 8))))
    assert list(lines) == ["Clause", "Checked by", "Settings", "Hashes", "Recompute"]
    assert lines["Checked by"] == metric.reference


def test_an_interval_says_level_method_and_what_is_odd_about_it() -> None:
    found = Interval(Fraction(-1, 8), Fraction(1, 8), Fraction(9, 10), "Wilson", 3, note="degenerate")
    assert interval_text(found, 3) == "90 % interval −0.125 to 0.125 (Wilson, degenerate)"
    assert interval_text(Interval(None, None, Fraction(9, 10), "none", 1), 3) == ""


def test_a_series_prints_its_formula_once_and_a_row_for_each_number() -> None:
    one, two = audited(anchor="a"), audited(anchor="b")
    formulas = filled(series_formulas([one.metric]), formula=str, address=str)
    assert formulas.count("<dt>Pass rate</dt>") == 1
    table = series_table("s", [((Text("x"),), one), ((Text("y"),), two)], (Column("f", "F"),), finding="Two.", text="")
    rows = list(table.rows())
    assert [row.anchor for row in rows] == ["a", "b"]
    assert rows[0].cells[-1] == Badge("plain", "✓ exactly")


def test_a_series_has_a_group_of_rows_for_each_kind_of_number() -> None:
    rate, score = audited(anchor="a"), audited(anchor="b", name="Mean")
    numbers = [((Text("x"),), rate), ((Text("x"),), score), ((Text("y"),), audited(anchor="c"))]
    table = series_table("s", numbers, (Column("f", "F"),), finding="Three.", text="")
    assert [(g.title, [row.anchor for row in g.rows]) for g in table.groups] == [
        ("Pass rate", ["a", "c"]),
        ("Mean", ["b"]),
    ]


def test_a_series_without_formulas_says_what_it_is_checked_by() -> None:
    printed = filled(series_formulas([bench.metrics["benchmark.pair.p_value"]]), formula=str, address=str)
    assert "<dt>p-value of a difference</dt>" in printed
    assert "Checked against a reference: tails of resamples counted by hand." in printed


def test_an_undefined_number_of_a_series_has_no_value_in_any_column() -> None:
    nothing = audited(value=Undefined("no run in this bin"))
    (row,) = series_table("s", [((), nothing)], (), finding="One.", text="").rows()
    assert row.cells[2] == Missing("no run in this bin")


def test_a_series_needs_formulas() -> None:
    with pytest.raises(ValueError, match=r"benchmark\.pass_rate is checked by a reference"):
        series_table("s", [((), audited(line=None))], (), finding="One.", text="")
