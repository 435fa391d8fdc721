"""Parts of a page that are more than one table or figure: facts below the title, lift by case, the audit."""

from __future__ import annotations

from evalreport.core.exact import Undefined
from evalreport.core.slug import slug
from evalreport.core.table import Column
from evalreport.core.words import many, printed
from evalreport.report.facts import Fact, facts_parts
from evalreport.report.pages import Page
from evalreport.suites.debate.pages import number_address
from evalreport.suites.debate.results import DebateResults, SystemResult
from evalreport.suites.debate.views import audit, cases
from evalreport.suites.debate.views.cells import at_least, of_system, outcome_badge

DebatePage = Page[DebateResults]


def show_facts(page: DebatePage, s: SystemResult, *, place: str = "system") -> None:
    """The few numbers below the title of a page of this system."""
    page.parts(f"debate-{place}-facts-{slug(s.system)}", facts_parts(facts(page.results, s)))


def facts(results: DebateResults, s: SystemResult) -> tuple[Fact, ...]:
    """Cases passed, mean, lift and the outcome, each with what it needs."""
    thresholds = results.thresholds

    def where(key: str) -> str:
        return number_address(results, f"debate.{key}", of_system(s))

    share = "–" if isinstance(s.passing_fraction, Undefined) else printed(s.passing_fraction)
    mean = "–" if isinstance(s.mean, Undefined) else printed(s.mean)
    found = [
        Fact(
            "Cases passed",
            f"{s.passing} of {len(s.scoreable)}",
            f"{share}, needs ≥ {at_least(thresholds.benchmark_pass_fraction)}",
            where("passing_fraction"),
        ),
        Fact("Mean, scoreable cases", mean, f"needs ≥ {at_least(thresholds.overall_case_pass)}", where("mean")),
    ]
    if isinstance(s.lift.value, Undefined):
        found.append(Fact("Lift over baseline", "–", s.lift.value.reason))
    else:
        sign = "+" if s.lift.value > 0 else ""
        needs = f"needs ≥ {at_least(results.min_lift)}"
        found.append(Fact("Lift over baseline", f"{sign}{printed(s.lift.value)}", needs, where("lift")))
    review = many(len(s.manual_review), "case")
    return (*found, Fact("Manual review", review, f"of {len(s.cases)}"), Fact("Benchmark", outcome_badge(s)))


def show_runs(page: DebatePage, s: SystemResult) -> None:
    """The runs one by one, where a case has several."""
    if s.runs_per_case[1] > 1:
        page.markdown("## Runs")
        page.table(cases.runs(page.results, s))


def show_audit(page: DebatePage, s: SystemResult) -> None:
    """The ledgers of the numbers of a system, then the numbers of its cases in one table, with the runs behind them."""
    name = slug(s.system)
    own, of_cases = audit.numbers(page.results, s)
    page.records(audit.records(s), name=name)
    page.audit(own, name=f"debate-{name}")
    page.markdown("## Cases")
    page.audit_series(
        of_cases,
        (Column("case", "Case", sticky=True),),
        name=f"debate-audit-cases-{name}",
        finding=f"{many(len(of_cases), 'number')} of {many(len(s.cases), 'case')}, each equal to its formula.",
        text="The runs behind them are below.",
    )
    page.markdown("## Records")
    page.table(cases.records(s))
