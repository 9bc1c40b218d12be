"""Requirements on figures, and the table that says which are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One requirement, and what was measured."""

    title: str
    figure: float
    required: float
    at_most: bool = False
    unit: str = "×"

    @property
    def met(self) -> bool:
        """Whether it holds."""
        return self.figure <= self.required if self.at_most else self.figure >= self.required


def verdicts(subject: str, lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """A table of the requirements, the head first."""
    return [(subject, "figure", "required", "verdict"), *map(_verdict, lines)]


def _verdict(line: Line) -> tuple[str, ...]:
    sign = "≤" if line.at_most else "≥"
    digits = 0 if line.figure >= 100 else 2
    required = f"{sign} {line.required:g}{line.unit}" if line.required else ""
    verdict = ("met" if line.met else "NOT MET") if line.required else ""
    return line.title, f"{line.figure:,.{digits}f}{line.unit}", required, verdict
