"""A shard of a job as a text that goes to a worker, and the text that comes back.

Cluster engines differ in how they send texts; the texts and what the worker does are the same: `run_shard`,
with parts on a file system that all workers see. A task may be done again when its worker died: what was
finished is kept.

A worker has one thread for its kernels, because engines assign cores one by one. What is wrong with the data
comes back in the answer, as one sentence, because each engine words the failures of its workers differently.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from forsyth.bulk.engines.checkpoints import Part
from forsyth.bulk.engines.local import run_shard
from forsyth.bulk.engines.plan import Job, Progress
from forsyth.bulk.errors import STANDARD, BulkError
from forsyth.bulk.sources.files import is_url, local_path
from forsyth.bulk.sources.shards import Shard


def tasks(job: Job, shards: Sequence[Shard]) -> list[str]:
    """One task for each shard."""
    data = replace(job, threads=1).to_dict()
    return [json.dumps({"job": data, "shard": anywhere(shard).to_dict()}) for shard in shards]


def run_task(task: str) -> str:
    """Do a task, on a worker; the answer."""
    data = json.loads(task)
    try:
        parts = run_shard(Job.from_dict(data["job"]), Shard.from_dict(data["shard"]))
    except BulkError as error:
        return json.dumps({"error": str(error)})
    return json.dumps({"parts": [part.to_dict() for part in parts], "size": data["shard"]["size"]})


def parts_of_answer(answer: str, progress: Progress | None = None) -> list[Part]:
    """The parts of an answer; raises `BulkError` where the data was at fault."""
    data = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    parts = [Part.from_dict(part) for part in data["parts"]]
    if progress is not None:
        progress(sum(part.tally.told for part in parts), data["size"] or 0)
    return parts


def anywhere(shard: Shard) -> Shard:
    """The shard with a path that does not depend on where a process was started."""
    if shard.path == STANDARD:
        raise BulkError("standard input can only be read by --engine local; write it to a file first")
    shard = replace(shard, more=tuple(map(anywhere, shard.more)))
    if is_url(shard.path):
        return shard
    return replace(shard, path=str(Path(local_path(shard.path)).absolute()))
