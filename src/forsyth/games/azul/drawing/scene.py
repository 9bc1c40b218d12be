"""The scene of an Azul position: the factories, the centre, and a board for each player.

Accepts
    Any position, legal or not: a wrong colour on the wall, mixed and overlong pattern lines, a centre of 900
    tiles. Marks and notes by place: factory ``f2``, centre ``c``, pattern line ``p0l3``, floor ``p0f``, wall
    cell ``p0w04`` (row, column), score ``p0s``. Other names are ignored. The cells of a place are numbered:
    the first has the name of the place, the next ones are ``f2.1``, ``f2.2``. A mark for a place marks all of
    its cells. A note is shown at the first cell.
Writes
    Factories above the centre above the boards, with two boards side by side. If the scene is flipped, the
    board of the second player comes first. Factories and lines have numbers from 1, while the notation counts
    from 0. Pattern lines fill from the right, as on the printed board. The centre is sorted by colour after
    the marker. The wall shows in faint colours which colour belongs where. A terminal without colours shows
    small letters instead. A marker whose place is only assumed is faint, in a terminal a small letter.
Limits
    A centre with more tiles than its tray has cells is shown as one tile of each colour with its number.
    Tiles that do not fit on the floor are counted beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from forsyth.games.azul.drawing import describe
from forsyth.games.azul.drawing.pieces import (
    ASSUMED_MARKER,
    GLYPHS,
    MARKER_NAME,
    PALETTE,
    SPACE,
    circle_path,
    print_role,
    rounded_rectangle_path,
)
from forsyth.games.azul.position import OFFER, Board, Position
from forsyth.games.azul.tiles import (
    COLOUR_NAMES,
    COLOURS,
    FLOOR_SPACES,
    MARKER,
    PENALTIES,
    PRINTED,
    SIZE,
    TILES_PER_FACTORY,
    sort_tiles,
)
from forsyth.scene import Area, Caption, Cell, Mark, Scene, Stroke, Token, require_marks

_EDGE: Final = 0.5
"""Width of the border around the picture."""
_GAP: Final = 0.5
"""Width of the gaps between the parts of the picture."""

_WALL_COLUMN: Final = SIZE + 1
"""First column of the wall. Before it are the pattern lines and one column for the arrows."""
_FLOOR_ROW: Final = SIZE + 1
_COLUMNS: Final = _WALL_COLUMN + SIZE
_ROWS: Final = _FLOOR_ROW + 1
_HELD_COLUMN: Final = FLOOR_SPACES + 1
"""Column of a marker that is held beside the floor."""

_HEAD_HEIGHT: Final = 1.1
_LEFT_WIDTH: Final = 1.25
_RIGHT_WIDTH: Final = 0.4
_FOOT_HEIGHT: Final = 0.6
"""Space around the grid of a board: heading, numbers of the lines, right margin, penalties."""
_BOARD_WIDTH: Final = _LEFT_WIDTH + _COLUMNS + _RIGHT_WIDTH
_BOARD_HEIGHT: Final = _HEAD_HEIGHT + _ROWS + _FOOT_HEIGHT
_WIDTH: Final = 2 * _EDGE + 2 * _BOARD_WIDTH + _GAP

_DISC_DIAMETER: Final = 3.08
"""Diameter of a factory whose four tiles have the size of the other tiles."""
_DISC_GAP: Final = 0.5
_MAX_DISC_SCALE: Final = 1.15
_NUMBER_HEIGHT: Final = 0.62
"""Height of the number below a factory."""

_TRAY_SIZES: Final[Mapping[int, tuple[int, int]]] = {2: (16, 1), 3: (11, 2), 4: (14, 2)}
"""Columns and rows of the centre by number of players, for three tiles per factory and the marker."""
_TRAY_MARGIN: Final = 0.3
_LINE_HEIGHT: Final = 0.62

_FLOOR_LABELS: Final = tuple(f"−{PENALTIES[space + 1] - PENALTIES[space]}" for space in range(FLOOR_SPACES))
"""The penalty of each floor space, as it is printed."""


class _Pointers(NamedTuple):
    """Marks and notes by the name of a place."""

    marks: Mapping[str, Mark]
    notes: Mapping[str, str]

    def mark(self, name: str) -> Mark | None:
        """Return the mark of a cell such as ``f2.1``, or else that of its place (``f2``), or None."""
        return self.marks.get(name) or self.marks.get(name.partition(".")[0])


def scene(
    position: Position,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
) -> Scene:
    """Return the scene of a position.

    Args:
        position: The position to draw.
        marks: The kind of mark for each place to mark.
        flip: Whether the board of the second player comes first.
        notes: A short text for each place to annotate.
    """
    require_marks(marks, notes)
    pointers = _Pointers(marks or {}, notes or {})
    factories = tuple(_make_factories(position.factories, pointers))
    scale = _factory_scale(len(factories))
    center_top = _EDGE + _DISC_DIAMETER * scale + _NUMBER_HEIGHT + _TRAY_MARGIN
    center = _make_center(position, center_top, pointers)
    boards_top = center_top + center.rows + _TRAY_MARGIN + _GAP
    boards = tuple(_make_boards(position, boards_top, flip, pointers))
    bottom = boards_top + (len(boards) + 1) // 2 * (_BOARD_HEIGHT + _GAP)
    captions = tuple(_make_status_captions(position, bottom + 0.3))
    return Scene(
        title=describe.make_title(position),
        description=describe.describe_position(position),
        width=_WIDTH,
        height=bottom + _LINE_HEIGHT * len(captions) + 0.2,
        areas=(*factories, center, *boards),
        captions=captions,
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _make_status_captions(position: Position, y: float) -> Iterator[Caption]:
    """Yield the captions below the boards, from the height `y` down: the status, then bag and discard."""
    lines = (describe.make_status(position), describe.describe_supply(position))
    for index, line in enumerate(line for line in lines if line):
        yield Caption(line, _EDGE, y + _LINE_HEIGHT * index, size=0.48)


def tile_token(letter: str, count: int = 1) -> Token:
    """Return the token of a tile. A `count` above 1 stands for several tiles of the colour in one cell."""
    return Token(
        letter,
        COLOUR_NAMES[letter],
        COLOUR_NAMES[letter],
        letter,
        f"{COLOUR_NAMES[letter]} tile",
        count=count,
        square=True,
    )


def _tokens_at(tiles: str, index: int) -> tuple[Token, ...]:
    """Return the token of the tile at `index` of `tiles`, or an empty tuple if there is no tile."""
    return tuple(tile_token(tile) for tile in tiles[index : index + 1] if tile in COLOUR_NAMES)


MARKER_TOKEN: Final = Token(MARKER, MARKER_NAME, MARKER_NAME, MARKER, describe.MARKER_LABEL)
_ASSUMED_MARKER_TOKEN: Final = Token(
    MARKER.lower(), MARKER_NAME, ASSUMED_MARKER, MARKER.lower(), describe.ASSUMED_LABEL
)


def _make_cell(place: Cell, tokens: tuple[Token, ...], pointers: _Pointers) -> Cell:
    """Return a copy of the cell `place` with its tokens, mark, note and label.

    A token hides the printed colour of the cell, and its own colour becomes the background that a terminal
    paints.
    """
    if tokens:
        place = replace(place, tokens=tokens, ground=tokens[0].owner, print="")
    mark, note = pointers.mark(place.id), pointers.notes.get(place.id, "")
    return replace(place, mark=mark, note=note, label=describe.place_name(place.id))


def _empty_space(name: str, column: int, row: int) -> Cell:
    """Return an empty space of a line or of the floor.

    Its ground alternates by column, so that a terminal shows where a space ends.
    """
    return Cell(name, column, row, "space-odd" if column % 2 else "space", print=SPACE)


def _cell_name(place: str, index: int) -> str:
    """Return the name of the cell at `index` of a place. The first cell has the name of the place."""
    return f"{place}.{index}" if index else place


# --- factories and centre -------------------------------------------------------------------------


def _factory_scale(count: int) -> float:
    """Return the scale with which `count` factories fit beside each other, at most `_MAX_DISC_SCALE`."""
    width_per_factory = (_WIDTH - 2 * _EDGE + _DISC_GAP) / max(1, count)
    return min(_MAX_DISC_SCALE, (width_per_factory - _DISC_GAP) / _DISC_DIAMETER)


def _make_factories(factories: tuple[str, ...], pointers: _Pointers) -> Iterator[Area]:
    """Yield the areas of the factories, centred in one row."""
    scale = _factory_scale(len(factories))
    step = _DISC_DIAMETER * scale + _DISC_GAP
    start = (_WIDTH - (step * len(factories) - _DISC_GAP)) / 2
    rim_width = (_DISC_DIAMETER - 2) / 2 * scale
    for number, tiles in enumerate(factories):
        yield _make_factory(
            number, tiles, start + step * number + rim_width, _EDGE + rim_width, scale, pointers
        )


def _make_factory(number: int, tiles: str, x: float, y: float, scale: float, pointers: _Pointers) -> Area:
    """Return the area of a factory: a disc with four cells at `x` and `y`, and its number below.

    Tiles that do not fit are counted beside the number, such as ``1 (+2)``.
    """
    places = (Cell(_cell_name(f"f{number}", i), i % 2, i // 2, "disc") for i in range(TILES_PER_FACTORY))
    surplus = len(tiles) - TILES_PER_FACTORY
    label = f"{number + 1} (+{surplus})" if surplus > 0 else str(number + 1)
    return Area(
        name=f"f{number}",
        columns=2,
        rows=2,
        cells=tuple(_make_cell(place, _tokens_at(tiles, i), pointers) for i, place in enumerate(places)),
        x=x,
        y=y,
        scale=scale,
        map=_DISC_MAP,
        margin=(_DISC_DIAMETER - 2) / 2,
        captions=(Caption(label, 1, 1 + _DISC_DIAMETER / 2 + 0.44 / scale, "middle", "faint", 0.42 / scale),),
    )


_DISC_MAP: Final = (
    Stroke(circle_path(100, 100, 151), fill="disc", line="disc-line", width=4),
    Stroke(circle_path(100, 100, 143), fill="none", line="disc-line", width=1.5, opacity=0.7),
)


def _make_center(position: Position, y: float, pointers: _Pointers) -> Area:
    """Return the area of the centre: a tray of cells in the middle of the picture. `y` is its top edge."""
    columns, rows = _TRAY_SIZES.get(position.players, _TRAY_SIZES[4])
    tokens = _center_tokens(position, columns * rows)
    indexes = range(max(1, len(tokens)))
    places = (Cell(_cell_name("c", i), i % columns, i // columns, "tray") for i in indexes)
    return Area(
        name="c",
        columns=columns,
        rows=rows,
        cells=tuple(_make_cell(place, tokens[i : i + 1], pointers) for i, place in enumerate(places)),
        x=(_WIDTH - columns) / 2,
        y=y,
        map=(
            Stroke(
                rounded_rectangle_path(-26, -26, columns * 100 + 26, rows * 100 + 26, 30),
                "tray",
                "board-line",
                3,
            ),
        ),
        margin=_TRAY_MARGIN,
        captions=(Caption("Centre", -0.45, 0.6, "end", "faint", 0.42),),
    )


def _center_tokens(position: Position, cell_count: int) -> tuple[Token, ...]:
    """Return the tokens of the centre: the marker, then the tiles sorted by colour.

    If they do not fit into `cell_count` cells, each colour is one token with its count.
    """
    token = MARKER_TOKEN if describe.is_center_marker_known(position) else _ASSUMED_MARKER_TOKEN
    marker = (token,) if position.marker_in_center else ()
    if len(position.center) + len(marker) <= cell_count:
        return marker + tuple(map(tile_token, sort_tiles(position.center)))
    counts = ((colour, position.center.count(colour)) for colour in COLOURS)
    return marker + tuple(tile_token(colour, count) for colour, count in counts if count)


# --- boards ---------------------------------------------------------------------------------------


def _make_boards(position: Position, y: float, flip: bool, pointers: _Pointers) -> Iterator[Area]:
    """Yield the areas of the boards, two in a row, from the height `y` down.

    If `flip` is true, the board of the second player comes first. A last board without a neighbour is
    centred.
    """
    order = list(range(position.players))
    if flip:
        order = order[1:] + order[:1]
    for index, player in enumerate(order):
        row, column = divmod(index, 2)
        left = _EDGE + column * (_BOARD_WIDTH + _GAP)
        if index == len(order) - 1 and column == 0:
            left = (_WIDTH - _BOARD_WIDTH) / 2
        yield _make_board(position, player, left, y + row * (_BOARD_HEIGHT + _GAP), pointers)


def _make_board(position: Position, player: int, x: float, y: float, pointers: _Pointers) -> Area:
    """Return the area of a player's board: pattern lines, wall, floor and score. Its corner is (`x`, `y`)."""
    board = position.boards[player]
    cells = (
        *_make_lines(player, board.lines, pointers),
        *_make_wall(player, board.wall, pointers),
        *_make_floor(player, board, pointers),
        _make_cell(Cell(f"p{player}s", _COLUMNS - 1, -1, "board"), (), pointers),
    )
    return Area(
        name=f"p{player}",
        columns=_COLUMNS,
        rows=_ROWS,
        cells=cells,
        x=x + _LEFT_WIDTH,
        y=y + _HEAD_HEIGHT,
        column_labels=_FLOOR_LABELS,
        row_labels=(*map(str, range(1, SIZE + 1)), "", "Floor"),
        label_size=0.34,
        map=tuple(_draw_panel(_is_to_move(position, player))),
        margin=max(_HEAD_HEIGHT, _LEFT_WIDTH),
        captions=tuple(_make_captions(position, player, pointers)),
    )


