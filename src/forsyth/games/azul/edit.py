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
from forsyth.games.azul.drawing.describe import format_player_name
from forsyth.games.azul.drawing.pieces import GLYPHS, PALETTE, make_rounded_rectangle_path
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
_PLACE_NUMBER_INDEX: Final = 1
"""Index of the number of the factory or player in the name of a place."""
_WALL_CELL_DIGITS: Final = 2
"""Number of digits at the end of the name of a wall cell: its row and its column."""
_STANDARD: Final = "1"
_EXTENDED: Final = "2"
_VERSIONS: Final = ((_STANDARD, "standard, what is visible (v1)"), (_EXTENDED, "extended, complete (v2)"))
_VERSIONS_WITHOUT_STANDARD: Final = _VERSIONS[1:]
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
    place = _find_place(position, square)
    if symbol is None:
        return _remove_symbol(position, place, square)
    if symbol == MARKER:
        return _put_marker(position, place)
    if symbol not in tuple(COLOURS):
        raise ValueError(
            f"{quoted(symbol)} is not a tile, expected one of {', '.join(COLOURS)} or the marker {MARKER}"
        )
    if _is_wall_cell(place):
        return _normalise_position(_replace_wall_cell(position, place, symbol))
    tiles = _get_tiles(position, place)
    if _has_room(place, tiles):
        new_tiles = tiles + symbol
    else:
        last_index = len(tiles) - 1
        index = min(_parse_cell_index(square), last_index)
        new_tiles = tiles[:index] + symbol + tiles[index + 1 :]
    return _normalise_position(_replace_tiles(position, place, new_tiles))


def move_tile(position: Position, source: str, target: str) -> Position:
    """Return the position with the tile or marker of the cell `source` moved to the place `target`.

    The rules of the game are not applied. A move within one place changes nothing. Raise `ValueError` if the
    cell is empty, or if a place does not exist.
    """
    source_place = _find_place(position, source)
    symbol = _find_visible_symbol(position, source)
    if not symbol:
        raise ValueError(f"nothing is on {source}, expected a cell with a tile or the marker to move")
    target_place = _find_place(position, target)
    if target_place == source_place:
        return position
    if symbol == MARKER:
        # Placing the marker removes it from its old place.
        return put_tile(position, target, MARKER)
    after_removal = _remove_symbol(position, source_place, source)
    return put_tile(after_removal, target, symbol)


def _remove_symbol(position: Position, place: str, square: str) -> Position:
    """Return the position without the tile or marker in a cell, or `position` itself if the cell is empty.

    `square` is the name of the cell, such as ``f0.1``, and `place` the name of its place, such as ``f0``.
    """
    symbol = _find_visible_symbol(position, square)
    if not symbol:
        return position
    if symbol == MARKER:
        return _normalise_position(_remove_marker(position))
    if _is_wall_cell(place):
        return _normalise_position(_replace_wall_cell(position, place, "-"))
    tiles = _get_tiles(position, place)
    # The scene shows the centre in another order. It does not matter which tile of a colour is removed.
    index = tiles.index(symbol) if place == _CENTER else _parse_cell_index(square)
    return _normalise_position(_replace_tiles(position, place, tiles[:index] + tiles[index + 1 :]))


def _find_place(position: Position, square: str) -> str:
    """Return the name of the place that a cell belongs to, such as ``f0`` for the cell ``f0.1``.

    Raise `ValueError` if the name `square` is malformed, or the position has no such factory or player.
    """
    match = _PLACE_NAME.fullmatch(square) if isinstance(square, str) else None
    if match is None:
        raise ValueError(f"{quoted(square)} is not a place, expected one such as f0, c, p0l3, p0w12 or p0f")
    # A wall cell is a place of its own.
    place = match["place"] or square
    if _is_factory(place):
        factory = _parse_place_number(place)
        if factory >= len(position.factories):
            raise ValueError(f"there is no factory {factory}, expected 0 to {len(position.factories) - 1}")
    elif place != _CENTER:
        player = _parse_place_number(place)
        if player >= position.players:
            raise ValueError(f"there is no player {player}, expected 0 to {position.players - 1}")
    return place


