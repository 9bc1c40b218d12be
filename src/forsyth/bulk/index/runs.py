"""Plies on the disk: runs that are sorted by the first bits of the key, so that a range of keys can be read
alone.

A run is a file that begins with how many plies lie before each of BUCKETS ranges of keys, in 8 bytes each,
and in the end all; then come the plies. Beside it are the texts of its moves. What a run holds depends on
the shard alone, so that two attempts at one shard write the same.

Memory: one run of about RUN_PLIES while runs are written; what is asked for while they are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from forsyth.atomic_write import atomic_write
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.index.tallies import MOST_PLIES, PLY

BUCKET_BITS: Final = 16
"""As many as NumPy sorts by counting."""
BUCKETS: Final = 1 << BUCKET_BITS
_START: Final = np.dtype("<u8")
RUN_PLIES: Final = 1 << 20
"""Plies of a run: some ten thousand games."""


class RunWriter:
    """Takes the plies of a shard and writes them as runs."""

    def __init__(self, folder: Path, shard: int) -> None:
        self.written = 0
        self.plies = 0
        self._folder = folder
        self._shard = shard
        self._waiting: list[np.ndarray] = []
        self._texts: list[pa.Array] = []
        self._count = 0

    def add(self, plies: np.ndarray, moves: pa.Array) -> None:
        """Take plies whose moves are places in `moves`."""
        self._waiting.append(plies)
        self._texts.append(moves)
        self._count += len(plies)
        self.plies += len(plies)
        if self._count >= RUN_PLIES:
            self._write()

    def close(self) -> None:
        """Write what is left."""
        if self._count:
            self._write()

    def _write(self) -> None:
        texts = pa.concat_arrays(self._texts).dictionary_encode()
        places, first = texts.indices.to_numpy().astype(np.uint32), 0
        for waiting, moves in zip(self._waiting, self._texts, strict=True):
            waiting["move"] = places[first : first + len(moves)][waiting["move"]]
            first += len(moves)
        plies = np.concatenate(self._waiting)
        buckets = (plies["high"] >> np.uint64(64 - BUCKET_BITS)).astype(np.uint16)
        # Stable: the plies of a bucket stay in the order of games.
        plies = taken(plies, np.argsort(buckets, kind="stable"))
        starts = np.concatenate(([0], np.cumsum(np.bincount(buckets, minlength=BUCKETS))))
        path = run_path(self._folder, self._shard, self.written)
        with explaining_errors(str(path), "written"):
            with atomic_write(path) as file:
                file.write(starts.astype("<u8").data)
                file.write(plies.data)
            write_json(path.with_suffix(".json"), {"moves": texts.dictionary.to_pylist()})
        self.written += 1
        self._waiting, self._texts, self._count = [], [], 0


def taken(plies: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Plies in an order: as rows of plain numbers, which NumPy takes several times as fast as records."""
    rows = plies.view(np.uint32).reshape(len(plies), -1)
    found: np.ndarray = rows.take(order, axis=0).view(PLY).reshape(len(order))
    return found


def run_path(folder: Path, shard: int, number: int) -> Path:
    """Where a run of a shard lies."""
    return folder / f"{shard:05}-{number:05}.plies"


def moves_of(path: Path) -> list[str]:
    """The move texts of a run."""
    with explaining_errors(str(path)):
        moves: list[str] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["moves"]
    return moves


@dataclass(frozen=True, slots=True)
class Run:
    """A run among all: how many games come before its shard's, and the places of its moves among all."""

    path: str
    games_before: int
    places: np.ndarray


class Window:
    """The plies of all runs in the buckets from `begin` on and before `end`."""

    def __init__(self, runs: Sequence[Run], begin: int, end: int) -> None:
        self._runs = runs
        self._begin = begin
        size = _START.itemsize
        self._starts = [_from_file(run.path, _START, end - begin + 1, begin * size) for run in runs]
        self.count = sum(int(starts[-1] - starts[0]) for starts in self._starts)

    def pieces(self, width: int) -> Iterator[np.ndarray]:
        """The plies of each `width` buckets, in the order of games; all of them are held in memory."""
        read = [
            _read(run, int(starts[0]), int(starts[-1]))
            for run, starts in zip(self._runs, self._starts, strict=True)
        ]
        for first in range(0, len(self._starts[0]) - 1 if self._starts else 0, width):
            yield np.concatenate(
                [
                    plies[starts[first] - starts[0] : starts[first + width] - starts[0]]
                    for plies, starts in zip(read, self._starts, strict=True)
                ]
            )

    def chunks(self) -> Iterator[np.ndarray]:
        """All plies in the order of games, at most MOST_PLIES at once, cut between games."""
        waiting: list[np.ndarray] = []
        count = 0
        for run, starts in zip(self._runs, self._starts, strict=True):
            place, stop = int(starts[0]), int(starts[-1])
            while place < stop:
                end = min(stop, place + MOST_PLIES - count)
                waiting.append(_read(run, place, end))
                count += end - place
                place = end
                if count == MOST_PLIES:
                    whole = np.concatenate(waiting)
                    cut = _last_game(whole)
                    yield whole[:cut]
                    waiting, count = [whole[cut:]], len(whole) - cut
        if count:
            yield np.concatenate(waiting)


def _read(run: Run, begin: int, end: int) -> np.ndarray:
    head = (BUCKETS + 1) * _START.itemsize
    plies = _from_file(run.path, PLY, end - begin, head + begin * PLY.itemsize)
    plies["game"] += np.uint32(run.games_before)
    plies["move"] = run.places[plies["move"]]
    return plies


def _from_file(path: str, kind: np.dtype, count: int, offset: int) -> np.ndarray:
    with explaining_errors(path):
        found = np.fromfile(path, kind, count, offset=offset)
    if len(found) != count:
        raise BulkError(f"{path} is cut off; run the command without --resume to begin again")
    return found


def _last_game(plies: np.ndarray) -> int:
    """Where the plies of the last game begin."""
    return int(np.flatnonzero(plies["game"] != plies["game"][-1])[-1]) + 1
