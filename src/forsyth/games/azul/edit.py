"""Editing an Azul position: tiles and the marker put in places, fields set, the deal of a new game.

Accepts
    The places of the scene: factories ``f2``, the centre ``c``, pattern lines ``p0l3``, floors ``p0f``, wall
    cells ``p0w04``; and their cells, ``f2.1``, ``c.4``. A place's own name is that of its first cell. Symbols
    are the colours and ``F``, the first-player marker.

    A tile put in a place is added while there is room; in a full factory, line or floor and on the wall it
    takes the place of the cell's tile. Any colour may lie anywhere. None takes away what lies in the cell.
    There is one marker: putting it takes it from where it lay, and beside a full floor it is held; it falls
    to the floor when a tile is taken from there.
Writes
    Positions that a text can say, legal or not, with tiles in canonical order. A standard position stays one,
    and what it does not show is assumed anew; moving its marker makes it complete, for only the extended text
    can say where that lies. The field ``version`` changes from one to the other.
Limits
    A position whose text would be longer than a text may be (1024 characters) is refused.
"""

from __future__ import annotations

import random
import re
from typing import Final

from forsyth.arguments import quoted, require_text, whole_number
from forsyth.game import Field
from forsyth.games.azul.drawing.describe import player_name
from forsyth.games.azul.drawing.pieces import GLYPHS, PALETTE, plate
from forsyth.games.azul.drawing.scene import MARKER_TOKEN, scene, tile_token
from forsyth.games.azul.notation.fen import read_fen
from forsyth.games.azul.notation.write import is_standard, write_canonical, write_extended, write_standard
from forsyth.games.azul.position import PHASES, Board, Position, board_of, changed
from forsyth.games.azul.rules.rounds import before_first_deal, deal_by_chance
from forsyth.games.azul.tiles import COLOURS, FLOOR_SPACES, MARKER, NAMES, TILES_PER_FACTORY
from forsyth.scene import Area, Cell, Scene, Stroke, Token

_CENTER: Final = "c"
_PLACE: Final = re.compile(r"(?P<place>f[0-9]|c|p[0-9](?:l[0-4]|f))(?:\.[1-9][0-9]{0,2})?|p[0-9]w[0-4][0-4]")
_STANDARD: Final = "1"
_EXTENDED: Final = "2"
_VERSIONS: Final = ((_STANDARD, "standard, what is visible (v1)"), (_EXTENDED, "extended, complete (v2)"))
_SCORE: Final = re.compile(r"p([0-9])s")
_COMPONENTS: Final = {
    "phase": 2,
    "scores": -6,
    "round": -5,
    "current_player": -4,
    "start": -3,
    "bag": -2,
    "discard": -1,
}
"""Which component of an extended text says a field."""
_SHORTER: Final = 3
"""How many components a standard text lacks behind the current player's."""


# --- tiles ------------------------------------------------------------------------------------------


def put(position: Position, square: str, symbol: str | None) -> Position:
    """The position with one more tile or the marker in a place; for None without what lies in the cell."""
    place = _place(position, square)
    if symbol is None:
        return _taken(position, place, square)
    if symbol == MARKER:
        return _with_marker(position, place)
    if symbol not in tuple(COLOURS):
        raise ValueError(
            f"{quoted(symbol)} is no tile, expected one of {', '.join(COLOURS)} or the marker {MARKER}"
        )
    if "w" in place:
        return _settled(_with_wall(position, place, symbol))
    tiles = _tiles(position, place)
    if len(tiles) < _room(place, len(tiles) + 1):
        return _settled(_with_tiles(position, place, tiles + symbol))
    index = min(_index(square), len(tiles) - 1)
    return _settled(_with_tiles(position, place, tiles[:index] + symbol + tiles[index + 1 :]))


def lift(position: Position, source: str, target: str) -> Position:
    """The position with the tile or marker of a cell in another place; within its place nothing moves."""
    origin = _place(position, source)
    symbol = _shown(position, source)
    if not symbol:
        raise ValueError(f"nothing is on {source}")
    if _place(position, target) == origin:
        return position
    if symbol == MARKER:
        return put(position, target, MARKER)
    return put(_taken(position, origin, source), target, symbol)


