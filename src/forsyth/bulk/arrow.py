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

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.arguments import type_name
from forsyth.bulk.batches import is_bytes
from forsyth.bulk.errors import BulkError, first_line, require_columns
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
from forsyth.game import Columnar, Game, column_kernels

KEY_BYTES: Final = 16
"""Size of a key in bytes."""
_CACHED_ROWS: Final = 1 << 19
"""Length of the cached arrays of one repeated value: more rows than any batch has, and a few megabytes."""
_SLOT_BUFFER_BYTES: Final = 1 << 22
"""Size of the buffer into which kernels write texts.

With a smaller buffer, threads would wait for each other more often; a larger one would not fit into caches.
"""
_INT16_BYTES: Final = 2
_INT32_BYTES: Final = 4
_INT64_BYTES: Final = 8
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
    """Check each text, and return an array of SCAN_TYPE: one struct per text with its first error or warning.

    Args:
        texts: An Arrow array, a NumPy array, a series of pandas or Polars, or a list.
        game: The game, or its name such as ``chess``.
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        legality: Whether a position that is not legal is an error.
        threads: The number of threads that share the rows.
    """
    return _apply_verb(texts, _make_options(game, mode, legality, threads), _scan_texts, SCAN_TYPE)


def normalise(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the position in each text as canonical text, or null if the text cannot be read.

    Args:
        texts: An Arrow array, a NumPy array, a series of pandas or Polars, or a list.
        game: The game, or its name such as ``chess``.
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        legality: Whether a position that is not legal gives null too.
        threads: The number of threads that share the rows.
    """
    options = _make_options(game, mode, legality, threads)
    return _apply_verb(texts, options, _normalise_texts, pa.large_string())


def key(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the key of each position, or null for a text that cannot be read.

    A key has 16 bytes. All texts of one position have the same key.

    Args:
        texts: An Arrow array, a NumPy array, a series of pandas or Polars, or a list.
        game: The game, or its name such as ``chess``.
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        legality: Whether a position that is not legal gives null too.
        threads: The number of threads that share the rows.
    """
    options = _make_options(game, mode, legality, threads)

    def make_key(position: Any) -> bytes:
        """Return the key of one position that the reader in Python read."""
        return bytes.fromhex(options.game.key(position))

    def compute_keys(text_part: Texts) -> pa.Array:
        """Return the keys of a part of the texts."""
        return _compute_fixed_size(text_part, KEY_BYTES, lambda kernels: kernels.keys, make_key)

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
    """Return each position as packed bytes, or null for a text that cannot be read.

    Args:
        texts: An Arrow array, a NumPy array, a series of pandas or Polars, or a list.
        game: The game, or its name such as ``chess``.
        width: The bytes of each result. Shorter packed forms are padded with zeros, longer ones give null.
            None means the game's `packed_width`, which is enough for every legal position, except in CoTuLenh
            during a deploy session: there 192 bytes are enough, as far as is known. A game without columns
            has no such width, so one must be given.
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        legality: Whether a position that is not legal gives null too.
        threads: The number of threads that share the rows.

    Raises:
        BulkError: If `width` is less than 1, or None for a game without columns.
    """
    options = _make_options(game, mode, legality, threads)
    if width is None:
        remedy = "choose the size of each packed form in bytes (--width)"
        packed_bytes = require_columns(options.game, "packed columns", remedy).packed_width
    else:
        packed_bytes = width
    if packed_bytes < 1:
        raise BulkError(
            f"the width of the packed column is {packed_bytes} bytes, expected at least 1; "
            "leave out the width for the default of the game"
        )

    def pack_position(position: Any) -> bytes | None:
        """Return the padded packed form of a position, or None if it is too long."""
        packed = options.game.pack(position)
        return packed.ljust(packed_bytes, b"\0") if len(packed) <= packed_bytes else None

    def pack_texts(text_part: Texts) -> pa.Array:
        """Return the packed forms of a part of the texts."""
        return _compute_fixed_size(
            text_part, packed_bytes, lambda kernels: kernels.pack, pack_position, packed_bytes
        )

    return _apply_verb(texts, options, pack_texts, pa.binary(packed_bytes), packed_bytes)


def unpack(packed: Any, game: Game | str, *, threads: int = 1) -> Any:
    """Return the canonical text of each position in packed bytes, or null if the bytes are not valid.

    Args:
        packed: An array of packed forms, which `pack` returned.
        game: The game, or its name such as ``chess``.
        threads: The number of threads that share the rows.

    Raises:
        BulkError: If `packed` is not an array of bytes.
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
    has_fixed_size = pa.types.is_fixed_size_binary(packed.type)
    kernels = column_kernels(game) if COMPILED and has_fixed_size else None

    def unpack_part(part: pa.Array, _: memoryview) -> pa.Array:
        """Return the texts of a part of the packed forms."""
        part = require_valid_offsets(part)
        return _unpack_by_row(part, game) if kernels is None else _unpack_by_kernel(part, game, kernels)

    return map_in_parts(packed, unpack_part, pa.large_string(), 0, threads)


def features(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the features of each position: a struct with one field per item of the game's `feature_list`.

    The fields of a text that cannot be read are null.

    Args:
        texts: An Arrow array, a NumPy array, a series of pandas or Polars, or a list.
        game: The game, or its name such as ``chess``.
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        legality: Whether the fields of a position that is not legal are null too.
        threads: The number of threads that share the rows.

    Raises:
        BulkError: If the game has no features.
    """
    options = _make_options(game, mode, legality, threads)
    columnar = require_columns(options.game, "features")
    result_type = features_type(options.game)
    row_bytes = _INT32_BYTES * len(columnar.feature_list)

    def compute_features(text_part: Texts) -> pa.Array:
        """Return the features of a part of the texts."""
        return _compute_features(text_part, columnar, result_type)

    return _apply_verb(texts, options, compute_features, result_type, row_bytes)


def planes(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the tensor of each position as `Planes.size` bytes, or null for a text that cannot be read.

    `tensor` converts the result to a NumPy array.

    Args:
        texts: An Arrow array, a NumPy array, a series of pandas or Polars, or a list.
        game: The game, or its name such as ``chess``.
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        legality: Whether a position that is not legal gives null too.
        threads: The number of threads that share the rows.

    Raises:
        BulkError: If the game has no planes.
    """
    options = _make_options(game, mode, legality, threads)
    columnar = require_columns(options.game, "planes")
    tensor_bytes = columnar.plane_shape.size

    def compute_planes(text_part: Texts) -> pa.Array:
        """Return the planes of a part of the texts."""
        return _compute_fixed_size(text_part, tensor_bytes, lambda kernels: kernels.planes, columnar.planes)

    return _apply_verb(texts, options, compute_planes, pa.binary(tensor_bytes), tensor_bytes)


def tensor(column: Any, shape: Planes) -> Any:
    """Return the result of `planes` as a NumPy array of bytes with the axes position, plane, row, column.

    An array with one chunk is not copied.

    Args:
        column: The column that `planes` returned.
        shape: The shape of one tensor: the game's `plane_shape`.

    Raises:
        BulkError: If the column has nulls, because a NumPy array of bytes cannot hold them.
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
    _, data_buffer = column.buffers()
    values = np.frombuffer(
        data_buffer, np.uint8, count=len(column) * shape.size, offset=column.offset * shape.size
    )
    return values.reshape(len(column), *dimensions)


def material(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the pieces of both sides in each position, such as ``KRPvKR``, as a dictionary array.

    A text that cannot be read gives null.

    Args:
        texts: An Arrow array, a NumPy array, a series of pandas or Polars, or a list.
        game: The game, or its name such as ``chess``.
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        legality: Whether a position that is not legal gives null too.
        threads: The number of threads that share the rows.

    Raises:
        BulkError: If the game has no material (`forsyth.bulk.verbs.material`).
    """
    loaded_game = registry.game(game)
    letters = piece_letters(loaded_game)
    canonical_texts = normalise(texts, loaded_game, mode=mode, legality=legality, threads=threads)
    if isinstance(canonical_texts, pa.ChunkedArray):
        chunks = [material_labels(chunk, letters) for chunk in canonical_texts.chunks]
        return pa.chunked_array(chunks, MATERIAL_TYPE)
    return material_labels(canonical_texts, letters)


def features_type(game: Game | str) -> pa.DataType:
    """Return the type of the result of `features`: a struct with one field per feature of the game.

    A field is a label, such as ``w``, if the feature has labels. Otherwise it is an integer of 32 bits. Raise
    `BulkError` if the game has no features.
    """
    feature_list = require_columns(registry.game(game), "features").feature_list
    return pa.struct(
        [(feature.name, _LABEL_TYPE if feature.labels else pa.int32()) for feature in feature_list]
    )


# --- one array --------------------------------------------------------------------------------------


def _make_options(game: Game | str, mode: Mode, legality: bool, threads: int) -> ReadOptions:
    """Return the options for reading texts. `game` is a game or its name, such as ``chess``."""
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
    texts: Any,
    options: ReadOptions,
    compute: Callable[[Texts], pa.Array],
    result_type: pa.DataType,
    row_bytes: int = 0,
) -> Any:
    """Return the result of a verb for each text of an array.

    Of a dictionary array, each value of the dictionary is processed once.

    Args:
        texts: The texts, in any type that `as_array` accepts.
        options: The options for reading the texts.
        compute: Returns the results for a part of the texts.
        result_type: The type of the results.
        row_bytes: The bytes of memory per row to which `compute` writes; 0 for none.
    """
    texts = as_array(texts)
    if pa.types.is_dictionary(texts.type):
        return _apply_to_dictionary(
            texts, lambda values: _apply_verb(values, options, compute, result_type, row_bytes), result_type
        )

    def compute_part(part: pa.Array, memory: memoryview) -> pa.Array:
        """Return the results for a part of the texts."""
        return compute(Texts(part, options, memory))

    return map_in_parts(texts, compute_part, result_type, row_bytes, options.threads)


def _apply_to_dictionary(
    column: Any, compute: Callable[[pa.Array], pa.Array], result_type: pa.DataType
) -> Any:
    """Return the results of `compute` for the rows of a dictionary array.

    `compute` is called once with the values of the dictionary, however many rows refer to each value. It
    returns an array of the type `result_type`.
    """
    if isinstance(column, pa.ChunkedArray):
        # Every chunk has its own dictionary.
        chunks = [_apply_to_dictionary(chunk, compute, result_type) for chunk in column.chunks]
        return pa.chunked_array(chunks, result_type)
    value_results = compute(column.dictionary)
    return _take_results(value_results, column.indices)


def _take_results(value_results: pa.Array, indices: pa.Array) -> pa.Array:
    """Return for each row of a dictionary array the result for its value.

    `value_results` has one result per value of the dictionary. `indices` has the index of the value of each
    row; a null index gives null. Raise `BulkError` if an index is not in the dictionary.
    """
    try:
        row_results = value_results.take(require_valid_offsets(indices))
    except IndexError as error:
        raise BulkError(
            f"the dictionary lacks a value that a row refers to ({first_line(error)}); create the array again"
        ) from error
    if not pa.types.is_struct(row_results.type):
        return row_results
    # A missing row is a struct of nulls instead of a null, as for columns without a dictionary.
    return pa.StructArray.from_arrays(row_results.flatten(), fields=list(row_results.type))


def _compute_fixed_size(
    texts: Texts,
    size: int,
    select_kernel: Callable[[Column], Callable[..., None]],
    convert: Callable[[Any], bytes | None],
    *kernel_options: int,
) -> pa.Array:
    """Return a result of `size` bytes for each text, from compiled code or, if needed, the reader in Python.

    Args:
        texts: The texts, with memory for the results.
        size: The bytes of a result.
        select_kernel: Returns the compiled function for this result, such as `Column.keys`.
        convert: Returns the result for a position that the reader read, or None for null.
        *kernel_options: The last arguments of the compiled function, such as the width of a packed form.
    """

    def bind(kernels: Column, verdicts: memoryview) -> Kernel:
        """Return the compiled function with the memory to which it writes its verdicts and results."""
        kernel = select_kernel(kernels)
        return lambda chars, offsets, first, last: kernel(
            chars, offsets, first, last, verdicts, texts.result_memory, *kernel_options
        )

    def write_result(row: int, position: Any) -> bool:
        """Write the result for a position that the reader read, and return whether there is one."""
        result = convert(position)
        if result is None:
            return False
        texts.result_memory[row * size : (row + 1) * size] = result
        return True

    validity = texts.fill_validity(texts.run(bind), write_result)
    return pa.Array.from_buffers(pa.binary(size), texts.rows, [validity, pa.py_buffer(texts.result_memory)])


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


def _scan_texts(texts: Texts) -> pa.Array:
    """Check some texts, and return an array of SCAN_TYPE: for each text the first error or warning.

    Compiled code checks all texts. The reader in Python then reads those that need it.
    """
    scan_result = texts.scan()
    columns = _convert_notes(texts, scan_result)
    fallback_rows = texts.fallback_rows(scan_result.verdicts)
    if fallback_rows:
        columns = _replace_fallback_rows(texts, columns, fallback_rows)
    # Kernels read a null as an empty text.
    columns = _ScanColumns(*map(texts.restore_nulls, columns))
    code_labels = pa.array(_number_codes(texts.options.game))
    severity_labels = pa.array(_SEVERITIES)
    fields = [
        columns.ok,
        pa.DictionaryArray.from_arrays(columns.code, code_labels),
        pa.DictionaryArray.from_arrays(columns.severity, severity_labels),
        columns.start,
        columns.end,
        columns.square,
        columns.findings,
    ]
    return pa.StructArray.from_arrays(fields, fields=list(SCAN_TYPE))


def _convert_notes(texts: Texts, scan_result: ScanResult) -> _ScanColumns:
    """Return the columns of a scan from what compiled code wrote about each text.

    The verdict of a text is a number that shows whether it has an error. Its notes are numbers that describe
    its first finding (an error or a warning).
    """
    kernels = texts.options.column
    has_findings = (np.frombuffer(scan_result.verdicts, np.uint8) >= NOTED).any()
    if kernels is None or not has_findings:
        return _make_columns_without_findings(texts.rows)

    rows = texts.rows
    all_codes = _number_codes(texts.options.game)
    code_numbers = np.array([all_codes[code] for code in kernels.codes], np.int16)
    # `scatter_findings` writes 2 columns of 16-bit numbers, 4 of 32-bit numbers, and 2 bitmaps.
    bitmap_bytes = (rows + 7) // 8
    shorts = pa.allocate_buffer(2 * rows * _INT16_BYTES)
    ints = pa.allocate_buffer(4 * rows * _INT32_BYTES)
    bitmaps = pa.allocate_buffer(2 * bitmap_bytes)
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
    code, severity = _slice_columns(shorts, pa.int16(), rows, [has_finding, has_finding])
    start, end, square, findings = _slice_columns(
        ints, pa.int32(), rows, [has_finding, has_finding, has_finding, None]
    )
    # A finding without a square has the index behind the last square, which is null here.
    square_names = pa.array([*kernels.squares, None], pa.string())
    ok = pa.Array.from_buffers(pa.bool_(), rows, [None, is_ok])
    return _ScanColumns(ok, code, severity, start, end, square_names.take(square), findings)


def _make_columns_without_findings(rows: int) -> _ScanColumns:
    """Return the columns of a scan for `rows` rows without findings."""
    column_values = zip(_NO_FINDINGS, _SCAN_COLUMN_TYPES, strict=True)
    return _ScanColumns(*(_make_constant(value, data_type, rows) for value, data_type in column_values))


def _slice_columns(
    memory: pa.Buffer, data_type: pa.DataType, rows: int, validities: Sequence[pa.Buffer | None]
) -> list[pa.Array]:
    """Return the columns that lie one after the other in a buffer, without copying them.

    Args:
        memory: The buffer, which has `rows` numbers for each column.
        data_type: The type of the numbers.
        rows: The number of rows.
        validities: The validity bitmap of each column; None if it has no nulls.
    """
    column_bytes = rows * data_type.bit_width // 8
    return [
        pa.Array.from_buffers(data_type, rows, [validity, memory.slice(index * column_bytes, column_bytes)])
        for index, validity in enumerate(validities)
    ]


def _replace_fallback_rows(texts: Texts, columns: _ScanColumns, rows: list[int]) -> _ScanColumns:
    """Return the columns of a scan with the results of the reader in Python for the texts in `rows`."""
    code_numbers = _number_codes(texts.options.game)
    row_values = [_list_scan_values(texts.read(row), code_numbers) for row in rows]
    mask = texts.row_mask(rows)
    replaced_columns = []
    for kernel_column, reader_values, data_type in zip(
        columns, zip(*row_values, strict=True), _SCAN_COLUMN_TYPES, strict=True
    ):
        reader_column = pa.array(reader_values, data_type)
        replaced_columns.append(texts.replace_rows(kernel_column, mask, reader_column))
    return _ScanColumns(*replaced_columns)


def _list_scan_values(row_result: RowResult, code_numbers: Mapping[str, int]) -> tuple[Any, ...]:
    """Return the result of the reader for one text as one value for each column of a scan.

    `code_numbers` has the number of each diagnostic code, such as ``{"fen.type": 0}``.
    """
    finding = row_result.first
    if finding is None:
        _, *other_values = _NO_FINDINGS
        return (row_result.ok, *other_values)
    return (
        row_result.ok,
        code_numbers.get(finding.code),
        _SEVERITIES.index(str(finding.severity)),
        finding.span.start,
        finding.span.end,
        finding.square,
        len(row_result.findings),
    )


def _make_constant(value: bool | int | None, data_type: pa.DataType, rows: int) -> pa.Array:
    """Return an array of `rows` rows that repeats `value`.

    It is a slice of a cached array if possible, because batches without findings all need the same arrays.
    """
    if rows > _CACHED_ROWS:
        return pa.repeat(pa.scalar(value, data_type), rows)
    return _make_cached_constant(value, data_type).slice(0, rows)


@lru_cache(maxsize=16)
def _make_cached_constant(value: bool | int | None, data_type: pa.DataType) -> pa.Array:
    """Return an array of `_CACHED_ROWS` rows that repeats `value`."""
    return pa.repeat(pa.scalar(value, data_type), _CACHED_ROWS)


def _number_codes(game: Game) -> dict[str, int]:
    """Return a number for each code that a finding can have, such as ``{"fen.type": 0, …}``.

    The numbers are the same in all batches of a game.
    """
    codes = dict.fromkeys(info.code for info in (*SHARED_CODES, *game.codes))
    return {code: number for number, code in enumerate(codes)}


# --- texts ------------------------------------------------------------------------------------------


def _normalise_texts(texts: Texts) -> pa.Array:
    """Return the canonical form of some texts; null for texts that cannot be read."""
    verdicts = texts.scan().verdicts
    kernels = texts.options.column
    if (np.frombuffer(verdicts, np.uint8) == CANONICAL).all():
        return texts.array.cast(pa.large_string())
    if kernels is None:
        kernel_texts = pa.nulls(texts.rows, pa.large_string())
    else:
        kernel_texts = _rewrite_texts(texts, kernels, verdicts)
    return texts.with_fallback(kernel_texts, verdicts, str)


def _rewrite_texts(texts: Texts, kernels: Column, verdicts: bytearray) -> pa.Array:
    """Return the canonical form of the texts that the kernels, compiled code, accept; null for all others.

    `verdicts` has one number per text, the result of its check: CANONICAL, for example, means that the text
    is canonical already.
    """
    width = texts.options.game.max_text
    verdict_view = memoryview(verdicts)

    def write_slots(start: int, end: int, slots: memoryview, lengths: memoryview) -> None:
        """Write the canonical texts of the rows from `start` up to, but not including, `end`."""
        offsets = texts.offsets[start : end + 1]
        kernels.rewrite(texts.chars, offsets, 0, end - start, verdict_view[start:end], slots, lengths, width)

    rewritten = _collect_texts(texts.rows, width, write_slots)
    if CANONICAL in verdicts:
        # All other rows come from `rewritten`, where rejected rows are empty: their bytes may not be UTF-8.
        rewritten = rewritten.cast(texts.array.type)
        merged = pc.if_else(is_canonical(verdicts), texts.array, rewritten)
        rewritten = merged.cast(pa.large_string())
    verdict_numbers = np.frombuffer(verdicts, np.uint8)
    is_accepted = pa.array((verdict_numbers != ASK) & (verdict_numbers != REFUSED))
    _, validity = is_accepted.buffers()
    _, *text_buffers = rewritten.buffers()
    return pa.Array.from_buffers(rewritten.type, texts.rows, [validity, *text_buffers])


def _collect_texts(
    rows: int, width: int, write_slots: Callable[[int, int, memoryview, memoryview], None]
) -> pa.Array:
    """Return an array of the texts that `write_slots` writes.

    The function writes each text to a slot of `width` bytes, for some rows at a time. The texts are then
    copied to an array without gaps.

    Args:
        rows: The number of texts, at least 1.
        width: The bytes of a slot.
        write_slots: Writes the texts of some rows. Its arguments are the first row, the row after the last,
            the slots, and the array for the lengths of the texts.
    """
    max_slots = min(max(1, _SLOT_BUFFER_BYTES // width), rows)
    # All parts use the same slots, because allocating memory takes longer than writing to it. Arrow allocates
    # them and keeps them for the next call: threads that return memory to the system wait for each other.
    slots = memoryview(pa.allocate_buffer(max_slots * width)).cast("B")
    parts = []
    for start in range(0, rows, max_slots):
        end = min(start + max_slots, rows)
        part_rows = end - start
        lengths = np.zeros(part_rows, np.int32)
        write_slots(start, end, slots, lengths.data)

        chars = pa.allocate_buffer(int(lengths.sum()))
        offsets = pa.allocate_buffer((part_rows + 1) * _INT64_BYTES)
        char_view = memoryview(chars).cast("B")
        offset_view = memoryview(offsets).cast("B").cast("q")
        compact_texts(slots, width, lengths.data, part_rows, char_view, offset_view)
        parts.append(pa.Array.from_buffers(pa.large_string(), part_rows, [None, offsets, chars]))
    return pa.concat_arrays(parts) if len(parts) > 1 else parts[0]


def _is_packed_type(data_type: pa.DataType) -> bool:
    """Return whether arrays of this type can hold packed forms: bytes of any layout, or only nulls."""
    return is_bytes(data_type) or bool(pa.types.is_null(data_type))


def _unpack_by_kernel(packed: pa.Array, game: Game, kernels: Column) -> pa.Array:
    """Return the texts of packed positions of fixed size; null for bytes that are not valid.

    Compiled code (`kernels`) unpacks most of them. The others are unpacked one by one.
    """
    rows, packed_bytes, text_width = len(packed), packed.type.byte_width, game.max_text
    if not rows:
        return pa.nulls(0, pa.large_string())
    first_byte = packed.offset * packed_bytes
    _, data_buffer = packed.buffers()
    data = memoryview(data_buffer).cast("B")[first_byte : first_byte + rows * packed_bytes]
    verdicts = bytearray(rows)
    verdict_view = memoryview(verdicts)

    def write_slots(start: int, end: int, slots: memoryview, lengths: memoryview) -> None:
        """Write the texts of the packed forms from `start` up to, but not including, `end`."""
        part_data = data[start * packed_bytes : end * packed_bytes]
        part_verdicts = verdict_view[start:end]
        kernels.unpack(part_data, packed_bytes, 0, end - start, part_verdicts, slots, lengths, text_width)

    texts = _collect_texts(rows, text_width, write_slots)
    if ASK in verdicts or packed.null_count:
        left_to_reader = pc.or_(needs_fallback(verdicts), packed.is_null())
        reader_texts = _unpack_by_row(packed.filter(left_to_reader), game)
        texts = pc.replace_with_mask(texts, left_to_reader, reader_texts)
    return texts


def _unpack_by_row(packed: pa.Array, game: Game) -> pa.Array:
    """Return the texts of packed positions, unpacked one by one; null for null and for invalid bytes."""
    positions = [None if data is None else unpack_row(game, data) for data in packed.to_pylist()]
    return pa.array(
        [None if position is None else str(position) for position in positions], pa.large_string()
    )


# --- features ---------------------------------------------------------------------------------------


def _compute_features(texts: Texts, columnar: Columnar, result_type: pa.DataType) -> pa.Array:
    """Return the features of the positions in some texts, as an array of structs.

    `columnar` is the game, with its list of features. `result_type` is the result of `features_type`.
    """
    rows = texts.rows
    # The memory has the values of the first feature for all rows, then those of the second one, and so on.
    memory = texts.result_memory.cast("i")

    def bind(kernels: Column, verdicts: memoryview) -> Kernel:
        """Return the compiled function with the memory to which it writes its verdicts and the features."""
        return lambda chars, offsets, first, last: kernels.features(
            chars, offsets, first, last, verdicts, memory, rows
        )

    def write_features(row: int, position: Any) -> bool:
        """Write the features of the position in row `row`, and return True."""
        for index, value in enumerate(columnar.features(position)):
            memory[index * rows + row] = value
        return True

    validity = texts.fill_validity(texts.run(bind), write_features)
    fields = []
    for index, feature in enumerate(columnar.feature_list):
        values = pa.py_buffer(memory[index * rows : (index + 1) * rows])
        numbers = pa.Array.from_buffers(pa.int32(), rows, [validity, values])
        fields.append(_add_labels(numbers, feature.labels))
    return pa.StructArray.from_arrays(fields, fields=list(result_type))


def _add_labels(numbers: pa.Array, labels: tuple[str, ...]) -> pa.Array:
    """Return the values of a feature with labels instead of numbers, if the feature has labels.

    The number 0 becomes the first label, 1 the second, and so on.
    """
    if not labels:
        return numbers
    return pa.DictionaryArray.from_arrays(numbers.cast(pa.int16()), pa.array(labels))
