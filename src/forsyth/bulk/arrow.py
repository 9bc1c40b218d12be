"""Columns of texts in, columns of facts out: one function per verb over Arrow arrays.

Accepts: a game, or its name; arrays and chunked arrays of what `Texts` takes, and dictionaries of it; packed
forms as binary of fixed or any size. A chunked array gives a chunked array; of a dictionary only its values
are looked at, once each. A null gives a null; a text that cannot be read gives a null, and from `scan` a row
that says why. With `legality`, a text that is not ok counts as one that cannot be read.

Rows that are valid are answered for by the game's kernels (`forsyth.column`): no Python object is made for
them, the GIL is released, `threads` share the rows. Every other row goes through the reader.

Limits: texts longer than the game reads are findings, not errors.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.arguments import type_of
from forsyth.bulk.errors import BulkError, brief
from forsyth.bulk.verbs.compact import COMPILED, compact
from forsyth.bulk.verbs.text_arrays import Kernel, ReadOptions, Row, Texts, asking, sound, spelled, unpack_row
from forsyth.column import ASK, SPELLED, Column, Planes
from forsyth.diagnostics import SHARED_CODES, Mode, Severity
from forsyth.game import Columnar, Game, kernels_of, require_columnar

KEY_BYTES: Final = 16
_MOST_KEPT: Final = 1 << 19
"""Rows of the arrays of one value that are kept: more than any batch has, and a few megabytes together."""
_PART: Final = 4096
"""Rows whose texts are written into rooms of equal width at a time: a few megabytes."""
_SEVERITIES: Final = tuple(str(severity) for severity in Severity)
_LABEL: Final = pa.dictionary(pa.int16(), pa.string())

SCAN_TYPE: Final = pa.struct(
    [
        ("ok", pa.bool_()),
        ("code", _LABEL),
        ("severity", _LABEL),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("square", pa.string()),
        ("findings", pa.int32()),
    ]
)
"""What `scan` says of a text: whether it has no error; code, severity, place (in characters) and square of
the first error, else of the first warning; how many findings there are."""


# --- the verbs --------------------------------------------------------------------------------------


def scan(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = True, threads: int = 1
) -> Any:
    """What is wrong with each text: a struct of SCAN_TYPE."""
    return _each(texts, _options(game, mode, legality, threads), _scan, SCAN_TYPE)


def normalise(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """The canonical text of each text."""
    return _each(texts, _options(game, mode, legality, threads), _normalise, pa.large_string())


def key(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """The key of each position: 16 bytes, the same for all texts of one position."""
    options = _options(game, mode, legality, threads)

    def verb(column: Texts) -> pa.Array:
        def bind(kernels: Column, verdicts: memoryview, out: memoryview) -> Kernel:
            return lambda chars, offsets, first, last: kernels.keys(
                chars, offsets, first, last, verdicts, out
            )

        return _of_fixed_size(
            column, KEY_BYTES, bind, lambda position: bytes.fromhex(options.game.key(position))
        )

    return _each(texts, options, verb, pa.binary(KEY_BYTES))


def pack(
    texts: Any,
    game: Game | str,
    *,
    width: int | None = None,
    mode: Mode = "default",
    legality: bool = False,
    threads: int = 1,
) -> Any:
    """The packed form of each position, filled up with zeros to `width` bytes; null where it has no room.

    By default the width is the game's `packed_width`, in which every legal position has room.
    """
    options = _options(game, mode, legality, threads)
    size = require_columnar(options.game, "packed columns").packed_width if width is None else width
    if size < 1:
        raise BulkError(f"a packed column of {size} bytes holds nothing; give a width of at least 1")

    def form(position: Any) -> bytes | None:
        packed = options.game.pack(position)
        return packed.ljust(size, b"\0") if len(packed) <= size else None

    def verb(column: Texts) -> pa.Array:
        def bind(kernels: Column, verdicts: memoryview, out: memoryview) -> Kernel:
            return lambda chars, offsets, first, last: kernels.pack(
                chars, offsets, first, last, verdicts, out, size
            )

        return _of_fixed_size(column, size, bind, form)

    return _each(texts, options, verb, pa.binary(size))


def unpack(packed: Any, game: Game | str, *, threads: int = 1) -> Any:
    """The canonical text of each packed form; null where the bytes are none."""
    game = registry.game(game)
    _must_be_array(packed)
    if isinstance(packed, pa.ChunkedArray):
        chunks = [unpack(chunk, game, threads=threads) for chunk in packed.chunks]
        return pa.chunked_array(chunks, pa.large_string())
    if pa.types.is_dictionary(packed.type):
        return _taken(unpack(packed.dictionary, game, threads=threads), packed.indices)
    if not _holds_bytes(packed.type):
        raise BulkError(f"a column of {packed.type} holds no packed forms; name one of bytes with --column")
    packed = sound(packed)
    if not COMPILED or kernels_of(game) is None or not pa.types.is_fixed_size_binary(packed.type):
        return _unpacked_by_row(packed, game)
    parts = [_unpacked(packed.slice(start, _PART), game) for start in range(0, len(packed), _PART)]
    return pa.concat_arrays(parts) if parts else pa.nulls(0, pa.large_string())


def features(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """The numbers of each position: a struct with a field for each of the game's `feature_list`."""
    return _each(texts, _options(game, mode, legality, threads), _features, features_type(game))


