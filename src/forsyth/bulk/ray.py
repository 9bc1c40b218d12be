"""Ray: a verb on a Ray dataset, and the shards of a job as Ray tasks.

`apply` does a verb to a dataset that is there already, block by block, without copying its columns. Datasets
have no order of rows unless they are told to keep one (``execution_options.preserve_order``).

`run_shards` is the engine behind ``--engine ray``, `run_texts` what it and other jobs send tasks with. A
shard is one task on one core that writes its parts and gives back what it counted. Tasks and not a dataset,
because nothing flows between shards: each begins as soon as a core is free, and one whose worker dies is
done again up to RETRIES times, from its last finished part on. A cluster is used if one is running here or
named by RAY_ADDRESS; otherwise one is started on this machine for as long as the process lives.

Workers need Forsyth installed, and the files under the same paths.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Final

import pyarrow as pa

from forsyth.bulk.engines.checkpoints import Part
from forsyth.bulk.engines.job import Job, Progress
from forsyth.bulk.engines.shard_work import parts_of_answer, run_task, tasks
from forsyth.bulk.errors import BulkError, brief
from forsyth.bulk.sources.shards import Shard
from forsyth.bulk.verbs.verb import Verb

try:
    import ray
    from ray.data import Dataset
    from ray.exceptions import RayError, RayTaskError
except ImportError as error:
    raise BulkError("this needs ray: pip install 'forsyth[ray]'") from error

RETRIES: Final = 5
"""How often a shard is begun again whose worker died: more often it is the shard that kills its workers."""
_WAIT: Final = 1.0
"""Seconds after which a driver that waits can be interrupted."""
_FAREWELL: Final = 10.0
"""Seconds that tasks have to end when they are given up, so that none writes any more."""


def apply(dataset: Dataset, verb: Verb, threads: int = 1) -> Dataset:
    """The dataset with what a verb adds to it; raises `BulkError` where it has such a column already.

    Where the columns of the dataset are not known yet, the tasks that do the work raise it.
    """
    known = dataset.schema(fetch_if_missing=False)
    if known is not None:
        verb.must_be_free(known.names)
    return dataset.map_batches(
        partial(_applied, verb=verb.to_dict(), threads=threads),
        batch_size=None,
        batch_format="pyarrow",
        zero_copy_batch=True,
        num_cpus=threads,
    )


def run_shards(job: Job, shards: Sequence[Shard], progress: Progress | None = None) -> Iterator[list[Part]]:
    """The parts of each shard, as it is finished."""
    with closing(run_texts(run_task, tasks(job, shards))) as answers:
        for answer in answers:
            yield parts_of_answer(answer, progress)


def run_texts(run: Callable[[str], str], given: Sequence[str]) -> Generator[str, None, None]:
    """What a function answers to each text, on the workers, as they are done."""
    _connect()
    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(run)
    waiting: list[Any] = [remote.remote(text) for text in given]
    try:
        while waiting:
            done, waiting = ray.wait(waiting, timeout=_WAIT)
            for reference in done:
                yield ray.get(reference)
    except RayTaskError:
        raise
    except RayError as error:
        raise BulkError(
            f"a worker of Ray was lost {RETRIES + 1} times on one shard ({brief(error)}); "
            "give workers more memory, or use --engine local"
        ) from error
    finally:
        _give_up(waiting)


def _applied(table: pa.Table, verb: dict[str, Any], threads: int) -> pa.Table:
    done = Verb.from_dict(verb)
    batches = [done.apply(batch, threads) for batch in table.combine_chunks().to_batches()]
    return pa.Table.from_batches(batches, None if batches else done.schema(table.schema))


def _connect() -> None:
    if ray.is_initialized():
        return
    stop = signal.getsignal(signal.SIGTERM)
    ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    # Ray installs its own handler, which would end the process without a message.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


def _give_up(waiting: list[Any]) -> None:
    """Interrupt what is still under way."""
    for reference in waiting:
        ray.cancel(reference)
    if waiting:
        ray.wait(waiting, num_returns=len(waiting), timeout=_FAREWELL)
