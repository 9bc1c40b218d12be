"""Between the moves: tiling a round, dealing the next, the bonuses at the end (spec/azul 1.4, 1.6, 1.7).

Each function takes a position in the one phase it is for, and raises `ValueError` in any other. Deals are
explicit (one string per factory, tiles in the order drawn) or drawn from a source of random numbers; nothing
here is random by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import quoted
from forsyth.games.azul.position import DONE, ENDED, OFFER, PHASES, TILING, Board, Position, board_of, build
from forsyth.games.azul.rules.scoring import Bonus, Tiled, bonus, complete_rows, tile, winners
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
    from forsyth.games.azul.position import copy_of, copy_of_board, seal, seal_board
    from forsyth.games.azul.tiles import (
        TILES_PER_COLOUR,
        TILES_PER_FACTORY,
        counts_of,
        in_order,
        is_complete,
    )

    Count = int
    Real = float

Dealt = Sequence[str]
"""The tiles of each factory in the order drawn."""


class Chance(Protocol):
    """A source of random numbers, such as `random.Random`."""

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""


class RoundEnd(NamedTuple):
    """The position after the tiling, and what it made of each board."""

    position: Position
    boards: tuple[Tiled, ...]


class GameEnd(NamedTuple):
    """The position at the end, the bonus of each player, and who has won."""

    position: Position
    bonuses: tuple[Bonus, ...]
    winners: tuple[int, ...]


def before_first_deal(players: int, start: int = 0) -> Position:
    """The table as it is set up: all tiles in the bag. The round is 0, so that no text can say it."""
    board = board_of(EMPTY_WALL, EMPTY_LINES, "", False, 0)
    bag = (TILES_PER_COLOUR,) * len(COLOURS)
    factories = ("",) * factory_count(players)
    return build(factories, "", False, (board,) * players, DONE, 0, start, start, bag, NO_TILES, True)


# --- tiling -----------------------------------------------------------------------------------------


def end_round(position: Position) -> RoundEnd:
    """Tile every board; who had the marker begins the next round."""
    _require(position, TILING)
    tiled = []
    boards = []
    discarded = ""
    after = copy_of(position)
    player: Count
    board: Board
    for player in range(len(position.boards)):
        board = position.boards[player]
        one = tile(board)
        tiled.append(one)
        boards.append(one.board)
        discarded += one.discarded
        if board.held or MARKER in board.floor:
            after.start = player
    after.marker_in_center = False
    after.boards = tuple(boards)
    after.phase = DONE
    after.current = after.start
    after.discard = _sums(position.discard, counts_of(discarded))
    return RoundEnd(seal(after), tuple(tiled))


def _sums(counts: Counts, more: Counts) -> Counts:
    return tuple([count + other for count, other in zip(counts, more, strict=True)])


# --- dealing ----------------------------------------------------------------------------------------


def is_last_round(position: Position) -> bool:
    """Whether the game ends here: a row is complete, or not a single tile can be dealt."""
    board: Board
    row: str
    for board in position.boards:
        for row in board.wall:
            if is_complete(row):
                return True
    return not (any(position.bag) or any(position.discard))


def draw(position: Position, chance: Chance) -> tuple[str, ...]:
    """What is dealt from bag and discard by chance, one string per factory, in the order drawn."""
    return _drawn(position, chance)[0]


def _drawn(position: Position, chance: Chance) -> tuple[tuple[str, ...], Counts, Counts]:
    """What is dealt by chance, and what is left in bag and discard."""
    blue: Count
    yellow: Count
    red: Count
    black: Count
    white: Count
    blue, yellow, red, black, white = position.bag
    discard = position.discard
    total: Count = blue + yellow + red + black + white
    number: Count
    roll: Real
    tiles = ""
    random = chance.random
    for _ in range(TILES_PER_FACTORY * len(position.factories)):
        if not total:
            blue, yellow, red, black, white = discard
            discard = NO_TILES
            total = blue + yellow + red + black + white
            if not total:
                break
        roll = random()
        number = int(roll * total)
        total -= 1
        # The tiles lie in the order of their colours; a number is one of them.
        if number < blue:
            blue -= 1
            tiles += "B"
        elif number < blue + yellow:
            yellow -= 1
            tiles += "Y"
        elif number < blue + yellow + red:
            red -= 1
            tiles += "R"
        elif number < blue + yellow + red + black:
            black -= 1
            tiles += "K"
        else:
            white -= 1
            tiles += "W"
    ends = range(0, TILES_PER_FACTORY * len(position.factories), TILES_PER_FACTORY)
    dealt = tuple([tiles[end : end + TILES_PER_FACTORY] for end in ends])
    return dealt, (blue, yellow, red, black, white), discard


def deal(position: Position, dealt: Dealt) -> Position:
    """The next round with an explicit deal; raises `ValueError` where it cannot be drawn."""
    _require_next_round(position)
    bag, discard = _without(position, dealt)
    return _next_round(position, dealt, bag, discard)


def deal_by_chance(position: Position, chance: Chance) -> Position:
    """The next round with a deal by chance."""
    _require_next_round(position)
    dealt, bag, discard = _drawn(position, chance)
    return _next_round(position, dealt, bag, discard)


def _require_next_round(position: Position) -> None:
    _require(position, DONE)
    if is_last_round(position):
        raise ValueError("the game ends here: a row is complete or no tile is left to deal")


def _next_round(position: Position, dealt: Dealt, bag: Counts, discard: Counts) -> Position:
    after = copy_of(position)
    after.factories = tuple([in_order(tiles) for tiles in dealt])
    after.bag = bag
    after.discard = discard
    after.marker_in_center = True
    after.phase = OFFER
    after.round = position.round + 1
    after.current = position.start
    return seal(after)


def _without(position: Position, dealt: Dealt) -> tuple[Counts, Counts]:
    """Bag and discard when the tiles have been drawn from them one by one."""
    if len(dealt) != len(position.factories):
        raise ValueError(f"a deal has {len(position.factories)} factories, not {len(dealt)}")
    number: Count
    tiles: str
    for number in range(len(dealt)):
        tiles = dealt[number]
        if len(tiles) > TILES_PER_FACTORY or tiles.strip(COLOURS):
            raise ValueError(f"factory {number} cannot hold {quoted(tiles)}")
    # The usual deal leaves the discard alone: then the order of drawing does not matter.
    drawn: str = "".join(dealt)
    left = [count - taken for count, taken in zip(position.bag, counts_of(drawn), strict=True)]
    if len(drawn) == TILES_PER_FACTORY * len(dealt) and min(left) >= 0:
        return tuple(left), position.discard
    return _drawn_one_by_one(position, dealt)


def _drawn_one_by_one(position: Position, dealt: Dealt) -> tuple[Counts, Counts]:
    """The same where the bag runs out, so that the discard comes in between."""
    bag, discard = list(position.bag), list(position.discard)
    total = sum(bag)
    left = total + sum(discard)
    for number, tiles in enumerate(dealt):
        for colour in tiles:
            if not total:
                bag, discard = discard, [0] * len(COLOURS)
                total = left
            kind = COLOURS.index(colour)
            if not bag[kind]:
                raise ValueError(f"factory {number}: there is no {colour} to be drawn")
            bag[kind] -= 1
            total -= 1
            left -= 1
        if left and len(tiles) < TILES_PER_FACTORY:
            raise ValueError(f"factory {number} gets {TILES_PER_FACTORY} tiles while there are any")
    return tuple(bag), tuple(discard)


# --- the end ----------------------------------------------------------------------------------------


def finish(position: Position) -> GameEnd:
    """Add the bonuses; the game is over."""
    _require(position, DONE)
    if not is_last_round(position):
        raise ValueError("the game is not over: no row is complete and there are tiles to deal")
    bonuses = tuple([bonus(board.wall) for board in position.boards])
    boards = tuple([_rewarded(board, one) for board, one in zip(position.boards, bonuses, strict=True)])
    after = copy_of(position)
    after.boards = boards
    after.phase = ENDED
    seal(after)
    return GameEnd(after, bonuses, winners_of(after))


def _rewarded(board: Board, bonus: Bonus) -> Board:
    rewarded = copy_of_board(board)
    rewarded.score = board.score + bonus.points
    return seal_board(rewarded)


def winners_of(position: Position) -> tuple[int, ...]:
    """Who has won a game that is over."""
    scores = [board.score for board in position.boards]
    return winners(scores, [complete_rows(board.wall) for board in position.boards])


def _require(position: Position, phase: str) -> None:
    if position.phase != phase:
        raise ValueError(
            f"this is for phase {PHASES[phase]}, the position is in phase {PHASES[position.phase]}"
        )
