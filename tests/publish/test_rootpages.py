"""The pages, the feed and the map at the root of a site: words of strangers stay words in each of them."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec
import pytest
from lxml import etree
from lxml import html as lxml_html

from evalreport.publish.rootpages import FEED, MAP, PLAIN, SCRIPT, root_files
from evalreport.publish.versions import Entry, arranged
from tests.publish.made import entry

SAID = "\"'</script></title><script>x</script><b onclick=x>&amp;]]>\x0b\ufffe"
PAGES = ("index.html", f"book/{SAID.replace('/', '')}.html")


def pages(_version: str) -> Sequence[str]:
    return PAGES


@pytest.fixture
def files() -> dict[str, bytes]:
    """The root of a site of which every text is hostile: one version stands, one is withdrawn."""
    said = {"title": SAID, "summary": SAID, "changes": PAGES[1], "address": f"https://example.org/{SAID}"}
    entries: list[Entry] = [
        msgspec.structs.replace(entry("1.1"), **said),
        msgspec.structs.replace(
            entry("1.0", SAID), **said, status="withdrawn", why=SAID, withdrawn_on="2026-02-01", superseded_by="1.1"
        ),
    ]
    return root_files(arranged(entries), pages)


def test_no_page_of_the_root_runs_or_shows_what_strangers_wrote_as_markup(files: dict[str, bytes]) -> None:
    found = [name for name in files if name.endswith(".html")]
    assert len(found) == 4  # the start, the list, and two that lead on
    for name in found:
        tree = lxml_html.fromstring(files[name].decode())
        assert tree.xpath("//script | //b | //*[@onclick]") == [], name
    assert "<script>x</script>" in lxml_html.fromstring(files[PLAIN].decode()).text_content()


def test_the_feed_is_xml_and_tells_texts_as_they_are(files: dict[str, bytes]) -> None:
    feed = etree.fromstring(files[FEED])
    seen = SAID.removesuffix("\x0b\ufffe")
    atom = "{http://www.w3.org/2005/Atom}"
    assert feed.findtext(f"{atom}title") == f"Versions of {seen}"
    assert [found.text for found in feed.iter(f"{atom}summary")] == [seen, f"Withdrawn: {seen}"]
    assert {found.get("href") for found in feed.iter(f"{atom}link")} == {f"https://example.org/{seen}/"}


def test_the_map_is_xml_with_every_page_of_every_version(files: dict[str, bytes]) -> None:
    assert len(list(etree.fromstring(files[MAP]))) == 2 * len(PAGES)


def test_the_list_as_a_script_cannot_end_the_element_that_it_stands_in(files: dict[str, bytes]) -> None:
    text = files[SCRIPT].decode()
    assert "<" not in text
    listed = json.loads(text.partition(" = ")[2].removesuffix(";\n"))
    assert [(one["title"], one["pages"]) for one in listed] == [(SAID, list(PAGES))] * 2
