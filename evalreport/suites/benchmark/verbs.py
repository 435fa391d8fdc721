"""The verb of the benchmark suite, declared apart from the suite: `evalreport --help` lists it without loading more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evalreport.core.suite import Command, CommandOutput, Setting, Settings

_MEDIAN = (
    "Each criterion score and the correctness are the median of the reviewers; of an even number of reviewers the "
)
_FAILS = (
    " A critical fail is kept if any reviewer gave one, a recoverable fail if more than half of the reviewers gave one."
)
RULES: Mapping[str, str] = {
    "lower-median": f"{_MEDIAN}lower of the two in the middle.{_FAILS}",
    "upper-median": f"{_MEDIAN}higher of the two in the middle.{_FAILS}",
}
"""The rules by name, in words. Either gives values that a single reviewer could have given."""


def _consolidate(paths: Sequence[Path], settings: Settings) -> CommandOutput:
    from evalreport.suites.benchmark.consolidate import consolidate

    return consolidate(paths, settings)


VERBS = (
    Command(
        name="consolidate",
        summary="Make one scoring of the scorings of several reviewers.\n\n"
        "Each run gets one scoring, by a named rule. The files beside them tell how far the reviewers agree.",
        settings=(
            Setting(
                "rule",
                "text",
                "lower-median",
                "Which of the two middle scores counts when an even number of reviewers scored a run.",
                choices=tuple(RULES),
            ),
        ),
        run=_consolidate,
    ),
)
