"""The audit page of a subject version: every number of its own, of its families, bins and pairs, with its records."""

from __future__ import annotations

from collections.abc import Sequence

from evalreport.core.suite import CsvTable
from evalreport.core.table import Cell, Column, Count, Num, Row, RowGroup, Table, Text
from evalreport.core.words import limits_words, many
from evalreport.report.audit import AuditLine, audit_lines
from evalreport.report.ledger import Audited, series_formulas
from evalreport.report.pages import Page, records_address
from evalreport.suites.benchmark.evidence import all_records, pair_audit, subject_audit
from evalreport.suites.benchmark.figure_words import span
from evalreport.suites.benchmark.pages import number_anchor, subject_slug
from evalreport.suites.benchmark.results import BenchmarkResults, Pair, Subject, VersionResults
from evalreport.suites.benchmark.values import TESTS, difference_ids, pair_ids, subject_ids
from evalreport.suites.benchmark.views.cells import metric, named

HEADLINE = ("q_final", "pass_rate", "mean_clipped_score", "soft_brier", "ece", "ece_null", "signed_gap", "max_bin_gap")
FURTHER = (
    *("mean_correctness", "brier_reliability", "brier_resolution", "brier_uncertainty"),
    *("rank", "rank_low", "rank_high", "tie_group", "disqualified"),
)
COUNTED = (
    *("n_runs", "n_pass", "n_conditional", "n_fail", "n_critical_fails", "n_recoverable_fails", "n_unscored"),
    *("n_cases", "coverage"),
)
OF_INTERVAL = ("level", "resamples", "seed")
# Settings of the numbers that are checked by a reference.
OF_RANK = ("alpha", "min_coverage")
OF_REFERENCE = {
    "ece_null": ("null_draws", "seed"),
    "rank": OF_RANK,
    **dict.fromkeys(("rank_low", "rank_high", "tie_group"), (*OF_RANK, *OF_INTERVAL)),
}


def own_numbers(results: BenchmarkResults, subject: Subject) -> list[Audited]:
    """The ledgers of a subject version in reading order: headline, what it is made of, counts."""
    lines = _lines(results, subject)
    return [_own(results, subject, key, lines.get(key)) for key in (*HEADLINE, *FURTHER, *COUNTED)]


def records(subject: Subject) -> CsvTable:
    """All records behind the numbers of a subject version."""
    return all_records(subject)


def show_series(page: Page[BenchmarkResults], subject: Subject) -> None:
    """Show the numbers of families, bins and pairs of a subject version, each under its heading."""
    results, slug = page.results, subject_slug(page.results, subject)
    lines = audit_lines(subject_audit(results, subject))
    by_family = [(_family_cells(line), _series(line)) for line in lines if ".family." in line.metric.key]
    by_bin = [(_bin_cells(subject, line), _series(line)) for line in lines if ".bin." in line.metric.key]
    if by_family:
        page.markdown("## Families")
        page.audit_series(
            by_family,
            (Column("family", "Family", sticky=True),),
            name=f"benchmark-audit-families-{slug}",
            finding=f"{many(len(by_family), 'number')} of families, each equal to its formula.",
        )
    if subject.runs:
        page.markdown("## Confidence bins")
        page.audit_series(
            sorted(by_bin, key=lambda item: (int(dict(item[1].of)["bin"]), item[1].metric.key)),
            (Column("bin", "Bin", "%", sticky=True),),
            name=f"benchmark-audit-bins-{slug}",
            finding=f"{many(len(by_bin), 'number')} of bins, each equal to its formula.",
            text="An empty bin has no mean.",
        )
    pairs = pair_numbers(results, subject)
    if pairs:
        page.markdown("## Pairs")
        page.audit_series(
            pairs,
            (Column("other", "Minus", "version", sticky=True),),
            name=f"benchmark-audit-pairs-{slug}",
            finding=f"{many(len(pairs), 'difference')}, each equal to its formula.",
            text="This version minus another, over their common cases. A pair stands on the page of the version that"
            " comes first by name.",
        )
        page.markdown("## Tests of the differences")
        page.parts(f"benchmark-audit-tests-{slug}-references", series_formulas([metric(key) for key in TESTS]))
        page.table(pair_tests(results, subject))


def _family_cells(line: AuditLine) -> Sequence[Cell]:
    return (Text(dict(line.of)["family"]),)