def _is_to_move(position: Position, player: int) -> bool:
    """Return True if the player with this number has to make a move, which is so only in the offer."""
    return position.phase == OFFER and position.current == player


def _make_lines(player: int, lines: Iterable[str], pointers: _Pointers) -> Iterator[Cell]:
    """Yield the cells of the pattern lines, right-aligned.

    Tiles that do not fit into their line are added on its left.
    """
    for row, tiles in enumerate(lines):
        for i in range(min(SIZE, max(row + 1, len(tiles)))):
            place = _empty_space(_cell_name(f"p{player}l{row}", i), SIZE - 1 - i, row)
            yield _make_cell(place, _tokens_at(tiles, i), pointers)


def _make_wall(player: int, wall: Iterable[str], pointers: _Pointers) -> Iterator[Cell]:
    """Yield the cells of the wall. An empty cell shows its printed colour."""
    for row, (tiles, colours) in enumerate(zip(wall, PRINTED, strict=True)):
        for column, printed in enumerate(colours):
            glyph = print_role(COLOUR_NAMES[printed])
            name = f"p{player}w{row}{column}"
            place = Cell(name, _WALL_COLUMN + column, row, glyph, blank=printed.lower(), print=glyph)
            yield _make_cell(place, _tokens_at(tiles, column), pointers)


