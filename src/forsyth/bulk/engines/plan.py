"""What a worker must know to do its part: a `Job`, as plain data that can be sent.

A job is one pass over the input: which columns are read, what is done with every batch, which columns are
written, where to and in which format. With a shard it is all that `local.run_shard` needs, on any machine
that sees the same files. Engines (`local.run_shards`, `ray.run_shards`, `spark.run_shards`) distribute the
shards of one job and collect the results; they differ in nothing else.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from forsyth.bulk.records.table import RecordTable
from forsyth.bulk.sources.files import Compression, Format, ending_of
from forsyth.bulk.verbs.verb import Verb

ROLL_ROWS: Final = 1 << 20
"""Rows read for one part: some seconds of work, which is what a kill can cost."""
BATCH_ROWS: Final = 1 << 17
"""Most rows handled at once: what sources read at a time has fewer, so that none of it is cut."""

ROW: Final = "row"
"""The column with the numbers of rows."""
COUNT: Final = np.dtype("<u4")
"""How a count of rows stands in a file."""

Progress = Callable[[int, int], None]
"""Told how many more rows and bytes have been done."""


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which rows are kept: a file with a bit for each row of the input, the first row's bit first.

    `starts` says for each shard how many rows lie before it. `counts` is a file with a number for each row,
    which is written beside it as `count_column`.
    """

    path: str
    starts: tuple[int, ...]
    counts: str | None = None
    count_column: str = "count"


@dataclass(frozen=True, slots=True)
class Job:
    """One pass over the input."""

    schema: pa.Schema
    """The columns that are worked on; each shard's are put into this order and these types, and one that a
    file does not have is null."""
    verb: Verb | None
    """What is done with every batch; None where rows are only copied."""
    folder: str | None
    """Where the parts go; None where nothing is written and only the tally counts."""
    format: Format = Format.ARROW
    compression: Compression | None = None
    kept_columns: tuple[str, ...] | None = None
    """The columns that are written; None for all."""
    whole: bool = True
    """Whether the rows are carried whole; otherwise the files may hold any other columns."""
    counts_only: bool = False
    """Whether nothing is written, only counted."""
    chosen: Chosen | None = None
    numbered: tuple[int, ...] | None = None
    """How many rows lie before each shard: with it the rows that can be read are kept, and the column ROW has
    the number of each in the input, from 0."""
    records: RecordTable | None = None
    """What is made of blocks of records; None where the rows are other data."""
    game: str | None = None
    """The game of records that do not name it."""
    kinds: pa.Schema | None = None
    """The types of the columns of files of text, which say none themselves."""
    roll_rows: int = ROLL_ROWS
    batch_rows: int = BATCH_ROWS
    threads: int = 1
    """How many batches one worker handles at the same time."""

    def to_dict(self) -> dict[str, Any]:
        """The job as JSON-ready data."""
        return {
            "schema": _written(self.schema),
            "verb": None if self.verb is None else self.verb.to_dict(),
            "folder": self.folder,
            "format": str(self.format),
            "compression": None if self.compression is None else str(self.compression),
            "kept_columns": None if self.kept_columns is None else list(self.kept_columns),
            "whole": self.whole,
            "counts_only": self.counts_only,
            "chosen": None if self.chosen is None else asdict(self.chosen),
            "numbered": None if self.numbered is None else list(self.numbered),
            "records": None if self.records is None else self.records.to_dict(),
            "game": self.game,
            "kinds": None if self.kinds is None else _written(self.kinds),
            "roll_rows": self.roll_rows,
            "batch_rows": self.batch_rows,
            "threads": self.threads,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Job:
        """The job that `to_dict` wrote."""
        verb, kept, chosen, packed, records = (
            data[name] for name in ("verb", "kept_columns", "chosen", "compression", "records")
        )
        return cls(
            schema=_read(data["schema"]),
            verb=None if verb is None else Verb.from_dict(verb),
            folder=data["folder"],
            format=Format(data["format"]),
            compression=None if packed is None else Compression(packed),
            kept_columns=None if kept is None else tuple(kept),
            whole=data["whole"],
            counts_only=data["counts_only"],
            chosen=None if chosen is None else Chosen(**{**chosen, "starts": tuple(chosen["starts"])}),
            numbered=None if data["numbered"] is None else tuple(data["numbered"]),
            records=None if records is None else RecordTable.from_dict(records),
            game=data["game"],
            kinds=None if data["kinds"] is None else _read(data["kinds"]),
            roll_rows=data["roll_rows"],
            batch_rows=data["batch_rows"],
            threads=data["threads"],
        )

    @property
    def ending(self) -> str:
        """How the name of a part ends."""
        return ending_of(self.format, self.compression)

    @property
    def columns(self) -> list[str] | None:
        """The columns that are asked of each file; None for all it has, none of which may be lost."""
        return None if self.whole else self.schema.names

    def result_schema(self) -> pa.Schema:
        """The columns that are written."""
        if self.counts_only:
            return pa.schema([])
        schema = self.schema if self.verb is None else self.verb.schema(self.schema)
        if self.records is not None:
            schema = self.records.schema()
        if self.numbered is not None:
            schema = schema.append(pa.field(ROW, pa.int64()))
        if self.chosen is not None and self.chosen.counts is not None:
            schema = schema.append(pa.field(self.chosen.count_column, pa.uint32()))
        return (
            schema
            if self.kept_columns is None
            else pa.schema([schema.field(one) for one in self.kept_columns])
        )


def _written(schema: pa.Schema) -> str:
    return base64.b64encode(schema.serialize().to_pybytes()).decode()


def _read(text: str) -> pa.Schema:
    return pa.ipc.read_schema(pa.py_buffer(base64.b64decode(text)))
