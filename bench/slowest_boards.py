"""Search for the CoTuLenh boards whose moves take longest to list, and show how long they take.

The search is a hill climb: it begins with a random legal board, changes a few squares, and keeps the change
unless the board became faster. `per move` is the process time divided by the number of pseudo-legal moves and
squares, and is shown as a ratio to the start position. `tests/golden/cotulenh/slowest_boards.txt` has the
slowest boards found so far, for tests that count work instead of time.

    python -m bench.slowest_boards                     the boards of the file
    python -m bench.slowest_boards --search SECONDS    search for that long, and show the slowest boards found
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
from forsyth.games.cotulenh.position import build_position
from forsyth.games.cotulenh.rules.deploy import may_unit_stand
from forsyth.games.cotulenh.rules.moves import list_pseudo_legal_moves
from forsyth.games.cotulenh.stacks import BLUE_BIT, COMMANDER, HEROIC_SHIFT, LETTERS, STACKS, TYPES, read_unit

SLOWEST: Final = ROOT / "tests" / "golden" / "cotulenh" / "slowest_boards.txt"


def has_commander(unit: int) -> bool:
    """Return True if a unit contains a commander."""
    return bool(unit >> COMMANDER & 1)


UNITS: Final = tuple(read_unit(letters) for letters in (*LETTERS, *STACKS))
GUARDS: Final = tuple(unit for unit in UNITS if not has_commander(unit))
COMMANDERS: Final = tuple(unit for unit in UNITS if has_commander(unit))
MAX_IDLE_CHANGES: Final = 400
"""Changes in a row without a slower board, after which a new climb begins."""

Board = list[int]
Measure = Callable[[Position], float]


def load_slowest() -> list[str]:
    """Return the texts of the slowest boards found so far."""
    return SLOWEST.read_text(encoding="utf-8").split("\n")[:-1]


def min_seconds(work: Callable[[], object]) -> float:
    """Return the least process time of three calls, in seconds."""
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def list_time(position: Position) -> float:
    """Return the seconds to list the legal moves."""
    return min_seconds(lambda: GAME.moves(position))


def text_time(position: Position) -> float:
    """Return the seconds to list the legal moves and write them."""
    return min_seconds(lambda: write_moves(position, GAME.rules))


def outcome_time(position: Position) -> float:
    """Return the seconds to find out whether the game is over."""
    return min_seconds(lambda: GAME.outcome(position))


def time_per_move(position: Position) -> float:
    """Return the seconds to list the legal moves, divided by the number of pseudo-legal moves and squares."""
    return list_time(position) / (len(list_pseudo_legal_moves(position)) + BOARD_SIZE)


MEASURES: Final[dict[str, Measure]] = {"list": list_time, "text": text_time, "per move": time_per_move}


def position_of_board(board: Board) -> Position:
    """Return the position with a board and Red to move."""
    return build_position(tuple(board), 0, 0, 1)


def random_board(rng: random.Random) -> Board:
    """Return a random legal board, with a random share of its squares occupied."""
    board = [0] * BOARD_SIZE
    occupied_share = rng.random()
    for square in range(BOARD_SIZE):
        if rng.random() < occupied_share:
            board[square] = random_guard(rng, square)
    for colour in (0, BLUE_BIT):
        place_commander(rng, board, colour)
    return board


def random_guard(rng: random.Random, square: int) -> int:
    """Return a random unit without a commander that may stand on `square`."""
    unit = rng.choice([unit for unit in GUARDS if may_unit_stand(unit, square)])
    heroic = rng.choice((0, 0, rng.getrandbits(11))) & unit & TYPES
    return unit | heroic << HEROIC_SHIFT | rng.choice((0, BLUE_BIT))


def place_commander(rng: random.Random, board: Board, colour: int) -> None:
    """Move the commander of a colour to a random square, and change `board` in place."""
    for square, unit in enumerate(board):
        if has_commander(unit) and unit & BLUE_BIT == colour:
            board[square] = 0
    unit = rng.choice(COMMANDERS)
    free_squares = [
        square
        for square, occupant in enumerate(board)
        if may_unit_stand(unit, square) and not has_commander(occupant)
    ]
    board[rng.choice(free_squares)] = unit | colour


def change_squares(rng: random.Random, board: Board) -> Board:
    """Return a copy of a legal board with one to three squares changed. The copy is legal too."""
    after = list(board)
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.05:
            place_commander(rng, after, rng.choice((0, BLUE_BIT)))
            continue
        square = rng.randrange(BOARD_SIZE)
        if not has_commander(after[square]):
            after[square] = rng.choice((0, random_guard(rng, square), random_guard(rng, square)))
    return after


def climb(measure: Measure, seconds: float, seed: int) -> Position:
    """Return the slowest position by `measure` that a search of `seconds` seconds finds."""
    rng = random.Random(seed)
    end = time.monotonic() + seconds
    max_cost, slowest = 0.0, position_of_board(random_board(rng))
    while time.monotonic() < end:
        board = random_board(rng)
        cost, idle_changes = measure(position_of_board(board)), 0
        while idle_changes < MAX_IDLE_CHANGES and time.monotonic() < end:
            candidate = change_squares(rng, board)
            candidate_cost = measure(position_of_board(candidate))
            idle_changes = 0 if candidate_cost > cost else idle_changes + 1
            if candidate_cost >= cost:
                board, cost = candidate, candidate_cost
        if cost > max_cost:
            max_cost, slowest = cost, position_of_board(board)
    return slowest


def print_times(texts: list[str]) -> None:
    """Print the times of the start position and of each position of `texts`."""
    start_time = time_per_move(GAME.parse(GAME.start))
    print(f"{'moves':>6} {'tried':>6} {'list ms':>8} {'text ms':>8} {'end ms':>7} {'per move':>8}")
    for text in (GAME.start, *texts):
        position = GAME.parse(text)
        counts = f"{len(GAME.moves(position)):6} {len(list_pseudo_legal_moves(position)):6}"
        times = f"{list_time(position) * 1000:8.3f} {text_time(position) * 1000:8.3f}"
        end = f"{outcome_time(position) * 1000:7.3f}"
        print(f"{counts} {times} {end} {time_per_move(position) / start_time:7.1f}×  {text}")


def main() -> None:
    """Print the times of the known slowest boards or, with `--search`, of the boards that a search finds."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.slowest_boards", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument(
        "--search", type=float, metavar="SECONDS", help="Search for slower boards for this many seconds."
    )
    parser.add_argument("--seed", type=int, default=1, help="Seed of the search (default: 1).")
    options = parser.parse_args()
    texts = load_slowest()
    if options.search is not None:
        seconds = options.search / len(MEASURES)
        texts = [str(climb(measure, seconds, options.seed)) for measure in MEASURES.values()]
    print_times(texts)


if __name__ == "__main__":
    main()
