"""A score that is a tree of means: every node with its weight, its value, and the hits behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Rectangle

from evalreport.charts.figure import Canvas
from evalreport.charts.palette import Palette
from evalreport.charts.sheet import POINTS, axes_at, bare, nothing, sheet, widest
from evalreport.charts.style import SMALL, STRONG

_ROW, _INDENT = 0.2, 0.13


@dataclass(frozen=True)
class Node:
    """A node of the tree: its share in its parent as text ("10 %"), its value from 0 to 1, what it rests on.

    `value` None means there is none; `count` is "812 of 1000" for a leaf, and may be empty above.
    """

    name: str
    value: float | None
    text: str = ""
    weight: str = ""
    count: str = ""
    children: tuple[Node, ...] = ()


def _walk(node: Node, depth: int = 0) -> Iterator[tuple[int, Node]]:
    yield depth, node
    for child in node.children:
        yield from _walk(child, depth + 1)


def tree(canvas: Canvas, root: Node | None) -> Drawing:
    """The tree as an outline: names indented, then weight, a bar from 0 to 1, the value, and hits of n."""
    palette = canvas.palette
    if root is None:
        return nothing(canvas.width, palette, "no score to take apart")
    nodes = list(_walk(root))
    widths = _columns(canvas, nodes)
    head = 0.2
    drawing = sheet(canvas.width, head + _ROW * len(nodes) + 0.06)
    axes = axes_at(drawing, 0.0, head, width=canvas.width, height=_ROW * len(nodes))
    bare(axes)
    axes.set(xlim=(0, canvas.width), ylim=(len(nodes) - 0.5, -0.5))
    name_end, weight_end, bar_end, value_end, count_end = widths
    for y, (depth, node) in enumerate(nodes):
        bold = STRONG if node.children else 400
        indent = 0.03 + _INDENT * depth
        room = (name_end - indent) * POINTS
        axes.text(indent, y, canvas.names.label(node.name, room, weight=STRONG), va="center", weight=bold)
        _branches(axes, palette, y, depth, nodes)
        axes.text(weight_end, y, node.weight, ha="right", va="center", fontsize=SMALL, color=palette.muted)
        _value(axes, palette, y, node, (weight_end + 0.1, bar_end))
        axes.text(value_end, y, node.text if node.value is not None else "–", ha="right", va="center", weight=bold)
        axes.text(count_end, y, node.count, ha="right", va="center", fontsize=SMALL, color=palette.muted)
    heads: dict[str, Any] = {"ha": "right", "va": "bottom", "fontsize": SMALL, "color": palette.muted}
    for x, words in ((weight_end, "weight"), (value_end, "score"), (count_end, "hits")):
        axes.text(x, -0.62, words, **heads)
    return drawing


def _columns(canvas: Canvas, nodes: list[tuple[int, Node]]) -> tuple[float, float, float, float, float]:
    """The right edges, in inches, of name, weight, bar, value and count."""
    weight = max(widest([n.weight for _, n in nodes], SMALL), widest(["weight"], SMALL))
    value = max(widest([n.text for _, n in nodes], weight=STRONG), widest(["score"], SMALL))
    count = max(widest([n.count for _, n in nodes], SMALL), widest(["hits"], SMALL))
    names = max(
        0.03 + _INDENT * depth + widest([canvas.names.label(n.name, 130.0 if canvas.page else 84.0, weight=STRONG)],
                                        weight=STRONG) for depth, n in nodes
    )  # fmt: skip
    fixed = weight + value + count + 0.1 * 4 + 0.06
    bar = max(canvas.width - fixed - names, 0.35)
    name_end = min(names, canvas.width - fixed - bar) + 0.02
    weight_end = name_end + 0.08 + weight
    count_end = canvas.width - 0.02
    value_end = count_end - count - 0.1
    return name_end, weight_end, value_end - value - 0.1, value_end, count_end


def _branches(axes: Axes, palette: Palette, y: int, depth: int, nodes: list[tuple[int, Node]]) -> None:
    """A thin line from the parent's name down to this row."""
    if depth == 0:
        return
    parent = max(k for k in range(y) if nodes[k][0] == depth - 1)
    x = 0.03 + _INDENT * (depth - 1) + 0.04
    axes.plot([x, x, x + _INDENT - 0.06], [parent + 0.36, y, y], color=palette.rule, lw=0.6, zorder=0)


def _value(axes: Axes, palette: Palette, y: int, node: Node, span: tuple[float, float]) -> None:
    left, right = span
    width = right - left
    if node.value is None:
        box = ((left, y - 0.2), width, 0.4)
        axes.add_patch(Rectangle(*box, fc="none", ec=palette.muted, hatch="//////", lw=0.4, alpha=0.75))
        return
    axes.add_patch(Rectangle((left, y - 0.2), width, 0.4, fc=palette.faint, lw=0))
    solid = 1.0 if node.children else palette.wash + 0.3
    axes.add_patch(Rectangle((left, y - 0.2), width * node.value, 0.4, fc=palette.data, alpha=solid, lw=0))
