"""Measure Azul, compiled and pure, against the figures of the public Python project (see `bench.builds`).

The texts are standard texts of golden games, from all phases. A whole game is a game of two players in which
every move is drawn at random from the list of legal moves. It includes deals and scoring.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bench.builds import ROOT, Requirement, Suite
from forsyth.azul import GAME, AzulState
from forsyth.games.azul.rules import rounds
from forsyth.games.azul.rules.moves import apply_move, legal_moves

CORPUS: Final = ROOT / "tests" / "golden" / "azul" / "games.jsonl.gz"

REQUIREMENTS: Final = (
    Requirement("to_fen", "write", 7_100, 40, 5),
    Requirement("from_fen", "read", 3_900, 40, 5),
    Requirement("legal moves", "moves", 13_700, 20, 5),
    Requirement("clone", "copy", 900, 5, 5),
    Requirement("a whole game by chance", "game", 131, 40, 5),
    # The specification requires at most 10 µs, which is 100,000 texts a second.
    Requirement("full validation of a text", "validate", 100_000, 1, 0),
)


def _golden_texts() -> Iterator[str]:
    """Yield the standard text of every position of the golden games that has one."""
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        for game in map(json.loads, lines):
            for row in game["rounds"]:
                yield from (
                    position["fen"] for position in (row, *row["moves"], row["tiling"]) if position["fen"]
                )


def corpus(count: int) -> list[str]:
    """Return `count` standard texts, spread evenly over the golden games."""
    texts = list(_golden_texts())
    return texts[:: max(1, len(texts) // count)][:count]


def _parse_states(texts: Sequence[str]) -> list[Any]:
    return [AzulState.from_fen(text) for text in texts]


def _parse_offer_states(texts: Sequence[str]) -> list[Any]:
    """Return the states in which a player is to choose tiles."""
    return [state for state in _parse_states(texts) if state.phase == "offer"]


def _game_seeds(texts: Sequence[str]) -> list[Any]:
    """Return the seeds of the random games. The texts are not used."""
    return list(range(20))


def _read_texts(items: Sequence[Any]) -> None:
    read = AzulState.from_fen
    for text in items:
        read(text)


def _write_states(items: Sequence[Any]) -> None:
    for state in items:
        state.to_fen()


def _list_moves(items: Sequence[Any]) -> None:
    for state in items:
        state.legal_moves()


def _copy_states(items: Sequence[Any]) -> None:
    for state in items:
        state.copy()


def _validate_texts(items: Sequence[Any]) -> None:
    """Check format, content and reachability of each text. Raise ValueError if a text is faulty."""
    read, check = GAME.read, GAME.check
    for text in items:
        reading = read(text)
        if reading.position is None or check(reading.position, text=text):
            raise ValueError(f"{text!r} has findings; the corpus may only contain valid texts")


def _play_games(items: Sequence[Any]) -> None:
    """Play one random game of two players for each seed."""
    for seed in items:
        rng = random.Random(seed)
        position = rounds.before_first_deal(2)
        while not rounds.is_last_round(position):
            position = rounds.deal_at_random(position, rng)
            moves = legal_moves(position)
            while moves:
                position = apply_move(position, moves[int(rng.random() * len(moves))])
                moves = legal_moves(position)
            position = rounds.end_round(position).position
        rounds.finish_game(position)


SUITE: Final = Suite(
    "azul",
    "Azul",
    "public project",
    REQUIREMENTS,
    corpus,
    {
        "write": (_parse_states, _write_states),
        "read": (list, _read_texts),
        "moves": (_parse_offer_states, _list_moves),
        "copy": (_parse_states, _copy_states),
        "game": (_game_seeds, _play_games),
        "validate": (list, _validate_texts),
    },
)

if __name__ == "__main__":
    sys.exit(SUITE.main())
