"""Columns of texts in, columns of facts out: one function per verb over Arrow arrays.

Accepts: a game, or its name; arrays and chunked arrays of what `Texts` takes, and dictionaries of it; lists,
NumPy arrays, pandas and Polars series of texts; packed forms as binary of fixed or any size. A chunked array
and a Polars series give a chunked array; of a dictionary only its values are looked at, once each. A null
gives a null; a text that cannot be read gives a null, and from `scan` a row that says why. With `legality`, a
text that is not ok counts as one that cannot be read.

Rows that are accepted, and those with common faults, are answered for by the game's kernels
(`forsyth.column`): no Python object is made for them, the GIL is released, `threads` share the rows
(`shared_rows`). Every other row goes through the reader.

Limits: texts longer than the game reads are findings, not errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.arguments import type_of
from forsyth.bulk.errors import BulkError, brief
from forsyth.bulk.verbs.kernel_output import COMPILED, compact, spread_notes
from forsyth.bulk.verbs.material import MATERIAL_TYPE, labels, letters_of
from forsyth.bulk.verbs.shared_rows import shared
from forsyth.bulk.verbs.text_arrays import (
    Kernel,
    ReadOptions,
    Row,
    Scanned,
    Texts,
    asking,
    canonical,
    sound,
    unpack_row,
)
from forsyth.column import ASK, CANONICAL, NOTED, REFUSED, Column, Planes
from forsyth.diagnostics import SHARED_CODES, Mode, Severity
from forsyth.game import Columnar, Game, kernels_of, require_columnar

KEY_BYTES: Final = 16
_MOST_KEPT: Final = 1 << 19
"""Rows of the arrays of one value that are kept: more than any batch has, and a few megabytes together."""
_ROOMS: Final = 1 << 22
"""Bytes of the rooms of equal width into which texts are written at a time: few of them, and the threads wait
for each other; many, and they leave the caches."""
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
        def bind(kernels: Column, verdicts: memoryview) -> Kernel:
            return lambda chars, offsets, first, last: kernels.keys(
                chars, offsets, first, last, verdicts, column.room
            )

        return _of_fixed_size(
            column, KEY_BYTES, bind, lambda position: bytes.fromhex(options.game.key(position))
        )

    return _each(texts, options, verb, pa.binary(KEY_BYTES), KEY_BYTES)


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

    By default the width is the game's `packed_width`, in which every legal position has room; in CoTuLenh
    every one without an open deploy session: 192 bytes hold those too, as far as is known.
    """
    options = _options(game, mode, legality, threads)
    size = require_columnar(options.game, "packed columns").packed_width if width is None else width
    if size < 1:
        raise BulkError(f"a packed column of {size} bytes holds nothing; give a width of at least 1")

    def form(position: Any) -> bytes | None:
        packed = options.game.pack(position)
        return packed.ljust(size, b"\0") if len(packed) <= size else None

    def verb(column: Texts) -> pa.Array:
        def bind(kernels: Column, verdicts: memoryview) -> Kernel:
            return lambda chars, offsets, first, last: kernels.pack(
                chars, offsets, first, last, verdicts, column.room, size
            )

        return _of_fixed_size(column, size, bind, form)

    return _each(texts, options, verb, pa.binary(size), size)


def unpack(packed: Any, game: Game | str, *, threads: int = 1) -> Any:
    """The canonical text of each packed form; null where the bytes are none."""
    game = registry.game(game)
    packed = as_array(packed)
    if pa.types.is_dictionary(packed.type):
        return _of_dictionary(packed, lambda values: unpack(values, game, threads=threads), pa.large_string())
    if not _holds_bytes(packed.type):
        raise BulkError(f"a column of {packed.type} holds no packed forms; name one of bytes with --column")
    kernels = kernels_of(game) if COMPILED and pa.types.is_fixed_size_binary(packed.type) else None

    def work(part: pa.Array, _: memoryview) -> pa.Array:
        part = sound(part)
        return _unpacked_by_row(part, game) if kernels is None else _unpacked(part, game, kernels)

    return shared(packed, work, pa.large_string(), 0, threads)


