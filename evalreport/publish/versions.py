"""The list of versions of a site: what each is called, since when, and whether it still stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from packaging.version import Version

from evalreport.errors import EvalreportError, Problem

FILE = "versions.json"
LATEST = "latest"
EXPECTED = "a version as in PEP 440, such as 1.0, 1.10.2 or 2.0rc1"
_LONGEST = 64
_NAME = re.compile(r"[0-9][0-9A-Za-z.!+_-]*")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One published version. `url` is relative to the version's own folder, `manifest` the sha256 of its manifest.

    `preferred` is the version that `latest/` leads to. `changes` is the page of the version that tells what changed,
    `summary` the same in a sentence.
    """

    version: str
    name: str
    url: str
    date: str
    title: str
    manifest: str
    preferred: bool = False
    status: Literal["current", "withdrawn"] = "current"
    why: str = ""
    withdrawn_on: str = ""
    superseded_by: str = ""
    address: str = ""
    changes: str = ""
    summary: str = ""


def meaning(version: str) -> Version:
    """What a version means, for order and equality: 1.10 comes after 1.9.1, and 1.0 is 1.0.0.

    >>> meaning("1.10") > meaning("1.9.1") > meaning("1.9.1rc1")
    True
    """
    try:
        return Version(version)
    except ValueError:  # also of a number with more digits than Python reads
        raise EvalreportError(Problem("version", f"is {_shown(version)}", EXPECTED, "version")) from None


def check_name(version: str) -> None:
    """Refuse what a new version is not called: the text is the name of a folder and stands in every address.

    A version means the same with spaces around it or a v before it, but its name would stay like that for ever.
    """
    meant = str(meaning(version))
    if len(version) > _LONGEST:
        what = f"is {_shown(version)}, of {len(version):,} characters"
        raise EvalreportError(Problem("version", what, f"no more than {_LONGEST}", "version"))
    if not _NAME.fullmatch(version):
        raise EvalreportError(Problem("version", f"is {_shown(version)}", f"it to be called {meant}", "version"))


def _shown(version: str) -> str:
    return repr(version if len(version) <= _LONGEST else f"{version[:_LONGEST]}…")


def arranged(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The list as it is published: newest first, the highest stable version that stands preferred, and named so."""
    ordered = sorted(entries, key=lambda entry: meaning(entry.version), reverse=True)
    best = next((e.version for e in ordered if e.status == "current" and not _is_early(e.version)), "")
    return tuple(msgspec.structs.replace(e, preferred=e.version == best, name=_name(e, best)) for e in ordered)


def preferred(entries: Iterable[Entry]) -> Entry | None:
    """The version that `latest/` leads to: the highest that is neither early nor withdrawn."""
    return next((entry for entry in entries if entry.preferred), None)


def listed(entries: Iterable[Entry], version: str) -> Entry | None:
    """The entry of a version, by meaning."""
    return next((entry for entry in entries if meaning(entry.version) == meaning(version)), None)


def predecessor(entries: Iterable[Entry], version: str) -> Entry | None:
    """The version that a new one is compared with: the highest one below it that stands."""
    below = [e for e in entries if e.status == "current" and meaning(e.version) < meaning(version)]
    return max(below, key=lambda entry: meaning(entry.version), default=None)


def read_versions(site: Path) -> tuple[Entry, ...]:
    """The list of a site, empty for one without. Raises `EvalreportError` when the file is no such list."""
    try:
        return decode((site / FILE).read_bytes())
    except FileNotFoundError:
        return ()


def decode(data: bytes) -> tuple[Entry, ...]:
    """A list of versions from its bytes."""
    try:
        found = tuple(msgspec.json.decode(data, type=list[Entry]))
        for entry in found:
            meaning(entry.version)  # it is the name of a folder, too
    except msgspec.MsgspecError as error:
        raise EvalreportError(Problem(FILE, str(error), "a list of versions", "versions")) from None
    return found


def encode(entries: Sequence[Entry]) -> bytes:
    """A list of versions as bytes."""
    return msgspec.json.format(msgspec.json.encode(list(entries)), indent=1) + b"\n"


def _is_early(version: str) -> bool:
    return meaning(version).is_prerelease


def _name(entry: Entry, best: str) -> str:
    if entry.status == "withdrawn":
        return f"{entry.version} (withdrawn)"
    if entry.version == best:
        return f"{entry.version} (latest)"
    return f"{entry.version} (pre-release)" if _is_early(entry.version) else entry.version
