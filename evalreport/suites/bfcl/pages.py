"""The pages of the suite."""

from __future__ import annotations

from evalreport.core.suite import PageJob
from evalreport.suites.bfcl.compute import Results


def page_jobs(results: Results) -> tuple[PageJob, ...]:  # noqa: ARG001  (the shape every suite has)
    """The notebooks that make this suite's pages: none."""
    return ()
