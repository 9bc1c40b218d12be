"""A position on a grid as JSON-ready data, and the JSON schema of that data.

The keys are:

- ``board``: the ranks, the top rank first. Each is a list from the left file to the right of letters or null;
- ``side``: the letter of the side to move;
- ``hands``, if the game has hands: for each side's letter, the numbers of its pieces in hand by letter;
- ``half``, if the game has a half-move clock: the plies since the last capture;
- ``full``: the number of the move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from forsyth.kit.edit import list_hand_pieces
from forsyth.kit.sheet import MAX_CLOCK, MAX_IN_HAND, SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition

_CLOCK_LIMITS: Final = {"half": (0, "Plies since the last capture."), "full": (1, "The number of the move.")}
"""The minimum and the description of each clock."""


def make_schema(sheet: Sheet) -> Mapping[str, Any]:
    """Return the JSON schema of the data that `position_to_data` returns.

    `sheet` is the data of the game, with the size of the board, the letters of the pieces, the hands and the
    clocks.
    """
    side_letters = [side.letter for side in sheet.sides]
    properties: dict[str, Any] = {
        "board": _make_board_schema(sheet),
        "side": {"description": "The side to move.", "enum": side_letters},
    }
    if sheet.has_hands:
        properties["hands"] = {
            "description": "Pieces in hand by their letters, for each side.",
            "type": "object",
            "required": side_letters,
            "properties": {sheet.sides[side].letter: _make_hand_schema(sheet, side) for side in SIDES},
        }
    for name, (minimum, description) in _CLOCK_LIMITS.items():
        if name in sheet.fields:
            limits = {"minimum": minimum, "maximum": MAX_CLOCK}
            properties[name] = {"description": description, "type": "integer", **limits}
    return {"type": "object", "required": list(properties), "properties": properties}


def _make_board_schema(sheet: Sheet) -> dict[str, Any]:
    """Return the JSON schema of a board: a list of ranks, each of which is a list of letters and nulls."""
    width, height = len(sheet.files), len(sheet.ranks)
    # The first letter is that of an empty square, which is null in the data.
    cell = {"enum": [*sheet.letters[1:], None]}
    rank = {"type": "array", "minItems": width, "maxItems": width, "items": cell}
    return {
        "description": f"Ranks from {sheet.ranks[0]} to {sheet.ranks[-1]}, each from {sheet.files[0]} on.",
        "type": "array",
        "minItems": height,
        "maxItems": height,
        "items": rank,
    }


def _make_hand_schema(sheet: Sheet, side: int) -> dict[str, Any]:
    """Return the JSON schema of the hand of a side (0 or 1): the number of pieces by letter."""
    count = {"type": "integer", "minimum": 1, "maximum": MAX_IN_HAND}
    counts = {sheet.letters[piece]: count for piece in list_hand_pieces(sheet, side)}
    return {"type": "object", "properties": counts, "additionalProperties": False}


def position_to_data(position: GridPosition) -> dict[str, Any]:
    """Return a position as data for JSON: ``board``, ``side``, ``hands`` and the clocks.

    The board is a list of ranks, the top rank first. Each rank is a list of letters, with None for an empty
    square.
    """
    sheet = position.game.sheet
    width = len(sheet.files)
    squares = [sheet.letters[piece] or None for piece in position.board]
    ranks = [squares[start : start + width] for start in range(0, len(squares), width)]
    data: dict[str, Any] = {"board": ranks, "side": position.side}
    if sheet.has_hands:
        data["hands"] = {sheet.sides[side].letter: _convert_hand_to_data(position, side) for side in SIDES}
    for name in _CLOCK_LIMITS:
        if name in sheet.fields:
            data[name] = getattr(position, name)
    return data


def _convert_hand_to_data(position: GridPosition, side: int) -> dict[str, int]:
    """Return the number of pieces in the hand of a side (0 or 1) by letter, such as ``{"P": 2}``.

    Letters without a piece in hand are left out.
    """
    letters = position.game.sheet.letters
    counts = {}
    for piece in list_hand_pieces(position.game.sheet, side):
        count = position.hands[piece - 1]
        if count:
            counts[letters[piece]] = count
    return counts
