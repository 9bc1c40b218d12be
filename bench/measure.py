"""Time the operations of all libraries on chunks of the corpus.

The libraries take turns on every chunk, so that other load on the machine slows all of them alike. The time
of a pass is the sum over its chunks. The reported figure is the median of the passes.
"""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from bench.adapters import Adapter, Loop, Operation
from bench.corpus import Row
from bench.peers import PYTHON_CHESS

CHUNK_ROWS: Final = 500
PRIMER_ROWS: Final = 100
"""Rows that run untimed before each chunk, to load the code of the library into the caches."""
MICROSECONDS: Final = 1e6


@dataclass(frozen=True, slots=True)
class Timing:
    """Microseconds per item: one sample for each pass."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median sample, which is the reported figure."""
        return statistics.median(self.samples)

    @property
    def low(self) -> float:
        """The sample of the fastest pass."""
        return min(self.samples)

    @property
    def high(self) -> float:
        """The sample of the slowest pass."""
        return max(self.samples)


@contextmanager
def without_gc() -> Iterator[None]:
    """Collect garbage, then disable the garbage collector inside the `with` block.

    A collection during the measurement would slow one of the libraries at random.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def time_loop(loop: Loop, items: Sequence[Any]) -> float:
    """Return the seconds that `loop` takes to run over `items`."""
    begin = perf_counter()
    loop(items)
    return perf_counter() - begin


def measure(
    operation: Operation, adapters: Sequence[Adapter], rows: Sequence[Row], repeats: int
) -> dict[str, Timing]:
    """Time one operation in every library that has it, over the same rows in the same passes.

    Returns:
        The timing of each library by name, with `repeats` samples. An additional first pass is warm-up.
    """
    timed_adapters = [adapter for adapter in adapters if adapter.supports(operation)]
    loops = {adapter.name: adapter.loop(operation) for adapter in timed_adapters}
    samples: dict[str, list[float]] = {adapter.name: [] for adapter in timed_adapters}
    for repeat in range(repeats + 1):
        pass_seconds = dict.fromkeys(samples, 0.0)
        with without_gc():
            for turn, start in enumerate(range(0, len(rows), CHUNK_ROWS)):
                for adapter in _rotate(timed_adapters, repeat + turn):
                    seconds = _time_chunk(adapter, operation, loops[adapter.name], rows, start)
                    pass_seconds[adapter.name] += seconds
        if repeat:  # the first pass is warm-up
            for name, seconds in pass_seconds.items():
                samples[name].append(seconds / len(rows) * MICROSECONDS)
    return {name: Timing(tuple(values)) for name, values in samples.items()}


def _rotate(adapters: list[Adapter], turn: int) -> list[Adapter]:
    """Return the libraries in a different order for each turn, so that each library follows every other one.

    A slow library leaves little of the next library's code and data in the caches.
    """
    if not adapters:
        return adapters
    first = turn % len(adapters)
    return adapters[first:] + adapters[:first]


def _time_chunk(adapter: Adapter, operation: Operation, loop: Loop, rows: Sequence[Row], start: int) -> float:
    """Return the seconds that a library takes for the chunk of `rows` that begins at `start`.

    Other rows run first, untimed, because the turn before ran the code of another library.
    """
    items = adapter.items(operation, rows[start : start + CHUNK_ROWS])
    loop(adapter.items(operation, rows[start - PRIMER_ROWS :][:PRIMER_ROWS]))
    return time_loop(loop, items)


def measure_perft(
    adapters: Sequence[Adapter], start: str, depths: dict[str, int], nodes: dict[int, int], repeats: int
) -> dict[str, Timing]:
    """Time perft in every library that has it, in microseconds per node.

    Raise ValueError if a library counts a wrong number of nodes.

    Args:
        adapters: The libraries.
        start: The position, as a text.
        depths: The depth for each library, by name.
        nodes: The expected number of nodes, by depth.
        repeats: Number of passes after the warm-up pass.
    """
    timed_adapters = [adapter for adapter in adapters if adapter.perft is not None]
    samples: dict[str, list[float]] = {adapter.name: [] for adapter in timed_adapters}
    for repeat in range(repeats + 1):
        with without_gc():
            for adapter in _rotate(timed_adapters, repeat):
                depth = depths[adapter.name]
                seconds = _time_perft(adapter, start, depth, nodes[depth])
                if repeat:
                    samples[adapter.name].append(seconds / nodes[depth] * MICROSECONDS)
    return {name: Timing(tuple(values)) for name, values in samples.items()}


def _time_perft(adapter: Adapter, start: str, depth: int, expected: int) -> float:
    """Return the seconds of one perft. Raise ValueError if it does not count the `expected` nodes."""
    assert adapter.perft is not None
    position = adapter.parse(start)
    begin = perf_counter()
    counted = adapter.perft(position, depth)
    seconds = perf_counter() - begin
    if counted != expected:
        raise ValueError(f"{adapter.name} counts {counted} nodes at perft depth {depth}, expected {expected}")
    return seconds


def time_texts(call: Callable[[str], object], texts: Sequence[str], repeats: int) -> list[float]:
    """Return the microseconds that `call` takes for each text: the median of `repeats` calls.

    An additional first call is not timed.
    """
    times: list[list[float]] = [[] for _ in texts]
    for repeat in range(repeats + 1):
        with without_gc():
            for index, text in enumerate(texts):
                begin = perf_counter()
                call(text)
                seconds = perf_counter() - begin
                if repeat:
                    times[index].append(seconds * MICROSECONDS)
    return [statistics.median(text_times) for text_times in times]


def select_readable_rows(
    adapters: Sequence[Adapter], rows: Sequence[Row]
) -> tuple[list[Row], dict[str, int]]:
    """Return the rows whose move every library reads, and the number of rows that each library fails on.

    A failure raises an exception, whose time says nothing about reading. Such rows are left out for all
    libraries. Libraries without failures are not in the second result.
    """
    failed = {
        adapter.name: _unreadable_rows(adapter, rows) for adapter in adapters if adapter.san is not None
    }
    unreadable = set().union(*failed.values())
    readable = [row for index, row in enumerate(rows) if index not in unreadable]
    return readable, {name: len(indices) for name, indices in failed.items() if indices}


def count_wrong_move_lists(adapters: Sequence[Adapter], rows: Sequence[Row]) -> dict[str, int]:
    """Count the rows on which each library lists more or fewer legal moves than python-chess.

    Libraries without such rows are left out. Without python-chess the result is empty.
    """
    counts = {adapter.name: _move_counts(adapter, rows) for adapter in adapters if adapter.moves is not None}
    expected_counts = counts.get(PYTHON_CHESS)
    if expected_counts is None:
        return {}
    wrong_rows = {
        name: sum(count != expected for count, expected in zip(library_counts, expected_counts, strict=True))
        for name, library_counts in counts.items()
    }
    return {name: row_count for name, row_count in wrong_rows.items() if row_count}


def _move_counts(adapter: Adapter, rows: Sequence[Row]) -> list[int]:
    """Return the number of legal moves that a library lists for each row."""
    assert adapter.moves is not None
    return [len(adapter.moves(adapter.parse(row.fen))) for row in rows]


def _unreadable_rows(adapter: Adapter, rows: Sequence[Row]) -> set[int]:
    """Return the indices of the rows whose move a library refuses."""
    assert adapter.san is not None
    indices = set()
    for index, row in enumerate(rows):
        try:
            adapter.san(adapter.parse(row.fen), row.san)
        except ValueError:
            indices.add(index)
    return indices
