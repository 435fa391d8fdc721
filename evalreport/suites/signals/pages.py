"""The pages of the signals, and the address of every published number and of its evidence.

A signal has a page. A benchmark has a page of its own; very many benchmarks share pages. The evidence of the result
triples and their numbers stand on pages for groups of triples: a corpus has thousands of them. Those that something can
be compared in come first, the others follow by name; of a very large corpus the last ones stand in the CSV files only.
"""

from __future__ import annotations

from typing import Literal

from evalreport.core.slug import slug
from evalreport.core.suite import Ids, PageJob
from evalreport.suites.signals.results import BenchmarkResult, SignalsResults, TripleResult

MOST_BENCHMARKS = 100  # more benchmarks than this share their pages
BENCHMARKS_IN_GROUP = 20
AUDITED_BENCHMARKS = 50  # benchmarks on one audit page
MOST_TRIPLES = 2_000  # more result triples than this are not shown one by one
TRIPLES_IN_GROUP = 40
OVERVIEWS = (
    ("reproducibility", "Appendix A: reproducibility"),
    ("completeness", "Appendix B: reporting completeness"),
    ("provenance", "Appendix C: provenance"),
    ("comparability", "Appendix D: comparability"),
)
Signal = Literal["reproducibility", "provenance", "comparability"]
CORPUS = "signals/audit/corpus"


def page_jobs(results: SignalsResults) -> tuple[PageJob, ...]:
    """The four appendices, the benchmarks, then the audit of the corpus, of the benchmarks and of the results."""
    jobs = [PageJob(f"signals_{name}", f"signals/{name}", title) for name, title in OVERVIEWS]
    benchmarks = len(results.benchmarks)
    if is_grouped(results):
        for number in range(1, _groups(benchmarks, BENCHMARKS_IN_GROUP) + 1):
            title = f"Benchmarks {_from_to(number, BENCHMARKS_IN_GROUP, benchmarks)}"
            jobs.append(PageJob("signals_benchmarks", _group("benchmark", number), title, {"group": number}))
    else:
        for one in results.benchmarks:
            name = one.benchmark.name
            jobs.append(PageJob("signals_benchmark", benchmark_page(results, name), name, {"benchmark": name}))
    jobs.append(PageJob("signals_audit_corpus", CORPUS, "Audit of the reporting signals"))
    for number in range(1, _groups(benchmarks, AUDITED_BENCHMARKS) + 1):
        title = f"Audit of benchmarks {_from_to(number, AUDITED_BENCHMARKS, benchmarks)}"
        name = f"signals/audit/{audited_name(number)}"
        jobs.append(PageJob("signals_audit_benchmarks", name, title, {"group": number}))
    shown = min(len(results.triples), MOST_TRIPLES)
    for number in range(1, _groups(shown, TRIPLES_IN_GROUP) + 1):
        title = f"Evidence for results {_from_to(number, TRIPLES_IN_GROUP, shown)}"
        jobs.append(PageJob("signals_audit_results", f"signals/audit/{group_name(number)}", title, {"group": number}))
    return tuple(jobs)


def is_grouped(results: SignalsResults) -> bool:
    """Whether there are so many benchmarks that several share a page."""
    return len(results.benchmarks) > MOST_BENCHMARKS


def benchmark_group(results: SignalsResults, number: int) -> tuple[BenchmarkResult, ...]:
    """The benchmarks of a page that several share."""
    return results.benchmarks[BENCHMARKS_IN_GROUP * (number - 1) : BENCHMARKS_IN_GROUP * number]


def audited_benchmarks(results: SignalsResults, number: int) -> tuple[BenchmarkResult, ...]:
    """The benchmarks whose numbers are audited on one page."""
    return results.benchmarks[AUDITED_BENCHMARKS * (number - 1) : AUDITED_BENCHMARKS * number]


def triple_group(results: SignalsResults, number: int) -> tuple[TripleResult, ...]:
    """The result triples whose evidence and numbers stand on one page."""
    last = min(TRIPLES_IN_GROUP * number, MOST_TRIPLES)
    return results.order[TRIPLES_IN_GROUP * (number - 1) : last]


def benchmark_page(results: SignalsResults, name: str) -> str:
    """The page of a benchmark, or the one that it shares with others."""
    if not is_grouped(results):
        return f"signals/benchmark/{slug(name)}"
    return _group("benchmark", results.numbers[name] // BENCHMARKS_IN_GROUP + 1)


def benchmark_address(results: SignalsResults, name: str) -> str:
    """Where a benchmark is shown: its page, or its place on a page that it shares with others."""
    page = benchmark_page(results, name)
    return f"{page}#{benchmark_anchor(name)}" if is_grouped(results) else page


def benchmark_anchor(name: str) -> str:
    """The place of a benchmark on a page that it shares with others."""
    return f"benchmark-{slug(name)}"


def group_name(number: int) -> str:
    """The name of a page with the evidence of result triples, and of the file with all that was looked up for them."""
    return f"results-{number:03}"


def audited_name(number: int) -> str:
    """The name of a page where the numbers of benchmarks are audited."""
    return f"benchmarks-{number:03}"


def evidence_address(results: SignalsResults, found: TripleResult, signal: Signal) -> str:
    """Where the evidence of a signal of a triple stands; nowhere when the corpus is too large to show it."""
    page = _triple_page(results, _ids(found))
    return f"{page}#{evidence_anchor(found, signal)}" if page else ""


def evidence_anchor(found: TripleResult, signal: Signal) -> str:
    """The place of a signal of a result triple among the evidence."""
    return f"{signal}-{slug(*_ids(found))}"


def number_anchor(metric: str, of: Ids) -> str:
    """The place of a published number on its audit page.

    >>> number_anchor("signals.population_rate", (("field", "data"),))
    'number-population-rate-data'
    """
    parts = ["number", metric.removeprefix("signals.").replace("_", "-")]
    return "-".join([*parts, slug(*(text for _, text in of))] if of else parts)


def number_address(results: SignalsResults, metric: str, of: Ids) -> str:
    """Where a published number is audited; nowhere for a triple that a very large corpus does not show."""
    ids = dict(of)
    if "model" in ids:
        page = _triple_page(results, (ids["model"], ids["benchmark"], ids["metric"]))
    elif "benchmark" in ids:
        number = results.numbers[ids["benchmark"]] // AUDITED_BENCHMARKS + 1
        page = f"signals/audit/{audited_name(number)}"
    else:
        page = CORPUS
    return f"{page}#{number_anchor(metric, of)}" if page else ""


def _triple_page(results: SignalsResults, ids: tuple[str, str, str]) -> str:
    place = results.places[ids]
    return f"signals/audit/{group_name(place // TRIPLES_IN_GROUP + 1)}" if place < MOST_TRIPLES else ""


def _ids(found: TripleResult) -> tuple[str, str, str]:
    return found.triple.model, found.triple.benchmark, found.triple.metric


def _groups(count: int, size: int) -> int:
    return -(-count // size)


def _from_to(number: int, size: int, count: int) -> str:
    return f"{size * (number - 1) + 1} to {min(size * number, count)}"


def _group(kind: str, number: int) -> str:
    return f"signals/{kind}/group-{number:02}"
