"""Editing an Azul position: tiles and the marker, the fields, and the deal of a new game.

Accepts
    The places of the scene: factories ``f2``, the centre ``c``, pattern lines ``p0l3``, floors ``p0f``, wall
    cells ``p0w04``, and the cells of these places, such as ``f2.1`` or ``c.4``. The name of a place is also
    the name of its first cell. Symbols are the letters of the colours and ``F``, the first-player marker.

    A tile is added to a place if there is room. On the wall, and in a full factory, line or floor, it
    replaces the tile of the cell. Any colour may go anywhere. The symbol None removes the tile of the cell.
    There is one marker: placing it removes it from its old place. Beside a full floor it is held, and it
    moves onto the floor when a tile is removed from there.
Writes
    Positions that a text can express, legal or not, with tiles in canonical order. A standard position stays
    standard, and its assumed values are assumed anew. Moving its marker makes it complete, because only the
    extended text contains the place of the marker. The field ``version`` converts between the two.
Limits
    Raises `ValueError` for a position whose text would be longer than 1024 characters.
"""

from __future__ import annotations

import random
import re
from typing import Final

from forsyth.arguments import quoted, require_integer, require_text
from forsyth.game import Field
from forsyth.games.azul.drawing.describe import player_name
from forsyth.games.azul.drawing.pieces import GLYPHS, PALETTE, rounded_rectangle_path
from forsyth.games.azul.drawing.scene import MARKER_TOKEN, scene, tile_token
from forsyth.games.azul.notation.fen import read_fen
from forsyth.games.azul.notation.write import is_standard, write_canonical, write_extended, write_standard
from forsyth.games.azul.position import PHASES, Board, Position, build_board, replace_fields
from forsyth.games.azul.rules.rounds import before_first_deal, deal_at_random
from forsyth.games.azul.tiles import COLOUR_NAMES, COLOURS, FLOOR_SPACES, MARKER, TILES_PER_FACTORY
from forsyth.scene import Area, Cell, Scene, Stroke, Token

_CENTER: Final = "c"
_PLACE_NAME: Final = re.compile(
    r"(?P<place>f[0-9]|c|p[0-9](?:l[0-4]|f))(?:\.[1-9][0-9]{0,2})?|p[0-9]w[0-4][0-4]"
)
_STANDARD: Final = "1"
_EXTENDED: Final = "2"
_VERSIONS: Final = ((_STANDARD, "standard, what is visible (v1)"), (_EXTENDED, "extended, complete (v2)"))
_SCORE_FIELD: Final = re.compile(r"p([0-9])s")
_COMPONENT_INDEX: Final = {
    "phase": 2,
    "scores": -6,
    "round": -5,
    "current_player": -4,
    "start": -3,
    "bag": -2,
    "discard": -1,
}
"""Index of the component of an extended text that contains a field."""
_MISSING_COMPONENTS: Final = 3
"""Number of components after the current player's that a standard text does not have."""


# --- tiles ------------------------------------------------------------------------------------------


def put_tile(position: Position, square: str, symbol: str | None) -> Position:
    """Return the position with a tile or the first-player marker placed on a cell.

    In a place without room, the tile replaces that of the cell. The rules of the game are not applied.

    Args:
        position: The position to edit.
        square: A place such as ``f0``, ``c``, ``p0l3``, ``p0f`` or ``p0w12``, or a cell such as ``f0.1``.
        symbol: The letter of a colour, or ``F`` for the marker. None removes the content of the cell.

    Raises:
        ValueError: If the place or the symbol does not exist.
    """
    place = _parse_place(position, square)
    if symbol is None:
        return _remove_symbol(position, place, square)
    if symbol == MARKER:
        return _put_marker(position, place)
    if symbol not in tuple(COLOURS):
        raise ValueError(
            f"{quoted(symbol)} is not a tile, expected one of {', '.join(COLOURS)} or the marker {MARKER}"
        )
    if "w" in place:
        return _normalise(_replace_wall_cell(position, place, symbol))
    tiles = _tiles_at(position, place)
    has_room = len(tiles) < _capacity(place, unbounded=len(tiles) + 1)
    if has_room:
        return _normalise(_replace_tiles(position, place, tiles + symbol))
    index = min(_cell_index(square), len(tiles) - 1)
    return _normalise(_replace_tiles(position, place, tiles[:index] + symbol + tiles[index + 1 :]))


