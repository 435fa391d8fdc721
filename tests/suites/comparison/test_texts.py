"""The leaderboard as Markdown and LaTeX: the real level, names whole, and a document that LaTeX sets."""

from __future__ import annotations

import os
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.suites.comparison import SUITE
from tests.suites.comparison.building import files, results, row, write

DATA = Path(__file__).parents[3] / "data" / "comparison"
HOSTILE = "a|b\n_x_ $1$ 50% & #1 \\item {y} ~^ <b> 模型"


def text(path: Path, name: str, **given: Fraction | bool) -> str:
    return SUITE.texts(results(path, **given))[name]


@pytest.mark.parametrize(("level", "head"), [("0.95", "95 % CI"), ("0.9", "90 % CI"), ("0.999", "99.9 % CI")])
def test_the_heading_has_the_level_that_was_used(tmp_path: Path, level: str, head: str) -> None:
    path = write(tmp_path, [row("m", "t", 0.5), row("m", "u", 0.7)])
    assert f"| {head} |" in text(path, "leaderboard.md", level=Fraction(level))
    assert head.replace("%", r"\%") in text(path, "leaderboard.tex", level=Fraction(level))


def test_a_name_ends_no_cell_and_starts_no_command(tmp_path: Path) -> None:
    path = write(tmp_path, [row(HOSTILE, "t", 1), row(HOSTILE, "u", 0)])
    (line,) = [ln for ln in text(path, "leaderboard.md").splitlines() if "模型" in ln]
    assert line.replace(r"\|", "").count("|") == 9
    (cells,) = [ln for ln in text(path, "leaderboard.tex").splitlines() if "模型" in ln]
    assert cells.replace(r"\&", "").count("&") == 7
    assert r"\item" not in cells.replace(r"\textbackslash{}item", "")
    assert r"\$1\$ 50\%" in cells


def test_what_a_reader_must_know_stands_below(tmp_path: Path) -> None:
    rows = [row("m", t, 1) for t in "tuv"] + [row("n", t, s) for t, s in zip("tuv", (0, 1, 0), strict=True)]
    found = text(write(tmp_path, [*rows, row("o", "t", 1)]), "leaderboard.md")
    assert "3 tasks; intervals: exact bootstrap distribution." in found
    assert "*: degenerate" in found
    assert "o has no rank: 1 of 3 tasks, missing tasks." in found
    assert "Over the 1 task that all models ran: m 1.00, o 1.00, n 0.00." in found
    assert "1 of 3" in found


def test_tables_begin_with_the_promised_columns() -> None:
    heads = {name: data.decode().split("\n", 1)[0] for name, data in files(DATA).items()}
    assert heads["models"].startswith(
        "rank,model_id,mean_score,mean_ci_lo,mean_ci_hi,win_rate,wins,tasks_completed,tasks_total,rank_lo,rank_hi,tie_group"
    )
    assert heads["pairs"].startswith("model_a,model_b,n,difference,ci_lo,ci_hi,significant,p_value,p_adjusted")
    assert heads["categories"].startswith("model_id,category,mean_score,n")


def test_the_sample_has_every_edge() -> None:
    (found,) = results(DATA).boards
    assert (len(found.rows), len(found.board.tasks)) == (12, 60)
    assert len({task.category for task in found.board.tasks}) == 5
    assert any(r.tied for r in found.rows)
    assert sum(r.rank is None for r in found.rows) == 2
    assert found.all_won == 2
    assert {task.cluster for task in results(DATA, cluster="cluster").boards[0].board.tasks} > {"sheet con-1"}
    assert results(DATA).records.apart
    assert any(score.items for score in found.board.scores.values())
    assert any(score.runs == 3 for score in found.board.scores.values())


@pytest.mark.tex
def test_latex_sets_the_leaderboard(tmp_path: Path) -> None:
    (tmp_path / "leaderboard.tex").write_text(text(DATA, "leaderboard.tex"), encoding="utf-8")
    (tmp_path / "page.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,fontspec}\n\\setmainfont{Noto Serif CJK SC}\n"
        "\\begin{document}\n\\input{leaderboard}\n\\end{document}\n",
        encoding="utf-8",
    )
    made = subprocess.run(
        [os.environ["EVALREPORT_TEX"], "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "page.pdf").stat().st_size > 1000
