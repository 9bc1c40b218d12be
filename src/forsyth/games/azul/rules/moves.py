"""The factory offer of Azul: the legal moves, and the effect of a move (spec/azul 1.5 and 3).

A move is its text, ``<source><colour><destination>``: a factory ``0`` to ``8`` or the centre ``c``, a colour,
and a pattern line ``0`` to ``4`` or the floor ``f``. A move takes all tiles of the colour from the source. It
never runs the tiling: after the last move of a round the phase is ``t``. Lists of moves are in canonical
order: factories before the centre, then by colour, then lines before the floor.
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
from forsyth.games.azul.tiles import COLOURS, MARKER, ROW_MASKS, Counts, factory_count
from forsyth.limits import GIL_RELEASE_DEPTH

if not cython.compiled:
    from forsyth.games.azul.position import (
        UNKNOWN,
        cache_open_lines,
        copy_board,
        copy_position,
        seal_board,
        seal_position,
    )
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, list_colours, sort_tiles

    Count = int
    Tuple = tuple[Any, ...]
    _CENTER_SOURCE: Final = 9
    _FLOOR_DESTINATION: Final = 5
    _LINE_SET: Final = 31
    """Mask of the bits of one colour in the result of `find_open_lines`."""

    def select_lines_of_colour(line_bits: int, colour: int) -> int:
        """Return the pattern lines that one colour may go to, as a bit set with bit i for line i.

        `line_bits` has such a bit set for each colour (see `find_open_lines`). `colour` is an index in
        `COLOURS`.
        """
        return (line_bits >> (SIZE * colour)) & _LINE_SET

    def replace_item(values: Tuple, index: int, value: object) -> Tuple:
        """Return a copy of a tuple with `value` at `index`."""
        items = list(values)
        items[index] = value
        return tuple(items)


CENTER: Final = "c"
FLOOR: Final = "f"
MOVE_PATTERN: Final = r"[0-8c][BYRKW][0-4f]"
"""Regular expression of a move text."""

_MOVE_REGEX: Final = re.compile(MOVE_PATTERN)
_SOURCES: Final = "012345678c"
_DESTINATIONS: Final = "01234f"


def _list_moves_of_colour(source: str, colour: str, line_bits: int) -> tuple[str, ...]:
    """Return the moves of one colour from `source`, such as ``0B2``, to some lines and to the floor.

    Bit i of `line_bits` is set if the tiles may go to line i.
    """
    moves = []
    for line, destination in enumerate(_DESTINATIONS):
        is_open_line = (line_bits >> line) & 1
        if is_open_line or destination == FLOOR:
            moves.append(f"{source}{colour}{destination}")
    return tuple(moves)


_MOVES: Final = tuple(
    tuple(
        tuple(_list_moves_of_colour(source, colour, line_bits) for line_bits in range(1 << SIZE))
        for colour in COLOURS
    )
    for source in _SOURCES
)
"""The moves, indexed by source, colour and bit set of open lines."""
_PARSED_MOVES: Final = {
    f"{source}{colour}{destination}": (_SOURCES.index(source), colour, _DESTINATIONS.index(destination))
    for source in _SOURCES
    for colour in COLOURS
    for destination in _DESTINATIONS
}
"""For each move text: the number of the source, the colour, and the number of the destination."""


def _make_line_bit(colour_index: int, line: int) -> int:
    """Return the number whose only bit means that a colour may go to a pattern line.

    The bits of a colour follow those of the colour before it: bit 7 is yellow (index 1) and line 2.
    """
    return 1 << (SIZE * colour_index + line)


def _find_startable_colours(line: int, row: str) -> int:
    """Return the colours that may begin an empty pattern line: those that its wall row lacks.

    `row` is the text of the wall row, such as ``B-R--``. The colours are returned as a bit set: the sum of
    their bits for this line (see `_make_line_bit`).
    """
    return sum([_make_line_bit(index, line) for index, colour in enumerate(COLOURS) if colour not in row])


_STARTABLE_BITS: Final = tuple(
    {row: _find_startable_colours(line, row) for row in rows} for line, rows in enumerate(ROW_MASKS)
)
"""For each line: the result of `_find_startable_colours` by wall row."""
_COLOUR_BITS: Final = {colour: _make_line_bit(index, 0) for index, colour in enumerate(COLOURS)}
"""For each colour: the bit of line 0 in the result of `find_open_lines`."""
_ALL_COLOUR_BITS: Final = sum(_COLOUR_BITS.values())
"""The bits of line 0 for all colours, in the result of `find_open_lines`."""


def find_open_lines(board: Board) -> Count:
    """Return the pattern lines that each colour may go to, as a bit set (spec/azul 1.5).

    Each colour has five bits, one per line, and the bits of blue are the lowest. So bit 7 is set if yellow
    tiles may go to line 2. The board caches the result.
    """
    line_bits: Count = board.open_line_bits
    line: Count
    tiles: str
    row: str
    if line_bits != UNKNOWN:
        return line_bits
    line_bits = 0
    for line in range(SIZE):
        tiles = board.lines[line]
        row = board.wall[line]
        if not tiles:
            startable = _STARTABLE_BITS[line].get(row)
            line_bits |= _find_startable_colours(line, row) if startable is None else startable
        elif len(tiles) <= line and tiles[0] not in row:
            line_bits |= _COLOUR_BITS[tiles[0]] << line
    cache_open_lines(board, line_bits)
    return line_bits


def legal_moves(position: Position) -> list[str]:
    """Return every legal move such as ``0B2``, ordered by source, then colour, then destination.

    The list is empty unless the phase is `OFFER`, in which tiles are taken from factories and centre.
    """
    moves: list[str] = []
    if position.phase != OFFER:
        return moves
    line_bits: Count = find_open_lines(position.boards[position.current])
    source: Count
    colour: Count
    tiles: str
    moves_by_colour: Tuple
    colours_present: Tuple
    for source in range(len(position.factories)):
        tiles = position.factories[source]
        if tiles:
            moves_by_colour = _MOVES[source]
            colours_present = list_colours(tiles)
            for colour in colours_present:
                moves.extend(moves_by_colour[colour][select_lines_of_colour(line_bits, colour)])

    tiles = position.center
    if tiles:
        moves_by_colour = _MOVES[_CENTER_SOURCE]
        colours_present = list_colours(tiles)
        for colour in colours_present:
            moves.extend(moves_by_colour[colour][select_lines_of_colour(line_bits, colour)])
    return moves


def read_move(position: Position, text: Text) -> str:
    """Return the legal move that `text` names, such as ``0B2``, as a plain string.

    Raise `MoveError` if `text` is not a move or the move is not legal. If it is not legal, the error lists
    the legal moves of the same tiles.
    """
    if not isinstance(text, str) or not _MOVE_REGEX.fullmatch(text):
        message = (
            f"{quoted(text)} is not a move, expected a source, a colour and a destination such as 0B2 or cRf"
        )
        raise MoveError("invalid", text if isinstance(text, str) else quoted(text), message)
    # Instances of subclasses of `str` become plain strings.
    text = str.__str__(text)
    reason = find_illegality(position, text)
    if reason:
        source_and_colour = text[:2]
        candidates = [move for move in legal_moves(position) if move.startswith(source_and_colour)]
        raise MoveError("illegal", text, f"{text} is not legal: {reason}", candidates)
    return text


def find_illegality(position: Position, move: str) -> str:
    """Return the reason why a well-formed move such as ``0B2`` is not legal, such as ``line 2 is full``.

    Return an empty string if the move is legal.
    """
    source = move[0]
    colour = move[1]
    destination = move[2]
    if position.phase != OFFER:
        return "no tiles are on display"
    if source == CENTER:
        if colour not in position.center:
            return f"there is no {colour} in the centre"
    elif int(source) >= len(position.factories):
        return f"there are factories 0 to {factory_count(position.players) - 1}"
    elif colour not in position.factories[int(source)]:
        return f"there is no {colour} on factory {source}"
    if destination == FLOOR:
        return ""
    return _find_line_obstacle(position.boards[position.current], colour, int(destination))


def _find_line_obstacle(board: Board, colour: str, line: int) -> str:
    """Return the reason why tiles of a colour cannot go to a pattern line, such as ``line 2 is full``.

    Return an empty string if they can.
    """
    line_tiles = board.lines[line]
    capacity = line + 1
    if len(line_tiles) >= capacity:
        return f"line {line} is full"
    if line_tiles and line_tiles[0] != colour:
        return f"line {line} holds {line_tiles[0]}"
    if colour in board.wall[line]:
        return f"{colour} is already on wall row {line}"
    return ""


def apply_move(position: Position, move: Text) -> Position:
    """Return the position after a legal move such as ``0B2``. Its legality is not checked.

    After the last move of a round the phase is `TILING`. The tiling itself is another step.
    """
    move_parts: Tuple = _PARSED_MOVES[move]
    source: Count = move_parts[0]
    colour: str = move_parts[1]
    destination: Count = move_parts[2]
    after = copy_position(position)
    center: str = position.center
    takes_marker = False
    taken_count: Count
    if source == _CENTER_SOURCE:
        taken_count = center.count(colour)
        center = center.replace(colour, "")
        takes_marker = position.marker_in_center
        after.marker_in_center = False
    else:
        # The tiles of the other colours move from the factory to the centre.
        factory_tiles: str = position.factories[source]
        taken_count = factory_tiles.count(colour)
        if taken_count < len(factory_tiles):
            center += factory_tiles.replace(colour, "")
        after.factories = replace_item(position.factories, source, "")
    after.center = sort_tiles(center)
    _place_tiles(position, after, colour, taken_count, destination, takes_marker)

    after.current = position.current + 1 if position.current + 1 < len(position.boards) else 0
    if not center and not any(after.factories):
        after.phase = TILING
    return seal_position(after)


def _place_tiles(
    position: Position,
    after: Position,
    colour: str,
    taken_count: Count,
    destination: Count,
    takes_marker: bool,
) -> None:
    """Put tiles on the board of the player who has taken them: first on the line, the rest on the floor.

    Tiles that do not fit on the floor go to the discard. `after` gets the new board and the new discard.

    Args:
        position: The position before the move.
        after: The position after the move, still under construction.
        colour: The colour of the tiles.
        taken_count: The number of tiles.
        destination: The number of the pattern line, or `_FLOOR_DESTINATION`.
        takes_marker: True if the player also takes the first-player marker.
    """
    board = copy_board(position.boards[position.current])
    floor: str = board.floor
    surplus: Count = taken_count
    if destination != _FLOOR_DESTINATION:
        old_tiles: str = board.lines[destination]
        added_count: Count = min(destination + 1 - len(old_tiles), surplus)
        surplus -= added_count
        board.lines = replace_item(board.lines, destination, old_tiles + colour * added_count)
        # Only this line has changed, so the cached set of open lines is updated, not computed again.
        if board.open_line_bits != UNKNOWN:
            board.open_line_bits &= ~(_ALL_COLOUR_BITS << destination)
            if len(old_tiles) + added_count <= destination:
                board.open_line_bits |= _COLOUR_BITS[colour] << destination

    if takes_marker and len(floor) < FLOOR_SPACES:
        floor += MARKER
    elif takes_marker:
        board.held = True

    if surplus:
        floor_count: Count = max(0, min(FLOOR_SPACES - len(floor), surplus))
        floor += colour * floor_count
        if surplus > floor_count:
            after.discard = _add_count(position.discard, COLOURS.index(colour), surplus - floor_count)
    board.floor = floor
    after.boards = replace_item(position.boards, position.current, seal_board(board))


def _add_count(counts: Counts, colour_index: Count, added_count: Count) -> Counts:
    """Return a copy of `counts` with `added_count` more tiles of one colour.

    `counts` has a number of tiles for each colour, and `colour_index` is the index of the colour.
    """
    return (*counts[:colour_index], counts[colour_index] + added_count, *counts[colour_index + 1 :])


def count_move_sequences(position: Position, depth: Count) -> int:
    """Return the number of sequences of exactly `depth` legal moves that stay within the round.

    For a depth of 0 the result is 1, the empty sequence.
    """
    if depth == 0:
        return 1
    moves = legal_moves(position)
    if depth <= 1:
        return len(moves)
    if depth >= GIL_RELEASE_DEPTH:
        # Positions are Python objects and need the GIL. Releasing it for a moment lets other threads run.
        with cython.nogil:
            pass
    return sum([count_move_sequences(apply_move(position, move), depth - 1) for move in moves])
