"""Putting the parts of a job where they were asked for: one file, or a directory of parts.

A directory is made new: one that holds something is refused, for nobody can tell what of it is old. Its files
are ``part-00000.parquet`` and so on, in the order of the rows.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from forsyth.atomic_write import inherit, must_be_writable
from forsyth.bulk.destination import told_of_url
from forsyth.bulk.errors import STANDARD, BulkError, told
from forsyth.bulk.joining import concatenate
from forsyth.bulk.places import is_url, local_path, remote
from forsyth.bulk.plan import Job


def is_directory(target: str) -> bool:
    """Whether a target is asked for as a directory of parts."""
    return target.endswith("/")


def must_be_free(target: str) -> None:
    """Raises `BulkError` for a target that could not be put in its place, before any work is done."""
    if target == STANDARD:
        return
    if is_url(target):
        if is_directory(target):
            _must_be_new_there(target)
        return
    path = Path(local_path(target))
    with told(target, "written"):
        if not path.parent.is_dir():
            raise BulkError(f"there is no directory {path.parent} for {target}; make it first")
        if is_directory(target):
            _must_be_new(target, path)
        elif path.is_dir():
            raise BulkError(f"{target} is a directory; name a file in it, or end the name with / for parts")
        else:
            must_be_writable(path)


def _must_be_new(target: str, path: Path) -> None:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise BulkError(_taken(target))


def _must_be_new_there(target: str) -> None:
    system, folder = remote(target.rstrip("/"))
    with told(target, "written"), told_of_url(target):
        if system.exists(folder) and system.find(folder):
            raise BulkError(_taken(target))


def _taken(target: str) -> str:
    return f"{target} is there already and holds something; name a new directory"


def deliver(paths: Sequence[str], target: str, job: Job) -> None:
    """Put the parts in their place, in order."""
    if not is_directory(target):
        concatenate(paths, target, job.format, job.compression)
    elif is_url(target):
        _upload(paths, target, job.ending)
    else:
        _lay_out(paths, target, job.ending)


def _lay_out(paths: Sequence[str], target: str, ending: str) -> None:
    """A directory with the parts, which appears when it holds all of them."""
    whole = Path(paths[0]).with_name("whole")
    place = Path(os.path.realpath(local_path(target)))
    with told(target, "written"):
        shutil.rmtree(whole, ignore_errors=True)
        whole.mkdir()
        for number, path in enumerate(paths):
            _link(Path(path), whole / f"part-{number:05}.{ending}")
        # Somebody may have put something there while the parts were made.
        _must_be_new(target, place)
        if place.is_dir():
            inherit(whole, place.stat())
            place.rmdir()
        whole.replace(place)


def _link(path: Path, name: Path) -> None:
    """The same file under another name: the job can still be gone on with from the old ones."""
    try:
        os.link(path, name)
    except OSError:
        shutil.copy2(path, name)


def _upload(paths: Sequence[str], target: str, ending: str) -> None:
    """The parts under their names; when one cannot be put there, none of them stays."""
    system, folder = remote(target.rstrip("/"))
    names: list[str] = []
    try:
        with told(target, "written"), told_of_url(target):
            system.makedirs(folder, exist_ok=True)
            for number, path in enumerate(paths):
                names.append(f"{folder}/part-{number:05}.{ending}")
                system.put_file(path, names[-1])
    except BaseException:
        for name in names:
            with suppress(Exception):
                system.rm_file(name)
        raise
