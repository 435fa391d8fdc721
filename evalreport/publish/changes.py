"""What is different between two versions: inputs, settings, formulas, numbers and ranks, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from evalreport.core.escape import myst_text, one_line
from evalreport.core.exact import fixed
from evalreport.publish.facts import Facts, Key, Stated
from evalreport.publish.manifest import Declaration, SettingJson

Json = dict[str, object]
Kind = Literal["added", "removed", "changed"]
SHOWN = 200  # lines of one kind in words; all of them stand in the JSON form


@dataclass(frozen=True)
class InputChange:
    """A file that is new, gone or different. `own` is the maintainer's name of one that is published by another."""

    suite: str
    path: str
    kind: Kind
    own: str = ""


@dataclass(frozen=True)
class SettingChange:
    """A setting with another value; None where a version does not have it."""

    suite: str
    name: str
    old: SettingJson
    new: SettingJson


@dataclass(frozen=True)
class FormulaChange:
    """A metric whose value is decided by something else than before."""

    metric: str
    old: Declaration | None
    new: Declaration | None


@dataclass(frozen=True)
class NumberChange:
    """A number that is new, gone or different, in its value or in its interval."""

    key: Key
    old: Stated | None
    new: Stated | None

    @property
    def kind(self) -> Kind:
        """Whether it is new, gone or different."""
        return "added" if self.old is None else "removed" if self.new is None else "changed"

    @property
    def change(self) -> Fraction | None:
        """New minus old, where both are numbers."""
        old, new = (None if stated is None else stated.number for stated in (self.old, self.new))
        return None if old is None or new is None else new - old

    @property
    def is_rank(self) -> bool:
        """Whether it is a place in an order."""
        return self.key[0].endswith(".rank")


@dataclass(frozen=True)
class Changes:
    """All that is different from one version to another."""

    old: str
    new: str
    inputs: tuple[InputChange, ...]
    settings: tuple[SettingChange, ...]
    formulas: tuple[FormulaChange, ...]
    numbers: tuple[NumberChange, ...]
    surroundings: tuple[tuple[str, str, str], ...]  # code and packages: name, old, new
    decimals: Mapping[str, int]

    def document(self) -> Json:
        """Everything as JSON."""
        return {
            "schema": 1,
            "old": self.old,
            "new": self.new,
            "inputs": [_input_document(i) for i in self.inputs],
            "settings": [{"suite": s.suite, "name": s.name, "old": s.old, "new": s.new} for s in self.settings],
            "formulas": [
                {"metric": f.metric, "old": _formula(f.old) or None, "new": _formula(f.new) or None}
                for f in self.formulas
            ],
            "numbers": [_number_document(n) for n in self.numbers],
            "surroundings": [{"name": name, "old": old, "new": new} for name, old, new in self.surroundings],
        }


def without_what_is_gone(changes: Changes) -> Changes:
    """The changes as the newer version tells them: nothing names what it no longer has.

    Who was taken out of a version does not want to stand on its pages; the older version tells what there was.
    """
    return replace(
        changes,
        inputs=tuple(one for one in changes.inputs if one.kind != "removed"),
        numbers=tuple(one for one in changes.numbers if one.kind != "removed"),
    )


def changes_between(old: Facts, new: Facts) -> Changes:
    """What is different, each kind in the order of its names."""
    declared = {d.metric: d.decimals for facts in (old, new) for s in facts.suites.values() for d in s.declarations}
    return Changes(
        old.version,
        new.version,
        tuple(_inputs(old, new)),
        tuple(_settings(old, new)),
        tuple(_formulas(old, new)),
        tuple(_numbers(old.values, new.values)),
        tuple(_surroundings(old, new)),
        declared,
    )


def _suites(old: Facts, new: Facts) -> list[str]:
    return sorted({*old.suites, *new.suites})


def _inputs(old: Facts, new: Facts) -> Iterator[InputChange]:
    for suite in _suites(old, new):
        both = [facts.suites[suite].inputs if suite in facts.suites else [] for facts in (old, new)]
        before, after = ({i.path: i.original_sha256 or i.sha256 for i in inputs} for inputs in both)
        gone = {path: digest for path, digest in before.items() if after.get(path) != digest}
        come = {path: digest for path, digest in after.items() if before.get(path) != digest}
        # Pseudonyms are other ones when people come and go: the same file by another such name did not change.
        moved = {i.original_sha256 for i in both[0] if i.original_sha256} & {*gone.values()} & {*come.values()}
        gone, come = ({path: d for path, d in paths.items() if d not in moved} for paths in (gone, come))
        for path in sorted({*gone, *come}):
            kind: Kind = "added" if path not in gone else "removed" if path not in come else "changed"
            yield InputChange(suite, path, kind, "" if kind == "removed" else new.own.get((suite, path), ""))


