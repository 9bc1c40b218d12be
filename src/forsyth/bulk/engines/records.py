"""Records of whole games: their files and shards, the rows of blocks of text, and streams of rows.

Standard input is PGN unless a format is given. A file that is not compressed can be cut into ranges of bytes.
The game is the one that most of the first DETECTION_SAMPLE records belong to.

Blocks are processed at the same time, in any order. The number of records before a block is only known when
the block is written, so games get their numbers then, in the order of the files.

`games` and `positions` read the sources that `run_records` reads, or the bytes of a file in memory, without a
temporary file. They return batches in the order of the files, and hold only a few of them. An error in a file
is raised as `BulkError` when the reader reaches the file.

Limits: files and threads are released when all rows have been read or the reader is deleted (`del`), not when
it is closed. Arrow passes a close on only across its C interface, where a `BulkError` loses its class.
"""

from __future__ import annotations

import io
import os
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final, NamedTuple, Unpack

import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.bulk.engines.checkpoints import Output, Part
from forsyth.bulk.engines.job import Origin, PassSpec, Tally, count_cores
from forsyth.bulk.errors import STANDARD, BulkError, display_name, require_count, require_known_options
from forsyth.bulk.sources.files import Format, MemoryStream, SourceFile, expand_patterns
from forsyth.bulk.sources.pgn import (
    BLOCK_BYTES,
    FILE_SEPARATOR,
    BlockRows,
    RecordBlocks,
    may_be_joined,
    view_block_texts,
)
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.record_rows import BlockLocation, read_block_rows
from forsyth.bulk.verbs.record_table import GAME, RecordTable, TableKind, TableOptions, choose_block_size
from forsyth.record import read_records
from forsyth.record.encoding import ENCODINGS, Encoding

DETECTION_SAMPLE: Final = 20
"""Number of records that are read to detect the game."""


# --- files and shards -------------------------------------------------------------------------------


def expand_record_files(sources: Sequence[str], format_name: str | None) -> list[SourceFile]:
    """Return the PGN files that match the sources, or standard input if there are no sources.

    Args:
        sources: Paths, patterns or URLs, or ``-`` for standard input.
        format_name: The format of all files; None to detect it from each name.

    Raises:
        BulkError: If a file has another format than PGN, which holds no records of games.
    """
    files = []
    for source in list(sources) or [STANDARD]:
        is_untyped_stream = format_name is None and source == STANDARD
        format_of_source = str(Format.PGN) if is_untyped_stream else format_name
        files += expand_patterns([source], format_of_source)
    for file in files:
        if file.format is not Format.PGN:
            raise BulkError(
                f"{display_name(file.path)} has the format {file.format}, which holds no records of games; "
                "name files of PGN, or read it as PGN with --in pgn"
            )
    return files


def plan_record_shards(
    files: Sequence[SourceFile],
    target_bytes: int | None,
    block_bytes: int | None = None,
    encoding: Encoding = "utf-8",
) -> list[Shard]:
    """Cut PGN files into shards: ranges of bytes that can be processed independently of each other.

    Args:
        files: The files.
        target_bytes: The size of the ranges into which files are cut; None for one shard per file.
        block_bytes: The approximate size of a block, a piece of a file that is read at once; None for the
            default.
        encoding: The encoding of the files.

    Raises:
        BulkError: If there is no such encoding.
    """
    require_encoding(encoding)
    shards = (shard for file in files for shard in _cut_file(file, target_bytes))
    return [
        replace(shard, number=number, block_bytes=block_bytes, encoding=encoding)
        for number, shard in enumerate(shards)
    ]


def require_encoding(encoding: str) -> None:
    """Raise `BulkError` if there is no such encoding of records."""
    if encoding not in ENCODINGS:
        raise BulkError(f"unknown encoding {encoding!r}, expected one of: {', '.join(ENCODINGS)}")


def _cut_file(file: SourceFile, target_bytes: int | None) -> list[Shard]:
    """Return a PGN file as shards of `target_bytes` bytes each, or as one shard.

    A file is not cut if it is compressed, small or of unknown size, or if `target_bytes` is None.
    """
    whole_file = Shard(file.path, file.format, file.compression, unit="records", size=file.size)
    if target_bytes is None or file.compression is not None:
        return [whole_file]
    if file.size is None or file.size <= target_bytes:
        return [whole_file]
    shards = []
    for first_byte in range(0, file.size, target_bytes):
        size = min(target_bytes, file.size - first_byte)
        shards.append(replace(whole_file, first=first_byte, count=size, size=size))
    return shards


