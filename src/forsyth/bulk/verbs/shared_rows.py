"""Work on an array that is split into parts for several threads, and joining the results.

One thread does all the work on a part, because work on all rows at once would make the other threads wait.
The threads also join the results: numbers, texts, booleans, dictionary arrays, and structs of those.

Limits: the calling thread works alone on an array that is too short to split. Arrow raises an error for more
than 2 GiB of text in a column with offsets of four bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache, partial
from itertools import islice
from math import ceil
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

T = TypeVar("T")
Work = Callable[[pa.Array, memoryview], pa.Array]
"""A function for a part of the rows: from the rows, and memory for their results, to an array of the results.

Results of a fixed size are written to that memory. Results of other types may be anywhere.
"""

_MIN_PART_ROWS: Final = 2048
"""Minimum number of rows of a part; smaller parts cost more than they save."""
_PARTS_PER_THREAD: Final = 4
"""Parts per thread. With several, other threads can take the parts of a thread whose core is busy."""
_ROW_STEP: Final = 64
"""The number of rows of a part is a multiple of this, so that no two parts share a byte of a bitmap."""


def map_in_parts(array: Any, work: Work, result_type: pa.DataType, row_bytes: int, threads: int) -> Any:
    """Split an array into parts, call `work` on each part, on several threads, and join the results.

    Args:
        array: The rows, an Array or a ChunkedArray.
        work: Returns the results for a part. Its arguments are the rows, and memory for their results.
        result_type: The Arrow type of the results.
        row_bytes: The bytes of memory that `work` needs for the result of a row; 0 for none.
        threads: The number of threads that share the parts.

    Returns:
        The results, as an array of the same class as `array`.
    """
    arrays = array.chunks if _is_chunked(array) else [array]
    chunks = [_Chunk(rows, row_bytes) for rows in arrays]
    total_parts = threads * _PARTS_PER_THREAD if threads > 1 else 1
    # If the array has many chunks, each is split into fewer parts.
    max_parts = max(1, total_parts // max(1, len(chunks)))
    parts = [part for chunk in chunks for part in chunk.split(max_parts)]
    all_results = run_on_threads(lambda part: work(part.rows, part.memory), parts, threads)
    remaining_results = iter(all_results)
    results_by_chunk = []
    for chunk in chunks:
        part_results = list(islice(remaining_results, chunk.part_count))
        results_by_chunk.append(chunk.join_results(part_results, result_type, threads))
    return pa.chunked_array(results_by_chunk, result_type) if _is_chunked(array) else results_by_chunk[0]


def _is_chunked(array: Any) -> bool:
    """Return whether an array is a `ChunkedArray`, which consists of several arrays."""
    return isinstance(array, pa.ChunkedArray)


class _Part(NamedTuple):
    """A part of the rows of an array, and the memory for their results."""

    rows: pa.Array
    memory: memoryview


class _Chunk:
    """An array that is split into parts, and the memory for its results."""

    def __init__(self, rows: pa.Array, row_bytes: int) -> None:
        """Store the rows, and allocate `row_bytes` bytes for the result of each of them."""
        self._rows = rows
        self._row_bytes = row_bytes
        self._memory = pa.allocate_buffer(len(rows) * row_bytes)
        self.part_count = 1
        """Number of parts that `split` returned."""

    def split(self, max_parts: int) -> list[_Part]:
        """Split the rows into at most `max_parts` parts of about the same size, and return the parts.

        Short arrays have fewer parts, because a part has at least _MIN_PART_ROWS rows.
        """
        row_count = len(self._rows)
        memory = memoryview(self._memory).cast("B")
        min_part_rows = max(_MIN_PART_ROWS, ceil(row_count / max_parts))
        part_rows = ceil(min_part_rows / _ROW_STEP) * _ROW_STEP
        # An array without rows is one part.
        first_rows = range(0, row_count, part_rows) or (0,)
        self.part_count = len(first_rows)
        return [
            _Part(
                self._rows.slice(first_row, part_rows),
                _slice_rows(memory, first_row, part_rows, self._row_bytes),
            )
            for first_row in first_rows
        ]

    def join_results(self, results: Sequence[pa.Array], result_type: pa.DataType, threads: int) -> pa.Array:
        """Return the results of all parts, in order, as one array of the type `result_type`."""
        if self.part_count == 1:
            return results[0]
        return join_arrays(results, result_type, self._memory, threads)


def run_on_threads(work: Callable[[Any], T], parts: Sequence[Any], threads: int) -> list[T]:
    """Call `work` on each part, on several threads, and return the results in order.

    If `work` raises errors, wait for all threads, and raise the error of the first part that has one.
    """
    if threads < 2 or len(parts) < 2:
        return [work(part) for part in parts]
    pool = _get_pool(threads)
    futures = [pool.submit(work, part) for part in parts]
    # No thread may still write to the memory of its part after the caller has got the error.
    wait(futures)
    return [future.result() for future in futures]


@lru_cache(maxsize=4)
def _get_pool(threads: int) -> ThreadPoolExecutor:
    """Return a pool of `threads` threads.

    It is made once and kept, because starting threads takes longer than the work on a small batch.
    """
    return ThreadPoolExecutor(threads, "forsyth-bulk")


# --- joining --------------------------------------------------------------------------------------


class _Copy(NamedTuple):
    """A planned copy of the numbers in `source` to `target`, a part of a larger array."""

    target: Any
    source: Any
    added: int = 0
    """The number that is added to each of the numbers."""


ArrayMaker = Callable[[], pa.Array]
"""A function that makes the joined array. It is called when all planned copies have been made."""


def join_arrays(
    arrays: Sequence[pa.Array], result_type: pa.DataType, memory: pa.Buffer, threads: int
) -> pa.Array:
    """Return the results of all parts as one array, to which several threads copy them.

    Args:
        arrays: The results of the parts, in order.
        result_type: The Arrow type of the results.
        memory: The memory in which results of a fixed size are one after the other; these are not copied.
        threads: The number of threads.
    """
    copies_by_part: list[list[_Copy]] = [[] for _ in arrays]
    make_array = _plan_array(arrays, result_type, memory, copies_by_part)
    run_on_threads(_copy_all, copies_by_part, threads)
    return make_array()


def _copy_all(copies: Sequence[_Copy]) -> None:
    """Make all planned copies of one part."""
    for target, source, added in copies:
        if added:
            np.add(source, added, out=target)
        else:
            target[:] = source


def _plan_array(
    arrays: Sequence[pa.Array],
    result_type: pa.DataType,
    memory: pa.Buffer,
    copies_by_part: list[list[_Copy]],
) -> ArrayMaker:
    """Plan the copies that join arrays to one, and return a function that makes the joined array.

    Args:
        arrays: The results of the parts, in order.
        result_type: The Arrow type of the results.
        memory: The memory in which results of a fixed size are one after the other already.
        copies_by_part: One list per part, to which the planned copies are added. They must be made before the
            returned function is called.
    """
    if pa.types.is_struct(result_type):
        return _plan_struct(arrays, result_type, memory, copies_by_part)
    if pa.types.is_dictionary(result_type):
        indices = [array.indices for array in arrays]
        make_indices = _plan_array(indices, result_type.index_type, memory, copies_by_part)
        labels = arrays[0].dictionary
        return lambda: pa.DictionaryArray.from_arrays(make_indices(), labels)
    if pa.types.is_boolean(result_type):
        return partial(pa.concat_arrays, arrays)
    merged = _merge_slices(arrays)
    if merged is not None:
        return lambda: merged
    if pa.types.is_fixed_size_binary(result_type):
        row_count = sum(map(len, arrays))
        buffers = [_join_validity(arrays), memory]
        return partial(pa.Array.from_buffers, result_type, row_count, buffers)
    if pa.types.is_large_string(result_type) or pa.types.is_string(result_type):
        return _plan_texts(arrays, result_type, copies_by_part)
    return _plan_numbers(arrays, result_type, copies_by_part)


def _plan_struct(
    arrays: Sequence[pa.Array],
    struct_type: pa.DataType,
    memory: pa.Buffer,
    copies_by_part: list[list[_Copy]],
) -> ArrayMaker:
    """Plan the copies that join arrays of structs. Return a function that makes the array.

    The arrays are joined field by field. The arguments are those of `_plan_array`.
    """
    field_makers = [
        _plan_array([array.field(index) for array in arrays], field.type, memory, copies_by_part)
        for index, field in enumerate(struct_type)
    ]

    def make_structs() -> pa.Array:
        """Return the joined array of structs, from its joined fields."""
        fields = [make_field() for make_field in field_makers]
        return pa.StructArray.from_arrays(fields, fields=list(struct_type))

    return make_structs


def _plan_numbers(
    arrays: Sequence[pa.Array], number_type: pa.DataType, copies_by_part: list[list[_Copy]]
) -> ArrayMaker:
    """Plan the copies that join arrays of numbers. Return a function that makes the array.

    `copies_by_part` has one list per array, to which the planned copies are added.
    """
    row_count = sum(map(len, arrays))
    joined_buffer = pa.allocate_buffer(row_count * number_type.byte_width)
    joined_bytes = np.frombuffer(joined_buffer, np.uint8)
    first_row = 0
    for array, copies in zip(arrays, copies_by_part, strict=True):
        target = _slice_rows(joined_bytes, first_row, len(array), number_type.byte_width)
        copies.append(_Copy(target, _get_value_bytes(array)))
        first_row += len(array)
    buffers = [_join_validity(arrays), joined_buffer]
    return partial(pa.Array.from_buffers, number_type, row_count, buffers)


def _plan_texts(
    arrays: Sequence[pa.Array], text_type: pa.DataType, copies_by_part: list[list[_Copy]]
) -> ArrayMaker:
    """Plan the copies that join arrays of texts. Return a function that makes the array.

    Both the characters and the offsets of the texts are copied. `copies_by_part` has one list per array, to
    which the planned copies are added.
    """
    offset_type = np.int64 if pa.types.is_large_string(text_type) else np.int32
    offsets_by_part = [_get_offsets(array, offset_type) for array in arrays]
    sizes = [int(offsets[-1]) - int(offsets[0]) for offsets in offsets_by_part]
    if sum(sizes) > np.iinfo(offset_type).max:
        # Arrow raises the error for texts that are too long together.
        return partial(pa.concat_arrays, arrays)
    row_count = sum(map(len, arrays))
    offset_buffer = pa.allocate_buffer((row_count + 1) * np.dtype(offset_type).itemsize)
    char_buffer = pa.allocate_buffer(sum(sizes))
    joined_offsets = np.frombuffer(offset_buffer, offset_type)
    joined_chars = np.frombuffer(char_buffer, np.uint8)
    joined_offsets[0] = 0
    row = 0
    char = 0
    for array, offsets, size, copies in zip(arrays, offsets_by_part, sizes, copies_by_part, strict=True):
        first_char = int(offsets[0])
        next_row = row + len(array)
        next_char = char + size
        # The offsets of a part count from its own first character, so a constant is added to them.
        end_offsets = joined_offsets[row + 1 : next_row + 1]
        copies.append(_Copy(end_offsets, offsets[1:], added=char - first_char))
        if size:
            _, _, char_buffer_of_part = array.buffers()
            chars = np.frombuffer(char_buffer_of_part, np.uint8)[first_char : first_char + size]
            copies.append(_Copy(joined_chars[char:next_char], chars))
        row = next_row
        char = next_char
    buffers = [_join_validity(arrays), offset_buffer, char_buffer]
    return partial(pa.Array.from_buffers, text_type, row_count, buffers)


def _merge_slices(arrays: Sequence[pa.Array]) -> pa.Array | None:
    """Return arrays as one array without copying, or None if that is impossible.

    It is possible if the arrays are consecutive slices of the same buffers.
    """
    first_array = arrays[0]
    addresses = _get_buffer_addresses(first_array)
    next_offset = first_array.offset
    for array in arrays:
        if array.offset != next_offset or _get_buffer_addresses(array) != addresses:
            return None
        next_offset += len(array)
    row_count = next_offset - first_array.offset
    return pa.Array.from_buffers(
        first_array.type, row_count, first_array.buffers(), offset=first_array.offset
    )


def _get_buffer_addresses(array: pa.Array) -> list[int | None]:
    """Return the address in memory of each buffer of an array; None for a missing buffer."""
    return [None if buffer is None else buffer.address for buffer in array.buffers()]


def _join_validity(arrays: Sequence[pa.Array]) -> pa.Buffer | None:
    """Return a bitmap with a bit for each row, 0 if it is null, or None if no row is null."""
    if not any(array.null_count for array in arrays):
        return None
    is_valid = pa.concat_arrays([array.is_valid() for array in arrays])
    _, bitmap = is_valid.buffers()
    return bitmap


def _slice_rows(data: Any, first_row: int, row_count: int, row_bytes: int) -> Any:
    """Return the bytes of `row_count` rows of `data`, in which each row has `row_bytes` bytes."""
    return data[first_row * row_bytes : (first_row + row_count) * row_bytes]


def _get_value_bytes(array: pa.Array) -> Any:
    """Return the bytes of the values of an array of numbers, without copying them."""
    _, data_buffer = array.buffers()
    data = np.frombuffer(data_buffer, np.uint8)
    return _slice_rows(data, array.offset, len(array), array.type.byte_width)


def _get_offsets(array: pa.Array, offset_type: Any) -> Any:
    """Return the start of each text of an array, and the end of the last one, without copying them.

    `offset_type` is the NumPy type of the offsets, which depends on the type of the array.
    """
    _, offset_buffer, _ = array.buffers()
    offsets = np.frombuffer(offset_buffer, offset_type)
    return offsets[array.offset : array.offset + len(array) + 1]
