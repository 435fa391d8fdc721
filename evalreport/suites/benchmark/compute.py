"""From records to results: tally, every metric, intervals, standing, comparisons. Pure; depends on nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from evalreport.core.cells import Cells
from evalreport.core.exact import Undefined, Value, number_of
from evalreport.core.intervals import Statistic, bootstrap, wilson
from evalreport.core.resample import FloatArray
from evalreport.core.standing import Place
from evalreport.core.suite import Interval, Settings
from evalreport.suites.benchmark import metrics, metrics_pairs, metrics_runs
from evalreport.suites.benchmark.calibration import bins, ece_null, null_band
from evalreport.suites.benchmark.compare import Draws, pairs, separable_composites, standing
from evalreport.suites.benchmark.labels import LABELS, sample_size_label
from evalreport.suites.benchmark.records import BenchmarkRecords, Run, Unscored
from evalreport.suites.benchmark.results import (
    BenchmarkResults,
    Case,
    CommonRow,
    CommonView,
    Family,
    Sensitivity,
    Status,
    Subject,
    SubjectId,
    VersionResults,
)
from evalreport.suites.benchmark.sensitivity import ranks, sensitivity
from evalreport.suites.benchmark.tally import CASE_SUMS, GAPS, SUBJECT, tallied

OVER_CELLS = {
    "n_runs": metrics_runs.n_runs,
    "n_pass": metrics_runs.n_pass,
    "n_conditional": metrics_runs.n_conditional,
    "n_fail": metrics_runs.n_fail,
    "n_critical_fails": metrics_runs.n_critical_fails,
    "n_recoverable_fails": metrics_runs.n_recoverable_fails,
    "pass_rate": metrics.pass_rate,
    "mean_clipped_score": metrics.mean_clipped_score,
    "soft_brier": metrics.soft_brier,
    "ece": metrics.ece,
    "max_bin_gap": metrics.max_bin_gap,
    "signed_gap": metrics.signed_gap,
    "mean_correctness": metrics.mean_correctness,
    "brier_reliability": metrics.brier_reliability,
    "brier_resolution": metrics.brier_resolution,
    "brier_uncertainty": metrics.brier_uncertainty,
}
PER_FAMILY = {
    "n_runs": metrics.n_family,
    "pass_rate": metrics.pass_rate_family,
    "mean_clipped_score": metrics.mean_clipped_score_family,
}
_NOTHING = tallied([])
IN_COMMON = ("n_runs", "pass_rate", "mean_clipped_score", "soft_brier", "ece", "signed_gap")


def compute(records: BenchmarkRecords, settings: Settings) -> BenchmarkResults:
    """Every number of the suite for these records and settings."""
    versions = sorted(
        {*records.cases, *(r.benchmark_version for r in records.runs), *(u.benchmark_version for u in records.unscored)}
    )
    return BenchmarkResults(
        settings, tuple(_version(v, records, settings) for v in versions), tuple(sorted(records.registry))
    )


def _version(version: str, records: BenchmarkRecords, settings: Settings) -> VersionResults:
    runs: dict[SubjectId, list[Run]] = {}
    for run in records.runs:
        if run.benchmark_version == version:
            runs.setdefault((run.subject_id, run.subject_version), []).append(run)
    unscored: dict[SubjectId, list[Unscored]] = {}
    for response in records.unscored:
        if response.benchmark_version == version:
            unscored.setdefault((response.subject_id, response.subject_version), []).append(response)
    everything = tallied([r for own in runs.values() for r in own])
    cells = {_subject_id(label): part for label, part in everything.runs.split(*SUBJECT)}
    by_case = {_subject_id(label): part for label, part in everything.cases.split(*SUBJECT)}
    no_runs, no_cases = (c.by(*c.keys[len(SUBJECT) :]) for c in (_NOTHING.runs, _NOTHING.cases))
    cases = tuple(sorted(records.cases.get(version, ())))
    subjects = [
        _subject(
            version,
            subject,
            sorted(runs.get(subject, []), key=_run_order),
            tuple(sorted(unscored.get(subject, []), key=lambda u: (u.case_id, u.run_id))),
            cells.get(subject, no_runs),
            by_case.get(subject, no_cases),
            len(cases),
            settings,
        )
        for subject in sorted({*runs, *unscored})
    ]
    composites = {s.id: number_of(s.values["q_final"]) for s in subjects if s.status == "Eligible"}
    rank = ranks(composites)
    draws = Draws(
        settings.fraction("level"),
        settings.integer("resamples"),
        settings.integer("seed"),
        settings.fraction("alpha"),
    )
    compared = pairs(version, by_case, draws)
    place = standing(composites, compared, draws.level)
    ranked = tuple(
        replace(s, rank=rank.get(s.id), values={**s.values, **_place(s, rank.get(s.id), place.get(s.id))})
        for s in subjects
    )
    return VersionResults(
        version,
        cases,
        ranked,
        compared,
        _sensitivity(ranked),
        _common(ranked, draws.alpha),
        separable_composites(frozenset(composites), compared),
    )


def _place(subject: Subject, rank: int | None, place: Place | None) -> dict[str, Value]:
    """The rank and what the cases leave open about it, or why there is none."""
    if rank is None or place is None:
        return dict.fromkeys(("rank", "rank_low", "rank_high", "tie_group"), _unranked(subject))
    return {
        "rank": rank,
        "rank_low": metrics_pairs.rank_low(place),
        "rank_high": metrics_pairs.rank_high(place),
        "tie_group": metrics_pairs.tie_group(place),
    }


def _subject(
    version: str,
    subject: SubjectId,
    runs: Sequence[Run],
    unscored: tuple[Unscored, ...],
    cells: Cells,
    by_case: Cells,
    n_cases_total: int,
    settings: Settings,
) -> Subject:
    level, seed = settings.fraction("level"), settings.integer("seed")
    values: dict[str, Value] = {key: metric(cells) for key, metric in OVER_CELLS.items()}
    values["q_final"] = metrics.q_final(values["pass_rate"], values["mean_clipped_score"], settings.fraction("alpha"))
    values["disqualified"] = metrics_runs.disqualified(metrics_runs.n_critical_fails(cells))
    values["n_unscored"] = metrics_runs.n_unscored(unscored)
    values["n_cases"] = metrics_runs.n_cases(by_case)
    values["coverage"] = metrics_runs.coverage(len(by_case), n_cases_total)
    band = null_band(cells, draws=settings.integer("null_draws"), seed=seed)
    values["ece_null"] = ece_null(band)
    n = cells.total
    intervals = _intervals(cells, by_case, settings)
    if band is not None:
        intervals["ece_null"] = band.interval(n)
    return Subject(
        version,
        *subject,
        status=_status(values, settings.fraction("min_coverage")),
        rank=None,
        values=values,
        intervals=intervals,
        labels={key: sample_size_label(key, n) for key in LABELS if n},
        null=band,
        bins=bins(cells, level),
        families=tuple(
            Family(
                str(family),
                {key: metric(part) for key, metric in PER_FAMILY.items()},
                metrics_runs.n_conditional(part),
                metrics_runs.n_fail(part),
                metrics_runs.n_pass(part),
                sample_size_label("family", n),
            )
            for (family,), part in cells.split("family")
        ),
        cases=_cases(runs),
        runs=tuple(runs),
        classes=tuple(metrics_runs.classification(r) for r in runs),
        unscored=unscored,
        n_cases_total=n_cases_total,
    )


def _status(values: Mapping[str, Value], min_coverage: Fraction) -> Status:
    """Why a subject version is ranked or not; a critical fail says more than missing cases do."""
    covered = values["coverage"]
    if values["n_runs"] == 0:
        return "NoData"
    if values["disqualified"] == 1:
        return "Disqualified"
    return "Eligible" if not isinstance(covered, Undefined) and covered >= min_coverage else "Incomplete"


def _intervals(cells: Cells, by_case: Cells, settings: Settings) -> dict[str, Interval]:
    """Intervals over cases; for the pass rate Wilson's when every case has one run, for those are independent."""
    level, alpha = settings.fraction("level"), float(settings.fraction("alpha"))
    sums = np.stack([by_case.n, *(by_case[s] for s in CASE_SUMS)], axis=1) if len(by_case) else np.zeros((0, 4))
    found = bootstrap(
        sums.astype(np.int64),
        _statistics(alpha),
        ids=map(str, by_case.labels("case_id")),
        level=level,
        resamples=settings.integer("resamples"),
        seed=settings.integer("seed"),
        purpose="cases",
    )
    named = {key: replace(interval, method="percentile bootstrap over cases") for key, interval in found.items()}
    if cells.total == len(by_case):
        named["pass_rate"] = wilson(metrics_runs.n_pass(cells), cells.total, level)
    return named


