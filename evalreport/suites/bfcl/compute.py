"""From runs to results: scores under the rules asked for and under all others, intervals, shards, official figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from evalreport.core.exact import Undefined, Value, parse_decimal
from evalreport.core.intervals import percentile_interval, wilson
from evalreport.core.resample import FloatArray, stream
from evalreport.core.suite import Interval, Settings
from evalreport.suites.bfcl.aggregate import DRAWS, exact, printed, sizes_of, walked
from evalreport.suites.bfcl.metrics import SCORES, flat
from evalreport.suites.bfcl.outcome import Outcome, outcome
from evalreport.suites.bfcl.records import Note, Run, Scores, Shard, Tallies, Tally
from evalreport.suites.bfcl.releases import LATEST
from evalreport.suites.bfcl.rules import DEFAULT_RULES, RULES, Child, Node, Rules
from evalreport.suites.bfcl.union import missing_words

COMPOSITE_METHOD = "parametric bootstrap over binomial subsets"


@dataclass(frozen=True)
class OfficialFigure:
    """A figure that an official table printed, beside ours printed the same way, and beside our exact value.

    `rules` are the ones that the table goes by, which need not be those in force. `ours` is None where the tallies do
    not determine the figure. `difference` is ours minus the official one, in percentage points of the printed figures.
    `counts_unrun` is true where the table prints a zero for what was never run, or an overall with such a zero in it.
    """

    rules: str
    figure: str
    official: str
    ours: str | None
    value: Value
    difference: Fraction | None
    counts_unrun: bool = False

    @property
    def status(self) -> str:
        """Whether the two printed figures agree or differ, or what the official one is where ours does not exist."""
        if self.difference is None:
            return "inconsistent" if self.counts_unrun else "not determined"
        return "differs" if self.difference else "agrees"


@dataclass(frozen=True)
class ShardScore:
    """One shard by itself: what it covers, its own scores, and what its file printed for it."""

    shard: Shard
    outcome: Outcome
    stored: Mapping[str, OfficialFigure]


@dataclass(frozen=True)
class ShardMean:
    """The wrong way beside the right one: the mean of the shards' scores, and the score of their union."""

    score: str
    union: Fraction
    mean_of_shards: Fraction

    @property
    def difference(self) -> Fraction:
        """How far the mean of the shards is off."""
        return self.mean_of_shards - self.union


@dataclass(frozen=True)
class ModelResult:
    """Everything about one model: under the rules in force, and the same run under every family, by name.

    `intervals` belong to the composite scores, `subset_intervals` to the subsets.
    """

    run: Run
    outcome: Outcome
    under: Mapping[str, Outcome]
    intervals: Mapping[str, Interval]
    subset_intervals: Mapping[str, Interval]
    official: tuple[OfficialFigure, ...]
    shards: tuple[ShardScore, ...]
    shard_means: tuple[ShardMean, ...]

    @property
    def model(self) -> str:
        """The model's name as it was written."""
        return self.run.model

    def status(self, rules: str) -> str:
        """What the numbers under these rules leave out; "complete" when nothing."""
        there = self.run.shards[0].count
        shards = (there - len(self.run.missing), there) if self.run.partial else None
        return self.under[rules].status(shards=shards)


@dataclass(frozen=True)
class Results:
    """The results of all models under one family of rules, models by name."""

    rules: str
    models: tuple[ModelResult, ...]
    notes: tuple[Note, ...]
    scores: Scores
    settings: Settings

    def model(self, name: str) -> ModelResult:
        """A model by its name. Raises `KeyError` when there is none."""
        found = next((m for m in self.models if m.model == name), None)
        if found is None:
            raise KeyError(name)
        return found


def compute(scores: Scores, settings: Settings) -> Results:
    """Every number of the suite, from what was read and the settings alone."""
    name = settings.text("rules") or ""
    models = tuple(_model(run, name, settings) for run in scores.runs)
    notes = {*scores.notes, *(note for m in models for note in _notes(m, name))}
    return Results(name, models, tuple(sorted(notes)), scores, settings)


def _model(run: Run, name: str, settings: Settings) -> ModelResult:
    under = {key: outcome(run.tallies, rules, run.release) for key, rules in RULES.items()}
    chosen = under[name]
    level = settings.fraction("level")
    shards = tuple(_shard_score(s, name) for s in run.shards) if len(run.shards) > 1 or run.partial else ()
    return ModelResult(
        run=run,
        outcome=chosen,
        under=under,
        intervals=composite_intervals(
            run, chosen, level=level, resamples=settings.integer("resamples"), seed=settings.integer("seed")
        ),
        subset_intervals={s: _subset_interval(run, t, level) for s, t in run.tallies.items()},
        official=_officials(run, under[official_rules(run, RULES[name])]),
        shards=shards,
        shard_means=_shard_means(shards, chosen),
    )


def _partial(run: Run) -> str:
    """What marks every number of a run that lacks shards."""
    return f"partial: {missing_words(run.missing, run.shards[0].count)}" if run.partial else ""


def _subset_interval(run: Run, tally: Tally, level: Fraction) -> Interval:
    interval = wilson(tally.hits, tally.n, level)
    return replace(interval, note="; ".join(filter(None, (_partial(run), interval.note))))


