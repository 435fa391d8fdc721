"""One figure of every kind, with no, one, some and many rows, over names that come from strangers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from matplotlib.figure import Figure as Drawing

from evalreport.charts import bars, calibration, grid, lines, ranks, rows, tree
from evalreport.charts.figure import Canvas, Figure, Panel
from evalreport.core.suite import CsvTable

HOSTILE = (
    "Ba$$in-7b 1.0",
    "cost$a_{b$ 2",
    "模型-一号 1.0",
    "نموذج-١ 1.0",
    "🚀-rocket-7b 0.1",
    "m" + "_very_long" * 20,
    "m" + "_very_long" * 19 + "_very_lonG",
    "m" + "_very_long" * 21,
    r"back\slash_{x}^2 %<b>&amp;",
    "two\nlines 1",
    "two lines 1",
    "[1]",
    "../../etc/passwd",
    "e\u0301clair",
    "éclair",
    "zero\u200bwidth",
    "zerowidth",
)
PLAIN = ("aurora-2 2.1", "estuary-1 1.0", "aurora-2 2.0", "cirrus-mini 0.9", "basalt-chat 1.3", "heron-8b 1.1")
MANY = tuple(f"subject-{k:02d} {k % 3}.{k % 7}" for k in range(44))
COUNTS: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "one": PLAIN[:1],
    "some": PLAIN,
    "hostile": HOSTILE,
    "many": MANY,
}


def share(k: int, base: int = 97) -> float:
    """A number from 0 to 1 that jumps about with k."""
    return ((k * 37 + 11) % base) / base


def bins(k: int) -> tuple[calibration.Bin, ...]:
    """Between one and ten bins, the last one always there."""
    out = []
    for m in range(10):
        if m < 9 and (m * 7 + k) % 3 == 0:
            continue
        y = min(1.0, max(0.0, m / 10 + (share(m + k) - 0.5) * 0.6))
        limits = (m * 10, 100 if m == 9 else m * 10 + 9)
        out.append(calibration.Bin(*limits, m * 3 + 1, m / 10 + 0.055, y, (max(0, y - 0.2), min(1, y + 0.15))))
    return tuple(out)


def reliability(name: str, k: int) -> calibration.Reliability:
    if k == 5:
        return calibration.Reliability(name, (), empty_note="40 responses await scoring", note="no data")
    band = calibration.NullBand(0.05 + 0.2 * share(k), 0.09, 0.05, 0.16, f"{0.05 + 0.2 * share(k):.4f}")
    note = f"ECE {band.ece:.4f}" + (" · above null band" if band.above else "")
    return calibration.Reliability(name, bins(k), band, note)


def weighted(names: tuple[str, ...]) -> list[ranks.Weighted]:
    return [
        ranks.Weighted(n, Fraction((k * 31) % 89, 89), Fraction((k * 17 + 5) % 23, 23)) for k, n in enumerate(names)
    ]


def rank_chart(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    return ranks.rank_chart(
        canvas,
        weighted(names),
        published=Fraction(1, 2),
        symbol=r"\alpha",
        low_end="mean score",
        high_end="pass rate",
    )


def heat(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    families = ("FOUL", "MECH", "NOWE", "OXID", "SCAL")
    cells = {
        (n, f): grid.Cell(None)
        if (j + k) % 7 == 3
        else grid.Cell(share(j * 5 + k), f"{share(j * 5 + k):.2f}", f"n {k + 8}", framed=(j * k) % 11 == 1)
        for j, n in enumerate(names)
        for k, f in enumerate(families)
    }
    return grid.heatmap(canvas, names, families, cells, column_title="family")


def wide_heat(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    dims = ("Recall", "Precision", "Calibration", "Resolution", "Diagnosticity", "Verdict")
    cells = {
        (d, n): grid.Cell(None) if (j + k) % 9 == 3 else grid.Cell(share(j * 5 + k), f"{share(j * 5 + k):.2f}"[1:])
        for j, n in enumerate(names)
        for k, d in enumerate(dims)
    }
    return grid.heatmap(canvas, dims, names, cells, row_title="dimension", column_title="case")


def pairs(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    cells = {
        (a, b): grid.Cell(share(i) - share(j), f"{100 * (share(i) - share(j)):+.0f}", strong=(i * j) % 3 == 1)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i != j
    }
    return grid.pair_matrix(canvas, names, cells, title="row minus column, points of 100")


def forest_of_named_groups(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    """Names from the data are the names of the groups too, and a threshold runs through all of them."""
    out = [rows.ForestRow(n, share(k), f"{share(k):.4f}", 2, group=names[k - 1]) for k, n in enumerate(names)]
    scale = rows.Scale("spread", threshold=0.2, threshold_label="threshold 0.2")
    return rows.forest(canvas, out, scale, value_title="spread")


def forest(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    out = []
    for k, n in enumerate(names):
        v = 1 - k / (len(names) + 2)
        last = k >= len(names) - 2 and len(names) > 3
        if k == len(names) - 1 and last:
            out.append(rows.ForestRow(n, None, note="no scored runs", group="Not ranked", n=0))
            continue
        out.append(
            rows.ForestRow(
                n, v, f"{v:.4f}", 40 - k % 7, (max(0, v - 0.12), min(1, v + 0.1)), "" if last else str(k + 1),
                "disqualified" if last else "", "muted" if last else "data", "Not ranked" if last else "",
            )
        )  # fmt: skip
    scale = rows.Scale("composite, 0 to 1; line: 95 % interval")
    return rows.forest(canvas, out, scale, value_title="Q")


def threshold_forest(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    out = [
        rows.ForestRow(n, share(k), f"{share(k):.2f}", 20, None, tone="alert" if share(k) < 0.65 else "data")
        for k, n in enumerate(names)
    ]
    scale = rows.Scale("case mean", threshold=0.65, threshold_label="case pass 0.65")
    return rows.forest(canvas, out, scale, value_title="mean")


def dots(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    out = [
        rows.DotRow(n, tuple(round(share(i * 7 + k), 1) for i in range(k % 24)), f"{k} of 23")
        for k, n in enumerate(names)
    ]
    scale = rows.Scale("case mean", threshold=0.65, threshold_label="case pass 0.65")
    return rows.dots(canvas, out, scale, text_title="passed")


def bar_chart(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    parts = (
        bars.Part("undisclosed", "alert"),
        bars.Part("disclosed", "wash"),
        bars.Part("left out: not known whether it applies", "hatch", "left out"),
    )
    out = []
    for k, n in enumerate(names):
        gap, ok, left = 41 - (k * 7) % 40, (k * 5) % 20, (k * 3) % 4 and 1
        rest = 62 - gap - ok - left
        out.append(
            bars.BarRow(
                n, (gap, ok, left), f"{gap} of {gap + ok}", f"{100 * gap / (gap + ok):.0f} %", f"{rest} not applicable"
            )
        )
    return bars.stacked_bars(canvas, out, parts, total=62, unit="result tuples")


def histogram(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    out = [bars.HistogramBin(k, k + 1, (k * 13) % 29) for k in range(1, len(names) + 1)]
    ticks = [(k, str(k)) for k in range(0, len(names) + 1, max(1, len(names) // 5))]
    return bars.histogram(canvas, out, label="stated confidence, %", unit="runs", ticks=ticks)


def sensitivity(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    series = [
        lines.Series(n, tuple((x / 10, min(1, share(k) * (1 - x / 20) + x / 40)) for x in range(11)))
        for k, n in enumerate(names)
    ]
    return lines.sensitivity(
        canvas, series, x_label=r"threshold $t$", y_label="share passed", x_range=(0, 1), y_range=(0, 1),
        published=(0.5, r"published, $t$ = 0.5"),
    )  # fmt: skip


def aggregation(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    leaves = [
        tree.Node(
            n,
            share(k) if k % 6 != 4 else None,
            f"{100 * share(k):.2f}",
            f"1/{len(names)}",
            f"{k * 31} of {k * 40 + 40}",
        )
        for k, n in enumerate(names)
    ]
    if not leaves:
        return tree.tree(canvas, None)
    half = len(leaves) // 2
    groups = tuple(
        tree.Node(name, 0.7, "70.00", "50 %", "", tuple(part))
        for name, part in (("Non-live", leaves[:half]), ("Live, with a longer name of its own", leaves[half:]))
        if part
    )
    return tree.tree(canvas, tree.Node("Overall accuracy", 0.71, "71.24", "", "", groups))


def _reliability_diagram(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    return calibration.reliability_diagram(canvas, reliability(names[0], len(names)) if names else reliability("", 5))


def _overview(canvas: Canvas, names: tuple[str, ...]) -> Drawing:
    return calibration.reliability_overview(canvas, [reliability(n, k) for k, n in enumerate(names)])


KINDS: Mapping[str, Callable[[Canvas, tuple[str, ...]], Drawing]] = {
    "ranks": rank_chart,
    "heat": heat,
    "wide-heat": wide_heat,
    "pairs": pairs,
    "forest": forest,
    "forest-of-groups": forest_of_named_groups,
    "threshold-forest": threshold_forest,
    "dots": dots,
    "bars": bar_chart,
    "histogram": histogram,
    "sensitivity": sensitivity,
    "tree": aggregation,
    "reliability": _reliability_diagram,
    "overview": _overview,
}
EXTRA_NAMES = (
    *("FOUL", "MECH", "NOWE", "OXID", "SCAL"),
    *("Recall", "Precision", "Calibration", "Resolution", "Diagnosticity", "Verdict"),
    *("Overall accuracy", "Non-live", "Live, with a longer name of its own"),
)


def figure(kind: str, count: str) -> Figure:
    """The figure of this kind over these names."""
    names = COUNTS[count]
    draw = KINDS[kind]
    panels = (
        tuple(
            Panel(
                id=f"{kind}-{count}-{k}", title=n, subtitle="ECE", alt="panel", href="",
                draw=lambda c, n=n, k=k: calibration.small_reliability(c, reliability(n, k)),  # type: ignore[misc]
            )
            for k, n in enumerate(names[:7])
        )
        if kind == "overview"
        else ()
    )  # fmt: skip
    return Figure(
        id=f"{kind}-{count}",
        finding=f"A {kind} chart.",
        text="How to read it.",
        alt=f"{kind} over {count} names",
        data=CsvTable(kind, ("name",), tuple((n,) for n in names)),
        draw=lambda canvas: draw(canvas, names),
        settings={"level": "0.95"},
        names=(*names, *EXTRA_NAMES),
        panels=panels,
    )
