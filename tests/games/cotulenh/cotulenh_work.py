"""Count the work of CoTuLenh's move lists: the lines that the plain sources run, the same on every run.

Run in a process of its own with FORSYTH_PURE=1; takes tasks with texts as JSON, prints the lines of each.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from forsyth.games.cotulenh import GAME, Position
from forsyth.games.cotulenh.rules.moves import list_pseudo_legal_moves


def lines_of(work: Callable[[], object]) -> int:
    """How many lines of the sources of the game a piece of work runs."""
    count = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        return line if "cotulenh" in frame.f_code.co_filename else None

    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


def at(text: str) -> Position:
    return GAME.parse(text, legality=False)


def list_work(text: str) -> dict[str, int]:
    """The list of legal moves, and how many moves are tried for it."""
    position = at(text)
    return {"lines": lines_of(lambda: GAME.moves(position)), "tried": len(list_pseudo_legal_moves(position))}


def text_work(text: str) -> dict[str, int]:
    """Every move of the list written by itself."""
    position = at(text)
    moves = GAME.moves(position)
    return {
        "lines": lines_of(lambda: [GAME.write_move(position, move) for move in moves]),
        "tried": len(moves),
    }


def turn_work(text: str) -> dict[str, int]:
    """The commit of an open session, written as the turn it ends."""
    position = at(text)
    commit = GAME.read_move(position, "commit")
    return {"lines": lines_of(lambda: GAME.write_move(position, commit)), "tried": 1}


def steps_work(text: str) -> dict[str, int]:
    """The steps of an open session."""
    position = at(text)
    return {"lines": lines_of(lambda: GAME.moves(position)), "tried": len(GAME.moves(position))}


TASKS = {"list": list_work, "text": text_work, "turn": turn_work, "steps": steps_work}

if __name__ == "__main__":
    print(json.dumps([TASKS[task](text) for task, text in json.load(sys.stdin)]))