def _make_floor(player: int, board: Board, pointers: _Pointers) -> Iterator[Cell]:
    """Yield the cells of the floor line, and of a marker held beside it."""
    for i in range(FLOOR_SPACES):
        tokens = (MARKER_TOKEN,) if board.floor[i : i + 1] == MARKER else _tokens_at(board.floor, i)
        yield _make_cell(_empty_space(_cell_name(f"p{player}f", i), i, _FLOOR_ROW), tokens, pointers)
    if board.held:
        place = Cell(_cell_name(f"p{player}f", FLOOR_SPACES), _HELD_COLUMN, _FLOOR_ROW, "board")
        yield _make_cell(place, (MARKER_TOKEN,), pointers)


def _make_captions(position: Position, player: int, pointers: _Pointers) -> Iterator[Caption]:
    """Yield the captions of a board.

    Above the grid are the name of the player and the score. Below it are the note that the player begins the
    next round, and the number of tiles that do not fit on the floor.
    """
    board = position.boards[player]
    right = _COLUMNS - 0.16
    is_to_move = _is_to_move(position, player)
    name = describe.player_name(player)
    heading = f"{name} · to move" if is_to_move else name
    yield Caption(heading, 0.08, -0.4, role="turn" if is_to_move else "text", size=0.52)
    role = pointers.marks.get(f"p{player}s", "text")
    yield Caption(f"Score {describe.format_number(board.score)}", right, -0.4, "end", role, 0.52)
    if describe.find_next_starter(position) == player:
        yield Caption("begins next round", right, SIZE + 0.6, "end", size=0.4)
    surplus = len(board.floor) - FLOOR_SPACES
    if surplus > 0:
        yield Caption(f"+{surplus} on the floor", right, _ROWS + 0.34, "end", size=0.4)