def move_tile(position: Position, source: str, target: str) -> Position:
    """Return the position with the tile or marker of the cell `source` moved to the place `target`.

    The rules of the game are not applied. A move within one place changes nothing. Raise `ValueError` if the
    cell is empty, or if a place does not exist.
    """
    origin = _parse_place(position, source)
    symbol = _visible_symbol(position, source)
    if not symbol:
        raise ValueError(f"nothing is on {source}, so nothing can be moved from there")
    if _parse_place(position, target) == origin:
        return position
    if symbol == MARKER:
        return put_tile(position, target, MARKER)
    return put_tile(_remove_symbol(position, origin, source), target, symbol)


def _remove_symbol(position: Position, place: str, square: str) -> Position:
    """Return the position without the tile or marker in a cell; an empty cell changes nothing.

    `square` is the name of the cell, such as ``f0.1``, and `place` that of its place, such as ``f0``.
    """
    symbol = _visible_symbol(position, square)
    if not symbol:
        return position
    if symbol == MARKER:
        return _normalise(_remove_marker(position))
    if "w" in place:
        return _normalise(_replace_wall_cell(position, place, "-"))
    tiles = _tiles_at(position, place)
    # The scene shows the centre in another order. It does not matter which tile of a colour is removed.
    index = tiles.index(symbol) if place == _CENTER else _cell_index(square)
    return _normalise(_replace_tiles(position, place, tiles[:index] + tiles[index + 1 :]))


def _parse_place(position: Position, square: str) -> str:
    """Return the name of the place that a cell belongs to, such as ``f0`` for the cell ``f0.1``.

    Raise `ValueError` if the name is malformed, or the position has no such factory or player.
    """
    name = _PLACE_NAME.fullmatch(square) if isinstance(square, str) else None
    if name is None:
        raise ValueError(f"{quoted(square)} is not a place, expected one such as f0, c, p0l3, p0w12 or p0f")
    place = name["place"] or square
    if place[0] == "f" and int(place[1]) >= len(position.factories):
        raise ValueError(f"there is no factory {place[1]}, expected 0 to {len(position.factories) - 1}")
    if place[0] == "p" and int(place[1]) >= position.players:
        raise ValueError(f"there is no player {place[1]}, expected 0 to {position.players - 1}")
    return place


def _cell_index(square: str) -> int:
    """Return the index of a cell in its place, such as 1 for ``f2.1``. The first cell has no number."""
    return int(square.partition(".")[2] or 0)


def _visible_symbol(position: Position, square: str) -> str:
    """Return the letter of the tile or marker that the drawing shows in a cell such as ``f0.1``.

    Return an empty string if the cell is empty.
    """
    cells = (cell for area in scene(position).areas for cell in area.cells if cell.id == square)
    return next((token.symbol.upper() for cell in cells for token in cell.tokens), "")


def _capacity(place: str, unbounded: int) -> int:
    """Return the number of tiles that fit in a place such as ``f0``, ``p0l3`` or ``p0f``.

    The centre (``c``) has no limit, so for it the result is `unbounded`.
    """
    if place == _CENTER:
        return unbounded
    if place[0] == "f":
        return TILES_PER_FACTORY
    return FLOOR_SPACES if place[-1] == "f" else int(place[-1]) + 1


def _tiles_at(position: Position, place: str) -> str:
    """Return the tiles of a factory (``f0``), the centre (``c``), a line (``p0l3``) or a floor (``p0f``).

    The tiles of a floor line include the marker.
    """
    if place == _CENTER:
        return position.center
    if place[0] == "f":
        return position.factories[int(place[1])]
    board = position.boards[int(place[1])]
    return board.floor if place[-1] == "f" else board.lines[int(place[-1])]


