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

import math
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
    make_circle_path,
    make_print_name,
    make_rounded_rectangle_path,
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
_DISC_COLUMNS: Final = 2
"""Columns of the cells of a factory. It has as many rows."""
_DISC_RIM: Final = (_DISC_DIAMETER - _DISC_COLUMNS) / 2
"""Distance between the cells of a factory and the edge of its disc."""
_DISC_GAP: Final = 0.5
_MAX_DISC_SCALE: Final = 1.15
_NUMBER_HEIGHT: Final = 0.62
"""Height of the number below a factory."""
_NUMBER_DISTANCE: Final = 0.44
"""Distance between the disc of a factory and the base line of its number."""

_TRAY_SIZES: Final[Mapping[int, tuple[int, int]]] = {2: (16, 1), 3: (11, 2), 4: (14, 2)}
"""Columns and rows of the centre by number of players, for three tiles per factory and the marker."""
_TRAY_MARGIN: Final = 0.3
_STATUS_MARGIN: Final = 0.3
"""Space between the boards and the base line of the first caption below them."""
_BOTTOM_MARGIN: Final = 0.2
_LINE_HEIGHT: Final = 0.62
_STATUS_SIZE: Final = 0.48
_BOARDS_PER_ROW: Final = 2

_SMALL_SIZE: Final = 0.4
_LABEL_SIZE: Final = 0.42
_HEADING_SIZE: Final = 0.52
"""Sizes of captions: additions to a board, labels of factories and centre, name and score."""
_CAPTION_MARGIN: Final = 0.16
"""Space between a caption and the right edge of the board's grid. On the left there is half as much."""
_HEADING_Y: Final = -0.4
"""Base line of the name and the score, above the first row of the board."""

_FLOOR_LABELS: Final = tuple(f"−{PENALTIES[space + 1] - PENALTIES[space]}" for space in range(FLOOR_SPACES))
"""The penalty of each floor space, as it is printed."""


class _Annotations(NamedTuple):
    """The marks and notes to draw, by the name of a place such as ``f2``."""

    marks: Mapping[str, Mark]
    notes: Mapping[str, str]

    def find_mark(self, cell_name: str) -> Mark | None:
        """Return the mark of a cell such as ``f2.1``, or else the mark of its place (``f2``), or None."""
        place, _, _ = cell_name.partition(".")
        return self.marks.get(cell_name) or self.marks.get(place)


