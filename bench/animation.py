"""Processor time of an animated PNG of 60 random moves, for each game: `python -m bench.animation`."""

from __future__ import annotations

import time
from random import Random

from forsyth import draw, registry
from forsyth.match import Match

MOVES = 60
ROUNDS = 3


def main() -> None:
    """Print the processor time and the size of the animation of each game."""
    for name in registry.games():
        match = play_random_moves(name)
        seconds = []
        for _ in range(ROUNDS):
            start = time.process_time()
            picture = draw.animation_png(match)
            seconds.append(time.process_time() - start)
        print(
            f"{name:10} {len(match):3} moves  {sorted(seconds)[ROUNDS // 2]:.2f} s  {len(picture):9,} bytes"
        )


def play_random_moves(name: str) -> Match:
    """Return a match of at most `MOVES` random moves from the start of a game."""
    game = registry.game(name)
    match = Match(game)
    random = Random(1)
    while len(match) < MOVES and (moves := list(game.moves(match.position))):
        match.play(game.write_move(match.position, random.choice(moves)))
    return match


if __name__ == "__main__":
    main()