def _statistics(alpha: float) -> dict[str, Statistic]:
    first_gap = 1 + CASE_SUMS.index(GAPS[0])

    def passed(total: FloatArray) -> FloatArray:
        ratio: FloatArray = total[:, 1] / total[:, 0]
        return ratio

    def score(total: FloatArray) -> FloatArray:
        ratio: FloatArray = total[:, 2] / total[:, 0]
        return ratio

    def brier(total: FloatArray) -> FloatArray:
        ratio: FloatArray = total[:, 3] / (100**2 * total[:, 0])
        return ratio

    def calibration(total: FloatArray) -> FloatArray:
        ratio: FloatArray = np.abs(total[:, first_gap:]).sum(axis=1) / (100 * total[:, 0])
        return ratio

    def gap(total: FloatArray) -> FloatArray:
        ratio: FloatArray = total[:, first_gap:].sum(axis=1) / (100 * total[:, 0])
        return ratio

    def composite(total: FloatArray) -> FloatArray:
        return alpha * passed(total) + (1 - alpha) * (score(total) / metrics.FULL_SCORE)

    return {
        "pass_rate": passed,
        "mean_clipped_score": score,
        "soft_brier": brier,
        "ece": calibration,
        "signed_gap": gap,
        "q_final": composite,
    }


