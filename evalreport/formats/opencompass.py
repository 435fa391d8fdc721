"""Summary tables of OpenCompass: one row a data set, one column a model, scores from 0 to 100."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import fixed, parse_decimal
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats import inputs
from evalreport.formats.evalrun import EvalRun, Reading, SetAside
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_faults import text_of
from evalreport.formats.newest import Candidate, newest, stamp
from evalreport.formats.scales import SHARE, Scale, scale_of, settled

NAME = "opencompass"
DESCRIPTION = "OpenCompass summary tables: CSV with dataset, version, metric, mode and a column for each model"

_HEAD = ("dataset", "version", "metric", "mode")
_AGGREGATE = re.compile(r".*average|.*_sum|standard_deviation|.*\bmean", re.IGNORECASE)
# Every other metric keeps its number on an open scale: it may be one of 0 to 10.
_PERCENT = re.compile(r"(.*_)?(acc|accuracy|score|em|f1|exact_match|pass@\d+|rouge\w*|correct_\w+)", re.IGNORECASE)
_ROUNDED = Fraction(1, 100)  # the table prints two decimals, and its own mean is of unrounded scores


def recognises(file: SourceFile, head: bytes) -> bool:
    """Whether a file is a summary table, by its suffix and its header."""
    start = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    return file.name.removesuffix(".gz").endswith(".csv") and start.startswith(",".join(_HEAD).encode() + b",")


def read(files: Sequence[SourceFile]) -> Reading:
    """The scores of all tables, as shares where the metric is one; rows that sum up others are set aside.

    Raises one `EvalreportError` with the problems of all files.
    """
    problems = Problems()
    candidates: list[Candidate] = []
    aside: list[SetAside] = []
    for file in files:
        try:
            table = _table(file)
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        models = table[0][len(_HEAD) :]
        rows = [(f"row {place}", row) for place, row in enumerate(table[1:], 2)]
        for key, row in rows:
            for column, model in enumerate(models, len(_HEAD)):
                one = _cell(file, f"{key}, {model}", row, row[column], model)
                if isinstance(one, Candidate):
                    candidates.append(one)
                elif row[2] == "naive_average":
                    scores = [(r[0], r[column]) for _, r in rows if not _AGGREGATE.fullmatch(r[2])]
                    aside.append(_checked(one, row[0], row[column], scores))
                else:
                    aside.append(one)
    runs, superseded = newest(candidates)
    runs = settled(runs, problems)
    problems.check()
    return Reading(runs, tuple(sorted({*aside, *superseded})))


def _table(file: SourceFile) -> list[list[str]]:
    text = text_of(inputs.read(file)[0], file.path)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
    except csv.Error as error:
        raise EvalreportError(Problem(file.path, f"is no CSV: {error}", "a table", "syntax")) from None
    problems = Problems()
    header = rows[0]
    for name in sorted({name for name in header if header.count(name) > 1}):
        problems.add(file.path, f"has {header.count(name)} columns {name!r}", "one column for a model", kind="header")
    for place, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            cut = place == len(rows) and not text.endswith("\n")
            what = f"has {len(row)} cells" + (" and no line end: the file is cut off" if cut else "")
            problems.add(f"{file.path}: row {place}", what, f"{len(header)} cells", kind="cut" if cut else "cells")
    problems.check()
    return rows


def _cell(file: SourceFile, key: str, row: Sequence[str], text: str, model: str) -> Candidate | SetAside:
    dataset, version, metric, mode = row[: len(_HEAD)]
    shown = f"{text} ({model}, {dataset}, {metric})"
    if _AGGREGATE.fullmatch(metric):
        return SetAside(file.path, key, shown, "sums up other rows, which are counted themselves")
    try:
        score = parse_decimal(text.strip())
    except ValueError:
        return SetAside(file.path, key, shown, "has no value")
    scale = scale_of(metric)
    percent = scale == SHARE and bool(_PERCENT.fullmatch(metric))
    if scale == SHARE and not percent:
        scale = Scale("higher", None, None)
    run = EvalRun(
        model_id=model,
        task_id=dataset,
        metric_name=metric,
        score=score / 100 if percent else score,
        better=scale.better,
        low=scale.low,
        high=scale.high,
        version="" if version == "-" else version,
        file=file.path,
        key=key,
        columns=(("mode", mode),),
    )
    return Candidate(run, ", ".join(part for part in (mode, version) if part != "-"), stamp(file.name))


def _checked(one: SetAside, dataset: str, text: str, others: Sequence[tuple[str, str]]) -> SetAside:
    """A plain mean beside the mean of the rows whose names begin like its own, if there are any."""
    stem = dataset.rpartition("_")[0] or dataset
    try:
        stated = parse_decimal(text.strip())
        scores = [parse_decimal(score.strip()) for name, score in others if name.startswith(f"{stem}_")]
    except ValueError:
        return one
    if not scores:
        return one
    mean = sum(scores, Fraction(0)) / len(scores)
    told = "agrees with" if abs(mean - stated) <= _ROUNDED else "is not"
    reason = f"{one.reason}; it {told} the mean {fixed(mean, 4)} of the {len(scores)} rows {stem}_…"
    return SetAside(one.file, one.key, one.value, reason)
