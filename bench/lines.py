"""Requirements with their measured figures, and the table that shows which are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """Line of a result table: one requirement and the measured figure.

    A `required` of 0 means that the figure is only shown. `at_most` is True if `required` is an upper bound.
    """

    title: str
    figure: float
    required: float
    at_most: bool = False
    unit: str = "×"

    @property
    def is_met(self) -> bool:
        """True if the figure keeps the required bound."""
        return self.figure <= self.required if self.at_most else self.figure >= self.required


def verdict_rows(subject: str, lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """Return the rows of a table of requirements, beginning with the header. `subject` is its first cell."""
    return [(subject, "figure", "required", "verdict"), *map(_verdict_row, lines)]


def _verdict_row(line: Line) -> tuple[str, ...]:
    """Return the cells of one requirement: title, figure, bound and verdict."""
    sign = "≤" if line.at_most else "≥"
    digits = 0 if line.figure >= 100 else 2
    required = f"{sign} {line.required:g}{line.unit}" if line.required else ""
    verdict = ("met" if line.is_met else "NOT MET") if line.required else ""
    return line.title, f"{line.figure:,.{digits}f}{line.unit}", required, verdict
