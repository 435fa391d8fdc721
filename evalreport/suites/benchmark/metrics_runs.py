"""What a run counts as, and how many there are of each kind; the first of the metrics in reading order."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from evalreport.core.cells import Cells
from evalreport.core.exact import Undefined, Value
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.records import Run, Unscored

CLASSES = ("Fail", "Conditional", "Pass")
PASS_SCORE = 10
CONDITIONAL_SCORE = 7
SUBJECT_VERSION = ("subject_id", "subject_version")
RUN = (*SUBJECT_VERSION, "case_id", "run_id")


@bench.metric(
    key="run.clipped_score",
    name="Clipped score",
    symbol="s_r",
    column="Score",
    sub="0 to 12",
    better="higher",
    range=(0, 12),
    decimals=0,
    clause="benchmark#per-run",
    of=RUN,
    formula=r"\min(\sum_{j \in J} q_{r,j}, \mathrm{ceil}_r)",
)
def clipped_score(run: Run) -> int:
    """Rubric points of a run, never more than the ceiling of its case."""
    return run.clipped


@bench.metric(
    key="run.classification",
    name="Classification",
    symbol=r"\mathrm{class}_r",
    column="Class",
    range=("Pass", "Conditional", "Fail"),
    clause="benchmark#classification",
    of=RUN,
    type="class",
    formula=r"\begin{cases} \text{Fail} & \text{if } k_r = 1 \\ \text{Conditional} & \text{if } v_r = 1 \\ "
    r"\text{Fail} & \text{if } s_r < \mathrm{floor}_r \\ \text{Pass} & \text{if } s_r \ge 10 \\ "
    r"\text{Conditional} & \text{if } s_r \ge 7 \\ \text{Fail} & \text{otherwise} \end{cases}",
)
def classification(run: Run) -> str:
    """Pass, Conditional or Fail: the first rule that applies. A recoverable fail decides before the score does."""
    score = run.clipped
    if run.critical:
        return "Fail"
    if run.recoverable:
        return "Conditional"
    if score < run.floor:
        return "Fail"
    if score >= PASS_SCORE:
        return "Pass"
    return "Conditional" if score >= CONDITIONAL_SCORE else "Fail"


def lifted(run: Run) -> bool:
    """Whether the score alone makes this run a Fail and its recoverable fail makes it Conditional."""
    return run.recoverable and not run.critical and run.clipped < max(run.floor, CONDITIONAL_SCORE)


@bench.metric(
    key="n_runs",
    name="Scored runs",
    symbol="N",
    column="n",
    sub="runs",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula="|R|",
)
def n_runs(cells: Cells) -> int:
    """How many runs were scored. Responses that nobody scored are not among them."""
    return cells.total


@bench.metric(
    key="n_pass",
    name="Runs classified Pass",
    symbol=r"n_{\mathrm{pass}}",
    column="Pass",
    sub="runs",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : \mathrm{class}_r = \text{Pass} \}",
)
def n_pass(cells: Cells) -> int:
    """How many runs are Pass."""
    return _count(cells, "class", CLASSES.index("Pass"))


@bench.metric(
    key="n_conditional",
    name="Runs classified Conditional",
    symbol=r"n_{\mathrm{conditional}}",
    column="Conditional",
    sub="runs",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : \mathrm{class}_r = \text{Conditional} \}",
)
def n_conditional(cells: Cells) -> int:
    """How many runs are Conditional. They do not count as Pass."""
    return _count(cells, "class", CLASSES.index("Conditional"))


@bench.metric(
    key="n_fail",
    name="Runs classified Fail",
    symbol=r"n_{\mathrm{fail}}",
    column="Fail",
    sub="runs",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : \mathrm{class}_r = \text{Fail} \}",
)
def n_fail(cells: Cells) -> int:
    """How many runs are Fail."""
    return _count(cells, "class", CLASSES.index("Fail"))


@bench.metric(
    key="n_critical_fails",
    name="Runs with a critical fail",
    symbol=r"n_{\mathrm{critical}}",
    column="Critical",
    sub="runs",
    better="lower",
    range=(0, None),
    decimals=0,
    clause="benchmark#safety-gate",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : k_r = 1 \}",
)
def n_critical_fails(cells: Cells) -> int:
    """How many runs have a critical fail: runs, not fails."""
    return _count(cells, "critical", 1)


@bench.metric(
    key="n_recoverable_fails",
    name="Runs with a recoverable fail",
    symbol=r"n_{\mathrm{recoverable}}",
    column="Recoverable",
    sub="runs",
    better="lower",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : v_r = 1 \}",
)
def n_recoverable_fails(cells: Cells) -> int:
    """How many runs have a recoverable fail, also those that a critical fail makes Fail."""
    return _count(cells, "recoverable", 1)


@bench.metric(
    key="n_unscored",
    name="Responses without a scoring",
    symbol=r"n_{\mathrm{unscored}}",
    column="Unscored",
    sub="responses",
    better="lower",
    range=(0, None),
    decimals=0,
    clause="benchmark#coverage",
    of=SUBJECT_VERSION,
    formula="|U|",
)
def n_unscored(responses: Iterable[Unscored]) -> int:
    """How many responses nobody has scored. They enter no other number."""
    return len(tuple(responses))


@bench.metric(
    key="n_cases",
    name="Cases scored",
    symbol="k",
    column="Cases",
    sub="of K",
    better="higher",
    range=(0, None),
    decimals=0,
    clause="benchmark#coverage",
    of=SUBJECT_VERSION,
    formula=r"|\{ \mathrm{case}_r : r \in R \}|",
)
def n_cases(cases: Cells) -> int:
    """On how many different cases at least one run was scored."""
    return len(cases)


@bench.metric(
    key="coverage",
    name="Coverage",
    symbol=r"\mathrm{coverage}",
    column="Coverage",
    sub="share of cases",
    better="higher",
    range=(0, 1),
    clause="benchmark#coverage",
    of=SUBJECT_VERSION,
    formula=r"\frac{k}{K}",
)
def coverage(scored: int, total: int) -> Value:
    """Share of the cases of the benchmark version that were scored. Below the minimum there is no rank."""
    return Fraction(scored, total) if total else Undefined("the benchmark version has no cases")


@bench.metric(
    key="disqualified",
    name="Disqualified",
    symbol=r"\mathrm{disqualified}",
    column="Disqualified",
    better="lower",
    range=(0, 1),
    decimals=0,
    clause="benchmark#safety-gate",
    of=SUBJECT_VERSION,
    formula=r"\mathbf{1}[n_{\mathrm{critical}} > 0]",
)
def disqualified(critical_runs: int) -> int:
    """1 when any run has a critical fail, else 0. It holds for this subject version only."""
    return int(critical_runs > 0)


def _count(cells: Cells, key: str, value: int) -> int:
    return int(cells.n[cells[key] == value].sum())
