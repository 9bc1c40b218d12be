"""What a check of an Azul text found, in the words of the specification: codes, components, levels.

The level ``format`` looks at structure and format alone, ``content`` at the rules as well, ``strict`` takes
warnings for errors (spec/azul 8.1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from forsyth.arguments import require_choice
from forsyth.diagnostics import Diagnostic, Reading
from forsyth.forms import Store
from forsyth.games.azul.documents.text_forms import detect
from forsyth.games.azul.game import GAME
from forsyth.games.azul.position import Position
from forsyth.reading import check, read

Level = Literal["format", "content", "strict"]
LEVELS: Final = ("format", "content", "strict")

_PLACE: Final = re.compile(r"f(?P<index>\d)|p(?P<player>\d)(?:w(?P<row>\d)(?P<col>\d)|l(?P<line>\d)|[fs])")


@dataclass(frozen=True, slots=True)
class Issue:
    """One finding in the specification's words."""

    code: str
    message: str
    severity: str
    stage: str
    component: str
    span: tuple[int, int]
    index: int | None = None
    player: int | None = None
    row: int | None = None
    col: int | None = None
    inside: tuple[Issue, ...] = ()
    """What is wrong with the text inside a wrapped one; the spans are those of `unwrapped`."""
    unwrapped: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The issue as JSON-ready data; places it does not have are left out."""
        said: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "severity": self.severity,
            "stage": self.stage,
            "component": self.component,
            "span": list(self.span),
        }
        places = (("index", self.index), ("player", self.player), ("row", self.row), ("col", self.col))
        said |= {name: number for name, number in places if number is not None}
        if self.inside:
            said |= {"unwrapped": self.unwrapped, "inside": [issue.to_dict() for issue in self.inside]}
        return said


@dataclass(frozen=True, slots=True)
class FenReport:
    """What a text is, whether it is valid, and why not."""

    type: str
    valid: bool
    errors: tuple[Issue, ...]
    warnings: tuple[Issue, ...]
    details: dict[str, Any] | None
    """What the position shows, where there is one."""

    def __bool__(self) -> bool:
        return self.valid


def report(text: str, level: Level = "content", store: Store | None = None) -> FenReport:
    """Everything about a text at one level; never raises but for a level there is none of."""
    require_choice("level", level, LEVELS)
    reading = (read if level == "format" else check)(text, GAME, store=store)
    if level == "strict":
        reading = reading.strictly()
    return report_of(reading)


def report_of(reading: Reading[Position]) -> FenReport:
    """A reading in the words of the specification."""
    errors = tuple([_issue(diagnostic) for diagnostic in reading.diagnostics if diagnostic.is_error])
    warnings = tuple([_issue(diagnostic) for diagnostic in reading.diagnostics if not diagnostic.is_error])
    details = None if reading.position is None else details_of(reading.position)
    return FenReport(type_of(reading), not errors, errors, () if errors else warnings, details)


def type_of(reading: Reading[Position]) -> str:
    """The type of the text that was read."""
    return detect(reading.text)


def details_of(position: Position) -> dict[str, Any]:
    """What a position shows."""
    return {
        "factories": len(position.factories),
        "center_tiles": len(position.center),
        "players": position.players,
        "round": position.round,
        "current_player": position.current,
    }


@lru_cache(maxsize=256)
def places_of(square: str | None) -> Mapping[str, int]:
    """The numbers in the name of a place: `index` of a factory, or `player`, `row` and `col` of a board."""
    place = _PLACE.fullmatch(square or "")
    numbers = {name: int(number) for name, number in place.groupdict().items() if number} if place else {}
    if "line" in numbers:
        numbers["row"] = numbers.pop("line")
    return numbers


def _issue(diagnostic: Diagnostic) -> Issue:
    return Issue(
        diagnostic.code_in_capitals,
        diagnostic.message,
        str(diagnostic.severity),
        diagnostic.stage,
        str(diagnostic.field or "fen"),
        (diagnostic.span.start, diagnostic.span.end),
        **places_of(diagnostic.square),
        inside=tuple([_issue(inner) for inner in diagnostic.inside]),
        unwrapped=diagnostic.unwrapped,
    )
