"""Adding up a range of keys of several indexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forsyth.bulk.errors import explaining_errors
from forsyth.bulk.index.parts import MOVES_SCHEMA, Manifest, Part
from forsyth.bulk.index.runs import BUCKETS
from forsyth.bulk.index.tallies import Lists, Tallies, combined
from forsyth.bulk.index.work import PartNote, finished_part, first_key, load_facts, write_part

_SUMS = ("games", "wins", "draws", "losses", "rated")


def merge_part(folder: Path, number: int, begin: int, end: int, books: Sequence[str], table: str) -> PartNote:
    """Write the part of the keys in the buckets from `begin` on and before `end`, of all indexes together."""
    done = finished_part(folder, number)
    if done is not None:
        return done
    facts = load_facts(folder)
    tables, before = [], 0
    for name in books:
        book = Path(name)
        manifest = Manifest.read(book)
        tables.append((_between(book, manifest.parts_of(table), begin, end), before))
        before += manifest.games
    texts = _texts([rows for rows, _ in tables])
    parts = [_tallies(rows, texts, games) for rows, games in tables if rows.num_rows]
    return write_part(folder, number, begin, texts, [combined(parts, facts)] if parts else [])


def _between(book: Path, parts: Sequence[Part], begin: int, end: int) -> pa.Table:
    """The rows of an index whose keys are in a range of buckets."""
    least = bytes.fromhex(first_key(begin))
    most = bytes.fromhex(first_key(end)) if end < BUCKETS else None
    tables = [table for path in _files(book, parts, least, most) for table in _rows(path, least, most)]
    return pa.concat_tables([MOVES_SCHEMA.empty_table(), *tables]).combine_chunks()


def _files(book: Path, parts: Sequence[Part], least: bytes, most: bytes | None) -> Iterator[Path]:
    firsts = [bytes.fromhex(str(part.first)) for part in parts]
    for place, part in enumerate(parts):
        follows = firsts[place + 1] if place + 1 < len(firsts) else None
        if (follows is None or follows > least) and (most is None or firsts[place] < most):
            yield book / part.file


def _rows(path: Path, least: bytes, most: bytes | None) -> Iterator[pa.Table]:
    with explaining_errors(str(path)), pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            found = file.metadata.row_group(group).column(0).statistics
            if found.max < least or (most is not None and found.min >= most):
                continue
            table = file.read_row_group(group)
            keys = table.column(0)
            kept = pc.greater_equal(keys, pa.scalar(least, keys.type))
            if most is not None:
                kept = pc.and_(kept, pc.less(keys, pa.scalar(most, keys.type)))
            yield table.filter(kept)


def _texts(tables: Sequence[pa.Table]) -> list[str]:
    """The move texts of all tables in order; the first is empty and means that none was played."""
    found = (text for table in tables for text in pc.unique(table.column("move")).to_pylist())
    return sorted({"", *(text for text in found if text is not None)})


def _tallies(table: pa.Table, texts: Sequence[str], games: int) -> Tallies:
    """Rows of an index that has so many games before its own."""
    keys = table.column("key").chunk(0)
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), keys.offset * 16).astype(np.uint64)
    moves = pc.index_in(table.column("move").fill_null(""), pa.array(texts, pa.string()))
    sums = {name: table.column(name).to_numpy().astype(np.int64) for name in _SUMS}
    rating = table.column("rating").fill_null(0.0).to_numpy()
    return Tallies(
        words[::2],
        words[1::2],
        moves.to_numpy().astype(np.uint32),
        **sums,
        # A quotient of whole numbers of this size gives them back.
        rating_sum=np.rint(rating * sums["rated"]).astype(np.int64),
        listed=_lists(table.column("reached"), games),
        latest=_lists(table.column("latest"), games),
        strongest=_lists(table.column("strongest"), games),
    )


def _lists(column: pa.ChunkedArray, games: int) -> Lists:
    sizes = pc.list_value_length(column).fill_null(0).to_numpy()
    numbers = pc.list_flatten(column).to_numpy().astype(np.uint32) + np.uint32(games)
    return Lists(np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))), numbers)