def _is_factory(place: str) -> bool:
    """Return True if a place is a factory, such as ``f0``."""
    return place.startswith("f")


def _is_floor(place: str) -> bool:
    """Return True if a place is a floor line, such as ``p0f``."""
    return place.endswith("f")


def _is_wall_cell(place: str) -> bool:
    """Return True if a place is a wall cell, such as ``p0w12``."""
    return "w" in place


def _parse_place_number(place: str) -> int:
    """Return the number of the factory or player in the name of a place: 2 for ``f2`` and ``p2l3``."""
    return int(place[_PLACE_NUMBER_INDEX])


def _parse_line_number(place: str) -> int:
    """Return the number of the pattern line in the name of a place: 3 for ``p2l3``."""
    return int(place[-1])


def _parse_cell_index(square: str) -> int:
    """Return the index of a cell in its place, such as 1 for ``f2.1``. It is 0 for ``f2``, the first cell."""
    _, _, index = square.partition(".")
    return int(index or 0)


def _find_visible_symbol(position: Position, square: str) -> str:
    """Return the letter of the tile or marker in a cell such as ``f0.1``, an empty string if it is empty.

    The drawing of the position determines which tile lies in which cell of a place.
    """
    cells = [cell for area in scene(position).areas for cell in area.cells]
    for cell in cells:
        if cell.id == square and cell.tokens:
            # A marker whose place is only assumed has a small letter.
            return cell.tokens[0].symbol.upper()
    return ""


def _has_room(place: str, tiles: str) -> bool:
    """Return True if one more tile fits in a place such as ``f0``, ``c``, ``p0l3`` or ``p0f``.

    `tiles` are the tiles that lie there. The centre (``c``) always has room.
    """
    if place == _CENTER:
        return True
    if _is_factory(place):
        return len(tiles) < TILES_PER_FACTORY
    if _is_floor(place):
        return len(tiles) < FLOOR_SPACES
    line_capacity = _parse_line_number(place) + 1
    return len(tiles) < line_capacity


def _get_tiles(position: Position, place: str) -> str:
    """Return the tiles of a factory (``f0``), the centre (``c``), a line (``p0l3``) or a floor (``p0f``).

    The tiles of a floor line include the marker.
    """
    if place == _CENTER:
        return position.center
    if _is_factory(place):
        return position.factories[_parse_place_number(place)]
    board = position.boards[_parse_place_number(place)]
    return board.floor if _is_floor(place) else board.lines[_parse_line_number(place)]


def _replace_tiles(position: Position, place: str, tiles: str) -> Position:
    """Return the position with other tiles in a place such as ``f0``, ``c``, ``p0l3`` or ``p0f``.

    A marker that is held beside a full floor line moves onto the floor if there is room now.
    """
    if place == _CENTER:
        return replace_fields(position, center=tiles)
    if _is_factory(place):
        factories = _replace_item(position.factories, _parse_place_number(place), tiles)
        return replace_fields(position, factories=factories)
    player = _parse_place_number(place)
    board = position.boards[player]
    if not _is_floor(place):
        new_board = _copy_board(board, lines=_replace_item(board.lines, _parse_line_number(place), tiles))
    elif board.held and len(tiles) < FLOOR_SPACES:
        new_board = _copy_board(board, floor=tiles + MARKER, held=False)
    else:
        new_board = _copy_board(board, floor=tiles)
    return _replace_board(position, player, new_board)


