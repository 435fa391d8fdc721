"""`evalreport diff`: two versions of a site, or one and the project that is not published yet."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evalreport.errors import EvalreportError, Problem
from evalreport.project import read_project
from evalreport.publish import versions
from evalreport.publish.changes import Changes, changes_between
from evalreport.publish.facts import facts_of_project, facts_of_version

UNPUBLISHED = "not published yet"


def compared(site: Path, named: Sequence[str], *, project: Path) -> Changes:
    """The changes from the first to the second named version; the second left out is the project, computed now.

    With no name the first is the version that the project would follow: the highest that stands.
    """
    entries = versions.read_versions(site)
    found = [_listed(entries, name) for name in named]
    if len(found) == 2:
        old, new = (facts_of_version(site / entry.version) for entry in found)
        return changes_between(old, new)
    before = found[0] if found else _newest(entries, site)
    with tempfile.TemporaryDirectory() as scratch:
        new = replace(facts_of_project(read_project(project), Path(scratch)), version=UNPUBLISHED)
    return changes_between(facts_of_version(site / before.version), new)


def _listed(entries: Sequence[versions.Entry], name: str) -> versions.Entry:
    entry = versions.listed(entries, name)
    if entry is None:
        known = ", ".join(e.version for e in entries) or "none"
        raise EvalreportError(Problem("version", f"{name} is not listed", f"one of: {known}", "unknown_version"))
    return entry


def _newest(entries: Sequence[versions.Entry], site: Path) -> versions.Entry:
    standing = [entry for entry in entries if entry.status == "current"]
    if not standing:
        raise EvalreportError(Problem(str(site), "holds no version that stands", "a site with one", "no_site"))
    return versions.preferred(standing) or standing[0]
