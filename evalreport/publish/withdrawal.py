"""`evalreport withdraw`: a version that should no longer be used says so; nothing of it is changed or removed."""

from __future__ import annotations

import datetime
from pathlib import Path

import msgspec

from evalreport.errors import EvalreportError, Problem
from evalreport.publish import versions
from evalreport.publish.site import held


def withdraw(site: Path, version: str, *, why: str, superseded_by: str = "", date: str = "") -> None:
    """Mark a version as withdrawn, with the reason and the version to use instead; `latest/` leads on past it.

    Its bytes stay: the pages read the list of versions and show what it says. Raises `EvalreportError` for a version
    that is not there, or is withdrawn already.
    """
    if not why.strip():
        raise EvalreportError(Problem("why", "is empty", "the reason, in a sentence", "withdrawal"))
    if not (site / versions.FILE).is_file():
        raise EvalreportError(Problem(str(site), f"holds no {versions.FILE}", "a site", "no_site"))
    with held(site) as place, place.work() as work:
        entries = place.entries()
        found = _found(entries, version)
        if found.status == "withdrawn":
            what = f"{found.version} was withdrawn on {found.withdrawn_on}"
            raise EvalreportError(Problem("version", what, "a version that stands", "withdrawal"))
        other = _found(entries, superseded_by).version if superseded_by else ""
        if other == found.version:
            raise EvalreportError(Problem("superseded-by", "is the version itself", "another version", "withdrawal"))
        gone = msgspec.structs.replace(
            found,
            status="withdrawn",
            why=" ".join(why.split()),
            superseded_by=other,
            withdrawn_on=date or datetime.datetime.now(datetime.UTC).date().isoformat(),
        )
        place.change(work, versions.arranged(gone if e is found else e for e in entries))


def _found(entries: tuple[versions.Entry, ...], version: str) -> versions.Entry:
    entry = versions.listed(entries, version)
    if entry is None:
        known = ", ".join(e.version for e in entries)
        raise EvalreportError(Problem("version", f"{version} is not listed", f"one of: {known}", "unknown_version"))
    return entry
