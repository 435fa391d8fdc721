"""The benchmark suite: scored responses to cases, their classes, calibration, a composite and a safety gate.

`SUITE` is loaded when it is first asked for, because `verbs.py` is read by those who only list the verbs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalreport.suites.benchmark.suite import SUITE

__all__ = ["SUITE"]


def __getattr__(name: str) -> object:
    if name == "SUITE":
        from evalreport.suites.benchmark.suite import SUITE

        return SUITE
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
