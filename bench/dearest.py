"""Search for the CoTuLenh boards whose lists of moves are dearest, and show what they cost.

The search climbs: from a random legal board it changes a square at a time and keeps what is not cheaper.
Cost is process time; `per move` divides it by the moves there are before any is tried for legality, and the
squares, which are looked at whatever stands on them, and compares that with the start position. What was
found stands in `tests/golden/cotulenh/dearest.txt`, for tests that count work instead of time.

    python -m bench.dearest                     the boards of the file
    python -m bench.dearest --search SECONDS    climb for that long, and show the dearest found
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Final

from bench.builds import ROOT
from forsyth.cotulenh import GAME, Position
from forsyth.games.cotulenh.board import BOARD_SIZE
from forsyth.games.cotulenh.notation.san import write_moves
from forsyth.games.cotulenh.position import build
from forsyth.games.cotulenh.rules.deploy import may_stand
from forsyth.games.cotulenh.rules.moves import pseudo_moves
from forsyth.games.cotulenh.stacks import BLUE_BIT, COMMANDER, HEROIC_SHIFT, LETTERS, STACKS, TYPES, read_unit

KEPT: Final = ROOT / "tests" / "golden" / "cotulenh" / "dearest.txt"
UNITS: Final = tuple(read_unit(letters) for letters in (*LETTERS, *STACKS))
GUARDS: Final = tuple(unit for unit in UNITS if not unit >> COMMANDER & 1)
COMMANDERS: Final = tuple(unit for unit in UNITS if unit >> COMMANDER & 1)
CLIMB: Final = 400
"""After how many changes that were no gain a new climb begins."""

Board = list[int]
Measure = Callable[[Position], float]


def kept() -> list[str]:
    """The dearest boards found so far."""
    return KEPT.read_text(encoding="utf-8").split("\n")[:-1]


def spent(work: Callable[[], object]) -> float:
    """The least process time of some runs, in seconds."""
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def list_time(position: Position) -> float:
    """The time of a list of legal moves."""
    return spent(lambda: GAME.moves(position))


def text_time(position: Position) -> float:
    """The time of a list of legal moves with their notation."""
    return spent(lambda: write_moves(position, GAME.rules))


def outcome_time(position: Position) -> float:
    """The time to find out whether the game is over."""
    return spent(lambda: GAME.outcome(position))


def per_move(position: Position) -> float:
    """The time of a list of legal moves for each move before legality, and each square."""
    return list_time(position) / (len(pseudo_moves(position)) + BOARD_SIZE)


MEASURES: Final[dict[str, Measure]] = {"list": list_time, "text": text_time, "per move": per_move}


def position_of(board: Board) -> Position:
    """The position with a board, Red to move."""
    return build(tuple(board), 0, 0, 1)


def random_board(chance: random.Random) -> Board:
    """A legal board, from nearly empty to nearly full."""
    board = [0] * BOARD_SIZE
    crowd = chance.random()
    for square in range(BOARD_SIZE):
        if chance.random() < crowd:
            board[square] = random_guard(chance, square)
    for colour in (0, BLUE_BIT):
        put_commander(chance, board, colour)
    return board


def random_guard(chance: random.Random, square: int) -> int:
    """A unit without a commander that may stand on a square."""
    unit = chance.choice([unit for unit in GUARDS if may_stand(unit, square)])
    heroic = chance.choice((0, 0, chance.getrandbits(11))) & unit & TYPES
    return unit | heroic << HEROIC_SHIFT | chance.choice((0, BLUE_BIT))


def put_commander(chance: random.Random, board: Board, colour: int) -> None:
    """Put the commander of a colour on another square."""
    for square, unit in enumerate(board):
        if unit >> COMMANDER & 1 and unit & BLUE_BIT == colour:
            board[square] = 0
    unit = chance.choice(COMMANDERS)
    free = [s for s, there in enumerate(board) if may_stand(unit, s) and not there >> COMMANDER & 1]
    board[chance.choice(free)] = unit | colour


def changed(chance: random.Random, board: Board) -> Board:
    """The board with one to three squares changed, still legal."""
    after = list(board)
    for _ in range(chance.randint(1, 3)):
        if chance.random() < 0.05:
            put_commander(chance, after, chance.choice((0, BLUE_BIT)))
            continue
        square = chance.randrange(BOARD_SIZE)
        if not after[square] >> COMMANDER & 1:
            after[square] = chance.choice((0, random_guard(chance, square), random_guard(chance, square)))
    return after


def climb(measure: Measure, seconds: float, seed: int) -> Position:
    """The dearest position found in a time."""
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    best, dearest = 0.0, position_of(random_board(chance))
    while time.monotonic() < end:
        board = random_board(chance)
        cost, idle = measure(position_of(board)), 0
        while idle < CLIMB and time.monotonic() < end:
            other = changed(chance, board)
            price = measure(position_of(other))
            idle = 0 if price > cost else idle + 1
            if price >= cost:
                board, cost = other, price
        if cost > best:
            best, dearest = cost, position_of(board)
    return dearest


def show(texts: list[str]) -> None:
    """What each position costs, and the start position beside it."""
    start = per_move(GAME.parse(GAME.start))
    print(f"{'moves':>6} {'tried':>6} {'list ms':>8} {'text ms':>8} {'end ms':>7} {'per move':>8}")
    for text in (GAME.start, *texts):
        position = GAME.parse(text)
        counts = f"{len(GAME.moves(position)):6} {len(pseudo_moves(position)):6}"
        times = f"{list_time(position) * 1000:8.3f} {text_time(position) * 1000:8.3f}"
        ended = f"{outcome_time(position) * 1000:7.3f}"
        print(f"{counts} {times} {ended} {per_move(position) / start:7.1f}×  {text}")


def main() -> None:
    """Read the command line, search if asked to, and show what was found."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.dearest", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--search", type=float, metavar="SECONDS", help="climb for that long")
    parser.add_argument("--seed", type=int, default=1, help="where the search begins")
    given = parser.parse_args()
    texts = kept()
    if given.search is not None:
        share = given.search / len(MEASURES)
        texts = [str(climb(measure, share, given.seed)) for measure in MEASURES.values()]
    show(texts)


if __name__ == "__main__":
    main()
