"""Fuzz columns: the lines of a text as rows, its bytes as packed forms, and its first bytes as offsets."""

from __future__ import annotations

from array import array

import pyarrow as pa
from tests.fuzz.harness import fuzz, require
from tests.whole_game import WholeGame, whole

from forsyth.bulk import arrow
from forsyth.bulk.errors import BulkError
from forsyth.bulk.verbs.text_arrays import read_row

OFFSETS = 4
VERBS = (arrow.normalise, arrow.key, arrow.pack, arrow.features, arrow.planes)


def check(data: bytes) -> None:
    """Give the same bytes to the kernels of every game."""
    lines = data.split(b"\n")[:8]
    for name in ("chess", "cotulenh", "azul"):
        game = whole(name)
        _require_rows(game, lines)
        _require_packed(game, data)
        _require_offsets(game, data)


def _require_rows(game: WholeGame, lines: list[bytes]) -> None:
    column = pa.array(lines, pa.binary())
    wanted = [read_row(game, line, "default", True).ok for line in lines]
    require([row["ok"] for row in arrow.scan(column, game).to_pylist()] == wanted, game.name, lines)
    positions = [read_row(game, line, "default", False).position for line in lines]
    for verb in VERBS:
        require(len(verb(column, game)) == len(lines), game.name, lines)
    texts = [None if one is None else str(one) for one in positions]
    require(arrow.normalise(column, game).to_pylist() == texts, game.name, lines)
    keys = [None if one is None else bytes.fromhex(game.key(one)) for one in positions]
    require(arrow.key(column, game).to_pylist() == keys, game.name, lines)


def _require_packed(game: WholeGame, data: bytes) -> None:
    width = game.packed_width
    forms = [data[:width].ljust(width, b"\0"), data[-width:].ljust(width, b"\0")]
    fixed = arrow.unpack(pa.array(forms, pa.binary(width)), game).to_pylist()
    require(fixed == arrow.unpack(pa.array(forms, pa.binary()), game).to_pylist(), game.name, data.hex())


def _require_offsets(game: WholeGame, data: bytes) -> None:
    """Offsets that say anything are followed inside the characters, or refused."""
    places = array("q", bytes(8 * OFFSETS))
    column = pa.Array.from_buffers(
        pa.large_string(), OFFSETS - 1, [None, pa.py_buffer(places), pa.py_buffer(data)]
    )
    places[:] = array("q", data[: 8 * OFFSETS].ljust(8 * OFFSETS, b"\0"))
    for verb in (arrow.scan, *VERBS):
        try:
            verb(column, game)
        except BulkError:
            return


if __name__ == "__main__":
    fuzz(check)
