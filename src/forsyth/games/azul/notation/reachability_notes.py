"""What no game leads to in Azul cells: the first finding, its place, and how many there are (spec/azul 8.4).

It is what `check` says of the same text, in the same order, without a word and without the lock, for columns.
A property test holds that the two agree. Accepts sound cells that `scanner` has filled, and the text they
were read from.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BOARD,
        BOARD_CELLS,
        COMPLETE,
        CURRENT,
        DISPLAY,
        EMPTY,
        FULL,
        IN_CENTER,
        IN_ENDED,
        IN_LINES,
        IN_OFFER,
        MARKER_IN_CENTER,
        ON_FLOORS,
        PHASE,
        PLAYERS,
        ROUND,
        ROW_COMPLETE,
        SCORE,
        START,
        WALL,
        Cells,
        Count,
    )
    from forsyth.games.azul.notation.notes import (
        AFTER_END,
        CENTER_OVERFULL,
        CENTER_SQUARE,
        DRAFT_SUPPLY,
        MARKER_EARLY,
        MISSING_TILES,
        NO_PART,
        NO_SQUARE,
        ROUND_TILES,
        SCORE_SQUARE,
        SCORE_WALL,
        TURN_ORDER,
        WALL_ROUND,
        WHOLE_TEXT,
        Note,
        add_note,
        after_boards,
        first_component,
    )
    from forsyth.games.azul.notation.scanner import Chars, Size
    from forsyth.games.azul.rules.legality import has_full_floor, is_pending, sum_bonus_points
    from forsyth.games.azul.rules.walls import TILE_COUNTS, max_wall_points
    from forsyth.games.azul.tiles import SIZE, TILES_PER_FACTORY


def note_reachability(cells: Cells, s: Chars, end: Size, note: Note) -> None:
    """What no game leads to."""
    pending: bool = is_pending(cells)
    drafted: Count
    note[0] = 0
    if cells[IN_CENTER] > (TILES_PER_FACTORY - 1) * cells[EMPTY]:
        add_note(note, CENTER_OVERFULL, s, end, first_component(cells) + 1, NO_PART, CENTER_SQUARE)
    _note_round(cells, s, end, pending, note)
    drafted = _note_boards(cells, s, end, pending, note)
    if drafted > TILES_PER_FACTORY * (2 * cells[PLAYERS] + 1) * cells[ROUND]:
        add_note(note, DRAFT_SUPPLY, s, end, after_boards(cells) + 1, NO_PART, NO_SQUARE)
    if cells[ROW_COMPLETE]:
        if cells[DISPLAY] or cells[FULL] or cells[ON_FLOORS] or (cells[COMPLETE] and pending):
            _note_end(cells, s, end, note)
    if cells[COMPLETE] and cells[PHASE] == IN_OFFER and cells[EMPTY] == 0:
        if not cells[MARKER_IN_CENTER]:
            add_note(note, MARKER_EARLY, s, end, first_component(cells) + 1, NO_PART, CENTER_SQUARE)
        if cells[CURRENT] != cells[START]:
            add_note(note, TURN_ORDER, s, end, after_boards(cells) + 2, NO_PART, NO_SQUARE)


def _note_round(cells: Cells, s: Chars, end: Size, pending: bool, note: Note) -> None:
    dealt: Count = TILES_PER_FACTORY * (2 * cells[PLAYERS] + 1)
    first: bool = cells[ROUND] == 1 and pending
    seen: Count = cells[DISPLAY] + cells[ON_FLOORS] + (cells[IN_LINES] if first else cells[FULL])
    if seen > dealt:
        add_note(note, ROUND_TILES, s, end, WHOLE_TEXT, NO_PART, NO_SQUARE)
    if first and seen < dealt and not has_full_floor(cells):
        add_note(note, MISSING_TILES, s, end, WHOLE_TEXT, NO_PART, NO_SQUARE)


def _note_boards(cells: Cells, s: Chars, end: Size, pending: bool, note: Note) -> Count:
    """Rows and scores that came too soon; how many tiles were drafted."""
    finished: Count = cells[ROUND] - 1 if pending else cells[ROUND]
    over: Count = cells[PHASE] == IN_ENDED if cells[COMPLETE] else cells[ROW_COMPLETE]
    drafted: Count = cells[IN_LINES] + cells[ON_FLOORS] + cells[DISPLAY]
    player: Count
    row: Count
    at: Count
    tiles: Count
    most: Count
    for player in range(cells[PLAYERS]):
        at = BOARD + BOARD_CELLS * player
        for row in range(SIZE):
            tiles = TILE_COUNTS[cells[at + WALL + row]]
            drafted += tiles * (row + 1)
            if tiles > finished:
                add_note(note, WALL_ROUND, s, end, first_component(cells) + 2 + 3 * player, row, NO_SQUARE)
        if cells[at + SCORE] > 0:
            most = max_wall_points(cells, at + WALL)
            if over:
                most += sum_bonus_points(cells, at)
            if cells[at + SCORE] > most:
                add_note(note, SCORE_WALL, s, end, after_boards(cells), player, SCORE_SQUARE + player)
    return drafted


def _note_end(cells: Cells, s: Chars, end: Size, note: Note) -> None:
    """Play goes on, though a row is complete: the finding is at the first such row."""
    player: Count
    row: Count
    for player in range(cells[PLAYERS]):
        for row in range(SIZE):
            if cells[BOARD + BOARD_CELLS * player + WALL + row] == 31:
                add_note(note, AFTER_END, s, end, first_component(cells) + 2 + 3 * player, row, NO_SQUARE)
                return
