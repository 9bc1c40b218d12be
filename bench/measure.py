"""Timing: chunks of the corpus, taken in turn by every library, so that a busy machine is busy for all.

The time of one pass is the sum over its chunks; what is reported is the median over the passes.
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

CHUNK: Final = 500
PRIMER: Final = 100
MICRO: Final = 1e6


@dataclass(frozen=True, slots=True)
class Timing:
    """Microseconds per item, one sample for each pass."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """What is reported."""
        return statistics.median(self.samples)

    @property
    def low(self) -> float:
        """The quickest pass."""
        return min(self.samples)

    @property
    def high(self) -> float:
        """The slowest pass."""
        return max(self.samples)


@contextmanager
def no_collector() -> Iterator[None]:
    """Keep the cycle collector out of the timed region: whom it strikes is a matter of luck."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def timed(loop: Loop, items: Sequence[Any]) -> float:
    """Seconds one loop takes."""
    begin = perf_counter()
    loop(items)
    return perf_counter() - begin


def measure(
    operation: Operation, adapters: Sequence[Adapter], rows: Sequence[Row], repeats: int
) -> dict[str, Timing]:
    """The time of one operation for every library that has it, in the same passes over the same rows."""
    able = [adapter for adapter in adapters if adapter.supports(operation)]
    loops = {adapter.name: adapter.loop(operation) for adapter in able}
    samples: dict[str, list[float]] = {adapter.name: [] for adapter in able}
    for repeat in range(repeats + 1):
        spent = dict.fromkeys(samples, 0.0)
        with no_collector():
            for turn, start in enumerate(range(0, len(rows), CHUNK)):
                for adapter in _rotated(able, repeat + turn):
                    spent[adapter.name] += _chunk(adapter, operation, loops[adapter.name], rows, start)
        if repeat:  # the pass before the first is warm-up
            for name, seconds in spent.items():
                samples[name].append(seconds / len(rows) * MICRO)
    return {name: Timing(tuple(values)) for name, values in samples.items()}


def _rotated(adapters: list[Adapter], turn: int) -> list[Adapter]:
    """The libraries in another order each turn: going after a slow one costs warm caches."""
    if not adapters:
        return adapters
    first = turn % len(adapters)
    return adapters[first:] + adapters[:first]


def _chunk(adapter: Adapter, operation: Operation, loop: Loop, rows: Sequence[Row], start: int) -> float:
    """Seconds for one chunk. Rows from elsewhere go first, untimed: the turn before ran another's code."""
    items = adapter.items(operation, rows[start : start + CHUNK])
    loop(adapter.items(operation, rows[start - PRIMER :][:PRIMER]))
    return timed(loop, items)


def measure_perft(
    adapters: Sequence[Adapter], start: str, depths: dict[str, int], nodes: dict[int, int], repeats: int
) -> dict[str, Timing]:
    """Microseconds per node of perft from one position; a library that miscounts is an error."""
    able = [adapter for adapter in adapters if adapter.perft is not None]
    samples: dict[str, list[float]] = {adapter.name: [] for adapter in able}
    for repeat in range(repeats + 1):
        with no_collector():
            for adapter in _rotated(able, repeat):
                depth = depths[adapter.name]
                seconds = _perft(adapter, start, depth, nodes[depth])
                if repeat:
                    samples[adapter.name].append(seconds / nodes[depth] * MICRO)
    return {name: Timing(tuple(values)) for name, values in samples.items()}


def _perft(adapter: Adapter, start: str, depth: int, expected: int) -> float:
    assert adapter.perft is not None
    position = adapter.parse(start)
    begin = perf_counter()
    counted = adapter.perft(position, depth)
    seconds = perf_counter() - begin
    if counted != expected:
        raise ValueError(f"{adapter.name}: perft({depth}) is {counted}, not {expected}")
    return seconds


def time_texts(call: Callable[[str], object], texts: Sequence[str], repeats: int) -> list[float]:
    """Microseconds for each text on its own: the median over the repeats, after one untimed call."""
    times: list[list[float]] = [[] for _ in texts]
    for repeat in range(repeats + 1):
        with no_collector():
            for index, text in enumerate(texts):
                begin = perf_counter()
                call(text)
                seconds = perf_counter() - begin
                if repeat:
                    times[index].append(seconds * MICRO)
    return [statistics.median(each) for each in times]


def readable_sans(adapters: Sequence[Adapter], rows: Sequence[Row]) -> tuple[list[Row], dict[str, int]]:
    """The rows whose move every library reads, and how many each fails on.

    A refusal costs an exception, which says nothing about reading: such rows are left out for all.
    """
    able = [adapter for adapter in adapters if adapter.san is not None]
    failed = {adapter.name: _unread(adapter, rows) for adapter in able}
    left_out = set().union(*failed.values())
    kept = [row for index, row in enumerate(rows) if index not in left_out]
    return kept, {name: len(indices) for name, indices in failed.items() if indices}


def wrong_move_lists(adapters: Sequence[Adapter], rows: Sequence[Row]) -> dict[str, int]:
    """On how many rows a library lists more or fewer legal moves than python-chess."""
    counts = {adapter.name: _move_counts(adapter, rows) for adapter in adapters if adapter.moves is not None}
    right = counts.get(PYTHON_CHESS)
    if right is None:
        return {}
    differing = {
        name: sum(a != b for a, b in zip(found, right, strict=True)) for name, found in counts.items()
    }
    return {name: count for name, count in differing.items() if count}


def _move_counts(adapter: Adapter, rows: Sequence[Row]) -> list[int]:
    assert adapter.moves is not None
    return [len(adapter.moves(adapter.parse(row.fen))) for row in rows]


def _unread(adapter: Adapter, rows: Sequence[Row]) -> set[int]:
    assert adapter.san is not None
    indices = set()
    for index, row in enumerate(rows):
        try:
            adapter.san(adapter.parse(row.fen), row.san)
        except ValueError:
            indices.add(index)
    return indices
