"""The printed formula and the code say the same, under every family, on every subset, category and term."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.core.exact import Undefined, Value
from evalreport.suites.bfcl import SUITE, formulas
from evalreport.suites.bfcl.audit import evaluation
from evalreport.suites.bfcl.metrics import DECLARATIONS, SCORES
from evalreport.suites.bfcl.outcome import outcome
from evalreport.suites.bfcl.records import Run, Shard, Tally
from evalreport.suites.bfcl.releases import SIZES
from evalreport.suites.bfcl.rules import RULES, Node, Rules
from evalreport.suites.bfcl.union import summed
from tests.suites.bfcl.made import EDGE_DRAW, computed, shard

NAMES = [*dict.fromkeys(s for sizes in SIZES.values() for s in sizes), "brand_new"]


def same(formula: object, code: Value) -> bool:
    return isinstance(formula, Undefined) if isinstance(code, Undefined) else formula == code


@st.composite
def runs(draw: st.DrawFn, rules: Rules) -> Run:
    """One to three shards; often everything that the rules know was run, sometimes a part."""
    whole = draw(st.booleans())
    subsets = [*rules.tree.subsets(), "brand_new"] if whole else draw(st.lists(st.sampled_from(NAMES), unique=True))
    shards = []
    for index in range(draw(st.integers(1, 3))):
        counts = {}
        for subset in subsets:
            n = draw(st.integers(0 if index else 1, 6))
            counts[subset] = Tally(draw(st.integers(0, n)), n)
        shards.append(Shard("m", f"{index}.json", "gate record", counts, index=index, count=3))
    return Run("m", tuple(shards), summed(shards))


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_formula_and_code_agree_on_every_score_and_subset(name: str, data: st.DataObject) -> None:
    rules = RULES[name]
    run = data.draw(runs(rules))
    found = outcome(run.tallies, rules)
    formula = evaluation(run, found)
    for key in SCORES:
        symbol = DECLARATIONS.metrics[f"bfcl.{key}"].symbol
        assert same(formula.value(symbol), found.scores[key]), key
    for subset, tally in run.tallies.items():
        assert formula.value("a_s", subset) == Fraction(tally.hits, tally.n)


def test_the_audit_holds_every_published_value_with_an_equal_formula() -> None:
    results = computed(shard(EDGE_DRAW, 0, 2), shard({"live_relevance": (1, 3)}, 1, 2))
    entries = {(e.metric.key, e.of): e for e in SUITE.audit(results)}
    published = {(v.metric, v.of): v for v in SUITE.values(results)}
    assert entries.keys() == published.keys()
    for key, entry in entries.items():
        assert entry.value == published[key].value
        assert same(entry.evaluation.value(entry.metric.symbol, *entry.args), entry.value), key
        assert entry.evaluation.steps(entry.metric.symbol, *entry.args)


def test_the_records_of_a_score_are_the_tallies_of_its_shards() -> None:
    results = computed(shard({"multiple": (1, 2)}, 0, 2), shard({"multiple": (3, 4), "parallel": (1, 1)}, 1, 2))
    entry = next(e for e in SUITE.audit(results) if e.metric.key == "bfcl.overall")
    assert entry.records is not None
    assert [(r[0], r[2], r[3]) for r in entry.records.rows] == [
        ("multiple", "1", "2"),
        ("multiple", "3", "4"),
        ("parallel", "0", "0"),
        ("parallel", "1", "1"),
    ]


def test_the_formula_text_follows_the_tree() -> None:
    tree = Node("t", "T", "weighted", (Node("a", "A", "pooled", ("x", "y")), "b"), (Fraction(1, 4), Fraction(3, 4)))
    made = Rules("made-up", "made up", "made", "V4", tree)
    assert formulas.overall_formula(made) == r"\sum_{k \in C} w_{\mathrm{made}}(k) \cdot A_{\mathrm{made}}(k)"
    assert formulas.weight_formula(made) == (
        r"\begin{cases} 0.75 & \text{if } k = \text{b} \\ 0.25 & \text{otherwise} \end{cases}"
    )
    assert formulas.category_formula(made) == (
        r"\begin{cases} \mathrm{pool}(k) & \text{if } k = \text{a} \\ \mathrm{mm}(k) & \text{otherwise} \end{cases}"
    )


def test_a_weight_that_no_decimal_states_is_refused() -> None:
    with pytest.raises(ValueError, match="1/3"):
        formulas.decimal_text(Fraction(1, 3))


def test_version_4_prints_its_weights() -> None:
    assert formulas.weight_formula(RULES["bfcl-v4"]) == (
        r"\begin{cases} 0.3 & \text{if } k = \text{multi\_turn} \\ 0.4 & \text{if } k = \text{agentic} \\ "
        r"0.1 & \text{otherwise} \end{cases}"
    )
