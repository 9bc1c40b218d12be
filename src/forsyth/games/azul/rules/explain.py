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
from forsyth.games.azul.drawing.describe import player_name
from forsyth.games.azul.position import DONE, ENDED, OFFER, Position
from forsyth.games.azul.rules.moves import CENTER, FLOOR, find_illegality
from forsyth.games.azul.tiles import COLOUR_NAMES, sort_tiles
from forsyth.move_errors import Hindrance

_SOURCE_PLACE: Final = re.compile(r"(?:f([0-8])|c)(?:\.([0-9]{1,3}))?")
_TARGET_PLACE: Final = re.compile(r"p([0-3])(?:l([0-4])|(f)|(w)|(s))[0-4]*(?:\.[0-9]{1,3})?")
_MOVE_PARTS: Final = re.compile(r"([0-8c])([BYRKW])([0-4f])")


def explain_text(position: Position, text: str, error: MoveError) -> Hindrance:
    """Return the reason why `text` is not a legal move, in the words of the board.

    `error` is the error of reading it. It is the source of the reason if no better words are found.
    """
    move = _MOVE_PARTS.fullmatch(text) if error.kind == "illegal" else None
    if move is None:
        return move_errors.hindrance_of_error(error)
    source, colour, destination = move.groups()
    return _explain_move(position, source, colour, destination) or move_errors.hindrance_of_error(error)


def explain_places(position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
    """Return the reason why tiles cannot go from `origin` to `target`, or None if they can.

    Args:
        position: The position before the move.
        origin: A cell of a factory or of the centre, such as ``f0.1`` or ``c``.
        target: A cell of a pattern line or of the floor, such as ``p0l2`` or ``p0f``.
        piece: The letter of the colour to take. If it is not a colour, that of the cell `origin` counts.
    """
    source = _SOURCE_PLACE.fullmatch(origin)
    if source is None:
        return Hindrance("move.empty", "tiles are taken from a factory or from the centre", (origin,))
    place = _TARGET_PLACE.fullmatch(target)
    if place is None:
        return Hindrance("move.place", "tiles go to a pattern line or to the floor", (target,))
    player, line, floor = place[1], place[2], place[3]
    if position.phase == OFFER and int(player) != position.current:
        mover = player_name(position.current)
        return Hindrance("move.other", f"this is {player_name(int(player))}'s board, and {mover} is to move")
    if line is None and floor is None:
        message = "tiles go to a pattern line or to the floor; a full line brings one of them to the wall"
        return Hindrance("move.place", message, (target,))
    factory = source[1]
    tiles = position.center if factory is None else _factory_tiles(position, int(factory))
    cell_colour = _colour_of_cell(position, tiles, factory is None, int(source[2] or 0))
    colour = piece if piece in COLOUR_NAMES else cell_colour
    if not colour:
        return Hindrance("move.empty", f"there is no tile {_describe_source(factory)}", (origin,))
    return _explain_move(position, CENTER if factory is None else factory, colour, FLOOR if floor else line)


def _factory_tiles(position: Position, number: int) -> str:
    """Return the tiles of a factory, or the empty string if the game has no such factory."""
    return position.factories[number] if number < len(position.factories) else ""


def _colour_of_cell(position: Position, tiles: str, is_center: bool, index: int) -> str:
    """Return the colour in a cell of a factory or of the centre, or an empty string if it has no tile.

    `tiles` are those of the factory or centre, and `index` is the number of the cell in the drawing.
    """
    if is_center:
        # The drawing shows the centre sorted by colour, after the marker.
        tiles = sort_tiles(tiles)
        index -= position.marker_in_center
    return tiles[index : index + 1] if index >= 0 else ""


def _describe_source(factory: str | None) -> str:
    """Return where tiles lie, such as ``on factory 1`` for the number ``"0"``, or ``in the centre``.

    For the centre, `factory` is None or `CENTER`.
    """
    return "in the centre" if factory in (None, CENTER) else f"on factory {int(str(factory)) + 1}"


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
        next_step = {ENDED: "the game has ended", DONE: "the next round has to be dealt first"}
        message = next_step.get(position.phase, "the round is over, and the walls have to be tiled first")
        return Hindrance("move.ended", message)
    name = COLOUR_NAMES[colour]
    if source != CENTER and int(source) >= len(position.factories):
        return Hindrance("move.place", f"there are {len(position.factories)} factories")
    if colour not in (position.center if source == CENTER else position.factories[int(source)]):
        return Hindrance("move.empty", f"there is no {name} tile {_describe_source(source)}")
    row = int(destination)
    board = position.boards[position.current]
    tiles = board.lines[row]
    square = f"p{position.current}l{row}"
    if len(tiles) > row:
        return Hindrance("move.room", f"row {row + 1} is full", (square,))
    if tiles and tiles[0] != colour:
        message = f"row {row + 1} holds {COLOUR_NAMES[tiles[0]]} tiles, and {name} ones cannot join them"
        return Hindrance("move.room", message, (square,))
    column = board.wall[row].index(colour)
    message = f"{name} is on the wall already in row {row + 1}"
    return Hindrance("move.room", message, (f"p{position.current}w{row}{column}",))
