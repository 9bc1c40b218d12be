"""The tasks of building and merging indexes, done here or by the workers of a cluster.

A task and its answer are texts, so that every engine can send them. What is wrong with the data comes back
in the answer, as one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from forsyth.bulk.errors import BulkError
from forsyth.bulk.index.regroup import merge_part
from forsyth.bulk.index.work import PartNote, ShardNote, count_part, read_shard
from forsyth.bulk.jobs.run_files import LOCAL, Way
from forsyth.bulk.sources.shards import Shard

RunTexts = Callable[[Callable[[str], str], Sequence[str]], Iterable[str]]


def run_tasks(way: Way, tasks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The notes of tasks, in any order."""
    texts = [json.dumps(task) for task in tasks]
    if way.engine == LOCAL:
        yield from map(_note_in, _run_here(texts, way.the_threads()))
        return
    way.the_engine()
    run_texts: RunTexts = import_module(f"forsyth.bulk.{way.engine}").run_texts
    yield from map(_note_in, run_texts(run_task, texts))


def count_parts(way: Way, tasks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The notes of tasks each of which counts one part, in any order; `way` hears of each."""
    step = None if way.begin_counting is None else way.begin_counting(len(tasks))
    for note in run_tasks(way, tasks):
        if step is not None:
            step(note["positions"], 1)
        yield note


def _run_here(tasks: Sequence[str], threads: int) -> Iterator[str]:
    pool = ThreadPoolExecutor(threads, "forsyth-index")
    try:
        yield from pool.map(run_task, tasks)
    finally:
        pool.shutdown(cancel_futures=True)


def run_task(task: str) -> str:
    """Do a task, on a worker; the answer."""
    data = json.loads(task)
    try:
        return json.dumps(asdict(_done(data.pop("step"), Path(data.pop("folder")), data)))
    except BulkError as error:
        return json.dumps({"error": str(error)})


def _done(step: str, folder: Path, data: dict[str, Any]) -> ShardNote | PartNote:
    if step == "read":
        return read_shard(folder, Shard.from_dict(data.pop("shard")), **data)
    return (merge_part if step == "merge" else count_part)(folder, **data)


def _note_in(answer: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    return data