# --- detection of the game --------------------------------------------------------------------------


def detect_game_of_shards(shards: Iterable[Shard]) -> str:
    """Return the name of the game, such as ``chess``, of the first file that has records.

    Raise `BulkError` if the game cannot be detected from the first records of that file.
    """
    name_of_first_file = ""
    files = (file for shard in shards for file in shard.files)
    for file in files:
        file_name = display_name(file.path)
        name_of_first_file = name_of_first_file or file_name
        with open_shard(file) as blocks:
            first_batch = next(iter(blocks), None)
        if first_batch is not None and has_records(first_batch):
            return detect_game_of_records([first_batch], file_name)
    return detect_game_of_records([], name_of_first_file)


def has_records(batch: pa.RecordBatch) -> bool:
    """Return whether the first block of text in a batch contains anything but whitespace."""
    if not batch.num_rows:
        return False
    text: bytes = batch.column("text")[0].as_py()
    return bool(text) and not text.isspace()


def detect_game_of_records(batches: list[pa.RecordBatch], source: str) -> str:
    """Return the name of the game that most of the first records belong to, such as ``chess``.

    Args:
        batches: Batches with text of records in the column ``text``. The first row of each is read.
        source: The name of the file, for the message.

    Raises:
        BulkError: If no game is detected.
    """
    first_texts = [batch.column("text")[0].as_py() for batch in batches]
    return detect_game_of_bytes(b"".join(first_texts), source)


def detect_game_of_bytes(data: bytes, source: str) -> str:
    """Return the name of the game that most of the first records in `data` belong to, such as ``chess``.

    Raise `BulkError` if no game is detected. `source` is the name of the file, for the message.
    """
    text = data.decode("utf-8", "surrogateescape")
    first_readings = islice(read_records(io.StringIO(text, newline="")), DETECTION_SAMPLE)
    game_counts = Counter(reading.game for reading in first_readings if reading.game is not None)
    if not game_counts:
        raise BulkError(
            f"the game of the first records of {source} cannot be detected; "
            f"name it with --game, one of {', '.join(registry.games())}"
        )
    most_common_game, _ = game_counts.most_common(1)[0]
    return most_common_game


# --- rows of blocks ---------------------------------------------------------------------------------


_BLOCKS_PER_THREAD: Final = 2
"""Number of blocks for each thread: the one that it converts, and the next one."""
_SPARE_BLOCKS: Final = 8
"""Blocks that may wait to be written, so that the workers can continue while a row group is written."""


def limit_pending_blocks(threads: int) -> int:
    """Return the maximum number of blocks that are in progress, or wait to be written, at the same time."""
    return _BLOCKS_PER_THREAD * threads + _SPARE_BLOCKS


def convert_blocks_of_batch(
    table: RecordTable, batch: pa.RecordBatch, origin: Origin
) -> tuple[pa.RecordBatch, Tally]:
    """Return the rows of a table for a batch of blocks, and the counts of the records in them.

    A block is a piece of text with whole records. The column ``game`` of the rows is the number of the record
    in the batch, from 1. `origin` is the place of the batch in the input.
    """
    locations = [_locate_block(origin, row) for row in range(batch.num_rows)]
    return convert_blocks(table, batch, locations)


def convert_blocks(
    table: RecordTable, batch: pa.RecordBatch, locations: Sequence[BlockLocation]
) -> tuple[pa.RecordBatch, Tally]:
    """Return the rows of a table for a batch of blocks, and the counts of the records in them.

    A block is a piece of text with whole records.

    Args:
        table: The table to make of the records.
        batch: The blocks.
        locations: For each block its file, and the lines of the file before the range that the block is in.

    Returns:
        The rows, whose column ``game`` is the number of the record in the batch, from 1, and the counts.
    """
    texts = view_block_texts(batch)
    lines_before, line_counts = batch.column("line").to_pylist(), batch.column("lines").to_pylist()
    row_batches: list[pa.RecordBatch] = []
    tally = Tally(read=batch.num_rows)
    block_locations = [
        BlockLocation(location.file, location.lines + lines)
        for location, lines in zip(locations, lines_before, strict=True)
    ]
    max_bytes = choose_block_size(table.forms) or BLOCK_BYTES
    for text, location in join_small_files(texts, block_locations, max_bytes):
        block = read_block_rows(table, text, location)
        row_batches.append(shift_game_numbers(block.rows, tally.games))
        tally = _add_block(tally, block)
    tally = replace(tally, lines=sum(line_counts))
    rows = row_batches[0] if len(row_batches) == 1 else pa.concat_batches(row_batches)
    return rows, replace(tally, written=rows.num_rows)


