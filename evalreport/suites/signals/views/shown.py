"""Parts of a page that are more than one table or figure: facts, formulas, benchmarks, evidence with its audit."""

from __future__ import annotations

from evalreport.core.slug import slug
from evalreport.core.table import Column
from evalreport.core.words import many
from evalreport.report.escape import html_attribute, myst_text
from evalreport.report.facts import facts_parts
from evalreport.report.ledger import series_formulas
from evalreport.report.pages import Page
from evalreport.suites.signals.pages import (
    MOST_TRIPLES,
    audited_benchmarks,
    audited_name,
    benchmark_anchor,
    benchmark_group,
    group_name,
    triple_group,
)
from evalreport.suites.signals.results import BenchmarkResult, SignalsResults
from evalreport.suites.signals.views import audit, benchmark, evidence, overview
from evalreport.suites.signals.views.cells import metric

SignalsPage = Page[SignalsResults]


def show_facts(page: SignalsPage, name: str) -> None:
    """The figures of a signal below the title of its page."""
    keys = next(keys for signal, _, keys in overview.SIGNALS if signal == name)
    page.parts(f"signals-facts-{name}", facts_parts(overview.facts(page.results, *keys)))


def show_formulas(page: SignalsPage, name: str, *, of: tuple[str, ...]) -> None:
    """The formulas of a signal with what their symbols stand for."""
    page.parts(f"signals-formulas-{name}", series_formulas([metric(key) for key in of]))


def show_benchmark(page: SignalsPage, one: BenchmarkResult) -> None:
    """A benchmark: facts, risks, card, results."""
    page.parts(f"signals-benchmark-facts-{slug(one.benchmark.name)}", facts_parts(benchmark.facts(page.results, one)))
    page.markdown(myst_text(benchmark.risk_words(one)))
    page.table(benchmark.results_table(page.results, one))
    page.table(benchmark.card(one))


def show_benchmarks(page: SignalsPage, group: int) -> None:
    """Several benchmarks, one after the other."""
    for one in benchmark_group(page.results, group):
        name = one.benchmark.name
        page.markdown(f"## {myst_text(name)}")
        place = f'<span class="er-place" id="{html_attribute(benchmark_anchor(name))}"></span>'
        page.parts(f"signals-place-{slug(name)}", [place])
        show_benchmark(page, one)


def show_corpus_audit(page: SignalsPage) -> None:
    """The figures of the corpus as ledgers, then those of items and fields in tables."""
    results = page.results
    page.audit(audit.corpus(results), name="signals-corpus")
    page.markdown("## Setup items")
    numbers = audit.items(results)
    page.audit_series(
        numbers,
        (Column("item", "Setup item", sticky=True),),
        name="signals-audit-items",
        finding=f"{many(len(numbers), 'number')}, each equal to its formula.",
    )
    page.markdown("## Fields of reporting completeness")
    numbers = audit.fields(results)
    page.audit_series(
        numbers,
        (Column("field", "Field", sticky=True),),
        name="signals-audit-fields",
        finding=f"{many(len(numbers), 'number')}, each equal to its formula.",
    )


def show_benchmark_audit(page: SignalsPage, group: int) -> None:
    """The numbers of some benchmarks; what fills their fields stands on their pages."""
    found = audited_benchmarks(page.results, group)
    numbers = audit.benchmarks(page.results, found)
    page.audit_series(
        numbers,
        (Column("benchmark", "Benchmark", sticky=True, wrap=True),),
        name=f"signals-audit-{audited_name(group)}",
        finding=f"{many(len(numbers), 'number')} of {many(len(found), 'benchmark')}, each equal to its formula.",
        text="The values that fill the fields stand on the page of each benchmark.",
    )


def show_evidence(page: SignalsPage, group: int) -> None:
    """The evidence of some result triples, the file of all that was looked up for them, the audit of their numbers."""
    found = triple_group(page.results, group)
    if len(page.results.triples) > MOST_TRIPLES:
        page.markdown(
            f"Pages hold the evidence of {MOST_TRIPLES:,} of {len(page.results.triples):,} results: first those that"
            " several setups or parties report, then the others by name. The CSV files hold all."
        )
    page.records(evidence.looked_up_table(found), name=group_name(group))
    page.table(evidence.evidence_table(found, group))
    page.markdown("## Numbers")
    numbers = audit.triples(page.results, found, group)
    page.audit_series(
        numbers,
        (Column("model", "Model", sticky=True), Column("path", "Benchmark", "metric", wrap=True)),
        name=f"signals-audit-{group_name(group)}",
        finding=f"{many(len(numbers), 'number')} of {many(len(found), 'result')}, each equal to its formula.",
    )