def _replace_tiles(position: Position, place: str, tiles: str) -> Position:
    """Return the position with other tiles in a place such as ``f0``, ``c``, ``p0l3`` or ``p0f``.

    A marker that is held beside a full floor line moves onto the floor if there is room now.
    """
    if place == _CENTER:
        return replace_fields(position, center=tiles)
    if place[0] == "f":
        return replace_fields(position, factories=_replace_item(position.factories, int(place[1]), tiles))
    player = int(place[1])
    board = position.boards[player]
    if place[-1] != "f":
        lines = _replace_item(board.lines, int(place[-1]), tiles)
        return _replace_board(position, player, _copy_board(board, lines=lines))
    if board.held and len(tiles) < FLOOR_SPACES:
        return _replace_board(position, player, _copy_board(board, floor=tiles + MARKER, held=False))
    return _replace_board(position, player, _copy_board(board, floor=tiles))


def _replace_wall_cell(position: Position, place: str, cell: str) -> Position:
    """Return the position with `cell`, a colour or ``-``, in a wall cell.

    `place` is such as ``p0w12``: player 0, row 1, column 2.
    """
    player, row, column = int(place[1]), int(place[3]), int(place[4])
    board = position.boards[player]
    cells = board.wall[row]
    wall = _replace_item(board.wall, row, cells[:column] + cell + cells[column + 1 :])
    return _replace_board(position, player, _copy_board(board, wall=wall))


def _replace_board(position: Position, player: int, board: Board) -> Position:
    """Return a copy of the position with another board for the player with number `player`."""
    boards = (*position.boards[:player], board, *position.boards[player + 1 :])
    return replace_fields(position, boards=boards)


def _copy_board(
    board: Board,
    *,
    wall: tuple[str, ...] | None = None,
    lines: tuple[str, ...] | None = None,
    floor: str | None = None,
    held: bool | None = None,
) -> Board:
    """Return a copy of a board. A value that is not None replaces the value of the board."""
    return build_board(
        board.wall if wall is None else wall,
        board.lines if lines is None else lines,
        board.floor if floor is None else floor,
        board.held if held is None else held,
        board.score,
    )


def _replace_item(values: tuple[str, ...], index: int, value: str) -> tuple[str, ...]:
    """Return a copy of a tuple with `value` at `index`."""
    return (*values[:index], value, *values[index + 1 :])


# --- the marker -------------------------------------------------------------------------------------


def _put_marker(position: Position, place: str) -> Position:
    """Return the position with the first-player marker moved to the centre (``c``) or a floor (``p0f``).

    If the floor is full, the marker is held beside it. Raise `ValueError` for any other place.
    """
    if place == _CENTER:
        return _normalise(replace_fields(_remove_marker(position), marker_in_center=True))
    if place[-1] != "f":
        raise ValueError(f"the first-player marker lies in the centre or on a floor, not on {place}")
    player = int(place[1])
    board = position.boards[player]
    if MARKER in board.floor or board.held:
        return position
    after = _remove_marker(position)
    if len(board.floor) == FLOOR_SPACES:
        return _normalise(_replace_board(after, player, _copy_board(board, held=True)))
    return _normalise(_replace_board(after, player, _copy_board(board, floor=board.floor + MARKER)))


def _remove_marker(position: Position) -> Position:
    """Return the position without a first-player marker.

    The result is complete, because a position that is not complete assumes a place for the marker.
    """
    boards = tuple([_copy_board(board, floor=board.floor_tiles, held=False) for board in position.boards])
    return replace_fields(position, boards=boards, marker_in_center=False, complete=True)


# --- fields -----------------------------------------------------------------------------------------


def fields(position: Position) -> tuple[Field, ...]:
    """Return the values of a position that can be edited as text: notation, round, players and scores.

    The starting player, the phase, the bag and the discard are left out if the text does not contain them.
    """
    players = tuple([(str(player), player_name(player)) for player in range(position.players)])
    extended = _is_extended(position)
    versions = _VERSIONS if is_standard(position) else _VERSIONS[1:]
    common_fields = [
        Field("version", "Notation", _EXTENDED if extended else _STANDARD, "choice", versions),
        Field("round", "Round", str(position.round), "number"),
        Field("current_player", "Current player", str(position.current), "choice", players),
    ]
    common_fields += [
        Field(f"p{player}s", f"Score of player {player + 1}", str(board.score), "number")
        for player, board in enumerate(position.boards)
    ]
    if not extended:
        return tuple(common_fields)
    colours = ", ".join([COLOUR_NAMES[colour] for colour in COLOURS])
    return (
        *common_fields,
        Field("start", "Starting player", str(position.start), "choice", players),
        Field("phase", "Phase", position.phase, "choice", tuple(PHASES.items())),
        Field("bag", f"Bag: {colours}", ",".join(map(str, position.bag)), "text"),
        Field("discard", f"Discard: {colours}", ",".join(map(str, position.discard)), "text"),
    )


