"""Spark: a verb for a Spark data frame, and the shards of a job as Spark tasks.

`apply` applies a verb to an existing data frame with `mapInArrow`. Spark has fewer types than Arrow: labels
become strings, and bytes of fixed size become binary. Other columns keep their types. The workers of a Spark
on this machine run the interpreter of this process, unless ``PYSPARK_PYTHON`` names another one. The workers
of a cluster have their own interpreter.

`run_shards` is the engine of ``--engine spark``. It makes a data frame with one partition per shard, whose
tasks write their parts and return their counts. If a worker dies, Spark repeats its task as often as
``spark.task.maxFailures`` allows, from its last finished part on.

An active session, or the session that spark-submit and the environment describe, is used if there is one.
Otherwise a Spark is started on this machine, which lasts as long as the process.

Forsyth must be installed on the workers, and files must have the same paths there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa

from forsyth.bulk.engines.checkpoints import Part
from forsyth.bulk.engines.job import PassSpec, Progress
from forsyth.bulk.engines.shard_work import make_tasks, parse_answer, run_task
from forsyth.bulk.errors import BulkError, first_line
from forsyth.bulk.sources.shards import Shard
from forsyth.bulk.verbs.verb import Verb

try:
    from pyspark.accumulators import Accumulator, AccumulatorParam
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import BinaryType, BooleanType, IntegerType, StringType, StructField, StructType
except ImportError as error:
    raise BulkError("forsyth.bulk.spark needs pyspark: pip install 'forsyth[spark]'") from error

BatchMapper = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
"""A function for `mapInArrow`: from the batches of a partition to the batches of its result."""
NumberedAnswer = tuple[int, str]
"""The number of a task and its answer."""

_WAIT_SECONDS: Final = 0.5
"""Interval between two checks for finished tasks."""
_SPARK_VARIABLES: Final = (
    "PYSPARK_GATEWAY_PORT",
    "PYSPARK_SUBMIT_ARGS",
    "SPARK_CONF_DIR",
    "SPARK_REMOTE",
    "MASTER",
)
"""Environment variables that are set if spark-submit or the user has chosen a Spark."""
_LOCAL_CONFIG: Final[dict[str, bool | float | int | str | None]] = {
    "spark.master": "local[*,6]",
    "spark.app.name": "forsyth",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
}
"""The settings of a Spark on this machine: all cores, up to six attempts per task, no access from outside."""


def apply(frame: DataFrame, verb: Verb, threads: int = 1) -> DataFrame:
    """Return the data frame with the columns that a verb adds, or the rows that it selects.

    Args:
        frame: The data frame, which has a column of texts.
        verb: The verb.
        threads: The number of threads for each task.

    Raises:
        BulkError: If the data frame already has a column that the verb adds, or the column of texts has
            another type than string or binary.
    """
    _set_worker_interpreter(frame.sparkSession)
    return frame.mapInArrow(_make_verb_mapper(verb.to_dict(), threads), _make_result_schema(frame, verb))


def run_shards(
    pass_spec: PassSpec, shards: Sequence[Shard], progress: Progress | None = None
) -> Iterator[list[Part]]:
    """Process parts of the input on a Spark cluster, and yield the output files of each part.

    Args:
        pass_spec: The description of the work on each row.
        shards: The parts of the input, such as ranges of files. Each is one task. They finish in any order.
        progress: Called with the numbers of rows and bytes of each finished shard; None to report nothing.
    """
    with closing(run_tasks(run_task, make_tasks(pass_spec, shards))) as answers:
        for answer in answers:
            yield parse_answer(answer, progress)


def run_tasks(run: Callable[[str], str], tasks: Sequence[str]) -> Generator[str, None, None]:
    """Call `run` with each task on the workers of Spark, and yield each answer when it is there.

    A task and its answer are texts, such as JSON. The answers are in the order in which the tasks finish.
    Closing the generator cancels all other tasks. Raise `BulkError` if the Spark job fails.
    """
    if not tasks:
        return
    yielded_numbers: set[int] = set()
    try:
        with closing(_run_spark_job(get_session(), run, tasks)) as answers:
            for number, answer in answers:
                if number not in yielded_numbers:
                    yielded_numbers.add(number)
                    yield answer
    except PySparkException as error:
        raise BulkError(
            f"the Spark job failed ({first_line(error)}); see its log, or use --engine local"
        ) from error


def _run_spark_job(
    session: SparkSession, run: Callable[[str], str], tasks: Sequence[str]
) -> Generator[NumberedAnswer, None, None]:
    """Call `run` with each task on the workers, and yield the number and the answer of each task.

    An answer is yielded soon after its task is finished. At the end all answers are yielded again, and the
    caller has to skip those that it has seen.
    """
    context = session.sparkContext
    finished_answers = context.accumulator([], _AnswerCollector())
    # One task number per partition. Rows of texts would have to be shuffled to their partitions, and some
    # partitions would get several of them.
    numbers = session.range(0, len(tasks), step=1, numPartitions=len(tasks))
    map_tasks = _make_task_mapper(run, tasks, finished_answers)
    answer_frame = numbers.mapInArrow(map_tasks, "id long, answer string")
    job_group = f"forsyth-{uuid4().hex}"

    def collect_answers() -> list[Any]:
        """Run all tasks, and return their numbered answers as rows."""
        context.setJobGroup(job_group, "forsyth", interruptOnCancel=True)
        return answer_frame.collect()

    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(collect_answers)
        try:
            yielded_count = 0
            while not job.done():
                wait([job], timeout=_WAIT_SECONDS)
                yield from finished_answers.value[yielded_count:]
                yielded_count = len(finished_answers.value)
            yield from ((row.id, row.answer) for row in job.result())
        finally:
            if not job.done():
                context.cancelJobGroup(job_group)


class _AnswerCollector(AccumulatorParam[list[NumberedAnswer]]):
    """Adds up lists of answers on the driver while a job is running.

    Spark itself returns the answers only when all tasks are finished.
    """

    def zero(self, value: list[NumberedAnswer]) -> list[NumberedAnswer]:
        """Return an empty list, the initial value on each worker. The parameter `value` is Spark's."""
        return []

    def addInPlace(  # noqa: N802 - the name is Spark's
        self, value1: list[NumberedAnswer], value2: list[NumberedAnswer]
    ) -> list[NumberedAnswer]:
        """Append the answers of `value2` to `value1`, and return `value1`."""
        value1.extend(value2)
        return value1


