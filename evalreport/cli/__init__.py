"""The verbs: `evalreport check`, `compute`, `build`, `list`. Options of a suite come from its declarations.

Answers go to standard output, everything else to standard error. Exit codes: 0 done, 1 the input or the data is at
fault, 2 usage. Heavy libraries are loaded by the verbs that need them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import evalreport
from evalreport import suites as registry
from evalreport.cli.answers import DEBUG, JSON, Answers, counted
from evalreport.cli.execution import SERIAL, executor_options, reading
from evalreport.cli.listing import LISTS, print_table
from evalreport.cli.options import check_present, given_settings, json_and_debug, paths_and_out, setting_option
from evalreport.cli.publishing import VERBS
from evalreport.cli.suite_commands import Verbs, tell_ignored
from evalreport.core.names import nearest
from evalreport.core.suite import NOTHING_OF_ITS_OWN, Settings, Suite
from evalreport.errors import EvalreportError, Problems
from evalreport.project import FILE, read_project

PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(evalreport.__version__, prog_name="evalreport")
def main() -> None:
    """Evaluation results as a book in which every number stands beside its formula."""


@main.command()
@PATHS
@click.option("--suite", "suite_name", metavar="SUITE", help="Which suite the files belong to.")
@JSON
@DEBUG
def check(paths: tuple[Path, ...], suite_name: str | None, as_json: bool, debug: bool) -> None:
    """Read and validate everything; list every problem.

    PATHS are the files and folders of one suite, or the folder of a project (with an evalreport.yml).
    """
    answers = Answers(as_json, debug)
    with answers.refusals():
        if len(paths) == 1 and (paths[0].name == FILE or (paths[0] / FILE).is_file()) and suite_name is None:
            found = _checked_project(paths[0])
        elif suite_name is not None:
            suite = _suite(suite_name)
            found = {suite.name: _read(suite, paths, Settings(_defaults(suite)))}
        else:
            found = _read_by_any(paths)
        lines = [f"{name}: {counted(len(files), 'file')} read, all sound" for name, files in found.items()]
        answers.answer(lines, {"problems": [], "files": found})


@main.command(name="build")
@click.argument("project", default=".", type=click.Path(path_type=Path))
@click.option("--fresh", is_flag=True, help="Make the book even if nothing changed.")
@click.option(
    "--engine",
    type=click.Choice(["fork", "kernel"]),
    default="fork",
    show_default=True,
    help="What runs the notebooks: forks of this process, or a Jupyter kernel for each.",
)
@JSON
@DEBUG
def build_command(project: Path, fresh: bool, engine: str, as_json: bool, debug: bool) -> None:
    """Make the book of a PROJECT.

    PROJECT is a folder with an evalreport.yml; this one when left out.
    """
    answers = Answers(as_json, debug)
    with answers.refusals():
        read = read_project(project)
        from evalreport.book.build import build

        steps: list[str] = []
        with answers.progress() as say:

            def note(step: str) -> None:
                steps.append(step)
                say(step)

            place = build(read, fresh=fresh, engine=engine, say=note)
        unchanged = steps == ["nothing changed"]
        answers.answer([str(place)], {"book": str(place), "changed": not unchanged})
    said = "Nothing changed: the book is as it was." if unchanged else "The book is made."
    answers.next_step(f"{said} Open {place / 'index.html'} in a browser.")


class _SuiteCommands(click.Group):
    """One command for each suite, with its settings as options; a suite is loaded when its command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of the suites."""
        return sorted(registry.all_suites())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a suite."""
        suite = registry.all_suites().get(cmd_name)
        return None if suite is None else _compute_command(suite)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the suites when there is none of this name."""
        if args and args[0] not in registry.all_suites():
            raise click.UsageError(f"{args[0]} is no suite; expected {nearest(args[0], registry.all_suites())}", ctx)
        return super().resolve_command(ctx, args)


@main.group(cls=_SuiteCommands, subcommand_metavar="SUITE PATHS... --out DIR [OPTIONS]")
def compute() -> None:
    """Compute the CSV files and results.json of one suite."""


def _compute_command(suite: Suite[Any, Any]) -> click.Command:
    def run(
        paths: tuple[Path, ...],
        out: Path,
        as_json: bool,
        debug: bool,
        executor: str = SERIAL,
        scheduler: str | None = None,
        **options: str | bool | tuple[str, ...] | None,
    ) -> None:
        from evalreport.core.results import check_output, write_results

        answers = Answers(as_json, debug)
        settings = given_settings(suite, options)
        read = reading(suite, executor, scheduler)
        with answers.refusals():
            check_present(paths)
            check_output(out, paths)
            with answers.progress() as say:
                say(f"reading {suite.title}")
                records = read(paths, settings)
                say(f"computing {suite.title}")
                results = suite.compute(records, settings)
            files = write_results(
                out,
                suite=suite.name,
                settings=settings,
                inputs=suite.inputs(records),
                tables=suite.tables(results),
                values=suite.values(results),
                texts=suite.texts(results),
                sources=paths,
            )
            ignored = list(suite.ignored(records))
            answers.answer([str(file) for file in files], {"files": list(map(str, files)), "ignored": ignored})
        tell_ignored(answers, ignored)
        answers.next_step(f"{counted(len(files), 'file')} in {out}. To make a book of them: evalreport build.")

    options = [
        *paths_and_out(),
        *(setting_option(setting) for setting in suite.settings),
        *executor_options(suite),
        *json_and_debug(),
    ]
    return click.Command(suite.name, params=options, callback=run, help=suite.summary)


@main.command(name="list")
@click.argument("what", type=click.Choice(list(LISTS)))
@JSON
@DEBUG
def list_command(what: str, as_json: bool, debug: bool) -> None:
    """List what this program knows, from the declarations."""
    rows = LISTS[what]()
    lines = ["\t".join(str(value) for value in row.values()) for row in rows]
    if sys.stdout.isatty() and not as_json:
        print_table(rows)
    else:
        Answers(as_json, debug).answer(lines, rows)


def _suite(name: str) -> Suite[Any, Any]:
    known = registry.all_suites()
    if name not in known:
        raise click.UsageError(f"{name} is no suite; expected {nearest(name, known)}")
    return known[name]


def _read_by_any(paths: Sequence[Path]) -> dict[str, list[str]]:
    """What the one suite read that knows these files; a usage error when there are none or several."""
    check_present(paths)
    known, found, refused = registry.all_suites(), dict[str, list[str]](), dict[str, EvalreportError]()
    for suite in known.values():
        try:
            found[suite.name] = _read(suite, paths, Settings(_defaults(suite)))
        except EvalreportError as error:
            refused[suite.name] = error
    theirs = [name for name, error in refused.items() if [p.kind for p in error.problems] != [NOTHING_OF_ITS_OWN]]
    if len(found) == 1:
        return found
    if not found and len(theirs) == 1:
        raise refused[theirs[0]]
    ask = f"say --suite with one of: {', '.join(known)}"
    if found:
        raise click.UsageError(f"{' and '.join(found)} can read these files; {ask}")
    told = [f"{name}: {_first(error)}" for name, error in refused.items() if not theirs or name in theirs]
    raise click.UsageError("\n".join([f"no suite can read these files; {ask}", *told]))


def _first(error: EvalreportError) -> str:
    first, others = str(error.problems[0]), len(error.problems) - 1
    return f"{first} (and {counted(others, 'more problem')})" if others else first


def _checked_project(path: Path) -> dict[str, list[str]]:
    project = read_project(path)
    found, problems = {}, Problems()
    for choice in project.suites:
        try:
            found[choice.name] = _read(_suite(choice.name), choice.paths, choice.settings)
        except EvalreportError as error:
            problems.extend(error.problems)
    problems.check()
    return found


def _read(suite: Suite[Any, Any], paths: Sequence[Path], settings: Settings) -> list[str]:
    check_present(paths)
    return [file.path for file in suite.inputs(suite.read(paths, settings))]


def _defaults(suite: Suite[Any, Any]) -> dict[str, Any]:
    return {setting.name: setting.default for setting in suite.settings}


for _verb in VERBS:
    main.add_command(_verb)
