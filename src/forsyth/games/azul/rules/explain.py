"""Why tiles cannot be taken to a line, in the words of the board: rows 1 to 5, the floor, the centre.

Accepts
    Move texts, and pairs of places of the scene: a cell of a factory or of the centre, and a cell of a line
    or of the floor. The colour is that of the cell, or the symbol that is given.
Writes
    One hindrance. Factories, rows and players are numbered from 1, as the picture has them; the notation
    counts from 0.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth import hindrances
from forsyth.diagnostics import MoveError
from forsyth.games.azul.drawing.describe import player_name
from forsyth.games.azul.position import DONE, ENDED, OFFER, Position
from forsyth.games.azul.rules.moves import CENTER, FLOOR, why_illegal
from forsyth.games.azul.tiles import NAMES, in_order
from forsyth.hindrances import Hindrance

_SOURCE: Final = re.compile(r"(?:f([0-8])|c)(?:\.([0-9]{1,3}))?")
_TARGET: Final = re.compile(r"p([0-3])(?:l([0-4])|(f)|(w)|(s))[0-4]*(?:\.[0-9]{1,3})?")
_MOVE: Final = re.compile(r"([0-8c])([BYRKW])([0-4f])")


def of_text(position: Position, text: str, error: MoveError) -> Hindrance:
    """Why a text names no legal move, given the error of reading it."""
    found = _MOVE.fullmatch(text) if error.kind == "illegal" else None
    if found is None:
        return hindrances.of_error(error)
    source, colour, place = found.groups()
    return _why(position, source, colour, place) or hindrances.of_error(error)


def why_not(position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
    """Why tiles cannot go from a place to another; None where they can."""
    source = _SOURCE.fullmatch(origin)
    if source is None:
        return Hindrance("move.empty", "tiles are taken from a factory or from the centre", (origin,))
    place = _TARGET.fullmatch(target)
    if place is None:
        return Hindrance("move.place", "tiles go to a pattern line or to the floor", (target,))
    player, line, floor = place[1], place[2], place[3]
    if position.phase == OFFER and int(player) != position.current:
        who = player_name(position.current)
        return Hindrance("move.other", f"this is {player_name(int(player))}'s board, and {who} is to move")
    if line is None and floor is None:
        message = "tiles go to a pattern line or to the floor; a full line brings one of them to the wall"
        return Hindrance("move.place", message, (target,))
    number = source[1]
    tiles = position.center if number is None else _factory(position, int(number))
    colour = piece if piece in NAMES else _colour_at(position, tiles, number is None, int(source[2] or 0))
    if not colour:
        return Hindrance("move.empty", f"there is no tile {_where(number)}", (origin,))
    return _why(position, CENTER if number is None else number, colour, FLOOR if floor else line)


def _factory(position: Position, number: int) -> str:
    return position.factories[number] if number < len(position.factories) else ""


def _colour_at(position: Position, tiles: str, center: bool, index: int) -> str:
    """The tile of a cell; in the centre the marker comes first, and tiles are sorted."""
    if center:
        tiles, index = in_order(tiles), index - position.marker_in_center
    return tiles[index : index + 1] if index >= 0 else ""


def _where(factory: str | None) -> str:
    return "in the centre" if factory in (None, CENTER) else f"on factory {int(str(factory)) + 1}"


def _why(position: Position, source: str, colour: str, place: str) -> Hindrance | None:
    """What forbids a move; the rule itself is that of `moves`, the words are those of the board."""
    if not why_illegal(position, f"{source}{colour}{place}"):
        return None
    if position.phase != OFFER:
        next_step = {ENDED: "the game has ended", DONE: "the next round has to be dealt first"}
        message = next_step.get(position.phase, "the round is over, and the walls have to be tiled first")
        return Hindrance("move.ended", message)
    name = NAMES[colour]
    if source != CENTER and int(source) >= len(position.factories):
        return Hindrance("move.place", f"there are {len(position.factories)} factories")
    if colour not in (position.center if source == CENTER else position.factories[int(source)]):
        return Hindrance("move.empty", f"there is no {name} tile {_where(source)}")
    row = int(place)
    board = position.boards[position.current]
    tiles = board.lines[row]
    square = f"p{position.current}l{row}"
    if len(tiles) > row:
        return Hindrance("move.room", f"row {row + 1} is full", (square,))
    if tiles and tiles[0] != colour:
        message = f"row {row + 1} holds {NAMES[tiles[0]]} tiles, and {name} ones cannot join them"
        return Hindrance("move.room", message, (square,))
    column = board.wall[row].index(colour)
    message = f"{name} is on the wall already in row {row + 1}"
    return Hindrance("move.room", message, (f"p{position.current}w{row}{column}",))
