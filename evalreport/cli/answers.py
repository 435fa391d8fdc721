"""How the verbs answer: for people or for programs, problems one a line, progress only where somebody watches."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import NoReturn

import click

from evalreport.core.escape import one_line
from evalreport.errors import EvalreportError, Problem

JSON = click.option("--json", "as_json", is_flag=True, help="Answer with one JSON document on standard output.")
DEBUG = click.option("--debug", is_flag=True, help="Show where in the program an error arose.")


@dataclass(frozen=True)
class Answers:
    """How a verb speaks: for people or for programs, with or without tracebacks."""

    as_json: bool
    debug: bool

    def answer(self, lines: Sequence[str], document: object) -> None:
        """The answer on standard output."""
        text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) if self.as_json else "\n".join(lines)
        click.echo(text.encode("utf-8", "backslashreplace"))

    def next_step(self, line: str) -> None:
        """What to do next; for people only."""
        if not self.as_json:
            click.echo(line, err=True)

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """List all problems of a refused input and end with exit code 1."""
        try:
            yield
        except EvalreportError as error:
            self._refuse(error)
        except OSError as error:
            # A full disk, a folder that may not be written: told like any other problem.
            what = error.strerror or str(error)
            self._refuse(EvalreportError(Problem(str(error.filename or "the system"), what, kind="system")))
        except click.ClickException:
            raise
        except Exception as error:
            if self.debug:
                raise
            if self.as_json:
                self.answer([], problems_json([Problem("program", f"{type(error).__name__}: {error}", kind="fault")]))
            click.echo(f"{type(error).__name__}: {error}", err=True)
            click.echo("This is a fault of the program, not of the input; --debug shows where it arose.", err=True)
            sys.exit(1)

    def _refuse(self, error: EvalreportError) -> NoReturn:
        if self.debug:
            traceback.print_exc()
        if self.as_json:
            self.answer([], problems_json(error.problems))
        else:
            for problem in error.problems:
                # A name from a file may hold a line break, or what a terminal takes for a command.
                click.echo(one_line(str(problem)), err=True)
            click.echo(f"refused: {counted(len(error.problems), 'problem')}", err=True)
        sys.exit(1)

    @contextmanager
    def progress(self) -> Iterator[Callable[[str], None]]:
        """Something to tell what is being done: a line that changes on a terminal, a line each elsewhere."""
        if self.as_json:
            yield lambda _: None
        elif sys.stderr.isatty():
            from rich.console import Console
            from rich.markup import escape

            with Console(stderr=True).status("starting") as status:
                yield lambda step: status.update(f"{escape(step)} …")
        else:
            yield lambda step: click.echo(step, err=True)


def problems_json(problems: Iterable[Problem]) -> dict[str, list[dict[str, str]]]:
    """Problems as every verb tells them to programs."""
    return {"problems": [asdict(problem) for problem in problems]}


def counted(n: int, what: str) -> str:
    """A number of things in words.

    >>> counted(1, "file"), counted(1200, "file")
    ('1 file', '1,200 files')
    """
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"
