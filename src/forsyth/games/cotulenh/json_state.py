"""A CoTuLenh position as JSON-ready data.

* `board`: twelve ranks of eleven cells, from a12 on. A cell is a unit as in a FEN, or null.
* `stacks`: the units of several pieces, with square, side and pieces, carrier first.
* `side`, `half` and `full`: the side to move and the clocks.
* `session`: the open deploy session and whether it can be committed or cancelled, or null.
"""

from __future__ import annotations

from typing import Any, Final

from forsyth.games.cotulenh.board import FILE_COUNT, RANK_COUNT
from forsyth.games.cotulenh.documents.api_values import make_session_view
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.moves import Rules
from forsyth.games.cotulenh.stacks import LETTERS, write_unit

_SIDE: Final = {"enum": ["r", "b"]}
_SQUARE: Final = {"type": "string", "pattern": "^[a-k](?:1[0-2]|[1-9])$"}
_PIECE: Final = {
    "type": "object",
    "required": ["type", "heroic"],
    "properties": {"type": {"enum": list(LETTERS)}, "heroic": {"type": "boolean"}},
}

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["board", "stacks", "side", "half", "full", "session"],
    "properties": {
        "board": {
            "description": "Ranks 12 to 1, each with files a to k. A cell is a unit as in a FEN, or null.",
            "type": "array",
            "minItems": RANK_COUNT,
            "maxItems": RANK_COUNT,
            "items": {
                "type": "array",
                "minItems": FILE_COUNT,
                "maxItems": FILE_COUNT,
                "items": {"type": ["string", "null"]},
            },
        },
        "stacks": {
            "description": "The stacks on the board, each with its pieces, carrier first.",
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
        "side": {"description": "The side to move.", **_SIDE},
        "half": {"description": "The half-move clock.", "type": "integer"},
        "full": {"description": "The number of the next move.", "type": "integer"},
        "session": {
            "description": "The open deploy session, or null.",
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


def position_to_dict(position: Position, rules: Rules) -> dict[str, Any]:
    """Return a position as JSON-ready data that fits `SCHEMA`.

    `rules` are the rule options, which determine how the steps of an open deploy session are written.
    """
    return {
        "board": _list_ranks(position),
        "stacks": _list_stacks(position),
        "side": position.turn,
        "half": position.half,
        "full": position.full,
        "session": _session_to_dict(position, rules),
    }


def _list_ranks(position: Position) -> list[list[str | None]]:
    """Return twelve ranks of eleven squares, rank 12 first and file a first.

    A square is a piece or stack as in a FEN, such as ``t`` or ``(nf)``, or None if it is empty.
    """
    cells = [write_unit(unit, fen=True) if unit else None for unit in position.board()]
    ranks = [cells[start : start + FILE_COUNT] for start in range(0, len(cells), FILE_COUNT)]
    # The units of a position begin with rank 1.
    ranks.reverse()
    return ranks


def _list_stacks(position: Position) -> list[dict[str, Any]]:
    """Return the stacks on the board, each with its square, its side and its pieces.

    The piece that carries the others comes first.
    """
    stacks = []
    for square, side, unit_members in position.pieces():
        if len(unit_members) > 1:
            pieces = [{"type": letter, "heroic": heroic} for letter, heroic in unit_members]
            stacks.append({"square": square, "side": side, "pieces": pieces})
    return stacks


def _session_to_dict(position: Position, rules: Rules) -> dict[str, Any] | None:
    """Return the open deploy session of a position as JSON-ready data, or None if there is none.

    In a deploy session the pieces of a stack leave it one by one. `rules` are the rule options, which
    determine how its steps are written.
    """
    view = make_session_view(position, rules)
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
