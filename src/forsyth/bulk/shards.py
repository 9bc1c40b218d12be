"""Parts of the input that can be read by themselves, anywhere: what a worker is given to do.

A file is cut where that can be done without reading it: Parquet and Arrow IPC files between their groups of
rows, files of plain lines anywhere (a line belongs to the range in which it begins). CSV (a line break may
stand in quotes), PGN, Arrow streams, everything compressed and every pipe is one shard. Shards in order give
the rows in order, each row once, whatever the cuts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from forsyth.bulk.columnar import group_sizes
from forsyth.bulk.errors import STANDARD
from forsyth.bulk.places import Compression, Format, Place

TARGET_BYTES: Final = 64 << 20
"""About how much of a file is one shard: a second's work or more, so that handing it over costs nothing."""

Unit = Literal["file", "bytes", "groups"]

_LINES: Final = frozenset((Format.TEXT, Format.EPD, Format.JSONL))
_GROUPED: Final = frozenset((Format.PARQUET, Format.ARROW, Format.ARROWS))


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of one file: `count` units from `first` on, or with unit ``file`` all of it."""

    path: str
    format: Format
    compression: Compression | None = None
    unit: Unit = "file"
    first: int = 0
    count: int | None = None
    number: int = 0
    """Its place among the shards of a job."""
    size: int | None = None
    """Bytes to be read, as far as they are known: the total of a progress bar."""

    def to_dict(self) -> dict[str, Any]:
        """The shard as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Shard:
        """The shard of what `to_dict` gave."""
        shard = cls(**data)
        packed = shard.compression
        return replace(
            shard, format=Format(shard.format), compression=None if packed is None else Compression(packed)
        )


def plan_shards(places: Sequence[Place], *, target_bytes: int = TARGET_BYTES) -> list[Shard]:
    """The shards of all files, in the order of their rows, each of about `target_bytes`."""
    shards = (shard for place in places for shard in _cut(place, max(target_bytes, 1)))
    return [replace(shard, number=number) for number, shard in enumerate(shards)]


def _cut(place: Place, target: int) -> Iterator[Shard]:
    whole = Shard(place.path, place.format, place.compression, size=place.size)
    if place.compression is not None or place.size is None or place.path == STANDARD:
        yield whole
    elif place.format in _LINES:
        for first in range(0, max(place.size, 1), target):
            count = min(target, place.size - first)
            yield replace(whole, unit="bytes", first=first, count=count, size=count)
    elif place.format in _GROUPED and (sizes := group_sizes(place.path, place.format)) is not None:
        yield from _runs(whole, sizes, target)
    else:
        yield whole


def _runs(whole: Shard, sizes: list[int], target: int) -> Iterator[Shard]:
    """Runs of groups that each reach the target; a file without groups is a run of none, for its columns."""
    first, size = 0, 0
    for number, of_group in enumerate(sizes, start=1):
        size += of_group
        if size >= target and number < len(sizes):
            yield replace(whole, unit="groups", first=first, count=number - first, size=size)
            first, size = number, 0
    yield replace(whole, unit="groups", first=first, count=len(sizes) - first, size=size)