def _replace_wall_cell(position: Position, place: str, cell: str) -> Position:
    """Return the position with another content of one wall cell.

    `place` is the name of the cell, such as ``p0w12``: player 0, row 1, column 2. `cell` is its new content,
    a colour or ``-``.
    """
    player = _parse_place_number(place)
    row, column = map(int, place[-_WALL_CELL_DIGITS:])
    board = position.boards[player]
    old_row = board.wall[row]
    new_row = old_row[:column] + cell + old_row[column + 1 :]
    wall = _replace_item(board.wall, row, new_row)
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
    """Return a copy of a board with the same score. An argument that is not None replaces its value."""
    return build_board(
        wall=board.wall if wall is None else wall,
        lines=board.lines if lines is None else lines,
        floor=board.floor if floor is None else floor,
        held=board.held if held is None else held,
        score=board.score,
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
        return _normalise_position(replace_fields(_remove_marker(position), marker_in_center=True))
    if not _is_floor(place):
        raise ValueError(
            f"the first-player marker cannot lie on {place}, expected the centre c or a floor such as p0f"
        )
    player = _parse_place_number(place)
    board = position.boards[player]
    has_marker = MARKER in board.floor or board.held
    if has_marker:
        return position
    if len(board.floor) == FLOOR_SPACES:
        new_board = _copy_board(board, held=True)
    else:
        new_board = _copy_board(board, floor=board.floor + MARKER)
    return _normalise_position(_replace_board(_remove_marker(position), player, new_board))


def _remove_marker(position: Position) -> Position:
    """Return the position without a first-player marker.

    The result is complete: `position.complete` is False only if the place of the marker is assumed.
    """
    boards = [_copy_board(board, floor=board.floor_tiles, held=False) for board in position.boards]
    return replace_fields(position, boards=tuple(boards), marker_in_center=False, complete=True)


# --- fields -----------------------------------------------------------------------------------------


def list_fields(position: Position) -> tuple[Field, ...]:
    """Return the values of a position that can be edited as text, such as the round and the scores.

    The starting player, the phase, the bag and the discard are left out if the text does not contain them.
    """
    player_choices = tuple([(str(player), format_player_name(player)) for player in range(position.players)])
    is_extended = _is_extended(position)
    version = _EXTENDED if is_extended else _STANDARD
    version_choices = _VERSIONS if is_standard(position) else _VERSIONS_WITHOUT_STANDARD
    common_fields = (
        Field("version", "Notation", version, "choice", version_choices),
        Field("round", "Round", str(position.round), "number"),
        Field("current_player", "Current player", str(position.current), "choice", player_choices),
        *[
            Field(f"p{player}s", f"Score of player {player + 1}", str(board.score), "number")
            for player, board in enumerate(position.boards)
        ],
    )
    if not is_extended:
        return common_fields
    colour_names = ", ".join([COLOUR_NAMES[colour] for colour in COLOURS])
    return (
        *common_fields,
        Field("start", "Starting player", str(position.start), "choice", player_choices),
        Field("phase", "Phase", position.phase, "choice", tuple(PHASES.items())),
        Field("bag", f"Bag: {colour_names}", ",".join(map(str, position.bag)), "text"),
        Field("discard", f"Discard: {colour_names}", ",".join(map(str, position.discard)), "text"),
    )


def replace_field(position: Position, name: str, value: str) -> Position:
    """Return the position with another value in one of its fields, such as ``3`` in the field ``round``.

    The value is parsed as in a text. Raise `ValueError` if there is no such field or the value is not valid.
    """
    require_text("the name of a field", name)
    require_text("the value", value)
    known_fields = {field.name: field for field in list_fields(position)}
    if name not in known_fields:
        raise ValueError(f"this Azul position has no field {quoted(name)}; it has {', '.join(known_fields)}")
    field = known_fields[name]
    if field.value == value:
        return position
    if name == "version":
        return _convert_version(position, value)
    if "/" in value:
        raise ValueError(f"{field.label}: {quoted(value)} is not a value, expected no slash in it")
    return _replace_component(position, name, value)


def _replace_component(position: Position, name: str, value: str) -> Position:
    """Return the position with another value in one component of its canonical text.

    `name` is the name of the field in that component, such as ``round``, or ``p0s`` for the score of player
    0. Raise `ValueError` if the new text is not valid.
    """
    components = write_canonical(position).split("/")
    score_field = _SCORE_FIELD.fullmatch(name)
    component_name = "scores" if score_field else name
    index = _COMPONENT_INDEX[component_name]
    if not _is_extended(position):
        index += _MISSING_COMPONENTS
    if score_field:
        player = int(score_field[1])
        scores = tuple(components[index].split(","))
        components[index] = ",".join(_replace_item(scores, player, value))
    else:
        components[index] = value
    return _parse_position("/".join(components))


def _convert_version(position: Position, version: str) -> Position:
    """Return the position after writing it as a standard (``1``) or extended (``2``) text and reading it.

    Raise `ValueError` if `version` is neither, or if the text cannot express the position.
    """
    if version == _STANDARD:
        return _parse_position(write_standard(position, canonical=True))
    if version == _EXTENDED:
        return _parse_position(write_extended(position, canonical=True))
    raise ValueError(f"unknown version {quoted(version)}, expected {_STANDARD} or {_EXTENDED}")


def _is_extended(position: Position) -> bool:
    """Return True if the canonical text of the position is an extended one."""
    return position.complete or not is_standard(position)


def _normalise_position(position: Position) -> Position:
    """Return the position that its canonical text describes.

    Values that the text cannot express, such as the order of tiles on a factory, are lost.
    """
    return _parse_position(write_canonical(position))


def _parse_position(text: str) -> Position:
    """Return the position of a text. Raise `ValueError` with the first error if the text has errors."""
    reading = read_fen(text)
    if reading.position is None:
        first_error = reading.errors[0]
        raise ValueError(first_error.message)
    return reading.position


# --- views and new games ----------------------------------------------------------------------------


def make_palette(position: Position) -> Scene:
    """Return a drawing of all symbols that can be placed: one tile of each colour, and the marker.

    The result is the same for every position.
    """
    tiles = tuple([tile_token(colour) for colour in COLOURS])
    return Scene(
        title="Azul tiles",
        description="The symbols that can be placed: a tile of each colour and the first-player marker.",
        width=7.6,
        height=1.8,
        areas=(_make_tray_area("Tiles", tiles, 0.4), _make_tray_area("Marker", (MARKER_TOKEN,), 6.2)),
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _make_tray_area(name: str, tokens: tuple[Token, ...], x: float) -> Area:
    """Return a part of the scene: a tray with tokens (drawings of tiles) in one row.

    `name` is the name of the part, and `x` its left edge in the picture.
    """
    cells = [
        Cell(token.symbol, column, row=0, ground="tray", tokens=(token,))
        for column, token in enumerate(tokens)
    ]
    width = len(tokens) * _CELL_UNITS
    tray_path = make_rounded_rectangle_path(
        -_TRAY_RIM, -_TRAY_RIM, width + _TRAY_RIM, _CELL_UNITS + _TRAY_RIM, corner_radius=26
    )
    tray = Stroke(tray_path, fill="tray", line="board-line", width=3)
    return Area(name, columns=len(cells), rows=1, cells=tuple(cells), x=x, y=0.4, map=(tray,), margin=0.24)


_CELL_UNITS: Final = 100
"""Units of a path for the width and the height of a cell."""
_TRAY_RIM: Final = 20
"""Distance between the cells and the edge of their tray, in units of a path."""


def make_random_source(seed: int | None) -> random.Random:
    """Return a random number generator that starts from `seed`, or from a random seed if it is None."""
    valid_seed = None if seed is None else require_integer("the seed", seed)
    return random.Random(valid_seed)


def start_new_game(players: int, seed: int | None) -> Position:
    """Return the first position of a new game for `players` players, dealt from a full bag.

    Equal seeds give equal deals. If `seed` is None, the deal is random.
    """
    return deal_at_random(before_first_deal(players), make_random_source(seed))
