"""The text of the formulas, made from the trees of the rule families. Nothing here is particular to one family."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import fixed
from evalreport.suites.bfcl.rules import RULES, Node, Rules, categories, terms

# The set of the categories is named in a formula, instead of each of them, when there are more than this many.
LISTED = 5

POOLED = r"\frac{{\sum_{{s \in {over}}} h_s}}{{\sum_{{s \in {over}}} n_s}}"
RUN = r"n_s > 0 \text{{ for all }} s \in {over}"


def text(name: str) -> str:
    """A name as a text of the formula language.

    >>> print(text("non_live"))
    \\text{non\\_live}
    """
    return r"\text{" + escaped(name) + "}"


def escaped(name: str) -> str:
    """A name with its underscores as LaTeX writes them."""
    return name.replace("_", r"\_")


def category_head(rules: Rules) -> str:
    """The symbol for the score of a category under one family."""
    return rf"A_{{\mathrm{{{rules.label}}}}}(k)"


def category_formula(rules: Rules) -> str:
    """How a category is made of its subsets under one family: pooled where the tree says so, else a mean of terms."""
    pooled = [c.key for c in categories(rules.tree) if c.how == "pooled"]
    if len(pooled) == len(categories(rules.tree)):
        return r"\mathrm{pool}(k)"
    return cases([(r"\mathrm{pool}(k)", f"k = {text(key)}") for key in pooled], r"\mathrm{mm}(k)")


def overall_formula(rules: Rules) -> str:
    """How the overall is made under one family: over all samples, or of the categories as the top of the tree says."""
    if rules.flat:
        return POOLED.format(over="S")
    if rules.tree.how == "pooled":
        return r"\mathrm{flat}"
    heads = [category_head(rules).replace("(k)", f"({text(c.key)})") for c in categories(rules.tree)]
    if rules.tree.how == "weighted":
        return rf"\sum_{{k \in C}} {weight_head(rules)} \cdot {category_head(rules)}"
    if len(heads) <= LISTED:
        return rf"\operatorname*{{mean}}({', '.join(heads)})"
    return rf"\operatorname*{{mean}}_{{k \in C}} {category_head(rules)}"


def weight_head(rules: Rules) -> str:
    """The symbol for the weight of a category under one family with fixed weights."""
    return rf"w_{{\mathrm{{{rules.label}}}}}(k)"


def weight_formula(rules: Rules) -> str:
    """The fixed weight of each category of a family; the most frequent one stands last, for all others."""
    of = dict(zip((c.key for c in categories(rules.tree)), rules.tree.weights, strict=True))
    common = max(sorted(set(of.values())), key=list(of.values()).count)
    rows = [(decimal_text(w), f"k = {text(key)}") for key, w in of.items() if w != common]
    return cases(rows, decimal_text(common))


def by_rules(rows: Sequence[tuple[str, str]]) -> str:
    """One expression for each family, chosen by the rules in force.

    >>> print(by_rules([("mlperf-edge", "a"), ("bfcl-v1", "b")]))
    \\begin{cases} a & \\text{if } \\mathrm{rules} = \\text{mlperf-edge} \\\\ b & \\text{otherwise} \\end{cases}
    """
    conditions = [(formula, rf"\mathrm{{rules}} = {text(name)}") for name, formula in rows[:-1]]
    return cases(conditions, rows[-1][1])


def node_formula(key: str) -> tuple[str, str | None]:
    """The score of a named node, a category or a term as each tree has it, and the condition that it needs.

    A formula that all families share is written out. Where they differ, the pooled one stands by its symbol, since
    its condition does not hold for the others.
    """
    places: dict[tuple[str, str], list[str]] = {}
    for rules in RULES.values():
        place = _place(rules.tree, key)
        if place:
            places.setdefault(place, []).append(rules.name)
    common, *others = sorted(places, key=lambda p: (-len(places[p]), p))
    if not others and common[0] == "pooled":
        return POOLED.format(over=f"S({text(key)})"), RUN.format(over=f"S({text(key)})")
    rows = [(_formula(p, key), rf"\mathrm{{rules}} = {text(name)}") for p in others for name in places[p]]
    return cases(rows, _formula(common, key)), None


def _formula(place: tuple[str, str], key: str) -> str:
    how, level = place
    if how == "pooled":
        return rf"\mathrm{{pool}}({text(key)})"
    if level == "term":
        return rf"\operatorname*{{mean}}_{{s \in T({text(key)})}} a_s"
    return rf"\operatorname*{{mean}}_{{g \in G({text(key)})}} t(g)"


def _place(tree: Node, key: str) -> tuple[str, str] | None:
    for category in categories(tree):
        if category.key == key:
            return category.how, "category"
        for term in terms(category):
            if term.key == key:
                return term.how, "term"
    return None


def cases(rows: Sequence[tuple[str, str]], otherwise: str) -> str:
    """Rows with their conditions and a last row; without rows, the last one alone."""
    if not rows:
        return otherwise
    lines = [rf"{formula} & \text{{if }} {condition}" for formula, condition in rows]
    body = r" \\ ".join([*lines, rf"{otherwise} & \text{{otherwise}}"])
    return rf"\begin{{cases}} {body} \end{{cases}}"


def decimal_text(weight: Fraction) -> str:
    """A weight as a decimal. Raises `ValueError` for one that a formula could not state exactly."""
    shown = fixed(weight, 4).rstrip("0")
    if Fraction(shown) != weight:
        raise ValueError(f"the weight {weight} has no short decimal")
    return shown
