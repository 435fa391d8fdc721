"""Parts of a page that are more than one table or figure: facts, a model on every leaderboard, groups, audits."""

from __future__ import annotations

from collections.abc import Callable

from evalreport.core.slug import slug
from evalreport.core.table import Column
from evalreport.core.words import many
from evalreport.report.escape import myst_text
from evalreport.report.facts import facts_parts
from evalreport.report.ledger import series_formulas
from evalreport.report.pages import Page
from evalreport.suites.comparison import figures
from evalreport.suites.comparison.pages import groups, page_name
from evalreport.suites.comparison.results import BoardResult, ComparisonResults
from evalreport.suites.comparison.views import audit, board, model, pairs, tasks
from evalreport.suites.comparison.views.cells import table_id

ComparisonPage = Page[ComparisonResults]


def show_each(page: ComparisonPage, show: Callable[[BoardResult], None], *, least: int = 1, depth: int = 2) -> None:
    """Show something of every leaderboard with so many models, below its metric where there are several.

    `depth` is that of the heading.
    """
    shown = [result for result in page.results.boards if len(result.rows) >= least]
    for result in shown:
        if result.board.name:
            page.markdown(f"{'#' * depth} {myst_text(result.board.name)}")
        show(result)
    left = len(page.results.boards) - len(shown)
    if left:
        page.markdown(f"{many(left, 'leaderboard')} with fewer than {many(least, 'model')}: nothing to compare.")


def show_board(page: ComparisonPage, result: BoardResult) -> None:
    """A leaderboard with what it rests on and what it can tell apart."""
    page.parts(table_id("facts", result), facts_parts(board.facts(page.results, result)))
    page.table(board.leaderboard(page.results, result))
    page.markdown(myst_text(board.power_words(page.results, result)))


def show_forest(page: ComparisonPage, result: BoardResult) -> None:
    """The means with their intervals."""
    page.figure(figures.means(page.results, result))


def show_categories(page: ComparisonPage, result: BoardResult) -> None:
    """Means by category: as shades and as numbers."""
    if len(tasks.categories_of(result)) > 1:
        page.figure(figures.categories(result))
    page.table(tasks.categories(page.results, result))


def show_tasks(page: ComparisonPage, result: BoardResult) -> None:
    """Scores by task: as shades and as numbers."""
    page.figure(figures.tasks(result))
    page.table(tasks.tasks(page.results, result))


def show_common(page: ComparisonPage, result: BoardResult) -> None:
    """All models over the tasks that all of them ran, where that is another view than the leaderboard."""
    page.markdown(board.common_words(result))
    if len(result.ranked) < len(result.rows) and result.common_tasks:
        page.table(board.common_tasks(page.results, result))


def show_pairs(page: ComparisonPage, result: BoardResult) -> None:
    """The matrix of all pairs, and the table of their numbers."""
    page.figure(figures.pair_matrix(page.results, result))
    page.table(pairs.pairs(page.results, result))


def show_model(page: ComparisonPage, name: str) -> None:
    """A model on every leaderboard that has it."""
    results = page.results
    for result in audit.boards_with_scores(results, name):
        row = model.row_of(result, name)
        if row is None:
            continue
        if result.board.name:
            page.markdown(f"## {myst_text(result.board.name)}")
        page.parts(table_id("own-facts", result, name), facts_parts(model.facts(results, result, row)))
        page.table(model.intervals(results, result, row))
        if len(row.categories) > 1:
            page.figure(figures.own_scores(result, row))
            page.table(model.own_categories(results, result, row))
        if len(result.rows) > 1:
            page.table(pairs.own_pairs(results, result, name))
        page.table(model.own_scores(results, result, row))


def show_group(page: ComparisonPage, number: int) -> None:
    """Several models, a table for each leaderboard that has some of them."""
    wanted = frozenset(groups(page.results)[number - 1])
    for result in page.results.boards:
        rows = sorted((row for row in result.rows if row.model_id in wanted), key=lambda row: row.model_id)
        if rows:
            page.table(model.group(page.results, result, rows, number_of_group=number))


def show_boards_audit(page: ComparisonPage) -> None:
    """The ledgers of the numbers of whole leaderboards."""
    page.audit(audit.of_boards(page.results), name="comparison-boards")


def show_audit(page: ComparisonPage, name: str) -> None:
    """The ledgers of a model, then the numbers of its categories and pairs in tables."""
    results = page.results
    own, of_categories = audit.of_model(results, name)
    of_pairs = audit.of_pairs(results, name)
    page.records(audit.records(results, [name]), name=page_name(results, name))
    page.audit(own, name=f"comparison-{slug(name)}")
    metric = audit.metric_column(results)
    if of_categories:
        page.markdown("## Categories")
        page.audit_series(
            of_categories,
            (Column("category", "Category", sticky=True), *metric),
            name=f"comparison-audit-categories-{slug(name)}",
            finding=f"{many(len(of_categories), 'category mean')}, each equal to its formula.",
        )
    if of_pairs:
        page.markdown("## Pairs")
        page.audit_series(
            of_pairs,
            (Column("other", "Minus", sticky=True), *metric),
            name=f"comparison-audit-pairs-{slug(name)}",
            finding=f"{many(len(of_pairs), 'number')} of pairs, each equal to its formula.",
            text="This model minus another. A pair stands on the page of the model that comes first by name.",
        )


def show_group_audit(page: ComparisonPage, number: int) -> None:
    """The formulas once, then the numbers of several models in one table."""
    results = page.results
    models = groups(results)[number - 1]
    name = page_name(results, models[0])
    page.records(audit.records(results, models), name=name)
    page.parts(f"comparison-formulas-{name}", series_formulas(audit.formulas(results)))
    page.table(audit.of_group(results, models, name=f"comparison-audit-{name}"))
