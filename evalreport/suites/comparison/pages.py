"""The pages of the comparison chapter, and the address of every published number.

A model has a page and an audit page of its own. In a book of very many models several share their pages, and pairs
have no audit line of their own: they are checked all the same, and stand in the data files.
"""

from __future__ import annotations

from evalreport.core.slug import slug
from evalreport.core.suite import Ids, PageJob
from evalreport.suites.comparison.results import ComparisonResults

MOST_PAGES = 40  # more models than this share their pages
IN_GROUP = 50
OVERVIEWS = (
    ("leaderboard", "Comparison: leaderboard"),
    ("pairs", "Comparison: pairs"),
    ("categories", "Comparison: categories"),
    ("tasks", "Comparison: tasks"),
    ("sources", "Comparison: what was read"),
)
# Two hyphens: no slug of one model's name has them.
BOARDS = "comparison/audit/all--leaderboards"
OF_A_TEST = {"comparison.p_value": "comparison.p_adjusted"}  # a number without a formula, and the line it stands in


def page_jobs(results: ComparisonResults) -> tuple[PageJob, ...]:
    """The overview pages, the audit of the leaderboards, then the pages of the models and their audit pages."""
    jobs = [PageJob(f"comparison_{name}", f"comparison/{name}", title) for name, title in OVERVIEWS]
    jobs.append(PageJob("comparison_audit_boards", BOARDS, "Audit of the leaderboards"))
    if is_grouped(results):
        for number, group in enumerate(groups(results), start=1):
            first = IN_GROUP * (number - 1) + 1
            title = f"Models {first} to {first + len(group) - 1}"
            own = {"group": number}
            jobs += [
                PageJob("comparison_models", f"comparison/model/{_group_name(number)}", title, own),
                PageJob(
                    "comparison_audits", f"comparison/audit/{_group_name(number)}", f"Audit of {title.lower()}", own
                ),
            ]
        return tuple(jobs)
    for model in models(results):
        named = {"model": model}
        jobs += [
            PageJob("comparison_model", model_page(results, model), model, named),
            PageJob("comparison_audit", audit_page(results, model), f"Audit of {model}", named),
        ]
    return tuple(jobs)


def models(results: ComparisonResults) -> tuple[str, ...]:
    """The models of all leaderboards, by name."""
    return tuple(results.places)


def is_grouped(results: ComparisonResults) -> bool:
    """Whether there are so many models that several share a page."""
    return len(results.places) > MOST_PAGES


def groups(results: ComparisonResults) -> tuple[tuple[str, ...], ...]:
    """The models page by page, in the order of their names."""
    listed = models(results)
    return tuple(listed[at : at + IN_GROUP] for at in range(0, len(listed), IN_GROUP))


def model_page(results: ComparisonResults, model: str) -> str:
    """The page of a model."""
    return f"comparison/model/{page_name(results, model)}"


def audit_page(results: ComparisonResults, model: str) -> str:
    """The page where the numbers of a model are audited."""
    return f"comparison/audit/{page_name(results, model)}"


def page_name(results: ComparisonResults, model: str) -> str:
    """The name of the page that a model has or shares; the file with the records behind its numbers has it too."""
    if not is_grouped(results):
        return slug(model)
    return _group_name(results.places[model] // IN_GROUP + 1)


def _group_name(number: int) -> str:
    return f"group-{number:03}"


def number_anchor(results: ComparisonResults, metric: str, of: Ids) -> str:
    """The place of a published number on its audit page; the model is in it where several share the page."""
    shared = is_grouped(results)
    key = OF_A_TEST.get(metric, metric).removeprefix("comparison.").replace("_", "-")
    ids = [text for name, text in of if name != "model_a" and (shared or name != "model_id")]
    return "-".join(("number", key, *([slug(*ids)] if ids else [])))


def number_address(results: ComparisonResults, metric: str, of: Ids) -> str:
    """Where a published number is audited; nowhere for pairs of very many models."""
    ids = dict(of)
    model = ids.get("model_id", ids.get("model_a"))
    if model is None:
        return f"{BOARDS}#{number_anchor(results, metric, of)}"
    if "model_a" in ids and is_grouped(results):
        return ""
    return f"{audit_page(results, model)}#{number_anchor(results, metric, of)}"
