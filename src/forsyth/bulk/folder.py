"""The folder beside a target in which a job lays its parts, from its first row to its last.

It is `.NAME.forsyth` beside the target NAME; for a URL it stands in the working directory, its name with a
few digits that tell targets of one name apart. A run takes it away when it ends, in whatever way; a run that
may be gone on with leaves it when it is stopped. What a kill leaves is thrown away by the next run, or gone
on with when that is asked for and the manifest says that the job is the same one. A lock file beside it
(`forsyth.bulk.lock`) keeps a second job away while one is running."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any

from forsyth.bulk.errors import BulkError, told
from forsyth.bulk.lock import Lock
from forsyth.bulk.parts import MANIFEST, write_json
from forsyth.bulk.places import is_url, local_path


def folder_of(target: str) -> Path:
    """Where the parts of a target go."""
    if is_url(target):
        digits = hashlib.sha256(target.encode()).hexdigest()[:8]
        return Path(f".{PurePosixPath(target).name}-{digits}.forsyth")
    # Behind links: a target has one folder, whatever it is called by.
    path = Path(os.path.realpath(local_path(target)))
    return path.with_name(f".{path.name}.forsyth")


@contextmanager
def opened(target: str, manifest: Mapping[str, Any], *, resume: bool) -> Iterator[Path]:
    """The folder of a job, new or gone on with; raises `BulkError` where it is another job's."""
    folder = folder_of(target)
    with told(target, "written"):
        lock = Lock.acquire(folder.with_name(f"{folder.name}.lock"), target)
    with closing(lock):
        if resume and (folder / MANIFEST).exists():
            _must_be_the_same(folder, manifest)
        else:
            _make(folder, target, manifest)
        try:
            yield folder
        except BaseException:
            if not resume:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder, ignore_errors=True)


def _make(folder: Path, target: str, manifest: Mapping[str, Any]) -> None:
    with told(target, "written"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            if not is_url(target):
                _close_to_others(folder, Path(local_path(target)))
            write_json(folder / MANIFEST, dict(manifest))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def _close_to_others(folder: Path, target: Path) -> None:
    """Who may not read the file that is to be replaced may not read its parts either."""
    with suppress(FileNotFoundError):
        read = target.stat().st_mode & 0o044
        folder.chmod(folder.stat().st_mode & (0o700 | read | read >> 2))


def _must_be_the_same(folder: Path, manifest: Mapping[str, Any]) -> None:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except ValueError:
        found = {}
    wanted = json.loads(json.dumps(manifest))
    differing = sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))
    if differing:
        raise BulkError(
            f"{folder} holds parts of another job (other: {', '.join(differing)}); "
            "run the command without --resume to begin anew"
        )