def pair_numbers(results: BenchmarkResults, subject: Subject) -> list[tuple[Sequence[Cell], Audited]]:
    """The differences in which this version comes first."""
    version = _version_of(results, subject)
    by_id = {s.id: s for s in version.subjects}
    pairs = {pair_ids(p, several=results.several_versions): p for p in version.pairs if p.a == subject.id}
    found: list[tuple[Sequence[Cell], Audited]] = []
    for line in audit_lines(pair_audit(results, version, first=subject.id)):
        pair = pairs[line.of]
        key = line.metric.key.removeprefix("benchmark.pair.")
        audited = Audited(
            metric=line.metric,
            of=line.of,
            value=line.value,
            anchor=number_anchor(line.metric.key, line.of),
            n=_runs_of(version, pair),
            line=line,
            interval=pair.differences[key].interval,
            settings=(*line.settings, *OF_INTERVAL),
        )
        found.append(((named(results, by_id[pair.b]),), audited))
    return found


def pair_tests(results: BenchmarkResults, subject: Subject) -> Table:
    """What tests the differences in which this version comes first: checked by a reference, they have no formula."""
    version = _version_of(results, subject)
    by_id = {s.id: s for s in version.subjects}
    several = results.several_versions
    tested, drawn = [metric(key) for key in TESTS], results.settings.integer("resamples")
    pairs = [pair for pair in version.pairs if pair.a == subject.id]

    def row(pair: Pair, key: str) -> Row:
        return Row(
            (
                named(results, by_id[pair.b]),
                Count(len(pair.cases)),
                *(Num(value(pair.differences[key]), metric(test).decimals) for test, value in TESTS.items()),
            ),
            anchor=number_anchor("benchmark.pair.p_value", difference_ids(pair, key, several=several)),
        )

    kinds = dict.fromkeys(key for pair in pairs for key in pair.differences)
    return Table(
        id=f"benchmark-audit-tests-{subject_slug(results, subject)}",
        finding=f"{many(len(pairs) * len(kinds), 'difference')}, tested on {drawn:,} resamples of the common cases.",
        text="No formula over the records gives these numbers.",
        columns=(
            Column("other", "Minus", "version", sticky=True),
            Column("n", "n", "cases", align="r"),
            *(Column.of(m, sub=m.sub or ("uncorrected" if m is tested[0] else "difference")) for m in tested),
        ),
        groups=tuple(RowGroup(metric(f"pair.{key}").name, tuple(row(pair, key) for pair in pairs)) for key in kinds),
        compact=True,
    )


def _version_of(results: BenchmarkResults, subject: Subject) -> VersionResults:
    return next(v for v in results.versions if v.benchmark_version == subject.benchmark_version)


def _runs_of(version: VersionResults, pair: Pair) -> int:
    common = frozenset(pair.cases)
    return sum(r.case_id in common for s in version.subjects if s.id in (pair.a, pair.b) for r in s.runs)


def _lines(results: BenchmarkResults, subject: Subject) -> dict[str, AuditLine]:
    lines = audit_lines(subject_audit(results, subject))
    return {line.metric.key.removeprefix("benchmark."): line for line in lines}


def _own(results: BenchmarkResults, subject: Subject, key: str, line: AuditLine | None) -> Audited:
    known, of = metric(key), subject_ids(subject, several=results.several_versions)
    interval = subject.intervals.get(key) if key != "ece_null" else None
    drawn = interval is not None and interval.resamples is not None
    settings = [*(line.settings if line else ()), *OF_REFERENCE.get(key, ())]
    if interval is not None:
        settings += OF_INTERVAL if drawn else OF_INTERVAL[:1]
    remark = ""
    if key == "ece" and subject.null is not None:
        band = limits_words(subject.null.interval(subject.n), 2)
        remark = f"a perfectly calibrated subject would get {band} in 90 % of draws"
    return Audited(
        metric=known,
        of=of,
        value=subject.values[key],
        anchor=number_anchor(known.key, of),
        n=len(subject.unscored) if key == "n_unscored" else subject.n,
        line=line,
        interval=interval,
        label=subject.labels.get(key, ""),
        remark=remark,
        records=records_address("benchmark", subject_slug(results, subject)),
        settings=tuple(dict.fromkeys(settings)),
    )


def _series(line: AuditLine) -> Audited:
    return Audited(
        metric=line.metric,
        of=line.of,
        value=line.value,
        anchor=number_anchor(line.metric.key, line.of),
        n=line.records.total or 0 if line.records else 0,
        line=line,
        settings=line.settings,
    )


def _bin_cells(subject: Subject, line: AuditLine) -> Sequence[Cell]:
    number = int(dict(line.of)["bin"])
    return (Text(span(subject.bins[number - 1])),)
