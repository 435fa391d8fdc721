"""The scores of a run, each declared once beside its code; the formulas come from the trees."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from evalreport.core.declare import Declarations
from evalreport.core.exact import Undefined, Value
from evalreport.suites.bfcl import formulas
from evalreport.suites.bfcl.aggregate import exact
from evalreport.suites.bfcl.records import NOT_RUN, Tallies
from evalreport.suites.bfcl.rules import RULES, Node, Rules, categories

NodeScore = Callable[[Tallies, Rules], Value]

DECLARATIONS = d = Declarations("bfcl")

d.variable("s", "subset")
d.variable("g", "term")
d.variable("k", "category")
d.variable("j", "shard")
d.values("rules", *RULES)
d.values("subset")
d.values("term")
d.values("category", *dict.fromkeys(c.key for r in RULES.values() for c in categories(r.tree)), "none")
d.given(r"\mathrm{rules}", "rules", "the rule family in force")
d.given("J", "set of shard", "shards of the run; one when it was not cut")
d.given(
    "S",
    "set of subset",
    "subsets that the rules count: under mlperf-edge every subset that was run, otherwise every subset of the tree",
)
d.given("h_{j,s}", "number", "hits of shard j in subset s")
d.given("n_{j,s}", "number", "scored samples of shard j in subset s")
d.given(r"\mathrm{cat}_s", "category", "category of subset s in the tree of the rules; none when it has no place there")
d.given(r"\mathrm{term}_s", "term", "term of its category that subset s belongs to; its own name when it is alone")
d.define("h_s", r"\sum_{j \in J} h_{j,s}", "hits in subset s, over all shards")
d.define("n_s", r"\sum_{j \in J} n_{j,s}", "scored samples in subset s, over all shards")


@d.metric(
    key="subset",
    name="Subset accuracy",
    symbol="a_s",
    column="Accuracy",
    better="higher",
    range=(0, 1),
    clause="bfcl#subset",
    of=("model", "subset"),
    formula=r"\frac{h_s}{n_s}",
)
def subset_accuracy(run: Tallies, subset: str) -> Value:
    """Share of the scored samples of one subset that were right, over all shards."""
    return run.get(subset, NOT_RUN).accuracy


d.define("S(k)", r"\{ s \in S : \mathrm{cat}_s = k \}", "subsets of category k")
d.define("G(k)", r"\{ \mathrm{term}_s : s \in S(k) \}", "terms of category k")
d.define("T(g)", r"\{ s \in S : \mathrm{term}_s = g \}", "subsets of term g")
d.define("t(g)", r"\operatorname*{mean}_{s \in T(g)} a_s", "accuracy of term g: its subsets count alike")
d.define(r"\mathrm{mm}(k)", r"\operatorname*{mean}_{g \in G(k)} t(g)", "mean of the terms of category k")
d.define(
    r"\mathrm{pool}(k)",
    formulas.POOLED.format(over="S(k)"),
    "accuracy over all samples of category k, whatever their subset",
    needs=formulas.RUN.format(over="S(k)"),
)
d.define(
    r"\mathrm{flat}",
    formulas.POOLED.format(over="S"),
    "accuracy over all samples, whatever their subset",
    needs=formulas.RUN.format(over="S"),
)
d.define("C", r"\{ \mathrm{cat}_s : s \in S \}", "categories of the rules")
for _rules in RULES.values():
    d.define(
        formulas.category_head(_rules),
        formulas.category_formula(_rules),
        f"accuracy of category k under {_rules.name}",
    )
for _rules in RULES.values():
    if _rules.tree.how == "weighted":
        d.define(
            formulas.weight_head(_rules),
            formulas.weight_formula(_rules),
            f"weight of category k under {_rules.name}",
        )
d.define(
    "A(k)",
    formulas.by_rules([(r.name, formulas.category_head(r)) for r in RULES.values()]),
    "accuracy of category k under the rules in force",
)
d.define(
    "K",
    r"\{ k \in C : k \ne \text{none} \text{ and } \min_{s \in S(k)} n_s > 0 \}",
    "categories of which every counted subset was run",
)


@d.metric(
    key="overall",
    name="Overall score",
    symbol=r"\mathrm{overall}",
    column="Overall",
    better="higher",
    range=(0, 1),
    clause="bfcl#overall",
    cite="patil2025bfcl",
    of=("model", "rules"),
    formula=formulas.by_rules([(r.name, formulas.overall_formula(r)) for r in RULES.values()]),
)
def overall(run: Tallies, rules: Rules) -> Value:
    """The headline of a run under one rule family. Not comparable between families.

    Under flat rules every scored sample counts alike, also those of subsets that the tree does not know. Under the
    others it is the top of the tree, and undefined when a part was not run.
    """
    if not run:
        return Undefined("no scored samples")
    if rules.flat:
        return exact(flat(run), run)
    shape = rules.shape(run)
    return exact(shape, run) if shape else Undefined("no scored samples")


def flat(run: Tallies) -> Node:
    """A tree in which every scored sample counts alike, whatever its subset."""
    return Node("overall", "Overall", "pooled", tuple(sorted(run)))


@d.metric(
    key="normalized",
    name="Mean of the categories run",
    symbol=r"\mathrm{normalized}",
    column="Normalized",
    better="higher",
    range=(0, 1),
    clause="bfcl#normalized",
    of=("model", "rules"),
    formula=r"\operatorname*{mean}_{k \in K} A(k)",
)
def normalized(run: Tallies, rules: Rules) -> Value:
    """Mean of the categories that were run, each counting alike. Of a partial run it covers those categories only."""
    shape = rules.shape(run)
    values = [exact(c, run) for c in categories(shape)] if shape else []
    defined = [Fraction(v) for v in values if not isinstance(v, Undefined)]
    return sum(defined, Fraction(0)) / len(defined) if defined else Undefined("no category was run")


def _node_score(key: str) -> NodeScore:
    def score(run: Tallies, rules: Rules) -> Value:
        if not any(n.key == key for n in rules.tree.walk()):
            return Undefined(f"not part of {rules.name}")
        shape = rules.shape(run)
        node = next((n for n in shape.walk() if n.key == key), None) if shape else None
        return exact(node, run) if node else Undefined("not run")

    return score


_NODES = (
    ("non_live", "Non-live", "Non-live", "Accuracy on the hand-written single-turn tasks, as the rules weigh them."),
    ("live", "Live", "Live", "Accuracy on the tasks that users contributed: every sample counts alike."),
    ("hallucination", "Irrelevance detection", "Halluc.", "Accuracy on tasks where no offered function fits."),
    ("multi_turn", "Multi-turn", "Multi-turn", "Accuracy on conversations of several turns; its subsets count alike."),
    ("agentic", "Agentic", "Agentic", "Mean of web search and memory."),
    ("web_search", "Web search", "Web", "Accuracy on web search tasks; its subsets count alike."),
    ("memory", "Memory", "Memory", "Accuracy on memory tasks; its three back ends count alike."),
    ("simple", "Simple", "Simple", "Accuracy on single calls in three languages, as the rules weigh them."),
)
NODE_SCORES: dict[str, NodeScore] = {}
for _key, _name, _column, _meaning in _NODES:
    _formula, _needs = formulas.node_formula(_key)
    NODE_SCORES[_key] = d.metric(
        key=_key,
        name=_name,
        symbol=r"\mathrm{" + formulas.escaped(_key) + "}",
        column=_column,
        better="higher",
        range=(0, 1),
        clause=f"bfcl#{_key.replace('_', '-')}",
        of=("model", "rules"),
        formula=_formula,
        needs=_needs,
        meaning=_meaning,
    )(_node_score(_key))

SCORES: dict[str, NodeScore] = {"overall": overall, "normalized": normalized, **NODE_SCORES}