def join_small_files(
    texts: Sequence[memoryview], locations: Sequence[BlockLocation], max_bytes: int
) -> Iterator[tuple[memoryview, BlockLocation]]:
    """Yield blocks of text with their locations, small files that follow each other joined to one block.

    Reading a block has a cost that does not depend on its length, in time and in memory. Only files are
    joined whose records are the same if they are read one by one; see `may_be_joined`.

    Args:
        texts: The blocks, each the beginning, the middle or the whole of a file.
        locations: Their locations.
        max_bytes: The maximum size of a joined block.
    """
    waiting: list[int] = []
    waiting_bytes = 0
    for index, text in enumerate(texts):
        is_continued = bool(
            waiting
            and waiting_bytes + len(text) <= max_bytes
            and locations[index].lines == 0
            and may_be_joined(texts[index - 1], text)
        )
        if not is_continued and waiting:
            yield _join_files(texts, locations, waiting)
            waiting = []
            waiting_bytes = 0
        waiting.append(index)
        waiting_bytes += len(text) + len(FILE_SEPARATOR)
    if waiting:
        yield _join_files(texts, locations, waiting)


def _join_files(
    texts: Sequence[memoryview], locations: Sequence[BlockLocation], indexes: list[int]
) -> tuple[memoryview, BlockLocation]:
    """Return the texts of some blocks as one text, and its location. A single block is not copied."""
    first_location = locations[indexes[0]]
    if len(indexes) == 1:
        return texts[indexes[0]], first_location
    joined = bytearray(texts[indexes[0]])
    line_count = joined.count(b"\n")
    next_files = []
    for index in indexes[1:]:
        joined += FILE_SEPARATOR
        line_count += FILE_SEPARATOR.count(b"\n")
        next_files.append((line_count, locations[index].file))
        text = bytes(texts[index])
        joined += text
        line_count += text.count(b"\n")
    return memoryview(joined), first_location._replace(next_files=tuple(next_files))


def _add_block(tally: Tally, block: BlockRows) -> Tally:
    """Return a tally with the counts of a block added."""
    return replace(
        tally,
        games=tally.games + block.games,
        asked=tally.asked + block.read_by_fallback,
        unreadable=tally.unreadable + block.errors,
    )


def _locate_block(origin: Origin, row: int) -> BlockLocation:
    """Return the name of the file of a block, and the number of lines of the file before its shard.

    A shard may be a range of a file. `origin` is the place of the batch in the input, and `row` the index of
    the block in the batch.
    """
    file_index, _ = origin.files.locate_row(origin.first_row + row)
    shard = origin.files.shard.files[file_index]
    return BlockLocation(display_name(shard.path), shard.lines_before)


class GameNumberingOutput:
    """An output that numbers the games of all batches before it passes them on to another output."""

    def __init__(self, output: Output, games_before: int) -> None:
        """Pass batches on to `output`. `games_before` is the number of records before the first batch."""
        self._output = output
        self._games_before = games_before

    def write(self, batch: pa.RecordBatch, tally: Tally) -> None:
        """Write a batch, with the number of all earlier games added to its game numbers.

        `tally` has the number of games in the batch.
        """
        self._output.write(shift_game_numbers(batch, self._games_before), tally)
        self._games_before += tally.games

    def close(self) -> None:
        """Close the other output."""
        self._output.close()

    def abort(self) -> None:
        """Abort the other output."""
        self._output.abort()