def _cases(runs: Sequence[Run]) -> tuple[Case, ...]:
    by_case: dict[str, list[Run]] = {}
    for run in runs:
        by_case.setdefault(run.case_id, []).append(run)
    return tuple(
        Case(
            case_id,
            own[0].family,
            tuple(own),
            tuple(metrics_runs.classification(r) for r in own),
            Fraction(sum(r.clipped for r in own), len(own)),
        )
        for case_id, own in sorted(by_case.items())
    )


def _sensitivity(subjects: Sequence[Subject]) -> Sensitivity:
    ranked = [s for s in subjects if s.rank is not None]
    return sensitivity(
        {s.id: number_of(s.values["pass_rate"]) for s in ranked},
        {s.id: number_of(s.values["mean_clipped_score"]) / metrics.FULL_SCORE for s in ranked},
    )


def _common(subjects: Sequence[Subject], alpha: Fraction) -> CommonView:
    """All that have runs over the cases all of them have; the ranks leave out who is disqualified."""
    scored = [s for s in subjects if s.runs]
    shared = set.intersection(*({c.case_id for c in s.cases} for s in scored)) if scored else set()
    rows = []
    for subject in scored:
        cells = tallied([r for r in subject.runs if r.case_id in shared]).runs
        values: dict[str, Value] = {key: OVER_CELLS[key](cells) for key in IN_COMMON}
        values["q_final"] = metrics.q_final(values["pass_rate"], values["mean_clipped_score"], alpha)
        rows.append(CommonRow(subject.id, None, values))
    out = {s.id for s in scored if s.status == "Disqualified"}
    rank = ranks({r.subject: number_of(r.values["q_final"]) for r in rows if r.subject not in out} if shared else {})
    ordered = sorted(rows, key=lambda r: (r.subject not in rank, rank.get(r.subject, 0), r.subject))
    return CommonView(tuple(sorted(shared)), tuple(replace(r, rank=rank.get(r.subject)) for r in ordered))


def _unranked(subject: Subject) -> Undefined:
    why = {
        "NoData": "no scored runs",
        "Disqualified": "disqualified by a critical fail",
        "Incomplete": f"scored on {subject.n_cases} of {subject.n_cases_total} cases",
    }
    return Undefined(why.get(subject.status, "not ranked"))


def _subject_id(label: Sequence[int | str]) -> SubjectId:
    return str(label[1]), str(label[2])


def _run_order(run: Run) -> tuple[str, str, str]:
    return run.case_id, run.run_id, run.reviewer_id