def _draw_panel(is_to_move: bool) -> Iterator[Stroke]:
    """Yield the strokes of a player's board that are drawn below its cells.

    They include an arrow from each pattern line to its wall row. The board of the player to move has a
    coloured edge.
    """
    left, right = -_LEFT_WIDTH * _CELL_UNITS, (_COLUMNS + _RIGHT_WIDTH) * _CELL_UNITS
    top, bottom = -_HEAD_HEIGHT * _CELL_UNITS, (_ROWS + _FOOT_HEIGHT) * _CELL_UNITS
    role, width = ("turn", 7) if is_to_move else ("board-line", 3)
    yield Stroke(rounded_rectangle_path(left + 4, top + 4, right - 4, bottom - 4, 24), "board", role, width)
    arrows = "".join(
        f"M{_ARROW_LEFT} {y - 13}L{_ARROW_RIGHT} {y}L{_ARROW_LEFT} {y + 13}Z" for y in _ROW_MIDDLES
    )
    yield Stroke(arrows, "space-line", "none")


_CELL_UNITS: Final = 100
"""Units of a path for the width and the height of a cell."""
_ARROW_LEFT: Final = SIZE * _CELL_UNITS + 38
_ARROW_RIGHT: Final = SIZE * _CELL_UNITS + 62
_ROW_MIDDLES: Final = range(_CELL_UNITS // 2, SIZE * _CELL_UNITS, _CELL_UNITS)
"""Heights of the middles of the wall rows."""
