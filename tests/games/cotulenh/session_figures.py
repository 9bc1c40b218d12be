"""Print what the texts of open deploy sessions lose, over sessions of games played by chance.

Run `python tests/games/cotulenh/session_figures.py [sessions]`. The games begin with the start position, and
are the same on every run.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from forsyth.cotulenh import GAME, Position
from forsyth.games.cotulenh.rules.generate import CAPTURE, STAY, SUICIDE


def play_by_chance() -> Iterator[Position]:
    """Yield the positions with an open session in games without end."""
    chance = random.Random(14)
    position = GAME.parse(GAME.start)
    while True:
        if position.session is not None:
            yield position
        moves = GAME.moves(position)
        can_commit = "commit" in GAME.actions(position)
        if GAME.outcome(position) is not None or position.full > 80 or not (moves or can_commit):
            position = GAME.parse(GAME.start)
        elif can_commit and (not moves or chance.random() < 0.2):
            position = GAME.play(position, GAME.read_move(position, "commit"))
        else:
            # Stacks are rare at the start, so deploy steps and combinations are preferred.
            preferred = [move for move in moves if set("db") & set(move.flags)]
            position = GAME.play(
                position, chance.choice(preferred if chance.random() < 0.5 and preferred else moves)
            )


def count(sessions: int) -> Counter[str]:
    """Return how many sessions lose what in which text."""
    figures: Counter[str] = Counter()
    for position in islice(play_by_chance(), sessions):
        figures["open sessions"] += 1
        replayed = GAME.parse(GAME.write(position, "replay"), legality=False)
        figures["replay text: something lost"] += replayed != position
        again = GAME.parse(str(position), legality=False)
        assert again.session is not None and position.session is not None
        codes = {finding.code for finding in GAME.check(again)}
        is_unknown = again.session.start is None
        has_capture = any(step.flags & (CAPTURE | STAY | SUICIDE) for step in position.session.steps)
        figures["canonical text: no undo, something was captured"] += is_unknown and has_capture
        figures["canonical text: no undo, a piece may have been promoted"] += is_unknown and not has_capture
        figures["canonical text: no undo, without a finding"] += is_unknown and "deploy.no_undo" not in codes
        is_dead_end = not GAME.moves(again) and not GAME.actions(again)
        figures["canonical text: dead ends"] += is_dead_end
        figures["canonical text: dead ends without a finding"] += (
            is_dead_end and "deploy.dead_end" not in codes
        )
        offered, legal = (
            {GAME.write_move(one, move) for move in GAME.moves(one)} for one in (again, position)
        )
        figures["canonical text: illegal moves offered"] += len(offered - legal)
        figures["canonical text: moves missing"] += len(legal - offered)
    return figures


if __name__ == "__main__":
    for name, figure in count(int(sys.argv[1]) if len(sys.argv) > 1 else 9233).items():
        print(f"{figure:6} {name}")