def _taken(position: Position, place: str, square: str) -> Position:
    """The position without what lies in a cell."""
    symbol = _shown(position, square)
    if not symbol:
        return position
    if symbol == MARKER:
        return _settled(_without_marker(position))
    if "w" in place:
        return _settled(_with_wall(position, place, "-"))
    tiles = _tiles(position, place)
    # The centre is shown in another order than it was read in; of one colour any tile will do.
    index = tiles.index(symbol) if place == _CENTER else _index(square)
    return _settled(_with_tiles(position, place, tiles[:index] + tiles[index + 1 :]))


def _place(position: Position, square: str) -> str:
    """The place that a cell belongs to."""
    found = _PLACE.fullmatch(square) if isinstance(square, str) else None
    if found is None:
        raise ValueError(f"{quoted(square)} is not a place, expected one such as f0, c, p0l3, p0w12 or p0f")
    place = found["place"] or square
    if place[0] == "f" and int(place[1]) >= len(position.factories):
        raise ValueError(f"there is no factory {place[1]}, expected 0 to {len(position.factories) - 1}")
    if place[0] == "p" and int(place[1]) >= position.players:
        raise ValueError(f"there is no player {place[1]}, expected 0 to {position.players - 1}")
    return place


def _index(square: str) -> int:
    return int(square.partition(".")[2] or 0)


def _shown(position: Position, square: str) -> str:
    """What the picture shows in a cell; nothing where it has no such cell."""
    cells = (cell for area in scene(position).areas for cell in area.cells if cell.id == square)
    return next((token.symbol.upper() for cell in cells for token in cell.tokens), "")


def _room(place: str, unbounded: int) -> int:
    """How many tiles a place takes; the centre takes any number."""
    if place == _CENTER:
        return unbounded
    if place[0] == "f":
        return TILES_PER_FACTORY
    return FLOOR_SPACES if place[-1] == "f" else int(place[-1]) + 1


def _tiles(position: Position, place: str) -> str:
    if place == _CENTER:
        return position.center
    if place[0] == "f":
        return position.factories[int(place[1])]
    board = position.boards[int(place[1])]
    return board.floor if place[-1] == "f" else board.lines[int(place[-1])]


def _with_tiles(position: Position, place: str, tiles: str) -> Position:
    if place == _CENTER:
        return changed(position, center=tiles)
    if place[0] == "f":
        return changed(position, factories=_exchanged(position.factories, int(place[1]), tiles))
    player = int(place[1])
    board = position.boards[player]
    if place[-1] != "f":
        lines = _exchanged(board.lines, int(place[-1]), tiles)
        return _with_board(position, player, _board(board, lines=lines))
    if board.held and len(tiles) < FLOOR_SPACES:
        return _with_board(position, player, _board(board, floor=tiles + MARKER, held=False))
    return _with_board(position, player, _board(board, floor=tiles))


def _with_wall(position: Position, place: str, cell: str) -> Position:
    player, row, column = int(place[1]), int(place[3]), int(place[4])
    board = position.boards[player]
    cells = board.wall[row]
    wall = _exchanged(board.wall, row, cells[:column] + cell + cells[column + 1 :])
    return _with_board(position, player, _board(board, wall=wall))


def _with_board(position: Position, player: int, board: Board) -> Position:
    boards = (*position.boards[:player], board, *position.boards[player + 1 :])
    return changed(position, boards=boards)


def _board(
    board: Board,
    *,
    wall: tuple[str, ...] | None = None,
    lines: tuple[str, ...] | None = None,
    floor: str | None = None,
    held: bool | None = None,
) -> Board:
    """The same board with some other values."""
    return board_of(
        board.wall if wall is None else wall,
        board.lines if lines is None else lines,
        board.floor if floor is None else floor,
        board.held if held is None else held,
        board.score,
    )


def _exchanged(values: tuple[str, ...], index: int, value: str) -> tuple[str, ...]:
    return (*values[:index], value, *values[index + 1 :])


# --- the marker -------------------------------------------------------------------------------------


def _with_marker(position: Position, place: str) -> Position:
    if place == _CENTER:
        return _settled(changed(_without_marker(position), marker_in_center=True))
    if place[-1] != "f":
        raise ValueError(f"the first-player marker lies in the centre or on a floor, not on {place}")
    player = int(place[1])
    board = position.boards[player]
    if MARKER in board.floor or board.held:
        return position
    after = _without_marker(position)
    if len(board.floor) == FLOOR_SPACES:
        return _settled(_with_board(after, player, _board(board, held=True)))
    return _settled(_with_board(after, player, _board(board, floor=board.floor + MARKER)))


