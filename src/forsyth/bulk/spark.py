"""Spark: a verb on a Spark data frame, and the shards of a job as tasks of Spark.

`apply` does a verb to a data frame that is there already, by `mapInArrow`. Spark has fewer types than Arrow:
labels become strings, bytes of fixed size become binary. Columns that the verb leaves alone keep their type.
On one machine the workers run the interpreter of this process unless ``PYSPARK_PYTHON`` names another; on a
cluster they have their own.

`run_shards` is the engine behind ``--engine spark``: a data frame with a partition for each shard, whose
tasks write their parts and give back what they counted. Spark does a task again whose worker died, as often
as ``spark.task.maxFailures`` says, from its last finished part on. The session that is there is used, or the
one that spark-submit and the environment speak of; otherwise one is started on this machine, for as long as
the process lives.

Workers need Forsyth installed, and the files under the same paths.
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
from forsyth.bulk.engines.job import Job, Progress
from forsyth.bulk.engines.shard_work import parts_of_answer, run_task, tasks
from forsyth.bulk.errors import BulkError, brief
from forsyth.bulk.sources.shards import Shard
from forsyth.bulk.verbs.verb import Verb

try:
    from pyspark.accumulators import Accumulator, AccumulatorParam
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import BinaryType, BooleanType, IntegerType, StringType, StructField, StructType
except ImportError as error:
    raise BulkError("this needs pyspark: pip install 'forsyth[spark]'") from error

Mapper = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

_WAIT: Final = 0.5
"""Seconds between two looks at what is finished."""
_ELSEWHERE: Final = (
    "PYSPARK_GATEWAY_PORT",
    "PYSPARK_SUBMIT_ARGS",
    "SPARK_CONF_DIR",
    "SPARK_REMOTE",
    "MASTER",
)
"""What the environment holds where spark-submit or a person has said which Spark to use."""
_HERE: Final[dict[str, bool | float | int | str | None]] = {
    "spark.master": "local[*,6]",
    "spark.app.name": "forsyth",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
}
"""A Spark on all cores of this machine that nobody else can reach, and that tries a task up to six times."""


def apply(frame: DataFrame, verb: Verb, threads: int = 1) -> DataFrame:
    """The data frame with what a verb adds to it; raises `BulkError` where it has such a column already."""
    _use_this_python(frame.sparkSession)
    return frame.mapInArrow(_mapper(verb.to_dict(), threads), _schema(frame, verb))


def run_shards(job: Job, shards: Sequence[Shard], progress: Progress | None = None) -> Iterator[list[Part]]:
    """The parts of each shard, as it is finished."""
    with closing(run_texts(run_task, tasks(job, shards))) as answers:
        for answer in answers:
            yield parts_of_answer(answer, progress)


def run_texts(run: Callable[[str], str], given: Sequence[str]) -> Generator[str, None, None]:
    """What a function answers to each text, on the workers, as they are done."""
    if not given:
        return
    told: set[int] = set()
    try:
        with closing(_answers(session(), run, given)) as answers:
            for number, answer in answers:
                if number not in told:
                    told.add(number)
                    yield answer
    except PySparkException as error:
        raise BulkError(
            f"the Spark job failed ({brief(error)}); see its log, or use --engine local"
        ) from error


def _answers(
    spark: SparkSession, run: Callable[[str], str], given: Sequence[str]
) -> Generator[tuple[int, str], None, None]:
    """The answer to each task when it is heard of, and all of them once more at the end."""
    context = spark.sparkContext
    heard = context.accumulator([], _Heard())
    # Numbers in a partition each; rows of texts would have to be shuffled there, which throws some together.
    numbers = spark.range(0, len(given), 1, len(given))
    work = numbers.mapInArrow(_carrier(run, given, heard), "id long, answer string")
    group = f"forsyth-{uuid4().hex}"

    def collect() -> list[Any]:
        context.setJobGroup(group, "forsyth", interruptOnCancel=True)
        return work.collect()

    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(collect)
        try:
            place = 0
            while not job.done():
                wait([job], timeout=_WAIT)
                yield from heard.value[place:]
                place = len(heard.value)
            yield from ((row.id, row.answer) for row in job.result())
        finally:
            if not job.done():
                context.cancelJobGroup(group)


class _Heard(AccumulatorParam[list[tuple[int, str]]]):
    """Answers of finished tasks: Spark gives those of a job to the driver only when all are there."""

    def zero(self, value: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """No answers."""
        return []

    def addInPlace(  # noqa: N802 - the name is Spark's
        self, value1: list[tuple[int, str]], value2: list[tuple[int, str]]
    ) -> list[tuple[int, str]]:
        """The answers of both."""
        value1.extend(value2)
        return value1


def _carrier(
    run: Callable[[str], str], given: Sequence[str], heard: Accumulator[list[tuple[int, str]]]
) -> Mapper:
    def carried(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            numbers = batch.column("id")
            answers = [run(given[number]) for number in numbers.to_pylist()]
            heard.add(list(zip(numbers.to_pylist(), answers, strict=True)))
            yield pa.record_batch([numbers, pa.array(answers)], ["id", "answer"])

    return carried


def session() -> SparkSession:
    """The session that is there or that the environment speaks of, or a new one on this machine.

    A new one has workers of this interpreter, whether its environment is activated or not.
    """
    if not any(name in os.environ for name in _ELSEWHERE) and SparkSession.getActiveSession() is None:
        # Workers are to find what this interpreter finds.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        return SparkSession.builder.config(map=_HERE).getOrCreate()
    return SparkSession.builder.getOrCreate()


def _use_this_python(spark: SparkSession) -> None:
    """Have the workers of a Spark on this machine run this interpreter, unless another was asked for.

    Spark would take the first ``python3`` of the path, which need not be one that Forsyth is installed for.
    """
    try:
        context = spark.sparkContext
    except PySparkException:
        # Over Spark Connect the workers are the server's.
        return
    if (context.master or "").startswith("local") and "PYSPARK_PYTHON" not in os.environ:
        context.pythonExec = sys.executable


# --- types ------------------------------------------------------------------------------------------

_OTHERS: Final = pa.null()
_SPARKS: Final = {
    pa.bool_(): BooleanType(),
    pa.int32(): IntegerType(),
    pa.string(): StringType(),
    pa.binary(): BinaryType(),
}
"""The types that verbs write."""


def _schema(frame: DataFrame, verb: Verb) -> StructType:
    """The columns that come out: Spark's own where the verb leaves them alone."""
    kept = {one.name: one for one in frame.schema}
    kind = kept[verb.column].dataType if verb.column in kept else StringType()
    if not isinstance(kind, StringType | BinaryType):
        raise BulkError(f"a column of {kind.simpleString()} holds no texts; name one of strings or bytes")
    # Only the column of texts matters to a verb, of the others it is enough that they are there.
    texts = pa.binary() if kind == BinaryType() else pa.string()
    given = pa.schema([(name, texts if name == verb.column else _OTHERS) for name in frame.columns])
    written = {one.name: one for one in verb.schema(given) if one not in given}
    added = {name: StructField(name, _SPARKS[_plain(one.type)]) for name, one in written.items()}
    return StructType(list((kept | added).values()))


def _mapper(verb: dict[str, Any], threads: int) -> Mapper:
    def applied(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        done = Verb.from_dict(verb)
        for batch in batches:
            yield _cast(done.apply(batch, threads))

    return applied


def _cast(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = [column.cast(_plain(column.type)) for column in batch.columns]
    return pa.record_batch(columns, batch.schema.names)


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type as Spark has it."""
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    if pa.types.is_large_string(kind):
        return pa.string()
    if pa.types.is_fixed_size_binary(kind) or pa.types.is_large_binary(kind):
        return pa.binary()
    return kind
