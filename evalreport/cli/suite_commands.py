"""The verbs that single suites offer. None is named here: they come from `verbs.py` of each suite."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from evalreport import suites as registry
from evalreport.cli.answers import Answers, counted, problems_json
from evalreport.cli.options import check_present, given_settings, json_and_debug, paths_and_out, setting_option
from evalreport.core.suite import Command
from evalreport.errors import Problem, Problems

SHOWN = 5  # names of ignored files that are told one by one


class Verbs(click.Group):
    """The verbs of all suites and those of single ones; listing them loads no suite.

    With `--json` the answer is one JSON document also when the command line is wrong, or when somebody interrupts.
    """

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        """Run a verb and end the process; see `click.Command.main`."""
        if args is None:
            _speak_utf8()
        given = list(sys.argv[1:] if args is None else args)
        if "--json" not in given:
            return super().main(args, *rest, **extra)
        extra["standalone_mode"] = False
        answers = Answers(as_json=True, debug=False)
        try:
            code = super().main(given, *rest, **extra)
        except click.ClickException as error:
            error.show()
            lines = error.format_message().splitlines()
            answers.answer([], problems_json(Problem("command line", line, kind="usage") for line in lines))
            sys.exit(error.exit_code)
        except click.Abort:
            answers.answer([], problems_json([Problem("program", "was interrupted", kind="interrupted")]))
            sys.exit(1)
        sys.exit(code if isinstance(code, int) else 0)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the verbs, sorted."""
        return sorted({*super().list_commands(ctx), *(verb.name for verb in registry.all_verbs())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of this name."""
        found = super().get_command(ctx, cmd_name)
        if found is None:
            found = next((_click_command(verb) for verb in registry.all_verbs() if verb.name == cmd_name), None)
        return found


def _speak_utf8() -> None:
    """Start this program again in UTF-8 mode where the locale has another encoding for names and texts.

    Files are named after what the data says, and notebooks and Sphinx are processes of their own: all of them mean
    UTF-8, and the locale of the one who builds has no say in it.
    """
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get("PYTHONUTF8") != "1":
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606


def tell_ignored(answers: Answers, ignored: list[str]) -> None:
    """Name the first files that match no pattern, and count the others."""
    for name in ignored[:SHOWN]:
        answers.next_step(f"ignored: {name!r} matches no pattern of the suite")
    if len(ignored) > SHOWN:
        answers.next_step(f"ignored: {counted(len(ignored) - SHOWN, 'more file')}; --json lists them all")


def _click_command(command: Command) -> click.Command:
    def run(
        paths: tuple[Path, ...], out: Path, as_json: bool, debug: bool, **options: str | bool | tuple[str, ...] | None
    ) -> None:
        from evalreport.core.results import replace_tree

        answers = Answers(as_json, debug)
        settings = given_settings(command, options)
        with answers.refusals():
            check_present(paths)
            _check_apart(paths, out)
            with answers.progress() as say:
                say("reading")
                made = command.run(paths, settings)
            replace_tree(out, made.files, sources=paths)
            files = [str(out / name) for name in sorted(made.files)]
            answers.answer([str(out)], {"out": str(out), "files": files, "ignored": list(made.ignored)})
        tell_ignored(answers, list(made.ignored))
        answers.next_step(f"{counted(len(files), 'file')} in {out}.")

    options = [*paths_and_out(), *(setting_option(setting) for setting in command.settings), *json_and_debug()]
    return click.Command(command.name, params=options, callback=run, help=command.summary)


def _check_apart(paths: tuple[Path, ...], out: Path) -> None:
    """What is written may be read afterwards; inside its own input it would be read twice the next time."""
    problems, place = Problems(), out.resolve()
    for path in paths:
        read = path.resolve()
        if place.is_relative_to(read) or read.is_relative_to(place):
            problems.add(
                str(out), f"and the input {str(path)!r} are one inside the other", "a folder apart", kind="output"
            )
    problems.check()
