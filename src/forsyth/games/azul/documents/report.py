"""Reports about Azul texts in the terms of the specification: codes, components, levels.

The level ``format`` checks only structure and format, ``content`` also checks the rules, and ``strict`` also
treats warnings as errors (spec/azul 8.1).
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

_PLACE_NAME: Final = re.compile(
    r"f(?P<index>\d)|p(?P<player>\d)(?:w(?P<row>\d)(?P<col>\d)|l(?P<line>\d)|[fs])"
)


@dataclass(frozen=True, slots=True)
class Issue:
    """A finding in the terms of the specification."""

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
    """Issues of the text inside a wrapped one. Their spans refer to `unwrapped`."""
    unwrapped: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the issue as data for JSON.

        `index`, `player`, `row` and `col` are left out if they are None.
        """
        data: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "severity": self.severity,
            "stage": self.stage,
            "component": self.component,
            "span": list(self.span),
        }
        place_numbers = {"index": self.index, "player": self.player, "row": self.row, "col": self.col}
        data |= {name: number for name, number in place_numbers.items() if number is not None}
        if self.inside:
            data |= {"unwrapped": self.unwrapped, "inside": [issue.to_dict() for issue in self.inside]}
        return data


@dataclass(frozen=True, slots=True)
class FenReport:
    """The type of a text, whether it is valid, and its errors and warnings."""

    type: str
    valid: bool
    errors: tuple[Issue, ...]
    warnings: tuple[Issue, ...]
    details: dict[str, Any] | None
    """Summary of the position, or None if there is no position."""

    def __bool__(self) -> bool:
        return self.valid


def report(text: str, level: Level = "content", store: Store | None = None) -> FenReport:
    """Check a text and return a report, which has its type, whether it is valid, its errors and warnings.

    Args:
        text: A text of any form.
        level: How much to check: ``format``, ``content`` or ``strict``.
        store: The store that resolves state identifiers (``state_…``), or None.

    Raises:
        ValueError: If the level is unknown.
    """
    require_choice("level", level, LEVELS)
    # Only `check` applies the rules of the game.
    read_text = read if level == "format" else check
    reading = read_text(text, GAME, store=store)
    if level == "strict":
        reading = reading.as_strict()
    return make_report(reading)


def make_report(reading: Reading[Position]) -> FenReport:
    """Return the report about a reading: the position of a text, with the errors and warnings about it.

    A report with errors lists no warnings.
    """
    errors = tuple([_make_issue(error) for error in reading.errors])
    warnings = () if errors else tuple([_make_issue(warning) for warning in reading.warnings])
    return FenReport(
        type=detect_type(reading),
        valid=not errors,
        errors=errors,
        warnings=warnings,
        details=None if reading.position is None else summarise_position(reading.position),
    )


def detect_type(reading: Reading[Position]) -> str:
    """Return the type of the text that was read, such as ``standard``, ``extended`` or ``base64``.

    Blanks around the text are ignored.
    """
    return detect(reading.text.strip())


def summarise_position(position: Position) -> dict[str, Any]:
    """Return a summary of a position: its factories, centre tiles, players, round and current player.

    All values are numbers.
    """
    return {
        "factories": len(position.factories),
        "center_tiles": len(position.center),
        "players": position.players,
        "round": position.round,
        "current_player": position.current,
    }


@lru_cache(maxsize=256)
def parse_place_numbers(square: str | None) -> Mapping[str, int]:
    """Return the numbers in the name of a place: ``{"player": 0, "row": 1, "col": 2}`` for ``p0w12``.

    The result for a factory such as ``f3`` is ``{"index": 3}``. It is empty if `square` is None or not the
    name of a factory or of a place on a board.
    """
    match = _PLACE_NAME.fullmatch(square or "")
    if match is None:
        return {}
    numbers = {name: int(digits) for name, digits in match.groupdict().items() if digits}
    # The specification calls the number of a pattern line its row.
    if "line" in numbers:
        numbers["row"] = numbers.pop("line")
    return numbers


def _make_issue(diagnostic: Diagnostic) -> Issue:
    """Return an error or warning as an issue, which has the terms of the specification.

    The code of an issue is in capitals, and the numbers of its place are separate values: `player`, `row`
    and so on.
    """
    return Issue(
        code=diagnostic.code_in_capitals,
        message=diagnostic.message,
        severity=str(diagnostic.severity),
        stage=diagnostic.stage,
        component=str(diagnostic.field or "fen"),
        span=(diagnostic.span.start, diagnostic.span.end),
        **parse_place_numbers(diagnostic.square),
        inside=tuple([_make_issue(inner) for inner in diagnostic.inside]),
        unwrapped=diagnostic.unwrapped,
    )
