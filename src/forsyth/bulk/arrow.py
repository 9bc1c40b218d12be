"""One function per verb, from an Arrow array of texts to an array of results.

Arguments: the game is a `Game` or its name. Texts are arrays or chunked arrays of the types that `Texts`
takes, dictionary arrays of them, lists, and NumPy arrays and pandas and Polars series of texts. Packed forms
are binary arrays, of fixed size or not. A chunked array or Polars series gives a chunked array. Of a
dictionary array, each value of the dictionary is processed once. A null gives null. A text that cannot be
read gives null too, except in `scan`, whose result has the reason. With `legality`, a position that is not
legal counts as a text that cannot be read.

The kernels of the game (`forsyth.column`) answer rows that are accepted and rows with common errors. They
make no Python objects and release the GIL, and `threads` share the rows (`shared_rows`). The reader answers
all other rows.

Limits: a text that is longer than the game's limit is a finding, not an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.arguments import type_name
from forsyth.bulk.errors import BulkError, first_line
from forsyth.bulk.verbs.kernel_output import COMPILED, compact_texts, scatter_findings
from forsyth.bulk.verbs.material import MATERIAL_TYPE, material_labels, piece_letters
from forsyth.bulk.verbs.shared_rows import map_in_parts
from forsyth.bulk.verbs.text_arrays import (
    Kernel,
    ReadOptions,
    RowResult,
    ScanResult,
    Texts,
    is_canonical,
    needs_fallback,
    require_valid_offsets,
    unpack_row,
)
from forsyth.column import ASK, CANONICAL, NOTED, REFUSED, Column, Planes
from forsyth.diagnostics import SHARED_CODES, Mode, Severity
from forsyth.game import Columnar, Game, column_kernels, require_columnar

KEY_BYTES: Final = 16
"""Size of a key in bytes."""
_CACHED_ROWS: Final = 1 << 19
"""Length of the cached arrays of one repeated value: more rows than any batch has, and a few megabytes."""
_SLOT_BUFFER_BYTES: Final = 1 << 22
"""Size of the buffer into which kernels write texts.

With a smaller buffer, threads would wait for each other more often; a larger one would not fit into caches.
"""
_INT32_BYTES: Final = 4
_SEVERITIES: Final = tuple(str(severity) for severity in Severity)
_LABEL_TYPE: Final = pa.dictionary(pa.int16(), pa.string())

SCAN_TYPE: Final = pa.struct(
    [
        ("ok", pa.bool_()),
        ("code", _LABEL_TYPE),
        ("severity", _LABEL_TYPE),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("square", pa.string()),
        ("findings", pa.int32()),
    ]
)
"""The result of `scan` for a text.

``ok`` is true if the text has no error. ``code``, ``severity``, ``start``, ``end`` (in characters) and
``square`` describe the first error, or the first warning if there is no error. ``findings`` is the number of
all findings.
"""


# --- the verbs --------------------------------------------------------------------------------------


def scan(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = True, threads: int = 1
) -> Any:
    """Check each text, and return an array of SCAN_TYPE with its first error or warning.

    With `legality`, a position that is not legal is an error too.
    """
    return _apply_verb(texts, _make_options(game, mode, legality, threads), _scan_texts, SCAN_TYPE)


def normalise(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the position in each text as canonical text, or null if the text cannot be read.

    With `legality`, a position that is not legal gives null too.
    """
    options = _make_options(game, mode, legality, threads)
    return _apply_verb(texts, options, _normalise_texts, pa.large_string())


