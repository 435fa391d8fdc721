"""`evalreport publish`: a fresh book becomes a version of a site, which stays as it is for ever."""

from __future__ import annotations

import datetime
import json
import platform
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from evalreport.book import cache
from evalreport.book.build import Additions, Made, Say, make_book
from evalreport.book.reference_pages import package_versions
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.project import DOI, Project
from evalreport.publish import environment, manifest, versions
from evalreport.publish.changes import Changes, changes_between, markdown, summary, without_what_is_gone
from evalreport.publish.crate import write_crate
from evalreport.publish.facts import facts_of_made, facts_of_suite, facts_of_version
from evalreport.publish.manifest import Manifest
from evalreport.publish.recompute import recompute_source
from evalreport.publish.results_schema import RESULTS_SCHEMA
from evalreport.publish.site import held
from evalreport.publish.verify import version_problems
from evalreport.publish.versions import Entry
from evalreport.report.citation import Cited, citation_cff
from evalreport.report.escape import url_path
from evalreport.report.metadata import data_digest

LIST = "../versions.json"  # from the root of a version
PAGE = "book/changes.md"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """How a version is published: with its inputs beside it, with the wheel of the program, by which engine."""

    with_data: bool = False
    wheel: Path | None = None
    engine: str = "fork"
    date: str = ""
    doi: str = ""


def publish(
    project: Project, version: str, *, site: Path, wanted: Wanted = Wanted(), say: Say = lambda _: None
) -> Path:
    """Publish a project as a version of a site and return the version's folder.

    Raises `EvalreportError` when the version cannot be: no version as in PEP 440, already there, or a book with
    problems. Then, and when the program is ended at any moment, the site is as before.
    """
    versions.meaning(version)
    _check_new(version, versions.read_versions(site))
    versions.check_name(version)
    _check_wanted(wanted)
    _check_apart(project, site)
    with held(site) as place, place.work() as work:
        entries = place.entries()
        _check_new(version, entries)
        place.check_free(version)
        _check_kept(site, entries)
        dated = _of_version(project, version, wanted)
        before = versions.predecessor(entries, version)
        maker = _Maker(dated, wanted, site / before.version if before else None)
        html = make_book(
            work / "book", dated, engine=wanted.engine, say=say,
            additions=Additions(LIST, maker.pages, maker.finish),
        )  # fmt: skip
        (html / manifest.NAME).write_bytes(manifest.encode(maker.manifest(html)))
        say("verifying the version")
        problems = list(version_problems(html, version))
        if problems:
            raise EvalreportError(*problems)
        entry = maker.entry(html)
        place.change(work, versions.arranged([*entries, entry]), version=version, made=html)
    return site / version


def _check_apart(project: Project, site: Path) -> None:
    """A site below the data would be read as data, and one at the root of the project would mix with it."""
    place, problems = site.resolve(), Problems()
    for choice in project.suites:
        for path in choice.paths:
            if place.is_relative_to(path) or path.is_relative_to(place):
                expected = "a folder apart from the data"
                problems.add(
                    str(site), f"and the data of {choice.name} lie in each other", expected, kind="output_in_input"
                )
    if place == project.root or place.is_relative_to(project.build_folder):
        problems.add(str(site), "is of the project itself", "a folder of its own", kind="output_in_input")
    problems.check()


def _check_wanted(wanted: Wanted) -> None:
    problems = Problems()
    if wanted.doi and not DOI.fullmatch(wanted.doi):
        problems.add("doi", f"is {wanted.doi!r}", "a DOI such as 10.5281/zenodo.1234567", kind="doi")
    if wanted.date and not _is_date(wanted.date):
        problems.add("date", f"is {wanted.date!r}", "a date as YYYY-MM-DD", kind="date")
    if wanted.wheel is not None and not wanted.wheel.is_file():
        problems.add(str(wanted.wheel), "is not there", "the wheel of the program", kind="no_wheel")
    problems.check()


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _check_new(version: str, entries: Sequence[Entry]) -> None:
    same = versions.listed(entries, version)
    if same is not None:
        state = "withdrawn" if same.status == "withdrawn" else "published"
        what = f"{same.version} was {state} on {same.date} and never changes"
        raise EvalreportError(Problem("version", what, "another version", "published"))


