"""Move lists of CoTuLenh cost little on the slowest boards that `bench/slowest_boards.py` has found.

Work is counted in lines that the plain sources run, so that neither the machine nor the build matters.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from forsyth.games.cotulenh import GAME
from forsyth.games.cotulenh.rules.completion import SearchBudget, can_complete_turn

HERE = Path(__file__).parent
SLOWEST_FILE = HERE.parents[1] / "golden" / "cotulenh" / "slowest_boards.txt"
SLOWEST = SLOWEST_FILE.read_text(encoding="utf-8").splitlines()
SQUARES = 132
STACKS = "1(NFT)(FTI)(FTI)1(FTI)1(FTI)1(FTI)1"
CROWD = f"6c4/11/{'/'.join([STACKS] * 8)}/11/5C5 r - - 0 1"
"""Eight ranks of stacks: every navy stack and every air force stack has many of its like."""
SESSION = GAME.write(GAME.play(position := GAME.parse(CROWD), GAME.read_move(position, "If6>g6")))


@pytest.fixture(scope="module")
def work() -> dict[tuple[str, str], dict[str, int]]:
    """The work of every task of this module, counted in one process."""
    tasks = [("list", text) for text in (GAME.start, CROWD, *SLOWEST)]
    tasks += [("text", GAME.start), ("turn", SESSION), ("steps", SESSION)]
    done = subprocess.run(
        [sys.executable, str(HERE / "cotulenh_work.py")],
        input=json.dumps(tasks),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FORSYTH_PURE": "1"},
    )
    return dict(zip(tasks, json.loads(done.stdout), strict=True))


def per_move(counted: dict[str, int]) -> float:
    """The work for each move before legality, and for each square, which is looked at in any case."""
    return counted["lines"] / (counted["tried"] + SQUARES)


@pytest.mark.parametrize("place", range(len(SLOWEST)))
def test_a_move_of_the_slowest_board_costs_at_most_ten_of_the_start_position(
    work: dict[tuple[str, str], dict[str, int]], place: int
) -> None:
    start = per_move(work["list", GAME.start])
    assert per_move(work["list", SLOWEST[place]]) <= 10 * start


def test_writing_every_move_by_itself_costs_no_list_for_each(
    work: dict[tuple[str, str], dict[str, int]],
) -> None:
    listed = work["list", GAME.start]["lines"]
    written = work["text", GAME.start]
    assert written["tried"] == 116
    assert written["lines"] < 10 * listed


def test_a_turn_that_many_stacks_could_take_is_written_without_a_list_for_each(
    work: dict[tuple[str, str], dict[str, int]],
) -> None:
    assert work["turn", SESSION]["lines"] < work["list", CROWD]["lines"]


def test_the_steps_of_a_session_cost_no_list_of_the_whole_board(
    work: dict[tuple[str, str], dict[str, int]],
) -> None:
    assert work["steps", SESSION]["lines"] < work["list", CROWD]["lines"] / 2


def test_a_search_for_the_end_of_a_turn_stops_when_its_patience_is_out() -> None:
    # Mate, which takes hundreds of tries to find out; one that gives up says that there is a way.
    mated = GAME.parse("2c8/11/11/11/11/11/11/11/10a/11/10I/6a3(HC) r - - 0 1")
    patience = SearchBudget(10_000)
    assert not can_complete_turn(mated, GAME.rules, patience)
    assert 0 < patience.tries_left < 10_000
    assert can_complete_turn(mated, GAME.rules, SearchBudget(1))


@pytest.mark.parametrize("text", SLOWEST)
def test_the_slowest_boards_have_their_moves_and_their_marks(text: str) -> None:
    position = GAME.parse(text)
    moves = GAME.moves(position)
    assert len({GAME.write_move(position, move) for move in moves}) == len(moves)


@pytest.mark.compiled
def test_the_marks_of_a_list_are_those_of_its_moves() -> None:
    # More than sixty moves mate, and each mate amid these stacks takes hundreds of tries.
    position = GAME.parse(
        "n4(EG)4(eg)/8T2/1n9/11/1(NI)8s/11/2NN1T5/n(NFI)nSs6/nnhEs1I1S2/n(nfc)NGs1S4"
        "/(ni)N(nft)ts2G2(FTC)/nNN(FM)(TI)6 r - - 0 9"
    )
    mates = 0
    for move in GAME.moves(position):
        # Steps have no mark, also where they end the turn.
        if "d" not in move.flags:
            outcome = GAME.play(position, move).outcome
            lost = outcome is not None and outcome.result == "1-0"
            assert GAME.write_move(position, move).endswith("#") is lost
            mates += lost
    assert mates > 60
