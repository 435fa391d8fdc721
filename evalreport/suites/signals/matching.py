"""Which card belongs to which benchmark: by the mapping file, else by normalised name. And what nothing belongs to."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from evalreport.errors import Problems
from evalreport.formats.benchmark_cards import Card
from evalreport.suites.signals.mapping import normalised
from evalreport.suites.signals.records import Conventions


def matched(
    benchmarks: Mapping[str, str], cards: Sequence[Card], conventions: Conventions, problems: Problems
) -> tuple[Mapping[str, Card], Sequence[Card]]:
    """The card of each benchmark that has one (by normalised name), and the cards that no benchmark has.

    The name on a card counts before the other names it may go by; one of those that two cards share names neither.
    Two different cards of one name are problems, and so is a card that the mapping names and nobody gave.
    """
    by_name: dict[str, Card] = {}
    for card in sorted(cards, key=lambda card: card.path):
        other = by_name.setdefault(normalised(card.name), card)
        if other.sections != card.sections:
            problems.add(card.path, f"is a second card of {card.name!r}", f"one card, as in {other.path}", kind="card")
    other_names: dict[str, dict[str, Card]] = defaultdict(dict)
    for name, card in by_name.items():
        for also in card.names[1:]:
            other_names[normalised(also)][name] = card
    known = {**{name: next(iter(own.values())) for name, own in other_names.items() if len(own) == 1}, **by_name}
    found = {}
    for key in benchmarks:
        asked = conventions.cards.get(key, benchmarks[key])
        if asked is None:
            continue
        card_found = known.get(normalised(asked))
        if card_found is not None:
            found[key] = card_found
        elif key in conventions.cards:
            problems.add(f"mapping: benchmarks.{benchmarks[key]}", f"names the card {asked!r}", "a card that was given")
    used = {normalised(card.name) for card in found.values()}
    return found, [card for name, card in sorted(by_name.items()) if name not in used]


def check_names(
    benchmarks: Mapping[str, str], metrics: Collection[str], conventions: Conventions, problems: Problems
) -> None:
    """Notes every benchmark and metric of the mapping file that no record has.

    A misspelt name would change nothing, and nobody would see that it does not.
    """
    for path, key, name in conventions.names:
        is_metric = key == "thresholds"
        if (name in metrics) if is_metric else (normalised(name) in benchmarks):
            continue
        kind, known = ("metric", sorted(metrics)) if is_metric else ("benchmark", sorted(benchmarks.values()))
        near = difflib.get_close_matches(name, known, n=1) or known[:1]
        such = f", such as {near[0]!r}" if near else ""
        problems.add(path, f"{key}.{name} is no {kind} of the records", f"a {kind} of theirs{such}", kind="mapping")
