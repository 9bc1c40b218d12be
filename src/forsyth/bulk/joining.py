"""Making one file of part files of one format, in order, in constant memory.

Files of lines are put behind one another as bytes, compressed ones too (members of gzip and frames of zstd
may follow one another). CSV keeps the header of the first part only and is compressed anew. Parquet and Arrow
are written anew from their batches, NumPy arrays behind one header. A single part is renamed where that can
be done.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from forsyth.atomic_write import Written, is_stream, put
from forsyth.bulk.destination import Borrowed, open_destination
from forsyth.bulk.errors import STANDARD, BulkError, shown, told
from forsyth.bulk.npy import npy_header, npy_shape
from forsyth.bulk.places import Compression, Format, is_url, local_path, tell_format
from forsyth.bulk.shards import Shard
from forsyth.bulk.sinks import open_sink
from forsyth.bulk.sources import open_shard
from forsyth.bulk.streams import Stream, open_seekable
from forsyth.bulk.writers import compressed, let_go

_BLOCK: Final = 4 << 20
_MARK: Final = re.compile(rb'"[^"]*"|\n')
"""A cell in quotes, or the end of a line outside of them."""


def concatenate(
    parts: Sequence[str], target: str, format: Format | None = None, compression: Compression | None = None
) -> None:
    """Puts a file with the rows of all parts, in order, at `target`; without a `format` its name tells it.

    The parts are of that format and compression. A single one may be gone afterwards; otherwise they stay.
    """
    if format is None:
        format, compression = tell_format(target)
    if not parts:
        raise BulkError(f"{shown(target, 'written')} would be made of no parts; give at least one")
    if len(parts) == 1 and _renamed(parts[0], target):
        return
    if format in (Format.PARQUET, Format.ARROW, Format.ARROWS):
        _join_batches(parts, target, format, compression)
        return
    with told(target, "written"):
        written = open_destination(target)
        try:
            if format in (Format.CSV, Format.TSV):
                _join_delimited(parts, written, compression)
            elif format is Format.NPY:
                _join_arrays(parts, written)
            else:
                _join_bytes(parts, written.file)
            written.commit()
        except BaseException:
            written.discard()
            raise


def _renamed(part: str, target: str) -> bool:
    if STANDARD in (part, target) or is_url(part) or is_url(target):
        return False
    name = local_path(target)
    if is_stream(name) or Path(name).is_dir():
        return False
    with told(target, "written"):
        try:
            put(local_path(part), name)
        except OSError as error:
            if error.errno == errno.EXDEV:
                return False
            raise
    return True


def _join_batches(parts: Sequence[str], target: str, format: Format, compression: Compression | None) -> None:
    with open_shard(Shard(parts[0], format, compression)) as first:
        schema = first.schema
    with open_sink(target, schema, format, compression) as sink:
        for part in parts:
            with open_shard(Shard(part, format, compression)) as batches:
                for batch in batches:
                    sink.write_batch(batch)


def _join_bytes(parts: Sequence[str], file: BinaryIO) -> None:
    for part in parts:
        for data in _blocks(part, None):
            file.write(data)


def _join_delimited(parts: Sequence[str], written: Written, compression: Compression | None) -> None:
    borrowed = Borrowed(written.file)
    out = compressed(borrowed, compression)
    try:
        for number, part in enumerate(parts):
            blocks = _blocks(part, compression)
            head = next(blocks, b"")
            out.write(head[_header_end(head) :] if number else head)
            for data in blocks:
                out.write(data)
        out.close()
    except BaseException:
        borrowed.give_back()
        let_go(out)
        raise


def _header_end(block: bytes) -> int:
    return next((mark.end() for mark in _MARK.finditer(block) if mark.group() == b"\n"), len(block))


def _join_arrays(parts: Sequence[str], written: Written) -> None:
    shapes = []
    written.file.write(npy_header((0,)))
    for part in parts:
        with told(part), open_seekable(part) as file:
            shapes.append(npy_shape(file))
            while data := file.read(_BLOCK):
                written.file.write(data)
    if len({shape[1:] for shape in shapes}) > 1:
        raise BulkError(f"{parts[0]} and the parts behind it differ in shape; make them of one game")
    written.file.seek(0)
    written.file.write(npy_header((sum(shape[0] for shape in shapes), *shapes[0][1:])))


def _blocks(path: str, compression: Compression | None) -> Iterator[bytes]:
    stream = Stream(path, compression)
    try:
        while data := stream.read(_BLOCK):
            yield data
    finally:
        stream.close()
