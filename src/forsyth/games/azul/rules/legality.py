"""Azul cells against the rules: yes or no, without a word and without the lock (spec/azul 8.3 and 8.4).

`is_sound` says whether the content has no error, `is_reachable` whether there is no warning either; `check`
says what is wrong with the others, and a property test holds that the two agree. Accepts what `kernel`
has filled: on walls, in lines and on floors cells can hold nothing but what may be there, and STRANGE says
where there was something else.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BAG,
        BOARD,
        BOARD_CELLS,
        CLASHES,
        COMPLETE,
        CURRENT,
        DISCARD,
        DISPLAY,
        EMPTY,
        FULL,
        IN_CENTER,
        IN_ENDED,
        IN_LINES,
        IN_OFFER,
        IN_TILING,
        MARKER_IN_CENTER,
        MARKERS,
        ON_FLOORS,
        PHASE,
        PLAYERS,
        ROUND,
        ROW_COMPLETE,
        SCORE,
        SEEN,
        SHORT,
        SPACES,
        START,
        STRANGE,
        WALL,
        Cells,
        Count,
    )
    from forsyth.games.azul.rules.scoring import COLOUR_BONUS, COLUMN_BONUS, ROW_BONUS
    from forsyth.games.azul.rules.walls import (
        TILES_IN,
        complete_colours,
        complete_columns,
        complete_rows,
        most_points,
    )
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, TILES_PER_COLOUR, TILES_PER_FACTORY


# --- content ----------------------------------------------------------------------------------------


def is_sound(cells: Cells) -> bool:
    """Whether the parts of a position fit each other."""
    colour: Count
    phase: Count = cells[PHASE]
    opened: Count = phase <= IN_TILING
    if cells[STRANGE] or cells[CLASHES]:
        return False
    if not cells[COMPLETE]:
        for colour in range(SIZE):
            if cells[SEEN + colour] > TILES_PER_COLOUR:
                return False
        return cells[SHORT] == 0
    for colour in range(SIZE):
        if cells[SEEN + colour] + cells[BAG + colour] + cells[DISCARD + colour] != TILES_PER_COLOUR:
            return False
    if cells[MARKERS] != opened or (cells[DISPLAY] > 0) != (phase == IN_OFFER):
        return False
    if not opened and (cells[FULL] or cells[ON_FLOORS]):
        return False
    if phase == IN_ENDED and not cells[ROW_COMPLETE] and has_reserve(cells, False):
        return False
    if cells[SHORT] == 0:
        return True
    return cells[SHORT] == 1 and cells[PLAYERS] > 2 and not has_reserve(cells, True)


def has_reserve(cells: Cells, bag_only: bool) -> bool:
    """Whether there are tiles in the bag, or in the discard."""
    found: Count = 0
    colour: Count
    for colour in range(SIZE):
        found += cells[BAG + colour]
        if not bag_only:
            found += cells[DISCARD + colour]
    return found > 0


# --- reachability -----------------------------------------------------------------------------------


def is_reachable(cells: Cells) -> bool:
    """Whether nothing speaks against a game that leads to a sound position."""
    pending: bool = is_pending(cells)
    if cells[IN_CENTER] > (TILES_PER_FACTORY - 1) * cells[EMPTY]:
        return False
    if not _round_fits(cells, pending) or not _walls_fit(cells, pending) or not _scores_fit(cells):
        return False
    if cells[ROW_COMPLETE]:
        if cells[DISPLAY] or cells[FULL] or cells[ON_FLOORS] or (cells[COMPLETE] and pending):
            return False
    if cells[COMPLETE] and cells[PHASE] == IN_OFFER and cells[EMPTY] == 0:
        return cells[MARKER_IN_CENTER] == 1 and cells[CURRENT] == cells[START]
    return True


def is_pending(cells: Cells) -> bool:
    """Whether the round is still to be tiled."""
    if cells[COMPLETE]:
        return cells[PHASE] <= IN_TILING
    return cells[DISPLAY] > 0 or cells[FULL] > 0 or cells[ON_FLOORS] > 0


def _round_fits(cells: Cells, pending: bool) -> bool:
    """Whether as many tiles are in play as the round has dealt."""
    dealt: Count = TILES_PER_FACTORY * (2 * cells[PLAYERS] + 1)
    seen: Count = cells[DISPLAY] + cells[ON_FLOORS]
    if cells[ROUND] > 1 or not pending:
        return seen + cells[FULL] <= dealt
    seen += cells[IN_LINES]
    return seen == dealt or (seen < dealt and has_full_floor(cells))


def has_full_floor(cells: Cells) -> bool:
    """Whether tiles may have left the table; a standard text hides a marker on the floor."""
    player: Count
    least: Count = FLOOR_SPACES if cells[COMPLETE] else FLOOR_SPACES - 1
    found: Count = 0
    for player in range(cells[PLAYERS]):
        found |= cells[BOARD + BOARD_CELLS * player + SPACES] >= least
    return found != 0


def _walls_fit(cells: Cells, pending: bool) -> bool:
    """Whether the rounds so far can have filled the walls, row by row and all together."""
    finished: Count = cells[ROUND] - 1 if pending else cells[ROUND]
    dealt: Count = TILES_PER_FACTORY * (2 * cells[PLAYERS] + 1)
    drafted: Count = cells[IN_LINES] + cells[ON_FLOORS] + cells[DISPLAY]
    player: Count
    row: Count
    tiles: Count
    most: Count = 0
    for player in range(cells[PLAYERS]):
        for row in range(SIZE):
            tiles = TILES_IN[cells[BOARD + BOARD_CELLS * player + WALL + row]]
            most = tiles if tiles > most else most
            drafted += tiles * (row + 1)
    return most <= finished and drafted <= dealt * cells[ROUND]


def _scores_fit(cells: Cells) -> bool:
    """Whether each wall can have earned its score."""
    player: Count
    at: Count
    most: Count
    over: Count = cells[PHASE] == IN_ENDED if cells[COMPLETE] else cells[ROW_COMPLETE]
    for player in range(cells[PLAYERS]):
        at = BOARD + BOARD_CELLS * player
        if cells[at + SCORE] > 0:
            most = most_points(cells, at + WALL)
            if over:
                most += bonus_points(cells, at)
            if cells[at + SCORE] > most:
                return False
    return True


def bonus_points(cells: Cells, at: Count) -> Count:
    """What the wall of the board at a place brings at the end."""
    return (
        ROW_BONUS * complete_rows(cells, at + WALL)
        + COLUMN_BONUS * complete_columns(cells, at + WALL)
        + COLOUR_BONUS * complete_colours(cells, at + WALL)
    )
