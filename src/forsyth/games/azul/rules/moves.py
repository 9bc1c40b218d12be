"""The factory offer of Azul: which moves there are, and what a move does (spec/azul 1.5 and 3).

A move is its text, ``<source><colour><destination>``: a factory ``0`` to ``8`` or the centre ``c``; a colour;
a pattern line ``0`` to ``4`` or the floor ``f``. All tiles of the colour are taken. A move never runs the
tiling: behind the last one the phase is ``t``. Lists of moves are in canonical order: factories, then the
centre; within a source by colour; lines, then the floor.
"""

from __future__ import annotations

import re
from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import quoted
from forsyth.diagnostics import MoveError
from forsyth.games.azul.notation.kernel import Text
from forsyth.games.azul.position import OFFER, TILING, Board, Position
from forsyth.games.azul.tiles import COLOURS, MARKER, ROWS, Counts, factory_count
from forsyth.limits import BREATH

if not cython.compiled:
    from forsyth.games.azul.position import (
        UNKNOWN,
        copy_of,
        copy_of_board,
        remember_open,
        seal,
        seal_board,
    )
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, in_order, present_in

    Count = int
    Tuple = tuple[Any, ...]
    _CENTER_SOURCE: Final = 9
    _FLOOR_PLACE: Final = 5

    def with_item(values: Tuple, place: int, value: object) -> Tuple:
        """The same values with another one at a place."""
        changed = list(values)
        changed[place] = value
        return tuple(changed)


CENTER: Final = "c"
FLOOR: Final = "f"
MOVE: Final = r"[0-8c][BYRKW][0-4f]"

_MOVE: Final = re.compile(MOVE)
_SOURCES: Final = "012345678c"
_DESTINATIONS: Final = "01234f"


def _moves_to(source: str, colour: str, lines: int) -> tuple[str, ...]:
    """The moves of one take to a set of pattern lines, given as bits, and to the floor."""
    return tuple(
        f"{source}{colour}{place}"
        for number, place in enumerate(_DESTINATIONS)
        if place == FLOOR or lines >> number & 1
    )


_TAKES: Final = tuple(
    tuple(tuple(_moves_to(source, colour, lines) for lines in range(1 << SIZE)) for colour in COLOURS)
    for source in _SOURCES
)
"""By source, colour and set of open lines: the moves there are."""
_PARSED: Final = {
    f"{source}{colour}{place}": (_SOURCES.index(source), colour, _DESTINATIONS.index(place))
    for source in _SOURCES
    for colour in COLOURS
    for place in _DESTINATIONS
}
"""Every move text: the numbers of source and destination, and the colour."""


def _open_to(line: int, row: str) -> int:
    """Which colours may begin a line, as the bit of the line in the five bits of each colour."""
    return sum([1 << SIZE * number + line for number, colour in enumerate(COLOURS) if colour not in row])


_OPEN: Final = tuple({row: _open_to(line, row) for row in rows} for line, rows in enumerate(ROWS))
_LINE_BIT: Final = {colour: 1 << SIZE * number for number, colour in enumerate(COLOURS)}
_ANY_COLOUR: Final = sum(_LINE_BIT.values())


def open_lines(board: Board) -> Count:
    """The pattern lines each colour may go to, five bits for each colour, blue lowest (spec/azul 1.5)."""
    found: Count = board.open
    line: Count
    tiles: str
    row: str
    if found != UNKNOWN:
        return found
    found = 0
    for line in range(SIZE):
        tiles = board.lines[line]
        row = board.wall[line]
        if not tiles:
            bits = _OPEN[line].get(row)
            found |= _open_to(line, row) if bits is None else bits
        elif len(tiles) <= line and tiles[0] not in row:
            found |= _LINE_BIT[tiles[0]] << line
    remember_open(board, found)
    return found


def legal_moves(position: Position) -> list[str]:
    """Every legal move in canonical order; none while no tile is on display."""
    moves: list[str] = []
    if position.phase != OFFER:
        return moves
    lines: Count = open_lines(position.boards[position.current])
    source: Count
    number: Count
    tiles: str
    takes: Tuple
    present: Tuple
    for source in range(len(position.factories)):
        tiles = position.factories[source]
        if tiles:
            takes = _TAKES[source]
            present = present_in(tiles)
            for number in present:
                moves.extend(takes[number][lines >> SIZE * number & 31])
    tiles = position.center
    if tiles:
        takes = _TAKES[_CENTER_SOURCE]
        present = present_in(tiles)
        for number in present:
            moves.extend(takes[number][lines >> SIZE * number & 31])
    return moves


