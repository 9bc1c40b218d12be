"""Work on an array that is split into parts for several threads, and joining the results.

One thread does all the work on a part, because work on all rows at once would make the other threads wait.
The threads also join the results: numbers, texts, booleans, dictionary arrays, and structs of those.

Limits: the calling thread works alone on an array that is too short to split. Arrow raises an error for more
than 2 GiB of text in a column with offsets of four bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from itertools import accumulate, islice
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

T = TypeVar("T")
Work = Callable[[pa.Array, memoryview], pa.Array]
"""The work on a part: it takes rows and memory for their results, and returns an array of the results.

Results of a fixed size are written to that memory. Results of other types may be anywhere.
"""

_MIN_PART_ROWS: Final = 2048
"""Minimum number of rows of a part; smaller parts cost more than they save."""
_PARTS_PER_THREAD: Final = 4
"""Parts per thread: while one core is busy with other work, the other threads take more parts."""
_ROW_STEP: Final = 64
"""The number of rows of a part is a multiple of this, so that no two parts share a byte of a bitmap."""


def map_in_parts(array: Any, work: Work, kind: pa.DataType, size: int, threads: int) -> Any:
    """Split an array into parts, let threads call `work` on the parts, and return the joined results.

    Args:
        array: The rows.
        work: The work on a part.
        kind: The type of the results.
        size: The bytes of memory that `work` needs per row.
        threads: The number of threads that share the parts.
    """
    chunks = [_Chunk(chunk, size) for chunk in array.chunks] if _is_chunked(array) else [_Chunk(array, size)]
    # If the array has many chunks, each is split into fewer parts.
    max_parts = threads * _PARTS_PER_THREAD // max(1, len(chunks)) if threads > 1 else 1
    parts = [part for chunk in chunks for part in chunk.parts(max(1, max_parts))]
    answers = iter(run_on_threads(lambda part: work(part.rows, part.room), parts, threads))
    results = [chunk.join(list(islice(answers, chunk.part_count)), kind, threads) for chunk in chunks]
    return pa.chunked_array(results, kind) if _is_chunked(array) else results[0]


def _is_chunked(array: Any) -> bool:
    """Return whether an array is a `ChunkedArray`, which consists of several arrays."""
    return isinstance(array, pa.ChunkedArray)


class _Part(NamedTuple):
    """Some rows, and the memory for their results."""

    rows: pa.Array
    room: memoryview


class _Chunk:
    """An array that is split into parts, and the memory for its results."""

    def __init__(self, rows: pa.Array, size: int) -> None:
        """Allocate `size` bytes for the result of each row."""
        self._rows = rows
        self._size = size
        self._room = pa.allocate_buffer(len(rows) * size)
        self.part_count = 1
        """Number of parts."""

    def parts(self, max_parts: int) -> list[_Part]:
        """Split the rows into at most `max_parts` parts of about the same size."""
        rows, size = len(self._rows), self._size
        view = memoryview(self._room).cast("B")
        # The number of rows of a part; `-(-a // b)` is a division that rounds up.
        step = max(_MIN_PART_ROWS, -(-rows // max_parts))
        step = -(-step // _ROW_STEP) * _ROW_STEP
        firsts = range(0, rows, step) or (0,)
        self.part_count = len(firsts)
        return [
            _Part(self._rows.slice(first, step), view[first * size : (first + step) * size])
            for first in firsts
        ]

    def join(self, answers: Sequence[pa.Array], kind: pa.DataType, threads: int) -> pa.Array:
        """Return the results of all parts as one array."""
        return answers[0] if self.part_count == 1 else join_answers(answers, kind, self._room, threads)


def run_on_threads(work: Callable[[Any], T], parts: Sequence[Any], threads: int) -> list[T]:
    """Return the results of `work` for each part, in order.

    If `work` fails on some parts, raise the error of the first of them when all threads are done.
    """
    if threads < 2 or len(parts) < 2:
        return [work(part) for part in parts]
    jobs = [_pool(threads).submit(work, part) for part in parts]
    errors = [error for job in jobs if (error := job.exception()) is not None]
    if errors:
        raise errors[0]
    return [job.result() for job in jobs]


@lru_cache(maxsize=4)
def _pool(threads: int) -> ThreadPoolExecutor:
    """Return a pool of `threads` threads, which is cached: new threads would cost more than a small batch."""
    return ThreadPoolExecutor(threads, "forsyth-bulk")


# --- joining --------------------------------------------------------------------------------------


class _Copy(NamedTuple):
    """A copy of numbers to a part of a larger array, with a constant added to each."""

    target: Any
    source: Any
    added: int = 0


def join_answers(answers: Sequence[pa.Array], kind: pa.DataType, room: pa.Buffer, threads: int) -> pa.Array:
    """Return the results of all parts as one array of type `kind`, copied by `threads` threads.

    Results of a fixed size are not copied: the parts wrote them to their places in the memory `room`.
    """
    copies: list[list[_Copy]] = [[] for _ in answers]
    make_array = _plan_array(answers, kind, room, copies)
    run_on_threads(_copy_all, copies, threads)
    return make_array()


def _copy_all(copies: Sequence[_Copy]) -> None:
    """Copy the numbers of one part to their places in the joined array."""
    for target, source, added in copies:
        if added:
            np.add(source, added, out=target)
        else:
            target[:] = source


def _plan_array(
    answers: Sequence[pa.Array], kind: pa.DataType, room: pa.Buffer, copies: list[list[_Copy]]
) -> Callable[[], pa.Array]:
    """Plan how to join the results of all parts, and return a function that makes the joined array.

    Args:
        answers: The results of the parts, in order.
        kind: Their type.
        room: The memory that has the results of a fixed size already.
        copies: One list per part. It gets the copies to make before the returned function is called.
    """
    if pa.types.is_struct(kind):
        return _plan_struct(answers, kind, room, copies)
    if pa.types.is_dictionary(kind):
        make_indices = _plan_array([answer.indices for answer in answers], kind.index_type, room, copies)
        labels = answers[0].dictionary
        return lambda: pa.DictionaryArray.from_arrays(make_indices(), labels)
    if pa.types.is_boolean(kind):
        return partial(pa.concat_arrays, answers)
    if (merged := _merge_slices(answers)) is not None:
        return lambda: merged
    rows = sum(map(len, answers))
    validity = _join_validity(answers)
    if pa.types.is_fixed_size_binary(kind):
        return partial(pa.Array.from_buffers, kind, rows, [validity, room])
    if pa.types.is_large_string(kind) or pa.types.is_string(kind):
        return _plan_texts(answers, kind, rows, validity, copies)
    out = pa.allocate_buffer(rows * kind.byte_width)
    values = np.frombuffer(out, np.uint8)
    for first, answer, part in zip(_start_offsets(map(len, answers)), answers, copies, strict=True):
        part.append(_Copy(_slice_rows(values, first, len(answer), kind.byte_width), _get_values(answer)))
    return partial(pa.Array.from_buffers, kind, rows, [validity, out])


def _plan_struct(
    answers: Sequence[pa.Array], kind: pa.DataType, room: pa.Buffer, copies: list[list[_Copy]]
) -> Callable[[], pa.Array]:
    """Plan each field of a struct by `_plan_array`, and return a function that makes the joined array."""
    makers = [
        _plan_array([answer.field(index) for answer in answers], field.type, room, copies)
        for index, field in enumerate(kind)
    ]
    return lambda: pa.StructArray.from_arrays([make_field() for make_field in makers], fields=list(kind))


def _plan_texts(
    answers: Sequence[pa.Array],
    kind: pa.DataType,
    rows: int,
    validity: pa.Buffer | None,
    copies: list[list[_Copy]],
) -> Callable[[], pa.Array]:
    """Plan how to join arrays of texts, and return a function that makes the joined array.

    Args:
        answers: The texts of the parts, in order.
        kind: Their type.
        rows: The number of all texts.
        validity: The validity bitmap of all texts; None if none is null.
        copies: One list per part. It gets the copies of offsets and characters to make before the call.
    """
    offset_type = np.int64 if pa.types.is_large_string(kind) else np.int32
    part_offsets = [_get_offsets(answer, offset_type) for answer in answers]
    sizes = [int(offsets[-1]) - int(offsets[0]) for offsets in part_offsets]
    if sum(sizes) > np.iinfo(offset_type).max:
        return partial(pa.concat_arrays, answers)
    offsets = pa.allocate_buffer((rows + 1) * np.dtype(offset_type).itemsize)
    chars = pa.allocate_buffer(sum(sizes))
    all_offsets, all_chars = np.frombuffer(offsets, offset_type), np.frombuffer(chars, np.uint8)
    all_offsets[0] = 0
    starts = zip(_start_offsets(map(len, answers)), _start_offsets(sizes), strict=True)
    for (row, char_start), answer, offsets_of_part, size, part in zip(
        starts, answers, part_offsets, sizes, copies, strict=True
    ):
        # The offsets of a part count from its own first character, so a constant is added to them.
        first = int(offsets_of_part[0])
        part.append(
            _Copy(all_offsets[row + 1 : row + 1 + len(answer)], offsets_of_part[1:], char_start - first)
        )
        if size:
            source = np.frombuffer(answer.buffers()[2], np.uint8)[first : first + size]
            part.append(_Copy(all_chars[char_start : char_start + size], source))
    return partial(pa.Array.from_buffers, kind, rows, [validity, offsets, chars])


def _merge_slices(answers: Sequence[pa.Array]) -> pa.Array | None:
    """Return the results as one array without copying, or None if that is impossible.

    It is possible if all results are consecutive slices of the same buffers.
    """
    buffers = answers[0].buffers()
    addresses = [None if buffer is None else buffer.address for buffer in buffers]
    next_offset = answers[0].offset
    for answer in answers:
        if (
            answer.offset != next_offset
            or [None if buffer is None else buffer.address for buffer in answer.buffers()] != addresses
        ):
            return None
        next_offset += len(answer)
    return pa.Array.from_buffers(
        answers[0].type, next_offset - answers[0].offset, buffers, offset=answers[0].offset
    )


def _join_validity(answers: Sequence[pa.Array]) -> pa.Buffer | None:
    """Return the validity bitmap of all rows, or None if no row is null."""
    if not any(answer.null_count for answer in answers):
        return None
    return pa.concat_arrays([answer.is_valid() for answer in answers]).buffers()[1]


def _start_offsets(sizes: Any) -> list[int]:
    """Return the start of each of some consecutive ranges: sizes 3, 2, 4 give the starts 0, 3, 5."""
    return [0, *accumulate(sizes)][:-1]


def _slice_rows(values: Any, first: int, rows: int, width: int) -> Any:
    """Return the bytes of `rows` rows from row `first` on; a row has `width` bytes."""
    return values[first * width : (first + rows) * width]


def _get_values(answer: pa.Array) -> Any:
    """Return the bytes of the values of an array."""
    return _slice_rows(
        np.frombuffer(answer.buffers()[1], np.uint8), answer.offset, len(answer), answer.type.byte_width
    )


def _get_offsets(answer: pa.Array, kind: Any) -> Any:
    """Return the offsets of an array of texts, one more than it has rows; `kind` is their type."""
    return np.frombuffer(answer.buffers()[1], kind)[answer.offset : answer.offset + len(answer) + 1]
