"""The text of the formulas, made from the trees of the rule families. Nothing here is particular to one family."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import fixed
from evalreport.suites.bfcl.rules import RULES, Node, Rules, categories, terms

# The set of the categories is named in a formula, instead of each of them, when there are more than this many.
LISTED = 5


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


def overall_head(rules: Rules) -> str:
    """The symbol for the overall score under one family."""
    return rf"O_{{\mathrm{{{rules.label}}}}}"


def category_formula(rules: Rules) -> str:
    """How a category is made of its subsets under one family: pooled where the tree says so, else a mean of terms."""
    pooled = [c.key for c in categories(rules.tree) if c.how == "pooled"]
    if len(pooled) == len(categories(rules.tree)):
        return r"\mathrm{pool}(k)"
    return cases([(r"\mathrm{pool}(k)", f"k = {text(key)}") for key in pooled], r"\mathrm{mm}(k)")


def overall_formula(rules: Rules) -> str:
    """How the overall is made under one family: over all samples, or of the categories as the top of the tree says."""
    if rules.flat or rules.tree.how == "pooled":
        return r"\frac{\sum_{s \in S} h_s}{\sum_{s \in S} n_s}"
    heads = [category_head(rules).replace("(k)", f"({text(c.key)})") for c in categories(rules.tree)]
    if rules.tree.how == "weighted":
        pairs = zip(rules.tree.weights, heads, strict=True)
        return " + ".join(rf"{decimal_text(w)} \cdot {head}" for w, head in pairs)
    if len(heads) <= LISTED:
        return rf"\operatorname*{{mean}}({', '.join(heads)})"
    return rf"\operatorname*{{mean}}_{{k \in C}} {category_head(rules)}"


def overall_needs(rules: Rules) -> str | None:
    """A pooled overall would not notice what was not run; the other formulas do by themselves."""
    return r"n_s > 0 \text{ for all } s \in S" if rules.flat or rules.tree.how == "pooled" else None


def by_rules(rows: Sequence[tuple[str, str]]) -> str:
    """One expression for each family, chosen by the rules in force.

    >>> print(by_rules([("mlperf-edge", "a"), ("bfcl-v1", "b")]))
    \\begin{cases} a & \\text{if } \\mathrm{rules} = \\text{mlperf-edge} \\\\ b & \\text{otherwise} \\end{cases}
    """
    conditions = [(formula, rf"\mathrm{{rules}} = {text(name)}") for name, formula in rows[:-1]]
    return cases(conditions, rows[-1][1])


def node_formula(key: str) -> str:
    """The score of a named node: a category or a term, as each tree has it."""
    places: dict[str, list[str]] = {}
    for rules in RULES.values():
        place = _place(rules.tree, key)
        if place:
            places.setdefault(place, []).append(rules.name)
    if len(places) == 1:
        return places.popitem()[0]
    common, *others = sorted(places, key=lambda p: (-len(places[p]), p))
    return cases([(p, rf"\mathrm{{rules}} = {text(name)}") for p in others for name in places[p]], common)


def _place(tree: Node, key: str) -> str | None:
    for category in categories(tree):
        if category.key == key:
            return rf"A({text(key)})"
        if any(term.key == key for term in terms(category)):
            return rf"t({text(key)})"
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
