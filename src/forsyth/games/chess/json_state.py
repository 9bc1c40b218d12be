"""A chess position as JSON-ready data.

Written: `board`, eight ranks of eight cells from a8 on, a letter or null; `side`, `castling` as a FEN has it,
`ep` or null, `half` and `full`; `variant`, and what only some variants have: `pockets` of Crazyhouse and the
`checks` that each side still has to give in Three-check, else null.
"""

from __future__ import annotations

from typing import Any, Final

from forsyth.games.chess.position import Position

_CELL: Final = {"type": ["string", "null"], "pattern": "^[PNBRQKpnbrqk]$"}
_LETTERS: Final = {"type": "array", "items": {"type": "string", "pattern": "^[PNBRQpnbrq]$"}}
_COUNT: Final = {"type": "integer", "minimum": 0, "maximum": 3}

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["variant", "board", "side", "castling", "ep", "half", "full", "pockets", "checks"],
    "properties": {
        "variant": {"type": "string"},
        "board": {
            "description": "Eight ranks from the eighth to the first, each from a to h.",
            "type": "array",
            "minItems": 8,
            "maxItems": 8,
            "items": {"type": "array", "minItems": 8, "maxItems": 8, "items": _CELL},
        },
        "side": {"description": "Who moves.", "enum": ["w", "b"]},
        "castling": {"description": "The castling rights as a FEN writes them.", "type": "string"},
        "ep": {"description": "The square a pawn has just jumped over.", "type": ["string", "null"]},
        "half": {"description": "Half moves since a capture or a pawn's move.", "type": "integer"},
        "full": {"description": "The number of the move.", "type": "integer"},
        "pockets": {
            "description": "Pieces in hand (Crazyhouse).",
            "type": ["object", "null"],
            "required": ["white", "black"],
            "properties": {"white": _LETTERS, "black": _LETTERS},
        },
        "checks": {
            "description": "Checks still to be given (Three-check).",
            "type": ["object", "null"],
            "required": ["white", "black"],
            "properties": {"white": _COUNT, "black": _COUNT},
        },
    },
}


def as_dict(position: Position) -> dict[str, Any]:
    """The position as data."""
    board = [None if letter == "." else letter for letter in position.board]
    return {
        "variant": position.variant,
        "board": [board[start : start + 8] for start in range(0, 64, 8)],
        "side": position.side,
        "castling": position.castling,
        "ep": None if position.ep == "-" else position.ep,
        "half": position.half,
        "full": position.full,
        "pockets": _pockets(position) if position.variant == "crazyhouse" else None,
        "checks": _checks(position) if position.variant == "3check" else None,
    }


def _pockets(position: Position) -> dict[str, list[str]]:
    letters = list(position.pockets)
    return {
        "white": [letter for letter in letters if letter.isupper()],
        "black": [letter for letter in letters if letter.islower()],
    }


def _checks(position: Position) -> dict[str, int]:
    white, black = position.checks
    return {"white": white, "black": black}
