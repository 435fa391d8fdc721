"""Where a suite is read: in this process, in several, or on a cluster. Only for suites that are read in portions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from evalreport.core.suite import Settings, Suite
from evalreport.scale.executors import NAMES, executor

SERIAL, DASK = "serial", "dask"


def executor_options(suite: Suite[Any, Any]) -> list[click.Parameter]:
    """The options that choose an executor; none for a suite that is read in one piece."""
    if suite.read_with is None:
        return []
    return [
        click.Option(
            ["--executor"],
            type=click.Choice(NAMES),
            default=SERIAL,
            show_default=True,
            help="What reads the files. The results are the same bytes.",
        ),
        click.Option(
            ["--scheduler"],
            metavar="tcp://HOST:PORT",
            help="A running dask cluster that sees the files under the same paths; else dask starts one here.",
        ),
    ]


def reading(suite: Suite[Any, Any], name: str, scheduler: str | None) -> Callable[[Sequence[Path], Settings], Any]:
    """How the suite is read by the executor of this name; a usage error for a scheduler that nothing would use."""
    if scheduler is not None and name != DASK:
        raise click.UsageError(f"--scheduler is for --executor {DASK}; here it would not be used")
    read_with = suite.read_with
    if read_with is None or name == SERIAL:
        return suite.read
    return lambda paths, settings: read_with(paths, settings, executor(name, scheduler=scheduler))
