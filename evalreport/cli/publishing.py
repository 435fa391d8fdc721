"""The verbs around published versions: `init`, `publish`, `verify`, `diff`, `withdraw`, `bundle`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from evalreport.cli.answers import DEBUG, JSON, Answers, counted
from evalreport.project import read_project

CHANGED = 3  # the exit code of a comparison in which numbers changed


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--suites", metavar="NAMES", default="", help="Only these suites, with commas between them.")
@click.option("--pages", is_flag=True, help="Also copy configuration, contents, pages and notebooks, to change them.")
@JSON
@DEBUG
def init(folder: Path, suites: str, pages: bool, as_json: bool, debug: bool) -> None:
    """Write a new project with a small sample into FOLDER.

    The sample builds at once. No file is ever written over.
    """
    answers = Answers(as_json, debug)
    with answers.refusals():
        from evalreport.publish.init import init_project

        names = [name for name in map(str.strip, suites.split(",")) if name]
        files = init_project(folder, suites=names, pages=pages)
        answers.answer([str(file) for file in files], {"files": list(map(str, files))})
    answers.next_step(f"{counted(len(files), 'file')} written. {folder / 'README.md'} says what to put where.")
    answers.next_step(f"To make the book of the sample: evalreport build {folder}")


@click.command()
@click.argument("project", default=".", type=click.Path(path_type=Path))
@click.option("--version", "version", required=True, help="The version, as in PEP 440: 1.0, 1.10.2, 2.0rc1.")
@click.option("--site", required=True, type=click.Path(path_type=Path), help="The folder of the site.")
@click.option("--with-data", is_flag=True, help="Put the inputs beside the pages, as the policy lets them be shown.")
@click.option("--wheel", type=click.Path(path_type=Path), help="The wheel of this program, to keep with the version.")
@click.option("--date", default="", metavar="DATE", help="When it is published; the project's date or today.")
@click.option("--doi", default="", help="The DOI that an archive reserved for this version; every citation shows it.")
@click.option("--engine", type=click.Choice(["fork", "kernel"]), default="fork", help="What runs the notebooks.")
@JSON
@DEBUG
def publish(
    project: Path,
    version: str,
    site: Path,
    with_data: bool,
    wheel: Path | None,
    date: str,
    doi: str,
    engine: str,
    as_json: bool,
    debug: bool,
) -> None:
    """Publish a PROJECT as a version of a site.

    A version is a fresh book in a folder that never changes again. The site is as it was until the version is complete
    and verified; nothing can publish a version twice.
    """
    answers = Answers(as_json, debug)
    with answers.refusals():
        from evalreport.publish.publishing import Wanted
        from evalreport.publish.publishing import publish as publish_version

        wanted = Wanted(with_data=with_data, wheel=wheel, engine=engine, date=date, doi=doi)
        with answers.progress() as say:
            place = publish_version(read_project(project), version, site=site, wanted=wanted, say=say)
        answers.answer([str(place)], {"version": version, "folder": str(place)})
    answers.next_step(f"Version {version} is published. To check all of the site: evalreport verify {site}")


@click.command()
@click.argument("place", type=click.Path(path_type=Path))
@click.option(
    "--data", multiple=True, type=click.Path(path_type=Path), help="The inputs of the version, to compute it again."
)
@JSON
@DEBUG
def verify(place: Path, data: tuple[Path, ...], as_json: bool, debug: bool) -> None:
    """Check that a site is what was published.

    PLACE is a site, or one version of it (SITE/V). With the inputs of the version, every number is computed again.
    """
    answers = Answers(as_json, debug)
    with answers.refusals():
        from evalreport.publish.verify import verify as verified

        with answers.progress() as say:
            found = verified(place, data=data, say=say)
        lines = [
            f"{counted(len(found.versions), 'version')}: {', '.join(found.versions)}",
            f"{counted(found.files, 'file')} as published, none too many",
            f"{counted(found.numbers, 'number')} computed again, all equal",
        ]
        document = {"problems": [], "versions": found.versions, "files": found.files, "numbers": found.numbers}
        answers.answer(lines if found.numbers else lines[:2], document)


@click.command()
@click.argument("site", type=click.Path(path_type=Path))
@click.argument("versions", nargs=-1, metavar="[OLD [NEW]]")
@click.option(
    "--project", type=click.Path(path_type=Path), default=".", help="What is not published yet, when NEW is left out."
)
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text")
@JSON
@DEBUG
def diff(site: Path, versions: tuple[str, ...], project: Path, form: str, as_json: bool, debug: bool) -> None:
    """Tell what changed from one version to another.

    That is inputs, settings, formulas, numbers and ranks. Without NEW the project is computed as it would be published;
    without OLD it is compared with the version before.
    Exit code 0: no number changed; 3: some did.
    """
    if len(versions) > 2:
        raise click.UsageError("at most two versions")
    answers = Answers(as_json or form == "json", debug)
    with answers.refusals():
        from evalreport.publish import changes as words
        from evalreport.publish.comparing import compared

        found = compared(site, versions, project=project)
        text = words.markdown(found) if form == "markdown" else words.text(found)
        answers.answer([text.rstrip("\n")], found.document())
    sys.exit(CHANGED if found.numbers else 0)


@click.command()
@click.argument("site", type=click.Path(path_type=Path))
@click.argument("version")
@click.option("--why", default="", help="The reason, in a sentence; every page of the version shows it.")
@click.option(
    "--superseded-by", default="", metavar="VERSION", help="The version to use instead; it may be named later, alone."
)
@JSON
@DEBUG
def withdraw(site: Path, version: str, why: str, superseded_by: str, as_json: bool, debug: bool) -> None:
    """Withdraw a VERSION of a SITE.

    Its files stay as they are, and its pages say that it is withdrawn, and why.
    """
    answers = Answers(as_json, debug)
    with answers.refusals():
        from evalreport.publish.withdrawal import withdraw as withdrawn

        withdrawn(site, version, why=why, superseded_by=superseded_by)
        answers.answer([f"{version} is withdrawn"], {"version": version, "status": "withdrawn"})


@click.command()
@click.argument("version", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), default=".", help="Where the files go; this folder if left out."
)
@click.option("--doi", default="", help="The DOI that an archive reserved for the deposit.")
@JSON
@DEBUG
def bundle(version: Path, out: Path, doi: str, as_json: bool, debug: bool) -> None:
    """Pack a VERSION into one zip for an archive.

    VERSION is SITE/V. Its checksum and the metadata of a deposit stand beside the zip.
    """
    answers = Answers(as_json, debug)
    with answers.refusals():
        from evalreport.publish.bundle import bundle as bundled

        found = bundled(version, out=out, doi=doi)
        files = [str(found.archive), str(found.checksum), str(found.metadata)]
        answers.answer(files, {"files": files})


VERBS = (init, publish, verify, diff, withdraw, bundle)
