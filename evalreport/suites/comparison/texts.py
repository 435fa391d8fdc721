"""The leaderboard as Markdown and as LaTeX: real level in the heading, names whole and escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from evalreport.core.escape import latex_text, markdown_cell
from evalreport.core.exact import Undefined, Value, fixed
from evalreport.core.suite import Interval
from evalreport.core.words import percent
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, Draws, ModelRow

DECIMALS = 2
Escape = Callable[[str], str]

_PREAMBLE = """\
% needs \\usepackage{booktabs}; set with lualatex or xelatex and a font that has the letters of the names
"""


def texts(results: ComparisonResults) -> Mapping[str, str]:
    """leaderboard.md and leaderboard.tex: one table for each leaderboard, with what a reader must know below it."""
    return {
        "leaderboard.md": "\n".join(_markdown(result, results) for result in results.boards) or "No scores.\n",
        "leaderboard.tex": _PREAMBLE + "\n".join(_latex(result, results) for result in results.boards),
    }


def heads(draws: Draws) -> tuple[str, ...]:
    """The column heads, with the level that the intervals really have."""
    mean = "Weighted mean" if draws.weighted else "Mean"
    return "Rank", "Model", mean, f"{percent(draws.level)} CI", "Win rate", "Tasks", "Ranks", "Ties"


def _rows(result: BoardResult, escape: Escape, dash: str) -> Iterator[tuple[str, ...]]:
    for row in result.rows:
        yield (
            "" if row.rank is None else f"{row.rank}{'=' if row.tied else ''}",
            escape(row.model_id),
            _short(row.mean),
            _interval(row.interval, dash),
            _short(row.win_rate),
            str(row.completed) if row.rank is not None else f"{row.completed} of {row.total}",
            "" if row.rank_lo is None else f"{row.rank_lo}{dash}{row.rank_hi}",
            "" if row.tie_group is None else str(row.tie_group),
        )


def notes(result: BoardResult, results: ComparisonResults, escape: Escape = str) -> tuple[str, ...]:
    """What a reader must know to read the table, a sentence or two each; text from files goes through `escape`."""
    draws, n = results.draws, len(result.board.tasks)
    tasks = counted(n, "task")
    ranks = f"Ranks: where a model may stand after Holm's correction over {counted(result.tested, 'pair')}."
    lines = [
        f"{tasks}; intervals: {'; '.join(_methods(result.rows))}.",
        "Tasks count as often as their weights say." if draws.weighted else "Tasks count equally.",
        "A win is a score within 1e-12 of the best of its task; ties are not split.",
        f"All models won {result.all_won} of {tasks}.",
        f"{ranks} Ties: models that are not proven worse than the best of their group.",
    ]
    if not isinstance(result.separable, Undefined):
        closest, power = fixed(result.separable, 4), fixed(draws.power, 2)
        lines.append(f"{tasks} cannot separate models closer than {closest} (a typical pair, power {power}).")
    if draws.cluster:
        lines.append(f"Tasks of one {escape(draws.cluster)} are drawn together.")
    if any(row.interval.note.startswith("degenerate") for row in result.rows):
        lines.append("*: degenerate, all scores are equal; such an interval says nothing about certainty.")
    mixed = sum(pair.other_versions > 0 for pair in result.pairs)
    if mixed:
        lines.append(f"{counted(mixed, 'pair')} ran a task in different versions: such a difference may be the task's.")
    incomplete = [row for row in result.rows if row.rank is None]
    lines += [f"{escape(row.model_id)} has no rank: {row.coverage}, {row.status}." for row in incomplete]
    if incomplete and result.common_tasks:
        lines.append(_common(result, escape))
    lines += [escape(note) for note in results.records.notes]
    return tuple(lines)


def counted(n: int, thing: str) -> str:
    """How many there are, in words.

    >>> counted(1, "task"), counted(2, "task")
    ('1 task', '2 tasks')
    """
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def _common(result: BoardResult, escape: Escape) -> str:
    """All models over the tasks that every model ran, in their order there."""
    means = [(row.common_mean, row.model_id) for row in result.rows if not isinstance(row.common_mean, Undefined)]
    ordered = sorted(means, key=lambda one: (-one[0], one[1]))
    listed = ", ".join(f"{escape(model)} {fixed(mean, DECIMALS)}" for mean, model in ordered)
    return f"Over the {counted(len(result.common_tasks), 'task')} that all models ran: {listed}."


def _methods(rows: Sequence[ModelRow]) -> list[str]:
    found = set()
    for row in rows:
        one = row.interval
        drawn = "" if one.resamples is None else f", {one.resamples} resamples, seed {one.seed}"
        found.add(f"{one.method}{drawn}")
    return sorted(found)


def _markdown(result: BoardResult, results: ComparisonResults) -> str:
    head = heads(results.draws)
    lines = [f"## {markdown_cell(result.board.name)}", ""] if result.board.name else []
    lines += ["| " + " | ".join(head) + " |", "|" + "|".join("---" for _ in head) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in _rows(result, markdown_cell, "-")]
    lines += ["", *(f"- {note}" for note in notes(result, results, markdown_cell))]
    return "\n".join(lines) + "\n"


def _latex(result: BoardResult, results: ComparisonResults) -> str:
    head = [latex_text(word) for word in heads(results.draws)]
    body = [" & ".join(row) + r" \\" for row in _rows(result, latex_text, "--")]
    comments = [f"% {note}" for note in notes(result, results, latex_text)]
    title = [rf"\textbf{{{latex_text(result.board.name)}}}\par"] if result.board.name else []
    return "\n".join(
        [
            *comments,
            *title,
            r"\begin{tabular}{rlrcrrcr}",
            r"\toprule",
            " & ".join(head) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _short(value: Value) -> str:
    return "" if isinstance(value, Undefined) else fixed(value, DECIMALS)


def _interval(interval: Interval, dash: str) -> str:
    if interval.low is None or interval.high is None:
        return ""
    mark = "*" if interval.note.startswith("degenerate") else ""
    return f"{fixed(interval.low, DECIMALS)}{dash}{fixed(interval.high, DECIMALS)}{mark}"