def features(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """The numbers of each position: a struct with a field for each of the game's `feature_list`."""
    options = _options(game, mode, legality, threads)
    columnar, kind = require_columnar(options.game, "features"), features_type(options.game)
    size = 4 * len(columnar.feature_list)
    return _each(texts, options, lambda column: _features(column, columnar, kind), kind, size)


def planes(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """The tensor of each position as bytes, `Planes.size` of them; see `tensor` for NumPy."""
    options = _options(game, mode, legality, threads)
    columnar = require_columnar(options.game, "planes")
    size = columnar.plane_shape.size

    def verb(column: Texts) -> pa.Array:
        def bind(kernels: Column, verdicts: memoryview) -> Kernel:
            return lambda chars, offsets, first, last: kernels.planes(
                chars, offsets, first, last, verdicts, column.room
            )

        return _of_fixed_size(column, size, bind, columnar.planes)

    return _each(texts, options, verb, pa.binary(size), size)


def tensor(column: Any, shape: Planes) -> Any:
    """What `planes` gave as a NumPy array of bytes: positions, planes, rows, columns.

    Accepts no nulls: a tensor has no place for them. An array of one chunk is not copied.
    """
    column = as_array(column)
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


def material(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """The material of each position, such as ``KRPvKR``, as labels (`forsyth.bulk.verbs.material`)."""
    known = registry.game(game)
    letters = letters_of(known)
    found = normalise(texts, known, mode=mode, legality=legality, threads=threads)
    if isinstance(found, pa.ChunkedArray):
        return pa.chunked_array([labels(chunk, letters) for chunk in found.chunks], MATERIAL_TYPE)
    return labels(found, letters)


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


def as_array(found: object) -> Any:
    """The Arrow array of an array or a series of any library, or of a list; raises `BulkError` for others."""
    if isinstance(found, pa.Array | pa.ChunkedArray):
        return found
    try:
        if hasattr(found, "__arrow_c_stream__"):
            return pa.chunked_array(found)
        if hasattr(found, "__arrow_c_array__"):
            return pa.array(found)
        if isinstance(found, list | tuple) or _is_of_numpy(found):
            return pa.array(found, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise BulkError(f"an array of texts cannot be made of {type_of(found)} ({brief(error)})") from error
    raise BulkError(
        f"an array of texts is expected (Arrow, NumPy, pandas, Polars or a list), not {type_of(found)}"
    )


def _is_of_numpy(found: object) -> bool:
    """Whether an object is a NumPy array or a series that holds one."""
    return isinstance(found, np.ndarray) or hasattr(found, "to_numpy")


def _each(
    texts: Any, options: ReadOptions, verb: Callable[[Texts], pa.Array], kind: pa.DataType, size: int = 0
) -> Any:
    """A verb for each chunk, each value of a dictionary, or the array itself.

    The verb has room for `size` bytes for each row.
    """
    texts = as_array(texts)
    if pa.types.is_dictionary(texts.type):
        return _of_dictionary(texts, lambda values: _each(values, options, verb, kind, size), kind)
    return shared(texts, lambda part, room: verb(Texts(part, options, room)), kind, size, options.threads)


def _of_dictionary(column: Any, verb: Callable[[pa.Array], pa.Array], kind: pa.DataType) -> Any:
    """A verb for the values of a dictionary, once each; every chunk of a column has its own."""
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([_of_dictionary(chunk, verb, kind) for chunk in column.chunks], kind)
    return _taken(verb(column.dictionary), column.indices)


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
    bind: Callable[[Column, memoryview], Kernel],
    tell: Callable[[Any], bytes | None],
) -> pa.Array:
    """What a kernel writes into the room of each row, and `tell` for the positions the reader finds."""

    def write(row: int, position: Any) -> bool:
        answer = tell(position)
        if answer is not None:
            column.room[row * size : (row + 1) * size] = answer
        return answer is not None

    valid = column.answered_rows(column.run(bind), write)
    return pa.Array.from_buffers(pa.binary(size), column.rows, [valid, pa.py_buffer(column.room)])


def _scan(column: Texts) -> pa.Array:
    scanned = column.scan()
    told = _noted(column, scanned)
    asked = column.asked(scanned.verdicts)
    if asked:
        told = _with_rows(column, told, asked)
    # The scanner has read a missing text as an empty one.
    told = _Told(*map(column.without_nulls, told))
    codes = pa.array(_codes(column.options.game))
    fields = [
        told.ok,
        pa.DictionaryArray.from_arrays(told.code, codes),
        pa.DictionaryArray.from_arrays(told.severity, pa.array(_SEVERITIES)),
        told.start,
        told.end,
        told.square,
        told.findings,
    ]
    return pa.StructArray.from_arrays(fields, fields=list(SCAN_TYPE))


class _Told(NamedTuple):
    """The columns of a scan, codes and severities as numbers."""

    ok: pa.Array
    code: pa.Array
    severity: pa.Array
    start: pa.Array
    end: pa.Array
    square: pa.Array
    findings: pa.Array


_TOLD_TYPES: Final = (
    pa.bool_(),
    pa.int16(),
    pa.int16(),
    pa.int32(),
    pa.int32(),
    pa.string(),
    pa.int32(),
)
_NOTHING: Final = (True, None, None, None, None, None, 0)
"""What a scan says of a row that has no findings."""


def _noted(column: Texts, scanned: Scanned) -> _Told:
    """What the kernels say of the rows, by what they noted."""
    rows = column.rows
    kernels = column.options.column
    if kernels is None or not (np.frombuffer(scanned.verdicts, np.uint8) >= NOTED).any():
        return _Told(
            *(_constant(value, kind, rows) for value, kind in zip(_NOTHING, _TOLD_TYPES, strict=True))
        )
    known = _codes(column.options.game)
    numbers = np.array([known[code] for code in kernels.codes], np.int16)
    shorts, places, bits = (pa.allocate_buffer(size) for size in (4 * rows, 16 * rows, 2 * ((rows + 7) // 8)))
    spread_notes(
        memoryview(scanned.verdicts),
        scanned.notes,
        rows,
        numbers.data,
        len(kernels.squares),
        memoryview(shorts).cast("B").cast("h"),
        memoryview(places).cast("B").cast("i"),
        memoryview(bits).cast("B"),
    )
    valid, ok = bits.slice(0, (rows + 7) // 8), bits.slice((rows + 7) // 8)
    code, severity = (
        pa.Array.from_buffers(pa.int16(), rows, [valid, shorts.slice(2 * rows * at, 2 * rows)])
        for at in range(2)
    )
    start, end, square, findings = (
        pa.Array.from_buffers(pa.int32(), rows, [mask, places.slice(4 * rows * at, 4 * rows)])
        for at, mask in enumerate((valid, valid, valid, None))
    )
    # Places in the list of squares; a finding without a square is one behind its end.
    squares = pa.array([*kernels.squares, None], pa.string())
    judged = pa.Array.from_buffers(pa.bool_(), rows, [None, ok])
    return _Told(judged, code, severity, start, end, squares.take(square), findings)


def _with_rows(column: Texts, told: _Told, asked: list[int]) -> _Told:
    """The columns of a scan with what the reader says of some rows."""
    mask = column.mask(asked)
    codes = _codes(column.options.game)
    read = [_row_values(column.read(row), codes) for row in asked]
    return _Told(
        *(
            column.replaced(rest, mask, pa.array(values, kind))
            for rest, values, kind in zip(told, zip(*read, strict=True), _TOLD_TYPES, strict=True)
        )
    )


def _row_values(row: Row, codes: Mapping[str, int]) -> tuple[Any, ...]:
    first = row.first
    if first is None:
        return (row.ok, *_NOTHING[1:])
    severity = _SEVERITIES.index(str(first.severity))
    place = (first.span.start, first.span.end, first.square)
    return (row.ok, codes.get(first.code), severity, *place, len(row.findings))


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
    verdicts = column.scan().verdicts
    kernels = column.options.column
    if (np.frombuffer(verdicts, np.uint8) == CANONICAL).all():
        return column.array.cast(pa.large_string())
    if kernels is None:
        return column.answered(pa.nulls(column.rows, pa.large_string()), verdicts, str)
    return column.answered(_rewritten(column, kernels, verdicts), verdicts, str)


def _rewritten(column: Texts, kernels: Column, verdicts: bytearray) -> pa.Array:
    """The texts of the rows that a kernel answers for, those that are spelled otherwise in canonical form."""
    chars, offsets, width = column.chars, column.offsets, column.options.game.max_text
    judged = memoryview(verdicts)

    def write(first: int, last: int, wide: memoryview, lengths: memoryview) -> None:
        places = offsets[first : last + 1]
        kernels.rewrite(chars, places, 0, last - first, judged[first:last], wide, lengths, width)

    texts = _moved_together(column.rows, width, write)
    if CANONICAL in verdicts:
        # The others have nothing in `texts`, so that what need not be UTF-8 is left out in the same pass.
        kind = column.array.type
        texts = pc.if_else(canonical(verdicts), column.array, texts.cast(kind)).cast(pa.large_string())
    numbers = np.frombuffer(verdicts, np.uint8)
    valid = pa.array((numbers != ASK) & (numbers != REFUSED)).buffers()[1]
    return pa.Array.from_buffers(texts.type, column.rows, [valid, *texts.buffers()[1:]])


def _features(column: Texts, game: Columnar, kind: pa.DataType) -> pa.Array:
    rows, room = column.rows, column.room.cast("i")
    verdicts = column.run(
        lambda kernels, judged: (
            lambda chars, offsets, first, last: kernels.features(
                chars, offsets, first, last, judged, room, rows
            )
        )
    )

    def write(row: int, position: Any) -> bool:
        for number, value in enumerate(game.features(position)):
            room[number * rows + row] = value
        return True

    valid = column.answered_rows(verdicts, write)
    fields = []
    for number, feature in enumerate(game.feature_list):
        part = pa.py_buffer(room[number * rows : (number + 1) * rows])
        numbers = pa.Array.from_buffers(pa.int32(), rows, [valid, part])
        fields.append(_labelled(numbers, feature.labels))
    return pa.StructArray.from_arrays(fields, fields=list(kind))


def _labelled(numbers: pa.Array, labels: tuple[str, ...]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(numbers.cast(pa.int16()), pa.array(labels)) if labels else numbers


def _moved_together(
    rows: int, width: int, write: Callable[[int, int, memoryview, memoryview], None]
) -> pa.Array:
    """The texts that `write` writes into rooms of equal width, a few rows at a time.

    It is told the first row and the one after the last, the rooms, and where the lengths go.
    """
    most = min(max(1, _ROOMS // width), rows)
    # One room for all parts: fresh memory costs more than what is written into it. It is Arrow's, which keeps
    # it for the next: threads that give pages back to the system wait for each other.
    wide = memoryview(pa.allocate_buffer(most * width)).cast("B")
    parts = []
    for first in range(0, rows, most):
        last = min(first + most, rows)
        lengths = np.zeros(last - first, np.int32)
        write(first, last, wide, lengths.data)
        out = pa.allocate_buffer(int(lengths.sum()))
        offsets = pa.allocate_buffer(8 * (last - first + 1))
        places = memoryview(offsets).cast("B").cast("q")
        compact(wide, width, lengths.data, last - first, memoryview(out).cast("B"), places)
        parts.append(pa.Array.from_buffers(pa.large_string(), last - first, [None, offsets, out]))
    return pa.concat_arrays(parts) if len(parts) > 1 else parts[0]


def _holds_bytes(kind: pa.DataType) -> bool:
    is_binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or kind == pa.binary_view()
    return bool(is_binary or pa.types.is_fixed_size_binary(kind) or pa.types.is_null(kind))


def _unpacked(packed: pa.Array, game: Game, kernels: Column) -> pa.Array:
    """The texts of packed forms of fixed size."""
    rows, size, width = len(packed), packed.type.byte_width, game.max_text
    if not rows:
        return pa.nulls(0, pa.large_string())
    start = packed.offset * size
    data = memoryview(packed.buffers()[1]).cast("B")[start : start + rows * size]
    verdicts = bytearray(rows)
    judged = memoryview(verdicts)

    def write(first: int, last: int, wide: memoryview, lengths: memoryview) -> None:
        forms = data[first * size : last * size]
        kernels.unpack(forms, size, 0, last - first, judged[first:last], wide, lengths, width)

    answers = _moved_together(rows, width, write)
    if ASK in verdicts or packed.null_count:
        mask = pc.or_(asking(verdicts), packed.is_null())
        answers = pc.replace_with_mask(answers, mask, _unpacked_by_row(packed.filter(mask), game))
    return answers


def _unpacked_by_row(packed: pa.Array, game: Game) -> pa.Array:
    found = [None if data is None else unpack_row(game, data) for data in packed.to_pylist()]
    return pa.array([None if one is None else str(one) for one in found], pa.large_string())
