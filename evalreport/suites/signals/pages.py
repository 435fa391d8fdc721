"""The pages of the signals: which notebooks make them, with which parameters."""

from __future__ import annotations

from collections.abc import Sequence

from evalreport.core.suite import PageJob
from evalreport.suites.signals.results import SignalsResults


def page_jobs(_results: SignalsResults) -> Sequence[PageJob]:
    """One job a page. The chapter has no page of its own yet: its numbers stand in tables and results."""
    return ()
