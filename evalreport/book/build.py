"""From a project to a book: read, compute, audit, notebooks, gates, Sphinx, gates, and only then in its place.

Everything is made in `_build/work`, which starts empty. Whatever goes wrong, the book that was there stays as it was.
"""

from __future__ import annotations

import datetime
import json
import os
import pickle
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalreport import suites as registry
from evalreport.book import cache, sources, swap, toc
from evalreport.core.exact import csv_text
from evalreport.core.privacy import Privacy
from evalreport.core.slug import slug
from evalreport.core.suite import InputFile, PageJob, Suite
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.project import Project, SuiteChoice, setting_text
from evalreport.report.audit import audit_lines
from evalreport.report.metadata import BookWords, book_metadata, data_digest

Say = Callable[[str], None]
WORK = "work"
HTML = "html"
PUBLIC = "public"


@dataclass(frozen=True)
class Made:
    """One suite of the book after it was computed."""

    suite: Suite[Any, Any]
    choice: SuiteChoice
    records: Any
    results: Any
    data: tuple[Path, ...]  # what was read: the files of the project, or what the policy lets be shown of them
    originals: Mapping[str, InputFile]  # by the path of the file that was read instead


def build(project: Project, *, fresh: bool = False, engine: str = "fork", say: Say = lambda _: None) -> Path:
    """Make the book of a project and return its folder; when nothing changed since the last time, do nothing.

    `fresh` makes it anyway. `engine` is "fork" or "kernel". `say` is told what is being done. Raises
    `EvalreportError` with all problems of the step that failed.
    """
    place = project.build_folder / HTML
    with swap.locked(project.build_folder):
        key = cache.build_key(project, sources.source_roots(project.root), engine=engine)
        if not fresh and cache.is_current(project.build_folder, place, key):
            say("nothing changed")
            return place
        workspace = project.build_folder / WORK
        shutil.rmtree(workspace, ignore_errors=True)
        swap.put_in_place(make_book(workspace, project, engine=engine, say=say), place)
        cache.write_stamp(project.build_folder, place, key)
    return place


@dataclass(frozen=True)
class Additions:
    """What a published version has beyond a book.

    `versions` is the address of the list of versions from the book's root. `pages` gives sources by file name below
    the source folder, `finish` puts files into the finished pages; both are told what was made.
    """

    versions: str = ""
    pages: Callable[[Sequence[Made]], Mapping[str, str]] = lambda _made: {}
    finish: Callable[[Path, Sequence[Made]], None] = lambda _html, _made: None


def make_book(
    workspace: Path,
    project: Project,
    *,
    engine: str = "fork",
    say: Say = lambda _: None,
    additions: Additions = Additions(),
) -> Path:
    """Make the book in an empty or absent folder and return where its pages are; what is in its place stays there."""
    from evalreport.book import links, sphinx_run

    made = [_computed(choice, project.privacy, workspace, say) for choice in project.suites]
    _audited(made, say)
    date = project.date or _date_of_the_moment()
    words = BookWords(
        title=project.title,
        authors=project.authors,
        version=project.version,
        date=date,
        url=project.url,
        licence=project.licence,
        doi=project.doi,
    )
    inputs = {part.suite.name: part.suite.inputs(part.records) for part in made}
    metadata = book_metadata(
        words,
        settings={part.suite.name: scope_texts(part) for part in made},
        declared={part.suite.name: part.suite.settings for part in made},
        data_sha256=data_digest(inputs),
        code_version=cache.code_version(),
    )
    metadata["versions"] = additions.versions
    source = workspace / "src"
    sources.copy_sources(project.root, source, title=project.title, author=", ".join(project.authors))
    _write_json(source / "_evalreport" / "book.json", metadata)
    _copy_data(made, workspace)
    jobs = _pages(made, project, workspace, metadata, engine=engine, say=say)
    numbers = dict(number for part in made for number in published_numbers(part.suite, part.results))
    _write_json(source / "_evalreport" / "numbers.json", numbers)
    added = additions.pages(made)
    for name, text in added.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, "utf-8")
    _contents(project, source, jobs, added=[name.removesuffix(".md") for name in added])
    say("setting the pages")
    problems = Problems()
    problems.extend(_problems_of_written_notebooks(source))
    try:
        html = sphinx_run.run_sphinx(source, workspace / "out", log=workspace / "sphinx.log", epoch=_epoch(date))
    except EvalreportError as error:
        problems.extend(error.problems)
    else:
        additions.finish(html, made)
        say("checking the pages")
        problems.extend(links.book_problems(html, private=str(workspace)))
    problems.check()
    return html


def scope_texts(part: Made) -> dict[str, str]:
    """What every page states of a suite: its settings, and what its data decided."""
    return {**setting_texts(part.choice), **part.suite.scope(part.results)}


def setting_texts(choice: SuiteChoice) -> dict[str, str]:
    """The settings of a suite as the texts that stand on every page."""
    return {name: setting_text(value) for name, value in sorted(choice.settings.values.items())}


