"""Runs made for tests: one by hand, or generated with every edge of the domain in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from evalreport.core.suite import Settings, SettingValue
from evalreport.suites.benchmark.records import BenchmarkRecords, Run, Unscored

FAMILIES = ("FOUL", "OXID", "SCAL")
EDGES = (0, 9, 10, 29, 30, 59, 60, 70, 89, 90, 99, 100)


def a_run(
    case_id: str = "RO-FOUL-001",
    *,
    subject: str = "m",
    version: str = "1",
    run_id: str = "r1",
    score: int = 12,
    floor: int = 0,
    ceiling: int = 12,
    confidence: int = 80,
    halves: int = 2,
    critical: bool = False,
    recoverable: bool = False,
    benchmark_version: str = "v1.0",
) -> Run:
    """A run with this raw score, its points given to the first criteria."""
    points = [max(0, min(2, score - 2 * i)) for i in range(6)]
    return Run(
        benchmark_version,
        subject,
        version,
        case_id,
        case_id.split("-")[1],
        run_id,
        "R1",
        "",
        floor,
        ceiling,
        (points[0], points[1], points[2], points[3], points[4], points[5]),
        confidence,
        halves,
        critical,
        recoverable,
    )


def records(
    runs: Iterable[Run], unscored: Iterable[Unscored] = (), cases: Mapping[str, Sequence[str]] | None = None
) -> BenchmarkRecords:
    """What a reading of these runs gives; the cases are those of the runs unless they are named."""
    runs = tuple(runs)
    found: dict[str, tuple[str, ...]] = {}
    for version in sorted({r.benchmark_version for r in runs}):
        found[version] = tuple(sorted({r.case_id for r in runs if r.benchmark_version == version}))
    if cases is not None:
        found = {version: tuple(ids) for version, ids in cases.items()}
    return BenchmarkRecords(runs, tuple(unscored), found, (), (), ())


def settings(**changed: SettingValue) -> Settings:
    """Quick settings: few resamples and draws."""
    values: dict[str, SettingValue] = {
        "alpha": Fraction(1, 2),
        "level": Fraction(95, 100),
        "resamples": 200,
        "seed": 0,
        "min_coverage": Fraction(1),
        "null_draws": 200,
    }
    return Settings({**values, **changed})


@st.composite
def generated_runs(draw: st.DrawFn, *, least: int = 0, most: int = 12, subjects: int = 1) -> list[Run]:
    """Different runs of a few subject versions, with confidences at the edges of the bins and all kinds of fails."""
    found = []
    for i in range(draw(st.integers(least, most))):
        family = draw(st.sampled_from(FAMILIES))
        ceiling = draw(st.integers(8, 12))
        found.append(
            a_run(
                f"RO-{family}-{draw(st.integers(1, 4)):03d}",
                subject=f"m{draw(st.integers(1, subjects))}",
                run_id=f"r{i}",
                score=draw(st.integers(0, 12)),
                floor=draw(st.integers(0, min(9, ceiling))),
                ceiling=ceiling,
                confidence=draw(st.one_of(st.sampled_from(EDGES), st.integers(0, 100))),
                halves=draw(st.integers(0, 2)),
                critical=draw(st.sampled_from((False, False, False, True))),
                recoverable=draw(st.sampled_from((False, False, False, True))),
            )
        )
    return found
