"""A chess position as JSON-ready data.

The keys of the data:

- `variant`, `side`, `castling`, `half` and `full` have the values of the position.
- `board` has eight ranks of eight cells, a8 first. A cell is a piece letter, or null if it is empty.
- `ep` is the en-passant square, or null.
- `pockets` contains the pieces in hand in Crazyhouse, and is null in other variants.
- `checks` contains the checks that each side still has to give in Three-check, and is null in other variants.
"""

from __future__ import annotations

from typing import Any, Final

from forsyth.games.chess.position import Position

_RANK_SIZE: Final = 8
_CELL_SCHEMA: Final = {"type": ["string", "null"], "pattern": "^[PNBRQKpnbrqk]$"}
_POCKET_SCHEMA: Final = {"type": "array", "items": {"type": "string", "pattern": "^[PNBRQpnbrq]$"}}
_CHECKS_SCHEMA: Final = {"type": "integer", "minimum": 0, "maximum": 3}

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["variant", "board", "side", "castling", "ep", "half", "full", "pockets", "checks"],
    "properties": {
        "variant": {"type": "string"},
        "board": {
            "description": "The ranks from rank 8 to rank 1. Each has the cells of the files a to h.",
            "type": "array",
            "minItems": 8,
            "maxItems": 8,
            "items": {"type": "array", "minItems": 8, "maxItems": 8, "items": _CELL_SCHEMA},
        },
        "side": {"description": "The side to move.", "enum": ["w", "b"]},
        "castling": {"description": "The castling rights as in a FEN.", "type": "string"},
        "ep": {
            "description": "The square behind a pawn that has just made a double step.",
            "type": ["string", "null"],
        },
        "half": {"description": "Half-moves since the last capture or pawn move.", "type": "integer"},
        "full": {"description": "The number of the next move.", "type": "integer"},
        "pockets": {
            "description": "Pieces in hand (Crazyhouse).",
            "type": ["object", "null"],
            "required": ["white", "black"],
            "properties": {"white": _POCKET_SCHEMA, "black": _POCKET_SCHEMA},
        },
        "checks": {
            "description": "Checks that each side still has to give (Three-check).",
            "type": ["object", "null"],
            "required": ["white", "black"],
            "properties": {"white": _CHECKS_SCHEMA, "black": _CHECKS_SCHEMA},
        },
    },
}


def position_to_dict(position: Position) -> dict[str, Any]:
    """Return a position as a dictionary of JSON values, which conforms to the JSON schema `SCHEMA`.

    `board` is a list of eight ranks, rank 8 first, each with a piece letter or None for each square.
    """
    cells = [None if letter == "." else letter for letter in position.board]
    return {
        "variant": position.variant,
        "board": [cells[start : start + _RANK_SIZE] for start in range(0, len(cells), _RANK_SIZE)],
        "side": position.side,
        "castling": position.castling,
        "ep": None if position.ep == "-" else position.ep,
        "half": position.half,
        "full": position.full,
        "pockets": _group_pockets_by_side(position) if position.variant == "crazyhouse" else None,
        "checks": _group_checks_by_side(position) if position.variant == "3check" else None,
    }


def _group_pockets_by_side(position: Position) -> dict[str, list[str]]:
    """Return the letters of the pieces in hand of each side: ``{'white': ['Q', 'P'], 'black': ['n']}``."""
    letters = list(position.pockets)
    return {
        "white": [letter for letter in letters if letter.isupper()],
        "black": [letter for letter in letters if letter.islower()],
    }


def _group_checks_by_side(position: Position) -> dict[str, int]:
    """Return the number of checks that each side still has to give: ``{'white': 3, 'black': 2}``."""
    white, black = position.checks
    return {"white": white, "black": black}