def _make_task_mapper(
    run: Callable[[str], str], tasks: Sequence[str], finished_answers: Accumulator[list[NumberedAnswer]]
) -> BatchMapper:
    """Return a function for `mapInArrow` that runs tasks on the workers.

    Args:
        run: The function to call with each task.
        tasks: All tasks. The batches have the numbers of those to run.
        finished_answers: Receives the answers too, so that the driver has them before all tasks are finished.
    """

    def run_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Run the tasks whose numbers are in the batches, and yield their answers."""
        for batch in batches:
            number_column = batch.column("id")
            numbers = number_column.to_pylist()
            answers = [run(tasks[number]) for number in numbers]
            numbered_answers = list(zip(numbers, answers, strict=True))
            finished_answers.add(numbered_answers)
            yield pa.record_batch([number_column, pa.array(answers)], ["id", "answer"])

    return run_batches


def get_session() -> SparkSession:
    """Return the active Spark session, or else the one that the environment variables describe.

    If there is neither, start a Spark on this machine. Its workers run the interpreter of this process, even
    if its virtual environment is not activated.
    """
    has_settings = any(name in os.environ for name in _SPARK_VARIABLES)
    if has_settings or SparkSession.getActiveSession() is not None:
        return SparkSession.builder.getOrCreate()
    # The workers must find the same packages as this interpreter.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return SparkSession.builder.config(map=_LOCAL_CONFIG).getOrCreate()


def _set_worker_interpreter(session: SparkSession) -> None:
    """Make the workers of a Spark on this machine run the interpreter of this process.

    Otherwise Spark would run the first ``python3`` of the search path, which may not have Forsyth. If the
    environment variable PYSPARK_PYTHON is set, or Spark runs on a cluster, nothing is changed.
    """
    try:
        context = session.sparkContext
    except PySparkException:
        # With Spark Connect, the server has the workers.
        return
    is_local = (context.master or "").startswith("local")
    if is_local and "PYSPARK_PYTHON" not in os.environ:
        context.pythonExec = sys.executable


# --- types ------------------------------------------------------------------------------------------

_UNUSED_TYPE: Final = pa.null()
_SPARK_TYPES: Final = {
    pa.bool_(): BooleanType(),
    pa.int32(): IntegerType(),
    pa.string(): StringType(),
    pa.binary(): BinaryType(),
}
"""The Spark types of the Arrow types of columns that verbs add, after `_simplify_type`."""


def _make_result_schema(frame: DataFrame, verb: Verb) -> StructType:
    """Return Spark's schema of a data frame after a verb: its columns, and those that the verb adds.

    Columns that stay unchanged keep their types. Raise `BulkError` if the texts are neither strings nor
    binary, or a column that the verb adds exists already.
    """
    columns = {column.name: column for column in frame.schema}
    text_type = columns[verb.column].dataType if verb.column in columns else StringType()
    if not isinstance(text_type, StringType | BinaryType):
        raise BulkError(
            f"the column {verb.column!r} is of type {text_type.simpleString()}, expected string or binary; "
            "name another column of texts"
        )
    arrow_text_type = pa.binary() if text_type == BinaryType() else pa.string()
    # A verb needs only the type of the texts. Of the other columns, it needs the names.
    input_schema = pa.schema(
        [(name, arrow_text_type if name == verb.column else _UNUSED_TYPE) for name in frame.columns]
    )
    for field in verb.schema(input_schema):
        is_changed = field not in input_schema
        if is_changed:
            columns[field.name] = StructField(field.name, _SPARK_TYPES[_simplify_type(field.type)])
    return StructType(list(columns.values()))


def _make_verb_mapper(verb: dict[str, Any], threads: int) -> BatchMapper:
    """Return a function for `mapInArrow` that applies a verb to batches on the workers.

    `verb` is the verb as a dictionary (`Verb.to_dict`), which can be sent to workers. `threads` is the number
    of threads to use.
    """

    def apply_to_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the results of the verb for each batch."""
        loaded_verb = Verb.from_dict(verb)
        for batch in batches:
            yield _simplify_batch(loaded_verb.apply(batch, threads))

    return apply_to_batches


def _simplify_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Convert the columns of a batch to types that Spark accepts: labels, for example, to strings."""
    columns = [column.cast(_simplify_type(column.type)) for column in batch.columns]
    return pa.record_batch(columns, batch.schema.names)


def _simplify_type(data_type: pa.DataType) -> pa.DataType:
    """Return the Arrow type to which values must be converted for Spark.

    Labels become strings, and bytes of fixed size become binary. Most other types stay unchanged.
    """
    if pa.types.is_dictionary(data_type):
        return _simplify_type(data_type.value_type)
    if pa.types.is_large_string(data_type):
        return pa.string()
    if pa.types.is_fixed_size_binary(data_type) or pa.types.is_large_binary(data_type):
        return pa.binary()
    return data_type
