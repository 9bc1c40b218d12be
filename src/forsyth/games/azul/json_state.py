"""Conversion of an Azul position to JSON-ready data and back: the `game_state` object of spec/azul 10.3.

Reading builds the text of the position from the data; the caller parses that text. Data of the wrong shape
raise `ValueError`, and errors of the position itself are `FenError`s about the text. `fen_string`, `state_id`
and `warnings` are ignored on reading.
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

_PHASE_LETTERS: Final = {word: letter for letter, word in PHASES.items()}
_EXTENDED_PREFIX: Final = "v2/"
_WIDE_LINES: Final = (SIZE,) * SIZE
_NARROW_LINES: Final = tuple(range(1, SIZE + 1))

_TILE_SCHEMA: Final = {"enum": list(COLOURS)}
_TILES_SCHEMA: Final = {"type": "array", "items": _TILE_SCHEMA}
_INDEX_SCHEMA: Final = {"type": "integer", "minimum": 0}
_SUPPLY_SCHEMA: Final = {
    "type": ["object", "null"],
    "required": list(COLOURS),
    "properties": dict.fromkeys(COLOURS, _INDEX_SCHEMA),
}
_BOARD_SCHEMA: Final = {
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
        "pattern_lines": {"type": "array", "minItems": SIZE, "maxItems": SIZE, "items": _TILES_SCHEMA},
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
        "current_player": _INDEX_SCHEMA,
        "start_player": {"type": ["integer", "null"]},
        "factories": {
            "description": "An emptied factory is an empty list.",
            "type": "array",
            "items": _TILES_SCHEMA,
        },
        "center": _TILES_SCHEMA,
        "first_player_marker": {
            "type": "object",
            "required": ["place", "player"],
            "properties": {
                "place": {"enum": ["center", "floor", "held", "none", "unknown"]},
                "player": {"type": ["integer", "null"]},
            },
        },
        "bag": {"description": "Tiles by colour; null where they are not known.", **_SUPPLY_SCHEMA},
        "discard": {"description": "Tiles by colour; null where they are not known.", **_SUPPLY_SCHEMA},
        "players": {"type": "array", "minItems": 2, "maxItems": 4, "items": _BOARD_SCHEMA},
    },
}
"""JSON schema of the data."""


def position_to_dict(position: Position, text: str) -> dict[str, Any]:
    """Return a position as data for JSON that fits `SCHEMA`.

    The errors and warnings about the position are part of the data, under the key ``warnings``. `text` is the
    text of the position. It is stored as ``fen_string``, and the spans of the warnings refer to it.
    """
    require_text("the text", text)
    is_complete = position.complete
    return {
        "fen_string": text,
        "fen_version": 2 if text.startswith(_EXTENDED_PREFIX) else 1,
        "state_id": state_id(write_canonical(position)),
        "complete": is_complete,
        "phase": PHASES[position.phase],
        "round": position.round,
        "current_player": position.current,
        "start_player": position.start if is_complete else None,
        "factories": [list(tiles) for tiles in position.factories],
        "center": list(position.center),
        "first_player_marker": locate_marker(position),
        "bag": map_colours_to_counts(position.bag) if is_complete else None,
        "discard": map_colours_to_counts(position.discard) if is_complete else None,
        "players": [_board_to_dict(board, is_complete) for board in position.boards],
        "warnings": [finding.to_dict() for finding in check(position, text=text)],
    }


def _board_to_dict(board: Board, complete: bool) -> dict[str, Any]:
    """Return the board of a player as data for JSON: wall, pattern lines, floor and score.

    If `complete` is False, the place of the first-player marker is not known, and the marker is left out.
    """
    return {
        "wall": [[None if cell == "-" else cell for cell in row] for row in board.wall],
        "pattern_lines": [list(tiles) for tiles in board.lines],
        "floor": list(board.floor if complete else board.floor_tiles),
        "score": board.score,
    }


def map_colours_to_counts(counts: tuple[int, ...]) -> dict[str, int]:
    """Return counts by the letter of their colour, such as ``{"B": 20, "Y": 18, …}``.

    `counts` has one count for each colour, in the order of `COLOURS`.
    """
    return dict(zip(COLOURS, counts, strict=True))


def locate_marker(position: Position) -> dict[str, Any]:
    """Return the place of the first-player marker, such as ``{"place": "floor", "player": 1}``.

    The place is ``center``, ``floor``, ``held`` (beside a full floor line), ``none`` (between the rounds) or
    ``unknown`` (the position is from a text that does not contain the marker). The player is None unless a
    player has the marker.
    """
    if not position.complete:
        return {"place": "unknown", "player": None}
    for player, board in enumerate(position.boards):
        if board.held:
            return {"place": "held", "player": player}
        if MARKER in board.floor:
            return {"place": "floor", "player": player}
    return {"place": "center" if position.marker_in_center else "none", "player": None}


# --- reading ----------------------------------------------------------------------------------------


def text_from_dict(data: Mapping[str, Any]) -> str:
    """Return the text of the position that `data` describes, as `position_to_dict` returns it.

    The text is extended if the value ``complete`` is true, else standard. The position is not checked. Raise
    `ValueError` if a value is missing or has a wrong type.
    """
    try:
        return _format_extended_text(data) if data.get("complete") else _format_standard_text(data)
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError, ValueError) as error:
        raise ValueError(
            f"the data do not fit AzulGame.data_schema, the schema of an Azul state: {quoted(error)}"
        ) from error


def _format_standard_text(data: Mapping[str, Any]) -> str:
    """Return the standard text (v1) of the position that `data` describes.

    Data about the marker, bag and discard are ignored, because a standard text does not contain them.
    """
    boards = "/".join(_format_board(player, _WIDE_LINES) for player in data["players"])
    components = [
        _format_factories(data),
        _format_tiles(data["center"]) or "-",
        boards,
        _format_scores(data),
        str(int(data["round"])),
        str(int(data["current_player"])),
    ]
    return "/".join(components)


def _format_extended_text(data: Mapping[str, Any]) -> str:
    """Return the extended text (v2) of the position that `data` describes.

    It contains the first-player marker, the bag and the discard as well.
    """
    marker = data["first_player_marker"]
    center = _format_tiles(data["center"])
    if marker["place"] == "center":
        center += MARKER
    boards = []
    for number, player in enumerate(data["players"]):
        board = _format_board(player, _NARROW_LINES)
        if marker["place"] == "held" and marker["player"] == number:
            board += f"+{MARKER}"
        boards.append(board)
    components = [
        "v2",
        str(len(boards)),
        _PHASE_LETTERS[data["phase"]],
        _format_factories(data),
        center or "-",
        *boards,
        _format_scores(data),
        str(int(data["round"])),
        str(int(data["current_player"])),
        str(int(data["start_player"])),
        _format_counts(data["bag"]),
        _format_counts(data["discard"]),
    ]
    return "/".join(components)


def _format_board(player: Mapping[str, Any], line_widths: Sequence[int]) -> str:
    """Return the components of a text for one player: wall, pattern lines and floor, separated by slashes.

    `player` has the data of the player. Pattern line i is padded to ``line_widths[i]`` characters.
    """
    floor = _format_tiles(player["floor"]) or "-"
    return f"{_format_wall(player)}/{_format_lines(player, line_widths)}/{floor}"


def _format_counts(counts: Mapping[str, Any]) -> str:
    """Return the counts of the bag or the discard as a component of a text, such as ``12,16,16,18,18``.

    `counts` has the count of each colour by its letter, such as ``{"B": 12, …}``.
    """
    return ",".join(str(int(counts[tile])) for tile in COLOURS)


def _format_factories(data: Mapping[str, Any]) -> str:
    """Return all factories as a component of a text, such as ``BYRK|WBYR|----``."""
    return "|".join(_format_tiles(tiles).ljust(TILES_PER_FACTORY, "-") for tiles in data["factories"])


def _format_wall(player: Mapping[str, Any]) -> str:
    """Return the wall of a player as a component of a text, such as ``-YR--|-----|-----|-----|-----``."""
    rows = []
    for row in player["wall"]:
        cells = ["-" if cell is None else _require_tile(cell) for cell in row]
        rows.append("".join(cells))
    return "|".join(rows)


def _format_lines(player: Mapping[str, Any], widths: Sequence[int]) -> str:
    """Return the pattern lines of a player as a component of a text, such as ``B|--|YY-|----|-----``.

    Line i is padded with dashes to ``widths[i]`` characters. Raise `IndexError` if there are more lines than
    widths.
    """
    padded_lines = []
    for index, tiles in enumerate(player["pattern_lines"]):
        padded_lines.append(_format_tiles(tiles).ljust(widths[index], "-"))
    return "|".join(padded_lines)


def _format_scores(data: Mapping[str, Any]) -> str:
    """Return the scores of all players as a component of a text, such as ``8,7``."""
    return ",".join(str(int(player["score"])) for player in data["players"])


def _format_tiles(tiles: Sequence[Any]) -> str:
    """Return a list of tiles as one string, such as ``BBY`` for ``["B", "B", "Y"]``.

    Raise `TypeError` if an item is not a string of one character.
    """
    return "".join(_require_tile(tile) for tile in tiles)


def _require_tile(tile: Any) -> str:
    """Return `tile` itself. Raise `TypeError` if it is not a string of one character."""
    if not isinstance(tile, str) or len(tile) != 1:
        raise TypeError(f"{quoted(tile)} is not a tile, expected one letter")
    return tile
