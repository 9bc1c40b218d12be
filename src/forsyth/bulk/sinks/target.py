"""Putting the parts of a job in place: joined into one file, or as a directory of parts.

Joining is in order and in constant memory. Files of lines are concatenated as bytes, compressed ones too
(members of gzip and frames of zstd may follow one another). CSV keeps the header of the first part only and
is compressed again. Parquet and Arrow are rewritten from their batches, NumPy arrays after one header. A
single part is renamed where that is possible.

A directory must be new or empty: in one that holds something, nobody can tell what is old. Its files
are ``part-00000.parquet`` and so on, in the order of the rows.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from forsyth.atomic_write import Written, inherit, is_stream, must_be_writable, put
from forsyth.bulk.errors import STANDARD, BulkError, explaining_errors, shown
from forsyth.bulk.sinks.sink import explaining_url_errors, open_destination, open_sink
from forsyth.bulk.sinks.writers import Borrowed, compressed, let_go, npy_header, npy_shape
from forsyth.bulk.sources.files import (
    Compression,
    Format,
    Stream,
    ending_of,
    is_url,
    local_path,
    open_seekable,
    remote,
    tell_format,
)
from forsyth.bulk.sources.shards import Shard, open_shard

_BLOCK: Final = 4 << 20
_MARK: Final = re.compile(rb'"[^"]*"|\n')
"""A cell in quotes, or the end of a line outside of them."""


def concatenate(
    parts: Sequence[str], target: str, format: Format | None = None, compression: Compression | None = None
) -> None:
    """Puts a file with the rows of all parts, in order, at `target`; without a `format` its name gives it.

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
    with explaining_errors(target, "written"):
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
    with explaining_errors(target, "written"):
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
        with explaining_errors(part), open_seekable(part) as file:
            shapes.append(npy_shape(file))
            while data := file.read(_BLOCK):
                written.file.write(data)
    if len({shape[1:] for shape in shapes}) > 1:
        raise BulkError(f"{parts[0]} and the parts after it differ in shape; make them of one game")
    written.file.seek(0)
    written.file.write(npy_header((sum(shape[0] for shape in shapes), *shapes[0][1:])))


def _blocks(path: str, compression: Compression | None) -> Iterator[bytes]:
    stream = Stream(path, compression)
    try:
        while data := stream.read(_BLOCK):
            yield data
    finally:
        stream.close()


def is_directory(target: str) -> bool:
    """Whether a target is asked for as a directory of parts."""
    return target.endswith("/")


def must_be_free(target: str) -> None:
    """Raises `BulkError` for a target that could not be put in its place, before any work is done."""
    if target == STANDARD:
        return
    if is_url(target):
        if is_directory(target):
            _must_be_new_there(target)
        return
    path = Path(local_path(target))
    with explaining_errors(target, "written"):
        if not path.parent.is_dir():
            raise BulkError(f"there is no directory {path.parent} for {target}; make it first")
        if is_directory(target):
            _must_be_new(target, path)
        elif path.is_dir():
            raise BulkError(f"{target} is a directory; name a file in it, or end the name with / for parts")
        else:
            must_be_writable(path)


def _must_be_new(target: str, path: Path) -> None:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise BulkError(_taken(target))


def _must_be_new_there(target: str) -> None:
    system, folder = remote(target.rstrip("/"))
    with explaining_errors(target, "written"), explaining_url_errors(target):
        if system.exists(folder) and system.find(folder):
            raise BulkError(_taken(target))


def _taken(target: str) -> str:
    return f"{target} exists and is not empty; name a new directory"


def deliver(paths: Sequence[str], target: str, format: Format, compression: Compression | None) -> None:
    """Put the parts in their place, in order."""
    if not is_directory(target):
        concatenate(paths, target, format, compression)
    elif is_url(target):
        _upload(paths, target, ending_of(format, compression))
    else:
        _lay_out(paths, target, ending_of(format, compression))


def _lay_out(paths: Sequence[str], target: str, ending: str) -> None:
    """A directory with the parts, which appears when it holds all of them."""
    whole = Path(paths[0]).with_name("whole")
    place = Path(os.path.realpath(local_path(target)))
    with explaining_errors(target, "written"):
        shutil.rmtree(whole, ignore_errors=True)
        whole.mkdir()
        for number, path in enumerate(paths):
            _link(Path(path), whole / f"part-{number:05}.{ending}")
        # Somebody may have put something there while the parts were made.
        _must_be_new(target, place)
        if place.is_dir():
            inherit(whole, place.stat())
            place.rmdir()
        whole.replace(place)


def _link(path: Path, name: Path) -> None:
    """The same file under another name: the job can still be resumed from the old ones."""
    try:
        os.link(path, name)
    except OSError:
        shutil.copy2(path, name)


def _upload(paths: Sequence[str], target: str, ending: str) -> None:
    """The parts under their names; when one cannot be put there, none of them stays."""
    system, folder = remote(target.rstrip("/"))
    names: list[str] = []
    try:
        with explaining_errors(target, "written"), explaining_url_errors(target):
            system.makedirs(folder, exist_ok=True)
            for number, path in enumerate(paths):
                names.append(f"{folder}/part-{number:05}.{ending}")
                system.put_file(path, names[-1])
    except BaseException:
        for name in names:
            with suppress(Exception):
                system.rm_file(name)
        raise
