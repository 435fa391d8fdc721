"""Sites for tests: of the toy project, made once, and of folders that are no books but have a manifest."""

from __future__ import annotations

import shutil
from pathlib import Path

from evalreport.project import Project
from evalreport.publish import manifest as manifests
from evalreport.publish import versions
from evalreport.publish.manifest import Manifest
from evalreport.publish.site import held
from evalreport.publish.versions import Entry


def write_version(folder: Path, version: str) -> str:
    """A folder like that of a published version, with three pages; returns the sha256 of its manifest."""
    for name in ("index.html", "book/intro.html", f"book/only-in-{version}.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"<!DOCTYPE html><title>{name} of {version}</title>", "utf-8")
    manifest = Manifest(
        schema=manifests.SCHEMA, title="Small", authors=[], version=version, date="2026-01-01", licence="", address="",
        data_sha256="", code_version="0", code_commit="", project_commit="", python="3", packages={}, privacy={},
        suites={}, files=manifests.listing(folder),
    )  # fmt: skip
    (folder / manifests.NAME).write_bytes(manifests.encode(manifest))
    return manifests.digest(folder / manifests.NAME)[0]


def entry(version: str, sha256: str = "0" * 64) -> Entry:
    """A line of a list of versions."""
    return Entry(version=version, name=version, url=f"../{version}/", date="2026-01-01", title="Small", manifest=sha256)


def add_version(site: Path, version: str) -> None:
    """Let a site have one version more, without making a book."""
    with held(site) as place, place.work() as work:
        made = work / "html"
        made.mkdir()
        sha256 = write_version(made, version)
        place.change(work, versions.arranged([*place.entries(), entry(version, sha256)]), version=version, made=made)


def copied(site: Path, target: Path) -> Path:
    """A site of its own for a test that changes it."""
    shutil.copytree(site, target, symlinks=True)
    return target


def dated(project: Project) -> Path:
    """The folder of a project with a date and an address, whose pages show the version and what changed."""
    contents, config = project.root / "_toc.yml", project.root / "_config.yml"
    contents.write_text(contents.read_text("utf-8") + "  - glob: book/*\n", "utf-8")
    sidebar = "[navbar-logo.html, er-version.jinja, search-button-field.html, sbt-sidebar-nav.html]"
    config.write_text(f"{config.read_text('utf-8')}    html_sidebars: {{'**': {sidebar}}}\n", "utf-8")
    file = project.root / "evalreport.yml"
    file.write_text(file.read_text("utf-8") + "date: 2026-01-01\nurl: https://example.org/results\n", "utf-8")
    return project.root
