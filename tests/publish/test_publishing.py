"""What a published version holds, and that it never changes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml
from lxml import etree

from evalreport.errors import EvalreportError
from evalreport.project import read_project
from evalreport.publish.changes import changes_between, markdown, summary, text
from evalreport.publish.comparing import compared
from evalreport.publish.facts import Facts, facts_of_version
from evalreport.publish.manifest import Input, SuiteFacts, read_manifest
from evalreport.publish.publishing import publish
from evalreport.publish.verify import verify
from tests.book.toy import contents
from tests.publish.made import copied

pytestmark = [pytest.mark.book, pytest.mark.usefixtures("toys")]
ATOM = "{http://www.w3.org/2005/Atom}"


def read(path: Path) -> str:
    return path.read_text("utf-8")


def test_a_site_verifies_and_every_number_is_computed_again_from_the_archived_inputs(
    published: tuple[Path, Path],
) -> None:
    found = verify(published[1])
    assert found.versions == ("1.1", "1.0")
    assert found.numbers == 4  # two files with a mean each, in two versions


@pytest.mark.parametrize("version", ["1.0", "1.0.0", "v1.0", "1.1"])
def test_a_version_is_published_once(published: tuple[Path, Path], version: str) -> None:
    root, site = published
    before = contents(site)
    with pytest.raises(EvalreportError, match="was published on 2026-01-01 and never changes"):
        publish(read_project(root), version, site=site)
    assert contents(site) == before


def test_a_book_with_problems_changes_nothing(published: tuple[Path, Path], tmp_path: Path) -> None:
    root, start = published
    broken = copied(root, tmp_path / "project")
    (broken / "book/intro.md").write_text("# Toy\n\nSee [nothing](nowhere.md).\n", "utf-8")
    site = copied(start, tmp_path / "site")
    before = contents(site)
    with pytest.raises(EvalreportError, match="nowhere"):
        publish(read_project(broken), "1.2", site=site)
    assert contents(site) == before
    assert {path.name for path in tmp_path.iterdir()} == {"site", "project"}


def test_pages_know_their_own_address_and_the_list_of_versions(published: tuple[Path, Path]) -> None:
    for version in ("1.0", "1.1"):
        page = read(published[1] / version / "book/intro.html")
        address = f"https://example.org/results/{version}/book/intro.html"
        assert f'<link rel="canonical" href="{address}">' in page
        assert f'data-versions="../versions.json" data-version="{version}"' in page
        assert 'href="../../versions.html"' in page


def test_the_root_leads_to_the_latest_and_names_every_page_of_every_version(published: tuple[Path, Path]) -> None:
    _, site = published
    assert "url=1.1/index.html" in read(site / "index.html")
    assert "url=../../1.1/book/intro.html" in read(site / "latest/book/intro.html")
    assert (site / ".nojekyll").is_file()
    locations = [element.text or "" for element in etree.parse(site / "sitemap.xml").getroot().iter() if element.text]
    for version in ("1.0", "1.1"):
        assert f"https://example.org/results/{version}/book/intro.html" in locations
    feed = etree.parse(site / "feed.xml").getroot()
    assert [e.text for e in feed.iter(f"{ATOM}title")][1:] == ["Version 1.1 (latest)", "Version 1.0"]
    assert [e.text for e in feed.iter(f"{ATOM}published")] == ["2026-01-01T00:00:00Z"] * 2


def test_the_list_for_pages_on_a_disk_is_the_list_for_those_on_a_server(published: tuple[Path, Path]) -> None:
    _, site = published
    script = read(site / "versions.js").removeprefix("window.evalreportVersions = ").rstrip(";\n")
    listed = json.loads(script)
    pages = [entry.pop("pages") for entry in listed]
    assert listed == json.loads(read(site / "versions.json"))
    assert all("book/intro.html" in own for own in pages)


def test_manifest_and_results_are_what_their_schemas_say(published: tuple[Path, Path]) -> None:
    folder = published[1] / "1.1"
    pairs = {"manifest.json": "manifest", "data/toy/results.json": "results"}
    for name, schema in pairs.items():
        found = json.loads(read(folder / f"schemas/{schema}.schema.json"))
        jsonschema.Draft202012Validator.check_schema(found)
        jsonschema.Draft202012Validator(found).validate(json.loads(read(folder / name)))


def test_the_manifest_tells_what_the_version_was_made_of(published: tuple[Path, Path]) -> None:
    root, site = published
    manifest = read_manifest(site / "1.1")
    suite = manifest.suites["toy"]
    assert suite.settings["alpha"] == 0.2
    assert [file.path for file in suite.inputs] == ["a.txt", "b.txt"]
    assert [d.formula for d in suite.declarations] == [r"\frac{\sum_{i \in I} x_i}{|I|}"]
    assert manifest.packages["sphinx"]
    assert manifest.address == "https://example.org/results/1.1"
    assert {file.path for file in manifest.files} == contents(site / "1.1").keys() - {"manifest.json"}
    assert yaml.safe_load(read(site / "1.1/CITATION.cff"))["version"] == "1.1"
    assert read(site / "1.1/inputs/toy/b.txt") == read(root / "data/b.txt")


def test_the_crate_describes_files_that_are_there(published: tuple[Path, Path]) -> None:
    folder = published[1] / "1.1"
    graph = json.loads(read(folder / "ro-crate-metadata.json"))["@graph"]
    files = {entity["@id"] for entity in graph if entity["@type"] == "File"}
    assert {"data/toy/means.csv", "data/toy/results.json", "recompute.py", "CITATION.cff"} <= files
    assert all((folder / name).is_file() for name in files)
    (dataset,) = (entity for entity in graph if entity["@id"] == "./")
    assert dataset["datePublished"] == "2026-01-01"


def test_the_same_project_published_twice_gives_the_same_bytes(published: tuple[Path, Path], tmp_path: Path) -> None:
    root, _ = published
    places = [publish(read_project(root), "3.0", site=tmp_path / name) for name in ("one", "another site")]
    assert contents(places[0]) == contents(places[1])


def test_a_comparison_names_the_input_the_setting_and_the_number_and_nothing_else(
    published: tuple[Path, Path],
) -> None:
    root, site = published
    changes = compared(site, ["1.0", "1.1"], project=root)
    assert [(i.suite, i.path, i.kind) for i in changes.inputs] == [("toy", "b.txt", "changed")]
    assert [(s.name, s.old, s.new) for s in changes.settings] == [("alpha", 0.1, 0.2)]
    # the mean of 1 and 2 became that of 1 and 3
    assert [(n.key, n.change) for n in changes.numbers] == [(("toy.mean", (("file", "b.txt"),)), Fraction(1, 2))]
    assert changes.formulas == ()
    assert summary(changes) == "Since 1.0: 1 input file, 1 setting, 1 number changed."
    assert "number changed: toy.mean of b.txt: 1.5000 -> 2.0000 (+0.5000)" in text(changes)
    assert "no rank changed" in text(changes).splitlines()
    assert "What changed since 1.0" in read(site / "1.1/book/changes.html")
    assert not compared(site, [], project=root).numbers


def test_a_changed_formula_with_unchanged_data_is_shown_as_such(published: tuple[Path, Path], tmp_path: Path) -> None:
    folder = copied(published[1] / "1.0", tmp_path / "1.0")
    file = folder / "manifest.json"
    document = json.loads(read(file))
    (declared,) = document["suites"]["toy"]["declarations"]
    declared |= {"formula": r"\frac{\sum_{i \in I} x_i}{|I| + 1}", "identity": "0" * 64}
    file.write_text(json.dumps(document), "utf-8")
    changes = changes_between(facts_of_version(published[1] / "1.0"), facts_of_version(folder))
    assert [change.metric for change in changes.formulas] == ["toy.mean"]
    assert (changes.inputs, changes.settings, changes.numbers) == ((), (), ())
    assert r"$\mathrm{mean} = \frac{\sum_{i \in I} x_i}{\vert I\vert  + 1}$" in markdown(changes)


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda folder: (folder / "inputs/toy/b.txt").write_text("1\n9\n", "utf-8"), "input b.txt was changed"),
        (lambda folder: (folder / "inputs/toy/c.txt").write_text("1\n", "utf-8"), "input c.txt is new"),
        (lambda folder: (folder / "inputs/toy/a.txt").unlink(), "input a.txt is missing"),
    ],
)
def test_with_the_inputs_verification_names_the_number_and_the_cause(
    published: tuple[Path, Path], tmp_path: Path, break_it: object, said: str
) -> None:
    folder = copied(published[1] / "1.1", tmp_path / "1.1")
    assert callable(break_it)
    break_it(folder)
    with pytest.raises(EvalreportError, match=re.escape(said)) as caught:
        verify(folder)
    assert {"number"} <= {problem.kind for problem in caught.value.problems}


def test_every_byte_of_every_file_counts(published: tuple[Path, Path], tmp_path: Path) -> None:
    folder = copied(published[1] / "1.1", tmp_path / "1.1")
    (folder / "inputs").rename(tmp_path / "inputs")
    document = json.loads(read(folder / "manifest.json"))
    document["files"] = [file for file in document["files"] if not file["path"].startswith("inputs/")]
    (folder / "manifest.json").write_text(json.dumps(document), "utf-8")
    verify(folder)
    names = [file["path"] for file in document["files"]]
    unnoticed = []
    for name in names:
        data = (folder / name).read_bytes()
        flipped = bytes([data[0] ^ 1]) + data[1:] if data else b"\n"
        (folder / name).write_bytes(flipped)
        if f"1.1/{name}" not in _places(folder):
            unnoticed.append(name)
        (folder / name).write_bytes(data)
    assert (unnoticed, len(names) > 50) == ([], True)
    (folder / names[3]).rename(folder / "book/stranger.txt")
    assert _places(folder) == {f"1.1/{names[3]}", "1.1/book/stranger.txt"}


def _places(folder: Path) -> set[str]:
    try:
        verify(folder)
    except EvalreportError as error:
        return {problem.where for problem in error.problems}
    return set()


def test_verification_finds_what_was_changed_at_the_root(published: tuple[Path, Path], tmp_path: Path) -> None:
    site = copied(published[1], tmp_path / "site")
    (site / "index.html").write_text("<p>mine", "utf-8")
    (site / "latest/book/intro.html").unlink()
    (site / "latest/extra.html").write_text("", "utf-8")
    (site / "0.9").mkdir()
    assert _places(site) == {"index.html", "latest/book/intro.html", "latest/extra.html", "0.9"}


def test_recomputing_needs_nothing_but_python_and_notices_a_changed_file(
    published: tuple[Path, Path], tmp_path: Path
) -> None:
    folder = copied(published[1] / "1.1", tmp_path / "1.1")
    command = [sys.executable, "-I", str(folder / "recompute.py")]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "All agrees.\n"
    file = folder / "data/toy/means.csv"
    file.write_text(read(file).replace("2.0000", "2.0001"), "utf-8")
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, "data/toy/means.csv" in done.stdout) == (1, True)


def test_a_comparison_before_publishing_names_files_as_the_maintainer_does_and_no_page_does() -> None:
    def facts(version: str, files: dict[str, str], **own: str) -> Facts:
        inputs = [Input(path, "0" * 64, 1, original) for path, original in sorted(files.items())]
        named = {("toy", path.replace("_", "-")): name for path, name in own.items()}
        return Facts(version, "", {}, {"toy": SuiteFacts(settings={}, inputs=inputs, declarations=[])}, {}, own=named)

    old = facts("1.0", {"reviewer-1": "a" * 64, "reviewer-2": "b" * 64})
    # a third reviewer comes: the second is called by another pseudonym now, and the first corrected something
    new = facts(
        "1.1", {"reviewer-1": "a" * 63 + "c", "reviewer-2": "d" * 64, "reviewer-3": "b" * 64},
        reviewer_1="zenobia", reviewer_2="yves", reviewer_3="xerxes",
    )  # fmt: skip
    changes = changes_between(old, new)
    assert [(i.path, i.kind, i.own) for i in changes.inputs] == [
        ("reviewer-1", "changed", "zenobia"),
        ("reviewer-2", "added", "yves"),
    ]
    assert "input changed: toy: zenobia (published as reviewer-1)" in text(changes)
    assert "zenobia" not in markdown(changes)
    assert "zenobia" not in markdown(changes, page=True)


def test_a_contents_of_ones_own_leads_to_what_changed(published: tuple[Path, Path], tmp_path: Path) -> None:
    root, start = published
    own = copied(root, tmp_path / "project")
    contents_file = own / "_toc.yml"
    contents_file.write_text(read(contents_file).replace("  - glob: book/*\n", ""), "utf-8")
    site = copied(start, tmp_path / "site")
    publish(read_project(own), "1.2", site=site)
    assert "What changed since 1.1" in read(site / "1.2/book/changes.html")
    assert 'href="1.2/book/changes.html"' in read(site / "versions.html")
    assert 'href="changes.html"' in read(site / "1.2/book/intro.html")


def test_a_version_that_is_gone_is_told_before_a_book_is_made(published: tuple[Path, Path], tmp_path: Path) -> None:
    root, start = published
    site = copied(start, tmp_path / "site")
    (site / "1.0/manifest.json").unlink()
    said: list[str] = []
    with pytest.raises(EvalreportError, match=r"1\.0/manifest\.json: is missing"):
        publish(read_project(root), "1.2", site=site, say=said.append)
    assert said == []


@pytest.mark.parametrize("place", ["data/site", "data", ".", "_build/site"])
def test_a_site_and_what_it_is_made_of_stand_apart(published: tuple[Path, Path], place: str) -> None:
    root, _ = published
    before = contents(root)
    with pytest.raises(EvalreportError, match=r"lie in each other|is of the project itself"):
        publish(read_project(root), "9.0", site=root / place)
    assert contents(root) == before
