"""Why moves are not possible, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.hindrance_answers` writes it anew, for a change that is meant; read the difference before it
is kept. In each position pairs of places are asked for at random, then texts of moves with slips.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Final

from tests import test_hindrances as explained
from tests.answers import FOLDER, kept
from tests.changes import GAMES as CHANGED
from tests.move_answers import SHAPES, boards_at_random
from tests.notation_answers import told

import forsyth

FILE: Final = FOLDER / "hindrances.jsonl"

_PAIRS: Final = 30
"""Pairs of places of each position."""
_TEXTS: Final = 14
"""Texts with slips of each position."""
_BOARDS: Final = 8
"""Boards at random of each game."""
_HARD: Final = {
    "chess": (
        *(explained.CHECK, explained.PINNED, explained.CROSSING, explained.LOST, explained.PROMOTING),
        *(explained.CROSSED, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
        "r3k2r/8/8/1b6/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/pp1p4/8/2pPp1pP/PpP1p3/1P2P3/8/R3K2R w KQ c6 0 1",
        "4k3/2p1p3/8/3pPp2/8/8/4P3/3R3R w - d6 0 1",
    ),
    "crazyhouse": (explained.POCKET,),
    "xiangqi": (
        *(explained.CANNONS, explained.FACING, "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1"),
        "r1bakab1r/9/1cn4c1/p1p1p1p1p/4n4/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1",
    ),
    "shogi": (
        *(explained.HANDS, "3lkl3/3p1p3/4G4/9/9/9/9/9/4K4 b P 1", "k8/l8/9/9/9/9/4r4/9/4K4 b P 1"),
        "ln1gk2nl/1r1s2gb1/p1pppp1pp/6p2/1p7/2P4P1/PP1PPPP1P/1BS2S1R1/LN1GKG1NL b Pp 1",
    ),
    "cotulenh": (
        *(explained.GUARDED, explained.FACED, explained.ATTACKED, explained.STACK, explained.AT_SEA),
        "6c4/11/11/11/11/11/1N9/1(FT)9/11/11/11/5C5 r - - 0 9 DEPLOY b5:FT 1 N>b6",
        "6c4/11/11/11/11/11/2I8/2T8/11/5t5/11/5C5 r - - 0 9 DEPLOY c5:T 1 I>c6",
        "6c4/11/11/11/11/11/11/2T8/2I8/11/11/6C4 r - - 0 9 DEPLOY c5:T 1 I>c4",
        "6c4/1n2fh3s1/3a2i4/11/4ttm4/2n8/11/1(NFT)2(TI)1G4/3F1A5/6H2S1/2N8/5C5 r - - 3 12",
    ),
}
"""Positions in which something is pinned, in check, crossed, carried or guarded."""


def _texts(name: str) -> list[str]:
    boards = [*boards_at_random(name)][:_BOARDS] if name in SHAPES else []
    return ["start", *CHANGED[name][2], *_HARD.get(name, ()), *boards]


def _slipped(text: str, chance: random.Random) -> str:
    """A text with one of its signs left out, doubled or changed."""
    at = chance.randrange(len(text))
    put = chance.choice(("", text[at] * 2, *"12345678abcdehNQKTx+=@*>()-"))
    return f"{text[:at]}{put}{text[at + 1 :]}"


def _asked(game: Any, position: Any, chance: random.Random) -> Iterator[list[Any]]:
    facts = [game.describe_move(position, move) for move in game.moves(position)]
    cells = [cell.id for area in game.scene(position).areas for cell in area.cells]
    # Most of the pairs begin where something stands that can move, and end where something can go.
    origins = sorted({fact.origin for fact in facts if fact.origin}) or cells
    targets = sorted({fact.target for fact in facts if fact.target}) + origins
    for number in range(_PAIRS):
        target = chance.choice(targets if number % 3 else [*cells, "z9"])
        pair = chance.choice(origins if number % 6 else cells), target
        piece = chance.choice(facts).piece if facts and number % 5 == 0 else ""
        yield [*pair, piece, told(game.why_not, position, *pair, piece)]
    texts = [fact.move for fact in facts] or ["e2e4"]
    for number in range(_TEXTS):
        text = chance.choice(texts)
        text = text if number % 6 == 0 else _slipped(text, chance)
        yield [text, told(game.explain, position, text)]


def _rows(name: str) -> Iterator[str]:
    game: Any = forsyth.game(*CHANGED[name][:2])
    for text in _texts(name):
        position = game.read(game.names.get(text, text)).position
        if position is not None:
            said = [kept(one) for one in _asked(game, position, random.Random(text))]
            yield json.dumps([name, text, *said, game.why_open(position) if name == "cotulenh" else None])


def answers() -> Iterator[str]:
    """Every position with what was asked and answered, a position a line."""
    for name in CHANGED:
        yield from _rows(name)


if __name__ == "__main__":
    FILE.write_text("\n".join(answers()) + "\n", encoding="utf-8", newline="\n")
