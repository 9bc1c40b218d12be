"""An Azul position as a scene: the factories, the centre, and a board for each player.

Accepts
    Any position, legal or not: a wrong colour on the wall, mixed and overlong pattern lines, a centre of 900
    tiles. Marks and notes by place: factory ``f2``, centre ``c``, pattern line ``p0l3``, floor ``p0f``, wall
    cell ``p0w04`` (row, column), score ``p0s``; others are ignored. The cells of a place are numbered: the
    first has the place's name, then come ``f2.1``, ``f2.2``. A mark for a place marks all of its cells, a
    note is shown at the first.
Writes
    Factories above the centre above the boards, two boards beside each other; flipped, the second player's
    board comes first. Factories and lines are numbered from 1, as people count; the notation counts from 0.
    Pattern lines fill from the right, as on the printed board; the centre is sorted by colour behind the
    marker. The wall shows faintly which colour belongs where; a terminal without colours says it in small
    letters. A marker whose place is only assumed is faint, in a terminal a small letter.
Limits
    A centre with more tiles than a game has room for is shown as one tile of each colour with its number;
    what does not fit on the floor is counted beside it.
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
    disc,
    plate,
    print_of,
)
from forsyth.games.azul.position import OFFER, Board, Position
from forsyth.games.azul.tiles import (
    COLOURS,
    FLOOR_SPACES,
    MARKER,
    NAMES,
    PENALTIES,
    PRINTED,
    SIZE,
    TILES_PER_FACTORY,
    in_order,
)
from forsyth.scene import Area, Caption, Cell, Mark, Scene, Stroke, Token, require_marks

_EDGE: Final = 0.5
_GAP: Final = 0.5
"""Room around the picture and between its parts."""

_WALL_AT: Final = SIZE + 1
"""First column of the wall: the pattern lines, one column for the arrows, the wall."""
_FLOOR_AT: Final = SIZE + 1
_COLUMNS: Final = _WALL_AT + SIZE
_ROWS: Final = _FLOOR_AT + 1
_HELD_AT: Final = FLOOR_SPACES + 1
"""Column of a marker that is held beside the floor."""

_HEAD: Final = 1.1
_LEFT: Final = 1.25
_RIGHT: Final = 0.4
_FOOT: Final = 0.6
"""What a board has around its grid: heading, numbers of the lines, penalties."""
_BOARD_WIDTH: Final = _LEFT + _COLUMNS + _RIGHT
_BOARD_HEIGHT: Final = _HEAD + _ROWS + _FOOT
_WIDTH: Final = 2 * _EDGE + 2 * _BOARD_WIDTH + _GAP

_DISC: Final = 3.08
"""Diameter of a factory whose four tiles have the size of the others."""
_DISC_GAP: Final = 0.5
_LARGEST_DISC: Final = 1.15
_NUMBER: Final = 0.62
"""Room below a factory for its number."""

_TRAYS: Final[Mapping[int, tuple[int, int]]] = {2: (16, 1), 3: (11, 2), 4: (14, 2)}
"""Columns and rows of the centre: three tiles of each factory and the marker (spec/azul 1.5)."""
_TRAY_MARGIN: Final = 0.3
_LINE: Final = 0.62

_FLOOR_LABELS: Final = tuple(f"−{PENALTIES[n + 1] - PENALTIES[n]}" for n in range(FLOOR_SPACES))


class _Pointers(NamedTuple):
    """What to point out, by place."""

    marks: Mapping[str, Mark]
    notes: Mapping[str, str]

    def mark(self, name: str) -> Mark | None:
        """The mark of a cell: its own, else that of the place it belongs to."""
        return self.marks.get(name) or self.marks.get(name.partition(".")[0])


def scene(
    position: Position,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
) -> Scene:
    """What to draw of a position; `marks` and `notes` say what to point out at which place."""
    require_marks(marks, notes)
    pointers = _Pointers(marks or {}, notes or {})
    factories = tuple(_factories(position.factories, pointers))
    scale = _factory_scale(len(factories))
    center_at = _EDGE + _DISC * scale + _NUMBER + _TRAY_MARGIN
    center = _center(position, center_at, pointers)
    boards_at = center_at + center.rows + _TRAY_MARGIN + _GAP
    boards = tuple(_boards(position, boards_at, flip, pointers))
    foot = boards_at + (len(boards) + 1) // 2 * (_BOARD_HEIGHT + _GAP)
    captions = tuple(_captions(position, foot + 0.3))
    return Scene(
        title=describe.title(position),
        description=describe.description(position),
        width=_WIDTH,
        height=foot + _LINE * len(captions) + 0.2,
        areas=(*factories, center, *boards),
        captions=captions,
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _captions(position: Position, y: float) -> Iterator[Caption]:
    lines = (describe.status(position), describe.supply(position))
    for index, line in enumerate(line for line in lines if line):
        yield Caption(line, _EDGE, y + _LINE * index, size=0.48)


def tile_token(letter: str, count: int = 1) -> Token:
    """A tile as it is drawn, or so many alike in one place."""
    return Token(
        letter, NAMES[letter], NAMES[letter], letter, f"{NAMES[letter]} tile", count=count, square=True
    )


def _tokens(tiles: str, index: int) -> tuple[Token, ...]:
    """What lies at one place of several: a tile or nothing."""
    return tuple(tile_token(tile) for tile in tiles[index : index + 1] if tile in NAMES)


MARKER_TOKEN: Final = Token(MARKER, MARKER_NAME, MARKER_NAME, MARKER, describe.MARKER_LABEL)
_ASSUMED: Final = Token(MARKER.lower(), MARKER_NAME, ASSUMED_MARKER, MARKER.lower(), describe.ASSUMED_LABEL)


def _cell(place: Cell, tokens: tuple[Token, ...], pointers: _Pointers) -> Cell:
    """A place with what lies there, which hides the print and in a terminal paints the ground."""
    if tokens:
        place = replace(place, tokens=tokens, ground=tokens[0].owner, print="")
    mark, note = pointers.mark(place.id), pointers.notes.get(place.id, "")
    return replace(place, mark=mark, note=note, label=describe.place_name(place.id))


def _space(name: str, column: int, row: int) -> Cell:
    """An empty place of a line or of the floor; in a terminal grounds alternate to tell places apart."""
    return Cell(name, column, row, "space-odd" if column % 2 else "space", print=SPACE)


def _name(place: str, index: int) -> str:
    """The name of one of a place's cells; the first has that of the place."""
    return f"{place}.{index}" if index else place


