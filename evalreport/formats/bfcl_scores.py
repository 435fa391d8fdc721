"""Score files and tables of the Berkeley Function-Calling Leaderboard, versions 1 to 4.

A score file is one subset of one model: a header line, then one line for each failed sample. Versions 1 to 3 lay them
flat in the model's folder, version 4 in folders of groups. The tables beside the models' folders are printed text.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats.json_values import as_written
from evalreport.formats.strict_json import lines, loads_foreign

DESCRIPTION = (
    "Berkeley Function-Calling Leaderboard, versions 1 to 4: *_score.json below a folder for each model; its tables"
)

_NAME = re.compile(r"(?:BFCL_v(?P<version>[0-9]+)|gorilla_openfunctions_v1_test)_(?P<subset>.+)_score\.json", re.DOTALL)
_GROUP_FOLDERS = frozenset(
    "non_live live multi_turn agentic web_search memory kv vector rec_sum format_sensitivity".split()  # noqa: SIM905
)
MAX_SAMPLES = 10**9
_HEADER_FIELDS = ("correct_count", "total_count")

_SUBSET_COLUMNS = {
    "Python Simple AST": "simple_python",
    "Java Simple AST": "simple_java",
    "JavaScript Simple AST": "simple_javascript",
    "Multiple AST": "multiple",
    "Parallel AST": "parallel",
    "Parallel Multiple AST": "parallel_multiple",
}
_LIVE_COLUMNS = {
    "Live Simple AST": "live_simple",
    "Live Multiple AST": "live_multiple",
    "Live Parallel AST": "live_parallel",
    "Live Parallel Multiple AST": "live_parallel_multiple",
}
_MULTI_TURN_COLUMNS = {
    "Base": "multi_turn_base",
    "Miss Func": "multi_turn_miss_func",
    "Miss Param": "multi_turn_miss_param",
    "Long Context": "multi_turn_long_context",
}
_MEMORY_COLUMNS = {
    "Web Search Base": "web_search_base",
    "Web Search No Snippet": "web_search_no_snippet",
    "Memory KV": "memory_kv",
    "Memory Vector": "memory_vector",
    "Memory Recursive Summarization": "memory_rec_sum",
}
# What the columns of each official table are called here. Columns whose meaning changed between versions are left out.
TABLE_COLUMNS: dict[str, dict[str, str]] = {
    "data_overall.csv": {
        "Overall Acc": "overall",
        "Non-Live Simple AST": "simple",
        "Non-Live Multiple AST": "multiple",
        "Non-Live Parallel AST": "parallel",
        "Non-Live Parallel Multiple AST": "parallel_multiple",
        **_LIVE_COLUMNS,
        "Multi Turn Acc": "multi_turn",
        **{f"Multi Turn {name}": subset for name, subset in _MULTI_TURN_COLUMNS.items()},
        "Web Search Acc": "web_search",
        "Memory Acc": "memory",
        **_MEMORY_COLUMNS,
        "Relevance Detection": "live_relevance",
        "Irrelevance Detection": "hallucination",
    },
    "data_non_live.csv": {
        "Non_Live Overall Acc": "non_live",
        "Non-Live Overall Acc": "non_live",
        "Simple AST": "simple",
        **_SUBSET_COLUMNS,
        "Irrelevance Detection": "irrelevance",
    },
    "data_live.csv": {
        "Live Overall Acc": "live",
        "Python Simple AST": "live_simple",
        "Python Multiple AST": "live_multiple",
        "Python Parallel AST": "live_parallel",
        "Python Parallel Multiple AST": "live_parallel_multiple",
        "Irrelevance Detection": "live_irrelevance",
        "Relevance Detection": "live_relevance",
    },
    "data_multi_turn.csv": {"Multi Turn Overall Acc": "multi_turn", **_MULTI_TURN_COLUMNS},
    "data_agentic.csv": {
        "Agentic Overall Acc": "agentic",
        "Web Search Summary": "web_search",
        "Memory Summary": "memory",
        **_MEMORY_COLUMNS,
    },
}
_FIGURE = re.compile(r"[0-9]{1,3}(\.[0-9]+)?%?")


@dataclass(frozen=True)
class ScoreFile:
    """One subset as its file tells it: what the header claims, and the ids of the failed samples that follow."""

    correct: int
    total: int
    failures: tuple[str, ...]

    @property
    def hits(self) -> int:
        """Samples that are not listed as failed. The lines count, not what the header claims."""
        return self.total - len(self.failures)

    @property
    def agrees(self) -> bool:
        """Whether the header and the lines below it tell the same."""
        return self.correct == self.hits


@dataclass(frozen=True)
class OfficialRow:
    """What an official table printed for one model: its display name, and (figure, text) for each known column."""

    model: str
    figures: tuple[tuple[str, str], ...]


def release_and_subset(name: str) -> tuple[str, str] | None:
    """The release and the subset that the name of a score file tells, as written; None for another name.

    >>> release_and_subset("BFCL_v3_java_score.json"), release_and_subset("result.json")
    (('V3', 'java'), None)
    """
    found = _NAME.fullmatch(name)
    return (f"V{found['version'] or 1}", found["subset"]) if found else None


def model_folder(path: PurePosixPath) -> PurePosixPath:
    """The folder of the model that a score file belongs to: above the folders of groups, if there are any.

    >>> model_folder(PurePosixPath("score/m-1/agentic/memory/kv/BFCL_v4_memory_kv_score.json")).as_posix()
    'score/m-1'
    """
    folder = path.parent
    while folder.name in _GROUP_FOLDERS and folder.parent.name not in ("", "score"):
        folder = folder.parent
    return folder


def is_score_header(value: object) -> bool:
    """Whether a JSON value looks like the first line of a score file."""
    return isinstance(value, dict) and all(key in value for key in _HEADER_FIELDS)


def score_file(data: bytes, where: str) -> ScoreFile:
    """The counts and the failed samples of a score file. Raises `EvalreportError` with all that is wrong.

    >>> score_file(b'{"accuracy": 0.5, "correct_count": 1, "total_count": 2}\\n{"id": "a_0"}', "x").hits
    1
    """
    problems = Problems()
    found = list(lines(data))
    if not found:
        raise EvalreportError(Problem(where, "is empty", "a header line", "empty"))
    header, _ = loads_foreign(found[0][1], f"{where}: line {found[0][0]}")
    counts = {}
    for key in _HEADER_FIELDS:
        value = header.get(key) if isinstance(header, dict) else None
        if isinstance(value, Fraction) and value.denominator == 1:
            value = value.numerator
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_SAMPLES:
            expected = f"a whole number from 0 to {MAX_SAMPLES}"
            problems.add(f"{where}: line 1", f"$.{key} is {as_written(value)}", expected, kind="count")
        else:
            counts[key] = value
    failures: dict[str, int] = {}
    for number, line in found[1:]:
        try:
            value, _ = loads_foreign(line, f"{where}: line {number}")
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        name = value.get("id") if isinstance(value, dict) else None
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            what = f"$.id is {as_written(name)}"
            problems.add(f"{where}: line {number}", what, "the id of a failed sample", kind="failure")
        elif (first := failures.setdefault(str(name), number)) != number:
            what = f"$.id is {as_written(str(name))}, as in line {first}"
            problems.add(f"{where}: line {number}", what, "each failed sample once", kind="duplicate_failure")
    if not problems and len(failures) > counts["total_count"]:
        problems.add(
            where,
            f"lists {len(failures)} failed samples of {counts['total_count']}",
            "no more failures than samples",
            kind="count",
        )
    problems.check()
    return ScoreFile(counts["correct_count"], counts["total_count"], tuple(failures))


def official_rows(data: bytes, name: str, where: str) -> tuple[OfficialRow, ...]:
    """What one official table printed, figures with the names used here; cells without a percentage are left out.

    `name` is the file name, which tells what the columns mean; `where` is how messages call the file. Raises
    `EvalreportError` for another encoding than UTF-8 and for what is no table.

    >>> official_rows(b"Rank,Overall Acc,Model,Memory Acc\\n1,21.00%,m (FC),N/A\\n", "data_overall.csv", "x")
    (OfficialRow(model='m (FC)', figures=(('overall', '21.00%'),)),)
    """
    columns = TABLE_COLUMNS.get(name, {})
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EvalreportError(Problem(where, f"is not UTF-8: {error.reason}", "text in UTF-8", "encoding")) from None
    try:
        table = list(csv.DictReader(io.StringIO(text, newline="")))
    except csv.Error as error:
        raise EvalreportError(Problem(where, f"is no table: {error}", "comma-separated values", "csv")) from None
    rows = []
    for row in table:
        figures = {columns[c]: v.strip() for c, v in row.items() if c in columns and v and _FIGURE.fullmatch(v.strip())}
        if row.get("Model"):
            rows.append(OfficialRow(str(row["Model"]), tuple(sorted(figures.items()))))
    return tuple(rows)
