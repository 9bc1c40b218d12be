"""Ray: a verb for a Ray dataset, and the shards of a job as Ray tasks.

`apply` applies a verb to an existing dataset, block by block, without copying its columns. The rows of a
dataset have no fixed order, unless ``execution_options.preserve_order`` is set.

`run_shards` is the engine of ``--engine ray``. Each shard is one task on one core, which writes its parts and
returns their counts. Tasks are used instead of a dataset, because shards do not exchange data: each task
starts as soon as a core is free. If a worker dies, its task is repeated up to MAX_RETRIES times, from its
last finished part on. `run_tasks` sends any tasks to the workers; jobs on indexes use it too.

A running cluster on this machine, or the cluster in RAY_ADDRESS, is used if there is one. Otherwise a cluster
is started on this machine, which lasts as long as the process.

Forsyth must be installed on the workers, and files must have the same paths there.
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
from forsyth.bulk.engines.job import PassSpec, Progress
from forsyth.bulk.engines.shard_work import make_tasks, parse_answer, run_task
from forsyth.bulk.errors import BulkError, first_line
from forsyth.bulk.sources.shards import Shard
from forsyth.bulk.verbs.verb import Verb

try:
    import ray
    from ray.data import Dataset
    from ray.exceptions import RayError, RayTaskError
except ImportError as error:
    raise BulkError("forsyth.bulk.ray needs ray: pip install 'forsyth[ray]'") from error

MAX_RETRIES: Final = 5
"""How often a task is repeated if its worker dies. After that, the shard is probably the cause."""
_WAIT_SECONDS: Final = 1.0
"""Interval after which a waiting process handles signals such as Ctrl-C."""
_CANCEL_SECONDS: Final = 10.0
"""How long to wait for cancelled tasks to end, so that they do not write any more."""


def apply(dataset: Dataset, verb: Verb, threads: int = 1) -> Dataset:
    """Return the dataset with the columns that a verb adds, or the rows that it selects.

    Args:
        dataset: The dataset, which has a column of texts.
        verb: The verb.
        threads: The number of threads, and of cores, for each task.

    Raises:
        BulkError: If the dataset already has a column that the verb adds. If the columns of the dataset are
            not known yet, the tasks raise it later.
    """
    schema = dataset.schema(fetch_if_missing=False)
    if schema is not None:
        verb.require_free_names(schema.names)
    return dataset.map_batches(
        partial(_apply_to_table, verb=verb.to_dict(), threads=threads),
        batch_size=None,
        batch_format="pyarrow",
        zero_copy_batch=True,
        num_cpus=threads,
    )


def run_shards(
    pass_spec: PassSpec, shards: Sequence[Shard], progress: Progress | None = None
) -> Iterator[list[Part]]:
    """Process parts of the input on a Ray cluster, and yield the output files of each part.

    Args:
        pass_spec: The description of the work on each row.
        shards: The parts of the input, such as ranges of files. Each is one task. They finish in any order.
        progress: Called with the numbers of rows and bytes of each finished shard; None to report nothing.
    """
    with closing(run_tasks(run_task, make_tasks(pass_spec, shards))) as answers:
        for answer in answers:
            yield parse_answer(answer, progress)


def run_tasks(run: Callable[[str], str], tasks: Sequence[str]) -> Generator[str, None, None]:
    """Call `run` with each task on the workers of Ray, and yield each answer when it is there.

    A task and its answer are texts, such as JSON. The answers are in the order in which the tasks finish.
    Closing the generator cancels all other tasks. Raise `BulkError` if workers die too often.
    """
    _connect_to_cluster()
    remote_run = ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(run)
    pending: list[Any] = [remote_run.remote(task) for task in tasks]
    try:
        while pending:
            finished, pending = ray.wait(pending, timeout=_WAIT_SECONDS)
            for reference in finished:
                yield ray.get(reference)
    except RayTaskError:
        # The task itself failed, not its worker.
        raise
    except RayError as error:
        raise BulkError(
            f"a worker of Ray died {MAX_RETRIES + 1} times on one shard ({first_line(error)}); "
            "give the workers more memory, or use --engine local"
        ) from error
    finally:
        _cancel_tasks(pending)


def _apply_to_table(table: pa.Table, verb: dict[str, Any], threads: int) -> pa.Table:
    """Apply a verb to a block of a dataset on a worker, and return the block with the results.

    `verb` is the verb as a dictionary (`Verb.to_dict`), and `threads` is the number of threads to use.
    """
    loaded_verb = Verb.from_dict(verb)
    batches = [loaded_verb.apply(batch, threads) for batch in table.combine_chunks().to_batches()]
    # A table without batches needs an explicit schema.
    schema = None if batches else loaded_verb.schema(table.schema)
    return pa.Table.from_batches(batches, schema)


def _connect_to_cluster() -> None:
    """Connect this process to a Ray cluster, unless it is connected already.

    If no cluster is running, one is started on this machine.
    """
    if ray.is_initialized():
        return
    previous_handler = signal.getsignal(signal.SIGTERM)
    ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    # Ray installs its own handler, which would end the process without a message.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, previous_handler)


def _cancel_tasks(references: list[Any]) -> None:
    """Cancel tasks, given by Ray's references, and wait until they have ended.

    The wait is at most _CANCEL_SECONDS seconds.
    """
    for reference in references:
        ray.cancel(reference)
    if references:
        ray.wait(references, num_returns=len(references), timeout=_CANCEL_SECONDS)