def _settings(old: Facts, new: Facts) -> Iterator[SettingChange]:
    for suite in _suites(old, new):
        before, after = (facts.suites[suite].settings if suite in facts.suites else {} for facts in (old, new))
        for name in sorted({*before, *after}):
            if before.get(name) != after.get(name):
                yield SettingChange(suite, name, before.get(name), after.get(name))


def _formulas(old: Facts, new: Facts) -> Iterator[FormulaChange]:
    before, after = (
        {d.metric: d for suite in facts.suites.values() for d in suite.declarations} for facts in (old, new)
    )
    for metric in sorted({*before, *after}):
        one, other = before.get(metric), after.get(metric)
        if (one and one.identity) != (other and other.identity):
            yield FormulaChange(metric, one, other)


def _numbers(before: Mapping[Key, Stated], after: Mapping[Key, Stated]) -> Iterator[NumberChange]:
    for key in sorted({*before, *after}):
        if before.get(key) != after.get(key):
            yield NumberChange(key, before.get(key), after.get(key))


def _surroundings(old: Facts, new: Facts) -> Iterator[tuple[str, str, str]]:
    if old.code != new.code:
        yield "evalreport (code)", old.code, new.code
    for name in sorted({*old.packages, *new.packages}):
        one, other = old.packages.get(name, ""), new.packages.get(name, "")
        if one != other:
            yield name, one, other


def summary(changes: Changes) -> str:
    """The changes in a sentence.

    >>> summary(Changes("1.0", "1.1", (), (), (), (), (), {}))
    'Since 1.0: no number changed.'
    """
    counts = [
        (len(changes.inputs), "input file"),
        (len(changes.settings), "setting"),
        (len(changes.formulas), "formula"),
        (len(changes.numbers), "number"),
    ]
    words = [f"{n:,} {what}{'s' if n != 1 else ''}" for n, what in counts if n]
    if not changes.numbers:
        words.append("no number changed")
        return f"Since {changes.old}: {', '.join(words)}."
    return f"Since {changes.old}: {', '.join(words)} changed."


def text(changes: Changes) -> str:
    """The changes for a terminal."""
    lines = [f"{changes.old} -> {changes.new}", summary(changes)]
    lines += [f"input {i.kind}: {i.suite}: {_input(i)}" for i in changes.inputs[:SHOWN]]
    lines += [f"setting: {s.suite}.{s.name}: {_setting(s.old)} -> {_setting(s.new)}" for s in changes.settings]
    for formula in changes.formulas:
        lines += [f"formula: {formula.metric}:", f"  old: {_formula(formula.old) or 'none'}"]
        lines += [f"  new: {_formula(formula.new) or 'none'}"]
    for number in (n for n in _by_subject(changes) if n.is_rank):
        lines.append(f"rank: {_named(number.key)}: {' -> '.join(_values(number, changes))}")
    if changes.numbers and not any(number.is_rank for number in changes.numbers):
        lines.append("no rank changed")
    for number in (n for n in _by_subject(changes) if not n.is_rank):
        old, new = _values(number, changes)
        lines.append(f"number {number.kind}: {_named(number.key)}: {old} -> {new}{_difference(number, changes)}")
    if len(changes.numbers) > SHOWN:
        lines.append(f"… and {len(changes.numbers) - SHOWN:,} numbers more; the JSON form has all")
    lines += [f"package: {name}: {old or 'none'} -> {new or 'none'}" for name, old, new in changes.surroundings]
    return "\n".join(lines)