# --- factories and centre -------------------------------------------------------------------------


def _factory_scale(count: int) -> float:
    room = (_WIDTH - 2 * _EDGE + _DISC_GAP) / max(1, count)
    return min(_LARGEST_DISC, (room - _DISC_GAP) / _DISC)


def _factories(factories: tuple[str, ...], pointers: _Pointers) -> Iterator[Area]:
    scale = _factory_scale(len(factories))
    step = _DISC * scale + _DISC_GAP
    start = (_WIDTH - (step * len(factories) - _DISC_GAP)) / 2
    rim = (_DISC - 2) / 2 * scale
    for number, tiles in enumerate(factories):
        yield _factory(number, tiles, start + step * number + rim, _EDGE + rim, scale, pointers)


def _factory(number: int, tiles: str, x: float, y: float, scale: float, pointers: _Pointers) -> Area:
    places = (Cell(_name(f"f{number}", i), i % 2, i // 2, "disc") for i in range(TILES_PER_FACTORY))
    more = len(tiles) - TILES_PER_FACTORY
    label = f"{number + 1} (+{more})" if more > 0 else str(number + 1)
    return Area(
        name=f"f{number}",
        columns=2,
        rows=2,
        cells=tuple(_cell(place, _tokens(tiles, i), pointers) for i, place in enumerate(places)),
        x=x,
        y=y,
        scale=scale,
        map=_DISC_MAP,
        margin=(_DISC - 2) / 2,
        captions=(Caption(label, 1, 1 + _DISC / 2 + 0.44 / scale, "middle", "faint", 0.42 / scale),),
    )


_DISC_MAP: Final = (
    Stroke(disc(100, 100, 151), fill="disc", line="disc-line", width=4),
    Stroke(disc(100, 100, 143), fill="none", line="disc-line", width=1.5, opacity=0.7),
)


def _center(position: Position, y: float, pointers: _Pointers) -> Area:
    columns, rows = _TRAYS.get(position.players, _TRAYS[4])
    tokens = _center_tokens(position, columns * rows)
    shown = range(max(1, len(tokens)))
    places = (Cell(_name("c", i), i % columns, i // columns, "tray") for i in shown)
    return Area(
        name="c",
        columns=columns,
        rows=rows,
        cells=tuple(_cell(place, tokens[i : i + 1], pointers) for i, place in enumerate(places)),
        x=(_WIDTH - columns) / 2,
        y=y,
        map=(Stroke(plate(-26, -26, columns * 100 + 26, rows * 100 + 26, 30), "tray", "board-line", 3),),
        margin=_TRAY_MARGIN,
        captions=(Caption("Centre", -0.45, 0.6, "end", "faint", 0.42),),
    )


def _center_tokens(position: Position, room: int) -> tuple[Token, ...]:
    token = MARKER_TOKEN if describe.marker_is_known(position) else _ASSUMED
    marker = (token,) if position.marker_in_center else ()
    if len(position.center) + len(marker) <= room:
        return marker + tuple(map(tile_token, in_order(position.center)))
    counts = ((colour, position.center.count(colour)) for colour in COLOURS)
    return marker + tuple(tile_token(colour, count) for colour, count in counts if count)


# --- boards ---------------------------------------------------------------------------------------


def _boards(position: Position, y: float, flip: bool, pointers: _Pointers) -> Iterator[Area]:
    order = list(range(position.players))
    if flip:
        order = order[1:] + order[:1]
    for index, player in enumerate(order):
        row, column = divmod(index, 2)
        left = _EDGE + column * (_BOARD_WIDTH + _GAP)
        if index == len(order) - 1 and column == 0:
            left = (_WIDTH - _BOARD_WIDTH) / 2
        yield _board(position, player, left, y + row * (_BOARD_HEIGHT + _GAP), pointers)


def _board(position: Position, player: int, x: float, y: float, pointers: _Pointers) -> Area:
    board = position.boards[player]
    cells = (
        *_lines(player, board.lines, pointers),
        *_wall(player, board.wall, pointers),
        *_floor(player, board, pointers),
        _cell(Cell(f"p{player}s", _COLUMNS - 1, -1, "board"), (), pointers),
    )
    return Area(
        name=f"p{player}",
        columns=_COLUMNS,
        rows=_ROWS,
        cells=cells,
        x=x + _LEFT,
        y=y + _HEAD,
        column_labels=_FLOOR_LABELS,
        row_labels=(*map(str, range(1, SIZE + 1)), "", "Floor"),
        label_size=0.34,
        map=tuple(_panel(_moves(position, player))),
        margin=max(_HEAD, _LEFT),
        captions=tuple(_headings(position, player, pointers)),
    )


def _moves(position: Position, player: int) -> bool:
    return position.phase == OFFER and position.current == player


def _lines(player: int, lines: Iterable[str], pointers: _Pointers) -> Iterator[Cell]:
    """The pattern lines, right-aligned; tiles too many for their line lie to the left of its places."""
    for row, tiles in enumerate(lines):
        for i in range(min(SIZE, max(row + 1, len(tiles)))):
            place = _space(_name(f"p{player}l{row}", i), SIZE - 1 - i, row)
            yield _cell(place, _tokens(tiles, i), pointers)


def _wall(player: int, wall: Iterable[str], pointers: _Pointers) -> Iterator[Cell]:
    for row, (tiles, colours) in enumerate(zip(wall, PRINTED, strict=True)):
        for column, printed in enumerate(colours):
            drawing = print_of(NAMES[printed])
            name, at = f"p{player}w{row}{column}", _WALL_AT + column
            place = Cell(name, at, row, drawing, blank=printed.lower(), print=drawing)
            yield _cell(place, _tokens(tiles, column), pointers)


def _floor(player: int, board: Board, pointers: _Pointers) -> Iterator[Cell]:
    for i in range(FLOOR_SPACES):
        tokens = (MARKER_TOKEN,) if board.floor[i : i + 1] == MARKER else _tokens(board.floor, i)
        yield _cell(_space(_name(f"p{player}f", i), i, _FLOOR_AT), tokens, pointers)
    if board.held:
        place = Cell(_name(f"p{player}f", FLOOR_SPACES), _HELD_AT, _FLOOR_AT, "board")
        yield _cell(place, (MARKER_TOKEN,), pointers)


def _headings(position: Position, player: int, pointers: _Pointers) -> Iterator[Caption]:
    """Who plays here and the score above the grid; who begins and what the floor cannot hold below it."""
    board = position.boards[player]
    right = _COLUMNS - 0.16
    moves = _moves(position, player)
    name = describe.player_name(player)
    words = f"{name} · to move" if moves else name
    yield Caption(words, 0.08, -0.4, role="turn" if moves else "text", size=0.52)
    role = pointers.marks.get(f"p{player}s", "text")
    yield Caption(f"Score {describe.number(board.score)}", right, -0.4, "end", role, 0.52)
    if describe.next_starter(position) == player:
        yield Caption("begins next round", right, SIZE + 0.6, "end", size=0.4)
    more = len(board.floor) - FLOOR_SPACES
    if more > 0:
        yield Caption(f"+{more} on the floor", right, _ROWS + 0.34, "end", size=0.4)


def _panel(moves: bool) -> Iterator[Stroke]:
    """The board under the places, with an arrow from each pattern line to its row of the wall."""
    edges = -_LEFT * 100, -_HEAD * 100, (_COLUMNS + _RIGHT) * 100, (_ROWS + _FOOT) * 100
    left, top, right, bottom = edges
    role, width = ("turn", 7) if moves else ("board-line", 3)
    yield Stroke(plate(left + 4, top + 4, right - 4, bottom - 4, 24), "board", role, width)
    arrows = "".join(
        f"M{SIZE * 100 + 38} {y - 13}L{SIZE * 100 + 62} {y}L{SIZE * 100 + 38} {y + 13}Z" for y in _MIDDLES
    )
    yield Stroke(arrows, "space-line", "none")


_MIDDLES: Final = range(50, SIZE * 100, 100)