def read_move(position: Position, text: Text) -> str:
    """The legal move a text names; raises `MoveError`."""
    if not isinstance(text, str) or not _MOVE.fullmatch(text):
        message = (
            f"{quoted(text)} is not a move, expected a source, a colour and a destination such as 0B2 or cRf"
        )
        raise MoveError("invalid", text if isinstance(text, str) else quoted(text), message)
    text = str.__str__(text)
    reason = why_illegal(position, text)
    if reason:
        same = [move for move in legal_moves(position) if move[:2] == text[:2]]
        raise MoveError("illegal", text, f"{text} is not legal: {reason}", same)
    return text


def why_illegal(position: Position, move: str) -> str:
    """What forbids a move of the right shape; nothing if it is legal."""
    source, colour, place = move[0], move[1], move[2]
    if position.phase != OFFER:
        return "no tiles are on display"
    if source != CENTER and int(source) >= len(position.factories):
        return f"there are factories 0 to {factory_count(position.players) - 1}"
    if colour not in (position.center if source == CENTER else position.factories[int(source)]):
        where = "in the centre" if source == CENTER else f"on factory {source}"
        return f"there is no {colour} {where}"
    if place == FLOOR:
        return ""
    line = int(place)
    board = position.boards[position.current]
    tiles = board.lines[line]
    if len(tiles) > line:
        return f"line {line} is full"
    if tiles and tiles[0] != colour:
        return f"line {line} holds {tiles[0]}"
    return f"{colour} is already on wall row {line}" if colour in board.wall[line] else ""


def apply_move(position: Position, move: Text) -> Position:
    """The position after a legal move."""
    parsed: Tuple = _PARSED[move]
    source: Count = parsed[0]
    colour: str = parsed[1]
    after = copy_of(position)
    center: str = position.center
    marker = False
    taken: Count
    if source == _CENTER_SOURCE:
        taken = center.count(colour)
        center = center.replace(colour, "")
        marker = position.marker_in_center
        after.marker_in_center = False
    else:
        tiles: str = position.factories[source]
        taken = tiles.count(colour)
        if taken < len(tiles):
            center += tiles.replace(colour, "")
        after.factories = with_item(position.factories, source, "")
    after.center = in_order(center)
    _place(position, after, colour, taken, parsed[2], marker)
    after.current = position.current + 1 if position.current + 1 < len(position.boards) else 0
    if not center and not any(after.factories):
        after.phase = TILING
    return seal(after)


def _place(
    position: Position, after: Position, colour: str, taken: Count, place: Count, marker: bool
) -> None:
    """Put the tiles on the mover's board; what finds no room goes to the discard."""
    mine = copy_of_board(position.boards[position.current])
    floor: str = mine.floor
    over: Count = taken
    if place != _FLOOR_PLACE:
        tiles: str = mine.lines[place]
        put: Count = min(place + 1 - len(tiles), over)
        over -= put
        mine.lines = with_item(mine.lines, place, tiles + colour * put)
        if mine.open != UNKNOWN:
            mine.open &= ~(_ANY_COLOUR << place)
            if len(tiles) + put <= place:
                mine.open |= _LINE_BIT[colour] << place
    if marker and len(floor) < FLOOR_SPACES:
        floor += MARKER
    elif marker:
        mine.held = True
    if over:
        free: Count = max(0, min(FLOOR_SPACES - len(floor), over))
        floor += colour * free
        if over > free:
            after.discard = _with_more(position.discard, COLOURS.index(colour), over - free)
    mine.floor = floor
    after.boards = with_item(position.boards, position.current, seal_board(mine))


def _with_more(counts: Counts, number: Count, more: Count) -> Counts:
    return (*counts[:number], counts[number] + more, *counts[number + 1 :])


def count_lines(position: Position, depth: Count) -> int:
    """How many sequences of so many moves there are; a round that ends earlier has none."""
    moves = legal_moves(position)
    if depth <= 1:
        return len(moves) if depth else 1
    if depth >= BREATH:
        # Positions are Python's, so the GIL is needed; here other threads get their turn.
        with cython.nogil:
            pass
    return sum([count_lines(apply_move(position, move), depth - 1) for move in moves])
