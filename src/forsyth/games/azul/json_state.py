"""An Azul position as JSON-ready data and back: the `game_state` object of spec/azul 10.3.

Reading builds the text that the data says and leaves the judgement to the reader: what is wrong is a
`FenError` about that text, what is not of the right shape a `ValueError`. `fen_string`, `state_id` and
`warnings` are not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from forsyth.arguments import quoted, require_text
from forsyth.games.azul.notation.write import write_canonical
from forsyth.games.azul.position import PHASES, Board, Position
from forsyth.games.azul.rules.check import check
from forsyth.games.azul.tiles import COLOURS, MARKER, SIZE, TILES_PER_FACTORY
from forsyth.identity import state_id

_LETTER_OF: Final = {word: letter for letter, word in PHASES.items()}
_WIDE: Final = (SIZE,) * SIZE
_NARROW: Final = tuple(range(1, SIZE + 1))

_TILE: Final = {"enum": list(COLOURS)}
_TILES: Final = {"type": "array", "items": _TILE}
_INDEX: Final = {"type": "integer", "minimum": 0}
_SUPPLY: Final = {
    "type": ["object", "null"],
    "required": list(COLOURS),
    "properties": dict.fromkeys(COLOURS, _INDEX),
}
_BOARD: Final = {
    "type": "object",
    "required": ["wall", "pattern_lines", "floor", "score"],
    "properties": {
        "wall": {
            "description": "Five rows of five cells, a tile or null.",
            "type": "array",
            "minItems": SIZE,
            "maxItems": SIZE,
            "items": {
                "type": "array",
                "minItems": SIZE,
                "maxItems": SIZE,
                "items": {"enum": [*COLOURS, None]},
            },
        },
        "pattern_lines": {"type": "array", "minItems": SIZE, "maxItems": SIZE, "items": _TILES},
        "floor": {"type": "array", "items": {"enum": [*COLOURS, MARKER]}},
        "score": {"type": "integer"},
    },
}

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": [
        "fen_version",
        "complete",
        "phase",
        "round",
        "current_player",
        "start_player",
        "factories",
        "center",
        "first_player_marker",
        "bag",
        "discard",
        "players",
    ],
    "properties": {
        "fen_version": {"enum": [1, 2]},
        "complete": {"description": "Whether bag, discard and marker are known.", "type": "boolean"},
        "phase": {"enum": list(PHASES.values())},
        "round": {"type": "integer", "minimum": 1},
        "current_player": _INDEX,
        "start_player": {"type": ["integer", "null"]},
        "factories": {
            "description": "An emptied factory is an empty list.",
            "type": "array",
            "items": _TILES,
        },
        "center": _TILES,
        "first_player_marker": {
            "type": "object",
            "required": ["place", "player"],
            "properties": {
                "place": {"enum": ["center", "floor", "held", "none", "unknown"]},
                "player": {"type": ["integer", "null"]},
            },
        },
        "bag": {"description": "Tiles by colour; null where they are not known.", **_SUPPLY},
        "discard": {"description": "Tiles by colour; null where they are not known.", **_SUPPLY},
        "players": {"type": "array", "minItems": 2, "maxItems": 4, "items": _BOARD},
    },
}
"""The data as a JSON schema."""


def as_dict(position: Position, text: str) -> dict[str, Any]:
    """The position as data; `text` is how it is written."""
    require_text("the text", text)
    complete = position.complete
    return {
        "fen_string": text,
        "fen_version": 2 if text.startswith("v2/") else 1,
        "state_id": state_id(write_canonical(position)),
        "complete": complete,
        "phase": PHASES[position.phase],
        "round": position.round,
        "current_player": position.current,
        "start_player": position.start if complete else None,
        "factories": [list(tiles) for tiles in position.factories],
        "center": list(position.center),
        "first_player_marker": marker_of(position),
        "bag": by_colour(position.bag) if complete else None,
        "discard": by_colour(position.discard) if complete else None,
        "players": [_player(board, complete) for board in position.boards],
        "warnings": [finding.to_dict() for finding in check(position, text=text)],
    }


def _player(board: Board, complete: bool) -> dict[str, Any]:
    return {
        "wall": [[None if cell == "-" else cell for cell in row] for row in board.wall],
        "pattern_lines": [list(tiles) for tiles in board.lines],
        "floor": list(board.floor if complete else board.floor_tiles),
        "score": board.score,
    }


def by_colour(counts: tuple[int, ...]) -> dict[str, int]:
    """Counts under the letters of the colours."""
    return dict(zip(COLOURS, counts, strict=True))


def marker_of(position: Position) -> dict[str, Any]:
    """Where the first-player marker is, ``unknown`` where that is only assumed."""
    if not position.complete:
        return {"place": "unknown", "player": None}
    for player, board in enumerate(position.boards):
        if board.held or MARKER in board.floor:
            return {"place": "held" if board.held else "floor", "player": player}
    return {"place": "center" if position.marker_in_center else "none", "player": None}


# --- reading ----------------------------------------------------------------------------------------


def text_of_dict(data: Mapping[str, Any]) -> str:
    """The text that data says, standard or extended; raises `ValueError` for data of another shape."""
    try:
        return _extended(data) if data.get("complete") else _standard(data)
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError, ValueError) as error:
        raise ValueError(f"these are not the data of an Azul state: {quoted(error)}") from error


def _standard(data: Mapping[str, Any]) -> str:
    boards = "/".join(
        f"{_wall(player)}/{_lines(player, _WIDE)}/{_tiles(player['floor']) or '-'}"
        for player in data["players"]
    )
    return (
        f"{_factories(data)}/{_tiles(data['center']) or '-'}/{boards}/{_scores(data)}"
        f"/{int(data['round'])}/{int(data['current_player'])}"
    )


def _extended(data: Mapping[str, Any]) -> str:
    marker = data["first_player_marker"]
    center = _tiles(data["center"]) + (MARKER if marker["place"] == "center" else "")
    boards = []
    for number, player in enumerate(data["players"]):
        held = f"+{MARKER}" if marker["place"] == "held" and marker["player"] == number else ""
        boards.append(f"{_wall(player)}/{_lines(player, _NARROW)}/{_tiles(player['floor']) or '-'}{held}")
    supply = "/".join(",".join(str(int(data[name][tile])) for tile in COLOURS) for name in ("bag", "discard"))
    return (
        f"v2/{len(boards)}/{_LETTER_OF[data['phase']]}/{_factories(data)}/{center or '-'}/{'/'.join(boards)}"
        f"/{_scores(data)}/{int(data['round'])}/{int(data['current_player'])}/{int(data['start_player'])}/{supply}"
    )


def _factories(data: Mapping[str, Any]) -> str:
    return "|".join(_tiles(tiles).ljust(TILES_PER_FACTORY, "-") for tiles in data["factories"])


def _wall(player: Mapping[str, Any]) -> str:
    return "|".join("".join("-" if cell is None else _tile(cell) for cell in row) for row in player["wall"])


def _lines(player: Mapping[str, Any], widths: Sequence[int]) -> str:
    lines = player["pattern_lines"]
    return "|".join(_tiles(tiles).ljust(widths[number], "-") for number, tiles in enumerate(lines))


def _scores(data: Mapping[str, Any]) -> str:
    return ",".join(str(int(player["score"])) for player in data["players"])


def _tiles(tiles: Sequence[Any]) -> str:
    return "".join(_tile(tile) for tile in tiles)


def _tile(tile: Any) -> str:
    if not isinstance(tile, str) or len(tile) != 1:
        raise TypeError(f"{quoted(tile)} is not a tile")
    return tile
