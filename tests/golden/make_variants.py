"""Writes tests/golden/chess/more_variants.jsonl.gz: positions of variants that other golden data lacks.

`python -m tests.golden.make_variants` plays random games with python-chess, which says texts, legal moves
with their SAN, check and result; the same file comes out every time. Keys and packed forms are Forsyth's
own, kept because they are promised for ever: what is in the file already is never written otherwise.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from typing import Any, Final

from chess import Board, variant
from tests.golden_data import FOLDER, Row

import forsyth

SEED: Final = 16
GAMES: Final = 12
PLIES: Final = 120
STEP: Final = 7
BOARDS: Final[dict[str, type[Board]]] = {
    "atomic": variant.AtomicBoard,
    "antichess": variant.AntichessBoard,
    "horde": variant.HordeBoard,
    "kingofthehill": variant.KingOfTheHillBoard,
    "racingkings": variant.RacingKingsBoard,
}


def main() -> None:
    """Write the file."""
    chance = random.Random(SEED)
    rows = [row for name in BOARDS for row in _rows(name, chance)]
    lines = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    # Without a time in it the file is the same every time.
    packed = gzip.compress(lines.encode(), 9, mtime=0)
    (FOLDER / "more_variants.jsonl.gz").write_bytes(packed)


def _rows(name: str, chance: random.Random) -> Iterator[Row]:
    for number, board in enumerate(_positions(BOARDS[name](), chance), 1):
        yield {"id": f"{name}-{number}", **_row(name, board)}


def _positions(start: Board, chance: random.Random) -> Iterator[Board]:
    """Every few plies of some games, and how each ends."""
    for _ in range(GAMES):
        board = start.copy()
        for ply in range(PLIES):
            if ply % STEP == 0 or board.is_game_over():
                yield board
            if board.is_game_over():
                break
            moves = sorted(board.legal_moves, key=str)
            captures = [move for move in moves if board.is_capture(move)]
            # Quiet games would have few explosions and few men captured.
            board.push(chance.choice(captures if captures and chance.random() < 0.4 else moves))


def _row(name: str, board: Board) -> dict[str, Any]:
    text = board.fen(en_passant="fen")
    position = forsyth.game("chess", name).parse(text, legality=False)
    return {
        "variant": name,
        "fen": text,
        "moves": {move.uci(): board.san(move) for move in sorted(board.legal_moves, key=str)},
        "check": board.is_check(),
        "result": board.result(),
        "key": position.key,
        "packed": position.packed.hex(),
    }


if __name__ == "__main__":
    main()