def with_field(position: Position, name: str, value: str) -> Position:
    """Return the position with another value in one of its fields.

    The value is parsed as in a text. Raise `ValueError` if there is no such field or the value is not valid.
    """
    require_text("the name of a field", name)
    require_text("the value", value)
    known_fields = {field.name: field for field in fields(position)}
    if name not in known_fields:
        raise ValueError(f"this Azul position has no field {quoted(name)}; it has {', '.join(known_fields)}")
    if known_fields[name].value == value:
        return position
    if name == "version":
        return _convert_version(position, value)
    if "/" in value:
        raise ValueError(
            f"{known_fields[name].label}: {quoted(value)} is not a value, expected no slash in it"
        )
    components = write_canonical(position).split("/")
    score_field = _SCORE_FIELD.fullmatch(name)
    index = _COMPONENT_INDEX["scores" if score_field else name]
    if not _is_extended(position):
        index += _MISSING_COMPONENTS
    if score_field:
        value = ",".join(_replace_item(tuple(components[index].split(",")), int(score_field[1]), value))
    components[index] = value
    return _parse("/".join(components))


def _convert_version(position: Position, value: str) -> Position:
    """Return the position after writing it as a standard (``1``) or extended (``2``) text and reading it.

    Raise `ValueError` if `value` is neither, or if the text cannot express the position.
    """
    if value == _STANDARD:
        return _parse(write_standard(position, canonical=True))
    if value == _EXTENDED:
        return _parse(write_extended(position, canonical=True))
    raise ValueError(f"unknown version {quoted(value)}, expected {_STANDARD} or {_EXTENDED}")


def _is_extended(position: Position) -> bool:
    """Return True if the canonical text of the position is an extended one."""
    return position.complete or not is_standard(position)


def _normalise(position: Position) -> Position:
    """Return the position of the canonical text, so that the text and the position always agree."""
    return _parse(write_canonical(position))


def _parse(text: str) -> Position:
    """Return the position of a text. Raise `ValueError` with the first error if there is none."""
    reading = read_fen(text)
    if reading.position is None:
        raise ValueError(next(finding.message for finding in reading.diagnostics if finding.is_error))
    return reading.position


# --- views and new games ----------------------------------------------------------------------------


def palette(position: Position) -> Scene:
    """Return a scene with one tile of each colour and the marker, to pick from."""
    tiles = tuple([tile_token(colour) for colour in COLOURS])
    return Scene(
        title="Azul tiles",
        description="The symbols that can be placed: a tile of each colour and the first-player marker.",
        width=7.6,
        height=1.8,
        areas=(_tray_area("Tiles", tiles, 0.4), _tray_area("Marker", (MARKER_TOKEN,), 6.2)),
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _tray_area(name: str, tokens: tuple[Token, ...], x: float) -> Area:
    """Return a row of tokens on a tray as an area of the scene. `x` is its left edge."""
    cells = tuple([Cell(token.symbol, column, 0, "tray", (token,)) for column, token in enumerate(tokens)])
    ground = Stroke(
        rounded_rectangle_path(-20, -20, len(tokens) * 100 + 20, 120, 26), "tray", "board-line", 3
    )
    return Area(name, len(cells), 1, cells, x=x, y=0.4, map=(ground,), margin=0.24)


def random_source(seed: int | None) -> random.Random:
    """Return a random number generator for a seed. If the seed is None, it is seeded at random."""
    return random.Random(None if seed is None else require_integer("the seed", seed))


def new_game(players: int, seed: int | None) -> Position:
    """Return the first round of a new game, dealt from a full bag.

    Equal seeds give equal deals. If `seed` is None, the deal is random.
    """
    return deal_at_random(before_first_deal(players), random_source(seed))