def scene(
    position: Position,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
) -> Scene:
    """Return the drawing of a position: the factories, below them the centre, and below it the boards.

    Args:
        position: The position to draw.
        marks: The kind of mark for each place to mark.
        flip: Whether the board of the second player comes first.
        notes: A short text for each place to annotate.
    """
    require_marks(marks, notes)
    annotations = _Annotations(marks or {}, notes or {})

    factories = tuple(_make_factories(position.factories, annotations))

    disc_height = _DISC_DIAMETER * _compute_factory_scale(len(factories))
    center_top = _EDGE + disc_height + _NUMBER_HEIGHT + _TRAY_MARGIN
    center = _make_center(position, center_top, annotations)

    boards_top = center_top + center.rows + _TRAY_MARGIN + _GAP
    boards = tuple(_make_boards(position, boards_top, flip, annotations))
    board_rows = math.ceil(len(boards) / _BOARDS_PER_ROW)
    boards_bottom = boards_top + board_rows * (_BOARD_HEIGHT + _GAP)

    captions = tuple(_make_status_captions(position, boards_bottom + _STATUS_MARGIN))
    return Scene(
        title=describe.make_title(position),
        description=describe.describe_position(position),
        width=_WIDTH,
        height=boards_bottom + _LINE_HEIGHT * len(captions) + _BOTTOM_MARGIN,
        areas=(*factories, center, *boards),
        captions=captions,
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _make_status_captions(position: Position, y: float) -> Iterator[Caption]:
    """Yield the captions below the boards: the status, then the bag and discard if they are known.

    `y` is the distance of the first caption from the top of the picture.
    """
    yield Caption(describe.make_status(position), _EDGE, y, size=_STATUS_SIZE)
    supply = describe.describe_supply(position)
    if supply:
        yield Caption(supply, _EDGE, y + _LINE_HEIGHT, size=_STATUS_SIZE)


def tile_token(letter: str, count: int = 1) -> Token:
    """Return the token (the drawing on a cell) of a tile.

    `letter` is the letter of its colour, such as ``B``. A `count` above 1 stands for several tiles of the
    colour in one cell.
    """
    colour_name = COLOUR_NAMES[letter]
    return Token(
        symbol=letter,
        owner=colour_name,
        glyph=colour_name,
        text=letter,
        label=f"{colour_name} tile",
        count=count,
        square=True,
    )


def _make_tile_tokens(tiles: str, index: int) -> tuple[Token, ...]:
    """Return the tokens of a cell that shows the tile at `index` of `tiles`.

    A token is the drawing of a tile. The result is an empty tuple if there is no tile at `index`.
    """
    tile_or_empty = tiles[index : index + 1]
    return (tile_token(tile_or_empty),) if tile_or_empty in COLOUR_NAMES else ()


MARKER_TOKEN: Final = Token(
    symbol=MARKER, owner=MARKER_NAME, glyph=MARKER_NAME, text=MARKER, label=describe.MARKER_LABEL
)
_ASSUMED_MARKER_TOKEN: Final = Token(
    symbol=MARKER.lower(),
    owner=MARKER_NAME,
    glyph=ASSUMED_MARKER,
    text=MARKER.lower(),
    label=describe.ASSUMED_LABEL,
)


def _fill_cell(empty_cell: Cell, tokens: tuple[Token, ...], annotations: _Annotations) -> Cell:
    """Return a copy of a cell with `tokens` (drawings of tiles), and with its mark, note and label.

    A token hides the printed colour of the cell. The colour of the token becomes the background that a
    terminal paints.
    """
    cell = empty_cell
    if tokens:
        first_token = tokens[0]
        cell = replace(cell, tokens=tokens, ground=first_token.owner, print="")
    return replace(
        cell,
        mark=annotations.find_mark(cell.id),
        note=annotations.notes.get(cell.id, ""),
        label=describe.place_name(cell.id),
    )


def _make_empty_space(name: str, column: int, row: int) -> Cell:
    """Return an empty space of a pattern line or of the floor, at a column and row of a board's grid.

    `name` is the name of the cell, such as ``p0l3``. The colour of its background alternates by column, so
    that a terminal shows where a space ends.
    """
    ground = "space-odd" if column % 2 else "space"
    return Cell(name, column, row, ground, print=SPACE)


def _make_cell_name(place: str, index: int) -> str:
    """Return the name of the cell at `index` of a place: ``f2`` for the first one, then ``f2.1``."""
    return f"{place}.{index}" if index else place


# --- factories and centre -------------------------------------------------------------------------


def _compute_factory_scale(count: int) -> float:
    """Return the scale with which `count` factories fit beside each other, at most `_MAX_DISC_SCALE`.

    A factory is `_DISC_DIAMETER` wide if its scale is 1.
    """
    row_width = _WIDTH - 2 * _EDGE
    # There is no gap behind the last factory.
    width_with_gap = (row_width + _DISC_GAP) / max(1, count)
    fitting_scale = (width_with_gap - _DISC_GAP) / _DISC_DIAMETER
    return min(_MAX_DISC_SCALE, fitting_scale)


def _make_factories(factories: tuple[str, ...], annotations: _Annotations) -> Iterator[Area]:
    """Yield the areas (parts of the picture) of the factories, centred in one row.

    `factories` has the tiles of each factory.
    """
    scale = _compute_factory_scale(len(factories))
    step = _DISC_DIAMETER * scale + _DISC_GAP
    row_width = step * len(factories) - _DISC_GAP
    row_left = (_WIDTH - row_width) / 2
    rim_width = _DISC_RIM * scale
    for number, tiles in enumerate(factories):
        left = row_left + step * number + rim_width
        top = _EDGE + rim_width
        yield _make_factory(number, tiles, left, top, scale, annotations)


def _make_factory(
    number: int, tiles: str, left: float, top: float, scale: float, annotations: _Annotations
) -> Area:
    """Return the area of a factory: a disc with four cells, and its number below.

    Tiles that do not fit are counted beside the number, such as ``1 (+2)``.

    Args:
        number: The number of the factory, counted from 0.
        tiles: The tiles on the factory.
        left: The left edge of its cells in the picture.
        top: The top edge of its cells.
        scale: The size of its cells.
        annotations: The marks and notes to show.
    """
    cells = []
    for index in range(TILES_PER_FACTORY):
        row, column = divmod(index, _DISC_COLUMNS)
        empty_cell = Cell(_make_cell_name(f"f{number}", index), column, row, "disc")
        cells.append(_fill_cell(empty_cell, _make_tile_tokens(tiles, index), annotations))

    surplus = len(tiles) - TILES_PER_FACTORY
    label = f"{number + 1} (+{surplus})" if surplus > 0 else str(number + 1)
    # All lengths of a caption are multiplied by the scale of its area. Dividing keeps the label's size.
    label_y = 1 + _DISC_DIAMETER / 2 + _NUMBER_DISTANCE / scale
    caption = Caption(label, 1, label_y, anchor="middle", role="faint", size=_LABEL_SIZE / scale)
    return Area(
        name=f"f{number}",
        columns=_DISC_COLUMNS,
        rows=_DISC_COLUMNS,
        cells=tuple(cells),
        x=left,
        y=top,
        scale=scale,
        map=_DISC_MAP,
        margin=_DISC_RIM,
        captions=(caption,),
    )


_DISC_MAP: Final = (
    Stroke(make_circle_path(100, 100, 151), fill="disc", line="disc-line", width=4),
    Stroke(make_circle_path(100, 100, 143), fill="none", line="disc-line", width=1.5, opacity=0.7),
)


def _make_center(position: Position, y: float, annotations: _Annotations) -> Area:
    """Return the area of the centre: a tray of cells in the middle of the picture.

    `y` is the top edge of the tray. An empty centre has one cell without a tile, so that it can be marked.
    """
    columns, rows = _TRAY_SIZES[position.players]
    tokens = _make_center_tokens(position, columns * rows)
    cells = []
    for index in range(max(1, len(tokens))):
        row, column = divmod(index, columns)
        empty_cell = Cell(_make_cell_name("c", index), column, row, "tray")
        cells.append(_fill_cell(empty_cell, tokens[index : index + 1], annotations))

    width, height = columns * _CELL_UNITS, rows * _CELL_UNITS
    tray_path = make_rounded_rectangle_path(
        -_TRAY_RIM, -_TRAY_RIM, width + _TRAY_RIM, height + _TRAY_RIM, corner_radius=30
    )
    return Area(
        name="c",
        columns=columns,
        rows=rows,
        cells=tuple(cells),
        x=(_WIDTH - columns) / 2,
        y=y,
        map=(Stroke(tray_path, fill="tray", line="board-line", width=3),),
        margin=_TRAY_MARGIN,
        captions=(Caption("Centre", -0.45, 0.6, anchor="end", role="faint", size=_LABEL_SIZE),),
    )


def _make_center_tokens(position: Position, cell_count: int) -> tuple[Token, ...]:
    """Return the tokens (drawings) of the centre: the marker, then the tiles sorted by colour.

    If they do not fit into `cell_count` cells, each colour is one token with its count.
    """
    tokens = []
    if position.marker_in_center:
        is_known = describe.is_center_marker_known(position)
        tokens.append(MARKER_TOKEN if is_known else _ASSUMED_MARKER_TOKEN)
    has_room_for_all = len(tokens) + len(position.center) <= cell_count
    if has_room_for_all:
        tokens += [tile_token(tile) for tile in sort_tiles(position.center)]
        return tuple(tokens)
    for colour in COLOURS:
        count = position.center.count(colour)
        if count:
            tokens.append(tile_token(colour, count))
    return tuple(tokens)


# --- boards ---------------------------------------------------------------------------------------


def _make_boards(position: Position, y: float, flip: bool, annotations: _Annotations) -> Iterator[Area]:
    """Yield the areas of the boards, two in a row. A last board without a neighbour is centred.

    `y` is the top edge of the first row. If `flip` is true, the board of the second player comes first.
    """
    players = list(range(position.players))
    if flip:
        players = players[1:] + players[:1]
    for index, player in enumerate(players):
        row, column = divmod(index, _BOARDS_PER_ROW)
        left = _EDGE + column * (_BOARD_WIDTH + _GAP)
        top = y + row * (_BOARD_HEIGHT + _GAP)
        has_no_neighbour = column == 0 and index == len(players) - 1
        if has_no_neighbour:
            left = (_WIDTH - _BOARD_WIDTH) / 2
        yield _make_board(position, player, left, top, annotations)


def _make_board(position: Position, player: int, left: float, top: float, annotations: _Annotations) -> Area:
    """Return the area of a player's board: pattern lines, wall, floor and score.

    `left` and `top` are the edges of the board in the picture.
    """
    board = position.boards[player]
    # The score is shown above the grid, in the last column.
    empty_score_cell = Cell(f"p{player}s", column=_COLUMNS - 1, row=-1, ground="board")
    cells = (
        *_make_lines(player, board.lines, annotations),
        *_make_wall(player, board.wall, annotations),
        *_make_floor(player, board, annotations),
        _fill_cell(empty_score_cell, (), annotations),
    )
    return Area(
        name=f"p{player}",
        columns=_COLUMNS,
        rows=_ROWS,
        cells=cells,
        x=left + _LEFT_WIDTH,
        y=top + _HEAD_HEIGHT,
        column_labels=_FLOOR_LABELS,
        row_labels=(*map(str, range(1, SIZE + 1)), "", "Floor"),
        label_size=0.34,
        map=tuple(_draw_panel(_is_to_move(position, player))),
        margin=max(_HEAD_HEIGHT, _LEFT_WIDTH),
        captions=tuple(_make_board_captions(position, player, annotations)),
    )


def _is_to_move(position: Position, player: int) -> bool:
    """Return True if the player with this number has to make a move."""
    # Moves are made only in the factory offer.
    return position.phase == OFFER and position.current == player


def _make_lines(player: int, lines: Iterable[str], annotations: _Annotations) -> Iterator[Cell]:
    """Yield the cells of the pattern lines, which fill from the right.

    Tiles that do not fit into their line are added on its left. At most five tiles are shown.
    """
    for row, tiles in enumerate(lines):
        capacity = row + 1
        cell_count = min(SIZE, max(capacity, len(tiles)))
        for index in range(cell_count):
            column = SIZE - 1 - index
            empty_cell = _make_empty_space(_make_cell_name(f"p{player}l{row}", index), column, row)
            yield _fill_cell(empty_cell, _make_tile_tokens(tiles, index), annotations)


def _make_wall(player: int, wall: Iterable[str], annotations: _Annotations) -> Iterator[Cell]:
    """Yield the cells of a player's wall. An empty cell shows its printed colour."""
    for row, (cells, printed_colours) in enumerate(zip(wall, PRINTED, strict=True)):
        for column, printed_colour in enumerate(printed_colours):
            glyph = make_print_name(COLOUR_NAMES[printed_colour])
            empty_cell = Cell(
                f"p{player}w{row}{column}",
                column=_WALL_COLUMN + column,
                row=row,
                ground=glyph,
                blank=printed_colour.lower(),
                print=glyph,
            )
            yield _fill_cell(empty_cell, _make_tile_tokens(cells, column), annotations)


def _make_floor(player: int, board: Board, annotations: _Annotations) -> Iterator[Cell]:
    """Yield the cells of a floor line, and one more cell for a marker that is held beside the full floor."""
    place = f"p{player}f"
    for index in range(FLOOR_SPACES):
        has_marker = board.floor[index : index + 1] == MARKER
        tokens = (MARKER_TOKEN,) if has_marker else _make_tile_tokens(board.floor, index)
        empty_cell = _make_empty_space(_make_cell_name(place, index), index, _FLOOR_ROW)
        yield _fill_cell(empty_cell, tokens, annotations)
    if board.held:
        empty_cell = Cell(_make_cell_name(place, FLOOR_SPACES), _HELD_COLUMN, _FLOOR_ROW, "board")
        yield _fill_cell(empty_cell, (MARKER_TOKEN,), annotations)


def _make_board_captions(position: Position, player: int, annotations: _Annotations) -> Iterator[Caption]:
    """Yield the captions of a board.

    Above the grid are the name of the player and the score. Below it are the note that the player begins the
    next round, and the number of tiles that do not fit on the floor.
    """
    board = position.boards[player]
    left = _CAPTION_MARGIN / 2
    right = _COLUMNS - _CAPTION_MARGIN
    name = describe.format_player_name(player)
    if _is_to_move(position, player):
        yield Caption(f"{name} · to move", left, _HEADING_Y, role="turn", size=_HEADING_SIZE)
    else:
        yield Caption(name, left, _HEADING_Y, role="text", size=_HEADING_SIZE)

    score = f"Score {describe.format_number(board.score)}"
    score_role = annotations.marks.get(f"p{player}s", "text")
    yield Caption(score, right, _HEADING_Y, anchor="end", role=score_role, size=_HEADING_SIZE)

    if describe.find_next_starter(position) == player:
        yield Caption("begins next round", right, SIZE + 0.6, anchor="end", size=_SMALL_SIZE)
    surplus = len(board.floor) - FLOOR_SPACES
    if surplus > 0:
        yield Caption(f"+{surplus} on the floor", right, _ROWS + 0.34, anchor="end", size=_SMALL_SIZE)


def _draw_panel(is_to_move: bool) -> Iterator[Stroke]:
    """Yield the strokes of a player's board behind its cells: the panel, and an arrow in each row.

    The arrows point from the pattern lines to the wall. The panel of the player to move has a coloured edge.
    """
    left = -_LEFT_WIDTH * _CELL_UNITS + _PANEL_INSET
    right = (_COLUMNS + _RIGHT_WIDTH) * _CELL_UNITS - _PANEL_INSET
    top = -_HEAD_HEIGHT * _CELL_UNITS + _PANEL_INSET
    bottom = (_ROWS + _FOOT_HEIGHT) * _CELL_UNITS - _PANEL_INSET
    outline = make_rounded_rectangle_path(left, top, right, bottom, corner_radius=24)
    if is_to_move:
        yield Stroke(outline, fill="board", line="turn", width=7)
    else:
        yield Stroke(outline, fill="board", line="board-line", width=3)

    arrows = [
        f"M{_ARROW_LEFT} {y - _ARROW_HALF}L{_ARROW_RIGHT} {y}L{_ARROW_LEFT} {y + _ARROW_HALF}Z"
        for y in _ROW_MIDDLES
    ]
    yield Stroke("".join(arrows), fill="space-line", line="none")


_CELL_UNITS: Final = 100
"""Units of a path for the width and the height of a cell."""
_PANEL_INSET: Final = 4
"""Distance between the edge of a board and the edge of its area, in units of a path."""
_TRAY_RIM: Final = 26
"""Distance between the cells of the centre and the edge of their tray, in units of a path."""
_ARROW_LEFT: Final = SIZE * _CELL_UNITS + 38
_ARROW_RIGHT: Final = SIZE * _CELL_UNITS + 62
_ARROW_HALF: Final = 13
"""Half of the height of an arrow, in units of a path."""
_ROW_MIDDLES: Final = range(_CELL_UNITS // 2, SIZE * _CELL_UNITS, _CELL_UNITS)
"""Heights of the middles of the wall rows."""