def add_game_numbering(pass_spec: PassSpec, shard: Shard, output: Output, parts: list[Part]) -> Output:
    """Return an output that numbers the games of all rows and passes the rows on to `output`.

    Return `output` itself if the rows have no column for the number of the game.

    Args:
        pass_spec: The description of the work, with the columns of the rows.
        shard: The shard whose rows are written.
        output: The output to write to.
        parts: The parts of the shard that an earlier run finished. Their games come before the first batch.
    """
    has_game_numbers = pass_spec.records is not None and GAME in pass_spec.make_result_schema().names
    if not has_game_numbers:
        return output
    games_in_parts = sum(part.tally.games for part in parts)
    return GameNumberingOutput(output, shard.games_before + games_in_parts)


def shift_game_numbers(batch: pa.RecordBatch, games_before: int) -> pa.RecordBatch:
    """Return the rows with `games_before` added to the column ``game``, if they have that column."""
    if GAME not in batch.schema.names or games_before == 0:
        return batch
    index = batch.schema.get_field_index(GAME)
    numbers = pc.add(batch.column(index), pa.scalar(games_before, pa.int64()))
    return batch.set_column(index, batch.schema.field(index), numbers)


# --- streams ----------------------------------------------------------------------------------------


AnyPath = str | os.PathLike[str]
RecordSource = AnyPath | Sequence[AnyPath] | bytes | bytearray | memoryview
"""The paths of files, or the bytes of one file."""

_MEMORY_NAME: Final = "the bytes given"
"""The name in messages of a file that is in memory."""


class NamedBlock(NamedTuple):
    """A batch of one block, and the name of its file."""

    batch: pa.RecordBatch
    file_name: str

    @property
    def location(self) -> BlockLocation:
        """The place of the block: its file, which is read from its first line on."""
        return BlockLocation(self.file_name, lines=0)


class RecordOptions(TableOptions, total=False):
    """The keyword arguments of functions that read records, for editors and type checkers."""

    game: str | None
    """The game; None to detect it from the first records."""
    variant: str | None
    """The variant of the game; None for the default."""
    format_in: str | None
    """The format of the files; None to detect it from their names."""
    encoding: Encoding
    """The encoding of the files: ``utf-8``, ``latin-1`` or ``auto`` (default: ``utf-8``)."""
    threads: int | None
    """The number of threads; None for one per core."""


def games(source: RecordSource, **options: Unpack[RecordOptions]) -> pa.RecordBatchReader:
    """Return a reader of the games of files: one row per game.

    Delete a reader that is not read to its end: closing it does not release its file and threads.

    Args:
        source: A path, pattern or URL, several of them, or the bytes of a file.
        **options: See `RecordOptions` and `TableOptions`.

    Raises:
        BulkError: If a file or an option is not valid. Errors in later blocks are raised by the reader.
    """
    require_known_options("games", options, RecordOptions)
    return _make_reader("games", source, options)


def positions(source: RecordSource, **options: Unpack[RecordOptions]) -> pa.RecordBatchReader:
    """Return a reader of the positions of all main lines: one row per position.

    Delete a reader that is not read to its end: closing it does not release its file and threads.

    Args:
        source: A path, pattern or URL, several of them, or the bytes of a file.
        **options: See `RecordOptions` and `TableOptions`.

    Raises:
        BulkError: If a file or an option is not valid. Errors in later blocks are raised by the reader.
    """
    require_known_options("positions", options, RecordOptions)
    return _make_reader("positions", source, options)


def _make_reader(kind: TableKind, source: RecordSource, options: RecordOptions) -> pa.RecordBatchReader:
    """Return a reader of a table of records: of games or of positions.

    `options` are the keyword arguments of `RecordStream`.
    """
    stream = RecordStream(kind, source, **options)
    return pa.RecordBatchReader.from_batches(stream.table.schema(), iter(stream))