def planes(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """The tensor of each position as bytes, `Planes.size` of them; see `tensor` for NumPy."""
    options = _options(game, mode, legality, threads)
    columnar = require_columnar(options.game, "planes")
    size = columnar.plane_shape.size

    def verb(column: Texts) -> pa.Array:
        def bind(kernels: Column, verdicts: memoryview, out: memoryview) -> Kernel:
            return lambda chars, offsets, first, last: kernels.planes(
                chars, offsets, first, last, verdicts, out
            )

        return _of_fixed_size(column, size, bind, columnar.planes)

    return _each(texts, options, verb, pa.binary(size))


def tensor(column: Any, shape: Planes) -> Any:
    """What `planes` gave as a NumPy array of bytes: positions, planes, rows, columns.

    Accepts no nulls: a tensor has no place for them. An array of one chunk is not copied.
    """
    import numpy as np

    _must_be_array(column)
    dimensions = (len(shape.names), shape.height, shape.width)
    if isinstance(column, pa.ChunkedArray):
        parts = [tensor(chunk, shape) for chunk in column.chunks]
        return np.concatenate(parts) if parts else np.zeros((0, *dimensions), np.uint8)
    if column.null_count:
        raise BulkError(f"{column.null_count} positions are missing; leave them out before making a tensor")
    if not len(column):
        return np.zeros((0, *dimensions), np.uint8)
    values = np.frombuffer(
        column.buffers()[1], np.uint8, len(column) * shape.size, column.offset * shape.size
    )
    return values.reshape(len(column), *dimensions)


def features_type(game: Game | str) -> pa.DataType:
    """The type of what `features` gives: numbers, and labels where a feature has them."""
    return pa.struct(
        [
            (feature.name, _LABEL if feature.labels else pa.int32())
            for feature in require_columnar(registry.game(game), "features").feature_list
        ]
    )


# --- one array --------------------------------------------------------------------------------------


def _options(game: Game | str, mode: Mode, legality: bool, threads: int) -> ReadOptions:
    return ReadOptions(registry.game(game), mode, legality, threads)


def _must_be_array(found: object) -> None:
    if not isinstance(found, pa.Array | pa.ChunkedArray):
        raise BulkError(
            f"an Arrow array is expected, not {type_of(found)}; pyarrow.array(values) makes one of a list"
        )


def _each(texts: Any, options: ReadOptions, verb: Callable[[Texts], pa.Array], kind: pa.DataType) -> Any:
    """A verb for each chunk, each value of a dictionary, or the array itself."""
    _must_be_array(texts)
    if isinstance(texts, pa.ChunkedArray):
        return pa.chunked_array([_each(chunk, options, verb, kind) for chunk in texts.chunks], kind)
    if pa.types.is_dictionary(texts.type):
        return _taken(_each(texts.dictionary, options, verb, kind), texts.indices)
    return verb(Texts(texts, options))


def _taken(answers: pa.Array, indices: pa.Array) -> pa.Array:
    """The answers for the values of a dictionary as those for its rows; a null has the answer of a null."""
    try:
        rows = answers.take(sound(indices))
    except IndexError as error:
        raise BulkError(
            f"a dictionary lacks a value that a row names ({brief(error)}); make it again"
        ) from error
    if not pa.types.is_struct(rows.type):
        return rows
    # A struct of nulls, not a null: as for a column that is no dictionary.
    return pa.StructArray.from_arrays(rows.flatten(), fields=list(rows.type))


def _of_fixed_size(
    column: Texts,
    size: int,
    bind: Callable[[Column, memoryview, memoryview], Kernel],
    tell: Callable[[Any], bytes | None],
) -> pa.Array:
    """What a kernel writes into rooms of equal size, and `tell` for the positions the reader finds."""
    out = pa.allocate_buffer(column.rows * size)
    room = memoryview(out).cast("B")
    verdicts = column.run(lambda kernels, judged: bind(kernels, judged, room))
    answers = pa.Array.from_buffers(pa.binary(size), column.rows, [None, out])
    return column.answered(answers, verdicts, tell)


def _scan(column: Texts) -> pa.Array:
    asked = column.asked(column.scan())
    mask = column.mask(asked)
    rows = [column.read(row) for row in asked]
    firsts = [row.first for row in rows]
    codes = _codes(column.options.game)

    def told(value: Callable[[Any], Any], kind: pa.DataType) -> pa.Array:
        values = pa.array([None if first is None else value(first) for first in firsts], kind)
        return column.replaced(_constant(None, kind, column.rows), mask, values)

    def counted(rest: pa.Array, values: list[Any]) -> pa.Array:
        return column.without_nulls(column.replaced(rest, mask, pa.array(values, rest.type)))

    fields = [
        counted(_constant(True, pa.bool_(), column.rows), [row.ok for row in rows]),
        pa.DictionaryArray.from_arrays(told(lambda one: codes.get(one.code), pa.int16()), pa.array(codes)),
        pa.DictionaryArray.from_arrays(
            told(lambda one: _SEVERITIES.index(str(one.severity)), pa.int16()), pa.array(_SEVERITIES)
        ),
        told(lambda one: one.span.start, pa.int32()),
        told(lambda one: one.span.end, pa.int32()),
        told(lambda one: one.square, pa.string()),
        counted(_constant(0, pa.int32(), column.rows), [len(row.findings) for row in rows]),
    ]
    return pa.StructArray.from_arrays(fields, fields=list(SCAN_TYPE))


def _constant(value: bool | int | None, kind: pa.DataType, rows: int) -> pa.Array:
    """An array of one value. Good data needs the same ones for every batch, so they are cut from one."""
    if rows > _MOST_KEPT:
        return pa.repeat(pa.scalar(value, kind), rows)
    return _kept_constant(value, kind).slice(0, rows)


@lru_cache(maxsize=16)
def _kept_constant(value: bool | int | None, kind: pa.DataType) -> pa.Array:
    return pa.repeat(pa.scalar(value, kind), _MOST_KEPT)


def _codes(game: Game) -> dict[str, int]:
    """Every code a finding can carry, and its number: one list for all batches, so that they agree."""
    codes = dict.fromkeys(info.code for info in (*SHARED_CODES, *game.codes))
    return {code: number for number, code in enumerate(codes)}


def _normalise(column: Texts) -> pa.Array:
    verdicts = column.scan()
    answers = column.array.cast(pa.large_string()) if ASK not in verdicts else _as_strings(column, verdicts)
    if SPELLED in verdicts and column.options.column is not None:
        answers = _rewritten(column, answers, column.options.column, memoryview(verdicts))
    return column.answered(answers, verdicts, str)


def _as_strings(column: Texts, verdicts: bytearray) -> pa.Array:
    """The texts as strings, those that the reader answers for left out: they need not be UTF-8."""
    kept = pc.if_else(asking(verdicts), pa.scalar(None, column.array.type), column.array)
    return kept.cast(pa.large_string())


def _rewritten(column: Texts, answers: pa.Array, kernels: Column, verdicts: memoryview) -> pa.Array:
    """The texts with those that are spelled otherwise in their canonical form."""
    parts = [
        _rewritten_part(
            Texts(column.array.slice(start, _PART), column.options),
            answers.slice(start, _PART),
            kernels,
            verdicts[start : start + _PART],
        )
        for start in range(0, column.rows, _PART)
    ]
    return pa.concat_arrays(parts)


def _rewritten_part(column: Texts, answers: pa.Array, kernels: Column, verdicts: memoryview) -> pa.Array:
    width = column.options.game.max_text
    wide = memoryview(bytearray(column.rows * width))
    lengths = memoryview(bytearray(4 * column.rows)).cast("i")
    column.share(
        lambda chars, offsets, first, last: kernels.rewrite(
            chars, offsets, first, last, verdicts, wide, lengths, width
        )
    )
    return pc.if_else(spelled(verdicts), _moved_together(wide, width, lengths), answers)


def _features(column: Texts) -> pa.Array:
    game, rows = require_columnar(column.options.game, "features"), column.rows
    out = pa.allocate_buffer(4 * rows * len(game.feature_list))
    room = memoryview(out).cast("B").cast("i")
    verdicts = column.run(
        lambda kernels, judged: (
            lambda chars, offsets, first, last: kernels.features(
                chars, offsets, first, last, judged, room, rows
            )
        )
    )
    asked = column.asked(verdicts)
    told = [_features_of(game, column.read(row)) for row in asked]
    mask = column.mask(asked)
    fields = []
    for number, feature in enumerate(game.feature_list):
        part = out.slice(4 * number * rows, 4 * rows)
        values = pa.array([None if one is None else one[number] for one in told], pa.int32())
        numbers = pa.Array.from_buffers(pa.int32(), rows, [None, part])
        numbers = column.without_nulls(column.replaced(numbers, mask, values))
        fields.append(_labelled(numbers, feature.labels))
    return pa.StructArray.from_arrays(fields, fields=list(features_type(column.options.game)))


def _features_of(game: Columnar, row: Row) -> tuple[int, ...] | None:
    return None if row.position is None else game.features(row.position)


def _labelled(numbers: pa.Array, labels: tuple[str, ...]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(numbers.cast(pa.int16()), pa.array(labels)) if labels else numbers


def _moved_together(wide: memoryview, width: int, lengths: memoryview) -> pa.Array:
    rows = len(lengths)
    out = pa.allocate_buffer(sum(lengths))
    offsets = pa.allocate_buffer(8 * (rows + 1))
    places = memoryview(offsets).cast("B").cast("q")
    compact(wide, width, lengths, rows, memoryview(out).cast("B"), places)
    return pa.Array.from_buffers(pa.large_string(), rows, [None, offsets, out])


def _holds_bytes(kind: pa.DataType) -> bool:
    is_binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or kind == pa.binary_view()
    return bool(is_binary or pa.types.is_fixed_size_binary(kind) or pa.types.is_null(kind))


def _unpacked(packed: pa.Array, game: Game) -> pa.Array:
    """The texts of a few packed forms of fixed size."""
    kernels = kernels_of(game)
    rows, width, room = len(packed), packed.type.byte_width, game.max_text
    if kernels is None:
        return _unpacked_by_row(packed, game)
    start = packed.offset * width
    data = memoryview(packed.buffers()[1]).cast("B")[start : start + rows * width]
    verdicts = bytearray(rows)
    wide = memoryview(bytearray(rows * room))
    lengths = memoryview(bytearray(4 * rows)).cast("i")
    kernels.unpack(data, width, 0, rows, memoryview(verdicts), wide, lengths, room)
    answers = _moved_together(wide, room, lengths)
    if ASK in verdicts or packed.null_count:
        mask = pc.or_(asking(verdicts), packed.is_null())
        answers = pc.replace_with_mask(answers, mask, _unpacked_by_row(packed.filter(mask), game))
    return answers


def _unpacked_by_row(packed: pa.Array, game: Game) -> pa.Array:
    found = [None if data is None else unpack_row(game, data) for data in packed.to_pylist()]
    return pa.array([None if one is None else str(one) for one in found], pa.large_string())
