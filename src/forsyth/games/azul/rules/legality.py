"""The check of cells against the rules, without messages and without the GIL (spec/azul 8.3 and 8.4).

`is_sound` returns whether the content has no error, `is_reachable` whether there is no warning either.
`check` returns the errors and warnings of a position. A property test compares the two. The cells must be
filled by `scanner` or `cells`. Values that cells cannot hold are marked in STRANGE.
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
        TILE_COUNTS,
        count_complete_colours,
        count_complete_columns,
        count_complete_rows,
        max_wall_points,
    )
    from forsyth.games.azul.tiles import (
        FLOOR_SPACES,
        SIZE,
        TILES_PER_COLOUR,
        TILES_PER_FACTORY,
        count_factories,
    )

    def get_board_index(player: int) -> int:
        """Return the index in the cells of a position at which the numbers of a player's board begin."""
        return BOARD + BOARD_CELLS * player

    def count_dealt_tiles(cells: Cells) -> int:
        """Return the number of tiles that one round deals: four for each factory."""
        return TILES_PER_FACTORY * count_factories(cells[PLAYERS])


# --- content ----------------------------------------------------------------------------------------


def is_sound(cells: Cells) -> bool:
    """Return True if the content of a position has no error, such as a wrong number of tiles.

    `cells` holds the position as numbers, at indices such as `PHASE` and `BAG`. Some of the numbers are
    counts:

    * STRANGE: boards and scores that numbers cannot hold.
    * CLASHES: lines whose colour is on their wall row already.
    * SEEN: the tiles of each colour outside the bag and the discard.
    * SHORT: factories with one to three tiles.

    If the position is not complete, the marker, the phase, the bag and the discard are not checked.
    """
    colour: Count
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
    if not _is_possible_phase(cells):
        return False
    # With three or four players one factory may be short, once the bag is empty.
    if cells[SHORT] == 0:
        return True
    return cells[SHORT] == 1 and cells[PLAYERS] > 2 and not has_undealt_tiles(cells, True)


def _is_possible_phase(cells: Cells) -> bool:
    """Return True if the markers and tiles of a complete position fit its phase.

    There is one marker until the tiling, and none after it. Only in the offer, tiles are on display. After
    the tiling no line is full and the floors are empty. The game ends with a complete row, or when no tiles
    are left to deal.
    """
    phase: Count = cells[PHASE]
    is_untiled: Count = phase <= IN_TILING
    if cells[MARKERS] != is_untiled:
        return False
    if (cells[DISPLAY] > 0) != (phase == IN_OFFER):
        return False
    if not is_untiled and (cells[FULL] or cells[ON_FLOORS]):
        return False
    return phase != IN_ENDED or cells[ROW_COMPLETE] > 0 or not has_undealt_tiles(cells, False)


def has_undealt_tiles(cells: Cells, bag_only: bool) -> bool:
    """Return True if the bag holds tiles, or also if the discard holds tiles unless `bag_only` is true."""
    count: Count = 0
    colour: Count
    for colour in range(SIZE):
        count += cells[BAG + colour]
        if not bag_only:
            count += cells[DISCARD + colour]
    return count > 0


# --- reachability -----------------------------------------------------------------------------------


def is_reachable(cells: Cells) -> bool:
    """Return True if a game may reach the position: nothing in it contradicts the rounds played so far.

    The position must have no error of content, such as a wrong number of tiles (see `is_sound`). The rules
    are those of spec/azul 8.4.
    """
    pending: bool = is_pending(cells)
    # An emptied factory sends at most three tiles to the centre.
    if cells[IN_CENTER] > (TILES_PER_FACTORY - 1) * cells[EMPTY]:
        return False
    if not _is_possible_round(cells, pending) or not _are_possible_walls(cells, pending):
        return False
    if not _are_possible_scores(cells):
        return False
    # The game ends after the round in which a row is completed.
    if cells[ROW_COMPLETE]:
        if cells[DISPLAY] or cells[FULL] or cells[ON_FLOORS] or (cells[COMPLETE] and pending):
            return False
    # Before the first move of a round, the marker is in the centre, and the starting player is to move.
    if cells[COMPLETE] and cells[PHASE] == IN_OFFER and cells[EMPTY] == 0:
        return cells[MARKER_IN_CENTER] == 1 and cells[CURRENT] == cells[START]
    return True