class RecordStream:
    """The rows of a table of records, to be iterated once. `tally` counts what has been read so far."""

    def __init__(
        self,
        kind: TableKind,
        source: RecordSource,
        *,
        game: str | None = None,
        variant: str | None = None,
        format_in: str | None = None,
        encoding: Encoding = "utf-8",
        threads: int | None = None,
        **table_options: Any,
    ) -> None:
        """Open the files, and read the first block with records.

        Args:
            kind: The kind of table.
            source: A path, pattern or URL, several of them, or the bytes of a file.
            game: The game; None to detect it from the first records.
            variant: The variant of the game; None for the default.
            format_in: The format of the files; None to detect it from their names.
            encoding: The encoding of the files: ``utf-8``, ``latin-1`` or ``auto``.
            threads: The number of threads; None for one per core.
            **table_options: The other fields of `RecordTable`.

        Raises:
            BulkError: If an option is not valid, or a file cannot be read.
        """
        if threads is not None:
            require_count("threads", threads)
        self._threads = threads or count_cores()
        self._blocks = _read_blocks(
            source, format_in, choose_block_size(table_options.get("forms")), encoding
        )
        first_block = next((block for block in self._blocks if has_records(block.batch)), None)
        self._first_blocks = () if first_block is None else (first_block,)
        game_name = _detect_game_of_block(first_block) if game is None else game
        try:
            self.table = RecordTable(kind, game_name, variant, **table_options)
        except TypeError as error:
            raise BulkError(f"the table of {kind} cannot be made: {error}") from error
        self.tally = Tally()

    def close(self) -> None:
        """Close the files. This is only needed if the rows are not iterated."""
        self._blocks.close()

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows of all blocks, and close the files."""
        blocks = chain(self._first_blocks, self._blocks)
        try:
            if self._threads == 1:
                yield from self._convert_in_this_thread(blocks)
            else:
                yield from self._convert_in_threads(blocks)
        finally:
            self._blocks.close()

    def _convert_in_this_thread(self, blocks: Iterator[NamedBlock]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of all blocks, converted in the calling thread."""
        for block in blocks:
            rows, tally = convert_blocks(self.table, block.batch, [block.location])
            yield from self._count_and_number(rows, tally)

    def _convert_in_threads(self, blocks: Iterator[NamedBlock]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of all blocks, converted by several threads, in the order of the blocks."""
        pending: deque[Future[tuple[pa.RecordBatch, Tally]]] = deque()
        max_pending = limit_pending_blocks(self._threads)
        with ThreadPoolExecutor(self._threads, "forsyth-records") as pool:
            try:
                for block in blocks:
                    pending.append(pool.submit(convert_blocks, self.table, block.batch, [block.location]))
                    if len(pending) > max_pending:
                        rows, tally = pending.popleft().result()
                        yield from self._count_and_number(rows, tally)
                while pending:
                    rows, tally = pending.popleft().result()
                    yield from self._count_and_number(rows, tally)
            finally:
                for future in pending:
                    future.cancel()

    def _count_and_number(self, rows: pa.RecordBatch, tally: Tally) -> Iterator[pa.RecordBatch]:
        """Add `tally`, the counts of the next block, to those of the stream, and yield the rows of the block.

        The games of all files are numbered in order. Nothing is yielded for a block without rows.
        """
        numbered_rows = shift_game_numbers(rows, self.tally.games)
        self.tally += tally
        if numbered_rows.num_rows:
            yield numbered_rows


def _detect_game_of_block(block: NamedBlock | None) -> str:
    """Return the name of the game of the first records in a block, such as ``chess``.

    Raise `BulkError` if no game is detected, or if `block` is None because the files have no records.
    """
    if block is None:
        return detect_game_of_records([], "the files")
    return detect_game_of_records([block.batch], block.file_name)


def _read_blocks(
    source: RecordSource,
    format_in: str | None,
    block_bytes: int | None = None,
    encoding: Encoding = "utf-8",
) -> Generator[NamedBlock, None, None]:
    """Yield the text of all files in blocks of whole records, each with the name of its file.

    Args:
        source: The paths of files, or the bytes of one file.
        format_in: The format of the files; None to detect it from their names.
        block_bytes: The approximate size of a block; None for the default.
        encoding: The encoding of the files.

    Raises:
        BulkError: If there is no such encoding.
    """
    require_encoding(encoding)
    if isinstance(source, bytes | bytearray | memoryview):
        for batch in RecordBlocks(MemoryStream(_MEMORY_NAME, source), size=block_bytes, encoding=encoding):
            yield NamedBlock(batch, _MEMORY_NAME)
        return
    paths = [source] if isinstance(source, str | os.PathLike) else source
    files = expand_record_files([os.fspath(path) for path in paths], format_in)
    for shard in plan_record_shards(files, target_bytes=None, block_bytes=block_bytes, encoding=encoding):
        with open_shard(shard) as batches:
            for batch in batches:
                yield NamedBlock(batch, display_name(shard.path))
