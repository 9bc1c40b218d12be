"""The steps between the moves: tiling, the next deal, and the final bonuses (spec/azul 1.4, 1.6, 1.7).

Each function accepts positions of one phase and raises `ValueError` for any other. A deal is either explicit
(one string per factory, tiles in the order drawn) or drawn from a source of random numbers that the caller
provides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import quoted
from forsyth.games.azul.position import (
    DONE,
    ENDED,
    OFFER,
    PHASES,
    TILING,
    Board,
    Position,
    build_board,
    build_position,
)
from forsyth.games.azul.rules.scoring import (
    Bonus,
    TilingResult,
    count_bonus,
    count_complete_rows,
    rank_winners,
    tile_board,
)
from forsyth.games.azul.tiles import (
    COLOURS,
    EMPTY_LINES,
    EMPTY_WALL,
    MARKER,
    NO_TILES,
    Counts,
    factory_count,
)

if not cython.compiled:
    from forsyth.games.azul.position import copy_board, copy_position, seal_board, seal_position
    from forsyth.games.azul.tiles import (
        TILES_PER_COLOUR,
        TILES_PER_FACTORY,
        count_colours,
        is_row_complete,
        sort_tiles,
    )

    Count = int
    Real = float

Dealt = Sequence[str]
"""The tiles of each factory in the order drawn."""


class RandomSource(Protocol):
    """A source of random numbers, such as `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1."""


class RoundEnd(NamedTuple):
    """The position after the tiling, and the tiling result of each board."""

    position: Position
    boards: tuple[TilingResult, ...]


class GameEnd(NamedTuple):
    """The position at the end, the bonus of each player, and the numbers of the winners."""

    position: Position
    bonuses: tuple[Bonus, ...]
    winners: tuple[int, ...]


def before_first_deal(players: int, start: int = 0) -> Position:
    """Return the position of a new game before the first deal, with all tiles in the bag.

    `players` is the number of players, and `start` the number of the one who begins the first round. The
    round of the position is 0, which no text can express.
    """
    empty_board = build_board(wall=EMPTY_WALL, lines=EMPTY_LINES, floor="", held=False, score=0)
    return build_position(
        factories=("",) * factory_count(players),
        center="",
        marker_in_center=False,
        boards=(empty_board,) * players,
        phase=DONE,
        round=0,
        current=start,
        start=start,
        bag=(TILES_PER_COLOUR,) * len(COLOURS),
        discard=NO_TILES,
        complete=True,
    )


# --- tiling -----------------------------------------------------------------------------------------


def end_round(position: Position) -> RoundEnd:
    """Return the position after the tiling of every board, with the result of each board.

    In the tiling, one tile of each full pattern line moves to the wall and scores. The floor lines cost
    points and are emptied. The owner of the first-player marker begins the next round. Raise `ValueError` if
    the position is not in the phase of the tiling.
    """
    _require_phase(position, TILING)
    results = []
    tiled_boards = []
    discarded = ""
    after = copy_position(position)
    player: Count
    board: Board
    for player in range(len(position.boards)):
        board = position.boards[player]
        result = tile_board(board)
        results.append(result)
        tiled_boards.append(result.board)
        discarded += result.discarded
        if board.held or MARKER in board.floor:
            after.start = player

    after.marker_in_center = False
    after.boards = tuple(tiled_boards)
    after.phase = DONE
    after.current = after.start
    after.discard = _add_counts(position.discard, count_colours(discarded))
    return RoundEnd(seal_position(after), tuple(results))


def _add_counts(counts: Counts, added_counts: Counts) -> Counts:
    """Return the sum of two tuples of counts, one count for each colour in the order of `COLOURS`."""
    return tuple([count + added for count, added in zip(counts, added_counts, strict=True)])


# --- dealing ----------------------------------------------------------------------------------------


def is_last_round(position: Position) -> bool:
    """Return True if no further round follows: a wall row is complete, or no tile is left to deal."""
    board: Board
    row: str
    for board in position.boards:
        for row in board.wall:
            if is_row_complete(row):
                return True
    return not (any(position.bag) or any(position.discard))


def draw_tiles(position: Position, rng: RandomSource) -> tuple[str, ...]:
    """Return a random deal from bag and discard: the tiles of each factory in the order drawn.

    `rng` is the source of random numbers. The position does not change.
    """
    dealt, _bag, _discard = _draw_from_supply(position, rng)
    return dealt


def _draw_from_supply(position: Position, rng: RandomSource) -> tuple[tuple[str, ...], Counts, Counts]:
    """Return a random deal, the counts by colour that it leaves in the bag, and those in the discard.

    The deal has the tiles of each factory in the order drawn. If the bag runs out, the discarded tiles are
    put into it. If both run out, the last factories get fewer than four tiles. `rng` is the source of random
    numbers.
    """
    blue: Count
    yellow: Count
    red: Count
    black: Count
    white: Count
    blue, yellow, red, black, white = position.bag
    discard = position.discard
    bag_total: Count = blue + yellow + red + black + white
    drawn_tile: Count
    random_number: Real
    drawn = ""
    next_random = rng.random
    max_drawn: Count = TILES_PER_FACTORY * len(position.factories)
    for _ in range(max_drawn):
        if not bag_total:
            blue, yellow, red, black, white = discard
            discard = NO_TILES
            bag_total = blue + yellow + red + black + white
            if not bag_total:
                break
        random_number = next_random()
        # The tiles of the bag are numbered from 0 in the order of their colours.
        drawn_tile = int(random_number * bag_total)
        bag_total -= 1
        if drawn_tile < blue:
            blue -= 1
            drawn += "B"
        elif drawn_tile < blue + yellow:
            yellow -= 1
            drawn += "Y"
        elif drawn_tile < blue + yellow + red:
            red -= 1
            drawn += "R"
        elif drawn_tile < blue + yellow + red + black:
            black -= 1
            drawn += "K"
        else:
            white -= 1
            drawn += "W"

    starts = range(0, max_drawn, TILES_PER_FACTORY)
    dealt = tuple([drawn[start : start + TILES_PER_FACTORY] for start in starts])
    return dealt, (blue, yellow, red, black, white), discard


def deal_tiles(position: Position, dealt: Dealt) -> Position:
    """Return the position at the beginning of the next round, after dealing the tiles `dealt`.

    `dealt` has one string for each factory, the tiles in the order drawn, such as ``BYRK``. Raise
    `ValueError` if bag and discard do not hold these tiles, or if no round can follow.
    """
    _require_next_round(position)
    bag, discard = _take_from_supply(position, dealt)
    return _begin_round(position, dealt, bag, discard)


def deal_at_random(position: Position, rng: RandomSource) -> Position:
    """Return the position at the beginning of the next round, after a random deal.

    `rng` is the source of random numbers. Raise `ValueError` if no round can follow.
    """
    _require_next_round(position)
    dealt, bag, discard = _draw_from_supply(position, rng)
    return _begin_round(position, dealt, bag, discard)


def _require_next_round(position: Position) -> None:
    """Raise `ValueError` if no round can follow the position.

    The tiling must be done, no wall row may be complete, and tiles must be left to deal.
    """
    _require_phase(position, DONE)
    if is_last_round(position):
        raise ValueError("no round can follow: a wall row is complete or no tile is left to deal")


def _begin_round(position: Position, dealt: Dealt, bag: Counts, discard: Counts) -> Position:
    """Return the first position of the next round, with the dealt tiles on the factories.

    Args:
        position: The position after the tiling.
        dealt: The tiles of each factory, such as ``BYRK``.
        bag: The counts by colour that the deal leaves in the bag.
        discard: The counts by colour that the deal leaves in the discard.
    """
    after = copy_position(position)
    after.factories = tuple([sort_tiles(tiles) for tiles in dealt])
    after.bag = bag
    after.discard = discard
    after.marker_in_center = True
    after.phase = OFFER
    after.round = position.round + 1
    after.current = position.start
    return seal_position(after)


def _take_from_supply(position: Position, dealt: Dealt) -> tuple[Counts, Counts]:
    """Return the counts by colour of bag and discard after drawing the tiles of `dealt`.

    `dealt` has one string of tiles for each factory, such as ``BYRK``. Raise `ValueError` if these tiles
    cannot be drawn.
    """
    _require_deal_shape(position, dealt)
    drawn: str = "".join(dealt)
    drawn_counts = count_colours(drawn)
    bag_left = [count - drawn_count for count, drawn_count in zip(position.bag, drawn_counts, strict=True)]
    has_bag_all_tiles = min(bag_left) >= 0
    fills_factories = len(drawn) == TILES_PER_FACTORY * len(dealt)
    if fills_factories and has_bag_all_tiles:
        # All tiles are drawn from the bag, so the order of drawing does not matter.
        return tuple(bag_left), position.discard
    return _take_one_by_one(position, dealt)


def _require_deal_shape(position: Position, dealt: Dealt) -> None:
    """Raise `ValueError` if a deal does not fit the factories of the position.

    It must have a string of at most four tiles for each factory.
    """
    if len(dealt) != len(position.factories):
        raise ValueError(
            f"the number of factories in the deal is {len(dealt)}, expected {len(position.factories)}"
        )
    number: Count
    tiles: str
    for number in range(len(dealt)):
        tiles = dealt[number]
        # Stripping leaves an empty string unless another character occurs.
        if len(tiles) > TILES_PER_FACTORY or tiles.strip(COLOURS):
            raise ValueError(
                f"factory {number} cannot hold {quoted(tiles)},"
                f" expected at most {TILES_PER_FACTORY} of the letters {COLOURS}"
            )


def _take_one_by_one(position: Position, dealt: Dealt) -> tuple[Counts, Counts]:
    """Return the counts by colour of bag and discard after drawing the tiles of `dealt` one by one.

    When the bag runs out, the discarded tiles are put into it. Raise `ValueError` if the bag lacks a tile
    when it is drawn, or if a factory gets fewer than four tiles although tiles are left.
    """
    bag = list(position.bag)
    discard = list(position.discard)
    bag_total = sum(bag)
    total_left = bag_total + sum(discard)
    for number, tiles in enumerate(dealt):
        for colour in tiles:
            if not bag_total:
                bag = discard
                discard = list(NO_TILES)
                bag_total = total_left
            colour_index = COLOURS.index(colour)
            if not bag[colour_index]:
                raise ValueError(
                    f"factory {number}: no {colour} tile is left to draw for {quoted(tiles)},"
                    " expected tiles that are still in the bag"
                )
            bag[colour_index] -= 1
            bag_total -= 1
            total_left -= 1
        if total_left and len(tiles) < TILES_PER_FACTORY:
            raise ValueError(
                f"factory {number} has {len(tiles)} tiles in the deal, expected {TILES_PER_FACTORY}"
                " because tiles are left to draw"
            )
    return tuple(bag), tuple(discard)


# --- the end ----------------------------------------------------------------------------------------


def finish_game(position: Position) -> GameEnd:
    """Return the final position with the bonuses added to the scores, the bonuses, and the winners.

    Raise `ValueError` if another round can follow, or if the walls of this round have not been tiled yet.
    """
    _require_phase(position, DONE)
    if not is_last_round(position):
        raise ValueError("the game is not over: no wall row is complete and tiles are left to deal")
    bonuses = tuple([count_bonus(board.wall) for board in position.boards])
    final_boards = [_add_bonus(board, bonus) for board, bonus in zip(position.boards, bonuses, strict=True)]
    after = copy_position(position)
    after.boards = tuple(final_boards)
    after.phase = ENDED
    seal_position(after)
    return GameEnd(after, bonuses, find_winners(after))


def _add_bonus(board: Board, bonus: Bonus) -> Board:
    """Return a copy of a board with the bonus points added to its score."""
    final_board = copy_board(board)
    final_board.score = board.score + bonus.points
    return seal_board(final_board)


def find_winners(position: Position) -> tuple[int, ...]:
    """Return the numbers of the players who have won: more than one if they share the victory.

    The highest score wins, and among equal scores the most complete wall rows.
    """
    scores = [board.score for board in position.boards]
    complete_rows = [count_complete_rows(board.wall) for board in position.boards]
    return rank_winners(scores, complete_rows)


def _require_phase(position: Position, phase: str) -> None:
    """Raise `ValueError` if the position is not in `phase`, a constant such as `TILING`."""
    if position.phase != phase:
        raise ValueError(
            f"the position is in phase {PHASES[position.phase]!r}, expected phase {PHASES[phase]!r}"
        )
