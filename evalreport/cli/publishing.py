"""The verbs around published versions: `init`, `publish`, `verify`, `diff`, `withdraw`, `bundle`."""

from __future__ import annotations

from pathlib import Path

import click

from evalreport.cli.answers import DEBUG, JSON, Answers, counted


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--suites", metavar="NAMES", default="", help="Only these suites, with commas between them.")
@click.option("--pages", is_flag=True, help="Also copy configuration, contents, pages and notebooks, to change them.")
@JSON
@DEBUG
def init(folder: Path, suites: str, pages: bool, as_json: bool, debug: bool) -> None:
    """Write a new project into FOLDER, with a small sample that builds at once. No file is ever written over."""
    answers = Answers(as_json, debug)
    with answers.refusals():
        from evalreport.publish.init import init_project

        names = [name for name in map(str.strip, suites.split(",")) if name]
        files = init_project(folder, suites=names, pages=pages)
        answers.answer([str(file) for file in files], {"files": list(map(str, files))})
    answers.next_step(f"{counted(len(files), 'file')} written. {folder / 'README.md'} says what to put where.")
    answers.next_step(f"To make the book of the sample: evalreport build {folder}")


VERBS = (init,)
