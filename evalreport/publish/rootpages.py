"""What stands at the root of a site: pages, feed and map. All of it follows from the list of versions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

import msgspec

from evalreport.errors import EvalreportError, Problem
from evalreport.publish.versions import FILE, LATEST, Entry, encode, preferred
from evalreport.report.escape import bdi, html_attribute, html_text, url_path

PLAIN = "versions.html"
SCRIPT = "versions.js"
FEED = "feed.xml"
MAP = "sitemap.xml"
LISTING = "site.json"
START = "index.html"
UNTOUCHED = ".nojekyll"
ROOT_FILES = frozenset({FILE, SCRIPT, PLAIN, START, FEED, MAP, UNTOUCHED, LISTING})
Pages = Callable[[str], Sequence[str]]
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;"
    "border-bottom:1px solid #8885}td:nth-child(2){white-space:nowrap}code{overflow-wrap:anywhere}"
    ".wide{overflow-x:auto}"
)
_MAP_LIMIT = 50_000  # more addresses than this no reader of such a map takes


def root_files(entries: Sequence[Entry], pages: Pages) -> dict[str, bytes]:
    """Every file of the root by its path, `latest/` included. `pages` gives the pages of a version."""
    files = {
        FILE: encode(entries),
        SCRIPT: _script(entries, pages),
        PLAIN: _plain(entries).encode(),
        START: _start(entries).encode(),
        FEED: _feed(entries).encode(),
        UNTOUCHED: b"",
    }
    if addresses := _addresses(entries, pages):
        files[MAP] = _map(addresses).encode()
    if best := preferred(entries):
        files |= {f"{LATEST}/{page}": _led_on(best, page).encode() for page in pages(best.version)}
    return files | {LISTING: _listing(files)}


def _listing(files: Mapping[str, bytes]) -> bytes:
    """The sha256 of every file of the root: a later program may write them in other words."""
    digests = {name: sha256(data).hexdigest() for name, data in sorted(files.items())}
    return (json.dumps({"schema": 1, "files": digests}, ensure_ascii=False, indent=1) + "\n").encode()


def read_listing(site: Path) -> dict[str, str]:
    """The sha256 of every file of the root as it was published, by path; nothing for a site without versions."""
    try:
        return msgspec.json.decode((site / LISTING).read_bytes(), type=_Listing).files
    except FileNotFoundError:
        return {}
    except msgspec.MsgspecError as error:
        raise EvalreportError(Problem(LISTING, str(error), "the files of the root", "root_file")) from None


class _Listing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: Literal[1]
    files: dict[str, str]


def _script(entries: Sequence[Entry], pages: Pages) -> bytes:
    """The list for pages that are opened from a disk, where a script may load a script but no other file."""
    listed = [json.loads(encode([entry]))[0] | {"pages": list(pages(entry.version))} for entry in entries]
    text = json.dumps(listed, ensure_ascii=True, indent=1).replace("<", r"\u003c")
    return f"window.evalreportVersions = {text};\n".encode()


def _page(title: str, head: str, body: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{html_text(title)}</title>\n'
        f"{head}<style>{_STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def _title(entries: Sequence[Entry]) -> str:
    shown = preferred(entries) or (entries[0] if entries else None)
    return shown.title if shown else "Versions"


def _start(entries: Sequence[Entry]) -> str:
    best, title = preferred(entries), _title(entries)
    target = f"{url_path(best.version)}/index.html" if best else PLAIN
    head = f'<meta http-equiv="refresh" content="0; url={html_attribute(target)}">\n'
    if best and best.address:
        head += f'<link rel="canonical" href="{html_attribute(best.address)}/">\n'
    body = f'<h1>{html_text(title)}</h1>\n<p><a href="{html_attribute(target)}">'
    body += f'{"The latest version" if best else "The versions"}</a> · <a href="{PLAIN}">all versions</a></p>\n'
    return _page(title, head, body)


def _led_on(best: Entry, page: str) -> str:
    up = "../" * (page.count("/") + 1)
    target = f"{up}{url_path(best.version)}/{url_path(page)}"
    head = f'<meta http-equiv="refresh" content="0; url={html_attribute(target)}">\n'
    address = f"{best.address}/{url_path(page)}" if best.address else target
    head += f'<link rel="canonical" href="{html_attribute(address)}">\n'
    body = f'<p><a href="{html_attribute(target)}">Version {html_text(best.version)}</a> is the latest.</p>\n'
    return _page(best.title, head, body)


def _plain(entries: Sequence[Entry]) -> str:
    rows = "".join(map(_row, entries))
    body = (
        f"<h1>Versions of {bdi(_title(entries))}</h1>\n"
        "<p>A version that was published never changes. Each is a whole book, with its data and a manifest that names\n"
        "every file of it and its sha256.</p>\n"
        '<div class="wide"><table>\n<thead><tr><th scope="col">Version</th><th scope="col">Published</th>'
        '<th scope="col">State</th><th scope="col">What changed</th><th scope="col">sha256 of the manifest</th></tr>'
        f"</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
        f'<p>To hear of new versions: <a href="{FEED}">the feed</a>. For programs: <a href="{FILE}">{FILE}</a>.</p>\n'
    )
    head = f'<link rel="alternate" type="application/atom+xml" href="{FEED}">\n'
    return _page(f"Versions of {_title(entries)}", head, body)


def _row(entry: Entry) -> str:
    home = url_path(entry.version)
    changes = bdi(entry.summary)
    if entry.changes:
        changes += f' <a href="{home}/{url_path(entry.changes)}">More</a>'
    return (
        f'<tr><th scope="row"><a href="{home}/index.html">{html_text(entry.version)}</a></th>'
        f"<td>{html_text(entry.date)}</td><td>{_state(entry)}</td><td>{changes}</td>"
        f'<td><a href="{home}/manifest.json"><code>{html_text(entry.manifest)}</code></a></td></tr>\n'
    )


def _state(entry: Entry) -> str:
    if entry.status == "withdrawn":
        words = f"<strong>Withdrawn</strong> on {html_text(entry.withdrawn_on)}: {bdi(entry.why)}"
        if entry.superseded_by:
            home = url_path(entry.superseded_by)
            words += f' Superseded by <a href="{home}/index.html">{html_text(entry.superseded_by)}</a>.'
        return words
    return html_text(entry.name.removeprefix(entry.version).strip(" ()"))


def _feed(entries: Sequence[Entry]) -> str:
    title = _title(entries)
    moments = [moment for entry in entries for moment in (entry.date, entry.withdrawn_on) if moment]
    own = f"urn:uuid:{uuid5(NAMESPACE_URL, entries[-1].manifest if entries else '')}"
    items = "".join(map(_item, entries))
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<title>Versions of {_xml(title)}</title>\n<id>{own}</id>\n"
        f"<updated>{_moment(max(moments, default='1970-01-01'))}</updated>\n"
        f"<author><name>{_xml(title)}</name></author>\n{items}</feed>\n"
    )


def _item(entry: Entry) -> str:
    link = f"{entry.address}/" if entry.address else f"{url_path(entry.version)}/index.html"
    words = entry.summary
    if entry.status == "withdrawn":
        words = f"Withdrawn: {entry.why}"
    return (
        f"<entry>\n<title>{_xml(f'Version {entry.name}')}</title>\n"
        f"<id>urn:uuid:{uuid5(NAMESPACE_URL, entry.manifest)}</id>\n<link href={quoteattr(_sayable(link))}/>\n"
        f"<published>{_moment(entry.date)}</published>\n"
        f"<updated>{_moment(entry.withdrawn_on or entry.date)}</updated>\n"
        f"<summary>{_xml(words)}</summary>\n</entry>\n"
    )


def _xml(text: str) -> str:
    return escape(_sayable(text))


def _sayable(text: str) -> str:
    """The text without what no XML may hold, escaped or not."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff"))


def _moment(date: str) -> str:
    return f"{date or '1970-01-01'}T00:00:00Z"


def _addresses(entries: Sequence[Entry], pages: Pages) -> list[str]:
    found = [f"{e.address}/{url_path(p)}" for e in entries if e.address for p in pages(e.version)]
    return found[:_MAP_LIMIT]


def _map(addresses: Sequence[str]) -> str:
    lines = "".join(f"<url><loc>{_xml(address)}</loc></url>\n" for address in addresses)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{lines}</urlset>\n"
    )