def key(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the key of each position: 16 bytes, the same for all texts of one position.

    A text that cannot be read gives null. With `legality`, a position that is not legal gives null too.
    """
    options = _make_options(game, mode, legality, threads)

    def compute_keys(column: Texts) -> pa.Array:
        """Return the keys of a part of the texts."""

        def bind(kernels: Column, verdicts: memoryview) -> Kernel:
            """Return the compiled function that writes keys to the memory of `column`."""
            return lambda chars, offsets, first, last: kernels.keys(
                chars, offsets, first, last, verdicts, column.room
            )

        return _compute_fixed_size(
            column, KEY_BYTES, bind, lambda position: bytes.fromhex(options.game.key(position))
        )

    return _apply_verb(texts, options, compute_keys, pa.binary(KEY_BYTES), KEY_BYTES)


def pack(
    texts: Any,
    game: Game | str,
    *,
    width: int | None = None,
    mode: Mode = "default",
    legality: bool = False,
    threads: int = 1,
) -> Any:
    """Return each position as packed bytes, padded with zeros to `width` bytes.

    A text that cannot be read, and a position whose packed form is longer, give null. The default width is
    the game's `packed_width`, which is enough for every legal position, in CoTuLenh without an open deploy
    session. As far as is known, 192 bytes are enough for CoTuLenh positions with an open session.

    Raise `BulkError` if `width` is less than 1.
    """
    options = _make_options(game, mode, legality, threads)
    size = require_columnar(options.game, "packed columns").packed_width if width is None else width
    if size < 1:
        raise BulkError(f"the width of the packed column is {size} bytes, expected at least 1")

    def pack_position(position: Any) -> bytes | None:
        """Return the padded packed form of a position, or None if it is too long."""
        packed = options.game.pack(position)
        return packed.ljust(size, b"\0") if len(packed) <= size else None

    def pack_texts(column: Texts) -> pa.Array:
        """Return the packed forms of a part of the texts."""

        def bind(kernels: Column, verdicts: memoryview) -> Kernel:
            """Return the compiled function that writes packed forms to the memory of `column`."""
            return lambda chars, offsets, first, last: kernels.pack(
                chars, offsets, first, last, verdicts, column.room, size
            )

        return _compute_fixed_size(column, size, bind, pack_position)

    return _apply_verb(texts, options, pack_texts, pa.binary(size), size)


def unpack(packed: Any, game: Game | str, *, threads: int = 1) -> Any:
    """Return the canonical text of each position in packed bytes, or null if the bytes are not valid.

    Raise `BulkError` if `packed` is not an array of bytes.
    """
    game = registry.game(game)
    packed = as_array(packed)
    if pa.types.is_dictionary(packed.type):
        return _apply_to_dictionary(
            packed, lambda values: unpack(values, game, threads=threads), pa.large_string()
        )
    if not _is_packed_type(packed.type):
        raise BulkError(
            f"the column is of type {packed.type}, expected packed forms as bytes; name another with --column"
        )
    kernels = column_kernels(game) if COMPILED and pa.types.is_fixed_size_binary(packed.type) else None

    def unpack_part(part: pa.Array, _: memoryview) -> pa.Array:
        """Return the texts of a part of the packed forms."""
        part = require_valid_offsets(part)
        return _unpack_by_row(part, game) if kernels is None else _unpack_by_kernel(part, game, kernels)

    return map_in_parts(packed, unpack_part, pa.large_string(), 0, threads)


def features(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the features of each position: a struct with one field per item of the game's `feature_list`.

    The fields of a text that cannot be read are null. With `legality`, so are those of a position that is not
    legal.
    """
    options = _make_options(game, mode, legality, threads)
    columnar, kind = require_columnar(options.game, "features"), features_type(options.game)
    size = _INT32_BYTES * len(columnar.feature_list)
    return _apply_verb(texts, options, lambda column: _compute_features(column, columnar, kind), kind, size)


def planes(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the tensor of each position as `Planes.size` bytes; `tensor` converts the result to NumPy.

    A text that cannot be read gives null. With `legality`, a position that is not legal gives null too.
    """
    options = _make_options(game, mode, legality, threads)
    columnar = require_columnar(options.game, "planes")
    size = columnar.plane_shape.size

    def compute_planes(column: Texts) -> pa.Array:
        """Return the planes of a part of the texts."""

        def bind(kernels: Column, verdicts: memoryview) -> Kernel:
            """Return the compiled function that writes planes to the memory of `column`."""
            return lambda chars, offsets, first, last: kernels.planes(
                chars, offsets, first, last, verdicts, column.room
            )

        return _compute_fixed_size(column, size, bind, columnar.planes)

    return _apply_verb(texts, options, compute_planes, pa.binary(size), size)


def tensor(column: Any, shape: Planes) -> Any:
    """Return the result of `planes` as a NumPy array of bytes with the axes position, plane, row, column.

    An array with one chunk is not copied. Raise `BulkError` if the column has nulls, because a tensor cannot
    hold them. `shape` is the game's `plane_shape`.
    """
    column = as_array(column)
    dimensions = (len(shape.names), shape.height, shape.width)
    if isinstance(column, pa.ChunkedArray):
        tensors = [tensor(chunk, shape) for chunk in column.chunks]
        return np.concatenate(tensors) if tensors else np.zeros((0, *dimensions), np.uint8)
    if column.null_count:
        raise BulkError(
            f"{column.null_count} positions are missing (null), which a tensor cannot hold; "
            "remove these rows first"
        )
    if not len(column):
        return np.zeros((0, *dimensions), np.uint8)
    values = np.frombuffer(
        column.buffers()[1], np.uint8, len(column) * shape.size, column.offset * shape.size
    )
    return values.reshape(len(column), *dimensions)


def material(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the pieces of both sides in each position, such as ``KRPvKR``, as a dictionary array.

    A text that cannot be read gives null. With `legality`, a position that is not legal gives null too. Raise
    `BulkError` if the game has no material (`forsyth.bulk.verbs.material`).
    """
    loaded_game = registry.game(game)
    letters = piece_letters(loaded_game)
    canonical_texts = normalise(texts, loaded_game, mode=mode, legality=legality, threads=threads)
    if isinstance(canonical_texts, pa.ChunkedArray):
        chunks = [material_labels(chunk, letters) for chunk in canonical_texts.chunks]
        return pa.chunked_array(chunks, MATERIAL_TYPE)
    return material_labels(canonical_texts, letters)


def features_type(game: Game | str) -> pa.DataType:
    """Return the type of the result of `features`: a struct whose fields are numbers or labels."""
    return pa.struct(
        [
            (feature.name, _LABEL_TYPE if feature.labels else pa.int32())
            for feature in require_columnar(registry.game(game), "features").feature_list
        ]
    )


# --- one array --------------------------------------------------------------------------------------


def _make_options(game: Game | str, mode: Mode, legality: bool, threads: int) -> ReadOptions:
    """Return the options for reading texts of a game, which may be given by its name."""
    return ReadOptions(registry.game(game), mode, legality, threads)


def as_array(values: object) -> Any:
    """Return an array, a series of any library, or a list as an Arrow array or chunked array.

    Raise `BulkError` if `values` has another type, or cannot be converted.
    """
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values
    try:
        if hasattr(values, "__arrow_c_stream__"):
            return pa.chunked_array(values)
        if hasattr(values, "__arrow_c_array__"):
            return pa.array(values)
        if isinstance(values, list | tuple) or _is_numpy_like(values):
            return pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise BulkError(
            f"{type_name(values)} cannot be converted to an array of texts ({first_line(error)}); "
            "pass an Arrow, NumPy, pandas or Polars array, or a list"
        ) from error
    raise BulkError(
        f"the texts are of type {type_name(values)}, expected an Arrow, NumPy, pandas or Polars array, "
        "or a list"
    )


def _is_numpy_like(values: object) -> bool:
    """Return whether an object is a NumPy array, or a series that can be converted to one."""
    return isinstance(values, np.ndarray) or hasattr(values, "to_numpy")


def _apply_verb(
    texts: Any, options: ReadOptions, verb: Callable[[Texts], pa.Array], kind: pa.DataType, size: int = 0
) -> Any:
    """Return the results of a verb for an array of texts of any layout.

    Of a dictionary array, each value of the dictionary is processed once.

    Args:
        texts: The texts; see `as_array`.
        options: The options for reading them.
        verb: Computes the results for a part of the texts.
        kind: The type of the results.
        size: The bytes of memory per row that the verb needs for its results.
    """
    texts = as_array(texts)
    if pa.types.is_dictionary(texts.type):
        return _apply_to_dictionary(
            texts, lambda values: _apply_verb(values, options, verb, kind, size), kind
        )
    return map_in_parts(
        texts, lambda part, room: verb(Texts(part, options, room)), kind, size, options.threads
    )


def _apply_to_dictionary(column: Any, verb: Callable[[pa.Array], pa.Array], kind: pa.DataType) -> Any:
    """Call `verb` with the values of a dictionary array, and return the results for its rows.

    Each value of the dictionary is processed once, however many rows refer to it. `kind` is the type of the
    results.
    """
    if isinstance(column, pa.ChunkedArray):
        # Every chunk has its own dictionary.
        return pa.chunked_array([_apply_to_dictionary(chunk, verb, kind) for chunk in column.chunks], kind)
    return _take_answers(verb(column.dictionary), column.indices)


def _take_answers(answers: pa.Array, indices: pa.Array) -> pa.Array:
    """Return for each row the result for its dictionary value; a null index gives null.

    `answers` has one result per value, and `indices` the index of the value of each row. Raise `BulkError` if
    an index is not in the dictionary.
    """
    try:
        rows = answers.take(require_valid_offsets(indices))
    except IndexError as error:
        raise BulkError(
            f"the dictionary lacks a value that a row refers to ({first_line(error)}); create the array again"
        ) from error
    if not pa.types.is_struct(rows.type):
        return rows
    # A missing row is a struct of nulls instead of a null, as for columns without a dictionary.
    return pa.StructArray.from_arrays(rows.flatten(), fields=list(rows.type))


def _compute_fixed_size(
    column: Texts,
    size: int,
    bind: Callable[[Column, memoryview], Kernel],
    convert: Callable[[Any], bytes | None],
) -> pa.Array:
    """Return a result of `size` bytes for each text, from compiled code or, if needed, the reader in Python.

    Args:
        column: The texts, with memory for the results.
        size: The bytes of a result.
        bind: Returns the kernel, the compiled function that writes the results; see `Texts.run`.
        convert: Returns the result for a position that the reader read, or None for null.
    """

    def write_result(row: int, position: Any) -> bool:
        """Write the result for a position that the reader read, and return whether there is one."""
        answer = convert(position)
        if answer is not None:
            column.room[row * size : (row + 1) * size] = answer
        return answer is not None

    validity = column.fill_validity(column.run(bind), write_result)
    return pa.Array.from_buffers(pa.binary(size), column.rows, [validity, pa.py_buffer(column.room)])


# --- scan -------------------------------------------------------------------------------------------


class _ScanColumns(NamedTuple):
    """The columns of a scan, with numbers as codes and severities."""

    ok: pa.Array
    code: pa.Array
    severity: pa.Array
    start: pa.Array
    end: pa.Array
    square: pa.Array
    findings: pa.Array


_SCAN_COLUMN_TYPES: Final = (
    pa.bool_(),
    pa.int16(),
    pa.int16(),
    pa.int32(),
    pa.int32(),
    pa.string(),
    pa.int32(),
)
_NO_FINDINGS: Final = (True, None, None, None, None, None, 0)
"""The values of the columns of a scan for a row without findings."""


def _scan_texts(column: Texts) -> pa.Array:
    """Check some texts, and return an array of SCAN_TYPE: for each text the first error or warning.

    Compiled code checks all texts. The reader in Python then reads those that need it.
    """
    scan_result = column.scan()
    columns = _convert_notes(column, scan_result)
    fallback_rows = column.fallback_rows(scan_result.verdicts)
    if fallback_rows:
        columns = _replace_fallback_rows(column, columns, fallback_rows)
    # Kernels read a null as an empty text.
    columns = _ScanColumns(*map(column.restore_nulls, columns))
    codes = pa.array(_number_codes(column.options.game))
    fields = [
        columns.ok,
        pa.DictionaryArray.from_arrays(columns.code, codes),
        pa.DictionaryArray.from_arrays(columns.severity, pa.array(_SEVERITIES)),
        columns.start,
        columns.end,
        columns.square,
        columns.findings,
    ]
    return pa.StructArray.from_arrays(fields, fields=list(SCAN_TYPE))


def _convert_notes(column: Texts, scan_result: ScanResult) -> _ScanColumns:
    """Return the columns of a scan from what the kernels, compiled code, wrote about each text.

    The verdict of a text says whether it has an error, and its notes describe the first finding.
    """
    rows = column.rows
    kernels = column.options.column
    if kernels is None or not (np.frombuffer(scan_result.verdicts, np.uint8) >= NOTED).any():
        return _ScanColumns(
            *(
                _make_constant(value, kind, rows)
                for value, kind in zip(_NO_FINDINGS, _SCAN_COLUMN_TYPES, strict=True)
            )
        )
    all_codes = _number_codes(column.options.game)
    code_numbers = np.array([all_codes[code] for code in kernels.codes], np.int16)
    # `scatter_findings` writes 2 columns of 16-bit numbers, 4 of 32-bit numbers, and 2 bitmaps.
    short_bytes, int_bytes, bitmap_bytes = 2 * rows, 4 * rows, (rows + 7) // 8
    shorts, ints, bitmaps = (
        pa.allocate_buffer(size) for size in (2 * short_bytes, 4 * int_bytes, 2 * bitmap_bytes)
    )
    scatter_findings(
        memoryview(scan_result.verdicts),
        scan_result.notes,
        rows,
        code_numbers.data,
        len(kernels.squares),
        memoryview(shorts).cast("B").cast("h"),
        memoryview(ints).cast("B").cast("i"),
        memoryview(bitmaps).cast("B"),
    )
    has_finding, is_ok = bitmaps.slice(0, bitmap_bytes), bitmaps.slice(bitmap_bytes)
    # Both bitmaps and the columns are slices of the memory that was filled, without a copy.
    code, severity = (
        pa.Array.from_buffers(pa.int16(), rows, [has_finding, shorts.slice(i * short_bytes, short_bytes)])
        for i in range(2)
    )
    start, end, square, findings = (
        pa.Array.from_buffers(pa.int32(), rows, [validity, ints.slice(i * int_bytes, int_bytes)])
        for i, validity in enumerate((has_finding, has_finding, has_finding, None))
    )
    # A finding without a square has the index behind the last square, which is null here.
    square_names = pa.array([*kernels.squares, None], pa.string())
    ok = pa.Array.from_buffers(pa.bool_(), rows, [None, is_ok])
    return _ScanColumns(ok, code, severity, start, end, square_names.take(square), findings)


def _replace_fallback_rows(column: Texts, columns: _ScanColumns, rows: list[int]) -> _ScanColumns:
    """Read the texts in `rows` with the reader in Python, and put the results into the columns of a scan."""
    mask = column.row_mask(rows)
    codes = _number_codes(column.options.game)
    reader_rows = [_list_scan_values(column.read(row), codes) for row in rows]
    reader_columns = zip(*reader_rows, strict=True)
    return _ScanColumns(
        *(
            column.replace_rows(kernel_values, mask, pa.array(reader_values, kind))
            for kernel_values, reader_values, kind in zip(
                columns, reader_columns, _SCAN_COLUMN_TYPES, strict=True
            )
        )
    )


def _list_scan_values(row: RowResult, codes: Mapping[str, int]) -> tuple[Any, ...]:
    """Return the result of the reader for one text as the values of the columns of a scan.

    `codes` has the number of each code.
    """
    first = row.first
    if first is None:
        return (row.ok, *_NO_FINDINGS[1:])
    severity = _SEVERITIES.index(str(first.severity))
    place = (first.span.start, first.span.end, first.square)
    return (row.ok, codes.get(first.code), severity, *place, len(row.findings))


def _make_constant(value: bool | int | None, kind: pa.DataType, rows: int) -> pa.Array:
    """Return an array of type `kind` that repeats `value`.

    It is a slice of a cached array if possible, because batches without findings all need the same arrays.
    """
    if rows > _CACHED_ROWS:
        return pa.repeat(pa.scalar(value, kind), rows)
    return _make_cached_constant(value, kind).slice(0, rows)


@lru_cache(maxsize=16)
def _make_cached_constant(value: bool | int | None, kind: pa.DataType) -> pa.Array:
    """Return an array of `_CACHED_ROWS` rows that repeats `value`."""
    return pa.repeat(pa.scalar(value, kind), _CACHED_ROWS)


def _number_codes(game: Game) -> dict[str, int]:
    """Return a number for each code that a finding can have, such as ``{"fen.type": 0, …}``.

    The numbers are the same in all batches of a game.
    """
    codes = dict.fromkeys(info.code for info in (*SHARED_CODES, *game.codes))
    return {code: number for number, code in enumerate(codes)}


# --- texts ------------------------------------------------------------------------------------------


def _normalise_texts(column: Texts) -> pa.Array:
    """Return the canonical form of some texts; null for texts that cannot be read."""
    verdicts = column.scan().verdicts
    kernels = column.options.column
    if (np.frombuffer(verdicts, np.uint8) == CANONICAL).all():
        return column.array.cast(pa.large_string())
    if kernels is None:
        return column.with_fallback(pa.nulls(column.rows, pa.large_string()), verdicts, str)
    return column.with_fallback(_rewrite_texts(column, kernels, verdicts), verdicts, str)


def _rewrite_texts(column: Texts, kernels: Column, verdicts: bytearray) -> pa.Array:
    """Return the canonical form of the texts that the kernels, compiled code, accept; null for all others.

    `verdicts` has the result of the check for each text, such as CANONICAL.
    """
    chars, offsets, width = column.chars, column.offsets, column.options.game.max_text
    all_verdicts = memoryview(verdicts)

    def write_slots(first: int, last: int, slots: memoryview, lengths: memoryview) -> None:
        """Write the canonical texts of the rows from `first` up to `last`."""
        part_offsets = offsets[first : last + 1]
        part_verdicts = all_verdicts[first:last]
        kernels.rewrite(chars, part_offsets, 0, last - first, part_verdicts, slots, lengths, width)

    texts = _collect_texts(column.rows, width, write_slots)
    if CANONICAL in verdicts:
        # All other rows come from `texts`, where rejected rows are empty: their bytes may not be UTF-8.
        kind = column.array.type
        texts = pc.if_else(is_canonical(verdicts), column.array, texts.cast(kind)).cast(pa.large_string())
    verdict_numbers = np.frombuffer(verdicts, np.uint8)
    validity = pa.array((verdict_numbers != ASK) & (verdict_numbers != REFUSED)).buffers()[1]
    return pa.Array.from_buffers(texts.type, column.rows, [validity, *texts.buffers()[1:]])


def _collect_texts(
    rows: int, width: int, write_slots: Callable[[int, int, memoryview, memoryview], None]
) -> pa.Array:
    """Return an array of the texts that `write_slots` writes to memory with a slot of equal size for each.

    The function is called for some rows at a time, and the texts are then copied to an array without gaps.

    Args:
        rows: The number of texts, at least 1.
        width: The bytes of a slot.
        write_slots: Writes the texts of some rows. Its arguments are the first row, the row after the last,
            the slots, and the array for the lengths of the texts.
    """
    max_rows = min(max(1, _SLOT_BUFFER_BYTES // width), rows)
    # All parts use the same slots, because allocating memory takes longer than writing to it. Arrow allocates
    # them and keeps them for the next call: threads that return memory to the system wait for each other.
    slots = memoryview(pa.allocate_buffer(max_rows * width)).cast("B")
    parts = []
    for first in range(0, rows, max_rows):
        last = min(first + max_rows, rows)
        lengths = np.zeros(last - first, np.int32)
        write_slots(first, last, slots, lengths.data)
        chars = pa.allocate_buffer(int(lengths.sum()))
        offsets = pa.allocate_buffer(8 * (last - first + 1))
        offset_view = memoryview(offsets).cast("B").cast("q")
        compact_texts(slots, width, lengths.data, last - first, memoryview(chars).cast("B"), offset_view)
        parts.append(pa.Array.from_buffers(pa.large_string(), last - first, [None, offsets, chars]))
    return pa.concat_arrays(parts) if len(parts) > 1 else parts[0]


def _is_packed_type(kind: pa.DataType) -> bool:
    """Return whether arrays of this type can hold packed forms: bytes of any layout, or only nulls."""
    is_binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or kind == pa.binary_view()
    return bool(is_binary or pa.types.is_fixed_size_binary(kind) or pa.types.is_null(kind))


def _unpack_by_kernel(packed: pa.Array, game: Game, kernels: Column) -> pa.Array:
    """Return the texts of packed positions of fixed size; null for bytes that are not valid.

    Compiled code (`kernels`) unpacks most of them. The others are unpacked one by one.
    """
    rows, size, width = len(packed), packed.type.byte_width, game.max_text
    if not rows:
        return pa.nulls(0, pa.large_string())
    start = packed.offset * size
    data = memoryview(packed.buffers()[1]).cast("B")[start : start + rows * size]
    verdicts = bytearray(rows)
    all_verdicts = memoryview(verdicts)

    def write_slots(first: int, last: int, slots: memoryview, lengths: memoryview) -> None:
        """Write the texts of the packed forms from `first` up to `last`."""
        part_data = data[first * size : last * size]
        kernels.unpack(part_data, size, 0, last - first, all_verdicts[first:last], slots, lengths, width)

    texts = _collect_texts(rows, width, write_slots)
    if ASK in verdicts or packed.null_count:
        mask = pc.or_(needs_fallback(verdicts), packed.is_null())
        texts = pc.replace_with_mask(texts, mask, _unpack_by_row(packed.filter(mask), game))
    return texts


def _unpack_by_row(packed: pa.Array, game: Game) -> pa.Array:
    """Return the texts of packed positions, unpacked one by one; null for null and for invalid bytes."""
    positions = [None if data is None else unpack_row(game, data) for data in packed.to_pylist()]
    return pa.array(
        [None if position is None else str(position) for position in positions], pa.large_string()
    )


# --- features ---------------------------------------------------------------------------------------


def _compute_features(column: Texts, game: Columnar, kind: pa.DataType) -> pa.Array:
    """Return the features of the positions in some texts, as an array of structs of type `kind`."""
    rows, room = column.rows, column.room.cast("i")
    verdicts = column.run(
        lambda kernels, kernel_verdicts: (
            lambda chars, offsets, first, last: kernels.features(
                chars, offsets, first, last, kernel_verdicts, room, rows
            )
        )
    )

    def write_features(row: int, position: Any) -> bool:
        """Write the features of the position in row `row`, and return True."""
        # The memory has all rows of the first feature, then all rows of the second one, and so on.
        for i, value in enumerate(game.features(position)):
            room[i * rows + row] = value
        return True

    validity = column.fill_validity(verdicts, write_features)
    fields = []
    for i, feature in enumerate(game.feature_list):
        values = pa.py_buffer(room[i * rows : (i + 1) * rows])
        numbers = pa.Array.from_buffers(pa.int32(), rows, [validity, values])
        fields.append(_add_labels(numbers, feature.labels))
    return pa.StructArray.from_arrays(fields, fields=list(kind))


def _add_labels(numbers: pa.Array, labels: tuple[str, ...]) -> pa.Array:
    """Return each number replaced by the label with this index, or the numbers if there are no labels."""
    if not labels:
        return numbers
    return pa.DictionaryArray.from_arrays(numbers.cast(pa.int16()), pa.array(labels))
