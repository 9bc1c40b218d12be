"""The measured texts: the 10,000 of the speed corpus, broken texts, and garbage."""

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
def load_speed_rows() -> tuple[Row, ...]:
    """Return all rows of the speed corpus. No text occurs twice."""
    with gzip.open(GOLDEN / "bench_10k.tsv.gz", "rt", encoding="utf-8") as lines:
        return tuple(Row(*line.rstrip("\n").split("\t")) for line in lines)


def sample_rows(count: int, seed: int = 1) -> list[Row]:
    """Return `count` rows of the speed corpus in random order.

    The order is random because neighbours in the file come from the same kind of game.
    """
    rows = list(load_speed_rows())
    random.Random(seed).shuffle(rows)
    return rows[:count]


def load_broken_texts() -> list[str]:
    """Return the texts that cannot be read: every row of class `syntax` among the golden invalid texts."""
    with gzip.open(GOLDEN / "invalid_fens.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row["fen"] for row in rows if row["class"] == "syntax"]


def make_garbage() -> dict[str, str]:
    """Return invalid texts of a million characters each, by name.

    Each repeats something that occurs in valid texts or is hard to reject without reading all of it.
    """
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
