"""One version as one file: the same bytes each time, with its checksum, never of a version that was changed."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import msgspec
import pytest

from evalreport.errors import EvalreportError
from evalreport.publish.bundle import bundle
from evalreport.publish.manifest import NAME, encode, read_manifest
from evalreport.publish.verify import verify
from evalreport.report.citation import Cited, book_bibtex, citation_cff, suggested_citation
from tests.publish.made import add_version


@pytest.fixture
def version(tmp_path: Path) -> Path:
    add_version(tmp_path / "site", "1.0")
    return tmp_path / "site/1.0"


def test_a_bundle_holds_the_whole_version_and_still_verifies(version: Path, tmp_path: Path) -> None:
    found = bundle(version, out=tmp_path / "out", doi="10.5281/zenodo.1234567")
    sha256, name = found.checksum.read_text("utf-8").split()
    assert (sha256, name) == (hashlib.sha256(found.archive.read_bytes()).hexdigest(), "small-1.0.zip")
    with zipfile.ZipFile(found.archive) as file:
        file.extractall(tmp_path / "unpacked")
    assert verify(tmp_path / "unpacked/small-1.0").files == 3
    deposit = json.loads(found.metadata.read_text("utf-8"))["metadata"]
    assert (deposit["doi"], deposit["version"]) == ("10.5281/zenodo.1234567", "1.0")
    assert (deposit["upload_type"], deposit["publication_date"]) == ("dataset", "2026-01-01")


def test_packing_twice_gives_the_same_bytes(version: Path, tmp_path: Path) -> None:
    one, other = (bundle(version, out=tmp_path / name).archive.read_bytes() for name in ("a", "b"))
    assert one == other


@pytest.mark.parametrize(("stated", "told"), [("CC-BY-4.0", "cc-by-4.0"), ("all rights reserved", None), ("", None)])
def test_only_the_name_of_a_licence_is_told_to_the_archive(
    version: Path, tmp_path: Path, stated: str, told: str | None
) -> None:
    manifest = msgspec.structs.replace(read_manifest(version), licence=stated)
    (version / NAME).write_bytes(encode(manifest))
    deposit = json.loads(bundle(version, out=tmp_path / "out").metadata.read_text("utf-8"))["metadata"]
    assert deposit.get("license") == told


def test_a_link_in_place_of_a_file_is_not_packed(version: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.html").write_bytes((version / "index.html").read_bytes())
    (version / "index.html").unlink()
    (version / "index.html").symlink_to(tmp_path / "copy.html")
    with pytest.raises(EvalreportError, match=r"1\.0/index\.html: is a link; expected the file itself"):
        bundle(version, out=tmp_path / "out")


def test_nothing_is_written_over_and_no_changed_version_is_packed(version: Path, tmp_path: Path) -> None:
    bundle(version, out=tmp_path / "out")
    with pytest.raises(EvalreportError, match="is there already"):
        bundle(version, out=tmp_path / "out")
    (version / "index.html").write_text("mine", "utf-8")
    with pytest.raises(EvalreportError, match="was changed"):
        bundle(version, out=tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("doi", ["zenodo.123", "10.5281", "10.5281/a b", 'https://doi.org/10.1/"'])
def test_what_is_no_doi_is_refused(version: Path, tmp_path: Path, doi: str) -> None:
    with pytest.raises(EvalreportError, match="expected a DOI"):
        bundle(version, out=tmp_path, doi=doi)


def test_a_doi_stands_in_every_citation_of_the_version() -> None:
    book = Cited("Small", ("A Group",), "1.0", "2026-01-01", "https://example.org/1.0", doi="10.5281/zenodo.1234567")
    assert "doi     = {10.5281/zenodo.1234567}" in book_bibtex(book)
    assert 'doi: "10.5281/zenodo.1234567"' in citation_cff(book)
    assert suggested_citation(book) == "A Group (2026). Small, version 1.0. https://doi.org/10.5281/zenodo.1234567"
