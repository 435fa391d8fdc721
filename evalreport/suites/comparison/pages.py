"""The pages of the comparison chapter: which notebooks make them, with which parameters."""

from __future__ import annotations

from collections.abc import Sequence

from evalreport.core.suite import PageJob
from evalreport.suites.comparison.results import ComparisonResults


def page_jobs(_results: ComparisonResults) -> Sequence[PageJob]:
    """One job a page. The chapter has no page of its own yet: its numbers stand in tables and results."""
    return ()