def _check_kept(site: Path, entries: Sequence[Entry]) -> None:
    """What stands at the root is made of all versions: one that is gone is told before a book is made, not after."""
    problems = Problems()
    for entry in entries:
        try:
            manifest.read_manifest(site / entry.version)
        except EvalreportError as error:
            problems.extend(error.problems)
    problems.check()


def _of_version(project: Project, version: str, wanted: Wanted) -> Project:
    url = f"{project.url.rstrip('/')}/{url_path(version)}" if project.url else ""
    date = wanted.date or project.date or datetime.datetime.now(datetime.UTC).date().isoformat()
    return replace(project, version=version, url=url, date=date, doi=wanted.doi or project.doi)


class _Maker:
    """Makes what a version has beyond a book, while the book is made."""

    def __init__(self, project: Project, wanted: Wanted, before: Path | None) -> None:
        self._project = project
        self._wanted = wanted
        self._before = before  # the folder of the version that this one is compared with
        self._made: Sequence[Made] = ()
        self._changes: Changes | None = None

    def pages(self, made: Sequence[Made]) -> Mapping[str, str]:
        """The page that tells what changed since the version before."""
        self._made = made
        if self._before is None:
            return {}
        facts = facts_of_made(made, version=self._project.version, packages=package_versions())
        self._changes = changes_between(facts_of_version(self._before), facts)
        return {PAGE: markdown(without_what_is_gone(self._changes), page=True)}

    def finish(self, html: Path, made: Sequence[Made]) -> None:
        """Everything that stands beside the pages, but the manifest."""
        project = self._project
        book = Cited(
            project.title, project.authors, project.version, project.date, project.url, project.licence, doi=project.doi
        )
        texts = {
            "CITATION.cff": citation_cff(book),
            "requirements.txt": environment.lock_text(),
            "recompute.py": recompute_source(sorted(part.suite.name for part in made)),
            "schemas/manifest.schema.json": _json(manifest.json_schema()),
            "schemas/results.schema.json": _json(RESULTS_SCHEMA),
        }
        if self._changes is not None:
            texts |= {"changes.json": _json(without_what_is_gone(self._changes).document())}
        for name, text in texts.items():
            (html / name).parent.mkdir(parents=True, exist_ok=True)
            (html / name).write_text(text, "utf-8")
        wheel = self._wanted.wheel or environment.installed_wheel()
        if wheel is not None:
            shutil.copyfile(wheel, html / wheel.name)
        if self._wanted.with_data:
            for part in made:
                _archive(part, html / "inputs" / part.suite.name)
        write_crate(html, self._project, made)

    def manifest(self, html: Path) -> Manifest:
        """The manifest of the finished version."""
        project = self._project
        inputs = {part.suite.name: part.suite.inputs(part.records) for part in self._made}
        return Manifest(
            schema=manifest.SCHEMA,
            title=project.title,
            authors=list(project.authors),
            version=project.version,
            date=project.date,
            licence=project.licence,
            address=project.url,
            doi=project.doi,
            data_sha256=data_digest(inputs),
            code_version=cache.code_version(),
            code_commit=environment.code_commit(),
            project_commit=environment.commit_of(project.root),
            python=platform.python_version(),
            packages=package_versions(),
            privacy=asdict(project.privacy),
            suites={part.suite.name: facts_of_suite(part) for part in self._made},
            files=manifest.listing(html),
        )

    def entry(self, html: Path) -> Entry:
        """The line of the finished version in the list of versions."""
        project = self._project
        sha256, _ = manifest.digest(html / manifest.NAME)
        page = PAGE.replace(".md", ".html")
        return Entry(
            version=project.version,
            name=project.version,
            url=f"../{url_path(project.version)}/",
            date=project.date,
            title=project.title,
            manifest=sha256,
            address=project.url,
            changes=page if (html / page).is_file() else "",
            summary=summary(self._changes) if self._changes else "The first version.",
        )


def _archive(part: Made, folder: Path) -> None:
    """The files that were read, as they were read, at the paths that the manifest gives them."""
    from evalreport.formats.inputs import find

    read = {file.path for file in part.suite.inputs(part.records)}
    for file in find(part.data).files:
        if file.path in read:
            (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(file.root, file.name), folder / file.path)


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"