def read_public(
    choice: SuiteChoice, privacy: Privacy, folder: Path
) -> tuple[Any, tuple[Path, ...], Mapping[str, InputFile]]:
    """The records of a suite as the policy lets them be shown, what was read for them, and the original of each file.

    The originals are read and checked first; what they hold that may not be shown never comes into the book, because
    the book is made of files in `folder` that do not have it.
    """
    suite = registry.all_suites()[choice.name]
    records = suite.read(choice.paths, choice.settings)
    if suite.public is None or privacy.shows_all:
        return records, choice.paths, {}
    originals = {file.path: file for file in suite.inputs(records)}
    folder.mkdir(parents=True)
    of = suite.public(choice.paths, records, privacy, folder)
    return suite.read([folder], choice.settings), (folder,), {path: originals[name] for path, name in of.items()}


def _computed(choice: SuiteChoice, privacy: Privacy, workspace: Path, say: Say) -> Made:
    from evalreport.core.results import write_results
    from evalreport.report.pages import RESULTS, STATE, State

    suite = registry.all_suites()[choice.name]
    say(f"reading {suite.title}")
    records, data, originals = read_public(choice, privacy, workspace / PUBLIC / suite.name)
    say(f"computing {suite.title}")
    results = suite.compute(records, choice.settings)
    folder = workspace / RESULTS / suite.name
    write_results(
        folder,
        suite=suite.name,
        settings=choice.settings,
        inputs=suite.inputs(records),
        tables=suite.tables(results),
        values=suite.values(results),
        texts=suite.texts(results),
    )
    (folder / STATE).write_bytes(pickle.dumps(State(suite.name, choice.settings, results)))
    return Made(suite, choice, records, results, data, originals)


def _audited(made: Sequence[Made], say: Say) -> None:
    problems = Problems()
    for part in made:
        say(f"auditing {part.suite.title}")
        try:
            audit_lines(part.suite.audit(part.results))
        except EvalreportError as error:
            problems.extend(error.problems)
    problems.check()


def _pages(
    made: Sequence[Made],
    project: Project,
    workspace: Path,
    metadata: Mapping[str, object],
    *,
    engine: str,
    say: Say,
) -> list[PageJob]:
    from evalreport.book import notebooks
    from evalreport.book.reference_pages import SuiteInputs, write_reference_pages
    from evalreport.scale.executors import available

    jobs = [job for part in made for job in part.suite.pages(part.results)]
    paths = sources.templates(project.root)
    wanted = sorted({job.notebook for job in jobs} & paths.keys())
    templates = {name: notebooks.read_template(paths[name]) for name in wanted}
    execution = notebooks.Execution(workspace, metadata, engine)
    target = workspace / "src" / toc.GENERATED
    notebooks.execute(jobs, templates, target, execution=execution, run=available(), say=say)
    parts = [
        SuiteInputs(
            p.suite,
            p.choice,
            p.suite.inputs(p.records),
            p.suite.ignored(p.records),
            p.suite.scope(p.results),
            p.suite.remarks(p.results),
        )
        for p in made
    ]
    write_reference_pages(workspace, project, parts, data_sha256=str(metadata["data_sha256"]))
    return jobs


def _problems_of_written_notebooks(source: Path) -> Iterator[Problem]:
    """Notebooks among the pages written by hand are published as they are: they must have been run, to the end."""
    from evalreport.book.gates import notebook_problems
    from evalreport.book.notebooks import read_notebook

    for path in sources.written_notebooks(source):
        yield from notebook_problems(read_notebook(path), path.relative_to(source).as_posix())


def _contents(project: Project, source: Path, jobs: Sequence[PageJob], *, added: Sequence[str]) -> None:
    from evalreport.book.reference_pages import DATA, PARAMETERS

    generated = [f"{toc.GENERATED}{name}" for name in (*(job.docname for job in jobs), PARAMETERS, DATA)]
    written = [name for name in toc.written_pages(source) if name not in set(generated)]
    absent = sorted(set(registry.all_suites()) - {choice.name for choice in project.suites})
    text = sources.source_file(project.root, sources.TOC).read_text("utf-8-sig")
    resolved = toc.resolved(text, toc.Pages(generated, written, added), absent=absent)
    (source / sources.TOC).write_text(resolved, "utf-8")


def _copy_data(made: Sequence[Made], workspace: Path) -> None:
    """The files of `evalreport compute`, at stable addresses beside the pages."""
    for part in made:
        target = workspace / "src" / "_extra" / "data" / part.suite.name
        target.mkdir(parents=True)
        for file in sorted((workspace / "results" / part.suite.name).iterdir()):
            if file.suffix in {".csv", ".json", ".md", ".tex"}:
                shutil.copyfile(file, target / file.name)


def published_numbers(suite: Suite[Any, Any], results: object) -> Iterator[tuple[str, dict[str, str]]]:
    """Every published number by its id (`benchmark.pass_rate/aurora-2/2`): its text in prose, where it is audited."""
    for found in suite.values(results):
        metric = suite.declarations.metrics.get(found.metric)
        text = csv_text(found.value, metric.decimals if metric else 4) or "–"
        place = suite.address(results, found) if suite.address else ""
        yield "/".join([found.metric, *(slug(text) for _, text in found.of)]), {"text": text, "address": place}


def _date_of_the_moment() -> str:
    """The date of SOURCE_DATE_EPOCH, if the surroundings name one; never that of the clock."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date().isoformat() if epoch.isdecimal() else ""


def _epoch(date: str) -> str:
    if not date:
        return ""
    day = datetime.datetime.fromisoformat(date).replace(tzinfo=datetime.UTC)
    return str(int(day.timestamp()))


def _write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False, sort_keys=True, allow_nan=False, indent=1) + "\n", "utf-8")
