"""Measure Azul, compiled and pure, against the figures of the public Python project (see `bench.builds`).

Texts are standard ones of golden games, every phase among them. A whole game is one of two players in which
every move is chosen by chance from the list of legal moves, deals and scoring included.
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
    # Not a ratio: the bound of 10 µs as a rate.
    Requirement("full validation of a text", "validate", 100_000, 1, 0),
)


def _texts() -> Iterator[str]:
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        for game in map(json.loads, lines):
            for row in game["rounds"]:
                yield from (one["fen"] for one in (row, *row["moves"], row["tiling"]) if one["fen"])


def corpus(count: int) -> list[str]:
    """Standard texts, evenly from the golden games."""
    texts = list(_texts())
    return texts[:: max(1, len(texts) // count)][:count]


def _states(texts: Sequence[str]) -> list[Any]:
    return [AzulState.from_fen(text) for text in texts]


def _offers(texts: Sequence[str]) -> list[Any]:
    return [state for state in _states(texts) if state.phase == "offer"]


def _seeds(texts: Sequence[str]) -> list[Any]:
    return list(range(20))


def _read(items: Sequence[Any]) -> None:
    read = AzulState.from_fen
    for text in items:
        read(text)


def _write(items: Sequence[Any]) -> None:
    for state in items:
        state.to_fen()


def _moves(items: Sequence[Any]) -> None:
    for state in items:
        state.legal_moves()


def _copy(items: Sequence[Any]) -> None:
    for state in items:
        state.copy()


def _validate(items: Sequence[Any]) -> None:
    """Format, content and reachability, with every finding."""
    read, check = GAME.read, GAME.check
    for text in items:
        reading = read(text)
        if reading.position is None or check(reading.position, text=text):
            raise ValueError(f"{text} is not sound")


def _games(items: Sequence[Any]) -> None:
    for seed in items:
        chance = random.Random(seed)
        position = rounds.before_first_deal(2)
        while not rounds.is_last_round(position):
            position = rounds.deal_by_chance(position, chance)
            legal = legal_moves(position)
            while legal:
                position = apply_move(position, legal[int(chance.random() * len(legal))])
                legal = legal_moves(position)
            position = rounds.end_round(position).position
        rounds.finish(position)


SUITE: Final = Suite(
    "azul",
    "Azul",
    "public project",
    REQUIREMENTS,
    corpus,
    {
        "write": (_states, _write),
        "read": (list, _read),
        "moves": (_offers, _moves),
        "copy": (_states, _copy),
        "game": (_seeds, _games),
        "validate": (list, _validate),
    },
)

if __name__ == "__main__":
    sys.exit(SUITE.main())
