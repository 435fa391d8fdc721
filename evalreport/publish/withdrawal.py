"""`evalreport withdraw`: a version that should no longer be used says so; nothing of it is changed or removed."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

import msgspec

from evalreport.errors import EvalreportError, Problem
from evalreport.publish import versions
from evalreport.publish.site import held
from evalreport.publish.versions import Entry


def withdraw(site: Path, version: str, *, why: str = "", superseded_by: str = "", date: str = "") -> None:
    """Mark a version as withdrawn, with the reason and the version to use instead; `latest/` leads on past it.

    Its bytes stay: the pages read the list of versions and show what it says. Of a version that is withdrawn already
    the one to use instead may be named later, without a reason, as long as none that stands is named. Raises
    `EvalreportError` for a version that is not there, and for one that does not stand.
    """
    if not (site / versions.FILE).is_file():
        raise EvalreportError(Problem(str(site), f"holds no {versions.FILE}", "a site", "no_site"))
    with held(site) as place, place.work() as work:
        entries = place.entries()
        found = _found(entries, version)
        other = _standing(entries, found, superseded_by) if superseded_by else ""
        if found.status == "withdrawn":
            gone = _led_on(entries, found, other, why)
        else:
            if not why.strip():
                raise EvalreportError(Problem("why", "is empty", "the reason, in a sentence", "withdrawal"))
            gone = msgspec.structs.replace(
                found,
                status="withdrawn",
                why=" ".join(why.split()),
                superseded_by=other,
                withdrawn_on=date or datetime.datetime.now(datetime.UTC).date().isoformat(),
            )
        place.change(work, versions.arranged(gone if e is found else e for e in entries))


def _standing(entries: Sequence[Entry], found: Entry, superseded_by: str) -> str:
    """The version to use instead: another one, and one that stands."""
    other = _found(entries, superseded_by)
    if other is found:
        raise EvalreportError(Problem("superseded-by", "is the version itself", "another version", "withdrawal"))
    if other.status == "withdrawn":
        what = f"{other.version} was withdrawn itself, on {other.withdrawn_on}"
        raise EvalreportError(Problem("superseded-by", what, "a version that stands", "withdrawal"))
    return other.version


def _led_on(entries: Sequence[Entry], found: Entry, other: str, why: str) -> Entry:
    """A version that is withdrawn already, with the one to use instead named now; all else stays as it was told."""
    named = versions.listed(entries, found.superseded_by) if found.superseded_by else None
    if why.strip() or not other or (named and named.status == "current"):
        what = f"{found.version} was withdrawn on {found.withdrawn_on}"
        if found.superseded_by:
            what += f" and superseded by {found.superseded_by}"
        expected = "a version that stands; or, where none that stands takes its place, only the version that does"
        raise EvalreportError(Problem("version", what, expected, "withdrawal"))
    return msgspec.structs.replace(found, superseded_by=other)


def _found(entries: Sequence[Entry], version: str) -> Entry:
    entry = versions.listed(entries, version)
    if entry is None:
        known = ", ".join(e.version for e in entries)
        raise EvalreportError(Problem("version", f"{version} is not listed", f"one of: {known}", "unknown_version"))
    return entry