def _without_marker(position: Position) -> Position:
    """The position with the marker nowhere: a complete one, for any other assumes where it lies."""
    boards = tuple([_board(board, floor=board.floor_tiles, held=False) for board in position.boards])
    return changed(position, boards=boards, marker_in_center=False, complete=True)


# --- fields -----------------------------------------------------------------------------------------


def fields(position: Position) -> tuple[Field, ...]:
    """Everything of a position that is not on the table; what is only assumed is left out."""
    players = tuple([(str(player), player_name(player)) for player in range(position.players)])
    extended = _is_extended(position)
    versions = _VERSIONS if is_standard(position) else _VERSIONS[1:]
    found = [
        Field("version", "Notation", _EXTENDED if extended else _STANDARD, "choice", versions),
        Field("round", "Round", str(position.round), "number"),
        Field("current_player", "Current player", str(position.current), "choice", players),
    ]
    found += [
        Field(f"p{player}s", f"Score of player {player + 1}", str(board.score), "number")
        for player, board in enumerate(position.boards)
    ]
    if not extended:
        return tuple(found)
    colours = ", ".join([NAMES[colour] for colour in COLOURS])
    return (
        *found,
        Field("start", "Starting player", str(position.start), "choice", players),
        Field("phase", "Phase", position.phase, "choice", tuple(PHASES.items())),
        Field("bag", f"Bag: {colours}", ",".join(map(str, position.bag)), "text"),
        Field("discard", f"Discard: {colours}", ",".join(map(str, position.discard)), "text"),
    )


def with_field(position: Position, name: str, value: str) -> Position:
    """The position with another value in one of its fields, read as a text would be."""
    require_text("the name of a field", name)
    require_text("the value", value)
    known = {field.name: field for field in fields(position)}
    if name not in known:
        raise ValueError(f"this Azul position has no field {quoted(name)}; it has {', '.join(known)}")
    if known[name].value == value:
        return position
    if name == "version":
        return _with_version(position, value)
    if "/" in value:
        raise ValueError(f"{known[name].label}: {quoted(value)} is not a value, expected no slash in it")
    parts = write_canonical(position).split("/")
    score = _SCORE.fullmatch(name)
    at = _COMPONENTS["scores" if score else name]
    if not _is_extended(position):
        at += _SHORTER
    if score:
        value = ",".join(_exchanged(tuple(parts[at].split(",")), int(score[1]), value))
    parts[at] = value
    return _read("/".join(parts))


def _with_version(position: Position, value: str) -> Position:
    if value == _STANDARD:
        return _read(write_standard(position, canonical=True))
    if value == _EXTENDED:
        return _read(write_extended(position, canonical=True))
    raise ValueError(f"{quoted(value)} is no version, expected {_STANDARD} or {_EXTENDED}")


def _is_extended(position: Position) -> bool:
    return position.complete or not is_standard(position)


def _settled(position: Position) -> Position:
    """The position as its text says it, so that text and position never part."""
    return _read(write_canonical(position))


def _read(text: str) -> Position:
    reading = read_fen(text)
    if reading.position is None:
        raise ValueError(next(finding.message for finding in reading.diagnostics if finding.is_error))
    return reading.position


# --- views and new games ----------------------------------------------------------------------------


def palette(position: Position) -> Scene:
    """The tiles in a tray, the marker beside them."""
    tiles = tuple([tile_token(colour) for colour in COLOURS])
    return Scene(
        title="Azul tiles",
        description="What can be put on the table: a tile of each colour and the first-player marker.",
        width=7.6,
        height=1.8,
        areas=(_tray("Tiles", tiles, 0.4), _tray("Marker", (MARKER_TOKEN,), 6.2)),
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _tray(name: str, tokens: tuple[Token, ...], x: float) -> Area:
    cells = tuple([Cell(token.symbol, column, 0, "tray", (token,)) for column, token in enumerate(tokens)])
    ground = Stroke(plate(-20, -20, len(tokens) * 100 + 20, 120, 26), "tray", "board-line", 3)
    return Area(name, len(cells), 1, cells, x=x, y=0.4, map=(ground,), margin=0.24)


def seeded(seed: int | None) -> random.Random:
    """The chance that a seed stands for; without a seed another one each time."""
    return random.Random(None if seed is None else whole_number("the seed", seed))


def new_game(players: int, seed: int | None) -> Position:
    """The first round, dealt from a full bag as the seed says or by chance."""
    return deal_by_chance(before_first_deal(players), seeded(seed))
