"""What the audit checks: each published number beside its printed formula over the records it was made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from evalreport.core.declare import Metric
from evalreport.core.exact import Value, fixed
from evalreport.core.formula import Evaluation, Set, Symbol, Weighted
from evalreport.core.suite import AuditEntry, CsvTable, Ids, RecordTable
from evalreport.suites.benchmark.metrics import BINS
from evalreport.suites.benchmark.metrics_runs import classification
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.records import Run
from evalreport.suites.benchmark.results import BenchmarkResults, Pair, Subject, SubjectId, VersionResults
from evalreport.suites.benchmark.values import bin_ids, family_ids, pair_ids, subject_ids

# Above this many runs equal ones are merged, each with how often it occurs; the value is the same.
IN_FULL = 100_000
SHOWN = 1_000

Cell = Callable[[Run], str]
# The columns of the records behind a number, each shown when its formula reads one of these symbols.
COLUMNS: tuple[tuple[str, tuple[str, ...], Cell], ...] = (
    ("Case", (), lambda r: r.case_id),
    ("Run", (), lambda r: r.run_id),
    ("Class", (r"\mathrm{class}_r",), classification),
    ("Clipped score", ("s_r",), lambda r: str(r.clipped)),
    ("Confidence", ("c_r",), lambda r: fixed(Fraction(r.confidence, 100), 2)),
    ("Correctness", ("y_r",), lambda r: fixed(Fraction(r.halves, 2), 1)),
    ("Family", (r"\mathrm{family}_r",), lambda r: r.family),
    ("Criterion scores", ("q_{r,j}",), lambda r: " ".join(map(str, r.criteria))),
    ("Floor", (r"\mathrm{floor}_r",), lambda r: str(r.floor)),
    ("Ceiling", (r"\mathrm{ceil}_r",), lambda r: str(r.ceiling)),
    ("Critical fail", ("k_r",), lambda r: "yes" if r.critical else "no"),
    ("Recoverable fail", ("v_r",), lambda r: "yes" if r.recoverable else "no"),
    ("Reviewer", (), lambda r: r.reviewer_id),
)


def audit(results: BenchmarkResults) -> Iterator[AuditEntry]:
    """One entry for each published number that has a formula: subject versions, families, bins, pairs."""
    for s in results.subjects:
        yield from subject_audit(results, s)
    for version in results.versions:
        yield from pair_audit(results, version)


def subject_audit(results: BenchmarkResults, s: Subject) -> Iterator[AuditEntry]:
    """The entries of one subject version: its own numbers, those of its families and of its bins."""
    yield from _subject(s, results.settings.fraction("alpha"), several=results.several_versions)


def pair_audit(
    results: BenchmarkResults, version: VersionResults, *, first: SubjectId | None = None
) -> Iterator[AuditEntry]:
    """The entries of the pairs of a benchmark version, or only of those in which one subject version comes first."""
    pairs = [p for p in version.pairs if first in (None, p.a)]
    yield from _pairs(version, pairs, results.settings.fraction("alpha"), several=results.several_versions)


def _subject(s: Subject, alpha: Fraction, *, several: bool) -> Iterator[AuditEntry]:
    over = subject_evaluation(s, alpha)
    tables: dict[tuple[str, tuple[str, ...]], RecordTable] = {}

    def entry(key: str, ids: Ids, value: Value, args: tuple[object, ...], runs: Sequence[Run], part: str) -> AuditEntry:
        metric = bench.metrics[f"benchmark.{key}"]
        used = _used(metric)
        columns = tuple(name for name, symbols, _ in COLUMNS if not symbols or used & {*symbols})
        if (part, columns) not in tables:
            tables[part, columns] = record_table(runs, columns)
        return AuditEntry(metric, ids, value, over, args, tables[part, columns], _settings(used))

    for key, value in s.values.items():
        if bench.metrics[f"benchmark.{key}"].formula is not None:
            yield entry(key, subject_ids(s, several=several), value, (), s.runs, "")
    for f in s.families:
        runs = [r for r in s.runs if r.family == f.family]
        for key, value in f.values.items():
            yield entry(f"family.{key}", family_ids(s, f, several=several), value, (f.family,), runs, f"f{f.family}")
    for b in s.bins:
        ids, members = bin_ids(s, b.number, several=several), over.value("B_m", b.number)
        runs = [r for r in s.runs if b.low <= r.confidence < b.high or r.confidence == b.high == 100]
        yield entry("bin.n", ids, b.n, (b.number,), runs, f"b{b.number}")
        yield entry("bin.confidence", ids, b.confidence, (members,), runs, f"b{b.number}")
        yield entry("bin.correctness", ids, b.correctness, (members,), runs, f"b{b.number}")


def subject_evaluation(s: Subject, alpha: Fraction) -> Evaluation:
    """The formulas over the runs of one subject version."""
    return bench.notation().over(
        {
            "R": weighted(s.runs) if len(s.runs) > IN_FULL else s.runs,
            "U": s.unscored,
            "K": s.n_cases_total,
            r"\alpha": alpha,
            "M": BINS,
        }
    )


def weighted(runs: Sequence[Run]) -> Weighted:
    """The runs with those merged that differ only in what no formula reads."""
    counts = Counter(replace(r, run_id="", reviewer_id="", timestamp="") for r in runs)
    return Weighted(tuple(counts), tuple(counts.values()))


def _pairs(version: VersionResults, pairs: Sequence[Pair], alpha: Fraction, *, several: bool) -> Iterator[AuditEntry]:
    by_name = {subject_name(s.id): s for s in version.subjects}
    cases = {name: frozenset(c.case_id for c in s.cases) for name, s in by_name.items()}
    known: dict[tuple[str, frozenset[str]], Set] = {}

    def common_runs(a: object, b: object) -> Set:
        name, shared = str(a), cases[str(a)] & cases[str(b)]
        if (name, shared) not in known:
            known[name, shared] = Set.of(tuple(r for r in by_name[name].runs if r.case_id in shared))
        return known[name, shared]

    over = bench.notation().over({"R_{a,b}": common_runs, r"\alpha": alpha, "M": BINS})
    for p in pairs:
        args = (subject_name(p.a), subject_name(p.b))
        for key, d in p.differences.items():
            metric = bench.metrics[f"benchmark.pair.{key}"]
            yield AuditEntry(
                metric, pair_ids(p, several=several), d.value, over, args, settings=_settings(_used(metric))
            )


def subject_name(subject: SubjectId) -> str:
    """A subject version as one text, for the arguments of formulas; two are never the same."""
    return f"{subject[0]} {subject[1]} ({len(subject[0])})"


def record_table(runs: Sequence[Run], columns: Sequence[str]) -> RecordTable:
    """The first runs with these columns, in the order in which the formula adds them."""
    cells = [cell for name, _, cell in COLUMNS if name in columns]
    rows = tuple(tuple(cell(r) for cell in cells) for r in runs[:SHOWN])
    return RecordTable(tuple(name for name, _, _ in COLUMNS if name in columns), rows, len(runs))


def all_records(s: Subject) -> CsvTable:
    """Every run of a subject version with everything that any formula reads."""
    rows = tuple(tuple(cell(r) for _, _, cell in COLUMNS) for r in s.runs)
    return CsvTable("records", tuple(name for name, _, _ in COLUMNS), rows)


def _used(metric: Metric) -> frozenset[str]:
    """The heads of all symbols that a formula reads, directly or through other formulas."""
    ahead: list[Symbol] = [bench.notation().symbol(metric.symbol)]
    found: set[str] = set()
    while ahead:
        symbol = ahead.pop()
        if symbol.head not in found:
            found.add(symbol.head)
            ahead += symbol.uses
    return frozenset(found)


def _settings(used: frozenset[str]) -> tuple[str, ...]:
    return ("alpha",) if r"\alpha" in used else ()
