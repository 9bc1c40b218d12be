"""Reasons why tiles cannot be taken to a line, in the words of the board: rows 1 to 5, the floor, the centre.

The functions accept move texts, and pairs of places of the scene: a cell of a factory or of the centre, and a
cell of a line or of the floor. The colour is that of the cell, unless the caller gives another one. Each
function returns one `Hindrance`. Factories, rows and players are numbered from 1, as in the picture; the
notation counts from 0.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth import move_errors
from forsyth.diagnostics import MoveError
from forsyth.games.azul.drawing.describe import format_player_name
from forsyth.games.azul.position import DONE, ENDED, OFFER, TILING, Position
from forsyth.games.azul.rules.moves import CENTER, FLOOR, find_illegality
from forsyth.games.azul.tiles import COLOUR_NAMES, sort_tiles
from forsyth.move_errors import Hindrance

_SOURCE_PLACE: Final = re.compile(r"(?:f(?P<factory>[0-8])|c)(?:\.(?P<cell>[0-9]{1,3}))?")
_TARGET_PLACE: Final = re.compile(
    r"p(?P<player>[0-3])(?:l(?P<line>[0-4])|(?P<floor>f)|w|s)[0-4]*(?:\.[0-9]{1,3})?"
)
_MOVE_PARTS: Final = re.compile(r"([0-8c])([BYRKW])([0-4f])")
_MESSAGE_BY_PHASE: Final = {
    TILING: "the round is over, and the walls have to be tiled first",
    DONE: "the next round has to be dealt first",
    ENDED: "the game has ended",
}
"""The reason why no tiles can be taken in each phase besides the factory offer."""


def explain_text(position: Position, text: str, error: MoveError) -> Hindrance:
    """Return the reason why `text` is not a legal move, such as ``row 3 is full``.

    `error` is the error that reading the text has raised. Its message is the reason if the text is not a move
    of tiles.
    """
    # Only an illegal move is certain to be a text.
    move_match = _MOVE_PARTS.fullmatch(text) if error.kind == "illegal" else None
    hindrance = None
    if move_match is not None:
        source, colour, destination = move_match.groups()
        hindrance = _explain_move(position, source, colour, destination)
    return hindrance or move_errors.hindrance_of_error(error)


def explain_places(position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
    """Return the reason why tiles cannot go from `origin` to `target`, or None if they can.

    Args:
        position: The position before the move.
        origin: A cell of a factory or of the centre, such as ``f0.1`` or ``c``.
        target: A cell of a pattern line or of the floor, such as ``p0l2`` or ``p0f``.
        piece: The letter of the colour to take. If it is not a colour, the tile of the cell `origin` counts.
    """
    origin_match = _SOURCE_PLACE.fullmatch(origin)
    if origin_match is None:
        return Hindrance("move.empty", "tiles are taken from a factory or from the centre", (origin,))
    target_match = _TARGET_PLACE.fullmatch(target)
    if target_match is None:
        return Hindrance("move.place", "tiles go to a pattern line or to the floor", (target,))

    owner = int(target_match["player"])
    if position.phase == OFFER and owner != position.current:
        mover_name = format_player_name(position.current)
        return Hindrance(
            "move.other", f"this is {format_player_name(owner)}'s board, and {mover_name} is to move"
        )

    destination = FLOOR if target_match["floor"] else target_match["line"]
    if destination is None:
        message = "tiles go to a pattern line or to the floor; a full line brings one of them to the wall"
        return Hindrance("move.place", message, (target,))

    source = origin_match["factory"] or CENTER
    cell_index = int(origin_match["cell"] or 0)
    colour = piece if piece in COLOUR_NAMES else _find_cell_colour(position, source, cell_index)
    if not colour:
        return Hindrance("move.empty", f"there is no tile {_describe_source(source)}", (origin,))
    return _explain_move(position, source, colour, destination)


def _get_source_tiles(position: Position, source: str) -> str:
    """Return the tiles of a source: the number of a factory as text, or `CENTER`.

    Return an empty string if the game has no such factory.
    """
    if source == CENTER:
        return position.center
    number = int(source)
    return position.factories[number] if number < len(position.factories) else ""


def _find_cell_colour(position: Position, source: str, cell_index: int) -> str:
    """Return the colour in a cell of a factory or of the centre, or an empty string if it has no tile.

    `source` is the number of the factory as text, or `CENTER`. `cell_index` is the index of the cell in the
    drawing.
    """
    if source == CENTER:
        # The drawing shows the centre sorted by colour, after the marker.
        tiles = sort_tiles(position.center)
        tile_index = cell_index - int(position.marker_in_center)
    else:
        tiles = _get_source_tiles(position, source)
        tile_index = cell_index
    return tiles[tile_index : tile_index + 1] if tile_index >= 0 else ""


def _describe_source(source: str) -> str:
    """Return the place of tiles in words: ``on factory 1`` for the source ``"0"``, or ``in the centre``."""
    return "in the centre" if source == CENTER else f"on factory {int(source) + 1}"


def _explain_move(position: Position, source: str, colour: str, destination: str) -> Hindrance | None:
    """Return the reason why a move is not legal, in the words of the board, or None if it is legal.

    Args:
        position: The position before the move.
        source: The number of a factory as text, or `CENTER`.
        colour: The letter of the colour.
        destination: The number of a pattern line as text, or `FLOOR`.
    """
    if not find_illegality(position, f"{source}{colour}{destination}"):
        return None
    if position.phase != OFFER:
        return Hindrance("move.ended", _MESSAGE_BY_PHASE[position.phase])
    if source != CENTER and int(source) >= len(position.factories):
        return Hindrance("move.place", f"there are {len(position.factories)} factories")
    if colour not in _get_source_tiles(position, source):
        message = f"there is no {COLOUR_NAMES[colour]} tile {_describe_source(source)}"
        return Hindrance("move.empty", message)
    # Tiles may always go to the floor, so the destination is a pattern line.
    return _explain_line(position, colour, int(destination))


def _explain_line(position: Position, colour: str, line: int) -> Hindrance:
    """Return the reason why tiles of a colour cannot go to a pattern line of the player to move.

    There must be a reason: the line is full, holds another colour, or has the colour in its wall row. `line`
    counts from 0, and the message from 1.
    """
    name = COLOUR_NAMES[colour]
    board = position.boards[position.current]
    line_tiles = board.lines[line]
    line_place = f"p{position.current}l{line}"
    # Row 1 has one space, row 2 two spaces, and so on.
    row_number = capacity = line + 1
    if len(line_tiles) >= capacity:
        return Hindrance("move.room", f"row {row_number} is full", (line_place,))
    if line_tiles and line_tiles[0] != colour:
        present_name = COLOUR_NAMES[line_tiles[0]]
        message = f"row {row_number} holds {present_name} tiles, and {name} ones cannot join them"
        return Hindrance("move.room", message, (line_place,))
    column = board.wall[line].index(colour)
    message = f"{name} is on the wall already in row {row_number}"
    return Hindrance("move.room", message, (f"p{position.current}w{line}{column}",))
