"""The pages of the function-calling chapter, and the address of every published number.

A model has a page and an audit page of its own; a book of very many models has pages for groups of them.
"""

from __future__ import annotations

from evalreport.core.slug import slug
from evalreport.core.suite import Ids, PageJob
from evalreport.suites.bfcl.compute import ModelResult, Results

MOST_PAGES = 40  # more models than this share their pages
IN_GROUP = 10
OVERVIEWS = (
    ("leaderboard", "Function calling: scores"),
    ("weights", "What a sample weighs"),
    ("rules", "One run, five rules"),
    ("shards", "Shards"),
    ("official", "Official figures"),
)


def page_jobs(results: Results) -> tuple[PageJob, ...]:
    """The overview pages, then the pages of the models and their audit pages."""
    jobs = [PageJob(f"bfcl_{name}", f"bfcl/{name}", title) for name, title in OVERVIEWS]
    if is_grouped(results):
        for number, group in enumerate(groups(results), start=1):
            first = IN_GROUP * (number - 1) + 1
            title = f"Models {first} to {first + len(group) - 1}"
            parameters = {"group": number}
            jobs += [
                PageJob("bfcl_models", f"bfcl/model/{_group_name(number)}", title, parameters),
                PageJob("bfcl_audits", f"bfcl/audit/{_group_name(number)}", f"Audit of {title.lower()}", parameters),
            ]
        return tuple(jobs)
    for m in results.models:
        own = {"model": m.model}
        jobs += [
            PageJob("bfcl_model", model_page(results, m.model), m.model, own),
            PageJob("bfcl_audit", audit_page(results, m.model), f"Audit of {m.model}", own),
        ]
    return tuple(jobs)


def is_grouped(results: Results) -> bool:
    """Whether there are so many models that several share a page."""
    return len(results.models) > MOST_PAGES


def groups(results: Results) -> tuple[tuple[ModelResult, ...], ...]:
    """The models page by page, in the order of their names."""
    models = results.models
    return tuple(models[at : at + IN_GROUP] for at in range(0, len(models), IN_GROUP))


def model_page(results: Results, model: str) -> str:
    """The page of a model."""
    return f"bfcl/model/{_name(results, model)}"


def model_address(results: Results, model: str) -> str:
    """Where a model is shown: its page, or its place on the page of its group."""
    return f"{model_page(results, model)}#{model_anchor(model)}" if is_grouped(results) else model_page(results, model)


def model_anchor(model: str) -> str:
    """The place of a model on the page of its group."""
    return f"model-{slug(model)}"


def audit_page(results: Results, model: str) -> str:
    """The page where the numbers of a model are audited."""
    return f"bfcl/audit/{_name(results, model)}"


def records_name(results: Results, model: str) -> str:
    """The name of the file with the records behind the numbers of a model."""
    return _name(results, model)


def number_anchor(results: Results, metric: str, of: Ids) -> str:
    """The place of a published number on its audit page; on the page of a group the model is in it."""
    ids = dict(of)
    parts = ["number", metric.removeprefix("bfcl.").replace("_", "-")]
    if is_grouped(results):
        parts.append(slug(ids["model"]))
    if "subset" in ids:
        parts.append(slug(ids["subset"]))
    return "-".join(parts)


def number_address(results: Results, metric: str, of: Ids) -> str:
    """Where a published number is audited."""
    return f"{audit_page(results, dict(of)['model'])}#{number_anchor(results, metric, of)}"


def _name(results: Results, model: str) -> str:
    if not is_grouped(results):
        return slug(model)
    return _group_name([m.model for m in results.models].index(model) // IN_GROUP + 1)


def _group_name(number: int) -> str:
    return f"group-{number:02}"