def markdown(changes: Changes, *, page: bool = False) -> str:
    """The changes for a pull request, or with `page` as a page of the newer version."""
    lines = [f"# What changed since {myst_text(changes.old)}" if page else f"### {changes.old} → {changes.new}", ""]
    lines += [myst_text(summary(changes)), ""]
    if page:
        lines += ['All of it for programs: <a href="../changes.json">changes.json</a>.', ""]
    head = "##" if page else "####"
    lines += _section(head, "Ranks", ("Rank of", "Old", "New"), _number_rows(changes, ranks=True))
    lines += _section(head, "Input files", ("Suite", "File", ""), _input_rows(changes))
    rows = [(s.suite, s.name, _setting(s.old), _setting(s.new)) for s in changes.settings]
    lines += _section(head, "Settings", ("Suite", "Setting", "Old", "New"), rows)
    lines += _formula_section(head, changes.formulas)
    lines += _section(head, "Numbers", ("Number", "Old", "New", "Change"), _number_rows(changes, ranks=False))
    if len(changes.numbers) > SHOWN:
        lines += [f"The first {SHOWN} of {len(changes.numbers):,} numbers.", ""]
    lines += _section(head, "Program and packages", ("Name", "Old", "New"), changes.surroundings)
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(head: str, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    body = ["| " + " | ".join(myst_text(cell) for cell in row) + " |" for row in rows]
    if not body:
        return []
    return [f"{head} {title}", "", f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}", *body, ""]


def _input_rows(changes: Changes) -> Iterator[Sequence[str]]:
    yield from ((i.suite, i.path, i.kind) for i in changes.inputs[:SHOWN])
    if len(changes.inputs) > SHOWN:
        yield "", f"and {len(changes.inputs) - SHOWN:,} more", ""


def _number_rows(changes: Changes, *, ranks: bool) -> Iterator[Sequence[str]]:
    for number in _by_subject(changes):
        if number.is_rank == ranks:
            values = _values(number, changes)
            name = _named(number.key, with_metric=not ranks)
            yield (name, *values) if ranks else (name, *values, _difference(number, changes).strip(" ()"))


def _by_subject(changes: Changes) -> Sequence[NumberChange]:
    """Ranks first, then what changed for each subject together; no more than a reader takes."""
    ordered = sorted(changes.numbers, key=lambda number: (not number.is_rank, number.key[1], number.key[0]))
    return ordered[:SHOWN]


def _formula_section(head: str, formulas: Sequence[FormulaChange]) -> list[str]:
    if not formulas:
        return []
    lines = [f"{head} Formulas", "", "| Metric | Old | New |", "|---|---|---|"]
    lines += [f"| {myst_text(f.metric)} | {_shown_formula(f.old)} | {_shown_formula(f.new)} |" for f in formulas]
    return [*lines, ""]


def _shown_formula(declaration: Declaration | None) -> str:
    if declaration is None:
        return "none"
    if not declaration.formula:
        return myst_text(f"checked by reference: {declaration.reference}")
    parts = [f"{declaration.symbol} = {declaration.formula}"]
    parts += [f"{found.symbol} = {found.formula}" for found in declaration.where]
    # A bar would end the cell of the table; \vert is the same sign.
    return ", ".join("$" + part.replace("|", r"\vert ") + "$" for part in parts)


def _formula(declaration: Declaration | None) -> str:
    if declaration is None:
        return ""
    if not declaration.formula:
        return f"checked by reference: {declaration.reference}"
    where = "".join(f"; {found.symbol} = {found.formula}" for found in declaration.where)
    needs = f" if {declaration.needs}" if declaration.needs else ""
    return f"{declaration.symbol} = {declaration.formula}{needs}{where}"


def _named(key: Key, *, with_metric: bool = True) -> str:
    metric, of = key
    ids = ", ".join(one_line(value) for _, value in of)
    return f"{metric} of {ids or 'everything'}" if with_metric else ids


def _setting(value: SettingJson) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else one_line(str(value))


def _values(number: NumberChange, changes: Changes) -> tuple[str, str]:
    decimals = changes.decimals.get(number.key[0], 4)
    old, new = (_value(stated, decimals) for stated in (number.old, number.new))
    if old == new and number.change:
        old, new = (stated.exact or "" if stated else "" for stated in (number.old, number.new))
    elif old == new and number.old and number.new:
        old, new = (f"{text} {_interval(s)}" for text, s in ((old, number.old), (new, number.new)))
    return old, new


def _value(stated: Stated | None, decimals: int) -> str:
    if stated is None:
        return "none"
    number = stated.number
    if number is None:
        return f"– ({one_line(stated.undefined or '')})"
    return str(number) if number.denominator == 1 and decimals == 0 else fixed(number, decimals)


def _interval(stated: Stated) -> str:
    found = stated.interval
    if found is None:
        return f"(n {stated.n})"
    low, high = ("–" if end is None else f"{end:.4f}" for end in (found.low, found.high))
    return f"({low} to {high}, n {stated.n}, {one_line(found.method)}, seed {found.seed})"


def _difference(number: NumberChange, changes: Changes) -> str:
    change = number.change
    if not change:
        return ""
    text = fixed(abs(change), changes.decimals.get(number.key[0], 4))
    return f" ({'+' if change > 0 else '−'}{text})"


def _input(change: InputChange) -> str:
    return f"{one_line(change.own)} (published as {one_line(change.path)})" if change.own else one_line(change.path)


def _input_document(change: InputChange) -> Json:
    own: Json = {"own": change.own} if change.own else {}
    return {"suite": change.suite, "path": change.path, "kind": change.kind, **own}


def _number_document(number: NumberChange) -> Json:
    metric, of = number.key
    change = number.change

    def side(stated: Stated | None) -> Json | None:
        if stated is None:
            return None
        limits = stated.interval
        return {
            "exact": stated.exact,
            "undefined": stated.undefined,
            "n": stated.n,
            "interval": None if limits is None else {"low": limits.low, "high": limits.high},
        }

    return {
        "metric": metric,
        "of": dict(of),
        "kind": number.kind,
        "old": side(number.old),
        "new": side(number.new),
        "change": None if change is None else f"{change.numerator}/{change.denominator}",
    }
