"""Families as tables: passes and mean scores of every subject version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.core.table import Cell, Column, Count, Missing, Num, Row, RowGroup, Table
from evalreport.core.words import many
from evalreport.suites.benchmark.figure_words import names_of
from evalreport.suites.benchmark.results import BenchmarkResults, Family, Subject, VersionResults
from evalreport.suites.benchmark.views.cells import FILES, family_address, metric, named, of_version, table_id

Make = Callable[[Subject, Family], Cell]


def passes(results: BenchmarkResults, version: VersionResults) -> Table:
    """How many runs of each family are Pass, of how many."""

    def cell(s: Subject, f: Family) -> Cell:
        return Count(f.n_pass, f.n, family_address(results, s, f, "pass_rate"))

    spread = _spread(version)
    finding = (
        f"The share of Pass differs most between families for {spread}." if spread else "No family has scored runs."
    )
    return _by_family(
        results,
        version,
        "passes",
        finding,
        "Runs classified Pass, of the scored runs of the family. Counts, because so few runs cannot carry a percentage:"
        f" {_label(version)}. A number leads to the audit line of the share.",
        cell,
    )


def mean_scores(results: BenchmarkResults, version: VersionResults) -> Table:
    """The mean clipped score of each family."""
    usual = _usual_n(version)

    def cell(s: Subject, f: Family) -> Cell:
        key = "mean_clipped_score"
        return Num(
            f.values[key],
            metric(f"family.{key}").decimals,
            family_address(results, s, f, key),
            label="" if f.n == usual.get(f.family) else f"n {f.n}",
        )

    return _by_family(
        results,
        version,
        "mean-scores",
        _best_words(version),
        f"From 0 to 12. n, the number of scored runs, stands in the head, and below a value where it is another one."
        f" {_label(version).capitalize()}.",
        cell,
    )


def _by_family(
    results: BenchmarkResults, version: VersionResults, kind: str, finding: str, text: str, make: Make
) -> Table:
    families, usual = _families(version), _usual_n(version)

    def row(s: Subject) -> Row:
        own = {f.family: f for f in s.families}
        cells = (make(s, own[f]) if f in own else Missing("no scored run in this family") for f in families)
        return Row((named(results, s), *cells))

    return Table(
        id=table_id(results, version, kind),
        finding=finding,
        text=(of_version(results, version), text),
        columns=(
            Column("subject", "Subject", "version", sticky=True),
            *(
                Column(f"family-{k}", name, f"n {usual[name]}" if kind == "mean-scores" else "runs", "r", "higher")
                for k, name in enumerate(families)
            ),
        ),
        groups=(RowGroup("", tuple(map(row, version.leaderboard)) if families else ()),),
        downloads=(("CSV", f"{FILES}/metrics_per_family.csv"),),
        empty="No family has scored runs.",
    )


def _families(version: VersionResults) -> tuple[str, ...]:
    return tuple(sorted({f.family for s in version.subjects for f in s.families}))


def _usual_n(version: VersionResults) -> dict[str, int]:
    """For each family the number of runs that most subject versions have; other numbers stand with the value."""
    return {
        name: max(Counter(sorted(f.n for s in version.subjects for f in s.families if f.family == name)).items(),
                  key=lambda item: item[1])[0]
        for name in _families(version)
    }  # fmt: skip


def _label(version: VersionResults) -> str:
    words = sorted({f.label.lower() for s in version.subjects for f in s.families})
    return f"{' or '.join(words)} for the runs that each version has" if words else "nothing is scored"


def _best_words(version: VersionResults) -> str:
    """Which subject version has the highest mean score in how many families."""
    names = names_of(s.id for s in version.subjects)
    families = _families(version)
    leads: Counter[str] = Counter()
    for family in families:
        means = {s.id: f.values["mean_clipped_score"] for s in version.leaderboard for f in s.families
                 if f.family == family}  # fmt: skip
        best = max(v for v in means.values() if not isinstance(v, Undefined))
        leads.update(names[key] for key, value in means.items() if value == best)
    if not leads:
        return "No family has scored runs."
    most = max(leads.values())
    first = [name for name in leads if leads[name] == most]
    who = f"{first[0]} has" if len(first) == 1 else f"{many(len(first), 'version')} share"
    return f"{who} the highest mean in {most} of {many(len(families), 'family', 'families')}."


def _spread(version: VersionResults) -> str:
    """The subject version whose best and worst family are furthest apart."""

    names = names_of(s.id for s in version.subjects)
    found = []
    for s in version.leaderboard:
        rates = [f.values["pass_rate"] for f in s.families]
        numbers = [r for r in rates if isinstance(r, (int, Fraction))]
        if numbers:
            found.append((max(numbers) - min(numbers), names[s.id]))
    widest = max((gap for gap, _ in found), default=None)
    return next((name for gap, name in found if gap == widest), "")
