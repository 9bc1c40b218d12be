"""The parts of a job's output: files in a folder beside the target, each with what is known about it.

A shard writes its output in parts, each of as many rows read as the job says, so that where a part ends
depends on the input alone. A part is there when its note (``SSSSS-PPPPP.json``) is: the data lies under its
name and on the disk before that. A shard is done when ``SSSSS.json`` is there. What a kill leaves is a row of
whole parts for each shard and perhaps files without a note, which are written anew. Two attempts at one shard
may write at the same time, on different machines: each under a name of its own until the file is complete,
and both write the same.

The folder is `.NAME.forsyth` beside the target NAME. Its manifest says what the job was; a job is only gone
on with when it is the same one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from forsyth.atomic_write import atomic_write
from forsyth.bulk.tally import Tally

MANIFEST: Final = "manifest.json"


@dataclass(frozen=True, slots=True)
class Part:
    """One finished part of a shard's output; `path` is None where only the tally counts."""

    shard: int
    number: int
    path: str | None
    tally: Tally

    def to_dict(self) -> dict[str, Any]:
        """The part as JSON-ready data."""
        return {
            "shard": self.shard,
            "number": self.number,
            "path": self.path,
            "tally": self.tally.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Part:
        """The part that `to_dict` wrote."""
        return cls(data["shard"], data["number"], data["path"], Tally.from_dict(data["tally"]))


def part_path(folder: str, shard: int, number: int, ending: str) -> str:
    """Where the data of a part lies."""
    return str(Path(folder) / f"{shard:05}-{number:05}.{ending}")


def note(folder: str, part: Part) -> None:
    """Say that a part is there."""
    write_json(Path(folder) / f"{part.shard:05}-{part.number:05}.json", part.to_dict())


def note_done(folder: str, shard: int, parts: int) -> None:
    """Say that a shard has no more parts than these."""
    write_json(Path(folder) / f"{shard:05}.json", {"parts": parts})


def finished(folder: str, shard: int) -> tuple[list[Part], bool]:
    """The parts of a shard that are there, from the first on without a gap, and whether they are all."""
    parts: list[Part] = []
    while (part := _noted(folder, shard, len(parts))) is not None:
        parts.append(part)
    done = _read_json(Path(folder) / f"{shard:05}.json")
    return parts, done is not None and done["parts"] == len(parts)


def _noted(folder: str, shard: int, number: int) -> Part | None:
    data = _read_json(Path(folder) / f"{shard:05}-{number:05}.json")
    part = None if data is None else Part.from_dict(data)
    # The only part of a job becomes the target itself: a kill after that leaves its note behind.
    return part if part is None or part.path is None or Path(part.path).exists() else None


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write a small file so that it is there whole or not at all, whatever happens."""
    with atomic_write(path) as file:
        file.write(json.dumps(data).encode())


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
