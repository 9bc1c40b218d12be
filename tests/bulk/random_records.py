"""Records of games that were played at random, with ratings, dates and results, the same in every run."""

from __future__ import annotations

import random
from pathlib import Path

from forsyth import Match, registry
from forsyth.record import Record, write_record

RESULTS = {2: ("1-0", "0-1", "1/2-1/2", "*"), 3: ("1-0-0", "0-1-0", "1/2-0-1/2", "*")}


def random_records(name: str, count: int, plies: int, seed: int = 1, variant: str | None = None) -> list[str]:
    """So many records as text; few moves are tried, so that positions are reached again."""
    game = registry.game(name, variant)
    chance = random.Random(f"{name} {seed}")
    made = []
    for number in range(count):
        match = Match(game)
        while len(match) < plies and match.outcome is None:
            moves = match.moves()
            choices = [game.write_move(match.position, move) for move in moves[:3]] or list(match.actions())[
                :3
            ]
            if not choices:
                break
            match.play(chance.choices(choices, (6, 3, 1)[: len(choices)])[0])
        tags = {player: f"{player} {number}" for player in game.players}
        for player in game.players:
            if chance.random() < 0.9:
                tags[f"{player}Elo"] = str(chance.randint(800, 2900))
        day = chance.choice(("??", f"{chance.randint(1, 28):02}"))
        tags["Date"] = f"20{chance.randint(10, 24)}.{chance.randint(1, 12):02}.{day}"
        result = chance.choice(RESULTS[len(game.players)])
        made.append(write_record(Record.of(match, tags, result=result)))
    return made


def write_records(path: Path, records: list[str]) -> str:
    """A file of records; its path."""
    path.write_text("\n".join(records), encoding="utf-8")
    return str(path)
