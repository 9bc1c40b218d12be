"""A file for each set of a split: the names of their targets.

The rows of each set are written in a pass of its own, so that each file is whole or absent, and one that was
stopped is resumed like any other.
"""

from __future__ import annotations

from pathlib import Path

from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.sinks.sink import is_streamed
from forsyth.bulk.sinks.target import is_directory
from forsyth.bulk.sources.files import is_url, local_path
from forsyth.bulk.verbs.sets import SETS, read_sets


def targets_of_sets(target: str, sets: str | None = None) -> dict[str, str]:
    """The target of each set: its name before the ending of the one given; `BulkError` for a stream."""
    if is_streamed(target):
        raise BulkError("a file for each set needs a target with a name; give it with -o")
    names = [name for name, _ in read_sets(SETS if sets is None else sets)]
    for name in names:
        if not name.replace("-", "").replace("_", "").isalnum():
            raise BulkError(f"the set {name!r} cannot be part of a file name; use letters, digits, - and _")
    if target.endswith("/"):
        return {name: f"{target}{name}/" for name in names}
    folder, _, last = target.rpartition("/")
    stem, dot, ending = last.partition(".")
    before = f"{folder}/" if folder or target.startswith("/") else ""
    return {name: f"{before}{stem}.{name}{dot}{ending}" for name in names}


def make_room_for_sets(target: str) -> None:
    """Make the directory in which the sets get one each; its own place must be there."""
    if is_directory(target) and not is_url(target):
        with explaining_errors(target, "written"):
            Path(local_path(target)).mkdir(exist_ok=True)
