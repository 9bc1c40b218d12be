"""The golden data of chess, read once: tests/golden/chess/README.md says what the columns mean."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import forsyth
from forsyth.games.chess import Chess, read_fen
from forsyth.games.chess.notation.kernel import decode

FOLDER = Path(__file__).parent / "golden" / "chess"
COMPILED = bool(forsyth.build_info()["compiled"])
CHESS = Chess()

Row = dict[str, Any]


@cache
def rows(name: str) -> tuple[Row, ...]:
    """The rows of one file of JSON Lines."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


@cache
def bench() -> tuple[tuple[str, str], ...]:
    """FEN and one legal SAN, ten thousand times."""
    with gzip.open(FOLDER / "bench_10k.tsv.gz", "rt", encoding="utf-8") as lines:
        pairs = (line.rstrip("\n").split("\t") for line in lines)
        return tuple((fen, san) for fen, san in pairs)


def variant_of(row: Row) -> str:
    """The variant whose rules a row follows."""
    return str(row.get("variant", "chess960" if row.get("chess960") else "standard"))


def game_of(row: Row) -> Chess:
    """Chess, playing the variant of a row."""
    return CHESS.with_variant(variant_of(row))


def report(failures: list[str], total: int) -> str:
    """The first few failures, for the message of one assertion about many rows."""
    head = "\n".join(failures[:10])
    return f"{len(failures)} of {total} rows differ\n{head}"


_REPAIRS = ("castling.no_king", "castling.no_rook", "ep.side", "ep.no_pawn", "ep.blocked")
"""What lenient reading mends although the text is canonical: the board contradicts it."""


def require_agreement(text: str) -> None:
    """The kernel decodes exactly the texts that the reader has nothing to say about, to the same position."""
    fast = decode(text)
    # Lenient reading always goes through the reader.
    slow = read_fen(text, mode="lenient")
    spoken = [d.code for d in slow.diagnostics if d.code not in _REPAIRS]
    assert (fast is None) is bool(spoken), (text, spoken)
    if fast is not None:
        assert str(fast) == text
        kept = {"rights": fast.rights, "ep_square": fast.ep_square}
        assert slow.position is not None
        assert slow.position.replace(**kept) == fast, text
