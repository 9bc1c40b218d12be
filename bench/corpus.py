"""The texts everything is measured on: the 10,000 of the speed corpus, broken ones, and garbage."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

GOLDEN: Final = Path(__file__).resolve().parent.parent / "tests" / "golden" / "chess"
START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
GARBAGE_LENGTH: Final = 1_000_000


class Row(NamedTuple):
    """One line of the speed corpus: a legal position and one legal move in it."""

    fen: str
    san: str


@cache
def speed_rows() -> tuple[Row, ...]:
    """The whole speed corpus; all its texts are distinct."""
    with gzip.open(GOLDEN / "bench_10k.tsv.gz", "rt", encoding="utf-8") as lines:
        return tuple(Row(*line.rstrip("\n").split("\t")) for line in lines)


def some_rows(count: int, seed: int = 1) -> list[Row]:
    """`count` rows in random order: neighbours in the file come from the same kind of game."""
    rows = list(speed_rows())
    random.Random(seed).shuffle(rows)
    return rows[:count]


def broken_texts() -> list[str]:
    """Texts that cannot be read: every row of class `syntax` among the golden invalid texts."""
    with gzip.open(GOLDEN / "invalid_fens.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row["fen"] for row in rows if row["class"] == "syntax"]


def garbage() -> dict[str, str]:
    """A megabyte of nothing, in shapes that tempt a reader to look at all of it."""
    noise = random.Random(2)
    shapes = {
        "letters": "x",
        "pieces": "K",
        "digits": "8",
        "ranks": "8/",
        "slashes": "/",
        "blanks": " ",
        "fields": "w ",
        "nul": "\0",
        "good text repeated": START + " ",
        "emoji": "\N{BLACK CHESS KNIGHT}\N{CROWN}",
        "lone surrogates": "\ud800",
        "noise": "".join(chr(noise.randrange(32, 127)) for _ in range(10_000)),
    }
    return {
        name: (shape * (GARBAGE_LENGTH // len(shape) + 1))[:GARBAGE_LENGTH] for name, shape in shapes.items()
    }
