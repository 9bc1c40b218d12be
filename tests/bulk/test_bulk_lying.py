"""Arrays made in memory: nulls mean the same in every kind, and what leads out of its buffers is refused."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from tests.whole_game import WholeGame, whole

from forsyth import registry
from forsyth.bulk import arrow
from forsyth.bulk.errors import BulkError

CHESS = registry.game("chess")
GAMES = [whole(name) for name in ("chess", "cotulenh", "azul")]
VERBS: dict[str, Callable[..., Any]] = {
    "scan": arrow.scan,
    "normalise": arrow.normalise,
    "key": arrow.key,
    "pack": arrow.pack,
    "features": arrow.features,
    "planes": arrow.planes,
}

each_verb = pytest.mark.parametrize("verb", VERBS)
each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


# --- nulls ------------------------------------------------------------------------------------------


def _dictionary(rows: list[Any], kind: pa.DataType, null_value: bool) -> Any:
    """A dictionary whose nulls are those of its indices, or a value that is null."""
    values = list(dict.fromkeys(row for row in rows if row is not None))
    places = {row: number for number, row in enumerate(values)}
    gap = len(values) if null_value else None
    indices = pa.array([gap if row is None else places[row] for row in rows], pa.int8())
    return pa.DictionaryArray.from_arrays(indices, pa.array([*values, None], kind))


def _made(kind: str, rows: list[Any], plain: pa.DataType) -> Any:
    if kind == "null index":
        return _dictionary(rows, plain, null_value=False)
    if kind == "null value":
        return _dictionary(rows, plain, null_value=True)
    if kind == "sliced dictionary":
        return _dictionary([rows[0], *rows, rows[0]], plain, null_value=True).slice(1, len(rows))
    whole = pa.array(rows, plain)
    if kind == "chunked":
        return pa.chunked_array([whole.slice(0, 2), whole.slice(2, 0), whole.slice(2)])
    if kind == "chunked dictionary":
        found = _dictionary(rows, plain, null_value=False)
        return pa.chunked_array([found.slice(0, 2), found.slice(2)])
    if kind == "sliced":
        return pa.array([rows[0], *rows, rows[0]], plain).slice(1, len(rows))
    return whole


SHAPES = ["null index", "null value", "sliced dictionary", "chunked dictionary", "chunked", "sliced"]
KINDS = [
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
]


@each_game
@each_verb
def test_nulls_mean_the_same_in_every_kind_of_column(game: WholeGame, verb: str) -> None:
    rows = [None, game.start, "x", None, game.start, f" {game.start}"]
    wanted = VERBS[verb](pa.array(rows), game).to_pylist()
    for shape in SHAPES:
        assert VERBS[verb](_made(shape, rows, pa.string()), game).to_pylist() == wanted, shape
    for kind in KINDS:
        assert VERBS[verb](pa.array(rows).cast(kind), game).to_pylist() == wanted, kind


@each_game
def test_nulls_among_packed_forms_mean_the_same_in_every_kind(game: WholeGame) -> None:
    packed = game.pack(game.parse(game.start)).ljust(game.packed_width, b"\0")
    rows = [None, packed, bytes(game.packed_width), None, packed]
    fixed = pa.binary(game.packed_width)
    wanted = [None, game.start, None, None, game.start]
    assert arrow.unpack(pa.array(rows, fixed), game).to_pylist() == wanted
    for shape in SHAPES:
        assert arrow.unpack(_made(shape, rows, fixed), game).to_pylist() == wanted, shape
    for kind in KINDS[2:]:
        assert arrow.unpack(pa.array(rows, fixed).cast(pa.binary()).cast(kind), game).to_pylist() == wanted


# --- arrays that lie --------------------------------------------------------------------------------

TEXT = CHESS.start.encode()


def _with_offsets(kind: pa.DataType, code: str, offsets: list[int], chars: bytes = TEXT) -> Any:
    """Texts between some offsets, which are written behind Arrow's back: it looks at the first and last."""
    places = array(code, [0] * len(offsets))
    found = pa.Array.from_buffers(kind, len(offsets) - 1, [None, pa.py_buffer(places), pa.py_buffer(chars)])
    places[:] = array(code, offsets)
    return found


def _view(size: int, buffer: int, offset: int) -> Any:
    """One string view that says it has so many characters in a buffer."""
    said = bytearray(16)
    found = pa.Array.from_buffers(pa.string_view(), 1, [None, pa.py_buffer(said), pa.py_buffer(TEXT)])
    said[:] = struct.pack("<i4sii", size, TEXT[:4], buffer, offset)
    return found


SIZE = len(TEXT)
LYING: dict[str, Callable[[], Any]] = {
    "past the end": lambda: _with_offsets(pa.string(), "i", [0, SIZE + 4000]),
    "far past the end": lambda: _with_offsets(pa.large_string(), "q", [0, SIZE, 2**62]),
    "negative": lambda: _with_offsets(pa.string(), "i", [-50, SIZE]),
    "decreasing": lambda: _with_offsets(pa.string(), "i", [0, SIZE, 3, SIZE]),
    "decreasing below zero": lambda: _with_offsets(pa.large_binary(), "q", [0, -(2**40), SIZE]),
    "a difference that overflows": lambda: _with_offsets(
        pa.large_string(), "q", [0, 2**63 - 1, -(2**63) + 30, SIZE]
    ),
    "a peak": lambda: _with_offsets(pa.large_string(), "q", [0, 2**61, SIZE]),
    "sliced": lambda: _with_offsets(pa.string(), "i", [0, 5, 9, 2**30, 7, SIZE]).slice(2),
    "a view past the end": lambda: _view(SIZE, 0, 4000),
    "a view of no buffer": lambda: _view(SIZE, 7, 0),
    "a view of a negative size": lambda: _view(-(2**31), 0, 0),
    "an index past the dictionary": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, 9], pa.int8()), pa.array([CHESS.start]), safe=False
    ),
    "a negative index": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, -9], pa.int8()), pa.array([CHESS.start]), safe=False
    ),
    "a dictionary that lies": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0]), _with_offsets(pa.string(), "i", [0, 2**30, SIZE])
    ),
    "a chunk that lies": lambda: pa.chunked_array(
        [pa.array([CHESS.start]), _with_offsets(pa.string(), "i", [0, 2**30])]
    ),
}


@pytest.mark.parametrize("name", LYING)
def test_an_array_that_leads_out_of_its_memory_is_refused(name: str) -> None:
    for verb in (*VERBS.values(), arrow.unpack):
        with pytest.raises(
            BulkError, match=r"memory outside of its buffers|lacks a value|expected packed forms"
        ):
            verb(LYING[name](), CHESS)


def test_offsets_need_not_begin_at_the_first_character() -> None:
    column = _with_offsets(pa.string(), "i", [4, 4 + SIZE, 4 + SIZE], b"junk" + TEXT + b"junk")
    assert [row["ok"] for row in arrow.scan(column, CHESS).to_pylist()] == [True, False]


def test_a_view_of_bytes_that_are_not_utf8_is_a_finding() -> None:
    column = pa.array([b"\xff" * 20, TEXT], pa.binary_view()).view(pa.string_view())
    assert [row["ok"] for row in arrow.scan(column, CHESS).to_pylist()] == [False, True]
