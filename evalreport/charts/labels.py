"""Names from the data as labels: never mathematics, never an empty box, never the same label for two names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from evalreport.charts.fonts import glyphs, text_width
from evalreport.charts.style import BODY

ELLIPSIS = "…"
_RIGHT_TO_LEFT = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}


def _plain(name: str) -> str:
    """The name on one line, composed where Unicode has the composed letter."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def _writable(text: str) -> bool:
    """Whether the packaged fonts can write it so that a reader sees every character, in this order."""
    return bool(text) and all(
        c in glyphs()
        and unicodedata.bidirectional(c) not in _RIGHT_TO_LEFT
        and unicodedata.category(c) not in {"Cc", "Cf", "Co", "Cs", "Cn", "Mn", "Me", "Mc"}
        for c in text
    )


def _shortened(text: str, points: float, size: float, weight: int) -> str:
    """The text, or its two ends around an ellipsis, no wider than `points`."""
    if text_width(text, size, weight=weight) <= points:
        return text
    low, high = 0, len(text) - 1
    while low < high:  # the most characters that fit
        keep = (low + high + 1) // 2
        if text_width(_ends(text, keep), size, weight=weight) <= points:
            low = keep
        else:
            high = keep - 1
    return _ends(text, low)


def _ends(text: str, keep: int) -> str:
    head = (keep + 1) // 2
    return text[:head].rstrip() + ELLIPSIS + text[len(text) - (keep - head) :].lstrip()


class Names:
    """All names of one figure and how each is written in it.

    A name that the packaged fonts cannot write, or that looks like another in the same room, becomes a numbered mark.
    `marks` lists the marks that were asked for with the full names, for the caption.

    >>> names = Names(["cost$a_{b$", "模型-一号"])
    >>> names.label("cost$a_{b$", 100), names.label("模型-一号", 100), names.marks
    ('cost$a_{b$', '[1]', (('[1]', '模型-一号'),))
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._plain: dict[str, str] = {name: _plain(name) for name in sorted(set(names))}
        self._marks: dict[str, str] = {}
        self._fits: dict[tuple[float, float, int], Mapping[str, str]] = {}
        self._labels: dict[tuple[str, float, float, int], str] = {}
        self._short: set[tuple[str, str]] = set()
        twins = {name for name in self._twins(self._plain) if name != self._plain[name]}
        for name, text in self._plain.items():
            if name in twins or not _writable(text):
                self._mark(name)

    @staticmethod
    def _twins(labels: Mapping[str, str]) -> set[str]:
        by_label: dict[str, list[str]] = {}
        for name, label in labels.items():
            by_label.setdefault(label, []).append(name)
        return {name for same in by_label.values() if len(same) > 1 for name in same}

    def _mark(self, name: str) -> str:
        if name not in self._marks:
            taken = {*self._plain.values(), *self._marks.values()}
            self._marks[name] = next(m for m in (f"[{k}]" for k in range(1, len(taken) + 2)) if m not in taken)
        return self._marks[name]

    def __contains__(self, name: str) -> bool:
        return name in self._plain

    def _fit(self, points: float, size: float, weight: int) -> Mapping[str, str]:
        """The names that are told from each other in so much room; only those that are asked for get marks."""
        labels = {
            name: _shortened(text, points, size, weight)
            for name, text in self._plain.items()
            if name not in self._marks
        }
        twins = self._twins(labels)
        return {name: label for name, label in labels.items() if name not in twins}

    def label(self, name: str, points: float, *, size: float = BODY, weight: int = 400) -> str:
        """How the name is written in this much room, in points. `KeyError` for a name that was not listed."""
        room = (points, size, weight)
        if (name, *room) not in self._labels:
            if room not in self._fits:
                self._fits[room] = self._fit(points, size, weight)
            label = self._fits[room].get(name) if name not in self._marks else None
            if label is None and name not in self._plain:
                raise KeyError(name)
            if label is not None and label != self._plain[name]:
                self._short.add((label, name))
            self._labels[name, *room] = self._mark(name) if label is None else label
        return self._labels[name, *room]

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """The numbered marks handed out so far, each with the full name."""
        return tuple(sorted(((mark, name) for name, mark in self._marks.items()), key=lambda pair: int(pair[0][1:-1])))

    @property
    def shortened(self) -> tuple[tuple[str, str], ...]:
        """The labels that were cut, each with the full name."""
        return tuple(sorted(self._short))