def is_pending(cells: Cells) -> bool:
    """Return True if the tiles of this round have not been moved to the walls yet."""
    if cells[COMPLETE]:
        return cells[PHASE] <= IN_TILING
    return cells[DISPLAY] > 0 or cells[FULL] > 0 or cells[ON_FLOORS] > 0


def _is_possible_round(cells: Cells, pending: bool) -> bool:
    """Return True if the number of tiles in play fits the number that one round deals.

    In the first round, all dealt tiles must be in play unless a floor line is full. `pending` is True if the
    tiles of this round have not been moved to the walls yet.
    """
    dealt: Count = count_dealt_tiles(cells)
    in_play: Count = cells[DISPLAY] + cells[ON_FLOORS]
    if cells[ROUND] > 1 or not pending:
        # A full line received at least one tile in this round.
        return in_play + cells[FULL] <= dealt
    in_play += cells[IN_LINES]
    return in_play == dealt or (in_play < dealt and has_full_floor(cells))


def has_full_floor(cells: Cells) -> bool:
    """Return True if a floor line is full, so that tiles can have gone to the discard.

    A standard text does not contain the marker, so there one space less counts as full.
    """
    player: Count
    full_spaces: Count = FLOOR_SPACES if cells[COMPLETE] else FLOOR_SPACES - 1
    has_full: Count = 0
    for player in range(cells[PLAYERS]):
        has_full |= cells[get_board_index(player) + SPACES] >= full_spaces
    return has_full != 0


def _are_possible_walls(cells: Cells, pending: bool) -> bool:
    """Return True if the rounds so far can have filled the walls.

    A round adds at most one tile to a row, and deals a fixed number of tiles. `pending` is True if the tiles
    of this round have not been moved to the walls yet.
    """
    finished_rounds: Count = cells[ROUND] - 1 if pending else cells[ROUND]
    drafted: Count = cells[IN_LINES] + cells[ON_FLOORS] + cells[DISPLAY]
    player: Count
    row: Count
    tiles: Count
    fullest_row: Count = 0
    for player in range(cells[PLAYERS]):
        for row in range(SIZE):
            tiles = TILE_COUNTS[cells[get_board_index(player) + WALL + row]]
            fullest_row = tiles if tiles > fullest_row else fullest_row
            # A tile in wall row i has cost the i + 1 tiles of a full pattern line.
            drafted += tiles * (row + 1)
    return fullest_row <= finished_rounds and drafted <= count_dealt_tiles(cells) * cells[ROUND]


def _are_possible_scores(cells: Cells) -> bool:
    """Return True if no player has a higher score than the player's wall can have earned.

    At the end of the game, the bonuses count too. A score of 0 is always possible, because penalties can take
    all points.
    """
    player: Count
    board: Count
    max_score: Count
    is_over: Count = cells[PHASE] == IN_ENDED if cells[COMPLETE] else cells[ROW_COMPLETE]
    for player in range(cells[PLAYERS]):
        board = get_board_index(player)
        if cells[board + SCORE] > 0:
            max_score = max_wall_points(cells, board + WALL)
            if is_over:
                max_score += sum_bonus_points(cells, board)
            if cells[board + SCORE] > max_score:
                return False
    return True


def sum_bonus_points(cells: Cells, board: Count) -> Count:
    """Return the bonus points of a wall for complete rows, columns and colours.

    `board` is the index in `cells` of the first number of the player's board.
    """
    return (
        ROW_BONUS * count_complete_rows(cells, board + WALL)
        + COLUMN_BONUS * count_complete_columns(cells, board + WALL)
        + COLOUR_BONUS * count_complete_colours(cells, board + WALL)
    )
