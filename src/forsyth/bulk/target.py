"""Putting the parts of a job where they were asked for: one file, or a directory of parts.

A directory is made new: one that holds something is refused, for nobody can tell what of it is old. Its files
are ``part-00000.parquet`` and so on, in the order of the rows.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from forsyth.bulk.errors import STANDARD, BulkError, brief, told
from forsyth.bulk.joining import concatenate
from forsyth.bulk.places import is_url, local_path, remote
from forsyth.bulk.plan import Job


def is_directory(target: str) -> bool:
    """Whether a target is asked for as a directory of parts."""
    return target.endswith("/")


def must_be_free(target: str) -> None:
    """Raises `BulkError` for a target that could not be put in its place, before any work is done."""
    if target == STANDARD or is_url(target):
        return
    path = Path(local_path(target))
    with told(target, "written"):
        if not path.parent.is_dir():
            raise BulkError(f"there is no directory {path.parent} for {target}; make it first")
        if is_directory(target):
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise BulkError(f"{target} is there already and holds something; name a new directory")
        elif path.is_dir():
            raise BulkError(f"{target} is a directory; name a file in it, or end the name with / for parts")


def deliver(paths: Sequence[str], target: str, job: Job) -> None:
    """Put the parts in their place, in order."""
    if not is_directory(target):
        concatenate(paths, target, job.format, job.compression)
    elif is_url(target):
        _upload(paths, target, job.ending)
    else:
        _lay_out(paths, Path(local_path(target)), job.ending)


def _lay_out(paths: Sequence[str], target: Path, ending: str) -> None:
    """A directory with the parts, which appears when it holds all of them."""
    aside = Path(paths[0]).with_name("whole")
    with told(str(target), "written"):
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir()
        for number, path in enumerate(paths):
            _link(Path(path), aside / f"part-{number:05}.{ending}")
        if target.is_dir():
            target.rmdir()
        aside.replace(target)


def _link(path: Path, name: Path) -> None:
    """The same file under another name: the job can still be gone on with from the old ones."""
    try:
        os.link(path, name)
    except OSError:
        shutil.copy2(path, name)


def _upload(paths: Sequence[str], target: str, ending: str) -> None:
    system, folder = remote(target.rstrip("/"))
    try:
        system.makedirs(folder, exist_ok=True)
        for number, path in enumerate(paths):
            system.put_file(path, f"{folder}/part-{number:05}.{ending}")
    except Exception as error:
        # Each file system of fsspec brings the exceptions of its own libraries.
        raise BulkError(f"{target} cannot be written ({brief(error)}); write to another place") from error
