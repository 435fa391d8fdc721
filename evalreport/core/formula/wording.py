"""LaTeX of the subset as plain words, for table cells and messages."""

from __future__ import annotations

import re

WORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\\(?:texttt|text|mathrm|mathcal)\{((?:[^{}\\]|\\[^{}])*)\}"), r"\1"),
    (re.compile(r"\\bar\{(\w)\}"), "\\1\u0304"),
    (re.compile(r"\\tilde\{(\w)\}"), "\\1\u0303"),
    (re.compile(r"\\hat\{(\w)\}"), "\\1\u0302"),
    (re.compile(r"_\{((?:[^{}\\]|\\[^{}])*)\}"), r"_\1"),
    (re.compile(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}"), r"(\1)/(\2)"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r"√(\1)"),
    (re.compile(r"\\(?:left|right|operatorname\*|[,;])"), " "),
    (re.compile(r"\\substack"), ""),
    (re.compile(r"\\\\"), ", "),
)
SIGNS = {
    "le": "≤",
    "ge": "≥",
    "ne": "≠",
    "in": "in",
    "notin": "not in",
    "cdot": "·",
    "dots": "…",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "varepsilon": "ε",
    "theta": "θ",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "Delta": "Δ",
}


def words(latex: str) -> str:
    """LaTeX of the subset as plain text, for a table cell or a message.

    >>> words(r"R_f \\text{ is empty}"), words(r"\\text{not } \\frac{|B_m|}{N} \\ge 1")
    ('R_f is empty', 'not (|B_m|)/(N) ≥ 1')
    """
    text, before = latex, ""
    while text != before:
        before = text
        for pattern, replacement in WORDS:
            text = pattern.sub(replacement, text)
    text = re.sub(r"\\([A-Za-z]+)", lambda found: SIGNS.get(found[1], found[1]), text)
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())
