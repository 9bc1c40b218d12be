"""A position on a grid as JSON-ready data, and its schema.

Written: `board`, the ranks from the top one on, each from the left file on, letters or null; `side`, the
letter of who moves; `hands`, for each side's letter the men in hand with their numbers, where the game has
hands; `half`, where it counts plies without a capture; `full`, the number of the move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from forsyth.kit.edit import hand_men
from forsyth.kit.sheet import MAX_CLOCK, MAX_HELD, SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition

_CLOCKS: Final = {"half": (0, "Plies since the last capture."), "full": (1, "The number of the move.")}


def schema(sheet: Sheet) -> Mapping[str, Any]:
    """The JSON schema of the data of a game."""
    width, height = len(sheet.files), len(sheet.ranks)
    order = f"Ranks from {sheet.ranks[0]} to {sheet.ranks[-1]}, each from {sheet.files[0]} on."
    cell = {"enum": [*sheet.letters[1:], None]}
    rank = {"type": "array", "minItems": width, "maxItems": width, "items": cell}
    found: dict[str, Any] = {
        "board": {
            "description": order,
            "type": "array",
            "minItems": height,
            "maxItems": height,
            "items": rank,
        },
        "side": {"description": "Who moves.", "enum": [side.letter for side in sheet.sides]},
    }
    if sheet.has_hands:
        letters = [side.letter for side in sheet.sides]
        found["hands"] = {
            "description": "Men in hand by their letters, for either side.",
            "type": "object",
            "required": letters,
            "properties": {sheet.sides[side].letter: _hand_schema(sheet, side) for side in SIDES},
        }
    for name, (least, description) in _CLOCKS.items():
        if name in sheet.fields:
            limits = {"minimum": least, "maximum": MAX_CLOCK}
            found[name] = {"description": description, "type": "integer", **limits}
    return {"type": "object", "required": list(found), "properties": found}


def _hand_schema(sheet: Sheet, side: int) -> dict[str, Any]:
    count = {"type": "integer", "minimum": 1, "maximum": MAX_HELD}
    men = {sheet.letters[man]: count for man in hand_men(sheet, side)}
    return {"type": "object", "properties": men, "additionalProperties": False}


def as_data(position: GridPosition) -> dict[str, Any]:
    """The position as data."""
    sheet = position.game.sheet
    width = len(sheet.files)
    men = [sheet.letters[man] or None for man in position.board]
    found: dict[str, Any] = {
        "board": [men[at : at + width] for at in range(0, len(men), width)],
        "side": position.side,
    }
    if sheet.has_hands:
        found["hands"] = {sheet.sides[side].letter: _hand(position, side) for side in SIDES}
    return found | {name: getattr(position, name) for name in _CLOCKS if name in sheet.fields}


def _hand(position: GridPosition, side: int) -> dict[str, int]:
    sheet = position.game.sheet
    held = {sheet.letters[man]: position.hands[man - 1] for man in hand_men(sheet, side)}
    return {letter: count for letter, count in held.items() if count}