def composite_intervals(
    run: Run, outcome: Outcome, *, level: Fraction, resamples: int, seed: int
) -> dict[str, Interval]:
    """Where each score would fall if the run were made again with the accuracies that were measured.

    Each subset's hits are drawn from a binomial with its n and its accuracy, and the tree is walked with each draw.
    Subsets with all or no hits do not vary, which makes the interval too narrow; the note counts them. The stream
    belongs to the seed and the model, so other models change nothing.
    """
    rng = stream(seed, "bfcl composite", [run.model])
    draws: dict[str, FloatArray] = {
        s: rng.binomial(t.n, t.hits / t.n, size=resamples) / t.n for s, t in sorted(run.tallies.items())
    }
    found = {}
    for key, node in _nodes(run.tallies, outcome).items():
        values = walked(node, draws, sizes_of(run.tallies), DRAWS)
        below = node.subsets() if isinstance(node, Node) else (node,)
        n = sum(run.tallies[s].n for s in below)
        still = [s for s in below if run.tallies[s].hits in (0, run.tallies[s].n)]
        interval = percentile_interval(values, n, level=level, seed=seed)
        note = interval.note or (f"{len(still)} of {len(below)} subsets do not vary" if still else "")
        note = "; ".join(filter(None, (_partial(run), note)))
        found[key] = Interval(interval.low, interval.high, level, COMPOSITE_METHOD, n, interval.resamples, seed, note)
    return found


def _nodes(tallies: Tallies, outcome: Outcome) -> dict[str, Node]:
    """The tree of every score that has a value."""
    found: dict[str, Node] = {}
    shape = outcome.shape
    by_key = {n.key: n for n in shape.walk()} if shape else {}
    for key in SCORES:
        if isinstance(outcome.scores[key], Undefined):
            continue
        if key == "overall" and outcome.rules.flat:
            found[key] = flat(tallies)
        elif key == "overall" and shape:
            found[key] = shape
        elif key == "normalized" and shape:
            whole = [c for c in shape.children if not isinstance(exact(_node(c), tallies), Undefined)]
            found[key] = Node("normalized", "Normalized", "mean", tuple(whole))
        elif key in by_key:
            found[key] = by_key[key]
    return found


def _node(child: Child) -> Node:
    return child if isinstance(child, Node) else Node(child, child, "mean", (child,))


def official_rules(run: Run, rules: Rules) -> str:
    """Which family official figures of a run belong to: the one in force if it is a board's, else the release's."""
    if not rules.flat:
        return rules.name
    return next(r.name for r in RULES.values() if not r.flat and r.release == (run.release or LATEST))


def _officials(run: Run, chosen: Outcome) -> tuple[OfficialFigure, ...]:
    """All official figures of a run; one zero for what was never run makes the overall beside it inconsistent too."""
    figures = [_official(figure, text, run.tallies, chosen) for figure, text in run.published]
    zeros = {f.figure for f in figures if f.ours is None and not parse_decimal(f.official.removesuffix("%"))}
    return tuple(replace(f, counts_unrun=f.figure in zeros or (f.figure == "overall" and bool(zeros))) for f in figures)


def _official(figure: str, text: str, tallies: Tallies, outcome: Outcome) -> OfficialFigure:
    """Our number for a figure, printed as the official program prints it: binary floats in its order, two decimals."""
    node: Child | None = _nodes(tallies, outcome).get(figure)
    value = outcome.scores.get(figure, Undefined(f"no figure of {outcome.rules.name}"))
    if figure not in SCORES:
        value = tallies[figure].accuracy if figure in tallies else Undefined("not run")
        node = figure if figure in tallies else None
    ours = printed(node, tallies) if node is not None else None
    theirs = parse_decimal(text.removesuffix("%"))
    return OfficialFigure(
        outcome.rules.name, figure, text, ours, value, parse_decimal(ours) - theirs if ours is not None else None
    )


def _shard_score(shard: Shard, name: str) -> ShardScore:
    """A gate record stores what the gate's own rules give, whatever the rules in force."""
    gate = outcome(shard.tallies, RULES[DEFAULT_RULES], shard.release)
    stored = {f: _official(f, text, shard.tallies, gate) for f, text in shard.stored}
    return ShardScore(shard, outcome(shard.tallies, RULES[name], shard.release), stored)


def _shard_means(shards: tuple[ShardScore, ...], chosen: Outcome) -> tuple[ShardMean, ...]:
    """The plain mean of the shards' scores for every score that the union has, over the shards that have one."""
    found = []
    for key, value in chosen.scores.items():
        own = [s.outcome.scores[key] for s in shards]
        defined = [Fraction(v) for v in own if not isinstance(v, Undefined)]
        if defined and not isinstance(value, Undefined):
            found.append(ShardMean(key, Fraction(value), sum(defined, Fraction(0)) / len(defined)))
    return tuple(found)


def _notes(result: ModelResult, name: str) -> list[Note]:
    """What a reader must know about one model's numbers."""
    notes = []
    if result.outcome.uncounted:
        counted = "counted in the overall alone" if result.outcome.rules.flat else "not counted"
        notes.append(Note(result.model, f"{', '.join(result.outcome.uncounted)}: in no category of {name}; {counted}"))
    if result.run.partial:
        notes.append(Note(result.model, f"every number is {_partial(result.run)}"))
    for figure in result.official:
        if figure.status == "agrees":
            continue
        why = figure.value.reason if isinstance(figure.value, Undefined) else ""
        said = {
            "differs": f"is inconsistent with the tallies, which give {figure.ours}%",
            "inconsistent": f"is inconsistent with the tallies: {why}",
            "not determined": f"is not determined by the tallies: {why}",
        }
        notes.append(
            Note(result.model, f"official {figure.figure} {figure.official} ({figure.rules}) {said[figure.status]}")
        )
    return notes
