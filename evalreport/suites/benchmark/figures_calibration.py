"""The figures of calibration: what was said against what came true. Loaded by notebooks only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from evalreport.charts import calibration
from evalreport.charts.bars import HistogramBin, histogram
from evalreport.charts.figure import Canvas, Figure, Panel
from evalreport.core.exact import Undefined, csv_text, fixed, number_of
from evalreport.core.suite import CsvTable
from evalreport.core.words import limits, limits_text, many, percent, printed
from evalreport.suites.benchmark.figure_words import FULL_PERCENT, figure_id, names_of, settings_text, span
from evalreport.suites.benchmark.pages import subject_slug
from evalreport.suites.benchmark.results import BenchmarkResults, Bin, Subject, VersionResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


def reliability(results: BenchmarkResults, subject: Subject) -> Figure:
    """The reliability diagram of one subject version, with the histogram of confidence and the ECE on its null band."""
    name = names_of([subject.id])[subject.id]
    level = percent(results.settings.fraction("level"))
    drawn = _reliability(subject, name)
    place = subject.null.place(subject.values["ece"]) if subject.null else "undefined"
    finding = {
        "above": "The gaps are larger than luck explains.",
        "inside": "The gaps are no larger than luck alone would make them.",
        "below": "The gaps are smaller than luck alone would make them.",
        "undefined": "There is nothing to draw yet: no runs are scored.",
    }[place]
    text = (
        f"{name}, N = {subject.n}. Mean correctness against mean stated confidence of each bin; empty bins are not"
        f" drawn. Vertical lines: Wilson {level}, half-right runs rounded outwards. Shaded: the gap to the diagonal."
        " Below: runs in each bin, and the ECE on the band that a perfectly calibrated subject with the same"
        " confidences would reach in 90 % of draws."
    )
    if not subject.n:
        text = f"{name}: {many(len(subject.unscored), 'response')} without a scoring."
    alt = f"Reliability diagram of {name}, {many(subject.n, 'run')}. " + (
        _bins_in_words(subject) or "Nothing is drawn."
    )
    return Figure(
        id=figure_id(results, subject.benchmark_version, "reliability", *subject.id),
        finding=finding,
        text=text,
        alt=alt,
        data=_bin_table([subject]),
        settings=settings_text(results, "level", "null_draws", "seed"),
        sizes=("column",),
        names=(name,),
        draw=lambda canvas: calibration.reliability_diagram(canvas, drawn),
    )


def reliability_overview(results: BenchmarkResults, version: VersionResults) -> Figure:
    """All reliability diagrams of a benchmark version as small multiples; each leads to the page of its subject."""
    subjects = version.leaderboard
    names = names_of(s.id for s in subjects)
    drawn = {s.id: _reliability(s, names[s.id]) for s in subjects}
    limit = calibration.axis_limit([d.band for d in drawn.values()])
    scored = [s for s in subjects if s.n]
    above = [s for s in scored if s.null and s.null.place(s.values["ece"]) == "above"]
    verb = "is" if len(above) == 1 else "are"
    finding = (
        f"{len(above)} of {many(len(scored), 'version')} {verb} further off than luck explains."
        if scored
        else "No version has scored runs."
    )
    ident = figure_id(results, version.benchmark_version, "reliability-overview")

    def panel(s: Subject) -> Panel:
        small = drawn[s.id]
        return Panel(
            id=figure_id(results, version.benchmark_version, "reliability-small", *s.id),
            title=names[s.id],
            subtitle=small.note,
            alt=f"{names[s.id]}: {small.note or small.empty}. {_bins_in_words(s)}".strip(),
            href=f"benchmark/subject/{subject_slug(results, s)}",
            draw=lambda canvas: calibration.small_reliability(canvas, small, limit=limit),
        )

    return Figure(
        id=ident,
        finding=finding,
        text=(
            "Mean correctness against stated confidence, one panel a version; small figures on top are the runs in the"
            f" bin, empty bins are not drawn. Vertical lines: Wilson {percent(results.settings.fraction('level'))}."
            " Shaded: the gap to the diagonal. Below each: the ECE (diamond, orange when above) on its null band (grey,"
            " 5–95 %), the ECE that a perfectly calibrated subject with the same confidences would get."
        ),
        alt=f"{many(len(subjects), 'reliability diagram')}. {finding}",
        data=_bin_table(subjects),
        settings=settings_text(results, "level", "null_draws", "seed"),
        sizes=("page",),
        names=tuple(names.values()),
        panels=tuple(panel(s) for s in subjects),
        draw=lambda canvas: calibration.reliability_overview(canvas, [drawn[s.id] for s in subjects]),
    )


def confidences(results: BenchmarkResults, subject: Subject) -> Figure:
    """How often a subject version stated which confidence."""
    name = names_of([subject.id])[subject.id]
    bins = [HistogramBin(b.low, b.high, b.n) for b in subject.bins]
    stated = {r.confidence for r in subject.runs}
    finding = (
        f"{many(len(stated), 'different confidence')} in {many(subject.n, 'run')}."
        if subject.n
        else "There is nothing to draw yet: no runs are scored."
    )
    ticks = [(float(p), str(p)) for p in range(0, FULL_PERCENT + 1, 20)]

    def draw(canvas: Canvas) -> Drawing:
        return histogram(canvas, bins, label="stated confidence, %", unit="runs", ticks=ticks)

    return Figure(
        id=figure_id(results, subject.benchmark_version, "confidences", *subject.id),
        finding=finding,
        text=f"{name}: runs by stated confidence in tenths, the last one with 100 %; empty tenths are not drawn.",
        alt=f"Histogram of {name}: {', '.join(f'{span(b)} %: {b.n}' for b in subject.bins if b.n) or 'nothing'}.",
        data=CsvTable(
            "confidences", ("bin", "n"), tuple((span(b), str(b.n)) for b in subject.bins if b.n)
        ),
        settings=settings_text(results),
        names=(name,),
        draw=draw,
    )  # fmt: skip


def _reliability(subject: Subject, name: str) -> calibration.Reliability:
    waiting = len(subject.unscored)
    if not subject.n or subject.null is None:
        note = f"{many(waiting, 'response')} await scoring" if waiting else ""
        return calibration.Reliability(
            name, (), note="no data", empty_note=note.replace("response await", "response awaits")
        )
    ece, band = subject.values["ece"], subject.null
    above = band.place(ece) == "above"
    return calibration.Reliability(
        name,
        tuple(_bin(b) for b in subject.bins if b.n),
        calibration.NullBand(float(number_of(ece)), float(band.mean), float(band.low), float(band.high), printed(ece)),
        note=f"ECE {printed(ece)}" + (" · above null band" if above else ""),
    )


def _bin(b: Bin) -> calibration.Bin:
    last = b.high == FULL_PERCENT
    confidence, correctness = float(number_of(b.confidence)), float(number_of(b.correctness))
    whiskers = limits(b.interval) or (correctness, correctness)
    return calibration.Bin(b.low, b.high if last else b.high - 1, b.n, confidence, correctness, whiskers)


def _bin_table(subjects: Sequence[Subject]) -> CsvTable:
    return CsvTable(
        "reliability",
        ("subject_id", "subject_version", "bin", "n", "mean_confidence", "mean_correctness", "low", "high"),
        tuple(
            (*s.id, span(b), str(b.n), csv_text(b.confidence), csv_text(b.correctness), *limits_text(b.interval))
            for s in subjects
            for b in s.bins
            if b.n
        ),
    )


def _bins_in_words(subject: Subject) -> str:
    parts = [
        f"{span(b)} %: correctness {fixed(Fraction(b.correctness), 2)} of {b.n}"
        for b in subject.bins
        if b.n and not isinstance(b.correctness, Undefined)
    ]
    return "; ".join(parts) + "." if parts else ""
