"""Pieces of the tables of function calling: names, scores with their audit lines, badges, and which runs to draw."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.declare import Metric
from evalreport.core.exact import Undefined, Value
from evalreport.core.slug import slug
from evalreport.core.suite import Ids
from evalreport.core.table import Badge, Cell, Code, Column, Missing, Num, Text
from evalreport.core.words import percent, rounded_percent
from evalreport.suites.bfcl.compute import ModelResult, OfficialFigure, Results
from evalreport.suites.bfcl.metrics import DECLARATIONS, SCORES
from evalreport.suites.bfcl.pages import is_grouped, model_address, number_address
from evalreport.suites.bfcl.rules import RULES, Rules, categories
from evalreport.suites.bfcl.tree import TreeLine, tree_lines

FILES = "data/bfcl"


def metric(key: str) -> Metric:
    """The declaration of a score by its key without the suite."""
    return DECLARATIONS.metrics[f"bfcl.{key}"]


def table_id(kind: str, model: str = "") -> str:
    """The address of a table or figure, with the model it is of."""
    return f"bfcl-{kind}-{slug(model)}" if model else f"bfcl-{kind}"


def level(results: Results) -> str:
    """The confidence level in percent."""
    return percent(results.settings.fraction("level"))


def rules_of(results: Results) -> Rules:
    """The rules in force."""
    return RULES[results.rules]


def named(results: Results, model: str) -> Text:
    """A model's name, leading to where it is shown."""
    return Text(model, href=model_address(results, model))


def score_ids(results: Results, model: str) -> Ids:
    """What a score is of."""
    return ("model", model), ("rules", results.rules)


def subset_ids(model: str, subset: str) -> Ids:
    """What the accuracy of a subset is of."""
    return ("model", model), ("subset", subset)


def score(results: Results, m: ModelResult, key: str) -> Num:
    """A score under the rules in force with its audit line."""
    where = number_address(results, f"bfcl.{key}", score_ids(results, m.model))
    return Num(m.outcome.scores[key], metric(key).decimals, where)


def subset_score(results: Results, m: ModelResult, subset: str, value: Value) -> Num:
    """The accuracy of a subset with its audit line, if it has one."""
    audited = subset in m.run.tallies or subset in m.outcome.weights
    where = number_address(results, "bfcl.subset", subset_ids(m.model, subset)) if audited else ""
    return Num(value, metric("subset").decimals, where)


def score_column(results: Results, key: str, *, strong: bool = False) -> Column:
    """The column of a score; that of the overall names the rules."""
    return Column.of(metric(key), sub=results.rules if key == "overall" else None, strong=strong)


def shown_categories(results: Results) -> tuple[str, ...]:
    """The categories of the rules in force that are published scores, in the order of the tree."""
    return tuple(c.key for c in categories(rules_of(results).tree) if c.key in SCORES)


def status_badge(m: ModelResult, rules: str) -> Badge:
    """What the numbers of a run under these rules leave out."""
    status = m.status(rules)
    if status == "complete":
        return Badge("plain", "complete")
    first = status.split("; ")[0].replace(" categories", " run")
    return Badge("alert" if m.run.partial else "dashed", first, status)


def covered(share: Fraction) -> Cell:
    """The share of the weight of the full tree that was run."""
    return Num(share * 100, 1, note="%")


def overall_under(m: ModelResult, rules: str) -> Cell:
    """The overall of a run under a family of rules, or how much of the weight was run where there is none."""
    found = m.under[rules]
    value = found.scores["overall"]
    if isinstance(value, Undefined):
        words = f"{rounded_percent(found.covered, 0)} run" if found.covered else "nothing run"
        return Badge("dashed", words, value.reason)
    return Num(value, 4)


def printed_figure(text: str | None, reason: str) -> Cell:
    """A printed figure as it stands in a table, or a dash."""
    return Missing(reason) if text is None else Code(text)


def agreement(figure: OfficialFigure) -> Badge:
    """Whether an official figure and ours agree."""
    match figure.status:
        case "agrees":
            return Badge("plain", "agrees")
        case "differs":
            return Badge("alert", "differs")
        case "inconsistent":
            return Badge("alert", "counts what was not run", "a part that was never run is printed or counted as zero")
        case _:
            return Badge("dashed", "not determined", "the tallies do not determine this figure")


def contrast(lines: tuple[TreeLine, ...]) -> tuple[TreeLine, TreeLine] | None:
    """Two subsets of equal weight with the most unequal numbers of samples, the smaller first; None without a pair."""
    leaves = [line for line in lines if not line.how and line.n and line.weight]
    found: tuple[TreeLine, TreeLine] | None = None
    for weight in sorted({line.weight for line in leaves}):
        same = sorted((line for line in leaves if line.weight == weight), key=lambda line: (line.n, line.key))
        few, most = same[0], same[-1]
        if few.n < most.n and (found is None or Fraction(most.n, few.n) > Fraction(found[1].n, found[0].n)):
            found = few, most
    return found


def contrast_words(m: ModelResult) -> str:
    """The sentence that says how unequally samples weigh in a run."""
    lines = tree_lines(m.run.tallies, m.outcome)
    pair = contrast(lines)
    if pair is None:
        return "Nothing of the tree was run." if not any(line.n for line in lines) else "No two subsets weigh the same."
    few, most = pair
    return (
        f"{few.n:,} samples of {few.label} weigh as much as {most.n:,} of {most.label}:"
        f" {rounded_percent(few.weight)} of the score each."
    )


def chosen(results: Results) -> ModelResult | None:
    """The run in which the weights of samples are most unequal: the one that the overview draws."""

    def unequal(m: ModelResult) -> Fraction:
        pair = contrast(tree_lines(m.run.tallies, m.outcome))
        return Fraction(pair[1].n, pair[0].n) if pair else Fraction(0)

    return max(results.models, key=unequal, default=None)


def is_drawn(results: Results, m: ModelResult) -> bool:
    """Whether the page of a model holds its figures: always, or where pages are shared for the chosen one."""
    return not is_grouped(results) or m is chosen(results)
