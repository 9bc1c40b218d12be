"""An index that is built by an engine whose worker is killed once, in each of its two steps."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.bulk.random_records import random_records, write_records

from forsyth.bulk.index import tasks
from forsyth.bulk.index.build import build_index, merge_indexes
from forsyth.bulk.jobs.run_files import RunOptions

SHARD_BYTES = 20_000


def dying(folder: Path) -> Callable[[str], str]:
    """What does a task; the first worker of each step is killed when it has written, before it answers."""

    def run(task: str) -> str:
        from forsyth.bulk.index.tasks import run_task

        flag = folder / json.loads(task)["step"]
        if not flag.exists():
            flag.touch()
            run_task(task)
            os.kill(os.getpid(), signal.SIGKILL)
        return run_task(task)

    return run


def must_build_the_same(engine: str, folder: Path) -> Path:
    """The engine and this process make the same of the same records; one of the indexes."""
    source = write_records(folder / "games.pgn", random_records("chess", 120, 10))
    build_index(source, folder / "here", game="chess")
    flags = folder / "flags"
    flags.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "run_task", dying(flags))
        way = RunOptions(engine, shard_bytes=SHARD_BYTES)
        build_index(source, folder / "there", game="chess", run_options=way)
        merge_indexes([folder / "here", folder / "there"], folder / "both", run_options=way)
    assert sorted(path.name for path in flags.iterdir()) == ["count", "merge", "read"]
    merge_indexes([folder / "here", folder / "there"], folder / "again")
    for one, other in (("here", "there"), ("both", "again")):
        for table in ("moves", "games"):
            assert pq.read_table(folder / one / table).equals(pq.read_table(folder / other / table))
    return folder / "both"
