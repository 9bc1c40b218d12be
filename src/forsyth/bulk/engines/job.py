"""The description of a pass over the input, as data that can be sent to workers, and the counts of its rows.

A `PassSpec` describes one pass: the columns to read, the verb for every batch, the columns to write, and the
folder and format of the output. Together with a shard it is all that `shard_work.run_shard` needs, on any
machine that has the same files. The engines (`shard_work.run_shards`, `ray.run_shards`, `spark.run_shards`)
distribute the shards of a pass and collect the results. They do not differ in anything else.

A `Tally` counts the rows, those that could not be read, and the findings by code, with a few examples. Its
size is bounded: it has one entry for each code, with at most EXAMPLES_PER_CODE texts of at most
MAX_EXAMPLE_CHARS characters. The tallies of parts can be added up, in the order of the parts. The sum does
not depend on how the parts are grouped.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from forsyth.bulk.sources.files import Compression, Format, file_ending
from forsyth.bulk.sources.shards import ShardReader
from forsyth.bulk.verbs.record_table import RecordTable
from forsyth.bulk.verbs.text_arrays import read_row
from forsyth.bulk.verbs.verb import Verb
from forsyth.diagnostics import make_printable
from forsyth.limits import MAX_BULK_LINE

ROLL_ROWS: Final = 1 << 20
"""Number of rows read for one part: some seconds of work, which are lost if the process is killed."""
BATCH_ROWS: Final = 1 << 17
"""Upper bound on the rows of a batch. Sources read fewer rows at a time, so that nothing is cut."""

ROW_COLUMN: Final = "row"
"""The name of the column with row numbers."""
COUNT_DTYPE: Final = np.dtype("<u4")
"""The type of the numbers in a file of counts."""

Progress = Callable[[int, int], None]
"""A callback for progress. Its arguments are the numbers of rows and bytes since the last call."""


def count_cores() -> int:
    """Return the number of processor cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        this_process = 0
        return len(os.sched_getaffinity(this_process))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class RowSelection:
    """The rows of the input that are written, as files of bits and counts."""

    path: str
    """File with a bit for each row of the input, 1 if the row is written. The lowest bit is the first."""
    starts: tuple[int, ...]
    """Number of rows of the input before each shard."""
    counts: str | None = None
    """File with a number for each row, to write to `count_column`; None for no such column."""
    count_column: str = "count"


