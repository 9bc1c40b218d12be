"""An array cut into parts that threads share, and their answers joined to one array.

Accepts: an array, whole or in chunks, what is to be done with a part of it, and how many threads share the
parts. One thread works on a part from its first check to its answers, since whatever is done for all rows at
once keeps the other threads waiting. The threads join the answers too: numbers, texts, bits, labels of a
dictionary, and structs of those.

Limits: the thread that asks works on an array that is too short to share; texts of more than 2 GiB in a
column with offsets of four bytes are an error of Arrow, as they are elsewhere.
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
"""What is done with a part: its rows and room for its answers; an answer for each row.

An answer of fixed size stands in the room, one of another type may stand anywhere."""

_LEAST_ROWS: Final = 2048
"""Fewer rows than this are not worth a part of their own."""
_PARTS: Final = 4
"""Parts for each thread: where a core has other work as well, the others take more of them."""
_BITS: Final = 64
"""Parts have a multiple of this many rows, so that no two of them share a byte of bits."""


def shared(array: Any, work: Work, kind: pa.DataType, size: int, threads: int) -> Any:
    """The answers of `work`, of type `kind`, for all rows of an array or of the chunks of one.

    `size` bytes of room are made for each row.
    """
    chunks = [_Chunk(chunk, size) for chunk in array.chunks] if _is_chunked(array) else [_Chunk(array, size)]
    # A column of many chunks needs no smaller parts.
    most = threads * _PARTS // max(1, len(chunks)) if threads > 1 else 1
    parts = [part for chunk in chunks for part in chunk.parts(max(1, most))]
    answers = iter(on_threads(lambda part: work(part.rows, part.room), parts, threads))
    whole = [chunk.joined(list(islice(answers, chunk.cuts)), kind, threads) for chunk in chunks]
    return pa.chunked_array(whole, kind) if _is_chunked(array) else whole[0]


def _is_chunked(array: Any) -> bool:
    return isinstance(array, pa.ChunkedArray)


class _Part(NamedTuple):
    """Some rows, and room for their answers."""

    rows: pa.Array
    room: memoryview


class _Chunk:
    """An array with room for the answers, cut into parts."""

    def __init__(self, rows: pa.Array, size: int) -> None:
        self._rows = rows
        self._size = size
        self._room = pa.allocate_buffer(len(rows) * size)
        self.cuts = 1
        """How many parts there are."""

    def parts(self, most: int) -> list[_Part]:
        """At most so many parts, of about the same size."""
        rows, size = len(self._rows), self._size
        view = memoryview(self._room).cast("B")
        step = max(_LEAST_ROWS, -(-rows // most))
        step = -(-step // _BITS) * _BITS
        firsts = range(0, rows, step) or (0,)
        self.cuts = len(firsts)
        return [_Part(self._rows.slice(at, step), view[at * size : (at + step) * size]) for at in firsts]

    def joined(self, answers: Sequence[pa.Array], kind: pa.DataType, threads: int) -> pa.Array:
        """The answers for all parts as one array."""
        return answers[0] if self.cuts == 1 else joined(answers, kind, self._room, threads)


def on_threads(work: Callable[[Any], T], parts: Sequence[Any], threads: int) -> list[T]:
    """What `work` gives for each part, in order; the first error is raised when no part is worked on."""
    if threads < 2 or len(parts) < 2:
        return [work(part) for part in parts]
    jobs = [_pool(threads).submit(work, part) for part in parts]
    errors = [error for job in jobs if (error := job.exception()) is not None]
    if errors:
        raise errors[0]
    return [job.result() for job in jobs]


@lru_cache(maxsize=4)
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for the next batch: making new ones for each would cost more than a small batch."""
    return ThreadPoolExecutor(threads, "forsyth-bulk")


# --- joining ----------------------------------------------------------------------------------------


class _Copy(NamedTuple):
    """Numbers that go to a place of a larger array, each with something added."""

    target: Any
    source: Any
    added: int = 0


def joined(answers: Sequence[pa.Array], kind: pa.DataType, room: pa.Buffer, threads: int) -> pa.Array:
    """The answers as one array; those of fixed size stand in `room` already."""
    copies: list[list[_Copy]] = [[] for _ in answers]
    whole = _planned(answers, kind, room, copies)
    on_threads(_copy, copies, threads)
    return whole()


def _copy(copies: Sequence[_Copy]) -> None:
    for target, source, added in copies:
        if added:
            np.add(source, added, out=target)
        else:
            target[:] = source


