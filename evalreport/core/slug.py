"""Names from strangers as names of files and addresses."""

from __future__ import annotations

import re
from hashlib import sha256

_OTHER = re.compile(r"[^a-z0-9]+")
_PLAIN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# How an altered name ends; a plain one that ends so is treated as altered too, or it could be taken for one.
_MARKED = re.compile(r"(^|-)x[0-9a-f]{12}$")
# What some system refuses as a file name whatever its suffix.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{d}{i}" for d in ("com", "lpt") for i in range(10))}
LONGEST = 60
DIGITS = 12


def slug(*parts: str) -> str:
    """A file name for an id of one or more parts: lower-case ASCII, joined by "--", the same whatever else there is.

    Two different ids never have the same slug, also on systems that do not tell upper from lower case: whenever
    something was altered, the start of a hash of the id follows. The result has no dot and no slash, so it cannot lead
    out of its folder, and is no name that a system reserves. Raises `ValueError` for no parts.

    >>> slug("gpt-5-5", "2")
    'gpt-5-5--2'
    >>> slug("../GPT 5")
    'gpt-5-x24ef9c6f8373'
    """
    if not parts:
        raise ValueError("no parts to make a slug of")
    cleaned = [_OTHER.sub("-", part.lower()).strip("-") for part in parts]
    name = "--".join(cleaned)
    as_written = all(_PLAIN.fullmatch(part) for part in parts)
    if as_written and len(name) <= LONGEST and name not in _RESERVED and not _MARKED.search(name):
        return name
    length = "".join(f"{len(part)}:{part}" for part in parts)
    digest = "x" + sha256(length.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
    kept = name[: LONGEST - DIGITS - 2].strip("-")
    return f"{kept}-{digest}" if kept else digest
