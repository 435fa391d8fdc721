"""Parts of a page that are more than one table or figure: a model's figures, its shards, a group of models, audits."""

from __future__ import annotations

from evalreport.core.slug import slug
from evalreport.core.table import Column
from evalreport.core.words import many
from evalreport.report.escape import html_attribute, myst_text
from evalreport.report.facts import facts_parts
from evalreport.report.pages import Page
from evalreport.suites.bfcl import figures
from evalreport.suites.bfcl.compute import ModelResult, Results
from evalreport.suites.bfcl.pages import groups, model_anchor, records_name
from evalreport.suites.bfcl.views import audit, model, shards
from evalreport.suites.bfcl.views.cells import chosen, is_drawn

BfclPage = Page[Results]


def show_facts(page: BfclPage, m: ModelResult, *, place: str = "model") -> None:
    """The few numbers below the title of a page of this model."""
    page.parts(f"bfcl-{place}-facts-{slug(m.model)}", facts_parts(model.facts(page.results, m)))


def show_chosen_tree(page: BfclPage) -> None:
    """The tree of the run in which samples weigh most unequally; it has its number on the page of the model."""
    m = chosen(page.results)
    if m is not None:
        page.figure_again(figures.aggregation(page.results, m))


def show_chosen_rules(page: BfclPage) -> None:
    """The same run under the five rules."""
    m = chosen(page.results)
    if m is not None:
        page.figure_again(figures.five_rules(m))


def show_all_shards(page: BfclPage) -> None:
    """Every run in shards: what each shard covers and what its file says of itself."""
    page.markdown(shards.shares_run(page.results))
    for m in shards.cut(page.results):
        page.markdown(f"## {myst_text(m.model)}")
        show_shards(page, m)


def show_shards(page: BfclPage, m: ModelResult) -> None:
    """The shards of one run."""
    page.markdown(myst_text(shards.union_words(m)))
    page.table(shards.shards(page.results, m))
    page.table(shards.shard_coverage(page.results, m))


def show_own_shards(page: BfclPage, m: ModelResult) -> None:
    """The shards of a run on the page of its model: nothing for a whole run."""
    if m.shards:
        page.markdown("## Shards")
        page.table(shards.shard_means(page.results, (m,), model=m.model))
        show_shards_link(page)


def show_shards_link(page: BfclPage) -> None:
    """Where the shards stand one by one."""
    page.markdown("What each shard covers stands on the page on [shards](../shards).")


def show_group(page: BfclPage, number: int) -> None:
    """Several models, one after the other."""
    for m in groups(page.results)[number - 1]:
        page.markdown(f"## {myst_text(m.model)}")
        place = f'<span class="er-place" id="{html_attribute(model_anchor(m.model))}"></span>'
        page.parts(f"bfcl-place-{slug(m.model)}", [place])
        show_facts(page, m)
        if is_drawn(page.results, m):
            page.figure(figures.aggregation(page.results, m))
            page.figure(figures.five_rules(m))
        page.table(model.scores(page.results, m))
        page.table(model.subsets(page.results, m))
        page.table(model.five_rules(m))
        if m.official:
            page.table(model.official(m))


def show_audit(page: BfclPage, m: ModelResult) -> None:
    """The ledgers of the scores of a model, then its subsets in one table."""
    name = records_name(page.results, m.model)
    page.records(audit.records((m,)), name=name)
    page.audit(audit.scores(page.results, m), name=f"bfcl-{name}")
    numbers = audit.subsets(page.results, m)
    page.markdown("## Subsets")
    page.audit_series(
        numbers,
        (Column("subset", "Subset", sticky=True),),
        name=f"bfcl-audit-subsets-{name}",
        finding=f"{many(len(numbers), 'subset')}, each equal to its formula.",
    )


def show_group_audit(page: BfclPage, number: int) -> None:
    """The numbers of several models in one table."""
    models = groups(page.results)[number - 1]
    name = records_name(page.results, models[0].model)
    page.records(audit.records(models), name=name)
    numbers = audit.all_numbers(page.results, models)
    page.audit_series(
        numbers,
        (Column("model", "Model", sticky=True), Column("subset", "Subset")),
        name=f"bfcl-audit-{name}",
        finding=f"{many(len(numbers), 'number')} of {many(len(models), 'model')}, each equal to its formula.",
    )
