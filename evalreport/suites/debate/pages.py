"""The pages of the debate chapter, and the address of every published number."""

from __future__ import annotations

from evalreport.core.slug import slug
from evalreport.core.suite import Ids, PageJob
from evalreport.suites.debate.results import DebateResults

OVERVIEWS = (
    ("outcome", "Debate: outcome"),
    ("cases", "Debate: cases"),
    ("thresholds", "Debate: thresholds"),
)
PAIRED = ("debate.lift", "debate.lift_pass")


def page_jobs(results: DebateResults) -> tuple[PageJob, ...]:
    """The overview pages, then for each system its page and its audit page."""
    jobs = [PageJob(f"debate_{name}", f"debate/{name}", title) for name, title in OVERVIEWS]
    for system in results.systems:
        own = {"system": system.system}
        jobs += [
            PageJob("debate_system", system_page(system.system), system.system, own),
            PageJob("debate_audit", audit_page(system.system), f"Audit of {system.system}", own),
        ]
    return tuple(jobs)


def system_page(system: str) -> str:
    """The page of a system."""
    return f"debate/system/{slug(system)}"


def audit_page(system: str) -> str:
    """The page where the numbers of a system are audited."""
    return f"debate/audit/{slug(system)}"


def number_anchor(metric: str, of: Ids) -> str:
    """The place of a published number on its audit page.

    >>> number_anchor("debate.case_mean", (("system", "s"), ("case_id", "c1")))
    'number-case-mean-c1'
    """
    name = metric.removeprefix("debate.").replace("_", "-")
    return "-".join(("number", name, *(slug(text) for key, text in of if key == "case_id")))


def number_address(results: DebateResults, metric: str, of: Ids) -> str:
    """Where a published number is audited; nowhere for a lift without a baseline, which is no number."""
    system = results.system(dict(of)["system"])
    if metric in PAIRED and (system.is_baseline or system.baseline is None):
        return ""
    return f"{audit_page(system.system)}#{number_anchor(metric, of)}"
