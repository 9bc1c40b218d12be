"""A shard of a job as a text that goes to a worker, and the text that comes back.

Engines on other machines differ in how they carry texts to and fro; what is in them and what the worker does
is the same: `run_shard`, with parts on a file system that all of them see. An errand may be done again, when
its worker died: what was finished is kept.

A worker has one thread for its kernels, because engines give out cores one by one. What is wrong with the
data comes back in the answer, as one sentence: how an engine words the failures of its workers depends on
the engine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from forsyth.bulk.errors import STANDARD, BulkError
from forsyth.bulk.parts import Part
from forsyth.bulk.places import is_url, local_path
from forsyth.bulk.plan import Job, Progress
from forsyth.bulk.run import run_shard
from forsyth.bulk.sources import Shard


def errands(job: Job, shards: Sequence[Shard]) -> list[str]:
    """One errand for each shard."""
    data = replace(job, threads=1).to_dict()
    return [json.dumps({"job": data, "shard": _anywhere(shard).to_dict()}) for shard in shards]


def carried_out(errand: str) -> str:
    """Do an errand, on a worker; the answer."""
    data = json.loads(errand)
    try:
        parts = run_shard(Job.from_dict(data["job"]), Shard.from_dict(data["shard"]))
    except BulkError as error:
        return json.dumps({"error": str(error)})
    return json.dumps({"parts": [part.to_dict() for part in parts], "size": data["shard"]["size"]})


def answered(answer: str, progress: Progress | None = None) -> list[Part]:
    """The parts of an answer; raises `BulkError` where the data was at fault."""
    data = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    parts = [Part.from_dict(part) for part in data["parts"]]
    if progress is not None:
        progress(sum(part.tally.read for part in parts), data["size"] or 0)
    return parts


def _anywhere(shard: Shard) -> Shard:
    """The shard with a path that does not depend on where a process was started."""
    if shard.path == STANDARD:
        raise BulkError("standard input can only be read by --engine local; write it to a file first")
    if is_url(shard.path):
        return shard
    return replace(shard, path=str(Path(local_path(shard.path)).absolute()))
