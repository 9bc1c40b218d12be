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
from forsyth.bulk.verbs.material import MATERIAL_TYPE, compute_materials, list_piece_letters
from forsyth.bulk.verbs.shared_rows import map_in_parts
from forsyth.bulk.verbs.text_arrays import (
    Kernel,
    ReadOptions,
    RowResult,
    ScanResult,
    Texts,
    mark_canonical_rows,
    mark_fallback_rows,
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
    """Check each text, and return a struct with its first error or warning (SCAN_TYPE).

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
    packed_bytes = _choose_packed_width(options.game, width)

    def pack_position(position: Any) -> bytes | None:
        """Return the packed form of a position, padded with zeros, or None if it is too long."""
        packed = options.game.pack(position)
        return packed.ljust(packed_bytes, b"\0") if len(packed) <= packed_bytes else None

    def pack_texts(text_part: Texts) -> pa.Array:
        """Return the packed forms of a part of the texts."""
        return _compute_fixed_size(
            text_part, packed_bytes, lambda kernels: kernels.pack, pack_position, packed_bytes
        )

    return _apply_verb(texts, options, pack_texts, pa.binary(packed_bytes), packed_bytes)


def _choose_packed_width(game: Game, width: int | None) -> int:
    """Return the size of each packed form in bytes: `width`, or the default if it is None.

    Raise `BulkError` if `width` is less than 1, or None for a game without columns.
    """
    if width is None:
        remedy = "choose the size of each packed form in bytes (--width)"
        return require_columns(game, "packed columns", remedy).packed_width
    if width < 1:
        raise BulkError(
            f"the width of the packed column is {width} bytes, expected at least 1; "
            "leave out the width for the default of the game"
        )
    return width


def unpack(packed: Any, game: Game | str, *, threads: int = 1) -> Any:
    """Return the canonical text of each packed form, or null if the bytes are not valid.

    Args:
        packed: An array of packed forms, which `pack` returned.
        game: The game, or its name such as ``chess``.
        threads: The number of threads that share the rows.

    Raises:
        BulkError: If `packed` is not an array of bytes.
    """
    loaded_game = registry.game(game)
    column = as_array(packed)
    if pa.types.is_dictionary(column.type):
        return _apply_to_dictionary(
            column, lambda values: unpack(values, loaded_game, threads=threads), pa.large_string()
        )
    if not _is_packed_type(column.type):
        raise BulkError(
            f"the column is of type {column.type}, expected packed forms as bytes; name another with --column"
        )
    has_fixed_size = pa.types.is_fixed_size_binary(column.type)
    kernels = column_kernels(loaded_game) if COMPILED and has_fixed_size else None

    def unpack_part(part: pa.Array, _: memoryview) -> pa.Array:
        """Return the texts of the packed forms in a part of the column."""
        require_valid_offsets(part)
        if kernels is None:
            return _unpack_by_row(part, loaded_game)
        return _unpack_by_kernel(part, loaded_game, kernels)

    return map_in_parts(column, unpack_part, pa.large_string(), row_bytes=0, threads=threads)


def features(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return the features of each position, such as the side to move, as a struct.

    It has one field per item of the game's `feature_list`. The fields of a text that cannot be read are null.

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
    result_type = make_features_type(options.game)
    row_bytes = _INT32_BYTES * len(columnar.feature_list)

    def compute_features(text_part: Texts) -> pa.Array:
        """Return the features of a part of the texts."""
        return _compute_features(text_part, columnar, result_type)

    return _apply_verb(texts, options, compute_features, result_type, row_bytes)


def planes(
    texts: Any, game: Game | str, *, mode: Mode = "default", legality: bool = False, threads: int = 1
) -> Any:
    """Return each position as a tensor of bytes, or null for a text that cannot be read.

    A tensor has one plane, such as a board of zeros and ones, for each kind of piece. All its bytes are one
    value of the result, which `tensor` converts to a NumPy array.

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
    """Convert the result of `planes` to one NumPy array of bytes.

    Its axes are position, plane, row and column. The values of an array are not copied, those of a chunked
    array are.

    Args:
        column: The column that `planes` returned.
        shape: The shape of one tensor: the game's `plane_shape`.

    Raises:
        BulkError: If the column has nulls, because a NumPy array of bytes cannot hold them.
    """
    array = as_array(column)
    dimensions = (len(shape.names), shape.height, shape.width)
    no_tensors = np.zeros((0, *dimensions), np.uint8)
    if isinstance(array, pa.ChunkedArray):
        return np.concatenate([no_tensors, *(tensor(chunk, shape) for chunk in array.chunks)])
    if array.null_count:
        raise BulkError(
            f"{array.null_count} positions are missing (null), which a tensor cannot hold; "
            "remove these rows first"
        )
    if not len(array):
        return no_tensors
    _, data_buffer = array.buffers()
    values = np.frombuffer(
        data_buffer, np.uint8, count=len(array) * shape.size, offset=array.offset * shape.size
    )
    return values.reshape(len(array), *dimensions)


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
    letters = list_piece_letters(loaded_game)
    canonical_texts = normalise(texts, loaded_game, mode=mode, legality=legality, threads=threads)
    if isinstance(canonical_texts, pa.ChunkedArray):
        chunks = [compute_materials(chunk, letters) for chunk in canonical_texts.chunks]
        return pa.chunked_array(chunks, MATERIAL_TYPE)
    return compute_materials(canonical_texts, letters)


def make_features_type(game: Game | str) -> pa.DataType:
    """Return the type of the result of `features`: a struct with one field per feature of the game.

    A field is a label, such as ``w``, if the feature has labels. Otherwise it is an integer of 32 bits. Raise
    `BulkError` if the game has no features.
    """
    fields = []
    for feature in require_columns(registry.game(game), "features").feature_list:
        field_type = _LABEL_TYPE if feature.labels else pa.int32()
        fields.append((feature.name, field_type))
    return pa.struct(fields)


# --- one array --------------------------------------------------------------------------------------


def _make_options(game: Game | str, mode: Mode, legality: bool, threads: int) -> ReadOptions:
    """Return the options for reading texts. `game` may be a name, such as ``chess``."""
    return ReadOptions(registry.game(game), mode, legality, threads)


def as_array(values: object) -> Any:
    """Convert an array, a series or a list of values to an Arrow array or chunked array.

    Arrays of NumPy and series of pandas and Polars are accepted. Raise `BulkError` if `values` has another
    type, or cannot be converted.
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
    """Return the result of a verb, such as a key, for each text of an array.

    If the array is a dictionary array, each value of the dictionary is processed once.

    Args:
        texts: The texts, in any type that `as_array` accepts.
        options: The options for reading the texts.
        compute: Returns the results for a part of the texts.
        result_type: The type of the results.
        row_bytes: The bytes of memory per row that `compute` needs for its results; 0 for none.
    """
    array = as_array(texts)
    if pa.types.is_dictionary(array.type):
        return _apply_to_dictionary(
            array, lambda values: _apply_verb(values, options, compute, result_type, row_bytes), result_type
        )

    def compute_part(part: pa.Array, memory: memoryview) -> pa.Array:
        """Return the results for a part of the texts, which may be written to `memory`."""
        return compute(Texts(part, options, memory))

    return map_in_parts(array, compute_part, result_type, row_bytes, options.threads)


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
    """Return the result of each row of a dictionary array, from those of its distinct values.

    The results ``[a, b]`` and the indices ``[1, 0, 1, null]`` give ``[b, a, b, null]``. Raise `BulkError` if
    there is no result with the index of a row.
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
    """Return a result of `size` bytes, such as a key, for each text.

    Compiled code computes most results. The reader in Python reads the texts that this code leaves.

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
        return lambda chars, offsets, first_row, end_row: kernel(
            chars, offsets, first_row, end_row, verdicts, texts.result_memory, *kernel_options
        )

    def write_result(row: int, position: Any) -> bool:
        """Write the result for a position that the reader read, and return whether there is one."""
        result = convert(position)
        if result is None:
            return False
        texts.result_memory[row * size : (row + 1) * size] = result
        return True

    verdicts = texts.run_kernel(bind)
    validity = texts.write_fallback_results(verdicts, write_result)
    return pa.Array.from_buffers(pa.binary(size), texts.rows, [validity, pa.py_buffer(texts.result_memory)])


# --- scan -------------------------------------------------------------------------------------------


class _ScanColumns(NamedTuple):
    """The columns of the result of `scan`. Codes and severities are numbers instead of labels."""

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
_SHORT_COLUMNS: Final = 2
_INT_COLUMNS: Final = 4
_BITMAPS: Final = 2
"""Numbers of columns of 16-bit numbers, of 32-bit numbers, and of bits that `scatter_findings` writes."""


def _scan_texts(texts: Texts) -> pa.Array:
    """Check each text, and return a struct with its first error or warning (SCAN_TYPE).

    Compiled code checks all texts. The reader in Python then reads those that this code leaves.
    """
    scan_result = texts.scan_with_kernel()
    columns = _convert_notes(texts, scan_result)
    fallback_rows = texts.find_fallback_rows(scan_result.verdicts)
    if fallback_rows:
        columns = _replace_fallback_rows(texts, columns, fallback_rows)
    # Compiled code reads a null as an empty text.
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
    """Return the columns of `scan` for what compiled code wrote about each text.

    ``scan_result.verdicts[row]`` is a number, such as REFUSED if the text has an error. The notes on the row
    are numbers that describe its first finding (an error or a warning).
    """
    kernels = texts.options.kernels
    has_findings = (np.frombuffer(scan_result.verdicts, np.uint8) >= NOTED).any()
    if kernels is None or not has_findings:
        return _make_columns_without_findings(texts.rows)

    rows = texts.rows
    number_by_code = _number_codes(texts.options.game)
    code_numbers = np.array([number_by_code[code] for code in kernels.codes], np.int16)
    no_square = len(kernels.squares)
    bitmap_bytes = (rows + 7) // 8
    shorts = pa.allocate_buffer(_SHORT_COLUMNS * rows * _INT16_BYTES)
    ints = pa.allocate_buffer(_INT_COLUMNS * rows * _INT32_BYTES)
    bitmaps = pa.allocate_buffer(_BITMAPS * bitmap_bytes)
    scatter_findings(
        memoryview(scan_result.verdicts),
        scan_result.notes,
        rows,
        code_numbers.data,
        no_square,
        memoryview(shorts).cast("B").cast("h"),
        memoryview(ints).cast("B").cast("i"),
        memoryview(bitmaps).cast("B"),
    )

    has_finding, is_ok = bitmaps.slice(0, bitmap_bytes), bitmaps.slice(bitmap_bytes)
    code, severity = _slice_columns(shorts, pa.int16(), rows, [has_finding, has_finding])
    start, end, square, findings = _slice_columns(
        ints, pa.int32(), rows, [has_finding, has_finding, has_finding, None]
    )
    # The number `no_square` is the index behind the last square, where the name is null.
    square_names = pa.array([*kernels.squares, None], pa.string())
    ok = pa.Array.from_buffers(pa.bool_(), rows, [None, is_ok])
    return _ScanColumns(ok, code, severity, start, end, square_names.take(square), findings)


def _make_columns_without_findings(rows: int) -> _ScanColumns:
    """Return the columns of a scan for `rows` rows without findings (errors or warnings)."""
    columns = [
        _make_constant(value, data_type, rows)
        for value, data_type in zip(_NO_FINDINGS, _SCAN_COLUMN_TYPES, strict=True)
    ]
    return _ScanColumns(*columns)


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
    """Return the columns of a scan with other results for some rows, those of the reader in Python.

    Args:
        texts: The texts.
        columns: The results of compiled code for all rows.
        rows: The indices of the rows that the reader has to read.
    """
    code_numbers = _number_codes(texts.options.game)
    row_values = [_list_scan_values(texts.read_text(row), code_numbers) for row in rows]
    mask = texts.make_row_mask(rows)
    replaced_columns = []
    for kernel_column, reader_values, data_type in zip(
        columns, zip(*row_values, strict=True), _SCAN_COLUMN_TYPES, strict=True
    ):
        reader_column = pa.array(reader_values, data_type)
        replaced_columns.append(texts.replace_rows(kernel_column, mask, reader_column))
    return _ScanColumns(*replaced_columns)


def _list_scan_values(row_result: RowResult, code_numbers: Mapping[str, int]) -> tuple[Any, ...]:
    """Return what the reader found in one text as values for the columns of a scan, in their order.

    `code_numbers` has the number of each code of findings, such as ``{"fen.type": 0}``.
    """
    finding = row_result.first_finding
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
    """Return an array that repeats `value` `rows` times.

    If possible it is a slice of a cached array, because most batches have the same value in every row.
    """
    if rows > _CACHED_ROWS:
        return pa.repeat(pa.scalar(value, data_type), rows)
    return _make_cached_constant(value, data_type).slice(0, rows)


@lru_cache(maxsize=16)
def _make_cached_constant(value: bool | int | None, data_type: pa.DataType) -> pa.Array:
    """Return an array that repeats `value` `_CACHED_ROWS` times. It is made once and kept."""
    return pa.repeat(pa.scalar(value, data_type), _CACHED_ROWS)


def _number_codes(game: Game) -> dict[str, int]:
    """Return a number for each code of findings of a game, such as ``{"fen.type": 0, …}``.

    The numbers are the same in all batches of a game.
    """
    codes = dict.fromkeys(info.code for info in (*SHARED_CODES, *game.codes))
    return {code: number for number, code in enumerate(codes)}


# --- texts ------------------------------------------------------------------------------------------


def _normalise_texts(texts: Texts) -> pa.Array:
    """Return the canonical form of each text, or null for a text that cannot be read."""
    verdicts = texts.scan_with_kernel().verdicts
    kernels = texts.options.kernels
    if (np.frombuffer(verdicts, np.uint8) == CANONICAL).all():
        return texts.array.cast(pa.large_string())
    if kernels is None:
        kernel_texts = pa.nulls(texts.rows, pa.large_string())
    else:
        kernel_texts = _rewrite_texts(texts, kernels, verdicts)
    return texts.add_fallback_results(kernel_texts, verdicts, str)


def _rewrite_texts(texts: Texts, kernels: Column, verdicts: bytearray) -> pa.Array:
    """Return the canonical form of each text that compiled code accepts, null for others.

    Args:
        texts: The texts.
        kernels: The compiled functions of the game.
        verdicts: One byte per text, which says for example that the text is CANONICAL already, or REFUSED.
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
        same_type = rewritten.cast(texts.array.type)
        merged = pc.if_else(mark_canonical_rows(verdicts), texts.array, same_type)
        rewritten = merged.cast(pa.large_string())
    verdict_numbers = np.frombuffer(verdicts, np.uint8)
    is_accepted = pa.array((verdict_numbers != ASK) & (verdict_numbers != REFUSED))
    _, validity = is_accepted.buffers()
    _, *text_buffers = rewritten.buffers()
    return pa.Array.from_buffers(rewritten.type, texts.rows, [validity, *text_buffers])


def _collect_texts(
    rows: int, width: int, write_slots: Callable[[int, int, memoryview, memoryview], None]
) -> pa.Array:
    """Return an array of the texts that `write_slots` writes, some rows at a time.

    The function writes each text to a slot of its own, because the length is not known before. The texts are
    then copied to an array without gaps.

    Args:
        rows: The number of texts, at least 1.
        width: The bytes of a slot: the maximum length of a text.
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
    """Return the canonical texts of packed positions, or null for bytes that are not valid.

    Compiled code (`kernels`) unpacks most of them. The others are unpacked one by one. The type of `packed`
    is binary of a fixed size.
    """
    rows = len(packed)
    packed_bytes = packed.type.byte_width
    text_width = game.max_text
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
        left_to_reader = pc.or_(mark_fallback_rows(verdicts), packed.is_null())
        reader_texts = _unpack_by_row(packed.filter(left_to_reader), game)
        texts = pc.replace_with_mask(texts, left_to_reader, reader_texts)
    return texts


def _unpack_by_row(packed: pa.Array, game: Game) -> pa.Array:
    """Return the canonical texts of packed positions, which are unpacked one by one in plain Python.

    A null gives null, and so do bytes that are not valid.
    """
    positions = [None if data is None else unpack_row(game, data) for data in packed.to_pylist()]
    texts = [None if position is None else str(position) for position in positions]
    return pa.array(texts, pa.large_string())


# --- features ---------------------------------------------------------------------------------------


def _compute_features(texts: Texts, columnar: Columnar, result_type: pa.DataType) -> pa.Array:
    """Return the features of each position, such as the side to move, as an array of structs.

    `columnar` is the game, with its list of features. `result_type` is the type of the structs.
    """
    rows = texts.rows
    # The memory has the values of the first feature for all rows, then those of the second one, and so on.
    memory = texts.result_memory.cast("i")

    def bind(kernels: Column, verdicts: memoryview) -> Kernel:
        """Return the compiled function with the memory to which it writes its verdicts and the features."""
        return lambda chars, offsets, first_row, end_row: kernels.features(
            chars, offsets, first_row, end_row, verdicts, memory, rows
        )

    def write_features(row: int, position: Any) -> bool:
        """Write the features of the position in row `row`. Return True, because every position has some."""
        for index, value in enumerate(columnar.features(position)):
            memory[index * rows + row] = value
        return True

    verdicts = texts.run_kernel(bind)
    validity = texts.write_fallback_results(verdicts, write_features)
    fields = []
    for index, feature in enumerate(columnar.feature_list):
        values = pa.py_buffer(memory[index * rows : (index + 1) * rows])
        numbers = pa.Array.from_buffers(pa.int32(), rows, [validity, values])
        fields.append(_add_labels(numbers, feature.labels))
    return pa.StructArray.from_arrays(fields, fields=list(result_type))


def _add_labels(numbers: pa.Array, labels: tuple[str, ...]) -> pa.Array:
    """Return the labels of the values of a feature: 0, 1, 0 become ``w``, ``b``, ``w``.

    If the feature has no `labels`, return the numbers unchanged.
    """
    if not labels:
        return numbers
    return pa.DictionaryArray.from_arrays(numbers.cast(pa.int16()), pa.array(labels))