def _planned(
    answers: Sequence[pa.Array], kind: pa.DataType, room: pa.Buffer, copies: list[list[_Copy]]
) -> Callable[[], pa.Array]:
    """What makes the whole array when the `copies` of each part, which are added here, have been made."""
    if pa.types.is_struct(kind):
        return _struct(answers, kind, room, copies)
    if pa.types.is_dictionary(kind):
        numbers = _planned([one.indices for one in answers], kind.index_type, room, copies)
        labels = answers[0].dictionary
        return lambda: pa.DictionaryArray.from_arrays(numbers(), labels)
    if pa.types.is_boolean(kind):
        return partial(pa.concat_arrays, answers)
    if (shares := _one_array(answers)) is not None:
        return lambda: shares
    rows = sum(map(len, answers))
    validity = _validity(answers)
    if pa.types.is_fixed_size_binary(kind):
        return partial(pa.Array.from_buffers, kind, rows, [validity, room])
    if pa.types.is_large_string(kind) or pa.types.is_string(kind):
        return _texts(answers, kind, rows, validity, copies)
    out = pa.allocate_buffer(rows * kind.byte_width)
    values = np.frombuffer(out, np.uint8)
    for first, answer, part in zip(_starts(map(len, answers)), answers, copies, strict=True):
        part.append(_Copy(_cut(values, first, len(answer), kind.byte_width), _values(answer)))
    return partial(pa.Array.from_buffers, kind, rows, [validity, out])


def _struct(
    answers: Sequence[pa.Array], kind: pa.DataType, room: pa.Buffer, copies: list[list[_Copy]]
) -> Callable[[], pa.Array]:
    fields = [
        _planned([one.field(number) for one in answers], field.type, room, copies)
        for number, field in enumerate(kind)
    ]
    return lambda: pa.StructArray.from_arrays([field() for field in fields], fields=list(kind))


def _texts(
    answers: Sequence[pa.Array],
    kind: pa.DataType,
    rows: int,
    validity: pa.Buffer | None,
    copies: list[list[_Copy]],
) -> Callable[[], pa.Array]:
    places = np.int64 if pa.types.is_large_string(kind) else np.int32
    given = [_places(one, places) for one in answers]
    sizes = [int(one[-1]) - int(one[0]) for one in given]
    if sum(sizes) > np.iinfo(places).max:
        return partial(pa.concat_arrays, answers)
    offsets = pa.allocate_buffer((rows + 1) * np.dtype(places).itemsize)
    chars = pa.allocate_buffer(sum(sizes))
    all_places, all_chars = np.frombuffer(offsets, places), np.frombuffer(chars, np.uint8)
    all_places[0] = 0
    starts = zip(_starts(map(len, answers)), _starts(sizes), strict=True)
    for (row, at), answer, own, size, part in zip(starts, answers, given, sizes, copies, strict=True):
        first = int(own[0])
        part.append(_Copy(all_places[row + 1 : row + 1 + len(answer)], own[1:], at - first))
        if size:
            source = np.frombuffer(answer.buffers()[2], np.uint8)[first : first + size]
            part.append(_Copy(all_chars[at : at + size], source))
    return partial(pa.Array.from_buffers, kind, rows, [validity, offsets, chars])


def _one_array(answers: Sequence[pa.Array]) -> pa.Array | None:
    """The array of which all answers are slices, one behind the other; None where they are not."""
    buffers = answers[0].buffers()
    memory = [None if one is None else one.address for one in buffers]
    at = answers[0].offset
    for answer in answers:
        if (
            answer.offset != at
            or [None if one is None else one.address for one in answer.buffers()] != memory
        ):
            return None
        at += len(answer)
    return pa.Array.from_buffers(answers[0].type, at - answers[0].offset, buffers, offset=answers[0].offset)


def _validity(answers: Sequence[pa.Array]) -> pa.Buffer | None:
    """The bits that say which rows are not null; None where all are."""
    if not any(answer.null_count for answer in answers):
        return None
    return pa.concat_arrays([answer.is_valid() for answer in answers]).buffers()[1]


def _starts(sizes: Any) -> list[int]:
    """Where each of some stretches begins that follow each other."""
    return [0, *accumulate(sizes)][:-1]


def _cut(values: Any, first: int, rows: int, width: int) -> Any:
    return values[first * width : (first + rows) * width]


def _values(answer: pa.Array) -> Any:
    return _cut(
        np.frombuffer(answer.buffers()[1], np.uint8), answer.offset, len(answer), answer.type.byte_width
    )


def _places(answer: pa.Array, kind: Any) -> Any:
    """The offsets of an array of texts, one more than it has rows."""
    return np.frombuffer(answer.buffers()[1], kind)[answer.offset : answer.offset + len(answer) + 1]
