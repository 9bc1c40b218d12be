"""A CoTuLenh position as JSON-ready data.

Written: `board`, twelve ranks of eleven cells from a12 on, a unit as the text has it or null; `stacks`, each
with its square, its side and its pieces, carrier first; `side`, `half` and `full`; `session`, the open deploy
session with what can be done, or null.
"""

from __future__ import annotations

from typing import Any, Final

from forsyth.games.cotulenh.board import FILES, RANK_COUNT
from forsyth.games.cotulenh.documents.api_values import session_view
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.moves import Rules
from forsyth.games.cotulenh.stacks import write_unit

_SIDE: Final = {"enum": ["r", "b"]}
_SQUARE: Final = {"type": "string", "pattern": "^[a-k](?:1[0-2]|[1-9])$"}
_PIECE: Final = {
    "type": "object",
    "required": ["type", "heroic"],
    "properties": {"type": {"enum": list("CITMEAGSFNH")}, "heroic": {"type": "boolean"}},
}

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["board", "stacks", "side", "half", "full", "session"],
    "properties": {
        "board": {
            "description": "Twelve ranks from the twelfth to the first, each from a to k: a unit or null.",
            "type": "array",
            "minItems": RANK_COUNT,
            "maxItems": RANK_COUNT,
            "items": {
                "type": "array",
                "minItems": len(FILES),
                "maxItems": len(FILES),
                "items": {"type": ["string", "null"]},
            },
        },
        "stacks": {
            "description": "The units of several pieces, each with its pieces, carrier first.",
            "type": "array",
            "items": {
                "type": "object",
                "required": ["square", "side", "pieces"],
                "properties": {
                    "square": _SQUARE,
                    "side": _SIDE,
                    "pieces": {"type": "array", "minItems": 2, "items": _PIECE},
                },
            },
        },
        "side": {"description": "Who moves.", **_SIDE},
        "half": {"description": "Half moves since a capture.", "type": "integer"},
        "full": {"description": "The number of the move.", "type": "integer"},
        "session": {
            "description": "The open deploy session.",
            "type": ["object", "null"],
            "required": ["origin", "original", "remaining", "steps", "can_commit", "can_cancel"],
            "properties": {
                "origin": _SQUARE,
                "original": {"type": "string"},
                "remaining": {"type": ["string", "null"]},
                "steps": {"type": "array", "items": {"type": "string"}},
                "can_commit": {"type": "boolean"},
                "can_cancel": {"type": "boolean"},
            },
        },
    },
}


def as_dict(position: Position, rules: Rules) -> dict[str, Any]:
    """The position as data."""
    units = [write_unit(unit, fen=True) if unit else None for unit in position.board()]
    width = len(FILES)
    ranks = [units[start : start + width] for start in range(0, len(units), width)]
    return {
        "board": ranks[::-1],
        "stacks": [
            {
                "square": square,
                "side": side,
                "pieces": [{"type": letter, "heroic": heroic} for letter, heroic in pieces],
            }
            for square, side, pieces in position.pieces()
            if len(pieces) > 1
        ],
        "side": position.turn,
        "half": position.half,
        "full": position.full,
        "session": _session(position, rules),
    }


def _session(position: Position, rules: Rules) -> dict[str, Any] | None:
    view = session_view(position, rules)
    if view is None:
        return None
    return {
        "origin": view.origin,
        "original": view.original,
        "remaining": view.remaining,
        "steps": list(view.steps),
        "can_commit": view.can_commit,
        "can_cancel": view.can_cancel,
    }
