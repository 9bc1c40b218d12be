"""The legal moves of odd positions, as they are kept: tests/golden/answers/README.md says what for.

`python -m tests.move_answers` writes them anew, for a change that is meant; read the difference before it is
kept. Positions are those of texts with findings, legal or not, and boards with men at random.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from typing import Any, Final

from tests.answers import FOLDER
from tests.findings import GAMES, texts

import forsyth

FILE: Final = FOLDER / "moves.jsonl"

_BOARDS: Final = 80
"""Boards at random of each game."""
_MEN: Final = {
    "chess": "KkKkQqRrBbNnPPPPpppp",
    "xiangqi": "KkRrNnCcBbAaPPpp",
    "shogi": "KkRrBbGgSsNnLlPPpp",
    "cotulenh": (
        *("C", "c", "C", "c", "I", "i", "T", "t", "M", "m", "E", "e", "A", "a", "G", "g", "S", "s", "F", "f"),
        *("N", "n", "H", "h", "+T", "+f", "+h", "(TI)", "(ti)", "(FT)", "(fti)", "(NFT)", "(nf)", "(HC)"),
        *("(EA)", "(eg)", "(+NF)", "(NC)", "(nc)", "(tm)"),
    ),
}
SHAPES: Final = {"chess": (8, 8), "xiangqi": (10, 9), "shogi": (9, 9), "cotulenh": (12, 11)}
"""How many ranks and files the boards of games have."""
_RESTS: Final = {
    "chess": ("w KQkq - 0 1", "b - e3 99 80", "w - d6 0 1"),
    "xiangqi": ("w - - 0 1", "b - - 119 70"),
    "shogi": ("b 2P2p 1", "w RBGSNLPrbgsnlp 9"),
    "cotulenh": ("r - - 0 1", "b - - 98 60"),
}
_CORNERS: Final = (
    "11/11/5Mc4/11/4C4I1/7G3/11/4f6/5i5/11/7i3/(NC)7s2 r - - 0 1",
    "11/11/5Mc4/11/4C4I1/7G3/11/4f6/5i5/11/7i3/(NC)7s2 b - - 0 1",
    "11/6c4/7T3/6M4/11/11/7C3/6(FT)4/11/11/11/n10 r - - 0 1",
    "11/11/5H5/4f6/4C6/11/11/11/5f5/11/11/N9c b - - 0 1",
    "3c7/3i7/11/11/11/11/11/3C7/11/4f6/7i3/N10 b - - 0 1",
    "11/5E5/11/11/11/8c2/11/9F1/11/11/4C6/n4F5 r - - 0 1",
)
"""Boards on whose first square one of two commanders stands, or the last guard of a side."""


def boards_at_random(game: str) -> Iterator[str]:
    """Boards with men anywhere."""
    height, width = SHAPES[game]
    chance = random.Random(game)
    for number in range(_BOARDS):
        board = [[""] * width for _ in range(height)]
        for _ in range(chance.randrange(4, 18)):
            board[chance.randrange(height)][chance.randrange(width)] = chance.choice(_MEN[game])
        if number % 3 == 0:
            # The first and the last square are where numbers of squares end.
            board[chance.choice((0, -1))][chance.choice((0, -1))] = chance.choice(_MEN[game])
        ranks = "/".join(map(_rank, board))
        yield f"{ranks} {_RESTS[game][number % len(_RESTS[game])]}"


def _rank(cells: list[str]) -> str:
    written, empty = "", 0
    for cell in [*cells, "."]:
        if not cell:
            empty += 1
            continue
        written += (str(empty) if empty else "") + cell
        empty = 0
    return written[:-1]


def _texts(name: str) -> Iterator[str]:
    yield from texts(name)
    if name in SHAPES:
        yield from boards_at_random(name)
    if name == "cotulenh":
        yield from _CORNERS


def _told(game: forsyth.Game, position: Any) -> list[Any]:
    """How many moves there are, all of them, where they lead, and how the game stands."""
    moves = game.moves(position)
    written = " ".join(game.write_move(position, move) for move in moves)
    after = " ".join(game.key(game.play(position, move)) for move in moves[:12])
    digests = [hashlib.sha256(text.encode()).hexdigest()[:12] for text in (written, after)]
    return [len(moves), *digests, str(game.outcome(position))]


def answers(name: str) -> Iterator[str]:
    """What can be played in the positions of a game, a position a line."""
    game = GAMES[name]
    seen: set[str] = set()
    for text in _texts(name):
        position = forsyth.read(text, game).position
        if position is None or (canonical := str(position)) in seen:
            continue
        seen.add(canonical)
        yield json.dumps([name, canonical, *_told(game, position)])


def all_answers() -> Iterator[str]:
    """The positions of all games."""
    for name in GAMES:
        yield from answers(name)


if __name__ == "__main__":
    FILE.write_text("\n".join(all_answers()) + "\n", encoding="utf-8", newline="\n")
