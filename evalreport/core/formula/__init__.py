"""The formula language: metric formulas in a LaTeX subset, read strictly, evaluated exactly, printed with numbers."""

from evalreport.core.formula.evaluation import Evaluation
from evalreport.core.formula.expression import Symbol
from evalreport.core.formula.notation import Notation
from evalreport.core.formula.sets import Set, Weighted
from evalreport.core.formula.syntax import FormulaError

__all__ = ["Evaluation", "FormulaError", "Notation", "Set", "Symbol", "Weighted"]
