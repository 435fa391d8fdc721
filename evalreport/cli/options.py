"""Settings as options of a verb: how they look on the command line, and how what was given becomes settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from evalreport.core.suite import Command, Setting, Settings, Suite
from evalreport.errors import EvalreportError, Problems
from evalreport.project import expectation, read_settings, setting_text


def paths_and_out() -> list[click.Parameter]:
    """What is read, and the folder that is written."""
    return [
        click.Argument(["paths"], nargs=-1, required=True, type=click.Path(path_type=Path)),
        click.Option(["--out"], required=True, type=click.Path(path_type=Path), help="The folder to write."),
    ]


def json_and_debug() -> list[click.Parameter]:
    """How the verb answers."""
    return [
        click.Option(["--json", "as_json"], is_flag=True, help="Answer with one JSON document."),
        click.Option(["--debug"], is_flag=True, help="Show where in the program an error arose."),
    ]


def setting_option(setting: Setting) -> click.Option:
    """The option of a setting."""
    name = setting.name.replace("_", "-")
    default = f" Default: {setting_text(setting.default)}." if setting.default is not None else ""
    if setting.kind == "flag":
        return click.Option([f"--{name}/--no-{name}", setting.name], default=None, help=f"{setting.meaning}{default}")
    return click.Option(
        [f"--{name}", setting.name],
        metavar="TEXT" if setting.kind in {"text", "path"} else setting.kind.upper(),
        multiple=setting.many,
        help=f"{setting.meaning} Accepts {expectation(setting)}.{default}",
    )


def given_settings(
    suite: Suite[Any, Any] | Command, options: Mapping[str, str | bool | tuple[str, ...] | None]
) -> Settings:
    """The complete settings from the options that were given; a usage error that names all that are wrong."""
    given: dict[str, object] = {
        name: option if isinstance(option, tuple) else setting_text(option)
        for name, option in options.items()
        if option is not None and option != ()
    }
    problems = Problems()
    settings = read_settings(suite, given, where="option", problems=problems)
    try:
        problems.check()
    except EvalreportError as error:
        lines = [str(replace(problem, where=_option_name(problem.where))) for problem in error.problems]
        raise click.UsageError("\n".join(lines)) from None
    return settings


def _option_name(where: str) -> str:
    return f"--{where.removeprefix('option.').replace('_', '-')}"


def check_present(paths: Sequence[Path]) -> None:
    """Refuse paths that are not there, all at once."""
    problems = Problems()
    for path in paths:
        if not path.exists():
            problems.add(str(path), "is not there", "a file or folder", kind="no_input")
    problems.check()
