"""A job as plain data that can be sent: what a worker must know to do its part, and what it counts while it
does it.

A `Job` is one pass over the input: which columns are read, what is done with every batch, which columns are
written, where to and in which format. With a shard it is all that `shard_work.run_shard` needs, on any
machine that sees the same files. Engines (`shard_work.run_shards`, `ray.run_shards`, `spark.run_shards`)
distribute the shards of one job and collect the results; they differ in nothing else.

A `Tally` says how many rows there were, how many could not be read, and the findings by code with a few
examples. It is small however much was counted: one entry for each code, EXAMPLES texts in each, CLIP
characters of each text. Tallies of parts add up to that of the whole, in the order of the parts, wherever
they were made; adding gives the same result however the parts are grouped.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from forsyth.bulk.sources.files import Compression, Format, ending_of
from forsyth.bulk.sources.shards import ShardFiles
from forsyth.bulk.verbs.record_table import RecordTable
from forsyth.bulk.verbs.text_arrays import read_row
from forsyth.bulk.verbs.verb import Verb
from forsyth.diagnostics import printable
from forsyth.limits import MAX_BULK_LINE

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


# --- what is counted --------------------------------------------------------------------------------


EXAMPLES: Final = 3
"""How many texts are shown for each code, the first ones."""
CLIP: Final = 400
"""Longest part of a text that is kept as an example: the longest real text of a game fits."""


@dataclass(frozen=True, slots=True)
class Example:
    """One text with a finding: where it stands and what is said about it."""

    shard: int
    row: int
    """From 0, in the part of its file that belongs to the shard."""
    text: str
    """The text, or CLIP characters of it around the finding."""
    start: int
    """Where in `text` the finding is."""
    end: int
    message: str
    square: str | None = None
    clipped: bool = False
    file: int = 0
    """Which file of its shard it is in."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows have a finding of one code as their first, and the first few of them."""

    code: str
    severity: str
    rows: int
    examples: tuple[Example, ...]

    def __add__(self, other: Count) -> Count:
        kept = (self.examples + other.examples)[:EXAMPLES]
        return Count(self.code, self.severity, self.rows + other.rows, kept)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Count:
        """The count that `asdict` made plain data of."""
        return cls(**{**data, "examples": tuple(Example(**one) for one in data["examples"])})


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of some rows."""

    read: int = 0
    written: int = 0
    missing: int = 0
    """Rows that have no text: null."""
    unreadable: int = 0
    """Rows whose text could not be read, or, in a scan, has an error."""
    counts: tuple[Count, ...] = ()
    """In order of the first row that has the code."""
    games: int = 0
    """Of records: how many were read."""
    asked: int = 0
    """Of records: how many the record reader had to read."""
    lines: int = 0
    """Of records: how many lines they take."""

    @property
    def told(self) -> int:
        """How much of it is told to whoever watches: games where there are any, else rows."""
        return self.games or self.read

    def __add__(self, other: Tally) -> Tally:
        found = {(one.severity, one.code): one for one in self.counts}
        for one in other.counts:
            known = found.get((one.severity, one.code))
            found[one.severity, one.code] = one if known is None else known + one
        return Tally(
            self.read + other.read,
            self.written + other.written,
            self.missing + other.missing,
            self.unreadable + other.unreadable,
            tuple(found.values()),
            self.games + other.games,
            self.asked + other.asked,
            self.lines + other.lines,
        )

    def to_dict(self) -> dict[str, Any]:
        """The tally as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tally:
        """The tally that `to_dict` wrote."""
        return cls(**{**data, "counts": tuple(Count.from_dict(one) for one in data["counts"])})


class Origin(NamedTuple):
    """Where a batch comes from: the files that are being read, and the number of its first row in them."""

    files: ShardFiles
    first: int

    @property
    def shard(self) -> int:
        """The number of the shard."""
        return self.files.shard.number


def counted(verb: Verb, texts: pa.Array, answers: pa.RecordBatch, origin: Origin) -> tuple[Count, ...]:
    """The findings in the answers of a scan to a batch that came from there."""
    codes, severities = answers.column("code"), answers.column("severity")
    if codes.null_count == len(codes):
        return ()
    rows = np.flatnonzero(codes.is_valid().to_numpy(zero_copy_only=False))
    numbers = codes.indices.fill_null(0).to_numpy()[rows].astype(np.int64)
    weights = severities.indices.fill_null(0).to_numpy()[rows].astype(np.int64)
    pairs = numbers * len(severities.dictionary) + weights
    kinds, firsts, totals = np.unique(pairs, return_index=True, return_counts=True)
    counts = []
    for place in np.argsort(firsts):
        of_kind = rows[np.flatnonzero(pairs == kinds[place])[:EXAMPLES]]
        number, weight = divmod(int(kinds[place]), len(severities.dictionary))
        examples = tuple(_example(verb, texts, int(row), origin) for row in of_kind)
        counts.append(
            Count(
                codes.dictionary[number].as_py(),
                severities.dictionary[weight].as_py(),
                int(totals[place]),
                examples,
            )
        )
    return tuple(counts)


def _example(verb: Verb, texts: pa.Array, row: int, origin: Origin) -> Example:
    value = texts[row].as_py()
    data: bytes = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    data = data[:MAX_BULK_LINE]
    found = read_row(verb.the_game(), data, verb.mode, verb.legality is not False).first
    text = data.decode("utf-8", "surrogateescape")
    start, end, message, square = (
        (0, 0, "", None) if found is None else (*found.span, found.message, found.square)
    )
    file, number = origin.files.place_of(origin.first + row)
    example = Example(origin.shard, number, text, start, end, printable(message)[:CLIP], square, file=file)
    return _clipped(example)


def _clipped(example: Example) -> Example:
    """The example with the part of its text around the finding, if the text is longer than that."""
    length = len(example.text)
    begin = max(0, min(example.start - CLIP // 2, length - CLIP))
    text = printable(example.text[begin : begin + CLIP])
    start = min(example.start - begin, len(text))
    end = max(start, min(example.end - begin, len(text)))
    return replace(example, text=text, start=start, end=end, clipped=len(text) < length)