@dataclass(frozen=True, slots=True)
class PassSpec:
    """One pass over the input."""

    schema: pa.Schema
    """The columns to read. Every batch is converted to these types. A column that a file lacks is null."""
    verb: Verb | None
    """The verb for every batch; None to only copy rows."""
    folder: str | None
    """The folder of the parts; None to write nothing and only count."""
    format: Format = Format.ARROW
    """The format of the parts."""
    compression: Compression | None = None
    output_columns: tuple[str, ...] | None = None
    """The columns to write; None for all."""
    keep_all_columns: bool = True
    """Whether all columns of the files are read. If not, files may have columns that are not in `schema`."""
    counts_only: bool = False
    """Whether the rows are only counted."""
    selection: RowSelection | None = None
    """The rows to write; None for all."""
    rows_before: tuple[int, ...] | None = None
    """Number of rows of the input before each shard; None if row numbers are not needed.

    If given, only rows that can be read are written, and the column ROW_COLUMN has their row numbers in the
    input, from 0.
    """
    records: RecordTable | None = None
    """The table to make of blocks of records; None if the rows are not blocks of records."""
    game: str | None = None
    """The name of the game of records; None if their tags and moves show it."""
    column_types: pa.Schema | None = None
    """The types of the columns of text files, whose formats have no types."""
    roll_rows: int = ROLL_ROWS
    """Number of rows read for one part."""
    batch_rows: int = BATCH_ROWS
    """Upper bound on the rows of a batch."""
    threads: int = 1
    """Number of batches that one worker processes at the same time."""

    def to_dict(self) -> dict[str, Any]:
        """Return the pass as JSON-ready data."""
        return {
            "schema": _encode_schema(self.schema),
            "verb": None if self.verb is None else self.verb.to_dict(),
            "folder": self.folder,
            "format": str(self.format),
            "compression": None if self.compression is None else str(self.compression),
            "kept_columns": None if self.output_columns is None else list(self.output_columns),
            "whole": self.keep_all_columns,
            "counts_only": self.counts_only,
            "chosen": None if self.selection is None else asdict(self.selection),
            "numbered": None if self.rows_before is None else list(self.rows_before),
            "records": None if self.records is None else self.records.to_dict(),
            "game": self.game,
            "kinds": None if self.column_types is None else _encode_schema(self.column_types),
            "roll_rows": self.roll_rows,
            "batch_rows": self.batch_rows,
            "threads": self.threads,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PassSpec:
        """Return the pass from the data that `to_dict` returned."""
        verb = data["verb"]
        compression = data["compression"]
        output_columns = data["kept_columns"]
        selection = data["chosen"]
        rows_before = data["numbered"]
        records = data["records"]
        column_types = data["kinds"]
        if selection is not None:
            selection = RowSelection(**{**selection, "starts": tuple(selection["starts"])})
        return cls(
            schema=_decode_schema(data["schema"]),
            verb=None if verb is None else Verb.from_dict(verb),
            folder=data["folder"],
            format=Format(data["format"]),
            compression=None if compression is None else Compression(compression),
            output_columns=None if output_columns is None else tuple(output_columns),
            keep_all_columns=data["whole"],
            counts_only=data["counts_only"],
            selection=selection,
            rows_before=None if rows_before is None else tuple(rows_before),
            records=None if records is None else RecordTable.from_dict(records),
            game=data["game"],
            column_types=None if column_types is None else _decode_schema(column_types),
            roll_rows=data["roll_rows"],
            batch_rows=data["batch_rows"],
            threads=data["threads"],
        )

    @property
    def ending(self) -> str:
        """The ending of the file names of parts, such as ``parquet`` or ``csv.gz``."""
        return file_ending(self.format, self.compression)

    @property
    def columns(self) -> list[str] | None:
        """The names of the columns to read from each file; None for all columns of the file."""
        return None if self.keep_all_columns else self.schema.names

    def make_result_schema(self) -> pa.Schema:
        """Return the schema of the rows that the pass writes.

        It has the columns of the input, or of the table of records. The verb, the row numbers and the
        selection add columns. A pass that only counts has no columns.
        """
        if self.counts_only:
            return pa.schema([])
        if self.records is not None:
            schema = self.records.schema()
        elif self.verb is not None:
            schema = self.verb.schema(self.schema)
        else:
            schema = self.schema
        if self.rows_before is not None:
            schema = schema.append(pa.field(ROW_COLUMN, pa.int64()))
        if self.selection is not None and self.selection.counts is not None:
            schema = schema.append(pa.field(self.selection.count_column, pa.uint32()))
        if self.output_columns is None:
            return schema
        return pa.schema([schema.field(name) for name in self.output_columns])


def _encode_schema(schema: pa.Schema) -> str:
    """Return a schema as base64 text, which can be part of JSON."""
    return base64.b64encode(schema.serialize().to_pybytes()).decode()


def _decode_schema(text: str) -> pa.Schema:
    """Return the schema from the base64 text that `_encode_schema` returned."""
    return pa.ipc.read_schema(pa.py_buffer(base64.b64decode(text)))


# --- counts -----------------------------------------------------------------------------------------


EXAMPLES_PER_CODE: Final = 3
"""Number of examples that are kept for each code: those of the first rows."""
MAX_EXAMPLE_CHARS: Final = 400
"""Upper bound on the characters of an example. The longest real texts of all games are shorter."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text with an error or a warning (a finding), and the places of both."""

    shard: int
    """Number of the shard."""
    row: int
    """Row in the part of the file that belongs to the shard, from 0."""
    text: str
    """The text, or MAX_EXAMPLE_CHARS characters of it around the finding."""
    start: int
    """Start of the finding in `text`, in characters."""
    end: int
    """End of the finding in `text`, in characters."""
    message: str
    square: str | None = None
    clipped: bool = False
    """Whether `text` is only a part of the row's text."""
    file: int = 0
    """Index of the file in its shard."""


@dataclass(frozen=True, slots=True)
class CodeCount:
    """The number of rows whose first finding has one code, and examples of these rows."""

    code: str
    severity: str
    rows: int
    examples: tuple[Example, ...]
    """The first rows with the code, at most EXAMPLES_PER_CODE."""

    def __add__(self, other: CodeCount) -> CodeCount:
        """Return the sum of two counts of the same code. The rows of `other` come later in the input."""
        all_examples = self.examples + other.examples
        return CodeCount(
            code=self.code,
            severity=self.severity,
            rows=self.rows + other.rows,
            examples=all_examples[:EXAMPLES_PER_CODE],
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> CodeCount:
        """Return the count from the data that `dataclasses.asdict` returned."""
        examples = tuple(Example(**example) for example in data["examples"])
        return cls(**{**data, "examples": examples})


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of rows by outcome: read, written, missing, unreadable, and by the code of their findings."""

    read: int = 0
    """Number of rows read; for records, the number of blocks."""
    written: int = 0
    """Number of rows written."""
    missing: int = 0
    """Number of rows whose text, or value in the column that is used instead, is null."""
    unreadable: int = 0
    """Number of rows whose text could not be read; in a scan, of rows with an error; of records with one."""
    counts: tuple[CodeCount, ...] = ()
    """The rows by code, in the order of the first row with each code."""
    games: int = 0
    """Only for records: the number of records read."""
    asked: int = 0
    """Only for records: the number of records that the record reader had to read."""
    lines: int = 0
    """Only for records: the number of lines of all blocks."""

    @property
    def progress_count(self) -> int:
        """The number that progress bars show: of records if there are any, else of rows."""
        return self.games or self.read

    def __add__(self, other: Tally) -> Tally:
        """Return the sum of two tallies. The rows of `other` come later in the input."""
        count_by_code = {(count.severity, count.code): count for count in self.counts}
        for count in other.counts:
            code = (count.severity, count.code)
            earlier_count = count_by_code.get(code)
            count_by_code[code] = count if earlier_count is None else earlier_count + count
        return Tally(
            read=self.read + other.read,
            written=self.written + other.written,
            missing=self.missing + other.missing,
            unreadable=self.unreadable + other.unreadable,
            counts=tuple(count_by_code.values()),
            games=self.games + other.games,
            asked=self.asked + other.asked,
            lines=self.lines + other.lines,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the tally as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tally:
        """Return the tally from the data that `to_dict` returned."""
        counts = tuple(CodeCount.from_dict(count) for count in data["counts"])
        return cls(**{**data, "counts": counts})


class Origin(NamedTuple):
    """The place of a batch in the input."""

    files: ShardReader
    """The files of the shard, which are being read."""
    first_row: int
    """Number of rows of the shard before the batch."""

    @property
    def shard(self) -> int:
        """The number of the shard."""
        return self.files.shard.number


def count_findings(
    verb: Verb, texts: pa.Array, answers: pa.RecordBatch, origin: Origin
) -> tuple[CodeCount, ...]:
    """Count the rows of a batch by the code and severity of their first error or warning.

    The codes are in the order in which they first occur.

    Args:
        verb: The verb `scan` that checked the texts.
        texts: The texts of the batch.
        answers: The results of the scan: for each text the code and severity of its first finding, or null.
        origin: The place of the batch in the input, for the examples.
    """
    codes, severities = answers.column("code"), answers.column("severity")
    if codes.null_count == len(codes):
        return ()
    rows_with_finding = np.flatnonzero(codes.is_valid().to_numpy(zero_copy_only=False))
    code_numbers = _get_dictionary_indexes(codes)[rows_with_finding]
    severity_numbers = _get_dictionary_indexes(severities)[rows_with_finding]

    # One number for each pair of code and severity, so that all pairs are counted at once.
    severity_count = len(severities.dictionary)
    pairs = code_numbers * severity_count + severity_numbers
    distinct_pairs, first_indexes, row_counts = np.unique(pairs, return_index=True, return_counts=True)
    counts = []
    for index in np.argsort(first_indexes):
        pair = int(distinct_pairs[index])
        code_number, severity_number = divmod(pair, severity_count)
        example_rows = rows_with_finding[pairs == pair][:EXAMPLES_PER_CODE]
        counts.append(
            CodeCount(
                code=codes.dictionary[code_number].as_py(),
                severity=severities.dictionary[severity_number].as_py(),
                rows=int(row_counts[index]),
                examples=tuple(_make_example(verb, texts, int(row), origin) for row in example_rows),
            )
        )
    return tuple(counts)


def _get_dictionary_indexes(column: pa.DictionaryArray) -> np.ndarray:
    """Return for each row of a dictionary array the index of its value in the dictionary, 0 for null."""
    indices: np.ndarray = column.indices.fill_null(0).to_numpy().astype(np.int64)
    return indices


def _make_example(verb: Verb, texts: pa.Array, row: int, origin: Origin) -> Example:
    """Return the text in one row of a batch as an example, with its first error or warning.

    Args:
        verb: The verb `scan`, which has the game and the options for reading the text.
        texts: The texts of the batch.
        row: The index of the row in the batch.
        origin: The place of the batch in the input.
    """
    value = texts[row].as_py()
    data: bytes = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    data = data[:MAX_BULK_LINE]
    text = data.decode("utf-8", "surrogateescape")
    checks_legality = verb.legality is not False
    finding = read_row(verb.load_game(), data, verb.mode, checks_legality).first_finding
    file_index, row_in_file = origin.files.locate_row(origin.first_row + row)
    if finding is None:
        example = Example(origin.shard, row_in_file, text, start=0, end=0, message="", file=file_index)
    else:
        example = Example(
            origin.shard,
            row_in_file,
            text,
            start=finding.span.start,
            end=finding.span.end,
            message=make_printable(finding.message)[:MAX_EXAMPLE_CHARS],
            square=finding.square,
            file=file_index,
        )
    return _clip_text(example)


def _clip_text(example: Example) -> Example:
    """Return an example whose text is printable and has at most MAX_EXAMPLE_CHARS characters.

    A longer text is reduced to the characters around its finding, and the place of the finding is adjusted.
    """
    full_length = len(example.text)
    # The finding begins in the middle of the clipped text, unless it is near an end of the whole text.
    centred_start = example.start - MAX_EXAMPLE_CHARS // 2
    clip_start = max(0, min(centred_start, full_length - MAX_EXAMPLE_CHARS))
    text = make_printable(example.text[clip_start : clip_start + MAX_EXAMPLE_CHARS])
    start = min(example.start - clip_start, len(text))
    end = max(start, min(example.end - clip_start, len(text)))
    return replace(example, text=text, start=start, end=end, clipped=len(text) < full_length)
